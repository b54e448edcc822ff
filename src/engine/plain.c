/* SPDX-License-Identifier: MIT */
/* The contour of laws that decay: its plan. */
#include "engine/plain.h"

#include <math.h>

#include "engine/near_atom.h"
#include "engine/tail.h"

#define LN2 0.6931471805599453
#define PI 3.141592653589793
#define WORTH 4.0
#define MOST_HEIGHT 1e9 /* of nodes */
#define MOST_BITS 1e6
#define FEW_NODES 1024.0 /* cheaper than any part */
#define MOST_SCANNED 1e7 /* beside a part, where most are dropped */

/* ---- the plan ------------------------------------------------------------------------------- */
static bool has_decay(const totals *all)
{
    for (size_t i = 0; i < all->product->count; i++)
        if (all->product->item[i].ops->decay != NULL)
            return true;
    return false;
}

/* About ln of what is left out beyond t, relative to the mean of the sum: e^-decay / (pi t) */
static double log_beyond(const trapezoid *p, double t)
{
    if (!p->beside)
        return -totals_near_decay(p->all, p->c, t) - log(PI * t);
    MPFR_DECL_INIT(low, 64);
    MPFR_DECL_INIT(at, 64);
    MPFR_DECL_INIT(far, 64);
    mpfr_set_d(at, t, MPFR_RNDN);
    if (p->order > 0) {
        near_atom_decay(low, p, at);
        return -mpfr_get_d(low, MPFR_RNDN) - log(PI * t);
    }
    mpfr_set_d(far, fmax(t, p->far), MPFR_RNDN);
    totals_decay_beside(low, p->all, p->c, at, far);
    return log(exp(-mpfr_get_d(low, MPFR_RNDN)) / (PI * t) + 2 / (PI * p->far));
}

/* The last node: where what is beyond is e^-need; false where that is more than `most` nodes off.
 */
static bool plan_last(trapezoid *p, double need, double most)
{
    double unit = 2 * PI / p->period, low = 1, high = 2;
    while (log_beyond(p, high * unit) > -need) {
        low = high;
        high *= 2;
        if (low > most) {
            p->dear = log_beyond(p, MOST_HEIGHT * unit) <= -need;
            return false;
        }
    }
    while (high - low > 1 && high - low > 0.02 * low) {
        double middle = (low + high) / 2;
        if (log_beyond(p, middle * unit) > -need)
            low = middle;
        else
            high = middle;
    }
    p->last = (uint64_t)high + 1;
    p->dear = high > most;
    return !p->dear;
}

/* About the nodes of a smoothing (smooth.c) of relative width 2^-bits, and some more. */
static double smoothing_nodes(const trapezoid *p, double bits)
{
    double width = sqrt(exp2(-bits) / (1.7 * fabs(p->c * (p->c + 1)) + 0.1));
    return WORTH * sqrt(2 * fmax(p->lambda, 1)) / width * p->period / (2 * PI);
}

/* Period and lambda of the line c, of a profile that is e^log_value or so. log_mean: of the sum,
 * against which errors are relative; kernel: ln of its largest term. */
static bool plan_line(trapezoid *p, double x, double log_tol, double log_value, double *log_mean,
                      double *kernel)
{
    if (!isfinite(p->c) || p->c <= -1 || p->c == 0 || !isfinite(log_value) ||
        !trapezoid_period(p, x, log_tol + fmin(log_value, 0)))
        return false;
    double a = fmin(fabs(p->c), 1 + p->c);
    *log_mean = log_value - (tilt_k(&p->all->tilt, p->c) - p->c * x);
    *kernel = log(0.5 / a + 1 / (p->period * a * a));
    p->lambda = *kernel - log_tol - *log_mean;
    return true;
}

/* Bits to work with on the line, of errors of 2^-bits relative to the sum. */
static double line_work(const trapezoid *p, double bits, double log_mean, double kernel)
{
    double a = fmin(fabs(p->c), 1 + p->c);
    double lost = (fmax(kernel - log_mean, 0) + fmax(-log(a), 0)) / LN2;
    return floor(bits + lost) + (double)totals_bits(p->all) + 40;
}

#define LINES 10
#define LINE_STEP 0.85

#define QUICK_WORK 124.0 /* up to which waves are summed in fixed point */
#define SLOWER 3.0       /* beyond it */

/* Where nodes are dear: the line left of the saddle that takes least, about period times lambda.
 * Where a law has a heavy tail the saddle lies next to where its moments rise steeply, and takes a
 * long period. */
static void best_line(trapezoid *p, double x, double bits, double log_tol, double log_value)
{
    double best = HUGE_VAL, c = p->c, saddle = p->c, log_mean, kernel;
    for (int i = 0; saddle > 0 && i < LINES; i++) {
        p->c = tail_short(saddle * pow(LINE_STEP, i));
        if (!plan_line(p, x, log_tol, log_value, &log_mean, &kernel))
            continue;
        double cost = p->period * p->lambda;
        if (line_work(p, bits, log_mean, kernel) > QUICK_WORK)
            cost *= SLOWER;
        if (cost < best) {
            best = cost;
            c = p->c;
        }
    }
    p->c = c;
}

static bool has_near_atom(const totals *all)
{
    mpfi_t log, place;
    mpfi_init2(log, 64);
    mpfi_init2(place, 64);
    bool has = totals_near_atom(log, place, all);
    mpfi_clear(place);
    mpfi_clear(log);
    return has;
}

const part_ops *plain_part(const totals *all)
{
    return all->product->count == 1 ? all->product->item->ops->part : NULL;
}

static bool plan_order(trapezoid *p, double need)
{
    const loss *law = p->all->product->item;
    p->order = law->ops->part->order(law->self, p->c, need);
    return p->order > 0;
}

/* `beside` as set: to the right of the near atom, of which nothing else is in the sum. */
static bool plan_nodes(trapezoid *p, double x, double bits, double most)
{
    const tilt *t = &p->all->tilt;
    bool left = tilt_is_left(t, x) && !p->beside;
    p->c = tail_short(tilt_saddle(t, x, left));
    double log_value = tilt_log_profile(t, x, p->c), log_tol = -bits * LN2 - 3, log_mean, kernel;
    if (totals_are_dear(p->all))
        best_line(p, x, bits, log_tol, log_value);
    if (!plan_line(p, x, log_tol, log_value, &log_mean, &kernel))
        return false;
    if (!(most > 0))
        most = smoothing_nodes(p, bits);
    p->far = exp(fmin(-log_tol - log_mean, 600) + 4);
    if (p->parted && !plan_order(p, -log_tol - log_mean))
        return false;
    if (!plan_last(p, -log_tol - log_mean, most))
        return false;
    double work = line_work(p, bits, log_mean, kernel);
    p->work = work < MOST_BITS ? (mpfr_prec_t)work : 0;
    return work < MOST_BITS;
}

static bool make_plan(trapezoid *p, double x, double bits, double most)
{
    p->beside = has_near_atom(p->all);
    if (p->beside && plan_nodes(p, x, bits, most))
        return true;
    p->beside = false;
    if (plain_part(p->all) != NULL) {
        if (plan_nodes(p, x, bits, FEW_NODES))
            return true;
        p->beside = p->parted = true;
        if (plan_nodes(p, x, bits, MOST_SCANNED))
            return true;
        p->beside = p->parted = false;
        p->order = 0;
    }
    return plan_nodes(p, x, bits, most);
}

dp_status plain_open(trapezoid *p, const totals *all, double x, double bits, double most,
                     const limits *lim)
{
    *p = (trapezoid){.all = all, .sums = 1, .doubles = UINT64_MAX};
    if (has_decay(all) && make_plan(p, x, bits, most) && limits_logs(lim, 1, p->work))
        return trapezoid_prepare(p, lim);
    p->work = 0; /* nothing to close */
    return DP_LIMIT;
}

static void profile_number(mpfi_t s, mpfr_t slope, const trapezoid *p, mpfr_srcptr x)
{
    trapezoid_profile(&(mpfi_ptr){s}, slope, p, x);
    if (p->order > 0)
        near_atom_add_part(s, slope, p, x);
}

/* The profile falls: on an interval its ends are those of the ends. */
void plain_profile(mpfi_t s, mpfr_t slope, const trapezoid *p, const mpfi_t x)
{
    mpfi_set_prec(s, p->work);
    profile_number(s, slope, p, &x->left);
    if (mpfr_equal_p(&x->left, &x->right))
        return;
    mpfi_t other;
    mpfi_init2(other, p->work);
    profile_number(other, slope, p, &x->right);
    mpfr_swap(&s->left, &other->left);
    mpfi_clear(other);
}
