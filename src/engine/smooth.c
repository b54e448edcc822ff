/* SPDX-License-Identifier: MIT */
/* The contour with smoothing: its plan, and the bracket. */
#include "engine/smooth.h"

#include <math.h>

#include "engine/tail.h"
#include "num/ival.h"

#define LN2 0.6931471805599453
#define PI 3.141592653589793
#define LAST_STEPS 4
#define GAP_ROOM 3.0 /* what is left out is e^-3 of the gap */
#define LEAST_ROOM (-28.0)
#define BAND_SHARE 5.6 /* h^2 c(c+1) over the gap: three quarters of it are used */
#define BAND_LEAST 0.06
#define BAND_PART 128U
#define SHORTER 1.3    /* times the gap that takes as long as it may */
#define MOST_STEP 0.49 /* of (c+1) h */
#define RATIO2 1.5625  /* r^2 */
#define LEAST_SQUARE 1e-300
#define SPAN_LIMIT 1e12
#define MOST_BITS 1e6

#define USE_ERROR 12.0 /* of phi in doubles, in units of 2^-53 a use */
#define OTHER_ERROR 260.0
#define ERROR_SHARE 0.02 /* of the gap */
#define FIRST_NODES 64U
#define LEAST_NODES 512U

/* All nodes in doubles where their rounding is small beside the gap. It sits in the first ones,
 * which are in balls otherwise. `largest`: ln of the largest term over the mean. */
static void plan_doubles(trapezoid *p, double gap, double largest)
{
    if (p->doubles == UINT64_MAX)
        return;
    double error = (USE_ERROR * mpz_get_d(p->all->uses) + OTHER_ERROR) * 0x1p-53 * exp(largest);
    if (p->last < LEAST_NODES)
        p->doubles = UINT64_MAX;
    else
        p->doubles = error < ERROR_SHARE * gap ? 0 : FIRST_NODES;
}

/* Where what is beyond (trapezoid.c) is e^-need of R: with y = (wt)^2/2, e^-y / (2 pi t y). */
static double last_height(double need, double w)
{
    double y = fmax(need, 1);
    for (int i = 0; i < LAST_STEPS; i++)
        y = fmax(need - log(2 * PI * y * sqrt(2 * y) / w), 1);
    return sqrt(2 * y) / w;
}

/* ln of what may be left out, of s: where nodes take no time little enough that the middle of a
 * wide bracket tells where a narrow one is. */
static double log_room(const trapezoid *p, double gap)
{
    double room = log(gap) - GAP_ROOM;
    return p->doubles == UINT64_MAX ? room : fmin(room, LEAST_ROOM);
}

/* What both plans share, of nodes up to theta whose kernels add up to e^kernel / R. */
static bool make_plan(trapezoid *p, double x, double gap, double theta, double kernel)
{
    const tilt *t = &p->all->tilt;
    double log_mean = tilt_log_profile(t, x, p->c) - (tilt_k(t, p->c) - p->c * x);
    p->lambda = kernel - log_room(p, gap) - log_mean;
    plan_doubles(p, gap, kernel - log_mean);
    double reach = theta * (x + 4 * t->largest + 1);
    double bits = (log(1 / gap) + fmax(kernel - log_mean, 0) + log(reach)) / LN2;
    if (!(bits < MOST_BITS)) /* doubles this far apart plan nothing */
        return false;
    p->work = (mpfr_prec_t)bits + totals_bits(p->all) + 40;
    return true;
}

/* ln of the sum of |1/(z (z+1))| over R, about */
static double log_kernel(const trapezoid *p)
{
    double c = fabs(p->c);
    return log(0.5 / c + 1 / (p->period * c * c));
}

static bool plan_band(trapezoid *p, double x, double gap)
{
    double log_value = tilt_log_profile(&p->all->tilt, x, p->c);
    if (!trapezoid_period(p, x, log_room(p, gap) + fmin(log_value, 0)))
        return false;
    /* both ends are about h^2 c(c+1)/8 of s apart */
    double h =
        fmin(sqrt(gap * BAND_SHARE / (p->c * (p->c + 1) + BAND_LEAST)), MOST_STEP / (p->c + 1));
    double nodes = p->period / h;
    if (!(nodes < SPAN_LIMIT) || !(h > 0))
        return false;
    p->band = ((uint64_t)(nodes / BAND_PART) + 1) * BAND_PART;
    p->last = p->band - 1;
    return make_plan(p, x, gap, 2 * PI / h, log_kernel(p) + 1);
}

static bool plan_gaussian(trapezoid *p, double x, double gap)
{
    double log_value = tilt_log_profile(&p->all->tilt, x, p->c), log_tol = log_room(p, gap);
    /* s_w - s is about w^2 c(c+1)/2 of s, and the lower end costs 2.25 of that more */
    double w = tail_short(sqrt(gap / (1.7 * fabs(p->c * (p->c + 1)) + 0.1)));
    p->square[0] = w * w; /* 48 bits */
    p->square[1] = RATIO2 * p->square[0];
    double damp = w * w * p->c * (p->c + 1) / 2;
    double rise = (p->square[1] - p->square[0]) / 8;
    if (!trapezoid_period(p, x, log_tol + fmin(log_value, 0)) || damp > 1 ||
        p->square[0] < LEAST_SQUARE || sqrt(p->square[1] / p->square[0]) < 1.1 * exp(rise))
        return false;
    /* nodes add up to at most 1/(2c) + 1/(R c^2) times the largest |phi| */
    double log_mean = log_value - (tilt_k(&p->all->tilt, p->c) - p->c * x);
    double theta = last_height(-log_tol - log_mean, w);
    if (!(theta * p->period < SPAN_LIMIT))
        return false;
    p->last = (uint64_t)(theta * p->period / (2 * PI)) + 1;
    return make_plan(p, x, gap, theta, log_kernel(p) + fabs(damp));
}

#define LINES 10
#define LINE_STEP 0.85

/* Where nodes are dear: the line left of the saddle with the shortest band. Where a law has a heavy
 * tail the saddle lies next to where its moments rise steeply, and takes a long period. */
static void best_band(trapezoid *p, double x, double gap)
{
    double saddle = p->c, best = saddle;
    uint64_t least = UINT64_MAX, doubles = p->doubles;
    for (int i = 0; i < LINES; i++) {
        p->c = tail_short(saddle * pow(LINE_STEP, i));
        p->doubles = doubles; /* a plan may do without */
        if (plan_band(p, x, gap) && p->band < least) {
            least = p->band;
            best = p->c;
        }
    }
    p->c = best;
    p->doubles = doubles;
}

static dp_status open_once(trapezoid *p, const totals *all, double x, double gap, const limits *lim)
{
    *p = (trapezoid){.all = all, .sums = 2, .gap = gap};
    bool left = tilt_is_left(&all->tilt, x);
    p->c = tail_short(tilt_saddle(&all->tilt, x, left));
    p->doubles = !left && far_suits(all) ? 0 : UINT64_MAX;
    if (p->c > 0 && totals_are_dear(all))
        best_band(p, x, gap);
    bool planned = p->c > 0 ? plan_band(p, x, gap) : plan_gaussian(p, x, gap);
    if (planned && limits_logs(lim, 1, p->work))
        return trapezoid_prepare(p, lim);
    p->work = 0; /* nothing to close */
    return DP_LIMIT;
}

/* The nodes are as 1/sqrt(gap). */
dp_status smooth_open(trapezoid *p, const totals *all, double x, double gap, const limits *lim)
{
    dp_status status = open_once(p, all, x, gap, lim);
    if (status != DP_LIMIT || !(p->longer > 1) || limits_expired(lim))
        return status;
    gap *= SHORTER * p->longer * p->longer;
    trapezoid_close(p);
    return open_once(p, all, x, gap, lim);
}

double smooth_area(const trapezoid *p)
{
    double h = p->band > 0 ? p->period / (double)p->band : 0;
    return h * h;
}

/* s = [s_w - (s_rw - s_w) / (r/kappa - 1), s_w] from below and above */
static void bracket(mpfi_t s, const mpfi_t narrow, const mpfi_t wide, const trapezoid *p)
{
    mpfr_t lift, gap, r;
    mpfr_init2(lift, 64);
    mpfr_init2(r, 64);
    mpfr_init2(gap, mpfi_get_prec(s));
    /* kappa = e^((r^2-1) w^2/8) rounded up, r/kappa - 1 down */
    mpfr_set_d(r, p->square[1], MPFR_RNDD);
    mpfr_set_d(lift, p->square[0], MPFR_RNDU);
    mpfr_div(r, r, lift, MPFR_RNDD);
    mpfr_sqrt(r, r, MPFR_RNDD);
    mpfr_d_sub(lift, p->square[1], lift, MPFR_RNDU); /* of 64 bits */
    mpfr_div_2ui(lift, lift, 3, MPFR_RNDU);
    mpfr_exp(lift, lift, MPFR_RNDU);
    mpfr_div(lift, r, lift, MPFR_RNDD);
    mpfr_sub_ui(lift, lift, 1, MPFR_RNDD);
    mpfr_sub(gap, &wide->right, &narrow->left, MPFR_RNDU);
    if (mpfr_sgn(gap) < 0)
        mpfr_set_ui(gap, 0, MPFR_RNDU);
    if (mpfr_sgn(lift) > 0)
        mpfr_div(gap, gap, lift, MPFR_RNDU);
    else
        mpfr_set_inf(gap, 1);
    mpfr_set(&s->right, &narrow->right, MPFR_RNDU);
    mpfr_sub(&s->left, &narrow->left, gap, MPFR_RNDD);
    ival_clamp_ui(s, 0, 1);
    mpfr_clear(r);
    mpfr_clear(gap);
    mpfr_clear(lift);
}

/* From s at the number `at` to s on the interval x about it. s falls with slope V(y) = e^y Q(L >
 * y), and e^(K(c) - cy) = E_Q e^((1+c)L - cy) >= e^((1+c)y - cy) Q(L > y) = V(y) for every c >= -1.
 */
static void spread(mpfi_t s, mpfr_srcptr at, const trapezoid *p, const mpfi_t x)
{
    mpfr_t reach, part;
    mpfi_t fall;
    mpfr_init2(reach, 64);
    mpfr_init2(part, 64);
    mpfi_init2(fall, p->work);
    mpfr_sub(reach, &x->right, at, MPFR_RNDA);
    mpfr_sub(part, at, &x->left, MPFR_RNDA);
    if (mpfr_cmpabs(part, reach) > 0)
        mpfr_set(reach, part, MPFR_RNDU);
    mpfr_abs(reach, reach, MPFR_RNDU);
    tail_chernoff(fall, p->k, x, p->c);
    mpfr_mul(reach, reach, &fall->right, MPFR_RNDU);
    mpfr_sub(&s->left, &s->left, reach, MPFR_RNDD);
    mpfr_add(&s->right, &s->right, reach, MPFR_RNDU);
    ival_clamp_ui(s, 0, 1);
    mpfi_clear(fall);
    mpfr_clear(part);
    mpfr_clear(reach);
}

void smooth_profile(mpfi_t s, mpfr_t slope, const trapezoid *p, const mpfi_t x)
{
    mpfi_t narrow, wide;
    mpfr_t at;
    mpfi_init2(narrow, p->work);
    mpfi_init2(wide, p->work);
    mpfr_init2(at, p->work);
    mpfi_get_fr(at, x);
    trapezoid_profile((mpfi_ptr[]){narrow, wide}, slope, p, at);
    mpfi_set_prec(s, p->work);
    if (p->band > 0) {
        mpfr_set(&s->left, &narrow->left, MPFR_RNDD);
        mpfr_set(&s->right, &wide->right, MPFR_RNDU);
    } else {
        bracket(s, narrow, wide, p);
    }
    spread(s, at, p, x);
    if (ival_bad(s))
        mpfi_interv_si(s, 0, 1);
    mpfr_clear(at);
    mpfi_clear(wide);
    mpfi_clear(narrow);
}

/* As smooth_profile rounds them. */
dp_status smooth_foresee(trapezoid *p, mpfr_srcptr const *x, size_t count, const limits *lim)
{
    mpfr_t at[FAR_POINTS];
    mpfr_srcptr all[FAR_POINTS] = {NULL};
    for (size_t i = 0; i < count; i++) {
        mpfr_init2(at[i], p->work);
        mpfr_set(at[i], x[i], MPFR_RNDN);
        all[i] = at[i];
    }
    dp_status status = far_visit(p->blocks, all, count, lim);
    for (size_t i = 0; i < count; i++)
        mpfr_clear(at[i]);
    return status;
}
