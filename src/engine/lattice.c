/* SPDX-License-Identifier: MIT */
/* Is there a common step, and which cell is asked for? */
#include "engine/lattice.h"

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

/* step = gcd of both; a logarithm has one with its equal only. */
static bool join_step(dp_number *step, const dp_number *other)
{
    if (number_order(step, other) == 0)
        return true;
    if (step->is_log || other->is_log)
        return false;
    mpq_t common;
    mpq_init(common);
    mpq_set(common, number_rational(step));
    bool ok = rational_gcd(common, number_rational(other));
    number_set_q(step, common);
    mpq_clear(common);
    return ok;
}

static bool common_step(dp_number *step, const product *p)
{
    dp_number one;
    dp_number_init(&one);
    bool ok = true;
    for (size_t i = 0; ok && i < p->count; i++) {
        const loss *law = &p->item[i];
        ok = law->ops->step != NULL && law->ops->step(i == 0 ? step : &one, law->self) &&
             (i == 0 || join_step(step, &one));
    }
    dp_number_clear(&one);
    return ok;
}

/* rise = top / ln R, known to be an integer: false where that is not proved. */
static bool log_rise(mpz_t rise, const logform *top, mpq_srcptr odds)
{
    if (top->count == 1 && mpq_equal(top->term[0].base, odds)) {
        mpz_set(rise, mpq_numref(top->term[0].coefficient));
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
    ival_log_q(step, odds);
    mpfi_div(x, x, step);
    mpfr_get_z(rise, &x->left, MPFR_RNDN);
    mpq_set_z(minus, rise);
    mpq_neg(minus, minus);
    bool ok = logform_set(&gap, top) && logform_add_log(&gap, minus, odds) && logform_is_zero(&gap);
    mpfi_clear(step);
    mpfi_clear(x);
    mpq_clear(minus);
    logform_clear(&gap);
    return ok;
}

/* rise = top / step: false where that is no integer, as it is for a step like any in loss.h */
static bool set_rise(mpz_t rise, const logform *top, const dp_number *step)
{
    if (step->is_log)
        return log_rise(rise, top, number_odds(step));
    mpq_t ratio;
    mpq_init(ratio);
    bool ok = top->count == 0;
    if (ok)
        mpq_div(ratio, top->rational, number_rational(step));
    ok = ok && mpz_cmp_ui(mpq_denref(ratio), 1) == 0;
    if (ok)
        mpz_set(rise, mpq_numref(ratio));
    mpq_clear(ratio);
    return ok;
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
    if (!all->bounded || p->count == 0 || !common_step(&f->step, p) ||
        !set_rise(f->rise, &all->top, &f->step))
        return false;
    const loss *law = &p->item[0];
    f->direct = p->count == 1 && law->ops->cell != NULL &&
                law->ops->cell(NULL, NULL, law->self, NULL, 0, NULL) == DP_OK;
    f->h = step_double(&f->step);
    return true;
}

void lattice_clear(lattice *f)
{
    mpz_clear(f->rise);
    dp_number_clear(&f->step);
}

dp_status direct_cell(mpfi_t g, mpfi_t v, const lattice *f, const mpz_t i, mpfr_prec_t bits,
                      const limits *lim)
{
    const loss *law = &f->all->product->item[0];
    return law->ops->cell(g, v, law->self, i, bits, lim);
}

dp_status lattice_cell(mpfi_t g, mpfi_t v, const lattice *f, const mpz_t i, mpfr_prec_t bits,
                       const limits *lim)
{
    unsigned long most = DIRECT_TERMS_A_BIT * (unsigned long)bits;
    if (f->direct && mpz_cmp_ui(i, most > DIRECT_TERMS ? most : DIRECT_TERMS) <= 0)
        return direct_cell(g, v, f, i, bits, lim);
    contour c;
    dp_status status =
        contour_open(&c, f, f->all->tilt.total - 2 * f->h * mpz_get_d(i), bits, false, lim);
    if (status == DP_OK)
        contour_cell(g, v, &c, i);
    contour_close(&c);
    return status;
}
