/* SPDX-License-Identifier: MIT */
/* The p-value of a rectangle: the least alpha whose corner lies above the trade-off curve. */
#include "attack/audit.h"

#include <math.h>

#include "attack/advantage.h"
#include "attack/audit_side.h"
#include "attack/binomial_guess.h"
#include "attack/root.h"
#include "num/ival.h"
#include "num/number.h"

/* The rectangle of alpha has its corner above F where, at some x, Pr[TP or more | F(x)] <= s alpha
 * and Pr[FP or fewer | x] <= (1-s) alpha: the first grows with x, the other falls, so the least
 * alpha is where the two, over their shares, are equal; at every x it lies between them. */
typedef struct crossing {
    audit_side side;
    double log_share[2];
} crossing;

static double gap(const void *in, double w)
{
    const crossing *c = in;
    double log_tail[2];
    guess_point(log_tail, NULL, NULL, &c->side, w);
    return log_tail[0] - c->log_share[0] - log_tail[1] + c->log_share[1];
}

#define LOWEST -700.0

/* The side on which they cross, and about where. */
static double find_crossing(crossing *c)
{
    if (gap(c, 0) < 0) {
        double swap = c->log_share[0];
        c->log_share[0] = c->log_share[1];
        c->log_share[1] = swap;
        c->side = audit_mirrored(&c->side);
    }
    if (gap(c, 0) <= 0)
        return 0;
    return gap(c, LOWEST) >= 0 ? LOWEST : root_guess(gap, c, LOWEST, 0);
}

/* The shares are rationals or equal. */
typedef struct crossing_at {
    const crossing *of;
    const share *odds;
    mpq_srcptr part[2]; /* s and 1 - s, or NULL */
} crossing_at;

/* tail = Pr[hits or more of n], over its share; slope is about the derivative of its logarithm by
 * the logit of p. */
static void tail_at(mpfi_t tail, mpfr_t slope, unsigned long hits, unsigned long n, const share *p,
                    mpq_srcptr part)
{
    share own;
    mpfi_t mass;
    share_init(&own, mpfi_get_prec(tail));
    mpfi_init2(mass, mpfi_get_prec(tail));
    binomial_tail(&own, mass, hits, n, p);
    mpfi_div(mass, mass, own.yes);
    mpfi_mul(mass, mass, p->no);
    mpfi_mid(slope, mass);
    mpfr_mul_ui(slope, slope, hits, MPFR_RNDN);
    mpfi_set(tail, own.yes);
    if (part != NULL)
        mpfi_div_q(tail, tail, part);
    mpfi_clear(mass);
    share_clear(&own);
}

/* The two tails over their shares at w, and about Newton's step from there to where they cross. */
static void tails_at(mpfi_t first, mpfi_t second, mpfr_t step, const crossing_at *c, const mpfi_t w)
{
    const audit_side *s = &c->of->side;
    unsigned long most = s->members > s->outsiders ? s->members : s->outsiders;
    mpfr_prec_t bits = mpfi_get_prec(first);
    share f, pass;
    mpfr_t rise, other;
    mpfi_t part;
    share_init(&f, binomial_bits(bits, most));
    share_init(&pass, binomial_bits(bits, most));
    mpfr_inits2(bits, rise, other, (mpfr_ptr)0);
    mpfi_init2(part, bits);
    audit_point(&f, &pass, s, c->odds, w);
    tail_at(first, rise, s->caught, s->members, &f, c->part[0]);
    tail_at(second, other, s->passed, s->outsiders, &pass, c->part[1]);
    /* the logits change by (F - delta)/(F (1-F)) and by -1/(1-x) */
    mpfi_sub_q(part, f.yes, s->delta);
    mpfi_div(part, part, f.yes);
    mpfi_div(part, part, f.no);
    mpfr_mul(rise, rise, &part->left, MPFR_RNDN);
    mpfr_div(other, other, &pass.yes->left, MPFR_RNDN);
    mpfr_add(rise, rise, other, MPFR_RNDN);
    mpfi_div(part, second, first);
    mpfi_log(part, part);
    mpfi_mid(step, part);
    mpfr_div(step, step, rise, MPFR_RNDN);
    mpfi_clear(part);
    mpfr_clears(rise, other, (mpfr_ptr)0);
    share_clear(&pass);
    share_clear(&f);
}

/* epsilon as odds, at so many bits that tails of n trials keep theirs */
static void claim_odds(share *odds, const audit_in *in)
{
    mpfi_t e;
    mpfi_init2(e, mpfi_get_prec(odds->yes) + 64);
    ival_set_number(e, in->claim);
    share_logistic(odds, e);
    mpfi_clear(e);
}

/* Is the width at most 2^-bits of it? */
static bool narrow(const mpfi_t x, mpfr_prec_t bits)
{
    mpfr_t wide;
    mpfr_init2(wide, 32);
    mpfr_sub(wide, &x->right, &x->left, MPFR_RNDU);
    bool is = mpfr_zero_p(wide) ||
              (mpfr_number_p(wide) && mpfr_get_exp(wide) < mpfr_get_exp(&x->right) - bits);
    mpfr_clear(wide);
    return is;
}

#define SPARE_BITS 24
#define MOST_STEPS 12 /* each doubles the digits of the guess */

/* alpha, of what the tails over their shares are equal to; by sidak 1 - (1 - t)^2 */
static void level_of(mpfi_t t, const audit_in *in)
{
    ival_clamp_ui(t, 0, 1);
    if (in->sidak) {
        mpfi_t rest;
        mpfi_init2(rest, mpfi_get_prec(t));
        mpfi_ui_sub(rest, 2, t);
        mpfi_mul(t, t, rest);
        mpfi_clear(rest);
        ival_clamp_ui(t, 0, 1);
    }
}

/* Both tails enclose what they cross at, from either side; w > 0 is on the other side of F. */
static void enclose_crossing(mpfi_t out, const audit_in *in, const crossing_at *at, double guess)
{
    mpfr_prec_t bits = mpfi_get_prec(out), enough = bits - SPARE_BITS;
    mpfi_t w, first, second;
    mpfr_t step;
    mpfi_init2(w, bits);
    mpfi_init2(first, bits);
    mpfi_init2(second, bits);
    mpfr_init2(step, bits);
    mpfi_set_d(w, guess);
    mpfr_set_zero(&out->left, 1);
    mpfr_set_inf(&out->right, 1);
    for (int i = 0; i < MOST_STEPS && !narrow(out, enough); i++) {
        tails_at(first, second, step, at, w);
        mpfi_union(first, first, second);
        mpfi_intersect(out, out, first);
        if (mpfr_cmp_ui(&out->left, 1) >= 0)
            break;
        if (!mpfr_number_p(step) || mpfr_zero_p(step))
            break;
        mpfi_add_fr(w, w, step);
        mpfi_mid(&w->left, w);
        if (mpfr_sgn(&w->left) > 0)
            mpfr_set_zero(&w->left, 1);
        mpfr_set(&w->right, &w->left, MPFR_RNDN);
    }
    level_of(out, in);
    mpfr_clear(step);
    mpfi_clear(second);
    mpfi_clear(first);
    mpfi_clear(w);
}

/* The rates say nothing: all of alpha may be on one side. */
static bool is_idle(const audit_in *in)
{
    return in->hits == 0 || in->alarms == in->outsiders || mpq_cmp_ui(in->delta, 1, 1) >= 0;
}

dp_status audit_rectangle_p(dp_figure *out, const void *in, const wanted *want)
{
    const audit_in *a = in;
    if (is_idle(a)) {
        figure_set_ui(&out[0], 1);
        return DP_OK;
    }
    mpq_t part[2];
    for (int i = 0; i < 2; i++) {
        mpq_init(part[i]);
        mpq_div(part[i], a->part[i], a->alpha);
    }
    crossing c = {.side = audit_first_side(a, ival_guess(a->claim))};
    for (int i = 0; i < 2; i++)
        c.log_share[i] = a->sidak ? 0 : ival_guess_log(part[i]);
    bool first = gap(&c, 0) >= 0;
    double guess = find_crossing(&c);
    share odds;
    share_init(&odds, want->bits + 128);
    claim_odds(&odds, a);
    crossing_at at = {.of = &c, .odds = &odds};
    if (!a->sidak) {
        at.part[0] = part[first ? 0 : 1];
        at.part[1] = part[first ? 1 : 0];
    }
    enclose_crossing(figure_enclose(&out[0], want->bits), a, &at, guess);
    share_clear(&odds);
    mpq_clears(part[0], part[1], NULL);
    return DP_OK;
}

/* ---- mu-GDP: the curve is smooth, F = Phi(mu - z) where x = Phi(-z) ---- */

typedef struct gdp_crossing {
    const audit_in *in;
    double mu, log_share[2];
    mpq_srcptr part[2];
} gdp_crossing;

static double guess_log_phi(double z)
{
    return z < -20 ? -z * z / 2 - log(-z * 2.5066282746310002)
                   : log(erfc(-z / 1.4142135623730951) / 2);
}

static double guess_gdp_tail(unsigned long hits, unsigned long n, double z)
{
    return guess_log_tail((double)hits, (double)n, guess_log_phi(z) - guess_log_phi(-z), NULL);
}

static double gdp_gap(const void *of, double z)
{
    const gdp_crossing *c = of;
    const audit_in *in = c->in;
    double first = guess_gdp_tail(in->hits, in->members, c->mu - z) - c->log_share[0];
    return first - guess_gdp_tail(in->outsiders - in->alarms, in->outsiders, z) + c->log_share[1];
}

static void gdp_tail(mpfi_t tail, unsigned long hits, unsigned long n, const mpfi_t z,
                     mpq_srcptr part)
{
    share p, own;
    mpfi_t back;
    share_init(&p, binomial_bits(mpfi_get_prec(tail), n));
    share_init(&own, mpfi_get_prec(tail));
    mpfi_init2(back, mpfi_get_prec(z));
    mpfi_neg(back, z);
    attacker_phi(p.yes, z);
    attacker_phi(p.no, back);
    binomial_tail(&own, NULL, hits, n, &p);
    mpfi_set(tail, own.yes);
    if (part != NULL)
        mpfi_div_q(tail, tail, part);
    mpfi_clear(back);
    share_clear(&own);
    share_clear(&p);
}

/* Both tails over their shares at the number z. */
static void gdp_tails(mpfi_t first, mpfi_t second, const gdp_crossing *c, const mpfi_t z)
{
    const audit_in *in = c->in;
    mpfi_t at;
    mpfi_init2(at, mpfi_get_prec(first) + 64);
    mpfi_ui_sub(at, 0, z);
    mpfi_add_q(at, at, number_rational(in->claim));
    gdp_tail(first, in->hits, in->members, at, c->part[0]);
    mpfi_set(at, z);
    gdp_tail(second, in->outsiders - in->alarms, in->outsiders, at, c->part[1]);
    mpfi_clear(at);
}

static void gdp_difference(mpfi_t out, const mpfi_t z, const void *of)
{
    mpfi_t first;
    mpfi_init2(first, mpfi_get_prec(out));
    gdp_tails(first, out, of, z);
    mpfi_div(out, first, out);
    mpfi_log(out, out);
    mpfi_clear(first);
}

#define FAR 1e3
#define MOST_MU 1e6

dp_status audit_gdp_p(dp_figure *out, const void *in, const wanted *want)
{
    const audit_in *a = in;
    if (a->hits == 0 || a->alarms == a->outsiders) {
        figure_set_ui(&out[0], 1);
        return DP_OK;
    }
    gdp_crossing c = {.in = a, .mu = ival_guess(a->claim)};
    mpq_t part[2];
    for (int i = 0; i < 2; i++) {
        mpq_init(part[i]);
        mpq_div(part[i], a->part[i], a->alpha);
        c.part[i] = a->sidak ? NULL : part[i];
        c.log_share[i] = a->sidak ? 0 : ival_guess_log(part[i]);
    }
    mpfi_ptr p = figure_enclose(&out[0], want->bits);
    mpfi_t z, first;
    mpfi_init2(z, root_bits(want->bits));
    mpfi_init2(first, want->bits);
    if (c.mu < MOST_MU) {
        double guess = root_guess(gdp_gap, &c, -FAR, c.mu + FAR);
        root_enclose(z, gdp_difference, &c,
                     &(root_start){.near = guess, .error = 1e-9, .falls = true});
    } else { /* both tails are next to 1 there, and over their shares above it */
        mpfi_set_d(z, FAR);
    }
    mpfi_mid(&z->left, z); /* at any number the least alpha is between the two */
    mpfr_set(&z->right, &z->left, MPFR_RNDN);
    gdp_tails(first, p, &c, z);
    mpfi_union(p, p, first);
    level_of(p, a);
    mpfi_clear(first);
    mpfi_clear(z);
    mpq_clears(part[0], part[1], NULL);
    return DP_OK;
}
