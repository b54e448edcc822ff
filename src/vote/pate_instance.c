/* SPDX-License-Identifier: MIT */
/* The rows of what the actual votes spent: per-instance, and the script of 2017, whose condition is
 * wrong. */
#include "vote/pate_instance.h"

#include "num/ival.h"

bool pate_instance_order(mpq_t alpha, const renyi_curve *guess, const pate_in *q)
{
    if (q->delta != NULL)
        return renyi_order_epsilon(alpha, guess, true, q->delta);
    mpfi_t x;
    mpfi_init2(x, 64);
    logform_enclose(x, q->x);
    bool ok = renyi_order_delta(alpha, guess, true, x);
    mpfi_clear(x);
    return ok;
}

dp_status pate_eval_instance(dp_figure *out, const void *in, const wanted *want)
{
    const pate_instance_in *p = in;
    const pate_in *q = &p->in;
    mpq_t alpha;
    mpq_init(alpha);
    mpq_set(alpha, q->alpha);
    pate_given(out, q, want->bits);
    pate_convert(figure_enclose(&out[q->delta != NULL ? 0 : 1], want->bits), alpha, &p->curve, q);
    figure_set_q(&out[2], alpha);
    mpq_clear(alpha);
    return DP_OK;
}

#define SCRIPT_ORDERS 32

/* epsilon = (sum + ln(1/delta))/l, at least 0, or delta = e^(sum - l x), at most 1 */
static void script_at(mpfi_t out, const pate_instance_in *p, unsigned long l)
{
    mpfi_t sum;
    mpfi_init2(sum, mpfi_get_prec(out));
    pate_script_moment(sum, p->votes, l);
    if (p->in.delta != NULL) {
        ival_log_q(out, p->in.delta);
        mpfi_sub(out, sum, out);
        mpfi_div_ui(out, out, l);
        ival_at_least_zero(out);
    } else {
        logform_enclose(out, p->in.x);
        mpfi_mul_ui(out, out, l);
        mpfi_sub(out, sum, out);
        mpfi_exp(out, out);
        ival_clamp_ui(out, 0, 1);
    }
    mpfi_clear(sum);
}

static dp_status eval_script(dp_figure *out, const void *in, const wanted *want)
{
    const pate_instance_in *p = in;
    mpfi_t least, part;
    unsigned long best = 1;
    mpfi_init2(least, 64);
    mpfi_init2(part, 64);
    for (unsigned long l = 1; l <= SCRIPT_ORDERS; l++) {
        script_at(part, p, l);
        if (l == 1 || mpfr_less_p(&part->right, &least->right)) {
            mpfi_set(least, part);
            best = l;
        }
    }
    pate_given(out, &p->in, want->bits);
    script_at(figure_enclose(&out[p->in.delta != NULL ? 0 : 1], want->bits), p, best);
    figure_set_ui(&out[2], best + 1);
    mpfi_clear(part);
    mpfi_clear(least);
    return DP_OK;
}

const bound pate_lnmax_instance = {
    .theorem =
        {.id = "pate-lnmax-instance",
         .family = "pate",
         .verdict = DP_PER_INSTANCE,
         .source = PATE_2017 ", Theorem 3",
         .statement = "for every order alpha = 1+l: epsilon by pate-renyi from r = sum A/l, A = "
                      "ln((1-q)^(l+1)/(1 - e^e q)^l + q e^(e l)) for each query with q <= 1/(1 + "
                      "e^e), e = 2 inverse_scale, q = sum (2+g)/(4 e^g), g = inverse_scale times "
                      "the gap to the most votes; never more than pate-renyi has",
         .assumes = PATE_INSTANCE,
         .proof =
             "On neighbours the winner has a probability of at least 1 - e^e q, every other class "
             "one of at most e^e times its own. The bound grows with q as long as e^e q <= 1 - q, "
             "so that an upper bound of q will do."},
    .eval = pate_eval_instance,
    .output = {"epsilon", "delta", "alpha"}};

const bound pate_gnmax_instance = {
    .theorem =
        {.id = "pate-gnmax-instance",
         .family = "pate",
         .verdict = DP_PER_INSTANCE,
         .source = PATE_2018 ", Theorem 6, Propositions 7, 8, 10",
         .statement =
             "for every order alpha = 1+s: epsilon by pate-renyi from the sum of r = ln((1-q) A^s "
             "+ q B^s)/s, A = (1-q)/(1 - (q e^(m/v))^((m-1)/m)), B = e^((m+1)/v) q^(-1/m), v = "
             "sigma^2, m = sqrt(v ln(1/q)), q = sum erfc(gap/(2 sigma))/2, where 1 < m, alpha <= m "
             "+ 1, q e^(m/v) < 1 and ln q <= (m-1) m/v - m (ln(1+1/m) - ln(1-1/m)); else alpha/v; "
             "the threshold test likewise with v = 2 sigma_threshold^2",
         .assumes = PATE_INSTANCE
         "; every query that is asked is charged as an answered one, because which are depends "
         "on the noise",
         .proof = "Theorem 6 of the source with its orders m and m + 1. The bound grows with q "
                  "where the last condition holds, at every smaller q too, so that an upper bound "
                  "of q will do; A > B does no harm."},
    .eval = pate_eval_instance,
    .output = {"epsilon", "delta", "alpha"}};

const bound pate_lnmax_script = {
    .theorem = {.id = "pate-lnmax-script",
                .family = "pate",
                .verdict = DP_UNSOUND,
                .source = "the public analysis script of " PATE_2017,
                .statement =
                    "pate-lnmax-instance for whole orders, with q < 1/2 in place of q <= 1/(1 + "
                    "e^e), and with ln(1/delta)/l",
                .assumes = "claims " PATE_INSTANCE,
                .proof =
                    "Where e^e q > 1 the power has a negative base, and the logarithm may be "
                    "negative, which no divergence is. The code of 2018 has the right condition.",
                .counterexample =
                    "inverse_scale = 3/4, votes 2 to 1, ten queries: the script says that A "
                    "at l = 1 is -0.79 for each, so that epsilon = 0 at delta = 1e-3; each "
                    "answer is the first class with probability 0.675 here and 0.324 where "
                    "a vote moves, so that delta(0) exceeds 0.7"},
    .eval = eval_script,
    .output = {"epsilon", "delta", "alpha"},
    .only_all = true};
