/* SPDX-License-Identifier: MIT */
/* Lemma 3.2: as printed, and what is true of identical votes with allowance 1. How many steps the
 * chain takes is decided exactly; where there are too many to count, it is not counted at all. */
#include "num/ival.h"
#include "num/number.h"
#include "vote/council.h"

#define TIE_BITS (1L << 16)
#define COUNT_BITS 4096 /* of a number of steps */

/* t = ln((A - B)/B + 1)/eps, A/e^eps = u/2 + delta e^-eps, B/e^eps = p u + delta e^-eps, u = 1 -
 * e^-eps: c_j <= p exactly where j >= t. p > 0 */
static void enclose_steps(mpfi_t t, const chain_in *in)
{
    mpq_t rest;
    mpfi_t u, fall;
    mpq_init(rest);
    mpfi_init2(u, mpfi_get_prec(t));
    mpfi_init2(fall, mpfi_get_prec(t));
    ival_set_number(fall, in->epsilon);
    mpfi_neg(fall, fall);
    mpfi_expm1(u, fall);
    mpfi_neg(u, u);
    mpfi_exp(fall, fall);
    mpfi_mul_q(fall, fall, in->delta);
    mpfi_mul_q(t, u, in->mean);
    mpfi_add(fall, fall, t);
    mpq_set_ui(rest, 1, 2);
    mpq_sub(rest, rest, in->mean);
    mpfi_mul_q(t, u, rest);
    mpfi_div(t, t, fall);
    mpfi_log1p(t, t);
    ival_set_number(u, in->epsilon);
    mpfi_div(t, t, u);
    mpfi_clear(fall);
    mpfi_clear(u);
    mpq_clear(rest);
}

/* Is t <= j, epsilon = ln(R)? A and B are rational then. */
static bool is_reached(bool *reached, const chain_in *in, const mpz_t j)
{
    mpq_t above, below, excess;
    logform gap;
    int sign = 1;
    mpq_inits(above, below, excess, NULL);
    logform_init(&gap);
    mpq_set_ui(below, 1, 1);
    mpq_sub(excess, number_odds(in->epsilon), below); /* R - 1 */
    mpq_div_2exp(above, excess, 1);
    mpq_add(above, above, in->delta);
    mpq_mul(below, excess, in->mean);
    mpq_add(below, below, in->delta);
    mpq_div(above, above, below);
    mpq_set_ui(excess, 1, 1);
    bool known = logform_add_log(&gap, excess, above);
    mpq_set_z(excess, j);
    mpq_neg(excess, excess);
    known = known && logform_add_log(&gap, excess, number_odds(in->epsilon)) &&
            logform_sign(&sign, &gap, TIE_BITS);
    *reached = sign <= 0;
    logform_clear(&gap);
    mpq_clears(above, below, excess, NULL);
    return known;
}

/* The least j with c_j <= p. Where e^eps is rational equality is decided by logform; elsewhere
 * c_j - p is a polynomial in e^-eps that vanishes for no p > 0 and j > 0, so precision decides. */
static bool count_steps(mpz_t steps, const chain_in *in)
{
    mpfi_t t;
    mpz_t most;
    mpz_init(most);
    mpfi_init2(t, 64);
    bool known = mpq_cmp_ui(in->mean, 1, 2) == 0; /* none */
    mpz_set_ui(steps, 0);
    for (mpfr_prec_t bits = 128; !known && bits <= TIE_BITS; bits *= 2) {
        mpfi_set_prec(t, bits);
        enclose_steps(t, in);
        if (!mpfi_bounded_p(t))
            continue;
        if (mpfr_get_exp(&t->right) > COUNT_BITS)
            break;
        mpfr_get_z(steps, &t->left, MPFR_RNDU);
        mpfr_get_z(most, &t->right, MPFR_RNDU);
        known = mpz_cmp(steps, most) == 0;
        mpz_sub_ui(most, most, 1);
        bool reached;
        if (!known && in->epsilon->is_log && mpz_cmp(steps, most) == 0 &&
            is_reached(&reached, in, steps)) {
            mpz_add_ui(steps, steps, !reached);
            known = true;
        }
    }
    mpfi_clear(t);
    mpz_clear(most);
    return known;
}

/* `mean` of the one bit of all votes, at most 1/2, or mirrored; `win` of the majority there */
static dp_status chain_row(dp_result *out, const council *c, const mpq_t mean, const mpq_t win)
{
    const dp_item *one = &c->m->groups->item[0];
    mpz_t steps;
    mpz_init(steps);
    chain_in in = {&one->epsilon, one->delta, mean, win, NULL};
    if (mpq_sgn(mean) > 0 && count_steps(steps, &in))
        in.steps = steps;
    dp_options rest = limits_rest(&c->lim, c->opt);
    dp_status status = result_evaluate(out, &majority_lower_bound, &in, &rest);
    if (status == DP_OK)
        row_set_lower_bounds(&out->row[out->count - 1]);
    mpz_clear(steps);
    return status;
}

static bool chain_applies(const council *c)
{
    const dp_majority *m = c->m;
    const dp_item *one = &m->groups->item[0];
    return m->vote_count == 1 && m->groups->count == 1 && m->allowance != NULL &&
           mpq_cmp_ui(number_rational(m->allowance), 1, 1) == 0 &&
           mpq_equal(one->delta, m->target_delta) && dp_number_sgn(&one->epsilon) > 0;
}

/* of the mean of all votes */
static dp_status printed_row(dp_result *out, const council *c, const mpq_t win)
{
    const dp_majority *m = c->m;
    mpq_t mean;
    mpq_init(mean);
    for (size_t i = 0; i < m->vote_count; i++)
        mpq_add(mean, mean, m->votes[i]);
    mpz_mul_ui(mpq_denref(mean), mpq_denref(mean), m->vote_count);
    mpq_canonicalize(mean);
    dp_options rest = limits_rest(&c->lim, c->opt);
    chain_in in = {.mean = mean, .win = win};
    dp_status status = result_evaluate(out, &majority_lemma_3_2, &in, &rest);
    if (status == DP_OK)
        row_set_lower_bounds(&out->row[out->count - 1]);
    mpq_clear(mean);
    return status;
}

dp_status council_lower_bound(dp_result *out, const council *c, const vote_law *law)
{
    mpq_t win, mean, one;
    mpq_inits(win, mean, one, NULL);
    mpq_set_ui(one, 1, 1);
    vote_law_win(win, law);
    dp_status status = c->opt->all ? printed_row(out, c, win) : DP_OK;
    if (status == DP_OK && chain_applies(c)) {
        mpq_set(mean, c->m->votes[0]);
        if (mpq_cmp_ui(mean, 1, 2) > 0) { /* the mirror image */
            mpq_sub(win, one, win);
            mpq_sub(mean, one, mean);
        }
        status = chain_row(out, c, mean, win);
    }
    mpq_clears(win, mean, one, NULL);
    return status;
}
