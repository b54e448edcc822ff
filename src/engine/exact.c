/* SPDX-License-Identifier: MIT */
/* Profiles that are rational: those of laws with rational masses, at a rational e^x. */
#include "engine/profile.h"
#include "num/memory.h"

/* Losses of all groups together, and bits of e^x, up to which the sum is formed. */
#define MOST_LOSSES 4096.0
#define ODDS_BITS 65536
#define TABLE_BITS (UINT64_C(1) << 27)

/* P and Q masses of losses, over one denominator. */
typedef struct table {
    mpz_t *p, *q, scale;
    size_t count;
} table;

static bool table_init(table *t, size_t count)
{
    mpz_init_set_ui(t->scale, 1);
    t->p = memory_new(2 * count, sizeof *t->p);
    t->count = t->p != NULL ? count : 0;
    t->q = t->p + t->count;
    for (size_t i = 0; i < 2 * t->count; i++)
        mpz_init(t->p[i]);
    return t->p != NULL;
}

static void table_clear(table *t)
{
    for (size_t i = 0; i < 2 * t->count; i++)
        mpz_clear(t->p[i]);
    memory_free(t->p);
    mpz_clear(t->scale);
}

/* t = t x group */
static bool join(table *t, const loss *law, size_t group)
{
    table one, all;
    bool ok = table_init(&one, (size_t)law->ops->group_size(law->self, group));
    ok = table_init(&all, one.count * t->count) && ok &&
         law->ops->exact_group(one.p, one.q, one.scale, law->self, group);
    size_t n = 0;
    for (size_t i = 0; ok && i < t->count; i++)
        for (size_t j = 0; j < one.count; j++, n++) {
            mpz_mul(all.p[n], t->p[i], one.p[j]);
            mpz_mul(all.q[n], t->q[i], one.q[j]);
        }
    mpz_mul(all.scale, t->scale, one.scale);
    ok = ok && (uint64_t)mpz_sizeinbase(all.scale, 2) * all.count <= TABLE_BITS;
    table_clear(&one);
    table_clear(t);
    *t = all;
    return ok;
}

/* e^x where x is a sum of whole logarithms; false where it is not, or too long. */
static bool set_odds(mpq_t odds, const logform *x)
{
    mpq_t power;
    mpq_init(power);
    mpq_set_ui(odds, 1, 1);
    bool ok = mpq_sgn(x->rational) == 0;
    for (size_t i = 0; ok && i < x->count; i++) {
        const logterm *t = &x->term[i];
        mpz_srcptr c = mpq_numref(t->coefficient);
        size_t bits =
            mpz_sizeinbase(mpq_numref(t->base), 2) + mpz_sizeinbase(mpq_denref(t->base), 2);
        ok = mpz_cmp_ui(mpq_denref(t->coefficient), 1) == 0 && mpz_cmpabs_ui(c, ODDS_BITS) < 0 &&
             bits < ODDS_BITS && mpz_get_ui(c) * bits < ODDS_BITS;
        if (!ok)
            break;
        mpz_pow_ui(mpq_numref(power), mpq_numref(t->base), mpz_get_ui(c)); /* |c| */
        mpz_pow_ui(mpq_denref(power), mpq_denref(t->base), mpz_get_ui(c));
        if (mpz_sgn(c) < 0)
            mpq_inv(power, power);
        mpq_mul(odds, odds, power);
    }
    mpq_clear(power);
    return ok;
}

/* sum (P - e^x Q)_+ */
static void sum_positive(mpq_t out, const table *t, const mpq_t odds)
{
    mpz_t sum, part, other;
    mpz_inits(sum, part, other, NULL);
    for (size_t i = 0; i < t->count; i++) {
        mpz_mul(part, t->p[i], mpq_denref(odds));
        mpz_mul(other, t->q[i], mpq_numref(odds));
        if (mpz_cmp(part, other) > 0) {
            mpz_add(sum, sum, part);
            mpz_sub(sum, sum, other);
        }
    }
    mpz_set(mpq_numref(out), sum);
    mpz_mul(mpq_denref(out), t->scale, mpq_denref(odds));
    mpq_canonicalize(out);
    mpz_clears(sum, part, other, NULL);
}

static bool few_losses(const product *p)
{
    double losses = 1;
    for (size_t i = 0; i < p->count; i++) {
        const loss_ops *ops = p->item[i].ops;
        size_t groups = ops->groups != NULL ? ops->groups(p->item[i].self) : 0;
        if (groups == 0 || ops->exact_group == NULL)
            return false;
        for (size_t j = 0; j < groups && losses <= MOST_LOSSES; j++)
            losses *= ops->group_size(p->item[i].self, j);
    }
    return losses <= MOST_LOSSES;
}

static bool exact_sum(mpq_t out, const product *p, const logform *x)
{
    mpq_t odds;
    table t;
    if (!few_losses(p))
        return false;
    mpq_init(odds);
    bool ok = table_init(&t, 1) && set_odds(odds, x);
    if (ok) {
        mpz_set_ui(t.p[0], 1);
        mpz_set_ui(t.q[0], 1);
    }
    for (size_t i = 0; i < p->count; i++)
        for (size_t j = 0; ok && j < p->item[i].ops->groups(p->item[i].self); j++)
            ok = join(&t, &p->item[i], j);
    if (ok)
        sum_positive(out, &t, odds);
    table_clear(&t);
    mpq_clear(odds);
    return ok;
}

bool exact_profile(mpq_t out, const product *p, const logform *x)
{
    if (p->count == 0)
        mpq_set_ui(out, 0, 1);
    if (p->count == 0 || (p->count == 1 && p->item[0].ops->exact != NULL &&
                          p->item[0].ops->exact(out, p->item[0].self, x)))
        return true;
    return exact_sum(out, p, x);
}
