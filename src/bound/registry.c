/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "bound/amplify.h"
#include "bound/bagging.h"
#include "bound/bound.h"
#include "bound/compose.h"
#include "bound/divergence.h"
#include "bound/generalization.h"
#include "bound/igmm.h"
#include "bound/majority.h"
#include "bound/response.h"

const bound *const registry[] = {
    &bagging_with_exact,
    &bagging_with_published,
    &bagging_with_naive,
    &bagging_without_exact,
    &bagging_without_published,
    &bagging_independent_exact,
    &bagging_independent_published,
    &bagging_independent_tightness,
    &bagging_poisson_exact,
    &bagging_remove,
    &bagging_add,
    &bagging_replace,
    &amplify_point,
    &amplify_profile,
    &amplify_grouped,
    &amplify_add,
    &amplify_with_pair,
    &amplify_with_bbg,
    &amplify_with_hybrid,
    &amplify_composed,
    &amplify_with_mixture,
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
    &divergence_tv,
    &divergence_tv_sum,
    &divergence_tv_pinsker,
    &divergence_chi_squared,
    &divergence_hellinger,
    &divergence_renyi,
    &divergence_renyi_quadratic,
    &divergence_renyi_max,
    &divergence_max,
    &igmm_gaussian,
    &igmm_certified,
    &igmm_published,
    &generalization_certified,
    &generalization_certified_failure,
    &generalization_theorem_1,
    &generalization_theorem_3,
    &generalization_mean,
    &generalization_mean_published,
    &generalization_mean_earlier,
    &generalization_nissim_stemmer_quoted,
    &generalization_dwork_quoted,
    &majority_optimal,
    &majority_constant,
    &majority_constant_composed,
    &majority_double_subsample,
    &majority_subsample,
    &majority_given,
    &majority_lower_bound,
    &majority_lemma_3_2,
    &rr_prob_simple,
    &rr_prob_general,
    &rr_prob_independent,
    &rr_prob_printed,
};
const size_t registry_count = sizeof registry / sizeof *registry;

size_t dp_theorem_count(void)
{
    return registry_count;
}

const dp_theorem *dp_theorem_at(size_t index)
{
    return index < registry_count ? &registry[index]->theorem : NULL;
}

const dp_theorem *dp_theorem_find(const char *id)
{
    if (id == NULL)
        return NULL;
    for (size_t i = 0; i < registry_count; i++)
        if (strcmp(registry[i]->theorem.id, id) == 0)
            return &registry[i]->theorem;
    return NULL;
}

const char *dp_verdict_text(dp_verdict verdict)
{
    static const char *const text[] = {"exact", "proved", "unsound"};
    return (unsigned)verdict <= DP_UNSOUND ? text[verdict] : "unknown";
}

void figure_set_q(dp_figure *f, const mpq_t value)
{
    f->kind = DP_RATIONAL;
    mpq_set(f->rational, value);
}

void figure_set_ui(dp_figure *f, unsigned long value)
{
    f->kind = DP_RATIONAL;
    mpq_set_ui(f->rational, value, 1);
}

void figure_set_infinite(dp_figure *f)
{
    f->kind = DP_INFINITE;
}

mpfi_ptr figure_enclose(dp_figure *f, mpfr_prec_t bits)
{
    f->kind = DP_ENCLOSED;
    if (mpfi_get_prec(f->enclosure) != bits)
        mpfi_set_prec(f->enclosure, bits);
    return f->enclosure;
}
