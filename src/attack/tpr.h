/* SPDX-License-Identifier: MIT */
/* What an attacker reaches at a false positive rate. */
#ifndef ATTACK_TPR_H
#define ATTACK_TPR_H

#include "attack/advantage.h"

/* F(x) in out[0] and 1 - F(x) in out[1], x in [0, 1]; *exact as for attacker_delta. */
dp_status attacker_tpr_at(dp_figure out[2], bool *exact, attacker *a, mpq_srcptr x);

/* The sign of x (1 + E) - (1 - delta), BY_PAIR: above 0 beyond the corner of F. */
bool attacker_corner_sign(int *sign, const attacker *a, mpq_srcptr x);

/* z with Phi(z) = x in (0, 1) */
bool attacker_quantile(mpfi_t z, mpq_srcptr x);

/* by = pi y / (pi y + (1-pi) x), y a figure; y = 0 is not asked */
void attacker_precision(dp_figure *by, const attacker *a, const dp_figure *y, mpq_srcptr x);

/* The rows at each false and true positive rate that is asked, and without one. */
dp_status tpr_rows(dp_result *out, attacker *a);

/* ---- tpr_moments.c: BY_ZCDP and BY_RDP ---- */

/* y = F(x) and rest = 1 - F(x) for x in (0, 1), in a->x, at the order a->alpha where it is zCDP. */
void tpr_of_moments(mpfi_t y, mpfi_t rest, const attacker *a);
/* a->alpha = about the best order there; false: none */
bool tpr_choose(attacker *a);

/* About where the point (1 + t, r) of a Renyi curve stands for which least(of, t, r) is least. */
size_t attacker_least_point(const attacker *a, double (*least)(const void *, double, double),
                            const void *of);
/* The order 1 + t at which least(of, t, r) is least, r the bound of zCDP there. */
bool attacker_order(mpq_t alpha, const attacker *a, double (*least)(const void *, double, double),
                    const void *of);
/* r = the bound of zCDP at that order */
void attacker_level(mpq_t r, const attacker *a, mpq_srcptr alpha);

extern const bound tpr_at_fpr, ppv_fpr, ppv_pure, ppv_approx_nofpr;

#endif
