/* SPDX-License-Identifier: MIT */
/* Certified roots of functions that increase. */
#ifndef ATTACK_ROOT_H
#define ATTACK_ROOT_H

#include <mpfi.h>
#include <stdbool.h>

/* out encloses f(x), of a function that increases. */
typedef void (*attack_function)(mpfi_t out, const mpfi_t x, const void *of);

/* out encloses the root of f, searched for from the guess outward: among positive numbers, the
 * guess positive, to a relative precision; or, for `real`, among all, to an absolute one. The ends
 * are those at which the sign of f is proved. False where the precision of out tells no signs. */
bool attack_root(mpfi_t out, attack_function f, const void *of, mpfr_srcptr guess, bool real);

#endif
