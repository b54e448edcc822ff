/* SPDX-License-Identifier: MIT */
/* The rows of what attackers gain and what attacks prove, in the order of the documentation. */
#include "attack/advantage.h"
#include "attack/audit.h"
#include "attack/posterior.h"
#include "attack/reconstruction.h"
#include "attack/tpr.h"

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
    &tpr_at_fpr,
    &ppv_fpr,
    &ppv_pure,
    &ppv_approx_nofpr,
    &posterior_pure,
    &posterior_approx_published,
    &loss_tail_approx,
    &loss_tail_class,
    &loss_tail_pair,
    &attribute_adv,
    &rero_f,
    &rero_linear,
    &rero_replace_uniform,
    &rero_replace_shortlist,
    &rero_replace_prior,
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
