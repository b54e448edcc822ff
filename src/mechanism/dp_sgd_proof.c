/* SPDX-License-Identifier: MIT */
/* That nothing less would do: at epsilon x the improved row gives more than delta at every order
 * where g(t) = T ln A(1+t) + ln kappa(t) - t x - ln delta,  kappa(t) = t^t / (1+t)^(1+t), is above
 * 0 at every t > 0. g is convex, for ln A is, and (ln kappa)'' = 1 / (t (1+t)). */
#include <math.h>

#include "mechanism/dp_sgd.h"
#include "num/ival.h"

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

/* About the order *at. With a < b < c, slopes of g over [a, b] below 0 and over [b, c] above 0: g
 * is at least g(a) before a, at least g(c) beyond c, and by the other chord at least g(b) - (b-a)
 * slope(b,c) and g(b) + (c-b) slope(a,b) between. With equal spacing these are 2 g(b) - g(c) and 2
 * g(b) - g(a). */
static bool is_above(double *at, const dp_sgd *s, const logform *x, const mpq_t delta, double width,
                     mpfr_prec_t bits)
{
    mpfi_t t, g[3], part;
    double near[3], step = ldexp(1, ilogb(*at * width)), middle = step / 32 * rint(32 * *at / step);
    mpfi_init2(t, bits);
    mpfi_init2(part, bits);
    for (int i = 0; i < 3; i++) { /* spaced equally, exactly: 32 bits at most */
        mpfi_init2(g[i], bits);
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
    for (int i = 0; i < 3; i++) { /* where a parabola through them is lowest: looked at next */
        mpfi_sub(part, g[i], g[1]);
        near[i] = mpfi_get_d(part);
    }
    double shift = step / 2 * (near[0] - near[2]) / (near[0] + near[2]);
    if (fabs(shift) < 64 * step)
        *at = middle + shift;
    for (int i = 0; i < 3; i++)
        mpfi_clear(g[i]);
    mpfi_clear(part);
    mpfi_clear(t);
    return above;
}

/* Total variation at the least order is proved to be above delta. */
static bool varies_more(const dp_sgd *s, const mpq_t delta)
{
    mpfi_t r, t;
    mpfi_init2(r, 64);
    mpfi_init2(t, 64);
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
    /* the gap of decimals of ten digits is seen at about the first, once the order is found */
    static const int widths[] = {18, 18, 21, 21, 14, 18, 23};
    bool above = false;
    at = exp(at);
    for (size_t i = 0; !above && i < sizeof widths / sizeof *widths; i++)
        above = is_above(&at, s, x, delta, ldexp(1, -widths[i]), bits);
    return above && varies_more(s, delta);
}
