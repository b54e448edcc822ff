/* SPDX-License-Identifier: MIT */
/* Mechanisms as values of the parameters of their types, and the mechanisms of a list. */
#include "core/mechanism.h"

#include <string.h>

#include "core/result.h"
#include "num/memory.h"
#include "num/number.h"

static size_t parameter_count(const mechanism_type *type)
{
    size_t count = 0;
    while (type->parameters[count] != NULL)
        count++;
    return count;
}

dp_mechanism *mechanism_new(const mechanism_type *type)
{
    dp_mechanism *m = memory_new(1, sizeof *m);
    if (m == NULL)
        return NULL;
    size_t count = parameter_count(type);
    *m = (dp_mechanism){.type = type, .given = memory_new(count + 1, sizeof *m->given)};
    if (m->given == NULL) {
        memory_free(m);
        return NULL;
    }
    for (; m->count < count; m->count++)
        value_init(&m->given[m->count], type->parameters[m->count]);
    return m;
}

void mechanism_free(dp_mechanism *m)
{
    if (m == NULL)
        return;
    for (size_t i = 0; i < m->count; i++)
        value_clear(&m->given[i]);
    memory_free(m->given);
    memory_free(m);
}

dp_mechanism *mechanism_copy(const dp_mechanism *m)
{
    dp_mechanism *copy = mechanism_new(m->type);
    bool ok = copy != NULL;
    for (size_t i = 0; ok && i < m->count; i++) {
        value_fault f;
        if (m->given[i].text == NULL)
            continue;
        ok = value_set(&copy->given[i], m->given[i].text, &f) == DP_OK;
        if (ok) /* which may have been solved for, or be those of a group */
            dp_number_set(&copy->given[i].number, &m->given[i].number);
        for (size_t k = 0; ok && k < m->given[i].count && m->given[i].list != NULL; k++)
            mpq_set(copy->given[i].list[k], m->given[i].list[k]);
    }
    if (ok)
        return copy;
    mechanism_free(copy);
    return NULL;
}

value *mechanism_value(const dp_mechanism *m, const char *name)
{
    for (size_t i = 0; i < m->count; i++)
        if (parameter_is_named(m->given[i].of, name))
            return &m->given[i];
    return NULL;
}

const dp_number *mechanism_number(const dp_mechanism *m, const char *name)
{
    const value *v = mechanism_value(m, name);
    return v != NULL && v->text != NULL ? &v->number : NULL;
}

dp_status mechanism_complete(dp_mechanism *m, dp_error *err)
{
    for (size_t i = 0; i < m->count; i++) {
        value_fault f;
        dp_status status = value_preset(&m->given[i], &f);
        if (status != DP_OK)
            return value_fail(err, status, &m->given[i], &f);
        if (m->given[i].of->required && m->given[i].text == NULL)
            return fail(err, DP_DOMAIN, m->given[i].of->name, "is missing");
    }
    const char *name = NULL;
    const char *fault = m->type->fault != NULL ? m->type->fault(&name, m) : NULL;
    return fault == NULL ? DP_OK : fail(err, DP_DOMAIN, name, fault);
}

void mechanism_set_q(dp_mechanism *m, const char *name, const mpq_t q)
{
    value *v = mechanism_value(m, name);
    number_set_q(&v->number, q);
}

bool profile_given(dp_figure *out, const profile_in *q, mpfr_prec_t bits)
{
    if (q->delta != NULL) {
        figure_set_q(&out[1], q->delta);
        if (mpq_cmp_ui(q->delta, 1, 1) < 0)
            return true;
        figure_set_ui(&out[0], 0);
        return false;
    }
    figure_set_form(&out[0], q->epsilon, bits);
    return true;
}

/* ---- in a list ---- */

size_t uses_count(const dp_composition *c)
{
    return c->uses != NULL ? c->uses->count : 0;
}

/* Room for one more use; false when out of memory. */
static bool make_room(dp_composition *c)
{
    if (c->uses == NULL) {
        c->uses = memory_new(1, sizeof *c->uses);
        if (c->uses == NULL)
            return false;
        *c->uses = (dp_uses){0};
    }
    dp_uses *u = c->uses;
    if (u->count < u->room)
        return true;
    size_t room = u->room == 0 ? 4 : 2 * u->room;
    dp_use *grown = memory_grow(u->use, room, sizeof *grown);
    if (grown == NULL)
        return false;
    u->use = grown;
    u->room = room;
    return true;
}

dp_status uses_add(dp_composition *c, const dp_mechanism *m, const mpz_t times)
{
    dp_mechanism *copy = mechanism_copy(m);
    if (copy == NULL || !make_room(c)) {
        mechanism_free(copy);
        return DP_MEMORY;
    }
    dp_use *use = &c->uses->use[c->uses->count++];
    use->mechanism = copy;
    use->turned = false;
    mpz_init_set(use->times, times);
    return DP_OK;
}

bool list_is_empty(const dp_composition *c)
{
    return c->count == 0 && uses_count(c) == 0 && c->cells == NULL;
}

dp_status uses_append(dp_composition *to, const dp_composition *from, const mpz_t times)
{
    dp_status status = DP_OK;
    mpz_t all;
    mpz_init(all);
    for (size_t i = 0; status == DP_OK && i < uses_count(from); i++) {
        mpz_mul(all, from->uses->use[i].times, times);
        status = uses_add(to, from->uses->use[i].mechanism, all);
        if (status == DP_OK)
            to->uses->use[to->uses->count - 1].turned = from->uses->use[i].turned;
    }
    mpz_clear(all);
    return status;
}

void uses_turn(dp_composition *c, size_t first)
{
    for (size_t i = first; i < uses_count(c); i++)
        c->uses->use[i].turned = !c->uses->use[i].turned;
}

void uses_clear(dp_composition *c)
{
    if (c->uses == NULL)
        return;
    for (size_t i = 0; i < c->uses->count; i++) {
        mechanism_free(c->uses->use[i].mechanism);
        mpz_clear(c->uses->use[i].times);
    }
    memory_free(c->uses->use);
    memory_free(c->uses);
    c->uses = NULL;
}
