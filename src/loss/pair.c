/* SPDX-License-Identifier: MIT */
/* Finite pairs in exact rationals: checked, merged, and made a law and a leak. */
#include "loss/pair.h"

#include <stdlib.h>

#include "loss/discrete.h"
#include "loss/response.h"
#include "num/ival.h"
#include "num/memory.h"
#include "num/number.h"

/* One ratio p/q of the conditional law: p of the law, q = p / ratio. */
typedef struct atom {
    mpq_t p, q, ratio;
} atom;

typedef struct pair {
    discrete base; /* first: the functions of discrete.h take it for one */
    atom *atom;    /* base.count of them, ratios ascending */
} pair;

static void pair_clear(void *self)
{
    pair *a = self;
    for (size_t j = 0; j < a->base.count; j++)
        mpq_clears(a->atom[j].p, a->atom[j].q, a->atom[j].ratio, NULL);
    memory_free(a->atom);
    discrete_clear(&a->base);
    memory_free(a);
}

/* Exact products of masses have at most this many bits. */
#define EXACT_BITS 32768

/* The masses of one use over one denominator. */
typedef struct whole {
    mpz_t below;
    mpz_t *p, *q;
    size_t count;
} whole;

static bool whole_init(whole *w, const pair *a)
{
    *w = (whole){.count = a->base.count};
    mpz_init_set_ui(w->below, 1);
    for (size_t j = 0; j < w->count; j++) {
        mpz_lcm(w->below, w->below, mpq_denref(a->atom[j].p));
        mpz_lcm(w->below, w->below, mpq_denref(a->atom[j].q));
    }
    mpz_t *both = memory_new(2 * w->count, sizeof *both);
    if (both == NULL)
        return false;
    w->p = both;
    w->q = both + w->count;
    for (size_t j = 0; j < 2 * w->count; j++) {
        mpq_srcptr mass = j < w->count ? a->atom[j].p : a->atom[j - w->count].q;
        mpz_init(both[j]);
        mpz_divexact(both[j], w->below, mpq_denref(mass));
        mpz_mul(both[j], both[j], mpq_numref(mass));
    }
    return true;
}

static void whole_clear(whole *w)
{
    for (size_t j = 0; w->p != NULL && j < 2 * w->count; j++)
        mpz_clear(w->p[j]);
    memory_free(w->p);
    mpz_clear(w->below);
}

/* Writes what outcomes j, j + 1, ... make of `left` uses, after masses p and q of the others:
 * C(left, k) P_j^k Q_j^k each; returns where the next would stand. */
static size_t share(mpz_t *to_p, mpz_t *to_q, size_t at, const whole *w, size_t j,
                    unsigned long left, const mpz_t p, const mpz_t q)
{
    mpz_t a, b;
    mpz_init_set(a, p);
    mpz_init_set(b, q);
    for (unsigned long k = 0; k <= left; k++) {
        if (k > 0) {
            mpz_mul(a, a, w->p[j]);
            mpz_mul_ui(a, a, left - k + 1);
            mpz_divexact_ui(a, a, k);
            mpz_mul(b, b, w->q[j]);
            mpz_mul_ui(b, b, left - k + 1);
            mpz_divexact_ui(b, b, k);
        }
        if (j + 1 < w->count && k < left) {
            at = share(to_p, to_q, at, w, j + 1, left - k, a, b);
        } else if (k == left) {
            mpz_set(to_p[at], a);
            mpz_set(to_q[at++], b);
        }
    }
    mpz_clear(a);
    mpz_clear(b);
    return at;
}

static bool exact_group(mpz_t *p, mpz_t *q, mpz_ptr scale, const void *self, size_t group)
{
    const pair *a = self;
    mpz_t times, one;
    whole w;
    mpz_init(times);
    mpz_init_set_ui(one, 1);
    discrete_group_times(times, &a->base, group);
    bool ok = whole_init(&w, a) && mpz_cmp_ui(times, EXACT_BITS) <= 0 &&
              (uint64_t)mpz_get_ui(times) * mpz_sizeinbase(w.below, 2) <= EXACT_BITS;
    if (ok) {
        mpz_pow_ui(scale, w.below, mpz_get_ui(times));
        share(p, q, 0, &w, 0, mpz_get_ui(times), one, one);
    }
    whole_clear(&w);
    mpz_clear(one);
    mpz_clear(times);
    return ok;
}

static const loss_ops pair_ops = DISCRETE_OPS("pair", pair_clear, false, exact_group);
static const loss_ops pair_symmetric_ops = DISCRETE_OPS("pair", pair_clear, true, exact_group);

static void enclose(outcome *out, const discrete *self, size_t j)
{
    const atom *a = &((const pair *)self)->atom[j];
    ival_log_q(out->loss, a->ratio);
    mpfi_set_q(out->mass, a->p);
    mpfi_set_q(out->qmass, a->q);
}

/* below = lcm of the denominators; false when it grows too long, or a mass is not in [0, inf) */
static const char *common_denominator(mpz_t below, const mpq_t *x, size_t count)
{
    mpz_set_ui(below, 1);
    for (size_t j = 0; j < count; j++) {
        if (mpq_sgn(x[j]) < 0)
            return "must not have a mass below 0";
        if (mpz_sizeinbase(mpq_denref(x[j]), 2) > PAIR_BITS)
            return "must have a common denominator of at most 65536 bits";
        mpz_lcm(below, below, mpq_denref(x[j]));
        if (mpz_sizeinbase(below, 2) > PAIR_BITS)
            return "must have a common denominator of at most 65536 bits";
    }
    return NULL;
}

static const char *masses_fault(const mpq_t *x, size_t count)
{
    mpz_t below, part, sum;
    mpz_inits(below, part, sum, NULL);
    const char *fault = common_denominator(below, x, count);
    for (size_t j = 0; fault == NULL && j < count; j++) {
        mpz_divexact(part, below, mpq_denref(x[j]));
        mpz_mul(part, part, mpq_numref(x[j]));
        mpz_add(sum, sum, part);
        if (mpz_cmp(sum, below) > 0)
            break;
    }
    if (fault == NULL && mpz_cmp(sum, below) != 0)
        fault = "must have masses that sum to exactly 1";
    mpz_clears(below, part, sum, NULL);
    return fault;
}

const char *pair_fault(const char **at, const mpq_t *p, const mpq_t *q, size_t count)
{
    *at = "p";
    if (count == 0)
        return "must have at least one outcome";
    const char *fault = masses_fault(p, count);
    if (fault == NULL) {
        *at = "q";
        fault = masses_fault(q, count);
    }
    return fault;
}

static int by_ratio(const void *a, const void *b)
{
    return mpq_cmp(((const atom *)a)->ratio, ((const atom *)b)->ratio);
}

/* Outcomes with mass under both, by ratio, equal ones merged. Returns how many; `leak` and `missed`
 * are the masses of P and of Q that the other does not have. */
static size_t collect(atom *to, mpq_t leak, mpq_t missed, const mpq_t *p, const mpq_t *q,
                      size_t count)
{
    size_t n = 0, kept = 0;
    for (size_t j = 0; j < count; j++) {
        if (mpq_sgn(q[j]) == 0)
            mpq_add(leak, leak, p[j]);
        else if (mpq_sgn(p[j]) == 0)
            mpq_add(missed, missed, q[j]);
        if (mpq_sgn(p[j]) == 0 || mpq_sgn(q[j]) == 0)
            continue;
        mpq_inits(to[n].p, to[n].q, to[n].ratio, NULL);
        mpq_set(to[n].p, p[j]);
        mpq_set(to[n].q, q[j]);
        mpq_div(to[n++].ratio, p[j], q[j]);
    }
    qsort(to, n, sizeof *to, by_ratio);
    for (size_t j = 0; j < n; j++) {
        if (kept > 0 && mpq_equal(to[kept - 1].ratio, to[j].ratio)) {
            mpq_add(to[kept - 1].p, to[kept - 1].p, to[j].p);
            mpq_add(to[kept - 1].q, to[kept - 1].q, to[j].q);
            mpq_clears(to[j].p, to[j].q, to[j].ratio, NULL);
        } else if (kept++ < j) {
            to[kept - 1] = to[j];
        }
    }
    return kept;
}

/* The exchanged pair has ratios 1/r, and masses p and q exchanged; leaks too must agree. */
static bool is_symmetric(const atom *a, size_t count, const mpq_t leak, const mpq_t missed)
{
    bool same = mpq_equal(leak, missed);
    for (size_t j = 0; same && j < count; j++)
        same = mpq_equal(a[j].p, a[count - 1 - j].q); /* for both j: the ratios follow */
    return same;
}

static bool equal(const pair *a, const atom *b, size_t count, bool closed)
{
    bool same = a->base.count == count && a->base.closed == closed;
    for (size_t j = 0; same && j < count; j++)
        same = mpq_equal(a->atom[j].p, b[j].p) && mpq_equal(a->atom[j].ratio, b[j].ratio);
    return same;
}

/* Of the law given that the loss is finite: divided by 1 - leak. */
static void condition(atom *a, size_t count, const mpq_t leak)
{
    mpq_t keep;
    mpq_init(keep);
    mpq_set_ui(keep, 1, 1);
    mpq_sub(keep, keep, leak);
    for (size_t j = 0; mpq_sgn(leak) != 0 && j < count; j++) {
        mpq_div(a[j].p, a[j].p, keep);
        mpq_div(a[j].q, a[j].q, keep);
    }
    mpq_clear(keep);
}

static bool sums_to_one(const atom *a, size_t count)
{
    mpq_t sum;
    mpq_init(sum);
    for (size_t j = 0; j < count; j++)
        mpq_add(sum, sum, a[j].q);
    bool one = mpq_cmp_ui(sum, 1, 1) == 0;
    mpq_clear(sum);
    return one;
}

/* Takes the atoms over, also where it fails. */
static dp_status add_law(product *to, atom *a, size_t count, const loss_ops *ops, bool closed,
                         const mpz_t times)
{
    for (size_t i = 0; i < to->count; i++) {
        pair *old = to->item[i].self;
        if (to->item[i].ops != ops || !equal(old, a, count, closed))
            continue;
        mpz_add(old->base.times, old->base.times, times);
        for (size_t j = 0; j < count; j++)
            mpq_clears(a[j].p, a[j].q, a[j].ratio, NULL);
        memory_free(a);
        return DP_OK;
    }
    pair *made = memory_new(1, sizeof *made);
    if (made == NULL) {
        for (size_t j = 0; j < count; j++)
            mpq_clears(a[j].p, a[j].q, a[j].ratio, NULL);
        memory_free(a);
        return DP_MEMORY;
    }
    made->atom = a;
    bool ok = discrete_init(&made->base, count, true, times);
    if (!ok) {
        pair_clear(made);
        return DP_MEMORY;
    }
    for (size_t j = 0; j < count; j++)
        number_set_log(&made->base.loss[j], a[j].ratio);
    made->base.enclose = enclose;
    made->base.closed = closed;
    discrete_ready(&made->base);
    return product_take(to, (loss){ops, made});
}

dp_status pair_add(product *to, const mpq_t *p, const mpq_t *q, size_t count, bool swap,
                   const mpz_t times)
{
    const char *at;
    if (pair_fault(&at, p, q, count) != NULL)
        return DP_DOMAIN;
    atom *a = memory_new(count, sizeof *a);
    if (a == NULL)
        return DP_MEMORY;
    mpq_t leak, missed;
    mpq_inits(leak, missed, NULL);
    size_t kept = collect(a, leak, missed, swap ? q : p, swap ? p : q, count);
    dp_status status = product_leak_add(to, leak, times);
    bool symmetric = is_symmetric(a, kept, leak, missed);
    condition(a, kept, leak);
    bool binary = symmetric && kept == 2; /* the law of ln(p/q), which has its own */
    if (status == DP_OK && binary) {
        dp_number eps;
        dp_number_init(&eps);
        number_set_log(&eps, a[1].ratio);
        status = response_add(to, &eps, times);
        dp_number_clear(&eps);
    }
    bool trivial = kept == 0 || binary || (kept == 1 && mpq_cmp_ui(a[0].ratio, 1, 1) == 0);
    if (status == DP_OK && !trivial) {
        const loss_ops *ops = symmetric ? &pair_symmetric_ops : &pair_ops;
        status = add_law(to, a, kept, ops, sums_to_one(a, kept), times);
    } else {
        for (size_t j = 0; j < kept; j++)
            mpq_clears(a[j].p, a[j].q, a[j].ratio, NULL);
        memory_free(a);
    }
    mpq_clears(leak, missed, NULL);
    return status;
}
