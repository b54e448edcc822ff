/* SPDX-License-Identifier: MIT */
/* One run by the recursion of onerun-fdp against (epsilon, delta): its closed form beside the
 * recursion itself in rationals, and the exact row. */
#include "one-run.h"

#include "attack/audit.h"

/* N of tau against 1 by the recursion itself, with G = max(0, (y - delta)/E, 1 - delta - E (1-y)):
 * for a closed form that leaves out the last part. */
static int side_of_mass(const unsigned long s[3], const mpq_t e, const mpq_t delta, const mpq_t tau)
{
    mpq_t n, sum, p, g, part, m;
    mpq_inits(n, sum, p, g, part, m, NULL);
    mpq_set(n, tau);
    mpq_set_ui(m, s[0], 1);
    mpq_set_ui(part, s[2], 1);
    mpq_mul(sum, n, part);
    for (unsigned long c = s[2]; c >= 1 && mpq_cmp_ui(n, 1, 1) <= 0 && mpq_cmp(sum, m) <= 0; c--) {
        mpq_mul(part, m, delta);
        mpq_sub(g, sum, part);
        mpq_div(g, g, e); /* m G(R/m) */
        mpq_sub(p, m, part);
        mpq_sub(part, m, sum);
        mpq_mul(part, part, e);
        mpq_sub(p, p, part);
        if (mpq_cmp(g, p) < 0)
            mpq_set(g, p);
        if (mpq_sgn(g) < 0)
            mpq_set_ui(g, 0, 1);
        mpq_set_ui(part, s[1], 1);
        mpq_mul(part, part, n);
        mpq_sub(p, g, part);
        mpq_add(p, p, sum);
        if (mpq_sgn(p) < 0)
            mpq_set_ui(p, 0, 1);
        mpq_set_ui(part, s[1] - c + 1, 1);
        mpq_div(p, p, part);
        mpq_add(n, n, p);
        mpq_set_ui(part, c - 1, 1);
        mpq_mul(p, p, part);
        mpq_add(sum, sum, p);
    }
    int side = mpq_cmp(sum, m) > 0 ? 1 : mpq_cmp_ui(n, 1, 1);
    mpq_clears(n, sum, p, g, part, m, NULL);
    return side;
}

/* Of (epsilon, delta) the p-value is where the recursion reaches 1: of every shape up to 6
 * canaries. */
static void test_line(void **state)
{
    (void)state;
    static const char *const odds[][2] = {{"0", "1"}, {"ln(3/2)", "3/2"}, {"ln(4)", "4"}};
    static const char *const deltas[] = {"0", "1e-4", "0.05", "0.4"};
    size_t below = 0, exact = 0;
    mpq_t e, delta, p, more;
    mpq_inits(e, delta, p, more, NULL);
    for (size_t i = 0; i < 12; i++)
        for (unsigned long s[3] = {1, 1, 1}; s[0] <= 6; s[2]++) {
            run q;
            run_open(&q, s[0], s[1], s[2], deltas[i / 3], odds[i % 3][0], DP_AUDIT_FDP);
            q.opt.max_epsilon = &q.claim;
            mpq_set_str(e, odds[i % 3][1], 10);
            rational_of(delta, deltas[i / 3]);
            assert_int_equal(dp_audit_evaluate(&q.r, &q.a, &q.opt, NULL), DP_OK);
            const dp_figure *figure = dp_result_figure(&q.r, "p_value");
            if (figure->kind == DP_RATIONAL) {
                mpq_set(p, figure->rational);
                mpq_set(more, figure->rational);
                exact += mpq_cmp_ui(p, 1, 1) < 0;
            } else {
                mpfr_get_q(p, &figure->enclosure->left);
                mpfr_get_q(more, &figure->enclosure->right);
            }
            if (mpq_cmp_ui(more, 1, 1) < 0) {
                assert_true(side_of_mass(s, e, delta, p) <= 0);
                assert_true(side_of_mass(s, e, delta, more) >= 0);
                mpq_set_ui(p, 1000001, 1000000);
                mpq_mul(more, more, p);
                assert_true(side_of_mass(s, e, delta, more) > 0);
                below++;
            } else {
                assert_true(side_of_mass(s, e, delta, p) <= 0);
            }
            run_close(&q);
            if (s[2] == s[1]) { /* the next shape */
                s[1] = s[1] == s[0] ? 1 : s[1] + 1;
                s[0] += s[1] == 1;
                s[2] = 0;
            }
        }
    assert_true(below > 200 && exact > 20);
    mpq_clears(e, delta, p, more, NULL);
}

/* At the largest counts: weaker than the exact row, and not by much; enclosed to 30 digits. */
static void test_line_large(void **state)
{
    (void)state;
    static const struct {
        unsigned long m, r, v;
        const char *delta, *claim;
        double most; /* times the exact p-value */
    } shape[] = {{1000000000, 1000000000, 500100000, "1e-8", "0.0003", 30},
                 {1000000000, 1000000000, 500100000, "0", "0.00039", 3},
                 {1000000000, 1000000000, 600000000, "1e-9", "0.3", 1.01},
                 {1000000000, 1000000000, 999999990, "1e-12", "17", 10},
                 {1000000000, 1000000000, 1000000000, "1e-12", "20", 1.01},
                 {1000000000, 100, 95, "1e-12", "1", 10},
                 {1000000000, 1000000000, 1, "1e-12", "0.1", 1.01},
                 {100, 100, 100, "1e-5", "1e9", 1.01},
                 {100, 100, 99, "1e-5", "1e9", 1.01}};
    for (size_t i = 0; i < sizeof shape / sizeof *shape; i++) {
        double exact = p_value(shape[i].m, shape[i].r, shape[i].v, shape[i].delta, shape[i].claim,
                               DP_AUDIT_EXACT);
        double weak = p_value(shape[i].m, shape[i].r, shape[i].v, shape[i].delta, shape[i].claim,
                              DP_AUDIT_FDP);
        if (!(weak >= exact * (1 - 1e-9) && weak <= 1 && weak < exact * shape[i].most))
            fail_msg("shape %zu: %.12g, exactly %.12g", i, weak, exact);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_line),
        cmocka_unit_test(test_line_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
