/* SPDX-License-Identifier: MIT */
/* Certified privacy of noise functions: enclosures of rising precision, and where one straddles the
 * short decimal that it may be, the exact test whether it is. What no test settles stays open. */
#include <math.h>
#include <string.h>

#include "core/refine.h"
#include "num/ival.h"
#include "num/memory.h"
#include "vote/council.h"

#define TIE_BITS (1L << 16)
#define ROUNDS 4
#define FIRST_BITS 256 /* of a first look, where many digits are asked */
#define MOST_BITS 4096 /* of a decision */

void council_odds(mpfi_t odds, const logform *x)
{
    logform_enclose(odds, x);
    mpfi_exp(odds, odds);
}

/* Independent (eps_i, 0)-DP votes: the answer is (m max eps_i, 0)-DP, m the pivotal number. Is that
 * within x? */
static bool is_pure_within(const council *c, const noise *g, const logform *x)
{
    mpq_t m;
    mpq_init(m);
    noise_pivotal(m, g);
    mpq_neg(m, m);
    bool within = c->pure;
    for (size_t i = 0; within && i < c->m->groups->count; i++) {
        logform gap;
        int sign = -1;
        logform_init(&gap);
        within = logform_set(&gap, x) &&
                 logform_add_number(&gap, m, &c->m->groups->item[i].epsilon) &&
                 logform_sign(&sign, &gap, TIE_BITS) && sign >= 0;
        logform_clear(&gap);
    }
    mpq_clear(m);
    return within;
}

/* ---- monotone answers: three corners ---- */

typedef struct slate {
    const noise **g;
    bool *mirrored;
    size_t *owner; /* the proposal it belongs to */
    size_t count;
} slate;

static void slate_add(slate *b, const noise *g, size_t owner)
{
    for (int side = 0; side < noise_sides(g); side++) {
        b->g[b->count] = g;
        b->mirrored[b->count] = side == 1;
        b->owner[b->count++] = owner;
    }
}

static bool slate_init(slate *b, size_t proposals)
{
    *b = (slate){memory_new(2 * proposals, sizeof *b->g),
                 memory_new(2 * proposals, sizeof *b->mirrored),
                 memory_new(2 * proposals, sizeof *b->owner), 0};
    return b->g != NULL && b->mirrored != NULL && b->owner != NULL;
}

static void slate_free(slate *b)
{
    memory_free(b->g);
    memory_free(b->mirrored);
    memory_free(b->owner);
}

/* The vertices of a leaf, all groups together. */
static dp_status leaf_vertices(size_t *n, const corners *c, size_t leaf)
{
    memset(n, 0, VERTICES * sizeof *n);
    seats *list = leaf < c->leaves ? memory_new(c->count, sizeof *list) : NULL;
    dp_status status = list != NULL ? corners_seats(list, c, leaf) : DP_MEMORY;
    for (size_t g = 0; status == DP_OK && g < c->count; g++)
        for (size_t v = 0; v < VERTICES; v++)
            n[v] += list[g].n[v];
    memory_free(list);
    return leaf < c->leaves ? status : DP_OK;
}

static dp_status read_ballot(reading *r, ballots *v, size_t i, const mpfi_t odds, const mpq_t delta)
{
    mpfi_t value;
    size_t leaf, vertices[VERTICES];
    dp_decision finite;
    mpfi_init2(value, v->bits);
    dp_status status = ballots_delta(value, &leaf, v, i, odds);
    ival_clamp_ui(value, 0, 1); /* rounding may pass either end */
    if (status == DP_OK)
        status = leaf_vertices(vertices, v->c, leaf);
    if (status == DP_OK) {
        reading_take_delta(r, value, vertices, v->ballot[i].mirrored);
        status = ballots_epsilon(value, &finite, v, i, delta);
    }
    if (status == DP_OK)
        reading_take_epsilon(r, value, finite);
    mpfi_clear(value);
    return status;
}

static dp_status ballots_all_stand(standing *s, ballots *v, const slate *b, size_t owner,
                                   const logform *x, const mpq_t delta)
{
    dp_status status = DP_OK;
    *s = STANDING_NONE;
    for (size_t i = 0; status == DP_OK && i < b->count; i++) {
        standing own;
        if (b->owner[i] != owner)
            continue;
        status = ballots_stand(&own, v, i, x, delta);
        if (status == DP_OK)
            standing_join(s, &own);
    }
    return status;
}

/* ---- exact figures ---- */

/* The means to ask where a noise function stands, and what has been answered at the target. */
typedef struct trial {
    const noise *g;
    ballots *v; /* monotone: with the slate and the proposal it belongs to */
    const slate *b;
    size_t owner;
    eight *t; /* else */
    mpfr_prec_t bits;
    const logform *x; /* the target */
    mpq_srcptr delta;
    standing there;
    bool asked;
} trial;

static dp_status stand(standing *s, trial *by, const logform *x, const mpq_t delta)
{
    bool same = mpq_equal(delta, by->delta) && by->x->count == 0 && x->count == 0 &&
                mpq_equal(x->rational, by->x->rational);
    if (same && by->asked) {
        *s = by->there;
        return DP_OK;
    }
    dp_status status = by->v != NULL ? ballots_all_stand(s, by->v, by->b, by->owner, x, delta)
                                     : eight_stand(s, by->t, by->g, x, delta, by->bits);
    by->asked = by->asked || (same && status == DP_OK);
    if (same)
        by->there = *s;
    return status;
}

/* A short decimal that the narrow enclosure straddles is the value if it is attained there. */
static dp_status settle_delta(dp_figure *f, trial *by, size_t digits)
{
    mpq_t q;
    standing s;
    mpq_init(q);
    dp_status status = DP_OK;
    if (refine_straddled(q, f, digits)) {
        status = stand(&s, by, by->x, q);
        if (status == DP_OK && s.known && (s.sign == 0 || (s.sign < 0 && mpq_sgn(q) == 0)))
            figure_set_q(f, q);
    }
    mpq_clear(q);
    return status;
}

/* The same for epsilon: at e^q some multiset with B' > 0 attains delta, so no smaller one will do.
 */
static dp_status settle_epsilon(dp_figure *f, trial *by, size_t digits)
{
    logform x;
    standing s;
    logform_init(&x);
    dp_status status = DP_OK;
    if (refine_straddled(x.rational, f, digits)) {
        status = stand(&s, by, &x, by->delta);
        if (status == DP_OK && s.known && s.sign <= 0 && (s.pinned || mpq_sgn(x.rational) == 0))
            figure_set_q(f, x.rational);
    }
    logform_clear(&x);
    return status;
}

static void set_enclosure(dp_figure *f, const mpfi_t x)
{
    mpfi_set(figure_enclose(f, mpfi_get_prec(x)), x);
    if (mpfr_zero_p(&x->left) && mpfr_zero_p(&x->right))
        figure_set_ui(f, 0);
}

/* The figures of a proposal from what was read; a limit met by an exact test leaves them as read.
 */
static dp_status set_figures(const council *c, proposal *p, const reading *r, trial *by)
{
    size_t digits = c->opt->digits;
    memcpy(p->worst, r->worst, sizeof p->worst);
    set_enclosure(&p->delta, r->delta);
    set_enclosure(&p->epsilon, r->epsilon);
    if (p->delta.kind == DP_ENCLOSED && is_pure_within(c, &p->g, by->x))
        figure_set_ui(&p->delta, 0);
    dp_status status = settle_delta(&p->delta, by, digits);
    if (r->finite == DP_NO)
        figure_set_infinite(&p->epsilon);
    else if (status == DP_OK)
        status = settle_epsilon(&p->epsilon, by, digits);
    return status == DP_UNDECIDED ? DP_OK : status;
}

/* ---- rounds ---- */

/* Figures of all monotone proposals from one pair of walks; on failure they are as they were. */
static dp_status certify_round(const council *c, proposal *list, const slate *b, const logform *x,
                               const mpq_t delta, mpfr_prec_t bits)
{
    ballots v;
    dp_status status = ballots_open(&v, &c->corners, b->g, b->mirrored, b->count, bits, false);
    mpfi_t odds;
    mpfi_init2(odds, bits);
    council_odds(odds, x);
    for (size_t i = 0; status == DP_OK && i < b->count;) {
        size_t owner = b->owner[i];
        reading r;
        reading_init(&r, bits);
        for (; status == DP_OK && i < b->count && b->owner[i] == owner; i++)
            status = read_ballot(&r, &v, i, odds, delta);
        trial by = {.g = &list[owner].g, .v = &v, .b = b, .owner = owner, .x = x, .delta = delta};
        if (status == DP_OK)
            status = set_figures(c, &list[owner], &r, &by);
        reading_clear(&r);
    }
    mpfi_clear(odds);
    ballots_close(&v);
    return status;
}

static dp_status certify_eight(const council *c, proposal *p, const logform *x, const mpq_t delta,
                               mpfr_prec_t bits)
{
    if (c->m->groups->count > 1)
        return DP_UNAVAILABLE;
    eight t;
    reading r;
    reading_init(&r, bits);
    dp_status status = eight_open(&t, &c->m->groups->item[0], c->voters, &c->lim);
    if (status == DP_OK)
        status = eight_certify(&r, &t, &p->g, x, delta, bits);
    trial by = {.g = &p->g, .t = &t, .bits = bits, .x = x, .delta = delta};
    if (status == DP_OK)
        status = set_figures(c, p, &r, &by);
    eight_close(&t);
    reading_clear(&r);
    return status;
}

/* Precisions to try: a quick look first where many digits are asked, so that a limit met later
 * leaves something to show. */
static mpfr_prec_t bits_of(const council *c, int round)
{
    mpfr_prec_t more = 96 + 4 * (mpfr_prec_t)sqrt((double)c->voters),
                bits = refine_bits(c->opt->digits) + more;
    if (bits <= 4 * FIRST_BITS)
        return bits << round;
    return round == 0 ? FIRST_BITS + more : bits << (round - 1);
}

bool council_agrees(const council *c, const proposal *p)
{
    return refine_agrees(&p->delta, c->opt->digits) && refine_agrees(&p->epsilon, c->opt->digits);
}

/* Another round is for figures that are too wide. A straddled decimal above 0 that no test has
 * settled stays so. */
static bool is_done(const council *c, const proposal *p)
{
    const dp_figure *f[] = {&p->delta, &p->epsilon};
    mpq_t q;
    mpq_init(q);
    bool done = true;
    for (size_t i = 0; i < 2; i++)
        done = done && (refine_agrees(f[i], c->opt->digits) ||
                        (refine_straddled(q, f[i], c->opt->digits) && mpq_sgn(q) > 0));
    mpq_clear(q);
    return done;
}

/* A limit met in a later round leaves what the earlier ones have proved. So does a next round that
 * would not end in the time that is left: that is kept for other designs. */
static dp_status after_round(dp_status status, const council *c, int round, double began)
{
    if (status == DP_UNDECIDED && round > 0)
        return DP_LIMIT;
    double more = (double)bits_of(c, round + 1) / (double)bits_of(c, round);
    double next = (limits_spent(&c->lim) - began) * more * sqrt(more);
    if (status != DP_OK || next * (double)c->parts <= limits_left(&c->lim))
        return status;
    limits_note(&c->lim, DP_MET_TIME);
    return DP_LIMIT;
}

static dp_status certify_monotone(const council *c, proposal *list, const slate *b,
                                  const logform *x, const mpq_t delta)
{
    dp_status status = DP_OK;
    bool done = b->count == 0;
    for (int round = 0; status == DP_OK && !done && round < ROUNDS; round++) {
        double began = limits_spent(&c->lim);
        status = certify_round(c, list, b, x, delta, bits_of(c, round));
        done = true;
        for (size_t i = 0; status == DP_OK && i < b->count; i++)
            done = done && is_done(c, &list[b->owner[i]]);
        if (status != DP_OK || !done)
            status = after_round(status, c, round, began);
    }
    return status == DP_LIMIT ? DP_OK : status;
}

dp_status council_certify(const council *c, proposal *list, size_t count, const logform *x,
                          mpq_srcptr delta)
{
    slate b;
    dp_status status = slate_init(&b, count) ? DP_OK : DP_MEMORY;
    for (size_t i = 0; status == DP_OK && i < count; i++)
        if (noise_is_monotone(&list[i].g))
            slate_add(&b, &list[i].g, i);
    if (status == DP_OK)
        status = certify_monotone(c, list, &b, x, delta);
    for (size_t i = 0; status == DP_OK && i < count; i++) {
        bool done = noise_is_monotone(&list[i].g);
        for (int round = 0; status == DP_OK && !done && round < ROUNDS; round++) {
            double began = limits_spent(&c->lim);
            status = certify_eight(c, &list[i], x, delta, bits_of(c, round));
            done = status == DP_OK && is_done(c, &list[i]);
            if (!done)
                status = after_round(status, c, round, began);
        }
        status = status == DP_LIMIT ? DP_OK : status;
    }
    slate_free(&b);
    return status;
}

/* ---- decisions ---- */

static dp_status stand_once(standing *s, const council *c, const slate *b, const noise *g,
                            const logform *x, const mpq_t delta, mpfr_prec_t bits)
{
    ballots v;
    eight t;
    dp_status status;
    if (noise_is_monotone(g)) {
        status = ballots_open(&v, &c->corners, b->g, b->mirrored, b->count, bits, false);
        if (status == DP_OK)
            status = ballots_all_stand(s, &v, b, 0, x, delta);
        ballots_close(&v);
        return status;
    }
    if (c->m->groups->count > 1)
        return DP_UNAVAILABLE;
    status = eight_open(&t, &c->m->groups->item[0], c->voters, &c->lim);
    if (status == DP_OK)
        status = eight_stand(s, &t, g, x, delta, bits);
    eight_close(&t);
    return status;
}

dp_status council_stand(standing *s, const council *c, const noise *g, const logform *x,
                        const mpq_t delta)
{
    slate b;
    dp_status status = slate_init(&b, 1) ? DP_OK : DP_MEMORY;
    *s = (standing){-1, false, false};
    if (status == DP_OK)
        slate_add(&b, g, 0);
    for (mpfr_prec_t bits = FIRST_BITS; status == DP_OK && !s->known && bits <= MOST_BITS;
         bits *= 2) {
        standing now = STANDING_NONE;
        status = stand_once(&now, c, &b, g, x, delta, bits);
        if (status == DP_OK)
            *s = now;
    }
    if (status == DP_OK && !s->known)
        limits_note(&c->lim, DP_MET_PRECISION);
    slate_free(&b);
    return status == DP_UNDECIDED ? DP_OK : status;
}

dp_status council_within(dp_decision *answer, const council *c, const noise *g, const logform *x,
                         const mpq_t delta)
{
    standing s = {0, true, false};
    dp_status status = DP_OK;
    if (mpq_cmp_ui(delta, 1, 1) < 0 && !is_pure_within(c, g, x))
        status = council_stand(&s, c, g, x, delta);
    *answer = s.sign > 0 ? DP_NO : s.known ? DP_YES : DP_UNKNOWN;
    return status;
}
