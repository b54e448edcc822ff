/* SPDX-License-Identifier: MIT */
/* Atoms near the top alone: the same profile as by all of them, as many as are counted, and beside
 * the sum over subsets of what falls, where the whole list has 2^60 atoms. */
#include "../loss/law.h"

#include <math.h>
#include <stdio.h>

#include "engine/atoms.h"
#include "loss/response.h"
#include "num/number.h"

#define BITS 200

static void prepare(product *p)
{
    assert_int_equal(p->item[0].ops->prepare(p->item[0].self), DP_OK);
}

/* The largest loss, about. */
static double top_of(const product *p)
{
    double top = 0, reach = 0;
    p->item[0].ops->guess_range(&top, &reach, p->item[0].self);
    return top;
}

static const char *const any[] = {"0.1",   "1/3", "ln(2)", "0.123456789", "ln(7)", "0.777",
                                  "2/7",   "0.5", "1e-3",  "3",           "0.25",  "0.2",
                                  "1e-12", "40",  "0.05",  "ln(101/100)"};

static void random_list(product *p, rng *r)
{
    product_init(p);
    for (size_t i = 1 + rng_below(r, 9); i > 0; i--)
        add_number_law(p, response_add, any[rng_below(r, sizeof any / sizeof *any)],
                       1 + rng_below(r, 4));
    prepare(p);
}

static void value_at(mpfi_t s, const product *p, double least, double x, mpfr_prec_t bits)
{
    atoms a;
    mpfi_t at;
    mpfr_t slope;
    limits lim = {0};
    mpfi_init2(at, BITS);
    mpfr_init2(slope, 64);
    mpfi_set_d(at, x);
    assert_int_equal(atoms_open(&a, p, least, bits, &lim), DP_OK);
    atoms_profile(s, slope, &a, at);
    atoms_close(&a);
    mpfr_clear(slope);
    mpfi_clear(at);
}

/* With few bits, too: the bound of what rounding misplaces decides there what may be left out. */
static void test_left_out(void **state)
{
    (void)state;
    rng r = rng_make(1501);
    mpfi_t all, some;
    mpfi_init2(all, BITS);
    mpfi_init2(some, BITS);
    int narrow = 0;
    for (int i = 0; i < rounds(400); i++) {
        product p;
        random_list(&p, &r);
        double top = top_of(&p), least = top * (1 - ldexp(1, -(int)rng_below(&r, 12)));
        double up = (top - least) * ldexp((double)rng_below(&r, 1U << 20), -20);
        double x = i % 4 == 0 ? nextafter(least, top) : i % 4 == 1 ? least * 0.99 : least + up;
        mpfr_prec_t bits = i % 3 == 0 ? -45 + (mpfr_prec_t)rng_below(&r, 20) : 60;
        value_at(all, &p, -HUGE_VAL, x, 120);
        value_at(some, &p, least, x, bits);
        if (!mpfi_is_inside(all, some))
            fail_msg("case %d: x = %g from %g of %g", i, x, least, top);
        mpfr_sub(&all->left, &some->right, &some->left, MPFR_RNDU);
        narrow += bits == 60 && mpfr_cmp_d(&all->left, 1e-15) < 0;
        product_clear(&p);
    }
    assert_true(narrow > rounds(400) / 3);
    mpfi_clear(some);
    mpfi_clear(all);
}

/* What is counted beforehand is what is listed. */
static void test_size(void **state)
{
    (void)state;
    rng r = rng_make(1502);
    limits lim = {0};
    int counted = 0;
    for (int i = 0; i < rounds(60); i++) {
        product p;
        atoms a;
        random_list(&p, &r);
        double top = top_of(&p);
        double least = top * ldexp((double)rng_below(&r, 1U << 20), -20) * 0.999 + 1e-9;
        double size = atoms_size(&p, least);
        assert_int_equal(atoms_open(&a, &p, least, 100, &lim), DP_OK);
        size_t listed = a.half[a.half[0].count < a.half[1].count ? 1 : 0].count;
        if (size > 64) { /* fewer are not counted one by one */
            assert_true(fabs(size - (double)listed) <= 1e-3 * size);
            counted++;
        }
        assert_true((double)listed <= size * 1.001);
        atoms_close(&a);
        product_clear(&p);
    }
    assert_true(counted > rounds(60) / 20);
}

/* ---- long lists ------------------------------------------------------------------------------ */
#define ITEMS 60

typedef struct subsets {
    mpfr_t epsilon[ITEMS]; /* ascending */
    mpfr_t room;           /* (top - x) / 2 */
    mpfr_t sum;
    int count;
} subsets;

/* Adds e^-D (1 - e^(-2 (room - D))) of all subsets of sum D below the room that extend this one by
 * items from `next` on. */
static void add_subsets(subsets *s, size_t next, mpfr_srcptr dropped)
{
    mpfr_t d, part;
    mpfr_inits2(BITS, d, part, (mpfr_ptr)NULL);
    mpfr_sub(d, dropped, s->room, MPFR_RNDN);
    mpfr_mul_2ui(d, d, 1, MPFR_RNDN);
    mpfr_expm1(d, d, MPFR_RNDN);
    mpfr_neg(part, dropped, MPFR_RNDN);
    mpfr_exp(part, part, MPFR_RNDN);
    mpfr_mul(part, part, d, MPFR_RNDN);
    mpfr_sub(s->sum, s->sum, part, MPFR_RNDN);
    s->count++;
    for (size_t i = next; i < ITEMS; i++) {
        mpfr_add(d, dropped, s->epsilon[i], MPFR_RNDN);
        if (mpfr_greaterequal_p(d, s->room))
            break;
        add_subsets(s, i + 1, d);
    }
    mpfr_clears(d, part, (mpfr_ptr)NULL);
}

/* s(x) = q sum, q = prod 1 / (1 + e^-eps) */
static int by_subsets(mpfr_t out, const product *p, double x)
{
    const response *list = p->item[0].self;
    subsets s = {.count = 0};
    mpfr_t none, top, q;
    mpfr_inits2(BITS, none, top, q, s.room, s.sum, (mpfr_ptr)NULL);
    mpfr_set_zero(none, 1);
    mpfr_set_zero(top, 1);
    mpfr_set_zero(s.sum, 1);
    mpfr_set_ui(q, 1, MPFR_RNDN);
    for (size_t i = 0; i < ITEMS; i++) {
        mpfr_init2(s.epsilon[i], BITS);
        mpfr_set_q(s.epsilon[i], number_rational(&list->loss[i].epsilon), MPFR_RNDN);
        mpfr_add(top, top, s.epsilon[i], MPFR_RNDN);
        mpfr_neg(s.room, s.epsilon[i], MPFR_RNDN);
        mpfr_exp(s.room, s.room, MPFR_RNDN);
        mpfr_add_ui(s.room, s.room, 1, MPFR_RNDN);
        mpfr_div(q, q, s.room, MPFR_RNDN);
    }
    mpfr_sub_d(s.room, top, x, MPFR_RNDN);
    mpfr_div_2ui(s.room, s.room, 1, MPFR_RNDN);
    add_subsets(&s, 0, none);
    mpfr_mul(out, s.sum, q, MPFR_RNDN);
    for (size_t i = 0; i < ITEMS; i++)
        mpfr_clear(s.epsilon[i]);
    mpfr_clears(none, top, q, s.room, s.sum, (mpfr_ptr)NULL);
    return s.count;
}

static void test_long_lists(void **state)
{
    (void)state;
    rng r = rng_make(1503);
    mpfi_t s;
    mpfr_t truth;
    mpfi_init2(s, BITS);
    mpfr_init2(truth, BITS);
    int most = 0;
    for (int i = 0; i < rounds(12); i++) {
        product p;
        product_init(&p);
        for (size_t k = 0; k < ITEMS; k++) {
            char text[32];
            snprintf(text, sizeof text, "0.%lu%08lu%08lu", (unsigned long)(1 + rng_below(&r, 9)),
                     (unsigned long)rng_below(&r, 100000000),
                     (unsigned long)rng_below(&r, 100000000));
            add_number_law(&p, response_add, text, 1);
        }
        prepare(&p);
        assert_int_equal(((const response *)p.item[0].self)->losses, ITEMS);
        double top = top_of(&p), x = top - 0.01 - 0.0015 * (double)rng_below(&r, 1000);
        int count = by_subsets(truth, &p, x);
        most = count > most ? count : most;
        value_at(s, &p, x - 1e-3 * (top - x), x, 110);
        assert_true(mpfr_lessequal_p(&s->left, truth) && mpfr_lessequal_p(truth, &s->right));
        mpfr_mul_2si(truth, truth, -90, MPFR_RNDN);
        mpfr_sub(&s->right, &s->right, &s->left, MPFR_RNDU);
        assert_true(mpfr_lessequal_p(&s->right, truth)); /* and to 90 bits */
        product_clear(&p);
    }
    assert_true(most > 100);
    mpfr_clear(truth);
    mpfi_clear(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_left_out),
        cmocka_unit_test(test_size),
        cmocka_unit_test(test_long_lists),
    };
    return cmocka_run_group_tests_name("atoms", tests, NULL, NULL);
}
