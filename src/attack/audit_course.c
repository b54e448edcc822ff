/* SPDX-License-Identifier: MIT */
/* Plans of trials with a coin, or of one run, for an attack of known accuracy: one number of trials
 * after another, by tails in doubles that know what they are off, and by enclosures where that does
 * not tell. */
#include "attack/audit.h"

#include <math.h>

#include "attack/audit_walk.h"
#include "attack/binomial_guess.h"
#include "num/binary64.h"
#include "num/ival.h"
#include "num/number.h"

#define PLAN_BITS 64

/* Is the claim refuted by so many right of n? */
static bool refutes(const audit_in *in, unsigned long hits, unsigned long n)
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

/* A number between two doubles. */
typedef struct between {
    double low, high;
} between;

static between between_of(const mpq_t x)
{
    mpfi_t y;
    mpfi_init2(y, 53);
    mpfi_set_q(y, x);
    between b = {mpfr_get_d(&y->left, MPFR_RNDD), mpfr_get_d(&y->right, MPFR_RNDU)};
    mpfi_clear(y);
    return b;
}

/* The least number that refutes of n, or n where none does, and how often it is reached. */
typedef struct course {
    const audit_in *in;
    walk claim, attack; /* the attack by the lesser side of its power */
    between alpha, delta, asked;
    bool leaks, refuted, sound;
} course;

/* odds = what is right with the probability (E + delta)/(E + 1) of a coin, E/(E + 1) of one run */
static void claim_odds(share *odds, const audit_in *in)
{
    mpfi_t e;
    mpfi_init2(e, PLAN_BITS + 64);
    ival_set_number(e, in->claim);
    share_logistic(odds, e);
    if (!in->of->one_run) {
        mpfi_mul_q(e, odds->no, in->delta);
        mpfi_add(odds->yes, odds->yes, e);
        mpfi_sub(odds->no, odds->no, e);
    }
    mpfi_clear(e);
}

static course course_from(const audit_in *in, const share *claim, const share *attack)
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
    return refutes(c->in, w->v, w->r);
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

/* One trial more: the least number that refutes rises by 0 or 1. Is the power then proved to be at
 * least that asked? */
static bool is_strong(course *c)
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

/* Does the power seem too little for all numbers that are tried? It grows, but where a delta is
 * spent on each canary. */
static bool seems_vain(const audit_in *in, const share *claim, const share *attack)
{
    if (in->of->one_run && mpq_sgn(in->delta) > 0)
        return false;
    mpfi_t x;
    mpfi_init2(x, PLAN_BITS);
    share_logit(x, claim);
    double at = mpfi_get_d(x), n = COURSE_MOST, low = 0, high = n;
    share_logit(x, attack);
    double log_alpha = ival_guess_log(in->alpha), attacks = mpfi_get_d(x);
    mpfi_clear(x);
    while (low + 1 < high) {
        double middle = floor((low + high) / 2);
        *(guess_log_tail(middle, n, at, NULL) <= log_alpha ? &high : &low) = middle;
    }
    return guess_log_tail(high, n, attacks, NULL) <
           ival_guess_log(number_rational(in->of->power)) - 1e-6;
}

dp_status audit_course_least(mpz_t n, const audit_in *in, const dp_options *opt)
{
    limits lim;
    share claim, attack;
    limits_start(&lim, opt);
    share_init(&claim, PLAN_BITS + 32);
    share_init(&attack, PLAN_BITS + 32);
    claim_odds(&claim, in);
    share_set_q(&attack, number_rational(in->of->accuracy));
    course c = course_from(in, &claim, &attack);
    dp_status status = DP_UNAVAILABLE;
    unsigned long since = 0, most = seems_vain(in, &claim, &attack) ? 0 : COURSE_MOST;
    for (unsigned long k = 1; status == DP_UNAVAILABLE && (since > 0 || k <= most); k++) {
        if (!is_strong(&c))
            since = 0;
        else if (since == 0)
            since = k;
        if (since > 0 && k >= 2 * since)
            status = DP_OK;
        else if (k % 16 == 0 && limits_expired(&lim))
            status = DP_LIMIT;
    }
    mpz_set_ui(n, since);
    share_clear(&attack);
    share_clear(&claim);
    return status;
}
