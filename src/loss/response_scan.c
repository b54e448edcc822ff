/* SPDX-License-Identifier: MIT */
/* What a scan of nodes needs to know of randomized response: for each epsilon the two losses of a
 * use, 2 eps apart. */
#include <math.h>

#include "loss/discrete.h"
#include "loss/response_nodes.h"
#include "num/ival.h"
#include "num/number.h"
#include "num/wide.h"

void waves_epsilon(mpfr_t x, const dp_number *epsilon)
{
    if (!epsilon->is_log) {
        mpfr_set_q(x, number_rational(epsilon), MPFR_RNDN);
    } else { /* by way of an enclosure: R may be near 1 */
        mpfi_t e;
        mpfi_init2(e, mpfr_get_prec(x));
        ival_set_number(e, epsilon);
        mpfi_get_fr(x, e);
        mpfi_clear(e);
    }
}

/* w = t / cosh^2(eps (c + 1/2)), rounded down a little more than its error: the argument is known
 * to 2^-62, which moves cosh^2 by a relative 2^-61 times the argument. Cut off, so that a sum of
 * weights is finite. */
static double item_weight(const composed_loss *l, mpfr_srcptr eps, double c)
{
    mpfr_t x, weight;
    mpfr_init2(x, 64);
    mpfr_init2(weight, 64);
    mpfr_set_d(x, c, MPFR_RNDN);
    mpfr_add_d(x, x, 0.5, MPFR_RNDN);
    mpfr_mul(x, x, eps, MPFR_RNDN);
    double w = 0;
    if (mpfr_cmpabs_ui(x, 1000) < 0) {
        mpfr_cosh(x, x, MPFR_RNDU);
        mpfr_sqr(x, x, MPFR_RNDU);
        mpfr_set_z(weight, l->times, MPFR_RNDD);
        mpfr_div(weight, weight, x, MPFR_RNDD);
        w = fmin(mpfr_get_d(weight, MPFR_RNDD), 0x1p900) * (1 - 0x1p-40);
    }
    mpfr_clear(weight);
    mpfr_clear(x);
    return w;
}

/* Three roundings and the one of eps make 5u at most, u = 2^-bits, for a quotient below 2^whole. */
#define TURN_BITS 96

static void free_turn(scan_item *item, const dp_number *epsilon, mpfr_srcptr spacing)
{
    mpfr_t x, eps;
    mpfr_init2(eps, 64);
    waves_epsilon(eps, epsilon);
    mpfr_exp_t whole = mpfr_get_exp(eps) + mpfr_get_exp(spacing);
    mpfr_set_prec(eps, TURN_BITS + (whole > 0 ? whole : 0));
    mpfr_init2(x, mpfr_get_prec(eps));
    waves_epsilon(eps, epsilon);
    mpfr_const_pi(x, MPFR_RNDN);
    mpfr_div(x, spacing, x, MPFR_RNDN);
    mpfr_mul(x, x, eps, MPFR_RNDN);
    scan_item_turn(item, x);
    mpfr_clear(eps);
    mpfr_clear(x);
}

/* m / N of a lattice on which the law lies */
static void lattice_turn(scan_item *item, const dp_number *epsilon, const line *at)
{
    mpz_t m;
    mpz_init(m);
    discrete_multiple(m, epsilon, at->step);
    mpz_mul_2exp(m, m, at->halved ? 1 : 0);
    scan_item_lattice_turn(item, wide_mod_z(m, at->period), at->period);
    mpz_clear(m);
}

/* Some items of a long list, evenly, tell of the nodes that others would not take long for. */
#define MOST_ITEMS 4096U

size_t response_resonances(scan_item *out, size_t room, const void *self, const line *at)
{
    const response *r = self;
    size_t count =
        r->series != NULL && r->losses > MOST_ITEMS && at->step == NULL ? MOST_ITEMS : r->losses;
    if (out == NULL)
        return count;
    bool own = at->step != NULL && !at->halved && number_order(&r->step, at->step) == 0;
    mpfr_t eps;
    mpfr_init2(eps, 128);
    for (size_t i = 0; i < count && i < room; i++) {
        size_t which = count == r->losses ? i : (i + 1) * (r->losses / count) - 1;
        const dp_number *epsilon = &r->loss[which].epsilon;
        if (own)
            scan_item_lattice_turn(&out[i], r->multiple[which], at->period);
        else if (at->step != NULL)
            lattice_turn(&out[i], epsilon, at);
        else
            free_turn(&out[i], epsilon, at->spacing);
        waves_epsilon(eps, epsilon);
        out[i].weight = item_weight(&r->loss[which], eps, at->c);
    }
    mpfr_clear(eps);
    return count;
}
