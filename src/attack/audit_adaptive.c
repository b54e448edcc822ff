/* SPDX-License-Identifier: MIT */
/* One run whose attack chooses from the output how many guesses it makes: outcomes (r, W) in the
 * order of Pr[Bin(r, q) >= W] at one reference epsilon, and the worst level of a rule W >= v(r). */
#include "attack/audit.h"

#include <math.h>

#include "attack/audit_level.h"
#include "attack/binomial_guess.h"
#include "attack/root.h"
#include "num/ival.h"
#include "num/number.h"

#define EXACT_CANARIES 1000

/* The worst level at epsilon 0, where tails are counts of 2^r; false, and nothing, of many. */
static bool level_at_zero(mpq_t level, const path *l)
{
    const audit_in *in = l->in;
    if (in->canaries > EXACT_CANARIES)
        return false;
    const bool *stay = l->part[0].stay; /* so few are one part, from r = 0 on */
    mpz_t tail, mass, part;
    mpq_t x, best;
    mpz_inits(tail, mass, part, NULL);
    mpq_inits(x, best, NULL);
    mpz_set_ui(tail, 1);
    mpz_set_ui(mass, 1);
    mpq_set_ui(level, 0, 1);
    for (unsigned long r = 1, v = 0; r <= in->canaries; r++) {
        mpz_mul_2exp(tail, tail, 1);
        mpz_mul_ui(part, mass, v);
        mpz_divexact_ui(part, part, r - v); /* the choices of v - 1 of r - 1 */
        (stay[r - 1] ? mpz_add : mpz_sub)(tail, tail, stay[r - 1] ? part : mass);
        v += stay[r - 1] ? 0 : 1;
        mpz_bin_uiui(mass, r, v);
        if (r < l->first)
            continue;
        mpq_set_z(x, tail);
        mpq_div_2exp(x, x, r);
        if (mpq_cmp(x, level) > 0)
            mpq_set(level, x);
        mpz_set(mpq_numref(x), tail);
        mpz_mul_ui(mpq_denref(x), mass, v);
        mpq_canonicalize(x);
        if (mpq_cmp(x, best) > 0)
            mpq_set(best, x);
    }
    mpq_set_ui(x, in->canaries, 1); /* level + m delta (1 - level) best */
    mpq_mul(best, best, x);
    mpq_mul(best, best, in->delta);
    mpq_set_ui(x, 1, 1);
    mpq_sub(x, x, level);
    mpq_mul(best, best, x);
    mpq_add(level, level, best);
    mpq_clears(x, best, NULL);
    mpz_clears(tail, mass, part, NULL);
    return true;
}

/* What a root is proved of: the level, and the places that come near to it. */
typedef struct rule {
    const path *p;
    path_top top;
    bool told;   /* top is known, and the sign alone is asked for: most is told by these */
    bool longer; /* its parts can be, ... */
    bool open;   /* ... and what is between them told more than they do */
} rule;

/* Nothing more where parts are to be longer first. */
static void above_alpha(mpfi_t out, const mpfi_t at, const void *in)
{
    rule *l = (rule *)in;
    mpq_srcptr alpha_q = l->p->in->alpha;
    bool above = false;
    if (l->open) {
        mpfi_interv_si(out, -1, 1); /* the sign is not told */
        return;
    }
    if (l->told) {
        path_level_from(out, l->p, &l->top, at);
        above = mpfr_cmp_q(&out->left, alpha_q) > 0;
    }
    if (!above)
        l->open = !path_level(out, l->p, at) && l->longer;
    mpfi_t alpha;
    mpfi_init2(alpha, mpfi_get_prec(out));
    mpfi_set_q(alpha, alpha_q);
    mpfi_div(out, out, alpha);
    mpfi_log(out, out);
    mpfi_clear(alpha);
}

/* ---- a guess: of two places of the path, those of the largest numbers at some epsilon ---- */

typedef struct guessing {
    const audit_in *in;
    path_top top;
    double log_alpha, log_delta;
} guessing;

static double guess_above(const void *of, double x)
{
    const guessing *g = of;
    double v = (double)g->top.v[1], r = (double)g->top.r[1];
    double most = guess_log_tail((double)g->top.v[0], (double)g->top.r[0], x, NULL);
    if (mpq_sgn(g->in->delta) == 0)
        return most - g->log_alpha;
    double best = guess_log_tail(v, r, x, NULL) - guess_log_mass(v, r, x) - log(v);
    double more = g->log_delta + log((double)g->in->canaries) + best + log(-expm1(most));
    return fmax(most, more) + log1p(exp(-fabs(more - most))) - g->log_alpha;
}

#define HIGHEST 1e3
#define TRIES 60
#define CERTAIN (-1e-3) /* a logarithm */

static double root_of(const guessing *g, double high)
{
    while (high < HIGHEST && guess_above(g, high) < 0)
        high *= 2;
    return root_guess(guess_above, g, 0, high);
}

/* Where the level is about alpha, below `high`: 0 where it is no less at 0. What two places say is
 * not above the level, so that their root is not below its root; those of the largest numbers there
 * give the next one. Where tails are next to 1 that tells little, and halves are taken. */
static double descend(guessing *g, void (*look)(path_top *, const path *, double), const path *p,
                      double start)
{
    double low = 0, high = HIGHEST, x = -1, next = start;
    for (int i = 0; i < TRIES && !(fabs(next - x) <= 1e-14 * next); i++) {
        x = next;
        look(&g->top, p, x);
        if (guess_above(g, 0) >= 0)
            return 0;
        double there = guess_above(g, x);
        *(there < 0 ? &low : &high) = x;
        next = root_of(g, 1);
        if (there + g->log_alpha > CERTAIN || next > high)
            next = low > 0 ? (low + high) / 2 : high / 2;
    }
    return next;
}

/* By samples of the path first. */
static double find(rule *l)
{
    const path *p = l->p;
    guessing g = {.in = p->in,
                  .log_alpha = ival_guess_log(p->in->alpha),
                  .log_delta = ival_guess_log(p->in->delta)};
    double near = descend(&g, path_glance, p, 0);
    near = near > 0 ? descend(&g, path_guess, p, near) : 0;
    l->top = g.top;
    l->told = near > 0;
    return near;
}

#define TINY 1e-9

/* The guess is good to about its last digits. */
static double guess_error(double guess)
{
    return fmax(guess, 1e-6) * 1e-13;
}

/* out[0] = where the level is alpha. */
static void solve(dp_figure *out, rule *l, double guess, const wanted *want)
{
    const audit_in *in = l->p->in;
    mpfi_t x;
    mpq_t level;
    mpq_init(level);
    mpfi_init2(x, root_bits(want->bits));
    bool none = false;
    if (guess < TINY) {
        mpfi_set_ui(x, 0);
        above_alpha(x, x, l);
        none = mpfr_sgn(&x->left) >= 0 ||
               (want->rational && mpfr_sgn(&x->right) >= 0 && level_at_zero(level, l->p) &&
                mpq_cmp(level, in->alpha) >= 0);
    }
    if (none) {
        figure_set_ui(&out[0], 0);
    } else {
        l->told = l->told && want->bits <= ROOT_GUESSED; /* beyond, secants ask for values */
        root_enclose(x, above_alpha, l, &(root_start){.near = guess, .error = guess_error(guess)});
        audit_not_below_zero(&out[0], x, want->bits);
    }
    mpfi_clear(x);
    mpq_clear(level);
}

/* The same of parts that are long enough, where there are such: elsewhere the level is known to
 * fewer digits. None are sought where it shows nothing. */
static dp_status solve_wide(dp_figure *out, path *p, const wanted *want)
{
    for (;;) {
        rule l = {.p = p};
        double guess = find(&l);
        l.longer = guess >= TINY && path_can_widen(p);
        solve(out, &l, guess, want);
        if (!l.open)
            return DP_OK;
        dp_status status = path_widen(p);
        if (status != DP_OK)
            return status;
    }
}

/* Does already the outcome, whatever is said of no other one, show nothing? */
static bool outcome_shows_nothing(const audit_in *in)
{
    if (guess_log_tail((double)in->hits, (double)in->members, 0, NULL) < ival_guess_log(in->alpha))
        return false;
    share even, tail;
    share_init(&even, ROOT_GUESSED);
    share_init(&tail, ROOT_GUESSED);
    mpfi_set_d(even.yes, 0.5);
    mpfi_set_d(even.no, 0.5);
    binomial_tail(&tail, NULL, in->hits, in->members, &even);
    bool nothing = mpfr_cmp_q(&tail.yes->left, in->alpha) >= 0;
    share_clear(&tail);
    share_clear(&even);
    return nothing;
}

dp_status audit_eval_adaptive(dp_figure *out, const void *in, const wanted *want)
{
    const audit_in *a = in;
    if (a->hits == 0 || outcome_shows_nothing(a)) {
        figure_set_ui(&out[0], 0);
        return DP_OK;
    }
    path own, *p;
    dp_status status = path_of(&p, &own, a, want->bits);
    if (status == DP_OK)
        status = solve_wide(out, p, want);
    path_clear(&own);
    return status;
}

/* out = the level at the claim, which is the reference. */
static dp_status enclose_p(mpfi_t out, path *p)
{
    dp_status status = DP_OK;
    while (status == DP_OK && !path_level_there(out, p) && path_can_widen(p))
        status = path_widen(p);
    ival_clamp_ui(out, 0, 1);
    return status;
}

#define CERTAIN_TAIL (-0x1p-60) /* a logarithm */
#define LOST_BITS 900           /* what is less is lost to the doubles of a path (audit_walk.c) */

/* p where the outcome is so likely that no path tells more. */
static bool outcome_is_certain(dp_figure *out, const audit_in *in, const wanted *want)
{
    mpfi_t e;
    mpfi_init2(e, binomial_bits(want->bits, in->canaries) + 64);
    order_reference(e, in);
    bool certain =
        guess_log_tail((double)in->hits, (double)in->members, mpfi_get_d(e), NULL) >= CERTAIN_TAIL;
    if (certain) {
        share odds, tail;
        share_init(&odds, binomial_bits(want->bits, in->canaries));
        share_init(&tail, want->bits);
        share_logistic(&odds, e);
        binomial_tail(&tail, NULL, in->hits, in->members, &odds);
        mpfr_prec_t bits = want->bits > LOST_BITS ? want->bits : LOST_BITS;
        certain = mpfr_zero_p(&tail.no->right) || mpfr_get_exp(&tail.no->right) < -bits;
        if (certain) {
            mpfr_set_ui(&tail.yes->right, 1, MPFR_RNDU);
            mpfi_set(figure_enclose(&out[0], want->bits), tail.yes);
        }
        share_clear(&tail);
        share_clear(&odds);
    }
    mpfi_clear(e);
    return certain;
}

dp_status audit_adaptive_p(dp_figure *out, const void *in, const wanted *want)
{
    const audit_in *a = in;
    if (a->hits == 0) {
        figure_set_ui(&out[0], 1);
        return DP_OK;
    }
    if (outcome_is_certain(out, a, want))
        return DP_OK;
    path own, *p;
    dp_status status = path_of(&p, &own, a, want->bits);
    if (status != DP_OK)
        return status;
    if (want->rational && dp_number_sgn(a->claim) == 0 && level_at_zero(out[0].rational, p)) {
        out[0].kind = DP_RATIONAL;
        if (mpq_cmp_ui(out[0].rational, 1, 1) > 0)
            mpq_set_ui(out[0].rational, 1, 1);
    } else {
        status = enclose_p(figure_enclose(&out[0], want->bits), p);
    }
    path_clear(&own);
    return status;
}
