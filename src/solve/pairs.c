/* SPDX-License-Identifier: MIT */
#include "solve/pairs.h"

#include "num/ival.h"
#include "num/number.h"
#include "solve/refine.h"

#define HOEFFDING_BITS 128

/* Rounds outward, and away from exponents whose rationals would fill the memory. */
static bool set_end(mpq_t out, mpfr_srcptr x, dp_end end)
{
    const mpfr_exp_t most = 4000000;
    if (!mpfr_number_p(x) || (!mpfr_zero_p(x) && mpfr_get_exp(x) > most))
        return false;
    if (mpfr_zero_p(x) || mpfr_get_exp(x) >= -most) {
        mpfr_get_q(out, x);
        return true;
    }
    mpq_set_ui(out, end == DP_UPPER ? 1 : 0, 1);
    mpq_div_2exp(out, out, (mp_bitcnt_t)most);
    return true;
}

bool pairs_round(dp_number *epsilon, mpq_t delta, const mpfi_t x, const mpfi_t d, dp_end end)
{
    mpq_t q;
    mpq_init(q);
    bool ok = set_end(q, end == DP_UPPER ? &x->right : &x->left, end) &&
              set_end(delta, end == DP_UPPER ? &d->right : &d->left, end);
    number_set_q(epsilon, q);
    mpq_clear(q);
    return ok;
}

static dp_status make_list(dp_composition *list, const pairs *p, dp_end end, size_t digits)
{
    dp_number epsilon;
    mpq_t delta;
    dp_composition_init(list);
    dp_number_init(&epsilon);
    mpq_init(delta);
    dp_status status = DP_UNDECIDED;
    if (p->source(&epsilon, delta, p->context, end, refine_bits(digits) + 24))
        status = dp_composition_add(list, &epsilon, delta, p->times, NULL);
    mpq_clear(delta);
    dp_number_clear(&epsilon);
    return status;
}

/* The row of the optimum for one end of the pair, in a result of its own. */
static dp_status one_end(dp_result *row, const pairs *p, dp_end end, const dp_options *opt)
{
    dp_composition list;
    dp_status status = make_list(&list, p, end, opt->digits);
    composing c;
    result_start(row);
    dp_status ready = composing_init(&c, &list, opt, row);
    status = status == DP_OK ? ready : status;
    if (status == DP_OK && p->target_delta != NULL)
        status = composing_at_delta(&c, number_rational(p->target_delta));
    else if (status == DP_OK && p->target_epsilon != NULL)
        status = logform_add_number(&c.at, NULL, p->target_epsilon)
                     ? composing_at_epsilon(&c, &c.at)
                     : DP_MEMORY;
    else if (status == DP_OK)
        status = composing_end_point(&c);
    composing_clear(&c);
    dp_composition_clear(&list);
    return status;
}

/* out = [lower end of low, upper end of high] */
static void join_ends(dp_figure *out, const dp_figure *low, const dp_figure *high, mpfr_prec_t bits)
{
    if (high->kind == DP_INFINITE || (high->kind == DP_RATIONAL && low->kind == DP_RATIONAL &&
                                      mpq_equal(low->rational, high->rational))) {
        out->kind = high->kind;
        mpq_set(out->rational, high->rational);
        return;
    }
    mpfi_ptr x = figure_enclose(out, bits);
    if (low->kind == DP_RATIONAL)
        mpfr_set_q(&x->left, low->rational, MPFR_RNDD);
    else
        mpfr_set(&x->left, &low->enclosure->left, MPFR_RNDD);
    if (high->kind == DP_RATIONAL)
        mpfr_set_q(&x->right, high->rational, MPFR_RNDU);
    else
        mpfr_set(&x->right, &high->enclosure->right, MPFR_RNDU);
}

dp_status pairs_row(dp_result *out, const bound *b, const pairs *p, const dp_options *opt)
{
    dp_result low, high;
    dp_result_init(&low);
    dp_result_init(&high);
    dp_options half = *opt;
    half.max_seconds /= 2;
    dp_status status = one_end(&high, p, DP_UPPER, &half);
    if (status == DP_OK)
        status = one_end(&low, p, DP_LOWER, &half);
    dp_row *row = status == DP_OK ? result_row(out, b) : NULL;
    if (status == DP_OK && row == NULL)
        status = DP_MEMORY;
    if (row != NULL) {
        static const char *const name[] = {"epsilon", "delta"};
        for (size_t i = 0; i < 2; i++)
            join_ends(row_quantity(row, name[i]), row_figure(&low.row[0], name[i]),
                      row_figure(&high.row[0], name[i]), refine_bits(opt->digits) + 64);
        for (size_t i = 0; i < high.warnings; i++)
            result_warn(out, high.warning[i]);
    }
    dp_result_clear(&low);
    dp_result_clear(&high);
    return status;
}

/* Is it certain by Hoeffding's inequality? The losses of N uses lie within epsilon of 0, with mean
 * epsilon tanh(epsilon/2) at most, so they add up to more than x with probability at most
 * exp(-(x - N epsilon tanh(epsilon/2))^2 / (2 N epsilon^2)) where that x is above the mean; beside
 * it stand the leaks. Far out in the tail this needs no engine. */
static bool surely_meets(const dp_mechanism *m, const dp_number *x, const mpq_t delta)
{
    mpfi_t loss, mean, gap, leak;
    mpfi_ptr all[] = {loss, mean, gap, leak};
    for (size_t i = 0; i < 4; i++)
        mpfi_init2(all[i], HOEFFDING_BITS + (mpfr_prec_t)mpz_sizeinbase(m->times, 2));
    mpq_srcptr lost = m->delta;
    bool sure = mpq_cmp_ui(lost, 1, 1) < 0;
    ival_set_number(loss, &m->epsilon);
    ival_tanh_half(mean, loss);
    mpfi_mul(mean, mean, loss);
    ival_mul_z(mean, mean, m->times);
    ival_set_number(gap, x);
    mpfi_sub(gap, gap, mean);
    sure = sure && mpfi_is_strictly_pos(gap) && mpfi_is_strictly_pos(loss);
    if (sure) {
        mpfi_div(gap, gap, loss);
        mpfi_sqr(gap, gap);
        mpfi_div_z(gap, gap, m->times);
        mpfi_div_2ui(gap, gap, 1);
        mpfi_neg(gap, gap);
        mpfi_exp(gap, gap);
        ival_log1m_q(leak, lost);
        ival_mul_z(leak, leak, m->times);
        mpfi_expm1(leak, leak);
        mpfi_neg(leak, leak);
        ival_union(leak, leak, gap);
        sure = mpfr_cmp_q(&leak->right, delta) <= 0;
    }
    for (size_t i = 0; i < 4; i++)
        mpfi_clear(all[i]);
    return sure;
}

dp_answer pairs_meet(const pairs *p, const dp_number *epsilon, const mpq_t delta,
                     const dp_options *opt)
{
    dp_composition list;
    dp_result scratch;
    dp_result_init(&scratch);
    dp_answer answer = DP_UNKNOWN;
    dp_status status = make_list(&list, p, DP_UPPER, opt->digits + 10);
    composing c;
    dp_status ready = composing_init(&c, &list, opt, &scratch);
    if (status == DP_OK && surely_meets(&list.item[0], epsilon, delta))
        answer = DP_YES;
    else if (status == DP_OK && ready == DP_OK)
        answer = composing_meets(&c, epsilon, delta);
    composing_clear(&c);
    dp_composition_clear(&list);
    dp_result_clear(&scratch);
    return answer;
}
