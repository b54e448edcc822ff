/* SPDX-License-Identifier: MIT */
/* The rows of what attackers gain and what attacks prove, in the order of the documentation. */
#include "attack/advantage.h"
#include "attack/audit.h"

const bound *const attack_rows[] = {
    &adv_approx,
    &adv_one_direction,
    &adv_yeom,
    &adv_rr_principle,
    &adv_zcdp,
    &adv_approx_zcdp,
    &adv_pinsker,
    &adv_bretagnolle_huber,
    &adv_gaussian_from_zcdp,
    &adv_rdp,
    &adv_gdp,
    &adv_profile,
    &adv_bagging,
    &adv_inverse,
    &accuracy_prior,
    &cp_limit,
    &audit_fisher,
    &audit_cp,
    &audit_cp_sidak,
    &audit_curve,
    &audit_gdp,
    &audit_gdp_to_eps,
    &audit_logkatz,
    &audit_bayes,
    &audit_coin,
    &onerun_pure,
    &onerun_exact,
    &onerun_2023,
    NULL,
};
