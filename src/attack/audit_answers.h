/* SPDX-License-Identifier: MIT */
/* What a plan of two samples looks up: tails of one number of trials, and what was told before. */
#ifndef ATTACK_AUDIT_ANSWERS_H
#define ATTACK_AUDIT_ANSWERS_H

#include "attack/audit.h"
#include "attack/binomial.h"

#define TAILS_BITS 64

/* Pr[Bin(n, rate) >= k] for k from `from` to `to`; nothing at n = 0. */
typedef struct tails {
    mpq_srcptr rate;
    unsigned long n, from, to;
    size_t room; /* how many numbers are initialised */
    mpfi_t *of;
} tails;

void tails_clear(tails *t);
/* Of n trials, for these k at least, cut at n. Where memory ends there is nothing, as for the rates
 * 0 and 1. */
void tails_fill(tails *t, unsigned long n, unsigned long from, unsigned long to);
/* out = Pr[Bin(n, rate) >= k], k of any size, by the table or without it. */
void tails_beyond(mpfi_t out, const tails *t, unsigned long k, unsigned long n);

#define ANSWERS_MOST 512

/* The last answers, whether d misses and f false positives of n and n trials refute. */
typedef struct answers {
    struct {
        unsigned n, d, f;
        bool refute;
    } answer[ANSWERS_MOST];
    size_t count; /* of all that were noted */
} answers;

/* Fewer of either refute more, and so do the same of more trials: DP_UNKNOWN where no answer says
 * it. */
dp_decision answers_recall(const answers *t, unsigned long d, unsigned long f, unsigned long n);
void answers_note(answers *t, unsigned long d, unsigned long f, unsigned long n, bool refute);

#endif
