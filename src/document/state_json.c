/* SPDX-License-Identifier: MIT */
/* The state of a filter: a ledger of what is spent, with all that was fixed before the first
 * release, so that the next question needs the addition alone. */
#include <stdio.h>
#include <string.h>

#include "core/mechanism.h"
#include "document/answer.h"
#include "document/emit.h"
#include "num/memory.h"
#include "num/number.h"

static void put_exact(out *o, const char *key, const mpq_t q)
{
    char *text = exact_text(q);
    emit_text(o, key, text);
    memory_free(text);
}

static void put_count(out *o, const char *key, const mpz_t z)
{
    mpq_t q;
    mpq_init(q);
    mpq_set_z(q, z);
    put_exact(o, key, q);
    mpq_clear(q);
}

/* r, or ln(r) */
static void put_loss(out *o, const char *key, const dp_number *x)
{
    if (number_rational(x) != NULL) {
        put_exact(o, key, number_rational(x));
        return;
    }
    char *odds = exact_text(number_odds(x));
    size_t size = odds != NULL ? strlen(odds) + 5 : 0;
    char *text = odds != NULL ? memory_new(size, 1) : NULL;
    if (text != NULL)
        snprintf(text, size, "ln(%s)", odds);
    emit_text(o, key, text);
    memory_free(text);
    memory_free(odds);
}

static void put_mechanism(out *o, const dp_use *u)
{
    const dp_mechanism *m = u->mechanism;
    emit_text(o, "mechanism", m->type->name);
    for (size_t i = 0; i < m->count; i++) {
        const value *v = &m->given[i];
        if (v->text == NULL)
            continue;
        if (v->of->kind != KIND_LIST) {
            put_exact(o, parameter_key(v->of), number_rational(&v->number));
            continue;
        }
        emit_array(o, parameter_key(v->of));
        for (size_t k = 0; k < v->count; k++)
            put_exact(o, NULL, v->list[k]);
        emit_array_end(o);
    }
}

static void put_entries(out *o, const dp_composition *state)
{
    emit_array(o, "mechanisms");
    for (size_t i = 0; i < state->count; i++) {
        const dp_item *m = &state->item[i];
        emit_object(o, NULL);
        emit_text(o, "name", "spent");
        put_loss(o, "epsilon", &m->epsilon);
        put_exact(o, "delta", m->delta);
        put_count(o, "times", m->times);
        emit_object_end(o);
    }
    for (size_t i = 0; i < uses_count(state); i++) {
        emit_object(o, NULL);
        emit_text(o, "name", "spent");
        put_mechanism(o, &state->uses->use[i]);
        put_count(o, "times", state->uses->use[i].times);
        emit_object_end(o);
    }
    emit_array_end(o);
}

void put_state(out *o, const char *key, const report *r, const args *a)
{
    static const char *const fixed[] = {"method", "order", "slack"};
    emit_object(o, key);
    put_remarks(o, a->remarks);
    emit_text(o, "adjacency", r->result.adjacency);
    emit_text(o, "adaptive", "parameters");
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        if (args_value(a, fixed[i])->text != NULL)
            emit_text(o, fixed[i], args_value(a, fixed[i])->text);
    put_loss(o, "max_epsilon", &r->result.check.max_epsilon);
    put_loss(o, "max_delta", &r->result.check.max_delta);
    put_entries(o, &r->state);
    emit_object_end(o);
}
