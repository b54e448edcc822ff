/* SPDX-License-Identifier: MIT */
/* What the actual votes spent: bounds of the Renyi divergence of the actual data set from its
 * neighbours, in that direction alone. They depend on the votes: no privacy, and nothing to be
 * published. Queries are fixed in advance; were they chosen by earlier answers, the sum would have
 * to be bounded on every path. */
#ifndef VOTE_PATE_INSTANCE_H
#define VOTE_PATE_INSTANCE_H

#include <stdint.h>

#include "vote/pate.h"

/* The votes of a query, asked `times` times. */
typedef struct pate_query {
    const mpq_t *votes;
    size_t classes, times, most; /* most: a class that no other exceeds */
    double log_q, log_q_test;    /* about, for the search of an order */
} pate_query;

typedef struct pate_votes {
    const pate_account *of;
    mpq_srcptr threshold; /* of confident-gnmax */
    pate_query *query;    /* distinct */
    size_t count;
} pate_votes;

/* The terms of q at gaps that are small integers, each made once, at one precision. */
#define PATE_TAILS 1024
typedef struct pate_tails {
    mpfi_t at[PATE_TAILS];
    bool made[PATE_TAILS];
    mpfr_prec_t bits;
} pate_tails;

/* NULL: out of memory. */
pate_tails *pate_tails_new(mpfr_prec_t bits);
void pate_tails_free(pate_tails *t);

/* `count` votes in lines of `classes`, which must outlive it. DP_MEMORY; safe to clear. */
dp_status pate_votes_init(pate_votes *v, const pate_account *of, const mpq_t *votes, size_t count,
                          size_t classes, mpq_srcptr threshold);
void pate_votes_clear(pate_votes *v);

/* One query of these votes, with its guesses, of which `tails` are made for that. */
pate_tails *pate_guess_tails(void);
void pate_query_read(pate_query *q, const pate_account *of, const mpq_t *votes, size_t classes,
                     mpq_srcptr threshold, pate_tails *tails);

/* lq encloses ln q of the published bound q on the probability that a class other than the first
 * one wins: of Laplace noise sum (2+g)/(4 e^g), g = inverse_scale times the gap, of Gaussian noise
 * 1/2 sum erfc(gap/(2 sigma)), at most 1 - 1/classes. -infinity for one class. `known` may be NULL;
 * it has the precision of lq. */
void pate_log_q(mpfi_t lq, const pate_account *a, const pate_query *q, pate_tails *known);

/* lq encloses ln of the smaller probability of the two answers of the threshold test. */
void pate_log_q_test(mpfi_t lq, const pate_account *a, const pate_query *q, mpq_srcptr threshold);

/* r = the lesser of itself and of the bound at alpha of one query that the two data sets see at
 * most `epsilon` apart, in both directions. */
void pate_pair_dependent(mpfi_t r, const mpfi_t lq, const mpq_t epsilon, mpq_srcptr alpha);

/* r = the bound of one query at alpha; the second for noise of variance v on a sensitivity of
 * sqrt(2): 2 threshold^2 for the test. */
void pate_lnmax_dependent(mpfi_t r, const mpfi_t lq, const mpq_t inverse_scale, mpq_srcptr alpha);
void pate_gnmax_dependent(mpfi_t r, const mpfi_t lq, const mpq_t variance, mpq_srcptr alpha);

/* r of all queries; `of` is a pate_votes. Of confident-gnmax every query that is asked is charged
 * for its test and for an answer, for which of them are answered depends on the noise. */
void pate_votes_curve(mpfi_t r, const void *of, mpq_srcptr alpha);

/* The same about, in doubles. */
void pate_votes_guess(mpfi_t r, const void *of, mpq_srcptr alpha);

/* out = sum of log moments of the 2017 script at alpha - 1 = l, a whole number: its condition is q
 * < 1/2, beyond which its formula is no bound, and may be negative. */
void pate_script_moment(mpfi_t out, const pate_votes *v, unsigned long l);

/* DP bagging: of each record, for each query, the fractions of the teachers that hold it by the
 * class they vote for. */
typedef struct pate_shares {
    const pate_account *of;
    size_t records, queries;
    pate_query *query;   /* their votes, NULL where they are not given */
    mpq_t *spread, *far; /* distinct: 1 + the largest fraction - the least one, 1 - the least one */
    size_t spreads;
    size_t *asked; /* of each: the query that it is of, where there are votes */
    uint32_t *at;  /* of each record, of each query: the place of its value */
    mpq_t square;  /* the largest sum over a record's queries of the largest fraction squared */
} pate_shares;

/* Lines of queries times classes fractions, and the votes of each query or NULL, which must outlive
 * it. DP_MEMORY; safe to clear. */
dp_status pate_shares_init(pate_shares *s, const pate_account *of, const mpq_t *shares,
                           const mpq_t *votes, size_t records, size_t queries, size_t classes);
void pate_shares_clear(pate_shares *s);

/* r = the most, over records, of the sum over queries of the least of what inverse_scale * spread
 * allows, of two Laplace mechanisms at inverse_scale * far, and with votes of pate_pair_dependent;
 * `of` is a pate_shares. The second about, in doubles. */
void pate_shares_curve(mpfi_t r, const void *of, mpq_srcptr alpha);
void pate_shares_guess(mpfi_t r, const void *of, mpq_srcptr alpha);

/* What a per-instance row is asked, at an order that was chosen. */
typedef struct pate_instance_in {
    pate_in in;
    renyi_curve curve;
    const pate_votes *votes;
    const pate_shares *shares;
} pate_instance_in;

/* Chooses the order; false: none gives anything. */
bool pate_instance_order(mpq_t alpha, const renyi_curve *guess, const pate_in *q);

extern const bound pate_lnmax_instance, pate_gnmax_instance, pate_lnmax_script;
extern const bound pate_bagging_instance, pate_bagging_published;
dp_status pate_eval_instance(dp_figure *out, const void *in, const wanted *want);

#define PATE_INSTANCE                                                                              \
    "the actual data set and its neighbours, in that direction only; queries fixed in advance; "   \
    "the figure is itself computed from private votes, and must not be published"

#endif
