/* SPDX-License-Identifier: MIT */
/* The canonical list of a composition: equal losses and leaks merged with their counts, in order,
 * with exact totals. */
#include "loss/response_list.h"

#include <stdlib.h>

#include "loss/known.h"
#include "num/domain.h"
#include "num/guard.h"
#include "num/ival.h"
#include "num/limits.h"
#include "num/memory.h"
#include "num/number.h"

/* Exact products up to this size decide ties between 1 - D and a rational. */
#define EXACT_BITS 4000000UL
#define DECISION_BITS (1L << 16)
/* More distinct deltas than this are multiplied out instead of being factored into coprimes. */
#define FACTORED_LEAKS 64

void dp_composition_init_under(dp_composition *c, dp_relation adjacency)
{
    if (c == NULL)
        return;
    *c = (dp_composition){.adjacency = adjacency};
}

void dp_composition_init(dp_composition *c)
{
    dp_composition_init_under(c, DP_ADD_REMOVE);
}

static void mechanism_clear(dp_item *m)
{
    dp_number_clear(&m->epsilon);
    mpq_clear(m->delta);
    mpz_clear(m->times);
}

void dp_composition_clear(dp_composition *c)
{
    if (c == NULL)
        return;
    for (size_t i = 0; i < c->count; i++)
        mechanism_clear(&c->item[i]);
    memory_free(c->item);
    known_clear(c->known);
    dp_composition_init_under(c, c->adjacency);
}

static dp_status item_fault(dp_error *err, dp_status status, const char *argument,
                            const char *message)
{
    if (err != NULL)
        *err = (dp_error){status, argument, message};
    return status;
}

/* What is wrong with the parameters of an item, and which one is at fault; or NULL. */
static const char *item_domain(const char **name, const dp_number *epsilon, mpq_srcptr delta,
                               mpz_srcptr times)
{
    static const char missing[] = "must not be NULL";
    *name = "epsilon";
    const char *fault = epsilon == NULL ? missing : domain_fault(&domain_loss, epsilon);
    if (fault != NULL)
        return fault;
    *name = "delta";
    fault = delta == NULL ? missing : domain_fault_q(&domain_probability, delta);
    if (fault != NULL)
        return fault;
    *name = "times";
    return times == NULL ? missing : domain_fault_z(&domain_count, times);
}

dp_status dp_composition_add(dp_composition *c, const dp_number *epsilon, const mpq_t delta,
                             const mpz_t times, dp_error *err)
{
    const char *name;
    const char *fault = item_domain(&name, epsilon, delta, times);
    if (c == NULL)
        return item_fault(err, DP_DOMAIN, "list", "must not be NULL");
    if (fault != NULL)
        return item_fault(err, DP_DOMAIN, name, fault);
    dp_item m; /* copied first: the numbers may stand in the list, which moves as it grows */
    dp_number_init(&m.epsilon);
    dp_number_set(&m.epsilon, epsilon);
    mpq_init(m.delta);
    mpq_set(m.delta, delta);
    mpz_init_set(m.times, times);
    if (c->count == c->room) {
        size_t room = c->room == 0 ? 16 : 2 * c->room;
        dp_item *grown = memory_grow(c->item, room, sizeof *grown);
        if (grown == NULL) {
            mechanism_clear(&m);
            return item_fault(err, DP_MEMORY, NULL, "out of memory");
        }
        c->item = grown;
        c->room = room;
    }
    c->item[c->count++] = m;
    return DP_OK;
}

static int by_epsilon(const void *a, const void *b)
{
    const dp_number *x = &(*(const dp_item *const *)a)->epsilon;
    const dp_number *y = &(*(const dp_item *const *)b)->epsilon;
    return number_order(x, y);
}

static int by_delta(const void *a, const void *b)
{
    return mpq_cmp((*(const dp_item *const *)a)->delta, (*(const dp_item *const *)b)->delta);
}

static bool collect_losses(composed *c, const dp_item **order, size_t n)
{
    qsort(order, n, sizeof *order, by_epsilon);
    c->loss = memory_new(n, sizeof *c->loss);
    if (c->loss == NULL)
        return false;
    for (size_t i = 0; i < n; i++) {
        const dp_item *m = order[i];
        mpz_add(c->uses, c->uses, m->times);
        if (dp_number_sgn(&m->epsilon) == 0)
            continue;
        mpz_add(c->lossy, c->lossy, m->times);
        composed_loss *last = c->losses > 0 ? &c->loss[c->losses - 1] : NULL;
        if (last != NULL && number_order(&last->epsilon, &m->epsilon) == 0) {
            mpz_add(last->times, last->times, m->times);
            continue;
        }
        last = &c->loss[c->losses++];
        dp_number_init(&last->epsilon);
        dp_number_set(&last->epsilon, &m->epsilon);
        mpz_init_set(last->times, m->times);
    }
    return true;
}

static bool collect_leaks(composed *c, const dp_item **order, size_t n)
{
    qsort(order, n, sizeof *order, by_delta);
    c->leak = memory_new(n, sizeof *c->leak);
    if (c->leak == NULL)
        return false;
    for (size_t i = 0; i < n; i++) {
        const dp_item *m = order[i];
        if (mpq_sgn(m->delta) == 0)
            continue;
        if (mpq_cmp_ui(m->delta, 1, 1) == 0) {
            c->certain_leak = true;
            continue;
        }
        composed_leak *last = c->leaks > 0 ? &c->leak[c->leaks - 1] : NULL;
        if (last != NULL && mpq_equal(last->delta, m->delta)) {
            mpz_add(last->times, last->times, m->times);
            continue;
        }
        last = &c->leak[c->leaks++];
        mpq_init(last->delta);
        mpq_set(last->delta, m->delta);
        mpz_init_set(last->times, m->times);
    }
    return true;
}

/* total = sum of times * epsilon; the losses are distinct, so no term needs merging */
static bool add_total(composed *c)
{
    mpq_t times;
    mpq_init(times);
    bool ok = true;
    for (size_t i = 0; ok && i < c->losses; i++) {
        mpq_set_z(times, c->loss[i].times);
        ok = c->loss[i].epsilon.is_log
                 ? logform_push_log(&c->total, times, number_odds(&c->loss[i].epsilon))
                 : logform_add_q(&c->total, times, number_rational(&c->loss[i].epsilon));
    }
    mpq_clear(times);
    return ok;
}

static bool add_known(composed *c, const dp_composition *list)
{
    mpq_t times, keep;
    mpq_inits(times, keep, NULL);
    bool ok = true;
    for (const dp_known *k = list->known; ok && k != NULL; k = k->next) {
        const dp_item *m = &list->item[k->item];
        c->above = c->above || k->kind == KNOWN_ABOVE;
        if (k->kind != KNOWN_ONE_WAY || mpq_cmp_ui(m->delta, 1, 1) == 0)
            continue;
        mpq_set_z(times, m->times);
        mpq_neg(times, times);
        mpq_set_ui(keep, 1, 1);
        mpq_sub(keep, keep, m->delta);
        logterm *last = c->one_way.count > 0 ? &c->one_way.term[c->one_way.count - 1] : NULL;
        if (last != NULL && mpq_equal(last->base, keep)) /* no search: lists may be long */
            mpq_add(last->coefficient, last->coefficient, times);
        else
            ok = logform_push_log(&c->one_way, times, keep);
    }
    mpq_clears(times, keep, NULL);
    return ok;
}

bool composed_is_attained_twice(const composed *c)
{
    return !c->above && c->one_way.count == 0;
}

bool composed_is_attained(const composed *c)
{
    return !c->above && (c->one_way.count == 0 || c->losses == 0);
}

dp_status composed_init(composed *c, const dp_composition *list)
{
    c->loss = NULL;
    c->leak = NULL;
    c->losses = c->leaks = 0;
    c->certain_leak = c->above = false;
    logform_init(&c->total);
    logform_init(&c->one_way);
    mpz_inits(c->uses, c->lossy, NULL);
    if (list->count == 0)
        return DP_OK;
    const dp_item **order = memory_new(list->count, sizeof *order);
    if (order == NULL)
        return DP_MEMORY;
    for (size_t i = 0; i < list->count; i++)
        order[i] = &list->item[i];
    bool ok = collect_losses(c, order, list->count) && collect_leaks(c, order, list->count) &&
              add_total(c) && add_known(c, list);
    memory_free(order);
    return ok ? DP_OK : DP_MEMORY;
}

void composed_clear(composed *c)
{
    for (size_t i = 0; i < c->losses; i++) {
        dp_number_clear(&c->loss[i].epsilon);
        mpz_clear(c->loss[i].times);
    }
    for (size_t i = 0; i < c->leaks; i++) {
        mpq_clear(c->leak[i].delta);
        mpz_clear(c->leak[i].times);
    }
    memory_free(c->loss);
    memory_free(c->leak);
    logform_clear(&c->total);
    logform_clear(&c->one_way);
    mpz_clears(c->uses, c->lossy, NULL);
}

void composed_log_keep(mpfi_t out, const composed *c)
{
    if (c->certain_leak) {
        mpfr_set_inf(&out->left, -1);
        mpfr_set_inf(&out->right, -1);
        return;
    }
    mpfi_t log;
    mpfi_init2(log, mpfi_get_prec(out));
    mpfi_set_ui(out, 0);
    for (size_t i = 0; i < c->leaks; i++) {
        ival_log1m_q(log, c->leak[i].delta);
        ival_mul_z(log, log, c->leak[i].times);
        mpfi_add(out, out, log);
    }
    mpfi_clear(log);
}

/* Bits of prod (1 - delta_i)^times before cancellation, or more than the limit. */
static bool leak_fits(const composed *c, unsigned long limit)
{
    mpz_t bits, part;
    mpz_inits(bits, part, NULL);
    for (size_t i = 0; i < c->leaks; i++) {
        mpz_mul_ui(part, c->leak[i].times, mpz_sizeinbase(mpq_denref(c->leak[i].delta), 2));
        mpz_add(bits, bits, part);
    }
    bool fits = mpz_cmp_ui(bits, limit) <= 0;
    mpz_clears(bits, part, NULL);
    return fits;
}

/* num/den = prod over [from, to), by halves, so that large products meet large products */
static void keep_product(mpz_t num, mpz_t den, const composed *c, size_t from, size_t to)
{
    if (to - from == 1) {
        const composed_leak *l = &c->leak[from];
        unsigned long times = mpz_get_ui(l->times);
        mpz_sub(num, mpq_denref(l->delta), mpq_numref(l->delta));
        mpz_pow_ui(num, num, times);
        mpz_pow_ui(den, mpq_denref(l->delta), times);
        return;
    }
    mpz_t n, d;
    mpz_inits(n, d, NULL);
    size_t middle = from + (to - from) / 2;
    keep_product(num, den, c, from, middle);
    keep_product(n, d, c, middle, to);
    mpz_mul(num, num, n);
    mpz_mul(den, den, d);
    mpz_clears(n, d, NULL);
}

static bool leak_q(mpq_t out, const composed *c, unsigned long limit)
{
    if (c->certain_leak) {
        mpq_set_ui(out, 1, 1);
        return true;
    }
    if (!leak_fits(c, limit))
        return false;
    mpq_set_ui(out, 0, 1);
    if (c->leaks == 0)
        return true;
    keep_product(mpq_numref(out), mpq_denref(out), c, 0, c->leaks);
    mpz_sub(mpq_numref(out), mpq_denref(out), mpq_numref(out));
    mpq_canonicalize(out);
    return true;
}

bool composed_leak_q(mpq_t out, const composed *c)
{
    return leak_q(out, c, 65536);
}

/* ln D - ln(1 - delta), delta < 1 and no certain leak */
static bool leak_gap(logform *gap, const composed *c, const mpq_t delta)
{
    mpq_t times, keep;
    mpq_inits(times, keep, NULL);
    bool ok = true;
    for (size_t i = 0; ok && i < c->leaks; i++) {
        mpq_set_z(times, c->leak[i].times);
        mpq_set_ui(keep, 1, 1);
        mpq_sub(keep, keep, c->leak[i].delta);
        ok = logform_push_log(gap, times, keep);
    }
    mpq_set_ui(keep, 1, 1);
    mpq_sub(keep, keep, delta);
    mpq_set_si(times, -1, 1);
    ok = ok && logform_push_log(gap, times, keep);
    mpq_clears(times, keep, NULL);
    return ok;
}

bool composed_compare_leak(int *sign, const composed *c, const mpq_t delta)
{
    int below_one = -mpq_cmp_ui(delta, 1, 1);
    if (below_one <= 0 || c->certain_leak) { /* 1 - D is 1, or below a delta of at least 1 */
        *sign = c->certain_leak ? (below_one > 0) - (below_one < 0) : -1;
        return true;
    }
    logform gap;
    logform_init(&gap);
    int keep_sign = 0;
    bool ok = leak_gap(&gap, c, delta);
    /* (1 - D) - delta > 0 exactly when ln D < ln(1 - delta) */
    bool fits = leak_fits(c, EXACT_BITS);
    bool told = ok && (c->leaks <= FACTORED_LEAKS || !fits
                           ? logform_sign(&keep_sign, &gap, fits ? 512 : DECISION_BITS)
                           : logform_sign_apart(&keep_sign, &gap, 512));
    if (ok && !told) {
        mpq_t exact;
        mpq_init(exact);
        ok = leak_q(exact, c, EXACT_BITS);
        keep_sign = -mpq_cmp(exact, delta);
        mpq_clear(exact);
    }
    logform_clear(&gap);
    *sign = keep_sign > 0 ? -1 : keep_sign < 0 ? 1 : 0;
    return ok;
}

bool composed_half_square_q(mpq_t out, const composed *c)
{
    mpq_t part, times;
    mpq_inits(part, times, NULL);
    mpq_set_ui(out, 0, 1);
    bool ok = true;
    for (size_t i = 0; ok && i < c->losses; i++) {
        ok = !c->loss[i].epsilon.is_log;
        mpq_srcptr epsilon = number_rational(&c->loss[i].epsilon);
        mpq_mul(part, epsilon, epsilon);
        mpq_set_z(times, c->loss[i].times);
        mpq_mul(part, part, times);
        mpq_add(out, out, part);
    }
    mpq_div_2exp(out, out, 1);
    mpq_clears(part, times, NULL);
    return ok;
}

void composed_moment(mpfi_t out, const composed *c, const mpfi_t z)
{
    mpfr_prec_t bits = mpfi_get_prec(out);
    mpfi_t a, b, part, twice;
    mpfi_ptr all[] = {a, b, part, twice};
    for (size_t i = 0; i < 4; i++)
        mpfi_init2(all[i], bits);
    mpfi_mul_2ui(twice, z, 1);
    mpfi_add_ui(twice, twice, 1);
    mpfi_abs(twice, twice); /* |2z + 1| */
    mpfi_set_ui(out, 0);
    for (size_t i = 0; i < c->losses; i++) {
        if (limits_late(c->total.lim, i, mpfi_get_prec(b)))
            for (size_t k = 0; k < 3; k++)
                mpfi_set_prec(all[k], LATE_BITS);
        /* |a| - b + log1p(e^-2|a|) - log1p(e^-2b), b = eps/2, |a| = b |2z+1| */
        ival_set_number(b, &c->loss[i].epsilon);
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
        ival_mul_z(part, part, c->loss[i].times);
        mpfi_add(out, out, part);
    }
    for (size_t i = 0; i < 4; i++)
        mpfi_clear(all[i]);
}

void composed_sums_init(composed_sums *s, const composed *c, mpfr_prec_t bits)
{
    mpfi_ptr sum[] = {s->first, s->square, s->mean, s->growth};
    for (size_t i = 0; i < 4; i++) {
        mpfi_init2(sum[i], bits);
        mpfi_set_ui(sum[i], 0);
    }
    mpfi_t eps, once, part;
    mpfi_init2(eps, bits);
    mpfi_init2(once, bits);
    mpfi_init2(part, bits);
    for (size_t i = 0; i < c->losses; i++) {
        ival_set_number(eps, &c->loss[i].epsilon);
        ival_mul_z(once, eps, c->loss[i].times); /* t eps, a factor of every sum */
        mpfi_add(s->first, s->first, once);
        mpfi_mul(part, once, eps);
        mpfi_add(s->square, s->square, part);
        ival_tanh_half(part, eps);
        mpfi_mul(part, part, once);
        mpfi_add(s->mean, s->mean, part);
        mpfi_expm1(part, eps);
        mpfi_mul(part, part, once);
        mpfi_add(s->growth, s->growth, part);
    }
    mpfi_clear(part);
    mpfi_clear(once);
    mpfi_clear(eps);
}

void composed_sums_clear(composed_sums *s)
{
    mpfi_clear(s->first);
    mpfi_clear(s->square);
    mpfi_clear(s->mean);
    mpfi_clear(s->growth);
}
