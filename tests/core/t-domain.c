/* SPDX-License-Identifier: MIT */
/* Every parameter of every query, out of its domain: DP_DOMAIN with the name of the parameter, and
 * the result stays what it was; in it, up to its ends, the parameter passes. */
#include "stage.h"

#include <math.h>

static void test_options(void **state)
{
    (void)state;
    for (size_t i = 0; i < QUERIES; i++) {
        ask call = queries[i];
        bool checks = call != ask_kl && call != ask_divergences && call != ask_curve;
        REFUSED(call, "digits", s.opt.digits = 10001);
        REFUSED(call, "digits", s.opt.digits = 1000000000);
        REFUSED(call, "digits", s.opt.digits = SIZE_MAX);
        REFUSED(call, "max_seconds", s.opt.max_seconds = -1);
        REFUSED(call, "max_seconds", s.opt.max_seconds = NAN);
        ON(s.opt.max_epsilon = &s.x;
           try_number(&s, call, "max_epsilon", &s.x, no_loss, checks ? a_loss : nothing));
        ON(s.opt.max_delta = &s.x; try_number(&s, call, "max_delta", &s.x, no_probability,
                                              checks ? a_probability : nothing));
    }
    /* the budget that was met by everything */
    ON(number_of(&s.x, "ln(1.01)"); s.opt.max_delta = &s.x; s.opt.max_epsilon = &s.spare;
       expect(&s, ask_compose, "max_delta", "ln(1.01)"));
}

/* {0} and the explicit defaults give the same figures. */
static void test_lists(void **state)
{
    (void)state;
    static const ask readers[] = {ask_compose, ask_curve, ask_kl, ask_divergences};
    OWN_NUMBER(ask_add, "epsilon", add.epsilon, loss);
    RATIONAL(ask_add, "delta", add.delta, probability);
    INTEGER(ask_add, "times", times, count);
    for (size_t i = 0; i < 4; i++) { /* filled by hand, past dp_composition_add */
        OWN_NUMBER(readers[i], "epsilon", list.item[0].epsilon, loss);
        ON(try_rational(&s, readers[i], "delta", s.list.item[0].delta, no_probability,
                        readers[i] == ask_kl ? nothing : a_probability));
        INTEGER(readers[i], "times", list.item[0].times, count);
        CHOICE(readers[i], "adjacency", list.adjacency, dp_relation, DP_REPLACE_ONE);
    }
    REFUSED(ask_add, "times", mpz_setbit(s.times, (1UL << 24) + 1)); /* 1 and 2^(2^24 + 1) */
    REFUSED(ask_add, "epsilon", mpz_setbit(mpq_numref(s.add.epsilon.value), (1UL << 24) + 1));
    CHOICE(ask_add_bagging, "adjacency", list.adjacency, dp_relation, DP_REPLACE_ONE);
    REFUSED(ask_add_bagging, "adjacency", s.bagging.adjacency = DP_REPLACE_ONE);
    INTEGER(ask_add_bagging, "times", times, count);
    REFUSED(ask_add_bagging, "digits", s.digits = 10001);
    REFUSED(ask_kl, "delta", mpq_set_ui(s.list.item[0].delta, 1, 1000000));
    REFUSED(ask_kl, "epsilon", dp_composition_clear(&s.list));
    REFUSED(ask_divergences, "epsilon", dp_composition_clear(&s.list));
    REFUSED(ask_compose, "mechanism", dp_composition_clear(&s.list));
    REFUSED(ask_curve, "mechanism", dp_composition_clear(&s.list));
    ON(try_rational(&s, ask_divergences, "order", s.order, no_positive, a_positive));
    OWN_NUMBER(ask_curve, "epsilon", point, loss);
    ON(s.deltas = true;
       try_number(&s, ask_curve, "delta", &s.point, no_probability, a_probability));
    ON(s.points = 0; assert_int_equal(ask_curve(&s, NULL), DP_OK));
}

static void test_compose(void **state)
{
    (void)state;
    CHOICE(ask_compose, "method", query.method, dp_compose_method, DP_COMPOSE_FILTER);
    CHOICE(ask_compose, "solve", query.solve, dp_compose_unknown, DP_SOLVE_PARAMETER);
    NUMBER(ask_compose, "target_epsilon", query.target_epsilon, loss);
    NUMBER(ask_compose, "target_delta", query.target_delta, probability);
    NUMBER(ask_compose, "slack", query.slack, slack);
    ON(s.query.claim_delta = &s.half; s.query.claim_epsilon = &s.x;
       try_number(&s, ask_compose, "claim_epsilon", &s.x, no_loss, a_loss));
    ON(s.query.claim_epsilon = &s.half; s.query.claim_delta = &s.x;
       try_number(&s, ask_compose, "claim_delta", &s.x, no_probability, a_probability));
    ON(s.query.add = &s.add; s.opt.max_epsilon = &s.one;
       try_number(&s, ask_compose, "add", &s.add.epsilon, no_loss, a_loss));
    ON(s.query.add = &s.add; s.opt.max_epsilon = &s.one;
       try_rational(&s, ask_compose, "add", s.add.delta, no_probability, a_probability));
    ON(s.query.solve = DP_SOLVE_EPSILON; s.query.uses = s.times; s.opt.max_epsilon = &s.one;
       try_integer(&s, ask_compose, "uses", s.times, no_count, a_count));
    ON(s.query.solve = DP_SOLVE_EPSILON; s.query.uses = s.times; s.opt.max_epsilon = &s.one;
       s.query.use_delta = &s.x; s.opt.max_delta = &s.one;
       try_number(&s, ask_compose, "use_delta", &s.x, no_probability, a_probability));
    REFUSED(ask_compose, "target_epsilon", s.query.target_epsilon = s.query.target_delta = &s.half);
    REFUSED(ask_compose, "claim", s.query.claim_epsilon = &s.half);
    REFUSED(ask_compose, "claim", s.query.claim_delta = &s.half);
    REFUSED(ask_compose, "claim",
            s.query.claim_epsilon = s.query.claim_delta = s.query.target_delta = &s.half);
    REFUSED(ask_compose, "claim",
            s.query.claim_epsilon = s.query.claim_delta = s.opt.max_delta = &s.half);
    REFUSED(ask_compose, "max_epsilon", s.query.add = &s.add);
    REFUSED(ask_compose, "max_epsilon", s.query.solve = DP_SOLVE_TIMES);
    REFUSED(ask_compose, "uses", s.query.solve = DP_SOLVE_EPSILON; s.opt.max_epsilon = &s.one);
    REFUSED(ask_compose, "add", list_add(&s.list, "1", "0", 1); s.query.solve = DP_SOLVE_TIMES;
            s.opt.max_epsilon = &s.one);
}

static void test_bagging(void **state)
{
    (void)state;
    static const ask asks[] = {ask_bagging, ask_add_bagging, ask_solve};
    for (size_t i = 0; i < 3; i++) {
        ask call = asks[i];
        CHOICE(call, "sampling", bagging.sampling, dp_sampling, DP_POISSON);
        CHOICE(call, "adjacency", bagging.adjacency, dp_relation, DP_REPLACE_ONE);
        CHOICE(call, "base_adjacency", bagging.base_adjacency, dp_base_adjacency, DP_BASE_BOTH);
        INTEGER(call, "dataset_size", bagging.dataset_size, count);
        ON(s.unknown = DP_SOLVE_MODELS; mpz_set_ui(s.bagging.dataset_size, 3);
           try_integer(&s, call, "subsample_size", s.bagging.subsample_size, no_count, a_count));
        INTEGER(call, "models", bagging.models, count);
        ON(s.unknown = DP_SOLVE_MODELS; s.bagging.sampling = DP_POISSON;
           mpz_set_ui(s.bagging.dataset_size, 0); /* which is not read */
           try_rational(&s, call, "sampling_rate", s.bagging.sampling_rate, no_probability,
                        a_probability));
        ON(s.opt.max_epsilon = &s.one; s.bagging.base_epsilon = &s.x;
           try_number(&s, call, "base_epsilon", &s.x, no_loss, a_loss);
           number_of(&s.x, "100000001"); expect(&s, call, "base_epsilon", "10^8 + 1"));
        ON(s.opt.max_epsilon = &s.one; s.bagging.base_epsilon = &s.half; try_rational(
               &s, call, "base_delta", s.bagging.base_delta, no_probability, a_probability));
        NUMBER(call, "target_epsilon", bagging.target_epsilon, loss);
        ON(s.opt.max_epsilon = &s.one; s.bagging.base_epsilon = &s.half;
           s.bagging.target_delta = &s.x;
           try_number(&s, call, "target_delta", &s.x, no_probability, nothing));
        REFUSED(call, "target_delta", s.bagging.target_delta = &s.half);
        REFUSED(call, "target_epsilon",
                s.bagging.base_epsilon = s.bagging.target_delta = s.bagging.target_epsilon =
                    &s.half);
        if (call == ask_solve)
            continue;
        REFUSED(call, "subsample_size", s.bagging.sampling = DP_WITHOUT_INDEPENDENT;
                mpz_set_ui(s.bagging.subsample_size, 11));
        REFUSED(call, "subsample_size", s.bagging.sampling = DP_WITHOUT_DISJOINT;
                mpz_set_ui(s.bagging.models, 6));
    }
    CHOICE(ask_solve, "unknown", unknown, dp_bagging_unknown, DP_SOLVE_RATE);
    REFUSED(ask_solve, "unknown", s.unknown = DP_SOLVE_RATE);
    REFUSED(ask_solve, "unknown", s.bagging.sampling = DP_POISSON);
    REFUSED(ask_solve, "solve", s.bagging.base_epsilon = &s.half);
    stage s;
    stage_open(&s);
    expect(&s, ask_bagging, "max_delta",
           (s.opt.max_delta = &s.x, number_of(&s.x, "-1"), "a stage without max_delta"));
    s.opt.max_delta = NULL;
    dp_error err;
    assert_int_equal(dp_bagging_solve(&s.out, &s.bagging, DP_SOLVE_MODELS, &s.opt, &err),
                     DP_DOMAIN);
    assert_string_equal(err.argument, "solve");
    stage_close(&s);
}

static void test_learning(void **state)
{
    (void)state;
    ON(mpz_set_ui(s.igmm.batch, 1);
       try_integer(&s, ask_igmm, "samples", s.igmm.samples, no_count, a_count));
    INTEGER(ask_igmm, "batch_size", igmm.batch, count);
    INTEGER(ask_igmm, "times", igmm.times, count);
    RATIONAL(ask_igmm, "diameter", igmm.diameter, positive);
    RATIONAL(ask_igmm, "sigma", igmm.sigma, positive);
    ON(s.igmm.slack = &s.half; s.igmm.delta = &s.x;
       try_number(&s, ask_igmm, "delta", &s.x, no_slack, a_slack));
    ON(s.igmm.delta = &s.half; s.igmm.slack = &s.x;
       try_number(&s, ask_igmm, "slack", &s.x, no_slack, a_slack));
    ON(s.igmm.target_delta = NULL; s.igmm.target_epsilon = &s.x;
       try_number(&s, ask_igmm, "target_epsilon", &s.x, no_loss, a_loss));
    ON(s.igmm.target_delta = &s.x;
       try_number(&s, ask_igmm, "target_delta", &s.x, no_probability, nothing));
    REFUSED(ask_igmm, "batch_size", mpz_set_ui(s.igmm.batch, 5));
    REFUSED(ask_igmm, "slack", s.igmm.delta = &s.half);
    REFUSED(ask_igmm, "delta", s.igmm.slack = &s.half);
    REFUSED(ask_igmm, "target_epsilon", s.igmm.target_epsilon = &s.half);

    OWN_NUMBER(ask_generalization, "epsilon", learner.epsilon, loss);
    RATIONAL(ask_generalization, "delta", learner.delta, probability);
    ON(s.learner.failure = &s.half; s.learner.samples = &s.x;
       try_number(&s, ask_generalization, "samples", &s.x, no_count, a_count));
    NUMBER(ask_generalization, "failure", learner.failure, slack);
    NUMBER(ask_generalization, "gap", learner.gap, positive);
    NUMBER(ask_generalization, "sets", learner.sets, count);
    NUMBER(ask_generalization, "selection", learner.selection, positive);
    REFUSED(ask_generalization, "selection", number_of(&s.x, "2^-5000");
            s.learner.selection = &s.x);
    REFUSED(ask_generalization, "gap", s.learner.solve_samples = true);
    REFUSED(ask_generalization, "failure", s.learner.solve_samples = true; s.learner.gap = &s.half);
    REFUSED(ask_generalization, "samples", s.learner.solve_samples = true;
            s.learner.gap = s.learner.failure = &s.half; s.learner.samples = &s.one);
    REFUSED(ask_generalization, "failure", s.learner.samples = &s.one);
}

static void test_votes(void **state)
{
    (void)state;
    INTEGER(ask_votes, "mechanisms", votes.mechanisms, count);
    REFUSED(ask_votes, "mechanisms", mpz_set_ui(s.votes.mechanisms, 2));
    OWN_NUMBER(ask_votes, "epsilon", votes.epsilon, loss);
    RATIONAL(ask_votes, "delta", votes.delta, probability);
    NUMBER(ask_votes, "allowance", votes.allowance, positive);
    ON(s.votes.allowance = NULL; s.votes.target_epsilon = &s.x;
       try_number(&s, ask_votes, "target_epsilon", &s.x, no_loss, a_loss));
    RATIONAL(ask_votes, "target_delta", votes.target_delta, probability);
    CHOICE(ask_votes, "composition", votes.composition, dp_vote_composition, DP_VOTE_GENERAL);
    ON(s.votes.composition = DP_VOTE_GENERAL; s.votes.slack = &s.x;
       try_number(&s, ask_votes, "slack", &s.x, no_slack, a_slack));
    REFUSED(ask_votes, "slack", s.votes.slack = &s.half);
    REFUSED(ask_votes, "slack", s.votes.composition = DP_VOTE_GENERAL);
    REFUSED(ask_votes, "allowance", s.votes.allowance = NULL);
    REFUSED(ask_votes, "allowance", s.votes.target_epsilon = &s.half);

    OWN_NUMBER(ask_majority, "epsilon", council.item[0].epsilon, loss);
    RATIONAL(ask_majority, "delta", council.item[0].delta, probability);
    INTEGER(ask_majority, "times", council.item[0].times, count);
    CHOICE(ask_majority, "adjacency", council.adjacency, dp_relation, DP_REPLACE_ONE);
    CHOICE(ask_majority, "design", majority.design, dp_design, DP_DESIGN_OPTIMAL);
    CHOICE(ask_majority, "prior", majority.prior, dp_vote_prior, DP_PRIOR_VOTE);
    NUMBER(ask_majority, "allowance", majority.allowance, positive);
    ON(s.majority.allowance = NULL; s.majority.target_epsilon = &s.x;
       try_number(&s, ask_majority, "target_epsilon", &s.x, no_loss, a_loss));
    RATIONAL(ask_majority, "target_delta", majority.target_delta, probability);
    NUMBER(ask_majority, "sample", majority.sample, count);
    NUMBER(ask_majority, "slack", majority.slack, slack);
    REFUSED(ask_majority, "groups", dp_composition_clear(&s.council));
    REFUSED(ask_majority, "mechanisms", mpz_set_ui(s.council.item[0].times, 4));
    REFUSED(ask_majority, "mechanisms", mpz_set_ui(s.council.item[0].times, 303));
    REFUSED(ask_majority, "allowance", s.majority.allowance = NULL);
    REFUSED(ask_majority, "allowance", s.majority.target_epsilon = &s.half);
    REFUSED(ask_majority, "allowance", list_add(&s.council, "1", "0", 2));
    REFUSED(ask_majority, "sample", number_of(&s.x, "4"); s.majority.sample = &s.x);
    REFUSED(ask_majority, "class", list_add(&s.council, "1", "0", 2); s.majority.allowance = NULL;
            s.majority.target_epsilon = &s.half; s.majority.free_class = true);
    ON(s.majority.gamma = (const mpq_t *)s.share; s.majority.gamma_count = 4;
       try_rational(&s, ask_majority, "gamma", s.share[3], no_probability, nothing));
    REFUSED(ask_majority, "gamma", s.majority.gamma = (const mpq_t *)s.share;
            s.majority.gamma_count = 3);
    REFUSED(ask_majority, "gamma", s.majority.gamma_count = 4);
    ON(s.majority.prior = DP_PRIOR_MEAN; s.majority.means = (const mpq_t *)s.share;
       s.majority.mean_count = 1;
       try_rational(&s, ask_majority, "means", s.share[0], no_probability, nothing);
       rational_of(s.share[0], "0.4999"); expect(&s, ask_majority, "means", "0.4999"));
    REFUSED(ask_majority, "means", s.majority.prior = DP_PRIOR_MEAN);
    REFUSED(ask_majority, "means", s.majority.means = (const mpq_t *)s.share;
            s.majority.mean_count = 1);
    REFUSED(ask_majority, "means", s.majority.prior = DP_PRIOR_MEAN; s.majority.mean_count = 1);
    ON(s.majority.votes = (const mpq_t *)s.share; s.majority.vote_count = 1;
       try_rational(&s, ask_majority, "votes", s.share[0], no_probability, a_probability));
    REFUSED(ask_majority, "votes", s.majority.votes = (const mpq_t *)s.share;
            s.majority.vote_count = 2);
    REFUSED(ask_majority, "votes", s.majority.vote_count = 1);
    REFUSED(ask_majority, "votes", rational_of(s.share[0], "2^-1100");
            s.majority.votes = (const mpq_t *)s.share; s.majority.vote_count = 1);
}
int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_options),  cmocka_unit_test(test_lists),
        cmocka_unit_test(test_compose),  cmocka_unit_test(test_bagging),
        cmocka_unit_test(test_learning), cmocka_unit_test(test_votes),
    };
    return cmocka_run_group_tests_name("domain", tests, NULL, NULL);
}
