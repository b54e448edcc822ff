/* SPDX-License-Identifier: MIT */
/* How often audits are false at the boundary of a claim: by enumeration of all outcomes, in exact
 * rationals, or rounded upward where the boundary is Gaussian. */
#include "support.h"

#include "alarms.h"

#include <string.h>

#include "attack/binomial.h"

#define MOST 10
#define BITS 100

typedef struct ask {
    dp_audit a;
    dp_result r;
    dp_number n[4], delta, confidence, claim, at, point[8];
    dp_options opt;
} ask;

static void ask_each(ask *q, void (*f)(dp_number *))
{
    for (size_t i = 0; i < 4; i++)
        f(&q->n[i]);
    for (size_t i = 0; i < 8; i++)
        f(&q->point[i]);
    f(&q->delta);
    f(&q->confidence);
    f(&q->claim);
    f(&q->at);
}

static void ask_open(ask *q, dp_audit_method method, const char *delta, const char *confidence)
{
    memset(q, 0, sizeof *q);
    dp_result_init(&q->r);
    ask_each(q, dp_number_init);
    number_of(&q->delta, delta);
    number_of(&q->confidence, confidence);
    q->a = (dp_audit){.delta = &q->delta, .confidence = &q->confidence, .method = method};
    q->opt = dp_options_default();
}

static void ask_close(ask *q)
{
    ask_each(q, dp_number_clear);
    dp_result_clear(&q->r);
}

static void answer(ask *q)
{
    dp_error err = {DP_OK, NULL, NULL};
    if (dp_audit_evaluate(&q->r, &q->a, &q->opt, &err) != DP_OK)
        fail_msg("%s %s", err.argument, err.message);
}

/* ---- two samples ---- */

#define N1 7
#define N0 6

/* The statement of each outcome: its lower end. */
typedef struct statements {
    mpfr_t low[N1 + 1][N0 + 1];
} statements;

static void statements_of(statements *s, ask *q, const char *id, const char *name)
{
    q->a.true_positives = &q->n[0];
    q->a.positives = &q->n[1];
    q->a.false_positives = &q->n[2];
    q->a.negatives = &q->n[3];
    dp_number_set_ui(&q->n[1], N1);
    dp_number_set_ui(&q->n[3], N0);
    for (unsigned long tp = 0; tp <= N1; tp++)
        for (unsigned long fp = 0; fp <= N0; fp++) {
            dp_number_set_ui(&q->n[0], tp);
            dp_number_set_ui(&q->n[2], fp);
            answer(q);
            const dp_figure *f = row_of(&q->r, id, name);
            mpfr_init2(s->low[tp][fp], BITS);
            if (f->kind == DP_RATIONAL)
                mpfr_set_q(s->low[tp][fp], f->rational, MPFR_RNDU);
            else
                mpfr_set(s->low[tp][fp], &f->enclosure->left, MPFR_RNDU);
        }
}

static void statements_clear(statements *s)
{
    for (unsigned long tp = 0; tp <= N1; tp++)
        for (unsigned long fp = 0; fp <= N0; fp++)
            mpfr_clear(s->low[tp][fp]);
}

/* How much of alpha is used, at most, where the truth is not below `truth` and the rates are these.
 */
static double used(const statements *s, mpfr_srcptr truth, const share *y, const share *x,
                   const char *confidence)
{
    mpfi_t sum, part, other;
    mpq_t alpha;
    mpfi_init2(sum, BITS);
    mpfi_init2(part, BITS);
    mpfi_init2(other, BITS);
    mpq_init(alpha);
    mpfi_set_ui(sum, 0);
    for (unsigned long tp = 0; tp <= N1; tp++)
        for (unsigned long fp = 0; fp <= N0; fp++)
            if (mpfr_cmp(s->low[tp][fp], truth) > 0) {
                binomial_mass(part, tp, N1, y);
                binomial_mass(other, fp, N0, x);
                mpfi_mul(part, part, other);
                mpfi_add(sum, sum, part);
            }
    rational_of(alpha, confidence);
    mpz_sub(mpq_numref(alpha), mpq_denref(alpha), mpq_numref(alpha));
    if (mpfr_cmp_q(&sum->right, alpha) > 0)
        fail_msg("false alarms: %g", mpfi_get_d(sum));
    mpfi_div_q(sum, sum, alpha);
    double most = mpfi_get_d(sum);
    mpq_clear(alpha);
    mpfi_clear(other);
    mpfi_clear(part);
    mpfi_clear(sum);
    return most;
}

/* On F(x) = min(1, E x + delta, 1 - (1-x-delta)/E), the boundary of (ln E, delta), by rationals. */
static double on_lines(const statements *s, mpfr_srcptr truth, const char *odds, const char *delta,
                       const char *confidence)
{
    mpq_t e, d, x, y, z;
    share at, rate;
    double most = 0;
    mpq_inits(e, d, x, y, z, NULL);
    share_init(&at, BITS);
    share_init(&rate, BITS);
    rational_of(e, odds);
    rational_of(d, delta);
    for (unsigned long i = 0; i <= 40; i++) {
        mpq_set_ui(x, i, 40);
        mpq_canonicalize(x);
        mpq_mul(y, e, x);
        mpq_add(y, y, d);
        mpq_set_ui(z, 1, 1);
        mpq_sub(z, z, x);
        mpq_sub(z, z, d);
        mpq_div(z, z, e);
        mpz_sub(mpq_numref(z), mpq_denref(z), mpq_numref(z));
        if (mpq_cmp(z, y) < 0)
            mpq_set(y, z);
        if (mpq_cmp_ui(y, 1, 1) > 0)
            mpq_set_ui(y, 1, 1);
        share_set_q(&at, x);
        share_set_q(&rate, y);
        double part = used(s, truth, &rate, &at, confidence);
        most = part > most ? part : most;
    }
    share_clear(&rate);
    share_clear(&at);
    mpq_clears(e, d, x, y, z, NULL);
    return most;
}

static void test_two_samples(void **state)
{
    (void)state;
    static const dp_audit_method method[] = {DP_AUDIT_CP, DP_AUDIT_SIDAK, DP_AUDIT_FISHER};
    static const char *const id[] = {"audit-cp", "audit-cp-sidak", "audit-fisher"};
    static const char *const given[][2] = {{"0", "0.9"}, {"1/20", "0.8"}, {"1/100", "0.5"}};
    static const char *const odds[] = {"1", "3/2", "2", "4", "10"};
    mpfr_t truth;
    mpq_t e;
    mpfr_init2(truth, BITS);
    mpq_init(e);
    for (int m = 0; m < 3; m++) {
        double most = 0;
        for (size_t g = 0; g < 3; g++) {
            ask q;
            statements s;
            ask_open(&q, method[m], given[g][0], given[g][1]);
            statements_of(&s, &q, id[m], "epsilon_lower");
            for (size_t i = 0; i < 5; i++) {
                rational_of(e, odds[i]);
                mpfr_set_q(truth, e, MPFR_RNDD);
                mpfr_log(truth, truth, MPFR_RNDD);
                double part = on_lines(&s, truth, odds[i], given[g][0], given[g][1]);
                most = part > most ? part : most;
            }
            statements_clear(&s);
            ask_close(&q);
        }
        assert_true(most > 0.15); /* the limit is used: a bound that is too large would be seen */
    }
    mpq_clear(e);
    mpfr_clear(truth);
}

/* The least delta at ln 2. */
static void test_curve(void **state)
{
    (void)state;
    static const char *const delta[] = {"0", "1/10", "1/3"};
    ask q;
    statements s;
    mpfr_t truth;
    mpq_t d;
    double most = 0;
    mpfr_init2(truth, BITS);
    mpq_init(d);
    ask_open(&q, DP_AUDIT_CP, "0", "0.8");
    number_of(&q.at, "ln(2)");
    q.a.at_epsilon = &q.at;
    statements_of(&s, &q, "audit-curve", "delta_lower");
    for (size_t i = 0; i < 3; i++) {
        rational_of(d, delta[i]);
        mpfr_set_q(truth, d, MPFR_RNDD);
        double part = on_lines(&s, truth, "2", delta[i], "0.8");
        most = part > most ? part : most;
    }
    assert_true(most > 0.04);
    statements_clear(&s);
    ask_close(&q);
    mpq_clear(d);
    mpfr_clear(truth);
}

/* out = Phi(t), and its complement */
static void normal(share *out, double t)
{
    mpfi_t x;
    mpfi_init2(x, BITS);
    mpfi_set_ui(x, 2);
    mpfi_sqrt(x, x);
    mpfi_d_div(x, t, x);
    mpfr_erfc(&out->no->left, &x->right, MPFR_RNDD);
    mpfr_erfc(&out->no->right, &x->left, MPFR_RNDU);
    mpfi_neg(x, x);
    mpfr_erfc(&out->yes->left, &x->right, MPFR_RNDD);
    mpfr_erfc(&out->yes->right, &x->left, MPFR_RNDU);
    mpfi_div_2ui(out->yes, out->yes, 1);
    mpfi_div_2ui(out->no, out->no, 1);
    mpfi_clear(x);
}

/* audit-gdp, on the curve y = Phi(Phi^-1(x) + mu). */
static void test_gdp(void **state)
{
    (void)state;
    mpfr_t truth;
    mpfr_init2(truth, BITS);
    for (int m = 0; m < 2; m++) {
        ask q;
        statements s;
        share x, y;
        double most = 0;
        share_init(&x, BITS);
        share_init(&y, BITS);
        ask_open(&q, m == 0 ? DP_AUDIT_CP : DP_AUDIT_SIDAK, "0", "0.8");
        q.a.gdp = true;
        statements_of(&s, &q, "audit-gdp", "mu_lower");
        for (double mu = 0; mu < 4; mu += 0.5)
            for (double t = -5; t <= 3; t += 0.25) {
                mpfr_set_d(truth, mu, MPFR_RNDN);
                normal(&x, t);
                normal(&y, t + mu);
                double part = used(&s, truth, &y, &x, "0.8");
                most = part > most ? part : most;
            }
        assert_true(most > 0.05);
        statements_clear(&s);
        ask_close(&q);
        share_clear(&y);
        share_clear(&x);
    }
    mpfr_clear(truth);
}

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

/* Of a fixed number of guesses: what is not refuted by the exact row would be too often. */
static void test_one_run(void **state)
{
    (void)state;
    static const dp_audit_method method[] = {DP_AUDIT_EXACT, DP_AUDIT_FDP};
    static const char *const deltas[] = {"0", "1/100"};
    mpq_t q, delta, level;
    mpq_inits(q, delta, level, NULL);
    double most[2] = {0, 0};
    for (int i = 0; i < 12; i++)
        for (unsigned long m = 1; m <= MOST; m += 3) {
            unsigned long v[MOST + 1];
            int way = i % 2, c = i / 4;
            ask a;
            ask_open(&a, method[way], deltas[i / 2 % 2], "0.8");
            number_of(&a.claim, boundary[c].claim);
            a.opt.max_epsilon = &a.claim;
            rational_of(q, boundary[c].share);
            rational_of(delta, deltas[i / 2 % 2]);
            for (unsigned long r = 0; r <= m; r++)
                v[r] = r + 1;
            v[m] = threshold(&a, m, m);
            worst_level(level, m, v, q, delta);
            double part = kept(level, "0.2");
            most[way] = part > most[way] ? part : most[way];
            if (way == 0 && v[m] > 1) {
                v[m]--;
                worst_level(level, m, v, q, delta);
                assert_true(mpq_cmp_ui(level, 1, 5) > 0);
            }
            ask_close(&a);
        }
    assert_true(most[0] > 0.7 && most[1] > 0.7);
    mpq_clears(q, delta, level, NULL);
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
        cmocka_unit_test(test_two_samples), cmocka_unit_test(test_curve),
        cmocka_unit_test(test_gdp),         cmocka_unit_test(test_one_run),
        cmocka_unit_test(test_adaptive),    cmocka_unit_test(test_profile),
        cmocka_unit_test(test_gaussian),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
