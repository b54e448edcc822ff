/* SPDX-License-Identifier: MIT */
/* How well an attacker guesses an attribute or a secret of the record. */
#ifndef ATTACK_RECONSTRUCTION_H
#define ATTACK_RECONSTRUCTION_H

#include "attack/advantage.h"

dp_status reconstruction_rows(dp_result *out, attacker *a, dp_error *err);

extern const bound attribute_adv, rero_f, rero_linear, rero_replace_uniform, rero_replace_shortlist,
    rero_replace_prior;

#endif
