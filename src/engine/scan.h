/* SPDX-License-Identifier: MIT */
/* Which nodes of a trapezoidal sum matter? With phi the characteristic function of the tilted loss,
 *     -ln |phi(n)| >= D(n) = (1/4) sum_i w_i (1 - cos(2 pi n turn_i)),
 * w_i = times / cosh^2(eps_i (c + 1/2)), turn_i the advance of item i from node to node. Nodes with
 * D >= Lambda are dropped; the others are returned. Everything that drops a node is integer
 * arithmetic: weights and table entries are rounded down and the error of every phase is charged,
 * so D is never overestimated; a run of nodes is dropped at once through bounds of the first and
 * second derivative. */
#ifndef ENGINE_SCAN_H
#define ENGINE_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "loss/scan_item.h"
#include "num/limits.h"

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
