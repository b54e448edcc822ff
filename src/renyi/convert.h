/* SPDX-License-Identifier: MIT */
/* Conversions of statements of privacy: what is known of the mechanism, in every form that the rows
 * start from, and what is asked. */
#ifndef RENYI_CONVERT_H
#define RENYI_CONVERT_H

#include "core/bound.h"
#include "dpacct/convert.h"
#include "num/logform.h"
#include "renyi/points.h"

typedef enum converted { TO_PAIR, TO_RDP, TO_ZCDP } converted;

/* Rows whose order is chosen, each for what it makes least. */
typedef enum chosen_row { CHOSEN_IMPROVED, CHOSEN_CLASSIC, CHOSEN_LINE, CHOSEN_SINGLE } chosen_row;
#define CHOSEN_ROWS 4

typedef struct conversion {
    const dp_conversion *q;
    converted to;
    bool is_pair, is_line, is_curve, is_gdp, is_cdp;
    /* is_pair: it is (epsilon, leak)-DP. */
    dp_number epsilon;
    mpq_t leak;
    /* is_line: D_alpha <= xi + rho alpha, with rho and xi of `line`, or rho = epsilon
     * tanh(epsilon/2) where it is pure. */
    zcdp line;
    mpq_t mu;          /* is_gdp */
    renyi_curve curve; /* is_curve: of the pure statement, or of the points */
    renyi_points points;
    /* The question: delta at x, epsilon at delta, or the divergence of that order. */
    const dp_number *x;
    logform form; /* of x */
    mpq_srcptr delta, order;
    mpq_t alpha[CHOSEN_ROWS];
    bool found[CHOSEN_ROWS];
} conversion;

/* Is every number of q in its domain? */
dp_status conversion_domains(const dp_conversion *q, dp_error *err);

/* What is stated of q, and asked. DP_MEMORY; safe to clear in any case. */
dp_status conversion_init(conversion *c, const dp_conversion *q);
void conversion_clear(conversion *c);

/* Chooses the orders of the rows that will be asked. */
void conversion_choose(conversion *c);

/* D_alpha <= xi + rho alpha: its value there, at least 0. */
void conversion_line(mpfi_t r, const conversion *c, mpq_srcptr alpha);
void conversion_rho(mpfi_t rho, const conversion *c);
/* r = a bound of the KL divergence. */
void conversion_kl(mpfi_t r, const conversion *c);

/* Sets the figure of the pair that is given, in out[0] or out[1]; the other one, to be enclosed. */
mpfi_ptr conversion_asked(dp_figure *out, const conversion *c, mpfr_prec_t bits);

/* Is a pair asked for, at an epsilon or at a delta between 0 and 1? */
bool conversion_is_inner(const conversion *c);

/* r = ln((e^(alpha eps) + e^((1-alpha) eps)) / (1 + e^eps)) / (alpha-1): the Renyi divergence of
 * order alpha > 1 of randomized response, the largest of all eps-DP pairs. Source: Mironov 2017,
 * Proposition 6, with Kairouz, Oh, Viswanath 2015. Verdict: exact. */
void renyi_of_pure(mpfi_t r, const dp_number *epsilon, mpq_srcptr alpha);

extern const bound pure_to_rdp, pure_to_rdp_quadratic, pure_to_rdp_mironov;
extern const bound pure_to_zcdp, pure_to_zcdp_classic;
extern const bound approx_profile, gdp_profile, gdp_to_zcdp;
extern const bound zcdp_to_rdp, zcdp_to_dp, zcdp_to_dp_classic, zcdp_to_dp_gaussian;
extern const bound rdp_to_dp, rdp_to_dp_classic, rdp_to_dp_single, rdp_to_dp_variation;
extern const bound rdp_between, cdp_to_dp, cdp_to_zcdp;

#endif
