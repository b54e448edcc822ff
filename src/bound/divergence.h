/* SPDX-License-Identifier: MIT */
#ifndef BOUND_DIVERGENCE_H
#define BOUND_DIVERGENCE_H

#include "bound/composition.h"

/* Evaluated on a `composed` list without leaks. */
extern const bound kl_tight, kl_bun_steinke, kl_dwork_rothblum, kl_dwork;

#endif
