/* SPDX-License-Identifier: MIT */
/* Arithmetic in doubles with proved errors, in blocks of 64 elements. Only + - * / and integers:
 * no function of libm takes part, each element is computed by itself, and sums go by a fixed tree,
 * so the bits do not depend on the compiler or on the width of the machine's vectors. Wants
 * -ffp-contract=off; a fused product would change bits, not bounds. u = 2^-53. */
#ifndef NUM_BINARY64_H
#define NUM_BINARY64_H

#include <mpfr.h>
#include <stdbool.h>
#include <stdint.h>

#define BINARY64_BLOCK 64
#define BINARY64_U 0x1p-53
#define BINARY64_UNIT_BITS 10
#define BINARY64_UNITS (1U << BINARY64_UNIT_BITS)
/* Errors, in units of u: of a unit as a complex number, of e^-y relative to it. */
#define BINARY64_UNIT_ERROR 1.6
#define BINARY64_EXP_ERROR 4.0

/* Are these the doubles that the proofs are about? IEEE 754, rounded to nearest, denormals kept:
 * a caller may have set the processor otherwise. */
bool binary64_is_sound(void);

/* The widest vectors of this machine: 0, 1 or 2, an index of functions that are made for each. */
unsigned binary64_width(void);

/* e^(2 pi i (j + 1/2) / 1024), rounded to nearest */
typedef struct binary64_circle {
    double cosine[BINARY64_UNITS], sine[BINARY64_UNITS];
} binary64_circle;

void binary64_circle_init(binary64_circle *c);

/* What advances by this part of a turn from node to node, to 2^-128 turns. */
typedef struct binary64_turn {
    uint64_t high, low;
} binary64_turn;

/* x modulo 1; x has 128 bits or more behind the point, of which an error below 2^-127 is no
 * matter. */
void binary64_turn_set(binary64_turn *t, mpfr_srcptr x);

/* n turns modulo 1 in units of 2^-64, within 3 of them for n < 2^32: 2^-128 turns make n 2^-64 of a
 * unit each, `low` is cut off by less than 2^32, which makes n 2^-32, and the shift drops less than
 * 1. Nothing adds up from node to node. */
static inline uint64_t binary64_phase(binary64_turn t, uint64_t n)
{
    return t.high * n + (((t.low >> 32) * n) >> 32);
}

/* re + i im = e^(2 pi i phase 2^-64) to BINARY64_UNIT_ERROR, an error of the phase by 3 units
 * included. */
void binary64_unit(double *re, double *im, const binary64_circle *c, uint64_t phase);
/* The same at the nodes 0, 1, ..., 63. */
void binary64_units(double re[BINARY64_BLOCK], double im[BINARY64_BLOCK], const binary64_circle *c,
                    binary64_turn t);

/* What is made for vectors of each width: one body, inlined where it may use them. */
#if defined(__x86_64__) && defined(__GNUC__)
#define BINARY64_WIDTHS 3
#define BINARY64_AVX2 __attribute__((target("avx2")))
#define BINARY64_AVX512 __attribute__((target("avx2,avx512f,avx512dq")))
#else
#define BINARY64_WIDTHS 1
#endif
#ifdef __GNUC__
#define BINARY64_BODY static inline __attribute__((always_inline))
#else
#define BINARY64_BODY static inline
#endif

/* ln 2 = LN2_HIGH + LN2_LOW to 2^-86; the first has 32 bits, so that a multiple by 11 bits is
 * exact. */
#define BINARY64_LN2_HIGH 0x1.62e42feep-1
#define BINARY64_LN2_LOW 0x1.a39ef35793c76p-33

/* g = e^-y, 0 <= y <= 700, within 4u relative. With N = y / ln 2 rounded, by 1.5 2^52 whose last
 * bits then hold it, N <= 1010: r = N ln 2 - y is exact but for the last two operations, |r| <=
 * 0.3467, r within 0.4u. In e^r = 1 + r q, q = 1 + r/2 + ... + r^12/13!, the Horner sum has 1/2 +
 * r(...) within 2u, so q within 3u 0.35 0.62 + 1.2u < 1.9u; r q within 0.35 1.9u + 1.2 0.4u + 0.42u
 * < 1.6u; what is cut off is r^14/14! < 0.05u. The last sum rounds by u/2 below 1 and by u above:
 * (1.65u + u/2)/0.707 and 2.65u are at most 3.1u. The power of 2 is exact. */
BINARY64_BODY double binary64_exp_neg(double y)
{
    union {
        double number;
        uint64_t bits;
    } n, scale;
    n.number = y * 0x1.71547652b82fep0 + 0x1.8p52;
    double whole = n.number - 0x1.8p52;
    double r = (whole * BINARY64_LN2_HIGH - y) + whole * BINARY64_LN2_LOW;
    double q = 1.0 / 6227020800;
    q = q * r + 1.0 / 479001600;
    q = q * r + 1.0 / 39916800;
    q = q * r + 1.0 / 3628800;
    q = q * r + 1.0 / 362880;
    q = q * r + 1.0 / 40320;
    q = q * r + 1.0 / 5040;
    q = q * r + 1.0 / 720;
    q = q * r + 1.0 / 120;
    q = q * r + 1.0 / 24;
    q = q * r + 1.0 / 6;
    q = q * r + 0.5;
    q = q * r + 1;
    scale.bits = (UINT64_C(1023) - (n.bits & 0x7ff)) << 52;
    return (1 + r * q) * scale.number;
}

#endif
