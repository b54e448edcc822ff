/* SPDX-License-Identifier: MIT */
/* That nothing less would do: at epsilon x the improved row gives more than delta at every order
 * where g(t) = T ln A(1+t) + ln kappa(t) - t x - ln delta,  kappa(t) = t^t / (1+t)^(1+t), is above
 * 0 at every t > 0. g is convex, for ln A is, and (ln kappa)'' = 1 / (t (1+t)). About its least
 * value in doubles, for searches. */
#include <math.h>

#include "mechanism/dp_sgd.h"
#include "num/ival.h"

#define LEAST_LOG (-13.8) /* of t, as for every curve */
#define MOST_LOG 32.0
#define GOLDEN_STEPS 60

/* About the least value of a function with one valley on [LEAST_LOG, MOST_LOG], and in *at where.
 */
double dp_sgd_lowest(double *at, dp_sgd_valley *f, const void *of)
{
    const double share = 0.6180339887498949;
    double a = LEAST_LOG, b = MOST_LOG, c = b - share * (b - a), d = a + share * (b - a);
    double at_c = f(of, c), at_d = f(of, d);
    for (int i = 0; i < GOLDEN_STEPS; i++) {
        if (at_c <= at_d) {
            b = d;
            d = c;
            at_d = at_c;
            c = b - share * (b - a);
            at_c = f(of, c);
        } else {
            a = c;
            c = d;
            at_c = at_d;
            d = a + share * (b - a);
            at_d = f(of, d);
        }
    }
    *at = at_c <= at_d ? c : d;
    return fmin(at_c, at_d);
}

double dp_sgd_log_kappa(double t)
{
    return -t * log1p(1 / t) - log1p(t);
}

typedef struct gap_guess {
    const sampled *of;
    double count, epsilon, log_delta;
} gap_guess;

/* g(e^u) */
static double gap(const void *of, double u)
{
    const gap_guess *s = of;
    double t = exp(u);
    double g =
        s->count * sampled_guess(s->of, t) + dp_sgd_log_kappa(t) - t * s->epsilon - s->log_delta;
    return isnan(g) ? HUGE_VAL : g;
}

double dp_sgd_least_gap(double *at, const sampled *of, double count, double epsilon,
                        double log_delta)
{
    gap_guess g = {of, count, epsilon, log_delta};
    return dp_sgd_lowest(at, gap, &g);
}

/* g = g(t) */
static void set_gap(mpfi_t g, const dp_sgd *s, const logform *x, const mpq_t delta, const mpfi_t t)
{
    mpfi_t part;
    mpfi_init2(part, mpfi_get_prec(g));
    mpfi_add_ui(part, t, 1);
    sampled_log_moment(g, &s->of, part);
    ival_mul_z(g, g, s->steps);
    mpfi_ui_div(part, 1, t);
    mpfi_log1p(part, part);
    mpfi_mul(part, part, t);
    mpfi_sub(g, g, part);
    mpfi_log1p(part, t);
    mpfi_sub(g, g, part);
    logform_enclose(part, x);
    mpfi_mul(part, part, t);
    mpfi_sub(g, g, part);
    ival_log_q(part, delta);
    mpfi_sub(g, g, part);
    mpfi_clear(part);
}

/* With a < b < c, slopes of g over [a, b] below 0 and over [b, c] above 0: g is at least g(a)
 * before a, at least g(c) beyond c, and by the other chord at least g(b) - (b-a) slope(b,c) and
 * g(b) + (c-b) slope(a,b) between. With equal spacing these are 2 g(b) - g(c) and 2 g(b) - g(a). */
static bool is_above(const dp_sgd *s, const logform *x, const mpq_t delta, double at, double width,
                     mpfr_prec_t bits)
{
    mpfi_t t, g[3], part;
    mpfi_init2(t, bits);
    mpfi_init2(part, bits);
    for (int i = 0; i < 3; i++) { /* spaced equally, exactly: 26 bits by 2 and 1 */
        mpfi_init2(g[i], bits);
        double step = ldexp(1, ilogb(at * width)), middle = step * floor(at / step);
        mpfi_set_d(t, middle + (i - 1) * step);
        set_gap(g[i], s, x, delta, t);
    }
    bool above = mpfr_greater_p(&g[0]->left, &g[1]->right) &&
                 mpfr_greater_p(&g[2]->left, &g[1]->right) && mpfr_sgn(&g[1]->left) > 0;
    for (int i = 0; above && i < 3; i += 2) {
        mpfi_mul_2ui(part, g[1], 1);
        mpfi_sub(part, part, g[i]);
        above = mpfr_sgn(&part->left) > 0;
    }
    for (int i = 0; i < 3; i++)
        mpfi_clear(g[i]);
    mpfi_clear(part);
    mpfi_clear(t);
    return above;
}

/* Total variation at the least order is proved to be above delta. */
static bool varies_more(const dp_sgd *s, const mpq_t delta, mpfr_prec_t bits)
{
    mpfi_t r, t;
    mpfi_init2(r, bits);
    mpfi_init2(t, bits);
    mpfi_set_d(t, 1 + ldexp(1, -21)); /* below the least order: there is less */
    sampled_renyi(r, &s->of, t);
    ival_mul_z(r, r, s->steps);
    renyi_total_variation(r, r);
    bool more = mpfr_cmp_q(&r->left, delta) > 0;
    mpfi_clear(t);
    mpfi_clear(r);
    return more;
}

bool dp_sgd_fails(const dp_sgd *s, const logform *x, const mpq_t delta, mpfr_prec_t bits)
{
    mpfi_t e;
    mpfi_init2(e, 64);
    logform_enclose(e, x);
    double epsilon = mpfi_get_d(e), at;
    mpfi_clear(e);
    dp_sgd_least_gap(&at, &s->of, s->count, epsilon, ival_guess_log(delta));
    /* the gap of decimals of ten digits is seen at about the first */
    static const int widths[] = {18, 15, 12, 21, 9, 24, 6};
    bool above = false;
    for (size_t i = 0; !above && i < sizeof widths / sizeof *widths; i++)
        above = is_above(s, x, delta, exp(at), ldexp(1, -widths[i]), bits);
    return above && varies_more(s, delta, bits);
}
