/* SPDX-License-Identifier: MIT */
/* The profile at odds k: what an attacker gains over guessing at a prior of these odds; at k = 1
 * the advantage. */
#include "attack/advantage.h"

#include "core/refine.h"
#include "loss/gaussian.h"
#include "num/ival.h"
#include "num/number.h"

#define MORE_DIGITS 4 /* of a part, than of what is made of it */

dp_status attacker_figure(dp_figure *out, attacker *a, bound_eval eval, const void *in)
{
    dp_options own = options_meeting(a->opt, &a->rows.met);
    own.digits += MORE_DIGITS;
    dp_status status = refine(out, 1, eval, in, &own, REFINE_CLOSED_FORM);
    if (status != DP_LIMIT)
        return status;
    result_warn_wide(&a->rows);
    return DP_OK;
}

/* ---- (epsilon, delta): delta + (1-delta) max(0, E-k)/(1+E), k in y ---- */

static void pair_rational(dp_figure *out, const attacker *a, mpq_t odds)
{
    mpq_t q;
    mpq_init(q);
    mpq_sub(q, odds, a->y);
    mpz_add(mpq_numref(odds), mpq_numref(odds), mpq_denref(odds));
    mpq_div(odds, q, odds);
    mpq_set_ui(q, 1, 1);
    mpq_sub(q, q, a->leak);
    mpq_mul(q, q, odds);
    mpq_add(q, q, a->leak);
    figure_set_q(out, q);
    mpq_clear(q);
}

/* (1 - k e^-eps)/(1 + e^-eps), at k = 1 tanh(eps/2) */
static dp_status eval_pair(dp_figure *out, const void *in, const wanted *want)
{
    const attacker *a = in;
    int sign = 0;
    mpq_t odds;
    mpq_init(odds);
    dp_status status = attacker_epsilon_sign(&sign, a, a->y) ? DP_OK : DP_UNDECIDED;
    if (sign <= 0 || attacker_leaks_all(a)) {
        figure_set_q(out, a->leak);
    } else if (attacker_odds(odds, a)) {
        pair_rational(out, a, odds);
    } else {
        mpfi_t e;
        mpfi_init2(e, want->bits);
        mpfi_ptr x = figure_enclose(out, want->bits);
        ival_set_number(e, &a->epsilon);
        if (mpq_cmp_ui(a->y, 1, 1) == 0) {
            ival_tanh_half(x, e);
        } else {
            mpfi_neg(e, e);
            mpfi_exp(e, e);
            mpfi_mul_q(x, e, a->y);
            mpfi_ui_sub(x, 1, x);
            mpfi_add_ui(e, e, 1);
            mpfi_div(x, x, e);
        }
        attacker_union(x, a, x);
        ival_clamp_ui(x, 0, 1);
        mpfi_clear(e);
    }
    mpq_clear(odds);
    return status;
}

/* Phi(mu/2 - ln k/mu) - k Phi(-mu/2 - ln k/mu) */
static dp_status eval_gaussian(dp_figure *out, const void *in, const wanted *want)
{
    const attacker *a = in;
    if (mpq_sgn(a->mu_squared) == 0) {
        figure_set_ui(out, 0);
        return DP_OK;
    }
    mpfi_t mu, t;
    mpfi_init2(mu, want->bits);
    mpfi_init2(t, want->bits);
    attacker_mu(mu, a);
    ival_log_q(t, a->y);
    gaussian_profile(figure_enclose(out, want->bits), mu, t);
    mpfi_clear(t);
    mpfi_clear(mu);
    return DP_OK;
}

/* ---- moments: by what follows from them at that epsilon, and never above the advantage ---- */

static void set_union(dp_figure *x, const attacker *a)
{
    if (mpq_sgn(a->leak) == 0)
        return;
    if (attacker_leaks_all(a)) {
        figure_set_ui(x, 1);
        return;
    }
    if (x->kind == DP_RATIONAL) {
        mpq_t keep;
        mpq_init(keep);
        mpq_set_ui(keep, 1, 1);
        mpq_sub(keep, keep, a->leak);
        mpq_mul(x->rational, x->rational, keep);
        mpq_add(x->rational, x->rational, a->leak);
        mpq_clear(keep);
    } else {
        attacker_union(x->enclosure, a, x->enclosure);
    }
}

static dp_conversion statement_of(const attacker *a, mpq_t terms[2])
{
    dp_conversion q = {.rdp = a->point, .rdp_count = a->by == BY_RDP ? a->points : 0};
    if (a->by == BY_ZCDP) {
        mpq_set(terms[0], a->line.rho);
        mpq_set(terms[1], a->line.xi);
        q.zcdp = (const mpq_t *)terms;
        q.zcdp_count = 2;
    }
    return q;
}

static void copy_figure(dp_figure *to, const dp_figure *from)
{
    if (from->kind == DP_RATIONAL)
        figure_set_q(to, from->rational);
    else if (from->kind == DP_INFINITE)
        figure_set_infinite(to);
    else
        mpfi_set(figure_enclose(to, mpfi_get_prec(from->enclosure)), from->enclosure);
}

/* Without what the leak adds. */
static dp_status moments_delta(dp_figure *out, attacker *a, mpq_srcptr k)
{
    mpq_t terms[2];
    dp_number t;
    dp_result r;
    mpq_inits(terms[0], terms[1], NULL);
    dp_number_init(&t);
    dp_result_init(&r);
    number_set_log(&t, k);
    dp_conversion q = statement_of(a, terms);
    q.target_epsilon = &t;
    dp_options own = {.digits = a->opt->digits + MORE_DIGITS};
    dp_error err;
    dp_status status = dp_convert(&r, &q, &own, &err);
    const dp_figure *delta = dp_result_figure(&r, "delta");
    if (status == DP_OK && delta != NULL && figure_compare_upper(delta, out) < 0)
        copy_figure(out, delta);
    dp_result_clear(&r);
    dp_number_clear(&t);
    mpq_clears(terms[0], terms[1], NULL);
    return status == DP_UNAVAILABLE ? DP_OK : status;
}

static dp_status of_moments(dp_figure *out, bool *exact, attacker *a, mpq_srcptr k)
{
    dp_figure both[2];
    dp_figure_init(&both[0]);
    dp_figure_init(&both[1]);
    dp_options own = options_meeting(a->opt, &a->rows.met);
    own.digits += MORE_DIGITS;
    mpq_t leak;
    mpq_init(leak);
    mpq_swap(leak, a->leak); /* which is added in the end */
    dp_status status = refine(both, 2, adv_zcdp.eval, a, &own, REFINE_CLOSED_FORM);
    if (status == DP_LIMIT) { /* enclosed all the same */
        result_warn_wide(&a->rows);
        status = DP_OK;
    }
    copy_figure(out, &both[0]);
    *exact = mpq_cmp_ui(k, 1, 1) == 0 && !a->loose;
    if (status == DP_OK && mpq_cmp_ui(k, 1, 1) > 0)
        status = moments_delta(out, a, k);
    mpq_swap(leak, a->leak);
    mpq_clear(leak);
    set_union(out, a);
    dp_figure_clear(&both[1]);
    dp_figure_clear(&both[0]);
    return status;
}

/* ---- a list ---- */

static dp_status compose_profile(dp_figure *out, bool *exact, attacker *a, mpq_srcptr k)
{
    dp_number t;
    dp_number_init(&t);
    number_set_log(&t, k);
    if (mpq_cmp_ui(k, 1, 1) == 0)
        dp_number_set_ui(&t, 0);
    composing *c = &a->c;
    logform_clear(&c->at);
    logform_init(&c->at);
    dp_status status =
        logform_add_number(&c->at, NULL, &t) ? composing_at_epsilon(c, &c->at) : DP_MEMORY;
    if (status == DP_OK && a->rows.count > 0) {
        const dp_row *row = &a->rows.row[a->rows.count - 1];
        copy_figure(out, row_figure(row, "delta"));
        *exact = row->verdict == DP_EXACT && !a->exchanged &&
                 (mpq_cmp_ui(k, 1, 1) == 0 || !c->general || c->sides.ways == 1);
    }
    a->rows.count = 0;
    dp_number_clear(&t);
    return status;
}

/* Several rows ask for the same one after the other. */
static dp_status of_profile(dp_figure *out, bool *exact, attacker *a, mpq_srcptr k)
{
    dp_status status = DP_OK;
    if (!a->last.is || mpq_cmp(a->last.k, k) != 0) {
        mpq_set(a->last.k, k);
        a->last.exact = *exact;
        status = compose_profile(&a->last.delta, &a->last.exact, a, k);
        a->last.is = status == DP_OK;
    }
    copy_figure(out, &a->last.delta);
    *exact = a->last.exact;
    return status;
}

dp_status attacker_delta(dp_figure *out, bool *exact, attacker *a, mpq_srcptr k)
{
    *exact = true;
    mpq_set(a->y, k);
    switch (a->by) {
    case BY_PAIR:
        return attacker_figure(out, a, eval_pair, a);
    case BY_GDP:
        return attacker_figure(out, a, eval_gaussian, a);
    case BY_ZCDP:
    case BY_RDP:
        return of_moments(out, exact, a, k);
    case BY_PROFILE:
        break;
    }
    return of_profile(out, exact, a, k);
}

/* 1 - 1/k + x/k, for k > 1 */
static void turn(dp_figure *x, mpq_srcptr k)
{
    mpq_t back, rest;
    mpq_inits(back, rest, NULL);
    mpq_inv(back, k);
    mpq_set_ui(rest, 1, 1);
    mpq_sub(rest, rest, back);
    if (x->kind == DP_RATIONAL) {
        mpq_mul(x->rational, x->rational, back);
        mpq_add(x->rational, x->rational, rest);
    } else {
        mpfi_mul_q(x->enclosure, x->enclosure, back);
        mpfi_add_q(x->enclosure, x->enclosure, rest);
    }
    mpq_clears(back, rest, NULL);
}

dp_status attacker_delta_at(dp_figure *out, bool *exact, attacker *a, mpq_srcptr k)
{
    if (mpq_cmp_ui(k, 1, 1) >= 0)
        return attacker_delta(out, exact, a, k);
    mpq_t back;
    mpq_init(back);
    mpq_inv(back, k);
    dp_status status = attacker_delta(out, exact, a, back);
    if (status == DP_OK && out->kind != DP_INFINITE)
        turn(out, back);
    mpq_clear(back);
    return status;
}

/* ---- rows ---- */

/* 1 - x */
static void set_rest(dp_figure *to, const dp_figure *x)
{
    if (x->kind == DP_RATIONAL) {
        mpq_t rest;
        mpq_init(rest);
        mpq_set_ui(rest, 1, 1);
        mpq_sub(rest, rest, x->rational);
        figure_set_q(to, rest);
        mpq_clear(rest);
        return;
    }
    mpfi_ptr y = figure_enclose(to, mpfi_get_prec(x->enclosure));
    mpfi_ui_sub(y, 1, x->enclosure);
    ival_clamp_ui(y, 0, 1);
}

/* delta(0) */
static dp_status distance_row(dp_result *out, attacker *a, const bound *b)
{
    dp_row *row = result_row(out, b);
    if (row == NULL)
        return DP_MEMORY;
    mpq_t one;
    bool exact = true;
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    dp_status status = attacker_delta(row_quantity(row, "advantage"), &exact, a, one);
    if (status == DP_OK)
        set_rest(row_quantity(row, "fpr_plus_fnr"), row_figure(row, "advantage"));
    if (!exact)
        row->verdict = DP_PROVED;
    mpq_clear(one);
    return status;
}

static dp_status engine_profile(dp_result *out, void *in, const dp_options *opt)
{
    (void)opt;
    return distance_row(out, in, &adv_profile);
}

static dp_status engine_bagging(dp_result *out, void *in, const dp_options *opt)
{
    (void)opt;
    return distance_row(out, in, &adv_bagging);
}

const bound adv_profile = {
    .theorem = {.id = "adv-profile",
                .family = "advantage",
                .verdict = DP_EXACT,
                .source = "the definition of the privacy profile",
                .statement = "TPR - FPR <= delta(0), the total variation of the worst pair of "
                             "neighbours, the larger of both directions",
                .assumes = "the profile of what was released, or a bound of it; the record's "
                           "presence is independent of the others; prior 1/2; the relation is that "
                           "of the game",
                .proof = "delta(0) is the supremum of P(A) - Q(A) over the events A. Proved where "
                         "the profile is known by an upper bound alone."},
    .engine = engine_profile,
    .output = {"advantage", "fpr_plus_fnr"}};

const bound adv_bagging = {
    .theorem = {.id = "adv-bagging",
                .family = "advantage",
                .verdict = DP_EXACT,
                .source = "derived here",
                .statement = "TPR - FPR <= delta, the probability that the record is in a sample",
                .assumes = "bagging with any learner; the record's presence is independent of the "
                           "others; prior 1/2",
                .proof = "Given that no sample has the record the output tells nothing of it. "
                         "Attained by the learner that publishes its sample: with probability "
                         "delta the record is published in full, else nothing is learned of its "
                         "value."},
    .engine = engine_bagging,
    .output = {"advantage", "fpr_plus_fnr"}};
