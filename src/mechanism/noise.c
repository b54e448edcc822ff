/* SPDX-License-Identifier: MIT */
/* Noise added to a number or a vector: Gaussian and Laplace, exact in both directions. */
#include "core/mechanism.h"
#include "loss/gaussian.h"
#include "loss/laplace.h"
#include "mechanism/parameters.h"
#include "mechanism/types.h"
#include "num/ival.h"
#include "num/number.h"

/* A group of so many records moves the query so many times as far. */
static dp_status widen(dp_mechanism *copy, const mpz_t size)
{
    mpq_t wide;
    mpq_init(wide);
    mpq_set_z(wide, size);
    mpq_mul(wide, wide, number_rational(mechanism_number(copy, "sensitivity")));
    mechanism_set_q(copy, "sensitivity", wide);
    mpq_clear(wide);
    return DP_OK;
}

static dp_status gaussian_pair(product *to, const dp_mechanism *m, const mpz_t times, direction way,
                               dp_end end)
{
    (void)way; /* the pair is symmetric and attained */
    (void)end;
    mpq_t mu2;
    mpq_init(mu2);
    noise_mu_squared(mu2, m);
    dp_status status = gaussian_add(to, mu2, times);
    mpq_clear(mu2);
    return status;
}

static bool gaussian_rho_q(mpq_t rho, const dp_mechanism *m)
{
    noise_mu_squared(rho, m);
    mpq_div_2exp(rho, rho, 1);
    return true;
}

static dp_status gaussian_rho(mpfi_t xi, mpfi_t rho, const dp_mechanism *m)
{
    mpq_t mu2;
    mpq_init(mu2);
    gaussian_rho_q(mu2, m);
    mpfi_set_ui(xi, 0);
    mpfi_set_q(rho, mu2);
    mpq_clear(mu2);
    return DP_OK;
}

/* sigma = sensitivity sqrt(times) / mu */
static bool gaussian_noise(mpq_t noise, const dp_mechanism *m, const char *name, const mpz_t times,
                           const dp_number *epsilon, const mpq_t delta)
{
    (void)name; /* sigma alone */
    mpfi_t x;
    mpfr_t mu, root;
    mpfi_init2(x, 128);
    mpfr_inits2(128, mu, root, (mpfr_ptr)0);
    ival_set_number(x, epsilon);
    bool found = gaussian_guess(mu, x, delta);
    if (found) {
        mpfr_set_z(root, times, MPFR_RNDN);
        mpfr_sqrt(root, root, MPFR_RNDN);
        mpfr_div(root, root, mu, MPFR_RNDN);
        mpfr_get_q(noise, root);
        mpq_mul(noise, noise, number_rational(mechanism_number(m, "sensitivity")));
    }
    mpfr_clears(mu, root, (mpfr_ptr)0);
    mpfi_clear(x);
    return found && mpq_sgn(noise) > 0;
}

static dp_status laplace_pair(product *to, const dp_mechanism *m, const mpz_t times, direction way,
                              dp_end end)
{
    (void)way;
    (void)end;
    mpq_t epsilon;
    mpq_init(epsilon);
    noise_epsilon(epsilon, m);
    dp_status status = laplace_add(to, epsilon, times);
    mpq_clear(epsilon);
    return status;
}

static dp_status laplace_rho(mpfi_t xi, mpfi_t rho, const dp_mechanism *m)
{
    mpq_t epsilon;
    mpq_init(epsilon);
    noise_epsilon(epsilon, m);
    mpfi_set_ui(xi, 0);
    laplace_kl(rho, epsilon);
    mpq_clear(epsilon);
    return DP_OK;
}

static const char *gaussian_fault(const char **name, const dp_mechanism *m)
{
    *name = "sigma";
    return mechanism_number(m, "sigma") == NULL ? "is missing" : NULL;
}

static const char *laplace_fault(const char **name, const dp_mechanism *m)
{
    *name = "scale";
    return mechanism_number(m, "scale") == NULL ? "is missing" : NULL;
}

static const parameter *const gaussian_parameters[] = {&noise_sigma, &noise_sensitivity, NULL};
static const parameter *const laplace_parameters[] = {&noise_scale, &noise_sensitivity, NULL};

static const bound *const gaussian_others[] = {&gaussian_classic, NULL};

const mechanism_type mechanism_gaussian = {
    .name = "gaussian",
    .brief = "Gaussian noise of standard deviation sigma",
    .manual = "Continuous noise, independent in each coordinate and each use. The sensitivity is "
              "the L2 distance between neighbours.",
    .parameters = gaussian_parameters,
    .relations = RELATION(ADD_REMOVE) | RELATION(REPLACE_ONE),
    .fault = gaussian_fault,
    .pair = gaussian_pair,
    .zcdp = gaussian_rho,
    .rho = gaussian_rho_q,
    .group = widen,
    .noise = "sigma",
    .guess = gaussian_noise,
    .adds = true,
    .profile = &gaussian_exact,
    .others = gaussian_others,
};

const mechanism_type mechanism_laplace = {
    .name = "laplace",
    .brief = "Laplace noise of a given scale",
    .manual = "Continuous noise, independent in each coordinate and each use. The sensitivity is "
              "the L1 distance between neighbours.",
    .parameters = laplace_parameters,
    .relations = RELATION(ADD_REMOVE) | RELATION(REPLACE_ONE),
    .fault = laplace_fault,
    .pair = laplace_pair,
    .zcdp = laplace_rho,
    .group = widen,
    .noise = "scale",
    .profile = &laplace_exact,
};
