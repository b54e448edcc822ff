/* SPDX-License-Identifier: MIT */
/* What all commands take from their options: digits, limits, budgets. */
#include "catalog/types.h"
#include "document/commands.h"
#include "document/item_types.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "core/result.h"
#include "loss/cells.h"
#include "loss/known.h"
#include "mechanism/dp_sgd.h"
#include "num/memory.h"
#include "num/number.h"

#define SHORTEST 1e-9 /* seconds: 0 would be no limit */

dp_options common_options(const args *a, report *r)
{
    dp_options opt = dp_options_default();
    opt.digits = r->digits = mpz_get_ui(number_integer(args_number(a, "digits")));
    opt.all = args_flag(a, "all");
    opt.max_epsilon = args_number(a, "max-epsilon");
    opt.max_delta = args_number(a, "max-delta");
    double left = args_time_left(a);
    opt.max_seconds = left > SHORTEST ? left : SHORTEST;
    const dp_number *bytes = args_number(a, "max-memory");
    if (bytes != NULL) {
        bool fits = mpz_fits_ulong_p(number_integer(bytes));
        opt.max_bytes = fits ? mpz_get_ui(number_integer(bytes)) : SIZE_MAX;
        if (a->limit_memory != NULL)
            a->limit_memory(opt.max_bytes);
    }
    const dp_number *threads = args_number(a, "threads");
    opt.threads = threads != NULL ? mpz_get_ui(number_integer(threads)) : a->threads;
    opt.progress = a->progress;
    opt.narrowed = a->narrowed;
    return opt;
}

/* Is the mechanism one that a command describes, or is one of its cells? */
static bool is_described(const command *const *queries, json source)
{
    const char *type = json_text(json_find(source, "mechanism"));
    if (type == NULL || strcmp(type, ITEM_PARALLEL) != 0)
        return type != NULL && mechanism_type_find(type) == NULL &&
               command_in(queries, type) != NULL;
    for (json cell = json_first(json_find(source, ITEM_CELLS)); json_exists(cell);
         cell = json_next(cell))
        for (json c = json_first(cell); json_exists(c); c = json_next(c))
            if (is_described(queries, c))
                return true;
    return false;
}

static bool have_all_laws(const dp_composition *list)
{
    bool all = known_all_laws(list);
    for (const dp_cells *p = list->cells; p != NULL; p = p->next)
        for (size_t i = 0; i < p->count; i++)
            all = all && known_all_laws(&p->cell[i]);
    return all;
}

/* What its mechanisms are about: their samples. */
static void note_about(dp_result *to, const dp_composition *list)
{
    for (size_t i = 0; list->uses != NULL && i < list->uses->count; i++)
        if (list->uses->use[i].mechanism->type->about != NULL)
            result_note(to, list->uses->use[i].mechanism->type->about);
    for (const dp_cells *p = list->cells; p != NULL; p = p->next)
        for (size_t i = 0; i < p->count; i++)
            note_about(to, &p->cell[i]);
}

void note_described(report *r, const args *a)
{
    note_about(&r->result, &a->composition);
    note_about(&r->result, &a->added);
    for (size_t i = 0; i < a->item_count; i++)
        if (item_counts(&a->items[i]) && json_exists(a->items[i].source) &&
            is_described(a->queries, a->items[i].source)) {
            result_note(&r->result,
                        have_all_laws(&a->composition)
                            ? "bagging enters with fresh samples whose indices stay secret, each "
                              "release by its whole profile"
                            : "bagging enters with fresh samples whose indices stay secret, where "
                              "no distributions are known that have its whole profile as a pair of "
                              "it, which is an upper bound");
            return;
        }
}

dp_status group_records(args *a, report *r)
{
    mpz_srcptr size = number_integer(args_number(a, "group-size"));
    if (size == NULL || mpz_cmp_ui(size, 1) == 0)
        return DP_OK;
    dp_composition groups;
    dp_composition_init(&groups);
    dp_status status = dp_composition_for_groups(&groups, &a->composition, size, &r->error);
    dp_composition one = a->composition;
    a->composition = groups;
    dp_composition_clear(&one);
    return status;
}

void note_groups(report *r, args *a)
{
    static const char format[] = "for groups of %s records, not for one";
    mpz_srcptr size = number_integer(args_number(a, "group-size"));
    if (size == NULL || mpz_cmp_ui(size, 1) == 0)
        return;
    const char *given = args_value(a, "group-size")->text;
    size_t room = sizeof format + strlen(given);
    char *text = memory_new(room, 1);
    if (text != NULL && args_own(a, text)) {
        snprintf(text, room, format, given);
        result_note(&r->result, text);
    } else {
        memory_free(text);
    }
    for (size_t i = 0; i < uses_count(&a->composition); i++) {
        const dp_mechanism *m = a->composition.uses->use[i].mechanism;
        if (m->type == &mechanism_dp_sgd && dp_sgd_is_group(m)) {
            result_note(&r->result, NOTE_ONE_SIDE);
            return;
        }
    }
}

int single_or_list(args *a, report *r)
{
    static const char *const single[] = {"epsilon", "delta", "times"};
    const dp_number *epsilon = args_number(a, "epsilon"), *delta = args_number(a, "delta");
    if (!list_is_empty(&a->composition)) {
        for (size_t i = 0; i < 3; i++) {
            const value *v = args_value(a, single[i]);
            if (v != NULL && v->given) {
                r->error =
                    (dp_error){DP_DOMAIN, "mechanism",
                               "excludes --epsilon, --delta and --times; give the list or the "
                               "one mechanism"};
                return EXIT_INPUT;
            }
            args_forget(a, single[i]);
        }
        return EXIT_HOLDS;
    }
    if (epsilon == NULL) {
        for (size_t i = 1; i < 3; i++) {
            const value *v = args_value(a, single[i]);
            if (v != NULL && v->given) {
                r->error = (dp_error){DP_DOMAIN, "epsilon",
                                      "is missing; --delta and --times are about the mechanism "
                                      "that it describes"};
                return EXIT_INPUT;
            }
            args_forget(a, single[i]);
        }
        return EXIT_HOLDS; /* the library says what is missing */
    }
    mpq_t none;
    mpq_init(none);
    dp_status status =
        dp_composition_add(&a->composition, epsilon, delta != NULL ? number_rational(delta) : none,
                           number_integer(args_number(a, "times")), &r->error);
    mpq_clear(none);
    return status == DP_OK ? EXIT_HOLDS : report_status(r, status);
}
