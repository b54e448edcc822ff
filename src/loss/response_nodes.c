/* SPDX-License-Identifier: MIT */
/* phi at a node, the bound of its error, and what the scan needs to know of the list. */
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

/* x = eps, rounded once or twice */
static void set_epsilon(mpfr_t x, const dp_number *epsilon)
{
    if (!epsilon->is_log) {
        mpfr_set_q(x, number_rational(epsilon), MPFR_RNDN);
    } else { /* by way of an enclosure: R may be near 1 */
        mpfi_t e;
        mpfi_init2(e, mpfr_get_prec(x));
        ival_set_number(e, epsilon);
        mpfi_get_fr(x, e);
        mpfi_clear(e);
    }
}

/* Bits that hold c + 1/2 for every short double c: 24 bits from 2^1023 down to 2^-1000. */
#define HALF_BITS 2048

/* epsilon to within u and tanh(eps (c + 1/2)) to within 2u: 16 more bits on the way; half = c +
 * 1/2, exact */
static void set_item(mpfr_t tanh, mpfr_t epsilon, const dp_number *x, mpfr_srcptr half)
{
    mpfr_t e;
    mpfr_init2(e, mpfr_get_prec(tanh) + 16);
    set_epsilon(e, x);
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

dp_status waves_init(waves *w, const composed *list, const uint64_t *multiple, uint64_t period,
                     mpfr_srcptr spacing, double c, uint64_t last, mpfr_prec_t work)
{
    *w = (waves){.list = list,
                 .multiple = multiple,
                 .period = period,
                 .spacing = spacing,
                 .last = last,
                 .work = work};
    mpfr_init2(w->pi, work);
    mpfr_const_pi(w->pi, MPFR_RNDN);
    cx_init(&w->t, work);
    cx_init(&w->factor, work);
    cx_init(&w->part, work);
    bool ok = make_real(&w->tanh, list->losses, work) &&
              (multiple != NULL || make_real(&w->epsilon, list->losses, work));
    mpfr_t half;
    mpfr_init2(half, HALF_BITS);
    mpfr_set_d(half, c, MPFR_RNDN);
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
    mpfr_mul_z(error, turn, w->list->lossy, MPFR_RNDU);
    mpfr_add_ui(error, error, 2 * w->list->losses + 4, MPFR_RNDU);
    mpfr_mul_2ui(error, error, 1, MPFR_RNDU);
    mpfr_div_2ui(error, error, (unsigned long)w->work, MPFR_RNDU);
    mpfr_clear(angle);
    mpfr_clear(turn);
}

/* The turn x mod 1, x >= 0, cut off at 2^-88; x is lost. */
static void set_turn(scan_item *item, mpfr_t x)
{
    mpz_t turn, rest;
    uint64_t low = 0;
    mpz_inits(turn, rest, NULL);
    mpfr_mul_2ui(x, x, 64 + SCAN_REST_BITS, MPFR_RNDZ); /* exact */
    mpfr_get_z(turn, x, MPFR_RNDZ);
    mpz_fdiv_r_2exp(rest, turn, SCAN_REST_BITS);
    mpz_fdiv_q_2exp(turn, turn, SCAN_REST_BITS);
    mpz_fdiv_r_2exp(turn, turn, 64);
    item->turn = 0;
    wide_get_z(&item->turn, turn);
    wide_get_z(&low, rest);
    item->rest = (uint32_t)low;
    mpz_clears(turn, rest, NULL);
}

/* w = t / cosh^2(eps (c + 1/2)), rounded down a little more than its error: the argument is known
 * to 2^-62, which moves cosh^2 by a relative 2^-61 times the argument. Cut off, so that a sum of
 * weights is finite. */
static double item_weight(const composed_loss *l, mpfr_srcptr eps, double c)
{
    mpfr_t x, weight;
    mpfr_init2(x, 64);
    mpfr_init2(weight, 64);
    mpfr_set_d(x, c, MPFR_RNDN);
    mpfr_add_d(x, x, 0.5, MPFR_RNDN);
    mpfr_mul(x, x, eps, MPFR_RNDN);
    double w = 0;
    if (mpfr_cmpabs_ui(x, 1000) < 0) {
        mpfr_cosh(x, x, MPFR_RNDU);
        mpfr_sqr(x, x, MPFR_RNDU);
        mpfr_set_z(weight, l->times, MPFR_RNDD);
        mpfr_div(weight, weight, x, MPFR_RNDD);
        w = fmin(mpfr_get_d(weight, MPFR_RNDD), 0x1p900) * (1 - 0x1p-40);
    }
    mpfr_clear(weight);
    mpfr_clear(x);
    return w;
}

/* Three roundings and the one of eps make 5u at most, u = 2^-bits, for a quotient below 2^whole. */
#define TURN_BITS 96

static void free_turn(scan_item *item, const dp_number *epsilon, mpfr_srcptr spacing)
{
    mpfr_t x, eps;
    mpfr_init2(eps, 64);
    set_epsilon(eps, epsilon);
    mpfr_exp_t whole = mpfr_get_exp(eps) + mpfr_get_exp(spacing);
    mpfr_set_prec(eps, TURN_BITS + (whole > 0 ? whole : 0));
    mpfr_init2(x, mpfr_get_prec(eps));
    set_epsilon(eps, epsilon);
    mpfr_const_pi(x, MPFR_RNDN);
    mpfr_div(x, spacing, x, MPFR_RNDN);
    mpfr_mul(x, x, eps, MPFR_RNDN);
    set_turn(item, x);
    mpfr_clear(eps);
    mpfr_clear(x);
}

/* m / N modulo 1, rounded down */
static void lattice_scan_turn(scan_item *item, uint64_t m, uint64_t period)
{
    mpfr_t x;
    mpfr_init2(x, TURN_BITS);
    wide_set_fr(x, m % period, MPFR_RNDD);
    wide_div_fr(x, x, period, MPFR_RNDD);
    set_turn(item, x);
    mpfr_clear(x);
}

void waves_scan_items(scan_item *item, const composed *list, const uint64_t *multiple,
                      uint64_t period, mpfr_srcptr spacing, double c)
{
    mpfr_t eps;
    mpfr_init2(eps, 128);
    for (size_t i = 0; i < list->losses; i++) {
        const dp_number *epsilon = &list->loss[i].epsilon;
        if (multiple != NULL)
            lattice_scan_turn(&item[i], multiple[i], period);
        else
            free_turn(&item[i], epsilon, spacing);
        set_epsilon(eps, epsilon);
        item[i].weight = item_weight(&list->loss[i], eps, c);
    }
    mpfr_clear(eps);
}
