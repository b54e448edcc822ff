/* SPDX-License-Identifier: MIT */
/* Bagging enumerated in exact rationals: every sample of every scheme for n <= 4, k <= 3, N <= 2,
 * with the learner that publishes its samples, and with a private one at its extremal mechanism.
 * Records are 0 .. n-1; the neighbour lacks record n-1, or has the new record n in its place. */
#include "support.h"

#define MOST_DRAWS 8

typedef struct world {
    dp_sampling sampling;
    unsigned records, draws, models; /* n, k, N */
    mpq_t rate;                      /* Poisson */
    bool removed, replaced;          /* which neighbour is enumerated */
    mpq_t *chance;                   /* by outcome */
    size_t outcomes;
} world;

/* The records of the data set under enumeration. */
static unsigned size_of(const world *w)
{
    return w->records - (w->removed ? 1 : 0);
}

static unsigned record_of(const world *w, unsigned index)
{
    return w->replaced && index == w->records - 1 ? w->records : index;
}

/* Whether a draw of `index` as the next of `drawn` earlier ones is possible. */
static bool is_allowed(const world *w, const unsigned *drawn, unsigned count, unsigned index)
{
    unsigned from = w->sampling == DP_WITHOUT_DISJOINT ? 0 : count - count % w->draws;
    if (w->sampling == DP_WITH_REPLACEMENT)
        return true;
    for (unsigned i = from; i < count; i++)
        if (drawn[i] == index)
            return false;
    return true;
}

/* Adds the probability of every continuation of `drawn`, each draw uniform on what is allowed. */
static void enumerate_draws(world *w, unsigned *drawn, unsigned count, const mpq_t chance)
{
    if (count == w->draws * w->models) {
        unsigned long code = 0;
        for (unsigned i = 0; i < count; i++)
            code = code * (w->records + 1) + record_of(w, drawn[i]);
        assert_true(code < w->outcomes);
        mpq_add(w->chance[code], w->chance[code], chance);
        return;
    }
    assert_true(count < MOST_DRAWS);
    unsigned options = 0;
    for (unsigned i = 0; i < size_of(w); i++)
        options += is_allowed(w, drawn, count, i);
    mpq_t share;
    mpq_init(share);
    mpq_set_ui(share, 1, options);
    mpq_mul(share, share, chance);
    for (unsigned i = 0; i < size_of(w); i++)
        if (is_allowed(w, drawn, count, i)) {
            drawn[count] = i;
            enumerate_draws(w, drawn, count + 1, share);
        }
    mpq_clear(share);
}

/* Poisson: an outcome is a set of records for each model, as bits. */
static void enumerate_poisson(world *w)
{
    unsigned bits = (w->records + 1) * w->models;
    mpq_t chance, miss;
    mpq_inits(chance, miss, NULL);
    mpz_sub(mpq_numref(miss), mpq_denref(w->rate), mpq_numref(w->rate));
    mpz_set(mpq_denref(miss), mpq_denref(w->rate));
    for (unsigned long code = 0; code < 1UL << bits; code++) {
        mpq_set_ui(chance, 1, 1);
        for (unsigned bit = 0; bit < bits; bit++) {
            unsigned record = bit % (w->records + 1);
            bool there = record < w->records - 1 ||
                         (record == w->records - 1 ? !w->removed && !w->replaced : w->replaced);
            if (there)
                mpq_mul(chance, chance, code >> bit & 1 ? w->rate : miss);
            else if (code >> bit & 1)
                mpq_set_ui(chance, 0, 1);
        }
        mpq_set(w->chance[code], chance);
    }
    mpq_clears(chance, miss, NULL);
}

static void enumerate(world *w)
{
    unsigned drawn[MOST_DRAWS];
    mpq_t one;
    w->outcomes = 1; /* bits of each model, or a record for each draw */
    for (unsigned i = 0; i < w->draws * w->models; i++)
        w->outcomes *= w->sampling == DP_POISSON ? 2UL << w->records : w->records + 1;
    w->chance = test_malloc(w->outcomes * sizeof *w->chance);
    for (size_t i = 0; i < w->outcomes; i++)
        mpq_init(w->chance[i]);
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    if (w->sampling == DP_POISSON)
        enumerate_poisson(w);
    else
        enumerate_draws(w, drawn, 0, one);
    mpq_clear(one);
}

static void forget(world *w)
{
    for (size_t i = 0; i < w->outcomes; i++)
        mpq_clear(w->chance[i]);
    test_free(w->chance);
}

/* sum max(0, P - odds Q) */
static void hockey_stick(mpq_t out, mpq_t *p, mpq_t *q, size_t count, const mpq_t odds)
{
    mpq_t part;
    mpq_init(part);
    mpq_set_ui(out, 0, 1);
    for (size_t i = 0; i < count; i++) {
        mpq_mul(part, odds, q[i]);
        mpq_sub(part, p[i], part);
        if (mpq_sgn(part) > 0)
            mpq_add(out, out, part);
    }
    mpq_clear(part);
}

static void set_query(dp_bagging *b, const world *w, const dp_number *at, dp_relation adjacency)
{
    b->sampling = w->sampling;
    mpz_set_ui(b->dataset_size, w->records);
    mpz_set_ui(b->subsample_size, w->draws);
    mpz_set_ui(b->models, w->models);
    mpq_set(b->sampling_rate, w->rate);
    b->adjacency = adjacency;
    b->target_epsilon = at;
}

static void expect_row(const dp_result *r, const char *theorem, const mpq_t expected)
{
    const dp_figure *f = row_of(r, theorem, "delta");
    if (f == NULL)
        fail_msg("no row %s", theorem);
    if (!figure_holds_q(f, expected)) {
        char *text = mpq_get_str(NULL, 10, expected);
        fail_msg("%s does not hold %s", theorem, text);
    }
}

static const char *const odds_texts[] = {"ln(1)", "ln(9/8)", "ln(3/2)", "ln(2)", "ln(10)"};
#define ODDS (sizeof odds_texts / sizeof *odds_texts)

/* remove, add and replace against the figures of the library */
static void compare(const world *with, const world *without, const world *swapped)
{
    dp_result r;
    dp_bagging b;
    dp_number at;
    mpq_t exact;
    dp_options opt = dp_options_default();
    opt.digits = 25;
    dp_result_init(&r);
    dp_bagging_init(&b);
    dp_number_init(&at);
    mpq_init(exact);
    for (size_t i = 0; i < ODDS; i++) {
        number_of(&at, odds_texts[i]);
        if (without != NULL) {
            set_query(&b, with, &at, DP_ADD_REMOVE);
            assert_int_equal(dp_bagging_privacy(&r, &b, &opt, NULL), DP_OK);
            hockey_stick(exact, with->chance, without->chance, with->outcomes, at.value);
            expect_row(&r, "bagging-remove", exact);
            assert_true(figure_holds_q(dp_result_figure(&r, "delta"), exact));
            /* adding to n - 1 records */
            mpz_set_ui(b.dataset_size, with->records - 1);
            assert_int_equal(dp_bagging_privacy(&r, &b, &opt, NULL), DP_OK);
            hockey_stick(exact, without->chance, with->chance, with->outcomes, at.value);
            expect_row(&r, "bagging-add", exact);
        }
        set_query(&b, with, &at, DP_REPLACE_ONE);
        assert_int_equal(dp_bagging_privacy(&r, &b, &opt, NULL), DP_OK);
        hockey_stick(exact, with->chance, swapped->chance, with->outcomes, at.value);
        expect_row(&r, "bagging-replace", exact);
        assert_true(figure_holds_q(dp_result_figure(&r, "delta"), exact));
    }
    mpq_clear(exact);
    dp_number_clear(&at);
    dp_bagging_clear(&b);
    dp_result_clear(&r);
}

static void check_world(dp_sampling sampling, unsigned n, unsigned k, unsigned models,
                        const char *rate)
{
    world with = {.sampling = sampling, .records = n, .draws = k, .models = models};
    mpq_init(with.rate);
    rational_of(with.rate, rate);
    world without = with, swapped = with;
    without.removed = swapped.replaced = true;
    bool smaller = sampling == DP_POISSON || sampling == DP_WITH_REPLACEMENT
                       ? n > 1
                       : n - 1 >= (sampling == DP_WITHOUT_DISJOINT ? k * models : k);
    enumerate(&with);
    enumerate(&swapped);
    if (smaller)
        enumerate(&without);
    compare(&with, smaller ? &without : NULL, &swapped);
    forget(&with);
    forget(&swapped);
    if (smaller)
        forget(&without);
    mpq_clear(with.rate);
}

static void test_with_replacement(void **state)
{
    (void)state;
    for (unsigned n = 1; n <= 4; n++)
        for (unsigned k = 1; k <= 3; k++)
            for (unsigned models = 1; models <= 2; models++)
                check_world(DP_WITH_REPLACEMENT, n, k, models, "0");
}

static void test_without_replacement(void **state)
{
    (void)state;
    for (unsigned n = 1; n <= 4; n++)
        for (unsigned k = 1; k <= 3; k++)
            for (unsigned models = 1; models <= 2; models++) {
                if (k * models <= n)
                    check_world(DP_WITHOUT_DISJOINT, n, k, models, "0");
                if (k <= n)
                    check_world(DP_WITHOUT_INDEPENDENT, n, k, models, "0");
            }
}

static void test_poisson(void **state)
{
    (void)state;
    static const char *const rates[] = {"0", "1/7", "1/2", "1"};
    for (unsigned n = 1; n <= 4; n++)
        for (unsigned models = 1; models <= 2; models++)
            for (size_t i = 0; i < 4; i++)
                check_world(DP_POISSON, n, 1, models, rates[i]);
}

/* ---- a private learner ---- */

/* The extremal (ln E, d)-DP answer to the question whether the record is in the sample. */
static void extremal(mpq_t out[4], bool in, const mpq_t odds, const mpq_t d)
{
    mpq_t rest, one;
    mpq_inits(rest, one, NULL);
    mpq_set_ui(one, 1, 1);
    mpq_sub(rest, one, d);
    mpq_add(one, one, odds);
    mpq_div(rest, rest, one);
    mpq_set(out[in ? 0 : 1], d);
    mpq_set_ui(out[in ? 1 : 0], 0, 1);
    mpq_set(out[in ? 3 : 2], rest);
    mpq_mul(out[in ? 2 : 3], rest, odds);
    mpq_clears(rest, one, NULL);
}

/* The law of the answer: that of the samples, each with its own. */
static void answer(mpq_t out[4], const world *w, const mpq_t odds, const mpq_t d)
{
    mpq_t law[2][4], part;
    mpq_init(part);
    for (int in = 0; in < 2; in++) {
        for (int i = 0; i < 4; i++)
            mpq_init(law[in][i]);
        extremal(law[in], in == 1, odds, d);
    }
    for (int i = 0; i < 4; i++)
        mpq_set_ui(out[i], 0, 1);
    for (unsigned long code = 0; code < w->outcomes; code++) {
        if (mpq_sgn(w->chance[code]) == 0)
            continue;
        bool in = w->sampling == DP_POISSON && (code >> (w->records - 1) & 1) != 0;
        unsigned long rest = code;
        for (unsigned i = 0; w->sampling != DP_POISSON && i < w->draws * w->models; i++) {
            in = in || rest % (w->records + 1) == w->records - 1;
            rest /= w->records + 1;
        }
        for (int i = 0; i < 4; i++) {
            mpq_mul(part, w->chance[code], law[in][i]);
            mpq_add(out[i], out[i], part);
        }
    }
    for (int in = 0; in < 2; in++)
        for (int i = 0; i < 4; i++)
            mpq_clear(law[in][i]);
    mpq_clear(part);
}

/* The certified delta holds the exact one (or, with replacement, is not below it). */
static void compare_private(const world *with, const world *without, const char *odds,
                            const char *base_delta)
{
    dp_result r;
    dp_bagging b;
    dp_number at, base;
    mpq_t p[4], q[4], exact;
    dp_options opt = dp_options_default();
    opt.max_seconds = 0.01; /* short decimals reached through logarithms never agree */
    dp_result_init(&r);
    dp_bagging_init(&b);
    dp_number_init(&at);
    dp_number_init(&base);
    mpq_init(exact);
    for (int i = 0; i < 4; i++)
        mpq_inits(p[i], q[i], NULL);
    number_of(&base, odds);
    rational_of(b.base_delta, base_delta);
    b.base_epsilon = &base;
    answer(p, with, base.value, b.base_delta);
    answer(q, without, base.value, b.base_delta);
    for (size_t i = 0; i < ODDS; i++) {
        number_of(&at, odds_texts[i]);
        set_query(&b, with, &at, DP_ADD_REMOVE);
        b.base_adjacency = DP_BASE_BOTH;
        assert_int_equal(dp_bagging_privacy(&r, &b, &opt, NULL), DP_OK);
        hockey_stick(exact, p, q, 4, at.value);
        const dp_figure *delta = dp_result_figure(&r, "delta");
        if (with->sampling == DP_WITH_REPLACEMENT) {
            dp_figure f;
            dp_figure_init(&f);
            f.kind = DP_RATIONAL;
            mpq_set(f.rational, exact);
            assert_true(figure_may_be_le(&f, delta));
            dp_figure_clear(&f);
        } else {
            assert_true(figure_holds_q(delta, exact));
            expect_row(&r, "amplify-profile", exact);
            hockey_stick(exact, q, p, 4, at.value);
            expect_row(&r, "amplify-add", exact);
        }
    }
    for (int i = 0; i < 4; i++)
        mpq_clears(p[i], q[i], NULL);
    mpq_clear(exact);
    dp_number_clear(&base);
    dp_number_clear(&at);
    dp_bagging_clear(&b);
    dp_result_clear(&r);
}

static void test_private_learner(void **state)
{
    (void)state;
    static const char *const learners[][2] = {
        {"ln(3)", "0"}, {"ln(5/4)", "1/50"}, {"ln(8)", "1/9"}};
    static const dp_sampling schemes[] = {DP_WITHOUT_DISJOINT, DP_POISSON, DP_WITH_REPLACEMENT};
    for (size_t s = 0; s < 3; s++)
        for (unsigned n = 2; n <= 4; n++)
            for (unsigned k = 1; k <= (schemes[s] == DP_POISSON ? 1 : 3); k++) {
                if (schemes[s] == DP_WITHOUT_DISJOINT && k > n - 1)
                    continue;
                world with = {.sampling = schemes[s], .records = n, .draws = k, .models = 1};
                mpq_init(with.rate);
                rational_of(with.rate, "2/7");
                world without = with;
                without.removed = true;
                enumerate(&with);
                enumerate(&without);
                for (size_t i = 0; i < 3; i++)
                    compare_private(&with, &without, learners[i][0], learners[i][1]);
                forget(&with);
                forget(&without);
                mpq_clear(with.rate);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_with_replacement),
        cmocka_unit_test(test_without_replacement),
        cmocka_unit_test(test_poisson),
        cmocka_unit_test(test_private_learner),
    };
    return cmocka_run_group_tests_name("bagging enumerated", tests, NULL, NULL);
}
