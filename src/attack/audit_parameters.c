/* SPDX-License-Identifier: MIT */
/* The parameters of dp_audit. */
#include "attack/audit_parameters.h"

static const domain hits = {
    .low = {0, 1, false},
    .high = {1000000000, 1, false},
    .whole = true,
    .must = "must be a count, an integer from 0 to 10^9; of a rate give the count behind it"};
static const domain sizes = {.low = {1, 1, false},
                             .high = {1000000000, 1, false},
                             .whole = true,
                             .must = "must be a number of trials, an integer from 1 to 10^9"};
static const domain levels = {
    .low = {0, 1, true},
    .high = {1, 1, true},
    .bits = 4096,
    .must = "must be above 0 and below 1; 95 % is 0.95, and certainty cannot be had"};
static const domain shares = {.low = {0, 1, true},
                              .high = {1, 1, true},
                              .bits = 1024,
                              .must = "must be a number above 0 and below 1, such as 1/2"};
static const domain rates = {
    .low = {0, 1, false},
    .high = {1, 1, false},
    .bits = 1024,
    .must = "must be a rate, a number from 0 to 1, of at most some hundred digits"};

const parameter audit_true_positives = {
    .name = "true-positives",
    .key = "true_positives",
    .kind = KIND_REAL,
    .domain = &hits,
    .unit = "trials",
    .brief = "trials with the record that the attack called in",
    .manual = "A count out of N1, and no rate. With --positives, --false-positives and "
              "--negatives: two samples of independent trials, such as models trained with and "
              "without the record.",
};

const parameter audit_positives = {
    .name = "positives",
    .kind = KIND_REAL,
    .domain = &sizes,
    .unit = "trials",
    .brief = "trials with the record",
    .manual = "All of them, whatever the attack said.",
};

const parameter audit_false_positives = {
    .name = "false-positives",
    .key = "false_positives",
    .kind = KIND_REAL,
    .domain = &hits,
    .unit = "trials",
    .brief = "trials without the record that it called in",
    .manual = "A count out of N0, and no rate; 0 is fine.",
};

const parameter audit_negatives = {
    .name = "negatives",
    .kind = KIND_REAL,
    .domain = &sizes,
    .unit = "trials",
    .brief = "trials without the record",
    .manual = "All of them, whatever the attack said.",
};

const parameter audit_correct = {
    .name = "correct",
    .kind = KIND_REAL,
    .domain = &hits,
    .unit = "guesses",
    .brief = "guesses that were right",
    .manual = "With --trials: each trial tosses a fair coin for membership, and the attack always "
              "answers. With --one-run: of the --guesses.",
};

const parameter audit_trials = {
    .name = "trials",
    .kind = KIND_REAL,
    .domain = &sizes,
    .unit = "trials",
    .brief = "independent trials with a fair coin each",
    .manual = "Abstaining is not allowed: a trial without an answer is a wrong one.",
};

const parameter audit_one_run = {
    .name = "one-run",
    .key = "one_run",
    .kind = KIND_FLAG,
    .brief = "the guesses are about canaries of one training run",
    .manual = "Each of M canaries was included by a coin of its own, and the attack saw the output "
              "alone. Counts of one run are not independent trials: they do not fit the other "
              "designs.",
};

const parameter audit_canaries = {
    .name = "canaries",
    .kind = KIND_REAL,
    .domain = &sizes,
    .unit = "canaries",
    .brief = "canaries whose inclusion was tossed for",
    .manual = "All of them, guessed or not: delta is spent on each.",
};

const parameter audit_guesses = {
    .name = "guesses",
    .kind = KIND_REAL,
    .domain = &hits,
    .unit = "guesses",
    .brief = "canaries about which the attack guessed",
    .manual = "Their number was fixed before the run; at delta 0 it may also be chosen by the "
              "attack from the output; never from the coins.",
};

const parameter audit_positions = {
    .name = "positions",
    .field = "fixed_positions",
    .kind = KIND_CHOICE,
    .choices = "fixed",
    .brief = "which canaries are guessed was named before the run",
    .manual = "Then delta is spent on the guesses alone, in place of all canaries.",
};

const parameter audit_delta = {
    .name = "target-delta",
    .key = "target_delta",
    .field = "delta",
    .kind = KIND_PROBABILITY,
    .preset = "0",
    .brief = "delta of the claim",
    .manual = "What is bounded is the least epsilon of the mechanism at this delta.",
};

const parameter audit_confidence = {
    .name = "confidence",
    .kind = KIND_SLACK,
    .domain = &levels,
    .preset = "0.95",
    .brief = "probability with which the statement is true",
    .manual = "One-sided: the printed epsilon exceeds the true one with a probability of at most "
              "1 - C, whatever the mechanism.",
};

const parameter audit_split = {
    .name = "split",
    .kind = KIND_SLACK,
    .domain = &shares,
    .brief = "share of the error probability for the true positives",
    .manual = "1/2 unless given; fixed before the data are seen. Of --method cp alone.",
};

static const choice_other methods_elsewhere[] = {
    {"clopper-pearson|clopper|exact-binomial|rectangle|bonferroni",
     "is cp: the rectangle of two Clopper-Pearson limits"},
    {"steinke|onerun|one-run|pure", "is exact, with one_run, canaries, guesses and correct"},
    {"steinke-2023|published", "is 2023, and unsound; exact is the least bound"},
    {"mahloujifar|f-dp", "is fdp"},
    {"gdp|gaussian|mu", "is a claim: --claim gdp, with the method cp or sidak, or fdp of one run"},
    {"katz|log-katz|logkatz|delta-method|normal|wald",
     "proves nothing: at rates of 0.95 and 50 trials each its 95 % limit is false with probability "
     "5.960 %; fisher and cp keep 5 %"},
    {"bayes|bayesian|jeffreys|posterior|beta",
     "proves nothing: at rates of 0.9 and 0.04 and 50 trials each its 95 % limit is false with "
     "probability 11.4 %; fisher and cp keep 5 %"},
    {"bootstrap|plug-in|plugin|point|empirical|naive|ratio",
     "proves nothing: no probability bounds how often it is false, and without a false positive it "
     "is infinite; fisher and cp have a bound"},
    {NULL, NULL}};

const parameter audit_method = {
    .name = "method",
    .kind = KIND_CHOICE,
    .choices = "fisher|cp|sidak|coin|exact|adaptive|fdp|profile|2023",
    .other = methods_elsewhere,
    .brief = "which limit; chosen before the data are seen",
    .manual = "Two samples: fisher (default), cp, sidak. One run: exact (default), "
              "adaptive, fdp, profile, and 2023, which is the published form and unsound. The "
              "largest of several needs its error probability divided by their number.",
};

const parameter audit_looks = {
    .name = "looks",
    .kind = KIND_COUNT,
    .brief = "figures announced, of which this is one",
    .manual = "Thresholds, attacks or looks at growing data: what was tried, not what is reported. "
              "1 - C is divided among them.",
};

static const choice_other claims_elsewhere[] = {
    {"dp|approx|approx-dp|pure|epsilon|eps",
     "is what max_epsilon and target_delta claim; claim is gdp, a whole curve"},
    {NULL, NULL}};

const parameter audit_claim = {
    .name = "claim",
    .field = "gdp",
    .kind = KIND_CHOICE,
    .choices = "gdp",
    .other = claims_elsewhere,
    .brief = "the claim is mu-GDP, not (epsilon, delta)-DP",
    .manual = "Two samples with --method cp or sidak, or one run with --method fdp or profile.",
};

const parameter audit_mu = {
    .name = "mu",
    .kind = KIND_POSITIVE,
    .domain = &domain_short_positive,
    .brief = "the mu that is claimed",
    .manual = "With --claim gdp: is it refuted? Exit 1 where it is, as for --max-epsilon.",
};

const parameter audit_claim_point = {
    .name = "claim-point",
    .key = "claim_point",
    .kind = KIND_LIST,
    .domain = &domain_loss,
    .brief = "(E, D)-DP is part of the claim; repeatable",
    .manual = "One run with --method profile: the claim is a privacy curve through all of these "
              "points, together. Is it refuted? Exit 1 where it is.",
};

const parameter audit_inclusion = {
    .name = "inclusion",
    .kind = KIND_SLACK,
    .domain = &shares,
    .brief = "probability with which a canary was included",
    .manual = "1/2 unless given. Of one run at delta = 0 alone.",
};

const parameter audit_said_in = {
    .name = "said-in",
    .key = "said_in",
    .kind = KIND_REAL,
    .domain = &hits,
    .unit = "guesses",
    .brief = "guesses that said in, right or wrong",
    .manual = "With --inclusion: guesses of the two kinds are right with unlike probabilities. "
              "Without it all count as of the likelier kind, which shows less.",
};

const parameter audit_at_epsilon = {
    .name = "target-epsilon",
    .key = "target_epsilon",
    .field = "at_epsilon",
    .kind = KIND_LOSS,
    .unit = "nats",
    .brief = "also report the least delta there",
    .manual = "Of two samples by cp or sidak: one rectangle bounds the whole privacy curve from "
              "below, at all epsilons at once.",
};

const parameter audit_assume_gaussian = {
    .name = "assume-gaussian",
    .key = "assume_gaussian",
    .kind = KIND_FLAG,
    .brief = "epsilon as if the true curve were Gaussian",
    .manual = "With --claim gdp and a target delta above 0. It is false of other mechanisms, and "
              "so marked, and never a finding.",
};

const parameter audit_plan_flag = {
    .name = "plan",
    .kind = KIND_FLAG,
    .brief = "how many trials can refute --claim-epsilon",
    .manual = "The least number at which an attack that is always right refutes it, each of two "
              "samples, or of one run all canaries guessed; with --accuracy and --power of an "
              "attack that is known, or --tpr, --fpr and --power of two samples.",
};

const parameter audit_claim_epsilon = {
    .name = "claim-epsilon",
    .key = "claim_epsilon",
    .kind = KIND_LOSS,
    .unit = "nats",
    .brief = "the epsilon to be refuted",
    .manual = "Of --plan.",
};

const parameter audit_attack_accuracy = {
    .name = "accuracy",
    .kind = KIND_SLACK,
    .domain = &shares,
    .brief = "how often the attack is right",
    .manual = "With --plan and --power, of trials with a coin or of one run.",
};

const parameter audit_attack_tpr = {
    .name = "tpr",
    .kind = KIND_SLACK,
    .domain = &rates,
    .brief = "true positive rate of the attack",
    .manual = "With --plan, --fpr and --power, of two samples: how many members, and as many "
              "outsiders, it takes.",
};

const parameter audit_attack_fpr = {
    .name = "fpr",
    .kind = KIND_SLACK,
    .domain = &rates,
    .brief = "false positive rate of the attack",
    .manual = "With --tpr.",
};

const parameter audit_power = {
    .name = "power",
    .kind = KIND_SLACK,
    .domain = &levels,
    .brief = "probability with which the claim is to be refuted",
    .manual = "The number is the least from which on, up to twice as many, the probability is not "
              "below it: it rises and falls with the number.",
};

const parameter audit_adjacency = {
    .name = "adjacency",
    .field = "replaced",
    .kind = KIND_CHOICE,
    .preset = "add-remove",
    .choices = "add-remove|replace-one",
    .brief = "what the trials changed",
    .manual = "Records or canaries added: add-remove. One put in the place of another: "
              "replace-one. What is shown is shown for that relation alone.",
};
