/* SPDX-License-Identifier: MIT */
/* Votes of teachers: the figures of the published tables, sums of what is spent, and what is
 * refused. The digits are of another program, at 60 digits. */
#include "vote/pate.h"

#include "support.h"

typedef struct asked {
    dp_pate p;
    dp_result r;
    dp_number scale, threshold, queries, answered, x, y;
    dp_options opt;
} asked;

static void asked_init(asked *a, dp_aggregator kind)
{
    dp_number *all[] = {&a->scale, &a->threshold, &a->queries, &a->answered, &a->x, &a->y};
    a->p = (dp_pate){.aggregator = kind};
    a->opt = dp_options_default();
    a->opt.all = true;
    dp_result_init(&a->r);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        dp_number_init(all[i]);
}

static void asked_clear(asked *a)
{
    dp_number *all[] = {&a->scale, &a->threshold, &a->queries, &a->answered, &a->x, &a->y};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        dp_number_clear(all[i]);
    dp_result_clear(&a->r);
}

static const dp_number *set(dp_number *x, const char *text)
{
    number_of(x, text);
    return x;
}

static void set_budget(asked *a, const char *epsilon, const char *delta)
{
    a->opt.max_epsilon = set(&a->x, epsilon);
    a->opt.max_delta = set(&a->y, delta);
}

static void ask(asked *a)
{
    assert_int_equal(dp_pate_privacy(&a->r, &a->p, &a->opt, NULL), DP_OK);
}

/* The figure is not below the value, and above it by a relative 1e-8 at most. */
static void expect_near(const asked *a, const char *theorem, const char *quantity,
                        const char *known)
{
    mpq_t least, most;
    mpq_inits(least, most, NULL);
    rational_of(least, known);
    rational_of(most, "1.00000001");
    mpq_mul(most, most, least);
    const dp_figure *f = row_of(&a->r, theorem, quantity);
    assert_non_null(f);
    if (dp_figure_le(f, most) != DP_YES)
        fail_msg("%s %s is above %s", theorem, quantity, known);
    /* the values are themselves rounded */
    rational_of(most, "0.99999999999999999");
    mpq_mul(most, most, least);
    if (dp_figure_le(f, most) == DP_YES)
        fail_msg("%s %s is below %s", theorem, quantity, known);
    mpq_clears(least, most, NULL);
}

static void expect_count(const asked *a, const char *theorem, unsigned long count)
{
    const dp_figure *f = row_of(&a->r, theorem, "queries");
    assert_non_null(f);
    if (f->kind != DP_RATIONAL || mpq_cmp_ui(f->rational, count, 1) != 0)
        fail_msg("%s: queries are not %lu", theorem, count);
}

/* Labels of subsample and aggregate, inverse_scale = 2/n: the published counts follow from delta =
 * 1e-3, not from the 1e-5 of the caption, and each is one too many. Budget, published, by exact
 * composition of what is (2 inverse_scale)-DP; 0: not known from elsewhere. The noisy votes allow
 * more than any such answers. */
static void test_labels(void **state)
{
    (void)state;
    static const struct {
        const char *scale, *epsilon;
        unsigned long published, caption, pure, pure_caption;
    } table[] = {
        {"2/50", "1", 11, 7, 24, 13},           {"2/50", "3", 85, 55, 146, 83},
        {"2/50", "5", 211, 141, 330, 199},      {"2/100", "1", 43, 27, 95, 47},
        {"2/100", "3", 338, 217, 583, 325},     {"2/100", "5", 843, 562, 1315, 789},
        {"2/150", "1", 95, 59, 0, 103},         {"2/150", "3", 759, 488, 0, 729},
        {"2/150", "5", 1897, 1265, 0, 1771},    {"2/250", "1", 264, 163, 590, 282},
        {"2/250", "3", 2108, 1355, 3632, 2022}, {"2/250", "5", 5269, 3513, 0, 4914},
    };
    static const unsigned slow[] = {1U << 9 | 1U << 6, 1U << 9 | 1U << 7 | 1U << 4 | 1U << 2};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        for (int caption = 0; caption < 2; caption++) {
            if (slow[caption] >> i & 1)
                continue;
            asked a;
            asked_init(&a, DP_LNMAX);
            a.p.inverse_scale = set(&a.scale, table[i].scale);
            a.p.solve = DP_PATE_QUERIES;
            set_budget(&a, table[i].epsilon, caption ? "1e-5" : "1e-3");
            ask(&a);
            unsigned long first = caption ? table[i].caption : table[i].published;
            unsigned long pure = caption ? table[i].pure_caption : table[i].pure;
            expect_count(&a, "pate-stop-after", first);
            expect_count(&a, "pate-moments", first - 1);
            if (pure > 0)
                expect_count(&a, "pate-pure", pure);
            assert_int_equal(a.r.check.holds, DP_YES);
            assert_string_equal(a.r.row[a.r.guarantee].theorem->id, "pate-laplace");
            assert_string_equal(a.r.row[1].theorem->id, "pate-renyi");
            mpq_t reached;
            mpq_init(reached);
            rational_of(reached, table[i].epsilon);
            assert_int_equal(dp_figure_le(row_of(&a.r, "pate-moments", "epsilon"), reached),
                             DP_YES);
            assert_int_equal(dp_figure_le(row_of(&a.r, "pate-stop-after", "epsilon"), reached),
                             DP_NO);
            assert_int_equal(dp_figure_le(row_of(&a.r, "pate-renyi", "epsilon"), reached), DP_YES);
            mpq_clear(reached);
            asked_clear(&a);
        }
}

/* What breaks the budget by how little: the best whole order of the published accountant. */
static void test_first_beyond(void **state)
{
    (void)state;
    static const char *const table[][5] = {
        {"2/50", "11", "15", "1.02141109135586693228956959743", "1e-3"},
        {"2/50", "211", "4", "5.00338509299404568401799145468", "1e-3"},
        {"2/150", "95", "15", "1.00007775802253359895623626410", "1e-3"},
        {"2/250", "2108", "6", "3.00049505579642741041079487281", "1e-3"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        asked a;
        mpq_t alpha;
        mpq_init(alpha);
        asked_init(&a, DP_LNMAX);
        a.p.inverse_scale = set(&a.scale, table[i][0]);
        a.p.queries = set(&a.queries, table[i][1]);
        a.p.target_delta = set(&a.y, table[i][4]);
        ask(&a);
        rational_of(alpha, table[i][2]);
        assert_true(figure_holds_q(row_of(&a.r, "pate-moments", "alpha"), alpha));
        expect_near(&a, "pate-moments", "epsilon", table[i][3]);
        mpq_clear(alpha);
        asked_clear(&a);
    }
}

/* The sigma of Table 4 of the majority paper is right for the published conversion at an order of
 * 62.1, not at the order named there; less noise is enough. */
static void test_sigma(void **state)
{
    (void)state;
    static const char *const table[][5] = {
        {"0.2676", "3e-4", "21.4604501909370900625496519753", "14.6295183520764350776702245049",
         "12.9038696210543962898627765835"},
        {"0.2556", "3e-4", "22.45992", "15.2314", "13.4323"},
    };
    for (size_t i = 0; i < 2; i++) {
        asked a;
        asked_init(&a, DP_GNMAX);
        a.p.solve = DP_PATE_SIGMA;
        set_budget(&a, table[i][0], table[i][1]);
        ask(&a);
        assert_string_equal(a.r.row[a.r.guarantee].theorem->id, "pate-gaussian");
        assert_int_equal(a.r.check.holds, DP_YES);
        if (i == 0) {
            expect_near(&a, "pate-moments", "sigma", table[i][2]);
            expect_near(&a, "pate-moments", "alpha", "62.1217134168111608761718704049");
            expect_near(&a, "pate-renyi", "sigma", table[i][3]);
            expect_near(&a, "pate-gaussian", "sigma", table[i][4]);
        } else {
            mpq_t most;
            mpq_init(most);
            rational_of(most, "22.46");
            assert_int_equal(dp_figure_le(row_of(&a.r, "pate-moments", "sigma"), most), DP_YES);
            rational_of(most, "15.24");
            assert_int_equal(dp_figure_le(row_of(&a.r, "pate-renyi", "sigma"), most), DP_YES);
            rational_of(most, "13.44");
            assert_int_equal(dp_figure_le(row_of(&a.r, "pate-gaussian", "sigma"), most), DP_YES);
            mpq_clear(most);
        }
        asked_clear(&a);
    }
}

static void test_confident(void **state)
{
    (void)state;
    static const char *const table[][5] = {
        {"100", "0.008", "1.18275477034287120842927086723", "0.775073514946635887049775713008",
         "0.627155600812187653575536464361"},
        {"180", "0.08", "1.20139149146246281865510809474", "0.557657970575673226328164024370",
         "0.339254591201760090354002830627"},
    };
    asked a;
    asked_init(&a, DP_CONFIDENT_GNMAX);
    a.p.sigma = set(&a.scale, "40");
    a.p.sigma_threshold = set(&a.threshold, "150");
    for (size_t i = 0; i < 2; i++) {
        a.p.queries = set(&a.queries, table[i][0]);
        a.p.target_delta = set(&a.y, table[i][1]);
        ask(&a);
        expect_near(&a, "pate-moments", "epsilon", table[i][2]);
        expect_near(&a, "pate-renyi", "epsilon", table[i][3]);
        expect_near(&a, "pate-gaussian", "epsilon", table[i][4]);
    }
    asked_clear(&a);
}

/* The last count that fits, and that one query more than fits is refuted. */
static void test_laplace(void **state)
{
    (void)state;
    static const struct {
        const char *scale, *delta;
        unsigned long queries;
    } table[] = {{"2/50", "1e-3", 48}, {"1/2", "1e-5", 1}, {"2", "1/10", 0}};
    for (size_t i = 0; i < 3; i++) {
        asked a;
        asked_init(&a, DP_LNMAX);
        a.p.inverse_scale = set(&a.scale, table[i].scale);
        a.p.solve = DP_PATE_QUERIES;
        set_budget(&a, "1", table[i].delta);
        ask(&a);
        expect_count(&a, "pate-laplace", table[i].queries);
        a.p.solve = DP_PATE_NOTHING;
        a.p.queries = &a.queries;
        for (unsigned long more = 0; more < 2; more++) {
            dp_number_set_ui(&a.queries, table[i].queries + more);
            if (dp_number_sgn(&a.queries) == 0)
                continue;
            ask(&a);
            assert_int_equal(a.r.check.holds, more > 0 ? DP_NO : DP_YES);
        }
        asked_clear(&a);
    }
}

/* The threshold test is spent on every query that is asked, answered or not. */
static void test_unanswered(void **state)
{
    (void)state;
    pate_account a;
    mpq_t few, many;
    pate_account_init(&a);
    mpq_inits(few, many, NULL);
    a.kind = DP_CONFIDENT_GNMAX;
    rational_of(a.scale, "40");
    rational_of(a.threshold, "150");
    mpz_set_ui(a.asked, 3000);
    mpz_set_ui(a.answered, 200);
    a.capped = true;
    pate_mu_squared(few, &a);
    rational_of(many, "3000/22500");
    mpq_sub(few, few, many);
    rational_of(many, "400/1600");
    assert_true(mpq_equal(few, many));
    a.capped = false;
    pate_mu_squared(few, &a);
    rational_of(many, "3000/22500");
    mpq_sub(few, few, many);
    rational_of(many, "6000/1600");
    assert_true(mpq_equal(few, many));
    mpq_clears(few, many, NULL);
    pate_account_clear(&a);
}

/* Divergence of the noisy votes: twice that of Laplace noise, below half of what two votes allow.
 */
static void test_curve(void **state)
{
    (void)state;
    pate_account a;
    mpfi_t r;
    mpq_t order, most;
    pate_account_init(&a);
    mpfi_init2(r, 128);
    mpq_inits(order, most, NULL);
    rational_of(a.scale, "1/50");
    mpz_set_ui(a.asked, 3);
    for (unsigned long alpha = 2; alpha < 60; alpha += 19) {
        mpq_set_ui(order, alpha, 1);
        pate_curve(r, &a, order);
        mpq_set_ui(most, 3 * alpha, 2500); /* 3 times 2 times alpha e^2/2 */
        assert_true(mpfr_cmp_q(&r->right, most) < 0);
        mpq_set_ui(most, 3 * alpha, 5000);
        assert_true(mpfr_cmp_q(&r->left, most) > 0);
    }
    mpq_clears(order, most, NULL);
    mpfi_clear(r);
    pate_account_clear(&a);
}

static void test_solved_is_last(void **state)
{
    (void)state;
    static const char *const sigma[] = {"40", "9", "200"};
    for (size_t i = 0; i < sizeof sigma / sizeof *sigma; i++) {
        asked a;
        asked_init(&a, DP_GNMAX);
        a.p.sigma = set(&a.scale, sigma[i]);
        a.p.solve = DP_PATE_QUERIES;
        set_budget(&a, "ln(3)", "1e-6");
        ask(&a);
        unsigned long count =
            mpz_get_ui(mpq_numref(row_of(&a.r, "pate-gaussian", "queries")->rational));
        assert_true(count > 0);
        a.p.solve = DP_PATE_NOTHING;
        a.p.queries = &a.queries;
        for (unsigned long more = 0; more < 2; more++) {
            dp_number_set_ui(&a.queries, count + more);
            ask(&a);
            assert_int_equal(a.r.check.holds, more > 0 ? DP_NO : DP_YES);
        }
        asked_clear(&a);
    }
}

static void refuse(asked *a, dp_status status, const char *argument)
{
    dp_error err;
    assert_int_equal(dp_pate_privacy(&a->r, &a->p, &a->opt, &err), status);
    assert_string_equal(err.argument, argument);
}

static void test_refused(void **state)
{
    (void)state;
    asked a;
    asked_init(&a, DP_LNMAX);
    refuse(&a, DP_DOMAIN, "inverse_scale");
    a.p.inverse_scale = set(&a.scale, "1/10");
    a.p.answered = set(&a.answered, "1");
    refuse(&a, DP_DOMAIN, "answered");
    a.p.answered = NULL;
    a.p.sigma = &a.scale;
    refuse(&a, DP_DOMAIN, "sigma");
    a.p.sigma = NULL;
    a.p.target_epsilon = a.p.target_delta = set(&a.x, "1/2");
    refuse(&a, DP_DOMAIN, "target_epsilon");
    a.p.target_epsilon = a.p.target_delta = NULL;
    a.p.solve = DP_PATE_QUERIES;
    refuse(&a, DP_DOMAIN, "max_epsilon");
    set_budget(&a, "1", "1");
    refuse(&a, DP_UNAVAILABLE, "max_delta");
    set_budget(&a, "1", "0.1");
    a.p.queries = set(&a.queries, "3");
    refuse(&a, DP_DOMAIN, "queries");
    a.p.solve = DP_PATE_SIGMA;
    refuse(&a, DP_DOMAIN, "solve");
    a.p = (dp_pate){.aggregator = DP_GNMAX, .sigma = &a.scale};
    a.opt.max_epsilon = a.opt.max_delta = NULL;
    refuse(&a, DP_UNAVAILABLE, "target_delta");
    a.p.aggregator = DP_CONFIDENT_GNMAX;
    refuse(&a, DP_DOMAIN, "sigma_threshold");
    a.p.sigma_threshold = set(&a.threshold, "1");
    a.p.queries = set(&a.queries, "3");
    a.p.answered = set(&a.answered, "4");
    refuse(&a, DP_DOMAIN, "answered");
    a.p.answered = a.p.sigma = a.p.queries = NULL;
    a.p.solve = DP_PATE_SIGMA;
    set_budget(&a, "1", "0"); /* whatever the noise, delta is above 0 */
    ask(&a);
    assert_true(a.r.count == 0 && a.r.check.holds == DP_NO);
    a.opt.max_delta = NULL;
    refuse(&a, DP_UNAVAILABLE, "max_delta");
    set_budget(&a, "1/10", "1e-6"); /* the threshold tests alone spend more */
    ask(&a);
    assert_true(a.r.count == 0 && a.r.check.holds == DP_NO);
    asked_clear(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_labels),  cmocka_unit_test(test_first_beyond),
        cmocka_unit_test(test_sigma),   cmocka_unit_test(test_confident),
        cmocka_unit_test(test_laplace), cmocka_unit_test(test_unanswered),
        cmocka_unit_test(test_curve),   cmocka_unit_test(test_solved_is_last),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests_name("pate", tests, NULL, NULL);
}
