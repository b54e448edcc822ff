/* SPDX-License-Identifier: MIT */
/* The parameters of questions about attackers. */
#include "attack/parameters.h"

#include <stddef.h>

const parameter *const attack_parameters[] = {NULL};
