/* SPDX-License-Identifier: MIT */
/* Compositions that hold bagging, against the outcomes of mechanisms of that kind, one by one and
 * in both directions: no bound is below them, an exact one is at them, what is refuted is false of
 * them, and no figure is above that of the flattened pairs. */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_OUTCOMES 8
#define MOST_ITEMS 4
#define SLACK 1e-9

/* One use: its outcomes on the larger (or first) and on the smaller data set. */
typedef struct use {
    size_t outcomes;
    double p[MOST_OUTCOMES], q[MOST_OUTCOMES];
} use;

typedef struct account {
    dp_composition list, flat;
    use use[16];
    size_t uses;
    bool worst; /* these mechanisms are the worst of their kind */
    bool curve, leaks, losses;
} account;

static const double odds[] = {1, 1.25, 2, 3};
static const char *const epsilons[] = {"0", "ln(5/4)", "ln(2)", "ln(3)"};
static const double chances[] = {0, 0.01, 0.25, 1};
static const char *const deltas[] = {"0", "0.01", "0.25", "1"};

/* The worst (ln E, d)-DP mechanism, first on one data set, then on the other. */
static void respond(double *k1, double *k0, double e, double d)
{
    k1[0] = k0[3] = d;
    k1[3] = k0[0] = 0;
    k1[1] = k0[2] = (1 - d) * e / (1 + e);
    k1[2] = k0[1] = (1 - d) / (1 + e);
}

static void add_pair(account *a, rng *r)
{
    size_t e = rng_below(r, 4), d = rng_below(r, 3), times = 1 + rng_below(r, 2);
    list_add(&a->list, epsilons[e], deltas[d], times);
    for (size_t i = 0; i < times; i++) {
        use *u = &a->use[a->uses++];
        u->outcomes = 4;
        respond(u->p, u->q, odds[e], chances[d]);
    }
    a->losses = a->losses || e > 0;
}

/* P = (1 - eta) K0 + eta K1, Q = K0 */
static void mix(use *u, double eta, const double *k1, const double *k0, size_t outcomes)
{
    u->outcomes = outcomes;
    for (size_t i = 0; i < outcomes; i++) {
        u->p[i] = (1 - eta) * k0[i] + eta * k1[i];
        u->q[i] = k0[i];
    }
}

static double choose(double n, double k)
{
    return exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1));
}

static double step(double p, double e, double d)
{
    return fmin(1, fmin(d + e * p, 1 - (1 - d - p) / e));
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The record is drawn J times, J ~ Bin(k, 1/n), and moves the distribution function of the outcome
 * by J steps: no learner shows more. */
static void draw_worst(use *u, double n, double k, double e, double d)
{
    double place[MOST_OUTCOMES] = {0, 1}, v = (1 - d) / (1 + e), z = 0, before = 0, last = 0;
    size_t places = 2;
    for (double j = 1; j <= k; j++, v = (v - d) / e) {
        z = step(z, e, d);
        if (v > 0)
            place[places++] = v;
        if (z > 0 && z < 1)
            place[places++] = 1 - z;
    }
    qsort(place, places, sizeof *place, by_size);
    u->outcomes = places;
    for (size_t i = 0; i < places; i++) {
        double sum = 0;
        for (double j = 0; j <= k; j++) {
            double p = place[i];
            for (double turn = 0; turn < j; turn++)
                p = step(p, e, d);
            sum += choose(k, j) * pow(1 / n, j) * pow(1 - 1 / n, k - j) * p;
        }
        u->p[i] = sum - before;
        u->q[i] = place[i] - last;
        before = sum;
        last = place[i];
    }
}

/* The record is drawn J times, J ~ Bin(k, 1/n), and multiplies the odds of a 1 by E each time. */
static void draw(use *u, double n, double k, double e)
{
    double base = 0.02 / e, one = 0;
    for (double j = 0; j <= k; j++) {
        double o = base * pow(e, j);
        one += choose(k, j) * pow(1 / n, j) * pow(1 - 1 / n, k - j) * o / (1 + o);
    }
    u->outcomes = 2;
    u->p[0] = one;
    u->p[1] = 1 - one;
    u->q[0] = base / (1 + base);
    u->q[1] = 1 - u->q[0];
}

static void set_bagging(dp_bagging *b, rng *r, dp_relation adjacency)
{
    dp_bagging_init(b);
    b->adjacency = adjacency;
    b->sampling = (dp_sampling)rng_below(r, 4);
    mpz_set_ui(b->dataset_size, 6);
    mpz_set_ui(b->subsample_size, 1 + rng_below(r, 3));
    mpz_set_ui(b->models, 1 + rng_below(r, 2));
    mpq_set_ui(b->sampling_rate, 1 + rng_below(r, 4), 4);
    mpq_canonicalize(b->sampling_rate);
}

/* Any learner: it publishes its sample. */
static void add_any(account *a, const dp_bagging *b, double eta)
{
    bool both = b->adjacency == DP_REPLACE_ONE;
    use *u = &a->use[a->uses++];
    u->outcomes = 3;
    u->p[0] = eta;
    u->p[1] = 1 - eta;
    u->p[2] = 0;
    u->q[0] = 0;
    u->q[1] = both ? 1 - eta : 1;
    u->q[2] = both ? eta : 0;
}

static void add_bagging(account *a, rng *r, dp_number *base)
{
    dp_bagging b;
    set_bagging(&b, r, a->list.adjacency);
    size_t e = rng_below(r, 4), d = rng_below(r, 4), models = mpz_get_ui(b.models);
    double n = 6, k = mpz_get_d(b.subsample_size), eta = k / n;
    bool private = rng_below(r, 4) > 0, blocks = false;
    if (private) {
        number_of(base, epsilons[e]);
        rational_of(b.base_delta, deltas[d]);
        b.base_epsilon = base;
    }
    if (b.sampling == DP_WITH_REPLACEMENT)
        eta = 1 - pow(1 - 1 / n, k);
    if (b.sampling == DP_POISSON)
        eta = mpq_get_d(b.sampling_rate);
    if (b.sampling == DP_WITHOUT_DISJOINT) {
        eta *= (double)models;
        blocks = models > 1;
        models = 1;
    }
    mpz_t one;
    mpz_init_set_ui(one, 1);
    assert_int_equal(dp_composition_add_bagging(&a->list, &b, one, 15, NULL), DP_OK);
    mpz_clear(one);
    for (size_t i = 0; i < models; i++) {
        double k1[MOST_OUTCOMES], k0[MOST_OUTCOMES];
        if (!private || d == 3) {
            add_any(a, &b, eta);
            continue;
        }
        if (e == 0 && (eta < 1 || blocks) &&
            b.sampling != DP_WITH_REPLACEMENT) { /* leaks alone, of either record */
            bool both = b.adjacency == DP_REPLACE_ONE;
            a->leaks = a->leaks || (blocks && !both);
            if (blocks || both) {
                add_any(a, &b, eta * chances[d]);
            } else {
                respond(k1, k0, 1, chances[d]);
                mix(&a->use[a->uses++], eta, k1, k0, 4);
            }
            continue;
        }
        a->worst = a->worst && a->list.adjacency == DP_ADD_REMOVE;
        a->worst = a->worst && !blocks; /* together no learner does what one block would */
        a->curve = a->curve || eta < 1 || blocks || b.sampling == DP_WITH_REPLACEMENT;
        a->losses = a->losses || e > 0;
        use *u = &a->use[a->uses++];
        respond(k1, k0, odds[e], chances[d]);
        if (b.sampling == DP_WITH_REPLACEMENT && a->list.adjacency == DP_ADD_REMOVE)
            draw_worst(u, n, k, odds[e], chances[d]);
        else if (b.sampling == DP_WITH_REPLACEMENT)
            draw(u, n, k, odds[e]);
        else
            mix(u, eta, k1, k0, 4);
    }
    dp_bagging_clear(&b);
}

/* sum (P - e^x Q)_+ over all outcomes of all uses, or with P and Q exchanged */
static double spent(const account *a, double x, bool back)
{
    size_t at[16] = {0};
    double sum = 0, grow = exp(x);
    for (;;) {
        double p = 1, q = 1;
        for (size_t i = 0; i < a->uses; i++) {
            p *= a->use[i].p[at[i]];
            q *= a->use[i].q[at[i]];
        }
        sum += fmax(0, back ? q - grow * p : p - grow * q);
        size_t i = 0;
        while (i < a->uses && ++at[i] == a->use[i].outcomes)
            at[i++] = 0;
        if (i == a->uses)
            return sum;
    }
}

static double truth(const account *a, double x)
{
    return fmax(spent(a, x, false), spent(a, x, true));
}

static double upper(const dp_figure *f)
{
    if (f->kind == DP_INFINITE)
        return HUGE_VAL;
    return f->kind == DP_RATIONAL ? mpq_get_d(f->rational)
                                  : mpfr_get_d(&f->enclosure->right, MPFR_RNDU);
}

static void account_open(account *a, rng *r, dp_number *base)
{
    *a = (account){.worst = true};
    dp_composition_init_under(&a->list, rng_below(r, 2) ? DP_REPLACE_ONE : DP_ADD_REMOVE);
    dp_composition_init(&a->flat);
    size_t items = 1 + rng_below(r, 3);
    for (size_t i = 0; i < items; i++) {
        if (rng_below(r, 3) == 0)
            add_pair(a, r);
        else
            add_bagging(a, r, base);
    }
    for (size_t i = 0; i < a->list.count; i++)
        assert_int_equal(dp_composition_add(&a->flat, &a->list.item[i].epsilon,
                                            a->list.item[i].delta, a->list.item[i].times, NULL),
                         DP_OK);
}

static void account_close(account *a)
{
    dp_composition_clear(&a->flat);
    dp_composition_clear(&a->list);
}

typedef struct tally {
    int yes, no, open, exact, sharper;
} tally;

static void check_claim(const account *a, tally *t, const char *at, double x, double claim)
{
    dp_result r;
    dp_number epsilon, delta;
    dp_number_init(&epsilon);
    dp_number_init(&delta);
    number_of(&epsilon, at);
    mpq_set_d(delta.value, claim < 1 ? claim : 1);
    dp_result_init(&r);
    dp_options opt = dp_options_default();
    opt.max_epsilon = &epsilon;
    opt.max_delta = &delta;
    dp_compose_query q = {.list = &a->list};
    assert_int_equal(dp_compose(&r, &q, &opt, NULL), DP_OK);
    double true_delta = truth(a, x);
    if (r.check.holds == DP_YES)
        assert_true(true_delta <= claim + SLACK);
    if (r.check.holds == DP_NO && a->worst)
        assert_true(true_delta >= claim - SLACK);
    if (r.check.holds == DP_UNKNOWN)
        assert_string_equal(r.check.why,
                            "not proved by this bound, which is not known to be tight");
    t->yes += r.check.holds == DP_YES;
    t->no += r.check.holds == DP_NO;
    t->open += r.check.holds == DP_UNKNOWN;
    dp_result_clear(&r);
    dp_number_clear(&delta);
    dp_number_clear(&epsilon);
}

static const char *const targets[] = {"0", "ln(1.1)", "ln(3/2)", "ln(2)", "ln(4)"};
static const double at_odds[] = {1, 1.1, 1.5, 2, 4};

static void test_against_outcomes(void **state)
{
    (void)state;
    rng r = rng_make(4711);
    tally t = {0};
    dp_number base;
    dp_number_init(&base);
    for (int round = 0; round < rounds(400); round++) {
        account a;
        account_open(&a, &r, &base);
        size_t i = rng_below(&r, 5);
        double x = log(at_odds[i]), true_delta = truth(&a, x);
        dp_result s, flat;
        dp_result_init(&s);
        dp_result_init(&flat);
        ask_delta(&s, &a.list, targets[i], 12);
        ask_delta(&flat, &a.flat, targets[i], 12);
        const dp_row *row = &s.row[s.guarantee];
        double shown = upper(dp_result_figure(&s, "delta"));
        double before = upper(dp_result_figure(&flat, "delta"));
        assert_true(shown >= true_delta - SLACK);
        assert_true(shown <= before + SLACK);
        if (row->verdict == DP_EXACT) {
            assert_true(fabs(shown - true_delta) < SLACK);
            t.exact++;
        }
        if (!a.curve && (!a.leaks || !a.losses))
            assert_int_equal(row->verdict, DP_EXACT);
        t.sharper += shown < before - SLACK;
        dp_result_clear(&flat);
        dp_result_clear(&s);
        static const double factors[] = {0.1, 0.5, 0.9, 0.999, 1.001, 1.1, 2};
        check_claim(&a, &t, targets[i], x, true_delta * factors[rng_below(&r, 7)]);
        check_claim(&a, &t, targets[i], x, shown * 0.9999);
        /* epsilon at the delta that was shown is within the target */
        dp_number delta;
        dp_number_init(&delta);
        if (shown > 0 && shown < 1) {
            mpq_set_d(delta.value, shown + SLACK);
            dp_compose_query q = {.list = &a.list, .target_delta = &delta};
            dp_options opt = dp_options_default();
            dp_result_init(&s);
            assert_int_equal(dp_compose(&s, &q, &opt, NULL), DP_OK);
            double epsilon = upper(dp_result_figure(&s, "epsilon"));
            assert_true(epsilon == HUGE_VAL || truth(&a, epsilon) <= shown + 3 * SLACK);
            dp_result_clear(&s);
        }
        dp_number_clear(&delta);
        account_close(&a);
    }
    dp_number_clear(&base);
    assert_true(!rounds_are_full() ||
                (t.yes > 50 && t.no > 50 && t.open > 20 && t.exact > 50 && t.sharper > 20));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_outcomes),
    };
    return cmocka_run_group_tests_name("known", tests, NULL, NULL);
}
