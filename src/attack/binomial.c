/* SPDX-License-Identifier: MIT */
/* Binomial tails: the shorter one by a continued fraction of positive terms, or by series. */
#include "attack/binomial.h"

#include <limits.h>
#include <stdint.h>

#include "attack/binomial_near.h"
#include "num/ival.h"

void share_init(share *s, mpfr_prec_t bits)
{
    mpfi_init2(s->yes, bits);
    mpfi_init2(s->no, bits);
}

void share_clear(share *s)
{
    mpfi_clear(s->yes);
    mpfi_clear(s->no);
}

void share_set_q(share *s, const mpq_t p)
{
    mpq_t rest;
    mpq_init(rest);
    mpq_set_ui(rest, 1, 1);
    mpq_sub(rest, rest, p);
    mpfi_set_q(s->yes, p);
    mpfi_set_q(s->no, rest);
    mpq_clear(rest);
}

void share_swap(share *s)
{
    mpfi_swap(s->yes, s->no);
}

/* 1/(1 + e^x) and 1/(1 + e^-x): nothing cancels. */
void share_logistic(share *s, const mpfi_t x)
{
    mpfi_exp(s->no, x);
    mpfi_neg(s->yes, x);
    mpfi_exp(s->yes, s->yes);
    mpfi_add_ui(s->no, s->no, 1);
    mpfi_add_ui(s->yes, s->yes, 1);
    mpfi_ui_div(s->no, 1, s->no);
    mpfi_ui_div(s->yes, 1, s->yes);
}

void share_logit(mpfi_t out, const share *s)
{
    mpfi_t x;
    mpfi_init2(x, mpfi_get_prec(out));
    mpfi_sub(x, s->yes, s->no); /* near 1/2 the quotient less 1 keeps its digits */
    mpfi_div(x, x, s->no);
    if (mpfr_cmp_d(&x->left, -0.5) > 0 && mpfr_cmp_ui(&x->right, 1) < 0) {
        mpfi_log1p(out, x);
    } else {
        mpfi_div(x, s->yes, s->no);
        mpfi_log(out, x);
    }
    mpfi_clear(x);
}

static mpfr_prec_t bit_length(unsigned long n)
{
    mpfr_prec_t bits = 0;
    for (; n > 0; n >>= 1)
        bits++;
    return bits;
}

mpfr_prec_t binomial_bits(mpfr_prec_t bits, unsigned long n)
{
    return bits + 2 * bit_length(n) + 16;
}

/* x = x^k of an interval of [0, 1]: a power grows with its base. */
static void power(mpfi_t x, unsigned long k)
{
    mpfr_pow_ui(&x->left, &x->left, k, MPFR_RNDD);
    mpfr_pow_ui(&x->right, &x->right, k, MPFR_RNDU);
}

#define EXACT_CHOICES 512UL

/* out = ln Gamma(k + 1), correctly rounded down, and the next number */
static void log_factorial(mpfi_t out, unsigned long k)
{
    mpfr_set_ui(&out->left, k, MPFR_RNDN);
    mpfr_add_ui(&out->left, &out->left, 1, MPFR_RNDN);
    int off = mpfr_lngamma(&out->left, &out->left, MPFR_RNDD);
    mpfr_set(&out->right, &out->left, MPFR_RNDN);
    if (off != 0)
        mpfr_nextabove(&out->right);
}

/* out = binomial coefficient */
static void choices(mpfi_t out, unsigned long k, unsigned long n)
{
    unsigned long few = k < n - k ? k : n - k;
    if (few <= EXACT_CHOICES) {
        mpz_t z;
        mpz_init(z);
        mpz_bin_uiui(z, n, few);
        mpfi_set_z(out, z);
        mpz_clear(z);
        return;
    }
    mpfi_t x;
    mpfi_init2(x, mpfi_get_prec(out) + 2 * bit_length(n)); /* of ln n! < n ln n */
    log_factorial(x, n);
    mpfi_t y;
    mpfi_init2(y, mpfi_get_prec(x));
    log_factorial(y, k);
    mpfi_sub(x, x, y);
    log_factorial(y, n - k);
    mpfi_sub(x, x, y);
    mpfi_exp(out, x);
    mpfi_clear(y);
    mpfi_clear(x);
}

/* The same where p^k (1-p)^(n-k) is below all numbers of MPFR, and the mass may not be: the product
 * of two halves. Choices are at most 2^n, which is not above all of them up to n = 2^30. */
static void mass_by_halves(mpfi_t out, unsigned long k, unsigned long n, const share *p,
                           mpfr_prec_t bits)
{
    mpfi_t root, x, y;
    mpfi_init2(root, bits);
    mpfi_init2(x, bits);
    mpfi_init2(y, bits);
    choices(root, k, n);
    mpfi_sqrt(root, root);
    mpfi_set_ui(out, 1);
    for (int i = 0; i < 2; i++) {
        mpfi_set(x, p->yes);
        mpfi_set(y, p->no);
        power(x, i == 0 ? k / 2 : k - k / 2);
        power(y, i == 0 ? (n - k) / 2 : n - k - (n - k) / 2);
        mpfi_mul(x, x, y);
        mpfi_mul(x, x, root);
        mpfi_mul(out, out, x);
    }
    mpfi_clear(y);
    mpfi_clear(x);
    mpfi_clear(root);
}

void binomial_mass(mpfi_t out, unsigned long k, unsigned long n, const share *p)
{
    mpfr_prec_t bits = binomial_bits(mpfi_get_prec(out), n);
    mpfi_t x, y;
    mpfi_init2(x, bits);
    mpfi_init2(y, bits);
    mpfi_set(x, p->yes);
    mpfi_set(y, p->no);
    power(x, k);
    power(y, n - k);
    mpfi_mul(x, x, y);
    if (mpfr_zero_p(&x->left)) {
        mass_by_halves(out, k, n, p, bits);
    } else {
        choices(y, k, n);
        mpfi_mul(out, x, y);
    }
    ival_clamp_ui(out, 0, 1);
    mpfi_clear(y);
    mpfi_clear(x);
}

/* The continued fraction 1/F of a tail: its last two convergents, and what a step needs. */
typedef struct fraction {
    mpfi_t x, num[2], den[2], a, b, t, odd;
    unsigned long k, rest; /* the tail from k on, of k + rest - 1 trials */
} fraction;

static void fraction_init(fraction *f, const mpfi_t x, unsigned long k, unsigned long n,
                          mpfr_prec_t bits)
{
    f->k = k;
    f->rest = n - k + 1;
    mpfi_ptr all[] = {f->x, f->num[0], f->num[1], f->den[0], f->den[1], f->a, f->b, f->t, f->odd};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        mpfi_init2(all[i], bits);
    mpfi_set(f->x, x);
}

static void fraction_clear(fraction *f)
{
    mpfi_ptr all[] = {f->x, f->num[0], f->num[1], f->den[0], f->den[1], f->a, f->b, f->t, f->odd};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        mpfi_clear(all[i]);
}

/* t = x ab/(c(c+1)), at once where the products are numbers */
static void quotient(mpfi_t t, const mpfi_t x, unsigned long a, unsigned long b, unsigned long c)
{
    if (a <= UINT32_MAX && b <= UINT32_MAX && c < UINT32_MAX && ULONG_MAX > UINT32_MAX) {
        mpfi_mul_ui(t, x, a * b);
        mpfi_div_ui(t, t, c * (c + 1));
        return;
    }
    mpfi_mul_ui(t, x, a);
    mpfi_mul_ui(t, t, b);
    mpfi_div_ui(t, t, c);
    mpfi_div_ui(t, t, c + 1);
}

/* b = 1 + even(m) - odd(m), a = even(m) odd(m-1), even(m) = m(r-m)x/((k+2m-1)(k+2m)), odd(m) =
 * (k+m)(k+r+m)x/((k+2m)(k+2m+1)), r = rest */
static void denominator(fraction *f, unsigned long m)
{
    if (m > 0) {
        quotient(f->t, f->x, m, f->rest - m, f->k + 2 * m - 1);
        mpfi_mul(f->a, f->t, f->odd);
    }
    quotient(f->odd, f->x, f->k + m, f->k + f->rest + m, f->k + 2 * m);
    mpfi_ui_sub(f->b, 1, f->odd);
    if (m > 0)
        mpfi_add(f->b, f->b, f->t);
}

/* y[1], y[0] = b y[1] + a y[0], y[1] */
static void advance(mpfi_t y[2], fraction *f)
{
    mpfi_mul(f->t, f->a, y[0]);
    mpfi_set(y[0], y[1]);
    mpfi_mul(y[1], y[1], f->b);
    mpfi_add(y[1], y[1], f->t);
}

/* Do the two convergents agree to that many bits, or as far as their own widths let them? Then out
 * is 1/F between them. */
static bool settle(mpfi_t out, fraction *f, mpfr_prec_t bits, bool last)
{
    mpfi_t one;
    mpfi_init2(one, mpfi_get_prec(f->x));
    mpfi_div(f->t, f->den[1], f->num[1]);
    mpfi_set(one, f->t);
    bool done = last;
    if (!last) {
        mpfi_div(one, f->den[0], f->num[0]);
        mpfr_t wide, own;
        mpfr_init2(wide, 32);
        mpfr_init2(own, 32);
        mpfi_union(one, one, f->t);
        mpfr_sub(wide, &one->right, &one->left, MPFR_RNDU);
        mpfr_sub(own, &f->t->right, &f->t->left, MPFR_RNDD);
        mpfr_mul_2ui(own, own, 1, MPFR_RNDD);
        done = mpfr_zero_p(wide) || mpfr_get_exp(wide) < mpfr_get_exp(&one->right) - bits ||
               mpfr_greater_p(own, wide);
        mpfr_clear(own);
        mpfr_clear(wide);
    }
    mpfi_set(out, one);
    mpfi_clear(one);
    return done;
}

#define MOST_STEPS 200000UL

/* out = Pr[Bin >= k] / (Pr[Bin = k] (1 - x)) for x <= k/(n+1): DLMF 8.17.22, its even part. There
 * every a and b is positive (the tail's mean lies below k), so the convergents A/B of
 * b_0 + a_1/(b_1 + ...) come from below and above in turn, and end with a_rest = 0. Sums of
 * positive terms: a step adds a few units to the relative width; the cancellation in b, at most
 * that of 1 to k + 1, is why the bits are more by log2 n. Should a b not be proved positive, all
 * that is known is that the tail is at most 1. */
static bool short_tail(mpfi_t out, const mpfi_t x, unsigned long k, unsigned long n,
                       mpfr_prec_t bits)
{
    fraction f;
    fraction_init(&f, x, k, n, bits + bit_length(n) + 32);
    mpfi_set_ui(f.num[0], 1);
    mpfi_set_ui(f.den[0], 0);
    mpfi_set_ui(f.den[1], 1);
    denominator(&f, 0);
    mpfi_set(f.num[1], f.b);
    bool positive = mpfr_sgn(&f.b->left) > 0, done = false;
    unsigned long next = 8;
    for (unsigned long m = 1; positive && !done; m++) {
        if (m == f.rest) {
            done = settle(out, &f, bits, true);
            break;
        }
        denominator(&f, m);
        positive = mpfr_sgn(&f.b->left) > 0;
        advance(f.num, &f);
        advance(f.den, &f);
        if (m < next)
            continue;
        done = settle(out, &f, bits, false) || m >= MOST_STEPS; /* then wide, and still sound */
        next += 8 + next / 8;
    }
    fraction_clear(&f);
    return positive;
}

/* tail.yes where the mean lies below k, by the fraction; mass is that of k. */
static void upper_tail(share *tail, const mpfi_t mass, unsigned long k, unsigned long n,
                       const share *p)
{
    mpfi_t x;
    mpfi_init2(x, mpfi_get_prec(mass));
    mpfr_prec_t bits = mpfi_get_prec(tail->yes);
    bool near = binomial_is_near(k, n, p, bits);
    if (near ? binomial_near(x, k, n, p, bits) : short_tail(x, p->yes, k, n, bits)) {
        mpfi_mul(x, x, p->no);
        mpfi_mul(tail->yes, x, mass);
    } else {
        mpfi_interv_ui(tail->yes, 0, 1);
    }
    ival_clamp_ui(tail->yes, 0, 1);
    mpfi_ui_sub(tail->no, 1, tail->yes);
    mpfi_clear(x);
}

/* Is k at or above (n+1) p, about? */
static bool is_above(unsigned long k, unsigned long n, const share *p)
{
    mpfi_t mean;
    mpfi_init2(mean, 64);
    mpfi_set_ui(mean, n);
    mpfi_add_ui(mean, mean, 1);
    mpfi_mul(mean, mean, p->yes);
    bool above = mpfr_cmp_ui(&mean->right, k) <= 0;
    mpfi_clear(mean);
    return above;
}

void binomial_tail(share *tail, mpfi_ptr mass, unsigned long k, unsigned long n, const share *p)
{
    mpfi_t own;
    mpfi_init2(own, mpfi_get_prec(tail->yes) + 8);
    if (k == 0 || k > n) { /* certain, or impossible */
        mpfi_set_ui(tail->yes, k == 0);
        mpfi_set_ui(tail->no, k != 0);
        if (k == 0)
            binomial_mass(own, 0, n, p);
        else
            mpfi_set_ui(own, 0);
    } else if (is_above(k, n, p)) {
        binomial_mass(own, k, n, p);
        upper_tail(tail, own, k, n, p);
    } else { /* from the other side: at least n - k + 1 failures */
        share other = {{*p->no}, {*p->yes}};
        binomial_mass(own, n - k + 1, n, &other);
        upper_tail(tail, own, n - k + 1, n, &other);
        share_swap(tail);
        /* mass of k from that of k - 1 */
        mpfi_mul(own, own, p->yes);
        mpfi_div(own, own, p->no);
        mpfi_mul_ui(own, own, n - k + 1);
        mpfi_div_ui(own, own, k);
    }
    if (mass != NULL)
        mpfi_set(mass, own);
    mpfi_clear(own);
}
