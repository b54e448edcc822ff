/* SPDX-License-Identifier: MIT */
/* The parameters that every query takes, which are fields of dp_options, those of an item of
 * a list, and of the list. */
#include "core/parameters.h"

#include <stddef.h>

const parameter query_digits = {
    .name = "digits",
    .kind = KIND_DIGITS,
    .unit = "digits",
    .preset = "10",
    .brief = "significant digits to prove, 1 to 10000",
    .manual = "The working precision rises until the lower and the upper end agree to D digits, "
              "the figure is exact, or a stated limit is met.",
};

const parameter query_all = {
    .name = "all",
    .kind = KIND_FLAG,
    .brief = "every bound that applies, with its verdict",
    .manual = "Rows are listed strongest first. A row marked unsound is a published statement that "
              "fails; it never decides a guarantee or a check.",
};

const parameter query_max_time = {
    .name = "max-time",
    .key = "max_time",
    .field = "max_seconds",
    .kind = KIND_POSITIVE,
    .unit = "seconds",
    .preset = "20",
    .brief = "seconds of processor time to stop refining after",
    .manual = "Of this process, the reading of a ledger included: a busy machine changes no "
              "answer. The enclosure found by then is shown, with a warning; a decision not made "
              "by then ends with status 3.",
};

const parameter query_max_memory = {
    .name = "max-memory",
    .key = "max_memory",
    .field = "max_bytes",
    .kind = KIND_COUNT,
    .unit = "bytes",
    .preset = "1e9",
    .brief = "memory for numbers, in bytes",
    .manual = "Work that needs more ends with status 3 and a message.",
};

const parameter query_threads = {
    .name = "threads",
    .kind = KIND_COUNT,
    .domain = &domain_jobs,
    .brief = "threads that work on one query, 1 to 64",
    .manual = "The processors that are free for the program unless given, at most 8. Long sums in "
              "doubles are shared among them; what is printed is the same for any number. The "
              "time of --max-time is that of the first one.",
};

const parameter query_max_epsilon = {
    .name = "max-epsilon",
    .key = "max_epsilon",
    .kind = KIND_LOSS,
    .unit = "nats",
    .brief = "check: does (E, D)-DP hold? exit 1 when not",
    .manual = "Decided rigorously by the strongest sound result, also when a threshold equals the "
              "exact value. A missing --max-delta means the target delta, or 0.",
};

const parameter query_max_delta = {
    .name = "max-delta",
    .key = "max_delta",
    .kind = KIND_PROBABILITY,
    .brief = "check: does (E, D)-DP hold? exit 1 when not",
    .manual = "See --max-epsilon. A missing --max-epsilon means the target epsilon, or 0.",
};

const parameter item_epsilon = {
    .name = "epsilon",
    .kind = KIND_LOSS,
    .unit = "nats",
    .required = true,
    .brief = "privacy loss of the mechanism",
    .manual = "Of each use.",
};

const parameter item_delta = {
    .name = "delta",
    .kind = KIND_PROBABILITY,
    .preset = "0",
    .brief = "delta of the mechanism",
    .manual = "Of each use.",
};

const parameter item_times = {
    .name = "times",
    .kind = KIND_COUNT,
    .unit = "uses",
    .preset = "1",
    .brief = "uses of the mechanism",
    .manual = "Independent, or each given the outputs of the earlier ones.",
};

const parameter list_adjacency = {
    .name = "adjacency",
    .kind = KIND_CHOICE,
    .preset = "add-remove",
    .choices = "add-remove|replace-one",
    .brief = "the relation that the mechanisms are stated for",
    .manual = "The composition holds for the relation of its items.",
};

const parameter list_group_size = {
    .name = "group-size",
    .key = "group_size",
    .kind = KIND_COUNT,
    .unit = "records",
    .brief = "neighbours differ in up to K records; 1 if not given",
    .manual = "What the list spends for groups of K records, each mechanism by its own theorem: "
              "noise by a sensitivity K times as large, zCDP by K^2 rho, (epsilon, delta) by the "
              "exact curve of all chains of K neighbours. What has no such theorem is refused.",
};

const parameter *const core_parameters[] = {&query_digits,
                                            &query_all,
                                            &query_max_time,
                                            &query_max_memory,
                                            &query_threads,
                                            &query_max_epsilon,
                                            &query_max_delta,
                                            &item_epsilon,
                                            &item_delta,
                                            &item_times,
                                            &list_adjacency,
                                            &list_group_size,
                                            NULL};
