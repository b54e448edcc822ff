/* SPDX-License-Identifier: MIT */
/* Sums over nodes in doubles: beside the same sums in balls, for plans that no question would make,
 * with the same bits for vectors of any width; and what they enclose beside enumerated atoms. */
#include "../loss/law.h"

#include <fenv.h>
#include <math.h>
#include <stdio.h>

#include "engine/profile.h"
#include "loss/gaussian.h"
#include "loss/laplace.h"
#include "loss/pair.h"
#include "loss/response.h"
#include "num/memory.h"

#define BITS 250

/* ---- the sums -------------------------------------------------------------------------------- */
static const char *const kinds[] = {
    "0.1", "0.12345678901234567", "1/3", "ln(2)", "1e-9", "0.01", "3", "40", "ln(101/100)", "5e-6"};

static void add_pair(product *to, const char *const *p, const char *const *q, const mpz_t times)
{
    mpq_t mass[2][5];
    for (size_t j = 0; j < 5; j++) {
        mpq_inits(mass[0][j], mass[1][j], NULL);
        rational_of(mass[0][j], p[j]);
        rational_of(mass[1][j], q[j]);
    }
    assert_int_equal(pair_add(to, (const mpq_t *)mass[0], (const mpq_t *)mass[1], 5, false, times),
                     DP_OK);
    for (size_t j = 0; j < 5; j++)
        mpq_clears(mass[0][j], mass[1][j], NULL);
}

/* The losses are those of ratios 2, 3/2, 1, 2/3 and 1/2. */
static void add_plane(product *to, const mpz_t times)
{
    static const char *const p[] = {"1/5", "3/10", "1/5", "1/5", "1/10"};
    static const char *const q[] = {"1/10", "1/5", "1/5", "3/10", "1/5"};
    add_pair(to, p, q, times);
}

static void add_other(product *p, rng *r)
{
    mpq_t size;
    mpz_t times;
    mpq_init(size);
    mpz_init_set_ui(times, 1 + (unsigned long)rng_below(r, 40));
    mpq_set_ui(size, 1 + (unsigned long)rng_below(r, 9), 100);
    switch (rng_below(r, 3)) {
    case 0:
        assert_int_equal(gaussian_add(p, size, times), DP_OK);
        break;
    case 1:
        assert_int_equal(laplace_add(p, size, times), DP_OK);
        break;
    default:
        add_plane(p, times);
    }
    mpz_clear(times);
    mpq_clear(size);
}

static void random_product(product *p, rng *r)
{
    product_init(p);
    for (size_t i = rng_below(r, 3); i > 0; i--)
        add_other(p, r);
    for (size_t i = (p->count == 0) + rng_below(r, 6); i > 0; i--) {
        const char *epsilon = kinds[rng_below(r, sizeof kinds / sizeof *kinds)];
        bool many = rng_below(r, 4) == 0;
        add_number_law(p, response_add, epsilon,
                       many ? 1000003 : 1 + (unsigned long)rng_below(r, 3));
    }
}

/* A plan by chance, all of whose nodes are summed in balls: nothing is left out. */
static void plan(trapezoid *p, const totals *all, uint64_t *node, rng *r)
{
    *p = (trapezoid){.all = all, .sums = FAR_SUMS, .doubles = 0, .work = BITS};
    const double c[] = {1e-5, 0.01, 0.7, 3, 50, 1e5};
    p->c = (double)(float)(c[rng_below(r, 6)] * ldexp(1 + (double)rng_below(r, 1U << 20), -20));
    p->band = 2 * BINARY64_BLOCK * (1 + rng_below(r, 3));
    p->last = p->band - 1;
    p->lambda = rng_below(r, 2) == 0 ? 290 : 1 + (double)rng_below(r, 20);
    mpfr_init2(p->spacing, 100);
    mpfr_set_d(p->spacing, ldexp(1 + (double)rng_below(r, 1000) / 997, (int)rng_below(r, 16) - 12),
               MPFR_RNDN);
    double h = 2 * M_PI / mpfr_get_d(p->spacing, MPFR_RNDN) / (double)p->band;
    while ((p->c + 1) * h > 0.49) { /* else it is not for a band */
        h /= 2;
        mpfr_mul_2ui(p->spacing, p->spacing, 1, MPFR_RNDN);
    }
    extremal_init(&p->kernel, p->c, p->spacing, p->band, FAR_BITS);
    p->nodes = (node_list){.node = node, .count = (size_t)p->last + 1};
    for (uint64_t n = 0; n <= p->last; n++)
        node[n] = n;
}

static void unplan(trapezoid *p)
{
    turns_clear(p->phase);
    memory_free(p->phase);
    for (size_t j = 0; j < p->sums; j++)
        cball_list_free(p->term[j], p->nodes.count);
    extremal_clear(&p->kernel);
    mpfr_clear(p->spacing);
}

/* out = the far sum less the truth, over what bounds it: the truth is within 2^-200 or so. */
static double share(const far_nodes *f, const far_point *at, size_t j, mpfi_srcptr truth)
{
    mpfi_t found;
    mpfi_init2(found, BITS);
    mpfi_set(found, truth);
    if (j == 1)
        mpfi_div(found, found, f->lift);
    mpfi_sub_d(found, found, at->sums.high[j]);
    mpfi_sub_d(found, found, at->sums.low[j]);
    mpfr_abs(&found->left, &found->left, MPFR_RNDU);
    double away = mpfr_get_d(&found->left, MPFR_RNDU) / f->most;
    mpfi_clear(found);
    return away;
}

static void same_bits(const totals *all, const far_plan *at, far_nodes *f, mpfr_srcptr x,
                      const limits *lim)
{
    far_nodes *other;
    assert_int_equal(far_open(&other, all, at), DP_OK);
    for (unsigned width = 0; width <= binary64_width(); width++) {
        other->width = width;
        assert_int_equal(far_visit(other, &x, 1, lim), DP_OK);
        assert_memory_equal(&other->point[0].sums, &f->point[0].sums, sizeof f->point[0].sums);
        assert_true(other->most == f->most);
        assert_true(other->left == f->left);
    }
    far_close(other);
}

/* A pass of many chunks gives the same bits by one, two and three threads, the first time and where
 * it skips what was abandoned. */
static void test_threads(void **state)
{
    (void)state;
    product list;
    totals all;
    mpfr_t spacing, x;
    far_nodes *f[3];
    mpfr_init2(spacing, 100);
    mpfr_init2(x, 80);
    mpfr_set_d(spacing, 0.0078125, MPFR_RNDN);
    mpfr_set_d(x, 1.7, MPFR_RNDN);
    mpfr_srcptr point = x;
    product_init(&list);
    for (size_t i = 0; i < 3; i++)
        add_number_law(&list, response_add, kinds[i], 2);
    mpz_t once;
    mpz_init_set_ui(once, 1);
    add_plane(&list, once);
    mpz_clear(once);
    assert_int_equal(totals_init(&all, &list), DP_OK);
    extremal kernel;
    extremal_init(&kernel, 3, spacing, UINT64_C(3) * 2048 * BINARY64_BLOCK, FAR_BITS);
    far_plan at = {3, 3, spacing, &kernel};
    for (size_t i = 0; i < 6; i++) { /* three first passes, then three more */
        far_nodes **at_hand = &f[i % 3];
        limits lim = {.threads = i % 3 + 1};
        if (i < 3)
            assert_int_equal(far_open(at_hand, &all, &at), DP_OK);
        (*at_hand)->seconds = 1; /* enough for threads */
        assert_int_equal(far_visit(*at_hand, &point, 1, &lim), DP_OK);
        assert_memory_equal(&(*at_hand)->point[0].sums, &f[0]->point[0].sums, sizeof(far_sums));
        assert_true((*at_hand)->left == f[0]->left);
        assert_true((*at_hand)->most == f[0]->most);
        assert_int_equal((*at_hand)->count, f[0]->count);
        assert_memory_equal((*at_hand)->kept, f[0]->kept, f[0]->count * sizeof *f[0]->kept);
    }
    printf("# %zu blocks kept\n", f[0]->count);
    assert_true(f[0]->count > 100 && f[0]->count < 6000); /* some were abandoned */
    for (size_t i = 0; i < 3; i++)
        far_close(f[i]);
    extremal_clear(&kernel);
    totals_clear(&all);
    product_clear(&list);
    mpfr_clear(x);
    mpfr_clear(spacing);
}

static int left;   /* plans of which something is abandoned */
static double cut; /* the largest share of the bound in one of them */

static double check_sums(trapezoid *p, rng *r)
{
    far_nodes *f;
    mpfr_t x, slope;
    mpfi_t sum[FAR_SUMS];
    limits lim = {0};
    double worst = 0;
    far_plan at = {p->c, p->lambda, p->spacing, &p->kernel};
    if (far_open(&f, p->all, &at) != DP_OK)
        return 0;
    mpfr_init2(x, 80);
    mpfr_init2(slope, 80);
    for (size_t j = 0; j < FAR_SUMS; j++)
        mpfi_init2(sum[j], BITS);
    mpfr_set_d(x, ldexp((double)rng_below(r, 1U << 30) / 3, (int)rng_below(r, 50) - 30), MPFR_RNDN);
    mpfr_srcptr point = x;
    assert_int_equal(far_visit(f, &point, 1, &lim), DP_OK);
    same_bits(p->all, &at, f, x, &lim);
    assert_int_equal(trapezoid_terms(p, &lim), DP_OK);
    trapezoid_add((mpfi_ptr[]){sum[0], sum[1]}, slope, p, x);
    bool whole = f->count == (size_t)(p->last + 1) / BINARY64_BLOCK;
    left += !whole;
    for (size_t j = 0; j < FAR_SUMS; j++) {
        double s = share(f, far_at(f, x), j, sum[j]);
        if (!(s <= 1))
            fail_msg("c = %g, x = %g: sum %zu is off by %g of the bound", p->c,
                     mpfr_get_d(x, MPFR_RNDN), j, s);
        if (p->lambda > 100)
            worst = fmax(worst, s);
        else
            cut = fmax(cut, s);
    }
    unplan(p);
    for (size_t j = 0; j < FAR_SUMS; j++)
        mpfi_clear(sum[j]);
    mpfr_clear(slope);
    mpfr_clear(x);
    far_close(f);
    return worst;
}

static void test_sums(void **state)
{
    (void)state;
    rng r = rng_make(1407);
    double worst = 0;
    int met = 0;
    for (int i = 0; i < rounds(40); i++) {
        product list;
        totals all;
        trapezoid p;
        uint64_t node[6 * BINARY64_BLOCK];
        random_product(&list, &r);
        assert_int_equal(totals_init(&all, &list), DP_OK);
        plan(&p, &all, node, &r);
        double s = check_sums(&p, &r);
        met += s > 0;
        worst = fmax(worst, s);
        if (s == 0 && p.phase == NULL) {
            extremal_clear(&p.kernel);
            mpfr_clear(p.spacing);
        }
        totals_clear(&all);
        product_clear(&list);
    }
    printf("# largest share of the bound: %g, in %d plans; %g in %d with nodes left out\n", worst,
           met, cut, left);
    assert_true(met > rounds(40) / 3 && worst > 1e-3 && (!rounds_are_full() || left > 2));
}

/* ---- what is enclosed ------------------------------------------------------------------------ */
#define MOST_ITEMS 14

typedef struct setup {
    product p;
    engine e;
    limits lim;
} setup;

/* Epsilons of 17 decimals, in (0, 1) or (0, 0.1). */
static void setup_open(setup *s, rng *r)
{
    mpz_t one;
    mpz_init_set_ui(one, 1);
    product_init(&s->p);
    const char *zeros = rng_below(r, 2) == 0 ? "" : "0";
    for (size_t i = 4 + rng_below(r, MOST_ITEMS - 3); i > 0; i--) {
        char text[32];
        dp_number x;
        snprintf(text, sizeof text, "0.%s%09lu%08lu", zeros,
                 (unsigned long)rng_below(r, 1000000000),
                 1 + 2 * (unsigned long)rng_below(r, 50000000));
        dp_number_init(&x);
        number_of(&x, text);
        assert_int_equal(response_add(&s->p, &x, one), DP_OK);
        dp_number_clear(&x);
    }
    mpz_clear(one);
    assert_int_equal(engine_init(&s->e, &s->p), DP_OK);
    s->lim = (limits){0};
}

static void setup_close(setup *s)
{
    engine_clear(&s->e);
    product_clear(&s->p);
}

static void test_enclosures(void **state)
{
    (void)state;
    rng r = rng_make(1408);
    mpfr_t x, slope, other;
    mpfi_t at, value, truth;
    mpfr_init2(x, 53);
    mpfr_init2(slope, 64);
    mpfr_init2(other, 64);
    mpfi_init2(at, 64);
    mpfi_init2(value, 64);
    mpfi_init2(truth, 200);
    int opened = 0, narrow = 0;
    for (int i = 0; i < rounds(120); i++) {
        setup s;
        trapezoid p;
        atoms a;
        setup_open(&s, &r);
        mpfr_set_d(x, s.e.all.tilt.total * (0.05 + 0.0009 * (double)rng_below(&r, 1000)),
                   MPFR_RNDN);
        mpfi_set_fr(at, x);
        double gap = pow(10, -3 - (double)rng_below(&r, i % 16 == 0 ? 7 : 4));
        bool ok = smooth_open(&p, &s.e.all, mpfr_get_d(x, MPFR_RNDN), gap, &s.lim) == DP_OK;
        if (ok && p.blocks != NULL) {
            opened++;
            smooth_profile(value, slope, &p, at);
            assert_int_equal(atoms_open(&a, &s.p, -HUGE_VAL, 110, &s.lim), DP_OK);
            atoms_profile(truth, other, &a, at);
            atoms_close(&a);
            if (!mpfi_is_inside(truth, value))
                fail_msg("case %d: c = %g, gap %g", i, p.c, gap);
            mpfr_sub(other, &value->right, &value->left, MPFR_RNDU);
            mpfr_div(other, other, &value->right, MPFR_RNDU);
            narrow += mpfr_cmp_d(other, 10 * gap) < 0;
        }
        trapezoid_close(&p);
        setup_close(&s);
    }
    assert_true(opened > rounds(120) / 2 && narrow > opened / 2);
    mpfi_clear(truth);
    mpfi_clear(value);
    mpfi_clear(at);
    mpfr_clear(other);
    mpfr_clear(slope);
    mpfr_clear(x);
}

/* Many uses: the blocks that matter are found by the scan, or by walking over all. Beside a sum
 * over the plane of both logarithms. */
static void test_rare(void **state)
{
    (void)state;
    product list;
    engine e;
    trapezoid p;
    far_nodes *all;
    limits lim = {0};
    mpfi_t at, value, truth;
    mpfr_t slope;
    mpz_t times;
    mpfi_init2(at, 64);
    mpfi_init2(value, 64);
    mpfi_init2(truth, 100);
    mpfr_init2(slope, 64);
    mpz_init_set_ui(times, 10000);
    product_init(&list);
    add_plane(&list, times);
    assert_int_equal(engine_init(&e, &list), DP_OK);
    mpfi_set_str(at, "1294.6", 10);
    mpfi_set_str(truth, "[1.0028132039731e-5, 1.0028132039743e-5]", 10);
    assert_int_equal(smooth_open(&p, &e.all, 1294.6, 1e-7, &lim), DP_OK);
    assert_true(p.blocks != NULL && p.blocks->scanned && p.blocks->count < 100);
    smooth_profile(value, slope, &p, at);
    assert_true(mpfi_is_inside(truth, value));
    mpfi_diam_rel(slope, value);
    assert_true(mpfr_cmp_d(slope, 2e-7) < 0);
    far_plan plan = {p.c, p.lambda, p.spacing, &p.kernel};
    assert_int_equal(far_open(&all, &e.all, &plan), DP_OK);
    all->first = p.doubles;
    mpfr_srcptr x = p.blocks->point[0].x;
    assert_int_equal(far_visit(all, &x, 1, &lim), DP_OK);
    double left_out = 2 * mpfr_get_d(p.dropped, MPFR_RNDU);
    assert_true(fabs(all->point[0].sums.high[0] - p.blocks->point[0].sums.high[0]) <
                all->most + p.blocks->most + left_out);
    far_close(all);
    trapezoid_close(&p);
    engine_clear(&e);
    product_clear(&list);
    mpz_clear(times);
    mpfr_clear(slope);
    mpfi_clear(truth);
    mpfi_clear(value);
    mpfi_clear(at);
}

/* ---- refusals -------------------------------------------------------------------------------- */
/* A caller that rounds otherwise gets the balls, and the same truth. */
static void test_other_rounding(void **state)
{
    (void)state;
    rng r = rng_make(1409);
    setup s;
    far_nodes *f;
    setup_open(&s, &r);
    mpfr_t spacing;
    mpfr_init2(spacing, 60);
    mpfr_set_d(spacing, 0.25, MPFR_RNDN);
    extremal kernel;
    extremal_init(&kernel, 2, spacing, 4096, FAR_BITS);
    far_plan at = {2, 30, spacing, &kernel};
    assert_int_equal(fesetround(FE_DOWNWARD), 0);
    dp_status status = far_open(&f, &s.e.all, &at);
    assert_int_equal(fesetround(FE_TONEAREST), 0);
    assert_int_equal(status, DP_UNDECIDED);
    assert_null(f);
    const double c[] = {-0.5, 0, 1e-7, 1e7, 100, NAN}; /* of 100 h is too large */
    for (size_t i = 0; i < 6; i++) {
        at.c = c[i];
        assert_int_equal(far_open(&f, &s.e.all, &at), DP_UNDECIDED);
    }
    at.c = 2;
    assert_int_equal(far_open(&f, &s.e.all, &at), DP_OK);
    far_close(f);
    const uint64_t count[] = {4096 + 64, UINT64_C(1) << 32}; /* not whole blocks; too many */
    for (size_t i = 0; i < 2; i++) {
        extremal_clear(&kernel);
        extremal_init(&kernel, 2, spacing, count[i], FAR_BITS);
        assert_int_equal(far_open(&f, &s.e.all, &at), DP_UNDECIDED);
    }
    extremal_clear(&kernel);
    mpfr_clear(spacing);
    setup_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums),           cmocka_unit_test(test_threads),
        cmocka_unit_test(test_enclosures),     cmocka_unit_test(test_rare),
        cmocka_unit_test(test_other_rounding),
    };
    return cmocka_run_group_tests_name("far nodes", tests, NULL, NULL);
}
