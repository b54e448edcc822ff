/* SPDX-License-Identifier: MIT */
#include "solve/optimal.h"

#include <math.h>

#include "num/ival.h"
#include "solve/refine.h"

/* Exact evaluators rise in bits; a bracket narrows step by step, so that something is known early.
 */
#define FIRST_GAP 1e-4
#define GAP_STEP 1e-3
#define LAST_GAP 1e-24
#define EXTRA_BITS 1024
#define DECISION_BITS 4096
#define NEWTON_STEPS 40
#define LEAST_DIGITS 6 /* fewer are rounded from these */

/* How narrow the next attempt is to be. */
typedef struct effort {
    mpfr_prec_t bits;
    double gap, least_gap;
    bool exact;
} effort;

static effort effort_start(size_t asked)
{
    size_t digits = asked < LEAST_DIGITS ? LEAST_DIGITS : asked;
    double least = pow(10, -(double)digits - 2);
    return (effort){refine_bits(digits), fmax(FIRST_GAP, least), fmax(least, LAST_GAP), true};
}

/* False when there is no next attempt. */
static bool effort_raise(effort *f, mpfr_prec_t most_bits, const limits *lim)
{
    if (limits_expired(lim))
        return false;
    bool last = f->exact ? f->bits >= most_bits : f->gap <= f->least_gap;
    if (last) {
        limits_note(lim, DP_MET_PRECISION);
        return false;
    }
    if (f->exact) {
        f->bits += f->bits / 2;
        if (f->bits > most_bits)
            f->bits = most_bits;
        return true;
    }
    f->gap = fmax(f->gap * GAP_STEP, f->least_gap);
    return true;
}

/* 1 - D, and s* = 1 - (1 - delta)/D */
static void enclose_leak(mpfi_t leak, const composed *list)
{
    composed_log_keep(leak, list);
    mpfi_expm1(leak, leak);
    mpfi_neg(leak, leak);
}

/* [leak, 1 - (1 - leak)(1 - min(1, total/2))]: s(x) <= s(0) <= sum tanh(eps/2) <= total/2. */
static void enclose_widest(mpfi_t delta, const composed *list)
{
    mpfi_t s;
    mpfi_init2(s, mpfi_get_prec(delta));
    logform_enclose(s, &list->total);
    mpfi_div_2ui(s, s, 1);
    ival_clamp_ui(s, 0, 1);
    mpfr_set_zero(&s->left, 1);
    enclose_leak(delta, list);
    ival_union(delta, delta, s);
    ival_clamp_ui(delta, 0, 1);
    mpfi_clear(s);
}

static void enclose_target(mpfi_t target, const composed *list, const mpq_t delta)
{
    mpfi_t keep;
    mpfi_init2(keep, mpfi_get_prec(target));
    composed_log_keep(keep, list);
    ival_log1m_q(target, delta);
    mpfi_sub(target, target, keep);
    mpfi_expm1(target, target);
    mpfi_neg(target, target);
    ival_clamp_ui(target, 0, 1);
    mpfi_clear(keep);
}

static double middle_double(const mpfi_t x)
{
    return (mpfr_get_d(&x->left, MPFR_RNDN) + mpfr_get_d(&x->right, MPFR_RNDN)) / 2;
}

/* One evaluation of delta(x) into an enclosure of its own precision. */
static dp_status delta_once(mpfi_t delta, const engine *e, const logform *x, effort *f,
                            const limits *lim)
{
    mpfr_prec_t work = f->bits + 64;
    mpfi_t at, s;
    mpfr_t slope;
    mpfi_init2(at, work + 64);
    mpfi_init2(s, work);
    mpfr_init2(slope, 64);
    logform_enclose(at, x);
    profile p;
    dp_status status = profile_open(&p, e, middle_double(at), f->bits, f->gap, lim);
    if (status == DP_OK) {
        f->exact = p.exact;
        status = profile_at(s, slope, &p, at);
    }
    profile_close(&p);
    mpfi_set_prec(delta, work);
    enclose_leak(delta, e->list);
    if (status == DP_OK)
        ival_union(delta, delta, s);
    ival_clamp_ui(delta, 0, 1); /* rounding may pass 1 */
    mpfr_clear(slope);
    mpfi_clear(s);
    mpfi_clear(at);
    return status;
}

/* best = best intersected with next: both enclose the same number */
static void tighten(mpfi_t best, const mpfi_t next, bool first)
{
    if (first || mpfi_get_prec(next) > mpfi_get_prec(best)) {
        mpfi_t old;
        mpfi_init2(old, mpfi_get_prec(best));
        mpfi_set(old, best);
        mpfi_set_prec(best, mpfi_get_prec(next));
        mpfi_set(best, next);
        if (!first)
            mpfi_intersect(best, best, old);
        mpfi_clear(old);
    } else {
        mpfi_intersect(best, best, next);
    }
}

/* Limits met leave what is known by then: at least [leak, 1], or [0, sum of epsilon]. */
static dp_status finished(dp_status status, bool agrees)
{
    return status == DP_MEMORY || agrees ? status : DP_LIMIT;
}

dp_status optimal_delta(dp_figure *out, const engine *e, const logform *x, bool beyond,
                        size_t digits, const limits *lim)
{
    effort f = effort_start(digits);
    if (e->list->certain_leak) {
        figure_set_ui(out, 1);
        return DP_OK;
    }
    if (beyond) {
        if (e->list->leaks == 0 || optimal_rational_delta(out, e, x, true))
            return e->list->leaks == 0 ? (figure_set_ui(out, 0), DP_OK) : DP_OK;
        do
            enclose_leak(figure_enclose(out, f.bits + 32), e->list);
        while (!refine_agrees(out, digits) &&
               effort_raise(&f, refine_bits(digits) + EXTRA_BITS, lim));
        return refine_agrees(out, digits) ? DP_OK : DP_LIMIT;
    }
    mpfi_t next;
    mpfi_init2(next, 64);
    enclose_widest(figure_enclose(out, f.bits + 32), e->list);
    dp_status status = DP_OK;
    bool first = true, agrees = false;
    do {
        status = delta_once(next, e, x, &f, lim);
        if (status != DP_OK)
            break;
        tighten(out->enclosure, next, first);
        agrees = refine_agrees(out, digits) || (first && optimal_rational_delta(out, e, x, false));
        first = false;
    } while (!agrees && effort_raise(&f, refine_bits(digits) + EXTRA_BITS, lim));
    mpfi_clear(next);
    return finished(status, agrees);
}

dp_answer optimal_meets(const engine *e, const logform *x, const mpq_t delta, const limits *lim)
{
    if (mpq_cmp_ui(delta, 1, 1) >= 0)
        return DP_YES;
    if (mpq_sgn(delta) == 0) /* below the largest loss the profile is positive */
        return DP_NO;
    dp_figure f;
    dp_figure_init(&f);
    dp_answer answer = DP_UNKNOWN;
    effort g = effort_start(8);
    g.gap = 1e-2;
    g.least_gap = LAST_GAP;
    bool first = true;
    do {
        dp_status status = delta_once(f.enclosure, e, x, &g, lim);
        if (status != DP_OK)
            break;
        answer = dp_figure_le(&f, delta);
        if (answer == DP_UNKNOWN && first && optimal_rational_delta(&f, e, x, false))
            answer = dp_figure_le(&f, delta);
        f.kind = DP_ENCLOSED;
        first = false;
    } while (answer == DP_UNKNOWN && effort_raise(&g, DECISION_BITS, lim));
    dp_figure_clear(&f);
    return answer;
}

/* The search for epsilon at one level of effort. */
typedef struct inversion {
    const engine *e;
    const limits *lim;
    profile *p;
    mpfi_t target; /* s* */
    mpfi_t total;
    mpfi_t at, s;
    mpfr_t x, slope, step;
    mpfr_prec_t work;
} inversion;

static void inversion_init(inversion *v, const engine *e, const mpq_t delta, mpfr_prec_t bits,
                           const limits *lim)
{
    v->e = e;
    v->lim = lim;
    v->work = bits + 64;
    mpfi_ptr interval[] = {v->target, v->total, v->at, v->s};
    for (size_t i = 0; i < 4; i++)
        mpfi_init2(interval[i], v->work);
    mpfr_ptr real[] = {v->x, v->slope, v->step};
    for (size_t i = 0; i < 3; i++)
        mpfr_init2(real[i], v->work);
    enclose_target(v->target, e->list, delta);
    logform_enclose(v->total, &e->list->total);
}

static void inversion_clear(inversion *v)
{
    mpfi_ptr interval[] = {v->target, v->total, v->at, v->s};
    for (size_t i = 0; i < 4; i++)
        mpfi_clear(interval[i]);
    mpfr_ptr real[] = {v->x, v->slope, v->step};
    for (size_t i = 0; i < 3; i++)
        mpfr_clear(real[i]);
}

/* s at the exact point v->x; s = 0 from the total on. An evaluation can take a second. */
static dp_status evaluate(inversion *v)
{
    if (limits_expired(v->lim))
        return DP_LIMIT;
    if (mpfr_cmp(v->x, &v->total->right) >= 0) {
        mpfi_set_ui(v->s, 0);
        mpfr_set_ui(v->slope, 0, MPFR_RNDN);
        return DP_OK;
    }
    mpfi_set_fr(v->at, v->x);
    return profile_at(v->s, v->slope, v->p, v->at);
}

/* The end of s and of s* that a bound of epsilon compares: upper epsilons need s from above. */
static mpfr_srcptr value_end(const inversion *v, dp_end end)
{
    return end == DP_UPPER ? &v->s->right : &v->s->left;
}

static mpfr_srcptr target_end(const inversion *v, dp_end end)
{
    return end == DP_UPPER ? &v->target->left : &v->target->right;
}

static void clamp_x(inversion *v)
{
    if (mpfr_nan_p(v->x) || mpfr_sgn(v->x) < 0)
        mpfr_set_ui(v->x, 0, MPFR_RNDN);
    if (mpfr_cmp(v->x, &v->total->right) > 0)
        mpfr_set(v->x, &v->total->right, MPFR_RNDN);
}

/* Newton in e^x for s(x) = s*: x += ln(1 + (s - s*)/slope). Any point will do in the end. */
static dp_status newton(inversion *v, dp_end end)
{
    mpfr_prec_t last = 0;
    for (int i = 0; i < NEWTON_STEPS; i++) {
        dp_status status = evaluate(v);
        if (status != DP_OK)
            return status;
        mpfr_sub(v->step, value_end(v, end), target_end(v, end), MPFR_RNDN);
        mpfr_div(v->step, v->step, v->slope, MPFR_RNDN);
        if (mpfr_cmp_d(v->step, -0.99) < 0)
            mpfr_set_d(v->step, -0.99, MPFR_RNDN);
        mpfr_log1p(v->step, v->step, MPFR_RNDN);
        if (!mpfr_number_p(v->step))
            return DP_OK;
        bool was_zero = mpfr_zero_p(v->x);
        mpfr_add(v->x, v->x, v->step, MPFR_RNDN);
        clamp_x(v);
        if (mpfr_zero_p(v->step) || (was_zero && mpfr_zero_p(v->x)))
            return DP_OK;
        if (mpfr_zero_p(v->x)) { /* overshot: s is convex in e^x, so from 0 it cannot again */
            last = 0;
            continue;
        }
        /* quadratic at first; done when the steps no longer shrink or no longer matter */
        mpfr_prec_t size = mpfr_get_exp(v->x) - mpfr_get_exp(v->step);
        if (size >= v->p->bits || (size > 20 && size <= last + 1))
            return DP_OK;
        last = size;
    }
    return DP_OK;
}

/* From the solution outward by growing steps until the end is proved: s(x) <= s* for the upper one,
 * s(x) >= s* for the lower one. Leaves x at the end; the lower one may fall back to 0. */
static dp_status prove_end(inversion *v, dp_end end)
{
    mpfr_t start, step;
    mpfr_init2(start, v->work);
    mpfr_init2(step, 64);
    mpfr_set(start, v->x, MPFR_RNDN);
    mpfr_set(step, v->x, MPFR_RNDU);
    mpfr_div_2si(step, step, v->p->bits, MPFR_RNDU);
    if (mpfr_zero_p(step))
        mpfr_set_ui_2exp(step, 1, -v->p->bits, MPFR_RNDU);
    dp_status status = DP_OK;
    bool proved = false;
    for (int i = 0; status == DP_OK && !proved && i < 40; i++) {
        if (end == DP_UPPER)
            mpfr_add(v->x, start, step, MPFR_RNDU);
        else
            mpfr_sub(v->x, start, step, MPFR_RNDD);
        clamp_x(v);
        if (end == DP_LOWER && mpfr_zero_p(v->x)) {
            proved = true; /* epsilon >= 0 */
            break;
        }
        status = evaluate(v);
        proved = status == DP_OK &&
                 (end == DP_UPPER ? mpfr_lessequal_p(&v->s->right, &v->target->left)
                                  : mpfr_greaterequal_p(&v->s->left, &v->target->right));
        mpfr_mul_2ui(step, step, i < 8 ? 2 : 6, MPFR_RNDU);
    }
    if (!proved) { /* what is always true */
        if (end == DP_UPPER)
            mpfr_set(v->x, &v->total->right, MPFR_RNDU);
        else
            mpfr_set_ui(v->x, 0, MPFR_RNDD);
    }
    mpfr_clear(step);
    mpfr_clear(start);
    return status;
}

/* s(0) <= s*: epsilon is 0 */
static dp_status is_zero(inversion *v, bool *zero)
{
    mpfr_set_ui(v->x, 0, MPFR_RNDN);
    dp_status status = evaluate(v);
    *zero = status == DP_OK && mpfr_lessequal_p(&v->s->right, &v->target->left);
    return status;
}

/* [lower, upper] of epsilon from one prepared profile, starting at v->x. */
static dp_status bracket_epsilon(mpfi_t out, inversion *v, bool *zero)
{
    dp_status status = newton(v, DP_UPPER);
    *zero = false;
    if (status == DP_OK && mpfr_zero_p(v->x))
        status = is_zero(v, zero);
    if (status != DP_OK || *zero)
        return status;
    mpfr_t found;
    mpfr_init2(found, v->work);
    mpfr_set(found, v->x, MPFR_RNDN);
    status = prove_end(v, DP_UPPER);
    mpfr_set(&out->right, v->x, MPFR_RNDU);
    mpfr_set(v->x, found, MPFR_RNDN);
    if (status == DP_OK && !v->p->exact)
        status = newton(v, DP_LOWER);
    if (status == DP_OK) { /* else x is only a guess, and left stays what it was */
        status = prove_end(v, DP_LOWER);
        mpfr_set(&out->left, v->x, MPFR_RNDD);
    }
    mpfr_clear(found);
    return status;
}

static double first_guess(const inversion *v)
{
    mpfr_t log_s;
    mpfr_init2(log_s, 53);
    mpfr_log(log_s, &v->target->right, MPFR_RNDN);
    double x = tilt_find(&v->e->tilt, mpfr_get_d(log_s, MPFR_RNDN));
    mpfr_clear(log_s);
    return x;
}

/* One level: opens a profile near the best guess; again at the solution when that lies far off. */
static dp_status epsilon_once(mpfi_t out, const engine *e, const mpq_t delta, effort *f,
                              double *guess, bool *zero, const limits *lim)
{
    inversion v;
    inversion_init(&v, e, delta, f->bits + 16, lim);
    mpfi_set_prec(out, v.work);
    mpfr_set_ui(&out->left, 0, MPFR_RNDD);
    mpfr_set(&out->right, &v.total->right, MPFR_RNDU);
    *zero = false;
    dp_status status = DP_OK;
    if (mpfr_sgn(&v.target->left) <= 0) { /* s* not yet told from 0: the precision must rise */
        inversion_clear(&v);
        return DP_OK;
    }
    /* s(0) <= sum tanh(eps/2) <= total/2, the total variation */
    mpfr_div_2ui(v.step, &v.total->right, 1, MPFR_RNDU);
    if (mpfr_lessequal_p(v.step, &v.target->left)) {
        *zero = true;
        inversion_clear(&v);
        return DP_OK;
    }
    if (*guess < 0)
        *guess = first_guess(&v);
    for (int round = 0; round < 3; round++) {
        profile p;
        status = profile_open(&p, e, *guess, f->bits + 16, f->gap, lim);
        double opened_at = *guess;
        if (status == DP_OK) {
            f->exact = p.exact;
            v.p = &p;
            mpfr_set_d(v.x, *guess, MPFR_RNDN);
            status = bracket_epsilon(out, &v, zero);
            *guess = middle_double(out);
        }
        profile_close(&p);
        double wide = mpfr_get_d(&out->right, MPFR_RNDU) - mpfr_get_d(&out->left, MPFR_RNDD);
        if (status == DP_LIMIT && round < 2 && !limits_expired(lim)) {
            *guess = fmax(0, opened_at * 0.5); /* too near the top for what was chosen there */
            continue;
        }
        if (status != DP_OK || *zero || fabs(*guess - opened_at) <= 0.05 * (*guess + 1e-300) ||
            wide < 1e-3 * *guess)
            break;
    }
    inversion_clear(&v);
    return status;
}

dp_status optimal_epsilon(dp_figure *out, const engine *e, const mpq_t delta, size_t digits,
                          const limits *lim)
{
    effort f = effort_start(digits);
    mpfi_t next;
    mpfi_init2(next, 64);
    double guess = -1;
    bool first = true, agrees = false, zero = false;
    dp_status status;
    mpfi_ptr x = figure_enclose(out, f.bits + 32);
    logform_enclose(x, &e->list->total);
    mpfr_set_ui(&x->left, 0, MPFR_RNDD);
    do {
        status = epsilon_once(next, e, delta, &f, &guess, &zero, lim);
        if (status == DP_OK && first && !zero && mpfr_zero_p(&next->left))
            zero = optimal_is_zero(e, delta);
        if (zero) {
            figure_set_ui(out, 0);
            agrees = true;
            break;
        }
        if (status != DP_OK && status != DP_LIMIT)
            break;
        tighten(out->enclosure, next, first); /* at a limit, with the ends proved before it */
        agrees = refine_agrees(out, digits);
        first = false;
    } while (status == DP_OK && !agrees && effort_raise(&f, refine_bits(digits) + EXTRA_BITS, lim));
    mpfi_clear(next);
    return finished(status, agrees);
}
