/* SPDX-License-Identifier: MIT */
/* The table of the parameters of one release. */
#include "mechanism/parameters.h"

const parameter noise_sigma = {
    .name = "sigma",
    .kind = KIND_POSITIVE,
    .unit = "units of the query",
    .brief = "standard deviation of the noise",
    .manual = "In the units of the query, as the sensitivity; where that is 1 it is the noise "
              "multiplier."};

const parameter noise_scale = {
    .name = "scale",
    .kind = KIND_POSITIVE,
    .unit = "units of the query",
    .brief = "scale b of the noise, of density e^(-|x|/b)/(2b)",
    .manual = "In the units of the query, as the sensitivity. One use is (sensitivity/scale)-DP."};

const parameter noise_sensitivity = {
    .name = "sensitivity",
    .kind = KIND_POSITIVE,
    .unit = "units of the query",
    .preset = "1",
    .brief = "how far neighbours move the query",
    .manual = "The largest distance between its values on neighbouring data sets, under the "
              "relation of the account: Euclidean (L2) for Gaussian noise, the sum of the changes "
              "of all coordinates (L1) for Laplace noise. Of a sum of vectors clipped to C it is C "
              "under add-remove and 2C under replace-one."};

const parameter kary_epsilon = {
    .name = "epsilon",
    .kind = KIND_LOSS,
    .unit = "nats",
    .required = true,
    .brief = "ln of the odds of the true answer to any other one",
    .manual = "The true category is e^epsilon times as likely as each other one; ln(3) is the "
              "fair coin that is tossed twice, for two categories."};

const parameter kary_categories = {.name = "categories",
                                   .kind = KIND_COUNT,
                                   .unit = "answers",
                                   .preset = "2",
                                   .brief = "how many answers there are, 2 at least",
                                   .manual = "The more there are, the less one answer tells."};

const parameter pair_p = {
    .name = "p",
    .kind = KIND_LIST,
    .required = true,
    .brief = "probability of each outcome on one data set",
    .manual = "Rationals that sum to 1. Where q is 0 the outcome gives the data set away."};

const parameter pair_q = {.name = "q",
                          .kind = KIND_LIST,
                          .required = true,
                          .brief = "probability of each outcome on its neighbour",
                          .manual = "As many as p, in the same order."};

const parameter pair_directions = {
    .name = "directions",
    .kind = KIND_CHOICE,
    .choices = "both|one",
    .preset = "both",
    .brief = "whether either data set may be the larger one",
    .manual = "both: p and q may change places, as where a record is replaced. one: only p against "
              "q is asked about, and all mechanisms of the account are taken in that direction."};

const parameter range_eta = {.name = "eta",
                             .kind = KIND_LOSS,
                             .unit = "nats",
                             .required = true,
                             .brief = "width of the window that holds all losses of a pair",
                             .manual = "Of one use."};

const parameter zcdp_rho = {.name = "rho",
                            .kind = KIND_REAL,
                            .domain = &domain_not_negative,
                            .required = true,
                            .brief = "zCDP: D_alpha <= xi + rho alpha for every alpha > 1",
                            .manual = "Of one use."};

const parameter zcdp_xi = {.name = "xi",
                           .kind = KIND_REAL,
                           .preset = "0",
                           .brief = "the part of zCDP that does not grow with the order",
                           .manual = "Of one use."};

const parameter rdp_alpha = {.name = "alpha",
                             .kind = KIND_LIST,
                             .domain = &domain_order,
                             .required = true,
                             .brief = "orders of the Renyi curve, each above 1",
                             .manual = "Numbers separated by commas; a JSON array."};

const parameter rdp_value = {.name = "rdp",
                             .kind = KIND_LIST,
                             .domain = &domain_not_negative,
                             .required = true,
                             .brief = "Renyi divergence of one use at each of the orders",
                             .manual =
                                 "As many as alpha, in the same order; it bounds both directions."};

const parameter noise_times = {.name = "times",
                               .kind = KIND_COUNT,
                               .unit = "uses",
                               .preset = "1",
                               .brief = "uses of the mechanism",
                               .manual = "Each with fresh noise."};

const parameter noise_method = {
    .name = "method",
    .kind = KIND_CHOICE,
    .choices = "optimal|zcdp|rdp",
    .preset = "optimal",
    .brief = "the theorem that decides",
    .manual = "A check is always decided by the exact profile. zcdp and rdp are what accountants "
              "that keep a Renyi curve print; they are never below it."};

const parameter gaussian_solve = {
    .name = "solve",
    .kind = KIND_CHOICE,
    .choices = "sigma|times",
    .brief = "least noise or most uses within the budget",
    .manual = "sigma: the least standard deviation that keeps --max-epsilon and --max-delta, as a "
              "decimal of --digits digits that is itself proved to. times: how many uses fit."};

const parameter laplace_solve = {
    .name = "solve",
    .kind = KIND_CHOICE,
    .choices = "scale|times",
    .brief = "least noise or most uses within the budget",
    .manual = "scale: the least scale that keeps --max-epsilon and --max-delta, as a decimal of "
              "--digits digits that is itself proved to. times: how many uses fit."};

const parameter discrete_solve = {
    .name = "solve",
    .kind = KIND_CHOICE,
    .choices = "sigma2|times",
    .brief = "noise that keeps the budget, or the most uses that do",
    .manual = "sigma2: a decimal of --digits digits that is proved to keep --max-epsilon and "
              "--max-delta, not always the least that does; a note says whether the next smaller "
              "one is proved not to. Take it as it is: larger ones may not keep them. times: how "
              "many uses fit."};

const parameter sgd_noise_multiplier = {
    .name = "noise-multiplier",
    .key = "noise_multiplier",
    .kind = KIND_POSITIVE,
    .brief = "standard deviation of the noise over the clipping norm",
    .manual = "Of the noise that is added to the sum of the clipped gradients of a batch, not to "
              "their mean: there it is that of the mean times the batch size."};

const parameter sgd_sampling_rate = {
    .name = "sampling-rate",
    .key = "sampling_rate",
    .kind = KIND_PROBABILITY,
    .brief = "probability with which a record is in a batch",
    .manual = "Of each record for itself in each step. Or give dataset-size and batch-size."};

const parameter sgd_steps = {.name = "steps",
                             .kind = KIND_COUNT,
                             .unit = "steps",
                             .brief = "noisy steps",
                             .manual = "As many as are run. Or give epochs."};

const parameter sgd_dataset_size = {
    .name = "dataset-size",
    .key = "n",
    .field = "dataset_size",
    .kind = KIND_COUNT,
    .unit = "records",
    .brief = "records in the training set",
    .manual = "With batch-size in place of the sampling rate. The size itself is taken to be "
              "known; for \"at least SIZE records\" give SIZE."};

const parameter sgd_batch_size = {.name = "batch-size",
                                  .key = "batch_size",
                                  .kind = KIND_COUNT,
                                  .unit = "records",
                                  .brief = "records in a batch, on average",
                                  .manual = "The sampling rate is batch-size / dataset-size."};

const parameter sgd_epochs = {
    .name = "epochs",
    .kind = KIND_POSITIVE,
    .unit = "passes",
    .brief = "passes over the data, in place of steps",
    .manual = "The steps are epochs / sampling rate, rounded up: the last one is run too."};

const parameter sgd_group_size = {
    .name = "group-size",
    .key = "group_size",
    .kind = KIND_COUNT,
    .unit = "records",
    .brief = "records removed or added together; 1 if not given",
    .manual = "All K of them removed, or all added, as those of one person are: each is in each "
              "batch for itself. Not some removed and others added. At most 100."};

const parameter sgd_method = {
    .name = "method",
    .kind = KIND_CHOICE,
    .choices = "pld|rdp",
    .preset = "pld",
    .brief = "how the steps are composed",
    .manual = "pld: by the law of the privacy loss, which is exact: a budget that is not kept is "
              "refuted. rdp: by their Renyi divergences, at the order that is best for the "
              "question; a bound, which refutes nothing."};

/* A batch of a fixed size m of n records and one of the other n - 1 can be drawn together so that
 * they differ in one record replaced, or not at all: by joint convexity each step is dominated by
 * the Gaussian whose mean moves by 2 C. */
static const choice_other sampling_elsewhere[] = {
    {"fixed|fixed-size|without-replacement",
     "is not covered; must be poisson. Batches of a fixed size, in which another record takes the "
     "place of one that is removed, spend more; what holds for T of them is gaussian --sigma S "
     "--sensitivity 2 --times T, sampling left aside"},
    {"shuffle|shuffled|shuffling",
     "is not covered; must be poisson. Epochs of shuffled records spend more; where a record is in "
     "one batch of each of E epochs it sees E Gaussians: gaussian --sigma S --times E, for a "
     "record set to zero"},
    {NULL, NULL}};

const parameter sgd_sampling = {
    .name = "sampling",
    .kind = KIND_CHOICE,
    .choices = "poisson",
    .other = sampling_elsewhere,
    .preset = "poisson",
    .brief = "how batches are drawn",
    .manual = "poisson: each record is in each batch with the same probability, for itself."};

static const choice_other adjacency_elsewhere[] = {{"replace-one", SGD_ELSEWHERE}, {NULL, NULL}};

const parameter sgd_adjacency = {
    .name = "adjacency",
    .kind = KIND_CHOICE,
    .preset = "add-remove",
    .choices = "add-remove",
    .other = adjacency_elsewhere,
    .brief = "neighbouring data sets",
    .manual = "Of Poisson samples nothing is proved here under replace-one."};

static const choice_other solve_elsewhere[] = {
    {"batch-size|batch|lot-size",
     "is not solved for, but sampling-rate is: batches are that rate times the records"},
    {NULL, NULL}};

const parameter sgd_solve = {
    .name = "solve",
    .kind = KIND_CHOICE,
    .other = solve_elsewhere,
    .choices = "noise-multiplier|steps|sampling-rate",
    .brief = "least noise, most steps or most sampling that fit",
    .manual = "noise-multiplier: the least that is proved to keep --max-epsilon and --max-delta, "
              "as a decimal of --digits digits. steps: how many are proved to fit. sampling-rate: "
              "the largest that is, a decimal of --digits digits; by the method pld alone."};

const parameter *const mechanism_parameters[] = {&noise_sigma,
                                                 &noise_scale,
                                                 &noise_sensitivity,
                                                 &noise_times,
                                                 &noise_method,
                                                 &gaussian_solve,
                                                 &laplace_solve,
                                                 &discrete_solve,
                                                 &kary_epsilon,
                                                 &kary_categories,
                                                 &pair_p,
                                                 &pair_q,
                                                 &pair_directions,
                                                 &range_eta,
                                                 &zcdp_rho,
                                                 &zcdp_xi,
                                                 &rdp_alpha,
                                                 &rdp_value,
                                                 &sgd_noise_multiplier,
                                                 &sgd_sampling_rate,
                                                 &sgd_steps,
                                                 &sgd_dataset_size,
                                                 &sgd_batch_size,
                                                 &sgd_epochs,
                                                 &sgd_group_size,
                                                 &sgd_method,
                                                 &sgd_sampling,
                                                 &sgd_adjacency,
                                                 &sgd_solve,
                                                 NULL};
