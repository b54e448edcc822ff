/* SPDX-License-Identifier: MIT */
/* What an attacker may believe after the output, and how often he may believe more. */
#ifndef ATTACK_POSTERIOR_H
#define ATTACK_POSTERIOR_H

#include "attack/advantage.h"

dp_status posterior_rows(dp_result *out, attacker *a);

extern const bound posterior_pure, posterior_approx_published;
extern const bound loss_tail_approx, loss_tail_class, loss_tail_pair;

#endif
