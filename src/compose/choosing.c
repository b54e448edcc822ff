/* SPDX-License-Identifier: MIT */
/* Which point of a curve stands for a mechanism: a search in doubles, one curve after the other,
 * for the least estimate of what is asked. It decides nothing: any point is sound, and the one that
 * is taken is evaluated again with its delta rounded up. */
#include "compose/choosing.h"

#include <math.h>

#include "compose/round_pair.h"
#include "engine/tilt.h"
#include "loss/response_list.h"
#include "num/ival.h"
#include "num/memory.h"
#include "num/number.h"

#define MOST_CURVES 64
#define MOST_ATOMS 1024
#define POINTS 8
#define NARROWINGS 6
#define SWEEPS 2         /* where there are several */
#define MOST_WORK 8192.0 /* terms of profiles in all: some tenths of a second */
#define GUESS_BITS 64

/* One use has a point (x, delta(x)) of its curve; equal mechanisms share it. */
typedef struct curve {
    const dp_known *known;
    double times, end; /* uses of all that are equal; the item's own epsilon, from where on delta is
                        * least */
    double x, log_keep; /* ln(1 - delta(x)) */
    double end_keep;
    bool is_target; /* x stands for the target epsilon itself */
} curve;

typedef struct chooser {
    buckets list;
    loss law;
    tilt tilt;
    size_t fixed;    /* losses that are not chosen */
    double log_keep; /* ln D of the items that are not chosen */
    curve curve[MOST_CURVES];
    size_t curves;
    double at, log_rest; /* the target epsilon and ln(1 - delta), where given */
    double loss[MOST_ATOMS], mass[MOST_ATOMS];
    size_t atoms; /* 0: too many, estimated by a saddle point */
    double work;
    bool has_at, has_rest;
} chooser;

static double number_double(const dp_number *x, mpfr_rnd_t end)
{
    mpfi_t e;
    mpfi_init2(e, GUESS_BITS);
    ival_set_number(e, x);
    double d = mpfr_get_d(end == MPFR_RNDD ? &e->left : &e->right, end);
    mpfi_clear(e);
    return d;
}

static double log_keep_of(const mpq_t delta)
{
    mpfi_t e;
    mpfi_init2(e, GUESS_BITS);
    if (mpq_cmp_ui(delta, 1, 1) < 0)
        ival_log1m_q(e, delta);
    double d = mpq_cmp_ui(delta, 1, 1) < 0 ? mpfr_get_d(&e->left, MPFR_RNDN) : -HUGE_VAL;
    mpfi_clear(e);
    return d;
}

static bool is_same(const dp_known *a, const dp_known *b)
{
    const dp_bagging *x = &a->b, *y = &b->b;
    return x->sampling == y->sampling && x->base_adjacency == y->base_adjacency &&
           mpz_cmp(x->dataset_size, y->dataset_size) == 0 &&
           mpz_cmp(x->subsample_size, y->subsample_size) == 0 &&
           (x->sampling != DP_WITHOUT_DISJOINT || mpz_cmp(x->models, y->models) == 0) &&
           mpq_equal(x->sampling_rate, y->sampling_rate) &&
           mpq_equal(x->base_delta, y->base_delta) &&
           number_order(&a->base_epsilon, &b->base_epsilon) == 0;
}

/* The curve that an item has in the search, or NULL. */
static curve *curve_of(chooser *c, const dp_known *k)
{
    for (size_t i = 0; i < c->curves; i++)
        if (is_same(c->curve[i].known, k))
            return &c->curve[i];
    return NULL;
}

static void add_curve(chooser *c, const dp_known *k, const dp_item *m)
{
    double times = mpz_get_d(m->times);
    curve *own = curve_of(c, k);
    if (own != NULL) {
        own->times += times;
        return;
    }
    if (c->curves == MOST_CURVES)
        return;
    own = &c->curve[c->curves++];
    *own = (curve){.known = k, .times = times, .end = number_double(&m->epsilon, MPFR_RNDU)};
    own->x = own->end;
    own->log_keep = own->end_keep = log_keep_of(m->delta);
}

static dp_status copy_item(dp_composition *to, const dp_item *m)
{
    return dp_composition_add(to, &m->epsilon, m->delta, m->times, NULL);
}

static bool is_chosen(chooser *c, const dp_known *k)
{
    return k != NULL && k->kind == KNOWN_ABOVE && curve_of(c, k) != NULL;
}

/* Room for the losses of the curves. */
static bool make_room(chooser *c)
{
    c->fixed = c->list.count;
    size_t room = c->fixed + c->curves + 1;
    double *epsilon = memory_grow(c->list.epsilon, room, sizeof *epsilon);
    if (epsilon != NULL)
        c->list.epsilon = epsilon;
    double *times = memory_grow(c->list.times, room, sizeof *times);
    if (times != NULL)
        c->list.times = times;
    return epsilon != NULL && times != NULL;
}

static void add_curves(chooser *c, const dp_composition *items, choice_for question)
{
    *c = (chooser){.has_at = question.epsilon != NULL, .has_rest = question.delta != NULL};
    if (c->has_at)
        c->at = number_double(question.epsilon, MPFR_RNDD);
    if (c->has_rest)
        c->log_rest = log_keep_of(question.delta);
    for (const dp_known *k = items->known; k != NULL; k = k->next)
        if (k->kind == KNOWN_ABOVE)
            add_curve(c, k, &items->item[k->item]);
}

/* The items that are not chosen, in doubles. */
static dp_status add_rest(chooser *c, const dp_composition *items, const dp_known *const *of)
{
    dp_composition rest;
    composed list;
    mpfi_t keep;
    dp_composition_init(&rest);
    dp_status status = DP_OK;
    for (size_t i = 0; status == DP_OK && i < items->count; i++)
        if (!is_chosen(c, of[i]))
            status = copy_item(&rest, &items->item[i]);
    dp_status ready = composed_init(&list, &rest);
    bool ok =
        buckets_init(&c->list, list.response) && make_room(c) && status == DP_OK && ready == DP_OK;
    mpfi_init2(keep, GUESS_BITS);
    composed_log_keep(keep, &list);
    c->log_keep = mpfr_get_d(&keep->left, MPFR_RNDN);
    mpfi_clear(keep);
    composed_clear(&list);
    dp_composition_clear(&rest);
    return ok ? DP_OK : DP_MEMORY;
}

/* The list with the curves at their points; the sum of what they keep. */
static double settle(chooser *c)
{
    buckets *t = &c->list;
    double keep = c->log_keep;
    t->count = c->fixed;
    for (size_t i = 0; i < c->curves; i++) {
        const curve *k = &c->curve[i];
        keep += k->times * k->log_keep;
        if (!(k->x > 0))
            continue;
        t->epsilon[t->count] = k->x;
        t->times[t->count++] = k->times;
    }
    buckets_sum(t);
    tilt_init_buckets(&c->tilt, &c->law, t);
    return keep;
}

/* The masses under P of all sums of losses, for lists that have few. */
static size_t list_atoms(const buckets *t, double *at, double *mass)
{
    size_t count = 1;
    at[0] = 0;
    mass[0] = 1;
    for (size_t i = 0; i < t->count; i++) {
        double size = (double)count * (t->times[i] + 1);
        if (!(size <= MOST_ATOMS))
            return 0;
        size_t uses = (size_t)t->times[i];
        double p = 1 / (1 + exp(t->epsilon[i]));
        for (size_t k = count; k-- > 0;) { /* from the back: each atom makes room for its own */
            double l = at[k], m = mass[k], ways = m * pow(1 - p, (double)uses);
            for (size_t minus = 0; minus <= uses; minus++) {
                at[k * (uses + 1) + minus] =
                    l + t->epsilon[i] * ((double)uses - 2.0 * (double)minus);
                mass[k * (uses + 1) + minus] = ways;
                ways *= p / (1 - p) * (double)(uses - minus) / (double)(minus + 1);
            }
        }
        count *= uses + 1;
    }
    return count;
}

/* s(x) of few atoms */
static double sum_atoms(const chooser *c, double x)
{
    double s = 0;
    for (size_t i = 0; i < c->atoms; i++)
        if (c->loss[i] > x)
            s += c->mass[i] * -expm1(x - c->loss[i]);
    return s;
}

static double estimate(const chooser *c, double x)
{
    const tilt *t = &c->tilt;
    if (x >= t->total)
        return 0;
    if (c->atoms > 0)
        return sum_atoms(c, x);
    bool left = tilt_is_left(t, x);
    double value = tilt_log_profile(t, x, tilt_saddle(t, x, left));
    return fmin(1, left ? -expm1(value) : exp(value));
}

/* x with s(x) = s */
static double inverse(const chooser *c, double s)
{
    const tilt *t = &c->tilt;
    if (!(t->total > 0 && s > 0))
        return t->total;
    if (c->atoms == 0)
        return tilt_find(t, log(s));
    double low = 0, high = t->total;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        *(sum_atoms(c, middle) > s ? &low : &high) = middle;
    }
    return high;
}

/* What is asked, to be made least: ln delta at the target epsilon, or ln epsilon at the target
 * delta; above all of these, what leaks too much for the target. */
static double score(chooser *c)
{
    double keep = settle(c);
    c->atoms = list_atoms(&c->list, c->loss, c->mass);
    if (c->has_at) {
        double leak = -expm1(keep);
        return log(leak + (1 - leak) * estimate(c, c->at));
    }
    double s = -expm1(c->log_rest - keep); /* s* */
    return s < 0 ? 1e300 * (1 - keep) : log(inverse(c, s));
}

/* A saddle point is some percent off: what it promises must be more than that. */
static double least_gain(const chooser *c)
{
    return c->atoms > 0 ? 1e-9 : c->has_at ? 0.1 : 0.01;
}

/* Terms that one value of the profile takes: copies of the record, where it may be drawn more than
 * once. */
static double cost(const dp_bagging *b)
{
    if (b->sampling != DP_WITH_REPLACEMENT)
        return 1;
    double copies = mpz_get_d(b->subsample_size) / mpz_get_d(b->dataset_size);
    return fmin(512, 20 + copies + 10 * sqrt(copies));
}

/* Puts the curve at x, or at its end. */
static void place(curve *k, double x, const dp_number *target)
{
    k->is_target = target != NULL;
    k->x = x;
    if (x >= k->end) {
        k->x = k->end;
        k->log_keep = k->end_keep;
        return;
    }
    dp_number at;
    mpfi_t delta;
    dp_number_init(&at);
    mpfi_init2(delta, GUESS_BITS);
    number_set_d(&at, x);
    k->known->ops->profile(delta, k->known, target != NULL ? target : &at);
    k->log_keep = log1p(-mpfr_get_d(&delta->right, MPFR_RNDN));
    mpfi_clear(delta);
    dp_number_clear(&at);
}

static void try_point(chooser *c, curve *k, double *best, curve *found, double x,
                      const dp_number *target)
{
    c->work += cost(&k->known->b);
    if (c->work > MOST_WORK)
        return;
    place(k, x, target);
    double value = score(c);
    if (value < *best) {
        *best = value;
        *found = *k;
    }
}

/* The best of points that crowd towards the end, then of ever nearer neighbours of the best. */
static void search(chooser *c, curve *k, const dp_number *target)
{
    curve found = *k;
    double best = score(c), step = 1.0 / POINTS;
    best -= least_gain(c);
    if (!(k->end > 0 && k->end < HUGE_VAL))
        return;
    for (int i = 0; i <= POINTS; i++) {
        double rest = 1 - i * step;
        try_point(c, k, &best, &found, k->end * (1 - rest * rest), NULL);
    }
    if (c->has_at && c->at < k->end)
        try_point(c, k, &best, &found, c->at, target);
    for (int i = 0; i < NARROWINGS && !found.is_target; i++) {
        double rest = sqrt(fmax(0, 1 - found.x / k->end));
        step /= 2;
        for (int side = -1; side <= 1; side += 2) {
            double near = rest + side * step;
            if (near >= 0 && near <= 1)
                try_point(c, k, &best, &found, k->end * (1 - near * near), NULL);
        }
    }
    *k = found;
}

/* The pair of the curve's point, delta rounded up; the item's own at its end. */
static bool set_pair(dp_number *epsilon, mpq_t delta, const curve *k, const dp_number *target,
                     const dp_item *m, mpfr_prec_t bits)
{
    mpfi_t x, d;
    mpfi_init2(x, bits);
    mpfi_init2(d, bits);
    dp_number_set(epsilon, &m->epsilon);
    mpq_set(delta, m->delta);
    bool ok = true;
    if (k->x < k->end) {
        number_set_d(epsilon, k->x);
        if (k->is_target)
            dp_number_set(epsilon, target);
        k->known->ops->profile(d, k->known, epsilon);
        mpfi_set_ui(x, 0);
        dp_number none;
        dp_number_init(&none);
        ok = pairs_round(&none, delta, x, d, DP_UPPER);
        dp_number_clear(&none);
    }
    mpfi_clear(d);
    mpfi_clear(x);
    return ok;
}

/* The list with the pairs that were found. */
static dp_status fill(dp_composition *out, chooser *c, const dp_composition *items,
                      const dp_known *const *of, const dp_number *target, mpfr_prec_t bits)
{
    dp_number epsilon;
    mpq_t delta;
    dp_number_init(&epsilon);
    mpq_init(delta);
    dp_status status = DP_OK;
    for (size_t i = 0; status == DP_OK && i < items->count; i++) {
        const dp_item *m = &items->item[i];
        if (!is_chosen(c, of[i]))
            status = copy_item(out, m);
        else if (set_pair(&epsilon, delta, curve_of(c, of[i]), target, m, bits))
            status = dp_composition_add(out, &epsilon, delta, m->times, NULL);
        else
            status = DP_UNDECIDED;
    }
    mpq_clear(delta);
    dp_number_clear(&epsilon);
    return status;
}

dp_status choose_pairs(dp_composition *out, const dp_composition *items, choice_for question,
                       mpfr_prec_t bits)
{
    chooser *c = memory_new(1, sizeof *c);
    const dp_known **of = known_index(items);
    dp_status status = DP_MEMORY;
    if (c != NULL && of != NULL) {
        add_curves(c, items, question);
        status = add_rest(c, items, of);
        int sweeps = c->curves > 1 ? SWEEPS : 1;
        for (int sweep = 0; status == DP_OK && sweep < sweeps; sweep++)
            for (size_t i = 0; i < c->curves; i++)
                search(c, &c->curve[i], question.epsilon);
        if (status == DP_OK)
            status = fill(out, c, items, of, question.epsilon, bits);
        buckets_clear(&c->list);
    }
    memory_free(of);
    memory_free(c);
    return status;
}
