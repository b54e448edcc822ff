/* SPDX-License-Identifier: MIT */
/* The law of Laplace noise. Digits are those of mpmath at 2000 digits. */
#include "law.h"

#include "loss/laplace.h"

/* epsilon, z, K(z) */
static void test_moments(void **state)
{
    (void)state;
    static const char *const row[][3] = {
        {"1/2", "3", "0.9627795905361525212455569132251955132649"},
        {"1/2", "-1/2", "-0.0268564486857902442337049096901654966254"},
        {"3", "-1/4", "-0.4218228441110043867280801800677102914941"},
        {"1/1000000", "7", "0.00000000002799999066640766687527047349529343678342"},
        {"1e-40", "1", "1.0e-80"},
        {"100", "1/3", "33.11018978201912357756703824302349882996"},
        {"20000", "12", "239999.3460735325933359868519687751129433"},
        {"1/2", "1e-30", "1.065306597126334236037995349912834524019e-31"},
        {"7", "-999999/1000000", "-0.000006000910395641969482457515889336140090477"},
        {"1/2", "-499999999/1000000000", "-0.02685644868579024412537157635683216329575"},
    };
    mpfi_t k, z;
    mpfi_init2(k, 130);
    mpfi_init2(z, 500);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        product p;
        product_init(&p);
        add_law(&p, laplace_add, row[i][0], 1);
        number_in(z, row[i][1]);
        only_law(&p)->ops->log_moment(k, only_law(&p)->self, z, NULL);
        holds_digits(k, row[i][2], 40);
        check_zeros(only_law(&p));
        product_clear(&p);
    }
    mpfi_clear(z);
    mpfi_clear(k);
    static const char *const size[] = {"1", "1/900", "1/7", "40"};
    for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
        product p;
        product_init(&p);
        add_law(&p, laplace_add, size[i], 3);
        add_law(&p, laplace_add, "1/5", 2);
        check_zeros(only_law(&p));
        for (double at = -0.96; at < 20; at += 0.37)
            check_guess(only_law(&p), at);
        check_guess(only_law(&p), -0.5);
        product_clear(&p);
    }
}

/* The moment of order 2 from the law itself: atoms and density, cut finely, from both sides. */
static void test_law(void **state)
{
    (void)state;
    double eps = 1.5, z = 2, cells = 100000, sum = 0.5 * exp(z * eps);
    sum += 0.5 * exp(-eps) * exp(-z * eps);
    for (double i = 0.5; i < cells; i++) {
        double at = -eps + 2 * eps * i / cells;
        sum += exp((at - eps) / 2) / 4 * exp(z * at) * 2 * eps / cells;
    }
    product p;
    product_init(&p);
    add_law(&p, laplace_add, "3/2", 1);
    mpfi_t k, at;
    mpfi_init2(k, 100);
    mpfi_init2(at, 100);
    mpfi_set_ui(at, 2);
    only_law(&p)->ops->log_moment(k, only_law(&p)->self, at, NULL);
    assert_true(fabs(mpfi_get_d(k) - log(sum)) < 1e-8);
    mpfi_clear(at);
    mpfi_clear(k);
    product_clear(&p);
}

/* epsilon, x, s(x) of one use; the reference values among them */
static void test_profile(void **state)
{
    (void)state;
    static const char *const row[][3] = {
        {"1", "1/2", "0.2211992169285951317548297330216793527032"},
        {"1", "0", "0.3934693402873665763962004650088195465581"},
        {"1", "-1/2", "0.5276334472589852928619534490567320870298"},
        {"1", "-50", "0.9999999999999999999998071250152036082217"},
        {"3", "1", "0.6321205588285576784044762298385391325542"},
        {"1/3", "1/3000000", "0.1535181340290866874947936291243535618738"},
        {"10000", "1000", "1.0"},
        {"1e-30", "5e-31", "2.4999999999999999999999999999996875e-31"},
        {"2", "-2", "0.8646647167633873081060005050275155965924"},
        {"1/10", "1/20", "0.0246900879716673313730135761872"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        product p;
        product_init(&p);
        add_law(&p, laplace_add, row[i][0], 1);
        check_profile(only_law(&p), row[i][1], row[i][2], 29);
        check_wide_profile(only_law(&p), "-3/2", "2");
        product_clear(&p);
    }
    product p;
    product_init(&p);
    add_law(&p, laplace_add, "1/3", 1);
    const loss *l = only_law(&p);
    mpfi_t s, x;
    mpfr_t slope;
    mpfi_init2(s, 100);
    mpfi_init2(x, 100);
    mpfr_init2(slope, 64);
    number_in(x, "1/2");
    assert_true(l->ops->profile(s, slope, l->self, x) && mpfi_is_zero(s));
    assert_true(mpfr_zero_p(slope));
    add_law(&p, laplace_add, "1/3", 5000);
    assert_false(l->ops->profile(s, slope, l->self, x)); /* too many terms */
    mpfr_clear(slope);
    mpfi_clear(x);
    mpfi_clear(s);
    product_clear(&p);
}

/* Two epsilons with their uses, x, s(x), by mpmath at 400 digits from the closed form, which was
 * checked against integrals over one loss after the other and against simulation. Among them x near
 * the top and where most bits cancel. */
static void test_few(void **state)
{
    (void)state;
    static const struct {
        const char *first, *second, *x, *value;
        unsigned long uses[2];
    } row[] = {
        {"1/2", "0", "3/10", "0.1719914945805117146330856786387177998833", {2, 0}},
        {"1/2", "0", "-2/5", "0.4289269006398790580894798925928416940362", {2, 0}},
        {"3", "0", "5/2", "0.6741738560304153874736551400005543449724", {2, 0}},
        {"1/10", "0", "3", "0.00002005410403395538066074315090974838694461", {60, 0}},
        {"1", "0", "599/20", "6.463536202953164185868481706875843181618e-11", {30, 0}},
        {"1/100", "0", "1/7", "0.0002533136889214937629389921973630867219149", {40, 0}},
        {"50", "0", "400", "0.999999999999999999999999999999984984818", {12, 0}},
        {"1e-30", "0", "1e-30", "5.93750000000000000000000000000296875e-31", {7, 0}},
        {"2/5", "3/2", "13/10", "0.178909119414022502796356379505689461153", {2, 1}},
        {"3/10", "1/2", "-6/5", "0.7396394191027865516439867196344138490983", {5, 4}},
        {"1/7", "2", "29/4", "0.000009513639115478528512042299509603682401719", {9, 3}},
        {"1/10", "0", "5999999/1000000", "8.673743147912117789553539887407912109944e-25", {60, 0}},
        {"1/3", "0", "20", "0.000005350488064455990167997353679979410839004", {120, 0}},
        {"1/25", "0", "27/10", "0.00129438425655170102877760517861870895284", {520, 0}},
        {"200", "1/5", "1", "1.0", {30, 3}},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        product p;
        product_init(&p);
        add_law(&p, laplace_add, row[i].first, row[i].uses[0]);
        add_law(&p, laplace_add, row[i].second, row[i].uses[1]);
        check_profile(only_law(&p), row[i].x, row[i].value, 29);
        if (row[i].uses[0] < 100)
            check_wide_profile(only_law(&p), "-1/2", "1");
        product_clear(&p);
    }
    product p; /* at an atom both s and the slope are those from above */
    product_init(&p);
    add_law(&p, laplace_add, "1/2", 2);
    check_profile(only_law(&p), "0", "0.2418366753592082204952505812610244331976", 29);
    product_clear(&p);
}

static void test_merging(void **state)
{
    (void)state;
    product p;
    product_init(&p);
    add_law(&p, laplace_add, "0", 5);
    add_law(&p, laplace_add, "1/3", 0);
    assert_int_equal(p.count, 0);
    static const char *const epsilon[] = {"1/3", "1/4", "1/5", "1/6", "1/3", "2/6", "1/7"};
    for (size_t i = 0; i < sizeof epsilon / sizeof *epsilon; i++)
        add_law(&p, laplace_add, epsilon[i], i + 1);
    const loss *l = only_law(&p);
    assert_true(l->ops->factors(l->self) == 5);
    assert_int_equal(l->ops->resonances(NULL, 0, l->self, NULL), 5);
    logform f;
    mpq_t top;
    logform_init(&f);
    mpq_init(top);
    assert_true(l->ops->top(&f, l->self));
    /* 12/3 + 2/4 + 3/5 + 4/6 + 7/7 */
    rational_of(top, "203/30");
    assert_true(logform_is_rational(&f) && mpq_equal(f.rational, top));
    double guessed = 1, reach = 0;
    l->ops->guess_range(&guessed, &reach, l->self);
    assert_true(fabs(guessed - 1 - 203.0 / 30) < 1e-12 && fabs(reach - 1.0 / 3) < 1e-12);
    mpz_t uses;
    mpz_init(uses);
    l->ops->uses(uses, l->self);
    assert_true(mpz_sgn(uses) > 0);
    mpz_clear(uses);
    mpq_clear(top);
    logform_clear(&f);
    product_clear(&p);
}

/* epsilon, alpha, divergence; at 1 and infinity its limits */
static void test_renyi(void **state)
{
    (void)state;
    static const char *const row[][3] = {
        {"1", "2", "0.6191236299985928833997885365435069867983"},
        {"1/10", "32", "0.07820575858891309952753765165845372641521"},
        {"1", "1", "0.3678794411714423215955237701614608674458"},
        {"1e-20", "1", "4.999999999999999999983333333333333333333e-41"},
        {"3", "3/2", "2.426287674233103573342628060384662978946"},
        {"5", "1e9", "4.999999999306852819246907509954675388538"},
        {"1", "1000001/1000000", "0.3678797698654058543543742902179186294024"},
        {"1/10", "1", "0.00483741803595957316424905944644"},
        {"5", "1", "4.00673794699908546709663604842"},
    };
    mpq_t epsilon;
    mpfi_t r, alpha, other;
    mpq_init(epsilon);
    mpfi_init2(r, 130);
    mpfi_init2(alpha, 500);
    mpfi_init2(other, 130);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        rational_of(epsilon, row[i][0]);
        number_in(alpha, row[i][1]);
        laplace_renyi(r, epsilon, alpha);
        holds_digits(r, row[i][2], 29);
        /* at most rho alpha, rho the KL divergence, and at most epsilon */
        laplace_kl(other, epsilon);
        mpfi_mul(other, other, alpha);
        assert_true(mpfr_lessequal_p(&r->left, &other->right));
        assert_true(mpfr_cmp_q(&r->left, epsilon) <= 0);
    }
    mpfr_set_inf(&alpha->left, 1);
    mpfr_set_inf(&alpha->right, 1);
    laplace_renyi(r, epsilon, alpha);
    assert_true(mpfi_cmp_ui(r, 5) == 0);
    mpfr_set_ui(&alpha->left, 1, MPFR_RNDN); /* every order */
    laplace_renyi(r, epsilon, alpha);
    assert_true(mpfr_cmp_d(&r->left, 4.0068) < 0 && mpfr_cmp_ui(&r->right, 5) == 0);
    mpq_set_ui(epsilon, 0, 1);
    laplace_renyi(r, epsilon, alpha);
    assert_true(mpfi_is_zero(r));
    mpfi_clear(other);
    mpfi_clear(alpha);
    mpfi_clear(r);
    mpq_clear(epsilon);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moments), cmocka_unit_test(test_law),
        cmocka_unit_test(test_profile), cmocka_unit_test(test_few),
        cmocka_unit_test(test_merging), cmocka_unit_test(test_renyi)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
