/* SPDX-License-Identifier: MIT */
#include "cli/commands.h"

#include <stdint.h>

#include "cli/mem.h"
#include "cli/progress.h"

dp_options common_options(const args *a, report *r)
{
    dp_options opt = dp_options_default();
    opt.digits = r->digits = mpz_get_ui(mpq_numref(args_number(a, "digits")->value));
    opt.all = args_flag(a, "all");
    opt.max_epsilon = args_number(a, "max-epsilon");
    opt.max_delta = args_number(a, "max-delta");
    const dp_number *seconds = args_number(a, "max-time");
    if (seconds != NULL)
        opt.max_seconds = mpq_get_d(seconds->value);
    const dp_number *bytes = args_number(a, "max-memory");
    if (bytes != NULL) {
        bool fits = mpz_fits_ulong_p(mpq_numref(bytes->value));
        opt.max_bytes = fits ? mpz_get_ui(mpq_numref(bytes->value)) : SIZE_MAX;
        mem_limit(opt.max_bytes);
    }
    opt.progress = progress_show;
    return opt;
}
