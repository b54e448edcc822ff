/* SPDX-License-Identifier: MIT */
/* The sums of the sampled Gaussian in 128-bit fixed point (num/fixed.h), u = 2^-112. With o = ln q
 * - ln(1-q) + (y - 1/2s)/s the logarithm of the odds and v = e^-|o| <= 1, on the line of angle th,
 *     ln|r| = ln(1-q) + max(o, 0) + ln(1 + 2v cos th + v^2) / 2,
 *     arg r = arg(1 + v e^(i th)), or th less that where o > 0.
 * Errors in units: d <= |y| + 2/s + 4 of o, d + 10 of v, and as 1 + 2v cos th + v^2 >= 1/4 is
 * checked, 4 (d + 10) + 6 of that, so 8 (d + 10) + 12 + 12 of ln|r|, and 3 (d + 12) + 40 of arg r:
 * each at most
 *     E = 16 d + 256.
 * A term e_j, made as m 2^n (8 units of m >= 0.7) with an exponent p ln|r| - y^2/2 + .. within
 * |p| E + 5 units, turned by an angle within |p| E + 2, is within
 *     (2|p| E + 64) |e_j| + 8
 * units; and w_j = r^(i spacing), |l| and arg r at most L, within 2 spacing E + 2L + 64. A step of
 * the recurrence adds 3 units more, which no later one makes larger than 4, as |w_j| <= 1. */
#include "loss/sampled_gaussian_fixed.h"

#include <math.h>

#include "num/memory.h"

#ifdef FIXED

#define BOUND_BITS 64
#define CONSTANT_BITS 160
#define MOST_WAVES 8000      /* terms are below 4, and their sums below 2^15 */
#define MOST_PLACE 128.0     /* of |y| */
#define MOST_EXPONENT 4096.0 /* a fourth of what functions take */

typedef struct place {
    fixed128 inverse, half, log_rest, log_odds; /* 1/s, 1/(2s), ln(1-q), ln q - ln(1-q) */
    fixed128 power, h, shift, angle, cosine, sine;
    double error, largest; /* E and L */
} place;

typedef struct node {
    fixed128 y, l, arg;
} node;

/* ---- one node ------------------------------------------------------------------------------- */
/* out = x to a unit */
static bool take(fixed128 *out, const mpfi_t x)
{
    return fixed_set_fr(out, &x->left);
}

static bool set_constants(place *at, const sgm_item *g, double shift)
{
    mpfi_t x, y;
    mpfi_init2(x, CONSTANT_BITS);
    mpfi_init2(y, CONSTANT_BITS);
    mpfi_set_q(x, g->sigma);
    mpfi_ui_div(x, 1, x);
    bool ok = take(&at->inverse, x);
    mpfi_mul_d(x, x, shift);
    ok = ok && take(&at->angle, x);
    mpfi_cos(y, x);
    ok = ok && take(&at->cosine, y);
    mpfi_sin(y, x);
    ok = ok && take(&at->sine, y);
    mpfi_set_q(x, g->rate);
    mpfi_ui_sub(y, 1, x);
    mpfi_log(y, y);
    ok = ok && take(&at->log_rest, y);
    mpfi_log(x, x);
    mpfi_sub(x, x, y);
    ok = ok && take(&at->log_odds, x);
    at->half = at->inverse / 2;
    mpfi_clear(y);
    mpfi_clear(x);
    return ok;
}

/* out = x exactly */
static bool take_exactly(fixed128 *out, mpfr_srcptr x)
{
    MPFR_DECL_INIT(back, 128);
    if (!fixed_set_fr(out, x))
        return false;
    fixed_get_fr(back, *out, MPFR_RNDN);
    return mpfr_equal_p(back, x);
}

static bool place_init(place *at, const sgm_item *g, const sgm_plan *plan, const mpfi_t power)
{
    double far = fmax(fabs((double)plan->first), fabs((double)plan->last)) * plan->h;
    double inverse = 1 / g->s;
    MPFR_DECL_INIT(x, 53);
    if (g->group > 1 || plan->count > MOST_WAVES || !(far < MOST_PLACE) ||
        !(inverse < MOST_PLACE) || !mpfr_equal_p(&power->left, &power->right))
        return false;
    at->error = ceil(16 * (far + 2 * inverse + 5) + 256);
    at->largest =
        ceil(fabs(g->log_rest) + fabs(g->log_rate - g->log_rest) + (far + inverse) * inverse + 5);
    mpfr_set_d(x, plan->h, MPFR_RNDN);
    bool ok = take_exactly(&at->h, x) && take_exactly(&at->power, &power->left);
    mpfr_set_d(x, plan->shift, MPFR_RNDN);
    ok = ok && take_exactly(&at->shift, x) && fabs(plan->power) * at->largest < MOST_EXPONENT;
    return ok && set_constants(at, g, plan->shift);
}

#define ONE ((fixed128)1 << FIXED_POINT)

static bool set_node(node *out, const place *at, int64_t j)
{
    int n;
    out->y = j * at->h;
    fixed128 odds = at->log_odds + fixed_mul(out->y - at->half, at->inverse), log, arg = 0;
    fixed128 v = fixed_exp(&n, odds > 0 ? -odds : odds);
    v = fixed_shift(v, n);
    if (at->shift == 0) {
        if (!fixed_log(&log, ONE + v))
            return false;
    } else {
        fixed128 along = fixed_mul(v, at->cosine);
        if (!fixed_log(&log, ONE + 2 * along + fixed_mul(v, v)) ||
            !fixed_angle(&arg, fixed_mul(v, at->sine), ONE + along))
            return false;
        log /= 2;
        arg = odds > 0 ? at->angle - arg : arg;
    }
    out->l = at->log_rest + (odds > 0 ? odds : 0) + log;
    out->arg = arg;
    return true;
}

/* e^(p ln|r| - y^2/2 + more) 2^-scale; false where that is not below 4 */
static bool set_weight(fixed128 *out, const place *at, const node *of, fixed128 more, int scale)
{
    int n;
    fixed128 m = fixed_exp(&n, fixed_mul(at->power, of->l) - fixed_mul(of->y, of->y) / 2 + more);
    if (n - scale > 1)
        return false;
    *out = fixed_shift(m, n - scale);
    return true;
}

/* About the exponent of the largest term on the line. */
static int scale_of(const place *at, const sgm_plan *plan)
{
    double edge = plan->shift * plan->shift / 2;
    if (plan->power < 0 && plan->shift > 0)
        edge += plan->power * log(cos(fixed_get_d(at->angle) / 2));
    double log_most = (plan->log + 1 + edge) / M_LN2 - log2(plan->h);
    return fabs(log_most) < MOST_EXPONENT ? (int)ceil(log_most) : 0;
}

/* out = (x factor + more) u 2^scale, rounded up */
static void set_error(mpfr_t out, fixed128 x, double factor, double more, int scale)
{
    fixed_get_fr(out, x, MPFR_RNDU);
    mpfr_mul_d(out, out, factor, MPFR_RNDU);
    mpfr_add_d(out, out, more, MPFR_RNDU);
    mpfr_mul_2si(out, out, scale - FIXED_POINT, MPFR_RNDU);
}

/* ---- real sums ------------------------------------------------------------------------------ */
bool sgm_fixed_sum(mpfi_t sum, const sgm_item *g, const sgm_plan *plan, const mpfi_t power,
                   mpfr_srcptr t, mpfr_prec_t bits)
{
    place at;
    fixed128 height, all = 0, term;
    if (bits > SGM_FIXED_BITS || !place_init(&at, g, plan, power) || !fixed_set_fr(&height, t) ||
        !(4 * fixed_get_d(height) < MOST_EXPONENT))
        return false;
    int scale = scale_of(&at, plan);
    for (int64_t j = plan->first; j <= plan->last; j++) {
        node of;
        j = sgm_next_node(plan, j);
        if (!set_node(&of, &at, j) ||
            !set_weight(&term, &at, &of, -fixed_mul(height, of.arg), scale))
            return false;
        all += term;
    }
    MPFR_DECL_INIT(error, BOUND_BITS);
    MPFR_DECL_INIT(middle, 128);
    double size = fabs(plan->power) + fixed_get_d(height) + 1;
    set_error(error, all, ceil(2 * size * at.error) + 64, 8 * (double)plan->count, scale);
    fixed_get_fr(middle, all, MPFR_RNDN);
    mpfr_mul_2si(middle, middle, scale, MPFR_RNDN);
    mpfr_sub(&sum->left, middle, error, MPFR_RNDD);
    mpfr_add(&sum->right, middle, error, MPFR_RNDU);
    mpfr_mul_2ui(error, error, (unsigned long)bits, MPFR_RNDU);
    return mpfr_less_p(error, middle);
}

/* ---- powers --------------------------------------------------------------------------------- */
#define POWER_SPARE 8
#define MOST_TIMES 1048576 /* 2^20 */

/* Let the midpoint a' of |a| <= s be cut to units, which adds less than 2 to the radius r, and m =
 * s + r: |a|, |a'| <= m and |a^n - a'^n| <= n r m^(n-1). A product of a'^i and a'^j, off by e_i and
 * e_j, is off by |a'^i| e_j + |a'^j| e_i + e_i e_j + 3, as 2 products of each part are within a
 * unit: with m <= 1 + 2^-24, n <= 2^20 and e_1 = 0 that makes e_k <= 3 (k-1) max(m, 1)^k but for
 * e_i e_j, so less than 4n. */
static void raise(fixed128 *re, fixed128 *im, unsigned long n)
{
    unsigned long bit = 1;
    while (bit <= n / 2)
        bit *= 2;
    fixed128 x = *re, y = *im;
    while (bit > 1) {
        bit /= 2;
        fixed128 cross = fixed_mul(x, y), norm = fixed_mul(x, x) - fixed_mul(y, y);
        x = norm;
        y = 2 * cross;
        if ((n & bit) != 0) {
            fixed128 part = fixed_mul(x, *re) - fixed_mul(y, *im);
            y = fixed_mul(x, *im) + fixed_mul(y, *re);
            x = part;
        }
    }
    *re = x;
    *im = y;
}

bool sgm_fixed_pow(cball *z, const mpz_t times, mpfr_prec_t depth)
{
    fixed128 re, im;
    MPFR_DECL_INIT(most, BOUND_BITS);
    if (mpz_cmp_ui(times, 2) < 0 || mpz_cmp_ui(times, MOST_TIMES) > 0 ||
        (mpfr_prec_t)mpz_sizeinbase(times, 2) + 2 + depth + POWER_SPARE > FIXED_POINT ||
        !mpfr_number_p(z->size) || !fixed_set_fr(&re, z->re) || !fixed_set_fr(&im, z->im))
        return false;
    MPFR_DECL_INIT(unit, BOUND_BITS);
    MPFR_DECL_INIT(radius, BOUND_BITS);
    mpfr_set_ui_2exp(unit, 1, -FIXED_POINT, MPFR_RNDU);
    mpfr_mul_2ui(radius, unit, 1, MPFR_RNDU);
    mpfr_add(radius, radius, z->radius, MPFR_RNDU);
    mpfr_add(most, radius, z->size, MPFR_RNDU);
    if (!(mpfr_get_d(most, MPFR_RNDU) <= 1 + 0x1p-24))
        return false;
    unsigned long n = mpz_get_ui(times);
    raise(&re, &im, n);
    MPFR_DECL_INIT(power, BOUND_BITS);
    mpfr_pow_ui(power, most, n - 1, MPFR_RNDU);
    mpfr_mul(most, most, power, MPFR_RNDU);
    mpfr_mul_ui(unit, unit, 4 * n, MPFR_RNDU);
    mpfr_mul_ui(radius, radius, n, MPFR_RNDU);
    mpfr_fma(radius, radius, power, unit, MPFR_RNDU);
    MPFR_DECL_INIT(x, 128);
    MPFR_DECL_INIT(y, 128);
    fixed_get_fr(x, re, MPFR_RNDN);
    fixed_get_fr(y, im, MPFR_RNDN);
    cball_set_disc(z, x, y, radius, most);
    return true;
}

/* ---- waves ---------------------------------------------------------------------------------- */
typedef struct wave {
    fixed128 re, im, turn_re, turn_im;
} wave;

struct sgm_waves {
    size_t count;
    int scale;
    wave wave[];
};

static bool set_wave(wave *out, fixed128 *size, const place *at, const node *of, fixed128 spacing,
                     int scale)
{
    fixed128 re, im;
    int n;
    fixed128 m = fixed_exp(&n, -fixed_mul(spacing, of->arg));
    m = fixed_shift(m, n);
    fixed_turn(&re, &im, fixed_mul(spacing, of->l));
    out->turn_re = fixed_mul(m, re);
    out->turn_im = fixed_mul(m, im);
    fixed128 more = fixed_mul(at->shift, at->shift) / 2;
    if (!set_weight(&m, at, of, more, scale))
        return false;
    fixed_turn(&re, &im, fixed_mul(at->power, of->arg) - fixed_mul(of->y, at->shift));
    out->re = fixed_mul(m, re);
    out->im = fixed_mul(m, im);
    *size += m;
    return true;
}

dp_status sgm_waves_new(sgm_waves **out, sgm_wave_errors *e, const sgm_item *g,
                        const sgm_plan *plan, const mpfi_t power, mpfr_srcptr spacing,
                        uint64_t last)
{
    place at;
    fixed128 step, all = 0;
    *out = NULL;
    if (!place_init(&at, g, plan, power) || !fixed_set_fr(&step, spacing) ||
        !(fixed_get_d(step) * (at.largest + 4) < MOST_EXPONENT) || last > UINT32_MAX)
        return DP_UNDECIDED;
    sgm_waves *made = memory_new(1, sizeof *made + (plan->count + 1) * sizeof made->wave[0]);
    if (made == NULL)
        return DP_MEMORY;
    made->count = 0;
    made->scale = scale_of(&at, plan);
    for (int64_t j = plan->first; j <= plan->last; j++) {
        node of;
        j = sgm_next_node(plan, j);
        if (!set_node(&of, &at, j) ||
            !set_wave(&made->wave[made->count++], &all, &at, &of, step, made->scale)) {
            memory_free(made);
            return DP_UNDECIDED;
        }
    }
    double count = (double)made->count, share = ceil(2 * fabs(plan->power) * at.error) + 64;
    set_error(e->own, all, share, (8 + 4 * ((double)last + 1)) * count, made->scale);
    set_error(e->all, all, ldexp(1, FIXED_POINT), 0, made->scale);
    mpfr_add(e->all, e->all, e->own, MPFR_RNDU);
    double turn = ceil(2 * fixed_get_d(step) * at.error + 2 * at.largest + 1) + 64;
    set_error(e->turn, 0, 0, turn, 0);
    *out = made;
    return DP_OK;
}

size_t sgm_waves_count(const sgm_waves *a)
{
    return a->count;
}

void sgm_waves_free(sgm_waves *a)
{
    memory_free(a);
}

void sgm_waves_next(sgm_waves *a)
{
    for (size_t i = 0; i < a->count; i++) {
        wave *e = &a->wave[i];
        fixed128 re = fixed_mul(e->re, e->turn_re) - fixed_mul(e->im, e->turn_im);
        e->im = fixed_mul(e->re, e->turn_im) + fixed_mul(e->im, e->turn_re);
        e->re = re;
    }
}

void sgm_waves_sum(mpfr_t re, mpfr_t im, const sgm_waves *a)
{
    fixed128 x = 0, y = 0;
    for (size_t i = 0; i < a->count; i++) {
        x += a->wave[i].re;
        y += a->wave[i].im;
    }
    fixed_get_fr(re, x, MPFR_RNDN);
    mpfr_mul_2si(re, re, a->scale, MPFR_RNDN);
    fixed_get_fr(im, y, MPFR_RNDN);
    mpfr_mul_2si(im, im, a->scale, MPFR_RNDN);
}

#else

bool sgm_fixed_pow(cball *z, const mpz_t times, mpfr_prec_t depth)
{
    (void)z, (void)times, (void)depth;
    return false;
}

bool sgm_fixed_sum(mpfi_t sum, const sgm_item *g, const sgm_plan *plan, const mpfi_t power,
                   mpfr_srcptr t, mpfr_prec_t bits)
{
    (void)sum, (void)g, (void)plan, (void)power, (void)t, (void)bits;
    return false;
}

dp_status sgm_waves_new(sgm_waves **out, sgm_wave_errors *e, const sgm_item *g,
                        const sgm_plan *plan, const mpfi_t power, mpfr_srcptr spacing,
                        uint64_t last)
{
    (void)e, (void)g, (void)plan, (void)power, (void)spacing, (void)last;
    *out = NULL;
    return DP_UNDECIDED;
}

size_t sgm_waves_count(const sgm_waves *a)
{
    (void)a;
    return 0;
}

void sgm_waves_free(sgm_waves *a)
{
    (void)a;
}

void sgm_waves_next(sgm_waves *a)
{
    (void)a;
}

void sgm_waves_sum(mpfr_t re, mpfr_t im, const sgm_waves *a)
{
    (void)re, (void)im, (void)a;
}

#endif
