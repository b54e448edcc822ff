/* SPDX-License-Identifier: MIT */
/* dpacct: a certified differential-privacy accountant. Umbrella header.
 *
 * Inputs are exact rationals, outputs are figures: enclosures proved to contain the true value.
 * The library never prints, exits or aborts on bad input, reads no environment, and has no mutable
 * globals of its own: calls on distinct objects may run in parallel. Three things belong to the
 * libraries under it: MPFR must have been built thread-safe (Debian's is); a thread calls
 * mpfr_free_cache before it ends, or what MPFR keeps for it is lost; and GMP ends the process when
 * memory runs out unless mp_set_memory_functions says otherwise. */
#ifndef DPACCT_DPACCT_H
#define DPACCT_DPACCT_H

#include "dpacct/account.h"
#include "dpacct/advantage.h"
#include "dpacct/audit.h"
#include "dpacct/bagging.h"
#include "dpacct/compose.h"
#include "dpacct/convert.h"
#include "dpacct/divergence.h"
#include "dpacct/document.h"
#include "dpacct/figure.h"
#include "dpacct/filter.h"
#include "dpacct/learning.h"
#include "dpacct/majority.h"
#include "dpacct/mechanism.h"
#include "dpacct/number.h"
#include "dpacct/result.h"
#include "dpacct/status.h"
#include "dpacct/theorem.h"
#include "dpacct/vote.h"

#define DPACCT_VERSION_MAJOR 0
#define DPACCT_VERSION_MINOR 1
#define DPACCT_VERSION_PATCH 0
#define DPACCT_VERSION "0.1.0"

#ifdef __cplusplus
extern "C" {
#endif

/* The version the library was built as. */
DP_API const char *dp_version(void);

#ifdef __cplusplus
}
#endif
#endif
