/* SPDX-License-Identifier: MIT */
/* Counted numbers of the unit disc against Arb: random chains of all operations, where the point
 * that each number stands for is followed at a precision at which Arb's own error is nothing. The
 * count itself is checked, and the ball that is made of it. Built only where Arb is found. */
#include "support.h"

#include <acb.h>

#include "num/cdisc.h"

#define ARB_BITS 1500
#define PLACES 4
#define CHAIN 30

typedef enum { POINT, UNIT, TURN, REAL, COPY, MUL, POW, LEAN, KINDS } kind;

typedef struct bench {
    cdisc z[PLACES], scratch;
    acb_t point[PLACES];
    mpfr_prec_t bits;
    double share[KINDS];
    long checked;
} bench;

static void arb_of(arb_t out, mpfr_srcptr x)
{
    arf_set_mpfr(arb_midref(out), x);
    mag_zero(arb_radref(out));
}

static void wide_fmpz(fmpz_t out, uint64_t k)
{
    fmpz_set_ui(out, (ulong)(k >> 32));
    fmpz_mul_2exp(out, out, 32);
    fmpz_add_ui(out, out, (ulong)(k & 0xffffffffU));
}

/* limit = (1 + 2^-bits)^count - 1 */
static void limit_of(arb_t limit, const bench *t, const cdisc *z)
{
    fmpz_t count;
    fmpz_init(count);
    wide_fmpz(count, z->units);
    fmpz_mul_2exp(count, count, (ulong)z->shift);
    arb_one(limit);
    arb_mul_2exp_si(limit, limit, -t->bits);
    arb_add_ui(limit, limit, 1, ARB_BITS);
    arb_pow_fmpz(limit, limit, count, ARB_BITS);
    arb_sub_ui(limit, limit, 1, ARB_BITS);
    fmpz_clear(count);
}

static void check(bench *t, size_t i, kind of)
{
    const cdisc *z = &t->z[i];
    cball ball;
    acb_t d;
    arb_t limit, gap, radius;
    cball_init(&ball, t->bits);
    acb_init(d);
    arb_init(limit);
    arb_init(gap);
    arb_init(radius);
    arb_of(acb_realref(d), z->re);
    arb_of(acb_imagref(d), z->im);
    acb_sub(d, d, t->point[i], ARB_BITS);
    acb_abs(gap, d, ARB_BITS);
    limit_of(limit, t, z);
    if (arb_gt(gap, limit))
        fail_msg("kind %d: more roundings than were counted", (int)of);
    cdisc_ball(&ball, z);
    arb_of(radius, ball.radius);
    arb_of(acb_realref(d), ball.re);
    arb_of(acb_imagref(d), ball.im);
    acb_sub(d, d, t->point[i], ARB_BITS);
    acb_abs(gap, d, ARB_BITS);
    if (arb_gt(gap, radius))
        fail_msg("kind %d: the ball does not hold the point", (int)of);
    arb_div(gap, gap, radius, 64);
    double share = arb_is_finite(gap) ? arf_get_d(arb_midref(gap), ARF_RND_NEAR) : 0;
    t->share[of] = share > t->share[of] ? share : t->share[of];
    t->checked++;
    arb_clear(radius);
    arb_clear(gap);
    arb_clear(limit);
    acb_clear(d);
    cball_clear(&ball);
}

static void set_unit(bench *t, size_t out, rng *r)
{
    uint64_t n = 1 + rng_wide(r, UINT64_C(1) << (1 + rng_below(r, 62))), at = rng_wide(r, 2 * n);
    fmpz_t x, y;
    cdisc_unit(&t->z[out], at, n);
    fmpz_init(x);
    fmpz_init(y);
    wide_fmpz(x, at);
    wide_fmpz(y, n);
    arb_set_fmpz(acb_realref(t->point[out]), x);
    arb_div_fmpz(acb_realref(t->point[out]), acb_realref(t->point[out]), y, ARB_BITS);
    arb_zero(acb_imagref(t->point[out]));
    acb_exp_pi_i(t->point[out], t->point[out], ARB_BITS);
    fmpz_clear(x);
    fmpz_clear(y);
}

/* A real number of 200 bits below 1, positive or not, sometimes very small. */
static void random_real(mpfr_t x, rng *r)
{
    mpfr_set_ui(x, 0, MPFR_RNDN);
    for (int i = 0; i < 7; i++) {
        mpfr_div_2ui(x, x, 30, MPFR_RNDN);
        mpfr_add_d(x, x, ldexp((double)rng_below(r, 1U << 30), -30), MPFR_RNDN);
    }
    mpfr_div_2ui(x, x, 1 + (rng_below(r, 3) == 0 ? rng_below(r, 300) : 0), MPFR_RNDN);
    if (rng_below(r, 2))
        mpfr_neg(x, x, MPFR_RNDN);
}

static void set_turn(bench *t, size_t out, rng *r)
{
    mpfr_t theta, middle, away;
    fmpz_t n;
    uint64_t node = rng_wide(r, UINT64_C(1) << (1 + rng_below(r, 40)));
    mpfr_init2(theta, 240);
    mpfr_init2(middle, t->bits);
    mpfr_init2(away, CBALL_BOUND_BITS);
    fmpz_init(n);
    random_real(theta, r);
    mpfr_mul_ui(theta, theta, 1 + rng_below(r, 50), MPFR_RNDN);
    mpfr_set(middle, theta, MPFR_RNDN);
    mpfr_sub(away, theta, middle, MPFR_RNDA);
    mpfr_abs(away, away, MPFR_RNDU);
    cdisc_turn(&t->z[out], middle, away, node);
    wide_fmpz(n, node);
    arb_zero(acb_realref(t->point[out]));
    arb_of(acb_imagref(t->point[out]), theta);
    acb_mul_fmpz(t->point[out], t->point[out], n, ARB_BITS);
    acb_exp(t->point[out], t->point[out], ARB_BITS);
    fmpz_clear(n);
    mpfr_clears(theta, middle, away, (mpfr_ptr)0);
}

static void set_real(bench *t, size_t out, rng *r)
{
    mpfr_t x;
    mpfi_t i;
    mpfr_init2(x, 240);
    mpfi_init2(i, t->bits + 16);
    random_real(x, r);
    mpfi_set_fr(i, x);
    cdisc_set_i(&t->z[out], i);
    acb_zero(t->point[out]);
    arb_of(acb_realref(t->point[out]), x);
    mpfi_clear(i);
    mpfr_clear(x);
}

/* An exact point: products of such have no other error than their rounding. */
static void set_point(bench *t, size_t out, rng *r)
{
    mpfr_t x;
    mpfr_init2(x, t->bits);
    cdisc_set_one(&t->z[out]);
    for (int i = 0; i < 2; i++) {
        random_real(x, r); /* below 1/2 */
        mpfr_set(i == 0 ? t->z[out].re : t->z[out].im, x, MPFR_RNDN);
        arb_of(i == 0 ? acb_realref(t->point[out]) : acb_imagref(t->point[out]), x);
    }
    mpfr_clear(x);
}

static void set_pow(bench *t, size_t out, size_t a, rng *r)
{
    mpz_t times;
    fmpz_t n;
    mpz_init_set_ui(times, 1 + rng_below(r, rng_below(r, 4) ? 6 : 100000));
    fmpz_init(n);
    fmpz_set_mpz(n, times);
    cdisc_pow(&t->z[out], &t->z[a], times, &t->scratch);
    acb_pow_fmpz(t->point[out], t->point[a], n, ARB_BITS);
    fmpz_clear(n);
    mpz_clear(times);
}

static void set_lean(bench *t, size_t out, size_t a, rng *r)
{
    size_t b = out; /* the real number is made where the output will stand */
    set_real(t, b, r);
    arb_t x;
    arb_init(x);
    arb_set(x, acb_realref(t->point[b]));
    cdisc_lean(&t->z[out], &t->z[a], &t->z[b]);
    acb_set(t->point[out], t->point[a]);
    arb_mul(acb_imagref(t->point[out]), acb_imagref(t->point[out]), x, ARB_BITS);
    arb_clear(x);
}

static void one_step(bench *t, rng *r)
{
    kind of = (kind)rng_below(r, KINDS);
    size_t out = rng_below(r, PLACES), a = rng_below(r, PLACES), b = rng_below(r, PLACES);
    if (a == out && (of == POW || of == LEAN))
        a = (out + 1) % PLACES;
    switch (of) {
    case POINT:
        set_point(t, out, r);
        break;
    case UNIT:
        set_unit(t, out, r);
        break;
    case TURN:
        set_turn(t, out, r);
        break;
    case REAL:
        set_real(t, out, r);
        break;
    case COPY:
        cdisc_set(&t->z[out], &t->z[a]);
        acb_set(t->point[out], t->point[a]);
        break;
    case MUL:
        cdisc_mul(&t->z[out], &t->z[a], &t->z[b], &t->scratch);
        acb_mul(t->point[out], t->point[a], t->point[b], ARB_BITS);
        break;
    case POW:
        set_pow(t, out, a, r);
        break;
    case LEAN:
        set_lean(t, out, a, r);
        break;
    case KINDS:
        break;
    }
    check(t, out, of);
}

static void chains(void **unused)
{
    (void)unused;
    rng r = rng_make(31);
    double share[KINDS] = {0};
    for (int i = 0; i < rounds(250); i++) {
        bench t = {.bits = 24 + (mpfr_prec_t)rng_below(&r, 150)};
        cdisc_init(&t.scratch, t.bits);
        for (size_t k = 0; k < PLACES; k++) {
            cdisc_init(&t.z[k], t.bits);
            acb_init(t.point[k]);
            acb_one(t.point[k]);
        }
        for (int k = 0; k < CHAIN; k++)
            one_step(&t, &r);
        for (size_t k = 0; k < KINDS; k++)
            share[k] = t.share[k] > share[k] ? t.share[k] : share[k];
        for (size_t k = 0; k < PLACES; k++) {
            cdisc_clear(&t.z[k]);
            acb_clear(t.point[k]);
        }
        cdisc_clear(&t.scratch);
    }
    for (size_t k = UNIT; k < KINDS; k++)
        if (!(share[k] > 0.05))
            fail_msg("kind %d: the bound is never near, %g", (int)k, share[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(chains)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
