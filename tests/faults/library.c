/* SPDX-License-Identifier: MIT */
/* The library refused each of its blocks, one by one and at random (TAP). The memory functions of
 * refusing.c stand in the place of the library's. A call that was refused a block says DP_MEMORY,
 * one that was not says what it always says, and nothing is left behind, the blocks of GMP
 * included. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dpacct/dpacct.h"
#include "refusing.h"
#include "texts.h"
#include "values.h"

#include <mpfr.h>

/* ---- questions ------------------------------------------------------------------------------ */
#define NUMBERS 32
static dp_number pool[NUMBERS];
static size_t pooled;

/* Numbers of a question, forgotten with it; they are never refused a block. */
static dp_number *num(const char *text)
{
    size_t keep = only, before = taken;
    uint64_t random = state;
    bool all = exhausted;
    only = SIZE_MAX;
    exhausted = false;
    dp_number *x = &pool[pooled++];
    dp_number_init(x);
    if (pooled == NUMBERS || dp_number_parse(x, text, strlen(text), NULL) != DP_OK)
        abort();
    only = keep;
    state = random;
    exhausted = all;
    taken = before;
    return x;
}

typedef struct item {
    const char *epsilon, *delta;
    unsigned long times;
} item;

static dp_status list_make(dp_composition *list, const item *items, size_t count, dp_error *err)
{
    dp_status status = DP_OK;
    for (size_t i = 0; status == DP_OK && i < count; i++) {
        mpz_t times;
        mpz_init_set_ui(times, items[i].times);
        dp_number *epsilon = num(items[i].epsilon), *delta = num(items[i].delta);
        status = dp_composition_add(list, epsilon, delta->value, times, err);
        mpz_clear(times);
    }
    return status;
}

static const item same[] = {{"0.1", "1e-6", 35}};
static const item mixed[] = {{"0.1", "0", 20}, {"ln(3)", "0", 5}, {"1/7", "1e-9", 1}};
static const item odd[] = {{"0.137", "0", 9}, {"0.2111", "0", 3}, {"0.31831", "0", 4}};
static const item pure[] = {{"0.1", "0", 5}, {"0.3", "0", 1}};
static const item many[] = {{"0.01", "0", 300}};

typedef struct asked {
    const item *items;
    size_t count;
    const char *target_epsilon, *target_delta, *claim_epsilon, *claim_delta, *max_epsilon,
        *max_delta;
    dp_compose_unknown solve;
    bool add, all, bagging;
    dp_compose_method method;
} asked;

static const dp_number *maybe(const char *text)
{
    return text != NULL ? num(text) : NULL;
}

static dp_status add_bagging(dp_composition *list, dp_error *err)
{
    dp_bagging b;
    dp_bagging_init(&b);
    mpz_t once;
    mpz_init_set_ui(once, 2);
    mpz_set_ui(b.dataset_size, 1000);
    mpz_set_ui(b.subsample_size, 100);
    b.base_epsilon = num("1");
    mpq_set_ui(b.base_delta, 1, 100000);
    size_t before = list->count;
    dp_status status = dp_composition_add_bagging(list, &b, once, 10, err);
    if (status != DP_OK && list->count != before) /* without its note it would count as attained */
        status = DP_DOMAIN;
    mpz_clear(once);
    dp_bagging_clear(&b);
    return status;
}

static dp_status compose(dp_result *out, const void *of, dp_error *err)
{
    const asked *a = of;
    dp_composition list;
    dp_composition_init(&list);
    dp_options opt = {.digits = a->solve == DP_SOLVE_EPSILON ? 10 : 4,
                      .all = a->all,
                      .max_epsilon = maybe(a->max_epsilon),
                      .max_delta = maybe(a->max_delta)};
    dp_compose_query q = {.list = &list,
                          .method = a->method,
                          .target_epsilon = maybe(a->target_epsilon),
                          .target_delta = maybe(a->target_delta),
                          .claim_epsilon = maybe(a->claim_epsilon),
                          .claim_delta = maybe(a->claim_delta),
                          .solve = a->solve};
    dp_item next = {0};
    mpz_t uses;
    mpz_init_set_ui(uses, 100);
    mpz_init_set_ui(next.times, 1);
    mpq_init(next.delta);
    next.epsilon = *num("0.2");
    q.uses = a->solve == DP_SOLVE_EPSILON ? uses : NULL;
    q.add = a->add ? &next : NULL;
    dp_status status = list_make(&list, a->items, a->count, err);
    if (status == DP_OK && a->bagging)
        status = add_bagging(&list, err);
    if (status == DP_OK)
        status = dp_compose(out, &q, &opt, err);
    mpz_clear(uses);
    mpz_clear(next.times);
    mpq_clear(next.delta);
    dp_composition_clear(&list);
    return status;
}

static dp_status curve(dp_result *out, const void *of, dp_error *err)
{
    const asked *a = of;
    dp_composition list;
    dp_composition_init(&list);
    dp_options opt = {0};
    dp_status status = list_make(&list, a->items, a->count, err);
    if (status == DP_OK)
        status = dp_compose_curve(out, &list, num("1/2"), NULL, 1, &opt, err);
    if (status == DP_OK)
        status = dp_compose_curve(out, &list, NULL, num("1e-5"), 1, &opt, err);
    dp_composition_clear(&list);
    return status;
}

static dp_status divergences(dp_result *out, const void *of, dp_error *err)
{
    const asked *a = of;
    dp_composition list;
    dp_composition_init(&list);
    dp_options opt = {.all = true, .digits = 60};
    mpq_t order;
    mpq_init(order);
    mpq_set_ui(order, 8, 1);
    dp_status status = list_make(&list, a->items, a->count, err);
    if (status == DP_OK)
        status = dp_kl(out, &list, &opt, err);
    if (status == DP_OK)
        status = dp_divergences(out, &list, order, &opt, err);
    mpq_clear(order);
    dp_composition_clear(&list);
    return status;
}

typedef struct bagged {
    dp_sampling sampling;
    bool learner, solve;
    const char *target_epsilon;
    unsigned long models;
} bagged;

static dp_status bagging(dp_result *out, const void *of, dp_error *err)
{
    const bagged *a = of;
    dp_bagging b;
    dp_bagging_init(&b);
    mpz_set_ui(b.dataset_size, 60000);
    mpz_set_ui(b.subsample_size, 300);
    mpz_set_ui(b.models, a->models);
    b.sampling = a->sampling;
    mpq_set_ui(b.sampling_rate, 1, 200);
    b.target_epsilon = maybe(a->target_epsilon);
    if (a->learner)
        b.base_epsilon = num("1/2");
    dp_options opt = {.all = true};
    dp_status status = DP_OK;
    if (a->solve) {
        opt.max_epsilon = a->learner ? num("1/50") : NULL; /* few models: they are composed */
        opt.max_delta = num(a->learner ? "1e-3" : "0.1");
        status = dp_bagging_solve(out, &b, DP_SOLVE_MODELS, &opt, err);
    } else {
        status = dp_bagging_privacy(out, &b, &opt, err);
    }
    dp_bagging_clear(&b);
    return status;
}

static dp_status iterate(dp_result *out, const void *of, dp_error *err)
{
    (void)of;
    dp_igmm g;
    dp_igmm_init(&g);
    dp_options opt = {.all = true, .digits = 5};
    mpz_set_ui(g.samples, 60);
    mpz_set_ui(g.batch, 6);
    mpz_set_ui(g.times, 10);
    mpq_set_ui(g.diameter, 2, 1);
    mpq_set_ui(g.sigma, 1, 1);
    g.target_delta = num("1e-5");
    g.delta = g.slack = num("1e-6");
    dp_status status = dp_igmm_privacy(out, &g, &opt, err);
    dp_igmm_clear(&g);
    return status;
}

static dp_status generalize(dp_result *out, const void *of, dp_error *err)
{
    const bool *solve = of;
    dp_generalization g;
    dp_generalization_init(&g);
    dp_options opt = {.all = true};
    dp_number_set(&g.epsilon, num("1/10"));
    mpq_set_ui(g.delta, 1, 1000000);
    g.failure = num("0.05");
    g.samples = *solve ? NULL : num("95727");
    g.gap = *solve ? num("0.2") : NULL;
    g.solve_samples = *solve;
    dp_status status = dp_generalization_bound(out, &g, &opt, err);
    dp_generalization_clear(&g);
    return status;
}

/* Votes of teachers: 0 solving, 1 with votes, 2 with fractions. */
static dp_status teach(dp_result *out, const void *of, dp_error *err)
{
    const int *how = of;
    static const char *const text[] = {"1/2", "1/4", "1/4", "1/3", "0", "2/3"};
    dp_options opt = {.all = true, .digits = 5};
    mpq_t x[6];
    for (size_t i = 0; i < 6; i++) {
        mpq_init(x[i]);
        mpq_set(x[i], num(text[i])->value);
    }
    dp_pate p = {.inverse_scale = num("1/10")};
    opt.max_epsilon = num("1");
    opt.max_delta = num("1e-3");
    if (*how == 0) {
        p.solve = DP_PATE_QUERIES;
    } else if (*how == 1) {
        p = (dp_pate){.aggregator = DP_CONFIDENT_GNMAX,
                      .sigma = num("1/20"),
                      .sigma_threshold = num("1/10"),
                      .threshold = num("1/2"),
                      .votes = (const mpq_t *)x,
                      .vote_count = 6,
                      .vote_classes = 3};
    } else {
        p.instance = (const mpq_t *)x;
        p.instance_count = p.instance_line = 6;
        p.classes = num("3");
        p.votes = *how == 3 ? (const mpq_t *)x : NULL;
        p.vote_count = *how == 3 ? 6 : 0;
        p.vote_classes = 3;
    }
    dp_status status = dp_pate_privacy(out, &p, &opt, err);
    for (size_t i = 0; i < 6; i++)
        mpq_clear(x[i]);
    return status;
}

typedef struct voted {
    unsigned long voters;
    const char *delta;
    bool free_class, gamma, votes;
    dp_design design;
} voted;

static dp_status vote(dp_result *out, const void *of, dp_error *err)
{
    const voted *v = of;
    const item group[] = {{"0.1", v->delta, v->voters}};
    dp_composition list;
    dp_majority m;
    dp_composition_init(&list);
    dp_majority_init(&m);
    dp_options opt = {.digits = 5};
    mpq_t half[6];
    for (size_t i = 0; i < 6; i++) {
        mpq_init(half[i]);
        mpq_set_ui(half[i], i, 6);
        mpq_canonicalize(half[i]);
    }
    dp_status status = list_make(&list, group, 1, err);
    m.groups = &list;
    m.allowance = num("3");
    mpq_set_ui(m.target_delta, 1, 1000);
    m.design = v->design;
    m.free_class = v->free_class;
    m.gamma = v->gamma ? (const mpq_t *)half : NULL;
    m.gamma_count = v->gamma ? (v->voters + 1) / 2 : 0;
    m.votes = v->votes ? (const mpq_t *)half + 2 : NULL;
    m.vote_count = v->votes;
    if (status == DP_OK)
        status = dp_majority_designs(out, &m, &opt, err);
    for (size_t i = 0; i < 6; i++)
        mpq_clear(half[i]);
    dp_majority_clear(&m);
    dp_composition_clear(&list);
    return status;
}

static dp_status respond(dp_result *out, const void *of, dp_error *err)
{
    const bool *general = of;
    dp_response r;
    dp_response_init(&r);
    dp_options opt = {.all = true};
    mpz_set_ui(r.mechanisms, 35);
    dp_number_set(&r.epsilon, num("1/10"));
    if (*general) {
        mpq_set_ui(r.delta, 1, 100000);
        mpq_set_ui(r.target_delta, 1001, 10000);
        r.target_epsilon = num("0.65");
        r.composition = DP_VOTE_GENERAL;
        r.slack = num("0.1");
    } else {
        r.allowance = num("3");
    }
    dp_status status = dp_response_probability(out, &r, &opt, err);
    dp_response_clear(&r);
    return status;
}

/* ---- what is asked of each ------------------------------------------------------------------ */
static const bool no = false, yes = true;
#define LIST(of) .items = (of), .count = sizeof(of) / sizeof *(of)
#define COMPOSE(...)                                                                               \
    compose, &(const asked)                                                                        \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define BAG(...)                                                                                   \
    bagging, &(const bagged)                                                                       \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define VOTE(...)                                                                                  \
    vote, &(const voted)                                                                           \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
static const question questions[] = {
    {"compose", COMPOSE(LIST(same))},
    {"compose, target delta", COMPOSE(LIST(same), .target_delta = "1e-4", .all = true)},
    {"compose, logarithms", COMPOSE(LIST(mixed), .target_epsilon = "2", .all = true)},
    {"compose, no step", COMPOSE(LIST(odd), .target_epsilon = "1")},
    {"compose, pure", COMPOSE(LIST(pure), .target_delta = "1e-3", .max_epsilon = "1")},
    {"compose, a tie", COMPOSE(LIST(pure), .max_epsilon = "4/5", .max_delta = "0")},
    {"compose, many", COMPOSE(LIST(many), .target_delta = "1e-12")},
    {"compose, claim", COMPOSE(LIST(same), .claim_epsilon = "1", .claim_delta = "1e-4")},
    {"compose, add", COMPOSE(LIST(pure), .add = true, .max_epsilon = "4", .max_delta = "1e-6")},
    {"compose, times", COMPOSE(LIST(pure), .add = true, .solve = DP_SOLVE_TIMES, .max_epsilon = "4",
                               .max_delta = "1e-6")},
    {"compose, epsilon",
     COMPOSE(LIST(pure), .solve = DP_SOLVE_EPSILON, .max_epsilon = "4", .max_delta = "1e-6")},
    {"compose, bagging", COMPOSE(.bagging = true, .target_epsilon = "1/4")},
    {"compose, bagging beside", COMPOSE(LIST(pure), .bagging = true, .target_delta = "1e-3")},
    {"compose, kov", COMPOSE(LIST(same), .target_delta = "1e-3", .method = DP_COMPOSE_KOV)},
    {"curve", curve, &(const asked){LIST(same)}},
    {"divergences", divergences, &(const asked){LIST(pure)}},
    {"bagging", BAG(.sampling = DP_WITH_REPLACEMENT, .models = 1)},
    {"bagging, learner", BAG(.sampling = DP_WITH_REPLACEMENT, .learner = true, .models = 3)},
    {"bagging, target", BAG(.sampling = DP_WITHOUT_INDEPENDENT, .learner = true, .models = 3,
                            .target_epsilon = "1/5")},
    {"bagging, disjoint", BAG(.sampling = DP_WITHOUT_DISJOINT, .learner = true, .models = 3)},
    {"bagging, Poisson", BAG(.sampling = DP_POISSON, .learner = true, .models = 2)},
    {"bagging, solve", BAG(.sampling = DP_WITH_REPLACEMENT, .solve = true, .models = 1)},
    {"bagging, solve, learner",
     BAG(.sampling = DP_POISSON, .learner = true, .solve = true, .models = 1)},
    {"iterative", iterate, NULL},
    {"generalization", generalize, &no},
    {"generalization, samples", generalize, &yes},
    {"pate, queries", teach, &(const int){0}},
    {"pate, votes", teach, &(const int){1}},
    {"pate, fractions", teach, &(const int){2}},
    {"pate, fractions and votes", teach, &(const int){3}},
    {"majority", VOTE(.voters = 5, .delta = "1e-5", .votes = true)},
    {"majority, pure", VOTE(.voters = 5, .delta = "0")},
    {"majority, free",
     VOTE(.voters = 5, .delta = "1e-5", .free_class = true, .design = DP_DESIGN_OPTIMAL)},
    {"majority, gamma", VOTE(.voters = 5, .delta = "1e-5", .gamma = true)},
    {"response", respond, &no},
    {"response, general", respond, &yes},
    {"value", setting,
     "0,1/3,0.123456789012345678901234567890123456789012345678901234567890123456789"},
    {"literal", literal,
     "0.1234567890123456789012345678901234567890123456789012345678901234567890"},
};

static size_t refusals, asked_for;
static char said[200];

/* Asks once; false, with `said`, when the answer or what is left behind is wrong. */
static bool ask(const question *q, dp_status usual)
{
    dp_result out;
    dp_error err;
    mpfr_free_pool();
    size_t before = live;
    dp_result_init(&out);
    taken = refused = 0;
    dp_status status = q->ask(&out, q->of, &err);
    asked_for = taken;
    bool met = refused > 0;
    refusals += met;
    dp_result_clear(&out);
    while (pooled > 0)
        dp_number_clear(&pool[--pooled]);
    mpfr_free_pool(); /* of integers that MPFR keeps */
    const char *fault = met && status != DP_MEMORY                     ? "another status"
                        : !met && status != usual                      ? "another answer"
                        : met && strstr(err.message, "memory") == NULL ? "another message"
                        : live != before                               ? "blocks left behind"
                                                                       : NULL;
    if (fault != NULL)
        snprintf(said, sizeof said, "block %zu of %zu: %s (status %d, %zd left)", only, asked_for,
                 fault, (int)status, (ptrdiff_t)(live - before));
    return fault == NULL;
}

static bool try_all(const question *q)
{
    dp_result out;
    dp_error err;
    dp_status usual = DP_OK;
    only = SIZE_MAX;
    exhausted = false;
    /* twice: what MPFR keeps for later is kept now */
    for (int i = 0; i < 2; i++) {
        dp_result_init(&out);
        usual = q->ask(&out, q->of, &err);
        dp_result_clear(&out);
        while (pooled > 0)
            dp_number_clear(&pool[--pooled]);
    }
    if (usual != DP_OK) {
        snprintf(said, sizeof said, "not answered: %s", err.message);
        return false;
    }
    if (!ask(q, usual))
        return false;
    size_t all = asked_for, step = 1;
    for (size_t n = 1; n <= all; n += step) {
        only = n;
        step = n < 24 ? 1 : 1 + n / 2;
        for (int last = 0; last < 2; last++) {
            exhausted = last == 1;
            if (!ask(q, usual))
                return false;
        }
    }
    exhausted = false;
    only = 0;
    for (uint64_t seed = 1; seed <= 2; seed++) {
        state = seed;
        if (!ask(q, usual))
            return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    size_t own = sizeof questions / sizeof *questions, count = own + text_question_count;
    size_t failed = 0;
    count_numbers();
    printf("1..%zu\n", count + 1);
    for (size_t i = 0; i < count; i++) {
        const question *q = i < own ? &questions[i] : &text_questions[i - own];
        if (argc > 1 && strcmp(argv[1], q->name) != 0)
            continue;
        bool ok = try_all(q);
        failed += !ok;
        printf("%sok %zu - %s\n", ok ? "" : "not ", i + 1, q->name);
        if (!ok)
            printf("# %s\n", said);
        fflush(stdout);
    }
    bool enough = refusals > 300;
    printf("%sok %zu - %zu refusals\n", enough ? "" : "not ", count + 1, refusals);
    mpfr_free_cache();
    return failed > 0 || !enough;
}
