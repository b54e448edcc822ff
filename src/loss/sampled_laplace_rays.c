/* SPDX-License-Identifier: MIT */
/* Laplace noise on a Poisson sample by its ends, along rays: J of sampled_laplace_ends.c. It is
 *     J(w) = -1/w + integral of e^(wv) (Q^(-3/2) - 1) dv
 * along v = u e^(i(pi/2 - gamma)), gamma = pi/8, in ln u, by the rule of step h. Where gamma is
 * between 0 and pi/4, |e^(wv)| <= e^(-eta u) for the w of a ray, eta = t cos(gamma) - p sin(gamma)
 * at its start p + it, if positive: beyond it, w is the start and rho e^(i pi/4) or rho e^(3i
 * pi/4), whose product with v has no positive real part. So the rule misses (2/eta_0 + 2/eta_1) /
 * (e^(pi^2/4h) - 1) at most, of gamma = 0 and pi/4. As d Q^(-3/2) / dv = -3/2 (K e^v / Q) Q^(-3/2)
 * and |K e^v / Q| <= K, nodes below u are 3/4 K u^2 at most in all, and those beyond it 2 e^(-eta
 * u) / eta where eta u >= 1. All sums of a ray are over e^(u rho), which is a sequence of one index
 * (num/correlate.h). */
#include <math.h>

#include "loss/ends.h"
#include "loss/sampled_laplace_parts.h"
#include "num/correlate.h"
#include "num/ival.h"

#define LN2 0.6931471805599453
#define PI 3.141592653589793
#define BOUND_BITS 64
#define MOST_NODES 100000.0

/* ---- an end ---------------------------------------------------------------------------------- */
void slm_end_init(slm_end *x, const slm_item *g, bool upper, mpfr_prec_t bits)
{
    mpfi_ptr all[] = {x->a, x->b, x->k, x->place};
    for (size_t i = 0; i < 4; i++)
        mpfi_init2(all[i], bits);
    slm_atom(x->place, x->a, g, upper);
    mpfi_set_q(x->k, g->epsilon);
    if (upper)
        mpfi_neg(x->k, x->k);
    mpfi_add(x->k, x->k, x->place);
    mpfi_exp(x->k, x->k);
    mpfi_div_q(x->k, x->k, g->rate);
    if (!g->add) {
        mpfi_exp(x->b, x->place);
        mpfi_mul(x->a, x->a, x->b);
    }
    mpfi_mul(x->b, x->a, x->k); /* A K / 2 */
    mpfi_div_2ui(x->b, x->b, 1);
}

void slm_end_clear(slm_end *x)
{
    mpfi_ptr all[] = {x->a, x->b, x->k, x->place};
    for (size_t i = 0; i < 4; i++)
        mpfi_clear(all[i]);
}

/* w + 1 = 2 + z, or 1 - z, turned to the upper half-plane: its real part at the start of a ray */
double slm_start(const slm_item *g, double c)
{
    return g->add ? 1 - c : 2 + c;
}

/* ---- J ----------------------------------------------------------------------------------------
 */
/* Of the rule: nodes first to last, so that about e^-need is left. */
typedef struct rule {
    long first, last;
    double p, tau, step;
    bool left; /* of the ray of w */
    mpfr_prec_t bits;
} rule;

static double eta_of(const rule *r)
{
    return r->tau * cos(PI / 8) - r->p * sin(PI / 8);
}

static bool rule_set(rule *r, const slm_item *g, const slm_end *x, const ends_ray *at)
{
    *r = (rule){.p = slm_start(g, at->c), .tau = at->tau, .step = at->step};
    r->left = g->add != at->left;
    double size = log2(mpfi_get_d(x->k) * (mpfi_get_d(x->b) + 1)), eta = eta_of(r);
    double need = LN2 * ((double)at->bits + fmax(size, 0) + 4);
    double low = -need / 2, high = log(fmax(1, need + 2) / eta);
    if (!(eta > 0) || !((high - low) / r->step < MOST_NODES) || !isfinite(need))
        return false;
    r->first = (long)floor(low / r->step);
    r->last = (long)ceil(high / r->step);
    r->bits = (mpfr_prec_t)(need / LN2) + 16;
    return true;
}

/* to = e^(n step) */
static void power_of(mpfi_t to, double step, long n)
{
    mpfi_set_d(to, step);
    mpfi_mul_si(to, to, n);
    mpfi_exp(to, to);
}

/* re + i im = e^(i pi eighths / 8) */
static void direction(mpfi_t re, mpfi_t im, unsigned long eighths)
{
    mpfi_const_pi(im);
    mpfi_mul_ui(im, im, eighths);
    mpfi_div_2ui(im, im, 3);
    mpfi_cos(re, im);
    mpfi_sin(im, im);
}

typedef struct weights {
    mpfi_t vr, vi, dr, di, x, theta, a, b, part, other;
} weights;

#define EACH(W)                                                                                    \
    {                                                                                              \
        (W)->vr, (W)->vi, (W)->dr, (W)->di, (W)->x, (W)->theta, (W)->a, (W)->b, (W)->part,         \
            (W)->other                                                                             \
    }

/* x + i theta = ln Q^(-3/2) at v */
static void log_weight(weights *s, const mpfi_t k)
{
    mpfi_neg(s->part, s->vr);
    mpfi_exp(s->part, s->part);
    mpfi_sub_ui(s->other, k, 1);
    mpfi_cos(s->x, s->vi);
    mpfi_mul(s->x, s->x, s->part);
    mpfi_ui_sub(s->x, 1, s->x);
    mpfi_mul(s->x, s->x, s->other);
    mpfi_add_ui(s->x, s->x, 1); /* >= 1 */
    mpfi_sin(s->theta, s->vi);
    mpfi_mul(s->theta, s->theta, s->part);
    mpfi_mul(s->theta, s->theta, s->other);
    mpfi_div(s->part, s->theta, s->x);
    mpfi_sqr(s->x, s->x);
    mpfi_sqr(s->theta, s->theta);
    mpfi_add(s->x, s->x, s->theta);
    mpfi_log(s->x, s->x);
    mpfi_div_2ui(s->x, s->x, 1);
    mpfi_add(s->x, s->x, s->vr);
    mpfi_atan(s->theta, s->part);
    mpfi_add(s->theta, s->theta, s->vi);
    mpfi_mul_si(s->x, s->x, -3);
    mpfi_mul_si(s->theta, s->theta, -3);
    mpfi_div_2ui(s->x, s->x, 1);
    mpfi_div_2ui(s->theta, s->theta, 1);
}

/* out[n] = h v (Q^(-3/2) - 1) e^(wv), w = p + i tau */
static void set_weights(cball *out, const rule *r, const mpfi_t k)
{
    weights s;
    mpfi_ptr all[] = EACH(&s);
    mpfr_prec_t bits = mpfi_get_prec(k);
    cball start;
    cball_init(&start, bits);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        mpfi_init2(all[i], bits);
    direction(s.dr, s.di, 3);
    for (long n = r->first; n <= r->last; n++, out++) {
        power_of(s.part, r->step, n);
        mpfi_mul(s.vr, s.part, s.dr);
        mpfi_mul(s.vi, s.part, s.di);
        log_weight(&s, k);
        mpfi_mul_d(s.a, s.vr, r->p);
        mpfi_mul_d(s.part, s.vi, r->tau);
        mpfi_sub(s.a, s.a, s.part);
        mpfi_mul_d(s.b, s.vi, r->p);
        mpfi_mul_d(s.part, s.vr, r->tau);
        mpfi_add(s.b, s.b, s.part);
        cball_exp(&start, s.a, s.b);
        mpfi_add(s.x, s.x, s.a);
        mpfi_add(s.theta, s.theta, s.b);
        cball_exp(out, s.x, s.theta);
        cball_sub(out, out, &start);
        cball_set_parts(&start, s.vr, s.vi);
        cball_mul(out, out, &start);
        mpfi_set_d(s.part, r->step);
        cball_mul_i(out, out, s.part);
        cball_measure(out);
    }
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        mpfi_clear(all[i]);
    cball_clear(&start);
}

/* out[i] = e^(e^(i step) times the direction of v and of the ray together), i from `first` on */
static void set_waves(cball *out, const rule *r, long first, size_t count)
{
    mpfi_t dr, di, x, y;
    mpfi_ptr all[] = {dr, di, x, y};
    for (size_t i = 0; i < 4; i++)
        mpfi_init2(all[i], r->bits);
    direction(dr, di, r->left ? 9 : 5);
    for (size_t i = 0; i < count; i++) {
        power_of(x, r->step, first + (long)i);
        mpfi_mul(y, x, di);
        mpfi_mul(x, x, dr);
        cball_exp(&out[i], x, y);
    }
    for (size_t i = 0; i < 4; i++)
        mpfi_clear(all[i]);
}

/* out >= what the rule misses of J */
static void set_missed(mpfr_t out, const rule *r, const mpfi_t k)
{
    mpfi_t eta, cosine, sine, part, sum;
    mpfi_ptr all[] = {eta, cosine, sine, part, sum};
    for (size_t i = 0; i < 5; i++)
        mpfi_init2(all[i], BOUND_BITS);
    mpfi_set_d(sum, r->tau);
    mpfi_ui_div(sum, 2, sum); /* 2/eta_0 */
    direction(cosine, sine, 2);
    mpfi_mul_d(eta, cosine, r->tau);
    mpfi_mul_d(part, sine, r->p);
    mpfi_sub(eta, eta, part);
    bool ok = mpfr_sgn(&eta->left) > 0;
    mpfi_ui_div(eta, 2, eta);
    mpfi_add(sum, sum, eta);
    mpfi_const_pi(part);
    mpfi_sqr(part, part);
    mpfi_div_d(part, part, r->step);
    mpfi_div_2ui(part, part, 2);
    mpfi_expm1(part, part);
    mpfi_div(sum, sum, part);
    power_of(part, r->step, r->first);
    mpfi_sqr(part, part);
    mpfi_mul(part, part, k);
    mpfi_mul_ui(part, part, 3);
    mpfi_div_2ui(part, part, 2);
    mpfi_add(sum, sum, part);
    direction(cosine, sine, 1);
    mpfi_mul_d(eta, cosine, r->tau);
    mpfi_mul_d(part, sine, r->p);
    mpfi_sub(eta, eta, part);
    power_of(part, r->step, r->last);
    mpfi_mul(part, part, eta);
    ok = ok && mpfr_sgn(&eta->left) > 0 && mpfr_cmp_ui(&part->left, 1) >= 0;
    mpfi_neg(part, part);
    mpfi_exp(part, part);
    mpfi_mul_2ui(part, part, 1);
    mpfi_div(part, part, eta);
    mpfi_add(sum, sum, part);
    mpfr_set(out, &sum->right, MPFR_RNDU);
    if (!ok || ival_bad(sum))
        mpfr_set_inf(out, 1);
    for (size_t i = 0; i < 5; i++)
        mpfi_clear(all[i]);
}

/* f = A + B J, or A - B J, J with the radius more and -1/w, w = -+z and so on at the point of the
 * ray */
static void finish(cball *f, const slm_item *g, const slm_end *x, bool upper, const ends_ray *at,
                   size_t m, mpfr_srcptr missed)
{
    mpfi_t re, im;
    cball part;
    mpfr_prec_t bits = mpfi_get_prec(x->a);
    mpfi_init2(re, bits);
    mpfi_init2(im, bits);
    cball_init(&part, bits);
    ends_point(re, im, at, m);
    if (g->add)
        mpfi_neg(re, re);
    mpfi_add_ui(re, re, g->add ? 1 : 2);
    cball_set_parts(&part, re, im);
    cball_inv(&part, &part);
    cball_sub(f, f, &part);
    mpfr_add(f->radius, f->radius, missed, MPFR_RNDU);
    mpfr_add(f->size, f->size, missed, MPFR_RNDU);
    cball_mul_i(f, f, x->b);
    cball_set_i(&part, x->a);
    if (upper)
        cball_sub(f, &part, f);
    else
        cball_add(f, &part, f);
    if (g->add)
        mpfr_neg(f->im, f->im, MPFR_RNDN);
    cball_measure(f);
    cball_clear(&part);
    mpfi_clear(im);
    mpfi_clear(re);
}

void slm_nothing(cball *f, size_t count)
{
    for (size_t m = 0; m < count; m++) {
        cball_set_ui(&f[m], 0);
        mpfr_set_inf(f[m].radius, 1);
        mpfr_set_inf(f[m].size, 1);
    }
}

dp_status slm_end_values(cball *f, const slm_item *g, bool upper, const ends_ray *at,
                         mpfr_prec_t bits)
{
    slm_end x;
    rule r;
    MPFR_DECL_INIT(missed, BOUND_BITS);
    slm_end_init(&x, g, upper, bits);
    dp_status status = DP_OK;
    if (!rule_set(&r, g, &x, at)) {
        slm_nothing(f, at->count);
        slm_end_clear(&x);
        return DP_OK;
    }
    size_t count = (size_t)(r.last - r.first + 1), length = count + 2 * (at->count - 1);
    cball *weight = cball_list_new(count, r.bits), *wave = cball_list_new(length, r.bits);
    if (weight == NULL || wave == NULL) {
        status = DP_MEMORY;
    } else {
        set_weights(weight, &r, x.k);
        set_waves(wave, &r, r.first + 2 * at->first, length);
        set_missed(missed, &r, x.k);
        if (!correlate(f, at->count, 2, weight, count, wave, r.bits))
            slm_nothing(f, at->count);
        for (size_t m = 0; m < at->count; m++)
            finish(&f[m], g, &x, upper, at, m, missed);
    }
    cball_list_free(wave, length);
    cball_list_free(weight, count);
    slm_end_clear(&x);
    return status;
}
