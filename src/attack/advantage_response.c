/* SPDX-License-Identifier: MIT */
/* The advantage of an attacker from Renyi divergences and zCDP: that of the randomized response
 * that just keeps the statement. */
#include "attack/advantage.h"

#include <math.h>

#include "attack/root.h"
#include "attack/tpr.h"
#include "num/ival.h"
#include "num/number.h"

/* ---- randomized response of epsilon e ---- */

/* ln(cosh(u)/cosh(v))/(alpha-1), u = (alpha - 1/2) e, v = e/2: no factor of the first form is
 * negative, so nothing cancels; the second, e + (ln(1 + e^-2u) - ln(1 + e^-e))/(alpha-1), is for
 * exponents that would overflow. */
void response_renyi(mpfi_t r, const mpfi_t e, mpq_srcptr alpha)
{
    mpfi_t t, part;
    mpfi_init2(t, mpfi_get_prec(r));
    mpfi_init2(part, mpfi_get_prec(r));
    mpfi_set_q(t, alpha);
    mpfi_sub_ui(t, t, 1);
    mpfi_mul_q(part, e, alpha);
    if (mpfr_cmp_ui(&part->right, 1000) < 0) {
        mpfi_div_2ui(part, part, 1);
        mpfi_sinh(r, part);
        mpfi_mul(part, t, e);
        mpfi_div_2ui(part, part, 1);
        mpfi_sinh(part, part);
        mpfi_mul(r, r, part);
        mpfi_div_2ui(part, e, 1);
        mpfi_cosh(part, part);
        mpfi_div(r, r, part);
        mpfi_mul_2ui(r, r, 1);
        mpfi_log1p(r, r);
        mpfi_div(r, r, t);
    } else {
        mpfi_mul(r, t, e);
        mpfi_add(part, part, r);
        ival_log1p_exp_neg(part, part); /* (2 alpha - 1) e */
        ival_log1p_exp_neg(r, e);
        mpfi_sub(part, part, r);
        mpfi_div(part, part, t);
        mpfi_add(r, e, part);
    }
    mpfi_clear(part);
    mpfi_clear(t);
}

/* What the root is of, at one order or, alpha NULL, as a KL divergence. */
typedef struct level {
    mpq_srcptr alpha, most;
} level;

static void beyond(mpfi_t out, const mpfi_t e, const void *of)
{
    const level *l = of;
    mpfi_t copy;
    mpfi_init2(copy, mpfi_get_prec(out));
    mpfi_set(copy, e);
    if (l->alpha != NULL) {
        response_renyi(out, copy, l->alpha);
    } else {
        ival_tanh_half(out, copy);
        mpfi_mul(out, out, copy);
    }
    mpfi_sub_q(out, out, l->most);
    mpfi_clear(copy);
}

/* e with D(RR(e)) = most > 0: about sqrt(2 most) where that is small, else about most. */
static bool at_level(mpfi_t e, mpq_srcptr alpha, mpq_srcptr most)
{
    const level l = {alpha, most};
    mpfr_t guess;
    mpfr_init2(guess, 64);
    mpfr_set_q(guess, most, MPFR_RNDN);
    if (mpq_cmp_ui(most, 2, 1) < 0) {
        mpfr_mul_2ui(guess, guess, 1, MPFR_RNDN);
        if (alpha != NULL) {
            mpfr_t order;
            mpfr_init2(order, 64);
            mpfr_set_q(order, alpha, MPFR_RNDN);
            mpfr_div(guess, guess, order, MPFR_RNDN);
            mpfr_clear(order);
        }
        mpfr_sqrt(guess, guess, MPFR_RNDN);
    }
    bool found = root_enclose(e, beyond, &l, &(root_start){.from = guess});
    mpfr_clear(guess);
    return found;
}

/* xi + rho as a bound of the KL divergence */
static void kl_of(mpq_t r, const attacker *a)
{
    mpq_add(r, a->line.rho, a->line.xi);
    if (mpq_sgn(r) < 0)
        mpq_set_ui(r, 0, 1);
}

/* About D_(1+t) of randomized response, by the same two forms. */
static double renyi_guess(double e, double t)
{
    double u = (1 + t) * e / 2;
    if (u < 300)
        return log1p(2 * sinh(u) * sinh(t * e / 2) / cosh(e / 2)) / t;
    return e + (log1p(exp(-e - 2 * t * e)) - log1p(exp(-e))) / t;
}

/* About the e at which that is r: D <= e, and D >= e tanh(e/2) >= e - 1. */
static double response_guess(const void *of, double t, double r)
{
    (void)of;
    double low = r, high = r + 1;
    for (int i = 0; i < 50; i++) {
        double middle = (low + high) / 2;
        *(renyi_guess(middle, t) < r ? &low : &high) = middle;
    }
    return high;
}

void attacker_choose_order(attacker *a)
{
    if (mpq_sgn(a->line.xi) <= 0 || !attacker_order(a->order, a, response_guess, NULL))
        mpq_set_ui(a->order, 0, 1);
}

/* e is at most that of the order. */
static bool take_order(mpfi_t e, const attacker *a)
{
    mpq_t most;
    mpfi_t other;
    mpq_init(most);
    mpfi_init2(other, mpfi_get_prec(e));
    attacker_level(most, a, a->order);
    bool ok = at_level(other, a->order, most);
    if (ok)
        ival_take_least(e, other);
    mpfi_clear(other);
    mpq_clear(most);
    return ok;
}

/* The least over the points: most are told to be above the least by one evaluation. */
static bool least_of_points(mpfi_t e, const attacker *a)
{
    size_t first = attacker_least_point(a, response_guess, NULL);
    mpfi_t other;
    mpfi_init2(other, mpfi_get_prec(e));
    mpfi_set_ui(e, 0);
    bool ok =
        mpq_sgn(a->point[first + 1]) == 0 || at_level(e, a->point[first], a->point[first + 1]);
    for (size_t i = 0; ok && i < a->points; i += 2) {
        const level l = {a->point[i], a->point[i + 1]};
        if (i == first || root_is_beyond(e, beyond, &l))
            continue;
        mpfi_set_ui(other, 0);
        ok = mpq_sgn(l.most) == 0 || at_level(other, l.alpha, l.most);
        ival_take_least(e, other);
    }
    mpfi_clear(other);
    return ok;
}

/* The KL divergence of zCDP, or what one order says; or the least over the points. */
bool attacker_response(mpfi_t e, const attacker *a)
{
    mpq_t kl;
    mpq_init(kl);
    bool ok = true;
    if (a->by == BY_ZCDP) {
        kl_of(kl, a);
        mpfi_set_ui(e, 0);
        if (mpq_sgn(kl) > 0)
            ok = at_level(e, NULL, kl);
        if (ok && mpq_sgn(a->order) > 0)
            ok = take_order(e, a);
    }
    if (a->by == BY_RDP)
        ok = least_of_points(e, a);
    mpq_clear(kl);
    return ok;
}

/* ---- zCDP, RDP ---- */

static bool is_certain(dp_figure *out, const attacker *a)
{
    if (attacker_leaks_all(a)) {
        figure_set_ui(&out[0], 1);
        figure_set_ui(&out[1], 0);
        return true;
    }
    mpq_t kl;
    mpq_init(kl);
    kl_of(kl, a);
    bool none = a->by == BY_ZCDP && mpq_sgn(kl) == 0;
    for (size_t i = 0; a->by == BY_RDP && i < a->points; i += 2)
        none = none || mpq_sgn(a->point[i + 1]) == 0;
    if (none) {
        figure_set_q(&out[0], a->leak);
        advantage_set_errors(out, a->leak);
    }
    mpq_clear(kl);
    return none;
}

static dp_status eval_response(dp_figure *out, const void *in, const wanted *want)
{
    const attacker *a = in;
    if (is_certain(out, a))
        return DP_OK;
    mpfi_t e;
    mpfi_init2(e, want->bits);
    bool ok = attacker_response(e, a);
    if (ok)
        advantage_of_response(out, a, e, want->bits);
    mpfi_clear(e);
    return ok ? DP_OK : DP_LIMIT;
}

/* sqrt(KL/2) */
static dp_status eval_pinsker(dp_figure *out, const void *in, const wanted *want)
{
    const attacker *a = in;
    mpq_t kl;
    mpq_init(kl);
    kl_of(kl, a);
    mpq_div_2exp(kl, kl, 1);
    mpfi_ptr x = figure_enclose(&out[0], want->bits);
    mpfi_set_q(x, kl);
    mpfi_sqrt(x, x);
    if (mpz_perfect_square_p(mpq_numref(kl)) && mpz_perfect_square_p(mpq_denref(kl))) {
        mpz_sqrt(mpq_numref(kl), mpq_numref(kl));
        mpz_sqrt(mpq_denref(kl), mpq_denref(kl));
        figure_set_q(&out[0], kl);
    }
    mpq_clear(kl);
    return DP_OK;
}

/* sqrt(1 - e^-KL) */
static dp_status eval_bretagnolle_huber(dp_figure *out, const void *in, const wanted *want)
{
    const attacker *a = in;
    mpq_t kl;
    mpq_init(kl);
    kl_of(kl, a);
    mpfi_ptr x = figure_enclose(&out[0], want->bits);
    mpfi_set_q(x, kl);
    renyi_total_variation(x, x);
    mpq_clear(kl);
    return DP_OK;
}

/* the same with mu^2 = 2 rho */
static dp_status eval_gaussian_from_zcdp(dp_figure *out, const void *in, const wanted *want)
{
    const attacker *a = in;
    dp_figure both[2] = {out[0]};
    mpfi_t mu;
    dp_figure_init(&both[1]);
    mpfi_init2(mu, want->bits);
    mpfi_set_q(mu, a->line.rho);
    mpfi_mul_2ui(mu, mu, 1);
    mpfi_sqrt(mu, mu);
    advantage_of_mu(both, mu, want->bits);
    out[0] = both[0];
    mpfi_clear(mu);
    dp_figure_clear(&both[1]);
    return DP_OK;
}

/* ---- the principle: advantage, e ---- */

/* What is kept is no more than e: e tanh(e/2) and D_alpha are at most e. By more than that they may
 * differ in thousands of digits alone. */
static void at_least_kept(mpfi_t e, const attacker *a)
{
    if ((a->by != BY_ZCDP && a->by != BY_RDP) || mpq_sgn(a->leak) > 0)
        return;
    mpq_t kept, other;
    mpq_inits(kept, other, NULL);
    if (a->by == BY_ZCDP)
        kl_of(kept, a);
    else
        mpq_set(kept, a->point[1]);
    if (a->by == BY_ZCDP && mpq_sgn(a->order) > 0) {
        attacker_level(other, a, a->order);
        if (mpq_cmp(other, kept) < 0)
            mpq_set(kept, other);
    }
    for (size_t i = 2; a->by == BY_RDP && i < a->points; i += 2)
        if (mpq_cmp(a->point[i + 1], kept) < 0)
            mpq_set(kept, a->point[i + 1]);
    if (mpfr_cmp_q(&e->left, kept) < 0)
        mpfr_set_q(&e->left, kept, MPFR_RNDD);
    mpq_clears(kept, other, NULL);
}

/* e = ln((1+t)/(1-t)), where t is one of the others' */
static dp_status eval_principle(dp_figure *out, const void *in, const wanted *want)
{
    const attacker *a = in;
    dp_figure both[2];
    dp_figure_init(&both[0]);
    dp_figure_init(&both[1]);
    dp_status status = (a->by == BY_PAIR  ? &adv_approx
                        : a->by == BY_GDP ? &adv_gdp
                                          : &adv_zcdp)
                           ->eval(both, in, want);
    mpfi_t up, down;
    mpfi_init2(up, want->bits);
    mpfi_init2(down, want->bits);
    if (status == DP_OK && both[0].kind == DP_RATIONAL) {
        figure_set_q(&out[0], both[0].rational);
        mpfi_set_q(up, both[0].rational);
        mpfi_set_q(down, both[1].rational);
    } else if (status == DP_OK) {
        mpfi_set(figure_enclose(&out[0], want->bits), both[0].enclosure);
        mpfi_set(up, both[0].enclosure);
        mpfi_set(down, both[1].enclosure);
    }
    if (status == DP_OK && a->by == BY_PAIR && mpq_sgn(a->leak) == 0 && !a->epsilon.is_log) {
        figure_set_q(&out[1], number_rational(&a->epsilon)); /* itself: no enclosure is so narrow */
    } else if (status == DP_OK && both[0].kind == DP_RATIONAL && mpq_sgn(both[1].rational) == 0) {
        figure_set_infinite(&out[1]);
    } else if (status == DP_OK && both[0].kind == DP_RATIONAL && mpq_sgn(both[0].rational) == 0) {
        figure_set_ui(&out[1], 0);
    } else if (status == DP_OK) { /* ln(1 + 2t/(1-t)) */
        mpfi_ptr x = figure_enclose(&out[1], want->bits);
        mpfi_mul_2ui(x, up, 1);
        mpfi_div(x, x, down);
        mpfi_log1p(x, x);
        at_least_kept(x, a);
    }
    mpfi_clear(down);
    mpfi_clear(up);
    dp_figure_clear(&both[1]);
    dp_figure_clear(&both[0]);
    return status;
}

#define TWO_WORLDS                                                                                 \
    "the record's presence is independent of the others, or the statement is about given others; " \
    "prior 1/2; the relation is that of the game"

static bool of_zcdp(const void *in)
{
    const attacker *a = in;
    return a->by == BY_ZCDP && mpq_sgn(a->leak) == 0;
}

static bool of_approx_zcdp(const void *in)
{
    const attacker *a = in;
    return a->by == BY_ZCDP && mpq_sgn(a->leak) > 0;
}

static bool of_rdp(const void *in)
{
    return ((const attacker *)in)->by == BY_RDP;
}

static bool of_class(const void *in)
{
    const attacker *a = in;
    return a->by != BY_PROFILE && !a->one_pair;
}

const bound adv_rr_principle = {
    .theorem = {.id = "adv-rr-principle",
                .family = "advantage",
                .verdict = DP_EXACT,
                .source = "derived here",
                .statement =
                    "the largest TPR - FPR of a class of pairs is tanh(e/2), e the supremum of the "
                    "epsilons whose randomized response is in the class",
                .assumes =
                    "the class is closed under post-processing, under exchange of the two "
                    "laws, and under mixing two binary pairs evenly: (epsilon, delta)-DP, "
                    "KL, Renyi of any orders, zCDP, GDP, and what keeps several of them, all "
                    "in both directions",
                .proof = "An event with probabilities p and q makes the pair binary; exchanged and "
                         "relabelled it is (1-q, 1-p), and the mean of the two is randomized "
                         "response with tanh(e/2) = p - q, which is in the class. Of smaller "
                         "epsilon it is a post-processing."},
    .applies = of_class,
    .eval = eval_principle,
    .output = {"advantage", "rr_epsilon"},
    .only_all = true};

const bound adv_zcdp = {
    .theorem = {.id = "adv-zcdp",
                .family = "advantage",
                .verdict = DP_EXACT,
                .source = "derived here",
                .statement = "TPR - FPR <= tanh(e/2), e >= 0 the root of e tanh(e/2) = rho; of "
                             "(xi, rho)-zCDP with xi + rho in place of rho, or the root of adv-rdp "
                             "at one order, of xi + rho alpha, where that is less",
                .assumes =
                    "rho-zCDP, or a KL divergence of at most rho, in both directions; " TWO_WORLDS,
                .proof = "adv-rr-principle: randomized response is rho-zCDP just when e tanh(e/2), "
                         "its KL divergence, is at most rho. Directly: among binary pairs with p - "
                         "q = t the sum of the two divergences is least, 4 t atanh(t), at p = "
                         "1-q. With xi it is proved: one order is chosen of all that say "
                         "something. A claim for less is refuted, where it is, by Gaussian noise "
                         "with mu^2 = 2 rho, which is (xi, rho)-zCDP for xi >= 0 and of a group of "
                         "g one step g mu, or by randomized response of epsilon xi."},
    .applies = of_zcdp,
    .eval = eval_response,
    .output = {"advantage", "fpr_plus_fnr"}};

const bound adv_approx_zcdp = {
    .theorem = {.id = "adv-approx-zcdp",
                .family = "advantage",
                .verdict = DP_EXACT,
                .source = "derived here",
                .statement = "TPR - FPR <= delta + (1-delta) t, t the bound of adv-zcdp",
                .assumes = "delta-approximate rho-zCDP: given events of probability 1-delta at "
                           "least on each side; " TWO_WORLDS,
                .proof = "P(A) <= delta + (1-delta) P'(A) and Q(A) >= (1-delta) Q'(A). Attained by "
                         "publishing the record with probability delta, else randomized "
                         "response."},
    .applies = of_approx_zcdp,
    .eval = eval_response,
    .output = {"advantage", "fpr_plus_fnr"}};

const bound adv_pinsker = {
    .theorem = {.id = "adv-pinsker",
                .family = "advantage",
                .verdict = DP_PROVED,
                .source = "Pinsker's inequality",
                .statement = "TPR - FPR <= sqrt(rho/2)",
                .assumes = "a KL divergence of at most rho; " TWO_WORLDS,
                .proof = "Never below adv-zcdp, as t atanh(t) >= t^2; above 1, so that it says "
                         "nothing, from rho = 2."},
    .applies = of_zcdp,
    .eval = eval_pinsker,
    .output = {"advantage"},
    .may_be_vacuous = true,
    .only_all = true};

const bound adv_bretagnolle_huber = {
    .theorem = {.id = "adv-bretagnolle-huber",
                .family = "advantage",
                .verdict = DP_PROVED,
                .source = "Bretagnolle, Huber 1979",
                .statement = "TPR - FPR <= sqrt(1 - e^-rho)",
                .assumes = "a KL divergence of at most rho; " TWO_WORLDS,
                .proof = "Never below adv-zcdp. For large rho it leaves the attacker a quarter of "
                         "the true error."},
    .applies = of_zcdp,
    .eval = eval_bretagnolle_huber,
    .output = {"advantage"},
    .only_all = true};

const bound adv_rdp = {
    .theorem = {.id = "adv-rdp",
                .family = "advantage",
                .verdict = DP_EXACT,
                .source = "derived here",
                .statement =
                    "TPR - FPR <= tanh(e/2), e >= 0 the root of ln((e^(alpha e) + e^((1-alpha) "
                    "e))/(1 + e^e))/(alpha-1) = r; of several orders the least",
                .assumes = "(alpha, r)-RDP, alpha > 1, in both directions; " TWO_WORLDS,
                .proof = "adv-rr-principle with the Renyi divergence of randomized response, which "
                         "grows with e."},
    .applies = of_rdp,
    .eval = eval_response,
    .output = {"advantage", "fpr_plus_fnr"}};

const bound adv_gaussian_from_zcdp = {
    .theorem = {.id = "adv-gaussian-from-zcdp",
                .family = "advantage",
                .verdict = DP_UNSOUND,
                .source = "a usual reading of rho as Gaussian noise with mu^2 = 2 rho",
                .statement = "TPR - FPR <= 2 Phi(sqrt(rho/2)) - 1",
                .assumes = "rho-zCDP of unknown origin",
                .proof = "It is the value of Gaussian noise, and not every mechanism that is "
                         "rho-zCDP is that.",
                .counterexample = "rho = 0.1: it says 0.176936, but randomized response of epsilon "
                                  "0.45097 is 0.1-zCDP with an advantage of 0.22174"},
    .applies = of_zcdp,
    .eval = eval_gaussian_from_zcdp,
    .output = {"advantage"},
    .only_all = true};
