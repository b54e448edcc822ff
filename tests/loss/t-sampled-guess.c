/* SPDX-License-Identifier: MIT */
/* Guesses of the sampled Gaussian do not depend on what was guessed before: what they keep is what
 * they would find. Decays beside sums without anything kept. */
#include "support.h"

#include <math.h>

#include "loss/sampled_gaussian.h"
#include "loss/sampled_gaussian_parts.h"
#include "num/memory.h"

static double between(rng *r, double low, double high)
{
    return low + (high - low) * (double)rng_below(r, 1000001) / 1e6;
}

static const sgm_item *begin(product *p, const mpq_t sigma, const mpq_t rate, bool add)
{
    mpz_t times;
    mpz_init_set_ui(times, 1000);
    product_init(p);
    assert_int_equal(sampled_gaussian_add(p, sigma, rate, times, add), DP_OK);
    mpz_clear(times);
    return ((const sgm *)p->item[0].self)->item;
}

static void check_guess(const sgm_item *used, const sgm_item *fresh, double p)
{
    double k[3], l[3];
    sgm_guess(k, used, p);
    sgm_guess(l, fresh, p);
    for (int i = 0; i < 3; i++)
        assert_true(k[i] == l[i]);
}

/* The line of the last decay is where the next one is looked for first. */
static void check_decay(const sgm_item *used, const sgm_item *fresh, double p, double t)
{
    int best, other;
    fresh->memo->angle = used->memo->angle;
    double d = sgm_near_decay(&best, used, p, t);
    memory_free(fresh->memo->tables);
    fresh->memo->tables = NULL;
    double e = sgm_near_decay(&other, fresh, p, t);
    assert_int_equal(best, other);
    assert_true(fabs(d - e) <= 1e-12 * (1 + fabs(e)));
}

static void test_kept(void **state)
{
    (void)state;
    rng r = rng_make(73);
    for (int i = 0; i < rounds(100); i++) {
        product p, q;
        mpq_t sigma, rate;
        mpq_inits(sigma, rate, NULL);
        mpq_set_d(sigma, exp(between(&r, log(0.2), log(10))));
        mpq_set_d(rate, exp(between(&r, log(1e-4), log(0.7))));
        bool add = rng_below(&r, 2) == 0;
        const sgm_item *used = begin(&p, sigma, rate, add);
        double power = 0;
        for (int j = 0; j < 10; j++) {
            const sgm_item *fresh = begin(&q, sigma, rate, add);
            if (j == 0 || rng_below(&r, 3) > 0) /* else the last one again */
                power = rng_below(&r, 2) == 0 ? -between(&r, 0.05, 5)
                                              : 1 + exp(between(&r, log(0.05), log(40)));
            check_guess(used, fresh, power);
            check_decay(used, fresh, power, exp(between(&r, log(0.01), log(100))));
            product_clear(&q);
        }
        product_clear(&p);
        mpq_clears(sigma, rate, NULL);
    }
}

/* Guesses of a group at every order, as far out as a search goes: ln G is convex and its slope is
 * the mean, where the sum ends and the mode at the end takes over too. */
static void check_orders(const sgm_item *g, double by)
{
    double before[3], now[3], p = 1.01;
    sgm_guess(before, g, p);
    for (double next = p * by; next < 1e18; p = next, next *= p < 1e3 ? by : 2) {
        sgm_guess(now, g, next);
        if (before[0] < HUGE_VAL && now[0] < HUGE_VAL) {
            double rise = (now[0] - before[0]) / (next - p), room = 1e-7 * (1 + fabs(now[1]));
            assert_true(before[1] - room <= rise && rise <= now[1] + room);
        } else {
            assert_true(p < 1e6);
        }
        for (int i = 0; i < 3; i++)
            before[i] = now[i];
    }
}

static void test_groups(void **state)
{
    (void)state;
    rng r = rng_make(74);
    for (int i = 0; i < rounds(60); i++) {
        static const unsigned long sizes[] = {2, 3, 5, 17};
        product p;
        mpq_t sigma, rate;
        mpz_t times;
        mpq_inits(sigma, rate, NULL);
        mpz_init_set_ui(times, 1000);
        mpq_set_d(sigma, exp(between(&r, log(0.5), log(10))));
        mpq_set_d(rate, exp(between(&r, log(1e-4), log(0.7))));
        product_init(&p);
        assert_int_equal(sampled_gaussian_add_group(&p, sigma, rate, sizes[rng_below(&r, 4)], times,
                                                    rng_below(&r, 2) == 0),
                         DP_OK);
        check_orders(((const sgm *)p.item[0].self)->item, exp(between(&r, 0.02, 0.2)));
        product_clear(&p);
        mpz_clear(times);
        mpq_clears(sigma, rate, NULL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_kept), cmocka_unit_test(test_groups)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
