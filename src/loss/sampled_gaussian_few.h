/* SPDX-License-Identifier: MIT */
/* Parts of the profile of few uses of the sampled Gaussian (sampled_gaussian_few.c). */
#ifndef LOSS_SAMPLED_GAUSSIAN_FEW_H
#define LOSS_SAMPLED_GAUSSIAN_FEW_H

#include "loss/sampled_gaussian_parts.h"

#define FEW_BITS 64 /* of bounds */

/* The path z = z0 + kappa sin(phi + iu), its strip |Im u| <= v, and the ray of angle omega with its
 * strip omega +- beta; phi + v = omega - beta. Angles are multiples of 2^-20, the others short. */
typedef struct few_plan {
    double z0, kappa, phi, v, omega, beta;
    double h;            /* of the ray; of the path it is 2h */
    int64_t first, last; /* nodes of the ray */
    int64_t nodes;       /* of the path: 0 to this one */
    mpfr_prec_t work;
    double cost; /* products */
} few_plan;

/* A plan for I(X), X about `gap`, to about e^-depth of e^b; false where there is none. */
bool few_plan_make(few_plan *plan, const sgm *l, double gap, double depth);

/* out = z0 + kappa sin(angle): where a path crosses the real line. */
void few_vertex(mpfi_t out, const few_plan *plan, double angle);

/* most >= C(omega, m), with m >= order on an interval */
void few_mass(mpfr_t most, const sgm_item *g, double omega, const mpfi_t order);
/* About ln of it. */
double few_near_mass(const sgm_item *g, double omega, double order);

/* most >= what the nodes left out of the ray add to g, for orders at most `order` */
void few_cut(mpfr_t most, const sgm_item *g, const few_plan *plan, const mpfi_t order);

/* most >= what is missed of I(X) / e^b by the rule on the path and by its last node, X > 0;
 * log_mass >= the sum of T ln C(phi + v, 1 + its vertex). */
void few_missed(mpfr_t most, const few_plan *plan, const mpfi_t gap, mpfr_srcptr log_mass);

typedef struct few_node {
    cball term;    /* kappa cos(phi + iu) prod g^T / (z (z+1)), twice that but at u = 0 */
    mpfi_t re, im; /* z */
} few_node;

/* term *= prod g^T at the nodes of a plan. False: out of memory. */
bool few_nodes(few_node *node, const sgm *l, const few_plan *plan);

/* The table of a path, kept with the law. */
sgm_few *sgm_few_new(void); /* NULL: out of memory */
void sgm_few_free(sgm_few *few);
void sgm_few_limit(sgm_few *few, const limits *lim);

/* How many terms that would be: HUGE_VAL where it is not for this law. */
double sgm_few_terms(const sgm *l);
/* sampled_gaussian_few_place.c: about x with s(x) = e^log_s; is it by a window, beyond what other
 * moments say? */
double few_place(bool *heavy, const sgm *l, double log_s);
#define FEW_SOME_NOISE 0.35
/* Is there a path by rays? */
bool few_has_rays(const sgm *l);
/* Are windows for this law and that many bits? Or, of less noise, if nothing else is? */
bool few_has_window(const sgm *l, double bits);
bool few_may_window(const sgm *l, double bits);

/* The same. */
double sgm_few_place(const sgm *l, double log_s);
/* Is that about all there is to it? */
bool sgm_few_has_window(const sgm *l);
bool sgm_few_profile(mpfi_t s, mpfr_t slope, const sgm *l, const mpfi_t x);

/* sampled_gaussian_two.c: of two uses of one record each, where e^x, or e^-x where it is added, is
 * above (1-q)^2, to about a relative 2^-bits. */
bool sgm_two_profile(mpfi_t s, mpfr_t slope, const sgm_item *g, mpfr_srcptr x, double bits,
                     const limits *lim);

#endif
