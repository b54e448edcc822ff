/* SPDX-License-Identifier: MIT */
/* Is there a common step, and which cell is asked for? */
#include "engine/lattice.h"

#include "num/memory.h"
#include "num/number.h"
#include "num/wide.h"

/* A finer step than this is no better than none. */
#define STEP_BITS 512
#define MULTIPLE_BITS 40

/* below = lcm of the denominators; false when some loss is a logarithm or the lcm grows too long */
static bool common_denominator(mpz_t below, const composed *list)
{
    mpz_set_ui(below, 1);
    bool ok = true;
    for (size_t i = 0; ok && i < list->losses; i++) {
        const dp_number *x = &list->loss[i].epsilon;
        ok = !x->is_log && mpz_sizeinbase(mpq_denref(number_rational(x)), 2) <= STEP_BITS;
        if (ok)
            mpz_lcm(below, below, mpq_denref(number_rational(x)));
        ok = ok && mpz_sizeinbase(below, 2) <= STEP_BITS;
    }
    return ok;
}

/* step = gcd of the epsilons over that denominator */
static void common_step(dp_number *to, const mpz_t below, const composed *list)
{
    mpz_t part, divisor;
    mpq_t step;
    mpq_init(step);
    mpz_inits(part, divisor, NULL);
    for (size_t i = 0; i < list->losses; i++) {
        mpq_srcptr x = number_rational(&list->loss[i].epsilon);
        mpz_divexact(part, below, mpq_denref(x));
        mpz_mul(part, part, mpq_numref(x));
        mpz_gcd(divisor, divisor, part);
    }
    mpz_set(mpq_numref(step), divisor);
    mpz_set(mpq_denref(step), below);
    mpq_canonicalize(step);
    number_set_q(to, step);
    mpq_clear(step);
    mpz_clears(part, divisor, NULL);
}

static bool set_multiples(lattice *f)
{
    const composed *list = f->list;
    mpq_t ratio;
    mpz_t part;
    mpq_init(ratio);
    mpz_init(part);
    bool ok = true;
    for (size_t i = 0; ok && i < list->losses; i++) {
        mpq_div(ratio, number_rational(&list->loss[i].epsilon), number_rational(&f->step));
        f->multiple[i] = 0;
        ok = mpz_sizeinbase(mpq_numref(ratio), 2) <= MULTIPLE_BITS &&
             wide_get_z(&f->multiple[i], mpq_numref(ratio));
        mpz_mul(part, mpq_numref(ratio), list->loss[i].times);
        mpz_add(f->span, f->span, part);
    }
    mpz_clear(part);
    mpq_clear(ratio);
    return ok;
}

bool lattice_init(lattice *f, const composed *list, const tilt *t)
{
    f->list = list;
    f->tilt = t;
    dp_number_init(&f->step);
    mpz_init(f->span);
    f->multiple = memory_new(list->losses + 1, sizeof *f->multiple);
    if (f->multiple == NULL || list->losses == 0 || t->epsilon == NULL)
        return false;
    bool ok;
    if (list->losses == 1) {
        dp_number_set(&f->step, &list->loss[0].epsilon);
        f->multiple[0] = 1;
        mpz_set(f->span, list->loss[0].times);
        ok = true;
    } else {
        mpz_t below;
        mpz_init(below);
        ok = common_denominator(below, list);
        if (ok)
            common_step(&f->step, below, list);
        mpz_clear(below);
        ok = ok && set_multiples(f);
    }
    f->h = ok ? (list->losses == 1 ? t->epsilon[0] : mpq_get_d(number_rational(&f->step))) : 0;
    return ok;
}

void lattice_clear(lattice *f)
{
    memory_free(f->multiple);
    mpz_clear(f->span);
    dp_number_clear(&f->step);
}

dp_status lattice_cell(mpfi_t g, mpfi_t v, const lattice *f, const mpz_t i, mpfr_prec_t bits,
                       const limits *lim)
{
    unsigned long most = DIRECT_TERMS_A_BIT * (unsigned long)bits;
    if (f->list->losses == 1 && mpz_cmp_ui(i, most > DIRECT_TERMS ? most : DIRECT_TERMS) <= 0)
        return direct_cell(g, v, f, i, bits, lim);
    contour c;
    dp_status status =
        contour_open(&c, f, f->tilt->total - 2 * f->h * mpz_get_d(i), bits, false, lim);
    if (status == DP_OK)
        contour_cell(g, v, &c, i);
    contour_close(&c);
    return status;
}
