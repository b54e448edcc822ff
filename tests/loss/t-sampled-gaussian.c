/* SPDX-License-Identifier: MIT */
/* The law of Gaussian noise on Poisson samples, and the engine on it. Digits of epsilon are those
 * of two programs that share no code, one in quadruple precision, from several contours each; those
 * of profiles are of quadrature at 40 digits. */
#include "law.h"

#include <string.h>

#include "engine/invert.h"
#include "loss/gaussian.h"
#include "loss/sampled_gaussian.h"

static void add_group(product *p, const char *sigma, const char *rate, unsigned long group,
                      unsigned long times, bool add)
{
    mpq_t s, q;
    mpz_t n;
    mpq_inits(s, q, NULL);
    mpz_init_set_ui(n, times);
    rational_of(s, sigma);
    rational_of(q, rate);
    assert_int_equal(sampled_gaussian_add_group(p, s, q, group, n, add), DP_OK);
    mpz_clear(n);
    mpq_clears(s, q, NULL);
}

#define add_sampled(p, sigma, rate, times, add) add_group(p, sigma, rate, 1, times, add)

/* epsilon of one direction encloses the number of these digits and is as narrow as asked. */
static void check_epsilon(const char *sigma, const char *rate, unsigned long times, bool add,
                          const char *delta, const char *value, size_t digits)
{
    product p;
    engine e;
    mpq_t target;
    dp_figure x;
    limits lim = {0};
    mpq_init(target);
    dp_figure_init(&x);
    rational_of(target, delta);
    product_init(&p);
    add_sampled(&p, sigma, rate, times, add);
    assert_int_equal(engine_init(&e, &p), DP_OK);
    assert_int_equal(optimal_epsilon(&x, &e, target, digits, &lim), DP_OK);
    assert_int_equal(x.kind, DP_ENCLOSED);
    mpq_t slack, end;
    mpq_inits(slack, end, NULL);
    rational_of(end, value);
    const char *point = strchr(value, '.');
    mpz_ui_pow_ui(mpq_denref(slack), 10, strlen(point + 1));
    mpz_set_ui(mpq_numref(slack), 1);
    mpq_add(end, end, slack);
    assert_true(mpfr_cmp_q(&x.enclosure->left, end) <= 0);
    mpq_sub(end, end, slack);
    mpq_sub(end, end, slack);
    assert_true(mpfr_cmp_q(&x.enclosure->right, end) >= 0);
    mpq_clears(slack, end, NULL);
    engine_clear(&e);
    product_clear(&p);
    dp_figure_clear(&x);
    mpq_clear(target);
}

static void test_epsilon(void **state)
{
    (void)state;
    static const struct {
        const char *sigma, *rate;
        unsigned long times;
        const char *delta, *value[2]; /* removed and added */
    } row[] = {
        {"1", "0.01", 1000, "1e-5", {"1.828236666516576842614", "1.416661948036175106816"}},
        {"1", "0.01", 1000, "1e-10", {"3.290443750895298361675", "2.118533843158292206726"}},
        {"1", "0.01", 1000, "1e-30", {"9.34189563270514857459", "3.524376408350802355556"}},
        {"1", "0.01", 1000, "1e-100", {"29.5987115908058132", "5.47948423343714"}},
        {"1", "0.01", 1000, "1e-300", {"85.544271124418825663", NULL}},
        {"1", "0.01", 10000, "1e-5", {"6.187712389971539076998", "5.61150861765198090523"}},
        {"1", "0.01", 10000, "1e-10", {"9.31613852588233445457", "8.12174476490209428723"}},
        {"1", "0.01", 10000, "1e-30", {"17.63506105288602314255", "13.81410335579324086499"}},
        {"0.8", "256/60000", 14040, "1e-5", {"4.54600883425490808088", "3.901142029014475697860"}},
        {"0.8", "256/60000", 14040, "1e-10", {"7.2145895803685397245", "5.705483924123599785587"}},
        {"0.8", "256/60000", 14040, "1e-30", {"16.4118789538661247120", "9.691658537672727792083"}},
        {"2", "0.001", 1000000, "1e-9", {"3.12043616085782076", NULL}},
        {"1", "1e-4", 10000, "1e-5", {"0.0380169610655705704", NULL}},
        {"5", "0.5", 1000, "1e-5", {"18.0637454897829375", NULL}},
        /* a mixture of Gaussians over how often the record took part, to 20 digits and more */
        {"0.05", "0.01", 3, "1e-5", {"442.8831385631734169", NULL}},
        {"0.05", "0.01", 10, "1e-5", {"635.8696858072763218", NULL}},
        {"0.02", "0.01", 3, "1e-5", {"2622.471295513148409980", NULL}},
        {"0.02", "0.01", 10, "1e-5", {"3861.961070969377579244", NULL}},
        {"0.02", "0.01", 1000, "1e-5", {"32406.52295789563676715", NULL}},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        for (int add = 0; add < 2; add++)
            if (row[i].value[add] != NULL)
                check_epsilon(row[i].sigma, row[i].rate, row[i].times, add == 1, row[i].delta,
                              row[i].value[add], i == 0 ? 18 : 9);
}

/* One use, in closed form; slopes beside differences. */
static void test_single(void **state)
{
    (void)state;
    static const struct {
        const char *sigma, *rate, *x, *value[2];
    } row[] = {
        {"1", "0.1", "0.5", {"0.00203253692034035765330685353581", "0"}},
        {"2",
         "0.25",
         "0.1",
         {"0.0208347604216270055607361715369", "0.00961323648553651050482108398942"}},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        for (int add = 0; add < 2; add++) {
            product p;
            product_init(&p);
            add_sampled(&p, row[i].sigma, row[i].rate, 1, add == 1);
            check_profile(only_law(&p), row[i].x, row[i].value[add], 28);
            check_wide_profile(only_law(&p), "-1/2", "1/20");
            product_clear(&p);
        }
}

/* Groups: one use by bisection and error functions at 60 digits, many by another contour. */
static void test_groups(void **state)
{
    (void)state;
    static const struct {
        const char *sigma, *rate;
        unsigned long group, times;
        const char *x, *value[2];
        unsigned digits;
    } row[] = {
        {"1", "0.01", 2, 1, "0.5", {"0.0000078997704985018483454733285671", "0"}, 28},
        {"2", "0.25", 5, 1, "0.1", {"0.203133349803838436", "0.189529252057927188"}, 17},
        {"1/2", "0.1", 3, 1, "4", {"0.023525182280070845060900236913768", "0"}, 28},
        {"1", "0.01", 2, 1000, "2", {"0.0074297903456140327", "0.00234345460558441318"}, 15},
        {"2", "0.2", 3, 20, "3", {"0.0409307242308068015", "0.00981008747790918038"}, 16},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        for (int add = 0; add < 2; add++) {
            product p;
            engine e;
            profile f;
            mpfi_t s, x;
            mpfr_t slope;
            limits lim = {0};
            product_init(&p);
            add_group(&p, row[i].sigma, row[i].rate, row[i].group, row[i].times, add == 1);
            mpfi_init2(s, 100);
            mpfi_init2(x, 100);
            mpfr_init2(slope, 64);
            number_in(x, row[i].x);
            if (row[i].times == 1) {
                check_profile(only_law(&p), row[i].x, row[i].value[add], row[i].digits);
                check_wide_profile(only_law(&p), "-1/2", "1/20");
            } else {
                assert_int_equal(engine_init(&e, &p), DP_OK);
                assert_int_equal(profile_open(&f, &e, mpfi_get_d(x), 64, 1e-9, false, &lim), DP_OK);
                assert_int_equal(profile_at(s, slope, &f, x), DP_OK);
                mpfi_round_prec(s, 50);
                holds_digits(s, row[i].value[add], row[i].digits);
                profile_close(&f);
                engine_clear(&e);
                check_zeros(only_law(&p));
                check_guess(only_law(&p), add == 0 ? 2.5 : -0.3);
                check_guess(only_law(&p), 512);
            }
            mpfr_clear(slope);
            mpfi_clear(x);
            mpfi_clear(s);
            product_clear(&p);
        }
}

/* A rate of 1 is the Gaussian, equal uses are one, and nothing is nothing. */
static void test_adding(void **state)
{
    (void)state;
    product p;
    mpq_t mu;
    mpq_init(mu);
    product_init(&p);
    add_sampled(&p, "2", "1", 3, false);
    assert_true(gaussian_of(mu, &p));
    assert_int_equal(mpq_cmp_ui(mu, 3, 4), 0);
    product_clear(&p);
    product_init(&p);
    add_group(&p, "2", "1", 4, 3, true); /* of 4 records: mu = 4/2 each */
    assert_true(gaussian_of(mu, &p));
    assert_int_equal(mpq_cmp_ui(mu, 12, 1), 0);
    add_sampled(&p, "2", "0", 3, false);
    assert_int_equal(p.count, 1);
    add_sampled(&p, "2", "1/2", 3, false);
    add_sampled(&p, "2", "1/3", 3, false);
    add_sampled(&p, "2", "1/2", 4, false);
    assert_int_equal(p.count, 2);
    mpz_t uses;
    mpz_init(uses);
    p.item[1].ops->uses(uses, p.item[1].self);
    assert_int_equal(mpz_get_ui(uses), 10);
    mpz_clear(uses);
    product_clear(&p);
    mpq_clear(mu);
}

static void test_moments(void **state)
{
    (void)state;
    static const char *const row[][2] = {{"1", "0.01"}, {"1/5", "1/2"}, {"4", "1/3000"}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        for (int add = 0; add < 2; add++) {
            product p;
            product_init(&p);
            add_sampled(&p, row[i][0], row[i][1], 7, add == 1);
            if ((i % 2 == 0) == (add == 1))
                check_zeros(only_law(&p));
            check_guess(only_law(&p), add == 0 ? 2.5 : -0.3);
            product_clear(&p);
        }
}

/* ---- nodes beside sums of MPFR -------------------------------------------------------------- */
#define TRUE_BITS 256

typedef struct truth {
    mpfr_t s, q, p, t, re, im, y, u, l, e, a, b;
    unsigned long group;
} truth;

/* l = ln r(y) for groups */
static void true_ratio(truth *x)
{
    mpfr_set_ui(x->l, 0, MPFR_RNDN);
    for (unsigned long j = 0; j <= x->group; j++) {
        mpz_t ways;
        mpz_init(ways);
        mpz_bin_uiui(ways, x->group, j);
        mpfr_mul_ui(x->e, x->s, 2, MPFR_RNDN);
        mpfr_ui_div(x->e, j, x->e, MPFR_RNDN);
        mpfr_sub(x->e, x->y, x->e, MPFR_RNDN);
        mpfr_mul_ui(x->e, x->e, j, MPFR_RNDN);
        mpfr_div(x->e, x->e, x->s, MPFR_RNDN);
        mpfr_exp(x->e, x->e, MPFR_RNDN);
        mpfr_mul_z(x->e, x->e, ways, MPFR_RNDN);
        mpfr_pow_ui(x->a, x->q, j, MPFR_RNDN);
        mpfr_mul(x->e, x->e, x->a, MPFR_RNDN);
        mpfr_ui_sub(x->a, 1, x->q, MPFR_RNDN);
        mpfr_pow_ui(x->a, x->a, x->group - j, MPFR_RNDN);
        mpfr_fma(x->l, x->e, x->a, x->l, MPFR_RNDN);
        mpz_clear(ways);
    }
    mpfr_log(x->l, x->l, MPFR_RNDN);
}

#define TRUTH_ALL(x)                                                                               \
    (x)->s, (x)->q, (x)->p, (x)->t, (x)->re, (x)->im, (x)->y, (x)->u, (x)->l, (x)->e, (x)->a, (x)->b

/* re + i im = the integral of phi r^(p+it) sqrt(2 pi) / h by a step that is far finer than any plan
 * takes, within e^(t pi - 2 pi 3 steps) of G(p) for s < 8 */
static void true_sum(truth *x, double s, unsigned steps, double depth)
{
    double k = (double)x->group;
    double h = fmin(s / k, 3) / steps, end = k * mpfr_get_d(x->p, MPFR_RNDN) / s;
    double reach = sqrt(2 * depth) + 1;
    long first = (long)floor((fmin(0, end) - reach) / h);
    long last = (long)ceil((fmax(0, end) + reach) / h);
    mpfr_set_ui(x->re, 0, MPFR_RNDN);
    mpfr_set_ui(x->im, 0, MPFR_RNDN);
    for (long j = first; j <= last; j++) {
        mpfr_set_d(x->y, h, MPFR_RNDN);
        mpfr_mul_si(x->y, x->y, j, MPFR_RNDN);
        true_ratio(x);
        mpfr_mul(x->e, x->l, x->p, MPFR_RNDN);
        mpfr_sqr(x->y, x->y, MPFR_RNDN);
        mpfr_div_2ui(x->y, x->y, 1, MPFR_RNDN);
        mpfr_sub(x->e, x->e, x->y, MPFR_RNDN);
        mpfr_exp(x->e, x->e, MPFR_RNDN);
        mpfr_mul(x->l, x->l, x->t, MPFR_RNDN);
        mpfr_sin_cos(x->b, x->a, x->l, MPFR_RNDN);
        mpfr_fma(x->re, x->e, x->a, x->re, MPFR_RNDN);
        mpfr_fma(x->im, x->e, x->b, x->im, MPFR_RNDN);
    }
}

typedef struct node_case {
    const char *sigma, *rate;
    bool add;
    double c, height; /* of the last node */
    mpfr_prec_t work;
    unsigned long group;
} node_case;

/* Is |x - ball| at most its radius, up to the error of x? */
static void check_inside(const cball *ball, const truth *x, mpfr_prec_t work)
{
    mpfr_t a, b;
    mpfr_init2(a, TRUE_BITS);
    mpfr_init2(b, TRUE_BITS);
    mpfr_sub(a, x->re, ball->re, MPFR_RNDN);
    mpfr_sub(b, x->im, ball->im, MPFR_RNDN);
    mpfr_hypot(a, a, b, MPFR_RNDN);
    mpfr_set_ui_2exp(b, 1, -work - 30, MPFR_RNDN);
    mpfr_sub(a, a, b, MPFR_RNDN);
    assert_true(mpfr_lessequal_p(a, ball->radius));
    mpfr_hypot(a, x->re, x->im, MPFR_RNDN);
    mpfr_sub(a, a, b, MPFR_RNDN);
    assert_true(mpfr_lessequal_p(a, ball->size));
    mpfr_clear(a);
    mpfr_clear(b);
}

/* The decay from here and from before is at most what the modulus has fallen by. */
static void check_decay(const loss *l, const node_case *n, const truth *x)
{
    MPFR_DECL_INIT(t, 64);
    MPFR_DECL_INIT(low, 64);
    mpfr_t fall;
    mpfr_init2(fall, TRUE_BITS);
    mpfr_hypot(fall, x->re, x->im, MPFR_RNDN);
    mpfr_log(fall, fall, MPFR_RNDN);
    mpfr_neg(fall, fall, MPFR_RNDN);
    double part[] = {1, 0.1};
    for (size_t i = 0; i < 2; i++) {
        mpfr_mul_d(t, x->t, n->add ? -part[i] : part[i], MPFR_RNDD);
        l->ops->decay(low, l->self, n->c, t);
        assert_true(mpfr_sgn(low) >= 0 && mpfr_lessequal_p(low, fall));
        if (i == 0 && n->work >= 90 && mpfr_cmp_d(fall, 0.05) > 0) {
            mpfr_div_2ui(fall, fall, 1, MPFR_RNDN);
            assert_true(mpfr_greaterequal_p(low, fall));
            mpfr_mul_2ui(fall, fall, 1, MPFR_RNDN);
        }
    }
    mpfr_clear(fall);
}

static void check_nodes(const node_case *n)
{
    product p;
    product_init(&p);
    add_group(&p, n->sigma, n->rate, n->group, 1, n->add);
    const loss *l = only_law(&p);
    mpfr_t spacing;
    mpq_t part;
    truth x = {.group = n->group};
    limits lim = {0};
    mpq_init(part);
    mpfr_init2(spacing, 30);
    mpfr_set_d(spacing, n->height / 9, MPFR_RNDN);
    mpfr_inits2(TRUE_BITS, TRUTH_ALL(&x), (mpfr_ptr)0);
    const uint64_t node[] = {0, 1, 4, 9};
    line at = {.c = n->c, .spacing = spacing, .last = 9, .work = n->work};
    cball *phi = cball_list_new(4, n->work);
    for (size_t i = 0; i < 4; i++)
        cball_set_ui(&phi[i], 1);
    assert_int_equal(l->ops->multiply(phi, l->self, &at, node, 4, &lim), DP_OK);
    rational_of(part, n->sigma);
    mpfr_set_q(x.s, part, MPFR_RNDN);
    double s = mpq_get_d(part);
    rational_of(part, n->rate);
    mpfr_set_q(x.q, part, MPFR_RNDN);
    mpfr_set_d(x.p, n->c, MPFR_RNDN);
    if (n->add)
        mpfr_neg(x.p, x.p, MPFR_RNDN);
    else
        mpfr_add_ui(x.p, x.p, 1, MPFR_RNDN);
    mpfr_t whole;
    mpfr_init2(whole, TRUE_BITS);
    for (size_t i = 0; i < 4; i++) {
        mpfr_mul_ui(x.t, spacing, (unsigned long)node[i], MPFR_RNDN);
        if (n->add)
            mpfr_neg(x.t, x.t, MPFR_RNDN);
        double depth = 0.7 * (double)(n->work + 50);
        true_sum(&x, s, (unsigned)(depth / 18 + n->height / 6) + 1, depth);
        if (i == 0)
            mpfr_set(whole, x.re, MPFR_RNDN);
        mpfr_div(x.re, x.re, whole, MPFR_RNDN);
        mpfr_div(x.im, x.im, whole, MPFR_RNDN);
        check_inside(&phi[i], &x, n->work);
        assert_true(mpfr_cmp_ui_2exp(phi[i].radius, 1, 40 - n->work) < 0);
        if (i % 2 == 1)
            check_decay(l, n, &x);
    }
    mpfr_clear(whole);
    cball_list_free(phi, 4);
    mpfr_clears(TRUTH_ALL(&x), (mpfr_ptr)0);
    mpfr_clear(spacing);
    mpq_clear(part);
    product_clear(&p);
}

static void test_nodes(void **state)
{
    (void)state;
    static const node_case row[] = {
        {"1", "0.01", false, 3.5, 6, 110, 1},    {"1", "0.01", true, 6.25, 20, 120, 1},
        {"1", "0.01", false, 5, 40, 150, 1},     {"2", "1/3", true, -0.5, 9, 100, 1},
        {"2", "1/3", false, -0.25, 9, 100, 1},   {"1/2", "1/10", false, 0.125, 30, 90, 1},
        {"1/2", "9/10", true, 4, 30, 90, 1},     {"4", "1/3000", false, 40, 10, 140, 1},
        {"1/16", "0.01", false, 0.25, 2, 60, 1}, {"1/20", "1/3", true, 0.5, 3, 70, 1},
        {"1", "0.01", false, 3.5, 6, 110, 2},    {"2", "1/3", true, 1.25, 20, 90, 3},
        {"2", "1/3", false, -0.25, 9, 100, 3},   {"3", "1/10", true, -0.5, 4, 80, 7},
    };
    size_t every = rounds_are_full() ? 1 : 3;
    for (size_t i = 0; i < sizeof row / sizeof *row; i += every)
        check_nodes(&row[i]);
}

/* ---- bounds where they matter --------------------------------------------------------------- */
/* s by a sum of any line, period, orders and length, however crude, holds the profile. */
static void check_crude(const engine *e, const mpfi_t known, mpfr_srcptr at, bool beside, rng *r)
{
    limits lim = {0};
    double low = 1 + (double)rng_below(r, 1000) / 1000;
    trapezoid p = {.all = &e->all, .sums = 1, .lambda = 1e6, .work = 90};
    if (beside || rng_below(r, 3) > 0) {
        p.c = (double)(1 + rng_below(r, 64)) / (beside ? 8192 : 8);
        p.above = p.c * (1.2 + low);
        p.below = rng_below(r, 2) == 0 ? 0 : p.c / 4;
        p.period = low * (double)(1 + rng_below(r, 8)) / p.c;
    } else {
        p.c = -(double)(1 + rng_below(r, 30)) / 32;
        p.above = 0;
        p.below = -1;
        p.period = low * (double)(2 + rng_below(r, 16));
    }
    p.period = ldexp(rint(ldexp(p.period, 10)), -10);
    p.last = 2 + rng_below(r, 40);
    p.beside = beside;
    p.far = ldexp(1, (int)rng_below(r, 60));
    mpfi_t s;
    mpfr_t slope;
    mpfi_init2(s, 90);
    mpfr_init2(slope, 64);
    assert_int_equal(trapezoid_prepare(&p, &lim), DP_OK);
    trapezoid_profile(&(mpfi_ptr){s}, slope, &p, at);
    assert_true(mpfr_lessequal_p(&s->left, &known->right));
    assert_true(mpfr_lessequal_p(&known->left, &s->right));
    trapezoid_close(&p);
    mpfr_clear(slope);
    mpfi_clear(s);
}

static void test_crude(void **state)
{
    (void)state;
    static const struct {
        const char *sigma, *rate;
        unsigned long times;
        double x;
        bool beside;
    } row[] = {
        {"1", "0.01", 1000, 1, false},   {"1", "1/5", 30, 2, false},
        {"2", "1/2", 20, 0.5, false},    {"1/20", "0.01", 3, 300, true},
        {"1/20", "0.01", 3, 0.02, true},
    };
    rng r = rng_make(29);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        for (int add = 0; add < 2; add++) {
            product p;
            engine e;
            profile best;
            mpfi_t known, x;
            mpfr_t slope;
            limits lim = {0};
            product_init(&p);
            add_sampled(&p, row[i].sigma, row[i].rate, row[i].times, add == 1);
            assert_int_equal(engine_init(&e, &p), DP_OK);
            mpfi_init2(known, 90);
            mpfi_init2(x, 60);
            mpfr_init2(slope, 64);
            mpfi_set_d(x, row[i].x);
            bool over = add == 1 && row[i].x > e.all.tilt.total;
            if (!over) {
                assert_int_equal(profile_open(&best, &e, row[i].x, 70, 1e-9, false, &lim), DP_OK);
                assert_int_equal(profile_at(known, slope, &best, x), DP_OK);
                profile_close(&best);
            } else {
                mpfi_set_ui(known, 0);
            }
            for (int j = 0; j < rounds(4); j++)
                check_crude(&e, known, &x->left, row[i].beside && j % 4 > 0, &r);
            mpfr_clear(slope);
            mpfi_clear(x);
            mpfi_clear(known);
            engine_clear(&e);
            product_clear(&p);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_epsilon), cmocka_unit_test(test_single),
        cmocka_unit_test(test_adding),  cmocka_unit_test(test_moments),
        cmocka_unit_test(test_nodes),   cmocka_unit_test(test_crude),
        cmocka_unit_test(test_groups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
