/* SPDX-License-Identifier: MIT */
/* Certificates of one run against a privacy curve: weights u_k(c) >= 0 at slopes E_k with
 *     lambda + sum_k (c u_k(c) - E_k (r-c) u_k(c+1)) >= 1[c >= v]  for c = 0..r
 * prove Pr[W >= v] <= lambda + m sum_k delta(ln E_k) max_c u_k(c). Of a given sum of the weights
 * the cheapest ones fill slopes from the least one on, each up to its height: layers. */
#ifndef ATTACK_AUDIT_LAYERS_H
#define ATTACK_AUDIT_LAYERS_H

#include <mpfr.h>
#include <stdbool.h>
#include <stddef.h>

#define LAYERS_MOST 16

/* Heights are max_c u_k(c), or more. All numbers are exact. */
typedef struct layers {
    unsigned long guesses, right; /* r and v, 1 <= v <= r */
    unsigned long high;           /* from here on weights are made equal, v <= high <= r */
    size_t count;
    mpfr_t slope[LAYERS_MOST], height[LAYERS_MOST], lambda;
} layers;

void layers_init(layers *l);
void layers_clear(layers *l);

/* What it is to be good for: about delta at each slope, times m. */
typedef struct layers_goal {
    unsigned long guesses, right;
    size_t count;
    double slope[LAYERS_MOST], leak[LAYERS_MOST]; /* slopes increase */
    bool rough;                                   /* it is not to be certified */
} layers_goal;

/* l = about the certificate whose bound is the least one; proves nothing yet. */
void layers_seek(layers *l, const layers_goal *goal);

/* A certificate, of what was sought last. Nothing of the search is believed: the weights are made
 * once more, rounded upward, with a lambda that they prove. */
void layers_certify(layers *l);

#endif
