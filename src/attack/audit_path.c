/* SPDX-License-Identifier: MIT */
/* Paths of thresholds: doubles that know how far they are off tell most steps, enclosures the
 * others. */
#include "attack/audit_path.h"

#include <math.h>

#include "num/memory.h"

/* ---- step by step ---- */

static void take_sample(path *p, unsigned long r, unsigned long v)
{
    if (p->samples == PATH_SAMPLES)
        return;
    p->r[p->samples] = r;
    p->v[p->samples++] = v;
}

/* Every one at first, then one in 32 times as many, or 32 of a part; and both ends. */
static bool is_sampled(const path *p, const stretch *s, unsigned long r)
{
    if (p->first == 0)
        return false;
    unsigned long last = p->samples > 0 ? p->r[p->samples - 1] : 0, by = 1 + last / 32;
    if (p->steps > 0 && by > p->steps / 32)
        by = p->steps / 32;
    return r >= last + by || r == s->to;
}

static bool is_late(path *p, unsigned long step)
{
    if (step % 256 == 0 && p->in->lim != NULL && limits_expired(p->in->lim))
        p->late = true;
    return p->late;
}

static void follow(path *p, stretch *s, walk w)
{
    const order *l = &p->order;
    if (s->from > 0)
        take_sample(p, w.r, w.v);
    for (unsigned long r = s->from + 1; r <= s->to; r++) {
        if (is_late(p, r)) {
            s->to = r - 1; /* no more of it is known */
            break;
        }
        walk next = w;
        bool *stay = &s->stay[r - s->from - 1];
        *stay = false;
        if (w.v > 0) {
            walk_step(&next, true);
            *stay = order_is_within(&next, l);
        }
        if (*stay)
            w = next;
        else
            walk_step(&w, false);
        if (p->first == 0 && (*stay || order_is_within(&w, l)))
            p->first = r;
        if (is_sampled(p, s, r))
            take_sample(p, w.r, w.v);
    }
    s->end = w.v;
}

static dp_status add_steps(path *p, unsigned long from, unsigned long to, unsigned long v)
{
    stretch *s = &p->part[p->parts];
    *s = (stretch){.from = from, .to = to, .v = v, .stay = memory_new(to - from, sizeof *s->stay)};
    if (s->stay == NULL)
        return DP_MEMORY;
    p->parts++;
    const order *o = &p->order;
    s->there =
        from == 0 ? walk_from(&o->odds, o->lower) : walk_from_there(&o->odds, o->lower, from, v);
    follow(p, s, s->there);
    return DP_OK;
}

/* Some steps from where all are right, and some up to all canaries. */
static dp_status add_parts(path *p)
{
    unsigned long all = p->in->canaries, steps = p->steps;
    if (steps == 0)
        return add_steps(p, 0, all, 0);
    unsigned long first = p->first = order_first(&p->order, p->in->members);
    if (all - first <= 2 * steps)
        return add_steps(p, first, all, first);
    dp_status status = add_steps(p, first, first + steps, first);
    if (status == DP_OK)
        status = add_steps(p, all - steps, all, order_threshold(&p->order, all - steps));
    return status;
}

/* ---- run by run ---- */

/* The runs with `least` to `most` misses; of those before, the last one began after `before`. */
static dp_status add_runs(path *p, unsigned long least, unsigned long most, unsigned long before)
{
    stretch *s = &p->part[p->parts];
    unsigned long *start = memory_new(most - least + 1, sizeof *start);
    if (start == NULL)
        return DP_MEMORY;
    p->parts++;
    size_t runs = 0;
    for (unsigned long d = least; d <= most && (runs == 0 || !is_late(p, 0)); d++) {
        before = d == 0 ? p->first : order_start(&p->order, d, before, p->in->canaries);
        start[runs++] = before;
        take_sample(p, before, before - d);
    }
    *s = (stretch){.from = start[0],
                   .to = before,
                   .v = start[0] - least,
                   .end = before - (least + runs - 1),
                   .start = start,
                   .runs = runs};
    return DP_OK;
}

static dp_status add_parts_of_runs(path *p)
{
    unsigned long all = p->in->canaries, few = p->runs;
    unsigned long misses = all - order_threshold(&p->order, all);
    p->first = order_first(&p->order, p->in->members);
    if (misses <= 2 * few)
        return add_runs(p, 0, misses, 0);
    dp_status status = add_runs(p, 0, few, 0);
    if (status == DP_OK)
        status = add_runs(p, misses - few, misses, p->part[0].to);
    return status;
}

/* ---- both ---- */

void path_most(mpfr_t most, const order *o)
{
    mpfr_srcptr tail = &o->tail.yes->right;
    mpfr_div_2si(most, tail, mpfr_get_prec(tail) - UNTOLD, MPFR_RNDU);
    mpfr_add(most, most, tail, MPFR_RNDU);
}

#define GAP_BITS 96 /* what is between parts is known to less than these (OPEN, audit_level.c) */

/* Next to 1 what is missing keeps so many too. */
static mpfr_prec_t gap_bits(const order *o)
{
    mpfr_prec_t all = mpfi_get_prec(o->tail.yes), more = 0;
    if (o->lower)
        more = mpfr_regular_p(&o->tail.no->left) ? -mpfr_get_exp(&o->tail.no->left) : all;
    return more < all - GAP_BITS ? GAP_BITS + more : all;
}

static void set_gap(path *p)
{
    const stretch *s = p->part;
    mpfr_t level;
    mpfr_init2(level, gap_bits(&p->order));
    path_most(level, &p->order);
    gap_init(&p->between, &p->order.odds, level, (unsigned long[]){s[0].to, s[1].from},
             (unsigned long[]){s[0].end, s[1].v});
    mpfr_clear(level);
}

static void clear_parts(path *p)
{
    while (p->parts > 0) {
        p->parts--;
        memory_free(p->part[p->parts].stay);
        memory_free(p->part[p->parts].start);
    }
}

/* With parts of that size; the path is cleared where memory ends. */
static dp_status fill(path *p, unsigned long steps, unsigned long runs)
{
    p->steps = p->in->canaries / 2 > steps ? steps : 0;
    p->runs = runs;
    p->first = 0;
    p->samples = 0;
    dp_status status = runs > 0 ? add_parts_of_runs(p) : add_parts(p);
    if (status == DP_OK && p->parts == 2 && !p->late)
        set_gap(p);
    if (status != DP_OK) {
        clear_parts(p);
        order_clear(&p->order);
    }
    return status;
}

dp_status path_init(path *p, const audit_in *in, const path_size *size)
{
    *p = (path){.in = in, .parts = 0};
    order_init(&p->order, in, size->bits);
    return fill(p, size->steps, size->runs);
}

static void empty(path *p)
{
    if (p->parts == 2 && !p->late)
        gap_clear(&p->between);
    clear_parts(p);
}

void path_clear(path *p)
{
    if (p->parts == 0)
        return;
    empty(p);
    order_clear(&p->order);
}

#define STEPS 4096UL
#define MOST_STEPS (64 * STEPS)
#define RUNS 4UL
#define MOST_RUNS (64 * RUNS)
#define WHOLE 1000000UL /* canaries: all of the path can be walked */

/* A run has about as many steps as the odds at the reference are. */
dp_status path_of(path **p, path *own, const audit_in *in, mpfr_prec_t bits)
{
    bits += 2 * UNTOLD;
    *own = (path){.in = in, .parts = 0};
    *p = in->path != NULL ? in->path : own;
    if ((*p)->parts == 2 && mpfi_get_prec((*p)->order.tail.yes) < bits)
        path_clear(*p); /* where none is between parts, others decide */
    if ((*p)->parts > 0) {
        (*p)->in = in;
        return DP_OK;
    }
    **p = (path){.in = in, .parts = 0};
    order_init(&(*p)->order, in, bits);
    bool long_runs = in->canaries > 2 * STEPS && (*p)->order.logit > log((double)STEPS);
    return fill(*p, STEPS, long_runs ? RUNS : 0);
}

bool path_can_widen(const path *p)
{
    return p->parts == 2 && !p->late &&
           (p->in->canaries <= WHOLE ||
            (p->runs > 0 ? p->runs < MOST_RUNS : p->steps < MOST_STEPS));
}

dp_status path_widen(path *p)
{
    empty(p);
    if (p->runs > 0)
        return p->runs < MOST_RUNS ? fill(p, STEPS, 4 * p->runs) : fill(p, 0, 0);
    return fill(p, p->steps < MOST_STEPS ? 8 * p->steps : 0, 0);
}
