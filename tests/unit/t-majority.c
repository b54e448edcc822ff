/* SPDX-License-Identifier: MIT */
/* Private majorities: the delta of every design, from the noise function that the library shows and
 * all vertices of what the mechanisms may do, in exact rationals. Mechanisms of the same parameters
 * are alike, so only the number of them at each vertex matters. */
#include "support.h"

#include <stdio.h>
#include <string.h>

#define CORNERS 8
#define MOST_VOTERS 5

/* A voter's probability of a 1 on two neighbouring data sets, and the laws of the sum so far. */
typedef struct world {
    unsigned voters;
    mpq_t corner[CORNERS][2];
    mpq_t one[MOST_VOTERS + 1]; /* Pr[published answer is 1 | votes] */
    mpq_t target, worst;        /* e^epsilon, and the largest excess found */
} world;

static void set_corner(world *w, int i, const mpq_t here, const mpq_t there)
{
    mpq_set(w->corner[i][0], here);
    mpq_set(w->corner[i][1], there);
    mpq_set(w->corner[i + 1][0], there);
    mpq_set(w->corner[i + 1][1], here);
}

/* (0,0), (1,1), (delta,0), (1,1-delta), (c,d) and their mirror images */
static void set_corners(world *w, const mpq_t odds, const mpq_t delta)
{
    mpq_t zero, one, c, d;
    mpq_inits(zero, one, c, d, NULL);
    mpq_set_ui(one, 1, 1);
    set_corner(w, 0, zero, delta);
    mpq_sub(d, one, delta);
    set_corner(w, 2, one, d);
    mpq_add(c, one, odds);
    mpq_div(d, d, c); /* (1 - delta)/(1 + R) */
    mpq_sub(c, one, d);
    set_corner(w, 4, c, d);
    set_corner(w, 6, one, one);
    mpq_set(w->corner[7][0], zero);
    mpq_set(w->corner[7][1], zero);
    mpq_clears(zero, one, c, d, NULL);
}

static void set_noise(world *w, const dp_row *row)
{
    mpq_t half;
    mpq_init(half);
    mpq_set_ui(half, 1, 2);
    unsigned middle = (w->voters + 1) / 2;
    for (unsigned l = 0; l <= w->voters; l++) {
        unsigned at = row->gamma_first == 0 || l >= middle ? l : w->voters - l;
        assert_true(at >= row->gamma_first && at - row->gamma_first < row->gamma_count);
        mpq_mul(w->one[l], row->gamma[at - row->gamma_first], half);
        if (l < middle)
            mpq_neg(w->one[l], w->one[l]);
        mpq_add(w->one[l], w->one[l], half);
    }
    mpq_clear(half);
}

/* law of one voter more; both laws have `count` + 1 entries afterwards */
static void add_voter(mpq_t *law, unsigned count, const mpq_t chance)
{
    mpq_t miss, part;
    mpq_inits(miss, part, NULL);
    mpq_set_ui(miss, 1, 1);
    mpq_sub(miss, miss, chance);
    for (unsigned l = count;; l--) {
        mpq_mul(part, law[l], miss);
        if (l > 0) {
            mpq_mul(law[l], law[l - 1], chance);
            mpq_add(part, part, law[l]);
        }
        mpq_set(law[l], part);
        if (l == 0)
            break;
    }
    mpq_clears(miss, part, NULL);
}

static void judge(world *w, mpq_t law[2][MOST_VOTERS + 1])
{
    mpq_t answer[2], part, excess;
    mpq_inits(answer[0], answer[1], part, excess, NULL);
    for (int side = 0; side < 2; side++)
        for (unsigned l = 0; l <= w->voters; l++) {
            mpq_mul(part, law[side][l], w->one[l]);
            mpq_add(answer[side], answer[side], part);
        }
    for (int output = 0; output < 2; output++) {
        mpq_mul(excess, w->target, answer[1]);
        mpq_sub(excess, answer[0], excess);
        if (mpq_cmp(excess, w->worst) > 0)
            mpq_set(w->worst, excess);
        for (int side = 0; side < 2; side++) { /* the other answer */
            mpq_set_ui(part, 1, 1);
            mpq_sub(answer[side], part, answer[side]);
        }
    }
    mpq_clears(answer[0], answer[1], part, excess, NULL);
}

/* Every way to seat the voters from `count` on at the corners from `first` on. */
static void seat(world *w, mpq_t law[2][MOST_VOTERS + 1], unsigned count, int first)
{
    if (count == w->voters) {
        judge(w, law);
        return;
    }
    mpq_t next[2][MOST_VOTERS + 1];
    for (int side = 0; side < 2; side++)
        for (unsigned l = 0; l <= MOST_VOTERS; l++)
            mpq_init(next[side][l]);
    for (int i = first; i < CORNERS; i++) {
        for (int side = 0; side < 2; side++) {
            for (unsigned l = 0; l <= MOST_VOTERS; l++)
                mpq_set(next[side][l], law[side][l]);
            add_voter(next[side], count + 1, w->corner[i][side]);
        }
        seat(w, next, count + 1, i);
    }
    for (int side = 0; side < 2; side++)
        for (unsigned l = 0; l <= MOST_VOTERS; l++)
            mpq_clear(next[side][l]);
}

/* The smallest delta of the row's noise function at e^epsilon = target, into w->worst. */
static void worst_case(world *w, const dp_row *row, const mpq_t target)
{
    mpq_t law[2][MOST_VOTERS + 1];
    for (int side = 0; side < 2; side++)
        for (unsigned l = 0; l <= MOST_VOTERS; l++)
            mpq_init(law[side][l]);
    mpq_set_ui(law[0][0], 1, 1);
    mpq_set_ui(law[1][0], 1, 1);
    set_noise(w, row);
    mpq_set(w->target, target);
    mpq_set_ui(w->worst, 0, 1);
    seat(w, law, 0, 0);
    for (int side = 0; side < 2; side++)
        for (unsigned l = 0; l <= MOST_VOTERS; l++)
            mpq_clear(law[side][l]);
}

static void world_init(world *w, unsigned voters)
{
    w->voters = voters;
    for (int i = 0; i < CORNERS; i++)
        mpq_inits(w->corner[i][0], w->corner[i][1], NULL);
    for (int l = 0; l <= MOST_VOTERS; l++)
        mpq_init(w->one[l]);
    mpq_inits(w->target, w->worst, NULL);
}

static void world_clear(world *w)
{
    for (int i = 0; i < CORNERS; i++)
        mpq_clears(w->corner[i][0], w->corner[i][1], NULL);
    for (int l = 0; l <= MOST_VOTERS; l++)
        mpq_clear(w->one[l]);
    mpq_clears(w->target, w->worst, NULL);
}

typedef struct query {
    dp_composition groups;
    dp_majority m;
    dp_result r;
    dp_number target;
    mpq_t odds, delta;
} query;

static void query_open(query *q, unsigned voters, const char *odds, const char *delta,
                       const char *target, const char *target_delta)
{
    char text[40];
    dp_composition_init(&q->groups);
    dp_majority_init(&q->m);
    dp_result_init(&q->r);
    dp_number_init(&q->target);
    mpq_inits(q->odds, q->delta, NULL);
    rational_of(q->odds, odds);
    rational_of(q->delta, delta);
    snprintf(text, sizeof text, "ln(%s)", odds);
    list_add(&q->groups, text, delta, voters);
    snprintf(text, sizeof text, "ln(%s)", target);
    number_of(&q->target, text);
    q->m.groups = &q->groups;
    q->m.target_epsilon = &q->target;
    rational_of(q->m.target_delta, target_delta);
}

static void query_close(query *q)
{
    mpq_clears(q->odds, q->delta, NULL);
    dp_number_clear(&q->target);
    dp_result_clear(&q->r);
    dp_majority_clear(&q->m);
    dp_composition_clear(&q->groups);
}

static const dp_figure *figure_of(const dp_row *row, const char *name)
{
    for (size_t i = 0; i < row->count; i++)
        if (strcmp(row->quantity[i].name, name) == 0)
            return &row->quantity[i].figure;
    return NULL;
}

/* The ends agree to 14 digits. */
static bool is_narrow(const dp_figure *x)
{
    if (x->kind != DP_ENCLOSED)
        return true;
    mpfr_t width;
    mpfr_init2(width, 64);
    mpfr_sub(width, &x->enclosure->right, &x->enclosure->left, MPFR_RNDU);
    mpfr_mul_d(width, width, 1e14, MPFR_RNDU);
    bool ok = mpfr_lessequal_p(width, &x->enclosure->right) != 0;
    mpfr_clear(width);
    return ok;
}

/* epsilon is the smallest at the target delta: at its upper end delta is met, and below its lower
 * end it is not. */
static void check_epsilon(world *w, const dp_row *row, const query *q)
{
    const dp_figure *epsilon = figure_of(row, "epsilon");
    if (epsilon == NULL || epsilon->kind == DP_INFINITE)
        return;
    if (!is_narrow(epsilon))
        fail_msg("%s: epsilon is not sharp", row->theorem->id);
    mpfr_t grow;
    mpq_t at;
    mpfr_init2(grow, 120);
    mpq_init(at);
    for (int upper = 0; upper < 2; upper++) {
        if (epsilon->kind == DP_RATIONAL)
            mpfr_set_q(grow, epsilon->rational, upper ? MPFR_RNDU : MPFR_RNDD);
        else
            mpfr_set(grow, upper ? &epsilon->enclosure->right : &epsilon->enclosure->left,
                     upper ? MPFR_RNDU : MPFR_RNDD);
        if (!upper && mpfr_zero_p(grow))
            continue;
        mpfr_exp(grow, grow, upper ? MPFR_RNDU : MPFR_RNDD);
        mpfr_get_q(at, grow);
        worst_case(w, row, at);
        int met = mpq_cmp(w->worst, q->m.target_delta);
        if (upper ? met > 0 : met < 0)
            fail_msg("%s: epsilon is not the smallest", row->theorem->id);
    }
    mpq_clear(at);
    mpfr_clear(grow);
}

/* Counts the rows that were checked. */
static unsigned check_rows(const query *q, unsigned voters, bool within)
{
    unsigned checked = 0;
    world w;
    world_init(&w, voters);
    set_corners(&w, q->odds, q->delta);
    for (size_t i = 0; i < q->r.count; i++) {
        const dp_row *row = &q->r.row[i];
        if (row->gamma_count == 0)
            continue;
        checked++;
        worst_case(&w, row, q->target.value);
        const dp_figure *delta = figure_of(row, "delta");
        if (delta == NULL || !figure_holds_q(delta, w.worst)) {
            char *text = mpq_get_str(NULL, 10, w.worst);
            fail_msg("%s, %u voters: delta is %s", row->theorem->id, voters, text);
        }
        if (!is_narrow(delta))
            fail_msg("%s, %u voters: delta is not sharp", row->theorem->id, voters);
        if (within && (strcmp(row->theorem->id, "majority-optimal") == 0 ||
                       strncmp(row->theorem->id, "majority-constant", 17) == 0))
            assert_true(mpq_cmp(w.worst, q->m.target_delta) <= 0);
        check_epsilon(&w, row, q);
    }
    world_clear(&w);
    return checked;
}

static void test_designs(void **state)
{
    (void)state;
    static const char *const cases[][4] = {{"3", "0", "3", "0"},
                                           {"5/4", "0", "2", "1/100"},
                                           {"2", "1/50", "4", "1/10"},
                                           {"11/10", "1/1000", "3/2", "1/500"}};
    for (unsigned voters = 1; voters <= MOST_VOTERS; voters += 2)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            query q;
            dp_options opt = dp_options_default();
            opt.all = true;
            opt.digits = 15;
            opt.max_seconds = 2;
            query_open(&q, voters, cases[i][0], cases[i][1], cases[i][2], cases[i][3]);
            assert_int_equal(dp_majority_designs(&q.r, &q.m, &opt, NULL), DP_OK);
            assert_true(check_rows(&q, voters, true) >= 3);
            query_close(&q);
        }
}

static void test_given(void **state)
{
    (void)state;
    rng r = rng_make(121);
    for (int i = 0; i < rounds(40); i++) {
        query q;
        mpq_t gamma[MOST_VOTERS + 1];
        unsigned voters = i % 4 == 0 ? 5 : 3;
        dp_options opt = dp_options_default();
        opt.digits = 15;
        opt.max_seconds = 2;
        query_open(&q, voters, i % 3 == 0 ? "3" : "6/5", i % 5 == 0 ? "1/40" : "0",
                   i % 2 == 0 ? "2" : "5/3", "1/20");
        q.m.gamma_count = i % 7 == 0 ? voters + 1 : (voters + 1) / 2;
        for (size_t j = 0; j <= MOST_VOTERS; j++) {
            mpq_init(gamma[j]);
            mpq_set_ui(gamma[j], rng_below(&r, 11), 10);
            mpq_canonicalize(gamma[j]);
        }
        q.m.gamma = (const mpq_t *)gamma;
        assert_int_equal(dp_majority_designs(&q.r, &q.m, &opt, NULL), DP_OK);
        assert_int_equal(check_rows(&q, voters, false), 1);
        for (size_t j = 0; j <= MOST_VOTERS; j++)
            mpq_clear(gamma[j]);
        query_close(&q);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_designs),
        cmocka_unit_test(test_given),
    };
    return cmocka_run_group_tests_name("majority", tests, NULL, NULL);
}
