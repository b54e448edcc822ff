/* SPDX-License-Identifier: MIT */
/* Laws with finitely many outcomes: what they hold, their moments, and their step. */
#include "loss/discrete.h"

#include <math.h>

#include "num/ival.h"
#include "num/memory.h"
#include "num/number.h"

#define ROUGH_BITS 64
#define LN2 0.6931471805599453
/* Steps longer than this are not looked for. */
#define STEP_BITS 65536
/* Nearer than this to 0, z l is taken through e^(z l) - 1. */
#define NEAR 1.0

void outcome_init(outcome *o, mpfr_prec_t bits)
{
    mpfi_init2(o->loss, bits);
    mpfi_init2(o->mass, bits);
    mpfi_init2(o->qmass, bits);
}

void outcome_clear(outcome *o)
{
    mpfi_clear(o->loss);
    mpfi_clear(o->mass);
    mpfi_clear(o->qmass);
}

bool discrete_init(discrete *d, size_t count, bool exact, const mpz_t times)
{
    *d = (discrete){.count = count};
    mpz_init_set(d->times, times);
    d->near_loss = memory_new(count, sizeof *d->near_loss);
    d->near_mass = memory_new(count, sizeof *d->near_mass);
    if (exact && (d->loss = memory_new(count, sizeof *d->loss)) != NULL)
        for (size_t j = 0; j < count; j++)
            dp_number_init(&d->loss[j]);
    d->counts = memory_new(count, sizeof *d->counts);
    d->cache = memory_new(1, sizeof *d->cache + count * sizeof d->cache->outcome[0]);
    if (d->cache != NULL)
        d->cache->bits = 0;
    for (size_t j = 0; d->cache != NULL && j < count; j++)
        outcome_init(&d->cache->outcome[j], MPFR_PREC_MIN);
    return d->near_loss != NULL && d->near_mass != NULL && d->counts != NULL && d->cache != NULL &&
           (!exact || d->loss != NULL);
}

void discrete_clear(discrete *d)
{
    for (size_t j = 0; d->loss != NULL && j < d->count; j++)
        dp_number_clear(&d->loss[j]);
    memory_free(d->loss);
    memory_free(d->near_loss);
    memory_free(d->near_mass);
    memory_free(d->counts);
    for (size_t j = 0; d->cache != NULL && j < d->count; j++)
        outcome_clear(&d->cache->outcome[j]);
    memory_free(d->cache);
    mpz_clear(d->times);
}

void discrete_ready(discrete *d)
{
    const outcome *o = discrete_outcomes(d, ROUGH_BITS);
    for (size_t j = 0; j < d->count; j++) {
        long scale; /* the exponents of MPFR are more */
        double part = mpfr_get_d_2exp(&scale, &o[j].mass->left, MPFR_RNDN);
        d->near_loss[j] = mpfi_get_d(o[j].loss);
        d->near_mass[j] = log(part) + (double)scale * LN2;
        d->reach = fmax(d->reach, fabs(d->near_loss[j]));
    }
}

const outcome *discrete_outcomes(const discrete *d, mpfr_prec_t bits)
{
    outcome_cache *c = d->cache;
    if (c->bits == bits)
        return c->outcome;
    for (size_t j = 0; j < d->count; j++) {
        outcome *o = &c->outcome[j];
        mpfi_set_prec(o->loss, bits);
        mpfi_set_prec(o->mass, bits);
        mpfi_set_prec(o->qmass, bits);
        d->enclose(o, d, j);
    }
    c->bits = bits;
    return c->outcome;
}

double discrete_factors(const void *self)
{
    return (double)((const discrete *)self)->count;
}

void discrete_uses(mpz_t to, const void *self)
{
    mpz_add(to, to, ((const discrete *)self)->times);
}

void discrete_guess(double k[3], const void *self, double z, unsigned which)
{
    const discrete *d = self;
    double most = -HUGE_VAL, sum = 0, mean = 0, square = 0, times = mpz_get_d(d->times);
    for (size_t j = 0; j < d->count; j++)
        most = fmax(most, d->near_mass[j] + z * d->near_loss[j]);
    for (size_t j = 0; j < d->count; j++) {
        double w = exp(d->near_mass[j] + z * d->near_loss[j] - most);
        sum += w;
        mean += w * d->near_loss[j];
    }
    mean /= sum;
    for (size_t j = 0; (which & LOSS_K2) != 0 && j < d->count; j++) {
        double w = exp(d->near_mass[j] + z * d->near_loss[j] - most), away = d->near_loss[j] - mean;
        square += w * away * away;
    }
    if ((which & LOSS_K) != 0)
        k[0] += times * (most + log(sum));
    if ((which & LOSS_K1) != 0)
        k[1] += times * mean;
    if ((which & LOSS_K2) != 0)
        k[2] += times * square / sum;
}

void discrete_guess_range(double *top, double *reach, const void *self)
{
    const discrete *d = self;
    *top += mpz_get_d(d->times) * d->near_loss[d->count - 1];
    *reach = fmax(*reach, d->reach);
}

/* k = ln sum w_j e^(z l_j) where the w_j sum to 1: ln(1 + sum w_j (e^(z l_j) - 1)) */
static void moment_near(mpfi_t k, const discrete *d, const outcome *o, const mpfi_t z, bool of_q,
                        const limits *lim)
{
    mpfi_t part;
    mpfi_init2(part, mpfi_get_prec(k));
    mpfi_set_ui(k, 0);
    for (size_t j = 0; j < d->count; j++) {
        if (limits_late(lim, j, mpfi_get_prec(part)))
            mpfi_set_prec(part, LATE_BITS);
        mpfi_mul(part, z, o[j].loss);
        mpfi_expm1(part, part);
        mpfi_mul(part, part, of_q ? o[j].qmass : o[j].mass);
        mpfi_add(k, k, part);
    }
    mpfi_log1p(k, k);
    mpfi_clear(part);
}

/* The same with the largest term, about, taken out: nothing overflows. */
static void moment_far(mpfi_t k, const discrete *d, const outcome *o, const mpfi_t z, double near_z,
                       const limits *lim)
{
    size_t top = 0;
    for (size_t j = 1; j < d->count; j++)
        if (d->near_mass[j] + near_z * d->near_loss[j] >
            d->near_mass[top] + near_z * d->near_loss[top])
            top = j;
    mpfi_t part;
    mpfi_init2(part, mpfi_get_prec(k));
    mpfi_set_ui(k, 0);
    for (size_t j = 0; j < d->count; j++) {
        if (j == top)
            continue;
        if (limits_late(lim, j, mpfi_get_prec(part)))
            mpfi_set_prec(part, LATE_BITS);
        mpfi_sub(part, o[j].loss, o[top].loss);
        mpfi_mul(part, part, z);
        mpfi_exp(part, part);
        mpfi_mul(part, part, o[j].mass);
        mpfi_add(k, k, part);
    }
    mpfi_div(k, k, o[top].mass);
    mpfi_log1p(k, k);
    mpfi_log(part, o[top].mass);
    mpfi_add(k, k, part);
    mpfi_mul(part, z, o[top].loss);
    mpfi_add(k, k, part);
    mpfi_clear(part);
}

static void log_moment(mpfi_t k, const discrete *d, const mpfi_t z, const limits *lim)
{
    const outcome *o = discrete_outcomes(d, mpfi_get_prec(k));
    double near_z = mpfi_get_d(z);
    if (fabs(near_z) * d->reach < NEAR) {
        moment_near(k, d, o, z, false, lim);
    } else if (d->closed && fabs(near_z + 1) * d->reach < NEAR) {
        mpfi_t above; /* sum P_j e^(z l_j) = sum Q_j e^((z+1) l_j) */
        mpfi_init2(above,
                   mpfi_get_prec(z) > mpfi_get_prec(k) ? mpfi_get_prec(z) : mpfi_get_prec(k));
        mpfi_add_ui(above, z, 1);
        moment_near(k, d, o, above, true, lim);
        mpfi_clear(above);
    } else {
        moment_far(k, d, o, z, near_z, lim);
    }
}

void discrete_log_moment(mpfi_t k, const void *self, const mpfi_t z, const limits *lim)
{
    const discrete *d = self;
    bool point = mpfr_equal_p(&z->left, &z->right);
    if (point && (mpfr_zero_p(&z->left) || (d->closed && mpfr_cmp_si(&z->left, -1) == 0))) {
        mpfi_set_ui(k, 0);
        return;
    }
    log_moment(k, d, z, lim);
    ival_mul_z(k, k, d->times);
    if (ival_bad(k)) {
        mpfr_set_inf(&k->left, -1);
        mpfr_set_inf(&k->right, 1);
    }
}

/* n = base^k rest with the largest k; 0 for base 1 */
static mp_bitcnt_t multiplicity(const mpz_t n, const mpz_t base)
{
    if (mpz_cmp_ui(base, 1) == 0)
        return 0;
    mpz_t rest;
    mpz_init(rest);
    mp_bitcnt_t k = mpz_remove(rest, n, base);
    mpz_clear(rest);
    return k;
}

/* a /= b^k with the largest k for which that is a^1 over a part of its own factors; a, b > 1. If a
 * and b are powers s^i, s^j of one s = p/q > 1 in lowest terms, the parts of a are p^i, q^i, and k
 * is i div j; else false may be returned, or factors remain that end in false later. */
static bool divide_out(mpq_t a, const mpq_t b, mp_bitcnt_t *k)
{
    mp_bitcnt_t below = multiplicity(mpq_denref(a), mpq_denref(b));
    *k = multiplicity(mpq_numref(a), mpq_numref(b)); /* b > 1: its numerator is > 1 */
    if (mpz_cmp_ui(mpq_denref(b), 1) != 0 && below < *k)
        *k = below;
    if (*k == 0)
        return false;
    mpz_t power;
    mpz_init(power);
    mpz_pow_ui(power, mpq_numref(b), *k);
    mpz_divexact(mpq_numref(a), mpq_numref(a), power);
    mpz_pow_ui(power, mpq_denref(b), *k);
    mpz_divexact(mpq_denref(a), mpq_denref(a), power);
    mpz_clear(power);
    return true;
}

static bool above_one(mpq_t x, const mpq_t odds)
{
    bool above = mpq_cmp_ui(odds, 1, 1) > 0;
    if (above)
        mpq_set(x, odds);
    else
        mpq_inv(x, odds);
    return above;
}

/* g = s for g = s^i, x = s^j with coprime i, j: the algorithm of Euclid on exponents. Each step
 * shortens a number, so it ends; where the numbers are not of that form it ends in false, or in a
 * remainder below 1. */
static bool join_logs(mpq_t g, mpq_t x)
{
    mp_bitcnt_t k;
    while (mpq_cmp_ui(x, 1, 1) != 0) {
        if (mpq_cmp_ui(x, 1, 1) < 0)
            return false;
        if (mpq_cmp(g, x) < 0)
            mpq_swap(g, x);
        if (!divide_out(g, x, &k))
            return false;
        mpq_swap(g, x);
    }
    return true;
}

static void join_rationals(mpq_t g, const mpq_t x)
{
    mpz_t a, b;
    mpz_inits(a, b, NULL);
    mpz_mul(a, mpq_numref(g), mpq_denref(x));
    mpz_mul(b, mpq_numref(x), mpq_denref(g));
    mpz_gcd(a, a, b);
    mpz_mul(b, mpq_denref(g), mpq_denref(x));
    mpz_set(mpq_numref(g), a);
    mpz_set(mpq_denref(g), b);
    mpq_canonicalize(g);
    mpz_clears(a, b, NULL);
}

/* g = gcd(g, x), of the same kind; 0 or ln 1 for none yet */
static bool join(mpq_t g, const dp_number *x, bool first)
{
    mpq_t y;
    mpq_init(y);
    bool ok = true;
    mpq_srcptr odds = number_odds(x);
    if (odds != NULL)
        above_one(y, odds);
    else
        mpq_abs(y, number_rational(x));
    if (first)
        mpq_set(g, y);
    else if (odds != NULL)
        ok = join_logs(g, y);
    else
        join_rationals(g, y);
    mpq_clear(y);
    return ok && mpz_sizeinbase(mpq_numref(g), 2) <= STEP_BITS &&
           mpz_sizeinbase(mpq_denref(g), 2) <= STEP_BITS;
}

bool discrete_gcd(dp_number *g, const dp_number *x, size_t count)
{
    mpq_t common;
    mpq_init(common);
    const dp_number *first = NULL;
    bool ok = true;
    for (size_t j = 0; ok && j < count; j++) {
        if (dp_number_sgn(&x[j]) == 0)
            continue;
        ok = number_bits(&x[j]) <= STEP_BITS && (first == NULL || first->is_log == x[j].is_log) &&
             join(common, &x[j], first == NULL);
        first = first == NULL ? &x[j] : first;
    }
    ok = ok && first != NULL;
    if (ok && first->is_log)
        number_set_log(g, common);
    else if (ok)
        number_set_q(g, common);
    mpq_clear(common);
    return ok;
}

bool discrete_multiple(mpz_t m, const dp_number *x, const dp_number *unit)
{
    mpz_set_ui(m, 0);
    if (dp_number_sgn(x) == 0)
        return true;
    if (number_bits(x) > STEP_BITS || (x->is_log != 0) != (unit->is_log != 0))
        return false;
    mpq_t rest;
    mpq_init(rest);
    bool ok;
    if (x->is_log) {
        mp_bitcnt_t k = 0;
        bool positive = above_one(rest, number_odds(x));
        ok = divide_out(rest, number_odds(unit), &k) && mpq_cmp_ui(rest, 1, 1) == 0;
        mpz_set_ui(m, k);
        if (!positive)
            mpz_neg(m, m);
    } else {
        mpq_div(rest, number_rational(x), number_rational(unit));
        ok = mpz_cmp_ui(mpq_denref(rest), 1) == 0;
        mpz_set(m, mpq_numref(rest));
    }
    mpq_clear(rest);
    return ok;
}

static void halve(dp_number *rational)
{
    mpq_t half;
    mpq_init(half);
    mpq_div_2exp(half, number_rational(rational), 1);
    number_set_q(rational, half);
    mpq_clear(half);
}

/* All losses are multiples of their gcd g, not all of them even ones; so where one is even, both
 * kinds occur, and all are congruent modulo g only: 2 (g/2). */
bool discrete_step(dp_number *step, bool *halved, const void *self)
{
    const discrete *d = self;
    *halved = false;
    if (d->loss == NULL || !discrete_gcd(step, d->loss, d->count))
        return false;
    mpz_t m;
    mpz_init(m);
    bool ok = true;
    for (size_t j = 0; ok && j < d->count; j++) {
        ok = discrete_multiple(m, &d->loss[j], step);
        *halved = *halved || mpz_even_p(m);
    }
    mpz_clear(m);
    if (*halved && !step->is_log) {
        halve(step);
        *halved = false;
    }
    return ok;
}

/* times l_top, as a multiple of the step where that is a logarithm: so that the logarithms of laws
 * on one lattice are of one number. */
bool discrete_top(logform *to, const void *self)
{
    const discrete *d = self;
    if (d->loss == NULL)
        return false;
    const dp_number *last = &d->loss[d->count - 1];
    dp_number step;
    mpq_t times;
    mpz_t m;
    dp_number_init(&step);
    mpq_init(times);
    mpz_init_set_ui(m, 1);
    bool halved, on_step = last->is_log && discrete_step(&step, &halved, d) &&
                           discrete_multiple(m, last, &step);
    mpz_mul(mpq_numref(times), d->times, m);
    bool ok = logform_add_number(to, times, on_step ? &step : last);
    mpz_clear(m);
    mpq_clear(times);
    dp_number_clear(&step);
    return ok;
}
