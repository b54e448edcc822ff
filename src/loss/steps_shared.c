/* SPDX-License-Identifier: MIT */
/* Pairs whose losses are shared out on a lattice. An outcome (p, q) of loss l = ln(p/q), c h <= l <
 * (c + 1) h, becomes two, of losses c h and (c + 1) h, that have p and q together: with
 *     b = (e^(l - ch) - 1)/(e^h - 1),  q_(c+1) = b q,  q_c = (1 - b) q = q e^(l-ch) (e^((c+1)h - l)
 *     - 1)/(e^h - 1)
 * and p = e^loss q of each. An outcome is got back by joining the two: joining loses, so that the
 * shared pair dominates. Its hockey-stick curve is the chord of the curve between the points of the
 * lattice: with h a small part of the deviation of one loss what is lost is about h^2/(12
 * deviation^2) of the variance. */
#include <math.h>
#include <stdlib.h>

#include "loss/pair.h"
#include "loss/steps.h"
#include "num/ival.h"
#include "num/memory.h"
#include "num/number.h"

/* Losses of all uses up to which they are enumerated, and what h is of the deviation of one. */
#define FEW_LOSSES 4096.0
#define FINE 32.0
#define MOST_CELL 1e6
#define MOST_PLACE 300
#define PLACE_BITS 4096

typedef struct share {
    long cell; /* c, or the place of an outcome on the lattice */
    bool on;   /* that: its loss is 0 */
} share;

typedef struct shared {
    mpq_t *p, *q; /* outcomes with mass on both sides, count of each */
    share *share;
    long *place; /* of the losses, ascending */
    size_t count, places;
    mpq_t step, keep; /* h, and 1 - leak */
    bool symmetric;
} shared;

static void shared_clear(void *state)
{
    shared *s = state;
    for (size_t i = 0; s->p != NULL && i < 2 * s->count; i++)
        mpq_clear(s->p[i]);
    memory_free(s->p);
    memory_free(s->share);
    memory_free(s->place);
    mpq_clears(s->step, s->keep, NULL);
    memory_free(s);
}

static bool shared_same(const void *state, const void *other)
{
    const shared *a = state, *b = other;
    bool same = a->count == b->count && mpq_equal(a->step, b->step) && mpq_equal(a->keep, b->keep);
    for (size_t i = 0; same && i < 2 * a->count; i++)
        same = mpq_equal(a->p[i], b->p[i]);
    return same;
}

/* x = l - place h, to the relative precision of x where that can be had */
static void distance(mpfi_t x, const shared *s, size_t i, long place)
{
    mpq_t ratio, at;
    mpfi_t l;
    mpq_inits(ratio, at, NULL);
    mpq_div(ratio, s->p[i], s->q[i]);
    mpz_set_si(mpq_numref(at), place);
    mpq_mul(at, at, s->step);
    mpfr_prec_t bits = mpfi_get_prec(x) + 64;
    mpfi_init2(l, bits);
    for (; bits <= PLACE_BITS + mpfi_get_prec(x); bits *= 2) {
        mpfi_set_prec(l, bits);
        ival_log_q(l, ratio);
        mpfi_sub_q(l, l, at);
        mpfr_t wide;
        mpfr_init2(wide, 64);
        mpfi_diam_rel(wide, l);
        bool done = !mpfi_has_zero(l) && mpfr_cmp_si_2exp(wide, 1, -mpfi_get_prec(x) - 8) < 0;
        mpfr_clear(wide);
        if (done)
            break;
    }
    mpfi_set(x, l);
    mpfi_clear(l);
    mpq_clears(ratio, at, NULL);
}

/* qmass += what outcome i gives to `place` */
static void add_share(mpfi_t qmass, const shared *s, size_t i, long place)
{
    const share *of = &s->share[i];
    if (of->on && of->cell != place)
        return;
    mpfi_t x, part;
    mpfi_init2(x, mpfi_get_prec(qmass));
    mpfi_init2(part, mpfi_get_prec(qmass));
    mpfi_set_q(part, s->q[i]);
    if (!of->on) {
        distance(x, s, i, of->cell);
        if (place == of->cell) {
            mpfi_exp(x, x);
            mpfi_mul(part, part, x);
            distance(x, s, i, place + 1);
            mpfi_neg(x, x);
        }
        mpfi_expm1(x, x);
        mpfi_mul(part, part, x);
        mpfi_set_q(x, s->step);
        mpfi_expm1(x, x);
        mpfi_div(part, part, x);
    }
    mpfi_add(qmass, qmass, part);
    mpfi_clear(part);
    mpfi_clear(x);
}

static void enclose(outcome *out, const void *state, size_t j)
{
    const shared *s = state;
    long place = s->place[j];
    mpq_t at;
    mpq_init(at);
    mpz_set_si(mpq_numref(at), place);
    mpq_mul(at, at, s->step);
    mpfi_set_q(out->loss, at);
    mpfi_set_ui(out->qmass, 0);
    for (size_t i = 0; i < s->count; i++)
        if (s->share[i].cell == place || (!s->share[i].on && s->share[i].cell + 1 == place))
            add_share(out->qmass, s, i, place);
    mpfi_div_q(out->qmass, out->qmass, s->keep);
    mpfi_exp(out->mass, out->loss);
    mpfi_mul(out->mass, out->mass, out->qmass);
    mpq_clear(at);
}

/* The cell of each outcome; false where one is not found. */
static bool find_cells(shared *s)
{
    mpfi_t x;
    bool found = true;
    mpfi_init2(x, 64);
    for (size_t i = 0; found && i < s->count; i++) {
        share *of = &s->share[i];
        *of = (share){.on = mpq_equal(s->p[i], s->q[i]) != 0};
        if (of->on)
            continue;
        distance(x, s, i, 0);
        mpfi_div_q(x, x, s->step);
        double at = mpfr_get_d(&x->left, MPFR_RNDD);
        found = fabs(at) < MOST_CELL;
        if (!found)
            break;
        for (of->cell = (long)floor(at) - 1;; of->cell++) { /* l is no multiple of h */
            distance(x, s, i, of->cell + 1);
            if (!mpfi_is_strictly_pos(x))
                break;
        }
        found = mpfi_is_strictly_neg(x) != 0;
        distance(x, s, i, of->cell);
        found = found && mpfi_is_strictly_pos(x);
    }
    mpfi_clear(x);
    return found;
}

static int by_place(const void *a, const void *b)
{
    long x = *(const long *)a, y = *(const long *)b;
    return (x > y) - (x < y);
}

static void list_places(shared *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->count; i++) {
        s->place[n++] = s->share[i].cell;
        if (!s->share[i].on)
            s->place[n++] = s->share[i].cell + 1;
    }
    qsort(s->place, n, sizeof *s->place, by_place);
    for (size_t i = 0; i < n; i++)
        if (s->places == 0 || s->place[s->places - 1] != s->place[i])
            s->place[s->places++] = s->place[i];
}

/* h = 1, 2 or 5 times a power of 10, a small part of the deviation of the loss: what is given in
 * decimals beside it may be on the same lattice. Chooses only. */
static bool choose_step(shared *s)
{
    double sum = 0, mean = 0, square = 0;
    for (size_t i = 0; i < s->count; i++) {
        mpfi_t x;
        mpfi_init2(x, 64);
        mpq_set_ui(s->step, 1, 1);
        distance(x, s, i, 0);
        double l = mpq_equal(s->p[i], s->q[i]) ? 0 : mpfi_get_d(x), m = mpq_get_d(s->p[i]);
        sum += m;
        mean += m * l;
        square += m * l * l;
        mpfi_clear(x);
    }
    double variance = square / sum - mean / sum * (mean / sum);
    if (!(variance > 0 && isfinite(variance)))
        return false;
    double fine = sqrt(variance) / FINE, place = floor(log10(fine)), lead = fine / pow(10, place);
    if (!(fabs(place) < MOST_PLACE))
        return false;
    mpz_ui_pow_ui(mpq_denref(s->step), 10, (unsigned long)fabs(place));
    mpz_set_ui(mpq_numref(s->step), 1);
    if (place > 0)
        mpq_inv(s->step, s->step);
    mpz_mul_ui(mpq_numref(s->step), mpq_numref(s->step), lead >= 5 ? 5 : lead >= 2 ? 2 : 1);
    mpq_canonicalize(s->step);
    return true;
}

/* The outcomes with mass on both sides; the leak and what Q alone has. */
static shared *shared_new(mpq_t leak, mpq_t missed, const mpq_t *p, const mpq_t *q, size_t count)
{
    shared *s = memory_zero(1, sizeof *s);
    if (s == NULL)
        return NULL;
    mpq_inits(s->step, s->keep, NULL);
    s->p = memory_new(2 * count, sizeof *s->p);
    s->share = memory_new(count, sizeof *s->share);
    s->place = memory_new(2 * count, sizeof *s->place);
    if (s->p == NULL || s->share == NULL || s->place == NULL) {
        shared_clear(s);
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        if (mpq_sgn(q[i]) == 0)
            mpq_add(leak, leak, p[i]);
        else if (mpq_sgn(p[i]) == 0)
            mpq_add(missed, missed, q[i]);
        else
            s->count++;
    }
    s->q = s->p + s->count;
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        if (mpq_sgn(q[i]) != 0 && mpq_sgn(p[i]) != 0) {
            mpq_init(s->p[n]);
            mpq_set(s->p[n], p[i]);
            mpq_init(s->q[n]);
            mpq_set(s->q[n++], q[i]);
        }
    mpq_set_ui(s->keep, 1, 1);
    mpq_sub(s->keep, s->keep, leak);
    return s;
}

/* C(t/2 + m - 1, m - 1) up to the limit */
static bool are_few(size_t count, const mpz_t times)
{
    double n = 1, half = ceil(mpz_get_d(times) / 2);
    for (size_t i = 1; i < count && n <= FEW_LOSSES; i++)
        n *= (half + (double)i) / (double)i;
    return n <= FEW_LOSSES;
}

static dp_status add_law(product *to, shared *s, const mpq_t leak, const mpq_t missed,
                         const mpz_t times)
{
    list_places(s);
    dp_number *at = memory_new(s->places, sizeof *at);
    if (at == NULL) {
        shared_clear(s);
        return DP_MEMORY;
    }
    mpq_t x;
    mpq_init(x);
    for (size_t j = 0; j < s->places; j++) {
        dp_number_init(&at[j]);
        mpz_set_si(mpq_numref(x), s->place[j]);
        mpz_set_ui(mpq_denref(x), 1);
        mpq_mul(x, x, s->step);
        number_set_q(&at[j], x);
    }
    mpq_clear(x);
    steps curve = {.count = s->places,
                   .loss = at,
                   .closed = mpq_equal(leak, missed) != 0,
                   .symmetric = s->symmetric,
                   .enclose = enclose,
                   .state = s,
                   .clear = shared_clear,
                   .same = shared_same};
    size_t places = s->places;
    dp_status status = steps_add(to, &curve, times);
    if (status == DP_OK)
        status = product_leak_add(to, leak, times);
    for (size_t j = 0; j < places; j++)
        dp_number_clear(&at[j]);
    memory_free(at);
    return status;
}

/* Are the losses that are not 0 all of one size? They are on a lattice of their own. */
static bool have_step(const mpq_t *p, const mpq_t *q, size_t count)
{
    mpq_t first, next;
    mpq_inits(first, next, NULL);
    bool same = true;
    for (size_t i = 0; same && i < count; i++) {
        if (mpq_sgn(p[i]) == 0 || mpq_sgn(q[i]) == 0 || mpq_equal(p[i], q[i]))
            continue;
        mpq_div(next, p[i], q[i]);
        if (mpq_cmp_ui(next, 1, 1) < 0)
            mpq_inv(next, next);
        same = mpq_sgn(first) == 0 || mpq_equal(first, next);
        mpq_set(first, next);
    }
    mpq_clears(first, next, NULL);
    return same;
}

dp_status steps_shared_add(product *to, const mpq_t *p, const mpq_t *q, size_t count, bool swap,
                           bool symmetric, dp_end end, const mpz_t times)
{
    const char *at;
    if (are_few(count, times) || have_step(p, q, count))
        return pair_add(to, p, q, count, swap, times);
    if (pair_fault(&at, p, q, count) != NULL)
        return DP_DOMAIN;
    mpq_t leak, missed;
    mpq_inits(leak, missed, NULL);
    dp_status status = DP_OK;
    shared *s = NULL;
    to->upper_only = true;
    if (end == DP_UPPER) {
        s = shared_new(leak, missed, swap ? q : p, swap ? p : q, count);
        status = s != NULL ? DP_OK : DP_MEMORY;
    }
    if (s != NULL && s->count > 0 && choose_step(s) && find_cells(s)) {
        s->symmetric = symmetric;
        status = add_law(to, s, leak, missed, times);
    } else if (s != NULL) { /* nothing lost but leaks, or not to be placed */
        shared_clear(s);
        status = pair_add(to, p, q, count, swap, times);
    }
    mpq_clears(leak, missed, NULL);
    return status;
}
