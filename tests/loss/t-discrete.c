/* SPDX-License-Identifier: MIT */
/* Laws with finitely many outcomes: moments, nodes and what the scan is told, against sums at high
 * precision; all losses of several uses against enumeration in exact rationals. */
#include "laws.h"

#include <stdio.h>

#include "loss/discrete.h"
#include "num/ival.h"
#include "num/wide.h"

static const limits no_limits = {0};

static double tilt(rng *r)
{
    static const double at[] = {1, 0.5, 3.25, -0.5, -0.75, 1e-6, -1e-6, -1 + 0x1p-20, 40};
    return at[rng_below(r, sizeof at / sizeof at[0])];
}

static void check_moment(const loss *law, const masses *m, bool swap, double z, unsigned long times,
                         mpfr_prec_t bits)
{
    mpfi_t k, at;
    mpfr_t re, im, c, zero;
    mpfi_init2(k, bits);
    mpfi_init2(at, 53);
    mpfr_inits2(TRUTH_BITS, re, im, c, zero, (mpfr_ptr)0);
    mpfr_set_d(c, z, MPFR_RNDN);
    mpfr_set_ui(zero, 0, MPFR_RNDN);
    mpfi_set_d(at, z);
    law->ops->log_moment(k, law->self, at, &no_limits);
    true_moment(re, im, swap ? q_of(m) : p_of(m), swap ? p_of(m) : q_of(m), m->count, c, zero,
                times);
    mpfr_log(re, re, MPFR_RNDN);
    assert_true(holds(k, re, 360));
    mpfr_sub(c, &k->right, &k->left, MPFR_RNDU);
    double width = ldexp(mpfr_get_d(c, MPFR_RNDU), (int)bits);
    if (width > 400.0 * (double)times * (fabs(z) + 1))
        fail_msg("K(%g) is %g units wide", z, width);
    double guess[3] = {0};
    law->ops->guess(guess, law->self, z, LOSS_K);
    if (fabs(guess[0] - mpfr_get_d(re, MPFR_RNDN)) > 1e-9 * (1 + (double)times * (1 + fabs(z))))
        fail_msg("guess %g, not %g", guess[0], mpfr_get_d(re, MPFR_RNDN));
    mpfr_clears(re, im, c, zero, (mpfr_ptr)0);
    mpfi_clear(at);
    mpfi_clear(k);
}

static void test_moments(void **state)
{
    (void)state;
    rng r = rng_make(201);
    for (int i = 0; i < rounds(300); i++) {
        masses m;
        product to;
        masses_random(&m, 1 + rng_below(&r, MOST_OUTCOMES), rng_below(&r, 2) == 0, &r);
        bool swap = rng_below(&r, 2) == 0;
        unsigned long times = 1 + rng_below(&r, 1000);
        product_of(&to, &m, swap, times);
        for (int k = 0; to.count == 1 && k < 4; k++)
            check_moment(&to.item[0], &m, swap, tilt(&r), times,
                         53 + (mpfr_prec_t)rng_below(&r, 200));
        product_clear(&to);
        masses_clear(&m);
    }
}

static void test_ends(void **state)
{
    (void)state;
    masses closed, open;
    product a, b;
    masses_set(&closed, 3, "1/2 1/3 1/6", "1/6 1/3 1/2");
    masses_set(&open, 3, "1/2 1/2 0", "1/4 1/4 1/2");
    product_of(&a, &closed, false, 1000);
    product_of(&b, &open, false, 10);
    mpfi_t k, z;
    mpfi_init2(k, 100);
    mpfi_init2(z, 53);
    for (int at = -1; at <= 0; at++) {
        mpfi_set_si(z, at);
        a.item[0].ops->log_moment(k, a.item[0].self, z, &no_limits);
        assert_true(mpfr_zero_p(&k->left) && mpfr_zero_p(&k->right));
        b.item[0].ops->log_moment(k, b.item[0].self, z, &no_limits);
        assert_true(at == -1 || (mpfr_zero_p(&k->left) && mpfr_zero_p(&k->right)));
    }
    mpfi_set_si(z, -1); /* M(-1) = 1/2 a use */
    b.item[0].ops->log_moment(k, b.item[0].self, z, &no_limits);
    mpfr_t ln;
    mpfr_init2(ln, TRUTH_BITS);
    mpfr_const_log2(ln, MPFR_RNDN);
    mpfr_mul_si(ln, ln, -10, MPFR_RNDN);
    assert_true(holds(k, ln, 380) && mpfr_cmp_si(&k->right, -6) < 0);
    mpfi_interv_si(z, -1, 2); /* all of an interval */
    a.item[0].ops->log_moment(k, a.item[0].self, z, &no_limits);
    assert_true(mpfi_has_zero(k));
    mpfr_clear(ln);
    mpfi_clear(z);
    mpfi_clear(k);
    product_clear(&a);
    product_clear(&b);
    masses_clear(&closed);
    masses_clear(&open);
}

/* |phi - M(c+it)/M(c)| is within the radius; tells the radius in units of 2^-work. */
static double check_node(const cball *phi, const masses *m, unsigned long times, double c,
                         mpfr_srcptr t, mpfr_prec_t work)
{
    mpfr_t re, im, base, none, at;
    mpfr_inits2(TRUTH_BITS, re, im, base, none, at, (mpfr_ptr)0);
    mpfr_set_d(at, c, MPFR_RNDN);
    mpfr_set_ui(none, 0, MPFR_RNDN);
    true_moment(base, im, p_of(m), q_of(m), m->count, at, none, times);
    true_moment(re, im, p_of(m), q_of(m), m->count, at, t, times);
    mpfr_div(re, re, base, MPFR_RNDN);
    mpfr_div(im, im, base, MPFR_RNDN);
    mpfr_hypot(at, re, im, MPFR_RNDN);
    mpfr_set_ui_2exp(base, 1, -300, MPFR_RNDN);
    mpfr_sub(at, at, base, MPFR_RNDN);
    assert_true(mpfr_lessequal_p(at, phi->size));
    mpfr_sub(re, re, phi->re, MPFR_RNDN);
    mpfr_sub(im, im, phi->im, MPFR_RNDN);
    mpfr_hypot(re, re, im, MPFR_RNDN);
    mpfr_sub(re, re, base, MPFR_RNDN);
    assert_true(mpfr_lessequal_p(re, phi->radius));
    mpfr_clears(re, im, base, none, at, (mpfr_ptr)0);
    return ldexp(mpfr_get_d(phi->radius, MPFR_RNDU), (int)work);
}

/* (1/4) sum w (1 - cos(2 pi n turn)) <= -ln|phi| */
static void check_scan(const scan_item *item, size_t count, const cball *phi, uint64_t n)
{
    mpfr_t sum, part, turn;
    mpfr_inits2(TRUTH_BITS, sum, part, turn, (mpfr_ptr)0);
    mpfr_set_ui(sum, 0, MPFR_RNDN);
    for (size_t i = 0; i < count; i++) {
        wide_set_fr(turn, item[i].turn, MPFR_RNDN);
        mpfr_mul_2ui(turn, turn, SCAN_REST_BITS, MPFR_RNDN);
        mpfr_add_ui(turn, turn, item[i].rest, MPFR_RNDN);
        mpfr_div_2ui(turn, turn, 64 + SCAN_REST_BITS - 1, MPFR_RNDN);
        wide_mul_fr(turn, turn, n, MPFR_RNDN);
        mpfr_const_pi(part, MPFR_RNDN);
        mpfr_mul(part, part, turn, MPFR_RNDN);
        mpfr_cos(part, part, MPFR_RNDN);
        mpfr_ui_sub(part, 1, part, MPFR_RNDN);
        mpfr_mul_d(part, part, item[i].weight / 4, MPFR_RNDN);
        mpfr_add(sum, sum, part, MPFR_RNDN);
    }
    double slack = 1e-25; /* of the phase, which is known to 2^-48 turns */
    for (size_t i = 0; i < count; i++)
        slack += item[i].weight * 0x1p-46;
    mpfr_hypot(part, phi->re, phi->im, MPFR_RNDN);
    mpfr_sub(part, part, phi->radius, MPFR_RNDN);
    if (mpfr_sgn(part) > 0) {
        mpfr_log(part, part, MPFR_RNDN);
        mpfr_add(part, part, sum, MPFR_RNDN);
        if (mpfr_cmp_d(part, slack) > 0)
            fail_msg("what the scan is told is too much by %g", mpfr_get_d(part, MPFR_RNDN));
    }
    mpfr_clears(sum, part, turn, (mpfr_ptr)0);
}

#define NODES 40

static void check_line(const loss *law, const masses *m, unsigned long times, const line *at,
                       mpfr_srcptr spacing, uint64_t first, bool runs, rng *r)
{
    cball phi[NODES];
    uint64_t node[NODES];
    scan_item item[16];
    size_t count = rng_below(r, 2) == 0 ? 5 : NODES;
    mpfr_t t;
    mpfr_init2(t, TRUTH_BITS);
    for (size_t k = 0; k < count; k++) {
        cball_init(&phi[k], at->work);
        cball_set_ui(&phi[k], 1);
        node[k] = k == 0 ? first : node[k - 1] + 1 + (runs ? 0 : rng_below(r, 5000));
    }
    assert_true(node[count - 1] <= at->last);
    assert_int_equal(law->ops->multiply(phi, law->self, at, node, count, &no_limits), DP_OK);
    size_t items = law->ops->resonances(NULL, 0, law->self, at);
    assert_true(items <= 16);
    assert_int_equal(law->ops->resonances(item, 16, law->self, at), items);
    for (size_t k = 0; k < count; k++) {
        wide_mul_fr(t, spacing, node[k], MPFR_RNDN);
        double units = check_node(&phi[k], m, times, at->c, t, at->work);
        if (units > 8)
            fail_msg("a radius of %g units", units);
        check_scan(item, items, &phi[k], node[k]);
        cball_clear(&phi[k]);
    }
    mpfr_clear(t);
}

static void test_free_nodes(void **state)
{
    (void)state;
    rng r = rng_make(202);
    mpfr_t spacing;
    mpfr_init2(spacing, 53);
    for (int i = 0; i < rounds(60); i++) {
        masses m;
        product to;
        masses_random(&m, 2 + rng_below(&r, MOST_OUTCOMES - 1), rng_below(&r, 2) == 0, &r);
        unsigned long times = 1 + rng_below(&r, rng_below(&r, 2) == 0 ? 4 : 10000);
        product_of(&to, &m, false, times);
        mpfr_set_d(spacing, ldexp(1 + (double)rng_below(&r, 999) / 1000, -(int)rng_below(&r, 20)),
                   MPFR_RNDN);
        bool runs = rng_below(&r, 2) == 0;
        uint64_t first = rng_below(&r, 2) == 0 ? 0 : rng_wide(&r, UINT64_C(1) << 39);
        line at = {.c = tilt(&r),
                   .spacing = spacing,
                   .last = first + NODES * UINT64_C(5001),
                   .work = 64 + (mpfr_prec_t)rng_below(&r, 130)};
        if (to.count == 1)
            check_line(&to.item[0], &m, times, &at, spacing, first, runs, &r);
        product_clear(&to);
        masses_clear(&m);
    }
    mpfr_clear(spacing);
}

/* Ratios (3/2)^power, and what is missing to 1 as mass of one side only. */
static void powers_pair(masses *m, const int *power, size_t count, rng *r)
{
    mpq_t ratio, sum[2], scale;
    mpq_inits(ratio, sum[0], sum[1], scale, NULL);
    masses_init(m, count + 2);
    for (size_t j = 0; j < count; j++) {
        mpq_set_ui(m->q[j], 1 + rng_below(r, 20), 1);
        mpq_set(m->p[j], m->q[j]);
        mpq_set_ui(ratio, power[j] < 0 ? 2 : 3, power[j] < 0 ? 3 : 2);
        for (int k = abs(power[j]); k > 0; k--)
            mpq_mul(m->p[j], m->p[j], ratio);
        mpq_add(sum[0], sum[0], m->p[j]);
        mpq_add(sum[1], sum[1], m->q[j]);
    }
    mpq_set(scale, mpq_cmp(sum[0], sum[1]) > 0 ? sum[0] : sum[1]);
    mpq_set_ui(m->p[count], 1, 1);
    mpq_set_ui(m->q[count + 1], 1, 1);
    for (size_t j = 0; j < count; j++) {
        mpq_div(m->p[j], m->p[j], scale);
        mpq_div(m->q[j], m->q[j], scale);
        mpq_sub(m->p[count], m->p[count], m->p[j]);
        mpq_sub(m->q[count + 1], m->q[count + 1], m->q[j]);
    }
    mpq_clears(ratio, sum[0], sum[1], scale, NULL);
}

/* The step is ln of this, or half of it. */
static void check_step(const loss *law, unsigned long num, unsigned long den, bool half)
{
    dp_number h;
    bool halved;
    dp_number_init(&h);
    assert_true(law->ops->step(&h, &halved, law->self) && h.is_log);
    assert_int_equal(mpq_cmp_ui(h.value, num, den), 0);
    assert_int_equal(halved, half);
    dp_number_clear(&h);
}

static void test_lattice_nodes(void **state)
{
    (void)state;
    static const struct {
        int power[3];
        unsigned long num, den;
        bool halved;
    } cases[] = {{{2, -2, 4}, 9, 4, true}, {{1, -1, 3}, 3, 2, false}, {{4, -4, 12}, 81, 16, false},
                 {{2, 0, -2}, 9, 4, true}, {{6, 3, -3}, 27, 8, true}, {{1, 0, -1}, 3, 2, true}};
    rng r = rng_make(203);
    mpfr_t spacing;
    mpfr_init2(spacing, TRUTH_BITS);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        masses m;
        product to;
        powers_pair(&m, cases[i].power, 3, &r);
        unsigned long times = 1 + rng_below(&r, 3000);
        product_of(&to, &m, false, times);
        assert_int_equal(to.count, 1);
        check_step(&to.item[0], cases[i].num, cases[i].den, cases[i].halved);
        dp_number step; /* finer than the law's own, too */
        dp_number_init(&step);
        mpq_set_ui(step.value, 3, 2);
        step.is_log = 1;
        for (int k = 0; k < rounds(6); k++) {
            uint64_t period = 1 + rng_wide(&r, UINT64_C(1) << (1 + rng_below(&r, 60)));
            line at = {.c = tilt(&r), .step = &step, .period = period, .work = 120};
            at.halved = rng_below(&r, 2) == 0;
            uint64_t first = rng_wide(&r, UINT64_C(1) << 38);
            at.last = first + NODES * UINT64_C(5001);
            mpfr_set_q(spacing, step.value, MPFR_RNDN);
            mpfr_log(spacing, spacing, MPFR_RNDN);
            wide_mul_fr(spacing, spacing, period, MPFR_RNDN);
            mpfr_t pi;
            mpfr_init2(pi, TRUTH_BITS);
            mpfr_const_pi(pi, MPFR_RNDN);
            mpfr_div(spacing, pi, spacing, MPFR_RNDN);
            mpfr_mul_ui(spacing, spacing, at.halved ? 2 : 1, MPFR_RNDN);
            mpfr_clear(pi);
            check_line(&to.item[0], &m, times, &at, spacing, first, k % 2 == 0, &r);
        }
        dp_number_clear(&step);
        product_clear(&to);
        masses_clear(&m);
    }
    mpfr_clear(spacing);
}

/* Enumeration of all sequences: the P mass (of the law) and Q mass of losses above ln(cut). */
typedef struct above {
    const mpq_t *p, *q;
    size_t count;
    mpq_t cut, p_mass, q_mass;
} above;

static void enumerate(above *a, const mpq_t p, const mpq_t q, unsigned long left)
{
    if (left == 0) {
        mpq_t ratio;
        mpq_init(ratio);
        mpq_div(ratio, p, q);
        if (mpq_cmp(ratio, a->cut) > 0) {
            mpq_add(a->p_mass, a->p_mass, p);
            mpq_add(a->q_mass, a->q_mass, q);
        }
        mpq_clear(ratio);
        return;
    }
    mpq_t more_p, more_q;
    mpq_inits(more_p, more_q, NULL);
    for (size_t j = 0; j < a->count; j++) {
        mpq_mul(more_p, p, a->p[j]);
        mpq_mul(more_q, q, a->q[j]);
        if (mpq_sgn(more_p) != 0 && mpq_sgn(more_q) != 0)
            enumerate(a, more_p, more_q, left - 1);
    }
    mpq_clears(more_p, more_q, NULL);
}

typedef struct losses {
    size_t count;
    mpfr_t *lost, *p, *q;
} losses;

static void losses_of(losses *l, const loss *law, size_t group, mpfr_prec_t bits)
{
    double n = law->ops->group_size(law->self, group);
    assert_true(n < 1e6);
    l->count = (size_t)n;
    mpfr_t **row[] = {&l->lost, &l->p, &l->q};
    for (size_t k = 0; k < 3; k++) {
        *row[k] = malloc(l->count * sizeof **row[k]);
        for (size_t i = 0; i < l->count; i++)
            mpfr_init2((*row[k])[i], bits);
    }
    law->ops->group(l->lost, l->p, l->q, law->self, group);
}

static void losses_clear(losses *l)
{
    mpfr_t *row[] = {l->lost, l->p, l->q};
    for (size_t k = 0; k < 3; k++) {
        for (size_t i = 0; i < l->count; i++)
            mpfr_clear(row[k][i]);
        free(row[k]);
    }
}

/* Both masses of losses above ln(cut) */
static void sum_above(mpfr_t p, mpfr_t q, const losses *l, mpfr_srcptr cut)
{
    mpfr_set_ui(p, 0, MPFR_RNDN);
    mpfr_set_ui(q, 0, MPFR_RNDN);
    for (size_t i = 0; i < l->count; i++)
        if (mpfr_greater_p(l->lost[i], cut)) {
            mpfr_add(p, p, l->p[i], MPFR_RNDN);
            mpfr_add(q, q, l->q[i], MPFR_RNDN);
        }
}

static void check_mass(mpfr_srcptr found, const mpq_t truth, const mpq_t scale)
{
    mpfr_t x;
    mpfr_init2(x, TRUTH_BITS);
    mpfr_set_q(x, truth, MPFR_RNDN);
    mpfr_div_q(x, x, scale, MPFR_RNDN);
    mpfr_sub(x, x, found, MPFR_RNDN);
    double error = mpfr_get_d(x, MPFR_RNDN);
    mpfr_clear(x);
    if (!(fabs(error) < 1e-25))
        fail_msg("a mass is off by %g", error);
}

static void check_enumeration(const masses *m, unsigned long times, rng *r)
{
    product to;
    above a = {.p = p_of(m), .q = q_of(m), .count = m->count};
    mpq_t keep, scale, one;
    mpfr_t cut, p, q;
    losses l;
    mpq_inits(a.cut, a.p_mass, a.q_mass, keep, scale, one, NULL);
    mpfr_inits2(100, cut, p, q, (mpfr_ptr)0);
    product_of(&to, m, false, times);
    finite_mass(keep, p_of(m), q_of(m), m->count);
    mpq_set_ui(scale, 1, 1);
    mpq_set_ui(one, 1, 1);
    for (unsigned long k = 0; k < times; k++)
        mpq_mul(scale, scale, keep);
    if (to.count == 1) {
        assert_int_equal(to.item[0].ops->groups(to.item[0].self), 1);
        losses_of(&l, &to.item[0], 0, 100);
        for (int k = 0; k < 6; k++) {
            mpq_set_ui(a.cut, k == 0 ? 1 : 1 + rng_below(r, 4000), k == 0 ? 1 : 1009);
            mpq_set_ui(a.p_mass, 0, 1);
            mpq_set_ui(a.q_mass, 0, 1);
            enumerate(&a, one, one, times);
            mpfr_set_q(cut, a.cut, MPFR_RNDN);
            mpfr_log(cut, cut, MPFR_RNDN);
            sum_above(p, q, &l, cut);
            check_mass(p, a.p_mass, scale);
            check_mass(q, a.q_mass, scale);
        }
        losses_clear(&l);
    }
    product_clear(&to);
    mpfr_clears(cut, p, q, (mpfr_ptr)0);
    mpq_clears(a.cut, a.p_mass, a.q_mass, keep, scale, one, NULL);
}

/* Ties at loss 0 among them: ln(cut) = 0 is met by 2/3 and 3/2, and is no loss above. */
static void test_enumeration(void **state)
{
    (void)state;
    rng r = rng_make(204);
    masses tied;
    masses_set(&tied, 5, "1/5 3/10 1/6 1/3 0", "3/10 1/5 1/6 2/9 1/9");
    for (unsigned long t = 1; t <= 5; t++)
        check_enumeration(&tied, t, &r);
    masses_clear(&tied);
    for (int i = 0; i < rounds(25); i++) {
        masses m;
        masses_random(&m, 1 + rng_below(&r, 5), rng_below(&r, 2) == 0, &r);
        check_enumeration(&m, 1 + rng_below(&r, 5), &r);
        masses_clear(&m);
    }
}

/* Two groups: their masses are 1 each, their sizes those of half the uses. */
static void test_halves(void **state)
{
    (void)state;
    masses m;
    product to;
    masses_set(&m, 4, "1/10 2/10 3/10 4/10", "4/10 1/10 2/10 3/10");
    product_of(&to, &m, false, 61);
    const loss *law = &to.item[0];
    assert_int_equal(law->ops->groups(law->self), 2);
    assert_true(law->ops->group_size(law->self, 0) == 5456); /* C(33, 3) */
    assert_true(law->ops->group_size(law->self, 1) == 5984);
    for (size_t g = 0; g < 2; g++) {
        losses l;
        mpfr_t p, q, cut;
        mpq_t one;
        mpfr_inits2(100, p, q, cut, (mpfr_ptr)0);
        mpq_init(one);
        mpq_set_ui(one, 1, 1);
        mpfr_set_si(cut, -1000, MPFR_RNDN);
        losses_of(&l, law, g, 100);
        sum_above(p, q, &l, cut);
        check_mass(p, one, one);
        check_mass(q, one, one);
        losses_clear(&l);
        mpq_clear(one);
        mpfr_clears(p, q, cut, (mpfr_ptr)0);
    }
    product_clear(&to);
    product_of(&to, &m, false, 1000000);
    assert_true(isinf(to.item[0].ops->group_size(to.item[0].self, 0)));
    product_clear(&to);
    masses_clear(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moments),     cmocka_unit_test(test_ends),
        cmocka_unit_test(test_free_nodes),  cmocka_unit_test(test_lattice_nodes),
        cmocka_unit_test(test_enumeration), cmocka_unit_test(test_halves),
    };
    return cmocka_run_group_tests_name("discrete", tests, NULL, NULL);
}
