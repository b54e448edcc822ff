/* SPDX-License-Identifier: MIT */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

rng rng_make(uint64_t seed)
{
    return (rng){seed * 0x9E3779B97F4A7C15U + 1};
}

uint64_t rng_next(rng *r)
{
    r->state ^= r->state >> 12;
    r->state ^= r->state << 25;
    r->state ^= r->state >> 27;
    return r->state * 0x2545F4914F6CDD1DU;
}

size_t rng_below(rng *r, size_t n)
{
    return (size_t)rng_wide(r, n);
}

uint64_t rng_wide(rng *r, uint64_t n)
{
    return rng_next(r) % n;
}

int rounds(int n)
{
    const char *factor = getenv("DPACCT_TEST_FACTOR");
    double times = factor == NULL ? 1 : strtod(factor, NULL);
    return (int)(n * times) < 1 ? 1 : (int)(n * times);
}

bool rounds_are_full(void)
{
    return rounds(100) >= 100;
}

int skip_all(const char *why)
{
    printf("1..1\nok 1 - # SKIP %s\n", why);
    return 0;
}

void number_of(dp_number *x, const char *text)
{
    dp_error err;
    if (dp_number_parse(x, text, strlen(text), &err) != DP_OK)
        fail_msg("'%s' %s", text, err.message);
}

void rational_of(mpq_t q, const char *text)
{
    dp_number x;
    dp_number_init(&x);
    number_of(&x, text);
    assert_false(x.is_log);
    mpq_set(q, x.value);
    dp_number_clear(&x);
}

bool figure_holds_q(const dp_figure *x, const mpq_t q)
{
    if (x->kind == DP_RATIONAL)
        return mpq_equal(x->rational, q) != 0;
    return x->kind == DP_ENCLOSED && mpfr_cmp_q(&x->enclosure->left, q) <= 0 &&
           mpfr_cmp_q(&x->enclosure->right, q) >= 0;
}

static int compare_ends(const dp_figure *a, dp_end end_a, const dp_figure *b, dp_end end_b)
{
    mpfr_srcptr x = end_a == DP_UPPER ? &a->enclosure->right : &a->enclosure->left;
    mpfr_srcptr y = end_b == DP_UPPER ? &b->enclosure->right : &b->enclosure->left;
    if (a->kind == DP_INFINITE || b->kind == DP_INFINITE)
        return (a->kind == DP_INFINITE) - (b->kind == DP_INFINITE);
    if (a->kind == DP_RATIONAL && b->kind == DP_RATIONAL)
        return mpq_cmp(a->rational, b->rational);
    if (a->kind == DP_RATIONAL)
        return -mpfr_cmp_q(y, a->rational);
    return b->kind == DP_RATIONAL ? mpfr_cmp_q(x, b->rational) : mpfr_cmp(x, y);
}

bool figure_may_be_le(const dp_figure *a, const dp_figure *b)
{
    return compare_ends(a, DP_LOWER, b, DP_UPPER) <= 0;
}

bool figures_meet(const dp_figure *a, const dp_figure *b)
{
    return figure_may_be_le(a, b) && figure_may_be_le(b, a);
}

bool figure_holds_fr(const dp_figure *x, const mpfr_t low, const mpfr_t high)
{
    if (x->kind == DP_RATIONAL)
        return mpfr_cmp_q(low, x->rational) <= 0 && mpfr_cmp_q(high, x->rational) >= 0;
    return x->kind == DP_ENCLOSED && mpfr_lessequal_p(&x->enclosure->left, high) &&
           mpfr_lessequal_p(low, &x->enclosure->right);
}

const dp_figure *row_of(const dp_result *r, const char *theorem, const char *quantity)
{
    for (size_t i = 0; i < r->count; i++)
        if (strcmp(r->row[i].theorem->id, theorem) == 0)
            for (size_t j = 0; j < r->row[i].count; j++)
                if (strcmp(r->row[i].quantity[j].name, quantity) == 0)
                    return &r->row[i].quantity[j].figure;
    return NULL;
}

void list_add(dp_composition *c, const char *epsilon, const char *delta, unsigned long times)
{
    dp_number e;
    mpq_t d;
    mpz_t t;
    dp_number_init(&e);
    mpq_init(d);
    mpz_init_set_ui(t, times);
    number_of(&e, epsilon);
    rational_of(d, delta);
    assert_int_equal(dp_composition_add(c, &e, d, t, NULL), DP_OK);
    mpz_clear(t);
    mpq_clear(d);
    dp_number_clear(&e);
}

static void ask(dp_result *out, const dp_composition *c, const char *epsilon, const char *delta,
                size_t digits)
{
    dp_number x;
    dp_number_init(&x);
    number_of(&x, epsilon != NULL ? epsilon : delta);
    dp_options opt = dp_options_default();
    opt.digits = digits;
    dp_compose_query q = {.list = c, .method = DP_COMPOSE_OPTIMAL};
    q.target_epsilon = epsilon != NULL ? &x : NULL;
    q.target_delta = epsilon != NULL ? NULL : &x;
    assert_int_equal(dp_compose(out, &q, &opt, NULL), DP_OK);
    dp_number_clear(&x);
}

void ask_delta(dp_result *out, const dp_composition *c, const char *epsilon, size_t digits)
{
    ask(out, c, epsilon, NULL, digits);
}

void ask_epsilon(dp_result *out, const dp_composition *c, const char *delta, size_t digits)
{
    ask(out, c, NULL, delta, digits);
}

dp_mechanism *mechanism_of(const char *text)
{
    char copy[256], *next, *part = strtok_r(strcpy(copy, text), " ", &next);
    dp_error err;
    dp_mechanism *m = dp_mechanism_new(part, &err);
    assert_non_null(m);
    while ((part = strtok_r(NULL, " ", &next)) != NULL) {
        char *equals = strchr(part, '=');
        *equals = '\0';
        assert_int_equal(dp_mechanism_set(m, part, equals + 1, &err), DP_OK);
    }
    return m;
}

dp_question *at_delta(const char *delta)
{
    dp_question *q = dp_question_new();
    assert_int_equal(dp_question_set(q, "target-delta", delta, NULL), DP_OK);
    return q;
}

char *epsilon_of(const dp_account *a, const dp_question *q)
{
    dp_error err;
    dp_answer *answer;
    assert_int_equal(dp_account_ask(&answer, a, q, &err), DP_OK);
    char *text = dp_answer_text(answer, "epsilon");
    assert_non_null(text);
    dp_answer_free(answer);
    return text;
}
