/* SPDX-License-Identifier: MIT */
/* Where the profile is rational: exact_profile against the sum over all signs in 800 bits. s times
 * the denominators of the odds and of e^x is an integer where s is rational, and no such sum comes
 * as near to one otherwise; ties at a check, a claim, a budget are then decided. */
#include "support.h"

#include <stdlib.h>
#include <string.h>

#include "engine/profile.h"
#include "loss/response_list.h"

#define BITS 800
#define ITEMS 4

typedef struct sum {
    const dp_number *epsilon[12];
    size_t uses;
    mpfr_t x, s, part, plus, minus, scale;
} sum;

static void set_odds(mpfr_t out, const dp_number *x)
{
    mpfr_set_q(out, x->value, MPFR_RNDN);
    if (!x->is_log)
        mpfr_exp(out, out, MPFR_RNDN);
}

/* s = sum over signs of (prod of the odds of the pluses - e^x prod of those of the minuses)_+ over
 * prod (1 + odds); scale = the denominators. */
static void add_signs(sum *m, const dp_number *x)
{
    mpfr_t odds[12];
    for (size_t i = 0; i < m->uses; i++) {
        mpfr_init2(odds[i], BITS);
        set_odds(odds[i], m->epsilon[i]);
    }
    set_odds(m->x, x);
    mpfr_set_ui(m->s, 0, MPFR_RNDN);
    for (size_t signs = 0; signs < (size_t)1 << m->uses; signs++) {
        mpfr_set_ui(m->plus, 1, MPFR_RNDN);
        mpfr_set(m->minus, m->x, MPFR_RNDN);
        for (size_t i = 0; i < m->uses; i++) {
            mpfr_ptr side = signs >> i & 1 ? m->minus : m->plus;
            mpfr_mul(side, side, odds[i], MPFR_RNDN);
        }
        mpfr_sub(m->part, m->plus, m->minus, MPFR_RNDN);
        if (mpfr_sgn(m->part) > 0)
            mpfr_add(m->s, m->s, m->part, MPFR_RNDN);
    }
    mpfr_set_ui(m->scale, 1, MPFR_RNDN);
    if (x->is_log)
        mpfr_mul_z(m->scale, m->scale, mpq_denref(x->value), MPFR_RNDN);
    for (size_t i = 0; i < m->uses; i++) {
        const dp_number *e = m->epsilon[i];
        mpfr_add_ui(odds[i], odds[i], 1, MPFR_RNDN);
        mpfr_div(m->s, m->s, odds[i], MPFR_RNDN);
        mpfr_clear(odds[i]);
        if (!e->is_log)
            continue;
        mpz_t both;
        mpz_init(both);
        mpz_add(both, mpq_numref(e->value), mpq_denref(e->value));
        mpfr_mul_z(m->scale, m->scale, both, MPFR_RNDN);
        mpz_clear(both);
    }
}

/* The distance of s * scale from the nearest integer, and that integer over scale. */
static bool is_whole(mpq_t q, sum *m)
{
    mpz_t whole;
    mpz_init(whole);
    mpfr_mul(m->part, m->s, m->scale, MPFR_RNDN);
    mpfr_get_z(whole, m->part, MPFR_RNDN);
    mpfr_sub_z(m->part, m->part, whole, MPFR_RNDN);
    bool near = mpfr_zero_p(m->part) || mpfr_get_exp(m->part) < -400;
    mpq_set_z(q, whole);
    mpfr_get_z(whole, m->scale, MPFR_RNDN);
    mpz_set(mpq_denref(q), whole);
    mpq_canonicalize(q);
    mpz_clear(whole);
    return near;
}

static const char *const losses[] = {
    "ln(3)", "ln(9)", "ln(5/2)", "ln(2)", "ln(20)", "ln(1001/1000)", "0.1",
    "0.01",  "1/3",   "0.05",    "2",     "0.001",  "0.2",           "ln(7/6)"};
static const char *const targets[] = {"0",   "ln(2)", "ln(3)", "ln(3/2)", "ln(5)",
                                      "0.1", "0.3",   "1",     "ln(18)"};

static void test_against_all_signs(void **state)
{
    (void)state;
    rng r = rng_make(808);
    size_t rational = 0, mixed = 0, irrational = 0;
    for (int round = 0; round < rounds(600); round++) {
        dp_composition list;
        dp_composition_init(&list);
        size_t items = 1 + rng_below(&r, ITEMS), logs = 0;
        for (size_t i = 0; i < items; i++) {
            const char *text = losses[rng_below(&r, sizeof losses / sizeof *losses)];
            list_add(&list, text, "0", 1 + rng_below(&r, 2));
            logs += text[0] == 'l';
        }
        composed c;
        assert_int_equal(composed_init(&c, &list), DP_OK);
        dp_number at;
        dp_number_init(&at);
        number_of(&at, targets[rng_below(&r, sizeof targets / sizeof *targets)]);
        logform x;
        logform_init(&x);
        assert_true(logform_add_number(&x, NULL, &at));
        sum m = {.uses = 0};
        mpfr_inits2(BITS, m.x, m.s, m.part, m.plus, m.minus, m.scale, (mpfr_ptr)0);
        for (size_t i = 0; i < list.count; i++)
            for (unsigned long t = mpz_get_ui(list.item[i].times); t > 0; t--)
                m.epsilon[m.uses++] = &list.item[i].epsilon;
        add_signs(&m, &at);
        mpq_t found, expected;
        mpq_inits(found, expected, NULL);
        bool whole = is_whole(expected, &m), below = !mpfr_zero_p(m.s) && mpfr_get_exp(m.s) > -400;
        if (below) {
            assert_int_equal(exact_profile(found, &c.product, &x), whole);
            if (whole)
                assert_true(mpq_equal(found, expected));
            rational += whole;
            mixed += whole && logs < items;
            irrational += !whole;
        }
        mpq_clears(found, expected, NULL);
        mpfr_clears(m.x, m.s, m.part, m.plus, m.minus, m.scale, (mpfr_ptr)0);
        logform_clear(&x);
        dp_number_clear(&at);
        composed_clear(&c);
        dp_composition_clear(&list);
    }
    assert_true(!rounds_are_full() || (rational > 50 && mixed > 10 && irrational > 100));
}

/* The size is judged before anything is formed. */
static void test_bounded(void **state)
{
    (void)state;
    static const struct {
        const char *log, *rational;
        unsigned long logs, rationals;
        bool served;
    } cases[] = {{"ln(3)", "0.001", 1, 2000, true},
                 {"ln(3)", "0.001", 1, 3000, false},
                 {"ln(3)", "0.001", 60, 60, true},
                 {"ln(3)", "0.001", 4000, 0, true},
                 {"ln(3)", "0.001", 1000000000, 1, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dp_composition list;
        dp_composition_init(&list);
        list_add(&list, cases[i].log, "0", cases[i].logs);
        if (cases[i].rationals > 0)
            list_add(&list, cases[i].rational, "0", cases[i].rationals);
        composed c;
        assert_int_equal(composed_init(&c, &list), DP_OK);
        logform x;
        mpq_t s, c1, three;
        logform_init(&x);
        mpq_inits(s, c1, three, NULL);
        mpq_set_ui(c1, 1, 1);
        mpq_set_ui(three, 2, 1);
        assert_true(logform_add_log(&x, c1, three));
        bool exact = exact_profile(s, &c.product, &x);
        if (cases[i].logs == 4000) /* no rational epsilon: always */
            assert_true(exact);
        if (!cases[i].served)
            assert_false(exact);
        mpq_clears(s, c1, three, NULL);
        logform_clear(&x);
        composed_clear(&c);
        dp_composition_clear(&list);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_all_signs),
        cmocka_unit_test(test_bounded),
    };
    return cmocka_run_group_tests_name("exact", tests, NULL, NULL);
}
