/* SPDX-License-Identifier: MIT */
/* Doubles whose errors are proved exclude leaves here; they decide nothing between those left. */
#include "vote/shortlist.h"

#include <float.h>
#include <math.h>

#include "num/binary64.h"
#include "num/memory.h"

typedef struct range {
    double low, high;
} range;

/* Of a difference or a sum of own B and other B'. With a and b these as computed and g the error of
 * the sums: own and other are within 1.01u, the products within u of themselves, so that the true
 * one is within (g + 2 g^2 + 2.1u)(a + b) of a - b or a + b; that, and its sum with the error,
 * round by u (a + b) each, and there is room for the error's own rounding. What is below the normal
 * numbers is charged where that can be. */
static double error_of(const aim *t, const leaf_sums *s, double both)
{
    double e = (s->error + t->spread + 8 * BINARY64_U) * both;
    return s->least > 0 || t->own < 0x1p-100 ? e + 0x1p-998 : e;
}

static range gap_range(const aim *t, const leaf_sums *s, size_t leaf)
{
    double a = t->own * s->sum[0][leaf], b = t->other * s->sum[1][leaf];
    double e = error_of(t, s, a + b);
    return (range){a - b - e, a - b + e};
}

/* B and B' within g of themselves and `least`, delta between its roundings; every further operation
 * rounds by u of a result that is a bound itself: 3u for the numerator or the denominator, which
 * 4u leaves room for, and 2u for the quotient. A denominator that may be 0 has no upper bound; a
 * quotient beyond all doubles has the largest of them for a lower one. */
static range ratio_range(const aim *t, const leaf_sums *s, size_t leaf)
{
    double b = s->sum[0][leaf], primed = s->sum[1][leaf], e = s->error + 4 * BINARY64_U;
    double most = b * (1 + e) + s->least - t->below, least = b * (1 - e) - s->least - t->above;
    double high = primed * (1 + e) + s->least, low = primed * (1 - e) - s->least;
    range out = {0, 0};
    if (most > 0)
        out.high = low > 0 ? most / low * (1 + 8 * BINARY64_U) : HUGE_VAL;
    if (least > 0 && high > 0)
        out.low = least / high * (1 - 8 * BINARY64_U);
    out.low = out.low > DBL_MAX / 2 ? DBL_MAX / 2 : out.low;
    return out;
}

/* How far (B - E B')/(1 + E) is from (max b - E min b)/(1 + E): a sum of products that are not
 * negative, whose error is small where it is small itself, as of many leaves that all but attain
 * it. */
static range distance(const aim *t, const leaf_sums *s, size_t leaf)
{
    double a = t->own * s->sum[2][leaf], b = t->other * s->sum[3][leaf];
    double e = error_of(t, s, a + b);
    return (range){a + b - e, a + b + e};
}

static range range_of(const aim *t, const leaf_sums *s, size_t leaf)
{
    return t->ratio ? ratio_range(t, s, leaf) : gap_range(t, s, leaf);
}

static bool matters(const aim *t, const leaf_sums *s, size_t leaf)
{
    return range_of(t, s, leaf).high >= t->floor && distance(t, s, leaf).low <= t->ceiling;
}

/* The least distance */
static void lower_ceiling(aim *t, const leaf_sums *s, size_t leaves)
{
    for (size_t i = 0; i < leaves; i++) {
        double far = distance(t, s, i).high;
        t->ceiling = far < t->ceiling ? far : t->ceiling;
    }
}

/* With r the largest ratio, B - r B' - delta is 0 where it is attained and at most 0 elsewhere: so
 * that it is where the distance with E = r is the least. r is from the floor to the largest upper
 * bound; where it is below the floor nothing matters. */
static void aim_at_ratio(aim *t, const leaf_sums *s, size_t leaves)
{
    double most = t->floor;
    for (size_t i = 0; i < leaves; i++) {
        double high = range_of(t, s, i).high;
        most = high > most ? high : most;
    }
    t->own = 1 / (1 + t->floor);
    t->other = t->floor / (1 + t->floor);
    t->spread = (most - t->floor) / t->floor * (1 + 0x1p-20) + 8 * BINARY64_U;
    if (t->spread < 0x1p-20)
        lower_ceiling(t, s, leaves);
    else
        t->spread = 0; /* the ceiling stays where it excludes nothing */
}

dp_status shortlist_open(shortlist *l, bool *few, const leaf_sums *s, size_t leaves, aim *t)
{
    size_t found = 0, most = 16 + leaves / 16;
    *l = (shortlist){NULL, leaves};
    for (size_t i = 0; t->best && i < leaves; i++) {
        double low = range_of(t, s, i).low;
        t->floor = low > t->floor ? low : t->floor;
    }
    if (t->ratio)
        aim_at_ratio(t, s, leaves);
    else if (t->best)
        lower_ceiling(t, s, leaves);
    for (size_t i = 0; i < leaves; i++)
        found += matters(t, s, i);
    *few = found <= most;
    if (!*few)
        return DP_OK;
    l->leaf = memory_new(found + 1, sizeof *l->leaf);
    if (l->leaf == NULL)
        return DP_MEMORY;
    l->count = 0;
    for (size_t i = 0; i < leaves; i++)
        if (matters(t, s, i))
            l->leaf[l->count++] = i;
    return DP_OK;
}

void shortlist_close(shortlist *l)
{
    memory_free(l->leaf);
}

bool aim_at(aim *t, const mpfi_t odds)
{
    mpfi_t w, z;
    mpfi_init2(w, 128);
    mpfi_init2(z, 128);
    mpfi_add_ui(w, odds, 1);
    mpfi_ui_div(w, 1, w);
    mpfi_ui_sub(z, 1, w);
    t->own = mpfr_get_d(&w->right, MPFR_RNDN);
    t->other = mpfr_get_d(&z->right, MPFR_RNDN);
    mpfr_sub(&w->left, &w->right, &w->left, MPFR_RNDU);
    bool narrow = t->own < 0x1p-200 || mpfr_get_d(&w->left, MPFR_RNDU) <= t->own * 0x1p-63;
    mpfi_clear(z);
    mpfi_clear(w);
    return narrow;
}
