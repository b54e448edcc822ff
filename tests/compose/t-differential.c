/* SPDX-License-Identifier: MIT */
/* The composition against itself by other ways: random questions are asked of the library, of an
 * evaluator that it would not have chosen, and of a shorter list, by conditioning on one loss:
 *     s(x) = q s'(x - eps) + p s'(x + eps),  s'(-y) = 1 - e^-y + e^-y s'(y),
 * q = e^eps/(1+e^eps), p = 1 - q, whose lattice and nodes are others. 20 questions;
 * DPACCT_TEST_FACTOR=5000 asks 10^5, and DPACCT_TEST_SEED other ones. */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/profile.h"
#include "loss/response_list.h"
#include "num/ival.h"

#define BITS 400
#define MOST_ITEMS 4
#define SECONDS 1

typedef struct item {
    char epsilon[40], times[40];
} item;

typedef struct question {
    item item[MOST_ITEMS];
    size_t count;
    char x[40];
    size_t digits;
} question;

static double uniform(rng *r)
{
    return (double)rng_below(r, 1U << 30) / (double)(1U << 30);
}

static double value_of(const char *text)
{
    dp_number x;
    dp_number_init(&x);
    number_of(&x, text);
    double d = mpq_get_d(x.value);
    d = x.is_log ? log(d) : d;
    dp_number_clear(&x);
    return d;
}

/* One loss of up to 10^22 uses on a fine step, and one or two single ones on the same step. */
static void resonant(question *q, rng *r)
{
    unsigned place = 3 + (unsigned)rng_below(r, 9), a = 1 + (unsigned)rng_below(r, 30);
    double step = pow(10, -(double)place), spread = exp(5 * uniform(r) - 2) / (step * a);
    q->count = 2 + rng_below(r, 2);
    snprintf(q->item[0].epsilon, sizeof q->item[0].epsilon, "%ue-%u", a, place);
    snprintf(q->item[0].times, sizeof q->item[0].times, "%.0f", fmax(1, spread * spread));
    for (size_t i = 1; i < q->count; i++) {
        unsigned finer = place + (unsigned)rng_below(r, 2);
        snprintf(q->item[i].epsilon, sizeof q->item[i].epsilon, "%ue-%u",
                 1 + (unsigned)rng_below(r, 60), finer);
        strcpy(q->item[i].times, "1");
    }
}

/* Losses of a common step, each some hundred times at most. */
static void stepped(question *q, rng *r)
{
    q->count = 2 + rng_below(r, MOST_ITEMS - 1);
    for (size_t i = 0; i < q->count; i++) {
        snprintf(q->item[i].epsilon, sizeof q->item[i].epsilon, "%ue-%u",
                 1 + (unsigned)rng_below(r, 99), 2 + (unsigned)rng_below(r, 2));
        snprintf(q->item[i].times, sizeof q->item[i].times, "%u",
                 1 + (unsigned)rng_below(r, rng_below(r, 2) ? 300 : 5));
    }
}

/* Losses of no common step. */
static void loose(question *q, rng *r)
{
    q->count = 1 + rng_below(r, 3);
    for (size_t i = 0; i < q->count; i++) {
        unsigned below = 2 + (unsigned)rng_below(r, 50);
        snprintf(q->item[i].epsilon, sizeof q->item[i].epsilon, "ln(%u/%u)",
                 below + 1 + (unsigned)rng_below(r, 20), below);
        snprintf(q->item[i].times, sizeof q->item[i].times, "%u",
                 1 + (unsigned)rng_below(r, rng_below(r, 2) ? 60 : 4));
    }
}

/* One loss. */
static void single(question *q, rng *r)
{
    unsigned place = 1 + (unsigned)rng_below(r, 8), a = 1 + (unsigned)rng_below(r, 99);
    double spread = exp(6 * uniform(r) - 2) / (a * pow(10, -(double)place));
    q->count = 1;
    snprintf(q->item[0].epsilon, sizeof q->item[0].epsilon, "%ue-%u", a, place);
    snprintf(q->item[0].times, sizeof q->item[0].times, "%.0f", fmax(1, spread * spread));
}

static void random_question(question *q, rng *r)
{
    static void (*const kinds[])(question *, rng *) = {resonant, stepped, loose, single};
    kinds[rng_below(r, 4)](q, r);
    double mean = 0, square = 0, total = 0;
    for (size_t i = 0; i < q->count; i++) {
        double e = value_of(q->item[i].epsilon), t = value_of(q->item[i].times);
        total += t * e;
        mean += t * e * tanh(e / 2);
        square += t * e * e / cosh(e / 2) / cosh(e / 2);
    }
    double x = mean + sqrt(square) * (9 * uniform(r) - 2);
    x = x < 0 ? total * uniform(r) * 0.01 : x < total ? x : total * uniform(r);
    snprintf(q->x, sizeof q->x, "%.*g", 1 + (int)rng_below(r, 16), x);
    q->digits = 4 + rng_below(r, 27);
}

static void add_item(dp_composition *list, const item *i, bool less)
{
    dp_number e;
    mpq_t zero;
    mpz_t t;
    dp_number_init(&e);
    mpq_init(zero);
    mpz_init_set_str(t, i->times, 10);
    if (less)
        mpz_sub_ui(t, t, 1);
    number_of(&e, i->epsilon);
    if (mpz_sgn(t) > 0)
        assert_int_equal(dp_composition_add(list, &e, zero, t, NULL), DP_OK);
    mpz_clear(t);
    mpq_clear(zero);
    dp_number_clear(&e);
}

static void start(limits *lim)
{
    dp_options opt = dp_options_default();
    opt.max_seconds = SECONDS;
    limits_start(lim, &opt);
}

/* s at x, any sign, of a list that may be empty; [0, 1] where no evaluator is at hand. *kind: the
 * one that was used. */
static void profile_of(mpfi_t s, const dp_composition *list, const mpfi_t x, size_t digits,
                       unsigned without, unsigned *kind)
{
    composed c;
    engine e;
    profile p;
    limits lim;
    mpfi_t y, total, flip;
    mpfr_t slope;
    mpfi_ptr all[] = {y, total, flip};
    for (size_t i = 0; i < 3; i++)
        mpfi_init2(all[i], BITS);
    mpfr_init2(slope, 64);
    start(&lim);
    assert_int_equal(composed_init(&c, list), DP_OK);
    logform_enclose(total, &c.total);
    mpfi_abs(y, x);
    if (mpfr_greaterequal_p(&y->left, &total->right)) {
        mpfi_set_ui(s, 0);
    } else {
        assert_int_equal(engine_init(&e, &c.product), DP_OK);
        e.without = without;
        double at = fmin(mpfr_get_d(&y->left, MPFR_RNDN), e.all.tilt.total);
        mpfr_prec_t bits = (mpfr_prec_t)(digits * 10 / 3 + 40);
        mpfi_interv_si(s, 0, 1);
        if (profile_open(&p, &e, at, bits, pow(10, -(double)digits), false, &lim) == DP_OK) {
            *kind = p.kind;
            if (profile_at(s, slope, &p, y) != DP_OK)
                mpfi_interv_si(s, 0, 1);
        }
        profile_close(&p);
        engine_clear(&e);
    }
    if (mpfr_sgn(&x->left) < 0) { /* 1 - e^-y + e^-y s(y) = 1 - e^-y (1 - s(y)) */
        mpfi_neg(y, y);
        mpfi_exp(flip, y);
        mpfi_ui_sub(s, 1, s);
        mpfi_mul(s, s, flip);
        mpfi_ui_sub(s, 1, s);
    }
    composed_clear(&c);
    mpfr_clear(slope);
    for (size_t i = 0; i < 3; i++)
        mpfi_clear(all[i]);
}

static void by_conditioning(mpfi_t s, const question *q, size_t which, const mpfi_t x)
{
    dp_composition rest;
    dp_number epsilon;
    mpfi_t e, at, part, weight;
    mpfi_ptr all[] = {e, at, part, weight};
    unsigned kind;
    for (size_t i = 0; i < 4; i++)
        mpfi_init2(all[i], BITS);
    dp_number_init(&epsilon);
    number_of(&epsilon, q->item[which].epsilon);
    ival_set_number(e, &epsilon);
    dp_composition_init(&rest);
    for (size_t i = 0; i < q->count; i++)
        add_item(&rest, &q->item[i], i == which);
    mpfi_sub(at, x, e);
    profile_of(s, &rest, at, q->digits, 0, &kind);
    mpfi_neg(weight, e);
    mpfi_exp(weight, weight);
    mpfi_add_ui(weight, weight, 1);
    mpfi_ui_div(weight, 1, weight); /* q */
    mpfi_mul(s, s, weight);
    mpfi_add(at, x, e);
    profile_of(part, &rest, at, q->digits, 0, &kind);
    mpfi_ui_sub(weight, 1, weight);
    mpfi_mul(part, part, weight);
    mpfi_add(s, s, part);
    dp_composition_clear(&rest);
    dp_number_clear(&epsilon);
    for (size_t i = 0; i < 4; i++)
        mpfi_clear(all[i]);
}

static void library(mpfi_t s, const dp_composition *list, const question *q)
{
    dp_result out;
    dp_number x;
    dp_result_init(&out);
    dp_number_init(&x);
    number_of(&x, q->x);
    dp_options opt = dp_options_default();
    opt.digits = q->digits;
    opt.max_seconds = SECONDS;
    dp_compose_query ask = {.list = list, .method = DP_COMPOSE_OPTIMAL, .target_epsilon = &x};
    assert_int_equal(dp_compose(&out, &ask, &opt, NULL), DP_OK);
    const dp_figure *f = row_of(&out, "compose-optimal", "delta");
    if (f->kind == DP_RATIONAL)
        mpfi_set_q(s, f->rational);
    else
        mpfi_set(s, f->enclosure);
    dp_number_clear(&x);
    dp_result_clear(&out);
}

static void compare(const char *how, const question *q, const mpfi_t a, const mpfi_t b)
{
    if (mpfr_lessequal_p(&a->left, &b->right) && mpfr_lessequal_p(&b->left, &a->right))
        return;
    for (size_t i = 0; i < q->count; i++)
        fprintf(stderr, "-m '%sx%s' ", q->item[i].epsilon, q->item[i].times);
    fprintf(stderr, "--target-epsilon '%s' --digits %zu\n", q->x, q->digits);
    for (int k = 0; k < 2; k++) {
        char text[2][60];
        mpfr_sprintf(text[0], "%.30Rg", k == 0 ? &a->left : &b->left);
        mpfr_sprintf(text[1], "%.30Rg", k == 0 ? &a->right : &b->right);
        fprintf(stderr, "[%s, %s]\n", text[0], text[1]);
    }
    fail_msg("%s: the figures exclude each other", how);
}

static bool is_sharp(const mpfi_t s)
{
    mpfr_t width;
    mpfr_init2(width, 64);
    mpfr_sub(width, &s->right, &s->left, MPFR_RNDU);
    mpfr_mul_ui(width, width, 1000, MPFR_RNDU);
    bool ok = mpfr_lessequal_p(width, &s->left) != 0;
    mpfr_clear(width);
    return ok;
}

/* How many sharp figures stood against a sharp one. */
static unsigned check(const question *q)
{
    dp_composition list;
    dp_number number;
    mpfi_t own, other, x;
    unsigned kind = PROFILE_SMOOTH, sharp = 0;
    mpfi_init2(own, BITS);
    mpfi_init2(other, BITS);
    mpfi_init2(x, BITS);
    dp_number_init(&number);
    dp_composition_init(&list);
    for (size_t i = 0; i < q->count; i++)
        add_item(&list, &q->item[i], false);
    number_of(&number, q->x);
    ival_set_number(x, &number);
    library(own, &list, q);
    profile_of(other, &list, x, q->digits, 0, &kind);
    compare("the profile", q, own, other);
    profile_of(other, &list, x, q->digits < 7 ? q->digits : 7, 1U << kind, &kind);
    compare("another evaluator", q, own, other);
    sharp += is_sharp(own) && is_sharp(other);
    for (size_t i = 0; i < q->count; i++) {
        by_conditioning(other, q, i, x);
        compare("one loss less", q, own, other);
        sharp += is_sharp(own) && is_sharp(other);
    }
    dp_composition_clear(&list);
    dp_number_clear(&number);
    mpfi_clear(own);
    mpfi_clear(other);
    mpfi_clear(x);
    return sharp;
}

static void test_agreement(void **state)
{
    (void)state;
    const char *seed = getenv("DPACCT_TEST_SEED");
    rng r = rng_make(seed != NULL ? strtoull(seed, NULL, 10) : 4101);
    int tries = rounds(20);
    unsigned sharp = 0;
    for (int i = 0; i < tries; i++) {
        question q;
        random_question(&q, &r);
        sharp += check(&q);
    }
    printf("%u sharp comparisons\n", sharp);
    assert_true(sharp > (unsigned)tries);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_agreement),
    };
    return cmocka_run_group_tests_name("differential", tests, NULL, NULL);
}
