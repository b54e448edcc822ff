/* SPDX-License-Identifier: MIT */
/* The one search for an order of Renyi divergence. Every order is sound, so doubles choose it, a
 * short decimal of it is kept, and who asked evaluates his row there. */
#ifndef RENYI_ORDER_H
#define RENYI_ORDER_H

#include <gmp.h>
#include <mpfi.h>
#include <stdbool.h>

typedef struct order_search {
    /* About what is to be least, or a function that grows with it, at alpha = 1 + t; no number, or
     * HUGE_VAL, where nothing is known. Should have one valley between its corners. */
    double (*at)(const void *of, mpq_srcptr alpha, double t);
    const void *of;
    mpq_srcptr least, most; /* of alpha; NULL: just above 1, and where doubles end to help */
    const mpq_t *corner;    /* orders above 1 at which the value may jump, or have a kink */
    size_t corners;
} order_search;

/* alpha = the order found, within [least, most]. False: nothing is known at any order, or out of
 * memory. */
bool order_choose(mpq_t alpha, const order_search *s);

/* About the least value at 1 + e^u without corners, HUGE_VAL where nothing is known, and that u; of
 * all orders, or of those with u within `width` of `near`. */
double order_lowest(double *at, const order_search *s);
double order_lowest_near(double *at, const order_search *s, double near, double width);

/* An order that is chosen when it is first asked for, and kept for all precisions. */
typedef struct order_choice {
    mpq_t alpha;
    bool made, found;
} order_choice;

/* out encloses alpha - 1, one rounding away. */
void order_less_one(mpfi_t out, mpq_srcptr alpha);

#endif
