/* SPDX-License-Identifier: MIT */
/* phi at a node and the bound of its error. */
#include "loss/response_nodes.h"

#include <math.h>

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

static bool make_cx(cx **list, size_t count, mpfr_prec_t bits)
{
    *list = memory_new(count + 1, sizeof **list);
    for (size_t i = 0; *list != NULL && i < count; i++)
        cx_init(&(*list)[i], bits);
    return *list != NULL;
}

static void drop_cx(cx *list, size_t count)
{
    for (size_t i = 0; list != NULL && i < count; i++)
        cx_clear(&list[i]);
    memory_free(list);
}

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

/* epsilon to within u and tanh(eps (c + 1/2)) to within 2u: 16 more bits on the way; half = c +
 * 1/2, exact */
static void set_item(mpfr_t tanh, mpfr_t epsilon, const dp_number *x, mpfr_srcptr half)
{
    mpfr_t e;
    mpfr_init2(e, mpfr_get_prec(tanh) + 16);
    waves_epsilon(e, x);
    if (epsilon != NULL)
        mpfr_set(epsilon, e, MPFR_RNDN);
    mpfr_mul(e, e, half, MPFR_RNDN);
    mpfr_tanh(tanh, e, MPFR_RNDN);
    mpfr_clear(e);
}

static size_t digits_of(uint64_t m)
{
    size_t n = 1;
    while ((m >>= DIGIT_BITS) != 0)
        n++;
    return n;
}

/* turn = e^(i theta_n eps), the angle computed in one product of three numbers known to u */
static void fresh_turn(cx *turn, const waves *w, size_t i, uint64_t n)
{
    mpfr_mul(turn->re, w->spacing, w->epsilon[i], MPFR_RNDN);
    wide_mul_fr(turn->re, turn->re, n, MPFR_RNDN);
    mpfr_sin_cos(turn->im, turn->re, turn->re, MPFR_RNDN);
}

/* The law's step over that of a lattice on which it lies, modulo 2N. */
static uint64_t step_ratio(const dp_number *step, const line *at)
{
    mpq_t ratio;
    mpq_init(ratio);
    mpq_div(ratio, number_rational(step), number_rational(at->step));
    uint64_t r = wide_mod_z(mpq_numref(ratio), 2 * at->period);
    mpq_clear(ratio);
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
    return make_cx(&w->power, w->digits * DIGIT_SIZE, w->work);
}

static bool free_tables(waves *w)
{
    size_t n = w->list->losses;
    if (!make_cx(&w->step, n, w->work) || !make_cx(&w->turn, n, w->work))
        return false;
    for (size_t i = 0; i < n; i++)
        fresh_turn(&w->step[i], w, i, 1);
    w->at = UINT64_MAX;
    return true;
}

/* m_i = eps_i / (the line's step), at once modulo 2N, which is all that a turn depends on, where
 * that is not the law's own step. */
static bool set_multiples(waves *w, const response *list, const line *at)
{
    w->multiple = list->multiple;
    if (number_order(&list->step, at->step) == 0)
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

dp_status waves_init(waves *w, const response *list, const line *at)
{
    mpfr_prec_t work = at->work;
    *w = (waves){
        .list = list, .period = at->period, .spacing = at->spacing, .last = at->last, .work = work};
    bool ok = at->step == NULL || set_multiples(w, list, at);
    const uint64_t *multiple = w->multiple;
    mpfr_init2(w->pi, work);
    mpfr_const_pi(w->pi, MPFR_RNDN);
    cx_init(&w->t, work);
    cx_init(&w->factor, work);
    cx_init(&w->part, work);
    ok = ok && make_real(&w->tanh, list->losses, work) &&
         (multiple != NULL || make_real(&w->epsilon, list->losses, work));
    mpfr_t half;
    mpfr_init2(half, HALF_BITS);
    mpfr_set_d(half, at->c, MPFR_RNDN);
    mpfr_add_d(half, half, 0.5, MPFR_RNDN);
    for (size_t i = 0; ok && i < list->losses; i++)
        set_item(w->tanh[i], multiple != NULL ? NULL : w->epsilon[i], &list->loss[i].epsilon, half);
    mpfr_clear(half);
    ok = ok && (multiple != NULL ? lattice_tables(w) : free_tables(w));
    return ok ? DP_OK : DP_MEMORY;
}

void waves_clear(waves *w)
{
    size_t n = w->list->losses;
    mpfr_clear(w->pi);
    cx_clear(&w->t);
    cx_clear(&w->factor);
    cx_clear(&w->part);
    memory_free(w->scaled);
    drop_real(w->tanh, n);
    drop_real(w->epsilon, n);
    drop_cx(w->step, n);
    drop_cx(w->turn, n);
    drop_cx(w->power, w->digits * DIGIT_SIZE);
}

/* power[k][d] = e^(i pi n d 2^(7k) / N): the first of each row exactly placed, the rest by
 * products, at most 127 of them: error below 127 (12u + 3u) */
static void node_table(waves *w, uint64_t n)
{
    uint64_t modulus = 2 * w->period, r = n % modulus; /* n 2^(7k), exactly */
    for (size_t k = 0; k < w->digits; k++) {
        cx *row = w->power + k * DIGIT_SIZE;
        cx_set_ui(&row[0], 1);
        cx_unit(&row[1], r, w->period, w->pi);
        r = wide_product_mod(r, DIGIT_SIZE, modulus);
        for (uint32_t d = 2; d < DIGIT_SIZE; d++)
            cx_mul(&row[d], &row[d / 2], &row[d - d / 2], &w->t);
    }
}

static void lattice_turn(cx *turn, waves *w, size_t i, uint64_t n)
{
    uint64_t m = w->multiple[i];
    if (w->power == NULL) {
        cx_unit(turn, wide_product_mod(n, m, 2 * w->period), w->period, w->pi);
        return;
    }
    cx_set(turn, &w->power[m % DIGIT_SIZE]);
    for (size_t k = 1; (m >>= DIGIT_BITS) != 0; k++)
        cx_mul(turn, turn, &w->power[k * DIGIT_SIZE + m % DIGIT_SIZE], &w->t);
}

/* All turns at node n: one step on from the last node, or afresh. */
static void advance(waves *w, uint64_t n)
{
    bool next = w->at != UINT64_MAX && n == w->at + 1 && w->run < RUN_LENGTH;
    for (size_t i = 0; i < w->list->losses; i++)
        if (next)
            cx_mul(&w->turn[i], &w->turn[i], &w->step[i], &w->t);
        else
            fresh_turn(&w->turn[i], w, i, n);
    w->run = next ? w->run + 1 : 0;
    w->at = n;
}

void waves_phi(cx *phi, waves *w, uint64_t n)
{
    if (w->multiple == NULL)
        advance(w, n);
    else if (w->power != NULL)
        node_table(w, n);
    cx_set_ui(phi, 1);
    for (size_t i = 0; i < w->list->losses; i++) {
        const cx *turn = &w->factor;
        if (w->multiple != NULL)
            lattice_turn(&w->factor, w, i, n);
        else
            turn = &w->turn[i];
        mpfr_mul(w->factor.im, turn->im, w->tanh[i], MPFR_RNDN);
        if (turn != &w->factor)
            mpfr_set(w->factor.re, turn->re, MPFR_RNDN);
        if (mpz_cmp_ui(w->list->loss[i].times, 1) == 0) {
            cx_mul(phi, phi, &w->factor, &w->t);
        } else {
            cx_pow(&w->part, &w->factor, w->list->loss[i].times, &w->t);
            cx_mul(phi, phi, &w->part, &w->t);
        }
    }
}

/* A factor of modulus at most 1 carries the error e of its turn, 5u from tanh and the product;
 * raised to t and multiplied up: T (e + 9u) + 2 g u to first order, doubled for the higher ones.
 * e is 12u for one sine and cosine, 127 * 15u + 12u a digit from the table, and for a free node
 * the angle's own error, 3u theta eps, and 15u a step of the run. */
void waves_error(mpfr_t error, const waves *w)
{
    mpfr_t turn, angle;
    mpfr_init2(turn, 64);
    mpfr_init2(angle, 64);
    if (w->multiple == NULL) {
        mpfr_set_ui(turn, 0, MPFR_RNDU);
        for (size_t i = 0; i < w->list->losses; i++) {
            mpfr_mul(angle, w->spacing, w->epsilon[i], MPFR_RNDU);
            mpfr_max(turn, turn, angle, MPFR_RNDU);
        }
        wide_mul_fr(turn, turn, w->last + 1, MPFR_RNDU);
        mpfr_mul_ui(turn, turn, 4, MPFR_RNDU);
        /* the step's own angle error, taken RUN_LENGTH times, is within the first term again */
        mpfr_mul_ui(turn, turn, 2, MPFR_RNDU);
        mpfr_add_ui(turn, turn, 12 + 15 * RUN_LENGTH, MPFR_RNDU);
    } else {
        mpfr_set_ui(turn, w->power != NULL ? w->digits * (127 * 15 + 12 + 3) : 12, MPFR_RNDU);
    }
    mpfr_add_ui(turn, turn, 9, MPFR_RNDU);
    mpfr_mul_z(error, turn, w->list->uses, MPFR_RNDU);
    mpfr_add_ui(error, error, 2 * w->list->losses + 4, MPFR_RNDU);
    mpfr_mul_2ui(error, error, 1, MPFR_RNDU);
    mpfr_div_2ui(error, error, (unsigned long)w->work, MPFR_RNDU);
    mpfr_clear(angle);
    mpfr_clear(turn);
}

/* The first factor of a product is the law's own value, bit for bit. */
static void take_in(cball *phi, const cx *value, mpfr_srcptr error, cball *scratch)
{
    bool first = mpfr_cmp_ui(phi->re, 1) == 0 && mpfr_zero_p(phi->im) && mpfr_zero_p(phi->radius);
    cball *to = first ? phi : scratch;
    mpfr_set(to->re, value->re, MPFR_RNDN);
    mpfr_set(to->im, value->im, MPFR_RNDN);
    mpfr_set(to->radius, error, MPFR_RNDU);
    mpfr_set_ui(to->size, 1, MPFR_RNDU);
    if (!first)
        cball_mul(phi, phi, scratch);
}

#define LONG_WORK 2048 /* bits at which a node takes long enough to look at the time after each */
#define LONG_LIST 64   /* and losses */

dp_status response_multiply(cball *phi, const void *self, const line *at, const uint64_t *node,
                            size_t count, const limits *lim)
{
    waves w;
    dp_status status = waves_init(&w, self, at);
    cx value;
    cball scratch;
    mpfr_t error;
    cx_init(&value, at->work);
    cball_init(&scratch, at->work);
    mpfr_init2(error, 64);
    if (status == DP_OK)
        waves_error(error, &w);
    bool slow = at->work > LONG_WORK || w.list->losses > LONG_LIST;
    for (size_t i = 0; status == DP_OK && i < count; i++) {
        waves_phi(&value, &w, node[i]);
        take_in(&phi[i], &value, error, &scratch);
        if ((i % 16 == 15 || slow) && limits_expired(lim))
            status = DP_LIMIT;
    }
    mpfr_clear(error);
    cball_clear(&scratch);
    cx_clear(&value);
    waves_clear(&w);
    return status;
}
