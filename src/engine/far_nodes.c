/* SPDX-License-Identifier: MIT */
/* Sums over blocks of nodes in doubles. With Z of extremal.c, n a node, S = sin(ht/2), C =
 * cos(ht/2), ht/2 = pi n / N, the computed kernels are within 240u Z of themselves: S is a sum of
 * two products of positive numbers within 6u (far_terms.c), so within a relative 14u, and C within
 * 14u: angles are taken from the nearer of both ends, where they are at most pi/2. 1 - w = 2S^2 + i
 * 2SC, of modulus 2S, is within 2S (29u + 29u i), and w within 84u; q = ground + decay (1 - w): the
 * real part, of positive terms, within a relative 32u, the imaginary one within 31u decay 2S; |q|
 * is at least either, so q is within 45u, q q' within 93u and its inverse within 98u; m: (v + i
 * chi) below_pole within 7u, times w and 1/(q q') 84u, 98u and two products more: 194u; edge q
 * within 49u, so likewise 236u; 2u for the kink; M: above_first + above_second w within 87u of
 * MOST_POLE, times v + i chi 94u, times 1/(q q') 196u; the other part 150u. Each is of a part of Z,
 * which is computed too small by 110u of it at most. P times that: sqrt(5) u more; a phase is a
 * unit times a unit, 3.2u + sqrt(5) u < 5.5u, its product sqrt(5) u; the sum of 64 by a tree: 6u of
 * the sum of moduli; block by block, and chunk by chunk, into two doubles (Knuth): what is cut off
 * there is below 2^-60 of it for fewer than 2^22 blocks, as it is N^2 u^2 twice. With phi wrong by
 * at most e = min(rho' |P| + 1.2 away, A), away as in loss/blocks.h, a sum is within (sum of f Z e
 * + 260u sum of f Z |P|) (1 + 2^-19): |P| and 1/|q q'| are taken as |x| + |y|, and the roundings of
 * both sums, of fewer than 2^30 positive terms, are in the last factor, as are products of errors.
 * |P| is that computed. What underflow costs is below 2^-800 in all. What a node carries falls as Z
 * does at first, and may be left out if |phi| <= e^-lambda s for a start s = 2^j, about 1/(c^2 (1 +
 * t/c) Z): P starts at 1/s, and is abandoned as if it had started at 1. All that is left out adds
 * up to e^-lambda times the sum of 2 s Z over the blocks that were, 64 times what bounds Z in each;
 * s = 1 for the others, of whose nodes laws need not make those with |phi| <= e^-lambda. */
#include "engine/far_nodes.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "engine/far_terms.h"
#include "num/ival.h"
#include "num/memory.h"
#include "num/threads.h"
#include "num/wide.h"

#define BLOCK BINARY64_BLOCK
#define NODE_ERROR (260 * BINARY64_U)
#define SLACK (1 + 0x1p-19)
#define UNDERFLOW 0x1p-800
#define MOST_RELATIVE 0x1p-6
#define LEAST_C 1e-6
#define MOST_C 1e6
#define MOST_LAMBDA 300.0
#define LEAST_STEP 1e-30 /* of ch: nothing underflows then */
#define MOST_STEP 0.5    /* of (c+1)h, as extremal.c has it */
#define KNOWN 0x1p-60    /* the numbers of the kernels */
#define MOST_BLOCKS (1U << 22)
#define MOST_COUNT (UINT64_C(0xffffffff) - BLOCK)
#define RARE 16.0       /* then a scan takes less time than a walk */
#define MOST_START 64.0 /* bits; what is lost below 2^-960 is below 2^-896 then */
#define LEFT_ERROR 1.02 /* above e^(2^-6): of a product that is abandoned */
#define PI 3.141592653589793
#define TURN_BITS 512
#define SPARSE 0.25
#define MOST_EXPONENT 256
/* What a node and a product cost, for plans. */
#define NODE_SECONDS 15e-9
#define PRODUCT_SECONDS 0.6e-9

/* ---- a pass ---------------------------------------------------------------------------------- */
/* A point's phases e^(-i t x) and e^(-i t (x + shift)). */
typedef struct phases {
    binary64_turn turn[FAR_SUMS];
    far_steps step[FAR_SUMS];
} phases;

#define CHUNK 64U  /* blocks that are summed by themselves */
#define WINDOW 32U /* chunks that are made together */

/* The sums of one chunk: they and their order do not depend on who makes them. */
typedef struct chunk {
    far_bounds bound;
    far_terms terms;
    far_phi phi;
    double left; /* of what it leaves out, in units of `drop` */
    far_sums sums[FAR_POINTS];
    uint32_t kept[CHUNK], count;
} chunk;

typedef struct pass {
    const far_nodes *f;
    const limits *lim;
    size_t points;
    phases phase[FAR_POINTS];
    uint32_t from, end; /* of the window: blocks, or places among those kept */
    atomic_bool late;
    chunk part[WINDOW];
} pass;

/* |x| < 2^MOST_EXPONENT, and so are the turns known to 2^-190. */
static void set_phases(phases *out, const far_nodes *f, mpfr_srcptr x)
{
    mpfr_t angle;
    mpfr_init2(angle, TURN_BITS + mpfr_get_prec(x));
    for (size_t j = 0; j < FAR_SUMS; j++) {
        mpfr_set(angle, x, MPFR_RNDN);
        if (j == 1)
            mpfr_add(angle, x, f->shift, MPFR_RNDN);
        mpfr_mul(angle, angle, f->turn, MPFR_RNDN);
        mpfr_neg(angle, angle, MPFR_RNDN);
        binary64_turn_set(&out->turn[j], angle);
        binary64_units(out->step[j].re, out->step[j].im, &f->circle, out->turn[j]);
    }
    mpfr_clear(angle);
}

/* high + low += x, the rounding of the first sum kept (Knuth) */
static void add_exactly(double *high, double *low, double x)
{
    double sum = *high + x, part = sum - *high;
    *low += (*high - (sum - part)) + (x - part);
    *high = sum;
}

static void add_sums(far_sums *to, const far_sums *x)
{
    for (size_t j = 0; j < FAR_SUMS; j++) {
        add_exactly(&to->high[j], &to->low[j], x->high[j]);
        to->low[j] += x->low[j];
    }
    to->slope += x->slope;
}

static void add_point(far_sums *to, const phases *phase, const far_nodes *f, const far_terms *x,
                      uint64_t first)
{
    for (size_t j = 0; j < FAR_SUMS; j++) {
        double p, q, found[2];
        binary64_unit(&p, &q, &f->circle, binary64_phase(phase->turn[j], first));
        far_adders[f->width](found, &x->sum[j], x->t, p, q, &phase->step[j]);
        add_exactly(&to->high[j], &to->low[j], found[0]);
        if (j == 0)
            to->slope += f->c * found[0] - found[1];
    }
}

/* P of one block; false: abandoned. */
static bool make_phi(chunk *c, const far_nodes *f, uint64_t first)
{
    far_phi *p = &c->phi;
    double t = f->spacing * (double)first, most = far_kernel_most(&f->kernel, first);
    double bits = floor(-log2(f->c * (f->c + t) * most));
    p->start = ldexp(1, (int)fmin(fmax(bits, 0), MOST_START));
    for (int k = 0; k < BLOCK; k++) {
        p->re[k] = 1 / p->start;
        p->im[k] = p->away[k] = 0;
    }
    bool left = true;
    for (size_t i = 0; left && i < f->laws; i++)
        if (f->law[i].ops->multiply != NULL)
            left = f->law[i].ops->multiply(p->re, p->im, f->law[i].self, first);
    for (size_t i = 0; left && i < f->laws; i++)
        if (f->law[i].ops->multiply_sum != NULL)
            left = f->law[i].ops->multiply_sum(p->re, p->im, p->away, f->law[i].self, first);
    for (int k = 0; left && k < BLOCK; k++) {
        p->re[k] *= p->start;
        p->im[k] *= p->start;
        p->away[k] *= p->start;
    }
    c->left += (left ? 1 : p->start) * most;
    return left;
}

static bool keep(far_nodes *f, uint32_t block)
{
    if (f->count == f->room) {
        size_t room = f->room == 0 ? 64 : 2 * f->room;
        uint32_t *grown = memory_grow(f->kept, room, sizeof *grown);
        if (grown == NULL)
            return false;
        f->kept = grown;
        f->room = room;
    }
    f->kept[f->count++] = block;
    return true;
}

static void add_node_block(chunk *c, const pass *p, uint64_t first)
{
    far_term_makers[p->f->width](&c->terms, &c->bound, &c->phi, p->f, first);
    for (size_t j = 0; first == 0 && j < FAR_SUMS; j++) { /* no conjugate: exact */
        c->terms.sum[j].re[0] /= 2;
        c->terms.sum[j].im[0] /= 2;
    }
    for (size_t i = 0; i < p->points; i++)
        add_point(&c->sums[i], &p->phase[i], p->f, &c->terms, first);
}

#define LOOK 16 /* blocks between two looks at the time */

static void make_chunk(void *of, size_t part, bool calling)
{
    pass *p = of;
    chunk *c = &p->part[part];
    uint32_t from = p->from + (uint32_t)part * CHUNK;
    uint32_t end = p->end - from < CHUNK ? p->end : from + CHUNK;
    memset(&c->bound, 0, sizeof c->bound);
    memset(c->sums, 0, sizeof c->sums);
    c->left = 0;
    c->count = 0;
    for (uint32_t i = from; i < end; i++) {
        uint32_t block = p->f->scanned ? p->f->kept[i] : i;
        if (calling && i % LOOK == 0 && limits_expired(p->lim))
            atomic_store(&p->late, true);
        if (atomic_load(&p->late))
            return;
        if (!make_phi(c, p->f, (uint64_t)block * BLOCK))
            continue;
        c->kept[c->count++] = block;
        add_node_block(c, p, (uint64_t)block * BLOCK);
    }
}

/* Adds up what the chunks found, in their order. */
static bool add_chunks(far_nodes *f, far_bounds *sum, const pass *p, size_t chunks)
{
    bool ok = true;
    for (size_t i = 0; i < chunks; i++) {
        const chunk *c = &p->part[i];
        if (!f->passed)
            f->left += c->left;
        for (uint32_t k = 0; ok && !f->scanned && k < c->count; k++)
            ok = keep(f, c->kept[k]);
        for (size_t k = 0; k < p->points; k++)
            add_sums(&f->point[k].sums, &c->sums[k]);
        for (int k = 0; k < BLOCK; k++) {
            sum->phi[k] += c->bound.phi[k];
            sum->node[k] += c->bound.node[k];
        }
    }
    return ok;
}

#define ALONE 2e-3 /* seconds: no thread is started for less */

static dp_status walk(far_bounds *sum, pass *p, far_nodes *f)
{
    uint32_t end = f->scanned ? (uint32_t)f->count : (uint32_t)(f->last / BLOCK) + 1;
    size_t threads = f->seconds > ALONE ? p->lim->threads : 1;
    if (!f->scanned)
        f->count = 0;
    if (!f->passed)
        f->left = 0;
    for (p->from = f->scanned ? 0 : (uint32_t)(f->first / BLOCK); p->from < end; p->from = p->end) {
        p->end = end - p->from < WINDOW * CHUNK ? end : p->from + WINDOW * CHUNK;
        size_t chunks = (p->end - p->from - 1) / CHUNK + 1;
        threads_run(make_chunk, p, chunks, threads);
        if (atomic_load(&p->late))
            return DP_LIMIT;
        if (!add_chunks(f, sum, p, chunks))
            return DP_MEMORY;
    }
    f->scanned = f->passed = true;
    return DP_OK;
}

/* The bound of the head of this file. */
static void set_most(far_nodes *f, const far_bounds *b)
{
    double phi = 0, node = 0;
    for (int k = 0; k < BLOCK; k++) {
        phi += b->phi[k];
        node += b->node[k];
    }
    f->most = (phi + NODE_ERROR * node + f->drop * f->left) * SLACK + UNDERFLOW;
}

dp_status far_visit(far_nodes *f, mpfr_srcptr const *x, size_t count, const limits *lim)
{
    for (size_t i = 0; i < count; i++)
        if (mpfr_regular_p(x[i]) && mpfr_get_exp(x[i]) > MOST_EXPONENT)
            return DP_LIMIT;
    pass *p = memory_new(1, sizeof *p);
    if (p == NULL)
        return DP_MEMORY;
    p->f = f;
    p->lim = lim;
    p->points = count;
    atomic_init(&p->late, false);
    for (size_t i = 0; i < count; i++) {
        far_point *point = &f->point[i];
        point->sums = (far_sums){0};
        mpfr_set_prec(point->x, mpfr_get_prec(x[i]));
        mpfr_set(point->x, x[i], MPFR_RNDN);
        set_phases(&p->phase[i], f, x[i]);
    }
    far_bounds sum = {0};
    dp_status status = walk(&sum, p, f);
    if (status == DP_OK)
        set_most(f, &sum);
    for (size_t i = 0; i < count; i++)
        f->point[i].known = status == DP_OK;
    memory_free(p);
    return status;
}

const far_point *far_at(const far_nodes *f, mpfr_srcptr x)
{
    for (size_t i = 0; i < FAR_POINTS; i++)
        if (f->point[i].known && mpfr_equal_p(f->point[i].x, x))
            return &f->point[i];
    return NULL;
}

bool far_is_sparse(const far_nodes *f)
{
    return f->scanned && f->count < SPARSE * (double)(f->last / BLOCK + 1);
}

void far_add(mpfi_t sum, const far_nodes *f, const far_point *at, size_t number)
{
    mpfi_t part;
    mpfi_init2(part, mpfi_get_prec(sum) + 128);
    mpfi_set_d(part, at->sums.high[number]);
    mpfi_add_d(part, part, at->sums.low[number]);
    mpfr_sub_d(&part->left, &part->left, f->most, MPFR_RNDD);
    mpfr_add_d(&part->right, &part->right, f->most, MPFR_RNDU);
    if (number == 1)
        mpfi_mul(part, part, f->lift);
    mpfi_add(sum, sum, part);
    mpfi_clear(part);
}

/* ---- opening --------------------------------------------------------------------------------- */
static dp_status open_laws(far_nodes *f, const totals *all, const far_plan *plan)
{
    const product *p = all->product;
    block_line at = {plan->c, f->turn, f->lambda, &f->circle, f->width};
    f->law = memory_new(p->count + 1, sizeof *f->law);
    if (f->law == NULL)
        return DP_MEMORY;
    for (size_t i = 0; i < p->count; i++) {
        const loss *law = &p->item[i];
        if (law->ops->blocks == NULL)
            return DP_UNDECIDED;
        dp_status status = law->ops->blocks(&f->law[f->laws], law->self, &at);
        if (status != DP_OK)
            return status;
        block_law *made = &f->law[f->laws++];
        f->error.relative += made->error.relative;
        f->error.absolute += made->error.absolute;
        f->work += made->work;
        f->rare = fmax(f->rare, made->rare);
    }
    f->error.absolute *= 1 + 2 * f->error.absolute;
    f->seconds = (double)f->last * (NODE_SECONDS / f->rare + PRODUCT_SECONDS * f->work);
    return f->error.relative <= MOST_RELATIVE ? DP_OK : DP_UNDECIDED;
}

bool far_suits(const totals *all)
{
    for (size_t i = 0; i < all->product->count; i++)
        if (all->product->item[i].ops->blocks == NULL)
            return false;
    return binary64_is_sound();
}

/* So that the starts leave out about e^-lambda R/2c, and the e^-lambda that belongs to it, times
 * the two sides of as many nodes as a block has. */
static void set_lambda(far_nodes *f, const far_plan *plan)
{
    MPFR_DECL_INIT(drop, 64);
    double height = f->spacing * (double)f->last;
    f->lambda = plan->lambda + log1p(log1p(height / f->c) * 2 / PI);
    mpfr_set_d(drop, -f->lambda, MPFR_RNDN);
    mpfr_exp(drop, drop, MPFR_RNDU);
    mpfr_mul_d(drop, drop, 2 * BLOCK * LEFT_ERROR, MPFR_RNDU);
    f->drop = mpfr_get_d(drop, MPFR_RNDU);
}

/* Are the numbers known to more than doubles hold, and for doubles? */
static bool are_known(const extremal *e)
{
    MPFR_DECL_INIT(wide, 64);
    bool known = e->work >= FAR_BITS;
    for (size_t i = 0; known && i < EXTREMAL_NUMBERS; i++) {
        mpfi_diam_rel(wide, e->number[i]);
        known = !ival_bad(e->number[i]) && mpfr_cmp_d(wide, KNOWN) < 0;
    }
    return known;
}

static bool is_in_range(const far_plan *plan)
{
    double h = 2 * PI / mpfr_get_d(plan->spacing, MPFR_RNDN) / (double)plan->kernel->count;
    return plan->c >= LEAST_C && plan->c <= MOST_C && plan->lambda > 0 &&
           plan->lambda <= MOST_LAMBDA && plan->c * h >= LEAST_STEP &&
           (plan->c + 1) * h <= MOST_STEP && plan->kernel->count % (2 * BLOCK) == 0 &&
           plan->kernel->count <= MOST_COUNT && are_known(plan->kernel);
}

static void set_kernel(far_nodes *f, const extremal *e)
{
    far_kernel_init(&f->kernel, e);
    mpfr_init2(f->shift, TURN_BITS);
    mpfi_get_fr(f->shift, e->number[EXTREMAL_SHIFT]);
    mpfi_init2(f->lift, TURN_BITS);
    mpfi_neg(f->lift, e->number[EXTREMAL_FALL]);
    mpfi_exp(f->lift, f->lift);
}

dp_status far_open(far_nodes **out, const totals *all, const far_plan *plan)
{
    *out = NULL;
    if (!far_suits(all) || !is_in_range(plan))
        return DP_UNDECIDED;
    far_nodes *f = memory_zero(1, sizeof *f);
    if (f == NULL)
        return DP_MEMORY;
    f->c = plan->c;
    f->spacing = mpfr_get_d(plan->spacing, MPFR_RNDN);
    f->last = plan->kernel->count - 1;
    f->width = binary64_width();
    f->rare = 1;
    set_lambda(f, plan);
    set_kernel(f, plan->kernel);
    mpfr_init2(f->turn, TURN_BITS);
    mpfr_const_pi(f->turn, MPFR_RNDN);
    mpfr_div(f->turn, plan->spacing, f->turn, MPFR_RNDN);
    mpfr_div_2ui(f->turn, f->turn, 1, MPFR_RNDN);
    for (size_t i = 0; i < FAR_POINTS; i++)
        mpfr_init2(f->point[i].x, 64);
    binary64_circle_init(&f->circle);
    dp_status status = open_laws(f, all, plan);
    if (status == DP_OK)
        *out = f;
    else
        far_close(f);
    return status;
}

/* Of these nodes alone, all others being left out. */
static dp_status keep_nodes(far_nodes *f, const node_list *nodes)
{
    f->scanned = true;
    for (size_t i = 0; i < nodes->count; i++) {
        uint32_t block = (uint32_t)(nodes->node[i] / BLOCK);
        if ((f->count == 0 || f->kept[f->count - 1] != block) && !keep(f, block))
            return DP_MEMORY;
    }
    f->seconds = (double)f->count * BLOCK * (NODE_SECONDS + PRODUCT_SECONDS * f->work);
    return DP_OK;
}

static dp_status scan(far_nodes *f, const totals *all, const line *at, double lambda,
                      const limits *lim)
{
    size_t count;
    node_list nodes = {0};
    scan_item *item = totals_items(&count, all, at);
    if (item == NULL)
        return DP_MEMORY;
    uint64_t last = totals_last(all, at, lambda);
    dp_status status = scan_nodes(&nodes, item, count, f->first, last, lambda, FAR_MOST, lim);
    if (status == DP_OK)
        status = keep_nodes(f, &nodes);
    node_list_clear(&nodes);
    memory_free(item);
    return status;
}

dp_status far_begin(far_nodes *f, const totals *all, const line *at, uint64_t first, double lambda,
                    const limits *lim)
{
    f->first = first;
    dp_status status = f->rare > RARE ? scan(f, all, at, lambda, lim) : DP_OK;
    if (status == DP_MEMORY)
        return status;
    return f->scanned || f->last / BLOCK < MOST_BLOCKS ? DP_OK : DP_UNDECIDED;
}

void far_close(far_nodes *f)
{
    if (f == NULL)
        return;
    for (size_t i = 0; i < f->laws; i++)
        f->law[i].ops->close(f->law[i].self);
    for (size_t i = 0; i < FAR_POINTS; i++)
        mpfr_clear(f->point[i].x);
    mpfr_clear(f->turn);
    mpfr_clear(f->shift);
    mpfi_clear(f->lift);
    memory_free(f->law);
    memory_free(f->kept);
    memory_free(f);
}
