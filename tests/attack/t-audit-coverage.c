/* SPDX-License-Identifier: MIT */
/* How often audits of one run, and of trials with a coin, are false at the boundary of a claim: by
 * enumeration of all outcomes, in exact rationals, or rounded upward where the boundary is
 * Gaussian.
 */
#include "coverage.h"

#define MOST 10

/* ---- one run ---- */

static void one_run(ask *q, unsigned long m, unsigned long r, unsigned long v)
{
    q->a.one_run = true;
    dp_number_set_ui(&q->n[0], m);
    dp_number_set_ui(&q->n[1], r);
    dp_number_set_ui(&q->n[2], v);
    q->a.canaries = &q->n[0];
    q->a.guesses = &q->n[1];
    q->a.correct = &q->n[2];
}

/* The least v at which the claim is refuted; r + 1: none. More refute too. */
static unsigned long threshold(ask *q, unsigned long m, unsigned long r)
{
    unsigned long least = r + 1;
    for (unsigned long v = r + 1; v-- > 0;) {
        one_run(q, m, r, v);
        answer(q);
        bool refuted = q->r.check.holds == DP_NO;
        assert_true(q->r.check.holds != DP_UNKNOWN);
        assert_false(refuted && least != v + 1);
        least = refuted ? v : least;
    }
    return least;
}

/* beta = Pr[Bin(r, q) >= v] and ratio = beta/(v pi(v)), v >= 1 */
static void beta_of(mpq_t beta, mpq_t ratio, unsigned long v, unsigned long r, const mpq_t q)
{
    exact_tail(beta, v, r, q);
    exact_tail(ratio, v + 1, r, q);
    mpq_sub(ratio, beta, ratio);
    mpz_mul_ui(mpq_numref(ratio), mpq_numref(ratio), v);
    mpq_canonicalize(ratio);
    mpq_div(ratio, beta, ratio);
}

/* The worst level of "W >= v(r)", which is attained: min(1, lambda + m delta (1-lambda) max ratio).
 */
static void worst_level(mpq_t level, unsigned long m, const unsigned long *v, const mpq_t q,
                        const mpq_t delta)
{
    mpq_t beta, ratio, most;
    mpq_inits(beta, ratio, most, NULL);
    mpq_set_ui(level, 0, 1);
    for (unsigned long r = 1; r <= m; r++) {
        if (v[r] > r)
            continue;
        beta_of(beta, ratio, v[r], r, q);
        if (mpq_cmp(beta, level) > 0)
            mpq_set(level, beta);
        if (mpq_cmp(ratio, most) > 0)
            mpq_set(most, ratio);
    }
    mpq_set_ui(ratio, m, 1);
    mpq_mul(ratio, ratio, delta);
    mpq_mul(ratio, ratio, most);
    mpq_set_ui(beta, 1, 1);
    mpq_sub(beta, beta, level);
    mpq_mul(ratio, ratio, beta);
    mpq_add(level, level, ratio);
    mpq_clears(beta, ratio, most, NULL);
}

static double kept(const mpq_t level, const char *alpha)
{
    mpq_t a;
    mpq_init(a);
    rational_of(a, alpha);
    if (mpq_cmp(level, a) > 0)
        fail_msg("false alarms: %g in place of %s", mpq_get_d(level), alpha);
    mpq_div(a, level, a);
    double used_up = mpq_get_d(a);
    mpq_clear(a);
    return used_up;
}

static const struct {
    const char *odds, *claim, *share;
} boundary[] = {{"1", "0", "1/2"}, {"2", "ln(2)", "2/3"}, {"5", "ln(5)", "5/6"}};

/* Of a fixed number of guesses, of all canaries or of some: what is not refuted by the exact row
 * would be too often. Where positions are fixed the others do not count. */
static void fixed_number(double most[2], int i, unsigned long m, unsigned long r, bool named)
{
    static const dp_audit_method method[] = {DP_AUDIT_EXACT, DP_AUDIT_FDP};
    static const char *const deltas[] = {"0", "1/100"};
    unsigned long v[MOST + 1], counted = named ? r : m;
    int way = i % 2, c = i / 4;
    mpq_t q, delta, level;
    ask a;
    mpq_inits(q, delta, level, NULL);
    ask_open(&a, method[way], deltas[i / 2 % 2], "0.8");
    number_of(&a.claim, boundary[c].claim);
    a.opt.max_epsilon = &a.claim;
    a.a.fixed_positions = named;
    rational_of(q, boundary[c].share);
    rational_of(delta, deltas[i / 2 % 2]);
    for (unsigned long k = 0; k <= counted; k++)
        v[k] = k + 1;
    v[r] = threshold(&a, m, r);
    worst_level(level, counted, v, q, delta);
    double part = kept(level, "0.2");
    most[way] = part > most[way] ? part : most[way];
    if (way == 0 && v[r] > 1) {
        v[r]--;
        worst_level(level, counted, v, q, delta);
        assert_true(mpq_cmp_ui(level, 1, 5) > 0);
    }
    ask_close(&a);
    mpq_clears(q, delta, level, NULL);
}

static void test_one_run(void **state)
{
    (void)state;
    double most[2] = {0, 0};
    for (int i = 0; i < 12; i++)
        for (unsigned long m = 1; m <= MOST; m += 3) {
            fixed_number(most, i, m, m, false);
            if (m > 1)
                fixed_number(most, i, m, m / 2, false);
            fixed_number(most, i, MOST, m, i % 2 == 0);
        }
    assert_true(most[0] > 0.7 && most[1] > 0.7);
}

/* Of announced looks each has its share. */
static void test_looks(void **state)
{
    (void)state;
    static const dp_audit_method method[] = {DP_AUDIT_EXACT, DP_AUDIT_FDP, DP_AUDIT_ADAPTIVE};
    mpq_t q, delta, level;
    mpq_inits(q, delta, level, NULL);
    rational_of(q, "2/3");
    rational_of(delta, "1/500");
    for (int i = 0; i < 3; i++) {
        unsigned long v[MOST + 1];
        ask a;
        ask_open(&a, method[i], "1/500", "0.4");
        ask_looks(&a, 3);
        number_of(&a.claim, "ln(2)");
        a.opt.max_epsilon = &a.claim;
        for (unsigned long r = 0; r <= MOST; r++)
            v[r] = r + 1;
        for (unsigned long r = method[i] == DP_AUDIT_ADAPTIVE ? 1 : MOST; r <= MOST; r++)
            v[r] = threshold(&a, MOST, r);
        worst_level(level, MOST, v, q, delta);
        assert_true(kept(level, "1/5") > 0.3);
        ask_close(&a);
    }
    mpq_clears(q, delta, level, NULL);
}

/* Each answer is right with (E + delta)/(E + 1): the statement is above the truth in alpha of all
 * audits at most, and with one right answer less refuted it would be more. */
static void test_coin(void **state)
{
    (void)state;
    static const char *const given[][2] = {{"0", "0.8"}, {"1/10", "0.8"}, {"1/50", "0.6"}};
    static const char *const alpha[] = {"1/5", "1/5", "2/5"};
    mpq_t right, delta, odds, level, limit;
    mpq_inits(right, delta, odds, level, limit, NULL);
    double most = 0;
    for (size_t g = 0; g < 3; g++)
        for (size_t c = 0; c < 3; c++)
            for (unsigned long n = 1; n <= 12; n++) {
                ask a;
                ask_open(&a, DP_AUDIT_COIN, given[g][0], given[g][1]);
                number_of(&a.claim, boundary[c].claim);
                a.opt.max_epsilon = &a.claim;
                dp_number_set_ui(&a.n[1], n);
                a.a.correct = &a.n[0];
                a.a.trials = &a.n[1];
                unsigned long least = n + 1;
                for (unsigned long w = n + 1; w-- > 0;) {
                    dp_number_set_ui(&a.n[0], w);
                    answer(&a);
                    least = a.r.check.holds == DP_NO ? w : least;
                }
                rational_of(delta, given[g][0]);
                rational_of(odds, boundary[c].odds);
                rational_of(limit, alpha[g]);
                mpq_add(right, odds, delta);
                mpq_set_ui(level, 1, 1);
                mpq_add(odds, odds, level);
                mpq_div(right, right, odds);
                exact_tail(level, least, n, right);
                double part = kept(level, alpha[g]);
                most = part > most ? part : most;
                exact_tail(level, least - 1, n, right);
                assert_true(mpq_cmp(level, limit) > 0);
                ask_close(&a);
            }
    assert_true(most > 0.7);
    mpq_clears(right, delta, odds, level, limit, NULL);
}

/* level = Pr[at least v right] of `in` guesses with p and `out` with q. */
static void both_tail(mpq_t level, unsigned long in, unsigned long out, unsigned long v,
                      const mpq_t p, const mpq_t q)
{
    mpq_t part, next, tail;
    mpq_inits(part, next, tail, NULL);
    mpq_set_ui(level, 0, 1);
    for (unsigned long j = 0; j <= in; j++) {
        exact_tail(part, j, in, p);
        exact_tail(next, j + 1, in, p);
        mpq_sub(part, part, next);
        exact_tail(tail, v > j ? v - j : 0, out, q);
        mpq_mul(part, part, tail);
        mpq_add(level, level, part);
    }
    mpq_clears(part, next, tail, NULL);
}

/* Canaries that are in with probability 1/4, at odds 2: guesses of either kind are right with 2/5
 * and 6/7 by randomized response. Of known kinds, and of unknown ones, which may all be of the
 * likelier.
 */
static void test_inclusion(void **state)
{
    (void)state;
    mpq_t p, q, level;
    mpq_inits(p, q, level, NULL);
    rational_of(p, "2/5");
    rational_of(q, "6/7");
    double most = 0;
    for (unsigned long r = 1; r <= 9; r += 2)
        for (unsigned long in = 0; in <= r + 1; in++) {
            ask a;
            ask_open(&a, DP_AUDIT_BY_DESIGN, "0", "0.8");
            number_of(&a.claim, "ln(2)");
            number_of(&a.at, "1/4");
            a.opt.max_epsilon = &a.claim;
            a.a.inclusion = &a.at;
            dp_number_set_ui(&a.n[3], in);
            a.a.said_in = in <= r ? &a.n[3] : NULL;
            unsigned long v = threshold(&a, 12, r);
            for (unsigned long kind = 0; kind <= r; kind++) {
                if (in <= r && kind != in)
                    continue;
                both_tail(level, kind, r - kind, v, p, q);
                double part = kept(level, "1/5");
                most = part > most ? part : most;
            }
            ask_close(&a);
        }
    assert_true(most > 0.7);
    mpq_clears(p, q, level, NULL);
}

/* At delta 0 the number of guesses may be that of the output, with no correction: randomized
 * response about all canaries, of which the attack then guesses those that look alike, so that few
 * guesses are made where many are one-sided. Each rule of one number keeps alpha given the output.
 */
static void test_free_number(void **state)
{
    (void)state;
    enum { M = 6 };
    unsigned long v[M + 1];
    ask a;
    ask_open(&a, DP_AUDIT_BY_DESIGN, "0", "0.8");
    number_of(&a.claim, "ln(2)");
    a.opt.max_epsilon = &a.claim;
    for (unsigned long r = 1; r <= M; r++)
        v[r] = threshold(&a, M, r);
    ask_close(&a);
    mpq_t alarm, part, level;
    mpq_inits(alarm, part, level, NULL);
    for (unsigned long seen = 0; seen < 1UL << M; seen++)
        for (unsigned long bits = 0; bits < 1UL << M; bits++) {
            unsigned long ones = 0, agree = 0, right = 0;
            for (unsigned long i = 0; i < M; i++) {
                ones += seen >> i & 1;
                agree += (seen >> i & 1) == (bits >> i & 1);
            }
            bool side = 2 * ones >= M; /* the more frequent answer */
            unsigned long r = side ? ones : M - ones;
            for (unsigned long i = 0; i < M; i++)
                right += (seen >> i & 1) == side && (bits >> i & 1) == side;
            if (right < v[r])
                continue;
            mpq_set_ui(part, 1UL << agree, 1); /* (2/3)^agree (1/3)^rest /2^M */
            mpz_ui_pow_ui(mpq_denref(part), 3, M);
            mpz_mul_ui(mpq_denref(part), mpq_denref(part), 1UL << M);
            mpq_canonicalize(part);
            mpq_add(alarm, alarm, part);
        }
    assert_true(kept(alarm, "1/5") > 0.3);
    mpq_clears(alarm, part, level, NULL);
}

/* The attack chooses how many guesses it makes: all outcomes that refute, together. */
static void test_adaptive(void **state)
{
    (void)state;
    mpq_t q, delta, level;
    mpq_inits(q, delta, level, NULL);
    rational_of(delta, "1/200");
    double most = 0;
    for (size_t c = 0; c < 3; c++) {
        unsigned long v[MOST + 1], m = 9;
        ask a;
        ask_open(&a, DP_AUDIT_ADAPTIVE, "1/200", "0.8");
        number_of(&a.claim, boundary[c].claim);
        a.opt.max_epsilon = &a.claim;
        rational_of(q, boundary[c].share);
        for (unsigned long r = 1; r <= m; r++)
            v[r] = threshold(&a, m, r);
        worst_level(level, m, v, q, delta);
        double part = kept(level, "0.2");
        most = part > most ? part : most;
        ask_close(&a);
    }
    assert_true(most > 0.5);
    mpq_clears(q, delta, level, NULL);
}

/* A curve that is randomized response's own, e^epsilon = 4: each guess is right with 4/5. */
static void test_profile(void **state)
{
    (void)state;
    static const char *const point[] = {"0", "3/5", "ln(2)", "2/5", "ln(3)", "1/5", "ln(4)", "0"};
    mpq_t q, level;
    mpq_inits(q, level, NULL);
    rational_of(q, "4/5");
    double most = 0;
    for (unsigned long m = 8; m <= 24; m += 8) {
        ask a;
        ask_open(&a, DP_AUDIT_PROFILE, "0", "0.8");
        for (size_t i = 0; i < 8; i++)
            number_of(&a.point[i], point[i]);
        a.a.claim_point = a.point;
        a.a.claim_points = 8;
        exact_tail(level, threshold(&a, m, m), m, q);
        double part = kept(level, "0.2");
        most = part > most ? part : most;
        ask_close(&a);
    }
    assert_true(most > 0.5);
    mpq_clears(q, level, NULL);
}

/* Each canary its own Gaussian, mu = 1/2: each guess is right with Phi(1/4). */
static void test_gaussian(void **state)
{
    (void)state;
    share right, tail;
    mpq_t alpha;
    mpq_init(alpha);
    share_init(&right, BITS);
    share_init(&tail, BITS);
    normal(&right, 0.25);
    rational_of(alpha, "0.4");
    for (int way = 0; way < 2; way++) {
        ask a;
        ask_open(&a, way == 0 ? DP_AUDIT_FDP : DP_AUDIT_PROFILE, "0", "0.6");
        number_of(&a.claim, "1/2");
        a.a.gdp = true;
        a.a.mu = &a.claim;
        unsigned long v = threshold(&a, 6, 6);
        assert_true(v <= 6);
        binomial_tail(&tail, NULL, v, 6, &right);
        assert_true(mpfr_cmp_q(&tail.yes->right, alpha) <= 0);
        assert_true(mpfr_cmp_d(&tail.yes->left, 0.04) > 0);
        ask_close(&a);
    }
    share_clear(&tail);
    share_clear(&right);
    mpq_clear(alpha);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_run),     cmocka_unit_test(test_looks),
        cmocka_unit_test(test_coin),        cmocka_unit_test(test_inclusion),
        cmocka_unit_test(test_free_number), cmocka_unit_test(test_adaptive),
        cmocka_unit_test(test_profile),     cmocka_unit_test(test_gaussian),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
