/* SPDX-License-Identifier: MIT */
/* The leaks of a product together: D = prod (1 - delta)^times, and where 1 - D stands to a target.
 */
#include "loss/product.h"
#include "num/ival.h"

/* Exact products up to this size decide ties between 1 - D and a rational. */
#define EXACT_BITS 4000000UL
#define DECISION_BITS (1L << 16)
/* More distinct deltas than this are multiplied out instead of being factored into coprimes. */
#define FACTORED_LEAKS 64

void product_log_keep(mpfi_t out, const product *p)
{
    if (p->certain_leak) {
        mpfr_set_inf(&out->left, -1);
        mpfr_set_inf(&out->right, -1);
        return;
    }
    mpfi_t log;
    mpfi_init2(log, mpfi_get_prec(out));
    mpfi_set_ui(out, 0);
    for (size_t i = 0; i < p->leaks; i++) {
        ival_log1m_q(log, p->leak[i].delta);
        ival_mul_z(log, log, p->leak[i].times);
        mpfi_add(out, out, log);
    }
    mpfi_clear(log);
}

/* Bits of prod (1 - delta_i)^times before cancellation, or more than the limit. */
static bool leak_fits(const product *p, unsigned long limit)
{
    mpz_t bits, part;
    mpz_inits(bits, part, NULL);
    for (size_t i = 0; i < p->leaks; i++) {
        mpz_mul_ui(part, p->leak[i].times, mpz_sizeinbase(mpq_denref(p->leak[i].delta), 2));
        mpz_add(bits, bits, part);
    }
    bool fits = mpz_cmp_ui(bits, limit) <= 0;
    mpz_clears(bits, part, NULL);
    return fits;
}

/* num/den = prod over [from, to), by halves, so that large products meet large products */
static void keep_product(mpz_t num, mpz_t den, const product *p, size_t from, size_t to)
{
    if (to - from == 1) {
        const product_leak *l = &p->leak[from];
        unsigned long times = mpz_get_ui(l->times);
        mpz_sub(num, mpq_denref(l->delta), mpq_numref(l->delta));
        mpz_pow_ui(num, num, times);
        mpz_pow_ui(den, mpq_denref(l->delta), times);
        return;
    }
    mpz_t n, d;
    mpz_inits(n, d, NULL);
    size_t middle = from + (to - from) / 2;
    keep_product(num, den, p, from, middle);
    keep_product(n, d, p, middle, to);
    mpz_mul(num, num, n);
    mpz_mul(den, den, d);
    mpz_clears(n, d, NULL);
}

static bool leak_q(mpq_t out, const product *p, unsigned long limit)
{
    if (p->certain_leak) {
        mpq_set_ui(out, 1, 1);
        return true;
    }
    if (!leak_fits(p, limit))
        return false;
    mpq_set_ui(out, 0, 1);
    if (p->leaks == 0)
        return true;
    keep_product(mpq_numref(out), mpq_denref(out), p, 0, p->leaks);
    mpz_sub(mpq_numref(out), mpq_denref(out), mpq_numref(out));
    mpq_canonicalize(out);
    return true;
}

bool product_leak_q(mpq_t out, const product *p)
{
    return leak_q(out, p, 65536);
}

/* ln D - ln(1 - delta), delta < 1 and no certain leak */
static bool leak_gap(logform *gap, const product *p, const mpq_t delta)
{
    mpq_t times, keep;
    mpq_inits(times, keep, NULL);
    bool ok = true;
    for (size_t i = 0; ok && i < p->leaks; i++) {
        mpq_set_z(times, p->leak[i].times);
        mpq_set_ui(keep, 1, 1);
        mpq_sub(keep, keep, p->leak[i].delta);
        ok = logform_push_log(gap, times, keep);
    }
    mpq_set_ui(keep, 1, 1);
    mpq_sub(keep, keep, delta);
    mpq_set_si(times, -1, 1);
    ok = ok && logform_push_log(gap, times, keep);
    mpq_clears(times, keep, NULL);
    return ok;
}

bool product_compare_leak(int *sign, const product *p, const mpq_t delta)
{
    int below_one = -mpq_cmp_ui(delta, 1, 1);
    if (below_one <= 0 || p->certain_leak) { /* 1 - D is 1, or below a delta of at least 1 */
        *sign = p->certain_leak ? (below_one > 0) - (below_one < 0) : -1;
        return true;
    }
    logform gap;
    logform_init(&gap);
    int keep_sign = 0;
    bool ok = leak_gap(&gap, p, delta);
    /* (1 - D) - delta > 0 exactly when ln D < ln(1 - delta) */
    bool fits = leak_fits(p, EXACT_BITS);
    bool told = ok && (p->leaks <= FACTORED_LEAKS || !fits
                           ? logform_sign(&keep_sign, &gap, fits ? 512 : DECISION_BITS)
                           : logform_sign_apart(&keep_sign, &gap, 512));
    if (ok && !told) {
        mpq_t exact;
        mpq_init(exact);
        ok = leak_q(exact, p, EXACT_BITS);
        keep_sign = -mpq_cmp(exact, delta);
        mpq_clear(exact);
    }
    logform_clear(&gap);
    *sign = keep_sign > 0 ? -1 : keep_sign < 0 ? 1 : 0;
    return ok;
}
