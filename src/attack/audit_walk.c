/* SPDX-License-Identifier: MIT */
/* Binomial tails one trial after another, in doubles that know how far they may be off. */
#include "attack/audit_walk.h"

#include <math.h>

#include "num/binary64.h"

#define U 0x1p-53
/* Of each product or quotient 1 + U, of `yes` and `no` 1 + 2U: a mass has six more factors (1 + U),
 * or fewer, a step. */
#define MASS_STEP (6 * U)
#define PART_STEP (8 * U)

static void rescale(walk *w)
{
    int by = w->side < 0x1p-512 ? WALK_SCALE : -WALK_SCALE;
    w->side = ldexp(w->side, by);
    w->mass = ldexp(w->mass, by);
    w->off = ldexp(w->off, by);
    w->scale += by > 0 ? 1 : -1;
}

/* Once more from the mass: Pr[Bin >= v] = mass (1 + s_1 (1 + s_2 (...))), s_j = (r-v-j+1)
 * yes/((v+j) no), or Pr[Bin < v] the same with failures for successes, from v - 1 on. The s_j fall,
 * from below 1 on. Each term has ten more factors (1 + U), or fewer, and each sum one; the rest is
 * a geometric series at most. */
static void sum_again(walk *w)
{
    double v = (double)w->v, rest = (double)(w->r - w->v), ratio, count = 0;
    double odds = w->lower ? w->no / w->yes : w->yes / w->no;
    double left = w->lower ? v - 1 : rest, at = w->lower ? rest + 2 : v + 1;
    double term = w->lower ? w->mass * v * odds / (rest + 1) : w->mass, sum = term;
    if (!(left * odds < 0.999 * at))
        return;
    do {
        ratio = left * odds / at;
        term *= ratio;
        sum += term;
        left--;
        at++;
        count++;
    } while (left > 0 && term > 1e-17 * sum);
    w->side = sum;
    w->off = sum * (w->doubt + (12 * count + 12) * U);
    if (left > 0)
        w->off += 1.001 * term * ratio / (1 - ratio);
}

#define ROUGH 0x1p-28 /* of what is off */

static void move(walk *w, double part, bool grows)
{
    w->off += part * (w->doubt + PART_STEP);
    w->side += grows ? part : -part;
    w->off += (w->side + part) * U;
    w->doubt += MASS_STEP;
    w->r++;
}

/* r + 1 trials, and v, 1 <= v <= r; Pr[Bin(r+1) >= v] = Pr[Bin(r) >= v] + q Pr[Bin(r) = v-1] */
static void step_right(walk *w)
{
    double part = w->mass * w->no, r = (double)w->r, v = (double)w->v;
    w->mass = part * (r + 1) / (r + 1 - v);
    move(w, part * v / (r + 1 - v), !w->lower); /* q Pr[v-1] = Pr[v] v (1-q)/(r-v+1) */
}

/* r + 1 trials, and v + 1: Pr[Bin(r+1) >= v+1] = Pr[Bin(r) >= v] - (1-q) Pr[Bin(r) = v] */
static void step_up(walk *w)
{
    double part = w->mass * w->no;
    w->mass *= w->yes * ((double)w->r + 1) / ((double)w->v + 1);
    move(w, part, w->lower);
    w->v++;
    if (w->v == w->r && !w->lower) { /* all right: q^r */
        w->side = w->mass;
        w->off = w->mass * w->doubt;
    }
}

/* Above it a step, of factors up to 2^25, has met no number below 2^-1022, where rounding is
 * coarser. What was once below it is lost for good: scaled, it would look well. */
#define NORMAL 0x1p-960

void walk_step(walk *w, bool stay)
{
    if (stay)
        step_right(w);
    else
        step_up(w);
    if (w->off > ROUGH * w->side && w->v < w->r)
        sum_again(w);
    if (!(w->side > NORMAL && w->mass > NORMAL))
        w->off = w->doubt = HUGE_VAL;
    if ((w->side < 0x1p-512 && w->side > 0) || (w->side > 1 && w->scale > 0))
        rescale(w);
}

walk walk_from(const share *odds, bool lower)
{
    double unknown = binary64_is_sound() ? 0 : HUGE_VAL; /* where nothing is told */
    return (walk){.yes = mpfi_get_d(odds->yes),
                  .no = mpfi_get_d(odds->no),
                  .side = !lower,
                  .mass = 1,
                  .off = unknown,
                  .doubt = unknown,
                  .lower = lower};
}

#define THERE_BITS 72

/* The mass is no more than 1 of the side's scale times 2^WALK_SCALE: what lies beyond doubles is
 * lost. */
walk walk_from_there(const share *odds, bool lower, unsigned long r, unsigned long v)
{
    walk w = walk_from(odds, lower);
    share tail;
    mpfi_t mass;
    share_init(&tail, THERE_BITS);
    mpfi_init2(mass, THERE_BITS);
    binomial_tail(&tail, mass, v, r, odds);
    mpfi_srcptr side = lower ? tail.no : tail.yes;
    scaled low = scaled_of(&side->left, MPFR_RNDD), high = scaled_of(&side->right, MPFR_RNDU);
    unsigned long by = (unsigned long)(WALK_SCALE * high.scale);
    mpfi_mul_2ui(mass, mass, by);
    double least = mpfr_get_d(&mass->left, MPFR_RNDD), most = mpfr_get_d(&mass->right, MPFR_RNDU);
    w.r = r;
    w.v = v;
    w.scale = high.scale;
    w.side = high.x;
    w.mass = most;
    bool told = low.scale == high.scale && low.x > NORMAL && least > NORMAL && most < 1 / NORMAL;
    w.off += told ? high.x - low.x + 8 * U * high.x : HUGE_VAL;
    w.doubt += told ? (most - least) / least + 8 * U : HUGE_VAL;
    mpfi_clear(mass);
    share_clear(&tail);
    return w;
}

scaled scaled_of(mpfr_srcptr x, mpfr_rnd_t way)
{
    long scale = mpfr_regular_p(x) && mpfr_get_exp(x) < 0 ? -mpfr_get_exp(x) / WALK_SCALE : 0;
    mpfr_t y;
    mpfr_init2(y, mpfr_get_prec(x));
    mpfr_mul_2ui(y, x, (unsigned long)(WALK_SCALE * scale), MPFR_RNDN);
    scaled s = {mpfr_get_d(y, way), scale};
    mpfr_clear(y);
    return s;
}

bool scaled_is_less(scaled a, scaled b)
{
    return a.scale == b.scale       ? a.x < b.x
           : a.scale == b.scale + 1 ? ldexp(a.x, -WALK_SCALE) < b.x
           : a.scale == b.scale - 1 ? a.x < ldexp(b.x, -WALK_SCALE)
                                    : a.scale > b.scale;
}
