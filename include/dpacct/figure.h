/* SPDX-License-Identifier: MIT */
#ifndef DPACCT_FIGURE_H
#define DPACCT_FIGURE_H

#include <gmp.h>
#include <mpfi.h>
#include <stddef.h>

#include "dpacct/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A figure: what is proved about a real number. An enclosure contains the true value of the
 * formula; a rational is that value; infinite means that no finite number meets the statement. */
typedef enum dp_figure_kind { DP_ENCLOSED = 0, DP_RATIONAL, DP_INFINITE } dp_figure_kind;

typedef struct dp_figure {
    dp_figure_kind kind;
    mpfi_t enclosure; /* meaningful when kind == DP_ENCLOSED */
    mpq_t rational;   /* meaningful when kind == DP_RATIONAL */
} dp_figure;

typedef enum dp_end { DP_LOWER = 0, DP_UPPER = 1 } dp_end;

/* The most significant digits that are proved and printed. */
#define DP_MOST_DIGITS 10000

DP_API void dp_figure_init(dp_figure *x);
DP_API void dp_figure_clear(dp_figure *x);

/* The chosen end of the figure as a decimal with `digits` significant digits, rounded outward:
 * a lower end is never above, an upper end never below the true value. "inf" when infinite.
 * Returns malloc'd text; release it with dp_text_free. NULL when out of memory, and for digits
 * outside 1 to DP_MOST_DIGITS. */
DP_API char *dp_figure_decimal(const dp_figure *x, dp_end end, size_t digits);
DP_API void dp_text_free(char *text);

/* The chosen end, printed with `digits` digits, as a double: the smallest not below an upper end,
 * which is never 0 for a positive figure and HUGE_VAL when no double is large enough; the largest
 * not above a lower end, which is 0 for a positive figure that is smaller than every double.
 * HUGE_VAL for an infinite figure; the safe infinity for digits outside 1 to DP_MOST_DIGITS. Which
 * end may be relied on is a matter of the quantity: dp_quantity.safe. */
DP_API double dp_figure_double(const dp_figure *x, dp_end end, size_t digits);
DP_API double dp_figure_double_up(const dp_figure *x, size_t digits); /* of DP_UPPER */

/* Exact comparison of the whole figure with a rational: DP_YES when the true value is proved
 * <= bound, DP_NO when it is proved > bound, DP_UNKNOWN when the enclosure straddles it. */
DP_API dp_decision dp_figure_le(const dp_figure *x, const mpq_t bound);

#ifdef __cplusplus
}
#endif
#endif
