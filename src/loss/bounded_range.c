/* SPDX-License-Identifier: MIT */
/* The law of the pair above mechanisms of bounded range. With g(w) = ln(sinh(w)/w), w = eta |z +
 * 1/2|, one use has K(z) = g(w) - g(eta/2). */
#include "loss/bounded_range.h"

#include <math.h>
#include <stdlib.h>

#include "loss/bounded_range_nodes.h"
#include "loss/even.h"
#include "num/ival.h"
#include "num/memory.h"
#include "num/number.h"

static void law_clear(void *self)
{
    bounded_range *b = self;
    for (size_t i = 0; i < b->items; i++) {
        dp_number_clear(&b->item[i].eta);
        mpz_clear(b->item[i].times);
    }
    memory_free(b->item);
    memory_free(b);
}

static double law_factors(const void *self)
{
    return (double)((const bounded_range *)self)->items;
}

/* A power is formed with the bits that it costs (bounded_range_nodes.c). */
static void law_uses(mpz_t to, const void *self)
{
    mpz_add_ui(to, to, ((const bounded_range *)self)->items);
}

/* ---- guesses -------------------------------------------------------------------------------- */
#define SERIES 0.05  /* of w, below which quotients cancel */
#define TANGENT 1e-8 /* of z(z+1), below which differences do */
#define FAR 300.0    /* of w, beyond which sinh(w)^-2 is nothing */

static double slope_of(double w)
{
    return w < SERIES ? w / 3 * (1 - w * w / 15) : 1 / tanh(w) - 1 / w;
}

static double bend_of(double w)
{
    if (w < SERIES)
        return (1 - w * w / 5) / 3;
    return 1 / (w * w) - (w < FAR ? 1 / (sinh(w) * sinh(w)) : 0);
}

static double g_of(double w)
{
    if (w < SERIES)
        return w * w / 6 * (1 - w * w / 30);
    return w - log(2 * w) + log1p(-exp(-2 * w));
}

/* K is that of w^2, and w^2 - (eta/2)^2 = eta^2 z(z+1). */
static double guess_moment(double eta, double w, double z)
{
    double square = z * (z + 1), half = eta / 2;
    if (fabs(square) * fmax(1, eta * eta) < TANGENT)
        return eta * square * slope_of(half);
    if (fmax(w, half) < SERIES)
        return eta * eta * square / 6 * (1 - (w * w + half * half) / 30);
    if (fmin(w, half) < SERIES)
        return g_of(w) - g_of(half);
    double near = z > -0.5 ? z : -1 - z; /* w = half + eta near */
    return eta * near - log1p(2 * near) + log1p(-exp(-2 * w)) - log1p(-exp(-eta));
}

static void law_guess(double k[3], const void *self, double z, unsigned which)
{
    const bounded_range *b = self;
    for (size_t i = 0; i < b->items; i++) {
        double eta = b->item[i].guess, count = b->item[i].count, w = eta * fabs(z + 0.5);
        if ((which & LOSS_K) != 0)
            k[0] += count * guess_moment(eta, w, z);
        if ((which & LOSS_K1) != 0)
            k[1] += count * eta * (z < -0.5 ? -slope_of(w) : slope_of(w));
        if ((which & LOSS_K2) != 0)
            k[2] += count * eta * eta * bend_of(w);
    }
}

static void law_guess_range(double *top, double *reach, const void *self)
{
    const bounded_range *b = self;
    for (size_t i = 0; i < b->items; i++) {
        *top += b->item[i].count * b->item[i].guess;
        *reach = fmax(*reach, b->item[i].guess);
    }
}

/* ---- real moments --------------------------------------------------------------------------- */
/* Bits by which K is smaller than its terms, which is about eta^2 z(z+1) / 6 where that is small.
 * Where there are more, the enclosure is wide. */
#define MOST_LOST 32768

static mpfr_prec_t lost_bits(const window *l, mpfr_srcptr z)
{
    MPFR_DECL_INIT(part, 64);
    mpfr_exp_t lost = 0;
    int e = ilogb(l->guess);
    lost += e < 0 ? -2 * e : e;
    for (unsigned long shift = 0; shift < 2; shift++) {
        mpfr_add_ui(part, z, shift, MPFR_RNDN);
        if (mpfr_regular_p(part))
            lost += labs(mpfr_get_exp(part));
    }
    return lost < MOST_LOST ? lost : MOST_LOST;
}

/* out = 1 - e^-x */
static void lacks(mpfi_t out, const mpfi_t x)
{
    mpfi_neg(out, x);
    mpfi_expm1(out, out);
    mpfi_neg(out, out);
}

#define MOMENT_LOGS 8
/* k encloses K of one use at the number z: with near = z or -1 - z, whichever is at least -1/2,
 *     eta near + ln((1 - e^(-eta (1 + 2 near))) / ((1 + 2 near) (1 - e^-eta))),
 * the quotient of the first and 1 + 2 near being eta at -1/2. */
static void moment_at(mpfi_t k, const void *item, mpfr_srcptr z, const limits *lim)
{
    const window *l = item;
    if (mpfr_zero_p(z) || mpfr_cmp_si(z, -1) == 0) {
        mpfi_set_ui(k, 0);
        return;
    }
    mpfr_prec_t bits = mpfi_get_prec(k) + 32;
    mpfr_prec_t lost = lost_bits(l, z);
    if (limits_remain(lim, MOMENT_LOGS, bits + lost))
        bits += lost;
    mpfi_t eta, near, rise, part;
    mpfi_ptr all[] = {eta, near, rise, part};
    for (size_t i = 0; i < 4; i++)
        mpfi_init2(all[i], bits);
    ival_set_number(eta, &l->eta);
    mpfi_set_fr(near, z);
    if (mpfr_cmp_d(z, -0.5) < 0) {
        mpfi_add_ui(near, near, 1);
        mpfi_neg(near, near);
    }
    if (mpfr_cmp_d(z, -0.5) == 0) {
        mpfi_set(part, eta);
    } else {
        mpfi_mul_2ui(rise, near, 1);
        mpfi_add_ui(rise, rise, 1);
        mpfi_mul(part, rise, eta);
        lacks(part, part);
        mpfi_div(part, part, rise);
    }
    lacks(rise, eta);
    mpfi_div(part, part, rise);
    mpfi_log(part, part);
    mpfi_mul(near, near, eta);
    mpfi_add(k, part, near);
    for (size_t i = 0; i < 4; i++)
        mpfi_clear(all[i]);
}

static void law_log_moment(mpfi_t k, const void *self, const mpfi_t z, const limits *lim)
{
    const bounded_range *b = self;
    mpfi_t one;
    mpfi_init2(one, mpfi_get_prec(k));
    mpfi_set_ui(k, 0);
    for (size_t i = 0; i < b->items; i++) {
        even_moment(one, moment_at, &b->item[i], z, lim);
        ival_mul_z(one, one, b->item[i].times);
        mpfi_add(k, k, one);
    }
    mpfi_clear(one);
}

/* ---- exact and closed ----------------------------------------------------------------------- */
static bool law_top(logform *to, const void *self)
{
    const bounded_range *b = self;
    mpq_t times;
    mpq_init(times);
    bool ok = true;
    for (size_t i = 0; ok && i < b->items; i++) {
        mpq_set_z(times, b->item[i].times);
        ok = logform_add_number(to, times, &b->item[i].eta);
    }
    mpq_clear(times);
    return ok;
}

/* At a number x; slope is about e^x Q(L > x) = u (1 - u) / (1 - e^-eta), u = e^((x - eta)/2). */
static void profile_at(mpfi_t s, mpfr_t slope, const mpfi_t eta, mpfr_srcptr x)
{
    mpfi_t gap, part;
    mpfi_init2(gap, mpfi_get_prec(eta));
    mpfi_init2(part, mpfi_get_prec(eta));
    mpfi_set_fr(part, x);
    mpfi_add(gap, eta, part);
    mpfr_set_zero(slope, 1);
    if (mpfr_sgn(&gap->right) <= 0) { /* x <= -eta, or nearly: there it is 1 - e^x too */
        mpfi_exp(part, part);
        mpfr_set(slope, &part->left, MPFR_RNDN);
        mpfi_ui_sub(s, 1, part);
    } else {
        mpfi_sub(gap, eta, part);
        ival_at_least_zero(gap); /* beyond eta it is 0 */
        mpfi_div_2ui(gap, gap, 1);
        lacks(gap, gap);
        lacks(part, eta);
        mpfr_ui_sub(slope, 1, &gap->left, MPFR_RNDN);
        mpfr_mul(slope, slope, &gap->left, MPFR_RNDN);
        mpfr_div(slope, slope, &part->left, MPFR_RNDN);
        mpfi_sqr(gap, gap);
        mpfi_div(s, gap, part);
        mpfi_set_fr(part, x);
        mpfi_add(gap, eta, part);
        if (mpfr_sgn(&gap->left) < 0) /* on either side of -eta */
            mpfi_interv_si(s, 0, 1);
    }
    mpfi_clear(part);
    mpfi_clear(gap);
}

/* The profile falls, so each end is that of an end of x. */
void bounded_range_profile(mpfi_t s, mpfr_t slope, const dp_number *eta, const mpfi_t x)
{
    mpfi_t wide, other;
    mpfi_init2(wide, mpfi_get_prec(s) + mpfi_get_prec(x) + 32);
    mpfi_init2(other, mpfi_get_prec(s));
    ival_set_number(wide, eta);
    profile_at(s, slope, wide, &x->left);
    profile_at(other, slope, wide, &x->right);
    mpfr_swap(&s->left, &other->left);
    mpfi_clear(other);
    mpfi_clear(wide);
}

/* One use, or few of one eta. */
static bool law_profile(mpfi_t s, mpfr_t slope, const void *self, const mpfi_t x)
{
    const bounded_range *b = self;
    if (b->items != 1 || !mpfr_number_p(&x->left) || !mpfr_number_p(&x->right))
        return false;
    if (mpz_cmp_ui(b->item[0].times, 1) != 0)
        return bounded_range_sum(s, slope, &b->item[0], x);
    bounded_range_profile(s, slope, &b->item[0].eta, x);
    return true;
}

static const loss_ops bounded_range_ops = {
    .name = "bounded range",
    .clear = law_clear,
    .symmetric = true,
    .of_class = true,
    .factors = law_factors,
    .uses = law_uses,
    .guess = law_guess,
    .guess_range = law_guess_range,
    .log_moment = law_log_moment,
    .multiply = bounded_range_multiply,
    .decay = bounded_range_decay,
    .top = law_top,
    .profile = law_profile,
};

/* ---- adding --------------------------------------------------------------------------------- */
#define MOST_GUESS 1e150 /* its square is a double */

/* The item, made where there is none; NULL: out of memory. */
static window *place(bounded_range *b, const dp_number *eta)
{
    size_t low = 0, high = b->items;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int side = number_order(&b->item[middle].eta, eta);
        if (side == 0)
            return &b->item[middle];
        *(side < 0 ? &low : &high) = side < 0 ? middle + 1 : middle;
    }
    if (b->items == b->room) {
        size_t room = b->room == 0 ? 4 : 2 * b->room;
        window *grown = memory_grow(b->item, room, sizeof *grown);
        if (grown == NULL)
            return NULL;
        b->item = grown;
        b->room = room;
    }
    for (size_t i = b->items++; i > low; i--)
        b->item[i] = b->item[i - 1];
    window *made = &b->item[low];
    dp_number_init(&made->eta);
    dp_number_set(&made->eta, eta);
    mpz_init(made->times);
    made->guess = fmax(fmin(ival_guess(eta), MOST_GUESS), 1 / MOST_GUESS);
    return made;
}

dp_status bounded_range_add(product *to, const dp_number *eta, const mpz_t times)
{
    if (dp_number_sgn(eta) == 0 || mpz_sgn(times) == 0)
        return DP_OK;
    to->upper_only = true;
    bounded_range *law = product_own(to, &bounded_range_ops, sizeof *law);
    window *item = law != NULL ? place(law, eta) : NULL;
    if (item == NULL)
        return DP_MEMORY;
    mpz_add(item->times, item->times, times);
    item->count = fmin(mpz_get_d(item->times), MOST_GUESS);
    return DP_OK;
}
