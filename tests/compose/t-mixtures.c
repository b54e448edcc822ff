/* SPDX-License-Identifier: MIT */
/* Mixed lists against an evaluator that shares nothing with the engines: outcomes of finite laws
 * enumerated, all Gaussians as one with its profile in closed form, Laplaces as polynomials times
 * e^(s/2) between their corners with Gauss-Legendre nodes, in mpmath at 60 digits; the larger one
 * of both directions, or one direction where a pair is stated for that alone. Lists and targets
 * were drawn at random; 25 digits. And claims where the largest loss decides. Rows of
 * compose-pairs, gaussian-exact. */
#include "support.h"

#include <string.h>

#include "dpacct/account.h"
#include "dpacct/dpacct.h"

typedef struct mixture {
    const char *list, *target, *value; /* "TYPE name=value ...|times; ..." */
} mixture;

static const mixture mixtures[] = {
    {"randomized-response epsilon=1 categories=3|1; gaussian sigma=3.7|3", "target_epsilon=0",
     "0.4052700265590315835517243"},
    {"randomized-response epsilon=2.5 categories=2|2; pair p=1/15,7/15,7/15 q=1/11,3/11,7/11|2",
     "target_epsilon=0.4766", "0.8585078175035097498452224"},
    {"gaussian sigma=3.7|10; pair p=0,5/7,2/7 q=7/17,5/17,5/17 directions=one|2; pair p=0,1 "
     "q=2/3,1/3|3",
     "target_delta=1/100", "6.716691428021693183960343"},
    {"gaussian sigma=0.5 sensitivity=1/2|100; randomized-response epsilon=ln(2) categories=2|2; "
     "laplace scale=0.5|1",
     "target_epsilon=19.27", "0.9989368738205194526786286"},
    {"pair p=3/7,1/7,3/7 q=7/9,0,2/9|2; pair p=1/5,7/10,1/10 q=0,3/5,2/5 directions=one|1; pair "
     "p=1/6,5/6 q=0,1|1; pair p=2/7,2/7,3/7 q=5/19,7/19,7/19|3",
     "target_epsilon=0.4438", "0.5718678046938494571057389"},
    {"pair p=1/2,1/2 q=1/8,7/8|2; pair p=1/2,1/2 q=5/6,1/6|5", "target_delta=1/125000",
     "8.264625640934140650032574"},
    {"approx-dp epsilon=1 delta=0|2; gaussian sigma=3.7 sensitivity=1/2|2", "target_epsilon=0",
     "0.4920517055742911376440877"},
    {"pure-dp epsilon=0.3|6; pure-dp epsilon=0.3|1; pure-dp epsilon=ln(3/2)|3",
     "target_epsilon=1.142", "0.123433134098184234662398"},
    {"gaussian sigma=1/3 sensitivity=2|10; gaussian sigma=3.7 sensitivity=2|1",
     "target_delta=1/1000000000", "293.1241104359100161924954"},
    {"gaussian sigma=123.4|100; gaussian sigma=0.5 sensitivity=2|3; gaussian sigma=0.8 "
     "sensitivity=2|1",
     "target_epsilon=16.5", "0.9023194948824161185470189"},
    {"pair p=3/4,1/4 q=3/4,1/4|1; pair p=7/10,3/10 q=7/8,1/8|2; pair p=3/10,3/10,0,3/10,1/10 "
     "q=1/18,5/18,1/9,5/18,5/18|1",
     "target_epsilon=1.483", "0.1113805489149269152307216"},
    {"gaussian sigma=0.8|100; pair p=1/2,1/2 q=2/3,1/3 directions=one|1", "target_delta=1/10000",
     "123.8150314557002296753233"},
    {"gaussian sigma=3.7|3; gaussian sigma=1/3 sensitivity=2|1; approx-dp epsilon=1 delta=0|1",
     "target_epsilon=0", "0.9977035616797317997483125"},
    {"approx-dp epsilon=0.1 delta=1e-9|5; approx-dp epsilon=0.1 delta=1e-6|2",
     "target_epsilon=0.1404", "0.0536102108244532082642007"},
    {"pair p=7/9,1/9,1/9 q=5/17,5/17,7/17|1; pair p=2/7,5/7 q=2/3,1/3|2; gaussian sigma=0.5|1; "
     "gaussian sigma=50|10",
     "target_delta=1/100000", "12.36101471688261042309417"},
    {"gaussian sigma=0.5 sensitivity=2|1; laplace scale=1|1", "target_epsilon=5.923",
     "0.6364500081810106673454177"},
    {"pair p=1/11,7/11,3/11 q=1/5,1/5,3/5|1; pair p=1/5,2/5,2/5 q=7/10,1/5,1/10 directions=one|5; "
     "pair p=3/11,5/11,2/11,1/11 q=7/20,7/20,1/4,1/20|1",
     "target_epsilon=7.758", "0.002457688659189290678997022"},
    {"pair p=5/9,1/9,1/3,0 q=1/10,7/10,1/10,1/10 directions=one|5; pair p=1,0 q=2/3,1/3|1; "
     "gaussian sigma=123.4|1",
     "target_delta=1/10000000", "9.004910907613859305689607"},
    {"pair p=3/17,7/17,7/17 q=0,0,1|2; gaussian sigma=0.5 sensitivity=2|3; randomized-response "
     "epsilon=0.01 categories=3|1",
     "target_epsilon=26.71", "0.8671949264220855294039372"},
    {"pure-dp epsilon=1|6; pair p=1/5,3/10,1/2 q=5/6,0,1/6|3", "target_epsilon=4.363",
     "0.7770561700821889647386984"},
    {"pair p=1/5,1/5,3/5 q=1/3,1/3,1/3|3; pair p=1/4,1/4,1/4,1/12,1/6 q=1/8,3/16,1/16,5/16,5/16 "
     "directions=one|3",
     "target_delta=3/50000", "5.904305377379361565383599"},
    {"gaussian sigma=10|10; laplace scale=1/3|2", "target_epsilon=0.01759",
     "0.8791263381294228141357863"},
    {"pair p=3/8,5/8 q=7/12,5/12|5; pair p=3/5,1/5,1/5 q=2/9,5/9,2/9|1; pair p=7/13,1/13,5/13 "
     "q=0,1/2,1/2|1",
     "target_epsilon=0", "0.7049978761457289138616299"},
    {"gaussian sigma=3.7 sensitivity=2|3; gaussian sigma=50 sensitivity=0.3|1",
     "target_delta=1/2000000", "4.669170359272196377005016"},
    {"randomized-response epsilon=0.01 categories=5|1; approx-dp epsilon=0.7 delta=0.01|1",
     "target_epsilon=0.2676", "0.2422218130192082837767947"},
    {"approx-dp epsilon=0.7 delta=1e-9|5; pair p=1/5,0,1/5,0,3/5 q=0,1/11,0,5/11,5/11|3; pure-dp "
     "epsilon=ln(3/2)|3; pure-dp epsilon=0.3|1",
     "target_epsilon=2.389", "0.9124417579824770284456431"},
    {"gaussian sigma=3.7 sensitivity=0.3|1; gaussian sigma=1|1; gaussian sigma=10|3",
     "target_delta=1/12500", "3.946456382445338353994804"},
    {"gaussian sigma=3.7|1; gaussian sigma=1/3 sensitivity=1/2|1; gaussian sigma=1|1",
     "target_epsilon=3.341", "0.09278053049694304382066363"},
    {"pair p=1/4,3/4,0 q=1/9,1/9,7/9 directions=one|2; pair p=1/5,1/3,1/15,1/3,1/15 "
     "q=0,1/2,1/6,1/6,1/6|2; pair p=1/12,7/24,5/24,5/24,5/24 q=1/13,3/13,1/13,7/13,1/13|1",
     "target_epsilon=2.588", "0.6860823075153482505071866"},
    {"gaussian sigma=50|100; pair p=1/11,7/11,3/11 q=1/3,1/3,1/3|3; gaussian sigma=3.7|3; gaussian "
     "sigma=2 sensitivity=0.3|3",
     "target_delta=1/5000000", "6.295424606167957457588361"},
    {"randomized-response epsilon=2.5 categories=5|2; approx-dp epsilon=1 delta=0.01|5; gaussian "
     "sigma=10 sensitivity=0.3|10; approx-dp epsilon=ln(3) delta=1/7|1",
     "target_epsilon=0.5639", "0.9348903531921504825126526"},
    {"approx-dp epsilon=ln(3) delta=1e-9|2; randomized-response epsilon=0.1 categories=2|4",
     "target_epsilon=0.291", "0.4818312360897431143938005"},
    {"gaussian sigma=0.8 sensitivity=1/2|1; gaussian sigma=1|1; pair p=5/11,5/11,1/11 "
     "q=3/10,1/2,1/5|5",
     "target_delta=7/1000000", "7.239881229777575457486483"},
    {"laplace scale=10|2; gaussian sigma=2|10", "target_epsilon=8.808",
     "0.0000002345373888829883904124943"},
    {"pair p=1/3,2/3 q=1/2,1/2|1; pair p=1,0 q=2/5,3/5|5", "target_epsilon=4.38", "0.98976"},
    {"gaussian sigma=2|100; gaussian sigma=50|1; pair p=1/3,1/3,1/3 q=5/8,1/4,1/8|3",
     "target_delta=1/1000", "28.19720831985729698083968"},
};

static void set(dp_mechanism *m, char *part)
{
    dp_error err;
    char *equals = strchr(part, '=');
    *equals = '\0';
    assert_int_equal(dp_mechanism_set(m, part, equals + 1, &err), DP_OK);
}

static dp_account *account_of(const char *list)
{
    char copy[512], *next, *inner;
    dp_error err;
    dp_account *a = dp_account_new(DP_ADD_REMOVE, &err);
    assert_true(strlen(list) < sizeof copy);
    for (char *use = strtok_r(strcpy(copy, list), ";", &next); use != NULL;
         use = strtok_r(NULL, ";", &next)) {
        char *times = strchr(use, '|');
        *times = '\0';
        dp_mechanism *m = dp_mechanism_new(strtok_r(use, " ", &inner), &err);
        assert_non_null(m);
        for (char *part = strtok_r(NULL, " ", &inner); part != NULL;
             part = strtok_r(NULL, " ", &inner))
            set(m, part);
        assert_int_equal(dp_account_add(a, m, times + 1, &err), DP_OK);
        dp_mechanism_free(m);
    }
    return a;
}

static dp_answer *ask(const char *list, const char *asked)
{
    char copy[128], *next;
    dp_error err;
    dp_account *a = account_of(list);
    dp_question *q = dp_question_new();
    for (char *part = strtok_r(strcpy(copy, asked), " ", &next); part != NULL;
         part = strtok_r(NULL, " ", &next)) {
        char *equals = strchr(part, '=');
        *equals = '\0';
        assert_int_equal(dp_question_set(q, part, equals + 1, &err), DP_OK);
    }
    dp_answer *answer;
    if (dp_account_ask(&answer, a, q, &err) != DP_OK)
        fail_msg("%s: %s", list, err.message);
    dp_question_free(q);
    dp_account_free(a);
    return answer;
}

/* The figure encloses the value, right to 24 digits, and is proved to ten. */
static void check_figure(const dp_figure *f, const char *text, const char *list)
{
    mpq_t value, slack, low, high;
    mpq_inits(value, slack, low, high, NULL);
    rational_of(value, text);
    rational_of(slack, "1e-23");
    mpq_mul(slack, slack, value);
    if (f->kind == DP_RATIONAL) {
        mpq_set(low, f->rational);
        mpq_set(high, f->rational);
    } else {
        assert_int_equal(f->kind, DP_ENCLOSED);
        mpfr_get_q(low, &f->enclosure->left);
        mpfr_get_q(high, &f->enclosure->right);
    }
    mpq_sub(low, low, slack);
    mpq_add(high, high, slack);
    if (mpq_cmp(low, value) > 0 || mpq_cmp(value, high) > 0)
        fail_msg("%s: not %s", list, text);
    mpq_sub(high, high, low);
    mpq_div(high, high, value);
    if (mpq_get_d(high) > 1e-9)
        fail_msg("%s: wide", list);
    mpq_clears(value, slack, low, high, NULL);
}

static void test_mixtures(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof mixtures / sizeof *mixtures; i++) {
        dp_answer *answer = ask(mixtures[i].list, mixtures[i].target);
        const dp_result *r = dp_answer_result(answer);
        const dp_row *row = &r->row[r->guarantee];
        assert_int_equal(row->verdict, DP_EXACT);
        bool delta = strncmp(mixtures[i].target, "target_epsilon", 14) == 0;
        check_figure(&row->quantity[delta ? 1 : 0].figure, mixtures[i].value, mixtures[i].list);
        dp_answer_free(answer);
    }
}

static void test_claims(void **state)
{
    (void)state;
    static const struct {
        const char *list, *budget;
        dp_decision holds;
    } row[] = {
        {"gaussian sigma=1|1", "max_epsilon=1 max_delta=0", DP_NO},
        {"gaussian sigma=1e30|1", "max_epsilon=1 max_delta=0", DP_NO},
        {"gaussian sigma=1e30|1", "max_epsilon=1 max_delta=1e-300", DP_YES},
        {"gaussian sigma=1|2", "max_epsilon=0 max_delta=0.52049987781304653768", DP_NO},
        {"gaussian sigma=1|2", "max_epsilon=0 max_delta=0.52049987781304653769", DP_YES},
        {"laplace scale=3|1", "max_epsilon=1/3 max_delta=0", DP_YES},
        {"laplace scale=3|1", "max_epsilon=0.33333333333333333333 max_delta=0", DP_NO},
        {"laplace scale=3|6", "max_epsilon=2 max_delta=0", DP_YES},
        {"pair p=1,0 q=0,1|1", "max_epsilon=1 max_delta=0.999999", DP_NO},
        {"pair p=1,0 q=1/2,1/2|1", "max_epsilon=0 max_delta=1/2", DP_YES},
        {"pair p=1,0 q=1/2,1/2|1", "max_epsilon=9 max_delta=0.4999999999999", DP_NO},
        {"pair p=1,0 q=1/2,1/2 directions=one|3", "max_epsilon=ln(8) max_delta=0", DP_YES},
        {"pair p=1,0 q=1/2,1/2 directions=one|3", "max_epsilon=ln(7) max_delta=1/8", DP_YES},
        {"pair p=1,0 q=1/2,1/2 directions=one|3", "max_epsilon=ln(7) max_delta=0.12499", DP_NO},
        {"zcdp rho=0|1", "max_epsilon=0 max_delta=0", DP_UNKNOWN},
        {"zcdp rho=1|1", "max_epsilon=0.1 max_delta=1e-9", DP_UNKNOWN},
        {"zcdp rho=1|1; gaussian sigma=1e-3|1", "max_epsilon=0.1 max_delta=1e-9", DP_UNKNOWN},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char asked[128] = "target_epsilon=1 ";
        dp_answer *answer = ask(row[i].list, strcat(asked, row[i].budget));
        if (dp_answer_holds(answer) != row[i].holds)
            fail_msg("%s: %s", row[i].list, row[i].budget);
        dp_answer_free(answer);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mixtures),
        cmocka_unit_test(test_claims),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
