/* SPDX-License-Identifier: MIT */
/* The only precision loops of the library. */
#ifndef CORE_REFINE_H
#define CORE_REFINE_H

#include "core/bound.h"
#include "dpacct/result.h"
#include "num/limits.h"

/* Beyond this many bits more than the asked digits need, an enclosure is shown as it is: a closed
 * form affords many, a sum over a distribution few. */
#define REFINE_CLOSED_FORM 65536
#define REFINE_BRACKET 64

/* Working precision at which `digits` digits are usually proved at the first try. */
mpfr_prec_t refine_bits(size_t digits);
/* Of which so many are of bits. */
size_t refine_digits(mpfr_prec_t bits);

/* Raises the precision until the printed ends of every figure agree to opt->digits, asking for
 * the exact rational where the enclosure straddles a short decimal. Each attempt tells what the
 * next one may cost, and none is begun that would not end in time. DP_OK; DP_LIMIT when the figures
 * stay wider (they are still enclosures, [0, inf] where eval had no precision that it could use),
 * with the limit noted in opt->met; what else eval returns. */
dp_status refine(dp_figure *out, size_t count, bound_eval eval, const void *in,
                 const dp_options *opt, mpfr_prec_t extra_bits);

/* How many times as many bits there is time for, at most 4, when an attempt took so many seconds:
 * the cost is taken to grow as the square of the precision. Below REFINE_LEAST_GROWTH another
 * attempt is not worth it. */
#define REFINE_LEAST_GROWTH 1.25
double refine_growth(const limits *lim, double seconds);

/* Is figure `which` of eval <= limit? Rational first, because an enclosure never separates from a
 * limit that the value equals; then enclosures of rising precision up to max_bits. */
dp_status refine_decide(dp_decision *answer, bound_eval eval, size_t count, size_t which,
                        const void *in, const mpq_t limit, mpfr_prec_t max_bits, const limits *lim);

/* Does one printed figure agree with itself to `digits` digits? */
bool refine_agrees(const dp_figure *x, size_t digits);

/* Is the enclosure so narrow that only a decimal of that many digits inside it keeps its printed
 * ends apart? Then q is that decimal, and nothing else the value can be shown as exactly. */
bool refine_straddled(mpq_t q, const dp_figure *x, size_t digits);

#endif
