/* SPDX-License-Identifier: MIT */
/* What was right of so many guesses: independent trials with a coin each, or the canaries of one
 * run. */
#include "attack/audit.h"

#include <math.h>

#include "attack/binomial_guess.h"
#include "attack/root.h"
#include "num/ival.h"
#include "num/number.h"

/* ---- coin: each guess is right with probability at most (E + delta)/(E + 1) ---- */

void audit_leak(share *odds, const mpq_t delta)
{
    mpfi_t more;
    mpfi_init2(more, mpfi_get_prec(odds->yes));
    mpfi_mul_q(more, odds->no, delta);
    mpfi_add(odds->yes, odds->yes, more);
    mpfi_sub(odds->no, odds->no, more);
    ival_at_least_zero(odds->no);
    mpfi_clear(more);
}

/* The odds of the claim, rho E to 1 - rho, as a share. */
void audit_claim_share(share *odds, const audit_in *in)
{
    mpfi_t e;
    mpq_t ratio;
    mpq_init(ratio);
    mpfi_init2(e, mpfi_get_prec(odds->yes) + 64);
    ival_set_number(e, in->claim);
    share_logistic(odds, e);
    if (mpq_cmp_ui(in->inclusion, 1, 2) != 0) {
        mpz_sub(mpq_numref(ratio), mpq_denref(in->inclusion), mpq_numref(in->inclusion));
        mpz_set(mpq_denref(ratio), mpq_numref(in->inclusion));
        mpq_canonicalize(ratio);
        mpq_inv(ratio, ratio);
        mpfi_t x;
        mpfi_init2(x, mpfi_get_prec(e));
        ival_log_q(x, ratio);
        mpfi_add(e, e, x);
        share_logistic(odds, e);
        mpfi_clear(x);
    }
    mpfi_clear(e);
    mpq_clear(ratio);
}

bool audit_claim_odds_q(mpq_t odds, const dp_number *claim)
{
    if (dp_number_sgn(claim) == 0)
        mpq_set_ui(odds, 1, 1);
    else if (number_odds(claim) != NULL)
        mpq_set(odds, number_odds(claim));
    else
        return false;
    return true;
}

/* p = (R + delta)/(R + 1) for rational R */
static void coin_share_q(mpq_t p, const mpq_t odds, const mpq_t delta)
{
    mpq_t one;
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    mpq_add(one, one, odds);
    mpq_add(p, odds, delta);
    mpq_div(p, p, one);
    mpq_clear(one);
}

dp_status audit_coin_p(dp_figure *out, const void *in, const wanted *want)
{
    const audit_in *a = in;
    mpq_t odds, p;
    mpq_inits(odds, p, NULL);
    bool exact = want->rational && audit_claim_odds_q(odds, a->claim);
    if (exact) {
        coin_share_q(p, odds, a->delta);
        exact = binomial_tail_q(out[0].rational, a->hits, a->members, p);
    }
    if (exact) {
        out[0].kind = DP_RATIONAL;
    } else {
        share at, tail;
        share_init(&at, binomial_bits(want->bits, a->members));
        share_init(&tail, want->bits);
        audit_claim_share(&at, a);
        audit_leak(&at, a->delta);
        binomial_tail(&tail, NULL, a->hits, a->members, &at);
        mpfi_set(figure_enclose(&out[0], want->bits), tail.yes);
        share_clear(&tail);
        share_clear(&at);
    }
    mpq_clears(odds, p, NULL);
    return DP_OK;
}

/* low(W, n, alpha) */
dp_status audit_accuracy(dp_figure *out, const void *in, const wanted *want)
{
    const audit_in *a = in;
    if (want->rational && binomial_low_q(out[0].rational, a->hits, a->members, a->alpha)) {
        out[0].kind = DP_RATIONAL;
        return DP_OK;
    }
    share z;
    share_init(&z, want->bits);
    audit_limit(&z, a, AUDIT_RATE_RIGHT);
    mpfi_set(figure_enclose(&out[0], want->bits), z.yes);
    share_clear(&z);
    return DP_OK;
}

/* ln((z - delta)/(1 - z)) */
static void coin_epsilon(mpfi_t out, const audit_in *in)
{
    share z;
    mpfr_prec_t bits = mpfi_get_prec(out);
    share_init(&z, bits + 32);
    audit_limit(&z, in, AUDIT_RATE_RIGHT);
    mpfi_sub_q(z.yes, z.yes, in->delta);
    if (mpfr_sgn(&z.yes->right) <= 0) {
        mpfi_set_si(out, -1);
    } else {
        ival_at_least_zero(z.yes);
        share_logit(out, &z);
    }
    share_clear(&z);
}

/* Exactly 0 where z is exactly (1 + delta)/2. */
static bool coin_is_even(const audit_in *in)
{
    mpq_t z, even;
    mpq_inits(z, even, NULL);
    bool is = binomial_low_q(z, in->hits, in->members, in->alpha);
    mpq_set_ui(even, 1, 1);
    mpq_add(even, even, in->delta);
    mpq_div_2exp(even, even, 1);
    is = is && mpq_cmp(z, even) <= 0;
    mpq_clears(z, even, NULL);
    return is;
}

dp_status audit_eval_coin(dp_figure *out, const void *in, const wanted *want)
{
    const audit_in *a = in;
    if (a->hits == 0 || (want->rational && coin_is_even(a))) {
        figure_set_ui(&out[0], 0);
        return DP_OK;
    }
    mpfi_t x;
    mpfi_init2(x, want->bits);
    coin_epsilon(x, a);
    audit_not_below_zero(&out[0], x, want->bits);
    mpfi_clear(x);
    return DP_OK;
}

/* ---- one run, delta = 0: q = low(v, r, alpha), E = q(1-rho)/((1-q) rho) ---- */

dp_status audit_eval_pure(dp_figure *out, const void *in, const wanted *want)
{
    const audit_in *a = in;
    mpq_t odds;
    mpfi_t x, prior;
    mpq_init(odds);
    if (a->hits == 0 ||
        (want->rational && mpq_cmp_ui(a->inclusion, 1, 2) == 0 && coin_is_even(a))) {
        figure_set_ui(&out[0], 0);
        mpq_clear(odds);
        return DP_OK;
    }
    mpfi_init2(x, want->bits);
    mpfi_init2(prior, want->bits);
    coin_epsilon(x, a);
    mpz_sub(mpq_numref(odds), mpq_denref(a->inclusion), mpq_numref(a->inclusion));
    mpz_set(mpq_denref(odds), mpq_numref(a->inclusion));
    mpq_canonicalize(odds);
    ival_log_q(prior, odds);
    mpfi_add(x, x, prior);
    audit_not_below_zero(&out[0], x, want->bits);
    mpfi_clear(prior);
    mpfi_clear(x);
    mpq_clear(odds);
    return DP_OK;
}

/* ---- one run, delta > 0: beta + (m delta/v) beta (1-beta)/Pr[Bin = v] ---- */

/* The level at odds of the claim. */
static void level_at(mpfi_t out, const audit_in *in, const share *odds)
{
    mpfr_prec_t bits = mpfi_get_prec(out);
    share tail;
    mpfi_t mass;
    share_init(&tail, bits);
    mpfi_init2(mass, bits);
    binomial_tail(&tail, mass, in->hits, in->members, odds);
    mpfi_div(mass, tail.yes, mass);
    mpfi_mul(mass, mass, tail.no);
    mpfi_mul_ui(mass, mass, in->canaries);
    mpfi_div_ui(mass, mass, in->hits);
    mpfi_mul_q(mass, mass, in->delta);
    mpfi_add(out, tail.yes, mass);
    mpfi_clear(mass);
    share_clear(&tail);
}

static bool run_p_q(mpq_t p, const audit_in *in)
{
    mpq_t odds, q, rest, mass;
    mpq_inits(odds, q, rest, mass, NULL);
    bool exact = audit_claim_odds_q(odds, in->claim);
    if (exact) {
        mpq_mul(odds, odds, in->inclusion);
        mpz_sub(mpq_numref(rest), mpq_denref(in->inclusion), mpq_numref(in->inclusion));
        mpz_set(mpq_denref(rest), mpq_denref(in->inclusion));
        mpq_canonicalize(rest);
        mpq_add(rest, rest, odds);
        mpq_div(q, odds, rest);
        exact = binomial_tail_q(p, in->hits, in->members, q) &&
                binomial_tail_q(mass, in->hits + 1, in->members, q);
    }
    if (exact && mpq_sgn(in->delta) > 0) {
        mpq_sub(mass, p, mass);
        mpq_set_ui(rest, 1, 1);
        mpq_sub(rest, rest, p);
        mpq_mul(rest, rest, p);
        mpq_div(rest, rest, mass);
        mpq_mul(rest, rest, in->delta);
        mpq_set_ui(q, in->canaries, in->hits);
        mpq_canonicalize(q);
        mpq_mul(rest, rest, q);
        mpq_add(p, p, rest);
        if (mpq_cmp_ui(p, 1, 1) > 0)
            mpq_set_ui(p, 1, 1);
    }
    mpq_clears(odds, q, rest, mass, NULL);
    return exact;
}

dp_status audit_run_p(dp_figure *out, const void *in, const wanted *want)
{
    const audit_in *a = in;
    if (a->hits == 0) {
        figure_set_ui(&out[0], 1);
        return DP_OK;
    }
    return audit_level_p(out, &(audit_leveled){.in = a, .level = level_at, .level_q = run_p_q},
                         want);
}

dp_status audit_level_p(dp_figure *out, const audit_leveled *l, const wanted *want)
{
    if (want->rational && l->level_q(out[0].rational, l->in)) {
        out[0].kind = DP_RATIONAL;
        return DP_OK;
    }
    share odds;
    share_init(&odds, binomial_bits(want->bits, l->in->members));
    audit_claim_share(&odds, l->in);
    mpfi_ptr p = figure_enclose(&out[0], want->bits);
    l->level(p, l->in, &odds);
    ival_clamp_ui(p, 0, 1);
    share_clear(&odds);
    return DP_OK;
}

bool audit_shows_nothing(const audit_leveled *l, const wanted *want)
{
    dp_number zero;
    mpq_t p;
    dp_number_init(&zero);
    mpq_init(p);
    audit_in own = *l->in;
    own.claim = &zero;
    bool nothing = want->rational && l->level_q(p, &own) && mpq_cmp(p, own.alpha) >= 0;
    mpq_clear(p);
    dp_number_clear(&zero);
    return nothing;
}

static void above_alpha(mpfi_t out, const mpfi_t at, const void *in)
{
    const audit_leveled *l = in;
    share odds;
    mpfi_t alpha;
    mpfi_init2(alpha, mpfi_get_prec(out));
    share_init(&odds, binomial_bits(mpfi_get_prec(out), l->in->members));
    share_logistic(&odds, at);
    l->level(out, l->in, &odds);
    mpfi_set_q(alpha, l->in->alpha);
    mpfi_div(out, out, alpha);
    mpfi_log(out, out);
    share_clear(&odds);
    mpfi_clear(alpha);
}

static double guess_level(const void *in, double x)
{
    const audit_leveled *l = in;
    const audit_in *a = l->in;
    double k = (double)a->hits, n = (double)a->members;
    double beta = guess_log_tail(k, n, x, NULL), mass = guess_log_mass(k, n, x);
    double more = log((double)a->canaries / k) + l->log_delta + beta - mass + log(-expm1(beta));
    return fmax(beta, more) + log1p(exp(-fabs(more - beta))) - l->log_alpha;
}

#define HIGHEST 1e3

#define GUESSED 1e-13 /* of a guess, to about its last digits */

void audit_solve_level(dp_figure *out, const audit_leveled *l, mpfr_prec_t bits)
{
    double high = 1;
    bool some = l->guess(l, 0) < 0;
    while (some && high < HIGHEST && l->guess(l, high) < 0)
        high *= 2;
    double guess = some ? root_guess(l->guess, l, 0, high) : 0;
    mpfi_t x;
    mpfi_init2(x, root_bits(bits));
    mpfi_set_ui(x, 0);
    above_alpha(x, x, l);
    if (mpfr_sgn(&x->left) >= 0) {
        figure_set_ui(out, 0);
    } else {
        root_enclose(x, above_alpha, l,
                     &(root_start){.near = guess, .error = fmax(guess, 1e-6) * GUESSED});
        audit_not_below_zero(out, x, bits);
    }
    mpfi_clear(x);
}

dp_status audit_eval_run(dp_figure *out, const void *in, const wanted *want)
{
    const audit_in *a = in;
    audit_leveled l = {
        a, level_at, run_p_q, guess_level, ival_guess_log(a->alpha), ival_guess_log(a->delta)};
    /* v <= r/2: beta >= 1/2 at 0 */
    if (a->hits == 0 || audit_shows_nothing(&l, want)) {
        figure_set_ui(&out[0], 0);
        return DP_OK;
    }
    if (mpq_sgn(a->delta) == 0)
        return audit_eval_pure(out, in, want);
    audit_solve_level(&out[0], &l, want->bits);
    return DP_OK;
}
