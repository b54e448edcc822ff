/* SPDX-License-Identifier: MIT */
/* The largest tails along a path: doubles that know how far they are off tell which few may be
 * largest; these are then enclosed. */
#include "attack/audit_level.h"

#include <math.h>

#include "attack/audit_walk.h"
#include "attack/binomial_guess.h"
#include "num/ival.h"

#define CANDIDATES 64
#define OPEN 40

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

/* What may be largest at one place: tail, and tail/(v mass). */
static void take(summit tops[2], const walk *w, bool leaks)
{
    scaled least = walk_below(w), most = walk_above(w);
    if (!is_below(w, &tops[0], 0))
        add(&tops[0], w, least, most);
    double mass = (double)w->v * w->mass;
    if (!leaks || is_below(w, &tops[1], mass))
        return;
    least = (scaled){least.x / mass * (1 - w->doubt - 0x1p-50), 0};
    most = (scaled){most.x / mass * (1 + 1.01 * w->doubt + 0x1p-50), 0};
    add(&tops[1], w, least, most);
}

/* The first outcome of a run has its largest tail, and quotient, as both fall in v for the same
 * misses. */
static bool climb_runs(summit tops[2], const path *p, const stretch *s, const share *odds)
{
    bool leaks = mpq_sgn(p->in->delta) > 0;
    for (size_t i = 0; i < s->runs; i++) {
        unsigned long r = s->start[i], misses = s->from - s->v + i;
        walk w = walk_from_there(odds, false, r, r - misses);
        if (walk_is_lost(&w))
            return false;
        take(tops, &w, leaks);
    }
    return true;
}

/* Each of a part that may be largest; false where doubles end. */
static bool climb_part(summit tops[2], const path *p, const stretch *s, const share *odds)
{
    if (s->start != NULL)
        return climb_runs(tops, p, s, odds);
    walk w = odds == &p->order.odds && !p->order.lower ? s->there
             : s->from == 0                            ? walk_from(odds, false)
                            : walk_from_there(odds, false, s->from, s->v);
    bool leaks = mpq_sgn(p->in->delta) > 0, lost = false;
    for (unsigned long r = s->from > 0 ? s->from : 1; r <= s->to && !lost; r++) {
        if (r > s->from)
            walk_step(&w, s->stay[r - s->from - 1]);
        lost = walk_is_lost(&w);
        if (r >= p->first && !lost)
            take(tops, &w, leaks);
    }
    return !lost;
}

static bool climb(summit tops[2], const path *p, const share *odds)
{
    bool told = !p->late;
    summit_start(&tops[0]);
    summit_start(&tops[1]);
    for (size_t i = 0; i < p->parts && told; i++)
        told = climb_part(tops, p, &p->part[i], odds);
    return told;
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

/* Does what lies between the parts tell no more than that, but for OPEN bits? */
static bool is_closed(const mpfi_t most, const mpfr_t between)
{
    mpfr_t more;
    mpfr_init2(more, mpfr_get_prec(&most->right));
    mpfr_sub(more, between, &most->right, MPFR_RNDU);
    bool closed = mpfr_sgn(more) <= 0 ||
                  (mpfr_number_p(more) && mpfr_get_exp(more) < mpfr_get_exp(&most->right) - OPEN);
    mpfr_clear(more);
    return closed;
}

static void take_outcome(mpfi_t most, const path *p, const share *odds)
{
    share tail;
    share_init(&tail, mpfi_get_prec(most));
    binomial_tail(&tail, NULL, p->in->hits, p->in->members, odds);
    ival_take_most(most, tail.yes);
    share_clear(&tail);
}

/* The largest tail, raised to what lies between two parts, of which the outcome may be. */
static bool raise_most(mpfi_t most, const path *p, const share *odds)
{
    mpfr_t between;
    mpfr_init2(between, mpfi_get_prec(most));
    gap_most(between, &p->between, odds);
    if (!is_closed(most, between))
        take_outcome(most, p, odds);
    bool closed = is_closed(most, between);
    mpfr_max(&most->right, &most->right, between, MPFR_RNDU);
    mpfr_clear(between);
    return closed;
}

static bool raise_best(mpfi_t best, const path *p, const share *odds)
{
    mpfr_t between;
    mpfr_init2(between, mpfi_get_prec(best));
    gap_best(between, &p->between, odds, &best->right);
    bool closed = is_closed(best, between);
    mpfr_set(&best->right, between, MPFR_RNDU);
    mpfr_clear(between);
    return closed;
}

/* out = lambda + x (1 - lambda), rounded. */
static void mix(mpfr_t out, mpfr_srcptr lambda, mpfr_srcptr x, mpfr_rnd_t way)
{
    mpfr_t rest;
    mpfr_init2(rest, mpfr_get_prec(out) + 32);
    mpfr_ui_sub(rest, 1, lambda, way); /* lambda is in [0, 1] */
    mpfr_set_zero(out, 1);
    if (mpfr_sgn(rest) > 0)
        mpfr_mul(out, rest, x, way);
    mpfr_add(out, out, lambda, way);
    mpfr_clear(rest);
}

/* out = lambda + x (1 - lambda), x = m delta best, which grows with x, and with lambda while x is
 * below 1. Beyond, it is 1 or more: up to 2 where best is not known. */
static void put_together(mpfi_t out, const mpfi_t most, mpfi_t best, const audit_in *in)
{
    mpfi_mul_ui(best, best, in->canaries);
    mpfi_mul_q(best, best, in->delta);
    if (mpfr_cmp_ui(&best->left, 1) >= 0)
        mpfr_set_ui(&out->left, 1, MPFR_RNDD);
    else
        mix(&out->left, &most->left, &best->left, MPFR_RNDD);
    bool grows = mpfr_cmp_ui(&best->right, 1) < 0;
    mix(&out->right, grows ? &most->right : &most->left, &best->right, MPFR_RNDU);
    if (!mpfr_number_p(&out->right))
        mpfr_set_ui(&out->right, 2, MPFR_RNDU);
}

static bool is_certain(const mpfi_t level)
{
    mpfr_t rest;
    mpfr_init2(rest, 32);
    mpfr_ui_sub(rest, 1, &level->left, MPFR_RNDU);
    bool is = mpfr_sgn(rest) <= 0 || mpfr_get_exp(rest) < -OPEN;
    mpfr_clear(rest);
    return is;
}

/* The outcome is of the rule, whether it is in a part or not. */
bool path_level(mpfi_t out, const path *p, const mpfi_t epsilon)
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
    bool told = climb(tops, p, &odds), closed = true;
    enclose(most, &tops[0], &odds, false);
    if (told) {
        enclose(best, &tops[1], &odds, true);
        if (p->parts == 2) {
            closed = raise_most(most, p, &odds);
            closed = (mpq_sgn(in->delta) == 0 || raise_best(best, p, &odds)) && closed;
        }
        ival_clamp_ui(most, 0, 1);
        put_together(out, most, best, in);
    } else { /* what was not looked at may be certain */
        take_outcome(most, p, &odds);
        mpfr_set_ui(&most->right, 1, MPFR_RNDU);
        mpfi_set(out, most);
    }
    mpfi_clear(best);
    mpfi_clear(most);
    share_clear(&odds);
    return closed || is_certain(out);
}

/* There the outcome has the largest tail. */
static bool level_there(mpfi_t out, const path *p)
{
    const share *odds = &p->order.odds;
    mpfr_prec_t bits = mpfi_get_prec(out) + 32;
    summit tops[2];
    mpfi_t most, best;
    mpfi_init2(most, bits);
    mpfi_init2(best, bits);
    mpfi_set(most, p->order.tail.yes);
    path_most(&most->right, &p->order);
    mpfi_set_ui(best, 0);
    bool closed = true, leaks = mpq_sgn(p->in->delta) > 0, told = !leaks || climb(tops, p, odds);
    if (leaks && told) {
        enclose(best, &tops[1], odds, true);
        closed = p->parts < 2 || raise_best(best, p, odds);
    }
    ival_clamp_ui(most, 0, 1);
    if (told) {
        put_together(out, most, best, p->in);
    } else {
        mpfr_set_ui(&most->right, 1, MPFR_RNDU);
        mpfi_set(out, most);
    }
    mpfi_clear(best);
    mpfi_clear(most);
    return closed || is_certain(out);
}

bool path_level_there(mpfi_t out, const path *p)
{
    if (mpfi_get_prec(p->order.tail.yes) >= mpfi_get_prec(out) + UNTOLD)
        return level_there(out, p);
    mpfi_t e;
    mpfi_init2(e, binomial_bits(mpfi_get_prec(out), p->in->canaries) + 64);
    order_reference(e, p->in);
    bool closed = path_level(out, p, e);
    mpfi_clear(e);
    return closed;
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
    put_together(out, most, best, p->in);
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

/* From one sample of the path up to the next one of its part. */
static void look_between(path_top *top, largest *most, const path *p, size_t i, double epsilon)
{
    double r = (double)p->r[i], v = (double)p->v[i];
    double base = guess_log_tail(v, r, epsilon, NULL);
    const stretch *s = &p->part[p->parts == 2 && p->r[i] >= p->part[1].from];
    unsigned long end = s->start != NULL                             ? p->r[i]
                        : i + 1 < p->samples && p->r[i + 1] <= s->to ? p->r[i + 1]
                                                                     : s->to;
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
        walk_step(&w, s->stay[w.r - s->from]);
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

#define GLANCE 4 /* one sample in so many, and the last one */

void path_glance(path_top *top, const path *p, double epsilon)
{
    double most = -HUGE_VAL, best = -HUGE_VAL;
    top_at(top, 0, p->in->members, p->in->hits);
    top_at(top, 1, p->in->members, p->in->hits);
    for (size_t i = (p->samples + GLANCE - 1) % GLANCE; i < p->samples; i += GLANCE) {
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
