/* SPDX-License-Identifier: MIT */
/* A window for the moments of the sampled Gaussian. Far to the right of where they matter, large
 * losses make the moments of a removed record huge, so that no path may pass where it should. Let W
 * = erfc((y - y1) / (tau sqrt 2)) / 2 for y <= Y, 0 beyond: with W r phi in place of r phi a use
 * has the loss that it had with a mass that is smaller by D = int (1 - W) r phi <= (1-q) Q(y1/rho)
 * + q Q((y1 - 1/s)/rho) + (1-q) Q(Y) + q Q(Y - 1/s), rho^2 = 1 + tau^2 (a normal variable plus tau
 * times another is beyond y1), Q(x) = Phi(-x). As 0 <= W <= 1 and the profile is the mean of
 * something in [0, 1], it falls by what is between 0 and 1 - prod (1 - D)^T <= sum T D. Where
 * records are added the mean is over phi, D = int (1 - W) phi; s = e^-X I(X) then, so I falls by
 * e^X sum T D at most. W is entire in y, with |W| bounded as in sampled_gaussian_growth.c. */
#include <math.h>

#include "loss/gaussian_tails.h"
#include "loss/sampled_gaussian_bend.h"
#include "num/ival.h"
#include "num/memory.h"

/* ---- the window ----------------------------------------------------------------------------- */
#define LEAST_PLACE 3.0
#define MOST_PLACE 46.0
#define WIDTH_SQUARE 0.6 /* tau^2 y1 */
#define MOST_WIDTH 0.4
#define APART 150.0  /* -ln of what is left at the end */
#define FARTHEST 1.8 /* times the power at which the last losses count, 1.8 e^(w eps) */
#define MOST_WIDTHS 100
#define NARROWEST 0.1
#define SPARE 1.2 /* of ln D */
#define KEPT 6.0

static double near_tail(double x)
{
    return x < 30 ? log(erfc(x * M_SQRT1_2) / 2) : -x * x / 2 - log(x * 2.5066);
}

static double near_excess(const sgm_item *g, double y)
{
    double v = g->log_rate - g->log_rest + (y - 0.5 / g->s) / g->s;
    return v > 0 ? v + log1p(exp(-v)) : log1p(exp(v));
}

/* About ln D. */
static double near_lost(const sgm_item *g, double at, double width)
{
    double rho = hypot(1, width);
    if (g->add)
        return near_tail(at / rho);
    return bend_add_logs(g->log_rest + near_tail(at / rho),
                         g->log_rate + near_tail((at - 1 / g->s) / rho));
}

/* About where D = e^log_lost; false where what is at the end is not small. */
static bool choose_width(bend_window *to, const sgm_item *g, double log_lost, double part)
{
    double low = LEAST_PLACE, high = MOST_PLACE + 2 / g->s;
    bend_window w = {0};
    for (int i = 0; i < 40; i++) {
        w.at = (low + high) / 2;
        w.width = part * fmin(MOST_WIDTH, sqrt(WIDTH_SQUARE / w.at));
        *(near_lost(g, w.at, w.width) > log_lost ? &low : &high) = w.at;
    }
    w.at = bend_short(w.at, 20) + 0x1p-10;
    w.width = bend_short(w.width, 12);
    double power = FARTHEST * w.at * w.at / 2 / near_excess(g, w.at), best = -HUGE_VAL;
    for (int i = 4; i < MOST_WIDTHS && best < APART; i++) {
        double y = w.at + i * w.width, all = (y * y + i * i - power * near_excess(g, y) * 2) / 2;
        if (all > best)
            w.end = bend_short(y, 20);
        best = fmax(best, all);
    }
    *to = w;
    return best >= APART;
}

/* As wide as may be. */
static bend_window choose(const sgm_item *g, double log_lost)
{
    bend_window w;
    double part = 1;
    while (!choose_width(&w, g, log_lost, part) && part > NARROWEST)
        part *= 0.75;
    return w;
}

/* ---- guesses -------------------------------------------------------------------------------- */
#define FROM (-9.0)
#define MOST_GRID 2048

/* The excess and ln(phi W) on a grid. */
struct bend_grid {
    size_t count;
    double excess[MOST_GRID], log[MOST_GRID];
};

static bend_grid *grid_new(const sgm_item *g, const bend_window *w)
{
    bend_grid *grid = memory_new(1, sizeof *grid);
    if (grid == NULL)
        return NULL;
    double step = fmax(fmin(0.1, g->s / 12), (w->end - FROM) / (MOST_GRID - 2));
    grid->count = 0;
    for (double y = FROM; y < w->end; y += step) {
        double u = (y - w->at) / w->width,
               log_w = u < 0 ? log1p(-erfc(-u * M_SQRT1_2) / 2) : near_tail(u);
        grid->excess[grid->count] = near_excess(g, y);
        grid->log[grid->count++] = log_w - y * y / 2 + log(step) - 0.9189385332;
    }
    return grid;
}

/* As sgm_guess, of g with its window. */
static void grid_guess(double k[3], const bend_grid *grid, double p)
{
    double top = -HUGE_VAL, sum = 0, mean = 0, square = 0;
    for (size_t i = 0; i < grid->count; i++)
        top = fmax(top, grid->log[i] + p * grid->excess[i]);
    for (size_t i = 0; i < grid->count; i++) {
        double e = exp(grid->log[i] + p * grid->excess[i] - top);
        sum += e;
        mean += e * grid->excess[i];
        square += e * grid->excess[i] * grid->excess[i];
    }
    mean /= sum;
    k[0] = top + log(sum);
    k[1] = mean;
    k[2] = fmax(0, square / sum - mean * mean);
}

/* Windows with which about e^log_lost is lost. */
static bool choose_all(bend *b, const sgm *l, double log_lost)
{
    double rest = 0, uses = 0;
    bend_unwindow(b);
    for (size_t i = 0; i < l->items; i++) {
        rest += l->item[i].count * l->item[i].log_rest;
        uses += l->item[i].count;
    }
    for (size_t i = 0; i < l->items; i++) {
        b->window[i] = choose(&l->item[i], log_lost - SPARE + rest - log(uses));
        b->grid[i] = grid_new(&l->item[i], &b->window[i]);
        if (b->grid[i] == NULL || !(b->window[i].at < MOST_PLACE)) {
            bend_unwindow(b);
            return false;
        }
    }
    return true;
}

/* ln g and its derivatives at w = 1 + z, without what is beside a window. */
void bend_guess(double k[3], const bend *b, const sgm *l, double z)
{
    k[0] = k[1] = k[2] = 0;
    for (size_t i = 0; i < l->items; i++) {
        const sgm_item *g = &l->item[i];
        double own[3];
        if (b->grid[i] != NULL) {
            grid_guess(own, b->grid[i], 1 + z);
        } else {
            sgm_guess(own, g, 1 + z);
            own[0] -= (1 + z) * g->log_rest;
            own[1] -= g->log_rest;
        }
        for (int j = 0; j < 3; j++)
            k[j] += g->count * own[j];
    }
}

/* ln prod g^T e^(-zX) / (z (z+1)) with its share of an integral, at the X that it has its saddle
 * at.
 */
static double at_saddle(double *gap, const bend *b, const sgm *l, double z)
{
    double k[3];
    bend_guess(k, b, l, z);
    *gap = k[1] - 1 / z - 1 / (1 + z);
    double second = k[2] + 1 / (z * z) + 1 / ((1 + z) * (1 + z));
    return k[0] - z * *gap - log(z * (1 + z)) - 0.5 * log(2 * M_PI * second);
}

double bend_near_window(bend *b, const sgm *l, double gap, double log_lost)
{
    if (!choose_all(b, l, log_lost))
        return NAN;
    double low = -20, high = 40, near = -HUGE_VAL;
    for (int i = 0; i < 28; i++) {
        double middle = (low + high) / 2, x;
        near = at_saddle(&x, b, l, exp(middle));
        near -= exp(middle) * (gap - x);
        *(x < gap ? &low : &high) = middle;
    }
    return near;
}

#define HEAVY 0.02 /* of x */

double bend_place_window(bool *heavy, const sgm *l, double log_s)
{
    double rest = 0, low = -20, high = 40, gap = -1, k[3];
    bend *b = bend_new();
    for (size_t i = 0; i < l->items; i++)
        rest += l->item[i].count * l->item[i].log_rest;
    bool ok = b != NULL && choose_all(b, l, log_s - rest);
    for (int i = 0; ok && i < 40; i++) {
        double middle = (low + high) / 2;
        bool above = at_saddle(&gap, b, l, exp(middle)) > log_s - rest;
        *(above ? &low : &high) = middle;
    }
    if (ok) {
        bend_guess(k, b, l, exp(low));
        double with = k[1];
        bend_unwindow(b);
        bend_guess(k, b, l, exp(low));
        *heavy = !(k[1] - with < HEAVY * (gap + rest));
    }
    bend_free(b);
    return ok ? gap + rest : -1;
}

/* ---- what is lost --------------------------------------------------------------------------- */
/* out += (1-q) Q(x) + q Q(x - 1/s), each over rho; or Q(x) alone, where records are added */
static void add_tails(mpfi_t out, const gaussian_tails *tails, const sgm_item *g, double x,
                      const mpfi_t rho)
{
    mpfi_t at, part, rate;
    mpfi_init2(at, 2 * BEND_BITS);
    mpfi_init2(part, 2 * BEND_BITS);
    mpfi_init2(rate, 2 * BEND_BITS);
    for (int moved = 0; moved < (g->add ? 1 : 2); moved++) {
        mpfi_set_q(at, g->sigma);
        mpfi_ui_div(at, 1, at);
        mpfi_mul_si(at, at, -moved);
        mpfi_add_d(at, at, x);
        mpfi_div(at, at, rho);
        gaussian_tail(part, tails, at);
        mpfi_set_q(rate, g->rate);
        if (!moved)
            mpfi_ui_sub(rate, 1, rate);
        if (!g->add)
            mpfi_mul(part, part, rate);
        mpfi_add(out, out, part);
    }
    mpfi_clear(rate);
    mpfi_clear(part);
    mpfi_clear(at);
}

/* most >= the sum of T D e^-b, b that of T ln(1-q); where records are added, of T D. */
static void set_lost(mpfr_t most, const bend *b, const sgm *l)
{
    gaussian_tails tails;
    mpfi_t rho, sum, part, rest;
    mpfi_ptr all[] = {rho, sum, part, rest};
    for (size_t i = 0; i < 4; i++)
        mpfi_init2(all[i], 2 * BEND_BITS);
    bool ok = gaussian_tails_init(&tails, 2 * BEND_BITS);
    mpfi_set_ui(sum, 0);
    mpfi_set_ui(rest, 0);
    for (size_t i = 0; ok && i < l->items; i++) {
        const sgm_item *g = &l->item[i];
        const bend_window *w = &b->window[i];
        mpfi_set_d(rho, w->width);
        mpfi_sqr(rho, rho);
        mpfi_add_ui(rho, rho, 1);
        mpfi_sqrt(rho, rho);
        mpfi_set_ui(part, 0);
        add_tails(part, &tails, g, w->at, rho);
        mpfi_set_ui(rho, 1);
        add_tails(part, &tails, g, w->end, rho);
        ival_mul_z(part, part, g->times);
        mpfi_add(sum, sum, part);
        ival_log1m_q(part, g->rate);
        ival_mul_z(part, part, g->times);
        mpfi_sub(rest, rest, part);
    }
    mpfi_exp(rest, rest);
    if (!l->item[0].add)
        mpfi_mul(sum, sum, rest);
    if (ok && !ival_bad(sum))
        mpfr_set(most, &sum->right, MPFR_RNDU);
    else
        mpfr_set_inf(most, 1);
    gaussian_tails_clear(&tails);
    for (size_t i = 0; i < 4; i++)
        mpfi_clear(all[i]);
}

bool bend_set_window(bend *b, const sgm *l, double log_lost)
{
    if (l->items > BEND_ITEMS)
        return false;
    if (b->windowed && b->log_lost <= log_lost && b->log_lost > log_lost - KEPT)
        return true;
    if (!choose_all(b, l, log_lost))
        return false;
    set_lost(b->lost, b, l);
    b->log_lost = log_lost;
    b->windowed = true;
    return true;
}
