/* SPDX-License-Identifier: MIT */
/* One run whose canaries are included with a probability that is not 1/2, at delta 0: guesses of
 * two kinds, each right with a probability of its own. */
#include "attack/audit.h"

#include "attack/root.h"
#include "num/ival.h"
#include "num/number.h"

/* yes = h E/(h E + 1 - h), with h the inclusion of its kind */
static void right_share(share *p, const mpfi_t epsilon, const mpq_t inclusion)
{
    mpq_t odds;
    mpfi_t x;
    mpq_init(odds);
    mpfi_init2(x, mpfi_get_prec(epsilon));
    mpz_set(mpq_numref(odds), mpq_numref(inclusion));
    mpz_sub(mpq_denref(odds), mpq_denref(inclusion), mpq_numref(inclusion));
    mpq_canonicalize(odds);
    ival_log_q(x, odds);
    mpfi_add(x, x, epsilon);
    share_logistic(p, x);
    mpfi_clear(x);
    mpq_clear(odds);
}

/* out = sum over j of Pr[X = j] Pr[Y >= v - j], X of the guesses "in", Y of the others: masses and
 * tails step by step, sums and products of positive numbers. */
static void tail_of_both(mpfi_t out, const audit_in *in, const mpfi_t epsilon)
{
    unsigned long first = in->said_in, other = in->members - first, v = in->hits;
    mpfr_prec_t bits = binomial_bits(mpfi_get_prec(out), in->members) + 32;
    mpq_t rest;
    share p, q, tail;
    mpfi_t x, y, part;
    mpq_init(rest);
    share_init(&p, bits);
    share_init(&q, bits);
    share_init(&tail, bits);
    mpfi_init2(x, bits);
    mpfi_init2(y, bits);
    mpfi_init2(part, bits);
    mpq_set_ui(rest, 1, 1);
    mpq_sub(rest, rest, in->included);
    right_share(&p, epsilon, in->included);
    right_share(&q, epsilon, rest);
    /* j from the least that may do, c = v - j of the others */
    unsigned long j = v > other ? v - other : 0, c = v - j;
    binomial_mass(x, j, first, &p);
    binomial_tail(&tail, y, c, other, &q);
    mpfi_set_ui(out, 0);
    for (;; j++) {
        mpfi_mul(part, x, tail.yes);
        mpfi_add(out, out, part);
        if (j == first)
            break;
        mpfi_mul(x, x, p.yes); /* Pr[j + 1] of Pr[j] */
        mpfi_div(x, x, p.no);
        mpfi_mul_ui(x, x, first - j);
        mpfi_div_ui(x, x, j + 1);
        if (c == 0)
            continue;
        mpfi_mul(y, y, q.no); /* Pr[c - 1] of Pr[c] */
        mpfi_div(y, y, q.yes);
        mpfi_mul_ui(y, y, c);
        mpfi_div_ui(y, y, other - c + 1);
        mpfi_add(tail.yes, tail.yes, y);
        c--;
    }
    ival_clamp_ui(out, 0, 1);
    mpfi_clear(part);
    mpfi_clear(y);
    mpfi_clear(x);
    share_clear(&tail);
    share_clear(&q);
    share_clear(&p);
    mpq_clear(rest);
}

/* h R/(h R + 1 - h) */
static void right_q(mpq_t p, const mpq_t odds, const mpq_t inclusion)
{
    mpq_t rest;
    mpq_init(rest);
    mpz_sub(mpq_numref(rest), mpq_denref(inclusion), mpq_numref(inclusion));
    mpz_set(mpq_denref(rest), mpq_denref(inclusion));
    mpq_mul(p, odds, inclusion);
    mpq_add(rest, rest, p);
    mpq_div(p, p, rest);
    mpq_clear(rest);
}

#define EXACT_MOST 100UL

/* The sum in fractions; false where its numbers would be long, or the odds are not rational. */
static bool tail_q(mpq_t out, const audit_in *in)
{
    unsigned long first = in->said_in, other = in->members - first, v = in->hits;
    mpq_t p, q, rest, above, next, tail;
    mpq_inits(p, q, rest, above, next, tail, NULL);
    bool exact = in->members <= EXACT_MOST && audit_claim_odds_q(rest, in->claim);
    if (exact) {
        right_q(p, rest, in->included);
        mpq_set_ui(q, 1, 1);
        mpq_sub(q, q, in->included);
        mpq_set(above, q);
        right_q(q, rest, above);
    }
    mpq_set_ui(out, 0, 1);
    for (unsigned long j = v > other ? v - other : 0; exact && j <= first; j++) {
        exact = binomial_tail_q(above, j, first, p) && binomial_tail_q(next, j + 1, first, p) &&
                binomial_tail_q(tail, j < v ? v - j : 0, other, q);
        mpq_sub(above, above, next);
        mpq_mul(above, above, tail);
        mpq_add(out, out, above);
    }
    mpq_clears(p, q, rest, above, next, tail, NULL);
    return exact;
}

dp_status audit_inclusion_p(dp_figure *out, const void *in, const wanted *want)
{
    const audit_in *a = in;
    if (a->hits == 0) {
        figure_set_ui(&out[0], 1);
        return DP_OK;
    }
    if (want->rational && tail_q(out[0].rational, a)) {
        out[0].kind = DP_RATIONAL;
        return DP_OK;
    }
    mpfi_t e;
    mpfi_init2(e, binomial_bits(want->bits, a->members) + 64);
    ival_set_number(e, a->claim);
    tail_of_both(figure_enclose(&out[0], want->bits), a, e);
    mpfi_clear(e);
    return DP_OK;
}

static void above_alpha(mpfi_t out, const mpfi_t at, const void *in)
{
    const audit_in *a = in;
    mpfi_t alpha;
    mpfi_init2(alpha, mpfi_get_prec(out));
    tail_of_both(out, a, at);
    mpfi_set_q(alpha, a->alpha);
    mpfi_div(out, out, alpha);
    mpfi_log(out, out);
    mpfi_clear(alpha);
}

/* Exactly: is the tail no less than alpha at epsilon = 0? */
static bool shows_nothing(const audit_in *a)
{
    audit_in own = *a;
    dp_number zero;
    mpq_t p;
    dp_number_init(&zero);
    mpq_init(p);
    own.claim = &zero;
    bool is = tail_q(p, &own) && mpq_cmp(p, a->alpha) >= 0;
    mpq_clear(p);
    dp_number_clear(&zero);
    return is;
}

dp_status audit_eval_inclusion(dp_figure *out, const void *in, const wanted *want)
{
    const audit_in *a = in;
    mpfi_t x;
    mpfr_t one;
    mpfi_init2(x, want->bits);
    mpfr_init2(one, 64);
    mpfr_set_ui(one, 1, MPFR_RNDN);
    mpfi_set_ui(x, 0);
    if (a->hits > 0)
        above_alpha(x, x, a);
    if (a->hits == 0 || mpfr_sgn(&x->left) >= 0 || (want->rational && shows_nothing(a))) {
        figure_set_ui(&out[0], 0);
    } else {
        root_enclose(x, above_alpha, a, &(root_start){.from = one, .real = true});
        audit_not_below_zero(&out[0], x, want->bits);
    }
    mpfr_clear(one);
    mpfi_clear(x);
    return DP_OK;
}
