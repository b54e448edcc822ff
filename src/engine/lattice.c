/* SPDX-License-Identifier: MIT */
/* Is there a common step? */
#include "engine/lattice.h"

#include "loss/discrete.h"
#include "num/ival.h"
#include "num/number.h"

/* A finer step than this is no better than none. */
#define STEP_BITS 512
/* Of the quotient of two logarithms: enough for more uses than a plan takes. */
#define RISE_BITS 1024

/* a = gcd(a, b) of positive rationals; false where it grows too long */
static bool rational_gcd(mpq_t a, mpq_srcptr b)
{
    mpz_t x, y;
    mpz_inits(x, y, NULL);
    mpz_mul(x, mpq_numref(a), mpq_denref(b));
    mpz_mul(y, mpq_numref(b), mpq_denref(a));
    mpz_gcd(mpq_numref(a), x, y);
    mpz_mul(mpq_denref(a), mpq_denref(a), mpq_denref(b));
    mpq_canonicalize(a);
    mpz_clears(x, y, NULL);
    return mpz_sizeinbase(mpq_denref(a), 2) <= STEP_BITS;
}

/* The same of logarithms; where no number is long, no power of it is out of reach. */
static bool join_logs(dp_number *step, const dp_number *other)
{
    dp_number both[2];
    for (size_t i = 0; i < 2; i++) {
        dp_number_init(&both[i]);
        dp_number_set(&both[i], i == 0 ? step : other);
    }
    bool ok = discrete_gcd(step, both, 2);
    for (size_t i = 0; i < 2; i++)
        dp_number_clear(&both[i]);
    return ok;
}

/* Of every law both hold: all its losses are multiples of the step, or of half of it where that is
 * `halved`, and congruent modulo twice that; so they are for whatever divides it, as the gcd of two
 * steps does, and half of that if either is halved. */
static bool join_step(dp_number *step, const dp_number *other)
{
    if (number_order(step, other) == 0)
        return true;
    if (step->is_log || other->is_log)
        return join_logs(step, other);
    mpq_t common;
    mpq_init(common);
    mpq_set(common, number_rational(step));
    bool ok = rational_gcd(common, number_rational(other));
    number_set_q(step, common);
    mpq_clear(common);
    return ok;
}

static bool common_step(dp_number *step, bool *halved, const product *p)
{
    dp_number one;
    dp_number_init(&one);
    bool ok = true, half = false;
    for (size_t i = 0; ok && i < p->count; i++) {
        const loss *law = &p->item[i];
        ok = law->ops->step != NULL && law->ops->step(i == 0 ? step : &one, &half, law->self) &&
             (i == 0 || join_step(step, &one));
        *halved = *halved || half;
    }
    dp_number_clear(&one);
    return ok;
}

/* rise = parts top / ln R, known to be an integer: false where that is not proved. */
static bool log_rise(mpz_t rise, const logform *top, mpq_srcptr odds, unsigned parts)
{
    if (top->count == 1 && mpq_equal(top->term[0].base, odds)) {
        mpz_mul_ui(rise, mpq_numref(top->term[0].coefficient), parts);
        return mpq_sgn(top->rational) == 0 &&
               mpz_cmp_ui(mpq_denref(top->term[0].coefficient), 1) == 0;
    }
    logform gap;
    mpq_t minus;
    mpfi_t x, step;
    logform_init(&gap);
    mpq_init(minus);
    mpfi_init2(x, RISE_BITS);
    mpfi_init2(step, RISE_BITS);
    logform_enclose(x, top);
    mpfi_mul_ui(x, x, parts);
    ival_log_q(step, odds);
    mpfi_div(x, x, step);
    mpfr_get_z(rise, &x->left, MPFR_RNDN);
    mpz_neg(mpq_numref(minus), rise);
    mpz_set_ui(mpq_denref(minus), parts);
    mpq_canonicalize(minus);
    bool ok = logform_set(&gap, top) && logform_add_log(&gap, minus, odds) && logform_is_zero(&gap);
    mpfi_clear(step);
    mpfi_clear(x);
    mpq_clear(minus);
    logform_clear(&gap);
    return ok;
}

/* rise = top / h: false where that is no integer, as it is for a step like any in loss.h */
static bool set_rise(mpz_t rise, const logform *top, const dp_number *step, bool halved)
{
    unsigned parts = halved ? 2 : 1;
    if (step->is_log)
        return log_rise(rise, top, number_odds(step), parts);
    mpq_t ratio;
    mpq_init(ratio);
    bool ok = top->count == 0;
    if (ok)
        mpq_div(ratio, top->rational, number_rational(step));
    mpz_mul_ui(mpq_numref(ratio), mpq_numref(ratio), parts);
    mpq_canonicalize(ratio);
    ok = ok && mpz_cmp_ui(mpq_denref(ratio), 1) == 0;
    if (ok)
        mpz_set(rise, mpq_numref(ratio));
    mpq_clear(ratio);
    return ok;
}

void lattice_spacing(mpfi_t out, const lattice *f)
{
    ival_set_number(out, &f->step);
    mpfi_mul_2ui(out, out, f->halved ? 0 : 1);
}

static double step_double(const dp_number *step)
{
    if (!step->is_log)
        return mpq_get_d(number_rational(step));
    return tilt_log_q(number_odds(step));
}

bool lattice_init(lattice *f, const totals *all)
{
    const product *p = all->product;
    *f = (lattice){.all = all};
    dp_number_init(&f->step);
    mpz_init(f->rise);
    if (!all->placed || p->count == 0 || !common_step(&f->step, &f->halved, p) ||
        !set_rise(f->rise, &all->top, &f->step, f->halved))
        return false;
    const loss *law = &p->item[0];
    f->direct = all->bounded && p->count == 1 && law->ops->cell != NULL &&
                law->ops->cell(NULL, NULL, law->self, NULL, 0, NULL) == DP_OK;
    f->h = step_double(&f->step) / (f->halved ? 2 : 1);
    return true;
}

void lattice_clear(lattice *f)
{
    mpz_clear(f->rise);
    dp_number_clear(&f->step);
}
