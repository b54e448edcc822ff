/* SPDX-License-Identifier: MIT */
/* Plans of many trials: between which numbers the least one is. */
#include <math.h>

#include "attack/audit_many.h"
#include "attack/audit_power.h"
#include "num/memory.h"
#include "num/number.h"

#define COARSE 0.1
#define FINE 0.025
#define STEPS 12
#define NEAR 5e-4   /* as much of the root is near enough; */
#define BEYOND 2e-4 /* the next number is beyond what seems to be the one by this */
#define USUAL 2.4   /* standard deviations from no power to a half, about */

/* About the number of trials with which counts as expected just refute; 0: more than are planned.
 */
static double center(many *m)
{
    double low = 0, high = log((double)BINOMIAL_MOST), x;
    m->last = -1;
    for (int i = 0; i < 30; i++) {
        double at = i == 0 ? high : (low + high) / 2;
        many_set(m, exp(at));
        double a = m->none[0] ? 0 : m->missed.high + 1 / m->n;
        bool is =
            a < 1 && many_boundary(m, a, 1, &x) >= m->alarmed.high + (m->none[1] ? 0 : 1 / m->n);
        if (i == 0 && !is)
            return 0;
        *(is ? &high : &low) = at;
    }
    return exp(high);
}

/* One side of the search: of numbers that are enough, or too few. */
typedef struct side {
    many *m;
    const power *p;
    double lack[2]; /* 1 - the power asked, from below and above */
    bool enough;
    double from; /* where half of the trials refute, about */
    double fine;
} side;

static bool is_proved(const side *s, double n, double *z)
{
    double lack = s->enough ? many_lack_most(s->m, n, s->fine) : many_lack_least(s->m, n, s->fine);
    *z = normal_guess(&s->m->law, log(fmin(fmax(lack, 1e-300), 1 - 1e-9)));
    return s->enough ? lack <= s->lack[0] : lack > s->lack[1];
}

/* Where the search for it begins. */
static double begin(const side *s)
{
    double asked = normal_guess(&s->m->law, log(s->lack[0]));
    double root = sqrt(s->from) * (1 + asked / USUAL);
    return s->enough && asked < 0 ? s->from : root * root;
}

/* The number nearest to the other side that was proved, 0: none. What is normal of the power grows
 * about as sqrt(n) does. */
static double nearest(const side *s)
{
    double asked = normal_guess(&s->m->law, log(s->lack[0])), z;
    double slope = USUAL / sqrt(s->from), proved = 0, open = 0, at = sqrt(begin(s));
    for (int i = 0; i < STEPS && !power_is_late(s->p); i++) {
        double n = s->enough ? ceil(at * at) : floor(at * at);
        n = fmin(fmax(n, 2), (double)BINOMIAL_MOST);
        if (n == proved || n == open)
            break;
        bool is = is_proved(s, n, &z);
        *(is ? &proved : &open) = n;
        double by = fabs(z) < 20 ? (asked - z) / slope : asked > z ? 0.1 * at : -0.1 * at;
        if ((is && fabs(by) < NEAR * at) || (!is && n >= (double)BINOMIAL_MOST))
            break;
        by += (s->enough ? BEYOND : -BEYOND) * at;
        at = sqrt(n) + fmin(fmax(by, -0.3 * at), 0.3 * at);
        double low = sqrt(fmin(proved, open)), high = sqrt(fmax(proved, open));
        if (proved > 0 && open > 0 && !(at > low && at < high))
            at = (low + high) / 2;
    }
    return proved;
}

#define EXACTLY 2000 /* trials whose power is summed */

/* Is each N up to n followed, up to 2N, by a number that is too few? n, n/2, n/4, ... are. */
static bool is_chain(const side *s, power *p, double n)
{
    side own = *s;
    for (double k = floor((n - 1) / 2), z; k > 1; k = floor((k - 1) / 2)) {
        if (power_is_late(s->p))
            return false;
        own.fine = 4 * COARSE; /* most lack far more */
        bool is = is_proved(&own, k, &z);
        own.fine = COARSE;
        if (!is && !is_proved(&own, k, &z) &&
            !(k <= EXACTLY && power_is_strong(p, (unsigned long)k, (unsigned long)k, 0) == DP_NO))
            return false;
    }
    return true;
}

static void bound_sides(many_bounds *b, side *s, power *p)
{
    s->enough = true;
    b->enough = (unsigned long)nearest(s);
    s->enough = false;
    double few = b->enough > 0 ? nearest(s) : 0;
    b->few = few > 0 && is_chain(s, p, few) ? (unsigned long)few : 0;
}

#define WIDE 1.04      /* apart are bounds that are not yet near; */
#define VERY_WIDE 1.25 /* or from which the least number is hard to find, ... */
#define FEW_WIDE 1.6   /* ... which is found soon: */
#define FEW_TRIALS 2000
#define FEW_COUNTS 20
#define HALVES 9
#define ASKED_MOST 150
#define FIRST_PART 0.004 /* of a number, the range above it that is proved at once */
#define LEAST_PART 5e-4

/* The first number from *n on that has the power up to twice as many, or to `top`. */
static bool climb(double *n, const side *s, double top)
{
    double at = *n, part = FIRST_PART, end = fmin(2 * at, top);
    for (int i = 0; at <= end; i++) {
        double high = fmin(floor(at * (1 + part)), end);
        if (i == ASKED_MOST || power_is_late(s->p))
            return false;
        if (rare_lack_most(s->m, at, high) <= s->lack[0]) {
            at = high + 1;
            part *= 1.5;
        } else if (part > LEAST_PART) {
            part /= 2;
        } else {
            *n = at = floor(at * (1 + LEAST_PART)) + 1;
            end = fmin(2 * at, top);
        }
    }
    return true;
}

/* Nearer bounds where misses, or false positives, are few: of the rarer of them each count. */
static void bound_rare(many_bounds *b, side *s)
{
    double few = (double)b->few, enough = (double)b->enough, low = few, high = enough;
    for (int i = 0; i < HALVES && !power_is_late(s->p); i++) {
        double n = floor((low + high) / 2);
        bool is = rare_lack_most(s->m, n, floor(n * (1 + FIRST_PART))) <= s->lack[0];
        *(is ? &high : &low) = n;
    }
    if (high < enough && climb(&high, s, enough - 1) && high < enough)
        b->enough = (unsigned long)high;
    high = (double)b->enough;
    for (int i = 0; i < HALVES && !power_is_late(s->p); i++) {
        double n = fmin(floor((few + high) / 2), 2 * few + 1);
        *(rare_lack_least(s->m, n) > s->lack[1] ? &few : &high) = n;
    }
    b->few = (unsigned long)few;
}

bool many_bound(many_bounds *b, const audit_in *in, power *p, double least)
{
    many *m = memory_new(1, sizeof *m);
    *b = (many_bounds){0, 0};
    if (m == NULL)
        return false;
    if (many_init(m, in, false)) {
        side s = {.m = m, .p = p, .from = center(m), .fine = FINE};
        mpfi_t lack;
        mpfi_init2(lack, 64);
        mpfi_set_ui(lack, 1);
        mpfi_sub_q(lack, lack, number_rational(in->of->power));
        s.lack[0] = mpfr_get_d(&lack->left, MPFR_RNDD);
        s.lack[1] = mpfr_get_d(&lack->right, MPFR_RNDU);
        mpfi_clear(lack);
        s.fine =
            fmin(fmax(2 / sqrt(fmax(s.from, 1)), FINE), COARSE); /* whole counts are that wide */
        if (s.from > 0 && begin(&s) >= least)
            bound_sides(b, &s, p);
        bool turned = !m->none[1] && (m->none[0] || m->alarmed.high < m->missed.high);
        double wide = b->enough > PLAN_MOST ? WIDE : b->enough > FEW_TRIALS ? VERY_WIDE : FEW_WIDE;
        if (b->few > 0 && (double)b->enough > wide * (double)b->few && many_init(m, in, turned) &&
            rare_fits(m, 2 * (double)b->enough) &&
            (b->enough > FEW_TRIALS || (double)b->enough * m->missed.high < FEW_COUNTS))
            bound_rare(b, &s);
    }
    memory_free(m);
    return true;
}
