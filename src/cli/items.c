/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/args.h"

static void *grow(void *list, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return list;
    size_t wanted = *room == 0 ? 16 : 2 * *room;
    void *grown = realloc(list, wanted * size);
    if (grown != NULL)
        *room = wanted;
    return grown;
}

static bool read_part(dp_number *x, const char *where, const char *name, const char *text, fault *f)
{
    dp_error err;
    if (dp_number_parse(x, text, strlen(text), &err) == DP_OK)
        return true;
    fault_set(f, where, "%s '%s' %s", name, strlen(text) <= 60 ? text : "(a long literal)",
              err.message);
    return false;
}

static bool add_parsed(args *a, const dp_number *epsilon, const dp_number *delta,
                       const dp_number *times, const char *where, fault *f)
{
    dp_error err = {DP_DOMAIN, "delta", "must be a number from 0 to 1, such as 1e-5"};
    dp_status status = DP_DOMAIN;
    if (times->is_log || mpz_cmp_ui(mpq_denref(times->value), 1) != 0)
        err = (dp_error){DP_DOMAIN, "times", "must be a positive integer, such as 35 or 10^9"};
    else if (!delta->is_log)
        status = dp_composition_add(&a->composition, epsilon, delta->value,
                                    mpq_numref(times->value), &err);
    if (status != DP_OK)
        fault_set(f, where, "%s %s", err.argument, err.message);
    return status == DP_OK;
}

bool args_add_item(args *a, item it, fault *f)
{
    char where[80];
    snprintf(where, sizeof where, "mechanism %zu", a->item_count + 1);
    item *items = grow(a->items, a->item_count, &a->item_room, sizeof *items);
    if (items == NULL) {
        fault_set(f, where, "out of memory");
        return false;
    }
    a->items = items;
    dp_number epsilon, delta, times;
    dp_number_init(&epsilon);
    dp_number_init(&delta);
    dp_number_init(&times);
    dp_number_set_ui(&times, 1);
    bool ok = false;
    if (it.epsilon == NULL)
        fault_set(f, where, "epsilon is missing");
    else
        ok = read_part(&epsilon, where, "epsilon", it.epsilon, f) &&
             (it.delta == NULL || read_part(&delta, where, "delta", it.delta, f)) &&
             (it.times == NULL || read_part(&times, where, "times", it.times, f)) &&
             add_parsed(a, &epsilon, &delta, &times, where, f);
    if (ok)
        a->items[a->item_count++] = it;
    dp_number_clear(&epsilon);
    dp_number_clear(&delta);
    dp_number_clear(&times);
    return ok;
}

/* EPS[,DELTA][xTIMES]: the text is copied, then cut in place. */
bool args_add_item_text(args *a, const char *text, fault *f)
{
    char **owned = grow(a->owned, a->owned_count, &a->owned_room, sizeof *owned);
    if (owned != NULL)
        a->owned = owned;
    char *copy = owned != NULL ? strdup(text) : NULL;
    if (copy == NULL) {
        fault_set(f, "--mechanism", "out of memory");
        return false;
    }
    a->owned[a->owned_count++] = copy;
    item it = {.epsilon = copy};
    char *cut = strchr(copy, 'x');
    if (cut != NULL) {
        *cut = '\0';
        it.times = cut + 1;
    }
    cut = strchr(copy, ',');
    if (cut != NULL) {
        *cut = '\0';
        it.delta = cut + 1;
    }
    return args_add_item(a, it, f);
}
