/* SPDX-License-Identifier: MIT */
/* The law of the pair above mechanisms of bounded range, beside mpmath (80 digits; sums of several
 * by quadrature of their density), and lists of such mechanisms: the better of pairs and curves. */
#include "law.h"

#include <string.h>

#include "dpacct/account.h"
#include "dpacct/dpacct.h"
#include "engine/profile.h"
#include "loss/bounded_range.h"

static void test_moments(void **state)
{
    (void)state;
    static const char *const row[][3] = {
        {"1", "1", "0.308993675776270613087674667622544747"},
        {"1", "-1/2", "-0.0413248546129181089783563549326702981"},
        {"3", "1/2", "0.85544017101379674934169379839651343"},
        {"1/1000", "7", "0.00000933331575561833430305345693971361331"},
        {"40", "-1/4", "-9.30685282150120831089714858178080623"},
        {"2", "-999999/1000000", "-0.00000062607001912185312261375031374320982"},
        {"500", "3", "1498.05408985094468669489464725655682"},
        {"1e-20", "1", "3.33333333333333333333333333333333333e-41"}};
    mpfi_t k, z;
    mpfi_init2(k, 110);
    mpfi_init2(z, 500);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        product p;
        product_init(&p);
        add_number_law(&p, bounded_range_add, row[i][0], 1);
        assert_true(p.upper_only);
        const loss *l = only_law(&p);
        number_in(z, row[i][1]);
        l->ops->log_moment(k, l->self, z, NULL);
        holds_digits(k, row[i][2], 33);
        check_zeros(l);
        for (double at = -0.96; i < 5 && at < 20; at += 0.37)
            check_guess(l, at);
        if (i < 5)
            check_guess(l, -0.5);
        product_clear(&p);
    }
    mpfi_clear(z);
    mpfi_clear(k);
}

static void test_profile(void **state)
{
    (void)state;
    static const char *const row[][3] = {{"1", "1/2", "0.07740468631569081150197853808405761"},
                                         {"4", "1", "0.6147869640989416858068661612490308"},
                                         {"2", "0", "0.4621171572600097585023184836436725"},
                                         {"3", "-2", "0.8867148843197161522128189351620446"},
                                         {"1000", "3", "1.0"},
                                         {"1e-20", "5e-21", "6.250000000000000000015625e-22"}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        product p;
        product_init(&p);
        add_number_law(&p, bounded_range_add, row[i][0], 1);
        check_profile(only_law(&p), row[i][1], row[i][2], 33);
        check_wide_profile(only_law(&p), "-5/2", "2");
        product_clear(&p);
    }
}

/* The closed form of equal ones and the contour, beside digits and each other. */
static void test_sums(void **state)
{
    (void)state;
    static const struct {
        const char *eta[2];
        unsigned long times[2];
        const char *x, *s;
    } row[] = {
        {{"1"}, {2}, "0.7", "0.12215110068436641841990576977343"},
        {{"2"}, {2}, "1", "0.37560931188853953561760097583962"},
        {{"1"}, {3}, "0.7", "0.190802857301119694655553574072542"},
        {{"2"}, {5}, "9.5", "0.000001093981586794911721350340954307922"},
        {{"1/4"}, {4}, "0", "0.1162219204518448255699474307806873"},
        {{"1", "1/2"}, {3, 2}, "2", "0.02578411055949307082762465762398247"},
    };
    mpfi_t s, x;
    mpfr_t slope;
    mpfi_init2(s, 60);
    mpfi_init2(x, 200);
    mpfr_init2(slope, 64);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        product p;
        engine e;
        profile at;
        limits lim = {0};
        product_init(&p);
        for (size_t j = 0; j < 2 && row[i].eta[j] != NULL; j++)
            add_number_law(&p, bounded_range_add, row[i].eta[j], row[i].times[j]);
        const loss *l = only_law(&p);
        number_in(x, row[i].x);
        if (row[i].eta[1] == NULL)
            check_profile(l, row[i].x, row[i].s, 31);
        else
            assert_false(l->ops->profile(s, slope, l->self, x));
        if (row[i].eta[1] == NULL && row[i].times[0] < 4) { /* the contour takes long */
            product_clear(&p);
            continue;
        }
        assert_int_equal(engine_init(&e, &p), DP_OK);
        e.without = 1U << PROFILE_CLOSED;
        assert_int_equal(profile_open(&at, &e, mpfi_get_d(x), 30, 1e-9, false, &lim), DP_OK);
        assert_int_equal(at.kind, PROFILE_PLAIN);
        assert_int_equal(profile_at(s, slope, &at, x), DP_OK);
        mpq_t exact;
        mpq_init(exact);
        rational_of(exact, row[i].s);
        assert_true(mpfr_cmp_q(&s->left, exact) <= 0 && mpfr_cmp_q(&s->right, exact) >= 0);
        mpfr_sub(slope, &s->right, &s->left, MPFR_RNDU);
        assert_true(mpfr_get_d(slope, MPFR_RNDU) <= 1e-8 * mpq_get_d(exact));
        mpq_clear(exact);
        profile_close(&at);
        engine_clear(&e);
        product_clear(&p);
    }
    mpfr_clear(slope);
    mpfi_clear(x);
    mpfi_clear(s);
}

/* All uses at the edge: near the largest loss and beyond it. */
static void test_edges(void **state)
{
    (void)state;
    product p;
    product_init(&p);
    add_number_law(&p, bounded_range_add, "0", 3);
    assert_int_equal(p.count, 0);
    assert_false(p.upper_only);
    add_number_law(&p, bounded_range_add, "ln(3)", 2);
    add_number_law(&p, bounded_range_add, "1/2", 1);
    add_number_law(&p, bounded_range_add, "ln(3)", 1);
    const loss *l = only_law(&p);
    assert_true(l->ops->factors(l->self) == 2);
    double top = 0, reach = 0;
    l->ops->guess_range(&top, &reach, l->self);
    assert_true(fabs(top - 3 * log(3) - 0.5) < 1e-12 && fabs(reach - log(3)) < 1e-12);
    logform f;
    logform_init(&f);
    assert_true(l->ops->top(&f, l->self) && f.count == 1);
    logform_clear(&f);
    product_clear(&p);
    mpfi_t s, x;
    mpfr_t slope;
    mpfi_init2(s, 100);
    mpfi_init2(x, 100);
    mpfr_init2(slope, 64);
    product_init(&p);
    add_number_law(&p, bounded_range_add, "1", 30);
    l = only_law(&p);
    number_in(x, "30");
    assert_true(l->ops->profile(s, slope, l->self, x) && mpfi_is_zero(s));
    number_in(x, "29.999");
    assert_true(l->ops->profile(s, slope, l->self, x) && mpfr_sgn(&s->left) > 0);
    number_in(x, "-30");
    assert_false(l->ops->profile(s, slope, l->self, x));
    add_number_law(&p, bounded_range_add, "1", 30);
    number_in(x, "3");
    assert_false(l->ops->profile(s, slope, l->self, x));
    mpfr_clear(slope);
    mpfi_clear(x);
    mpfi_clear(s);
    product_clear(&p);
}

/* Ten uses: the curve of the class is below its pair; two uses: above. */
static void test_rivals(void **state)
{
    (void)state;
    static const char *const row[][4] = {{"10", "target_delta", "1e-6", "compose-renyi"},
                                         {"2", "target_epsilon", "0.7", "compose-pairs"},
                                         {"1", "target_epsilon", "0.7", "bounded-range-exact"}};
    dp_error err;
    for (size_t i = 0; i < 3; i++) {
        dp_mechanism *m = dp_mechanism_new("bounded-range", &err);
        dp_account *a = dp_account_new(DP_ADD_REMOVE, &err);
        dp_question *q = dp_question_new();
        dp_answer *answer;
        assert_int_equal(dp_mechanism_set(m, "eta", "1", &err), DP_OK);
        assert_int_equal(dp_account_add(a, m, row[i][0], &err), DP_OK);
        assert_int_equal(dp_question_set(q, row[i][1], row[i][2], &err), DP_OK);
        assert_int_equal(dp_account_ask(&answer, a, q, &err), DP_OK);
        const dp_result *r = dp_answer_result(answer);
        assert_string_equal(r->row[r->guarantee].theorem->id, row[i][3]);
        assert_int_equal(r->row[r->guarantee].verdict, i == 2 ? DP_EXACT : DP_PROVED);
        if (i < 2)
            assert_non_null(row_of(r, "compose-pairs", "delta"));
        dp_answer_free(answer);
        dp_question_free(q);
        dp_account_free(a);
        dp_mechanism_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moments), cmocka_unit_test(test_profile), cmocka_unit_test(test_sums),
        cmocka_unit_test(test_edges),   cmocka_unit_test(test_rivals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
