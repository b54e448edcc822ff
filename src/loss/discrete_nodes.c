/* SPDX-License-Identifier: MIT */
/* Laws with finitely many outcomes on the line of a contour: the characteristic function of the
 * tilted loss, (sum_j tau_j e^(i t l_j))^times, at many nodes, and what the scan sees of it. */
#include <math.h>

#include "loss/discrete.h"
#include "loss/line.h"
#include "num/cdisc.h"
#include "num/memory.h"
#include "num/wide.h"

#define DIGIT_BITS 4
#define DIGIT_SIZE 16U
#define MOST_DIGITS 16 /* of a node: 64 bits */
/* Nodes of which the sums over outcomes are kept at a time. */
#define CHUNK 2048
/* Fewer nodes than this take a sine and a cosine each, in place of a table. */
#define TABLE_NODES 24
/* As many of the heaviest outcomes give the pairs of the scan. */
#define HEAVY 6

/* How e^(i n theta) is found for one outcome: exactly placed on a lattice, or theta enclosed. */
typedef struct angle {
    bool placed;
    uint64_t turn, period; /* theta = pi turn / period, turn < 2 period */
    mpfi_t theta;
} angle;

/* e^(i n theta) for digits of n in base 16: row[k][d] = e^(i d 16^k theta) */
typedef struct turns {
    cball row[MOST_DIGITS][DIGIT_SIZE];
    size_t rows; /* of which entries stand */
    cball high;  /* of the digits of `head` */
    uint64_t head;
} turns;

typedef struct work {
    const discrete *law;
    const line *at;
    const limits *lim;
    mpfr_prec_t bits; /* inner precision */
    cball tau, term;
    cdisc factor, power, scratch;
    turns table;
} work;

/* theta = spacing l, enclosed */
static void set_theta(mpfi_t theta, const line *at, const mpfi_t lost)
{
    mpfi_t spacing;
    mpfi_init2(spacing, mpfi_get_prec(theta));
    line_height(spacing, at, 1);
    mpfi_mul(theta, lost, spacing);
    mpfi_clear(spacing);
}

/* turn = l / h modulo 2 period where l is a multiple of the step of the lattice */
static bool place(uint64_t *turn, const discrete *d, size_t j, const line *at)
{
    if (at->step == NULL || d->loss == NULL)
        return false;
    mpz_t m;
    mpz_init(m);
    bool ok = discrete_multiple(m, &d->loss[j], at->step);
    mpz_mul_2exp(m, m, at->halved ? 1 : 0);
    if (ok)
        *turn = wide_mod_z(m, 2 * at->period);
    mpz_clear(m);
    return ok;
}

static bool all_placed(const discrete *d, const line *at)
{
    uint64_t turn;
    for (size_t j = 0; j < d->count; j++)
        if (!place(&turn, d, j, at))
            return false;
    return true;
}

static void angle_set(angle *a, const discrete *d, const outcome *o, size_t j, const line *at)
{
    a->period = at->period;
    a->placed = place(&a->turn, d, j, at);
    if (!a->placed)
        set_theta(a->theta, at, o[j].loss);
}

/* z = e^(i n theta) */
static void angle_turn(cball *z, const angle *a, uint64_t n)
{
    if (a->placed) {
        cball_unit(z, wide_product_mod(n, a->turn, 2 * a->period), a->period);
        return;
    }
    mpfi_t x;
    mpfi_init2(x, mpfi_get_prec(a->theta));
    wide_mul(x, a->theta, n);
    cball_turn(z, x);
    mpfi_clear(x);
}

/* Rows for nodes up to `last`. Row 0 carries the mass tau, so that a product with it is a term. */
static void turns_set(turns *t, const angle *a, const cball *tau, uint64_t last)
{
    t->rows = 1;
    while (t->rows < MOST_DIGITS && last >> (DIGIT_BITS * t->rows) != 0)
        t->rows++;
    for (size_t k = 0; k < t->rows; k++) {
        cball *row = t->row[k];
        cball_set_ui(&row[0], 1);
        angle_turn(&row[1], a, UINT64_C(1) << (DIGIT_BITS * k));
        for (size_t d = 2; d < DIGIT_SIZE; d++)
            cball_mul(&row[d], &row[d / 2], &row[d - d / 2]);
    }
    for (size_t d = 0; d < DIGIT_SIZE; d++)
        cball_mul(&t->row[0][d], &t->row[0][d], tau);
    cball_set_ui(&t->high, 1);
    t->head = 0;
}

/* z = tau e^(i n theta); the upper digits are those of the node before, mostly */
static void turns_term(cball *z, turns *t, uint64_t n)
{
    uint64_t head = n >> DIGIT_BITS;
    if (head != t->head) {
        cball_set_ui(&t->high, 1);
        for (size_t k = 1; k < t->rows; k++) {
            size_t digit = (size_t)(n >> (DIGIT_BITS * k)) % DIGIT_SIZE;
            if (digit != 0)
                cball_mul(&t->high, &t->high, &t->row[k][digit]);
        }
        t->head = head;
    }
    cball_mul(z, &t->high, &t->row[0][n % DIGIT_SIZE]);
}

/* sum[k] += tau_j e^(i node[k] theta_j) */
static void add_outcome(cball *sum, work *w, const angle *a, const uint64_t *node, size_t count)
{
    bool table = count >= TABLE_NODES;
    if (table)
        turns_set(&w->table, a, &w->tau, node[count - 1]);
    for (size_t k = 0; k < count; k++) {
        if (table) {
            turns_term(&w->term, &w->table, node[k]);
        } else {
            angle_turn(&w->term, a, node[k]);
            cball_mul(&w->term, &w->term, &w->tau);
        }
        cball_add(&sum[k], &sum[k], &w->term);
    }
}

/* tau_j = P_j e^(c l_j) / M(c) in mass; the losses stay. `o` is the caller's copy. */
static void tilt_masses(outcome *o, const discrete *d, double c)
{
    size_t top = 0;
    for (size_t j = 1; j < d->count; j++)
        if (d->near_mass[j] + c * d->near_loss[j] > d->near_mass[top] + c * d->near_loss[top])
            top = j;
    mpfi_t sum, part;
    mpfi_init2(sum, mpfi_get_prec(o[0].mass));
    mpfi_init2(part, mpfi_get_prec(o[0].mass));
    mpfi_set_ui(sum, 0);
    for (size_t j = 0; j < d->count; j++) {
        mpfi_sub(part, o[j].loss, o[top].loss);
        mpfi_mul_d(part, part, c);
        if (j == top)
            mpfi_set_ui(part, 0);
        mpfi_exp(part, part);
        mpfi_mul(o[j].mass, o[j].mass, part);
        mpfi_add(sum, sum, o[j].mass);
    }
    for (size_t j = 0; j < d->count; j++)
        mpfi_div(o[j].mass, o[j].mass, sum);
    mpfi_clear(sum);
    mpfi_clear(part);
}

void discrete_drop(outcome *o, size_t count)
{
    for (size_t j = 0; o != NULL && j < count; j++)
        outcome_clear(&o[j]);
    memory_free(o);
}

/* The exponent c l is known absolutely, so its magnitude costs bits. */
outcome *discrete_tilted(const discrete *d, double c, mpfr_prec_t bits)
{
    int whole;
    frexp((fabs(c) + 1) * (d->reach + 1), &whole);
    bits += whole > 0 ? whole : 0;
    const outcome *o = discrete_outcomes(d, bits);
    outcome *copy = memory_new(d->count, sizeof *copy);
    if (copy == NULL)
        return NULL;
    for (size_t j = 0; j < d->count; j++) {
        outcome_init(&copy[j], bits);
        mpfi_set(copy[j].loss, o[j].loss);
        mpfi_set(copy[j].mass, o[j].mass);
    }
    tilt_masses(copy, d, c);
    return copy;
}

/* Bits before the point of an angle at the last node. */
static mpfr_prec_t angle_bits(const discrete *d, const line *at)
{
    if (all_placed(d, at))
        return 0;
    mpfi_t theta, reach;
    mpfi_init2(theta, 64);
    mpfi_init2(reach, 64);
    mpfi_set_d(reach, d->reach);
    set_theta(theta, at, reach);
    wide_mul(theta, theta, at->last + 1);
    mpfr_exp_t e = mpfr_regular_p(&theta->right) ? mpfr_get_exp(&theta->right) : 0;
    mpfi_clear(theta);
    mpfi_clear(reach);
    return e > 0 ? e : 0;
}

static void work_init(work *w, const discrete *d, const line *at, const limits *lim)
{
    w->law = d;
    w->at = at;
    w->lim = lim;
    w->bits = at->work + (mpfr_prec_t)mpz_sizeinbase(d->times, 2) + 16;
    cdisc_init(&w->factor, w->bits);
    cdisc_init(&w->power, w->bits);
    cdisc_init(&w->scratch, w->bits);
    cball_init(&w->tau, w->bits);
    cball_init(&w->term, w->bits);
    cball_init(&w->table.high, w->bits);
    for (size_t k = 0; k < MOST_DIGITS; k++)
        for (size_t i = 0; i < DIGIT_SIZE; i++)
            cball_init(&w->table.row[k][i], w->bits);
}

static void work_clear(work *w)
{
    for (size_t k = 0; k < MOST_DIGITS; k++)
        for (size_t i = 0; i < DIGIT_SIZE; i++)
            cball_clear(&w->table.row[k][i]);
    cball_clear(&w->table.high);
    cball_clear(&w->term);
    cball_clear(&w->tau);
    cdisc_clear(&w->factor);
    cdisc_clear(&w->power);
    cdisc_clear(&w->scratch);
}

/* The factor of one use at each node of a chunk, at most 1, then of all of them. */
static dp_status chunk(cball *phi, cball *sum, work *w, const outcome *o, const uint64_t *node,
                       size_t count)
{
    const discrete *d = w->law;
    angle a;
    mpfi_init2(a.theta, w->bits + angle_bits(d, w->at));
    bool late = false;
    for (size_t k = 0; k < count; k++)
        cball_set_ui(&sum[k], 0);
    for (size_t j = 0; !late && j < d->count; j++) {
        angle_set(&a, d, o, j, w->at);
        cball_set_i(&w->tau, o[j].mass);
        add_outcome(sum, w, &a, node, count);
        late = limits_expired(w->lim);
    }
    for (size_t k = 0; !late && k < count; k++) {
        cdisc_set_ball(&w->factor, &sum[k]);
        cdisc_pow(&w->power, &w->factor, d->times, &w->scratch);
        cdisc_ball(&sum[k], &w->power);
        cball_mul(&phi[k], &phi[k], &sum[k]);
        late = (k % 256 == 255 || w->bits > 4096) && limits_expired(w->lim);
    }
    mpfi_clear(a.theta);
    return late ? DP_LIMIT : DP_OK;
}

dp_status discrete_multiply(cball *phi, const void *self, const line *at, const uint64_t *node,
                            size_t count, const limits *lim)
{
    const discrete *d = self;
    size_t room = count < CHUNK ? count : CHUNK;
    work *w = memory_new(1, sizeof *w);
    cball *sum = memory_new(room, sizeof *sum);
    outcome *o = NULL;
    dp_status status = DP_MEMORY;
    if (w != NULL && sum != NULL) {
        work_init(w, d, at, lim);
        for (size_t k = 0; k < room; k++)
            cball_init(&sum[k], w->bits);
        o = discrete_tilted(d, at->c, w->bits + angle_bits(d, at));
        status = o != NULL ? DP_OK : DP_MEMORY;
        for (size_t k = 0; status == DP_OK && k < count; k += room)
            status = chunk(phi + k, sum, w, o, node + k, room < count - k ? room : count - k);
        for (size_t k = 0; k < room; k++)
            cball_clear(&sum[k]);
        work_clear(w);
    }
    discrete_drop(o, d->count);
    memory_free(sum);
    memory_free(w);
    return status;
}

/* The heaviest outcomes, in descending order of about tau. */
static size_t heaviest(size_t *index, const discrete *d, double c)
{
    size_t n = 0;
    for (size_t j = 0; j < d->count; j++) {
        double mass = d->near_mass[j] + c * d->near_loss[j];
        size_t i = n < HEAVY ? n : HEAVY - 1;
        bool enters = n < HEAVY || mass > d->near_mass[index[i]] + c * d->near_loss[index[i]];
        if (!enters)
            continue;
        for (; i > 0 && mass > d->near_mass[index[i - 1]] + c * d->near_loss[index[i - 1]]; i--)
            index[i] = index[i - 1];
        index[i] = j;
        n += n < HEAVY;
    }
    return n;
}

/* w = 4 t tau_j tau_k from below. Cut off, so that a sum of weights is finite. */
static double pair_weight(const discrete *d, const outcome *a, const outcome *b)
{
    mpfr_t w;
    mpfr_init2(w, 64);
    mpfr_mul(w, &a->mass->left, &b->mass->left, MPFR_RNDD);
    mpfr_mul_z(w, w, d->times, MPFR_RNDD);
    mpfr_mul_2ui(w, w, 2, MPFR_RNDD);
    double weight = mpfr_sgn(w) > 0 ? fmin(mpfr_get_d(w, MPFR_RNDD), 0x1p900) : 0;
    mpfr_clear(w);
    return weight;
}

/* Of every two of the heaviest outcomes: sum over pairs j < k of tau_j tau_k (1 - cos t(l_j - l_k))
 * is at most -ln|phi| of one use, over any set of pairs (loss.h); all uses: times it. */
size_t discrete_resonances(scan_item *out, size_t room, const void *self, const line *at)
{
    const discrete *d = self;
    size_t heavy = d->count < HEAVY ? d->count : HEAVY, pairs = heavy * (heavy - 1) / 2;
    if (out == NULL)
        return pairs;
    size_t index[HEAVY], n = 0;
    int exponent;
    frexp(2 * d->reach, &exponent);
    mpfr_prec_t bits = line_turn_bits(at, exponent + 1);
    outcome *o = discrete_tilted(d, at->c, bits);
    mpfi_t apart;
    mpfi_init2(apart, bits);
    heaviest(index, d, at->c);
    for (size_t i = 1; o != NULL && i < heavy; i++)
        for (size_t k = 0; k < i && n < room; k++, n++) {
            mpfi_sub(apart, o[index[i]].loss, o[index[k]].loss);
            line_turn(&out[n], at, apart);
            out[n].weight = pair_weight(d, &o[index[i]], &o[index[k]]);
        }
    mpfi_clear(apart);
    discrete_drop(o, d->count);
    for (; n < pairs && n < room; n++)
        out[n] = (scan_item){0}; /* out of memory: nothing is said */
    return pairs;
}
