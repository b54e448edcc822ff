/* SPDX-License-Identifier: MIT */
/* Laws with finitely many outcomes, and with two ends, refused each of their blocks (TAP): from the
 * adding of pairs to their composed profile by each evaluator nothing crashes, and nothing is left
 * behind, the blocks of GMP included. That a query then fails is what the count of refusals is for.
 */
#include <stdio.h>
#include <stdlib.h>

#include "engine/invert.h"
#include "loss/pair.h"
#include "loss/response.h"
#include "loss/response_kary.h"
#include "loss/sampled_laplace.h"
#include "loss/steps.h"
#include "num/number.h"
#include "refusing.h"

#include <mpfr.h>

static dp_status add_pairs(product *to, bool swap)
{
    static const unsigned long mass[2][4] = {{3, 4, 2, 1}, {1, 5, 4, 0}};
    mpq_t p[4], q[4];
    mpz_t times;
    mpz_init_set_ui(times, 3);
    for (size_t j = 0; j < 4; j++) {
        mpq_inits(p[j], q[j], NULL);
        mpq_set_ui(p[j], mass[0][j], 10);
        mpq_set_ui(q[j], mass[1][j], 10);
        mpq_canonicalize(p[j]);
        mpq_canonicalize(q[j]);
    }
    dp_status status = pair_add(to, (const mpq_t *)p, (const mpq_t *)q, 4, swap, times);
    if (status == DP_OK)
        status = pair_add(to, (const mpq_t *)p, (const mpq_t *)q, 4, false, times);
    for (size_t j = 0; j < 4; j++)
        mpq_clears(p[j], q[j], NULL);
    mpz_clear(times);
    return status;
}

static dp_status add_others(product *to)
{
    dp_number eps;
    mpq_t delta, rate;
    mpz_t times, k;
    dp_number_init(&eps);
    mpq_inits(delta, rate, NULL);
    mpz_init_set_ui(times, 2);
    mpz_init_set_ui(k, 5);
    dp_number_set_ui(&eps, 1);
    mpq_set_ui(delta, 1, 100);
    mpq_set_ui(rate, 1, 8);
    dp_status status = response_kary_add(to, &eps, k, times);
    for (int i = 0; status == DP_OK && i < 2; i++)
        status = steps_poisson_add(to, &eps, delta, rate, i == 1, times);
    if (status == DP_OK)
        status = steps_missed_add(to, &eps, delta, rate, times);
    mpz_clears(times, k, NULL);
    mpq_clears(delta, rate, NULL);
    dp_number_clear(&eps);
    return status;
}

static dp_status add_both(product *to)
{
    dp_status status = add_pairs(to, true);
    return status == DP_OK ? add_others(to) : status;
}

static dp_status add_pairs_alone(product *to)
{
    return add_pairs(to, false);
}

/* Two kinds with ends, beside one with two losses. */
static dp_status add_ends(product *to)
{
    dp_number eps;
    mpq_t epsilon, rate;
    mpz_t times;
    dp_number_init(&eps);
    mpq_inits(epsilon, rate, NULL);
    mpz_init_set_ui(times, 1);
    dp_number_set_ui(&eps, 1);
    mpq_set_ui(epsilon, 1, 2);
    mpq_set_ui(rate, 1, 8);
    dp_status status = response_add(to, &eps, times);
    if (status == DP_OK)
        status = sampled_laplace_add(to, epsilon, rate, times, false);
    mpz_set_ui(times, 2);
    mpq_set_ui(rate, 1, 4);
    if (status == DP_OK)
        status = sampled_laplace_add(to, epsilon, rate, times, false);
    mpz_clear(times);
    mpq_clears(epsilon, rate, NULL);
    dp_number_clear(&eps);
    return status;
}

typedef dp_status add_laws(product *to);

/* The profile at ln(11/10) without the evaluators that are named; exactly where it is rational. */
static dp_status compose(add_laws *add, unsigned without)
{
    product p;
    engine e;
    logform x;
    limits lim = {0};
    dp_figure f;
    mpq_t odds, one;
    product_init(&p);
    logform_init(&x);
    dp_figure_init(&f);
    mpq_inits(odds, one, NULL);
    mpq_set_ui(odds, 11, 10);
    mpq_set_ui(one, 1, 1);
    dp_status status = add(&p);
    if (status == DP_OK && !logform_add_log(&x, one, odds))
        status = DP_MEMORY;
    if (status == DP_OK) {
        status = engine_init(&e, &p);
        e.without = without;
        if (status == DP_OK)
            status = optimal_delta_at(&f, &e, &x, 3, &lim);
        engine_clear(&e);
    }
    mpq_clears(odds, one, NULL);
    dp_figure_clear(&f);
    logform_clear(&x);
    product_clear(&p);
    return status;
}

static bool try_all(add_laws *add, unsigned without)
{
    only = SIZE_MAX;
    exhausted = false;
    taken = refused = 0;
    if (compose(add, without) != DP_OK)
        return false;
    mpfr_free_cache(); /* a refusal may lead another way, where MPFR keeps more for later */
    size_t all = taken;
    for (size_t n = 1; n <= all; n += n < 200 ? 1 : 1 + n / 16)
        for (int last = 0; last < 2; last++) {
            size_t before = live;
            only = n;
            exhausted = last == 1;
            taken = refused = 0;
            dp_status status = compose(add, without);
            mpfr_free_cache();
            if (live != before || (refused == 0 && status != DP_OK)) {
                printf("# block %zu of %zu: status %d, %zd left\n", n, all, (int)status,
                       (ptrdiff_t)(live - before));
                return false;
            }
        }
    return true;
}

int main(void)
{
    static const struct {
        const char *name;
        add_laws *add;
        unsigned without;
    } cases[] = {
        {"rational", add_pairs_alone, 0},
        {"all losses", add_both, 0},
        {"smoothed", add_both, 1U << PROFILE_ATOMS},
        {"ends", add_ends, 0},
    };
    size_t count = sizeof cases / sizeof *cases, failed = 0;
    count_numbers();
    printf("1..%zu\n", count);
    for (size_t i = 0; i < count; i++) {
        bool ok = try_all(cases[i].add, cases[i].without);
        failed += !ok;
        printf("%sok %zu - %s\n", ok ? "" : "not ", i + 1, cases[i].name);
        fflush(stdout);
    }
    mpfr_free_cache();
    return failed > 0;
}
