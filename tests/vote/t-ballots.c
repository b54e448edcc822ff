/* SPDX-License-Identifier: MIT */
/* The leaves that doubles leave in question, against all leaves enclosed; sums in doubles against
 * their own bound, taken from enclosures of each leaf. */
#include "support.h"

#include "num/binary64.h"
#include "num/memory.h"
#include "vote/ballots.h"
#include "vote/shortlist.h"

#define BITS 200
#define KINDS 4

static const char *const epsilons[] = {"0.1", "ln(2)", "3", "200", "0"},
                         *const deltas[] = {"0", "1e-5", "0.3", "1e-290"},
                         *const targets[] = {"0", "ln(2)", "0.3", "900"};

typedef struct scene {
    dp_composition groups;
    corners corners;
    noise g;
    limits lim;
    dp_options opt;
    size_t voters;
} scene;

/* Constant, a sample of votes, or in steps of 1/8 that rise to both ends, alike or not */
static void set_noise(noise *g, size_t kind, rng *r)
{
    size_t K = g->voters;
    mpq_t q;
    mpq_init(q);
    mpq_set_ui(q, rng_below(r, 9), 8);
    mpq_canonicalize(q);
    if (kind == 0)
        noise_set_constant(g, q);
    else if (kind == 1)
        noise_set_subsample(g, 1 + rng_below(r, K));
    for (size_t side = 0; kind > 1 && side < 2; side++)
        for (size_t l = K / 2 + 1, v = 0; l <= K; l++) {
            v += rng_below(r, 4);
            mpq_t *to = &g->gamma[side == 0 ? l : K - l];
            mpq_set_ui(*to, v < 8 ? v : 8, 8);
            mpq_canonicalize(*to);
            if (kind == 2)
                mpq_set(g->gamma[K - l], *to);
        }
    mpq_clear(q);
}

static void scene_open(scene *s, rng *r, size_t kind)
{
    size_t count = 1 + rng_below(r, 2);
    s->voters = 3 + 2 * rng_below(r, 5);
    s->opt = dp_options_default();
    limits_start(&s->lim, &s->opt);
    dp_composition_init(&s->groups);
    for (size_t g = 0, left = s->voters; g < count; g++) {
        size_t m = g + 1 == count ? left : 1 + rng_below(r, left - 1);
        list_add(&s->groups, epsilons[rng_below(r, 5)], deltas[rng_below(r, 4)], m);
        left -= m;
    }
    assert_true(noise_init(&s->g, s->voters));
    assert_int_equal(corners_init(&s->corners, &s->groups, s->voters, 200000, &s->lim), DP_OK);
    set_noise(&s->g, kind, r);
    assert_true(noise_is_monotone(&s->g));
}

static void scene_close(scene *s)
{
    corners_clear(&s->corners);
    noise_clear(&s->g);
    dp_composition_clear(&s->groups);
}

static void assert_meet(const mpfi_t a, const mpfi_t b)
{
    mpfi_t both;
    mpfi_init2(both, BITS + 64);
    mpfi_intersect(both, a, b);
    assert_false(mpfi_is_empty(both));
    /* as narrow as each other, but for a few roundings */
    mpfr_t wide[2];
    for (size_t i = 0; i < 2; i++) {
        mpfr_init2(wide[i], 64);
        mpfi_diam_abs(wide[i], i == 0 ? a : b);
    }
    if (mpfr_number_p(wide[1])) {
        mpfr_mul_ui(wide[1], wide[1], 64, MPFR_RNDU);
        assert_true(mpfr_lessequal_p(wide[0], wide[1]));
    } else {
        assert_false(mpfr_number_p(wide[0]));
    }
    mpfr_clear(wide[0]);
    mpfr_clear(wide[1]);
    mpfi_clear(both);
}

static void compare(scene *s, bool mirrored, const char *target, const char *delta)
{
    const noise *g = &s->g;
    ballots v[2];
    mpfi_t odds, out[2];
    mpq_t d;
    logform x;
    dp_number e;
    standing stand[2];
    dp_decision finite[2];
    size_t leaf[2];
    mpq_init(d);
    rational_of(d, delta);
    dp_number_init(&e);
    number_of(&e, target);
    logform_init(&x);
    assert_true(logform_add_number(&x, NULL, &e));
    mpfi_init2(odds, BITS);
    logform_enclose(odds, &x);
    mpfi_exp(odds, odds);
    for (size_t i = 0; i < 2; i++) {
        mpfi_init2(out[i], BITS);
        assert_int_equal(ballots_open(&v[i], &s->corners, &g, &mirrored, 1, BITS, i == 1), DP_OK);
        assert_int_equal(ballots_delta(out[i], &leaf[i], &v[i], 0, odds), DP_OK);
    }
    assert_meet(out[0], out[1]);
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(ballots_epsilon(out[i], &finite[i], &v[i], 0, d), DP_OK);
    assert_int_equal(finite[0], finite[1]);
    assert_meet(out[0], out[1]);
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(ballots_stand(&stand[i], &v[i], 0, &x, d), DP_OK);
    assert_true(stand[0].known == stand[1].known && stand[0].sign == stand[1].sign &&
                stand[0].pinned == stand[1].pinned);
    for (size_t i = 0; i < 2; i++) {
        ballots_close(&v[i]);
        mpfi_clear(out[i]);
    }
    mpfi_clear(odds);
    logform_clear(&x);
    dp_number_clear(&e);
    mpq_clear(d);
}

static void test_few_and_all(void **state)
{
    (void)state;
    rng r = rng_make(14);
    for (int i = 0; i < rounds(60); i++) {
        scene s;
        scene_open(&s, &r, (size_t)i % KINDS);
        for (int side = 0; side < noise_sides(&s.g); side++)
            compare(&s, side == 1, targets[rng_below(&r, 4)], deltas[rng_below(&r, 4)]);
        scene_close(&s);
    }
}

/* B and B' of all leaves at `way`, in the order of both */
static void visit(void *context, size_t leaf, mpfr_t *law, size_t length, size_t shift)
{
    mpfr_t **to = context;
    mpfr_t part;
    mpfr_init2(part, BITS);
    for (size_t i = 0; i < length; i++) {
        mpfr_mul(part, law[i], to[1][i + shift], MPFR_RNDN);
        mpfr_add(to[0][leaf], to[0][leaf], part, MPFR_RNDN);
    }
    mpfr_clear(part);
}

/* The largest error of a sum, of its bound; 2 where a 0 is none. */
static double worst_error(scene *s)
{
    double worst = 0;
    leaf_sums sums;
    mpq_t q, end;
    mpq_inits(q, end, NULL);
    mpfr_t *b = reals_new(s->voters + 1, BITS), bound;
    mpfr_init2(bound, BITS);
    for (size_t l = 0; l <= s->voters; l++) {
        noise_answer(q, &s->g, l, false);
        mpfr_set_q(b[l], q, MPFR_RNDN);
    }
    assert_int_equal(leaf_sums_open(&sums, &s->corners, &s->g, false), DP_OK);
    for (size_t side = 0; side < 4; side++) {
        for (size_t l = 0; side > 1 && l <= s->voters; l++) { /* b(K) - b, b - b(0) */
            noise_answer(q, &s->g, side == 2 ? s->voters : 0, false);
            noise_answer(end, &s->g, l, false);
            mpq_sub(q, q, end);
            mpq_abs(q, q);
            mpfr_set_q(b[l], q, MPFR_RNDN);
        }
        mpfr_t *sum = reals_new(s->corners.leaves, BITS), *to[2] = {sum, b};
        corners_walk(&s->corners, side % 2 == 1, MPFR_RNDN, BITS, visit, to);
        for (size_t i = 0; i < s->corners.leaves; i++) {
            double computed = sums.sum[side][i];
            mpfr_set_d(bound, computed, MPFR_RNDN);
            mpfr_mul_d(bound, bound, sums.error, MPFR_RNDN);
            mpfr_add_d(bound, bound, sums.least, MPFR_RNDN);
            mpfr_sub_d(sum[i], sum[i], computed, MPFR_RNDN);
            if (mpfr_zero_p(bound)) {
                worst = mpfr_zero_p(sum[i]) ? worst : 2;
                continue;
            }
            mpfr_div(sum[i], sum[i], bound, MPFR_RNDN);
            double d = mpfr_get_d(sum[i], MPFR_RNDN);
            worst = d > worst ? d : -d > worst ? -d : worst;
        }
        reals_free(sum, s->corners.leaves);
    }
    leaf_sums_close(&sums);
    mpfr_clear(bound);
    reals_free(b, s->voters + 1);
    mpq_clears(q, end, NULL);
    return worst;
}

/* No error is beyond its bound, which is not wider than four times what errors there are. */
static void test_errors(void **state)
{
    (void)state;
    rng r = rng_make(9);
    double worst = 0;
    for (int i = 0; i < rounds(40); i++) {
        scene s;
        scene_open(&s, &r, (size_t)i % KINDS);
        double d = worst_error(&s);
        worst = d > worst ? d : worst;
        scene_close(&s);
    }
    assert_true(worst < 1 && worst > 0.1);
}

/* Two leaves nearer than the errors are both in the list; one farther below is not. */
static void test_margins(void **state)
{
    (void)state;
    double b[3] = {0.5, 0.5 * (1 - 0x1p-48), 0.5 * (1 - 0x1p-40)}, primed[3] = {0, 0, 0},
           far[3] = {0.5, 0.5, 0.5}, none[3] = {0, 0, 0};
    leaf_sums s = {{b, primed, far, none}, 0x1p-47, 0};
    for (int ratio = 0; ratio < 2; ratio++) {
        shortlist l;
        bool few;
        aim t = {.ratio = ratio == 1,
                 .own = 0.5,
                 .other = 0.5,
                 .floor = 0x1p-1074,
                 .ceiling = 1,
                 .best = true};
        for (size_t i = 0; i < 3; i++)
            primed[i] = ratio == 1 ? 0.25 : 0;
        assert_int_equal(shortlist_open(&l, &few, &s, 3, &t), DP_OK);
        assert_true(few && l.count == 2 && l.leaf[0] == 0 && l.leaf[1] == 1);
        shortlist_close(&l);
        if (ratio == 1)
            continue;
        far[0] = 0x1p-60;
        far[1] = 0x1p-60 * (1 - 0x1p-48);
        far[2] = 0x1p-60 * (1 + 0x1p-40);
        b[2] = b[0];
        assert_int_equal(shortlist_open(&l, &few, &s, 3, &t), DP_OK);
        assert_true(few && l.count == 2 && l.leaf[0] == 0 && l.leaf[1] == 1);
        shortlist_close(&l);
        b[2] = 0.5 * (1 - 0x1p-40);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_few_and_all),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_margins),
    };
    return cmocka_run_group_tests_name("ballots", tests, NULL, NULL);
}
