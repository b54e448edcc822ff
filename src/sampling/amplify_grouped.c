/* SPDX-License-Identifier: MIT */
/* A learner known only under the other relation: the row of what amplify_two_steps.c evaluates. */
#include "sampling/amplify.h"

static dp_status eval_grouped(dp_figure *out, const void *in, const wanted *want)
{
    const bagging_in *q = in;
    if (q->target != NULL)
        return amplify_inverse(out, q, want);
    if (q->at == NULL)
        return amplify_pair_figures(out, q->b, want);
    bagging_set_epsilon(&out[0], q, want);
    amplify_grouped_value(&out[1], q, false, want);
    return DP_OK;
}

const bound amplify_grouped = {
    .theorem =
        {.id = "amplify-grouped",
         .family = "bagging-without",
         .verdict = DP_EXACT,
         .source = "derived here from Balle, Barthe, Gaboardi 2018, Privacy Amplification by "
                   "Subsampling, Theorems 8 to 10",
         .statement =
             "delta(eps) = max over p of u g(p) - v p - w g^-1(p), g(p) = min(1, delta0 + E0 p, 1 "
             "- (1-delta0-p)/E0), E0 = e^eps0: without replacement u = eta, v = 0, w = eta + "
             "e^eps - 1, Poisson u = q, v = (1-q)(e^eps - 1), w = q e^eps; it is delta(eps') at "
             "most from eps' = ln(1 + eta(E0^2 - 1)), ln(1 + q(E0 - 1/E0)/(1 - q + q/E0)) on",
         .assumes =
             "the learner (eps0, delta0)-DP under add-remove adjacency on samples of every size; "
             "without replacement: result under either relation (n the larger data set); Poisson: "
             "result under replace-one; sampled indices secret and fresh; exact for one model, an "
             "upper bound for several disjoint blocks",
         .proof =
             "The samples with the record and with another in its place are two steps of the "
             "learner apart, that without either is between them: an event of probability p there "
             "has at most g(p) on one side and at least g^-1(p) on the other. Without replacement "
             "P - e^eps Q = eta (A - e^t Q), e^t = 1 + (e^eps - 1)/eta, where A and Q differ by a "
             "replacement; for Poisson P - e^eps Q = q A - (1-q)(e^eps - 1) C - q e^eps B, C the "
             "law without either record. A learner with two outcomes, g^-1(p), p or g(p) by the "
             "step that the sample is at, attains the maximum."},
    .eval = eval_grouped,
    .output = {"epsilon", "delta"},
    .also_for = "bagging-poisson|compose|curve"};
