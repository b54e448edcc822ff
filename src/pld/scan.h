/* SPDX-License-Identifier: MIT */
/* Which nodes of a trapezoidal sum matter? With phi the characteristic function of the tilted loss,
 *     -ln |phi(n)| >= D(n) = (1/4) sum_i w_i (1 - cos(2 pi n turn_i)),
 * w_i = times / cosh^2(eps_i (c + 1/2)), turn_i the advance of item i from node to node. Nodes with
 * D >= Lambda are dropped; the others are returned. Everything that drops a node is integer
 * arithmetic: weights and table entries are rounded down and the error of every phase is charged,
 * so D is never overestimated; a run of nodes is dropped at once through bounds of the first and
 * second derivative. */
#ifndef PLD_SCAN_H
#define PLD_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "num/limits.h"

/* A turn has 88 bits: at a node below 2^SCAN_NODE_BITS the phase is then known to 2^-48 turns, and
 * 24 of its bits times such a node fit a word. */
#define SCAN_NODE_BITS 40
#define SCAN_REST_BITS 24

typedef struct scan_item {
    /* advance per node, modulo 1, is turn 2^-64 + rest 2^-88, to less than 2^-88 either way */
    uint64_t turn;
    uint32_t rest; /* below 2^24 */
    double weight; /* a lower bound of w_i, finite, >= 0 */
} scan_item;

typedef struct node_list {
    uint64_t *node;
    size_t count, room;
} node_list;

/* Appends to `out` every node of first .. last with D < lambda (a few more may be kept), ascending.
 * last < 2^40. Fails with DP_LIMIT when more than `most` nodes remain or time is up, DP_MEMORY. */
dp_status scan_nodes(node_list *out, const scan_item *item, size_t count, uint64_t first,
                     uint64_t last, double lambda, size_t most, const limits *lim);

void node_list_clear(node_list *list);

#endif
