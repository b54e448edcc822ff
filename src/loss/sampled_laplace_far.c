/* SPDX-License-Identifier: MIT */
/* The law of Laplace noise on a Poisson sample far from the real line, by the ends of its losses.
 * With y = ln r, between y_0 = ln r(-e) and y_1 = ln r(e), the density of the tilted loss is b /
 * M(c), b(y) = e^(-ex - l) r^(p+1) / 4q = const e^((p+1)y) (e^y - (1-q))^(-3/2), and its
 * derivatives are b^(n) = P_n(s) b with s = e^y / (e^y - (1-q)) = r / (q e^l), s' = s - s^2: P_0 =
 * 1,  P_(n+1) = (p + 1 - 3s/2) P_n + (s - s^2) P_n'. By parts, N times, with v = 1 / (i t),
 *     integral of b e^(ity) = sum over n < N of (-1)^n v^(n+1) [b^(n) e^(ity)] + rest,
 *     |rest| <= t^-N max |P_N| M(c),
 * as b itself integrates to less than M(c); s falls from its value at y_0, which bounds |P_N| with
 * the coefficients taken positive. */
#include <math.h>

#include "loss/line.h"
#include "loss/sampled_laplace_parts.h"
#include "num/ival.h"

#define BOUND_BITS 64

/* ---- where it serves ------------------------------------------------------------------------ */
/* ln of the bound of |P_n| by doubles, n up to SLM_FAR, coefficients scaled by the powers of s */
static void near_bounds(double size[SLM_FAR + 1], double p, double s)
{
    double c[SLM_FAR + 2] = {1};
    for (unsigned n = 0; n <= SLM_FAR; n++) {
        double sum = 0;
        for (unsigned i = 0; i <= n; i++)
            sum += fabs(c[i]);
        size[n] = isfinite(sum) ? log(sum) : HUGE_VAL;
        for (unsigned i = n + 1; i-- > 0;) { /* s^i of P gives s^i and s^(i+1) */
            c[i + 1] += -(1.5 + i) * s * c[i];
            c[i] *= p + 1 + i;
        }
    }
}

double slm_far_from(unsigned *terms, const slm_item *g, double p, double need)
{
    double log_bound[SLM_FAR + 1], best = HUGE_VAL;
    double s = ((1 - g->q) * exp(g->e) + g->q) / g->q;
    near_bounds(log_bound, p, s);
    *terms = SLM_FAR;
    for (unsigned n = 4; n <= SLM_FAR; n++) {
        double t = exp((log_bound[n] + need) / n);
        if (t < best) {
            best = t;
            *terms = n;
        }
    }
    return best;
}

/* ---- the ends ------------------------------------------------------------------------------- */
/* P_(n+1) in place of P_n: c[i] belongs to s^i, i <= n */
static void derive(mpfi_t *c, unsigned n, const mpfi_t p)
{
    mpfi_t part;
    mpfi_init2(part, mpfi_get_prec(c[0]));
    for (unsigned i = n + 1; i-- > 0;) {
        mpfi_mul_ui(part, c[i], 3 + 2 * i);
        mpfi_div_2ui(part, part, 1);
        mpfi_sub(c[i + 1], c[i + 1], part);
        mpfi_add_ui(part, p, 1 + i);
        mpfi_mul(c[i], c[i], part);
    }
    mpfi_clear(part);
}

/* out = P_n(s) */
static void value_of(mpfi_t out, mpfi_t *c, unsigned n, const mpfi_t s)
{
    mpfi_set(out, c[n]);
    for (unsigned i = n; i-- > 0;) {
        mpfi_mul(out, out, s);
        mpfi_add(out, out, c[i]);
    }
}

/* y, the tilted atom, b / M(c) and s at an end */
static void set_end(slm_far *f, const slm_item *g, bool upper, const mpfi_t p, const mpfi_t k,
                    mpfi_t b, mpfi_t s)
{
    mpfi_ptr y = f->y[upper], atom = f->atom[upper];
    slm_atom(y, atom, g, upper);
    mpfi_mul(s, y, p);
    mpfi_sub(s, s, k);
    mpfi_exp(s, s); /* r^p / M(c) */
    mpfi_mul(atom, atom, s);
    mpfi_set_q(b, g->epsilon); /* e^(-ex - l) r / 4q */
    mpfi_mul_si(b, b, upper ? -2 : 1);
    mpfi_add(b, b, y);
    mpfi_exp(b, b);
    mpfi_mul(b, b, s);
    mpfi_div_q(b, b, g->rate);
    mpfi_div_2ui(b, b, 2);
    mpfi_set_q(s, g->epsilon); /* r e^-l / q */
    if (upper)
        mpfi_neg(s, s);
    mpfi_add(s, s, y);
    mpfi_exp(s, s);
    mpfi_div_q(s, s, g->rate);
}

void slm_far_init(slm_far *f, const slm_item *g, double c, unsigned terms, mpfr_prec_t bits)
{
    MPFR_DECL_INIT(exact, 53);
    mpfi_t p, k, poly[SLM_FAR + 2], b[2], s[2], part;
    mpfi_ptr all[] = {p, k, b[0], b[1], s[0], s[1], part, f->y[0], f->y[1], f->atom[0], f->atom[1]};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        mpfi_init2(all[i], bits);
    for (unsigned n = 0; n < SLM_FAR + 2; n++) {
        mpfi_init2(poly[n], bits);
        mpfi_set_ui(poly[n], n == 0 ? 1 : 0);
    }
    mpfr_init2(f->rest, BOUND_BITS);
    f->terms = terms;
    mpfr_set_d(exact, c, MPFR_RNDN);
    slm_power(p, g, exact);
    slm_moment(k, g, exact, NULL);
    for (int upper = 0; upper < 2; upper++)
        set_end(f, g, upper == 1, p, k, b[upper], s[upper]);
    for (unsigned n = 0; n < terms; n++) {
        for (int upper = 0; upper < 2; upper++) {
            mpfi_init2(f->end[upper][n], bits);
            value_of(f->end[upper][n], poly, n, s[upper]);
            mpfi_mul(f->end[upper][n], f->end[upper][n], b[upper]);
            if ((n % 2 == 0) != (upper == 1)) /* (-1)^n, and the lower end less */
                mpfi_neg(f->end[upper][n], f->end[upper][n]);
        }
        derive(poly, n, p);
    }
    for (unsigned n = 0; n <= terms; n++)
        mpfi_abs(poly[n], poly[n]);
    value_of(part, poly, terms, s[0]);
    mpfr_set(f->rest, &part->right, MPFR_RNDU);
    if (ival_bad(part))
        mpfr_set_inf(f->rest, 1);
    for (unsigned n = 0; n < SLM_FAR + 2; n++)
        mpfi_clear(poly[n]);
    for (size_t i = 0; i < 7; i++)
        mpfi_clear(all[i]);
}

void slm_far_clear(slm_far *f)
{
    for (unsigned n = 0; n < f->terms; n++)
        for (int upper = 0; upper < 2; upper++)
            mpfi_clear(f->end[upper][n]);
    for (int upper = 0; upper < 2; upper++) {
        mpfi_clear(f->y[upper]);
        mpfi_clear(f->atom[upper]);
    }
    mpfr_clear(f->rest);
}

/* out += e^(ity) (atom + sum over n of end_n v^(n+1)), v = -i u: the powers of -i are -i, -1, i, 1.
 */
static void add_end(cball *out, const slm_far *f, int upper, const mpfi_t t, const mpfi_t u)
{
    mpfi_t part[2], power, x;
    cball turn, sum, term;
    mpfr_prec_t bits = mpfi_get_prec(u);
    mpfi_ptr all[] = {part[0], part[1], power, x};
    for (size_t i = 0; i < 4; i++)
        mpfi_init2(all[i], bits);
    cball_init(&turn, bits);
    cball_init(&sum, bits);
    cball_init(&term, bits);
    mpfi_set(part[0], f->atom[upper]);
    mpfi_set_ui(part[1], 0);
    mpfi_set_ui(power, 1);
    for (unsigned n = 0; n < f->terms; n++) {
        unsigned k = n + 1;
        mpfi_mul(power, power, u);
        mpfi_mul(x, power, f->end[upper][n]);
        if (k % 4 == 1 || k % 4 == 2)
            mpfi_neg(x, x);
        mpfi_add(part[k % 2], part[k % 2], x);
    }
    cball_set_i(&sum, part[1]);
    mpfr_swap(sum.re, sum.im); /* i times a real ball */
    cball_set_i(&term, part[0]);
    cball_add(&sum, &sum, &term);
    mpfi_mul(x, t, f->y[upper]);
    cball_turn(&turn, x);
    cball_mul(&sum, &sum, &turn);
    cball_add(out, out, &sum);
    cball_clear(&term);
    cball_clear(&sum);
    cball_clear(&turn);
    for (size_t i = 0; i < 4; i++)
        mpfi_clear(all[i]);
}

void slm_far_at(cball *out, const slm_far *f, const slm_item *g, const mpfi_t height)
{
    MPFR_DECL_INIT(away, BOUND_BITS);
    mpfi_t t, u;
    mpfi_init2(t, mpfi_get_prec(height));
    mpfi_init2(u, mpfi_get_prec(height));
    mpfi_set(t, height);
    mpfi_ui_div(u, 1, t);
    mpfr_pow_ui(away, &u->right, f->terms, MPFR_RNDU);
    mpfr_mul(away, away, f->rest, MPFR_RNDU);
    if (mpfr_nan_p(away))
        mpfr_set_inf(away, 1);
    if (g->add) { /* e^(-ity) */
        mpfi_neg(t, t);
        mpfi_neg(u, u);
    }
    cball_set_ui(out, 0);
    add_end(out, f, 0, t, u);
    add_end(out, f, 1, t, u);
    mpfr_add(out->radius, out->radius, away, MPFR_RNDU);
    mpfr_add(out->size, out->size, away, MPFR_RNDU);
    mpfi_clear(u);
    mpfi_clear(t);
}
