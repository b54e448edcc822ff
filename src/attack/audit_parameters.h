/* SPDX-License-Identifier: MIT */
/* The parameters of dp_audit. */
#ifndef ATTACK_AUDIT_PARAMETERS_H
#define ATTACK_AUDIT_PARAMETERS_H

#include "core/parameter.h"

extern const parameter audit_true_positives, audit_positives, audit_false_positives,
    audit_negatives, audit_correct, audit_trials, audit_one_run, audit_canaries, audit_guesses,
    audit_positions, audit_delta, audit_confidence, audit_split, audit_method, audit_looks,
    audit_claim, audit_mu, audit_claim_point, audit_inclusion, audit_said_in, audit_at_epsilon,
    audit_assume_gaussian, audit_plan_flag, audit_claim_epsilon, audit_attack_accuracy,
    audit_attack_tpr, audit_attack_fpr, audit_power, audit_adjacency;

#define AUDIT_PARAMETERS                                                                           \
    &audit_true_positives, &audit_positives, &audit_false_positives, &audit_negatives,             \
        &audit_correct, &audit_trials, &audit_one_run, &audit_canaries, &audit_guesses,            \
        &audit_positions, &audit_delta, &audit_confidence, &audit_split, &audit_method,            \
        &audit_looks, &audit_claim, &audit_mu, &audit_claim_point, &audit_inclusion,               \
        &audit_said_in, &audit_at_epsilon, &audit_assume_gaussian, &audit_plan_flag,               \
        &audit_claim_epsilon, &audit_attack_accuracy, &audit_attack_tpr, &audit_attack_fpr,        \
        &audit_power, &audit_adjacency

#endif
