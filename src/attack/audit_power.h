/* SPDX-License-Identifier: MIT */
/* The power of plans of two samples, as its search asks for it. */
#ifndef ATTACK_AUDIT_POWER_H
#define ATTACK_AUDIT_POWER_H

#include "attack/audit.h"

typedef struct power power;

/* Of what is planned; NULL: out of memory. */
power *power_new(const audit_in *in, const dp_options *opt);
void power_free(power *p);

/* Is the power of every number of trials from `n` to `drawn` at least that asked? DP_NO is asked of
 * one number alone. The misses are taken by groups of `group`, 0 for a few wide ones, and where
 * that does not tell by smaller ones. */
dp_decision power_is_strong(power *p, unsigned long n, unsigned long drawn, unsigned long group);
/* Yes by one sum over groups of that size; false: it does not tell. */
bool power_is_strong_in(power *p, unsigned long n, unsigned long drawn, unsigned long group);

/* From now on what seems to refute is taken for what does, or no longer. */
void power_guess(power *p, bool guess);
/* Guesses are wanted for numbers up to `top`: along a smooth boundary, false where these are few,
 * or count by count. */
bool power_aim(power *p, unsigned long top, bool smooth);
bool power_is_late(const power *p);

#endif
