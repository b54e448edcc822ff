/* SPDX-License-Identifier: MIT */
/* The contract of the node scan at its worst places: whatever it drops has D >= lambda, by a sum at
 * 400 bits of exact turns. The nodes lie just below 2^40, where an error of a turn counts most, and
 * the turns resonate there: the phase of one node is as near to a whole turn as D = lambda allows.
 */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/smooth.h"
#include "loss/response_list.h"
#include "loss/response_nodes.h"
#include "num/wide.h"

#define BITS 400
#define MOST_ITEMS 4
#define MOST_NODES 100000

typedef struct exact_item {
    mpfr_t turn;
    double weight;
} exact_item;

/* D(n) of the exact turns */
static double depth_at(const exact_item *item, size_t count, uint64_t n)
{
    mpfr_t x, sum;
    mpfr_init2(x, BITS);
    mpfr_init2(sum, BITS);
    mpfr_set_ui(sum, 0, MPFR_RNDN);
    for (size_t i = 0; i < count; i++) {
        wide_mul_fr(x, item[i].turn, n, MPFR_RNDN);
        mpfr_frac(x, x, MPFR_RNDN);
        mpfr_t pi;
        mpfr_init2(pi, BITS);
        mpfr_const_pi(pi, MPFR_RNDN);
        mpfr_mul(x, x, pi, MPFR_RNDN);
        mpfr_clear(pi);
        mpfr_sin(x, x, MPFR_RNDN); /* (1 - cos 2y) / 4 = sin(y)^2 / 2 */
        mpfr_sqr(x, x, MPFR_RNDN);
        mpfr_mul_d(x, x, item[i].weight / 2, MPFR_RNDN);
        mpfr_add(sum, sum, x, MPFR_RNDN);
    }
    double d = mpfr_get_d(sum, MPFR_RNDN);
    mpfr_clear(sum);
    mpfr_clear(x);
    return d;
}

/* The turn's 88 bits: cut off, or one unit further where the contract lets it. */
static void give(scan_item *out, const exact_item *item, bool up)
{
    mpfr_t x;
    mpz_t bits, rest;
    uint64_t low = 0;
    mpfr_init2(x, BITS);
    mpz_inits(bits, rest, NULL);
    mpfr_mul_2ui(x, item->turn, 88, MPFR_RNDN);
    mpfr_get_z(bits, x, up ? MPFR_RNDU : MPFR_RNDD);
    mpz_fdiv_r_2exp(bits, bits, 88);
    mpz_fdiv_r_2exp(rest, bits, 24);
    mpz_fdiv_q_2exp(bits, bits, 24);
    assert_true(wide_get_z(&out->turn, bits) && wide_get_z(&low, rest));
    out->rest = (uint32_t)low;
    out->weight = item->weight;
    mpz_clears(bits, rest, NULL);
    mpfr_clear(x);
}

/* A turn below `most` whose phase at node n is `off` from a whole turn. */
static void resonate(mpfr_t turn, rng *r, uint64_t n, double most, double off)
{
    mpz_t z;
    mpz_init(z);
    wide_set_z(z, rng_wide(r, (uint64_t)((double)n * most) + 2));
    mpfr_set_d(turn, off, MPFR_RNDN);
    mpfr_add_z(turn, turn, z, MPFR_RNDN);
    mpz_clear(z);
    wide_div_fr(turn, turn, n, MPFR_RNDN);
    if (mpfr_sgn(turn) < 0)
        mpfr_add_ui(turn, turn, 1, MPFR_RNDN);
}

static double uniform(rng *r)
{
    return (double)rng_below(r, 1U << 30) / (double)(1U << 30);
}

static bool listed(const node_list *list, uint64_t n)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->node[i] == n)
            return true;
    return false;
}

typedef struct question {
    exact_item item[MOST_ITEMS];
    size_t count;
    double lambda;
    uint64_t node, first, last;
} question;

/* D at the node is lambda, or a little less; how that is shared among the items is left to chance.
 */
static void random_question(question *q, rng *r)
{
    /* light, of any weight, or such that a phase counts to its last bits */
    unsigned kind = (unsigned)rng_below(r, 3);
    q->count = kind == 2 ? 1 : 1 + rng_below(r, MOST_ITEMS);
    q->lambda = 5 + 300 * uniform(r);
    q->node = (UINT64_C(1) << 40) - 2000 - rng_below(r, rng_below(r, 4) ? 1000000 : 1U << 30);
    q->first = q->node - rng_below(r, 200);
    q->last = q->node + rng_below(r, 200);
    double left = q->lambda * (1 - exp(-20 * uniform(r)));
    for (size_t i = 0; i < q->count; i++) {
        double part = i + 1 < q->count ? left * uniform(r) : left; /* w/2 sin(pi x)^2 */
        left -= part;
        double grow = kind == 0   ? 3 * uniform(r)
                      : kind == 1 ? 80 * uniform(r)
                                  : 60 + 8 * uniform(r);
        double w = 2 * part * exp(grow);
        double off = asin(sqrt(2 * part / w)) / 3.141592653589793;
        /* long steps, hardly any, and those that take a few nodes to leave the place */
        double most = (double[]){1, 0x1p-36, off / 30, off / 300}[rng_below(r, 4)];
        q->item[i].weight = w;
        mpfr_init2(q->item[i].turn, BITS);
        resonate(q->item[i].turn, r, q->node, most, rng_below(r, 2) ? off : -off);
    }
}

/* What is kept below must be there; what is kept in vain is counted. */
static size_t check_question(const question *q, rng *r)
{
    scan_item item[MOST_ITEMS];
    node_list kept = {NULL, 0, 0};
    limits lim = {0};
    for (size_t i = 0; i < q->count; i++)
        give(&item[i], &q->item[i], rng_below(r, 2) != 0);
    assert_int_equal(
        scan_nodes(&kept, item, q->count, q->first, q->last, q->lambda, MOST_NODES, &lim), DP_OK);
    size_t vain = 0;
    for (uint64_t n = q->first; n <= q->last; n++) {
        double d = depth_at(q->item, q->count, n);
        bool is_kept = listed(&kept, n);
        if (d < q->lambda * (1 - 1e-12) && !is_kept) {
            fail_msg("node %llu with D = %.17g < %.17g is dropped", (unsigned long long)n, d,
                     q->lambda);
        }
        vain += is_kept && d > 1.1 * q->lambda;
    }
    node_list_clear(&kept);
    return vain;
}

static void test_worst_places(void **state)
{
    (void)state;
    rng r = rng_make(4001);
    size_t vain = 0;
    int tries = rounds(200);
    for (int i = 0; i < tries; i++) {
        question q;
        random_question(&q, &r);
        vain += check_question(&q, &r);
        for (size_t k = 0; k < q.count; k++)
            mpfr_clear(q.item[k].turn);
    }
    /* a scan that keeps everything is sound and of no use */
    assert_true(vain < 20 * (size_t)tries);
    printf("%zu nodes kept in vain\n", vain);
}

/* Long lists: the lightest items are left to the second look, and still no node is lost. */
static void test_long_list(void **state)
{
    (void)state;
    enum { COUNT = 2600 };
    rng r = rng_make(4002);
    scan_item given[COUNT];
    exact_item *item = calloc(COUNT, sizeof *item);
    assert_non_null(item);
    for (int i = 0; i < rounds(4); i++) {
        question q = {.node = (UINT64_C(1) << 40) - 500, .lambda = 40};
        for (size_t k = 0; k < COUNT; k++) {
            mpfr_init2(item[k].turn, BITS);
            double off = 0x1p-20 * uniform(&r), w = item[k].weight = exp(20 * uniform(&r));
            off = fmin(off, sqrt(2 * 36.0 / COUNT / w) / 3.1416);
            resonate(item[k].turn, &r, q.node, 1, rng_below(&r, 2) ? off : -off);
            give(&given[k], &item[k], rng_below(&r, 2) != 0);
        }
        node_list kept = {NULL, 0, 0};
        limits lim = {0};
        assert_int_equal(
            scan_nodes(&kept, given, COUNT, q.node - 20, q.node + 20, q.lambda, MOST_NODES, &lim),
            DP_OK);
        assert_true(depth_at(item, COUNT, q.node) < q.lambda);
        assert_true(listed(&kept, q.node));
        assert_true(kept.count < 5);
        node_list_clear(&kept);
        for (size_t k = 0; k < COUNT; k++)
            mpfr_clear(item[k].turn);
    }
    free(item);
}

/* What a law hands to the scan is within the scan's contract: one unit of 2^-88. */
static void check_turn(const scan_item *item, mpfr_t exact)
{
    mpfr_t got;
    mpfr_init2(got, BITS);
    wide_set_fr(got, item->turn, MPFR_RNDN);
    mpfr_mul_2ui(got, got, 24, MPFR_RNDN);
    mpfr_add_ui(got, got, item->rest, MPFR_RNDN);
    mpfr_mul_2ui(exact, exact, 88, MPFR_RNDN);
    mpfr_sub(got, exact, got, MPFR_RNDN);
    mpfr_t modulus;
    mpfr_init2(modulus, 8);
    mpfr_set_ui_2exp(modulus, 1, 88, MPFR_RNDN);
    mpfr_remainder(got, got, modulus, MPFR_RNDN);
    assert_true(mpfr_cmpabs_ui(got, 1) < 0);
    assert_true(item->rest < 1U << 24);
    mpfr_clear(modulus);
    mpfr_clear(got);
}

static void exact_epsilon(mpfr_t x, const dp_number *epsilon)
{
    mpfr_set_q(x, epsilon->value, MPFR_RNDN);
    if (epsilon->is_log)
        mpfr_log(x, x, MPFR_RNDN);
}

static void test_turns(void **state)
{
    (void)state;
    static const char *const epsilons[] = {"0.1",   "1e30",          "ln(3)", "1e-30",
                                           "12345", "ln(1.0000001)", "2e-10"};
    rng r = rng_make(4003);
    mpfr_t x, pi, spacing;
    mpfr_inits2(BITS, x, pi, (mpfr_ptr)NULL);
    mpfr_init2(spacing, 70);
    mpfr_const_pi(pi, MPFR_RNDN);
    for (size_t i = 0; i < sizeof epsilons / sizeof epsilons[0]; i++) {
        dp_composition list;
        composed c;
        scan_item item;
        dp_composition_init(&list);
        list_add(&list, epsilons[i], "0", 1 + rng_below(&r, 1000));
        assert_int_equal(composed_init(&c, &list), DP_OK);
        for (int k = 0; k < 40; k++) {
            mpfr_set_d(spacing, exp(60 * uniform(&r) - 40), MPFR_RNDN);
            mpfr_div_ui(spacing, spacing, 3, MPFR_RNDN);
            line at = {.c = 0.5, .spacing = spacing};
            assert_int_equal(response_resonances(&item, 1, c.response, &at), 1);
            exact_epsilon(x, &c.loss[0].epsilon);
            mpfr_mul(x, x, spacing, MPFR_RNDN);
            mpfr_div(x, x, pi, MPFR_RNDN);
            check_turn(&item, x);
            uint64_t m = rng_wide(&r, UINT64_C(1) << 40);
            uint64_t period = 2 * rng_wide(&r, UINT64_C(500000000000)) + 1;
            scan_item_lattice_turn(&item, m, period);
            wide_set_fr(x, m, MPFR_RNDN);
            wide_div_fr(x, x, period, MPFR_RNDN);
            check_turn(&item, x);
        }
        composed_clear(&c);
        dp_composition_clear(&list);
    }
    mpfr_clears(x, pi, spacing, (mpfr_ptr)NULL);
}

/* As list_add, of a number of uses that no `long` need hold. */
static void add_many(dp_composition *list, const char *epsilon, const char *times)
{
    dp_number e;
    mpq_t zero;
    mpz_t t;
    dp_number_init(&e);
    mpq_init(zero);
    mpz_init_set_str(t, times, 10);
    number_of(&e, epsilon);
    assert_int_equal(dp_composition_add(list, &e, zero, t, NULL), DP_OK);
    dp_number_clear(&e);
    mpq_clear(zero);
    mpz_clear(t);
}

/* Multiples m of a step over a period N near 10^12, weights to 10^20: the nodes about k N/m, where
 * the heavy loss is near whole turns, turns and weights as in a contour. */
static void check_period(rng *r, const uint64_t multiple[2], const char *epsilon, const char *times)
{
    dp_composition list;
    composed c;
    scan_item given[2];
    exact_item item[2];
    node_list kept = {NULL, 0, 0};
    limits lim = {0};
    double lambda = 40 + 60 * uniform(r);
    uint64_t period = 2 * (UINT64_C(400000000000) + rng_wide(r, UINT64_C(90000000000))) + 1;
    dp_composition_init(&list);
    add_many(&list, epsilon, times);
    list_add(&list, "0.5", "0", 1);
    assert_int_equal(composed_init(&c, &list), DP_OK);
    mpfr_t any;
    mpfr_init2(any, 20);
    mpfr_set_ui(any, 1, MPFR_RNDN);
    line at = {.c = 0.5, .spacing = any};
    assert_int_equal(response_resonances(given, 2, c.response, &at), 2);
    mpfr_clear(any);
    for (size_t i = 0; i < 2; i++) {
        scan_item_lattice_turn(&given[i], multiple[i], period);
        mpfr_init2(item[i].turn, BITS);
        wide_set_fr(item[i].turn, multiple[i], MPFR_RNDN);
        wide_div_fr(item[i].turn, item[i].turn, period, MPFR_RNDN);
        item[i].weight = given[i].weight;
    }
    assert_int_equal(scan_nodes(&kept, given, 2, 0, (period - 1) / 2, lambda, MOST_NODES, &lim),
                     DP_OK);
    size_t below = 0;
    for (uint64_t k = 0; k <= multiple[0] / 2; k++)
        for (uint64_t j = 0; j < 401; j++) {
            uint64_t n = k * period / multiple[0] + j - 200;
            if (n > (period - 1) / 2 || depth_at(item, 2, n) >= lambda * (1 - 1e-12))
                continue;
            below++;
            if (!listed(&kept, n))
                fail_msg("node %llu of %llu is dropped", (unsigned long long)n,
                         (unsigned long long)period);
        }
    assert_true(below > multiple[0] / 2 && kept.count < 1000000 / multiple[0]);
    node_list_clear(&kept);
    for (size_t i = 0; i < 2; i++)
        mpfr_clear(item[i].turn);
    composed_clear(&c);
    dp_composition_clear(&list);
}

static void test_periods(void **state)
{
    (void)state;
    rng r = rng_make(4004);
    for (int i = 0; i < rounds(3); i++) {
        check_period(&r, (uint64_t[]){5, 6}, "1e-10", "4000000000000000000");
        check_period(&r, (uint64_t[]){3, 4}, "3e-9", "1000000000000000000");
        check_period(&r, (uint64_t[]){10, 11}, "1e-3", "2000000000000000000");
    }
}

/* What a sum drops, at the price of e^-lambda each and beyond the last, is at most what
 * trapezoid_dropped charges, also left of c = -1/2, where 1 + c is the nearer pole. */
static void test_dropped(void **state)
{
    (void)state;
    static const double tilts[] = {-0.984375, -0.75, -0.5, -0.25, -0.015625, 0.015625, 1, 20};
    static const double spacings[] = {0.001, 0.125, 2, 50};
    product none;
    product_init(&none);
    totals all = {.product = &none};
    mpfr_t error;
    mpfr_init2(error, 64);
    for (size_t i = 0; i < 32; i++) {
        double c = tilts[i % 8], spacing = spacings[i / 8], lambda = 3;
        trapezoid p = {.all = &all,
                       .c = c,
                       .lambda = lambda,
                       .last = 1 + 40 / (uint64_t)ceil(spacing),
                       .work = 100,
                       .sums = 1,
                       .square = {0x1p-6}};
        mpfr_init2(p.spacing, 64);
        mpfr_set_d(p.spacing, spacing, MPFR_RNDN);
        double sum = 0;
        for (int n = -200000; n <= 200000; n++) {
            double theta = n * spacing, size = hypot(c, theta) * hypot(c + 1, theta);
            double factor = exp(0x1p-6 * (c * (c + 1) - theta * theta) / 2) / size;
            sum += (uint64_t)abs(n) <= p.last ? factor * exp(-lambda) : factor;
        }
        trapezoid_dropped(error, &p);
        double charged = mpfr_get_d(error, MPFR_RNDU);
        if (!(charged >= sum * (1 - 1e-9) && charged < 1e4 * sum))
            fail_msg("c = %g, spacing %g: %g of %g", c, spacing, charged, sum);
        mpfr_clear(p.spacing);
    }
    mpfr_clear(error);
    product_clear(&none);
}

/* Lists in which one loss of enormous multiplicity resonates with the period: figures that were
 * wrong while the phases' error was charged as a relative one. The true values are of another
 * program, by conditioning on the single loss: 20 digits or more. */
static void test_resonance(void **state)
{
    (void)state;
    static const char *const lists[][5] = {
        {"2e-10", "30000000000000000000", "2.4e-10", "2", "0.035516001128324928028577322981801"},
        {"1e-10", "100000000000000000000", "1.2e-10", "2", "0.020923635821113731420375471594608"},
        {"3e-9", "100000000000000000", "4e-9", "3710.18463899999997811543831257",
         "1.4976145600074877943e-3320462"},
    };
    static const size_t digits[] = {10, 24};
    mpfr_t low, high, slack;
    mpfr_inits2(200, low, high, slack, (mpfr_ptr)NULL);
    for (size_t i = 0; i < (size_t)rounds(6); i++) {
        const char *const *list = lists[i / 2 % 3];
        dp_composition c;
        dp_result out;
        dp_composition_init(&c);
        add_many(&c, list[0], list[1]);
        list_add(&c, list[2], "0", 1);
        dp_result_init(&out);
        ask_delta(&out, &c, list[3], digits[i % 2]);
        /* within one unit of the last digit that is known */
        mpfr_set_str(low, list[4], 10, MPFR_RNDN);
        mpfr_mul_2si(slack, low, -64, MPFR_RNDU);
        mpfr_add(high, low, slack, MPFR_RNDU);
        mpfr_sub(low, low, slack, MPFR_RNDD);
        assert_true(figure_holds_fr(row_of(&out, "compose-optimal", "delta"), low, high));
        dp_result_clear(&out);
        dp_composition_clear(&c);
    }
    mpfr_clears(low, high, slack, (mpfr_ptr)NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_worst_places), cmocka_unit_test(test_long_list),
        cmocka_unit_test(test_turns),        cmocka_unit_test(test_periods),
        cmocka_unit_test(test_dropped),      cmocka_unit_test(test_resonance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
