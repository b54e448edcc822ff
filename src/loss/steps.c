/* SPDX-License-Identifier: MIT */
/* Curves that are piecewise linear in e^x as laws with finitely many outcomes. */
#include "loss/steps.h"

#include "num/memory.h"

typedef struct law {
    discrete base; /* first: the functions of discrete.h take it for one */
    steps curve;   /* without its losses */
} law;

static void law_clear(void *self)
{
    law *l = self;
    l->curve.clear(l->curve.state);
    discrete_clear(&l->base);
    memory_free(l);
}

static const loss_ops steps_ops = DISCRETE_OPS("curve of steps", law_clear, false, NULL);
static const loss_ops symmetric_ops =
    DISCRETE_OPS("symmetric curve of steps", law_clear, true, NULL);

static const loss_ops *ops_of(const steps *curve)
{
    return curve->symmetric ? &symmetric_ops : &steps_ops;
}

static void enclose(outcome *out, const discrete *self, size_t j)
{
    const law *l = (const law *)self;
    l->curve.enclose(out, l->curve.state, j);
}

static law *find(const product *in, const steps *curve)
{
    for (size_t i = 0; curve->same != NULL && i < in->count; i++) {
        law *l = in->item[i].self;
        if (in->item[i].ops == ops_of(curve) && l->curve.enclose == curve->enclose &&
            curve->same(l->curve.state, curve->state))
            return l;
    }
    return NULL;
}

dp_status steps_add(product *to, const steps *curve, const mpz_t times)
{
    law *l = find(to, curve);
    if (l != NULL) {
        mpz_add(l->base.times, l->base.times, times);
        curve->clear(curve->state);
        return DP_OK;
    }
    l = memory_new(1, sizeof *l);
    if (l == NULL) {
        curve->clear(curve->state);
        return DP_MEMORY;
    }
    l->curve = *curve;
    l->curve.loss = NULL; /* theirs */
    if (!discrete_init(&l->base, curve->count, curve->loss != NULL, times)) {
        law_clear(l);
        return DP_MEMORY;
    }
    for (size_t j = 0; curve->loss != NULL && j < curve->count; j++)
        dp_number_set(&l->base.loss[j], &curve->loss[j]);
    l->base.enclose = enclose;
    l->base.closed = curve->closed;
    discrete_ready(&l->base);
    return product_take(to, (loss){ops_of(curve), l});
}
