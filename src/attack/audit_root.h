/* SPDX-License-Identifier: MIT */
/* Roots of functions that are enclosed at single points. */
#ifndef ATTACK_AUDIT_ROOT_H
#define ATTACK_AUDIT_ROOT_H

#include <mpfi.h>
#include <stdbool.h>

/* out encloses the value at the number `at`, an interval without width. */
typedef void (*audit_function)(mpfi_t out, const void *in, const mpfi_t at);

/* out = where the function changes its sign, once, from minus to plus where it grows: from a guess
 * with about that error. The signs at both ends of out are proved. Where they are not, out is
 * [-inf, inf]. */
void audit_root(mpfi_t out, audit_function f, const void *in, double guess, double error,
                bool grows);

/* About where f changes its sign between two numbers, at which its signs differ. */
double guess_root(double (*f)(const void *in, double x), const void *in, double low, double high);

#endif
