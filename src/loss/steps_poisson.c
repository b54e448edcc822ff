/* SPDX-License-Identifier: MIT */
/* The pair of a Poisson sample that is given to an (eps0, delta0) learner. With E = e^eps0 the
 * learner's worst pair (P, Q) has the outcomes
 *     revealed: (delta0, 0), plus: (E, 1) s, minus: (1, E) s, hidden: (0, delta0),
 * s = (1 - delta0) / (1 + E), and the sample's pair (1 - q) Q + q P over Q has there
 *     (q delta0, 0), (1 + q (E - 1), 1) s, (1 + q (1/E - 1), 1) E s, (1 - q, 1) delta0. */
#include "loss/pair.h"
#include "loss/response.h"
#include "loss/steps.h"
#include "num/ival.h"
#include "num/memory.h"
#include "num/number.h"

/* Numbers up to this size together are composed in exact rationals. */
#define EXACT_BITS 8192

typedef struct sample {
    dp_number eps0, minus; /* minus = -eps0 */
    mpq_t delta0, q;
    bool reverse;
} sample;

static void sample_clear(void *state)
{
    sample *a = state;
    dp_number_clear(&a->eps0);
    dp_number_clear(&a->minus);
    mpq_clears(a->delta0, a->q, NULL);
    memory_free(a);
}

static sample *sample_new(const dp_number *eps0, const mpq_t delta0, const mpq_t q, bool reverse)
{
    sample *a = memory_new(1, sizeof *a);
    if (a == NULL)
        return NULL;
    dp_number_init(&a->eps0);
    dp_number_init(&a->minus);
    mpq_inits(a->delta0, a->q, NULL);
    dp_number_set(&a->eps0, eps0);
    mpq_t value;
    mpq_init(value);
    if (eps0->is_log) {
        mpq_inv(value, number_odds(eps0));
        number_set_log(&a->minus, value);
    } else {
        mpq_neg(value, number_rational(eps0));
        number_set_q(&a->minus, value);
    }
    mpq_clear(value);
    mpq_set(a->delta0, delta0);
    mpq_set(a->q, q);
    a->reverse = reverse;
    return a;
}

static bool sample_same(const void *state, const void *other)
{
    const sample *a = state, *b = other;
    return a->reverse == b->reverse && number_order(&a->eps0, &b->eps0) == 0 &&
           mpq_equal(a->delta0, b->delta0) && mpq_equal(a->q, b->q);
}

/* ratio = 1 + q (e^x - 1) and log of it, x = eps0 or -eps0. Above 1/2 through log1p, which keeps
 * the digits of a small loss; below, x < 0, as (1 - q) + q e^x, in which nothing cancels. */
static void blend(mpfi_t ratio, mpfi_t log, const mpq_t q, const dp_number *x)
{
    mpfi_t part;
    mpfi_init2(part, mpfi_get_prec(ratio));
    ival_expm1_number(part, x);
    mpfi_mul_q(part, part, q);
    if (mpfr_cmp_d(&part->left, -0.5) > 0) {
        mpfi_add_ui(ratio, part, 1);
        mpfi_log1p(log, part);
    } else {
        mpq_t rest;
        mpq_init(rest);
        mpz_sub(mpq_numref(rest), mpq_denref(q), mpq_numref(q));
        mpz_set(mpq_denref(rest), mpq_denref(q));
        ival_exp_number(part, x);
        mpfi_mul_q(part, part, q);
        mpfi_add_q(ratio, part, rest);
        mpfi_log(log, ratio);
        mpq_clear(rest);
    }
    mpfi_clear(part);
}

/* Q mass of plus, or of minus: s or E s; both through e^-eps0, which cannot overflow. */
static void learner_mass(mpfi_t mass, const sample *a, bool plus)
{
    mpfi_t lift;
    mpfi_init2(lift, mpfi_get_prec(mass));
    mpq_t keep;
    mpq_init(keep);
    mpz_sub(mpq_numref(keep), mpq_denref(a->delta0), mpq_numref(a->delta0));
    mpz_set(mpq_denref(keep), mpq_denref(a->delta0));
    ival_exp_number(lift, &a->minus);
    mpfi_add_ui(mass, lift, 1);
    mpfi_inv(mass, mass);
    if (plus)
        mpfi_mul(mass, mass, lift);
    mpfi_mul_q(mass, mass, keep);
    mpq_clear(keep);
    mpfi_clear(lift);
}

/* Kinks ascending in the forward direction: hidden, where delta0 > 0; minus; plus. */
static void forward(outcome *out, const sample *a, size_t j)
{
    mpfi_t ratio;
    mpfi_init2(ratio, mpfi_get_prec(out->mass));
    mpq_t part;
    mpq_init(part);
    if (mpq_sgn(a->delta0) == 0)
        j++;
    if (j == 0) {
        ival_log1m_q(out->loss, a->q);
        mpz_sub(mpq_numref(part), mpq_denref(a->q), mpq_numref(a->q));
        mpz_set(mpq_denref(part), mpq_denref(a->q));
        mpfi_set_q(ratio, part);
        mpfi_set_q(out->qmass, a->delta0);
    } else {
        blend(ratio, out->loss, a->q, j == 1 ? &a->minus : &a->eps0);
        learner_mass(out->qmass, a, j == 2);
    }
    mpfi_mul(out->mass, out->qmass, ratio);
    mpq_clear(part);
    mpfi_clear(ratio);
}

static void enclose(outcome *out, const void *state, size_t j)
{
    const sample *a = state;
    size_t count = mpq_sgn(a->delta0) == 0 ? 2 : 3;
    forward(out, a, a->reverse ? count - 1 - j : j);
    if (a->reverse) { /* no leak: Q has mass wherever P has */
        mpfi_neg(out->loss, out->loss);
        mpfi_swap(out->mass, out->qmass);
        return;
    }
    mpq_t keep; /* 1 - q delta0 */
    mpq_init(keep);
    mpq_mul(keep, a->q, a->delta0);
    mpz_sub(mpq_numref(keep), mpq_denref(keep), mpq_numref(keep));
    mpfi_div_q(out->mass, out->mass, keep);
    mpfi_div_q(out->qmass, out->qmass, keep);
    mpq_clear(keep);
}

/* Of missed samples: losses -eps0, 0, eps0, the masses of the learner's minus, of a sample without,
 * and of plus, over 1 - q delta0. */
static void missed(outcome *out, const void *state, size_t j)
{
    const sample *a = state;
    mpq_t part;
    mpq_init(part);
    if (j == 1) {
        mpfi_set_ui(out->loss, 0);
        mpz_sub(mpq_numref(part), mpq_denref(a->q), mpq_numref(a->q));
        mpz_set(mpq_denref(part), mpq_denref(a->q));
        mpfi_set_q(out->mass, part);
        mpfi_set(out->qmass, out->mass);
    } else {
        ival_set_number(out->loss, j == 0 ? &a->minus : &a->eps0);
        learner_mass(out->mass, a, j == 0); /* P has at minus what Q has at plus */
        learner_mass(out->qmass, a, j == 2);
        mpfi_mul_q(out->mass, out->mass, a->q);
        mpfi_mul_q(out->qmass, out->qmass, a->q);
    }
    mpq_mul(part, a->q, a->delta0);
    mpz_sub(mpq_numref(part), mpq_denref(part), mpq_numref(part));
    mpfi_div_q(out->mass, out->mass, part);
    mpfi_div_q(out->qmass, out->qmass, part);
    mpq_clear(part);
}

/* The four outcomes of the learner in rationals, E = odds. */
static void learner_pair(mpq_t p[4], mpq_t base[4], mpq_srcptr odds, const mpq_t delta0)
{
    mpq_t rest;
    mpq_init(rest);
    mpq_set(p[0], delta0);
    mpq_set(base[3], delta0);
    mpq_set_ui(rest, 1, 1);
    mpq_add(base[1], odds, rest);
    mpq_sub(rest, rest, delta0);
    mpq_div(base[1], rest, base[1]); /* s */
    mpq_set(p[2], base[1]);
    mpq_mul(base[2], base[1], odds);
    mpq_set(p[1], base[2]);
    mpq_clear(rest);
}

/* The sample's, E = odds. */
static dp_status add_exact(product *to, mpq_srcptr odds, const mpq_t delta0, const mpq_t q,
                           bool reverse, const mpz_t times)
{
    mpq_t p[4], base[4], rest;
    for (size_t j = 0; j < 4; j++)
        mpq_inits(p[j], base[j], NULL);
    mpq_init(rest);
    learner_pair(p, base, odds, delta0);
    mpq_set_ui(rest, 1, 1);
    mpq_sub(rest, rest, q);
    for (size_t j = 0; j < 4; j++) { /* p = q p + (1 - q) base */
        mpq_t part;
        mpq_init(part);
        mpq_mul(part, rest, base[j]);
        mpq_mul(p[j], p[j], q);
        mpq_add(p[j], p[j], part);
        mpq_clear(part);
    }
    dp_status status = pair_add(to, (const mpq_t *)p, (const mpq_t *)base, 4, reverse, times);
    mpq_clear(rest);
    for (size_t j = 0; j < 4; j++)
        mpq_clears(p[j], base[j], NULL);
    return status;
}

static bool in_domain(const dp_number *eps0, const mpq_t delta0, const mpq_t q)
{
    return mpq_sgn(q) >= 0 && mpq_cmp_ui(q, 1, 1) <= 0 && dp_number_sgn(eps0) >= 0 &&
           mpq_sgn(delta0) >= 0 && mpq_cmp_ui(delta0, 1, 1) <= 0;
}

dp_status steps_poisson_add(product *to, const dp_number *eps0, const mpq_t delta0, const mpq_t q,
                            bool reverse, const mpz_t times)
{
    if (!in_domain(eps0, delta0, q))
        return DP_DOMAIN;
    if (mpq_sgn(q) == 0)
        return DP_OK;
    if (mpq_cmp_ui(q, 1, 1) == 0 && mpq_cmp_ui(delta0, 1, 1) < 0 && dp_number_sgn(eps0) > 0) {
        dp_status status = product_leak_add(to, delta0, times);
        return status == DP_OK ? response_add(to, eps0, times) : status;
    }
    size_t bits = mpz_sizeinbase(mpq_denref(delta0), 2) + mpz_sizeinbase(mpq_denref(q), 2);
    mpq_t one;
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    bool same = dp_number_sgn(eps0) == 0 || mpq_equal(delta0, one);
    mpq_srcptr odds = same ? one : number_odds(eps0);
    dp_status status;
    if (odds != NULL && (same || number_bits(eps0) + bits <= EXACT_BITS)) {
        status = add_exact(to, odds, delta0, q, reverse, times);
    } else {
        sample *a = sample_new(eps0, delta0, q, reverse);
        steps curve = {.count = mpq_sgn(delta0) == 0 ? 2 : 3,
                       .closed = mpq_sgn(delta0) == 0,
                       .enclose = enclose,
                       .state = a,
                       .clear = sample_clear,
                       .same = sample_same};
        mpq_t leak;
        mpq_init(leak);
        mpq_mul(leak, q, delta0);
        status = a == NULL ? DP_MEMORY : steps_add(to, &curve, times);
        if (status == DP_OK && !reverse)
            status = product_leak_add(to, leak, times);
        mpq_clear(leak);
    }
    mpq_clear(one);
    return status;
}

/* In rationals, E = odds: the fifth outcome is the sample without. */
static dp_status add_missed(product *to, mpq_srcptr odds, const mpq_t delta0, const mpq_t q,
                            const mpz_t times)
{
    mpq_t p[5], base[5], rest;
    for (size_t j = 0; j < 5; j++)
        mpq_inits(p[j], base[j], NULL);
    mpq_init(rest);
    mpq_set_ui(rest, 1, 1);
    mpq_sub(rest, rest, q);
    learner_pair(p, base, odds, delta0);
    for (size_t j = 0; j < 4; j++) {
        mpq_mul(p[j], p[j], q);
        mpq_mul(base[j], base[j], q);
    }
    mpq_set(p[4], rest);
    mpq_set(base[4], rest);
    dp_status status = pair_add(to, (const mpq_t *)p, (const mpq_t *)base, 5, false, times);
    mpq_clear(rest);
    for (size_t j = 0; j < 5; j++)
        mpq_clears(p[j], base[j], NULL);
    return status;
}

dp_status steps_missed_add(product *to, const dp_number *eps0, const mpq_t delta0, const mpq_t q,
                           const mpz_t times)
{
    if (!in_domain(eps0, delta0, q))
        return DP_DOMAIN;
    if (mpq_cmp_ui(q, 1, 1) == 0 && mpq_cmp_ui(delta0, 1, 1) < 0)
        return steps_poisson_add(to, eps0, delta0, q, false, times);
    mpq_t leak;
    mpq_init(leak);
    mpq_mul(leak, q, delta0);
    size_t bits = mpz_sizeinbase(mpq_denref(delta0), 2) + mpz_sizeinbase(mpq_denref(q), 2);
    mpq_srcptr odds = number_odds(eps0);
    bool leaks = mpq_sgn(q) == 0 || dp_number_sgn(eps0) == 0 || mpq_cmp_ui(delta0, 1, 1) == 0;
    dp_status status;
    if (leaks) {
        status = product_leak_add(to, leak, times);
    } else if (odds != NULL && number_bits(eps0) + bits <= EXACT_BITS) {
        status = add_missed(to, odds, delta0, q, times);
    } else {
        dp_number losses[3];
        sample *a = sample_new(eps0, delta0, q, false);
        for (size_t j = 0; j < 3; j++)
            dp_number_init(&losses[j]);
        dp_number_set(&losses[2], eps0);
        if (a != NULL)
            dp_number_set(&losses[0], &a->minus);
        steps curve = {.count = 3,
                       .loss = losses,
                       .closed = true,
                       .symmetric = true,
                       .enclose = missed,
                       .state = a,
                       .clear = sample_clear,
                       .same = sample_same};
        status = a == NULL ? DP_MEMORY : steps_add(to, &curve, times);
        if (status == DP_OK)
            status = product_leak_add(to, leak, times);
        for (size_t j = 0; j < 3; j++)
            dp_number_clear(&losses[j]);
    }
    mpq_clear(leak);
    return status;
}
