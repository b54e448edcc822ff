/* SPDX-License-Identifier: MIT */
/* Private majorities: what the noise functions are by their definitions, how the designs stand to
 * each other, and that the ways to evaluate the worst case agree. */
#include "support.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "vote/ballots.h"
#include "vote/eight.h"
#include "vote/noise.h"

#define MOST_VOTERS 15
#define BITS 200

static void set_sample(noise *g, size_t voters, size_t k)
{
    assert_true(noise_init(g, voters));
    noise_set_subsample(g, k);
}

static void test_even_sample(void **state)
{
    (void)state;
    for (size_t voters = 3; voters <= MOST_VOTERS; voters += 2)
        for (size_t k = 2; k < voters; k += 2) {
            noise even, odd;
            set_sample(&even, voters, k);
            set_sample(&odd, voters, k - 1);
            for (size_t l = 0; l <= voters; l++)
                assert_true(mpq_equal(even.gamma[l], odd.gamma[l]));
            noise_clear(&odd);
            noise_clear(&even);
        }
}

static void test_sample_of_one_and_all(void **state)
{
    (void)state;
    mpq_t want;
    mpq_init(want);
    for (size_t voters = 1; voters <= MOST_VOTERS; voters += 2) {
        noise one, all;
        set_sample(&one, voters, 1);
        set_sample(&all, voters, voters);
        for (size_t l = 0; l <= voters; l++) {
            mpq_set_ui(want, 2 * l > voters ? 2 * l - voters : voters - 2 * l, voters);
            mpq_canonicalize(want);
            assert_true(mpq_equal(one.gamma[l], want));
            assert_int_equal(mpq_cmp_ui(all.gamma[l], 1, 1), 0);
        }
        noise_clear(&all);
        noise_clear(&one);
    }
    mpq_clear(want);
}

/* The cost of a sample of 2m - 1 votes is m epsilons, not fewer. */
static void test_pivotal(void **state)
{
    (void)state;
    mpq_t cost;
    mpq_init(cost);
    for (size_t voters = 1; voters <= MOST_VOTERS; voters += 2)
        for (size_t m = 1; 2 * m - 1 <= voters; m++) {
            noise g;
            set_sample(&g, voters, 2 * m - 1);
            assert_true(noise_is_symmetric(&g) && noise_is_monotone(&g));
            noise_pivotal(cost, &g);
            assert_int_equal(mpq_cmp_ui(cost, m, 1), 0);
            noise_clear(&g);
        }
    mpq_clear(cost);
}

/* As many votes and digits as are served end with the time, whatever is worked on then. Counted in
 * time of the processor, which a loaded machine does not stretch. */
static void test_time(void **state)
{
    (void)state;
    static const dp_design designs[] = {DP_DESIGN_SUBSAMPLE, DP_DESIGN_CONSTANT, DP_DESIGN_OPTIMAL};
    for (size_t i = 0; i < 3; i++) {
        dp_composition list;
        dp_majority m;
        dp_result r;
        dp_number ten;
        dp_options opt = dp_options_default();
        dp_composition_init(&list);
        dp_majority_init(&m);
        dp_result_init(&r);
        dp_number_init(&ten);
        list_add(&list, "0.1", "1e-5", 301);
        number_of(&ten, "10");
        rational_of(m.target_delta, "1e-5");
        m.groups = &list;
        m.allowance = &ten;
        m.design = designs[i];
        opt.digits = 10000;
        opt.max_seconds = 1;
        clock_t began = clock();
        dp_status status = dp_majority_designs(&r, &m, &opt, NULL);
        assert_true(status == DP_OK || status == DP_UNDECIDED);
        assert_true(clock() - began < 2 * CLOCKS_PER_SEC);
        dp_number_clear(&ten);
        dp_result_clear(&r);
        dp_majority_clear(&m);
        dp_composition_clear(&list);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_even_sample),
        cmocka_unit_test(test_sample_of_one_and_all),
        cmocka_unit_test(test_pivotal),
        cmocka_unit_test(test_time),
    };
    return cmocka_run_group_tests_name("majority-designs", tests, NULL, NULL);
}
