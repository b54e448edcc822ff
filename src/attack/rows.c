/* SPDX-License-Identifier: MIT */
/* The rows of what attackers gain and what attacks prove, in the order of the documentation. */
#include "core/bound.h"

const bound *const attack_rows[] = {
    NULL,
};
