/* SPDX-License-Identifier: MIT */
/* Figures: exact, enclosed or infinite; compared, and given as texts and doubles. */
#include "dpacct/figure.h"

#include <math.h>

#include "num/decimal.h"
#include "num/memory.h"

void dp_figure_init(dp_figure *x)
{
    if (x == NULL)
        return;
    x->kind = DP_ENCLOSED;
    mpfi_init2(x->enclosure, 64);
    mpfi_set_ui(x->enclosure, 0);
    mpq_init(x->rational);
}

void dp_figure_clear(dp_figure *x)
{
    if (x == NULL)
        return;
    mpfi_clear(x->enclosure);
    mpq_clear(x->rational);
}

static bool can_show(const dp_figure *x, dp_end end, size_t digits)
{
    return x != NULL && (end == DP_LOWER || end == DP_UPPER) && digits > 0 &&
           digits <= DP_MOST_DIGITS;
}

char *dp_figure_decimal(const dp_figure *x, dp_end end, size_t digits)
{
    dec d;
    dec_init(&d);
    char *text = NULL;
    if (can_show(x, end, digits) && dec_set_figure(&d, x, end, digits))
        text = memory_new(dec_size(&d) + 1, 1);
    if (text != NULL)
        text[dec_print(text, &d)] = '\0';
    dec_clear(&d);
    return text;
}

void dp_text_free(char *text)
{
    memory_free(text);
}

double dp_figure_double(const dp_figure *x, dp_end end, size_t digits)
{
    dec d;
    dec_init(&d);
    double safe = end == DP_UPPER ? HUGE_VAL : -HUGE_VAL;
    if (can_show(x, end, digits) && dec_set_figure(&d, x, end, digits))
        safe = dec_double(&d, end);
    dec_clear(&d);
    return safe;
}

double dp_figure_double_up(const dp_figure *x, size_t digits)
{
    return dp_figure_double(x, DP_UPPER, digits);
}

dp_decision dp_figure_le(const dp_figure *x, const mpq_t bound)
{
    if (x == NULL || bound == NULL || mpz_sgn(mpq_denref(bound)) <= 0)
        return DP_UNKNOWN;
    if (x->kind == DP_INFINITE)
        return DP_NO;
    if (x->kind == DP_RATIONAL)
        return mpq_cmp(x->rational, bound) <= 0 ? DP_YES : DP_NO;
    if (mpfi_nan_p(x->enclosure))
        return DP_UNKNOWN;
    if (mpfr_cmp_q(&x->enclosure->right, bound) <= 0)
        return DP_YES;
    return mpfr_cmp_q(&x->enclosure->left, bound) > 0 ? DP_NO : DP_UNKNOWN;
}
