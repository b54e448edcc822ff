/* SPDX-License-Identifier: MIT */
/* A list of laws and leaks; each law is owned by it. */
#include "loss/product.h"

#include "num/memory.h"

void product_init(product *p)
{
    *p = (product){0};
}

void product_clear(product *p)
{
    for (size_t i = 0; i < p->count; i++)
        p->item[i].ops->clear(p->item[i].self);
    for (size_t i = 0; i < p->leaks; i++) {
        mpq_clear(p->leak[i].delta);
        mpz_clear(p->leak[i].times);
    }
    memory_free(p->item);
    memory_free(p->leak);
    product_init(p);
}

dp_status product_take(product *p, loss law)
{
    if (p->count == p->room) {
        size_t room = p->room == 0 ? 4 : 2 * p->room;
        loss *grown = memory_grow(p->item, room, sizeof *grown);
        if (grown == NULL) {
            law.ops->clear(law.self);
            return DP_MEMORY;
        }
        p->item = grown;
        p->room = room;
    }
    p->item[p->count++] = law;
    return DP_OK;
}

loss *product_find(const product *p, const loss_ops *ops)
{
    for (size_t i = 0; i < p->count; i++)
        if (p->item[i].ops == ops)
            return &p->item[i];
    return NULL;
}

void *product_own(product *p, const loss_ops *ops, size_t size)
{
    const loss *held = product_find(p, ops);
    if (held != NULL)
        return held->self;
    void *made = memory_zero(1, size);
    return made != NULL && product_take(p, (loss){ops, made}) == DP_OK ? made : NULL;
}

dp_status product_leak_push(product *p, const mpq_t delta, const mpz_t times)
{
    if (mpq_sgn(delta) == 0)
        return DP_OK;
    if (mpq_cmp_ui(delta, 1, 1) == 0) {
        p->certain_leak = true;
        return DP_OK;
    }
    if (p->leaks == p->leak_room) {
        size_t room = p->leak_room == 0 ? 4 : 2 * p->leak_room;
        product_leak *grown = memory_grow(p->leak, room, sizeof *grown);
        if (grown == NULL)
            return DP_MEMORY;
        p->leak = grown;
        p->leak_room = room;
    }
    product_leak *last = &p->leak[p->leaks++];
    mpq_init(last->delta);
    mpq_set(last->delta, delta);
    mpz_init_set(last->times, times);
    return DP_OK;
}

dp_status product_leak_add(product *p, const mpq_t delta, const mpz_t times)
{
    for (size_t i = 0; i < p->leaks; i++)
        if (mpq_equal(p->leak[i].delta, delta)) {
            mpz_add(p->leak[i].times, p->leak[i].times, times);
            return DP_OK;
        }
    return product_leak_push(p, delta, times);
}
