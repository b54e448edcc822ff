/* SPDX-License-Identifier: MIT */
/* What is left out of a trapezoidal sum. */
#include "engine/near_atom.h"
#include "engine/trapezoid.h"
#include "num/wide.h"

#include <math.h>

/* out = e^-lambda (R/(2a) + 1/a^2), rounded up: nodes that were dropped up to the last. With a the
 * smaller of |c| and 1 + c, |z (z+1)| >= a^2 + t^2, and the sum over all nodes of 1/(a^2 + t_n^2)
 * is R/(2a) coth(Ra/2), coth y <= 1 + 1/y. R = 2 pi / spacing. */
static void scan_bound(mpfr_t out, const trapezoid *p)
{
    MPFR_DECL_INIT(part, 64);
    mpfr_t a;
    mpfr_init2(a, TRAPEZOID_EXACT_BITS);
    mpfr_set_d(a, p->c, MPFR_RNDN);
    mpfr_add_ui(a, a, 1, MPFR_RNDN);
    if (mpfr_cmp_d(a, fabs(p->c)) > 0)
        mpfr_set_d(a, fabs(p->c), MPFR_RNDN);
    mpfr_ui_div(a, 1, a, MPFR_RNDU);
    mpfr_const_pi(part, MPFR_RNDU);
    mpfr_div(part, part, p->spacing, MPFR_RNDU);
    mpfr_add(part, part, a, MPFR_RNDU);
    mpfr_mul(part, part, a, MPFR_RNDU);
    mpfr_set_d(out, -p->lambda, MPFR_RNDU);
    mpfr_exp(out, out, MPFR_RNDU);
    mpfr_mul(out, out, part, MPFR_RNDU);
    if (p->band > 0)
        mpfr_mul_ui(out, out, EXTREMAL_SUM, MPFR_RNDU);
    mpfr_clear(a);
}

/* out += 2 e^-(decay(t) + w^2 t^2/2) min(1, 1/(wt)^2) / (spacing t), rounded up, t the last node
 * and w the least width: the nodes beyond it, for |z (z+1)| >= t_n^2, and the sum of
 * e^(-w^2 t_n^2/2) / t_n^2 there is below the integral from t on over the spacing, on either side;
 * in that, 1/y^2 is at most 1/t^2, and at most y/t^3. */
static void add_beyond(mpfr_t out, const trapezoid *p)
{
    MPFR_DECL_INIT(t, 64);
    MPFR_DECL_INIT(part, 64);
    MPFR_DECL_INIT(decay, 64);
    MPFR_DECL_INIT(share, 64);
    wide_mul_fr(t, p->spacing, p->last, MPFR_RNDD);
    mpfr_set_d(part, p->square[0], MPFR_RNDN);
    mpfr_div_2ui(part, part, 1, MPFR_RNDD);
    mpfr_mul(part, part, t, MPFR_RNDD);
    mpfr_mul(part, part, t, MPFR_RNDD);
    mpfr_mul_2ui(share, part, 1, MPFR_RNDD);
    near_atom_decay(decay, p, t);
    mpfr_add(part, part, decay, MPFR_RNDD);
    mpfr_neg(part, part, MPFR_RNDN);
    mpfr_exp(part, part, MPFR_RNDU);
    mpfr_mul_2ui(part, part, 1, MPFR_RNDU);
    mpfr_div(part, part, t, MPFR_RNDU);
    mpfr_div(part, part, p->spacing, MPFR_RNDU);
    if (mpfr_cmp_ui(share, 1) > 0)
        mpfr_div(part, part, share, MPFR_RNDU);
    mpfr_add(out, out, part, MPFR_RNDU);
    if (p->beside && p->order == 0)
        near_atom_far(out, p);
}

/* out *= e^(max(0, w^2 c(c+1)/2)), rounded up, w the largest width: no Gaussian factor on the line
 * is larger, apart from its e^(-w^2 t^2/2). */
static void mul_gaussian(mpfr_t out, const trapezoid *p)
{
    mpfr_t m, pole;
    mpfr_init2(m, 64);
    mpfr_init2(pole, TRAPEZOID_EXACT_BITS);
    mpfr_set_d(pole, p->c, MPFR_RNDN);
    mpfr_add_ui(pole, pole, 1, MPFR_RNDN);
    mpfr_mul_d(pole, pole, p->c, MPFR_RNDN); /* c (c + 1), exact */
    mpfr_set_d(m, p->square[p->sums - 1], MPFR_RNDN);
    mpfr_div_2ui(m, m, 1, MPFR_RNDN);
    mpfr_mul(m, m, pole, MPFR_RNDU);
    if (mpfr_sgn(m) < 0)
        mpfr_set_ui(m, 0, MPFR_RNDU);
    mpfr_exp(m, m, MPFR_RNDU);
    mpfr_mul(out, out, m, MPFR_RNDU);
    mpfr_clear(pole);
    mpfr_clear(m);
}

void trapezoid_dropped(mpfr_t most, const trapezoid *p)
{
    mpfr_set_ui(most, 0, MPFR_RNDU);
    bool far = p->blocks != NULL && !p->blocks->scanned && !p->scanned; /* it bounds that */
    if (!far && p->nodes.count <= p->last)
        scan_bound(most, p);
    if (p->band > 0)
        return;
    add_beyond(most, p);
    mul_gaussian(most, p);
}
