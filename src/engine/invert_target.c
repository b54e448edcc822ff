/* SPDX-License-Identifier: MIT */
/* What the profile of the losses alone is to be, so that with the leaks it is delta. */
#include "engine/invert.h"
#include "num/ival.h"

void optimal_target(mpfi_t target, const product *p, const mpq_t delta)
{
    mpfi_t keep;
    mpfi_init2(keep, mpfi_get_prec(target));
    product_log_keep(keep, p);
    ival_log1m_q(target, delta);
    mpfi_sub(target, target, keep);
    mpfi_expm1(target, target);
    mpfi_neg(target, target);
    ival_clamp_ui(target, 0, 1);
    mpfi_clear(keep);
}
