/* SPDX-License-Identifier: MIT */
/* Mechanisms that are known by zCDP, or by some points of a Renyi curve: no pair is known. */
#include "mechanism/parameters.h"
#include "mechanism/types.h"
#include "num/number.h"
#include "renyi/points.h"

static dp_status zcdp_of(mpfi_t xi, mpfi_t rho, const dp_mechanism *m)
{
    mpfi_set_q(xi, number_rational(mechanism_number(m, "xi")));
    mpfi_set_q(rho, number_rational(mechanism_number(m, "rho")));
    return DP_OK;
}

static bool zcdp_rho_q(mpq_t rho, const dp_mechanism *m)
{
    mpq_set(rho, number_rational(mechanism_number(m, "rho")));
    return true;
}

/* k^2 rho: Bun and Steinke 2016, Proposition 1.9, for xi = 0. */
static dp_status zcdp_group(dp_mechanism *copy, const mpz_t size)
{
    if (mpq_sgn(number_rational(mechanism_number(copy, "xi"))) != 0)
        return DP_UNAVAILABLE;
    mpq_t wide;
    mpq_init(wide);
    mpq_set_z(wide, size);
    mpq_mul(wide, wide, wide);
    mpq_mul(wide, wide, number_rational(mechanism_number(copy, "rho")));
    mechanism_set_q(copy, "rho", wide);
    mpq_clear(wide);
    return DP_OK;
}

static const char *rdp_fault(const char **name, const dp_mechanism *m)
{
    *name = "rdp";
    bool same = mechanism_value(m, "alpha")->count == mechanism_value(m, "rdp")->count;
    return same ? NULL : "must have as many values as alpha";
}

static bool rdp_points(renyi_points *p, const dp_mechanism *m)
{
    const value *alpha = mechanism_value(m, "alpha"), *r = mechanism_value(m, "rdp");
    return renyi_points_init(p, (const mpq_t *)alpha->list, (const mpq_t *)r->list, 1,
                             alpha->count);
}

/* At exactly that order; false above all of them. */
static bool rdp_divergence(mpq_t out, const dp_mechanism *m, const mpq_t order)
{
    renyi_points p;
    bool known = rdp_points(&p, m) && renyi_points_at(out, &p, order);
    renyi_points_clear(&p);
    return known;
}

/* The bound does not fall as the order grows. */
static dp_status rdp_curve(mpfi_t out, const dp_mechanism *m, const mpfi_t order)
{
    mpq_t r, most;
    mpq_inits(r, most, NULL);
    bool number = mpfr_number_p(&order->right) != 0;
    if (number)
        mpfr_get_q(most, &order->right);
    if (number && rdp_divergence(r, m, most)) {
        mpfi_set_q(out, r);
    } else {
        mpfr_set_inf(&out->left, 1);
        mpfr_set_inf(&out->right, 1);
    }
    mpq_clears(r, most, NULL);
    return DP_OK;
}

static const parameter *const zcdp_parameters[] = {&zcdp_rho, &zcdp_xi, NULL};
static const parameter *const rdp_parameters[] = {&rdp_alpha, &rdp_value, NULL};

const mechanism_type mechanism_zcdp = {
    .name = "zcdp",
    .brief = "any mechanism that is (xi, rho)-zCDP",
    .manual = "Its Renyi divergence of every order alpha > 1 is at most xi + rho alpha, in both "
              "directions.",
    .parameters = zcdp_parameters,
    .relations = RELATION(ADD_REMOVE) | RELATION(REPLACE_ONE),
    .zcdp = zcdp_of,
    .rho = zcdp_rho_q,
    .group = zcdp_group,
};

const mechanism_type mechanism_rdp = {
    .name = "rdp",
    .brief = "any mechanism with these points of its Renyi curve",
    .manual = "Its Renyi divergence of each order alpha is at most the value given there, in both "
              "directions.",
    .parameters = rdp_parameters,
    .relations = RELATION(ADD_REMOVE) | RELATION(REPLACE_ONE),
    .fault = rdp_fault,
    .curve = rdp_curve,
    .divergence = rdp_divergence,
    .points = rdp_points,
};
