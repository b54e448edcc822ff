/* SPDX-License-Identifier: MIT */
/* The worst case of a private majority by its definition: all vertices of what the mechanisms may
 * do, in exact rationals. Every epsilon is the logarithm of a rational, or 0. */
#ifndef WORLD_H
#define WORLD_H

#include <gmp.h>

#include "dpacct/dpacct.h"

#define WORLD_VOTERS 5
#define WORLD_GROUPS 3
#define WORLD_CORNERS 8

typedef struct world {
    unsigned voters, groups, size[WORLD_GROUPS];
    mpq_t corner[WORLD_GROUPS][WORLD_CORNERS][2]; /* Pr[vote is 1] on two neighbouring data sets */
    mpq_t one[WORLD_VOTERS + 1];                  /* Pr[answer is 1 | votes] */
    mpq_t target, delta;                          /* e^epsilon and delta that are asked about */
    mpq_t worst;                                  /* the smallest delta at the target */
    mpq_t needed; /* the smallest e^epsilon, at least 1, at that delta; 0: none is enough */
} world;

void world_init(world *w, const dp_composition *groups);
void world_clear(world *w);

/* The noise function of a row: its upper half, or all of it. */
void world_noise(world *w, const dp_row *row);

/* Fills worst and needed. */
void world_judge(world *w, const mpq_t target, const mpq_t delta);

#endif
