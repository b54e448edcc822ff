/* SPDX-License-Identifier: MIT */
/* Epsilons next to the largest loss: the bound by its mass beside the search, from targets far
 * below that mass up to where it says nothing, and mixtures that a search takes seconds for. */
#include "../loss/law.h"

#include "core/refine.h"
#include "engine/invert.h"
#include "loss/laplace.h"
#include "loss/pair.h"
#include "loss/response.h"

static void add_pairs(product *p, unsigned long times)
{
    mpq_t mass[2][3];
    mpz_t n;
    static const char *const text[2][3] = {{"1/2", "1/3", "1/6"}, {"1/4", "1/4", "1/2"}};
    mpz_init_set_ui(n, times);
    for (int i = 0; i < 6; i++) {
        mpq_init(mass[i / 3][i % 3]);
        rational_of(mass[i / 3][i % 3], text[i / 3][i % 3]);
    }
    assert_int_equal(pair_add(p, (const mpq_t *)mass[0], (const mpq_t *)mass[1], 3, false, n),
                     DP_OK);
    for (int i = 0; i < 6; i++)
        mpq_clear(mass[i / 3][i % 3]);
    mpz_clear(n);
}

#define KINDS 4

static void fill(product *p, int kind)
{
    product_init(p);
    switch (kind) {
    case 0:
        add_number_law(p, response_add, "1", 3);
        add_number_law(p, response_add, "1/3", 2);
        break;
    case 1:
        add_law(p, laplace_add, "1/2", 4);
        break;
    case 2:
        add_pairs(p, 6);
        add_number_law(p, response_add, "ln(3)", 1);
        break;
    default:
        add_number_law(p, response_add, "0.001", 5);
    }
}

/* Returns whether the bound said something. */
static bool check(const engine *e, int exponent, size_t digits)
{
    limits lim = {0};
    dp_figure near, found;
    mpq_t delta;
    dp_figure_init(&near);
    dp_figure_init(&found);
    mpq_init(delta);
    mpz_ui_pow_ui(mpq_denref(delta), 10, (unsigned long)exponent);
    mpz_set_ui(mpq_numref(delta), 7);
    mpq_canonicalize(delta);
    bool said = optimal_near_top(&near, e, delta, digits, &lim);
    if (said) {
        assert_int_equal(optimal_epsilon(&found, e, delta, digits + 6, &lim), DP_OK);
        assert_true(refine_agrees(&near, digits) && figures_meet(&near, &found));
    }
    mpq_clear(delta);
    dp_figure_clear(&found);
    dp_figure_clear(&near);
    return said;
}

static void test_beside_search(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        product p;
        engine e;
        int said = 0, first = 0;
        fill(&p, kind);
        assert_int_equal(engine_init(&e, &p), DP_OK);
        for (int exponent = 6; exponent <= 24; exponent++)
            if (check(&e, exponent, 6)) {
                said++;
                first = first == 0 ? exponent : first;
            }
        /* from some target on, all */
        assert_true(said >= 5 && first > 9 && said == 25 - first);
        engine_clear(&e);
        product_clear(&p);
    }
}

static void test_mixture(void **state)
{
    (void)state;
    product p;
    engine e;
    product_init(&p);
    add_law(&p, laplace_add, "10/77", 100);
    add_law(&p, laplace_add, "1", 100);
    add_law(&p, laplace_add, "1/2", 100);
    add_number_law(&p, response_add, "ln(2)", 1);
    assert_int_equal(engine_init(&e, &p), DP_OK);
    limits lim = {0};
    dp_figure near;
    mpq_t delta;
    dp_figure_init(&near);
    mpq_init(delta);
    rational_of(delta, "2.5e-300");
    assert_true(optimal_near_top(&near, &e, delta, 30, &lim));
    rational_of(delta, "163.680160167572932322404245109");
    assert_int_equal(dp_figure_le(&near, delta), DP_YES);
    rational_of(delta, "163.680160167572932322404245108");
    assert_int_equal(dp_figure_le(&near, delta), DP_NO);
    rational_of(delta, "1e-80"); /* the mass is about 1e-91 */
    assert_false(optimal_near_top(&near, &e, delta, 10, &lim));
    mpq_clear(delta);
    dp_figure_clear(&near);
    engine_clear(&e);
    product_clear(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_beside_search),
        cmocka_unit_test(test_mixture),
    };
    return cmocka_run_group_tests_name("top", tests, NULL, NULL);
}
