/* SPDX-License-Identifier: MIT */
/* The table of queries, and names near a name that is not one. */
#include "document/table.h"

#include <string.h>

#include "core/quantity.h"
#include "document/commands.h"
#include "dpacct/dpacct.h"

const command *const query_commands[] = {QUERY_COMMANDS, NULL};

const command *command_in(const command *const *list, const char *name)
{
    for (; *list != NULL; list++)
        if (strcmp((*list)->name, name) == 0)
            return *list;
    return NULL;
}

const option *option_find(const command *c, const char *name)
{
    for (const option *o = c->options; o->of != NULL; o++)
        if (parameter_is_named(o->of, name) ||
            (o->other != NULL && parameter_same_name(o->other, name)) ||
            (o->other_letter != 0 && name[0] == o->other_letter && name[1] == '\0') ||
            (o->letter != 0 && name[0] == o->letter && name[1] == '\0'))
            return o;
    return NULL;
}

bool option_describes(const option *o)
{
    return (o->role == ROLE_PARAMETER || o->role == ROLE_RELATION) && o->of->kind != KIND_ITEM &&
           strcmp(o->of->name, "solve") != 0 && strncmp(o->of->name, "target-", 7) != 0;
}

#define NAME_MAX_LENGTH 40

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Edit distance with transpositions of neighbours; names beyond the limit are far from all. */
static size_t distance(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b);
    if (n > NAME_MAX_LENGTH || m > NAME_MAX_LENGTH)
        return NAME_MAX_LENGTH;
    size_t row[3][NAME_MAX_LENGTH + 1];
    for (size_t j = 0; j <= m; j++)
        row[0][j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t *now = row[i % 3], *last = row[(i + 2) % 3], *before = row[(i + 1) % 3];
        now[0] = i;
        for (size_t j = 1; j <= m; j++) {
            size_t change = last[j - 1] + (a[i - 1] != b[j - 1]);
            now[j] = least(change, least(last[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = least(now[j], before[j - 2] + 1);
        }
    }
    return row[n % 3][m];
}

typedef struct nearest {
    const char *name;
    size_t best;
} nearest;

static void consider(nearest *found, const char *wanted, const char *name)
{
    size_t d = distance(wanted, name);
    /* a third of the letters may differ, and at least one */
    if (d < found->best && d <= 1 + strlen(name) / 3) {
        found->best = d;
        found->name = name;
    }
}

const char *command_near(const command *const *list, const char *name)
{
    nearest found = {NULL, NAME_MAX_LENGTH};
    for (; *list != NULL; list++)
        consider(&found, name, (*list)->name);
    return found.name;
}

const char *option_nearest(const command *c, const char *name)
{
    nearest found = {NULL, NAME_MAX_LENGTH};
    for (const option *o = c->options; o->of != NULL; o++)
        consider(&found, name, o->of->name);
    return found.name;
}

const char *theorem_nearest(const char *id)
{
    nearest found = {NULL, NAME_MAX_LENGTH};
    for (size_t i = 0; i < dp_theorem_count(); i++)
        consider(&found, id, dp_theorem_at(i)->id);
    return found.name;
}

const domain *option_domain(const option *o)
{
    return parameter_domain(o->of);
}

const char *option_key(const option *o)
{
    return parameter_key(o->of);
}

bool option_is_in_force(const command *c, const option *o)
{
    return o->of->required || (o->of->preset != NULL && !names_hold(c->lapses, o->of->name));
}

bool option_may_be_stored(const option *o)
{
    return (o->role <= ROLE_CHECK && !o->single) || o->of->kind == KIND_DIGITS;
}
