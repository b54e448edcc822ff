/* SPDX-License-Identifier: MIT */
/* The optimal composition against all sign patterns: in exact rationals where every epsilon is the
 * logarithm of a rational, at 600 bits elsewhere. */
#include "support.h"

#include <stdio.h>
#include <string.h>

#define BITS 600
#define MOST_SIGNS 12

/* One randomized response each: the items of the list with their repeats, losses above 0. */
typedef struct signs {
    const dp_number *epsilon[MOST_SIGNS];
    size_t count;
} signs;

static void expand(signs *s, const dp_composition *c)
{
    s->count = 0;
    for (size_t i = 0; i < c->count; i++)
        for (unsigned long k = 0; k < mpz_get_ui(c->item[i].times); k++) {
            if (dp_number_sgn(&c->item[i].epsilon) == 0)
                continue;
            assert_true(s->count < MOST_SIGNS);
            s->epsilon[s->count++] = &c->item[i].epsilon;
        }
}

/* prod (1 - delta_i) */
static void keep_of(mpq_t keep, const dp_composition *c)
{
    mpq_t one;
    mpq_init(one);
    mpq_set_ui(keep, 1, 1);
    for (size_t i = 0; i < c->count; i++)
        for (unsigned long k = 0; k < mpz_get_ui(c->item[i].times); k++) {
            mpq_set_ui(one, 1, 1);
            mpq_sub(one, one, c->item[i].delta);
            mpq_mul(keep, keep, one);
        }
    mpq_clear(one);
}

/* ---- exact ---- */

static void add_patterns_q(mpq_t sum, const signs *s, size_t at, const mpq_t p, const mpq_t q,
                           const mpq_t odds)
{
    mpq_t plus, minus, next_p, next_q;
    mpq_inits(plus, minus, next_p, next_q, NULL);
    if (at == s->count) {
        mpq_mul(plus, odds, q);
        mpq_sub(plus, p, plus);
        if (mpq_sgn(plus) > 0)
            mpq_add(sum, sum, plus);
    } else {
        mpq_set_ui(minus, 1, 1);
        mpq_add(minus, minus, s->epsilon[at]->value);
        mpq_inv(minus, minus);
        mpq_mul(plus, minus, s->epsilon[at]->value);
        mpq_mul(next_p, p, plus);
        mpq_mul(next_q, q, minus);
        add_patterns_q(sum, s, at + 1, next_p, next_q, odds);
        mpq_mul(next_p, p, minus);
        mpq_mul(next_q, q, plus);
        add_patterns_q(sum, s, at + 1, next_p, next_q, odds);
    }
    mpq_clears(plus, minus, next_p, next_q, NULL);
}

/* delta at e^x = odds; every epsilon is a logarithm or 0 */
static void delta_q(mpq_t out, const dp_composition *c, const mpq_t odds)
{
    signs s;
    mpq_t one, keep;
    mpq_inits(one, keep, NULL);
    expand(&s, c);
    mpq_set_ui(one, 1, 1);
    mpq_set_ui(out, 0, 1);
    add_patterns_q(out, &s, 0, one, one, odds);
    keep_of(keep, c);
    mpq_sub(out, one, out);
    mpq_mul(out, out, keep);
    mpq_sub(out, one, out);
    mpq_clears(one, keep, NULL);
}

/* ---- at 600 bits, to within 2^-500 ---- */

static void number_fr(mpfr_t out, const dp_number *x)
{
    mpfr_set_q(out, x->value, MPFR_RNDN);
    if (x->is_log)
        mpfr_log(out, out, MPFR_RNDN);
}

static void add_patterns_fr(mpfr_t sum, mpfr_t (*mass)[2], size_t count, size_t at, const mpfr_t p,
                            const mpfr_t q, const mpfr_t odds)
{
    mpfr_t a, b;
    mpfr_inits2(BITS, a, b, (mpfr_ptr)NULL);
    if (at == count) {
        mpfr_mul(a, odds, q, MPFR_RNDN);
        mpfr_sub(a, p, a, MPFR_RNDN);
        if (mpfr_sgn(a) > 0)
            mpfr_add(sum, sum, a, MPFR_RNDN);
    } else {
        for (int sign = 0; sign < 2; sign++) {
            mpfr_mul(a, p, mass[at][sign], MPFR_RNDN);
            mpfr_mul(b, q, mass[at][1 - sign], MPFR_RNDN);
            add_patterns_fr(sum, mass, count, at + 1, a, b, odds);
        }
    }
    mpfr_clears(a, b, (mpfr_ptr)NULL);
}

static void delta_fr(mpfr_t out, const dp_composition *c, const mpfr_t x)
{
    signs s;
    mpfr_t mass[MOST_SIGNS][2], odds, one;
    mpq_t keep;
    mpq_init(keep);
    mpfr_inits2(BITS, odds, one, (mpfr_ptr)NULL);
    expand(&s, c);
    mpfr_set_ui(one, 1, MPFR_RNDN);
    mpfr_exp(odds, x, MPFR_RNDN);
    for (size_t i = 0; i < s.count; i++) {
        mpfr_inits2(BITS, mass[i][0], mass[i][1], (mpfr_ptr)NULL);
        number_fr(mass[i][0], s.epsilon[i]);
        mpfr_exp(mass[i][0], mass[i][0], MPFR_RNDN);
        mpfr_add_ui(mass[i][1], mass[i][0], 1, MPFR_RNDN);
        mpfr_div(mass[i][0], mass[i][0], mass[i][1], MPFR_RNDN);
        mpfr_ui_div(mass[i][1], 1, mass[i][1], MPFR_RNDN);
    }
    mpfr_set_ui(out, 0, MPFR_RNDN);
    add_patterns_fr(out, mass, s.count, 0, one, one, odds);
    keep_of(keep, c);
    mpfr_sub(out, one, out, MPFR_RNDN);
    mpfr_mul_q(out, out, keep, MPFR_RNDN);
    mpfr_sub(out, one, out, MPFR_RNDN);
    for (size_t i = 0; i < s.count; i++)
        mpfr_clears(mass[i][0], mass[i][1], (mpfr_ptr)NULL);
    mpfr_clears(odds, one, (mpfr_ptr)NULL);
    mpq_clear(keep);
}

static void widen(mpfr_t low, mpfr_t high, const mpfr_t x)
{
    mpfr_t width;
    mpfr_init2(width, 10);
    mpfr_set_ui_2exp(width, 1, -500, MPFR_RNDN);
    mpfr_sub(low, x, width, MPFR_RNDD);
    mpfr_add(high, x, width, MPFR_RNDU);
    mpfr_clear(width);
}

/* ---- lists ---- */

static const char *const logs[] = {"ln(3)", "ln(2)", "ln(5/4)", "ln(101/100)",
                                   "0",     "ln(9)", "ln(20)"};
static const char *const decimals[] = {"0.1", "0.25", "1",   "0.3333", "2.5",
                                       "0",   "1e-6", "1/3", "4"};
static const char *const deltas[] = {"0", "0", "0", "1e-6", "1/50", "1e-30", "0.25"};
#define OF(table, r) table[rng_below(r, sizeof table / sizeof *table)]

static void random_list(dp_composition *c, rng *r, bool only_logs, unsigned long most)
{
    dp_composition_init(c);
    for (unsigned long left = 1 + rng_below(r, most); left > 0;) {
        unsigned long times = 1 + rng_below(r, left);
        const char *epsilon = only_logs || rng_below(r, 4) == 0 ? OF(logs, r) : OF(decimals, r);
        list_add(c, epsilon, OF(deltas, r), times);
        left -= times;
    }
}

static void describe(const dp_composition *c, const char *target)
{
    for (size_t i = 0; i < c->count; i++)
        gmp_fprintf(stderr, "# %s%Qd, %Qd, %Zd times\n", c->item[i].epsilon.is_log ? "ln " : "",
                    c->item[i].epsilon.value, c->item[i].delta, c->item[i].times);
    fprintf(stderr, "# at %s\n", target);
}

/* The enclosure is as narrow as was asked: at most 2 units of the last digit. */
static bool is_narrow(const dp_figure *f, size_t digits)
{
    if (f->kind != DP_ENCLOSED)
        return true;
    mpfr_t width, most;
    mpfr_inits2(64, width, most, (mpfr_ptr)NULL);
    mpfr_sub(width, &f->enclosure->right, &f->enclosure->left, MPFR_RNDU);
    mpfr_set_ui(most, 10, MPFR_RNDN);
    mpfr_pow_si(most, most, 1 - (long)digits, MPFR_RNDN);
    mpfr_mul(most, most, &f->enclosure->right, MPFR_RNDN);
    mpfr_mul_ui(most, most, 2, MPFR_RNDN);
    bool ok = mpfr_lessequal_p(width, most) != 0;
    if (mpfr_zero_p(&f->enclosure->left)) /* a tie at 0 that is none of rationals */
        ok = mpfr_cmp_ui_2exp(width, 1, -30) <= 0;
    mpfr_clears(width, most, (mpfr_ptr)NULL);
    return ok;
}

static void test_delta_exact(void **state)
{
    (void)state;
    static const char *const odds[] = {"1", "2", "3", "9", "5/4", "11/10", "27", "1000001/1000000"};
    rng r = rng_make(41);
    mpq_t x, exact;
    mpq_inits(x, exact, NULL);
    for (int i = 0; i < rounds(300); i++) {
        dp_composition c;
        dp_result out;
        char text[60];
        dp_result_init(&out);
        random_list(&c, &r, true, i % 10 == 0 ? MOST_SIGNS : 7);
        const char *chosen = OF(odds, &r);
        rational_of(x, chosen);
        snprintf(text, sizeof text, "ln(%s)", chosen);
        delta_q(exact, &c, x);
        size_t digits = 5 + rng_below(&r, 30);
        ask_delta(&out, &c, text, digits);
        const dp_figure *delta = row_of(&out, "compose-optimal", "delta");
        if (!figure_holds_q(delta, exact) || !is_narrow(delta, digits)) {
            describe(&c, text);
            fail_msg("delta is not enclosed");
        }
        dp_composition_clear(&c);
        dp_result_clear(&out);
    }
    mpq_clears(x, exact, NULL);
}

static void test_delta(void **state)
{
    (void)state;
    rng r = rng_make(42);
    mpfr_t x, exact, low, high;
    dp_number at;
    dp_number_init(&at);
    mpfr_inits2(BITS, x, exact, low, high, (mpfr_ptr)NULL);
    for (int i = 0; i < rounds(300); i++) {
        dp_composition c;
        dp_result out;
        char text[60];
        dp_result_init(&out);
        random_list(&c, &r, false, i % 10 == 0 ? MOST_SIGNS : 7);
        if (i % 3 == 0)
            snprintf(text, sizeof text, "%s", OF(decimals, &r)); /* often an atom of the loss */
        else
            snprintf(text, sizeof text, "%zu/1000", rng_below(&r, 6000));
        number_of(&at, text);
        number_fr(x, &at);
        delta_fr(exact, &c, x);
        widen(low, high, exact);
        size_t digits = 5 + rng_below(&r, 30);
        ask_delta(&out, &c, text, digits);
        const dp_figure *delta = row_of(&out, "compose-optimal", "delta");
        if (!figure_holds_fr(delta, low, high) || !is_narrow(delta, digits)) {
            describe(&c, text);
            fail_msg("delta is not enclosed");
        }
        dp_composition_clear(&c);
        dp_result_clear(&out);
    }
    mpfr_clears(x, exact, low, high, (mpfr_ptr)NULL);
    dp_number_clear(&at);
}

static void end_of(mpfr_t out, const dp_figure *f, dp_end end)
{
    if (f->kind == DP_RATIONAL)
        mpfr_set_q(out, f->rational, end == DP_UPPER ? MPFR_RNDU : MPFR_RNDD);
    else
        mpfr_set(out, end == DP_UPPER ? &f->enclosure->right : &f->enclosure->left, MPFR_RNDN);
}

/* delta at the lower end of epsilon is at least the target, at the upper end at most: so the
 * smallest epsilon that meets the target lies between them. */
static void check_epsilon(const dp_composition *c, const char *target)
{
    mpq_t want;
    mpfr_t x, delta, low, high;
    dp_result out;
    dp_result_init(&out);
    mpq_init(want);
    mpfr_inits2(BITS, x, delta, low, high, (mpfr_ptr)NULL);
    rational_of(want, target);
    ask_epsilon(&out, c, target, 12);
    const dp_figure *epsilon = row_of(&out, "compose-optimal", "epsilon");
    mpfr_set_ui(x, 1000, MPFR_RNDN);
    delta_fr(delta, c, x);
    widen(low, high, delta);
    bool ok;
    if (epsilon->kind == DP_INFINITE) {
        ok = mpfr_cmp_q(high, want) > 0;
    } else {
        end_of(x, epsilon, DP_UPPER);
        delta_fr(delta, c, x);
        widen(low, high, delta);
        ok = mpfr_cmp_q(low, want) <= 0;
        end_of(x, epsilon, DP_LOWER);
        delta_fr(delta, c, x);
        widen(low, high, delta);
        ok = ok && mpfr_sgn(x) >= 0 && (mpfr_zero_p(x) || mpfr_cmp_q(high, want) >= 0);
    }
    if (!ok || !is_narrow(epsilon, 12)) {
        describe(c, target);
        fail_msg("epsilon is not enclosed");
    }
    mpfr_clears(x, delta, low, high, (mpfr_ptr)NULL);
    mpq_clear(want);
    dp_result_clear(&out);
}

static const dp_figure *quantity_of(const dp_row *row, const char *name)
{
    for (size_t i = 0; i < row->count; i++)
        if (strcmp(row->quantity[i].name, name) == 0)
            return &row->quantity[i].figure;
    return NULL;
}

/* delta <= upper at the upper end of epsilon, and delta >= lower at its lower end: what a row that
 * is called exact says of its pair. */
static bool row_is_exact(const dp_row *row, const dp_composition *c)
{
    const dp_figure *epsilon = quantity_of(row, "epsilon"), *delta = quantity_of(row, "delta");
    if (epsilon == NULL || delta == NULL || epsilon->kind == DP_INFINITE)
        return true;
    mpfr_t x, end, exact, low, high;
    mpfr_inits2(BITS, x, end, exact, low, high, (mpfr_ptr)NULL);
    end_of(x, epsilon, DP_UPPER);
    delta_fr(exact, c, x);
    widen(low, high, exact);
    end_of(end, delta, DP_UPPER);
    bool ok = mpfr_lessequal_p(low, end) != 0;
    end_of(x, epsilon, DP_LOWER);
    delta_fr(exact, c, x);
    widen(low, high, exact);
    end_of(end, delta, DP_LOWER);
    ok = ok && (mpfr_zero_p(x) || mpfr_greaterequal_p(high, end));
    mpfr_clears(x, end, exact, low, high, (mpfr_ptr)NULL);
    return ok;
}

static size_t check_rows(const dp_composition *c, const char *epsilon, const char *delta)
{
    dp_result out;
    dp_number x;
    dp_result_init(&out);
    dp_number_init(&x);
    number_of(&x, epsilon != NULL ? epsilon : delta);
    dp_options opt = dp_options_default();
    opt.all = true;
    dp_compose_query q = {.list = c};
    q.target_epsilon = epsilon != NULL ? &x : NULL;
    q.target_delta = epsilon != NULL ? NULL : &x;
    assert_int_equal(dp_compose(&out, &q, &opt, NULL), DP_OK);
    size_t exact = 0;
    for (size_t i = 0; i < out.count; i++) {
        if (out.row[i].verdict != DP_EXACT)
            continue;
        exact++;
        if (!row_is_exact(&out.row[i], c)) {
            describe(c, epsilon != NULL ? epsilon : delta);
            fail_msg("%s is not exact", out.row[i].theorem->id);
        }
    }
    dp_number_clear(&x);
    dp_result_clear(&out);
    return exact;
}

/* Every row whose verdict is exact, whatever the method. */
static void test_exact_rows(void **state)
{
    (void)state;
    static const char *const targets[] = {"0.1", "1e-3", "1/50", "0.9", "1e-9", "2e-6"};
    rng r = rng_make(44);
    size_t exact = 0, tries = (size_t)rounds(16);
    for (size_t i = 0; i < tries; i++) {
        dp_composition c;
        random_list(&c, &r, i % 2 == 0, 7);
        exact += check_rows(&c, i % 3 == 0 ? OF(decimals, &r) : OF(logs, &r), NULL);
        exact += check_rows(&c, NULL, OF(targets, &r));
        dp_composition_clear(&c);
    }
    assert_true(exact >= tries);
}

static void test_epsilon(void **state)
{
    (void)state;
    static const char *const targets[] = {"0.1",  "1e-3", "1e-6",  "1/50", "0.5",  "0.9",
                                          "1e-9", "0",    "1e-30", "1/4",  "2e-6", "0.0396"};
    rng r = rng_make(43);
    for (int i = 0; i < rounds(400); i++) {
        dp_composition c;
        random_list(&c, &r, i % 2 == 0, i % 10 == 0 ? MOST_SIGNS : 7);
        check_epsilon(&c, OF(targets, &r));
        dp_composition_clear(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_delta_exact),
        cmocka_unit_test(test_delta),
        cmocka_unit_test(test_epsilon),
        cmocka_unit_test(test_exact_rows),
    };
    return cmocka_run_group_tests_name("composition by sign patterns", tests, NULL, NULL);
}
