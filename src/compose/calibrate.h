/* SPDX-License-Identifier: MIT */
/* What a search for the value of a parameter looks for. */
#ifndef COMPOSE_CALIBRATE_H
#define COMPOSE_CALIBRATE_H

#include "compose/optimal.h"
#include "core/mechanism.h"

typedef struct calibration {
    const dp_composition *list;   /* the one mechanism */
    const dp_composition *beside; /* what is spent beside it, or NULL */
    const char *name, *key;       /* of the parameter */
    bool grows;                   /* the mechanism is more private with more of it */
    bool whole, share;            /* an integer; at most 1 */
    mpq_t unit;                   /* candidates are (top - z) units where it grows, else z units */
    mpz_t top;
    const dp_number *max_epsilon;
    mpq_srcptr max_delta;
    const dp_options *opt;
    limits lim;
    dp_result *out;
    struct progress {
        unsigned met;
        mpq_t best; /* the value proved to fit that is nearest to what does not; 0: none */
        mpq_t far;  /* the value nearest to it that is known not to fit; 0: none */
    } * so_far;
} calibration;

/* copy = the mechanism with that value, which stands first, and what is beside it */
dp_status calibration_list(dp_composition *copy, const calibration *c, const mpq_t x);

/* near = where the profile seems to pass through the budget, by secants from near. False: they lead
 * nowhere. Chooses only. */
bool calibration_approach(mpq_t near, const calibration *c);

#endif
