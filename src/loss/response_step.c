/* SPDX-License-Identifier: MIT */
/* The common step of the epsilons of a law of randomized response. */
#include "loss/discrete.h"
#include "loss/response.h"
#include "num/memory.h"
#include "num/number.h"
#include "num/wide.h"

/* A finer step than this is no better than none. */
#define STEP_BITS 512
#define MULTIPLE_BITS 40

/* below = lcm of the denominators; false when some loss is a logarithm or the lcm grows too long */
static bool common_denominator(mpz_t below, const response *r)
{
    mpz_set_ui(below, 1);
    bool ok = true;
    for (size_t i = 0; ok && i < r->losses; i++) {
        const dp_number *x = &r->loss[i].epsilon;
        ok = !x->is_log && mpz_sizeinbase(mpq_denref(number_rational(x)), 2) <= STEP_BITS;
        if (ok)
            mpz_lcm(below, below, mpq_denref(number_rational(x)));
        ok = ok && mpz_sizeinbase(below, 2) <= STEP_BITS;
    }
    return ok;
}

/* step = gcd of the epsilons over that denominator */
static void common_step(response *r, const mpz_t below)
{
    mpz_t part, divisor;
    mpq_t step;
    mpq_init(step);
    mpz_inits(part, divisor, NULL);
    for (size_t i = 0; i < r->losses; i++) {
        mpq_srcptr x = number_rational(&r->loss[i].epsilon);
        mpz_divexact(part, below, mpq_denref(x));
        mpz_mul(part, part, mpq_numref(x));
        mpz_gcd(divisor, divisor, part);
    }
    mpz_set(mpq_numref(step), divisor);
    mpz_set(mpq_denref(step), below);
    mpq_canonicalize(step);
    number_set_q(&r->step, step);
    mpq_clear(step);
    mpz_clears(part, divisor, NULL);
}

/* step = gcd of the epsilons where all are logarithms of powers of one rational */
static bool common_log(response *r)
{
    dp_number both[2];
    bool ok = true;
    for (size_t k = 0; k < 2; k++)
        dp_number_init(&both[k]);
    dp_number_set(&both[0], &r->loss[0].epsilon);
    for (size_t i = 1; ok && i < r->losses; i++) {
        dp_number_set(&both[1], &r->loss[i].epsilon);
        ok = discrete_gcd(&r->step, both, 2);
        dp_number_set(&both[0], &r->step);
    }
    for (size_t k = 0; k < 2; k++)
        dp_number_clear(&both[k]);
    return ok;
}

static bool set_multiples(response *r)
{
    mpz_t m;
    mpz_init(m);
    bool ok = true;
    for (size_t i = 0; ok && i < r->losses; i++) {
        r->multiple[i] = 0;
        ok = discrete_multiple(m, &r->loss[i].epsilon, &r->step) &&
             mpz_sizeinbase(m, 2) <= MULTIPLE_BITS && wide_get_z(&r->multiple[i], m);
    }
    mpz_clear(m);
    return ok;
}

bool response_find_step(response *r)
{
    memory_free(r->multiple);
    r->has_step = false;
    r->multiple = memory_new(r->losses + 1, sizeof *r->multiple);
    if (r->multiple == NULL)
        return false;
    if (r->losses == 1) {
        dp_number_set(&r->step, &r->loss[0].epsilon);
        r->multiple[0] = 1;
        r->has_step = true;
    } else if (r->losses > 1 && r->loss[0].epsilon.is_log) {
        r->has_step = common_log(r) && set_multiples(r);
    } else {
        mpz_t below;
        mpz_init(below);
        if (common_denominator(below, r)) {
            common_step(r, below);
            r->has_step = set_multiples(r);
        }
        mpz_clear(below);
    }
    return true;
}

bool response_step(dp_number *step, bool *halved, const void *self)
{
    const response *r = self;
    *halved = false;
    if (r->has_step)
        dp_number_set(step, &r->step);
    return r->has_step;
}
