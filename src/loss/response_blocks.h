/* SPDX-License-Identifier: MIT */
/* Randomized response in doubles, at blocks of nodes (loss/blocks.h). */
#ifndef LOSS_RESPONSE_BLOCKS_H
#define LOSS_RESPONSE_BLOCKS_H

#include "loss/blocks.h"

/* `self` is a response that is prepared. */
dp_status response_blocks(block_law *out, const void *self, const block_line *at);

#endif
