/* SPDX-License-Identifier: MIT */
#ifndef LOSS_RESPONSE_CELL_FIXED_H
#define LOSS_RESPONSE_CELL_FIXED_H

#include "loss/response.h"

/* As response_cell for one epsilon; false, and nothing set, where that is not proved to be within
 * the relative width. */
bool response_cell_fixed(mpfi_ptr g, mpfi_ptr v, const composed_loss *l, mpz_srcptr i,
                         mpfr_prec_t bits);

#endif
