/* SPDX-License-Identifier: MIT */
/* A mechanism: a type with exact parameters; what was released, never how it is accounted. Its type
 * is one row that says which statements it has: a dominating pair, a Renyi curve, zCDP, or a plain
 * (epsilon, delta). How often it was released stands beside it, in the list. */
#ifndef CORE_MECHANISM_H
#define CORE_MECHANISM_H

#include "core/bound.h"
#include "core/uses.h"
#include "core/value.h"
#include "dpacct/mechanism.h"
#include "num/logform.h"

struct product;
struct profile_in;
struct renyi_points;

/* P over Q, or Q over P: all mechanisms of a list together. */
typedef enum direction { FORWARD, BACKWARD } direction;

#define RELATION(name) (1U << DP_##name)

typedef struct mechanism_type {
    const char *name, *brief;
    const char *manual;                 /* what it is private for: assumptions, in sentences */
    const parameter *const *parameters; /* ends with NULL */
    unsigned relations;                 /* those it has a statement for */
    const char *elsewhere;              /* why it has none for others; NULL: as all say it */
    /* What no domain of a single parameter says: NULL, or the message, and the parameter. */
    const char *(*fault)(const char **parameter, const dp_mechanism *m);

    /* It is known by (epsilon, delta) alone, and the pair of randomized response and a leak attains
     * that: the mechanism enters a list as such an item. False: out of memory or range. */
    bool (*item)(dp_number *epsilon, mpq_t delta, const dp_mechanism *m);
    /* Adds losses and leaks of `times` uses to the product: of a pair that the mechanism attains,
     * or of one above it (upper end) and one below it (lower). NULL: no pair is known. */
    dp_status (*pair)(struct product *to, const dp_mechanism *m, const mpz_t times, direction way,
                      dp_end end);
    /* zCDP: the Renyi divergence of order alpha is at most xi + rho alpha, in both directions. */
    dp_status (*zcdp)(mpfi_t xi, mpfi_t rho, const dp_mechanism *m);
    /* rho exactly, where xi is 0 and rho rational; NULL: never. */
    bool (*rho)(mpq_t rho, const dp_mechanism *m);
    /* Renyi divergence of that order, in both directions, rounded up where it is only bounded;
     * infinite where nothing is known. NULL: that of the pair, or of zCDP. */
    dp_status (*curve)(mpfi_t out, const dp_mechanism *m, const mpfi_t order);
    /* About that of order 1 + t, for searches, where the curve takes long; NULL: the curve. */
    double (*near_curve)(const dp_mechanism *m, double t);
    /* The same at exactly that order, where it is rational; NULL: never. */
    bool (*divergence)(mpq_t out, const dp_mechanism *m, const mpq_t order);
    /* The points of its Renyi curve that are known, where no more is: all orders up to the greatest
     * follow (renyi/points.h). False: out of memory. */
    bool (*points)(struct renyi_points *p, const dp_mechanism *m);
    /* It is (epsilon, delta)-DP, whether it attains that or not; NULL: nothing like that is known.
     */
    void (*within)(dp_number *epsilon, mpq_t delta, const dp_mechanism *m);
    /* The same type of mechanism for groups of `size`; NULL: as groups of anything `within` its
     * (epsilon, delta), or not at all. Sets the numbers of a copy; DP_UNAVAILABLE where its
     * parameters allow none. */
    dp_status (*group)(dp_mechanism *copy, const mpz_t size);
    /* Only forward is asked about; all of a list then. NULL: no. */
    bool (*one_way)(const dp_mechanism *m);
    const char *about; /* what an answer about a list that holds it must say, or NULL */
    /* The pair is that of a class, above all of its members at once; curve and zCDP of the class
     * are smaller than the pair's. */
    bool of_class;
    const char *noise; /* the parameter whose growth makes it more private, or NULL */
    /* Is delta kept by however little of it? Then any_noise says why. NULL: never below 1. */
    bool (*keeps_any)(const dp_mechanism *m, const mpz_t times, const mpq_t delta);
    const char *any_noise;
    bool uneven;        /* mostly: more of it may be less private */
    const char *spends; /* "a|b": those whose growth makes it less private, or NULL */
    /* About the value of one of these with which so many uses just keep the budget, to begin a
     * search with. NULL: no guess. */
    bool (*guess)(mpq_t value, const dp_mechanism *m, const char *name, const mpz_t times,
                  const dp_number *epsilon, const mpq_t delta);
    bool adds;            /* many uses are one of the same law */
    const bound *profile; /* the theorem of one alone, where it has a profile in closed form */
    /* A figure that what is asked for is at least, of it alone: that of a part. False, and nothing:
     * none at this target. NULL: none. */
    bool (*least)(mpfi_t out, const struct profile_in *in);
    const bound *const *others; /* more about one alone, shown with every bound; ends with NULL */
} mechanism_type;

struct dp_mechanism {
    const mechanism_type *type;
    value *given; /* one for each parameter of the type */
    size_t count;
};

/* What the row `profile` of a type is asked: delta at epsilon >= 0, or epsilon at delta. */
typedef struct profile_in {
    const dp_mechanism *mechanism;
    mpz_srcptr times;
    const logform *epsilon; /* exactly one of the two */
    mpq_srcptr delta;
} profile_in;

/* Fills in what was asked about, of the figures epsilon and delta. False where delta alone decides:
 * from 1 on epsilon is 0. */
bool profile_given(dp_figure *out, const profile_in *q, mpfr_prec_t bits);

/* The types of a room, and NULL; the catalog joins them. */
extern const mechanism_type *const mechanism_types[], *const vote_types[];

/* Empty, of that type; NULL when out of memory. */
dp_mechanism *mechanism_new(const mechanism_type *type);
dp_mechanism *mechanism_copy(const dp_mechanism *m);
void mechanism_free(dp_mechanism *m);

/* The value of a parameter of its type, by a name that parameter_is_named knows; never NULL for one
 * the type has. */
value *mechanism_value(const dp_mechanism *m, const char *name);
/* Its number where something is in force, else NULL. */
const dp_number *mechanism_number(const dp_mechanism *m, const char *name);

/* Defaults in force; what is missing or does not go together is refused. The error names the
 * parameter. */
dp_status mechanism_complete(dp_mechanism *m, dp_error *err);

/* Replaces a number: what is solved for. */
void mechanism_set_q(dp_mechanism *m, const char *name, const mpq_t q);

#endif
