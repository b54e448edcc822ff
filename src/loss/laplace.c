/* SPDX-License-Identifier: MIT */
/* The law of the loss of the Laplace mechanism. With w = eps (z + 1/2) and q = 1/(2z+1),
 *     M(z) = e^(-eps/2) (cosh w + (eps/2) sinh(w)/w)
 *          = e^(-eps/2) ((1+q) e^w + (1-q) e^-w) / 2,
 * which is even in w: M(-1-z) = M(z), and z = -1/2 is no pole. */
#include "loss/laplace.h"

#include <math.h>
#include <stdlib.h>

#include "loss/even.h"
#include "loss/laplace_nodes.h"
#include "num/ival.h"
#include "num/memory.h"

static void law_clear(void *self)
{
    laplace *l = self;
    for (size_t i = 0; i < l->items; i++) {
        mpq_clear(l->item[i].epsilon);
        mpz_clear(l->item[i].times);
    }
    memory_free(l->item);
    memory_free(l);
}

static double law_factors(const void *self)
{
    return (double)((const laplace *)self)->items;
}

/* A power is formed with the bits that it costs (laplace_nodes.c). */
static void law_uses(mpz_t to, const void *self)
{
    mpz_add_ui(to, to, ((const laplace *)self)->items);
}

/* ---- guesses -------------------------------------------------------------------------------- */
#define SERIES 0.05 /* of |w|, below which quotients cancel */
#define FAR 20.0    /* of |w|, beyond which e^-2w is nothing */

/* ln(f e^-w) and its derivatives, f = cosh w + (eps/2) sinh(w)/w, w >= 0 */
static void guess_far(double k[3], double w, double half)
{
    k[0] = log1p(half / w) - log(2);
    k[1] = 1 - half / (w * (w + half));
    k[2] = 1 / (w * w) - 1 / ((w + half) * (w + half));
}

static void guess_near(double k[3], double w, double half)
{
    double c = cosh(w), s = sinh(w), square = w * w;
    double q[3] = {1 + square / 6, w / 3 * (1 + square / 10), (1 + 0.3 * square) / 3};
    if (w > SERIES) {
        q[0] = s / w;
        q[1] = (c - q[0]) / w;
        q[2] = q[0] - 2 * q[1] / w;
    }
    double f = c + half * q[0], first = (s + half * q[1]) / f;
    k[0] = log(f) - w;
    k[1] = first;
    k[2] = (c + half * q[2]) / f - first * first;
}

#define TANGENT 1e-8

/* K, of w - eps/2 and ln(f e^-w); near its zeros by the tangent in z(z+1), for small ones by f(w) -
 * f(eps/2) over w^2 - (eps/2)^2, which is eps^2 z(z+1). */
static double guess_moment(double scaled, double w, double z, double eps)
{
    double half = eps / 2, a = w * w, b = half * half;
    if (fabs(z * (z + 1)) * fmax(1, eps * eps) < TANGENT && eps > 1)
        return z * (z + 1) * (eps + expm1(-eps));
    if (fmax(a, b) > 0.25)
        return scaled + eps * (z > -0.5 ? z : -1 - z);
    double terms[] = {1, a + b, a * a + a * b + b * b};
    double more = terms[0] / 2 + terms[1] / 24 + terms[2] / 720 +
                  half * (terms[0] / 6 + terms[1] / 120 + terms[2] / 5040);
    return log1p(exp(-half) * eps * eps * z * (z + 1) * more);
}

static void law_guess(double k[3], const void *self, double z, unsigned which)
{
    const laplace *l = self;
    for (size_t i = 0; i < l->items; i++) {
        double eps = l->item[i].guess, count = l->item[i].count;
        double w = eps * fabs(z + 0.5), own[3];
        (w > FAR ? guess_far : guess_near)(own, w, eps / 2);
        if ((which & LOSS_K) != 0)
            k[0] += count * guess_moment(own[0], w, z, eps);
        if ((which & LOSS_K1) != 0)
            k[1] += count * eps * (z < -0.5 ? -own[1] : own[1]);
        if ((which & LOSS_K2) != 0)
            k[2] += count * eps * eps * own[2];
    }
}

static void law_guess_range(double *top, double *reach, const void *self)
{
    const laplace *l = self;
    for (size_t i = 0; i < l->items; i++) {
        *top += l->item[i].count * l->item[i].guess;
        *reach = fmax(*reach, l->item[i].guess);
    }
}

/* ---- real moments --------------------------------------------------------------------------- */
/* w = |z + 1/2| eps, for a number z */
static void distance(mpfi_t w, const mpfi_t eps, mpfr_srcptr z)
{
    mpfi_set_fr(w, z);
    mpfi_add_d(w, w, 0.5);
    mpfi_abs(w, w);
    mpfi_mul(w, w, eps);
}

/* Bits by which K is smaller than its terms: M - 1 is about eps^2 z(z+1)/2 for a small eps and at
 * most of that order in z(z+1) else. Where there are more, the enclosure is wide. */
#define MOST_LOST 32768

static mpfr_prec_t lost_bits(const laplace_item *l, mpfr_srcptr z)
{
    MPFR_DECL_INIT(part, 64);
    mpfr_exp_t lost = 0;
    mpfr_set_q(part, l->epsilon, MPFR_RNDN);
    mpfr_exp_t e = mpfr_get_exp(part);
    lost += e < 0 ? -2 * e : e; /* a large eps costs the length of eps z */
    for (unsigned long shift = 0; shift < 2; shift++) {
        mpfr_add_ui(part, z, shift, MPFR_RNDN);
        if (mpfr_regular_p(part))
            lost += labs(mpfr_get_exp(part));
    }
    return lost < MOST_LOST ? lost : MOST_LOST;
}

#define MOMENT_LOGS 8
/* k encloses ln M of one use at the number z: ln(whole + (eps/2) half) + w - eps/2, where the last
 * two are formed as eps z or -eps (z+1), whichever is w - eps/2. */
static void moment_at(mpfi_t k, const void *item, mpfr_srcptr z, const limits *lim)
{
    const laplace_item *l = item;
    mpfr_prec_t bits = mpfi_get_prec(k) + 32;
    if (mpfr_zero_p(z) || mpfr_cmp_si(z, -1) == 0) {
        mpfi_set_ui(k, 0);
        return;
    }
    mpfr_prec_t lost = lost_bits(l, z);
    if (limits_remain(lim, MOMENT_LOGS, bits + lost))
        bits += lost;
    mpfi_t eps, w, whole, half;
    mpfi_t *all[] = {&eps, &w, &whole, &half};
    for (size_t i = 0; i < 4; i++)
        mpfi_init2(*all[i], bits);
    mpfi_set_q(eps, l->epsilon);
    distance(w, eps, z);
    laplace_scaled(whole, half, w, eps);
    mpfi_add(whole, whole, half);
    mpfi_log(whole, whole);
    mpfi_set_fr(w, z);
    if (mpfr_cmp_d(z, -0.5) < 0) {
        mpfi_add_ui(w, w, 1);
        mpfi_neg(w, w);
    }
    mpfi_mul(w, w, eps);
    mpfi_add(k, whole, w);
    for (size_t i = 0; i < 4; i++)
        mpfi_clear(*all[i]);
}

static void law_log_moment(mpfi_t k, const void *self, const mpfi_t z, const limits *lim)
{
    const laplace *l = self;
    mpfi_t one;
    mpfi_init2(one, mpfi_get_prec(k));
    mpfi_set_ui(k, 0);
    for (size_t i = 0; i < l->items; i++) {
        even_moment(one, moment_at, &l->item[i], z, lim);
        ival_mul_z(one, one, l->item[i].times);
        mpfi_add(k, k, one);
    }
    mpfi_clear(one);
}

#define MOST_TERMS 1048576.0 /* of the closed form */

/* ---- exact and closed ----------------------------------------------------------------------- */
static bool law_top(logform *to, const void *self)
{
    const laplace *l = self;
    mpq_t times;
    mpq_init(times);
    bool ok = true;
    for (size_t i = 0; ok && i < l->items; i++) {
        mpq_set_z(times, l->item[i].times);
        ok = logform_add_q(to, times, l->item[i].epsilon);
    }
    mpq_clear(times);
    return ok;
}

/* The profile falls, so each end is that of an end of x. */
static bool law_profile(mpfi_t s, mpfr_t slope, const void *self, const mpfi_t x)
{
    if (laplace_terms(self) > MOST_TERMS || !mpfr_number_p(&x->left) || !mpfr_number_p(&x->right))
        return false;
    laplace_profile_number(s, slope, self, &x->left);
    if (mpfr_equal_p(&x->left, &x->right))
        return true;
    mpfi_t other;
    mpfi_init2(other, mpfi_get_prec(s));
    laplace_profile_number(other, slope, self, &x->right);
    mpfr_swap(&s->left, &other->left);
    mpfi_clear(other);
    return true;
}

static const loss_ops laplace_ops = {
    .name = "laplace",
    .clear = law_clear,
    .symmetric = true,
    .factors = law_factors,
    .uses = law_uses,
    .guess = law_guess,
    .guess_range = law_guess_range,
    .log_moment = law_log_moment,
    .multiply = laplace_multiply,
    .blocks = laplace_blocks,
    .decay = laplace_decay,
    .resonances = laplace_resonances,
    .part = &laplace_part,
    .top = law_top,
    .profile = law_profile,
    .terms = laplace_terms,
};

/* ---- adding --------------------------------------------------------------------------------- */
#define MOST_GUESS 1e150 /* its square is a double */

/* The item of that epsilon, made where there is none; NULL: out of memory. */
static laplace_item *place(laplace *l, const mpq_t epsilon)
{
    for (size_t i = 0; i < l->items; i++)
        if (mpq_equal(l->item[i].epsilon, epsilon))
            return &l->item[i];
    if (l->items == l->room) {
        size_t room = l->room == 0 ? 4 : 2 * l->room;
        laplace_item *grown = memory_grow(l->item, room, sizeof *grown);
        if (grown == NULL)
            return NULL;
        l->item = grown;
        l->room = room;
    }
    laplace_item *last = &l->item[l->items++];
    mpq_init(last->epsilon);
    mpq_set(last->epsilon, epsilon);
    mpz_init(last->times);
    last->guess = fmin(mpq_get_d(epsilon), MOST_GUESS);
    return last;
}

dp_status laplace_add(product *to, const mpq_t epsilon, const mpz_t times)
{
    if (mpq_sgn(epsilon) == 0 || mpz_sgn(times) == 0)
        return DP_OK;
    laplace *law = product_own(to, &laplace_ops, sizeof *law);
    laplace_item *item = law != NULL ? place(law, epsilon) : NULL;
    if (item == NULL)
        return DP_MEMORY;
    mpz_add(item->times, item->times, times);
    item->count = fmin(mpz_get_d(item->times), MOST_GUESS);
    return DP_OK;
}

/* ---- other routes --------------------------------------------------------------------------- */
void laplace_kl(mpfi_t out, const mpq_t epsilon)
{
    /* eps^2/2 less what is smaller: twice the bits of a small eps cancel */
    MPFR_DECL_INIT(rough, 32);
    mpfr_set_q(rough, epsilon, MPFR_RNDN);
    mpfr_prec_t lost = mpfr_regular_p(rough) && mpfr_get_exp(rough) < 0 ? -mpfr_get_exp(rough) : 0;
    mpfi_t eps, fall;
    mpfi_init2(eps, mpfi_get_prec(out) + 8 + (lost < MOST_LOST ? lost : MOST_LOST));
    mpfi_init2(fall, mpfi_get_prec(eps));
    mpfi_set_q(eps, epsilon);
    mpfi_neg(fall, eps);
    mpfi_expm1(fall, fall);
    mpfi_add(out, eps, fall);
    ival_at_least_zero(out);
    mpfi_clear(fall);
    mpfi_clear(eps);
}

/* K(alpha - 1) / (alpha - 1) at the number alpha; its limits at 1 and infinity */
static void renyi_at(mpfi_t out, const laplace_item *l, mpfr_srcptr alpha)
{
    if (mpfr_inf_p(alpha)) {
        mpfi_set_q(out, l->epsilon);
        return;
    }
    if (mpfr_cmp_ui(alpha, 1) == 0) {
        laplace_kl(out, l->epsilon);
        return;
    }
    mpfr_t less; /* exact: alpha is above 1 */
    mpfr_init2(less, mpfr_get_prec(alpha));
    mpfr_sub_ui(less, alpha, 1, MPFR_RNDN);
    moment_at(out, l, less, NULL);
    mpfi_div_fr(out, out, less);
    mpfr_clear(less);
}

/* The divergence rises with the order. */
void laplace_renyi(mpfi_t out, const mpq_t epsilon, const mpfi_t alpha)
{
    laplace_item l;
    mpfi_t other;
    mpfi_set_ui(out, 0);
    if (mpq_sgn(epsilon) == 0)
        return;
    mpfi_init2(other, mpfi_get_prec(out));
    mpq_init(l.epsilon);
    mpq_set(l.epsilon, epsilon);
    renyi_at(out, &l, &alpha->left);
    renyi_at(other, &l, &alpha->right);
    mpfr_swap(&out->right, &other->right);
    mpq_clear(l.epsilon);
    mpfi_clear(other);
}
