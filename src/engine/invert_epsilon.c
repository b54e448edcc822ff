/* SPDX-License-Identifier: MIT */
/* The inverse of the optimal profile: each point at which the profile is told from the target is an
 * end that is proved, whatever it was guessed by; the nearest on either side are kept. */
#include <math.h>

#include "core/refine.h"
#include "engine/effort.h"
#include "engine/inversion.h"
#include "engine/tail.h"
#include "num/ival.h"

#define ROUNDS 5
#define FIRST_BITS 64 /* of a first end, far from epsilon in any case */

/* Both ends from one prepared profile, starting at v->x. */
static dp_status bracket_epsilon(inversion *v, lead *l, double gap)
{
    dp_status status = DP_OK;
    if (profile_is_by_pass(v->p) && inversion_by_pairs(v, l, gap, &status))
        return status;
    status = inversion_search(v, DP_UPPER, false);
    if (status != DP_OK || v->zero || v->lost)
        return status;
    mpfr_t found;
    mpfr_init2(found, v->work);
    mpfr_set(found, v->x, MPFR_RNDN);
    status = inversion_prove(v, DP_UPPER);
    mpfr_set(v->x, found, MPFR_RNDN);
    if (status == DP_OK && !v->p->exact)
        status = inversion_search(v, DP_LOWER, true);
    if (status == DP_OK && !v->lost)
        status = inversion_prove(v, DP_LOWER);
    mpfr_clear(found);
    return status;
}

static double first_guess(const inversion *v, const tilt *t)
{
    MPFR_DECL_INIT(log, 53); /* ln s*, or ln(1 - s*) */
    bool left = mpfr_cmp_d(&v->target->right, 0.5) > 0;
    if (left) {
        mpfr_ui_sub(log, 1, &v->target->left, MPFR_RNDN);
        mpfr_log(log, log, MPFR_RNDN);
    } else {
        mpfr_log(log, &v->target->right, MPFR_RNDN);
    }
    double value = mpfr_get_d(log, MPFR_RNDN);
    return left ? tilt_find_left(t, value) : tilt_find(t, value);
}

/* Where to look next after a profile opened at *guess, in *guess; false where it is near enough, or
 * what it can tell is known, or where an earlier attempt had it near enough. */
static bool look_again(const inversion *v, double *guess, dp_status status, int round, bool known)
{
    double opened_at = *guess;
    if (known && status == DP_LIMIT)
        return false;
    bool moved = v->lost && mpfr_get_d(v->x, MPFR_RNDN) != opened_at;
    if (status == DP_LIMIT || (status == DP_OK && v->lost && !moved)) {
        *guess = opened_at * 0.5; /* too near the top for what was chosen there */
        return round < 2 && !limits_expired(v->lim);
    }
    *guess = v->lost ? mpfr_get_d(v->x, MPFR_RNDN) : effort_middle(v->proved);
    double wide =
        mpfr_get_d(&v->proved->right, MPFR_RNDU) - mpfr_get_d(&v->proved->left, MPFR_RNDD);
    bool near = fabs(*guess - opened_at) <= 0.05 * (*guess + 1e-300) || wide < 1e-3 * *guess;
    return status == DP_OK && !v->zero && (v->lost || !near);
}

/* Losses without a bound: for any c > 0, s(x) <= e^(K(c) - cx) <= s* from (K(c) - ln s*) / c on. */
static void first_end(inversion *v, const engine *e, double guess)
{
    double c = tail_short(tilt_saddle(&e->all.tilt, guess, false));
    if (!(isfinite(c) && c > 0))
        return;
    mpfi_t x, log;
    mpfi_init2(x, FIRST_BITS);
    mpfi_init2(log, FIRST_BITS);
    tail_k(x, e->product, c, v->lim);
    mpfi_set_fr(log, &v->target->left);
    mpfi_log(log, log);
    mpfi_sub(x, x, log);
    mpfi_div_d(x, x, c);
    ival_at_least_zero(x);
    if (!ival_bad(x))
        mpfr_min(&v->proved->right, &v->proved->right, &x->right, MPFR_RNDU);
    mpfi_clear(log);
    mpfi_clear(x);
}

/* Opens a profile near the best guess; again at the solution when that lies far off. */
static dp_status approach(inversion *v, const engine *e, effort *f, double *guess, lead *l)
{
    dp_status status = DP_OK;
    bool again = true;
    for (int round = 0; again && round < ROUNDS; round++) {
        profile p;
        v->lost = false;
        status = profile_open(&p, e, *guess, f->bits + 16, f->gap, f->cheap, v->lim);
        f->spared = p.spared;
        if (status == DP_OK && !effort_reaches(f, p.gap))
            status = DP_LIMIT;
        if (status == DP_OK) {
            f->exact = p.exact;
            v->p = &p;
            v->width = (mpfr_prec_t)-log2(f->gap);
            v->enough = p.bits;
            mpfr_set_d(v->x, *guess, MPFR_RNDN);
            status = bracket_epsilon(v, l, f->gap);
        }
        profile_close(&p);
        again = look_again(v, guess, status, round, f->had > 0);
    }
    return status;
}

/* One level of effort: what it proves. */
static dp_status epsilon_once(mpfi_t out, bool *zero, const engine *e, const mpq_t delta, effort *f,
                              double *guess, lead *l, const limits *lim)
{
    inversion v;
    inversion_init(&v, e, delta, f->bits + 16, lim);
    dp_status status = DP_OK;
    engine_distance(v.at, e, v.proved);
    v.zero = mpfr_lessequal_p(&v.at->right, &v.target->left);
    /* at an end of 0, s* is not yet told from 0: the precision must rise */
    if (!v.zero && limits_expired(lim)) {
        status = DP_LIMIT;
    } else if (!v.zero && mpfr_sgn(&v.target->left) > 0) {
        if (*guess < 0)
            *guess = first_guess(&v, &e->all.tilt);
        if (!e->all.bounded)
            first_end(&v, e, *guess);
        status = approach(&v, e, f, guess, l);
    }
    *zero = v.zero;
    mpfi_set_prec(out, v.work);
    mpfi_set(out, v.proved);
    inversion_clear(&v);
    return status;
}

static bool take_moments(dp_figure *out, mpfi_t next, const engine *e, const mpq_t delta,
                         size_t digits, const limits *lim)
{
    if (optimal_by_moments(next, e, delta, refine_bits(digits), lim))
        effort_tighten(out->enclosure, next);
    return refine_agrees(out, digits);
}

dp_status optimal_epsilon(dp_figure *out, const engine *e, const mpq_t delta, size_t digits,
                          const limits *lim)
{
    effort f = effort_start(digits);
    lead l;
    mpfi_t next;
    mpfi_init2(next, 64);
    lead_init(&l);
    if (far_suits(&e->all))
        effort_hasten(&f);
    double guess = -1;
    bool first = true, agrees = false, zero = false;
    dp_status status = DP_OK;
    mpfi_ptr x = figure_enclose(out, f.bits + 32);
    engine_top(x, e);
    mpfr_set_zero(&x->left, 1);
    bool narrow = optimal_is_narrow(e, false);
    if (narrow)
        agrees = take_moments(out, next, e, delta, digits, lim);
    while (!agrees) {
        status = epsilon_once(next, &zero, e, delta, &f, &guess, &l, lim);
        if (status == DP_OK && first && !zero && mpfr_zero_p(&next->left))
            zero = optimal_is_zero(e, delta);
        if (zero) {
            figure_set_ui(out, 0);
            agrees = true;
            break;
        }
        if (status != DP_OK && status != DP_LIMIT)
            break;
        effort_tighten(out->enclosure, next); /* at a limit, with the ends proved before it */
        limits_narrowed(lim, "epsilon", out->enclosure);
        agrees = refine_agrees(out, digits);
        effort_aim(&f, out->enclosure, digits);
        if (l.known)
            effort_lead(&f, lead_gap(&l, f.gap, digits));
        first = first && status != DP_OK;
        if (!agrees && !effort_raise(&f, status, refine_bits(digits) + EFFORT_EXTRA_BITS, lim))
            break;
    }
    if (!agrees && status != DP_MEMORY && !narrow && optimal_is_narrow(e, true) &&
        take_moments(out, next, e, delta, digits, lim)) {
        agrees = true;
        status = DP_OK;
    }
    lead_clear(&l);
    mpfi_clear(next);
    return effort_finished(status, agrees);
}
