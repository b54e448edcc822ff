/* SPDX-License-Identifier: MIT */
/* Lattice cells by a trapezoidal sum. With c > -1, theta_n = pi n / (N h), t_n = c + i theta_n and
 * w_n = e^(-2 pi i n / N),
 *     (1/N) sum_n M(t_n) e^(-t_n l_i) v_n  =  sum_k e^(2chNk) V(cell i shifted by k periods)
 *     (1/N) sum_n M(t_n) e^(-t_n l_i) g_n  =  sum_k e^(2chNk) G(cell i shifted by k periods)
 * where M(t) = E_P e^(tL), v_n = 1/(1 - r'w), g_n = r w (1 - e^(-2h)) / ((1 - r w)(1 - r'w)),
 * r = e^(-2hc), r' = e^(-2h(c+1)). For -1 < c < 0 the second sum gives G - 1 in place of G.
 * Proof: expand the geometric series and average over n, which keeps the multiples of N. All
 * shifted terms (aliases) are >= 0 (for c < 0: those of 1 - G), so the sum is an upper bound and
 * the aliases are bounded through e^(K(z) - z l), K = ln M, for any z on the far side of c. */
#include <math.h>
#include <stdlib.h>

#include "num/ival.h"
#include "pld/complex.h"
#include "pld/lattice.h"

#define NODE_LIMIT 2000000UL

/* What the doubles chose. */
typedef struct plan {
    double c;             /* tilt, 24 bits */
    double above, below;  /* z of the alias bounds: above > c > below >= -1 */
    bool no_above;        /* no atom lies a period above */
    unsigned long period; /* N, odd */
    unsigned long last;   /* nodes 0 .. last are summed, with their conjugates */
    mpfr_prec_t work;
} plan;

static double short_double(double x)
{
    int exponent;
    double m = frexp(x, &exponent);
    return ldexp(rint(m * 16777216.0), exponent - 24);
}

/* ln of the alias bound for z > c: K(z) - z l - (z - c) R, least over z on a grid */
static double best_above(const tilt *t, double c, double l, double period, double *z)
{
    double best = HUGE_VAL;
    for (int i = -8; i <= 40; i++) {
        double trial = c + (1 + fabs(c)) * exp(i * 0.25 - 2);
        double value = tilt_k(t, trial) - trial * l - (trial - c) * period;
        if (value < best) {
            best = value;
            *z = trial;
        }
    }
    return best;
}

/* Chooses the period so that both alias sums are below e^log_tol. False when it gets too long. */
static bool plan_period(plan *p, const lattice *f, const mpz_t i, double l, double h,
                        double log_tol)
{
    double period, limit = 2 * h * 1e15;
    p->no_above = false;
    if (p->c > 0) {
        p->below = 0;
        period = -log_tol / p->c;
    } else {
        p->above = 0;
        period = -log_tol / -p->c;
        p->below = -1;
        double other = (l - log_tol) / (1 + p->c);
        period = period > other ? period : other;
    }
    if (period < 2 * h)
        period = 2 * h;
    while (p->c > 0 && period < limit) {
        p->no_above = period / (2 * h) > mpz_get_d(i) + 1; /* N > i: no atom lies that high */
        if (p->no_above)
            break;
        if (best_above(&f->tilt, p->c, l, period, &p->above) < log_tol)
            break;
        period *= 1.1;
    }
    double n = ceil(period / (2 * h));
    if (n > 1e15)
        return false;
    p->period = (unsigned long)n | 1;
    return true;
}

/* The largest |v_n| and |g_n|: at n = 0 */
static double largest_kernel(const plan *p, double h)
{
    double v = 1 / -expm1(-2 * h * (p->c + 1));
    double g = v * fabs(exp(-2 * h * p->c) * expm1(-2 * h) / expm1(-2 * h * p->c));
    return fmax(v, g);
}

/* ln |phi| at node n: one epsilon only, so it falls from n = 0 to (N-1)/2 */
static double log_node(const lattice *f, const plan *p, unsigned long n)
{
    double a = f->tilt.epsilon[0] * (p->c + 0.5);
    double s = sin(3.141592653589793 * (double)n / (double)p->period) / cosh(a);
    return f->tilt.times[0] / 2 * log1p(-s * s);
}

static dp_status make_plan(plan *p, const lattice *f, const mpz_t i, mpfr_prec_t bits)
{
    double h = f->tilt.epsilon[0]; /* one epsilon: the step itself */
    double l = f->tilt.total - 2 * h * mpz_get_d(i);
    bool left = tilt_is_left(&f->tilt, l);
    p->c = short_double(tilt_saddle(&f->tilt, l, left));
    double log_value = tilt_log_profile(&f->tilt, l, p->c);
    double log_tol = -(double)bits * 0.6931471805599453 - 3;
    if (!plan_period(p, f, i, l, h, log_tol + fmin(log_value, 0)))
        return DP_LIMIT;
    /* mean value of the sum, against which errors are relative */
    double log_mean = log_value - (tilt_k(&f->tilt, p->c) - p->c * l);
    double log_kernel = log(largest_kernel(p, h));
    unsigned long low = 0, high = (p->period - 1) / 2;
    if (log_node(f, p, high) + log_kernel > log_tol + log_mean) {
        low = high;
    } else {
        while (low + 1 < high) {
            unsigned long middle = low + (high - low) / 2;
            if (log_node(f, p, middle + 1) + log_kernel > log_tol + log_mean)
                low = middle;
            else
                high = middle;
        }
        low = high;
    }
    if (low > NODE_LIMIT)
        return DP_LIMIT;
    p->last = low;
    /* rounding: relative to the mean, the largest kernel times the uses counts */
    double small = fmin(fabs(expm1(-2 * h * p->c)), -expm1(-2 * h * (p->c + 1)));
    double lost = (log_kernel - log_mean - log(small)) / 0.6931471805599453;
    p->work =
        bits + (mpfr_prec_t)mpz_sizeinbase(f->list->lossy, 2) + (mpfr_prec_t)fmax(lost, 0) + 24;
    return DP_OK;
}

/* out = K(z) = sum t ln(cosh(eps (z+1/2)) / cosh(eps/2)) at a double z */
static void enclose_k(mpfi_t out, const composed *list, double z)
{
    mpfr_prec_t bits = mpfi_get_prec(out);
    mpfi_t a, b, part;
    mpfi_init2(a, bits);
    mpfi_init2(b, bits);
    mpfi_init2(part, bits);
    mpfi_set_ui(out, 0);
    for (size_t i = 0; i < list->losses; i++) {
        /* |a| - b + log1p(e^-2|a|) - log1p(e^-2b), b = eps/2, a = b (2z+1) */
        ival_set_number(b, &list->loss[i].epsilon);
        mpfi_div_2ui(b, b, 1);
        mpfi_set_d(part, z);
        mpfi_mul_2ui(part, part, 1);
        mpfi_add_ui(part, part, 1);
        mpfi_abs(part, part);
        mpfi_mul(a, b, part);
        mpfi_sub_ui(part, part, 1); /* |2z+1| - 1, so that a - b has one rounding of eps */
        mpfi_mul(part, part, b);
        mpfi_mul_2ui(a, a, 1);
        ival_log1p_exp_neg(a, a);
        mpfi_add(part, part, a);
        mpfi_mul_2ui(b, b, 1);
        ival_log1p_exp_neg(b, b);
        mpfi_sub(part, part, b);
        ival_mul_z(part, part, list->loss[i].times);
        mpfi_add(out, out, part);
    }
    mpfi_clear(part);
    mpfi_clear(b);
    mpfi_clear(a);
}

/* l = total - 2 h i */
static void enclose_atom(mpfi_t l, const lattice *f, const mpz_t i)
{
    mpfi_t part;
    mpfi_init2(part, mpfi_get_prec(l));
    mpz_t twice;
    mpz_init(twice);
    mpz_mul_2exp(twice, i, 1);
    ival_set_number(part, &f->step);
    ival_mul_z(part, part, twice);
    logform_enclose(l, &f->list->total);
    mpfi_sub(l, l, part);
    mpz_clear(twice);
    mpfi_clear(part);
}

/* out = e^(K(z) - z l) */
static void enclose_chernoff(mpfi_t out, const composed *list, const mpfi_t l, double z)
{
    mpfi_t part;
    mpfi_init2(part, mpfi_get_prec(out));
    enclose_k(out, list, z);
    mpfi_mul_d(part, l, z);
    mpfi_sub(out, out, part);
    mpfi_exp(out, out);
    mpfi_clear(part);
}

/* most += e^(K(z) - z l) y / (1 - y), y = e^(-|z - c| 2 h N), rounded up */
static void add_alias(mpfr_t most, const lattice *f, const plan *p, const mpfi_t l, double z)
{
    mpfi_t part, y;
    mpfi_init2(part, mpfi_get_prec(l));
    mpfi_init2(y, mpfi_get_prec(l));
    enclose_chernoff(part, f->list, l, z);
    ival_set_number(y, &f->step);
    mpfi_mul_ui(y, y, p->period);
    mpfi_mul_2ui(y, y, 1);
    mpfi_t gap; /* |z - c| exactly: the difference of doubles need not be one */
    mpfi_init2(gap, mpfi_get_prec(l));
    mpfi_set_d(gap, z);
    mpfi_sub_d(gap, gap, p->c);
    mpfi_abs(gap, gap);
    mpfi_mul(y, y, gap);
    mpfi_neg(y, y);
    mpfi_exp(y, y);
    mpfi_mul(part, part, y);
    mpfi_ui_sub(y, 1, y);
    mpfi_div(part, part, y);
    mpfr_add(most, most, &part->right, MPFR_RNDU);
    mpfi_clear(gap);
    mpfi_clear(y);
    mpfi_clear(part);
}

/* Sums over the nodes. */
typedef struct nodes {
    mpfr_t pi, tanh, sum_g, sum_v;
    mpfr_t r, r1, drop; /* r, r', 1 - e^(-2h) */
    cx phi, factor, w, v, g, t;
} nodes;

static void nodes_init(nodes *s, const lattice *f, const plan *p)
{
    mpfr_prec_t bits = p->work;
    mpfr_ptr real[] = {s->pi, s->tanh, s->sum_g, s->sum_v, s->r, s->r1, s->drop};
    for (size_t i = 0; i < 7; i++)
        mpfr_init2(real[i], bits);
    cx *complex[] = {&s->phi, &s->factor, &s->w, &s->v, &s->g, &s->t};
    for (size_t i = 0; i < 6; i++)
        cx_init(complex[i], bits);
    mpfr_const_pi(s->pi, MPFR_RNDN);
    mpfi_t h, x;
    mpfi_init2(h, bits + 16); /* the real factors below are correct to 2u */
    mpfi_init2(x, bits + 16);
    ival_set_number(h, &f->step);
    mpfi_set_d(x, p->c);
    mpfi_mul_2ui(x, x, 1);
    mpfi_add_ui(x, x, 1);
    mpfi_mul(x, x, h);
    mpfi_div_2ui(x, x, 1);
    mpfi_tanh(x, x); /* tanh(h (c + 1/2)) */
    mpfi_get_fr(s->tanh, x);
    mpfi_mul_2ui(h, h, 1);
    mpfi_mul_d(x, h, -p->c);
    mpfi_exp(x, x);
    mpfi_get_fr(s->r, x);
    mpfi_neg(h, h);
    mpfi_exp(x, h);
    mpfr_mul(s->r1, s->r, &x->left, MPFR_RNDN);
    mpfi_expm1(x, h);
    mpfi_neg(x, x);
    mpfi_get_fr(s->drop, x);
    mpfi_clear(x);
    mpfi_clear(h);
}

static void nodes_clear(nodes *s)
{
    mpfr_ptr real[] = {s->pi, s->tanh, s->sum_g, s->sum_v, s->r, s->r1, s->drop};
    for (size_t i = 0; i < 7; i++)
        mpfr_clear(real[i]);
    cx *complex[] = {&s->phi, &s->factor, &s->w, &s->v, &s->g, &s->t};
    for (size_t i = 0; i < 6; i++)
        cx_clear(complex[i]);
}

/* out = 1 - r w */
static void one_minus(cx *out, mpfr_srcptr r, const cx *w)
{
    mpfr_mul(out->re, w->re, r, MPFR_RNDN);
    mpfr_ui_sub(out->re, 1, out->re, MPFR_RNDN);
    mpfr_mul(out->im, w->im, r, MPFR_RNDN);
    mpfr_neg(out->im, out->im, MPFR_RNDN);
}

/* phi = prod (cos a + i tanh(.) sin a)^t, times the phase e^(-i theta_n l_i), at node n */
static void node_phi(nodes *s, const lattice *f, const plan *p, const mpz_t cell, unsigned long n)
{
    cx_unit(&s->factor, n, p->period, s->pi);
    mpfr_mul(s->factor.im, s->factor.im, s->tanh, MPFR_RNDN);
    cx_pow(&s->phi, &s->factor, f->list->loss[0].times, &s->t);
    /* l_i / h = span - 2 i, reduced exactly modulo 2N */
    mpz_t phase;
    mpz_init(phase);
    mpz_mul_2exp(phase, cell, 1);
    mpz_sub(phase, phase, f->span);
    mpz_mul_ui(phase, phase, n);
    unsigned long angle = mpz_fdiv_ui(phase, 2 * p->period);
    mpz_clear(phase);
    cx_unit(&s->w, angle, p->period, s->pi);
    cx_mul(&s->phi, &s->phi, &s->w, &s->t);
}

static void add_node(nodes *s, const lattice *f, const plan *p, const mpz_t cell, unsigned long n)
{
    node_phi(s, f, p, cell, n);
    cx_unit(&s->w, n == 0 ? 0 : 2 * (p->period - n), p->period, s->pi); /* e^(-2 pi i n / N) */
    one_minus(&s->v, s->r1, &s->w);
    cx_inv(&s->v, &s->v, &s->t);
    one_minus(&s->g, s->r, &s->w);
    cx_inv(&s->g, &s->g, &s->t);
    cx_mul(&s->g, &s->g, &s->v, &s->t);
    cx_mul(&s->g, &s->g, &s->w, &s->t);
    mpfr_mul(s->t.re, s->r, s->drop, MPFR_RNDN);
    mpfr_mul(s->g.re, s->g.re, s->t.re, MPFR_RNDN);
    mpfr_mul(s->g.im, s->g.im, s->t.re, MPFR_RNDN);
    cx_mul(&s->g, &s->g, &s->phi, &s->t);
    cx_mul(&s->v, &s->v, &s->phi, &s->t);
    if (n > 0) { /* with its conjugate at -n */
        mpfr_mul_2ui(s->g.re, s->g.re, 1, MPFR_RNDN);
        mpfr_mul_2ui(s->v.re, s->v.re, 1, MPFR_RNDN);
    }
    mpfr_add(s->sum_g, s->sum_g, s->g.re, MPFR_RNDN);
    mpfr_add(s->sum_v, s->sum_v, s->v.re, MPFR_RNDN);
}

/* kernel = the largest |v_n|, |g_n|, rounded up; pole = 18 max(1,r)/|1-r| + 18/(1-r'), the relative
 * error of a kernel in units of u. */
static void kernel_bound(mpfr_t kernel, mpfr_t pole, const nodes *s)
{
    mpfr_t gap, gap1;
    mpfr_init2(gap, 64);
    mpfr_init2(gap1, 64);
    mpfr_ui_sub(gap1, 1, s->r1, MPFR_RNDD);
    mpfr_ui_sub(gap, 1, s->r, MPFR_RNDZ); /* |1-r| rounded toward 0 */
    mpfr_abs(gap, gap, MPFR_RNDD);
    mpfr_ui_div(pole, 1, gap, MPFR_RNDU);
    mpfr_mul(kernel, pole, s->r, MPFR_RNDU);
    mpfr_mul(kernel, kernel, s->drop, MPFR_RNDU); /* |g| (1-r') */
    if (mpfr_cmp_ui(kernel, 1) < 0)
        mpfr_set_ui(kernel, 1, MPFR_RNDU);
    mpfr_div(kernel, kernel, gap1, MPFR_RNDU);
    if (mpfr_cmp_ui(s->r, 1) > 0)
        mpfr_mul(pole, pole, s->r, MPFR_RNDU);
    mpfr_ui_div(gap1, 1, gap1, MPFR_RNDU);
    mpfr_add(pole, pole, gap1, MPFR_RNDU);
    mpfr_mul_ui(pole, pole, 18, MPFR_RNDU);
    /* r, r', drop are known to 3u: (1 + 2^-30) covers that, u being below 2^-60 */
    mpfr_mul_d(kernel, kernel, 1 + 0x1p-30, MPFR_RNDU);
    mpfr_mul_d(pole, pole, 1 + 0x1p-30, MPFR_RNDU);
    mpfr_clear(gap1);
    mpfr_clear(gap);
}

/* Upper bound of |phi| at node n <= (N-1)/2 and beyond: (cos^2 a + tanh^2 sin^2 a)^(t/2) */
static void phi_bound(mpfr_t out, const nodes *s, const lattice *f, const plan *p, unsigned long n)
{
    mpfi_t a, b;
    mpfi_init2(a, 96);
    mpfi_init2(b, 96);
    mpfi_const_pi(a);
    mpfi_mul_ui(a, a, n);
    mpfi_div_ui(a, a, p->period);
    mpfi_sin(a, a);
    mpfi_set_fr(b, s->tanh);
    mpfi_sqr(b, b);
    mpfi_ui_sub(b, 1, b);
    mpfi_mul_d(b, b, 1 - 0x1p-30); /* 1 - tanh^2 from below: tanh is known to 2u */
    mpfi_sqr(a, a);
    mpfi_mul(a, a, b);
    mpfi_neg(a, a);
    mpfi_log1p(a, a);
    ival_mul_z(a, a, f->list->loss[0].times);
    mpfi_div_2ui(a, a, 1);
    mpfi_exp(a, a);
    mpfr_set(out, &a->right, MPFR_RNDU);
    mpfi_clear(b);
    mpfi_clear(a);
}

/* Bounds |computed sum - full sum| over both kernels; false when the precision is too low for the
 * first-order analysis. With u = 2^-work and T mechanisms, a node's phi carries (32 T + 16) u, its
 * kernel `pole` + 40 u, the products 8 u, the running sum one u per node added. */
static bool error_bound(mpfr_t error, const nodes *s, const lattice *f, const plan *p)
{
    mpfr_t kernel, pole, rest;
    mpfr_init2(kernel, 64);
    mpfr_init2(pole, 64);
    mpfr_init2(rest, 64);
    kernel_bound(kernel, pole, s);
    mpfr_set_z(error, f->list->lossy, MPFR_RNDU);
    mpfr_mul_ui(error, error, 32, MPFR_RNDU);
    mpfr_add(error, error, pole, MPFR_RNDU);
    mpfr_add_ui(error, error, 64 + p->last + 1, MPFR_RNDU);
    mpfr_div_2ui(error, error, (unsigned long)p->work, MPFR_RNDU);
    bool small = mpfr_cmp_d(error, 0x1p-12) < 0;
    mpfr_mul_d(error, error, 1 + 0x1p-8, MPFR_RNDU); /* higher orders */
    mpfr_mul_ui(error, error, 2 * p->last + 1, MPFR_RNDU);
    unsigned long half = (p->period - 1) / 2;
    if (p->last < half) {
        phi_bound(rest, s, f, p, p->last + 1);
        mpfr_mul_ui(rest, rest, 2 * (half - p->last), MPFR_RNDU);
        mpfr_add(error, error, rest, MPFR_RNDU);
    }
    mpfr_mul(error, error, kernel, MPFR_RNDU);
    mpfr_clear(rest);
    mpfr_clear(pole);
    mpfr_clear(kernel);
    return small;
}

/* out = (sum +- error) / N * e^(K(c) - c l) */
static void scale_sum(mpfi_t out, mpfr_srcptr sum, mpfr_srcptr error, const mpfi_t size,
                      const plan *p)
{
    mpfr_sub(&out->left, sum, error, MPFR_RNDD);
    mpfr_add(&out->right, sum, error, MPFR_RNDU);
    mpfi_div_ui(out, out, p->period);
    mpfi_mul(out, out, size);
}

static dp_status evaluate(mpfi_t g, mpfi_t v, const lattice *f, const mpz_t i, const plan *p)
{
    nodes s;
    nodes_init(&s, f, p);
    mpfr_set_ui(s.sum_g, 0, MPFR_RNDN);
    mpfr_set_ui(s.sum_v, 0, MPFR_RNDN);
    for (unsigned long n = 0; n <= p->last; n++)
        add_node(&s, f, p, i, n);
    mpfr_t error, alias;
    mpfi_t l, size;
    mpfr_init2(error, 64);
    mpfr_init2(alias, 64);
    mpfi_init2(l, p->work);
    mpfi_init2(size, p->work);
    mpfr_set_ui(alias, 0, MPFR_RNDU);
    enclose_atom(l, f, i);
    enclose_chernoff(size, f->list, l, p->c);
    bool sound = error_bound(error, &s, f, p);
    add_alias(alias, f, p, l, p->below);
    if (!p->no_above)
        add_alias(alias, f, p, l, p->above);
    mpfi_set_prec(g, p->work);
    mpfi_set_prec(v, p->work);
    scale_sum(g, s.sum_g, error, size, p);
    scale_sum(v, s.sum_v, error, size, p);
    mpfr_sub(&v->left, &v->left, alias, MPFR_RNDD);
    if (p->c > 0) {
        mpfr_sub(&g->left, &g->left, alias, MPFR_RNDD);
    } else { /* the sum is -(1 - G) - aliases */
        mpfi_add_ui(g, g, 1);
        mpfr_add(&g->right, &g->right, alias, MPFR_RNDU);
    }
    ival_clamp_ui(g, 0, 1);
    ival_clamp_ui(v, 0, 1);
    mpfi_clear(size);
    mpfi_clear(l);
    mpfr_clear(alias);
    mpfr_clear(error);
    nodes_clear(&s);
    return sound ? DP_OK : DP_LIMIT;
}

/* Bits of relative accuracy, at most `most`. */
static mpfr_prec_t accuracy(const mpfi_t x, mpfr_prec_t most)
{
    if (mpfr_sgn(&x->left) <= 0)
        return 0;
    mpfr_t width;
    mpfr_init2(width, 32);
    mpfr_sub(width, &x->right, &x->left, MPFR_RNDU);
    mpfr_div(width, width, &x->left, MPFR_RNDU);
    mpfr_prec_t bits = most;
    if (!mpfr_zero_p(width) && -mpfr_get_exp(width) < most)
        bits = -mpfr_get_exp(width);
    mpfr_clear(width);
    return bits > 0 ? bits : 0;
}

dp_status contour_cell(mpfi_t g, mpfi_t v, const lattice *f, const mpz_t i, mpfr_prec_t bits)
{
    mpfr_prec_t aim = bits;
    dp_status status = DP_LIMIT;
    for (int attempt = 0; attempt < 4; attempt++) {
        plan p;
        status = make_plan(&p, f, i, aim);
        if (status == DP_OK)
            status = evaluate(g, v, f, i, &p);
        if (status != DP_OK)
            break;
        mpfr_prec_t got = accuracy(g, bits), got_v = accuracy(v, bits);
        got = got < got_v ? got : got_v;
        if (got >= bits)
            break;
        aim += bits - got + 8; /* the estimates were off by this much */
    }
    return status;
}
