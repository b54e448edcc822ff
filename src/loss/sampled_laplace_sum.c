/* SPDX-License-Identifier: MIT */
/* Sums over Laplace noise on a Poisson sample: the rule, its error, and real moments. */
#include <math.h>
#include <stdlib.h>

#include "loss/sampled_laplace_parts.h"
#include "num/fejer.h"
#include "num/ival.h"

#define LN2 0.6931471805599453
#define RHO 4UL /* of the ellipses: R = 17/16, g = 15/16 of a panel */
#define WIDE 17.0 / 16
#define HIGH 15.0 / 16
#define ANGLE 1.0       /* theta at most, about */
#define TURNS 4.0       /* arg r times the height, about */
#define MOST_PANELS 1e5 /* of a rule */
#define BOUND_BITS 64

/* ---- the rule ------------------------------------------------------------------------------- */
/* About ln V of slm_missed, and arg r. */
static double near_log(double *angle, const slm_item *g, double p, double height, double panels)
{
    double l = g->e * (1 + 2 * WIDE / panels), theta = 2 * g->e * HIGH / panels;
    double top = log1p(g->q * expm1(l)), low = log1p(g->q * (exp(-l) * cos(theta) - 1));
    *angle = height * atan2(g->q * sin(theta), (1 - g->q) * exp(-l) + g->q * cos(theta));
    return log(g->e / 2) + g->e * WIDE / panels + fmax(p * top, p * low) + *angle;
}

static void rule_points(slm_rule *rule, unsigned long points, mpfr_prec_t bits)
{
    if (rule->points == points && rule->bits == bits)
        return;
    slm_rule_clear(rule);
    rule->points = points;
    rule->bits = bits;
    for (size_t i = 0; i < points; i++) {
        mpfi_init2(rule->at[i], bits);
        mpfi_init2(rule->weight[i], bits);
    }
    fejer_rule(rule->at, rule->weight, points);
}

/* About ln G(p), or less. */
double slm_near_log(const slm_item *g, double p)
{
    double low = log(0.5) + p * log1p(g->q * expm1(-g->e));
    double high = log(0.5) - g->e + p * log1p(g->q * expm1(g->e));
    return fmax(fmax(low, high), 0);
}

bool slm_rule_set(const slm_item *g, double p, double height, double depth, mpfr_prec_t bits)
{
    double panels = ceil(2 * g->e * HIGH / ANGLE), angle, log_v;
    log_v = near_log(&angle, g, p, height, panels);
    while (angle > TURNS && panels < MOST_PANELS) {
        panels = ceil(panels * fmin(2, angle / TURNS * 1.01));
        log_v = near_log(&angle, g, p, height, panels);
    }
    double points = 2 + ceil(fmax(depth + fmax(log_v, 0) + 1, 2) / log(RHO));
    if (!(points < SLM_POINTS - 1) || !(panels < MOST_PANELS))
        return false;
    g->memo->rule.panels = (unsigned long)panels;
    rule_points(&g->memo->rule, 2 * (unsigned long)ceil(points / 2), bits); /* num/fejer.h */
    return true;
}

void slm_rule_clear(slm_rule *rule)
{
    for (size_t i = 0; rule->bits != 0 && i < rule->points; i++) {
        mpfi_clear(rule->at[i]);
        mpfi_clear(rule->weight[i]);
    }
    rule->bits = 0;
}

/* x = 1 - q + q f e^l; l may be x, f not */
static void ratio(mpfi_t x, const mpfi_t l, const mpfi_t f, const slm_item *g)
{
    mpfi_exp(x, l);
    mpfi_mul(x, x, f);
    mpfi_sub_ui(x, x, 1);
    mpfi_mul_q(x, x, g->rate);
    mpfi_add_ui(x, x, 1);
}

void slm_missed(mpfr_t most, const slm_item *g, const mpfi_t p, mpfr_srcptr height)
{
    const slm_rule *rule = &g->memo->rule;
    mpfi_t e, l, theta, c, s, x, v, one;
    mpfi_ptr all[] = {e, l, theta, c, s, x, v, one};
    for (size_t i = 0; i < 8; i++)
        mpfi_init2(all[i], BOUND_BITS);
    mpfi_set_ui(one, 1);
    mpfi_set_q(e, g->epsilon);
    mpfi_mul_d(theta, e, 2 * HIGH);
    mpfi_div_ui(theta, theta, rule->panels);
    mpfi_mul_d(v, e, WIDE);
    mpfi_div_ui(v, v, rule->panels); /* eR/m */
    mpfi_mul_2ui(l, v, 1);
    mpfi_add(l, l, e);
    mpfi_cos(c, theta);
    mpfi_sin(s, theta);
    ratio(x, l, one, g);
    mpfi_log(x, x);
    mpfi_mul(x, x, p);
    mpfi_add(v, v, x); /* the largest r, or ... */
    mpfi_neg(x, l);
    ratio(x, x, c, g);
    mpfi_log(x, x);
    mpfi_mul(x, x, p);
    mpfi_mul_d(e, e, WIDE);
    mpfi_div_ui(e, e, rule->panels);
    mpfi_add(x, x, e);
    ival_take_most(v, x); /* ... the least, by the sign of p */
    ratio(x, l, c, g);
    mpfi_exp(e, l);
    mpfi_mul(e, e, s);
    mpfi_mul_q(e, e, g->rate);
    mpfi_div(x, e, x);
    mpfi_atan(x, x);
    mpfi_mul_fr(x, x, height);
    mpfi_add(v, v, x);
    mpfi_exp(v, v);
    mpfi_mul_q(v, v, g->epsilon);
    mpfi_mul_2ui(v, v, 1); /* 4 (e/2) */
    mpfi_div_ui(v, v, RHO - 1);
    mpfi_div_2ui(v, v, 2 * (rule->points - 1)); /* RHO^(1-n) */
    bool inside = mpfr_cmp_d(&theta->right, 1.5) < 0;
    mpfr_set(most, &v->right, MPFR_RNDU);
    if (ival_bad(v) || !inside)
        mpfr_set_inf(most, 1);
    for (size_t i = 0; i < 8; i++)
        mpfi_clear(all[i]);
}

/* ---- outcomes ------------------------------------------------------------------------------- */
/* log = ln(1 + q (e^l - 1)) */
static void log_ratio(mpfi_t log, const mpfi_t l, const slm_item *g)
{
    mpfi_expm1(log, l);
    mpfi_mul_q(log, log, g->rate);
    mpfi_log1p(log, log);
}

void slm_atom(mpfi_t log, mpfi_t mass, const slm_item *g, bool upper)
{
    mpfi_t l;
    mpfi_init2(l, mpfi_get_prec(log));
    mpfi_set_q(l, g->epsilon);
    mpfi_neg(mass, l);
    if (upper) {
        mpfi_exp(mass, mass);
    } else {
        mpfi_set(l, mass);
        mpfi_set_ui(mass, 1);
    }
    mpfi_div_2ui(mass, mass, 1);
    log_ratio(log, l, g);
    mpfi_clear(l);
}

/* With u = e^(ex): mass = (e/2) / u, and e^l = e^-e u^2. */
void slm_point(mpfi_t log, mpfi_t mass, const slm_item *g, size_t i)
{
    const slm_rule *rule = &g->memo->rule;
    mpfi_t u, e;
    mpfi_init2(u, mpfi_get_prec(log));
    mpfi_init2(e, mpfi_get_prec(log));
    mpfi_set_q(e, g->epsilon);
    mpfi_add_ui(u, rule->at[i % rule->points], i / rule->points);
    mpfi_div_ui(u, u, rule->panels);
    mpfi_mul(u, u, e);
    mpfi_mul_2ui(log, u, 1);
    mpfi_sub(log, log, e);
    mpfi_exp(u, u);
    mpfi_div(mass, e, u);
    mpfi_div_2ui(mass, mass, 1);
    mpfi_div_ui(mass, mass, rule->panels);
    mpfi_mul(mass, mass, rule->weight[i % rule->points]);
    log_ratio(log, log, g);
    mpfi_clear(e);
    mpfi_clear(u);
}

void slm_power(mpfi_t out, const slm_item *g, mpfr_srcptr z)
{
    mpfi_set_fr(out, z);
    if (g->add)
        mpfi_neg(out, out);
    else
        mpfi_add_ui(out, out, 1);
}

/* ---- real moments --------------------------------------------------------------------------- */
#define MOST_LOST 1024

/* Bits by which K is smaller than 1, about q^2 e^2 z(z+1), and of z. */
static mpfr_prec_t lost_bits(const slm_item *g, mpfr_srcptr z)
{
    MPFR_DECL_INIT(part, 64);
    mpfr_exp_t lost = 2 * (labs((long)ilogb(g->q)) + labs((long)ilogb(g->e)));
    for (unsigned long shift = 0; shift < 2; shift++) {
        mpfr_add_ui(part, z, shift, MPFR_RNDN);
        if (mpfr_regular_p(part))
            lost += labs(mpfr_get_exp(part));
    }
    return lost < MOST_LOST ? lost : MOST_LOST;
}

/* sum += mass r^p */
static void add_term(mpfi_t sum, mpfi_t log, const mpfi_t mass, const mpfi_t p)
{
    mpfi_mul(log, log, p);
    mpfi_exp(log, log);
    mpfi_mul(log, log, mass);
    mpfi_add(sum, sum, log);
}

#define LOOK 64
/* sum encloses G(p); false: no rule is short enough, or time is over. */
static bool real_sum(mpfi_t sum, const slm_item *g, const mpfi_t p, const limits *lim)
{
    mpfr_prec_t bits = mpfi_get_prec(sum);
    double power = mpfi_get_d(p), depth = LN2 * (double)bits - slm_near_log(g, power);
    if (!slm_rule_set(g, power, 0, depth, bits))
        return false;
    mpfi_t log, mass;
    mpfi_init2(log, bits);
    mpfi_init2(mass, bits);
    mpfi_set_ui(sum, 0);
    bool late = false;
    for (size_t i = 0; !late && i < g->memo->rule.panels * g->memo->rule.points; i++) {
        slm_point(log, mass, g, i);
        add_term(sum, log, mass, p);
        late = i % LOOK == LOOK - 1 && lim != NULL && limits_expired(lim);
    }
    MPFR_DECL_INIT(none, 2);
    MPFR_DECL_INIT(most, BOUND_BITS);
    mpfr_set_ui(none, 0, MPFR_RNDN);
    slm_missed(most, g, p, none);
    mpfr_sub(&sum->left, &sum->left, most, MPFR_RNDD);
    mpfr_add(&sum->right, &sum->right, most, MPFR_RNDU);
    for (int upper = 0; upper < 2; upper++) {
        slm_atom(log, mass, g, upper == 1);
        add_term(sum, log, mass, p);
    }
    mpfi_clear(mass);
    mpfi_clear(log);
    return !late && !ival_bad(sum) && mpfr_sgn(&sum->left) > 0;
}

/* The largest loss is l = ln r(e), or -ln r(-e): M(z) <= e^(zl) for z > 0, where K >= 0, and M(z)
 * >= e^(zl) for -1 < z < 0, where K <= 0. */
static void closed_moment(mpfi_t k, const slm_item *g, mpfr_srcptr z)
{
    mpfi_t mass;
    mpfi_init2(mass, mpfi_get_prec(k));
    slm_atom(k, mass, g, !g->add);
    if (g->add)
        mpfi_neg(k, k);
    mpfi_mul_fr(k, k, z);
    if (mpfr_sgn(z) > 0)
        mpfr_set_zero(&k->left, 1);
    else
        mpfr_set_zero(&k->right, 1);
    if (mpfr_cmp_si(z, -1) < 0) /* no such is asked for */
        mpfr_set_inf(&k->right, 1);
    mpfi_clear(mass);
}

#define MOMENT_LOGS 200
#define LATE_MOMENT 1024 /* bits of a sum that is formed all the same */
void slm_moment(mpfi_t k, const slm_item *g, mpfr_srcptr z, const limits *lim)
{
    if (mpfr_zero_p(z) || mpfr_cmp_si(z, -1) == 0) {
        mpfi_set_ui(k, 0);
        return;
    }
    mpfr_prec_t bits = mpfi_get_prec(k) + 32;
    mpfr_prec_t lost = lost_bits(g, z);
    bool time = limits_remain(lim, MOMENT_LOGS, bits + lost);
    if (time)
        bits += lost;
    bits += -bits & 63; /* one rule serves more of them */
    closed_moment(k, g, z);
    mpfi_t p, sum;
    mpfi_init2(p, bits + mpfr_get_prec(z));
    mpfi_init2(sum, bits);
    slm_power(p, g, z);
    if ((time || bits < LATE_MOMENT) && real_sum(sum, g, p, time ? lim : NULL)) {
        mpfi_log(sum, sum);
        mpfr_max(&k->left, &k->left, &sum->left, MPFR_RNDD);
        mpfr_min(&k->right, &k->right, &sum->right, MPFR_RNDU);
    }
    mpfi_clear(sum);
    mpfi_clear(p);
}

#define MEMO_BITS 96
void slm_log_line(mpfi_ptr k, const slm_item *g, double c)
{
    slm_memo *memo = g->memo;
    if (!memo->found || memo->c != c) {
        MPFR_DECL_INIT(z, 53);
        mpfr_set_d(z, c, MPFR_RNDN);
        mpfi_set_prec(memo->log, MEMO_BITS);
        slm_moment(memo->log, g, z, NULL);
        memo->c = c;
        memo->found = true;
    }
    if (k != NULL)
        mpfi_set(k, memo->log);
}
