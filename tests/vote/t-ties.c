/* SPDX-License-Identifier: MIT */
/* Exact ties at one multiset of vertices: against rational arithmetic where e^epsilon is rational,
 * against identities where it is transcendental; and the scan of eight vertices at its worst. */
#include "support.h"

#include <math.h>
#include <stdlib.h>

#include "vote/eight.h"
#include "vote/ties.h"

#define MOST_VOTERS 9

static const limits none = {0};

typedef struct asked {
    noise g;
    dp_composition list;
    logform x;
    mpq_t delta;
    seats seat[3];
} asked;

static void open_asked(asked *a, size_t voters)
{
    assert_true(noise_init(&a->g, voters));
    dp_composition_init(&a->list);
    logform_init(&a->x);
    mpq_init(a->delta);
}

static void close_asked(asked *a)
{
    noise_clear(&a->g);
    dp_composition_clear(&a->list);
    logform_clear(&a->x);
    mpq_clear(a->delta);
}

static dp_decision answer_of(const asked *a, bool with_x)
{
    dp_decision answer;
    tie_question q = {&a->g, false, with_x ? &a->x : NULL, a->delta, &none};
    assert_int_equal(tie_holds(&answer, &q, a->seat, a->list.count), DP_OK);
    return answer;
}

/* At delta the tie holds, a hair beside it does not. */
static void expect_tie(asked *a, bool with_x)
{
    mpq_t hair;
    mpq_init(hair);
    assert_int_equal(answer_of(a, with_x), DP_YES);
    mpq_set_ui(hair, 1, 1);
    mpq_div_2exp(hair, hair, 5000);
    mpq_add(a->delta, a->delta, hair);
    assert_int_equal(answer_of(a, with_x), DP_NO);
    mpq_clear(hair);
}

static void set_seats(asked *a, size_t group, const size_t n[VERTICES])
{
    a->seat[group] = (seats){.m = &a->list.item[group]};
    for (size_t v = 0; v < VERTICES; v++)
        a->seat[group].n[v] = n[v];
}

/* ---- rational odds ---- */

/* p, or p' when `primed`, of a vertex by its definition */
static void chance_of(mpq_t p, const dp_item *m, size_t v, bool primed)
{
    static const size_t mirror[VERTICES] = {0, 1, 3, 2, 5, 4, 7, 6};
    mpq_t one, r;
    mpq_inits(one, r, NULL);
    mpq_set_ui(one, 1, 1);
    mpq_add(r, one, m->epsilon.is_log ? m->epsilon.value : one);
    switch (primed ? mirror[v] : v) {
    case 1:
    case 6:
        mpq_set(p, one);
        break;
    case 2:
        mpq_set(p, m->delta);
        break;
    case 7:
        mpq_sub(p, one, m->delta);
        break;
    case 4:
    case 5:
        mpq_sub(p, one, m->delta);
        mpq_div(p, p, r);
        if ((primed ? mirror[v] : v) == 4)
            mpq_sub(p, one, p);
        break;
    default:
        mpq_set_ui(p, 0, 1);
    }
    mpq_clears(one, r, NULL);
}

/* out = B or B' */
static void mean_of(mpq_t out, const asked *a, bool primed)
{
    mpq_t p, b;
    vote_law law;
    mpq_inits(p, b, NULL);
    assert_true(vote_law_init(&law, a->g.voters));
    for (size_t g = 0; g < a->list.count; g++)
        for (size_t v = 0; v < VERTICES; v++)
            for (size_t i = 0; i < a->seat[g].n[v]; i++) {
                chance_of(p, a->seat[g].m, v, primed);
                vote_law_add(&law, p);
            }
    mpq_set_ui(out, 0, 1);
    for (size_t l = 0; l <= law.voters; l++) {
        noise_answer(b, &a->g, l, false);
        mpz_set(mpq_numref(p), law.part[l]);
        mpz_set(mpq_denref(p), law.whole);
        mpq_canonicalize(p);
        mpq_mul(b, b, p);
        mpq_add(out, out, b);
    }
    vote_law_clear(&law);
    mpq_clears(p, b, NULL);
}

static void test_rational_odds(void **state)
{
    (void)state;
    static const char *const odds[] = {"ln(2)", "ln(3/2)", "0", "ln(10/9)"};
    static const char *const leak[] = {"0", "1/7", "1e-3", "1"};
    rng r = rng_make(5);
    mpq_t b, primed, q;
    mpq_inits(b, primed, q, NULL);
    for (int i = 0; i < rounds(200); i++) {
        asked a;
        size_t voters = 1 + 2 * rng_below(&r, (MOST_VOTERS + 1) / 2), left = voters;
        open_asked(&a, voters);
        for (size_t l = 0; l <= voters; l++) {
            mpq_set_ui(a.g.gamma[l], rng_below(&r, 8), 7);
            mpq_canonicalize(a.g.gamma[l]);
        }
        for (size_t g = 0; g < 3; g++)
            list_add(&a.list, odds[rng_below(&r, 4)], leak[rng_below(&r, 4)], 1);
        for (size_t g = 0; g < 3; g++) {
            size_t n[VERTICES] = {0};
            for (size_t k = g < 2 ? rng_below(&r, left + 1) : left; k > 0; k--, left--)
                n[rng_below(&r, VERTICES)]++;
            set_seats(&a, g, n);
        }
        mpq_set_ui(q, 1 + rng_below(&r, 5), 1 + rng_below(&r, 5));
        mpq_canonicalize(q);
        mean_of(b, &a, false);
        mean_of(primed, &a, true);
        mpq_set(a.delta, b);
        expect_tie(&a, false);
        mpq_mul(primed, primed, q);
        mpq_sub(a.delta, b, primed);
        mpq_set_ui(b, 1, 1);
        assert_true(logform_add_log(&a.x, b, q));
        expect_tie(&a, true);
        close_asked(&a);
    }
    mpq_clears(b, primed, q, NULL);
}

/* ---- transcendental odds ---- */

/* A sample of one vote: every vote at (delta, 0) or (c, d) costs delta at its own epsilon. */
static void test_sample_of_one(void **state)
{
    (void)state;
    for (size_t voters = 1; voters <= 21; voters += 4)
        for (size_t low = 0; low <= voters; low += voters == 1 ? 1 : 3) {
            asked a;
            open_asked(&a, voters);
            noise_set_subsample(&a.g, 1);
            list_add(&a.list, "0.1", "1e-5", voters);
            size_t n[VERTICES] = {0, 0, low, 0, voters - low, 0, 0, 0};
            set_seats(&a, 0, n);
            rational_of(a.x.rational, "0.1");
            rational_of(a.delta, "1e-5");
            expect_tie(&a, true);
            rational_of(a.x.rational, "0.2"); /* elsewhere only leaks tie */
            rational_of(a.delta, "1e-5");
            assert_int_equal(answer_of(&a, true), low == voters ? DP_YES : DP_NO);
            close_asked(&a);
        }
}

/* A sample of 2m - 1 votes: m voters at (c, d), the others at (0, 0), cost the sum of their
 * epsilons, whatever these are. */
static void test_sum_of_largest(void **state)
{
    (void)state;
    static const struct {
        const char *epsilon[3];
        size_t at[3]; /* (c, d) */
        const char *rational, *base;
    } list[] = {{{"0.1", "0.5", "3"}, {1, 1, 1}, "3.6", "1"},
                {{"0.1", "0.2", "1/7"}, {0, 2, 1}, "19/35", "1"},
                {{"0.1", "ln(2)", "ln(3)"}, {1, 1, 1}, "0.1", "6"},
                {{"ln(2)", "0.1", "0"}, {2, 1, 0}, "0.1", "4"},
                {{"ln(2)", "0.3", "0"}, {2, 0, 1}, "0", "4"}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        asked a;
        mpq_t one, base;
        mpq_inits(one, base, NULL);
        mpq_set_ui(one, 1, 1);
        open_asked(&a, 9);
        noise_set_subsample(&a.g, 5);
        for (size_t g = 0; g < 3; g++)
            list_add(&a.list, list[i].epsilon[g], "0", 3);
        for (size_t g = 0; g < 3; g++) {
            size_t n[VERTICES] = {3 - list[i].at[g], 0, 0, 0, list[i].at[g], 0, 0, 0};
            set_seats(&a, g, n);
        }
        rational_of(a.x.rational, list[i].rational);
        rational_of(base, list[i].base);
        assert_true(logform_add_log(&a.x, one, base));
        expect_tie(&a, true);
        close_asked(&a);
        mpq_clears(one, base, NULL);
    }
}

/* e^x irrational and algebraic: 2^(3/2) = B/B' has no solution with rational sides, and one whose
 * sides are both 0. */
static void test_algebraic(void **state)
{
    (void)state;
    mpq_t half;
    mpq_init(half);
    asked a;
    open_asked(&a, 3);
    noise_set_subsample(&a.g, 3);
    list_add(&a.list, "ln(2)", "0", 3);
    rational_of(half, "3/2");
    assert_true(logform_add_log(&a.x, half, a.list.item[0].epsilon.value));
    size_t two[VERTICES] = {1, 0, 0, 0, 2, 0, 0, 0}, one[VERTICES] = {2, 0, 0, 0, 1, 0, 0, 0};
    set_seats(&a, 0, two);
    assert_int_equal(answer_of(&a, true), DP_NO);
    set_seats(&a, 0, one);
    expect_tie(&a, true);
    close_asked(&a);
    mpq_clear(half);
}

/* K as large as it is served: the identity of a sample of one vote once more, in time. */
static void test_large(void **state)
{
    (void)state;
    asked a;
    open_asked(&a, 301);
    noise_set_subsample(&a.g, 1);
    list_add(&a.list, "0.1", "1e-5", 301);
    size_t n[VERTICES] = {0, 0, 1, 0, 300, 0, 0, 0};
    set_seats(&a, 0, n);
    rational_of(a.x.rational, "0.1");
    rational_of(a.delta, "1e-5");
    expect_tie(&a, true);
    close_asked(&a);
}

/* ---- what is reached, and the scan ---- */

static void test_reaches(void **state)
{
    (void)state;
    static const struct {
        const char *delta;
        size_t n[VERTICES];
        bool reaches; /* two ones of three, under p' */
    } list[] = {{"1/4", {3, 0, 0, 0, 0, 0, 0, 0}, false}, {"1/4", {1, 2, 0, 0, 0, 0, 0, 0}, true},
                {"1/4", {0, 0, 3, 0, 0, 0, 0, 0}, false}, {"1/4", {1, 0, 0, 2, 0, 0, 0, 0}, true},
                {"1/4", {0, 0, 2, 0, 1, 0, 0, 0}, false}, {"1/4", {1, 0, 0, 0, 1, 1, 0, 0}, true},
                {"1/4", {0, 0, 1, 0, 0, 0, 2, 0}, true},  {"1", {0, 0, 0, 0, 3, 0, 0, 0}, false},
                {"1", {0, 0, 0, 0, 0, 3, 0, 0}, true},    {"1", {0, 0, 0, 0, 0, 0, 3, 0}, false},
                {"0", {0, 0, 0, 3, 0, 0, 0, 0}, false},   {"1", {0, 0, 0, 2, 0, 0, 0, 1}, true}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        asked a;
        open_asked(&a, 3);
        noise_set_subsample(&a.g, 3);
        list_add(&a.list, "0.1", list[i].delta, 3);
        set_seats(&a, 0, list[i].n);
        tie_question q = {&a.g, false, NULL, a.delta, &none};
        assert_int_equal(tie_reaches(&q, a.seat, 1), list[i].reaches);
        close_asked(&a);
    }
}

/* |scanned - true| <= eight_margin, where roundings add up: many votes, a long table, 1 - delta and
 * c that no double holds, all of b near 1 or spread out. */
static void check_scan(const char *epsilon, const char *delta, size_t voters, double t,
                       uint64_t seed)
{
    rng r = rng_make(seed);
    dp_composition list;
    dp_composition_init(&list);
    list_add(&list, epsilon, delta, voters);
    eight e;
    assert_int_equal(eight_open(&e, &list.item[0], voters, &none), DP_OK);
    double *b = malloc((voters + 1) * sizeof *b);
    for (size_t l = 0; l <= voters; l++) /* exact doubles: the error of b itself is elsewhere */
        b[l] = seed % 2 == 0 ? 1 - (double)rng_below(&r, 3) * 0x1p-53
                             : (double)rng_wide(&r, UINT64_C(1) << 53) * 0x1p-53;
    assert_int_equal(eight_fill(&e, b), DP_OK);
    octets near;
    octet top[8];
    size_t count;
    double weight = 1 / (1 + exp(t)), best = -2;
    assert_int_equal(eight_near(&near, &e, weight), DP_OK);
    assert_int_equal(eight_top(top, 8, &count, &e, weight), DP_OK);
    assert_true(near.count > 0 && count > 0 && (!near.full || seed % 2 == 0));
    near.count = near.count < 50 ? near.count : 50; /* where all are nearly equal */
    mpfr_t *law = reals_new(voters + 1, 200), x, sum[2], odds;
    mpfr_inits2(200, x, sum[0], sum[1], odds, (mpfr_ptr)0);
    mpfr_set_d(odds, t, MPFR_RNDN);
    mpfr_exp(odds, odds, MPFR_RNDN);
    for (size_t i = 0; i < near.count + count; i++) {
        const octet *o = i < near.count ? &near.list[i] : &top[i - near.count];
        for (int side = 0; side < 2; side++) {
            assert_int_equal(eight_law(law, &e, o, side == 1, MPFR_RNDN), DP_OK);
            mpfr_set_zero(sum[side], 1);
            for (size_t l = 0; l <= voters; l++) {
                mpfr_mul_d(x, law[l], b[l], MPFR_RNDN);
                mpfr_add(sum[side], sum[side], x, MPFR_RNDN);
            }
        }
        mpfr_mul(sum[1], sum[1], odds, MPFR_RNDN);
        mpfr_sub(x, sum[0], sum[1], MPFR_RNDN);
        mpfr_add_ui(sum[0], odds, 1, MPFR_RNDN);
        mpfr_div(x, x, sum[0], MPFR_RNDN);
        best = fmax(best, mpfr_get_d(x, MPFR_RNDU));
        mpfr_sub_d(x, x, o->value, MPFR_RNDN);
        assert_true(fabs(mpfr_get_d(x, MPFR_RNDA)) <= eight_margin(&e));
    }
    assert_true(best <= near.most);
    mpfr_clears(x, sum[0], sum[1], odds, (mpfr_ptr)0);
    reals_free(law, voters + 1);
    free(near.list);
    free(b);
    eight_close(&e);
    dp_composition_clear(&list);
}

static void test_scan(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= (uint64_t)rounds(4); seed++) {
        check_scan("0.1", "1/3", 13, 0.3, seed);
        check_scan("2", "1e-5", 15, 0, seed);
        check_scan("1e-9", "0.9999", 11, 1e-9, seed);
        check_scan("1/3", "0", 101, 10, seed);
        check_scan("1e-6", "0", 201, 1e-5, seed);
        check_scan("30", "1e-300", 9, 700, seed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rational_odds),  cmocka_unit_test(test_sample_of_one),
        cmocka_unit_test(test_sum_of_largest), cmocka_unit_test(test_algebraic),
        cmocka_unit_test(test_large),          cmocka_unit_test(test_reaches),
        cmocka_unit_test(test_scan),
    };
    return cmocka_run_group_tests_name("ties", tests, NULL, NULL);
}
