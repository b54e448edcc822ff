/* SPDX-License-Identifier: MIT */
/* The profile of few Laplace losses in closed form. With v = 1/(2z), one use has
 *     E[e^((z - 1/2) L)] = e^(-eps/2) (e^(eps z) (1+v) + e^(-eps z) (1-v)) / 2,
 * so that T uses are 2^-T e^(-top/2) times the sum over the signs of the losses at their ends, J of
 * them minus, of e^(az) (1+v)^(T-J) (1-v)^J, a the sum of the signed epsilons. There v^m e^(az) is
 * the density ((a-l)/2)^(m-1) / (2 (m-1)!) of l < a, and s(x) the integral of 2 sinh((l-x)/2)
 * e^(x/2) over l > x. For a density of v^m and b = (a-x)/2 that integral is the sum of 2 b^n/n!
 * over the coefficients of v^(n+1) in v^(m+2) / (1-v^2), by the Laplace transform in b. Hence
 *     s(x) = 2^(1-T) e^((x-top)/2) sum_{a > x} g_J(b),
 *     g_J(b) = sum_{n>=1} b^n/n! [v^(n-1)] (1+v)^(T-J-1) (1-v)^(J-1),
 * a polynomial but for J = 0, where the coefficients are 2^(T-1) less the sum of those of
 * (1+v)^(T-1) from v^n on; and in the same way
 *     e^x Q(L > x) = 2^-T e^((x-top)/2) sum_{a > x} sum_{n>=0} b^n/n! [v^n] (1+v)^(T-J-1) (1-v)^J.
 *     What cancels: with b0 = (top-x)/2 no coefficient of g_J is above 2^(T-2) and there are 2^T
 * signs, so the terms add up to no more than 2^(T-1) (1 - e^-b0), where s(x) >= 2^-T (1 - e^-b0),
 * that of the loss top alone: below 2T bits. */
#include <math.h>

#include "loss/laplace_nodes.h"
#include "num/ival.h"

#define SPARE_BITS 40
#define SLOPE_BITS 64
#define MOST_POWERS 256.0 /* about, that matter where the losses of many uses are small */

typedef struct few {
    const laplace *law;
    unsigned long uses;
    mpfr_srcptr x; /* >= 0 */
    bool end;      /* are the losses at x themselves among those above? */
    double least;  /* log2 of what may be left out of one term of s, about */
    mpfi_t beta, power, part, g, h;
    mpfi_t s, fall; /* the sums, but for 2^(T-1) (e^b0 - 1) in s */
} few;

/* Coefficients c_m of (1+v)^up (1-v)^down: f' (1 - v^2) = (up - down - (up + down) v) f gives
 * (m+1) c_(m+1) = (up - down) c_m - (up + down - m + 1) c_(m-1). */
typedef struct series {
    unsigned long up, down, m;
    mpz_t now, before, part;
} series;

static void series_start(series *c, unsigned long up, unsigned long down)
{
    *c = (series){.up = up, .down = down};
    mpz_init_set_ui(c->now, 1);
    mpz_inits(c->before, c->part, NULL);
}

static void series_next(series *c)
{
    mpz_mul_ui(c->part, c->now, c->up > c->down ? c->up - c->down : c->down - c->up);
    if (c->up < c->down)
        mpz_neg(c->part, c->part);
    if (c->m <= c->up + c->down) /* else nothing is left */
        mpz_submul_ui(c->part, c->before, c->up + c->down - c->m + 1);
    mpz_divexact_ui(c->part, c->part, ++c->m);
    mpz_swap(c->before, c->now);
    mpz_swap(c->now, c->part);
}

static void series_end(series *c)
{
    mpz_clears(c->now, c->before, c->part, NULL);
}

/* power = b^n/n!, from that of n - 1 */
static void next_power(few *f, unsigned long n)
{
    mpfi_mul(f->power, f->power, f->beta);
    mpfi_div_ui(f->power, f->power, n);
}

/* sum += z power */
static void add_power(mpfi_t sum, few *f, const mpz_t z)
{
    mpfi_set_prec(f->part, mpfi_get_prec(sum));
    ival_mul_z(f->part, f->power, z);
    mpfi_add(sum, sum, f->part);
}

/* J = 0. g = sum over n >= 1 of b^n/n! times the coefficients of (1+v)^(T-1) from v^n on, h of
 * b^n/n! times that of v^n */
static void sum_first(few *f)
{
    series c;
    mpz_t tail;
    mpz_init(tail);
    mpz_ui_pow_ui(tail, 2, f->uses - 1);
    series_start(&c, f->uses - 1, 0);
    for (unsigned long n = 0; n < f->uses; n++) {
        if (n > 0) {
            next_power(f, n);
            add_power(f->g, f, tail);
        }
        add_power(f->h, f, c.now);
        mpz_sub(tail, tail, c.now);
        series_next(&c);
    }
    series_end(&c);
    mpz_clear(tail);
}

/* About how many terms of a sum over b^n/n! with coefficients below binomials of T - 2 matter, when
 * it counts `ways` times: at least until they fall by half each, T where all do. */
static unsigned long count_powers(const few *f, const mpz_t ways)
{
    double b = mpfr_get_d(&f->beta->right, MPFR_RNDU), log = log2(b), size = log;
    double most = f->least - (double)mpz_sizeinbase(ways, 2);
    unsigned long n = 1; /* size of n: binomial(T-2, n-1) b^n/n! */
    for (; n < f->uses && !(size < most && b * (double)f->uses < 0.4 * (double)n * (double)n); n++)
        size += log + log2((double)(f->uses - 1 - n) / ((double)n * (double)(n + 1)));
    return n;
}

/* g += [-1, 1] times what the coefficients of n >= last add up to, if not nothing: at most
 * binomial(T-2, n-1) b^n/n! each, whose quotients fall. Nothing is known of them where the first
 * quotient, (T-1-n) b / (n (n+1)), is not proved to be below 1/2. */
static void add_rest(few *f, unsigned long last)
{
    mpz_t binomial;
    mpz_init(binomial);
    mpz_bin_uiui(binomial, f->uses - 2, last - 1);
    MPFR_DECL_INIT(rest, 64);
    mpfr_mul_z(rest, &f->power->right, binomial, MPFR_RNDU);
    mpfr_mul_2ui(rest, rest, 1, MPFR_RNDU);
    mpfi_set_prec(f->part, 64);
    mpfi_mul_ui(f->part, f->beta, f->uses - 1 - last);
    mpfi_div_ui(f->part, f->part, last);
    mpfi_div_ui(f->part, f->part, last + 1);
    if (!(mpfr_cmp_d(&f->part->right, 0.5) <= 0))
        mpfr_set_inf(rest, 1);
    mpfr_neg(&f->part->left, rest, MPFR_RNDD);
    mpfr_set(&f->part->right, rest, MPFR_RNDU);
    mpfi_add(f->g, f->g, f->part);
    mpz_clear(binomial);
}

/* J > 0 */
static void sum_other(few *f, unsigned long minus, const mpz_t ways)
{
    series c;
    mpz_t step;
    unsigned long last = count_powers(f, ways);
    mpz_init(step);
    series_start(&c, f->uses - minus - 1, minus - 1);
    for (unsigned long n = 0; n < last; n++) {
        if (n > 0) { /* c is at v^(n-1) */
            next_power(f, n);
            add_power(f->g, f, c.now);
            mpz_set(step, c.now);
            series_next(&c);
        }
        mpz_sub(step, c.now, step);
        add_power(f->h, f, step);
    }
    if (last < f->uses) {
        next_power(f, last);
        add_rest(f, last);
    }
    series_end(&c);
    mpz_clear(step);
}

/* x = (a - x) / 2, one rounding each: it may be small beside both */
static void set_half_distance(mpfi_t b, const mpq_t a, mpfr_srcptr x)
{
    mpfr_sub_q(&b->left, x, a, MPFR_RNDD);
    mpfr_sub_q(&b->right, x, a, MPFR_RNDU);
    mpfi_neg(b, b);
    mpfi_div_2ui(b, b, 1);
}

static void add_term(few *f, const mpq_t place, unsigned long minus, const mpz_t ways)
{
    set_half_distance(f->beta, place, f->x);
    mpfi_set_ui(f->power, 1);
    mpfi_set_ui(f->g, 0);
    mpfi_set_ui(f->h, 0);
    if (minus == 0) {
        sum_first(f);
        mpfi_sub(f->s, f->s, f->g);
    } else {
        sum_other(f, minus, ways);
        ival_mul_z(f->g, f->g, ways);
        mpfi_add(f->s, f->s, f->g);
    }
    ival_mul_z(f->h, f->h, ways);
    mpfi_add(f->fall, f->fall, f->h);
}

static bool is_below(const few *f, const mpq_t place)
{
    int order = mpfr_cmp_q(f->x, place);
    return order < 0 || (order == 0 && f->end);
}

/* The signs of the items from `item` on; `place` where all of these are plus. */
static void add_terms(few *f, size_t item, const mpq_t from, unsigned long minus, const mpz_t ways)
{
    if (item == f->law->items) {
        add_term(f, from, minus, ways);
        return;
    }
    const laplace_item *l = &f->law->item[item];
    unsigned long times = mpz_get_ui(l->times);
    mpq_t place, step;
    mpz_t all;
    mpq_inits(place, step, NULL);
    mpz_init_set(all, ways);
    mpq_set(place, from);
    mpq_mul_2exp(step, l->epsilon, 1);
    for (unsigned long j = 0; j <= times && is_below(f, place); j++) {
        add_terms(f, item + 1, place, minus + j, all);
        mpq_sub(place, place, step);
        mpz_mul_ui(all, all, times - j); /* binomials */
        mpz_divexact_ui(all, all, j + 1);
    }
    mpz_clear(all);
    mpq_clears(place, step, NULL);
}

/* All uses, and the largest loss. */
static unsigned long count_uses(mpq_t top, const laplace *l)
{
    unsigned long uses = 0;
    mpq_t part;
    mpq_init(part);
    for (size_t i = 0; i < l->items; i++) {
        uses += mpz_get_ui(l->item[i].times);
        mpq_set_z(part, l->item[i].times);
        mpq_mul(part, part, l->item[i].epsilon);
        mpq_add(top, top, part);
    }
    mpq_clear(part);
    return uses;
}

/* at the number x >= 0 */
static void profile_above(mpfi_t s, mpfr_t slope, few *f, const mpq_t top)
{
    mpz_t one;
    mpz_init_set_ui(one, 1);
    mpfi_set_ui(f->s, 0);
    mpfi_set_ui(f->fall, 0);
    add_terms(f, 0, top, 0, one);
    mpz_clear(one);
    set_half_distance(f->beta, top, f->x);
    mpfi_neg(f->beta, f->beta);
    mpfi_set_prec(f->part, mpfi_get_prec(f->s));
    mpfi_exp(f->part, f->beta);
    mpfi_mul(f->fall, f->fall, f->part);
    mpfi_div_2ui(f->fall, f->fall, f->uses);
    mpfi_get_fr(slope, f->fall);
    mpfi_mul(f->s, f->s, f->part);
    mpfi_div_2ui(f->s, f->s, f->uses - 1);
    mpfi_expm1(f->part, f->beta);
    mpfi_sub(f->s, f->s, f->part);
    mpfi_set(s, f->s);
}

/* Does s hold nearly all bits asked? */
static bool is_narrow(const few *f, mpfr_prec_t asked)
{
    MPFR_DECL_INIT(width, 32);
    mpfr_sub(width, &f->s->right, &f->s->left, MPFR_RNDU);
    return mpfr_sgn(&f->s->left) > 0 &&
           (mpfr_zero_p(width) ||
            mpfr_get_exp(width) < mpfr_get_exp(&f->s->left) - (mpfr_exp_t)asked);
}

/* A term may lose 2^-bits of 2^(T-1) (e^b0 - 1), beside as many others as there are uses. */
static double least_term(few *f, const mpq_t top, mpfr_prec_t bits)
{
    set_half_distance(f->beta, top, f->x);
    double b = mpfi_get_d(f->beta);
    double size = b > 1 ? b / log(2) : log2(expm1(b));
    return size + (double)f->uses - 1 - (double)bits - log2((double)f->uses) - 1;
}

/* Where the profile is small about as many bits cancel as it has zeros: by trial. A large b0 costs
 * its bits, and a very large one leaves e^-b0 to be nothing. */
static void profile_to_bits(mpfi_t s, mpfr_t slope, few *f, const mpq_t top)
{
    mpfr_prec_t size = (mpfr_prec_t)mpz_sizeinbase(mpq_numref(top), 2) -
                       (mpfr_prec_t)mpz_sizeinbase(mpq_denref(top), 2);
    mpfr_prec_t asked = mpfi_get_prec(s), most = 2 * (mpfr_prec_t)f->uses + SPARE_BITS;
    mpfr_prec_t lost = SPARE_BITS, more = size < 0 ? 0 : size < SPARE_BITS ? size : SPARE_BITS;
    for (bool done = false; !done; lost *= 4) {
        mpfi_ptr all[] = {f->beta, f->power, f->part, f->g, f->s, f->h, f->fall};
        lost = lost < most ? lost : most;
        for (size_t i = 0; i < sizeof all / sizeof *all; i++)
            mpfi_init2(all[i], i < 5 ? asked + lost + more : SLOPE_BITS + lost);
        f->least = least_term(f, top, asked + lost);
        profile_above(s, slope, f, top);
        done = lost == most || is_narrow(f, asked);
        for (size_t i = 0; i < sizeof all / sizeof *all; i++)
            mpfi_clear(all[i]);
    }
}

/* s(x) = 1 - e^x (1 - s(-x)), because the law is symmetric, and e^x Q(L > x) = e^x (1 - s(-x)) -
 * Q(L >= -x) */
static void turn_below(mpfi_t s, mpfr_t slope, mpfr_srcptr x, mpfr_prec_t bits)
{
    mpfi_t power, part;
    mpfi_init2(power, bits);
    mpfi_init2(part, bits);
    mpfi_set_fr(part, x);
    mpfi_exp(power, part);
    mpfi_ui_sub(part, 1, s);
    mpfi_sub_fr(part, part, slope);
    mpfi_mul(part, part, power);
    mpfi_get_fr(slope, part);
    mpfi_mul(s, s, power);
    mpfi_set_fr(part, x);
    mpfi_expm1(part, part);
    mpfi_sub(s, s, part);
    mpfi_clear(part);
    mpfi_clear(power);
}

double laplace_terms(const void *self)
{
    const laplace *l = self;
    double uses = 0, terms = 1;
    for (size_t i = 0; i < l->items; i++) {
        uses += l->item[i].count;
        terms *= l->item[i].count + 1;
    }
    return fmin(uses, MOST_POWERS) * terms;
}

void laplace_profile_number(mpfi_t s, mpfr_t slope, const laplace *l, mpfr_srcptr x)
{
    mpq_t top;
    mpfr_t above;
    mpq_init(top);
    few f = {.law = l, .uses = count_uses(top, l), .x = above, .end = mpfr_sgn(x) < 0};
    mpfr_init2(above, mpfr_get_prec(x));
    mpfr_abs(above, x, MPFR_RNDN);
    if (is_below(&f, top)) {
        profile_to_bits(s, slope, &f, top);
    } else {
        mpfi_set_ui(s, 0);
        mpfr_set_ui(slope, 0, MPFR_RNDN);
    }
    if (mpfr_sgn(x) < 0)
        turn_below(s, slope, x, mpfi_get_prec(s) + 8);
    mpfr_clear(above);
    mpq_clear(top);
}
