/* SPDX-License-Identifier: MIT */
/* One cell of a lattice, by the sum of the law itself or by a contour. */
#include "engine/lattice.h"

dp_status direct_cell(mpfi_t g, mpfi_t v, const lattice *f, const mpz_t i, mpfr_prec_t bits,
                      const limits *lim)
{
    const loss *law = &f->all->product->item[0];
    return law->ops->cell(g, v, law->self, i, bits, lim);
}

dp_status lattice_cell(mpfi_t g, mpfi_t v, const lattice *f, const mpz_t i, mpfr_prec_t bits,
                       const limits *lim)
{
    unsigned long most = DIRECT_TERMS_A_BIT * (unsigned long)bits;
    if (f->direct && mpz_cmp_ui(i, most > DIRECT_TERMS ? most : DIRECT_TERMS) <= 0)
        return direct_cell(g, v, f, i, bits, lim);
    contour c;
    dp_status status =
        contour_open(&c, f, f->all->tilt.total - 2 * f->h * mpz_get_d(i), bits, false, lim);
    if (status == DP_OK)
        contour_cell(g, v, &c, i);
    contour_close(&c);
    return status;
}
