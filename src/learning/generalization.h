/* SPDX-License-Identifier: MIT */
#ifndef LEARNING_GENERALIZATION_H
#define LEARNING_GENERALIZATION_H

#include "core/bound.h"
#include "dpacct/learning.h"

/* What the bounds are evaluated on; k and selection are those of the certified bound G. */
typedef struct generalization_in {
    const dp_generalization *g;
    mpz_t sets;      /* k of the multi-sample bounds, 1 where none is given */
    mpz_t copies;    /* k of G */
    mpq_t selection; /* epsilon of the selection in G */
    mpq_t samples;   /* N, or 0 when there is none */
    mpq_t beta;      /* failure probability of one side, or 0 when the gap is given */
    mpq_t gap;       /* a, where the failure probability is asked */
    bool large;      /* epsilon > 1/5: case 2 of Theorem 1 */
    bool larger;     /* epsilon > 17/50: case 2 of Theorem 3 */
    bool one_sided;
} generalization_in;

/* Working numbers of one evaluation, epsilon and k delta filled in. */
typedef struct generalization_scratch {
    mpfi_t epsilon, a, b;
    mpq_t q;
} generalization_scratch;

void generalization_open(generalization_scratch *s, const generalization_in *in, mpfr_prec_t bits);
void generalization_close(generalization_scratch *s);

/* out = the least real N at which G with this k and selection gives the gap at this beta; false
 * where no N does. */
bool generalization_samples(mpfi_t out, const generalization_in *in);

extern const bound generalization_mean, generalization_theorem_2,
    generalization_mean_nissim_stemmer, generalization_certified, generalization_certified_failure,
    generalization_theorem_1, generalization_theorem_3, generalization_dwork_quoted,
    generalization_nissim_stemmer_quoted;

#endif
