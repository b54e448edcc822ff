/* SPDX-License-Identifier: MIT */
/* The law of the loss of discrete Gaussian noise: its moments, and the lattice it lies on. */
#include "loss/discrete_gaussian.h"

#include <math.h>
#include <stdlib.h>

#include "loss/discrete.h"
#include "loss/discrete_gaussian_nodes.h"
#include "loss/even.h"
#include "num/ival.h"
#include "num/memory.h"
#include "num/number.h"

static void item_clear(integer_noise *n)
{
    mpq_clear(n->sigma2);
    mpz_clear(n->distance);
    mpz_clear(n->times);
    dp_number_clear(&n->half);
}

static void law_clear(void *self)
{
    discrete_gaussian *g = self;
    for (size_t i = 0; i < g->items; i++)
        item_clear(&g->item[i]);
    memory_free(g->item);
    memory_free(g);
}

static double law_factors(const void *self)
{
    return (double)((const discrete_gaussian *)self)->items;
}

/* A power is formed with the bits that it costs (discrete_gaussian_nodes.c). */
static void law_uses(mpz_t to, const void *self)
{
    mpz_add_ui(to, to, ((const discrete_gaussian *)self)->items);
}

/* ---- guesses -------------------------------------------------------------------------------- */
#define SMOOTH 1.0 /* of sigma2, from which on theta is 1 within 1e-8 */
#define AROUND 10  /* integers on either side that count below it */
#define NEAR 0.1   /* of sigma2: nearer to an integer quotients of sums cancel */

/* Tilted by z the noise is around -zD: the mean and variance of its distance from there, and the
 * logarithm of its sum over that at 0. */
static double around(double *mean, double *variance, double w, double sigma2)
{
    double away = w - rint(w), sum = 0, first = 0, second = 0, norm = 0, rise = 0;
    for (int j = -AROUND; j <= AROUND; j++) {
        double x = j + away, mass = exp(-j * (j + 2 * away) / (2 * sigma2));
        sum += mass;
        if (fabs(away) < NEAR * sigma2)
            rise += exp(-(double)j * j / (2 * sigma2)) * 2 * pow(sinh(j * away / (2 * sigma2)), 2);
        first += mass * x;
        second += mass * x * x;
        norm += exp(-(double)j * j / (2 * sigma2));
    }
    *mean = first / sum;
    *variance = second / sum - *mean * *mean;
    double rest = fabs(away) < NEAR * sigma2 ? log1p(rise / norm) : log(sum / norm);
    return rest - away * away / (2 * sigma2);
}

static void law_guess(double k[3], const void *self, double z, unsigned which)
{
    const discrete_gaussian *g = self;
    for (size_t i = 0; i < g->items; i++) {
        const integer_noise *n = &g->item[i];
        double s = n->variance, d = n->moved, scale = d / s * d, mean = 0, variance = s, more = 0;
        if (s < SMOOTH)
            more = around(&mean, &variance, z * d, s);
        if ((which & LOSS_K) != 0)
            k[0] += n->count * (scale / 2 * z * (z + 1) + more);
        if ((which & LOSS_K1) != 0)
            k[1] += n->count * (scale * (z + 0.5) - d / s * mean);
        if ((which & LOSS_K2) != 0)
            k[2] += n->count * scale / s * variance;
    }
}

#define REACH 8.0 /* standard deviations */

static void law_guess_range(double *top, double *reach, const void *self)
{
    const discrete_gaussian *g = self;
    *top = HUGE_VAL;
    for (size_t i = 0; i < g->items; i++) {
        const integer_noise *n = &g->item[i];
        double apart = n->moved / n->variance;
        *reach = fmax(*reach, apart * (n->moved / 2 + REACH * sqrt(n->variance) + 1));
    }
}

/* ---- real moments --------------------------------------------------------------------------- */
/* Bits by which K is smaller than 1, or z D longer: where there are more, the enclosure is wide. */
#define MOST_LOST 32768

static mpfr_prec_t lost_bits(const integer_noise *n, mpfr_srcptr z)
{
    MPFR_DECL_INIT(part, 64);
    mpfr_exp_t lost = (mpfr_exp_t)mpz_sizeinbase(n->distance, 2);
    if (n->variance > 1)
        lost += ilogb(n->variance);
    for (unsigned long shift = 0; shift < 2; shift++) {
        mpfr_add_ui(part, z, shift, MPFR_RNDN);
        if (mpfr_regular_p(part))
            lost += labs(mpfr_get_exp(part));
    }
    return lost < MOST_LOST ? lost : MOST_LOST;
}

#define MOMENT_LOGS 8
/* k encloses ln M of one use at the number z: D^2 z(z+1) / (2 sigma2) + ln(1 - fall/norm). */
static void moment_at(mpfi_t k, const void *item, mpfr_srcptr z, const limits *lim)
{
    const integer_noise *n = item;
    if (mpfr_zero_p(z) || mpfr_cmp_si(z, -1) == 0) {
        mpfi_set_ui(k, 0);
        return;
    }
    mpfr_prec_t bits = mpfi_get_prec(k) + 32;
    mpfr_prec_t far = lost_bits(n, z), lost = far + discrete_gaussian_lost(n->variance);
    if (limits_remain(lim, MOMENT_LOGS, bits + lost))
        bits += lost;
    mpfi_t sigma2, w, norm, fall;
    mpfi_ptr all[] = {sigma2, w, norm, fall};
    for (size_t i = 0; i < 4; i++)
        mpfi_init2(all[i], bits);
    mpfi_set_q(sigma2, n->sigma2);
    mpfi_set_fr(w, z);
    mpfi_mul_z(w, w, n->distance);
    /* of an angle of more bits no part of a turn is known */
    bool placed = mpfr_get_exp(z) <= 0 || far < MOST_LOST;
    if (placed) {
        discrete_gaussian_waves(norm, fall, sigma2, w);
        mpfi_div(fall, fall, norm);
        mpfi_neg(fall, fall);
        mpfi_log1p(fall, fall);
    }
    if (!placed || ival_bad(fall)) { /* no more than 0 is known */
        mpfr_set_inf(&fall->left, -1);
        mpfr_set_zero(&fall->right, 1);
    }
    mpfi_set_fr(norm, z);
    mpfi_add_ui(norm, norm, 1);
    mpfi_mul_z(norm, norm, n->distance);
    mpfi_mul(w, w, norm);
    mpfi_div(w, w, sigma2);
    mpfi_div_2ui(w, w, 1);
    mpfi_add(k, fall, w);
    for (size_t i = 0; i < 4; i++)
        mpfi_clear(all[i]);
}

static void law_log_moment(mpfi_t k, const void *self, const mpfi_t z, const limits *lim)
{
    const discrete_gaussian *g = self;
    mpfi_t one;
    mpfi_init2(one, mpfi_get_prec(k));
    mpfi_set_ui(k, 0);
    for (size_t i = 0; i < g->items; i++) {
        even_moment(one, moment_at, &g->item[i], z, lim);
        ival_mul_z(one, one, g->item[i].times);
        mpfi_add(k, k, one);
    }
    mpfi_clear(one);
}

/* ---- the lattice ---------------------------------------------------------------------------- */
/* A finer one is no better than none. */
#define STEP_BITS 512

static bool law_step(dp_number *step, bool *halved, const void *self)
{
    *halved = false;
    const discrete_gaussian *g = self;
    if (g->items == 0) /* out of memory */
        return false;
    dp_number both[2];
    dp_number_init(&both[0]);
    dp_number_init(&both[1]);
    dp_number_set(step, &g->item[0].half);
    bool ok = number_bits(step) <= STEP_BITS;
    for (size_t i = 1; ok && i < g->items; i++) {
        dp_number_set(&both[0], step);
        dp_number_set(&both[1], &g->item[i].half);
        ok = discrete_gcd(step, both, 2) && number_bits(step) <= STEP_BITS;
    }
    dp_number_clear(&both[1]);
    dp_number_clear(&both[0]);
    return ok;
}

/* At noise 0 every loss is D^2 / (2 sigma2). */
static bool law_some(logform *to, const void *self)
{
    const discrete_gaussian *g = self;
    mpq_t lost;
    mpq_init(lost);
    bool ok = true;
    for (size_t i = 0; ok && i < g->items; i++) {
        mpz_mul(mpq_numref(lost), g->item[i].times, g->item[i].distance);
        mpz_set_ui(mpq_denref(lost), 1);
        ok = logform_add_q(to, lost, number_rational(&g->item[i].half));
    }
    mpq_clear(lost);
    return ok;
}

/* More terms than this cost more than a contour. */
#define CLOSED_VARIANCE 64.0

static bool law_profile(mpfi_t s, mpfr_t slope, const void *self, const mpfi_t x)
{
    const discrete_gaussian *g = self;
    const integer_noise *n = &g->item[0];
    if (g->items != 1 || mpz_cmp_ui(n->times, 1) != 0 || n->variance > CLOSED_VARIANCE ||
        !mpfr_number_p(&x->left) || !mpfr_number_p(&x->right))
        return false;
    discrete_gaussian_profile(s, slope, n->sigma2, n->distance, x);
    return true;
}

static const loss_ops discrete_gaussian_ops = {
    .name = "discrete Gaussian noise",
    .clear = law_clear,
    .symmetric = true,
    .factors = law_factors,
    .uses = law_uses,
    .guess = law_guess,
    .guess_range = law_guess_range,
    .log_moment = law_log_moment,
    .multiply = discrete_gaussian_multiply,
    .resonances = discrete_gaussian_resonances,
    .step = law_step,
    .some = law_some,
    .profile = law_profile,
};

/* ---- adding --------------------------------------------------------------------------------- */
static int order(const integer_noise *n, const mpq_t sigma2, const mpz_t distance)
{
    int by_sigma2 = mpq_cmp(n->sigma2, sigma2);
    return by_sigma2 != 0 ? by_sigma2 : mpz_cmp(n->distance, distance);
}

#define MOST_GUESS 1e150 /* its square is a double */

static void item_init(integer_noise *n, const mpq_t sigma2, const mpz_t distance)
{
    mpq_t half;
    mpq_init(half);
    mpq_init(n->sigma2);
    mpq_set(n->sigma2, sigma2);
    mpz_init_set(n->distance, distance);
    mpz_init(n->times);
    dp_number_init(&n->half);
    mpq_set_z(half, distance);
    mpq_div(half, half, sigma2);
    mpq_div_2exp(half, half, 1);
    number_set_q(&n->half, half);
    n->variance = fmin(mpq_get_d(sigma2), MOST_GUESS);
    n->moved = mpz_get_d(distance);
    mpq_clear(half);
}

/* The item, made where there is none; NULL: out of memory. */
static integer_noise *place(discrete_gaussian *g, const mpq_t sigma2, const mpz_t distance)
{
    size_t low = 0, high = g->items;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int side = order(&g->item[middle], sigma2, distance);
        if (side == 0)
            return &g->item[middle];
        *(side < 0 ? &low : &high) = side < 0 ? middle + 1 : middle;
    }
    if (g->items == g->room) {
        size_t room = g->room == 0 ? 4 : 2 * g->room;
        integer_noise *grown = memory_grow(g->item, room, sizeof *grown);
        if (grown == NULL)
            return NULL;
        g->item = grown;
        g->room = room;
    }
    for (size_t i = g->items++; i > low; i--)
        g->item[i] = g->item[i - 1];
    item_init(&g->item[low], sigma2, distance);
    return &g->item[low];
}

dp_status discrete_gaussian_add(product *to, const mpq_t sigma2, const mpz_t distance,
                                const mpz_t times)
{
    if (mpq_cmp_ui(sigma2, 1, DISCRETE_GAUSSIAN_FINEST) < 0 || mpz_sgn(distance) <= 0 ||
        mpz_cmp_ui(distance, DISCRETE_GAUSSIAN_FARTHEST) > 0)
        return DP_DOMAIN;
    if (mpz_sgn(times) == 0)
        return DP_OK;
    discrete_gaussian *law = product_own(to, &discrete_gaussian_ops, sizeof *law);
    integer_noise *item = law != NULL ? place(law, sigma2, distance) : NULL;
    if (item == NULL)
        return DP_MEMORY;
    mpz_add(item->times, item->times, times);
    item->count = fmin(mpz_get_d(item->times), MOST_GUESS);
    return DP_OK;
}
