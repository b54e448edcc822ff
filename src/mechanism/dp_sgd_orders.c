/* SPDX-License-Identifier: MIT */
/* The rows of a Renyi curve of DP-SGD at the order that doubles find best for them. Any is sound.
 */
#include <math.h>

#include "mechanism/dp_sgd.h"
#include "num/ival.h"

#define LEAST_EXCESS (-650.0) /* of ln(A(2) - 1): below it orders between integers are dear */
#define MOST_TINY 4000        /* integers of which there are sums */
#define LEAST_NUM 1000001     /* the least order, for total variation */
#define LEAST_DEN 1000000

/* What is asked of the curve: epsilon at delta, or delta at x. */
typedef struct question {
    const dp_sgd *of;
    renyi_curve curve;
    mpq_srcptr delta; /* NULL: delta is asked for */
    mpfi_srcptr x;
    bool improved, whole;
    mpq_t least, most;
} question;

/* About ln(A(2) - 1) = ln(q^2 (e^(1/s^2) - 1)) */
static double log_excess(const sampled *g)
{
    double x = -2 * g->log_sigma;
    return 2 * g->log_rate + (x < -30 ? x : x < 6 ? log(expm1(exp(x))) : exp(x));
}

static void question_init(question *a)
{
    bool tiny = log_excess(&a->of->of) < LEAST_EXCESS;
    a->curve = dp_sgd_curve(a->of);
    a->whole = a->whole || tiny;
    mpq_inits(a->least, a->most, NULL);
    mpq_set_ui(a->least, 2, 1);
    mpq_set_ui(a->most, MOST_TINY, 1);
    if (a->whole)
        a->curve.least = a->least;
    if (tiny)
        a->curve.most = a->most;
}

static void question_clear(question *a)
{
    mpq_clears(a->least, a->most, NULL);
}

/* The figure at that order */
static void set_row(mpfi_t out, const question *a, const mpq_t alpha)
{
    mpfi_t r;
    mpfi_init2(r, mpfi_get_prec(out));
    a->curve.at(r, a->curve.of, alpha);
    if (a->delta != NULL)
        (a->improved ? renyi_improved_epsilon : renyi_classic_epsilon)(out, r, alpha, a->delta);
    else
        (a->improved ? renyi_improved_delta : renyi_classic_delta)(out, r, alpha, a->x);
    mpfi_clear(r);
}

/* The integer about alpha that is better: t and t + 1, t >= 1, are looked at. */
static void make_whole(mpq_t alpha, const question *a)
{
    double t = floor(mpq_get_d(alpha)) - 1, given, found[2];
    given = a->delta != NULL ? ival_guess_log(a->delta) : mpfi_get_d(a->x);
    for (int i = 0; i < 2; i++) {
        double at = t + i, kappa = a->improved ? dp_sgd_log_kappa(at) : 0;
        double r = a->curve.guess(a->curve.of, at);
        found[i] = a->delta != NULL ? r + (kappa - given) / at : at * (r - given) + kappa;
    }
    mpz_fdiv_q(mpq_numref(alpha), mpq_numref(alpha), mpq_denref(alpha));
    mpz_set_ui(mpq_denref(alpha), 1);
    if (found[1] < found[0] && (a->curve.most == NULL || mpq_cmp(alpha, a->curve.most) < 0))
        mpz_add_ui(mpq_numref(alpha), mpq_numref(alpha), 1);
}

static bool find_order(mpq_t alpha, const question *a)
{
    bool ok = a->delta != NULL ? renyi_order_epsilon(alpha, &a->curve, a->improved, a->delta)
                               : renyi_order_delta(alpha, &a->curve, a->improved, a->x);
    if (ok && a->whole)
        make_whole(alpha, a);
    return ok;
}

/* out bounds total variation, by the least order. False: guesses say that it is not below `most`.
 */
static bool variation(mpfi_t out, mpq_t alpha, const question *a, double most)
{
    mpq_set_ui(alpha, a->whole ? 2 : LEAST_NUM, a->whole ? 1 : LEAST_DEN);
    double near = a->curve.guess(a->curve.of, mpq_get_d(alpha) - 1);
    if (!a->improved || sqrt(-expm1(-near)) > 2 * most)
        return false;
    a->curve.at(out, a->curve.of, alpha);
    renyi_total_variation(out, out);
    return true;
}

bool dp_sgd_epsilon(mpfi_t out, mpq_t alpha, const dp_sgd *s, const mpq_t delta, bool improved,
                    bool whole)
{
    question a = {.of = s, .delta = delta, .improved = improved, .whole = whole};
    question_init(&a);
    bool ok = true;
    if (variation(out, alpha, &a, exp(ival_guess_log(delta))) &&
        mpfr_cmp_q(&out->right, delta) <= 0) {
        mpfi_set_ui(out, 0);
    } else {
        ok = find_order(alpha, &a);
        if (ok)
            set_row(out, &a, alpha);
        ok = ok && mpfr_number_p(&out->right);
    }
    question_clear(&a);
    return ok;
}

bool dp_sgd_delta(mpfi_t out, mpq_t alpha, const dp_sgd *s, const mpfi_t x, bool improved,
                  bool whole)
{
    question a = {.of = s, .x = x, .improved = improved, .whole = whole};
    mpfi_t other;
    mpq_t order;
    mpfi_init2(other, mpfi_get_prec(out));
    mpq_init(order);
    question_init(&a);
    bool ok = find_order(alpha, &a);
    if (ok)
        set_row(out, &a, alpha);
    ok = ok && !ival_bad(out);
    if (ok && variation(other, order, &a, mpfr_get_d(&out->right, MPFR_RNDU)) &&
        mpfr_less_p(&other->right, &out->right)) { /* both hold, for x >= 0 */
        ival_take_least(out, other);
        mpq_set(alpha, order);
    }
    question_clear(&a);
    mpq_clear(order);
    mpfi_clear(other);
    return ok;
}
