/* SPDX-License-Identifier: MIT */
/* The profile by enumeration of all losses, merged where they lie closer than an error that is
 * charged. */
#include "engine/atoms.h"

#include <math.h>
#include <stdlib.h>

#include "num/ival.h"
#include "num/memory.h"

/* Bytes of one atom: three numbers with their limbs and the allocator's share. */
#define ATOM_BYTES 200.0

/* How many groups there are; false where some law has none. */
static bool count_groups(size_t *count, const product *list)
{
    bool all = true;
    *count = 0;
    for (size_t i = 0; i < list->count; i++) {
        const loss_ops *ops = list->item[i].ops;
        size_t more = ops->groups != NULL ? ops->groups(list->item[i].self) : 0;
        all = all && more > 0;
        *count += more;
    }
    return all;
}

static bool table_init(atom_table *t, size_t count, mpfr_prec_t bits)
{
    mpfr_t **column[] = {&t->loss, &t->p, &t->q};
    t->count = 0;
    for (size_t k = 0; k < 3; k++) {
        *column[k] = memory_new(count, sizeof **column[k]);
        if (*column[k] == NULL)
            return false;
    }
    for (; t->count < count; t->count++) {
        mpfr_init2(t->loss[t->count], bits);
        mpfr_init2(t->p[t->count], bits);
        mpfr_init2(t->q[t->count], bits);
    }
    return true;
}

void atoms_table_clear(atom_table *t)
{
    for (size_t i = 0; i < t->count; i++) {
        mpfr_clear(t->loss[i]);
        mpfr_clear(t->p[i]);
        mpfr_clear(t->q[i]);
    }
    memory_free(t->loss);
    memory_free(t->p);
    memory_free(t->q);
}

/* out = a x b, losses add, masses multiply, but for what lies below `floor`. */
static bool cross(atom_table *out, const atom_table *a, const atom_table *b, mpfr_srcptr floor,
                  mpfr_prec_t bits)
{
    mpfr_t sum;
    mpfr_init2(sum, bits);
    size_t n = 0;
    for (size_t i = 0; i < a->count; i++)
        for (size_t j = 0; j < b->count; j++) {
            mpfr_add(sum, a->loss[i], b->loss[j], MPFR_RNDN);
            n += mpfr_greaterequal_p(sum, floor) != 0;
        }
    bool ok = table_init(out, n, bits);
    n = 0;
    for (size_t i = 0; ok && i < a->count; i++)
        for (size_t j = 0; j < b->count; j++) {
            mpfr_add(sum, a->loss[i], b->loss[j], MPFR_RNDN);
            if (!mpfr_greaterequal_p(sum, floor))
                continue;
            mpfr_swap(out->loss[n], sum);
            mpfr_mul(out->p[n], a->p[i], b->p[j], MPFR_RNDN);
            mpfr_mul(out->q[n], a->q[i], b->q[j], MPFR_RNDN);
            n++;
        }
    mpfr_clear(sum);
    return ok;
}

/* The groups of a list, each with all its losses. */
typedef struct group_list {
    atom_table *group;
    mpfr_t *most; /* the largest loss of each, or more */
    unsigned char *side;
    size_t count;
} group_list;

/* most = the largest loss of the group; reach += the largest |loss| */
static void measure(mpfr_t most, mpfr_t reach, const atom_table *group)
{
    mpfr_t size;
    mpfr_init2(size, 64);
    mpfr_set_zero(size, 1);
    for (size_t k = 0; k < group->count; k++) {
        if (k == 0 || mpfr_greater_p(group->loss[k], most))
            mpfr_set(most, group->loss[k], MPFR_RNDU);
        if (mpfr_cmpabs(group->loss[k], size) > 0)
            mpfr_abs(size, group->loss[k], MPFR_RNDU);
    }
    mpfr_add(reach, reach, size, MPFR_RNDU);
    mpfr_clear(size);
}

/* Of the laws that have any; all in the first half. */
static bool groups_init(group_list *g, mpfr_t reach, const product *list, mpfr_prec_t bits)
{
    size_t count;
    *g = (group_list){0};
    count_groups(&count, list);
    g->group = memory_zero(count + 1, sizeof *g->group);
    g->most = memory_new(count + 1, sizeof *g->most);
    g->side = memory_zero(count + 1, 1);
    bool ok = g->group != NULL && g->most != NULL && g->side != NULL;
    for (size_t i = 0; ok && i < list->count; i++) {
        const loss *law = &list->item[i];
        size_t groups = law->ops->groups != NULL ? law->ops->groups(law->self) : 0;
        for (size_t j = 0; ok && j < groups; j++) {
            atom_table *t = &g->group[g->count];
            mpfr_init2(g->most[g->count++], 64);
            ok = table_init(t, (size_t)law->ops->group_size(law->self, j), bits);
            if (ok)
                law->ops->group(t->loss, t->p, t->q, law->self, j);
            if (ok)
                measure(g->most[g->count - 1], reach, t);
        }
    }
    return ok;
}

static void groups_clear(group_list *g)
{
    for (size_t i = 0; i < g->count; i++) {
        atoms_table_clear(&g->group[i]);
        mpfr_clear(g->most[i]);
    }
    memory_free(g->group);
    memory_free(g->most);
    memory_free(g->side);
}

/* One half, by one group after the other. What is `least` less the largest losses of all groups
 * that are not in it yet, of the other half too, is the floor, rounded down: a part below it is in
 * no pair above `least`. */
static bool build_half(atom_table *t, const group_list *g, int k, mpfr_srcptr least,
                       mpfr_prec_t bits)
{
    if (!table_init(t, 1, bits))
        return false;
    mpfr_set_ui(t->loss[0], 0, MPFR_RNDN);
    mpfr_set_ui(t->p[0], 1, MPFR_RNDN);
    mpfr_set_ui(t->q[0], 1, MPFR_RNDN);
    mpfr_t floor;
    mpfr_init2(floor, 64);
    mpfr_set(floor, least, MPFR_RNDD);
    for (size_t i = 0; i < g->count; i++)
        mpfr_sub(floor, floor, g->most[i], MPFR_RNDD);
    bool ok = true;
    for (size_t i = g->count; ok && i-- > 0;) { /* randomized response: the largest drop first */
        if (g->side[i] != k)
            continue;
        atom_table next = {0};
        mpfr_add(floor, floor, g->most[i], MPFR_RNDD);
        ok = cross(&next, t, &g->group[i], floor, bits);
        atoms_table_clear(t);
        *t = next;
    }
    mpfr_clear(floor);
    return ok;
}

typedef struct ranked {
    mpfr_srcptr loss;
    size_t index;
} ranked;

static int by_loss(const void *a, const void *b)
{
    return mpfr_cmp(((const ranked *)a)->loss, ((const ranked *)b)->loss);
}

static bool sort_table(atom_table *t)
{
    ranked *order = memory_new(t->count, sizeof *order);
    mpfr_t *moved = memory_new(t->count, sizeof *moved);
    bool ok = order != NULL && moved != NULL;
    if (ok) {
        for (size_t i = 0; i < t->count; i++)
            order[i] = (ranked){t->loss[i], i};
        qsort(order, t->count, sizeof *order, by_loss);
        mpfr_t *column[] = {t->p, t->q, t->loss}; /* loss last: the order points into it */
        for (size_t k = 0; k < 3; k++) {
            for (size_t i = 0; i < t->count; i++)
                moved[i][0] = column[k][order[i].index][0];
            for (size_t i = 0; i < t->count; i++)
                column[k][i][0] = moved[i][0];
        }
    }
    memory_free(order);
    memory_free(moved);
    return ok;
}

/* Masses of the second half become sums from each atom upward. */
static void accumulate(atom_table *t)
{
    for (size_t i = t->count; i-- > 1;) {
        mpfr_add(t->p[i - 1], t->p[i - 1], t->p[i], MPFR_RNDN);
        mpfr_add(t->q[i - 1], t->q[i - 1], t->q[i], MPFR_RNDN);
    }
}

/* eta: each of at most g + 1 loss additions errs by u/2 of the largest sum at most, p->eta so far,
 * each summand by as much again, x and the final comparison likewise: (2g + 8) u of it. Masses: 2u
 * a group and one u an addition: (2g + count_a + count_b + 8) u. Doubled for higher orders. */
static void set_errors(mpfr_t eta, mpfr_t error, size_t groups, size_t additions, mpfr_prec_t work)
{
    mpfr_add_ui(eta, eta, 1, MPFR_RNDU);
    mpfr_mul_ui(eta, eta, 4 * groups + 16, MPFR_RNDU);
    mpfr_div_2ui(eta, eta, (unsigned long)work, MPFR_RNDU);
    mpfr_set_ui(error, 4 * groups + 2 * additions + 16, MPFR_RNDU);
    mpfr_div_2ui(error, error, (unsigned long)work, MPFR_RNDU);
}

bool atoms_table(atom_table *t, mpfr_t eta, mpfr_t error, const product *list, mpfr_prec_t bits)
{
    group_list groups;
    mpfr_t least;
    mpfr_init2(least, 64);
    mpfr_set_inf(least, -1);
    mpfr_set_zero(eta, 1);
    *t = (atom_table){0};
    bool ok = groups_init(&groups, eta, list, bits) && build_half(t, &groups, 0, least, bits);
    set_errors(eta, error, groups.count, 0, bits);
    groups_clear(&groups);
    mpfr_clear(least);
    return ok;
}

/* Does each law have two equal groups, one on either side? */
static bool are_halves_equal(const unsigned char *side, const product *list)
{
    bool equal = true;
    for (size_t i = 0; equal && i < list->count; i++) {
        const loss_ops *ops = list->item[i].ops;
        equal = ops->equal_groups != NULL && ops->equal_groups(list->item[i].self) &&
                side[2 * i] != side[2 * i + 1];
    }
    return equal;
}

static bool table_copy(atom_table *to, const atom_table *t, mpfr_prec_t bits)
{
    if (!table_init(to, t->count, bits))
        return false;
    for (size_t i = 0; i < t->count; i++) {
        mpfr_set(to->loss[i], t->loss[i], MPFR_RNDN);
        mpfr_set(to->p[i], t->p[i], MPFR_RNDN);
        mpfr_set(to->q[i], t->q[i], MPFR_RNDN);
    }
    return true;
}

/* Of equal halves the largest losses are the same, too: what the one lacks, the other may lack. */
static bool build_halves(atoms *p, const product *list, const group_list *groups)
{
    bool ok = build_half(&p->half[0], groups, 0, p->least, p->work) && sort_table(&p->half[0]);
    if (ok && are_halves_equal(groups->side, list))
        return table_copy(&p->half[1], &p->half[0], p->work);
    return ok && build_half(&p->half[1], groups, 1, p->least, p->work) && sort_table(&p->half[1]);
}

/* A pair that was left out has a part whose computed loss is below `least` less the others' largest
 * losses; its own is off by less than eta, so the pair is below least + eta. */
static void set_least(atoms *p, double least)
{
    mpfr_set_d(p->least, least, MPFR_RNDN);
    mpfr_add(p->least, p->least, p->eta, MPFR_RNDU);
}

dp_status atoms_open(atoms *p, const product *list, double least, mpfr_prec_t bits,
                     const limits *lim)
{
    *p = (atoms){.work = bits + 64};
    mpfr_init2(p->eta, 64);
    mpfr_init2(p->error, 64);
    mpfr_init2(p->least, 64);
    mpfr_set_zero(p->eta, 1);
    mpfr_set_d(p->least, least, MPFR_RNDN);
    size_t count;
    double size = atoms_size(list, least);
    if (!count_groups(&count, list) || !(size <= ATOMS_MOST) ||
        !limits_allow(lim, 4 * ATOM_BYTES * size))
        return DP_LIMIT;
    group_list groups;
    bool ok = groups_init(&groups, p->eta, list, p->work);
    if (ok)
        atoms_divide(groups.side, list);
    ok = ok && build_halves(p, list, &groups);
    groups_clear(&groups);
    if (!ok)
        return DP_MEMORY;
    accumulate(&p->half[1]);
    set_errors(p->eta, p->error, count, p->half[0].count + p->half[1].count, p->work);
    set_least(p, least);
    return limits_expired(lim) ? DP_LIMIT : DP_OK;
}

void atoms_close(atoms *p)
{
    for (int k = 0; k < 2; k++)
        atoms_table_clear(&p->half[k]);
    mpfr_clear(p->eta);
    mpfr_clear(p->error);
    mpfr_clear(p->least);
}

/* P and Q mass of the pairs with l_a + l_b > x */
static void walk(mpfr_t p_mass, mpfr_t q_mass, const atoms *p, mpfr_srcptr x)
{
    const atom_table *a = &p->half[0], *b = &p->half[1];
    mpfr_t rest, part;
    mpfr_init2(rest, p->work);
    mpfr_init2(part, p->work);
    mpfr_set_ui(p_mass, 0, MPFR_RNDN);
    mpfr_set_ui(q_mass, 0, MPFR_RNDN);
    size_t j = 0; /* first atom of b above x - l_a; moves up as l_a falls */
    for (size_t i = a->count; i-- > 0;) {
        mpfr_sub(rest, x, a->loss[i], MPFR_RNDN);
        while (j < b->count && mpfr_lessequal_p(b->loss[j], rest))
            j++;
        if (j == b->count)
            break;
        mpfr_mul(part, a->p[i], b->p[j], MPFR_RNDN);
        mpfr_add(p_mass, p_mass, part, MPFR_RNDN);
        mpfr_mul(part, a->q[i], b->q[j], MPFR_RNDN);
        mpfr_add(q_mass, q_mass, part, MPFR_RNDN);
    }
    mpfr_clear(part);
    mpfr_clear(rest);
}

/* x (1 -+ error) */
static void widen(mpfi_t out, mpfr_srcptr x, mpfr_srcptr error)
{
    mpfi_set_fr(out, x);
    mpfr_t part;
    mpfr_init2(part, 64);
    mpfr_mul(part, x, error, MPFR_RNDU);
    mpfr_sub(&out->left, &out->left, part, MPFR_RNDD);
    mpfr_add(&out->right, &out->right, part, MPFR_RNDU);
    mpfr_clear(part);
}

/* eta = what a loss may lie from x on the wrong side of the middle: its own error and the width of
 * x. At any y in x, s(y) is the sum over l > y of P (1 - e^(y-l)); pairs that stand on the wrong
 * side have |y - l| <= eta, so each costs at most P (e^eta - 1). */
static void misplacement(mpfr_t eta, const atoms *p, mpfr_srcptr middle, const mpfi_t x)
{
    mpfr_t part;
    mpfr_init2(part, 64);
    mpfr_sub(eta, &x->right, middle, MPFR_RNDU);
    mpfr_sub(part, middle, &x->left, MPFR_RNDU);
    mpfr_max(eta, eta, part, MPFR_RNDU);
    mpfr_add(eta, eta, p->eta, MPFR_RNDU);
    mpfr_clear(part);
}

void atoms_profile(mpfi_t s, mpfr_t slope, const atoms *p, const mpfi_t x)
{
    mpfr_t middle, p_mass, q_mass, spill, eta;
    mpfr_ptr real[] = {middle, p_mass, q_mass};
    for (size_t i = 0; i < 3; i++)
        mpfr_init2(real[i], p->work);
    mpfr_init2(spill, 64);
    mpfr_init2(eta, 64);
    mpfi_t b;
    mpfi_init2(b, p->work);
    mpfi_set_prec(s, p->work);
    mpfi_get_fr(middle, x);
    misplacement(eta, p, middle, x);
    /* P mass from a little below x up bounds that of the misplaced pairs */
    mpfr_sub(p_mass, middle, eta, MPFR_RNDD);
    mpfr_sub(p_mass, p_mass, eta, MPFR_RNDD);
    mpfr_t below;
    mpfr_init2(below, p->work);
    mpfr_set(below, p_mass, MPFR_RNDD);
    walk(p_mass, q_mass, p, below);
    widen(b, p_mass, p->error);
    mpfr_expm1(spill, eta, MPFR_RNDU);
    mpfr_mul(spill, spill, &b->right, MPFR_RNDU);
    walk(p_mass, q_mass, p, middle);
    mpfi_exp(b, x);
    widen(s, q_mass, p->error);
    mpfi_mul(b, b, s);
    mpfi_get_fr(slope, b);
    widen(s, p_mass, p->error);
    mpfi_sub(s, s, b);
    mpfr_add(&s->right, &s->right, spill, MPFR_RNDU);
    mpfr_sub(&s->left, &s->left, spill, MPFR_RNDD);
    ival_clamp_ui(s, 0, 1);
    if (!mpfr_greaterequal_p(below, p->least)) /* there are atoms that were left out */
        mpfi_interv_si(s, 0, 1);
    mpfi_clear(b);
    mpfr_clear(below);
    mpfr_clear(eta);
    mpfr_clear(spill);
    for (size_t i = 0; i < 3; i++)
        mpfr_clear(real[i]);
}
