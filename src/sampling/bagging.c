/* SPDX-License-Identifier: MIT */
/* The profile of bagging for any learner: exact for each sampling scheme and relation, and the
 * published pairs beside it. */
#include "sampling/bagging.h"

#include "num/guard.h"
#include "num/ival.h"
#include "num/word.h"

/* A power this small is formed exactly when a figure is asked for as a rational. */
#define EXACT_BITS 65536UL

void bagging_miss_init(bagging_miss *s)
{
    mpq_init(s->base);
    mpz_init(s->count);
}

void bagging_miss_clear(bagging_miss *s)
{
    mpq_clear(s->base);
    mpz_clear(s->count);
}

void bagging_miss_set(bagging_miss *s, const dp_bagging *b, unsigned long extra)
{
    mpz_ptr top = mpq_numref(s->base), below = mpq_denref(s->base);
    mpz_add_ui(below, b->dataset_size, extra);
    switch (b->sampling) {
    case DP_WITH_REPLACEMENT: /* (n-1)/n, N k times */
        mpz_mul(s->count, b->models, b->subsample_size);
        mpz_sub_ui(top, below, 1);
        break;
    case DP_WITHOUT_DISJOINT: /* (n-Nk)/n, once */
        mpz_mul(s->count, b->models, b->subsample_size);
        mpz_sub(top, below, s->count);
        mpz_set_ui(s->count, 1);
        break;
    case DP_WITHOUT_INDEPENDENT: /* (n-k)/n, N times */
        mpz_sub(top, below, b->subsample_size);
        mpz_set(s->count, b->models);
        break;
    case DP_POISSON: /* 1-q, N times, whatever n */
        mpz_set(below, mpq_denref(b->sampling_rate));
        mpz_sub(top, below, mpq_numref(b->sampling_rate));
        mpz_set(s->count, b->models);
        break;
    }
    mpq_canonicalize(s->base);
}

void bagging_delta(dp_figure *out, const bagging_miss *s, const wanted *want)
{
    if (mpq_sgn(s->base) == 0) { /* every record is in some subsample; log1p(-1) does not exist */
        figure_set_ui(out, 1);
        return;
    }
    if ((want->rational && guard_pow_fits_q(s->base, s->count, EXACT_BITS)) ||
        mpz_cmp_ui(s->count, 1) == 0) {
        unsigned long count = mpz_get_ui(s->count);
        mpz_pow_ui(mpq_numref(out->rational), mpq_numref(s->base), count);
        mpz_pow_ui(mpq_denref(out->rational), mpq_denref(s->base), count);
        /* 1 - u/v = (v-u)/v, in lowest terms because u/v is */
        mpz_sub(mpq_numref(out->rational), mpq_denref(out->rational), mpq_numref(out->rational));
        out->kind = DP_RATIONAL;
        return;
    }
    mpfi_ptr x = figure_enclose(out, want->bits);
    mpq_t less;
    mpq_init(less);
    /* base - 1 = -1/n or -k/n, exact: one rounding less */
    mpz_sub(mpq_numref(less), mpq_numref(s->base), mpq_denref(s->base));
    mpz_set(mpq_denref(less), mpq_denref(s->base));
    word_set_q(x, less);
    ival_log1p(x, x); /* ln(base) <= 0; no cancellation for large n */
    ival_mul_z(x, x, s->count);
    ival_expm1(x, x); /* base^count - 1, in (-1, 0] */
    mpfi_neg(x, x);
    mpq_clear(less);
}

void bagging_set_epsilon(dp_figure *out, const bagging_in *in, const wanted *want)
{
    if (in->at == NULL)
        figure_set_ui(out, 0);
    else if (in->at->count == 0)
        figure_set_q(out, in->at->rational);
    else
        logform_enclose(figure_enclose(out, want->bits), in->at);
}

static dp_status eval_exact(dp_figure *out, const void *in, const wanted *want)
{
    const bagging_in *q = in;
    bagging_miss s;
    bagging_miss_init(&s);
    bagging_miss_set(&s, q->b, 0);
    bagging_set_epsilon(&out[0], q, want);
    bagging_delta(&out[1], &s, want);
    bagging_miss_clear(&s);
    return DP_OK;
}

bool bagging_target_odds(mpq_t out, const logform *x)
{
    if (mpq_sgn(x->rational) != 0 || x->count > 1 ||
        (x->count == 1 && mpq_cmp_ui(x->term[0].coefficient, 1, 1) != 0))
        return false;
    if (x->count == 1)
        mpq_set(out, x->term[0].base);
    else
        mpq_set_ui(out, 1, 1);
    return true;
}

/* max(0, 1 - e^x s(n+1)) = max(0, (1 - s) - s expm1(x)): no cancellation for small x */
static dp_status eval_add(dp_figure *out, const void *in, const wanted *want)
{
    const bagging_in *q = in;
    bagging_miss s;
    bagging_miss_init(&s);
    bagging_miss_set(&s, q->b, 1);
    bagging_set_epsilon(&out[0], q, want);
    bagging_delta(&out[1], &s, want);
    mpq_t keep;
    mpq_init(keep);
    if (out[1].kind == DP_RATIONAL && bagging_target_odds(keep, q->at)) {
        mpq_t miss;
        mpq_init(miss);
        mpq_set_ui(miss, 1, 1);
        mpq_sub(miss, miss, out[1].rational);
        mpq_mul(keep, keep, miss);
        mpq_set_ui(miss, 1, 1);
        mpq_sub(out[1].rational, miss, keep);
        if (mpq_sgn(out[1].rational) < 0)
            mpq_set_ui(out[1].rational, 0, 1);
        mpq_clear(miss);
    } else {
        mpfi_t grow, miss;
        mpfi_init2(grow, want->bits);
        mpfi_init2(miss, want->bits);
        if (out[1].kind == DP_RATIONAL)
            word_set_q(figure_enclose(&out[1], want->bits), out[1].rational);
        mpfi_ui_sub(miss, 1, out[1].enclosure);
        logform_enclose(grow, q->at);
        ival_expm1(grow, grow);
        mpfi_mul(grow, grow, miss);
        mpfi_sub(out[1].enclosure, out[1].enclosure, grow);
        ival_at_least_zero(out[1].enclosure);
        if (mpfr_zero_p(&out[1].enclosure->right))
            figure_set_ui(&out[1], 0);
        mpfi_clear(miss);
        mpfi_clear(grow);
    }
    mpq_clear(keep);
    bagging_miss_clear(&s);
    return DP_OK;
}

/* N k ln((n+1)/n), through log1p(1/n) */
static void draws_epsilon(dp_figure *out, const dp_bagging *b, const wanted *want)
{
    mpfi_ptr x = figure_enclose(out, want->bits);
    mpq_t share;
    mpz_t draws;
    mpq_init(share);
    mpz_init(draws);
    mpz_set_ui(mpq_numref(share), 1);
    mpz_set(mpq_denref(share), b->dataset_size);
    mpz_mul(draws, b->models, b->subsample_size);
    word_set_q(x, share);
    ival_log1p(x, x);
    ival_mul_z(x, x, draws);
    mpz_clear(draws);
    mpq_clear(share);
}

static dp_status eval_with_published(dp_figure *out, const void *in, const wanted *want)
{
    const bagging_in *q = in;
    draws_epsilon(&out[0], q->b, want);
    return DP_OK;
}

/* (N k ln((n+1)/n), min(1, N * delta of one model)) */
static dp_status eval_with_naive(dp_figure *out, const void *in, const wanted *want)
{
    const bagging_in *q = in;
    dp_bagging one = *q->b; /* borrows the integers; only the number of models is its own */
    mpz_init_set_ui(one.models, 1);
    dp_status status = eval_exact(out, &(bagging_in){.b = &one}, want);
    mpz_clear(one.models);
    if (out[1].kind == DP_RATIONAL) {
        mpz_mul(mpq_numref(out[1].rational), mpq_numref(out[1].rational), q->b->models);
        mpq_canonicalize(out[1].rational);
        if (mpq_cmp_ui(out[1].rational, 1, 1) > 0)
            figure_set_ui(&out[1], 1);
    } else {
        ival_mul_z(out[1].enclosure, out[1].enclosure, q->b->models);
        ival_clamp_ui(out[1].enclosure, 0, 1);
    }
    draws_epsilon(&out[0], q->b, want);
    return status;
}

/* ln((n+1)/(n+1-Nk)), N k <= n, through log1p(Nk/(n+1-Nk)) */
static dp_status eval_without_published(dp_figure *out, const void *in, const wanted *want)
{
    const dp_bagging *b = ((const bagging_in *)in)->b;
    mpfi_ptr x = figure_enclose(&out[0], want->bits);
    mpq_t ratio;
    mpq_init(ratio);
    mpz_mul(mpq_numref(ratio), b->models, b->subsample_size);
    mpz_sub(mpq_denref(ratio), b->dataset_size, mpq_numref(ratio));
    mpz_add_ui(mpq_denref(ratio), mpq_denref(ratio), 1);
    mpq_canonicalize(ratio);
    word_set_q(x, ratio);
    ival_log1p(x, x);
    mpq_clear(ratio);
    return DP_OK;
}

/* Theorem 4 read for independent subsamples: delta N k / n. */
static bool blocks_fit(const void *in)
{
    const dp_bagging *b = ((const bagging_in *)in)->b;
    mpz_t draws;
    mpz_init(draws);
    mpz_mul(draws, b->models, b->subsample_size);
    bool fit = mpz_cmp(draws, b->dataset_size) <= 0;
    mpz_clear(draws);
    return fit;
}

static dp_status eval_independent_published(dp_figure *out, const void *in, const wanted *want)
{
    const dp_bagging *b = ((const bagging_in *)in)->b;
    out[1].kind = DP_RATIONAL;
    mpz_mul(mpq_numref(out[1].rational), b->models, b->subsample_size);
    mpz_set(mpq_denref(out[1].rational), b->dataset_size);
    mpq_canonicalize(out[1].rational);
    return eval_without_published(out, in, want);
}

#define PAPER "Liu, Jia, Gong 2021, On the Intrinsic Differential Privacy of Bagging"
#define ANY_LEARNER "any learner, its subsamples kept secret; n records in the larger data set"
#define PAIR                                                                                       \
    {                                                                                              \
        "epsilon", "delta"                                                                         \
    }

const bound bagging_with_exact = {
    .theorem =
        {.id = "bagging-with-exact",
         .family = "bagging-with",
         .verdict = DP_EXACT,
         .source = "derived here; delta is that of " PAPER ", Theorems 2 and 3, tight by Theorem 5",
         .statement = "bagging with replacement is (0, 1 - ((n-1)/n)^(Nk))-DP, and no smaller "
                      "delta holds at any epsilon",
         .assumes = "add-remove or replace-one adjacency; " ANY_LEARNER,
         .proof =
             "Let s = ((n-1)/n)^(Nk) be the probability that a fixed record is never drawn. "
             "Given that it is never drawn, the output has the same law for both neighbours. "
             "Removing the record: P = s Q + (1-s) A, so P(S) - Q(S) <= 1-s for every event S. "
             "Replacing it: P and Q share s times a common law. Adding it: Q(S) - e^epsilon P(S) "
             "<= 1 - e^epsilon s. A learner that publishes its subsample attains 1-s at every "
             "epsilon (Theorem 5), so the epsilon of the published pair is superfluous."},
    .eval = eval_exact,
    .output = PAIR,
    .also_for = "compose|curve"};

const bound bagging_with_published = {
    .theorem = {.id = "bagging-with-published",
                .family = "bagging-with",
                .verdict = DP_PROVED,
                .source = PAPER ", Theorem 2 (N = 1) and Theorem 3 (N > 1)",
                .statement = "bagging with replacement is (N k ln((n+1)/n), 1 - ((n-1)/n)^(Nk))-DP",
                .assumes = "add-remove adjacency; " ANY_LEARNER,
                .proof = "Sound, because bagging-with-exact gives the same delta at epsilon 0; "
                         "its epsilon is superfluous."},
    .eval = eval_with_published,
    .output = {"epsilon"},
    .delta_of = &bagging_with_exact};

const bound bagging_with_naive = {
    .theorem = {.id = "bagging-with-naive",
                .family = "bagging-with",
                .verdict = DP_PROVED,
                .source = PAPER ", section 3, from its Theorems 1 and 2",
                .statement = "basic composition of N models: (N k ln((n+1)/n), "
                             "min(1, N (1 - ((n-1)/n)^k)))-DP",
                .assumes = "add-remove adjacency; " ANY_LEARNER,
                .proof = "Basic composition of N copies of Theorem 2. Never smaller than "
                         "bagging-with-published, by Bernoulli's inequality."},
    .eval = eval_with_naive,
    .output = PAIR,
    .only_all = true};

const bound bagging_without_exact = {
    .theorem = {.id = "bagging-without-exact",
                .family = "bagging-without",
                .verdict = DP_EXACT,
                .source = "derived here; delta is that of " PAPER ", Theorem 4, tight by Theorem 6",
                .statement =
                    "bagging without replacement into disjoint subsamples is (0, Nk/n)-DP, and "
                    "no smaller delta holds at any epsilon",
                .assumes = "N k distinct records cut into N subsamples, N k <= n; add-remove or "
                           "replace-one adjacency; " ANY_LEARNER,
                .proof =
                    "As for bagging-with-exact, with s = 1 - Nk/n: the Nk records are a uniform "
                    "subset, so a fixed one is left out with probability s."},
    .eval = eval_exact,
    .output = PAIR,
    .also_for = "compose|curve"};

const bound bagging_without_published = {
    .theorem = {.id = "bagging-without-published",
                .family = "bagging-without",
                .verdict = DP_PROVED,
                .source = PAPER ", Theorem 4",
                .statement = "bagging without replacement is (ln((n+1)/(n+1-Nk)), Nk/n)-DP",
                .assumes = "N k <= n; add-remove adjacency; " ANY_LEARNER,
                .proof =
                    "Sound, because bagging-without-exact gives the same delta at epsilon 0; its "
                    "epsilon is superfluous. The paper's introduction prints a further factor N "
                    "before the logarithm; the theorem and its proof do not."},
    .eval = eval_without_published,
    .output = {"epsilon"},
    .delta_of = &bagging_without_exact};

const bound bagging_independent_exact = {
    .theorem = {.id = "bagging-independent-exact",
                .family = "bagging-without",
                .verdict = DP_EXACT,
                .source = "derived here, for Definition 2 of " PAPER,
                .statement =
                    "bagging with N independent subsets of k records is (0, 1 - (1-k/n)^N)-DP, and "
                    "no smaller delta holds at any epsilon",
                .assumes = "N independent uniform k-subsets, k <= n; add-remove or replace-one "
                           "adjacency; " ANY_LEARNER,
                .proof = "As for bagging-with-exact, with s = (1-k/n)^N."},
    .eval = eval_exact,
    .output = PAIR,
    .also_for = "compose|curve"};

const bound bagging_independent_published = {
    .theorem = {.id = "bagging-independent-published",
                .family = "bagging-without",
                .verdict = DP_PROVED,
                .source = PAPER ", Theorem 4, read for the subsamples of its Definition 2",
                .statement = "bagging with N independent subsets of k records is "
                             "(ln((n+1)/(n+1-Nk)), Nk/n)-DP",
                .assumes = "N k <= n; add-remove adjacency; " ANY_LEARNER,
                .proof = "Sound but loose: 1 - (1-k/n)^N <= Nk/n by Bernoulli's inequality."},
    .applies = blocks_fit,
    .eval = eval_independent_published,
    .output = PAIR};

const bound bagging_independent_tightness = {
    .theorem =
        {.id = "bagging-independent-tightness",
         .family = "bagging-without",
         .verdict = DP_UNSOUND,
         .source = PAPER ", Theorem 6, read for the subsamples of its Definition 2",
         .statement =
             "for every delta < Nk/n some learner makes bagging with N independent subsets "
             "violate (epsilon, delta)-DP at every epsilon",
         .assumes = "claims N independent uniform k-subsets",
         .proof = "Definition 2 draws the subsamples independently, the proofs of Theorems 4 and 6 "
                  "cut one pool of Nk distinct records. For independent subsamples the exact delta "
                  "is 1 - (1-k/n)^N < Nk/n as soon as N > 1.",
         .counterexample =
             "n = 2, k = 1, N = 2: the theorem says that no delta below 1 is possible; "
             "the exact delta is 3/4"},
    .refuted_by = &bagging_independent_exact,
    .output = PAIR,
    .only_all = true};

const bound bagging_poisson_exact = {
    .theorem =
        {.id = "bagging-poisson-exact",
         .family = "bagging-poisson",
         .verdict = DP_EXACT,
         .source = "derived here",
         .statement =
             "bagging that takes each record into each of N subsamples with probability q is "
             "(0, 1 - (1-q)^N)-DP, and no smaller delta holds at any epsilon",
         .assumes = "independent Poisson subsamples; add-remove or replace-one adjacency; any "
                    "learner, its subsamples kept secret",
         .proof =
             "As for bagging-with-exact, with s = (1-q)^N, whatever the size of the data set."},
    .eval = eval_exact,
    .output = PAIR,
    .also_for = "compose|curve"};

const bound bagging_remove = {
    .theorem = {.id = "bagging-remove",
                .family = "bagging-with",
                .verdict = DP_EXACT,
                .source = "derived here, for every sampling scheme of bagging",
                .statement =
                    "removing a record of n: delta(epsilon) = 1 - s(n) for every epsilon >= "
                    "0, s(n) the probability that a fixed record is in no subsample",
                .assumes =
                    "one direction of add-remove adjacency; any learner, its subsamples kept "
                    "secret",
                .proof =
                    "P = s Q + (1-s) A, with A carried by samples that are impossible under Q: "
                    "the positive part of P - e^epsilon Q is 1-s."},
    .eval = eval_exact,
    .output = PAIR,
    .also_for = "bagging-without|bagging-poisson"};

const bound bagging_add = {
    .theorem = {.id = "bagging-add",
                .family = "bagging-with",
                .verdict = DP_EXACT,
                .source = "derived here, for every sampling scheme of bagging",
                .statement = "adding a record to n: delta(epsilon) = max(0, 1 - e^epsilon s(n+1))",
                .assumes =
                    "one direction of add-remove adjacency; any learner, its subsamples kept "
                    "secret",
                .proof = "Q = s(n+1) P + (1-s(n+1)) A, so the positive part of P - e^epsilon Q is "
                         "(1 - e^epsilon s(n+1))_+. Never above the other direction, because "
                         "s(n+1) >= s(n)."},
    .eval = eval_add,
    .output = PAIR,
    .also_for = "bagging-without|bagging-poisson"};

const bound bagging_replace = {
    .theorem = {.id = "bagging-replace",
                .family = "bagging-with",
                .verdict = DP_EXACT,
                .source = "derived here, for every sampling scheme of bagging",
                .statement =
                    "replacing a record of n: delta(epsilon) = 1 - s(n) for every epsilon >= "
                    "0",
                .assumes = "replace-one adjacency; any learner, its subsamples kept secret",
                .proof =
                    "P and Q share s times a common law, the rest is disjointly supported when "
                    "the learner publishes its subsample."},
    .eval = eval_exact,
    .output = PAIR,
    .also_for = "bagging-without|bagging-poisson"};
