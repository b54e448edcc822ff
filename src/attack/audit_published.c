/* SPDX-License-Identifier: MIT */
/* The published form of a level of one run: beta + 2 m delta max over i of Pr[v > Bin >= v-i]/i. */
#include "attack/audit.h"

#include <math.h>

#include "attack/binomial_guess.h"
#include "num/ival.h"

/* The means a(i) of the masses Pr[v-1], ..., Pr[v-i], 1 <= i <= v, rise as long as the next mass is
 * not below them. The masses rise to a mode and fall beyond it: what is below the mean of those
 * before it comes after the mode, and so all that follow are below the mean too. The largest mean
 * is the last one that the mass before did not lower. */
typedef struct means {
    unsigned long right, guesses;
    const share *odds;
    share all; /* Pr[Bin >= v] */
} means;

/* out = Pr[Bin = v-i] */
static void mass_of(mpfi_t out, const means *m, unsigned long i)
{
    binomial_mass(out, m->right - i, m->guesses, m->odds);
}

/* out = a(i), from the lesser side of the tail of v-i */
static void mean_of(mpfi_t out, const means *m, unsigned long i)
{
    share tail;
    share_init(&tail, mpfi_get_prec(out));
    binomial_tail(&tail, NULL, m->right - i, m->guesses, m->odds);
    if (mpfr_cmp_ui_2exp(&tail.yes->left, 1, -1) > 0)
        mpfi_sub(out, m->all.no, tail.no);
    else
        mpfi_sub(out, tail.yes, m->all.yes);
    ival_at_least_zero(out);
    mpfi_div_ui(out, out, i);
    share_clear(&tail);
}

/* About Pr[v > Bin >= v-i]/i over e^log_top: by the sides that are the lesser ones at v. */
static double mean_guess(double right, double guesses, double x, double i, double log_top)
{
    double less = 1 / (1 + exp(x));
    bool below = guesses - right > guesses * less;
    double fewer = guesses - right + 1;
    double first = below ? guess_log_tail(fewer, guesses, -x, NULL)
                         : guess_log_tail(right - i, guesses, x, NULL);
    double other = below ? guess_log_tail(fewer + i, guesses, -x, NULL)
                         : guess_log_tail(right, guesses, x, NULL);
    return (exp(first - log_top) - exp(other - log_top)) / i;
}

static bool seems_to_rise(double right, double guesses, double x, double i)
{
    double next = guess_log_mass(right - i - 1, guesses, x);
    return mean_guess(right, guesses, x, i, next) < 1;
}

/* Where the largest mean seems to be. */
static unsigned long place_of(double right, double guesses, double x)
{
    double low = 1, high = right;
    while (low < high) {
        double i = floor((low + high) / 2);
        if (seems_to_rise(right, guesses, x, i))
            low = i + 1;
        else
            high = i;
    }
    return (unsigned long)low;
}

/* Is a(i+1) proved to be at least a(i), or at most? */
static bool rises(const means *m, unsigned long i, mpfr_prec_t bits, bool up)
{
    mpfi_t mass, mean;
    mpfi_init2(mass, bits);
    mpfi_init2(mean, bits);
    mass_of(mass, m, i + 1);
    mean_of(mean, m, i);
    bool is = up ? mpfr_greaterequal_p(&mass->left, &mean->right) != 0
                 : mpfr_lessequal_p(&mass->right, &mean->left) != 0;
    mpfi_clear(mean);
    mpfi_clear(mass);
    return is;
}

#define ASIDE 8

/* Is the mean a(i) proved to be the largest? a(i) >= a(i-1) where Pr[v-i] is not below it. */
static bool is_largest(const mpfi_t mean, const means *m, unsigned long i)
{
    mpfi_t mass;
    mpfi_init2(mass, mpfi_get_prec(mean));
    bool is = true;
    if (i > 1) {
        mass_of(mass, m, i);
        is = mpfr_greaterequal_p(&mass->left, &mean->right) != 0;
    }
    if (is && i < m->right) {
        mass_of(mass, m, i + 1);
        is = mpfr_lessequal_p(&mass->right, &mean->left) != 0;
    }
    mpfi_clear(mass);
    return is;
}

/* out = the largest mean: of all from where they are proved to rise up to where they are proved to
 * fall; at most the largest mass, 1, where that is not near. */
static void largest_mean(mpfi_t out, const means *m, unsigned long near)
{
    mpfr_prec_t bits = mpfi_get_prec(out);
    unsigned long low = near, high = near;
    mean_of(out, m, near);
    if (is_largest(out, m, near))
        return;
    while (low > 1 && near - low < ASIDE && !rises(m, low - 1, bits, true))
        low--;
    while (high < m->right && high - near < ASIDE && !rises(m, high, bits, false))
        high++;
    mpfi_t mean;
    mpfi_init2(mean, bits);
    mpfi_set_ui(out, 0);
    for (unsigned long i = low; i <= high; i++) {
        mean_of(mean, m, i);
        ival_take_most(out, mean);
    }
    if ((low > 1 && near - low == ASIDE) || (high < m->right && high - near == ASIDE))
        mpfr_set_ui(&out->right, 1, MPFR_RNDU);
    mpfi_clear(mean);
}

static void published_at(mpfi_t out, const audit_in *in, const share *odds)
{
    mpfr_prec_t bits = mpfi_get_prec(out) + 64;
    means m = {.right = in->hits, .guesses = in->members, .odds = odds};
    mpfi_t x, most;
    share_init(&m.all, bits);
    mpfi_init2(x, 64);
    mpfi_init2(most, bits);
    binomial_tail(&m.all, NULL, in->hits, in->members, odds);
    share_logit(x, odds);
    largest_mean(most, &m, place_of((double)in->hits, (double)in->members, mpfi_get_d(x)));
    mpfi_mul_ui(most, most, in->canaries);
    mpfi_mul_ui(most, most, 2);
    mpfi_mul_q(most, most, in->delta);
    mpfi_add(out, m.all.yes, most);
    mpfi_clear(most);
    mpfi_clear(x);
    share_clear(&m.all);
}

static double guess_published(const void *in, double x)
{
    const audit_leveled *l = in;
    const audit_in *a = l->in;
    double k = (double)a->hits, n = (double)a->members, at = (double)place_of(k, n, x);
    double top = guess_log_mass(k - at, n, x), beta = guess_log_tail(k, n, x, NULL);
    double more = log(2 * (double)a->canaries * mean_guess(k, n, x, at, top)) + top + l->log_delta;
    return fmax(beta, more) + log1p(exp(-fabs(beta - more))) - l->log_alpha;
}

dp_status audit_eval_published(dp_figure *out, const void *in, const wanted *want)
{
    const audit_in *a = in;
    if (a->hits == 0) {
        figure_set_ui(&out[0], 0);
        return DP_OK;
    }
    if (mpq_sgn(a->delta) == 0)
        return audit_eval_run(out, in, want);
    audit_leveled l = {.in = a,
                       .level = published_at,
                       .guess = guess_published,
                       .log_alpha = ival_guess_log(a->alpha),
                       .log_delta = ival_guess_log(a->delta)};
    audit_solve_level(&out[0], &l, want->bits);
    return DP_OK;
}

dp_status audit_published_p(dp_figure *out, const void *in, const wanted *want)
{
    const audit_in *a = in;
    if (a->hits == 0) {
        figure_set_ui(&out[0], 1);
        return DP_OK;
    }
    share odds;
    share_init(&odds, binomial_bits(want->bits + 64, a->members));
    audit_claim_share(&odds, a);
    mpfi_ptr p = figure_enclose(&out[0], want->bits);
    published_at(p, a, &odds);
    ival_clamp_ui(p, 0, 1);
    share_clear(&odds);
    return DP_OK;
}
