/* SPDX-License-Identifier: MIT */
/* What is known of an item of a list beyond its (epsilon, delta): an item without such a note is
 * known by its pair alone, and the worst mechanism of that pair attains whatever is proved of it.
 * Bagging is known better, and its pair is an upper bound of it. */
#ifndef LOSS_KNOWN_H
#define LOSS_KNOWN_H

#include <mpfi.h>

#include "dpacct/bagging.h"
#include "loss/product.h"

typedef enum known_kind {
    KNOWN_ATTAINED, /* by the pair, in both directions                                          */
    KNOWN_ONE_WAY,  /* epsilon is 0, and delta leaks from the larger data set alone: exact in a
                     * list without losses, an upper bound beside them, where its law is taken  */
    KNOWN_ABOVE     /* the pair is a point of a curve that lies below the pair's own             */
} known_kind;

struct dp_known;

/* What the domain of the mechanism answers; who composes knows no more of it. */
typedef struct known_ops {
    /* out encloses delta(x) of one use, or what is proved to be above it. */
    void (*profile)(mpfi_t out, const struct dp_known *k, const dp_number *x);
    /* Some learner makes one use no better than randomized response of this epsilon, and another no
     * better than a leak of this probability from the larger data set. False where nothing is
     * known. */
    bool (*below)(dp_number *epsilon, const struct dp_known *k, mpfr_prec_t bits);
    bool (*leak)(mpq_t delta, const struct dp_known *k);
    /* Has it, not of kind KNOWN_ATTAINED, a pair of distributions in each direction that no member
     * exceeds? Then law adds `times` uses of the item towards that end: marked as an upper bound
     * where none attains them, and then nothing for the lower end. */
    bool (*has_law)(const struct dp_known *k);
    dp_status (*law)(product *to, const struct dp_known *k, const mpz_t times, dp_end end,
                     bool backward);
    /* The rows of the mechanism alone, at the targets of b or at its end point. */
    dp_status (*rows)(dp_result *out, const dp_bagging *b, const dp_options *opt, dp_error *err);
    /* Is it (epsilon, delta)-DP? *tight says that a "no" is final. */
    dp_decision (*meets)(const dp_bagging *b, const dp_number *epsilon, const mpq_t delta,
                         const dp_options *opt, bool *tight);
} known_ops;

typedef struct dp_known {
    struct dp_known *next;
    const known_ops *ops;
    size_t item;
    known_kind kind;
    dp_bagging b; /* without targets */
    dp_number base_epsilon;
    bool law;       /* has_law, asked once */
    mpz_t releases; /* the item's times = releases, or releases * models, or the draws of all */
} dp_known;

/* Notes about the item that was added last. */
dp_status known_add(dp_composition *c, known_kind kind, const known_ops *ops, const dp_bagging *b,
                    const mpz_t releases);

/* The note about each item, NULL where there is none; free the array. NULL when out of memory. */
const dp_known **known_index(const dp_composition *c);

/* Which items have a law: some that is better by it; all that are known by a curve. */
bool known_has_law(const dp_known *k);
bool known_has_laws(const dp_composition *c);
bool known_all_laws(const dp_composition *c);

/* Appends every item of `from`, `times` as often, with what is known of it, but for what is about
 * cells of disjoint data. */
dp_status known_append_whole(dp_composition *to, const dp_composition *from, const mpz_t times);

/* to, which is empty, = one use of the only item of `from`, or one release of it. */
dp_status known_single(dp_composition *to, const dp_composition *from);

void known_clear(dp_known *list);

#endif
