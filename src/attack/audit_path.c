/* SPDX-License-Identifier: MIT */
/* A path of thresholds, and the largest tails along it: doubles that know how far they are off tell
 * which few may be largest; these are then enclosed. */
#include "attack/audit_path.h"

#include <math.h>

#include "attack/audit_walk.h"
#include "attack/binomial_guess.h"
#include "num/ival.h"
#include "num/memory.h"
#include "num/number.h"

/* ---- the path ---- */

#define ORDER_BITS 192

/* x rounded down or up, scaled. */
static scaled scaled_of(mpfr_srcptr x, mpfr_rnd_t way)
{
    long scale = mpfr_regular_p(x) && mpfr_get_exp(x) < 0 ? -mpfr_get_exp(x) / WALK_SCALE : 0;
    mpfr_t y;
    mpfr_init2(y, mpfr_get_prec(x));
    mpfr_mul_2ui(y, x, (unsigned long)(WALK_SCALE * scale), MPFR_RNDN);
    scaled s = {mpfr_get_d(y, way), scale};
    mpfr_clear(y);
    return s;
}

static void reference(share *odds, const audit_in *in)
{
    mpfi_t x;
    mpfi_init2(x, mpfi_get_prec(odds->yes) + 64);
    mpfi_set_ui(x, 1);
    if (in->claim != NULL)
        ival_set_number(x, in->claim);
    share_logistic(odds, x);
    mpfi_clear(x);
}

/* What tails are compared with: that of the outcome. */
typedef struct limit {
    share odds, most;
    scaled low, high; /* of its lesser side */
    bool lower;
} limit;

static void limit_init(limit *l, const audit_in *in)
{
    share_init(&l->odds, binomial_bits(ORDER_BITS, in->canaries));
    share_init(&l->most, ORDER_BITS);
    reference(&l->odds, in);
    binomial_tail(&l->most, NULL, in->hits, in->members, &l->odds);
    l->lower = mpfr_cmp_ui_2exp(&l->most.yes->left, 1, -1) > 0;
    mpfi_srcptr side = l->lower ? l->most.no : l->most.yes;
    l->low = scaled_of(&side->left, MPFR_RNDD);
    l->high = scaled_of(&side->right, MPFR_RNDU);
}

static void limit_clear(limit *l)
{
    share_clear(&l->most);
    share_clear(&l->odds);
}

/* Is the tail at most that of the outcome, or not to be told from it? */
static bool is_within(const walk *w, const limit *l)
{
    scaled least = walk_below(w), largest = walk_above(w);
    if (!walk_is_lost(w) && w->scale == l->low.scale && w->scale == l->high.scale) {
        if (l->lower ? l->high.x < least.x : largest.x < l->low.x)
            return true;
        if (l->lower ? largest.x < l->low.x : l->high.x < least.x)
            return false;
    }
    if (!walk_is_lost(w) &&
        (l->lower ? scaled_is_less(l->high, least) : scaled_is_less(largest, l->low)))
        return true;
    if (!walk_is_lost(w) &&
        (l->lower ? scaled_is_less(largest, l->low) : scaled_is_less(l->high, least)))
        return false;
    share tail;
    share_init(&tail, ORDER_BITS);
    binomial_tail(&tail, NULL, w->v, w->r, &l->odds);
    bool is = l->lower ? mpfr_cmp(&tail.no->right, &l->most.no->left) >= 0
                       : mpfr_cmp(&tail.yes->left, &l->most.yes->right) <= 0;
    share_clear(&tail);
    return is;
}

/* Every one at first, then one in 32 times as many, and the last one. */
static void take_sample(path *p, const walk *w)
{
    if (p->first == 0 || p->samples == PATH_SAMPLES)
        return;
    unsigned long last = p->samples > 0 ? p->r[p->samples - 1] : 0;
    if (w->r < last + 1 + last / 32 && w->r < p->in->canaries)
        return;
    p->r[p->samples] = w->r;
    p->v[p->samples++] = w->v;
}

dp_status path_init(path *p, const audit_in *in)
{
    *p = (path){.in = in, .stay = memory_new(in->canaries, sizeof *p->stay)};
    if (p->stay == NULL)
        return DP_MEMORY;
    limit l;
    limit_init(&l, in);
    walk w = walk_from(&l.odds, l.lower);
    for (unsigned long r = 1; r <= in->canaries; r++) {
        walk next = w;
        p->stay[r - 1] = false;
        if (w.v > 0) {
            walk_step(&next, true);
            p->stay[r - 1] = is_within(&next, &l);
        }
        if (p->stay[r - 1])
            w = next;
        else
            walk_step(&w, false);
        if (p->first == 0 && (p->stay[r - 1] || is_within(&w, &l)))
            p->first = r;
        take_sample(p, &w);
    }
    limit_clear(&l);
    return DP_OK;
}

void path_clear(path *p)
{
    memory_free(p->stay);
    p->stay = NULL;
}

dp_status path_of(path **p, path *own, const audit_in *in)
{
    *own = (path){.in = in, .stay = NULL};
    *p = in->path != NULL ? in->path : own;
    if ((*p)->stay == NULL)
        return path_init(*p, in);
    (*p)->in = in;
    return DP_OK;
}

/* ---- the largest ---- */

#define CANDIDATES 64

/* The numbers that may be largest; when they are too many, what the others are at most. */
typedef struct summit {
    scaled least, rest; /* of the largest one; of those not listed */
    struct {
        unsigned long r, v;
        scaled most;
    } of[CANDIDATES];
    size_t count;
} summit;

static void summit_start(summit *s)
{
    s->count = 0;
    s->least = s->rest = (scaled){0, 1L << 30};
}

static void add(summit *s, const walk *w, scaled least, scaled most)
{
    if (scaled_is_less(most, s->least))
        return;
    if (scaled_is_less(s->least, least))
        s->least = least;
    if (s->count == CANDIDATES) {
        s->count = 0;
        for (size_t i = 0; i < CANDIDATES; i++)
            if (!scaled_is_less(s->of[i].most, s->least))
                s->of[s->count++] = s->of[i];
    }
    if (s->count == CANDIDATES) {
        if (scaled_is_less(s->rest, most))
            s->rest = most;
        return;
    }
    s->of[s->count].r = w->r;
    s->of[s->count].v = w->v;
    s->of[s->count++].most = most;
}

#define CLEAR 1e-6 /* more than doubts and roundings, of what is told at a glance */

/* Is the tail, or its quotient, at a glance below the largest one? Most are. */
static bool is_below(const walk *w, const summit *s, double over)
{
    return s->least.scale == (over > 0 ? 0 : w->scale) && w->doubt < CLEAR / 8 &&
           (w->side + 2 * w->off) * (1 + CLEAR) < s->least.x * (over > 0 ? over : 1);
}

/* tail and tail/(v mass) of each that may be largest; false where doubles end. */
static bool climb(summit tops[2], const path *p, const share *odds)
{
    walk w = walk_from(odds, false);
    bool leaks = mpq_sgn(p->in->delta) > 0, lost = false;
    summit_start(&tops[0]);
    summit_start(&tops[1]);
    for (unsigned long r = 1; r <= p->in->canaries && !lost; r++) {
        walk_step(&w, p->stay[r - 1]);
        lost = walk_is_lost(&w);
        if (r < p->first || lost)
            continue;
        scaled least = walk_below(&w), most = walk_above(&w);
        if (!is_below(&w, &tops[0], 0))
            add(&tops[0], &w, least, most);
        double mass = (double)w.v * w.mass;
        if (!leaks || is_below(&w, &tops[1], mass))
            continue;
        least = (scaled){least.x / mass * (1 - w.doubt - 0x1p-50), 0};
        most = (scaled){most.x / mass * (1 + 1.01 * w.doubt + 0x1p-50), 0};
        add(&tops[1], &w, least, most);
    }
    return !lost;
}

/* out = the largest of those enclosed, or more where some are not. */
static void enclose(mpfi_t out, const summit *s, const share *odds, bool ratio)
{
    share tail;
    mpfi_t mass;
    share_init(&tail, mpfi_get_prec(out));
    mpfi_init2(mass, mpfi_get_prec(out));
    mpfi_set_ui(out, 0);
    for (size_t i = 0; i < s->count; i++) {
        if (scaled_is_less(s->of[i].most, s->least))
            continue;
        binomial_tail(&tail, mass, s->of[i].v, s->of[i].r, odds);
        if (ratio) {
            mpfi_div(tail.yes, tail.yes, mass);
            mpfi_div_ui(tail.yes, tail.yes, s->of[i].v);
        }
        ival_take_most(out, tail.yes);
    }
    if (s->rest.x > 0 && !scaled_is_less(s->rest, s->least)) {
        mpfr_set_d(&mass->right, s->rest.x, MPFR_RNDU);
        mpfr_div_2ui(&mass->right, &mass->right, (unsigned long)(WALK_SCALE * s->rest.scale),
                     MPFR_RNDU);
        mpfr_max(&out->right, &out->right, &mass->right, MPFR_RNDU);
    }
    mpfi_clear(mass);
    share_clear(&tail);
}

void path_level(mpfi_t out, const path *p, const mpfi_t epsilon)
{
    const audit_in *in = p->in;
    mpfr_prec_t bits = mpfi_get_prec(out) + 32;
    summit tops[2];
    share odds;
    mpfi_t most, best;
    share_init(&odds, binomial_bits(bits, in->canaries));
    mpfi_init2(most, bits);
    mpfi_init2(best, bits);
    share_logistic(&odds, epsilon);
    bool told = climb(tops, p, &odds);
    enclose(most, &tops[0], &odds, false);
    if (!told) { /* what was not looked at may be certain; the outcome is of the rule */
        share tail;
        share_init(&tail, bits);
        binomial_tail(&tail, NULL, in->hits, in->members, &odds);
        ival_take_most(most, tail.yes);
        mpfr_set_ui(&most->right, 1, MPFR_RNDU);
        mpfi_set(out, most);
        share_clear(&tail);
    } else {
        enclose(best, &tops[1], &odds, true);
        ival_clamp_ui(most, 0, 1);
        mpfi_mul_ui(best, best, in->canaries);
        mpfi_mul_q(best, best, in->delta);
        mpfi_ui_sub(out, 1, most);
        mpfi_mul(best, best, out);
        mpfi_add(out, most, best);
    }
    mpfi_clear(best);
    mpfi_clear(most);
    share_clear(&odds);
}

#define PLACE_BITS 56 /* of a sign beside a guess in doubles */

/* lambda + m delta (1 - lambda) best, where it is below 1, is no less than that of a lesser lambda
 * or best: it grows with lambda while m delta best is below 1. */
void path_level_from(mpfi_t out, const path *p, const path_top *top, const mpfi_t epsilon)
{
    mpfr_prec_t bits = PLACE_BITS;
    share odds, tail;
    mpfi_t most, best;
    share_init(&odds, binomial_bits(bits, p->in->canaries));
    share_init(&tail, bits);
    mpfi_init2(most, bits);
    mpfi_init2(best, bits);
    share_logistic(&odds, epsilon);
    binomial_tail(&tail, NULL, top->v[0], top->r[0], &odds);
    mpfi_set(most, tail.yes);
    binomial_tail(&tail, best, top->v[1], top->r[1], &odds);
    mpfi_div(best, tail.yes, best);
    mpfi_div_ui(best, best, top->v[1]);
    mpfi_mul_ui(best, best, p->in->canaries);
    mpfi_mul_q(best, best, p->in->delta);
    mpfi_ui_sub(out, 1, most);
    mpfi_mul(best, best, out);
    mpfi_add(out, most, best);
    mpfr_set_ui(&out->right, 1, MPFR_RNDU);
    if (mpfr_cmp_ui(&out->left, 1) > 0)
        mpfr_set_ui(&out->left, 1, MPFR_RNDD);
    mpfi_clear(best);
    mpfi_clear(most);
    share_clear(&tail);
    share_clear(&odds);
}

static void top_at(path_top *top, int which, unsigned long r, unsigned long v)
{
    top->r[which] = r;
    top->v[which] = v;
}

/* What is largest so far, as logarithms. */
typedef struct largest {
    double tail, ratio;
} largest;

/* From one sample of the path up to the next one. */
static void look_between(path_top *top, largest *most, const path *p, size_t i, double epsilon)
{
    double r = (double)p->r[i], v = (double)p->v[i];
    double base = guess_log_tail(v, r, epsilon, NULL);
    unsigned long end = i + 1 < p->samples ? p->r[i + 1] : p->in->canaries;
    walk w = {.yes = 1 / (1 + exp(-epsilon)),
              .no = 1 / (1 + exp(epsilon)),
              .side = 1,
              .mass = exp(guess_log_mass(v, r, epsilon) - base),
              .r = p->r[i],
              .v = p->v[i]};
    double side = exp(most->tail - base), over = exp(most->ratio);
    for (;;) {
        if (w.side > side) {
            side = w.side;
            most->tail = base + log(side);
            top_at(top, 0, w.r, w.v);
        }
        if (w.side > over * (double)w.v * w.mass) {
            over = w.side / ((double)w.v * w.mass);
            most->ratio = log(over);
            top_at(top, 1, w.r, w.v);
        }
        if (w.r >= end)
            break;
        walk_step(&w, p->stay[w.r]);
    }
}

#define NEAR 3 /* steps of the path that a tail may be from the largest ones, to be looked at */

void path_guess(path_top *top, const path *p, double epsilon)
{
    largest most = {-HUGE_VAL, -HUGE_VAL}, best = most;
    double tail[PATH_SAMPLES], ratio[PATH_SAMPLES], step[PATH_SAMPLES];
    top_at(top, 0, p->in->members, p->in->hits);
    top_at(top, 1, p->in->members, p->in->hits);
    for (size_t i = 0; i < p->samples; i++) {
        double r = (double)p->r[i], v = (double)p->v[i], mass = guess_log_mass(v, r, epsilon);
        tail[i] = guess_log_tail(v, r, epsilon, NULL);
        ratio[i] = tail[i] - mass - log(v);
        step[i] = NEAR * (exp(mass - tail[i]) + 1 / v);
        most.tail = fmax(most.tail, tail[i] - step[i]);
        most.ratio = fmax(most.ratio, ratio[i] - step[i]);
    }
    for (size_t i = 0; i < p->samples; i++) {
        size_t next = i + 1 < p->samples ? i + 1 : i;
        if (fmax(tail[i] + step[i], tail[next] + step[next]) >= most.tail ||
            fmax(ratio[i] + step[i], ratio[next] + step[next]) >= most.ratio)
            look_between(top, &best, p, i, epsilon);
    }
}

void path_glance(path_top *top, const path *p, double epsilon)
{
    double most = -HUGE_VAL, best = -HUGE_VAL;
    top_at(top, 0, p->in->members, p->in->hits);
    top_at(top, 1, p->in->members, p->in->hits);
    for (size_t i = 0; i < p->samples; i++) {
        double r = (double)p->r[i], v = (double)p->v[i];
        double tail = guess_log_tail(v, r, epsilon, NULL);
        double ratio = tail - guess_log_mass(v, r, epsilon) - log(v);
        if (tail > most) {
            most = tail;
            top_at(top, 0, p->r[i], p->v[i]);
        }
        if (ratio > best) {
            best = ratio;
            top_at(top, 1, p->r[i], p->v[i]);
        }
    }
}
