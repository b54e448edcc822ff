/* SPDX-License-Identifier: MIT */
/* The type dp-sgd: its parameters, the dominating pair and the Renyi curve of its steps, and the
 * theorems about them. */
#include "mechanism/dp_sgd.h"

#include <math.h>
#include <string.h>

#include "loss/gaussian.h"
#include "loss/sampled_gaussian.h"
#include "mechanism/parameters.h"
#include "num/ival.h"
#include "num/number.h"

static mpq_srcptr rational(const dp_mechanism *m, const char *name)
{
    return number_rational(mechanism_number(m, name));
}

static bool is_given(const dp_mechanism *m, const char *name)
{
    return mechanism_number(m, name) != NULL;
}

/* Nothing is known of the divergences of groups. */
static dp_status curve(mpfi_t out, const dp_mechanism *m, const mpfi_t order)
{
    if (dp_sgd_is_group(m))
        return DP_UNAVAILABLE;
    dp_sgd s;
    mpz_t one;
    mpz_init_set_ui(one, 1);
    dp_sgd_init(&s, m, one);
    dp_sgd_divergence(out, &s, order);
    dp_sgd_clear(&s);
    mpz_clear(one);
    return DP_OK;
}

static double near_curve(const dp_mechanism *m, double t)
{
    dp_sgd s;
    mpz_t one;
    mpz_init_set_ui(one, 1);
    dp_sgd_init(&s, m, one);
    double r = dp_sgd_curve(&s).guess(&s, t);
    dp_sgd_clear(&s);
    mpz_clear(one);
    return r;
}

static unsigned long group_of(const dp_mechanism *m)
{
    return is_given(m, "group-size") ? mpz_get_ui(mpq_numref(rational(m, "group-size"))) : 1;
}

/* Where records are added the pair is exchanged. Each is attained. */
static dp_status pair(product *to, const dp_mechanism *m, const mpz_t times, direction way,
                      dp_end end)
{
    (void)end;
    mpq_t rate;
    mpz_t steps;
    mpq_init(rate);
    mpz_init(steps);
    dp_sgd_rate(rate, m);
    dp_sgd_count(steps, m, rate);
    mpz_mul(steps, steps, times);
    dp_status status = sampled_gaussian_add_group(to, rational(m, "noise-multiplier"), rate,
                                                  group_of(m), steps, way == BACKWARD);
    mpz_clear(steps);
    mpq_clear(rate);
    return status;
}

/* As if the losses of all steps together were those of a Gaussian, mu = q sqrt(T (e^(1/sigma^2) -
 * 1)): the central limit, which no bound rests on. */
static bool guess(mpq_t near, const dp_mechanism *m, const char *name, const mpz_t times,
                  const dp_number *epsilon, const mpq_t delta)
{
    dp_sgd s;
    mpfi_t x;
    mpfr_t mu;
    mpfi_init2(x, 64);
    mpfr_init2(mu, 128);
    dp_sgd_init(&s, m, times);
    ival_set_number(x, epsilon);
    double found = NAN;
    if (gaussian_guess(mu, x, delta) && mpfr_regular_p(mu)) {
        double log_mu2 = 2 * log(mpfr_get_d(mu, MPFR_RNDN) / (double)group_of(m)),
               rate = 2 * s.of.log_rate, one = log(expm1(exp(-2 * s.of.log_sigma)));
        if (strcmp(name, "noise-multiplier") == 0)
            found = 1 / sqrt(log1p(exp(log_mu2 - rate - log(s.count))));
        else if (strcmp(name, "steps") == 0) /* that of m is 1 */
            found = fmax(1, exp(log_mu2 - rate - one));
        else
            found = fmin(1, exp((log_mu2 - one - log(s.count)) / 2));
    }
    bool ok = found > 0 && found < 1e300;
    if (ok)
        mpq_set_d(near, found);
    dp_sgd_clear(&s);
    mpfr_clear(mu);
    mpfi_clear(x);
    return ok;
}

#define MOST_GROUP "is above 100: groups that large have no law here"

static const char *fault(const char **name, const dp_mechanism *m)
{
    bool rate = is_given(m, "sampling-rate"), sizes = is_given(m, "dataset-size"),
         batch = is_given(m, "batch-size");
    *name = "noise-multiplier";
    if (!is_given(m, *name))
        return "is missing";
    *name = "sampling-rate";
    if (rate && (sizes || batch))
        return "excludes dataset-size and batch-size; give one or the other";
    if (!rate && !sizes && !batch)
        return "is missing; give it, or dataset-size and batch-size";
    *name = sizes ? "batch-size" : "dataset-size";
    if (!rate && !(sizes && batch))
        return "is missing; dataset-size and batch-size go together";
    *name = "batch-size";
    if (!rate && mpq_cmp(rational(m, "batch-size"), rational(m, "dataset-size")) > 0)
        return "must be at most dataset-size";
    *name = "steps";
    if (is_given(m, "steps") && is_given(m, "epochs"))
        return "excludes epochs; give one or the other";
    if (!is_given(m, "steps") && !is_given(m, "epochs"))
        return "is missing; give it, or epochs";
    *name = "epochs";
    if (rate && is_given(m, "epochs") && mpq_sgn(rational(m, "sampling-rate")) == 0)
        return "never end where the sampling rate is 0; give steps";
    *name = "group-size";
    if (is_given(m, *name) && mpq_cmp_ui(rational(m, *name), SAMPLED_MOST_GROUP, 1) > 0)
        return MOST_GROUP;
    return NULL;
}

/* Of groups of groups: all records together. */
static dp_status group(dp_mechanism *copy, const mpz_t size)
{
    mpq_t all;
    mpq_init(all);
    mpq_set_z(all, size);
    if (is_given(copy, "group-size"))
        mpq_mul(all, all, rational(copy, "group-size"));
    value_fault f;
    dp_status status = mpq_cmp_ui(all, SAMPLED_MOST_GROUP, 1) <= 0 ? DP_OK : DP_UNAVAILABLE;
    if (status == DP_OK && !is_given(copy, "group-size"))
        status = value_set(mechanism_value(copy, "group-size"), "1", &f);
    if (status == DP_OK)
        mechanism_set_q(copy, "group-size", all);
    mpq_clear(all);
    return status;
}

static const parameter *const parameters[] = {
    &sgd_noise_multiplier, &sgd_sampling_rate, &sgd_steps,      &sgd_dataset_size,
    &sgd_batch_size,       &sgd_epochs,        &sgd_group_size, NULL};

static const bound *const others[] = {&dp_sgd_renyi, &dp_sgd_basic,           &dp_sgd_moments,
                                      &dp_sgd_clt,   &dp_sgd_moments_printed, NULL};

const mechanism_type mechanism_dp_sgd = {
    .name = "dp-sgd",
    .brief = "steps of DP-SGD: Gaussian noise on Poisson samples",
    .manual =
        "Each record is in each batch with the same probability, for itself, and batches stay "
        "secret; the noise is continuous and fresh in each step. Not batches of a fixed "
        "size, and not epochs of shuffled records: there other and larger losses hold.",
    .parameters = parameters,
    .relations = RELATION(ADD_REMOVE),
    .elsewhere = SGD_ELSEWHERE,
    .about = SGD_ABOUT,
    .fault = fault,
    .pair = pair,
    .group = group,
    .curve = curve,
    .near_curve = near_curve,
    .noise = "noise-multiplier",
    .keeps_any = dp_sgd_any_noise,
    .any_noise = DP_SGD_ANY_NOISE,
    .spends = "steps|sampling-rate",
    .guess = guess,
    .least = dp_sgd_one_step,
    .others = others,
};
