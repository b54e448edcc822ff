/* SPDX-License-Identifier: MIT */
/* What the noisy votes of Laplace noise spend, exactly: two votes of each query move by one, each a
 * Laplace mechanism. */
#include "engine/invert.h"
#include "loss/laplace.h"
#include "vote/pate.h"

dp_status pate_laplace_product(product *p, const pate_account *a)
{
    mpz_t uses;
    mpz_init(uses);
    mpz_mul_2exp(uses, a->asked, 1);
    product_init(p);
    dp_status status = laplace_add(p, a->scale, uses);
    mpz_clear(uses);
    return status;
}

/* ---- the engine, of one direction, for the losses are symmetric ---- */

typedef struct law {
    product all;
    engine engine;
} law;

/* Always leaves *l safe to clear. */
static dp_status law_init(law *l, const pate_account *a)
{
    dp_status status = pate_laplace_product(&l->all, a), ready = engine_init(&l->engine, &l->all);
    return status == DP_OK ? ready : status;
}

static void law_clear(law *l)
{
    engine_clear(&l->engine);
    product_clear(&l->all);
}

static dp_status laplace_profile(dp_figure *open, const pate_in *q, size_t digits,
                                 const limits *lim)
{
    law l;
    dp_status status = law_init(&l, q->of);
    if (status == DP_OK)
        status = q->delta != NULL ? optimal_epsilon_at(open, &l.engine, q->delta, digits, lim)
                                  : optimal_delta_at(open, &l.engine, q->x, digits, lim);
    law_clear(&l);
    return status;
}

dp_status pate_laplace_row(dp_result *out, void *in, const dp_options *opt)
{
    return pate_profile_row(out, &pate_laplace, in, laplace_profile, opt);
}

dp_decision pate_laplace_meets(const pate_account *a, const logform *x, const pate_budget *b)
{
    law l;
    dp_decision answer = DP_UNKNOWN;
    if (law_init(&l, a) == DP_OK)
        answer = optimal_meets_at(&l.engine, x, b->max_delta, b->lim);
    law_clear(&l);
    return answer;
}

#define DIGITS 4 /* of a delta that corrects a guess */

bool pate_laplace_delta(mpfi_t out, const pate_account *a, const pate_budget *b)
{
    law l;
    logform x;
    dp_figure delta;
    logform_init(&x);
    dp_figure_init(&delta);
    bool had = law_init(&l, a) == DP_OK && logform_add_number(&x, NULL, b->max_epsilon) &&
               optimal_delta_at(&delta, &l.engine, &x, DIGITS, b->lim) == DP_OK &&
               delta.kind == DP_ENCLOSED;
    if (had)
        mpfi_set(out, delta.enclosure);
    law_clear(&l);
    dp_figure_clear(&delta);
    logform_clear(&x);
    return had;
}

const bound pate_laplace = {
    .theorem =
        {.id = "pate-laplace",
         .family = "pate",
         .verdict = DP_EXACT,
         .source = PATE_2017 ", for the mechanism, with the composition of privacy losses of "
                             "Dong, Roth, Su 2022",
         .statement = "delta(x) = E[(1 - e^(x - L))_+], L the sum of 2 asked independent losses of "
                      "Laplace noise at epsilon = inverse_scale",
         .assumes =
             PATE_TEACHERS "; exact for the noisy votes, which may be published, so an upper "
                           "bound for the answers alone",
         .proof =
             "Two votes of a query move by at most one each, under independent noise: two "
             "Laplace mechanisms, whose pair is attained where both move by one. The answer "
             "is a function of the noisy votes, and the pairs of all queries compose, whatever "
             "is asked next."},
    .applies = pate_is_laplace,
    .engine = pate_laplace_row,
    .output = {"epsilon", "delta"},
    .also = "queries"};
