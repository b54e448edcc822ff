/* SPDX-License-Identifier: MIT */
/* What MPFI lacks. Every output encloses the value of the function at every point of the inputs,
 * rounded outward at the output's precision; outputs may be inputs. */
#ifndef NUM_IVAL_H
#define NUM_IVAL_H

#include <gmp.h>
#include <mpfi.h>
#include <stdbool.h>

#include "dpacct/number.h"

/* out = x, enclosed: a rational by one directed division, ln(R) through log1p(R - 1) near 1. */
void ival_set_number(mpfi_t out, const dp_number *x);

/* out = e^x: exact rational R enclosed when x = ln(R). */
void ival_exp_number(mpfi_t out, const dp_number *x);

/* out = e^x - 1: the rational R - 1 enclosed when x = ln(R). */
void ival_expm1_number(mpfi_t out, const dp_number *x);

/* out = ln(q), q > 0, without cancellation for q near 1. */
void ival_log_q(mpfi_t out, const mpq_t q);

/* out = ln(1 - q), 0 <= q < 1. */
void ival_log1m_q(mpfi_t out, const mpq_t q);

/* About x and ln(q), q > 0: for where to look. */
double ival_guess(const dp_number *x);
double ival_guess_log(const mpq_t q);

/* out = e^x, as MPFI's. */
void ival_exp(mpfi_t out, const mpfi_t x);

/* out = e^x - 1 and ln(1 + x): as MPFI's, up to two units wider, by one evaluation where x is about
 * a point. */
void ival_expm1(mpfi_t out, const mpfi_t x);
void ival_log1p(mpfi_t out, const mpfi_t x);

/* out = x * z */
void ival_mul_z(mpfi_t out, const mpfi_t x, const mpz_t z);

/* out = 1 - (1-a)(1-b) for a, b in [0, 1]: written a + b(1-a), so nothing cancels. */
void ival_union(mpfi_t out, const mpfi_t a, const mpfi_t b);

/* out = tanh(x/2) = expm1(x)/(expm1(x)+2), x >= 0; for large x from expm1(-x). */
void ival_tanh_half(mpfi_t out, const mpfi_t x);

/* x = erfc(x) */
void ival_to_erfc(mpfi_t x);

/* out = Phi(-t)/phi(t) of the normal law; false where t is too small for the bits of out. */
bool ival_mills(mpfi_t out, const mpfi_t t);

/* out = ln(1 + e^-x) for x >= 0 */
void ival_log1p_exp_neg(mpfi_t out, const mpfi_t x);

/* out = ln(1 + q (e^x - 1)) for x >= 0 and 0 < q <= 1: a sampled epsilon. Large x are not raised to
 * e^x. */
void ival_log1p_share(mpfi_t out, const mpfi_t x, const mpq_t q);

/* out = min(max(out, lo), hi), and out = max(out, 0): exact on each end. */
void ival_clamp_ui(mpfi_t out, unsigned long lo, unsigned long hi);
void ival_at_least_zero(mpfi_t out);

/* x = min(x, y) and x = max(x, y), of enclosed numbers */
void ival_take_least(mpfi_t x, const mpfi_t y);
void ival_take_most(mpfi_t x, const mpfi_t y);

/* True when an end is a NaN: an argument lay partly outside the domain. */
bool ival_bad(const mpfi_t x);

#endif
