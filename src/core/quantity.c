/* SPDX-License-Identifier: MIT */
/* The names of all figures, each with the end that is safe to rely on. A name that is missing here
 * is treated as a loss: its upper end is shown. */
#include "core/quantity.h"

#include <string.h>

#include "core/result.h"

#define BAGGING "bagging-with|bagging-without|bagging-poisson"

static const quantity quantities[] = {
    /* what is lost, or how far apart the outputs are */
    {"epsilon", .unit = "nats",
     .brief = "Privacy loss of the (epsilon, delta)-DP statement of this row; of a private "
              "majority the target"},
    {"epsilon_at_target_delta", .unit = "nats",
     .brief = "Smallest epsilon of a private majority at the target delta"},
    {"delta_at_target_epsilon", .share = true, .again = true,
     .brief = "Smallest delta of a private majority at the target epsilon, which is its delta"},
    {"delta", .share = true,
     .brief = "Delta of the (epsilon, delta)-DP statement of this row; of a private majority the "
              "smallest at the target epsilon"},
    {"rho", .unit = "nats",
     .brief = "Parameter of the zero-concentrated guarantee (zCDP) that the row went through"},
    {"xi", .unit = "nats", .sign = true,
     .brief = "Part of the zero-concentrated guarantee that does not grow with the order; may be "
              "negative"},
    {"rdp", .unit = "nats",
     .brief = "Renyi divergence of order alpha that the converted statement allows"},
    {"kl", .unit = "nats",
     .brief = "Kullback-Leibler divergence between the outputs on neighbouring data sets"},
    {"renyi", .unit = "nats",
     .brief = "Renyi divergence of order alpha between the outputs on neighbouring data sets"},
    {"max_divergence", .unit = "nats",
     .brief = "Max divergence between the outputs on neighbouring data sets"},
    {"total_variation", .share = true,
     .brief = "Total variation distance: between the outputs on neighbouring data sets; of a "
              "private majority between its law and the majority's. Rows that bound it from below "
              "have it at its lower end"},
    {"chi_squared",
     .brief = "Chi-squared divergence between the outputs on neighbouring data sets"},
    {"squared_hellinger", .share = true,
     .brief = "Squared Hellinger distance between the outputs on neighbouring data sets, "
              "1 - sum sqrt(PQ)"},
    {"epsilon_one", .unit = "nats",
     .brief = "Epsilon at which the profile of one Gaussian step was taken before it was "
              "amplified"},
    {"epsilon_step", .unit = "nats", .brief = "Epsilon of one step in the published statement"},
    {"slack",
     .brief = "Slack that the theorem used: the part of delta that it spends on the tail of the "
              "loss"},
    {"spent",
     .brief =
         "What the mechanisms of a filter cost together with the addition: epsilon, rho, mu^2, "
         "or the Renyi divergence of its order"},
    {"spent_delta", .brief = "The deltas of these mechanisms"},
    {"alpha", .brief = "Order of the Renyi divergence at which the row was evaluated"},
    /* what an attacker gains */
    {"advantage",
     .brief = "True less false positive rate of an attacker at most; published bounds may exceed "
              "1. Beside what is solved for, the one asked"},
    {"accuracy", .share = true,
     .brief = "Probability at most that an attacker tells rightly, at the prior"},
    {"excess_over_prior", .share = true, .brief = "The same, less that of guessing by the prior"},
    {"accuracy_over_prior",
     .brief = "Accuracy at most, divided by that of guessing by the prior: multiplicative "
              "advantage"},
    {"odds_over_prior",
     .brief = "Odds of a right guess at most, divided by those of guessing by the prior"},
    {"tpr", .share = true, .brief = "True positive rate of an attacker at most; or the one asked"},
    {"ppv", .share = true,
     .brief = "Precision of an attacker at most: of his positives those that are members"},
    {"posterior_max", .share = true,
     .brief = "What an attacker believes at most, having seen the output"},
    {"exceed_probability", .share = true,
     .brief = "Probability, with the record in, that he believes more than that"},
    {"attribute_advantage", .share = true,
     .brief = "Success at an attribute with the record, less that without it, at most"},
    {"reconstruction", .brief = "Probability at most that a secret is guessed; a published bound "
                                "may exceed 1"},
    {"expected_members", .unit = "records",
     .brief = "Members among those asked that an attacker flags, on average at most"},
    {"expected_members_in_all", .unit = "records",
     .brief = "Members that he flags in all of the trainings, on average at most"},
    {"rr_epsilon", .unit = "nats",
     .brief = "Epsilon of the randomized response that has the advantage of the row"},
    {"mu", .brief = "Solved for: the largest mu of Gaussian privacy"},
    /* errors, bounds, and what is needed at least */
    {"error", .brief = "Expected error of a private majority under the prior"},
    {"disagreement", .brief =
                         "Probability that the answer differs from the majority, at the given vote "
                         "probabilities"},
    {"bound", .brief = "Bound on the gap between expected and empirical risk, or on its mean"},
    {"failure_probability", .brief = "Probability with which the bound may fail"},
    {"objective_bound", .brief = "Above which no noise function of the class comes"},
    {"minimum_samples", .unit = "training examples",
     .brief = "Training examples from which on the statement holds"},
    {"minimum_samples_printed", .unit = "training examples",
     .brief = "The same as printed in the paper, which its proof does not support"},
    {"samples", .unit = "training examples", .kind = QUANTITY_COUNT, .of = "generalization",
     .brief = "Solved for: the least number of training examples"},
    {"sets", .unit = "sets", .kind = QUANTITY_COUNT, .of = "generalization",
     .brief = "Number of sets with which the certified bound was evaluated"},
    {"selection", .unit = "nats", .kind = QUANTITY_DECIMAL, .of = "generalization",
     .brief = "Epsilon of the selection with which it was evaluated"},
    {"sigma", .unit = "units of the query", .kind = QUANTITY_DECIMAL, .of = "compose|gaussian|pate",
     .brief = "Solved for: the least standard deviation that keeps the budget, a decimal of the "
              "asked digits"},
    {"sigma2", .unit = "squared units of the query", .kind = QUANTITY_DECIMAL,
     .of = "discrete-gaussian",
     .brief =
         "Solved for: a sigma^2 that is proved to keep the budget, a decimal of the asked digits; "
         "larger ones may not"},
    {"scale", .unit = "units of the query", .kind = QUANTITY_DECIMAL, .of = "compose|laplace",
     .brief = "Solved for: the least scale that keeps the budget, a decimal of the asked digits"},
    {"noise_multiplier", .kind = QUANTITY_DECIMAL, .of = "dp-sgd",
     .brief = "Solved for: the least noise multiplier that is proved to keep the budget, a decimal "
              "of the asked digits"},
    {"witness_plus", .unit = "mechanisms", .kind = QUANTITY_COUNT, .of = "compose",
     .brief =
         "Of a refuted claim: how many mechanisms must answer 1 in the outcomes that break it"},
    {"trials_needed", .unit = "trials", .kind = QUANTITY_COUNT, .of = "audit",
     .brief = "Solved for: the least number of trials that can refute the claim, of each of two "
              "samples; of one run canaries"},
    {"trials_too_few", .unit = "trials", .lower = true, .kind = QUANTITY_COUNT, .of = "audit",
     .brief = "Beside trials_needed where that is not proved to be the least: so many are too few, "
              "and so is any less"},
    {"fpr_upper", .share = true,
     .brief = "Of an audit: above which the false positive rate is not, at the confidence"},
    {"p_value", .share = true,
     .brief = "Of an audit: the most that such outcomes have as probability where the claim is "
              "true"},
    /* what may be used, or is reached at least */
    {"fpr", .lower = true, .share = true,
     .brief = "False positive rate: the one asked, or the least at the true positive rate"},
    {"posterior_min", .lower = true, .share = true,
     .brief = "What an attacker believes at least, having seen the output"},
    {"fpr_plus_fnr", .lower = true, .share = true,
     .brief = "False positive and false negative rate of an attacker together at least: 1 - "
              "advantage"},
    {"epsilon_lower", .unit = "nats", .lower = true,
     .brief = "Of an audit: below which the least epsilon of the mechanism is not, at the "
              "confidence; the lower end is the statement"},
    {"mu_lower", .lower = true,
     .brief = "Of an audit: for no smaller mu is the mechanism mu-GDP, at the confidence"},
    {"delta_lower", .lower = true, .share = true,
     .brief = "Of an audit: below which the delta at this epsilon is not, at the confidence"},
    {"tpr_lower", .lower = true, .share = true,
     .brief = "Of an audit: below which the true positive rate is not, at the confidence"},
    {"accuracy_lower", .lower = true, .share = true,
     .brief = "Of an audit by independent trials: below which the probability of a right guess is "
              "not, at the confidence"},
    {"confidence", .lower = true, .share = true,
     .brief = "Probability with which the statement of an audit is true"},
    {"probability", .lower = true, .share = true,
     .brief = "Probability with which the true majority is published"},
    {"budget", .lower = true, .brief = "What a filter may spend, in the same unit"},
    {"objective", .lower = true,
     .brief = "Sum of the prior weights times gamma, which the design maximises: what is reached"},
    {"times", .unit = "uses", .lower = true, .kind = QUANTITY_COUNT,
     .of = "compose|discrete-gaussian|filter|gaussian|laplace",
     .brief = "Solved for: how many more uses fit the budget; of a filter how often the addition "
              "does"},
    {"queries", .unit = "queries", .lower = true, .kind = QUANTITY_COUNT, .of = "pate",
     .brief = "Solved for: how many queries fit the budget, by this row"},
    {"steps", .unit = "steps", .lower = true, .kind = QUANTITY_COUNT, .of = "dp-sgd",
     .brief = "Solved for: how many steps are proved to fit the budget"},
    {"sampling_rate", .lower = true, .kind = QUANTITY_DECIMAL, .of = "dp-sgd",
     .brief = "Solved for: the largest sampling rate, a decimal of the asked digits"},
    {"k", .unit = "records", .lower = true, .kind = QUANTITY_COUNT,
     .of = "bagging-with|bagging-without", .brief = "Solved for: the largest subsample"},
    {"N", .unit = "models", .lower = true, .kind = QUANTITY_COUNT, .of = BAGGING,
     .brief = "Solved for: the largest number of models"},
    {"q", .lower = true, .kind = QUANTITY_DECIMAL, .of = "bagging-poisson",
     .brief = "Solved for: the largest sampling rate, a decimal of the asked digits"},
    {"use_epsilon", .unit = "nats", .lower = true, .kind = QUANTITY_DECIMAL, .of = "compose",
     .brief = "Solved for: the largest epsilon of each of the further mechanisms that fit the "
              "budget, a decimal of the asked digits"},
};

const quantity *quantity_at(size_t index)
{
    return index < sizeof quantities / sizeof *quantities ? &quantities[index] : NULL;
}

const quantity *quantity_find(const char *name)
{
    for (size_t i = 0; i < sizeof quantities / sizeof *quantities; i++)
        if (quantities[i].name[0] == name[0] && strcmp(quantities[i].name, name) == 0)
            return &quantities[i];
    return NULL;
}

bool names_hold(const char *names, const char *name)
{
    size_t n = strlen(name);
    for (const char *p = names; p != NULL; p = strchr(p, '|')) {
        p += *p == '|';
        if (strncmp(p, name, n) == 0 && (p[n] == '\0' || p[n] == '|'))
            return true;
    }
    return false;
}

bool quantity_is_known(const char *name)
{
    return quantity_find(name) != NULL;
}

bool quantity_is_share(const char *name)
{
    const quantity *q = quantity_find(name);
    return q != NULL && q->share;
}

bool quantity_is_again(const char *name)
{
    const quantity *q = quantity_find(name);
    return q != NULL && q->again;
}

dp_end quantity_safe(const quantity *q)
{
    return q != NULL && q->lower ? DP_LOWER : DP_UPPER;
}

dp_end dp_quantity_safe(const char *name)
{
    return quantity_safe(name != NULL ? quantity_find(name) : NULL);
}

void row_set_lower_bounds(dp_row *row)
{
    for (size_t i = 0; i < row->count; i++)
        row->quantity[i].safe = DP_LOWER;
}
