/* SPDX-License-Identifier: MIT */
/* Divergences beside KL. Each is a sum or a product over the list, because every (epsilon,
 * delta)-DP pair is a post-processing of one pair, which attains it. */
#include "compose/divergence.h"
#include "compose/optimal.h"
#include "num/ival.h"

static bool leaks(const composed *c)
{
    return c->leaks > 0 || c->certain_leak;
}

/* sum t ln cosh(eps/2) = sum t (eps/2 + log1p(e^-eps) - ln 2), eps/2 + log1p(e^-eps) - ln 2 written
 * as log1p(expm1(-eps/2)^2 e^(eps/2)/2): all parts positive */
static void log_cosh_sum(mpfi_t out, const composed *c)
{
    mpfi_t half, part;
    mpfi_init2(half, mpfi_get_prec(out));
    mpfi_init2(part, mpfi_get_prec(out));
    mpfi_set_ui(out, 0);
    for (size_t i = 0; i < c->losses; i++) {
        ival_set_number(half, &c->loss[i].epsilon);
        mpfi_div_2ui(half, half, 1);
        mpfi_neg(part, half);
        mpfi_expm1(part, part);
        mpfi_sqr(part, part);
        mpfi_div_2ui(part, part, 1);
        mpfi_exp(half, half);
        mpfi_mul(part, part, half);
        mpfi_log1p(part, part);
        ival_mul_z(part, part, c->loss[i].times);
        mpfi_add(out, out, part);
    }
    mpfi_clear(part);
    mpfi_clear(half);
}

/* expm1(sum t log1p(4 sinh^2(eps/2))), 4 sinh^2(eps/2) = expm1(eps)^2 / e^eps */
static dp_status eval_chi_squared(dp_figure *out, const void *in, const wanted *want)
{
    const composed *c = ((const divergence_in *)in)->list;
    if (leaks(c)) {
        figure_set_infinite(out);
        return DP_OK;
    }
    if (c->losses == 0) {
        figure_set_ui(out, 0);
        return DP_OK;
    }
    mpfi_ptr sum = figure_enclose(out, want->bits);
    mpfi_t part, growth;
    mpfi_init2(part, want->bits);
    mpfi_init2(growth, want->bits);
    mpfi_set_ui(sum, 0);
    for (size_t i = 0; i < c->losses; i++) {
        ival_expm1_number(growth, &c->loss[i].epsilon);
        mpfi_add_ui(part, growth, 1);
        mpfi_sqr(growth, growth);
        mpfi_div(part, growth, part);
        mpfi_log1p(part, part);
        ival_mul_z(part, part, c->loss[i].times);
        mpfi_add(sum, sum, part);
    }
    mpfi_expm1(sum, sum);
    mpfi_clear(growth);
    mpfi_clear(part);
    return DP_OK;
}

/* 1 - D exp(-sum t ln cosh(eps/2)) */
static dp_status eval_hellinger(dp_figure *out, const void *in, const wanted *want)
{
    const composed *c = ((const divergence_in *)in)->list;
    if (c->certain_leak || (c->losses == 0 && c->leaks == 0)) {
        figure_set_ui(out, c->certain_leak);
        return DP_OK;
    }
    mpfi_ptr x = figure_enclose(out, want->bits);
    mpfi_t keep;
    mpfi_init2(keep, want->bits);
    log_cosh_sum(x, c);
    composed_log_keep(keep, c);
    mpfi_sub(x, keep, x);
    mpfi_expm1(x, x);
    mpfi_neg(x, x);
    mpfi_clear(keep);
    return DP_OK;
}

static dp_status eval_max(dp_figure *out, const void *in, const wanted *want)
{
    const composed *c = ((const divergence_in *)in)->list;
    if (leaks(c))
        figure_set_infinite(out);
    else
        figure_set_form(out, &c->total, want->bits);
    return DP_OK;
}

/* (ln D + K(a-1)) / (a-1): infinite for a >= 1 where something leaks; at a = 1 the mean of the loss
 */
static dp_status eval_renyi(dp_figure *out, const void *in, const wanted *want)
{
    const divergence_in *q = in;
    int side = mpq_cmp_ui(q->order, 1, 1);
    figure_set_q(&out[1], q->order);
    if (leaks(q->list) && (side >= 0 || q->list->certain_leak)) {
        figure_set_infinite(&out[0]);
        return DP_OK;
    }
    if (q->list->losses == 0 && !leaks(q->list)) {
        figure_set_ui(&out[0], 0);
        return DP_OK;
    }
    mpfi_ptr x = figure_enclose(&out[0], want->bits);
    if (side == 0) {
        composed_sums s;
        composed_sums_init(&s, q->list, want->bits);
        mpfi_set(x, s.mean);
        composed_sums_clear(&s);
        return DP_OK;
    }
    mpq_t less_one;
    mpfi_t part;
    mpq_init(less_one);
    mpfi_init2(part, want->bits);
    mpz_sub(mpq_numref(less_one), mpq_numref(q->order), mpq_denref(q->order));
    mpz_set(mpq_denref(less_one), mpq_denref(q->order));
    mpfi_set_q(part, less_one);
    composed_moment(x, q->list, part);
    composed_log_keep(part, q->list);
    mpfi_add(x, x, part);
    mpfi_div_q(x, x, less_one);
    if (!leaks(
            q->list)) { /* at most the max divergence, which it nears where the losses are large */
        mpfi_set_prec(part, want->bits);
        logform_enclose(part, &q->list->total);
        ival_take_least(x, part);
    }
    mpfi_clear(part);
    mpq_clear(less_one);
    return DP_OK;
}

static bool is_pure(const void *in)
{
    return !leaks(((const divergence_in *)in)->list);
}

/* alpha sum eps^2 / 2 */
static dp_status eval_renyi_quadratic(dp_figure *out, const void *in, const wanted *want)
{
    const divergence_in *q = in;
    figure_set_q(&out[1], q->order);
    if (want->rational && composed_half_square_q(out[0].rational, q->list)) {
        mpq_mul(out[0].rational, out[0].rational, q->order);
        out[0].kind = DP_RATIONAL;
        return DP_OK;
    }
    composed_sums s;
    composed_sums_init(&s, q->list, want->bits);
    mpfi_ptr x = figure_enclose(&out[0], want->bits);
    mpfi_mul_q(x, s.square, q->order);
    mpfi_div_2ui(x, x, 1);
    composed_sums_clear(&s);
    return DP_OK;
}

static dp_status eval_renyi_max(dp_figure *out, const void *in, const wanted *want)
{
    dp_status status = eval_max(&out[0], in, want);
    figure_set_q(&out[1], ((const divergence_in *)in)->order);
    return status;
}

/* min(1, sum t tanh(eps/2) + sum t delta) */
static dp_status eval_tv_sum(dp_figure *out, const void *in, const wanted *want)
{
    const composed *c = ((const divergence_in *)in)->list;
    mpfi_ptr x = figure_enclose(out, want->bits);
    mpfi_t part;
    mpfi_init2(part, want->bits);
    mpfi_set_ui(x, c->certain_leak);
    for (size_t i = 0; i < c->losses; i++) {
        ival_set_number(part, &c->loss[i].epsilon);
        ival_tanh_half(part, part);
        ival_mul_z(part, part, c->loss[i].times);
        mpfi_add(x, x, part);
    }
    for (size_t i = 0; i < c->leaks; i++) {
        mpfi_set_q(part, c->leak[i].delta);
        ival_mul_z(part, part, c->leak[i].times);
        mpfi_add(x, x, part);
    }
    ival_clamp_ui(x, 0, 1);
    if (mpfr_cmp_ui(&x->left, 1) == 0)
        figure_set_ui(out, 1);
    mpfi_clear(part);
    return DP_OK;
}

/* min(1, sqrt(KL/2)) */
static dp_status eval_tv_pinsker(dp_figure *out, const void *in, const wanted *want)
{
    composed_sums s;
    composed_sums_init(&s, ((const divergence_in *)in)->list, want->bits);
    mpfi_ptr x = figure_enclose(out, want->bits);
    mpfi_div_2ui(x, s.mean, 1);
    mpfi_sqrt(x, x);
    ival_clamp_ui(x, 0, 1);
    if (mpfr_cmp_ui(&x->left, 1) == 0)
        figure_set_ui(out, 1);
    composed_sums_clear(&s);
    return DP_OK;
}

/* Total variation: the optimal delta at epsilon 0, under its own name. */
static dp_status divergence_total_variation_row(dp_result *out, void *in, const dp_options *opt)
{
    composing *c = in;
    c->out = out;
    c->opt = opt;
    dp_status status = composing_at_epsilon(c, &c->at);
    if (status != DP_OK)
        return status;
    dp_row *row = &c->out->row[c->out->count - 1];
    dp_figure epsilon = row->quantity[0].figure;
    row->quantity[0].figure = row->quantity[1].figure;
    row->quantity[1].figure = epsilon;
    row->theorem = &divergence_total_variation.theorem;
    row->count = 0;
    row_quantity(row, "total_variation");
    return DP_OK;
}

#define LIST GIVEN_EARLIER "; the adjacency of the mechanisms"
#define PAIR_PROOF                                                                                 \
    "Every (epsilon, delta)-DP pair is a post-processing of the pair that leaks with probability " \
    "delta and else is randomized response with odds e^epsilon; divergences do not grow under "    \
    "post-processing. "

const bound divergence_total_variation = {
    .theorem = {.id = "divergence-total-variation",
                .family = "divergence",
                .verdict = DP_EXACT,
                .source = "compose-optimal at epsilon 0",
                .statement = "TV <= 1 - prod(1-delta_i) (1 - E[(1 - e^-L)_+]); (e^epsilon - 1 + 2 "
                             "delta)/(e^epsilon + 1) for one mechanism",
                .assumes = LIST,
                .proof = PAIR_PROOF "Total variation is the smallest delta at epsilon 0."},
    .engine = divergence_total_variation_row,
    .output = {"total_variation"}};

const bound divergence_total_variation_sum = {
    .theorem = {.id = "divergence-total-variation-sum",
                .family = "divergence",
                .verdict = DP_PROVED,
                .source = "standard: total variation adds up",
                .statement = "TV <= min(1, sum tanh(epsilon_i/2) + sum delta_i)",
                .assumes = LIST,
                .proof = "The triangle inequality for one mechanism after the other."},
    .eval = eval_tv_sum,
    .output = {"total_variation"},
    .only_all = true};

const bound divergence_total_variation_pinsker = {
    .theorem = {.id = "divergence-total-variation-pinsker",
                .family = "divergence",
                .verdict = DP_PROVED,
                .source = "Pinsker's inequality with kl-tight",
                .statement = "TV <= min(1, sqrt(sum epsilon_i tanh(epsilon_i/2) / 2))",
                .assumes = GIVEN_EARLIER ", all delta_i = 0; their adjacency",
                .proof = "Pinsker's inequality."},
    .applies = is_pure,
    .eval = eval_tv_pinsker,
    .output = {"total_variation"},
    .only_all = true};

const bound divergence_chi_squared = {
    .theorem = {.id = "divergence-chi-squared",
                .family = "divergence",
                .verdict = DP_EXACT,
                .source = "derived here",
                .statement = "chi^2 <= prod(1 + 4 sinh^2(epsilon_i/2)) - 1; infinite where some "
                             "delta_i > 0",
                .assumes = LIST,
                .proof = PAIR_PROOF "1 + chi^2 multiplies over independent steps."},
    .eval = eval_chi_squared,
    .output = {"chi_squared"}};

const bound divergence_squared_hellinger = {
    .theorem = {.id = "divergence-squared-hellinger",
                .family = "divergence",
                .verdict = DP_EXACT,
                .source = "derived here",
                .statement = "1 - sum sqrt(PQ) <= 1 - prod (1-delta_i)/cosh(epsilon_i/2)",
                .assumes = LIST,
                .proof = PAIR_PROOF "The affinity multiplies over independent steps."},
    .eval = eval_hellinger,
    .output = {"squared_hellinger"}};

const bound divergence_renyi = {
    .theorem = {.id = "divergence-renyi",
                .family = "divergence",
                .verdict = DP_EXACT,
                .source = "derived here; Bun, Steinke 2016 bound it",
                .statement = "D_alpha <= sum ln(cosh(epsilon_i(alpha-1/2))/cosh(epsilon_i/2)) / "
                             "(alpha-1), plus ln prod(1-delta_i)/(alpha-1) for alpha < 1; infinite "
                             "for alpha >= 1 where some delta_i > 0",
                .assumes = LIST,
                .proof = PAIR_PROOF "Renyi divergence adds up over independent steps."},
    .eval = eval_renyi,
    .output = {"renyi", "alpha"}};

const bound divergence_renyi_quadratic = {
    .theorem = {.id = "divergence-renyi-quadratic",
                .family = "divergence",
                .verdict = DP_PROVED,
                .source = "Bun, Steinke 2016, Proposition 1.4",
                .statement = "D_alpha <= alpha sum epsilon_i^2/2",
                .assumes = GIVEN_EARLIER ", all delta_i = 0; their adjacency",
                .proof = "A pure epsilon-DP mechanism is epsilon^2/2-zCDP."},
    .applies = is_pure,
    .eval = eval_renyi_quadratic,
    .output = {"renyi", "alpha"},
    .only_all = true};

const bound divergence_renyi_max = {
    .theorem = {.id = "divergence-renyi-max",
                .family = "divergence",
                .verdict = DP_PROVED,
                .source = "Mironov 2017: Renyi divergence grows with its order",
                .statement = "D_alpha <= sum epsilon_i",
                .assumes = GIVEN_EARLIER ", all delta_i = 0; their adjacency",
                .proof = "The limit alpha to infinity is the max divergence."},
    .applies = is_pure,
    .eval = eval_renyi_max,
    .output = {"renyi", "alpha"},
    .only_all = true};

const bound divergence_max = {
    .theorem = {.id = "divergence-max",
                .family = "divergence",
                .verdict = DP_EXACT,
                .source = "the definition of pure differential privacy, composed",
                .statement = "max divergence <= sum epsilon_i; infinite where some delta_i > 0",
                .assumes = LIST,
                .proof = PAIR_PROOF "The largest loss is the sum of the largest losses."},
    .eval = eval_max,
    .output = {"max_divergence"}};
