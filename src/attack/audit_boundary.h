/* SPDX-License-Identifier: MIT */
/* About where what refutes a claim ends, and about the power of a number of trials: for a search of
 * plans, which proves what it finds. In doubles; nothing certified rests on them. */
#ifndef ATTACK_AUDIT_BOUNDARY_H
#define ATTACK_AUDIT_BOUNDARY_H

#include "attack/audit.h"

#define BOUNDARY_ROWS 7
#define BOUNDARY_COLUMNS 64 /* most */
#define BOUNDARY_PARTS 3
#define BOUNDARY_SPAN 4096 /* counts of misses, or of alarms, that are looked at together */

/* A part of it: f as (f - n alarmed)/sqrt(n), and what is below 0 where the part counts. */
typedef struct boundary_part {
    double f[BOUNDARY_COLUMNS], side[BOUNDARY_COLUMNS];
} boundary_part;

/* The number f of false positives at which d misses just refute, in parts that are smooth functions
 * of d and of the number of trials, between some places of it. */
typedef struct boundary {
    const audit_in *in;
    double level[2];        /* about ln of what tails are compared with: their product, or each */
    double missed, alarmed; /* rates */
    double z;               /* so many standard deviations are looked at */
    double least, most;     /* of trials: the rows are for these; most = 0: none */
    double wide;            /* the columns are at (d - n missed)/sqrt(n) from -wide to wide */
    double row[BOUNDARY_ROWS];
    boundary_part at[BOUNDARY_ROWS][BOUNDARY_PARTS];
    double n; /* last asked about, and the same there */
    boundary_part of_n[BOUNDARY_PARTS];
    double foot, spread; /* where most of what is next to it lies, as the columns; 0: not told */
    double mass[BOUNDARY_SPAN], tail[BOUNDARY_SPAN];
} boundary;

/* For so many trials; in, level, missed, alarmed and z are set. */
void boundary_fill(boundary *b, unsigned long least, unsigned long most);

/* *f = about how many f, from 0 on, refute with d misses of n and n. False where it is not known:
 * for other trials, and near the ends of all counts. */
bool boundary_count(unsigned long *f, boundary *b, unsigned long d, unsigned long n);

/* How many d, down from this one, are a group where groups next to the foot are of `group`: so many
 * more that it loses about as much. */
unsigned long boundary_group(const boundary *b, unsigned long d, unsigned long n,
                             unsigned long group);

/* `drawn` trials with the boundary of n, n <= drawn, and for each d that of the last one of its
 * group: groups of `group`, or what is made of that, from `to` down. */
typedef struct boundary_range {
    unsigned long n, drawn, to, group;
    bool eased;
} boundary_range;

/* About the power of it; count(of, d) where the number is not known here. Below 0 where nothing is.
 */
double boundary_power(boundary *b, const boundary_range *r,
                      unsigned long (*count)(void *of, unsigned long d), void *of);

#endif
