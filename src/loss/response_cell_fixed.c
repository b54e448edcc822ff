/* SPDX-License-Identifier: MIT */
/* A cell of the lattice of one epsilon in 128-bit fixed point, u = 2^-112 its unit, for as few bits
 * as most questions ask. With t_r the mass of i - r minus signs of k, and d = e^(-2 eps),
 *     V = sum w_r,  w_r = t_r d^r,  G = sum t_r (1 - d^r),  r = 0 .. i,
 *     t_(r+1) = t_r e^eps c_r,  w_(r+1) = w_r e^-eps c_r,  c_r = (i - r)/(k - i + r + 1),
 *     t_0 = w_0 = C(k, i) e^-S,  S = k ln(1 + e^-eps) + i eps,
 * and both are summed in multiples of t_0. All terms are positive, so what is rounded adds up to
 *     eps                2 u
 *     e^eps, e^-eps      8 u, at least 0.7 u^-1 of them, and 2.02 u of eps: 14 u relative
 *     t_r / t_0          18 r u relative: that, a quotient u/2, what is cut twice 2 u, a
 * product 1.5 u d                  8 u, a shift 1 u, and 4.1 u of eps d^r                15 r u a
 * term of a sum    68 r u + 2 u, for t_r is counted below 2; and at most 1 u more of the sum where
 * what is counted becomes larger what is not added  1 u for each of those terms either sum 35 (i +
 * 1)^2 u in all e^-S               36 k u + 2 i u of S, for ln(1 + e^-eps) is within 24 u and
 * the 11.1 u of e^-eps, and 8 u, at least 0.7 u^-1 of them: 40 k u + 12 u relative */
#include "loss/response_cell_fixed.h"

#include "num/fixed.h"
#include "num/ival.h"
#include "num/number.h"

#ifdef FIXED

#define MOST_USES ((uint64_t)1 << 13) /* so that no sum is 2^14 */
#define SPARE_BITS 8                  /* more than are asked */
#define ONE ((fixed128)1 << FIXED_POINT)

static int bits_of(wide_u128 x)
{
    uint64_t high = (uint64_t)(x >> 64), low = (uint64_t)x;
    return high != 0 ? 128 - __builtin_clzll(high) : low != 0 ? 64 - __builtin_clzll(low) : 0;
}

/* m 2^e units, 2^112 <= m < 2^113 */
typedef struct scaled {
    wide_u128 m;
    long e;
} scaled;

/* m 2^e, m > 0: cut by less than a unit of 2^112. */
static scaled scale(wide_u128 m, long e)
{
    int more = bits_of(m) - FIXED_POINT - 1;
    return (scaled){more > 0 ? m >> more : m << -more, e + more};
}

/* Terms that rise and then fall, as the ratio of two of them does. */
typedef struct series {
    scaled term;   /* over t_0 */
    fixed128 lift; /* times 2^lift_e, of the ratio without c_r */
    int lift_e;
    fixed128 sum; /* in units of 2^e u */
    long e;
    bool ended;
} series;

typedef struct cell_sum {
    uint64_t k, i;
    fixed128 epsilon;
    fixed128 decay, fall; /* d^r, d */
    series g, v;
} cell_sum;

/* A quotient of at least 2^127 by less than 2^14. */
static void next_term(series *s, uint64_t a, uint64_t b)
{
    wide_u128 top = s->term.m * a;
    int spare = 128 - bits_of(top);
    scaled x = scale((top << spare) / b, s->term.e - spare);
    s->term = scale((wide_u128)fixed_mul((fixed128)x.m, s->lift), x.e + s->lift_e);
}

/* A term that is less than a unit is beyond the largest, and so are all after it. */
static void add_term(series *s, fixed128 share)
{
    long below = s->e - s->term.e;
    s->ended = below > FIXED_POINT;
    if (s->ended)
        return;
    if (below < 0) {
        s->sum = -below < 127 ? s->sum >> -below : 0;
        s->e = s->term.e;
        below = 0;
    }
    s->sum += fixed_mul((fixed128)(s->term.m >> below), share);
}

static void add_terms(cell_sum *s)
{
    for (uint64_t r = 0;; r++) {
        if (!s->g.ended)
            add_term(&s->g, ONE - s->decay);
        if (!s->v.ended)
            add_term(&s->v, ONE);
        if (r == s->i || (s->g.ended && s->v.ended))
            return;
        next_term(&s->g, s->i - r, s->k - s->i + r + 1);
        next_term(&s->v, s->i - r, s->k - s->i + r + 1);
        s->decay = fixed_mul(s->decay, s->fall);
    }
}

static void start_series(series *s, fixed128 exponent)
{
    s->term = (scaled){(wide_u128)ONE, 0};
    s->lift = fixed_exp(&s->lift_e, exponent);
    s->sum = 0;
    s->e = 0;
    s->ended = false;
}

static bool set_epsilon(fixed128 *out, const dp_number *epsilon)
{
    if (!epsilon->is_log)
        return fixed_set_q(out, number_rational(epsilon));
    mpfi_t x;
    mpfi_init2(x, 128);
    ival_set_number(x, epsilon);
    bool ok = fixed_set_fr(out, &x->left);
    mpfi_clear(x);
    return ok;
}

/* False where eps or S is too large. */
static bool start(cell_sum *s, fixed128 *exponent, const composed_loss *l, mpz_srcptr i)
{
    int n;
    fixed128 log;
    if (!wide_get_z(&s->k, l->times) || !wide_get_z(&s->i, i) || s->k >= MOST_USES ||
        !set_epsilon(&s->epsilon, &l->epsilon) ||
        s->epsilon >= FIXED_MOST / 4 * ONE / (fixed128)(s->i + 1))
        return false;
    start_series(&s->g, s->epsilon);
    start_series(&s->v, -s->epsilon);
    if (!fixed_log(&log, ONE + fixed_shift(s->v.lift, s->v.lift_e)))
        return false;
    *exponent = (fixed128)s->k * log + (fixed128)s->i * s->epsilon;
    fixed128 m = fixed_exp(&n, -2 * s->epsilon);
    s->fall = fixed_shift(m, n);
    s->decay = ONE;
    return *exponent < FIXED_MOST * ONE;
}

static void set_z(mpz_t out, wide_u128 x)
{
    mpz_t low;
    mpz_init(low);
    wide_set_z(out, (uint64_t)(x >> 64));
    wide_set_z(low, (uint64_t)x);
    mpz_mul_2exp(out, out, 64);
    mpz_add(out, out, low);
    mpz_clear(low);
}

/* sum 2^e first, which is within a relative 2^-bits, in multiples of u^2 */
static void enclose(mpfi_ptr out, fixed128 sum, long e, const mpz_t first, long bits)
{
    mpz_t x;
    mpfr_t off;
    mpz_init(x);
    mpfi_set_prec(out, 128);
    mpfr_init2(off, 64);
    set_z(x, (wide_u128)sum);
    mpz_mul(x, x, first);
    mpfr_set_z_2exp(&out->left, x, e - 2 * FIXED_POINT, MPFR_RNDD);
    mpfr_set_z_2exp(&out->right, x, e - 2 * FIXED_POINT, MPFR_RNDU);
    mpfr_mul_2si(off, &out->right, -bits, MPFR_RNDU);
    mpfr_sub(&out->left, &out->left, off, MPFR_RNDD);
    mpfr_add(&out->right, &out->right, off, MPFR_RNDU);
    mpfr_clear(off);
    mpz_clear(x);
}

/* Of a sum that may be off by less than 2^sum_bits u, times what may be by 2^first_bits u: with a
 * and b, the relative errors, below 1/8, the true one is within 2 (2 a + b) of what is found. */
static long proved(fixed128 sum, int sum_bits, int first_bits)
{
    long a = bits_of((wide_u128)sum) - 1 - sum_bits, b = FIXED_POINT - first_bits;
    return (a < b ? a : b) - 3;
}

bool response_cell_fixed(mpfi_ptr g, mpfi_ptr v, const composed_loss *l, mpz_srcptr i,
                         mpfr_prec_t bits)
{
    cell_sum s;
    fixed128 exponent;
    if (bits > FIXED_POINT || !start(&s, &exponent, l, i))
        return false;
    add_terms(&s);
    int n, sum_bits = bits_of((wide_u128)35 * (s.i + 1) * (s.i + 1));
    int first_bits = bits_of((wide_u128)40 * s.k + 12);
    long v_bits = proved(s.v.sum, sum_bits, first_bits);
    long g_bits = s.i > 0 ? proved(s.g.sum, sum_bits, first_bits) : v_bits;
    if (v_bits < bits + SPARE_BITS || g_bits < bits + SPARE_BITS)
        return false;
    fixed128 m = fixed_exp(&n, -exponent);
    mpz_t first, ways;
    mpz_inits(first, ways, NULL);
    set_z(first, (wide_u128)m);
    mpz_bin_uiui(ways, (unsigned long)s.k, (unsigned long)s.i);
    mpz_mul(first, first, ways);
    enclose(v, s.v.sum, s.v.e + n, first, v_bits);
    enclose(g, s.i > 0 ? s.g.sum : 0, s.g.e + n, first, g_bits);
    mpz_clears(first, ways, NULL);
    return true;
}

#else

bool response_cell_fixed(mpfi_ptr g, mpfi_ptr v, const composed_loss *l, mpz_srcptr i,
                         mpfr_prec_t bits)
{
    (void)g, (void)v, (void)l, (void)i, (void)bits;
    return false;
}

#endif
