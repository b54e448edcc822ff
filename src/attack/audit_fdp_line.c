/* SPDX-License-Identifier: MIT */
/* One run against a trade-off curve of (epsilon, delta): the recursion of onerun-fdp, in closed
 * form. */
#include "attack/audit_fdp.h"

#include <math.h>

#include "attack/binomial_guess.h"
#include "num/ival.h"
#include "num/number.h"

/* With L(y) = (y - delta)/E in place of G the mass beside R is r N_(c-1) - R_(c-1) = m L(R_c/m), so
 * that a step of R is (c-1)/((r-c+1) E) of the last one: p_c = K pi(c), the law of Bin(r, E/(1+E)).
 * With beta = Pr[Bin >= v] and E (r-v+1) pi(v-1) = v pi(v), from tau on
 *   N = tau + (1-beta) max(0, tau (v - (r-v) E) - m delta)/(v pi(v)).
 * G is L or more, so that N of G is no less. Where N of L is at most 1 it is that of G: R_0 = (E r
 * N + m delta)/(1+E) is then at most m (E + delta)/(1+E), up to where G is L (below m delta R/m has
 * no part: p = 0 from the start). So the p-value is where N of L is 1,
 *   (v pi(v) + (1-beta) m delta)/(v pi(v) + (1-beta) (v - (r-v) E)),
 * or 1 where that is more, or the divisor not positive. */
static void line_level(mpfi_t out, const audit_in *in, const share *odds)
{
    mpfr_prec_t bits = mpfi_get_prec(out);
    share tail;
    mpfi_t mass, lead;
    share_init(&tail, bits);
    mpfi_init2(mass, bits);
    mpfi_init2(lead, mpfi_get_prec(odds->yes));
    binomial_tail(&tail, mass, in->hits, in->members, odds);
    if (in->hits == in->members) { /* E may be above all numbers */
        mpfi_set(mass, tail.yes);
        mpfi_set_ui(lead, 0);
    } else {
        mpfi_div(lead, odds->yes, odds->no);
        mpfi_mul_ui(lead, lead, in->members - in->hits);
    }
    mpfi_mul_ui(mass, mass, in->hits);
    mpfi_ui_sub(lead, in->hits, lead);
    bool grows = mpfr_sgn(&lead->right) > 0; /* else no tau makes N grow */
    mpfi_mul(lead, lead, tail.no);
    mpfi_add(lead, lead, mass);
    mpfi_mul_ui(tail.no, tail.no, in->canaries);
    mpfi_mul_q(tail.no, tail.no, in->delta);
    mpfi_add(mass, mass, tail.no);
    if (grows && mpfr_sgn(&lead->left) > 0)
        mpfi_div(out, mass, lead);
    else if (grows && mpfr_sgn(&lead->right) > 0)
        mpfr_div(&out->left, &mass->left, &lead->right, MPFR_RNDD);
    else
        mpfi_set_ui(out, 1);
    if (mpfr_sgn(&lead->left) <= 0 || mpfr_cmp_ui(&out->right, 1) > 0)
        mpfr_set_ui(&out->right, 1, MPFR_RNDU);
    if (mpfr_cmp_ui(&out->left, 1) > 0)
        mpfr_set_ui(&out->left, 1, MPFR_RNDD);
    mpfi_clear(lead);
    mpfi_clear(mass);
    share_clear(&tail);
}

/* The same for a claim of rational odds, exactly; false where numbers would be long. */
static bool line_p_q(mpq_t p, const audit_in *in)
{
    mpq_t odds, q, tail, mass, lead, part;
    mpq_inits(odds, q, tail, mass, lead, part, NULL);
    bool exact = audit_claim_odds_q(odds, in->claim);
    if (exact) {
        mpq_set_ui(part, 1, 1);
        mpq_add(part, part, odds);
        mpq_div(q, odds, part);
        exact = binomial_tail_q(tail, in->hits, in->members, q) &&
                binomial_tail_q(mass, in->hits + 1, in->members, q);
    }
    if (exact) {
        mpq_sub(mass, tail, mass);
        mpq_set_ui(part, in->hits, 1);
        mpq_mul(mass, mass, part);
        mpq_set_ui(lead, in->members - in->hits, 1);
        mpq_mul(lead, lead, odds);
        mpq_sub(lead, part, lead);
        mpq_set_ui(part, 1, 1);
        mpq_sub(tail, part, tail);
        mpq_mul(lead, lead, tail);
        mpq_add(lead, lead, mass);
        mpq_set_ui(part, in->canaries, 1);
        mpq_mul(part, part, in->delta);
        mpq_mul(part, part, tail);
        mpq_add(mass, mass, part);
        if (mpq_sgn(lead) > 0 && mpq_cmp(mass, lead) < 0)
            mpq_div(p, mass, lead);
        else
            mpq_set_ui(p, 1, 1);
    }
    mpq_clears(odds, q, tail, mass, lead, part, NULL);
    return exact;
}

dp_status audit_line_p(dp_figure *out, const audit_in *in, const wanted *want)
{
    return audit_level_p(out, &(audit_leveled){.in = in, .level = line_level, .level_q = line_p_q},
                         want);
}

/* ln(e^x + e^y) */
static double log_sum(double x, double y)
{
    double most = fmax(x, y);
    return most > -HUGE_VAL ? most + log1p(exp(-fabs(x - y))) : most;
}

static double guess_line(const void *of, double x)
{
    const audit_leveled *l = of;
    double v = (double)l->in->hits, r = (double)l->in->members,
           beta = guess_log_tail(v, r, x, NULL), mass = log(v) + guess_log_mass(v, r, x),
           rest = -expm1(beta);
    double lead = exp(mass) + rest * (v - (r - v) * exp(x));
    if (!(lead > 0))
        return -l->log_alpha;
    double more = log((double)l->in->canaries) + l->log_delta + log(rest);
    return fmin(log_sum(mass, more) - log(lead), 0) - l->log_alpha;
}

dp_status audit_eval_line(dp_figure *out, const audit_in *in, const wanted *want)
{
    audit_leveled l = {in,
                       line_level,
                       line_p_q,
                       guess_line,
                       ival_guess_log(in->alpha),
                       mpq_sgn(in->delta) > 0 ? ival_guess_log(in->delta) : -HUGE_VAL};
    if (audit_shows_nothing(&l, want))
        figure_set_ui(&out[0], 0);
    else
        audit_solve_level(&out[0], &l, want->bits);
    return DP_OK;
}
