/* SPDX-License-Identifier: MIT */
/* The types of mechanism that a list may hold: pairs of epsilon and delta, then the commands that
 * describe one. */
#include "document/item_types.h"

#include <string.h>

static const option approx_dp[] = {{.of = &item_epsilon}, {.of = &item_delta}, {NULL}};
static const option pure_dp[] = {{.of = &item_epsilon}, {NULL}};

const option item_uses = {.of = &item_times};

static const item_type pairs[] = {
    {ITEM_TYPE_PRESET, "(epsilon, delta)-DP, given what the earlier ones have answered", approx_dp,
     NULL},
    {"pure-dp", "(epsilon, 0)-DP, given what the earlier ones have answered", pure_dp, NULL},
};
#define PAIRS (sizeof pairs / sizeof *pairs)

bool item_type_at(item_type *t, size_t index)
{
    if (index < PAIRS) {
        *t = pairs[index];
        return true;
    }
    index -= PAIRS;
    for (size_t i = 0; query_commands[i] != NULL; i++) {
        const command *c = query_commands[i];
        if (c->describe != NULL && index-- == 0) {
            *t = (item_type){c->name, c->brief, c->options, c};
            return true;
        }
    }
    return false;
}

bool item_type_find(item_type *t, const char *name)
{
    for (size_t i = 0; item_type_at(t, i); i++)
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
        if (strcmp(o->of->name, name) == 0)
            return o;
    return NULL;
}

const char *const item_remarks[] = {"date", "owner", "note", "url", NULL};

bool item_is_remark(const char *key)
{
    for (size_t i = 0; item_remarks[i] != NULL; i++)
        if (strcmp(item_remarks[i], key) == 0)
            return true;
    return strncmp(key, ITEM_REMARK_PREFIX, strlen(ITEM_REMARK_PREFIX)) == 0;
}
