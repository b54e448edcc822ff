/* SPDX-License-Identifier: MIT */
/* How often audits of two samples are false at the boundary of a claim: by enumeration of all
 * outcomes, in exact rationals, or rounded upward where the boundary is Gaussian. */
#include "coverage.h"

#define MOST 12

/* The statement of each outcome of n1 and n0 trials: its lower end. */
typedef struct statements {
    unsigned long n1, n0;
    mpfr_t low[MOST + 1][MOST + 1];
} statements;

static void ask_outcome(ask *q, unsigned long tp, unsigned long n1, unsigned long fp,
                        unsigned long n0)
{
    const unsigned long counts[] = {tp, n1, fp, n0};
    for (size_t i = 0; i < 4; i++)
        dp_number_set_ui(&q->n[i], counts[i]);
    q->a.true_positives = &q->n[0];
    q->a.positives = &q->n[1];
    q->a.false_positives = &q->n[2];
    q->a.negatives = &q->n[3];
    answer(q);
}

static void statements_of(statements *s, ask *q, unsigned long n1, unsigned long n0, const char *id,
                          const char *name)
{
    s->n1 = n1;
    s->n0 = n0;
    for (unsigned long tp = 0; tp <= n1; tp++)
        for (unsigned long fp = 0; fp <= n0; fp++) {
            ask_outcome(q, tp, n1, fp, n0);
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
    for (unsigned long tp = 0; tp <= s->n1; tp++)
        for (unsigned long fp = 0; fp <= s->n0; fp++)
            mpfr_clear(s->low[tp][fp]);
}

/* How much of alpha is used, at most, where the truth is not below `truth` and the rates are these.
 */
static double used(const statements *s, mpfr_srcptr truth, const share *y, const share *x,
                   const char *alpha)
{
    mpfi_t sum, part, caught[MOST + 1], passed[MOST + 1];
    mpq_t level;
    mpfi_init2(sum, BITS);
    mpfi_init2(part, BITS);
    mpq_init(level);
    rational_of(level, alpha);
    for (unsigned long tp = 0; tp <= s->n1; tp++) {
        mpfi_init2(caught[tp], BITS);
        binomial_mass(caught[tp], tp, s->n1, y);
    }
    for (unsigned long fp = 0; fp <= s->n0; fp++) {
        mpfi_init2(passed[fp], BITS);
        binomial_mass(passed[fp], fp, s->n0, x);
    }
    mpfi_set_ui(sum, 0);
    for (unsigned long tp = 0; tp <= s->n1; tp++)
        for (unsigned long fp = 0; fp <= s->n0; fp++)
            if (mpfr_cmp(s->low[tp][fp], truth) > 0) {
                mpfi_mul(part, caught[tp], passed[fp]);
                mpfi_add(sum, sum, part);
            }
    if (mpfr_cmp_q(&sum->right, level) > 0)
        fail_msg("%lu and %lu trials: false alarms %g", s->n1, s->n0, mpfi_get_d(sum));
    mpfi_div_q(sum, sum, level);
    double most = mpfi_get_d(sum);
    for (unsigned long tp = 0; tp <= s->n1; tp++)
        mpfi_clear(caught[tp]);
    for (unsigned long fp = 0; fp <= s->n0; fp++)
        mpfi_clear(passed[fp]);
    mpq_clear(level);
    mpfi_clear(part);
    mpfi_clear(sum);
    return most;
}

/* y = F(x) = min(1, E x + delta, 1 - (1-x-delta)/E) */
static void boundary_at(mpq_t y, const mpq_t x, const mpq_t e, const mpq_t d)
{
    mpq_t z;
    mpq_init(z);
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
    mpq_clear(z);
}

#define POINTS 40

/* On the boundary of (ln E, delta), by rationals; at its ends and its corner too. */
static double on_lines(const statements *s, mpfr_srcptr truth, const char *odds, const char *delta,
                       const char *alpha)
{
    mpq_t e, d, x, y;
    share at, rate;
    double most = 0;
    mpq_inits(e, d, x, y, NULL);
    share_init(&at, BITS);
    share_init(&rate, BITS);
    rational_of(e, odds);
    rational_of(d, delta);
    for (unsigned long i = 0; i <= POINTS + 1; i++) {
        if (i <= POINTS) {
            mpq_set_ui(x, i, POINTS);
        } else { /* (1 - delta)/(1 + E) */
            mpq_set_ui(x, 1, 1);
            mpq_sub(x, x, d);
            mpz_add(mpq_numref(y), mpq_numref(e), mpq_denref(e));
            mpz_set(mpq_denref(y), mpq_denref(e));
            mpq_canonicalize(y);
            mpq_div(x, x, y);
        }
        mpq_canonicalize(x);
        boundary_at(y, x, e, d);
        share_set_q(&at, x);
        share_set_q(&rate, y);
        double part = used(s, truth, &rate, &at, alpha);
        most = part > most ? part : most;
    }
    share_clear(&rate);
    share_clear(&at);
    mpq_clears(e, d, x, y, NULL);
    return most;
}

/* One claim of each odds, at the boundary of it. */
static double at_claims(ask *q, unsigned long n1, unsigned long n0, const char *id,
                        const char *delta, const char *alpha)
{
    static const char *const odds[] = {"1", "3/2", "2", "4", "10"};
    statements s;
    mpfr_t truth;
    mpq_t e;
    double most = 0;
    mpfr_init2(truth, BITS);
    mpq_init(e);
    statements_of(&s, q, n1, n0, id, "epsilon_lower");
    for (size_t i = 0; i < sizeof odds / sizeof *odds; i++) {
        rational_of(e, odds[i]);
        mpfr_set_q(truth, e, MPFR_RNDD);
        mpfr_log(truth, truth, MPFR_RNDD);
        double part = on_lines(&s, truth, odds[i], delta, alpha);
        most = part > most ? part : most;
    }
    statements_clear(&s);
    mpq_clear(e);
    mpfr_clear(truth);
    return most;
}

static const unsigned long shapes[][2] = {{7, 6}, {1, 1}, {1, 8}, {9, 2}, {3, 12}, {12, 12}};

static const struct {
    dp_audit_method method;
    const char *id;
} methods[] = {{DP_AUDIT_CP, "audit-cp"},
               {DP_AUDIT_SIDAK, "audit-cp-sidak"},
               {DP_AUDIT_FISHER, "audit-fisher"}};

/* Every method at each shape; delta and confidence of three kinds; the limit is used, so that a
 * bound that is too large would be seen. */
static void test_two_samples(void **state)
{
    (void)state;
    static const char *const given[][3] = {
        {"0", "0.9", "0.1"}, {"1/20", "0.8", "0.2"}, {"1/100", "0.5", "0.5"}};
    for (size_t m = 0; m < 3; m++) {
        double most = 0;
        for (size_t g = 0; g < 3; g++)
            for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
                ask q;
                if (i > 0 && (i + g) % 3 != 0)
                    continue;
                ask_open(&q, methods[m].method, given[g][0], given[g][1]);
                double part = at_claims(&q, shapes[i][0], shapes[i][1], methods[m].id, given[g][0],
                                        given[g][2]);
                most = part > most ? part : most;
                ask_close(&q);
            }
        assert_true(most > 0.15);
    }
}

/* Two figures were announced: each has half of the error probability. */
static void test_looks(void **state)
{
    (void)state;
    for (size_t m = 0; m < 3; m++) {
        ask q;
        ask_open(&q, methods[m].method, "1/20", "0.8");
        ask_looks(&q, 2);
        assert_true(at_claims(&q, 6, 7, methods[m].id, "1/20", "1/10") > 0.03);
        ask_close(&q);
    }
}

/* Unlike shares of the two rates. */
static void test_split(void **state)
{
    (void)state;
    static const char *const split[] = {"1/10", "9/10"};
    for (size_t i = 0; i < 2; i++) {
        ask q;
        ask_open(&q, DP_AUDIT_CP, "0", "0.8");
        number_of(&q.split, split[i]);
        q.a.split = &q.split;
        assert_true(at_claims(&q, 7, 6, "audit-cp", "0", "1/5") > 0.02);
        ask_close(&q);
    }
}

/* ---- two thresholds of one attack, on the same scores ---- */

#define FEW 4

/* Pr[h high and m middle of FEW] with rates of both: a multinomial. */
static void multinomial(mpq_t out, unsigned long h, unsigned long m, const mpq_t high,
                        const mpq_t middle)
{
    mpz_t ways;
    mpq_t low, power;
    mpz_init(ways);
    mpq_inits(low, power, NULL);
    mpq_set_ui(low, 1, 1);
    mpq_sub(low, low, high);
    mpq_sub(low, low, middle);
    mpz_bin_uiui(ways, FEW, h);
    mpq_set_z(out, ways);
    mpz_bin_uiui(ways, FEW - h, m);
    mpz_mul(mpq_numref(out), mpq_numref(out), ways);
    const mpq_t *rate[] = {(const mpq_t *)high, (const mpq_t *)middle, (const mpq_t *)low};
    const unsigned long times[] = {h, m, FEW - h - m};
    for (size_t i = 0; i < 3; i++) {
        mpz_pow_ui(mpq_numref(power), mpq_numref(*rate[i]), times[i]);
        mpz_pow_ui(mpq_denref(power), mpq_denref(*rate[i]), times[i]);
        mpq_mul(out, out, power);
    }
    mpq_clears(low, power, NULL);
    mpz_clear(ways);
}

/* alarm = how often the better of both thresholds is above the truth, where both points lie on the
 * boundary. */
static void best_of_both(mpq_t alarm, const statements *s, mpfr_srcptr truth, const mpq_t x[2],
                         const mpq_t y[2])
{
    mpq_t part, other, first, second;
    mpq_inits(part, other, first, second, NULL);
    mpq_sub(first, y[1], y[0]); /* the middle scores of members, and of the others */
    mpq_sub(second, x[1], x[0]);
    mpq_set_ui(alarm, 0, 1);
    for (unsigned long h = 0; h <= FEW; h++)
        for (unsigned long m = 0; h + m <= FEW; m++)
            for (unsigned long g = 0; g <= FEW; g++)
                for (unsigned long k = 0; g + k <= FEW; k++) {
                    if (mpfr_cmp(s->low[h][g], truth) <= 0 &&
                        mpfr_cmp(s->low[h + m][g + k], truth) <= 0)
                        continue;
                    multinomial(part, h, m, y[0], first);
                    multinomial(other, g, k, x[0], second);
                    mpq_mul(part, part, other);
                    mpq_add(alarm, alarm, part);
                }
    mpq_clears(part, other, first, second, NULL);
}

/* The larger bound of two announced thresholds is false with probability alpha at most; without
 * `looks` it is false more often. */
static void test_best_of_two(void **state)
{
    (void)state;
    mpq_t e, d, alarm, alpha, x[2], y[2];
    mpfr_t truth;
    mpq_inits(e, d, alarm, alpha, x[0], x[1], y[0], y[1], NULL);
    mpfr_init2(truth, BITS);
    mpfr_set_zero(truth, 1); /* no leakage */
    rational_of(e, "1");
    rational_of(alpha, "1/2");
    double most[3] = {0, 0, 0};
    for (unsigned long looks = 1; looks <= 2; looks++)
        for (size_t m = 0; m < 3; m++) {
            ask q;
            statements s;
            ask_open(&q, methods[m].method, "0", "0.5");
            ask_looks(&q, looks);
            statements_of(&s, &q, FEW, FEW, methods[m].id, "epsilon_lower");
            for (unsigned long i = 1; i < 8; i++)
                for (unsigned long j = i + 1; j < 8; j++) {
                    mpq_set_ui(x[0], i, 8);
                    mpq_set_ui(x[1], j, 8);
                    for (int k = 0; k < 2; k++) {
                        mpq_canonicalize(x[k]);
                        boundary_at(y[k], x[k], e, d);
                    }
                    best_of_both(alarm, &s, truth, (const mpq_t *)x, (const mpq_t *)y);
                    double there = mpq_get_d(alarm);
                    most[looks] = there > most[looks] ? there : most[looks];
                    if (looks == 2 && mpq_cmp(alarm, alpha) > 0)
                        fail_msg("%s: %g", methods[m].id, mpq_get_d(alarm));
                }
            statements_clear(&s);
            ask_close(&q);
        }
    assert_true(most[1] > 1.3 * most[2] && most[2] > 0.05);
    mpfr_clear(truth);
    mpq_clears(e, d, alarm, alpha, x[0], x[1], y[0], y[1], NULL);
}

/* ---- a whole curve, and mu ---- */

/* The least delta at ln 2 and at 0. */
static void test_curve(void **state)
{
    (void)state;
    static const char *const delta[] = {"0", "1/10", "1/3"};
    static const char *const at[][2] = {{"ln(2)", "2"}, {"0", "1"}};
    mpfr_t truth;
    mpq_t d;
    mpfr_init2(truth, BITS);
    mpq_init(d);
    for (size_t k = 0; k < 4; k++) {
        ask q;
        statements s;
        double most = 0;
        ask_open(&q, methods[k / 2].method, "0", "0.8");
        number_of(&q.at, at[k % 2][0]);
        q.a.at_epsilon = &q.at;
        statements_of(&s, &q, 7, 6, "audit-curve", "delta_lower");
        for (size_t i = 0; i < 3; i++) {
            rational_of(d, delta[i]);
            mpfr_set_q(truth, d, MPFR_RNDD);
            double part = on_lines(&s, truth, at[k % 2][1], delta[i], "0.2");
            most = part > most ? part : most;
        }
        assert_true(most > 0.04);
        statements_clear(&s);
        ask_close(&q);
    }
    mpq_clear(d);
    mpfr_clear(truth);
}

/* audit-gdp, on the curve y = Phi(Phi^-1(x) + mu). */
static void test_gdp(void **state)
{
    (void)state;
    mpfr_t truth;
    mpfr_init2(truth, BITS);
    for (int m = 0; m < 4; m++) {
        ask q;
        statements s;
        share x, y;
        double most = 0;
        share_init(&x, BITS);
        share_init(&y, BITS);
        ask_open(&q, m % 2 == 0 ? DP_AUDIT_CP : DP_AUDIT_SIDAK, "0", "0.8");
        q.a.gdp = true;
        if (m >= 2)
            ask_looks(&q, 2);
        statements_of(&s, &q, m < 2 ? 7 : 3, m < 2 ? 6 : 9, "audit-gdp", "mu_lower");
        for (double mu = 0; mu < 4; mu += 0.5)
            for (double t = -5; t <= 3; t += 0.25) {
                mpfr_set_d(truth, mu, MPFR_RNDN);
                normal(&x, t);
                normal(&y, t + mu);
                double part = used(&s, truth, &y, &x, m < 2 ? "0.2" : "0.1");
                most = part > most ? part : most;
            }
        assert_true(most > 0.01);
        statements_clear(&s);
        ask_close(&q);
        share_clear(&y);
        share_clear(&x);
    }
    mpfr_clear(truth);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_samples), cmocka_unit_test(test_looks),
        cmocka_unit_test(test_split),       cmocka_unit_test(test_best_of_two),
        cmocka_unit_test(test_curve),       cmocka_unit_test(test_gdp),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
