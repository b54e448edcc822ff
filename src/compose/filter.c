/* SPDX-License-Identifier: MIT */
/* The rows of privacy filters: what is released within a budget keeps it, whatever rule chooses
 * the next mechanism, skips it or stops. And what fails in their place. */
#include "compose/filter.h"

#include "num/ival.h"
#include "num/number.h"

/* out = epsilon, delta, spent, budget, spent_delta, alpha */
static dp_status eval(dp_figure *out, const void *in, const wanted *want)
{
    const filter_in *q = in;
    if (number_rational(q->epsilon) != NULL)
        figure_set_q(&out[0], number_rational(q->epsilon));
    else
        ival_set_number(figure_enclose(&out[0], want->bits), q->epsilon);
    figure_set_q(&out[1], q->delta);
    figure_set_form(&out[2], &q->spent->amount, want->bits);
    figure_set_form(&out[3], &q->rule->budget.amount, want->bits);
    figure_set_q(&out[4], q->spent->delta);
    if (q->rule->has_order)
        figure_set_q(&out[5], q->rule->order);
    return DP_OK;
}

#define FREE                                                                                       \
    "each mechanism, its parameters, and whether it is released at all may depend on earlier "     \
    "outputs; budget, method, split of delta and order are fixed before the first release, and "   \
    "every mechanism is tested before it is released; " GIVEN_EARLIER                              \
    "; the adjacency of the list"
#define BACKWARD_INDUCTION                                                                         \
    "Backward induction over the budget that is left: if the curves F_b satisfy F_b o F_c <= "     \
    "F_(b+c) and rise with b, one step of cost c gives E[F_(b-c)(x - L)] <= F_c o F_(b-c) <= "     \
    "F_b, for any rule of choice, of skipping and of stopping. "
#define KILLED                                                                                     \
    "Deltas of mechanisms are the chance of a leak, of which the sum is at most what the split "   \
    "of delta leaves."

const bound filter_basic = {
    .theorem = {.id = "filter-basic",
                .family = "filter",
                .verdict = DP_PROVED,
                .source = "Rogers, Roth, Ullman, Vadhan 2016, Privacy Odometers and Filters: "
                          "Pay-as-you-Go Composition",
                .statement = "while sum epsilon_i <= epsilon and sum delta_i <= delta all that is "
                             "released is (epsilon, delta)-DP",
                .assumes = FREE,
                .proof = BACKWARD_INDUCTION "Here b is epsilon. " KILLED},
    .eval = eval,
    .output = {"epsilon", "delta", "spent", "budget", "spent_delta"},
    .also = "times"};

const bound filter_zcdp = {
    .theorem =
        {.id = "filter-zcdp",
         .family = "filter",
         .verdict = DP_PROVED,
         .source = "Feldman, Zrnic 2021, Individual Privacy Accounting via a Renyi Filter; "
                   "Whitehouse, Ramdas, Rogers, Wu 2023, Fully-Adaptive Composition in "
                   "Differential Privacy",
         .statement = "while sum rho_i <= rho, the largest that the improved conversion "
                      "turns into (epsilon, slack), and sum delta_i <= delta - slack, all "
                      "that is released is (epsilon, delta)-DP",
         .assumes = FREE,
         .proof = BACKWARD_INDUCTION
         "Here b is rho, which bounds the divergences of every order in both directions; "
         "epsilon-DP costs epsilon tanh(epsilon/2), and xi above 0 is added to rho. " KILLED},
    .eval = eval,
    .output = {"epsilon", "delta", "spent", "budget", "spent_delta", "alpha"},
    .also = "times"};

const bound filter_renyi = {
    .theorem = {.id = "filter-renyi",
                .family = "filter",
                .verdict = DP_PROVED,
                .source = "Feldman, Zrnic 2021, Individual Privacy Accounting via a Renyi Filter",
                .statement =
                    "while sum D_alpha,i <= R at one order alpha, the R that the improved "
                    "conversion turns into (epsilon, slack), and sum delta_i <= delta - slack, "
                    "all that is released is (epsilon, delta)-DP",
                .assumes = FREE "; one order, chosen in advance",
                .proof = BACKWARD_INDUCTION
                "Here b is the Renyi divergence of that order, the larger one of both directions. "
                "Going on while any of several orders is within its budget is not covered, because "
                "which of them survives depends on the outputs. " KILLED},
    .eval = eval,
    .output = {"epsilon", "delta", "spent", "budget", "spent_delta", "alpha"},
    .also = "times"};

const bound filter_gaussian = {
    .theorem = {.id = "filter-gaussian",
                .family = "filter",
                .verdict = DP_PROVED,
                .source = "Smith, Thakurta 2022, Fully Adaptive Composition for Gaussian "
                          "Differential Privacy",
                .statement = "while sum mu_i^2 <= mu^2, the largest Gaussian that is (epsilon, "
                             "slack)-DP, and sum delta_i <= delta - slack, all that is released "
                             "is (epsilon, delta)-DP",
                .assumes = FREE "; continuous Gaussian noise alone, mu_i = sensitivity / sigma",
                .proof = BACKWARD_INDUCTION
                "Here b is mu^2: Gaussians compose to one Gaussian of the sum. The discrete "
                "Gaussian is none of this family. " KILLED},
    .eval = eval,
    .output = {"epsilon", "delta", "spent", "budget", "spent_delta"},
    .also = "times"};

const bound filter_optimal = {
    .theorem =
        {.id = "filter-optimal",
         .family = "filter",
         .verdict = DP_UNSOUND,
         .source = "the practice of stopping where an accountant of fixed parameters passes the "
                   "budget",
         .statement = "going on while the optimal composition of the mechanisms so far is within "
                      "(epsilon, delta) keeps (epsilon, delta)-DP",
         .assumes = "parameters that depend on earlier outputs",
         .proof = "The path taken is information, and the curves of different lists cross. "
                  "Privacy loss distributions and f-DP fail alike; a family of curves that is "
                  "closed under composition, as that of Gaussians, does not.",
         .counterexample = "epsilon = 1: randomized response of 0.3, then one of 0.9 where it came "
                           "out as the record says, else eight of 0.29; each path alone has a "
                           "delta below 0.0824, the adaptive whole one above 0.0875"},
    .refuted_by = &filter_zcdp,
    .output = {"epsilon", "delta"},
    .only_all = true};

const bound odometer_optimal = {
    .theorem =
        {.id = "odometer-optimal",
         .family = "filter",
         .verdict = DP_UNSOUND,
         .source = "the practice of reading an accountant of fixed parameters after every step",
         .statement = "epsilon at delta of the optimal composition of the steps taken holds for "
                      "an analyst who stops when it suits",
         .assumes = "a stopping time that depends on outputs",
         .proof = "Who watches longer sees a larger loss sooner or later. Sound: after t steps, "
                  "2^(j-1) < t <= 2^j, the optimum of the first 2^j steps at delta/(j(j+1)); or a "
                  "filter, which is about the budget and not about what was used of it.",
         .counterexample = "randomized response of 0.5, at most 20 steps, delta = 0.01, stopped "
                           "at the best moment: the true delta is above 0.0211"},
    .refuted_by = &filter_zcdp,
    .output = {"epsilon", "delta"},
    .only_all = true};
