/* SPDX-License-Identifier: MIT */
/* The functions below and above the payoff, from their transforms: beside the payoff, folded over a
 * period, where they touch it, next to that, and between; and their kernels in doubles. */
#include "support.h"

#include <math.h>
#include <stdio.h>

#include "engine/far_terms.h"
#include "num/ival.h"

#define BITS 256

typedef struct setup {
    double c;
    mpfr_t spacing;
    extremal e;
    mpfi_t step, period; /* h and R */
    cball *below, *above;
} setup;

/* The kernels of nodes below `made`. */
static void setup_open(setup *s, double c, double period, uint64_t count, size_t made)
{
    s->c = c;
    mpfr_init2(s->spacing, 90);
    mpfr_const_pi(s->spacing, MPFR_RNDN);
    mpfr_div_d(s->spacing, s->spacing, period / 2, MPFR_RNDN);
    extremal_init(&s->e, c, s->spacing, count, 400);
    mpfi_init2(s->step, BITS);
    mpfi_init2(s->period, BITS);
    mpfi_const_pi(s->period);
    mpfi_mul_2ui(s->period, s->period, 1);
    mpfi_div_fr(s->period, s->period, s->spacing);
    mpfi_div_ui(s->step, s->period, (unsigned long)count);
    s->below = cball_list_new(made, BITS);
    s->above = cball_list_new(made, BITS);
    for (size_t n = 0; n < made; n++)
        extremal_node(&s->below[n], &s->above[n], &s->e, n);
}

static void setup_close(setup *s, size_t made)
{
    cball_list_free(s->above, made);
    cball_list_free(s->below, made);
    mpfi_clear(s->period);
    mpfi_clear(s->step);
    extremal_clear(&s->e);
    mpfr_clear(s->spacing);
}

/* out = (1/R) sum of the kernel times e^(i t y) over |n| < N */
static void folded(mpfi_t out, const setup *s, const cball *kernel, const mpfi_t y)
{
    cball sum, term;
    mpfi_t angle;
    cball_init(&sum, BITS);
    cball_init(&term, BITS);
    mpfi_init2(angle, BITS);
    for (uint64_t n = 0; n < s->e.count; n++) {
        mpfi_mul_fr(angle, y, s->spacing);
        mpfi_mul_ui(angle, angle, (unsigned long)n);
        cball_turn(&term, angle);
        cball_mul(&term, &term, &kernel[n]);
        cball_add(&sum, &sum, &term);
        if (n > 0)
            cball_add(&sum, &sum, &term);
    }
    cball_real(out, &sum);
    mpfi_div(out, out, s->period);
    mpfi_clear(angle);
    cball_clear(&term);
    cball_clear(&sum);
}

/* out = the sum of g over all periods, at 0 <= y < R: a geometric series for either part */
static void payoff(mpfi_t out, const setup *s, const mpfi_t y)
{
    mpfi_t part, all;
    mpfi_init2(part, BITS);
    mpfi_init2(all, BITS);
    mpfi_set_ui(out, 0);
    for (int i = 0; i < 2; i++) {
        mpfi_set_d(part, -s->c);
        mpfi_sub_ui(part, part, i == 0 ? 0 : 1);
        mpfi_mul(all, part, s->period);
        mpfi_expm1(all, all);
        mpfi_mul(part, part, y);
        mpfi_exp(part, part);
        mpfi_div(part, part, all);
        if (i == 0)
            mpfi_sub(out, out, part);
        else
            mpfi_add(out, out, part);
    }
    mpfi_clear(all);
    mpfi_clear(part);
}

/* Places, in steps: where one of both touches, so close to it, or anywhere. */
static void place(mpfi_t y, const setup *s, rng *r, bool touching, bool above)
{
    const double off[] = {0, 1e-20, 1e-12, 1e-6, 0.01, 0.3, 0.5};
    double whole = rng_below(r, 4) == 0 ? (double)rng_below(r, (size_t)s->e.count - 1)
                                        : (double)rng_below(r, 4); /* about the kink, too */
    mpfi_set_d(y, touching ? off[rng_below(r, 7)] : (double)rng_below(r, 1U << 30) * 0x1p-30);
    if (touching && rng_below(r, 2) == 0)
        mpfi_neg(y, y);
    mpfi_add_d(y, y, whole);
    mpfi_mul(y, y, s->step);
    if (above)
        mpfi_add(y, y, s->e.number[EXTREMAL_SHIFT]);
    if (mpfr_sgn(&y->left) < 0)
        mpfi_add(y, y, s->period);
}

static void test_sides(void **state)
{
    (void)state;
    rng r = rng_make(2501);
    const double c[] = {1e-4, 0.03, 0.5, 2, 17, 1000};
    mpfi_t y, g, low, high;
    mpfi_init2(y, BITS);
    mpfi_init2(g, BITS);
    mpfi_init2(low, BITS);
    mpfi_init2(high, BITS);
    for (int i = 0; i < rounds(60); i++) {
        double pole = c[rng_below(&r, 6)];
        uint64_t count = 16 + rng_below(&r, 120);
        /* h from its largest down */
        double h = 0.5 / (pole + 1) * pow(10, -0.5 * (double)rng_below(&r, 5));
        setup s;
        setup_open(&s, pole, (double)(float)(h * (double)count), count, (size_t)count);
        for (int k = 0; k < 20; k++) {
            bool touching = k % 3 != 0, above = rng_below(&r, 2) == 0;
            place(y, &s, &r, touching, above);
            payoff(g, &s, y);
            folded(low, &s, s.below, y);
            folded(high, &s, s.above, y);
            mpfi_sub(low, g, low);
            mpfi_sub(high, high, g);
            mpfi_div(low, low, s.step);
            mpfi_div(high, high, s.step);
            double under = mpfi_get_d(low), over = mpfi_get_d(high);
            if (!(under > -0x1p-150) || !(over > -0x1p-150))
                fail_msg("c = %g, h = %g, y = %.17g steps: %g below, %g above", pole, h,
                         mpfi_get_d(y) / h, under, over);
            assert_true(under < 0.2 && over < 0.2); /* of order h */
        }
        setup_close(&s, (size_t)count);
    }
    mpfi_clear(high);
    mpfi_clear(low);
    mpfi_clear(g);
    mpfi_clear(y);
}

/* They touch, away from the kink, to the second order; and are h^2/8 apart in the mean. */
static void test_touch(void **state)
{
    (void)state;
    mpfi_t y, g, f;
    mpfi_init2(y, BITS);
    mpfi_init2(g, BITS);
    mpfi_init2(f, BITS);
    setup s;
    setup_open(&s, 2, 12.8, 128, 128);
    for (unsigned long k = 0; k < 128; k += 9)
        for (int above = 0; above < 2; above++) {
            mpfi_mul_ui(y, s.step, k);
            if (above == 1)
                mpfi_add(y, y, s.e.number[EXTREMAL_SHIFT]);
            for (int i = 0; i < 2; i++) {
                mpfi_add_d(y, y, i * 1e-20);
                payoff(g, &s, y);
                folded(f, &s, above == 1 ? s.above : s.below, y);
                mpfi_sub(f, f, g);
                double off = fabs(mpfi_get_d(f));
                /* the slope of what lies below jumps with that of the payoff at the kink alone */
                assert_true(off < (i == 0 ? 1e-60 : k == 0 && above == 0 ? 1e-20 : 1e-38));
            }
        }
    mpfr_sub(&f->left, s.above[0].re, s.below[0].re, MPFR_RNDN);
    double apart = mpfr_get_d(&f->left, MPFR_RNDN) / (0.1 * 0.1 / 8);
    assert_true(apart > 0.99 && apart < 1.01);
    setup_close(&s, 128);
    mpfi_clear(f);
    mpfi_clear(g);
    mpfi_clear(y);
}

/* ---- in doubles ------------------------------------------------------------------------------ */
#define KERNEL_ERROR (243 * BINARY64_U) /* and the product with 1 */

/* How far a term is from that node's kernel, over the bound. */
static double share(double re, double im, const cball *kernel, double most)
{
    MPFR_DECL_INIT(x, BITS);
    MPFR_DECL_INIT(y, BITS);
    mpfr_sub_d(x, kernel->re, re / 2, MPFR_RNDN);
    mpfr_sub_d(y, kernel->im, im / 2, MPFR_RNDN);
    mpfr_hypot(x, x, y, MPFR_RNDN);
    assert_true(mpfr_cmp_d(kernel->size, most / 2 * (1 + 1e-8)) < 0);
    return mpfr_get_d(x, MPFR_RNDN) / (KERNEL_ERROR * most / 2);
}

/* Without what far_nodes.c keeps aside of the second: e^(-(c + it) shift). */
static void part_shift(cball *above, const setup *s, uint64_t n)
{
    cball other;
    mpfi_t turn;
    cball_init(&other, BITS);
    mpfi_init2(turn, BITS + 64);
    mpfi_mul_ui(turn, s->e.number[EXTREMAL_TURN], (unsigned long)n);
    cball_exp(&other, s->e.number[EXTREMAL_FALL], turn);
    cball_mul(above, above, &other);
    cball_measure(above);
    mpfi_clear(turn);
    cball_clear(&other);
}

static double block(const setup *s, far_nodes *f, uint64_t first)
{
    far_phi phi = {.start = 1};
    far_terms terms;
    far_bounds bounds = {0};
    double worst = 0, most = far_kernel_most(&f->kernel, first);
    cball below, above;
    cball_init(&below, BITS);
    cball_init(&above, BITS);
    for (int k = 0; k < BINARY64_BLOCK; k++)
        phi.re[k] = 1;
    far_term_makers[0](&terms, &bounds, &phi, f, first);
    for (uint64_t k = 0; k < BINARY64_BLOCK; k += 1 + k % 5) {
        extremal_node(&below, &above, &s->e, first + k);
        part_shift(&above, s, first + k);
        double z = bounds.node[k];
        worst = fmax(worst, share(terms.sum[0].re[k], terms.sum[0].im[k], &below, z));
        worst = fmax(worst, share(terms.sum[1].re[k], terms.sum[1].im[k], &above, z));
        assert_true(mpfr_cmp_d(below.size, most * (1 + 1e-8)) < 0);
        assert_true(mpfr_cmp_d(above.size, most * (1 + 1e-8)) < 0);
    }
    cball_clear(&above);
    cball_clear(&below);
    return worst;
}

static void test_doubles(void **state)
{
    (void)state;
    rng r = rng_make(2502);
    static far_nodes f;
    double worst = 0;
    for (int i = 0; i < rounds(40); i++) {
        double pole = pow(10, -5 + 0.01 * (double)rng_below(&r, 1000));
        uint64_t part = 1 + (rng_below(&r, 2) == 0 ? rng_below(&r, 4) : rng_below(&r, 1U << 24));
        uint64_t count = 2 * BINARY64_BLOCK * part;
        double h = 0.49 / (pole + 1) * pow(10, -(double)rng_below(&r, 9));
        setup s;
        pole = (double)(float)pole;
        setup_open(&s, pole, (double)(float)(h * (double)count), count, 0);
        far_kernel_init(&f.kernel, &s.e);
        const uint64_t first[] = {0, count / 2 - BINARY64_BLOCK, count / 2, count - BINARY64_BLOCK,
                                  rng_below(&r, (size_t)(count / BINARY64_BLOCK)) * BINARY64_BLOCK};
        for (size_t k = 0; k < 5; k++) {
            double w = block(&s, &f, first[k]);
            if (!(w < 1))
                fail_msg("c = %g, h = %g, N = %g, from %g: %g of the bound", pole, h, (double)count,
                         (double)first[k], w);
            worst = fmax(worst, w);
        }
        setup_close(&s, 0);
    }
    printf("# largest share of the bound: %g\n", worst);
    assert_true(worst > 1e-3);
}

/* Sums of what bounds the kernels, beside what extremal.c has for them. */
static void test_total(void **state)
{
    (void)state;
    static far_nodes f;
    rng r = rng_make(2503);
    for (int i = 0; i < rounds(20); i++) {
        double c = pow(10, -4 + (double)rng_below(&r, 8)), h = 0.49 / (c + 1);
        uint64_t count = 2 * BINARY64_BLOCK << rng_below(&r, 8);
        h *= pow(10, -(double)rng_below(&r, 4));
        double period = (double)(float)(h * (double)count), sum = 0;
        setup s;
        setup_open(&s, (double)(float)c, period, count, 0);
        far_kernel_init(&f.kernel, &s.e);
        far_phi phi = {.start = 1};
        far_terms terms;
        far_bounds bounds = {0};
        for (int k = 0; k < BINARY64_BLOCK; k++)
            phi.re[k] = 1;
        for (uint64_t n = 0; n < count; n += BINARY64_BLOCK)
            far_term_makers[0](&terms, &bounds, &phi, &f, n);
        for (int k = 0; k < BINARY64_BLOCK; k++)
            sum += bounds.node[k];
        assert_true(sum < 1.5 * EXTREMAL_SUM * (period / (2 * c) + 1 / (c * c)));
        setup_close(&s, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sides),
        cmocka_unit_test(test_touch),
        cmocka_unit_test(test_doubles),
        cmocka_unit_test(test_total),
    };
    return cmocka_run_group_tests_name("extremal functions", tests, NULL, NULL);
}
