/* SPDX-License-Identifier: MIT */
/* A mechanism by its own options: --of TYPE and what follows, as the text of an item. */
#include "cli/argv.h"

#include <stdio.h>
#include <string.h>

#include "document/item_types.h"
#include "num/memory.h"

/* The field of the type that the word names, or NULL; *text = what is attached to it. */
static const option *field_of(const item_type *t, const char *word, const char **text)
{
    *text = NULL;
    if (word[0] != '-' || word[1] == '\0' || strcmp(word, "--") == 0)
        return NULL;
    bool is_long = word[1] == '-';
    const char *name = word + (is_long ? 2 : 1), *equals = is_long ? strchr(name, '=') : NULL;
    size_t n = equals != NULL ? (size_t)(equals - name) : is_long ? strlen(name) : 1;
    char own[64];
    if (n >= sizeof own)
        return NULL;
    memcpy(own, name, n);
    own[n] = '\0';
    if (equals != NULL)
        *text = equals + 1;
    else if (!is_long && name[1] != '\0')
        *text = name + 1;
    const option *o = item_type_field(t, own);
    if (o == NULL && is_long && strcmp(own, item_uses.of->name) == 0)
        return &item_uses;
    if (o != NULL && o->role == ROLE_RELATION)
        return NULL; /* that of the question */
    if (o != NULL && !is_long && o->letter != own[0] && o->other_letter != own[0])
        return NULL; /* a key of one letter */
    return o;
}

static bool missing(const option *o, fault *f)
{
    char where[80];
    snprintf(where, sizeof where, "--%s", o->of->name);
    fault_set(f, where, "needs a value");
    return false;
}

/* Appends name=value, or keeps the times. */
static bool append(char *made, size_t size, const char **times, size_t *fields, const option *o,
                   const char *text, fault *f)
{
    if (o == &item_uses) {
        *times = text;
        return true;
    }
    size_t used = strlen(made);
    int n = snprintf(made + used, size - used, "%c%s=%s", *fields == 0 ? ':' : ',', option_key(o),
                     text);
    ++*fields;
    if (n >= 0 && (size_t)n < size - used)
        return true;
    fault_set(f, "--of", "is too long: give it as a ledger");
    return false;
}

bool argv_of(args *a, const option *of, const char *type, int count, char **word, int *next,
             fault *f)
{
    item_type t;
    if (strpbrk(type, ":,") != NULL || !item_type_find(&t, a->queries, type))
        return args_set(a, of, type, f);
    char made[4096];
    const char *times = NULL;
    size_t fields = 0;
    bool ok = true;
    snprintf(made, sizeof made, "%s", type);
    while (ok && *next < count) {
        const char *text;
        const option *o = field_of(&t, word[*next], &text);
        if (o == NULL)
            break;
        ++*next;
        if (text == NULL && o->of->kind == KIND_FLAG)
            text = "true";
        else if (text == NULL && *next == count)
            return missing(o, f);
        else if (text == NULL)
            text = word[(*next)++];
        ok = append(made, sizeof made, &times, &fields, o, text, f);
    }
    if (ok && fields == 0) {
        fault_set(f, "--of", "'%s' needs its options behind it, as in --of gaussian --sigma 2",
                  type);
        ok = false;
    }
    size_t used = strlen(made);
    if (ok && times != NULL &&
        snprintf(made + used, sizeof made - used, "x%s", times) >= (int)(sizeof made - used)) {
        fault_set(f, "--of", "is too long: give it as a ledger");
        ok = false;
    }
    return ok && args_set(a, of, made, f);
}
