/* SPDX-License-Identifier: MIT */
/* One level of effort at the inverse of the optimal profile. */
#ifndef ENGINE_INVERSION_H
#define ENGINE_INVERSION_H

#include "engine/invert.h"

/* The search at one level of effort. */
typedef struct inversion {
    const limits *lim;
    profile *p;
    mpfi_t target; /* s* */
    mpfi_t proved; /* [0, top] at first: encloses epsilon */
    mpfi_t at, s;
    mpfr_t x, slope;
    mpfr_t low, high;   /* s(low) > s* >= s(high) for the ends that are compared */
    mpfr_t least, most; /* those ends of s(high) and s(low) */
    mpfr_t step, part;
    mpfr_prec_t work, enough; /* bits to work with, and of x that s can tell */
    mpfr_prec_t width;        /* of a bracket: s is known to about 2^-width of it */
    bool zero;                /* epsilon is 0 */
    bool floor;               /* s(0) was evaluated */
    bool lost;                /* x is too far from where the profile was opened */
    bool rough;               /* s was asked for a few bits only */
} inversion;

void inversion_init(inversion *v, const engine *e, const mpq_t delta, mpfr_prec_t bits,
                    const limits *lim);
void inversion_clear(inversion *v);

/* s at v->x, and what it proves: s(x) <= s* that epsilon <= x, s(x) >= s* that it is >= x. */
dp_status inversion_at(inversion *v);

/* The end of s that a bound of epsilon compares: upper epsilons need s from above. */
mpfr_srcptr inversion_value(const inversion *v, dp_end end);

/* step = to the root of the tangent to ln s, (s/slope) ln(s/s*), which overshoots where s is
 * log-concave; or to that of the tangent to s over e^x, ln(1 + (s - s*)/slope), which falls short:
 * s is convex there, and straight between two atoms. */
void inversion_tangent(inversion *v, dp_end end, bool of_log);

/* Moves x to about the solution of s(x) = s*; `again`: from where s was evaluated last. */
dp_status inversion_search(inversion *v, dp_end end, bool again);

/* From the solution outward by growing steps until the end is proved. */
dp_status inversion_prove(inversion *v, dp_end end);

/* What a level tells the next one, of brackets where several points cost one pass: about epsilon,
 * how far it may be away, how far the ends were from it, over the square of the step
 * (engine/extremal.h), and -d ln s / dx. */
typedef struct lead {
    bool known;
    mpfr_t at;
    double away, below, above, area, rate;
} lead;

void lead_init(lead *l);
void lead_clear(lead *l);

/* The gap for which both ends, each rounded outward to that many digits, are next to each other, by
 * the lead after `gap`: about. Where epsilon may be on either side of a decimal, one that tells. */
double lead_gap(const lead *l, double gap, size_t digits);

/* Both ends by one pass, from the lead: with U >= s >= L at x0 < x1 < x2 and U(x1) >= s* >= U(x2),
 * as s is convex in e^x, the chord of U from x1 to x2 is above s: where it is s*, epsilon has an
 * upper end; the line through U(x0) and L(x1) is below s beyond x1: where it is s*, a lower one.
 * What is proved goes into v->proved. False where the points do not lie so. */
bool inversion_by_chords(inversion *v, const lead *l, double gap, dp_status *status);

/* Both ends by guesses, each pair evaluated at once; and by the lead, where there is one. Leaves
 * what there is for the next level in l. False where they are not found. */
bool inversion_by_pairs(inversion *v, lead *l, double gap, dp_status *status);

#endif
