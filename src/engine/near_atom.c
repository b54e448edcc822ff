/* SPDX-License-Identifier: MIT */
/* What the trapezoidal rule does with an atom that a law nearly has (loss.h): it is left out of the
 * sum, which then ends far sooner, and its profile is added in closed form. The sum is linear in M:
 * that of M - A is s - s_A, the aliases of s, less those of s_A. */
#include "engine/near_atom.h"

#include "engine/tail.h"
#include "loss/part.h"
#include "num/ival.h"
#include "num/wide.h"

static const loss *law_of(const trapezoid *p)
{
    return p->all->product->item;
}

#define LN2_UP 0.69315

/* |R| <= |M| + |A|, both at most e^-D of such items: with ln 2 more the sum is e^-lambda. */
double near_atom_scan(scan_item *item, size_t count, const trapezoid *p)
{
    if (p->order == 0)
        return 0;
    double share = law_of(p)->ops->part->share(law_of(p)->self, p->order);
    for (size_t i = 0; i < count; i++)
        item[i].weight *= share * (1 - 0x1p-50);
    return LN2_UP;
}

/* The first terms, phi, less A(z)/M(c) = e^(log + c place - K(c)) e^(i t place). */
static void take_atom(trapezoid *p)
{
    mpfr_t t;
    mpfi_t share, angle;
    cball atom;
    mpfr_init2(t, p->work + 64);
    mpfi_init2(share, p->work);
    mpfi_init2(angle, mpfi_get_prec(p->atom_place));
    cball_init(&atom, p->work);
    mpfi_mul_d(share, p->atom_place, p->c);
    mpfi_add(share, share, p->atom_log);
    mpfi_sub(share, share, p->k);
    mpfi_exp(share, share);
    for (size_t i = 0; i < p->nodes.count; i++) {
        wide_mul_fr(t, p->spacing, p->nodes.node[i], MPFR_RNDN); /* exact */
        mpfi_mul_fr(angle, p->atom_place, t);
        cball_turn(&atom, angle);
        cball_mul_i(&atom, &atom, share);
        cball_sub(&p->term[0][i], &p->term[0][i], &atom);
        cball_measure(&p->term[0][i]);
    }
    cball_clear(&atom);
    mpfi_clear(angle);
    mpfi_clear(share);
    mpfr_clear(t);
}

dp_status near_atom_take(trapezoid *p, const line *at, const limits *lim)
{
    tail_k(p->k, p->all->product, p->c, lim);
    if (p->order > 0)
        return law_of(p)->ops->part->take(p->term[0], law_of(p)->self, p->order, at, p->nodes.node,
                                          p->nodes.count);
    take_atom(p);
    return DP_OK;
}

/* As totals_decay; up to the height `far` where the near atom is left out. */
void near_atom_decay(mpfr_t low, const trapezoid *p, mpfr_srcptr t)
{
    MPFR_DECL_INIT(far, 64);
    mpfr_set_d(far, p->far, MPFR_RNDN);
    if (p->order > 0)
        law_of(p)->ops->part->decay(low, law_of(p)->self, p->order, p->c, t);
    else if (!p->beside)
        totals_decay(low, p->all, p->c, t);
    else if (mpfr_less_p(t, far))
        totals_decay_beside(low, p->all, p->c, t, far);
    else
        mpfr_set_ui(low, 0, MPFR_RNDN);
}

/* out += what is beyond the height far: |M - A| / M(c) <= 1 + A(c)/M(c). */
void near_atom_far(mpfr_t out, const trapezoid *p)
{
    mpfi_t share;
    MPFR_DECL_INIT(far, 64);
    MPFR_DECL_INIT(last, 64);
    mpfi_init2(share, p->work);
    mpfi_mul_d(share, p->atom_place, p->c);
    mpfi_add(share, share, p->atom_log);
    mpfi_sub(share, share, p->k);
    mpfi_exp(share, share);
    mpfi_add_ui(share, share, 1);
    mpfi_mul_2ui(share, share, 1);
    wide_mul_fr(last, p->spacing, p->last, MPFR_RNDD);
    mpfr_set_d(far, p->far, MPFR_RNDN);
    mpfr_sub(far, far, p->spacing, MPFR_RNDD); /* the last node that is not beyond it */
    if (mpfr_less_p(far, last))
        mpfr_set(far, last, MPFR_RNDD);
    mpfr_div(far, &share->right, far, MPFR_RNDU);
    mpfr_div(far, far, p->spacing, MPFR_RNDU);
    mpfr_add(out, out, far, MPFR_RNDU);
    if (ival_bad(share))
        mpfr_set_inf(out, 1);
    mpfi_clear(share);
}

/* The aliases of the rest are among those of the law, which are bounded. */
void near_atom_add_part(mpfi_t s, mpfr_t slope, const trapezoid *p, mpfr_srcptr x)
{
    mpfi_t own;
    mpfr_t rate;
    mpfi_init2(own, p->work);
    mpfr_init2(rate, 64);
    law_of(p)->ops->part->profile(own, rate, law_of(p)->self, p->order, x);
    mpfi_add(s, s, own);
    mpfr_add(slope, slope, rate, MPFR_RNDN);
    ival_clamp_ui(s, 0, 1);
    mpfr_clear(rate);
    mpfi_clear(own);
}

/* s += the profile of the near atom, e^log (1 - e^(x - place))_+, and above the aliases that were
 * left out with it, which are bounded as those of the law: f(v) <= e^(log + z (place - v)). */
void near_atom_add(mpfi_t s, const trapezoid *p, const mpfi_t x, const mpfi_t period)
{
    mpfi_t part, mass;
    mpfr_t alias;
    mpfi_init2(part, mpfi_get_prec(p->atom_log));
    mpfi_init2(mass, mpfi_get_prec(p->atom_log));
    mpfr_init2(alias, 64);
    mpfr_set_ui(alias, 0, MPFR_RNDU);
    double order[] = {p->below, p->above};
    for (size_t i = 0; i < 2; i++) {
        mpfi_mul_d(part, p->atom_place, order[i]);
        mpfi_add(part, part, p->atom_log);
        tail_alias(alias, part, x, order[i], p->c, period);
    }
    mpfi_sub(part, x, p->atom_place);
    mpfi_expm1(part, part);
    mpfi_neg(part, part);
    ival_at_least_zero(part);
    mpfi_exp(mass, p->atom_log);
    mpfi_mul(part, part, mass);
    mpfi_add(s, s, part);
    mpfr_add(&s->right, &s->right, alias, MPFR_RNDU);
    mpfr_clear(alias);
    mpfi_clear(mass);
    mpfi_clear(part);
}
