/* SPDX-License-Identifier: MIT */
/* The steps of a mechanism of the type dp-sgd: their number, their sampling rate, and the Renyi
 * curve of them all. */
#include "mechanism/dp_sgd.h"
#include "num/ival.h"
#include "num/number.h"

/* NULL: it is not. */
static mpq_srcptr given(const dp_mechanism *m, const char *name)
{
    return number_rational(mechanism_number(m, name));
}

void dp_sgd_rate(mpq_t rate, const dp_mechanism *m)
{
    if (given(m, "sampling-rate") != NULL)
        mpq_set(rate, given(m, "sampling-rate"));
    else
        mpq_div(rate, given(m, "batch-size"), given(m, "dataset-size"));
}

void dp_sgd_count(mpz_t steps, const dp_mechanism *m, const mpq_t rate)
{
    if (given(m, "steps") != NULL) {
        mpz_set(steps, mpq_numref(given(m, "steps")));
        return;
    }
    mpq_t count;
    mpq_init(count);
    mpq_div(count, given(m, "epochs"), rate);
    mpz_cdiv_q(steps, mpq_numref(count), mpq_denref(count));
    mpq_clear(count);
}

bool dp_sgd_is_group(const dp_mechanism *m)
{
    return given(m, "group-size") != NULL && mpq_cmp_ui(given(m, "group-size"), 1, 1) != 0;
}

#define MOST_BITS 65536 /* of (1-q)^n, where it is formed */
#define DRAWS_BITS 128

/* 1 - delta <= (1-q)^n ? */
static bool few_are_drawn(const mpq_t rate, const mpz_t draws, const mpq_t delta)
{
    mpfi_t spared, kept;
    mpq_t rest, all;
    mpq_inits(rest, all, NULL);
    mpq_set_ui(all, 1, 1);
    mpq_sub(rest, all, rate);
    mpq_sub(all, all, delta);
    bool fits;
    if (mpz_cmp_ui(draws, MOST_BITS / mpz_sizeinbase(mpq_denref(rate), 2)) <= 0) {
        unsigned long n = mpz_get_ui(draws);
        mpz_pow_ui(mpq_numref(rest), mpq_numref(rest), n);
        mpz_pow_ui(mpq_denref(rest), mpq_denref(rest), n);
        fits = mpq_cmp(all, rest) <= 0;
    } else {
        mpfi_init2(spared, DRAWS_BITS);
        mpfi_init2(kept, DRAWS_BITS);
        ival_log1m_q(spared, rate);
        ival_mul_z(spared, spared, draws);
        ival_log1m_q(kept, delta);
        fits = mpfr_lessequal_p(&kept->right, &spared->left);
        mpfi_clear(kept);
        mpfi_clear(spared);
    }
    mpq_clears(rest, all, NULL);
    return fits;
}

bool dp_sgd_any_noise(const dp_mechanism *m, const mpz_t times, const mpq_t delta)
{
    if (mpq_sgn(delta) <= 0 || mpq_cmp_ui(delta, 1, 1) >= 0)
        return mpq_sgn(delta) > 0;
    mpq_t rate;
    mpz_t draws;
    mpq_init(rate);
    mpz_init(draws);
    dp_sgd_rate(rate, m);
    bool some = mpq_cmp_ui(rate, 1, 1) < 0;
    if (some) {
        dp_sgd_count(draws, m, rate);
        mpz_mul(draws, draws, times);
        if (given(m, "group-size") != NULL)
            mpz_mul(draws, draws, mpq_numref(given(m, "group-size")));
        some = few_are_drawn(rate, draws, delta);
    }
    mpz_clear(draws);
    mpq_clear(rate);
    return some;
}

void dp_sgd_init(dp_sgd *s, const dp_mechanism *m, const mpz_t times)
{
    mpq_t rate;
    mpq_init(rate);
    dp_sgd_rate(rate, m);
    sampled_init(&s->of, given(m, "noise-multiplier"), rate);
    mpz_init(s->steps);
    dp_sgd_count(s->steps, m, rate);
    mpz_mul(s->steps, s->steps, times);
    s->count = mpz_get_d(s->steps);
    mpq_clear(rate);
}

void dp_sgd_clear(dp_sgd *s)
{
    mpz_clear(s->steps);
    sampled_clear(&s->of);
}

#define ORDER_BITS 64 /* beyond those of r: orders near 1 lose some */

void dp_sgd_divergence(mpfi_t r, const dp_sgd *s, const mpfi_t alpha)
{
    sampled_renyi(r, &s->of, alpha);
    ival_mul_z(r, r, s->steps);
}

static void curve_at(mpfi_t r, const void *of, mpq_srcptr alpha)
{
    mpfi_t order;
    mpfi_init2(order, mpfi_get_prec(r) + ORDER_BITS);
    mpfi_set_q(order, alpha);
    dp_sgd_divergence(r, of, order);
    mpfi_clear(order);
}

static double curve_guess(const void *of, double t)
{
    const dp_sgd *s = of;
    return s->count * sampled_guess(&s->of, t) / t;
}

renyi_curve dp_sgd_curve(const dp_sgd *s)
{
    return (renyi_curve){.at = curve_at, .of = s, .guess = curve_guess};
}
