/* SPDX-License-Identifier: MIT */
/* Certified privacy of noise functions. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "num/ival.h"
#include "solve/majority.h"
#include "solve/refine.h"

#define TIE_BITS (1L << 16)
#define ROUNDS 4
#define CANDIDATES 64

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

static void take_most(mpfi_t x, const mpfi_t y)
{
    mpfr_max(&x->left, &x->left, &y->left, MPFR_RNDD);
    mpfr_max(&x->right, &x->right, &y->right, MPFR_RNDU);
}

/* The worst case as counts of vertices; the mirror image of a vertex is its complement. */
static void note_leaf(proposal *p, const council *c, size_t leaf, bool mirrored)
{
    static const size_t vertex[CORNER_KINDS][2] = {{2, 7}, {4, 5}, {6, 3}};
    size_t *counts = malloc(c->corners.count * CORNER_KINDS * sizeof *counts);
    memset(p->worst, 0, sizeof p->worst);
    if (counts == NULL || leaf == c->corners.leaves) {
        free(counts);
        return;
    }
    corners_counts(counts, &c->corners, leaf);
    for (size_t i = 0; i < c->corners.count * CORNER_KINDS; i++)
        p->worst[vertex[i % CORNER_KINDS][mirrored]] += counts[i];
    free(counts);
}

typedef struct slate {
    const noise **g;
    bool *mirrored;
    size_t *owner; /* the proposal it belongs to */
    size_t count;
} slate;

/* One ballot for each monotone proposal, two where gamma is not symmetric. */
static bool gather(slate *b, const proposal *list, size_t count)
{
    *b = (slate){malloc(2 * count * sizeof *b->g), malloc(2 * count * sizeof *b->mirrored),
                 malloc(2 * count * sizeof *b->owner), 0};
    if (b->g == NULL || b->mirrored == NULL || b->owner == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        const noise *g = &list[i].g;
        if (!noise_is_monotone(g, false) || !noise_is_monotone(g, true))
            continue;
        for (int side = 0; side < (noise_is_symmetric(g) ? 1 : 2); side++) {
            b->g[b->count] = g;
            b->mirrored[b->count] = side == 1;
            b->owner[b->count++] = i;
        }
    }
    return true;
}

static void slate_free(slate *b)
{
    free(b->g);
    free(b->mirrored);
    free(b->owner);
}

/* Figures of all monotone proposals from one pair of walks. */
static dp_status certify_round(const council *c, proposal *list, const slate *b, const logform *x,
                               const mpq_t delta, mpfr_prec_t bits)
{
    ballots v;
    dp_status status = ballots_open(&v, &c->corners, b->g, b->mirrored, b->count, bits);
    mpfi_t odds, value;
    mpfi_init2(odds, bits);
    mpfi_init2(value, bits);
    council_odds(odds, x);
    for (size_t i = 0; status == DP_OK && i < b->count; i++) {
        proposal *p = &list[b->owner[i]];
        bool again = i > 0 && b->owner[i - 1] == b->owner[i];
        size_t leaf;
        ballots_delta(value, &leaf, &v, i, odds);
        ival_clamp_ui(value, 0, 1); /* rounding may pass either end */
        if (!again || mpfr_greater_p(&value->right, &p->delta.enclosure->right))
            note_leaf(p, c, leaf, b->mirrored[i]);
        if (again)
            take_most(value, p->delta.enclosure);
        mpfi_set(figure_enclose(&p->delta, bits), value);
        bool finite = ballots_epsilon(value, &leaf, &v, i, delta);
        if (again && finite && p->epsilon.kind == DP_ENCLOSED)
            take_most(value, p->epsilon.enclosure);
        if (!finite || (again && p->epsilon.kind == DP_INFINITE))
            figure_set_infinite(&p->epsilon);
        else
            mpfi_set(figure_enclose(&p->epsilon, bits), value);
    }
    mpfi_clear(value);
    mpfi_clear(odds);
    ballots_close(&v);
    return status;
}

/* 0 as an exact figure where the enclosure is that */
static void settle_zero(dp_figure *f)
{
    if (f->kind == DP_ENCLOSED && mpfr_zero_p(&f->enclosure->left) &&
        mpfr_zero_p(&f->enclosure->right))
        figure_set_ui(f, 0);
}

/* ---- answers that are not monotone: all eight vertices ---- */

static void value_of(mpfi_t b, mpfi_t primed, const eight *t, const octet *o, const noise *g,
                     bool mirrored)
{
    mpfr_prec_t bits = mpfi_get_prec(b);
    size_t n = t->voters + 1;
    mpfr_t *law = reals_new(n, bits), part;
    mpq_t q;
    mpq_init(q);
    mpfr_init2(part, bits);
    for (int side = 0; law != NULL && side < 4; side++) {
        mpfr_rnd_t way = side % 2 == 0 ? MPFR_RNDD : MPFR_RNDU;
        mpfr_ptr out = side < 2 ? (side == 0 ? &b->left : &b->right)
                                : (side == 2 ? &primed->left : &primed->right);
        for (size_t l = 0; l < n; l++)
            mpfr_set_zero(law[l], 1);
        eight_law(law, t, o, side >= 2, way);
        mpfr_set_zero(out, 1);
        for (size_t l = 0; l < n; l++) {
            noise_answer(q, g, l, mirrored);
            mpfr_mul_q(part, law[l], q, way);
            mpfr_add(out, out, part, way);
        }
    }
    if (law == NULL) {
        mpfi_interv_si(b, 0, 1);
        mpfi_interv_si(primed, 0, 1);
    }
    mpfr_clear(part);
    mpq_clear(q);
    reals_free(law, n);
}

/* 1/(1+E) as a double */
static double weight_at(const mpfi_t x)
{
    double t = (mpfr_get_d(&x->left, MPFR_RNDN) + mpfr_get_d(&x->right, MPFR_RNDN)) / 2;
    return 1 / (1 + exp(t));
}

/* The largest B - E B' over all multisets: those within twice the scan's error of its maximum are
 * evaluated again, and no other can be as large. The one of the largest upper end is left in
 * `worst`, which stays as it is where none may be above 0. */
static dp_status eight_delta(mpfi_t delta, octet *worst, eight *t, const noise *g, bool mirrored,
                             const mpfi_t x)
{
    size_t n = t->voters + 1, count = 0;
    double *b = malloc(n * sizeof *b), weight = weight_at(x);
    octet *list = malloc(CANDIDATES * sizeof *list);
    mpq_t q;
    mpq_init(q);
    for (size_t l = 0; b != NULL && l < n; l++) {
        noise_answer(q, g, l, mirrored);
        b[l] = mpq_get_d(q);
    }
    mpq_clear(q);
    bool ok = b != NULL && list != NULL && eight_fill(t, b) &&
              eight_top(list, CANDIDATES, &count, t, weight, false);
    double best = -1, least = 2;
    for (size_t i = 0; ok && i < count; i++) {
        best = fmax(best, list[i].value);
        least = fmin(least, list[i].value);
    }
    double floor = best - 2 * eight_margin(t);
    mpfi_t odds, value, primed, largest;
    mpfi_ptr all[] = {odds, value, primed, largest};
    for (size_t i = 0; i < 4; i++)
        mpfi_init2(all[i], mpfi_get_prec(delta));
    mpfi_exp(odds, x);
    mpfi_set_ui(largest, 0);
    for (size_t i = 0; ok && i < count; i++) {
        if (list[i].value < floor)
            continue;
        value_of(value, primed, t, &list[i], g, mirrored);
        mpfi_mul(primed, primed, odds);
        mpfi_sub(value, value, primed);
        if (mpfr_greater_p(&value->right, &largest->right))
            *worst = list[i];
        take_most(largest, value);
    }
    if (ok && count == CANDIDATES &&
        least >= floor) { /* too many ties: the scan's own bound, on the safe side */
        mpfi_add_ui(value, odds, 1);
        mpfr_mul_d(&value->right, &value->right, nextafter(best + 2 * eight_margin(t), 2),
                   MPFR_RNDU);
        if (mpfr_cmp(&value->right, &largest->right) > 0)
            mpfr_set(&largest->right, &value->right, MPFR_RNDU);
    }
    mpfi_set(delta, largest);
    ival_clamp_ui(delta, 0, 1);
    for (size_t i = 0; i < 4; i++)
        mpfi_clear(all[i]);
    free(list);
    free(b);
    return ok ? DP_OK : limits_expired(t->lim) ? DP_UNDECIDED : DP_MEMORY;
}

/* The least x with delta(x) <= delta, by ln((B - delta)/B') at the worst multiset of the last x,
 * then a little to the right until the certificate holds there. */
static dp_status eight_epsilon(dp_figure *out, eight *t, const noise *g, bool mirrored,
                               const mpq_t delta, mpfr_prec_t bits)
{
    mpfi_t x, value, primed, here;
    mpfi_ptr all[] = {x, value, primed, here};
    for (size_t i = 0; i < 4; i++)
        mpfi_init2(all[i], bits);
    octet worst = {{0}, 0};
    mpfi_set_ui(x, 0);
    dp_status status = DP_OK;
    bool finite = true, proved = false;
    mpfr_t low, step;
    mpfr_init2(low, bits);
    mpfr_init2(step, bits);
    mpfr_set_zero(low, 1);
    mpfr_set_ui_2exp(step, 1, -44, MPFR_RNDN);
    for (int round = 0; status == DP_OK && finite && !proved && round < 60; round++) {
        status = eight_delta(value, &worst, t, g, mirrored, x);
        proved = status == DP_OK && mpfr_cmp_q(&value->right, delta) <= 0;
        if (status != DP_OK || proved)
            break;
        value_of(value, primed, t, &worst, g, mirrored);
        finite = mpfr_sgn(&primed->left) > 0;
        mpfi_sub_q(value, value, delta);
        mpfi_div(value, value, primed);
        mpfi_log(value, value);
        if (finite && mpfr_number_p(&value->left) && mpfr_cmp(&value->left, low) > 0)
            mpfr_set(low, &value->left, MPFR_RNDD);
        if (finite && mpfr_number_p(&value->right) && mpfr_cmp(&value->right, &x->right) > 0) {
            mpfi_set_fr(x, &value->right);
        } else { /* no further by this multiset: to the right by growing steps */
            mpfr_add(step, step, step, MPFR_RNDU);
            mpfr_add(&here->right, &x->right, step, MPFR_RNDU);
            mpfi_set_fr(x, &here->right);
        }
    }
    if (status == DP_OK && (!finite || !proved)) {
        figure_set_infinite(out);
    } else if (status == DP_OK) {
        mpfi_ptr f = figure_enclose(out, bits);
        mpfr_set(&f->left, low, MPFR_RNDD);
        mpfr_set(&f->right, &x->right, MPFR_RNDU);
    }
    mpfr_clear(step);
    mpfr_clear(low);
    for (size_t i = 0; i < 4; i++)
        mpfi_clear(all[i]);
    return status;
}

static void note_octet(proposal *p, const octet *o, bool mirrored)
{
    static const size_t complement[VERTICES] = {1, 0, 7, 6, 5, 4, 3, 2};
    for (size_t v = 0; v < VERTICES; v++)
        p->worst[mirrored ? complement[v] : v] = o->n[v];
}

static dp_status certify_eight(const council *c, proposal *p, const logform *x, const mpq_t delta)
{
    if (c->m->groups->count > 1)
        return DP_UNAVAILABLE;
    mpfr_prec_t bits = refine_bits(c->opt->digits) + 128;
    eight t;
    dp_status status = eight_open(&t, &c->m->groups->item[0], c->voters, &c->lim);
    mpfi_t at, value;
    mpfi_init2(at, bits);
    mpfi_init2(value, bits);
    logform_enclose(at, x);
    octet worst = {{0}, 0};
    mpfi_set_ui(figure_enclose(&p->delta, bits), 0);
    dp_figure epsilon;
    dp_figure_init(&epsilon);
    for (int side = 0; status == DP_OK && side < (noise_is_symmetric(&p->g) ? 1 : 2); side++) {
        status = eight_delta(value, &worst, &t, &p->g, side == 1, at);
        if (mpfr_greater_p(&value->right, &p->delta.enclosure->right))
            note_octet(p, &worst, side == 1);
        take_most(p->delta.enclosure, value);
        if (status == DP_OK)
            status = eight_epsilon(side == 0 ? &p->epsilon : &epsilon, &t, &p->g, side == 1, delta,
                                   bits);
        if (status == DP_OK && side == 1 && epsilon.kind == DP_INFINITE)
            figure_set_infinite(&p->epsilon);
        else if (status == DP_OK && side == 1 && p->epsilon.kind == DP_ENCLOSED)
            take_most(p->epsilon.enclosure, epsilon.enclosure);
    }
    dp_figure_clear(&epsilon);
    mpfi_clear(value);
    mpfi_clear(at);
    eight_close(&t);
    return status;
}

/* Do the digits agree, or is the figure so narrow that only a tie keeps them apart? */
static bool is_narrow(const dp_figure *x, size_t digits)
{
    if (refine_agrees(x, digits))
        return true;
    mpfr_t width;
    mpfr_init2(width, 64);
    mpfr_sub(width, &x->enclosure->right, &x->enclosure->left, MPFR_RNDU);
    bool narrow = mpfr_sgn(&x->enclosure->left) > 0 && mpfr_sgn(width) > 0 &&
                  mpfr_get_exp(width) < mpfr_get_exp(&x->enclosure->left) - refine_bits(digits);
    mpfr_clear(width);
    return narrow;
}

dp_status council_certify(const council *c, proposal *list, size_t count, const logform *x,
                          mpq_srcptr delta, bool *proved)
{
    slate b;
    dp_status status = gather(&b, list, count) ? DP_OK : DP_MEMORY;
    mpfr_prec_t bits = refine_bits(c->opt->digits) + 96 + 4 * (mpfr_prec_t)sqrt((double)c->voters);
    *proved = false;
    for (int round = 0; status == DP_OK && b.count > 0 && !*proved && round < ROUNDS; round++) {
        status = certify_round(c, list, &b, x, delta, bits);
        *proved = true;
        for (size_t i = 0; status == DP_OK && i < b.count; i++) {
            proposal *p = &list[b.owner[i]];
            settle_zero(&p->delta);
            settle_zero(&p->epsilon);
            if (p->delta.kind == DP_ENCLOSED && is_pure_within(c, &p->g, x))
                figure_set_ui(&p->delta, 0);
            *proved = *proved && is_narrow(&p->delta, c->opt->digits) &&
                      is_narrow(&p->epsilon, c->opt->digits);
        }
        bits *= 2;
    }
    for (size_t i = 0; status == DP_OK && i < count; i++)
        if (!noise_is_monotone(&list[i].g, false) || !noise_is_monotone(&list[i].g, true)) {
            status = certify_eight(c, &list[i], x, delta);
            settle_zero(&list[i].delta);
            *proved = refine_agrees(&list[i].delta, c->opt->digits) &&
                      refine_agrees(&list[i].epsilon, c->opt->digits) && (*proved || b.count == 0);
        }
    slate_free(&b);
    return status;
}
