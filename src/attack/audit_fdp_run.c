/* SPDX-License-Identifier: MIT */
/* The recursion of onerun-fdp against mu-GDP in doubles whose errors are proved and charged, where
 * its steps are small. With R = m Phi(z) at count c, e the step of z that led there, and H = r N -
 * R = m Phi(z - e - mu), which the recursion has after each step, the next step e' of z has
 *   Phi(z + e') - Phi(z) = (c-1)/(r-c+1) (Phi(z - mu) - Phi(z - mu - e)), so that
 *   I(-z, e') = (c-1)/(r-c+1) e^(mu z - mu^2/2) I(z - mu, e), I(w, e) = integral_0^e e^(w s -
 * s^2/2): nothing is subtracted, and e' grows with z and with e, for I grows with both of its
 * arguments. So lower bounds of z and e lead to lower ones, and upper ones to upper ones. */
#include "attack/audit_fdp.h"
#include "attack/audit_fdp_average.h"

#include <math.h>

#include "num/binary64.h"

#define WIDEST 0x1p-4
#define MOST_COUNTS (1UL << 20)

/* e' = e (1 + t). With a = (c-1)/(r-c+1) - 1 within u |a|, g = e^(mu (z - mu/2)) - 1 within 10 u b,
 * b = mu (|z| + mu), errors of mu and z by u of themselves included, and s of I(z - mu, e) within
 * 8u x + cut (x^16, and 2^-70 for fewer terms): 1 + t = (1+a)(1+g)(1+s)/(1+s'), s' of I(-z, e'),
 * solved by Newton's method in terms that are small: the slope e^(-z e' - e'^2/2) is 1 - z e'
 * within x^2 + x |off|, so that after the last step t is off by no more than 2 |off| (x^2 + |off|),
 * 2^-60 at most, and by roundings, |t| <= 1/2, |a| <= 1. All errors are at most spare. False where
 * that is not so. */
static inline bool next_step(double *t, double *spare, const fdp_run *q)
{
    double r = (double)q->guesses, k = (double)q->count, mu = q->mu, e = q->e, z = q->z;
    double a = (2 * k - r - 2) / (r - k + 1), far = fabs(z) + mu, b = mu * far;
    double x = (far + 1) * e * 1.6, square = x * x;
    if (!(x <= WIDEST && b <= 0.25 && a <= 0.5 && a >= -0.5))
        return false;
    int terms = fdp_terms(x);
    double four = square * square, cut = four * four * four * four;
    double g = fdp_growth(mu * (z - mu / 2)), s = fdp_average(z - mu, e, terms);
    g += s + g * s;
    double sought = a + g + a * g, off = 1;
    for (int i = 0; i < 8 && 2 * fabs(off) * (square + fabs(off)) > 0x1p-60; i++) {
        double after = e + e * *t, far_side = fdp_average(-z, after, terms);
        off = (*t + far_side + *t * far_side - sought) / (1 - z * after);
        *t -= off;
    }
    *spare = BINARY64_U * (24 * fabs(a) + 80 * b + 80 * x) + 4 * cut + 0x1p-59;
    return fabs(*t) <= 0.5 && 2 * fabs(off) * (square + fabs(off)) <= 0x1p-60;
}

/* z and e are sums of two doubles. What is left out of a product by the low part of e, and of a sum
 * of the two, is charged with t; a sum of z is off by less than 2^-100, which fdp_run_mass charges.
 */
static void advance(fdp_run *q, double t)
{
    double more = q->e * t + q->e_low, sum = q->e + more;
    q->e_low = more - (sum - q->e);
    q->e = sum;
    q->last = q->z;
    q->last_low = q->z_low;
    sum = q->z + q->e;
    double part = sum - q->z;
    q->z_low += (q->z - (sum - part)) + (q->e - part) + q->e_low;
    q->z = sum + q->z_low;
    q->z_low -= q->z - sum;
    q->count--;
}

/* Is N above 1, or what further counts add (audit_fdp.c) small against what is missing? */
static bool is_settled(const fdp_run *q)
{
    double r = (double)q->guesses, left = r - 2 * (double)q->count + 1;
    double room = 1.2 * q->slope * fmin(fabs(q->limit - q->z), 0.25);
    return q->last > q->limit || (left > 0 && q->e * r <= room * left);
}

#define LEAST_GAP 1e-3
#define TRAP_COUNTS 32

/* While z is at most `far` <= 0, far <= limit, I(z - mu, e) <= e and I(-z, e') >= e' (1 - e'^2/6),
 * so that a step is at most a share s = (c-1)/(r-c+1) e^(mu far - mu^2/2) (1 + e^2) of the one
 * before, at all further counts, as c falls. Where s < 1 and e s/(1-s) <= far - z all of them
 * together stay below far. Roundings are less than the parts that are left over. */
bool fdp_run_is_trapped(double *far, const fdp_run *q, double count)
{
    double all = fmin(q->limit, 0) - q->z, r = (double)q->guesses, left = 1e-9;
    if (!(q->e < WIDEST))
        return false;
    for (double gap = all / 2; gap > LEAST_GAP; gap /= 8) {
        *far = q->z + gap;
        double s = (count - 1) / (r - count + 1) * exp(q->mu * *far - q->mu * q->mu / 2);
        s *= (1 + q->e * q->e) * (1 + left);
        if (s < 1 && q->e * s <= (1 - left) * (1 - s) * gap)
            return true;
    }
    return false;
}

/* From above, as far as further counts may lead. */
static bool is_trapped(fdp_run *q)
{
    double far;
    if (!fdp_run_is_trapped(&far, q, (double)q->count))
        return false;
    q->trapped = true;
    if (q->end == FDP_ABOVE) {
        q->z = q->last = far;
        q->z_low = q->last_low = 0;
    }
    return true;
}

bool fdp_run_walk(fdp_run *q, const limits *lim)
{
    double t = 0, before = 0, direction = q->end == FDP_ABOVE ? 1 : -1;
    for (unsigned long steps = 0; steps < MOST_COUNTS && q->count > 1; steps++) {
        if (is_settled(q) || (steps % TRAP_COUNTS == TRAP_COUNTS - 1 && is_trapped(q)))
            return true;
        if (steps % 1024 == 0 && lim != NULL && limits_expired(lim))
            break;
        double spare, now = 2 * t - before;
        before = t;
        t = now;
        if (!next_step(&t, &spare, q))
            break;
        advance(q, t + direction * spare);
    }
    return false;
}

/* About where N = 1: Phi(z) + Phi(z - mu) = r/m. */
static double limit_of(const fdp_run *q)
{
    double low = -40, high = q->mu / 2 + 1, part = (double)q->guesses / q->canaries;
    for (int i = 0; i < 64 && low < high; i++) {
        double z = (low + high) / 2;
        *(fdp_normal(z) + fdp_normal(z - q->mu) < part ? &low : &high) = z;
    }
    return low;
}

void fdp_run_limit(fdp_run *q)
{
    q->limit = limit_of(q);
    q->slope = exp(-q->limit * q->limit / 2) * 0.3989;
}

static void split(double *high, double *low, mpfr_t x, mpfr_rnd_t round)
{
    *high = mpfr_get_d(x, MPFR_RNDN);
    mpfr_sub_d(x, x, *high, round);
    *low = mpfr_get_d(x, round);
}

#define RUN_BITS 192

/* x becomes Phi(x) from one side, |x| <= 40; its argument is moved by more than it was rounded. */
static void to_normal(mpfr_t x, fdp_end end)
{
    bool up = end == FDP_ABOVE;
    mpfr_t root;
    mpfr_init2(root, RUN_BITS);
    mpfr_sqrt_ui(root, 2, MPFR_RNDN);
    mpfr_div(x, x, root, MPFR_RNDN);
    mpfr_add_d(x, x, up ? 0x1p-170 : -0x1p-170, up ? MPFR_RNDU : MPFR_RNDD);
    mpfr_neg(x, x, MPFR_RNDN);
    mpfr_erfc(x, x, up ? MPFR_RNDU : MPFR_RNDD);
    mpfr_div_2ui(x, x, 1, MPFR_RNDN);
    mpfr_clear(root);
}

/* t = the quantile of y/m from one side, by Newton's method from a guess; is it proved? */
static bool quantile_of(mpfr_t t, const fdp_curve *c, const mpz_t y, fdp_end end)
{
    bool up = end == FDP_ABOVE;
    mpfr_t part, off, slope;
    mpfr_inits2(RUN_BITS, part, off, slope, (mpfr_ptr)0);
    mpfr_set_z(part, y, up ? MPFR_RNDU : MPFR_RNDD);
    mpfr_div_z(part, part, c->whole, up ? MPFR_RNDU : MPFR_RNDD);
    mpfr_set_d(t, fdp_quantile(c, y), MPFR_RNDN);
    for (int i = 0; i < 3; i++) {
        mpfr_set(off, t, MPFR_RNDN);
        to_normal(off, end);
        mpfr_sub(off, part, off, MPFR_RNDN);
        mpfr_sqr(slope, t, MPFR_RNDN);
        mpfr_div_2ui(slope, slope, 1, MPFR_RNDN);
        mpfr_exp(slope, slope, MPFR_RNDN);
        mpfr_mul_d(slope, slope, 2.50662827463100050242, MPFR_RNDN);
        mpfr_mul(off, off, slope, MPFR_RNDN);
        mpfr_add(t, t, off, MPFR_RNDN);
    }
    mpfr_add_d(t, t, up ? 0x1p-150 : -0x1p-150, MPFR_RNDN);
    mpfr_set(off, t, MPFR_RNDN);
    to_normal(off, up ? FDP_BELOW : FDP_ABOVE);
    bool is = up ? mpfr_cmp(off, part) >= 0 : mpfr_cmp(off, part) <= 0;
    mpfr_clears(part, off, slope, (mpfr_ptr)0);
    return is;
}

bool fdp_run_open(fdp_run *q, const fdp_curve *c, const mpz_t before, const mpz_t sum)
{
    if (mpz_sgn(before) <= 0 || mpz_cmp(sum, c->whole) >= 0)
        return false;
    double z = fdp_quantile(c, sum), e = z - fdp_quantile(c, before);
    q->mu = mpfi_get_d(c->mu);
    q->canaries = (double)c->canaries;
    if (!((fabs(z) + q->mu + 1) * e < WIDEST / 2) || q->mu * (fabs(z) + q->mu) > 0.25)
        return false;
    mpfr_t now, last;
    mpfr_inits2(RUN_BITS, now, last, (mpfr_ptr)0);
    bool up = q->end == FDP_ABOVE;
    mpfr_rnd_t round = up ? MPFR_RNDU : MPFR_RNDD;
    bool is = binary64_is_sound() && quantile_of(now, c, sum, q->end) &&
              quantile_of(last, c, before, up ? FDP_BELOW : FDP_ABOVE);
    if (is) {
        mpfr_sub(last, now, last, round);
        is = mpfr_cmp_d(last, 0x1p-80) > 0;
        split(&q->e, &q->e_low, last, round);
        split(&q->z, &q->z_low, now, round);
        q->last = q->last_low = NAN;
        fdp_run_limit(q);
    }
    mpfr_clears(now, last, (mpfr_ptr)0);
    return is;
}

/* x += Phi(z - shift), from one side, z 2^-80 farther out */
static void add_share(mpfr_t x, double high, double low, mpfr_srcptr shift, fdp_end end)
{
    bool up = end == FDP_ABOVE;
    mpfr_rnd_t round = up ? MPFR_RNDU : MPFR_RNDD;
    mpfr_t z;
    mpfr_init2(z, RUN_BITS);
    mpfr_set_d(z, high, round);
    mpfr_add_d(z, z, low, round);
    mpfr_add_d(z, z, up ? 0x1p-80 : -0x1p-80, round);
    if (shift != NULL)
        mpfr_sub(z, z, shift, round);
    to_normal(z, end);
    mpfr_add(x, x, z, round);
    mpfr_clear(z);
}

/* N = m (Phi(z) + Phi(z' - mu))/r at the count that was reached, z' of the one before; from above
 * with what further counts add (set_rest, audit_fdp.c), where (R - R')/m is below 0.4 e, if that is
 * not among it; 2 where that is more than 1. */
void fdp_run_mass(mpfr_t n, const fdp_run *q, const fdp_curve *c)
{
    bool up = q->end == FDP_ABOVE;
    mpfr_rnd_t round = up ? MPFR_RNDU : MPFR_RNDD;
    mpfr_set_zero(n, 1);
    if (isnan(q->last)) {
        mpfr_set_ui(n, up ? 2 : 0, round);
        return;
    }
    add_share(n, q->z, q->z_low, NULL, q->end);
    add_share(n, q->last, q->last_low, up ? &c->mu->left : &c->mu->right, q->end);
    mpfr_mul_ui(n, n, c->canaries, round);
    mpfr_div_ui(n, n, q->guesses, round);
    if (!up)
        return;
    bool known = q->trapped || 2 * q->count <= q->guesses;
    if (known && !q->trapped) {
        mpfr_t rest;
        mpfr_init2(rest, RUN_BITS);
        mpfr_set_d(rest, q->e * 0.41, MPFR_RNDU);
        mpfr_mul_ui(rest, rest, c->canaries, MPFR_RNDU);
        mpfr_div_ui(rest, rest, q->guesses - 2 * q->count + 1, MPFR_RNDU);
        mpfr_add(n, n, rest, MPFR_RNDU);
        mpfr_clear(rest);
    }
    if (!known || mpfr_cmp_ui(n, 1) > 0)
        mpfr_set_ui(n, 2, MPFR_RNDU);
}
