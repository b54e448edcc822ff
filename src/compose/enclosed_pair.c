/* SPDX-License-Identifier: MIT */
/* Composition of one enclosed pair: rounded up for the upper end, down for the lower one. */
#include "compose/enclosed_pair.h"

#include "core/refine.h"
#include "num/ival.h"
#include "num/number.h"

#define HOEFFDING_BITS 128
#define EXTRA_BITS 24     /* of a pair beyond the digits */
#define DECIDING_BITS 256 /* of a pair at first, where nothing is shown */
#define LEAST_DIGITS 10

/* A look at few bits tells the cost of more. */
#define FIRST_BITS 512

/* The pair at the highest precision up to *bits for which there is time: half of what is left, for
 * its composition is to come. Every one is sound. False where none had a finite end. */
static bool source_in_time(dp_number *epsilon, mpq_t delta, const pairs *p, dp_end end,
                           mpfr_prec_t *bits, const limits *lim)
{
    mpfr_prec_t most = *bits;
    limits share = *lim;
    if (lim->deadline > 0) {
        share.deadline -= limits_left(lim) / 2;
        *bits = most > FIRST_BITS ? FIRST_BITS / 8 : most;
    }
    for (;;) {
        double began = limits_clock();
        bool ok = p->source(epsilon, delta, p->context, end, *bits);
        if (*bits == most)
            return ok;
        double by = refine_growth(&share, limits_clock() - began);
        if (limits_expired(&share) || by < REFINE_LEAST_GROWTH) {
            limits_note(lim, DP_MET_TIME);
            return ok;
        }
        double next = (double)*bits * by;
        *bits = next < (double)most ? (mpfr_prec_t)next : most;
    }
}

/* The pair's list, *bits as in source_in_time. */
static dp_status make_list(dp_composition *list, const pairs *p, dp_end end, mpfr_prec_t *bits,
                           const limits *lim)
{
    dp_number epsilon;
    mpq_t delta;
    dp_number_init(&epsilon);
    mpq_init(delta);
    dp_status status = DP_UNDECIDED;
    if (source_in_time(&epsilon, delta, p, end, bits, lim))
        status = dp_composition_add(list, &epsilon, delta, p->times, NULL);
    mpq_clear(delta);
    dp_number_clear(&epsilon);
    return status;
}

/* The row of the optimum of the list, in a result of its own. */
static dp_status compose_row(dp_result *row, const dp_composition *list, const pairs *p,
                             const dp_options *opt)
{
    composing c;
    result_start(row);
    dp_status status = composing_init(&c, list, opt, row);
    if (status == DP_OK && p->target_delta != NULL)
        status = composing_at_delta(&c, number_rational(p->target_delta));
    else if (status == DP_OK && p->target_epsilon != NULL)
        status = logform_add_number(&c.at, NULL, p->target_epsilon)
                     ? composing_at_epsilon(&c, &c.at)
                     : DP_MEMORY;
    else if (status == DP_OK)
        status = composing_end_point(&c);
    composing_clear(&c);
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

/* How many digits a pair of that precision is worth */
static size_t digits_of(mpfr_prec_t bits, size_t asked)
{
    size_t digits = LEAST_DIGITS;
    while (digits < asked && refine_bits(digits + 1) + EXTRA_BITS <= bits)
        digits++;
    return digits < asked ? digits : asked;
}

/* Both ends' rows. The upper one, which is the guarantee, has half of the time that the pair left,
 * and no more digits are sought than the pair has. */
static dp_status both_ends(dp_result *high, dp_result *low, bool *whole, const pairs *p,
                           const dp_options *opt)
{
    limits lim;
    limits_start(&lim, opt);
    mpfr_prec_t most = refine_bits(opt->digits) + EXTRA_BITS, bits = most;
    dp_composition up, down;
    dp_composition_init(&up);
    dp_composition_init(&down);
    dp_status status = make_list(&up, p, DP_UPPER, &bits, &lim);
    *whole = bits == most;
    lim.deadline = 0; /* at this precision the other end is known too */
    if (status == DP_OK)
        status = make_list(&down, p, DP_LOWER, &bits, &lim);
    limits_start(&lim, opt);
    dp_options part = limits_rest(&lim, opt);
    part.digits = digits_of(bits, opt->digits);
    limits_start(&lim, &part);
    if (lim.deadline > 0)
        part.deadline = lim.deadline - limits_left(&lim) / 2;
    if (status == DP_OK)
        status = compose_row(high, &up, p, &part);
    part.deadline = lim.deadline;
    if (status == DP_OK)
        status = compose_row(low, &down, p, &part);
    dp_composition_clear(&down);
    dp_composition_clear(&up);
    return status;
}

dp_status pairs_row(dp_result *out, const bound *b, const pairs *p, const dp_options *opt)
{
    dp_result low, high;
    dp_result_init(&low);
    dp_result_init(&high);
    dp_options own = options_meeting(opt, &out->met);
    bool whole = true;
    dp_status status = both_ends(&high, &low, &whole, p, &own);
    dp_row *row = status == DP_OK ? result_row(out, b) : NULL;
    if (status == DP_OK && row == NULL)
        status = DP_MEMORY;
    if (row != NULL) {
        static const char *const name[] = {"epsilon", "delta"};
        for (size_t i = 0; i < 2; i++) {
            dp_figure *f = row_quantity(row, name[i]);
            join_ends(f, row_figure(&low.row[0], name[i]), row_figure(&high.row[0], name[i]),
                      refine_bits(opt->digits) + 64);
            if (!whole && !refine_agrees(f, opt->digits))
                result_warn_wide(out);
        }
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
static bool hoeffding_meets(const dp_item *m, const dp_number *x, const mpq_t delta,
                            mpfr_prec_t bits)
{
    mpfi_t each, mean, gap, leak;
    mpfi_ptr all[] = {each, mean, gap, leak};
    for (size_t i = 0; i < 4; i++)
        mpfi_init2(all[i], bits);
    mpq_srcptr lost = m->delta;
    bool sure = mpq_cmp_ui(lost, 1, 1) < 0;
    ival_set_number(each, &m->epsilon);
    ival_tanh_half(mean, each);
    mpfi_mul(mean, mean, each);
    ival_mul_z(mean, mean, m->times);
    ival_set_number(gap, x);
    mpfi_sub(gap, gap, mean);
    sure = sure && mpfi_is_strictly_pos(gap) && mpfi_is_strictly_pos(each);
    if (sure) {
        mpfi_div(gap, gap, each);
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

/* Few bits tell that of an x that is some parts of the mean above it; others need those of N. */
static bool surely_meets(const dp_item *m, const dp_number *x, const mpq_t delta,
                         const dp_options *opt)
{
    limits lim;
    limits_start(&lim, opt);
    mpfr_prec_t bits = HOEFFDING_BITS + (mpfr_prec_t)mpz_sizeinbase(m->times, 2);
    return hoeffding_meets(m, x, delta, HOEFFDING_BITS) ||
           (limits_logs(&lim, 4, bits) && hoeffding_meets(m, x, delta, bits));
}

static dp_decision list_meets(const dp_composition *list, const dp_number *epsilon,
                              const mpq_t delta, const dp_options *opt)
{
    if (surely_meets(&list->item[0], epsilon, delta, opt))
        return DP_YES;
    dp_decision answer = DP_UNKNOWN;
    dp_result scratch;
    dp_result_init(&scratch);
    composing c;
    if (composing_init(&c, list, opt, &scratch) == DP_OK)
        answer = composing_meets(&c, epsilon, delta);
    composing_clear(&c);
    dp_result_clear(&scratch);
    return answer;
}

static bool same_pair(const dp_item *a, const dp_item *b)
{
    if (a->epsilon.is_log != b->epsilon.is_log || mpq_equal(a->delta, b->delta) == 0)
        return false;
    return a->epsilon.is_log
               ? mpq_equal(number_odds(&a->epsilon), number_odds(&b->epsilon)) != 0
               : mpq_equal(number_rational(&a->epsilon), number_rational(&b->epsilon)) != 0;
}

/* The pair rounded up proves a yes, the one rounded down a no. */
static dp_decision ends_meet(const pairs *p, const dp_number *epsilon, const mpq_t delta,
                             mpfr_prec_t *bits, const dp_options *opt)
{
    limits lim;
    limits_start(&lim, opt);
    dp_decision answer = DP_UNKNOWN;
    dp_composition up, down;
    dp_composition_init(&up);
    dp_composition_init(&down);
    dp_status status = make_list(&up, p, DP_UPPER, bits, &lim);
    lim.deadline = 0;
    if (status == DP_OK && (answer = list_meets(&up, epsilon, delta, opt)) == DP_NO) {
        status = make_list(&down, p, DP_LOWER, bits, &lim);
        if (status != DP_OK)
            answer = DP_UNKNOWN;
        else if (!same_pair(&up.item[0], &down.item[0]))
            answer = list_meets(&down, epsilon, delta, opt) == DP_NO ? DP_NO : DP_UNKNOWN;
    }
    dp_composition_clear(&down);
    dp_composition_clear(&up);
    return answer;
}

dp_decision pairs_meet(const pairs *p, const dp_number *epsilon, const mpq_t delta,
                       const dp_options *opt)
{
    mpfr_prec_t most = refine_bits(opt->digits + 10) + EXTRA_BITS;
    mpfr_prec_t bits = most < DECIDING_BITS ? most : DECIDING_BITS;
    dp_decision answer = ends_meet(p, epsilon, delta, &bits, opt);
    if (answer == DP_UNKNOWN && bits < most) {
        bits = most;
        answer = ends_meet(p, epsilon, delta, &bits, opt);
    }
    return answer;
}
