/* SPDX-License-Identifier: MIT */
/* The domains of parameters, as data: the library and the program that stands on it refuse the same
 * values, with the same words. */
#ifndef NUM_DOMAIN_H
#define NUM_DOMAIN_H

#include <stdbool.h>

#include "dpacct/number.h"

/* num/den, itself inside or not; den 0: no end on this side. */
typedef struct domain_end {
    unsigned num, den;
    bool open;
} domain_end;

typedef struct domain {
    domain_end low, high;
    bool whole, odd;  /* integers only, odd ones only                                        */
    bool log;         /* ln(R) too: the low end is then 0, and the high one is about rationals */
    size_t bits;      /* of numerator and denominator at most; 0: 2^24                      */
    const char *must; /* what would be right, after the name of the parameter               */
} domain;

extern const domain domain_count;          /* 1, 2, 3, ...                                   */
extern const domain domain_odd_count;      /* 1, 3, 5, ...                                   */
extern const domain domain_digits;         /* 1 to 10000                                     */
extern const domain domain_jobs;           /* 1 to 64                                        */
extern const domain domain_loss;           /* a privacy loss: a number >= 0, or ln(R), R >= 1 */
extern const domain domain_base_loss;      /* of a learner: at most 10^8                     */
extern const domain domain_probability;    /* [0, 1]                                         */
extern const domain domain_short_share;    /* [0, 1], of which exact products are formed     */
extern const domain domain_vote_mean;      /* [1/2, 1], likewise                             */
extern const domain domain_slack;          /* (0, 1)                                         */
extern const domain domain_positive;       /* (0, inf)                                       */
extern const domain domain_short_positive; /* (0, inf), likewise                            */
extern const domain domain_real;
extern const domain domain_not_negative; /* [0, inf)                                       */
extern const domain domain_votes;        /* [0, inf), of which exact sums are formed       */
extern const domain domain_order;        /* (1, inf): of Renyi divergence                  */

/* What is wrong with x as a value of the domain: static text that follows the name of a parameter.
 * NULL when nothing is. Rationals must be in lowest terms, as GMP wants them. */
const char *domain_fault(const domain *d, const dp_number *x);
const char *domain_fault_q(const domain *d, mpq_srcptr x);
const char *domain_fault_z(const domain *d, mpz_srcptr x);

#endif
