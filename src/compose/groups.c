/* SPDX-License-Identifier: MIT */
/* Lists for groups of records. What is known by (epsilon, delta) alone becomes the exact curve of
 * its groups; other mechanisms have a theorem of their own, or none. */
#include "core/door.h"
#include "core/mechanism.h"
#include "loss/cells.h"
#include "loss/known.h"
#include "loss/steps.h"
#include "num/memory.h"
#include "num/number.h"

/* ---- groups of an (epsilon, delta)-DP mechanism, epsilon > 0: no type that can be named ---- */

static dp_status attained_pair(struct product *to, const dp_mechanism *m, const mpz_t times,
                               direction way, dp_end end)
{
    (void)way; /* the curve is symmetric */
    return steps_group_add(
        to, mechanism_number(m, "epsilon"), number_rational(mechanism_number(m, "delta")),
        mpz_get_ui(number_integer(mechanism_number(m, "group-size"))), end, times);
}

/* The mechanism is better than its (epsilon, delta). */
static dp_status bounding_pair(struct product *to, const dp_mechanism *m, const mpz_t times,
                               direction way, dp_end end)
{
    to->upper_only = true;
    return attained_pair(to, m, times, way, end);
}

static const parameter *const parameters[] = {&item_epsilon, &item_delta, &list_group_size, NULL};

static const mechanism_type attained_group = {
    .name = "group",
    .brief = "groups of an (epsilon, delta)-DP mechanism",
    .parameters = parameters,
    .relations = RELATION(ADD_REMOVE) | RELATION(REPLACE_ONE),
    .pair = attained_pair,
};

static const mechanism_type bounding_group = {
    .name = "group",
    .brief = "groups of a mechanism that is better than its (epsilon, delta)",
    .parameters = parameters,
    .relations = RELATION(ADD_REMOVE) | RELATION(REPLACE_ONE),
    .pair = bounding_pair,
};

static dp_mechanism *group_mechanism(const mechanism_type *type, const dp_number *epsilon,
                                     const mpq_t delta, const mpz_t size)
{
    dp_mechanism *m = mechanism_new(type);
    bool ok = m != NULL;
    value_fault f;
    for (size_t i = 0; ok && i < m->count; i++)
        ok = value_set(&m->given[i], "1", &f) == DP_OK; /* then its number is another one */
    if (!ok) {
        mechanism_free(m);
        return NULL;
    }
    mpq_t whole;
    mpq_init(whole);
    mpq_set_z(whole, size);
    dp_number_set(&mechanism_value(m, "epsilon")->number, epsilon);
    mechanism_set_q(m, "delta", delta);
    mechanism_set_q(m, "group-size", whole);
    mpq_clear(whole);
    return m;
}

/* Is the curve one that can be formed? */
static dp_status try_pair(const dp_mechanism *m)
{
    product p;
    mpz_t one;
    product_init(&p);
    mpz_init_set_ui(one, 1);
    dp_status status = m->type->pair(&p, m, one, FORWARD, DP_UPPER);
    mpz_clear(one);
    product_clear(&p);
    return status;
}

static dp_status add_group(dp_composition *to, const mechanism_type *type, const dp_number *epsilon,
                           const mpq_t delta, const mpz_t times, const mpz_t size, dp_error *err)
{
    if (mpz_cmp_ui(size, STEPS_MOST_GROUP) > 0)
        return fail(err, DP_UNAVAILABLE, "group_size",
                    "is above 1000: groups that large have no curve here for mechanisms known by "
                    "epsilon and delta");
    dp_mechanism *m = group_mechanism(type, epsilon, delta, size);
    dp_status status = m != NULL ? try_pair(m) : DP_MEMORY;
    if (status == DP_OK)
        status = uses_add(to, m, times);
    mechanism_free(m);
    if (status == DP_OK || status == DP_MEMORY)
        return status == DP_OK ? DP_OK : fail(err, status, NULL, dp_status_text(status));
    return fail(err, status, "group_size",
                status == DP_UNAVAILABLE ? "times an epsilon of the list is too large"
                                         : "meets a tie in the curve of the groups of a mechanism");
}

/* epsilon = 0: min(1, k delta); delta = 1 stays. Both are items, which some mechanism attains. */
static dp_status add_item(dp_composition *to, const dp_number *epsilon, const mpq_t delta,
                          const mpz_t times, const mpz_t size, dp_error *err)
{
    if (dp_number_sgn(epsilon) > 0 && mpq_cmp_ui(delta, 1, 1) < 0)
        return add_group(to, &attained_group, epsilon, delta, times, size, err);
    mpq_t grown, one;
    mpq_inits(grown, one, NULL);
    mpq_set_ui(one, 1, 1);
    mpq_set_z(grown, size);
    mpq_mul(grown, grown, delta);
    dp_status status =
        dp_composition_add(to, epsilon, mpq_cmp(grown, one) < 0 ? grown : one, times, err);
    mpq_clears(grown, one, NULL);
    return status;
}

static dp_status add_bound(dp_composition *to, const dp_use *u, const mpz_t size, dp_error *err)
{
    dp_number epsilon;
    mpq_t delta;
    dp_number_init(&epsilon);
    mpq_init(delta);
    u->mechanism->type->within(&epsilon, delta, u->mechanism);
    dp_status status = dp_number_sgn(&epsilon) > 0 && mpq_cmp_ui(delta, 1, 1) < 0
                           ? add_group(to, &bounding_group, &epsilon, delta, u->times, size, err)
                           : add_item(to, &epsilon, delta, u->times, size, err);
    mpq_clear(delta);
    dp_number_clear(&epsilon);
    return status;
}

static dp_status add_use(dp_composition *to, const dp_use *u, const mpz_t size, dp_error *err)
{
    const mechanism_type *type = u->mechanism->type;
    if (type->group == NULL && type->within != NULL)
        return add_bound(to, u, size, err);
    dp_mechanism *copy = type->group != NULL ? mechanism_copy(u->mechanism) : NULL;
    dp_status status = type->group == NULL ? DP_UNAVAILABLE
                       : copy == NULL      ? DP_MEMORY
                                           : type->group(copy, size);
    if (status == DP_OK)
        status = uses_add(to, copy, u->times);
    mechanism_free(copy);
    if (status == DP_UNAVAILABLE)
        return fail(err, status, type->name,
                    "has no theorem for groups of records with these parameters; give what is "
                    "known of it for groups as a mechanism, without a group size");
    return status == DP_OK ? DP_OK : fail(err, status, NULL, dp_status_text(status));
}

static dp_status add_all(dp_composition *to, const dp_composition *from, const mpz_t size,
                         dp_error *err)
{
    dp_status status = DP_OK;
    if (from->known != NULL)
        return fail(err, DP_UNAVAILABLE, "bagging",
                    "has no theorem for groups of records here: its items are about one record");
    for (size_t i = 0; status == DP_OK && i < from->count; i++)
        status = add_item(to, &from->item[i].epsilon, from->item[i].delta, from->item[i].times,
                          size, err);
    for (size_t i = 0; status == DP_OK && i < uses_count(from); i++)
        status = add_use(to, &from->uses->use[i], size, err);
    if (status != DP_OK)
        return status;
    status = cells_append_groups(to, from, size);
    return status == DP_OK            ? DP_OK
           : status == DP_UNAVAILABLE ? fail(err, status, "group_size", "is above 10^9 for cells")
                                      : fail(err, status, NULL, dp_status_text(status));
}

dp_status dp_composition_for_groups(dp_composition *to, const dp_composition *from,
                                    const mpz_t size, dp_error *err)
{
    size_t before = memory_failures();
    const given all[] = {{&list_group_size, .z = size}};
    dp_status status = door_pointer("to", to, err);
    if (status == DP_OK)
        status = door_pointer("group_size", size, err);
    if (status == DP_OK)
        status = door_cells("from", from, err);
    if (status == DP_OK)
        status = DOOR_GIVEN(all, err);
    if (status == DP_OK && (to == from || !list_is_empty(to)))
        status = fail(err, DP_DOMAIN, "to", "must be another list, and empty");
    if (status != DP_OK)
        return status;
    to->adjacency = from->adjacency;
    if (mpz_cmp_ui(size, 1) != 0)
        status = add_all(to, from, size, err);
    else if ((status = known_append(to, from, size)) != DP_OK)
        fail(err, status, NULL, dp_status_text(status));
    if (memory_failures() != before)
        status = fail(err, DP_MEMORY, NULL, dp_status_text(DP_MEMORY));
    if (status != DP_OK) {
        dp_composition_clear(to);
        dp_composition_init_under(to, from->adjacency);
    }
    return status;
}
