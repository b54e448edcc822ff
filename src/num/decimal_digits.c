/* SPDX-License-Identifier: MIT */
/* The digits of a decimal: where they stand, and zeros at their end. */
#include <string.h>

#include "num/decimal.h"
#include "num/memory.h"

void dec_init(dec *d)
{
    d->sign = 0;
    d->infinite = d->exact = false;
    d->point = 0;
    d->count = 0;
    d->digit = d->local;
    d->room = sizeof d->local;
}

void dec_clear(dec *d)
{
    if (d->digit != d->local)
        memory_free(d->digit);
    dec_init(d);
}

void dec_strip(dec *d)
{
    while (d->count > 1 && d->digit[d->count - 1] == '0')
        d->count--;
}

bool dec_fill(dec *d, size_t n)
{
    if (d->sign == 0 || d->infinite || d->count >= n)
        return true;
    char *kept = d->digit;
    if (n > d->room) {
        d->digit = memory_new(n, 1);
        if (d->digit == NULL) {
            d->digit = kept;
            return false;
        }
        d->room = n;
        memcpy(d->digit, kept, d->count);
        if (kept != d->local)
            memory_free(kept);
    }
    memset(d->digit + d->count, '0', n - d->count);
    d->count = n;
    d->exact = false;
    return true;
}
