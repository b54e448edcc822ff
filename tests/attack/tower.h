/* SPDX-License-Identifier: MIT */
/* Pr[Bin(r, q) >= v] and the mass of v along a path, one step after another at many bits. */
#ifndef TESTS_TOWER_H
#define TESTS_TOWER_H

#include <mpfr.h>
#include <stdbool.h>

#define BITS 6000 /* beyond e^-3000, the lesser side of 100 guesses at epsilon 30 */

typedef struct tower {
    mpfr_t yes, no, tail, mass, part;
    unsigned long r, v;
} tower;

static inline void tower_init(tower *t, double epsilon)
{
    mpfr_inits2(BITS, t->yes, t->no, t->tail, t->mass, t->part, (mpfr_ptr)0);
    mpfr_set_d(t->yes, epsilon, MPFR_RNDN);
    mpfr_neg(t->no, t->yes, MPFR_RNDN);
    mpfr_exp(t->no, t->no, MPFR_RNDN);
    mpfr_add_ui(t->yes, t->no, 1, MPFR_RNDN);
    mpfr_div(t->no, t->no, t->yes, MPFR_RNDN);
    mpfr_ui_div(t->yes, 1, t->yes, MPFR_RNDN);
    mpfr_set_ui(t->tail, 1, MPFR_RNDN);
    mpfr_set_ui(t->mass, 1, MPFR_RNDN);
    t->r = t->v = 0;
}

static inline void tower_clear(tower *t)
{
    mpfr_clears(t->yes, t->no, t->tail, t->mass, t->part, (mpfr_ptr)0);
}

/* part = what the tail gains by a trial more and the same v */
static inline void gain(tower *t)
{
    mpfr_mul(t->part, t->mass, t->no, MPFR_RNDN);
    mpfr_mul_ui(t->part, t->part, t->v, MPFR_RNDN);
    mpfr_div_ui(t->part, t->part, t->r - t->v + 1, MPFR_RNDN);
}

static inline void step(tower *t, bool stay)
{
    if (stay)
        gain(t);
    else
        mpfr_mul(t->part, t->mass, t->no, MPFR_RNDN);
    (stay ? mpfr_add : mpfr_sub)(t->tail, t->tail, t->part, MPFR_RNDN);
    t->r++;
    mpfr_mul(t->mass, t->mass, stay ? t->no : t->yes, MPFR_RNDN);
    mpfr_mul_ui(t->mass, t->mass, t->r, MPFR_RNDN);
    t->v += stay ? 0 : 1;
    mpfr_div_ui(t->mass, t->mass, stay ? t->r - t->v : t->v, MPFR_RNDN);
}

#endif
