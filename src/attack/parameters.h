/* SPDX-License-Identifier: MIT */
/* The parameters of questions about attackers. */
#ifndef ATTACK_PARAMETERS_H
#define ATTACK_PARAMETERS_H

#include "core/parameter.h"

extern const parameter *const attack_parameters[]; /* all of them, ended by NULL */

#endif
