/* SPDX-License-Identifier: MIT */
/* The rows of composition and divergences, in the order of the documentation. */
#include "compose/cells.h"
#include "compose/closed_forms.h"
#include "compose/divergence.h"
#include "compose/filter.h"
#include "compose/optimal.h"
#include "compose/pairs.h"
#include "core/bound.h"

const bound *const compose_rows[] = {
    &compose_optimal,
    &compose_basic,
    &compose_basic_sum,
    &compose_advanced,
    &compose_kov_sum,
    &compose_kov_log,
    &compose_kov_hoeffding,
    &compose_rdp,
    &compose_zcdp,
    &compose_zcdp_simple,
    &compose_zcdp_classic,
    &compose_filter,
    &filter_zcdp,
    &filter_basic,
    &filter_renyi,
    &filter_gaussian,
    &filter_optimal,
    &odometer_optimal,
    &compose_pairs,
    &dp_sgd_pld,
    &compose_cells,
    &compose_cells_greatest,
    &compose_renyi,
    &compose_zcdp_sum,
    &he2021_theorem_4,
    &he2021_theorem_4_corrected,
    &he2021_corollary_1,
    &he2021_corollary_1_corrected,
    &he2021_corollary_2,
    &he2021_corollary_2_corrected,
    &he2021_corollary_2_sharp,
    &he2021_theorem_5,
    &he2021_theorem_6,
    &he2021_theorem_6_corrected,
    &kl_tight,
    &kl_bun_steinke,
    &kl_dwork_rothblum,
    &kl_dwork,
    &divergence_total_variation,
    &divergence_total_variation_sum,
    &divergence_total_variation_pinsker,
    &divergence_chi_squared,
    &divergence_squared_hellinger,
    &divergence_renyi,
    &divergence_renyi_sum,
    &divergence_renyi_quadratic,
    &divergence_renyi_max,
    &divergence_max,
    NULL,
};
