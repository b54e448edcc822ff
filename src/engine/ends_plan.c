/* SPDX-License-Identifier: MIT */
/* The sum by ends: its plan, and what it misses. With S >= |M(z) e^(-(z - Re z) x)|, the sum over
 * all terms of their bounds, e^(K_m - cx), on both rays and their sectors, from the real line's
 * direction to straight up: there |z|, |z+1| >= tau + rho sin, and on the horizontal edge the
 * integral of 1/|z||z+1| is at most pi/tau, on the vertical one 1/tau. So in ln rho, with steps 2h,
 * a rule misses S (1 + pi) / (tau (e^(pi^2/4h) - 1)), its nodes before the first S rho / tau^2,
 * those beyond the last 2 S e^(-g rho / sqrt 2) / rho, g the least distance of its terms from x.
 * Each over pi. The line below is bounded on the ellipses of its panels: |M(z) e^(-xz)| is at most
 * the larger one of its values at their least and largest real part, e^(K - zx) being convex, and
 * |z||z+1| is least there, too. */
#include <math.h>

#include "engine/ends.h"
#include "engine/tail.h"
#include "num/fejer.h"
#include "num/ival.h"

#define LN2 0.6931471805599453
#define PI 3.141592653589793
#define BOUND_BITS 64
#define LINES 12
#define LINE_STEP 0.65
#define LEAST_LINE 0.02
#define MOST_LINE 400.0
#define MOST_POWER 40.0 /* of a use: beyond, the line takes long */
#define NEAR 0.8        /* of the way to a pole */
#define REACHES 16
#define MOST_PANELS 64
#define SPARE_BITS 6
#define ROOM 1024.0 /* terms may come nearer by */
#define SAME 0x1p-48

static const ends_ops *ends_of(const ends_kind *k)
{
    return k->law->ops->ends;
}

/* out = the sum over the kinds of T ln(sum of bounds), and K of the others, at c */
static void log_most(mpfi_t out, const ends_sum *p, double c, double tau)
{
    MPFR_DECL_INIT(low, BOUND_BITS);
    MPFR_DECL_INIT(high, BOUND_BITS);
    mpfr_t most[2] = {{low[0]}, {high[0]}};
    mpfi_t sum, part;
    mpfi_init2(sum, BOUND_BITS);
    mpfi_init2(part, BOUND_BITS);
    mpfi_set_d(part, c);
    mpfi_set_ui(out, 0);
    for (size_t i = 0; i < p->all->product->count; i++) {
        const loss *law = &p->all->product->item[i];
        if (law->ops->ends != NULL)
            continue;
        law->ops->log_moment(sum, law->self, part, NULL);
        mpfi_add(out, out, sum);
    }
    for (size_t i = 0; i < p->kinds; i++) {
        const ends_kind *k = &p->kind[i];
        mpfi_srcptr place[] = {k->low, k->high};
        ends_of(k)->most(most, k->law->self, k->index, tau);
        mpfi_set_ui(sum, 0);
        for (size_t e = 0; e < 2; e++) {
            mpfi_mul_d(part, place[e], c);
            mpfi_exp(part, part);
            mpfi_mul_fr(part, part, most[e]);
            mpfi_add(sum, sum, part);
        }
        mpfi_log(sum, sum);
        mpfi_mul_ui(sum, sum, k->times);
        mpfi_add(out, out, sum);
    }
    mpfi_clear(part);
    mpfi_clear(sum);
}

static double height_of(const ends_sum *p, double c)
{
    double tau = 1;
    for (size_t i = 0; i < p->kinds; i++)
        tau = fmax(tau, ends_of(&p->kind[i])->height(p->kind[i].law->self, p->kind[i].index, c));
    return tail_short(tau * 1.001);
}

/* ---- the line below -------------------------------------------------------------------------- */
/* Panels and points with the least of them in all; need: ln of the relative error, from e^(K - cx)
 */
static bool plan_panels(ends_sum *p, double x, double need)
{
    const tilt *t = &p->all->tilt;
    double distance = p->c > 0 ? p->c : fmin(-p->c, 1 + p->c), best = HUGE_VAL;
    double middle = tilt_k(t, p->c) - p->c * x;
    for (double panels = 1; panels <= MOST_PANELS; panels *= 2)
        for (int i = 0; i < REACHES; i++) {
            double reach = NEAR * distance * exp2(-0.5 * i), s = 2 * panels * reach / p->tau;
            double below = tilt_k(t, p->c - reach) - (p->c - reach) * x;
            double above = tilt_k(t, p->c + reach) - (p->c + reach) * x;
            double rho = tail_short(s + sqrt(s * s + 1));
            double points = (need + fmax(below, above) - middle) / log(rho) + 2;
            points = 2 * ceil(points / 2);
            if (!(points <= FEJER_MOST) || !(panels * points < best))
                continue;
            best = panels * points;
            p->panels = (size_t)panels;
            p->points = (size_t)points;
            p->rho = rho;
            p->reach = tail_short(reach * 1.0001);
        }
    return isfinite(best);
}

/* ---- a line ---------------------------------------------------------------------------------- */
#define BIT_SECONDS 2.5e-5 /* of tables, times the square of the bits */
#define POINT_SECONDS 6e-4
#define SUM_SECONDS 1e-6

/* Everything but the rays' nodes; log_s: about ln s(x). */
static bool plan_line(ends_sum *p, double x, double bits, double log_s)
{
    mpfi_t log;
    if (!isfinite(p->c) || p->c <= -1 || p->c == 0)
        return false;
    p->tau = height_of(p, p->c);
    mpfi_init2(log, BOUND_BITS);
    log_most(log, p, p->c, p->tau);
    double most = mpfi_get_d(log) - p->c * x - log_s;
    mpfi_clear(log);
    double all = bits + fmax(most, 0) / LN2 + SPARE_BITS;
    if (!(all < 4096))
        return false;
    p->work = (mpfr_prec_t)all;
    p->step = tail_short(PI * PI / 4 / (all * LN2 + 2));
    double near = tilt_k(&p->all->tilt, p->c) - p->c * x - log_s;
    if (!plan_panels(p, x, bits * LN2 + fmax(near, 0) + 4))
        return false;
    double kinds = (double)p->kinds, nodes = all * all / 2;
    p->seconds = BIT_SECONDS * all * all * kinds +
                 POINT_SECONDS * (double)(p->panels * p->points) * kinds +
                 SUM_SECONDS * nodes * ((double)p->outer + 2 * (double)p->kind[p->kinds - 1].times);
    return true;
}

/* ---- the rays -------------------------------------------------------------------------------- */
static double middle_of(const mpfi_t x)
{
    return mpfi_get_d(x);
}

/* The least distances from x to either side, about; 0 on both where doubles do not tell. */
static void near_gaps(double gap[2], const ends_sum *p, double x)
{
    const ends_kind *k = &p->kind[p->kinds - 1];
    double low = middle_of(k->low), high = middle_of(k->high);
    gap[0] = gap[1] = HUGE_VAL;
    for (size_t o = 0; o < p->outer; o++)
        for (unsigned long j = 0; j <= k->times; j++) {
            double at =
                middle_of(p->place[o]) + (double)j * high + (double)(k->times - j) * low - x;
            bool same = fabs(at) < SAME * p->range;
            if (same || at > 0)
                gap[ENDS_LEFT] = fmin(gap[ENDS_LEFT], same ? 0 : at);
            if (same || at < 0)
                gap[ENDS_RIGHT] = fmin(gap[ENDS_RIGHT], same ? 0 : -at);
        }
}

static void plan_rays(ends_sum *p, double x)
{
    double gap[2], need = (double)p->work * LN2;
    near_gaps(gap, p, x);
    for (int side = 0; side < 2; side++) {
        ends_ray *r = &p->ray[side];
        *r = (ends_ray){.c = p->c, .tau = p->tau, .step = p->step, .left = side == ENDS_LEFT};
        r->first = (long)floor((-need - 1) / (2 * p->step));
        double g = isfinite(gap[side]) ? gap[side] / ROOM : 1;
        long last = 0;
        for (double rho = 1; g * rho / sqrt(2) + log(rho) < need;
             rho = exp(2 * p->step * (double)last))
            last++;
        r->count = (size_t)(last - r->first + 1);
        r->bits = p->work + 4;
    }
}

bool ends_plan(ends_sum *p, double x, double bits)
{
    const tilt *t = &p->all->tilt;
    double c0 = tilt_saddle(t, x, false), best = HUGE_VAL;
    c0 = isfinite(c0) ? c0 : MOST_LINE;
    double log_s = fmin(0, tilt_log_profile(t, x, c0));
    c0 = fmin(c0, fmin(MOST_LINE, MOST_POWER / t->largest));
    if (!isfinite(log_s))
        log_s = 0;
    ends_sum found = *p;
    static const double left[] = {-0.375, -0.15, -0.7};
    for (int i = 0; i < LINES + 3; i++) {
        ends_sum own = *p;
        own.c = tail_short(i < LINES ? c0 * pow(LINE_STEP, i) : left[i - LINES]);
        if (fabs(own.c) < LEAST_LINE || !plan_line(&own, x, bits, log_s) || own.seconds >= best)
            continue;
        best = own.seconds;
        found = own;
    }
    *p = found;
    if (isfinite(best))
        plan_rays(p, x);
    return isfinite(best);
}

/* What the bounds of the sum take. */
void ends_bounds(ends_sum *p, const limits *lim)
{
    log_most(p->log_most, p, p->c, p->tau);
    tail_k(p->k_below, p->all->product, p->c - p->reach, lim);
    tail_k(p->k_above, p->all->product, p->c + p->reach, lim);
}

/* ---- what is missed -------------------------------------------------------------------------- */
/* out += of a ray, in parts of S / pi */
static void add_ray(mpfi_t out, const ends_sum *p, const ends_ray *r, double gap)
{
    mpfi_t part, rho;
    mpfi_init2(part, BOUND_BITS);
    mpfi_init2(rho, BOUND_BITS);
    mpfi_const_pi(part);
    mpfi_sqr(rho, part);
    mpfi_add_ui(part, part, 1);
    mpfi_div_d(rho, rho, p->step);
    mpfi_div_2ui(rho, rho, 2);
    mpfi_expm1(rho, rho);
    mpfi_div(part, part, rho);
    mpfi_div_d(part, part, p->tau);
    mpfi_add(out, out, part);
    mpfi_set_d(rho, p->step);
    mpfi_mul_si(rho, rho, 2 * r->first);
    mpfi_exp(rho, rho);
    mpfi_div_d(rho, rho, p->tau);
    mpfi_div_d(rho, rho, p->tau);
    mpfi_add(out, out, rho);
    mpfi_set_d(rho, p->step);
    mpfi_mul_si(rho, rho, 2 * (r->first + (long)r->count - 1));
    mpfi_exp(rho, rho);
    mpfi_set_ui(part, 2);
    mpfi_sqrt(part, part);
    mpfi_div(part, rho, part);
    mpfi_mul_d(part, part, -gap);
    mpfi_exp(part, part);
    mpfi_div(part, part, rho);
    mpfi_mul_2ui(part, part, 1);
    mpfi_add(out, out, part);
    mpfi_clear(rho);
    mpfi_clear(part);
}

/* out >= |z| |z+1| from below, of Re z = z; its sign is that of z in (-1, 0) turned */
static void poles(mpfi_t out, double z)
{
    mpfi_set_d(out, z);
    mpfi_t next;
    mpfi_init2(next, BOUND_BITS);
    mpfi_add_ui(next, out, 1);
    mpfi_mul(out, out, next);
    mpfi_abs(out, out);
    mpfi_clear(next);
}

/* out = 4 V rho^(1-n) / (rho - 1) tau */
static void line_missed(mpfi_t out, const ends_sum *p, mpfr_srcptr x)
{
    mpfi_t at, v, pole, least;
    mpfi_ptr all[] = {at, v, pole, least};
    for (size_t i = 0; i < 4; i++)
        mpfi_init2(all[i], BOUND_BITS);
    mpfi_set_fr(at, x);
    tail_chernoff(out, p->k_below, at, p->c - p->reach);
    tail_chernoff(v, p->k_above, at, p->c + p->reach);
    ival_take_most(out, v);
    poles(least, p->c - p->reach);
    poles(pole, p->c + p->reach);
    ival_take_least(least, pole);
    mpfi_div(out, out, least);
    mpfi_set_d(v, p->rho);
    mpfi_log(v, v);
    mpfi_mul_si(v, v, 1 - (long)p->points);
    mpfi_exp(v, v);
    mpfi_mul(out, out, v);
    mpfi_set_d(v, p->rho);
    mpfi_sub_ui(v, v, 1);
    mpfi_div(out, out, v);
    mpfi_mul_d(out, out, 4 * p->tau);
    for (size_t i = 0; i < 4; i++)
        mpfi_clear(all[i]);
}

/* Is the ellipse as narrow as p->reach, and that short of the poles? */
static bool reaches(const ends_sum *p)
{
    mpfi_t b, part;
    mpfi_init2(b, BOUND_BITS);
    mpfi_init2(part, BOUND_BITS);
    mpfi_set_d(b, p->rho);
    mpfi_ui_div(part, 1, b);
    mpfi_sub(b, b, part);
    mpfi_mul_d(b, b, p->tau);
    mpfi_div_ui(b, b, 4 * p->panels); /* half of half of a panel */
    bool ok = mpfr_cmp_d(&b->right, p->reach) <= 0 && (p->c - p->reach) * (p->c + p->reach) > 0 &&
              p->c - p->reach > -1;
    mpfi_clear(part);
    mpfi_clear(b);
    return ok;
}

void ends_missed(mpfr_t most, const ends_sum *p, mpfr_srcptr x, const double gap[2])
{
    mpfi_t sum, part;
    mpfi_init2(sum, BOUND_BITS);
    mpfi_init2(part, BOUND_BITS);
    mpfi_set_ui(sum, 0);
    for (int side = 0; side < 2; side++)
        add_ray(sum, p, &p->ray[side], gap[side]);
    mpfi_set_fr(part, x);
    mpfi_mul_d(part, part, p->c);
    mpfi_sub(part, p->log_most, part);
    mpfi_exp(part, part);
    mpfi_mul(sum, sum, part);
    line_missed(part, p, x);
    mpfi_add(sum, sum, part);
    mpfi_const_pi(part);
    mpfi_div(sum, sum, part);
    mpfr_set(most, &sum->right, MPFR_RNDU);
    if (ival_bad(sum) || !reaches(p))
        mpfr_set_inf(most, 1);
    mpfi_clear(part);
    mpfi_clear(sum);
}
