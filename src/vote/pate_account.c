/* SPDX-License-Identifier: MIT */
/* What is spent whatever the votes are: the queries and their noise, its Renyi divergence, and a
 * row of which a profile is given. */
#include "core/refine.h"
#include "core/result.h"
#include "loss/gaussian.h"
#include "loss/laplace.h"
#include "num/ival.h"
#include "vote/pate.h"

void pate_account_init(pate_account *a)
{
    *a = (pate_account){0};
    mpq_inits(a->scale, a->threshold, NULL);
    mpz_inits(a->asked, a->answered, NULL);
}

void pate_account_clear(pate_account *a)
{
    mpq_clears(a->scale, a->threshold, NULL);
    mpz_clears(a->asked, a->answered, NULL);
}

void pate_account_set(pate_account *a, const pate_account *from)
{
    a->kind = from->kind;
    a->capped = from->capped;
    mpq_set(a->scale, from->scale);
    mpq_set(a->threshold, from->threshold);
    mpz_set(a->asked, from->asked);
    mpz_set(a->answered, from->answered);
}

static mpz_srcptr answers(const pate_account *a)
{
    return a->capped && mpz_cmp(a->answered, a->asked) < 0 ? a->answered : a->asked;
}

/* out += count / sigma^2 */
static void add_inverse_square(mpq_t out, const mpz_t count, const mpq_t sigma)
{
    mpq_t part, square;
    mpq_inits(part, square, NULL);
    mpq_set_z(part, count);
    mpq_mul(square, sigma, sigma);
    mpq_div(part, part, square);
    mpq_add(out, out, part);
    mpq_clears(part, square, NULL);
}

void pate_mu_squared(mpq_t mu2, const pate_account *a)
{
    mpq_set_ui(mu2, 0, 1);
    add_inverse_square(mu2, answers(a), a->scale);
    mpq_mul_2exp(mu2, mu2, 1);
    if (a->kind == DP_CONFIDENT_GNMAX)
        add_inverse_square(mu2, a->asked, a->threshold);
}

void pate_pure_epsilon(mpq_t epsilon, const pate_account *a)
{
    mpq_mul_2exp(epsilon, a->scale, 1);
}

void pate_curve(mpfi_t r, const void *of, mpq_srcptr alpha)
{
    const pate_account *a = of;
    mpfi_t order;
    mpq_t mu2;
    mpfi_init2(order, mpfi_get_prec(r));
    mpq_init(mu2);
    mpfi_set_q(order, alpha);
    if (a->kind == DP_LNMAX) {
        laplace_renyi(r, a->scale, order);
        mpfi_mul_2ui(r, r, 1);
        ival_mul_z(r, r, a->asked);
    } else {
        pate_mu_squared(mu2, a);
        gaussian_renyi(r, mu2, order);
    }
    mpq_clear(mu2);
    mpfi_clear(order);
}

bool pate_given(dp_figure *out, const pate_in *q, mpfr_prec_t bits)
{
    if (q->delta != NULL) {
        figure_set_q(&out[1], q->delta);
        if (mpq_cmp_ui(q->delta, 1, 1) >= 0)
            figure_set_ui(&out[0], 0);
        return mpq_cmp_ui(q->delta, 1, 1) < 0;
    }
    if (q->x->count == 0)
        figure_set_q(&out[0], q->x->rational);
    else
        logform_enclose(figure_enclose(&out[0], bits), q->x);
    return true;
}

bool pate_spends(const pate_account *a)
{
    return mpz_sgn(a->asked) > 0;
}

bool pate_is_laplace(const void *in)
{
    return ((const pate_in *)in)->of->kind == DP_LNMAX;
}

dp_status pate_profile_row(dp_result *out, const bound *b, const pate_in *q, pate_profile curve,
                           const dp_options *opt)
{
    dp_row *row = result_row(out, b);
    if (row == NULL)
        return DP_MEMORY;
    limits lim;
    dp_figure figure[2];
    dp_figure *open = &figure[q->delta != NULL ? 0 : 1];
    dp_status status = DP_OK;
    for (size_t i = 0; i < 2; i++)
        dp_figure_init(&figure[i]);
    limits_start(&lim, opt);
    lim.met = &out->met;
    bool given = pate_given(figure, q, refine_bits(opt->digits));
    if (!pate_spends(q->of))
        figure_set_ui(open, 0);
    else if (given)
        status = curve(open, q, opt->digits, &lim);
    for (size_t i = 0; i < 2; i++) {
        dp_figure *at = row_quantity(row, b->output[i]), swap = *at;
        *at = figure[i];
        dp_figure_clear(&swap);
    }
    if (status == DP_LIMIT) {
        result_warn_wide(out);
        status = DP_OK;
    }
    return status;
}
