/* SPDX-License-Identifier: MIT */
/* Discrete Gaussian noise on an integer: its type, its privacy profile, and the profile of
 * continuous noise, which is not its own. */
#include "loss/discrete_gaussian.h"
#include "loss/gaussian.h"
#include "mechanism/parameters.h"
#include "mechanism/types.h"
#include "num/ival.h"
#include "num/number.h"

const parameter discrete_sigma2 = {
    .name = "sigma2",
    .kind = KIND_POSITIVE,
    .unit = "squared units of the query",
    .brief = "sigma^2: the noise k has odds e^(-k^2/(2 sigma^2))",
    .manual = "At least 1/1000. The variance of the noise is slightly below it."};

const parameter discrete_sensitivity = {
    .name = "sensitivity",
    .kind = KIND_LIST,
    .domain = &domain_positive,
    .unit = "units of the query",
    .preset = "1",
    .brief = "how far neighbours move the query, integers up to 10^9",
    .manual = "The largest distance between its values on neighbouring data sets, under the "
              "relation of the account. Of a query of several integers the distance of each one "
              "that a record moves, separated by commas; a JSON array."};

static mpq_srcptr variance(const dp_mechanism *m)
{
    return number_rational(mechanism_number(m, "sigma2"));
}

static const value *distances(const dp_mechanism *m)
{
    return mechanism_value(m, "sensitivity");
}

/* Of a query of one integer */
static mpz_srcptr distance(const dp_mechanism *m)
{
    return mpq_numref(distances(m)->list[0]);
}

static bool is_distance(const mpq_t x)
{
    return mpz_cmp_ui(mpq_denref(x), 1) == 0 &&
           mpz_cmp_ui(mpq_numref(x), DISCRETE_GAUSSIAN_FARTHEST) <= 0;
}

static const char *fault(const char **name, const dp_mechanism *m)
{
    *name = "sigma2";
    if (mechanism_number(m, *name) == NULL)
        return "is missing";
    if (mpq_cmp_ui(variance(m), 1, DISCRETE_GAUSSIAN_FINEST) < 0)
        return "must be at least 1/1000";
    *name = "sensitivity";
    const value *all = distances(m);
    for (size_t i = 0; i < all->count; i++)
        if (!is_distance(all->list[i]))
            return "must be an integer from 1 to 1000000000, or several";
    return NULL;
}

static dp_status pair(product *to, const dp_mechanism *m, const mpz_t times, direction way,
                      dp_end end)
{
    (void)way; /* the pair is symmetric and attained */
    (void)end;
    const value *all = distances(m);
    dp_status status = DP_OK;
    for (size_t i = 0; status == DP_OK && i < all->count; i++)
        status = discrete_gaussian_add(to, variance(m), mpq_numref(all->list[i]), times);
    return status;
}

/* mu^2 = sum D_i^2 / sigma2 of continuous noise */
static void mu_squared(mpq_t out, const dp_mechanism *m)
{
    const value *all = distances(m);
    mpq_set_ui(out, 0, 1);
    for (size_t i = 0; i < all->count; i++)
        mpz_addmul(mpq_numref(out), mpq_numref(all->list[i]), mpq_numref(all->list[i]));
    mpq_div(out, out, variance(m));
}

/* D_alpha = alpha D^2 / (2 sigma2) where alpha D is an integer, and less elsewhere, for theta(w) <=
 * theta(0); of several integers, each with noise of its own, the sum. */
static bool rho_q(mpq_t rho, const dp_mechanism *m)
{
    mu_squared(rho, m);
    mpq_div_2exp(rho, rho, 1);
    return true;
}

static dp_status zcdp(mpfi_t xi, mpfi_t rho, const dp_mechanism *m)
{
    mpq_t exact;
    mpq_init(exact);
    rho_q(exact, m);
    mpfi_set_ui(xi, 0);
    mpfi_set_q(rho, exact);
    mpq_clear(exact);
    return DP_OK;
}

static dp_status group(dp_mechanism *copy, const mpz_t size)
{
    value *all = mechanism_value(copy, "sensitivity");
    mpq_t wide;
    mpq_init(wide);
    bool ok = true;
    for (size_t i = 0; ok && i < all->count; i++) {
        mpz_mul(mpq_numref(wide), mpq_numref(all->list[i]), size);
        ok = is_distance(wide);
    }
    for (size_t i = 0; ok && i < all->count; i++)
        mpz_mul(mpq_numref(all->list[i]), mpq_numref(all->list[i]), size);
    mpq_clear(wide);
    return ok ? DP_OK : DP_UNAVAILABLE;
}

static const parameter *const parameters[] = {&discrete_sigma2, &discrete_sensitivity, NULL};

/* That of continuous noise. */
static bool guess(mpq_t noise, const dp_mechanism *m, const char *name, const mpz_t times,
                  const dp_number *epsilon, const mpq_t delta)
{
    (void)name; /* sigma2 alone is */
    mpfi_t x;
    mpfr_t mu;
    mpq_t square;
    mpq_init(square);
    mpfi_init2(x, 128);
    mpfr_init2(mu, 128);
    ival_set_number(x, epsilon);
    bool found = gaussian_guess(mu, x, delta);
    if (found) { /* times sum D_i^2 / mu^2 */
        mpq_set_z(square, times);
        mu_squared(noise, m);
        mpq_mul(noise, noise, variance(m));
        mpq_mul(noise, noise, square);
        mpfr_get_q(square, mu);
        mpq_mul(square, square, square);
        mpq_div(noise, noise, square);
    }
    mpfr_clear(mu);
    mpfi_clear(x);
    mpq_clear(square);
    return found && mpq_sgn(noise) > 0;
}

static const bound *const others[] = {&discrete_gaussian_continuous, NULL};

const mechanism_type mechanism_discrete_gaussian = {
    .name = "discrete-gaussian",
    .brief = "discrete Gaussian noise of a given sigma^2",
    .manual = "Noise on integers, on each for itself and fresh in each use. Of a query of several "
              "integers give how far a record moves each of them, such as sensitivity=1,1: their "
              "L2 distance alone does not say what is spent.",
    .parameters = parameters,
    .relations = RELATION(ADD_REMOVE) | RELATION(REPLACE_ONE),
    .fault = fault,
    .pair = pair,
    .zcdp = zcdp,
    .rho = rho_q,
    .group = group,
    .noise = "sigma2",
    .uneven = true,
    .guess = guess,
    .profile = &discrete_gaussian_exact,
    .others = others,
};

/* ---- the profile ---- */
/* Beyond it there are too many terms, and the profile is that of a list of one. */
#define MOST_VARIANCE 10000UL

static bool exact_applies(const void *in)
{
    const profile_in *q = in;
    return distances(q->mechanism)->count == 1 &&
           mpq_cmp_ui(variance(q->mechanism), MOST_VARIANCE, 1) <= 0;
}

static dp_status eval_exact(dp_figure *out, const void *in, const wanted *want)
{
    const profile_in *q = in;
    if (!profile_given(out, q, want->bits))
        return DP_OK;
    const dp_mechanism *m = q->mechanism;
    if (q->delta != NULL && mpq_sgn(q->delta) == 0) {
        figure_set_infinite(&out[0]);
    } else if (q->delta != NULL) {
        discrete_gaussian_epsilon(figure_enclose(&out[0], want->bits), variance(m), distance(m),
                                  q->delta);
    } else {
        mpfi_t x;
        mpfr_t slope;
        mpfi_init2(x, want->bits + 64);
        mpfr_init2(slope, 32);
        logform_enclose(x, q->epsilon);
        discrete_gaussian_profile(figure_enclose(&out[1], want->bits), slope, variance(m),
                                  distance(m), x);
        mpfr_clear(slope);
        mpfi_clear(x);
    }
    return DP_OK;
}

/* 0 < delta < 1; of one integer, as the statement is */
static bool continuous_applies(const void *in)
{
    const profile_in *q = in;
    return distances(q->mechanism)->count == 1 &&
           (q->delta == NULL || (mpq_sgn(q->delta) > 0 && mpq_cmp_ui(q->delta, 1, 1) < 0));
}

static dp_status eval_continuous(dp_figure *out, const void *in, const wanted *want)
{
    const profile_in *q = in;
    if (!profile_given(out, q, want->bits))
        return DP_OK;
    mpq_t mu2;
    mpfi_t mu, x;
    mpq_init(mu2);
    mpfi_init2(mu, want->bits + 64);
    mpfi_init2(x, want->bits + 64);
    mu_squared(mu2, q->mechanism);
    mpfi_set_q(mu, mu2);
    mpfi_sqrt(mu, mu);
    if (q->delta == NULL) {
        logform_enclose(x, q->epsilon);
        gaussian_profile(figure_enclose(&out[1], want->bits), mu, x);
    } else {
        gaussian_epsilon(figure_enclose(&out[0], want->bits), mu, q->delta);
    }
    mpfi_clear(x);
    mpfi_clear(mu);
    mpq_clear(mu2);
    return DP_OK;
}

#define NOISE                                                                                      \
    "discrete Gaussian noise on one integer that neighbours move by at most D, an integer, under " \
    "the adjacency asked for; one use"

const bound discrete_gaussian_exact = {
    .theorem = {.id = "discrete-gaussian-exact",
                .family = "discrete-gaussian",
                .verdict = DP_EXACT,
                .source = "Canonne, Kamath, Steinke 2020, The Discrete Gaussian for Differential "
                          "Privacy, Theorem 7",
                .statement = "delta(x) = P[Y > x sigma^2/D - D/2] - e^x P[Y > x sigma^2/D + D/2], "
                             "P[Y = k] proportional to e^(-k^2/(2 sigma^2)), D the sensitivity",
                .assumes = NOISE,
                .proof = "The ratio of the two laws is monotone, so half-lines are the worst "
                         "events; the noise is log-concave, so a lesser distance is dominated. "
                         "Shown up to sigma^2 = 10000; beyond it compose-pairs has the same "
                         "figures."},
    .applies = exact_applies,
    .eval = eval_exact,
    .methods = METHOD(OPTIMAL),
    .output = {"epsilon", "delta"},
    .also_for = "compose|curve",
    .of_mechanisms = true};

const bound discrete_gaussian_continuous = {
    .theorem = {.id = "discrete-gaussian-continuous",
                .family = "discrete-gaussian",
                .verdict = DP_UNSOUND,
                .source =
                    "The profile of Balle, Wang 2018, Theorem 8, taken for discrete noise, as "
                    "its Renyi curve suggests: alpha D^2/(2 sigma^2) bounds both",
                .statement = "delta(x) = Phi(mu/2 - x/mu) - e^x Phi(-mu/2 - x/mu), mu = D/sigma, "
                             "for discrete Gaussian noise",
                .assumes = NOISE,
                .proof = "It is that of continuous noise. An atom that the worst event takes in is "
                         "taken in whole: the discrete profile is above it at some epsilon, also "
                         "where sigma is large.",
                .counterexample = "sigma^2 = 1, D = 1 at epsilon = 1: delta = 0.126936737..., but "
                                  "discrete-gaussian-exact is 0.14135133...; sigma^2 = 100 at "
                                  "0.3: 4.4352e-5 and 4.4565e-5."},
    .applies = continuous_applies,
    .eval = eval_continuous,
    .output = {"epsilon", "delta"},
    .also_for = "compose",
    .of_mechanisms = true,
    .only_all = true};
