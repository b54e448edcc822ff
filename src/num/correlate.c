/* SPDX-License-Identifier: MIT */
/* Each part of the balls' midpoints becomes a whole number of units 2^-bits, within half of one,
 * and each sequence a polynomial at a power of two that leaves every coefficient of the product
 * room: the product of the first one backwards and the second has the sums as coefficients. An
 * element is then within e_a, e_b, its radius and a unit, of its fixed point, so that a sum is off
 * by at most e_b sum |a| + count e_a (max |b| + e_b). */
#include "num/correlate.h"

#define LIMB ((size_t)GMP_NUMB_BITS)
#define BOUND_BITS 64

/* How large the elements are, and how far off in fixed point. */
typedef struct extent {
    mpfr_t sum, most, off;
    mpfr_exp_t exponent; /* all are below 2^exponent, which is at least 0 */
} extent;

static bool extent_init(extent *x, const cball *list, size_t count, mpfr_prec_t bits)
{
    mpfr_init2(x->sum, BOUND_BITS);
    mpfr_init2(x->most, BOUND_BITS);
    mpfr_init2(x->off, BOUND_BITS);
    mpfr_set_ui(x->sum, 0, MPFR_RNDU);
    mpfr_set_ui(x->most, 0, MPFR_RNDU);
    mpfr_set_ui(x->off, 0, MPFR_RNDU);
    for (size_t i = 0; i < count; i++) {
        mpfr_add(x->sum, x->sum, list[i].size, MPFR_RNDU);
        mpfr_max(x->most, x->most, list[i].size, MPFR_RNDU);
        mpfr_max(x->off, x->off, list[i].radius, MPFR_RNDU);
    }
    bool ok = mpfr_number_p(x->sum) && mpfr_number_p(x->off);
    MPFR_DECL_INIT(part, BOUND_BITS);
    mpfr_set_ui_2exp(part, 1, -bits, MPFR_RNDU);
    mpfr_add(x->off, x->off, part, MPFR_RNDU);
    mpfr_add(part, x->most, x->off, MPFR_RNDU); /* midpoints */
    x->exponent = ok && mpfr_get_exp(part) > 0 ? mpfr_get_exp(part) : 0;
    return ok && x->exponent < bits;
}

static void extent_clear(extent *x)
{
    mpfr_clears(x->sum, x->most, x->off, (mpfr_ptr)0);
}

/* to = sum of the parts of the list times 2^(k slot LIMB), k rising or falling */
static void pack(mpz_t to, const cball *list, size_t count, bool imaginary, bool backwards,
                 size_t slot, mpfr_prec_t bits)
{
    mpz_t part[2], one;
    mp_limb_t *limb[2];
    size_t limbs = count * slot;
    mpz_init(one);
    for (size_t s = 0; s < 2; s++) {
        mpz_init(part[s]);
        limb[s] = mpz_limbs_write(part[s], (mp_size_t)limbs);
        for (size_t i = 0; i < limbs; i++)
            limb[s][i] = 0;
    }
    mpfr_t scaled;
    mpfr_init2(scaled, mpfr_get_prec(list[0].re));
    for (size_t k = 0; k < count; k++) {
        mpfr_mul_2si(scaled, imaginary ? list[k].im : list[k].re, bits, MPFR_RNDN);
        mpfr_get_z(one, scaled, MPFR_RNDN);
        size_t place = (backwards ? count - 1 - k : k) * slot;
        mp_limb_t *at = limb[mpz_sgn(one) < 0] + place;
        for (size_t i = 0; i < mpz_size(one); i++)
            at[i] = mpz_getlimbn(one, (mp_size_t)i);
    }
    for (size_t s = 0; s < 2; s++)
        mpz_limbs_finish(part[s], (mp_size_t)limbs);
    mpz_sub(to, part[0], part[1]);
    mpfr_clear(scaled);
    mpz_clear(one);
    mpz_clear(part[0]);
    mpz_clear(part[1]);
}

/* Half of the room of each coefficient: with it all are positive. */
static void set_bias(mpz_t bias, size_t coefficients, size_t slot)
{
    size_t limbs = coefficients * slot;
    mp_limb_t *limb = mpz_limbs_write(bias, (mp_size_t)limbs);
    for (size_t i = 0; i < limbs; i++)
        limb[i] = i % slot == slot - 1 ? (mp_limb_t)1 << (LIMB - 1) : 0;
    mpz_limbs_finish(bias, (mp_size_t)limbs);
}

/* out = coefficient k of a product to which the bias was added, in units 2^-unit */
static void unpack(mpfr_t out, const mpz_t from, size_t k, size_t slot, mpfr_prec_t unit)
{
    mpz_t one, half;
    mpz_t view;
    mpz_init_set_ui(half, 1);
    mpz_init(one);
    mpz_mul_2exp(half, half, slot * LIMB - 1);
    mpz_srcptr part = mpz_roinit_n(view, mpz_limbs_read(from) + k * slot, (mp_size_t)slot);
    mpz_sub(one, part, half);
    mpfr_set_z_2exp(out, one, -unit, MPFR_RNDN);
    mpz_clear(half);
    mpz_clear(one);
}

/* Both parts of both sequences. */
typedef struct packed {
    mpz_t a[2], b[2], product[2], other, bias; /* of each part */
    size_t slot, coefficients;
} packed;

static void packed_init(packed *p, const cball *a, size_t count, const cball *b, size_t length,
                        mpfr_prec_t bits)
{
    for (size_t i = 0; i < 2; i++) {
        mpz_init(p->a[i]);
        mpz_init(p->b[i]);
        pack(p->a[i], a, count, i == 1, true, p->slot, bits);
        pack(p->b[i], b, length, i == 1, false, p->slot, bits);
        mpz_init(p->product[i]);
    }
    mpz_init(p->other);
    mpz_init(p->bias);
    p->coefficients = count + length - 1;
    set_bias(p->bias, p->coefficients, p->slot);
}

static void packed_clear(packed *p)
{
    for (size_t i = 0; i < 2; i++) {
        mpz_clear(p->a[i]);
        mpz_clear(p->b[i]);
        mpz_clear(p->product[i]);
    }
    mpz_clear(p->other);
    mpz_clear(p->bias);
}

/* The real or the imaginary parts of the sums. */
static void multiply(packed *p, bool imaginary)
{
    mpz_ptr to = p->product[imaginary];
    mpz_mul(to, p->a[0], p->b[imaginary]);
    mpz_mul(p->other, p->a[1], p->b[!imaginary]);
    if (imaginary)
        mpz_add(to, to, p->other);
    else
        mpz_sub(to, to, p->other);
    mpz_add(to, to, p->bias);
}

static void set_error(mpfr_t error, const extent *a, const extent *b, size_t count)
{
    MPFR_DECL_INIT(part, BOUND_BITS);
    mpfr_add(part, b->most, b->off, MPFR_RNDU);
    mpfr_mul(part, part, a->off, MPFR_RNDU);
    mpfr_mul_ui(part, part, count, MPFR_RNDU);
    mpfr_mul(error, a->sum, b->off, MPFR_RNDU);
    mpfr_add(error, error, part, MPFR_RNDU);
}

/* out = both parts, and the error and their rounding around them */
static void set_ball(cball *out, mpfr_srcptr re, mpfr_srcptr im, mpfr_srcptr error)
{
    MPFR_DECL_INIT(size, BOUND_BITS);
    mpfr_hypot(size, re, im, MPFR_RNDU);
    mpfr_add(size, size, error, MPFR_RNDU);
    cball_set_disc(out, re, im, error, size);
}

/* The limbs of a coefficient, which is below 2^(2 bits + exponents + 1) count, and its sign. */
static size_t slot_of(const extent *a, const extent *b, size_t count, mpfr_prec_t bits)
{
    size_t room = 2 * (size_t)bits + (size_t)(a->exponent + b->exponent) + 4;
    for (; count > 0; count /= 2)
        room++;
    return room / LIMB + 1;
}

static void sum_all(cball *out, size_t shifts, size_t stride, const packed *p, size_t count,
                    mpfr_prec_t bits, mpfr_srcptr error)
{
    mpfr_t re, im;
    mpfr_init2(re, (mpfr_prec_t)(p->slot * LIMB));
    mpfr_init2(im, (mpfr_prec_t)(p->slot * LIMB));
    for (size_t m = 0; m < shifts; m++) {
        unpack(re, p->product[0], count - 1 + m * stride, p->slot, 2 * bits);
        unpack(im, p->product[1], count - 1 + m * stride, p->slot, 2 * bits);
        set_ball(&out[m], re, im, error);
    }
    mpfr_clear(im);
    mpfr_clear(re);
}

bool correlate(cball *out, size_t shifts, size_t stride, const cball *a, size_t count,
               const cball *b, mpfr_prec_t bits)
{
    size_t length = count + (shifts - 1) * stride;
    extent x, y;
    bool ok = extent_init(&x, a, count, bits);
    ok = extent_init(&y, b, length, bits) && ok;
    if (ok) {
        MPFR_DECL_INIT(error, BOUND_BITS);
        packed p = {.slot = slot_of(&x, &y, count, bits)};
        set_error(error, &x, &y, count);
        packed_init(&p, a, count, b, length, bits);
        multiply(&p, false);
        multiply(&p, true);
        sum_all(out, shifts, stride, &p, count, bits, error);
        packed_clear(&p);
    }
    extent_clear(&y);
    extent_clear(&x);
    return ok;
}
