/* SPDX-License-Identifier: MIT */
/* One run against a privacy curve, by certificates: of mu-GDP, or of several points (epsilon,
 * delta) that are claimed together. */
#include "attack/audit.h"

#include <math.h>

#include "attack/audit_layers.h"
#include "attack/binomial_guess.h"
#include "attack/root.h"
#include "core/refine.h"
#include "core/result.h"
#include "loss/gaussian.h"
#include "num/ival.h"
#include "num/number.h"

/* What is claimed. */
typedef struct curve {
    const audit_in *in;
    size_t count, order[LAYERS_MOST]; /* of points, from the least slope on; 0: mu-GDP */
    double slope[LAYERS_MOST];        /* of each point: e^epsilon, or more; infinite: left aside */
    layers l, other;                  /* the one in use, and one to put aside */
} curve;

/* ---- delta at the slopes ---- */

static double normal_log(double x)
{
    return x > -20 ? log(erfc(-x * 0.70710678118654752440) / 2)
                   : -x * x / 2 - log(-x) - 0.91893853320467274178;
}

/* About the Gaussian profile at t. */
static double gaussian_near(double mu, double t)
{
    double first = normal_log(mu / 2 - t / mu), second = t + normal_log(-mu / 2 - t / mu);
    return first > second ? exp(first) * -expm1(second - first) : 0;
}

static mpq_srcptr leak_of(const curve *c, size_t point)
{
    return number_rational(&c->in->of->claim_point[2 * point + 1]);
}

/* out = m times the sum of the heights, each times delta at its slope. */
static void leaks(mpfi_t out, const curve *c, mpfi_srcptr mu)
{
    mpfi_t t, delta;
    mpfi_init2(t, mpfi_get_prec(out) + 32);
    mpfi_init2(delta, mpfi_get_prec(out) + 32);
    mpfi_set_ui(out, 0);
    for (size_t k = 0; k < c->l.count; k++) {
        if (mpfr_zero_p(c->l.height[k]))
            continue;
        mpfi_set_fr(t, c->l.slope[k]);
        mpfi_log(t, t);
        if (c->count > 0)
            mpfi_set_q(delta, leak_of(c, c->order[k]));
        else
            gaussian_profile(delta, mu, t);
        mpfi_mul_fr(delta, delta, c->l.height[k]);
        mpfi_add(out, out, delta);
    }
    mpfi_mul_ui(out, out, c->in->canaries);
    mpfi_clear(delta);
    mpfi_clear(t);
}

/* About the bound at mu. */
static double bound_near(const curve *c, double mu)
{
    double sum = 0;
    for (size_t k = 0; k < c->l.count; k++)
        sum += mpfr_get_d(c->l.height[k], MPFR_RNDN) *
               gaussian_near(mu, log(mpfr_get_d(c->l.slope[k], MPFR_RNDN)));
    return mpfr_get_d(c->l.lambda, MPFR_RNDN) + (double)c->in->canaries * sum;
}

/* ---- certificates ---- */

#define FARTHEST 600.0 /* e^600 is a double */

static void seek_points(curve *c)
{
    const audit_in *in = c->in;
    layers_goal goal = {.guesses = in->members, .right = in->hits};
    for (size_t k = 0; k < c->count && isfinite(c->slope[c->order[k]]); k++) {
        goal.slope[k] = c->slope[c->order[k]];
        goal.leak[k] = (double)in->canaries * mpq_get_d(leak_of(c, c->order[k]));
        goal.count = k + 1;
    }
    layers_seek(&c->l, &goal);
}

/* ln of about beta + m delta beta (1-beta)/(v pi(v)), at e^t alone. */
static double alone(const audit_in *in, double mu, double t)
{
    double k = (double)in->hits, n = (double)in->members;
    double beta = guess_log_tail(k, n, t, NULL), mass = guess_log_mass(k, n, t);
    double more =
        log((double)in->canaries / k * gaussian_near(mu, t)) + beta - mass + log(-expm1(beta));
    return fmax(beta, more) + log1p(exp(-fabs(more - beta)));
}

#define PLACES 48
#define TRISECTIONS 20

/* About the least of it over t, up to where delta is nothing or v guesses are right on average. */
static double best_alone(double *at, const audit_in *in, double mu)
{
    double best = HUGE_VAL, far = 0.02 + mu * (mu / 2 + 8), low, high;
    int place = 0;
    far = fmax(far, log(((double)in->hits + 1) / ((double)(in->members - in->hits) + 1)));
    if (far > FARTHEST)
        far = FARTHEST;
    for (int i = 0; i <= PLACES; i++) {
        double t = far * i / PLACES, y = alone(in, mu, t);
        if (y < best) {
            best = y;
            place = i;
        }
    }
    low = far * (place > 0 ? place - 1 : 0) / PLACES;
    high = far * (place < PLACES ? place + 1 : PLACES) / PLACES;
    for (int i = 0; i < TRISECTIONS; i++) {
        double first = low + (high - low) / 3, other = high - (high - low) / 3;
        if (alone(in, mu, first) < alone(in, mu, other))
            high = other;
        else
            low = first;
    }
    *at = (low + high) / 2;
    return fmin(best, alone(in, mu, *at));
}

#define SLOPES 8 /* of a Gaussian curve, mu/4 apart in t, about the one that is best alone */

static void seek_gaussian(curve *c, double mu, bool rough)
{
    const audit_in *in = c->in;
    layers_goal goal = {.guesses = in->members, .right = in->hits, .count = SLOPES, .rough = rough};
    double at;
    best_alone(&at, in, mu);
    at -= 0.75 * mu;
    for (size_t k = 0; k < SLOPES; k++) {
        double t = at + (double)k * mu / 4;
        goal.slope[k] = exp(t);
        goal.leak[k] = (double)in->canaries * gaussian_near(mu, t);
    }
    layers_seek(&c->l, &goal);
}

/* ---- the p-value ---- */

typedef struct at_claim {
    const curve *c;
    const dp_number *mu;
} at_claim;

static dp_status eval_p(dp_figure *out, const void *in, const wanted *want)
{
    const at_claim *a = in;
    mpfi_t mu;
    mpfi_init2(mu, want->bits + 64);
    if (a->mu != NULL)
        ival_set_number(mu, a->mu);
    mpfi_ptr p = figure_enclose(&out[0], want->bits);
    leaks(p, a->c, mu);
    mpfr_add(&p->left, &p->left, a->c->l.lambda, MPFR_RNDD);
    mpfr_add(&p->right, &p->right, a->c->l.lambda, MPFR_RNDU);
    if (mpfr_cmp_ui(&p->left, 1) >= 0)
        figure_set_ui(&out[0], 1);
    else
        ival_clamp_ui(p, 0, 1);
    mpfi_clear(mu);
    return DP_OK;
}

#define DECISION_BITS 4096

/* ---- the least mu that is not refuted ---- */

static void above_alpha(mpfi_t out, const mpfi_t mu, const void *of)
{
    const curve *c = of;
    mpfi_t alpha;
    mpfi_init2(alpha, mpfi_get_prec(out));
    leaks(alpha, c, mu);
    mpfr_add(&out->left, &alpha->left, c->l.lambda, MPFR_RNDD);
    mpfr_add(&out->right, &alpha->right, c->l.lambda, MPFR_RNDU);
    mpfi_set_q(alpha, c->in->alpha);
    mpfi_sub(out, out, alpha);
    mpfi_clear(alpha);
}

static double alone_above(const void *of, double log_mu)
{
    const curve *c = of;
    double at;
    return best_alone(&at, c->in, exp(log_mu)) - ival_guess_log(c->in->alpha);
}

static double certified_above(const void *of, double log_mu)
{
    const curve *c = of;
    return bound_near(c, exp(log_mu)) - mpq_get_d(c->in->alpha);
}

#define LEAST_MU 1e-9
#define MOST_MU 1e3
#define FIRST_HALVES 17 /* to 2e-4 of mu */

/* About the mu at which one slope alone says as much. */
static double first_mu(const curve *c)
{
    double low = log(LEAST_MU), high = log(MOST_MU);
    if (alone_above(c, low) >= 0)
        return LEAST_MU;
    for (int i = 0; i < FIRST_HALVES; i++) {
        double middle = (low + high) / 2;
        *(alone_above(c, middle) < 0 ? &low : &high) = middle;
    }
    return exp((low + high) / 2);
}

static double certified_mu(const curve *c)
{
    double low = log(LEAST_MU), high = log(MOST_MU);
    return certified_above(c, low) >= 0    ? LEAST_MU
           : certified_above(c, high) <= 0 ? MOST_MU
                                           : exp(root_guess(certified_above, c, low, high));
}

/* What is found for one mu is good beyond it; another one is sought where it ends. */
static double find_mu(curve *c)
{
    double mu = first_mu(c);
    for (int i = 0; i < 2 && mu > LEAST_MU; i++) {
        seek_gaussian(c, mu, i == 0);
        if (i == 1)
            layers_certify(&c->l);
        mu = certified_mu(c);
    }
    return mu;
}

typedef struct at_root {
    const curve *c;
    double near;
} at_root;

static dp_status eval_mu(dp_figure *out, const void *in, const wanted *want)
{
    const at_root *a = in;
    if (!(a->near > LEAST_MU)) {
        figure_set_ui(&out[0], 0);
        return DP_OK;
    }
    mpfi_t x;
    mpfi_init2(x, root_bits(want->bits));
    root_enclose(x, above_alpha, a->c, &(root_start){.near = a->near, .error = a->near * 1e-12});
    audit_not_below_zero(&out[0], x, want->bits);
    mpfi_clear(x);
    return DP_OK;
}

static dp_status add_mu(dp_result *out, dp_row *row, curve *c, double near, const dp_options *opt)
{
    const at_root a = {c, near};
    return result_refine(out, row_quantity(row, "mu_lower"), 1, eval_mu, &a, opt, DECISION_BITS);
}

/* ---- the claim ---- */

static void put_aside(curve *c)
{
    layers l = c->l;
    c->l = c->other;
    c->other = l;
}

/* Of the claim's own certificate and that of mu_lower, if any, the one that says more: both prove a
 * bound of the same probability. */
static void certify_claim(curve *c, double mu, bool other)
{
    double held = other ? bound_near(c, mu) : 1;
    put_aside(c);
    seek_gaussian(c, mu, false);
    layers_certify(&c->l);
    if (held < bound_near(c, mu))
        put_aside(c);
}

static dp_status add_p(dp_result *out, dp_row *row, audit_in *in, curve *c, double near,
                       const dp_options *opt)
{
    const at_claim a = {c, c->count > 0 ? NULL : in->claim};
    if (c->count > 0) {
        seek_points(c);
        layers_certify(&c->l);
    } else {
        certify_claim(c, ival_guess(a.mu), near > LEAST_MU);
    }
    dp_status status =
        result_refine(out, row_quantity(row, "p_value"), 1, eval_p, &a, opt, DECISION_BITS);
    if (status == DP_OK)
        status = refine_decide(&in->refuted, eval_p, 1, 0, &a, in->alpha, DECISION_BITS, in->lim);
    return status;
}

/* ---- the row ---- */

/* A slope at least e^epsilon is sound: delta falls. Points farther out are left aside. */
static double slope_of(const dp_number *epsilon)
{
    mpfi_t e;
    mpfi_init2(e, 64);
    ival_set_number(e, epsilon);
    bool far = mpfr_cmp_d(&e->right, FARTHEST) > 0;
    ival_exp_number(e, epsilon);
    double slope = far ? HUGE_VAL : mpfr_get_d(&e->right, MPFR_RNDU);
    mpfi_clear(e);
    return slope;
}

/* The points in order: by slope, of equal ones by delta. */
static void sort_points(curve *c)
{
    for (size_t i = 0; i < c->in->of->claim_points / 2; i++) {
        size_t at = i;
        c->slope[i] = slope_of(&c->in->of->claim_point[2 * i]);
        for (; at > 0; at--) {
            size_t before = c->order[at - 1];
            if (c->slope[before] < c->slope[i] || (c->slope[before] == c->slope[i] &&
                                                   mpq_cmp(leak_of(c, before), leak_of(c, i)) <= 0))
                break;
            c->order[at] = before;
        }
        c->order[at] = i;
        c->count++;
    }
}

static dp_status engine_profile(dp_result *out, void *in, const dp_options *opt)
{
    audit_in *a = in;
    dp_row *row = result_row(out, &onerun_profile);
    if (row == NULL)
        return DP_MEMORY;
    curve c = {.in = a};
    layers_init(&c.l);
    layers_init(&c.other);
    sort_points(&c);
    dp_status status = DP_OK;
    if (a->hits == 0) {
        figure_set_ui(row_quantity(row, c.count > 0 ? "p_value" : "mu_lower"), c.count > 0);
        a->refuted = DP_NO;
    } else {
        double near = c.count == 0 ? find_mu(&c) : 0;
        if (c.count == 0)
            status = add_mu(out, row, &c, near, opt);
        if (status == DP_OK && (c.count > 0 || a->claim != NULL))
            status = add_p(out, row, a, &c, near, opt);
    }
    figure_set_q(row_quantity(row, "confidence"), number_rational(a->of->confidence));
    layers_clear(&c.other);
    layers_clear(&c.l);
    return status;
}

const bound onerun_profile = {
    .theorem = {.id = "onerun-profile",
                .family = "audit",
                .verdict = DP_PROVED,
                .source = "of this project, after " SJN,
                .statement =
                    "u_k(c) >= 0, t_k >= 0 with l + sum_k (c u_k(c) - e^(t_k) (r-c) u_k(c+1)) >= "
                    "1[c >= v] for c = 0..r: Pr[W >= v] <= l + m sum_k delta(t_k) max_c u_k(c)",
                .assumes =
                    RUN "; the number of guesses fixed before the run; the curve bounds both "
                        "directions of a flip",
                .proof =
                    "The inequality averaged over outputs and coins; a flip of one coin makes the "
                    "wrong guesses of one term the right ones of its neighbour, and each sum of "
                    "positive parts is at most m delta(t_k) (onerun-exact is that of one t). The "
                    "weights are found by trials, made once more with every step rounded upward, "
                    "and their inequalities hold by that."},
    .engine = engine_profile,
    .output = {"p_value"},
    .also = "mu_lower|confidence"};
