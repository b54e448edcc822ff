/* SPDX-License-Identifier: MIT */
/* The pair of groups of k records (steps_groups.c) in rationals, where e^eps = R is one. */
#include "loss/steps_groups.h"

#include "loss/pair.h"
#include "num/memory.h"

/* v_0, ..., v_(k-1) as long as they are above 0: so many. */
static unsigned long exact_bends(mpq_t *v, mpq_srcptr odds, const mpq_t delta, unsigned long k)
{
    mpq_t part;
    mpq_init(part);
    mpq_set_ui(part, 1, 1);
    mpq_sub(v[0], part, delta);
    mpq_add(part, part, odds);
    mpq_div(v[0], v[0], part);
    unsigned long m = mpq_sgn(v[0]) > 0;
    for (; m > 0 && m < k; m++) {
        mpq_sub(v[m], v[m - 1], delta);
        mpq_div(v[m], v[m], odds);
        if (mpq_sgn(v[m]) <= 0)
            break;
    }
    mpq_clear(part);
    return m;
}

/* Where 2m = k: what m steep steps from 0, and as many others, leave. */
static void exact_keep(mpq_t keep, mpq_srcptr odds, const mpq_t delta, unsigned long m)
{
    mpq_t one;
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    mpq_set_ui(keep, 0, 1);
    for (unsigned long i = 0; i < m; i++) {
        mpq_mul(keep, keep, odds);
        mpq_add(keep, keep, delta);
    }
    mpq_sub(keep, one, keep);
    for (unsigned long i = 0; i < m; i++) {
        mpq_sub(keep, keep, delta);
        mpq_div(keep, keep, odds);
    }
    if (mpq_sgn(keep) < 0)
        mpq_set_ui(keep, 0, 1);
    mpq_clear(one);
}

/* p and q of the pieces, then of the leak and of its mirror image; returns how many. */
static size_t exact_outcomes(mpq_t *p, mpq_t *q, mpq_t *v, mpq_srcptr odds, unsigned long m,
                             unsigned long k)
{
    size_t count = 0;
    mpq_t leak, ratio;
    mpq_inits(leak, ratio, NULL);
    mpq_set_ui(leak, 1, 1);
    for (unsigned long i = m; 2 * i >= k && i + m >= k; i--) { /* and the mirror image of each */
        if (i == m)
            mpq_set(q[count], v[m - 1]);
        else
            mpq_sub(q[count], v[i - 1], v[i]);
        mpz_pow_ui(mpq_numref(ratio), mpq_numref(odds), 2 * i - k);
        mpz_pow_ui(mpq_denref(ratio), mpq_denref(odds), 2 * i - k);
        mpq_mul(p[count], q[count], ratio);
        mpq_sub(leak, leak, p[count++]);
        if (2 * i == k)
            break;
        mpq_set(p[count], q[count - 1]);
        mpq_set(q[count], p[count - 1]);
        mpq_sub(leak, leak, p[count++]);
    }
    mpq_set(p[count], leak);
    mpq_set_ui(q[count++], 0, 1);
    mpq_set_ui(p[count], 0, 1);
    mpq_set(q[count++], leak);
    mpq_clears(leak, ratio, NULL);
    return count;
}

dp_status steps_group_add_exact(product *to, mpq_srcptr odds, const mpq_t delta, unsigned long k,
                                const mpz_t times)
{
    mpq_t *all = memory_new(3 * (k + 4), sizeof *all);
    if (all == NULL)
        return DP_MEMORY;
    for (size_t j = 0; j < 3 * (k + 4); j++)
        mpq_init(all[j]);
    mpq_t *p = all, *q = all + (k + 4), *v = q + (k + 4);
    unsigned long m = exact_bends(v, odds, delta, k);
    if (m > 0 && 2 * m == k)
        exact_keep(v[m - 1], odds, delta, m);
    size_t count = exact_outcomes(p, q, v, odds, m, k);
    dp_status status = pair_add(to, (const mpq_t *)p, (const mpq_t *)q, count, false, times);
    for (size_t j = 0; j < 3 * (k + 4); j++)
        mpq_clear(all[j]);
    memory_free(all);
    return status;
}
