/* SPDX-License-Identifier: MIT */
/* The registry: the rows of every domain, found by number and by id. */
#include <stdint.h>
#include <string.h>

#include "core/bound.h"
#include "core/quantity.h"

static const bound *const *const domains[] = {
    sampling_rows, compose_rows, mechanism_rows, renyi_rows, learning_rows, vote_rows, attack_rows};
#define DOMAINS (sizeof domains / sizeof *domains)

/* The row of that number, or NULL; in *count how many stand before it. */
static const bound *row_at(size_t *count, size_t index)
{
    *count = 0;
    for (size_t d = 0; d < DOMAINS; d++)
        for (const bound *const *row = domains[d]; *row != NULL; row++, ++*count)
            if (*count == index)
                return *row;
    return NULL;
}

size_t dp_theorem_count(void)
{
    size_t count;
    row_at(&count, SIZE_MAX);
    return count;
}

const dp_theorem *dp_theorem_at(size_t index)
{
    size_t before;
    const bound *row = row_at(&before, index);
    return row != NULL ? &row->theorem : NULL;
}

const dp_theorem *dp_theorem_find(const char *id)
{
    if (id == NULL)
        return NULL;
    for (size_t d = 0; d < DOMAINS; d++)
        for (const bound *const *row = domains[d]; *row != NULL; row++)
            if (strcmp((*row)->theorem.id, id) == 0)
                return &(*row)->theorem;
    return NULL;
}

const char *dp_verdict_text(dp_verdict verdict)
{
    static const char *const text[] = {"exact", "proved", "unsound", "per-instance"};
    return (unsigned)verdict <= DP_PER_INSTANCE ? text[verdict] : "unknown";
}

bool bound_is_for(const bound *b, const char *question)
{
    return strcmp(b->theorem.family, question) == 0 || names_hold(b->also_for, question);
}

bool bound_gives(const bound *b, const char *name)
{
    for (size_t i = 0; i < BOUND_OUTPUTS && b->output[i] != NULL; i++)
        if (strcmp(b->output[i], name) == 0)
            return true;
    return names_hold(b->also, name) || (b->delta_of != NULL && strcmp(name, "delta") == 0);
}
