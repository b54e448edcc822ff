/* SPDX-License-Identifier: MIT */
/* The sums of the sampled Gaussian in fixed point beside MPFR at 300 bits: within what they say
 * they are off by, on lines up to where the ratio of densities nearly vanishes. */
#include "support.h"

#include <math.h>

#include "loss/sampled_gaussian.h"
#include "loss/sampled_gaussian_fixed.h"

#ifdef FIXED

#define BITS 300
#define STEPS 40

typedef struct question {
    product law;
    const sgm_item *g;
    sgm_plan plan;
    sgm_work w;
    mpfr_t t, spacing;
    mpfi_t power, x, y;
} question;

static double between(rng *r, double low, double high)
{
    return low + (high - low) * (double)rng_below(r, 1000001) / 1e6;
}

static bool ask(question *q, rng *r)
{
    mpq_t sigma, rate;
    mpz_t times;
    mpq_inits(sigma, rate, NULL);
    mpz_init_set_ui(times, 1000);
    mpq_set_d(sigma, exp(between(r, log(0.3), log(10))));
    mpq_set_d(rate, exp(between(r, log(1e-4), log(0.7))));
    bool add = rng_below(r, 2) == 0;
    product_init(&q->law);
    assert_int_equal(sampled_gaussian_add(&q->law, sigma, rate, times, add), DP_OK);
    q->g = ((const sgm *)q->law.item[0].self)->item;
    float c = (float)(rng_below(r, 4) == 0 ? between(r, -0.95, -0.05)
                                           : exp(between(r, log(0.05), log(12))));
    MPFR_DECL_INIT(exact, 53);
    mpfr_set_d(exact, c, MPFR_RNDN);
    mpfi_init2(q->power, 128);
    sgm_power(q->power, q->g, exact);
    double p = add ? -c : 1 + c, heights = rng_below(r, 3) == 0 ? 1 : 200;
    bool ok = sgm_plan_make(&q->plan, q->g, p, heights > 1 ? between(r, 0, 100) : 0,
                            between(r, 30, 60), heights);
    if (ok && rng_below(r, 2) == 0) {
        q->plan = (sgm_plan){.power = p, .shift = sgm_angle(q->g, (int)rng_below(r, SGM_ANGLES))};
        q->plan.h = sgm_decay_step(&q->plan.edge, q->g, p, q->plan.shift);
        ok = sgm_plan_range(&q->plan, q->g, between(r, 30, 60));
    }
    ok = ok && q->plan.count < 300;
    assert_true(sgm_work_init(&q->w, q->g, &q->plan, BITS));
    mpfi_set(q->w.power, q->power);
    mpfr_init2(q->t, 64);
    mpfr_init2(q->spacing, 100);
    mpfr_set_d(q->t, q->plan.shift > 0 ? exp(between(r, -6, 5)) : 0, MPFR_RNDN);
    mpfr_const_pi(q->spacing, MPFR_RNDN);
    mpfr_mul_d(q->spacing, q->spacing, exp(between(r, -5, 1)), MPFR_RNDN);
    mpfi_init2(q->x, BITS);
    mpfi_init2(q->y, BITS);
    mpz_clear(times);
    mpq_clears(sigma, rate, NULL);
    return ok;
}

static void end(question *q)
{
    mpfi_clear(q->y);
    mpfi_clear(q->x);
    mpfr_clear(q->spacing);
    mpfr_clear(q->t);
    sgm_work_clear(&q->w);
    mpfi_clear(q->power);
    product_clear(&q->law);
}

/* x = p ln|r| - y^2/2 - t arg r, y = p arg r - y a + n spacing ln|r| at a node, with n spacing for
 * t and a^2/2 more in x of waves. */
static void at_node(question *q, int64_t j, bool wave, unsigned long n)
{
    sgm_work *w = &q->w;
    sgm_ratio(w, j, q->plan.shift > 0);
    mpfi_mul_fr(q->y, w->l, q->spacing);
    mpfi_mul_ui(q->y, q->y, n);
    sgm_weight(w);
    if (!wave) {
        mpfi_mul_fr(q->x, w->arg, q->t);
        mpfi_sub(q->x, w->l, q->x);
        return;
    }
    mpfi_mul_fr(q->x, w->arg, q->spacing);
    mpfi_mul_ui(q->x, q->x, n);
    mpfi_sub(q->x, w->l, q->x);
    mpfi_set_d(w->part, q->plan.shift);
    mpfi_sqr(w->part, w->part);
    mpfi_div_2ui(w->part, w->part, 1);
    mpfi_add(q->x, q->x, w->part);
    mpfi_mul(w->arg, w->arg, w->power);
    mpfi_add(q->y, q->y, w->arg);
    mpfi_mul_d(w->part, w->y, q->plan.shift);
    mpfi_sub(q->y, q->y, w->part);
}

/* The sum over the nodes, in the middle of what MPFR tells. */
static void sum_of(mpfr_t re, mpfr_t im, question *q, bool wave, unsigned long n)
{
    mpfi_t term;
    mpfi_init2(term, BITS);
    mpfr_set_ui(re, 0, MPFR_RNDN);
    mpfr_set_ui(im, 0, MPFR_RNDN);
    for (int64_t j = q->plan.first; j <= q->plan.last; j++) {
        if (j > q->plan.gap_from && j < q->plan.gap_to)
            j = q->plan.gap_to;
        at_node(q, j, wave, n);
        mpfi_exp(q->x, q->x);
        mpfi_cos(term, q->y);
        mpfi_mul(term, term, q->x);
        if (!wave)
            mpfi_set(term, q->x);
        mpfr_add(re, re, &term->left, MPFR_RNDN);
        mpfi_sin(term, q->y);
        mpfi_mul(term, term, q->x);
        mpfr_add(im, im, &term->left, MPFR_RNDN);
    }
    mpfi_clear(term);
}

static void test_sums(void **state)
{
    (void)state;
    rng r = rng_make(71);
    int had = 0, asked = 0;
    double worst = 0;
    for (int i = 0; i < rounds(150); i++) {
        question q;
        mpfr_t re, im;
        mpfi_t sum;
        mpfr_init2(re, BITS);
        mpfr_init2(im, BITS);
        mpfi_init2(sum, 140);
        if (ask(&q, &r)) {
            asked++;
            if (sgm_fixed_sum(sum, q.g, &q.plan, q.power, q.t, 30)) {
                had++;
                sum_of(re, im, &q, false, 0);
                assert_true(mpfi_is_inside_fr(re, sum));
                mpfr_sub(im, &sum->right, re, MPFR_RNDN);
                mpfr_sub(re, re, &sum->left, MPFR_RNDN);
                mpfr_div(re, re, im, MPFR_RNDN);
                worst = fmax(worst, fmax(mpfr_get_d(re, MPFR_RNDN), 1 / mpfr_get_d(re, MPFR_RNDN)));
            }
        }
        end(&q);
        mpfi_clear(sum);
        mpfr_clear(im);
        mpfr_clear(re);
    }
    assert_true(had > asked * 3 / 4);
    assert_true(worst < 3); /* not at an end: the constants are not spent */
}

static void check_waves(question *q, sgm_waves *a, sgm_wave_errors *e)
{
    mpfr_t re, im, x, y, most;
    mpfr_inits2(BITS, re, im, x, y, most, (mpfr_ptr)0);
    for (unsigned long n = 0; n <= STEPS; n++) {
        sgm_waves_sum(x, y, a);
        if (n % 8 == 0) {
            sum_of(re, im, q, true, n);
            mpfr_sub(re, re, x, MPFR_RNDN);
            mpfr_sub(im, im, y, MPFR_RNDN);
            mpfr_hypot(re, re, im, MPFR_RNDN);
            mpfr_mul_ui(most, e->turn, n, MPFR_RNDN);
            mpfr_mul(most, most, e->all, MPFR_RNDN);
            mpfr_add(most, most, e->own, MPFR_RNDN);
            assert_true(mpfr_lessequal_p(re, most));
        }
        sgm_waves_next(a);
    }
    mpfr_clears(re, im, x, y, most, (mpfr_ptr)0);
}

static void test_waves(void **state)
{
    (void)state;
    rng r = rng_make(72);
    int had = 0, asked = 0;
    for (int i = 0; i < rounds(60); i++) {
        question q;
        sgm_waves *a = NULL;
        mpfr_t turn, own, all;
        mpfr_inits2(64, turn, own, all, (mpfr_ptr)0);
        sgm_wave_errors e = {turn, own, all};
        if (ask(&q, &r)) {
            asked++;
            if (sgm_waves_new(&a, &e, q.g, &q.plan, q.power, q.spacing, STEPS) == DP_OK) {
                had++;
                check_waves(&q, a, &e);
            }
        }
        sgm_waves_free(a);
        end(&q);
        mpfr_clears(turn, own, all, (mpfr_ptr)0);
    }
    assert_true(had > asked * 3 / 4);
}

/* ---- powers --------------------------------------------------------------------------------- */
/* |x - z| in most, |x| in size */
static void distance(mpfr_t most, mpfr_t size, const cball *x, const cball *z)
{
    mpfr_hypot(size, x->re, x->im, MPFR_RNDN);
    mpfr_t im;
    mpfr_init2(im, BITS);
    mpfr_sub(most, x->re, z->re, MPFR_RNDN);
    mpfr_sub(im, x->im, z->im, MPFR_RNDN);
    mpfr_hypot(most, most, im, MPFR_RNDN);
    mpfr_clear(im);
}

static void set_point(cball *z, double size, double angle)
{
    mpfr_set_d(z->im, angle, MPFR_RNDN);
    mpfr_sin_cos(z->im, z->re, z->im, MPFR_RNDN);
    mpfr_mul_d(z->re, z->re, size, MPFR_RNDN);
    mpfr_mul_d(z->im, z->im, size, MPFR_RNDN);
    mpfr_set_ui(z->radius, 0, MPFR_RNDN);
    mpfr_set_d(z->size, size * (1 + 0x1p-30), MPFR_RNDU);
}

/* A point on the rim of the ball, next to it where that has a radius. */
static void check_power(rng *r, bool wide)
{
    cball x, z;
    mpfr_t away, size;
    mpz_t times;
    cball_init(&x, BITS);
    cball_init(&z, 150);
    mpfr_inits2(BITS, away, size, (mpfr_ptr)0);
    double n = floor(exp(between(r, log(2.5), log(1 << 20)))), angle = between(r, -4, 4);
    mpz_init_set_d(times, n);
    double small = wide ? 0x1p-60 : 0x1p-145, far = 1 - exp(between(r, -20, 0)) / n;
    set_point(&x, far, angle);
    set_point(&z, far, angle);
    mpfr_set_d(away, wide ? -small : 0, MPFR_RNDN);
    mpfr_add_ui(away, away, 1, MPFR_RNDN);
    mpfr_mul(z.re, z.re, away, MPFR_RNDN);
    mpfr_mul(z.im, z.im, away, MPFR_RNDN);
    mpfr_set_d(z.radius, 1.001 * small, MPFR_RNDU);
    mpfr_prec_t depth = 100 - (mpfr_prec_t)mpz_sizeinbase(times, 2);
    assert_true(sgm_fixed_pow(&z, times, depth));
    assert_false(sgm_fixed_pow(&x, times, depth + 10));
    cball_pow(&x, &x, times);
    distance(away, size, &x, &z);
    assert_true(mpfr_lessequal_p(away, z.radius));
    assert_true(mpfr_lessequal_p(size, z.size));
    assert_true(mpfr_get_d(z.radius, MPFR_RNDU) <=
                ldexp(7 * n, -FIXED_POINT) + 1.1 * n * small * pow(far + 2 * small, n - 1));
    mpz_clear(times);
    mpfr_clears(away, size, (mpfr_ptr)0);
    cball_clear(&z);
    cball_clear(&x);
}

static void test_powers(void **state)
{
    (void)state;
    rng r = rng_make(74);
    for (int i = 0; i < rounds(400); i++)
        check_power(&r, i % 2 == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sums), cmocka_unit_test(test_waves),
                                       cmocka_unit_test(test_powers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
    return skip_all("there is no number of 128 bits");
}

#endif
