/* SPDX-License-Identifier: MIT */
/* Discrete Laplace noise on an integer: its type, and its privacy profile in closed form. */
#include "loss/discrete_laplace.h"
#include "mechanism/types.h"
#include "num/ival.h"
#include "num/number.h"

static const parameter scale = {
    .name = "scale",
    .kind = KIND_POSITIVE,
    .unit = "units of the query",
    .required = true,
    .brief = "scale b of the noise: k has a probability proportional to e^(-|k|/b)",
    .manual = "One use is (sensitivity/scale)-DP."};

static const parameter sensitivity = {
    .name = "sensitivity",
    .kind = KIND_POSITIVE,
    .unit = "units of the query",
    .preset = "1",
    .brief = "how far neighbours move the query, an integer from 1 to 10000",
    .manual = "The largest distance between its values on neighbouring data sets, under the "
              "relation of the account."};

/* a = 1 / scale */
static void rate(mpq_t a, const dp_mechanism *m)
{
    mpq_inv(a, number_rational(mechanism_number(m, "scale")));
}

static unsigned long distance(const dp_mechanism *m)
{
    return mpz_get_ui(mpq_numref(number_rational(mechanism_number(m, "sensitivity"))));
}

static bool is_distance(const mpq_t x)
{
    return mpz_cmp_ui(mpq_denref(x), 1) == 0 &&
           mpz_cmp_ui(mpq_numref(x), DISCRETE_LAPLACE_MOST) <= 0;
}

static const char *fault(const char **name, const dp_mechanism *m)
{
    *name = "sensitivity";
    return is_distance(number_rational(mechanism_number(m, "sensitivity")))
               ? NULL
               : "must be an integer from 1 to 10000";
}

static dp_status pair(product *to, const dp_mechanism *m, const mpz_t times, direction way,
                      dp_end end)
{
    (void)way; /* the pair is symmetric and attained */
    (void)end;
    mpq_t a;
    mpq_init(a);
    rate(a, m);
    dp_status status = discrete_laplace_add(to, a, distance(m), times);
    mpq_clear(a);
    return status;
}

static dp_status zcdp(mpfi_t xi, mpfi_t rho, const dp_mechanism *m)
{
    mpq_t a;
    mpq_init(a);
    rate(a, m);
    mpfi_set_ui(xi, 0);
    discrete_laplace_kl(rho, a, distance(m));
    mpq_clear(a);
    return DP_OK;
}

static dp_status group(dp_mechanism *copy, const mpz_t size)
{
    mpq_t wide;
    mpq_init(wide);
    mpq_set_z(wide, size);
    mpq_mul(wide, wide, number_rational(mechanism_number(copy, "sensitivity")));
    bool ok = is_distance(wide);
    if (ok)
        mechanism_set_q(copy, "sensitivity", wide);
    mpq_clear(wide);
    return ok ? DP_OK : DP_UNAVAILABLE;
}

static const parameter *const parameters[] = {&scale, &sensitivity, NULL};

const mechanism_type mechanism_discrete_laplace = {
    .name = "discrete-laplace",
    .brief = "discrete Laplace (geometric) noise of a given scale",
    .manual = "Noise on one integer, fresh in each use. A query of several integers is a mechanism "
              "for each, with the change of that one.",
    .parameters = parameters,
    .relations = RELATION(ADD_REMOVE) | RELATION(REPLACE_ONE),
    .fault = fault,
    .pair = pair,
    .zcdp = zcdp,
    .group = group,
    .profile = &discrete_laplace_exact,
};

/* ---- the profile ---- */

/* With F(m) the mass of the losses a (D - 2j), j <= m, under P, and G(m) under Q,
 *     delta(x) = max over m of F(m) - e^x G(m),  F(m) = 1 - r^(m+1)/(1+r),  G(m) = r^(D-m)/(1+r),
 * 0 <= m < D, or 0: the worst event is a half-line, and any other one is no more. At x the best m
 * is the last one with a (D - 2m) > x. */
typedef struct noise {
    mpq_t a;
    unsigned long distance;
    mpfi_t rate, r; /* a and e^-a */
} noise;

static void noise_init(noise *n, const dp_mechanism *m, mpfr_prec_t bits)
{
    mpq_init(n->a);
    rate(n->a, m);
    n->distance = distance(m);
    mpfi_init2(n->rate, bits);
    mpfi_init2(n->r, bits);
    mpfi_set_q(n->rate, n->a);
    mpfi_neg(n->r, n->rate);
    mpfi_exp(n->r, n->r);
}

static void noise_clear(noise *n)
{
    mpfi_clear(n->r);
    mpfi_clear(n->rate);
    mpq_clear(n->a);
}

/* x = 1 - e^-x */
static void lacks(mpfi_t x)
{
    mpfi_neg(x, x);
    mpfi_expm1(x, x);
    mpfi_neg(x, x);
}

/* out = F(m) - e^x G(m) = [1 - r^m (m > 0: r^(m+1)) + r (1 - r^u')] / (1+r), the power of e^x G(m)
 * being r^u, u = D - m - x/a > m: for m = 0, 1 - r^u; else (1 - r^(m+1)) + r (1 - r^(u-1)), both
 * terms not negative. `gap` is a u, less a for m > 0. */
static void event(mpfi_t out, const noise *n, unsigned long m, const mpfi_t gap)
{
    mpfi_t part;
    mpfi_init2(part, mpfi_get_prec(out));
    mpfi_set(out, gap);
    lacks(out);
    if (m > 0) {
        mpfi_mul(out, out, n->r);
        mpfi_mul_ui(part, n->rate, m + 1);
        lacks(part);
        mpfi_add(out, out, part);
    }
    mpfi_add_ui(part, n->r, 1);
    mpfi_div(out, out, part);
    mpfi_clear(part);
}

/* gap = a (D - m) - x, less a for m > 0; exactly before it is rounded where x is rational */
static void set_gap(mpfi_t gap, const noise *n, unsigned long m, const logform *x)
{
    mpq_t whole;
    mpq_init(whole);
    mpq_set_ui(whole, n->distance - m - (m > 0), 1);
    mpq_mul(whole, whole, n->a);
    if (x->count == 0) {
        mpq_sub(whole, whole, x->rational);
        mpfi_set_q(gap, whole);
    } else {
        mpfi_t lost;
        mpfi_init2(lost, mpfi_get_prec(gap));
        logform_enclose(lost, x);
        mpfi_set_q(gap, whole);
        mpfi_sub(gap, gap, lost);
        mpfi_clear(lost);
    }
    mpq_clear(whole);
}

/* m from `low` to `high`, between which the last one with a (D - 2m) > x lies; false: there is
 * none. For rational x the two are one, exactly. */
static bool find_event(unsigned long *low, unsigned long *high, const noise *n, const logform *x,
                       mpfr_prec_t bits)
{
    mpz_t at[2];
    mpz_inits(at[0], at[1], NULL);
    if (x->count == 0) { /* ceil((D - x/a) / 2) - 1 */
        mpq_t y;
        mpq_init(y);
        mpq_set_ui(y, n->distance, 1);
        mpq_mul(y, y, n->a);
        mpq_sub(y, y, x->rational);
        mpq_div(y, y, n->a);
        mpq_div_2exp(y, y, 1);
        mpz_cdiv_q(at[0], mpq_numref(y), mpq_denref(y));
        mpz_set(at[1], at[0]);
        mpq_clear(y);
    } else {
        mpfi_t y;
        mpfi_init2(y, bits);
        logform_enclose(y, x);
        mpfi_div(y, y, n->rate);
        mpfi_ui_sub(y, n->distance, y);
        mpfi_div_2ui(y, y, 1);
        for (size_t i = 0; i < 2; i++)
            mpfr_get_z(at[i], i == 0 ? &y->left : &y->right, MPFR_RNDU);
        mpfi_clear(y);
    }
    bool some = mpz_sgn(at[1]) > 0;
    *low = mpz_sgn(at[0]) > 0 ? mpz_get_ui(at[0]) - 1 : 0;
    *high = some ? mpz_get_ui(at[1]) - 1 : 0;
    mpz_clears(at[0], at[1], NULL);
    return some;
}

static void delta_at(dp_figure *out, const noise *n, const logform *x, mpfr_prec_t bits)
{
    unsigned long low, high;
    if (!find_event(&low, &high, n, x, bits)) {
        figure_set_ui(out, 0);
        return;
    }
    mpfi_ptr delta = figure_enclose(out, bits);
    if (high - low > 1) { /* x is hardly known */
        mpfi_interv_si(delta, 0, 1);
        return;
    }
    mpfi_t gap, one;
    mpfi_init2(gap, bits);
    mpfi_init2(one, bits);
    mpfi_set_ui(delta, 0);
    for (unsigned long m = low; m <= high; m++) {
        set_gap(gap, n, m, x);
        event(one, n, m, gap);
        ival_take_most(delta, one);
    }
    ival_clamp_ui(delta, 0, 1);
    mpfi_clear(one);
    mpfi_clear(gap);
}

/* out = ln((F(m) - delta) / G(m)) = a (D - m) + ln(1 + r (1 - r^m) - delta (1+r)), at which F(m) -
 * e^x G(m) = delta; 0 where F(m) < delta. False where that is not known. */
static bool cut(mpfi_t out, const noise *n, unsigned long m, const mpq_t delta)
{
    mpfi_t part;
    mpfi_init2(part, mpfi_get_prec(out));
    mpfi_mul_ui(part, n->rate, m);
    lacks(part);
    mpfi_mul(part, part, n->r);
    mpfi_add_ui(out, n->r, 1);
    mpfi_mul_q(out, out, delta);
    mpfi_sub(out, part, out);
    bool some = mpfr_cmp_si(&out->left, -1) > 0, none = mpfr_cmp_si(&out->right, -1) < 0;
    if (some) {
        mpfi_log1p(out, out);
        mpfi_mul_ui(part, n->rate, n->distance - m);
        mpfi_add(out, out, part);
    } else {
        mpfi_set_ui(out, 0);
    }
    mpfi_clear(part);
    return some || none;
}

/* delta(x) <= d where x is at least the cut of every m with F(m) > d, so the epsilon of d is the
 * greatest cut, or 0. With w = r^m the cuts are the logarithms of r^-D ((1+r)(1-d) w - r w^2),
 * which is concave in w: the greatest one is beside w = (1+r)(1-d) / 2r, or at an end. */
static void epsilon_at(mpfi_t out, const noise *n, const mpq_t delta)
{
    mpfi_t w, one;
    mpfi_init2(w, mpfi_get_prec(out));
    mpfi_init2(one, mpfi_get_prec(out));
    ival_log1m_q(w, delta);
    mpfi_neg(one, n->rate);
    mpfi_exp(one, one);
    mpfi_log1p(one, one);
    mpfi_add(w, w, one);
    mpfi_add(w, w, n->rate);
    mpfi_const_log2(one);
    mpfi_sub(w, one, w); /* -ln w */
    mpfi_div(w, w, n->rate);
    mpz_t at[2];
    mpz_inits(at[0], at[1], NULL);
    unsigned long m[2];
    for (size_t i = 0; i < 2; i++) {
        mpfr_get_z(at[i], i == 0 ? &w->left : &w->right, i == 0 ? MPFR_RNDD : MPFR_RNDU);
        m[i] = mpz_sgn(at[i]) <= 0                       ? 0
               : mpz_cmp_ui(at[i], n->distance - 1) >= 0 ? n->distance - 1
                                                         : mpz_get_ui(at[i]);
    }
    mpz_clears(at[0], at[1], NULL);
    bool known = m[1] - m[0] <= 2;
    mpfi_set_ui(out, 0);
    for (unsigned long k = m[0]; known && k <= m[1]; k++) {
        known = cut(one, n, k, delta);
        ival_take_most(out, one);
    }
    if (!known) { /* between 0 and the largest loss */
        mpfi_mul_ui(out, n->rate, n->distance);
        mpfr_set_zero(&out->left, 1);
    }
    mpfi_clear(one);
    mpfi_clear(w);
}

static dp_status eval_exact(dp_figure *out, const void *in, const wanted *want)
{
    const profile_in *q = in;
    if (!profile_given(out, q, want->bits))
        return DP_OK;
    noise n;
    noise_init(&n, q->mechanism, want->bits + 64);
    if (q->delta == NULL) {
        delta_at(&out[1], &n, q->epsilon, want->bits + 64);
    } else if (mpq_sgn(q->delta) == 0) {
        mpq_t top;
        mpq_init(top);
        mpq_set_ui(top, n.distance, 1);
        mpq_mul(top, top, n.a);
        figure_set_q(&out[0], top);
        mpq_clear(top);
    } else {
        epsilon_at(figure_enclose(&out[0], want->bits + 64), &n, q->delta);
    }
    noise_clear(&n);
    return DP_OK;
}

const bound discrete_laplace_exact = {
    .theorem = {.id = "discrete-laplace-exact",
                .family = "compose",
                .verdict = DP_EXACT,
                .source = "Ghosh, Roughgarden, Sundararajan 2012, Universally Utility-Maximizing "
                          "Privacy Mechanisms, for the mechanism; its profile by summation",
                .statement = "delta(x) = max(0, 1 - r^(m+1)/(1+r) - e^x r^(D-m)/(1+r)), r = "
                             "e^(-1/scale), D the sensitivity, m = ceil((D - x scale)/2) - 1",
                .assumes = "discrete Laplace noise on one integer that neighbours move by at most "
                           "D, an integer, under the adjacency asked for; one use",
                .proof = "The ratio of the two laws is monotone, so half-lines are the worst "
                         "events; the noise is log-concave, so a lesser distance is dominated. At "
                         "D = 1 it is randomized response of epsilon = 1/scale."},
    .eval = eval_exact,
    .methods = METHOD(OPTIMAL),
    .output = {"epsilon", "delta"},
    .also_for = "curve",
    .of_mechanisms = true};
