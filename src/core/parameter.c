/* SPDX-License-Identifier: MIT */
/* What the row of a parameter says of its names, its domain and its choices. */
#include "core/parameter.h"

#include <string.h>

bool parameter_same_name(const char *a, const char *b)
{
    for (; *a != '\0' && *b != '\0'; a++, b++)
        if ((*a == '_' ? '-' : *a) != (*b == '_' ? '-' : *b))
            return false;
    return *a == *b;
}

const char *parameter_key(const parameter *p)
{
    return p->key != NULL ? p->key : p->name;
}

bool parameter_is_named(const parameter *p, const char *name)
{
    return parameter_same_name(p->name, name) || (p->key != NULL && strcmp(p->key, name) == 0);
}

const char *parameter_field(const parameter *p)
{
    if (p->field != NULL)
        return p->field;
    return strchr(p->name, '-') != NULL ? parameter_key(p) : p->name;
}

const domain *parameter_domain(const parameter *p)
{
    static const domain *const table[] = {
        [KIND_COUNT] = &domain_count,
        [KIND_LOSS] = &domain_loss,
        [KIND_PROBABILITY] = &domain_probability,
        [KIND_SLACK] = &domain_slack,
        [KIND_POSITIVE] = &domain_positive,
        [KIND_REAL] = &domain_real,
        [KIND_DIGITS] = &domain_digits,
        [KIND_LIST] = &domain_probability,
        [KIND_LIST_FILE] = &domain_probability,
        [KIND_TABLE_FILE] = &domain_votes,
        [KIND_TEXT] = NULL,
        [KIND_ITEM] = NULL,
    };
    return p->domain != NULL ? p->domain : table[p->kind];
}

size_t parameter_choices(const parameter *p)
{
    size_t count = p->choices != NULL;
    for (const char *c = p->choices; c != NULL && *c != '\0'; c++)
        count += *c == '|';
    return count;
}

bool parameter_choice(size_t *place, const parameter *p, const char *text)
{
    size_t n = strlen(text), index = 0;
    for (const char *c = p->choices; c != NULL; index++) {
        size_t length = strcspn(c, "|");
        if (length == n && memcmp(c, text, n) == 0) {
            *place = index;
            return true;
        }
        c = c[length] == '|' ? c + length + 1 : NULL;
    }
    return false;
}
