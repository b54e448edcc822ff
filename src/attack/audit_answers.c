/* SPDX-License-Identifier: MIT */
/* Tails of one number of trials for many counts, and answers that hold for other counts. */
#include "attack/audit_answers.h"

#include "num/ival.h"
#include "num/memory.h"

void tails_clear(tails *t)
{
    while (t->room > 0)
        mpfi_clear(t->of[--t->room]);
    memory_free(t->of);
    t->of = NULL;
    t->n = 0;
}

static bool make_room(tails *t, size_t count)
{
    if (count <= t->room)
        return true;
    tails_clear(t);
    t->of = memory_new(count, sizeof *t->of);
    if (t->of == NULL)
        return false;
    for (; t->room < count; t->room++)
        mpfi_init2(t->of[t->room], TAILS_BITS);
    return true;
}

void tails_fill(tails *t, unsigned long n, unsigned long from, unsigned long to)
{
    to = to < n ? to : n;
    if (t->n == n && t->from <= from && to <= t->to)
        return;
    t->n = 0;
    if (from > to || mpq_sgn(t->rate) <= 0 || mpq_cmp_ui(t->rate, 1, 1) >= 0 ||
        !make_room(t, to - from + 1))
        return;
    mpfr_prec_t bits = TAILS_BITS; /* some thousand masses leave 50 of them */
    share rate, tail;
    mpfi_t mass, odds;
    share_init(&rate, binomial_bits(bits, n));
    share_init(&tail, bits);
    mpfi_init2(mass, bits);
    mpfi_init2(odds, bits);
    share_set_q(&rate, t->rate);
    binomial_tail(&tail, mass, to, n, &rate);
    mpfi_div(odds, rate.no, rate.yes);
    for (unsigned long k = to;; k--) {
        ival_clamp_ui(tail.yes, 0, 1);
        mpfi_set(t->of[k - from], tail.yes);
        if (k == from)
            break;
        mpfi_mul(mass, mass, odds); /* Pr[k-1] = Pr[k] k (1-p)/((n-k+1) p) */
        mpfi_mul_ui(mass, mass, k);
        mpfi_div_ui(mass, mass, n - k + 1);
        mpfi_add(tail.yes, tail.yes, mass);
    }
    t->n = n;
    t->from = from;
    t->to = to;
    mpfi_clear(odds);
    mpfi_clear(mass);
    share_clear(&tail);
    share_clear(&rate);
}

void tails_beyond(mpfi_t out, const tails *t, unsigned long k, unsigned long n)
{
    if (t->n == n && t->from <= k && k <= t->to) {
        mpfi_set(out, t->of[k - t->from]);
        return;
    }
    if (k == 0 || k > n) {
        mpfi_set_ui(out, k == 0);
        return;
    }
    share rate, tail;
    share_init(&rate, binomial_bits(TAILS_BITS, n));
    share_init(&tail, TAILS_BITS);
    share_set_q(&rate, t->rate);
    binomial_tail(&tail, NULL, k, n, &rate);
    mpfi_set(out, tail.yes);
    share_clear(&tail);
    share_clear(&rate);
}

dp_decision answers_recall(const answers *t, unsigned long d, unsigned long f, unsigned long n)
{
    size_t known = t->count < ANSWERS_MOST ? t->count : ANSWERS_MOST;
    for (size_t i = 0; i < known; i++) {
        bool yes = t->answer[i].refute;
        unsigned long dn = t->answer[i].n, dd = t->answer[i].d, df = t->answer[i].f;
        if (yes ? d <= dd && f <= df && n >= dn : d >= dd && f >= df && n <= dn)
            return yes ? DP_YES : DP_NO;
    }
    return DP_UNKNOWN;
}

void answers_note(answers *t, unsigned long d, unsigned long f, unsigned long n, bool refute)
{
    size_t i = t->count++ % ANSWERS_MOST;
    t->answer[i].n = (unsigned)n;
    t->answer[i].d = (unsigned)d;
    t->answer[i].f = (unsigned)f;
    t->answer[i].refute = refute;
}
