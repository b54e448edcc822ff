/* SPDX-License-Identifier: MIT */
#ifndef DPACCT_LEARNING_H
#define DPACCT_LEARNING_H

#include <gmp.h>

#include "dpacct/result.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The iterative Gaussian mechanism with mini-batches: T steps, each adding N(0, sigma^2 I) to the
 * mean of an update over tau of the N records, drawn without replacement; the updates of two
 * records differ by at most `diameter`. Replace-one adjacency; all iterates may be published. */
typedef struct dp_igmm {
    mpz_t samples;          /* N >= 1 */
    mpz_t batch;            /* tau, 1 to N */
    mpz_t times;            /* T >= 1 */
    mpq_t diameter;         /* > 0 */
    mpq_t sigma;            /* standard deviation, > 0 */
    const dp_number *delta; /* of one step, and slack, in (0, 1): parameters of the published */
    const dp_number *slack; /* statement; both NULL: it is not evaluated */
    const dp_number *target_epsilon; /* delta there, or NULL */
    const dp_number *target_delta;   /* epsilon there, or NULL; neither: at the published epsilon */
} dp_igmm;

DP_API void dp_igmm_init(dp_igmm *g);
DP_API void dp_igmm_clear(dp_igmm *g);

/* Its privacy.
 *   rows       igmm-certified (proved); igmm-gaussian (exact) for tau = N; igmm-published
 *              (unsound): the pair of Theorem 7 as printed, where it is defined
 *   rounding   figures are enclosures; the certified step is rounded up before it is composed
 *   errors     DP_DOMAIN: the domains above, target_epsilon < 0, target_delta outside [0, 1] or a
 *              logarithm, two targets; DP_UNAVAILABLE: no target, and no published epsilon to take
 *              in its place
 *   theorem    He, Wang, Chen 2021, Theorem 7 */
DP_API dp_status dp_igmm_privacy(dp_result *out, const dp_igmm *g, const dp_options *opt,
                                 dp_error *err);

/* Generalization of an (epsilon, delta)-DP learner (replace-one) with loss in [0, 1]: Gen is the
 * expected risk less the empirical one. */
typedef struct dp_generalization {
    dp_number epsilon;
    mpq_t delta;
    const dp_number *samples; /* N, or NULL: bounds of the mean and sample sizes only */
    const dp_number *failure; /* b in (0, 1): the a with Pr(|Gen| > a) < b is asked */
    const dp_number *gap;     /* a > 0: the b is asked; one of the two, both to solve */
    const dp_number
        *sets; /* k >= 1 of the multi-sample bounds; NULL: 1, chosen for the certified one */
    const dp_number *selection; /* epsilon of its selection, > 0; NULL: chosen */
    bool one_sided;             /* Pr(Gen > a), for Pr(|Gen| > a) */
    bool solve_samples;         /* the least N for gap and failure */
} dp_generalization;

DP_API void dp_generalization_init(dp_generalization *g);
DP_API void dp_generalization_clear(dp_generalization *g);

/* Generalization bounds.
 *   rows       quantities bound (of |Gen| or of its mean), failure_probability, minimum_samples;
 *              for the certified bound also samples (solved for), sets and selection as used. It
 *              decides; a row whose bound or probability reaches 1 is vacuous and never does
 *   rounding   figures are enclosures; upper ends are bounds that hold
 *   errors     DP_DOMAIN: epsilon < 0, delta outside [0, 1]; samples, failure or gap missing;
 *              anything outside the domains above, a selection of more than 4096 bits;
 *              DP_UNAVAILABLE: no number of samples reaches the gap
 *   theorems   generalization-*: He, Wang, Chen 2021, Theorems 1 to 3, and what replaces them */
DP_API dp_status dp_generalization_bound(dp_result *out, const dp_generalization *g,
                                         const dp_options *opt, dp_error *err);

#ifdef __cplusplus
}
#endif
#endif
