/* SPDX-License-Identifier: MIT */
/* Interval functions that MPFI lacks. */
#include "num/ival.h"

#include "num/number.h"
#include "num/word.h"

/* Is x some units wide at most? The width, rounded up. */
static bool is_point(mpfr_t width, const mpfi_t x)
{
    if (!mpfr_regular_p(&x->left) || !mpfr_regular_p(&x->right))
        return false;
    if (mpfr_equal_p(&x->left, &x->right)) {
        mpfr_set_zero(width, 1);
        return true;
    }
    mpfr_sub(width, &x->right, &x->left, MPFR_RNDU);
    return mpfr_zero_p(width) ||
           (mpfr_sgn(width) > 0 && mpfr_get_exp(width) < -8 &&
            mpfr_get_exp(width) < mpfr_get_exp(&x->left) - (mpfr_exp_t)mpfr_get_prec(&x->left) + 8);
}

#define WORD_BITS 64
typedef mp_limb_t word[WORD_BITS / GMP_NUMB_BITS];

/* A number in that room, 0 at first, of the precision of what it stands beside where that is less
 * than 64 bits: MPFR has shorter ways where all precisions are the same. */
static void match(mpfr_t x, word room, mpfr_srcptr beside)
{
    mpfr_prec_t bits = mpfr_get_prec(beside) < WORD_BITS ? mpfr_get_prec(beside) : WORD_BITS;
    mpfr_custom_init(room, bits);
    mpfr_custom_init_set(x, MPFR_ZERO_KIND, 0, bits, room);
}

/* The right end not below the value that the left one is, rounded down. */
static void lift(mpfi_t out, int inexact)
{
    mpfr_set(&out->right, &out->left, MPFR_RNDU);
    if (inexact != 0)
        mpfr_nextabove(&out->right);
}

/* Is a function of one word asked for, which costs less than what bounds its slope? */
static bool is_word(const mpfi_t out, const mpfi_t x)
{
    return mpfr_get_prec(&out->left) <= WORD_BITS && mpfr_get_prec(&out->right) <= WORD_BITS &&
           mpfr_get_prec(&x->left) <= WORD_BITS && mpfr_get_prec(&x->right) <= WORD_BITS;
}

/* Each end by itself, as MPFI has it, of a function that rises; once where both are one. */
static void by_ends(mpfi_t out, const mpfi_t x, int (*f)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t))
{
    if (mpfr_equal_p(&x->left, &x->right) && !mpfr_zero_p(&x->left)) {
        lift(out, f(&out->left, &x->left, MPFR_RNDD));
        return;
    }
    f(&out->left, &x->left, MPFR_RNDD);
    f(&out->right, &x->right, MPFR_RNDU);
}

void ival_exp(mpfi_t out, const mpfi_t x)
{
    if (is_word(out, x))
        by_ends(out, x, word_exp);
    else
        mpfi_exp(out, x);
}

void ival_expm1(mpfi_t out, const mpfi_t x)
{
    word room[3];
    mpfr_t w, slope, more;
    if (is_word(out, x)) {
        by_ends(out, x, word_expm1);
        return;
    }
    match(w, room[0], &x->left);
    if (!is_point(w, x)) {
        mpfi_expm1(out, x);
        return;
    }
    lift(out, word_expm1(&out->left, &x->left, MPFR_RNDD));
    if (mpfr_zero_p(w))
        return;
    /* e^b - 1 = e^a - 1 + e^a (e^w - 1), and e^w - 1 <= w + w^2 for w <= 1; all rounds up */
    match(slope, room[1], &out->right);
    match(more, room[2], &out->right);
    mpfr_set_ui(more, 1, MPFR_RNDU);
    mpfr_add(slope, &out->right, more, MPFR_RNDU);
    mpfr_sqr(more, w, MPFR_RNDU);
    mpfr_add(more, more, w, MPFR_RNDU);
    mpfr_mul(slope, slope, more, MPFR_RNDU);
    mpfr_add(&out->right, &out->right, slope, MPFR_RNDU);
}

void ival_log1p(mpfi_t out, const mpfi_t x)
{
    word room[2];
    mpfr_t w, below;
    match(w, room[0], &x->left);
    match(below, room[1], &x->left);
    bool point = is_point(w, x);
    if (point) {
        mpfr_set_ui(below, 1, MPFR_RNDD);
        mpfr_add(below, below, &x->left, MPFR_RNDD);
    }
    if (!point || mpfr_sgn(below) <= 0 ||
        (!mpfr_zero_p(w) && mpfr_get_exp(w) + 8 > mpfr_get_exp(below))) {
        mpfi_log1p(out, x);
        return;
    }
    lift(out, word_log1p(&out->left, &x->left, MPFR_RNDD));
    if (mpfr_zero_p(w))
        return;
    /* ln(1 + b) - ln(1 + a) = ln(1 + w/(1 + a)) <= w/(1 + a); all rounds up */
    mpfr_div(w, w, below, MPFR_RNDU);
    mpfr_add(&out->right, &out->right, w, MPFR_RNDU);
}

void ival_log_q(mpfi_t out, const mpq_t q)
{
    mpq_t less_one;
    mpq_init(less_one);
    mpz_sub(mpq_numref(less_one), mpq_numref(q), mpq_denref(q));
    mpz_set(mpq_denref(less_one), mpq_denref(q)); /* (a-b)/b is canonical when a/b is */
    /* |q - 1| < 1/2: the logarithm of the rounded q would lose the digits of q - 1. */
    if (mpz_sizeinbase(mpq_numref(less_one), 2) + 1 < mpz_sizeinbase(mpq_denref(q), 2)) {
        word_set_q(out, less_one);
        ival_log1p(out, out);
    } else {
        word_set_q(out, q);
        mpfi_log(out, out);
    }
    mpq_clear(less_one);
}

void ival_log1m_q(mpfi_t out, const mpq_t q)
{
    word_set_q(out, q);
    mpfi_neg(out, out);
    ival_log1p(out, out);
}

#define GUESS_BITS 64

double ival_guess(const dp_number *x)
{
    mpfi_t e;
    mpfi_init2(e, GUESS_BITS);
    ival_set_number(e, x);
    double d = mpfr_get_d(&e->left, MPFR_RNDN);
    mpfi_clear(e);
    return d;
}

double ival_guess_log(const mpq_t q)
{
    mpfi_t e;
    mpfi_init2(e, GUESS_BITS);
    ival_log_q(e, q);
    double d = mpfi_get_d(e);
    mpfi_clear(e);
    return d;
}

void ival_set_number(mpfi_t out, const dp_number *x)
{
    if (x->is_log)
        ival_log_q(out, number_odds(x));
    else
        word_set_q(out, number_rational(x));
}

void ival_exp_number(mpfi_t out, const dp_number *x)
{
    word_set_q(out, x->is_log ? number_odds(x) : number_rational(x));
    if (!x->is_log)
        ival_exp(out, out);
}

void ival_expm1_number(mpfi_t out, const dp_number *x)
{
    if (!x->is_log) {
        word_set_q(out, number_rational(x));
        ival_expm1(out, out);
        return;
    }
    mpq_t less_one;
    mpq_init(less_one);
    mpq_srcptr odds = number_odds(x);
    mpz_sub(mpq_numref(less_one), mpq_numref(odds), mpq_denref(odds));
    mpz_set(mpq_denref(less_one), mpq_denref(odds));
    word_set_q(out, less_one);
    mpq_clear(less_one);
}

void ival_mul_z(mpfi_t out, const mpfi_t x, const mpz_t z)
{
    if (mpz_fits_ulong_p(z))
        mpfi_mul_ui(out, x, mpz_get_ui(z));
    else
        mpfi_mul_z(out, x, z);
}

void ival_union(mpfi_t out, const mpfi_t a, const mpfi_t b)
{
    mpfi_t rest;
    mpfi_init2(rest, mpfi_get_prec(out));
    mpfi_ui_sub(rest, 1, a);
    mpfi_mul(rest, rest, b);
    mpfi_add(out, rest, a);
    mpfi_clear(rest);
}

void ival_tanh_half(mpfi_t out, const mpfi_t x)
{
    word room[1];
    mpfr_t w;
    match(w, room[0], &x->left);
    if (is_point(w, x) && word_tanh_half(&out->left, &x->left)) {
        lift(out, -1);
        mpfr_div_2ui(w, w, 1, MPFR_RNDU);
        mpfr_add(&out->right, &out->right, w, MPFR_RNDU); /* it rises by at most half as much */
        return;
    }
    mpfi_t top;
    mpfi_init2(top, mpfi_get_prec(out));
    /* -expm1(-x) / (2 + expm1(-x)): e^-x lies in (0, 1], so nothing overflows. Each end is taken
     * by itself because x occurs twice; the function increases. */
    mpfi_neg(top, x);
    ival_expm1(top, top);
    mpfi_neg(top,
             top); /* u = 1 - e^-x, increasing in x; tanh(x/2) = u / (2 - u), increasing in u */
    mpfr_t below, two;
    mpfr_init2(below, mpfi_get_prec(out));
    mpfr_init2(two, mpfi_get_prec(out));
    mpfr_set_ui(two, 2, MPFR_RNDN);
    mpfr_sub(below, two, &top->left, MPFR_RNDU);
    mpfr_div(&out->left, &top->left, below, MPFR_RNDD);
    mpfr_sub(below, two, &top->right, MPFR_RNDD);
    mpfr_div(&out->right, &top->right, below, MPFR_RNDU);
    mpfr_clear(two);
    mpfr_clear(below);
    mpfi_clear(top);
}

void ival_log1p_exp_neg(mpfi_t out, const mpfi_t x)
{
    mpfi_neg(out, x);
    ival_exp(out, out);
    ival_log1p(out, out);
}

#define FAR (1L << 20) /* e^x of more is not formed */

void ival_log1p_share(mpfi_t out, const mpfi_t x, const mpq_t q)
{
    if (mpfr_cmp_si(&x->right, FAR) <= 0) {
        ival_expm1(out, x);
        mpfi_mul_q(out, out, q);
        ival_log1p(out, out);
        return;
    }
    mpq_t rest; /* x + ln(q + (1-q) e^-x) */
    mpfi_t part;
    mpq_init(rest);
    mpfi_init2(part, mpfi_get_prec(out));
    mpq_set_ui(rest, 1, 1);
    mpq_sub(rest, rest, q);
    mpfi_neg(part, x);
    mpfi_exp(part, part);
    mpfi_mul_q(part, part, rest);
    mpfi_add_q(part, part, q);
    mpfi_log(part, part);
    mpfi_add(out, x, part);
    mpfi_clear(part);
    mpq_clear(rest);
}

static void clamp_end(mpfr_t x, unsigned long lo, unsigned long hi)
{
    /* exact: small integers fit any precision used here */
    if (mpfr_cmp_ui(x, lo) < 0)
        mpfr_set_ui(x, lo, MPFR_RNDN);
    if (mpfr_cmp_ui(x, hi) > 0)
        mpfr_set_ui(x, hi, MPFR_RNDN);
}

void ival_clamp_ui(mpfi_t out, unsigned long lo, unsigned long hi)
{
    clamp_end(&out->left, lo, hi);
    clamp_end(&out->right, lo, hi);
}

void ival_at_least_zero(mpfi_t out)
{
    if (mpfr_sgn(&out->left) < 0)
        mpfr_set_ui(&out->left, 0, MPFR_RNDN);
    if (mpfr_sgn(&out->right) < 0)
        mpfr_set_ui(&out->right, 0, MPFR_RNDN);
}

void ival_take_least(mpfi_t x, const mpfi_t y)
{
    mpfr_min(&x->left, &x->left, &y->left, MPFR_RNDD);
    mpfr_min(&x->right, &x->right, &y->right, MPFR_RNDU);
}

void ival_take_most(mpfi_t x, const mpfi_t y)
{
    mpfr_max(&x->left, &x->left, &y->left, MPFR_RNDD);
    mpfr_max(&x->right, &x->right, &y->right, MPFR_RNDU);
}

bool ival_bad(const mpfi_t x)
{
    return mpfi_nan_p(x) != 0;
}
