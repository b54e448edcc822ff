/* SPDX-License-Identifier: MIT */
/* The curve of a sample that may hold the record several times, given to an (eps0, delta0) learner,
 * where another record stands in its place on the second data set. Let c be the probability of an
 * event S given that no draw is replaced, and p_j, q_j those on the two data sets given that j
 * copies are; with w_j their weights and r = e^x, P(S) - r Q(S) = sum w_j (p_j - r q_j), p_0 = q_0
 * = c. Samples with a copies of the one record and with b of the other are max(a, b) replacements
 * apart, so p_a <= g^a(q_b) for b <= a (the map of copies.h, the steps of a replacement taken
 * together): with m_j = min(q_0, ..., q_j), which falls,
 *     P(S) - r Q(S) <= sum w_j (g^j(m_j) - r m_j).
 * The greatest value B(r) over all m_0 >= ... >= m_k is a bound, and as a maximum of falling linear
 * functions it is convex. Cut at each level p, {j : m_j > p} is 0 .. s, so that
 *     B(r) = sum w_j g^j(0) + integral over p of max over s of sum over j <= s of
 *            w_j ((g^j)'(p) - r),
 * the best s falls with p since the (g^j)' do, and the maxima together are some falling m. On a
 * piece of the p where no g^j bends, the maximum as a function of r is that of the least concave
 * majorant of the points (sum w_j, sum w_j (g^j)') over j <= s: each of its pieces is an outcome.
 * (g^j)' is E^j up to the steps i that p needs to reach v_0, then E^(2i-j), then 0: it rises, then
 * falls. So the majorant joins 0 .. s as long as the next is at least the mean of those before, and
 * has each later j alone.
 *     For r >= 1 that is taken. Both orders of the data sets are bounded by it, so at r < 1 the
 * bound 1 - r + r B(1/r) is: outcomes (p, q) with p > q have their images (q, p), and the rest has
 * equal masses. The curve grows with E, and what is not kept of the weights leaks at worst. It is
 * not above the mixture of group profiles in amplify-with-bbg, whose events need not agree on c. */
#include <stdlib.h>

#include "loss/copies.h"
#include "num/memory.h"

#define EXACT_BITS 4096
#define ROUND_BITS 256

typedef struct part {
    mpz_t p, q; /* over `whole` */
} part;

typedef struct curve {
    const chain *chain;
    unsigned long each;
    mpz_t *power; /* E^e (ab)^top for e = -top .. top, E = a/b */
    mpz_t *place; /* bends */
    part *part;   /* one for each piece, then one for each e */
    size_t places, parts;
    mpz_t scale, whole, leak; /* (ab)^top; one unit scale */
} curve;

static int by_size(const void *a, const void *b)
{
    return mpz_cmp(*(const mpz_t *)a, *(const mpz_t *)b);
}

/* Greater ratios p/q first; empty ones last. */
static int by_ratio(const void *a, const void *b)
{
    const part *x = a, *y = b;
    if (mpz_sgn(x->q) == 0 || mpz_sgn(y->q) == 0)
        return mpz_sgn(y->q) - mpz_sgn(x->q);
    mpz_t left, right;
    mpz_inits(left, right, NULL);
    mpz_mul(left, x->p, y->q);
    mpz_mul(right, y->p, x->q);
    int c = mpz_cmp(right, left);
    mpz_clears(left, right, NULL);
    return c;
}

static bool curve_init(curve *k, const chain *c, unsigned long each)
{
    size_t top = c->top;
    *k = (curve){.chain = c, .each = each};
    mpz_inits(k->scale, k->whole, k->leak, NULL);
    k->power = memory_new(4 * top + 3, sizeof *k->power);
    k->part = memory_new(3 * top + 2, sizeof *k->part);
    if (k->power == NULL || k->part == NULL)
        return false;
    k->place = k->power + 2 * top + 1;
    for (size_t i = 0; i < 4 * top + 3; i++)
        mpz_init(k->power[i]);
    for (; k->parts < 3 * top + 2; k->parts++)
        mpz_inits(k->part[k->parts].p, k->part[k->parts].q, NULL);
    return true;
}

static void curve_clear(curve *k)
{
    size_t top = k->chain->top;
    for (size_t i = 0; k->parts > 0 && i < 4 * top + 3; i++)
        mpz_clear(k->power[i]);
    for (size_t i = 0; i < k->parts; i++)
        mpz_clears(k->part[i].p, k->part[i].q, NULL);
    memory_free(k->power);
    memory_free(k->part);
    mpz_clears(k->scale, k->whole, k->leak, NULL);
}

/* Powers, places, and the leak: sum w_j z_j and what is not kept. */
static void set_frame(curve *k)
{
    const chain *c = k->chain;
    size_t top = c->top;
    mpz_srcptr a = mpq_numref(c->odds[ABOVE]), b = mpq_denref(c->odds[ABOVE]);
    mpz_pow_ui(k->power[0], b, 2 * top);
    for (size_t e = 1; e <= 2 * top; e++) {
        mpz_mul(k->power[e], k->power[e - 1], a);
        mpz_divexact(k->power[e], k->power[e], b);
    }
    mpz_set(k->scale, k->power[top]);
    mpz_mul(k->whole, c->one, c->unit);
    mpz_mul(k->whole, k->whole, k->scale);
    k->places = 2;
    mpz_set(k->place[1], c->one);
    for (size_t i = 0; i < top; i++)
        if (mpz_sgn(c->v[ABOVE][i]) > 0)
            mpz_set(k->place[k->places++], c->v[ABOVE][i]);
    for (size_t i = 1; !c->lossless && i <= top; i++)
        if (mpz_cmp(c->z[ABOVE][i], c->one) < 0)
            mpz_sub(k->place[k->places++], c->one, c->z[ABOVE][i]);
    qsort(k->place, k->places, sizeof *k->place, by_size);
    mpz_mul(k->leak, c->tail, c->one);
    for (size_t j = 0; j <= c->kept; j++)
        mpz_addmul(k->leak, c->w[BELOW][j], c->z[ABOVE][k->each * j]);
    mpz_mul(k->leak, k->leak, k->scale);
}

/* i, and how many steps leave the points below 1, for those between 0 and `end`. */
static void look(unsigned long *i, unsigned long *below, const chain *c, const mpz_t end)
{
    mpz_t mirror;
    mpz_init(mirror);
    for (*i = 0; *i < c->top && mpz_cmp(c->v[ABOVE][*i], end) >= 0; ++*i)
        ;
    for (*below = 0; *below < c->top; ++*below) {
        mpz_sub(mirror, c->one, c->z[ABOVE][*below + 1]);
        if (mpz_cmp(mirror, end) < 0)
            break;
    }
    mpz_clear(mirror);
}

/* The outcomes of the piece from `start` to `end`. */
static void add_piece(curve *k, size_t piece, const mpz_t start, const mpz_t end)
{
    const chain *c = k->chain;
    unsigned long i, below, j = 0;
    mpz_t gain, weight, length, mean;
    mpz_inits(gain, weight, length, mean, NULL);
    mpz_sub(length, end, start);
    look(&i, &below, c, end);
    bool joined = true;
    for (; j <= c->kept && k->each * j <= below; j++) {
        unsigned long turns = k->each * j;
        long e = turns <= i ? (long)turns : 2 * (long)i - (long)turns;
        mpz_srcptr slope = k->power[(size_t)((long)c->top + e)];
        mpz_mul(mean, slope, weight);
        joined = joined && mpz_cmp(mean, gain) >= 0;
        if (joined) {
            mpz_addmul(gain, slope, c->w[BELOW][j]);
            mpz_add(weight, weight, c->w[BELOW][j]);
        } else if (e > 0) {
            part *own = &k->part[2 * c->top + 1 + (size_t)e];
            mpz_mul(mean, c->w[BELOW][j], length);
            mpz_addmul(own->p, mean, slope);
            mpz_mul(mean, mean, k->scale);
            mpz_add(own->q, own->q, mean);
        }
    }
    mpz_mul(mean, weight, k->scale);
    if (mpz_cmp(gain, mean) > 0) {
        mpz_mul(k->part[piece].p, gain, length);
        mpz_mul(k->part[piece].q, mean, length);
    }
    mpz_clears(gain, weight, length, mean, NULL);
}

/* out = x / whole, rounded to so many bits where it is long. */
static void set_short(mpq_t out, const mpz_t x, const mpz_t whole, bool up)
{
    size_t all = mpz_sizeinbase(whole, 2), own = mpz_sizeinbase(x, 2), shift;
    mpz_set(mpq_numref(out), x);
    if (all <= EXACT_BITS) {
        mpz_set(mpq_denref(out), whole);
    } else {
        shift = ROUND_BITS + (all > own ? all - own : 0);
        mpz_mul_2exp(mpq_numref(out), x, shift);
        if (up)
            mpz_cdiv_q(mpq_numref(out), mpq_numref(out), whole);
        else
            mpz_fdiv_q(mpq_numref(out), mpq_numref(out), whole);
        mpz_set_ui(mpq_denref(out), 1);
        mpz_mul_2exp(mpq_denref(out), mpq_denref(out), shift);
    }
    mpq_canonicalize(out);
}

/* The leak, the outcomes and their images, and the rest. What P has so far is rounded up, what Q
 * has down: the corners of the curve of r >= 1 move up. False where no rest is left. */
static bool set_pair(mpq_t *p, mpq_t *q, const curve *k, size_t count)
{
    mpz_t sum_p, sum_q;
    mpq_t last_p, last_q, rest;
    mpz_init_set(sum_p, k->leak);
    mpz_init(sum_q);
    mpq_inits(last_p, last_q, rest, NULL);
    set_short(last_p, sum_p, k->whole, true);
    mpq_set(p[0], last_p);
    mpq_set(q[1], last_p);
    for (size_t i = 0; i < count; i++) {
        mpq_ptr up = p[2 + 2 * i], down = q[2 + 2 * i];
        mpz_add(sum_p, sum_p, k->part[i].p);
        mpz_add(sum_q, sum_q, k->part[i].q);
        set_short(rest, sum_p, k->whole, true);
        mpq_sub(up, rest, last_p);
        mpq_set(last_p, rest);
        set_short(rest, sum_q, k->whole, false);
        mpq_sub(down, rest, last_q);
        mpq_set(last_q, rest);
        mpq_set(p[3 + 2 * i], down);
        mpq_set(q[3 + 2 * i], up);
    }
    mpq_set_ui(rest, 1, 1);
    mpq_sub(rest, rest, last_p);
    mpq_sub(rest, rest, last_q);
    mpq_set(p[2 + 2 * count], rest);
    mpq_set(q[2 + 2 * count], rest);
    bool left = mpq_sgn(rest) >= 0;
    mpq_clears(last_p, last_q, rest, NULL);
    mpz_clear(sum_q);
    mpz_clear(sum_p);
    return left;
}

static dp_status add_curve(product *to, curve *k, const mpz_t times)
{
    qsort(k->part, k->parts, sizeof *k->part, by_ratio);
    size_t count = 0;
    while (count < k->parts && mpz_sgn(k->part[count].q) != 0)
        count++;
    size_t room = 2 * count + 3;
    mpq_t *all = memory_new(2 * room, sizeof *all);
    if (all == NULL)
        return DP_MEMORY;
    for (size_t i = 0; i < 2 * room; i++)
        mpq_init(all[i]);
    dp_status status = DP_UNAVAILABLE;
    if (set_pair(all, all + room, k, count))
        status = steps_shared_add(to, (const mpq_t *)all, (const mpq_t *)(all + room), room, false,
                                  true, DP_UPPER, times);
    for (size_t i = 0; i < 2 * room; i++)
        mpq_clear(all[i]);
    memory_free(all);
    return status == DP_DOMAIN ? DP_UNAVAILABLE : status;
}

dp_status steps_replaced_add(product *to, const copies *of, const mpz_t times)
{
    chain c;
    dp_status status = chain_init(&c, of, true);
    to->upper_only = true;
    if (status == DP_OK) {
        curve k;
        status = curve_init(&k, &c, of->steps) ? DP_OK : DP_MEMORY;
        if (status == DP_OK) {
            set_frame(&k);
            for (size_t i = 0; i + 1 < k.places; i++)
                add_piece(&k, i, k.place[i], k.place[i + 1]);
            status = add_curve(to, &k, times);
        }
        curve_clear(&k);
    }
    chain_clear(&c);
    return status;
}
