/* SPDX-License-Identifier: MIT */
/* The terms and the sums of the trapezoidal rule against Arb, at precisions so low that every
 * radius counts. Built only where Arb is found. */
#include "support.h"

#include <acb.h>
#include <math.h>

#include "engine/trapezoid.h"
#include "num/memory.h"
#include "num/wide.h"

#define ARB_BITS 400

#include "inside_arb.h"

static void height(arb_t t, const trapezoid *p, size_t i)
{
    fmpz_t n;
    fmpz_init_set_ui(n, (ulong)p->nodes.node[i]);
    arb_of(t, p->spacing);
    arb_mul_fmpz(t, t, n, ARB_BITS);
    fmpz_clear(n);
}

/* out = e^(-as) / (1 - e^-s) */
static void series(acb_t out, const acb_t s, const arb_t a)
{
    acb_t part;
    acb_init(part);
    acb_neg(part, s);
    acb_exp(part, part, ARB_BITS);
    acb_sub_ui(part, part, 1, ARB_BITS);
    acb_neg(part, part);
    acb_mul_arb(out, s, a, ARB_BITS);
    acb_neg(out, out);
    acb_exp(out, out, ARB_BITS);
    acb_div(out, out, part, ARB_BITS);
    acb_clear(part);
}

/* out = s / (e^s - 1) */
static void slope(arb_t out, const arb_t s)
{
    arb_expm1(out, s, ARB_BITS);
    arb_div(out, s, out, ARB_BITS);
}

/* *a of the function above, and first = (1 or h) - d_0, of extremal.c */
static void set_touch(arb_t a, arb_t first, const arb_t h, const arb_t x, const arb_t y, size_t j)
{
    arb_t part;
    arb_init(part);
    if (j == 0) { /* h - (b(ch) - b((c+1)h)) */
        arb_zero(a);
        slope(part, x);
        arb_sub(first, h, part, ARB_BITS);
        slope(part, y);
        arb_add(first, first, part, ARB_BITS);
    } else {
        arb_zero(first);
        arb_neg(a, x);
        arb_expm1(a, a, ARB_BITS);
        arb_neg(part, y);
        arb_expm1(part, part, ARB_BITS);
        arb_div(a, a, part, ARB_BITS);
        arb_mul(a, a, y, ARB_BITS);
        arb_div(a, a, x, ARB_BITS);
        arb_log(a, a, ARB_BITS);
        arb_div(a, a, h, ARB_BITS);
    }
    arb_clear(part);
}

/* h F^ = h (1 - xi)(D(s) - D(s+h)) + (i h/2 pi)(ch D(s) - (c+1)h D(s+h) + (d - d_0)) of node i */
static void band_kernel(acb_t out, const trapezoid *p, size_t j, size_t i)
{
    acb_t s, low, high;
    arb_t h, x, y, a, first;
    acb_init(s);
    acb_init(low);
    acb_init(high);
    arb_ptr all[] = {h, x, y, a, first};
    for (size_t k = 0; k < 5; k++)
        arb_init(all[k]);
    arb_const_pi(h, ARB_BITS);
    arb_mul_2exp_si(h, h, 1);
    arb_of(x, p->spacing);
    arb_div(h, h, x, ARB_BITS);
    arb_div_ui(h, h, (ulong)p->band, ARB_BITS);
    arb_set_d(x, p->c);
    arb_mul(x, x, h, ARB_BITS);
    arb_add(y, x, h, ARB_BITS);
    set_touch(a, first, h, x, y, j);
    arb_set(acb_realref(s), x);
    height(acb_imagref(s), p, i);
    arb_mul(acb_imagref(s), acb_imagref(s), h, ARB_BITS);
    series(low, s, a);
    acb_add_arb(s, s, h, ARB_BITS);
    series(high, s, a);
    acb_sub(out, low, high, ARB_BITS);
    acb_mul_ui(out, out, (ulong)(p->band - p->nodes.node[i]), ARB_BITS);
    acb_div_ui(out, out, (ulong)p->band, ARB_BITS);
    acb_mul_arb(low, low, x, ARB_BITS);
    acb_mul_arb(high, high, y, ARB_BITS);
    acb_sub(low, low, high, ARB_BITS);
    acb_add_arb(low, low, first, ARB_BITS);
    acb_mul_onei(low, low);
    arb_const_pi(x, ARB_BITS);
    arb_mul_2exp_si(x, x, 1);
    acb_div_arb(low, low, x, ARB_BITS);
    acb_add(out, out, low, ARB_BITS);
    acb_mul_arb(out, out, h, ARB_BITS);
    for (size_t k = 0; k < 5; k++)
        arb_clear(all[k]);
    acb_clear(high);
    acb_clear(low);
    acb_clear(s);
}

/* e^(w^2 z(z+1)/2) / (z (z+1)) */
static void plain_kernel(acb_t out, const trapezoid *p, size_t j, size_t i)
{
    acb_t z;
    arb_t w;
    acb_init(z);
    arb_init(w);
    arb_set_d(acb_realref(z), p->c);
    height(acb_imagref(z), p, i);
    acb_add_ui(out, z, 1, ARB_BITS);
    acb_mul(z, z, out, ARB_BITS);
    arb_set_d(w, p->square[j]);
    acb_mul_arb(out, z, w, ARB_BITS);
    acb_mul_2exp_si(out, out, -1);
    acb_exp(out, out, ARB_BITS);
    acb_div(out, out, z, ARB_BITS);
    arb_clear(w);
    acb_clear(z);
}

static void kernel(acb_t out, const trapezoid *p, size_t j, size_t i)
{
    if (p->band > 0)
        band_kernel(out, p, j, i);
    else
        plain_kernel(out, p, j, i);
    if (p->nodes.node[i] > 0)
        acb_mul_2exp_si(out, out, 1);
}

#define NODES 5

/* A plan by chance, with five nodes: everything that the terms and the sums read. */
static void plan(trapezoid *p, const totals *all, rng *r, uint64_t *node)
{
    *p = (trapezoid){.all = all, .sums = 1 + rng_below(r, 2)};
    p->c = ldexp((double)(1 + rng_below(r, 1U << 24)), -22);
    if (rng_below(r, 2) == 0)
        p->c = -p->c / 4.5;
    p->c = ldexp(rint(ldexp(p->c, 20)), -20);
    p->c = p->c == 0 ? 0.5 : p->c;
    if (p->sums == 2) {
        double width = ldexp((double)(1 + rng_below(r, 1U << 24)), -26);
        if (rng_below(r, 3) == 0) /* beyond any plan: angles and exponents are then the coarsest */
            width *= 512;
        p->square[0] = width * width;
        p->square[1] = 1.5625 * p->square[0];
    }
    p->work = 10 + (mpfr_prec_t)rng_below(r, 90);
    mpfr_init2(p->spacing, p->work);
    mpfr_set_d(p->spacing, 0.01 + (double)rng_below(r, 1000) / 997, MPFR_RNDN);
    uint64_t n = rng_below(r, 2);
    for (size_t i = 0; i < NODES; i++, n += 1 + rng_below(r, 20))
        node[i] = n;
    p->last = node[NODES - 1];
    if (p->c > 0 && p->sums == 2 && rng_below(r, 2) == 0) {
        p->square[0] = p->square[1] = 0;
        p->band = p->last + 1 + rng_below(r, 2) * rng_below(r, 1U << 30);
        extremal_init(&p->kernel, p->c, p->spacing, p->band, p->work);
    }
    p->nodes = (node_list){.node = node, .count = NODES};
}

static void unplan(trapezoid *p)
{
    if (p->phase != NULL)
        turns_clear(p->phase);
    memory_free(p->phase);
    for (size_t j = 0; j < p->sums; j++)
        cball_list_free(p->term[j], p->nodes.count);
    if (p->band > 0)
        extremal_clear(&p->kernel);
    mpfr_clear(p->spacing);
}

/* phi = 1 of no law at all: the terms are the kernels. */
static void test_terms(void **state)
{
    (void)state;
    product none;
    product_init(&none);
    totals all = {.product = &none};
    limits lim = {0};
    rng r = rng_make(71);
    acb_t truth;
    acb_init(truth);
    for (int round = 0; round < rounds(300); round++) {
        trapezoid p;
        uint64_t node[NODES];
        plan(&p, &all, &r, node);
        assert_int_equal(trapezoid_terms(&p, &lim), DP_OK);
        for (size_t j = 0; j < p.sums; j++)
            for (size_t i = 0; i < NODES; i++) {
                const cball *term = &p.term[j][i];
                kernel(truth, &p, j, i);
                double share = mpfr_get_d(term->radius, MPFR_RNDU) * ldexp(1, (int)p.work) /
                               mpfr_get_d(term->size, MPFR_RNDD);
                if (!in_ball(term, truth) || (p.square[j] < 1 && share > 64))
                    fail_msg("c = %g, square %g, node %d, %ld bits: radius of %g units", p.c,
                             p.square[j], (int)node[i], (long)p.work, share);
            }
        unplan(&p);
    }
    acb_clear(truth);
    product_clear(&none);
}

/* One term, exactly 1: the sum is the phase, whose radius is all there is. */
static void test_phases(void **state)
{
    (void)state;
    rng r = rng_make(72);
    arb_t t, truth;
    mpfr_t x, slope;
    mpfi_t sum, other;
    arb_init(t);
    arb_init(truth);
    mpfr_init2(x, 60);
    mpfr_init2(slope, 60);
    for (int round = 0; round < rounds(1000); round++) {
        trapezoid p;
        uint64_t node[NODES];
        plan(&p, NULL, &r, node);
        p.nodes.count = 1;
        mpfi_init2(sum, p.work);
        mpfi_init2(other, p.work);
        for (size_t j = 0; j < p.sums; j++) {
            p.term[j] = cball_list_new(1, p.work);
            assert_non_null(p.term[j]);
            cball_set_ui(&p.term[j][0], 1);
        }
        turns phase;
        assert_true(turns_init(&phase, p.work, node[0]));
        p.phase = &phase;
        mpfr_set_d(x, ldexp((double)rng_below(&r, 1U << 30), -20) / 3, MPFR_RNDN);
        trapezoid_add((mpfi_ptr[]){sum, other}, slope, &p, x);
        height(t, &p, 0);
        arb_of(truth, x);
        arb_mul(t, t, truth, ARB_BITS);
        arb_cos(truth, t, ARB_BITS);
        bool in = in_interval(sum, truth);
        mpfi_diam_abs(slope, sum);
        double width = mpfr_get_d(slope, MPFR_RNDU) * ldexp(1, (int)p.work);
        p.phase = NULL;
        turns_clear(&phase);
        if (!in || width > 160 * (double)phase.rows) /* at most 5 and 14 * 5 units a digit */
            fail_msg("node %d, %ld bits: %d, %g units wide", (int)node[0], (long)p.work, in, width);
        mpfi_clear(other);
        mpfi_clear(sum);
        unplan(&p);
    }
    mpfr_clear(slope);
    mpfr_clear(x);
    arb_clear(truth);
    arb_clear(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_terms), cmocka_unit_test(test_phases)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
