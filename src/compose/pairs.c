/* SPDX-License-Identifier: MIT */
/* A list with mechanisms of several types: what their dominating pairs spend together, in each
 * direction. */
#include "compose/pairs.h"

#include <math.h>

#include "core/mechanism.h"
#include "core/refine.h"

#define DECISION_BITS 4096
#define OTHERS_SECONDS 1.0 /* of the rows beside a law, at most */

static dp_status pairs_row(composing *c, const bound *row, const logform *x, mpq_srcptr delta);

dp_status pairs_engine(dp_result *out, const bound *row, void *in, const dp_options *opt)
{
    composing *c = in;
    c->out = out;
    c->opt = opt;
    return c->sides.complete ? pairs_row(c, row, c->in.target_epsilon, c->in.target_delta)
                             : pairs_answer(c, row, c->in.target_epsilon, c->in.target_delta);
}

static dp_status compose_pairs_row(dp_result *out, void *in, const dp_options *opt)
{
    return pairs_engine(out, &compose_pairs, in, opt);
}

const bound compose_pairs = {
    .theorem =
        {.id = "compose-pairs",
         .family = "compose",
         .verdict = DP_EXACT,
         .source = "Zhu, Dong, Wang 2022, Optimal Accounting of Differential Privacy via "
                   "Characteristic Function, Theorem 10; (epsilon, delta) items by Kairouz, Oh, "
                   "Viswanath 2015",
         .statement = "delta(x) = the maximum over both directions of 1 - prod(1-leak_i) (1 - E[(1 "
                      "- e^(x-L))_+]), L the sum of the losses of the mechanisms' dominating "
                      "pairs (P, Q), or of (Q, P) for all of them",
         .assumes = "parameters fixed in advance, each mechanism as stated given the outputs of "
                    "the earlier ones; the adjacency of the list",
         .proof = "A pair whose privacy profile lies above that of every neighbouring pair still "
                  "does so after composition, also where mechanisms are chosen adaptively; it is "
                  "attained where the mechanisms attain their pairs, and proved elsewhere."},
    .engine = compose_pairs_row,
    .methods = METHOD(OPTIMAL),
    .output = {"epsilon", "delta"},
    .also_for = "curve|discrete-gaussian|laplace",
    .of_mechanisms = true};

/* One mechanism alone, used once, or one of which many uses are one. */
static bool is_alone(const composing *c)
{
    const dp_uses *u = c->items->uses;
    const product *p = &c->sides.of[FORWARD][DP_UPPER].product;
    return c->items->count == 0 && u->count == 1 && p->count == 1 && p->leaks == 0 &&
           (u->use[0].mechanism->type->adds || mpz_cmp_ui(u->use[0].times, 1) == 0);
}

/* One mechanism alone whose profile has a closed form rests on the theorem of that form. */
static const bound *theorem_of(const composing *c)
{
    const bound *own = c->items->uses->use[0].mechanism->type->profile;
    profile_in in = {c->items->uses->use[0].mechanism, NULL, NULL, NULL};
    bool ok = is_alone(c) && own != NULL && (own->applies == NULL || own->applies(&in));
    return ok ? own : &compose_pairs;
}

bool pairs_have_rivals(const composing *c)
{
    return c->general && c->sides.complete && c->sides.of_class && theorem_of(c) == &compose_pairs;
}

dp_status pairs_others(composing *c, const logform *x, mpq_srcptr delta)
{
    if (!is_alone(c) || (x == NULL && delta == NULL))
        return DP_OK;
    const dp_use *u = &c->items->uses->use[0];
    profile_in in = {u->mechanism, u->times, x, delta};
    dp_status status = DP_OK;
    for (const bound *const *b = u->mechanism->type->others;
         status == DP_OK && b != NULL && *b != NULL; b++)
        if ((c->opt->all || !(*b)->only_all || (*b)->after_limit) &&
            ((*b)->applies == NULL || (*b)->applies(&in)))
            status = result_evaluate(c->out, *b, &in, c->opt);
    return status;
}

dp_status pairs_sides_row(composing *c, const bound *b, const sides *s, const logform *x,
                          mpq_srcptr delta)
{
    dp_row *row = result_row(c->out, b);
    if (row == NULL)
        return DP_MEMORY;
    if (!s->attained)
        row->verdict = DP_PROVED;
    dp_figure *at = row_quantity(row, "epsilon"), *d = row_quantity(row, "delta");
    size_t digits = c->opt->digits;
    if (x != NULL) {
        figure_set_form(at, x, refine_bits(digits) + 16);
        return sides_delta(d, s, x, digits, &c->limits);
    }
    if (delta == NULL)
        return sides_end(at, d, s, digits) ? DP_OK : DP_UNAVAILABLE;
    figure_set_q(d, delta);
    dp_status status = sides_epsilon(at, s, delta, digits, &c->limits);
    if (at->kind == DP_INFINITE)
        result_note(c->out, "no epsilon is finite at this delta: some mechanism leaks with a "
                            "greater probability, or has losses without bound");
    return status;
}

static dp_status pairs_row(composing *c, const bound *row, const logform *x, mpq_srcptr delta)
{
    const bound *b = theorem_of(c);
    if (b->eval != NULL && (x != NULL || delta != NULL)) {
        const dp_use *u = &c->items->uses->use[0];
        profile_in in = {u->mechanism, u->times, x, delta};
        return result_evaluate(c->out, b, &in, c->opt);
    }
    const sides *laws = x != NULL || delta != NULL ? composing_laws(c, NULL, NULL) : NULL;
    limits all = c->limits;
    if (row != &compose_pairs) { /* what is left is for its other rows */
        c->limits = composing_half_time(c);
        c->limits.deadline = fmax(c->limits.deadline, all.deadline - OTHERS_SECONDS);
    }
    dp_status status = pairs_sides_row(c, row, laws != NULL ? laws : &c->sides, x, delta);
    c->limits = all;
    return composing_limited(c, status);
}

/* Of two rows the one with the smaller upper end is kept. */
static void keep_better(dp_result *r, size_t first, const char *name)
{
    if (r->count < first + 2)
        return;
    dp_row *a = &r->row[first], *b = &r->row[first + 1];
    if (figure_compare_upper(row_figure(b, name), row_figure(a, name)) < 0) {
        dp_row swap = *a;
        *a = *b;
        *b = swap;
    }
    r->count--;
}

/* The better row of the curves that apply. */
static dp_status curves_row(composing *c, const logform *x, mpq_srcptr delta)
{
    static const bound *const rows[] = {&compose_zcdp_sum, &compose_renyi};
    curve_in in;
    const char *name = x != NULL ? "delta" : "epsilon";
    dp_status status = curves_init(&in, c->items, &c->list, &c->sides, x, delta);
    in.lim = &c->limits;
    size_t first = c->out->count;
    for (size_t i = 0; status == DP_OK && i < 2; i++) {
        if (!rows[i]->applies(&in))
            continue;
        status = result_evaluate(c->out, rows[i], &in, c->opt);
        if (status == DP_OK)
            keep_better(c->out, first, name);
    }
    curves_clear(&in);
    return status == DP_OK && c->out->count == first ? DP_UNAVAILABLE : status;
}

dp_status pairs_answer(composing *c, const bound *row, const logform *x, mpq_srcptr delta)
{
    if (!c->sides.complete)
        return curves_row(c, x, delta);
    size_t first = c->out->count;
    dp_status status = pairs_row(c, row, x, delta);
    if (status != DP_OK || !pairs_have_rivals(c) || (x == NULL && delta == NULL))
        return status;
    status = curves_row(c, x, delta);
    if (status == DP_OK)
        keep_better(c->out, first, x != NULL ? "delta" : "epsilon");
    return status == DP_UNAVAILABLE ? DP_OK : status;
}

/* Yes by a bound alone: it refutes nothing. `open`: a limit left another bound undecided. */
static dp_decision curves_decide(composing *c, const logform *x, const mpq_t delta, bool open)
{
    static const bound *const rows[] = {&compose_zcdp_sum, &compose_renyi};
    curve_in in;
    dp_decision answer = DP_UNKNOWN;
    bool ok = curves_init(&in, c->items, &c->list, &c->sides, x, NULL) == DP_OK;
    in.lim = &c->limits;
    for (size_t i = 0; ok && answer != DP_YES && i < 2; i++) {
        if (!rows[i]->applies(&in))
            continue;
        if (refine_decide(&answer, rows[i]->eval, 4, 1, &in, delta, DECISION_BITS, &c->limits) !=
            DP_OK)
            answer = DP_UNKNOWN;
        open = open || answer == DP_UNKNOWN;
    }
    curves_clear(&in);
    if (answer == DP_YES)
        return DP_YES;
    if (!open)
        limits_note(&c->limits, DP_MET_BOUND);
    return DP_UNKNOWN;
}

/* Does another row of the only mechanism prove it? */
static bool others_prove(composing *c, const logform *x, const mpq_t delta)
{
    if (!is_alone(c))
        return false;
    const dp_use *u = &c->items->uses->use[0];
    profile_in in = {u->mechanism, u->times, x, NULL};
    dp_decision answer = DP_UNKNOWN;
    for (const bound *const *b = u->mechanism->type->others;
         answer != DP_YES && b != NULL && *b != NULL; b++)
        if ((*b)->theorem.verdict != DP_UNSOUND && (!(*b)->only_all || (*b)->after_limit) &&
            (*b)->eval != NULL && ((*b)->applies == NULL || (*b)->applies(&in)) &&
            refine_decide(&answer, (*b)->eval, 3, 1, &in, delta, DECISION_BITS, &c->limits) !=
                DP_OK)
            answer = DP_UNKNOWN;
    return answer == DP_YES;
}

dp_decision pairs_decide(composing *c, const logform *x, const mpq_t delta)
{
    if (mpq_cmp_ui(delta, 1, 1) >= 0)
        return DP_YES;
    const bound *alone = theorem_of(c);
    /* exact: both answers are proofs; where delta is 0 the largest loss alone decides */
    if (alone->eval != NULL && mpq_sgn(delta) > 0) {
        const dp_use *u = &c->items->uses->use[0];
        profile_in in = {u->mechanism, u->times, x, NULL};
        dp_decision answer = DP_UNKNOWN;
        dp_status status =
            refine_decide(&answer, alone->eval, 2, 1, &in, delta, DECISION_BITS, &c->limits);
        return status == DP_OK ? answer : DP_UNKNOWN;
    }
    if (!c->sides.complete)
        return curves_decide(c, x, delta, false);
    const sides *laws = composing_laws(c, NULL, NULL);
    unsigned met = 0;
    limits own = c->limits;
    own.met = &met;
    dp_decision answer = sides_meet(laws != NULL ? laws : &c->sides, x, delta, &own);
    bool open = answer == DP_UNKNOWN && (met & DP_MET_BOUND) == 0;
    if (answer != DP_YES && mpq_sgn(delta) > 0 && pairs_have_rivals(c) &&
        curves_decide(c, x, delta, open) == DP_YES)
        answer = DP_YES;
    if (answer == DP_UNKNOWN)
        limits_note(&c->limits, met);
    return answer == DP_UNKNOWN && others_prove(c, x, delta) ? DP_YES : answer;
}
