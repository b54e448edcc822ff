/* SPDX-License-Identifier: MIT */
/* Laplace noise on a Poisson sample: its type. */
#include "loss/sampled_laplace.h"

#include "loss/laplace.h"
#include "mechanism/parameters.h"
#include "mechanism/types.h"
#include "num/decimal.h"
#include "num/ival.h"
#include "num/number.h"

static const parameter rate = {.name = "sampling-rate",
                               .key = "sampling_rate",
                               .kind = KIND_PROBABILITY,
                               .required = true,
                               .brief = "probability with which a record is in the sample",
                               .manual = "Of each record for itself in each use."};

static mpq_srcptr sampling_rate(const dp_mechanism *m)
{
    return number_rational(mechanism_number(m, "sampling-rate"));
}

static const char *fault(const char **name, const dp_mechanism *m)
{
    *name = "scale";
    if (mechanism_number(m, *name) == NULL)
        return "is missing";
    mpq_t epsilon;
    mpq_init(epsilon);
    noise_epsilon(epsilon, m);
    bool ok = mpq_cmp_ui(epsilon, SAMPLED_LAPLACE_MOST, 1) <= 0;
    mpq_clear(epsilon);
    return ok ? NULL : "must be at least a hundredth of the sensitivity";
}

/* The record is removed, or where the pair is exchanged, added. Each is attained. */
static dp_status pair(product *to, const dp_mechanism *m, const mpz_t times, direction way,
                      dp_end end)
{
    (void)end;
    mpq_t epsilon;
    mpq_init(epsilon);
    noise_epsilon(epsilon, m);
    dp_status status = sampled_laplace_add(to, epsilon, sampling_rate(m), times, way == BACKWARD);
    mpq_clear(epsilon);
    return status;
}

/* No loss of either direction is beyond it: ln(1 - q + q e^epsilon). */
static void largest(mpfi_t out, const dp_mechanism *m)
{
    mpq_t epsilon;
    mpq_init(epsilon);
    noise_epsilon(epsilon, m);
    mpfi_set_q(out, epsilon);
    ival_log1p_share(out, out, sampling_rate(m));
    mpq_clear(epsilon);
}

/* The lesser of what any mechanism of that largest loss has, x tanh(x/2), and of the noise without
 * sampling, whose divergences are not less, for divergences are quasi-convex. */
static dp_status zcdp(mpfi_t xi, mpfi_t rho, const dp_mechanism *m)
{
    mpq_t epsilon;
    mpfi_t x;
    mpq_init(epsilon);
    mpfi_init2(x, mpfi_get_prec(rho));
    largest(x, m);
    ival_tanh_half(rho, x);
    mpfi_mul(rho, rho, x);
    noise_epsilon(epsilon, m);
    laplace_kl(x, epsilon);
    ival_take_least(rho, x);
    mpfi_set_ui(xi, 0);
    mpfi_clear(x);
    mpq_clear(epsilon);
    return DP_OK;
}

#define WITHIN_BITS 128
#define WITHIN_DIGITS 30

static void within(dp_number *epsilon, mpq_t delta, const dp_mechanism *m)
{
    mpfi_t x;
    mpq_t q;
    mpq_init(q);
    mpfi_init2(x, WITHIN_BITS);
    largest(x, m);
    dec_round_fr(q, &x->right, DP_UPPER, WITHIN_DIGITS);
    number_set_q(epsilon, q);
    mpq_set_ui(delta, 0, 1);
    mpfi_clear(x);
    mpq_clear(q);
}

static const parameter *const parameters[] = {&noise_scale, &noise_sensitivity, &rate, NULL};

const mechanism_type mechanism_sampled_laplace = {
    .name = "sampled-laplace",
    .brief = "Laplace noise on a Poisson sample",
    .manual = "Each record is in the sample of each use with the same probability, for itself, and "
              "samples stay secret; the noise is continuous and fresh in each use. The sensitivity "
              "is the L1 norm of what one record adds to the query.",
    .parameters = parameters,
    .relations = RELATION(ADD_REMOVE),
    .elsewhere = SGD_ELSEWHERE,
    .about = SGD_ABOUT,
    .fault = fault,
    .pair = pair,
    .zcdp = zcdp,
    .within = within,
};
