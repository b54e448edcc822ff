/* SPDX-License-Identifier: MIT */
/* The parameters of dp_majority and dp_response. */
#include "vote/parameters.h"

#include <stddef.h>

const parameter majority_mechanisms = {
    .name = "mechanisms",
    .key = "K",
    .kind = KIND_COUNT,
    .unit = "mechanisms",
    .brief = "number of voting mechanisms, odd",
    .manual = "At most 301. An even number has ties; leave one mechanism out.",
};

const parameter majority_epsilon = {
    .name = "epsilon",
    .kind = KIND_LOSS,
    .unit = "nats",
    .brief = "epsilon of each mechanism",
    .manual = "With --mechanisms; groups of different parameters are given by -m.",
};

const parameter majority_delta = {
    .name = "delta",
    .kind = KIND_PROBABILITY,
    .preset = "0",
    .brief = "delta of each mechanism",
    .manual = "With --mechanisms.",
};

const parameter majority_mechanism = {
    .name = "mechanism",
    .kind = KIND_ITEM,
    .brief = "add a group of mechanisms; repeatable",
    .manual = "In place of --mechanisms, --epsilon and --delta. Needs --target-epsilon.",
};

const parameter majority_allowance = {
    .name = "allowance",
    .kind = KIND_POSITIVE,
    .brief = "target epsilon as a multiple of --epsilon",
    .manual = "In place of --target-epsilon.",
};

const parameter majority_target_epsilon = {
    .name = "target-epsilon",
    .key = "target_epsilon",
    .kind = KIND_LOSS,
    .unit = "nats",
    .brief = "target epsilon of the answer",
    .manual = "In place of --allowance.",
};

const parameter majority_target_delta = {
    .name = "target-delta",
    .key = "target_delta",
    .kind = KIND_PROBABILITY,
    .preset = "0",
    .brief = "target delta of the answer",
    .manual = "Together with the target epsilon.",
};

const parameter majority_design = {
    .name = "design",
    .kind = KIND_CHOICE,
    .preset = "all",
    .choices = "all|constant|subsample|double-subsample|optimal",
    .brief = "how the noise depends on the votes",
    .manual = "All of them side by side, or one.",
};

const parameter majority_sample = {
    .name = "sample",
    .kind = KIND_COUNT,
    .unit = "votes",
    .brief = "votes drawn by the subsample design",
    .manual = "The target over epsilon, rounded down, unless given.",
};

const parameter majority_slack = {
    .name = "slack",
    .kind = KIND_SLACK,
    .brief = "slack of general composition, for a constant",
    .manual = "Adds the row rr-prob-general: what composition alone allows.",
};

const parameter majority_class = {
    .name = "class",
    .field = "free_class",
    .kind = KIND_CHOICE,
    .preset = "monotone",
    .choices = "monotone|free",
    .brief = "the noise functions that the optimum is over",
    .manual =
        "Monotone: a clearer majority is never published with less truth. Free: all symmetric "
        "noise functions; with delta above 0 for up to about 50 mechanisms within the time limit.",
};

const parameter majority_prior = {
    .name = "prior",
    .kind = KIND_CHOICE,
    .preset = "half",
    .choices = "half|common|mean|vote",
    .brief = "what the expected error is averaged over",
    .manual = "half: the votes' probabilities independent and uniform on [1/2, 1]. common: all "
              "equal, uniform on [0, 1]. mean: independent on [1/2, 1] with --means. vote: "
              "disagreement with the majority, the probabilities uniform on [0, 1].",
};

const parameter majority_means = {
    .name = "means",
    .kind = KIND_LIST,
    .domain = &domain_vote_mean,
    .brief = "means for --prior mean: one, or one for each vote",
    .manual = "At least 1/2 each.",
};

const parameter majority_gamma = {
    .name = "gamma",
    .kind = KIND_LIST_FILE,
    .domain = &domain_short_share,
    .brief = "certify the noise function in FILE instead",
    .manual = "A JSON array of numbers from 0 to 1, for 0 to K votes or for the upper half. It is "
              "checked against the target, or against --max-epsilon and --max-delta.",
};

const parameter majority_votes = {
    .name = "votes",
    .kind = KIND_LIST,
    .domain = &domain_short_share,
    .brief = "report the exact error at these vote probabilities",
    .manual = "Total variation and disagreement of every design.",
};

const parameter majority_vote_mean = {
    .name = "vote-mean",
    .key = "vote_mean",
    .field = "votes",
    .kind = KIND_LIST,
    .domain = &domain_short_share,
    .brief = "the same for equal vote probabilities",
    .manual = "With allowance 1 also the lower bound of Lemma 3.2, corrected.",
};

const parameter response_mechanisms = {
    .name = "mechanisms",
    .key = "K",
    .kind = KIND_COUNT,
    .domain = &domain_odd_count,
    .unit = "mechanisms",
    .required = true,
    .brief = "number of voting mechanisms, odd",
    .manual = "An even number is refused: a tie has no majority.",
};

const parameter response_epsilon = {
    .name = "epsilon",
    .kind = KIND_LOSS,
    .unit = "nats",
    .required = true,
    .brief = "privacy loss of each mechanism",
    .manual = "Each mechanism publishes one bit and is (E, D)-DP.",
};

const parameter response_delta = {
    .name = "delta",
    .kind = KIND_PROBABILITY,
    .preset = "0",
    .brief = "delta of each mechanism",
    .manual = "With 0 the row for independent mechanisms is shown too.",
};

const parameter response_allowance = {
    .name = "allowance",
    .kind = KIND_POSITIVE,
    .brief = "target: M times the epsilon of one mechanism",
    .manual = "Any positive number.",
};

const parameter response_target_epsilon = {
    .name = "target-epsilon",
    .key = "target_epsilon",
    .kind = KIND_LOSS,
    .unit = "nats",
    .brief = "target: this epsilon",
    .manual = "In place of --allowance.",
};

const parameter response_target_delta = {
    .name = "target-delta",
    .key = "target_delta",
    .kind = KIND_PROBABILITY,
    .preset = "0",
    .brief = "target delta",
    .manual = "The published bit is then (target epsilon, D)-DP.",
};

const parameter response_composition = {
    .name = "composition",
    .kind = KIND_CHOICE,
    .preset = "simple",
    .choices = "simple|general",
    .brief = "how the privacy of the majority is bounded",
    .manual =
        "Simple: (K E, K D). General: the closed form of Kairouz, Oh and Viswanath at --slack.",
};

const parameter response_slack = {
    .name = "slack",
    .kind = KIND_SLACK,
    .brief = "slack of general composition",
    .manual = "Needed with --composition general, and only there.",
};

const parameter pate_aggregator = {
    .name = "aggregator",
    .kind = KIND_CHOICE,
    .required = true,
    .choices = "lnmax|gnmax|confident-gnmax",
    .brief = "how votes become an answer",
    .manual = "lnmax: the class with the most votes after Laplace noise. gnmax: after Gaussian "
              "noise. confident-gnmax: the same, where the most votes, with Gaussian noise of "
              "their own, reach a threshold first.",
};

const parameter pate_inverse_scale = {
    .name = "inverse-scale",
    .key = "inverse_scale",
    .kind = KIND_POSITIVE,
    .brief = "of lnmax: 1 over the scale of its Laplace noise",
    .manual = "Called gamma by Papernot et al. One query is (2 L, 0)-DP.",
};

const parameter pate_sigma = {
    .name = "sigma",
    .kind = KIND_POSITIVE,
    .unit = "votes",
    .brief = "standard deviation of the Gaussian noise on each count",
    .manual = "Of gnmax and confident-gnmax.",
};

const parameter pate_sigma_threshold = {
    .name = "sigma-threshold",
    .key = "sigma_threshold",
    .kind = KIND_POSITIVE,
    .unit = "votes",
    .brief = "of confident-gnmax: noise of the threshold test",
    .manual = "Standard deviation of the noise on the most votes. It is spent on every query that "
              "is asked, answered or not.",
};

const parameter pate_queries = {
    .name = "queries",
    .kind = KIND_COUNT,
    .unit = "queries",
    .preset = "1",
    .brief = "queries asked, answered or not",
    .manual = "Fixed in advance, or a cap that was.",
};

const parameter pate_answered = {
    .name = "answered",
    .kind = KIND_COUNT,
    .unit = "queries",
    .brief = "of confident-gnmax: the most queries that are answered",
    .manual = "A cap fixed in advance, at which answering ends; without it, all that are asked.",
};

const parameter pate_teachers = {
    .name = "teachers",
    .kind = KIND_COUNT,
    .unit = "teachers",
    .brief = "how many teachers vote",
    .manual = "The votes of each query must then sum to it. What is spent whatever the votes does "
              "not depend on it.",
};

const parameter pate_threshold = {
    .name = "threshold",
    .kind = KIND_REAL,
    .domain = &domain_votes,
    .unit = "votes",
    .brief = "of confident-gnmax: what the most votes must reach",
    .manual = "For figures of given votes; what is spent whatever the votes does not depend on it.",
};

const parameter pate_votes_given = {
    .name = "votes",
    .kind = KIND_TABLE_FILE,
    .unit = "votes",
    .brief = "votes for each class, a line for each query",
    .manual = "On the command line a file: numbers separated by spaces or commas, or a JSON array "
              "of arrays. Classes without votes count. What these votes spent is then shown beside "
              "the guarantee: a figure that depends on private data, with the verdict "
              "per-instance, that never decides anything.",
};

const parameter pate_instance = {
    .name = "instance",
    .kind = KIND_TABLE_FILE,
    .domain = &domain_short_share,
    .brief = "of DP bagging: fractions of teachers by vote, by record",
    .manual = "A file as for --votes, with a line for each record: for each query, of the teachers "
              "that hold the record, the fraction that votes for each class. They sum to 1. Of "
              "lnmax alone; the votes are those of all partitions, divided by their number. With "
              "--votes, these votes of each query, a query with a clear winner is charged less.",
};

const parameter pate_classes = {
    .name = "classes",
    .kind = KIND_COUNT,
    .unit = "classes",
    .brief = "classes of each query of --instance, 2 unless given",
    .manual = "The lines of --instance hold as many fractions for each query.",
};

const parameter pate_target_epsilon = {
    .name = "target-epsilon",
    .key = "target_epsilon",
    .kind = KIND_LOSS,
    .unit = "nats",
    .brief = "report delta at this epsilon",
    .manual = "In place of --target-delta.",
};

const parameter pate_target_delta = {
    .name = "target-delta",
    .key = "target_delta",
    .kind = KIND_PROBABILITY,
    .brief = "report epsilon at this delta",
    .manual = "Without a target lnmax has an epsilon of its own, at delta = 0; Gaussian noise has "
              "none.",
};

const parameter pate_solve = {
    .name = "solve",
    .kind = KIND_CHOICE,
    .choices = "queries|sigma",
    .brief = "most queries or least noise within the budget",
    .manual = "queries: how many fit --max-epsilon and --max-delta, the last one that still does. "
              "sigma: the least that keeps them, as a decimal of --digits digits that is itself "
              "proved to. With --all each row says what it proves.",
};

const parameter *const vote_parameters[] = {
    &majority_mechanisms,   &majority_epsilon,     &majority_delta,
    &majority_mechanism,    &majority_allowance,   &majority_target_epsilon,
    &majority_target_delta, &majority_design,      &majority_sample,
    &majority_slack,        &majority_class,       &majority_prior,
    &majority_means,        &majority_gamma,       &majority_votes,
    &majority_vote_mean,    &response_mechanisms,  &response_epsilon,
    &response_delta,        &response_allowance,   &response_target_epsilon,
    &response_target_delta, &response_composition, &response_slack,
    &pate_aggregator,       &pate_inverse_scale,   &pate_sigma,
    &pate_sigma_threshold,  &pate_queries,         &pate_answered,
    &pate_teachers,         &pate_threshold,       &pate_votes_given,
    &pate_instance,         &pate_classes,         &pate_target_epsilon,
    &pate_target_delta,     &pate_solve,           NULL};
