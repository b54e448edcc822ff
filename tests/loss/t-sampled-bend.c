/* SPDX-License-Identifier: MIT */
/* Few uses of the sampled Gaussian on a path that bends: bounds of its moments by lines beside the
 * moments themselves, summed in doubles, the sums in fixed point beside those, and profiles of few
 * bits beside those of many, whose errors are then of the size of what they enclose.
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

#ifdef FIXED

/* g(w) and the sum of its moduli, along the line of angle theta. */
static double complex moment(double *size, const sgm_item *g, double complex w, double theta)
{
    double kink = g->s * (g->log_rest - g->log_rate) + 0.5 / g->s, h = 0.06 * fmin(1, g->s);
    double complex sum = 0;
    *size = 0;
    for (double y = -12; y < fmax(14, 14 + 2 * fabs(creal(w)) / g->s); y += h) {
        double complex v = (y - kink) / g->s + I * theta, at = y + I * theta * g->s;
        double complex eps = creal(v) > 30 ? v : clog(1 + cexp(v));
        double complex f = cexp(w * eps - at * at / 2) * h / sqrt(2 * M_PI);
        sum += f;
        *size += cabs(f);
    }
    return sum;
}

/* No bound is below the moment, whichever the line, and few are far above it. */
static void test_growth(void **state)
{
    (void)state;
    rng r = rng_make(71);
    int near = 0, all = 0;
    for (int i = 0; i < rounds(10); i++) {
        product p;
        open_law(&p, between(&r, log(0.07), log(3)), between(&r, log(1e-5), log(0.9)), 1, false);
        const sgm_item *g = &law_of(&p)->item[0];
        double size, low = 1 + between(&r, log(1e-3), log(3)), t = between(&r, log(0.01), log(30));
        double complex w = low + I * t;
        double complex value = moment(&size, g, w, fmin(1.2, 8 / g->s)), sharp = HUGE_VAL;
        double noise = 1e-9 * (size + 1), away = cabs(value - 1);
        for (int k = 0; k < 6; k++) {
            bend_line *of =
                bend_line_new(g, ldexp(floor(ldexp(fmin(2.5 * g->s, 8) * k / 6, 12)), -12), 2 * low,
                              0.3, &(bend_window){0});
            assert_non_null(of);
            double most = bend_growth(of, low, low, t, cabs(w), HUGE_VAL);
            double free = bend_growth(of, low, low, t, HUGE_VAL, HUGE_VAL);
            if (most < away - noise || exp(bend_lift(of)) + free < cabs(value) - noise)
                fail_msg("sigma %a, rate %a, w %a + %a i, line %d: %g, %g; %g", g->s, g->q, low, t,
                         k, most, free, away);
            /* a box holds what each of its numbers has */
            assert_true(bend_growth(of, low / 2, low, t / 2, 2 * cabs(w), HUGE_VAL) >=
                            0.99 * most ||
                        most == HUGE_VAL);
            sharp = fmin(creal(sharp), most);
            bend_line_free(of);
        }
        near += creal(sharp) < 30 * away + 1e-6 ? 1 : 0;
        all++;
        product_clear(&p);
    }
    assert_true(4 * near >= all);
}

/* Sums of the rule are the moments, within their radius and what doubles are off by. */
static void test_sums(void **state)
{
    (void)state;
    rng r = rng_make(72);
    for (int i = 0; i < rounds(10); i++) {
        product p;
        open_law(&p, between(&r, log(0.1), log(3)), between(&r, log(1e-5), log(0.9)), 1, false);
        const sgm_item *g = &law_of(&p)->item[0];
        double theta = fmin(0.3 + 0.1 * (double)rng_below(&r, 16), 7 / g->s), size;
        bend_rule rule = {.shift = ldexp(floor(ldexp(theta * g->s, 12)), -12),
                          .h = ldexp(1, -(int)rng_below(&r, 3) - 6)};
        double low = 1 + between(&r, log(1e-3), log(2)), t = between(&r, log(0.01), log(10));
        double far = 12 + 2 * low / g->s;
        rule.first = (int64_t)floor(-12 / rule.h);
        rule.last = (int64_t)ceil(fmin(far, 100) / rule.h);
        bend_nodes *nodes = bend_nodes_new(g, &rule, &(bend_window){0});
        if (nodes == NULL) { /* too many */
            product_clear(&p);
            continue;
        }
        double complex value = moment(&size, g, low + I * t, rule.shift / g->s);
        mpfi_t re, im;
        cball out;
        mpfi_init2(re, 160);
        mpfi_init2(im, 160);
        cball_init(&out, 128);
        mpfi_set_d(re, low);
        mpfi_set_d(im, t);
        if (bend_sum(&out, nodes, (size_t)(rule.last - rule.first) + 1, re, im)) {
            double x = mpfr_get_d(out.re, MPFR_RNDN) - creal(value);
            double y = mpfr_get_d(out.im, MPFR_RNDN) - cimag(value);
            if (!(hypot(x, y) < 1e-8 * size))
                fail_msg("sigma %a, rate %a, w %a + %a i: %g of %g", g->s, g->q, low, t,
                         hypot(x, y), size);
            assert_true(mpfr_get_d(out.radius, MPFR_RNDU) < 1e-20 * size);
        }
        cball_clear(&out);
        mpfi_clear(im);
        mpfi_clear(re);
        bend_nodes_free(nodes);
        product_clear(&p);
    }
}

#endif

/* Few bits hold what many say. */
static void test_bits(void **state)
{
    (void)state;
    rng r = rng_make(73);
    int had = 0, tries = rounds(5);
    for (int i = 0; i < tries; i++) {
        product p;
        bool add = rng_below(&r, 4) == 0;
        double s = between(&r, log(0.07), log(1.2)), q = between(&r, log(1e-4), log(0.8));
        unsigned long uses = 3 + rng_below(&r, 14);
        open_law(&p, s, q, uses, add);
        const sgm *l = law_of(&p);
        double top = -(double)uses * l->item[0].log_rest;
        double x = add ? top * (0.1 + 0.08 * (double)rng_below(&r, 10)) - 0.5 * top
                       : between(&r, log(0.01), log(3)) / s / s - 0.5 * top;
        mpfi_t at, few, many;
        mpfr_t slope;
        mpfi_init2(at, 64);
        mpfi_init2(few, 64 + 2 * (mpfr_prec_t)rng_below(&r, 8)); /* 8 bits, and some more */
        mpfi_init2(many, 108);
        mpfr_init2(slope, 64);
        mpfi_set_d(at, x);
        bool ok = sgm_few_terms(l) < HUGE_VAL && sgm_few_profile(few, slope, l, at);
        product_clear(&p);
        open_law(&p, s, q, uses, add); /* nothing kept */
        l = law_of(&p);
        if (ok && sgm_few_profile(many, slope, l, at)) {
            had++;
            if (mpfr_greater_p(&few->left, &many->right) || mpfr_less_p(&few->right, &many->left))
                fail_msg("sigma %a, rate %a, uses %lu, add %d, x %a", s, q, uses, add, x);
        }
        mpfr_clear(slope);
        mpfi_clear(many);
        mpfi_clear(few);
        mpfi_clear(at);
        product_clear(&p);
    }
    assert_true(2 * had >= tries);
}

#ifdef FIXED

/* The rule of a plan with the values of the integrand at its nodes, and what their balls add up to.
 */
static double crude_sum(double *radius, bend *b, const sgm *l, const few_plan *plan, double gap)
{
    size_t count = (size_t)plan->nodes + 1;
    few_node *node = malloc(count * sizeof *node);
    double sum = 0;
    *radius = HUGE_VAL;
    assert_non_null(node);
    for (size_t n = 0; n < count; n++) {
        double u = 2 * plan->h * (double)n;
        mpfi_t *part[] = {&node[n].re, &node[n].im};
        cball_init(&node[n].term, 128);
        cball_set_ui(&node[n].term, 1);
        for (int k = 0; k < 2; k++) {
            mpfi_t x, y;
            mpfi_init2(*part[k], 160);
            mpfi_init2(x, 160);
            mpfi_init2(y, 160);
            mpfi_set_d(x, plan->phi);
            mpfi_set_d(y, u);
            k == 0 ? mpfi_sin(x, x) : mpfi_cos(x, x);
            k == 0 ? mpfi_cosh(y, y) : mpfi_sinh(y, y);
            mpfi_mul(*part[k], x, y);
            mpfi_mul_d(*part[k], *part[k], plan->kappa);
            mpfi_add_d(*part[k], *part[k], k == 0 ? plan->z0 : 0);
            mpfi_clear(y);
            mpfi_clear(x);
        }
    }
    if (bend_terms(node, b, l, plan))
        for (size_t n = 0; n < count; n++) {
            double u = 2 * plan->h * (double)n;
            double complex z = mpfi_get_d(node[n].re) + I * mpfi_get_d(node[n].im);
            double complex f = (n > 0 ? 2 : 1) * plan->h / M_PI * plan->kappa *
                               ccos(plan->phi + I * u) / z / (z + 1) * cexp(-z * gap);
            sum += creal(f * (mpfr_get_d(node[n].term.re, MPFR_RNDN) +
                              I * mpfr_get_d(node[n].term.im, MPFR_RNDN)));
            *radius = (n > 0 ? *radius : 0) + cabs(f) * mpfr_get_d(node[n].term.radius, MPFR_RNDU);
        }
    for (size_t n = 0; n < count; n++) {
        cball_clear(&node[n].term);
        mpfi_clear(node[n].re);
        mpfi_clear(node[n].im);
    }
    free(node);
    return sum;
}

/* I(X), by few.c */
static double exact_value(const sgm *l, double gap)
{
    mpfi_t at, many;
    mpfr_t slope;
    double rest = (double)mpz_get_ui(l->item[0].times) * l->item[0].log_rest, found = -1;
    mpfi_init2(at, 64);
    mpfi_init2(many, 104);
    mpfr_init2(slope, 64);
    mpfi_set_d(at, gap + rest);
    if (sgm_few_terms(l) < HUGE_VAL && sgm_few_profile(many, slope, l, at))
        found = mpfi_get_d(many) * exp(-rest);
    mpfr_clear(slope);
    mpfi_clear(many);
    mpfi_clear(at);
    return found;
}

/* Plans made crude, so that what they miss is about all: that is within what they say. */
static void test_crude(void **state)
{
    (void)state;
    rng r = rng_make(74);
    int told = 0, tries = rounds(12);
    for (int i = 0; i < tries; i++) {
        product p;
        double s = between(&r, log(0.09), log(1.2)), q = between(&r, log(1e-3), log(0.8));
        open_law(&p, s, q, 3 + rng_below(&r, 8), false);
        const sgm *l = law_of(&p);
        double gap = between(&r, log(0.05), log(2)) / s / s, value = exact_value(l, gap), seconds;
        few_plan plan;
        bend *b = bend_new();
        MPFR_DECL_INIT(most, 64);
        mpfi_t x;
        mpfi_init2(x, 64);
        mpfi_set_d(x, gap);
        double depth = 4 - bend_near(b, l, gap), radius;
        if (value > 1e-200 && bend_plan(&plan, &seconds, b, l, gap, fmax(4, depth))) {
            unsigned long kind = rng_below(&r, 3);
            if (kind == 0)
                plan.h *= 1.5 + 0.25 * (double)rng_below(&r, 8);
            if (kind < 2)
                plan.nodes = 2 + (int64_t)rng_below(&r, (uint64_t)plan.nodes);
            if (kind == 2)
                b->rule[0].h *= 1.25 + 0.25 * (double)rng_below(&r, 8);
            if (kind == 2)
                b->rule[0].last = (int64_t)((double)b->rule[0].last * 0.7);
            bend_boxes(b, l, &plan);
            bend_missed(most, b, x);
            double sum = crude_sum(&radius, b, l, &plan, gap);
            double all = mpfr_get_d(most, MPFR_RNDU) + radius, off = fabs(sum - value);
            if (off > all + 1e-8 * (fabs(sum) + value))
                fail_msg("sigma %a, rate %a, gap %a, kind %lu: off by %g, said %g", s, q, gap, kind,
                         off, all);
            told += off > 1e-3 * all && off > 1e-6 * value ? 1 : 0;
        }
        mpfi_clear(x);
        bend_free(b);
        product_clear(&p);
    }
    assert_true(10 * told >= tries); /* else this would see nothing */
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
#ifdef FIXED
        cmocka_unit_test(test_growth),
        cmocka_unit_test(test_sums),
        cmocka_unit_test(test_crude),
#endif
        cmocka_unit_test(test_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
