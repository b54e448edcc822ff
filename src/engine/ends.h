/* SPDX-License-Identifier: MIT */
/* The profile of few uses of laws with ends (loss/ends.h), beside others with few losses in all: of
 *     s(x) = (1/pi) Im int M(z) e^(-xz) / (z (z+1)) dz   from c up to c + i infinity, c > 0,
 * or 1 more for -1 < c < 0, what is below z_1 = c + i tau as it is, and from there on each term of
 * M, a product of ends, along a ray to the side to which its exponential falls. Both rays are
 * summed in the logarithm of the distance from z_1. */
#ifndef ENGINE_ENDS_H
#define ENGINE_ENDS_H

#include "engine/atoms.h"
#include "engine/totals.h"
#include "loss/ends.h"

#define ENDS_KINDS 8
#define ENDS_RIGHT 0
#define ENDS_LEFT 1

typedef struct ends_kind {
    const loss *law;
    size_t index;
    unsigned long times;
    mpfi_t low, high; /* of a use */
} ends_kind;

typedef struct ends_sum {
    const totals *all;
    ends_kind kind[ENDS_KINDS]; /* the last one has the most uses */
    size_t kinds;
    atom_table table; /* of the others */
    mpfr_t eta, error;
    /* the plan: any is sound */
    double c, tau, step;
    double rho, reach;     /* of the ellipses of a panel, and their half-width there, or more */
    size_t panels, points; /* of the line below z_1 */
    ends_ray ray[2];
    mpfr_prec_t work;
    double seconds; /* about */
    double range;   /* of all sums of ends and of x, about */
    /* what it takes */
    size_t outer;                               /* terms of all but the last kind */
    mpfi_t *place;                              /* their sums of ends */
    cball *factor[2], *coefficient[2], *sum[2]; /* of the nodes, and of each with the outer ones,
                                                   and of each with the parts of the last kind */
    mpfi_t *re[2], *im[2];                      /* nodes */
    size_t far[2];                              /* the first node where waves could overflow: from
                                                   there on they are made with x */
    cball *near;                                /* terms of the line */
    mpfi_t *height;
    mpfi_t log_most, k_below, k_above;
    size_t *cut;
} ends_sum;

/* Is it for such a product? How many outer terms there are, and how many the last kind has at most;
 * 0: it is not. */
double ends_outer(double *most_terms, const product *list);

/* s near x to about a relative 2^-bits. DP_LIMIT: not this way, or not in time; DP_MEMORY. To be
 * closed in any case. */
dp_status ends_open(ends_sum *p, const totals *all, double x, mpfr_prec_t bits, const limits *lim);
void ends_close(ends_sum *p);

/* s encloses s(x); slope is about -ds/dx. */
void ends_profile(mpfi_t s, mpfr_t slope, const ends_sum *p, const mpfi_t x);

/* Parts of the above. Of the o-th outer term the j of each kind, and its atom. */
size_t ends_numbers(unsigned long j[ENDS_KINDS], const ends_sum *p, size_t o);
mpfi_t *ends_list_new(size_t count, mpfr_prec_t bits);
void ends_list_free(mpfi_t *list, size_t count);
dp_status ends_make_line(ends_sum *p, const limits *lim);
dp_status ends_make_ray(ends_sum *p, int side, const limits *lim);

/* Nodes of whatever the plan says. */
dp_status ends_make_nodes(ends_sum *p, const limits *lim);
void ends_clear_nodes(ends_sum *p);

bool ends_plan(ends_sum *p, double x, double bits);
void ends_bounds(ends_sum *p, const limits *lim);
void ends_missed(mpfr_t most, const ends_sum *p, mpfr_srcptr x, const double gap[2]);

#endif
