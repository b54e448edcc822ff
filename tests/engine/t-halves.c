/* SPDX-License-Identifier: MIT */
/* Uses of a pair in two groups: they are said to be equal only where they are, and what is made of
 * one of them lies where another evaluator has it. */
#include "../loss/laws.h"

#include "engine/profile.h"
#include "loss/response.h"
#include "num/memory.h"
#include "num/number.h"

#define BITS 100

/* Are two groups the same, by enumeration of both? */
static bool is_same(const loss *law)
{
    size_t count[2];
    mpfr_t *column[2][3];
    for (size_t g = 0; g < 2; g++) {
        count[g] = (size_t)law->ops->group_size(law->self, g);
        for (size_t k = 0; k < 3; k++) {
            column[g][k] = memory_new(count[g], sizeof *column[g][k]);
            assert_non_null(column[g][k]);
            for (size_t i = 0; i < count[g]; i++)
                mpfr_init2(column[g][k][i], BITS);
        }
        law->ops->group(column[g][0], column[g][1], column[g][2], law->self, g);
    }
    bool same = count[0] == count[1];
    for (size_t k = 0; k < 3; k++)
        for (size_t i = 0; same && i < count[0]; i++)
            same = mpfr_equal_p(column[0][k][i], column[1][k][i]);
    for (size_t g = 0; g < 2; g++)
        for (size_t k = 0; k < 3; k++) {
            for (size_t i = 0; i < count[g]; i++)
                mpfr_clear(column[g][k][i]);
            memory_free(column[g][k]);
        }
    return same;
}

static void test_said(void **state)
{
    (void)state;
    static const struct {
        const char *p, *q;
        size_t count;
        unsigned long times;
        bool equal, symmetric;
    } cases[] = {
        {"1/10 2/10 3/10 4/10", "4/10 1/10 2/10 3/10", 4, 60, true, false},
        {"1/10 2/10 3/10 4/10", "4/10 1/10 2/10 3/10", 4, 61, false, false},
        {"1/10 2/10 3/10 4/10", "4/10 1/10 2/10 3/10", 4, 2, false, false}, /* one group */
        {"1/10 2/10 3/10 4/10", "4/10 3/10 2/10 1/10", 4, 60, true, true},
        {"1/10 2/10 3/10 4/10", "4/10 3/10 2/10 1/10", 4, 61, false, true},
        {"1/4 3/4", "3/4 1/4", 2, 60, false, true}, /* randomized response: one for each epsilon */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        masses m;
        product to;
        masses_set(&m, cases[i].count, cases[i].p, cases[i].q);
        product_of(&to, &m, false, cases[i].times);
        const loss *law = &to.item[0];
        bool said = law->ops->equal_groups != NULL && law->ops->equal_groups(law->self);
        assert_int_equal(said, cases[i].equal);
        assert_int_equal(law->ops->symmetric, cases[i].symmetric);
        if (law->ops->groups(law->self) == 2)
            assert_int_equal(is_same(law), cases[i].equal);
        product_clear(&to);
        masses_clear(&m);
    }
}

/* s at 20 by the evaluators that are not in `without` */
static void profile_of(mpfi_t s, const product *p, unsigned without, double gap)
{
    static const limits none = {0};
    engine e;
    profile f;
    mpfi_t x;
    mpfr_t slope;
    mpfi_init2(x, 200);
    mpfr_init2(slope, 64);
    mpfi_set_ui(x, 20);
    assert_int_equal(engine_init(&e, p), DP_OK);
    e.without = without;
    assert_int_equal(profile_open(&f, &e, 20, 60, gap, false, &none), DP_OK);
    assert_int_equal(f.kind, without == 0 ? PROFILE_ATOMS : PROFILE_SMOOTH);
    assert_int_equal(profile_at(s, slope, &f, x), DP_OK);
    profile_close(&f);
    engine_clear(&e);
    mpfr_clear(slope);
    mpfi_clear(x);
}

/* Equal halves and others, alone and beside another law. */
static void test_profile(void **state)
{
    (void)state;
    masses m;
    mpfi_t s, bracket;
    dp_number eps;
    mpz_t once;
    dp_number_init(&eps);
    mpz_init_set_ui(once, 1);
    number_set_d(&eps, 0.33);
    mpfi_init2(s, 80);
    mpfi_init2(bracket, 80);
    masses_set(&m, 4, "1/10 2/10 3/10 4/10", "4/10 1/10 2/10 3/10");
    for (unsigned long i = 0; i < 4; i++) {
        product p;
        product_of(&p, &m, false, 40 + i % 2);
        if (i > 1)
            assert_int_equal(response_add(&p, &eps, once), DP_OK);
        assert_int_equal(p.item[0].ops->equal_groups(p.item[0].self), i % 2 == 0);
        profile_of(s, &p, 0, 1e-4);
        profile_of(bracket, &p, 1U << PROFILE_ATOMS, 1e-4);
        assert_true(mpfr_lessequal_p(&bracket->left, &s->left));
        assert_true(mpfr_lessequal_p(&s->right, &bracket->right));
        product_clear(&p);
    }
    masses_clear(&m);
    mpfi_clear(bracket);
    mpfi_clear(s);
    mpz_clear(once);
    dp_number_clear(&eps);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_said), cmocka_unit_test(test_profile)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
