/* SPDX-License-Identifier: MIT */
/* Turns of a scan, cut to the bits that it works with. */
#include "loss/scan_item.h"

#include "num/wide.h"

void scan_item_turn(scan_item *item, mpfr_t x)
{
    mpz_t turn, rest;
    uint64_t low = 0;
    mpz_inits(turn, rest, NULL);
    mpfr_mul_2ui(x, x, 64 + SCAN_REST_BITS, MPFR_RNDZ); /* exact */
    mpfr_get_z(turn, x, MPFR_RNDZ);
    mpz_fdiv_r_2exp(rest, turn, SCAN_REST_BITS);
    mpz_fdiv_q_2exp(turn, turn, SCAN_REST_BITS);
    mpz_fdiv_r_2exp(turn, turn, 64);
    item->turn = 0;
    wide_get_z(&item->turn, turn);
    wide_get_z(&low, rest);
    item->rest = (uint32_t)low;
    mpz_clears(turn, rest, NULL);
}

#define TURN_BITS 96

void scan_item_lattice_turn(scan_item *item, uint64_t m, uint64_t period)
{
    mpfr_t x;
    mpfr_init2(x, TURN_BITS);
    wide_set_fr(x, m % period, MPFR_RNDD);
    wide_div_fr(x, x, period, MPFR_RNDD);
    scan_item_turn(item, x);
    mpfr_clear(x);
}
