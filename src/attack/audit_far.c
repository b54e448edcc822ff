/* SPDX-License-Identifier: MIT */
/* Plans of many trials with a coin, or of one run: what is near the least number is walked, what is
 * below or beyond it is proved at once. */
#include <math.h>

#include "attack/audit_course.h"
#include "attack/binomial_guess.h"
#include "attack/quantile.h"
#include "attack/randomised.h"
#include "attack/root.h"
#include "num/ival.h"
#include "num/number.h"

/* The attack is right more often than the claim allows. Let P_n(L) be how often it is caught by the
 * randomised rule of n trials that rejects from v right ones on, and v - 1 with a probability such
 * that the claim is rejected wrongly with probability L. By Neyman and Pearson's lemma it is the
 * largest of all rules of that level, or less; a rule of n trials is one of more, which leaves out
 * the others: P_n(L) grows with n. The power of n is P_n of its own level, which is at most alpha,
 * so that it is at most P_s(alpha) for all n <= s; and at least P_e(L) for all n >= e where their
 * levels are at least L. */

bool course_grows(const audit_in *in, const share *claim, const share *attack)
{
    return (!in->of->one_run || mpq_sgn(in->delta) == 0) &&
           mpfr_greater_p(&attack->yes->left, &claim->yes->right) != 0;
}

/* ---- guesses ---- */

typedef struct guessing {
    double claim, attack; /* logits */
    double log_alpha, log_asked, n;
    bool lower; /* asked of what is missed */
} guessing;

static double level_above(const void *of, double v)
{
    const guessing *g = of;
    return g->log_alpha - guess_log_tail(v, g->n, g->claim, NULL);
}

/* Grows with ln n. */
static double power_above(const void *of, double log_n)
{
    guessing g = *(const guessing *)of;
    g.n = exp(log_n);
    double mean = g.n / (1 + exp(-g.claim));
    if (!(level_above(&g, g.n) > 0))
        return -1;
    double v = root_guess(level_above, &g, mean / 2, g.n);
    return g.lower ? g.log_asked - guess_log_tail(g.n - v + 1, g.n, -g.attack, NULL)
                   : guess_log_tail(v, g.n, g.attack, NULL) - g.log_asked;
}

double course_guess(const audit_in *in, const share *claim, const share *attack)
{
    mpq_srcptr power = number_rational(in->of->power);
    mpq_t asked;
    mpq_init(asked);
    mpq_set(asked, power);
    bool lower = mpq_cmp_ui(power, 1, 2) > 0;
    if (lower) {
        mpq_set_ui(asked, 1, 1);
        mpq_sub(asked, asked, power);
    }
    guessing g = {.claim = guess_logit(claim),
                  .attack = guess_logit(attack),
                  .log_alpha = ival_guess_log(in->alpha),
                  .log_asked = ival_guess_log(asked),
                  .lower = lower};
    mpq_clear(asked);
    double most = log(1.01 * (double)BINOMIAL_MOST);
    if (!(power_above(&g, most) > 0))
        return 2.0 * (double)BINOMIAL_MOST;
    return exp(root_guess(power_above, &g, 0, most));
}

/* ---- proofs ---- */

#define BITS 96

/* out = P_n(level) where v is right for it: false where that is not proved. */
static bool power_of(mpfi_t out, unsigned long n, unsigned long v, const mpfi_t level,
                     const share *claim, const share *attack)
{
    mpfi_t spare;
    mpfi_init2(spare, BITS);
    randomised_spare(spare, n, v, level, claim);
    bool right = mpfr_sgn(&spare->left) >= 0 && mpfr_cmp_ui(&spare->right, 1) <= 0;
    randomised_tail(out, n, v, spare, attack);
    mpfi_clear(spare);
    return right;
}

/* The least v that refutes of n, at most n; 0 where none does. */
static unsigned long threshold(const audit_in *in, unsigned long n, const share *claim)
{
    double at = guess_logit(claim), log_alpha = ival_guess_log(in->alpha);
    unsigned long low = 0, high = n;
    while (high - low > 1) {
        unsigned long v = low + (high - low) / 2;
        *(guess_log_tail((double)v, (double)n, at, NULL) <= log_alpha ? &high : &low) = v;
    }
    while (high <= n && !course_refutes(in, high, n))
        high++;
    while (high > 1 && high <= n && course_refutes(in, high - 1, n))
        high--;
    return high <= n ? high : 0;
}

bool course_is_weak_up_to(unsigned long n, const course *c, const share *claim, const share *attack)
{
    unsigned long v = threshold(c->in, n, claim);
    mpfi_t level, power;
    mpfi_init2(level, BITS);
    mpfi_init2(power, BITS);
    mpfi_set_q(level, c->in->alpha);
    bool weak = v > 0 && power_of(power, n, v, level, claim, attack) &&
                mpfr_cmp_q(&power->right, number_rational(c->in->of->power)) < 0;
    mpfi_clear(power);
    mpfi_clear(level);
    return weak;
}

/* level = less than that of every number from n on, of which v is the least that refutes. A level
 * is above alpha less the mass of v - 1. With Phi(-z) = alpha <= 1/2 Zubkov and Serov's bound has
 * v(k) where k D(v/k) >= z^2/2, and less than 2 above that curve, whose quotient by k falls: so the
 * quotient v(k)/k is at most y = (v+2)/n from there on, and by Stirling's formula the mass of v(k)
 * is at most phi(z) (k/(v d))^(1/2), d = k - v(k). That of v(k) - 1 is v/((d+1) E) as much, E the
 * odds; in all phi(z)/E (y/(n (1-y)^3))^(1/2) or less. */
static bool level_from(mpfi_t level, const audit_in *in, unsigned long n, unsigned long v,
                       const share *claim)
{
    share alpha;
    mpfi_t mass, y;
    share_init(&alpha, BITS);
    mpfi_init2(mass, BITS);
    mpfi_init2(y, BITS);
    share_set_q(&alpha, in->alpha);
    bool known = v + 2 < n && upper_quantile(mass, &alpha) && mpfr_sgn(&mass->left) > 0;
    mpfi_sqr(mass, mass);
    mpfi_div_2ui(mass, mass, 1);
    mpfi_neg(mass, mass);
    mpfi_exp(mass, mass); /* (2 pi)^(1/2) phi, in place of which 5/2 is less */
    mpfi_mul_2ui(mass, mass, 1);
    mpfi_div_ui(mass, mass, 5);
    mpfi_mul(mass, mass, claim->no);
    mpfi_div(mass, mass, claim->yes);
    mpfi_set_ui(y, v + 2);
    mpfi_div_ui(y, y, n - v - 2);
    mpfi_sqrt(y, y);
    mpfi_mul(mass, mass, y);
    mpfi_set_ui(y, n);
    mpfi_div_ui(y, y, n - v - 2); /* (y/(n (1-y)^3)) = ((v+2)/(n-v-2)) (n/(n-v-2))^2 / n */
    mpfi_mul(mass, mass, y);
    mpfi_set_ui(y, n);
    mpfi_sqrt(y, y);
    mpfi_div(mass, mass, y);
    mpfi_sub(level, alpha.yes, mass);
    mpfr_set(&level->right, &level->left, MPFR_RNDU);
    mpfi_clear(y);
    mpfi_clear(mass);
    share_clear(&alpha);
    return known && mpfr_sgn(&level->left) > 0;
}

#define NEXT 4

bool course_is_strong_on(const course *c, const share *claim, const share *attack)
{
    unsigned long n = c->claim.r, v = c->claim.v;
    mpfi_t level, power;
    mpfi_init2(level, BITS);
    mpfi_init2(power, BITS);
    bool strong = false;
    if (c->refuted && level_from(level, c->in, n, v, claim))
        for (unsigned long k = v; k < v + NEXT && k <= n && !strong; k++)
            strong = power_of(power, n, k, level, claim, attack) &&
                     mpfr_cmp_q(&power->left, number_rational(c->in->of->power)) >= 0;
    mpfi_clear(power);
    mpfi_clear(level);
    return strong;
}

/* ---- the walk between them ---- */

#define FEW 2000 /* trials: walked from the first on */
#define GUESSED 1e-9

/* *s = a number near the guess up to which none has the power. */
static bool find_weak(unsigned long *s, double guess, const course *c, const share *claim,
                      const share *attack)
{
    double by = guess * GUESSED + 2;
    for (; by < guess / 2; by *= 4) {
        *s = (unsigned long)(guess - by);
        if (*s <= BINOMIAL_MOST && course_is_weak_up_to(*s, c, claim, attack))
            return true;
    }
    return false;
}

static void start_at(course *c, unsigned long n, const share *claim, const share *attack)
{
    unsigned long v = threshold(c->in, n, claim);
    bool lower = c->attack.lower;
    c->claim = walk_from_there(claim, false, n, v);
    c->attack = walk_from_there(attack, lower, n, v);
    c->refuted = true;
}

/* Steps until what is beyond is proved, which is asked for after about as many as are weak. */
static dp_status walk_far(mpz_t n, course *c, const share *claim, const share *attack,
                          const limits *lim)
{
    unsigned long start = c->claim.r, weak = start, next = start;
    double apart = mpfi_get_d(attack->yes) - mpfi_get_d(claim->yes);
    next += 64 + (unsigned long)fmin(3 / apart, (double)start);
    for (unsigned long k = start + 1;; k++) {
        if (!course_step(c))
            weak = k;
        if (k >= 2 * (weak + 1))
            break;
        if (k % 1024 == 0 && limits_expired(lim))
            return DP_LIMIT;
        if (k < next)
            continue;
        if (weak < k && course_is_strong_on(c, claim, attack))
            break;
        next = k + (k - start) / 2;
    }
    mpz_set_ui(n, weak + 1);
    return DP_OK;
}

dp_status course_far(mpz_t n, course *c, const share *claim, const share *attack, const limits *lim)
{
    if (!course_grows(c->in, claim, attack))
        return DP_UNDECIDED;
    double guess = course_guess(c->in, claim, attack);
    if (guess < FEW)
        return DP_UNDECIDED;
    if (guess > (double)BINOMIAL_MOST && course_is_weak_up_to(BINOMIAL_MOST, c, claim, attack))
        return DP_UNAVAILABLE;
    unsigned long start;
    if (!find_weak(&start, guess, c, claim, attack))
        return DP_UNDECIDED;
    start_at(c, start, claim, attack);
    return walk_far(n, c, claim, attack, lim);
}

/* ---- all of it ---- */

#define RATE_BITS 192

/* Are there as many as that, in doubles, with the power, where it grows with their number? */
static bool seems_vain(const course *c, const share *claim, const share *attack)
{
    return course_grows(c->in, claim, attack) && course_guess(c->in, claim, attack) > COURSE_MOST;
}

/* One after another, from 1 on. */
static dp_status walk_on(mpz_t n, course *c, unsigned long most, const limits *lim)
{
    dp_status status = DP_UNAVAILABLE;
    unsigned long since = 0;
    for (unsigned long k = 1; status == DP_UNAVAILABLE && (since > 0 || k <= most); k++) {
        if (!course_step(c))
            since = 0;
        else if (since == 0)
            since = k;
        if (since > 0 && k >= 2 * since)
            status = DP_OK;
        else if (k % 16 == 0 && limits_expired(lim))
            status = DP_LIMIT;
    }
    mpz_set_ui(n, since);
    return status;
}

dp_status audit_course_least(mpz_t n, const audit_in *in, const dp_options *opt)
{
    limits lim;
    share claim, attack;
    limits_start(&lim, opt);
    share_init(&claim, RATE_BITS);
    share_init(&attack, RATE_BITS);
    audit_claim_share(&claim, in);
    if (!in->of->one_run)
        audit_leak(&claim, in->delta);
    share_set_q(&attack, number_rational(in->of->accuracy));
    course c = course_from(in, &claim, &attack);
    dp_status status = course_far(n, &c, &claim, &attack, &lim);
    if (status == DP_UNDECIDED) {
        c = course_from(in, &claim, &attack);
        status = walk_on(n, &c, seems_vain(&c, &claim, &attack) ? 0 : COURSE_MOST, &lim);
    }
    share_clear(&attack);
    share_clear(&claim);
    return status;
}
