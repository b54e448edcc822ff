/* SPDX-License-Identifier: MIT */
#include "pld/lattice.h"

#include <stdlib.h>

#include "num/ival.h"

/* Up to this many terms the direct sum is the faster one. */
#define DIRECT_TERMS 3000UL

bool lattice_init(lattice *f, const composed *list)
{
    f->list = list;
    dp_number_init(&f->step);
    mpz_init(f->span);
    bool ok = tilt_init(&f->tilt, list) && list->losses == 1;
    if (ok) {
        dp_number_set(&f->step, &list->loss[0].epsilon);
        mpz_set(f->span, list->loss[0].times);
    }
    return ok;
}

void lattice_clear(lattice *f)
{
    tilt_clear(&f->tilt);
    mpz_clear(f->span);
    dp_number_clear(&f->step);
}

dp_status lattice_cell(mpfi_t g, mpfi_t v, const lattice *f, const mpz_t i, mpfr_prec_t bits)
{
    /* terms from the cell up to the top atom */
    if (mpz_cmp_ui(i, DIRECT_TERMS) <= 0)
        return direct_cell(g, v, f, i, bits);
    return contour_cell(g, v, f, i, bits);
}

void lattice_position(mpfi_t out, const lattice *f, const mpfi_t distance)
{
    mpfi_t twice;
    mpfi_init2(twice, mpfi_get_prec(out));
    ival_set_number(twice, &f->step);
    mpfi_mul_2ui(twice, twice, 1);
    mpfi_div(out, distance, twice);
    mpfi_clear(twice);
}
