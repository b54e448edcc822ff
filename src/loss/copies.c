/* SPDX-License-Identifier: MIT */
/* The bends of a learner's steps and the weights of so many copies, in integers. */
#include "loss/copies.h"

#include "num/guard.h"
#include "num/ival.h"
#include "num/memory.h"
#include "num/number.h"

/* What is left out, and rounded, is below 2^-KEPT_BITS of what the mechanism leaks or spends. */
#define KEPT_BITS 128
#define SPARE_BITS 64
#define EXACT_BITS 4096 /* of both scales together */
#define MOST_BITS 16384 /* of each */
#define MOST_STEPS 320
#define EXACT_STEPS 32
/* of a rational above e^eps0, where its powers are few and where they are many */
#define ODDS_BITS 256
#define LESS_BITS 64
#define FEW_STEPS 8
#define LARGEST_LOSS 8192

static size_t needed_bits(const copies *of)
{
    return KEPT_BITS + mpz_sizeinbase(mpq_denref(of->rate), 2) +
           mpz_sizeinbase(mpq_denref(of->delta0), 2);
}

static bool is_certain(const copies *of)
{
    return mpq_cmp_ui(of->rate, 1, 1) == 0;
}

/* out = the probability of no copy */
static void no_copy(mpfi_t out, const copies *of)
{
    if (is_certain(of)) {
        mpfi_set_ui(out, mpz_sgn(of->draws) == 0);
        return;
    }
    ival_log1m_q(out, of->rate);
    ival_mul_z(out, out, of->draws);
    mpfi_exp(out, out);
}

/* mass of j copies -> that of j + 1: times (draws - j)/(j + 1) and rate/(1 - rate) */
static void one_more(mpfi_t mass, const copies *of, unsigned long j)
{
    mpz_t left;
    mpz_init(left);
    mpz_sub_ui(left, of->draws, j);
    mpz_mul(left, left, mpq_numref(of->rate));
    mpfi_mul_z(mass, mass, left);
    mpz_sub(left, mpq_denref(of->rate), mpq_numref(of->rate));
    mpfi_div_z(mass, mass, left);
    mpfi_div_ui(mass, mass, j + 1);
    mpz_clear(left);
}

/* How many copies are kept: beyond, the masses fall by halves from below 2^-bits. 0: too many. */
static unsigned long kept_copies(const copies *of)
{
    unsigned long most = MOST_STEPS / of->steps, j = 0;
    if (mpz_cmp_ui(of->draws, EXACT_STEPS / of->steps) <= 0)
        return mpz_get_ui(of->draws);
    if (is_certain(of))
        return mpz_cmp_ui(of->draws, most) <= 0 ? mpz_get_ui(of->draws) : 0;
    mpfi_t mass, before;
    mpfi_init2(mass, 64);
    mpfi_init2(before, 64);
    no_copy(mass, of);
    mpfr_exp_t least = -(mpfr_exp_t)needed_bits(of) - 2;
    for (bool done = false; !done && j <= most;) {
        mpfi_div_2ui(before, mass, 1);
        one_more(mass, of, j++);
        done = mpfr_cmp(&mass->right, &before->left) <= 0 &&
               (mpfr_zero_p(&mass->right) || mpfr_get_exp(&mass->right) < least);
    }
    mpfi_clear(before);
    mpfi_clear(mass);
    if (j > most)
        return 0;
    return mpz_cmp_ui(of->draws, j) < 0 ? mpz_get_ui(of->draws) : j;
}

/* E = e^eps0, or both ends of it. */
static bool set_odds(chain *c, const copies *of, bool above)
{
    mpq_srcptr odds = number_odds(of->eps0);
    bool none = dp_number_sgn(of->eps0) == 0;
    if (none)
        mpq_set_ui(c->odds[ABOVE], 1, 1);
    else if (odds != NULL)
        mpq_set(c->odds[ABOVE], odds);
    mpq_set(c->odds[BELOW], c->odds[ABOVE]);
    mpfr_prec_t bits = ODDS_BITS + 4 * (mpfr_prec_t)needed_bits(of);
    if (above)
        bits = c->top <= FEW_STEPS ? ODDS_BITS : LESS_BITS;
    size_t most = above ? 2 * (size_t)bits : EXACT_BITS;
    if (none || (odds != NULL && number_bits(of->eps0) <= most))
        return true;
    mpfi_t e;
    mpfi_init2(e, bits);
    ival_set_number(e, of->eps0);
    bool ok = mpfr_cmp_ui(&e->right, LARGEST_LOSS) < 0;
    if (ok)
        ival_exp_number(e, of->eps0);
    if (ok && mpfr_cmp_ui(&e->left, 1) < 0)
        mpfr_set_ui(&e->left, 1, MPFR_RNDN);
    if (ok) {
        mpfr_get_q(c->odds[ABOVE], &e->right);
        mpfr_get_q(c->odds[BELOW], above ? &e->right : &e->left);
    }
    mpfi_clear(e);
    return ok;
}

/* den(delta0) (a + b) (a b)^top, E = a/b: every v_i and z_i is an integer over it. */
static bool exact_scale(chain *c, const copies *of, size_t most)
{
    mpz_t a;
    mpz_init_set(a, mpq_numref(c->odds[ABOVE]));
    mpz_mul(a, a, mpq_denref(c->odds[ABOVE]));
    bool fits =
        (c->top + 1) * mpz_sizeinbase(a, 2) + mpz_sizeinbase(mpq_denref(of->delta0), 2) <= most;
    if (fits) {
        mpz_pow_ui(c->one, a, c->top);
        mpz_add(a, mpq_numref(c->odds[ABOVE]), mpq_denref(c->odds[ABOVE]));
        mpz_mul(c->one, c->one, a);
        mpz_mul(c->one, c->one, mpq_denref(of->delta0));
    }
    mpz_clear(a);
    return fits;
}

/* Both scales. */
static bool set_scales(chain *c, const copies *of, bool above)
{
    bool rational = mpq_equal(c->odds[BELOW], c->odds[ABOVE]);
    size_t part = (c->kept + 1) * mpz_sizeinbase(mpq_denref(of->rate), 2);
    c->exact = !above && rational && c->whole && c->top <= EXACT_STEPS && part < EXACT_BITS &&
               exact_scale(c, of, EXACT_BITS - part);
    if (above) /* the weights are */
        c->exact = c->whole && c->top <= EXACT_STEPS && part < EXACT_BITS;
    size_t bits = needed_bits(of) + SPARE_BITS;
    if (c->exact) {
        mpz_pow_ui(c->unit, mpq_denref(of->rate), c->kept);
    } else {
        mpz_t e;
        mpz_init(e);
        mpz_cdiv_q(e, mpq_numref(c->odds[ABOVE]), mpq_denref(c->odds[ABOVE]));
        bits += c->top * mpz_sizeinbase(e, 2);
        mpz_clear(e);
        if (bits > MOST_BITS)
            return false;
        mpz_ui_pow_ui(c->unit, 2, bits);
        mpz_set(c->one, c->unit);
    }
    return !above || exact_scale(c, of, MOST_BITS);
}

/* out = floor or ceil of x a/b */
static void scale_by(mpz_t out, const mpz_t x, const mpz_t a, const mpz_t b, int end)
{
    mpz_mul(out, x, a);
    if (end == BELOW)
        mpz_fdiv_q(out, out, b);
    else
        mpz_cdiv_q(out, out, b);
}

static void set_bends(chain *c, const copies *of, int end)
{
    mpz_t *v = c->v[end], lost, sum;
    mpq_srcptr e = c->odds[1 - end]; /* v_i falls with E */
    mpz_inits(lost, sum, NULL);
    scale_by(lost, c->one, mpq_numref(of->delta0), mpq_denref(of->delta0), 1 - end);
    mpz_sub(v[0], c->one, lost);
    mpz_add(sum, mpq_numref(e), mpq_denref(e));
    scale_by(v[0], v[0], mpq_denref(e), sum, end);
    for (unsigned long i = 1; i <= c->top; i++) {
        mpz_sub(v[i], v[i - 1], lost);
        if (mpz_sgn(v[i]) <= 0)
            mpz_set_ui(v[i], 0);
        else
            scale_by(v[i], v[i], mpq_denref(e), mpq_numref(e), end);
    }
    mpz_clears(lost, sum, NULL);
}

static void set_mirrors(chain *c, const copies *of, int end)
{
    mpz_t *z = c->z[end], lost, high;
    mpq_srcptr e = c->odds[end];
    mpz_inits(lost, high, NULL);
    scale_by(lost, c->one, mpq_numref(of->delta0), mpq_denref(of->delta0), end);
    mpz_set_ui(z[0], 0);
    for (unsigned long i = 1; i <= c->top; i++) {
        mpz_sub(high, c->one, lost); /* 1 - (1 - delta0 - z)/E */
        mpz_sub(high, high, z[i - 1]);
        scale_by(high, high, mpq_denref(e), mpq_numref(e), 1 - end);
        mpz_sub(high, c->one, high);
        scale_by(z[i], z[i - 1], mpq_numref(e), mpq_denref(e), end);
        mpz_add(z[i], z[i], lost);
        if (mpz_cmp(high, z[i]) < 0)
            mpz_set(z[i], high);
        if (mpz_cmp(z[i], c->one) > 0)
            mpz_set(z[i], c->one);
    }
    mpz_clears(lost, high, NULL);
}

static void exact_weights(chain *c, const copies *of)
{
    mpz_t rest, part;
    mpz_inits(rest, part, NULL);
    mpz_sub(rest, mpq_denref(of->rate), mpq_numref(of->rate));
    for (unsigned long j = 0; j <= c->kept; j++) {
        mpz_bin_uiui(c->w[BELOW][j], c->kept, j);
        mpz_pow_ui(part, mpq_numref(of->rate), j);
        mpz_mul(c->w[BELOW][j], c->w[BELOW][j], part);
        mpz_pow_ui(part, rest, c->kept - j);
        mpz_mul(c->w[BELOW][j], c->w[BELOW][j], part);
        mpz_set(c->w[ABOVE][j], c->w[BELOW][j]);
    }
    mpz_clears(rest, part, NULL);
}

static void enclosed_weights(chain *c, const copies *of)
{
    mpfr_exp_t bits = (mpfr_exp_t)mpz_sizeinbase(c->unit, 2) - 1;
    mpfi_t mass, x;
    mpfi_init2(mass, bits + SPARE_BITS);
    mpfi_init2(x, bits + SPARE_BITS);
    no_copy(mass, of);
    mpz_set(c->tail, c->unit);
    for (unsigned long j = 0; j <= c->kept; j++) {
        mpfi_mul_2si(x, mass, bits);
        mpfr_get_z(c->w[BELOW][j], &x->left, MPFR_RNDD);
        mpfr_get_z(c->w[ABOVE][j], &x->right, MPFR_RNDU);
        mpz_sub(c->tail, c->tail, c->w[BELOW][j]);
        one_more(mass, of, j);
    }
    mpfi_clear(x);
    mpfi_clear(mass);
}

static void set_weights(chain *c, const copies *of)
{
    if (is_certain(of)) /* all weight at `draws` copies */
        for (int end = BELOW; end <= ABOVE; end++)
            mpz_set(c->w[end][c->kept], c->unit);
    else if (c->exact)
        exact_weights(c, of);
    else
        enclosed_weights(c, of);
}

static bool make_room(chain *c)
{
    size_t turns = c->top + 1, weights = c->kept + 1;
    c->all = memory_new(4 * turns + 2 * weights, sizeof *c->all);
    if (c->all == NULL)
        return false;
    for (c->count = 0; c->count < 4 * turns + 2 * weights; c->count++)
        mpz_init(c->all[c->count]);
    for (size_t end = 0; end < 2; end++) {
        c->v[end] = c->all + end * turns;
        c->z[end] = c->all + (2 + end) * turns;
        c->w[end] = c->all + 4 * turns + end * weights;
    }
    return true;
}

/* All but the numbers themselves. False: too long. */
static bool measure(chain *c, const copies *of, bool above)
{
    *c = (chain){.kept = kept_copies(of), .lossless = mpq_sgn(of->delta0) == 0};
    mpq_inits(c->odds[BELOW], c->odds[ABOVE], NULL);
    mpz_inits(c->one, c->unit, c->tail, NULL);
    c->top = c->kept * of->steps;
    c->whole = mpz_cmp_ui(of->draws, c->kept) == 0;
    return c->kept > 0 && set_odds(c, of, above) && set_scales(c, of, above);
}

bool steps_copies_fit(const copies *of)
{
    bool fit = true;
    for (int above = 0; fit && above < 2; above++) {
        chain c;
        fit = measure(&c, of, above == 1);
        chain_clear(&c);
    }
    return fit;
}

dp_status chain_init(chain *c, const copies *of, bool above)
{
    if (!measure(c, of, above))
        return DP_UNAVAILABLE;
    if (!make_room(c))
        return DP_MEMORY;
    for (int end = BELOW; end <= ABOVE; end++) {
        set_bends(c, of, end);
        set_mirrors(c, of, end);
    }
    set_weights(c, of);
    return DP_OK;
}

void chain_clear(chain *c)
{
    for (size_t i = 0; i < c->count; i++)
        mpz_clear(c->all[i]);
    memory_free(c->all);
    mpz_clears(c->one, c->unit, c->tail, NULL);
    mpq_clears(c->odds[BELOW], c->odds[ABOVE], NULL);
}

/* Above, what is not kept counts in full; weights that are all kept sum to 1. */
static void round_sum(mpz_t sum, const chain *c, int end)
{
    if (end == BELOW)
        return;
    if (!c->whole)
        mpz_addmul(sum, c->tail, c->one);
    mpz_t most;
    mpz_init(most);
    mpz_mul(most, c->one, c->unit);
    if (mpz_cmp(sum, most) > 0)
        mpz_set(sum, most);
    mpz_clear(most);
}

void chain_at_bend(mpz_t sum, const chain *c, unsigned long each, unsigned long i, int end)
{
    mpz_t value;
    mpz_init(value);
    mpz_set_ui(sum, 0);
    for (unsigned long j = 0; j <= c->kept; j++) {
        unsigned long turns = each * j;
        if (turns <= i)
            mpz_set(value, c->v[end][i - turns]);
        else
            mpz_sub(value, c->one, c->v[1 - end][turns - i - 1]);
        mpz_addmul(sum, c->w[end][j], value);
    }
    round_sum(sum, c, end);
    mpz_clear(value);
}

void chain_at_mirror(mpz_t sum, const chain *c, unsigned long each, unsigned long i, int end)
{
    mpz_t value;
    mpz_init(value);
    mpz_set_ui(sum, 0);
    for (unsigned long j = 0; j <= c->kept; j++) {
        unsigned long turns = each * j;
        mpz_set(value, c->one);
        if (turns < i)
            mpz_sub(value, value, c->z[1 - end][i - turns]);
        mpz_addmul(sum, c->w[end][j], value);
    }
    round_sum(sum, c, end);
    mpz_clear(value);
}

void chain_at_zero(mpz_t sum, const chain *c, unsigned long each, int end)
{
    mpz_set_ui(sum, 0);
    for (unsigned long j = 0; j <= c->kept; j++)
        mpz_addmul(sum, c->w[end][j], c->z[end][each * j]);
    if (!c->lossless)
        round_sum(sum, c, end);
}
