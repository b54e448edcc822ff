/* SPDX-License-Identifier: MIT */
#ifndef DPACCT_THEOREM_H
#define DPACCT_THEOREM_H

#include <stddef.h>

#include "dpacct/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is known about a statement. Only DP_EXACT and DP_PROVED may decide a guarantee. */
typedef enum dp_verdict {
    DP_EXACT = 0,   /* proved, and no smaller value is possible for the stated class           */
    DP_PROVED,      /* proved; may be loose                                                    */
    DP_UNSOUND,     /* as published it fails: `counterexample` says where                      */
    DP_PER_INSTANCE /* about the actual data and its neighbours only, and itself computed from
                       them: no differential privacy, and not to be published                */
} dp_verdict;

typedef struct dp_theorem {
    const char *id;     /* stable name, e.g. "bagging-with-exact"                            */
    const char *family; /* the command that evaluates it                                     */
    dp_verdict verdict;
    const char *source;         /* where it comes from: paper and theorem number                  */
    const char *statement;      /* one line                                                       */
    const char *assumes;        /* adjacency and hypotheses                                       */
    const char *proof;          /* why it holds, or why it does not                               */
    const char *counterexample; /* NULL unless unsound                                       */
} dp_theorem;

DP_API const char *dp_verdict_text(dp_verdict verdict);

/* Every theorem the library knows, in the order of its documentation. */
DP_API size_t dp_theorem_count(void);
DP_API const dp_theorem *dp_theorem_at(size_t index);
DP_API const dp_theorem *dp_theorem_find(const char *id); /* NULL when unknown */

#ifdef __cplusplus
}
#endif
#endif
