/* SPDX-License-Identifier: MIT */
/* Both ends of epsilon from one pass, where a wider bracket told about where they are. */
#include <math.h>

#include "engine/inversion.h"
#include "num/ival.h"

#define LEAD_BITS 64
#define TELLING 0.2     /* of the last digit */
#define LEAST_STEP 1e-3 /* of the gap, in the dark */
#define ROOM 3.0        /* times how far epsilon may be from where it is thought to be */
#define MOST_LOSS 0.2   /* of the gap, by lines in place of s */
#define MARGIN 0.1      /* of the ends, for that and what else is not in their estimate */

void lead_init(lead *l)
{
    *l = (lead){.known = false};
    mpfr_init2(l->at, LEAD_BITS);
}

void lead_clear(lead *l)
{
    mpfr_clear(l->at);
}

double lead_gap(const lead *l, double gap, size_t digits)
{
    mpfr_t x;
    double about = mpfr_get_d(l->at, MPFR_RNDN);
    double over = pow(10, (double)digits - 1 - floor(log10(about))); /* 1 over the last digit */
    mpfr_init2(x, mpfr_get_prec(l->at) + LEAD_BITS);
    mpfr_mul_d(x, l->at, over, MPFR_RNDN);
    mpfr_frac(x, x, MPFR_RNDN);
    double share = mpfr_get_d(x, MPFR_RNDN), size = 1 / over;
    mpfr_clear(x);
    double low = share * size - l->away, high = (1 - share) * size - l->away;
    double aim = fmin(low / l->below, high / l->above) / l->area / (1 + MARGIN);
    double tell = TELLING * size / ((l->below + l->above) * l->area);
    return gap * (aim > 0 ? aim : fmax(tell, LEAST_STEP));
}

/* The ends of s that the lines go through. */
typedef struct line3 {
    mpfr_t x[3]; /* x0 < x1 < x2 */
    mpfr_t low, high[3];
} line3;

static void line3_init(line3 *p, mpfr_prec_t bits)
{
    mpfr_init2(p->low, bits);
    for (size_t i = 0; i < 3; i++) {
        mpfr_init2(p->x[i], bits);
        mpfr_init2(p->high[i], bits);
    }
}

static void line3_clear(line3 *p)
{
    for (size_t i = 0; i < 3; i++) {
        mpfr_clear(p->x[i]);
        mpfr_clear(p->high[i]);
    }
    mpfr_clear(p->low);
}

/* x1 and x2 on both sides of where epsilon is thought to be, x0 so far before that neither the
 * width of s nor its curvature counts. False where they are not small beside the gap. */
static bool place(line3 *p, const inversion *v, const lead *l, double gap)
{
    double room = ROOM * l->away + gap / l->rate, reach = sqrt(gap) / l->rate;
    mpfr_sub_d(p->x[1], l->at, room, MPFR_RNDN);
    mpfr_add_d(p->x[2], l->at, room, MPFR_RNDN);
    mpfr_sub_d(p->x[0], p->x[1], reach, MPFR_RNDN);
    return 4 * room * l->rate < MOST_LOSS * sqrt(gap) && mpfr_sgn(p->x[0]) > 0 &&
           mpfr_less_p(p->x[2], &v->proved->right) && mpfr_less_p(p->x[0], p->x[1]) &&
           mpfr_less_p(p->x[1], p->x[2]);
}

/* s at all, at x1 last. */
static dp_status visit(line3 *p, inversion *v)
{
    static const size_t order[] = {0, 2, 1};
    dp_status status = profile_foresee(v->p, (mpfr_srcptr[]){p->x[0], p->x[1], p->x[2]}, 3, v->lim);
    for (size_t i = 0; status == DP_OK && i < 3; i++) {
        mpfr_set(v->x, p->x[order[i]], MPFR_RNDN);
        status = inversion_at(v);
        mpfr_set(p->high[order[i]], &v->s->right, MPFR_RNDU);
    }
    mpfr_set(p->low, &v->s->left, MPFR_RNDD);
    return status;
}

/* out = x1 + ln(1 + a (u - s*) / d), a = |e^(y - x1) - 1|: where a line that is u at x1 and falls
 * by d from there on so far as y is away, or as far from y to there, is s*. */
static void root(mpfi_t out, const line3 *p, mpfr_srcptr y, mpfr_srcptr u, const mpfi_t fall,
                 mpfr_srcptr target)
{
    mpfi_t part;
    mpfi_init2(part, mpfi_get_prec(out));
    mpfi_set_fr(out, y);
    mpfi_sub_fr(out, out, p->x[1]);
    mpfi_expm1(out, out);
    mpfi_abs(out, out);
    mpfi_set_fr(part, u);
    mpfi_sub_fr(part, part, target);
    mpfi_mul(out, out, part);
    mpfi_div(out, out, fall);
    mpfi_log1p(out, out);
    mpfi_add_fr(out, out, p->x[1]);
    mpfi_clear(part);
}

/* s* from the side that harms: below for the upper end, above for the lower one. */
static bool prove(inversion *v, const line3 *p)
{
    mpfi_t x, fall;
    mpfi_init2(x, v->work);
    mpfi_init2(fall, v->work);
    mpfr_srcptr least = &v->target->left, most = &v->target->right;
    bool above = mpfr_greater_p(p->high[1], least) && mpfr_lessequal_p(p->high[2], least);
    if (above) {
        mpfi_set_fr(fall, p->high[1]);
        mpfi_sub_fr(fall, fall, p->high[2]);
        root(x, p, p->x[2], p->high[1], fall, least);
        mpfr_min(&v->proved->right, &v->proved->right, &x->right, MPFR_RNDU);
    }
    bool below = mpfr_greater_p(p->low, most) && mpfr_greater_p(p->high[0], p->low);
    if (below) {
        mpfi_set_fr(fall, p->high[0]);
        mpfi_sub_fr(fall, fall, p->low);
        root(x, p, p->x[0], p->low, fall, most);
        mpfr_max(&v->proved->left, &v->proved->left, &x->left, MPFR_RNDD);
    }
    mpfi_clear(fall);
    mpfi_clear(x);
    return above && below;
}

bool inversion_by_chords(inversion *v, const lead *l, double gap, dp_status *status)
{
    line3 p;
    line3_init(&p, v->work);
    bool found = place(&p, v, l, gap);
    if (found) {
        *status = visit(&p, v);
        found = *status == DP_OK && prove(v, &p);
    }
    line3_clear(&p);
    return found;
}
