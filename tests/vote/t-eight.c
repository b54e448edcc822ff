/* SPDX-License-Identifier: MIT */
/* The scan by groups against all multisets of the eight vertices, evaluated one by one: the largest
 * is among those near it, nothing left out is above them, and the top ones begin with it. */
#include "support.h"

#include "num/memory.h"
#include "vote/eight.h"

#define BITS 120

typedef struct all {
    const eight *t;
    const double *b;
    double weight, largest;
    size_t count, near; /* multisets; those within a margin of the largest found by the scan */
    double most;        /* that one */
    mpfr_t *law, x, part;
} all;

static void value_of(all *a, const octet *o)
{
    mpfr_set_zero(a->x, 1);
    for (int side = 0; side < 2; side++) {
        assert_int_equal(eight_law(a->law, a->t, o, side == 1, MPFR_RNDN), DP_OK);
        for (size_t l = 0; l <= a->t->voters; l++) {
            mpfr_mul_d(a->part, a->law[l], a->b[l], MPFR_RNDN);
            mpfr_mul_d(a->part, a->part, side == 0 ? a->weight : a->weight - 1, MPFR_RNDN);
            mpfr_add(a->x, a->x, a->part, MPFR_RNDN);
        }
    }
}

static void go_through(all *a, octet *o, size_t vertex, size_t rest)
{
    if (vertex == 0) {
        o->n[0] = rest;
        value_of(a, o);
        double v = mpfr_get_d(a->x, MPFR_RNDN);
        a->largest = v > a->largest ? v : a->largest;
        a->near += v >= a->most - eight_margin(a->t) / 4;
        a->count++;
        return;
    }
    for (o->n[vertex] = 0; o->n[vertex] <= rest; o->n[vertex]++)
        go_through(a, o, vertex - 1, rest - o->n[vertex]);
    o->n[vertex] = 0;
}

static void compare(const char *epsilon, const char *delta, size_t voters, rng *r)
{
    dp_composition list;
    eight t;
    octets near;
    octet top[4], o = {{0}, 0};
    size_t count;
    double b[16];
    limits none = {0};
    dp_composition_init(&list);
    list_add(&list, epsilon, delta, voters);
    assert_int_equal(eight_open(&t, &list.item[0], voters, &none), DP_OK);
    for (size_t l = 0; l <= voters; l++)
        b[l] = (double)rng_below(r, 65) / 64;
    all a = {.t = &t, .b = b, .weight = (double)(1 + rng_below(r, 32)) / 64, .largest = -2};
    assert_int_equal(eight_fill(&t, b), DP_OK);
    assert_int_equal(eight_near(&near, &t, a.weight), DP_OK);
    assert_int_equal(eight_top(top, 4, &count, &t, a.weight), DP_OK);
    double best = -2, first = -2;
    for (size_t i = 0; i < near.count; i++)
        best = near.list[i].value > best ? near.list[i].value : best;
    for (size_t i = 0; i < count; i++)
        first = top[i].value > first ? top[i].value : first;
    assert_true(first == best && !near.full && near.most >= best);
    a.most = best;
    a.law = reals_new(voters + 1, BITS);
    mpfr_init2(a.x, BITS);
    mpfr_init2(a.part, BITS);
    go_through(&a, &o, t.pure ? 1 : 7, voters);
    if (t.pure) /* (0,0), (1,1), (c,d), (d,c) */
        for (size_t c = 0; c <= voters; c++)
            for (size_t d = c == 0; c + d <= voters; d++) {
                o.n[4] = c;
                o.n[5] = d;
                go_through(&a, &o, 1, voters - c - d);
            }
    double gap = a.largest - best;
    assert_true(gap < eight_margin(&t) && -gap < eight_margin(&t));
    assert_true(near.count >= a.near);
    mpfr_clear(a.part);
    mpfr_clear(a.x);
    reals_free(a.law, voters + 1);
    memory_free(near.list);
    eight_close(&t);
    dp_composition_clear(&list);
}

static void test_groups(void **state)
{
    (void)state;
    static const char *const epsilons[] = {"0.1", "1", "0"}, *const deltas[] = {"1e-5", "0.3", "0"};
    rng r = rng_make(8);
    for (size_t i = 0; i < 9; i++)
        compare(epsilons[i % 3], deltas[i / 3], i < 6 ? 5 : 9, &r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_groups)};
    return cmocka_run_group_tests_name("eight", tests, NULL, NULL);
}
