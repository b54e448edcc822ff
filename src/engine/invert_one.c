/* SPDX-License-Identifier: MIT */
/* What one law of several spends, a lower end of what all of them do, and with what the others
 * spend at most an upper one. Whoever sees the outcomes of all may look at one alone, and no
 * processing makes two laws easier to tell apart: with pairs (P, Q) and (P', Q'), H the divergence
 * E_P[(1 - e^x dQ/dP)_+], H(P x P', Q x Q') >= H(P, Q), so s(x) of all laws is at least that of
 * each, and delta(x) = 1 - D (1 - s(x)) >= s(x). Where the other laws say nothing the ends are
 * equal. Where no loss of the others is above t in all, s(x) = E s_1(x - L') <= s_1(x - t) as s_1
 * falls: without leaks epsilon is at most that of the law, and t. */
#include "core/refine.h"
#include "engine/invert.h"
#include "num/ival.h"
#include "num/memory.h"

#define MOST_LAWS 16

/* The law alone, without leaks: nothing is owned. */
static dp_status open_one(engine *one, product *alone, const engine *e, size_t law)
{
    *alone = (product){.item = &e->product->item[law], .count = 1, .room = 1};
    one->without = 0;
    dp_status status = engine_init(one, alone);
    one->without = e->without;
    return status;
}

/* Limits under which nobody hears of that law. */
static limits unheard(const limits *lim, unsigned *met)
{
    limits own = *lim;
    own.narrowed = NULL;
    own.met = met;
    return own;
}

/* The largest loss of each law, from above; NULL: out of memory. */
static mpfr_t *tops_new(const engine *e, mpfr_prec_t bits)
{
    mpfr_t *top = memory_new(e->product->count, sizeof *top);
    mpfi_t own;
    mpfi_init2(own, bits);
    for (size_t i = 0; top != NULL && i < e->product->count; i++) {
        product alone;
        engine one;
        mpfr_init2(top[i], bits);
        mpfr_set_inf(&own->right, 1);
        if (open_one(&one, &alone, e, i) == DP_OK)
            engine_top(own, &one);
        mpfr_set(top[i], &own->right, MPFR_RNDU);
        engine_clear(&one);
    }
    mpfi_clear(own);
    return top;
}

static void tops_free(mpfr_t *top, size_t count)
{
    for (size_t i = 0; top != NULL && i < count; i++)
        mpfr_clear(top[i]);
    memory_free(top);
}

/* most >= those of the other laws, together */
static void other_tops(mpfr_t most, mpfr_t *top, size_t count, size_t law)
{
    mpfr_set_ui(most, 0, MPFR_RNDU);
    for (size_t i = 0; i < count; i++)
        if (i != law)
            mpfr_add(most, most, top[i], MPFR_RNDU);
    if (mpfr_nan_p(most))
        mpfr_set_inf(most, 1);
}

/* x encloses the figure; [0, infinity] where nothing is known. */
static void enclose(mpfi_t x, const dp_figure *f)
{
    mpfi_set_ui(x, 0);
    mpfr_set_inf(&x->right, 1);
    if (f->kind == DP_RATIONAL)
        mpfi_set_q(x, f->rational);
    else if (f->kind == DP_ENCLOSED && !ival_bad(f->enclosure))
        mpfi_set(x, f->enclosure);
}

/* The lower end; and where tops are given, of epsilon, the upper one. */
static void take(mpfi_t out, const dp_figure *f, size_t law, mpfr_t *top, size_t count)
{
    mpfi_t own;
    mpfr_t most;
    mpfi_init2(own, mpfi_get_prec(out));
    mpfr_init2(most, mpfi_get_prec(out));
    enclose(own, f);
    mpfr_max(&out->left, &out->left, &own->left, MPFR_RNDD);
    if (top != NULL) {
        other_tops(most, top, count, law);
        mpfr_add(most, most, &own->right, MPFR_RNDU);
        mpfr_min(&out->right, &out->right, most, MPFR_RNDU);
    }
    mpfr_clear(most);
    mpfi_clear(own);
}

void optimal_by_one(mpfi_t out, const engine *e, const logform *x, const mpq_t delta, size_t digits,
                    const limits *lim)
{
    const product *p = e->product;
    unsigned met = 0;
    limits own = unheard(lim, &met);
    if (p->count < 2 || limits_expired(lim))
        return;
    mpfr_t *top = NULL;
    if (x == NULL && p->leaks == 0 && !p->certain_leak)
        top = tops_new(e, mpfi_get_prec(out));
    for (size_t i = 0; i < p->count && i < MOST_LAWS && !limits_expired(lim); i++) {
        product alone;
        engine one;
        dp_figure f;
        dp_figure_init(&f);
        dp_status status = open_one(&one, &alone, e, i);
        if (status == DP_OK)
            status = x == NULL ? optimal_epsilon_at(&f, &one, delta, digits, &own)
                               : optimal_delta_at(&f, &one, x, digits, &own);
        if (status == DP_OK || status == DP_LIMIT)
            take(out, &f, i, top, p->count);
        engine_clear(&one);
        dp_figure_clear(&f);
    }
    tops_free(top, p->count);
}

bool optimal_fails_by_one(const engine *e, const logform *x, const mpq_t delta, const limits *lim)
{
    unsigned met = 0;
    limits own = unheard(lim, &met);
    bool fails = false;
    for (size_t i = 0; !fails && e->product->count > 1 && i < e->product->count && i < MOST_LAWS;
         i++) {
        if (limits_expired(lim))
            return false;
        product alone;
        engine one;
        fails = open_one(&one, &alone, e, i) == DP_OK &&
                optimal_meets_at(&one, x, delta, &own) == DP_NO;
        engine_clear(&one);
    }
    return fails;
}
