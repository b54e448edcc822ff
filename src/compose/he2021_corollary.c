/* SPDX-License-Identifier: MIT */
/* The corollaries of the iterative-learning paper for T equal steps, printed and corrected. */
#include "compose/he2021.h"
#include "num/ival.h"
#include "renyi/conversion.h"

/* All mechanisms equal, with epsilon > 0. */
static bool is_equal_list(const compose_in *q)
{
    const composed *c = q->list;
    return c->losses == 1 && mpz_cmp(c->lossy, c->uses) == 0 && !c->certain_leak &&
           (c->leaks == 0 || (c->leaks == 1 && mpz_cmp(c->leak[0].times, c->uses) == 0));
}

/* -expm1(c ln(1-a) + (T-c) ln(1-b)) - expm1(T ln(1-b)), c = min(T, ceil(x/eps)): increasing in c,
 * so an enclosure of x/eps gives one of the value. */
static void printed_leaks(mpfi_t out, const compose_in *q, const mpfi_t x)
{
    mpfr_prec_t bits = mpfi_get_prec(out);
    const dp_item *m = &q->items->item[0];
    mpfi_t a, b, part;
    mpfi_init2(a, bits);
    mpfi_init2(b, bits);
    mpfi_init2(part, bits);
    mpz_t count;
    mpz_init(count);
    he2021_mass(b, &m->epsilon, m->delta);
    ival_exp_number(a, &m->epsilon);
    mpfi_mul(a, a, b);
    mpfi_neg(a, a);
    mpfi_log1p(a, a);
    mpfi_neg(b, b);
    mpfi_log1p(b, b);
    ival_set_number(part, &m->epsilon);
    mpfi_div(part, x, part);
    mpfi_sub(a, a, b); /* T ln(1-b) + c (ln(1-a) - ln(1-b)) */
    mpfr_get_z(count, &part->left, MPFR_RNDU);
    if (mpz_cmp(count, q->list->uses) > 0)
        mpz_set(count, q->list->uses);
    ival_mul_z(out, a, count);
    mpfr_get_z(count, &part->right, MPFR_RNDU);
    if (mpz_cmp(count, q->list->uses) > 0)
        mpz_set(count, q->list->uses);
    ival_mul_z(part, a, count);
    mpfi_union(out, out, part);
    ival_mul_z(b, b, q->list->uses);
    mpfi_add(out, out, b);
    mpfi_expm1(out, out);
    mpfi_expm1(b, b);
    mpfi_add(out, out, b);
    mpfi_neg(out, out);
    mpz_clear(count);
    mpfi_clear(part);
    mpfi_clear(b);
    mpfi_clear(a);
}

static bool corollary_1_applies(const void *in)
{
    return is_equal_list(in) && he2021_applies(in, false);
}

static dp_status eval_corollary_1(dp_figure *out, const void *in, const wanted *want)
{
    const compose_in *q = in;
    mpfi_t x, d;
    mpfi_init2(x, want->bits);
    mpfi_init2(d, want->bits);
    bool ok = he2021_epsilon(x, d, q, false);
    if (ok) {
        mpfi_set(figure_enclose(&out[0], want->bits), x);
        if (q->target_epsilon != NULL && q->slack == NULL)
            figure_set_form(&out[0], q->target_epsilon, want->bits);
        if (q->list->leaks == 0) { /* b is 0, and delta' is d */
            slack_join(&out[1], q, JOIN_PRODUCT, d, want);
        } else {
            mpfi_ptr delta = figure_enclose(&out[1], want->bits);
            printed_leaks(delta, q, x);
            mpfi_add(delta, delta, d);
        }
        slack_set(&out[2], q, JOIN_PRODUCT, d, want);
    }
    mpfi_clear(d);
    mpfi_clear(x);
    return ok ? DP_OK : DP_LIMIT;
}

static dp_status eval_corollary_1_corrected(dp_figure *out, const void *in, const wanted *want)
{
    return he2021_theorem_4_corrected.eval(out, in, want);
}

/* x of Corollary 2, with top = T eps + x and rest = T eps - x */
typedef struct tail {
    mpfi_t x, top, rest, eps;
} tail;

/* False unless T eps tanh(eps/2) < x < T eps for certain. */
static bool tail_init(tail *t, const compose_in *q, mpfr_prec_t bits)
{
    mpfi_t d, mean;
    mpfi_ptr all[] = {t->x, t->top, t->rest, t->eps, d, mean};
    for (size_t i = 0; i < 6; i++)
        mpfi_init2(all[i], bits);
    bool ok = true;
    if (q->target_epsilon != NULL && q->slack == NULL)
        logform_enclose(t->x, q->target_epsilon);
    else
        ok = he2021_epsilon(t->x, d, q, true);
    ival_set_number(t->eps, &q->list->loss[0].epsilon);
    ival_tanh_half(mean, t->eps);
    ival_mul_z(d, t->eps, q->list->uses);
    mpfi_mul(mean, mean, d);
    mpfi_add(t->top, d, t->x);
    mpfi_sub(t->rest, d, t->x);
    mpfi_sub(mean, t->x, mean);
    ok = ok && mpfi_is_strictly_pos(mean) && mpfi_is_strictly_pos(t->rest);
    mpfi_clear(mean);
    mpfi_clear(d);
    return ok;
}

static void tail_clear(tail *t)
{
    mpfi_clear(t->x);
    mpfi_clear(t->top);
    mpfi_clear(t->rest);
    mpfi_clear(t->eps);
}

/* ln of (2 T eps / ((1+e^eps) (T eps - x)))^T ((T eps + x)/(T eps - x))^(-(x + T eps)/(2 eps)),
 * without the factor e^(+-(x + T eps)/2). 2 T eps = top + rest. */
static void log_base(mpfi_t out, const tail *t, const mpz_t uses)
{
    mpfi_t part;
    mpfi_init2(part, mpfi_get_prec(out));
    mpfi_add(part, t->top, t->rest);
    mpfi_div(part, part, t->rest);
    mpfi_log(out, part);
    ival_log1p_exp_neg(part, t->eps);
    mpfi_add(part, part, t->eps); /* ln(1 + e^eps) */
    mpfi_sub(out, out, part);
    ival_mul_z(out, out, uses);
    mpfi_div(part, t->top, t->rest);
    mpfi_log(part, part);
    mpfi_mul(part, part, t->top);
    mpfi_div(part, part, t->eps);
    mpfi_div_2ui(part, part, 1);
    mpfi_sub(out, out, part);
    mpfi_clear(part);
}

/* ln kappa(s), s = (ln(top/rest)/eps - 1)/2 > 0 for x above the mean */
static bool log_sharpening(mpfi_t out, const tail *t)
{
    mpfi_t s;
    mpfi_init2(s, mpfi_get_prec(out));
    mpfi_div(s, t->top, t->rest);
    mpfi_log(s, s);
    mpfi_div(s, s, t->eps);
    mpfi_sub_ui(s, s, 1);
    mpfi_div_2ui(s, s, 1);
    bool ok = mpfi_is_strictly_pos(s);
    renyi_log_kappa(out, s);
    mpfi_clear(s);
    return ok;
}

typedef enum version { AS_PRINTED, CORRECTED, SHARP } version;

static bool corollary_2(dp_figure *out, const compose_in *q, version v, const wanted *want)
{
    tail t;
    mpfi_t c, part;
    bool ok = tail_init(&t, q, want->bits);
    mpfi_init2(c, want->bits);
    mpfi_init2(part, want->bits);
    if (ok) {
        log_base(c, &t, q->list->uses);
        mpfi_div_2ui(part, t.top, 1);
        if (v == AS_PRINTED)
            mpfi_sub(c, c, part);
        else
            mpfi_add(c, c, part);
        if (v == SHARP && log_sharpening(part, &t))
            mpfi_add(c, c, part);
        mpfi_exp(c, c);
    }
    if (ok && out != NULL) {
        mpfi_set(figure_enclose(&out[0], want->bits), t.x);
        if (q->target_epsilon != NULL && q->slack == NULL)
            figure_set_form(&out[0], q->target_epsilon, want->bits);
        mpfi_ptr delta = figure_enclose(&out[1], want->bits);
        if (v == AS_PRINTED) {
            printed_leaks(part, q, t.x);
            mpfi_add(delta, part, c);
        } else {
            ival_clamp_ui(c, 0, 1);
            composed_log_keep(part, q->list);
            mpfi_expm1(part, part);
            mpfi_neg(part, part);
            ival_union(delta, part, c);
        }
    }
    mpfi_clear(part);
    mpfi_clear(c);
    tail_clear(&t);
    return ok;
}

static bool corollary_2_applies(const void *in)
{
    const compose_in *q = in;
    return is_equal_list(q) &&
           (q->target_epsilon != NULL || q->target_delta != NULL || q->slack != NULL) &&
           corollary_2(NULL, q, CORRECTED, &(wanted){192, false});
}

static dp_status eval_corollary_2(dp_figure *out, const void *in, const wanted *want)
{
    return corollary_2(out, in, AS_PRINTED, want) ? DP_OK : DP_LIMIT;
}

static dp_status eval_corollary_2_corrected(dp_figure *out, const void *in, const wanted *want)
{
    return corollary_2(out, in, CORRECTED, want) ? DP_OK : DP_LIMIT;
}

static dp_status eval_corollary_2_sharp(dp_figure *out, const void *in, const wanted *want)
{
    return corollary_2(out, in, SHARP, want) ? DP_OK : DP_LIMIT;
}

#define EQUAL "equal items; " FIXED
#define WITH_SLACK                                                                                 \
    {                                                                                              \
        "epsilon", "delta", "slack"                                                                \
    }
#define PAIR                                                                                       \
    {                                                                                              \
        "epsilon", "delta"                                                                         \
    }

const bound he2021_corollary_1 = {
    .theorem =
        {.id = "he2021-corollary-1",
         .family = "compose",
         .verdict = DP_UNSOUND,
         .source = HE2021 ", Corollary 1, as printed",
         .statement = "(epsilon', d + 2 - (1-a)^c (1-b)^(T-c) - (1-b)^T), c = ceil(epsilon'/eps), "
                      "a = e^eps delta/(1+e^eps), b = delta/(1+e^eps)",
         .assumes = "claims the class of compose-optimal for T equal items",
         .proof =
             "Theorem 4 for equal items, with its flaw: below the probability 1-(1-delta)^T of "
             "a leak by about (T-c) delta tanh(eps/2) when the slack is smaller than that.",
         .counterexample = "10000 uses of (0.01, 1e-6) with slack 1e-10: epsilon' = 7.28613..., "
                           "printed delta' = 0.00992892..., but the optimum there is "
                           "0.00995017..."},
    .applies = corollary_1_applies,
    .eval = eval_corollary_1,
    .methods = METHOD(HE2021),
    .output = WITH_SLACK,
    .only_all = true};

const bound he2021_corollary_1_corrected = {
    .theorem = {.id = "he2021-corollary-1-corrected",
                .family = "compose",
                .verdict = DP_PROVED,
                .source = HE2021 ", Corollary 1, with the delta of Kairouz, Oh, Viswanath 2015",
                .statement = "(epsilon', 1 - (1-d) (1-delta)^T)-DP, epsilon' as in Corollary 1",
                .assumes = EQUAL,
                .proof = "compose-kov: condition on no leak, then compose the pure parts."},
    .applies = corollary_1_applies,
    .eval = eval_corollary_1_corrected,
    .methods = METHOD(HE2021),
    .output = WITH_SLACK,
    .only_all = true};

const bound he2021_corollary_2 = {
    .theorem =
        {.id = "he2021-corollary-2",
         .family = "compose",
         .verdict = DP_UNSOUND,
         .source = HE2021 ", Corollary 2, as printed",
         .statement =
             "(x, 2 - (1-a)^c (1-b)^(T-c) - (1-b)^T + e^(-(x+T eps)/2) (2T eps/((1+e^eps)(T "
             "eps - x)))^T ((T eps + x)/(T eps - x))^(-(x + T eps)/(2 eps)))",
         .assumes = "claims the class of compose-optimal for T equal items",
         .proof =
             "The sign of the exponent is wrong: Chernoff's bound has e^(+(x+T eps)/2), so the "
             "printed tail is e^(-(x+T eps)) of it. It also inherits the flaw of Corollary 1.",
         .counterexample = "10 uses of (1, 0) at x = 8: printed 6.3058...e-9, but the optimum is "
                           "0.0377024..."},
    .applies = corollary_2_applies,
    .eval = eval_corollary_2,
    .methods = METHOD(HE2021),
    .output = PAIR,
    .only_all = true};

const bound he2021_corollary_2_corrected = {
    .theorem = {.id = "he2021-corollary-2-corrected",
                .family = "compose",
                .verdict = DP_PROVED,
                .source = HE2021 ", Corollary 2, with the sign corrected",
                .statement =
                    "(x, 1 - (1 - C) (1-delta)^T)-DP, C = (q/a)^(Ta) (p/(1-a))^(T(1-a)), a "
                    "= (T eps + x)/(2 T eps), for T eps tanh(eps/2) < x < T eps",
                .assumes = EQUAL,
                .proof = "Chernoff's bound of the number of answers that speak for the record; the "
                         "divergence is at most that tail."},
    .applies = corollary_2_applies,
    .eval = eval_corollary_2_corrected,
    .methods = METHOD(HE2021),
    .output = PAIR,
    .only_all = true};

const bound he2021_corollary_2_sharp = {
    .theorem = {.id = "he2021-corollary-2-sharp",
                .family = "compose",
                .verdict = DP_PROVED,
                .source = "derived here from the corrected Corollary 2",
                .statement = "(x, 1 - (1 - C s^s/(1+s)^(1+s)) (1-delta)^T)-DP, s = (ln((T eps + "
                             "x)/(T eps - x))/eps - 1)/2",
                .assumes = EQUAL,
                .proof = "(1 - e^-u)_+ <= e^(su) s^s/(1+s)^(1+s), used inside the expectation at "
                         "the tilt of Chernoff's bound: the Renyi route."},
    .applies = corollary_2_applies,
    .eval = eval_corollary_2_sharp,
    .methods = METHOD(HE2021),
    .output = PAIR,
    .only_all = true};
