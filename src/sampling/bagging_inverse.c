/* SPDX-License-Identifier: MIT */
/* The epsilon at a target delta, where the profile has no inverse in closed form: a bracket whose
 * ends are decided, found by a line through its ends and then by secants. */
#include <math.h>

#include "core/refine.h"
#include "num/limits.h"
#include "num/number.h"
#include "sampling/bagging_ask.h"

#define DECISION_BITS 4096
/* Steps by lines before the secants, at most so many of these, and the last bits they leave open.
 */
#define FIRST_STEPS 8
#define MOST_SECANTS 40
#define GUARD_BITS 24

/* The candidates are multiples of 2^-scale; `gap` is ln(delta/target) at an end, where it is known.
 */
typedef struct inversion {
    const bound *b;
    bagging_in at;
    logform x;
    mpq_srcptr target;
    mpz_t low, high, middle;
    double gap_low, gap_high;
    mpfr_prec_t scale;
    limits lim;
    double seconds;      /* of the longest evaluation, */
    mpfr_prec_t at_bits; /* at that many bits */
} inversion;

static void set_candidate(inversion *v, const mpz_t z)
{
    mpz_set(mpq_numref(v->x.rational), z);
    mpz_set_ui(mpq_denref(v->x.rational), 1);
    mpq_div_2exp(v->x.rational, v->x.rational, (mp_bitcnt_t)v->scale);
}

/* The bound at the candidate, unless as much time as that takes is surely not left. */
static dp_status evaluate(dp_figure *out, inversion *v, mpfr_prec_t bits)
{
    double more = v->at_bits > 0 ? (double)bits / (double)v->at_bits : 0;
    if (limits_expired(&v->lim) || v->seconds * more * fmax(1, more) > limits_left(&v->lim)) {
        limits_note(&v->lim, DP_MET_TIME);
        return DP_LIMIT;
    }
    double start = limits_spent(&v->lim);
    dp_status status = v->b->eval(out, &v->at, &(wanted){bits, true});
    if (bits >= v->at_bits) {
        v->seconds = limits_spent(&v->lim) - start;
        v->at_bits = bits;
    }
    return status;
}

/* out = ln(delta(z)/target), near enough; false where it is not a number */
static bool log_gap(mpfr_t out, inversion *v, const mpz_t z)
{
    dp_figure f[BOUND_OUTPUTS];
    for (size_t i = 0; i < 2; i++)
        dp_figure_init(&f[i]);
    set_candidate(v, z);
    bool ok = evaluate(f, v, mpfr_get_prec(out)) == DP_OK;
    mpfr_set_zero(out, 1);
    if (ok && f[1].kind == DP_ENCLOSED) {
        mpfi_mid(out, f[1].enclosure);
        mpfr_div_q(out, out, v->target, MPFR_RNDN);
        mpfr_log(out, out, MPFR_RNDN);
    }
    ok = ok && f[1].kind == DP_ENCLOSED && mpfr_number_p(out);
    for (size_t i = 0; i < 2; i++)
        dp_figure_clear(&f[i]);
    return ok;
}

/* middle = the root of secants from the ends of the bracket, each step with more bits than the one
 * before, and how far off it may be: a guess, to be decided. False where it is none. */
static bool secants(inversion *v, mpz_t margin)
{
    mpz_t before, now, step;
    mpfr_t g, h, slope;
    mpz_init_set(before, v->low);
    mpz_init_set(now, v->high);
    mpz_init(step);
    mpfr_inits2(64, g, h, slope, (mpfr_ptr)NULL);
    bool ok = log_gap(g, v, before), done = false, any = false;
    mpz_sub(step, now, before);
    for (int i = 0; ok && !done && i < MOST_SECANTS; i++) {
        size_t open_bits = mpz_sizeinbase(step, 2);
        size_t known = open_bits < (size_t)v->scale ? (size_t)v->scale - open_bits : 0;
        mpfr_prec_t bits = (mpfr_prec_t)(3 * known) + 128;
        bits = bits < v->scale + 128 ? bits : v->scale + 128;
        mpfr_prec_round(g, bits, MPFR_RNDN);
        mpfr_set_prec(h, bits);
        mpfr_set_prec(slope, bits);
        ok = log_gap(h, v, now) && !mpfr_equal_p(g, h);
        mpfr_sub(slope, h, g, MPFR_RNDN);
        mpfr_div(slope, h, slope, MPFR_RNDN);
        mpfr_mul_z(slope, slope, step, MPFR_RNDN);
        mpfr_neg(slope, slope, MPFR_RNDN);
        ok = ok && mpfr_number_p(slope) && mpfr_get_exp(slope) < 2 * v->scale;
        if (ok) {
            mpz_set(before, now);
            mpfr_swap(g, h);
            mpfr_get_z(step, slope, MPFR_RNDN);
            mpz_add(now, now, step);
            ok = mpz_cmp(now, v->low) > 0 && mpz_cmp(now, v->high) < 0;
            any = ok;
            done = mpz_sizeinbase(step, 2) <= GUARD_BITS;
        }
    }
    mpz_set(v->middle, now);
    mpz_set_ui(margin, 1);
    mpz_mul_2exp(margin, margin, GUARD_BITS + 4);
    if (mpz_cmpabs(step, margin) > 0)
        mpz_abs(margin, step);
    mpfr_clears(g, h, slope, (mpfr_ptr)NULL);
    mpz_clears(before, now, step, NULL);
    return any;
}

/* Is delta(middle) <= target? At few bits, at those that the width of the bracket calls for, and at
 * more. */
static dp_status probe(inversion *v, dp_decision *answer, double *gap)
{
    mpz_t width;
    mpz_init(width);
    mpz_sub(width, v->high, v->low);
    size_t left = mpz_sizeinbase(width, 2);
    size_t known = left < (size_t)v->scale ? (size_t)v->scale - left : 0;
    mpz_clear(width);
    set_candidate(v, v->middle);
    mpfr_prec_t bits[] = {64, 2 * (mpfr_prec_t)known + 192, v->scale + 192,
                          4 * v->scale + DECISION_BITS};
    dp_figure out[BOUND_OUTPUTS];
    for (size_t i = 0; i < 2; i++)
        dp_figure_init(&out[i]);
    dp_status status = DP_OK;
    *gap = 0;
    *answer = DP_UNKNOWN;
    for (size_t i = 0; status == DP_OK && *answer == DP_UNKNOWN && i < 4; i++) {
        status = evaluate(out, v, bits[i]);
        if (status == DP_OK)
            *answer = dp_figure_le(&out[1], v->target);
        if (i > 0 || status != DP_OK || out[1].kind != DP_ENCLOSED)
            continue;
        mpfi_div_q(out[1].enclosure, out[1].enclosure, v->target);
        mpfi_log(out[1].enclosure, out[1].enclosure);
        *gap = mpfi_get_d(out[1].enclosure);
    }
    for (size_t i = 0; i < 2; i++)
        dp_figure_clear(&out[i]);
    return status;
}

/* The middle, or near where a line through the ends crosses the target, a little to one side of it
 * and then to the other, so that both ends close in. */
static void next_candidate(inversion *v, int step)
{
    double share = v->gap_low / (v->gap_low - v->gap_high);
    mpz_sub(v->middle, v->high, v->low);
    if (step % 3 == 2 || !(v->gap_low > 0 && v->gap_high < 0) || !(share > 0 && share < 1)) {
        mpz_fdiv_q_2exp(v->middle, v->middle, 1);
    } else {
        double nudge = fmin(share, 1 - share) / 64;
        share += step % 3 == 0 ? nudge : -nudge;
        mpz_t part;
        mpz_init_set_d(part, ldexp(share, 52));
        mpz_mul(v->middle, v->middle, part);
        mpz_clear(part);
        mpz_fdiv_q_2exp(v->middle, v->middle, 52);
    }
    mpz_add(v->middle, v->middle, v->low);
    mpz_t rest;
    mpz_init(rest);
    mpz_sub(rest, v->high, v->low);
    mp_bitcnt_t spare = mpz_sizeinbase(rest, 2);
    mpz_clear(rest);
    if (spare > 64) { /* a short number between the ends serves as well, and costs less */
        mpz_fdiv_q_2exp(v->middle, v->middle, spare - 64);
        mpz_mul_2exp(v->middle, v->middle, spare - 64);
    }
    if (mpz_cmp(v->middle, v->low) <= 0)
        mpz_add_ui(v->middle, v->low, 1);
    if (mpz_cmp(v->middle, v->high) >= 0)
        mpz_sub_ui(v->middle, v->high, 1);
}

static void set_bracket(dp_figure *out, const inversion *v)
{
    mpfi_ptr f = figure_enclose(out, v->scale + 64);
    mpfi_set_z(f, v->high);
    mpfr_set_z(&f->left, v->low, MPFR_RNDD);
    mpfi_div_2exp(f, f, (unsigned long)v->scale);
}

/* Doubles `high` until the target is met there, up to where no learner of any use is left. */
static dp_status bound_above(inversion *v, bool *bounded)
{
    dp_status status = DP_OK;
    *bounded = false;
    mpz_set_ui(v->high, 1);
    mpz_mul_2exp(v->high, v->high, (mp_bitcnt_t)v->scale);
    while (mpz_sizeinbase(v->high, 2) <= (size_t)v->scale + 40) {
        dp_decision answer = DP_UNKNOWN;
        mpz_set(v->middle, v->high);
        status = probe(v, &answer, &v->gap_high);
        *bounded = answer == DP_YES;
        if (status == DP_OK && answer == DP_UNKNOWN)
            status = DP_LIMIT;
        if (status != DP_OK || *bounded)
            break;
        mpz_set(v->low, v->high);
        v->gap_low = v->gap_high;
        mpz_mul_2exp(v->high, v->high, 1);
    }
    return status;
}

/* The middle as an end of the bracket, where that is decided. */
static dp_status take_middle(inversion *v)
{
    dp_decision answer = DP_UNKNOWN;
    double gap;
    dp_status status = probe(v, &answer, &gap);
    if (status == DP_OK && answer == DP_UNKNOWN) {
        limits_note(&v->lim, DP_MET_PRECISION);
        status = DP_LIMIT;
    }
    if (status == DP_OK) {
        mpz_set(answer == DP_YES ? v->high : v->low, v->middle);
        *(answer == DP_YES ? &v->gap_high : &v->gap_low) = gap;
    }
    return status;
}

/* Both sides of where the secants meet. */
static dp_status take_guess(inversion *v)
{
    mpz_t root, margin;
    mpz_init(margin);
    bool found = secants(v, margin);
    mpz_init_set(root, v->middle);
    dp_status status = DP_OK;
    for (int side = 0; found && side < 2 && status == DP_OK; side++) {
        (side == 0 ? mpz_sub : mpz_add)(v->middle, root, margin);
        if (mpz_cmp(v->middle, v->low) > 0 && mpz_cmp(v->middle, v->high) < 0)
            status = take_middle(v);
    }
    mpz_clear(margin);
    mpz_clear(root);
    return status;
}

/* Closes the bracket; each end is kept only where it was decided. */
static dp_status narrow(dp_figure *out, inversion *v, size_t digits)
{
    dp_status status = DP_OK;
    for (int step = 0; status == DP_OK; step++) {
        mpz_sub(v->middle, v->high, v->low);
        set_bracket(out, v);
        if (mpz_cmp_ui(v->middle, 1) <= 0 ||
            (mpz_sizeinbase(v->middle, 2) * 2 < mpz_sizeinbase(v->high, 2) + (size_t)v->scale &&
             refine_agrees(out, digits)))
            return DP_OK;
        if (limits_expired(&v->lim))
            return DP_LIMIT;
        if (step == FIRST_STEPS) {
            status = take_guess(v);
        } else {
            next_candidate(v, step);
            status = take_middle(v);
        }
    }
    set_bracket(out, v);
    return status;
}

dp_status bagging_invert(dp_figure *out, const bound *b, const dp_bagging *bagging,
                         const dp_options *opt)
{
    inversion v = {.b = b,
                   .target = number_rational(bagging->target_delta),
                   .scale = refine_bits(opt->digits) + 64};
    limits_start(&v.lim, opt);
    logform_init(&v.x);
    v.at = (bagging_in){.b = bagging, .at = &v.x};
    mpz_inits(v.low, v.high, v.middle, NULL);
    bool bounded;
    dp_status status = bound_above(&v, &bounded);
    if (status == DP_OK && !bounded) {
        figure_set_infinite(out);
    } else if (status == DP_OK) {
        status = narrow(out, &v, opt->digits);
    } else if (status == DP_LIMIT) {
        set_bracket(out, &v);
        mpfr_set_inf(&out->enclosure->right, 1);
    }
    mpz_clears(v.low, v.high, v.middle, NULL);
    logform_clear(&v.x);
    return status;
}
