/* SPDX-License-Identifier: MIT */
/* The tables of parameters of all rooms: every option is a row of one of them and every row is of
 * use, one name means one thing, defaults are in their domains, and the rows have the names of the
 * fields of the library's queries. */
#include "support.h"

#include <string.h>

#include "attack/audit_parameters.h"
#include "attack/parameters.h"
#include "catalog/types.h"
#include "cli/program.h"
#include "compose/parameters.h"
#include "core/value.h"
#include "document/table.h"
#include "learning/parameters.h"
#include "mechanism/parameters.h"
#include "renyi/parameters.h"
#include "sampling/parameters.h"
#include "vote/parameters.h"

#define MOST_OWN 200

/* Parameters of types of mechanisms that stand in no table of a room; ended by NULL. */
static const parameter *own[MOST_OWN + 1];

static const parameter *const *const rooms[] = {core_parameters,      compose_parameters,
                                                sampling_parameters,  vote_parameters,
                                                mechanism_parameters, learning_parameters,
                                                renyi_parameters,     attack_parameters,
                                                document_parameters,  own};

#define EACH_ROW(p)                                                                                \
    for (size_t r_ = 0; r_ < sizeof rooms / sizeof *rooms; r_++)                                   \
        for (const parameter *const *p = rooms[r_]; *p != NULL; p++)
#define EACH_OPTION(o)                                                                             \
    for (const command *const *c_ = commands; *c_ != NULL; c_++)                                   \
        for (const option *o = (*c_)->options; o->of != NULL; o++)

static bool is_known(const parameter *p)
{
    EACH_ROW(q) if (*q == p) return true;
    return false;
}

static int find_own(void **state)
{
    (void)state;
    const mechanism_type *type;
    size_t count = 0;
    for (size_t i = 0; (type = mechanism_type_at(i)) != NULL; i++)
        for (const parameter *const *p = type->parameters; *p != NULL; p++)
            if (!is_known(*p)) {
                assert_true(count < MOST_OWN);
                own[count++] = *p;
            }
    return 0;
}

/* Rows of the library only: what an item of a list is made of. */
static bool is_item(const parameter *p)
{
    return p == &item_epsilon || p == &item_delta || p == &item_times;
}

static void test_rows(void **state)
{
    (void)state;
    EACH_OPTION(o)
    {
        size_t rows = 0;
        EACH_ROW(p) rows += *p == o->of;
        if (rows != 1)
            fail_msg("--%s stands in %zu tables", o->of->name, rows);
    }
    EACH_ROW(p)
    {
        size_t uses = is_item(*p) || *p == &cells_partition;
        EACH_OPTION(o) uses += o->of == *p;
        const mechanism_type *type;
        for (size_t i = 0; (type = mechanism_type_at(i)) != NULL; i++)
            for (const parameter *const *q = type->parameters; *q != NULL; q++)
                uses += *q == *p;
        if (uses == 0)
            fail_msg("%s: no command takes it", (*p)->name);
        const char *names[] = {parameter_key(*p), parameter_field(*p)};
        for (size_t i = 0; i < 2; i++)
            if (strchr(names[i], '-') != NULL)
                fail_msg("%s: '%s' is no name of a field", (*p)->name, names[i]);
    }
}

/* Names that have another domain, or unit, in another command. */
static bool differs(const char *name)
{
    static const char *const known[] = {
        "order",      /* above 1 where a statement bounds only such orders */
        "delta",      /* of one step, in a published statement that divides by it */
        "mechanisms", /* odd for rr-prob; majority counts them with those of its groups */
        "means",       "votes", "vote-mean", "gamma", /* of which exact products are formed */
        "times",                                      /* steps of a learner */
        "samples",                                    /* examples, records */
        "order",                                      /* of a divergence, or above 1 */
        "add",                                        /* a pair, or anything a list holds */
        "prior",              /* over votes, or the probability of a record */
        "claim",              /* of a list a pair, of an audit a kind */
        "to",                 /* a day, or a statement */
        "sigma",              /* noise in the units of a query, or of a gradient */
        "sensitivity",        /* of a query, or of each integer of a vector */
        "tpr",         "fpr", /* rates that are asked about, or those of an attack */
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i], name) == 0)
            return true;
    return false;
}

static bool same(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static void test_names(void **state)
{
    (void)state;
    EACH_ROW(p)
    for (size_t r = 0; r < sizeof rooms / sizeof *rooms; r++)
        for (const parameter *const *q = rooms[r]; *q != NULL; q++) {
            if (strcmp((*p)->name, (*q)->name) != 0 || differs((*p)->name))
                continue;
            if ((*p)->kind != (*q)->kind || parameter_domain(*p) != parameter_domain(*q) ||
                !same((*p)->unit, (*q)->unit) || strcmp(parameter_key(*p), parameter_key(*q)) != 0)
                fail_msg("%s is not the same everywhere", (*p)->name);
        }
}

static void test_presets(void **state)
{
    (void)state;
    EACH_ROW(p)
    {
        value v;
        value_fault f = {0};
        value_init(&v, *p);
        if (value_preset(&v, &f) != DP_OK)
            fail_msg("%s: default '%s' %s", (*p)->name, (*p)->preset, f.message);
        assert_int_equal(v.text != NULL, (*p)->preset != NULL);
        value_clear(&v);
    }
}

/* The field exists, and the row has its name. */
#define FIELD(type, field, row)                                                                    \
    {                                                                                              \
#field, offsetof(type, field), &row                                                        \
    }

static const struct {
    const char *field;
    size_t offset;
    const parameter *row;
} fields[] = {
    FIELD(dp_options, digits, query_digits),
    FIELD(dp_options, all, query_all),
    FIELD(dp_options, max_epsilon, query_max_epsilon),
    FIELD(dp_options, max_delta, query_max_delta),
    FIELD(dp_options, max_seconds, query_max_time),
    FIELD(dp_options, max_bytes, query_max_memory),
    FIELD(dp_options, threads, query_threads),
    FIELD(dp_item, epsilon, item_epsilon),
    FIELD(dp_item, delta, item_delta),
    FIELD(dp_item, times, item_times),
    FIELD(dp_item, epsilon, single_epsilon),
    FIELD(dp_item, delta, single_delta),
    FIELD(dp_item, delta, divergence_delta),
    FIELD(dp_item, times, single_times),
    FIELD(dp_item, epsilon, kl_epsilon),
    FIELD(dp_item, times, kl_times),
    FIELD(dp_item, epsilon, majority_epsilon),
    FIELD(dp_item, delta, majority_delta),
    FIELD(dp_composition, adjacency, list_adjacency),
    FIELD(dp_compose_query, target_epsilon, compose_target_epsilon),
    FIELD(dp_compose_query, target_delta, compose_target_delta),
    FIELD(dp_compose_query, slack, compose_slack),
    FIELD(dp_compose_query, method, compose_method),
    FIELD(dp_compose_query, add, compose_add),
    FIELD(dp_compose_query, solve, compose_solve),
    FIELD(dp_compose_query, uses, compose_uses),
    FIELD(dp_compose_query, adaptive, compose_adaptive),
    FIELD(dp_compose_query, use_delta, compose_use_delta),
    FIELD(dp_conversion, pure, convert_pure),
    FIELD(dp_conversion, approx, convert_approx),
    FIELD(dp_conversion, zcdp, convert_zcdp),
    FIELD(dp_conversion, rdp, convert_rdp),
    FIELD(dp_conversion, cdp, convert_cdp),
    FIELD(dp_conversion, gdp, convert_gdp),
    FIELD(dp_conversion, target_epsilon, convert_target_epsilon),
    FIELD(dp_conversion, target_delta, convert_target_delta),
    FIELD(dp_conversion, order, convert_order),
    FIELD(dp_conversion, to, convert_to),
    FIELD(dp_attacker, delta, attacker_delta_given),
    FIELD(dp_attacker, prior, attacker_prior),
    FIELD(dp_attacker, fpr, attacker_fpr),
    FIELD(dp_attacker, tpr, attacker_tpr),
    FIELD(dp_attacker, secrets, attacker_secrets),
    FIELD(dp_attacker, kappa, attacker_kappa),
    FIELD(dp_attacker, belief, attacker_belief),
    FIELD(dp_attacker, members, attacker_members),
    FIELD(dp_attacker, trainings, attacker_trainings),
    FIELD(dp_attacker, group, attacker_group),
    FIELD(dp_attacker, game, attacker_game),
    FIELD(dp_attacker, solve, attacker_solve),
    FIELD(dp_attacker, max_advantage, attacker_max_advantage),
    FIELD(dp_filter_query, add, filter_add),
    FIELD(dp_filter_query, method, filter_method),
    FIELD(dp_filter_query, order, filter_order),
    FIELD(dp_filter_query, slack, filter_slack),
    FIELD(dp_bagging, dataset_size, bagging_dataset_size),
    FIELD(dp_bagging, subsample_size, bagging_subsample_size),
    FIELD(dp_bagging, models, bagging_models),
    FIELD(dp_bagging, sampling_rate, bagging_sampling_rate),
    FIELD(dp_bagging, adjacency, bagging_adjacency),
    FIELD(dp_bagging, target_epsilon, bagging_target_epsilon),
    FIELD(dp_bagging, target_delta, bagging_target_delta),
    FIELD(dp_bagging, base_epsilon, bagging_base_epsilon),
    FIELD(dp_bagging, base_delta, bagging_base_delta),
    FIELD(dp_bagging, base_adjacency, bagging_base_adjacency),
    FIELD(dp_igmm, samples, igmm_samples),
    FIELD(dp_igmm, times, igmm_times),
    FIELD(dp_igmm, diameter, igmm_diameter),
    FIELD(dp_igmm, sigma, igmm_sigma),
    FIELD(dp_igmm, delta, igmm_delta),
    FIELD(dp_igmm, slack, igmm_slack),
    FIELD(dp_igmm, target_epsilon, igmm_target_epsilon),
    FIELD(dp_igmm, target_delta, igmm_target_delta),
    FIELD(dp_generalization, epsilon, learner_epsilon),
    FIELD(dp_generalization, delta, learner_delta),
    FIELD(dp_generalization, samples, learner_samples),
    FIELD(dp_generalization, failure, learner_failure),
    FIELD(dp_generalization, gap, learner_gap),
    FIELD(dp_generalization, sets, learner_sets),
    FIELD(dp_generalization, selection, learner_selection),
    FIELD(dp_generalization, one_sided, learner_one_sided),
    FIELD(dp_generalization, solve_samples, learner_solve),
    FIELD(dp_majority, allowance, majority_allowance),
    FIELD(dp_majority, target_epsilon, majority_target_epsilon),
    FIELD(dp_majority, target_delta, majority_target_delta),
    FIELD(dp_majority, design, majority_design),
    FIELD(dp_majority, sample, majority_sample),
    FIELD(dp_majority, slack, majority_slack),
    FIELD(dp_majority, free_class, majority_class),
    FIELD(dp_majority, prior, majority_prior),
    FIELD(dp_majority, gamma, majority_gamma),
    FIELD(dp_majority, means, majority_means),
    FIELD(dp_majority, votes, majority_votes),
    FIELD(dp_majority, votes, majority_vote_mean),
    FIELD(dp_pate, aggregator, pate_aggregator),
    FIELD(dp_pate, inverse_scale, pate_inverse_scale),
    FIELD(dp_pate, sigma, pate_sigma),
    FIELD(dp_pate, sigma_threshold, pate_sigma_threshold),
    FIELD(dp_pate, queries, pate_queries),
    FIELD(dp_pate, answered, pate_answered),
    FIELD(dp_pate, teachers, pate_teachers),
    FIELD(dp_pate, threshold, pate_threshold),
    FIELD(dp_pate, votes, pate_votes_given),
    FIELD(dp_pate, instance, pate_instance),
    FIELD(dp_pate, classes, pate_classes),
    FIELD(dp_pate, target_epsilon, pate_target_epsilon),
    FIELD(dp_pate, target_delta, pate_target_delta),
    FIELD(dp_pate, solve, pate_solve),
    FIELD(dp_audit, true_positives, audit_true_positives),
    FIELD(dp_audit, positives, audit_positives),
    FIELD(dp_audit, false_positives, audit_false_positives),
    FIELD(dp_audit, negatives, audit_negatives),
    FIELD(dp_audit, correct, audit_correct),
    FIELD(dp_audit, trials, audit_trials),
    FIELD(dp_audit, one_run, audit_one_run),
    FIELD(dp_audit, canaries, audit_canaries),
    FIELD(dp_audit, guesses, audit_guesses),
    FIELD(dp_audit, fixed_positions, audit_positions),
    FIELD(dp_audit, delta, audit_delta),
    FIELD(dp_audit, confidence, audit_confidence),
    FIELD(dp_audit, split, audit_split),
    FIELD(dp_audit, method, audit_method),
    FIELD(dp_audit, looks, audit_looks),
    FIELD(dp_audit, gdp, audit_claim),
    FIELD(dp_audit, mu, audit_mu),
    FIELD(dp_audit, claim_point, audit_claim_point),
    FIELD(dp_audit, inclusion, audit_inclusion),
    FIELD(dp_audit, said_in, audit_said_in),
    FIELD(dp_audit, at_epsilon, audit_at_epsilon),
    FIELD(dp_audit, assume_gaussian, audit_assume_gaussian),
    FIELD(dp_audit, replaced, audit_adjacency),
    FIELD(dp_audit, plan, audit_plan_flag),
    FIELD(dp_audit, claim_epsilon, audit_claim_epsilon),
    FIELD(dp_audit, accuracy, audit_attack_accuracy),
    FIELD(dp_audit, tpr, audit_attack_tpr),
    FIELD(dp_audit, fpr, audit_attack_fpr),
    FIELD(dp_audit, power, audit_power),
    FIELD(dp_response, mechanisms, response_mechanisms),
    FIELD(dp_response, epsilon, response_epsilon),
    FIELD(dp_response, delta, response_delta),
    FIELD(dp_response, allowance, response_allowance),
    FIELD(dp_response, target_epsilon, response_target_epsilon),
    FIELD(dp_response, target_delta, response_target_delta),
    FIELD(dp_response, composition, response_composition),
    FIELD(dp_response, slack, response_slack),
};

/* Parameters that are no field, or several, or an argument of a call. */
static const parameter *const others[] = {
    &compose_mechanism,   &curve_mechanism,    &divergence_mechanism,
    &kl_mechanism,        &majority_mechanism, &filter_mechanism,
    &attacker_of,                             /* items of a list */
    &majority_mechanisms,                     /* the number of uses of an item           */
    &compose_claim,                           /* claim_epsilon and claim_delta           */
    &curve_epsilon_range, &curve_delta_range, /* the points, an array                    */
    &divergence_order,    &bagging_solve,      &bagging_poisson_solve, /* arguments */
    &bagging_subsamples, /* with the command: the sampling          */
    &igmm_batch_size,    /* `batch`, and batch_size in errors       */
    &compose_by_entry,    &compose_from,       &compose_to,
    &cells_partition, /* of the document */
    &list_group_size, /* an argument, of a copy of the list      */
};

static void test_fields(void **state)
{
    (void)state;
    EACH_ROW(p)
    {
        size_t found = 0;
        if (rooms[r_] == document_parameters || rooms[r_] == mechanism_parameters ||
            rooms[r_] == own)
            continue; /* the form of the answer, and values of mechanisms, are no fields */
        for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
            if (fields[i].row == *p) {
                assert_string_equal(fields[i].field, parameter_field(*p));
                found++;
            }
        for (size_t i = 0; i < sizeof others / sizeof *others; i++)
            found += others[i] == *p;
        if (found != 1)
            fail_msg("%s: %zu fields", (*p)->name, found);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_presets),
        cmocka_unit_test(test_fields),
    };
    return cmocka_run_group_tests(tests, find_own, NULL);
}
