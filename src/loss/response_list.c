/* SPDX-License-Identifier: MIT */
/* The canonical list of a composition: equal losses and leaks merged with their counts, in order,
 * with exact totals. */
#include "loss/response_list.h"

#include <stdlib.h>

#include "loss/known.h"
#include "num/ival.h"
#include "num/limits.h"
#include "num/memory.h"
#include "num/number.h"

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

static dp_status collect_losses(composed *c, const dp_item **order, size_t n)
{
    qsort(order, n, sizeof *order, by_epsilon);
    response *r = response_new(n);
    dp_status status = r != NULL ? DP_OK : DP_MEMORY;
    for (size_t i = 0; status == DP_OK && i < n; i++) {
        const dp_item *m = order[i];
        mpz_add(c->uses, c->uses, m->times);
        if (dp_number_sgn(&m->epsilon) > 0)
            status = response_push(r, &m->epsilon, m->times);
    }
    if (r != NULL && (status != DP_OK || r->losses == 0))
        response_ops.clear(r);
    else if (r != NULL)
        status = product_take(&c->product, response_law(r));
    if (status != DP_OK || c->product.count == 0)
        return status;
    c->response = r;
    c->loss = r->loss;
    c->losses = r->losses;
    mpz_set(c->lossy, r->uses);
    status = response_close(r);
    return status == DP_OK && logform_set(&c->total, &r->total) ? DP_OK : DP_MEMORY;
}

/* Equal ones stand together, so that nothing is searched for. */
static dp_status collect_leaks(composed *c, const dp_item **order, size_t n)
{
    qsort(order, n, sizeof *order, by_delta);
    product *p = &c->product;
    dp_status status = DP_OK;
    for (size_t i = 0; status == DP_OK && i < n; i++) {
        const dp_item *m = order[i];
        product_leak *last = p->leaks > 0 ? &p->leak[p->leaks - 1] : NULL;
        if (last != NULL && mpq_equal(last->delta, m->delta))
            mpz_add(last->times, last->times, m->times);
        else
            status = product_leak_push(p, m->delta, m->times);
    }
    c->leak = p->leak;
    c->leaks = p->leaks;
    c->certain_leak = p->certain_leak;
    return status;
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
    *c = (composed){0};
    product_init(&c->product);
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
    dp_status status = collect_losses(c, order, list->count);
    if (status == DP_OK)
        status = collect_leaks(c, order, list->count);
    if (status == DP_OK)
        status = add_known(c, list) ? DP_OK : DP_MEMORY;
    c->product.upper_only = c->above;
    memory_free(order);
    return status;
}

void composed_clear(composed *c)
{
    product_clear(&c->product);
    logform_clear(&c->total);
    logform_clear(&c->one_way);
    mpz_clears(c->uses, c->lossy, NULL);
}

void composed_log_keep(mpfi_t out, const composed *c)
{
    product_log_keep(out, &c->product);
}

bool composed_leak_q(mpq_t out, const composed *c)
{
    return product_leak_q(out, &c->product);
}

bool composed_compare_leak(int *sign, const composed *c, const mpq_t delta)
{
    return product_compare_leak(sign, &c->product, delta);
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
    if (c->response != NULL)
        response_moment(out, c->response, z, c->total.lim);
    else
        mpfi_set_ui(out, 0);
}

void composed_sum(mpfi_t out, const composed *c, composed_part part)
{
    mpfi_t eps, term;
    mpfi_init2(eps, mpfi_get_prec(out));
    mpfi_init2(term, mpfi_get_prec(out));
    mpfi_set_ui(out, 0);
    for (size_t i = 0; i < c->losses; i++) {
        ival_set_number(eps, &c->loss[i].epsilon);
        if (part == SUM_SQUARE)
            mpfi_set(term, eps);
        else if (part == SUM_MEAN)
            ival_tanh_half(term, eps);
        else if (part == SUM_GROWTH)
            mpfi_expm1(term, eps);
        ival_mul_z(eps, eps, c->loss[i].times);
        if (part != SUM_FIRST)
            mpfi_mul(eps, eps, term);
        mpfi_add(out, out, eps);
    }
    mpfi_clear(term);
    mpfi_clear(eps);
}

void composed_sums_init(composed_sums *s, const composed *c, mpfr_prec_t bits)
{
    mpfi_ptr sum[] = {s->first, s->square, s->mean, s->growth};
    for (size_t i = 0; i < 4; i++) {
        mpfi_init2(sum[i], bits);
        composed_sum(sum[i], c, (composed_part)i);
    }
}

void composed_sums_clear(composed_sums *s)
{
    mpfi_clear(s->first);
    mpfi_clear(s->square);
    mpfi_clear(s->mean);
    mpfi_clear(s->growth);
}
