/* SPDX-License-Identifier: MIT */
#include "bound/igmm.h"

#include <math.h>

#include "bound/gaussian.h"
#include "num/ival.h"
#include "solve/pairs.h"
#include "solve/refine.h"

void dp_igmm_init(dp_igmm *g)
{
    *g = (dp_igmm){0};
    mpz_inits(g->samples, g->batch, g->times, NULL);
    mpq_inits(g->diameter, g->sigma, NULL);
}

void dp_igmm_clear(dp_igmm *g)
{
    mpz_clears(g->samples, g->batch, g->times, NULL);
    mpq_clears(g->diameter, g->sigma, NULL);
}

#define CHECK_BITS 4096
#define HALF_ROOT 0.7071067811865476

static bool is_open_unit(const dp_number *x)
{
    return x == NULL || (mpq_sgn(x->value) > 0 && mpq_cmp_ui(x->value, 1, 1) < 0);
}

static dp_status validate(const dp_igmm *g, dp_error *err)
{
    if (mpz_sgn(g->samples) <= 0)
        return fail(err, DP_DOMAIN, "samples", "must be an integer, at least 1");
    if (mpz_sgn(g->batch) <= 0 || mpz_cmp(g->batch, g->samples) > 0)
        return fail(err, DP_DOMAIN, "batch_size", "must be an integer from 1 to the samples");
    if (mpz_sgn(g->times) <= 0)
        return fail(err, DP_DOMAIN, "times", "must be an integer, at least 1");
    if (mpq_sgn(g->diameter) <= 0)
        return fail(err, DP_DOMAIN, "diameter", "must be above 0");
    if (mpq_sgn(g->sigma) <= 0)
        return fail(err, DP_DOMAIN, "sigma", "must be above 0");
    if (!is_open_unit(g->delta))
        return fail(err, DP_DOMAIN, "delta", "must be above 0 and below 1");
    if (!is_open_unit(g->slack))
        return fail(err, DP_DOMAIN, "slack", "must be above 0 and below 1");
    if ((g->delta == NULL) != (g->slack == NULL))
        return fail(err, DP_DOMAIN, g->slack == NULL ? "slack" : "delta",
                    "is missing; the published statement needs delta and slack");
    if (g->target_epsilon != NULL && g->target_delta != NULL)
        return fail(err, DP_DOMAIN, "target_epsilon", "excludes target_delta; give one of them");
    return DP_OK;
}

/* What the doubles see of one step at e1. */
static void guess_step(double *epsilon, double *delta, double w, double rate, double e1)
{
    double d = 0.5 * erfc((e1 / w - w / 2) * HALF_ROOT) -
               exp(e1) * 0.5 * erfc((e1 / w + w / 2) * HALF_ROOT);
    *epsilon = log1p(rate * expm1(e1));
    *delta = rate * fmax(d, 0);
}

/* Composition of the step in doubles: delta at x, or epsilon at a delta. */
static double guess_total(double w, double rate, double times, double e1, double x, double target)
{
    double epsilon, delta;
    guess_step(&epsilon, &delta, w, rate, e1);
    tilt t = {.count = 1, .epsilon = &epsilon, .times = &times};
    t.total = epsilon * times;
    t.largest = epsilon;
    t.mean = tilt_k1(&t, 0);
    t.deviation = sqrt(tilt_k2(&t, 0));
    double log_keep = times * log1p(-delta);
    if (target > 0) {
        double rest = -expm1(log1p(-target) - log_keep);
        return rest <= 0 ? HUGE_VAL : tilt_find(&t, log(rest));
    }
    double s = 0;
    if (x < t.total) {
        bool left = tilt_is_left(&t, x);
        double value = tilt_log_profile(&t, x, tilt_saddle(&t, x, left));
        s = left ? -expm1(value) : exp(fmin(value, 0));
    }
    return -expm1(log_keep + log1p(-fmin(s, 1 - 1e-16)));
}

/* e1 by golden section over its logarithm, to six digits. */
static void choose_step(mpq_t e1, const dp_igmm *g, const dp_number *x)
{
    mpq_t q;
    mpq_init(q);
    igmm_shift(q, g);
    double w = mpq_get_d(q), times = mpz_get_d(g->times);
    double rate = mpz_get_d(g->batch) / mpz_get_d(g->samples);
    double at = x != NULL ? mpq_get_d(x->value) : 0;
    if (x != NULL && x->is_log)
        at = log(at);
    double target = g->target_delta != NULL ? mpq_get_d(g->target_delta->value) : 0;
    double low = log(w * 1e-3), high = log(w * w / 2 + 40 * w), best = HUGE_VAL, chosen = low;
    for (int round = 0; round < 3; round++) {
        double step = (high - low) / 24, centre = low;
        for (int i = 0; i <= 24; i++) {
            double trial = low + i * step;
            double value = guess_total(w, rate, times, exp(trial), at, target);
            if (value < best) {
                best = value;
                centre = chosen = trial;
            }
        }
        low = centre - step;
        high = centre + step;
    }
    mpq_set_d(e1, rint(exp(chosen) * 1048576) / 1048576);
    if (mpq_sgn(e1) <= 0)
        mpq_set_d(e1, exp(chosen));
    mpq_clear(q);
}

typedef struct step_context {
    const dp_igmm *g;
    mpq_t e1;
} step_context;

static void step_pair(dp_number *epsilon, mpq_t delta, const void *context, dp_end end,
                      mpfr_prec_t bits)
{
    const step_context *s = context;
    mpfi_t x, d;
    mpfi_init2(x, bits);
    mpfi_init2(d, bits);
    igmm_step(x, d, s->g, s->e1);
    pairs_round(epsilon, delta, x, d, end);
    mpfi_clear(d);
    mpfi_clear(x);
}

static dp_status certified_row(dp_result *out, const dp_igmm *g, const dp_number *x,
                               const dp_options *opt)
{
    step_context s = {.g = g};
    mpq_init(s.e1);
    choose_step(s.e1, g, x);
    pairs p = {step_pair, &s, g->times, g->target_delta == NULL ? x : NULL, g->target_delta};
    dp_status status = pairs_row(out, &igmm_certified, &p, opt);
    if (status == DP_OK)
        figure_set_q(row_quantity(&out->row[out->count - 1], "epsilon_one"), s.e1);
    mpq_clear(s.e1);
    return status;
}

/* The published epsilon', rounded up, as a target; false where it is undefined. */
static bool published_target(dp_number *x, const dp_igmm *g)
{
    if (g->delta == NULL)
        return false;
    mpfi_t epsilon, delta;
    mpfi_init2(epsilon, 192);
    mpfi_init2(delta, 192);
    bool defined = igmm_printed(epsilon, delta, g);
    if (defined) {
        mpfr_t up;
        mpfr_init2(up, 64);
        mpfr_set(up, &epsilon->right, MPFR_RNDU);
        mpfr_get_q(x->value, up);
        mpfr_clear(up);
    }
    mpfi_clear(delta);
    mpfi_clear(epsilon);
    return defined;
}

/* The certified row's composition, or for tau = N the exact profile, decides. */
static dp_answer check_meets(const dp_igmm *g, const dp_check *c, const dp_options *opt)
{
    dp_answer answer = DP_UNKNOWN;
    logform x;
    mpq_t one;
    logform_init(&x);
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    igmm_in in = {g, &x};
    if (mpz_cmp(g->batch, g->samples) == 0) {
        dp_igmm at = *g;
        at.target_delta = NULL;
        in.g = &at;
        if (logform_add_number(&x, one, &c->max_epsilon))
            refine_decide(&answer, igmm_gaussian.eval, 2, 1, &in, c->max_delta.value, CHECK_BITS);
    } else {
        step_context s = {.g = g};
        mpq_init(s.e1);
        dp_igmm at = *g;
        at.target_delta = NULL;
        choose_step(s.e1, &at, &c->max_epsilon);
        pairs p = {step_pair, &s, g->times, NULL, NULL};
        answer = pairs_meet(&p, &c->max_epsilon, c->max_delta.value, opt);
        mpq_clear(s.e1);
    }
    mpq_clear(one);
    logform_clear(&x);
    return answer;
}

static dp_status rows(dp_result *out, const dp_igmm *g, const dp_number *x, bool defined,
                      const dp_options *opt)
{
    logform at;
    mpq_t one;
    logform_init(&at);
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    igmm_in in = {g, &at};
    dp_status status = logform_add_number(&at, one, x) ? DP_OK : DP_MEMORY;
    if (status == DP_OK && igmm_gaussian.applies(&in))
        status = result_evaluate(out, &igmm_gaussian, &in, opt);
    if (status == DP_OK)
        status = certified_row(out, g, x, opt);
    if (status == DP_OK && defined)
        status = result_evaluate(out, &igmm_published, &in, opt);
    mpq_clear(one);
    logform_clear(&at);
    return status;
}

dp_status dp_igmm_privacy(dp_result *out, const dp_igmm *g, const dp_options *opt, dp_error *err)
{
    result_start(out);
    out->adjacency = dp_adjacency_text(DP_REPLACE_ONE);
    result_check_start(out, opt, g->target_epsilon, g->target_delta);
    dp_status status = validate(g, err);
    if (status != DP_OK)
        return status;
    dp_number x;
    dp_number_init(&x);
    bool defined = published_target(&x, g);
    if (g->target_epsilon != NULL)
        dp_number_set(&x, g->target_epsilon);
    if (!defined && g->target_epsilon == NULL && g->target_delta == NULL)
        status = fail(err, DP_UNAVAILABLE, "target_delta",
                      "is missing: there is no published epsilon here to take as the target");
    else if ((status = rows(out, g, &x, defined, opt)) != DP_OK)
        composing_fail(err, status);
    if (status == DP_OK && !defined && g->delta != NULL)
        result_note(out, "the published statement is undefined here: its epsilon is at least T "
                         "times that of a step");
    if (status == DP_OK && out->check.asked)
        out->check.holds = check_meets(g, &out->check, opt);
    dp_number_clear(&x);
    return status;
}
