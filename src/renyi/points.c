/* SPDX-License-Identifier: MIT */
/* The curve between points that are known: their lower convex hull. */
#include "renyi/points.h"

#include <stdlib.h>

#include "num/memory.h"

typedef struct known {
    mpq_srcptr alpha, r;
} known;

/* By order; at one order the least bound comes first. */
static int compare(const void *a, const void *b)
{
    const known *x = a, *y = b;
    int order = mpq_cmp(x->alpha, y->alpha);
    return order != 0 ? order : mpq_cmp(x->r, y->r);
}

/* Is the middle of three corners on or above the chord of the others? */
static bool above_chord(const mpq_t x0, const mpq_t y0, const mpq_t x1, const mpq_t y1,
                        const mpq_t x2, const mpq_t y2)
{
    mpq_t a, b, c;
    mpq_inits(a, b, c, NULL);
    mpq_sub(a, y1, y0);
    mpq_sub(c, x2, x0);
    mpq_mul(a, a, c); /* (y1 - y0) (x2 - x0) */
    mpq_sub(b, y2, y0);
    mpq_sub(c, x1, x0);
    mpq_mul(b, b, c); /* (y2 - y0) (x1 - x0) */
    bool above = mpq_cmp(a, b) >= 0;
    mpq_clears(a, b, c, NULL);
    return above;
}

/* Adds a corner to the right of all others, which takes away those above the new chord. */
static void add_corner(renyi_points *p, const known *at)
{
    mpq_t one, none, moment;
    mpq_inits(one, none, moment, NULL);
    mpq_set_ui(one, 1, 1);
    mpq_sub(moment, at->alpha, one);
    mpq_mul(moment, moment, at->r);
    while (p->count > 0) {
        size_t last = p->count - 1;
        if (!above_chord(last > 0 ? p->alpha[last - 1] : one, last > 0 ? p->moment[last - 1] : none,
                         p->alpha[last], p->moment[last], at->alpha, moment))
            break;
        mpq_clears(p->alpha[last], p->moment[last], NULL);
        p->count--;
    }
    mpq_inits(p->alpha[p->count], p->moment[p->count], NULL);
    mpq_set(p->alpha[p->count], at->alpha);
    mpq_set(p->moment[p->count], moment);
    p->count++;
    mpq_clears(one, none, moment, NULL);
}

bool renyi_points_init(renyi_points *p, const mpq_t *alpha, const mpq_t *r, size_t step,
                       size_t count)
{
    *p = (renyi_points){0};
    known *all = memory_new(count, sizeof *all);
    p->alpha = memory_new(count, sizeof *p->alpha);
    p->moment = memory_new(count, sizeof *p->moment);
    bool ok = all != NULL && p->alpha != NULL && p->moment != NULL;
    for (size_t i = 0; ok && i < count; i++)
        all[i] = (known){alpha[i * step], r[i * step]};
    if (ok)
        qsort(all, count, sizeof *all, compare);
    for (size_t i = 0; ok && i < count; i++)
        if (i == 0 || mpq_cmp(all[i].alpha, all[i - 1].alpha) != 0)
            add_corner(p, &all[i]);
    memory_free(all);
    return ok;
}

void renyi_points_clear(renyi_points *p)
{
    for (size_t i = 0; i < p->count; i++)
        mpq_clears(p->alpha[i], p->moment[i], NULL);
    memory_free(p->alpha);
    memory_free(p->moment);
    *p = (renyi_points){0};
}

bool renyi_points_at(mpq_t r, const renyi_points *p, mpq_srcptr alpha)
{
    size_t low = 0, high = p->count; /* the first corner at or above alpha */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (mpq_cmp(p->alpha[middle], alpha) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == p->count)
        return false;
    mpq_t x0, y0, part;
    mpq_inits(x0, y0, part, NULL);
    mpq_set_ui(x0, 1, 1);
    if (mpq_cmp(alpha, x0) <= 0) /* at the limit: r does not fall, and is constant below a corner */
        alpha = p->alpha[0];
    if (low > 0) {
        mpq_set(x0, p->alpha[low - 1]);
        mpq_set(y0, p->moment[low - 1]);
    }
    mpq_sub(r, p->moment[low], y0);
    mpq_sub(part, p->alpha[low], x0);
    mpq_div(r, r, part);
    mpq_sub(part, alpha, x0);
    mpq_mul(r, r, part);
    mpq_add(r, r, y0); /* the moment at alpha */
    mpq_set_ui(part, 1, 1);
    mpq_sub(part, alpha, part);
    mpq_div(r, r, part);
    mpq_clears(x0, y0, part, NULL);
    return true;
}

static void points_at(mpfi_t r, const void *of, mpq_srcptr alpha)
{
    mpq_t exact;
    mpq_init(exact);
    if (renyi_points_at(exact, of, alpha)) {
        mpfi_set_q(r, exact);
    } else {
        mpfr_set_inf(&r->left, 1);
        mpfr_set_inf(&r->right, 1);
    }
    mpq_clear(exact);
}

renyi_curve renyi_points_curve(const renyi_points *p)
{
    return (renyi_curve){.at = points_at,
                         .of = p,
                         .most = p->count > 0 ? p->alpha[p->count - 1] : NULL,
                         .corner = (const mpq_t *)p->alpha,
                         .corners = p->count};
}
