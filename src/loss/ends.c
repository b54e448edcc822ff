/* SPDX-License-Identifier: MIT */
#include "loss/ends.h"

void ends_point(mpfi_t re, mpfi_t im, const ends_ray *at, size_t m)
{
    long n = 2 * (at->first + (long)m);
    mpfi_set_d(im, at->step);
    mpfi_mul_si(im, im, n);
    mpfi_exp(im, im);
    mpfi_set_ui(re, 2);
    mpfi_sqrt(re, re);
    mpfi_div(im, im, re);
    if (at->left)
        mpfi_d_sub(re, at->c, im);
    else
        mpfi_add_d(re, im, at->c);
    mpfi_add_d(im, im, at->tau);
}
