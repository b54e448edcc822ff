/* SPDX-License-Identifier: MIT */
/* Two products of which only the greater figure is asked for: delta at x, or where x is NULL
 * epsilon at delta. One is evaluated to all digits, and the other is proved to be no greater. */
#ifndef ENGINE_COMPARE_H
#define ENGINE_COMPARE_H

#include "engine/invert.h"

typedef enum compare_guess {
    COMPARE_NEAR,   /* too near to tell, or nothing is known */
    COMPARE_FIRST,  /* the first is greater */
    COMPARE_SECOND, /* the second */
} compare_guess;

/* By estimates: chooses only. */
compare_guess compare_products(const engine *first, const engine *second, const logform *x,
                               mpq_srcptr delta);

/* Is the figure of that product proved to be at most the lower end of this one? */
bool compare_is_below(const engine *e, const dp_figure *figure, const logform *x, mpq_srcptr delta,
                      const limits *lim);

#endif
