/* SPDX-License-Identifier: MIT */
/* The parameters of questions about attackers. */
#ifndef ATTACK_PARAMETERS_H
#define ATTACK_PARAMETERS_H

#include "core/parameter.h"

extern const parameter attacker_of, attacker_delta_given, attacker_prior, attacker_fpr,
    attacker_tpr, attacker_secrets, attacker_kappa, attacker_belief, attacker_members,
    attacker_trainings, attacker_group, attacker_game, attacker_solve, attacker_max_advantage;

extern const parameter *const attack_parameters[]; /* all of them, ended by NULL */

#endif
