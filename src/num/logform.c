/* SPDX-License-Identifier: MIT */
/* Sums of rational multiples of logarithms: enclosed, and their signs decided exactly. */
#include "num/logform.h"

#include <math.h>

#include "num/ival.h"
#include "num/limits.h"
#include "num/memory.h"
#include "num/number.h"
#include "num/word.h"

void logform_init(logform *f)
{
    mpq_init(f->rational);
    f->term = NULL;
    f->count = f->room = 0;
    f->lim = NULL;
}

void logform_clear(logform *f)
{
    for (size_t i = 0; i < f->count; i++) {
        mpq_clear(f->term[i].coefficient);
        mpq_clear(f->term[i].base);
    }
    memory_free(f->term);
    mpq_clear(f->rational);
}

bool logform_add_q(logform *f, const mpq_t c, const mpq_t x)
{
    if (mpq_sgn(f->rational) == 0) {
        if (mpz_cmp_ui(mpq_denref(c), 1) == 0)
            word_mul_z(f->rational, x, mpq_numref(c));
        else
            mpq_mul(f->rational, c, x);
        return true;
    }
    mpq_t product;
    mpq_init(product);
    mpq_mul(product, c, x);
    mpq_add(f->rational, f->rational, product);
    mpq_clear(product);
    return true;
}

bool logform_add_log(logform *f, const mpq_t c, const mpq_t b)
{
    if (mpq_sgn(c) == 0 || mpq_cmp_ui(b, 1, 1) == 0)
        return true;
    for (size_t i = 0; i < f->count; i++)
        if (mpq_equal(f->term[i].base, b)) {
            mpq_add(f->term[i].coefficient, f->term[i].coefficient, c);
            return true;
        }
    return logform_push_log(f, c, b);
}

bool logform_push_log(logform *f, const mpq_t c, const mpq_t b)
{
    if (f->count == f->room) {
        size_t room = f->room == 0 ? 4 : 2 * f->room;
        logterm *grown = memory_grow(f->term, room, sizeof *grown);
        if (grown == NULL)
            return false;
        f->term = grown;
        f->room = room;
    }
    logterm *t = &f->term[f->count++];
    mpq_init(t->coefficient);
    mpq_init(t->base);
    mpq_set(t->coefficient, c);
    mpq_set(t->base, b);
    return true;
}

bool logform_add_number(logform *f, mpq_srcptr c, const dp_number *x)
{
    mpq_srcptr odds = number_odds(x);
    if (c == NULL && odds == NULL) {
        mpq_add(f->rational, f->rational, number_rational(x));
        return true;
    }
    mpq_t one;
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    mpq_srcptr by = c != NULL ? c : one;
    bool ok =
        odds != NULL ? logform_add_log(f, by, odds) : logform_add_q(f, by, number_rational(x));
    mpq_clear(one);
    return ok;
}

bool logform_add_form(logform *f, const mpq_t c, const logform *g)
{
    bool ok = logform_add_q(f, c, g->rational);
    bool fresh = f->count == 0; /* the bases of g are distinct: nothing to search */
    mpq_t product;
    mpq_init(product);
    for (size_t i = 0; ok && i < g->count; i++) {
        mpq_srcptr base = g->term[i].base;
        mpq_mul(product, c, g->term[i].coefficient);
        if (mpq_sgn(product) != 0 && mpq_cmp_ui(base, 1, 1) != 0)
            ok = (fresh ? logform_push_log : logform_add_log)(f, product, base);
    }
    mpq_clear(product);
    return ok;
}

bool logform_set(logform *to, const logform *from)
{
    logform_clear(to);
    logform_init(to);
    mpq_set(to->rational, from->rational);
    bool ok = true;
    for (size_t i = 0; ok && i < from->count; i++) {
        mpq_srcptr c = from->term[i].coefficient, base = from->term[i].base;
        ok = mpq_sgn(c) == 0 || mpq_cmp_ui(base, 1, 1) == 0 || logform_push_log(to, c, base);
    }
    return ok;
}

void logform_enclose(mpfi_t out, const logform *f)
{
    mpfi_t log;
    mpfi_init2(log, mpfi_get_prec(out));
    word_set_q(out, f->rational);
    for (size_t i = 0; i < f->count; i++) {
        mpfr_prec_t bits = mpfi_get_prec(log);
        if (limits_late(f->lim, i, bits) || !limits_logs(f->lim, 1, bits))
            mpfi_set_prec(log, LATE_BITS);
        ival_log_q(log, f->term[i].base);
        mpfi_mul_q(log, log, f->term[i].coefficient);
        mpfi_add(out, out, log);
    }
    mpfi_clear(log);
}

/* Pairwise coprime integers > 1, each with the exponent it has in the product so far. */
typedef struct coprimes {
    mpz_t *base;
    mpq_t *exponent;
    size_t count, room;
} coprimes;

static bool coprimes_push(coprimes *s, const mpz_t base, const mpq_t exponent)
{
    if (s->count == s->room) {
        size_t room = s->room == 0 ? 8 : 2 * s->room;
        mpz_t *b = memory_grow(s->base, room, sizeof *b);
        if (b != NULL)
            s->base = b;
        mpq_t *e = memory_grow(s->exponent, room, sizeof *e);
        if (e != NULL)
            s->exponent = e;
        if (b == NULL || e == NULL)
            return false;
        s->room = room;
    }
    mpz_init_set(s->base[s->count], base);
    mpq_init(s->exponent[s->count]);
    mpq_set(s->exponent[s->count++], exponent);
    return true;
}

static void coprimes_drop(coprimes *s, size_t i)
{
    mpz_swap(s->base[i], s->base[s->count - 1]);
    mpq_swap(s->exponent[i], s->exponent[s->count - 1]);
    s->count--;
    mpz_clear(s->base[s->count]);
    mpq_clear(s->exponent[s->count]);
}

/* x += k y */
static void add_times(mpq_t x, unsigned long k, const mpq_t y)
{
    mpq_t part;
    mpq_init(part);
    mpq_set_ui(part, k, 1);
    mpq_mul(part, part, y);
    mpq_add(x, x, part);
    mpq_clear(part);
}

/* Multiplies the product by n^e. Work list: while n shares a factor g with some base b, the pair
 * (n^e, b^x) is replaced by (n/g)^e, (b/g)^x, g^(e+x); the product of all numbers falls by g >= 2
 * each time, so this ends. Where one divides the other all its powers are
 * taken out at once. */
static bool coprimes_multiply(coprimes *s, const mpz_t n, const mpq_t e)
{
    coprimes todo = {NULL, NULL, 0, 0};
    mpz_t g, cur;
    mpq_t x;
    mpz_inits(g, cur, NULL);
    mpq_init(x);
    bool ok = coprimes_push(&todo, n, e);
    while (ok && todo.count > 0) {
        mpz_set(cur, todo.base[todo.count - 1]);
        mpq_set(x, todo.exponent[todo.count - 1]);
        coprimes_drop(&todo, todo.count - 1);
        if (mpz_cmp_ui(cur, 1) == 0)
            continue;
        size_t i = 0;
        for (; i < s->count; i++) {
            mpz_gcd(g, cur, s->base[i]);
            if (mpz_cmp_ui(g, 1) != 0)
                break;
        }
        if (i == s->count) {
            ok = coprimes_push(s, cur, x);
            continue;
        }
        if (mpz_cmp(g, s->base[i]) == 0) {
            mp_bitcnt_t k = mpz_remove(cur, cur, g);
            add_times(s->exponent[i], k, x);
            ok = coprimes_push(&todo, cur, x);
            continue;
        }
        if (mpz_cmp(g, cur) == 0) {
            mp_bitcnt_t k = mpz_remove(cur, s->base[i], g);
            ok = coprimes_push(&todo, cur, s->exponent[i]);
            add_times(x, k, s->exponent[i]);
            coprimes_drop(s, i);
            ok = ok && coprimes_push(&todo, g, x);
            continue;
        }
        mpz_divexact(cur, cur, g);
        ok = coprimes_push(&todo, cur, x);
        mpq_add(x, x, s->exponent[i]);
        if (ok)
            ok = coprimes_push(&todo, g, x);
        mpz_divexact(g, s->base[i], g);
        if (ok)
            ok = coprimes_push(&todo, g, s->exponent[i]);
        coprimes_drop(s, i);
    }
    while (todo.count > 0)
        coprimes_drop(&todo, todo.count - 1);
    memory_free(todo.base);
    memory_free(todo.exponent);
    mpq_clear(x);
    mpz_clears(g, cur, NULL);
    return ok;
}

/* Products longer than this are not formed; nor are those of long lists, one number at a time. */
#define PRODUCT_BITS 16777216.0
#define PRODUCT_TERMS 16

/* above *= base^c, or below *= base^-c where c is negative */
static void multiply_power(mpz_t above, mpz_t below, const mpz_t base, const mpz_t c)
{
    mpz_t power;
    mpz_init(power);
    mpz_pow_ui(power, base, mpz_get_ui(c)); /* of |c| */
    mpz_ptr side = mpz_sgn(c) < 0 ? below : above;
    mpz_mul(side, side, power);
    mpz_clear(power);
}

/* prod b_i^c_i = 1, by forming both sides; false when they are too long, with *equal not set. */
static bool compare_products(bool *equal, const logform *f)
{
    double bits = 0;
    bool whole = f->count <= PRODUCT_TERMS;
    for (size_t i = 0; whole && i < f->count; i++) {
        const logterm *t = &f->term[i];
        whole = mpz_cmp_ui(mpq_denref(t->coefficient), 1) == 0;
        bits += fabs(mpq_get_d(t->coefficient)) * (double)(mpz_sizeinbase(mpq_numref(t->base), 2) +
                                                           mpz_sizeinbase(mpq_denref(t->base), 2));
    }
    if (!whole || !(bits <= PRODUCT_BITS))
        return false;
    mpz_t above, below;
    mpz_init_set_ui(above, 1);
    mpz_init_set_ui(below, 1);
    for (size_t i = 0; i < f->count; i++) {
        mpz_srcptr c = mpq_numref(f->term[i].coefficient);
        multiply_power(above, below, mpq_numref(f->term[i].base), c);
        multiply_power(below, above, mpq_denref(f->term[i].base), c);
    }
    *equal = mpz_cmp(above, below) == 0;
    mpz_clear(above);
    mpz_clear(below);
    return true;
}

bool logform_is_rational(const logform *f)
{
    bool equal;
    if (compare_products(&equal, f))
        return equal;
    coprimes s = {NULL, NULL, 0, 0};
    mpq_t minus;
    mpq_init(minus);
    bool ok = true;
    for (size_t i = 0; ok && i < f->count; i++) {
        mpq_neg(minus, f->term[i].coefficient);
        ok = coprimes_multiply(&s, mpq_numref(f->term[i].base), f->term[i].coefficient) &&
             coprimes_multiply(&s, mpq_denref(f->term[i].base), minus);
    }
    mpq_clear(minus);
    while (s.count > 0) {
        if (mpq_sgn(s.exponent[s.count - 1]) != 0)
            ok = false;
        coprimes_drop(&s, s.count - 1);
    }
    memory_free(s.base);
    memory_free(s.exponent);
    return ok;
}

bool logform_is_zero(const logform *f)
{
    return mpq_sgn(f->rational) == 0 && logform_is_rational(f);
}

bool logform_sign_apart(int *sign, const logform *f, mpfr_prec_t max_bits)
{
    mpfi_t x;
    mpfi_init2(x, 64);
    bool found = false;
    for (mpfr_prec_t bits = 64; !found && bits <= max_bits && limits_logs(f->lim, 1, bits);
         bits *= 2) {
        mpfi_set_prec(x, bits);
        logform_enclose(x, f);
        found = mpfi_is_strictly_pos(x) || mpfi_is_strictly_neg(x);
        *sign = mpfi_is_strictly_pos(x) ? 1 : -1;
    }
    mpfi_clear(x);
    return found;
}

bool logform_sign(int *sign, const logform *f, mpfr_prec_t max_bits)
{
    if (f->count == 0) {
        *sign = mpq_sgn(f->rational);
        return true;
    }
    /* Equality is settled once, in integers, after 128 bits have not told the sides apart. */
    if (logform_sign_apart(sign, f, 128))
        return true;
    if (logform_is_zero(f)) {
        *sign = 0;
        return true;
    }
    return logform_sign_apart(sign, f, max_bits);
}
