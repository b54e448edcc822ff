/* SPDX-License-Identifier: MIT */
/* B rounded up and B' rounded down of every leaf. No leaf is dropped: one is passed over only where
 * its rounded bound already is on the safe side, and what rounding leaves open is settled exactly.
 */
#include "vote/ballots.h"

#include "num/memory.h"

static bool ballot_init(ballot *b, const noise *g, bool mirrored, mpfr_prec_t bits)
{
    size_t n = g->voters + 1;
    *b = (ballot){g, mirrored, reals_new(n, bits), reals_new(n, bits)};
    if (b->up == NULL || b->down == NULL)
        return false;
    mpq_t q;
    mpq_init(q);
    for (size_t l = 0; l < n; l++) {
        noise_answer(q, g, l, mirrored);
        mpfr_set_q(b->up[l], q, MPFR_RNDU);
        mpfr_set_q(b->down[l], q, MPFR_RNDD);
    }
    mpq_clear(q);
    return true;
}

typedef struct tally {
    const ballots *v;
    mpfr_t *table;
    mpfr_rnd_t way;
    mpfr_t part;
} tally;

/* sum b(l) law(l), all parts non-negative */
static void weigh(mpfr_t out, mpfr_t *b, mpfr_t *law, size_t length, mpfr_t part, mpfr_rnd_t way)
{
    mpfr_set_zero(out, 1);
    for (size_t l = 0; l < length; l++) {
        mpfr_mul(part, b[l], law[l], way);
        mpfr_add(out, out, part, way);
    }
}

static void visit(void *context, size_t leaf, mpfr_t *law, size_t length, size_t shift)
{
    tally *t = context;
    for (size_t i = 0; i < t->v->count; i++) {
        const ballot *b = &t->v->ballot[i];
        weigh(t->table[leaf * t->v->count + i], (t->way == MPFR_RNDU ? b->up : b->down) + shift,
              law, length, t->part, t->way);
    }
}

static dp_status fill(ballots *v, bool primed, mpfr_t *table, mpfr_rnd_t way)
{
    tally t = {.v = v, .table = table, .way = way};
    mpfr_init2(t.part, v->bits);
    dp_status status = corners_walk(v->c, primed, way, v->bits, visit, &t);
    mpfr_clear(t.part);
    return status;
}

dp_status ballots_open(ballots *v, const corners *c, const noise *const *g, const bool *mirrored,
                       size_t count, mpfr_prec_t bits)
{
    *v = (ballots){.c = c, .bits = bits, .count = count};
    double bytes = 2.0 * (double)(c->leaves * count) * (double)(bits / 8 + 40);
    if (!limits_allow(c->lim, bytes))
        return DP_UNDECIDED;
    v->ballot = memory_zero(count, sizeof *v->ballot);
    v->high = reals_new(c->leaves * count, bits);
    v->low = reals_new(c->leaves * count, bits);
    bool ok = v->ballot != NULL && v->high != NULL && v->low != NULL;
    for (size_t i = 0; ok && i < count; i++)
        ok = ballot_init(&v->ballot[i], g[i], mirrored[i], bits);
    dp_status status = ok ? fill(v, false, v->high, MPFR_RNDU) : DP_MEMORY;
    return status == DP_OK ? fill(v, true, v->low, MPFR_RNDD) : status;
}

void ballots_close(ballots *v)
{
    for (size_t i = 0; v->ballot != NULL && i < v->count; i++) {
        reals_free(v->ballot[i].up, v->c->voters + 1);
        reals_free(v->ballot[i].down, v->c->voters + 1);
    }
    memory_free(v->ballot);
    reals_free(v->high, v->c->leaves * v->count);
    reals_free(v->low, v->c->leaves * v->count);
}

/* ---- one leaf ---- */

static dp_status side(mpfi_t out, const ballots *v, size_t which, const size_t *counts, bool primed)
{
    size_t n = v->c->voters + 1;
    mpfr_t *law = reals_new(n, v->bits), part;
    const ballot *b = &v->ballot[which];
    dp_status status = law != NULL ? DP_OK : DP_MEMORY;
    mpfr_init2(part, v->bits);
    if (status == DP_OK)
        status = corners_law(law, v->c, counts, primed, MPFR_RNDD);
    if (status == DP_OK) {
        weigh(&out->left, b->down, law, n, part, MPFR_RNDD);
        status = corners_law(law, v->c, counts, primed, MPFR_RNDU);
    }
    if (status == DP_OK)
        weigh(&out->right, b->up, law, n, part, MPFR_RNDU);
    mpfr_clear(part);
    reals_free(law, n);
    return status;
}

dp_status ballots_leaf(mpfi_t b, mpfi_t primed, const ballots *v, size_t which, size_t leaf)
{
    size_t *counts = memory_new(v->c->count * CORNER_KINDS, sizeof *counts);
    if (counts == NULL)
        return DP_MEMORY;
    corners_counts(counts, v->c, leaf);
    dp_status status = side(b, v, which, counts, false);
    if (status == DP_OK)
        status = side(primed, v, which, counts, true);
    memory_free(counts);
    return status;
}

/* gap = B - E B' - delta of a leaf */
static dp_status leaf_gap(mpfi_t gap, const ballots *v, size_t which, size_t leaf,
                          const mpfi_t odds, const mpq_t delta)
{
    mpfi_t primed;
    mpfi_init2(primed, v->bits);
    dp_status status = ballots_leaf(gap, primed, v, which, leaf);
    mpfi_mul(primed, primed, odds);
    mpfi_sub(gap, gap, primed);
    mpfi_sub_q(gap, gap, delta);
    mpfi_clear(primed);
    return status;
}

/* ---- all leaves ---- */

/* Now and then, while leaves are gone through */
static bool out_of_time(const ballots *v, size_t leaf)
{
    return leaf % 64 == 63 && limits_expired(v->c->lim);
}

/* up(B_up - dn(E_lo B'_dn)) is at least B - E B' */
static void most_gap(mpfr_t out, const ballots *v, size_t which, size_t leaf, const mpfi_t odds)
{
    mpfr_mul(out, &odds->left, v->low[leaf * v->count + which], MPFR_RNDD);
    mpfr_sub(out, v->high[leaf * v->count + which], out, MPFR_RNDU);
}

dp_status ballots_delta(mpfi_t delta, size_t *leaf, const ballots *v, size_t which,
                        const mpfi_t odds)
{
    mpfr_t best, value;
    mpq_t none;
    mpfr_init2(best, v->bits);
    mpfr_init2(value, v->bits);
    mpq_init(none);
    mpfr_set_zero(best, 1);
    *leaf = v->c->leaves;
    dp_status status = DP_OK;
    for (size_t i = 0; status == DP_OK && i < v->c->leaves; i++) {
        most_gap(value, v, which, i, odds);
        if (mpfr_cmp(value, best) > 0) {
            mpfr_set(best, value, MPFR_RNDU);
            *leaf = i;
        }
        status = out_of_time(v, i) ? DP_UNDECIDED : DP_OK;
    }
    mpfi_set_prec(delta, v->bits);
    mpfi_set_ui(delta, 0);
    if (status == DP_OK && *leaf < v->c->leaves) {
        status = leaf_gap(delta, v, which, *leaf, odds, none);
        if (mpfr_sgn(&delta->left) < 0)
            mpfr_set_zero(&delta->left, 1);
        mpfr_set(&delta->right, best, MPFR_RNDU);
    }
    mpq_clear(none);
    mpfr_clear(value);
    mpfr_clear(best);
    return status;
}

/* Of a leaf whose B' is 0: is B <= delta, so that it asks for nothing? */
static dp_status asks_nothing(dp_decision *answer, const ballots *v, const tie_question *q,
                              size_t which, size_t leaf, const seats *list)
{
    mpfi_t b, primed;
    mpfi_init2(b, v->bits);
    mpfi_init2(primed, v->bits);
    standing s = STANDING_NONE;
    dp_status status = ballots_leaf(b, primed, v, which, leaf);
    mpfi_sub_q(b, b, q->delta);
    if (status == DP_OK)
        status = standing_take(&s, b, q, list, v->c->count);
    *answer = !s.known ? DP_UNKNOWN : s.sign <= 0 ? DP_YES : DP_NO;
    mpfi_clear(primed);
    mpfi_clear(b);
    return status;
}

/* value <- (B - delta)/B' rounded up, or infinity, at a leaf with B_up > delta: false when the leaf
 * asks for nothing. An exponent that ran out leaves 0 for a B' above 0. */
static dp_status leaf_ratio(mpfr_t value, dp_decision *asks, dp_decision *finite, const ballots *v,
                            const tie_question *q, size_t which, size_t leaf)
{
    mpfr_srcptr below = v->low[leaf * v->count + which];
    dp_status status = DP_OK;
    *asks = DP_YES;
    if (mpfr_sgn(below) > 0) {
        mpfr_div(value, value, below, MPFR_RNDU);
        return DP_OK;
    }
    seats *list = memory_new(v->c->count, sizeof *list);
    status = list != NULL ? corners_seats(list, v->c, leaf) : DP_MEMORY;
    mpfr_set_inf(value, 1);
    dp_decision nothing = DP_UNKNOWN;
    bool reaches = status == DP_OK && tie_reaches(q, list, v->c->count);
    if (status == DP_OK && !reaches)
        status = asks_nothing(&nothing, v, q, which, leaf, list);
    if (nothing == DP_YES)
        *asks = DP_NO;
    else if (nothing == DP_NO)
        *finite = DP_NO;
    else if (*finite == DP_YES)
        *finite = DP_UNKNOWN;
    memory_free(list);
    return status;
}

/* lower = ln((B - delta)/B') at a leaf, rounded down; at least 0 */
static dp_status leaf_epsilon(mpfr_t lower, const ballots *v, size_t which, size_t leaf,
                              const mpq_t delta)
{
    mpfi_t b, primed;
    mpfi_init2(b, v->bits);
    mpfi_init2(primed, v->bits);
    dp_status status = ballots_leaf(b, primed, v, which, leaf);
    mpfi_sub_q(b, b, delta);
    mpfi_div(b, b, primed);
    mpfi_log(b, b);
    if (status == DP_OK && mpfr_sgn(&b->left) > 0)
        mpfr_set(lower, &b->left, MPFR_RNDD);
    mpfi_clear(primed);
    mpfi_clear(b);
    return status;
}

dp_status ballots_epsilon(mpfi_t epsilon, dp_decision *finite, const ballots *v, size_t which,
                          const mpq_t delta)
{
    const ballot *own = &v->ballot[which];
    tie_question q = {own->g, own->mirrored, NULL, delta, v->c->lim};
    mpfr_t best, value, below; /* delta rounded down, once: it may have a million digits */
    mpfr_init2(best, v->bits);
    mpfr_init2(value, v->bits);
    mpfr_init2(below, v->bits + 64);
    mpfr_set_q(below, delta, MPFR_RNDD);
    mpfr_set_zero(best, 1); /* of (B - delta)/B' where that is finite */
    size_t leaf = v->c->leaves;
    dp_status status = DP_OK;
    *finite = DP_YES;
    for (size_t i = 0; status == DP_OK && *finite != DP_NO && i < v->c->leaves; i++) {
        dp_decision asks = DP_NO;
        mpfr_sub(value, v->high[i * v->count + which], below, MPFR_RNDU);
        if (mpfr_sgn(value) > 0)
            status = leaf_ratio(value, &asks, finite, v, &q, which, i);
        if (asks == DP_YES && mpfr_number_p(value) && mpfr_cmp(value, best) > 0) {
            mpfr_set(best, value, MPFR_RNDU);
            leaf = i;
        }
        if (status == DP_OK && out_of_time(v, i))
            status = DP_UNDECIDED;
    }
    mpfi_set_prec(epsilon, v->bits);
    mpfi_set_ui(epsilon, 0);
    if (status == DP_OK && mpfr_cmp_ui(best, 1) > 0) {
        mpfr_log(&epsilon->right, best, MPFR_RNDU);
        status = leaf_epsilon(&epsilon->left, v, which, leaf, delta);
    }
    if (*finite != DP_YES)
        mpfr_set_inf(&epsilon->right, 1);
    mpfr_clear(below);
    mpfr_clear(value);
    mpfr_clear(best);
    return status;
}

/* The leaf of the largest rounded bound first: where it is above delta, nothing else matters. */
dp_status ballots_stand(standing *s, const ballots *v, size_t which, const logform *x,
                        const mpq_t delta)
{
    const ballot *own = &v->ballot[which];
    tie_question q = {own->g, own->mirrored, x, delta, v->c->lim};
    mpfi_t odds, gap;
    mpfr_t most;
    mpfi_init2(odds, v->bits);
    mpfi_init2(gap, v->bits);
    mpfr_init2(most, v->bits);
    logform_enclose(odds, x);
    mpfi_exp(odds, odds);
    *s = STANDING_NONE;
    size_t first;
    seats *list = memory_new(v->c->count, sizeof *list);
    dp_status status = list != NULL ? ballots_delta(gap, &first, v, which, odds) : DP_MEMORY;
    if (status == DP_OK && first < v->c->leaves && mpfr_cmp_q(&gap->left, delta) > 0)
        *s = (standing){1, true, false};
    for (size_t i = 0; status == DP_OK && s->sign <= 0 && i < v->c->leaves; i++) {
        most_gap(most, v, which, i, odds);
        mpfr_sub_q(most, most, delta, MPFR_RNDU);
        if (mpfr_sgn(most) >= 0) {
            status = leaf_gap(gap, v, which, i, odds, delta);
            if (status == DP_OK)
                status = corners_seats(list, v->c, i);
            if (status == DP_OK)
                status = standing_take(s, gap, &q, list, v->c->count);
        }
        if (status == DP_OK && out_of_time(v, i))
            status = DP_UNDECIDED;
    }
    memory_free(list);
    mpfr_clear(most);
    mpfi_clear(gap);
    mpfi_clear(odds);
    return status;
}
