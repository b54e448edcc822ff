/* SPDX-License-Identifier: MIT */
/* Private majorities whose target is met with equality: figures and checks of every design and of
 * given noise functions, against all vertices in exact rationals. */
#include "support.h"

#include <stdio.h>
#include <string.h>

#include "core/refine.h"
#include "world.h"

/* Groups "R,DELTA,COUNT", the target's odds and delta. */
typedef struct setting {
    const char *odds[WORLD_GROUPS], *leak[WORLD_GROUPS];
    unsigned count[WORLD_GROUPS];
    const char *target, *delta;
} setting;

typedef struct query {
    dp_composition groups;
    dp_majority m;
    dp_result r;
    dp_number target, max_epsilon, max_delta;
    dp_options opt;
} query;

static void query_open(query *q, const setting *s)
{
    char text[40];
    dp_composition_init(&q->groups);
    dp_majority_init(&q->m);
    dp_result_init(&q->r);
    dp_number_init(&q->target);
    dp_number_init(&q->max_epsilon);
    dp_number_init(&q->max_delta);
    q->opt = dp_options_default();
    for (int g = 0; g < WORLD_GROUPS && s->count[g] > 0; g++) {
        snprintf(text, sizeof text, "ln(%s)", s->odds[g]);
        list_add(&q->groups, text, s->leak[g], s->count[g]);
    }
    snprintf(text, sizeof text, "ln(%s)", s->target);
    number_of(&q->target, text);
    q->m.groups = &q->groups;
    q->m.target_epsilon = &q->target;
    rational_of(q->m.target_delta, s->delta);
}

static void query_close(query *q)
{
    dp_number_clear(&q->max_delta);
    dp_number_clear(&q->max_epsilon);
    dp_number_clear(&q->target);
    dp_result_clear(&q->r);
    dp_majority_clear(&q->m);
    dp_composition_clear(&q->groups);
}

static void ask(query *q)
{
    assert_int_equal(dp_majority_designs(&q->r, &q->m, &q->opt, NULL), DP_OK);
}

static const dp_figure *figure_of(const dp_row *row, const char *name)
{
    for (size_t i = 0; i < row->count; i++)
        if (strcmp(row->quantity[i].name, name) == 0)
            return &row->quantity[i].figure;
    return NULL;
}

static bool holds_log(const dp_figure *x, const mpq_t odds)
{
    mpfr_t low, high;
    mpfr_init2(low, 400);
    mpfr_init2(high, 400);
    mpfr_set_q(low, odds, MPFR_RNDD);
    mpfr_log(low, low, MPFR_RNDD);
    mpfr_set_q(high, odds, MPFR_RNDU);
    mpfr_log(high, high, MPFR_RNDU);
    bool holds = figure_holds_fr(x, low, high);
    mpfr_clear(low);
    mpfr_clear(high);
    return holds;
}

static void check_figures(const dp_row *row, const world *w)
{
    const dp_figure *delta = figure_of(row, "delta"),
                    *epsilon = figure_of(row, "epsilon_at_target_delta");
    if (!figure_holds_q(delta, w->worst) || !refine_agrees(delta, 10))
        fail_msg("%s: delta", row->theorem->id);
    if (mpq_sgn(w->needed) == 0) {
        assert_int_equal(epsilon->kind, DP_INFINITE);
        return;
    }
    if (epsilon->kind == DP_INFINITE || !holds_log(epsilon, w->needed) ||
        !refine_agrees(epsilon, 10))
        fail_msg("%s: epsilon", row->theorem->id);
}

static void expect(query *q, const mpq_t odds, const mpq_t delta, dp_decision holds)
{
    mpq_set(q->max_epsilon.value, odds);
    q->max_epsilon.is_log = 1;
    mpq_set(q->max_delta.value, delta);
    q->opt.max_epsilon = &q->max_epsilon;
    q->opt.max_delta = &q->max_delta;
    ask(q);
    q->opt.max_epsilon = q->opt.max_delta = NULL;
    if (q->r.check.holds != holds)
        gmp_printf("# (ln(%Qd), %Qd): answered %d\n", odds, delta, (int)q->r.check.holds);
    assert_int_equal(q->r.check.holds, holds);
}

/* The pairs on the boundary hold; a hair inside it they do not. */
static void check_decisions(query *q, const world *w)
{
    mpq_t hair, near;
    mpq_inits(hair, near, NULL);
    mpq_set_ui(hair, 1, 1);
    mpq_div_2exp(hair, hair, 300);
    expect(q, w->target, w->worst, DP_YES);
    mpq_sub(near, w->worst, hair);
    if (mpq_sgn(w->worst) > 0)
        expect(q, w->target, near, DP_NO);
    if (mpq_sgn(w->needed) > 0)
        expect(q, w->needed, w->delta, DP_YES);
    mpq_sub(near, w->needed, hair);
    if (mpq_cmp_ui(w->needed, 1, 1) > 0)
        expect(q, near, w->delta, DP_NO);
    mpq_clears(hair, near, NULL);
}

/* Each row's noise function is given back, and what the library says of it is judged. */
static unsigned check_all(const setting *s)
{
    query designs;
    unsigned checked = 0;
    query_open(&designs, s);
    ask(&designs);
    for (size_t i = 0; i < designs.r.count; i++) {
        const dp_row *row = &designs.r.row[i];
        if (row->gamma_count == 0)
            continue;
        world w;
        world_init(&w, &designs.groups);
        world_noise(&w, row);
        world_judge(&w, designs.target.value, designs.m.target_delta);
        check_figures(row, &w);
        query given;
        query_open(&given, s);
        given.m.gamma = (const mpq_t *)row->gamma;
        given.m.gamma_count = row->gamma_count;
        check_decisions(&given, &w);
        query_close(&given);
        world_clear(&w);
        checked++;
    }
    query_close(&designs);
    return checked;
}

/* The paper's own setting: delta is the mechanisms' own, or that of so many of them. */
static void test_designs(void **state)
{
    (void)state;
    static const setting list[] = {
        {{"3"}, {"1/1000"}, {1}, "3", "1/1000"},
        {{"3"}, {"1/1000"}, {3}, "3", "1/1000"},
        {{"2"}, {"1/8"}, {3}, "2", "1/8"},
        {{"11/10"}, {"1/100000"}, {5}, "11/10", "1/100000"},
        {{"5/4"}, {"1/50"}, {5}, "25/16", "1/25"},
        {{"5/4"}, {"1/50"}, {5}, "125/64", "3/50"},
        {{"2"}, {"0"}, {5}, "4", "0"},
        {{"2"}, {"0"}, {5}, "8", "0"},
        {{"2"}, {"0"}, {3}, "32", "0"}, /* 2m - 1 > K: two epsilons, not five */
        {{"3"}, {"1/4"}, {3}, "1", "1/4"},
        {{"3"}, {"1"}, {3}, "3", "1/2"},
        {{"1"}, {"1/16"}, {3}, "2", "1/16"},
        {{"2", "3"}, {"1/10", "1/10"}, {2, 1}, "3", "1/10"},
        {{"2", "3"}, {"0", "0"}, {2, 3}, "9", "0"},
        {{"2", "3"}, {"0", "0"}, {2, 1}, "9", "0"}, /* ln 3 + ln 2, not twice ln 3 */
        {{"2", "3"}, {"0", "1/20"}, {2, 1}, "3", "1/20"},
        {{"2", "2"}, {"1/8", "1/8"}, {2, 1}, "2", "1/8"},
        {{"2", "3", "4"}, {"1/100", "1/50", "0"}, {1, 1, 1}, "4", "1/50"},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        assert_true(check_all(&list[i]) >= 1);
}

/* Noise functions in small numbers, monotone or not, whose ties are everywhere. */
static void test_given(void **state)
{
    (void)state;
    static const char *const odds[] = {"2", "3", "1", "4/3"};
    static const char *const leak[] = {"0", "1/4", "1/8", "1/2"};
    rng r = rng_make(77);
    for (int i = 0; i < rounds(60); i++) {
        unsigned voters = i % 5 == 0 ? 5 : 3;
        const char *own = odds[rng_below(&r, 4)], *small = leak[rng_below(&r, 4)];
        setting s = {{own}, {small}, {voters}, odds[rng_below(&r, 4)], small};
        query q;
        mpq_t gamma[WORLD_VOTERS + 1];
        query_open(&q, &s);
        q.m.gamma_count = i % 3 == 0 ? voters + 1 : (voters + 1) / 2;
        for (size_t j = 0; j <= WORLD_VOTERS; j++) {
            mpq_init(gamma[j]);
            mpq_set_ui(gamma[j], rng_below(&r, 5), 4);
            mpq_canonicalize(gamma[j]);
        }
        q.m.gamma = (const mpq_t *)gamma;
        ask(&q);
        world w;
        world_init(&w, &q.groups);
        world_noise(&w, &q.r.row[0]);
        world_judge(&w, q.target.value, q.m.target_delta);
        check_figures(&q.r.row[0], &w);
        check_decisions(&q, &w);
        world_clear(&w);
        for (size_t j = 0; j <= WORLD_VOTERS; j++)
            mpq_clear(gamma[j]);
        query_close(&q);
    }
}

/* The optimum of a monotone class is monotone to the last digit: here two values are equal and lie
 * half-way between two decimals, which rounding may take apart. */
static void test_optimum_is_monotone(void **state)
{
    (void)state;
    static const char *const deltas[] = {"209801/37748736", "211205/37748736", "211517/37748736"};
    for (size_t i = 0; i < 3; i++)
        for (int groups = 1; groups < 3; groups++) {
            setting s = {
                {"2", "2"}, {"0", "0"}, {4U - (unsigned)groups, groups == 2}, "2", deltas[i]};
            query q;
            query_open(&q, &s);
            q.m.design = DP_DESIGN_OPTIMAL;
            q.m.prior = DP_PRIOR_VOTE;
            ask(&q);
            const dp_row *row = &q.r.row[0];
            for (size_t l = 1; l < row->gamma_count; l++)
                assert_true(mpq_cmp(row->gamma[l - 1], row->gamma[l]) <= 0);
            query_close(&q);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_designs),
        cmocka_unit_test(test_given),
        cmocka_unit_test(test_optimum_is_monotone),
    };
    return cmocka_run_group_tests_name("majority ties", tests, NULL, NULL);
}
