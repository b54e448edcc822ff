/* SPDX-License-Identifier: MIT */
#include "dpacct/dpacct.h"

const char *dp_version(void)
{
    return DPACCT_VERSION;
}
