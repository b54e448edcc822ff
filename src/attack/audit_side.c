/* SPDX-License-Identifier: MIT */
/* Error probabilities, and points of a trade-off curve, without cancellation at any epsilon. */
#include "attack/audit_side.h"

#include <math.h>

#include "attack/binomial_guess.h"

void audit_level(share *a, const audit_in *in)
{
    share_set_q(a, in->alpha);
}

/* 1 - sqrt(1-a) = a/(1 + sqrt(1-a)) */
void audit_part(share *a, const audit_in *in, int which)
{
    if (!in->sidak) {
        share_set_q(a, in->part[which]);
        return;
    }
    share_set_q(a, in->alpha);
    mpfi_sqrt(a->no, a->no);
    mpfi_t one;
    mpfi_init2(one, mpfi_get_prec(a->no));
    mpfi_add_ui(one, a->no, 1);
    mpfi_div(a->yes, a->yes, one);
    mpfi_clear(one);
}

/* The square root of 1 - a, a fraction in lowest terms, is rational where both of its parts are
 * squares. */
bool audit_part_q(mpq_t a, const audit_in *in, int which)
{
    mpq_set(a, in->sidak ? in->alpha : in->part[which]);
    if (!in->sidak)
        return true;
    mpz_sub(mpq_numref(a), mpq_denref(a), mpq_numref(a));
    if (!mpz_perfect_square_p(mpq_numref(a)) || !mpz_perfect_square_p(mpq_denref(a)))
        return false;
    mpz_sqrt(mpq_numref(a), mpq_numref(a));
    mpz_sqrt(mpq_denref(a), mpq_denref(a));
    mpz_sub(mpq_numref(a), mpq_denref(a), mpq_numref(a));
    return true;
}

bool audit_is_idle(const audit_in *in)
{
    return in->hits == 0 || in->alarms == in->outsiders || mpq_cmp_ui(in->delta, 1, 1) >= 0;
}

audit_side audit_first_side(const audit_in *in, double epsilon)
{
    return (audit_side){.caught = in->hits,
                        .members = in->members,
                        .passed = in->outsiders - in->alarms,
                        .outsiders = in->outsiders,
                        .delta = in->delta,
                        .epsilon = epsilon,
                        .less = mpq_get_d(in->delta)};
}

audit_side audit_mirrored(const audit_side *s)
{
    audit_side other = *s;
    other.caught = s->passed;
    other.members = s->outsiders;
    other.passed = s->caught;
    other.outsiders = s->members;
    other.more_caught = s->more_passed;
    other.more_passed = s->more_caught;
    return other;
}

/* F = (1-d) e^w E/(1+E) + d and 1 - F = (1-d)(1 - e^w + e^w/(1+E)); x = (1-d) e^w/(1+E) */
void audit_point(share *f, share *pass, const audit_side *s, const share *odds, const mpfi_t w)
{
    mpfr_prec_t bits = mpfi_get_prec(f->yes);
    mpq_t rest;
    mpfi_t part, power;
    mpq_init(rest);
    mpfi_init2(part, bits);
    mpfi_init2(power, bits);
    mpq_set_ui(rest, 1, 1);
    mpq_sub(rest, rest, s->delta);
    mpfi_expm1(part, w);
    mpfi_neg(part, part);
    mpfi_exp(power, w);
    mpfi_mul(pass->no, power, odds->no);
    mpfi_add(f->no, part, pass->no);
    mpfi_mul_q(f->no, f->no, rest);
    mpfi_mul_q(pass->no, pass->no, rest);
    mpfi_ui_sub(pass->yes, 1, pass->no);
    mpfi_mul(f->yes, power, odds->yes);
    mpfi_mul_q(f->yes, f->yes, rest);
    mpfi_add_q(f->yes, f->yes, s->delta);
    mpfi_clear(power);
    mpfi_clear(part);
    mpq_clear(rest);
}

/* The derivative of the slope by the logit x: T' = k (n choose k) p^k (1-p)^(n-k+1), whose own
 * logarithm has the derivative k - (n+1) p. */
static double bend(double slope, double k, double n, double p)
{
    return slope * (k - (n + 1) * p - slope);
}

void guess_point(double log_tail[2], double *slope, double *curve, const audit_side *s, double w)
{
    double small = 1 / (1 + exp(s->epsilon)), large = 1 / (1 + exp(-s->epsilon));
    double power = exp(w), grow[2];
    double f = (1 - s->less) * power * large + s->less;
    double rest = (1 - s->less) * (-expm1(w) + power * small);
    double x = (1 - s->less) * power * small;
    double caught = (double)s->caught + s->more_caught, members = (double)s->members;
    double passed = (double)s->passed + s->more_passed, outsiders = (double)s->outsiders;
    log_tail[0] = guess_log_tail(caught, members, log(f / rest), &grow[0]);
    log_tail[1] = guess_log_tail(passed, outsiders, log((1 - x) / x), &grow[1]);
    double rise = (f - s->less) / (f * rest), fall = -1 / (1 - x); /* of the logits, by w */
    if (slope != NULL)
        *slope = grow[0] * rise + grow[1] * fall;
    if (curve != NULL)
        *curve = bend(grow[0], caught, members, f) * rise * rise +
                 grow[0] * rise * (1 - rise * (rest - f)) +
                 bend(grow[1], passed, outsiders, 1 - x) * fall * fall - grow[1] * x * fall * fall;
}
