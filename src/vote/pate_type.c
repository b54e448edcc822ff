/* SPDX-License-Identifier: MIT */
/* Votes of teachers as a mechanism of a list, by the exact loss of the noisy votes: of Laplace
 * noise two votes move by one each, two Laplace mechanisms of epsilon = inverse_scale for each
 * query. The answers spend no more, and neither does any query that is known to be 2
 * inverse_scale-DP alone. */
#include "loss/gaussian.h"
#include "loss/laplace.h"
#include "num/ival.h"
#include "num/number.h"
#include "vote/parameters.h"
#include "vote/pate.h"

static bool has(const dp_mechanism *m, const char *name)
{
    return mechanism_number(m, name) != NULL;
}

static dp_aggregator aggregator(const dp_mechanism *m)
{
    return (dp_aggregator)mechanism_value(m, "aggregator")->choice;
}

const char *pate_fault(const char **name, dp_aggregator kind, bool scale, bool sigma,
                       bool threshold)
{
    static const char missing[] = "is missing; this aggregator needs it";
    static const char other[] = "is not of this aggregator; leave it out";
    const bool have[] = {scale, sigma, threshold};
    const bool want[] = {kind == DP_LNMAX, kind != DP_LNMAX, kind == DP_CONFIDENT_GNMAX};
    static const char *const names[] = {"inverse_scale", "sigma", "sigma_threshold"};
    for (size_t i = 0; i < 3; i++) {
        *name = names[i];
        if (have[i] != want[i])
            return want[i] ? missing : other;
    }
    return NULL;
}

const char *pate_count_fault(const char **name, dp_aggregator kind, const dp_number *asked,
                             const dp_number *answered)
{
    *name = "answered";
    if (answered == NULL)
        return NULL;
    if (kind != DP_CONFIDENT_GNMAX)
        return "is of confident-gnmax alone, which leaves queries unanswered";
    return asked != NULL && mpz_cmp(number_integer(answered), number_integer(asked)) > 0
               ? "must not exceed the queries that are asked"
               : NULL;
}

static const char *fault(const char **name, const dp_mechanism *m)
{
    const char *wrong = pate_fault(name, aggregator(m), has(m, "inverse-scale"), has(m, "sigma"),
                                   has(m, "sigma-threshold"));
    return wrong != NULL ? wrong
                         : pate_count_fault(name, aggregator(m), mechanism_number(m, "queries"),
                                            mechanism_number(m, "answered"));
}

void pate_account_read(pate_account *a, dp_aggregator kind, const dp_number *const part[5])
{
    const dp_number *scale = kind == DP_LNMAX ? part[0] : part[1];
    a->kind = kind;
    if (scale != NULL)
        mpq_set(a->scale, number_rational(scale));
    if (kind == DP_CONFIDENT_GNMAX)
        mpq_set(a->threshold, number_rational(part[2]));
    mpz_set_ui(a->asked, 1);
    if (part[3] != NULL)
        mpz_set(a->asked, number_integer(part[3]));
    a->capped = part[4] != NULL;
    if (a->capped)
        mpz_set(a->answered, number_integer(part[4]));
}

static void account_of(pate_account *a, const dp_mechanism *m)
{
    const dp_number *const part[] = {
        mechanism_number(m, "inverse-scale"), mechanism_number(m, "sigma"),
        mechanism_number(m, "sigma-threshold"), mechanism_number(m, "queries"),
        mechanism_number(m, "answered")};
    pate_account_init(a);
    pate_account_read(a, aggregator(m), part);
}

static dp_status pair(product *to, const dp_mechanism *m, const mpz_t times, direction way,
                      dp_end end)
{
    (void)way; /* the pair is symmetric and attained */
    (void)end;
    pate_account a;
    mpq_t mu2;
    mpq_init(mu2);
    account_of(&a, m);
    dp_status status;
    if (a.kind == DP_LNMAX) {
        mpz_mul(a.asked, a.asked, times);
        mpz_mul_2exp(a.asked, a.asked, 1);
        status = laplace_add(to, a.scale, a.asked);
    } else {
        pate_mu_squared(mu2, &a);
        status = gaussian_add(to, mu2, times);
    }
    pate_account_clear(&a);
    mpq_clear(mu2);
    return status;
}

static bool rho_q(mpq_t rho, const dp_mechanism *m)
{
    if (aggregator(m) == DP_LNMAX)
        return false;
    pate_account a;
    account_of(&a, m);
    pate_mu_squared(rho, &a);
    mpq_div_2exp(rho, rho, 1);
    pate_account_clear(&a);
    return true;
}

static dp_status concentrated(mpfi_t xi, mpfi_t rho, const dp_mechanism *m)
{
    pate_account a;
    mpq_t q;
    mpq_init(q);
    account_of(&a, m);
    mpfi_set_ui(xi, 0);
    if (rho_q(q, m)) {
        mpfi_set_q(rho, q);
    } else {
        laplace_kl(rho, a.scale);
        mpfi_mul_2ui(rho, rho, 1);
        ival_mul_z(rho, rho, a.asked);
    }
    pate_account_clear(&a);
    mpq_clear(q);
    return DP_OK;
}

/* So many votes move at most, and the largest by as many: as with so much less noise. That many
 * times one vote is the worst of all moves, for a vector of Laplace noise is no worse than one
 * number that moves by its L1 distance. */
static dp_status group(dp_mechanism *copy, const mpz_t size)
{
    static const char *const noise[] = {"sigma", "sigma-threshold", "inverse-scale"};
    mpq_t part, times;
    mpq_inits(part, times, NULL);
    mpq_set_z(times, size);
    for (size_t i = 0; i < 3; i++)
        if (has(copy, noise[i])) {
            mpq_set(part, number_rational(mechanism_number(copy, noise[i])));
            if (i < 2)
                mpq_div(part, part, times);
            else
                mpq_mul(part, part, times);
            mechanism_set_q(copy, noise[i], part);
        }
    mpq_clears(part, times, NULL);
    return DP_OK;
}

static const parameter *const parameters[] = {
    &pate_aggregator, &pate_inverse_scale, &pate_sigma, &pate_sigma_threshold,
    &pate_queries,    &pate_answered,      NULL};

const mechanism_type mechanism_pate = {
    .name = "pate",
    .brief = "noisy votes of teachers trained on disjoint records",
    .manual = "One record belongs to one teacher, and the assignment of the others does not move "
              "with it: one vote of each query moves from a class to another. Queries may be "
              "chosen adaptively, their number and the noise are fixed in advance. Accounted "
              "for are the noisy votes, which may be published; the answers alone may spend less.",
    .parameters = parameters,
    .relations = RELATION(ADD_REMOVE) | RELATION(REPLACE_ONE),
    .fault = fault,
    .pair = pair,
    .zcdp = concentrated,
    .rho = rho_q,
    .group = group,
};

const mechanism_type *const vote_types[] = {&mechanism_pate, NULL};
