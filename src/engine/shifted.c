/* SPDX-License-Identifier: MIT */
/* A closed form of one law, shifted by each loss of the others. */
#include "engine/shifted.h"

#include <math.h>

#include "num/ival.h"

static size_t groups_of(const loss *l)
{
    return l->ops->groups != NULL ? l->ops->groups(l->self) : 0;
}

/* The one law without groups, where it has such a form. */
static const loss *only_closed(const product *list)
{
    const loss *found = NULL;
    for (size_t i = 0; i < list->count; i++) {
        if (groups_of(&list->item[i]) > 0)
            continue;
        if (found != NULL || list->item[i].ops->terms == NULL)
            return NULL;
        found = &list->item[i];
    }
    return found;
}

double shifted_terms(const product *list)
{
    const loss *law = only_closed(list);
    if (law == NULL)
        return INFINITY;
    double terms = law->ops->terms(law->self) + 1;
    for (size_t i = 0; i < list->count; i++)
        for (size_t j = 0; j < groups_of(&list->item[i]); j++)
            terms *= list->item[i].ops->group_size(list->item[i].self, j);
    return terms;
}

dp_status shifted_open(shifted_sum *p, const product *list, mpfr_prec_t bits, const limits *lim)
{
    *p = (shifted_sum){.law = only_closed(list), .bits = bits};
    mpfr_init2(p->eta, 64);
    mpfr_init2(p->error, 64);
    if (p->law == NULL || limits_expired(lim))
        return DP_LIMIT;
    return atoms_table(&p->table, p->eta, p->error, list, bits + 64) ? DP_OK : DP_MEMORY;
}

void shifted_close(shifted_sum *p)
{
    atoms_table_clear(&p->table);
    mpfr_clear(p->error);
    mpfr_clear(p->eta);
}

/* y = x - l, and what its error is */
static void shift(mpfi_t y, const shifted_sum *p, mpfr_srcptr l, const mpfi_t x)
{
    mpfi_sub_fr(y, x, l);
    mpfr_sub(&y->left, &y->left, p->eta, MPFR_RNDD);
    mpfr_add(&y->right, &y->right, p->eta, MPFR_RNDU);
}

bool shifted_profile(mpfi_t s, mpfr_t slope, const shifted_sum *p, const mpfi_t x)
{
    mpfr_prec_t work = p->bits + 64;
    mpfi_t y, part;
    mpfr_t fall;
    mpfi_init2(y, work);
    mpfi_init2(part, p->bits + 32);
    mpfr_init2(fall, 64);
    mpfi_set_prec(s, p->bits + 32);
    mpfi_set_ui(s, 0);
    mpfr_set_zero(slope, 1);
    bool ok = true;
    for (size_t i = 0; ok && i < p->table.count; i++) {
        shift(y, p, p->table.loss[i], x);
        ok = p->law->ops->profile(part, fall, p->law->self, y);
        mpfi_mul_fr(part, part, p->table.p[i]);
        mpfi_add(s, s, part);
        mpfr_mul(fall, fall, p->table.p[i], MPFR_RNDN);
        mpfr_add(slope, slope, fall, MPFR_RNDN);
    }
    mpfr_ui_sub(&part->left, 1, p->error, MPFR_RNDD);
    mpfr_add_ui(&part->right, p->error, 1, MPFR_RNDU);
    mpfi_mul(s, s, part);
    ival_clamp_ui(s, 0, 1);
    mpfr_clear(fall);
    mpfi_clear(part);
    mpfi_clear(y);
    return ok;
}
