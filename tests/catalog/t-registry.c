/* SPDX-License-Identifier: MIT */
/* The registry: complete entries, names that are found, and no unsound statement in force. */
#include <stdio.h>
#include <string.h>

/* before cmocka, which has a macro `fail` */
#include "attack/advantage.h"
#include "attack/audit.h"
#include "attack/posterior.h"
#include "attack/reconstruction.h"
#include "attack/tpr.h"
#include "catalog/types.h"
#include "compose/cells.h"
#include "compose/divergence.h"
#include "compose/optimal.h"
#include "compose/pairs.h"
#include "core/result.h"
#include "core/uses.h"
#include "learning/igmm.h"
#include "sampling/amplify.h"
#include "vote/majority.h"
#include "vote/pate.h"

#include "cli/program.h"
#include "support.h"

static bool is_text(const char *text)
{
    return text != NULL && strlen(text) > 3 && strspn(text, " ") < strlen(text);
}

static void test_entries(void **state)
{
    (void)state;
    assert_true(dp_theorem_count() > 50);
    for (size_t i = 0; i < dp_theorem_count(); i++) {
        const dp_theorem *t = dp_theorem_at(i);
        assert_ptr_equal(t, dp_theorem_at(i));
        const char *const texts[] = {t->id,        t->family,  t->source,
                                     t->statement, t->assumes, t->proof};
        for (size_t j = 0; j < sizeof texts / sizeof *texts; j++)
            if (!is_text(texts[j]))
                fail_msg("%s: text %zu is missing", t->id, j);
        if ((t->verdict == DP_UNSOUND) != is_text(t->counterexample))
            fail_msg("%s: only an unsound statement has a counterexample", t->id);
        assert_true(t->verdict == DP_EXACT || t->verdict == DP_PROVED || t->verdict == DP_UNSOUND ||
                    t->verdict == DP_PER_INSTANCE);
        if (command_find(t->family) == NULL)
            fail_msg("%s: no command %s", t->id, t->family);
    }
}

static void test_names(void **state)
{
    (void)state;
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyz0123456789-";
    for (size_t i = 0; i < dp_theorem_count(); i++) {
        const char *id = dp_theorem_at(i)->id;
        assert_int_equal(strspn(id, allowed), strlen(id));
        assert_true(strlen(id) <= 40 && id[0] != '-' && strstr(id, "--") == NULL);
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(id, dp_theorem_at(j)->id);
        assert_ptr_equal(dp_theorem_find(id), dp_theorem_at(i));
        char near[NEAR_ROOM], quoted[64];
        snprintf(quoted, sizeof quoted, "'%s'", id);
        assert_true(theorem_near(near, id));
        assert_string_equal(near, quoted);
    }
    assert_null(dp_theorem_find("no-such-theorem"));
    assert_null(dp_theorem_find(""));
    assert_null(dp_theorem_at(dp_theorem_count()));
    assert_null(dp_theorem_at((size_t)-1));
    assert_string_equal(dp_verdict_text(DP_EXACT), "exact");
    assert_string_equal(dp_verdict_text(DP_PROVED), "proved");
    assert_string_equal(dp_verdict_text(DP_UNSOUND), "unsound");
    assert_string_equal(dp_verdict_text(DP_PER_INSTANCE), "per-instance");
}

/* A bound whose delta is that of another follows it in the registry, and names outputs. */
static void test_bounds(void **state)
{
    (void)state;
    for (size_t i = 0; i < dp_theorem_count(); i++) {
        const bound *b = (const bound *)dp_theorem_at(i); /* its first member */
        if (b->delta_of != NULL) {
            bool earlier = false;
            for (size_t j = 0; j < i; j++)
                earlier = earlier || dp_theorem_at(j) == &b->delta_of->theorem;
            assert_true(earlier);
            assert_int_not_equal(b->delta_of->theorem.verdict, DP_UNSOUND);
        }
        bool ended = false;
        for (size_t j = 0; j < BOUND_OUTPUTS; j++) {
            assert_false(ended && b->output[j] != NULL);
            ended = ended || b->output[j] == NULL;
        }
    }
}

/* From each row leads one way to its figures: a formula, an engine, or what refutes it. */
static void test_one_way(void **state)
{
    (void)state;
    for (size_t i = 0; i < dp_theorem_count(); i++) {
        const bound *b = (const bound *)dp_theorem_at(i);
        if ((b->eval != NULL) + (b->engine != NULL) + (b->refuted_by != NULL) != 1)
            fail_msg("%s has not one of eval, engine and refuted_by", b->theorem.id);
        if (b->refuted_by != NULL) {
            assert_int_equal(b->theorem.verdict, DP_UNSOUND);
            assert_int_not_equal(b->refuted_by->theorem.verdict, DP_UNSOUND);
            assert_non_null(b->refuted_by->eval);
        }
    }
}

/* The engine is asked by itself, for what its domain prepares. */
static void check_engine(dp_result *r, const bound *b, void *in, const dp_options *opt)
{
    result_start(r);
    assert_int_equal(b->engine(r, in, opt), DP_OK);
    assert_int_equal(r->count, 1);
    assert_ptr_equal(r->row[0].theorem, &b->theorem);
    for (size_t j = 0; j < BOUND_OUTPUTS && b->output[j] != NULL; j++)
        assert_non_null(row_figure(&r->row[0], b->output[j]));
}

static void ask_compose(dp_result *r, const bound *b)
{
    dp_options opt = dp_options_default();
    dp_composition list;
    composing c;
    dp_composition_init(&list);
    list_add(&list, "0.1", "1e-7", 100);
    assert_int_equal(composing_init(&c, &list, &opt, r), DP_OK);
    check_engine(r, b, &c, &opt);
    composing_clear(&c);
    dp_composition_clear(&list);
}

/* Of a list that is not of pairs alone. */
static void ask_pairs(dp_result *r, const bound *b)
{
    dp_options opt = dp_options_default();
    dp_composition list;
    composing c;
    dp_composition_init(&list);
    list_add(&list, "0.1", "1e-7", 100);
    dp_mechanism *m = dp_mechanism_new("laplace", NULL);
    mpz_t times;
    mpz_init_set_ui(times, 2);
    assert_int_equal(dp_mechanism_set(m, "scale", "3", NULL), DP_OK);
    assert_int_equal(account_enter(&list, m, times, NULL), DP_OK);
    assert_int_equal(composing_init(&c, &list, &opt, r), DP_OK);
    check_engine(r, b, &c, &opt);
    composing_clear(&c);
    mpz_clear(times);
    dp_mechanism_free(m);
    dp_composition_clear(&list);
}

static dp_status ask_alone(dp_result *out, const dp_composition *list, const void *in,
                           const dp_options *opt, dp_error *err)
{
    return in == NULL ? dp_compose(out, &(dp_compose_query){.list = list}, opt, err) : DP_DOMAIN;
}

static void ask_cells(dp_result *r, const bound *b)
{
    const dp_options opt = {.digits = 10};
    dp_composition list = {.count = 0}, cell = {.count = 0};
    list_add(&cell, "0.1", "1e-7", 2);
    assert_int_equal(dp_composition_add_cells(&list, NULL, &cell, 1, cell.item->times, NULL),
                     DP_OK);
    check_engine(r, b, &(cells_asked){.list = &list, .ask = ask_alone}, &opt);
    dp_composition_clear(&cell);
    dp_composition_clear(&list);
}
/* Of steps of DP-SGD alone. */
static void ask_steps(dp_result *r, const bound *b)
{
    dp_options opt = dp_options_default();
    dp_composition list;
    composing c;
    mpz_t one;
    dp_composition_init(&list);
    mpz_init_set_ui(one, 1);
    dp_mechanism *m = dp_mechanism_new("dp-sgd", NULL);
    assert_int_equal(dp_mechanism_set(m, "noise-multiplier", "2", NULL), DP_OK);
    assert_int_equal(dp_mechanism_set(m, "sampling-rate", "0.1", NULL), DP_OK);
    assert_int_equal(dp_mechanism_set(m, "steps", "1", NULL), DP_OK);
    assert_int_equal(account_enter(&list, m, one, NULL), DP_OK);
    assert_int_equal(composing_init(&c, &list, &opt, r), DP_OK);
    c.in.target_epsilon = &c.at; /* 0 */
    check_engine(r, b, &c, &opt);
    composing_clear(&c);
    mpz_clear(one);
    dp_mechanism_free(m);
    dp_composition_clear(&list);
}

static void ask_amplify(dp_result *r, const bound *b)
{
    dp_options opt = dp_options_default();
    dp_bagging bagging;
    dp_number base, delta;
    dp_bagging_init(&bagging);
    dp_number_init(&base);
    dp_number_init(&delta);
    number_of(&base, "1");
    number_of(&delta, "1e-6");
    bagging.target_delta = &delta;
    bagging.sampling = DP_POISSON;
    mpz_set_ui(bagging.models, 2);
    rational_of(bagging.sampling_rate, "0.02");
    bagging.base_epsilon = &base;
    check_engine(r, b, &(bagging_in){.b = &bagging}, &opt);
    dp_number_clear(&delta);
    dp_number_clear(&base);
    dp_bagging_clear(&bagging);
}

static void ask_igmm(dp_result *r, const bound *b)
{
    dp_options opt = dp_options_default();
    dp_igmm g;
    dp_number x;
    dp_igmm_init(&g);
    dp_number_init(&x);
    number_of(&x, "1");
    mpz_set_ui(g.samples, 600);
    mpz_set_ui(g.batch, 60);
    mpz_set_ui(g.times, 10);
    rational_of(g.diameter, "2");
    rational_of(g.sigma, "0.1");
    check_engine(r, b, &(igmm_composing){&g, &x}, &opt);
    dp_number_clear(&x);
    dp_igmm_clear(&g);
}

/* Designs are certified together: the question that is asked is the public one. */
static void ask_majority(dp_result *r, const bound *b)
{
    dp_options opt = dp_options_default();
    dp_composition groups;
    dp_majority m;
    dp_number allowance;
    mpq_t gamma[2];
    dp_composition_init(&groups);
    dp_majority_init(&m);
    dp_number_init(&allowance);
    number_of(&allowance, "2");
    list_add(&groups, "0.1", "1e-5", 3);
    m.groups = &groups;
    m.allowance = &allowance;
    rational_of(m.target_delta, "1e-4");
    for (int i = 0; i < 2; i++) {
        mpq_init(gamma[i]);
        rational_of(gamma[i], "1/2");
    }
    m.gamma = (const mpq_t *)gamma;
    m.gamma_count = b == &majority_given ? 2 : 0;
    assert_int_equal(dp_majority_designs(r, &m, &opt, NULL), DP_OK);
    size_t seen = 0;
    for (size_t i = 0; i < r->count; i++)
        seen += r->row[i].theorem == &b->theorem;
    assert_int_equal(seen, 1);
    for (int i = 0; i < 2; i++)
        mpq_clear(gamma[i]);
    dp_number_clear(&allowance);
    dp_majority_clear(&m);
    dp_composition_clear(&groups);
}

static void ask_pate(dp_result *r, const bound *b)
{
    dp_options opt = dp_options_default();
    pate_account a;
    pate_account_init(&a);
    rational_of(a.scale, "0.05");
    mpz_set_ui(a.asked, 20);
    check_engine(r, b, &(pate_in){.of = &a, .delta = a.scale}, &opt);
    pate_account_clear(&a);
}

/* What each of them is asked, by the public question. */
static void ask_attacker(dp_result *r, const bound *b)
{
    dp_options opt = dp_options_default();
    dp_composition list;
    dp_number half;
    mpq_t none[1];
    mpq_init(none[0]);
    dp_attacker q = {.list = &list, .fpr = (const mpq_t *)none};
    dp_composition_init(&list);
    dp_number_init(&half);
    number_of(&half, "1/2");
    q.belief = q.kappa = &half;
    q.fpr_count = b == &tpr_at_fpr || b == &ppv_fpr;
    if (b == &adv_inverse) {
        q.solve = DP_ATTACKER_MU;
        q.belief = q.kappa = NULL;
        q.max_advantage = &half;
    } else if (b == &adv_bagging || b == &ppv_fpr) {
        dp_bagging bagging;
        dp_bagging_init(&bagging);
        mpz_set_ui(bagging.dataset_size, 100);
        mpz_set_ui(bagging.subsample_size, 10);
        mpz_t times;
        mpz_init_set_ui(times, 1);
        assert_int_equal(dp_composition_add_bagging(&list, &bagging, times, 0, NULL), DP_OK);
        mpz_clear(times);
        dp_bagging_clear(&bagging);
    } else if (b == &loss_tail_pair) {
        mpz_t times;
        dp_mechanism *m = mechanism_of("gaussian sigma=1 sensitivity=1");
        mpz_init_set_ui(times, 1);
        assert_int_equal(uses_add(&list, m, times), DP_OK);
        mpz_clear(times);
        dp_mechanism_free(m);
    } else {
        list_add(&list, "0.1", "1e-7", 100);
    }
    assert_int_equal(dp_advantage(r, &q, &opt, NULL), DP_OK);
    size_t seen = 0;
    for (size_t i = 0; i < r->count; i++)
        seen += r->row[i].theorem == &b->theorem;
    assert_int_equal(seen, 1);
    mpq_clear(none[0]);
    dp_number_clear(&half);
    dp_composition_clear(&list);
}

static void ask_plan(dp_result *r, const bound *b)
{
    dp_options opt = dp_options_default();
    dp_number claim, confidence;
    dp_number_init(&claim);
    dp_number_init(&confidence);
    number_of(&claim, "1");
    number_of(&confidence, "0.95");
    dp_audit a = {.method = DP_AUDIT_COIN, .confidence = &confidence};
    audit_in in = {.of = &a, .claim = &claim};
    mpq_inits(in.alpha, in.delta, NULL);
    rational_of(in.alpha, "0.05");
    in.hits = in.members = in.canaries = 3; /* of one run */
    a.gdp = b == &onerun_profile;
    check_engine(r, b, &in, &opt);
    mpq_clears(in.alpha, in.delta, NULL);
    dp_number_clear(&confidence);
    dp_number_clear(&claim);
}

static void test_engines(void **state)
{
    (void)state;
    static const struct {
        const bound *row;
        void (*ask)(dp_result *r, const bound *b);
    } engines[] = {
        {&compose_optimal, ask_compose},
        {&compose_pairs, ask_pairs},
        {&dp_sgd_pld, ask_steps},
        {&compose_cells, ask_cells},
        {&compose_cells_greatest, ask_cells},
        {&divergence_total_variation, ask_compose},
        {&amplify_composed, ask_amplify},
        {&amplify_dominating, ask_amplify},
        {&igmm_certified, ask_igmm},
        {&majority_optimal, ask_majority},
        {&majority_constant, ask_majority},
        {&majority_constant_composed, ask_majority},
        {&majority_double_subsample, ask_majority},
        {&majority_subsample, ask_majority},
        {&majority_given, ask_majority},
        {&pate_laplace, ask_pate},
        {&pate_pure, ask_pate},
        {&audit_plan, ask_plan},
        {&onerun_profile, ask_plan},
        {&adv_profile, ask_attacker},
        {&adv_bagging, ask_attacker},
        {&adv_inverse, ask_attacker},
        {&accuracy_prior, ask_attacker},
        {&tpr_at_fpr, ask_attacker},
        {&ppv_fpr, ask_attacker},
        {&loss_tail_class, ask_attacker},
        {&loss_tail_pair, ask_attacker},
        {&attribute_adv, ask_attacker},
        {&rero_f, ask_attacker},
    };
    size_t rows = 0, count = sizeof engines / sizeof *engines;
    for (size_t i = 0; i < dp_theorem_count(); i++)
        rows += ((const bound *)dp_theorem_at(i))->engine != NULL;
    assert_int_equal(rows, count);
    dp_result r;
    dp_result_init(&r);
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < i; j++) /* none answers for another */
            assert_true(engines[i].row->engine != engines[j].row->engine);
        engines[i].ask(&r, engines[i].row);
    }
    dp_result_clear(&r);
}

/* Whatever is asked, the row that decides is a proved one, and unsound rows show only with
 * `all`. */
static void check_result(const dp_result *r, bool all)
{
    for (size_t i = 0; i < r->count; i++) {
        assert_ptr_equal(dp_theorem_find(r->row[i].theorem->id), r->row[i].theorem);
        if (r->row[i].verdict == DP_UNSOUND)
            assert_true(all && i != r->guarantee);
    }
    assert_true(r->guarantee <= r->count);
}

static void ask_everything(dp_sampling sampling, bool all)
{
    dp_bagging b;
    dp_result r;
    dp_number epsilon, base;
    dp_options opt = dp_options_default();
    opt.all = all;
    dp_bagging_init(&b);
    dp_result_init(&r);
    dp_number_init(&epsilon);
    dp_number_init(&base);
    number_of(&epsilon, "0.3");
    number_of(&base, "1");
    b.sampling = sampling;
    mpz_set_ui(b.dataset_size, 100);
    mpz_set_ui(b.subsample_size, 3);
    mpz_set_ui(b.models, 2);
    rational_of(b.sampling_rate, "0.02");
    for (int with = 0; with < 4; with++) {
        b.target_epsilon = with & 1 ? &epsilon : NULL;
        b.base_epsilon = with & 2 ? &base : NULL;
        rational_of(b.base_delta, "1e-6");
        opt.max_epsilon = &epsilon;
        opt.max_delta = &epsilon;
        assert_int_equal(dp_bagging_privacy(&r, &b, &opt, NULL), DP_OK);
        check_result(&r, all);
        assert_true(r.guarantee < r.count);
    }
    dp_number_clear(&base);
    dp_number_clear(&epsilon);
    dp_result_clear(&r);
    dp_bagging_clear(&b);
}

static void test_bagging_rows(void **state)
{
    (void)state;
    for (int s = DP_WITH_REPLACEMENT; s <= DP_POISSON; s++) {
        ask_everything((dp_sampling)s, false);
        ask_everything((dp_sampling)s, true);
    }
}

static void test_composition_rows(void **state)
{
    (void)state;
    dp_composition c;
    dp_result r;
    dp_number x;
    dp_composition_init(&c);
    dp_result_init(&r);
    dp_number_init(&x);
    list_add(&c, "0.1", "1e-7", 100);
    for (int m = DP_COMPOSE_OPTIMAL; m <= DP_COMPOSE_FILTER; m++)
        for (int all = 0; all < 2; all++)
            for (int target = 0; target < 2; target++) {
                dp_options opt = dp_options_default();
                opt.all = all == 1;
                opt.max_seconds = 0.1;
                dp_compose_query q = {.list = &c, .method = (dp_compose_method)m};
                number_of(&x, target ? "1e-3" : "5");
                *(target ? &q.target_delta : &q.target_epsilon) = &x;
                opt.max_epsilon = target ? NULL : &x;
                dp_status status = dp_compose(&r, &q, &opt, NULL);
                assert_true(status == DP_OK || status == DP_UNAVAILABLE);
                check_result(&r, all == 1 || m == DP_COMPOSE_HE2021);
            }
    dp_number_clear(&x);
    dp_result_clear(&r);
    dp_composition_clear(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_entries),          cmocka_unit_test(test_names),
        cmocka_unit_test(test_bounds),           cmocka_unit_test(test_one_way),
        cmocka_unit_test(test_engines),          cmocka_unit_test(test_bagging_rows),
        cmocka_unit_test(test_composition_rows),
    };
    return cmocka_run_group_tests_name("registry", tests, NULL, NULL);
}
