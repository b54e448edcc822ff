/* SPDX-License-Identifier: MIT */
/* The questions, the values, and what a refusal must be. */
#include "stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a question of every kind, each of them in order ---- */

void stage_open(stage *s)
{
    memset(s, 0, sizeof *s);
    dp_result_init(&s->out);
    s->opt.digits = 3;
    dp_composition_init(&s->list);
    dp_composition_init(&s->council);
    list_add(&s->list, "0.1", "0", 2);
    list_add(&s->council, "0.5", "0", 3);
    s->query.list = &s->list;
    dp_bagging_init(&s->bagging);
    mpz_set_ui(s->bagging.dataset_size, 10);
    mpz_set_ui(s->bagging.subsample_size, 2);
    dp_igmm_init(&s->igmm);
    mpz_set_ui(s->igmm.samples, 4);
    mpz_set_ui(s->igmm.batch, 4);
    mpz_set_ui(s->igmm.times, 1);
    mpq_set_ui(s->igmm.diameter, 1, 1);
    mpq_set_ui(s->igmm.sigma, 1, 1);
    dp_generalization_init(&s->learner);
    dp_majority_init(&s->majority);
    dp_response_init(&s->votes);
    mpz_set_ui(s->votes.mechanisms, 3);
    dp_number *numbers[] = {&s->x, &s->point, &s->spare, &s->half, &s->one, &s->add.epsilon};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        dp_number_init(numbers[i]);
    number_of(&s->point, "0.1");
    number_of(&s->spare, "0.01");
    number_of(&s->half, "1/2");
    number_of(&s->one, "1");
    s->igmm.target_delta = &s->spare;
    s->conversion = (dp_conversion){.pure = &s->point, .target_delta = &s->spare};
    s->majority.groups = &s->council;
    s->majority.allowance = s->votes.allowance = &s->one;
    mpq_inits(s->order, s->add.delta, NULL);
    mpz_inits(s->times, s->add.times, NULL);
    mpq_set_ui(s->order, 2, 1);
    mpz_set_ui(s->times, 1);
    for (size_t i = 0; i < 4; i++) {
        mpq_init(s->share[i]);
        mpq_set_ui(s->share[i], 1, 1);
    }
    s->points = 1;
}

void stage_close(stage *s)
{
    for (size_t i = 0; i < 4; i++)
        mpq_clear(s->share[i]);
    mpz_clears(s->times, s->add.times, NULL);
    mpq_clears(s->order, s->add.delta, NULL);
    dp_number *numbers[] = {&s->x, &s->point, &s->spare, &s->half, &s->one, &s->add.epsilon};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        dp_number_clear(numbers[i]);
    dp_response_clear(&s->votes);
    dp_majority_clear(&s->majority);
    dp_generalization_clear(&s->learner);
    dp_igmm_clear(&s->igmm);
    dp_bagging_clear(&s->bagging);
    dp_composition_clear(&s->council);
    dp_composition_clear(&s->list);
    dp_result_clear(&s->out);
}

dp_status ask_compose(stage *s, dp_error *err)
{
    return dp_compose(&s->out, &s->query, &s->opt, err);
}

dp_status ask_curve(stage *s, dp_error *err)
{
    return dp_compose_curve(&s->out, s->query.list, s->deltas ? NULL : &s->point,
                            s->deltas ? &s->point : NULL, s->points, &s->opt, err);
}

dp_status ask_add(stage *s, dp_error *err)
{
    return dp_composition_add(&s->list, &s->add.epsilon, s->add.delta, s->times, err);
}

dp_status ask_add_bagging(stage *s, dp_error *err)
{
    return dp_composition_add_bagging(&s->list, &s->bagging, s->times, s->digits, err);
}

dp_status ask_bagging(stage *s, dp_error *err)
{
    return dp_bagging_privacy(&s->out, &s->bagging, &s->opt, err);
}

dp_status ask_solve(stage *s, dp_error *err)
{
    if (s->opt.max_delta == NULL)
        s->opt.max_delta = &s->half;
    return dp_bagging_solve(&s->out, &s->bagging, s->unknown, &s->opt, err);
}

dp_status ask_kl(stage *s, dp_error *err)
{
    return dp_kl(&s->out, s->query.list, &s->opt, err);
}

dp_status ask_divergences(stage *s, dp_error *err)
{
    return dp_divergences(&s->out, s->query.list, s->order, &s->opt, err);
}

dp_status ask_convert(stage *s, dp_error *err)
{
    return dp_convert(&s->out, &s->conversion, &s->opt, err);
}

dp_status ask_igmm(stage *s, dp_error *err)
{
    return dp_igmm_privacy(&s->out, &s->igmm, &s->opt, err);
}

dp_status ask_generalization(stage *s, dp_error *err)
{
    return dp_generalization_bound(&s->out, &s->learner, &s->opt, err);
}

dp_status ask_majority(stage *s, dp_error *err)
{
    return dp_majority_designs(&s->out, &s->majority, &s->opt, err);
}

dp_status ask_votes(stage *s, dp_error *err)
{
    return dp_response_probability(&s->out, &s->votes, &s->opt, err);
}

const ask queries[QUERIES] = {ask_compose,  ask_curve,       ask_bagging, ask_solve,
                              ask_kl,       ask_divergences, ask_igmm,    ask_generalization,
                              ask_majority, ask_votes,       ask_convert};

/* ---- what a refusal must be ---- */

char *print_result(const dp_result *r)
{
    char *text = malloc(100000);
    assert_non_null(text);
    size_t n = (size_t)snprintf(text, 100000, "%s %zu %zu %d %u %zu %zu|",
                                r->adjacency != NULL ? r->adjacency : "-", r->count, r->guarantee,
                                r->check.asked, r->met, r->warnings, r->notes);
    for (size_t i = 0; i < r->count; i++)
        for (size_t j = 0; j < r->row[i].count; j++)
            for (int end = DP_LOWER; end <= DP_UPPER; end++) {
                char *figure = dp_figure_decimal(&r->row[i].quantity[j].figure, (dp_end)end, 30);
                n += (size_t)snprintf(text + n, 100000 - n, "%s %s=%s;", r->row[i].theorem->id,
                                      r->row[i].quantity[j].name, figure);
                dp_text_free(figure);
                assert_true(n < 100000);
            }
    return text;
}

static void fill_result(stage *s)
{
    dp_bagging b;
    dp_bagging_init(&b);
    mpz_set_ui(b.dataset_size, 7);
    mpz_set_ui(b.subsample_size, 3);
    dp_options opt = {0};
    assert_int_equal(dp_bagging_privacy(&s->out, &b, &opt, NULL), DP_OK);
    dp_bagging_clear(&b);
}

void expect(stage *s, ask call, const char *name, const char *shown)
{
    fill_result(s);
    char *before = print_result(&s->out);
    size_t items = s->list.count;
    dp_error err = {DP_OK, NULL, NULL};
    dp_status status = call(s, &err);
    if (status != DP_DOMAIN || err.status != DP_DOMAIN || err.argument == NULL ||
        err.message == NULL || strcmp(err.argument, name) != 0)
        fail_msg("%s = %s: status %d, '%s' %s", name, shown, (int)status,
                 err.argument != NULL ? err.argument : "(none)",
                 err.message != NULL ? err.message : "(none)");
    assert_int_equal(call(s, NULL), DP_DOMAIN);
    assert_int_equal(s->list.count, items);
    char *after = print_result(&s->out);
    assert_string_equal(before, after);
    free(after);
    free(before);
}

/* ---- values ---- */

const char *const no_loss[] = {"-1", "-1e-30", "ln(1/2)", "ln(0.99999)", NULL};
const char *const a_loss[] = {"0", "ln(1)", "1/3", NULL};
const char *const no_probability[] = {"-1",       "-1e-30",  "2",     "1.0000001",
                                      "ln(1.01)", "ln(1.1)", "ln(1)", NULL};
const char *const a_probability[] = {"0", "1", "1/3", NULL};
const char *const no_slack[] = {"0", "1", "-1", "2", "ln(1.5)", NULL};
const char *const a_slack[] = {"0.999", "1e-9", NULL};
const char *const no_count[] = {"0", "-1", "1.5", "ln(3)", NULL};
const char *const a_count[] = {"1", "3", NULL};
const char *const no_positive[] = {"0", "-1", "ln(2)", NULL};
const char *const a_positive[] = {"1/2", "2", NULL};
const char *const nothing[] = {NULL};

static bool is_rational(const char *text)
{
    return strncmp(text, "ln", 2) != 0;
}

static bool is_whole(const char *text)
{
    return is_rational(text) && strcspn(text, "./e") == strlen(text);
}

/* x is refused however it is malformed; GMP takes such values, so they must be clearable. */
static void try_malformed(stage *s, ask call, const char *name, mpq_ptr q, int *is_log)
{
    mpq_t kept;
    mpq_init(kept);
    mpq_set(kept, q);
    mpq_set_ui(q, 2, 4);
    expect(s, call, name, "2/4");
    mpz_set_ui(mpq_denref(q), 0);
    expect(s, call, name, "2/0");
    mpz_set_si(mpq_denref(q), -3);
    expect(s, call, name, "2/-3");
    mpq_set_ui(q, 0, 1);
    if (is_log != NULL) {
        *is_log = 1;
        expect(s, call, name, "ln(0)");
        mpq_set_si(q, -2, 1);
        expect(s, call, name, "ln(-2)");
        mpq_set_ui(q, 3, 1);
        *is_log = 7;
        expect(s, call, name, "is_log 7");
        *is_log = 0;
    }
    mpq_set(q, kept);
    mpq_clear(kept);
}

void try_number(stage *s, ask call, const char *name, dp_number *x, const char *const *bad,
                const char *const *good)
{
    for (; *bad != NULL; bad++) {
        number_of(x, *bad);
        expect(s, call, name, *bad);
    }
    number_of(x, good[0] != NULL ? good[0] : "1");
    try_malformed(s, call, name, x->value, &x->is_log);
    for (; *good != NULL; good++) {
        number_of(x, *good);
        if (call(s, NULL) == DP_DOMAIN)
            fail_msg("%s = %s is refused", name, *good);
    }
}

void try_rational(stage *s, ask call, const char *name, mpq_ptr q, const char *const *bad,
                  const char *const *good)
{
    for (; *bad != NULL; bad++)
        if (is_rational(*bad)) {
            rational_of(q, *bad);
            expect(s, call, name, *bad);
        }
    rational_of(q, good[0] != NULL ? good[0] : "1");
    try_malformed(s, call, name, q, NULL);
    for (; *good != NULL; good++) {
        rational_of(q, *good);
        if (call(s, NULL) == DP_DOMAIN)
            fail_msg("%s = %s is refused", name, *good);
    }
}

void try_integer(stage *s, ask call, const char *name, mpz_ptr z, const char *const *bad,
                 const char *const *good)
{
    for (; *bad != NULL; bad++)
        if (is_whole(*bad)) {
            mpz_set_str(z, *bad, 10);
            expect(s, call, name, *bad);
        }
    for (; *good != NULL; good++) {
        mpz_set_str(z, *good, 10);
        if (call(s, NULL) == DP_DOMAIN)
            fail_msg("%s = %s is refused", name, *good);
    }
}
