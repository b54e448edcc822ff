/* SPDX-License-Identifier: MIT */
/* What is known of the two worlds that an attacker tells apart: the data with one record and
 * without it, or with another in its place. P is the law of the output in the one, Q in the other;
 * whatever is stated holds in both directions.
 *     TPR = P(A), FPR = Q(A) of the event A on which he says "in";  advantage = TPR - FPR
 *     delta(t) = sup over A of P(A) - e^t Q(A);  F(x) = the largest TPR at an FPR of at most x */
#ifndef ATTACK_ADVANTAGE_H
#define ATTACK_ADVANTAGE_H

#include "compose/optimal.h"
#include "core/bound.h"
#include "dpacct/advantage.h"
#include "renyi/conversion.h"

typedef enum known_by { BY_PAIR, BY_GDP, BY_ZCDP, BY_RDP, BY_PROFILE } known_by;

typedef struct attacker {
    const dp_attacker *q;
    const dp_options *opt;
    known_by by;
    bool one_pair;      /* the profile is that of one pair of laws, which stands here too */
    bool one_loss;      /* ... and the loss is that of this pair: one use, not chosen by outputs */
    bool loose;         /* BY_ZCDP: not shown to be attained: xi, groups, several statements */
    bool leaks;         /* ... of bagging: published in full with probability leak */
    dp_number epsilon;  /* BY_PAIR: (epsilon, leak)-DP */
    mpq_t leak;         /* BY_ZCDP: leak-approximately */
    mpq_t mu_squared;   /* BY_GDP */
    zcdp line;          /* BY_ZCDP */
    mpq_t order;        /* ... with xi > 0: an order that may say more than KL; 0: none */
    const mpq_t *point; /* BY_RDP: order, divergence, order, ... */
    size_t points;      /* of both together */
    dp_composition groups;
    const dp_composition *list; /* BY_PROFILE */
    composing c;
    bool open;
    dp_result rows; /* what c appends to */
    struct {
        dp_figure delta;
        mpq_t k;
        bool exact, is;
    } last;         /* what was asked of the list last */
    dp_options own; /* of c */
    limits lim;
    dp_relation relation;
    bool replaced;             /* the game */
    bool exchanged;            /* ... of a list for add-remove: a group of 2, which may do more */
    mpq_t prior, rarer, often; /* pi, min(pi, 1-pi), max(pi, 1-pi) */
    mpq_t odds;                /* often/rarer, where rarer > 0 */
    mpq_t x, y;                /* what a row is asked: a rate, a share */
    mpq_t alpha;               /* the order that is best there */
    const dp_number *t;        /* the loss that a row is asked about */
} attacker;

/* ---- advantage.c: from the guarantee alone ---- */

/* e = the epsilon of the randomized response that attains the advantage; BY_ZCDP and BY_RDP.
 * False where the precision does not do. */
bool attacker_response(mpfi_t e, const attacker *a);

/* BY_ZCDP: chooses a->order. */
void attacker_choose_order(attacker *a);

/* D_alpha of randomized response, e >= 0 */
void response_renyi(mpfi_t r, const mpfi_t e, mpq_srcptr alpha);

/* out = Phi(x), and out = mu */
void attacker_phi(mpfi_t out, const mpfi_t x);
void attacker_mu(mpfi_t out, const attacker *a);

/* E = e^epsilon where it is rational: epsilon is 0 or a logarithm; else NULL, false. */
bool attacker_odds(mpq_t odds, const attacker *a);

/* Is the leak 1? */
bool attacker_leaks_all(const attacker *a);

/* out = (1 - delta) by + delta, delta the leak */
void attacker_union(mpfi_t out, const attacker *a, const mpfi_t by);

/* The sign of epsilon - ln(k): exact. False where the precision does not tell. */
bool attacker_epsilon_sign(int *sign, const attacker *a, mpq_srcptr k);

/* advantage and 1 - advantage: of randomized response beside the leak, of Gaussian noise, and the
 * second of the first. */
void advantage_of_response(dp_figure *out, const attacker *a, const mpfi_t e, mpfr_prec_t bits);
void advantage_of_mu(dp_figure *out, const mpfi_t mu, mpfr_prec_t bits);
void advantage_set_errors(dp_figure *out, mpq_srcptr advantage);

/* Appends the rows of the advantage. */
dp_status advantage_rows(dp_result *out, attacker *a);
/* Is it at most that? */
dp_decision advantage_within(attacker *a, const dp_number *most);
/* The row of what is solved for. */
dp_status advantage_solve(dp_result *out, attacker *a);

/* ---- advantage_gain.c: delta(t), and what it is worth at a prior ---- */

/* out = delta(ln k), k >= 1, to the digits of the question and some more; *exact: no smaller value
 * is possible for all that is known. */
dp_status attacker_delta(dp_figure *out, bool *exact, attacker *a, mpq_srcptr k);
/* The same at t = ln k of any sign: delta(-t) = 1 - e^-t + e^-t delta(t). */
dp_status attacker_delta_at(dp_figure *out, bool *exact, attacker *a, mpq_srcptr k);

/* What eval encloses, for `in`, as a figure of the digits asked and some more. */
dp_status attacker_figure(dp_figure *out, attacker *a, bound_eval eval, const void *in);

dp_status accuracy_row(dp_result *out, attacker *a);

extern const bound adv_approx, adv_one_direction, adv_yeom, adv_rr_principle, adv_zcdp, adv_pinsker,
    adv_bretagnolle_huber, adv_rdp, adv_gdp, adv_profile, adv_inverse, adv_approx_zcdp, adv_bagging,
    adv_gaussian_from_zcdp;
extern const bound accuracy_prior;

#endif
