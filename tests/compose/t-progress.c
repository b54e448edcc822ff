/* SPDX-License-Identifier: MIT */
/* What long work says of itself: the ends that the answer lies between, each time. */
#include "support.h"

#include <math.h>
#include <string.h>

typedef struct heard {
    const char *what;
    size_t count;
    double lower, upper; /* the narrowest */
} heard;

static void hear(void *context, const char *what, double lower, double upper)
{
    heard *h = context;
    assert_true(lower <= upper);
    if (strcmp(what, h->what) != 0)
        return;
    h->count++;
    h->lower = fmax(h->lower, lower);
    h->upper = fmin(h->upper, upper);
}

/* Losses without a common step, so that they are bracketed. */
static void ask(dp_result *r, heard *h, const char *target, bool delta)
{
    dp_composition list;
    dp_number at;
    dp_error err;
    dp_composition_init(&list);
    dp_number_init(&at);
    number_of(&at, target);
    list_add(&list, "0.1", "0", 40);
    list_add(&list, "ln(11/10)", "1e-7", 30);
    list_add(&list, "0.0731", "0", 50);
    dp_compose_query q = {.list = &list, .method = DP_COMPOSE_OPTIMAL};
    if (delta)
        q.target_delta = &at;
    else
        q.target_epsilon = &at;
    dp_options opt = dp_options_default();
    opt.narrowed = hear;
    opt.progress_context = h;
    assert_int_equal(dp_compose(r, &q, &opt, &err), DP_OK);
    dp_number_clear(&at);
    dp_composition_clear(&list);
}

static void test_ends(void **state)
{
    (void)state;
    for (int delta = 0; delta < 2; delta++) {
        dp_result r;
        dp_result_init(&r);
        heard h = {.what = delta ? "epsilon" : "delta", .upper = HUGE_VAL};
        ask(&r, &h, delta ? "1e-5" : "2", delta);
        const dp_figure *x = dp_result_figure(&r, h.what);
        assert_true(h.count > 0 && x != NULL && x->kind == DP_ENCLOSED);
        /* the last enclosure is the answer, its ends rounded outward */
        assert_true(mpfr_cmp_d(&x->enclosure->left, h.lower) >= 0);
        assert_true(mpfr_cmp_d(&x->enclosure->right, h.upper) <= 0);
        assert_true(h.upper - h.lower < 1e-9 * h.upper);
        dp_result_clear(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ends)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
