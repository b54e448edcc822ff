/* SPDX-License-Identifier: MIT */
/* The rows of noisy iterative learning and generalization, in the order of the documentation. */
#include "core/bound.h"
#include "learning/generalization.h"
#include "learning/igmm.h"

const bound *const learning_rows[] = {
    &igmm_gaussian,
    &igmm_certified,
    &igmm_published,
    &generalization_certified,
    &generalization_certified_failure,
    &generalization_theorem_1,
    &generalization_theorem_3,
    &generalization_mean,
    &generalization_theorem_2,
    &generalization_mean_nissim_stemmer,
    &generalization_nissim_stemmer_quoted,
    &generalization_dwork_quoted,
    NULL,
};
