/* SPDX-License-Identifier: MIT */
/* Mechanisms of bounded range: all losses of a pair of neighbours lie in some window of width eta.
 * The exponential mechanism with weights e^(eta u / (2 Delta)) is one. No pair is known that all of
 * them attain together; the Renyi divergence and zCDP of the class are, in closed form. */
#include "mechanism/parameters.h"
#include "mechanism/types.h"
#include "num/ival.h"
#include "num/number.h"

#define MOST_GUARD 4096

/* ln(e^y - 1), y > 0 */
static void log_expm1(mpfi_t out, const mpfi_t y)
{
    if (mpfr_cmp_ui(&y->left, 1) < 0) {
        mpfi_expm1(out, y);
        mpfi_log(out, out);
        return;
    }
    mpfi_t part;
    mpfi_init2(part, mpfi_get_prec(out));
    mpfi_neg(part, y);
    mpfi_exp(part, part);
    mpfi_neg(part, part);
    mpfi_log1p(part, part);
    mpfi_add(out, y, part);
    mpfi_clear(part);
}

/* s r = (s+1) (ln(e^((s+1) eta) - 1) - s eta) + s ln s - s ln(1 - e^(-s eta)) - (s+1) ln(s+1)
 *       - ln(e^eta - 1): the largest over windows and two-point pairs; s = alpha - 1. */
static void closed_form(mpfi_t r, const mpfi_t eta, const mpfi_t s)
{
    mpfr_prec_t bits = mpfi_get_prec(r);
    mpfi_t next, wide, sum, part;
    mpfi_ptr all[] = {next, wide, sum, part};
    for (size_t i = 0; i < 4; i++)
        mpfi_init2(all[i], bits);
    mpfi_add_ui(next, s, 1);
    mpfi_mul(wide, s, eta);
    mpfi_add(part, wide, eta);
    log_expm1(sum, part);
    mpfi_sub(sum, sum, wide);
    mpfi_log(part, next);
    mpfi_sub(sum, sum, part);
    mpfi_mul(sum, sum, next);
    mpfi_neg(wide, wide);
    mpfi_expm1(wide, wide);
    mpfi_neg(wide, wide);
    mpfi_div(wide, s, wide);
    mpfi_log(wide, wide);
    mpfi_mul(wide, wide, s);
    mpfi_add(sum, sum, wide);
    log_expm1(part, eta);
    mpfi_sub(sum, sum, part);
    mpfi_div(r, sum, s);
    for (size_t i = 0; i < 4; i++)
        mpfi_clear(all[i]);
}

/* rho = x - 1 - ln x, x = eta / (e^eta - 1) */
static void closed_rho(mpfi_t rho, const mpfi_t eta)
{
    mpfi_t log_x;
    mpfi_init2(log_x, mpfi_get_prec(rho));
    log_expm1(log_x, eta);
    mpfi_log(rho, eta);
    mpfi_sub(log_x, rho, log_x);
    mpfi_expm1(rho, log_x);
    mpfi_sub(rho, rho, log_x);
    mpfi_clear(log_x);
}

static bool narrow(const mpfi_t x, mpfr_prec_t bits)
{
    if (ival_bad(x) || mpfr_sgn(&x->left) <= 0)
        return false;
    MPFR_DECL_INIT(width, 32);
    mpfr_sub(width, &x->right, &x->left, MPFR_RNDU);
    return mpfr_zero_p(width) || mpfr_get_exp(width) <= mpfr_get_exp(&x->right) - bits;
}

/* Both forms cancel to the square of a small eta: the precision rises until they do not, and the
 * classic bound, which is never below, cuts what is left. s NULL: rho. */
static void of_class(mpfi_t out, const dp_mechanism *m, const mpfi_t s)
{
    const dp_number *given = mechanism_number(m, "eta");
    mpfr_prec_t bits = mpfi_get_prec(out);
    mpfi_t classic;
    mpfi_init2(classic, bits);
    ival_set_number(classic, given);
    mpfi_sqr(classic, classic);
    mpfi_div_2ui(classic, classic, 3); /* eta^2 / 8, times alpha */
    bool done = mpfi_is_zero(classic);
    if (done)
        mpfi_set_ui(out, 0);
    for (mpfr_prec_t guard = 64; !done && guard <= MOST_GUARD; guard *= 2) {
        mpfi_t eta, x;
        mpfi_init2(eta, bits + guard);
        mpfi_init2(x, bits + guard);
        ival_set_number(eta, given);
        if (s != NULL)
            closed_form(x, eta, s);
        else
            closed_rho(x, eta);
        done = narrow(x, bits) || guard * 2 > MOST_GUARD;
        if (done && ival_bad(x)) { /* nothing is known but the classic bound */
            mpfi_interv_si(x, 0, 1);
            mpfr_set_inf(&x->right, 1);
        }
        mpfi_set(out, x);
        mpfi_clear(x);
        mpfi_clear(eta);
    }
    if (s != NULL) {
        mpfi_t alpha;
        mpfi_init2(alpha, bits);
        mpfi_add_ui(alpha, s, 1);
        mpfi_mul(classic, classic, alpha);
        mpfi_clear(alpha);
    }
    ival_at_least_zero(out);
    ival_take_least(out, classic);
    mpfi_clear(classic);
}

static dp_status curve(mpfi_t out, const dp_mechanism *m, const mpfi_t order)
{
    mpfi_t s;
    mpfi_init2(s, mpfi_get_prec(order));
    mpfi_sub_ui(s, order, 1);
    of_class(out, m, s);
    mpfi_clear(s);
    return DP_OK;
}

static dp_status zcdp_of(mpfi_t xi, mpfi_t rho, const dp_mechanism *m)
{
    mpfi_set_ui(xi, 0);
    of_class(rho, m, NULL);
    return DP_OK;
}

/* Any two losses differ by at most eta, and some loss is 0 or of either sign: none exceeds eta. */
static void within(dp_number *epsilon, mpq_t delta, const dp_mechanism *m)
{
    dp_number_set(epsilon, mechanism_number(m, "eta"));
    mpq_set_ui(delta, 0, 1);
}

static const parameter *const parameters[] = {&range_eta, NULL};

const mechanism_type mechanism_bounded_range = {
    .name = "bounded-range",
    .brief = "any mechanism whose losses lie in a window of width eta",
    .manual = "For each pair of neighbours all privacy losses lie within some interval of length "
              "eta. The exponential mechanism with weights e^(eps u / (2 D)), for a utility u of "
              "sensitivity D, is one with eta = eps, and with eta = eps/2 where u is monotone in "
              "the data.",
    .parameters = parameters,
    .relations = RELATION(ADD_REMOVE) | RELATION(REPLACE_ONE),
    .zcdp = zcdp_of,
    .curve = curve,
    .within = within,
};
