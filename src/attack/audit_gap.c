/* SPDX-License-Identifier: MIT */
#include "attack/audit_gap.h"

#include "attack/audit_misses.h"
#include "attack/randomised.h"
#include "num/ival.h"

/* ---- tails: rules of r guesses are rules of more ---- */

/* With L the level and q0 the reference, let S_r(q) be the probability at q of the randomised rule
 * that rejects from v on, and v - 1 with a probability such that at q0 it rejects with probability
 * L. By Neyman and Pearson's lemma it is the least of all rules of r guesses with that power where
 * q < q0, and the largest of all with that level where q > q0. A rule of r guesses is one of more
 * guesses that leaves out the others, so S_r falls with r where q < q0 and grows where q > q0. The
 * rule of v(r) is the best of its own level, which is at most L, so its tail is at most S_r(q). */

static void set_spare(gap_end *e, const gap *g)
{
    randomised_spare(e->spare, e->r, e->v, g->level.yes, &g->reference);
    ival_at_least_zero(e->spare); /* v is within */
    e->known = mpfr_cmp_ui(&e->spare->right, 1) <= 0;
}

static void raise_most(mpfr_t most, const gap_end *e, const share *odds)
{
    if (!e->known) {
        mpfr_set_inf(most, 1);
        return;
    }
    mpfi_t tail;
    mpfi_init2(tail, mpfr_get_prec(most));
    randomised_tail(tail, e->r, e->v, e->spare, odds);
    mpfr_max(most, most, &tail->right, MPFR_RNDU);
    mpfi_clear(tail);
}

/* Where q cannot be told from q0 the larger one holds: tails grow with q, and the upper end of q is
 * on one of the two sides. */
void gap_most(mpfr_t most, const gap *g, const share *odds)
{
    mpfr_set_zero(most, 1);
    if (mpfr_lessequal_p(&odds->yes->left, &g->reference.yes->right))
        raise_most(most, &g->end[0], odds);
    if (mpfr_greaterequal_p(&odds->yes->right, &g->reference.yes->left))
        raise_most(most, &g->end[1], odds);
}

/* ---- tail/(v mass): convex along a line or a concave curve below all v(r) ---- */

/* It is R(r, v) = int_0^q (t/q)^v ((1-t)/(1-q))^(r-v) dt/t, which for all real v falls in v and is
 * log-convex in v. Along v = V(r) with V concave the exponent of each t < q is convex in r, as the
 * coefficient of v is negative; so R(r, V(r)) is convex, and at most what it is at one of two ends.
 * The curve of misses (audit_misses.h) is convex where these are few; where they are many it is
 * concave, and beyond two points of it below the line through these. */

/* v = the misses of r left out, in whole parts. */
static bool add_point(gap *g, unsigned long r, const mpfr_t misses, bool parts)
{
    mpfr_t v;
    mpfr_init2(v, 64);
    mpfr_ui_sub(v, r, misses, MPFR_RNDD);
    bool some = g->points < GAP_POINTS && mpfr_cmp_ui(v, 1) >= 0;
    if (some) {
        gap_point *p = &g->point[g->points++];
        *p = (gap_point){.r = r, .v = mpfr_get_ui(v, MPFR_RNDD), .part = 0};
        mpfr_sub_ui(v, v, p->v, MPFR_RNDN);
        mpfr_mul_ui(v, v, GAP_PARTS, MPFR_RNDN);
        if (parts)
            p->part = (unsigned)mpfr_get_ui(v, MPFR_RNDD);
    }
    mpfr_clear(v);
    return some;
}

static bool add_ends(gap *g, const miss_curve *m)
{
    mpfr_t d;
    mpfr_init2(d, 64);
    bool known = true;
    for (int i = 0; i < 2 && known; i++)
        known = misses_above(d, m, g->end[i].r) && add_point(g, g->end[i].r, d, true);
    mpfr_clear(d);
    return known;
}

/* From r up to twice as many, by the line through the curve at r/2 and r. */
static bool add_octave(gap *g, const miss_curve *m, unsigned long r, unsigned long end)
{
    mpfr_t d, before;
    mpfr_init2(d, 64);
    mpfr_init2(before, 64);
    bool known = r > 1 && misses_above(d, m, r) && misses_below(before, m, r / 2) &&
                 add_point(g, r, d, false);
    mpfr_sub(before, d, before, MPFR_RNDU);
    mpfr_mul_ui(before, before, end - r, MPFR_RNDU);
    mpfr_div_ui(before, before, r - r / 2, MPFR_RNDU);
    mpfr_add(d, d, before, MPFR_RNDU);
    known = known && add_point(g, end, d, false);
    mpfr_clear(before);
    mpfr_clear(d);
    return known;
}

static void set_points(gap *g)
{
    miss_curve m;
    bool known = misses_init(&m, &g->reference, &g->level);
    unsigned long last = g->end[1].r;
    if (known && m.few) {
        known = add_ends(g, &m);
    } else {
        for (unsigned long r = g->end[0].r, end; r < last && known; r = end) {
            end = last - r > r ? 2 * r : last;
            known = add_octave(g, &m, r, end);
        }
    }
    if (!known)
        g->points = 0;
    misses_clear(&m);
}

/* out = R(r, v) */
static void ratio(mpfi_t out, unsigned long r, unsigned long v, const share *odds)
{
    mpfr_prec_t bits = mpfi_get_prec(out);
    share tail;
    mpfi_t mass;
    share_init(&tail, bits);
    mpfi_init2(mass, bits);
    binomial_tail(&tail, mass, v, r, odds);
    mpfi_div(out, tail.yes, mass);
    mpfi_div_ui(out, out, v);
    mpfi_clear(mass);
    share_clear(&tail);
}

#define LEAST_RATIO 1e-3 /* for v of v R - 1, which then keeps its digits */

/* next = R(r, v + 1), x = R(r, v): v R - 1 is Pr[W > v]/Pr[W = v] */
static void next_ratio(mpfi_t next, const mpfi_t x, const gap_point *p, const share *odds)
{
    mpfi_mul_ui(next, x, p->v);
    mpfi_sub_ui(next, next, 1);
    if (mpfr_cmp_d(&next->left, LEAST_RATIO) < 0) {
        ratio(next, p->r, p->v + 1, odds);
        return;
    }
    mpfi_div_ui(next, next, p->r - p->v);
    mpfi_mul(next, next, odds->no);
    mpfi_div(next, next, odds->yes);
}

/* out <= 1/R(r, v): the mass of a further count is at most a share s = (r-v) q/((v+1)(1-q)) of that
 * of the one before, so that 1/R >= v (1-s). */
static void by_shares(mpfi_t out, const gap_point *p, const share *odds)
{
    mpfi_div(out, odds->yes, odds->no);
    mpfi_mul_ui(out, out, p->r - p->v);
    mpfi_div_ui(out, out, p->v + 1);
    mpfi_ui_sub(out, 1, out);
    mpfi_mul_ui(out, out, p->v);
}

/* The same, v < r: with K the divergence of v/r from q the mass is at least e^(-r K)/sqrt(8 v
 * (r-v)/r), as a binomial coefficient is at least e^(r H(v/r)) over that root (MacWilliams and
 * Sloane 1977, chapter 10, lemma 7); the tail is at most 1, and e^(-r K) from the mean on. */
static void by_divergence(mpfi_t out, const gap_point *p, const share *odds)
{
    mpfi_t root;
    mpfr_t d;
    mpfi_init2(root, 64);
    mpfr_init2(d, 64);
    mpfi_mul_ui(out, odds->yes, p->r);
    if (mpfr_cmp_ui(&out->right, p->v) <= 0) {
        mpfi_set_ui(out, 1);
    } else {
        mpfr_set_ui(d, p->r - p->v, MPFR_RNDN);
        misses_divergence(out, p->r, d, odds);
        mpfi_neg(out, out);
        mpfi_exp(out, out);
    }
    mpfi_set_ui(root, p->r);
    mpfi_div_ui(root, root, 8);
    mpfi_mul_ui(root, root, p->v);
    mpfi_div_ui(root, root, p->r - p->v);
    mpfi_sqrt(root, root);
    mpfi_mul(out, out, root);
    mpfr_clear(d);
    mpfi_clear(root);
}

/* Is R(r, v), which falls in v, proved at a glance to be at most that? */
static bool is_little(const gap_point *p, mpfr_srcptr known, const share *odds)
{
    mpfi_t x, most;
    mpfi_init2(x, 64);
    mpfi_init2(most, 64);
    bool little = false;
    for (int i = 0; i < 2 && !little && mpfr_sgn(known) > 0 && (i == 0 || p->v < p->r); i++) {
        (i == 0 ? by_shares : by_divergence)(x, p, odds);
        mpfi_set_fr(most, known);
        mpfi_ui_div(most, 1, most);
        little = mpfr_greaterequal_p(&x->left, &most->right) != 0;
    }
    mpfi_clear(most);
    mpfi_clear(x);
    return little;
}

#define BEST_BITS 72 /* what is best elsewhere is more by far, or by these */

/* Between two whole numbers its logarithm is below the chord. */
static void raise_best(mpfr_t best, const gap_point *p, const share *odds)
{
    mpfi_t x, next;
    mpfi_init2(x, BEST_BITS);
    mpfi_init2(next, BEST_BITS);
    ratio(x, p->r, p->v, odds);
    if (p->part > 0) {
        next_ratio(next, x, p, odds);
        mpfi_log(x, x);
        mpfi_log(next, next);
        mpfi_mul_ui(x, x, GAP_PARTS - p->part);
        mpfi_mul_ui(next, next, p->part);
        mpfi_add(x, x, next);
        mpfi_div_ui(x, x, GAP_PARTS);
        mpfi_exp(x, x);
    }
    mpfr_max(best, best, &x->right, MPFR_RNDU);
    mpfi_clear(next);
    mpfi_clear(x);
}

void gap_best(mpfr_t best, const gap *g, const share *odds, mpfr_srcptr known)
{
    mpfr_set(best, known, MPFR_RNDU);
    for (size_t i = 0; i < g->points; i++)
        if (!is_little(&g->point[i], best, odds))
            raise_best(best, &g->point[i], odds);
    if (g->points == 0)
        mpfr_set_inf(best, 1);
}

/* ---- both ---- */

void gap_init(gap *g, const share *reference, mpfr_srcptr level, const unsigned long r[2],
              const unsigned long v[2])
{
    mpfr_prec_t bits = mpfr_get_prec(level);
    share_init(&g->reference, mpfi_get_prec(reference->yes));
    share_init(&g->level, bits);
    mpfi_set(g->reference.yes, reference->yes);
    mpfi_set(g->reference.no, reference->no);
    mpfi_set_fr(g->level.yes, level);
    mpfi_ui_sub(g->level.no, 1, g->level.yes);
    for (int i = 0; i < 2; i++) {
        g->end[i] = (gap_end){.r = r[i], .v = v[i]};
        mpfi_init2(g->end[i].spare, bits);
        set_spare(&g->end[i], g);
    }
    g->points = 0;
    set_points(g);
}

void gap_clear(gap *g)
{
    mpfi_clear(g->end[0].spare);
    mpfi_clear(g->end[1].spare);
    share_clear(&g->level);
    share_clear(&g->reference);
}
