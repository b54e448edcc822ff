/* SPDX-License-Identifier: MIT */
#include "bound/divergence.h"

#include "dpacct/divergence.h"
#include "solve/result.h"

dp_status dp_kl(dp_result *out, const dp_composition *list, const dp_options *opt, dp_error *err)
{
    result_start(out);
    if (list->count == 0)
        return fail(err, DP_DOMAIN, "epsilon", "is missing; give --epsilon, or mechanisms by -m");
    composed c;
    dp_status status = composed_init(&c, list);
    if (status == DP_OK && (c.leaks > 0 || c.certain_leak))
        status = fail(err, DP_DOMAIN, "delta",
                      "must be 0: where outputs may be impossible on one side (delta > 0) the KL "
                      "divergence has no finite bound");
    else if (status == DP_OK) {
        status = result_evaluate_family(out, "kl-bound", &c, opt);
        if (status != DP_OK)
            fail(err, status, NULL, dp_status_text(status));
    } else {
        fail(err, status, NULL, dp_status_text(status));
    }
    composed_clear(&c);
    return status;
}
