/* SPDX-License-Identifier: MIT */
#include "attack/audit_order.h"

#include "attack/binomial_guess.h"
#include "num/ival.h"
#include "num/number.h"

#define LEAST_BITS 128

/* ---- what tails are compared with ---- */

void order_reference(mpfi_t epsilon, const audit_in *in)
{
    mpfi_set_ui(epsilon, 1);
    if (in->claim != NULL)
        ival_set_number(epsilon, in->claim);
}

static void set_reference(share *odds, const audit_in *in)
{
    mpfi_t x;
    mpfi_init2(x, mpfi_get_prec(odds->yes) + 64);
    order_reference(x, in);
    share_logistic(odds, x);
    mpfi_clear(x);
}

static double log_of(mpfr_srcptr x)
{
    mpfr_t y;
    mpfr_init2(y, 64);
    mpfr_log(y, x, MPFR_RNDN);
    double log_x = mpfr_get_d(y, MPFR_RNDN);
    mpfr_clear(y);
    return log_x;
}

void order_init(order *l, const audit_in *in, mpfr_prec_t bits)
{
    bits = bits < LEAST_BITS ? LEAST_BITS : bits;
    l->hits = in->hits;
    l->members = in->members;
    share_init(&l->odds, binomial_bits(bits, in->canaries));
    share_init(&l->tail, bits);
    set_reference(&l->odds, in);
    binomial_tail(&l->tail, NULL, in->hits, in->members, &l->odds);
    l->lower = mpfr_cmp_ui_2exp(&l->tail.yes->left, 1, -1) > 0;
    mpfi_srcptr side = l->lower ? l->tail.no : l->tail.yes;
    l->low = scaled_of(&side->left, MPFR_RNDD);
    l->high = scaled_of(&side->right, MPFR_RNDU);
    l->logit = guess_logit(&l->odds);
    l->log_side = log_of(l->lower ? &side->left : &side->right);
    l->even = in->claim != NULL && dp_number_sgn(in->claim) == 0 && 2 * in->hits == in->members + 1;
}

void order_clear(order *l)
{
    share_clear(&l->tail);
    share_clear(&l->odds);
}

#define NEAR_BITS 64 /* tell all but what is next to a tie */

/* Is the tail of v of r at most that of the outcome, to so many bits? is: what is not told counts
 * as a tie; false where it is not told. */
static bool tell_within(bool *is, unsigned long v, unsigned long r, const order *l,
                        mpfr_prec_t bits)
{
    share tail;
    share_init(&tail, bits);
    binomial_tail(&tail, NULL, v, r, &l->odds);
    mpfi_srcptr less = l->lower ? l->tail.no : tail.yes, more = l->lower ? tail.no : l->tail.yes;
    *is = mpfr_lessequal_p(&less->left, &more->right) != 0;
    bool told = !*is || mpfr_lessequal_p(&less->right, &more->left) != 0;
    share_clear(&tail);
    return told;
}

static bool is_within_there(unsigned long v, unsigned long r, const order *l)
{
    bool is = (v == l->hits && r == l->members) || (l->even && 2 * v == r + 1);
    if (!is && !tell_within(&is, v, r, l, NEAR_BITS))
        tell_within(&is, v, r, l, mpfi_get_prec(l->tail.yes));
    return is;
}

bool order_is_within(const walk *w, const order *l)
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
    return is_within_there(w->v, w->r, l);
}

/* ---- where stretches begin ---- */

unsigned long order_first(const order *l, unsigned long most)
{
    mpfr_prec_t bits = mpfi_get_prec(l->tail.yes);
    mpfi_t x, y;
    mpfi_init2(x, bits);
    mpfi_init2(y, bits);
    mpfi_neg(x, l->odds.no);
    mpfi_log1p(x, x);
    mpfi_neg(y, l->tail.no);
    if (l->lower)
        mpfi_log1p(y, y);
    else
        mpfi_log(y, l->tail.yes);
    mpfi_div(x, y, x);
    mpfr_ceil(&x->left, &x->left);
    unsigned long r = mpfr_cmp_ui(&x->left, most) >= 0 ? most
                      : mpfr_cmp_ui(&x->left, 1) > 0   ? mpfr_get_ui(&x->left, MPFR_RNDN)
                                                       : 1;
    mpfi_clear(y);
    mpfi_clear(x);
    return r;
}

/* A line of outcomes along which they rise in the order: v of r guesses, or r with d misses. */
typedef struct line {
    const order *of;
    unsigned long r, d;
    bool longer; /* with d misses */
} line;

static bool is_within_at(const line *l, unsigned long at)
{
    return l->longer ? is_within_there(at - l->d, at, l->of) : is_within_there(at, l->r, l->of);
}

/* The least one above `low`, which is not within, up to `high`, which is: about. */
static unsigned long guess_least(const line *l, unsigned long low, unsigned long high)
{
    const order *o = l->of;
    while (high - low > 1) {
        unsigned long at = low + (high - low) / 2;
        double r = (double)(l->longer ? at : l->r), v = (double)(l->longer ? at - l->d : at);
        bool within = o->lower ? guess_log_tail(r - v + 1, r, -o->logit, NULL) >= o->log_side
                               : guess_log_tail(v, r, o->logit, NULL) <= o->log_side;
        *(within ? &high : &low) = at;
    }
    return high;
}

/* The same, proved, by larger and larger steps from there. */
static unsigned long least(const line *l, unsigned long none, unsigned long all)
{
    unsigned long low = guess_least(l, none, all), high = low, by = 1;
    for (; high < all && !is_within_at(l, high); by *= 2) {
        low = high;
        high = all - high > by ? high + by : all;
    }
    for (by = 1; low == high; by *= 2) {
        low = high - none > by ? high - by : none;
        if (low > none && is_within_at(l, low))
            high = low;
    }
    while (high - low > 1) {
        unsigned long at = low + (high - low) / 2;
        *(is_within_at(l, at) ? &high : &low) = at;
    }
    return high;
}

unsigned long order_threshold(const order *l, unsigned long r)
{
    return least(&(line){.of = l, .r = r}, 0, r);
}

unsigned long order_start(const order *l, unsigned long d, unsigned long last, unsigned long all)
{
    return least(&(line){.of = l, .d = d, .longer = true}, last > d ? last : d,
                 all); /* v = 0: all */
}
