/* SPDX-License-Identifier: MIT */
/* Sampling with replacement: the record may be drawn several times, so the group privacy of the
 * learner enters. */
#include "num/guard.h"
#include "num/ival.h"
#include "sampling/amplify.h"
#include "sampling/amplify_texts.h"

/* Steps that are taken in rationals, and how long these may become. */
#define MOST_STEPS 64UL
#define EXACT_BITS 8192UL

/* A sum over the number of copies is taken only where it has few terms. */
#define MOST_TERMS 512UL
/* Breakpoints tried around the best one, and bits spent to place it among all of them. */
#define MOST_TRIES 64UL
#define MOST_PLACES 4096UL

/* Workspace of G_j: one learner, one e^t = 1 + rise. */
typedef struct group {
    mpfi_srcptr growth, delta, rise;
    mpfi_t eps;  /* ln(1 + growth) */
    mpfi_t knee; /* a* = (1 - delta)/(2 + growth): where the two branches of the map meet */
    mpfi_t a, b, part;
} group;

static void group_init(group *g, mpfi_srcptr growth, mpfi_srcptr delta, mpfi_srcptr rise,
                       mpfr_prec_t bits)
{
    *g = (group){.growth = growth, .delta = delta, .rise = rise};
    mpfi_ptr all[] = {g->eps, g->knee, g->a, g->b, g->part};
    for (size_t i = 0; i < 5; i++)
        mpfi_init2(all[i], bits);
    mpfi_log1p(g->eps, growth);
    mpfi_ui_sub(g->knee, 1, delta);
    mpfi_add_ui(g->part, growth, 2);
    mpfi_div(g->knee, g->knee, g->part);
}

static void group_clear(group *g)
{
    mpfi_ptr all[] = {g->eps, g->knee, g->a, g->b, g->part};
    for (size_t i = 0; i < 5; i++)
        mpfi_clear(all[i]);
}

/* out = delta ((1 + growth)^m - 1)/growth */
static void climb(mpfi_t out, group *g, const mpz_t m)
{
    ival_mul_z(out, g->eps, m);
    mpfi_expm1(out, out);
    mpfi_div(out, out, g->growth);
    mpfi_mul(out, out, g->delta);
}

/* out = 1 - x where x is `from` below 1 and takes m steps of the upper branch, x ->
 * 1-(1-delta-x)/E: from E^-m - delta (1 - E^-m)/growth */
static void descend(mpfi_t out, group *g, const mpfi_t from, const mpz_t m)
{
    ival_mul_z(g->part, g->eps, m);
    mpfi_neg(g->part, g->part);
    mpfi_expm1(out, g->part);
    mpfi_div(out, out, g->growth);
    mpfi_mul(out, out, g->delta);
    mpfi_exp(g->part, g->part);
    mpfi_mul(g->part, g->part, from);
    mpfi_add(out, out, g->part);
}

static void take_most(mpfi_t out, const mpfi_t x)
{
    mpfr_max(&out->left, &out->left, &x->left, MPFR_RNDD);
    mpfr_max(&out->right, &out->right, &x->right, MPFR_RNDU);
}

/* The value at a = 0: r steps of the lower branch up to the knee, then the upper one. The map is
 * the lesser of the branches, so a misplaced r by rounding only raises the upper end. */
static void start_at_zero(mpfi_t out, group *g, const mpz_t j)
{
    mpz_t r;
    mpz_init_set(r, j);
    if (mpfi_is_strictly_pos(g->delta)) { /* delta (E^r - 1)/growth >= knee */
        mpfi_mul(g->a, g->knee, g->growth);
        mpfi_div(g->a, g->a, g->delta);
        mpfi_log1p(g->a, g->a);
        mpfi_div(g->a, g->a, g->eps);
        mpfr_get_z(r, &g->a->right, MPFR_RNDU);
        if (mpz_cmp(r, j) > 0)
            mpz_set(r, j);
    }
    climb(g->a, g, r);
    mpz_sub(r, j, r);
    if (mpz_sgn(r) > 0) {
        mpfi_ui_sub(g->a, 1, g->a);
        descend(g->b, g, g->a, r);
        mpfi_ui_sub(g->a, 1, g->b);
    }
    ival_clamp_ui(g->a, 0, 1);
    take_most(out, g->a);
    mpz_clear(r);
}

/* The value at a_i = (a* - delta (E^(i-1) - 1)/growth) / E^(i-1), if that is positive: i steps up
 * to c = 1 - a*, then j - i of the upper branch, less e^t a_i. */
static void start_at(mpfi_t out, group *g, const mpz_t j, const mpz_t i)
{
    mpz_t m;
    mpz_init(m);
    mpz_sub_ui(m, i, 1);
    climb(g->a, g, m);
    mpfi_sub(g->a, g->knee, g->a);
    if (mpfr_sgn(&g->a->right) > 0) {
        ival_at_least_zero(g->a);
        ival_mul_z(g->b, g->eps, m);
        mpfi_neg(g->b, g->b);
        mpfi_exp(g->b, g->b);
        mpfi_mul(g->a, g->a, g->b); /* a_i */
        mpfi_add_ui(g->b, g->rise, 1);
        mpfi_mul(g->a, g->a, g->b); /* e^t a_i */
        mpz_sub(m, j, i);
        descend(g->b, g, g->knee, m);
        mpfi_ui_sub(g->b, 1, g->b);
        ival_clamp_ui(g->b, 0, 1);
        mpfi_sub(g->b, g->b, g->a);
        take_most(out, g->b);
    }
    mpz_clear(m);
}

/* The objective g^(j)(a) - e^t a is concave with slopes E^(2i-j) - e^t between the breakpoints, so
 * the maximum is at a = 0 or at the least i with E^(2i-j) >= e^t; where the enclosure of that i is
 * not a point its neighbours are tried too, and trying more can only be harmless. */
static void group_value(mpfi_t out, group *g, const mpz_t j)
{
    mpfi_set_ui(out, 0);
    start_at_zero(out, g, j);
    mpz_t low, high;
    mpz_inits(low, high, NULL);
    mpfi_log1p(g->a, g->rise);
    mpfi_div(g->a, g->a, g->eps);
    mpfi_add_z(g->a, g->a, j);
    mpfi_div_2ui(g->a, g->a, 1);
    if (mpfr_number_p(&g->a->left) && mpfr_number_p(&g->a->right)) {
        mpfr_get_z(low, &g->a->left, MPFR_RNDD);
        mpfr_get_z(high, &g->a->right, MPFR_RNDU);
        if (mpz_sgn(low) <= 0)
            mpz_set_ui(low, 1);
        if (mpz_cmp(high, j) > 0)
            mpz_set(high, j);
        unsigned long tries = 0;
        for (; mpz_cmp(low, high) <= 0 && tries < MOST_TRIES; mpz_add_ui(low, low, 1), tries++)
            start_at(out, g, j, low);
        if (mpz_cmp(low, high) <= 0) /* not placed at this precision */
            mpfr_set_ui(&out->right, 1, MPFR_RNDU);
    }
    ival_clamp_ui(out, 0, 1);
    mpz_clears(low, high, NULL);
}

void amplify_group(mpfi_t out, const mpfi_t growth, const mpfi_t delta, const mpz_t j,
                   const mpfi_t rise)
{
    if (mpfi_is_zero(growth)) { /* E = 1: min(1, j delta) */
        ival_mul_z(out, delta, j);
        ival_clamp_ui(out, 0, 1);
        return;
    }
    group g;
    size_t places = mpz_sizeinbase(j, 2);
    group_init(&g, growth, delta, rise,
               mpfi_get_prec(out) + (mpfr_prec_t)(places < MOST_PLACES ? places : MOST_PLACES));
    group_value(out, &g, j);
    group_clear(&g);
}

/* rise of t where e^t = 1 + rise/g, g = 1 - (1-1/n)^k */
static void inner_rise(mpfi_t out, const bagging_in *in)
{
    dp_bagging one = *in->b; /* borrows the integers */
    bagging_miss s;
    dp_figure hit;
    mpz_init_set_ui(one.models, 1);
    bagging_miss_init(&s);
    dp_figure_init(&hit);
    bagging_miss_set(&s, &one, 0);
    bagging_delta(&hit, &s, &(wanted){mpfi_get_prec(out), false});
    logform_enclose(out, in->at);
    mpfi_expm1(out, out);
    if (hit.kind == DP_RATIONAL)
        mpfi_div_q(out, out, hit.rational);
    else
        mpfi_div(out, out, hit.enclosure);
    dp_figure_clear(&hit);
    bagging_miss_clear(&s);
    mpz_clear(one.models);
}

/* pmf of Bin(k, 1/n) at 1, and its ratio to the next: (k-j)/((j+1)(n-1)) */
static void first_mass(mpfi_t mass, const dp_bagging *b)
{
    mpq_t share;
    mpz_t rest;
    mpq_init(share);
    mpz_init(rest);
    mpz_set_ui(mpq_numref(share), 1);
    mpz_set(mpq_denref(share), b->dataset_size);
    ival_log1m_q(mass, share);
    mpz_sub_ui(rest, b->subsample_size, 1);
    ival_mul_z(mass, mass, rest);
    mpfi_exp(mass, mass);
    ival_mul_z(mass, mass, b->subsample_size);
    mpfi_mul_q(mass, mass, share);
    mpz_clear(rest);
    mpq_clear(share);
}

/* mass *= (k - j)/((j + 1)(n - 1)); true when the rest from here on, at most mass/(1 - ratio), is
 * below 2^-bits of sum: it is then added to the upper end, because G <= 1 */
static bool next_mass(mpfi_t mass, mpfi_t sum, const dp_bagging *b, unsigned long j)
{
    mpfi_t ratio;
    mpz_t top, below;
    mpfi_init2(ratio, 64);
    mpz_inits(top, below, NULL);
    mpz_sub_ui(top, b->subsample_size, j);
    mpz_sub_ui(below, b->dataset_size, 1);
    mpz_mul_ui(below, below, j + 1);
    mpfi_mul_z(mass, mass, top);
    mpfi_div_z(mass, mass, below);
    mpfi_set_z(ratio, top);
    mpfi_div_z(ratio, ratio, below); /* above the ratio of the terms that follow */
    bool done = mpz_sgn(top) == 0;
    if (!done && mpfr_cmp_ui(&ratio->right, 1) < 0) {
        mpfr_ui_sub(&ratio->left, 1, &ratio->right, MPFR_RNDD);
        mpfr_div(&ratio->right, &mass->right, &ratio->left, MPFR_RNDU);
        mpfr_div_2si(&ratio->left, &sum->left, mpfi_get_prec(sum), MPFR_RNDD);
        done = mpfr_cmp(&ratio->right, &ratio->left) <= 0;
        if (done)
            mpfr_add(&sum->right, &sum->right, &ratio->right, MPFR_RNDU);
    }
    mpz_clears(top, below, NULL);
    mpfi_clear(ratio);
    return done;
}

/* Few copies: k/n + 12 sqrt(k/n) + 64 within the limit, judged in integers: k <= 100 n. */
static bool bbg_applies(const void *in)
{
    const bagging_in *q = in;
    mpz_t most;
    mpz_init(most);
    mpz_mul_ui(most, q->b->dataset_size, 100);
    bool ok = q->at != NULL && mpz_cmp(q->b->subsample_size, most) <= 0 &&
              mpz_cmp_ui(q->b->models, 1) == 0 && mpz_cmp_ui(q->b->dataset_size, 1) > 0;
    mpz_clear(most);
    return ok;
}

static dp_status eval_bbg(dp_figure *out, const void *in, const wanted *want)
{
    const bagging_in *q = in;
    mpfr_prec_t bits = want->bits + 16;
    mpfi_t growth, delta, rise, mass, value;
    mpfi_ptr all[] = {growth, delta, rise, mass, value};
    for (size_t i = 0; i < 5; i++)
        mpfi_init2(all[i], bits);
    bagging_set_epsilon(&out[0], q, want);
    amplify_base(growth, delta, q->b);
    inner_rise(rise, q);
    first_mass(mass, q->b);
    /* a copy that is replaced is one step of the learner, or two */
    unsigned long steps = amplify_way(q->b) == AMPLIFY_DIRECT ? 1 : 2;
    mpfi_ptr sum = figure_enclose(&out[1], bits);
    mpfi_set_ui(sum, 0);
    mpz_t j;
    mpz_init(j);
    dp_status status = DP_LIMIT;
    for (unsigned long copies = 1; copies <= MOST_TERMS; copies++) {
        mpz_set_ui(j, copies * steps);
        amplify_group(value, growth, delta, j, rise);
        mpfi_mul(value, value, mass);
        mpfi_add(sum, sum, value);
        if (next_mass(mass, sum, q->b, copies)) {
            status = DP_OK;
            break;
        }
    }
    if (status == DP_LIMIT) { /* more terms than expected: what is left counts in full */
        mpfr_set_ui(&sum->right, 1, MPFR_RNDU);
        status = DP_OK;
    }
    ival_clamp_ui(sum, 0, 1);
    mpz_clear(j);
    for (size_t i = 0; i < 5; i++)
        mpfi_clear(all[i]);
    return status;
}

static bool hybrid_applies(const void *in)
{
    return ((const bagging_in *)in)->at != NULL;
}

/* The learner's steps under replacement, of its own ones, in rationals. */
static void steps_q(mpq_t odds, mpq_t delta, const dp_bagging *b)
{
    mpq_set(delta, b->base_delta);
    if (amplify_way(b) == AMPLIFY_DIRECT)
        return;
    amplify_step_q(delta, delta, odds, delta);
    mpq_mul(odds, odds, odds);
}

/* Beyond m times the epsilon of one draw the value is that of g^m(0), g the map of one draw. */
static bool climb_q(mpq_t out, const dp_bagging *b, const mpz_t draws)
{
    bool once = mpz_cmp_ui(draws, 1) == 0 && amplify_way(b) == AMPLIFY_DIRECT;
    mpq_t odds, delta;
    mpq_inits(odds, delta, NULL);
    bool ok = once || (amplify_base_odds(odds, b) && mpz_cmp_ui(draws, MOST_STEPS) <= 0 &&
                       guard_pow_fits_q(odds, draws, EXACT_BITS));
    mpq_set_ui(out, 0, 1);
    if (once) {
        mpq_set(out, b->base_delta);
        mpz_mul(mpq_denref(out), mpq_denref(out), b->dataset_size);
        mpq_canonicalize(out);
    } else if (ok) {
        steps_q(odds, delta, b);
        mpz_sub(mpq_numref(odds), mpq_numref(odds), mpq_denref(odds)); /* 1 + (E - 1)/n */
        mpz_mul(mpq_denref(odds), mpq_denref(odds), b->dataset_size);
        mpz_add(mpq_numref(odds), mpq_numref(odds), mpq_denref(odds));
        mpq_canonicalize(odds);
        mpz_mul(mpq_denref(delta), mpq_denref(delta), b->dataset_size);
        mpq_canonicalize(delta);
        for (unsigned long i = mpz_get_ui(draws); i > 0; i--)
            amplify_step_q(out, out, odds, delta);
    }
    mpq_clears(odds, delta, NULL);
    return ok;
}

/* Where the value is rational: nothing is lost, what leaks is the same at every target, or the
 * target is at the end or beyond. */
static bool hybrid_q(mpq_t out, const bagging_in *q, const mpz_t draws)
{
    if (dp_number_sgn(q->b->base_epsilon) == 0)
        return amplify_leak(out, q->b, draws);
    if (amplify_beyond(q->b, draws, q->at) != DP_YES)
        return false;
    return mpq_sgn(q->b->base_delta) == 0 ? amplify_leak(out, q->b, draws)
                                          : climb_q(out, q->b, draws);
}

/* G_m of the steps (ln(1 + growth/n), delta/n), m = N k draws, at the target itself */
static dp_status eval_hybrid(dp_figure *out, const void *in, const wanted *want)
{
    const bagging_in *q = in;
    mpz_t draws;
    mpz_init(draws);
    bagging_set_epsilon(&out[0], q, want);
    mpz_mul(draws, q->b->models, q->b->subsample_size);
    if (hybrid_q(out[1].rational, q, draws)) {
        out[1].kind = DP_RATIONAL;
    } else {
        mpfi_t growth, delta, rise;
        mpfi_init2(growth, want->bits + 16);
        mpfi_init2(delta, want->bits + 16);
        mpfi_init2(rise, want->bits + 16);
        amplify_learner(growth, delta, q->b);
        mpfi_div_z(growth, growth, q->b->dataset_size);
        mpfi_div_z(delta, delta, q->b->dataset_size);
        amplify_rise(rise, q->at);
        amplify_group(figure_enclose(&out[1], want->bits + 16), growth, delta, draws, rise);
        mpfi_clear(rise);
        mpfi_clear(delta);
        mpfi_clear(growth);
    }
    mpz_clear(draws);
    return DP_OK;
}

/* (ln(1 + g (e^eps0 - 1)), delta of amplify-with-pair) */
static dp_status eval_mixture(dp_figure *out, const void *in, const wanted *want)
{
    const bagging_in *q = in;
    dp_status status = amplify_with_pair.eval(out, in, want);
    dp_bagging one = *q->b;
    bagging_miss s;
    mpfi_t growth, delta;
    mpz_init_set_ui(one.models, 1);
    bagging_miss_init(&s);
    mpfi_init2(growth, want->bits);
    mpfi_init2(delta, want->bits);
    bagging_miss_set(&s, &one, 0);
    dp_figure hit;
    dp_figure_init(&hit);
    bagging_delta(&hit, &s, &(wanted){want->bits, false});
    amplify_learner(growth, delta, q->b);
    if (hit.kind == DP_RATIONAL)
        mpfi_mul_q(growth, growth, hit.rational);
    else
        mpfi_mul(growth, growth, hit.enclosure);
    mpfi_log1p(figure_enclose(&out[0], want->bits), growth);
    dp_figure_clear(&hit);
    mpfi_clear(delta);
    mpfi_clear(growth);
    bagging_miss_clear(&s);
    mpz_clear(one.models);
    return status;
}

static bool mixture_applies(const void *in)
{
    const bagging_in *q = in;
    return q->at == NULL && mpz_cmp_ui(q->b->models, 1) == 0 &&
           dp_number_sgn(q->b->base_epsilon) > 0;
}

#define LEARNER                                                                                    \
    "learner (eps0, delta0)-DP under replace-one, result under either relation (n the larger "     \
    "data set); sampled indices secret and fresh"

const bound amplify_with_bbg = {
    .theorem =
        {.id = "amplify-with-bbg",
         .family = "bagging-with",
         .verdict = DP_PROVED,
         .source = BBG ", Theorem 10, with the exact group profile derived here",
         .statement =
             "delta(eps) <= sum over j >= 1 of Pr[Bin(k,1/n) = j] G_j(t), e^t = 1 + (e^eps "
             "- 1)/(1-(1-1/n)^k), G_j the worst profile of a chain of j neighbouring steps",
         .assumes = "one model; " LEARNER,
         .proof =
             "Condition on the number J of copies: given J >= 1 the laws are within J "
             "replacements. G_j(t) = max over a of g^j(a) - e^t a, g(a) = min(1, delta0 + E0 a, "
             "1 - (1-delta0-a)/E0): every event moves along g at best, a chain attains it. All "
             "G_j are taken at the same t."},
    .applies = bbg_applies,
    .eval = eval_bbg,
    .output = PAIR,
    .also_for = "compose|curve"};

const bound amplify_with_hybrid = {
    .theorem = {.id = "amplify-with-hybrid",
                .family = "bagging-with",
                .verdict = DP_PROVED,
                .source = "derived here",
                .statement = "delta(eps) <= G_m(eps) for m = Nk steps, each (ln(1 + (e^eps0-1)/n), "
                             "delta0/n)-DP",
                .assumes = LEARNER,
                .proof =
                    "The hybrid of amplify-with-pair with the exact group profile in place of the "
                    "group formula."},
    .applies = hybrid_applies,
    .eval = eval_hybrid,
    .output = PAIR,
    .also_for = "compose|curve"};

const bound amplify_with_mixture = {
    .theorem =
        {.id = "amplify-with-mixture",
         .family = "bagging-with",
         .verdict = DP_UNSOUND,
         .source = "a mixture of " BBG ", Theorem 10 that circulates",
         .statement =
             "(ln(1 + g (e^eps0 - 1)), sum over j of Pr[Bin(k,1/n) = j] delta0 (e^(j eps0) "
             "- 1)/(e^eps0 - 1)), g = 1 - (1-1/n)^k",
         .assumes = "claims the class of amplify-with-pair",
         .proof = "It pairs the group delta that is valid at j eps0 with an epsilon computed at "
                  "eps0.",
         .counterexample =
             "n = 2, k = 2, e^eps0 = 2, delta0 = 0: the learner that outputs 1 with probability "
             "2^J/8, J the copies of the record, is ln 2-DP; with the record Pr[1] = 9/32, without "
             "it 1/8, a ratio of 9/4 > 7/4 = 1 + g, so delta(ln 7/4) = 1/16 > 0"},
    .applies = mixture_applies,
    .eval = eval_mixture,
    .output = PAIR,
    .only_all = true};
