/* SPDX-License-Identifier: MIT */
/* Sums of powers of a long list, and what they say of its moments. */
#include "loss/response_series.h"

#include "loss/response_nodes.h"
#include "num/ival.h"
#include "num/memory.h"
#include "num/wide.h"

#define LEAST_LOSSES 256U
#define LIMBS (192 / GMP_NUMB_BITS)
#define POWER_BITS 192
#define BITS 224      /* of the terms */
#define MOST_USES 30  /* bits */
#define MOST_BITS 128 /* that are asked */
#define SUM_ERROR_BITS 150
#define MOST_SIZE 0.9 /* of |w^2| */
/* At z = 1/2 what is left out is below uses 2^-100, or E is above what is worth it. */
#define LEAST_REST_BITS 75
#define FEW_TERMS 32U
#define FEW_LARGEST 0.5

/* ---- sums of powers -------------------------------------------------------------------------- */
/* sum[j] += times y^j in units of 2^-192, y = (eps/E)^2 <= 1: eps, 1/E, their product and its
 * square are rounded to 208 bits, and y is cut off, 1 to 2^-192 less: within 2^-191. Each product
 * is cut off, too, so y^j is within j 2^-190, and S_j of fewer than 2^30 uses within 2^-153. */
typedef struct power_sums {
    mp_limb_t sum[SERIES_TERMS + 1][LIMBS + 1];
    mpfr_t x, over; /* 1/E */
    mpz_t y;
} power_sums;

static void add_powers(power_sums *p, const composed_loss *use, size_t terms)
{
    mp_limb_t y[LIMBS] = {0}, power[LIMBS], wide[2 * LIMBS];
    waves_epsilon(p->x, &use->epsilon);
    mpfr_mul(p->x, p->x, p->over, MPFR_RNDN);
    mpfr_sqr(p->x, p->x, MPFR_RNDN);
    mpfr_mul_2ui(p->x, p->x, POWER_BITS, MPFR_RNDN);
    mpfr_get_z(p->y, p->x, MPFR_RNDD);
    size_t count = mpz_size(p->y);
    for (size_t i = 0; i < LIMBS; i++)
        y[i] = count > LIMBS ? GMP_NUMB_MAX : mpz_getlimbn(p->y, (mp_size_t)i);
    mpn_copyi(power, y, LIMBS);
    mp_limb_t times = (mp_limb_t)mpz_get_ui(use->times);
    for (size_t j = 1; j <= terms; j++) {
        p->sum[j][LIMBS] += mpn_addmul_1(p->sum[j], power, LIMBS, times);
        mpn_mul_n(wide, power, y, LIMBS);
        mpn_copyi(power, wide + LIMBS, LIMBS);
    }
}

/* S_j of what was added up */
static void set_sum(mpfi_t out, const mp_limb_t *sum)
{
    mpz_t whole;
    mpz_init(whole);
    mpz_import(whole, LIMBS + 1, -1, sizeof *sum, 0, 0, sum);
    mpfi_set_z(out, whole);
    mpfi_div_2ui(out, out, POWER_BITS);
    mpfr_t away;
    mpfr_init2(away, 8);
    mpfr_set_ui_2exp(away, 1, -SUM_ERROR_BITS, MPFR_RNDU);
    mpfr_sub(&out->left, &out->left, away, MPFR_RNDD);
    mpfr_add(&out->right, &out->right, away, MPFR_RNDU);
    mpfr_clear(away);
    mpz_clear(whole);
}

/* ln cosh x = sum_j l_j x^(2j): its derivative tanh x = sum_j 2 j l_j x^(2j-1) = sum_j a_j
 * x^(2j-1) has a_1 = 1 and (2j+1) a_(j+1) = -sum_i a_i a_(j+1-i), from tanh' = 1 - tanh^2; the
 * products of one sum have one sign. */
static void mul_coefficients(response_series *s)
{
    mpfi_t a[SERIES_TERMS + 1], part;
    mpfi_init2(part, BITS);
    for (size_t j = 1; j <= s->terms; j++)
        mpfi_init2(a[j], BITS);
    mpfi_set_ui(a[1], 1);
    for (size_t j = 1; j < s->terms; j++) {
        mpfi_set_ui(a[j + 1], 0);
        for (size_t i = 1; i <= j; i++) {
            mpfi_mul(part, a[i], a[j + 1 - i]);
            mpfi_sub(a[j + 1], a[j + 1], part);
        }
        mpfi_div_ui(a[j + 1], a[j + 1], 2 * j + 1);
    }
    for (size_t j = 1; j <= s->terms; j++) {
        mpfi_mul(s->term[j], s->term[j], a[j]);
        mpfi_div_ui(s->term[j], s->term[j], 2 * j);
        mpfi_clear(a[j]);
    }
    mpfi_clear(part);
}

static bool suits(const response *r)
{
    return r->losses >= LEAST_LOSSES && mpz_sizeinbase(r->uses, 2) <= MOST_USES;
}

static bool add_all(response_series *s, const response *r)
{
    power_sums *p = memory_zero(1, sizeof *p);
    if (p == NULL)
        return false;
    mpfr_init2(p->x, POWER_BITS + 16);
    mpfr_init2(p->over, POWER_BITS + 16);
    mpz_init(p->y);
    mpfr_ui_div(p->over, 1, s->largest, MPFR_RNDN);
    for (size_t i = 0; i < r->losses; i++)
        add_powers(p, &r->loss[i], s->terms);
    for (size_t j = 1; j <= s->terms; j++)
        set_sum(s->term[j], p->sum[j]);
    mul_coefficients(s);
    mpz_clear(p->y);
    mpfr_clear(p->x);
    mpfr_clear(p->over);
    memory_free(p);
    return true;
}

dp_status response_series_make(response *r)
{
    response_series_free(r->series);
    r->series = NULL;
    if (!suits(r))
        return DP_OK;
    response_series *s = memory_new(1, sizeof *s);
    if (s == NULL)
        return DP_MEMORY;
    mpfr_init2(s->largest, 53);
    mpfr_init2(s->uses, 53);
    mpfr_set_z(s->uses, r->uses, MPFR_RNDU);
    mpfr_set_zero(s->largest, 1);
    for (size_t j = 0; j <= SERIES_TERMS; j++) {
        mpfi_init2(s->term[j], BITS);
        mpfi_set_ui(s->term[j], 0);
    }
    mpfi_t x;
    mpfi_init2(x, 64);
    for (size_t i = 0; i < r->losses; i++) { /* rationals ascend, and logarithms */
        bool last =
            i + 1 == r->losses || r->loss[i].epsilon.is_log != r->loss[i + 1].epsilon.is_log;
        if (!last)
            continue;
        ival_set_number(x, &r->loss[i].epsilon);
        mpfr_max(s->largest, s->largest, &x->right, MPFR_RNDU);
    }
    mpfi_clear(x);
    s->terms = mpfr_cmp_d(s->largest, FEW_LARGEST) <= 0 ? FEW_TERMS : SERIES_TERMS;
    if (!add_all(s, r)) {
        response_series_free(s);
        return DP_MEMORY;
    }
    r->series = s;
    return DP_OK;
}

void response_series_free(response_series *s)
{
    if (s == NULL)
        return;
    for (size_t j = 0; j <= SERIES_TERMS; j++)
        mpfi_clear(s->term[j]);
    mpfr_clear(s->largest);
    mpfr_clear(s->uses);
    memory_free(s);
}

/* ---- what they say --------------------------------------------------------------------------- */
/* What P(v) lacks for |v| <= size after n terms, n >= 32: uses 1.24/(n+1) q^(n+1) / (1 - q), q =
 * 4/pi^2 size < 0.406 size <= 0.3654, which is below uses q^(n+1) / 16. False where size is too
 * large, or that is no small number. */
static bool set_rest(mpfr_t rest, const response_series *s, mpfr_srcptr size)
{
    if (!mpfr_number_p(size) || mpfr_cmp_d(size, MOST_SIZE) > 0)
        return false;
    mpfr_mul_d(rest, size, 0.406, MPFR_RNDU);
    mpfr_pow_ui(rest, rest, s->terms + 1, MPFR_RNDU);
    mpfr_mul(rest, rest, s->uses, MPFR_RNDU);
    mpfr_div_2ui(rest, rest, 4, MPFR_RNDU);
    return mpfr_cmp_ui_2exp(rest, 1, -LEAST_REST_BITS) <= 0;
}

/* out = P(v) of a real v */
static bool real_sum(mpfi_t out, const response_series *s, const mpfi_t v)
{
    MPFR_DECL_INIT(rest, 64);
    MPFR_DECL_INIT(size, 64);
    mpfi_mag(size, v);
    if (!set_rest(rest, s, size))
        return false;
    mpfi_set_ui(out, 0);
    for (size_t j = s->terms; j > 0; j--) {
        mpfi_add(out, out, s->term[j]);
        mpfi_mul(out, out, v);
    }
    mpfr_sub(&out->left, &out->left, rest, MPFR_RNDD);
    mpfr_add(&out->right, &out->right, rest, MPFR_RNDU);
    return true;
}

bool response_series_moment(mpfi_t k, const response_series *s, const mpfi_t z)
{
    if (mpfi_get_prec(k) > MOST_BITS)
        return false;
    mpfi_t v, half, sum;
    mpfi_ptr all[] = {v, half, sum};
    for (size_t i = 0; i < 3; i++)
        mpfi_init2(all[i], BITS);
    mpfi_set_ui(half, 1);
    mpfi_div_2ui(half, half, 1);
    mpfi_add(v, z, half);
    mpfi_mul_fr(v, v, s->largest);
    mpfi_sqr(v, v);
    mpfi_mul_fr(half, half, s->largest);
    mpfi_sqr(half, half);
    bool ok = real_sum(sum, s, v) && real_sum(v, s, half);
    if (ok)
        mpfi_sub(k, sum, v);
    for (size_t i = 0; i < 3; i++)
        mpfi_clear(all[i]);
    return ok;
}

/* out = the imaginary part of z, z lost */
static void imaginary(mpfi_t out, cball *z)
{
    mpfr_swap(z->re, z->im);
    cball_real(out, z);
}

/* out = P(w^2), both balls */
static void ball_sum(cball *out, const response_series *s, const cball *v, mpfr_srcptr rest)
{
    cball term;
    cball_init(&term, BITS);
    cball_set_ui(out, 0);
    for (size_t j = s->terms; j > 0; j--) {
        cball_set_i(&term, s->term[j]);
        cball_add(out, out, &term);
        cball_mul(out, out, v);
    }
    mpfr_add(out->radius, out->radius, rest, MPFR_RNDU);
    mpfr_add(out->size, out->size, rest, MPFR_RNDU);
    cball_clear(&term);
}

bool response_series_multiply(cball *phi, const response_series *s, const line *at, uint64_t n)
{
    if (at->step != NULL || at->work > MOST_BITS)
        return false;
    MPFR_DECL_INIT(rest, 64);
    MPFR_DECL_INIT(size, 64);
    mpfr_t x, y;
    cball w, sum, other;
    mpfi_t log, angle;
    cball *ball[] = {&w, &sum, &other};
    mpfr_init2(x, BITS);
    mpfr_init2(y, BITS);
    for (size_t i = 0; i < 3; i++)
        cball_init(ball[i], BITS);
    mpfi_init2(log, BITS);
    mpfi_init2(angle, BITS);
    mpfr_set_d(x, at->c, MPFR_RNDN);
    bool ok = mpfr_add_d(x, x, 0.5, MPFR_RNDN) == 0; /* as a rule all of this is exact */
    ok = mpfr_mul(x, x, s->largest, MPFR_RNDN) == 0 && ok;
    ok = wide_mul_fr(y, at->spacing, n, MPFR_RNDN) == 0 && ok;
    ok = mpfr_mul(y, y, s->largest, MPFR_RNDN) == 0 && ok;
    mpfr_sqr(size, x, MPFR_RNDU);
    mpfr_fma(size, y, y, size, MPFR_RNDU); /* |w|^2, which is |w^2| */
    ok = ok && set_rest(rest, s, size);
    if (ok) {
        cball_set_fr(&w, x, y);
        cball_mul(&w, &w, &w);
        ball_sum(&sum, s, &w, rest);
        mpfr_set_zero(y, 1);
        cball_set_fr(&w, x, y);
        cball_mul(&w, &w, &w);
        ball_sum(&other, s, &w, rest);
        cball_sub(&sum, &sum, &other);
        cball_real(log, &sum);
        imaginary(angle, &sum);
        cball_exp(&other, log, angle);
        mpfr_set_ui(size, 1, MPFR_RNDU);
        cball_cap(&other, size);
        cball_mul(phi, phi, &other);
    }
    mpfi_clear(angle);
    mpfi_clear(log);
    for (size_t i = 0; i < 3; i++)
        cball_clear(ball[i]);
    mpfr_clear(y);
    mpfr_clear(x);
    return ok;
}
