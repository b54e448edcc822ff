/* SPDX-License-Identifier: MIT */
/* Private aggregation of teachers' votes: what the noise of an aggregator spends. One record moves
 * one vote from a class to another, under either relation, as long as the assignment of the other
 * records to teachers does not move. */
#ifndef VOTE_PATE_H
#define VOTE_PATE_H

#include "core/bound.h"
#include "core/mechanism.h"
#include "dpacct/vote.h"
#include "num/limits.h"
#include "num/logform.h"
#include "renyi/conversion.h"

/* What is spent whatever the votes are. */
typedef struct pate_account {
    dp_aggregator kind;
    mpq_t scale; /* inverse_scale or sigma */
    mpq_t threshold;
    mpz_t asked, answered;
    bool capped; /* answered is the least of itself and asked */
} pate_account;

void pate_account_init(pate_account *a);
void pate_account_clear(pate_account *a);
void pate_account_set(pate_account *a, const pate_account *from);

/* mu^2 = asked / threshold^2 + 2 answered / sigma^2: the noisy votes and the noisy largest vote are
 * Gaussians with a vector that neighbours move by sqrt(2), and a number that they move by 1. Not
 * for lnmax. */
void pate_mu_squared(mpq_t mu2, const pate_account *a);

/* epsilon = 2 inverse_scale of one query of lnmax */
void pate_pure_epsilon(mpq_t epsilon, const pate_account *a);

/* r = the Renyi divergence of all noisy votes, alpha >= 1, exact: of the Gaussian alpha mu^2 / 2,
 * of lnmax twice that of Laplace noise at inverse_scale for each query, because two votes move by
 * one each. `of` is a pate_account. */
void pate_curve(mpfi_t r, const void *of, mpq_srcptr alpha);

/* About the same, for the search of an order. */
void pate_curve_guess(mpfi_t r, const void *of, mpq_srcptr alpha);

/* What a row is asked: delta at x, or epsilon at delta; exactly one of the two. */
typedef struct pate_in {
    const pate_account *of;
    const logform *x;
    mpq_srcptr delta;
    mpq_srcptr alpha; /* of pate_renyi; NULL: the best that is found */
} pate_in;

/* All are evaluated on a pate_in, which the engines of pate_laplace and pate_pure take too. */
extern const bound pate_gaussian, pate_laplace, pate_pure, pate_renyi, pate_moments,
    pate_stop_after;
dp_status pate_laplace_row(dp_result *out, void *in, const dp_options *opt);
dp_status pate_pure_row(dp_result *out, void *in, const dp_options *opt);

/* Appends the row of a profile: open is the epsilon or delta asked for, below 1. */
typedef dp_status (*pate_profile)(dp_figure *open, const pate_in *q, size_t digits,
                                  const limits *lim);
dp_status pate_profile_row(dp_result *out, const bound *b, const pate_in *q, pate_profile curve,
                           const dp_options *opt);

bool pate_is_laplace(const void *in);

/* Fills in what was asked about; false where delta alone decides, from 1 on. */
bool pate_given(dp_figure *out, const pate_in *q, mpfr_prec_t bits);

/* out = the epsilon or delta asked for, by the improved row at alpha, or by total variation near
 * order 1 where that gives less; then alpha becomes that order. */
void pate_convert(mpfi_t out, mpq_t alpha, const renyi_curve *c, const pate_in *q);

/* The published accountant for r = rho alpha: epsilon, delta, alpha. */
void pate_moments_figures(dp_figure *out, const pate_in *q, const mpq_t rho, mpfr_prec_t bits);

/* Is a query asked? Without any nothing is spent. */
bool pate_spends(const pate_account *a);

/* Does it ask at an epsilon, or at a delta between 0 and 1, as a row with an order needs? */
bool pate_has_order(const void *in);

#define PATE_2017                                                                                  \
    "Papernot, Abadi, Erlingsson, Goodfellow, Talwar 2017, Semi-supervised Knowledge Transfer "    \
    "for "                                                                                         \
    "Deep Learning from Private Training Data"
#define PATE_2018 "Papernot et al. 2018, Scalable Private Learning with PATE"
#define PATE_TEACHERS                                                                              \
    "one record belongs to one teacher, and the assignment of the others to teachers does not "    \
    "move with it (fixed by position or by a hash of each record, not by cutting what is there "   \
    "into equal chunks); queries may be chosen adaptively, their number and the noise are fixed "  \
    "in advance"

/* A row, and what it is to keep. */
typedef struct pate_budget {
    const bound *row;
    mpq_srcptr alpha; /* as in pate_in */
    const dp_number *max_epsilon;
    mpq_srcptr max_delta; /* below 1 */
    size_t digits;
    const limits *lim;
} pate_budget;

/* Is it proved by the row that all is within the budget? No only where it is proved not to be, of
 * the noisy votes. */
dp_decision pate_row_meets(const pate_account *a, const pate_budget *b);

/* The losses of the noisy votes of lnmax; to be cleared whatever is returned. */
dp_status pate_laplace_product(struct product *p, const pate_account *a);

/* The same of pate_laplace, and about how many queries it allows. */
dp_decision pate_laplace_meets(const pate_account *a, const logform *x, const pate_budget *b);
/* delta of the noisy votes at max_epsilon, to a few digits; false: none was had. */
bool pate_laplace_delta(mpfi_t out, const pate_account *a, const pate_budget *b);
/* About the sigma with which the row just keeps the budget, and the order there; false: no guess.
 */
bool pate_sigma_guess(mpq_t sigma, mpq_t alpha, const pate_account *a, const pate_budget *b);
void pate_laplace_guess(mpz_t n, const pate_account *a, const pate_budget *b);

/* The most queries, or the least sigma of the asked digits, that a row proves to keep the budget.
 * DP_NO: not even one query, or no sigma. DP_UNKNOWN: *a is what is proved to fit, where a number
 * is above 0 there. */
dp_decision pate_most_queries(pate_account *a, const pate_budget *b);
dp_decision pate_least_sigma(pate_account *a, const pate_budget *b);

/* NULL, or what is wrong with the parameters that an aggregator is given, and which. */
const char *pate_fault(const char **name, dp_aggregator kind, bool scale, bool sigma,
                       bool threshold);
const char *pate_count_fault(const char **name, dp_aggregator kind, const dp_number *asked,
                             const dp_number *answered);

/* From inverse_scale, sigma, sigma_threshold, queries, answered, of which those may be NULL that
 * the aggregator does not have or that have a default, and a sigma that is solved for. */
void pate_account_read(pate_account *a, dp_aggregator kind, const dp_number *const part[5]);

extern const mechanism_type mechanism_pate;

#endif
