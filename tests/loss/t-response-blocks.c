/* SPDX-License-Identifier: MIT */
/* Randomized response at blocks of nodes in doubles: beside 300 bits where it is hardest, and the
 * same bits whatever the vectors, and without any. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-tree-vectorize")
#endif
#include "support.h"

#include <math.h>

#include "loss/response.h"
#include "loss/response_blocks.h"
#include "num/cdisc.h"
#include "num/number.h"
#include "num/wide.h"

/* The same file once more, for vectors of one element. */
#define response_blocks response_blocks_single
dp_status response_blocks_single(block_law *out, const void *self, const block_line *at);
#include "../../src/loss/response_blocks.c"
#undef response_blocks
#undef GROUP
#undef WORK_BITS

#define BITS 300
#define NODES 5

typedef struct kind {
    const char *epsilon;
    unsigned long times;
} kind;

/* Small and large tilts, counts that raise every rounding, losses of many turns a node. */
static const kind kinds[] = {{"0.1", 1},
                             {"0.12345678901234567", 1},
                             {"1/3", 2},
                             {"ln(2)", 3},
                             {"ln(1000001/1000000)", 1},
                             {"1e-9", 1},
                             {"1e-5", 1000000},
                             {"0.001", 4095},
                             {"3", 1},
                             {"40", 1},
                             {"1000", 7},
                             {"1e20", 1},
                             {"1e-4", 123456789},
                             {"0.7", 64},
                             {"5e-8", 1}};

typedef struct setup {
    product p;
    const response *r;
    mpfr_t turn; /* of a loss of 1, for each node */
    block_line at;
    uint64_t first;
} setup;

static binary64_circle circle;

static void setup_open(setup *s, rng *r)
{
    product_init(&s->p);
    mpz_t times;
    mpz_init(times);
    for (size_t i = 1 + rng_below(r, 40); i > 0; i--) {
        const kind *k = &kinds[rng_below(r, rng_below(r, 3) == 0 ? 15 : 6)];
        dp_number x;
        dp_number_init(&x);
        number_of(&x, k->epsilon);
        mpz_set_ui(times, k->times);
        assert_int_equal(response_add(&s->p, &x, times), DP_OK);
        dp_number_clear(&x);
    }
    mpz_clear(times);
    assert_int_equal(response_close(s->p.item[0].self), DP_OK);
    s->r = s->p.item[0].self;
    mpfr_init2(s->turn, 512);
    mpfr_set_ui(s->turn, 1 + (unsigned long)rng_below(r, 1000), MPFR_RNDN);
    mpfr_div_ui(s->turn, s->turn, 997, MPFR_RNDN);
    mpfr_mul_2si(s->turn, s->turn, (long)rng_below(r, 24) - 20, MPFR_RNDN);
    const double c[] = {1e-6, 0.01, 0.5, 3, 20, 1e4};
    double scale = ldexp(1 + (double)rng_below(r, 1U << 20), -20);
    s->at = (block_line){(double)(float)(c[rng_below(r, 6)] * scale), s->turn, 250, &circle, 0};
    uint64_t block = rng_below(r, 3) == 0 ? rng_below(r, 4) : rng_below(r, 1U << 26);
    s->first = BINARY64_BLOCK * block;
}

static void setup_close(setup *s)
{
    mpfr_clear(s->turn);
    product_clear(&s->p);
}

/* phi at node n */
static void truth(cdisc *phi, const setup *s, uint64_t n)
{
    cdisc f, power, scratch;
    mpfr_t eps, half;
    mpfr_init2(eps, BITS);
    mpfr_init2(half, BITS);
    mpfr_set_d(half, s->at.c, MPFR_RNDN);
    mpfr_add_d(half, half, 0.5, MPFR_RNDN);
    cdisc_init(&f, BITS);
    cdisc_init(&power, BITS);
    cdisc_init(&scratch, BITS);
    cdisc_set_one(phi);
    for (size_t i = 0; i < s->r->losses; i++) {
        mpfr_set_prec(f.re, 600);
        waves_epsilon(eps, &s->r->loss[i].epsilon);
        mpfr_set_prec(f.im, 500);
        waves_epsilon(f.im, &s->r->loss[i].epsilon);
        mpfr_mul(f.re, f.im, s->turn, MPFR_RNDN);
        wide_mul_fr(f.re, f.re, 2 * n, MPFR_RNDN);
        mpfr_const_pi(f.im, MPFR_RNDN);
        mpfr_mul(f.re, f.re, f.im, MPFR_RNDN);
        mpfr_set_prec(f.im, BITS);
        mpfr_sin_cos(f.im, f.re, f.re, MPFR_RNDN);
        mpfr_prec_round(f.re, BITS, MPFR_RNDN);
        mpfr_mul(eps, eps, half, MPFR_RNDN);
        mpfr_tanh(eps, eps, MPFR_RNDN);
        mpfr_mul(f.im, f.im, eps, MPFR_RNDN);
        cdisc_pow(&power, &f, s->r->loss[i].times, &scratch);
        cdisc_mul(phi, phi, &power, &scratch);
    }
    cdisc_clear(&scratch);
    cdisc_clear(&power);
    cdisc_clear(&f);
    mpfr_clear(half);
    mpfr_clear(eps);
}

/* |re + i im - phi| and |phi|, far below the double's range, too */
static void distance(mpfr_t away, mpfr_t size, const cdisc *phi, double re, double im)
{
    mpfr_t y;
    mpfr_init2(y, BITS);
    mpfr_sub_d(away, phi->re, re, MPFR_RNDN);
    mpfr_sub_d(y, phi->im, im, MPFR_RNDN);
    mpfr_hypot(away, away, y, MPFR_RNDN);
    mpfr_hypot(size, phi->re, phi->im, MPFR_RNDN);
    mpfr_clear(y);
}

static void start(double *re, double *im)
{
    for (int k = 0; k < BINARY64_BLOCK; k++) {
        re[k] = 1;
        im[k] = 0;
    }
}

/* Both bounds hold; returns the error over the smaller one. */
static double check_node(const setup *s, const block_error *e, uint64_t n, double re, double im)
{
    cdisc phi;
    mpfr_t away, size, least;
    cdisc_init(&phi, BITS);
    mpfr_inits2(BITS, away, size, least, (mpfr_ptr)NULL);
    truth(&phi, s, n);
    distance(away, size, &phi, re, im);
    mpfr_set_d(least, e->relative, MPFR_RNDN);
    mpfr_expm1(least, least, MPFR_RNDN);
    mpfr_mul(least, least, size, MPFR_RNDN);
    if (mpfr_cmp_d(least, e->absolute) > 0)
        mpfr_set_d(least, e->absolute, MPFR_RNDN);
    mpfr_set_ui_2exp(size, 1, -960, MPFR_RNDN);
    mpfr_add(least, least, size, MPFR_RNDN);
    mpfr_div(away, away, least, MPFR_RNDN);
    double share = mpfr_get_d(away, MPFR_RNDU);
    if (!(share <= 1))
        fail_msg("node %llu, c = %g: %g of the bound", (unsigned long long)n, s->at.c, share);
    mpfr_clears(away, size, least, (mpfr_ptr)NULL);
    cdisc_clear(&phi);
    return share;
}

static void test_error(void **state)
{
    (void)state;
    rng r = rng_make(1404);
    double worst = 0;
    int opened = 0, left = 0;
    for (int i = 0; i < rounds(150); i++) {
        setup s;
        block_law law;
        double re[BINARY64_BLOCK], im[BINARY64_BLOCK];
        setup_open(&s, &r);
        if (response_blocks(&law, s.r, &s.at) == DP_OK) {
            opened++;
            start(re, im);
            if (law.ops->multiply(re, im, law.self, s.first)) {
                left++;
                for (int j = 0; j < NODES; j++) {
                    size_t k = j == 0 ? 0 : rng_below(&r, BINARY64_BLOCK);
                    double share = check_node(&s, &law.error, s.first + k, re[k], im[k]);
                    worst = fmax(worst, share);
                }
            }
            law.ops->close(law.self);
        }
        setup_close(&s);
    }
    assert_true(opened > rounds(150) / 2 && left > rounds(150) / 4);
    assert_true(worst > 1e-3);
}

/* What is abandoned is below e^-lambda at every node. */
static void test_abandoned(void **state)
{
    (void)state;
    rng r = rng_make(1405);
    int abandoned = 0;
    cdisc phi;
    mpfr_t size, away;
    cdisc_init(&phi, BITS);
    mpfr_inits2(BITS, size, away, (mpfr_ptr)NULL);
    for (int i = 0; i < rounds(100); i++) {
        setup s;
        block_law law;
        double re[BINARY64_BLOCK], im[BINARY64_BLOCK];
        setup_open(&s, &r);
        s.at.lambda = 0.25 * (double)(1 + rng_below(&r, 40));
        if (response_blocks(&law, s.r, &s.at) == DP_OK) {
            start(re, im);
            if (!law.ops->multiply(re, im, law.self, s.first)) {
                abandoned++;
                for (int j = 0; j < NODES; j++) {
                    truth(&phi, &s, s.first + rng_below(&r, BINARY64_BLOCK));
                    distance(away, size, &phi, 0, 0);
                    assert_true(mpfr_cmp_d(size, exp(-s.at.lambda)) <= 0);
                }
            }
            law.ops->close(law.self);
        }
        setup_close(&s);
    }
    assert_true(abandoned > rounds(100) / 5);
    mpfr_clears(size, away, (mpfr_ptr)NULL);
    cdisc_clear(&phi);
}

typedef dp_status open_function(block_law *, const void *, const block_line *);

static void product_by(open_function *open, const setup *s, unsigned width, double *re, double *im)
{
    block_law law;
    block_line at = s->at;
    at.width = width;
    assert_int_equal(open(&law, s->r, &at), DP_OK);
    start(re, im);
    (void)law.ops->multiply(re, im, law.self, s->first);
    law.ops->close(law.self);
}

static void test_bits(void **state)
{
    (void)state;
    rng r = rng_make(1406);
    for (int i = 0; i < rounds(60); i++) {
        setup s;
        block_law law;
        double re[BINARY64_BLOCK], im[BINARY64_BLOCK], x[BINARY64_BLOCK], y[BINARY64_BLOCK];
        setup_open(&s, &r);
        if (response_blocks(&law, s.r, &s.at) == DP_OK) {
            law.ops->close(law.self);
            product_by(response_blocks_single, &s, 0, re, im);
            for (unsigned width = 0; width <= binary64_width(); width++) {
                product_by(response_blocks, &s, width, x, y);
                assert_memory_equal(x, re, sizeof x);
                assert_memory_equal(y, im, sizeof y);
            }
        }
        setup_close(&s);
    }
}

int main(void)
{
    binary64_circle_init(&circle);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_error),
        cmocka_unit_test(test_abandoned),
        cmocka_unit_test(test_bits),
    };
    return cmocka_run_group_tests_name("response-blocks", tests, NULL, NULL);
}
