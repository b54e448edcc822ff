/* SPDX-License-Identifier: MIT */
/* Laplace noise on a Poisson sample: its type. */
#include "loss/sampled_laplace.h"

#include "mechanism/parameters.h"
#include "mechanism/types.h"
#include "num/number.h"

static const parameter rate = {.name = "sampling-rate",
                               .key = "sampling_rate",
                               .kind = KIND_PROBABILITY,
                               .required = true,
                               .brief = "probability with which a record is in the sample",
                               .manual = "Of each record for itself in each use."};

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
    dp_status status = sampled_laplace_add(
        to, epsilon, number_rational(mechanism_number(m, "sampling-rate")), times, way == BACKWARD);
    mpq_clear(epsilon);
    return status;
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
    .fault = fault,
    .pair = pair,
};
