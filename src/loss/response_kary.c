/* SPDX-License-Identifier: MIT */
/* k-ary randomized response as a law with three outcomes: losses exact, masses enclosed. */
#include "loss/response_kary.h"

#include "loss/discrete.h"
#include "num/ival.h"
#include "num/memory.h"
#include "num/number.h"

typedef struct kary {
    discrete base; /* first: the functions of discrete.h take it for one; losses -eps, 0, eps */
    mpz_t k;
} kary;

static void kary_clear(void *self)
{
    kary *r = self;
    mpz_clear(r->k);
    discrete_clear(&r->base);
    memory_free(r);
}

static const loss_ops kary_ops = DISCRETE_OPS("k-ary randomized response", kary_clear, true, NULL);

/* With x = e^-eps, which cannot overflow: 1 / y, x / y, (k - 2) x / y, y = 1 + (k - 1) x. */
static void enclose(outcome *out, const discrete *self, size_t j)
{
    const kary *r = (const kary *)self;
    mpfi_t x, y;
    mpz_t k;
    mpfi_init2(x, mpfi_get_prec(out->mass));
    mpfi_init2(y, mpfi_get_prec(out->mass));
    mpz_init(k);
    ival_exp_number(x, &self->loss[0]);
    mpz_sub_ui(k, r->k, 1);
    ival_mul_z(y, x, k);
    mpfi_add_ui(y, y, 1);
    ival_set_number(out->loss, &self->loss[j]);
    mpfi_ptr plus = j == 0 ? out->qmass : out->mass, minus = j == 0 ? out->mass : out->qmass;
    if (j == 1) {
        mpz_sub_ui(k, r->k, 2);
        ival_mul_z(x, x, k);
        mpfi_div(out->mass, x, y);
        mpfi_set(out->qmass, out->mass);
    } else {
        mpfi_ui_div(plus, 1, y);
        mpfi_div(minus, x, y);
    }
    mpz_clear(k);
    mpfi_clear(y);
    mpfi_clear(x);
}

/* x = -eps, exactly */
static void set_minus(dp_number *x, const dp_number *eps)
{
    mpq_t value;
    mpq_init(value);
    if (eps->is_log) {
        mpq_inv(value, number_odds(eps));
        number_set_log(x, value);
    } else {
        mpq_neg(value, number_rational(eps));
        number_set_q(x, value);
    }
    mpq_clear(value);
}

static kary *find(const product *in, const dp_number *eps, const mpz_t k)
{
    for (size_t i = 0; i < in->count; i++) {
        kary *r = in->item[i].self;
        if (in->item[i].ops == &kary_ops && mpz_cmp(r->k, k) == 0 &&
            number_order(&r->base.loss[2], eps) == 0)
            return r;
    }
    return NULL;
}

dp_status response_kary_add(product *to, const dp_number *eps, const mpz_t k, const mpz_t times)
{
    if (mpz_cmp_ui(k, 3) < 0 || dp_number_sgn(eps) < 0)
        return DP_DOMAIN;
    if (dp_number_sgn(eps) == 0)
        return DP_OK;
    kary *r = find(to, eps, k);
    if (r != NULL) {
        mpz_add(r->base.times, r->base.times, times);
        return DP_OK;
    }
    r = memory_new(1, sizeof *r);
    if (r == NULL)
        return DP_MEMORY;
    mpz_init_set(r->k, k);
    if (!discrete_init(&r->base, 3, true, times)) {
        kary_clear(r);
        return DP_MEMORY;
    }
    r->base.enclose = enclose;
    r->base.closed = true;
    set_minus(&r->base.loss[0], eps);
    dp_number_set(&r->base.loss[2], eps); /* between them, 0 as it was made */
    discrete_ready(&r->base);
    return product_take(to, (loss){&kary_ops, r});
}
