/* SPDX-License-Identifier: MIT */
/* Laws at blocks of nodes in doubles: products of pairs, Laplace and Gaussian noise beside balls of
 * 250 bits, where powers are high and factors small; what is abandoned; the same bits whatever the
 * vectors. */
#include "law.h"

#include "loss/gaussian.h"
#include "loss/laplace.h"
#include "loss/line.h"
#include "loss/pair.h"
#include "loss/response.h"

#define BLOCK BINARY64_BLOCK
#define BITS 250
#define NODES 4
#define MOST_LAWS 6

typedef struct masses {
    const char *p[6], *q[6];
} masses;

static const masses pairs[] = {
    {{"1/5", "3/10", "1/5", "1/5", "1/10"}, {"1/10", "1/5", "1/5", "3/10", "1/5"}},
    {{"20/100", "21/100", "22/100", "18/100", "19/100"},
     {"21/100", "20/100", "19/100", "21/100", "19/100"}},
    {{"1/2", "1/3", "1/6"}, {"1/4", "1/4", "1/2"}},
    {{"1/2", "1/4", "1/4"}, {"1/2", "1/1000000", "499999/1000000"}},
    {{"999999/1000000", "1/1000000"}, {"1/3", "2/3"}},
    {{"1000/3001", "1001/3001", "1000/3001"}, {"1001/3001", "999/3001", "1001/3001"}},
};
static const unsigned long counts[] = {1, 1, 2, 3, 7, 64, 1000, 10000, 123457, 100000000};
static const char *const sizes[] = {"1/10",   "1/3", "1",        "3",
                                    "1/1000", "20",  "123/1000", "1/100000"};

static binary64_circle circle;

static void add_pair(product *to, const masses *m, bool swap, const mpz_t times)
{
    mpq_t p[6], q[6];
    size_t n = 0;
    for (; n < 6 && m->p[n] != NULL; n++) {
        mpq_inits(p[n], q[n], NULL);
        rational_of(p[n], m->p[n]);
        rational_of(q[n], m->q[n]);
    }
    assert_int_equal(pair_add(to, (const mpq_t *)p, (const mpq_t *)q, n, swap, times), DP_OK);
    while (n-- > 0)
        mpq_clears(p[n], q[n], NULL);
}

typedef struct setup {
    product p;
    mpfr_t spacing, turn;
    block_line at;
    line line;
    block_law law[MOST_LAWS];
    size_t laws;
    block_error error;
    uint64_t first;
} setup;

/* One to three laws of one kind or another. */
static void random_product(product *p, rng *r)
{
    mpq_t size;
    mpz_t times;
    mpq_init(size);
    mpz_init(times);
    product_init(p);
    for (size_t i = 1 + rng_below(r, 3); i > 0; i--) {
        rational_of(size, sizes[rng_below(r, sizeof sizes / sizeof *sizes)]);
        mpz_set_ui(times, counts[rng_below(r, sizeof counts / sizeof *counts)]);
        switch (rng_below(r, 5)) {
        case 0:
            mpq_mul(size, size, size);
            assert_int_equal(gaussian_add(p, size, times), DP_OK);
            break;
        case 1:
        case 2:
            assert_int_equal(laplace_add(p, size, times), DP_OK);
            break;
        default:
            add_pair(p, &pairs[rng_below(r, sizeof pairs / sizeof *pairs)], rng_below(r, 2) == 0,
                     times);
        }
    }
    mpz_clear(times);
    mpq_clear(size);
}

/* The nodes are so dense that phi falls within some blocks, or they are any. */
static void set_line(setup *s, rng *r)
{
    const double c[] = {1e-6, 0.01, 0.1, 0.5, 3, 20};
    double scale = ldexp(1 + (double)rng_below(r, 1U << 20), -20), k[3] = {0};
    double tilt = (double)(float)(c[rng_below(r, 6)] * scale);
    for (size_t i = 0; i < s->p.count; i++)
        s->p.item[i].ops->guess(k, s->p.item[i].self, tilt, LOSS_K2);
    double lambda = 5 + (double)rng_below(r, 60);
    double space = sqrt(lambda / k[2]) / (double)(32 << rng_below(r, 6));
    mpfr_init2(s->spacing, 60);
    mpfr_set_d(s->spacing, space, MPFR_RNDN);
    mpfr_init2(s->turn, 512);
    mpfr_const_pi(s->turn, MPFR_RNDN);
    mpfr_div(s->turn, s->spacing, s->turn, MPFR_RNDN);
    mpfr_div_2ui(s->turn, s->turn, 1, MPFR_RNDN);
    s->at = (block_line){tilt, s->turn, lambda, &circle, (unsigned)rng_below(r, 3)};
    s->line = (line){.c = tilt, .spacing = s->spacing, .last = UINT32_MAX, .work = BITS};
    s->first = BLOCK * (rng_below(r, 8) == 0 ? rng_below(r, 1U << 26) : rng_below(r, 24));
}

static void laws_close(setup *s)
{
    for (size_t i = 0; i < s->laws; i++)
        s->law[i].ops->close(s->law[i].self);
    s->laws = 0;
}

static bool laws_open(setup *s)
{
    s->error = (block_error){0};
    s->laws = 0;
    bool ok = true;
    for (size_t i = 0; ok && i < s->p.count; i++) {
        const loss *l = &s->p.item[i];
        ok = l->ops->blocks != NULL && l->ops->blocks(&s->law[s->laws], l->self, &s->at) == DP_OK;
        if (!ok)
            break;
        s->error.relative += s->law[s->laws].error.relative;
        s->error.absolute += s->law[s->laws].error.absolute;
        s->laws++;
    }
    s->error.absolute *= 1 + 2 * s->error.absolute;
    if (!ok || s->error.relative > 0x1p-6)
        laws_close(s);
    return s->laws > 0;
}

typedef struct block {
    double re[BLOCK], im[BLOCK], away[BLOCK];
} block;

static bool multiply(block *b, const setup *s)
{
    bool left = true;
    for (int k = 0; k < BLOCK; k++) {
        b->re[k] = 1;
        b->im[k] = b->away[k] = 0;
    }
    for (size_t i = 0; left && i < s->laws; i++)
        if (s->law[i].ops->multiply != NULL)
            left = s->law[i].ops->multiply(b->re, b->im, s->law[i].self, s->first);
    for (size_t i = 0; left && i < s->laws; i++)
        if (s->law[i].ops->multiply_sum != NULL)
            left = s->law[i].ops->multiply_sum(b->re, b->im, b->away, s->law[i].self, s->first);
    return left;
}

/* phi at node n, to far more than a double */
static void truth(cball *phi, const setup *s, uint64_t n)
{
    limits lim = {0};
    cball_set_ui(phi, 1);
    for (size_t i = 0; i < s->p.count; i++) {
        const loss *l = &s->p.item[i];
        assert_int_equal(l->ops->multiply(phi, l->self, &s->line, &n, 1, &lim), DP_OK);
    }
    assert_true(mpfr_cmp_d(phi->radius, 1e-60) < 0);
}

/* |x - phi|, or |phi| */
static double distance(const cball *phi, double re, double im)
{
    MPFR_DECL_INIT(x, BITS);
    MPFR_DECL_INIT(y, BITS);
    mpfr_sub_d(x, phi->re, re, MPFR_RNDN);
    mpfr_sub_d(y, phi->im, im, MPFR_RNDN);
    mpfr_hypot(x, x, y, MPFR_RNDN);
    return mpfr_get_d(x, MPFR_RNDN);
}

/* The error over its bound; 0 at what was left out, which must be small. */
static double check_node(const setup *s, const block *b, size_t k)
{
    cball phi;
    cball_init(&phi, BITS);
    truth(&phi, s, s->first + k);
    double size = distance(&phi, 0, 0), off = distance(&phi, b->re[k], b->im[k]);
    double most = expm1(s->error.relative) * size + 1.1 * b->away[k] + 1e-60;
    cball_clear(&phi);
    if (b->re[k] == 0 && b->im[k] == 0 && size <= exp(-s->at.lambda))
        return 0;
    most = fmin(most, s->error.absolute);
    if (!(off <= most))
        fail_msg("node %llu of %s, c = %g, lambda %g: %g for %g", (unsigned long long)s->first + k,
                 s->p.item[0].ops->name, s->at.c, s->at.lambda, off, most);
    return off / most;
}

static void check_abandoned(const setup *s, size_t k)
{
    cball phi;
    cball_init(&phi, BITS);
    truth(&phi, s, s->first + k);
    assert_true(distance(&phi, 0, 0) <= exp(-s->at.lambda));
    cball_clear(&phi);
}

static void check_bits(setup *s, const block *b)
{
    unsigned width = s->at.width;
    laws_close(s);
    for (s->at.width = 0; s->at.width <= binary64_width(); s->at.width++) {
        block other;
        assert_true(laws_open(s));
        assert_true(multiply(&other, s));
        assert_memory_equal(&other, b, sizeof other);
        laws_close(s);
    }
    s->at.width = width;
}

static void test_products(void **state)
{
    (void)state;
    rng r = rng_make(2201);
    double worst = 0;
    int left = 0, abandoned = 0;
    for (int i = 0; i < rounds(250); i++) {
        setup s;
        block b;
        random_product(&s.p, &r);
        set_line(&s, &r);
        if (s.at.width > binary64_width())
            s.at.width = binary64_width();
        if (laws_open(&s)) {
            bool kept = multiply(&b, &s);
            left += kept;
            abandoned += !kept;
            for (int j = 0; j < NODES; j++) {
                size_t k = j == 0 ? 0 : rng_below(&r, BLOCK);
                if (kept)
                    worst = fmax(worst, check_node(&s, &b, k));
                else
                    check_abandoned(&s, k);
            }
            if (kept)
                check_bits(&s, &b);
            laws_close(&s);
        }
        mpfr_clear(s.turn);
        mpfr_clear(s.spacing);
        product_clear(&s.p);
    }
    print_message("# %d blocks kept, %d abandoned; largest share of the bound %g\n", left,
                  abandoned, worst);
    assert_true(left > rounds(250) / 3 && abandoned > rounds(250) / 8 && worst > 0.02);
}

int main(void)
{
    binary64_circle_init(&circle);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_products)};
    return cmocka_run_group_tests_name("blocks", tests, NULL, NULL);
}
