/* SPDX-License-Identifier: MIT */
/* All losses of a discrete law: the multinomial counts of the outcomes of its uses, in one group or
 * in two. */
#include <math.h>

#include "loss/discrete.h"
#include "num/memory.h"
#include "num/number.h"

/* More losses than this are cut into two groups of half the uses; so many in one are too many. */
#define ONE_GROUP 4096.0
#define MOST_LOSSES 1e7
#define SPARE_BITS 32
/* Beyond so many bits a loss near 0 that is not known to be 0 is left as it is. */
#define LOSS_BITS 4096

/* C(t + m - 1, m - 1), about; m or t may be 0 */
static double compositions(double t, size_t m)
{
    double n = 1;
    for (size_t i = 1; i < m && n < 1e300; i++)
        n *= (t + (double)i) / (double)i;
    return n;
}

size_t discrete_groups(const void *self)
{
    const discrete *d = self;
    double t = mpz_get_d(d->times);
    return t >= 2 && compositions(t, d->count) > ONE_GROUP ? 2 : 1;
}

bool discrete_equal_groups(const void *self)
{
    return discrete_groups(self) == 2 && mpz_even_p(((const discrete *)self)->times);
}

void discrete_group_times(mpz_t times, const discrete *d, size_t group)
{
    mpz_set(times, d->times);
    if (discrete_groups(d) == 1)
        return;
    mpz_fdiv_q_2exp(times, times, 1);
    if (group == 1)
        mpz_sub(times, d->times, times);
}

double discrete_group_size(const void *self, size_t group)
{
    const discrete *d = self;
    mpz_t times;
    mpz_init(times);
    discrete_group_times(times, d, group);
    double n = rint(compositions(mpz_get_d(times), d->count));
    bool counts = n <= MOST_LOSSES && mpz_fits_ulong_p(times);
    mpz_clear(times);
    return counts ? n : HUGE_VAL;
}

/* Where the enumeration writes, and what it has counted so far. */
typedef struct listing {
    const discrete *law;
    const outcome *one; /* one use */
    mpfr_t *lost, *p, *q;
    size_t next;
    mpfr_prec_t bits;      /* of the numbers that are set */
    unsigned long *counts; /* of each outcome */
    /* with three outcomes or more: k uses of outcome j, and what stands before outcome j */
    outcome *table, *before;
    unsigned long times;
} listing;

/* x is known to within 2^-bits relative to each number in it. */
static bool narrow(const mpfi_t x, mpfr_prec_t bits)
{
    if (mpfi_has_zero(x))
        return mpfr_zero_p(&x->left) && mpfr_zero_p(&x->right);
    mpfr_t width, size;
    mpfr_init2(width, 32);
    mpfr_init2(size, 32);
    mpfi_mig(size, x);
    mpfr_mul_2si(size, size, -bits, MPFR_RNDD);
    mpfr_sub(width, &x->right, &x->left, MPFR_RNDU);
    bool ok = mpfr_lessequal_p(width, size);
    mpfr_clear(width);
    mpfr_clear(size);
    return ok;
}

/* Are the counted losses together exactly 0? */
static bool cancels(const listing *to)
{
    logform f;
    mpq_t times;
    logform_init(&f);
    mpq_init(times);
    bool ok = to->law->loss != NULL;
    for (size_t j = 0; ok && j < to->law->count; j++) {
        mpq_set_ui(times, to->counts[j], 1);
        ok = mpq_sgn(times) == 0 || logform_add_number(&f, times, &to->law->loss[j]);
    }
    ok = ok && logform_is_zero(&f);
    mpq_clear(times);
    logform_clear(&f);
    return ok;
}

/* The loss of what is counted, where terms of both signs left too few of its digits. */
static void resolve(mpfr_t lost, const listing *to)
{
    if (cancels(to)) {
        mpfr_set_ui(lost, 0, MPFR_RNDN);
        return;
    }
    const discrete *d = to->law;
    outcome part;
    mpfi_t sum;
    mpfi_init2(sum, 64);
    outcome_init(&part, 64);
    for (mpfr_prec_t bits = 2 * to->bits + 64; bits <= 2 * to->bits + LOSS_BITS; bits *= 2) {
        mpfi_set_prec(sum, bits);
        mpfi_set_prec(part.loss, bits);
        mpfi_set_ui(sum, 0);
        for (size_t j = 0; j < d->count; j++) {
            if (to->counts[j] == 0)
                continue;
            d->enclose(&part, d, j);
            mpfi_mul_ui(part.loss, part.loss, to->counts[j]);
            mpfi_add(sum, sum, part.loss);
        }
        if (narrow(sum, to->bits + 1))
            break;
    }
    mpfi_get_fr(lost, sum);
    outcome_clear(&part);
    mpfi_clear(sum);
}

static void write(listing *to, const outcome *all)
{
    size_t i = to->next++;
    if (narrow(all->loss, to->bits + 1))
        mpfi_get_fr(to->lost[i], all->loss);
    else
        resolve(to->lost[i], to);
    mpfi_get_fr(to->p[i], all->mass);
    mpfi_get_fr(to->q[i], all->qmass);
}

/* x = base^k, base > 0 */
static void power(mpfi_t x, const mpfi_t base, unsigned long k)
{
    mpfi_t square;
    mpfi_init2(square, mpfi_get_prec(x));
    mpfi_set(square, base);
    mpfi_set_ui(x, 1);
    for (; k > 0; k >>= 1) {
        if (k & 1)
            mpfi_mul(x, x, square);
        if (k > 1)
            mpfi_sqr(square, square);
    }
    mpfi_clear(square);
}

/* all = before and k uses of one outcome, in C(left, k) ways of which `ways` is one factor */
static void step_on(outcome *all, const outcome *one, unsigned long left, unsigned long k)
{
    mpfi_add(all->loss, all->loss, one->loss);
    mpfi_ptr mass[] = {all->mass, all->qmass};
    mpfi_srcptr by[] = {one->mass, one->qmass};
    for (size_t i = 0; i < 2; i++) {
        mpfi_mul(mass[i], mass[i], by[i]);
        mpfi_mul_ui(mass[i], mass[i], left - k + 1);
        mpfi_div_ui(mass[i], mass[i], k);
    }
}

/* All ways in which outcomes j, j + 1, ... share `left` uses, after those of `before`: C(left, k)
 * P_j^k for k = 0 .. left, of which the last outcome takes what is left. */
static void share(listing *to, const outcome *before, size_t j, unsigned long left)
{
    const outcome *one = &to->one[j];
    outcome all;
    outcome_init(&all, mpfi_get_prec(before->mass));
    mpfi_set(all.loss, before->loss);
    mpfi_set(all.mass, before->mass);
    mpfi_set(all.qmass, before->qmass);
    if (left == 0) {
        write(to, &all);
    } else if (j + 1 == to->law->count) {
        to->counts[j] = left;
        mpfi_mul_ui(all.loss, one->loss, left);
        mpfi_add(all.loss, all.loss, before->loss);
        power(all.mass, one->mass, left);
        mpfi_mul(all.mass, all.mass, before->mass);
        power(all.qmass, one->qmass, left);
        mpfi_mul(all.qmass, all.qmass, before->qmass);
        write(to, &all);
        to->counts[j] = 0;
    } else {
        for (unsigned long k = 0; k <= left; k++) {
            if (k > 0)
                step_on(&all, one, left, k);
            to->counts[j] = k;
            share(to, &all, j + 1, left - k);
        }
        to->counts[j] = 0;
    }
    outcome_clear(&all);
}

/* out = a and b */
static void join(outcome *out, const outcome *a, const outcome *b)
{
    mpfi_add(out->loss, a->loss, b->loss);
    mpfi_mul(out->mass, a->mass, b->mass);
    mpfi_mul(out->qmass, a->qmass, b->qmass);
}

static void drop(outcome *list, size_t count)
{
    for (size_t i = 0; list != NULL && i < count; i++)
        outcome_clear(&list[i]);
    memory_free(list);
}

static outcome *outcomes(size_t count, mpfr_prec_t bits)
{
    outcome *list = memory_new(count, sizeof *list);
    for (size_t i = 0; list != NULL && i < count; i++)
        outcome_init(&list[i], bits);
    return list;
}

/* table[j (t + 1) + k] has k l_j, P_j^k / k! and Q_j^k / k!, and before[0] has 0 and t!: with one
 * of each row it makes a multinomial mass. */
static bool fill_table(listing *to, mpfr_prec_t bits)
{
    size_t count = to->law->count, row = to->times + 1;
    to->table = outcomes(count * row, bits);
    to->before = outcomes(count, bits);
    if (to->table == NULL || to->before == NULL)
        return false;
    for (size_t j = 0; j < count; j++)
        for (unsigned long k = 0; k < row; k++) {
            outcome *at = &to->table[j * row + k];
            mpfi_mul_ui(at->loss, to->one[j].loss, k);
            mpfi_set_ui(at->mass, 1);
            mpfi_set_ui(at->qmass, 1);
            if (k == 0)
                continue;
            mpfi_mul(at->mass, at[-1].mass, to->one[j].mass);
            mpfi_mul(at->qmass, at[-1].qmass, to->one[j].qmass);
            mpfi_div_ui(at->mass, at->mass, k);
            mpfi_div_ui(at->qmass, at->qmass, k);
        }
    mpfi_set_ui(to->before->loss, 0);
    mpfi_set_ui(to->before->mass, 1);
    for (unsigned long k = 2; k < row; k++)
        mpfi_mul_ui(to->before->mass, to->before->mass, k);
    mpfi_set(to->before->qmass, to->before->mass);
    return true;
}

/* As share. Of what is left nothing the rest has one way, and none of an outcome changes nothing:
 * with a thousand outcomes most are left out. */
static void share_table(listing *to, const outcome *before, size_t j, unsigned long left,
                        outcome *last)
{
    const outcome *row = &to->table[j * (to->times + 1)];
    if (left == 0 || j + 1 == to->law->count) {
        to->counts[j] = left;
        join(last, before, &row[left]);
        write(to, last);
        to->counts[j] = 0;
        return;
    }
    share_table(to, before, j + 1, left, last);
    for (unsigned long k = 1; k <= left; k++) {
        join(&to->before[j + 1], before, &row[k]);
        to->counts[j] = k;
        share_table(to, &to->before[j + 1], j + 1, left - k, last);
    }
    to->counts[j] = 0;
}

/* Out of memory, which the query says, the group has no mass. */
static void list_by_table(listing *to, mpfr_prec_t bits, size_t size)
{
    outcome last;
    outcome_init(&last, bits);
    bool ok = fill_table(to, bits);
    if (ok)
        share_table(to, to->before, 0, to->times, &last);
    for (size_t i = 0; !ok && i < size; i++) {
        mpfr_set_zero(to->lost[i], 1);
        mpfr_set_zero(to->p[i], 1);
        mpfr_set_zero(to->q[i], 1);
    }
    outcome_clear(&last);
    drop(to->table, to->law->count * (to->times + 1));
    drop(to->before, to->law->count);
}

/* Each mass is a product of at most 3t + 2m factors, each with a few roundings, and 32 spare bits
 * and those of t outweigh them; losses are checked one by one. */
void discrete_group(mpfr_t *lost, mpfr_t *p, mpfr_t *q, const void *self, size_t group)
{
    const discrete *d = self;
    mpz_t times;
    mpz_init(times);
    discrete_group_times(times, d, group);
    mpfr_prec_t bits = mpfr_get_prec(lost[0]);
    mpfr_prec_t wide = bits + SPARE_BITS + (mpfr_prec_t)mpz_sizeinbase(times, 2);
    listing to = {.law = d,
                  .one = discrete_outcomes(d, wide),
                  .lost = lost,
                  .p = p,
                  .q = q,
                  .bits = bits,
                  .counts = d->counts,
                  .times = mpz_get_ui(times)};
    for (size_t j = 0; j < d->count; j++)
        to.counts[j] = 0;
    mpz_clear(times);
    if (d->count > 2) {
        list_by_table(&to, wide, (size_t)discrete_group_size(self, group));
        return;
    }
    outcome none;
    outcome_init(&none, wide);
    mpfi_set_ui(none.loss, 0);
    mpfi_set_ui(none.mass, 1);
    mpfi_set_ui(none.qmass, 1);
    share(&to, &none, 0, to.times);
    outcome_clear(&none);
}
