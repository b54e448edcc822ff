/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "num/guard.h"
#include "pld/profile.h"

#define EXACT_ATOMS 4096UL
#define EXACT_BITS 65536UL

/* Sizes of prod (times + 1) and of prod (1 + R)^times */
static bool fits(const composed *list)
{
    mpz_t count, bits, part;
    mpz_init_set_ui(count, 1);
    mpz_inits(bits, part, NULL);
    for (size_t i = 0; i < list->losses; i++) {
        const composed_loss *l = &list->loss[i];
        mpz_add_ui(part, l->times, 1);
        mpz_mul(count, count, part);
        mpz_mul_ui(part, l->times,
                   mpz_sizeinbase(mpq_numref(l->epsilon.value), 2) +
                       mpz_sizeinbase(mpq_denref(l->epsilon.value), 2));
        mpz_add(bits, bits, part);
    }
    bool ok = mpz_cmp_ui(count, EXACT_ATOMS) <= 0 && mpz_cmp_ui(bits, EXACT_BITS) <= 0;
    mpz_clears(count, bits, part, NULL);
    return ok;
}

/* One factor: C(t, m) and R^(t-m), R^m as numerators over b^t, R = a/b:
 * plus *= C(t,m) a^(t-m) b^m, minus *= C(t,m) a^m b^(t-m) */
static void multiply_atom(mpz_t plus, mpz_t minus, const composed_loss *l, unsigned long m)
{
    unsigned long t = mpz_get_ui(l->times);
    mpz_t part, power;
    mpz_inits(part, power, NULL);
    mpz_bin_uiui(part, t, m);
    mpz_mul(plus, plus, part);
    mpz_mul(minus, minus, part);
    mpz_pow_ui(power, mpq_numref(l->epsilon.value), t - m);
    mpz_mul(plus, plus, power);
    mpz_pow_ui(power, mpq_denref(l->epsilon.value), m);
    mpz_mul(plus, plus, power);
    mpz_pow_ui(power, mpq_numref(l->epsilon.value), m);
    mpz_mul(minus, minus, power);
    mpz_pow_ui(power, mpq_denref(l->epsilon.value), t - m);
    mpz_mul(minus, minus, power);
    mpz_clears(part, power, NULL);
}

/* sum over atoms of max(0, P - X Q), both over the common denominator prod (a + b)^t */
bool exact_profile(mpq_t out, const composed *list, const mpq_t exp_x)
{
    if (!fits(list))
        return false;
    unsigned long *minus_signs = calloc(list->losses + 1, sizeof *minus_signs);
    if (minus_signs == NULL)
        return false;
    mpz_t plus, minus, sum, base;
    mpz_inits(plus, minus, sum, base, NULL);
    size_t at = 0;
    while (at < list->losses ||
           list->losses == 0) { /* an odometer over the counts of minus signs */
        mpz_set(plus, mpq_denref(exp_x));
        mpz_set(minus, mpq_numref(exp_x));
        for (size_t i = 0; i < list->losses; i++)
            multiply_atom(plus, minus, &list->loss[i], minus_signs[i]);
        if (mpz_cmp(plus, minus) > 0) {
            mpz_add(sum, sum, plus);
            mpz_sub(sum, sum, minus);
        }
        for (at = 0; at < list->losses; at++) {
            if (++minus_signs[at] <= mpz_get_ui(list->loss[at].times))
                break;
            minus_signs[at] = 0;
        }
        if (list->losses == 0)
            break;
    }
    mpz_set(base, mpq_denref(exp_x));
    for (size_t i = 0; i < list->losses; i++) {
        mpz_add(plus, mpq_numref(list->loss[i].epsilon.value),
                mpq_denref(list->loss[i].epsilon.value));
        mpz_pow_ui(plus, plus, mpz_get_ui(list->loss[i].times));
        mpz_mul(base, base, plus);
    }
    mpz_swap(mpq_numref(out), sum);
    mpz_swap(mpq_denref(out), base);
    mpq_canonicalize(out);
    mpz_clears(plus, minus, sum, base, NULL);
    free(minus_signs);
    return true;
}
