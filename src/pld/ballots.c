/* SPDX-License-Identifier: MIT */
#include "pld/ballots.h"

#include <stdlib.h>

static bool ballot_init(ballot *b, const noise *g, bool mirrored, mpfr_prec_t bits)
{
    size_t n = g->voters + 1;
    b->up = reals_new(n, bits);
    b->down = reals_new(n, bits);
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

static bool fill(ballots *v, bool primed, mpfr_t *table, mpfr_rnd_t way)
{
    tally t = {.v = v, .table = table, .way = way};
    mpfr_init2(t.part, v->bits);
    bool ok = corners_walk(v->c, primed, way, v->bits, visit, &t);
    mpfr_clear(t.part);
    return ok;
}

dp_status ballots_open(ballots *v, const corners *c, const noise *const *g, const bool *mirrored,
                       size_t count, mpfr_prec_t bits)
{
    *v = (ballots){.c = c, .bits = bits, .count = count};
    double bytes = 2.0 * (double)(c->leaves * count) * (double)(bits / 8 + 40);
    if (!limits_allow(c->lim, bytes))
        return DP_UNDECIDED;
    v->ballot = calloc(count, sizeof *v->ballot);
    v->high = reals_new(c->leaves * count, bits);
    v->low = reals_new(c->leaves * count, bits);
    bool ok = v->ballot != NULL && v->high != NULL && v->low != NULL;
    for (size_t i = 0; ok && i < count; i++)
        ok = ballot_init(&v->ballot[i], g[i], mirrored[i], bits);
    if (!ok)
        return DP_MEMORY;
    return fill(v, false, v->high, MPFR_RNDU) && fill(v, true, v->low, MPFR_RNDD) ? DP_OK
                                                                                  : DP_UNDECIDED;
}

void ballots_close(ballots *v)
{
    for (size_t i = 0; v->ballot != NULL && i < v->count; i++) {
        reals_free(v->ballot[i].up, v->c->voters + 1);
        reals_free(v->ballot[i].down, v->c->voters + 1);
    }
    free(v->ballot);
    reals_free(v->high, v->c->leaves * v->count);
    reals_free(v->low, v->c->leaves * v->count);
}

static void side(mpfi_t out, const ballots *v, size_t which, const size_t *counts, bool primed)
{
    size_t n = v->c->voters + 1;
    mpfr_t *law = reals_new(n, v->bits), part;
    mpfr_init2(part, v->bits);
    if (law == NULL) {
        mpfi_interv_si(out, 0, 1); /* always true */
    } else {
        const ballot *b = &v->ballot[which];
        corners_law(law, v->c, counts, primed, MPFR_RNDD);
        weigh(&out->left, b->down, law, n, part, MPFR_RNDD);
        for (size_t l = 0; l < n; l++)
            mpfr_set_zero(law[l], 1);
        corners_law(law, v->c, counts, primed, MPFR_RNDU);
        weigh(&out->right, b->up, law, n, part, MPFR_RNDU);
    }
    mpfr_clear(part);
    reals_free(law, n);
}

void ballots_leaf(mpfi_t b, mpfi_t primed, const ballots *v, size_t which, size_t leaf)
{
    size_t *counts = malloc(v->c->count * CORNER_KINDS * sizeof *counts);
    if (counts == NULL) {
        mpfi_interv_si(b, 0, 1);
        mpfi_interv_si(primed, 0, 1);
        return;
    }
    corners_counts(counts, v->c, leaf);
    side(b, v, which, counts, false);
    side(primed, v, which, counts, true);
    free(counts);
}

void ballots_delta(mpfi_t delta, size_t *leaf, const ballots *v, size_t which, const mpfi_t odds)
{
    mpfr_t best, value;
    mpfr_init2(best, v->bits);
    mpfr_init2(value, v->bits);
    mpfr_set_zero(best, 1);
    *leaf = v->c->leaves;
    /* up(B_up - dn(E_lo B'_dn)) is at least B - E B' */
    for (size_t i = 0; i < v->c->leaves; i++) {
        mpfr_mul(value, &odds->left, v->low[i * v->count + which], MPFR_RNDD);
        mpfr_sub(value, v->high[i * v->count + which], value, MPFR_RNDU);
        if (mpfr_cmp(value, best) > 0) {
            mpfr_set(best, value, MPFR_RNDU);
            *leaf = i;
        }
    }
    mpfi_set_prec(delta, v->bits);
    mpfi_set_ui(delta, 0);
    if (*leaf < v->c->leaves) {
        mpfi_t b, primed;
        mpfi_init2(b, v->bits);
        mpfi_init2(primed, v->bits);
        ballots_leaf(b, primed, v, which, *leaf);
        mpfi_mul(primed, primed, odds);
        mpfi_sub(b, b, primed);
        mpfr_set(&delta->left, &b->left, MPFR_RNDD);
        if (mpfr_sgn(&delta->left) < 0)
            mpfr_set_zero(&delta->left, 1);
        mpfr_set(&delta->right, best, MPFR_RNDU);
        mpfi_clear(primed);
        mpfi_clear(b);
    }
    mpfr_clear(value);
    mpfr_clear(best);
}

bool ballots_epsilon(mpfi_t epsilon, size_t *leaf, const ballots *v, size_t which,
                     const mpq_t delta)
{
    mpfr_t best, value;
    mpfr_init2(best, v->bits);
    mpfr_init2(value, v->bits);
    mpfr_set_zero(best, 1); /* of (B - delta)/B' */
    *leaf = v->c->leaves;
    bool finite = true;
    for (size_t i = 0; finite && i < v->c->leaves; i++) {
        mpfr_sub_q(value, v->high[i * v->count + which], delta, MPFR_RNDU);
        if (mpfr_sgn(value) <= 0)
            continue;
        finite = mpfr_sgn(v->low[i * v->count + which]) > 0;
        mpfr_div(value, value, v->low[i * v->count + which], MPFR_RNDU);
        if (!finite || mpfr_cmp(value, best) > 0) {
            mpfr_set(best, value, MPFR_RNDU);
            *leaf = i;
        }
    }
    mpfi_set_prec(epsilon, v->bits);
    mpfi_set_ui(epsilon, 0);
    if (finite && *leaf < v->c->leaves && mpfr_cmp_ui(best, 1) > 0) {
        mpfi_t b, primed;
        mpfi_init2(b, v->bits);
        mpfi_init2(primed, v->bits);
        ballots_leaf(b, primed, v, which, *leaf);
        mpfi_sub_q(b, b, delta);
        mpfi_div(b, b, primed);
        mpfi_log(b, b);
        mpfr_log(&epsilon->right, best, MPFR_RNDU);
        mpfr_set(&epsilon->left, &b->left, MPFR_RNDD);
        if (!(mpfr_sgn(&epsilon->left) > 0))
            mpfr_set_zero(&epsilon->left, 1);
        mpfi_clear(primed);
        mpfi_clear(b);
    }
    mpfr_clear(value);
    mpfr_clear(best);
    return finite;
}
