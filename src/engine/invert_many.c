/* SPDX-License-Identifier: MIT */
/* Both ends of epsilon by two moments. Of very many uses these are as near as the digits that are
 * asked, for the sum of the losses is about its mean; and no sum over nodes reaches them. */
#include <math.h>

#include "engine/inversion.h"
#include "engine/tail.h"
#include "num/ival.h"

#define MOST_FACTORS 1e5
#define FIRST_STEP 2
#define LONG_STEP 16 /* where nothing tells where to begin */
#define MOST_TRIALS 60

typedef struct search {
    const engine *e;
    const limits *lim;
    bool upper;
    mpfi_t log; /* ln s*, or ln(1 - sqrt(s*)) of the lower end */
    mpfi_t at, k;
    mpfr_prec_t work;
    mpfr_t best;
    size_t trials;
} search;

/* The end that the moment at 2^-j gives, in s->k. With c = 2^-j, s(x) <= e^(K(c) - cx) <= s* from x
 * = (K(c) - ln s*) / c on. And P[L <= y] <= e^(K(-c) + cy), so with t = -ln(1 - sqrt(s*)), y =
 * (-K(-c) - t) / c and x = y - t, s(x) >= (1 - e^-t) P[L > y] >= (1 - e^-t)^2 = s*. */
static void end_at(search *s, long j)
{
    mpfi_set_si(s->at, s->upper ? 1 : -1);
    mpfi_div_2si(s->at, s->at, j);
    mpfi_set_prec(s->k, s->work + j); /* K is about as small as c */
    tail_k_at(s->k, s->e->product, s->at, s->lim);
    if (s->upper) {
        mpfi_sub(s->k, s->k, s->log);
    } else {
        mpfi_neg(s->k, s->k);
        mpfi_add(s->k, s->k, s->log);
    }
    mpfi_mul_2si(s->k, s->k, j);
    if (!s->upper)
        mpfi_add(s->k, s->k, s->log);
}

/* Is it the best so far? */
static bool try_at(search *s, long j)
{
    if (j < 1 || s->trials == 0 || limits_expired(s->lim))
        return false;
    s->trials--;
    end_at(s, j);
    mpfr_srcptr end = s->upper ? &s->k->right : &s->k->left;
    bool better =
        !ival_bad(s->k) && (s->upper ? mpfr_less_p(end, s->best) : mpfr_greater_p(end, s->best));
    if (better)
        mpfr_set(s->best, end, s->upper ? MPFR_RNDU : MPFR_RNDD);
    return better;
}

/* The ends have one valley in ln c. */
static void find_best(search *s, long j)
{
    try_at(s, j);
    for (long step = isfinite(s->e->all.tilt.deviation) ? FIRST_STEP : LONG_STEP; step >= 1;) {
        if (try_at(s, j + step))
            j += step;
        else if (try_at(s, j - step))
            j -= step;
        else
            step /= 2;
    }
}

/* About -log2 of the c that is best, one over the deviation, or one that does as well. */
static long first_order(const tilt *t, long most)
{
    double order = log2(t->deviation);
    return order < 1 ? 1 : order < (double)most ? (long)order : most;
}

#define NARROW 1e-8
#define NEARLY 0.1
bool optimal_is_narrow(const engine *e, bool nearly)
{
    const tilt *t = &e->all.tilt; /* of the largest counts both are infinite */
    return !(t->deviation > (nearly ? NEARLY : NARROW) * t->mean) && e->all.factors <= MOST_FACTORS;
}

bool optimal_by_moments(mpfi_t out, const engine *e, const mpq_t delta, mpfr_prec_t bits,
                        const limits *lim)
{
    mpfr_prec_t work = bits + 64;
    mpfi_t target;
    search s = {.e = e, .lim = lim, .work = work};
    mpfi_init2(target, work);
    mpfi_ptr all[] = {s.log, s.at, s.k};
    for (size_t i = 0; i < 3; i++)
        mpfi_init2(all[i], work);
    mpfr_init2(s.best, work);
    optimal_target(target, e->product, delta);
    bool known = mpfr_sgn(&target->left) > 0 && mpfr_cmp_ui(&target->right, 1) < 0;
    mpfi_set_prec(out, work);
    for (int upper = 0; known && upper < 2; upper++) {
        s.upper = upper == 1;
        s.trials = MOST_TRIALS;
        if (s.upper) {
            mpfi_log(s.log, target);
        } else {
            mpfi_sqrt(s.log, target);
            mpfi_ui_sub(s.log, 1, s.log);
            mpfi_log(s.log, s.log);
        }
        mpfr_set_inf(s.best, s.upper ? 1 : -1);
        find_best(&s, first_order(&e->all.tilt, work));
        if (s.upper)
            mpfr_set(&out->right, s.best, MPFR_RNDU);
        else
            mpfr_set(&out->left, s.best, MPFR_RNDD);
    }
    ival_at_least_zero(out);
    for (size_t i = 0; i < 3; i++)
        mpfi_clear(all[i]);
    mpfr_clear(s.best);
    mpfi_clear(target);
    return known;
}
