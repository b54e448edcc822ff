/* SPDX-License-Identifier: MIT */
/* The pair of a sample that may hold the record several times, given to an (eps0, delta0) learner,
 * with the record (P) against without it (Q). Given where the copies stand, the other draws have
 * the same law on both data sets, and so have the draws that stand in their place on the smaller
 * one: the two samples are J replacements apart, and with g of copies.h, which is concave,
 *     P(S) <= sum over j of w_j g^(j steps)(Q(S)) = T(Q(S)) for every event S, w_j = Pr[J = j].
 * The learner whose outcome has the distribution function g^(j steps) on [0, 1] where its sample
 * holds j copies is (eps0, delta0)-DP: g^i over g^(i-1) has the derivative g'(g^(i-1)), which
 * falls, so intervals from 0 are the best tests and go along g. On it T is attained by the same
 * intervals, at every Q(S): one learner has all of T, in both directions and in every composition.
 *     T is concave and piecewise linear, so a pair has it: a leak of T(0), and on each piece an
 * outcome whose masses are what Q and P gain there. Where ends are rounded, the points of T move
 * left and up for the upper end: T grows, and is concave, so the new polygon is above it at all of
 * its bends and between them. For the lower end they move right and down: the polygon joins points
 * that are not above T, so it is not above T. */
#include <stdlib.h>

#include "loss/copies.h"
#include "num/ival.h"
#include "num/memory.h"
#include "num/number.h"

typedef struct bend {
    mpz_t at, height; /* over one, and over one * unit */
} bend;

typedef struct polygon {
    bend *bend;
    size_t count;
} polygon;

static int by_place(const void *a, const void *b)
{
    const bend *x = a, *y = b;
    int c = mpz_cmp(x->at, y->at);
    return c != 0 ? c : mpz_cmp(x->height, y->height);
}

/* The bends of T between 0 and 1, and both ends. */
static bool polygon_init(polygon *p, const chain *c, unsigned long each, int end)
{
    *p = (polygon){.bend = memory_new(2 * c->top + 2, sizeof *p->bend)};
    if (p->bend == NULL)
        return false;
    for (size_t i = 0; i < 2 * c->top + 2; i++)
        mpz_inits(p->bend[i].at, p->bend[i].height, NULL);
    chain_at_zero(p->bend[p->count++].height, c, each, end);
    bend *last = &p->bend[p->count++];
    mpz_set(last->at, c->one);
    mpz_mul(last->height, c->one, c->unit);
    for (unsigned long i = 0; i < c->top; i++) {
        if (mpz_sgn(c->v[ABOVE][i]) <= 0)
            break;
        bend *b = &p->bend[p->count++];
        mpz_set(b->at, c->v[1 - end][i]); /* left for the upper end */
        chain_at_bend(b->height, c, each, i, end);
    }
    for (unsigned long i = 1; !c->lossless && i <= c->top; i++) {
        if (mpz_cmp(c->z[BELOW][i], c->one) >= 0)
            break;
        bend *b = &p->bend[p->count++];
        mpz_sub(b->at, c->one, c->z[end][i]);
        chain_at_mirror(b->height, c, each, i, end);
    }
    qsort(p->bend, p->count, sizeof *p->bend, by_place);
    return true;
}

static void polygon_clear(polygon *p, const chain *c)
{
    for (size_t i = 0; p->bend != NULL && i < 2 * c->top + 2; i++)
        mpz_clears(p->bend[i].at, p->bend[i].height, NULL);
    memory_free(p->bend);
}

/* Where nothing leaks T(p) <= p (1 + rate (e^(steps eps0) - 1))^draws too, which is its slope at 0:
 * so the largest loss is not raised by the copies that are not kept. The first point moves left to
 * where that line has its height: on the way to it the line is above T, and it is above T up to
 * where it stood. */
static void keep_slope(polygon *p, const chain *c, const copies *of)
{
    bend *first = &p->bend[1];
    if (c->whole || !c->lossless || mpz_sgn(p->bend[0].height) != 0)
        return;
    mpfi_t top, x;
    mpfi_init2(top, (mpfr_prec_t)mpz_sizeinbase(c->one, 2) + 64);
    mpfi_init2(x, mpfi_get_prec(top));
    ival_expm1_number(top, of->eps0);
    if (of->steps == 2) {
        mpfi_add_ui(x, top, 2);
        mpfi_mul(top, top, x);
    }
    mpfi_mul_q(top, top, of->rate);
    mpfi_log1p(top, top);
    ival_mul_z(top, top, of->draws);
    mpfi_exp(top, top);
    mpfi_set_z(x, first->height);
    mpfi_div_z(x, x, c->unit);
    mpfi_div(x, x, top);
    mpz_t at;
    mpz_init(at);
    if (mpfr_number_p(&x->left)) {
        mpfr_get_z(at, &x->left, MPFR_RNDD);
        if (mpz_cmp(at, first->at) < 0)
            mpz_set(first->at, at);
    }
    mpz_clear(at);
    mpfi_clear(x);
    mpfi_clear(top);
}

/* Rounded points need not ascend: above, the greatest so far is above T too; below, what is less
 * than the one after it may be. */
static void make_monotone(polygon *p, int end)
{
    for (size_t i = 1; end == ABOVE && i < p->count; i++)
        if (mpz_cmp(p->bend[i].height, p->bend[i - 1].height) < 0)
            mpz_set(p->bend[i].height, p->bend[i - 1].height);
    for (size_t i = p->count - 1; end == BELOW && i > 0; i--)
        if (mpz_cmp(p->bend[i - 1].height, p->bend[i].height) > 0)
            mpz_set(p->bend[i - 1].height, p->bend[i].height);
}

static dp_status add_polygon(product *to, const polygon *p, const chain *c, dp_end end,
                             bool reverse, const mpz_t times)
{
    mpq_t *all = memory_new(2 * p->count, sizeof *all);
    mpz_t whole;
    if (all == NULL)
        return DP_MEMORY;
    mpz_init(whole);
    mpz_mul(whole, c->one, c->unit);
    for (size_t i = 0; i < 2 * p->count; i++)
        mpq_init(all[i]);
    for (size_t i = 0; i < p->count; i++) {
        mpq_ptr gain = all[i], length = all[p->count + i];
        mpz_set(mpq_numref(gain), p->bend[i].height);
        mpz_set(mpq_numref(length), p->bend[i].at);
        if (i > 0) {
            mpz_sub(mpq_numref(gain), mpq_numref(gain), p->bend[i - 1].height);
            mpz_sub(mpq_numref(length), mpq_numref(length), p->bend[i - 1].at);
        }
        mpz_set(mpq_denref(gain), whole);
        mpz_set(mpq_denref(length), c->one);
        mpq_canonicalize(gain);
        mpq_canonicalize(length);
    }
    dp_status status = steps_shared_add(to, (const mpq_t *)all, (const mpq_t *)(all + p->count),
                                        p->count, reverse, false, end, times);
    for (size_t i = 0; i < 2 * p->count; i++)
        mpq_clear(all[i]);
    memory_free(all);
    mpz_clear(whole);
    return status == DP_DOMAIN ? DP_UNAVAILABLE : status;
}

dp_status steps_copies_add(product *to, const copies *of, dp_end end, bool reverse,
                           const mpz_t times)
{
    chain c;
    polygon p = {0};
    int side = end == DP_UPPER ? ABOVE : BELOW;
    dp_status status = chain_init(&c, of, false);
    if (status == DP_OK && !polygon_init(&p, &c, of->steps, side))
        status = DP_MEMORY;
    if (status == DP_OK) {
        if (side == ABOVE)
            keep_slope(&p, &c, of);
        make_monotone(&p, side);
        bool upper = to->upper_only;
        to->upper_only = false;
        status = add_polygon(to, &p, &c, end, reverse, times);
        to->bracketed = to->bracketed || (!c.exact && !to->upper_only);
        to->upper_only = to->upper_only || upper;
    }
    polygon_clear(&p, &c);
    chain_clear(&c);
    return status;
}

/* ---- Poisson samples, one record in the place of another ---- */

/* g at p, or with `back` its inverse. */
static void step(mpq_t out, const mpq_t p, const mpq_t odds, const mpq_t delta0, bool back)
{
    mpq_t low, high, one, at;
    mpq_inits(low, high, one, at, NULL);
    mpq_set_ui(one, 1, 1);
    if (back)
        mpq_sub(at, one, p);
    else
        mpq_set(at, p);
    mpq_mul(low, odds, at);
    mpq_add(low, low, delta0);
    mpq_sub(high, one, delta0);
    mpq_sub(high, high, at);
    mpq_div(high, high, odds);
    mpq_sub(high, one, high);
    if (mpq_cmp(high, low) < 0)
        mpq_swap(low, high);
    if (mpq_cmp(low, one) > 0)
        mpq_set(low, one);
    if (back)
        mpq_sub(low, one, low);
    mpq_set(out, low);
    mpq_clears(low, high, one, at, NULL);
}

/* A rational e^eps0, or one on that side of it. */
static bool odds_at(mpq_t odds, const dp_number *eps0, dp_end end)
{
    if (dp_number_sgn(eps0) == 0) {
        mpq_set_ui(odds, 1, 1);
        return true;
    }
    if (number_odds(eps0) != NULL) {
        mpq_set(odds, number_odds(eps0));
        return number_bits(eps0) <= 4096;
    }
    mpfi_t e;
    mpfi_init2(e, 512);
    ival_exp_number(e, eps0);
    bool ok = mpfr_number_p(&e->right) && mpfr_get_exp(&e->right) <= 512;
    if (ok && mpfr_cmp_ui(&e->left, 1) < 0)
        mpfr_set_ui(&e->left, 1, MPFR_RNDN);
    if (ok)
        mpfr_get_q(odds, end == DP_UPPER ? &e->right : &e->left);
    mpfi_clear(e);
    return ok;
}

static int by_value(const void *a, const void *b)
{
    return mpq_cmp(*(const mpq_t *)a, *(const mpq_t *)b);
}

#define PLACES 6

/* An event that has probability p without either record has at most g(p) with the one, and at
 * least g^-1(p) with the other: with R = 1 - q it goes from X = R p + q g^-1(p) to at most
 * Y = R p + q g(p). Y as a function of X is concave, for Y is concave in p and X convex, both
 * growing, and bent where g or g^-1 is: at 0, delta0, v_0, 1 - v_0, 1 - delta0 and 1. The learner
 * with the distribution functions g^-1, the identity and g on [0, 1] attains it by the same
 * intervals, as in steps_copies_add: from one to the next is one step. X ends at 1 - q delta0. */
dp_status steps_exchanged_add(product *to, const dp_number *eps0, const mpq_t delta0, const mpq_t q,
                              dp_end end, const mpz_t times)
{
    mpq_t odds, rest, at[PLACES + 1], p[PLACES + 1], x[PLACES + 1];
    mpq_inits(odds, rest, NULL);
    for (size_t i = 0; i <= PLACES; i++)
        mpq_inits(at[i], p[i], x[i], NULL);
    dp_status status = odds_at(odds, eps0, end) ? DP_OK : DP_UNAVAILABLE;
    mpq_set_ui(at[5], 1, 1);
    mpq_set(at[1], delta0);
    mpq_sub(at[4], at[5], delta0);
    mpq_add(rest, odds, at[5]);
    mpq_div(at[2], at[4], rest);
    mpq_sub(at[3], at[5], at[2]);
    mpq_sub(rest, at[5], q);
    qsort(at, PLACES, sizeof *at, by_value);
    for (size_t i = 0; status == DP_OK && i < PLACES; i++) {
        step(p[i], at[i], odds, delta0, false);
        step(x[i], at[i], odds, delta0, true);
        mpq_mul(p[i], p[i], q);
        mpq_mul(x[i], x[i], q);
        mpq_mul(at[i], at[i], rest);
        mpq_add(p[i], p[i], at[i]);
        mpq_add(x[i], x[i], at[i]);
    }
    mpq_set_ui(p[PLACES], 1, 1);
    mpq_set_ui(x[PLACES], 1, 1);
    for (size_t i = PLACES; i > 0; i--) { /* what is gained */
        mpq_sub(p[i], p[i], p[i - 1]);
        mpq_sub(x[i], x[i], x[i - 1]);
    }
    bool exact = number_odds(eps0) != NULL || dp_number_sgn(eps0) == 0, upper = to->upper_only;
    to->upper_only = false;
    if (status == DP_OK)
        status = steps_shared_add(to, (const mpq_t *)p, (const mpq_t *)x, PLACES + 1, false, true,
                                  end, times);
    to->bracketed = to->bracketed || (!exact && !to->upper_only);
    to->upper_only = to->upper_only || upper;
    for (size_t i = 0; i <= PLACES; i++)
        mpq_clears(at[i], p[i], x[i], NULL);
    mpq_clears(odds, rest, NULL);
    return status == DP_DOMAIN ? DP_UNAVAILABLE : status;
}
