/* SPDX-License-Identifier: MIT */
/* Of T Laplace losses at one epsilon the part with fewer than J of them strictly between their
 * ends. One use has M = a + d, of the ends and of what is between: with w = eps (z + 1/2),
 *     a = e^(-eps/2) cosh w,   d = e^(-eps/2) v (e^w - e^-w) / 2,   v = 1 / (2z + 1),
 * so that A is the sum over m < J of C(T,m) a^(T-m) d^m = 2^-T e^(-top/2) C(T,m) v^m times the
 * coefficients of (1+y)^(T-m) (1-y)^m, that of y^j before e^((T-2j) w). There v^m e^(lw/eps) has
 * the profile e^(x/2) G_m(b), b = (l - x)/2 > 0 (laplace_few.c), G_m = 2 sum_{i>=0} b^(m+1+2i) /
 * (m+1+2i)!: e^b -+ e^-b for m even or odd, less a polynomial of degree m - 1. */
#include <math.h>

#include "loss/laplace_nodes.h"
#include "num/ival.h"

#define ROUGH_BITS 64
#define MOST_ORDER 48U
#define MOST_USES 131072.0
#define FEW_USES 4.0 /* for each loss between */
#define GAP 0.8      /* of the way to where the waves of the ends meet again */
#define PI 3.141592653589793
#define SPARE_BITS 32
#define CUT_BITS 2 /* that differences of cut terms lose with each order */
#define LOOK 16    /* terms between two looks at what is left */

/* ---- the rest ------------------------------------------------------------------------------- */
/* |cosh w|^2 = C^2 - S and |sinh w|^2 = C^2 - 1 + S, C = cosh of the real part of w and S the
 * squared sine of its imaginary part. At height t and above |v| <= 1/2t. With tau = tanh,
 * r^2 = tau^2 + S/C^2 >= tau^2 and over C e^(-eps/2) each, |d| <= r/2t and
 *     |a| + |d| <= e^(-S/2C^2) (1 + e^(1/2) r/2t),   ln of it <= (tau^2 - r^2)/2 + kappa r,
 * kappa = 0.825/t. The sum over m >= J is at most C(T,J) |d|^J (|a| + |d|)^n, n = T - J, as
 * C(T,m) <= C(T,J) C(n,m-J). In ln r <= ln q + r/q - 1 any q > 0 will do; what is then quadratic
 * in r is greatest at g = kappa + J/(nq), or at tau where that is further:
 *     ln |R/M(c)| <= ln C(T,J) - J ln 2t + J ln q - J
 *                    + n (g^2 + tau^2 - max(0, tau - g)^2) / 2 - T ln(1 + half/whole),
 * M(c) being C e^(-eps/2) times the last (laplace_scaled). */
typedef struct rest {
    mpfi_t eps, w, whole, half, tau, g, part, sum;
} rest;

static void rest_init(rest *r)
{
    mpfi_ptr all[] = {r->eps, r->w, r->whole, r->half, r->tau, r->g, r->part, r->sum};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        mpfi_init2(all[i], ROUGH_BITS);
}

static void rest_clear(rest *r)
{
    mpfi_ptr all[] = {r->eps, r->w, r->whole, r->half, r->tau, r->g, r->part, r->sum};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        mpfi_clear(all[i]);
}

/* n (g^2 + tau^2 - max(0, tau - g)^2) / 2 */
static void add_squares(rest *r, unsigned long n)
{
    mpfi_sqr(r->part, r->g);
    mpfi_sub(r->g, r->tau, r->g);
    ival_at_least_zero(r->g);
    mpfi_sqr(r->g, r->g);
    mpfi_sub(r->part, r->part, r->g);
    mpfi_sqr(r->g, r->tau);
    mpfi_add(r->part, r->part, r->g);
    mpfi_mul_ui(r->part, r->part, n);
    mpfi_div_2ui(r->part, r->part, 1);
    mpfi_add(r->sum, r->sum, r->part);
}

/* sum += ln C(T,J) - J ln 2t - J */
static void add_heights(rest *r, unsigned long uses, unsigned order, mpfr_srcptr t)
{
    mpz_t ways;
    mpz_init(ways);
    mpz_bin_uiui(ways, uses, order);
    mpfi_set_z(r->part, ways);
    mpfi_log(r->part, r->part);
    mpfi_add(r->sum, r->sum, r->part);
    mpfi_set_fr(r->part, t);
    mpfi_mul_2ui(r->part, r->part, 1);
    mpfi_log(r->part, r->part);
    mpfi_add_ui(r->part, r->part, 1);
    mpfi_mul_ui(r->part, r->part, order);
    mpfi_sub(r->sum, r->sum, r->part);
    mpz_clear(ways);
}

static void part_decay(mpfr_t low, const void *self, unsigned order, double c, mpfr_srcptr t)
{
    const laplace_item *l = ((const laplace *)self)->item;
    unsigned long uses = mpz_get_ui(l->times), n = uses - order;
    rest r;
    rest_init(&r);
    mpfi_set_q(r.eps, l->epsilon);
    mpfi_set_d(r.w, c);
    mpfi_add_d(r.w, r.w, 0.5);
    mpfi_mul(r.w, r.w, r.eps);
    laplace_scaled(r.whole, r.half, r.w, r.eps);
    mpfi_div(r.half, r.half, r.whole);
    mpfi_log1p(r.half, r.half);
    mpfi_mul_ui(r.half, r.half, uses);
    mpfi_neg(r.sum, r.half);
    mpfi_ui_div(r.tau, 1, r.whole);
    mpfi_sub_ui(r.tau, r.tau, 1);
    ival_at_least_zero(r.tau);
    double q = fmax(mpfi_get_d(r.tau), sqrt((double)order / (double)n));
    mpfi_set_d(r.part, q);
    mpfi_log(r.g, r.part);
    mpfi_mul_ui(r.g, r.g, order);
    mpfi_add(r.sum, r.sum, r.g);
    mpfi_mul_ui(r.part, r.part, n);
    mpfi_ui_div(r.part, order, r.part);
    mpfi_set_ui(r.g, 825);
    mpfi_div_ui(r.g, r.g, 1000);
    mpfi_div_fr(r.g, r.g, t);
    mpfi_add(r.g, r.g, r.part);
    add_squares(&r, n);
    add_heights(&r, uses, order, t);
    mpfr_neg(low, &r.sum->right, MPFR_RNDD);
    if (!(mpfr_sgn(low) > 0)) /* or a NaN */
        mpfr_set_ui(low, 0, MPFR_RNDN);
    rest_clear(&r);
}

static unsigned part_order(const void *self, double c, double need)
{
    const laplace *l = self;
    if (l->items != 1 || l->item->count > MOST_USES)
        return 0;
    MPFR_DECL_INIT(t, ROUGH_BITS);
    MPFR_DECL_INIT(low, ROUGH_BITS);
    double height = GAP * PI / l->item->guess;
    if (!(height > 1))
        return 0;
    mpfr_set_d(t, height, MPFR_RNDN);
    for (unsigned order = 1; order <= MOST_ORDER && order * FEW_USES <= l->item->count; order++) {
        part_decay(low, self, order, c, t);
        if (mpfr_get_d(low, MPFR_RNDN) + log(PI * height) >= need)
            return order;
    }
    return 0;
}

static double part_share(const void *self, unsigned order)
{
    double uses = ((const laplace *)self)->item->count;
    return (uses - order) / uses; /* for T - m >= T - J + 1 uses at their ends */
}

/* ---- the profile ---------------------------------------------------------------------------- */
/* 2^T e^((top-x)/2) s_A(x) is the sum over m < J and j of C(T,m) C(N,j), N = T - m, times the m-th
 * difference sum_i (-1)^i C(m,i) G_m(b_(j+i)), where b_k = b_0 - k eps and G_m counts as 0 below 0.
 * With n the last k of b_k >= 0, for j <= n - m nothing is cut off: of the polynomial in G_m, of
 * degree m - 1, nothing is left, and it is (1 - e^-eps)^m e^(b_j) - (e^eps - 1)^m e^(-b_j). So all
 * these terms are sums S of C(N,j) y^j over j <= n - m, for y = e^-eps and e^eps, and from one m to
 * the next
 *     S' = (S - C(N-1,n-m) y^(n-m)) / (1 + y).
 * The others are m for each m: k = n - r, 0 <= r < m, has
 *     G_m(b_k) f_m(r),   f_m(r) = sum_(r <= p < m) (-1)^(p-r) C(m,p-r) C(N,n-p). */
typedef struct sum {
    const laplace_item *l;
    unsigned long uses, n;
    unsigned order;
    mpz_t whole;
    mpfi_t eps, rise, fall;     /* e^eps, e^-eps */
    mpfi_t b, up, down, weight; /* b_n, e^b, e^-b, 2^-T e^((x-top)/2) C(T,n) */
    mpfi_t above, below;        /* S of e^-eps, and of e^eps */
    mpfi_t power, part, next, term, s;
    mpfi_t g[MOST_ORDER + 2];                                  /* G_m at one b */
    mpfi_t cut[MOST_ORDER], end[MOST_ORDER], ways[MOST_ORDER]; /* of m: add_cuts */
    mpfr_t slope, rate;
} sum;

#define INTERVALS(S)                                                                               \
    {                                                                                              \
        (S)->eps, (S)->rise, (S)->fall, (S)->b, (S)->up, (S)->down, (S)->weight, (S)->above,       \
            (S)->below, (S)->power, (S)->part, (S)->next, (S)->term, (S)->s                        \
    }

static void sum_init(sum *s, mpfr_prec_t work)
{
    mpfi_ptr all[] = INTERVALS(s);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        mpfi_init2(all[i], work);
    for (unsigned m = 0; m < s->order + 2; m++)
        mpfi_init2(s->g[m], work);
    for (unsigned m = 0; m < s->order; m++) {
        mpfi_init2(s->cut[m], work);
        mpfi_init2(s->end[m], work);
        mpfi_init2(s->ways[m], work);
    }
    mpz_init(s->whole);
    mpfr_init2(s->slope, work);
    mpfr_init2(s->rate, work);
    mpfi_set_q(s->eps, s->l->epsilon);
    mpfi_exp(s->rise, s->eps);
    mpfi_ui_div(s->fall, 1, s->rise);
    mpfi_set_ui(s->s, 0);
    mpfr_set_ui(s->slope, 0, MPFR_RNDN);
}

static void sum_clear(sum *s)
{
    mpfi_ptr all[] = INTERVALS(s);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        mpfi_clear(all[i]);
    for (unsigned m = 0; m < s->order + 2; m++)
        mpfi_clear(s->g[m]);
    for (unsigned m = 0; m < s->order; m++) {
        mpfi_clear(s->cut[m]);
        mpfi_clear(s->end[m]);
        mpfi_clear(s->ways[m]);
    }
    mpz_clear(s->whole);
    mpfr_clears(s->slope, s->rate, NULL);
}

/* n, at most T/2, and what belongs to it; false where there is none. */
static bool start(sum *s, mpfr_srcptr x)
{
    mpq_t at, part;
    mpq_inits(at, part, NULL);
    mpfr_get_q(at, x);
    mpq_div(part, at, s->l->epsilon);
    mpz_mul_ui(s->whole, mpq_denref(part), s->uses);
    mpz_sub(mpq_numref(part), s->whole, mpq_numref(part)); /* T - x/eps */
    mpz_mul_2exp(mpq_denref(part), mpq_denref(part), 1);
    mpz_fdiv_q(s->whole, mpq_numref(part), mpq_denref(part));
    bool any = mpz_sgn(s->whole) >= 0;
    if (any) {
        s->n = mpz_get_ui(s->whole);
        mpq_set_ui(part, s->uses - 2 * s->n, 1);
        mpq_mul(part, part, s->l->epsilon);
        mpq_sub(part, part, at);
        mpq_div_2exp(part, part, 1);
        mpfi_set_q(s->b, part);
        mpfi_exp(s->up, s->b);
        mpfi_ui_div(s->down, 1, s->up);
        mpq_set_ui(part, s->uses, 1);
        mpq_mul(part, part, s->l->epsilon);
        mpq_sub(part, at, part);
        mpq_div_2exp(part, part, 1);
        mpfi_set_q(s->weight, part);
        mpfi_exp(s->weight, s->weight);
        mpz_bin_uiui(s->whole, s->uses, s->n);
        ival_mul_z(s->weight, s->weight, s->whole);
        mpfi_div_2ui(s->weight, s->weight, s->uses);
    }
    mpq_clears(at, part, NULL);
    return any;
}

/* to = the sum of C(T,j) y^(n-j) / C(T,n) over j <= n, times the term at n. Terms fall by j/(T-j+1)
 * y, which falls: once it is below 1 what is left is at most a geometric series. */
static void add_up(mpfi_t to, sum *s, const mpfi_t first, const mpfi_t y)
{
    MPFR_DECL_INIT(left, ROUGH_BITS);
    MPFR_DECL_INIT(gap, ROUGH_BITS);
    mpfi_set_ui(to, 0);
    mpfi_set(s->term, first);
    for (unsigned long j = s->n;; j--) {
        mpfi_add(to, to, s->term);
        if (j == 0)
            return;
        mpfi_mul_ui(s->term, s->term, j);
        mpfi_div_ui(s->term, s->term, s->uses - j + 1);
        mpfi_mul(s->term, s->term, y);
        if (j % LOOK != 0 || mpfr_get_exp(&s->term->right) + (mpfr_exp_t)mpfi_get_prec(to) >
                                 mpfr_get_exp(&to->right))
            continue;
        mpfr_mul_ui(gap, &y->right, j, MPFR_RNDU);
        mpfr_div_ui(gap, gap, s->uses - j + 1, MPFR_RNDU);
        mpfr_ui_sub(gap, 1, gap, MPFR_RNDD);
        if (!(mpfr_sgn(gap) > 0))
            continue;
        mpfr_div(left, &s->term->right, gap, MPFR_RNDU);
        mpfr_add(&to->right, &to->right, left, MPFR_RNDU);
        return;
    }
}

/* S of the next m. term: C(N-1,n-m) weighted */
static void next_sum(mpfi_t to, sum *s, const mpfi_t y, const mpfi_t at)
{
    mpfi_mul(s->part, s->term, at);
    mpfi_sub(to, to, s->part);
    mpfi_add_ui(s->part, y, 1);
    mpfi_div(to, to, s->part);
}

/* The terms of which nothing is cut off. */
static void add_whole(sum *s)
{
    mpfi_t up, down, weight;
    mpfi_ptr own[] = {up, down, weight};
    for (size_t i = 0; i < 3; i++)
        mpfi_init2(own[i], mpfi_get_prec(s->s));
    mpfi_mul(up, s->weight, s->up);
    add_up(s->above, s, up, s->rise);
    mpfi_mul(down, s->weight, s->down);
    add_up(s->below, s, down, s->fall);
    mpfi_set(up, s->up);
    mpfi_set(down, s->down);
    mpfi_set(weight, s->weight);
    mpfi_set_ui(s->power, 1); /* C(T,m) (1 - e^-eps)^m */
    mpfi_set_ui(s->next, 1);  /* the same with e^eps - 1 */
    for (unsigned m = 0;; m++) {
        mpfi_mul(s->part, s->power, s->above);
        mpfi_add(s->s, s->s, s->part);
        mpfi_mul(s->part, s->next, s->below);
        mpfi_sub(s->s, s->s, s->part);
        mpfr_add(s->slope, s->slope, &s->part->left, MPFR_RNDN);
        if (m + 1 == s->order)
            break;
        mpfi_mul_ui(s->term, weight, s->uses - s->n);
        mpfi_div_ui(s->term, s->term, s->uses - m);
        next_sum(s->above, s, s->fall, up);
        next_sum(s->below, s, s->rise, down);
        mpfi_mul(up, up, s->rise);
        mpfi_mul(down, down, s->fall);
        mpfi_mul_ui(weight, weight, s->n > m ? s->n - m : 0);
        mpfi_div_ui(weight, weight, s->uses - m);
        mpfi_ui_sub(s->part, 1, s->fall);
        mpfi_mul_ui(s->part, s->part, s->uses - m);
        mpfi_div_ui(s->part, s->part, m + 1);
        mpfi_mul(s->power, s->power, s->part);
        mpfi_mul(s->part, s->part, s->rise);
        mpfi_mul(s->next, s->next, s->part);
    }
    for (size_t i = 0; i < 3; i++)
        mpfi_clear(own[i]);
}

/* g[m] = G_m(b) for m < J, from up = e^b and down = e^-b: G_(m+2) = G_m - 2 b^(m+1)/(m+1)!. What
 * this loses is what the coefficients lose too, and within the bits that are spared for them. */
static void set_series(sum *s)
{
    mpfi_sub(s->g[0], s->up, s->down);
    mpfi_add(s->g[1], s->up, s->down);
    mpfi_sub_ui(s->g[1], s->g[1], 2);
    mpfi_set_ui(s->power, 2);
    for (unsigned m = 2; m < s->order; m++) {
        mpfi_mul(s->power, s->power, s->b);
        mpfi_div_ui(s->power, s->power, m - 1);
        mpfi_sub(s->g[m], s->g[m - 2], s->power);
    }
}

/* s += part G_m, and to the slope half of part (G_m' - G_m), G_m' = G_(m-1) */
static void add_cut(sum *s, unsigned m)
{
    mpfi_mul(s->next, s->part, s->g[m]);
    mpfi_add(s->s, s->s, s->next);
    mpfr_sub(s->rate, &s->g[m - 1]->left, &s->g[m]->left, MPFR_RNDN);
    mpfr_mul(s->rate, s->rate, &s->part->left, MPFR_RNDN);
    mpfr_div_2ui(s->rate, s->rate, 1, MPFR_RNDN);
    mpfr_add(s->slope, s->slope, s->rate, MPFR_RNDN);
}

/* f_m(r + 1) of all m > r + 1 becomes f_m(r): by the rule of Pascal for both binomials
 *     f_m(r) = f_(m-1)(r) - f_(m-1)(r+1) - f_m(r+1) + (-1)^(m-1-r) C(m,r+1) C(T-m,n-m+1),
 * where f_m(m) = 0. */
static void next_cuts(sum *s, unsigned r)
{
    mpfi_set_ui(s->power, 0); /* f_(m-1)(r) - f_(m-1)(r+1) */
    for (unsigned m = r + 1; m < s->order; m++) {
        mpz_bin_uiui(s->whole, m, r + 1);
        ival_mul_z(s->term, s->end[m], s->whole);
        if ((m - 1 - r) % 2 == 1)
            mpfi_neg(s->term, s->term);
        mpfi_sub(s->power, s->power, s->cut[m]);
        mpfi_add(s->term, s->term, s->power);
        mpfi_sub(s->power, s->term, s->cut[m]);
        mpfi_set(s->cut[m], s->term);
    }
}

/* The terms of which some is cut off: none for r > n. */
static void add_cuts(sum *s)
{
    unsigned most = s->order - 1;
    mpfi_set(s->end[0], s->weight); /* C(T-m,n-m+1), weighted; at m = 0 times (T-n)/(n+1) */
    mpfi_set_ui(s->ways[0], 1);     /* C(T,m) */
    for (unsigned m = 1; m < s->order; m++) {
        mpfi_mul_ui(s->end[m], s->end[m - 1],
                    m == 1          ? s->uses - s->n
                    : s->n >= m - 1 ? s->n - m + 2
                                    : 0);
        mpfi_div_ui(s->end[m], s->end[m], s->uses - m + 1);
        mpfi_mul_ui(s->ways[m], s->ways[m - 1], s->uses - m + 1);
        mpfi_div_ui(s->ways[m], s->ways[m], m);
        mpfi_set_ui(s->cut[m], 0);
    }
    if (most > s->n + 1)
        most = (unsigned)s->n + 1;
    mpfi_mul_ui(s->part, s->eps, most);
    mpfi_add(s->b, s->b, s->part);
    mpfi_exp(s->up, s->b);
    mpfi_ui_div(s->down, 1, s->up);
    for (unsigned r = most; r-- > 0;) {
        mpfi_sub(s->b, s->b, s->eps);
        mpfi_mul(s->up, s->up, s->fall);
        mpfi_mul(s->down, s->down, s->rise);
        next_cuts(s, r);
        set_series(s);
        for (unsigned m = r + 1; m < s->order; m++) {
            mpfi_mul(s->part, s->cut[m], s->ways[m]);
            add_cut(s, m);
        }
    }
}

/* What is cut off cancels. */
static void part_profile(mpfi_t to, mpfr_t slope, const void *self, unsigned order, mpfr_srcptr x)
{
    const laplace_item *l = ((const laplace *)self)->item;
    sum s = {.l = l, .uses = mpz_get_ui(l->times), .order = order};
    mpfr_prec_t more = (mpfr_prec_t)(order * (mpz_sizeinbase(l->times, 2) + CUT_BITS));
    sum_init(&s, mpfi_get_prec(to) + more + SPARE_BITS);
    if (start(&s, x)) {
        add_whole(&s);
        add_cuts(&s);
    }
    ival_clamp_ui(s.s, 0, 1);
    mpfi_set(to, s.s);
    mpfr_set(slope, s.slope, MPFR_RNDN);
    sum_clear(&s);
}

const part_ops laplace_part = {
    .order = part_order,
    .take = laplace_part_take,
    .share = part_share,
    .decay = part_decay,
    .profile = part_profile,
};
