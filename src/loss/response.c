/* SPDX-License-Identifier: MIT */
/* Randomized response as a law: what is added to it, its moments and its outcomes. */
#include "loss/response.h"

#include <math.h>
#include <stdlib.h>

#include "loss/response_blocks.h"
#include "loss/response_series.h"
#include "num/ival.h"
#include "num/memory.h"
#include "num/number.h"

response *response_new(size_t room)
{
    response *r = memory_new(1, sizeof *r);
    if (r == NULL)
        return NULL;
    *r = (response){.room = room};
    mpz_init(r->uses);
    logform_init(&r->total);
    dp_number_init(&r->step);
    r->loss = memory_new(room, sizeof *r->loss);
    if (room > 0 && r->loss == NULL) {
        response_ops.clear(r);
        return NULL;
    }
    return r;
}

loss response_law(response *r)
{
    return (loss){&response_ops, r};
}

static void drop_losses(response *r, size_t from)
{
    for (size_t i = from; i < r->losses; i++) {
        dp_number_clear(&r->loss[i].epsilon);
        mpz_clear(r->loss[i].times);
    }
    r->losses = from;
}

static void clear(void *self)
{
    response *r = self;
    drop_losses(r, 0);
    memory_free(r->loss);
    buckets_clear(&r->guess);
    memory_free(r->multiple);
    response_series_free(r->series);
    mpz_clear(r->uses);
    logform_clear(&r->total);
    dp_number_clear(&r->step);
    memory_free(r);
}

dp_status response_push(response *r, const dp_number *epsilon, const mpz_t times)
{
    r->closed = r->prepared = false;
    composed_loss *last = r->losses > 0 ? &r->loss[r->losses - 1] : NULL;
    if (last == NULL || number_order(&last->epsilon, epsilon) != 0) {
        if (r->losses == r->room) {
            size_t room = r->room == 0 ? 4 : 2 * r->room;
            composed_loss *grown = memory_grow(r->loss, room, sizeof *grown);
            if (grown == NULL)
                return DP_MEMORY;
            r->loss = grown;
            r->room = room;
        }
        last = &r->loss[r->losses++];
        dp_number_init(&last->epsilon);
        dp_number_set(&last->epsilon, epsilon);
        mpz_init(last->times);
    }
    mpz_add(last->times, last->times, times);
    mpz_add(r->uses, r->uses, times);
    return DP_OK;
}

dp_status response_add(product *p, const dp_number *epsilon, const mpz_t times)
{
    if (dp_number_sgn(epsilon) == 0 || mpz_sgn(times) == 0)
        return DP_OK;
    const loss *found = product_find(p, &response_ops);
    if (found != NULL)
        return response_push(found->self, epsilon, times);
    response *r = response_new(4);
    if (r == NULL)
        return DP_MEMORY;
    dp_status status = response_push(r, epsilon, times);
    dp_status taken = product_take(p, response_law(r));
    return status == DP_OK ? taken : status;
}

static int by_epsilon(const void *a, const void *b)
{
    return number_order(&((const composed_loss *)a)->epsilon, &((const composed_loss *)b)->epsilon);
}

static void merge(response *r)
{
    bool ordered = true;
    for (size_t i = 1; ordered && i < r->losses; i++)
        ordered = by_epsilon(&r->loss[i - 1], &r->loss[i]) < 0;
    if (ordered)
        return;
    qsort(r->loss, r->losses, sizeof *r->loss, by_epsilon);
    size_t kept = 0;
    for (size_t i = 1; i < r->losses; i++) {
        composed_loss *last = &r->loss[kept], *next = &r->loss[i];
        if (by_epsilon(last, next) == 0) {
            mpz_add(last->times, last->times, next->times);
            continue;
        }
        if (++kept == i)
            continue;
        composed_loss moved = r->loss[kept]; /* merged into an earlier one */
        r->loss[kept] = *next;
        *next = moved;
    }
    drop_losses(r, kept + 1);
}

dp_status response_close(response *r)
{
    if (r->closed)
        return DP_OK;
    merge(r);
    logform_clear(&r->total);
    logform_init(&r->total);
    mpq_t times;
    mpq_init(times);
    bool ok = true;
    for (size_t i = 0; ok && i < r->losses; i++) { /* they are distinct: nothing to search */
        mpq_set_z(times, r->loss[i].times);
        mpq_srcptr odds = number_odds(&r->loss[i].epsilon);
        ok = odds != NULL ? logform_push_log(&r->total, times, odds)
                          : logform_add_q(&r->total, times, number_rational(&r->loss[i].epsilon));
    }
    mpq_clear(times);
    r->closed = ok;
    return ok ? DP_OK : DP_MEMORY;
}

dp_status response_prepare(void *self)
{
    response *r = self;
    if (r->prepared)
        return DP_OK;
    dp_status status = response_close(r);
    buckets_clear(&r->guess);
    r->prepared = status == DP_OK && buckets_init(&r->guess, r) && response_find_step(r) &&
                  response_series_make(r) == DP_OK;
    return r->prepared ? DP_OK : DP_MEMORY;
}

static double factors(const void *self)
{
    return (double)((const response *)self)->losses;
}

static double free_factors(const void *self)
{
    const response *r = self;
    return r->series != NULL ? fmin((double)r->losses, 4 * (double)r->series->terms)
                             : (double)r->losses;
}

static void uses(mpz_t to, const void *self)
{
    mpz_add(to, to, ((const response *)self)->uses);
}

static bool top(logform *to, const void *self)
{
    mpq_t one;
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    bool ok = logform_add_form(to, one, &((const response *)self)->total);
    mpq_clear(one);
    return ok;
}

void response_moment(mpfi_t k, const response *r, const mpfi_t z, const limits *lim)
{
    mpfr_prec_t bits = mpfi_get_prec(k);
    mpfi_t a, b, part, twice;
    mpfi_ptr all[] = {a, b, part, twice};
    for (size_t i = 0; i < 4; i++)
        mpfi_init2(all[i], bits);
    mpfi_mul_2ui(twice, z, 1);
    mpfi_add_ui(twice, twice, 1);
    mpfi_abs(twice, twice); /* |2z + 1| */
    mpfi_set_ui(k, 0);
    for (size_t i = 0; i < r->losses; i++) {
        if (limits_late(lim, i, mpfi_get_prec(b)))
            for (size_t j = 0; j < 3; j++)
                mpfi_set_prec(all[j], LATE_BITS);
        /* |a| - b + log1p(e^-2|a|) - log1p(e^-2b), b = eps/2, |a| = b |2z+1| */
        ival_set_number(b, &r->loss[i].epsilon);
        mpfi_div_2ui(b, b, 1);
        mpfi_mul(a, b, twice);
        mpfi_sub_ui(part, twice, 1); /* so that |a| - b has one rounding of eps */
        mpfi_mul(part, part, b);
        mpfi_mul_2ui(a, a, 1);
        ival_log1p_exp_neg(a, a);
        mpfi_add(part, part, a);
        mpfi_mul_2ui(b, b, 1);
        ival_log1p_exp_neg(b, b);
        mpfi_sub(part, part, b);
        ival_mul_z(part, part, r->loss[i].times);
        mpfi_add(k, k, part);
    }
    for (size_t i = 0; i < 4; i++)
        mpfi_clear(all[i]);
}

static bool is_number(const mpfi_t z, long x)
{
    return mpfr_cmp_si(&z->left, x) == 0 && mpfr_cmp_si(&z->right, x) == 0;
}

static void log_moment(mpfi_t k, const void *self, const mpfi_t z, const limits *lim)
{
    const response *r = self;
    if (is_number(z, 0) || is_number(z, -1)) /* E_P 1 and E_P e^-L = E_Q 1 */
        mpfi_set_ui(k, 0);
    else if (r->series == NULL || !response_series_moment(k, r->series, z))
        response_moment(k, r, z, lim);
}

static void guess(double k[3], const void *self, double z, unsigned which)
{
    buckets_guess(k, &((const response *)self)->guess, z, which);
}

static void guess_range(double *top, double *reach, const void *self)
{
    buckets_range(top, reach, &((const response *)self)->guess);
}

static size_t groups(const void *self)
{
    return ((const response *)self)->losses;
}

static double group_size(const void *self, size_t i)
{
    return mpz_get_d(((const response *)self)->loss[i].times) + 1;
}

/* The uses of one epsilon: k plus signs, k = 0 .. t: loss (2k - t) eps, mass C(t,k) q^k p^(t-k),
 * each rounded once from an enclosure with 64 spare bits. */
static void group(mpfr_t *lost, mpfr_t *p, mpfr_t *q, const void *self, size_t i)
{
    const composed_loss *l = &((const response *)self)->loss[i];
    mpfr_prec_t wide = mpfr_get_prec(lost[0]) + 64 + (mpfr_prec_t)mpz_sizeinbase(l->times, 2);
    unsigned long times = mpz_get_ui(l->times);
    mpfi_t eps, mass, at, lift;
    mpfi_ptr all[] = {eps, mass, at, lift};
    for (size_t k = 0; k < 4; k++)
        mpfi_init2(all[k], wide);
    ival_set_number(eps, &l->epsilon);
    ival_exp_number(lift, &l->epsilon);
    mpfi_add_ui(mass, lift, 1); /* (1 + e^eps)^-t */
    mpfr_pow_ui(&mass->left, &mass->left, times, MPFR_RNDD);
    mpfr_pow_ui(&mass->right, &mass->right, times, MPFR_RNDU);
    mpfi_ui_div(mass, 1, mass);
    for (unsigned long k = 0; k <= times; k++) {
        mpfi_mul_si(at, eps, 2 * (long)k - (long)times);
        mpfi_get_fr(lost[k], at);
        mpfi_get_fr(p[k], mass);
        mpfr_set(q[times - k], p[k], MPFR_RNDN);
        if (k < times) {
            mpfi_mul_ui(mass, mass, times - k);
            mpfi_div_ui(mass, mass, k + 1);
            mpfi_mul(mass, mass, lift);
        }
    }
    for (size_t k = 0; k < 4; k++)
        mpfi_clear(all[k]);
}

const loss_ops response_ops = {.name = "randomized response",
                               .clear = clear,
                               .symmetric = true,
                               .prepare = response_prepare,
                               .factors = factors,
                               .free_factors = free_factors,
                               .uses = uses,
                               .guess = guess,
                               .guess_range = guess_range,
                               .log_moment = log_moment,
                               .multiply = response_multiply,
                               .blocks = response_blocks,
                               .resonances = response_resonances,
                               .step = response_step,
                               .groups = groups,
                               .group_size = group_size,
                               .group = group,
                               .exact_group = response_exact_group,
                               .top = top,
                               .cell = response_cell,
                               .exact = response_exact};
