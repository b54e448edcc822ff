/* SPDX-License-Identifier: MIT */
/* Randomized response for a majority of independent votes: one cell of a lattice, or a rational
 * sum. */
#include "vote/rr_prob.h"

#include "engine/lattice.h"
#include "num/guard.h"
#include "num/ival.h"
#include "num/number.h"

#define RATIONAL_BITS 16384UL

static bool independent_applies(const void *in)
{
    const response_in *q = in;
    return q->majority_sure || q->majority != NULL;
}

/* x = Pr[Bin(n, c) >= mid] - E Pr[Bin(n, d) >= mid], n = K - N, where e^eps = s/t and E are
 * rational: sums over (s + t)^n. */
static bool excess_q(mpq_t x, const response_in *q)
{
    mpq_srcptr r = number_odds(&q->r->epsilon);
    if (r == NULL)
        return false;
    mpq_t own, other;
    mpz_t sum, win, term;
    mpz_init(sum);
    mpz_add(sum, mpq_numref(r), mpq_denref(r));
    bool ok = guard_pow_fits(sum, q->voters, RATIONAL_BITS);
    if (!ok) {
        mpz_clear(sum);
        return false;
    }
    mpq_inits(own, other, NULL);
    mpz_inits(win, term, NULL);
    unsigned long n = mpz_get_ui(q->voters), least = n - mpz_get_ui(q->cell);
    for (int primed = 0; primed < 2; primed++) {
        mpz_srcptr hit = primed ? mpq_denref(r) : mpq_numref(r);
        mpz_srcptr miss = primed ? mpq_numref(r) : mpq_denref(r);
        mpz_ptr to = mpq_numref(primed ? other : own);
        for (unsigned long i = least; i <= n; i++) {
            mpz_bin_uiui(win, n, i);
            mpz_pow_ui(term, hit, i);
            mpz_mul(win, win, term);
            mpz_pow_ui(term, miss, n - i);
            mpz_addmul(to, win, term);
        }
        mpz_pow_ui(mpq_denref(primed ? other : own), sum, n);
        mpq_canonicalize(primed ? other : own);
    }
    ok = response_odds_q(x, q);
    mpq_mul(x, x, other);
    mpq_sub(x, own, x);
    mpz_clears(sum, win, term, NULL);
    mpq_clears(own, other, NULL);
    return ok;
}

static bool rational_probability(dp_figure *out, const response_in *q)
{
    mpq_t x, p;
    mpq_inits(x, p, NULL);
    bool ok = excess_q(x, q) && response_probability_q(p, q, x);
    if (ok)
        figure_set_q(&out[0], p);
    mpq_clears(x, p, NULL);
    return ok;
}

/* u = (N + 1) eps - t >= 0, (N + 1) eps the loss of the cell's atom: 0 exactly where it is. */
static bool set_rise(mpfi_t u, const response_in *q)
{
    const lattice *f = q->majority;
    logform gap;
    mpq_t c;
    logform_init(&gap);
    mpq_init(c);
    mpz_mul_2exp(mpq_numref(c), q->cell, 1);
    mpz_sub(mpq_numref(c), f->rise, mpq_numref(c));
    bool ok = logform_add_number(&gap, c, &f->step);
    mpq_set_si(c, -1, 1);
    ok = ok && logform_add_form(&gap, c, q->target);
    if (ok)
        logform_enclose(u, &gap);
    ival_at_least_zero(u);
    mpq_clear(c);
    logform_clear(&gap);
    return ok;
}

/* The same sum in intervals: the atoms from `cell` up, on each of which the loss exceeds t, so all
 * terms are positive: G + (1 - e^-u) V with u = (N+1) eps - t. */
static dp_status eval_independent(dp_figure *out, const void *in, const wanted *want)
{
    const response_in *q = in;
    response_target(out, q, want);
    if (q->majority_sure) {
        figure_set_ui(&out[0], 1);
        return DP_OK;
    }
    if (want->rational && rational_probability(out, q))
        return DP_OK;
    mpfr_prec_t bits = want->bits + 32;
    mpfi_t g, v, u;
    mpfi_init2(g, bits);
    mpfi_init2(v, bits);
    mpfi_init2(u, bits + 64);
    dp_status status =
        set_rise(u, q) ? lattice_cell(g, v, q->majority, q->cell, want->bits, q->lim) : DP_MEMORY;
    if (status == DP_OK) {
        if (!mpfr_zero_p(&u->left)) { /* 0 <= 1 - e^-u <= u: a tie needs no exponential */
            mpfi_round_prec(u, want->bits);
            mpfi_neg(u, u);
            ival_expm1(u, u);
            mpfi_neg(u, u);
        }
        mpfi_mul(v, v, u);
        mpfi_add(g, g, v);
        response_probability(&out[0], q, g, want);
    }
    mpfi_clear(u);
    mpfi_clear(v);
    mpfi_clear(g);
    return status;
}

const bound rr_prob_independent = {
    .theorem =
        {.id = "rr-prob-independent",
         .family = "rr-prob",
         .verdict = DP_EXACT,
         .source = "derived here for the setting of "
                   "Jiang, Zhang, Joshi 2024, Optimized Tradeoffs for Private Prediction",
         .statement =
             "p = min(1, (E-1+2 delta)/(E-1+2x)), x = max(0, Pr[Bin(K-N,c) >= (K+1)/2] - E "
             "Pr[Bin(K-N,1-c) >= (K+1)/2]), c = e^epsilon/(1+e^epsilon), N = max(0, "
             "ceil(target/epsilon)-1), and p = 1 where target >= (K+1)/2 epsilon",
         .assumes = "K odd; independent mechanisms, each pure epsilon-DP (delta_i = 0); their "
                    "adjacency",
         .proof =
             "The excess is linear in each pair (p_i, p_i'), so its maximum has every pair at "
             "(0,0), (1,1) or (c,1-c). Turning a pair at (0,0) into (c,1-c) helps iff among the "
             "others zeros exceed ones by at least m-1, m = target/epsilon; turning (1,1) into it "
             "helps iff by at most m+1. One of the two moves never lowers the value, so no pair is "
             "at (1,1), and N pairs are at (0,0). On every winning count the loss then exceeds the "
             "target, so all terms of x are positive."},
    .applies = independent_applies,
    .eval = eval_independent,
    .output = {"probability", "epsilon", "delta"}};
