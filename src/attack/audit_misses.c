/* SPDX-License-Identifier: MIT */
#include "attack/audit_misses.h"

#include <math.h>

#include "attack/quantile.h"

#define BITS 128
#define PARTS 1024 /* of a miss */

#define EVEN_BITS 40

static bool is_even(const share *level)
{
    mpfi_t x;
    mpfi_init2(x, BITS);
    mpfi_sub(x, level->yes, level->no); /* 2 L - 1 */
    mpfi_abs(x, x);
    bool even = mpfr_cmp_ui_2exp(&x->right, 1, 1 - EVEN_BITS) <= 0;
    mpfi_clear(x);
    return even;
}

/* For z > 0 the lower end of it, for z < 0 too: more misses. Next to 1/2, by 2^-40, |z| is below
 * 2^-38, and what is said of z < 0 holds for all. */
bool misses_init(miss_curve *m, const share *odds, const share *level)
{
    mpfi_t z;
    mpfi_init2(z, BITS);
    m->odds = odds;
    mpfr_init2(m->most, BITS);
    bool even = is_even(level), told = even || upper_quantile(z, level);
    if (even) {
        mpfr_set_ui_2exp(&z->left, 1, 2 - EVEN_BITS, MPFR_RNDN);
        mpfr_neg(&z->left, &z->left, MPFR_RNDN);
    }
    m->few = told && mpfr_sgn(&z->left) > 0;
    mpfr_sqr(m->most, &z->left, m->few ? MPFR_RNDD : MPFR_RNDU);
    mpfr_div_2ui(m->most, m->most, 1, MPFR_RNDD);
    mpfi_clear(z);
    return told;
}

void misses_clear(miss_curve *m)
{
    mpfr_clear(m->most);
}

/* r KL, x = r (1-q) - d: -d ln(1 + x/d) + (r-d) ln(1 + x/(r q)) */
static double guess_divergence(double r, double d, double no)
{
    double x = r * no - d;
    return -d * log1p(x / d) + (r - d) * log1p(x / (r * (1 - no)));
}

void misses_divergence(mpfi_t out, unsigned long r, mpfr_srcptr d, const share *q)
{
    mpfi_t x, part;
    mpfi_init2(x, BITS);
    mpfi_init2(part, BITS);
    mpfi_mul_ui(x, q->no, r);
    mpfi_sub_fr(x, x, d);
    mpfi_div_fr(part, x, d);
    mpfi_log1p(part, part);
    mpfi_mul_fr(part, part, d);
    mpfi_div_ui(x, x, r);
    mpfi_div(x, x, q->yes);
    mpfi_log1p(x, x);
    mpfi_mul_ui(out, x, r);
    mpfi_mul_fr(x, x, d);
    mpfi_sub(out, out, x);
    mpfi_sub(out, out, part);
    mpfi_clear(part);
    mpfi_clear(x);
}

static double guess(const miss_curve *m, unsigned long count)
{
    double r = (double)count, no = mpfi_get_d(m->odds->no), most = mpfr_get_d(m->most, MPFR_RNDN);
    double low = m->few ? 0 : r * no, high = m->few ? r * no : r;
    for (int i = 0; i < 100 && low < high; i++) {
        double middle = (low + high) / 2;
        *((guess_divergence(r, middle, no) > most) == m->few ? &low : &high) = middle;
    }
    return low;
}

/* Is d >= D? For few it is where the divergence is at most that of D, or they are not few; for many
 * where it is at least that, beyond r (1-q). */
static bool is_above(const miss_curve *m, unsigned long r, const mpfr_t d)
{
    mpfi_t x;
    mpfi_init2(x, BITS);
    mpfi_mul_ui(x, m->odds->no, r);
    bool many = mpfr_lessequal_p(&x->right, d) != 0, above = many && m->few;
    if (!above && (many || m->few)) {
        misses_divergence(x, r, d, m->odds);
        above = m->few ? mpfr_lessequal_p(&x->right, m->most) != 0
                       : mpfr_greaterequal_p(&x->left, m->most) != 0;
    }
    mpfi_clear(x);
    return above;
}

/* Is d <= D, where these are many? It is up to r (1-q), and where the divergence is at most that of
 * D. */
static bool is_below(const miss_curve *m, unsigned long r, const mpfr_t d)
{
    mpfi_t x;
    mpfi_init2(x, BITS);
    mpfi_mul_ui(x, m->odds->no, r);
    bool below = mpfr_greaterequal_p(&x->left, d) != 0;
    misses_divergence(x, r, d, m->odds);
    below = below || mpfr_lessequal_p(&x->right, m->most) != 0;
    mpfi_clear(x);
    return below;
}

/* By parts of a miss from the guess, more each time. */
static bool seek(mpfr_t d, const miss_curve *m, unsigned long r, bool above)
{
    double parts = guess(m, r) * PARTS;
    bool is = false;
    parts = above ? ceil(parts) : floor(parts);
    for (int i = 1; i <= PARTS && !is; i *= 2) {
        double x = above ? parts + i : parts - i;
        if (!(x > 0 && x < (double)r * PARTS))
            break;
        mpfr_set_d(d, x, above ? MPFR_RNDU : MPFR_RNDD); /* whole, below 2^53 */
        mpfr_div_ui(d, d, PARTS, above ? MPFR_RNDU : MPFR_RNDD);
        is = above ? is_above(m, r, d) : is_below(m, r, d);
    }
    return is;
}

bool misses_above(mpfr_t d, const miss_curve *m, unsigned long r)
{
    return seek(d, m, r, true);
}

bool misses_below(mpfr_t d, const miss_curve *m, unsigned long r)
{
    return !m->few && seek(d, m, r, false);
}
