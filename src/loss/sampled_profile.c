/* SPDX-License-Identifier: MIT */
/* Profiles of one use on a Poisson sample: a profile of the noise, stretched. */
#include "loss/sampled_profile.h"

#include "num/ival.h"

#define MOST_NEAR 8192 /* bits that an x near 0 is worth */

typedef struct stretch {
    mpfi_t e, k, y; /* E - 1; what decides by its sign which case it is; where the noise is asked */
} stretch;

static void place(stretch *t, const mpq_t q, bool add, mpfr_srcptr x)
{
    mpfi_t rate;
    mpfi_init2(rate, mpfi_get_prec(t->e));
    mpfi_set_q(rate, q);
    mpfi_set_fr(t->e, x);
    mpfi_expm1(t->e, t->e);
    if (add) {
        mpfi_add_ui(t->y, t->e, 1);
        mpfi_mul(t->y, t->y, rate);
        mpfi_sub(t->k, t->y, t->e); /* q E - (E - 1) */
        mpfi_div(t->y, t->y, t->k);
        mpfi_log(t->y, t->y);
    } else {
        mpfi_div(t->y, t->e, rate);
        mpfi_add_ui(t->k, t->y, 1); /* 1 + (E-1)/q */
        mpfi_log1p(t->y, t->y);
    }
    mpfi_clear(rate);
}

/* s and slope from those of the noise at y; t is used up. */
static void stretch_out(mpfi_t s, mpfr_t slope, stretch *t, const mpfi_t d, const mpq_t q, bool add)
{
    if (add) { /* k' = -(1-q) E = k - 1, y' = 1/k */
        mpfi_ui_sub(t->y, 1, t->k);
        mpfi_mul(t->y, t->y, d);
        mpfr_add(slope, slope, &t->y->left, MPFR_RNDN);
        mpfi_mul(s, d, t->k);
    } else { /* q y' = E / k */
        mpfi_mul_q(s, d, q);
        mpfi_add_ui(t->e, t->e, 1);
        mpfi_div(t->e, t->e, t->k);
        mpfr_mul(slope, slope, &t->e->left, MPFR_RNDN);
    }
}

static void at_number(mpfi_t s, mpfr_t slope, const mpq_t q, bool add, base_profile *base,
                      const void *of, mpfr_srcptr x)
{
    mpfr_exp_t near = mpfr_regular_p(x) && mpfr_get_exp(x) < 0 ? -mpfr_get_exp(x) : 0;
    stretch t;
    mpfi_t d;
    mpfi_ptr all[] = {t.e, t.k, t.y};
    for (size_t i = 0; i < 3; i++)
        mpfi_init2(all[i], mpfi_get_prec(s) + mpfr_get_prec(x) + 64 +
                               (near < MOST_NEAR ? near : MOST_NEAR));
    mpfi_init2(d, mpfi_get_prec(s) + 32);
    place(&t, q, add, x);
    mpfr_set_zero(slope, 1);
    if (mpfr_sgn(&t.k->right) <= 0) {
        mpfi_set_ui(s, 0);
        if (!add) {
            mpfi_neg(s, t.e);
            mpfi_add_ui(t.e, t.e, 1);
            mpfr_set(slope, &t.e->left, MPFR_RNDN);
        }
    } else if (mpfr_sgn(&t.k->left) <= 0 || ival_bad(t.y)) {
        mpfi_interv_si(s, 0, 1); /* too near the edge to tell */
        if (add)
            mpfr_min(&s->right, &s->right, &t.k->right, MPFR_RNDU);
    } else {
        base(d, slope, of, t.y);
        stretch_out(s, slope, &t, d, q, add);
    }
    mpfi_clear(d);
    for (size_t i = 0; i < 3; i++)
        mpfi_clear(all[i]);
}

/* The profile falls, so each end is that of an end of x. */
void sampled_profile(mpfi_t s, mpfr_t slope, const mpq_t rate, bool add, base_profile *base,
                     const void *of, const mpfi_t x)
{
    mpfi_t other;
    mpfi_init2(other, mpfi_get_prec(s));
    at_number(s, slope, rate, add, base, of, &x->left);
    at_number(other, slope, rate, add, base, of, &x->right);
    mpfr_swap(&s->left, &other->left);
    mpfi_clear(other);
}
