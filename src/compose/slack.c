/* SPDX-License-Identifier: MIT */
/* What the theorems that take a slack share: the leaks and losses of a list, how a slack joins a
 * delta, and the deviation from the mean that a slack pays for. */
#include "compose/slack.h"

#include "num/ival.h"
#include "num/word.h"

/* Is the sum one product of short numbers? */
static bool is_product(const composed *c)
{
    return c->leaks == 1 && mpz_size(c->leak[0].times) == 1 &&
           mpz_size(mpq_numref(c->leak[0].delta)) == 1 &&
           mpz_size(mpq_denref(c->leak[0].delta)) == 1;
}

/* sum of times * delta_i */
void slack_leak_sum(dp_figure *out, const composed *c, const wanted *want)
{
    if (c->certain_leak) {
        figure_set_ui(out, 1);
        return;
    }
    if (want->rational || is_product(c)) {
        mpq_t part;
        mpq_init(part);
        mpq_set_ui(out->rational, 0, 1);
        for (size_t i = 0; i < c->leaks; i++) {
            word_mul_z(i == 0 ? out->rational : part, c->leak[i].delta, c->leak[i].times);
            if (i > 0)
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
        word_set_q(part, c->leak[i].delta);
        ival_mul_z(part, part, c->leak[i].times);
        mpfi_add(x, x, part);
    }
    ival_clamp_ui(x, 0, 1);
    mpfi_clear(part);
}

/* sum of epsilon_i: exact when no logarithm is left */
void slack_loss_sum(dp_figure *out, const composed *c, const wanted *want)
{
    figure_set_form(out, &c->total, want->bits);
}

/* 1 - D, exact where asked and small, else -expm1(ln D) */
void slack_leak(dp_figure *out, const composed *c, const wanted *want)
{
    if ((want->rational || c->leaks == 0) && composed_leak_q(out->rational, c)) {
        out->kind = DP_RATIONAL;
        return;
    }
    mpfi_ptr x = figure_enclose(out, want->bits);
    composed_log_keep(x, c);
    ival_expm1(x, x);
    mpfi_neg(x, x);
}

void slack_from_delta(mpfi_t d, const compose_in *q, joining how)
{
    if (q->slack != NULL) {
        word_set_q(d, q->slack);
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
            ival_expm1(d, d);
            mpfi_neg(d, d);
        }
    } else {
        dp_figure sum;
        dp_figure_init(&sum);
        slack_leak_sum(&sum, q->list, &(wanted){mpfi_get_prec(d), false});
        word_set_q(d, q->target_delta);
        if (sum.kind == DP_RATIONAL)
            mpfi_sub_q(d, d, sum.rational);
        else
            mpfi_sub(d, d, sum.enclosure);
        dp_figure_clear(&sum);
    }
    mpfi_clear(keep);
}

/* min(1, a + b), or a + b - a b */
static void join_q(dp_figure *out, const mpq_t a, const mpq_t b, joining how)
{
    mpq_t both;
    mpq_init(both);
    mpq_mul(both, a, b);
    mpq_add(out->rational, a, b);
    if (how == JOIN_PRODUCT)
        mpq_sub(out->rational, out->rational, both);
    if (mpq_cmp_ui(out->rational, 1, 1) > 0)
        mpq_set_ui(out->rational, 1, 1);
    out->kind = DP_RATIONAL;
    mpq_clear(both);
}

void slack_join(dp_figure *out, const compose_in *q, joining how, const mpfi_t d,
                const wanted *want)
{
    if (q->target_delta != NULL && q->slack == NULL) {
        figure_set_q(out, q->target_delta);
        return;
    }
    dp_figure part;
    dp_figure_init(&part);
    if (how == JOIN_SUM)
        slack_leak_sum(&part, q->list, want);
    else
        slack_leak(&part, q->list, want);
    if (part.kind == DP_RATIONAL && q->slack != NULL) {
        join_q(out, part.rational, q->slack, how);
        dp_figure_clear(&part);
        return;
    }
    mpfi_ptr x = figure_enclose(out, want->bits);
    if (part.kind == DP_RATIONAL) {
        mpfi_set_prec(part.enclosure, want->bits);
        word_set_q(part.enclosure, part.rational);
    }
    if (how == JOIN_SUM)
        mpfi_add(x, part.enclosure, d);
    else
        ival_union(x, part.enclosure, d);
    ival_clamp_ui(x, 0, 1);
    dp_figure_clear(&part);
}

void slack_deviation(mpfi_t x, deviation_form f, const mpfi_t centre, const mpfi_t square,
                     const mpfi_t d)
{
    mpfi_t e;
    mpfi_init2(e, mpfi_get_prec(x));
    if (f == DEVIATION_TAIL) {
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

bool slack_of_deviation(mpfi_t d, deviation_form f, const mpfi_t centre, const mpfi_t square,
                        const mpfi_t x)
{
    mpfi_t e;
    mpfi_init2(e, mpfi_get_prec(d));
    mpfi_sub(d, x, centre);
    bool ok = mpfi_is_strictly_pos(d);
    mpfi_sqr(d, d);
    mpfi_div(d, d, square);
    mpfi_div_2ui(d, d, 1);
    if (f == DEVIATION_TAIL) {
        mpfi_neg(d, d);
        mpfi_exp(d, d);
    } else {
        mpfi_sub_ui(d, d, 1);
        ok = ok && mpfi_is_strictly_pos(d);
        ival_expm1(d, d);
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

/* The slack d and epsilon x of the rule; false where there is none. */
static bool solve_rule(mpfi_t x, mpfi_t d, const compose_in *q, const deviation_rule *rule)
{
    composed_sums s;
    composed_sums_init(&s, q->list, mpfi_get_prec(d));
    if (rule->centre == CENTRE_HALF_SQUARE)
        mpfi_div_2ui(s.mean, s.square, 1);
    mpfi_ptr centre = rule->centre == CENTRE_GROWTH ? s.growth : s.mean;
    if (rule->twice_centre)
        mpfi_mul_2ui(s.square, centre, 1);
    bool ok;
    if (q->target_epsilon != NULL && q->slack == NULL) {
        logform_enclose(x, q->target_epsilon);
        ok = slack_of_deviation(d, rule->form, centre, s.square, x);
    } else {
        slack_from_delta(d, q, rule->how);
        ok = mpfi_is_strictly_pos(d) && mpfr_cmp_ui(&d->right, 1) < 0;
        if (ok)
            slack_deviation(x, rule->form, centre, s.square, d);
    }
    composed_sums_clear(&s);
    return ok;
}

static bool can_apply(const compose_in *q)
{
    return (q->slack != NULL || q->target_delta != NULL || q->target_epsilon != NULL) &&
           !q->list->certain_leak && q->list->losses > 0;
}

bool slack_applies(const compose_in *q, const deviation_rule *rule)
{
    mpfi_t x, d;
    mpfi_init2(x, 192);
    mpfi_init2(d, 192);
    bool ok = can_apply(q) && solve_rule(x, d, q, rule);
    mpfi_clear(d);
    mpfi_clear(x);
    return ok;
}

/* The slack that a target delta leaves, exactly, where the leaks are small enough to form. */
static bool exact_slack(dp_figure *out, const compose_in *q, joining how)
{
    dp_figure leaks;
    dp_figure_init(&leaks);
    wanted want = {64, true};
    if (how == JOIN_SUM)
        slack_leak_sum(&leaks, q->list, &want);
    else
        slack_leak(&leaks, q->list, &want);
    bool ok = leaks.kind == DP_RATIONAL && mpq_cmp_ui(leaks.rational, 1, 1) < 0;
    if (ok) { /* delta - leaks, divided by 1 - leaks for the product */
        mpq_sub(out->rational, q->target_delta, leaks.rational);
        if (how == JOIN_PRODUCT) {
            mpq_t keep;
            mpq_init(keep);
            mpz_sub(mpq_numref(keep), mpq_denref(leaks.rational), mpq_numref(leaks.rational));
            mpz_set(mpq_denref(keep), mpq_denref(leaks.rational));
            mpq_div(out->rational, out->rational, keep);
            mpq_clear(keep);
        }
        out->kind = DP_RATIONAL;
    }
    dp_figure_clear(&leaks);
    return ok;
}

void slack_set(dp_figure *out, const compose_in *q, joining how, const mpfi_t d, const wanted *want)
{
    if (q->slack != NULL)
        figure_set_q(out, q->slack);
    else if (!(want->rational && q->target_delta != NULL && exact_slack(out, q, how)))
        mpfi_set(figure_enclose(out, want->bits), d);
}

dp_status slack_evaluate(dp_figure *out, const compose_in *q, const deviation_rule *rule,
                         const wanted *want)
{
    mpfi_t x, d;
    mpfi_init2(x, want->bits);
    mpfi_init2(d, want->bits);
    bool ok = solve_rule(x, d, q, rule);
    if (ok) {
        mpfi_set(figure_enclose(&out[0], want->bits), x);
        if (q->target_epsilon != NULL && q->slack == NULL)
            figure_set_form(&out[0], q->target_epsilon, want->bits);
        slack_join(&out[1], q, rule->how, d, want);
        slack_set(&out[2], q, rule->how, d, want);
    }
    mpfi_clear(d);
    mpfi_clear(x);
    return ok ? DP_OK : DP_LIMIT;
}
