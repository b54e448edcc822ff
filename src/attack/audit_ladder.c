/* SPDX-License-Identifier: MIT */
/* Binomial tails one trial after another. */
#include "attack/audit_ladder.h"

void ladder_init(ladder *l, mpfr_prec_t bits)
{
    l->r = l->v = 0;
    share_init(&l->odds, bits);
    mpfi_init2(l->tail, bits);
    mpfi_init2(l->mass, bits);
    mpfi_init2(l->part, bits);
    mpfi_set_ui(l->tail, 1);
    mpfi_set_ui(l->mass, 1);
}

void ladder_clear(ladder *l)
{
    mpfi_clear(l->part);
    mpfi_clear(l->mass);
    mpfi_clear(l->tail);
    share_clear(&l->odds);
}

/* r + 1 guesses, v right: Pr[Bin(r+1) >= v] = Pr[Bin(r) >= v] + q Pr[Bin(r) = v-1] */
void ladder_climb(ladder *l)
{
    mpfi_mul(l->part, l->mass, l->odds.no); /* q Pr[v-1] = Pr[v] v (1-q)/(r-v+1) */
    mpfi_mul_ui(l->part, l->part, l->v);
    mpfi_div_ui(l->part, l->part, l->r - l->v + 1);
    mpfi_add(l->tail, l->tail, l->part);
    l->r++;
    mpfi_mul(l->mass, l->mass, l->odds.no);
    mpfi_mul_ui(l->mass, l->mass, l->r);
    mpfi_div_ui(l->mass, l->mass, l->r - l->v);
}

/* r + 1 guesses, v + 1 right: Pr[Bin(r+1) >= v+1] = Pr[Bin(r) >= v] - (1-q) Pr[Bin(r) = v] */
void ladder_climb_both(ladder *l)
{
    mpfi_mul(l->part, l->mass, l->odds.no);
    mpfi_sub(l->tail, l->tail, l->part);
    l->r++;
    l->v++;
    mpfi_mul(l->mass, l->mass, l->odds.yes);
    mpfi_mul_ui(l->mass, l->mass, l->r);
    mpfi_div_ui(l->mass, l->mass, l->v);
}
