/* SPDX-License-Identifier: MIT */
/* Certificates of one run against a privacy curve: the search, of which nothing is believed. */
#ifndef ATTACK_AUDIT_HEIGHTS_H
#define ATTACK_AUDIT_HEIGHTS_H

#include "attack/audit_layers.h"

/* height[k] = about the best ones, the last what is left; about the least lambda that they prove.
 * Beyond *high weights are no part of it. */
double heights_find(double *height, const layers_goal *goal, unsigned long *high);

#endif
