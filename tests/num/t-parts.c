/* SPDX-License-Identifier: MIT */
/* Each part is made once, whoever makes it. */
#include "num/threads.h"

#include <fenv.h>
#include <stdatomic.h>

#include "support.h"

#define PARTS 1000

typedef struct tally {
    atomic_int made[PARTS], others, rounded;
} tally;

static void count(void *of, size_t part, bool calling)
{
    tally *t = of;
    atomic_fetch_add(&t->made[part], 1);
    atomic_fetch_add(&t->others, !calling);
    atomic_fetch_add(&t->rounded, fegetround() != FE_TONEAREST);
}

static void test_parts(void **state)
{
    (void)state;
    static const size_t threads[] = {0, 1, 2, 3, 8, THREADS_MOST + 10};
    static const size_t parts[] = {0, 1, 2, PARTS};
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++)
        for (size_t j = 0; j < sizeof parts / sizeof *parts; j++) {
            tally t = {0};
            threads_run(count, &t, parts[j], threads[i]);
            for (size_t k = 0; k < PARTS; k++)
                assert_int_equal(t.made[k], k < parts[j]);
            assert_true(t.others == 0 || (threads[i] > 1 && parts[j] > 1));
        }
}

/* Another thread rounds as the calling one does, or it could not be told what its sums are worth.
 */
static void test_rounding(void **state)
{
    (void)state;
    tally t = {0};
    fesetround(FE_UPWARD);
    threads_run(count, &t, PARTS, 4);
    fesetround(FE_TONEAREST);
    assert_int_equal(t.rounded, PARTS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_rounding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
