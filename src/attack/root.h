/* SPDX-License-Identifier: MIT */
/* Certified roots: what is found may rest on doubles, what is returned has proved signs beside it.
 */
#ifndef ATTACK_ROOT_H
#define ATTACK_ROOT_H

#include <mpfi.h>
#include <stdbool.h>

#define ROOT_GUESSED 64 /* bits, of ten digits and some more: of a guess in doubles */

/* out encloses the value at the number x, an interval without width. */
typedef void (*root_function)(mpfi_t out, const mpfi_t x, const void *of);

/* Where a search begins, and what is known of the function. */
typedef struct root_start {
    mpfr_srcptr from; /* a guess however far off, positive unless `real`: a bracket is sought */
    double near;      /* without that: a guess, ... */
    double error;     /* ... about so far off: secants begin at once */
    int outward;      /* near: bits by which an end moves outward at a time; 0: some */
    bool real;        /* from: among all numbers, to an absolute precision; else among positive ones
                         to a relative one */
    bool tiny;        /* near: the width is a share of the root however small it is, else of 1e-6 */
    bool steep;       /* from: it all but jumps, and is halved alone */
    bool falls;       /* the function falls through 0, in place of growing */
} root_start;

/* Bits for a root of which `bits` are asked, so that it is narrow enough at once: it ends 24 bits
 * short of its own, which leaves some of the 30 beyond its digits, unless the guess is as good as
 * what is asked. */
static inline mpfr_prec_t root_bits(mpfr_prec_t bits)
{
    return bits > ROOT_GUESSED ? bits + 8 : bits;
}

/* out = where the function changes its sign, which it does once. Each end is a number at which the
 * sign is proved, or, where no sign beyond the root was proved, infinite; false then. */
bool root_enclose(mpfi_t out, root_function f, const void *of, const root_start *start);

/* Halves what was enclosed to about the width that secants would have given, where f is so steep
 * that they gave less; for that it need tell no more than the sign. */
void root_halve(mpfi_t out, root_function f, const void *of, const root_start *start);

/* Where the ends would not be printed as neighbours of so many digits, as a decimal is between
 * them: asks on which side of it the root is. */
void root_settle(mpfi_t out, root_function f, const void *of, const root_start *start,
                 size_t digits);

/* Is it proved that f is not positive at the upper end of `at`? What grows has its root there or
 * beyond. */
bool root_is_beyond(const mpfi_t at, root_function f, const void *of);

/* About where f changes its sign between two numbers, at which its signs differ: to the last
 * digits, as proofs begin beside it, or to so much. */
double root_guess(double (*f)(const void *of, double x), const void *of, double low, double high);
double root_guess_near(double (*f)(const void *of, double x), const void *of, double low,
                       double high, double error);

#endif
