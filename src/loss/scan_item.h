/* SPDX-License-Identifier: MIT */
/* What a scan of nodes sees of one item of a list: how its phase advances, and its weight. */
#ifndef LOSS_SCAN_ITEM_H
#define LOSS_SCAN_ITEM_H

#include <mpfr.h>
#include <stdint.h>

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

/* The turn x mod 1, x >= 0, cut off at 2^-88: x is known to half of that, and is lost. */
void scan_item_turn(scan_item *item, mpfr_t x);

/* m / N modulo 1, rounded down */
void scan_item_lattice_turn(scan_item *item, uint64_t m, uint64_t period);

#endif
