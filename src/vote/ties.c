/* SPDX-License-Identifier: MIT */
/* B - e^x B' = delta at one multiset of vertices, in integers. Nothing is rounded here: a question
 * too large to form is answered by DP_UNKNOWN.
 *
 * With f = e^epsilon, delta = a/w: c = (w f + a)/(w (1 + f)), d = (w - a)/(w (1 + f)). Where f is
 * rational (epsilon = ln R, or 0) the law is rational. Elsewhere epsilon is rational and not 0, and
 * (w (1 + f))^n times the law is a polynomial in f, the same factor under p and under p'. So the
 * question is whether sum_i P_i e^(r_i) = A sum_i Q_i e^(r + r_i) with rational P, Q, r and
 * A = prod b_j^(c_j), x = r + ln A. By Lindemann and Weierstrass exponentials of distinct rationals
 * are linearly independent over the algebraic numbers, and A is one: it holds iff for each exponent
 * the sum of its P is A times the sum of its Q. That is a question about integers (logform). */
#include "vote/ties.h"

#include <stdlib.h>

#include "num/memory.h"
#include "num/number.h"

#define MOST_TERMS 100000 /* of an expansion */
#define MOST_BITS 1e9     /* of all its coefficients together */

typedef enum chance { NEVER = 0, ALWAYS, LEAK, KEEP, HIGH, LOW } chance;

/* p and p' of each vertex */
static const chance vertex[VERTICES][2] = {{NEVER, NEVER}, {ALWAYS, ALWAYS}, {LEAK, NEVER},
                                           {NEVER, LEAK},  {HIGH, LOW},      {LOW, HIGH},
                                           {ALWAYS, KEEP}, {KEEP, ALWAYS}};

/* Values for l, l + 1, ... votes, each a list of coefficients of exponentials. */
typedef struct expansion {
    mpz_t *value;
    size_t rows, columns;
} expansion;

static mpz_t *integers_new(size_t count)
{
    mpz_t *z = memory_new(count == 0 ? 1 : count, sizeof *z);
    for (size_t i = 0; z != NULL && i < count; i++)
        mpz_init(z[i]);
    return z;
}

static void integers_free(mpz_t *z, size_t count)
{
    for (size_t i = 0; z != NULL && i < count; i++)
        mpz_clear(z[i]);
    memory_free(z);
}

static void expansion_free(expansion *e)
{
    integers_free(e->value, e->rows * e->columns);
    e->value = NULL;
}

/* Is e^epsilon irrational? Then it is transcendental. */
static bool grows(const dp_item *m)
{
    return !m->epsilon.is_log && dp_number_sgn(&m->epsilon) != 0;
}

static bool is_middle(size_t v)
{
    return v == 4 || v == 5;
}

/* n votes more, each 1 with probability hit/(hit + miss): value(l) <- miss value(l) + hit
 * value(l + 1), which is hit + miss times the mean. */
static void add_votes(expansion *e, size_t n, const mpz_t hit, const mpz_t miss)
{
    for (; n > 0; n--) {
        size_t rest = --e->rows * e->columns;
        for (size_t i = 0; i < rest; i++) {
            mpz_mul(e->value[i], e->value[i], miss);
            mpz_addmul(e->value[i], e->value[i + e->columns], hit);
        }
        for (size_t i = 0; i < e->columns; i++)
            mpz_clear(e->value[rest + i]);
    }
}

/* The integer weights of a chance that is rational. */
static void weights(mpz_t hit, mpz_t miss, const dp_item *m, chance c)
{
    mpz_srcptr a = mpq_numref(m->delta), w = mpq_denref(m->delta);
    bool turned = c == KEEP || c == LOW || c == NEVER;
    mpz_ptr more = turned ? miss : hit, less = turned ? hit : miss;
    mpz_set_ui(less, 0);
    mpz_set(more, w); /* NEVER and ALWAYS */
    if (c == LEAK || c == KEEP) {
        mpz_set(more, a);
        mpz_sub(less, w, a);
    } else if (c == HIGH || c == LOW) { /* f = s/t: (w s + a t)/(w (s + t)) */
        mpq_srcptr odds = number_odds(&m->epsilon);
        mpz_sub(less, w, a);
        mpz_set(more, w);
        if (odds != NULL) {
            mpz_mul(less, less, mpq_denref(odds));
            mpz_mul(more, more, mpq_numref(odds));
            mpz_addmul(more, a, mpq_denref(odds));
        } else {
            mpz_add(more, more, a);
        }
    }
}

/* poly <- poly (w f + a) + term, of `length` coefficients afterwards */
static void raise(mpz_t *poly, size_t length, const dp_item *m, const mpz_t term)
{
    for (size_t k = length; k-- > 0;) {
        mpz_mul(poly[k], poly[k], mpq_numref(m->delta));
        if (k > 0)
            mpz_addmul(poly[k], poly[k - 1], mpq_denref(m->delta));
    }
    mpz_add(poly[0], poly[0], term);
}

/* factor[j] = C(n, j) keep^j */
static void set_factors(mpz_t *factor, size_t n, const mpz_t keep)
{
    mpz_t power;
    mpz_init_set_ui(power, 1);
    for (size_t j = 0; j <= n; j++) {
        mpz_bin_uiui(factor[j], n, j);
        mpz_mul(factor[j], factor[j], power);
        mpz_mul(power, power, keep);
    }
    mpz_clear(power);
}

/* n votes at c, or at d when `low`, with f a new exponential: sum over i of C(n, i) value(l + i)
 * (w f + a)^i (w - a)^(n - i), for d with i and n - i exchanged, by Horner's rule. */
static dp_status add_middle(expansion *e, size_t n, const dp_item *m, bool low, const limits *lim)
{
    expansion to = {NULL, e->rows - n, e->columns * (n + 1)};
    if (to.rows * to.columns > MOST_TERMS)
        return DP_LIMIT;
    to.value = integers_new(to.rows * to.columns);
    mpz_t *factor = integers_new(n + 1), term, keep;
    dp_status status = to.value != NULL && factor != NULL ? DP_OK : DP_MEMORY;
    mpz_inits(term, keep, NULL);
    mpz_sub(keep, mpq_denref(m->delta), mpq_numref(m->delta));
    if (status == DP_OK)
        set_factors(factor, n, keep);
    for (size_t at = 0; status == DP_OK && at < to.rows * e->columns; at++) {
        mpz_t *poly = to.value + at * (n + 1);
        for (size_t j = 0; j <= n; j++) { /* from the highest power of w f + a on */
            size_t up = low ? j : n - j;
            mpz_mul(term, factor[j], e->value[at + up * e->columns]);
            raise(poly, j + 1, m, term);
        }
        status = limits_expired(lim) ? DP_LIMIT : DP_OK;
    }
    mpz_clears(term, keep, NULL);
    integers_free(factor, n + 1);
    expansion_free(e);
    *e = to;
    return status;
}

/* Rational mechanisms first: they do not lengthen the list. */
static dp_status expand(expansion *e, const seats *list, size_t count, bool primed,
                        const limits *lim)
{
    mpz_t hit, miss;
    mpz_inits(hit, miss, NULL);
    dp_status status = DP_OK;
    for (int middle = 0; middle < 2; middle++)
        for (size_t i = 0; i < count * VERTICES; i++) {
            const seats *own = &list[i / VERTICES];
            size_t v = i % VERTICES;
            bool poly = is_middle(v) && grows(own->m);
            if (status != DP_OK || own->n[v] == 0 || poly != (middle == 1))
                continue;
            weights(hit, miss, own->m, vertex[v][primed]);
            if (poly)
                status = add_middle(e, own->n[v], own->m, vertex[v][primed] == LOW, lim);
            else
                add_votes(e, own->n[v], hit, miss);
            if (status == DP_OK && limits_expired(lim))
                status = DP_LIMIT;
        }
    mpz_clears(hit, miss, NULL);
    return status;
}

/* below = common denominator of b(l) and delta */
static void denominator(mpz_t below, const tie_question *q)
{
    mpq_t b;
    mpq_init(b);
    mpz_set(below, mpq_denref(q->delta));
    for (size_t l = 0; l <= q->g->voters; l++) {
        noise_answer(b, q->g, l, q->mirrored);
        mpz_lcm(below, below, mpq_denref(b));
    }
    mpq_clear(b);
}

/* below b(l), less below delta where it is not NULL: the law sums to 1 */
static dp_status start(expansion *e, const tie_question *q, const mpz_t below, mpq_srcptr delta)
{
    *e = (expansion){integers_new(q->g->voters + 1), q->g->voters + 1, 1};
    mpq_t b;
    mpq_init(b);
    for (size_t l = 0; e->value != NULL && l <= q->g->voters; l++) {
        noise_answer(b, q->g, l, q->mirrored);
        if (delta != NULL)
            mpq_sub(b, b, delta);
        mpz_divexact(e->value[l], below, mpq_denref(b));
        mpz_mul(e->value[l], e->value[l], mpq_numref(b));
    }
    mpq_clear(b);
    return e->value != NULL ? DP_OK : DP_MEMORY;
}

/* Sizes of the coefficients: each vote multiplies by its weights, each binomial is below 2^n. */
static bool fits(const tie_question *q, const mpz_t below, const seats *list, size_t count)
{
    double bits = (double)(mpz_sizeinbase(below, 2) + q->g->voters), terms = 1;
    for (size_t i = 0; i < count; i++) {
        size_t own = mpz_sizeinbase(mpq_denref(list[i].m->delta), 2) + 1, votes = 0;
        for (size_t v = 0; v < VERTICES; v++) {
            votes += list[i].n[v];
            if (is_middle(v) && grows(list[i].m))
                terms *= (double)(list[i].n[v] + 1);
        }
        if (list[i].m->epsilon.is_log)
            own += number_bits(&list[i].m->epsilon);
        bits += (double)own * (double)votes;
    }
    return terms <= MOST_TERMS && bits * ((double)q->g->voters + terms) <= MOST_BITS;
}

/* ---- the terms by their exponents ---- */

typedef struct wave {
    mpq_t exponent;
    mpz_ptr own, other; /* one is NULL: a coefficient of P, or of Q */
} wave;

static int by_exponent(const void *a, const void *b)
{
    return mpq_cmp(((const wave *)a)->exponent, ((const wave *)b)->exponent);
}

/* The exponent of a column: the digits of its number are the powers of each exponential. */
static void exponent_of(mpq_t out, size_t column, const seats *list, size_t count)
{
    mpq_t part;
    mpq_init(part);
    mpq_set_ui(out, 0, 1);
    for (size_t i = count; i-- > 0;)
        for (size_t v = VERTICES; v-- > 0;)
            if (is_middle(v) && grows(list[i].m) && list[i].n[v] > 0) {
                mpq_set_ui(part, column % (list[i].n[v] + 1), 1);
                column /= list[i].n[v] + 1;
                mpq_mul(part, part, number_rational(&list[i].m->epsilon));
                mpq_add(out, out, part);
            }
    mpq_clear(part);
}

/* own = A other, A the product of the logarithms of x */
static bool is_multiple(const mpz_t own, const mpz_t other, const logform *x)
{
    if (mpz_sgn(own) != mpz_sgn(other))
        return false;
    if (mpz_sgn(own) == 0 || x == NULL || x->count == 0)
        return mpz_cmp(own, other) == 0;
    logform gap;
    mpq_t ratio, q;
    logform_init(&gap);
    mpq_inits(ratio, q, NULL);
    mpz_set(mpq_numref(ratio), other);
    mpz_set(mpq_denref(ratio), own);
    mpq_canonicalize(ratio);
    mpq_set_ui(q, 1, 1);
    bool equal = logform_add_log(&gap, q, ratio);
    for (size_t i = 0; equal && i < x->count; i++)
        equal = logform_add_log(&gap, x->term[i].coefficient, x->term[i].base);
    equal = equal && logform_is_zero(&gap);
    mpq_clears(ratio, q, NULL);
    logform_clear(&gap);
    return equal;
}

static bool all_multiples(wave *list, size_t count, const logform *x)
{
    qsort(list, count, sizeof *list, by_exponent);
    mpz_t own, other;
    mpz_inits(own, other, NULL);
    bool equal = true;
    for (size_t i = 0; equal && i < count;) {
        mpz_set_ui(own, 0);
        mpz_set_ui(other, 0);
        size_t first = i;
        for (; i < count && mpq_equal(list[i].exponent, list[first].exponent); i++)
            if (list[i].own != NULL)
                mpz_add(own, own, list[i].own);
            else
                mpz_add(other, other, list[i].other);
        equal = is_multiple(own, other, x);
    }
    mpz_clears(own, other, NULL);
    return equal;
}

static dp_status compare(dp_decision *answer, const expansion *own, const expansion *other,
                         const seats *list, size_t count, const logform *x)
{
    size_t n = own->columns, all = x == NULL ? n : 2 * n;
    wave *waves = memory_new(all, sizeof *waves);
    if (waves == NULL)
        return DP_MEMORY;
    for (size_t i = 0; i < all; i++) {
        bool second = i >= n;
        mpq_init(waves[i].exponent);
        exponent_of(waves[i].exponent, second ? i - n : i, list, count);
        if (second)
            mpq_add(waves[i].exponent, waves[i].exponent, x->rational);
        waves[i].own = second ? NULL : own->value[i];
        waves[i].other = second ? other->value[i - n] : NULL;
    }
    *answer = all_multiples(waves, all, x) ? DP_YES : DP_NO;
    for (size_t i = 0; i < all; i++)
        mpq_clear(waves[i].exponent);
    memory_free(waves);
    return DP_OK;
}

dp_status tie_holds(dp_decision *answer, const tie_question *q, const seats *list, size_t count)
{
    mpz_t below;
    expansion own = {NULL, 0, 0}, other = {NULL, 0, 0};
    mpz_init(below);
    denominator(below, q);
    *answer = DP_UNKNOWN;
    dp_status status = fits(q, below, list, count) ? DP_OK : DP_LIMIT;
    if (status == DP_OK)
        status = start(&own, q, below, q->delta);
    if (status == DP_OK)
        status = expand(&own, list, count, false, q->lim);
    if (status == DP_OK && q->x != NULL)
        status = start(&other, q, below, NULL);
    if (status == DP_OK && q->x != NULL)
        status = expand(&other, list, count, true, q->lim);
    if (status == DP_OK)
        status = compare(answer, &own, &other, list, count, q->x);
    expansion_free(&own);
    expansion_free(&other);
    mpz_clear(below);
    return status == DP_LIMIT ? DP_OK : status;
}

/* ---- the largest over multisets ---- */

static bool is_certain(chance c, const dp_item *m, bool *one)
{
    bool full = mpq_cmp_ui(m->delta, 1, 1) == 0, empty = mpq_sgn(m->delta) == 0;
    *one = c == ALWAYS || (c == LEAK && full) || (c == KEEP && empty) || (c == HIGH && full);
    return *one || c == NEVER || (c == LEAK && empty) || (c == KEEP && full) || (c == LOW && full);
}

bool tie_reaches(const tie_question *q, const seats *list, size_t count)
{
    size_t least = 0, most = 0; /* ones */
    for (size_t i = 0; i < count; i++)
        for (size_t v = 0; v < VERTICES; v++) {
            bool one, certain = is_certain(vertex[v][1], list[i].m, &one);
            least += one ? list[i].n[v] : 0;
            most += one || !certain ? list[i].n[v] : 0;
        }
    mpq_t b;
    mpq_init(b);
    bool reaches = false;
    for (size_t l = least; !reaches && l <= most; l++) {
        noise_answer(b, q->g, l, q->mirrored);
        reaches = mpq_sgn(b) > 0;
    }
    mpq_clear(b);
    return reaches;
}

dp_status standing_take(standing *s, const mpfi_t gap, const tie_question *q, const seats *list,
                        size_t count)
{
    if (mpfr_sgn(&gap->right) < 0)
        return DP_OK;
    if (mpfr_sgn(&gap->left) > 0) {
        *s = (standing){1, true, false};
        return DP_OK;
    }
    dp_decision tied;
    dp_status status = tie_holds(&tied, q, list, count);
    if (tied == DP_YES) {
        s->sign = s->sign < 0 ? 0 : s->sign;
        s->pinned = s->pinned || tie_reaches(q, list, count);
    } else {
        s->known = false;
    }
    return status;
}
