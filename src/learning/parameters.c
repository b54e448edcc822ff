/* SPDX-License-Identifier: MIT */
/* The parameters of dp_generalization and dp_igmm. */
#include "learning/parameters.h"

#include <stddef.h>

const parameter learner_epsilon = {
    .name = "epsilon",
    .kind = KIND_LOSS,
    .unit = "nats",
    .required = true,
    .brief = "epsilon of the learner, replace-one adjacency",
    .manual = "An (E, D) guarantee under add-remove adjacency gives (2 E, (1 + e^E) D) here.",
};

const parameter learner_delta = {
    .name = "delta",
    .kind = KIND_PROBABILITY,
    .preset = "0",
    .brief = "delta of the learner",
    .manual = "An upper bound will do, as for epsilon.",
};

const parameter learner_samples = {
    .name = "samples",
    .kind = KIND_COUNT,
    .unit = "examples",
    .brief = "training examples",
    .manual = "Without it only bounds of the mean and minimum sample sizes are shown.",
};

const parameter learner_failure = {
    .name = "failure",
    .kind = KIND_SLACK,
    .preset = "0.05",
    .brief = "failure probability allowed",
    .manual = "The bound a is such that |Gen| > a has a probability below B.",
};

const parameter learner_gap = {
    .name = "gap",
    .kind = KIND_POSITIVE,
    .brief = "report the failure probability for this gap",
    .manual = "In place of --failure; with --solve samples, both are needed.",
};

const parameter learner_one_sided = {
    .name = "one-sided",
    .key = "one_sided",
    .kind = KIND_FLAG,
    .brief = "bound Gen from above only",
    .manual = "Gen > a in place of |Gen| > a: half the failure probability.",
};

const parameter learner_sets = {
    .name = "sets",
    .kind = KIND_COUNT,
    .unit = "sets",
    .brief = "sets of the multi-sample bounds",
    .manual = "1 unless given; the certified bound searches for its own.",
};

const parameter learner_selection = {
    .name = "selection",
    .kind = KIND_POSITIVE,
    .domain = &domain_short_positive,
    .unit = "nats",
    .brief = "epsilon of the selection in the certified bound",
    .manual = "Searched for unless given; every value is sound.",
};

const parameter learner_solve = {
    .name = "solve",
    .field = "solve_samples",
    .kind = KIND_CHOICE,
    .choices = "samples",
    .brief = "the least number of samples for --gap and --failure",
    .manual = "For the number of sets and the selection that serve best.",
};

const parameter igmm_samples = {
    .name = "dataset-size",
    .key = "n",
    .field = "samples",
    .kind = KIND_COUNT,
    .unit = "records",
    .required = true,
    .brief = "records in the data set",
    .manual = "The size of the data set.",
};

const parameter igmm_batch_size = {
    .name = "batch-size",
    .key = "batch_size",
    .kind = KIND_COUNT,
    .unit = "records",
    .required = true,
    .brief = "records in the mini-batch of a step",
    .manual = "Drawn without replacement, afresh for every step.",
};

const parameter igmm_times = {
    .name = "times",
    .kind = KIND_COUNT,
    .unit = "steps",
    .required = true,
    .brief = "steps",
    .manual = "All iterates may be published.",
};

const parameter igmm_diameter = {
    .name = "diameter",
    .kind = KIND_POSITIVE,
    .required = true,
    .brief = "most that the updates of two records differ by",
    .manual = "The Euclidean distance of g(z, w) and g(z', w): twice the clipping norm when "
              "updates are clipped.",
};

const parameter igmm_sigma = {
    .name = "sigma",
    .kind = KIND_POSITIVE,
    .required = true,
    .brief = "standard deviation of the noise added to the mean",
    .manual = "Per coordinate, added to the mean of the batch.",
};

const parameter igmm_delta = {
    .name = "delta",
    .kind = KIND_SLACK,
    .brief = "delta of one step in the published statement",
    .manual = "The published statement is unsound; it is shown, marked, when --delta and --slack "
              "are given.",
};

const parameter igmm_slack = {
    .name = "slack",
    .kind = KIND_SLACK,
    .brief = "slack of the published statement",
    .manual = "See --delta.",
};

const parameter igmm_target_epsilon = {
    .name = "target-epsilon",
    .key = "target_epsilon",
    .kind = KIND_LOSS,
    .unit = "nats",
    .brief = "report delta at this epsilon",
    .manual = "Without a target, the epsilon of the published statement is taken.",
};

const parameter igmm_target_delta = {
    .name = "target-delta",
    .key = "target_delta",
    .kind = KIND_PROBABILITY,
    .brief = "report epsilon at this delta",
    .manual = "In place of --target-epsilon.",
};

const parameter *const learning_parameters[] = {&learner_epsilon,
                                                &learner_delta,
                                                &learner_samples,
                                                &learner_failure,
                                                &learner_gap,
                                                &learner_one_sided,
                                                &learner_sets,
                                                &learner_selection,
                                                &learner_solve,
                                                &igmm_samples,
                                                &igmm_batch_size,
                                                &igmm_times,
                                                &igmm_diameter,
                                                &igmm_sigma,
                                                &igmm_delta,
                                                &igmm_slack,
                                                &igmm_target_epsilon,
                                                &igmm_target_delta,
                                                NULL};
