/* SPDX-License-Identifier: MIT */
/* Long lists on a common step: the engine is chosen by what it costs, and the figure is that of the
 * other engine. */
#include "support.h"

#include <stdio.h>

#include "engine/effort.h"
#include "engine/invert.h"
#include "engine/profile.h"
#include "loss/response_list.h"

#define ITEMS 300
/* Processor time: many times what the figure takes, and less than a sum over all nodes does. */
#define SECONDS 2.5

typedef struct family {
    unsigned below;   /* step 1/below */
    bool scattered;   /* 300 of 1 .. 1000 without a pattern, else 1000, 1003, ... */
    double low, high; /* about epsilon at 1e-5, by all nodes of the contour at full precision */
    double narrow;
} family;

static const family families[] = {
    {10000, true, 4.245060440, 4.245060442, 1e-10},
    {1000, false, 348.7688424, 348.7688426, 1e-6},
};

static void add_step(dp_composition *list, unsigned multiple, unsigned below)
{
    char text[40];
    snprintf(text, sizeof text, "%u/%u", multiple, below);
    list_add(list, text, "0", 1);
}

static void stepped(dp_composition *list, const family *of)
{
    bool taken[1001] = {false};
    uint32_t state = 12345;
    dp_composition_init(list);
    for (unsigned k = 0; k < ITEMS;) {
        unsigned multiple = 1000 + 3 * k;
        if (of->scattered) {
            state = (state * UINT32_C(1103515245) + 12345) & UINT32_C(0x7fffffff);
            multiple = 1 + (state >> 8) % 1000;
            if (taken[multiple])
                continue;
            taken[multiple] = true;
        }
        add_step(list, multiple, of->below);
        k++;
    }
}

static void find_epsilon(dp_figure *out, const composed *c, unsigned without, double seconds)
{
    engine e;
    limits lim = {0};
    mpq_t delta;
    mpq_init(delta);
    mpq_set_ui(delta, 1, 100000);
    assert_int_equal(engine_init(&e, &c->product), DP_OK);
    e.without = without;
    if (seconds > 0)
        lim.deadline = limits_clock() + seconds;
    dp_status status = optimal_epsilon(out, &e, delta, 10, &lim);
    assert_true(status == DP_OK || status == DP_LIMIT);
    engine_clear(&e);
    mpq_clear(delta);
}

static bool meet(const dp_figure *a, const dp_figure *b)
{
    return mpfr_lessequal_p(&a->enclosure->left, &b->enclosure->right) &&
           mpfr_lessequal_p(&b->enclosure->left, &a->enclosure->right);
}

static double relative_width(const dp_figure *x)
{
    mpfr_t width;
    mpfr_init2(width, 64);
    mpfi_diam_rel(width, x->enclosure);
    double d = mpfr_get_d(width, MPFR_RNDU);
    mpfr_clear(width);
    return d;
}

/* In time, as narrow as asked, and the same as by brackets alone and by the contour alone. */
static void check_list(const family *of)
{
    dp_composition list;
    composed c;
    dp_figure chosen, bracket;
    dp_figure_init(&chosen);
    dp_figure_init(&bracket);
    stepped(&list, of);
    assert_int_equal(composed_init(&c, &list), DP_OK);
    find_epsilon(&chosen, &c, 0, SECONDS);
    /* brackets take all the time they are given, and only grow wider with less */
    find_epsilon(&bracket, &c, 1U << PROFILE_CONTOUR, rounds_are_full() ? SECONDS : SECONDS / 5);
    double width = relative_width(&chosen);
    if (!(width < of->narrow))
        fail_msg("step 1/%u: relative width %g", of->below, width);
    assert_true(meet(&chosen, &bracket));
    assert_true(mpfr_cmp_d(&chosen.enclosure->left, of->high) <= 0);
    assert_true(mpfr_cmp_d(&chosen.enclosure->right, of->low) >= 0);
    composed_clear(&c);
    dp_composition_clear(&list);
    dp_figure_clear(&chosen);
    dp_figure_clear(&bracket);
}

static void test_chosen_by_cost(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++)
        check_list(&families[i]);
}

/* What is opened cheaply says so, and encloses what the sum over all nodes does. */
static void test_spared(void **state)
{
    (void)state;
    dp_composition list;
    composed c;
    engine e;
    profile cheap, full;
    limits lim = {0};
    mpfi_t a, b, x;
    mpfr_t slope;
    mpfi_init2(a, 100);
    mpfi_init2(b, 100);
    mpfi_init2(x, 100);
    mpfr_init2(slope, 64);
    mpfi_set_d(x, 4.125);
    stepped(&list, &families[0]);
    assert_int_equal(composed_init(&c, &list), DP_OK);
    assert_int_equal(engine_init(&e, &c.product), DP_OK);
    assert_int_equal(profile_open(&cheap, &e, 4.125, 79, 1e-6, true, &lim), DP_OK);
    assert_int_equal(profile_open(&full, &e, 4.125, 79, 1e-6, false, &lim), DP_OK);
    assert_true(cheap.spared && !full.spared && full.kind == PROFILE_CONTOUR && full.bits == 79);
    assert_true(cheap.kind == PROFILE_SMOOTH ||
                cheap.contour.nodes.count < full.contour.nodes.count);
    assert_int_equal(profile_at(a, slope, &cheap, x), DP_OK);
    assert_int_equal(profile_at(b, slope, &full, x), DP_OK);
    assert_true(mpfr_lessequal_p(&a->left, &b->right) && mpfr_lessequal_p(&b->left, &a->right));
    mpfi_diam_rel(slope, b);
    assert_true(mpfr_cmp_d(slope, 0x1p-78) < 0);
    mpfi_diam_rel(slope, a);
    assert_true(mpfr_cmp_d(slope, cheap.exact ? 0x1p-58 : 1e-5) < 0);
    profile_close(&cheap);
    profile_close(&full);
    engine_clear(&e);
    composed_clear(&c);
    dp_composition_clear(&list);
    mpfr_clear(slope);
    mpfi_clear(a);
    mpfi_clear(b);
    mpfi_clear(x);
}

/* The ladder: an attempt that fails is made once more at a wider gap, then what was spared. */
static void test_ladder(void **state)
{
    (void)state;
    limits lim = {0};
    effort f = effort_start(10);
    f.exact = false;
    f.spared = true;
    assert_true(effort_raise(&f, DP_OK, 100, &lim) && f.cheap && f.had > f.gap);
    double had = f.had;
    assert_true(effort_raise(&f, DP_LIMIT, 100, &lim) && f.cheap && f.gap < had);
    assert_true(f.gap > had * 1e-3);
    assert_true(effort_raise(&f, DP_LIMIT, 100, &lim) && !f.cheap);
    assert_false(effort_raise(&f, DP_LIMIT, 100, &lim));
    f = effort_start(10);
    assert_false(effort_raise(&f, DP_LIMIT, 100, &lim));
    assert_false(effort_raise(&f, DP_MEMORY, 100, &lim));
    f = effort_start(10);
    f.spared = true; /* fewer bits were had than asked */
    mpfr_prec_t bits = f.bits;
    assert_true(effort_raise(&f, DP_OK, 100, &lim) && !f.cheap && f.bits == bits);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chosen_by_cost),
        cmocka_unit_test(test_spared),
        cmocka_unit_test(test_ladder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
