/* SPDX-License-Identifier: MIT */
/* Mechanisms of bounded range: all losses of a pair of neighbours lie in some window of width eta.
 * The exponential mechanism with weights e^(eta u / (2 Delta)) is one. The class has one profile,
 * which a pair attains that is none of its members; its Renyi divergence and zCDP are smaller than
 * that pair's, in closed form. */
#include "loss/bounded_range.h"
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

static dp_status pair(product *to, const dp_mechanism *m, const mpz_t times, direction way,
                      dp_end end)
{
    (void)way; /* the pair is symmetric */
    (void)end;
    return bounded_range_add(to, mechanism_number(m, "eta"), times);
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
    .pair = pair,
    .of_class = true,
    .zcdp = zcdp_of,
    .curve = curve,
    .within = within,
    .profile = &bounded_range_exact,
};

/* ---- the profile of one use ---- */

/* out = delta at x, 0 from eta on */
static void delta_at(dp_figure *out, const dp_number *eta, const logform *x, mpfr_prec_t bits)
{
    logform gap;
    mpq_t minus;
    mpfi_t at;
    mpfr_t slope;
    logform_init(&gap);
    mpq_init(minus);
    mpfi_init2(at, bits);
    mpfr_init2(slope, 32);
    mpq_set_si(minus, -1, 1);
    bool known = logform_set(&gap, x) && logform_add_number(&gap, minus, eta);
    if (known)
        logform_enclose(at, &gap);
    if (known && (logform_is_zero(&gap) || mpfr_sgn(&at->left) > 0)) {
        figure_set_ui(out, 0);
    } else {
        logform_enclose(at, x);
        bounded_range_profile(figure_enclose(out, bits), slope, eta, at);
    }
    mpfr_clear(slope);
    mpfi_clear(at);
    mpq_clear(minus);
    logform_clear(&gap);
}

/* out = max(0, eta + 2 ln(1 - sqrt(delta (1 - e^-eta)))) */
static void epsilon_at(mpfi_t out, const dp_number *eta, const mpq_t delta)
{
    mpfi_t root, part;
    mpfi_init2(root, mpfi_get_prec(out));
    mpfi_init2(part, mpfi_get_prec(out));
    ival_set_number(part, eta);
    mpfi_neg(root, part);
    mpfi_expm1(root, root);
    mpfi_neg(root, root);
    mpfi_mul_q(root, root, delta);
    mpfi_sqrt(root, root);
    mpfi_neg(root, root);
    mpfi_log1p(root, root);
    mpfi_mul_2ui(root, root, 1);
    mpfi_add(out, root, part);
    ival_at_least_zero(out);
    mpfi_clear(part);
    mpfi_clear(root);
}

static dp_status eval_exact(dp_figure *out, const void *in, const wanted *want)
{
    const profile_in *q = in;
    if (!profile_given(out, q, want->bits))
        return DP_OK;
    const dp_number *eta = mechanism_number(q->mechanism, "eta");
    if (q->delta == NULL)
        delta_at(&out[1], eta, q->epsilon, want->bits + 64);
    else if (mpq_sgn(q->delta) != 0)
        epsilon_at(figure_enclose(&out[0], want->bits + 64), eta, q->delta);
    else if (number_rational(eta) != NULL)
        figure_set_q(&out[0], number_rational(eta));
    else
        ival_set_number(figure_enclose(&out[0], want->bits + 64), eta);
    return DP_OK;
}

const bound bounded_range_exact = {
    .theorem = {.id = "bounded-range-exact",
                .family = "compose",
                .verdict = DP_EXACT,
                .source = "Dong, Durfee, Rogers 2020, Optimal Differential Privacy Composition for "
                          "Exponential Mechanisms, Section 3",
                .statement = "delta(x) = (1 - e^((x-eta)/2))^2 / (1 - e^-eta), 0 <= x <= eta",
                .assumes =
                    "all privacy losses of a pair of neighbours in a window of width eta, as "
                    "of the exponential mechanism; one use",
                .proof = "The extreme members have two losses, t and t - eta, and Q has mass (e^-t "
                         "- e^-eta)/(1 - e^-eta) at t; the best t is (x + eta)/2. The class "
                         "attains it at each x. In lists the pair whose loss has the density "
                         "e^(y/2)/(4 sinh(eta/2)) on +-eta stands for it: it has this profile at "
                         "every real x, so what is composed with it is an upper bound, also where "
                         "mechanisms are chosen by earlier outputs."},
    .eval = eval_exact,
    .methods = METHOD(OPTIMAL),
    .output = {"epsilon", "delta"},
    .also_for = "curve",
    .of_mechanisms = true};
