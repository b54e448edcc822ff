/* SPDX-License-Identifier: MIT */
/* The version. */
#include "dpacct/dpacct.h"

const char *dp_version(void)
{
    return DPACCT_VERSION;
}
