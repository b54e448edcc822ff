/* SPDX-License-Identifier: MIT */
/* A bound is a formula: it evaluates the figures of one theorem at a given precision and decides
 * nothing. Precision is chosen in refine.c; ties and the choice between bounds belong to who asks.
 */
#ifndef CORE_BOUND_H
#define CORE_BOUND_H

#include <mpfr.h>
#include <stdbool.h>

#include "dpacct/compose.h"
#include "dpacct/figure.h"
#include "dpacct/result.h"
#include "dpacct/theorem.h"
#include "num/logform.h"

typedef struct wanted {
    mpfr_prec_t bits; /* working precision of the enclosures */
    bool rational;    /* give the exact rational where it is not too large to form */
} wanted;

/* Fills out[0..]; each figure encloses the true value whatever is wanted. */
typedef dp_status (*bound_eval)(dp_figure *out, const void *in, const wanted *want);

/* What answers with the row of a theorem where no formula does, a composition, a search or a
 * program: it appends the row, or, where rows are certified together, what becomes it. `in` is what
 * its domain prepares; see there. */
typedef dp_status (*bound_engine)(dp_result *out, void *in, const dp_options *opt);

#define BOUND_OUTPUTS 6

/* Each has one of eval, engine and refuted_by. */
typedef struct bound {
    dp_theorem theorem;
    bool (*applies)(const void *in); /* NULL: always */
    bound_eval eval;
    bound_engine engine;
    const struct bound *refuted_by; /* of a statement without a figure: whose figure refutes it */
    const char *output[BOUND_OUTPUTS];
    const char *also;     /* what its engine gives, or adds, "a|b": see core/quantity.h */
    const char *also_for; /* questions of other families that show it, "a|b" */
    const char *design;   /* of the noise function that its rows carry */
    bool may_be_vacuous;
    const struct bound *delta_of; /* delta is that of this bound, whose row stands earlier */
    unsigned methods;   /* of dp_compose_method, as METHOD below: what shows the row by name */
    bool only_all;      /* shown only when every bound is asked for */
    bool after_limit;   /* also where a limit ended what is better */
    bool end_point;     /* a fixed pair: it does not move with the target */
    bool bracket;       /* its enclosures need not narrow as the precision rises */
    bool of_mechanisms; /* about lists that hold mechanisms beside (epsilon, delta) items */
} bound;

#define METHOD(name) (1U << DP_COMPOSE_##name)

/* What every composition needs of its mechanisms. To be private one by one, or even in pairs, is
 * not enough: see test_parity in the unit tests. */
#define GIVEN_EARLIER "each mechanism (epsilon_i, delta_i)-DP given the outputs of the earlier ones"

/* The rows of a domain, in the order of the documentation, and NULL. The registry is the domains in
 * their order. */
extern const bound *const mechanism_rows[], *const renyi_rows[];
extern const bound *const sampling_rows[],
    *const compose_rows[], *const learning_rows[], *const vote_rows[], *const attack_rows[];

/* Is the row shown by that question, and may it have a figure of that name? */
bool bound_is_for(const bound *b, const char *question);
bool bound_gives(const bound *b, const char *name);

/* Sets the figure. figure_enclose gives the interval at `bits`, to be filled by the caller. */
void figure_set_q(dp_figure *f, const mpq_t value);
void figure_set_ui(dp_figure *f, unsigned long value);
void figure_set_infinite(dp_figure *f);
/* Exactly where no logarithm is left, else enclosed. */
void figure_set_form(dp_figure *f, const logform *value, mpfr_prec_t bits);
mpfi_ptr figure_enclose(dp_figure *f, mpfr_prec_t bits);

#endif
