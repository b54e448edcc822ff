/* SPDX-License-Identifier: MIT */
#include "num/fejer.h"

/* out = cos(pi i / n), 0 <= i <= n, which falls */
static void cosine(mpfi_t out, unsigned long i, unsigned long n)
{
    mpfr_t x;
    mpfr_init2(x, mpfi_get_prec(out) + 8);
    for (int upper = 0; upper < 2; upper++) {
        mpfr_rnd_t way = upper ? MPFR_RNDD : MPFR_RNDU; /* of the angle */
        mpfr_const_pi(x, way);
        mpfr_mul_ui(x, x, i, way);
        mpfr_div_ui(x, x, n, way);
        if (upper)
            mpfr_cos(&out->right, x, MPFR_RNDU);
        else
            mpfr_cos(&out->left, x, MPFR_RNDD);
    }
    if (i == n) /* rounded up, pi is passed */
        mpfr_set_si(&out->left, -1, MPFR_RNDD);
    mpfr_clear(x);
}

/* weight_k = (1/n) (1 - 2 sum over j = 1 .. n/2 of cos(2 j theta_k) / (4j^2 - 1)), halved at j =
 * n/2: of that cos is 0 for even n, so it is left out; cosine[i] = cos(i pi / 2n). */
void fejer_rule(mpfi_t *at, mpfi_t *weight, unsigned long n)
{
    mpfr_prec_t bits = mpfi_get_prec(at[0]);
    mpfi_t part, x;
    mpfi_init2(part, bits);
    mpfi_init2(x, bits);
    mpfi_t even[FEJER_MOST + 1]; /* cos(i pi / n), i = 0 .. n */
    for (unsigned long i = 0; i <= n; i++) {
        mpfi_init2(even[i], bits);
        cosine(even[i], i, n);
    }
    for (unsigned long k = 0; k < n; k++) {
        cosine(at[k], 2 * k + 1, 2 * n);
        mpfi_add_ui(at[k], at[k], 1);
        mpfi_div_2ui(at[k], at[k], 1);
        mpfi_set_ui(x, 0);
        for (unsigned long j = 1; 2 * j < n; j++) {
            unsigned long turn = j * (2 * k + 1) % (2 * n);
            mpfi_div_ui(part, even[turn <= n ? turn : 2 * n - turn], 4 * j * j - 1);
            mpfi_add(x, x, part);
        }
        mpfi_mul_2ui(x, x, 1);
        mpfi_ui_sub(x, 1, x);
        mpfi_div_ui(weight[k], x, n);
    }
    for (unsigned long i = 0; i <= n; i++)
        mpfi_clear(even[i]);
    mpfi_clear(x);
    mpfi_clear(part);
}
