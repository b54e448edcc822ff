/* SPDX-License-Identifier: MIT */
/* A Renyi curve of which some points are known. (alpha-1) r(alpha) = ln E_P e^((alpha-1) L) is
 * convex in alpha and 0 at 1, and so is the largest of it over neighbours: between two known points
 * it is below the chord, and below that from 1. The least bound that points give is therefore their
 * lower convex hull with (1, 0). r itself need not be convex: a chord of r is no bound. */
#ifndef RENYI_POINTS_H
#define RENYI_POINTS_H

#include "renyi/conversion.h"

/* Corners of the hull, by rising order; exact. */
typedef struct renyi_points {
    mpq_t *alpha, *moment; /* moment = (alpha-1) r */
    size_t count, room;
} renyi_points;

/* From r[i * step] at orders alpha[i * step] > 1, in any order, `count` >= 1 of them. False: out of
 * memory; safe to clear in any case. */
bool renyi_points_init(renyi_points *p, const mpq_t *alpha, const mpq_t *r, size_t step,
                       size_t count);
void renyi_points_clear(renyi_points *p);

/* r = the bound at alpha, exactly, from 1 down that of its limit; false above the greatest order.
 */
bool renyi_points_at(mpq_t r, const renyi_points *p, mpq_srcptr alpha);

renyi_curve renyi_points_curve(const renyi_points *p);

#endif
