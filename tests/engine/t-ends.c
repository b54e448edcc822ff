/* SPDX-License-Identifier: MIT */
/* Few uses of laws with ends: values beside moments, sums beside integrals over the noise of each
 * use (mpmath), beside themselves on other lines and beside other evaluators. */
#include "../loss/law.h"

#include "engine/profile.h"
#include "loss/response.h"
#include "loss/sampled_laplace.h"

static const limits NO_LIMITS = {0};

#define BITS 160

static void add(product *to, const char *epsilon, const char *rate, bool added, unsigned long times)
{
    mpq_t e, q;
    mpz_t n;
    mpq_inits(e, q, NULL);
    mpz_init_set_ui(n, times);
    rational_of(e, epsilon);
    rational_of(q, rate);
    assert_int_equal(sampled_laplace_add(to, e, q, n, added), DP_OK);
    mpz_clear(n);
    mpq_clears(e, q, NULL);
}

/* ---- values ---------------------------------------------------------------------------------- */
/* The ends together are the moment, taken on a line next to the node: M' is at most 100 here. */
static void check_node(const ends_ops *ops, const loss *l, const ends_ray *at, size_t m,
                       cball *const f[2])
{
    mpfi_t re, im, low, high, x, t[1];
    mpfi_ptr all[] = {re, im, low, high, x, t[0]};
    cball sum, part, own[1];
    for (size_t i = 0; i < 6; i++)
        mpfi_init2(all[i], BITS + 64);
    cball_init(&sum, BITS);
    cball_init(&part, BITS);
    cball_init(&own[0], BITS);
    ends_point(re, im, at, m);
    ops->places(low, high, l->self, 0);
    cball_set_ui(&sum, 0);
    for (size_t k = 0; k < 2; k++) {
        mpfi_mul(x, k == 0 ? low : high, re);
        mpfi_mul(t[0], k == 0 ? low : high, im);
        cball_exp(&part, x, t[0]);
        cball_mul(&part, &part, &f[k][m]);
        cball_add(&sum, &sum, &part);
    }
    mpfi_set(t[0], im);
    assert_int_equal(ops->line(own, l->self, 0, mpfi_get_d(re), t, 1, BITS, &NO_LIMITS), DP_OK);
    mpfr_t away;
    mpfr_init2(away, 64);
    cball_sub(&sum, &sum, &own[0]);
    cball_measure(&sum);
    mpfi_set_d(x, mpfi_get_d(re));
    mpfi_mul(x, x, low);
    mpfi_exp(x, x);
    mpfr_set_d(away, 1 + mpfi_get_d(x), MPFR_RNDU);
    mpfi_set_d(x, mpfi_get_d(re));
    mpfi_mul(x, x, high);
    mpfi_exp(x, x);
    mpfr_add_d(away, away, mpfi_get_d(x), MPFR_RNDU);
    mpfr_mul_d(away, away, 1e-12, MPFR_RNDU);
    assert_true(mpfr_less_p(sum.size, away));
    mpfr_clear(away);
    cball_clear(&own[0]);
    cball_clear(&part);
    cball_clear(&sum);
    for (size_t i = 0; i < 6; i++)
        mpfi_clear(all[i]);
}

static void test_values(void **state)
{
    (void)state;
    static const struct {
        const char *epsilon, *rate;
        double c, tau;
    } row[] = {{"1", "1/10", 2, 6},
               {"1", "1/10", -0.375, 3},
               {"3", "9/10", 1, 4},
               {"1/5", "1/1000", 9, 15},
               {"2", "1/100", 0.5, 40}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i += rounds_are_full() ? 1 : 2)
        for (int way = 0; way < 4; way++) {
            product p;
            product_init(&p);
            add(&p, row[i].epsilon, row[i].rate, way % 2 == 1, 1);
            const loss *l = only_law(&p);
            const ends_ops *ops = l->ops->ends;
            ends_ray at = {.c = row[i].c, .tau = row[i].tau, .step = 0x1p-4, .left = way > 1};
            at.first = -300;
            at.count = 330;
            at.bits = 45;
            assert_true(row[i].tau >= ops->height(l->self, 0, row[i].c));
            cball *f[] = {cball_list_new(at.count, BITS), cball_list_new(at.count, BITS)};
            assert_int_equal(ops->ray(f, l->self, 0, &at), DP_OK);
            mpfr_t most[2];
            mpfr_inits2(64, most[0], most[1], (mpfr_ptr)NULL);
            ops->most(most, l->self, 0, row[i].tau);
            for (size_t m = 0; m < at.count; m++)
                for (size_t k = 0; k < 2; k++) {
                    assert_true(mpfr_less_p(f[k][m].size, most[k]));
                    assert_true(mpfr_cmp_d(f[k][m].radius, 0x1p-40) < 0);
                }
            for (size_t m = 0; m < at.count; m += 47)
                check_node(ops, l, &at, m, f);
            mpfr_clears(most[0], most[1], (mpfr_ptr)NULL);
            cball_list_free(f[1], at.count);
            cball_list_free(f[0], at.count);
            product_clear(&p);
        }
}

/* ---- sums ------------------------------------------------------------------------------------ */
typedef struct use {
    const char *epsilon, *rate;
    bool added;
    unsigned long times;
} use;

static void set_product(product *p, const use *of, size_t count, const char *answer)
{
    product_init(p);
    for (size_t i = 0; i < count; i++)
        add(p, of[i].epsilon, of[i].rate, of[i].added, of[i].times);
    if (answer != NULL)
        add_number_law(p, response_add, answer, 1);
}

/* s at x, planned for `open` and so many bits, by the ends. */
static void sum_at(mpfi_t s, const engine *e, double open, mpfr_prec_t bits, const mpfi_t x)
{
    ends_sum own;
    limits lim = {0};
    mpfr_t slope;
    mpfr_init2(slope, 64);
    assert_int_equal(ends_open(&own, &e->all, open, bits, &lim), DP_OK);
    ends_profile(s, slope, &own, x);
    ends_close(&own);
    mpfr_clear(slope);
}

static const struct sum {
    use of[3];
    size_t count;
    const char *answer, *x, *s;
    unsigned digits;
} sums[] = {
    {{{"1", "1/10", false, 2}}, 1, NULL, "3/20", "0.0112124754218833180425434229823", 29},
    {{{"1", "1/10", true, 2}}, 1, NULL, "1/20", "0.0313707657255236082247016566108", 29},
    {{{"1", "1/10", false, 2}}, 1, NULL, "-1/10", "0.104059355482593838144280739025", 29},
    {{{"2", "1/100", false, 1}, {"1/2", "1/2", false, 1}},
     2,
     NULL,
     "1/8",
     "0.061876954717934094999265835615",
     29},
    {{{"2", "1/100", true, 1}, {"1/2", "1/2", true, 1}},
     2,
     NULL,
     "1/8",
     "0.0475944453230792517636024452206",
     29},
    {{{"4", "9/10", false, 2}}, 1, NULL, "7", "0.157971911127681850163411067859", 29},
    {{{"1", "1/10", false, 1}, {"1", "1/10", true, 1}},
     2,
     NULL,
     "1/10",
     "0.0197085151496699042246406464052",
     29},
    {{{"1", "1/10", false, 3}}, 1, NULL, "1/4", "0.00556316602241818586146495795131", 18},
    {{{"1", "1/10", true, 3}}, 1, NULL, "1/8", "0.0166397225406499346441414258968", 18},
    {{{"2", "3/10", false, 1}, {"1", "1/10", false, 1}, {"1/2", "1/100", false, 1}},
     3,
     NULL,
     "1/2",
     "0.104369263085754235402806644436",
     18},
    {{{"1", "1/10", false, 2}}, 1, "1/2", "3/10", "0.112832734206543246342040731821", 29},
    {{{"1", "1/10", false, 6}}, 1, NULL, "2/5", "0.00602690583369544682971521638601", 18},
    {{{"1", "1/10", true, 6}}, 1, NULL, "3/10", "0.00588442717726813964030215467862", 18},
    /* at a sum of ends */
    {{{"1", "1/10", false, 1}, {"1", "1/10", true, 1}},
     2,
     NULL,
     "0",
     "0.0448180838242836517606714344758",
     28},
    {{{"1", "1/10", false, 1}, {"1", "1/10", true, 1}},
     2,
     "1/2",
     "1/2",
     "0.027897434483012258227485041464",
     28},
};

/* s holds the number, to the last of its digits, and is as narrow as the bits say. */
static void check_sum(mpfi_t s, const struct sum *row, mpfr_prec_t bits)
{
    mpq_t truth, slack;
    MPFR_DECL_INIT(width, 64);
    mpq_inits(truth, slack, NULL);
    mpfr_sub(width, &s->right, &s->left, MPFR_RNDU);
    mpfr_div(width, width, &s->left, MPFR_RNDU);
    assert_true(mpfr_cmp_d(width, ldexp(1, 8 - (int)bits)) < 0);
    rational_of(truth, row->s);
    mpz_ui_pow_ui(mpq_denref(slack), 10, row->digits);
    mpz_set_ui(mpq_numref(slack), 1);
    mpq_canonicalize(slack);
    mpfr_sub_q(&s->left, &s->left, slack, MPFR_RNDD);
    mpfr_add_q(&s->right, &s->right, slack, MPFR_RNDU);
    assert_true(mpfr_cmp_q(&s->left, truth) <= 0);
    assert_true(mpfr_cmp_q(&s->right, truth) >= 0);
    mpq_clears(truth, slack, NULL);
}

static void test_sums(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i += rounds_are_full() ? 1 : 3) {
        const struct sum *row = &sums[i];
        product p;
        engine e;
        mpfi_t s, x;
        set_product(&p, row->of, row->count, row->answer);
        assert_int_equal(engine_init(&e, &p), DP_OK);
        mpfi_init2(s, 64);
        mpfi_init2(x, 200);
        number_in(x, row->x);
        for (mpfr_prec_t bits = i == 0 ? 24 : 50; bits < (i == 0 ? 110 : 60); bits += 30) {
            sum_at(s, &e, mpfi_get_d(x), bits, x);
            check_sum(s, row, bits);
        }
        mpfi_clear(x);
        mpfi_clear(s);
        engine_clear(&e);
        product_clear(&p);
    }
}

static bool overlap(const mpfi_t a, const mpfi_t b)
{
    return mpfr_lessequal_p(&a->left, &b->right) && mpfr_lessequal_p(&b->left, &a->right);
}

/* Random lists: what is planned for other points, for more bits, and with the items in another
 * order has the truth in common; and so has the Gaussian bracket, where it is had. */
static void test_lines(void **state)
{
    (void)state;
    static const char *const epsilons[] = {"1", "1/2", "3", "1/7", "2", "5"};
    static const char *const rates[] = {"1/10", "1/100", "9/10", "1/2", "1/1000"};
    rng r = rng_make(7);
    for (int i = 0; i < rounds(3); i++) {
        use of[3], back[3];
        size_t count = 1 + rng_below(&r, 2);
        bool added = rng_below(&r, 2) == 1;
        for (size_t k = 0; k < count; k++) {
            of[k] = (use){epsilons[rng_below(&r, 6)], rates[rng_below(&r, 5)], added,
                          1 + rng_below(&r, count == 1 ? 30 : 3)};
            back[count - 1 - k] = of[k];
        }
        const char *answer = rng_below(&r, 2) == 1 ? "1/3" : NULL;
        product p, q;
        engine e, f;
        set_product(&p, of, count, answer);
        set_product(&q, back, count, answer);
        assert_int_equal(engine_init(&e, &p), DP_OK);
        assert_int_equal(engine_init(&f, &q), DP_OK);
        mpfi_t s, first, x, top;
        mpfi_init2(s, 64);
        mpfi_init2(first, 64);
        mpfi_init2(top, 64);
        mpfi_init2(x, 53);
        engine_top(top, &e);
        double most = mpfi_get_d(top), at = most * (double)rng_below(&r, 1000) / 1000;
        mpfi_set_d(x, at);
        sum_at(first, &e, at, 45, x);
        static const double opens[] = {1, 0.5, 0.1, 1.3};
        for (size_t k = 0; k < 4; k++) {
            sum_at(s, k % 2 == 0 ? &e : &f, fmin(at * opens[k], most * 0.99), 25 + 10 * (int)k, x);
            assert_true(overlap(s, first));
        }
        profile o;
        limits lim = {.deadline = limits_clock() + 0.3};
        e.without = 1U << PROFILE_ENDS;
        mpfr_t slope;
        mpfr_init2(slope, 64);
        if (profile_open(&o, &e, at, 20, 1e-3, true, &lim) == DP_OK &&
            profile_at(s, slope, &o, x) == DP_OK)
            assert_true(overlap(s, first));
        profile_close(&o);
        mpfr_clear(slope);
        mpfi_clear(x);
        mpfi_clear(top);
        mpfi_clear(first);
        mpfi_clear(s);
        engine_clear(&f);
        engine_clear(&e);
        product_clear(&q);
        product_clear(&p);
    }
}

/* Next to the largest loss, where A^T is its mass: s is A^T (1 - e^(x - top)) and little more. A
 * plan in doubles does not see by how little x is below: some digits are left. */
static void test_top(void **state)
{
    (void)state;
    product p;
    engine e;
    use of = {"1", "1/10", false, 4};
    set_product(&p, &of, 1, NULL);
    assert_int_equal(engine_init(&e, &p), DP_OK);
    mpfi_t top, x, s, mass;
    mpfi_ptr all[] = {top, x, s, mass};
    for (size_t i = 0; i < 4; i++)
        mpfi_init2(all[i], 300);
    engine_top(top, &e);
    /* A = e^-1 r / 2, and T ln r is the top */
    mpfi_set_si(mass, -4);
    mpfi_add(mass, mass, top);
    mpfi_exp(mass, mass);
    mpfi_div_2ui(mass, mass, 4);
    for (int shift = 20; shift < 100; shift += 45) {
        mpfi_set_ui(x, 1);
        mpfi_div_2ui(x, x, (unsigned long)shift);
        mpfi_sub(x, top, x);
        mpfr_set(&x->right, &x->left, MPFR_RNDN);
        sum_at(s, &e, mpfi_get_d(x), 40, x);
        mpfi_mul_2ui(s, s, (unsigned long)shift);
        mpfi_div(s, s, mass);
        assert_true(fabs(mpfr_get_d(&s->left, MPFR_RNDN) - 1) < ldexp(20, -shift) + 1e-8);
        assert_true(fabs(mpfr_get_d(&s->right, MPFR_RNDN) - 1) < ldexp(20, -shift) + 1e-8);
    }
    for (size_t i = 0; i < 4; i++)
        mpfi_clear(all[i]);
    engine_clear(&e);
    product_clear(&p);
}

/* Nodes that are not allowed, or for which there is no time, are not made. */
static void test_limits(void **state)
{
    (void)state;
    product p;
    engine e;
    use of = {"1", "1/10", false, 4};
    set_product(&p, &of, 1, NULL);
    assert_int_equal(engine_init(&e, &p), DP_OK);
    unsigned met = 0;
    limits few = {.memory = 100000, .met = &met}, late = {.deadline = limits_clock() - 1};
    limits enough = {.memory = 20000000};
    ends_sum own;
    assert_int_equal(ends_open(&own, &e.all, 0.2, 40, &few), DP_LIMIT);
    ends_close(&own);
    assert_int_equal(met, DP_MET_MEMORY);
    assert_int_equal(ends_open(&own, &e.all, 0.2, 40, &late), DP_LIMIT);
    ends_close(&own);
    assert_int_equal(ends_open(&own, &e.all, 0.2, 40, &enough), DP_OK);
    ends_close(&own);
    engine_clear(&e);
    product_clear(&p);
}

/* A plan that is made worse, in one way: its bounds hold what it misses then. */
static void spoil(ends_sum *p, int way, unsigned by)
{
    double wider = 1 + (double)by / 8;
    for (int side = 0; side < 2; side++) {
        ends_ray *r = &p->ray[side];
        long last = r->first + (long)r->count - 1;
        if (way == 0) { /* the step */
            r->step *= wider;
            r->first = (long)((double)r->first / wider) - 1;
            last = (long)((double)last / wider) + 1;
        } else if (way == 1) { /* nodes far from the line */
            last -= (last - r->first) * (long)by / 16;
        } else if (way == 2) { /* and near it */
            r->first += (last - r->first) * (long)by / 16;
        } else if (way == 3) { /* those of values */
            r->bits = 4 * (mpfr_prec_t)by;
        }
        r->count = (size_t)(last - r->first + 1);
    }
    if (way == 0)
        p->step *= wider;
    if (way == 4)
        p->points = 2 * by;
}

static void test_spoilt(void **state)
{
    (void)state;
    limits lim = {0};
    for (int i = 0; i < (rounds_are_full() ? 3 : 1); i++) {
        product p;
        engine e;
        ends_sum own;
        mpfi_t x, s, best;
        mpfr_t slope;
        use of = {i == 0 ? "1" : "2", i < 2 ? "1/10" : "1/100", i == 1, 2};
        set_product(&p, &of, 1, NULL);
        assert_int_equal(engine_init(&e, &p), DP_OK);
        mpfi_init2(x, 200);
        mpfi_init2(s, 64);
        mpfi_init2(best, 64);
        mpfr_init2(slope, 64);
        number_in(x, i == 0 ? "3/20" : "1/20");
        assert_int_equal(ends_open(&own, &e.all, mpfi_get_d(x), 60, &lim), DP_OK);
        ends_profile(best, slope, &own, x);
        ends_sum planned = own;
        int told = 0;
        for (int way = 0; way < 5; way++)
            for (unsigned by = 2; by < 13; by += 3) {
                ends_clear_nodes(&own);
                for (int side = 0; side < 2; side++)
                    own.ray[side] = planned.ray[side];
                own.step = planned.step;
                own.points = planned.points;
                spoil(&own, way, by);
                assert_int_equal(ends_make_nodes(&own, &lim), DP_OK);
                ends_profile(s, slope, &own, x);
                assert_true(overlap(s, best));
                told += mpfr_cmp_ui(&s->right, 1) < 0 && mpfr_sgn(&s->left) > 0;
            }
        assert_true(told > 5);
        ends_close(&own);
        mpfr_clear(slope);
        mpfi_clear(best);
        mpfi_clear(s);
        mpfi_clear(x);
        engine_clear(&e);
        product_clear(&p);
    }
}

/* The search takes it, and not where there are many terms. */
static void test_choice(void **state)
{
    (void)state;
    limits lim = {0};
    for (int i = 0; i < 3; i++) {
        product p;
        engine e;
        profile at;
        use of = {"1", "1/10", false, i == 0 ? 3 : i == 1 ? 300 : 2};
        set_product(&p, &of, 1, i == 2 ? "1/3" : NULL);
        assert_int_equal(engine_init(&e, &p), DP_OK);
        assert_int_equal(profile_open(&at, &e, 0.2, 30, 1e-9, false, &lim), DP_OK);
        assert_int_equal(at.kind, i == 1 ? PROFILE_PLAIN : PROFILE_ENDS);
        profile_close(&at);
        engine_clear(&e);
        product_clear(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {

        cmocka_unit_test(test_values), cmocka_unit_test(test_sums),   cmocka_unit_test(test_lines),
        cmocka_unit_test(test_top),    cmocka_unit_test(test_choice), cmocka_unit_test(test_spoilt),
        cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
