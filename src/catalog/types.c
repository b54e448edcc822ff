/* SPDX-License-Identifier: MIT */
/* The table of mechanism types, each room's array after the other, and how one enters a list. */
#include "catalog/types.h"

#include "core/result.h"
#include "num/domain.h"

static const mechanism_type *const *const rooms[] = {mechanism_types, vote_types};

const mechanism_type *mechanism_type_at(size_t i)
{
    for (size_t room = 0; room < sizeof rooms / sizeof *rooms; room++)
        for (const mechanism_type *const *t = rooms[room]; *t != NULL; t++)
            if (i-- == 0)
                return *t;
    return NULL;
}

const mechanism_type *mechanism_type_find(const char *name)
{
    const mechanism_type *t;
    for (size_t i = 0; (t = mechanism_type_at(i)) != NULL; i++)
        if (parameter_same_name(t->name, name))
            return t;
    return NULL;
}

/* As an item, where its type knows no more of it. */
static dp_status enter_item(bool *done, dp_composition *list, const dp_mechanism *m,
                            const mpz_t times, dp_error *err)
{
    dp_number epsilon;
    mpq_t delta;
    dp_number_init(&epsilon);
    mpq_init(delta);
    *done = m->type->item(&epsilon, delta, m);
    dp_status status = *done ? dp_composition_add(list, &epsilon, delta, times, err) : DP_OK;
    mpq_clear(delta);
    dp_number_clear(&epsilon);
    return status;
}

dp_status account_enter(dp_composition *list, dp_mechanism *m, const mpz_t times, dp_error *err)
{
    const mechanism_type *t = m->type;
    dp_status status = mechanism_complete(m, err);
    const char *fault = domain_fault_z(&domain_count, times);
    if (status == DP_OK && fault != NULL)
        status = fail(err, DP_DOMAIN, "times", fault);
    if (status == DP_OK && (t->relations >> list->adjacency & 1) == 0)
        status = fail(err, DP_DOMAIN, "adjacency",
                      t->elsewhere != NULL ? t->elsewhere
                                           : "is not one that this mechanism has a statement for");
    bool done = false;
    if (status == DP_OK && t->item != NULL)
        status = enter_item(&done, list, m, times, err);
    if (status != DP_OK || done)
        return status;
    status = uses_add(list, m, times);
    return status == DP_OK ? DP_OK : fail(err, status, NULL, dp_status_text(status));
}
