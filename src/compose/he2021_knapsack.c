/* SPDX-License-Identifier: MIT */
/* The maximisation in Theorem 4 of the iterative-learning paper. Each v_i is convex in alpha_i, so
 * the maximum is at a vertex: every alpha_i is 0 or eps_i but one. Filling by the ratio v_i/eps_i
 * gives a vertex, a lower end, which is the maximum for equal items. For any multiplier m >= 0,
 *     m x + sum t_i max(0, v_i(eps_i) - m eps_i)
 * is an upper end, because v_i lies below its chord; m is the ratio of the item that is cut. */
#include <stdlib.h>

#include "compose/he2021.h"
#include "num/ival.h"
#include "num/memory.h"

typedef struct unit {
    const dp_item *item;
    mpfi_t weight, value; /* eps, v(eps) */
    mpfr_t ratio;
} unit;

void he2021_mass(mpfi_t b, const dp_number *epsilon, const mpq_t delta)
{
    ival_exp_number(b, epsilon);
    mpfi_add_ui(b, b, 1);
    mpfi_t top;
    mpfi_init2(top, mpfi_get_prec(b));
    mpfi_set_q(top, delta);
    mpfi_div(b, top, b);
    mpfi_clear(top);
}

/* value = ln(1 - b) - ln(1 - e^alpha b) = -log1p(-b expm1(alpha)/(1-b)) */
static void value_at(mpfi_t value, const dp_item *m, const mpfi_t alpha)
{
    mpfi_t b;
    mpfi_init2(b, mpfi_get_prec(value));
    he2021_mass(b, &m->epsilon, m->delta);
    mpfi_expm1(value, alpha);
    mpfi_mul(value, value, b);
    mpfi_ui_sub(b, 1, b);
    mpfi_div(value, value, b);
    mpfi_neg(value, value);
    mpfi_log1p(value, value);
    mpfi_neg(value, value);
    mpfi_clear(b);
}

static int by_ratio(const void *a, const void *b)
{
    return -mpfr_cmp(((const unit *)a)->ratio, ((const unit *)b)->ratio);
}

static unit *make_units(const dp_composition *items, size_t *count, mpfr_prec_t bits)
{
    unit *u = memory_new(items->count + 1, sizeof *u);
    *count = 0;
    for (size_t i = 0; u != NULL && i < items->count; i++) {
        if (dp_number_sgn(&items->item[i].epsilon) == 0)
            continue;
        unit *k = &u[(*count)++];
        k->item = &items->item[i];
        mpfi_init2(k->weight, bits);
        mpfi_init2(k->value, bits);
        mpfr_init2(k->ratio, bits);
        ival_set_number(k->weight, &k->item->epsilon);
        value_at(k->value, k->item, k->weight);
        mpfr_div(k->ratio, &k->value->left, &k->weight->left, MPFR_RNDN);
    }
    if (u != NULL)
        qsort(u, *count, sizeof *u, by_ratio);
    return u;
}

/* value += v(rest). Where the enclosure of rest passes eps by rounding, the next unit may have
 * begun: the upper end counts that overflow as a unit of its own. */
static void cut_value(mpfi_t value, const unit *u, mpfi_t rest)
{
    mpfi_t part, over;
    mpfi_init2(part, mpfi_get_prec(value));
    mpfi_init2(over, mpfi_get_prec(value));
    mpfi_sub(over, rest, u->weight);
    ival_at_least_zero(over);
    mpfr_min(&rest->left, &rest->left, &u->weight->right, MPFR_RNDD);
    mpfr_min(&rest->right, &rest->right, &u->weight->right, MPFR_RNDU);
    value_at(part, u->item, rest);
    mpfi_add(value, value, part);
    if (mpfr_sgn(&over->right) > 0) {
        value_at(part, u->item, over);
        mpfr_add(&value->right, &value->right, &part->right, MPFR_RNDU);
    }
    mpfi_clear(over);
    mpfi_clear(part);
}

/* The vertex: full items by falling ratio, then one cut, whose ratio goes to `cut`. */
static void fill(mpfi_t value, mpfr_t cut, const unit *u, size_t count, const mpfi_t x)
{
    mpfi_t rest, part;
    mpz_t whole;
    mpfi_init2(rest, mpfi_get_prec(value));
    mpfi_init2(part, mpfi_get_prec(value));
    mpz_init(whole);
    mpfi_set(rest, x);
    mpfi_set_ui(value, 0);
    mpfr_set_ui(cut, 0, MPFR_RNDN);
    for (size_t i = 0; i < count; i++) {
        mpfi_div(part, rest, u[i].weight);
        mpfr_get_z(whole, &part->left, MPFR_RNDD);
        bool all = mpz_cmp(whole, u[i].item->times) >= 0;
        if (mpz_sgn(whole) < 0)
            mpz_set_ui(whole, 0);
        if (all)
            mpz_set(whole, u[i].item->times);
        ival_mul_z(part, u[i].value, whole);
        mpfi_add(value, value, part);
        ival_mul_z(part, u[i].weight, whole);
        mpfi_sub(rest, rest, part);
        ival_at_least_zero(rest);
        if (all)
            continue;
        mpfr_set(cut, u[i].ratio, MPFR_RNDN);
        cut_value(value, &u[i], rest);
        break;
    }
    mpz_clear(whole);
    mpfi_clear(part);
    mpfi_clear(rest);
}

/* m x + sum t_i max(0, v_i - m eps_i) */
static void lagrangian(mpfi_t out, mpfr_srcptr m, const unit *u, size_t count, const mpfi_t x)
{
    mpfi_t part;
    mpfi_init2(part, mpfi_get_prec(out));
    mpfi_mul_fr(out, x, m);
    for (size_t i = 0; i < count; i++) {
        mpfi_mul_fr(part, u[i].weight, m);
        mpfi_sub(part, u[i].value, part);
        ival_at_least_zero(part);
        ival_mul_z(part, part, u[i].item->times);
        mpfi_add(out, out, part);
    }
    mpfi_clear(part);
}

void he2021_worst_alpha(mpfi_t out, const dp_composition *items, const mpfi_t x)
{
    size_t count;
    mpfr_prec_t bits = mpfi_get_prec(out);
    unit *u = make_units(items, &count, bits);
    if (u == NULL) { /* out of memory: nothing is known */
        mpfr_set_ui(&out->left, 0, MPFR_RNDD);
        mpfr_set_inf(&out->right, 1);
        return;
    }
    mpfr_t cut;
    mpfr_init2(cut, bits);
    fill(out, cut, u, count, x);
    if (count > 1) {
        mpfi_t most;
        mpfi_init2(most, bits);
        lagrangian(most, cut, u, count, x);
        mpfr_max(&out->right, &out->right, &most->right, MPFR_RNDU);
        mpfi_clear(most);
    }
    mpfr_clear(cut);
    for (size_t i = 0; i < count; i++) {
        mpfi_clear(u[i].weight);
        mpfi_clear(u[i].value);
        mpfr_clear(u[i].ratio);
    }
    memory_free(u);
}
