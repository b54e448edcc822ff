/* SPDX-License-Identifier: MIT */
/* A list that is asked about: made, added to and cleared, with the lists of its cells. */
#include "core/parameters.h"
#include "core/uses.h"
#include "loss/cells.h"
#include "loss/known.h"
#include "num/memory.h"

void dp_composition_init_under(dp_composition *c, dp_relation adjacency)
{
    if (c == NULL)
        return;
    *c = (dp_composition){.adjacency = adjacency};
}

void dp_composition_init(dp_composition *c)
{
    dp_composition_init_under(c, DP_ADD_REMOVE);
}

static void mechanism_clear(dp_item *m)
{
    dp_number_clear(&m->epsilon);
    mpq_clear(m->delta);
    mpz_clear(m->times);
}

void known_clear(dp_known *list)
{
    while (list != NULL) {
        dp_known *next = list->next;
        mpz_clear(list->releases);
        dp_number_clear(&list->base_epsilon);
        mpz_clears(list->b.dataset_size, list->b.subsample_size, list->b.models, NULL);
        mpq_clears(list->b.sampling_rate, list->b.base_delta, NULL);
        memory_free(list);
        list = next;
    }
}

void cells_free(dp_cells *p)
{
    if (p == NULL)
        return;
    for (size_t i = 0; p->cell != NULL && i < p->count; i++)
        dp_composition_clear(&p->cell[i]);
    memory_free(p->cell);
    memory_free(p->partition);
    memory_free(p);
}

static void cells_clear(dp_composition *c)
{
    while (c->cells != NULL) {
        dp_cells *next = c->cells->next;
        cells_free(c->cells);
        c->cells = next;
    }
}

void dp_composition_clear(dp_composition *c)
{
    if (c == NULL)
        return;
    for (size_t i = 0; i < c->count; i++)
        mechanism_clear(&c->item[i]);
    memory_free(c->item);
    known_clear(c->known);
    uses_clear(c);
    cells_clear(c);
    dp_composition_init_under(c, c->adjacency);
}

static dp_status item_fault(dp_error *err, dp_status status, const char *argument,
                            const char *message)
{
    if (err != NULL)
        *err = (dp_error){status, argument, message};
    return status;
}

/* What is wrong with the parameters of an item, and which one is at fault; or NULL. */
static const char *item_domain(const char **name, const dp_number *epsilon, mpq_srcptr delta,
                               mpz_srcptr times)
{
    static const char missing[] = "must not be NULL";
    *name = "epsilon";
    const char *fault =
        epsilon == NULL ? missing : domain_fault(parameter_domain(&item_epsilon), epsilon);
    if (fault != NULL)
        return fault;
    *name = "delta";
    fault = delta == NULL ? missing : domain_fault_q(parameter_domain(&item_delta), delta);
    if (fault != NULL)
        return fault;
    *name = "times";
    return times == NULL ? missing : domain_fault_z(parameter_domain(&item_times), times);
}

dp_status dp_composition_add(dp_composition *c, const dp_number *epsilon, const mpq_t delta,
                             const mpz_t times, dp_error *err)
{
    const char *name;
    const char *fault = item_domain(&name, epsilon, delta, times);
    if (c == NULL)
        return item_fault(err, DP_DOMAIN, "list", "must not be NULL");
    if (fault != NULL)
        return item_fault(err, DP_DOMAIN, name, fault);
    dp_item m; /* copied first: the numbers may stand in the list, which moves as it grows */
    dp_number_init(&m.epsilon);
    dp_number_set(&m.epsilon, epsilon);
    mpq_init(m.delta);
    mpq_set(m.delta, delta);
    mpz_init_set(m.times, times);
    if (c->count == c->room) {
        size_t room = c->room == 0 ? 16 : 2 * c->room;
        dp_item *grown = memory_grow(c->item, room, sizeof *grown);
        if (grown == NULL) {
            mechanism_clear(&m);
            return item_fault(err, DP_MEMORY, NULL, "out of memory");
        }
        c->item = grown;
        c->room = room;
    }
    c->item[c->count++] = m;
    return DP_OK;
}
