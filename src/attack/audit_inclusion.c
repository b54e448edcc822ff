/* SPDX-License-Identifier: MIT */
/* One run whose canaries are included with a probability that is not 1/2, at delta 0: guesses of
 * two kinds, each right with a probability of its own. */
#include "attack/audit.h"

#include <math.h>

#include "attack/binomial_guess.h"
#include "attack/binomial_pair.h"
#include "attack/root.h"
#include "num/ival.h"
#include "num/number.h"

/* yes = h E/(h E + 1 - h), with h the inclusion of its kind */
static void right_share(share *p, const mpfi_t epsilon, const mpq_t inclusion)
{
    mpq_t odds;
    mpfi_t x;
    mpq_init(odds);
    mpfi_init2(x, mpfi_get_prec(p->yes) + 32);
    mpz_set(mpq_numref(odds), mpq_numref(inclusion));
    mpz_sub(mpq_denref(odds), mpq_denref(inclusion), mpq_numref(inclusion));
    mpq_canonicalize(odds);
    ival_log_q(x, odds);
    mpfi_add(x, x, epsilon);
    share_logistic(p, x);
    mpfi_clear(x);
    mpq_clear(odds);
}

/* Two kinds of guesses in doubles: how many "in", how many others, the least number right of both,
 * and ln of the odds at which each of them is right. */
typedef struct kinds {
    double first, other, right, odds[2];
} kinds;

static kinds kinds_at(const audit_in *in, double epsilon)
{
    mpq_t rest;
    mpq_init(rest);
    mpq_set_ui(rest, 1, 1);
    mpq_sub(rest, rest, in->included);
    double odds = ival_guess_log(in->included) - ival_guess_log(rest);
    mpq_clear(rest);
    return (kinds){.first = (double)in->said_in,
                   .other = (double)(in->members - in->said_in),
                   .right = (double)in->hits,
                   .odds = {epsilon + odds, epsilon - odds}};
}

/* About ln of Pr[X = j] Pr[Y >= v - j], X of the guesses "in", Y of the others: concave in j, as a
 * mass and a tail are. */
static double guess_term(const kinds *k, double j)
{
    double c = k->right - j, mass = guess_log_mass(j, k->first, k->odds[0]);
    return c <= 0 ? mass : mass + guess_log_tail(c, k->other, k->odds[1], NULL);
}

static double least_j(const kinds *k)
{
    return k->right > k->other ? k->right - k->other : 0;
}

/* The largest one. */
static double find_middle(const kinds *k)
{
    double low = least_j(k), high = k->first;
    while (low < high) {
        double j = floor((low + high) / 2);
        if (guess_term(k, j + 1) > guess_term(k, j))
            low = j + 1;
        else
            high = j;
    }
    return low;
}

/* From the middle to `end`: the last one that is not less than the middle by `by`. */
static double reach(const kinds *k, double middle, double end, double by)
{
    double least = guess_term(k, middle) - by, way = end < middle ? -1 : 1;
    double low = 0, high = fabs(end - middle);
    while (low < high) {
        double d = ceil((low + high) / 2);
        if (guess_term(k, middle + way * d) >= least)
            low = d;
        else
            high = d - 1;
    }
    return middle + way * low;
}

/* Sums and products of positive numbers, step by step. */
typedef struct convolution {
    unsigned long first, other, j, c; /* c = v - j, 0 where j is more */
    share p, q, tail;
    mpfi_t x, y, part, last; /* x = Pr[X = j], tail = Pr[Y >= c], y = Pr[Y = c] */
    mpfi_t up, down;         /* the odds of p, and those against q */
} convolution;

static void next_j(convolution *s)
{
    mpfi_mul(s->x, s->x, s->up); /* Pr[j + 1] of Pr[j] */
    mpfi_mul_ui(s->x, s->x, s->first - s->j);
    mpfi_div_ui(s->x, s->x, s->j + 1);
    s->j++;
    if (s->c == 0)
        return;
    mpfi_mul(s->y, s->y, s->down); /* Pr[c - 1] of Pr[c] */
    mpfi_mul_ui(s->y, s->y, s->c);
    mpfi_div_ui(s->y, s->y, s->other - s->c + 1);
    mpfi_add(s->tail.yes, s->tail.yes, s->y);
    s->c--;
}

/* More than all terms beyond one, in a direction in which they fall: at most as fast as a geometric
 * series, by their concave logarithms. ratio = the next one's share of it, enclosed. */
static void add_rest(mpfi_t out, const mpfi_t term, mpfi_t ratio)
{
    mpfi_t rest;
    mpfi_init2(rest, mpfi_get_prec(out));
    mpfi_ui_sub(rest, 1, ratio);
    if (mpfr_sgn(&rest->left) <= 0) {
        mpfr_set_ui(&out->right, 1, MPFR_RNDU);
    } else {
        mpfi_div(rest, ratio, rest);
        mpfi_mul(rest, rest, term);
        mpfr_add(&out->right, &out->right, &rest->right, MPFR_RNDU);
    }
    mpfi_clear(rest);
}

/* out = the terms below the first one, at most: those of j - 1 and j have the ratio of their masses
 * times Pr[Y >= c + 1]/Pr[Y >= c] = 1 - Pr[Y = c]/Pr[Y >= c]. */
static void start_sum(mpfi_t out, convolution *s, bool more)
{
    mpfi_mul(s->part, s->x, s->tail.yes);
    mpfi_set_ui(out, 0);
    if (!more)
        return;
    mpfi_div(s->last, s->y, s->tail.yes);
    mpfi_ui_sub(s->last, 1, s->last);
    ival_at_least_zero(s->last);
    mpfi_div(s->last, s->last, s->up);
    mpfi_mul_ui(s->last, s->last, s->j);
    mpfi_div_ui(s->last, s->last, s->first - s->j + 1);
    add_rest(out, s->part, s->last);
}

/* out = the sum over j = from..to, and all that is left out in its upper end. */
static void add_terms(mpfi_t out, convolution *s, unsigned long from, unsigned long to, bool less)
{
    start_sum(out, s, less);
    for (s->j = from;;) {
        mpfi_mul(s->part, s->x, s->tail.yes);
        mpfi_add(out, out, s->part);
        if (s->j == to)
            break;
        next_j(s);
    }
    if (to == s->first)
        return;
    mpfi_set(s->last, s->part);
    next_j(s);
    mpfi_mul(s->part, s->x, s->tail.yes);
    mpfi_div(s->part, s->part, s->last);
    add_rest(out, s->last, s->part);
}

static void convolution_init(convolution *s, const audit_in *in, const mpfi_t epsilon,
                             mpfr_prec_t bits)
{
    mpq_t rest;
    mpq_init(rest);
    mpq_set_ui(rest, 1, 1);
    mpq_sub(rest, rest, in->included);
    share *shares[] = {&s->p, &s->q, &s->tail};
    mpfi_ptr all[] = {s->x, s->y, s->part, s->last, s->up, s->down};
    for (size_t i = 0; i < 3; i++)
        share_init(shares[i], bits);
    for (size_t i = 0; i < 6; i++)
        mpfi_init2(all[i], bits);
    right_share(&s->p, epsilon, in->included);
    right_share(&s->q, epsilon, rest);
    mpfi_div(s->up, s->p.yes, s->p.no);
    mpfi_div(s->down, s->q.no, s->q.yes);
    mpq_clear(rest);
}

static void convolution_clear(convolution *s)
{
    mpfi_ptr all[] = {s->x, s->y, s->part, s->last, s->up, s->down};
    share *shares[] = {&s->p, &s->q, &s->tail};
    for (size_t i = 0; i < 6; i++)
        mpfi_clear(all[i]);
    for (size_t i = 0; i < 3; i++)
        share_clear(shares[i]);
}

#define SPARE 16    /* bits, of what is left out beyond those wanted */
#define MANY 3000.0 /* terms, from which on another sum is shorter */

/* The same on a circle, of the shorter tail: false where it is not. */
static bool tail_of_many(mpfi_t out, const audit_in *in, const convolution *s)
{
    const unsigned long n[2] = {s->first, s->other};
    share p[2];
    mpfr_prec_t bits = mpfi_get_prec(s->p.yes);
    for (int i = 0; i < 2; i++) {
        const share *of = i == 0 ? &s->p : &s->q;
        share_init(&p[i], bits);
        mpfi_set(p[i].yes, of->yes);
        mpfi_set(p[i].no, of->no);
    }
    bool done = binomial_pair(out, in->hits, n, p);
    if (!done) { /* of what is wrong, above which the mean is */
        share_swap(&p[0]);
        share_swap(&p[1]);
        done = binomial_pair(out, in->members - in->hits + 1, n, p);
        if (done)
            mpfi_ui_sub(out, 1, out);
    }
    share_clear(&p[1]);
    share_clear(&p[0]);
    return done;
}

/* out = sum over j of Pr[X = j] Pr[Y >= v - j], those near the largest one. */
static void tail_of_both(mpfi_t out, const audit_in *in, const mpfi_t epsilon)
{
    mpfr_prec_t bits = binomial_bits(mpfi_get_prec(out), in->members) + 32;
    kinds k = kinds_at(in, mpfi_get_d(epsilon));
    double by = (double)(mpfi_get_prec(out) + SPARE) * 0.7, middle = find_middle(&k);
    double from = reach(&k, middle, least_j(&k), by), to = reach(&k, middle, k.first, by);
    convolution s = {.first = in->said_in, .other = in->members - in->said_in};
    convolution_init(&s, in, epsilon, bits);
    if (to - from > MANY && tail_of_many(out, in, &s)) {
        convolution_clear(&s);
        return;
    }
    s.j = (unsigned long)from;
    s.c = in->hits > s.j ? in->hits - s.j : 0;
    binomial_mass(s.x, s.j, s.first, &s.p);
    binomial_tail(&s.tail, s.y, s.c, s.other, &s.q);
    add_terms(out, &s, s.j, (unsigned long)to, from > least_j(&k));
    ival_clamp_ui(out, 0, 1);
    convolution_clear(&s);
}

/* h R/(h R + 1 - h) */
static void right_q(mpq_t p, const mpq_t odds, const mpq_t inclusion)
{
    mpq_t rest;
    mpq_init(rest);
    mpz_sub(mpq_numref(rest), mpq_denref(inclusion), mpq_numref(inclusion));
    mpz_set(mpq_denref(rest), mpq_denref(inclusion));
    mpq_mul(p, odds, inclusion);
    mpq_add(rest, rest, p);
    mpq_div(p, p, rest);
    mpq_clear(rest);
}

#define EXACT_MOST 100UL

/* The sum in fractions; false where its numbers would be long, or the odds are not rational. */
static bool tail_q(mpq_t out, const audit_in *in)
{
    unsigned long first = in->said_in, other = in->members - first, v = in->hits;
    mpq_t p, q, rest, above, next, tail;
    mpq_inits(p, q, rest, above, next, tail, NULL);
    bool exact = in->members <= EXACT_MOST && audit_claim_odds_q(rest, in->claim);
    if (exact) {
        right_q(p, rest, in->included);
        mpq_set_ui(q, 1, 1);
        mpq_sub(q, q, in->included);
        mpq_set(above, q);
        right_q(q, rest, above);
    }
    mpq_set_ui(out, 0, 1);
    for (unsigned long j = v > other ? v - other : 0; exact && j <= first; j++) {
        exact = binomial_tail_q(above, j, first, p) && binomial_tail_q(next, j + 1, first, p) &&
                binomial_tail_q(tail, j < v ? v - j : 0, other, q);
        mpq_sub(above, above, next);
        mpq_mul(above, above, tail);
        mpq_add(out, out, above);
    }
    mpq_clears(p, q, rest, above, next, tail, NULL);
    return exact;
}

dp_status audit_inclusion_p(dp_figure *out, const void *in, const wanted *want)
{
    const audit_in *a = in;
    if (a->hits == 0) {
        figure_set_ui(&out[0], 1);
        return DP_OK;
    }
    if (want->rational && tail_q(out[0].rational, a)) {
        out[0].kind = DP_RATIONAL;
        return DP_OK;
    }
    mpfi_t e;
    mpfi_init2(e, binomial_bits(want->bits, a->members) + 64);
    ival_set_number(e, a->claim);
    tail_of_both(figure_enclose(&out[0], want->bits), a, e);
    mpfi_clear(e);
    return DP_OK;
}

#define STEEP_BITS 32 /* of a root's precision: ln of a level is no flatter than its argument */

static void above_alpha(mpfi_t out, const mpfi_t at, const void *in)
{
    const audit_in *a = in;
    mpfi_t alpha, level;
    mpfi_init2(alpha, mpfi_get_prec(out));
    mpfi_init2(level, mpfi_get_prec(out) - STEEP_BITS);
    tail_of_both(level, a, at);
    mpfi_set_q(alpha, a->alpha);
    mpfi_div(out, level, alpha);
    mpfi_log(out, out);
    mpfi_clear(level);
    mpfi_clear(alpha);
}

#define GUESS_MOST 100000UL
#define FAR 45.0 /* e^-45 of the largest term is nothing in doubles */

/* The same, about. */
static double guess_above(const void *in, double epsilon)
{
    const audit_in *a = in;
    kinds k = kinds_at(a, epsilon);
    if (a->members > GUESS_MOST)
        return guess_log_pair(k.right, (double[]){k.first, k.other}, k.odds) -
               ival_guess_log(a->alpha);
    double middle = find_middle(&k), top = guess_term(&k, middle), sum = 0;
    double from = reach(&k, middle, least_j(&k), FAR), to = reach(&k, middle, k.first, FAR);
    double p = exp(k.odds[0]), q = exp(-k.odds[1]), c = fmax(k.right - from, 0);
    double below = c > 0 ? guess_log_tail(c, k.other, k.odds[1], NULL) : 0;
    double x = exp(guess_log_mass(from, k.first, k.odds[0]) + below - top), tail = 1;
    double y = c > 0 ? exp(guess_log_mass(c, k.other, k.odds[1]) - below) : 0;
    for (double j = from;; j++) {
        sum += x * tail;
        if (j >= to)
            break;
        x *= p * (k.first - j) / (j + 1);
        if (c <= 0)
            continue;
        y *= q * c / (k.other - c + 1);
        tail += y;
        c--;
    }
    return log(sum) + top - ival_guess_log(a->alpha);
}

/* Exactly: is the tail no less than alpha at epsilon = 0? */
static bool shows_nothing(const audit_in *a)
{
    audit_in own = *a;
    dp_number zero;
    mpq_t p;
    dp_number_init(&zero);
    mpq_init(p);
    own.claim = &zero;
    bool is = tail_q(p, &own) && mpq_cmp(p, a->alpha) >= 0;
    mpq_clear(p);
    dp_number_clear(&zero);
    return is;
}

#define HIGHEST 1e3
#define TINY 1e-9

static double find(const audit_in *a)
{
    double high = 1;
    if (guess_above(a, 0) >= 0)
        return 0;
    while (high < HIGHEST && guess_above(a, high) < 0)
        high *= 2;
    return root_guess(guess_above, a, 0, high);
}

dp_status audit_eval_inclusion(dp_figure *out, const void *in, const wanted *want)
{
    const audit_in *a = in;
    if (a->hits == 0) {
        figure_set_ui(&out[0], 0);
        return DP_OK;
    }
    mpfi_t x;
    mpfi_init2(x, root_bits(want->bits));
    double guess = find(a);
    bool none = false;
    if (guess < TINY) {
        mpfi_set_ui(x, 0);
        above_alpha(x, x, a);
        none = mpfr_sgn(&x->left) >= 0 || (want->rational && shows_nothing(a));
    }
    if (none) {
        figure_set_ui(&out[0], 0);
    } else {
        root_enclose(x, above_alpha, a,
                     &(root_start){.near = guess, .error = fmax(guess, 1e-6) * 1e-12});
        audit_not_below_zero(&out[0], x, want->bits);
    }
    mpfi_clear(x);
    return DP_OK;
}
