/* SPDX-License-Identifier: MIT */
/* The rows of a composition. A row is exact only where what is composed attains its pairs; the
 * pairs of what is known by a curve are chosen for each question. */
#include "compose/optimal.h"

#include <math.h>

#include "compose/pairs.h"
#include "core/refine.h"
#include "num/number.h"

#define NEAR_END 0.8 /* of the largest loss */

static dp_row *optimal_row(composing *c, dp_figure **epsilon, dp_figure **delta)
{
    dp_row *row = result_row(c->out, &compose_optimal);
    if (row != NULL) {
        *epsilon = row_quantity(row, "epsilon");
        *delta = row_quantity(row, "delta");
        if (!composed_is_attained(&c->list))
            row->verdict = DP_PROVED;
    }
    return row;
}

/* x as a number, where it is one rational or one logarithm */
static bool set_number(dp_number *to, const logform *x)
{
    bool log =
        x->count == 1 && mpq_sgn(x->rational) == 0 && mpq_cmp_ui(x->term[0].coefficient, 1, 1) == 0;
    if (log)
        number_set_log(to, x->term[0].base);
    else
        number_set_q(to, x->rational);
    return log || x->count == 0;
}

static dp_status pairs_at_epsilon(composing *c, const logform *x, const dp_number *number)
{
    dp_figure *epsilon, *delta;
    if (optimal_row(c, &epsilon, &delta) == NULL)
        return DP_MEMORY;
    const engine *e = number != NULL ? composing_engine(c, number, NULL) : &c->engine;
    figure_set_form(epsilon, x, refine_bits(c->opt->digits) + 16);
    return composing_limited(c, optimal_delta_at(delta, e, x, c->opt->digits, &c->limits));
}

/* Keeps the row with the lesser upper end of the last two. */
static void keep_better(composing *c, const char *name)
{
    dp_result *r = c->out;
    dp_row *a = &r->row[r->count - 2], *b = &r->row[r->count - 1];
    if (figure_compare_upper(row_figure(b, name), row_figure(a, name)) < 0) {
        dp_row swap = *a;
        *a = *b;
        *b = swap;
    }
    r->count--;
}

/* The row of the item's own profile, or of the optimum of its pairs, or the better one. */
static dp_status at_target(composing *c, const logform *x, const dp_number *epsilon,
                           const dp_number *delta);

dp_status composing_at_epsilon(composing *c, const logform *x)
{
    if (c->general)
        return pairs_answer(c, pairs_bound(c), x, NULL);
    dp_number number;
    dp_number_init(&number);
    dp_status status =
        set_number(&number, x) ? at_target(c, x, &number, NULL) : pairs_at_epsilon(c, x, NULL);
    dp_number_clear(&number);
    return status;
}

/* Below the leak of every choice no epsilon is finite. */
static void note_infinite(composing *c)
{
    result_note(c->out, composed_is_attained(&c->list)
                            ? "no epsilon is finite: the target delta is below the probability "
                              "1 - prod(1-delta_i) that some mechanism leaks"
                            : "this bound gives no finite epsilon: the target delta is below the "
                              "leak 1 - prod(1-delta_i) of the pairs that are composed");
}

static dp_status pairs_at_delta(composing *c, const mpq_t target)
{
    dp_figure *epsilon, *delta;
    if (optimal_row(c, &epsilon, &delta) == NULL)
        return DP_MEMORY;
    figure_set_q(delta, target);
    if (mpq_cmp_ui(target, 1, 1) >= 0) {
        figure_set_ui(epsilon, 0);
        return DP_OK;
    }
    const engine *e = composing_engine(c, NULL, target);
    dp_status status = optimal_epsilon_at(epsilon, e, target, c->opt->digits, &c->limits);
    if (epsilon->kind == DP_INFINITE)
        note_infinite(c);
    return composing_limited(c, status);
}

/* The row of the items' laws, in half the time that is left. The items' pairs say nothing better,
 * but where a limit leaves it wide; it stands unless the limits allowed no figure. */
static dp_status laws_row(bool *wide, bool *stands, composing *c, const sides *laws,
                          const logform *x, mpq_srcptr delta)
{
    limits all = c->limits;
    c->limits = composing_half_time(c);
    size_t before = c->out->count;
    dp_status status = pairs_sides_row(c, &compose_pairs, laws, x, delta);
    c->limits = all;
    *wide = status == DP_LIMIT || status == DP_UNDECIDED;
    *stands = status == DP_LIMIT;
    if (status == DP_UNDECIDED)
        c->out->count = before;
    return *wide ? DP_OK : status;
}

/* Where the items' losses end the pairs may be better than a law that is rounded up. */
static bool is_near_end(const composing *c, dp_row *row)
{
    const dp_figure *f = row_figure(row, "epsilon");
    double at = HUGE_VAL;
    if (f->kind == DP_RATIONAL)
        at = mpq_get_d(f->rational);
    else if (f->kind == DP_ENCLOSED)
        at = mpfr_get_d(&f->enclosure->right, MPFR_RNDU);
    return !(at < NEAR_END * c->engine.all.tilt.total);
}

static dp_status at_target(composing *c, const logform *x, const dp_number *epsilon,
                           const dp_number *delta)
{
    dp_bagging b;
    mpz_t models;
    bool all = false, own;
    mpz_init(models);
    own = own_profile(&b, models, &all, c);
    all = all && !own_is_drawn(c);
    bool wide = true, stands = false;
    const sides *laws = own && all ? NULL : composing_laws(c, epsilon, number_rational(delta));
    dp_status status = DP_OK;
    if (laws != NULL)
        status = laws_row(&wide, &stands, c, laws, x, number_rational(delta));
    bool loose = laws != NULL && !wide && status == DP_OK && !laws->attained &&
                 is_near_end(c, &c->out->row[c->out->count - 1]);
    if (wide && status == DP_OK && own)
        status = own_row(c, &b, epsilon, delta);
    mpz_clear(models);
    if ((!wide && !loose) || status != DP_OK || (own && all))
        return status;
    status =
        delta != NULL ? pairs_at_delta(c, number_rational(delta)) : pairs_at_epsilon(c, x, epsilon);
    if (status == DP_OK && (wide ? own : loose))
        keep_better(c, delta != NULL ? "epsilon" : "delta");
    if (status == DP_OK && stands) {
        keep_better(c, delta != NULL ? "epsilon" : "delta");
        if (c->out->row[c->out->count - 1].theorem == &compose_pairs.theorem)
            status = composing_limited(c, DP_LIMIT);
    }
    return status;
}

dp_status composing_at_delta(composing *c, const mpq_t target)
{
    if (c->general)
        return pairs_answer(c, pairs_bound(c), NULL, target);
    dp_number number;
    dp_number_init(&number);
    number_set_q(&number, target);
    dp_status status = at_target(c, NULL, NULL, &number);
    dp_number_clear(&number);
    return status;
}

dp_status composing_end_point(composing *c)
{
    if (c->general)
        return pairs_answer(c, pairs_bound(c), NULL, NULL);
    dp_bagging b;
    mpz_t models;
    bool all = false;
    mpz_init(models);
    dp_status status = own_profile(&b, models, &all, c) && all
                           ? own_row(c, &b, NULL, NULL)
                           : pairs_at_epsilon(c, &c->list.total, NULL);
    mpz_clear(models);
    return status;
}

static dp_status compose_optimal_row(dp_result *out, void *in, const dp_options *opt)
{
    composing *c = in;
    c->out = out;
    c->opt = opt;
    if (c->in.target_delta != NULL)
        return composing_at_delta(c, c->in.target_delta);
    if (c->in.target_epsilon != NULL)
        return composing_at_epsilon(c, &c->at);
    return composing_end_point(c);
}

const bound compose_optimal = {
    .theorem =
        {.id = "compose-optimal",
         .family = "compose",
         .verdict = DP_EXACT,
         .source = "Kairouz, Oh, Viswanath 2015, The Composition Theorem for Differential Privacy, "
                   "Theorem 3.3, for equal items; Murtagh, Vadhan 2018, The Complexity of "
                   "Computing the Optimal Composition of Differential Privacy, for any items",
         .statement = "delta(x) = 1 - prod(1-delta_i) (1 - E[(1 - e^(x-L))_+]) for every x >= 0, L "
                      "the sum of the losses of randomized response, and no smaller delta holds",
         .assumes = "parameters fixed in advance, mechanisms chosen adaptively, " GIVEN_EARLIER
                    "; the adjacency of the items",
         .proof =
             "Every (epsilon, delta)-DP pair is a post-processing of one four-outcome pair: leak "
             "with probability delta, else randomized response with odds e^epsilon. Composition "
             "preserves this, so the hockey-stick divergence of the product pair bounds every "
             "composition and is attained by it. It holds at every x, not only on the grid "
             "(k-2i) epsilon of the published statement. dpacct evaluates it by terms that are all "
             "positive, or by a trapezoidal sum of the moment function over one period, whose "
             "aliases, dropped nodes and roundings are bounded; epsilon at a target delta solves "
             "the same equation on the atom where the tangent meets it."},
    .engine = compose_optimal_row,
    .output = {"epsilon", "delta"},
    .also_for = "curve"};
