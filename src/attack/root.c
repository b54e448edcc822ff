/* SPDX-License-Identifier: MIT */
/* Roots: found by halves and secants, then proved by the signs beside them. Nothing of the search
 * is believed. */
#include "attack/root.h"

#include <math.h>

#include "num/decimal.h"
#include "num/ival.h"

#define COARSE_BITS 96
#define HALVES 16      /* before secants; where they fail, ... */
#define MORE_HALVES 80 /* ... these too */
#define SECANTS 40
#define MOST_STEPS 128 /* outward, each twice the last one */
#define SPARE 32       /* bits of the search beyond those of the root */
#define LEAST_BITS 6   /* of the enclosure, in the end */

typedef struct search {
    root_function f;
    const void *of;
    const root_start *start;
} search;

/* y encloses f at one number, as if it grew; the sign, or 0 where it is not told */
static int at(mpfi_t y, const search *s, mpfr_srcptr x)
{
    mpfi_t point;
    mpfi_init2(point, mpfr_get_prec(x));
    mpfi_set_fr(point, x);
    s->f(y, point, s->of);
    mpfi_clear(point);
    if (s->start->falls)
        mpfi_neg(y, y);
    return mpfi_nan_p(y) ? 0 : mpfr_sgn(&y->left) > 0 ? 1 : mpfr_sgn(&y->right) < 0 ? -1 : 0;
}

/* One step outward from the guess, towards where the sign changes. */
static void step(mpfr_t x, const search *s, int up, unsigned long power)
{
    mpfr_srcptr from = s->start->from;
    mpfr_t by;
    mpfr_init2(by, 64);
    mpfr_set_ui_2exp(by, 1, (mpfr_exp_t)power, MPFR_RNDN);
    if (s->start->real)
        (up > 0 ? mpfr_add : mpfr_sub)(x, from, by, MPFR_RNDN);
    else
        (up > 0 ? mpfr_mul_2ui : mpfr_div_2ui)(x, from, power < 31 ? 1UL << power : 1UL << 31,
                                               MPFR_RNDN);
    mpfr_clear(by);
}

/* lo and hi with f(lo) < 0 < f(hi), true; else an end is infinite beyond which no sign was told. x
 * = the last number that was tried: where it has no sign it may be the root. */
static bool bracket(mpfr_t lo, mpfr_t hi, mpfr_t x, const search *s)
{
    mpfi_t y;
    mpfi_init2(y, mpfr_get_prec(lo));
    mpfr_set(x, s->start->from, MPFR_RNDN);
    mpfr_set_inf(lo, -1);
    mpfr_set_inf(hi, 1);
    int first = 0;
    for (unsigned long k = 0; k <= MOST_STEPS; k++) {
        if (!mpfr_number_p(x) || (!s->start->real && mpfr_sgn(x) <= 0))
            break;
        int sign = at(y, s, x);
        if (sign != 0)
            mpfr_set(sign < 0 ? lo : hi, x, MPFR_RNDN);
        if (k == 0)
            first = sign;
        if (sign == 0 || sign != first)
            break;
        step(x, s, -sign, k);
    }
    mpfi_clear(y);
    return mpfr_number_p(lo) && mpfr_number_p(hi);
}

static void halve(mpfr_t lo, mpfr_t hi, const search *s, int times)
{
    mpfr_t middle;
    mpfi_t y;
    mpfr_init2(middle, mpfr_get_prec(lo));
    mpfi_init2(y, mpfr_get_prec(lo));
    for (int i = 0; i < times; i++) {
        if (!s->start->real && mpfr_get_exp(hi) > mpfr_get_exp(lo) + 2) { /* by exponents first */
            mpfr_mul(middle, lo, hi, MPFR_RNDN);
            mpfr_sqrt(middle, middle, MPFR_RNDN);
        } else {
            mpfr_add(middle, lo, hi, MPFR_RNDN);
            mpfr_div_2ui(middle, middle, 1, MPFR_RNDN);
        }
        int sign = at(y, s, middle);
        if (sign == 0)
            break;
        mpfr_set(sign < 0 ? lo : hi, middle, MPFR_RNDN);
    }
    mpfi_clear(y);
    mpfr_clear(middle);
}

/* x = about the root, by secants from two numbers beside it, until it moves by less than `enough`.
 */
static void secants(mpfr_t x, mpfr_t other, const search *s, mpfr_srcptr enough)
{
    mpfr_prec_t bits = mpfr_get_prec(x);
    mpfr_t fx, fo, d;
    mpfi_t y;
    mpfr_inits2(bits, fx, fo, d, (mpfr_ptr)0);
    mpfi_init2(y, bits);
    at(y, s, other);
    mpfi_mid(fo, y);
    for (int i = 0; i < SECANTS; i++) {
        at(y, s, x);
        mpfi_mid(fx, y);
        mpfr_sub(d, fx, fo, MPFR_RNDN);
        mpfr_sub(fo, x, other, MPFR_RNDN); /* the old value is not needed any more */
        mpfr_div(d, fo, d, MPFR_RNDN);
        mpfr_mul(d, d, fx, MPFR_RNDN);
        if (!mpfr_number_p(d))
            break;
        mpfr_set(other, x, MPFR_RNDN);
        mpfr_set(fo, fx, MPFR_RNDN);
        mpfr_sub(x, x, d, MPFR_RNDN);
        if (mpfr_zero_p(d) || mpfr_cmpabs(d, enough) < 0)
            break;
    }
    mpfi_clear(y);
    mpfr_clears(fx, fo, d, (mpfr_ptr)0);
}

/* The ends move outward from x, by `by` and then by more and more, until the signs are proved. An
 * end of out that is not proved stays as it is. */
static bool prove(mpfi_t out, const search *s, mpfr_srcptr x, mpfr_srcptr by)
{
    if (!mpfr_number_p(x) || (s->start->from != NULL && !s->start->real && mpfr_sgn(x) <= 0))
        return false;
    mpfr_t width, end;
    mpfi_t y;
    mpfr_init2(width, 32);
    mpfr_init2(end, mpfr_get_prec(x));
    mpfi_init2(y, mpfr_get_prec(x));
    mpfr_set(width, by, MPFR_RNDU);
    bool low = false, high = false;
    mpfr_prec_t keep = mpfi_get_prec(out), lost = 6;
    for (; !(low && high) && keep >= LEAST_BITS; keep -= lost) {
        mpfr_sub(end, x, width, MPFR_RNDD);
        if (!low && (low = at(y, s, end) < 0))
            mpfr_set(&out->left, end, MPFR_RNDD);
        mpfr_add(end, x, width, MPFR_RNDU);
        if (!high && (high = at(y, s, end) > 0))
            mpfr_set(&out->right, end, MPFR_RNDU);
        lost = s->start->outward > 0 ? s->start->outward : keep / 8 > 6 ? keep / 8 : 6;
        mpfr_mul_2ui(width, width, (unsigned long)lost, MPFR_RNDU);
    }
    mpfi_clear(y);
    mpfr_clear(end);
    mpfr_clear(width);
    return low && high;
}

/* The width is 2^-(bits-6) of the root where a bracket was sought, 2^-(bits-24) where it was not:
 * less evaluations, of what costs more. That of the guess where it is less. */
#define CLOSE 6
#define CLOSER 24

static bool near(mpfi_t out, const search *s)
{
    const root_start *g = s->start;
    mpfr_prec_t bits = mpfi_get_prec(out);
    double scale = g->tiny ? fabs(g->near) : fmax(fabs(g->near), 1e-6);
    mpfr_t x, other, width;
    mpfr_inits2(bits + SPARE, x, other, width, (mpfr_ptr)0);
    mpfr_set_d(x, g->near, MPFR_RNDN);
    mpfr_add_d(other, x, g->error, MPFR_RNDN);
    mpfr_set_d(width, scale, MPFR_RNDN);
    mpfr_div_2ui(width, width, (unsigned long)(bits - CLOSER), MPFR_RNDN);
    if (mpfr_cmp_d(width, g->error) < 0)
        secants(x, other, s, width);
    else
        mpfr_set_d(width, fmax(g->error, ldexp(scale, CLOSE - (int)bits)), MPFR_RNDN);
    bool proved = prove(out, s, x, width);
    mpfr_clears(x, other, width, (mpfr_ptr)0);
    return proved;
}

static bool between(mpfi_t out, const search *s)
{
    mpfr_prec_t bits = mpfi_get_prec(out), coarse = bits < COARSE_BITS ? bits : COARSE_BITS;
    mpfr_t lo, hi, x, other, width, enough;
    mpfr_inits2(coarse, lo, hi, (mpfr_ptr)0);
    mpfr_inits2(bits + SPARE, x, other, width, enough, (mpfr_ptr)0);
    bool found = bracket(lo, hi, x, s), proved = false;
    if (mpfr_inf_p(lo) && mpfr_inf_p(hi) && coarse < bits) { /* not even the guess has a sign */
        mpfr_set_prec(lo, bits);
        mpfr_set_prec(hi, bits);
        found = bracket(lo, hi, x, s);
    }
    if (found && s->start->steep) {
        mpfr_prec_round(lo, bits + SPARE, MPFR_RNDN);
        mpfr_prec_round(hi, bits + SPARE, MPFR_RNDN);
        halve(lo, hi, s, (int)bits);
        mpfr_set(&out->left, lo, MPFR_RNDD);
        mpfr_set(&out->right, hi, MPFR_RNDU);
        proved = true;
    }
    for (int times = HALVES; !proved && times <= MORE_HALVES; times += MORE_HALVES - HALVES) {
        if (found) {
            halve(lo, hi, s, times);
            mpfr_set(x, lo, MPFR_RNDN);
            mpfr_set(other, hi, MPFR_RNDN);
        }
        mpfr_set(&out->left, lo, MPFR_RNDD);
        mpfr_set(&out->right, hi, MPFR_RNDU);
        mpfr_exp_t scale = s->start->real || !mpfr_regular_p(x) ? 1 : mpfr_get_exp(x);
        mpfr_set_ui_2exp(width, 1, scale - (bits - CLOSE), MPFR_RNDN);
        mpfr_div_2ui(enough, width, SPARE / 2, MPFR_RNDN);
        if (found && !mpfr_equal_p(x, other))
            secants(x, other, s, enough);
        proved = prove(out, s, x, width);
        if (!found)
            break;
    }
    mpfr_clears(lo, hi, x, other, width, enough, (mpfr_ptr)0);
    return found || proved;
}

bool root_enclose(mpfi_t out, root_function f, const void *of, const root_start *start)
{
    const search s = {f, of, start};
    mpfr_set_inf(&out->left, -1);
    mpfr_set_inf(&out->right, 1);
    return start->from != NULL ? between(out, &s) : near(out, &s);
}

/* A proved sign at the middle is one of an end. */
void root_halve(mpfi_t out, root_function f, const void *of, const root_start *start)
{
    const search s = {f, of, start};
    mpfr_prec_t bits = mpfi_get_prec(out);
    mpfr_t width, enough, middle;
    mpfi_t y;
    mpfr_inits2(32, width, enough, (mpfr_ptr)0);
    mpfr_init2(middle, bits);
    mpfi_init2(y, bits);
    mpfr_set_d(enough, start->tiny ? fabs(start->near) : fmax(fabs(start->near), 1e-6), MPFR_RNDN);
    mpfr_div_2ui(enough, enough, (unsigned long)(bits - CLOSER - 1), MPFR_RNDN);
    for (mpfr_prec_t i = 0; i < bits; i++) {
        mpfr_sub(width, &out->right, &out->left, MPFR_RNDU);
        mpfi_mid(middle, out);
        int sign = mpfr_cmpabs(width, enough) > 0 ? at(y, &s, middle) : 0;
        if (sign == 0)
            break;
        mpfr_set(sign > 0 ? &out->right : &out->left, middle, MPFR_RNDN);
    }
    mpfi_clear(y);
    mpfr_clears(width, enough, middle, (mpfr_ptr)0);
}

/* The sign at a number just beside the decimal, which is none of MPFR's, on the side where the root
 * is not thought to be. */
void root_settle(mpfi_t out, root_function f, const void *of, const root_start *start,
                 size_t digits)
{
    const search s = {f, of, start};
    dec d;
    mpq_t q;
    mpfr_t at_q;
    mpfi_t y;
    dec_init(&d);
    mpq_init(q);
    mpfr_init2(at_q, mpfi_get_prec(out));
    mpfi_init2(y, mpfi_get_prec(out));
    bool straddled = mpfr_number_p(&out->left) && mpfr_number_p(&out->right) &&
                     mpfr_sgn(&out->left) > 0 && dec_set_fr(&d, &out->left, DP_UPPER, digits) &&
                     dec_get_q(q, &d) && mpfr_cmp_q(&out->left, q) < 0 &&
                     mpfr_cmp_q(&out->right, q) > 0;
    if (straddled) {
        mpfr_set_d(at_q, start->near, MPFR_RNDN);
        bool below = mpfr_cmp_q(at_q, q) < 0;
        mpfr_set_q(at_q, q, below ? MPFR_RNDD : MPFR_RNDU);
        int sign = at(y, &s, at_q);
        if (below && sign > 0)
            mpfr_set(&out->right, at_q, MPFR_RNDN);
        if (!below && sign < 0)
            mpfr_set(&out->left, at_q, MPFR_RNDN);
    }
    mpfi_clear(y);
    mpfr_clear(at_q);
    mpq_clear(q);
    dec_clear(&d);
}

bool root_is_beyond(const mpfi_t at, root_function f, const void *of)
{
    mpfi_t x, y;
    mpfi_init2(x, COARSE_BITS);
    mpfi_init2(y, COARSE_BITS);
    mpfr_set(&x->left, &at->right, MPFR_RNDU);
    mpfr_set(&x->right, &x->left, MPFR_RNDN);
    bool is = mpfr_number_p(&x->left) != 0;
    if (is)
        f(y, x, of);
    is = is && !mpfi_nan_p(y) && mpfr_sgn(&y->right) <= 0;
    mpfi_clear(y);
    mpfi_clear(x);
    return is;
}

/* A parabola through three numbers, as a function of values, where it is monotone between two of
 * them; else halves (Chandrupatla 1997). */
double root_guess_near(double (*f)(const void *of, double x), const void *of, double low,
                       double high, double error)
{
    double a = high, b = low, c = low, fa = f(of, a), fb = f(of, b), fc = fb, part = 0.5;
    for (int i = 0; i < 200; i++) {
        double x = a + part * (b - a), y = f(of, x);
        bool same = (y > 0) == (fa > 0);
        c = same ? a : b;
        fc = same ? fa : fb;
        b = same ? b : a;
        fb = same ? fb : fa;
        a = x;
        fa = y;
        double best = fabs(fa) < fabs(fb) ? a : b,
               least = fmax(2e-16 * fmax(fabs(best), 1e-3), error / 2);
        if (y == 0 || fabs(b - a) <= 2 * least)
            break;
        double at = (a - b) / (c - b), to = (fa - fb) / (fc - fb);
        part = 0.5;
        if (to * to < at && (1 - to) * (1 - to) < 1 - at)
            part = fa / (fb - fa) * (fc / (fb - fc)) +
                   (c - a) / (b - a) * (fa / (fc - fa)) * (fb / (fc - fb));
        part = fmin(fmax(part, least / fabs(b - a)), 1 - least / fabs(b - a));
    }
    return fabs(fa) < fabs(fb) ? a : b;
}

double root_guess(double (*f)(const void *of, double x), const void *of, double low, double high)
{
    return root_guess_near(f, of, low, high, 0);
}
