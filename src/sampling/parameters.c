/* SPDX-License-Identifier: MIT */
/* The parameters of dp_bagging. */
#include "sampling/parameters.h"

#include <stddef.h>

const parameter bagging_dataset_size = {
    .name = "dataset-size",
    .key = "n",
    .field = "dataset_size",
    .kind = KIND_COUNT,
    .unit = "records",
    .required = true,
    .brief = "records in the training set (n)",
    .manual = "The size of the larger of two neighbouring data sets; delta falls as it grows, so "
              "for \"at least SIZE records\" give SIZE.",
};

const parameter bagging_subsample_size = {
    .name = "subsample-size",
    .key = "k",
    .field = "subsample_size",
    .kind = KIND_COUNT,
    .unit = "records",
    .brief = "records drawn for each base model (k)",
    .manual = "Needed unless it is solved for.",
};

const parameter bagging_models = {
    .name = "models",
    .key = "N",
    .kind = KIND_COUNT,
    .unit = "models",
    .preset = "1",
    .brief = "number of base models (N)",
    .manual = "Each is trained on a subsample of its own.",
};

const parameter bagging_target_epsilon = {
    .name = "target-epsilon",
    .key = "target_epsilon",
    .kind = KIND_LOSS,
    .unit = "nats",
    .brief = "report delta at this epsilon, by direction",
    .manual = "The privacy profile: one row for each direction of the adjacency relation.",
};

const parameter bagging_target_delta = {
    .name = "target-delta",
    .key = "target_delta",
    .kind = KIND_PROBABILITY,
    .brief = "report epsilon at this delta (private learner)",
    .manual = "With any learner delta is the same at every epsilon.",
};

const parameter bagging_base_epsilon = {
    .name = "base-epsilon",
    .key = "base_epsilon",
    .kind = KIND_LOSS,
    .domain = &domain_base_loss,
    .unit = "nats",
    .brief = "epsilon of the base learner on its subsample",
    .manual = "The learner is itself (E, D)-DP; subsampling then amplifies its privacy.",
};

const parameter bagging_base_delta = {
    .name = "base-delta",
    .key = "base_delta",
    .kind = KIND_PROBABILITY,
    .preset = "0",
    .brief = "delta of the base learner",
    .manual = "Only with --base-epsilon.",
};

const parameter bagging_base_adjacency = {
    .name = "base-adjacency",
    .key = "base_adjacency",
    .kind = KIND_CHOICE,
    .preset = "as-needed",
    .choices = "as-needed|add-remove|replace-one|both",
    .brief = "relation of the learner's own guarantee",
    .manual = "As needed: replace-one on samples of fixed size, that of the result for Poisson. A "
              "learner known only under the other relation is brought to it as a group of two.",
};

const parameter bagging_adjacency = {
    .name = "adjacency",
    .kind = KIND_CHOICE,
    .preset = "add-remove",
    .choices = "add-remove|replace-one",
    .brief = "neighbouring data sets",
    .manual = "The guarantee for any learner is the same for both relations.",
};

const parameter bagging_solve = {
    .name = "solve",
    .field = "unknown",
    .kind = KIND_CHOICE,
    .choices = "k|N",
    .brief = "largest value within --max-epsilon, --max-delta",
    .manual = "Decided in integers where a threshold is met exactly. With any learner only "
              "--max-delta is needed.",
};

const parameter bagging_poisson_solve = {
    .name = "solve",
    .field = "unknown",
    .kind = KIND_CHOICE,
    .choices = "q|N",
    .brief = "largest value within --max-epsilon, --max-delta",
    .manual = "Decided in integers where a threshold is met exactly. With any learner only "
              "--max-delta is needed.",
};

const parameter bagging_subsamples = {
    .name = "subsamples",
    .kind = KIND_CHOICE,
    .preset = "disjoint",
    .choices = "disjoint|independent",
    .brief = "how the N subsamples relate",
    .manual = "disjoint: N k distinct records are cut into N blocks. independent: each subsample "
              "is a fresh uniform k-subset.",
};

const parameter bagging_sampling_rate = {
    .name = "sampling-rate",
    .key = "sampling_rate",
    .kind = KIND_PROBABILITY,
    .brief = "probability that a record enters a subsample",
    .manual = "Each record enters each subsample independently. Needed unless it is solved for.",
};

const parameter *const sampling_parameters[] = {&bagging_dataset_size,  &bagging_subsample_size,
                                                &bagging_models,        &bagging_target_epsilon,
                                                &bagging_target_delta,  &bagging_base_epsilon,
                                                &bagging_base_delta,    &bagging_base_adjacency,
                                                &bagging_adjacency,     &bagging_solve,
                                                &bagging_poisson_solve, &bagging_subsamples,
                                                &bagging_sampling_rate, NULL};
