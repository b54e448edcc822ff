/* SPDX-License-Identifier: MIT */
/* What an attacker gains, beside what he does gain against random pairs of laws: nothing exceeds a
 * bound. Laws and odds are rational, so that comparisons are exact. */
#include "attackers.h"

/* (24 p + 1)/(24 + n) */
static void without_zeros(mpq_t *p, size_t n, rng *r)
{
    mpq_t one, share;
    mpq_inits(one, share, NULL);
    mpq_set_ui(one, 1, 24 + n);
    mpq_set_ui(share, 24, 24 + n);
    mpq_canonicalize(one);
    mpq_canonicalize(share);
    random_law(p, n, r);
    for (size_t j = 0; j < n; j++) {
        mpq_mul(p[j], p[j], share);
        mpq_add(p[j], p[j], one);
    }
    mpq_clears(one, share, NULL);
}

/* by = pi p/(pi p + (1-pi) q) */
static void precision_of(mpq_t by, const mpq_t prior, const mpq_t p, const mpq_t q)
{
    mpq_t other;
    mpq_init(other);
    mpq_set_ui(other, 1, 1);
    mpq_sub(other, other, prior);
    mpq_mul(other, other, q);
    mpq_mul(by, prior, p);
    mpq_add(other, other, by);
    mpq_div(by, by, other);
    mpq_clear(other);
}

/* The attackers of that pair: by an event, by Bayes' rule, by the loss. */
static void try_attackers(asked *a, const laws *l, rng *r)
{
    mpq_t k, p, q, one;
    mpq_inits(k, p, q, one, NULL);
    mpq_set_ui(one, 1, 1);
    for (size_t i = 0; i < l->n; i++)
        if (rng_below(r, 2) == 0) {
            mpq_add(p, p, l->p[i]);
            mpq_add(q, q, l->q[i]);
        }
    mpq_set(a->fpr[0], q);
    a->q.fpr = (const mpq_t *)a->fpr;
    a->q.fpr_count = 1;
    set_prior(a, 1 + rng_below(r, 19), 20);
    mpq_set_ui(k, 2 + rng_below(r, 9), 2);
    mpq_canonicalize(k);
    number_set_log(&a->belief, k);
    a->q.belief = &a->belief;
    number_set_q(&a->tpr, p);
    a->q.tpr = &a->tpr;
    ask(a);
    expect_not_below(a, "tpr-at-fpr", "fpr", q);
    hockey(a->u, (const mpq_t *)l->p, (const mpq_t *)l->q, l->n, one);
    expect_within(a, "adv-approx", "advantage", a->u);
    expect_within(a, "adv-one-direction", "advantage", a->u);
    expect_within(a, "adv-yeom", "advantage", a->u);
    expect_within(a, "tpr-at-fpr", "tpr", p);
    if (mpq_sgn(p) > 0) {
        precision_of(a->u, a->v, p, q);
        expect_within(a, "ppv-fpr", "ppv", a->u);
    }
    mpq_set_ui(a->u, 0, 1); /* sum of max(pi p, (1-pi) q), and the tail */
    mpq_set_ui(a->w, 0, 1);
    for (size_t i = 0; i < l->n; i++) {
        mpq_mul(p, a->v, l->p[i]);
        mpq_sub(q, one, a->v);
        mpq_mul(q, q, l->q[i]);
        mpq_add(a->u, a->u, mpq_cmp(p, q) > 0 ? p : q);
        mpq_mul(q, k, l->q[i]);
        if (mpq_cmp(l->p[i], q) > 0)
            mpq_add(a->w, a->w, l->p[i]);
    }
    expect_within(a, "accuracy-prior", "accuracy", a->u);
    expect_within(a, "loss-tail-approx", "exceed_probability", a->w);
    mpq_clears(k, p, q, one, NULL);
}

static void test_random_pairs(void **state_)
{
    (void)state_;
    rng r = rng_make(20260);
    int count = rounds(1500);
    asked a;
    mpq_t k;
    asked_init(&a);
    mpq_init(k);
    for (int i = 0; i < count; i++) {
        laws l;
        laws_init(&l, 2 + rng_below(&r, MOST - 1));
        random_law(l.p, l.n, &r);
        random_law(l.q, l.n, &r);
        mpq_set_ui(k, 1 + rng_below(&r, 8), 1 + rng_below(&r, 3));
        mpq_canonicalize(k);
        if (mpq_cmp_ui(k, 1, 1) < 0)
            mpq_inv(k, k);
        state(&a, &l, k);
        try_attackers(&a, &l, &r);
        laws_clear(&l);
    }
    mpq_clear(k);
    asked_clear(&a);
}

/* rho = ln(k) tanh(ln(k)/2), rounded up to a rational: what epsilon = ln k is at least */
static void rho_of(mpq_t rho, const mpq_t k)
{
    mpfr_t e, t;
    mpfr_inits2(200, e, t, (mpfr_ptr)0);
    mpfr_set_q(e, k, MPFR_RNDU);
    mpfr_log(e, e, MPFR_RNDU);
    mpfr_div_2ui(t, e, 1, MPFR_RNDU);
    mpfr_tanh(t, t, MPFR_RNDU);
    mpfr_mul(e, e, t, MPFR_RNDU);
    mpfr_get_q(rho, e);
    mpfr_clears(e, t, (mpfr_ptr)0);
}

/* D_alpha <= min(L, alpha c), L = ln k and c = L tanh(L/2): the line from L/2 with slope c/2 is
 * above that at the corner, so it is everywhere; and so is one from L on, of any slope. */
static void try_xi(asked *a, mpq_srcptr rho, const mpq_t k)
{
    mpq_t xi_rho[2];
    mpfr_t e;
    mpq_inits(xi_rho[0], xi_rho[1], NULL);
    mpfr_init2(e, 200);
    mpfr_set_q(e, k, MPFR_RNDU);
    mpfr_log(e, e, MPFR_RNDU);
    mpfr_get_q(xi_rho[1], e);
    mpq_canonicalize(xi_rho[1]);
    mpq_set_ui(xi_rho[0], 1, 1000000);
    a->statement = (dp_conversion){.zcdp = (const mpq_t *)xi_rho, .zcdp_count = 2};
    ask(a);
    expect_within(a, "adv-zcdp", "advantage", a->u);
    mpq_div_2exp(xi_rho[0], rho, 1);
    mpq_div_2exp(xi_rho[1], xi_rho[1], 1);
    mpq_canonicalize(xi_rho[0]);
    mpq_canonicalize(xi_rho[1]);
    ask(a);
    expect_within(a, "adv-zcdp", "advantage", a->u);
    mpfr_clear(e);
    mpq_clears(xi_rho[0], xi_rho[1], NULL);
}

/* The same pair by its zCDP: an event, Bayes' rule, and the tail of the loss at ln(3/2). */
static void try_zcdp(asked *a, const laws *l, const mpq_t k)
{
    mpq_t rho[1], p, q, one;
    mpq_inits(rho[0], p, q, one, NULL);
    mpq_set_ui(one, 1, 1);
    rho_of(rho[0], k);
    a->statement = (dp_conversion){.zcdp = (const mpq_t *)rho, .zcdp_count = 1};
    mpq_set(a->fpr[0], l->q[0]);
    a->q.fpr = (const mpq_t *)a->fpr;
    a->q.fpr_count = 1;
    number_of(&a->belief, "ln(3/2)");
    a->q.belief = &a->belief;
    ask(a);
    expect_within(a, "tpr-at-fpr", "tpr", l->p[0]);
    hockey(a->u, (const mpq_t *)l->p, (const mpq_t *)l->q, l->n, one);
    expect_within(a, "adv-zcdp", "advantage", a->u);
    mpq_set_ui(a->u, 0, 1);
    mpq_set_ui(a->w, 0, 1);
    for (size_t j = 0; j < l->n; j++) {
        mpq_mul(p, a->v, l->p[j]);
        mpq_sub(q, one, a->v);
        mpq_mul(q, q, l->q[j]);
        mpq_add(a->w, a->w, mpq_cmp(p, q) > 0 ? p : q);
        mpq_set_ui(q, 3, 2);
        mpq_mul(q, q, l->q[j]);
        if (mpq_cmp(l->p[j], q) > 0)
            mpq_add(a->u, a->u, l->p[j]);
    }
    expect_within(a, "accuracy-prior", "accuracy", a->w);
    expect_within(a, "loss-tail-class", "exceed_probability", a->u);
    a->q.fpr_count = 0;
    a->q.belief = NULL;
    hockey(a->u, (const mpq_t *)l->p, (const mpq_t *)l->q, l->n, one);
    try_xi(a, rho[0], k);
    a->statement = (dp_conversion){.pure = &a->epsilon};
    mpq_clears(rho[0], p, q, one, NULL);
}

/* Pure privacy: the posterior of each outcome, and the precision of each event. */
static void test_random_pure(void **state_)
{
    (void)state_;
    rng r = rng_make(4);
    int count = rounds(300);
    asked a;
    mpq_t k, p, q;
    asked_init(&a);
    mpq_inits(k, p, q, NULL);
    a.statement = (dp_conversion){.pure = &a.epsilon};
    for (int i = 0; i < count; i++) {
        laws l;
        laws_init(&l, 2 + rng_below(&r, 3));
        without_zeros(l.p, l.n, &r);
        without_zeros(l.q, l.n, &r);
        mpq_set_ui(k, 1, 1);
        for (size_t j = 0; j < l.n; j++)
            for (int way = 0; way < 2; way++) {
                mpq_div(p, way == 0 ? l.p[j] : l.q[j], way == 0 ? l.q[j] : l.p[j]);
                if (mpq_cmp(p, k) > 0)
                    mpq_set(k, p);
            }
        number_set_log(&a.epsilon, k);
        set_prior(&a, 1 + rng_below(&r, 9), 10);
        ask(&a);
        for (size_t j = 0; j < l.n; j++) {
            precision_of(a.u, a.v, l.p[j], l.q[j]);
            expect_within(&a, "posterior-pure", "posterior_max", a.u);
            expect_not_below(&a, "posterior-pure", "posterior_min", a.u);
        }
        for (size_t set = 1; set < 1U << l.n; set++) {
            mpq_set_ui(p, 0, 1);
            mpq_set_ui(q, 0, 1);
            for (size_t j = 0; j < l.n; j++)
                if (set >> j & 1) {
                    mpq_add(p, p, l.p[j]);
                    mpq_add(q, q, l.q[j]);
                }
            precision_of(a.u, a.v, p, q);
            expect_within(&a, "ppv-pure", "ppv", a.u);
        }
        if (i % 4 == 0 && mpq_cmp_ui(k, 1, 1) > 0)
            try_zcdp(&a, &l, k);
        laws_clear(&l);
    }
    mpq_clears(k, p, q, NULL);
    asked_clear(&a);
}

/* KL and the Renyi divergence of order 2, rounded up to a rational. */
static void divergences(mpq_t kl, mpq_t two, const laws *l)
{
    mpfr_t sum[2], square[2], x, y;
    mpfr_inits2(100, sum[0], sum[1], square[0], square[1], x, y, (mpfr_ptr)NULL);
    for (size_t way = 0; way < 2; way++) {
        mpfr_set_ui(sum[way], 0, MPFR_RNDN);
        mpfr_set_ui(square[way], 0, MPFR_RNDN);
        for (size_t i = 0; i < l->n; i++) {
            mpfr_set_q(x, way == 0 ? l->p[i] : l->q[i], MPFR_RNDN);
            mpfr_set_q(y, way == 0 ? l->q[i] : l->p[i], MPFR_RNDN);
            mpfr_div(y, x, y, MPFR_RNDN);
            mpfr_t part;
            mpfr_init2(part, 100);
            mpfr_mul(part, x, y, MPFR_RNDN);
            mpfr_add(square[way], square[way], part, MPFR_RNDN);
            mpfr_log(y, y, MPFR_RNDN);
            mpfr_mul(y, y, x, MPFR_RNDN);
            mpfr_add(sum[way], sum[way], y, MPFR_RNDN);
            mpfr_clear(part);
        }
        mpfr_log(square[way], square[way], MPFR_RNDN);
    }
    mpfr_max(sum[0], sum[0], sum[1], MPFR_RNDN);
    mpfr_max(square[0], square[0], square[1], MPFR_RNDN);
    mpfr_set_ui_2exp(x, 1, -80, MPFR_RNDN);
    mpfr_add(sum[0], sum[0], x, MPFR_RNDU);
    mpfr_add(square[0], square[0], x, MPFR_RNDU);
    mpfr_get_q(kl, sum[0]);
    mpfr_get_q(two, square[0]);
    mpfr_clears(sum[0], sum[1], square[0], square[1], x, y, (mpfr_ptr)NULL);
}

/* right = how often who knows the prior of P is right; tail = the mass of P with a ratio above 3/2.
 */
static void bayes(mpq_t right, mpq_t tail, const laws *l, const mpq_t prior)
{
    mpq_t p, q;
    mpq_inits(p, q, NULL);
    mpq_set_ui(right, 0, 1);
    mpq_set_ui(tail, 0, 1);
    for (size_t j = 0; j < l->n; j++) {
        mpq_mul(p, prior, l->p[j]);
        mpq_set_ui(q, 1, 1);
        mpq_sub(q, q, prior);
        mpq_mul(q, q, l->q[j]);
        mpq_add(right, right, mpq_cmp(p, q) > 0 ? p : q);
        mpq_set_ui(q, 3, 2);
        mpq_mul(q, q, l->q[j]);
        if (mpq_cmp(l->p[j], q) > 0)
            mpq_add(tail, tail, l->p[j]);
    }
    mpq_clears(p, q, NULL);
}

/* Laws without zeros: for the statements by divergences. */
static void test_moments(void **state_)
{
    (void)state_;
    rng r = rng_make(7);
    int count = rounds(120);
    asked a;
    mpq_t rho[1], rdp[2], one;
    asked_init(&a);
    mpq_inits(rho[0], rdp[0], rdp[1], one, NULL);
    mpq_set_ui(one, 1, 1);
    mpq_set_ui(rdp[0], 2, 1);
    a.opt.digits = 8;
    for (int i = 0; i < count; i++) {
        laws l;
        laws_init(&l, 2 + rng_below(&r, 3));
        without_zeros(l.p, l.n, &r);
        without_zeros(l.q, l.n, &r);
        divergences(rho[0], rdp[1], &l);
        hockey(a.u, (const mpq_t *)l.p, (const mpq_t *)l.q, l.n, one);
        a.statement = (dp_conversion){.zcdp = (const mpq_t *)rho, .zcdp_count = 1};
        a.q.fpr_count = 0;
        a.q.prior = a.q.belief = NULL;
        ask(&a); /* KL is all that these use */
        expect_within(&a, "adv-zcdp", "advantage", a.u);
        expect_within(&a, "adv-pinsker", "advantage", a.u);
        expect_within(&a, "adv-bretagnolle-huber", "advantage", a.u);
        expect_within(&a, "adv-rr-principle", "advantage", a.u);
        a.statement = (dp_conversion){.rdp = (const mpq_t *)rdp, .rdp_count = 2};
        mpq_set(a.fpr[0], l.q[0]);
        a.q.fpr = (const mpq_t *)a.fpr;
        a.q.fpr_count = 1;
        number_of(&a.belief, "ln(3/2)");
        a.q.belief = &a.belief;
        set_prior(&a, 1 + rng_below(&r, 9), 10);
        ask(&a);
        expect_within(&a, "adv-rdp", "advantage", a.u);
        expect_within(&a, "tpr-at-fpr", "tpr", l.p[0]);
        bayes(a.w, a.u, &l, a.v);
        expect_within(&a, "accuracy-prior", "accuracy", a.w);
        expect_within(&a, "loss-tail-class", "exceed_probability", a.u);
        laws_clear(&l);
    }
    mpq_clears(rho[0], rdp[0], rdp[1], one, NULL);
    asked_clear(&a);
}

/* out = the greatest hockey-stick divergence of two of the laws at that odds. */
static void worst_pair(mpq_t out, mpq_t law[][MOST], size_t n, size_t outcomes, const mpq_t odds)
{
    mpq_t d;
    mpq_init(d);
    mpq_set_ui(out, 0, 1);
    for (size_t z = 0; z < n; z++)
        for (size_t y = 0; y < n; y++) {
            hockey(d, (const mpq_t *)law[z], (const mpq_t *)law[y], outcomes, odds);
            if (mpq_cmp(d, out) > 0)
                mpq_set(out, d);
        }
    mpq_clear(d);
}

/* right = how often the likeliest secret is the true one; kappa = the same without an output. */
static void guess_best(mpq_t right, mpq_t kappa, mpq_t law[][MOST], mpq_t *prior, size_t n,
                       size_t outcomes)
{
    mpq_t d, best;
    mpq_inits(d, best, NULL);
    mpq_set_ui(right, 0, 1);
    mpq_set_ui(kappa, 0, 1);
    for (size_t o = 0; o < outcomes; o++) {
        mpq_set_ui(best, 0, 1);
        for (size_t z = 0; z < n; z++) {
            mpq_mul(d, prior[z], law[z][o]);
            if (mpq_cmp(d, best) > 0)
                mpq_set(best, d);
        }
        mpq_add(right, right, best);
    }
    for (size_t z = 0; z < n; z++)
        if (mpq_cmp(prior[z], kappa) > 0)
            mpq_set(kappa, prior[z]);
    mpq_clears(d, best, NULL);
}

/* n secrets with a prior, a law each: guessing by Bayes' rule is never above the bounds. */
static void test_random_families(void **state_)
{
    (void)state_;
    rng r = rng_make(33);
    int count = rounds(400);
    asked a;
    mpq_t law[4][MOST], prior[4], k;
    asked_init(&a);
    mpq_init(k);
    for (size_t z = 0; z < 4; z++) {
        mpq_init(prior[z]);
        for (size_t i = 0; i < MOST; i++)
            mpq_init(law[z][i]);
    }
    a.q.adjacency = DP_REPLACE_ONE;
    for (int i = 0; i < count; i++) {
        size_t n = 2 + rng_below(&r, 3), outcomes = 2 + rng_below(&r, 4);
        bool even = rng_below(&r, 2) == 0;
        mpq_set_ui(k, 1 + rng_below(&r, 5), 1);
        for (size_t z = 0; z < n; z++)
            random_law(law[z], outcomes, &r);
        random_law(prior, n, &r);
        for (size_t z = 0; even && z < n; z++)
            mpq_set_ui(prior[z], 1, n);
        worst_pair(a.w, law, n, outcomes, k);
        number_set_log(&a.epsilon, k);
        number_set_q(&a.delta, a.w);
        guess_best(a.u, a.v, law, prior, n, outcomes);
        number_set_q(&a.kappa, a.v);
        a.q.kappa = even ? NULL : &a.kappa;
        dp_number_set_ui(&a.secrets, n);
        a.q.secrets = even ? &a.secrets : NULL;
        ask(&a);
        expect_within(&a, "rero-replace-prior", "reconstruction", a.u);
        expect_within(&a, "rero-f", "reconstruction", a.u);
        if (even)
            expect_within(&a, "rero-replace-uniform", "reconstruction", a.u);
    }
    for (size_t z = 0; z < 4; z++) {
        mpq_clear(prior[z]);
        for (size_t i = 0; i < MOST; i++)
            mpq_clear(law[z][i]);
    }
    mpq_clear(k);
    asked_clear(&a);
}

/* A list of one pair is the pair; the profile of two is above the attackers of two. */
static void test_profile(void **state_)
{
    (void)state_;
    asked a;
    dp_composition list;
    asked_init(&a);
    dp_composition_init(&list);
    list_add(&list, "ln(2)", "0", 2);
    a.q.statement = NULL;
    a.q.list = &list;
    rational_of(a.fpr[0], "1/9"); /* both answers true: 4/9 against 1/9 */
    a.q.fpr = (const mpq_t *)a.fpr;
    a.q.fpr_count = 1;
    number_of(&a.belief, "ln(3)");
    a.q.belief = &a.belief;
    ask(&a);
    rational_of(a.u, "1/3");
    assert_true(figure_holds_q(need(&a, "adv-profile", "advantage"), a.u));
    rational_of(a.u, "4/9");
    expect_within(&a, "tpr-at-fpr", "tpr", a.u);
    const dp_figure *x = need(&a, "tpr-at-fpr", "tpr");
    rational_of(a.v, "0.44445");
    assert_int_equal(dp_figure_le(x, a.v), DP_YES);
    expect_within(&a, "loss-tail-class", "exceed_probability", a.u);
    dp_composition_clear(&list);
    asked_clear(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_pairs), cmocka_unit_test(test_random_pure),
        cmocka_unit_test(test_moments),      cmocka_unit_test(test_random_families),
        cmocka_unit_test(test_profile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
