/* SPDX-License-Identifier: MIT */
/* About how many queries of Laplace noise fit, or which sigma, in doubles and by one delta of the
 * engine: where a search of the exact answer begins. */
#include <math.h>

#include "engine/tilt.h"
#include "loss/gaussian.h"
#include "num/ival.h"
#include "vote/pate.h"

#define GUESS_BITS 64

/* About ln delta(x) of n queries; NaN where there is none. */
static double log_delta_of(pate_account *a, double n, double x)
{
    product p;
    tilt t;
    double log = NAN;
    mpz_set_d(a->asked, n);
    if (pate_laplace_product(&p, a) == DP_OK && p.count > 0) {
        tilt_init(&t, p.item, p.count);
        bool left = tilt_is_left(&t, x);
        log = x < t.total ? tilt_log_profile(&t, x, tilt_saddle(&t, x, left)) : -HUGE_VAL;
        if (left)
            log = log1p(-exp(log));
    }
    product_clear(&p);
    return log;
}

/* mu^2 that r = alpha mu^2/2 may have at the order 1 + t, by either conversion */
static double most_square(double t, double x, double log_delta, bool improved)
{
    double cost = improved ? -(log1p(1 / t) + (log_delta + log1p(t)) / t) : -log_delta / t;
    return 2 * (x - cost) / (1 + t);
}

#define LEAST_LOG (-14.0) /* of t */
#define MOST_LOG 60.0
#define ORDER_STEPS 120 /* by thirds */

/* The order at which it is greatest, by its logarithm. */
static double best_square(double *t, double x, double log_delta, bool improved)
{
    double low = LEAST_LOG, high = MOST_LOG;
    for (int i = 0; i < ORDER_STEPS; i++) {
        double third = (high - low) / 3;
        if (most_square(exp(low + third), x, log_delta, improved) <
            most_square(exp(high - third), x, log_delta, improved))
            low += third;
        else
            high -= third;
    }
    *t = exp((low + high) / 2);
    return most_square(*t, x, log_delta, improved);
}

/* The mu^2 of a Gaussian that keeps the budget, about */
static double gaussian_square(const pate_budget *b)
{
    mpfi_t x;
    mpfr_t mu;
    mpfi_init2(x, GUESS_BITS);
    mpfr_init2(mu, GUESS_BITS);
    ival_set_number(x, b->max_epsilon);
    double about = gaussian_guess(mu, x, b->max_delta) ? mpfr_get_d(mu, MPFR_RNDN) : 0;
    mpfr_clear(mu);
    mpfi_clear(x);
    return about * about;
}

bool pate_sigma_guess(mpq_t sigma, mpq_t alpha, const pate_account *a, const pate_budget *b)
{
    double t = 0, x = ival_guess(b->max_epsilon), log_delta = ival_guess_log(b->max_delta);
    double square = b->row == &pate_gaussian ? gaussian_square(b)
                                             : best_square(&t, x, log_delta, b->row == &pate_renyi);
    double asked = mpz_get_d(a->asked), answered = asked;
    if (a->capped)
        answered = fmin(asked, mpz_get_d(a->answered));
    if (a->kind == DP_CONFIDENT_GNMAX)
        square -= asked / (mpq_get_d(a->threshold) * mpq_get_d(a->threshold));
    double about = sqrt(2 * answered / square);
    if (!isnormal(about) || !(square > 0) || !(t < 1e15))
        return false;
    mpq_set_d(sigma, about);
    if (b->row == &pate_renyi)
        mpq_set_d(alpha, 1 + t);
    return true;
}

#define MOST_GUESS 1e15
#define SLOPE_PART 64 /* of n, over which the rise of ln delta is taken */

/* n moved by what the true ln delta there and the rise of the guesses say; unmoved where those say
 * nothing. */
static double corrected(double n, pate_account *a, double x, double log_delta, const pate_budget *b)
{
    mpz_set_d(a->asked, n);
    mpfi_t delta;
    mpfi_init2(delta, GUESS_BITS);
    double is = pate_laplace_delta(delta, a, b) ? log(mpfi_get_d(delta)) : NAN;
    double step = ceil(n / SLOPE_PART);
    mpfi_clear(delta);
    double rise = (log_delta_of(a, n + step, x) - log_delta_of(a, n, x)) / step;
    double to = floor(n + (log_delta - is) / rise);
    return isfinite(to) && to >= 1 && to < MOST_GUESS && fabs(to - n) < n / 2 ? to : n;
}

void pate_laplace_guess(mpz_t n, const pate_account *of, const pate_budget *b)
{
    pate_account a;
    pate_account_init(&a);
    pate_account_set(&a, of);
    double low = 0, high = 1, x = ival_guess(b->max_epsilon);
    double log_delta = mpq_sgn(b->max_delta) > 0 ? tilt_log_q(b->max_delta) : -HUGE_VAL;
    while (high < MOST_GUESS && log_delta_of(&a, high, x) <= log_delta) {
        low = high;
        high *= 2;
    }
    while (high - low > 1) {
        double middle = floor((low + high) / 2);
        *(log_delta_of(&a, middle, x) <= log_delta ? &low : &high) = middle;
    }
    if (low > 0 && isfinite(log_delta))
        low = corrected(low, &a, x, log_delta, b);
    mpz_set_d(n, low);
    pate_account_clear(&a);
}
