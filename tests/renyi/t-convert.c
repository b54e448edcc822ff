/* SPDX-License-Identifier: MIT */
/* Questions to dp_convert: rows beside each other and beside the mechanisms that attain them, the
 * curve between points, ties, checks and refusals. */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "renyi/convert.h"

#define MOST_NUMBERS 64

/* A statement as texts, "" for nothing. */
typedef struct asking {
    dp_result r;
    dp_error err;
    dp_number number[4]; /* pure or gdp, target or order, max_epsilon, max_delta */
    mpq_t list[MOST_NUMBERS];
    dp_options opt;
} asking;

static void asking_init(asking *a)
{
    dp_result_init(&a->r);
    for (size_t i = 0; i < 4; i++)
        dp_number_init(&a->number[i]);
    for (size_t i = 0; i < MOST_NUMBERS; i++)
        mpq_init(a->list[i]);
    a->opt = (dp_options){.all = true, .digits = 15};
}

static void asking_clear(asking *a)
{
    for (size_t i = 0; i < MOST_NUMBERS; i++)
        mpq_clear(a->list[i]);
    for (size_t i = 0; i < 4; i++)
        dp_number_clear(&a->number[i]);
    dp_result_clear(&a->r);
}

/* "zcdp 0.1,0" to "delta 1e-5", "epsilon 1", "order 2" or "zcdp"; and the budget, or NULL. */
static dp_status ask(asking *a, const char *from, const char *to, const char *budget)
{
    dp_conversion q = {0};
    char text[400];
    size_t n = strcspn(from, " "), count = 0;
    strcpy(text, from + n + 1);
    for (char *p = strtok(text, ","); p != NULL; p = strtok(NULL, ","))
        rational_of(a->list[count++], p);
    if (strncmp(from, "pure", n) == 0 || strncmp(from, "gdp", n) == 0) {
        number_of(&a->number[0], from + n + 1);
        *(n == 4 ? &q.pure : &q.gdp) = &a->number[0];
    } else if (n == 4) {
        q.zcdp = (const mpq_t *)a->list;
        q.zcdp_count = count;
    } else {
        *(from[0] == 'r' ? &q.rdp : &q.cdp) = (const mpq_t *)a->list;
        *(from[0] == 'r' ? &q.rdp_count : &q.cdp_count) = count;
    }
    q.to = strcmp(to, "zcdp") == 0 ? DP_CONVERT_ZCDP : DP_CONVERT_ANY;
    if (q.to == DP_CONVERT_ANY && to[0] != '\0') {
        number_of(&a->number[1], strchr(to, ' ') + 1);
        *(to[0] == 'd'   ? &q.target_delta
          : to[0] == 'e' ? &q.target_epsilon
                         : &q.order) = &a->number[1];
    }
    if (budget != NULL) {
        strcpy(text, budget);
        number_of(&a->number[3], strchr(text, ',') + 1);
        *strchr(text, ',') = '\0';
        number_of(&a->number[2], text);
        a->opt.max_epsilon = &a->number[2];
        a->opt.max_delta = &a->number[3];
    }
    dp_status status = dp_convert(&a->r, &q, &a->opt, &a->err);
    a->opt.max_epsilon = a->opt.max_delta = NULL;
    return status;
}

/* The upper end of a figure, or infinity where there is no such row. */
static double figure(const asking *a, const char *theorem, const char *name)
{
    const dp_figure *f = row_of(&a->r, theorem, name);
    return f != NULL ? dp_figure_double(f, DP_UPPER, 15) : HUGE_VAL;
}

static void near(double found, double right, double by)
{
    if (!(fabs(found - right) <= by * fabs(right)))
        fail_msg("%.17g is not %.17g", found, right);
}

/* The strongest row is the guarantee, rows never improve down the list, what is unsound stands
 * last. */
static void test_order_of_rows(void **state)
{
    (void)state;
    static const char *const from[] = {
        "pure 0.1",  "pure 3", "zcdp 0.1,0", "zcdp 0.05,0.02",
        "cdp 0.5,1", "gdp 1",  "rdp 10,0.5", "rdp 2,0.05,8,0.4,32,2"};
    static const char *const to[] = {"delta 1e-5",   "delta 0.3", "delta 0.9",
                                     "epsilon 0.01", "epsilon 2", "epsilon 30"};
    asking a;
    asking_init(&a);
    for (size_t i = 0; i < sizeof from / sizeof *from; i++)
        for (size_t j = 0; j < sizeof to / sizeof *to; j++) {
            assert_int_equal(ask(&a, from[i], to[j], NULL), DP_OK);
            const char *key = to[j][0] == 'd' ? "epsilon" : "delta";
            assert_true(a.r.count > 0 && a.r.guarantee == 0);
            assert_int_not_equal(a.r.row[0].verdict, DP_UNSOUND);
            for (size_t k = 1; k < a.r.count; k++) {
                const dp_row *row = &a.r.row[k];
                if (row->verdict == DP_UNSOUND)
                    assert_int_equal(k, a.r.count - 1);
                else
                    assert_true(figure(&a, a.r.row[k - 1].theorem->id, key) <=
                                figure(&a, row->theorem->id, key));
            }
            double improved = figure(&a, "rdp-to-dp", key),
                   classic = figure(&a, "rdp-to-dp-classic", key);
            assert_true(improved <= classic);
            assert_true(figure(&a, "zcdp-to-dp", key) <= figure(&a, "zcdp-to-dp-classic", key));
        }
    asking_clear(&a);
}

/* What a mechanism attains is below every sound row about it: the Gaussian for zCDP and CDP, the
 * points of its curve, and randomized response for its zCDP. */
static void test_beside_attained(void **state)
{
    (void)state;
    asking a, b;
    asking_init(&a);
    asking_init(&b);
    static const char *const to[] = {"delta 1e-9", "delta 0.01", "epsilon 0.5", "epsilon 4"};
    for (size_t j = 0; j < sizeof to / sizeof *to; j++) {
        const char *key = to[j][0] == 'd' ? "epsilon" : "delta";
        assert_int_equal(ask(&a, "gdp 1", to[j], NULL), DP_OK);
        double least = figure(&a, "gdp-profile", key);
        static const char *const wider[] = {"zcdp 0.5", "cdp 0.5,1", "rdp 1.5,0.75,3,1.5,6,3,12,6"};
        for (size_t i = 0; i < 3; i++) {
            assert_int_equal(ask(&b, wider[i], to[j], NULL), DP_OK);
            assert_true(figure(&b, b.r.row[0].theorem->id, key) >= least * (1 - 1e-13));
        }
        assert_int_equal(ask(&a, "pure 1", to[j], NULL), DP_OK);
        least = figure(&a, "approx-profile", key);
        for (size_t k = 1; k < a.r.count; k++)
            assert_true(figure(&a, a.r.row[k].theorem->id, key) >= least * (1 - 1e-13));
    }
    asking_clear(&b);
    asking_clear(&a);
}

/* The order that is shown is close to the best: no other order of a fine grid does better by 10^-9,
 * and the figure is that of the row at the order. */
static void test_best_order(void **state)
{
    (void)state;
    static const char *const rho[] = {"1e-16", "1e-4", "0.1", "3", "200"};
    asking a;
    char text[100];
    asking_init(&a);
    for (size_t i = 0; i < 5; i++)
        for (int exponent = 1; exponent <= 300; exponent += 23) {
            strcpy(text, "zcdp ");
            strcat(text, rho[i]);
            char delta[20] = "delta 1e-";
            size_t n = strlen(delta);
            delta[n] = (char)('0' + exponent / 100);
            delta[n + 1] = (char)('0' + exponent / 10 % 10);
            delta[n + 2] = (char)('0' + exponent % 10);
            delta[n + 3] = '\0';
            assert_int_equal(ask(&a, text, delta, NULL), DP_OK);
            double found = figure(&a, "zcdp-to-dp", "epsilon"), r = strtod(rho[i], NULL);
            double least = HUGE_VAL, goal = exponent * 2.302585092994046;
            for (double u = -13; u < 60; u += 0x1p-7) {
                double t = exp(u), kappa = -t * log1p(1 / t) - log1p(t);
                least = fmin(least, r * (t + 1) + (goal + kappa) / t);
            }
            if (least > 0 && !(found <= least * (1 + 1e-9)))
                fail_msg("%s %s: %.17g, not %.17g", text, delta, found, least);
        }
    asking_clear(&a);
}

/* (alpha-1) r of randomized response between two of its orders: the chord is above, a straight line
 * between the values of r is below, so that it is no bound. */
static void test_between(void **state)
{
    (void)state;
    asking a;
    asking_init(&a);
    double r[3];
    static const char *const order[] = {"order 2", "order 12", "order 5"};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(ask(&a, "pure 1", order[i], NULL), DP_OK);
        r[i] = figure(&a, "pure-to-rdp", "rdp");
    }
    assert_true(r[2] > r[0] + (r[1] - r[0]) * 0.3 + 0.05);
    assert_int_equal(ask(&a, "rdp 2,0.7354,12,0.9723", "order 5", NULL), DP_OK);
    double chord = figure(&a, "rdp-between", "rdp");
    assert_true(chord > r[2]);
    near(chord, (0.7354 + (0.9723 * 11 - 0.7354) * 0.3) / 4, 1e-12);
    /* a point above the chord of others says nothing, nor does one at an order that is there */
    assert_int_equal(ask(&a, "rdp 2,0.7354,12,0.9723,5,9,12,1", "order 5", NULL), DP_OK);
    near(figure(&a, "rdp-between", "rdp"), chord, 1e-15);
    /* r of a greater order holds below it */
    assert_int_equal(ask(&a, "rdp 8,1/3", "order 3", NULL), DP_OK);
    near(figure(&a, "rdp-between", "rdp"), 1.0 / 3, 1e-14);
    assert_int_equal(ask(&a, "rdp 8,1/3", "order 8", NULL), DP_OK);
    assert_int_equal(ask(&a, "rdp 8,1/3", "order 8.0001", NULL), DP_UNAVAILABLE);
    assert_string_equal(a.err.argument, "order");
    /* between the points an order may be best: of a Gaussian given at two orders */
    assert_int_equal(ask(&a, "rdp 4,2,7,3.5", "delta 2.3e-5", NULL), DP_OK);
    double inside = figure(&a, "rdp-to-dp", "epsilon"), alpha = figure(&a, "rdp-to-dp", "alpha");
    assert_true(alpha > 4 && alpha < 7);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(ask(&a, i == 0 ? "rdp 4,2" : "rdp 7,3.5", "delta 2.3e-5", NULL), DP_OK);
        assert_true(figure(&a, "rdp-to-dp", "epsilon") > inside);
    }
    asking_clear(&a);
}

/* Epsilon is never negative; at alpha delta >= 1 the single order has its least at p = 1; without
 * rho zCDP is pure; delta 0 and 1 have no moments to ask. */
static void test_ends(void **state)
{
    (void)state;
    asking a;
    asking_init(&a);
    assert_int_equal(ask(&a, "rdp 2,0.01", "delta 0.5", NULL), DP_OK);
    assert_true(figure(&a, "rdp-to-dp", "epsilon") == 0);
    assert_int_equal(ask(&a, "rdp 3,0.5", "delta 0.35", NULL), DP_OK);
    near(figure(&a, "rdp-to-dp-single", "epsilon"), 0.5 + log(0.65), 1e-13);
    near(figure(&a, "rdp-to-dp", "epsilon"), 0.5 + log(0.65), 1e-13); /* at alpha = 1/delta */
    assert_int_equal(ask(&a, "zcdp 0,0.7", "delta 0", NULL), DP_OK);
    assert_string_equal(a.r.row[0].theorem->id, "approx-profile");
    near(figure(&a, "approx-profile", "epsilon"), 0.7, 1e-15);
    assert_int_equal(ask(&a, "zcdp 0,-1", "epsilon 0", NULL), DP_OK);
    assert_true(figure(&a, "approx-profile", "delta") == 0);
    assert_int_equal(ask(&a, "zcdp 1", "delta 0", NULL), DP_UNAVAILABLE);
    assert_int_equal(ask(&a, "rdp 2,1", "delta 0", NULL), DP_UNAVAILABLE);
    assert_int_equal(ask(&a, "zcdp 1", "delta 1", NULL), DP_OK);
    assert_true(figure(&a, "rdp-to-dp-variation", "epsilon") == 0);
    assert_int_equal(ask(&a, "gdp 1", "delta 0", NULL), DP_OK);
    assert_true(a.r.row[0].quantity[0].figure.kind == DP_INFINITE);
    assert_int_equal(ask(&a, "gdp 0", "epsilon 0", NULL), DP_OK);
    assert_true(figure(&a, "gdp-profile", "delta") == 0);
    assert_int_equal(ask(&a, "pure 0", "delta 1e-9", NULL), DP_OK);
    assert_true(figure(&a, "approx-profile", "epsilon") == 0);
    /* ties: tanh(eps/2) at eps = ln 3 is 1/2 */
    assert_int_equal(ask(&a, "pure 1", "epsilon 1", NULL), DP_OK);
    assert_true(figure(&a, "approx-profile", "delta") == 0);
    assert_int_equal(ask(&a, "cdp 0.1,1", "zcdp", NULL), DP_OK);
    near(figure(&a, "cdp-to-zcdp", "xi"), -0.4, 1e-15);
    assert_int_equal(ask(&a, "zcdp 0.5,0.1", "zcdp", NULL), DP_UNAVAILABLE);
    asking_clear(&a);
}

/* Exact statements decide both ways, others refute by a mechanism of theirs or not at all. */
static void test_checks(void **state)
{
    (void)state;
    static const struct {
        const char *from, *budget;
        dp_decision holds;
    } row[] = {
        {"pure 1", "1,0", DP_YES},
        {"pure 1", "0.9999863,1e-5", DP_NO},
        {"pure 1", "0.9999864,1e-5", DP_YES},
        {"gdp 1", "4.3771780957,1e-5", DP_YES},
        {"gdp 1", "4.3771780956,1e-5", DP_NO},
        {"zcdp 0.1", "1.9142388321,1e-5", DP_YES},
        {"zcdp 0.1", "1.9,1e-5", DP_UNKNOWN},
        {"zcdp 0.1", "1.76,1e-5", DP_NO},
        {"zcdp 0.1", "0,1", DP_YES},
        {"cdp 0.1,0.4", "0.1,0.9", DP_YES},
        {"rdp 10,0.5", "1.41678,1e-5", DP_YES},
        {"rdp 10,0.5", "1.4167,1e-5", DP_UNKNOWN},
        {"rdp 2,0.01", "0,0.1", DP_YES},
        {"zcdp 0,0.7", "0.7,0", DP_YES},
        {"zcdp 0.1", "5,0", DP_NO},
    };
    asking a;
    asking_init(&a);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        dp_status status = ask(&a, row[i].from, "epsilon 1", row[i].budget);
        assert_int_equal(status, DP_OK);
        assert_true(a.r.check.asked);
        if (a.r.check.holds != row[i].holds)
            fail_msg("%s within %s: %d", row[i].from, row[i].budget, (int)a.r.check.holds);
        assert_true((a.r.check.why != NULL) == (row[i].holds == DP_UNKNOWN));
    }
    assert_int_equal(ask(&a, "gdp 1", "", "5,1e-5"), DP_OK); /* the budget is the target */
    assert_non_null(row_of(&a.r, "gdp-profile", "epsilon"));
    near(figure(&a, "gdp-profile", "epsilon"), 4.37717809568122462765, 1e-14);
    asking_clear(&a);
}

/* The published table of docs/renyi.md: the entries of CDP and of classic zCDP, the condition of
 * the RDP entry, without which it is below the optimum; and a pair that is rho-zCDP with a variance
 * of its loss above 2 rho, so that "variance = 2 rho" is no conversion. */
static void test_table(void **state)
{
    (void)state;
    asking a;
    asking_init(&a);
    assert_int_equal(ask(&a, "cdp 0.525854591,1", "delta 1e-5", NULL), DP_OK);
    near(figure(&a, "cdp-to-dp", "epsilon"), 5.32438050256631933, 1e-9);
    assert_int_equal(ask(&a, "zcdp 0.5", "delta 1e-5", NULL), DP_OK);
    near(figure(&a, "zcdp-to-dp-classic", "epsilon"), 5.29852591218808121, 1e-14);
    asking_clear(&a);
    dp_composition list;
    dp_result r;
    dp_composition_init(&list);
    dp_result_init(&r);
    list_add(&list, "5", "0", 100);
    ask_epsilon(&r, &list, "0.1", 10);
    double printed = 4 * 5 * sqrt(2 * 100 * log(10)), least = 0;
    assert_true(printed < dp_figure_double(row_of(&r, "compose-optimal", "epsilon"), DP_LOWER, 10));
    dp_result_clear(&r);
    dp_composition_clear(&list);
    double m = log(cosh(1)); /* loss m + 1 and m - 1, each with probability 1/2 under P */
    for (double t = 1e-4; t < 100; t *= 1.001) {
        least = fmax(least, (m * t + log(cosh(t))) / (t * (t + 1)));
        least = fmax(least, (log(cosh(t + 1)) - m * (t + 1)) / (t * (t + 1)));
    }
    assert_true(least < 0.4495 && 1 > 2 * 0.4495);
}

static void refuse(const dp_conversion *q, const char *name)
{
    dp_result r;
    dp_error err;
    dp_options opt = dp_options_default();
    dp_result_init(&r);
    assert_int_equal(dp_convert(&r, q, &opt, &err), DP_DOMAIN);
    assert_string_equal(err.argument, name);
    dp_result_clear(&r);
}

static void test_refusals(void **state)
{
    (void)state;
    dp_number one, minus, odds, big;
    mpq_t list[4];
    dp_number_init(&one);
    dp_number_init(&minus);
    dp_number_init(&odds);
    dp_number_init(&big);
    number_of(&one, "1");
    number_of(&minus, "-1");
    number_of(&odds, "ln(1/2)");
    number_of(&big, "2");
    for (size_t i = 0; i < 4; i++) {
        mpq_init(list[i]);
        mpq_set_si(list[i], i == 3 ? -1 : (long)i + 1, 1);
    }
    const mpq_t *q = (const mpq_t *)list;
    refuse(&(dp_conversion){.target_delta = &one}, "pure");
    refuse(&(dp_conversion){.pure = &one, .gdp = &one, .target_delta = &one}, "pure");
    refuse(&(dp_conversion){.pure = &one}, "target_delta");
    refuse(&(dp_conversion){.pure = &one, .order = &big, .to = DP_CONVERT_ZCDP}, "target_delta");
    refuse(&(dp_conversion){.pure = &minus, .target_delta = &one}, "pure");
    refuse(&(dp_conversion){.pure = &odds, .target_delta = &one}, "pure");
    refuse(&(dp_conversion){.approx = &minus, .target_delta = &one}, "approx");
    refuse(&(dp_conversion){.approx = &one, .approx_delta = &big, .target_delta = &one}, "approx");
    refuse(&(dp_conversion){.gdp = &minus, .target_delta = &one}, "gdp");
    refuse(&(dp_conversion){.pure = &one, .target_delta = &big}, "target_delta");
    refuse(&(dp_conversion){.pure = &one, .target_epsilon = &minus}, "target_epsilon");
    refuse(&(dp_conversion){.pure = &one, .order = &one}, "order");
    refuse(&(dp_conversion){.zcdp = q, .zcdp_count = 3, .target_delta = &one}, "zcdp");
    refuse(&(dp_conversion){.zcdp = q + 3, .zcdp_count = 1, .target_delta = &one}, "zcdp");
    refuse(&(dp_conversion){.rdp = q, .rdp_count = 2, .target_delta = &one}, "rdp");
    refuse(&(dp_conversion){.rdp = q + 1, .rdp_count = 1, .target_delta = &one}, "rdp");
    refuse(&(dp_conversion){.rdp = q + 2, .rdp_count = 2, .target_delta = &one}, "rdp");
    refuse(&(dp_conversion){.cdp = q, .cdp_count = 1, .target_delta = &one}, "cdp");
    refuse(&(dp_conversion){.cdp = q + 2, .cdp_count = 2, .target_delta = &one}, "cdp");
    refuse(&(dp_conversion){.rdp = NULL, .rdp_count = 2, .target_delta = &one}, "rdp");
    refuse(&(dp_conversion){.pure = &one, .to = (dp_convert_to)2}, "to");
    for (size_t i = 0; i < 4; i++)
        mpq_clear(list[i]);
    dp_number_clear(&big);
    dp_number_clear(&odds);
    dp_number_clear(&minus);
    dp_number_clear(&one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_of_rows), cmocka_unit_test(test_beside_attained),
        cmocka_unit_test(test_best_order),    cmocka_unit_test(test_between),
        cmocka_unit_test(test_ends),          cmocka_unit_test(test_checks),
        cmocka_unit_test(test_table),         cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests_name("convert", tests, NULL, NULL);
}
