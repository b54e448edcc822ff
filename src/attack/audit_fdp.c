/* SPDX-License-Identifier: MIT */
/* One run against a trade-off curve: the recursion over counts, from both sides; of mu-GDP. */
#include "attack/audit_fdp.h"

#include <math.h>

#include "attack/root.h"
#include "core/refine.h"
#include "num/ival.h"
#include "num/number.h"

/* p, the last step to the count c, becomes the most that all further ones add to N where they leave
 * it at most 1; false unless they do and, for a value, are no more than the roundings. As r N = R +
 * H and H >= m G(R'/m), R' the R before, N <= 1 has Phi(b) + Phi(a - mu) <= r/m <= 1, b and a the
 * quantiles of R/m and R'/m: a + b <= mu, so that [mu - b, mu - a] lies farther from 0 than [a, b],
 * and G(R/m) - G(R'/m) <= (R - R')/m = c p/m. The next step is hence at most p c/(r-c+1), whose
 * factors fall with c: all together at most p c/(r-2c+1), where N remains at most 1 with that. */
static bool set_rest(mpz_t p, const mpz_t n, const fdp_curve *c, const audit_in *in,
                     unsigned long count, bool side)
{
    if (count > in->members / 2)
        return false;
    mpz_t one;
    mpz_init(one);
    mpz_mul_ui(p, p, count);
    mpz_cdiv_q_ui(p, p, in->members - 2 * count + 1);
    mpz_set_ui(one, 1);
    mpz_mul_2exp(one, one, (mp_bitcnt_t)c->places);
    mpz_sub(one, one, n);
    bool is = mpz_cmp(p, one) <= 0 && (side || mpz_cmp_ui(p, in->hits - count) <= 0);
    mpz_clear(one);
    return is;
}

/* What N is sought for: its value; its side of 1, as far as doubles tell it or further. */
typedef enum fdp_for { FDP_VALUE, FDP_SIDE, FDP_NEAR_SIDE } fdp_for;

/* n = N by the rest of the recursion in doubles, from R = sum at q->count, and R = last at the
 * count before; false where that is not for doubles, or tells less than is sought. */
static bool by_doubles(mpz_t n, fdp_run *q, const fdp_curve *c, const limits *lim, fdp_for how)
{
    bool walked = fdp_run_walk(q, lim);
    if (!walked && !(lim != NULL && limits_expired(lim)))
        return false;
    mpfr_t mass;
    mpfr_init2(mass, c->places + 64);
    fdp_run_mass(mass, q, c);
    bool is = how != FDP_SIDE || (q->end == FDP_BELOW) == (mpfr_cmp_ui(mass, 1) > 0);
    if (is) {
        mpz_t told;
        mpz_init(told);
        mpfr_mul_2ui(mass, mass, (unsigned long)c->places, MPFR_RNDN);
        mpfr_get_z(told, mass, q->end == FDP_ABOVE ? MPFR_RNDU : MPFR_RNDD);
        if (mpz_cmp(told, n) > 0) /* N does not fall */
            mpz_set(n, told);
        mpz_clear(told);
    }
    mpfr_clear(mass);
    return is;
}

/* out = N after the last step, 2 where it is more: of Pr[W >= v] = tau, by
 *   p = max(0, (m G(R/m) - r N + R)/(r-c+1)),  N += p,  R += (c-1) p,  c = v..1.
 * All numbers are integers of one unit, so that sums are exact. Let another pair have N' = N + b
 * and R' - R >= c b, b >= 0, at count c: then it has so at c - 1 (p' >= p - b (r-c)/(r-c+1),
 * because G grows). A start or a p that is rounded down is such a step downward, (b, v b) and (b,
 * (c-1) b), one rounded up such a step upward: N comes out below, or above. It takes no interval,
 * whose width would double with each count. */
static void mass_of(mpz_t n, fdp_curve *c, const audit_in *in, const mpz_t tau, fdp_end end,
                    fdp_for how)
{
    fdp_run q = {.end = end, .guesses = in->members};
    bool side = how == FDP_SIDE || how == FDP_NEAR_SIDE,
         doubles = in->members >= FDP_FEW_GUESSES && how != FDP_VALUE;
    mpz_t sum, last, p, part, most, enough;
    mpz_inits(sum, last, p, part, most, enough, NULL);
    mpz_set_ui(most, 2);
    mpz_mul_2exp(most, most, (mp_bitcnt_t)c->places);
    mpz_div_2exp(enough, most, side ? 1 : 0);
    mpz_set(n, tau);
    mpz_mul_ui(sum, n, in->hits);
    for (unsigned long k = in->hits; k >= 1 && mpz_cmp(n, enough) <= 0; k--) {
        if ((k % 64 == 0 || k == in->hits) && in->lim != NULL && limits_expired(in->lim)) {
            if (end == FDP_ABOVE) /* N does not fall: what there is lies below */
                mpz_set(n, most);
            break;
        }
        if (mpz_cmp(sum, c->whole) > 0) { /* R <= m where N <= 1 */
            mpz_set(n, most);
            break;
        }
        fdp_inverse(p, c, sum, end);
        mpz_mul_ui(part, n, in->members);
        mpz_sub(p, p, part);
        mpz_add(p, p, sum);
        if (mpz_sgn(p) <= 0) /* and so it stays, as N and R do */
            break;
        (end == FDP_ABOVE ? mpz_cdiv_q_ui : mpz_fdiv_q_ui)(p, p, in->members - k + 1);
        mpz_add(n, n, p);
        mpz_set(last, sum);
        mpz_addmul_ui(sum, p, k - 1);
        q.count = k - 1;
        if (doubles && fdp_run_open(&q, c, last, sum)) {
            doubles = false;
            if (by_doubles(n, &q, c, in->lim, how))
                break;
        }
        if (set_rest(p, n, c, in, k - 1, side)) {
            if (end == FDP_ABOVE)
                mpz_add(n, n, p);
            break;
        }
    }
    if (mpz_cmp(n, most) > 0 || (end == FDP_ABOVE && mpz_cmp(n, enough) > 0))
        mpz_set(n, most);
    mpz_clears(sum, last, p, part, most, enough, NULL);
}

static void set_tau(mpz_t tau, const fdp_curve *c, const mpfi_t x, fdp_end end)
{
    mpfr_t y;
    mpfr_init2(y, mpfi_get_prec(x));
    mpfr_mul_2ui(y, end == FDP_ABOVE ? &x->right : &x->left, (unsigned long)c->places, MPFR_RNDN);
    mpfr_get_z(tau, y, end == FDP_ABOVE ? MPFR_RNDU : MPFR_RNDD);
    mpfr_clear(y);
}

/* The unit: small against tau, and against what is left of the bits by a root (root.c), once
 * for each count. */
static mpfr_prec_t places_for(mpfr_prec_t bits, unsigned long members, const mpfi_t tau)
{
    mpfr_prec_t more = mpfr_regular_p(&tau->right) && mpfr_get_exp(&tau->right) < 0
                           ? -mpfr_get_exp(&tau->right)
                           : 0;
    for (; members > 0; members >>= 1)
        more++;
    return bits - 24 + more;
}

/* N from below, or above. */
static void bound_mass(mpfr_ptr out, fdp_curve *c, const audit_in *in, const mpfi_t tau,
                       fdp_end end, fdp_for how)
{
    mpz_t start, n;
    mpz_inits(start, n, NULL);
    set_tau(start, c, tau, end);
    mass_of(n, c, in, start, end, how);
    mpfr_set_z_2exp(out, n, -c->places, end == FDP_ABOVE ? MPFR_RNDU : MPFR_RNDD);
    mpz_clears(start, n, NULL);
}

/* Up to here a guess is as near as the root is wanted, and no secants are drawn. */
#define DOUBLE_BITS 96

/* out = N, enclosed, of the curve at x, or of the claim; where one end settles whether it is above
 * 1, as it is about, the other is not sought. */
static void enclose_mass(mpfi_t out, const audit_in *in, mpfi_srcptr x, const mpfi_t tau, bool both,
                         bool above)
{
    fdp_for how = both ? FDP_VALUE : mpfi_get_prec(out) <= DOUBLE_BITS ? FDP_NEAR_SIDE : FDP_SIDE;
    fdp_curve c;
    fdp_curve_init(&c, in, x, places_for(mpfi_get_prec(out), in->members, tau));
    fdp_end first = both || above ? FDP_BELOW : FDP_ABOVE;
    mpfr_set_ui(&out->left, 0, MPFR_RNDD);
    mpfr_set_ui(&out->right, 2, MPFR_RNDU);
    bound_mass(first == FDP_BELOW ? &out->left : &out->right, &c, in, tau, first, how);
    bool settled =
        first == FDP_BELOW ? mpfr_cmp_ui(&out->left, 1) > 0 : mpfr_cmp_ui(&out->right, 1) <= 0;
    if (both || !settled)
        bound_mass(first == FDP_BELOW ? &out->right : &out->left, &c, in, tau,
                   first == FDP_BELOW ? FDP_ABOVE : FDP_BELOW, how);
    fdp_curve_clear(&c);
}

/* ---- the least mu that is not refuted at alpha ---- */

/* Of a root: a guess of it, on whose sides N is about on the same sides of 1. */
typedef struct sought {
    const audit_in *in;
    double guess;
} sought;

static void at_alpha(mpfi_t out, const mpfi_t at, const sought *s, bool both)
{
    mpfi_t tau;
    mpfi_init2(tau, mpfi_get_prec(out) + 32);
    mpfi_set_q(tau, s->in->alpha);
    enclose_mass(out, s->in, at, tau, both, mpfi_get_d(at) < s->guess);
    mpfi_sub_ui(out, out, 1);
    mpfi_clear(tau);
}

static void above_one(mpfi_t out, const mpfi_t at, const void *of)
{
    at_alpha(out, at, of, mpfi_get_prec(out) > DOUBLE_BITS);
}

static void side_of_one(mpfi_t out, const mpfi_t at, const void *of)
{
    at_alpha(out, at, of, false);
}

#define EXACT_GUESSES 500

/* N of tau = alpha at mu 0 against 1, by rationals: there G(y) = y. Above 1, unless that was told,
 * of many guesses: numbers grow with each count. */
static int exact_side(const audit_in *in)
{
    if (in->members > EXACT_GUESSES)
        return 1;
    mpq_t n, sum, p, part;
    mpq_inits(n, sum, p, part, NULL);
    mpq_set(n, in->alpha);
    mpq_set_ui(part, in->hits, 1);
    mpq_mul(sum, n, part);
    for (unsigned long k = in->hits; k >= 1 && mpq_cmp_ui(n, 1, 1) <= 0; k--) {
        mpq_add(p, sum, sum);
        mpq_set_ui(part, in->members, 1);
        mpq_mul(part, part, n);
        mpq_sub(p, p, part);
        if (mpq_sgn(p) <= 0)
            break;
        mpq_set_ui(part, in->members - k + 1, 1);
        mpq_div(p, p, part);
        mpq_add(n, n, p);
        mpq_set_ui(part, k - 1, 1);
        mpq_mul(part, part, p);
        mpq_add(sum, sum, part);
    }
    int side = mpq_cmp_ui(n, 1, 1);
    mpq_clears(n, sum, p, part, NULL);
    return side;
}

/* What is sought, parameter or tau. */
typedef struct root_of {
    root_function above, side; /* N - 1, enclosed, or as far as its sign */
    double (*guess)(const audit_in *in, bool slow);
    bool falls;
} root_of;

/* A root beside a guess. Guesses of many are known to less digits, and without doubles theirs take
 * long: where 10 digits are asked their root is wanted to less bits, and to decimals. Where theirs
 * leads nowhere a slow one is made. */
static void enclose_root(mpfi_t x, sought *s, const root_of *of, const wanted *want)
{
    bool many = s->in->members >= FDP_FEW_GUESSES, found = false;
    bool quick = many && want->bits <= ROOT_GUESSED;
    mpfi_set_prec(x, root_bits(want->bits) - (quick ? 1 : 0));
    for (int slow = 0; slow <= many && !found; slow++) {
        if (slow)
            s->guess = of->guess(s->in, true);
        double scale = of->falls ? fmax(s->guess, 1e-6) : s->guess;
        const root_start beside = {.near = s->guess,
                                   .error = scale * (many ? 1.7e-12 : 2e-14),
                                   .outward = many ? 3 : 0,
                                   .tiny = !of->falls,
                                   .falls = of->falls};
        found = root_enclose(x, of->above, s, &beside);
        if (found)
            root_halve(x, of->side, s, &beside);
        if (found && quick)
            root_settle(x, of->side, s, &beside, refine_digits(want->bits));
    }
}

#define TINY 1e-9

dp_status audit_eval_fdp(dp_figure *out, const void *in, const wanted *want)
{
    static const root_of parameter = {above_one, side_of_one, fdp_guess_parameter, true};
    const audit_in *a = in;
    if (a->hits == 0) {
        figure_set_ui(&out[0], 0);
        return DP_OK;
    }
    if (!a->of->gdp)
        return audit_eval_line(out, a, want);
    mpfi_t x;
    mpfi_init2(x, root_bits(want->bits));
    sought s = {a, fdp_guess_parameter(a, false)};
    mpfi_set_ui(x, 0);
    if (s.guess < TINY)
        above_one(x, x, &s);
    if (s.guess < TINY && mpfr_sgn(&x->left) > 0) /* it is not there */
        s.guess = fdp_guess_parameter(a, true);
    if (s.guess < TINY && (mpfr_sgn(&x->right) <= 0 ||
                           (want->rational && mpfr_sgn(&x->left) <= 0 && exact_side(a) <= 0))) {
        figure_set_ui(&out[0], 0);
    } else {
        enclose_root(x, &s, &parameter, want);
        audit_not_below_zero(&out[0], x, want->bits);
    }
    mpfi_clear(x);
    return DP_OK;
}

/* ---- the p-value: the least tau whose N is above 1 ---- */

static void at_claim(mpfi_t out, const mpfi_t at, const sought *s, bool both)
{
    enclose_mass(out, s->in, NULL, at, both, mpfi_get_d(at) > s->guess);
    mpfi_sub_ui(out, out, 1);
}

static void above_one_at(mpfi_t out, const mpfi_t at, const void *of)
{
    at_claim(out, at, of, mpfi_get_prec(out) > DOUBLE_BITS);
}

static void side_of_tau(mpfi_t out, const mpfi_t at, const void *of)
{
    at_claim(out, at, of, false);
}

/* N of so small a tau is told by numbers of so many bits more; a p-value is not sought below it,
 * unless alpha is. */
#define FLOOR 100

/* Is the p-value below the floor? */
static bool is_below(mpq_t least, const audit_in *in)
{
    mpq_set_ui(least, 1, 1);
    mpq_div_2exp(least, least, FLOOR);
    if (mpq_cmp(in->alpha, least) < 0)
        mpq_set(least, in->alpha);
    if (fdp_guess_mass(in, mpq_get_d(least)) <= 1)
        return false;
    mpfi_t n, tau;
    mpfi_init2(n, DOUBLE_BITS);
    mpfi_init2(tau, DOUBLE_BITS);
    mpfi_set_q(tau, least);
    enclose_mass(n, in, NULL, tau, false, true);
    bool is = mpfr_cmp_ui(&n->left, 1) > 0;
    mpfi_clear(tau);
    mpfi_clear(n);
    return is;
}

dp_status audit_fdp_p(dp_figure *out, const void *in, const wanted *want)
{
    static const root_of tau = {above_one_at, side_of_tau, fdp_guess_tau, false};
    const audit_in *a = in;
    if (a->hits == 0) {
        figure_set_ui(&out[0], 1);
        return DP_OK;
    }
    if (!a->of->gdp)
        return audit_line_p(out, a, want);
    if (want->rational && dp_number_sgn(a->claim) == 0 && exact_side(a) == 0) {
        figure_set_q(&out[0], a->alpha); /* N grows strictly with tau */
        return DP_OK;
    }
    mpq_t least;
    mpq_init(least);
    if (is_below(least, a)) {
        figure_set_q(&out[0], least);
    } else {
        sought s = {a, fdp_guess_tau(a, false)};
        mpfi_t p;
        mpfi_init2(p, root_bits(want->bits));
        enclose_root(p, &s, &tau, want);
        ival_clamp_ui(p, 0, 1);
        mpfi_set(figure_enclose(&out[0], want->bits), p);
        mpfi_clear(p);
    }
    mpq_clear(least);
    return DP_OK;
}

/* N itself, for tests: of tau, at the claim. */
void audit_fdp_mass(mpfi_t out, const audit_in *in, const mpq_t tau)
{
    mpfi_t start;
    mpfi_init2(start, mpfi_get_prec(out) + 64);
    mpfi_set_q(start, tau);
    enclose_mass(out, in, NULL, start, true, false);
    mpfi_clear(start);
}
