/* SPDX-License-Identifier: MIT */
/* The sampled Gaussian with little noise: outcomes of records that took part and of those that did
 * not hardly overlap, and with A = 1 - q and B = q e^u, equal at y* = s ln(A/q) + 1/(2s),
 *     G(w) = A^w + [p >= 0] q^w e^(w(w-1)/2s^2) + E,   w = p + it,
 * the integrals of phi A^w and phi B^w. For numbers y1 <= y* <= y2 and W >= |w|, with Phi the
 * normal distribution function and N(v) = integral of phi (B/A)^v = e^(v ln(q/A) + v(v-1)/2s^2), p
 * >= 0   |E| / A^p <= W 2^p (q/A) Phi(y1 - 1/s) + (1 + 2^p) Phi(-y1)
 *                  + (1 + 2^p) N(p) Phi(y2 - p/s) + W 2^p N(p-1) Phi((p-1)/s - y2)
 *     p < 0    |E| / A^p <= W (q/A) Phi(y1 - 1/s) + 2 Phi(-y1)
 * For with m and M the lesser and the larger of A and B, |(1 + m/M)^w - 1| <= |w| (m/M) 2^max(p,0);
 * between y1 and y2 that is not used: r <= 2M there, r >= A for p < 0, and what was subtracted is
 * at most its own modulus. Phi(-v) <= e^(-v^2/2)/2 for v >= 0. */
#include <math.h>

#include "loss/line.h"
#include "loss/sampled_gaussian_parts.h"
#include "num/ival.h"

#define BOUND_BITS 64
#define LEAST_HALF 4.0 /* 1/(2s) from where on this is worth a look */

typedef struct split {
    const sgm_item *g;
    mpfi_t power, log_rest, odds, inverse, half, part; /* ln(1-q), ln(q/(1-q)), 1/s, 1/(2s^2) */
    mpfi_t share;                                      /* N(p), or 0 for p < 0 */
} split;

#define OWN 7
#define ALL(x)                                                                                     \
    {                                                                                              \
        (x)->power, (x)->log_rest, (x)->odds, (x)->inverse, (x)->half, (x)->part, (x)->share       \
    }

/* out = ln N(v) */
static void log_mass(mpfi_t out, const split *x, const mpfi_t v)
{
    mpfi_t part;
    mpfi_init2(part, mpfi_get_prec(out));
    mpfi_mul(part, v, x->odds);
    mpfi_sub_ui(out, v, 1);
    mpfi_mul(out, out, v);
    mpfi_mul(out, out, x->half);
    mpfi_add(out, out, part);
    mpfi_clear(part);
}

static void split_init(split *x, const sgm_item *g, const mpfi_t power, mpfr_prec_t bits)
{
    mpfi_ptr all[OWN] = ALL(x);
    for (size_t i = 0; i < OWN; i++)
        mpfi_init2(all[i], bits);
    x->g = g;
    mpfi_set(x->power, power);
    ival_log1m_q(x->log_rest, g->rate);
    ival_log_q(x->odds, g->rate);
    mpfi_sub(x->odds, x->odds, x->log_rest);
    mpfi_set_q(x->inverse, g->sigma);
    mpfi_ui_div(x->inverse, 1, x->inverse);
    mpfi_sqr(x->half, x->inverse);
    mpfi_div_2ui(x->half, x->half, 1);
    mpfi_set_ui(x->share, 0);
    if (mpfi_is_nonneg(power)) {
        log_mass(x->share, x, power);
        mpfi_exp(x->share, x->share);
    }
}

static void split_clear(split *x)
{
    mpfi_ptr all[OWN] = ALL(x);
    for (size_t i = 0; i < OWN; i++)
        mpfi_clear(all[i]);
}

/* out += factor Phi(v), rounded up */
static void add_normal(mpfr_t out, const mpfi_t v, mpfr_srcptr factor)
{
    MPFR_DECL_INIT(x, BOUND_BITS);
    mpfr_set_ui(x, 1, MPFR_RNDU);
    if (mpfr_sgn(&v->right) < 0) {
        mpfr_sqr(x, &v->right, MPFR_RNDD);
        mpfr_div_2ui(x, x, 1, MPFR_RNDD);
        mpfr_neg(x, x, MPFR_RNDU);
        mpfr_exp(x, x, MPFR_RNDU);
        mpfr_div_2ui(x, x, 1, MPFR_RNDU);
    }
    mpfr_mul(x, x, factor, MPFR_RNDU);
    mpfr_add(out, out, x, MPFR_RNDU);
}

/* y = y* -+ s ln W, a number on that side of y*; v and factor are scratch */
static void edge_of(mpfi_t y, const split *x, const mpfi_t log_w, bool upper)
{
    mpfi_t part;
    mpfi_init2(part, mpfi_get_prec(y));
    mpfi_neg(y, x->odds);
    mpfi_div_2ui(part, x->inverse, 1);
    mpfi_mul(part, part, x->inverse); /* 1/(2s^2) */
    mpfi_add(y, y, part);
    if (upper)
        mpfi_add(y, y, log_w);
    else
        mpfi_sub(y, y, log_w);
    mpfi_div(y, y, x->inverse);
    if (upper)
        mpfr_set(&y->left, &y->right, MPFR_RNDU);
    else
        mpfr_set(&y->right, &y->left, MPFR_RNDD);
    mpfi_clear(part);
}

/* The part of p >= 0 about y2. */
static void add_upper(mpfr_t most, split *x, const mpfi_t log_w, mpfr_srcptr twice, mpfr_srcptr w)
{
    MPFR_DECL_INIT(factor, BOUND_BITS);
    mpfi_t y, v, less;
    mpfi_init2(y, mpfi_get_prec(x->part));
    mpfi_init2(v, mpfi_get_prec(x->part));
    mpfi_init2(less, mpfi_get_prec(x->part));
    edge_of(y, x, log_w, true);
    mpfi_mul(v, x->power, x->inverse);
    mpfi_sub(v, y, v);
    mpfr_add_ui(factor, twice, 1, MPFR_RNDU);
    mpfr_mul(factor, factor, &x->share->right, MPFR_RNDU);
    add_normal(most, v, factor);
    mpfi_sub_ui(less, x->power, 1);
    log_mass(x->part, x, less);
    mpfi_exp(x->part, x->part);
    mpfr_mul(factor, w, twice, MPFR_RNDU);
    mpfr_mul(factor, factor, &x->part->right, MPFR_RNDU);
    mpfi_mul(v, less, x->inverse);
    mpfi_sub(v, v, y);
    add_normal(most, v, factor);
    mpfi_clear(less);
    mpfi_clear(v);
    mpfi_clear(y);
}

/* most >= |E| / A^p at all heights up to t */
static void split_error(mpfr_t most, split *x, mpfr_srcptr t)
{
    MPFR_DECL_INIT(w, BOUND_BITS);
    MPFR_DECL_INIT(twice, BOUND_BITS); /* 2^max(p, 0) */
    MPFR_DECL_INIT(factor, BOUND_BITS);
    mpfi_t y, v, log_w;
    bool positive = mpfi_is_nonneg(x->power);
    mpfi_init2(y, mpfi_get_prec(x->part));
    mpfi_init2(v, mpfi_get_prec(x->part));
    mpfi_init2(log_w, BOUND_BITS);
    mpfi_mag(w, x->power);
    mpfr_add(w, w, t, MPFR_RNDU);
    if (mpfr_cmp_ui(w, 1) < 0)
        mpfr_set_ui(w, 1, MPFR_RNDU);
    mpfi_set_fr(log_w, w);
    mpfi_log(log_w, log_w);
    mpfr_set_ui(twice, 1, MPFR_RNDU);
    if (positive)
        mpfr_exp2(twice, &x->power->right, MPFR_RNDU);
    mpfr_set_ui(most, 0, MPFR_RNDU);
    edge_of(y, x, log_w, false);
    mpfi_exp(x->part, x->odds);
    mpfr_mul(factor, w, twice, MPFR_RNDU);
    mpfr_mul(factor, factor, &x->part->right, MPFR_RNDU);
    mpfi_sub(v, y, x->inverse);
    add_normal(most, v, factor);
    mpfr_add_ui(factor, twice, 1, MPFR_RNDU);
    mpfi_neg(v, y);
    add_normal(most, v, factor);
    if (positive)
        add_upper(most, x, log_w, twice, w);
    if (!mpfr_number_p(most))
        mpfr_set_inf(most, 1);
    mpfi_clear(log_w);
    mpfi_clear(v);
    mpfi_clear(y);
}

/* out = 1 + N(p) +- error, G(p) / A^p; false: not to 2^-depth */
static bool ratio(mpfi_t out, const split *x, mpfr_srcptr error, mpfr_prec_t depth)
{
    MPFR_DECL_INIT(part, BOUND_BITS);
    mpfi_add_ui(out, x->share, 1);
    mpfr_mul_2si(part, error, (long)depth, MPFR_RNDU);
    bool ok = mpfr_number_p(&out->right) && mpfr_less_p(part, &out->left) &&
              (mpfi_is_nonneg(x->power) || mpfr_sgn(&x->power->right) < 0);
    mpfr_sub(&out->left, &out->left, error, MPFR_RNDD);
    mpfr_add(&out->right, &out->right, error, MPFR_RNDU);
    return ok && mpfr_sgn(&out->left) > 0;
}

bool sgm_has_split(const sgm_item *g)
{
    return g->group == 1 && 0.5 / g->s >= LEAST_HALF && g->s > 1e-6;
}

bool sgm_split_real(mpfi_t out, const sgm_item *g, const mpfi_t power, mpfr_prec_t depth)
{
    MPFR_DECL_INIT(error, BOUND_BITS);
    MPFR_DECL_INIT(zero, 8);
    split x;
    if (!sgm_has_split(g))
        return false;
    mpfr_set_ui(zero, 0, MPFR_RNDN);
    split_init(&x, g, power, mpfi_get_prec(out) + 64);
    split_error(error, &x, zero);
    bool ok = ratio(out, &x, error, depth);
    mpfi_mul(x.part, x.power, x.log_rest);
    mpfi_exp(x.part, x.part);
    mpfi_mul(out, out, x.part);
    split_clear(&x);
    return ok && !ival_bad(out);
}

/* out = (A^w + q^w e^(w(w-1)/2s^2)) / A^p at the height t, both errors apart */
static void split_node(cball *out, split *x, const mpfi_t t, cball *other)
{
    mpfi_t angle;
    mpfi_init2(angle, mpfi_get_prec(x->part));
    mpfi_mul(angle, x->log_rest, t);
    cball_turn(out, angle);
    if (mpfi_is_nonneg(x->power)) {
        mpfi_mul_2ui(angle, x->power, 1);
        mpfi_sub_ui(angle, angle, 1);
        mpfi_mul(angle, angle, x->half);
        mpfi_add(angle, angle, x->odds);
        mpfi_add(angle, angle, x->log_rest);
        mpfi_mul(angle, angle, t);
        cball_turn(other, angle);
        mpfi_sqr(angle, t);
        mpfi_mul(angle, angle, x->half);
        mpfi_neg(angle, angle);
        mpfi_exp(angle, angle);
        mpfi_mul(angle, angle, x->share);
        cball_mul_i(other, other, angle);
        cball_add(out, out, other);
    }
    mpfi_clear(angle);
}

bool sgm_split_multiply(cball *phi, const sgm_item *g, const line *at, const uint64_t *node,
                        size_t count, mpfr_prec_t depth)
{
    MPFR_DECL_INIT(error, BOUND_BITS);
    MPFR_DECL_INIT(one, 2);
    if (!sgm_has_split(g))
        return false;
    split x;
    mpfr_t c;
    mpfi_t power, t, whole;
    cball value, other;
    mpfr_prec_t bits = at->work + 64;
    mpfi_init2(t, BOUND_BITS);
    line_height(t, at, node[count - 1]);
    bits += (mpfr_prec_t)fmax(0, log2(fmax(1, mpfi_get_d(t))) - 2 * log2(g->s));
    mpfi_set_prec(t, bits);
    mpfi_init2(power, bits);
    mpfi_init2(whole, bits);
    mpfr_init2(c, 53);
    mpfr_set_d(c, at->c, MPFR_RNDN);
    sgm_power(power, g, c);
    split_init(&x, g, power, bits);
    line_height(t, at, node[count - 1]);
    split_error(error, &x, &t->right);
    bool ok = ratio(whole, &x, error, depth);
    if (ok) {
        mpfr_set_ui(one, 0, MPFR_RNDN);
        split_error(error, &x, one);
        ratio(whole, &x, error, depth);
        mpfi_ui_div(whole, 1, whole);
    }
    mpfr_set_ui(one, 1, MPFR_RNDN);
    cball_init(&value, at->work);
    cball_init(&other, at->work);
    for (size_t i = 0; ok && i < count; i++) {
        if (node[i] == 0)
            continue;
        line_height(t, at, node[i]);
        split_node(&value, &x, t, &other);
        split_error(error, &x, &t->right);
        mpfr_add(value.radius, value.radius, error, MPFR_RNDU);
        mpfr_add(value.size, value.size, error, MPFR_RNDU);
        cball_measure(&value);
        cball_mul_i(&value, &value, whole);
        cball_measure(&value);
        cball_cap(&value, one);
        if (g->add)
            mpfr_neg(value.im, value.im, MPFR_RNDN);
        cball_pow(&value, &value, g->times);
        cball_mul(&phi[i], &phi[i], &value);
    }
    cball_clear(&other);
    cball_clear(&value);
    split_clear(&x);
    mpfr_clear(c);
    mpfi_clear(whole);
    mpfi_clear(power);
    mpfi_clear(t);
    return ok;
}

/* ---- beside the near atom ------------------------------------------------------------------- */
bool sgm_near_atom(mpfi_t log, mpfi_t place, const void *self)
{
    const sgm *l = self;
    mpfi_t part;
    mpfi_init2(part, mpfi_get_prec(log));
    mpfi_set_ui(log, 0);
    mpfi_set_ui(place, 0);
    bool ok = true;
    for (size_t i = 0; i < l->items; i++) {
        const sgm_item *g = &l->item[i];
        ok = ok && sgm_has_split(g);
        ival_log1m_q(part, g->rate);
        ival_mul_z(part, part, g->times);
        if (g->add) {
            mpfi_sub(place, place, part);
        } else {
            mpfi_add(place, place, part);
            mpfi_add(log, log, part);
        }
    }
    mpfi_clear(part);
    return ok;
}

/* log += times ln(A^p/G), sum += times ln(1 + |G(w) - A^w| / A^p), rounded up, of heights from t to
 * far */
static void add_beside(mpfr_t log, mpfr_t sum, const sgm_item *g, double c, mpfr_srcptr t,
                       mpfr_srcptr far)
{
    MPFR_DECL_INIT(error, BOUND_BITS);
    MPFR_DECL_INIT(zero, 8);
    MPFR_DECL_INIT(exact, 53);
    split x;
    mpfi_t power, part;
    mpfi_init2(power, 2 * BOUND_BITS);
    mpfi_init2(part, 2 * BOUND_BITS);
    mpfr_set_d(exact, c, MPFR_RNDN);
    mpfr_set_ui(zero, 0, MPFR_RNDN);
    sgm_power(power, g, exact);
    split_init(&x, g, power, 2 * BOUND_BITS);
    split_error(error, &x, zero);
    bool ok = ratio(part, &x, error, 1);
    mpfi_log(part, part);
    mpfi_neg(part, part);
    ival_mul_z(part, part, g->times);
    mpfr_add(log, log, &part->right, MPFR_RNDU);
    split_error(error, &x, far);
    mpfi_set_fr(part, t);
    mpfi_sqr(part, part);
    mpfi_mul(part, part, x.half);
    mpfi_neg(part, part);
    mpfi_exp(part, part);
    mpfi_mul(part, part, x.share);
    mpfr_add(error, error, &part->right, MPFR_RNDU);
    mpfr_log1p(error, error, MPFR_RNDU);
    mpfi_set_fr(part, error);
    ival_mul_z(part, part, g->times);
    mpfr_add(sum, sum, &part->right, MPFR_RNDU);
    if (!ok)
        mpfr_set_inf(sum, 1);
    split_clear(&x);
    mpfi_clear(part);
    mpfi_clear(power);
}

/* |prod (a_i + d_i)^T_i - prod a_i^T_i| is at most prod |a_i|^T_i (prod (1 + |d_i/a_i|)^T_i - 1) */
void sgm_decay_beside(mpfr_t low, const void *self, double c, mpfr_srcptr t, mpfr_srcptr far)
{
    const sgm *l = self;
    MPFR_DECL_INIT(log, BOUND_BITS);
    MPFR_DECL_INIT(sum, BOUND_BITS);
    mpfr_set_ui(log, 0, MPFR_RNDU);
    mpfr_set_ui(sum, 0, MPFR_RNDU);
    for (size_t i = 0; i < l->items; i++)
        add_beside(log, sum, &l->item[i], c, t, far);
    mpfr_expm1(sum, sum, MPFR_RNDU);
    mpfr_log(sum, sum, MPFR_RNDU);
    mpfr_add(log, log, sum, MPFR_RNDU);
    mpfr_neg(low, log, MPFR_RNDD);
    if (!mpfr_number_p(low) || mpfr_sgn(low) < 0)
        mpfr_set_ui(low, 0, MPFR_RNDD);
}
