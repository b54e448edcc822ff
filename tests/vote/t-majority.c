/* SPDX-License-Identifier: MIT */
/* Private majorities: the delta of every design, from the noise function that the library shows and
 * all vertices of what the mechanisms may do, in exact rationals. */
#include "support.h"

#include <stdio.h>
#include <string.h>

#include "world.h"

#define MOST_VOTERS WORLD_VOTERS

typedef struct query {
    dp_composition groups;
    dp_majority m;
    dp_result r;
    dp_number target;
} query;

static void query_open(query *q, unsigned voters, const char *odds, const char *delta,
                       const char *target, const char *target_delta)
{
    char text[40];
    dp_composition_init(&q->groups);
    dp_majority_init(&q->m);
    dp_result_init(&q->r);
    dp_number_init(&q->target);
    snprintf(text, sizeof text, "ln(%s)", odds);
    list_add(&q->groups, text, delta, voters);
    snprintf(text, sizeof text, "ln(%s)", target);
    number_of(&q->target, text);
    q->m.groups = &q->groups;
    q->m.target_epsilon = &q->target;
    rational_of(q->m.target_delta, target_delta);
}

static void query_close(query *q)
{
    dp_number_clear(&q->target);
    dp_result_clear(&q->r);
    dp_majority_clear(&q->m);
    dp_composition_clear(&q->groups);
}

static const dp_figure *figure_of(const dp_row *row, const char *name)
{
    for (size_t i = 0; i < row->count; i++)
        if (strcmp(row->quantity[i].name, name) == 0)
            return &row->quantity[i].figure;
    return NULL;
}

/* The ends agree to 14 digits. */
static bool is_narrow(const dp_figure *x)
{
    if (x->kind != DP_ENCLOSED)
        return true;
    mpfr_t width;
    mpfr_init2(width, 64);
    mpfr_sub(width, &x->enclosure->right, &x->enclosure->left, MPFR_RNDU);
    mpfr_mul_d(width, width, 1e14, MPFR_RNDU);
    bool ok = mpfr_lessequal_p(width, &x->enclosure->right) != 0;
    mpfr_clear(width);
    return ok;
}

/* epsilon is the smallest at the target delta: at its upper end delta is met, and below its lower
 * end it is not. */
static void check_epsilon(world *w, const dp_row *row, const query *q)
{
    const dp_figure *epsilon = figure_of(row, "epsilon_at_target_delta");
    if (epsilon == NULL || epsilon->kind == DP_INFINITE)
        return;
    if (!is_narrow(epsilon))
        fail_msg("%s: epsilon is not sharp", row->theorem->id);
    mpfr_t grow;
    mpq_t at;
    mpfr_init2(grow, 120);
    mpq_init(at);
    for (int upper = 0; upper < 2; upper++) {
        if (epsilon->kind == DP_RATIONAL)
            mpfr_set_q(grow, epsilon->rational, upper ? MPFR_RNDU : MPFR_RNDD);
        else
            mpfr_set(grow, upper ? &epsilon->enclosure->right : &epsilon->enclosure->left,
                     upper ? MPFR_RNDU : MPFR_RNDD);
        if (!upper && mpfr_zero_p(grow))
            continue;
        mpfr_exp(grow, grow, upper ? MPFR_RNDU : MPFR_RNDD);
        mpfr_get_q(at, grow);
        world_judge(w, at, q->m.target_delta);
        int met = mpq_cmp(w->worst, q->m.target_delta);
        if (upper ? met > 0 : met < 0)
            fail_msg("%s: epsilon is not the smallest", row->theorem->id);
    }
    mpq_clear(at);
    mpfr_clear(grow);
}

/* Counts the rows that were checked. */
static unsigned check_rows(const query *q, unsigned voters, bool within)
{
    unsigned checked = 0;
    world w;
    world_init(&w, &q->groups);
    for (size_t i = 0; i < q->r.count; i++) {
        const dp_row *row = &q->r.row[i];
        if (row->gamma_count == 0)
            continue;
        checked++;
        world_noise(&w, row);
        world_judge(&w, q->target.value, q->m.target_delta);
        const dp_figure *delta = figure_of(row, "delta");
        if (delta == NULL || !figure_holds_q(delta, w.worst)) {
            char *text = mpq_get_str(NULL, 10, w.worst);
            fail_msg("%s, %u voters: delta is %s", row->theorem->id, voters, text);
        }
        if (!is_narrow(delta))
            fail_msg("%s, %u voters: delta is not sharp", row->theorem->id, voters);
        if (within && (strcmp(row->theorem->id, "majority-optimal") == 0 ||
                       strncmp(row->theorem->id, "majority-constant", 17) == 0))
            assert_true(mpq_cmp(w.worst, q->m.target_delta) <= 0);
        check_epsilon(&w, row, q);
    }
    world_clear(&w);
    return checked;
}

static void test_designs(void **state)
{
    (void)state;
    static const char *const cases[][4] = {{"3", "0", "3", "0"},
                                           {"5/4", "0", "2", "1/100"},
                                           {"2", "1/50", "4", "1/10"},
                                           {"11/10", "1/1000", "3/2", "1/500"}};
    for (unsigned voters = 1; voters <= MOST_VOTERS; voters += 2)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            query q;
            dp_options opt = dp_options_default();
            opt.all = true;
            opt.digits = 15;
            opt.max_seconds = 2;
            query_open(&q, voters, cases[i][0], cases[i][1], cases[i][2], cases[i][3]);
            assert_int_equal(dp_majority_designs(&q.r, &q.m, &opt, NULL), DP_OK);
            assert_true(check_rows(&q, voters, true) >= 3);
            query_close(&q);
        }
}

static void test_given(void **state)
{
    (void)state;
    rng r = rng_make(121);
    for (int i = 0; i < rounds(40); i++) {
        query q;
        mpq_t gamma[MOST_VOTERS + 1];
        unsigned voters = i % 4 == 0 ? 5 : 3;
        dp_options opt = dp_options_default();
        opt.digits = 15;
        opt.max_seconds = 2;
        query_open(&q, voters, i % 3 == 0 ? "3" : "6/5", i % 5 == 0 ? "1/40" : "0",
                   i % 2 == 0 ? "2" : "5/3", "1/20");
        q.m.gamma_count = i % 7 == 0 ? voters + 1 : (voters + 1) / 2;
        for (size_t j = 0; j <= MOST_VOTERS; j++) {
            mpq_init(gamma[j]);
            mpq_set_ui(gamma[j], rng_below(&r, 11), 10);
            mpq_canonicalize(gamma[j]);
        }
        q.m.gamma = (const mpq_t *)gamma;
        assert_int_equal(dp_majority_designs(&q.r, &q.m, &opt, NULL), DP_OK);
        assert_int_equal(check_rows(&q, voters, false), 1);
        for (size_t j = 0; j <= MOST_VOTERS; j++)
            mpq_clear(gamma[j]);
        query_close(&q);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_designs),
        cmocka_unit_test(test_given),
    };
    return cmocka_run_group_tests_name("majority", tests, NULL, NULL);
}
