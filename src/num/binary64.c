/* SPDX-License-Identifier: MIT */
/* Doubles whose errors are proved: what the machine must grant, and units of the circle. */
#include "num/binary64.h"

#include <fenv.h>
#include <float.h>

#include "num/cdisc.h"
#include "num/wide.h"

bool binary64_is_sound(void)
{
#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD == 0 && FLT_RADIX == 2 && DBL_MANT_DIG == 53 &&    \
    DBL_MAX_EXP == 1024 && !defined(__FAST_MATH__)
    volatile double least = DBL_MIN, tiny = 0x1p-1074, one = 1, u = BINARY64_U;
    volatile double half = least / 2, grown = tiny * 0x1p60, tie = one + u, up = one + 3 * u;
    return fegetround() == FE_TONEAREST && half != 0 && grown > 0 && tie == one &&
           up == one + 4 * u;
#else
    return false;
#endif
}

unsigned binary64_width(void)
{
#if BINARY64_WIDTHS == 3
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
        return 2;
    if (__builtin_cpu_supports("avx2"))
        return 1;
#endif
    return 0;
}

#define WORK_BITS 128
#define EIGHTH (BINARY64_UNITS / 8)

/* By rotation, within 600 2^-128 of the truth, and rounded once: within u/2 of it and next to
 * nothing. The other eighths mirror the first one: (j + 1/2)/1024 becomes (127 - j + 1/2)/1024. */
void binary64_circle_init(binary64_circle *c)
{
    cdisc at, step, scratch;
    cdisc_init(&at, WORK_BITS);
    cdisc_init(&step, WORK_BITS);
    cdisc_init(&scratch, WORK_BITS);
    cdisc_unit(&at, 1, BINARY64_UNITS);
    cdisc_unit(&step, 1, BINARY64_UNITS / 2);
    for (unsigned j = 0; j < EIGHTH; j++) {
        unsigned mirror = 2 * EIGHTH - 1 - j;
        c->cosine[j] = c->sine[mirror] = mpfr_get_d(at.re, MPFR_RNDN);
        c->sine[j] = c->cosine[mirror] = mpfr_get_d(at.im, MPFR_RNDN);
        cdisc_mul(&at, &at, &step, &scratch);
    }
    for (unsigned j = 2 * EIGHTH; j < BINARY64_UNITS; j++) { /* a quarter on */
        c->cosine[j] = -c->sine[j - 2 * EIGHTH];
        c->sine[j] = c->cosine[j - 2 * EIGHTH];
    }
    cdisc_clear(&scratch);
    cdisc_clear(&step);
    cdisc_clear(&at);
}

void binary64_turn_set(binary64_turn *t, mpfr_srcptr x)
{
    mpfr_t part;
    mpz_t turn, low;
    mpfr_init2(part, mpfr_get_prec(x));
    mpz_inits(turn, low, NULL);
    mpfr_mul_2ui(part, x, 128, MPFR_RNDN);
    mpfr_get_z(turn, part, MPFR_RNDD);
    mpz_fdiv_r_2exp(low, turn, 64);
    mpz_fdiv_q_2exp(turn, turn, 64);
    mpz_fdiv_r_2exp(turn, turn, 64);
    t->high = t->low = 0;
    wide_get_z(&t->high, turn);
    wide_get_z(&t->low, low);
    mpz_clears(turn, low, NULL);
    mpfr_clear(part);
}

#define REST_BITS (64 - BINARY64_UNIT_BITS)
#define UNIT_TURN 0x1.921fb54442d18p-62 /* 2 pi 2^-64, to nearest */

/* With a the angle beyond the nearest entry C + i S of the table, |a| <= 2^53 2 pi 2^-64 < 0.00307:
 * the integer is exact as a double, a within 2u relative. To sin a and cos a - 1 what is cut off is
 * below a^6/720 < 0.011u, and the roundings of the corrections are a few u of 0.0031: together
 * below 0.06u. The last sum rounds by u/2 each part: it is at most 1 but for what was wrong before,
 * and rounding what is beyond 1 leads back. The table is wrong by u/2 each part; both make u/sqrt 2
 * as complex numbers, and an error of the phase by 3 units 3 2 pi 2^-64 < 0.01u. The sum is 1.49u.
 */
void binary64_unit(double *re, double *im, const binary64_circle *c, uint64_t phase)
{
    unsigned j = (unsigned)(phase >> REST_BITS);
    int64_t rest =
        (int64_t)(phase & ((UINT64_C(1) << REST_BITS) - 1)) - (INT64_C(1) << (REST_BITS - 1));
    double a = (double)rest * UNIT_TURN, a2 = a * a, cosine = c->cosine[j], sine = c->sine[j];
    double sin = a + a * (a2 * (-1.0 / 6 + a2 * (1.0 / 120)));
    double versine = a2 * (-0.5 + a2 * (1.0 / 24));
    *re = cosine + (cosine * versine - sine * sin);
    *im = sine + (sine * versine + cosine * sin);
}

void binary64_units(double re[BINARY64_BLOCK], double im[BINARY64_BLOCK], const binary64_circle *c,
                    binary64_turn t)
{
    for (uint64_t n = 0; n < BINARY64_BLOCK; n++)
        binary64_unit(&re[n], &im[n], c, binary64_phase(t, n));
}
