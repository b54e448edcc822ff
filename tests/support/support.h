/* SPDX-License-Identifier: MIT */
/* What the unit tests share. cmocka wants its headers in this order. */
#ifndef SUPPORT_H
#define SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdbool.h>

#include "dpacct/account.h"
#include "dpacct/dpacct.h"

/* A deterministic stream of numbers: xorshift64*. */
typedef struct rng {
    uint64_t state;
} rng;

rng rng_make(uint64_t seed);
uint64_t rng_next(rng *r);
size_t rng_below(rng *r, size_t n);
uint64_t rng_wide(rng *r, uint64_t n); /* below n */

/* How many random cases to try: n, times DPACCT_TEST_FACTOR where that is set. */
int rounds(int n);
/* Are there as many as usual, so that one may ask how often something was met among them? */
bool rounds_are_full(void);

/* Says why a program runs none of its tests; 0. */
int skip_all(const char *why);

/* Reads an exact number or fails the test. */
void number_of(dp_number *x, const char *text);
void rational_of(mpq_t q, const char *text);

/* lower <= q <= upper for a figure; infinite figures hold nothing. */
bool figure_holds_q(const dp_figure *x, const mpq_t q);
/* Do two enclosures of the same number have a point in common? */
bool figures_meet(const dp_figure *a, const dp_figure *b);
/* Is a <= b not refuted: is the lower end of a at most the upper end of b? */
bool figure_may_be_le(const dp_figure *a, const dp_figure *b);
bool figure_holds_fr(const dp_figure *x, const mpfr_t low, const mpfr_t high);

/* The figure of a named row, or NULL. */
const dp_figure *row_of(const dp_result *r, const char *theorem, const char *quantity);

/* Adds EPS,DELTA used `times` times. */
void list_add(dp_composition *c, const char *epsilon, const char *delta, unsigned long times);

/* delta of the optimum at an epsilon, or epsilon at a delta, into a fresh result. */
void ask_delta(dp_result *out, const dp_composition *c, const char *epsilon, size_t digits);
void ask_epsilon(dp_result *out, const dp_composition *c, const char *delta, size_t digits);

/* "gaussian sigma=2", a type and its parameters, as a mechanism. */
dp_mechanism *mechanism_of(const char *text);

/* A question at that delta; the epsilon that decides, as text to be freed. */
dp_question *at_delta(const char *delta);
char *epsilon_of(const dp_account *a, const dp_question *q);

#endif
