/* SPDX-License-Identifier: MIT */
/* Certified roots: what is found may rest on doubles, what is returned has proved signs beside it.
 */
#ifndef ATTACK_ROOT_H
#define ATTACK_ROOT_H

#include <mpfi.h>
#include <stdbool.h>

/* out encloses the value at the number x, an interval without width. */
typedef void (*root_function)(mpfi_t out, const mpfi_t x, const void *of);

/* Where a search begins, and what is known of the function. */
typedef struct root_start {
    mpfr_srcptr from; /* a guess however far off, positive unless `real`: a bracket is sought */
    double near;      /* without that: a guess, ... */
    double error;     /* ... about so far off: secants begin at once */
    bool real;        /* from: among all numbers, to an absolute precision; else among positive ones
                         to a relative one */
    bool tiny;        /* near: the width is a share of the root however small it is, else of 1e-6 */
    bool falls;       /* the function falls through 0, in place of growing */
} root_start;

/* out = where the function changes its sign, which it does once. Each end is a number at which the
 * sign is proved, or, where no sign beyond the root was proved, infinite; false then. */
bool root_enclose(mpfi_t out, root_function f, const void *of, const root_start *start);

/* About where f changes its sign between two numbers, at which its signs differ. */
double root_guess(double (*f)(const void *of, double x), const void *of, double low, double high);

#endif
