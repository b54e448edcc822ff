/* SPDX-License-Identifier: MIT */
/* The limits of Clopper and Pearson: from a guess by Newton's method with intervals, which proves
 * that the limit is where it says. */
#include "attack/binomial.h"

#include <math.h>

#include "attack/binomial_guess.h"
#include "num/ival.h"

/* ln of the middle, as a double */
static double log_guess(const mpfi_t a)
{
    mpfr_t x;
    mpfr_init2(x, 64);
    mpfi_mid(x, a);
    mpfr_log(x, x, MPFR_RNDN);
    double d = mpfr_get_d(x, MPFR_RNDN);
    mpfr_clear(x);
    return d;
}

/* image = m - (T(m) - a)/T'(range), m the middle of the range of x = logit(p), and T' = k q Pr[k].
 * T grows: where the image lies inside the range, T reaches a in it, and nowhere else. */
static void newton(mpfi_t image, const mpfi_t range, unsigned long k, unsigned long n,
                   const share *a)
{
    mpfr_prec_t bits = mpfi_get_prec(image);
    mpfi_t m, slope;
    share p, tail;
    mpfi_init2(m, bits);
    mpfi_init2(slope, bits);
    share_init(&p, binomial_bits(bits, n));
    share_init(&tail, bits);
    mpfi_mid(&m->left, range);
    mpfr_set(&m->right, &m->left, MPFR_RNDN);
    share_logistic(&p, range);
    binomial_mass(slope, k, n, &p);
    mpfi_mul(slope, slope, p.no);
    mpfi_mul_ui(slope, slope, k);
    share_logistic(&p, m);
    binomial_tail(&tail, NULL, k, n, &p);
    /* the difference of what is below 1/2 */
    if (mpfr_cmp_ui_2exp(&a->yes->left, 1, -1) > 0)
        mpfi_sub(image, a->no, tail.no);
    else
        mpfi_sub(image, tail.yes, a->yes);
    mpfi_div(image, image, slope);
    mpfi_sub(image, m, image);
    share_clear(&tail);
    share_clear(&p);
    mpfi_clear(slope);
    mpfi_clear(m);
}

/* about -log2 of the width */
static mpfr_prec_t accuracy(const mpfi_t x)
{
    mpfr_t wide;
    mpfr_init2(wide, 32);
    mpfr_sub(wide, &x->right, &x->left, MPFR_RNDU);
    mpfr_prec_t bits = mpfr_regular_p(wide) ? -mpfr_get_exp(wide) : mpfi_get_prec(x);
    mpfr_clear(wide);
    return bits;
}

static void widen(mpfi_t x, double by)
{
    mpfr_sub_d(&x->left, &x->left, by, MPFR_RNDD);
    mpfr_add_d(&x->right, &x->right, by, MPFR_RNDU);
}

#define FIRST_BITS 96
#define MOST_WIDE 1e3

/* x = a range of the logit that holds the limit, from the guess; all numbers if none is proved. */
static void start(mpfi_t x, unsigned long k, unsigned long n, const share *a, mpfr_prec_t bits)
{
    double p = (double)k / (double)n;
    double spread = 1 / sqrt((double)n * p * (1 - p) + 1);
    mpfi_t image;
    mpfi_init2(image, bits);
    mpfi_set_d(x, guess_low((double)k, (double)n, log_guess(a->yes)));
    for (double by = 0x1p-30 * spread; by < MOST_WIDE; by *= 64) {
        widen(x, by);
        newton(image, x, k, n, a);
        if (mpfi_is_strictly_inside(image, x)) {
            mpfi_set(x, image);
            mpfi_clear(image);
            return;
        }
    }
    mpfr_set_inf(&x->left, -1);
    mpfr_set_inf(&x->right, 1);
    mpfi_clear(image);
}

/* k = n: a^(1/n); k = 1: 1 - (1-a)^(1/n). `less` is the share whose root is the probability. */
static void root(mpfi_t power, mpfi_t rest, const mpfi_t less, unsigned long n)
{
    mpfi_log(power, less);
    mpfi_div_ui(power, power, n);
    mpfi_expm1(rest, power);
    mpfi_neg(rest, rest);
    mpfi_exp(power, power);
}

void binomial_low(share *p, unsigned long k, unsigned long n, const share *a)
{
    if (k == 0) {
        mpfi_set_ui(p->yes, 0);
        mpfi_set_ui(p->no, 1);
        return;
    }
    if (k == n) {
        root(p->yes, p->no, a->yes, n);
        return;
    }
    if (k == 1) {
        root(p->no, p->yes, a->no, n);
        return;
    }
    mpfr_prec_t enough = mpfi_get_prec(p->yes) + 8, full = enough + 16, bits = FIRST_BITS;
    mpfi_t x, image;
    mpfi_init2(x, full);
    mpfi_init2(image, full);
    start(x, k, n, a, bits < full ? bits : full);
    for (bool better = mpfi_bounded_p(x) != 0; better && accuracy(x) < enough;) {
        mpfr_prec_t had = accuracy(x);
        bits = 2 * had + 64 > FIRST_BITS ? 2 * had + 64 : FIRST_BITS;
        mpfi_set_prec(image, bits < full ? bits : full);
        newton(image, x, k, n, a);
        mpfi_intersect(x, x, image);
        better = accuracy(x) > had + 2;
    }
    share_logistic(p, x);
    mpfi_clear(image);
    mpfi_clear(x);
}

/* ---- ties ---- */

#define SHORT_BITS 48
#define EXACT_WORK 100000UL /* bits of the denominator */

/* q = the simplest number of the interval, 0 < left < right, by continued fractions. */
static void simplest(mpq_t q, const mpfi_t x)
{
    mpq_t low, high, whole;
    mpz_t a, p[2], d[2];
    mpq_inits(low, high, whole, NULL);
    mpz_inits(a, p[0], p[1], d[0], d[1], NULL);
    mpfr_get_q(low, &x->left);
    mpfr_get_q(high, &x->right);
    mpz_set_ui(p[1], 1);
    mpz_set_ui(d[0], 1);
    for (bool more = true; more && mpz_sizeinbase(d[1], 2) <= SHORT_BITS;) {
        mpz_cdiv_q(a, mpq_numref(low), mpq_denref(low));
        mpq_set_z(whole, a);
        more = mpq_cmp(whole, high) > 0;
        if (more)
            mpz_sub_ui(a, a, 1);
        mpz_addmul(p[0], a, p[1]);
        mpz_addmul(d[0], a, d[1]);
        mpz_swap(p[0], p[1]);
        mpz_swap(d[0], d[1]);
        if (!more)
            break;
        mpq_set_z(whole, a);
        mpq_sub(low, low, whole);
        mpq_sub(high, high, whole);
        mpq_inv(low, low);
        mpq_inv(high, high);
        mpq_swap(low, high);
    }
    mpz_set(mpq_numref(q), p[1]);
    mpz_set(mpq_denref(q), d[1]);
    mpq_canonicalize(q);
    mpz_clears(a, p[0], p[1], d[0], d[1], NULL);
    mpq_clears(low, high, whole, NULL);
}

bool binomial_low_q(mpq_t p, unsigned long k, unsigned long n, const mpq_t a)
{
    if (k == 0) {
        mpq_set_ui(p, 0, 1);
        return true;
    }
    if (n == 1) {
        mpq_set(p, a);
        return true;
    }
    if (2 * n > EXACT_WORK) /* a denominator has two bits at least: no tail is asked exactly */
        return false;
    share level, at;
    mpq_t tail;
    share_init(&level, 192);
    share_init(&at, 128);
    mpq_init(tail);
    share_set_q(&level, a);
    binomial_low(&at, k, n, &level);
    bool exact = mpfi_is_strictly_pos(at.yes) > 0;
    if (exact) {
        simplest(p, at.yes);
        exact = mpz_sizeinbase(mpq_denref(p), 2) <= SHORT_BITS && binomial_tail_q(tail, k, n, p) &&
                mpq_equal(tail, a) != 0;
    }
    mpq_clear(tail);
    share_clear(&at);
    share_clear(&level);
    return exact;
}

/* sum of C(n,j) s^j f^(n-j) over j >= k, by Horner, over (s+f)^n */
bool binomial_tail_q(mpq_t out, unsigned long k, unsigned long n, const mpq_t p)
{
    if (mpz_sizeinbase(mpq_denref(p), 2) * (size_t)n > EXACT_WORK)
        return false;
    mpz_t fail, sum, term;
    mpz_inits(fail, sum, term, NULL);
    mpz_sub(fail, mpq_denref(p), mpq_numref(p));
    /* term = C(n,j) s^j from j = n down; the sum is multiplied by f on the way */
    mpz_set_ui(sum, 0);
    for (unsigned long j = k; j <= n; j++) {
        mpz_bin_uiui(term, n, j);
        mpz_t power;
        mpz_init(power);
        mpz_pow_ui(power, mpq_numref(p), j);
        mpz_mul(term, term, power);
        mpz_pow_ui(power, fail, n - j);
        mpz_addmul(sum, term, power);
        mpz_clear(power);
    }
    mpz_set(mpq_numref(out), sum);
    mpz_pow_ui(mpq_denref(out), mpq_denref(p), n);
    mpq_canonicalize(out);
    mpz_clears(fail, sum, term, NULL);
    return true;
}
