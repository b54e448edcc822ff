/* SPDX-License-Identifier: MIT */
/* The law of bounded range off the real line, and the profile of a few uses. With v = 2c + 1 and w
 * = eta v / 2, M(c + it) / M(c) = (v cos(theta) + i v coth(w) sin(theta)) / (v + 2it),    theta =
 * eta t, where v coth(w) is even in v, and 2/eta at v = 0. */
#include "loss/bounded_range_nodes.h"

#include <math.h>

#include "loss/line.h"
#include "num/ival.h"
#include "num/memory.h"

/* out = v coth(eta v / 2) at the number v = 2c + 1 */
static void set_rise(mpfi_t out, const mpfi_t eta, const mpfi_t v)
{
    if (mpfi_is_zero(v)) {
        mpfi_ui_div(out, 2, eta);
        return;
    }
    mpfi_t fall;
    mpfi_init2(fall, mpfi_get_prec(out));
    mpfi_abs(fall, v);
    mpfi_mul(out, fall, eta);
    mpfi_neg(out, out);
    mpfi_expm1(out, out); /* e^-2w - 1 */
    mpfi_neg(out, out);
    mpfi_div(fall, fall, out);
    mpfi_ui_sub(out, 2, out);
    mpfi_mul(out, out, fall);
    mpfi_clear(fall);
}

static void set_lean(mpfi_t v, double c)
{
    mpfi_set_d(v, c);
    mpfi_mul_2ui(v, v, 1);
    mpfi_add_ui(v, v, 1);
}

/* ---- nodes ---------------------------------------------------------------------------------- */
typedef struct factor {
    mpfi_t eta, v, plus, minus; /* (v +- v coth(w)) / 2 */
    mpfi_t t, theta;
    cball turn, back, pole;
} factor;

/* The angle is wanted to an absolute error; where it is small terms cancel, and so may v and t; and
 * the power adds up what a factor is off by. */
static mpfr_prec_t factor_bits(const window *l, const line *at)
{
    mpfi_t t;
    mpfi_init2(t, 64);
    line_height(t, at, 1);
    mpfr_exp_t first = mpfr_regular_p(&t->left) ? mpfr_get_exp(&t->left) : 0;
    line_height(t, at, at->last);
    mpfr_exp_t last = mpfr_regular_p(&t->right) ? mpfr_get_exp(&t->right) : 0;
    mpfi_clear(t);
    mpfr_exp_t size = (mpfr_exp_t)ilogb(l->guess) + 1, low = first + (size < 0 ? size : 0);
    last += size;
    return at->work + 24 + (mpfr_prec_t)mpz_sizeinbase(l->times, 2) + (last > 0 ? last : 0) +
           (low < 0 ? -2 * low : 0);
}

static void factor_init(factor *f, const window *l, const line *at)
{
    mpfr_prec_t bits = factor_bits(l, at);
    mpfi_ptr all[] = {f->eta, f->v, f->plus, f->minus, f->t, f->theta};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        mpfi_init2(all[i], bits);
    cball_init(&f->turn, bits);
    cball_init(&f->back, bits);
    cball_init(&f->pole, bits);
    ival_set_number(f->eta, &l->eta);
    set_lean(f->v, at->c);
    set_rise(f->theta, f->eta, f->v);
    mpfi_add(f->plus, f->v, f->theta);
    mpfi_div_2ui(f->plus, f->plus, 1);
    mpfi_sub(f->minus, f->v, f->theta);
    mpfi_div_2ui(f->minus, f->minus, 1);
}

static void factor_clear(factor *f)
{
    mpfi_ptr all[] = {f->eta, f->v, f->plus, f->minus, f->t, f->theta};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        mpfi_clear(all[i]);
    cball_clear(&f->turn);
    cball_clear(&f->back);
    cball_clear(&f->pole);
}

/* turn = (M(z) / M(c))^times at the node */
static void factor_at(factor *f, const line *at, uint64_t node, const mpz_t times)
{
    MPFR_DECL_INIT(one, 2);
    mpfr_set_ui(one, 1, MPFR_RNDN);
    line_height(f->t, at, node);
    mpfi_mul(f->theta, f->t, f->eta);
    cball_turn(&f->turn, f->theta);
    cball_set(&f->back, &f->turn);
    mpfr_neg(f->back.im, f->back.im, MPFR_RNDN); /* the conjugate */
    cball_mul_i(&f->turn, &f->turn, f->plus);
    cball_mul_i(&f->back, &f->back, f->minus);
    cball_add(&f->turn, &f->turn, &f->back);
    mpfi_mul_2ui(f->t, f->t, 1);
    cball_set_i(&f->pole, f->t);
    mpfr_swap(f->pole.re, f->pole.im); /* i times a real ball */
    cball_set_i(&f->back, f->v);
    cball_add(&f->pole, &f->pole, &f->back);
    cball_inv(&f->pole, &f->pole);
    cball_mul(&f->turn, &f->turn, &f->pole);
    cball_measure(&f->turn);
    cball_cap(&f->turn, one);
    cball_pow(&f->turn, &f->turn, times);
    cball_cap(&f->turn, one);
}

dp_status bounded_range_multiply(cball *phi, const void *self, const line *at, const uint64_t *node,
                                 size_t count, const limits *lim)
{
    const bounded_range *b = self;
    dp_status status = DP_OK;
    for (size_t i = 0; status == DP_OK && i < b->items; i++) {
        factor f;
        factor_init(&f, &b->item[i], at);
        if (!line_time_for(lim, count, b->item[i].times, mpfr_get_prec(f.turn.re)))
            status = DP_LIMIT;
        for (size_t k = 0; status == DP_OK && k < count; k++) {
            if (node[k] == 0)
                continue; /* 1 */
            factor_at(&f, at, node[k], b->item[i].times);
            cball_mul(&phi[k], &phi[k], &f.turn);
            if (limits_expired(lim))
                status = DP_LIMIT;
        }
        factor_clear(&f);
    }
    return status;
}

/* The ratio is at most |v coth(w)| / |v + 2it|, for coth is above 1: out = ln sqrt(v^2 + 4t^2) -
 * ln(v coth(w)), rounded down. */
static void item_decay(mpfr_t out, const window *l, double c, mpfr_srcptr t)
{
    mpfi_t eta, v, rise, far;
    mpfi_ptr all[] = {eta, v, rise, far};
    for (size_t i = 0; i < 4; i++)
        mpfi_init2(all[i], 64);
    ival_set_number(eta, &l->eta);
    set_lean(v, c);
    set_rise(rise, eta, v);
    mpfi_set_fr(far, t);
    mpfi_mul_2ui(far, far, 1);
    mpfi_sqr(far, far);
    mpfi_sqr(v, v);
    mpfi_add(far, far, v);
    mpfi_sqrt(far, far);
    mpfi_div(far, far, rise);
    mpfi_log(far, far);
    mpfr_set(out, &far->left, MPFR_RNDD);
    for (size_t i = 0; i < 4; i++)
        mpfi_clear(all[i]);
}

void bounded_range_decay(mpfr_t low, const void *self, double c, mpfr_srcptr t)
{
    const bounded_range *b = self;
    MPFR_DECL_INIT(one, 64);
    MPFR_DECL_INIT(times, 64);
    mpfr_set_ui(low, 0, MPFR_RNDN);
    for (size_t i = 0; i < b->items; i++) {
        item_decay(one, &b->item[i], c, t);
        if (!(mpfr_sgn(one) > 0)) /* nothing is known, or a NaN */
            continue;
        mpfr_set_z(times, b->item[i].times, MPFR_RNDD);
        mpfr_mul(one, one, times, MPFR_RNDD);
        mpfr_add(low, low, one, MPFR_RNDD);
    }
}

/* ---- few uses ------------------------------------------------------------------------------- */
/* The loss of n uses has the density e^(y/2) / (4 sinh(eta/2))^n f(y), f that of n numbers uniform
 * on
 * +-eta times (2 eta)^n: sum over j of (-1)^j C(n, j) (n eta - 2j eta - y)_+^(n-1) / (n-1)!. By
 * parts, with b_j = ((n - 2j) eta - x) / 2, s(x) = 2 e^(x/2) (2 sinh(eta/2))^-n sum over b_j > 0 of
 * (-1)^j C(n, j) S_n(b_j), S_n(b) = sum over odd k of b^(n+k) / (n+k)!. */
#define MOST_USES 32UL
#define MOST_WIDTH 500.0 /* of n eta: terms of S_n */
#define MOST_GUARD 8192
#define SMALL 32 /* bits of S_n */

/* sum = S_n(b), b >= 0; what is left out after a term is at most twice the next where these halve.
 */
static void odd_terms(mpfi_t sum, unsigned long n, const mpfi_t b)
{
    mpfi_t term, square, ratio;
    mpfi_ptr all[] = {term, square, ratio};
    for (size_t i = 0; i < 3; i++)
        mpfi_init2(all[i], mpfi_get_prec(sum));
    mpfi_sqr(square, b);
    mpfi_set(term, b);
    for (unsigned long k = 1; k <= n; k++) { /* b^(n+1) / (n+1)! */
        mpfi_mul(term, term, b);
        mpfi_div_ui(term, term, k + 1);
    }
    mpfi_set_ui(sum, 0);
    MPFR_DECL_INIT(small, SMALL);
    for (unsigned long at = n + 1;; at += 2) {
        mpfi_add(sum, sum, term);
        mpfi_div_ui(ratio, square, (at + 1) * (at + 2));
        mpfi_mul(term, term, ratio);
        mpfr_div_2ui(small, &sum->right, (unsigned long)mpfi_get_prec(sum), MPFR_RNDD);
        if (mpfr_cmp_d(&ratio->right, 0.5) < 0 && mpfr_cmp(&term->right, small) <= 0)
            break;
        if (ival_bad(term))
            break;
    }
    mpfr_mul_2ui(&term->right, &term->right, 1, MPFR_RNDU);
    mpfr_add(&sum->right, &sum->right, &term->right, MPFR_RNDU);
    for (size_t i = 0; i < 3; i++)
        mpfi_clear(all[i]);
}

/* s, and slope = -ds/dx = -s/2 + e^(x/2) (2 sinh)^-n sum of (-1)^j C(n, j) S_(n-1)(b_j), at a
 * number x within +-n eta. */
static void sum_at(mpfi_t s, mpfi_t slope, const window *l, unsigned long n, mpfr_srcptr x)
{
    mpfi_t eta, b, part;
    mpfi_ptr all[] = {eta, b, part};
    mpz_t choices;
    mpz_init(choices);
    for (size_t i = 0; i < 3; i++)
        mpfi_init2(all[i], mpfi_get_prec(s));
    ival_set_number(eta, &l->eta);
    mpfi_set_ui(s, 0);
    mpfi_set_ui(slope, 0);
    for (unsigned long j = 0; j <= n; j++) {
        mpfi_mul_si(b, eta, (long)n - 2 * (long)j);
        mpfi_sub_fr(b, b, x);
        mpfi_div_2ui(b, b, 1);
        if (mpfr_sgn(&b->right) <= 0)
            break;
        ival_at_least_zero(b); /* S_n is 0 up to 0 */
        mpz_bin_uiui(choices, n, j);
        if (j % 2 == 1)
            mpz_neg(choices, choices);
        odd_terms(part, n, b);
        ival_mul_z(part, part, choices);
        mpfi_add(s, s, part);
        odd_terms(part, n - 1, b);
        ival_mul_z(part, part, choices);
        mpfi_add(slope, slope, part);
    }
    mpfi_div_2ui(part, eta, 1);
    mpfi_sinh(part, part);
    mpfi_mul_2ui(part, part, 1);
    mpfi_log(part, part);
    mpfi_mul_si(part, part, -(long)n);
    mpfi_set_fr(b, x);
    mpfi_div_2ui(b, b, 1);
    mpfi_add(part, part, b);
    mpfi_exp(part, part);
    mpfi_mul(slope, slope, part);
    mpfi_mul(s, s, part);
    mpfi_sub(slope, slope, s);
    mpfi_mul_2ui(s, s, 1);
    ival_clamp_ui(s, 0, 1);
    mpz_clear(choices);
    for (size_t i = 0; i < 3; i++)
        mpfi_clear(all[i]);
}

/* The terms may cancel: the precision rises until they do not show. */
static void sum_number(mpfi_t s, mpfr_t slope, const window *l, unsigned long n, mpfr_srcptr x)
{
    for (mpfr_prec_t guard = 64;; guard *= 2) {
        mpfi_t all, fall;
        MPFR_DECL_INIT(width, SMALL);
        mpfi_init2(all, mpfi_get_prec(s) + mpfr_get_prec(x) + guard);
        mpfi_init2(fall, mpfi_get_prec(all));
        sum_at(all, fall, l, n, x);
        mpfr_sub(width, &all->right, &all->left, MPFR_RNDU);
        mpfr_mul_2ui(width, width, (unsigned long)mpfi_get_prec(s), MPFR_RNDU);
        bool done = mpfr_cmp(width, &all->left) <= 0 || guard >= MOST_GUARD;
        mpfi_set(s, all);
        mpfi_get_fr(slope, fall);
        mpfi_clear(fall);
        mpfi_clear(all);
        if (done)
            return;
    }
}

bool bounded_range_sum(mpfi_t s, mpfr_t slope, const window *l, const mpfi_t x)
{
    if (mpz_cmp_ui(l->times, MOST_USES) > 0)
        return false;
    unsigned long n = mpz_get_ui(l->times);
    double wide = (double)n * l->guess;
    if (wide > MOST_WIDTH || mpfr_cmp_d(&x->left, -0.999 * wide) < 0)
        return false;
    mpfi_t other;
    mpfi_init2(other, mpfi_get_prec(s));
    sum_number(s, slope, l, n, &x->left);
    if (!mpfr_equal_p(&x->left, &x->right))
        sum_number(other, slope, l, n, &x->right);
    else
        mpfi_set(other, s);
    mpfr_swap(&s->left, &other->left);
    mpfi_clear(other);
    return true;
}
