/* SPDX-License-Identifier: MIT */
/* The profile of a single use of a law with finitely many outcomes: their sum. */
#include "loss/discrete.h"
#include "num/ival.h"

/* A cache of at most so many times the bits is not made anew. */
#define MUCH_MORE 4

static const outcome *outcomes_of(const discrete *d, mpfr_prec_t bits)
{
    mpfr_prec_t had = d->cache->bits;
    return discrete_outcomes(d, had >= bits && had <= MUCH_MORE * bits ? had : bits);
}

/* Is the loss at most each x, or at least that? Of others what (P_j - e^x Q_j)_+ can be counts,
 * which is between 0 and what the largest P_j and the least e^x Q_j make. */
static void add_straddling(mpfi_t beside, const outcome *o, const mpfi_t odds)
{
    mpfr_t most, lost;
    mpfr_init2(most, mpfi_get_prec(beside));
    mpfr_init2(lost, mpfi_get_prec(beside));
    mpfr_mul(lost, &odds->left, &o->qmass->left, MPFR_RNDD);
    mpfr_sub(most, &o->mass->right, lost, MPFR_RNDU);
    if (mpfr_sgn(most) > 0)
        mpfr_add(&beside->right, &beside->right, most, MPFR_RNDU);
    mpfr_clear(lost);
    mpfr_clear(most);
}

bool discrete_profile(mpfi_t s, mpfr_t slope, const void *self, const mpfi_t x)
{
    const discrete *d = self;
    if (mpz_cmp_ui(d->times, 1) != 0)
        return false;
    mpfr_prec_t bits = mpfi_get_prec(s) + 64; /* 2^32 additions of an ulp each */
    const outcome *o = outcomes_of(d, bits);
    mpfi_t odds, p, q, beside;
    mpfi_ptr all[] = {odds, p, q, beside};
    for (size_t i = 0; i < 4; i++)
        mpfi_init2(all[i], bits);
    mpfi_exp(odds, x);
    for (size_t i = 1; i < 4; i++)
        mpfi_set_ui(all[i], 0);
    for (size_t j = d->count; j-- > 0;) {
        if (mpfr_lessequal_p(&o[j].loss->right, &x->left))
            break; /* and so all below: they ascend */
        if (mpfr_greaterequal_p(&o[j].loss->left, &x->right)) {
            mpfi_add(p, p, o[j].mass);
            mpfi_add(q, q, o[j].qmass);
        } else {
            add_straddling(beside, &o[j], odds);
        }
    }
    mpfi_mul(q, q, odds);
    mpfi_get_fr(slope, q);
    mpfi_sub(p, p, q);
    mpfi_add(s, p, beside);
    ival_clamp_ui(s, 0, 1);
    for (size_t i = 0; i < 4; i++)
        mpfi_clear(all[i]);
    return true;
}
