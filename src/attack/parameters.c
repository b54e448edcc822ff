/* SPDX-License-Identifier: MIT */
/* The parameters of questions about attackers. */
#include "attack/parameters.h"

#include <stddef.h>

#include "attack/audit_parameters.h"

/* Longer ones took longer than what is asked of them. */
static const domain chances = {.low = {0, 1, false},
                               .high = {1, 1, false},
                               .bits = 4096,
                               .must =
                                   "must be a number from 0 to 1, of at most some thousand digits"};

const parameter attacker_of = {
    .name = "of",
    .kind = KIND_ITEM,
    .brief = "from a mechanism, by its profile; repeatable",
    .manual = "As in compose: 0.1,1e-6x35, or gaussian:sigma=2x10. Or the name of a mechanism, and "
              "what follows are its own options: --of gaussian --sigma 2 --times 10.",
};

const parameter attacker_delta_given = {
    .name = "delta",
    .kind = KIND_PROBABILITY,
    .brief = "delta of approximate zCDP, or beside what is solved for",
    .manual = "The statement of --zcdp holds given events of probability 1 - D. With --solve it is "
              "the delta of the guarantee.",
};

const parameter attacker_prior = {
    .name = "prior",
    .kind = KIND_PROBABILITY,
    .domain = &chances,
    .preset = "1/2",
    .brief = "probability that the record is in",
    .manual = "What the attacker believes before he sees the output.",
};

const parameter attacker_fpr = {
    .name = "fpr",
    .kind = KIND_LIST,
    .domain = &chances,
    .brief = "true positives at this rate of false ones; repeatable",
    .manual = "The largest true positive rate, and the precision (PPV) at the prior.",
};

const parameter attacker_tpr = {
    .name = "tpr",
    .kind = KIND_PROBABILITY,
    .domain = &chances,
    .brief = "false positives at this rate of true ones",
    .manual = "The least false positive rate of an attacker with that true positive rate.",
};

const parameter attacker_secrets = {
    .name = "secrets",
    .kind = KIND_COUNT,
    .unit = "values",
    .brief = "reconstruction of one of N equally likely secrets",
    .manual = "With --kappa a guess counts for N times KAPPA of them.",
};

const parameter attacker_kappa = {
    .name = "kappa",
    .kind = KIND_PROBABILITY,
    .domain = &chances,
    .brief = "reconstruction of a secret of any prior",
    .manual = "The largest prior probability that one guess counts, an error ball with it; for "
              "exact recovery the probability of the likeliest secret.",
};

const parameter attacker_belief = {
    .name = "belief",
    .kind = KIND_LOSS,
    .unit = "nats",
    .brief = "how often the posterior odds rise by more than e^T",
    .manual = "The probability, with the record in, that the privacy loss exceeds T, and the "
              "posterior that holds otherwise.",
};

const parameter attacker_members = {
    .name = "members",
    .kind = KIND_COUNT,
    .unit = "records",
    .brief = "members to be revealed",
    .manual = "The expected number of true positives among so many at each --fpr.",
};

const parameter attacker_trainings = {
    .name = "trainings",
    .kind = KIND_COUNT,
    .unit = "runs",
    .brief = "members that each of R trainings reveals",
    .manual = "The expected number of --members that are flagged in all of R independent "
              "trainings, each with the guarantee and judged by its own output alone; every record "
              "is flagged falsely at a rate of at most --fpr, whatever the others are.",
};

const parameter attacker_group = {
    .name = "group",
    .kind = KIND_COUNT,
    .unit = "records",
    .brief = "records that enter or leave together",
    .manual = "Copies of one record, or a family: neighbours are then G steps apart.",
};

static const choice_other games_elsewhere[] = {
    {"membership|add-remove", "is in-out: with the record or without it; replaced: it or another"},
    {"yeom|replace|replace-one|swap|swapped",
     "is replaced: the record or another in its place; in-out: with it or without"},
    {NULL, NULL}};

const parameter attacker_game = {
    .name = "game",
    .kind = KIND_CHOICE,
    .choices = "in-out|replaced",
    .other = games_elsewhere,
    .brief = "which worlds the attacker tells apart",
    .manual = "in-out: with the record or without it, for add-remove adjacency. replaced: the "
              "record or another in its place, as where members are drawn from a training set of "
              "fixed size, for replace-one adjacency. Unless given, the one of the adjacency.",
};

static const choice_other solve_elsewhere[] = {
    {"sigma|noise|scale|noise-multiplier",
     "is not solved for; Gaussian noise for mu is sigma = sensitivity/mu: solve mu"},
    {"delta", "is not solved for: it is at most the advantage; solve epsilon beside a delta"},
    {NULL, NULL}};

const parameter attacker_solve = {
    .name = "solve",
    .kind = KIND_CHOICE,
    .choices = "epsilon|rho|mu",
    .other = solve_elsewhere,
    .brief = "the largest guarantee with that advantage",
    .manual = "With --max-advantage, and --delta beside epsilon or rho.",
};

const parameter attacker_max_advantage = {
    .name = "max-advantage",
    .key = "max_advantage",
    .kind = KIND_PROBABILITY,
    .brief = "check: is the advantage at most A?",
    .manual = "Of every mechanism with the guarantee; the answer is the exit status.",
};

const parameter *const attack_parameters[] = {
    &attacker_of,      &attacker_delta_given,   &attacker_prior,  &attacker_fpr,
    &attacker_tpr,     &attacker_secrets,       &attacker_kappa,  &attacker_belief,
    &attacker_members, &attacker_trainings,     &attacker_group,  &attacker_game,
    &attacker_solve,   &attacker_max_advantage, AUDIT_PARAMETERS, NULL};
