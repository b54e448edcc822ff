/* SPDX-License-Identifier: MIT */
#include "attack/randomised.h"

/* out = Pr[Bin(n, q) >= v], before = Pr[Bin(n, q) = v - 1] */
static void tail_of(mpfi_t out, mpfi_t before, unsigned long n, unsigned long v, const share *odds)
{
    share tail;
    share_init(&tail, mpfi_get_prec(out));
    binomial_tail(&tail, before, v, n, odds);
    mpfi_mul_ui(before, before, v);
    mpfi_div_ui(before, before, n - v + 1);
    mpfi_mul(before, before, odds->no);
    mpfi_div(before, before, odds->yes);
    mpfi_set(out, tail.yes);
    share_clear(&tail);
}

void randomised_spare(mpfi_t spare, unsigned long n, unsigned long v, const mpfi_t level,
                      const share *odds)
{
    mpfi_t before;
    mpfi_init2(before, mpfi_get_prec(spare));
    tail_of(spare, before, n, v, odds);
    mpfi_sub(spare, level, spare);
    mpfi_div(spare, spare, before);
    mpfi_clear(before);
}

void randomised_tail(mpfi_t out, unsigned long n, unsigned long v, const mpfi_t spare,
                     const share *odds)
{
    mpfi_t before;
    mpfi_init2(before, mpfi_get_prec(out));
    tail_of(out, before, n, v, odds);
    mpfi_mul(before, before, spare);
    mpfi_add(out, out, before);
    mpfi_clear(before);
}
