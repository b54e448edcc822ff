/* SPDX-License-Identifier: MIT */
/* The optimal delta at an epsilon, refined until its digits are proved or a limit is met, and
 * decisions about it. */
#include "engine/invert.h"

#include <math.h>

#include "core/refine.h"
#include "engine/effort.h"
#include "engine/tail.h"
#include "num/ival.h"

#define DECISION_BITS 4096
#define MOMENT_SECONDS 2e-5 /* a loss */

/* 1 - D */
static void enclose_leak(mpfi_t leak, const product *p)
{
    product_log_keep(leak, p);
    mpfi_expm1(leak, leak);
    mpfi_neg(leak, leak);
}

/* [leak, 1 - (1 - leak)(1 - most)], s(x) <= s(0) <= most. */
static void enclose_widest(mpfi_t delta, const engine *e)
{
    mpfi_t s;
    mpfi_init2(s, mpfi_get_prec(delta));
    engine_top(s, e);
    engine_distance(s, e, s);
    mpfr_set_zero(&s->left, 1);
    enclose_leak(delta, e->product);
    ival_union(delta, delta, s);
    ival_clamp_ui(delta, 0, 1);
    mpfi_clear(s);
}

/* One function of so many bits takes a fraction of a second, and nothing interrupts it. */
#define MOMENT_BITS ((mpfr_prec_t)1 << 18)
#define MOMENT_WORK 256
#define MOMENT_ROUGH 64

/* k += c ln c - (1+c) ln(1+c) */
static void add_peak(mpfi_t k, double c)
{
    mpfi_t at, log;
    mpfi_init2(at, mpfi_get_prec(k));
    mpfi_init2(log, mpfi_get_prec(k));
    for (unsigned long i = 0; i < 2; i++) {
        mpfi_set_d(at, c);
        mpfi_add_ui(at, at, i);
        mpfi_log(log, at);
        mpfi_mul(log, log, at);
        if (i == 0)
            mpfi_add(k, k, log);
        else
            mpfi_sub(k, k, log);
    }
    mpfi_clear(log);
    mpfi_clear(at);
}

/* delta(x) by one moment: for any c > 0 (1 - e^-y)_+ <= e^(cy) c^c / (1+c)^(1+c), with equality
 * where e^-y = c / (1+c), and for -1 < c < 0 min(1, e^-y) <= e^(cy), so e^(K(c) - cx), for c > 0
 * times that, bounds s(x) or 1 - s(x) from above. False where there is no time for it. */
static bool delta_by_moment(mpfi_t delta, const engine *e, const logform *x, mpfr_prec_t bits,
                            const limits *lim)
{
    mpfr_prec_t work = bits + totals_bits(&e->all);
    mpfi_t at, k;
    if (work > MOMENT_BITS || limits_left(lim) + LIMITS_GRACE < MOMENT_SECONDS * e->all.factors)
        return false;
    mpfi_init2(at, work);
    mpfi_init2(k, work);
    logform_enclose(at, x);
    double near = effort_middle(at);
    bool left = tilt_is_left(&e->all.tilt, near);
    double c = tail_short(tilt_saddle(&e->all.tilt, near, left));
    bool ok = isfinite(c) && c > -1 && c != 0;
    if (ok) {
        tail_k(k, e->product, c, lim);
        if (c > 0)
            add_peak(k, c);
        tail_chernoff(k, k, at, c);
        ok = !ival_bad(k);
    }
    mpfi_set_prec(delta, work);
    enclose_leak(delta, e->product);
    if (ok) {
        ival_clamp_ui(k, 0, 1);
        mpfr_set_zero(&k->left, 1);
        if (c < 0)
            mpfi_ui_sub(k, 1, k);
        ival_union(delta, delta, k);
        ival_clamp_ui(delta, 0, 1);
    }
    mpfi_clear(k);
    mpfi_clear(at);
    return ok;
}

/* One evaluation of delta(x) into an enclosure of its own precision. */
static dp_status delta_once(mpfi_t delta, const engine *e, const logform *x, effort *f,
                            const limits *lim)
{
    /* past the grace not even what takes no time: a curve has many points */
    if (limits_left(lim) < -LIMITS_GRACE)
        return DP_LIMIT;
    mpfr_prec_t work = f->bits + 64;
    mpfi_t at, s;
    mpfr_t slope;
    mpfi_init2(at, work + 64);
    mpfi_init2(s, work);
    mpfr_init2(slope, 64);
    logform_enclose(at, x);
    profile p;
    dp_status status = profile_open(&p, e, effort_middle(at), f->bits, f->gap, f->cheap, lim);
    f->spared = p.spared;
    if (status == DP_OK && !effort_reaches(f, p.gap))
        status = DP_LIMIT;
    if (status == DP_OK) {
        f->exact = p.exact;
        status = profile_at(s, slope, &p, at);
    }
    profile_close(&p);
    mpfi_set_prec(delta, work);
    enclose_leak(delta, e->product);
    if (status == DP_OK)
        ival_union(delta, delta, s);
    ival_clamp_ui(delta, 0, 1); /* rounding may pass 1 */
    mpfr_clear(slope);
    mpfi_clear(s);
    mpfi_clear(at);
    return status;
}

dp_status optimal_delta(dp_figure *out, const engine *e, const logform *x, bool beyond,
                        size_t digits, const limits *lim)
{
    effort f = effort_start(digits);
    if (e->product->certain_leak) {
        figure_set_ui(out, 1);
        return DP_OK;
    }
    if (beyond) {
        if (e->product->leaks == 0 || optimal_rational_delta(out, e, x, true))
            return e->product->leaks == 0 ? (figure_set_ui(out, 0), DP_OK) : DP_OK;
        do
            enclose_leak(figure_enclose(out, f.bits + 32), e->product);
        while (!refine_agrees(out, digits) &&
               effort_raise(&f, DP_OK, refine_bits(digits) + EFFORT_EXTRA_BITS, lim));
        return refine_agrees(out, digits) ? DP_OK : DP_LIMIT;
    }
    mpfi_t next;
    mpfi_init2(next, 64);
    enclose_widest(figure_enclose(out, f.bits + 32), e);
    dp_status status = DP_OK;
    bool tried = false, agrees = false;
    do {
        status = delta_once(next, e, x, &f, lim);
        if (status != DP_OK)
            continue;
        effort_tighten(out->enclosure, next);
        limits_narrowed(lim, "delta", out->enclosure);
        agrees = refine_agrees(out, digits);
        effort_aim(&f, out->enclosure, digits);
        if (!agrees && !tried && effort_is_whole(&f)) {
            agrees = optimal_rational_delta(out, e, x, false);
            tried = true;
        }
    } while (!agrees && effort_raise(&f, status, refine_bits(digits) + EFFORT_EXTRA_BITS, lim));
    if (!agrees && delta_by_moment(next, e, x, MOMENT_WORK, lim)) {
        effort_tighten(out->enclosure, next);
        agrees = refine_agrees(out, digits);
    }
    mpfi_clear(next);
    return effort_finished(status, agrees);
}

bool optimal_meets_by_moment(const engine *e, const logform *x, const mpq_t delta,
                             const limits *lim)
{
    mpfi_t most;
    mpfi_init2(most, 64);
    bool below =
        delta_by_moment(most, e, x, MOMENT_ROUGH, lim) && mpfr_cmp_q(&most->right, delta) <= 0;
    mpfi_clear(most);
    return below;
}

/* Epsilon of very many uses is known without an evaluation, which takes long. */
static dp_decision meets_of_many(const engine *e, const logform *x, const mpq_t delta,
                                 const limits *lim)
{
    mpfi_t epsilon, at;
    mpfi_init2(epsilon, MOMENT_WORK);
    mpfi_init2(at, MOMENT_WORK);
    dp_decision answer = DP_UNKNOWN;
    if (optimal_by_moments(epsilon, e, delta, MOMENT_WORK, lim)) {
        logform_enclose(at, x);
        if (mpfr_greaterequal_p(&at->left, &epsilon->right))
            answer = DP_YES;
        else if (mpfr_less_p(&at->right, &epsilon->left))
            answer = DP_NO;
    }
    mpfi_clear(at);
    mpfi_clear(epsilon);
    return answer;
}

dp_decision optimal_meets(const engine *e, const logform *x, const mpq_t delta, const limits *lim)
{
    if (mpq_cmp_ui(delta, 1, 1) >= 0)
        return DP_YES;
    if (mpq_sgn(delta) == 0) /* below the largest loss the profile is positive */
        return DP_NO;
    dp_decision answer = DP_UNKNOWN;
    if (optimal_is_narrow(e, false))
        answer = meets_of_many(e, x, delta, lim);
    if (answer != DP_UNKNOWN)
        return answer;
    dp_figure f;
    dp_figure_init(&f);
    effort g = effort_start(8);
    g.gap = 1e-2;
    g.least_gap = EFFORT_LAST_GAP;
    bool first = true;
    dp_status status;
    do {
        status = delta_once(f.enclosure, e, x, &g, lim);
        if (status != DP_OK)
            continue;
        answer = dp_figure_le(&f, delta);
        if (answer == DP_UNKNOWN && first && optimal_rational_delta(&f, e, x, false))
            answer = dp_figure_le(&f, delta);
        f.kind = DP_ENCLOSED;
        first = false;
    } while (answer == DP_UNKNOWN && effort_raise(&g, status, DECISION_BITS, lim));
    if (answer == DP_UNKNOWN && delta_by_moment(f.enclosure, e, x, MOMENT_WORK, lim))
        answer = dp_figure_le(&f, delta);
    dp_figure_clear(&f);
    return answer;
}
