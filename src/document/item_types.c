/* SPDX-License-Identifier: MIT */
/* The types of mechanism that a list may hold: pairs of epsilon and delta, the types of the
 * catalog, then the commands that describe one. */
#include "document/item_types.h"

#include <stdio.h>
#include <string.h>

#include "catalog/types.h"
#include "compose/parameters.h"
#include "document/elsewhere.h"

static const option approx_dp[] = {{.of = &item_epsilon}, {.of = &item_delta}, {NULL}};
static const option pure_dp[] = {{.of = &item_epsilon}, {NULL}};

const option item_uses = {.of = &item_times};

static const item_type pairs[] = {
    {ITEM_TYPE_PRESET,
     "(epsilon, delta)-DP, given what the earlier ones have answered",
     approx_dp,
     NULL,
     false,
     NULL,
     {{0}}},
    {"pure-dp",
     "(epsilon, 0)-DP, given what the earlier ones have answered",
     pure_dp,
     NULL,
     false,
     NULL,
     {{0}}},
};
#define PAIRS (sizeof pairs / sizeof *pairs)

static bool is_pair(const char *name)
{
    for (size_t i = 0; i < PAIRS; i++)
        if (strcmp(pairs[i].name, name) == 0)
            return true;
    return false;
}

void item_type_of_mechanism(item_type *t, const mechanism_type *type)
{
    *t = (item_type){.name = type->name, .brief = type->brief, .type = type};
    for (size_t i = 0; i < ITEM_FIELDS && type->parameters[i] != NULL; i++)
        t->own[i].of = type->parameters[i];
    t->fields = t->own;
}

static const option partition[] = {{.of = &cells_partition}, {NULL}};

const item_type item_parallel = {
    .name = ITEM_PARALLEL,
    .brief = "mechanisms about groups of disjoint data, a list for each group",
    .fields = partition,
    .cells = true,
};

void item_type_of_command(item_type *t, const command *c)
{
    *t = (item_type){.name = c->name, .brief = c->brief, .fields = c->options, .command = c};
}

bool item_type_is_described(const item_type *t)
{
    return t->cells || t->command != NULL || t->type != NULL;
}

bool item_type_at(item_type *t, const command *const *queries, size_t index)
{
    if (index < PAIRS) {
        *t = pairs[index];
        return true;
    }
    index -= PAIRS;
    const mechanism_type *type;
    for (size_t i = 0; (type = mechanism_type_at(i)) != NULL; i++)
        if (!is_pair(type->name) && index-- == 0) {
            item_type_of_mechanism(t, type);
            return true;
        }
    if (index-- == 0) {
        *t = item_parallel;
        return true;
    }
    for (size_t i = 0; queries[i] != NULL; i++) {
        const command *c = queries[i];
        if (c->describe != NULL && index-- == 0) {
            item_type_of_command(t, c);
            return true;
        }
    }
    return false;
}

bool item_type_find(item_type *t, const command *const *queries, const char *name)
{
    for (size_t i = 0; item_type_at(t, queries, i); i++)
        if (strcmp(t->name, name) == 0)
            return true;
    return false;
}

const option *item_type_field(const item_type *t, const char *name)
{
    if (t->command != NULL) {
        const option *o = option_find(t->command, name);
        return o != NULL && option_describes(o) ? o : NULL;
    }
    for (const option *o = t->fields; o->of != NULL; o++)
        if (parameter_is_named(o->of, name))
            return o;
    return NULL;
}

static void try_fields(near_names *n, const item_type *t)
{
    for (const option *o = t->fields; o->of != NULL; o++)
        if (t->command == NULL || option_describes(o)) {
            near_try(n, option_key(o));
            if (!parameter_same_name(option_key(o), o->of->name))
                near_try(n, o->of->name);
        }
}

/* The fields of every entry. */
static bool say_near(char to[NEAR_ROOM], near_names *n)
{
    static const char *const common[] = {"name", "mechanism"};
    for (size_t i = 0; i < sizeof common / sizeof *common; i++)
        near_try(n, common[i]);
    near_try(n, option_key(&item_uses));
    for (size_t i = 0; item_remarks[i] != NULL; i++)
        near_try(n, item_remarks[i]);
    return near_say(to, n, "\"", "\"");
}

bool item_field_near(char to[NEAR_ROOM], const item_type *t, const char *name)
{
    near_names n;
    near_begin(&n, name);
    const char *here;
    for (size_t i = 0; elsewhere_next(&here, &i, name);) {
        const option *o = item_type_field(t, here);
        if (o != NULL || parameter_is_named(item_uses.of, here))
            near_is(&n, option_key(o != NULL ? o : &item_uses));
    }
    if (n.beginning > 0)
        return near_say(to, &n, "\"", "\"");
    try_fields(&n, t);
    if (t->cells)
        near_try(&n, ITEM_CELLS);
    return say_near(to, &n);
}

bool item_any_near(char to[NEAR_ROOM], const command *const *queries, const char *name)
{
    item_type t;
    near_names n;
    near_begin(&n, name);
    const char *here;
    for (size_t i = 0; elsewhere_next(&here, &i, name);)
        for (size_t j = 0; n.beginning == 0 && item_type_at(&t, queries, j); j++)
            if (item_type_field(&t, here) != NULL)
                near_is(&n, here);
    if (n.beginning > 0)
        return near_say(to, &n, "\"", "\"");
    for (size_t i = 0; item_type_at(&t, queries, i); i++)
        try_fields(&n, &t);
    return say_near(to, &n);
}

bool item_type_near(char to[NEAR_ROOM], const command *const *queries, const char *name)
{
    char known[NEAR_ROOM];
    item_type t;
    near_names n;
    const char *here = elsewhere_type(name);
    if (here != NULL)
        return snprintf(to, NEAR_ROOM, "%s", here) > 0;
    near_begin(&n, name);
    for (size_t i = 0; item_type_at(&t, queries, i); i++)
        (elsewhere_same_type(name, t.name) ? near_is : near_try)(&n, t.name);
    if (!near_say(known, &n, "'", "'"))
        return false;
    snprintf(to, NEAR_ROOM, "did you mean %.200s?", known);
    return true;
}

const char *const item_remarks[] = {"date", "owner", "note", "url", NULL};

bool item_is_remark(const char *key)
{
    for (size_t i = 0; item_remarks[i] != NULL; i++)
        if (item_remarks[i][0] == key[0] && strcmp(item_remarks[i], key) == 0)
            return true;
    return strncmp(key, ITEM_REMARK_PREFIX, strlen(ITEM_REMARK_PREFIX)) == 0;
}
