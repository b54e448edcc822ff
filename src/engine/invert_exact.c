/* SPDX-License-Identifier: MIT */
/* The optimal delta where it is a rational, which enclosures never tell from a threshold. */
#include "engine/invert.h"

bool optimal_rational_delta(dp_figure *out, const engine *e, const logform *x, bool beyond)
{
    mpq_t s, leak;
    mpq_inits(s, leak, NULL);
    bool ok = product_leak_q(leak, e->product);
    if (ok && !beyond)
        ok = exact_profile(s, e->product, x);
    if (ok) {
        mpq_mul(out->rational, leak, s);
        mpq_sub(out->rational, s, out->rational);
        mpq_add(out->rational, out->rational, leak);
        out->kind = DP_RATIONAL;
    }
    mpq_clears(s, leak, NULL);
    return ok;
}

bool optimal_is_zero(const engine *e, const mpq_t delta)
{
    logform zero;
    dp_figure f;
    logform_init(&zero);
    dp_figure_init(&f);
    bool is = optimal_rational_delta(&f, e, &zero, false) && mpq_cmp(f.rational, delta) <= 0;
    dp_figure_clear(&f);
    logform_clear(&zero);
    return is;
}
