/* SPDX-License-Identifier: MIT */
/* The lines along which the moments of few uses of the sampled Gaussian are bounded. */
#include <math.h>

#include "loss/sampled_gaussian_bend.h"
#include "num/memory.h"

#define MOST_WIDTHS 11.0
static const double PART[BEND_ANGLES] = {0, .04, .08, .14, .22, .32, .44, .58, .74, .88, 1};

bend *bend_new(void)
{
    bend *b = memory_zero(1, sizeof *b);
    for (size_t i = 0; b != NULL && i < sizeof b->box / sizeof *b->box; i++)
        mpfr_init2(b->box[i].weight, BEND_BITS);
    if (b != NULL) {
        mpfr_init2(b->lost, BEND_BITS);
        mpfr_set_ui(b->lost, 0, MPFR_RNDU);
    }
    return b;
}

void bend_forget(bend *b)
{
    for (size_t i = 0; i < BEND_ITEMS; i++)
        for (size_t k = 0; k < BEND_ANGLES; k++) {
            bend_line_free(b->line[i][k]);
            bend_line_free(b->rough[i][k]);
            memory_free(b->edges[i][k]);
            b->line[i][k] = b->rough[i][k] = NULL;
            b->edges[i][k] = NULL;
        }
    b->count = 0;
}

void bend_unwindow(bend *b)
{
    for (size_t i = 0; i < BEND_ITEMS; i++) {
        memory_free(b->grid[i]);
        b->grid[i] = NULL;
        b->window[i] = (bend_window){0};
    }
    b->windowed = false;
    mpfr_set_ui(b->lost, 0, MPFR_RNDU);
    bend_forget(b);
}

void bend_free(bend *b)
{
    if (b == NULL)
        return;
    bend_unwindow(b);
    mpfr_clear(b->lost);
    for (size_t i = 0; i < sizeof b->box / sizeof *b->box; i++)
        mpfr_clear(b->box[i].weight);
    memory_free(b);
}

double bend_add_logs(double a, double b)
{
    return isfinite(a) && isfinite(b) ? fmax(a, b) + log1p(exp(-fabs(a - b))) : fmax(a, b);
}

double bend_short(double x, int bits)
{
    int exponent;
    double m = frexp(x, &exponent);
    return ldexp(floor(ldexp(m, bits)), exponent - bits);
}

/* Of cells: what bounds lose in each is to the power T. */
double bend_width(const sgm *l)
{
    double uses = 0;
    for (size_t i = 0; i < l->items; i++)
        uses += l->item[i].count;
    return fmax(0.03, fmin(0.15, 4 / sqrt(uses)));
}

/* Lines for powers up to `most`; false where there are none. */
bool bend_lines(bend *b, const sgm *l, double most)
{
    if (b->count > 0 && (b->windowed || most <= b->most))
        return true;
    bend_forget(b);
    if (l->items > BEND_ITEMS)
        return false;
    b->most = 1.1 * most;
    for (size_t i = 0; i < l->items; i++) {
        const sgm_item *g = &l->item[i];
        double farthest = fmin(0.999 * BEND_MOST_ANGLE * g->s, 9);
        if (b->windowed) /* beyond, windows are huge */
            farthest = fmin(farthest, MOST_WIDTHS * b->window[i].width);
        for (size_t k = 0; k < BEND_ANGLES; k++) {
            double shift = bend_short(PART[k] * farthest, 20);
            b->line[i][k] =
                bend_line_new(g, shift, b->most, b->windowed ? bend_width(l) : 0.3, &b->window[i]);
            b->rough[i][k] = bend_line_new(g, shift, b->most, b->windowed ? 2 * bend_width(l) : 0.6,
                                           &b->window[i]);
            if (b->line[i][k] == NULL || b->rough[i][k] == NULL) {
                bend_forget(b);
                return false;
            }
        }
    }
    b->count = l->items;
    return true;
}

/* ---- growth --------------------------------------------------------------------------------- */ /* >= the sum of T ln|g| in a box, by the best lines near at[i]; `free`: for all t above the box. */
double bend_log_growth(const bend *b, const sgm *l, int at[BEND_ITEMS], double low, double high,
                       double t, double size)
{
    double sum = 0;
    for (size_t i = 0; i < l->items; i++) {
        double best = HUGE_VAL;
        int from = at[i], found = from;
        bend_line *const *of = b->plans ? b->rough[i] : b->line[i];
        for (int side = -1; side <= 1; side += 2)
            for (int k = side < 0 ? from : from + 1; k >= 0 && k < BEND_ANGLES; k += side) {
                double lift = isfinite(size) ? 0 : expm1(bend_lift(of[k]));
                double value = log1p(lift + bend_growth(of[k], low, high, t, size, HUGE_VAL));
                if (!(value < best) && k != from && isfinite(value))
                    break;
                best = fmin(best, value);
                found = best == value ? k : found;
            }
        at[i] = found;
        sum += l->item[i].count * (best + 1e-7 * fabs(best));
    }
    return sum;
}
