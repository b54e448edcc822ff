/* SPDX-License-Identifier: MIT */
/* The terms and the sums of the contour of a lattice against Arb, at precisions so low that every
 * radius counts. Built only where Arb is found. */
#include "support.h"

#include <acb.h>
#include <math.h>

#include "engine/lattice.h"
#include "num/number.h"

#define ARB_BITS 2400 /* e^(-2h(c+1)) is a difference of numbers near 1 */
#define MOST_NODES 60

#include "inside_arb.h"

typedef struct setup {
    product none; /* whose M is 1 */
    totals all;
    lattice f;
    contour p;
    uint64_t node[MOST_NODES];
    arb_t h;
    double gap, gap1; /* about |1 - r|, 1 - r', at most 1 */
} setup;

/* A plan by chance, with all nodes of a short period: what the terms and the sums read. */
static void plan(setup *s, rng *r)
{
    product_init(&s->none);
    s->all = (totals){.product = &s->none};
    s->f = (lattice){.all = &s->all};
    dp_number_init(&s->f.step);
    mpz_init(s->f.rise);
    arb_init(s->h);
    unsigned long a = 1 + (unsigned long)rng_below(r, 999),
                  b = 10 + (unsigned long)rng_below(r, 90);
    mpq_t q;
    mpq_init(q);
    mpq_set_ui(q, a, rng_below(r, 20) == 0 ? 1000 * b : b);
    mpq_canonicalize(q);
    fmpq_t exact;
    fmpq_init(exact);
    if (rng_below(r, 3) == 0) {
        mpz_add(mpq_numref(q), mpq_numref(q), mpq_denref(q)); /* ln(1 + q) */
        number_set_log(&s->f.step, q);
    } else {
        number_set_q(&s->f.step, q);
    }
    fmpq_set_mpq(exact, q);
    arb_set_fmpq(s->h, exact, ARB_BITS);
    if (s->f.step.is_log)
        arb_log(s->h, s->h, ARB_BITS);
    s->f.h = arf_get_d(arb_midref(s->h), ARF_RND_NEAR);
    fmpq_clear(exact);
    mpq_clear(q);
    double c = ldexp((double)(1 + rng_below(r, 1U << 20)), -18);
    c = rng_below(r, 2) == 0 ? c : ldexp(rint(ldexp(-c / 4.1, 20)), -20);
    s->p = (contour){.f = &s->f, .c = c == 0 ? 0.5 : c, .lambda = 1 + (double)rng_below(r, 50)};
    size_t count = 1 + (size_t)rng_below(r, MOST_NODES);
    s->p.period = 2 * (uint64_t)count - 1;
    s->p.work = 10 + (mpfr_prec_t)rng_below(r, 120);
    for (size_t i = 0; i < count; i++)
        s->node[i] = i;
    s->p.nodes = (node_list){.node = s->node, .count = count};
    mpfr_init2(s->p.dropped, 64);
    mpfi_init2(s->p.scale, s->p.work);
    s->gap = fmin(1, fabs(expm1(-2 * s->f.h * s->p.c)));
    s->gap1 = -expm1(-2 * s->f.h * (s->p.c + 1));
}

static void unplan(setup *s)
{
    cball_list_free(s->p.g, s->p.nodes.count);
    cball_list_free(s->p.v, s->p.nodes.count);
    mpfr_clear(s->p.dropped);
    mpfi_clear(s->p.scale);
    arb_clear(s->h);
    mpz_clear(s->f.rise);
    dp_number_clear(&s->f.step);
    product_clear(&s->none);
}

/* v = 1/(1 - e^(-2h(t+1))), g = 1/(1 - e^(-2ht)) - v at t = c + i pi n / (N h) */
static void kernels(acb_t g, acb_t v, const setup *s, uint64_t n)
{
    acb_t t, c;
    acb_init(t);
    acb_init(c);
    arb_const_pi(acb_imagref(t), ARB_BITS);
    arb_mul_ui(acb_imagref(t), acb_imagref(t), (ulong)n, ARB_BITS);
    arb_div_ui(acb_imagref(t), acb_imagref(t), (ulong)s->p.period, ARB_BITS);
    arb_set_d(acb_realref(c), s->p.c);
    arb_mul(acb_realref(t), s->h, acb_realref(c), ARB_BITS); /* h t_n */
    acb_mul_si(g, t, -2, ARB_BITS);
    acb_expm1(g, g, ARB_BITS);
    acb_add_arb(t, t, s->h, ARB_BITS);
    acb_mul_si(v, t, -2, ARB_BITS);
    acb_expm1(v, v, ARB_BITS);
    acb_inv(v, v, ARB_BITS);
    acb_neg(v, v);
    acb_inv(g, g, ARB_BITS);
    acb_add(g, g, v, ARB_BITS);
    acb_neg(g, g);
    acb_clear(c);
    acb_clear(t);
}

/* e^(-2hc) (1 - e^(-2h)) */
static void scale_of(arb_t out, const setup *s)
{
    arb_t x;
    arb_init(x);
    arb_set_d(x, s->p.c);
    arb_mul(x, x, s->h, ARB_BITS);
    arb_mul_si(x, x, -2, ARB_BITS);
    arb_exp(x, x, ARB_BITS);
    arb_mul_si(out, s->h, -2, ARB_BITS);
    arb_expm1(out, out, ARB_BITS);
    arb_neg(out, out);
    arb_mul(out, out, x, ARB_BITS);
    arb_clear(x);
}

/* N e^-lambda |kernel| <= dropped */
static bool bounds(const setup *s, const acb_t kernel)
{
    arb_t size, most;
    arb_init(size);
    arb_init(most);
    arb_set_d(size, -s->p.lambda);
    arb_exp(size, size, ARB_BITS);
    arb_mul_ui(size, size, (ulong)s->p.period, ARB_BITS);
    acb_abs(most, kernel, ARB_BITS);
    arb_mul(size, size, most, ARB_BITS);
    arb_of(most, s->p.dropped);
    bool in = arb_le(size, most) != 0;
    arb_clear(most);
    arb_clear(size);
    return in;
}

/* Units of the last place in the radius, per size, where the distance to the poles costs the rest.
 */
static double units(const cball *z, const setup *s)
{
    return mpfr_get_d(z->radius, MPFR_RNDU) * ldexp(1, (int)s->p.work) /
           mpfr_get_d(z->size, MPFR_RNDD) * s->gap * s->gap1;
}

static void test_terms(void **state)
{
    (void)state;
    limits lim = {0};
    rng r = rng_make(91);
    acb_t g, v;
    acb_init(g);
    acb_init(v);
    arb_t scale;
    arb_init(scale);
    long known = 0, all = 0;
    for (int round = 0; round < rounds(150); round++) {
        setup s;
        plan(&s, &r);
        assert_int_equal(contour_terms(&s.p, &lim), DP_OK);
        scale_of(scale, &s);
        assert_true(in_interval(s.p.scale, scale));
        for (size_t i = 0; i < s.p.nodes.count; i++) {
            kernels(g, v, &s, i);
            if (!bounds(&s, g) || !bounds(&s, v))
                fail_msg("c = %g, h = %g, %ld bits: node %zu of %d is larger", s.p.c, s.f.h,
                         (long)s.p.work, i, (int)s.p.period);
            acb_div_arb(g, g, scale, ARB_BITS);
            if (i > 0) {
                acb_mul_2exp_si(g, g, 1);
                acb_mul_2exp_si(v, v, 1);
            }
            const cball *a = &s.p.g[i], *b = &s.p.v[i];
            if (!in_ball(a, g) || !in_ball(b, v))
                fail_msg("c = %g, h = %g, %ld bits: node %zu of %d", s.p.c, s.f.h, (long)s.p.work,
                         i, (int)s.p.period);
            all++;
            if (!mpfr_number_p(a->size) || !mpfr_number_p(b->size) ||
                mpfr_cmp_d(a->radius, 0.1) > 0)
                continue;
            known++;
            if (units(a, &s) > 64 || units(b, &s) > 64)
                fail_msg("c = %g, h = %g, %ld bits: node %zu of %d is %g and %g units wide", s.p.c,
                         s.f.h, (long)s.p.work, i, (int)s.p.period, units(a, &s), units(b, &s));
        }
        unplan(&s);
    }
    assert_true(10 * known > 9 * all);
    arb_clear(scale);
    acb_clear(v);
    acb_clear(g);
}

/* out = N x^j / (1 - x^N), x = e^y: the sum over n of e^(2 pi i n j / N) / (1 - x w_n) */
static void average(arb_t out, const arb_t y, uint64_t j, uint64_t period)
{
    arb_t x;
    arb_init(x);
    arb_mul_ui(x, y, (ulong)period, ARB_BITS);
    arb_expm1(x, x, ARB_BITS);
    arb_neg(x, x);
    arb_mul_ui(out, y, (ulong)j, ARB_BITS);
    arb_exp(out, out, ARB_BITS);
    arb_div(out, out, x, ARB_BITS);
    arb_mul_ui(out, out, (ulong)period, ARB_BITS);
    arb_clear(x);
}

/* The terms of M = 1 add up to geometric series, in any cell. */
static void test_sums(void **state)
{
    (void)state;
    limits lim = {0};
    rng r = rng_make(92);
    arb_t y, z, c;
    mpz_t cell;
    mpfi_t g, v;
    mpfr_t width;
    arb_init(y);
    arb_init(z);
    arb_init(c);
    mpz_init(cell);
    mpfr_init2(width, 64);
    for (int round = 0; round < rounds(300); round++) {
        setup s;
        plan(&s, &r);
        assert_int_equal(contour_terms(&s.p, &lim), DP_OK);
        mpfi_init2(g, s.p.work);
        mpfi_init2(v, s.p.work);
        uint64_t shift = rng_below(&r, 1000), i = rng_below(&r, 3000);
        mpz_set_ui(s.f.rise, 2 * (unsigned long)shift);
        mpz_set_ui(cell, (unsigned long)i);
        contour_add(g, v, &s.p, cell);
        uint64_t j = (i + 1000 * s.p.period - shift) % s.p.period;
        arb_set_d(c, s.p.c);
        arb_mul(y, s.h, c, ARB_BITS);
        arb_add(z, y, s.h, ARB_BITS);
        arb_mul_si(y, y, -2, ARB_BITS);
        arb_mul_si(z, z, -2, ARB_BITS);
        average(y, y, j, s.p.period);
        average(z, z, j, s.p.period);
        arb_sub(y, y, z, ARB_BITS);
        mpfr_sub(width, &v->right, &v->left, MPFR_RNDU);
        double wide =
            mpfr_get_d(width, MPFR_RNDU) * ldexp(1, (int)s.p.work) * s.gap1 * s.gap1 * s.gap;
        if (!in_interval(g, y) || !in_interval(v, z) ||
            (s.p.work > 40 && wide > 4 * (double)s.p.period * (double)(s.p.period + 16)))
            fail_msg("c = %g, h = %g, N = %d, %ld bits, cell %d - %d: %g units wide", s.p.c, s.f.h,
                     (int)s.p.period, (long)s.p.work, (int)i, (int)shift, wide);
        mpfi_clear(v);
        mpfi_clear(g);
        unplan(&s);
    }
    mpfr_clear(width);
    mpz_clear(cell);
    arb_clear(c);
    arb_clear(z);
    arb_clear(y);
}

/* One term, exactly 1, at a node of a long period: the sum is the phase, reduced exactly. */
static void test_phases(void **state)
{
    (void)state;
    rng r = rng_make(93);
    mpz_t cell;
    mpfi_t g, v;
    mpfr_t width;
    fmpz_t n;
    fmpq_t turn;
    arb_t truth;
    mpz_init(cell);
    mpfr_init2(width, 64);
    fmpz_init(n);
    fmpq_init(turn);
    arb_init(truth);
    for (int round = 0; round < rounds(1000); round++) {
        setup s;
        plan(&s, &r);
        s.p.period = rng_wide(&r, UINT64_C(1) << rng_below(&r, 61)) | 1;
        s.node[0] = rng_wide(&r, (s.p.period + 1) / 2);
        s.p.nodes.count = 1;
        s.p.g = cball_list_new(1, s.p.work);
        s.p.v = cball_list_new(1, s.p.work);
        assert_true(s.p.g != NULL && s.p.v != NULL);
        cball_set_ui(s.p.g, 1);
        mpfi_set_ui(s.p.scale, 1);
        cball_set_ui(s.p.v, 1);
        mpz_ui_pow_ui(s.f.rise, 3, (unsigned long)rng_below(&r, 90));
        mpz_ui_pow_ui(cell, 5, (unsigned long)rng_below(&r, 60));
        mpfi_init2(g, s.p.work);
        mpfi_init2(v, s.p.work);
        contour_add(g, v, &s.p, cell);
        fmpz_set_mpz(fmpq_numref(turn), s.f.rise);
        fmpz_set_mpz(n, cell);
        fmpz_submul_ui(fmpq_numref(turn), n, 2);
        fmpz_set_ui(n, (ulong)s.node[0]);
        fmpz_mul(fmpq_numref(turn), fmpq_numref(turn), n);
        fmpz_set_ui(fmpq_denref(turn), (ulong)s.p.period);
        fmpq_canonicalise(turn);
        arb_cos_pi_fmpq(truth, turn, ARB_BITS);
        mpfr_sub(width, &g->right, &g->left, MPFR_RNDU);
        double wide = mpfr_get_d(width, MPFR_RNDU) * ldexp(1, (int)s.p.work);
        if (!in_interval(g, truth) || !in_interval(v, truth) || wide > 8)
            fail_msg("node %llu of %llu, %ld bits: %g units wide", (unsigned long long)s.node[0],
                     (unsigned long long)s.p.period, (long)s.p.work, wide);
        mpfi_clear(v);
        mpfi_clear(g);
        unplan(&s);
    }
    arb_clear(truth);
    fmpq_clear(turn);
    fmpz_clear(n);
    mpfr_clear(width);
    mpz_clear(cell);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_terms), cmocka_unit_test(test_sums),
                                       cmocka_unit_test(test_phases)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
