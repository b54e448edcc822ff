/* SPDX-License-Identifier: MIT */
#include "cli/commands.h"

dp_options common_options(const args *a, report *r)
{
    dp_options opt = dp_options_default();
    opt.digits = r->digits = mpz_get_ui(mpq_numref(args_number(a, "digits")->value));
    opt.all = args_flag(a, "all");
    opt.max_epsilon = args_number(a, "max-epsilon");
    opt.max_delta = args_number(a, "max-delta");
    return opt;
}
