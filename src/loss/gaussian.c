/* SPDX-License-Identifier: MIT */
/* The privacy profile of the Gaussian mechanism and its inverse, without cancellation at any
 * magnitude. */
#include "loss/gaussian.h"

#include "num/ival.h"

static void density(mpfi_t out, const mpfi_t x)
{
    mpfi_t root;
    mpfi_init2(root, mpfi_get_prec(out));
    mpfi_const_pi(root);
    mpfi_mul_2ui(root, root, 1);
    mpfi_sqrt(root, root);
    mpfi_sqr(out, x);
    mpfi_div_2ui(out, out, 1);
    mpfi_neg(out, out);
    mpfi_exp(out, out);
    mpfi_div(out, out, root);
    mpfi_clear(root);
}

/* Phi(x) */
static void cdf(mpfi_t out, const mpfi_t x)
{
    mpfi_t y;
    mpfi_init2(y, mpfi_get_prec(out));
    mpfi_set_ui(y, 2);
    mpfi_sqrt(y, y);
    mpfi_div(y, x, y);
    mpfi_neg(y, y);
    ival_to_erfc(y);
    mpfi_div_2ui(out, y, 1);
    mpfi_clear(y);
}

/* out = Phi(-t)/phi(t), which decreases. */
static void mills(mpfi_t out, const mpfi_t t)
{
    if (ival_mills(out, t))
        return;
    mpfr_prec_t bits = mpfi_get_prec(out);
    mpfi_t minus;
    mpfi_init2(minus, bits);
    mpfi_neg(minus, t);
    cdf(minus, minus);
    density(out, t);
    mpfi_div(out, minus, out);
    mpfi_clear(minus);
}

/* The profile at x = mu (mu/2 - a), and |d/da of it|: Phi(a) - phi(a) mills(mu - a), for
 * e^x phi(mu - a) = phi(a), and mu phi(a) mills(mu - a). No e^x is formed. */
static void profile_at(mpfi_t out, mpfi_t slope, const mpfi_t mu, const mpfi_t a)
{
    mpfr_prec_t bits = mpfi_get_prec(out);
    mpfi_t far, height, near;
    mpfi_init2(far, bits);
    mpfi_init2(height, bits);
    mpfi_init2(near, bits);
    mpfi_sub(far, mu, a);
    mills(far, far);
    density(height, a);
    if (mpfr_sgn(&a->right) < 0) {
        mpfi_neg(near, a);
        mills(near, near);
        mpfi_sub(out, near, far);
        mpfi_mul(out, out, height);
    } else {
        cdf(near, a);
        mpfi_mul(out, height, far);
        mpfi_sub(out, near, out);
    }
    ival_clamp_ui(out, 0, 1);
    if (slope != NULL) {
        mpfi_mul(slope, far, height);
        mpfi_mul(slope, slope, mu);
    }
    mpfi_clear(near);
    mpfi_clear(height);
    mpfi_clear(far);
}

void gaussian_profile(mpfi_t out, const mpfi_t mu, const mpfi_t x)
{
    mpfi_t a, part;
    mpfi_init2(a, mpfi_get_prec(out));
    mpfi_init2(part, mpfi_get_prec(out));
    mpfi_div(part, x, mu);
    mpfi_div_2ui(a, mu, 1);
    mpfi_sub(a, a, part);
    profile_at(out, NULL, mu, a);
    mpfi_clear(part);
    mpfi_clear(a);
}

/* s is narrow enough at that many bits, or too small for the exponents there are */
static bool narrow(const mpfi_t s, mpfr_prec_t bits)
{
    if (!mpfr_regular_p(&s->right) || mpfr_get_exp(&s->right) < mpfr_get_emin() / 2)
        return true;
    MPFR_DECL_INIT(width, 32);
    mpfr_sub(width, &s->right, &s->left, MPFR_RNDU);
    return mpfr_zero_p(width) || mpfr_get_exp(width) <= mpfr_get_exp(&s->right) - bits;
}

/* Bits that the difference may lose beyond those that are asked for; what is lost beyond that is
 * lost, and the enclosure is wide. */
#define MOST_LOST 16384

/* s(x) and about -ds/dx = e^x Phi(-mu/2 - x/mu) at one number x >= 0. About log2(2 + x/mu^2 +
 * 1.3/mu) bits cancel, and the exponent x^2/(2 mu^2) costs as many as it is long. */
static void profile_right(mpfi_t s, mpfr_t slope, const mpq_t mu_squared, mpfr_srcptr x)
{
    mpfr_prec_t bits = mpfi_get_prec(s);
    for (mpfr_prec_t extra = 64;; extra *= 2) {
        mpfr_prec_t work = bits + extra;
        mpfi_t mu, point, a, fall, value;
        mpfi_t *all[] = {&mu, &point, &a, &fall, &value};
        for (size_t i = 0; i < 5; i++)
            mpfi_init2(*all[i], work);
        mpfi_set_q(mu, mu_squared);
        mpfi_sqrt(mu, mu);
        mpfi_set_fr(point, x);
        mpfi_div(point, point, mu);
        mpfi_div_2ui(a, mu, 1);
        mpfi_sub(a, a, point);
        profile_at(value, fall, mu, a);
        bool done = narrow(value, bits) || extra >= MOST_LOST;
        mpfi_div(fall, fall, mu);
        mpfi_get_fr(slope, fall);
        mpfi_set(s, value);
        for (size_t i = 0; i < 5; i++)
            mpfi_clear(*all[i]);
        if (done)
            break;
    }
    if (ival_bad(s))
        mpfi_interv_si(s, 0, 1);
}

/* The law is symmetric: s(x) = 1 - e^x + e^x s(-x), two terms >= 0 for x < 0. */
static void profile_left(mpfi_t s, mpfr_t slope, const mpq_t mu_squared, mpfr_srcptr x)
{
    mpfi_t e, rest;
    mpfr_t minus;
    mpfi_init2(e, mpfi_get_prec(s));
    mpfi_init2(rest, mpfi_get_prec(s));
    mpfr_init2(minus, mpfr_get_prec(x));
    mpfr_neg(minus, x, MPFR_RNDN);
    profile_right(s, slope, mu_squared, minus);
    mpfi_set_fr(e, x);
    mpfi_expm1(rest, e);
    mpfi_exp(e, e);
    mpfr_sub_ui(slope, slope, 1, MPFR_RNDN); /* e^x (1 - s(-x) - slope(-x)) */
    mpfr_add(slope, slope, &s->right, MPFR_RNDN);
    mpfr_mul(slope, slope, &e->right, MPFR_RNDN);
    mpfr_neg(slope, slope, MPFR_RNDN);
    mpfi_mul(s, s, e);
    mpfi_sub(s, s, rest);
    ival_clamp_ui(s, 0, 1);
    mpfr_clear(minus);
    mpfi_clear(rest);
    mpfi_clear(e);
}

void gaussian_profile_at(mpfi_t s, mpfr_t slope, const mpq_t mu_squared, mpfr_srcptr x)
{
    (mpfr_sgn(x) < 0 ? profile_left : profile_right)(s, slope, mu_squared, x);
}

#define NEWTON_STEPS 200

/* a + (goal - ln delta(a)) / (ln delta)'(a): from the left of the root the steps stay there, for ln
 * delta is concave. Middles of enclosures only choose. */
static bool newton(mpfr_t a, const mpfi_t mu, const mpfi_t goal)
{
    mpfr_prec_t bits = mpfr_get_prec(a);
    mpfi_t at, value, slope;
    mpfi_init2(at, bits);
    mpfi_init2(value, bits);
    mpfi_init2(slope, bits);
    mpfi_set_fr(at, a);
    profile_at(value, slope, mu, at);
    mpfi_div(slope, value, slope);
    mpfi_log(value, value);
    mpfi_sub(value, goal, value);
    mpfi_mul(value, value, slope);
    mpfr_t step;
    mpfr_init2(step, bits);
    mpfi_mid(step, value);
    bool moved = mpfr_number_p(step) != 0 && mpfr_sgn(step) != 0;
    if (moved) {
        mpfr_add(a, a, step, MPFR_RNDN);
        moved = mpfr_get_exp(step) > -(mpfr_exp_t)(bits / 2);
    }
    mpfr_clear(step);
    mpfi_clear(slope);
    mpfi_clear(value);
    mpfi_clear(at);
    return moved;
}

/* True when the profile is proved to be at most (at least) delta at a. */
static bool is_beyond(const mpfr_t a, const mpfi_t mu, const mpq_t delta, dp_end end,
                      mpfr_prec_t bits)
{
    mpfi_t at, value;
    mpfi_init2(at, bits);
    mpfi_init2(value, bits);
    mpfi_set_fr(at, a);
    profile_at(value, NULL, mu, at);
    bool holds = end == DP_UPPER ? mpfr_cmp_q(&value->left, delta) >= 0
                                 : mpfr_cmp_q(&value->right, delta) <= 0;
    mpfi_clear(value);
    mpfi_clear(at);
    return holds;
}

/* Widens [a, a] until the root is proved to lie in it, on the left no further than `least`, which
 * is known to lie left of the root. */
static void certify(mpfi_t out, const mpfr_t a, const mpfr_t least, const mpfi_t mu,
                    const mpq_t delta)
{
    mpfr_prec_t bits = mpfi_get_prec(out);
    mpfr_exp_t unit = (mpfr_zero_p(a) || mpfr_get_exp(a) < 0 ? 0 : mpfr_get_exp(a)) - bits;
    mpfr_t width;
    mpfr_init2(width, bits);
    bool left = false, right = false;
    for (mpfr_exp_t shift = 8; shift < bits + 64 && !(left && right); shift += 1 + shift / 8) {
        mpfr_set_ui_2exp(width, 1, unit + shift, MPFR_RNDU);
        if (!left) {
            mpfr_sub(&out->left, a, width, MPFR_RNDD);
            left = is_beyond(&out->left, mu, delta, DP_LOWER, bits);
        }
        if (!right) {
            mpfr_add(&out->right, a, width, MPFR_RNDU);
            right = is_beyond(&out->right, mu, delta, DP_UPPER, bits);
        }
    }
    if (!left)
        mpfr_set(&out->left, least, MPFR_RNDD);
    if (!right)
        mpfr_set_inf(&out->right, 1);
    mpfr_clear(width);
}

/* Is the profile proved to be at most delta from x = 0 on? */
static bool is_met_at_zero(const mpfi_t mu, const mpq_t delta, mpfr_prec_t bits)
{
    mpfi_t zero, most;
    mpfi_init2(zero, bits);
    mpfi_init2(most, bits);
    mpfi_set_ui(zero, 0);
    gaussian_profile(most, mu, zero);
    bool met = mpfr_cmp_q(&most->right, delta) <= 0;
    mpfi_clear(most);
    mpfi_clear(zero);
    return met;
}

/* Of a large mu the a of mu (mu/2 - a) hardly counts: it is at least -sqrt(2 ln(1/delta)), and for
 * t = -ln(1 - sqrt(delta)) at most sqrt(2t) + t/mu, as the loss, normal of mean mu^2/2 and
 * deviation mu, exceeds mu (mu/2 - sqrt(2t)) with probability of at least 1 - e^-t, and (1 -
 * e^-t)^2 = delta. False: more is to be known of it. */
static bool is_large(mpfi_t out, const mpfi_t mu, const mpq_t delta)
{
    mpfr_prec_t bits = mpfi_get_prec(out);
    if (!mpfr_regular_p(&mu->left) || mpfr_sgn(&mu->left) < 0 || mpfr_get_exp(&mu->left) <= bits)
        return false;
    mpfi_t t, part;
    mpfi_init2(t, bits);
    mpfi_init2(part, bits);
    mpfi_set_q(t, delta);
    mpfi_sqrt(t, t);
    mpfi_ui_sub(t, 1, t);
    mpfi_log(t, t);
    mpfi_neg(t, t);
    mpfi_div(part, t, mu);
    mpfi_mul_2ui(t, t, 1);
    mpfi_sqrt(t, t);
    mpfi_add(t, t, part);
    ival_log_q(part, delta);
    mpfi_mul_si(part, part, -2);
    mpfi_sqrt(part, part);
    mpfr_neg(&t->left, &part->right, MPFR_RNDD);
    mpfi_div_2ui(part, mu, 1);
    mpfi_sub(part, part, t);
    mpfi_mul(out, part, mu);
    mpfr_ptr wide = mpfr_cmpabs(&t->left, &t->right) > 0 ? &t->left : &t->right;
    bool large = !ival_bad(out) && mpfr_sgn(&out->left) > 0 && mpfr_regular_p(wide) &&
                 mpfr_get_exp(&mu->left) > bits + mpfr_get_exp(wide);
    mpfi_clear(part);
    mpfi_clear(t);
    return large;
}

void gaussian_epsilon(mpfi_t out, const mpfi_t mu, const mpq_t delta)
{
    mpfr_prec_t bits = mpfi_get_prec(out);
    if (is_large(out, mu, delta))
        return;
    if (is_met_at_zero(mu, delta, bits)) {
        mpfi_set_ui(out, 0);
        return;
    }
    mpfi_t goal, start;
    mpfr_t a;
    mpfi_init2(goal, bits);
    mpfi_init2(start, bits);
    mpfr_init2(a, bits);
    /* Phi(-t) <= e^(-t^2/2): the profile is below delta at a = -sqrt(2 ln(1/delta)) */
    ival_log_q(goal, delta);
    mpfi_mul_si(start, goal, -2);
    mpfi_sqrt(start, start);
    mpfi_neg(start, start);
    mpfr_set(a, &start->left, MPFR_RNDD);
    for (int i = 0; i < NEWTON_STEPS && newton(a, mu, goal); i++)
        ;
    certify(start, a, &start->left, mu, delta);
    /* mu (mu/2 - a) */
    mpfi_div_2ui(out, mu, 1);
    mpfi_sub(out, out, start);
    mpfi_mul(out, out, mu);
    ival_at_least_zero(out);
    mpfr_clear(a);
    mpfi_clear(start);
    mpfi_clear(goal);
}
