/* SPDX-License-Identifier: MIT */
/* Finite pairs: what is refused, what becomes a leak, what merges, and which are symmetric. */
#include "laws.h"

#include "loss/discrete.h"
#include "loss/response.h"

static const char *fault_of(const char **at, size_t count, const char *p, const char *q)
{
    masses m;
    masses_set(&m, count, p, q);
    const char *fault = pair_fault(at, p_of(&m), q_of(&m), count);
    product to;
    mpz_t once;
    mpz_init_set_ui(once, 1);
    product_init(&to);
    assert_int_equal(pair_add(&to, p_of(&m), q_of(&m), count, false, once),
                     fault == NULL ? DP_OK : DP_DOMAIN);
    product_clear(&to);
    mpz_clear(once);
    masses_clear(&m);
    return fault;
}

static void test_faults(void **state)
{
    (void)state;
    const char *at;
    assert_null(fault_of(&at, 2, "1/2 1/2", "1/4 3/4"));
    assert_non_null(fault_of(&at, 2, "1/2 1/3", "1/4 3/4"));
    assert_string_equal(at, "p");
    assert_string_equal(fault_of(&at, 2, "1/2 1/2", "3/4 3/4"),
                        "must have masses that sum to exactly 1");
    assert_string_equal(at, "q");
    assert_non_null(fault_of(&at, 2, "1000000000001/2000000000000 1/2", "1/2 1/2"));
    assert_string_equal(fault_of(&at, 0, "", ""), "must have at least one outcome");
    masses m;
    masses_set(&m, 2, "3/2 1/2", "1/2 1/2");
    mpq_neg(m.p[1], m.p[1]);
    assert_string_equal(pair_fault(&at, p_of(&m), q_of(&m), 2), "must not have a mass below 0");
    mpq_set_ui(m.p[0], 1, 1); /* 1 - 2^-70000 and the rest */
    mpq_div_2exp(m.p[1], m.p[0], 70000);
    mpq_sub(m.p[0], m.p[0], m.p[1]);
    assert_string_equal(pair_fault(&at, p_of(&m), q_of(&m), 2),
                        "must have a common denominator of at most 65536 bits");
    masses_clear(&m);
}

static void check_leak(const product *to, size_t leaks, unsigned long num, unsigned long den,
                       unsigned long times)
{
    assert_int_equal(to->leaks, leaks);
    if (leaks == 1) {
        assert_int_equal(mpq_cmp_ui(to->leak[0].delta, num, den), 0);
        assert_int_equal(mpz_cmp_ui(to->leak[0].times, times), 0);
    }
}

/* The last outcome of `tied` has no mass under P, the fourth none under Q. */
static void test_leaks(void **state)
{
    (void)state;
    masses m;
    product to;
    masses_set(&m, 5, "1/4 1/4 1/4 1/4 0", "1/8 1/8 1/4 0 1/2");
    product_of(&to, &m, false, 3);
    check_leak(&to, 1, 1, 4, 3);
    assert_int_equal(to.count, 1);
    const discrete *d = to.item[0].self;
    assert_int_equal(d->count, 2); /* ratios 1 and 2: equal ones are merged */
    assert_false(d->closed);       /* Q has 1/2 of 3/4 */
    const outcome *o = discrete_outcomes(d, 53);
    assert_true(mpfi_is_zero(o[0].loss));
    mpfr_t third;
    mpfr_init2(third, TRUTH_BITS);
    mpfr_set_ui(third, 1, MPFR_RNDN);
    mpfr_div_ui(third, third, 3, MPFR_RNDN);
    assert_true(holds(o[0].mass, third, 380) && holds(o[1].qmass, third, 380));
    mpfr_clear(third);
    product_clear(&to);
    product_of(&to, &m, true, 3);
    check_leak(&to, 1, 1, 2, 3);
    product_clear(&to);
    masses_clear(&m);
    masses_set(&m, 2, "1 0", "0 1");
    product_of(&to, &m, false, 1);
    assert_true(to.certain_leak && to.count == 0);
    product_clear(&to);
    masses_clear(&m);
    masses_set(&m, 3, "1/2 1/2 0", "1/2 0 1/2"); /* no loss beside the leak */
    product_of(&to, &m, false, 1);
    check_leak(&to, 1, 1, 2, 1);
    assert_int_equal(to.count, 0);
    product_clear(&to);
    masses_clear(&m);
}

static bool symmetric(size_t count, const char *p, const char *q)
{
    masses m;
    product to;
    masses_set(&m, count, p, q);
    product_of(&to, &m, false, 1);
    bool is = to.count == 1 && to.item[0].ops->symmetric;
    product_clear(&to);
    masses_clear(&m);
    return is;
}

static void test_symmetric(void **state)
{
    (void)state;
    assert_true(symmetric(2, "3/4 1/4", "1/4 3/4"));
    assert_true(symmetric(4, "1/8 3/8 3/8 1/8", "3/8 1/8 1/8 3/8"));
    assert_true(symmetric(4, "1/10 27/40 9/40 0", "0 9/40 27/40 1/10"));
    assert_true(symmetric(3, "1/6 1/3 1/2", "1/2 1/3 1/6"));
    assert_false(symmetric(2, "3/4 1/4", "1/2 1/2"));
    assert_false(symmetric(4, "1/10 27/40 9/40 0", "0 27/40 9/40 1/10"));
    /* the law of the ratios is, but for what P alone has */
    assert_false(symmetric(3, "1/10 27/40 9/40", "0 1/4 3/4"));
}

/* Binary randomized response, permuted and split, is the law of lists. */
static void test_response(void **state)
{
    (void)state;
    masses m;
    product pair, list;
    dp_number eps;
    mpz_t t;
    mpfi_t a, b, z;
    dp_number_init(&eps);
    mpz_init_set_ui(t, 7);
    masses_set(&m, 4, "1/8 3/8 3/8 1/8", "3/8 1/8 1/8 3/8");
    product_of(&pair, &m, false, 7);
    product_init(&list);
    number_of(&eps, "ln(3)");
    assert_int_equal(response_add(&list, &eps, t), DP_OK);
    assert_int_equal(pair.count, 1);
    assert_ptr_equal(pair.item[0].ops, list.item[0].ops);
    mpfi_init2(a, 100);
    mpfi_init2(b, 100);
    mpfi_init2(z, 53);
    mpfi_set_d(z, 0.75);
    static const limits none = {0};
    assert_int_equal(pair.item[0].ops->prepare(pair.item[0].self), DP_OK);
    assert_int_equal(list.item[0].ops->prepare(list.item[0].self), DP_OK);
    pair.item[0].ops->log_moment(a, pair.item[0].self, z, &none);
    list.item[0].ops->log_moment(b, list.item[0].self, z, &none);
    assert_true(mpfr_equal_p(&a->left, &b->left) && mpfr_equal_p(&a->right, &b->right));
    mpfi_clear(a);
    mpfi_clear(b);
    mpfi_clear(z);
    product_clear(&pair);
    product_clear(&list);
    masses_clear(&m);
    mpz_clear(t);
    dp_number_clear(&eps);
}

static void test_merge(void **state)
{
    (void)state;
    masses a, b;
    masses_set(&a, 3, "1/2 1/3 1/6", "1/6 1/2 1/3");
    masses_set(&b, 4, "1/6 1/4 1/4 1/3", "1/3 1/12 1/12 1/2"); /* the same, split and permuted */
    product to;
    mpz_t t;
    mpz_init_set_ui(t, 5);
    product_init(&to);
    assert_int_equal(pair_add(&to, p_of(&a), q_of(&a), 3, false, t), DP_OK);
    assert_int_equal(pair_add(&to, p_of(&b), q_of(&b), 4, false, t), DP_OK);
    assert_int_equal(to.count, 1);
    mpz_t uses;
    mpz_init(uses);
    to.item[0].ops->uses(uses, to.item[0].self);
    assert_int_equal(mpz_cmp_ui(uses, 10), 0);
    assert_int_equal(pair_add(&to, p_of(&b), q_of(&b), 4, true, t), DP_OK);
    assert_int_equal(to.count, 2);
    assert_int_equal(pair_add(&to, p_of(&a), p_of(&a), 3, true, t),
                     DP_OK); /* equal laws: nothing */
    assert_int_equal(to.count, 2);
    logform top; /* 5 ln 3 a use of ten, and 5 ln 2 */
    logform_init(&top);
    for (size_t i = 0; i < 2; i++)
        assert_true(to.item[i].ops->top(&top, to.item[i].self));
    mpq_t minus, base;
    mpq_inits(minus, base, NULL);
    mpq_set_si(minus, -1, 1);
    mpq_set_ui(base, 59049, 1);
    assert_true(logform_add_log(&top, minus, base));
    mpq_set_ui(base, 32, 1);
    assert_true(logform_add_log(&top, minus, base));
    assert_true(logform_is_zero(&top));
    mpq_clears(minus, base, NULL);
    logform_clear(&top);
    product_clear(&to);
    mpz_clear(uses);
    mpz_clear(t);
    masses_clear(&a);
    masses_clear(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_faults),    cmocka_unit_test(test_leaks),
        cmocka_unit_test(test_symmetric), cmocka_unit_test(test_response),
        cmocka_unit_test(test_merge),
    };
    return cmocka_run_group_tests_name("pair", tests, NULL, NULL);
}
