/* SPDX-License-Identifier: MIT */
/* Where few uses of the sampled Gaussian have their profile, and which have windows. */
#include <math.h>

#include "loss/sampled_gaussian_bend.h"

#define WINDOW_USES 20000.0
#define MOST_DRAWN 2.0 /* of more, moments are as they should */
#define WINDOW_BITS 76.0
#define LAST_NOISE 0.15 /* of windows where other moments do not do */

#define FEW_USES 16.0
#define MOST_USES 64.0
#define RARE 0.01        /* records drawn, in all */
#define MOST_SPREAD 60.0 /* of uses times s^2 */

bool few_has_rays(const sgm *l)
{
    double uses = 0, spread = 0, drawn = 0;
    for (size_t i = 0; i < l->items; i++) {
        uses += l->item[i].count;
        drawn += l->item[i].count * l->item[i].q;
        spread = fmax(spread, l->item[i].s);
    }
    double most = spread < FEW_SOME_NOISE || drawn < RARE ? MOST_USES : FEW_USES;
    return uses <= most && uses * spread * spread <= MOST_SPREAD;
}

/* Have they windows, with that much noise? */
static bool may_place(double *uses, const sgm *l, double noise)
{
    double spread = HUGE_VAL, drawn = 0;
    *uses = 0;
    for (size_t i = 0; i < l->items; i++) {
        spread = fmin(spread, l->item[i].s);
        *uses += l->item[i].count;
        drawn += l->item[i].count * l->item[i].q;
        if (l->item[i].add != l->item[0].add || l->item[i].group > 1)
            return false;
    }
    return spread >= noise && drawn <= MOST_DRAWN && l->items <= BEND_ITEMS;
}

/* Is it placed by windows? */
static bool has_place(double *uses, const sgm *l)
{
    return may_place(uses, l, FEW_SOME_NOISE);
}

bool few_may_window(const sgm *l, double bits)
{
    double uses;
    return may_place(&uses, l, LAST_NOISE) && uses <= WINDOW_USES && bits <= WINDOW_BITS;
}

bool few_has_window(const sgm *l, double bits)
{
    double uses;
    return has_place(&uses, l) && uses <= WINDOW_USES && bits <= WINDOW_BITS;
}

/* As T times the profile of one use, where the largest loss decides: in doubles, with u = y/s -
 * 1/(2s^2) from which r > e^x, q Phi(1/s - y) - (e^x - 1 + q) Phi(-y) by bisection. */
static double near_single(const sgm_item *g, double x)
{
    double above = expm1(x) / g->q, y = g->s * log1p(above) + 0.5 / g->s;
    return g->q * (erfc((y - 1 / g->s) / M_SQRT2) - (1 + above) * erfc(y / M_SQRT2)) / 2;
}

double few_place(bool *heavy, const sgm *l, double log_s)
{
    double place =
        few_has_window(l, 0) && !l->item[0].add ? bend_place_window(heavy, l, log_s) : -1;
    if (place > 0)
        return place;
    double low = -50, high = 20;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2, sum = 0;
        for (size_t k = 0; k < l->items; k++)
            sum += l->item[k].count * near_single(&l->item[k], exp(middle));
        *(log(fmax(sum, 1e-300)) > log_s ? &low : &high) = middle;
    }
    return exp(low);
}

bool sgm_few_has_window(const sgm *l)
{
    double uses;
    return has_place(&uses, l);
}
