/* SPDX-License-Identifier: MIT */
/* Private learners whose sample may hold a record several times, another in its place on the second
 * data set: against the learner that is worst at each target, and against random ones. */
#include "learners.h"

/* How many replacements lie between samples with a copies of the one record and b of the other. */
static unsigned long apart(const unsigned long *x, const unsigned long *y)
{
    unsigned long more = 0, less = 0;
    for (int i = 0; i < 2; i++) {
        more += x[i] > y[i] ? x[i] - y[i] : 0;
        less += y[i] > x[i] ? y[i] - x[i] : 0;
    }
    return more > less ? more : less;
}

/* The probability that a learner gives to an event by the copies of the two records: as large as
 * random values allow it, f(s) = min over t of g^(distance)(h(t)). */
static void random_learner(mpq_t one[MOST_COPIES + 1], mpq_t other[MOST_COPIES + 1],
                           const setting *s, rng *r)
{
    mpq_t h[MOST_COPIES + 1][MOST_COPIES + 1], x;
    mpq_init(x);
    for (unsigned long a = 0; a <= s->copies; a++)
        for (unsigned long b = 0; a + b <= s->copies; b++) {
            mpq_init(h[a][b]);
            mpq_set_ui(h[a][b], rng_below(r, 9), 8);
            mpq_canonicalize(h[a][b]);
            if (rng_below(r, 2)) /* often small, where ratios count */
                mpq_mul(h[a][b], h[a][b], h[a][b]);
        }
    for (unsigned long i = 0; i <= s->copies; i++)
        for (int side = 0; side < 2; side++) {
            unsigned long from[2] = {side == 0 ? i : 0, side == 0 ? 0 : i};
            mpq_ptr f = side == 0 ? one[i] : other[i];
            mpq_set_ui(f, 1, 1);
            for (unsigned long a = 0; a <= s->copies; a++)
                for (unsigned long b = 0; a + b <= s->copies; b++) {
                    unsigned long to[2] = {a, b};
                    mpq_set(x, h[a][b]);
                    climb(x, s, s->each * apart(from, to));
                    if (mpq_cmp(x, f) < 0)
                        mpq_set(f, x);
                }
        }
    for (unsigned long a = 0; a <= s->copies; a++)
        for (unsigned long b = 0; a + b <= s->copies; b++)
            mpq_clear(h[a][b]);
    mpq_clear(x);
}

/* out: what two outcomes of that probability on either data set spend */
static void spent_by(mpq_t out, const setting *s, mpq_t one[], mpq_t other[], unsigned long uses,
                     const mpq_t odds)
{
    worst w;
    mpq_t x;
    worst_init(&w);
    mpq_init(x);
    w.count = 2;
    for (unsigned long j = 0; j <= s->copies; j++) {
        mpq_mul(x, one[j], s->weight[j]);
        mpq_add(w.p[0], w.p[0], x);
        mpq_mul(x, other[j], s->weight[j]);
        mpq_add(w.q[0], w.q[0], x);
    }
    mpq_set_ui(x, 1, 1);
    mpq_sub(w.p[1], x, w.p[0]);
    mpq_sub(w.q[1], x, w.q[0]);
    truth(out, &w, uses, odds);
    mpq_clear(x);
    worst_clear(&w);
}

/* The greatest sum of w_j (g^j(m_j) - odds m_j) over falling m_j among the places: for each m_j the
 * best of those before is kept. */
static void best_falling(mpq_t best, mpq_t *m, const setting *s, mpq_t *place, size_t count,
                         const mpq_t odds)
{
    mpq_t sum[2][6 * (MOST_STEPS + 1)], x;
    size_t from[MOST_COPIES + 1][6 * (MOST_STEPS + 1)], at = 0;
    for (size_t i = 0; i < 2 * count; i++)
        mpq_init(sum[i % 2][i / 2]);
    mpq_init(x);
    for (size_t j = 0; j <= s->copies; j++) {
        mpq_t *now = sum[j % 2], *last = sum[1 - j % 2];
        at = count - 1;
        for (size_t i = count; i-- > 0;) {
            if (j > 0 && mpq_cmp(last[i], last[at]) >= 0)
                at = i;
            from[j][i] = at;
            mpq_set(now[i], place[i]);
            climb(now[i], s, s->each * j);
            mpq_mul(x, odds, place[i]);
            mpq_sub(now[i], now[i], x);
            mpq_mul(now[i], now[i], s->weight[j]);
            if (j > 0)
                mpq_add(now[i], now[i], last[at]);
        }
    }
    mpq_t *last = sum[s->copies % 2];
    at = 0;
    for (size_t i = 1; i < count; i++)
        if (mpq_cmp(last[i], last[at]) > 0)
            at = i;
    mpq_set(best, last[at]);
    for (size_t j = s->copies + 1; j-- > 0;) {
        mpq_set(m[j], place[at]);
        at = from[j][at];
    }
    for (size_t i = 0; i < 2 * count; i++)
        mpq_clear(sum[i % 2][i / 2]);
    mpq_clear(x);
}

/* A learner may have f(j, 0) = g^j(m_j) and f(0, j) = m_j at once: no two of them are farther apart
 * than their samples allow. */
static bool is_learner(mpq_t *m, const setting *s)
{
    bool ok = true;
    mpq_t x, y;
    mpq_inits(x, y, NULL);
    for (unsigned long i = 0; i <= s->copies; i++)
        for (unsigned long j = 0; j <= s->copies; j++)
            for (int pair = 0; pair < 4; pair++) {
                unsigned long from[2] = {pair & 1 ? i : 0, pair & 1 ? 0 : i};
                unsigned long to[2] = {pair & 2 ? j : 0, pair & 2 ? 0 : j};
                mpq_set(x, m[i]);
                mpq_set(y, m[j]);
                if (pair & 1)
                    climb(x, s, s->each * i);
                if (pair & 2)
                    climb(y, s, s->each * j);
                climb(y, s, s->each * apart(from, to));
                ok = ok && mpq_cmp(x, y) <= 0;
            }
    mpq_clears(x, y, NULL);
    return ok;
}

static void check_replaced(const dp_bagging *b, const setting *s, rng *r, int *attained)
{
    mpq_t place[6 * (MOST_STEPS + 1)], m[MOST_COPIES + 1], one[MOST_COPIES + 1],
        other[MOST_COPIES + 1], best, odds, none;
    for (size_t i = 0; i < sizeof place / sizeof *place; i++)
        mpq_init(place[i]);
    for (int i = 0; i <= MOST_COPIES; i++)
        mpq_inits(m[i], one[i], other[i], NULL);
    mpq_inits(best, odds, none, NULL);
    rational_of(odds, all_targets[rng_below(r, 4)]);
    size_t count = places_of(place, s);
    best_falling(best, m, s, place, count, odds);
    if (mpq_sgn(best) < 0)
        mpq_set_ui(best, 0, 1);
    for (unsigned long uses = 1; uses <= 2; uses++) {
        dp_result shown;
        mpq_set_ui(none, 2, 1);
        ask(&shown, b, uses, odds, none);
        const dp_figure *f = dp_result_figure(&shown, "delta");
        if (uses == 1) {
            assert_true(is_nearly(f, best));
            *attained += is_learner(m, s);
        }
        for (int i = 0; i < 20; i++) {
            random_learner(one, other, s, r);
            spent_by(best, s, one, other, uses, odds);
            assert_true(f->kind == DP_RATIONAL ? mpq_cmp(best, f->rational) <= 0
                                               : mpfr_cmp_q(&f->enclosure->right, best) >= 0);
        }
        dp_result_clear(&shown);
    }
    mpq_clears(best, odds, none, NULL);
    for (int i = 0; i <= MOST_COPIES; i++)
        mpq_clears(m[i], one[i], other[i], NULL);
    for (size_t i = 0; i < sizeof place / sizeof *place; i++)
        mpq_clear(place[i]);
}

/* One use at one target is attained where the values make a learner, and they do. */
static void test_replaced(void **state)
{
    (void)state;
    rng r = rng_make(60);
    int attained = 0, all = 0;
    for (; all < rounds(40); all++) {
        setting s;
        dp_bagging b;
        dp_number base;
        setting_init(&s);
        dp_bagging_init(&b);
        dp_number_init(&base);
        unsigned long n = 1 + rng_below(&r, 4), k = 1 + rng_below(&r, 3);
        s.each = k < 3 ? 1 + rng_below(&r, 2) : 1;
        rational_of(s.odds, all_odds[rng_below(&r, 4)]);
        rational_of(s.leak, all_leaks[rng_below(&r, 4)]);
        draw(&s, n, k);
        mpz_set_ui(b.dataset_size, n);
        mpz_set_ui(b.subsample_size, k);
        set_bagging(&b, &base, &s, DP_REPLACE_ONE);
        check_replaced(&b, &s, &r, &attained);
        dp_number_clear(&base);
        dp_bagging_clear(&b);
        setting_clear(&s);
    }
    assert_int_equal(attained, all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_replaced),
    };
    return cmocka_run_group_tests_name("copies replaced", tests, NULL, NULL);
}
