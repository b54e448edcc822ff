/* SPDX-License-Identifier: MIT */
/* Values of the profile that are rational, decided without rounding. With odds e^r (r rational) or
 * R (epsilon = ln R), s(x) = N/M where N and M are sums of c_j e^(r_j), r_j distinct rationals:
 *     N = sum over atoms l > x of (product of the odds of the plus signs - e^x that of the minus),
 *     M = prod (1 + odds)^times = sum over all atoms of the product of the odds of the plus signs.
 * The e^(r_j) are linearly independent over the rationals (Lindemann-Weierstrass): s is rational
 * exactly when every coefficient of N is the same multiple of that of M. */
#include <stdlib.h>

#include "loss/response.h"
#include "num/memory.h"
#include "num/number.h"

#define EXACT_ATOMS 4096UL
#define EXACT_BITS 65536UL
#define TABLE_BITS (1UL << 27) /* of the coefficients of all powers together */
#define SIGN_BITS 4096

/* e^exponent with its coefficients, times the denominators that all share. */
typedef struct power {
    mpq_t exponent;
    mpz_t above, below; /* in N, in M */
} power;

/* A walk through the atoms: the counts of minus signs of the losses of rational epsilon, which
 * stand first and set the exponents, and for each of them those of the logarithms. */
typedef struct census {
    const response *list;
    size_t rationals;
    unsigned long *minus;
    mpq_t odds; /* e^x without its rational part */
    mpq_srcptr lift;
    power *power;
    size_t powers;
} census;

/* Sizes of prod (times + 1), of prod (1 + R)^times, and of a table of coefficients. *rationals =
 * the losses of rational epsilon; with no other s is never rational below the sum: the highest
 * power stands in N and in M once, and s < 1. */
static bool fits(size_t *rationals, const response *list)
{
    mpz_t count, groups, bits, part;
    mpz_init_set_ui(count, 1);
    mpz_init_set_ui(groups, 1);
    mpz_inits(bits, part, NULL);
    *rationals = 0;
    for (size_t i = 0; i < list->losses; i++) {
        const composed_loss *l = &list->loss[i];
        mpz_add_ui(part, l->times, 1);
        mpz_mul(count, count, part);
        if (!l->epsilon.is_log) {
            mpz_mul(groups, groups, part);
            ++*rationals;
        }
        mpz_mul_ui(part, l->times, number_bits(&l->epsilon));
        if (!l->epsilon.is_log)
            mpz_set(part, l->times); /* the binomial alone */
        mpz_add(bits, bits, part);
    }
    bool ok = mpz_cmp_ui(count, EXACT_ATOMS) <= 0 && mpz_cmp_ui(bits, EXACT_BITS) <= 0;
    mpz_mul(bits, bits, groups);
    ok = ok && mpz_cmp_ui(bits, TABLE_BITS) <= 0;
    mpz_clears(count, groups, bits, part, NULL);
    return ok && (*rationals < list->losses || list->losses == 0);
}

/* e^x without its rational part: only sums of whole logarithms are rational. */
static bool set_odds(mpq_t out, const logform *x)
{
    mpq_set_ui(out, 1, 1);
    for (size_t i = 0; i < x->count; i++) {
        const logterm *t = &x->term[i];
        if (mpz_cmp_ui(mpq_denref(t->coefficient), 1) != 0 ||
            mpz_cmpabs_ui(mpq_numref(t->coefficient), 1) != 0)
            return false;
        if (mpq_sgn(t->coefficient) > 0)
            mpq_mul(out, out, t->base);
        else
            mpq_div(out, out, t->base);
    }
    return true;
}

static bool census_init(census *c, const response *list, const logform *x)
{
    *c = (census){.list = list, .lift = x->rational};
    mpq_init(c->odds);
    if (!fits(&c->rationals, list) || !set_odds(c->odds, x) ||
        (c->rationals == 0 && mpq_sgn(c->lift) != 0))
        return false;
    size_t groups = 1;
    for (size_t i = 0; i < c->rationals; i++)
        groups *= mpz_get_ui(list->loss[i].times) + 1;
    c->minus = memory_zero(list->losses + 1, sizeof *c->minus);
    c->power = memory_new(2 * groups, sizeof *c->power);
    return c->minus != NULL && c->power != NULL;
}

static void census_clear(census *c)
{
    for (size_t i = 0; i < c->powers; i++) {
        mpq_clear(c->power[i].exponent);
        mpz_clears(c->power[i].above, c->power[i].below, NULL);
    }
    memory_free(c->power);
    memory_free(c->minus);
    mpq_clear(c->odds);
}

/* The next counts of the losses [from, to); false after the last. */
static bool next(census *c, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        if (++c->minus[i] <= mpz_get_ui(c->list->loss[i].times))
            return true;
        c->minus[i] = 0;
    }
    return false;
}

static void multiply_power(mpz_t x, mpz_srcptr base, unsigned long exponent)
{
    mpz_t part;
    mpz_init(part);
    mpz_pow_ui(part, base, exponent);
    mpz_mul(x, x, part);
    mpz_clear(part);
}

/* The odds of the plus signs and of the minus signs at these counts, without the powers of e, over
 * a common denominator: R = a/b gives C(t,m) a^(t-m) b^m and C(t,m) a^m b^(t-m). */
static void set_atom(mpz_t plus, mpz_t minus, const census *c)
{
    mpz_t ways;
    mpz_init(ways);
    mpz_set(plus, mpq_denref(c->odds));
    mpz_set(minus, mpq_numref(c->odds));
    for (size_t i = 0; i < c->list->losses; i++) {
        const composed_loss *l = &c->list->loss[i];
        unsigned long t = mpz_get_ui(l->times), m = c->minus[i];
        mpz_bin_uiui(ways, t, m);
        mpz_mul(plus, plus, ways);
        mpz_mul(minus, minus, ways);
        if (!l->epsilon.is_log)
            continue;
        mpz_srcptr a = mpq_numref(number_odds(&l->epsilon));
        mpz_srcptr b = mpq_denref(number_odds(&l->epsilon));
        multiply_power(plus, a, t - m);
        multiply_power(plus, b, m);
        multiply_power(minus, a, m);
        multiply_power(minus, b, t - m);
    }
    mpz_clear(ways);
}

/* *above: l > x at these counts, where e^(l - x) = e^gap plus/minus. */
static bool compare_atom(bool *above, const mpq_t gap, const mpz_t plus, const mpz_t minus)
{
    int sign = mpz_cmp(plus, minus);
    bool ok = true;
    if (mpq_sgn(gap) != 0) {
        logform log;
        mpq_t ratio, one;
        logform_init(&log);
        mpq_inits(ratio, one, NULL);
        mpq_set_ui(one, 1, 1);
        mpq_set_num(ratio, plus);
        mpq_set_den(ratio, minus);
        mpq_canonicalize(ratio);
        mpq_set(log.rational, gap);
        ok = logform_add_log(&log, one, ratio) && logform_sign(&sign, &log, SIGN_BITS);
        mpq_clears(ratio, one, NULL);
        logform_clear(&log);
    }
    *above = sign > 0;
    return ok;
}

static power *new_power(census *c)
{
    power *p = &c->power[c->powers++];
    mpq_init(p->exponent);
    mpz_inits(p->above, p->below, NULL);
    return p;
}

/* plus = sum r (t - m), minus = sum r m + the rational part of x, over the rational epsilons r */
static void set_exponents(mpq_t plus, mpq_t minus, const census *c)
{
    mpq_t part;
    mpq_init(part);
    mpq_set_ui(plus, 0, 1);
    mpq_set(minus, c->lift);
    for (size_t i = 0; i < c->rationals; i++) {
        const composed_loss *l = &c->list->loss[i];
        mpq_set_ui(part, mpz_get_ui(l->times) - c->minus[i], 1);
        mpq_mul(part, part, number_rational(&l->epsilon));
        mpq_add(plus, plus, part);
        mpq_set_ui(part, c->minus[i], 1);
        mpq_mul(part, part, number_rational(&l->epsilon));
        mpq_add(minus, minus, part);
    }
    mpq_clear(part);
}

/* Adds the atoms of one choice of minus signs among the rational epsilons: two powers. */
static bool add_group(census *c)
{
    power *up = new_power(c), *down = new_power(c);
    mpq_t gap;
    mpz_t plus, minus;
    mpq_init(gap);
    mpz_inits(plus, minus, NULL);
    set_exponents(up->exponent, down->exponent, c);
    mpq_sub(gap, up->exponent, down->exponent);
    bool ok = true;
    do {
        bool above;
        set_atom(plus, minus, c);
        ok = compare_atom(&above, gap, plus, minus);
        mpz_add(up->below, up->below, plus);
        if (ok && above) {
            mpz_add(up->above, up->above, plus);
            mpz_sub(down->above, down->above, minus);
        }
    } while (ok && next(c, c->rationals, c->list->losses));
    mpz_clears(plus, minus, NULL);
    mpq_clear(gap);
    return ok;
}

static int by_exponent(const void *a, const void *b)
{
    return mpq_cmp(((const power *)a)->exponent, ((const power *)b)->exponent);
}

/* Adds up the coefficients of equal powers: each sum stands at the last of them. */
static void merge(census *c)
{
    qsort(c->power, c->powers, sizeof *c->power, by_exponent);
    for (size_t i = 1; i < c->powers; i++) {
        power *last = &c->power[i - 1], *p = &c->power[i];
        if (!mpq_equal(last->exponent, p->exponent))
            continue;
        mpz_add(p->above, p->above, last->above);
        mpz_add(p->below, p->below, last->below);
        mpz_set_ui(last->above, 0);
        mpz_set_ui(last->below, 0);
    }
}

/* The multiple that N is of M, if it is one. */
static bool find_multiple(mpq_t out, const census *c)
{
    mpz_t a, b;
    mpz_inits(a, b, NULL);
    const power *one = &c->power[0];
    while (mpz_sgn(one->below) == 0) /* M is not 0 */
        one++;
    bool ok = true;
    for (size_t i = 0; ok && i < c->powers; i++) {
        mpz_mul(a, c->power[i].above, one->below);
        mpz_mul(b, c->power[i].below, one->above);
        ok = mpz_cmp(a, b) == 0;
    }
    if (ok) {
        mpz_set(mpq_numref(out), one->above);
        mpz_set(mpq_denref(out), one->below);
        mpq_canonicalize(out);
    }
    mpz_clears(a, b, NULL);
    return ok;
}

bool response_exact(mpq_t s, const void *self, const logform *x)
{
    census c;
    bool ok = census_init(&c, self, x);
    if (ok) {
        do
            ok = add_group(&c);
        while (ok && next(&c, 0, c.rationals));
        if (ok) {
            merge(&c);
            ok = find_multiple(s, &c);
        }
    }
    census_clear(&c);
    return ok;
}

/* k plus signs of t, odds a/b: C(t,k) a^k b^(t-k) / (a+b)^t under P, a and b exchanged under Q. */
bool response_exact_group(mpz_t *p, mpz_t *q, mpz_ptr scale, const void *self, size_t group)
{
    const composed_loss *l = &((const response *)self)->loss[group];
    mpq_srcptr odds = number_odds(&l->epsilon);
    if (odds == NULL || mpz_cmp_ui(l->times, EXACT_ATOMS) > 0 ||
        mpz_get_ui(l->times) * (uint64_t)number_bits(&l->epsilon) > EXACT_BITS)
        return false;
    unsigned long times = mpz_get_ui(l->times);
    mpz_t ways;
    mpz_init(ways);
    mpz_add(scale, mpq_numref(odds), mpq_denref(odds));
    mpz_pow_ui(scale, scale, times);
    for (unsigned long k = 0; k <= times; k++) {
        mpz_bin_uiui(ways, times, k);
        mpz_pow_ui(p[k], mpq_numref(odds), k);
        mpz_pow_ui(q[times - k], mpq_denref(odds), times - k);
        mpz_mul(p[k], p[k], q[times - k]);
        mpz_mul(p[k], p[k], ways);
    }
    for (unsigned long k = 0; k <= times; k++)
        mpz_set(q[times - k], p[k]);
    mpz_clear(ways);
    return true;
}
