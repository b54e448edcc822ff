/* SPDX-License-Identifier: MIT */
/* The tail of the loss of a class: the largest y with y <= F(e^-t y). */
#ifndef ATTACK_TAIL_H
#define ATTACK_TAIL_H

#include "attack/advantage.h"

/* Nothing is ever told: F(x) = x. */
bool tail_is_none(const attacker *a);

/* y encloses it at t = a->t > 0: BY_GDP, BY_RDP, and BY_ZCDP at the order a->alpha; from 0 where it
 * is below all numbers. */
void tail_of_class(mpfi_t y, const attacker *a);
bool tail_choose(attacker *a); /* a->alpha = about the best order there */

/* out = delta(s)/(1 - e^(s-t)), at most 1, at an s that is chosen. */
dp_status tail_of_profile(dp_figure *out, attacker *a);

#endif
