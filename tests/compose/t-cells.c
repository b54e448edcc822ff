/* SPDX-License-Identifier: MIT */
/* Groups of disjoint data: randomized responses in cells of random partitions, the outcomes of all
 * of them enumerated in exact rationals for every way in which a record may be added, removed or
 * moved; Gaussians in two cells as one; what is refused. Rows compose-cells,
 * compose-cells-greatest. */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "catalog/types.h"
#include "loss/cells.h"

#define MOST 12
#define CELLS 3

/* Odds of a truthful answer, and whose it is: of all records, or of a cell. */
typedef struct answering {
    unsigned long odds;
    bool of_all;
    size_t partition, cell;
} answering;

typedef struct world {
    answering of[MOST];
    size_t count, partitions, cells[2];
    bool same; /* both entries are about one partition */
} world;

/* Is the answer 1 where a record of value 1 is in the cells `in`, NULL: where there is none? */
static bool is_true(const answering *a, const world *w, const size_t *in)
{
    return in != NULL && (a->of_all || in[w->same ? 0 : a->partition] == a->cell);
}

/* sum of (P - u Q)+ over all outcomes, times the product of 1 + odds; of replaced records those
 * values at which every answer changes that may. */
static void stick(mpq_t to, const world *w, const size_t *one, const size_t *other, bool replaced,
                  const mpq_t u)
{
    mpq_t p, q, term;
    mpq_inits(p, q, term, NULL);
    mpq_set_ui(to, 0, 1);
    for (size_t outcome = 0; outcome < (size_t)1 << w->count; outcome++) {
        unsigned long x = 1, y = 1;
        for (size_t i = 0; i < w->count; i++) {
            const answering *a = &w->of[i];
            bool said = (outcome >> i & 1) != 0, first = is_true(a, w, one),
                 second = is_true(a, w, other);
            if (replaced && first && second) /* of another value, which answers no */
                second = false;
            x *= said == first ? a->odds : 1;
            y *= said == second ? a->odds : 1;
        }
        mpq_set_ui(p, x, 1);
        mpq_set_ui(q, y, 1);
        mpq_mul(term, u, q);
        mpq_sub(term, p, term);
        if (mpq_sgn(term) > 0)
            mpq_add(to, to, term);
    }
    mpq_clears(p, q, term, NULL);
}

static void keep_greatest(mpq_t to, const world *w, const size_t *one, const size_t *other,
                          bool replaced, const mpq_t u)
{
    mpq_t x;
    mpq_init(x);
    stick(x, w, one, other, replaced, u);
    if (mpq_cmp(x, to) > 0)
        mpq_set(to, x);
    mpq_clear(x);
}

static void enumerate(mpq_t delta, const world *w, bool replaced, const mpq_t u)
{
    size_t in[2], to[2], second = w->partitions == 2 && !w->same ? w->cells[1] : 1;
    mpq_t all;
    mpq_init(all);
    mpq_set_ui(delta, 0, 1);
    for (size_t i = 0; i < w->cells[0] * second; i++) {
        in[0] = i % w->cells[0];
        in[1] = i / w->cells[0];
        if (!replaced) {
            keep_greatest(delta, w, in, NULL, false, u);
            keep_greatest(delta, w, NULL, in, false, u);
        }
        for (size_t j = 0; replaced && j < w->cells[0] * second; j++) {
            to[0] = j % w->cells[0];
            to[1] = j / w->cells[0];
            keep_greatest(delta, w, in, to, true, u);
        }
    }
    mpq_set_ui(all, 1, 1);
    for (size_t i = 0; i < w->count; i++)
        mpz_mul_ui(mpq_denref(all), mpq_denref(all), 1 + w->of[i].odds);
    mpq_mul(delta, delta, all);
    mpq_clear(all);
}

static void push(world *w, dp_composition *list, rng *r, bool of_all, size_t partition, size_t cell)
{
    char text[20];
    unsigned long odds = 2 + (unsigned long)rng_below(r, 3);
    if (w->count == 9)
        return;
    snprintf(text, sizeof text, "ln(%lu)", odds);
    list_add(list, text, "0", 1);
    w->of[w->count++] = (answering){odds, of_all, partition, cell};
}

/* A random list with one or two partitions. */
static void draw(world *w, dp_composition *list, rng *r)
{
    dp_composition cell[CELLS];
    mpz_t one;
    mpz_init_set_ui(one, 1);
    *w = (world){.partitions = 1 + rng_below(r, 2)};
    for (size_t i = rng_below(r, 2); i > 0; i--)
        push(w, list, r, true, 0, 0);
    for (size_t p = 0; p < w->partitions; p++) {
        w->same = p == 1 && rng_below(r, 2) == 0;
        w->cells[p] = w->same ? w->cells[0] : 1 + rng_below(r, CELLS);
        for (size_t c = 0; c < w->cells[p]; c++) {
            dp_composition_init_under(&cell[c], list->adjacency);
            for (size_t i = rng_below(r, 3); i > 0; i--)
                push(w, &cell[c], r, false, p, c);
        }
        assert_int_equal(dp_composition_add_cells(list, p == 0 || w->same ? "regions" : NULL, cell,
                                                  w->cells[p], one, NULL),
                         DP_OK);
        for (size_t c = 0; c < w->cells[p]; c++)
            dp_composition_clear(&cell[c]);
    }
    mpz_clear(one);
}

static dp_decision meets(dp_result *r, const dp_composition *list, const dp_number *x,
                         const mpq_t delta)
{
    dp_number most;
    dp_number_init(&most);
    mpq_set(most.value, delta);
    dp_options opt = dp_options_default();
    opt.max_epsilon = x;
    opt.max_delta = &most;
    dp_compose_query q = {.list = list, .target_epsilon = x};
    assert_int_equal(dp_compose(r, &q, &opt, NULL), DP_OK);
    dp_number_clear(&most);
    return r->check.holds;
}

static void test_enumerated(void **state)
{
    (void)state;
    static const char *const at[] = {"1", "3/2", "2", "4", "7"};
    rng r = rng_make(1301);
    mpq_t u, delta, less;
    dp_number x;
    dp_result result;
    dp_number_init(&x);
    dp_result_init(&result);
    mpq_inits(u, delta, less, NULL);
    int nonzero = 0;
    for (int i = 0; i < rounds(60); i++) {
        world w;
        dp_composition list;
        bool replaced = rng_below(&r, 2) == 0;
        dp_composition_init_under(&list, replaced ? DP_REPLACE_ONE : DP_ADD_REMOVE);
        draw(&w, &list, &r);
        char text[20];
        const char *odds = at[rng_below(&r, sizeof at / sizeof *at)];
        snprintf(text, sizeof text, "ln(%s)", odds);
        rational_of(u, odds);
        number_of(&x, text);
        if (w.count > 0) {
            enumerate(delta, &w, replaced, u);
            ask_delta(&result, &list, text, 20);
            assert_string_equal(result.row[0].theorem->id, "compose-cells");
            assert_int_equal(result.row[0].verdict, DP_EXACT);
            assert_true(figure_holds_q(row_of(&result, "compose-cells", "delta"), delta));
            assert_int_equal(meets(&result, &list, &x, delta), DP_YES); /* a tie */
            rational_of(less, "1/1000000000000");
            mpq_sub(less, delta, less);
            if (mpq_sgn(less) >= 0)
                assert_int_equal(meets(&result, &list, &x, less), DP_NO);
            nonzero += mpq_sgn(delta) > 0;
        }
        dp_composition_clear(&list);
    }
    assert_true(!rounds_are_full() || nonzero > 30);
    mpq_clears(u, delta, less, NULL);
    dp_result_clear(&result);
    dp_number_clear(&x);
}

/* ---- mechanisms ---- */

static void cell_of(dp_composition *cell, dp_relation relation, const char *text)
{
    mpz_t one;
    mpz_init_set_ui(one, 1);
    dp_composition_init_under(cell, relation);
    dp_mechanism *m = mechanism_of(text);
    assert_int_equal(account_enter(cell, m, one, NULL), DP_OK);
    dp_mechanism_free(m);
    mpz_clear(one);
}

static dp_status two_cells(dp_composition *list, dp_relation relation, const char *a, const char *b,
                           const char *delta, dp_result *r, dp_error *err)
{
    dp_composition cell[2];
    mpz_t times;
    mpz_init_set_ui(times, 1);
    dp_number target;
    dp_number_init(&target);
    number_of(&target, delta);
    dp_composition_init_under(list, relation);
    cell_of(&cell[0], relation, a);
    cell_of(&cell[1], relation, b);
    assert_int_equal(dp_composition_add_cells(list, NULL, cell, 2, times, NULL), DP_OK);
    dp_compose_query q = {.list = list, .target_delta = &target};
    dp_options opt = dp_options_default();
    opt.all = true;
    dp_status status = dp_compose(r, &q, &opt, err);
    dp_composition_clear(&cell[0]);
    dp_composition_clear(&cell[1]);
    dp_number_clear(&target);
    mpz_clear(times);
    return status;
}

/* mu = 3/5 and 4/5 move together as mu = 1, and stay apart as 4/5 where a record is removed. */
static void test_gaussians(void **state)
{
    (void)state;
    static const char *const single[] = {"gaussian sigma=5/4", "gaussian sigma=1"};
    for (int replaced = 0; replaced < 2; replaced++) {
        dp_composition list, alone;
        dp_result r, other;
        dp_relation relation = replaced != 0 ? DP_REPLACE_ONE : DP_ADD_REMOVE;
        dp_result_init(&r);
        dp_result_init(&other);
        assert_int_equal(two_cells(&list, relation, "gaussian sigma=5/3", "gaussian sigma=5/4",
                                   "1e-5", &r, NULL),
                         DP_OK);
        cell_of(&alone, relation, single[replaced]);
        ask_epsilon(&other, &alone, "1e-5", 10);
        const dp_figure *true_one = dp_result_figure(&other, "epsilon");
        assert_true(figures_meet(row_of(&r, "compose-cells", "epsilon"), true_one));
        const dp_figure *published = row_of(&r, "compose-cells-greatest", "epsilon");
        assert_int_equal(published != NULL, replaced);
        if (published != NULL)
            assert_false(figure_may_be_le(true_one, published));
        dp_composition_clear(&alone);
        dp_composition_clear(&list);
        dp_result_clear(&other);
        dp_result_clear(&r);
    }
}

/* Geometric noise with r = e^-1 on two counts, from (1, 0) to (0, 1): outcomes have probabilities
 * as r^|x| about each count, summed over |x| <= 40; the others have less than 1e-15. The loss is
 * -2, 0 or 2, so that no tie at 1 is near. */
static void test_counterexample(void **state)
{
    (void)state;
    dp_composition list;
    dp_result r;
    dp_figure truth;
    dp_result_init(&r);
    dp_figure_init(&truth);
    static const char noise[] = "discrete-laplace scale=1";
    assert_int_equal(two_cells(&list, DP_REPLACE_ONE, noise, noise, "0", &r, NULL), DP_OK);
    assert_false(figure_may_be_le(row_of(&r, "compose-cells", "epsilon"),
                                  row_of(&r, "compose-cells-greatest", "epsilon")));
    ask_delta(&r, &list, "1", 10);
    double sum = 0, decay = exp(-1.), mass = (1 - decay) / (1 + decay);
    for (int x = -40; x <= 40; x++)
        for (int y = -40; y <= 40; y++) {
            double p = pow(decay, abs(x - 1) + abs(y)), q = pow(decay, abs(x) + abs(y - 1));
            sum += p > exp(1.) * q ? mass * mass * (p - exp(1.) * q) : 0;
        }
    truth.kind = DP_ENCLOSED;
    mpfi_interv_d(truth.enclosure, sum - 1e-12, sum + 1e-12);
    assert_true(figures_meet(row_of(&r, "compose-cells", "delta"), &truth));
    assert_true(sum > 0.3378 && sum < 0.3379); /* as quoted */
    assert_non_null(strstr(dp_theorem_find("compose-cells-greatest")->counterexample, "0.3378"));
    dp_figure_clear(&truth);
    dp_result_clear(&r);
    dp_composition_clear(&list);
}

/* ---- groups, and what still fits: the choices one record after the other ---- */

#define RECORDS 3

typedef struct group_world {
    dp_composition list, cell[CELLS], of_all;
    size_t cells, records;
    bool replaced;
} group_world;

static void draw_group(group_world *w, rng *r)
{
    static const char *const noise[] = {"gaussian sigma=3", "laplace scale=4"};
    dp_relation relation = w->replaced ? DP_REPLACE_ONE : DP_ADD_REMOVE;
    mpz_t one;
    mpz_init_set_ui(one, 1);
    w->cells = 1 + rng_below(r, CELLS);
    w->records = 1 + rng_below(r, RECORDS);
    dp_composition_init_under(&w->of_all, relation);
    list_add(&w->of_all, "1/9", "0", 1);
    for (size_t c = 0; c < w->cells; c++) {
        char text[20];
        if (rng_below(r, 2) == 0) {
            cell_of(&w->cell[c], relation, noise[rng_below(r, 2)]);
            continue;
        }
        dp_composition_init_under(&w->cell[c], relation);
        snprintf(text, sizeof text, "1/%zu", 2 + rng_below(r, 3));
        list_add(&w->cell[c], text, "1/1000000", 1);
    }
    dp_composition all;
    dp_composition_init_under(&all, relation);
    list_add(&all, "1/9", "0", 1);
    assert_int_equal(dp_composition_add_cells(&all, "a", w->cell, w->cells, one, NULL), DP_OK);
    mpz_set_ui(one, w->records);
    dp_composition_init_under(&w->list, relation);
    assert_int_equal(dp_composition_for_groups(&w->list, &all, one, NULL), DP_OK);
    dp_composition_clear(&all);
    mpz_clear(one);
}

/* The list without cells where so many records are in, or move from or to, each of them. */
static void place_group(dp_composition *flat, const group_world *w, const size_t *in)
{
    mpz_t n;
    mpz_init_set_ui(n, w->records);
    dp_composition_init_under(flat, w->list.adjacency);
    assert_int_equal(dp_composition_for_groups(flat, &w->of_all, n, NULL), DP_OK);
    for (size_t c = 0; c < w->cells; c++) {
        dp_composition of;
        if (in[c] == 0)
            continue;
        mpz_set_ui(n, in[c]);
        dp_composition_init_under(&of, w->list.adjacency);
        assert_int_equal(dp_composition_for_groups(&of, &w->cell[c], n, NULL), DP_OK);
        mpz_set_ui(n, 1);
        assert_int_equal(known_append(flat, &of, n), DP_OK);
        dp_composition_clear(&of);
    }
    mpz_clear(n);
}

static void ask_times(dp_result *r, const dp_composition *list, const dp_composition *added)
{
    dp_number most, delta;
    dp_number_init(&most);
    dp_number_init(&delta);
    number_of(&most, "9");
    number_of(&delta, "1/1000");
    dp_options opt = dp_options_default();
    opt.max_epsilon = &most;
    opt.max_delta = &delta;
    dp_compose_query q = {.list = list, .added = added, .solve = DP_SOLVE_TIMES};
    assert_int_equal(dp_compose(r, &q, &opt, NULL), DP_OK);
    dp_number_clear(&delta);
    dp_number_clear(&most);
}

/* Every way in which each of the records may be somewhere, or move, one after the other. */
static void test_groups(void **state)
{
    (void)state;
    rng r = rng_make(1302);
    dp_result got, other;
    dp_composition added;
    dp_result_init(&got);
    dp_result_init(&other);
    dp_composition_init(&added);
    for (int i = 0; i < rounds(12); i++) {
        group_world w = {.replaced = rng_below(&r, 2) == 0};
        draw_group(&w, &r);
        dp_composition_clear(&added);
        dp_composition_init_under(&added, w.list.adjacency);
        list_add(&added, "1/5", "0", 2);
        bool seen[64] = {false}; /* (RECORDS + 1) to the CELLS */
        size_t moves = w.replaced ? w.cells * w.cells : w.cells, met = 0;
        size_t ways = (size_t)lround(pow((double)moves, (double)w.records));
        double least = INFINITY;
        ask_delta(&got, &w.list, "1", 6);
        for (size_t way = 0; way < ways; way++) {
            size_t in[CELLS] = {0};
            dp_composition flat;
            for (size_t k = 0, rest = way; k < w.records; k++, rest /= moves) {
                size_t from = rest % moves % w.cells, to = rest % moves / w.cells;
                in[from]++;
                in[to] += w.replaced && to != from;
            }
            size_t code = 0;
            for (size_t c = 0; c < w.cells; c++)
                code = code * (RECORDS + 1) + in[c];
            if (seen[code])
                continue;
            seen[code] = true;
            place_group(&flat, &w, in);
            ask_delta(&other, &flat, "1", 6);
            const dp_figure *x = dp_result_figure(&other, "delta");
            assert_true(figure_may_be_le(x, row_of(&got, "compose-cells", "delta")));
            met += figures_meet(x, row_of(&got, "compose-cells", "delta"));
            if (w.records == 1) {
                ask_times(&other, &flat, &added);
                least = fmin(least, mpq_get_d(dp_result_figure(&other, "times")->rational));
            }
            dp_composition_clear(&flat);
        }
        assert_true(met > 0);
        if (w.records == 1) {
            ask_times(&got, &w.list, &added);
            assert_true(mpq_get_d(row_of(&got, "compose-cells", "times")->rational) == least);
            assert_int_equal(got.check.holds, DP_YES);
        }
        for (size_t c = 0; c < w.cells; c++)
            dp_composition_clear(&w.cell[c]);
        dp_composition_clear(&w.of_all);
        dp_composition_clear(&w.list);
    }
    dp_composition_clear(&added);
    dp_result_clear(&other);
    dp_result_clear(&got);
}

static void test_refused(void **state)
{
    (void)state;
    dp_composition list, groups;
    dp_result r;
    dp_error err;
    mpz_t n;
    dp_result_init(&r);
    mpz_init_set_ui(n, 2);
    static const char uneven[] = "pair p=1/2,1/2 q=1/4,3/4", one[] = "pair p=1 q=1 directions=one";
    assert_int_equal(two_cells(&list, DP_ADD_REMOVE, uneven, uneven, "1e-5", &r, &err), DP_OK);
    dp_composition_init(&groups);
    assert_int_equal(dp_composition_for_groups(&groups, &list, n, &err), DP_OK);
    dp_compose_query q = {.list = &groups};
    assert_int_equal(dp_compose(&r, &q, &(dp_options){0}, &err), DP_UNAVAILABLE);
    assert_string_equal(err.argument, "cells"); /* one may enter where another leaves */
    dp_composition_clear(&groups);
    dp_composition_init(&groups);
    mpz_ui_pow_ui(n, 10, 10);
    assert_int_equal(dp_composition_for_groups(&groups, &list, n, &err), DP_UNAVAILABLE);
    mpz_set_ui(n, 2);
    assert_int_equal(dp_composition_add_cells(&groups, NULL, &list, 1, n, &err), DP_UNAVAILABLE);
    assert_int_equal(dp_composition_add_cells(&groups, NULL, &groups, 0, n, &err), DP_DOMAIN);
    q = (dp_compose_query){.list = &list, .solve = DP_SOLVE_TIMES, .added = &list};
    assert_int_equal(dp_compose(&r, &q, &(dp_options){0}, &err), DP_UNAVAILABLE);
    q = (dp_compose_query){.list = &list, .solve = DP_SOLVE_PARAMETER};
    assert_int_equal(dp_compose(&r, &q, &(dp_options){0}, &err), DP_UNAVAILABLE);
    q = (dp_compose_query){.list = &list, .adaptive = true, .method = DP_COMPOSE_FILTER};
    assert_int_equal(dp_compose(&r, &q, &(dp_options){0}, &err), DP_UNAVAILABLE);
    dp_composition_clear(&list);
    assert_int_equal(two_cells(&list, DP_REPLACE_ONE, one, uneven, "1e-5", &r, &err),
                     DP_UNAVAILABLE);
    assert_string_equal(err.argument, "cells"); /* one is entered where the other is left */
    dp_composition_clear(&list);
    dp_composition cell[46]; /* 46 * 45 / 2 > 1000 */
    char text[20];
    dp_composition_init_under(&list, DP_REPLACE_ONE);
    for (int i = 0; i < 46; i++) {
        dp_composition_init_under(&cell[i], DP_REPLACE_ONE);
        snprintf(text, sizeof text, "1/%d", i + 1);
        list_add(&cell[i], text, "0", 1);
    }
    assert_int_equal(dp_composition_add_cells(&list, "a", cell, 46, n, &err), DP_OK);
    assert_int_equal(dp_composition_add_cells(&list, "a", cell, 45, n, &err), DP_DOMAIN);
    q = (dp_compose_query){.list = &list};
    assert_int_equal(dp_compose(&r, &q, &(dp_options){0}, &err), DP_UNAVAILABLE);
    for (int i = 0; i < 46; i++)
        dp_composition_clear(&cell[i]);
    dp_composition_clear(&list);
    dp_composition_clear(&groups);
    dp_result_clear(&r);
    mpz_clear(n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_enumerated),     cmocka_unit_test(test_gaussians),
        cmocka_unit_test(test_counterexample), cmocka_unit_test(test_groups),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
