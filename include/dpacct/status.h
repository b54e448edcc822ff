/* SPDX-License-Identifier: MIT */
#ifndef DPACCT_STATUS_H
#define DPACCT_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__) && !defined(DPACCT_STATIC)
#define DP_API __attribute__((visibility("default")))
#else
#define DP_API
#endif

/* What a call came to. Every function that can fail returns one of these and leaves its outputs
 * initialised and safe to clear. Every parameter is looked at before anything is computed: what is
 * refused with DP_DOMAIN leaves the outputs as they were. That goes for numbers outside their
 * domain, rationals that are not in lowest terms, values outside an enumeration, and NULL where
 * something must be. Functions without a status do nothing to NULL. The library never prints, exits
 * or aborts on bad input. */
typedef enum dp_status {
    DP_OK = 0,
    DP_DOMAIN,     /* an argument is outside the domain of the statement: see dp_error         */
    DP_LIMIT,      /* a stated limit (precision, time, memory) was met before the answer       */
    DP_UNDECIDED,  /* the enclosures and the exact tests could not tell the two sides apart    */
    DP_MEMORY,     /* out of memory outside GMP (GMP itself ends the process: see docs)        */
    DP_UNAVAILABLE /* no statement of the asked kind covers these arguments                    */
} dp_status;

typedef enum dp_decision { DP_NO = 0, DP_YES = 1, DP_UNKNOWN = 2 } dp_decision;

/* Why a call failed. Both texts are static: `argument` is the name of the field at fault (or
 * NULL), `message` says what is wrong and what would be right. */
typedef struct dp_error {
    dp_status status;
    const char *argument;
    const char *message;
} dp_error;

/* "ok", "argument outside the domain", ...: static text, never NULL. */
DP_API const char *dp_status_text(dp_status status);

#ifdef __cplusplus
}
#endif
#endif
