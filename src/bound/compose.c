/* SPDX-License-Identifier: MIT */
#include "bound/compose.h"

#include "num/ival.h"

/* sum of times * delta_i */
static void leak_sum(dp_figure *out, const composed *c, const request *want)
{
    if (c->certain_leak) {
        figure_set_ui(out, 1);
        return;
    }
    if (want->rational) {
        mpq_t part;
        mpq_init(part);
        mpq_set_ui(out->rational, 0, 1);
        for (size_t i = 0; i < c->leaks; i++) {
            mpq_set_z(part, c->leak[i].times);
            mpq_mul(part, part, c->leak[i].delta);
            mpq_add(out->rational, out->rational, part);
        }
        mpq_clear(part);
        out->kind = DP_RATIONAL;
        if (mpq_cmp_ui(out->rational, 1, 1) > 0)
            figure_set_ui(out, 1);
        return;
    }
    mpfi_ptr x = figure_enclose(out, want->bits);
    mpfi_t part;
    mpfi_init2(part, want->bits);
    mpfi_set_ui(x, 0);
    for (size_t i = 0; i < c->leaks; i++) {
        mpfi_set_q(part, c->leak[i].delta);
        ival_mul_z(part, part, c->leak[i].times);
        mpfi_add(x, x, part);
    }
    ival_clamp_ui(x, 0, 1);
    mpfi_clear(part);
}

/* sum of epsilon_i: exact when no logarithm is left */
static void loss_sum(dp_figure *out, const composed *c, const request *want)
{
    if (c->total.count == 0)
        figure_set_q(out, c->total.rational);
    else
        logform_enclose(figure_enclose(out, want->bits), &c->total);
}

/* 1 - D, exact where asked and small, else -expm1(ln D) */
static void leak(dp_figure *out, const composed *c, const request *want)
{
    if ((want->rational || c->leaks == 0) && composed_leak_q(out->rational, c)) {
        out->kind = DP_RATIONAL;
        return;
    }
    mpfi_ptr x = figure_enclose(out, want->bits);
    composed_log_keep(x, c);
    mpfi_expm1(x, x);
    mpfi_neg(x, x);
}

static dp_status eval_basic(dp_figure *out, const void *in, const request *want)
{
    const compose_in *q = in;
    loss_sum(&out[0], q->list, want);
    leak(&out[1], q->list, want);
    return DP_OK;
}

static dp_status eval_basic_sum(dp_figure *out, const void *in, const request *want)
{
    const compose_in *q = in;
    loss_sum(&out[0], q->list, want);
    leak_sum(&out[1], q->list, want);
    return DP_OK;
}

/* How a theorem joins its slack to the leaks: sum delta_i + d, or 1 - D (1 - d). */
typedef enum joining { JOIN_SUM, JOIN_PRODUCT } joining;

/* d = the slack, given or left over from the target delta; may be <= 0 when none is left. */
static void slack_from_delta(mpfi_t d, const compose_in *q, joining how)
{
    if (q->slack != NULL) {
        mpfi_set_q(d, q->slack);
        return;
    }
    mpfi_t keep;
    mpfi_init2(keep, mpfi_get_prec(d));
    if (how == JOIN_PRODUCT) { /* 1 - (1-delta)/D */
        composed_log_keep(keep, q->list);
        if (mpq_cmp_ui(q->target_delta, 1, 1) >= 0) {
            mpfi_set_ui(d, 1);
        } else {
            ival_log1m_q(d, q->target_delta);
            mpfi_sub(d, d, keep);
            mpfi_expm1(d, d);
            mpfi_neg(d, d);
        }
    } else {
        dp_figure sum;
        dp_figure_init(&sum);
        leak_sum(&sum, q->list, &(request){mpfi_get_prec(d), false});
        mpfi_set_q(d, q->target_delta);
        if (sum.kind == DP_RATIONAL)
            mpfi_sub_q(d, d, sum.rational);
        else
            mpfi_sub(d, d, sum.enclosure);
        dp_figure_clear(&sum);
    }
    mpfi_clear(keep);
}

/* out = the total delta for slack d; exactly the target when that is where d comes from */
static void join(dp_figure *out, const compose_in *q, joining how, const mpfi_t d,
                 const request *want)
{
    if (q->target_delta != NULL && q->slack == NULL) {
        figure_set_q(out, q->target_delta);
        return;
    }
    dp_figure part;
    dp_figure_init(&part);
    request inexact = {want->bits, false};
    if (how == JOIN_SUM)
        leak_sum(&part, q->list, &inexact);
    else
        leak(&part, q->list, &inexact);
    mpfi_ptr x = figure_enclose(out, want->bits);
    if (part.kind == DP_RATIONAL)
        mpfi_set_q(part.enclosure, part.rational);
    if (how == JOIN_SUM)
        mpfi_add(x, part.enclosure, d);
    else
        ival_union(x, part.enclosure, d);
    ival_clamp_ui(x, 0, 1);
    dp_figure_clear(&part);
}

/* The three forms of a moderate-deviation epsilon around a centre m, V = sum eps^2:
 *   FORM_TAIL   m + sqrt(2 V ln(1/d))            d = exp(-(x-m)^2 / 2V)
 *   FORM_LOG    m + sqrt(2 V ln(e + sqrt(V)/d))  d = sqrt(V) / (e expm1((x-m)^2/2V - 1)) */
typedef enum form { FORM_TAIL, FORM_LOG } form;

static void form_epsilon(mpfi_t x, form f, const mpfi_t centre, const mpfi_t square, const mpfi_t d)
{
    mpfi_t e;
    mpfi_init2(e, mpfi_get_prec(x));
    if (f == FORM_TAIL) {
        mpfi_log(x, d);
        mpfi_neg(x, x);
    } else {
        mpfi_set_ui(e, 1);
        mpfi_exp(e, e);
        mpfi_sqrt(x, square);
        mpfi_div(x, x, d);
        mpfi_add(x, x, e);
        mpfi_log(x, x);
    }
    mpfi_mul(x, x, square);
    mpfi_mul_2ui(x, x, 1);
    ival_at_least_zero(x);
    mpfi_sqrt(x, x);
    mpfi_add(x, x, centre);
    mpfi_clear(e);
}

/* d for a given epsilon x > centre; false when the form has no d below 1 there. */
static bool form_slack(mpfi_t d, form f, const mpfi_t centre, const mpfi_t square, const mpfi_t x)
{
    mpfi_t e;
    mpfi_init2(e, mpfi_get_prec(d));
    mpfi_sub(d, x, centre);
    bool ok = mpfi_is_strictly_pos(d);
    mpfi_sqr(d, d);
    mpfi_div(d, d, square);
    mpfi_div_2ui(d, d, 1);
    if (f == FORM_TAIL) {
        mpfi_neg(d, d);
        mpfi_exp(d, d);
    } else {
        mpfi_sub_ui(d, d, 1);
        ok = ok && mpfi_is_strictly_pos(d);
        mpfi_expm1(d, d);
        mpfi_set_ui(e, 1);
        mpfi_exp(e, e);
        mpfi_mul(d, d, e);
        mpfi_sqrt(e, square);
        mpfi_div(d, e, d);
    }
    ok = ok && !ival_bad(d) && mpfr_cmp_ui(&d->right, 1) < 0;
    mpfi_clear(e);
    return ok;
}

/* Is there a slack in (0, 1)? Judged at a precision of its own; what it cannot tell is not used. */
static bool deviation(dp_figure *out, const compose_in *q, form f, joining how, const request *want)
{
    const composed *c = q->list;
    composed_sums s;
    mpfi_t d, x;
    composed_sums_init(&s, c, want->bits);
    mpfi_init2(d, want->bits);
    mpfi_init2(x, want->bits);
    mpfi_ptr centre = how == JOIN_SUM ? s.growth : s.mean;
    bool ok = !c->certain_leak && c->losses > 0;
    if (ok && q->target_epsilon != NULL && q->slack == NULL) {
        logform_enclose(x, q->target_epsilon);
        ok = form_slack(d, f, centre, s.square, x);
    } else if (ok) {
        slack_from_delta(d, q, how);
        ok = mpfi_is_strictly_pos(d) && mpfr_cmp_ui(&d->right, 1) < 0;
        if (ok)
            form_epsilon(x, f, centre, s.square, d);
    }
    if (ok && out != NULL) {
        mpfi_set(figure_enclose(&out[0], want->bits), x);
        if (q->target_epsilon != NULL && q->slack == NULL && q->target_epsilon->count == 0)
            figure_set_q(&out[0], q->target_epsilon->rational);
        join(&out[1], q, how, d, want);
    }
    mpfi_clear(x);
    mpfi_clear(d);
    composed_sums_clear(&s);
    return ok;
}

static bool has_slack(const compose_in *q)
{
    return q->slack != NULL || q->target_delta != NULL || q->target_epsilon != NULL;
}

static bool applies(const void *in, form f, joining how)
{
    return has_slack(in) && deviation(NULL, in, f, how, &(request){192, false});
}

static bool advanced_applies(const void *in)
{
    return applies(in, FORM_TAIL, JOIN_SUM);
}

static bool kov_log_applies(const void *in)
{
    return applies(in, FORM_LOG, JOIN_PRODUCT);
}

static bool kov_hoeffding_applies(const void *in)
{
    return applies(in, FORM_TAIL, JOIN_PRODUCT);
}

static dp_status eval_advanced(dp_figure *out, const void *in, const request *want)
{
    return deviation(out, in, FORM_TAIL, JOIN_SUM, want) ? DP_OK : DP_LIMIT;
}

static dp_status eval_kov_log(dp_figure *out, const void *in, const request *want)
{
    return deviation(out, in, FORM_LOG, JOIN_PRODUCT, want) ? DP_OK : DP_LIMIT;
}

static dp_status eval_kov_hoeffding(dp_figure *out, const void *in, const request *want)
{
    return deviation(out, in, FORM_TAIL, JOIN_PRODUCT, want) ? DP_OK : DP_LIMIT;
}

#define KOV "Kairouz, Oh, Viswanath 2015, The Composition Theorem for Differential Privacy"
#define FIXED                                                                                      \
    "parameters fixed in advance, mechanisms chosen adaptively; the adjacency of the items"
#define PAIR                                                                                       \
    {                                                                                              \
        "epsilon", "delta"                                                                         \
    }
#define SLACK_RULE "d is the slack, d = 1 - (1-delta)/prod(1-delta_i) for a target delta"

const bound compose_optimal = {
    .theorem =
        {.id = "compose-optimal",
         .family = "compose",
         .verdict = DP_EXACT,
         .source = KOV ", Theorem 3.3, for equal items; Murtagh, Vadhan 2018, The Complexity of "
                       "Computing the Optimal Composition of Differential Privacy, for any items",
         .statement = "delta(x) = 1 - prod(1-delta_i) (1 - E[(1 - e^(x-L))_+]) for every x >= 0, L "
                      "the sum of the losses of randomized response, and no smaller delta holds",
         .assumes = FIXED,
         .proof =
             "Every (epsilon, delta)-DP pair is a post-processing of one four-outcome pair: leak "
             "with probability delta, else randomized response with odds e^epsilon. Composition "
             "preserves this, so the hockey-stick divergence of the product pair bounds every "
             "composition and is attained by it. It holds at every x, not only on the grid "
             "(k-2i) epsilon of the published statement. dpacct evaluates it by terms that are all "
             "positive, or by a trapezoidal sum of the moment function over one period, whose "
             "aliases, dropped nodes and roundings are bounded; epsilon at a target delta solves "
             "the same equation on the atom where the tangent meets it."},
    .output = PAIR};

const bound compose_basic = {
    .theorem = {.id = "compose-basic",
                .family = "compose",
                .verdict = DP_PROVED,
                .source = KOV ", Theorem 3.5, first branch with slack 0",
                .statement = "(sum epsilon_i, 1 - prod(1-delta_i))-DP",
                .assumes = FIXED,
                .proof =
                    "The end point of compose-optimal: no loss exceeds sum epsilon_i, so the "
                    "divergence there is the probability of a leak. No other point of the optimal "
                    "curve has a smaller delta."},
    .eval = eval_basic,
    .output = PAIR};

const bound compose_basic_sum = {
    .theorem = {.id = "compose-basic-sum",
                .family = "compose",
                .verdict = DP_PROVED,
                .source = "Dwork, Roth 2014, The Algorithmic Foundations of Differential Privacy, "
                          "Theorem 3.16",
                .statement = "(sum epsilon_i, min(1, sum delta_i))-DP",
                .assumes = FIXED,
                .proof = "Weaker than compose-basic, because 1 - prod(1-delta_i) <= sum delta_i."},
    .eval = eval_basic_sum,
    .output = PAIR,
    .only_all = true};

const bound compose_advanced = {
    .theorem =
        {.id = "compose-advanced",
         .family = "compose",
         .verdict = DP_PROVED,
         .source =
             "Dwork, Roth 2014, Theorem 3.20; for unequal items with sum epsilon_i^2 in place "
             "of k epsilon^2",
         .statement = "(sqrt(2 sum epsilon_i^2 ln(1/d)) + sum epsilon_i (e^epsilon_i - 1), "
                      "sum delta_i + d)-DP",
         .assumes = FIXED "; d is the slack, d = delta - sum delta_i for a target delta",
         .proof = "Azuma's inequality for the loss, whose steps are at most epsilon_i in size and "
                  "at most epsilon_i (e^epsilon_i - 1) in mean. Loose: the mean is at most "
                  "epsilon_i tanh(epsilon_i/2)."},
    .applies = advanced_applies,
    .eval = eval_advanced,
    .output = PAIR,
    .only_all = true};

const bound compose_kov_log = {
    .theorem = {.id = "compose-kov-log",
                .family = "compose",
                .verdict = DP_PROVED,
                .source = KOV ", Theorem 3.4 (equal items) and 3.5, second branch",
                .statement =
                    "(m + sqrt(2 V ln(e + sqrt(V)/d)), 1 - (1-d) prod(1-delta_i))-DP, m = sum "
                    "epsilon_i tanh(epsilon_i/2), V = sum epsilon_i^2",
                .assumes = FIXED "; " SLACK_RULE,
                .proof =
                    "The published proof: the hockey-stick divergence integrates the tail of the "
                    "loss, which saves a factor over the tail itself. The largest ratio of exact "
                    "value to slack seen on a grid of 336 settings is 0.31."},
    .applies = kov_log_applies,
    .eval = eval_kov_log,
    .output = PAIR,
    .only_all = true};

const bound compose_kov_hoeffding = {
    .theorem =
        {.id = "compose-kov-hoeffding",
         .family = "compose",
         .verdict = DP_PROVED,
         .source = KOV ", Theorem 3.4 (equal items) and 3.5, third branch",
         .statement = "(m + sqrt(2 V ln(1/d)), 1 - (1-d) prod(1-delta_i))-DP, m = sum epsilon_i "
                      "tanh(epsilon_i/2), V = sum epsilon_i^2",
         .assumes = FIXED "; " SLACK_RULE,
         .proof = "Hoeffding: each loss lies in [-epsilon_i, epsilon_i] and has mean at most "
                  "epsilon_i tanh(epsilon_i/2), so P(L > m + t) <= exp(-t^2/(2V)); the divergence "
                  "is at most that tail."},
    .applies = kov_hoeffding_applies,
    .eval = eval_kov_hoeffding,
    .output = PAIR,
    .only_all = true};

static dp_status eval_kov_sum(dp_figure *out, const void *in, const request *want)
{
    const compose_in *q = in;
    if (q->slack == NULL)
        return eval_basic(out, in, want);
    mpfi_t d;
    mpfi_init2(d, want->bits);
    mpfi_set_q(d, q->slack);
    loss_sum(&out[0], q->list, want);
    join(&out[1], q, JOIN_PRODUCT, d, want);
    mpfi_clear(d);
    return DP_OK;
}

const bound compose_kov_sum = {
    .theorem = {.id = "compose-kov-sum",
                .family = "compose",
                .verdict = DP_PROVED,
                .source = KOV ", Theorem 3.4 (equal items) and 3.5, first branch",
                .statement = "(sum epsilon_i, 1 - (1-d) prod(1-delta_i))-DP, slack d >= 0 (0 when "
                             "none is given)",
                .assumes = FIXED,
                .proof = "compose-basic with a larger delta."},
    .eval = eval_kov_sum,
    .output = PAIR,
    .only_all = true};
