/* SPDX-License-Identifier: MIT */
/* Ties of a private majority. At a multiset of vertices B and B' are polynomials with rational
 * coefficients in the e^epsilon of the mechanisms, so whether B - e^x B' equals a rational is
 * decidable, and decided here without rounding. */
#ifndef VOTE_TIES_H
#define VOTE_TIES_H

#include <mpfi.h>

#include "num/logform.h"
#include "vote/corners.h"
#include "vote/noise.h"

/* b or its mirror image, and where it is asked about. */
typedef struct tie_question {
    const noise *g;
    bool mirrored;
    const logform *x; /* NULL: B alone, without e^x B' */
    mpq_srcptr delta;
    const limits *lim;
} tie_question;

/* Is B - e^x B' = delta? DP_UNKNOWN: too large to form, or out of time. DP_OK or DP_MEMORY. */
dp_status tie_holds(dp_decision *answer, const tie_question *q, const seats *list, size_t count);

/* The sign of the largest B - e^x B' - delta over multisets. */
typedef struct standing {
    int sign;
    bool known;  /* else it is this or more */
    bool pinned; /* it is 0 at a multiset with B' > 0, so that no smaller x will do */
} standing;

#define STANDING_NONE ((standing){-1, true, false})

/* Takes in a multiset, `gap` an enclosure of its B - e^x B' - delta. */
dp_status standing_take(standing *s, const mpfi_t gap, const tie_question *q, const seats *list,
                        size_t count);

/* Can b be above 0 under p'? Where not, B' = 0. */
bool tie_reaches(const tie_question *q, const seats *list, size_t count);

#endif
