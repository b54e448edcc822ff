/* SPDX-License-Identifier: MIT */
/* The laws of Gaussian, Laplace and discrete Gaussian noise and of bounded range against their
 * moment functions in Arb, evaluated as they are written with more bits than anything can cancel:
 * nodes, real moments, decay, resonances and guesses. Built only where Arb is found. */
#include "support.h"

#include <acb.h>
#include <math.h>

#include "loss/bounded_range.h"
#include "loss/discrete_gaussian.h"
#include "loss/gaussian.h"
#include "loss/laplace.h"
#include "moments-arb.h"

#define NODES 6

enum noise { GAUSSIAN, LAPLACE, RANGE, DISCRETE };

typedef struct world {
    enum noise noise;
    product p;
    mpq_t parameter[2]; /* mu^2, epsilon, eta or sigma^2 */
    mpz_t distance;     /* of discrete noise */
    mpz_t times[2];
    size_t count;
    mpfr_t spacing;
    dp_number step;
    line at;
    uint64_t node[NODES];
} world;

/* M(z), all uses */
static void moment(acb_t out, const world *w, const acb_t z)
{
    arb_t parameter;
    acb_t one;
    fmpz_t times;
    arb_init(parameter);
    acb_init(one);
    fmpz_init(times);
    acb_one(out);
    for (size_t i = 0; i < w->count; i++) {
        arb_of_q(parameter, w->parameter[i]);
        if (w->noise == DISCRETE)
            discrete_moment(one, parameter, mpz_get_si(w->distance), z);
        else
            (w->noise == LAPLACE ? laplace_moment
             : w->noise == RANGE ? range_moment
                                 : gaussian_moment)(one, parameter, z);
        fmpz_set_mpz(times, w->times[i]);
        acb_pow_fmpz(one, one, times, ARB_BITS);
        acb_mul(out, out, one, ARB_BITS);
    }
    fmpz_clear(times);
    acb_clear(one);
    arb_clear(parameter);
}

/* z = c + i node spacing */
static void node_of(acb_t z, const line *at, uint64_t node)
{
    arb_t part;
    arb_init(part);
    arb_set_d(acb_realref(z), at->c);
    if (at->step == NULL) {
        arb_of_fr(acb_imagref(z), at->spacing);
    } else {
        arb_const_pi(acb_imagref(z), ARB_BITS);
        arb_of_q(part, at->step->value);
        arb_div(acb_imagref(z), acb_imagref(z), part, ARB_BITS);
        arb_div_ui(acb_imagref(z), acb_imagref(z), at->period, ARB_BITS);
    }
    arb_mul_ui(acb_imagref(z), acb_imagref(z), node, ARB_BITS);
    arb_clear(part);
}

/* ratio = M(z) / M(c), at the real part and the height t */
static void ratio_at(acb_t ratio, const world *w, const acb_t z)
{
    acb_t c, base;
    acb_init(c);
    acb_init(base);
    acb_set_arb(c, acb_realref(z));
    moment(base, w, c);
    moment(ratio, w, z);
    acb_div(ratio, ratio, base, ARB_BITS);
    acb_clear(base);
    acb_clear(c);
}

/* out = -ln|ratio| */
static void fall_of(arb_t out, const acb_t ratio)
{
    acb_abs(out, ratio, ARB_BITS);
    arb_log(out, out, ARB_BITS);
    arb_neg(out, out);
}

/* ---- worlds --------------------------------------------------------------------------------- */
static void random_rational(mpq_t q, rng *r, int least, int most)
{
    int e = least + (int)rng_below(r, (size_t)(most - least));
    mpq_set_ui(q, 1 + (unsigned long)rng_below(r, 1000), 1 + (unsigned long)rng_below(r, 1000));
    mpq_canonicalize(q);
    if (e < 0)
        mpq_div_2exp(q, q, (mp_bitcnt_t)-e);
    else
        mpq_mul_2exp(q, q, (mp_bitcnt_t)e);
}

/* Around the saddles that there are, and near to 0, -1/2 and -1. */
static double random_tilt(rng *r)
{
    double near = ldexp(1 + (double)rng_below(r, 1U << 20) * 0x1p-20, -1 - (int)rng_below(r, 28));
    double sign = rng_below(r, 2) == 0 ? 1 : -1, c = 0;
    switch (rng_below(r, 6)) {
    case 0:
        return -0.5;
    case 1:
        c = -0.5 + sign * near / 4;
        break;
    case 2:
        return ldexp(near, -200);
    case 3:
        c = -1 + near / 2;
        break;
    case 4:
        c = -near / 2;
        break;
    default:
        return (double)(1 + rng_below(r, 1000)) / 16;
    }
    return ldexp(rint(ldexp(c, 29)), -29); /* few bits */
}

/* From 1/1000 to 40, the second above the first: so they are kept. */
static void random_variance(mpq_t *of, size_t i, rng *r)
{
    mpq_set_ui(of[i], 1 + (unsigned long)rng_below(r, rng_below(r, 2) == 0 ? 1000 : 20000), 1000);
    mpq_canonicalize(of[i]);
    if (i > 0)
        mpq_add(of[i], of[i], of[i - 1]);
}

static dp_status add_use(world *w, size_t i)
{
    if (w->noise == DISCRETE)
        return discrete_gaussian_add(&w->p, w->parameter[i], w->distance, w->times[i]);
    if (w->noise != RANGE)
        return (w->noise == LAPLACE ? laplace_add : gaussian_add)(&w->p, w->parameter[i],
                                                                  w->times[i]);
    dp_number eta;
    dp_number_init(&eta);
    mpq_set(eta.value, w->parameter[i]);
    dp_status status = bounded_range_add(&w->p, &eta, w->times[i]);
    dp_number_clear(&eta);
    return status;
}

static void world_open(world *w, rng *r)
{
    *w = (world){.noise = (enum noise)(rng_below(r, 10) / 3), .count = 1 + rng_below(r, 2)};
    mpz_init_set_ui(w->distance, 1 + (unsigned long)rng_below(r, 5));
    product_init(&w->p);
    mpfr_init2(w->spacing, 40);
    dp_number_init(&w->step);
    for (size_t i = 0; i < 2; i++) {
        mpq_init(w->parameter[i]);
        mpz_init(w->times[i]);
        random_rational(w->parameter[i], r, -20, 6);
        if (w->noise == DISCRETE)
            random_variance(w->parameter, i, r);
        mpz_set_ui(w->times[i], 1 + (unsigned long)rng_below(r, rng_below(r, 3) == 0 ? 100000 : 5));
    }
    for (size_t i = 0; i < w->count; i++)
        assert_int_equal(add_use(w, i), DP_OK);
    assert_int_equal(w->p.count, 1);
    w->at = (line){.c = random_tilt(r), .work = 40 + (mpfr_prec_t)rng_below(r, 200)};
    if (rng_below(r, 3) == 0) {
        random_rational(w->step.value, r, -8, 4);
        w->at.step = &w->step;
        w->at.period = 1 + rng_below(r, 1000);
    } else {
        mpfr_set_ui_2exp(w->spacing, 1 + rng_below(r, 1U << 20), -18 - (int)rng_below(r, 8),
                         MPFR_RNDN);
        w->at.spacing = w->spacing;
    }
    uint64_t node = 0;
    for (size_t i = 0; i < NODES; i++) {
        w->node[i] = node;
        node += 1 + (uint64_t)rng_below(r, i < 2 ? 3 : 10000);
    }
    w->at.last = w->node[NODES - 1];
}

static void world_close(world *w)
{
    for (size_t i = 0; i < 2; i++) {
        mpq_clear(w->parameter[i]);
        mpz_clear(w->times[i]);
    }
    dp_number_clear(&w->step);
    mpz_clear(w->distance);
    mpfr_clear(w->spacing);
    product_clear(&w->p);
}

/* ---- checks --------------------------------------------------------------------------------- */
static void check_ball(const cball *b, const acb_t truth, mpfr_prec_t work)
{
    acb_t gap;
    arb_t size, most;
    acb_init(gap);
    arb_init(size);
    arb_init(most);
    arb_of_fr(acb_realref(gap), b->re);
    arb_of_fr(acb_imagref(gap), b->im);
    acb_sub(gap, gap, truth, ARB_BITS);
    acb_abs(size, gap, ARB_BITS);
    arb_of_fr(most, b->radius);
    assert_false(arb_gt(size, most));
    acb_abs(size, truth, ARB_BITS);
    arb_of_fr(most, b->size);
    assert_false(arb_gt(size, most));
    assert_true(mpfr_cmp_ui(b->size, 1) <= 0);
    assert_true(mpfr_cmp_ui_2exp(b->radius, 1, 8 - work) < 0);
    arb_clear(most);
    arb_clear(size);
    acb_clear(gap);
}

static void check_decay(const world *w, const loss *l, const acb_t z, const arb_t fall)
{
    mpfr_t t, low, lower;
    arb_t most;
    mpfr_init2(t, 64);
    mpfr_init2(low, 64);
    mpfr_init2(lower, 64);
    arb_init(most);
    arf_get_mpfr(t, arb_midref(acb_imagref(z)), MPFR_RNDD);
    l->ops->decay(low, l->self, w->at.c, t);
    assert_true(mpfr_sgn(low) >= 0 && mpfr_number_p(low));
    arb_of_fr(most, low);
    assert_false(arb_gt(most, fall));
    mpfr_mul_d(t, t, 0.75, MPFR_RNDD);
    l->ops->decay(lower, l->self, w->at.c, t);
    assert_true(mpfr_lessequal_p(lower, low));
    arb_clear(most);
    mpfr_clears(t, low, lower, (mpfr_ptr)0);
}

/* Of the two atoms of Laplace noise, or any neighbours of discrete noise: 2 eps or D / sigma^2. */
static void apart(arb_t out, const world *w, size_t i)
{
    arb_of_q(out, w->parameter[i]);
    if (w->noise == DISCRETE) {
        arb_inv(out, out, ARB_BITS);
        arb_mul_si(out, out, mpz_get_si(w->distance), ARB_BITS);
    } else {
        arb_mul_2exp_si(out, out, 1);
    }
}

/* (1/4) sum w (1 - cos 2 pi n turn) <= the fall, with the turns as the scan has them; and these are
 * the turns of the atoms, spacing / 2 pi times how far they are apart */
static void check_resonances(const world *w, const loss *l, const acb_t z, const arb_t fall,
                             uint64_t node)
{
    scan_item item[4];
    size_t n = l->ops->resonances(NULL, 0, l->self, &w->at);
    assert_true(n <= 4);
    assert_int_equal(l->ops->resonances(item, 4, l->self, &w->at), n);
    assert_int_equal(n, w->noise == GAUSSIAN ? 0 : w->count);
    arb_t sum, part, turn;
    arb_init(sum);
    arb_init(part);
    arb_init(turn);
    for (size_t i = 0; i < n; i++) {
        arb_set_ui(turn, (ulong)item[i].turn);
        arb_mul_2exp_si(turn, turn, SCAN_REST_BITS);
        arb_add_ui(turn, turn, item[i].rest, ARB_BITS);
        arb_mul_2exp_si(turn, turn, -64 - SCAN_REST_BITS);
        arb_mul_ui(turn, turn, node, ARB_BITS);
        apart(part, w, i);
        arb_mul(part, part, acb_imagref(z), ARB_BITS);
        arb_cos(part, part, ARB_BITS); /* of the true turn */
        arb_mul_2exp_si(turn, turn, 1);
        arb_cos_pi(turn, turn, ARB_BITS);
        arb_sub(turn, turn, part, ARB_BITS);
        arb_abs(turn, turn);
        arb_mul_2exp_si(turn, turn, 60);
        arb_set_ui(sum, 64 * (node + 1)); /* 2 pi node 2^-88 at most, with much room */
        assert_true(arb_le(turn, sum));
    }
    arb_zero(sum);
    for (size_t i = 0; i < n; i++) {
        assert_true(item[i].weight >= 0 && isfinite(item[i].weight));
        apart(part, w, i);
        arb_mul(part, part, acb_imagref(z), ARB_BITS);
        arb_cos(part, part, ARB_BITS);
        arb_sub_ui(part, part, 1, ARB_BITS);
        arb_set_d(turn, -item[i].weight / 4);
        arb_addmul(sum, part, turn, ARB_BITS);
    }
    assert_false(arb_gt(sum, fall));
    arb_clear(turn);
    arb_clear(part);
    arb_clear(sum);
}

static void check_nodes(const world *w)
{
    const loss *l = &w->p.item[0];
    limits lim = {0};
    cball phi[NODES];
    acb_t z, ratio;
    arb_t fall;
    acb_init(z);
    acb_init(ratio);
    arb_init(fall);
    for (size_t i = 0; i < NODES; i++) {
        cball_init(&phi[i], w->at.work);
        cball_set_ui(&phi[i], 1);
    }
    assert_int_equal(l->ops->multiply(phi, l->self, &w->at, w->node, NODES, &lim), DP_OK);
    for (size_t i = 0; i < NODES; i++) {
        node_of(z, &w->at, w->node[i]);
        ratio_at(ratio, w, z);
        check_ball(&phi[i], ratio, w->at.work);
        if (w->node[i] > 0) {
            fall_of(fall, ratio);
            if (l->ops->decay != NULL)
                check_decay(w, l, z, fall);
            if (l->ops->resonances != NULL)
                check_resonances(w, l, z, fall, w->node[i]);
        }
        cball_clear(&phi[i]);
    }
    arb_clear(fall);
    acb_clear(ratio);
    acb_clear(z);
}

/* K at a number: enclosed, narrow relative to its own size, and guessed. */
static void check_moment(const world *w, double c)
{
    const loss *l = &w->p.item[0];
    limits lim = {0};
    mpfi_t k, z;
    acb_t at, m;
    arb_t own;
    mpfi_init2(k, 100);
    mpfi_init2(z, 60);
    acb_init(at);
    acb_init(m);
    arb_init(own);
    mpfi_set_d(z, c);
    l->ops->log_moment(k, l->self, z, &lim);
    acb_set_d(at, c);
    moment(m, w, at);
    acb_log(m, m, ARB_BITS);
    arb_of_i(own, k);
    assert_true(arb_overlaps(own, acb_realref(m)));
    if (mpfr_sgn(&k->left) != 0) {
        double middle = mpfi_get_d(k), wide = mpfr_get_d(&k->right, MPFR_RNDU);
        wide -= mpfr_get_d(&k->left, MPFR_RNDD);
        assert_true(wide <= 1e-15 * fabs(middle));
        double guess[3] = {0};
        l->ops->guess(guess, l->self, c, LOSS_K);
        assert_true(fabs(guess[0] - middle) <= 1e-5 * fabs(middle));
        assert_true(guess[1] == 0 && guess[2] == 0);
    }
    arb_clear(own);
    acb_clear(m);
    acb_clear(at);
    mpfi_clear(z);
    mpfi_clear(k);
}

static void test_random(void **state)
{
    (void)state;
    rng r = rng_make(71);
    for (int i = 0; i < rounds(300); i++) {
        world w;
        world_open(&w, &r);
        check_nodes(&w);
        check_moment(&w, w.at.c);
        world_close(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
