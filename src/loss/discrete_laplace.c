/* SPDX-License-Identifier: MIT */
/* Discrete Laplace noise as a law with finitely many outcomes: losses exact, masses enclosed. */
#include "loss/discrete_laplace.h"

#include "loss/discrete.h"
#include "loss/response.h"
#include "num/ival.h"
#include "num/memory.h"
#include "num/number.h"

/* Of the factor a that cancels in the KL divergence; beyond it the enclosure is wider. */
#define MOST_EXTRA_BITS 8192

typedef struct law {
    discrete base; /* first: the functions of discrete.h take it for one */
    mpq_t a;
} law;

static void law_clear(void *self)
{
    law *l = self;
    mpq_clear(l->a);
    discrete_clear(&l->base);
    memory_free(l);
}

static const loss_ops laplace_ops = DISCRETE_OPS("discrete Laplace noise", law_clear, true, NULL);

/* out = 1 - e^-(a n), n >= 0; nothing cancels */
static void lacks(mpfi_t out, const mpq_t a, unsigned long n)
{
    mpfi_set_q(out, a);
    mpfi_mul_ui(out, out, n);
    mpfi_neg(out, out);
    mpfi_expm1(out, out);
    mpfi_neg(out, out);
}

/* The mass under P of the outcome that lies n steps below the top. */
static void mass(mpfi_t out, const mpq_t a, unsigned long n, unsigned long distance)
{
    mpfi_t part;
    mpfi_init2(part, mpfi_get_prec(out));
    mpfi_set_q(out, a);
    mpfi_neg(out, out);
    mpfi_exp(part, out); /* r */
    mpfi_add_ui(part, part, 1);
    mpfi_mul_ui(out, out, n);
    mpfi_exp(out, out); /* r^n */
    mpfi_div(out, out, part);
    if (n > 0 && n < distance) {
        lacks(part, a, 1);
        mpfi_mul(out, out, part);
    }
    mpfi_clear(part);
}

/* Outcomes ascend: number i lies D - i steps below the top. Under Q it is the other way round. */
static void enclose(outcome *out, const discrete *self, size_t i)
{
    const law *l = (const law *)self;
    unsigned long distance = self->count - 1;
    ival_set_number(out->loss, &self->loss[i]);
    mass(out->mass, l->a, distance - i, distance);
    mass(out->qmass, l->a, i, distance);
}

static law *find(const product *in, const mpq_t a, size_t count)
{
    for (size_t i = 0; i < in->count; i++) {
        law *l = in->item[i].self;
        if (in->item[i].ops == &laplace_ops && l->base.count == count && mpq_equal(l->a, a))
            return l;
    }
    return NULL;
}

/* loss i = a (2i - D) */
static void set_losses(discrete *d, const mpq_t a)
{
    mpq_t lost;
    mpq_init(lost);
    for (size_t i = 0; i < d->count; i++) {
        mpq_set_si(lost, 2 * (long)i - (long)(d->count - 1), 1);
        mpq_mul(lost, lost, a);
        number_set_q(&d->loss[i], lost);
    }
    mpq_clear(lost);
}

static dp_status add_response(product *to, const mpq_t a, const mpz_t times)
{
    dp_number epsilon;
    dp_number_init(&epsilon);
    number_set_q(&epsilon, a);
    dp_status status = response_add(to, &epsilon, times);
    dp_number_clear(&epsilon);
    return status;
}

dp_status discrete_laplace_add(product *to, const mpq_t a, unsigned long distance,
                               const mpz_t times)
{
    if (mpq_sgn(a) <= 0 || distance < 1 || distance > DISCRETE_LAPLACE_MOST)
        return DP_DOMAIN;
    if (distance == 1)
        return add_response(to, a, times);
    law *l = find(to, a, distance + 1);
    if (l != NULL) {
        mpz_add(l->base.times, l->base.times, times);
        return DP_OK;
    }
    l = memory_new(1, sizeof *l);
    if (l == NULL)
        return DP_MEMORY;
    mpq_init(l->a);
    mpq_set(l->a, a);
    if (!discrete_init(&l->base, distance + 1, true, times)) {
        law_clear(l);
        return DP_MEMORY;
    }
    l->base.enclose = enclose;
    l->base.closed = true;
    set_losses(&l->base, a);
    discrete_ready(&l->base);
    return product_take(to, (loss){&laplace_ops, l});
}

/* The mean of the losses, with g = 1 - r^D and the sums of r^j and j r^j between the ends, is a (D
 * - 2r g / (1-r^2)). The difference is about a D^2 / 2 of its terms where a D is small, so what a
 * costs in bits is spent before. */
void discrete_laplace_kl(mpfi_t out, const mpq_t a, unsigned long distance)
{
    size_t extra = mpz_sizeinbase(mpq_denref(a), 2) + 64;
    mpfr_prec_t bits =
        mpfi_get_prec(out) + (mpfr_prec_t)(extra < MOST_EXTRA_BITS ? extra : MOST_EXTRA_BITS);
    mpfi_t x, y;
    mpfi_init2(x, bits);
    mpfi_init2(y, bits);
    mpfi_set_q(x, a);
    mpfi_neg(x, x);
    mpfi_exp(x, x);
    mpfi_mul_2ui(x, x, 1);
    lacks(y, a, distance);
    mpfi_mul(x, x, y);
    lacks(y, a, 2);
    mpfi_div(x, x, y);
    mpfi_ui_sub(x, distance, x);
    mpfi_set_q(y, a);
    mpfi_mul(x, x, y);
    ival_at_least_zero(x);
    mpfi_set(out, x);
    mpfi_clear(y);
    mpfi_clear(x);
}
