/* SPDX-License-Identifier: MIT */
/* Records that move between cells whose losses have a direction: random finite pairs in cells of
 * random partitions, the outcomes of all of them enumerated in exact rationals for every way in
 * which a record may leave a cell, enter another, or change in one. Row compose-cells. */
#include "support.h"

#include <stdio.h>
#include <string.h>

#include "catalog/types.h"
#include "loss/cells.h"

#define MOST 6
#define CELLS 3
#define OUTCOMES 3

/* Masses over DENOMINATOR, and whose they are: of all records, or of a cell. */
#define DENOMINATOR 12
typedef struct released {
    unsigned long p[OUTCOMES], q[OUTCOMES];
    bool of_all;
    size_t partition, cell;
} released;

typedef struct world {
    released of[MOST];
    size_t count, partitions, cells[2];
} world;

/* Where a record was and is, in each partition; which way what is about all records is looked at,
 * and what is about a cell in which it stays. */
typedef struct move {
    size_t from[2], to[2];
    bool turned, stays_turned[2];
} move;

typedef enum seen { SEEN_NOTHING, SEEN_P_TO_Q, SEEN_Q_TO_P } seen;

static seen side(bool turned)
{
    return turned ? SEEN_Q_TO_P : SEEN_P_TO_Q;
}

static seen look(const world *w, const released *x, const move *m)
{
    size_t k = x->partition;
    if (x->of_all || w->cells[k] == 1)
        return side(m->turned);
    bool was = m->from[k] == x->cell, is = m->to[k] == x->cell;
    if (was && is)
        return side(m->stays_turned[k]);
    return was || is ? side(is) : SEEN_NOTHING;
}

/* to = max(to, sum of (P - u Q)+ over all outcomes, times DENOMINATOR to the number of them) */
static void stick(mpq_t to, const world *w, const move *m, const mpq_t u)
{
    mpq_t p, q, sum;
    size_t outcomes = 1;
    mpq_inits(p, q, sum, NULL);
    for (size_t i = 0; i < w->count; i++)
        outcomes *= OUTCOMES;
    for (size_t outcome = 0; outcome < outcomes; outcome++) {
        unsigned long x = 1, y = 1;
        for (size_t i = 0, rest = outcome; i < w->count; i++, rest /= OUTCOMES) {
            const released *r = &w->of[i];
            seen s = look(w, r, m);
            x *= s == SEEN_Q_TO_P ? r->q[rest % OUTCOMES] : r->p[rest % OUTCOMES];
            y *= s == SEEN_P_TO_Q ? r->q[rest % OUTCOMES]
                                  : r->p[rest % OUTCOMES]; /* as x where nothing is seen */
        }
        mpq_set_ui(p, x, 1);
        mpq_set_ui(q, y, 1);
        mpq_mul(q, q, u);
        mpq_sub(p, p, q);
        if (mpq_sgn(p) > 0)
            mpq_add(sum, sum, p);
    }
    if (mpq_cmp(sum, to) > 0)
        mpq_set(to, sum);
    mpq_clears(p, q, sum, NULL);
}

static void enumerate(mpq_t delta, const world *w, const mpq_t u)
{
    size_t second = w->partitions == 2 ? w->cells[1] : 1, places = w->cells[0] * second;
    mpz_t scale;
    mpz_init(scale);
    mpq_set_ui(delta, 0, 1);
    for (size_t i = 0; i < places * places * 8; i++) {
        size_t from = i / 8 % places, to = i / 8 / places;
        move m = {.from = {from % w->cells[0], from / w->cells[0]},
                  .to = {to % w->cells[0], to / w->cells[0]},
                  .turned = (i & 1) != 0,
                  .stays_turned = {(i & 2) != 0, (i & 4) != 0}};
        if ((m.stays_turned[0] && m.from[0] != m.to[0]) ||
            (m.stays_turned[1] && m.from[1] != m.to[1]))
            continue; /* seen already */
        stick(delta, w, &m, u);
    }
    mpz_ui_pow_ui(scale, DENOMINATOR, w->count);
    mpz_mul(mpq_denref(delta), mpq_denref(delta), scale);
    mpq_canonicalize(delta);
    mpz_clear(scale);
}

static void draw_masses(unsigned long *to, rng *r)
{
    size_t a = rng_below(r, DENOMINATOR + 1), b = rng_below(r, DENOMINATOR + 1);
    to[0] = a < b ? a : b;
    to[1] = (a < b ? b : a) - to[0];
    to[2] = DENOMINATOR - to[0] - to[1];
}

/* One more pair: of random masses, or such that both directions are alike. */
static void push(world *w, dp_composition *list, rng *r, bool of_all, size_t partition, size_t cell)
{
    if (w->count == MOST)
        return;
    released *x = &w->of[w->count++];
    *x = (released){.of_all = of_all, .partition = partition, .cell = cell};
    draw_masses(x->p, r);
    draw_masses(x->q, r);
    if (rng_below(r, 4) == 0)
        for (size_t i = 0; i < OUTCOMES; i++)
            x->q[i] = x->p[OUTCOMES - 1 - i];
    char text[120];
    mpz_t one;
    snprintf(text, sizeof text, "pair p=%lu/12,%lu/12,%lu/12 q=%lu/12,%lu/12,%lu/12", x->p[0],
             x->p[1], x->p[2], x->q[0], x->q[1], x->q[2]);
    dp_mechanism *m = mechanism_of(text);
    mpz_init_set_ui(one, 1);
    assert_int_equal(account_enter(list, m, one, NULL), DP_OK);
    mpz_clear(one);
    dp_mechanism_free(m);
}

static void draw(world *w, dp_composition *list, rng *r)
{
    dp_composition cell[CELLS];
    mpz_t one;
    mpz_init_set_ui(one, 1);
    *w = (world){.partitions = 1 + rng_below(r, 2)};
    if (rng_below(r, 2) == 0)
        push(w, list, r, true, 0, 0);
    for (size_t p = 0; p < w->partitions; p++) {
        w->cells[p] = 1 + rng_below(r, CELLS);
        for (size_t c = 0; c < w->cells[p]; c++) {
            dp_composition_init_under(&cell[c], DP_REPLACE_ONE);
            for (size_t i = rng_below(r, 3); i > 0; i--)
                push(w, &cell[c], r, false, p, c);
        }
        assert_int_equal(dp_composition_add_cells(list, NULL, cell, w->cells[p], one, NULL), DP_OK);
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

static void check_world(dp_result *r, const world *w, const dp_composition *list, const char *odds,
                        mpq_t delta)
{
    char text[20];
    mpq_t u, less;
    dp_number x;
    mpq_inits(u, less, NULL);
    dp_number_init(&x);
    snprintf(text, sizeof text, "ln(%s)", odds);
    number_of(&x, text);
    rational_of(u, odds);
    enumerate(delta, w, u);
    ask_delta(r, list, text, 20);
    assert_string_equal(r->row[0].theorem->id, "compose-cells");
    assert_int_equal(r->row[0].verdict, DP_EXACT);
    assert_true(figure_holds_q(row_of(r, "compose-cells", "delta"), delta));
    assert_int_equal(meets(r, list, &x, delta), DP_YES); /* a tie */
    rational_of(less, "1/1000000000000");
    mpq_sub(less, delta, less);
    if (mpq_sgn(less) >= 0)
        assert_int_equal(meets(r, list, &x, less), DP_NO);
    dp_number_clear(&x);
    mpq_clears(u, less, NULL);
}

static void test_enumerated(void **state)
{
    (void)state;
    static const char *const at[] = {"1", "3/2", "2", "4", "7"};
    rng r = rng_make(1303);
    mpq_t delta;
    dp_result result;
    dp_result_init(&result);
    mpq_init(delta);
    int between = 0;
    for (int i = 0; i < rounds(60); i++) {
        world w;
        dp_composition list;
        dp_composition_init_under(&list, DP_REPLACE_ONE);
        draw(&w, &list, &r);
        if (w.count > 0) {
            check_world(&result, &w, &list, at[rng_below(&r, sizeof at / sizeof *at)], delta);
            between += mpq_sgn(delta) > 0 && mpq_cmp_ui(delta, 1, 1) < 0;
        }
        dp_composition_clear(&list);
    }
    assert_true(!rounds_are_full() || between > 20);
    mpq_clear(delta);
    dp_result_clear(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_enumerated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
