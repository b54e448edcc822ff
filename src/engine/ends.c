/* SPDX-License-Identifier: MIT */
/* Few uses of laws with ends: opening. */
#include "engine/ends.h"

#include <math.h>

#include "num/ival.h"
#include "num/memory.h"

#define MOST_TERMS 128.0
#define MOST_OUTER 512.0
#define BOUND_BITS 64

static size_t groups_of(const loss *l)
{
    return l->ops->groups != NULL ? l->ops->groups(l->self) : 0;
}

/* The kinds of all laws, NULL: how many; the last one of the most uses. */
static size_t set_kinds(ends_kind *out, const product *list)
{
    size_t count = 0, most = 0;
    for (size_t i = 0; i < list->count; i++) {
        const loss *law = &list->item[i];
        for (size_t k = 0; law->ops->ends != NULL && k < law->ops->ends->kinds(law->self); k++) {
            if (out != NULL) {
                out[count] = (ends_kind){.law = law, .index = k};
                out[count].times = mpz_get_ui(law->ops->ends->times(law->self, k));
                most = out[count].times > out[most].times ? count : most;
            }
            count++;
        }
    }
    if (out != NULL && count > 0) {
        ends_kind last = out[most];
        out[most] = out[count - 1];
        out[count - 1] = last;
    }
    return count;
}

double ends_outer(double *most_terms, const product *list)
{
    double outer = 1, most = 0, kinds = 0;
    for (size_t i = 0; i < list->count; i++) {
        const loss *law = &list->item[i];
        size_t count = law->ops->ends != NULL ? law->ops->ends->kinds(law->self) : 0;
        for (size_t k = 0; k < count; k++, kinds++) {
            double terms = mpz_get_d(law->ops->ends->times(law->self, k)) + 1;
            outer *= terms;
            most = fmax(most, terms);
        }
        if (count == 0 && groups_of(law) == 0)
            return 0;
        for (size_t j = 0; count == 0 && j < groups_of(law); j++)
            outer *= law->ops->group_size(law->self, j);
    }
    *most_terms = most;
    return kinds == 0 || kinds > ENDS_KINDS || most > MOST_TERMS || !(outer / most <= MOST_OUTER)
               ? 0
               : outer / most;
}

/* ---- the outer terms ------------------------------------------------------------------------- */
static void set_place(mpfi_t to, const ends_sum *p, size_t o)
{
    unsigned long j[ENDS_KINDS];
    size_t atom = ends_numbers(j, p, o);
    mpfi_t part;
    mpfi_init2(part, mpfi_get_prec(to));
    mpfi_set_fr(to, p->table.loss[atom]);
    mpfr_sub(&to->left, &to->left, p->eta, MPFR_RNDD);
    mpfr_add(&to->right, &to->right, p->eta, MPFR_RNDU);
    for (size_t k = 0; k + 1 < p->kinds; k++) {
        mpfi_mul_ui(part, p->kind[k].high, j[k]);
        mpfi_add(to, to, part);
        mpfi_mul_ui(part, p->kind[k].low, p->kind[k].times - j[k]);
        mpfi_add(to, to, part);
    }
    mpfi_clear(part);
}

/* ---- opening --------------------------------------------------------------------------------- */
static dp_status set_outer(ends_sum *p, mpfr_prec_t bits)
{
    for (size_t k = 0; k < p->kinds; k++) {
        mpfi_init2(p->kind[k].low, bits);
        mpfi_init2(p->kind[k].high, bits);
    }
    if (!atoms_table(&p->table, p->eta, p->error, p->all->product, bits))
        return DP_MEMORY;
    p->outer = p->table.count;
    for (size_t k = 0; k < p->kinds; k++) {
        ends_kind *kind = &p->kind[k];
        kind->law->ops->ends->places(kind->low, kind->high, kind->law->self, kind->index);
        p->outer *= k + 1 < p->kinds ? kind->times + 1 : 1;
    }
    p->place = ends_list_new(p->outer, bits);
    p->cut = memory_new(p->outer, sizeof *p->cut);
    if (p->place == NULL || p->cut == NULL)
        return DP_MEMORY;
    for (size_t o = 0; o < p->outer; o++)
        set_place(p->place[o], p, o);
    return DP_OK;
}

/* About how far all sums of ends, and x, are from 0. */
static double range_of(const ends_sum *p, double x)
{
    const ends_kind *k = &p->kind[p->kinds - 1];
    double range = 0;
    for (size_t o = 0; o < p->outer; o++)
        range = fmax(range, fabs(mpfi_get_d(p->place[o])));
    double last = fmax(fabs(mpfi_get_d(k->low)), fabs(mpfi_get_d(k->high)));
    return range + last * (double)k->times + fabs(x);
}

/* Bytes of a ball: four numbers with their limbs and the allocator's share. */
#define BALL_BYTES 256.0

/* Nodes hold a number for each outer term and each part of the last kind, the line three. */
static bool has_room(const ends_sum *p, const limits *lim)
{
    double ball = BALL_BYTES + (double)p->work / 4;
    double each = (double)p->outer + (double)p->kind[p->kinds - 1].times + 8;
    double nodes = (double)p->ray[0].count + (double)p->ray[1].count;
    return limits_allow(lim, ball * (each * nodes + 6 * (double)(p->panels * p->points)));
}

dp_status ends_make_nodes(ends_sum *p, const limits *lim)
{
    ends_bounds(p, lim);
    dp_status status = ends_make_line(p, lim);
    for (int side = 0; status == DP_OK && side < 2; side++)
        status = limits_expired(lim) ? DP_LIMIT : ends_make_ray(p, side, lim);
    return status;
}

void ends_clear_nodes(ends_sum *p)
{
    for (int side = 0; side < 2; side++) {
        size_t count = p->ray[side].count,
               parts = p->kinds == 0 ? 0 : p->kind[p->kinds - 1].times + 2;
        ends_list_free(p->re[side], count);
        ends_list_free(p->im[side], count);
        cball_list_free(p->factor[side], count);
        cball_list_free(p->coefficient[side], count * p->outer);
        cball_list_free(p->sum[side], count * parts);
        p->re[side] = p->im[side] = NULL;
        p->factor[side] = p->coefficient[side] = p->sum[side] = NULL;
        p->far[side] = 0;
    }
    cball_list_free(p->near, p->panels * p->points);
    ends_list_free(p->height, p->panels * p->points);
    p->near = NULL;
    p->height = NULL;
}

/* How many bits s(x) lacks, about, of a relative 2^-bits: a plan does not know how small it is; and
 * is it that small? */
static double lacking_bits(bool *small, const ends_sum *p, double x, double bits)
{
    mpfi_t s, at;
    mpfr_t part;
    mpfi_init2(s, BOUND_BITS);
    mpfi_init2(at, BOUND_BITS);
    mpfr_init2(part, BOUND_BITS);
    mpfi_set_d(at, x);
    ends_profile(s, part, p, at);
    mpfr_sub(part, &s->right, &s->left, MPFR_RNDU);
    double lacking = -HUGE_VAL;
    if (mpfr_regular_p(part)) {
        mpfr_srcptr size = mpfr_regular_p(&s->left) ? &s->left : &s->right;
        mpfr_div(part, part, size, MPFR_RNDU);
        lacking = bits + (double)mpfr_get_exp(part);
    }
    *small = mpfr_zero_p(&s->right) || (double)mpfr_get_exp(&s->right) < -bits;
    mpfr_clear(part);
    mpfi_clear(at);
    mpfi_clear(s);
    return lacking;
}

#define FIRST_BITS 448 /* of places */
#define TRIES 3
#define SLACK_BITS 4

/* Plans and nodes, again with the bits that were lacking. What stays small is of use, all the same:
 * x may be beyond the top. */
static dp_status open_nodes(ends_sum *p, double x, double bits, const limits *lim)
{
    double more = 0;
    for (int i = 0; i < TRIES; i++) {
        bool small;
        if (!ends_plan(p, x, bits + more) || !has_room(p, lim) || !limits_time_for(lim, p->seconds))
            return DP_LIMIT;
        dp_status status = ends_make_nodes(p, lim);
        if (status != DP_OK)
            return status;
        double lacking = lacking_bits(&small, p, x, bits);
        if (lacking <= SLACK_BITS || (small && i + 1 == TRIES))
            return DP_OK;
        more += lacking + SLACK_BITS;
        ends_clear_nodes(p);
    }
    return DP_LIMIT;
}

dp_status ends_open(ends_sum *p, const totals *all, double x, mpfr_prec_t bits, const limits *lim)
{
    *p = (ends_sum){.all = all};
    mpfr_init2(p->eta, BOUND_BITS);
    mpfr_init2(p->error, BOUND_BITS);
    mpfi_ptr own[] = {p->log_most, p->k_below, p->k_above};
    for (size_t i = 0; i < 3; i++)
        mpfi_init2(own[i], BOUND_BITS);
    double most;
    if (!(ends_outer(&most, all->product) > 0) || limits_expired(lim))
        return DP_LIMIT;
    p->kinds = set_kinds(p->kind, all->product);
    dp_status status = set_outer(p, 2 * bits + FIRST_BITS);
    if (status != DP_OK)
        return status;
    p->range = range_of(p, x);
    return open_nodes(p, x, (double)bits, lim);
}

void ends_close(ends_sum *p)
{
    ends_clear_nodes(p);
    ends_list_free(p->place, p->outer);
    memory_free(p->cut);
    for (size_t k = 0; k < p->kinds; k++) {
        mpfi_clear(p->kind[k].low);
        mpfi_clear(p->kind[k].high);
    }
    atoms_table_clear(&p->table);
    mpfi_ptr own[] = {p->log_most, p->k_below, p->k_above};
    for (size_t i = 0; i < 3; i++)
        mpfi_clear(own[i]);
    mpfr_clear(p->error);
    mpfr_clear(p->eta);
}
