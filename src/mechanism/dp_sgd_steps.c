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
