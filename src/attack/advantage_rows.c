/* SPDX-License-Identifier: MIT */
/* The rows of the advantage: by every theorem that applies. */
#include "attack/advantage.h"

/* A bound of 1 or more says nothing. */
static void judge(dp_row *row, const bound *b)
{
    mpq_t one;
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    const dp_figure *x = &row->quantity[0].figure;
    row->vacuous = b->may_be_vacuous && (dp_figure_le(x, one) == DP_NO ||
                                         (x->kind == DP_RATIONAL && mpq_equal(x->rational, one)));
    mpq_clear(one);
}

dp_status advantage_rows(dp_result *out, attacker *a)
{
    static const bound *const all[] = {&adv_approx,
                                       &adv_gdp,
                                       &adv_zcdp,
                                       &adv_approx_zcdp,
                                       &adv_rdp,
                                       &adv_rr_principle,
                                       &adv_one_direction,
                                       &adv_yeom,
                                       &adv_pinsker,
                                       &adv_bretagnolle_huber,
                                       &adv_gaussian_from_zcdp};
    if (a->by == BY_PROFILE)
        return (a->leaks ? &adv_bagging : &adv_profile)->engine(out, a, a->opt);
    dp_status status = DP_OK;
    for (size_t i = 0; status == DP_OK && i < sizeof all / sizeof *all; i++) {
        const bound *b = all[i];
        if ((b->only_all && !a->opt->all) || !b->applies(a))
            continue;
        status = result_evaluate(out, b, a, a->opt);
        if (status != DP_OK)
            return status;
        dp_row *row = &out->row[out->count - 1];
        judge(row, b);
        if (row->verdict == DP_EXACT && (b == &adv_one_direction || a->loose))
            row->verdict = DP_PROVED;
    }
    return status;
}
