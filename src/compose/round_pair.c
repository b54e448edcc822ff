/* SPDX-License-Identifier: MIT */
/* An enclosed pair as exact numbers, at one of its ends. */
#include "compose/round_pair.h"

#include "num/number.h"

/* Rounds outward, and away from exponents whose rationals would fill the memory. */
static bool set_end(mpq_t out, mpfr_srcptr x, dp_end end)
{
    const mpfr_exp_t most = 4000000;
    if (!mpfr_number_p(x) || (!mpfr_zero_p(x) && mpfr_get_exp(x) > most))
        return false;
    if (mpfr_zero_p(x) || mpfr_get_exp(x) >= -most) {
        mpfr_get_q(out, x);
        return true;
    }
    mpq_set_ui(out, end == DP_UPPER ? 1 : 0, 1);
    mpq_div_2exp(out, out, (mp_bitcnt_t)most);
    return true;
}

bool pairs_round(dp_number *epsilon, mpq_t delta, const mpfi_t x, const mpfi_t d, dp_end end)
{
    mpq_t q;
    mpq_init(q);
    bool ok = set_end(q, end == DP_UPPER ? &x->right : &x->left, end) &&
              set_end(delta, end == DP_UPPER ? &d->right : &d->left, end);
    number_set_q(epsilon, q);
    mpq_clear(q);
    return ok;
}
