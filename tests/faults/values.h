/* SPDX-License-Identifier: MIT */
#ifndef VALUES_H
#define VALUES_H

#include "dpacct/dpacct.h"

dp_status literal(dp_result *out, const void *of, dp_error *err);
dp_status setting(dp_result *out, const void *of, dp_error *err);

#endif
