/* SPDX-License-Identifier: MIT */
/* Complex balls: few bits against many, exact integers, roots of unity, the ends of what numbers
 * there are, and radii that are not many times what they cover. t-cball-arb.c has the oracle. */
#include "cball-steps.h"

#include "num/ival.h"

#define CHAIN 40

/* gap = the distance of the midpoints, rounded up */
static void distance(mpfr_t gap, const cball *a, const cball *b)
{
    mpfr_t re, im;
    mpfr_inits2(1000, re, im, (mpfr_ptr)0);
    mpfr_sub(re, a->re, b->re, MPFR_RNDA);
    mpfr_sub(im, a->im, b->im, MPFR_RNDA);
    mpfr_hypot(gap, re, im, MPFR_RNDU);
    mpfr_clears(re, im, (mpfr_ptr)0);
}

/* The ball of more bits lies in that of few; where both are as wide, they meet. */
static void compare(const cball *few, const cball *many)
{
    mpfr_t gap, fine;
    mpfr_inits2(64, gap, fine, (mpfr_ptr)0);
    distance(gap, few, many);
    mpfr_mul_2ui(fine, many->radius, 64, MPFR_RNDU);
    if (mpfr_greater_p(fine, few->radius)) { /* both from the same wide ball */
        mpfr_add(fine, few->radius, many->radius, MPFR_RNDU);
        assert_true(mpfr_lessequal_p(gap, fine));
    } else {
        mpfr_add(gap, gap, many->radius, MPFR_RNDU);
        assert_true(mpfr_lessequal_p(gap, few->radius));
    }
    mpfr_clears(gap, fine, (mpfr_ptr)0);
}

static void two_precisions(void **unused)
{
    (void)unused;
    rng r = rng_make(7);
    step s;
    step_init(&s);
    for (int i = 0; i < rounds(1500); i++) {
        cball few[PLACES], many[PLACES];
        for (size_t k = 0; k < PLACES; k++) {
            cball_init(&few[k], 64);
            cball_init(&many[k], 256);
        }
        for (int k = 0; k < CHAIN; k++) {
            random_step(&s, &r, false, false);
            step_balls(few, &s, NULL);
            step_balls(many, &s, NULL);
            size_t out = s.kind >= CAP ? s.a : s.out;
            if (!mpfr_number_p(few[out].radius)) {
                cball_set_ui(&few[out], 1);
                cball_set_ui(&many[out], 1);
            }
            compare(&few[out], &many[out]);
        }
        for (size_t k = 0; k < PLACES; k++) {
            cball_clear(&few[k]);
            cball_clear(&many[k]);
        }
    }
    step_clear(&s);
}

static bool same(const cball *a, const cball *b)
{
    return mpfr_equal_p(a->re, b->re) && mpfr_equal_p(a->im, b->im) &&
           mpfr_equal_p(a->radius, b->radius) && mpfr_equal_p(a->size, b->size);
}

/* Every operation with the output among the inputs. */
static void outputs_are_inputs(void **unused)
{
    (void)unused;
    rng r = rng_make(8);
    step s;
    step_init(&s);
    cball at[PLACES], before[PLACES];
    for (size_t k = 0; k < PLACES; k++) {
        cball_init(&at[k], 100);
        cball_init(&before[k], 100);
    }
    for (int i = 0; i < rounds(20000); i++) {
        random_step(&s, &r, true, false);
        for (size_t k = 0; k < PLACES; k++)
            cball_set(&before[k], &at[k]);
        size_t out = s.out,
               spare = (s.a + 1) % PLACES == s.b ? (s.b + 1) % PLACES : (s.a + 1) % PLACES;
        step_balls(at, &s, NULL);
        if (s.kind >= CAP)
            continue;
        s.out = spare; /* no input */
        step_balls(before, &s, NULL);
        assert_true(same(&at[out], &before[spare]));
        if (!mpfr_number_p(at[out].radius))
            cball_set_ui(&at[out], 1);
    }
    for (size_t k = 0; k < PLACES; k++) {
        cball_clear(&at[k]);
        cball_clear(&before[k]);
    }
    step_clear(&s);
}

/* (a + bi)(c + di)... in integers: exact as long as they fit. */
static void integers(void **unused)
{
    (void)unused;
    rng r = rng_make(9);
    mpz_t re, im, x, y;
    mpz_inits(re, im, x, y, NULL);
    mpfr_t u, v;
    mpfr_inits2(64, u, v, (mpfr_ptr)0);
    cball z, f;
    cball_init(&z, 300);
    cball_init(&f, 300);
    for (int i = 0; i < rounds(200); i++) {
        cball_set_ui(&z, 1);
        mpz_set_ui(re, 1);
        mpz_set_ui(im, 0);
        for (int k = 0; k < 9; k++) {
            long a = (long)rng_below(&r, 1U << 31) - (1L << 30);
            long b = (long)rng_below(&r, 1U << 31) - (1L << 30);
            mpfr_set_si(u, a, MPFR_RNDN);
            mpfr_set_si(v, b, MPFR_RNDN);
            cball_set_fr(&f, u, v);
            cball_mul(&z, &f, &z);
            mpz_mul_si(x, re, a);
            mpz_mul_si(y, im, b);
            mpz_sub(x, x, y);
            mpz_mul_si(y, re, b);
            mpz_mul_si(im, im, a);
            mpz_add(im, im, y);
            mpz_set(re, x);
        }
        assert_true(mpfr_cmp_z(z.re, re) == 0 && mpfr_cmp_z(z.im, im) == 0);
        assert_true(mpfr_zero_p(z.radius));
    }
    cball_clear(&f);
    cball_clear(&z);
    mpfr_clears(u, v, (mpfr_ptr)0);
    mpz_clears(re, im, x, y, NULL);
}

/* |midpoint - x| <= radius */
static bool holds(const cball *z, long x)
{
    cball point;
    mpfr_t gap;
    cball_init(&point, 64);
    mpfr_init2(gap, 2000);
    mpfr_set_si(point.re, x, MPFR_RNDN);
    distance(gap, z, &point);
    bool inside = mpfr_lessequal_p(gap, z->radius);
    mpfr_clear(gap);
    cball_clear(&point);
    return inside;
}

/* radius < count 8u */
static bool is_narrow(const cball *z, unsigned long count)
{
    return mpfr_cmp_ui_2exp(z->radius, 8 * count, -mpfr_get_prec(z->re)) < 0;
}

/* n-th roots of 1 and -1, multiplied, inverted and raised; the radii grow no faster than they must.
 */
static void circle(void **unused)
{
    (void)unused;
    rng r = rng_make(10);
    mpz_t times;
    mpz_init(times);
    for (int i = 0; i < rounds(60); i++) {
        cball z, f;
        mpfr_prec_t bits = 24 + (mpfr_prec_t)rng_below(&r, 200);
        cball_init(&z, bits);
        cball_init(&f, bits);
        uint64_t n = 1 + rng_below(&r, 1000), k = rng_wide(&r, 2 * n);
        cball_set_ui(&z, 1);
        for (uint64_t t = 0; t < 1000; t++) {
            uint64_t far = (UINT64_MAX >> 1) - rng_below(&r, 100);
            cball_unit(&f, t < n ? k : 0, n);
            cball_mul(&z, &z, &f);
            if (t < n)
                continue;
            uint64_t way = rng_wide(&r, 2 * far);
            cball_unit(&f, way, far);
            cball_mul(&z, &z, &f);
            cball_inv(&f, &f);
            cball_mul(&z, &z, &f);
        }
        assert_true(holds(&z, k % 2 ? -1 : 1));
        cball_set_ui(&z, 1);
        for (int t = 0; t < 1000; t++) {
            cball_unit(&f, rng_below(&r, UINT64_C(2000003)), 1000003);
            cball_mul(&z, &z, &f);
        }
        assert_true(is_narrow(&z, 1000) && mpfr_cmp_ui(z.size, 1) == 0);
        cball_unit(&f, k, n);
        cball_inv(&z, &f);
        assert_true(is_narrow(&z, 1));
        mpz_set_ui(times, (unsigned long)n);
        cball_pow(&z, &f, times);
        assert_true(holds(&z, k % 2 ? -1 : 1) && is_narrow(&z, (unsigned long)n + 1));
        mpz_set_ui(times, 0);
        cball_pow(&z, &z, times);
        assert_true(holds(&z, 1) && mpfr_zero_p(z.radius));
        cball_clear(&f);
        cball_clear(&z);
    }
    mpz_clear(times);
}

static bool is_nothing(const cball *z)
{
    return mpfr_inf_p(z->radius) && mpfr_zero_p(z->re) && mpfr_zero_p(z->im) &&
           mpfr_sgn(z->size) >= 0 && !mpfr_nan_p(z->size);
}

static void angles(void **unused)
{
    (void)unused;
    cball z;
    mpfi_t theta, x;
    mpz_t turns;
    cball_init(&z, 80);
    mpfi_init2(theta, 2000);
    mpfi_init2(x, 80);
    mpz_init(turns);
    mpz_ui_pow_ui(turns, 3, 1000);
    mpfi_const_pi(theta);
    ival_mul_z(theta, theta, turns); /* an odd number of half turns, known to 400 bits */
    cball_turn(&z, theta);
    assert_true(holds(&z, -1) && is_narrow(&z, 1));
    mpfi_set_prec(theta, 1500); /* and not at all */
    mpfi_const_pi(theta);
    ival_mul_z(theta, theta, turns);
    cball_turn(&z, theta);
    assert_true(mpfr_zero_p(z.re) && mpfr_cmp_ui(z.radius, 1) == 0);
    mpfi_set_prec(theta, 64);
    for (int i = 0; i < 3; i++) { /* whatever the angle, a number on the circle */
        mpfi_set_ui(theta, 1);
        mpfi_mul_2ui(theta, theta, 70000);
        if (i > 0)
            mpfi_interv_si(theta, 0, 100);
        if (i > 1)
            mpfr_set_inf(&theta->left, -1);
        cball_turn(&z, theta);
        assert_true(holds(&z, 1) && holds(&z, -1) && mpfr_cmp_ui(z.size, 1) == 0);
        mpfi_set_si(x, -1);
        cball_exp(&z, x, theta);
        assert_true(mpfr_number_p(z.radius) && mpfr_cmp_ui(z.size, 1) < 0);
    }
    mpfr_set_inf(&theta->right, 1);
    cball_turn(&z, theta);
    assert_true(holds(&z, 1) && holds(&z, -1) && mpfr_cmp_ui(z.size, 1) == 0);
    mpfr_set_nan(&theta->right);
    cball_turn(&z, theta);
    assert_true(is_nothing(&z) && mpfr_inf_p(z.size));
    mpz_clear(turns);
    mpfi_clear(x);
    mpfi_clear(theta);
    cball_clear(&z);
}

/* Zero and poles. */
static void poles(void **unused)
{
    (void)unused;
    cball z, w;
    mpfr_t x;
    mpfi_t i;
    cball_init(&z, 100);
    cball_init(&w, 100);
    mpfr_init2(x, 100);
    mpfi_init2(i, 100);
    cball_inv(&w, &z); /* 1 / 0 */
    assert_true(is_nothing(&w) && mpfr_inf_p(w.size));
    cball_mul(&w, &w, &z); /* nothing is known of 0 times nothing */
    assert_true(is_nothing(&w));
    cball_real(i, &w);
    assert_true(mpfr_inf_p(&i->left) && mpfr_inf_p(&i->right));
    mpfr_set_ui(x, 2, MPFR_RNDN);
    cball_cap(&w, x);
    cball_real(i, &w);
    assert_true(mpfr_cmp_si(&i->left, -2) == 0 && mpfr_cmp_ui(&i->right, 2) == 0);
    mpfi_interv_si(i, -1, 5); /* a ball about 2 with 0 in it, and one that just misses it */
    cball_set_i(&z, i);
    cball_inv(&w, &z);
    assert_true(is_nothing(&w));
    mpfi_interv_si(i, 0, 5);
    cball_set_i(&z, i);
    cball_inv(&w, &z);
    assert_true(is_nothing(&w));
    mpfr_set_ui_2exp(&i->left, 1, -20, MPFR_RNDN);
    cball_set_i(&z, i);
    cball_inv(&w, &z);
    assert_true(mpfr_number_p(w.radius) && mpfr_cmp_ui(w.size, 1U << 20) >= 0);
    mpfi_clear(i);
    mpfr_clear(x);
    cball_clear(&w);
    cball_clear(&z);
}

/* The ends of the exponents, and what is no number. */
static void ends(void **unused)
{
    (void)unused;
    cball z, w;
    mpfr_t x, zero;
    mpfi_t i;
    cball_init(&z, 100);
    cball_init(&w, 100);
    mpfr_inits2(100, x, zero, (mpfr_ptr)0);
    mpfi_init2(i, 100);
    mpfr_set_zero(zero, 1);
    mpfr_set_ui_2exp(x, 1, mpfr_get_emin() - 1, MPFR_RNDN); /* the least number there is */
    cball_set_fr(&z, x, x);
    assert_true(mpfr_zero_p(z.radius));
    cball_inv(&w, &z);
    assert_true(is_nothing(&w) || mpfr_number_p(w.re));
    cball_mul(&w, &z, &z); /* underflows */
    assert_true(mpfr_sgn(w.radius) > 0 && mpfr_cmp_ui_2exp(w.radius, 1, -1000) < 0);
    cball_set_fr(&z, x, zero); /* one product underflows, the other is 0 */
    cball_mul(&w, &z, &z);
    assert_true(mpfr_number_p(w.re) && mpfr_cmp_ui_2exp(w.re, 1, -1000) < 0 &&
                mpfr_sgn(w.radius) > 0);
    mpfr_set_inf(x, 1);
    mpfr_nextbelow(x); /* the largest */
    cball_set_fr(&z, x, zero);
    cball_mul(&w, &z, &z);
    assert_true(is_nothing(&w));
    cball_add(&w, &z, &z);
    assert_true(is_nothing(&w));
    cball_set_fr(&w, x, x); /* its modulus overflows, its radius does not */
    assert_true(mpfr_zero_p(w.radius) && mpfr_inf_p(w.size));
    mpfr_set_nan(x);
    cball_set_fr(&w, x, zero);
    assert_true(is_nothing(&w));
    mpfi_set_fr(i, x);
    cball_set_i(&w, i);
    assert_true(is_nothing(&w));
    cball_set_ui(&w, 1);
    cball_mul_i(&w, &w, i);
    assert_true(is_nothing(&w) && mpfr_inf_p(w.size));
    mpfi_clear(i);
    mpfr_clears(x, zero, (mpfr_ptr)0);
    cball_clear(&w);
    cball_clear(&z);
}

/* A bound that is known keeps its place through products; one taken afresh follows sums. */
static void sizes(void **unused)
{
    (void)unused;
    cball z, w;
    mpfr_t bound;
    mpfi_t i;
    cball_init(&z, 64);
    cball_init(&w, 64);
    mpfr_init2(bound, 64);
    mpfi_init2(i, 64);
    mpfi_interv_si(i, -1, 3);
    cball_set_i(&z, i);
    assert_true(mpfr_cmp_ui(z.size, 3) == 0);
    mpfr_set_ui(bound, 1, MPFR_RNDN);
    cball_cap(&z, bound); /* a radius of 2 about 1 becomes one of 1 about 0 */
    assert_true(mpfr_zero_p(z.re) && mpfr_cmp_ui(z.radius, 1) == 0);
    cball_mul(&w, &z, &z);
    assert_true(mpfr_cmp_ui(w.size, 1) == 0);
    mpfr_set_ui(bound, 5, MPFR_RNDN);
    cball_cap(&w, bound); /* says nothing new */
    assert_true(mpfr_cmp_ui(w.size, 1) == 0);
    for (int side = -1; side <= 1; side += 2) { /* a radius of 1 about +-2, cut at 2 */
        mpfi_interv_si(i, 2 * side - 1, 2 * side + 1);
        cball_set_i(&z, i);
        mpfr_set_ui(bound, 2, MPFR_RNDN);
        cball_cap(&z, bound);
        mpfi_set_ui(i, 50);
        cball_real(i, &z);
        assert_true(mpfr_cmp_si(&i->left, side < 0 ? -2 : 1) == 0);
        assert_true(mpfr_cmp_si(&i->right, side < 0 ? -1 : 2) == 0);
    }
    mpfr_set_d(bound, 1 + 0x1p-40, MPFR_RNDN);
    cball_set_ui(&z, 7);
    cball_cap(&z, bound); /* rounded up */
    assert_true(mpfr_greaterequal_p(z.size, bound) && mpfr_cmp_d(z.size, 1 + 0x1p-30) < 0);
    cball_set_ui(&z, 7);
    cball_set_ui(&w, 6);
    cball_sub(&w, &z, &w);
    assert_true(mpfr_cmp_ui(w.size, 13) == 0);
    cball_measure(&w);
    assert_true(mpfr_cmp_ui(w.size, 1) == 0);
    cball_one_minus(&w, &w);
    assert_true(mpfr_zero_p(w.size) && mpfr_zero_p(w.radius));
    mpfi_clear(i);
    mpfr_clear(bound);
    cball_clear(&w);
    cball_clear(&z);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_precisions), cmocka_unit_test(outputs_are_inputs),
        cmocka_unit_test(integers),       cmocka_unit_test(circle),
        cmocka_unit_test(angles),         cmocka_unit_test(poles),
        cmocka_unit_test(ends),           cmocka_unit_test(sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
