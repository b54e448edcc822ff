/* SPDX-License-Identifier: MIT */
/* The p-value of a rectangle: the least alpha whose corner lies above the trade-off curve. */
#include "attack/audit.h"

#include <math.h>

#include "attack/audit_side.h"
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
    if (in->sidak) { /* 1 - (1 - t)^2 */
        mpfi_ui_sub(second, 2, out);
        mpfi_mul(out, out, second);
    }
    ival_clamp_ui(out, 0, 1);
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
