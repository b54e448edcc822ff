/* SPDX-License-Identifier: MIT */
/* Complex balls against Arb: a point of each ball is followed by Arb's arithmetic at a precision at
 * which its own error is nothing beside ours. Built only where Arb is found. */
#include "cball-steps.h"

#include <acb.h>
#include <stdio.h>

#define ARB_BITS 2000
#define CHAIN 40

typedef struct bench {
    cball ball[PLACES];
    acb_t point[PLACES];
    mpfr_t cap;
    long checked, lost, blurred; /* balls that say something; that say nothing; points not known */
    double share[KINDS];         /* the largest share of a radius that an error took */
} bench;

static void bench_init(bench *t, mpfr_prec_t bits)
{
    *t = (bench){.checked = 0};
    mpfr_init2(t->cap, CBALL_BOUND_BITS);
    for (size_t i = 0; i < PLACES; i++) {
        cball_init(&t->ball[i], bits + (mpfr_prec_t)i); /* precisions may differ */
        acb_init(t->point[i]);
    }
}

static void bench_clear(bench *t)
{
    mpfr_clear(t->cap);
    for (size_t i = 0; i < PLACES; i++) {
        cball_clear(&t->ball[i]);
        acb_clear(t->point[i]);
    }
}

static void arb_of(arb_t out, mpfr_srcptr x)
{
    arf_set_mpfr(arb_midref(out), x);
    mag_zero(arb_radref(out));
}

static void acb_of(acb_t out, mpfr_srcptr re, mpfr_srcptr im)
{
    arb_of(acb_realref(out), re);
    arb_of(acb_imagref(out), im);
}

static void fmpz_of(fmpz_t out, uint64_t k)
{
    fmpz_set_ui(out, (ulong)(k >> 32));
    fmpz_mul_2exp(out, out, 32);
    fmpz_add_ui(out, out, (ulong)(k & 0xffffffffU));
}

/* e^(i pi r / n) by exponentials, not by sines of an angle */
static void point_unit(acb_t out, const step *s)
{
    fmpz_t n;
    fmpq_t q;
    fmpz_init(n);
    fmpq_init(q);
    fmpz_of(fmpq_numref(q), s->r);
    fmpz_of(fmpq_denref(q), s->n);
    fmpq_canonicalise(q);
    arb_set_fmpq(acb_realref(out), q, ARB_BITS);
    arb_zero(acb_imagref(out));
    acb_exp_pi_i(out, out, ARB_BITS);
    fmpq_clear(q);
    fmpz_clear(n);
}

/* A step that begins with numbers; false: it is made of points. */
static bool first_point(acb_ptr out, const step *s)
{
    switch (s->kind) {
    case NUMBER:
        acb_of(out, s->re, s->im);
        break;
    case INTEGER:
        acb_set_ui(out, s->whole);
        break;
    case REAL:
        acb_zero(out);
        arb_of(acb_realref(out), s->at_x);
        break;
    case DISC:
        acb_of(out, s->at_re, s->at_im);
        break;
    case UNIT:
        point_unit(out, s);
        break;
    case TURN:
    case EXP:
        acb_of(out, s->at_x, s->at_y);
        if (s->kind == TURN)
            arb_zero(acb_realref(out));
        acb_exp(out, out, ARB_BITS);
        break;
    default:
        return false;
    }
    return true;
}

static void step_point(acb_t *at, const step *s)
{
    acb_ptr out = at[s->out], a = at[s->a], b = at[s->b];
    fmpz_t times;
    acb_t t;
    if (first_point(out, s))
        return;
    fmpz_init(times);
    acb_init(t);
    switch (s->kind) {
    case COPY:
        acb_set(out, a);
        break;
    case ADD:
        acb_add(out, a, b, ARB_BITS);
        break;
    case SUB:
        acb_sub(out, a, b, ARB_BITS);
        break;
    case MUL:
        acb_mul(out, a, b, ARB_BITS);
        break;
    case MUL_I:
        arb_of(acb_realref(t), s->at_x);
        acb_mul(out, a, t, ARB_BITS);
        break;
    case POW:
        fmpz_set_mpz(times, s->times);
        acb_pow_fmpz(out, a, times, ARB_BITS);
        break;
    case INV:
        acb_inv(out, a, ARB_BITS);
        break;
    case ONE_MINUS:
        acb_sub_ui(t, a, 1, ARB_BITS);
        acb_neg(out, t);
        break;
    default:
        break;
    }
    acb_clear(t);
    fmpz_clear(times);
}

/* The enclosure of the real part meets that of the point. */
static void check_real(const cball *z, const arb_t re)
{
    mpfi_t x;
    arf_t end, bound;
    mpfi_init2(x, 40);
    arf_init(end);
    arf_init(bound);
    cball_real(x, z);
    arf_set_mpfr(end, &x->right);
    arb_get_lbound_arf(bound, re, ARB_BITS);
    assert_true(arf_cmp(bound, end) <= 0);
    arf_set_mpfr(end, &x->left);
    arb_get_ubound_arf(bound, re, ARB_BITS);
    assert_true(arf_cmp(bound, end) >= 0);
    arf_clear(bound);
    arf_clear(end);
    mpfi_clear(x);
}

/* |z - middle| <= radius and |z| <= size are not refuted, and z is known well enough to do so. */
static void check(bench *t, size_t i, step_kind kind)
{
    const cball *z = &t->ball[i];
    assert_false(mpfr_nan_p(z->re) || mpfr_nan_p(z->im) || mpfr_nan_p(z->radius));
    assert_true(mpfr_sgn(z->radius) >= 0 && mpfr_sgn(z->size) >= 0);
    acb_t d;
    arf_t low, high, radius;
    acb_init(d);
    arf_init(low);
    arf_init(high);
    arf_init(radius);
    arf_set_mpfr(radius, z->size);
    acb_get_abs_lbound_arf(low, t->point[i], 256);
    assert_true(arf_cmp(low, radius) <= 0);
    check_real(z, acb_realref(t->point[i]));
    acb_of(d, z->re, z->im);
    acb_sub(d, t->point[i], d, ARB_BITS);
    arf_set_mpfr(radius, z->radius);
    acb_get_abs_lbound_arf(low, d, 256);
    acb_get_abs_ubound_arf(high, d, 256);
    if (arf_cmp(low, radius) > 0)
        fail_msg("kind %d: a ball does not hold its point", (int)kind);
    if (arf_is_inf(radius)) {
        t->lost++;
    } else {
        arf_mul_ui(radius, radius, 1048577, 256, ARF_RND_UP);
        arf_mul_2exp_si(radius, radius, -20);
        if (arf_cmp(high, radius) > 0) {
            t->blurred++;
        } else {
            t->checked++;
            arf_div(low, low, radius, 64, ARF_RND_NEAR);
            double share = arf_is_finite(low) ? arf_get_d(low, ARF_RND_NEAR) : 0;
            t->share[kind] = share > t->share[kind] ? share : t->share[kind];
        }
    }
    arf_clear(radius);
    arf_clear(high);
    arf_clear(low);
    acb_clear(d);
}

static bool known(const acb_t z)
{
    return acb_is_finite(z) && (acb_is_exact(z) || acb_rel_accuracy_bits(z) > ARB_BITS / 2);
}

static void one_step(bench *t, step *s)
{
    if (s->kind == CAP || s->kind == MEASURE)
        s->out = s->a;
    if (s->kind == CAP) {
        arf_t up;
        arf_init(up);
        acb_get_abs_ubound_arf(up, t->point[s->a], CBALL_BOUND_BITS);
        arf_get_mpfr(t->cap, up, MPFR_RNDU);
        arf_clear(up);
    }
    step_balls(t->ball, s, t->cap);
    step_point(t->point, s);
    check(t, s->out, s->kind);
    /* what Arb or the ball no longer knows is not followed any further */
    if (!known(t->point[s->out]) || !mpfr_number_p(t->ball[s->out].radius)) {
        cball_set_ui(&t->ball[s->out], 1);
        acb_one(t->point[s->out]);
    }
}

static void chains(bench *sum, uint64_t seed, int count, bool wide, bool far)
{
    rng r = rng_make(seed);
    step s;
    step_init(&s);
    for (int i = 0; i < rounds(count); i++) {
        bench t;
        bench_init(&t, (i % 3 == 0 ? 24 : 64) + (mpfr_prec_t)rng_below(&r, i % 3 == 0 ? 8 : 236));
        for (int k = 0; k < CHAIN; k++) {
            random_step(&s, &r, wide, far);
            one_step(&t, &s);
        }
        sum->checked += t.checked;
        sum->lost += t.lost;
        sum->blurred += t.blurred;
        for (size_t k = 0; k < KINDS; k++)
            sum->share[k] = t.share[k] > sum->share[k] ? t.share[k] : sum->share[k];
        bench_clear(&t);
    }
    step_clear(&s);
    print_message("# %ld checked, %ld without a bound, %ld not known; shares", sum->checked,
                  sum->lost, sum->blurred);
    for (size_t k = 0; k < KINDS; k++)
        print_message(" %.2f", sum->share[k]);
    print_message("\n");
}

static void points(void **unused)
{
    (void)unused;
    bench sum = {.checked = 0};
    chains(&sum, 1, 2000, false, false);
    assert_true(sum.checked > 20 * sum.lost && sum.checked > 100 * sum.blurred);
}

static void discs(void **unused)
{
    (void)unused;
    bench sum = {.checked = 0};
    chains(&sum, 2, 4000, true, false);
    assert_true(sum.checked > 4 * sum.lost && sum.checked > 100 * sum.blurred);
}

static void far_exponents(void **unused)
{
    (void)unused;
    bench sum = {.checked = 0};
    chains(&sum, 3, 2000, true, true);
    assert_true(sum.checked > 2 * sum.lost && sum.checked > 20 * sum.blurred);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points),
        cmocka_unit_test(discs),
        cmocka_unit_test(far_exponents),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
