/* SPDX-License-Identifier: MIT */
/* phi at a node. */
#include "loss/response_nodes.h"

#include "loss/discrete.h"
#include "loss/response_series.h"
#include "num/ival.h"
#include "num/memory.h"
#include "num/number.h"
#include "num/wide.h"

#define DIGIT_BITS 7
#define DIGIT_SIZE (1U << DIGIT_BITS)
/* Fewer items than this take a sine and cosine each instead of a table for the node. */
#define TABLE_ITEMS 96
/* A turn is advanced by multiplication this often before it is computed afresh. */
#define RUN_LENGTH 64

static bool make_real(mpfr_t **list, size_t count, mpfr_prec_t bits)
{
    *list = memory_new(count + 1, sizeof **list);
    for (size_t i = 0; *list != NULL && i < count; i++)
        mpfr_init2((*list)[i], bits);
    return *list != NULL;
}

static void drop_real(mpfr_t *list, size_t count)
{
    for (size_t i = 0; list != NULL && i < count; i++)
        mpfr_clear(list[i]);
    memory_free(list);
}

/* Bits that hold c + 1/2 for every short double c: 24 bits from 2^1023 down to 2^-1000. */
#define HALF_BITS 2048

/* 16 bits beyond those of the nodes: what an interval widens by is below one rounding. */
#define MORE_BITS 16

/* tanh(eps (c + 1/2)) for half = c + 1/2, exact */
static void set_lean(cdisc *lean, const dp_number *epsilon, mpfi_t x, mpfr_srcptr half)
{
    ival_set_number(x, epsilon);
    mpfi_mul_fr(x, x, half);
    mpfi_tanh(x, x);
    cdisc_set_i(lean, x);
}

/* The angle spacing eps, as what is within `away` of `middle`. */
static void set_angle(mpfr_t middle, mpfr_t away, const dp_number *epsilon, mpfi_t x,
                      mpfr_srcptr spacing)
{
    ival_set_number(x, epsilon);
    mpfi_mul_fr(x, x, spacing);
    cball a;
    cball_init(&a, mpfr_get_prec(middle));
    cball_set_i(&a, x);
    mpfr_swap(middle, a.re);
    mpfr_set(away, a.radius, MPFR_RNDU);
    cball_clear(&a);
}

static size_t digits_of(uint64_t m)
{
    size_t n = 1;
    while ((m >>= DIGIT_BITS) != 0)
        n++;
    return n;
}

/* The law's step over that of a lattice on which it lies, modulo 2N. */
static uint64_t step_ratio(const dp_number *step, const line *at)
{
    mpz_t ratio;
    mpz_init(ratio);
    discrete_multiple(ratio, step, at->step);
    mpz_mul_2exp(ratio, ratio, at->halved ? 1 : 0);
    uint64_t r = wide_mod_z(ratio, 2 * at->period);
    mpz_clear(ratio);
    return r;
}

static bool lattice_tables(waves *w)
{
    if (w->list->losses < TABLE_ITEMS)
        return true;
    for (size_t i = 0; i < w->list->losses; i++) {
        size_t n = digits_of(w->multiple[i]);
        w->digits = n > w->digits ? n : w->digits;
    }
    w->power = cdisc_list_new(w->digits * DIGIT_SIZE, w->work);
    return w->power != NULL;
}

static bool free_tables(waves *w, mpfi_t x, mpfr_srcptr spacing)
{
    size_t n = w->list->losses;
    w->step = cdisc_list_new(n, w->work);
    w->turn = cdisc_list_new(n, w->work);
    if (!make_real(&w->angle, n, w->work) || !make_real(&w->away, n, CBALL_BOUND_BITS) ||
        w->step == NULL || w->turn == NULL)
        return false;
    for (size_t i = 0; i < n; i++) {
        set_angle(w->angle[i], w->away[i], &w->list->loss[i].epsilon, x, spacing);
        cdisc_turn(&w->step[i], w->angle[i], w->away[i], 1);
    }
    w->at = UINT64_MAX;
    return true;
}

/* m_i = eps_i / (the line's step), at once modulo 2N, which is all that a turn depends on, where
 * that is not the law's own step. */
static bool set_multiples(waves *w, const response *list, const line *at)
{
    w->multiple = list->multiple;
    if (!at->halved && number_order(&list->step, at->step) == 0)
        return true;
    w->scaled = memory_new(list->losses + 1, sizeof *w->scaled);
    w->multiple = w->scaled;
    if (w->scaled == NULL)
        return false;
    uint64_t ratio = step_ratio(&list->step, at), modulus = 2 * at->period;
    for (size_t i = 0; i < list->losses; i++)
        w->scaled[i] = wide_product_mod(list->multiple[i], ratio, modulus);
    return true;
}

static bool set_leans(waves *w, mpfi_t x, double c)
{
    w->lean = cdisc_list_new(w->list->losses, w->work);
    mpfr_t half;
    mpfr_init2(half, HALF_BITS);
    mpfr_set_d(half, c, MPFR_RNDN);
    mpfr_add_d(half, half, 0.5, MPFR_RNDN);
    for (size_t i = 0; w->lean != NULL && i < w->list->losses; i++)
        set_lean(&w->lean[i], &w->list->loss[i].epsilon, x, half);
    mpfr_clear(half);
    return w->lean != NULL;
}

dp_status waves_init(waves *w, const response *list, const line *at)
{
    *w = (waves){.list = list, .period = at->period, .work = at->work};
    cdisc_init(&w->scratch, w->work);
    cdisc_init(&w->factor, w->work);
    cdisc_init(&w->part, w->work);
    mpfi_t x;
    mpfi_init2(x, w->work + MORE_BITS);
    bool ok = (at->step == NULL || set_multiples(w, list, at)) && set_leans(w, x, at->c) &&
              (w->multiple != NULL ? lattice_tables(w) : free_tables(w, x, at->spacing));
    mpfi_clear(x);
    return ok ? DP_OK : DP_MEMORY;
}

void waves_clear(waves *w)
{
    size_t n = w->list->losses;
    cdisc_clear(&w->scratch);
    cdisc_clear(&w->factor);
    cdisc_clear(&w->part);
    memory_free(w->scaled);
    drop_real(w->angle, n);
    drop_real(w->away, n);
    cdisc_list_free(w->lean, n);
    cdisc_list_free(w->step, n);
    cdisc_list_free(w->turn, n);
    cdisc_list_free(w->power, w->digits * DIGIT_SIZE);
}

/* power[k][d] = e^(i pi n d 2^(7k) / N): the first of each row exactly placed, the rest by
 * products */
static void node_table(waves *w, uint64_t n)
{
    uint64_t modulus = 2 * w->period, r = n % modulus; /* n 2^(7k), exactly */
    for (size_t k = 0; k < w->digits; k++) {
        cdisc *row = w->power + k * DIGIT_SIZE;
        cdisc_set_one(&row[0]);
        cdisc_unit(&row[1], r, w->period);
        r = wide_product_mod(r, DIGIT_SIZE, modulus);
        for (uint32_t d = 2; d < DIGIT_SIZE; d++)
            cdisc_mul(&row[d], &row[d / 2], &row[d - d / 2], &w->scratch);
    }
}

static void lattice_turn(cdisc *turn, waves *w, size_t i, uint64_t n)
{
    uint64_t m = w->multiple[i];
    if (w->power == NULL) {
        cdisc_unit(turn, wide_product_mod(n, m, 2 * w->period), w->period);
        return;
    }
    cdisc_set(turn, &w->power[m % DIGIT_SIZE]);
    for (size_t k = 1; (m >>= DIGIT_BITS) != 0; k++)
        cdisc_mul(turn, turn, &w->power[k * DIGIT_SIZE + m % DIGIT_SIZE], &w->scratch);
}

/* All turns at node n: one step on from the last node, or afresh. */
static void advance(waves *w, uint64_t n)
{
    bool next = w->at != UINT64_MAX && n == w->at + 1 && w->run < RUN_LENGTH;
    for (size_t i = 0; i < w->list->losses; i++)
        if (next)
            cdisc_mul(&w->turn[i], &w->turn[i], &w->step[i], &w->scratch);
        else
            cdisc_turn(&w->turn[i], w->angle[i], w->away[i], n);
    w->run = next ? w->run + 1 : 0;
    w->at = n;
}

void waves_phi(cdisc *phi, waves *w, uint64_t n)
{
    if (w->multiple == NULL)
        advance(w, n);
    else if (w->power != NULL)
        node_table(w, n);
    cdisc_set_one(phi);
    for (size_t i = 0; i < w->list->losses; i++) {
        if (w->multiple != NULL)
            lattice_turn(&w->factor, w, i, n);
        cdisc_lean(&w->factor, w->multiple != NULL ? &w->factor : &w->turn[i], &w->lean[i]);
        if (mpz_cmp_ui(w->list->loss[i].times, 1) == 0) {
            cdisc_mul(phi, phi, &w->factor, &w->scratch);
        } else {
            cdisc_pow(&w->part, &w->factor, w->list->loss[i].times, &w->scratch);
            cdisc_mul(phi, phi, &w->part, &w->scratch);
        }
    }
}

/* The first factor of a product is the law's own value. */
static void take_in(cball *phi, const cdisc *value, cball *scratch)
{
    bool first = mpfr_cmp_ui(phi->re, 1) == 0 && mpfr_zero_p(phi->im) && mpfr_zero_p(phi->radius);
    cdisc_ball(first ? phi : scratch, value);
    if (!first)
        cball_mul(phi, phi, scratch);
}

#define LONG_WORK 2048 /* bits at which a node takes long enough to look at the time after each */
#define LONG_LIST 64   /* and losses */

dp_status response_multiply(cball *phi, const void *self, const line *at, const uint64_t *node,
                            size_t count, const limits *lim)
{
    const response *r = self;
    size_t done = 0; /* by the series, as far as it goes */
    while (r->series != NULL && done < count &&
           response_series_multiply(&phi[done], r->series, at, node[done]))
        done++;
    if (done == count)
        return DP_OK;
    waves w;
    dp_status status = waves_init(&w, self, at);
    cdisc value;
    cball scratch;
    cdisc_init(&value, at->work);
    cball_init(&scratch, at->work);
    bool slow = at->work > LONG_WORK || w.list->losses > LONG_LIST;
    for (size_t i = done; status == DP_OK && i < count; i++) {
        waves_phi(&value, &w, node[i]);
        take_in(&phi[i], &value, &scratch);
        if ((i % 16 == 15 || slow) && limits_expired(lim))
            status = DP_LIMIT;
    }
    cball_clear(&scratch);
    cdisc_clear(&value);
    waves_clear(&w);
    return status;
}
