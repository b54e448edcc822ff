/* SPDX-License-Identifier: MIT */
/* How a bound sets its figures. */
#include "core/bound.h"

void figure_set_q(dp_figure *f, const mpq_t value)
{
    f->kind = DP_RATIONAL;
    mpq_set(f->rational, value);
}

void figure_set_ui(dp_figure *f, unsigned long value)
{
    f->kind = DP_RATIONAL;
    mpq_set_ui(f->rational, value, 1);
}

void figure_set_infinite(dp_figure *f)
{
    f->kind = DP_INFINITE;
}

void figure_set_form(dp_figure *f, const logform *value, mpfr_prec_t bits)
{
    if (value->count == 0)
        figure_set_q(f, value->rational);
    else
        logform_enclose(figure_enclose(f, bits), value);
}

mpfi_ptr figure_enclose(dp_figure *f, mpfr_prec_t bits)
{
    f->kind = DP_ENCLOSED;
    if (mpfi_get_prec(f->enclosure) != bits)
        mpfi_set_prec(f->enclosure, bits);
    return f->enclosure;
}
