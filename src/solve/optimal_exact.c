/* SPDX-License-Identifier: MIT */
#include "solve/optimal.h"

/* e^x as a rational: only sums of whole logarithms qualify */
static bool exp_q(mpq_t out, const logform *x)
{
    if (mpq_sgn(x->rational) != 0)
        return false;
    mpq_set_ui(out, 1, 1);
    for (size_t i = 0; i < x->count; i++) {
        const logterm *t = &x->term[i];
        if (mpz_cmp_ui(mpq_denref(t->coefficient), 1) != 0 ||
            mpz_cmpabs_ui(mpq_numref(t->coefficient), 1) != 0)
            return false;
        if (mpq_sgn(t->coefficient) > 0)
            mpq_mul(out, out, t->base);
        else
            mpq_div(out, out, t->base);
    }
    return true;
}

bool optimal_rational_delta(dp_figure *out, const engine *e, const logform *x, bool beyond)
{
    mpq_t s, leak;
    mpq_inits(s, leak, NULL);
    bool ok = composed_leak_q(leak, e->list);
    if (ok && !beyond)
        ok = e->rational && exp_q(s, x) && exact_profile(s, e->list, s);
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
