/* SPDX-License-Identifier: MIT */
/* Bagging as an item of a composition: the pair that stands for it where only pairs will do, and a
 * note of what it is, from which a question takes a better one, or its law (bagging_laws.c).
 * Whatever is read here of a private learner is an upper bound of one use, but below and leak,
 * which are below it. */
#include "compose/enclosed_pair.h"
#include "core/door.h"
#include "core/refine.h"
#include "dpacct/compose.h"
#include "loss/known.h"
#include "num/ival.h"
#include "num/memory.h"
#include "sampling/bagging_ask.h"

/* A leak is taken from below to this precision. */
#define LEAK_BITS 256

static const known_ops bagging_known;

/* Without its note an item would count as attained. */
static void take_back(dp_composition *c)
{
    dp_item *m = &c->item[--c->count];
    dp_number_clear(&m->epsilon);
    mpq_clear(m->delta);
    mpz_clear(m->times);
}

/* Appends (epsilon, delta), `draws` times in each release, with the note. */
static dp_status add_item(dp_composition *c, const dp_number *epsilon, const mpq_t delta,
                          const mpz_t draws, known_kind kind, const dp_bagging *b,
                          const mpz_t releases, dp_error *err)
{
    mpz_t times;
    mpz_init(times);
    mpz_mul(times, draws, releases);
    dp_status status = dp_composition_add(c, epsilon, delta, times, err);
    if (status == DP_OK) {
        status = known_add(c, kind, &bagging_known, b, releases);
        if (status != DP_OK) {
            take_back(c);
            fail(err, status, NULL, dp_status_text(status));
        }
    }
    mpz_clear(times);
    return status;
}

/* Any learner: the profile is that of (0, 1 - base) used count times. */
static dp_status add_miss(dp_composition *c, known_kind kind, const dp_bagging *b,
                          const mpz_t releases, dp_error *err)
{
    bagging_miss s;
    dp_number zero;
    bagging_miss_init(&s);
    dp_number_init(&zero);
    bagging_miss_set(&s, b, 0);
    mpz_sub(mpq_numref(s.base), mpq_denref(s.base), mpq_numref(s.base));
    dp_status status = add_item(c, &zero, s.base, s.count, kind, b, releases, err);
    dp_number_clear(&zero);
    bagging_miss_clear(&s);
    return status;
}

static dp_status add_pair(dp_composition *c, const dp_bagging *b, const mpz_t releases,
                          size_t digits, dp_error *err)
{
    dp_number epsilon;
    mpq_t delta;
    mpz_t one;
    dp_number_init(&epsilon);
    mpq_init(delta);
    mpz_init_set_ui(one, 1);
    known_kind kind;
    if (!bagging_is_pair(&kind, b))
        kind = KNOWN_ABOVE;
    dp_status status = DP_UNDECIDED;
    if (bagging_model_pair(&epsilon, delta, b, DP_UPPER, refine_bits(digits) + 64))
        status = add_item(c, &epsilon, delta, amplify_composes(b) ? b->models : one, kind, b,
                          releases, err);
    else
        fail(err, status, "base_epsilon", "is too large for its amplified pair to be formed");
    mpz_clear(one);
    mpq_clear(delta);
    dp_number_clear(&epsilon);
    return status;
}

static dp_status add_bagging(dp_composition *c, const dp_bagging *b, const mpz_t times,
                             size_t digits, dp_error *err)
{
    dp_status status = door_pointer("list", c, err);
    if (status == DP_OK)
        status = door_choice(&list_adjacency, (int)c->adjacency, err);
    if (status == DP_OK)
        status = door_pointer("bagging", b, err);
    if (status == DP_OK)
        status = door_pointer("times", times, err);
    if (status != DP_OK)
        return status;
    const given all[] = {{&item_times, .z = times}};
    status = bagging_domain(b, DP_SOLVE_NONE, err);
    if (status == DP_OK)
        status = DOOR_GIVEN(all, err);
    if (status != DP_OK)
        return status;
    if ((status = door_digits(&digits, err)) != DP_OK)
        return status;
    if (b->adjacency != c->adjacency)
        return fail(err, DP_DOMAIN, "adjacency",
                    "is not that of the list; mechanisms for different relations do not compose");
    if (b->base_epsilon == NULL || mpq_cmp_ui(b->base_delta, 1, 1) == 0)
        return add_miss(c, bagging_leak_kind(b), b, times, err);
    if (amplify_way(b) == AMPLIFY_NOTHING)
        return add_miss(c, KNOWN_ABOVE, b, times, err);
    return add_pair(c, b, times, digits, err);
}

dp_status dp_composition_add_bagging(dp_composition *c, const dp_bagging *b, const mpz_t times,
                                     size_t digits, dp_error *err)
{
    size_t before = memory_failures();
    dp_status status = add_bagging(c, b, times, digits, err);
    if (memory_failures() == before)
        return status;
    return fail(err, DP_MEMORY, NULL, dp_status_text(DP_MEMORY));
}

/* One use of the item: one model, but all of them where the blocks are disjoint. */
static void use_init(dp_bagging *one, const dp_known *k)
{
    *one = k->b;
    mpz_init_set_ui(one->models, 1);
    if (k->b.sampling == DP_WITHOUT_DISJOINT)
        mpz_set(one->models, k->b.models);
}

static void take_least(mpfi_t out, const dp_figure *f)
{
    if (f->kind == DP_ENCLOSED) {
        ival_take_least(out, f->enclosure);
        return;
    }
    mpfi_t exact;
    mpfi_init2(exact, mpfi_get_prec(out));
    mpfi_set_q(exact, f->rational);
    ival_take_least(out, exact);
    mpfi_clear(exact);
}

/* The probability that one sample holds a fixed record. */
static void one_block(mpfi_t out, const dp_known *k)
{
    dp_bagging one = k->b;
    bagging_miss s;
    dp_figure hit;
    mpz_init_set_ui(one.models, 1);
    bagging_miss_init(&s);
    dp_figure_init(&hit);
    bagging_miss_set(&s, &one, 0);
    bagging_delta(&hit, &s, &(wanted){mpfi_get_prec(out), false});
    if (hit.kind == DP_RATIONAL)
        mpfi_set_q(out, hit.rational);
    else
        mpfi_set(out, hit.enclosure);
    dp_figure_clear(&hit);
    bagging_miss_clear(&s);
    mpz_clear(one.models);
}

static void known_profile(mpfi_t out, const dp_known *k, const dp_number *x)
{
    static const bound *const drawn[] = {&amplify_with_bbg, &amplify_with_hybrid, NULL};
    const bound *const once[] = {amplify_curve(&k->b), NULL};
    static const bound *const none[] = {NULL};
    const bound *const *b = amplify_way(&k->b) == AMPLIFY_NOTHING  ? none
                            : k->b.sampling == DP_WITH_REPLACEMENT ? drawn
                                                                   : once;
    dp_bagging one;
    use_init(&one, k);
    wanted want = {mpfi_get_prec(out), false};
    dp_figure f[BOUND_OUTPUTS];
    for (size_t i = 0; i < 2; i++)
        dp_figure_init(&f[i]);
    logform at;
    logform_init(&at);
    bagging_in in = {.b = &one, .at = &at};
    bagging_miss s;
    bagging_miss_init(&s);
    bagging_miss_set(&s, &one, 0);
    mpfi_set_ui(out, 1);
    bagging_delta(&f[1], &s, &want);
    take_least(out, &f[1]); /* any learner */
    bool ok = logform_add_number(&at, NULL, x);
    for (; ok && *b != NULL; b++)
        if (((*b)->applies == NULL || (*b)->applies(&in)) && (*b)->eval(f, &in, &want) == DP_OK)
            take_least(out, &f[1]);
    bagging_miss_clear(&s);
    logform_clear(&at);
    for (size_t i = 0; i < 2; i++)
        dp_figure_clear(&f[i]);
    mpz_clear(one.models);
}

/* A learner that answers by randomized response of the bit [record in sample], told apart by
 * P = (1 - eta) K0 + eta K1 against Q = K0, under whichever relation it is private: with odds E0
 * this is at least randomized response of odds 1/(1 - eta (1 - 1/E0)) in either direction, and P
 * leaks with probability eta delta0. Both profiles are convex and piecewise linear in e^x; that of
 * the response is 0 from where the reverse one first bends, lies on or below both at x = 0, and is
 * linear between. Of several disjoint blocks one alone is looked at: the others answer too. With
 * replacement eta is 1 - (1-1/n)^k. */
static bool known_below(dp_number *epsilon, const dp_known *k, mpfr_prec_t bits)
{
    if (amplify_way(&k->b) == AMPLIFY_NOTHING)
        return false;
    mpq_t leak;
    mpfi_t x, eta;
    mpq_init(leak);
    mpfi_init2(x, bits);
    mpfi_init2(eta, bits);
    one_block(eta, k);
    ival_set_number(x, k->b.base_epsilon);
    mpfi_neg(x, x);
    mpfi_expm1(x, x);
    mpfi_mul(x, x, eta);
    mpfi_log1p(x, x);
    mpfi_neg(x, x);
    mpfi_set_ui(eta, 0);
    bool ok = pairs_round(epsilon, leak, x, eta, DP_LOWER) && dp_number_sgn(epsilon) >= 0;
    mpfi_clear(eta);
    mpfi_clear(x);
    mpq_clear(leak);
    return ok;
}

/* Any block may hold the record, and the one that does leaks with probability delta0. */
static bool known_leak(mpq_t delta, const dp_known *k)
{
    if (amplify_way(&k->b) == AMPLIFY_NOTHING)
        return false;
    dp_bagging one;
    use_init(&one, k);
    bool ok = true;
    if (k->b.sampling == DP_WITH_REPLACEMENT) {
        dp_number none;
        mpfi_t eta, zero;
        dp_number_init(&none);
        mpfi_init2(eta, LEAK_BITS);
        mpfi_init2(zero, LEAK_BITS);
        mpfi_set_ui(zero, 0);
        one_block(eta, k);
        ok = pairs_round(&none, delta, zero, eta, DP_LOWER);
        mpfi_clear(zero);
        mpfi_clear(eta);
        dp_number_clear(&none);
    } else {
        amplify_rate_q(delta, &one);
    }
    mpq_mul(delta, delta, k->b.base_delta);
    mpz_clear(one.models);
    return ok;
}

static const known_ops bagging_known = {known_profile,   known_below, known_leak,
                                        bagging_has_law, bagging_law, bagging_bounds,
                                        bagging_meets};
