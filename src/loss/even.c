/* SPDX-License-Identifier: MIT */
/* Even moments of an interval: the ends, and the least one if it is among them. */
#include "loss/even.h"

void even_moment(mpfi_t k, even_function *at, const void *item, const mpfi_t z, const limits *lim)
{
    at(k, item, &z->left, lim);
    if (mpfr_equal_p(&z->left, &z->right))
        return;
    mpfi_t other;
    mpfi_init2(other, mpfi_get_prec(k));
    at(other, item, &z->right, lim);
    mpfi_union(k, k, other);
    if (mpfr_cmp_d(&z->left, -0.5) < 0 && mpfr_cmp_d(&z->right, -0.5) > 0) {
        MPFR_DECL_INIT(middle, 8);
        mpfr_set_d(middle, -0.5, MPFR_RNDN);
        at(other, item, middle, lim);
        mpfi_union(k, k, other);
    }
    mpfi_clear(other);
}
