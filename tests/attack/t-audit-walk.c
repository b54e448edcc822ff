/* SPDX-License-Identifier: MIT */
/* Walks along paths of thresholds in doubles that know how far they may be off, beside the same at
 * many bits. */
#include "support.h"

#include "attack/audit_walk.h"
#include "tower.h"

/* Is x scaled at most y? */
static bool is_at_most(scaled x, mpfr_srcptr y)
{
    mpfr_t z;
    mpfr_init2(z, 53);
    mpfr_set_d(z, x.x, MPFR_RNDN);
    mpfr_div_2ui(z, z, (unsigned long)(WALK_SCALE * x.scale), MPFR_RNDN);
    bool is = mpfr_lessequal_p(z, y) != 0;
    mpfr_clear(z);
    return is;
}

/* All that it says is true. */
static void check_walk(const walk *w, const tower *t, double epsilon)
{
    mpfr_t side;
    mpfr_init2(side, BITS);
    mpfr_set(side, t->tail, MPFR_RNDN);
    if (w->lower)
        mpfr_ui_sub(side, 1, side, MPFR_RNDN);
    scaled least = walk_below(w), most = walk_above(w);
    if (!is_at_most(least, side) || is_at_most(most, side))
        fail_msg("%lu of %lu at %g, %s: [%.17g, %.17g] %ld", w->v, w->r, epsilon,
                 w->lower ? "below" : "from there on", least.x, most.x, w->scale);
    assert_true(most.x - least.x < 0x1p-26 * least.x); /* and says much */
    mpfr_set(side, t->mass, MPFR_RNDN);
    assert_true(is_at_most((scaled){w->mass * (1 - w->doubt), w->scale}, side));
    assert_true(!is_at_most((scaled){w->mass * (1 + 1.01 * w->doubt), w->scale}, side));
    assert_true(w->r == t->r && w->v == t->v);
    mpfr_clear(side);
}

static void odds_at(share *odds, double epsilon, mpfr_prec_t bits)
{
    mpfi_t x;
    mpfi_init2(x, bits);
    share_init(odds, bits);
    mpfi_set_d(x, epsilon);
    share_logistic(odds, x);
    mpfi_clear(x);
}

/* Along paths that rise with some frequency, wherever the mean is. */
static void follow(rng *r, double epsilon, unsigned long rise, bool lower, unsigned long steps)
{
    tower t;
    share odds;
    odds_at(&odds, epsilon, 100);
    tower_init(&t, epsilon);
    walk w = walk_from(&odds, lower);
    for (unsigned long i = 0; i < steps; i++) {
        bool stay = i > 0 && rng_below(r, 100) >= rise;
        walk_step(&w, stay);
        step(&t, stay);
        if (walk_is_lost(&w))
            break;
        check_walk(&w, &t, epsilon);
    }
    share_clear(&odds);
    tower_clear(&t);
}

/* Walks that begin in the middle, far from the mean and next to it, go on as truly. */
static void go_on(rng *r, double epsilon, unsigned long rise, bool lower)
{
    tower t;
    share odds;
    odds_at(&odds, epsilon, 300);
    tower_init(&t, epsilon);
    for (unsigned long i = 0; i < 200; i++)
        step(&t, i > 0 && rng_below(r, 100) >= rise);
    walk w = walk_from_there(&odds, lower, t.r, t.v);
    for (unsigned long i = 0; i < 100 && !walk_is_lost(&w); i++) {
        check_walk(&w, &t, epsilon);
        bool stay = rng_below(r, 100) >= rise;
        walk_step(&w, stay);
        step(&t, stay);
    }
    share_clear(&odds);
    tower_clear(&t);
}

static void test_there(void **state)
{
    (void)state;
    rng r = rng_make(22);
    static const double at[] = {0, 0.25, 1, 3, 6};
    for (int i = 0; i < rounds(60); i++)
        go_on(&r, at[i % 5], 2 + rng_below(&r, 98), i / 5 % 2 > 0);
}

static void test_walks(void **state)
{
    (void)state;
    rng r = rng_make(21);
    static const double at[] = {0, 0.25, 1, 3, 6};
    for (int i = 0; i < rounds(60); i++)
        follow(&r, at[i % 5], 2 + rng_below(&r, 98), i / 5 % 2 > 0, i % 3 == 0 ? 600 : 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_walks), cmocka_unit_test(test_there)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
