/* SPDX-License-Identifier: MIT */
/* A cell of the lattice of one epsilon by its own sum, term by term from cell i up to the top: few
 * uses, or few of them lost. */
#include "loss/response.h"
#include "loss/response_cell_fixed.h"
#include "num/ival.h"

/* One function of so many bits takes a fraction of a second, and nothing interrupts it. */
#define MOST_BITS ((mpfr_prec_t)1 << 18)

/* Workspace of one sum: k mechanisms with one epsilon, from i minus signs down to none. */
typedef struct direct {
    mpfi_t term;  /* P(i - r minus signs) */
    mpfi_t lift;  /* e^eps */
    mpfi_t decay; /* e^(-2 eps r) */
    mpfi_t loss;  /* 1 - decay */
    mpfi_t fall, drop;
    mpfi_t part;
    mpz_t minus, plus; /* signs of the current term */
} direct;

static void direct_init(direct *d, mpfr_prec_t bits)
{
    mpfi_ptr x[] = {d->term, d->lift, d->decay, d->loss, d->fall, d->drop, d->part};
    for (size_t i = 0; i < 7; i++)
        mpfi_init2(x[i], bits);
    mpz_inits(d->minus, d->plus, NULL);
}

static void direct_clear(direct *d)
{
    mpfi_ptr x[] = {d->term, d->lift, d->decay, d->loss, d->fall, d->drop, d->part};
    for (size_t i = 0; i < 7; i++)
        mpfi_clear(x[i]);
    mpz_clears(d->minus, d->plus, NULL);
}

/* x = x * a / b for positive integers */
static void scale(mpfi_t x, const mpz_t a, const mpz_t b)
{
    if (mpz_fits_ulong_p(a) && mpz_fits_ulong_p(b)) {
        mpfi_mul_ui(x, x, mpz_get_ui(a));
        mpfi_div_ui(x, x, mpz_get_ui(b));
    } else {
        mpfi_mul_z(x, x, a);
        mpfi_div_z(x, x, b);
    }
}

static bool out_of_time(const limits *lim)
{
    return lim != NULL && limits_expired(lim);
}

/* term = C(k, i) q^(k-i) p^i = C(k, i) exp(-(k ln(1 + e^-eps) + i eps)) */
static dp_status first_term(direct *d, const mpz_t k, const mpz_t i, const dp_number *epsilon,
                            const limits *lim)
{
    ival_set_number(d->part, epsilon);
    ival_log1p_exp_neg(d->term, d->part);
    ival_mul_z(d->term, d->term, k);
    ival_mul_z(d->part, d->part, i);
    mpfi_add(d->term, d->term, d->part);
    mpfi_neg(d->term, d->term);
    mpfi_exp(d->term, d->term);
    mpz_t top, below, least;
    mpz_inits(top, below, least, NULL);
    mpz_sub(least, k, i);
    if (mpz_cmp(least, i) > 0)
        mpz_set(least, i);
    mpz_set(top, k);
    mpz_set_ui(below, 1);
    bool late = false;
    for (; !late && mpz_cmp(below, least) <= 0; mpz_sub_ui(top, top, 1)) {
        scale(d->term, top, below);
        mpz_add_ui(below, below, 1);
        late = mpz_divisible_ui_p(below, 256) != 0 && out_of_time(lim);
    }
    mpz_clears(top, below, least, NULL);
    return late ? DP_LIMIT : DP_OK;
}

/* Bounds what is left of both sums after the current term: with r the ratio of the next two terms,
 * which decreases, the rest is at most term_next / (1 - r). Adds [0, rest] to g and v and returns
 * true when that is below 2^-bits of each. d->part is the ratio's scratch. */
static bool finish(mpfi_t g, mpfi_t v, direct *d, mpfr_prec_t bits)
{
    mpfi_set(d->part, d->lift);
    scale(d->part, d->minus, d->plus);
    if (mpfr_cmp_ui(&d->part->right, 1) >= 0)
        return false;
    mpfr_t rest, most;
    mpfr_init2(rest, 64);
    mpfr_init2(most, 64);
    mpfr_ui_sub(rest, 1, &d->part->right, MPFR_RNDD);
    mpfr_div(rest, &d->term->right, rest, MPFR_RNDU);
    mpfr_div_2si(most, &g->left, bits, MPFR_RNDD);
    bool small = mpfr_cmp(rest, most) <= 0;
    mpfr_div_2si(most, &v->left, bits, MPFR_RNDD);
    small = small && mpfr_cmp(rest, most) <= 0;
    if (small) {
        mpfr_add(&g->right, &g->right, rest, MPFR_RNDU);
        mpfr_add(&v->right, &v->right, rest, MPFR_RNDU);
    }
    mpfr_clear(most);
    mpfr_clear(rest);
    return small;
}

dp_status response_cell(mpfi_ptr g, mpfi_ptr v, const void *self, mpz_srcptr i, mpfr_prec_t bits,
                        const limits *lim)
{
    const response *law = self;
    if (law->losses != 1)
        return DP_UNDECIDED;
    if (g == NULL)
        return DP_OK;
    const composed_loss *l = &law->loss[0];
    if (response_cell_fixed(g, v, l, i, bits))
        return DP_OK;
    mpfr_prec_t work = bits + 40 + (mpfr_prec_t)mpz_sizeinbase(l->times, 2);
    if (work > MOST_BITS)
        return DP_LIMIT;
    direct d;
    direct_init(&d, work);
    mpfi_set_prec(g, work);
    mpfi_set_prec(v, work);
    mpfi_set_ui(g, 0);
    mpfi_set_ui(v, 0);
    dp_status status = first_term(&d, l->times, i, &l->epsilon, lim);
    ival_exp_number(d.lift, &l->epsilon);
    ival_set_number(d.part, &l->epsilon);
    mpfi_mul_2ui(d.part, d.part, 1);
    mpfi_neg(d.part, d.part);
    mpfi_exp(d.fall, d.part); /* e^(-2 eps) */
    mpfi_expm1(d.drop, d.part);
    mpfi_neg(d.drop, d.drop); /* 1 - e^(-2 eps) */
    mpfi_set_ui(d.decay, 1);
    mpfi_set_ui(d.loss, 0);
    mpz_set(d.minus, i);
    mpz_sub(d.plus, l->times, i);
    for (unsigned long r = 0; status == DP_OK; r++) {
        mpfi_mul(d.part, d.term, d.decay);
        mpfi_add(v, v, d.part);
        mpfi_mul(d.part, d.term, d.loss);
        mpfi_add(g, g, d.part);
        if (mpz_sgn(d.minus) == 0)
            break;
        /* one sign more turns plus: P grows by the ratio of binomials times q/p = e^eps */
        mpz_add_ui(d.plus, d.plus, 1);
        scale(d.term, d.minus, d.plus);
        mpfi_mul(d.term, d.term, d.lift);
        mpz_sub_ui(d.minus, d.minus, 1);
        mpfi_mul(d.part, d.decay, d.drop);
        mpfi_add(d.loss, d.loss, d.part); /* 1 - e^(-2eps(r+1)) = loss + decay * drop: positive */
        mpfi_mul(d.decay, d.decay, d.fall);
        if (r % 8 == 7 && finish(g, v, &d, bits))
            break;
        if (r % 16 == 15 && out_of_time(lim))
            status = DP_LIMIT;
    }
    direct_clear(&d);
    return status;
}
