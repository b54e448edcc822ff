/* SPDX-License-Identifier: MIT */
/* Questions about generalization: which selection and how many sets give the least bound. */
#include "learning/generalization.h"

#include <math.h>
#include <stdlib.h>

#include "core/door.h"
#include "core/refine.h"
#include "core/result.h"
#include "engine/tilt.h"
#include "learning/parameters.h"
#include "num/ival.h"
#include "num/logform.h"
#include "num/number.h"

void dp_generalization_init(dp_generalization *g)
{
    if (g == NULL)
        return;
    *g = (dp_generalization){0};
    dp_number_init(&g->epsilon);
    mpq_init(g->delta);
}

void dp_generalization_clear(dp_generalization *g)
{
    if (g == NULL)
        return;
    dp_number_clear(&g->epsilon);
    mpq_clear(g->delta);
}

#define DECISION_BITS 100000
#define SAMPLE_BITS 4096 /* a longer number of samples is rounded up */

static dp_status validate(const dp_generalization *g, dp_error *err)
{
    const given all[] = {
        {&learner_epsilon, .number = &g->epsilon},
        {&learner_delta, .q = g->delta},
        {&learner_samples, .number = g->samples},
        {&learner_sets, .number = g->sets},
        {&learner_selection, .number = g->selection},
        {&learner_failure, .number = g->failure},
        {&learner_gap, .number = g->gap},
    };
    dp_status status = DOOR_GIVEN(all, err);
    if (status != DP_OK)
        return status;
    if (g->solve_samples && (g->gap == NULL || g->failure == NULL))
        return fail(err, DP_DOMAIN, g->gap == NULL ? "gap" : "failure",
                    "is missing; solving for the samples needs the gap and the failure");
    if (g->solve_samples && g->samples != NULL)
        return fail(err, DP_DOMAIN, "samples", "is what is solved for; leave it out");
    if (!g->solve_samples && g->samples != NULL && (g->gap == NULL) == (g->failure == NULL))
        return fail(err, DP_DOMAIN, "failure", "or gap is needed, and only one of them");
    return DP_OK;
}

/* ---- choosing k and eps2 of the certified bound: doubles only ---- */

typedef struct choice {
    double epsilon, log_delta, log_samples, log_beta, gap; /* gap 0: beta is given */
    bool solve;
} choice;

/* What is to be small: a, ln(beta) or N; HUGE_VAL where nothing is said. */
static double score(const choice *c, double log_k, double eps2)
{
    double x = c->epsilon + eps2, leak = exp(log_k + c->log_delta);
    double mean = x > 700 ? 1 : tanh(x / 2) + 2 * leak / (exp(x) + 1);
    double cost = (log_k > 30 ? log_k : log1p(exp(log_k))) / eps2;
    double some = -expm1(log_k > 0 && c->log_beta < -30 ? -exp(log_k + c->log_beta)
                                                        : exp(log_k) * log1p(-exp(c->log_beta)));
    if (c->solve)
        return c->gap * some > mean ? cost / (c->gap * some - mean) : HUGE_VAL;
    double bracket = mean + exp(log(cost) - c->log_samples);
    if (c->gap == 0)
        return some > 0 ? bracket / some : HUGE_VAL;
    return bracket < c->gap ? log(-log1p(-bracket / c->gap)) - log_k : HUGE_VAL;
}

/* The better of what is known and the best of a grid in (ln k, ln eps2); the step halves each
 * round. */
static void search(const choice *c, double *log_k, double *log_eps2, bool keep_k)
{
    double best = HUGE_VAL, k = *log_k, e = *log_eps2;
    double k_step = fmax(0.5, *log_k / 40), e_step = 0.5;
    int k_span = keep_k ? 0 : 45, e_span = 40;
    for (int round = 0; round < 12; round++) {
        double k0 = k, e0 = e;
        for (int i = -k_span; i <= k_span; i++)
            for (int j = -e_span; j <= e_span; j++) {
                double trial_k = fmax(0, k0 + i * k_step), trial_e = e0 + j * e_step;
                double value = score(c, trial_k, exp(trial_e));
                if (value < best) {
                    best = value;
                    k = trial_k;
                    e = trial_e;
                }
            }
        k_span = keep_k ? 0 : 3;
        e_span = 3;
        k_step /= 2;
        e_step /= 2;
    }
    *log_k = k;
    *log_eps2 = e;
}

/* q = e^log_x to three decimal digits */
static void set_short(mpq_t q, double log_x)
{
    long place = (long)floor(log_x / log(10)) - 2;
    mpz_set_ui(mpq_denref(q), 1);
    mpz_set_d(mpq_numref(q), fmax(1, rint(exp(log_x - (double)place * log(10)))));
    mpz_t scale;
    mpz_init(scale);
    mpz_ui_pow_ui(scale, 10, (unsigned long)labs(place));
    mpz_mul(place >= 0 ? mpq_numref(q) : mpq_denref(q), place >= 0 ? mpq_numref(q) : mpq_denref(q),
            scale);
    mpq_canonicalize(q);
    mpz_clear(scale);
}

static void set_copies(mpz_t k, double log_k)
{
    mpq_t q;
    mpq_init(q);
    set_short(q, log_k);
    mpz_cdiv_q(k, mpq_numref(q), mpq_denref(q));
    mpq_clear(q);
}

static void choose(generalization_in *in)
{
    const dp_generalization *g = in->g;
    choice c = {.solve = g->solve_samples};
    if (!c.solve)
        c.log_samples = tilt_log_q(in->samples);
    c.epsilon = g->epsilon.is_log ? tilt_log_q(number_odds(&g->epsilon))
                                  : mpq_get_d(number_rational(&g->epsilon));
    c.log_delta = mpq_sgn(g->delta) > 0 ? tilt_log_q(g->delta) : -HUGE_VAL;
    c.log_beta = mpq_sgn(in->beta) > 0 ? tilt_log_q(in->beta) : 0;
    c.gap = mpq_get_d(in->gap);
    /* about ln(20)/beta copies; where beta is the question, as many as delta allows */
    double log_k = g->failure != NULL ? 1 - c.log_beta : fmin(-c.log_delta, 200);
    double log_eps2 = c.solve ? log(0.1) : (log(2 * (log_k + 1)) - c.log_samples) / 2;
    if (g->sets != NULL) {
        mpq_t k;
        mpq_init(k);
        mpq_set_z(k, in->sets);
        log_k = tilt_log_q(k);
        mpq_clear(k);
    }
    search(&c, &log_k, &log_eps2, g->sets != NULL);
    if (g->sets == NULL)
        set_copies(in->copies, log_k);
    else
        mpz_set(in->copies, in->sets);
    if (g->selection != NULL)
        mpq_set(in->selection, number_rational(g->selection));
    else
        set_short(in->selection, fmax(-2000, fmin(2000, log_eps2)));
}

/* ---- rows ---- */

static void in_init(generalization_in *in, const dp_generalization *g)
{
    *in = (generalization_in){.g = g, .one_sided = g->one_sided};
    mpz_inits(in->sets, in->copies, NULL);
    mpq_inits(in->selection, in->samples, in->beta, in->gap, NULL);
    mpz_set_ui(in->sets, 1);
    if (g->sets != NULL)
        mpz_set(in->sets, number_integer(g->sets));
    if (g->samples != NULL)
        mpq_set(in->samples, number_rational(g->samples));
    if (g->failure != NULL) {
        mpq_set(in->beta, number_rational(g->failure));
        if (!g->one_sided)
            mpq_div_2exp(in->beta, in->beta, 1);
    }
    if (g->gap != NULL)
        mpq_set(in->gap, number_rational(g->gap));
}

static void in_clear(generalization_in *in)
{
    mpz_clears(in->sets, in->copies, NULL);
    mpq_clears(in->selection, in->samples, in->beta, in->gap, NULL);
}

/* *is: epsilon is above over/under. False when the precision does not tell. */
static bool above(bool *is, const dp_number *epsilon, unsigned long over, unsigned long under)
{
    logform f;
    mpq_t one, minus;
    int sign = 0;
    logform_init(&f);
    mpq_inits(one, minus, NULL);
    mpq_set_ui(one, 1, 1);
    mpq_set_si(minus, -1, 1);
    logform_add_number(&f, NULL, epsilon);
    mpq_set_ui(one, over, under);
    mpq_canonicalize(one);
    logform_add_q(&f, minus, one);
    bool known = logform_sign(&sign, &f, DECISION_BITS);
    mpq_clears(one, minus, NULL);
    logform_clear(&f);
    *is = sign > 0;
    return known;
}

static bool reaches_one(const dp_figure *x)
{
    if (x->kind == DP_RATIONAL)
        return mpq_cmp_ui(x->rational, 1, 1) >= 0;
    return x->kind == DP_INFINITE || !(mpfr_cmp_ui(&x->enclosure->right, 1) < 0);
}

/* A row says nothing when its bound or its failure probability reaches 1. */
static void judge(dp_result *out)
{
    dp_row *row = &out->row[out->count - 1];
    for (size_t i = 0; i < row->count && i < 2; i++)
        row->vacuous = row->vacuous || reaches_one(&row->quantity[i].figure);
}

static dp_status add(dp_result *out, const bound *b, const generalization_in *in,
                     const dp_options *opt)
{
    if ((b->only_all && !opt->all) || (b->applies != NULL && !b->applies(in)))
        return DP_OK;
    dp_status status = result_evaluate(out, b, in, opt);
    if (status == DP_OK)
        judge(out);
    return status;
}

static void add_solved(dp_row *row, const char *name, const mpq_t value)
{
    figure_set_q(row_quantity(row, name), value);
}

/* N = the least integer that serves the chosen k and eps2. */
static dp_status solve_samples(generalization_in *in, dp_error *err)
{
    mpfi_t real;
    mpfi_init2(real, 64);
    mpz_t low, high;
    mpz_inits(low, high, NULL);
    bool possible = true, agree = false;
    for (mpfr_prec_t bits = 128; !agree && bits <= SAMPLE_BITS; bits *= 2) {
        mpfi_set_prec(real, bits);
        possible = generalization_samples(real, in);
        if (!possible)
            continue;
        mpfr_get_z(low, &real->left, MPFR_RNDU);
        mpfr_get_z(high, &real->right, MPFR_RNDU);
        agree = mpz_cmp(low, high) == 0;
    }
    mpq_set_z(in->samples, high); /* sound where they do not agree, too */
    mpz_clears(low, high, NULL);
    mpfi_clear(real);
    return possible ? DP_OK
                    : fail(err, DP_UNAVAILABLE, "gap",
                           "is not reached by this bound however many the samples");
}

static dp_status certified_row(dp_result *out, generalization_in *in, const dp_options *opt,
                               dp_error *err)
{
    if (!in->g->solve_samples && in->g->samples == NULL)
        return DP_OK;
    choose(in);
    dp_status status = in->g->solve_samples ? solve_samples(in, err) : DP_OK;
    if (status != DP_OK)
        return status;
    bool by_gap = in->g->gap != NULL && !in->g->solve_samples;
    status =
        add(out, by_gap ? &generalization_certified_failure : &generalization_certified, in, opt);
    if (status != DP_OK)
        return status;
    dp_row *row = &out->row[out->count - 1];
    if (row->vacuous) /* whatever k and eps2 are */
        return DP_OK;
    mpq_t k;
    mpq_init(k);
    mpq_set_z(k, in->copies);
    if (in->g->solve_samples)
        add_solved(row, "samples", in->samples);
    add_solved(row, "sets", k);
    add_solved(row, "selection", in->selection);
    mpq_clear(k);
    return DP_OK;
}

/* Theorem 1 says nothing for fewer samples than it needs. */
static void withhold(dp_result *out, const generalization_in *in)
{
    dp_row *row = out->count > 0 ? &out->row[out->count - 1] : NULL;
    if (row == NULL || row->theorem != &generalization_theorem_1.theorem || row->vacuous ||
        mpq_sgn(in->samples) == 0 ||
        dp_figure_le(row_figure(row, "minimum_samples"), in->samples) == DP_YES)
        return;
    for (size_t i = 0; i < 2; i++) { /* the two left-out figures go last, out of sight */
        dp_quantity out_of_reach = row->quantity[0];
        for (size_t j = 0; j + 1 < row->count; j++)
            row->quantity[j] = row->quantity[j + 1];
        row->quantity[row->count - 1] = out_of_reach;
    }
    row->count -= 2;
    result_note(out, "generalization-theorem-1 needs more samples than given, so its bound does "
                     "not hold here");
}

/* The certified bound decides, or without samples that of the mean; a vacuous row decides nothing.
 */
static void decide(dp_result *out)
{
    out->guarantee = out->count;
    for (size_t i = out->count; i-- > 0;) {
        const dp_theorem *t = out->row[i].theorem;
        if (!out->row[i].vacuous &&
            (t == &generalization_certified.theorem ||
             t == &generalization_certified_failure.theorem || t == &generalization_mean.theorem))
            out->guarantee = i;
        if (out->row[i].vacuous)
            result_note(out, "vacuous: the bound or its failure probability reaches 1, so the row "
                             "says nothing; |Gen| is at most 1 whatever the learner");
    }
}

dp_status dp_generalization_bound(dp_result *out, const dp_generalization *g, const dp_options *opt,
                                  dp_error *err)
{
    static const bound *const others[] = {
        &generalization_mean,
        &generalization_theorem_2,
        &generalization_mean_nissim_stemmer,
        &generalization_theorem_3,
        &generalization_nissim_stemmer_quoted,
        &generalization_dwork_quoted,
    };
    dp_options own;
    dp_status status = door_open(&own, out, "learner", g, opt, err);
    opt = &own;
    if (status == DP_OK)
        status = validate(g, err);
    if (status != DP_OK)
        return status;
    result_start(out);
    out->adjacency = dp_relation_text(DP_REPLACE_ONE);
    generalization_in in;
    in_init(&in, g);
    if (above(&in.large, &g->epsilon, 1, 5) && above(&in.larger, &g->epsilon, 17, 50)) {
        status = certified_row(out, &in, opt, err);
    } else {
        out->met |= DP_MET_PRECISION;
        status = result_fail(out, err, DP_UNDECIDED);
    }
    if (status == DP_OK) {
        status = add(out, &generalization_theorem_1, &in, opt);
        withhold(out, &in);
    }
    for (size_t i = 0; status == DP_OK && i < sizeof others / sizeof *others; i++)
        status = add(out, others[i], &in, opt);
    decide(out);
    in_clear(&in);
    return result_end(out, status, err);
}
