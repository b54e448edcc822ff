/* SPDX-License-Identifier: MIT */
/* The characteristic function of a tilted loss, with few bits: the bound of its error is kept, and
 * is not many times what it covers. */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "loss/response_list.h"
#include "loss/response_nodes.h"
#include "num/wide.h"

#define BITS 300
#define UNIT 1000 /* epsilons are multiples of 1/UNIT */

typedef struct setup {
    dp_composition list;
    composed c;
    uint64_t *multiple;
} setup;

static void setup_open(setup *s, size_t items, unsigned long most_times, rng *r)
{
    dp_composition_init(&s->list);
    for (size_t i = 0; i < items; i++) {
        char text[40];
        snprintf(text, sizeof text, "%d/%d", 1 + (int)rng_below(r, 4 * UNIT), UNIT);
        list_add(&s->list, text, "0", 1 + rng_below(r, most_times));
    }
    assert_int_equal(composed_init(&s->c, &s->list), DP_OK);
    assert_int_equal(response_prepare(s->c.product.item[0].self), DP_OK);
    s->multiple = malloc(s->c.losses * sizeof *s->multiple);
    mpq_t m;
    mpq_init(m);
    for (size_t i = 0; i < s->c.losses; i++) {
        mpq_set_ui(m, UNIT, 1);
        mpq_mul(m, m, s->c.loss[i].epsilon.value);
        s->multiple[i] = mpz_get_ui(mpq_numref(m));
    }
    mpq_clear(m);
}

static void setup_close(setup *s)
{
    free(s->multiple);
    composed_clear(&s->c);
    dp_composition_clear(&s->list);
}

/* phi, each loss at the angle theta eps: theta = unit_angle * UNIT * n */
static void truth(cdisc *phi, const setup *s, mpfr_srcptr unit_angle, uint64_t n, double c)
{
    cdisc factor, t;
    mpfr_t lean, half;
    mpfr_init2(half, BITS);
    mpfr_set_d(half, c, MPFR_RNDN);
    mpfr_add_d(half, half, 0.5, MPFR_RNDN);
    cdisc_init(&factor, BITS);
    cdisc_init(&t, BITS);
    mpfr_init2(lean, BITS);
    cdisc_set_one(phi);
    for (size_t i = 0; i < s->c.losses; i++) {
        mpfr_set_q(lean, s->c.loss[i].epsilon.value, MPFR_RNDN);
        mpfr_mul(lean, lean, half, MPFR_RNDN);
        mpfr_tanh(lean, lean, MPFR_RNDN);
        wide_mul_fr(factor.re, unit_angle, n, MPFR_RNDN);
        wide_mul_fr(factor.re, factor.re, s->multiple[i], MPFR_RNDN);
        mpfr_sin_cos(factor.im, factor.re, factor.re, MPFR_RNDN);
        mpfr_mul(factor.im, factor.im, lean, MPFR_RNDN);
        for (unsigned long k = mpz_get_ui(s->c.loss[i].times); k > 0; k--)
            cdisc_mul(phi, phi, &factor, &t);
    }
    mpfr_clear(lean);
    mpfr_clear(half);
    cdisc_clear(&t);
    cdisc_clear(&factor);
}

/* |phi - truth| / error */
static double share_of_error(const cball *phi, const cdisc *exact)
{
    mpfr_t re, im;
    mpfr_init2(re, BITS);
    mpfr_init2(im, BITS);
    mpfr_sub(re, phi->re, exact->re, MPFR_RNDU);
    mpfr_sub(im, phi->im, exact->im, MPFR_RNDU);
    mpfr_hypot(re, re, im, MPFR_RNDU);
    mpfr_div(re, re, phi->radius, MPFR_RNDU);
    double share = mpfr_get_d(re, MPFR_RNDU);
    mpfr_clear(im);
    mpfr_clear(re);
    return share;
}

/* The largest share over `count` nodes from `first` on. */
static double worst_share(const setup *s, waves *w, mpfr_srcptr unit_angle, double c,
                          uint64_t first, uint64_t count)
{
    cdisc phi, exact;
    cball ball;
    double worst = 0;
    cdisc_init(&phi, w->work);
    cdisc_init(&exact, BITS);
    cball_init(&ball, w->work);
    for (uint64_t n = first; n < first + count; n++) {
        waves_phi(&phi, w, n);
        cdisc_ball(&ball, &phi);
        truth(&exact, s, unit_angle, n, c);
        worst = fmax(worst, share_of_error(&ball, &exact));
    }
    cball_clear(&ball);
    cdisc_clear(&exact);
    cdisc_clear(&phi);
    return worst;
}

/* Around 0 and -1/2, and very near to 0, where c + 1/2 has many bits. */
static double random_tilt(rng *r)
{
    double near = ldexp(1 + (double)rng_below(r, 1U << 23) * 0x1p-23, -1 - (int)rng_below(r, 57));
    switch (rng_below(r, 3)) {
    case 0:
        return near;
    case 1:
        return -near / 2;
    default:
        return -0.875 + (double)rng_below(r, 32) / 8;
    }
}

static mpfr_prec_t random_bits(rng *r)
{
    return 24 + (mpfr_prec_t)rng_below(r, rng_below(r, 2) ? 30 : 150);
}

/* Nodes of a lattice: angles pi n m / N, placed exactly or, with many losses, from a table. */
static double lattice_share(rng *r, size_t items, unsigned long most_times, int tries)
{
    double worst = 0;
    mpfr_t angle;
    mpfr_init2(angle, BITS);
    dp_number unit;
    dp_number_init(&unit);
    number_of(&unit, "1/1000");
    for (int i = 0; i < tries; i++) {
        setup s;
        waves w;
        setup_open(&s, items, most_times, r);
        double c = random_tilt(r);
        uint64_t period = 2 * rng_below(r, 1000000000) + 2001;
        line at = {.c = c, .step = &unit, .period = period, .work = random_bits(r)};
        assert_int_equal(waves_init(&w, s.c.response, &at), DP_OK);
        mpfr_const_pi(angle, MPFR_RNDN);
        wide_div_fr(angle, angle, period, MPFR_RNDN);
        /* small angles too: there the product is not small */
        worst = fmax(worst, worst_share(&s, &w, angle, c, rng_below(r, 200), 4));
        worst = fmax(worst, worst_share(&s, &w, angle, c, rng_wide(r, period / 2), 1));
        waves_clear(&w);
        setup_close(&s);
    }
    dp_number_clear(&unit);
    mpfr_clear(angle);
    return worst;
}

/* Nodes n * spacing, in runs: within one, each turn is a product of steps. */
static double free_share(rng *r, unsigned long most_times, uint64_t first, double spacing,
                         int tries)
{
    double worst = 0;
    mpfr_t at, angle;
    mpfr_init2(at, 53);
    mpfr_init2(angle, BITS);
    for (int i = 0; i < tries; i++) {
        setup s;
        waves w;
        setup_open(&s, 1 + rng_below(r, 5), most_times, r);
        double c = random_tilt(r);
        mpfr_set_d(at, spacing * (1 + (double)rng_below(r, 1000) / 997), MPFR_RNDN);
        mpfr_div_ui(angle, at, UNIT, MPFR_RNDN);
        line nodes = {.c = c, .spacing = at, .last = first + 140, .work = random_bits(r)};
        assert_int_equal(waves_init(&w, s.c.response, &nodes), DP_OK);
        worst = fmax(worst, worst_share(&s, &w, angle, c, first, 140));
        waves_clear(&w);
        setup_close(&s);
    }
    mpfr_clear(angle);
    mpfr_clear(at);
    return worst;
}

static void check(const char *what, double share, double least)
{
    if (!(share <= 1))
        fail_msg("%s: the error is %g of its bound", what, share);
    if (share < least)
        fail_msg("%s: the bound is never near, %g", what, share);
}

static void test_periodic(void **state)
{
    (void)state;
    rng r = rng_make(131);
    check("few losses", lattice_share(&r, 4, 60, rounds(300)), 0.01);
    check("one loss", lattice_share(&r, 1, 300, rounds(300)), 0.01);
    check("table", lattice_share(&r, 120, 1, rounds(8)), 1e-3);
}

static void test_spaced(void **state)
{
    (void)state;
    rng r = rng_make(132);
    check("runs", free_share(&r, 40, 0, 1e-4, rounds(10)), 3e-3);
    check("far out", free_share(&r, 3, 1000000, 1e-3, rounds(10)), 1e-2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_periodic),
        cmocka_unit_test(test_spaced),
    };
    return cmocka_run_group_tests_name("waves", tests, NULL, NULL);
}
