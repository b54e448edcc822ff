/* SPDX-License-Identifier: MIT */
/* Which group goes to which half, and how many atoms a meeting in the middle would hold: counted
 * one by one, in doubles, up to a limit. */
#include <math.h>
#include <stdlib.h>

#include "engine/atoms.h"
#include "num/memory.h"

#define LOSS_BITS 64
#define MOST_GROUPS 4096U
#define MOST_OUTCOMES 65536.0
#define SHORT 64.0 /* halves with so few atoms are not counted */

double atoms_divide(unsigned char *side, const product *list)
{
    double size[2] = {1, 1};
    size_t n = 0;
    for (size_t i = 0; i < list->count; i++) {
        const loss_ops *ops = list->item[i].ops;
        size_t count = ops->groups != NULL ? ops->groups(list->item[i].self) : 0;
        for (size_t j = 0; j < count; j++, n++) {
            int k = size[0] <= size[1] ? 0 : 1;
            side[n] = (unsigned char)k;
            size[k] *= ops->group_size(list->item[i].self, j);
        }
    }
    return fmax(size[0], size[1]);
}

/* A group by how far its losses lie below the largest, ascending: 0 at first. */
typedef struct drops {
    double *drop;
    size_t count;
} drops;

typedef struct counter {
    drops *group; /* of one half, by their least drop */
    size_t groups;
    double least; /* drops in all stay below it */
    double count;
} counter;

/* Counts the atoms with more drops, by groups from `next` on. */
static void count_on(counter *c, size_t next, double dropped)
{
    for (size_t i = next; i < c->groups && c->count <= ATOMS_MOST; i++) {
        const drops *g = &c->group[i];
        if (dropped + g->drop[1] >= c->least)
            return; /* and so for all others */
        for (size_t k = 1; k < g->count && dropped + g->drop[k] < c->least; k++) {
            c->count++;
            count_on(c, i + 1, dropped + g->drop[k]);
        }
    }
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int by_least(const void *a, const void *b)
{
    return ascending(&((const drops *)a)->drop[1], &((const drops *)b)->drop[1]);
}

/* The drops of a group; top += its largest loss. */
static bool set_drops(drops *g, double *top, const loss *law, size_t group)
{
    size_t n = (size_t)law->ops->group_size(law->self, group);
    mpfr_t *number = memory_new(3 * n, sizeof *number);
    g->drop = memory_new(n + 1, sizeof *g->drop);
    g->count = n;
    bool ok = number != NULL && g->drop != NULL;
    for (size_t i = 0; ok && i < 3 * n; i++)
        mpfr_init2(number[i], LOSS_BITS);
    if (ok) {
        law->ops->group(number, number + n, number + 2 * n, law->self, group);
        for (size_t i = 0; i < n; i++)
            g->drop[i] = -mpfr_get_d(number[i], MPFR_RNDN);
        qsort(g->drop, n, sizeof *g->drop, ascending);
        *top -= g->drop[0];
        for (size_t i = n; i-- > 0;)
            g->drop[i] -= g->drop[0];
        g->drop[n] = HUGE_VAL; /* where there is but one loss */
    }
    for (size_t i = 0; ok && i < 3 * n; i++)
        mpfr_clear(number[i]);
    memory_free(number);
    return ok;
}

static bool fill(counter half[2], double *top, const product *list, const unsigned char *side)
{
    bool ok = true;
    size_t n = 0;
    for (size_t i = 0; i < list->count; i++) {
        const loss *law = &list->item[i];
        size_t groups = law->ops->groups(law->self);
        for (size_t j = 0; ok && j < groups; j++, n++) {
            counter *c = &half[side[n]];
            ok = set_drops(&c->group[c->groups++], top, law, j);
        }
    }
    return ok;
}

static double count_halves(counter half[2], double room)
{
    double most = 0;
    for (int k = 0; k < 2; k++) {
        counter *c = &half[k];
        qsort(c->group, c->groups, sizeof *c->group, by_least);
        c->least = room;
        c->count = 1;
        count_on(c, 0, 0);
        most = fmax(most, c->count);
    }
    return most > ATOMS_MOST ? INFINITY : most;
}

/* Groups and outcomes; false where some law has none, or they are too many. */
static bool look(size_t *groups, const product *list)
{
    double outcomes = 0;
    *groups = 0;
    for (size_t i = 0; i < list->count; i++) {
        const loss_ops *ops = list->item[i].ops;
        size_t more = ops->groups != NULL ? ops->groups(list->item[i].self) : 0;
        if (more == 0 || more > MOST_GROUPS)
            return false;
        *groups += more;
        for (size_t j = 0; j < more; j++)
            outcomes += ops->group_size(list->item[i].self, j);
    }
    return *groups <= MOST_GROUPS && outcomes <= MOST_OUTCOMES;
}

/* A use falls by at most twice the reach, so any few groups that make less than the room together
 * are an atom: are they too many already? */
static bool are_many(const product *list, size_t groups, double least)
{
    double top = 0, reach = 0, ways = 1, half = floor((double)groups / 2);
    for (size_t i = 0; i < list->count; i++)
        list->item[i].ops->guess_range(&top, &reach, list->item[i].self);
    double few = fmin(floor((top - least) / (2 * reach)), floor(half / 2));
    for (double k = 0; k < few && ways <= ATOMS_MOST; k++)
        ways *= (half - k) / (k + 1);
    return ways > ATOMS_MOST;
}

double atoms_size(const product *list, double least)
{
    size_t groups;
    double top = 0, size = INFINITY;
    if (!look(&groups, list) || are_many(list, groups, least))
        return size;
    unsigned char *side = memory_new(groups + 1, 1);
    counter half[2] = {0};
    for (int k = 0; k < 2; k++)
        half[k].group = memory_zero(groups + 1, sizeof *half[k].group);
    if (side != NULL && half[0].group != NULL && half[1].group != NULL) {
        size = atoms_divide(side, list);
        if (size > SHORT && isfinite(least) && fill(half, &top, list, side))
            size = count_halves(half, top - least);
    }
    for (int k = 0; k < 2; k++) {
        for (size_t i = 0; i < half[k].groups; i++)
            memory_free(half[k].group[i].drop);
        memory_free(half[k].group);
    }
    memory_free(side);
    return size > ATOMS_MOST ? INFINITY : size;
}
