/* SPDX-License-Identifier: MIT */
/* Directed decimals: the only place where figures become text. Every function says which way it
 * rounds; nothing here depends on the locale or on stdio. */
#ifndef NUM_DECIMAL_H
#define NUM_DECIMAL_H

#include <gmp.h>
#include <mpfr.h>
#include <stdbool.h>
#include <stddef.h>

#include "dpacct/figure.h"

/* sign * 0.d1 d2 ... dn * 10^point, d1 != 0; or zero, or infinity. */
typedef struct dec {
    int sign; /* -1, 0, 1 */
    bool infinite;
    bool exact; /* the decimal is the number itself: zeros at the end are dropped; of a float that
                 * takes all its digits it may stay unset */
    long point;
    size_t count;
    char *digit; /* count characters '0'..'9', not terminated by convention of the users */
    size_t room;
    char local[64];
} dec;

void dec_init(dec *d);
void dec_clear(dec *d);

/* d = x rounded down (DP_LOWER) or up (DP_UPPER) to n significant digits, n >= 1. False when out
 * of memory. */
bool dec_set_fr(dec *d, mpfr_srcptr x, dp_end end, size_t n);
bool dec_set_q(dec *d, const mpq_t x, dp_end end, size_t n);
bool dec_set_figure(dec *d, const dp_figure *x, dp_end end, size_t n);

/* d = x rounded that way to n digits where x has one word and n and the exponent are small: false,
 * with nothing set, where they are not. */
bool dec_set_short(dec *d, mpfr_srcptr x, mpfr_rnd_t way, size_t n);
bool dec_set_short_q(dec *d, const mpq_t x, dp_end end, size_t n); /* x > 0 of two words */

/* Drops zeros at the end. */
void dec_strip(dec *d);
/* Zeros up to n digits, of a number that is not the decimal itself; false: out of memory. */
bool dec_fill(dec *d, size_t n);

/* q = the decimal; false when it is infinite or its exponent is beyond that of a literal. */
bool dec_get_q(mpq_t q, const dec *d);

/* q = x rounded to that side as a decimal of n digits; false: out of memory, or out of range */
bool dec_round_fr(mpq_t q, mpfr_srcptr x, dp_end end, size_t n);

/* True when hi is lo, or at most one unit of the n-th digit above it: no enclosure of an
 * irrational number that is rounded outward can agree more closely. */
bool dec_agree(const dec *lo, const dec *hi, size_t n);

/* -1, 0, 1: exact comparison of the decimals */
int dec_cmp(const dec *a, const dec *b);

/* Writes the decimal (no terminator) and returns its length; at most dec_size(d) characters.
 * Plain notation for 0.01 <= |d| with few digits, d.ddde-7 otherwise. */
size_t dec_size(const dec *d);
size_t dec_print(char *out, const dec *d);
/* For people: plain notation for 0.0001 <= |d| with few digits. */
size_t dec_print_text(char *out, const dec *d);

/* The smallest double not below d (DP_UPPER): infinity beyond the largest one, never 0 for d > 0.
 * Or the largest double not above d (DP_LOWER): 0 for a d > 0 below all of them. */
double dec_double(const dec *d, dp_end end);

/* Writes a JSON number: the shortest 17-digit text that reads back as a double on that side of d
 * and, read as a decimal, is on it too; the JSON string "Infinity" where there is none. Returns the
 * length, at most DEC_JSON_SIZE. */
#define DEC_JSON_SIZE 40
size_t dec_print_json(char *out, const dec *d, dp_end end);

#endif
