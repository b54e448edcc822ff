/* SPDX-License-Identifier: MIT */
/* How the moments of the sampled Gaussian decay off the real line. For 0 < a < pi s and t >= 0 the
 * integral may be taken along Im y = a, or -a with the conjugate, so
 *     |G(p +- it)| <= H_a(t) = e^(a^2/2) integral of phi(y) |r(y+ia)|^p e^(-t arg r(y+ia)) dy,
 * which falls with t as arg r > 0 there. Its integrand is e^(a^2/2) phi(y) r(y+ia)^((p+it)/2)
 * r(y-ia)^((p-it)/2), analytic for |Im y| < pi s - a. On Im y = +-b, 0 < b <= a, a + b < pi s, its
 * modulus is e^((a^2+b^2)/2) phi |r(y+i(a+b)) r(y+i(a-b))|^(p/2) times e^(-t/2) to the sum of both
 * arguments, which are >= 0 because a >= b (for b > a the second is not, and this fails); so the
 * rule of step h misses at most 2 e^((a^2+b^2)/2) C' G(p) / (e^(2 pi b/h) - 1), C' = 1 for p >= 0,
 * (cos((a+b)/2s) cos((a-b)/2s))^(p/2) for p < 0. */
#include <math.h>

#include "loss/sampled_gaussian_fixed.h"
#include "num/ival.h"

#define BOUND_BITS 64
#define SUM_BITS 80
#define FIXED_BITS 64    /* of a sum in fixed point */
#define MOST_NODES 20000 /* of a bound: nothing interrupts it */

/* most >= what the rule misses, over G(p) */
static void missed(mpfr_t most, const sgm_work *w, double a, double b)
{
    mpfi_t x, part;
    mpfi_init2(x, BOUND_BITS);
    mpfi_init2(part, BOUND_BITS);
    mpfi_set_ui(x, 0);
    if (!mpfi_is_nonneg(w->power)) {
        mpfi_mul_d(part, w->inverse, (a + b) / 2); /* exact: 21 bits and more */
        mpfi_mul_ui(part, part, w->g->group);
        mpfi_cos(part, part);
        mpfi_mul_d(x, w->inverse, (a - b) / 2);
        mpfi_mul_ui(x, x, w->g->group);
        mpfi_cos(x, x);
        mpfi_mul(x, x, part);
        mpfi_log(x, x);
        mpfi_mul(x, x, w->power);
    }
    mpfi_set_d(part, a);
    mpfi_sqr(part, part);
    mpfi_add(x, x, part);
    mpfi_set_d(part, b);
    mpfi_sqr(part, part);
    mpfi_add(x, x, part);
    mpfi_div_2ui(x, x, 1);
    mpfi_exp(x, x);
    mpfi_mul_2ui(x, x, 1);
    mpfi_const_pi(part);
    mpfi_mul_2ui(part, part, 1);
    mpfi_mul_d(part, part, b);
    mpfi_div_d(part, part, w->plan->h);
    mpfi_expm1(part, part);
    mpfi_div(x, x, part);
    mpfr_set(most, &x->right, MPFR_RNDU);
    if (ival_bad(x))
        mpfr_set_inf(most, 1);
    mpfi_clear(part);
    mpfi_clear(x);
}

/* Is 0 < b <= a and a + b < pi s / k? */
static bool is_inside(const sgm_item *g, double a, double b)
{
    MPFR_DECL_INIT(edge, BOUND_BITS);
    mpfr_const_pi(edge, MPFR_RNDD);
    mpfr_mul_q(edge, edge, g->sigma, MPFR_RNDD);
    mpfr_div_ui(edge, edge, g->group, MPFR_RNDD);
    mpfr_sub_d(edge, edge, a, MPFR_RNDD);
    return b > 0 && b <= a && mpfr_cmp_d(edge, b) > 0;
}

/* sum >= that of phi sqrt(2 pi) |r|^p e^(-t arg r) over all nodes, e^(a^2/2) with it. */
static void add_nodes(mpfr_t sum, sgm_work *w, mpfr_srcptr t)
{
    MPFR_DECL_INIT(edge, BOUND_BITS);
    const sgm_plan *plan = w->plan;
    mpfi_t x;
    mpfi_init2(x, SUM_BITS);
    mpfr_set_ui(sum, 0, MPFR_RNDU);
    bool fixed = sgm_fixed_sum(x, w->g, plan, w->power, t, FIXED_BITS);
    if (fixed)
        mpfr_set(sum, &x->right, MPFR_RNDU);
    for (int64_t j = plan->first; !fixed && j <= plan->last; j++) {
        j = sgm_next_node(plan, j);
        sgm_ratio(w, j, true);
        sgm_weight(w);
        mpfi_mul_fr(w->arg, w->arg, t);
        mpfr_sub(&x->right, &w->l->right, &w->arg->left, MPFR_RNDU);
        mpfr_exp(&x->right, &x->right, MPFR_RNDU);
        mpfr_add(sum, sum, &x->right, MPFR_RNDU);
    }
    mpfi_set_d(x, plan->shift);
    mpfi_sqr(x, x);
    mpfi_div_2ui(x, x, 1);
    mpfi_exp(x, x);
    mpfr_mul(sum, sum, &x->right, MPFR_RNDU);
    sgm_cut(edge, w);
    mpfr_add(sum, sum, edge, MPFR_RNDU);
    mpfi_clear(x);
}

/* low <= -ln(H_a(t) / G(p)), log = ln G(p) */
static void by_angle(mpfr_t low, const sgm_item *g, const sgm_plan *plan, const mpfi_t power,
                     const mpfi_t log, mpfr_srcptr t)
{
    sgm_work w;
    mpfr_t sum;
    MPFR_DECL_INIT(most, BOUND_BITS);
    mpfr_prec_t bits = SUM_BITS + (mpfr_prec_t)fmin(64, fmax(0, (double)mpfr_get_exp(t)));
    mpfr_set_ui(low, 0, MPFR_RNDD);
    if (!sgm_work_init(&w, g, plan, bits + 16))
        return;
    mpfi_set(w.power, power);
    mpfr_init2(sum, SUM_BITS);
    add_nodes(sum, &w, t);
    mpfr_mul_d(sum, sum, plan->h, MPFR_RNDU);
    mpfi_const_pi(w.part);
    mpfi_mul_2ui(w.part, w.part, 1);
    mpfi_sqrt(w.part, w.part);
    mpfr_div(sum, sum, &w.part->left, MPFR_RNDU);
    mpfi_exp(w.part, log);
    mpfr_div(sum, sum, &w.part->left, MPFR_RNDU);
    missed(most, &w, plan->shift, plan->edge);
    mpfr_add(sum, sum, most, MPFR_RNDU);
    mpfr_log(sum, sum, MPFR_RNDU);
    mpfr_neg(low, sum, MPFR_RNDD);
    if (!mpfr_number_p(low) || mpfr_sgn(low) < 0)
        mpfr_set_ui(low, 0, MPFR_RNDD);
    mpfr_clear(sum);
    sgm_work_clear(&w);
}

static void item_decay(mpfr_t low, const sgm_item *g, double c, mpfr_srcptr t)
{
    int best;
    double p = g->add ? -c : 1 + c, b = 0;
    mpfr_set_ui(low, 0, MPFR_RNDD);
    if (!(sgm_near_decay(&best, g, p, mpfr_get_d(t, MPFR_RNDN)) > 0))
        return;
    sgm_plan plan = {.power = p, .shift = sgm_angle(g, best)};
    plan.h = sgm_decay_step(&b, g, p, plan.shift);
    plan.edge = b;
    if (!is_inside(g, plan.shift, b) || !sgm_plan_range(&plan, g, sgm_decay_depth(g)) ||
        plan.count > MOST_NODES)
        return;
    MPFR_DECL_INIT(exact, 53);
    mpfi_t power, log;
    mpfi_init2(power, SUM_BITS + 64);
    mpfi_init2(log, SUM_BITS + 64);
    mpfr_set_d(exact, c, MPFR_RNDN);
    sgm_power(power, g, exact);
    if (sgm_log_line(log, g, c, 48 + (mpfr_prec_t)mpz_sizeinbase(g->times, 2), NULL))
        by_angle(low, g, &plan, power, log, t);
    mpfi_clear(log);
    mpfi_clear(power);
}

void sgm_decay(mpfr_t low, const void *self, double c, mpfr_srcptr t)
{
    const sgm *l = self;
    mpfr_t one, times;
    mpfr_init2(one, BOUND_BITS);
    mpfr_init2(times, BOUND_BITS);
    mpfr_set_ui(low, 0, MPFR_RNDD);
    for (size_t i = 0; mpfr_sgn(t) > 0 && i < l->items; i++) {
        item_decay(one, &l->item[i], c, t);
        mpfr_set_z(times, l->item[i].times, MPFR_RNDD);
        mpfr_mul(one, one, times, MPFR_RNDD);
        mpfr_add(low, low, one, MPFR_RNDD);
    }
    mpfr_clear(times);
    mpfr_clear(one);
}

double sgm_decay_guess(const void *self, double c, double t)
{
    const sgm *l = self;
    double sum = 0;
    int best;
    for (size_t i = 0; i < l->items; i++) {
        const sgm_item *g = &l->item[i];
        sum += g->count * fmax(0, sgm_near_decay(&best, g, g->add ? -c : 1 + c, t));
    }
    return sum;
}
