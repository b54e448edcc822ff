/* SPDX-License-Identifier: MIT */
/* Notes about items: a list owned by the composition, the newest first, with numbers of its own.
 * Notes have stable addresses, because a dp_bagging points into its own. */
#include "loss/known.h"

#include "core/uses.h"
#include "num/memory.h"

static void copy_bagging(dp_known *to, const dp_bagging *b)
{
    to->b = (dp_bagging){
        .sampling = b->sampling, .adjacency = b->adjacency, .base_adjacency = b->base_adjacency};
    mpz_init_set(to->b.dataset_size, b->dataset_size);
    mpz_init_set(to->b.subsample_size, b->subsample_size);
    mpz_init_set(to->b.models, b->models);
    mpq_inits(to->b.sampling_rate, to->b.base_delta, NULL);
    mpq_set(to->b.sampling_rate, b->sampling_rate);
    mpq_set(to->b.base_delta, b->base_delta);
    dp_number_init(&to->base_epsilon);
    if (b->base_epsilon != NULL) {
        dp_number_set(&to->base_epsilon, b->base_epsilon);
        to->b.base_epsilon = &to->base_epsilon;
    }
}

dp_status known_add(dp_composition *c, known_kind kind, const known_ops *ops, const dp_bagging *b,
                    const mpz_t releases)
{
    dp_known *k = memory_new(1, sizeof *k);
    if (k == NULL)
        return DP_MEMORY;
    k->next = c->known;
    k->ops = ops;
    k->item = c->count - 1;
    k->kind = kind;
    copy_bagging(k, b);
    mpz_init_set(k->releases, releases);
    k->law = kind != KNOWN_ATTAINED && ops->has_law(k);
    c->known = k;
    return DP_OK;
}

const dp_known **known_index(const dp_composition *c)
{
    const dp_known **of = memory_zero(c->count + 1, sizeof *of);
    for (const dp_known *k = c->known; of != NULL && k != NULL; k = k->next)
        of[k->item] = k;
    return of;
}

bool known_has_law(const dp_known *k)
{
    return k != NULL && k->law;
}

/* Is something spent but leaks? */
static bool has_losses(const dp_composition *c)
{
    bool some = uses_count(c) > 0;
    for (const dp_known *k = c->known; !some && k != NULL; k = k->next)
        some = k->kind == KNOWN_ABOVE;
    for (size_t i = 0; !some && i < c->count; i++)
        some = dp_number_sgn(&c->item[i].epsilon) > 0;
    return some;
}

bool known_has_laws(const dp_composition *c)
{
    bool leaks = false;
    for (const dp_known *k = c->known; k != NULL; k = k->next) {
        if (k->kind == KNOWN_ABOVE && k->law)
            return true;
        leaks = leaks || k->law;
    }
    return leaks && has_losses(c);
}

bool known_all_laws(const dp_composition *c)
{
    for (const dp_known *k = c->known; k != NULL; k = k->next)
        if (k->kind == KNOWN_ABOVE && !k->law)
            return false;
    return true;
}

dp_status known_append_whole(dp_composition *to, const dp_composition *from, const mpz_t times)
{
    size_t first = to->count;
    dp_status status = DP_OK;
    mpz_t uses;
    mpz_init(uses);
    for (size_t i = 0; status == DP_OK && i < from->count; i++) {
        mpz_mul(uses, from->item[i].times, times);
        status = dp_composition_add(to, &from->item[i].epsilon, from->item[i].delta, uses, NULL);
    }
    for (const dp_known *k = from->known; status == DP_OK && k != NULL; k = k->next) {
        mpz_mul(uses, k->releases, times);
        status = known_add(to, k->kind, k->ops, &k->b, uses);
        if (status == DP_OK)
            to->known->item = first + k->item;
    }
    mpz_clear(uses);
    return status == DP_OK ? uses_append(to, from, times) : status;
}

dp_status known_single(dp_composition *to, const dp_composition *from)
{
    mpz_t uses;
    mpz_init_set_ui(uses, 1);
    if (uses_count(from) > 0) {
        dp_status added = uses_add(to, from->uses->use[0].mechanism, uses);
        mpz_clear(uses);
        return added;
    }
    const dp_item *m = &from->item[0];
    const dp_known *k = from->known;
    if (k != NULL)
        mpz_divexact(uses, m->times, k->releases);
    dp_status status = dp_composition_add(to, &m->epsilon, m->delta, uses, NULL);
    mpz_set_ui(uses, 1);
    if (status == DP_OK && k != NULL)
        status = known_add(to, k->kind, k->ops, &k->b, uses);
    mpz_clear(uses);
    return status;
}
