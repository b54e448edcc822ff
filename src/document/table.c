/* SPDX-License-Identifier: MIT */
/* Options and commands by their names, and the names near one that is not known. */
#include "document/table.h"

#include <string.h>

#include "core/quantity.h"
#include "document/elsewhere.h"
#include "dpacct/dpacct.h"

const command *command_in(const command *const *list, const char *name)
{
    for (; *list != NULL; list++)
        if (strcmp((*list)->name, name) == 0)
            return *list;
    return NULL;
}

static bool is_letter(const option *o, char c)
{
    return c != '\0' && (c == o->letter || c == o->other_letter);
}

const option *option_find(const command *c, const char *name)
{
    for (const option *o = c->options; o->of != NULL; o++) {
        bool begins = o->of->name[0] == name[0] || (o->of->key != NULL && o->of->key[0] == name[0]);
        if ((begins && parameter_is_named(o->of, name)) ||
            (o->other != NULL && parameter_same_name(o->other, name)) ||
            (is_letter(o, name[0]) && name[1] == '\0'))
            return o;
    }
    return NULL;
}

bool option_describes(const option *o)
{
    return (o->role == ROLE_PARAMETER || o->role == ROLE_RELATION) && o->of->kind != KIND_ITEM &&
           strcmp(o->of->name, "solve") != 0 && strncmp(o->of->name, "target-", 7) != 0;
}

bool command_near(char to[NEAR_ROOM], const command *const *list, const char *name)
{
    near_names n;
    near_begin(&n, name);
    for (; *list != NULL; list++)
        near_try(&n, (*list)->name);
    return near_say(to, &n, "'", "'");
}

/* The name with each word "eps" in it as "epsilon"; false: there is none, or no room. */
static bool write_out(char to[NEAR_ROOM], const char *name)
{
    size_t used = 0, words = 0;
    for (const char *at = name; *at != '\0' && used + 8 < NEAR_ROOM; at++) {
        bool begins = at == name || at[-1] == '-' || at[-1] == '_';
        if (begins && strncmp(at, "eps", 3) == 0 && (at[3] == '\0' || strchr("-_", at[3]))) {
            strcpy(to + used, "epsilon");
            used += strlen("epsilon");
            at += 2;
            words++;
        } else
            to[used++] = *at;
    }
    to[used] = '\0';
    return words > 0 && used + 8 < NEAR_ROOM;
}

static bool is_option_of(const command *c, const char *name)
{
    for (const option *o = c->options; o->of != NULL; o++)
        if (parameter_same_name(o->of->name, name))
            return true;
    return false;
}

static bool is_option_of_any(const command *const *list, const char *name)
{
    for (const command *const *c = list; *c != NULL; c++)
        if (is_option_of(*c, name))
            return true;
    return false;
}

bool option_near(char to[NEAR_ROOM], const command *c, const command *const *list, const char *name,
                 bool key)
{
    const char *before = key ? "\"" : "--", *after = key ? "\"" : "";
    char whole[NEAR_ROOM];
    near_names n;
    if (write_out(whole, name)) {
        name = whole;
        if (is_option_of(c, name)) {
            near_begin(&n, name);
            near_is(&n, option_find(c, name)->of->name);
            return near_say(to, &n, before, after);
        }
    }
    near_begin(&n, name);
    const char *here;
    for (size_t i = 0; elsewhere_next(&here, &i, name);) {
        const option *o = option_find(c, here);
        if (o != NULL)
            near_is(&n, key ? option_key(o) : o->of->name);
    }
    if (n.beginning > 0)
        return near_say(to, &n, before, after);
    n.known = is_option_of_any(list, name);
    for (const option *o = c->options; o->of != NULL; o++) {
        near_try(&n, key ? option_key(o) : o->of->name);
        if (key && !parameter_same_name(option_key(o), o->of->name))
            near_try(&n, o->of->name);
    }
    return near_say(to, &n, before, after);
}

bool theorem_near(char to[NEAR_ROOM], const char *id)
{
    near_names n;
    near_begin(&n, id);
    for (size_t i = 0; i < dp_theorem_count(); i++)
        near_try(&n, dp_theorem_at(i)->id);
    return near_say(to, &n, "'", "'");
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
