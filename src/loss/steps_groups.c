/* SPDX-License-Identifier: MIT */
/* The pair of groups of k records of a mechanism known as (eps, delta)-DP. What a set of
 * probability a on one data set has at most on its neighbour is
 *     g(a) = min(delta + e^eps a, 1 - e^-eps (1 - delta - a), 1),
 * and k such steps are the k-fold g o ... o g, attained by some chain of data sets (Dong, Roth, Su
 * 2022, Theorem 2.14). It is concave and piecewise linear, so a pair has it: a leak of g^k(0), and
 * on each piece of slope e^l an outcome of loss l, of Q mass its length. With y = e^-eps,
 *     v_0 = (1 - delta) y / (1 + y), v_i = y (v_(i-1) - delta), m = the number of v_i > 0, i < k,
 * g^k is bent at the v_i > 0 and, being its own mirror image (a, b) -> (1-b, 1-a), at theirs. The
 * piece from v_i to v_(i-1) has slope e^((2i-k) eps), for i steps of its points are steep and k-i
 * are not, and v_(i-1) - v_i = y^(i-1) d, d = v_0 (1-y) + delta y. So i runs from k-m to m,
 *     q_m = p_(k-m) = v_(m-1),  q_i = y^(i-1) d,  p_i = e^((2i-k) eps) q_i,
 * and 1 - leak is the sum of the p_i. Where 2m = k one piece is left, of loss 0, and the other bend
 * comes before v_(m-1): 1 - leak = y^m - 2 delta (y + ... + y^m), or 0 where that is below. Where
 * 2m < k all slopes would be below 1, which no mirror image allows: the leak is certain. */
#include "loss/steps_groups.h"
#include "loss/steps.h"
#include "num/ival.h"
#include "num/memory.h"
#include "num/number.h"

/* Numbers up to this size together are composed in exact rationals. */
#define EXACT_BITS 8192
#define LEAK_BITS 512 /* of a leak that is no rational */
#define DECISION_BITS 65536
#define LARGEST_LOSS 1000000000UL /* of a group */

/* What all masses are made of, to so many bits; 0: not yet. */
typedef struct measure {
    mpfi_t last, d, keep; /* v_(m-1); v_(i-1) - v_i = y^(i-1) d; 1 - leak */
    mpfr_prec_t bits;
} measure;

static void measure_init(measure *s)
{
    mpfi_init2(s->last, MPFR_PREC_MIN);
    mpfi_init2(s->d, MPFR_PREC_MIN);
    mpfi_init2(s->keep, MPFR_PREC_MIN);
    s->bits = 0;
}

static void measure_clear(measure *s)
{
    mpfi_clear(s->keep);
    mpfi_clear(s->d);
    mpfi_clear(s->last);
}

/* What each outcome is made of: kept. */
typedef struct pieces {
    measure all;
    mpfi_t eps, share; /* share = d/keep */
    mpfi_t y[];        /* y^i for i = 0 .. k */
} pieces;

typedef struct group {
    dp_number eps0;
    mpq_t delta0;
    unsigned long size, bends; /* k and m */
    pieces *of;
} group;

static pieces *pieces_new(unsigned long size)
{
    pieces *made = memory_new(1, sizeof *made + (size + 1) * sizeof made->y[0]);
    if (made == NULL)
        return NULL;
    measure_init(&made->all);
    mpfi_init2(made->eps, MPFR_PREC_MIN);
    mpfi_init2(made->share, MPFR_PREC_MIN);
    for (unsigned long i = 0; i <= size; i++)
        mpfi_init2(made->y[i], MPFR_PREC_MIN);
    return made;
}

static void pieces_free(pieces *of, unsigned long size)
{
    for (unsigned long i = 0; i <= size; i++)
        mpfi_clear(of->y[i]);
    mpfi_clear(of->share);
    mpfi_clear(of->eps);
    measure_clear(&of->all);
    memory_free(of);
}

static void group_clear(void *state)
{
    group *g = state;
    pieces_free(g->of, g->size);
    dp_number_clear(&g->eps0);
    mpq_clear(g->delta0);
    memory_free(g);
}

static group *group_new(const dp_number *eps0, const mpq_t delta0, unsigned long size)
{
    group *g = memory_new(1, sizeof *g);
    if (g == NULL)
        return NULL;
    g->of = pieces_new(size);
    if (g->of == NULL) {
        memory_free(g);
        return NULL;
    }
    dp_number_init(&g->eps0);
    mpq_init(g->delta0);
    dp_number_set(&g->eps0, eps0);
    mpq_set(g->delta0, delta0);
    g->size = size;
    g->bends = 0;
    return g;
}

static bool group_same(const void *state, const void *other)
{
    const group *a = state, *b = other;
    return a->size == b->size && number_order(&a->eps0, &b->eps0) == 0 &&
           mpq_equal(a->delta0, b->delta0);
}

/* out = c eps */
static void multiple(dp_number *out, const group *g, long c)
{
    unsigned long size = c < 0 ? 0UL - (unsigned long)c : (unsigned long)c;
    mpq_t x;
    mpq_init(x);
    mpq_srcptr odds = number_odds(&g->eps0);
    if (odds != NULL) {
        mpz_pow_ui(mpq_numref(x), mpq_numref(odds), size);
        mpz_pow_ui(mpq_denref(x), mpq_denref(odds), size);
        if (c < 0)
            mpq_inv(x, x);
        number_set_log(out, x);
    } else {
        mpz_set_si(mpq_numref(x), c);
        mpq_mul(x, x, number_rational(&g->eps0));
        number_set_q(out, x);
    }
    mpq_clear(x);
}

/* out = e^(c eps), or e^(c eps) - 1 */
static void power(mpfi_t out, const group *g, long c, bool minus_one)
{
    dp_number x;
    dp_number_init(&x);
    multiple(&x, g, c);
    if (minus_one)
        ival_expm1_number(out, &x);
    else
        ival_exp_number(out, &x);
    dp_number_clear(&x);
}

/* out = (1 - y^n) / (1 - y) */
static void geometric(mpfi_t out, const group *g, unsigned long n)
{
    mpfi_t rest;
    mpfi_init2(rest, mpfi_get_prec(out));
    power(out, g, -(long)n, true);
    power(rest, g, -1, true);
    if (n == 0)
        mpfi_set_ui(out, 0);
    else
        mpfi_div(out, out, rest);
    mpfi_clear(rest);
}

/* v = v_i = y^i v_0 - delta y (1 - y^i) / (1 - y), which cancels near 0. */
static void bend(mpfi_t v, const group *g, unsigned long i)
{
    mpfi_t y, part;
    mpq_t keep;
    mpfi_init2(y, mpfi_get_prec(v));
    mpfi_init2(part, mpfi_get_prec(v));
    mpq_init(keep);
    mpz_sub(mpq_numref(keep), mpq_denref(g->delta0), mpq_numref(g->delta0));
    mpz_set(mpq_denref(keep), mpq_denref(g->delta0));
    power(y, g, -1, false);
    mpfi_add_ui(part, y, 1);
    power(v, g, -(long)(i + 1), false);
    mpfi_div(v, v, part);
    mpfi_mul_q(v, v, keep);
    if (mpq_sgn(g->delta0) != 0) {
        geometric(part, g, i);
        mpfi_mul(part, part, y);
        mpfi_mul_q(part, part, g->delta0);
        mpfi_sub(v, v, part);
    }
    mpq_clear(keep);
    mpfi_clear(part);
    mpfi_clear(y);
}

/* Are the ends closer than 2^-bits of the value? */
static bool is_narrow(const mpfi_t x, mpfr_prec_t bits)
{
    mpfr_t width;
    mpfr_init2(width, 32);
    mpfi_diam_rel(width, x);
    bool narrow = !mpfi_has_zero(x) && mpfr_number_p(width) &&
                  (mpfr_zero_p(width) || mpfr_get_exp(width) <= -bits);
    mpfr_clear(width);
    return narrow;
}

/* The sign of v_i; 0 where it cannot be told. */
static int bend_sign(const group *g, unsigned long i)
{
    mpfi_t v;
    mpfi_init2(v, 128);
    bool told;
    do {
        mpfi_set_prec(v, 2 * mpfi_get_prec(v));
        bend(v, g, i);
        told = !mpfi_has_zero(v) && !ival_bad(v);
    } while (!told && mpfi_get_prec(v) < DECISION_BITS);
    int sign = !told ? 0 : mpfi_is_strictly_neg(v) ? -1 : 1;
    mpfi_clear(v);
    return sign;
}

/* m: the v_i descend as long as they are above 0, and stay below: by halves. False where a sign
 * cannot be told, which is a tie or next to one. */
static bool count_bends(group *g)
{
    unsigned long low = 0, high = g->size;
    int sign = 1;
    while (sign != 0 && low < high) {
        unsigned long middle = low + (high - low) / 2;
        sign = bend_sign(g, middle);
        *(sign > 0 ? &low : &high) = middle + (sign > 0);
    }
    g->bends = low;
    return sign != 0;
}

/* keep = v_(m-1) (1 + e^((2m-k) eps)) + d y^(k-m) (1 - y^(2m-k-1)) / (1 - y) */
static void add_up(measure *s, const group *g)
{
    mpfi_t part;
    mpfi_init2(part, mpfi_get_prec(s->keep));
    long top = 2 * (long)g->bends - (long)g->size;
    power(s->keep, g, top, false);
    mpfi_add_ui(s->keep, s->keep, 1);
    mpfi_mul(s->keep, s->keep, s->last);
    geometric(part, g, (unsigned long)top - 1);
    mpfi_mul(part, part, s->d);
    mpfi_t low;
    mpfi_init2(low, mpfi_get_prec(s->keep));
    power(low, g, -(long)(g->size - g->bends), false);
    mpfi_mul(part, part, low);
    mpfi_add(s->keep, s->keep, part);
    mpfi_clear(low);
    mpfi_clear(part);
}

/* To the relative precision `bits`; 2m > k. */
static void measure_set(measure *s, const group *g, mpfr_prec_t bits)
{
    mpfr_prec_t p = bits + 64;
    s->bits = 0;
    for (;; p *= 2) { /* it ends: v_(m-1) > 0 */
        mpfi_set_prec(s->last, p);
        bend(s->last, g, g->bends - 1);
        if (is_narrow(s->last, bits + 16))
            break;
    }
    mpfi_set_prec(s->d, p);
    mpfi_set_prec(s->keep, p);
    bend(s->d, g, 0);
    power(s->keep, g, -1, true);
    mpfi_neg(s->keep, s->keep);
    mpfi_mul(s->d, s->d, s->keep);
    power(s->keep, g, -1, false);
    mpfi_mul_q(s->keep, s->keep, g->delta0);
    mpfi_add(s->d, s->d, s->keep);
    add_up(s, g);
    s->bits = bits;
}

/* A product of i <= 1000 factors errs by fewer than 2^12 ulp, of the 64 bits to spare. */
static void pieces_set(pieces *of, const group *g, mpfr_prec_t bits)
{
    measure_set(&of->all, g, bits);
    mpfr_prec_t wide = mpfi_get_prec(of->all.keep);
    mpfi_set_prec(of->eps, wide);
    ival_set_number(of->eps, &g->eps0);
    mpfi_set_prec(of->share, wide);
    mpfi_div(of->share, of->all.d, of->all.keep);
    for (unsigned long i = 0; i <= g->size; i++)
        mpfi_set_prec(of->y[i], wide);
    mpfi_set_ui(of->y[0], 1);
    power(of->y[1], g, -1, false);
    for (unsigned long i = 2; i <= g->size; i++)
        mpfi_mul(of->y[i], of->y[i - 1], of->y[1]);
}

static void enclose(outcome *out, const void *state, size_t j)
{
    const group *g = state;
    unsigned long i = g->size - g->bends + j;
    long turns = 2 * (long)i - (long)g->size;
    pieces *of = g->of;
    if (of->all.bits != mpfi_get_prec(out->mass))
        pieces_set(of, g, mpfi_get_prec(out->mass));
    mpfi_mul_si(out->loss, of->eps, turns);
    if (j == 0 || i == g->bends) {
        mpfi_ptr small = j == 0 ? out->mass : out->qmass, large = j == 0 ? out->qmass : out->mass;
        mpfi_div(small, of->all.last, of->all.keep);
        mpfi_div(large, small, of->y[turns < 0 ? -turns : turns]);
    } else {
        mpfi_mul(out->qmass, of->y[i - 1], of->share);
        mpfi_mul(out->mass, of->y[g->size - 1 - i], of->share);
    }
}

/* keep = y^m - 2 delta y (1 - y^m) / (1 - y) */
static void keep_of_one(mpfi_t keep, const group *g)
{
    mpfi_t part;
    mpfi_init2(part, mpfi_get_prec(keep));
    geometric(keep, g, g->bends);
    power(part, g, -1, false);
    mpfi_mul(keep, keep, part);
    mpfi_mul_q(keep, keep, g->delta0);
    mpfi_mul_2ui(keep, keep, 1);
    power(part, g, -(long)g->bends, false);
    mpfi_sub(keep, part, keep);
    mpfi_clear(part);
}

/* leak = 1 - keep, or where m = k, delta (e^(k eps) - 1) / (e^eps - 1), towards that end; at most 1
 */
static void round_leak(mpq_t leak, const group *g, dp_end end)
{
    mpfi_t x, part;
    mpfr_prec_t p = LEAK_BITS;
    mpfi_init2(x, p);
    mpfi_init2(part, p);
    do {
        p *= 2;
        mpfi_set_prec(x, p);
        mpfi_set_prec(part, p);
        if (g->bends == g->size) {
            power(x, g, (long)g->size, true);
            power(part, g, 1, true);
            mpfi_div(x, x, part);
            mpfi_mul_q(x, x, g->delta0);
        } else if (2 * g->bends == g->size) {
            keep_of_one(x, g);
            mpfi_ui_sub(x, 1, x);
        } else {
            measure s;
            measure_init(&s);
            measure_set(&s, g, p - 64);
            mpfi_ui_sub(x, 1, s.keep);
            measure_clear(&s);
        }
    } while (!is_narrow(x, LEAK_BITS) && p < DECISION_BITS);
    ival_clamp_ui(x, 0, 1);
    mpfr_get_q(leak, end == DP_UPPER ? &x->right : &x->left);
    mpfi_clear(part);
    mpfi_clear(x);
}

/* The law of the pieces, where there is more than one. */
static dp_status add_pieces(product *to, group *g, const mpz_t times)
{
    size_t count = 2 * g->bends - g->size + 1;
    dp_number *at = memory_new(count, sizeof *at);
    if (at == NULL) {
        group_clear(g);
        return DP_MEMORY;
    }
    for (size_t j = 0; j < count; j++) {
        dp_number_init(&at[j]);
        multiple(&at[j], g, 2 * (long)(g->size - g->bends + j) - (long)g->size);
    }
    steps curve = {.count = count,
                   .loss = at,
                   .closed = true, /* its mirror image: Q keeps what P keeps */
                   .symmetric = true,
                   .enclose = enclose,
                   .state = g,
                   .clear = group_clear,
                   .same = group_same};
    dp_status status = steps_add(to, &curve, times);
    for (size_t j = 0; j < count; j++)
        dp_number_clear(&at[j]);
    memory_free(at);
    return status;
}

static dp_status add_enclosed(product *to, group *g, dp_end end, const mpz_t times)
{
    mpq_t leak;
    mpq_init(leak);
    dp_status status = DP_OK;
    mpq_set_ui(leak, 2 * g->bends < g->size, 1);
    if (2 * g->bends >= g->size && mpq_sgn(g->delta0) != 0) {
        round_leak(leak, g, end);
        to->bracketed = true;
    }
    if (mpq_sgn(leak) != 0)
        status = product_leak_add(to, leak, times);
    if (status == DP_OK && 2 * g->bends > g->size)
        status = add_pieces(to, g, times);
    else
        group_clear(g);
    mpq_clear(leak);
    return status;
}

dp_status steps_group_add(product *to, const dp_number *eps0, const mpq_t delta0,
                          unsigned long size, dp_end end, const mpz_t times)
{
    if (size < 1 || size > STEPS_MOST_GROUP || dp_number_sgn(eps0) <= 0 || mpq_sgn(delta0) < 0 ||
        mpq_cmp_ui(delta0, 1, 1) >= 0)
        return DP_DOMAIN;
    mpq_srcptr odds = number_odds(eps0), rational = number_rational(eps0);
    size_t bits = (size + 1) * (number_bits(eps0) + 1) + mpz_sizeinbase(mpq_denref(delta0), 2);
    if (odds != NULL && bits <= EXACT_BITS)
        return steps_group_add_exact(to, odds, delta0, size, times);
    if ((odds != NULL && bits > 64 * EXACT_BITS) ||
        (rational != NULL && mpq_cmp_ui(rational, LARGEST_LOSS / size, 1) > 0))
        return DP_UNAVAILABLE;
    group *g = group_new(eps0, delta0, size);
    if (g == NULL)
        return DP_MEMORY;
    if (count_bends(g))
        return add_enclosed(to, g, end, times);
    group_clear(g);
    return DP_UNDECIDED;
}
