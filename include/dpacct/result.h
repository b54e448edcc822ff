/* SPDX-License-Identifier: MIT */
#ifndef DPACCT_RESULT_H
#define DPACCT_RESULT_H

#include <gmp.h>
#include <stdbool.h>
#include <stddef.h>

#include "dpacct/figure.h"
#include "dpacct/number.h"
#include "dpacct/theorem.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dp_relation {
    DP_ADD_REMOVE = 0, /* neighbours differ in the presence of one record */
    DP_REPLACE_ONE     /* neighbours differ in the value of one record    */
} dp_relation;

/* "add-remove", "replace-one", "unknown": static text, never NULL. */
DP_API const char *dp_relation_text(dp_relation adjacency);

/* Which of the stated limits were met, as bits: why figures are wide or a decision is open. No bit
 * for the methods' own limits, which nothing raises. DP_MET_BOUND: what was asked goes beyond the
 * bound that was used, which is not known to be tight. */
enum { DP_MET_TIME = 1, DP_MET_MEMORY = 2, DP_MET_PRECISION = 4, DP_MET_BOUND = 8 };

/* What every query takes. All zero is the defaults, as dp_options_default gives them.
 *   errors   DP_DOMAIN: digits above DP_MOST_DIGITS; max_epsilon < 0, or ln(R) with R < 1;
 *            max_delta outside [0, 1], or a logarithm; max_seconds negative or no number */
typedef struct dp_options {
    size_t digits;                /* significant digits to prove, 1 to 10000; 0: 10          */
    bool all;                     /* every bound that applies, unsound ones marked           */
    const dp_number *max_epsilon; /* the check: both NULL when none is asked                 */
    const dp_number *max_delta;
    /* Stop refining after this many seconds of processor time of the calling thread, so that how
     * busy the machine is changes no answer; 0: no limit. What is being computed at that moment is
     * finished where it is short. */
    double max_seconds;
    size_t max_bytes; /* largest table an engine may make; 0: no limit                     */
    size_t threads;   /* that may work on one query, 0 and 1: one; the answer is the same  */
    /* Called now and then during long work, with the seconds spent; may be NULL. */
    void (*progress)(void *context, double seconds);
    void *progress_context;
    /* Called now and then with what is being narrowed, a name of a quantity or a parameter, and
     * ends that it is known to lie between so far; may be NULL. With progress_context, on the
     * calling thread, before the next progress. */
    void (*narrowed)(void *context, const char *what, double lower, double upper);
    unsigned *met;   /* of the library; leave it NULL */
    double deadline; /* of the library; leave it 0 */
} dp_options;

DP_API dp_options dp_options_default(void);

/* A named figure of a row: "epsilon", "delta", "kl", "probability", ... A solved parameter ("k",
 * "q") is an exact number with a finite decimal; infinite then means that any value will do.
 * `safe` is the end that may be relied on when only one number is kept: the upper one of what is
 * lost (epsilon, delta, errors, bounds, what is needed at least), the lower one of what may be used
 * or is reached at least (probability, objective, times, k, N, q), and of lower bounds. */
typedef struct dp_quantity {
    const char *name;
    bool is_solved;
    dp_end safe;
    dp_figure figure;
} dp_quantity;

/* The safe end of the quantity of that name, wherever a row does not say otherwise. */
DP_API dp_end dp_quantity_safe(const char *name);

/* Parts that do not fit these arrays make the query fail: none is dropped. The last place of an
 * array is no part of an answer. */
#define DP_ROW_QUANTITIES 10

typedef struct dp_row {
    const dp_theorem *theorem;
    /* Of this row: the theorem's, or DP_PROVED where what it was applied to is known by an upper
     * bound alone, so that a smaller figure may hold. */
    dp_verdict verdict;
    size_t count;
    dp_quantity quantity[DP_ROW_QUANTITIES + 1];
    bool vacuous;       /* the figures say nothing: a bound on |Gen| of 1 or more, for one */
    const char *design; /* of a noise function, or NULL */
    mpq_t *gamma;       /* its values, exact, for gamma_first votes and more; owned by the row */
    size_t gamma_first, gamma_count;
    /* How many mechanisms of the worst case are at (0,0), (1,1), (delta,0), (0,delta), (c,d),
     * (d,c), (1,1-delta), (1-delta,1); all 0 when no case is above 0. */
    size_t worst[8];
} dp_row;

typedef struct dp_check {
    bool asked;
    bool is_claim; /* a claim to be audited rather than a budget */
    bool is_audit; /* by outcomes: DP_NO is refuted, DP_YES not refuted, which proves nothing */
    dp_decision holds;
    dp_number max_epsilon, max_delta; /* what was checked, defaults filled in */
    mpq_t factor; /* times max_epsilon: 1, but for a target of so many times an epsilon ln(R) */
    const char *figure; /* where another figure has a budget, max_figure: its name; else NULL */
    bool is_curve;      /* of an audit: a claim of several points, which has no one budget */
    dp_number max_figure;
    const char *why; /* where holds is DP_UNKNOWN: what left it open; else NULL. Static. */
} dp_check;

#define DP_RESULT_REMARKS 8

/* The answer to a query: one row per theorem, the row that decides, the check. `adjacency` is NULL
 * where the figures do not depend on one. Warnings matter to the safe use of the figures; notes
 * explain them. All texts are static. */
typedef struct dp_result {
    const char *adjacency;
    dp_row *row;
    size_t count, room;
    size_t guarantee; /* index of the deciding row; == count when there is none */
    bool is_finding;  /* it guarantees nothing: it is what the outcomes of an attack show */
    dp_check check;
    unsigned met;   /* DP_MET_* */
    size_t refused; /* of the library */
    const char *warning[DP_RESULT_REMARKS + 1];
    size_t warnings;
    const char *note[DP_RESULT_REMARKS + 1];
    size_t notes;
    /* Of a finding: what it takes beside what the theorem of its row assumes. */
    const char *assumption[DP_RESULT_REMARKS + 1];
    size_t assumptions;
} dp_result;

/* A result may be used for any number of queries; each query starts it afresh. */
DP_API void dp_result_init(dp_result *r);
DP_API void dp_result_clear(dp_result *r);

/* The figure of that name in the deciding row, or NULL. */
DP_API const dp_figure *dp_result_figure(const dp_result *r, const char *name);

#ifdef __cplusplus
}
#endif
#endif
