/* SPDX-License-Identifier: MIT */
/* What the files of the sampled Laplace law share. */
#ifndef LOSS_SAMPLED_LAPLACE_PARTS_H
#define LOSS_SAMPLED_LAPLACE_PARTS_H

#include "loss/ends.h"
#include "num/fejer.h"

#define SLM_GUESSES 82 /* outcomes of a guess: two atoms, and 16 times 5 points */

/* The rule: [0, 1] in `panels` parts, on each the points (1 + cos((2j-1) pi / 2n)) / 2, j = 1 .. n,
 * with the positive weights that are exact for polynomials of degree n - 1 (Fejer). */
#define SLM_POINTS FEJER_MOST
typedef struct slm_rule {
    unsigned long panels, points;
    mpfr_prec_t bits;                          /* of what follows; 0: nothing does */
    mpfi_t at[SLM_POINTS], weight[SLM_POINTS]; /* of one panel, [0, 1]; the weights sum to 1 */
} slm_rule;

/* What was found last: a rule, and ln M(c) of one use; and outcomes for guesses. */
typedef struct slm_memo {
    slm_rule rule;
    double c;
    bool found;
    mpfi_t log;
    double loss[SLM_GUESSES], mass[SLM_GUESSES], qmass[SLM_GUESSES]; /* of the law, P and Q */
} slm_memo;

typedef struct slm_item {
    mpq_t epsilon, rate; /* 0 < rate < 1 */
    mpz_t times;
    bool add;
    double e, q, count; /* about */
    slm_memo *memo;
} slm_item;

/* All sampled Laplace noise of a product in one direction, or both. */
typedef struct slm {
    slm_item *item;
    size_t items, room;
} slm;

/* About ln G(p), or less, but at least 0. */
double slm_near_log(const slm_item *g, double p);

/* Makes the item's rule one that misses about e^-depth of G(p + it), |t| <= height; false: there is
 * none so short. */
bool slm_rule_set(const slm_item *g, double p, double height, double depth, mpfr_prec_t bits);
void slm_rule_clear(slm_rule *rule);

/* most >= what the rule misses of G(p + it) for every |t| <= height. Proof: on the ellipse around a
 * panel with half-axes R/m and g/m, m panels, R = (rho + 1/rho)/4, g = (rho - 1/rho)/4, the losses
 * l
 * + i v have |l| <= e (1 + 2R/m) and |v| <= 2eg/m = theta < pi/2. There the integrand is analytic
 * and of modulus V at most, (e/2) e^(eR/m) |r|^p e^(t arg r), |r| between 1 - q + q e^l cos(theta)
 * at the least l and 1 - q + q e^l at the largest, arg r <= atan(q e^l sin(theta) / (1 - q + q e^l
 * cos(theta))) there. Positive weights that sum to 1 and are exact to degree n - 1 miss 4 V
 * rho^(1-n) / (rho - 1). */
void slm_missed(mpfr_t most, const slm_item *g, const mpfi_t p, mpfr_srcptr height);

/* The outcomes: two atoms, then point i of the rule: the loss l of Laplace noise as ln r(l), r, and
 * its mass under Q. */
void slm_atom(mpfi_t log, mpfi_t mass, const slm_item *g, bool upper);
void slm_point(mpfi_t log, mpfi_t mass, const slm_item *g, size_t i);

/* out = 1 + z or -z */
void slm_power(mpfi_t out, const slm_item *g, mpfr_srcptr z);

/* k encloses ln M of one use at the number z; kept for the c of a line, and k may be NULL
 * there. Both take the item's rule. */
void slm_moment(mpfi_t k, const slm_item *g, mpfr_srcptr z, const limits *lim);
void slm_log_line(mpfi_ptr k, const slm_item *g, double c);

/* Far from the real line: sampled_laplace_far.c. */
#define SLM_FAR 40
typedef struct slm_far {
    unsigned terms;
    mpfi_t y[2], atom[2], end[2][SLM_FAR]; /* of the lower end and of the upper one */
    mpfr_t rest;                           /* times t^-terms: what is left out */
} slm_far;

/* About the least height from which on that many terms miss e^-need of M(c). */
double slm_far_from(unsigned *terms, const slm_item *g, double p, double need);
void slm_far_init(slm_far *f, const slm_item *g, double c, unsigned terms, mpfr_prec_t bits);
void slm_far_clear(slm_far *f);
/* out = M(c + it) / M(c) of one use */
void slm_far_at(cball *out, const slm_far *f, const slm_item *g, const mpfi_t height);

/* Operations of the law. */
dp_status slm_multiply(cball *phi, const void *self, const line *at, const uint64_t *node,
                       size_t count, const limits *lim);
void slm_decay(mpfr_t low, const void *self, double c, mpfr_srcptr t);
size_t slm_resonances(scan_item *out, size_t room, const void *self, const line *at);

/* Few uses: sampled_laplace_ends.c, and along rays sampled_laplace_rays.c. */
extern const ends_ops slm_ends;

typedef struct slm_end {
    mpfi_t a, b, k; /* of P */
    mpfi_t place;   /* ln r */
} slm_end;

void slm_end_init(slm_end *x, const slm_item *g, bool upper, mpfr_prec_t bits);
void slm_end_clear(slm_end *x);

/* 2 + z, or 1 - z, turned to the upper half-plane: its real part at the start of a ray */
double slm_start(const slm_item *g, double c);

/* f[m] = A + B J, or A - B J */
dp_status slm_end_values(cball *f, const slm_item *g, bool upper, const ends_ray *at,
                         mpfr_prec_t bits);
void slm_nothing(cball *f, size_t count); /* is known of them */

#endif
