/* SPDX-License-Identifier: MIT */
/* What is known of a mechanism by a statement, and the orders that suit what is asked. */
#include "renyi/convert.h"

#include "num/ival.h"
#include "num/number.h"
#include "renyi/order.h"

/* The first form has positive factors only; the second does not overflow, and cancels where alpha
 * eps is small. Either encloses r. */
void renyi_of_pure(mpfi_t r, const dp_number *epsilon, mpq_srcptr alpha)
{
    mpfi_t t, e, part;
    mpfi_init2(t, mpfi_get_prec(r));
    mpfi_init2(e, mpfi_get_prec(r));
    mpfi_init2(part, mpfi_get_prec(r));
    order_less_one(t, alpha);
    ival_set_number(e, epsilon);
    mpfi_mul(part, t, e);
    if (mpfr_cmp_ui(&part->right, 1) < 0) {
        /* ln(1 + expm1(t eps) (1 - e^(-alpha eps)) / (1 + e^-eps)) / t */
        mpfi_expm1(r, part);
        mpfi_add(part, part, e);
        mpfi_neg(part, part);
        mpfi_expm1(part, part);
        mpfi_neg(part, part);
        mpfi_mul(r, r, part);
        mpfi_neg(e, e);
        mpfi_exp(e, e);
        mpfi_add_ui(e, e, 1);
        mpfi_div(r, r, e);
        mpfi_log1p(r, r);
    } else {
        /* (t eps - ln(1 + e^-eps) + ln(1 + e^(-(2t+1) eps))) / t */
        mpfi_mul_2ui(r, part, 1);
        mpfi_add(r, r, e);
        ival_log1p_exp_neg(r, r);
        ival_log1p_exp_neg(e, e);
        mpfi_sub(r, r, e);
        mpfi_add(r, r, part);
    }
    mpfi_div(r, r, t);
    mpfi_clear(part);
    mpfi_clear(e);
    mpfi_clear(t);
}

static void pure_at(mpfi_t r, const void *of, mpq_srcptr alpha)
{
    renyi_of_pure(r, of, alpha);
}

void conversion_rho(mpfi_t rho, const conversion *c)
{
    if (!c->is_pair || c->q->zcdp_count > 0) {
        mpfi_set_q(rho, c->line.rho);
        return;
    }
    mpfi_t e;
    mpfi_init2(e, mpfi_get_prec(rho));
    ival_set_number(e, &c->epsilon);
    ival_tanh_half(rho, e);
    mpfi_mul(rho, rho, e);
    mpfi_clear(e);
}

void conversion_line(mpfi_t r, const conversion *c, mpq_srcptr alpha)
{
    conversion_rho(r, c);
    mpfi_mul_q(r, r, alpha);
    mpfi_add_q(r, r, c->line.xi);
    ival_at_least_zero(r);
}

static void line_at(mpfi_t r, const void *of, mpq_srcptr alpha)
{
    conversion_line(r, of, alpha);
}

void conversion_kl(mpfi_t r, const conversion *c)
{
    if (c->is_line) {
        conversion_rho(r, c);
        mpfi_add_q(r, r, c->line.xi);
        ival_at_least_zero(r);
        return;
    }
    mpq_t least, one; /* of points: below the first corner the bound is constant */
    mpq_inits(least, one, NULL);
    mpq_set_ui(one, 1, 1);
    mpq_sub(least, c->points.alpha[0], one);
    mpq_div(least, c->points.moment[0], least);
    mpfi_set_q(r, least);
    mpq_clears(least, one, NULL);
}

static void set_pure(conversion *c, const dp_number *epsilon, const dp_number *leak)
{
    dp_number_set(&c->epsilon, epsilon);
    if (leak != NULL)
        mpq_set(c->leak, number_rational(leak));
    c->is_pair = true;
    c->is_line = c->is_curve = mpq_sgn(c->leak) == 0;
    c->curve = (renyi_curve){.at = pure_at, .of = &c->epsilon};
}

/* Without rho D_alpha <= xi for every order, so that no loss exceeds xi: it is xi-DP. */
static void set_line(conversion *c)
{
    c->is_line = mpq_sgn(c->line.rho) > 0;
    if (c->is_line)
        return;
    c->is_pair = true;
    number_set_q(&c->epsilon, c->line.xi);
    if (mpq_sgn(c->line.xi) < 0)
        dp_number_set_ui(&c->epsilon, 0);
}

static bool state(conversion *c, const dp_conversion *q)
{
    if (q->pure != NULL) {
        set_pure(c, q->pure, NULL);
    } else if (q->approx != NULL) {
        set_pure(c, q->approx, q->approx_delta);
    } else if (q->zcdp_count > 0) {
        mpq_set(c->line.rho, q->zcdp[0]);
        if (q->zcdp_count > 1)
            mpq_set(c->line.xi, q->zcdp[1]);
        set_line(c);
    } else if (q->cdp_count > 0) {
        c->is_cdp = true;
        zcdp_of_cdp(&c->line, q->cdp[0], q->cdp[1]);
        set_line(c);
    } else if (q->gdp != NULL) {
        c->is_gdp = true;
        mpq_set(c->mu, number_rational(q->gdp));
        mpq_mul(c->line.rho, c->mu, c->mu);
        mpq_div_2exp(c->line.rho, c->line.rho, 1);
        c->is_line = mpq_sgn(c->mu) > 0;
    } else {
        c->is_curve = renyi_points_init(&c->points, q->rdp, q->rdp + 1, 2, q->rdp_count / 2);
        c->curve = renyi_points_curve(&c->points);
        return c->is_curve;
    }
    return true;
}

dp_status conversion_init(conversion *c, const dp_conversion *q)
{
    *c = (conversion){.q = q,
                      .to = q->to == DP_CONVERT_ZCDP ? TO_ZCDP
                            : q->order != NULL       ? TO_RDP
                                                     : TO_PAIR};
    dp_number_init(&c->epsilon);
    zcdp_init(&c->line);
    logform_init(&c->form);
    mpq_inits(c->leak, c->mu, NULL);
    for (size_t i = 0; i < CHOSEN_ROWS; i++)
        mpq_init(c->alpha[i]);
    c->x = q->target_epsilon;
    c->delta = number_rational(q->target_delta);
    c->order = number_rational(q->order);
    bool ok = state(c, q) && (c->x == NULL || logform_add_number(&c->form, NULL, c->x));
    return ok ? DP_OK : DP_MEMORY;
}

void conversion_clear(conversion *c)
{
    for (size_t i = 0; i < CHOSEN_ROWS; i++)
        mpq_clear(c->alpha[i]);
    mpq_clears(c->leak, c->mu, NULL);
    renyi_points_clear(&c->points);
    logform_clear(&c->form);
    zcdp_clear(&c->line);
    dp_number_clear(&c->epsilon);
}

mpfi_ptr conversion_asked(dp_figure *out, const conversion *c, mpfr_prec_t bits)
{
    if (c->delta != NULL)
        figure_set_q(&out[1], c->delta);
    else
        figure_set_form(&out[0], &c->form, bits);
    return figure_enclose(&out[c->delta != NULL ? 0 : 1], bits);
}

bool conversion_is_inner(const conversion *c)
{
    return c->to == TO_PAIR &&
           (c->delta == NULL || (mpq_sgn(c->delta) > 0 && mpq_cmp_ui(c->delta, 1, 1) < 0));
}

#define GUESS_BITS 128
#define SINGLE_MOST 8 /* points that are tried beside the order of the improved row */

/* The order at which one order alone says most, about: that of the improved row, or a corner near
 * it. */
static void choose_single(conversion *c)
{
    if (!(c->found[CHOSEN_SINGLE] = c->found[CHOSEN_IMPROVED]))
        return;
    mpq_srcptr at = c->alpha[CHOSEN_IMPROVED];
    mpq_set(c->alpha[CHOSEN_SINGLE], at);
    if (c->points.count == 0)
        return;
    mpfi_t r;
    mpfi_init2(r, GUESS_BITS);
    size_t first = 0;
    while (first + SINGLE_MOST < c->points.count && mpq_cmp(c->points.alpha[first], at) < 0)
        first++;
    first = first > SINGLE_MOST / 2 ? first - SINGLE_MOST / 2 : 0;
    c->curve.at(r, c->curve.of, at);
    double best = renyi_single_guess(r, at, c->delta);
    for (size_t i = first; i < c->points.count && i < first + SINGLE_MOST; i++) {
        c->curve.at(r, c->curve.of, c->points.alpha[i]);
        double found = renyi_single_guess(r, c->points.alpha[i], c->delta);
        if (found < best) {
            best = found;
            mpq_set(c->alpha[CHOSEN_SINGLE], c->points.alpha[i]);
        }
    }
    mpfi_clear(r);
}

void conversion_choose(conversion *c)
{
    if (!conversion_is_inner(c))
        return;
    renyi_curve line = {.at = line_at, .of = c};
    const struct {
        chosen_row row;
        bool apply, improved;
        const renyi_curve *curve;
    } row[] = {{CHOSEN_IMPROVED, c->is_curve, true, &c->curve},
               {CHOSEN_CLASSIC, c->is_curve, false, &c->curve},
               {CHOSEN_LINE, c->is_line, true, &line}};
    mpfi_t x;
    mpfi_init2(x, GUESS_BITS);
    if (c->x != NULL)
        ival_set_number(x, c->x);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        mpq_ptr alpha = c->alpha[row[i].row];
        c->found[row[i].row] =
            row[i].apply &&
            (c->delta != NULL ? renyi_order_epsilon(alpha, row[i].curve, row[i].improved, c->delta)
                              : renyi_order_delta(alpha, row[i].curve, row[i].improved, x));
    }
    mpfi_clear(x);
    if (c->delta != NULL)
        choose_single(c);
}
