/* SPDX-License-Identifier: MIT */
/* Epsilons next to the largest loss, where the target is small beside the mass there: no contour
 * reaches them well. With Y = top - L >= 0 and any y, c > 0,
 *     E e^(-cY) <= P(Y <= y) + e^(-cy),   s(top - 2y) >= P(Y <= y) (1 - e^-y),
 * since x - L <= -y for x = top - 2y and Y <= y. So s* <= (e^(K(c) - c top) - e^(-cy)) (1 - e^-y)
 * proves that epsilon lies between top - 2y and top - s*: s(x) <= 1 - e^(x - top) <= top - x. The
 * latter tells it from a top that is a short decimal. */
#include <math.h>

#include "core/refine.h"
#include "engine/invert.h"
#include "engine/tail.h"
#include "num/ival.h"

#define SPARE_DIGITS 4.0
#define MOST_DIGITS 100
#define MOST_FACTORS 256.0
#define MOST_ZEROS 8192
#define LEAST_LOG (-1e5)

/* Is s* <= (e^(K(c) - c top) - e^(-cy)) (1 - e^-y)? */
static bool is_below(const mpfi_t target, const engine *e, const mpfi_t top, double c, double y,
                     const limits *lim)
{
    mpfi_t part, all;
    mpfi_init2(part, mpfi_get_prec(top));
    mpfi_init2(all, mpfi_get_prec(top));
    tail_k(part, e->product, c, lim);
    tail_chernoff(all, part, top, c);
    mpfi_set_d(part, -c);
    mpfi_mul_d(part, part, y);
    mpfi_exp(part, part);
    mpfi_sub(all, all, part);
    mpfi_set_d(part, -y);
    mpfi_expm1(part, part);
    mpfi_neg(part, part);
    mpfi_mul(all, all, part);
    bool below = !ival_bad(all) && mpfr_lessequal_p(&target->right, &all->left);
    mpfi_clear(all);
    mpfi_clear(part);
    return below;
}

/* c top is below 2^(4 digits + 40), and s* is seen beside the top. */
static mpfr_prec_t top_bits(const mpfi_t target, size_t digits)
{
    mpfr_exp_t zeros = mpfr_regular_p(&target->left) ? -mpfr_get_exp(&target->left) : 0;
    zeros = zeros < 0 ? 0 : zeros > MOST_ZEROS ? MOST_ZEROS : zeros;
    return 192 + 5 * (mpfr_prec_t)digits + zeros;
}

bool optimal_near_top(dp_figure *out, const engine *e, const mpq_t delta, size_t digits,
                      const limits *lim)
{
    double sum = e->all.tilt.total, y = tail_short(sum * pow(10, -(double)digits - SPARE_DIGITS));
    if (!e->all.bounded || digits > MOST_DIGITS || e->all.factors > MOST_FACTORS || !(y > 0))
        return false;
    mpfi_t target, top, part;
    mpfi_init2(target, 128);
    mpfi_init2(part, 64);
    optimal_target(target, e->product, delta);
    mpfi_init2(top, top_bits(target, digits));
    engine_top(top, e);
    mpfi_div_d(part, target, 4 * fmin(y, 1));
    mpfi_log(part, part);
    double small = mpfr_get_d(&part->right, MPFR_RNDU); /* e^(-cy) is to be e^small */
    bool near =
        small > LEAST_LOG && small < 0 && is_below(target, e, top, tail_short(-small / y), y, lim);
    if (near) {
        mpfi_ptr x = figure_enclose(out, mpfi_get_prec(top));
        mpfr_sub_d(&x->left, &top->left, 2 * y, MPFR_RNDD);
        mpfr_sub(&x->right, &top->right, &target->left, MPFR_RNDU);
        near = mpfr_sgn(&x->left) > 0 && refine_agrees(out, digits);
    }
    mpfi_clear(part);
    mpfi_clear(top);
    mpfi_clear(target);
    return near;
}
