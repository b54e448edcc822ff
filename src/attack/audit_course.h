/* SPDX-License-Identifier: MIT */
/* Plans of trials with a coin, or of one run, for an attack of known accuracy. */
#ifndef ATTACK_AUDIT_COURSE_H
#define ATTACK_AUDIT_COURSE_H

#include "attack/audit.h"
#include "attack/audit_walk.h"

/* A number between two doubles. */
typedef struct between {
    double low, high;
} between;

/* The least number that refutes of n, or n where none does, and how often it is reached. */
typedef struct course {
    const audit_in *in;
    walk claim, attack; /* the attack by the lesser side of its power */
    between alpha, delta, asked;
    bool leaks, refuted, sound;
} course;

/* Before the first trial. */
course course_from(const audit_in *in, const share *claim, const share *attack);
/* One trial more. Is the power then proved to be at least that asked? */
bool course_step(course *c);
/* Is the claim refuted by so many right of n? */
bool course_refutes(const audit_in *in, unsigned long hits, unsigned long n);

/* ---- audit_far.c ---- */

/* Is the claim refuted where Pr[Bin(n, claim) >= hits] is at most alpha, and the attack right more
 * often than it allows? Then what a randomised rule of that level detects grows with n. */
bool course_grows(const audit_in *in, const share *claim, const share *attack);
/* About the number of trials at which that is the power asked, or more than BINOMIAL_MOST. */
double course_guess(const audit_in *in, const share *claim, const share *attack);
/* Is the power of every number up to n proved to be less than that asked? */
bool course_is_weak_up_to(unsigned long n, const course *c, const share *claim,
                          const share *attack);
/* Is that of every number from where the course stands proved to be at least that? */
bool course_is_strong_on(const course *c, const share *claim, const share *attack);
/* n = the least number of many trials from which on, to twice as many, the power is that asked.
 * DP_UNAVAILABLE: more than BINOMIAL_MOST. DP_UNDECIDED: not many, or not told; DP_LIMIT. */
dp_status course_far(mpz_t n, course *c, const share *claim, const share *attack,
                     const limits *lim);

#endif
