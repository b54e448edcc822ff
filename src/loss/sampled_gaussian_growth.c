/* SPDX-License-Identifier: MIT */
/* How large the moments of the sampled Gaussian may be on a line (sampled_gaussian_bend.h), by
 * cells in y: with r = Re(w eps) = p Re eps - t Im eps and f = phi e^r, on each cell |e^(w eps) -
 * 1| <= |w| |eps| max(1, e^r)  and  <= 1 + e^r, phi and both factors of the first by their largest
 * values there. Of the second, (ln f)'' >= -B, B = 1 + |w| |sigma (1 - sigma)| / s^2, |sigma (1 -
 * sigma)| = e^v / |1 + e^v|^2: ln f is at most B D^2/8 above its chord on a cell of width D, and
 * the integral of e to a chord at most D times the mean of its ends. Where |w| is not bounded, (e^r
 * - 1)_+ <= e^r min(1, r_+). As Im eps >= 0, all of this falls with t. Before the first edge e^v <=
 * 1/2 and |eps| <= 2 e^v, which rises; after the last one Re sigma <= 1.06, Re v being 3 or more,
 * so f falls as e^(-Dy), D = y - 1.06 p/s, and faster. From an edge with Re v = v >= 3 the path may
 * also climb to Im y = t/s and go right from there: r has no zero where Re v > 0. With eps = v +
 * delta, |delta| <= 1.1 e^-Re v, on the climb    |phi e^(w eps)| <= f e^(xx/2 - Lx + 2.2 e^-v |w|),
 * 0 <= x <= L = t/s - alpha, whose integral is at most 2/L of f e^(2.2 e^-v |w|), as xx/2 <= Lx/2,
 * and beyond it |phi e^(w eps)| <= phi(Re y) e^(p Re v - t^2/2s^2 + 1.1 e^-v |w|), at most
 * e^(p^2/2s^2 - p k/s), k = y - s Re v, in all. Both fall with t where Im eps > 2.2 e^-v at the
 * edge and t > 1.1 e^-v s^2. Where 1 is subtracted from e^(w eps), its phi stays on the line.
 *     With a window phi is phi times its value W, |W| <= 1 + E before its middle y1 and E after it,
 * E = e^((alpha^2 - (y-y1)^2) / 2tau^2) / 2, as |erfc(a+ib)| <= e^(b^2-a^2) for a >= 0. All ends at
 * Y, by the way from the line down to there: as the integral of phi W along all that is that on the
 * real line, between 0 and 1, |g| <= 1 + that of |phi W (e^(w eps) - 1)|; where |w| is not bounded,
 * |phi W| is at most |phi| and E |phi|, which is counted. The way down adds at most 2 alpha phi(Y)
 * e^(alpha^2/2) E e^(p ln(1 + e^v)), as |1 + e^v| is largest on the real line.
 *     In doubles of proved rounding (num/binary64.h): exponents are off by less than 2^-50 of their
 * parts, which are below 2^40 where they matter, sums of fewer than 2^14 positive terms by 2^-38;
 * all that is below 1/1000 of the result, by which it is raised. With a window, where it decides
 * more, by 2^-30 and 2^-46 of the largest parts: |Re eps| is at most that of the last edge or -ln
 * sin theta < 0.7, Im eps that of the last edge, y^2/2 that of the first or of the last one. */
#include "loss/sampled_gaussian_bend.h"

#include <math.h>

#include "num/binary64.h"
#include "num/memory.h"

#ifdef FIXED

#define MOST_CELLS 8192
#define MOST_PLACE 2000.0
#define MOST_POWER 150.0
#define ROOT_TWO_PI 2.5066  /* below sqrt(2 pi) */
#define ROOT_HALF_PI 1.2534 /* above sqrt(pi/2) */
#define RAISED 1.001
#define ROOT_2PI 2.506628274631 /* the same */
#define MOST_EXPONENT 690.0

struct bend_line {
    double shift, lift, step, slope, low; /* alpha, its lift, D, 1.06/s, 2 e^v at the first edge */
    double s, kink, from;                 /* about; the first edge */
    bend_window window;
    size_t clear;                                    /* the first edge with Re v >= 3 */
    size_t count;                                    /* of edges */
    double *re, *im, *square;                        /* at each edge: the excess and y^2/2 */
    double *least, *most, *size, *bend, *phi, *near; /* on each cell: of Re eps, |eps|, S, phi */
    double *weight, *log_e; /* E on each cell, ln E at each edge; NULL: no window */
    double data[];
};

#define PARTS 9
#define WINDOW_PARTS 2

static double exp_of(double x)
{
    if (!(x < MOST_EXPONENT))
        return HUGE_VAL;
    return x > 0 ? 1 / binary64_exp_neg(x) : binary64_exp_neg(fmin(-x, MOST_EXPONENT));
}

/* At least ln E at y and, where y is not in it, on the side of y1. */
static double log_end(const bend_line *x, double y)
{
    double near = y - x->window.at, width = x->window.width;
    double lift = x->shift * x->shift - near * near * (1 - 0x1p-50);
    return lift / (2 * width * width) - 0.693147 + 0x1p-30 * fabs(lift / (width * width));
}

/* At least E on a <= Re y <= b. */
static double window_most(const bend_line *x, double a, double b)
{
    double middle = x->window.at;
    return exp_of(log_end(x, b < middle ? b : a > middle ? a : middle)) * RAISED;
}

/* What bounds the excess between two edges, e^v being about a and b there. */
static void set_cell(bend_line *x, size_t i, double a, double b, double cosine, double s)
{
    double first = x->re[i], second = x->re[i + 1], least = 1 + a * (2 * cosine + a);
    double sine = 1 - cosine * cosine;
    x->most[i] = fmax(first, second);
    x->least[i] = fmin(first, second);
    if (cosine < 0 && a < -cosine * 1.001 && b > -cosine * 0.999) {
        least = sine;
        x->least[i] = fmin(x->least[i], log(sine) / 2 - 0.001);
    } else if (cosine < 0 && b <= -cosine) {
        least = 1 + b * (2 * cosine + b);
    }
    double along = fmax(fabs(x->most[i]), fabs(x->least[i]));
    x->size[i] = sqrt(along * along + x->im[i + 1] * x->im[i + 1]);
    x->bend[i] = b / (least * s * s) * RAISED;
    x->near[i] = fmin(x->square[i], x->square[i + 1]);
    x->phi[i] = exp_of(-x->near[i]);
    if (x->weight != NULL) {
        double y = x->from + (double)i * x->step;
        x->weight[i] = window_most(x, y, y + x->step);
    }
}

static bool fill(bend_line *x, const sgm_item *g, double from)
{
    excess_line at;
    if (!excess_line_init(&at, g, x->shift))
        return false;
    double cosine = fixed_get_d(at.cosine), last = 0, odds = g->log_rate - g->log_rest;
    for (size_t i = 0; i < x->count; i++) {
        double y = from + (double)i * x->step;
        fixed128 place;
        excess e;
        if (!fixed_set_d(&place, y) || !excess_at(&e, &at, place))
            return false;
        x->re[i] = ldexp(fixed_get_d(e.re), e.scale);
        x->im[i] = ldexp(fixed_get_d(e.im), e.scale);
        x->square[i] = y * y / 2;
        double v = odds + (y - 0.5 / g->s) / g->s, rate = exp_of(fmin(v, 300));
        if (i > 0)
            set_cell(x, i - 1, last, rate, cosine, g->s);
        if (i > 0 && y - x->step < 0 && y > 0) { /* 0 is inside */
            x->near[i - 1] = 0;
            x->phi[i - 1] = 1;
        }
        if (x->log_e != NULL)
            x->log_e[i] = log_end(x, y);
        if (i == 0)
            x->low = 2 * rate * RAISED;
        if (v < 3.001 || y < 1)
            x->clear = i + 1;
        last = rate;
    }
    return x->low <= 1 &&
           (x->weight != NULL ||
            odds + (from + (double)(x->count - 1) * x->step - 0.5 / g->s) / g->s > 3.001);
}

bend_line *bend_line_new(const sgm_item *g, double shift, double most, double width,
                         const bend_window *window)
{
    double kink = g->s * (g->log_rest - g->log_rate) + 0.5 / g->s;
    double step = exp2(floor(log2(width * fmin(1, g->s))));
    double from = floor(fmin(-6, kink - g->s) / step) * step;
    double to = fmax(9, kink + 14 * g->s);
    if (most > 0)
        to = fmax(to, 9 + fmin(1.06 * most / g->s, MOST_POWER));
    if (window->width > 0)
        to = window->end;
    double count = ceil((to - from) / step) + 1;
    if (!(count < MOST_CELLS) || !(to < MOST_PLACE) || !(from > -MOST_PLACE) ||
        !binary64_is_sound())
        return NULL;
    size_t edges = (size_t)count;
    bend_line *x = memory_new(1, sizeof *x + (PARTS + WINDOW_PARTS) * edges * sizeof x->data[0]);
    if (x == NULL)
        return NULL;
    *x = (bend_line){.shift = shift,
                     .lift = shift * shift / 2 * RAISED,
                     .step = step,
                     .slope = 1.0601 / g->s,
                     .s = g->s,
                     .kink = kink,
                     .from = from,
                     .window = *window,
                     .count = edges};
    double **part[PARTS] = {&x->re,   &x->im,   &x->square, &x->least, &x->most,
                            &x->size, &x->bend, &x->phi,    &x->near};
    for (size_t i = 0; i < PARTS; i++)
        *part[i] = x->data + i * edges;
    if (window->width > 0) {
        x->weight = x->data + PARTS * edges;
        x->log_e = x->weight + edges;
    }
    if (fill(x, g, from))
        return x;
    memory_free(x);
    return NULL;
}

void bend_line_free(bend_line *x)
{
    memory_free(x);
}

double bend_lift(const bend_line *x)
{
    return x->lift;
}

double bend_shift(const bend_line *x)
{
    return x->shift;
}

double bend_step(const bend_line *x)
{
    return x->step;
}

/* the largest of p x, low <= p <= high */
static double most_of(double low, double high, double x)
{
    return x >= 0 ? high * x : low * x;
}

/* Before the first edge. */
static double before(const bend_line *x, double low, double high, double size)
{
    double rise = fmax(fabs(low), fabs(high)) * x->low;
    double left = ROOT_HALF_PI * exp_of(-x->square[0]) * exp_of(rise);
    double above = x->weight != NULL ? window_most(x, x->from, x->from) : 0;
    return left * ((1 + above) * (isfinite(size) ? fmin(size * x->low, 2) : fmin(rise, 1)) + above);
}

/* From the end of the line down to the real one, as above. */
static double down_side(const bend_line *x, double high)
{
    double y = x->window.end, v = (y - x->kink) / x->s;
    double most = v > 0 ? v + exp_of(-v) : exp_of(v);
    double e = exp_of(fmax(high, 0) * most * (1 + 0x1p-40) - y * y / 2) * RAISED;
    return 2 * x->shift * window_most(x, y, y) * e;
}

/* Beyond the last one, where f is `last`, and phi where it is `known` too. */
static double after(const bend_line *x, double high, double last, bool known)
{
    double place = sqrt(2 * x->square[x->count - 1]), fall = place - x->slope * fmax(high, 0);
    if (!(fall >= 1))
        return HUGE_VAL;
    return last / fall + (known ? exp_of(-x->square[x->count - 1]) / place : 0);
}

/* What is beyond the edge k, f there being `at`, by way of Im y = t/s. */
static double climb(const bend_line *x, size_t k, double low, double high, double t, double at)
{
    double v = (sqrt(2 * x->square[k]) - x->kink) / x->s, turn = t / x->s;
    double p = fmax(fabs(low), fabs(high)), small = 1.1 * exp_of(0.001 - v),
           apart = small * (p + t);
    if (!(x->im[k] > 2.1 * small))
        return HUGE_VAL;
    double top = (p * p / x->s / 2 - fmin(low * x->kink, high * x->kink)) / x->s;
    double rest = 2 * at * exp_of(2 * apart) / (turn - x->shift);
    return rest + 2.6 * exp_of(top + 0.001 - turn * turn / 2 + apart - x->lift);
}

static bool climbs(const bend_line *x, double t)
{
    return t > 1.001 * x->s * x->shift + 0.001 * x->s && t > 0.06 * x->s * x->s;
}

/* f at the edge i, and at most on the cell from it on */
static double at_edge(const bend_line *x, size_t i, double low, double high, double t)
{
    return exp_of(most_of(low, high, x->re[i]) - t * x->im[i] - x->square[i]);
}

static double on_cell(double *r, const bend_line *x, size_t k, double low, double high, double t)
{
    *r = fmax(most_of(low, high, x->most[k]), most_of(low, high, x->least[k])) - t * x->im[k];
    return exp_of(*r - x->near[k]);
}

/* On the cell i, times 1 before the window's middle and E: the integrals of |phi W (e^(w eps) - 1)|
 * and of |phi W e^(w eps)|, f being `last` and `next` in logarithms at its edges. */
static void add_cell(double *sum, double *all, const bend_line *x, size_t i, double low,
                     double high, double t, double size, double last, double next)
{
    double r, most = on_cell(&r, x, i, low, high, t), phi = x->phi[i], e = x->weight[i];
    double square = x->step * x->step / 8, rise = (1 + size * x->bend[i]) * square;
    double f = fmin(most, exp_of(rise + last) / 2 + exp_of(rise + next) / 2), fe = e * most;
    if (e > 0x1p-100) {
        rise += square / (x->window.width * x->window.width);
        fe = fmin(fe, exp_of(rise + last + x->log_e[i]) / 2 +
                          exp_of(rise + next + x->log_e[i + 1]) / 2);
    }
    double near = isfinite(size) ? size * x->size[i] * fmax(phi, most) : HUGE_VAL;
    double part = isfinite(size) ? fmin(near, phi + f) : most * fmin(1, fmax(r, 0));
    double part_e = fmin(e * (isfinite(size) ? near : part), e * phi + fe) + e * phi;
    bool left = x->from + (double)i * x->step < x->window.at;
    *sum += x->step * ((left ? part : 0) + part_e);
    *all += x->step * ((left ? f : 0) + fe);
}

/* With a window; or the integral of |phi W e^(w eps)| less 1, where that is smaller. */
static double window_growth(const bend_line *x, double low, double high, double t, double size,
                            double until)
{
    double parts = fmax(fabs(low), fabs(high)) * (fabs(x->re[x->count - 1]) + 0.7) +
                   t * x->im[x->count - 1] + x->square[0] + x->square[x->count - 1];
    double unit = exp_of(x->shift * x->shift / 2) / ROOT_2PI * (1 + 0x1p-30 + 0x1p-46 * parts);
    double sum = before(x, low, high, size),
           all = before(x, low, high, HUGE_VAL) + 2 * ROOT_HALF_PI * exp_of(-x->square[0]);
    double last = most_of(low, high, x->re[0]) - t * x->im[0] - x->square[0];
    for (size_t i = 0; i + 1 < x->count && x->from + (double)i * x->step < until; i++) {
        double next = most_of(low, high, x->re[i + 1]) - t * x->im[i + 1] - x->square[i + 1];
        add_cell(&sum, &all, x, i, low, high, t, size, last, next);
        last = next;
    }
    if (!(until < HUGE_VAL)) {
        sum += down_side(x, high);
        all += down_side(x, high);
    }
    double best = fmin(sum * unit, fmax(all * unit - 1, -0.999));
    return isfinite(best) ? best : HUGE_VAL;
}

double bend_growth(const bend_line *x, double low, double high, double t, double size, double until)
{
    if (x->weight != NULL)
        return window_growth(x, low, high, t, size, until);
    bool known = isfinite(size), turns = !(until < HUGE_VAL) && climbs(x, t), whole = true;
    double sum = before(x, low, high, size), last = at_edge(x, 0, low, high, t),
           width = x->step * x->step / 8;
    double best = HUGE_VAL;
    for (size_t i = 1; i < x->count; i++) {
        double r, most = on_cell(&r, x, i - 1, low, high, t), next = at_edge(x, i, low, high, t);
        double rise = (1 + size * x->bend[i - 1]) * width, phi = x->phi[i - 1];
        double mean = rise < 1 ? (1 + 2 * rise) * (last + next) / 2 : HUGE_VAL;
        if (known)
            sum += x->step * fmin(size * x->size[i - 1] * fmax(phi, most), phi + fmin(most, mean));
        else
            sum += x->step * most * fmin(1, fmax(r, 0));
        last = next;
        if (turns && i >= x->clear) {
            double y = sqrt(2 * x->square[i]);
            best = fmin(best, sum + climb(x, i, low, high, t, next) +
                                  (known ? exp_of(-x->square[i]) / y : 0));
        }
        whole = x->from + (double)i * x->step < until;
        if (sum > best || !whole)
            break;
    }
    if (whole && !(sum > best))
        best = fmin(best, sum + after(x, high, last, known));
    else if (!whole)
        best = sum;
    best = best / ROOT_TWO_PI * exp_of(x->lift);
    return isfinite(best) ? best * RAISED : HUGE_VAL;
}

/* At least |W| on a cell. */
static double weight_on(const bend_line *x, size_t k)
{
    if (x->weight == NULL)
        return 1;
    return x->weight[k] + (x->from + (double)k * x->step < x->window.at ? 1 : 0);
}

/* the cell that y is in */
static size_t cell_of(const bend_line *x, double y)
{
    double k = floor((y - x->from) / x->step);
    return k < 0 ? 0 : k < (double)x->count - 2 ? (size_t)k : x->count - 2;
}

double bend_beyond(const bend_line *x, double low, double high, double t, double from)
{
    double sum = 0, best = HUGE_VAL;
    bool turns = x->weight == NULL && climbs(x, t);
    for (size_t k = cell_of(x, from); k + 1 < x->count && !(sum > best); k++) {
        double r;
        sum += weight_on(x, k) * x->step * on_cell(&r, x, k, low, high, t);
        if (turns && k + 1 >= x->clear)
            best = fmin(best, sum + climb(x, k + 1, low, high, t, at_edge(x, k + 1, low, high, t)));
    }
    if (x->weight != NULL)
        best = sum + down_side(x, high);
    else if (!(sum > best))
        best = fmin(best, sum + after(x, high, at_edge(x, x->count - 1, low, high, t), false));
    best = best / ROOT_TWO_PI * exp_of(x->lift);
    return isfinite(best) ? best * RAISED : HUGE_VAL;
}

double bend_side(const bend_line *x, const bend_line *z, double low, double high, double t,
                 double y)
{
    size_t k = cell_of(x, y), i = cell_of(z, y);
    double r = fmax(fmax(most_of(low, high, x->most[k]), most_of(low, high, z->least[i])),
                    fmax(most_of(low, high, z->most[i]), most_of(low, high, x->least[k])));
    double f = exp_of(r - t * fmin(x->im[k], z->im[i]) - x->near[k] + fmax(x->lift, z->lift));
    bool inside = y > x->from && y < x->from + (double)(x->count - 1) * x->step;
    if (x->weight != NULL)
        f *= fmax(weight_on(x, k), weight_on(z, i));
    return inside && isfinite(f) ? f * RAISED / ROOT_TWO_PI : HUGE_VAL;
}

#else

bend_line *bend_line_new(const sgm_item *g, double shift, double most, double width,
                         const bend_window *window)
{
    (void)g, (void)shift, (void)most, (void)width, (void)window;
    return NULL;
}

void bend_line_free(bend_line *x)
{
    (void)x;
}

double bend_lift(const bend_line *x)
{
    (void)x;
    return HUGE_VAL;
}

double bend_shift(const bend_line *x)
{
    (void)x;
    return 0;
}

double bend_step(const bend_line *x)
{
    (void)x;
    return 1;
}

double bend_growth(const bend_line *x, double low, double high, double t, double size, double until)
{
    (void)x, (void)low, (void)high, (void)t, (void)size, (void)until;
    return HUGE_VAL;
}

double bend_beyond(const bend_line *x, double low, double high, double t, double from)
{
    (void)x, (void)low, (void)high, (void)t, (void)from;
    return HUGE_VAL;
}

double bend_side(const bend_line *x, const bend_line *z, double low, double high, double t,
                 double y)
{
    (void)x, (void)z, (void)low, (void)high, (void)t, (void)y;
    return HUGE_VAL;
}

#endif
