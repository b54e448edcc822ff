/* SPDX-License-Identifier: MIT */
/* Both ends of epsilon where two points cost a pass over many nodes. */
#include <math.h>

#include "engine/inversion.h"

#define PAIRS 3
#define PAIR_MARGIN 0.02 /* of the gap, beyond the root of a tangent */
#define LEAD 0.1         /* of the width: how far the middle may be off */
#define EVEN_LEAD 2e-5   /* where the law is even */

/* end = x and the tangent's step from there, and further by the square of the step, which is about
 * what the tangent misses, and a share of the gap; both as parts of s. False where that is none. */
static bool guess_end(mpfr_t end, double *step, inversion *v, dp_end which, double gap)
{
    inversion_tangent(v, which, true);
    mpfr_div(v->part, v->slope, inversion_value(v, which), MPFR_RNDN);
    double rate = mpfr_get_d(v->part, MPFR_RNDN);
    *step = rate * mpfr_get_d(v->step, MPFR_RNDN);
    if (!(rate > 0) || !(fabs(*step) < 1))
        return false;
    double margin = (*step * *step + PAIR_MARGIN * gap) / rate;
    mpfr_add(end, v->x, v->step, MPFR_RNDN);
    mpfr_add_d(end, end, which == DP_UPPER ? margin : -margin, MPFR_RNDN);
    return mpfr_sgn(end) > 0 && mpfr_less_p(end, &v->proved->right);
}

/* Evaluates at both; were they proved to be ends? */
static bool are_ends(inversion *v, mpfr_srcptr low, mpfr_srcptr high, dp_status *status)
{
    *status = profile_foresee(v->p, (mpfr_srcptr[]){low, high}, 2, v->lim);
    mpfr_set(v->x, low, MPFR_RNDN);
    if (*status == DP_OK)
        *status = inversion_at(v);
    mpfr_set(v->x, high, MPFR_RNDN);
    if (*status == DP_OK)
        *status = inversion_at(v);
    return *status == DP_OK && mpfr_greaterequal_p(&v->proved->left, low) &&
           mpfr_lessequal_p(&v->proved->right, high);
}

/* From s at v->x, which is near: the root of the tangent to ln s. Of both ends of s the upper one
 * is half as far away. */
static void set_lead(lead *l, const inversion *v)
{
    mpfr_t s, part;
    mpfr_init2(s, v->work);
    mpfr_init2(part, v->work);
    mpfr_set_prec(l->at, v->work);
    mpfr_sub(part, &v->s->right, &v->s->left, MPFR_RNDN);
    mpfr_mul_2ui(s, &v->s->right, 1, MPFR_RNDN);
    mpfr_add(s, s, &v->s->left, MPFR_RNDN);
    mpfr_div_ui(s, s, 3, MPFR_RNDN);
    mpfr_div(part, part, v->slope, MPFR_RNDN);
    double wide = mpfr_get_d(part, MPFR_RNDN);
    mpfr_div(part, v->slope, s, MPFR_RNDN);
    l->rate = mpfr_get_d(part, MPFR_RNDN);
    mpfi_get_fr(part, v->target);
    mpfr_div(part, s, part, MPFR_RNDN);
    mpfr_log(part, part, MPFR_RNDN);
    mpfr_div_d(part, part, l->rate, MPFR_RNDN);
    mpfr_add(l->at, v->x, part, MPFR_RNDN);
    l->area = profile_area(v->p);
    l->above = wide / 3 / l->area;
    l->below = 2 * l->above;
    l->away = (profile_is_even(v->p) ? EVEN_LEAD : LEAD) * wide;
    l->known = mpfr_number_p(l->at) && mpfr_sgn(l->at) > 0 && wide > 0 && isfinite(wide) &&
               l->area > 0 && l->rate > 0 && isfinite(l->rate);
    mpfr_clear(part);
    mpfr_clear(s);
}

bool inversion_by_pairs(inversion *v, lead *l, double gap, dp_status *status)
{
    bool found = l->known && inversion_by_chords(v, l, gap, status);
    mpfr_t low, high;
    mpfr_inits2(v->work, low, high, (mpfr_ptr)NULL);
    for (int i = 0; !found && *status == DP_OK && i < PAIRS; i++) {
        double down, up;
        *status = inversion_at(v);
        if (*status != DP_OK || !guess_end(low, &down, v, DP_LOWER, gap) ||
            !guess_end(high, &up, v, DP_UPPER, gap))
            break;
        found = are_ends(v, low, high, status) && fabs(down) + fabs(up) < sqrt(PAIR_MARGIN * gap);
    }
    l->known = false;
    if (found)
        set_lead(l, v);
    mpfr_clear(high);
    mpfr_clear(low);
    return found || *status != DP_OK;
}
