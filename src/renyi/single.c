/* SPDX-License-Identifier: MIT */
/* What one order says and no more. Let A = {P > e^eps Q}, p = P(A), q = Q(A), delta = p - e^eps q.
 * By data processing m(p, q) <= e^(t r) with t = alpha - 1 and
 *     m(p, q) = p^alpha q^-t + (1-p)^alpha (1-q)^-t,
 * so eps is certified iff m(p, (p - delta) e^-eps) > e^(t r) for every p in [delta, 1]; a pair
 * whose hockey-stick value is above delta is mixed with a common atom down to it, which lowers m. m
 * is jointly convex and q is affine in p: along p = delta + y, q = y e^-eps, it is a convex
 * function of y, whose tangents lie below it. All values are kept relative to e^(t r): f = f1 + f2,
 * f1 = e^(alpha ln p - t ln q - t r),  f2 = e^(alpha ln(1-p) - t ln(1-q) - t r), df/dy = f1
 * (alpha/p - t/y) + f2 (t e^-eps/(1-q) - alpha/(1-p)), df/deps = t (f1 - f2 q/(1-q)). */
#include "renyi/conversion.h"

#include <math.h>

#include "num/ival.h"

typedef struct single {
    mpfi_t alpha, t, goal, delta, rest; /* goal = t r, rest = 1 - delta */
    double d_alpha, d_t, d_goal, d_delta;
} single;

typedef struct point {
    mpfi_t y, f, slope, rise; /* slope = df/dy, rise = df/deps */
} point;

static void point_init(point *p, mpfr_prec_t bits)
{
    mpfi_init2(p->y, bits);
    mpfi_init2(p->f, bits);
    mpfi_init2(p->slope, bits);
    mpfi_init2(p->rise, bits);
}

static void point_clear(point *p)
{
    mpfi_clear(p->y);
    mpfi_clear(p->f);
    mpfi_clear(p->slope);
    mpfi_clear(p->rise);
}

/* out = e^(alpha ln p - t ln q - t r) */
static void term(mpfi_t out, const single *s, const mpfi_t p, const mpfi_t q)
{
    mpfi_t part;
    mpfi_init2(part, mpfi_get_prec(out));
    mpfi_log(part, p);
    mpfi_mul(part, part, s->alpha);
    mpfi_log(out, q);
    mpfi_mul(out, out, s->t);
    mpfi_sub(out, part, out);
    mpfi_sub(out, out, s->goal);
    mpfi_exp(out, out);
    mpfi_clear(part);
}

/* All of a point at its y, 0 < y < 1 - delta. */
static void evaluate(point *at, const single *s, const mpfi_t eps)
{
    mpfr_prec_t bits = mpfi_get_prec(at->f);
    mpfi_t p, p_rest, q, q_rest, fall, f1, f2, part;
    mpfi_t *all[] = {&p, &p_rest, &q, &q_rest, &fall, &f1, &f2, &part};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        mpfi_init2(*all[i], bits);
    mpfi_add(p, s->delta, at->y);
    mpfi_sub(p_rest, s->rest, at->y);
    mpfi_neg(fall, eps);
    mpfi_exp(fall, fall);
    mpfi_mul(q, at->y, fall);
    mpfi_ui_sub(q_rest, 1, q);
    term(f1, s, p, q);
    term(f2, s, p_rest, q_rest);
    mpfi_add(at->f, f1, f2);
    mpfi_div(part, s->alpha, p);
    mpfi_div(at->slope, s->t, at->y);
    mpfi_sub(part, part, at->slope);
    mpfi_mul(at->slope, part, f1);
    mpfi_mul(part, s->t, fall);
    mpfi_div(part, part, q_rest);
    mpfi_div(p_rest, s->alpha, p_rest);
    mpfi_sub(part, part, p_rest);
    mpfi_mul(part, part, f2);
    mpfi_add(at->slope, at->slope, part);
    mpfi_div(part, q, q_rest);
    mpfi_mul(part, part, f2);
    mpfi_sub(at->rise, f1, part);
    mpfi_mul(at->rise, at->rise, s->t);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        mpfi_clear(*all[i]);
}

/* ---- in doubles ----------------------------------------------------------------------------- */
/* ln f at y = e^u */
static double log_value(const single *s, double u, double eps)
{
    double y = exp(u), p = s->d_delta + y, q = y * exp(-eps), low = -HUGE_VAL;
    double high = s->d_alpha * log(p) - s->d_t * (u - eps) - s->d_goal;
    if (p < 1)
        low = s->d_alpha * log1p(-p) - s->d_t * log1p(-q) - s->d_goal;
    double most = fmax(high, low);
    return most + log(exp(high - most) + exp(low - most));
}

#define GOLDEN_STEPS 80
#define DEEPEST (-745.0) /* of u: below, e^u is no double */

/* The u with the least ln f */
static double lowest(const single *s, double eps)
{
    const double share = 0.6180339887498949;
    double a = DEEPEST, b = log1p(-s->d_delta);
    double c = b - share * (b - a), d = a + share * (b - a);
    double at_c = log_value(s, c, eps), at_d = log_value(s, d, eps);
    for (int i = 0; i < GOLDEN_STEPS; i++) {
        if (at_c < at_d) {
            b = d;
            d = c;
            at_d = at_c;
            c = b - share * (b - a);
            at_c = log_value(s, c, eps);
        } else {
            a = c;
            c = d;
            at_c = at_d;
            d = a + share * (b - a);
            at_d = log_value(s, d, eps);
        }
    }
    return (a + b) / 2;
}

/* About the eps at which the least ln f is 0: it grows with eps. */
static double guess_epsilon(const single *s, double most)
{
    double low = 0, high = most;
    for (int i = 0; i < 50; i++) {
        double middle = (low + high) / 2;
        if (log_value(s, lowest(s, middle), middle) > 0)
            high = middle;
        else
            low = middle;
    }
    return (low + high) / 2;
}

/* ---- in intervals --------------------------------------------------------------------------- */
static void set_point(mpfi_t out, mpfr_srcptr x)
{
    mpfr_set(&out->left, x, MPFR_RNDN); /* exact: of the same precision */
    mpfr_set(&out->right, x, MPFR_RNDN);
}

#define CLOSE_STEPS 12

/* Takes y in as a or b where its slope has a proved sign and it lies between them. */
static void take_in(point *a, point *b, mpfr_srcptr y, const single *s, const mpfi_t eps)
{
    if (!mpfr_less_p(&a->y->left, y) || !mpfr_less_p(y, &b->y->left))
        return;
    point c;
    point_init(&c, mpfi_get_prec(a->f));
    set_point(c.y, y);
    evaluate(&c, s, eps);
    point *to = NULL;
    if (mpfr_sgn(&c.slope->right) < 0)
        to = a;
    else if (mpfr_sgn(&c.slope->left) > 0)
        to = b;
    if (to != NULL) {
        mpfi_swap(to->y, c.y);
        mpfi_swap(to->f, c.f);
        mpfi_swap(to->slope, c.slope);
        mpfi_swap(to->rise, c.rise);
    }
    point_clear(&c);
}

/* Narrows [a, b] as far as half the bits, about the square each time: the chord of the slopes meets
 * 0 at a point that is off by about the square of the width, and points that far from it on either
 * side are taken in. */
static void close_in(point *a, point *b, const single *s, const mpfi_t eps)
{
    mpfr_prec_t bits = mpfi_get_prec(a->f);
    mpfr_t wide, root, part;
    mpfr_inits2(bits, wide, root, part, (mpfr_ptr)0);
    for (int i = 0; i < CLOSE_STEPS; i++) {
        mpfr_sub(wide, &b->y->left, &a->y->left, MPFR_RNDN);
        mpfr_div(wide, wide, &a->y->left, MPFR_RNDN);
        if (mpfr_zero_p(wide) || mpfr_get_exp(wide) < -bits / 2)
            break;
        mpfr_sub(part, &b->slope->left, &a->slope->right, MPFR_RNDN);
        mpfr_div(part, &a->slope->right, part, MPFR_RNDN);
        mpfr_sub(root, &b->y->left, &a->y->left, MPFR_RNDN);
        mpfr_mul(root, root, part, MPFR_RNDN);
        mpfr_sub(root, &a->y->left, root, MPFR_RNDN);
        mpfr_sqr(wide, wide, MPFR_RNDN);
        if (mpfr_get_exp(wide) < -bits / 2)
            mpfr_set_ui_2exp(wide, 1, -bits / 2 - 4, MPFR_RNDN);
        mpfr_mul(wide, wide, &a->y->left, MPFR_RNDN);
        mpfr_mul_2ui(wide, wide, 2, MPFR_RNDN);
        mpfr_sub(part, root, wide, MPFR_RNDN);
        take_in(a, b, part, s, eps);
        mpfr_add(part, root, wide, MPFR_RNDN);
        take_in(a, b, part, s, eps);
    }
    mpfr_clears(wide, root, part, (mpfr_ptr)0);
}

/* a.y and b.y stand left and right of the lowest point, with proved slopes; false where doubles led
 * astray. */
static bool surround(point *a, point *b, const single *s, const mpfi_t eps)
{
    mpfr_prec_t bits = mpfi_get_prec(a->f);
    mpfr_t eps_d, middle, way;
    mpfr_init2(eps_d, 53);
    mpfr_init2(middle, bits);
    mpfr_init2(way, bits);
    mpfi_get_fr(eps_d, eps);
    double u = lowest(s, mpfr_get_d(eps_d, MPFR_RNDN));
    mpfr_clear(eps_d);
    bool ok = false;
    for (double wide = 0x1p-24; !ok && wide < 0x1p6; wide *= 16) {
        mpfr_set_d(middle, u - wide, MPFR_RNDN);
        mpfr_exp(middle, middle, MPFR_RNDN);
        set_point(a->y, middle);
        mpfr_set_d(way, u + wide, MPFR_RNDN);
        mpfr_exp(way, way, MPFR_RNDN);
        if (!mpfr_less_p(way, &s->rest->left)) { /* half way to the end of the line */
            mpfr_add(way, middle, &s->rest->left, MPFR_RNDN);
            mpfr_div_2ui(way, way, 1, MPFR_RNDN);
        }
        set_point(b->y, way);
        evaluate(a, s, eps);
        evaluate(b, s, eps);
        ok = mpfr_sgn(&a->slope->right) < 0 && mpfr_sgn(&b->slope->left) > 0;
    }
    if (ok)
        close_in(a, b, s, eps);
    mpfr_clear(way);
    mpfr_clear(middle);
    return ok;
}

/* Is f > 1 for every y? The tangents of slopes -A at a and B at b meet at the height (A f_b + B f_a
 * - A B (b - a)) / (A + B); everywhere else one of them is higher, and f is nowhere lower. */
static bool tangents_above(const point *a, const point *b)
{
    mpfi_t down, height, part;
    mpfi_init2(down, mpfi_get_prec(a->f));
    mpfi_init2(height, mpfi_get_prec(a->f));
    mpfi_init2(part, mpfi_get_prec(a->f));
    mpfi_neg(down, a->slope);
    mpfi_sub_ui(height, b->f, 1);
    mpfi_mul(height, height, down);
    mpfi_sub_ui(part, a->f, 1);
    mpfi_mul(part, part, b->slope);
    mpfi_add(height, height, part);
    mpfi_sub(part, b->y, a->y);
    mpfi_mul(part, part, down);
    mpfi_mul(part, part, b->slope);
    mpfi_sub(height, height, part);
    bool above = mpfr_sgn(&height->left) > 0;
    mpfi_clear(part);
    mpfi_clear(height);
    mpfi_clear(down);
    return above;
}

/* 1: eps is certified; -1: it is proved not to be, by a point with f < 1; 0: not told. And the
 * Newton step of eps towards f = 1 at the lowest point. */
static int verdict(mpfr_t step, const single *s, mpfr_srcptr eps, mpfr_prec_t bits)
{
    point a, b;
    mpfi_t x;
    point_init(&a, bits);
    point_init(&b, bits);
    mpfi_init2(x, bits);
    mpfi_set_fr(x, eps);
    mpfr_set_ui(step, 0, MPFR_RNDN);
    int says = 0;
    if (surround(&a, &b, s, x)) {
        if (tangents_above(&a, &b))
            says = 1;
        else if (mpfr_cmp_ui(&a.f->right, 1) < 0 || mpfr_cmp_ui(&b.f->right, 1) < 0)
            says = -1;
        mpfi_ui_sub(x, 1, a.f);
        mpfi_div(x, x, a.rise);
        mpfi_get_fr(step, x);
    }
    mpfi_clear(x);
    point_clear(&b);
    point_clear(&a);
    return says;
}

static void single_init(single *s, const mpfi_t r, const mpq_t alpha, const mpq_t delta,
                        mpfr_prec_t bits)
{
    mpfi_t *all[] = {&s->alpha, &s->t, &s->goal, &s->delta, &s->rest};
    mpq_t q;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        mpfi_init2(*all[i], bits);
    mpq_init(q);
    mpfi_set_q(s->alpha, alpha);
    mpz_sub(mpq_numref(q), mpq_numref(alpha), mpq_denref(alpha));
    mpz_set(mpq_denref(q), mpq_denref(alpha));
    mpfi_set_q(s->t, q);
    mpfi_mul(s->goal, s->t, r);
    mpfi_set_q(s->delta, delta);
    mpz_sub(mpq_numref(q), mpq_denref(delta), mpq_numref(delta));
    mpz_set(mpq_denref(q), mpq_denref(delta));
    mpfi_set_q(s->rest, q);
    mpq_clear(q);
    s->d_alpha = mpfi_get_d(s->alpha);
    s->d_t = mpfi_get_d(s->t);
    s->d_goal = mpfi_get_d(s->goal);
    s->d_delta = mpfi_get_d(s->delta);
}

static void single_clear(single *s)
{
    mpfi_clear(s->alpha);
    mpfi_clear(s->t);
    mpfi_clear(s->goal);
    mpfi_clear(s->delta);
    mpfi_clear(s->rest);
}

#define GUESS_BITS 64
#define NEWTON_STEPS 8

/* Narrows out, whose upper end is sound, around the root that doubles and Newton find. */
static void narrow(mpfi_t out, const single *s, mpfr_prec_t bits)
{
    mpfr_t eps, step, try, width;
    mpfr_inits2(bits, eps, step, try, width, (mpfr_ptr)0);
    mpfr_set_d(eps, guess_epsilon(s, mpfr_get_d(&out->right, MPFR_RNDU)), MPFR_RNDN);
    for (int i = 0; i < NEWTON_STEPS; i++) {
        (void)verdict(step, s, eps, bits);
        mpfr_add(try, eps, step, MPFR_RNDN);
        if (!mpfr_number_p(try) || mpfr_sgn(try) < 0 || mpfr_zero_p(step))
            break;
        mpfr_set(eps, try, MPFR_RNDN);
        if (mpfr_get_exp(step) < -(mpfr_exp_t)(bits - 24))
            break;
    }
    bool upper = false, lower = false;
    for (mpfr_exp_t away = 24 - bits; away < 0 && !(upper && lower); away += 8) {
        mpfr_set_ui_2exp(width, 1, away, MPFR_RNDN);
        mpfr_add(try, eps, width, MPFR_RNDU);
        if (!upper && mpfr_less_p(try, &out->right) && verdict(step, s, try, bits) > 0) {
            upper = true;
            mpfr_set(&out->right, try, MPFR_RNDU);
        }
        mpfr_sub(try, eps, width, MPFR_RNDD);
        if (mpfr_sgn(try) < 0)
            break; /* as far as that is 0 */
        if (!lower && verdict(step, s, try, bits) < 0) {
            lower = true;
            mpfr_set(&out->left, try, MPFR_RNDD);
        }
    }
    mpfr_clears(eps, step, try, width, (mpfr_ptr)0);
}

/* At p = 1 the slope in p has the sign of 1 - alpha delta: from alpha delta >= 1 on the lowest
 * point is there, where m = ((1 - delta) e^-eps)^-t. */
static bool lowest_at_end(const mpq_t alpha, const mpq_t delta)
{
    mpq_t q;
    mpq_init(q);
    mpq_mul(q, alpha, delta);
    bool end = mpq_cmp_ui(q, 1, 1) >= 0;
    mpq_clear(q);
    return end;
}

double renyi_single_guess(const mpfi_t r, const mpq_t alpha, const mpq_t delta)
{
    mpfi_t improved;
    single s;
    mpfi_init2(improved, GUESS_BITS);
    single_init(&s, r, alpha, delta, GUESS_BITS);
    renyi_improved_epsilon(improved, r, alpha, delta);
    double most = mpfr_get_d(&improved->right, MPFR_RNDU);
    double found = !isfinite(most) || lowest_at_end(alpha, delta) ? most : guess_epsilon(&s, most);
    single_clear(&s);
    mpfi_clear(improved);
    return found;
}

void renyi_single_epsilon(mpfi_t out, const mpfi_t r, const mpq_t alpha, const mpq_t delta)
{
    if (lowest_at_end(alpha, delta)) {
        mpfi_t part;
        mpfi_init2(part, mpfi_get_prec(out));
        ival_log1m_q(part, delta);
        mpfi_add(out, r, part);
        ival_at_least_zero(out);
        mpfi_clear(part);
        return;
    }
    mpfr_prec_t bits = mpfi_get_prec(out) + 64;
    single s;
    mpfr_t step, zero;
    single_init(&s, r, alpha, delta, bits);
    mpfr_init2(step, bits);
    mpfr_init2(zero, bits);
    mpfr_set_ui(zero, 0, MPFR_RNDN);
    renyi_improved_epsilon(out, r, alpha, delta); /* never below what one order says */
    mpfr_set_ui(&out->left, 0, MPFR_RNDN);
    if (verdict(step, &s, zero, bits) > 0)
        mpfr_set_ui(&out->right, 0, MPFR_RNDN);
    else if (mpfr_regular_p(&out->right))
        narrow(out, &s, bits);
    mpfr_clear(zero);
    mpfr_clear(step);
    single_clear(&s);
}
