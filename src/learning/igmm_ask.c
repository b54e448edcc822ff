/* SPDX-License-Identifier: MIT */
/* Questions about noisy iterative learning: the step, its amplification, its composition. */
#include "learning/igmm.h"

#include <math.h>

#include "compose/enclosed_pair.h"
#include "core/door.h"
#include "core/refine.h"
#include "engine/tilt.h"
#include "learning/parameters.h"
#include "loss/gaussian.h"
#include "num/ival.h"
#include "num/number.h"

void dp_igmm_init(dp_igmm *g)
{
    if (g == NULL)
        return;
    *g = (dp_igmm){0};
    mpz_inits(g->samples, g->batch, g->times, NULL);
    mpq_inits(g->diameter, g->sigma, NULL);
}

void dp_igmm_clear(dp_igmm *g)
{
    if (g == NULL)
        return;
    mpz_clears(g->samples, g->batch, g->times, NULL);
    mpq_clears(g->diameter, g->sigma, NULL);
}

#define CHECK_BITS 4096

static dp_status validate(const dp_igmm *g, dp_error *err)
{
    const given all[] = {
        {&igmm_samples, .z = g->samples},
        {&igmm_batch_size, .z = g->batch},
        {&igmm_times, .z = g->times},
        {&igmm_diameter, .q = g->diameter},
        {&igmm_sigma, .q = g->sigma},
        {&igmm_delta, .number = g->delta},
        {&igmm_slack, .number = g->slack},
        {&igmm_target_epsilon, .number = g->target_epsilon},
        {&igmm_target_delta, .number = g->target_delta},
    };
    dp_status status = DOOR_GIVEN(all, err);
    if (status != DP_OK)
        return status;
    if (mpz_cmp(g->batch, g->samples) > 0)
        return fail(err, DP_DOMAIN, "batch_size", "must be an integer from 1 to the samples");
    if ((g->delta == NULL) != (g->slack == NULL))
        return fail(err, DP_DOMAIN, g->slack == NULL ? "slack" : "delta",
                    "is missing; the published statement needs delta and slack");
    if (g->target_epsilon != NULL && g->target_delta != NULL)
        return fail(err, DP_DOMAIN, "target_epsilon", "excludes target_delta; give one of them");
    return DP_OK;
}

/* ---- choosing e1: doubles only ---- */

/* Phi(-t)/phi(t) */
static double guess_mills(double t)
{
    if (t > 25)
        return (1 - (1 - 3 / (t * t)) / (t * t)) / t;
    return 1.2533141373155003 * erfc(t * 0.7071067811865476) * exp(t * t / 2);
}

/* ln of the Gaussian profile at e1 */
static double guess_log_delta(double w, double e1)
{
    double a = w / 2 - e1 / w;
    if (a > 5)
        return 0;
    double near = guess_mills(-a), difference = near - guess_mills(w - a);
    if (difference < 1e-6 * near) /* M' = t M - 1 */
        difference = w * (1 + a * near);
    return difference > 0 ? log(difference) - a * a / 2 - 0.9189385332046727 : -HUGE_VAL;
}

typedef struct step_goal {
    double shift, rate, times;
    double at;         /* the total epsilon, where no target delta is given */
    double log_target; /* of the target delta; 0 for none */
} step_goal;

/* Composition of the step at e1: the logarithm of delta, or epsilon. */
static double guess_total(step_goal *g, double e1)
{
    double log_delta = log(g->rate) + guess_log_delta(g->shift, e1);
    double epsilon = e1 > 500 ? e1 + log(g->rate) : log1p(g->rate * expm1(e1));
    buckets one = {.count = 1, .epsilon = &epsilon, .times = &g->times};
    loss law;
    tilt t;
    buckets_sum(&one);
    tilt_init_buckets(&t, &law, &one);
    double leak = log(g->times) + log_delta; /* ln(1 - (1 - delta)^T), nearly */
    if (leak > -30)
        leak = log(-expm1(g->times * log1p(-exp(log_delta))));
    if (g->log_target < 0) {
        double over = leak - g->log_target;
        return over >= 0 ? HUGE_VAL : tilt_find(&t, g->log_target + log(-expm1(over)));
    }
    double value = -HUGE_VAL;
    if (g->at < t.total) {
        bool left = tilt_is_left(&t, g->at);
        value = tilt_log_profile(&t, g->at, tilt_saddle(&t, g->at, left));
        if (left)
            value = log(-expm1(value));
    }
    return leak > value ? leak + log1p(exp(value - leak)) : value + log1p(exp(leak - value));
}

#define ROUNDS 5
#define TRIALS 24

/* Any e1 > 0 is sound; a good one makes the row tight. */
static void choose_step(mpq_t e1, const dp_igmm *g, const dp_number *x)
{
    step_goal goal = {.times = mpz_get_d(g->times)};
    mpq_t q;
    mpq_init(q);
    igmm_shift(q, g);
    double w = goal.shift = mpq_get_d(q);
    goal.rate = mpz_get_d(g->batch) / mpz_get_d(g->samples);
    if (x != NULL)
        goal.at = x->is_log ? tilt_log_q(number_odds(x)) : mpq_get_d(number_rational(x));
    double tail = goal.at / w;
    if (g->target_delta != NULL) {
        goal.log_target = tilt_log_q(number_rational(g->target_delta));
        tail = sqrt(2 * (log(goal.times) - goal.log_target));
    }
    double low = log(w * 1e-3), high = log(w * (w / 2 + tail + 40)), best = HUGE_VAL, chosen = high;
    for (int round = 0; round < ROUNDS; round++) {
        double step = (high - low) / TRIALS, centre = chosen;
        for (int i = 0; i <= TRIALS; i++) {
            double trial = low + i * step, value = guess_total(&goal, exp(trial));
            if (value < best) {
                best = value;
                centre = chosen = trial;
            }
        }
        low = centre - step;
        high = centre + step;
    }
    double found = exp(chosen), rounded = ldexp(rint(ldexp(found, 20)), -20);
    if (found > 0 && found < HUGE_VAL)
        mpq_set_d(e1, rounded > 0 && rounded < HUGE_VAL ? rounded : found);
    else if (mpq_cmp_ui(q, 1, 1) < 0) /* beyond the doubles: the profile is near phi(0) w there */
        mpq_set(e1, q);
    else /* or far below 1 */
        mpq_mul(e1, q, q);
    mpq_clear(q);
}

/* A step, enclosed at the precision last asked for: both ends are of one enclosure. */
typedef struct step {
    const dp_igmm *g;
    mpq_t e1;
    mpfi_t epsilon, delta;
    mpfr_prec_t bits; /* 0: none yet */
} step;

static void step_init(step *s, const dp_igmm *g, const dp_number *x)
{
    s->g = g;
    s->bits = 0;
    mpq_init(s->e1);
    mpfi_init2(s->epsilon, 64);
    mpfi_init2(s->delta, 64);
    choose_step(s->e1, g, x);
}

static void step_clear(step *s)
{
    mpfi_clear(s->delta);
    mpfi_clear(s->epsilon);
    mpq_clear(s->e1);
}

static bool step_pair(dp_number *epsilon, mpq_t delta, const void *context, dp_end end,
                      mpfr_prec_t bits)
{
    step *s = *(step *const *)context;
    if (s->bits != bits) {
        mpfi_set_prec(s->epsilon, bits);
        mpfi_set_prec(s->delta, bits);
        igmm_step(s->epsilon, s->delta, s->g, s->e1);
        s->bits = bits;
    }
    return pairs_round(epsilon, delta, s->epsilon, s->delta, end);
}

static dp_status igmm_certified_row(dp_result *out, void *in, const dp_options *opt)
{
    const dp_igmm *g = ((const igmm_composing *)in)->g;
    const dp_number *x = ((const igmm_composing *)in)->x;
    step s, *at = &s;
    step_init(&s, g, x);
    pairs p = {step_pair, &at, g->times, g->target_delta == NULL ? x : NULL, g->target_delta};
    dp_status status = pairs_row(out, &igmm_certified, &p, opt);
    if (status == DP_OK)
        figure_set_q(row_quantity(&out->row[out->count - 1], "epsilon_one"), s.e1);
    step_clear(&s);
    return status;
}

const bound igmm_certified = {
    .theorem =
        {.id = "igmm-certified",
         .family = "iterative-gaussian",
         .verdict = DP_PROVED,
         .source = "derived here for the mechanism of " IGMM_HWC,
         .statement = "T-fold optimal composition of steps (ln(1 + (tau/N)(e^e1 - 1)), (tau/N) "
                      "d(e1)), d(x) = Phi(w/2 - x/w) - e^x Phi(-w/2 - x/w), for any e1 > 0",
         .assumes = "replace-one adjacency; mini-batches of fixed size, fresh and secret; all "
                    "iterates published",
         .proof =
             "One step is a Gaussian of shift w = diameter/(tau sigma), whose exact profile is "
             "d; sampling without replacement amplifies it (amplify-point); steps compose "
             "adaptively (compose-optimal). e1 is chosen, rounded, and the step rounded up. A "
             "Poisson accountant is not valid for batches of fixed size."},
    .engine = igmm_certified_row,
    .output = {"epsilon", "delta", "epsilon_one"}};

/* The published epsilon', rounded up, as a target; false where it is undefined. */
static bool published_target(dp_number *x, const dp_igmm *g, size_t digits)
{
    if (g->delta == NULL)
        return false;
    mpfi_t epsilon, delta;
    mpfr_prec_t bits = refine_bits(digits) + 64; /* well below the digits shown */
    mpfi_init2(epsilon, bits + 64);
    mpfi_init2(delta, bits + 64);
    bool defined = igmm_printed(epsilon, delta, g);
    if (defined) {
        mpfr_t up;
        mpfr_init2(up, bits);
        mpfr_set(up, &epsilon->right, MPFR_RNDU);
        mpq_t q;
        mpq_init(q);
        mpfr_get_q(q, up);
        number_set_q(x, q);
        mpq_clear(q);
        mpfr_clear(up);
    }
    mpfi_clear(delta);
    mpfi_clear(epsilon);
    return defined;
}

/* The certified row's composition, an upper bound that refutes nothing, or for tau = N the exact
 * profile decides. */
static dp_decision check_meets(const dp_igmm *g, const dp_check *c, const dp_options *opt)
{
    dp_decision answer = DP_UNKNOWN;
    logform x;
    logform_init(&x);
    igmm_in in = {g, &x};
    if (mpz_cmp(g->batch, g->samples) == 0) {
        dp_igmm at = *g;
        at.target_delta = NULL;
        in.g = &at;
        limits lim;
        limits_start(&lim, opt);
        if (logform_add_number(&x, NULL, &c->max_epsilon))
            refine_decide(&answer, igmm_gaussian.eval, 2, 1, &in, number_rational(&c->max_delta),
                          CHECK_BITS, &lim);
    } else {
        step s, *context = &s;
        dp_igmm at = *g;
        at.target_delta = NULL;
        step_init(&s, &at, &c->max_epsilon);
        pairs p = {step_pair, &context, g->times, NULL, NULL};
        answer = pairs_meet(&p, &c->max_epsilon, number_rational(&c->max_delta), opt);
        step_clear(&s);
        if (answer == DP_NO) {
            *opt->met |= DP_MET_BOUND;
            answer = DP_UNKNOWN;
        }
    }
    logform_clear(&x);
    return answer;
}

static dp_status rows(dp_result *out, const dp_igmm *g, const dp_number *x, bool defined,
                      const dp_options *opt)
{
    logform at;
    logform_init(&at);
    igmm_in in = {g, &at};
    dp_status status = logform_add_number(&at, NULL, x) ? DP_OK : DP_MEMORY;
    if (status == DP_OK && igmm_gaussian.applies(&in))
        status = result_evaluate(out, &igmm_gaussian, &in, opt);
    if (status == DP_OK)
        status = igmm_certified.engine(out, &(igmm_composing){g, x}, opt);
    if (status == DP_OK && defined)
        status = result_evaluate(out, &igmm_published, &in, opt);
    logform_clear(&at);
    return status;
}

dp_status dp_igmm_privacy(dp_result *out, const dp_igmm *g, const dp_options *opt, dp_error *err)
{
    dp_options own;
    dp_status status = door_open(&own, out, "learner", g, opt, err);
    opt = &own;
    if (status == DP_OK)
        status = validate(g, err);
    if (status != DP_OK)
        return status;
    result_start(out);
    out->adjacency = dp_relation_text(DP_REPLACE_ONE);
    result_check_start(out, opt, g->target_epsilon, g->target_delta);
    dp_number x;
    dp_number_init(&x);
    bool defined = published_target(&x, g, opt->digits);
    if (g->target_epsilon != NULL)
        dp_number_set(&x, g->target_epsilon);
    if (!defined && g->target_epsilon == NULL && g->target_delta == NULL)
        status = fail(err, DP_UNAVAILABLE, "target_delta",
                      "is missing: there is no published epsilon here to take as the target");
    else
        status = rows(out, g, &x, defined, opt);
    if (status == DP_OK && !defined && g->delta != NULL)
        result_note(out, "the published statement is undefined here: its epsilon is at least T "
                         "times that of a step");
    if (status == DP_OK && mpz_cmp(g->batch, g->samples) < 0)
        result_warn(out,
                    "for batches of a fixed size and a replaced record, each step by points of "
                    "its curve: an upper bound, loose for many steps. Where batches are Poisson "
                    "samples, dp-sgd is exact for a record added or removed, and mostly far less: "
                    "noise_multiplier 2 sigma batch_size / diameter, sampling_rate batch_size / n");
    if (status == DP_OK && out->check.asked) {
        unsigned met = 0;
        own = options_meeting(opt, &met);
        dp_decision holds = check_meets(g, &out->check, &own);
        result_decide(out, holds, met != 0 ? met : DP_MET_PRECISION);
    }
    dp_number_clear(&x);
    return result_end(out, status, err);
}
