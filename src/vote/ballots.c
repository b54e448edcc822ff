/* SPDX-License-Identifier: MIT */
/* The worst leaf of an answer. No leaf is dropped: one is passed over only where its bounds in
 * doubles, or its rounded bound, already are on the safe side, and what is left open then is
 * settled exactly. */
#include "vote/ballots.h"

#include <float.h>

#include "num/binary64.h"
#include "num/memory.h"
#include "vote/shortlist.h"

static bool ballot_init(ballot *b, const corners *c, const noise *g, bool mirrored,
                        mpfr_prec_t bits)
{
    size_t n = g->voters + 1;
    *b = (ballot){.g = g,
                  .mirrored = mirrored,
                  .up = reals_new(n, bits),
                  .down = reals_new(n, bits),
                  .place = memory_zero(c->leaves, sizeof *b->place)};
    if (b->up == NULL || b->down == NULL || b->place == NULL)
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

/* All leaves: for this the list is no longer needed, nor are the sums in doubles. */
static dp_status open_full(ballots *v)
{
    double bytes = 2.0 * (double)(v->c->leaves * v->count) * (double)(v->bits / 8 + 40);
    if (!limits_allow(v->c->lim, bytes))
        return DP_UNDECIDED;
    v->full = true;
    v->high = reals_new(v->c->leaves * v->count, v->bits);
    v->low = reals_new(v->c->leaves * v->count, v->bits);
    if (v->high == NULL || v->low == NULL)
        return DP_MEMORY;
    dp_status status = fill(v, false, v->high, MPFR_RNDU);
    return status == DP_OK ? fill(v, true, v->low, MPFR_RNDD) : status;
}

dp_status ballots_open(ballots *v, const corners *c, const noise *const *g, const bool *mirrored,
                       size_t count, mpfr_prec_t bits, bool full)
{
    *v = (ballots){.c = c, .bits = bits, .count = count};
    v->ballot = memory_zero(count, sizeof *v->ballot);
    bool ok = v->ballot != NULL;
    for (size_t i = 0; ok && i < count; i++)
        ok = ballot_init(&v->ballot[i], c, g[i], mirrored[i], bits);
    if (ok && (full || !binary64_is_sound()))
        return open_full(v);
    dp_status status = ok ? DP_OK : DP_MEMORY;
    for (size_t i = 0; status == DP_OK && i < count; i++)
        status = leaf_sums_open(&v->ballot[i].sums, c, g[i], mirrored[i]);
    return status;
}

void ballots_close(ballots *v)
{
    for (size_t i = 0; v->ballot != NULL && i < v->count; i++) {
        ballot *b = &v->ballot[i];
        reals_free(b->up, v->c->voters + 1);
        reals_free(b->down, v->c->voters + 1);
        leaf_sums_close(&b->sums);
        for (size_t k = 0; k < b->known_count; k++) {
            mpfi_clear(b->known[k].b);
            mpfi_clear(b->known[k].primed);
        }
        memory_free(b->known);
        memory_free(b->place);
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

static dp_status enclose_leaf(leaf_value *out, const ballots *v, size_t which, size_t leaf)
{
    size_t *counts = memory_new(v->c->count * CORNER_KINDS, sizeof *counts);
    if (counts == NULL)
        return DP_MEMORY;
    corners_counts(counts, v->c, leaf);
    dp_status status = side(out->b, v, which, counts, false);
    if (status == DP_OK)
        status = side(out->primed, v, which, counts, true);
    memory_free(counts);
    return status;
}

/* The values of a leaf, formed once; *out stays until another leaf is asked for. */
static dp_status value_of(const leaf_value **out, const ballots *v, size_t which, size_t leaf)
{
    ballot *own = &v->ballot[which];
    dp_status status = DP_OK;
    if (own->place[leaf] == 0) {
        if (own->known_count == own->known_room) {
            size_t room = own->known_room == 0 ? 16 : 2 * own->known_room;
            leaf_value *grown = memory_grow(own->known, room, sizeof *grown);
            if (grown == NULL)
                return DP_MEMORY;
            own->known = grown;
            own->known_room = room;
        }
        leaf_value *next = &own->known[own->known_count++];
        mpfi_init2(next->b, v->bits);
        mpfi_init2(next->primed, v->bits);
        status = enclose_leaf(next, v, which, leaf);
        if (status == DP_OK)
            own->place[leaf] = own->known_count;
    }
    if (status == DP_OK)
        *out = &own->known[own->place[leaf] - 1];
    return status;
}

/* gap = B - E B' - delta of a leaf */
static dp_status leaf_gap(mpfi_t gap, const ballots *v, size_t which, size_t leaf,
                          const mpfi_t odds, const mpq_t delta)
{
    const leaf_value *value;
    dp_status status = value_of(&value, v, which, leaf);
    if (status != DP_OK)
        return status;
    mpfi_mul(gap, value->primed, odds);
    mpfi_sub(gap, value->b, gap);
    mpfi_sub_q(gap, gap, delta);
    return DP_OK;
}

/* B rounded up and B' rounded down; they stay as in value_of */
static dp_status ends_of(mpfr_srcptr *high, mpfr_srcptr *low, const ballots *v, size_t which,
                         size_t leaf)
{
    const leaf_value *value = NULL;
    dp_status status = v->full ? DP_OK : value_of(&value, v, which, leaf);
    if (status == DP_OK) {
        *high = v->full ? v->high[leaf * v->count + which] : &value->b->right;
        *low = v->full ? v->low[leaf * v->count + which] : &value->primed->left;
    }
    return status;
}

/* ---- all leaves that matter ---- */

/* Where too many are in question all are enclosed, once and for all. */
static dp_status list_leaves(shortlist *l, ballots *v, size_t which, aim *t)
{
    *l = (shortlist){NULL, v->c->leaves};
    if (v->full)
        return DP_OK;
    bool few = true;
    dp_status status = shortlist_open(l, &few, &v->ballot[which].sums, v->c->leaves, t);
    return few ? status : open_full(v);
}

/* Now and then, while leaves are gone through */
static bool out_of_time(const ballots *v, size_t leaf)
{
    return leaf % 64 == 63 && limits_expired(v->c->lim);
}

/* up(B_up - dn(E_lo B'_dn)) is at least B - E B' */
static dp_status most_gap(mpfr_t out, const ballots *v, size_t which, size_t leaf,
                          const mpfi_t odds)
{
    mpfr_srcptr high, low;
    dp_status status = ends_of(&high, &low, v, which, leaf);
    if (status != DP_OK)
        return status;
    mpfr_mul(out, &odds->left, low, MPFR_RNDD);
    mpfr_sub(out, high, out, MPFR_RNDU);
    return DP_OK;
}

dp_status ballots_delta(mpfi_t delta, size_t *leaf, ballots *v, size_t which, const mpfi_t odds)
{
    mpfr_t best, value;
    mpq_t none;
    mpfr_init2(best, v->bits);
    mpfr_init2(value, v->bits);
    mpq_init(none);
    mpfr_set_zero(best, 1);
    *leaf = v->c->leaves;
    shortlist list = {NULL, 0};
    aim t = {.floor = 0x1p-1074,
             .ceiling = DBL_MAX,
             .best = true}; /* a value of 0 or less does not matter */
    dp_status status = aim_at(&t, odds) || v->full ? DP_OK : open_full(v);
    if (status == DP_OK)
        status = list_leaves(&list, v, which, &t);
    for (size_t i = 0; status == DP_OK && i < list.count; i++) {
        size_t at = leaf_at(&list, i);
        status = most_gap(value, v, which, at, odds);
        if (status == DP_OK && mpfr_cmp(value, best) > 0) {
            mpfr_set(best, value, MPFR_RNDU);
            *leaf = at;
        }
        if (status == DP_OK && out_of_time(v, i))
            status = DP_UNDECIDED;
    }
    shortlist_close(&list);
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
    const leaf_value *own;
    mpfi_t b;
    mpfi_init2(b, v->bits);
    standing s = STANDING_NONE;
    dp_status status = value_of(&own, v, which, leaf);
    if (status == DP_OK) {
        mpfi_sub_q(b, own->b, q->delta);
        status = standing_take(&s, b, q, list, v->c->count);
    }
    *answer = !s.known ? DP_UNKNOWN : s.sign <= 0 ? DP_YES : DP_NO;
    mpfi_clear(b);
    return status;
}

/* value <- (B - delta)/B' rounded up, or infinity; *asks is DP_NO where the leaf asks for nothing.
 * `least` is delta rounded down. An exponent that ran out leaves 0 for a B' above 0. */
static dp_status leaf_ratio(mpfr_t value, dp_decision *asks, dp_decision *finite, const ballots *v,
                            const tie_question *q, mpfr_srcptr least, size_t which, size_t leaf)
{
    mpfr_srcptr high, low;
    dp_status status = ends_of(&high, &low, v, which, leaf);
    *asks = DP_NO;
    if (status != DP_OK)
        return status;
    mpfr_sub(value, high, least, MPFR_RNDU);
    if (mpfr_sgn(value) <= 0)
        return DP_OK;
    *asks = DP_YES;
    if (mpfr_sgn(low) > 0) {
        mpfr_div(value, value, low, MPFR_RNDU);
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
    const leaf_value *own;
    dp_status status = value_of(&own, v, which, leaf);
    if (status != DP_OK)
        return status;
    mpfi_t b;
    mpfi_init2(b, v->bits);
    mpfi_sub_q(b, own->b, delta);
    mpfi_div(b, b, own->primed);
    mpfi_log(b, b);
    if (mpfr_sgn(&b->left) > 0)
        mpfr_set(lower, &b->left, MPFR_RNDD);
    mpfi_clear(b);
    return DP_OK;
}

dp_status ballots_epsilon(mpfi_t epsilon, dp_decision *finite, ballots *v, size_t which,
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
    aim t = {.ratio = true,
             .below = mpfr_get_d(below, MPFR_RNDD),
             .floor = 1,
             .ceiling = DBL_MAX,
             .best = true};
    mpfr_nextabove(below);
    t.above = mpfr_get_d(below, MPFR_RNDU);
    mpfr_nextbelow(below);
    shortlist list;
    dp_status status = list_leaves(&list, v, which, &t);
    *finite = DP_YES;
    for (size_t i = 0; status == DP_OK && *finite != DP_NO && i < list.count; i++) {
        dp_decision asks;
        size_t at = leaf_at(&list, i);
        status = leaf_ratio(value, &asks, finite, v, &q, below, which, at);
        if (asks == DP_YES && mpfr_number_p(value) && mpfr_cmp(value, best) > 0) {
            mpfr_set(best, value, MPFR_RNDU);
            leaf = at;
        }
        if (status == DP_OK && out_of_time(v, i))
            status = DP_UNDECIDED;
    }
    shortlist_close(&list);
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

/* One leaf of those that may be above delta, or at it. */
static dp_status stand_at(standing *s, const ballots *v, const tie_question *q, size_t which,
                          size_t leaf, const mpfi_t odds, seats *list)
{
    mpfi_t gap;
    mpfr_t most;
    mpfi_init2(gap, v->bits);
    mpfr_init2(most, v->bits);
    dp_status status = most_gap(most, v, which, leaf, odds);
    mpfr_sub_q(most, most, q->delta, MPFR_RNDU);
    if (status == DP_OK && mpfr_sgn(most) >= 0) {
        status = leaf_gap(gap, v, which, leaf, odds, q->delta);
        if (status == DP_OK)
            status = corners_seats(list, v->c, leaf);
        if (status == DP_OK)
            status = standing_take(s, gap, q, list, v->c->count);
    }
    mpfr_clear(most);
    mpfi_clear(gap);
    return status;
}

/* Those that may be at delta or above: what is at least delta/(1 + E), or not farther from (max b -
 * E min b)/(1 + E) than that is. With delta = 0 a leaf where B and B' are 0 is at it, by which
 * nothing is pinned: it need not be in the list. */
static void set_floor(aim *t, standing *s, const ballots *v, size_t which, const mpfi_t odds,
                      const mpq_t delta)
{
    const ballot *own = &v->ballot[which];
    const leaf_sums *sums = &own->sums;
    mpfi_t far, part;
    mpfi_init2(far, v->bits);
    mpfi_init2(part, v->bits);
    mpfi_set_q(far, delta);
    t->floor = t->own * mpfr_get_d(&far->left, MPFR_RNDD) * (1 - 8 * BINARY64_U);
    mpfi_mul_fr(part, odds, own->down[0]);
    mpfi_add(far, far, part);
    mpfi_fr_sub(far, own->up[v->c->voters], far);
    mpfi_add_ui(part, odds, 1);
    mpfi_div(far, far, part);
    t->ceiling = mpfr_get_d(&far->right, MPFR_RNDU);
    mpfi_clear(part);
    mpfi_clear(far);
    if (mpq_sgn(delta) > 0 || v->full || sums->least > 0)
        return;
    t->floor = 0x1p-1074;
    for (size_t i = 0; s->sign < 0 && i < v->c->leaves; i++)
        s->sign = sums->sum[0][i] == 0 && sums->sum[1][i] == 0 ? 0 : -1;
}

/* The leaf of the largest rounded bound first: where it is above delta, nothing else matters. */
dp_status ballots_stand(standing *s, ballots *v, size_t which, const logform *x, const mpq_t delta)
{
    const ballot *own = &v->ballot[which];
    tie_question q = {own->g, own->mirrored, x, delta, v->c->lim};
    mpfi_t odds, gap;
    mpfi_init2(odds, v->bits);
    mpfi_init2(gap, v->bits);
    logform_enclose(odds, x);
    mpfi_exp(odds, odds);
    *s = STANDING_NONE;
    size_t first;
    aim t = {.best = false};
    shortlist list = {NULL, 0};
    seats *room = memory_new(v->c->count, sizeof *room);
    dp_status status = room != NULL ? ballots_delta(gap, &first, v, which, odds) : DP_MEMORY;
    if (status == DP_OK && first < v->c->leaves && mpfr_cmp_q(&gap->left, delta) > 0)
        *s = (standing){1, true, false};
    if (status == DP_OK && s->sign <= 0) {
        aim_at(&t, odds);
        set_floor(&t, s, v, which, odds, delta);
        status = list_leaves(&list, v, which, &t);
    }
    for (size_t i = 0; status == DP_OK && s->sign <= 0 && i < list.count; i++) {
        status = stand_at(s, v, &q, which, leaf_at(&list, i), odds, room);
        if (status == DP_OK && out_of_time(v, i))
            status = DP_UNDECIDED;
    }
    shortlist_close(&list);
    memory_free(room);
    mpfi_clear(gap);
    mpfi_clear(odds);
    return status;
}
