/* SPDX-License-Identifier: MIT */
/* Uses of the sampled Gaussian whose moments have windows: the values of windows beside integrals
 * of their derivative, bounds of moments beside the moments summed in doubles, what is lost beside
 * its integral, and profiles: three uses beside a double sum of closed forms, in which nothing
 * cancels, and few bits beside many, whose errors are then of the size of what they enclose.
 * DPACCT_TEST_FACTOR tries more. */
#include "law.h"

#include <complex.h>
#include <stdlib.h>

#include "loss/sampled_gaussian.h"
#include "loss/sampled_gaussian_bend.h"

/* e^(low..high), to 12 bits */
static double between(rng *r, double low, double high)
{
    int exponent;
    double m = frexp(exp(low + (high - low) * (double)rng_below(r, 10001) / 1e4), &exponent);
    return ldexp(rint(ldexp(m, 12)), exponent - 12);
}

static void open_law(product *p, double s, double q, unsigned long uses, bool add)
{
    mpq_t sigma, rate;
    mpz_t n;
    mpq_inits(sigma, rate, NULL);
    mpz_init_set_ui(n, uses);
    mpq_set_d(sigma, s);
    mpq_set_d(rate, q);
    product_init(p);
    assert_int_equal(sampled_gaussian_add(p, sigma, rate, n, add), DP_OK);
    mpz_clear(n);
    mpq_clears(sigma, rate, NULL);
}

static const sgm *law_of(const product *p)
{
    return p->item[0].self;
}

/* Of a law with this and no other path; false: none. `bits` as few.c counts them. */
static bool profile_of(mpfi_t s, double sigma, double q, unsigned long uses, double x, int bits,
                       bool add)
{
    product p;
    mpfi_t at;
    mpfr_t slope;
    open_law(&p, sigma, q, uses, add);
    mpfi_init2(at, 64);
    mpfr_init2(slope, 64);
    mpfi_set_prec(s, 56 + bits);
    mpfi_set_d(at, x);
    bool ok = sgm_few_has_window(law_of(&p)) && sgm_few_profile(s, slope, law_of(&p), at);
    mpfr_clear(slope);
    mpfi_clear(at);
    product_clear(&p);
    return ok;
}

#ifdef FIXED

static double upper(double y)
{
    return erfc(y / M_SQRT2) / 2;
}

/* ---- windows -------------------------------------------------------------------------------- */
/* W(y + i alpha) from W(y), by Simpson's rule on the way up. */
static double complex window_at(const bend_window *w, double y, double alpha)
{
    enum { STEPS = 2000 };
    double complex sum = 0;
    double unit = 1 / (w->width * sqrt(2 * M_PI));
    for (int i = 0; i <= STEPS; i++) {
        double complex u = (y - w->at + I * alpha * i / STEPS) / w->width;
        sum += (i == 0 || i == STEPS ? 1 : i % 2 == 1 ? 4 : 2) * cexp(-u * u / 2);
    }
    return upper((y - w->at) / w->width) - I * unit * sum * alpha / STEPS / 3;
}

static bend_window any_window(rng *r)
{
    bend_window w = {.at = between(r, log(5), log(30)), .width = between(r, log(0.05), log(0.4))};
    w.end = w.at + ldexp(floor(ldexp(30 * w.width, 8)), -8);
    return w;
}

static void test_weights(void **state)
{
    (void)state;
    rng r = rng_make(81);
    for (int i = 0; i < rounds(6); i++) {
        bend_window w = any_window(&r);
        bend_rule rule = {.shift = bend_short(w.width * (double)rng_below(&r, 90) / 10, 12)};
        rule.h = bend_short(w.width * between(&r, log(0.05), log(0.6)), 12);
        rule.first = (int64_t)floor(-9 / rule.h);
        rule.last = (int64_t)floor(w.end / rule.h) - (int64_t)rng_below(&r, 3);
        size_t count = (size_t)(rule.last - rule.first) + 1;
        bend_weight *at = malloc(count * sizeof *at);
        assert_non_null(at);
        assert_true(bend_weights(at, &w, &rule, count));
        for (size_t k = 0; k < count; k++) {
            double y = (double)(rule.first + (int64_t)k) * rule.h, far = (y - w.at) / w.width;
            double lift = pow(rule.shift / w.width, 2) / 2;
            if (far < -9 || far > 9) /* the sum would not see it */
                continue;
            double complex value = ldexp(fixed_get_d(at[k].re), at[k].scale) +
                                   I * ldexp(fixed_get_d(at[k].im), at[k].scale);
            double off = cabs(value - window_at(&w, y, rule.shift));
            if (!(off < 1e-8 * (exp(lift - far * far / 2) + upper(far))) || !(at[k].error < 1e-25))
                fail_msg("window %a %a, shift %a, h %a, y %g: off by %g, error %g", w.at, w.width,
                         rule.shift, rule.h, y, off, at[k].error);
            assert_true(fabs(at[k].log - log(cabs(value))) < 1e-6);
        }
        free(at);
    }
}

/* g(w) with its window and the sum of its moduli, along the line of that shift. */
static double complex moment(double *size, const sgm_item *g, const bend_window *win,
                             double complex w, double shift)
{
    double kink = g->s * (g->log_rest - g->log_rate) + 0.5 / g->s;
    double h = win->width / 12, lift = exp(shift * shift / (2 * win->width * win->width));
    double complex sum = 0;
    *size = 0;
    for (double y = -12; y < win->end; y += h) {
        double complex v = (y - kink + I * shift) / g->s, at = y + I * shift;
        double complex eps = creal(v) > 30 ? v : clog(1 + cexp(v));
        double far = (y - win->at) / win->width;
        double complex weight = 1;
        if (far > -9) /* above, where it is not near */
            weight = far > 12 ? lift * exp(-far * far / 2) : window_at(win, y, shift);
        double complex f = cexp(w * eps - at * at / 2) * h / sqrt(2 * M_PI) * weight;
        sum += f;
        *size += cabs(f);
    }
    return sum;
}

static void test_growth(void **state)
{
    (void)state;
    rng r = rng_make(82);
    int near = 0, all = 0;
    for (int i = 0; i < rounds(4); i++) {
        product p;
        open_law(&p, between(&r, log(0.15), log(6)), between(&r, log(1e-6), log(0.1)), 1, false);
        const sgm_item *g = &law_of(&p)->item[0];
        bend_window win = any_window(&r);
        win.at = fmin(win.at, 16);
        win.end = win.at + 16 * win.width;
        double top = log1p(exp((win.at - 0.5 / g->s) / g->s + g->log_rate - g->log_rest));
        double low = 1 + between(&r, log(0.5), log(win.at * win.at / 2)) / top;
        double t = low * between(&r, log(0.02), log(3)), size, sharp = HUGE_VAL;
        double complex w = low + I * t, value = moment(&size, g, &win, w, 0.5 * win.width);
        double noise = 1e-7 * (size + 1);
        for (int k = 0; k < 6; k++) {
            bend_line *of = bend_line_new(g, bend_short(1.1 * win.width * k, 12), 0, 0.15, &win);
            assert_non_null(of);
            double most = 1 + bend_growth(of, low, low, t, cabs(w), HUGE_VAL);
            double free = exp(bend_lift(of)) + bend_growth(of, low, low, t, HUGE_VAL, HUGE_VAL);
            if (most < cabs(value) - noise || free < cabs(value) - noise)
                fail_msg("sigma %a, rate %a, w %a + %a i, window %a %a, line %d: %g, %g; %g", g->s,
                         g->q, low, t, win.at, win.width, k, most, free, cabs(value));
            /* a box holds what each of its numbers has */
            assert_true(1.01 * (1 + bend_growth(of, low / 2, low, t / 2, 2 * cabs(w), HUGE_VAL)) >=
                        most);
            sharp = fmin(sharp, most);
            bend_line_free(of);
        }
        near += sharp < 10 * cabs(value) + 1.1 ? 1 : 0;
        all++;
        product_clear(&p);
    }
    assert_true(!rounds_are_full() || 2 * near >= all);
}

static void test_sums(void **state)
{
    (void)state;
    rng r = rng_make(83);
    for (int i = 0; i < rounds(4); i++) {
        product p;
        open_law(&p, between(&r, log(0.15), log(6)), between(&r, log(1e-6), log(0.1)), 1, false);
        const sgm_item *g = &law_of(&p)->item[0];
        bend_window win = any_window(&r);
        win.at = fmin(win.at, 16);
        win.end = win.at + 16 * win.width;
        bend_rule rule = {.shift = bend_short(0.3 * win.width * (double)rng_below(&r, 12), 12),
                          .h = bend_short(win.width / 16, 12)};
        rule.first = (int64_t)floor(-12 / rule.h);
        rule.last = (int64_t)floor(win.end / rule.h) - 1;
        double top = log1p(exp((win.at - 0.5 / g->s) / g->s + g->log_rate - g->log_rest));
        double low = bend_short(1 + between(&r, log(0.5), log(win.at * win.at / 2)) / top, 20);
        double t = bend_short(low * between(&r, log(0.02), log(3)), 20), size;
        bend_nodes *nodes = bend_nodes_new(g, &rule, &win);
        if (nodes == NULL) { /* too many */
            product_clear(&p);
            continue;
        }
        double complex value = moment(&size, g, &win, low + I * t, rule.shift);
        if (!(size < 1e30)) { /* the tail of the window, which that sum has not */
            bend_nodes_free(nodes);
            product_clear(&p);
            continue;
        }
        mpfi_t re, im;
        cball out;
        mpfi_init2(re, 160);
        mpfi_init2(im, 160);
        cball_init(&out, 128);
        mpfi_set_d(re, low);
        mpfi_set_d(im, t);
        if (bend_sum(&out, nodes, bend_nodes_count(nodes), re, im)) {
            double x = mpfr_get_d(out.re, MPFR_RNDN) - creal(value);
            double y = mpfr_get_d(out.im, MPFR_RNDN) - cimag(value);
            if (!(hypot(x, y) < 1e-6 * size))
                fail_msg("sigma %a, rate %a, w %a + %a i: %g of %g", g->s, g->q, low, t,
                         hypot(x, y), size);
            assert_true(mpfr_get_d(out.radius, MPFR_RNDU) < 1e-24 * size);
        }
        cball_clear(&out);
        mpfi_clear(im);
        mpfi_clear(re);
        bend_nodes_free(nodes);
        product_clear(&p);
    }
}

/* What is lost of I(X) is at least the integral of (1 - W) r phi, times T e^-b, and not far more.
 */
static void test_lost(void **state)
{
    (void)state;
    rng r = rng_make(84);
    for (int i = 0; i < rounds(8); i++) {
        product p;
        unsigned long uses = 1 + rng_below(&r, 100);
        bool add = rng_below(&r, 3) == 0;
        open_law(&p, between(&r, log(0.15), log(9)), between(&r, log(1e-6), log(0.1)), uses, add);
        const sgm *l = law_of(&p);
        const sgm_item *g = &l->item[0];
        bend *b = bend_new();
        assert_non_null(b);
        assert_true(bend_set_window(b, l, -(double)(20 + rng_below(&r, 500))));
        const bend_window *w = &b->window[0];
        double sum = 0, h = w->width / 20;
        for (double y = -9; y < 50; y += h) {
            double out = y < w->end ? upper((w->at - y) / w->width) : 1;
            sum += h * out * (add ? 1 : 1 - g->q + g->q * exp((y - 0.5 / g->s) / g->s)) *
                   exp(-y * y / 2) / sqrt(2 * M_PI);
        }
        sum *= (double)uses * (add ? 1 : exp(-(double)uses * g->log_rest));
        double said = mpfr_get_d(b->lost, MPFR_RNDN);
        if (!(said >= sum * (1 - 1e-9)) || !(said < sum * 1.01 + 1e-290))
            fail_msg("sigma %a, rate %a, uses %lu, window %a %a %a: %g, said %g", g->s, g->q, uses,
                     w->at, w->width, w->end, sum, said);
        bend_free(b);
        product_clear(&p);
    }
}

/* ---- profiles ------------------------------------------------------------------------------- */
/* Of one use, q Q(y - 1/s) - (e^x - 1 + q) Q(y), r(y) = e^x. */
static double single(double s, double q, double x)
{
    double above = (expm1(x) + q) / q;
    if (!(above > 0))
        return -expm1(x);
    double y = s * log(above) + 0.5 / s;
    return q * (upper(y - 1 / s) - above * upper(y));
}

#define GRID 0.03
#define CELLS 1640

/* Of three: E of that of one at x less the losses of the two others, each `step` places on. */
static double three_uses(double s, double q, double x, int step)
{
    static double lost[CELLS], mass[CELLS];
    double sum = 0;
    for (int i = 0; i < CELLS; i++) {
        double y = -9 + GRID * i, log_r = log1p(q * expm1((y - 0.5 / s) / s));
        lost[i] = log_r;
        mass[i] = exp(log_r - y * y / 2) * GRID * step / sqrt(2 * M_PI);
    }
    for (int i = 0; i < CELLS && mass[i] > 0; i += step)
        for (int j = 0; j <= i && mass[j] > 0; j += step)
            sum += (i == j ? 1 : 2) * mass[i] * mass[j] * single(s, q, x - lost[i] - lost[j]);
    return sum;
}

/* The same sum of 9600 places each. */
static void test_values(void **state)
{
    (void)state;
    static const struct {
        double s, q, x, value;
    } of[] = {{2.5, 1e-4, 0.0146, 4.5803137312438426e-40},
              {0.75, 0x1p-4, 8, 1.1282133999959479e-12}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        mpfi_t v;
        mpfi_init2(v, 64);
        assert_true(profile_of(v, of[i].s, of[i].q, 3, of[i].x, 34, false));
        double low = mpfr_get_d(&v->left, MPFR_RNDN) / of[i].value;
        if (!(fabs(low - 1) < 3e-8))
            fail_msg("set %zu: %.17g of the value", i, low);
        mpfi_clear(v);
    }
}

static void test_three(void **state)
{
    (void)state;
    rng r = rng_make(85);
    int tries = rounds(6), had = 0;
    for (int i = 0; i < tries; i++) {
        double s = between(&r, log(0.45), log(8)), q = between(&r, log(1e-6), log(0.02));
        product p;
        open_law(&p, s, q, 3, false);
        double x = sgm_few_place(law_of(&p), -(double)(5 + rng_below(&r, 450)));
        product_clear(&p);
        mpfi_t v;
        mpfi_init2(v, 64);
        int bits = 10 + (int)rng_below(&r, 30);
        if (profile_of(v, s, q, 3, x, bits, false)) {
            double value = three_uses(s, q, x, 1), low = mpfr_get_d(&v->left, MPFR_RNDD);
            if (fabs(three_uses(s, q, x, 2) - value) < 1e-3 * value) /* else it is too coarse */
                had++;
            else
                value = low;
            if (!(low < value * 1.0001) || !(mpfr_get_d(&v->right, MPFR_RNDU) > value * 0.9999))
                fail_msg("sigma %a, rate %a, x %a, bits %d: %.17g, not %.17g", s, q, x, bits, low,
                         value);
        }
        mpfi_clear(v);
    }
    assert_true(!rounds_are_full() || 3 * had >= tries);
}

#endif

/* Few bits hold what many say. */
static void test_bits(void **state)
{
    (void)state;
    rng r = rng_make(86);
    int tries = rounds(6), had = 0;
    for (int i = 0; i < tries; i++) {
        double s = between(&r, log(0.45), log(20)), q = between(&r, log(1e-7), log(0.02));
        unsigned long uses = (unsigned long)between(&r, log(3), log(300));
        bool add = rng_below(&r, 3) == 0;
        product p;
        open_law(&p, s, q, uses, add);
        double top = -(double)uses * law_of(&p)->item[0].log_rest;
        double x = add ? top * (double)(1 + rng_below(&r, 90)) / 100
                       : sgm_few_place(law_of(&p), -(double)(5 + rng_below(&r, 300)));
        product_clear(&p);
        mpfi_t few, many;
        mpfi_init2(few, 64);
        mpfi_init2(many, 64);
        if (profile_of(few, s, q, uses, x, 8 + (int)rng_below(&r, 4), add) &&
            profile_of(many, s, q, uses, x, 26, add)) {
            had++;
            if (mpfr_greater_p(&few->left, &many->right) || mpfr_less_p(&few->right, &many->left))
                fail_msg("sigma %a, rate %a, uses %lu, add %d, x %a", s, q, uses, add, x);
        }
        mpfi_clear(many);
        mpfi_clear(few);
    }
#ifdef FIXED
    assert_true(2 * had >= tries);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#ifdef FIXED
        cmocka_unit_test(test_weights), cmocka_unit_test(test_growth), cmocka_unit_test(test_sums),
        cmocka_unit_test(test_lost),    cmocka_unit_test(test_values), cmocka_unit_test(test_three),
#endif
        cmocka_unit_test(test_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
