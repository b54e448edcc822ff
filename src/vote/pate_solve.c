/* SPDX-License-Identifier: MIT */
/* How many queries of an aggregator fit a budget, or how little noise keeps it: the search may
 * start anywhere, and ends with a row's proof that what was found fits. What a row does not prove
 * does not fit, for that row. */
#include <stdint.h>
#include <stdlib.h>

#include "vote/pate.h"

#include "core/search.h"
#include "num/decimal.h"
#include "num/ival.h"

typedef struct search {
    pate_account *at;
    const pate_budget *budget;
    mpq_t unit; /* candidates of sigma are (top - z) units */
    mpz_t top;
} search;

static dp_decision fits(const pate_account *a, const pate_budget *b)
{
    if (limits_expired(b->lim))
        return DP_UNKNOWN;
    return pate_row_meets(a, b) == DP_YES ? DP_YES : DP_NO;
}

static dp_decision queries_fit(const void *context, const mpz_t z)
{
    const search *s = context;
    mpz_set(s->at->asked, z);
    return fits(s->at, s->budget);
}

#define GUESS_BITS 64
#define GUESS_DIGITS 10
#define GUESS_ROUNDS 2

/* alpha = 1 + (l + sqrt(l^2 + E l))/E, l = ln(1/delta): the best order of the published accountant,
 * whatever the noise. */
static bool first_order(mpq_t alpha, const pate_budget *b)
{
    mpfi_t l, x, e;
    mpfi_init2(l, GUESS_BITS);
    mpfi_init2(x, GUESS_BITS);
    mpfi_init2(e, GUESS_BITS);
    ival_set_number(e, b->max_epsilon);
    ival_log_q(l, b->max_delta);
    mpfi_neg(l, l);
    mpfi_add(x, l, e);
    mpfi_mul(x, x, l);
    mpfi_sqrt(x, x);
    mpfi_add(x, x, l);
    mpfi_div(x, x, e);
    bool ok = !ival_bad(x) && mpfr_number_p(&x->right) && mpfr_sgn(&x->right) > 0 &&
              dec_round_fr(alpha, &x->right, DP_UPPER, GUESS_DIGITS);
    if (ok)
        mpz_add(mpq_numref(alpha), mpq_numref(alpha), mpq_denref(alpha));
    mpfi_clear(e);
    mpfi_clear(x);
    mpfi_clear(l);
    return ok;
}

/* n = about (E - c)/r for the c that the order costs and the r of one query */
static bool queries_at(mpz_t n, pate_account *a, const mpq_t alpha, const pate_budget *b)
{
    mpfi_t x, r, e;
    mpfi_init2(x, GUESS_BITS);
    mpfi_init2(r, GUESS_BITS);
    mpfi_init2(e, GUESS_BITS);
    ival_set_number(e, b->max_epsilon);
    renyi_improved_epsilon(x, e, alpha, b->max_delta);
    mpfi_sub(x, e, x);
    mpfi_add(x, x, e);
    mpz_set_ui(a->asked, 1);
    pate_curve(r, a, alpha);
    mpfi_div(x, x, r);
    bool ok = !ival_bad(x) && mpfr_number_p(&x->right);
    if (ok)
        mpfr_get_z(n, &x->right, MPFR_RNDD);
    if (ok && mpz_sgn(n) <= 0)
        mpz_set_ui(n, 1);
    mpfi_clear(e);
    mpfi_clear(r);
    mpfi_clear(x);
    return ok;
}

/* The order of pate_renyi at which most queries fit, nearly: in turn the best order for a number of
 * queries, and the number for an order. */
static bool guess_queries(mpz_t n, mpq_t alpha, pate_account *a, const pate_budget *b)
{
    renyi_curve curve = {.at = pate_curve_guess, .of = a};
    bool ok = first_order(alpha, b) && queries_at(n, a, alpha, b);
    for (int i = 0; ok && i < GUESS_ROUNDS; i++) {
        mpz_set(a->asked, n);
        ok = renyi_order_epsilon(alpha, &curve, true, b->max_delta) && queries_at(n, a, alpha, b);
    }
    return ok;
}

dp_decision pate_most_queries(pate_account *a, const pate_budget *b)
{
    pate_budget own = *b;
    search s = {.at = a, .budget = &own};
    mpq_t alpha;
    mpz_t count;
    mpq_init(alpha);
    mpz_init_set_ui(count, 1);
    if (b->row == &pate_renyi && mpq_sgn(b->max_delta) > 0 && guess_queries(count, alpha, a, b))
        own.alpha = alpha;
    else if (b->row == &pate_laplace)
        pate_laplace_guess(count, a, b);
    else
        mpz_set_ui(count, 1);
    dp_decision found = search_largest(count, queries_fit, &s);
    if (mpz_sgn(count) < 0)
        mpz_set_ui(count, 0);
    mpz_set(a->asked, count);
    mpz_clear(count);
    mpq_clear(alpha);
    return found == DP_YES && mpz_sgn(a->asked) == 0 ? DP_NO : found;
}

/* ---- sigma ---- */

#define MOST_DOUBLINGS 300

/* a power of 2 that fits while its half does not */
static dp_decision bracket(pate_account *a, const pate_budget *b)
{
    mpq_set_ui(a->scale, 1, 1);
    dp_decision first = fits(a, b), answer = first;
    for (int i = 0; answer == first && answer != DP_UNKNOWN && i < MOST_DOUBLINGS; i++) {
        if (first == DP_YES)
            mpq_div_2exp(a->scale, a->scale, 1);
        else
            mpq_mul_2exp(a->scale, a->scale, 1);
        answer = fits(a, b);
    }
    if (answer == DP_NO && first == DP_YES)
        mpq_mul_2exp(a->scale, a->scale, 1);
    return answer == DP_UNKNOWN ? DP_UNKNOWN : first == DP_NO ? answer : DP_YES;
}

/* unit = 10^(exponent of sigma - digits), top = sigma in such units, rounded up */
static void set_units(search *s)
{
    mpfr_t size;
    mpfr_exp_t point;
    mpq_t count;
    mpfr_init2(size, GUESS_BITS);
    mpq_init(count);
    mpfr_set_q(size, s->at->scale, MPFR_RNDU);
    mpfr_free_str(mpfr_get_str(NULL, &point, 10, 2, size, MPFR_RNDD));
    long power = (long)point - (long)s->budget->digits;
    mpz_ui_pow_ui(mpq_numref(s->unit), 10, (unsigned long)labs(power));
    mpz_set_ui(mpq_denref(s->unit), 1);
    if (power < 0)
        mpq_inv(s->unit, s->unit);
    mpq_div(count, s->at->scale, s->unit);
    mpz_cdiv_q(s->top, mpq_numref(count), mpq_denref(count));
    mpq_clear(count);
    mpfr_clear(size);
}

static void set_sigma(const search *s, const mpz_t z)
{
    mpz_sub(mpq_numref(s->at->scale), s->top, z);
    mpz_set_ui(mpq_denref(s->at->scale), 1);
    mpq_mul(s->at->scale, s->at->scale, s->unit);
}

static dp_decision sigma_fits(const void *context, const mpz_t z)
{
    const search *s = context;
    if (mpz_cmp(z, s->top) >= 0)
        return DP_NO;
    set_sigma(s, z);
    return fits(s->at, s->budget);
}

#define ORDER_DIGITS 16 /* the order of a guess costs less than such a digit */

/* A search from a guess goes on to both sides of it. */
static bool guessed(search *s, mpq_t alpha, pate_budget *b, mpz_t z)
{
    if (!pate_sigma_guess(s->at->scale, alpha, s->at, b))
        return false;
    if (mpq_sgn(alpha) > 0 && b->digits <= ORDER_DIGITS)
        b->alpha = alpha;
    set_units(s);
    mpz_set(z, s->top);
    mpz_mul_2exp(s->top, s->top, 1);
    return true;
}

dp_decision pate_least_sigma(pate_account *a, const pate_budget *b)
{
    pate_budget own = *b;
    search s = {.at = a, .budget = &own};
    mpq_t alpha;
    mpz_t z;
    mpz_inits(z, s.top, NULL);
    mpq_inits(s.unit, alpha, NULL);
    bool near = guessed(&s, alpha, &own, z);
    dp_decision found = near ? DP_YES : bracket(a, b);
    if (found == DP_YES) {
        if (!near)
            set_units(&s);
        found = search_largest(z, sigma_fits, &s);
        if (mpz_sgn(z) >= 0)
            set_sigma(&s, z);
        else
            mpq_set_ui(a->scale, 0, 1);
    } else if (found == DP_UNKNOWN) {
        mpq_set_ui(a->scale, 0, 1);
    }
    mpq_clears(s.unit, alpha, NULL);
    mpz_clears(z, s.top, NULL);
    return found;
}
