/* SPDX-License-Identifier: MIT */
/* Plans of trials with a coin, or of one run, for an attack of known accuracy: one number of trials
 * after another, by tails in doubles that know what they are off, and by enclosures where that does
 * not tell. */
#include "attack/audit_course.h"

#include <math.h>

#include "attack/binomial_guess.h"
#include "num/binary64.h"
#include "num/ival.h"
#include "num/number.h"

#define PLAN_BITS 64

bool course_refutes(const audit_in *in, unsigned long hits, unsigned long n)
{
    audit_in own = *in;
    dp_decision is = DP_UNKNOWN;
    own.hits = hits;
    own.members = own.canaries = n;
    for (int exact = 0; exact < 2 && is == DP_UNKNOWN; exact++) { /* a tie is one of rationals */
        dp_figure p;
        wanted want = {PLAN_BITS, exact == 1};
        dp_figure_init(&p);
        (in->of->one_run ? audit_run_p : audit_coin_p)(&p, &own, &want);
        is = dp_figure_le(&p, in->alpha);
        dp_figure_clear(&p);
    }
    return is == DP_YES;
}

/* Is Pr[Bin(n, accuracy) >= hits] proved to be at least the power? */
static bool reaches(const audit_in *in, unsigned long hits, unsigned long n)
{
    mpq_srcptr accuracy = number_rational(in->of->accuracy);
    mpq_srcptr power = number_rational(in->of->power);
    share a, tail;
    mpq_t exact;
    mpq_init(exact);
    share_init(&a, binomial_bits(PLAN_BITS, n));
    share_init(&tail, PLAN_BITS);
    share_set_q(&a, accuracy);
    binomial_tail(&tail, NULL, hits, n, &a);
    bool is = mpfr_cmp_q(&tail.yes->left, power) >= 0;
    if (!is && mpfr_cmp_q(&tail.yes->right, power) >= 0)
        is = binomial_tail_q(exact, hits, n, accuracy) && mpq_cmp(exact, power) >= 0;
    share_clear(&tail);
    share_clear(&a);
    mpq_clear(exact);
    return is;
}

static between between_of(const mpq_t x)
{
    mpfi_t y;
    mpfi_init2(y, 53);
    mpfi_set_q(y, x);
    between b = {mpfr_get_d(&y->left, MPFR_RNDD), mpfr_get_d(&y->right, MPFR_RNDU)};
    mpfi_clear(y);
    return b;
}

course course_from(const audit_in *in, const share *claim, const share *attack)
{
    mpq_srcptr power = number_rational(in->of->power);
    bool lower = mpq_cmp_ui(power, 1, 2) > 0;
    mpq_t asked;
    mpq_init(asked);
    mpq_set(asked, power);
    if (lower) {
        mpq_set_ui(asked, 1, 1);
        mpq_sub(asked, asked, power);
    }
    course c = {.in = in,
                .claim = walk_from(claim, false),
                .attack = walk_from(attack, lower),
                .alpha = between_of(in->alpha),
                .delta = between_of(in->delta),
                .asked = between_of(asked),
                .leaks = in->of->one_run && mpq_sgn(in->delta) > 0,
                .sound = binary64_is_sound()};
    mpq_clear(asked);
    return c;
}

#define OFF 0x1p-48 /* more than a few roundings */
#define NOTHING 0x1p-500

/* A side between two doubles, and what its quotient by the mass is; what is scaled is nothing. */
static between side_of(const walk *w, between *ratio)
{
    double least = walk_below(w).x, most = walk_above(w).x;
    *ratio = (between){least / w->mass * (1 - w->doubt - OFF),
                       most / w->mass * (1 + 1.01 * w->doubt + OFF)};
    return w->scale == 0 ? (between){least, most} : (between){0, NOTHING};
}

/* Is the claim refuted where its walk stands? Of one run by beta + delta n beta (1-beta)/(v mass).
 */
static bool stands_refuted(const course *c)
{
    const walk *w = &c->claim;
    if (c->sound && w->v > 0 && !walk_is_lost(w)) {
        between ratio, level = side_of(w, &ratio);
        if (c->leaks) {
            double times = (double)w->r / (double)w->v;
            level = (between){
                level.low + times * c->delta.low * ratio.low * (1 - level.high) * (1 - OFF),
                level.high + times * c->delta.high * ratio.high * (1 - level.low) * (1 + OFF)};
        }
        if (level.high * (1 + OFF) <= c->alpha.low)
            return true;
        if (level.low * (1 - OFF) > c->alpha.high)
            return false;
    }
    return course_refutes(c->in, w->v, w->r);
}

/* Is the power there proved to be at least that asked? */
static bool stands_strong(const course *c)
{
    const walk *w = &c->attack;
    if (c->sound && !walk_is_lost(w)) {
        between ratio, side = side_of(w, &ratio);
        if (side.high < c->asked.low)
            return w->lower;
        if (side.low > c->asked.high)
            return !w->lower;
    }
    return reaches(c->in, w->v, w->r);
}

/* The least number that refutes rises by 0 or 1. */
bool course_step(course *c)
{
    bool stay = c->refuted && c->claim.v > 0;
    walk before = c->claim;
    if (stay) {
        walk_step(&c->claim, true);
        stay = stands_refuted(c);
    }
    if (!stay) {
        c->claim = before;
        walk_step(&c->claim, false);
    }
    walk_step(&c->attack, stay);
    c->refuted = c->refuted || stands_refuted(c);
    return c->refuted && stands_strong(c);
}
