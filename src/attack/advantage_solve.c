/* SPDX-License-Identifier: MIT */
/* The largest guarantee that leaves an attacker no more than an advantage. */
#include "attack/advantage.h"

#include "attack/root.h"
#include "core/refine.h"
#include "num/ival.h"
#include "num/number.h"

/* t ln((1+t)/(1-t)) at t, or ln of those odds: x holds t, y the odds */
static dp_status eval_epsilon(dp_figure *out, const void *in, const wanted *want)
{
    const attacker *a = in;
    if (mpq_sgn(a->x) == 0)
        figure_set_ui(out, 0);
    else
        ival_log_q(figure_enclose(out, want->bits), a->y);
    return DP_OK;
}

static dp_status eval_rho(dp_figure *out, const void *in, const wanted *want)
{
    const attacker *a = in;
    dp_status status = eval_epsilon(out, in, want);
    if (mpq_sgn(a->x) != 0)
        mpfi_mul_q(out->enclosure, out->enclosure, a->x);
    return status;
}

/* erf(z) - t, which increases; mu = 2 sqrt(2) z */
static void erf_less(mpfi_t out, const mpfi_t z, const void *of)
{
    const attacker *a = of;
    mpfr_erf(&out->left, &z->left, MPFR_RNDD);
    mpfr_erf(&out->right, &z->right, MPFR_RNDU);
    mpfi_sub_q(out, out, a->x);
}

static dp_status eval_mu(dp_figure *out, const void *in, const wanted *want)
{
    const attacker *a = in;
    if (mpq_sgn(a->x) == 0) {
        figure_set_ui(out, 0);
        return DP_OK;
    }
    mpfr_t guess;
    mpfi_t z;
    mpfr_init2(guess, 64);
    mpfi_init2(z, want->bits);
    mpfr_set_q(guess, a->x, MPFR_RNDN);
    bool ok = root_enclose(z, erf_less, a, &(root_start){.from = guess});
    mpfi_ptr x = figure_enclose(out, want->bits);
    mpfi_set_ui(x, 8);
    mpfi_sqrt(x, x);
    mpfi_mul(x, x, z);
    mpfi_clear(z);
    mpfr_clear(guess);
    return ok ? DP_OK : DP_LIMIT;
}

/* x = (a - delta)/(1 - delta) and y = (1+x)/(1-x) */
static bool set_up(attacker *a)
{
    mpq_t one, most;
    mpq_inits(one, most, NULL);
    mpq_set_ui(one, 1, 1);
    mpq_set(most, number_rational(a->q->max_advantage));
    if (a->q->delta != NULL)
        mpq_set(a->leak, number_rational(a->q->delta));
    bool possible = mpq_cmp(a->leak, most) <= 0;
    if (possible && mpq_cmp(most, one) < 0) {
        mpq_sub(a->x, most, a->leak);
        mpq_sub(most, one, a->leak);
        mpq_div(a->x, a->x, most);
        mpq_sub(most, one, a->x);
        mpq_add(one, one, a->x);
        mpq_div(a->y, one, most);
    }
    mpq_clears(one, most, NULL);
    return possible;
}

static dp_status engine_inverse(dp_result *out, void *in, const dp_options *opt)
{
    static const char *const name[] = {NULL, "epsilon", "rho", "mu"};
    static const bound_eval eval[] = {NULL, eval_epsilon, eval_rho, eval_mu};
    attacker *a = in;
    dp_row *row = result_row(out, &adv_inverse);
    if (row == NULL)
        return DP_MEMORY;
    dp_status status = DP_OK;
    dp_figure *x = row_quantity(row, name[a->q->solve]);
    if (mpq_cmp_ui(number_rational(a->q->max_advantage), 1, 1) >= 0)
        figure_set_infinite(x);
    else
        status = result_refine(out, x, 1, eval[a->q->solve], a, opt, REFINE_CLOSED_FORM);
    if (a->q->solve != DP_ATTACKER_MU)
        figure_set_q(row_quantity(row, "delta"), a->leak);
    figure_set_q(row_quantity(row, "advantage"), number_rational(a->q->max_advantage));
    row_set_lower_bounds(row);
    return status;
}

dp_status advantage_solve(dp_result *out, attacker *a)
{
    bool possible = set_up(a);
    out->check.asked = true;
    out->check.figure = "advantage";
    dp_number_set(&out->check.max_figure, a->q->max_advantage);
    result_decide(out, possible ? DP_YES : DP_NO, 0);
    if (!possible) {
        result_note(out, "delta alone gives an attacker more than that advantage, whatever the "
                         "rest of the guarantee");
        return DP_OK;
    }
    return adv_inverse.engine(out, a, a->opt);
}

const bound adv_inverse = {
    .theorem = {.id = "adv-inverse",
                .family = "advantage",
                .verdict = DP_EXACT,
                .source = "derived here",
                .statement = "the advantage is at most a < 1 just when epsilon <= ln((1 + a - 2 "
                             "delta)/(1-a)), rho <= 2 t atanh(t) with t = (a - delta)/(1 - delta), "
                             "mu <= 2 Phi^-1((1+a)/2)",
                .assumes = "(epsilon, delta)-DP with delta <= a; delta-approximate rho-zCDP; "
                           "mu-GDP; all in both directions",
                .proof = "adv-approx, adv-approx-zcdp and adv-gdp solved for what they grow with. "
                         "Budgets: their lower ends are safe."},
    .engine = engine_inverse,
    .output = {"advantage"},
    .also = "epsilon|rho|mu|delta"};
