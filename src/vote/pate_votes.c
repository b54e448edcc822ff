/* SPDX-License-Identifier: MIT */
/* Bounds that depend on the votes: of one query by the probability q that another class wins, in
 * logarithms throughout, so that neither a tiny q nor a tiny bound loses digits. */
#include "num/ival.h"
#include "num/memory.h"
#include "vote/pate_instance.h"

#include "loss/laplace.h"

/* x = (2 + x)/(4 e^x) */
static void laplace_tail(mpfi_t x)
{
    mpfi_t part;
    mpfi_init2(part, mpfi_get_prec(x));
    mpfi_add_ui(part, x, 2);
    mpfi_neg(x, x);
    mpfi_exp(x, x);
    mpfi_mul(x, x, part);
    mpfi_div_2ui(x, x, 2);
    mpfi_clear(part);
}

pate_tails *pate_tails_new(mpfr_prec_t bits)
{
    pate_tails *t = memory_zero(1, sizeof *t);
    if (t != NULL)
        t->bits = bits;
    return t;
}

void pate_tails_free(pate_tails *t)
{
    for (size_t i = 0; t != NULL && i < PATE_TAILS; i++)
        if (t->made[i])
            mpfi_clear(t->at[i]);
    memory_free(t);
}

/* x = the term of a gap: of inverse_scale times it, or of it over 2 sigma */
static void make_tail(mpfi_t x, const pate_account *a, mpq_srcptr gap)
{
    mpq_t scaled;
    mpq_init(scaled);
    if (a->kind == DP_LNMAX) {
        mpq_mul(scaled, gap, a->scale);
        mpfi_set_q(x, scaled);
        laplace_tail(x);
    } else {
        mpq_div(scaled, gap, a->scale);
        mpq_div_2exp(scaled, scaled, 1);
        mpfi_set_q(x, scaled);
        ival_to_erfc(x);
        mpfi_div_2ui(x, x, 1);
    }
    mpq_clear(scaled);
}

static void add_tail(mpfi_t sum, const pate_account *a, mpq_srcptr gap, pate_tails *known)
{
    bool small = known != NULL && mpz_cmp_ui(mpq_denref(gap), 1) == 0 &&
                 mpz_cmp_ui(mpq_numref(gap), PATE_TAILS) < 0;
    if (!small) {
        mpfi_t one;
        mpfi_init2(one, mpfi_get_prec(sum));
        make_tail(one, a, gap);
        mpfi_add(sum, sum, one);
        mpfi_clear(one);
        return;
    }
    size_t i = mpz_get_ui(mpq_numref(gap));
    if (!known->made[i]) {
        mpfi_init2(known->at[i], known->bits);
        make_tail(known->at[i], a, gap);
        known->made[i] = true;
    }
    mpfi_add(sum, sum, known->at[i]);
}

void pate_log_q(mpfi_t lq, const pate_account *a, const pate_query *q, pate_tails *known)
{
    mpfi_t most;
    mpq_t gap;
    mpfi_init2(most, mpfi_get_prec(lq));
    mpq_init(gap);
    mpfi_set_ui(lq, 0);
    for (size_t c = 0; c < q->classes; c++)
        if (c != q->most) {
            mpq_sub(gap, q->votes[q->most], q->votes[c]);
            add_tail(lq, a, gap, known);
        }
    mpq_set_ui(gap, q->classes - 1, q->classes);
    mpq_canonicalize(gap);
    mpfi_set_q(most, gap);
    ival_take_least(lq, most);
    mpfi_log(lq, lq);
    mpq_clear(gap);
    mpfi_clear(most);
}

/* erfc(|T - most| / (sqrt(2) sigma)) / 2 */
void pate_log_q_test(mpfi_t lq, const pate_account *a, const pate_query *q, mpq_srcptr threshold)
{
    mpq_t gap;
    mpfi_t two;
    mpq_init(gap);
    mpfi_init2(two, mpfi_get_prec(lq));
    mpq_sub(gap, threshold, q->votes[q->most]);
    mpq_abs(gap, gap);
    mpq_div(gap, gap, a->threshold);
    mpfi_set_ui(two, 2);
    mpfi_sqrt(two, two);
    mpfi_set_q(lq, gap);
    mpfi_div(lq, lq, two);
    ival_to_erfc(lq);
    mpfi_div_2ui(lq, lq, 1);
    mpfi_log(lq, lq);
    mpfi_clear(two);
    mpq_clear(gap);
}

/* ---- one query ---- */

/* out = ln(e^a + e^b); none of them is out */
static void log_sum(mpfi_t out, const mpfi_t a, const mpfi_t b)
{
    bool first = mpfr_greater_p(&a->right, &b->right);
    mpfi_sub(out, first ? b : a, first ? a : b);
    mpfi_exp(out, out);
    mpfi_log1p(out, out);
    mpfi_add(out, out, first ? a : b);
}

/* Does a condition hold: 2 for certain, 1 perhaps, 0 not? */
typedef enum met { MET_NOT, MET_PERHAPS, MET_CERTAINLY } met;

static met below(const mpfi_t a, const mpfi_t b)
{
    return mpfr_lessequal_p(&a->right, &b->left) ? MET_CERTAINLY
           : mpfr_greater_p(&a->left, &b->right) ? MET_NOT
                                                 : MET_PERHAPS;
}

static met both(met a, met b)
{
    return a < b ? a : b;
}

/* r = min(r, other) where the conditions of `other` are met; where that is not known r encloses
 * either. */
static void take_where(mpfi_t r, const mpfi_t other, met how)
{
    if (how == MET_CERTAINLY && !ival_bad(other))
        ival_take_least(r, other);
    else if (how != MET_NOT)
        mpfr_set_zero(&r->left, 1);
    ival_at_least_zero(r);
}

/* A part of q's interval that is not known leaves no lower end. */
static bool set_known(mpfi_t lq, const mpfi_t given)
{
    mpfi_set(lq, given);
    bool ok = mpfr_number_p(&lq->left) != 0;
    if (!ok)
        mpfr_set(&lq->left, &lq->right, MPFR_RNDD);
    return ok;
}

/* out = ((l+1) ln(1-q) - l ln(1 - e^(e+lq))), l = alpha - 1, and its partner lq + e l */
static void lnmax_terms(mpfi_t out, mpfi_t partner, const mpfi_t lq, const mpfi_t e, const mpfi_t l)
{
    mpfi_t part;
    mpfi_init2(part, mpfi_get_prec(out));
    mpfi_exp(part, lq);
    mpfi_neg(part, part);
    mpfi_log1p(part, part);
    mpfi_add_ui(out, l, 1);
    mpfi_mul(out, out, part);
    mpfi_add(part, lq, e);
    mpfi_exp(part, part);
    mpfi_neg(part, part);
    mpfi_log1p(part, part);
    mpfi_mul(part, part, l);
    mpfi_sub(out, out, part);
    mpfi_mul(partner, e, l);
    mpfi_add(partner, partner, lq);
    mpfi_clear(part);
}

static void set_less_one(mpfi_t l, mpq_srcptr alpha)
{
    mpq_t q;
    mpq_init(q);
    mpz_sub(mpq_numref(q), mpq_numref(alpha), mpq_denref(alpha));
    mpz_set(mpq_denref(q), mpq_denref(alpha));
    mpfi_set_q(l, q);
    mpq_clear(q);
}

void pate_pair_dependent(mpfi_t r, const mpfi_t given, const mpq_t epsilon, mpq_srcptr alpha)
{
    mpfr_prec_t bits = mpfi_get_prec(r);
    mpfi_t lq, e, l, x, y, part;
    mpfi_ptr all[] = {lq, e, l, x, y, part};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        mpfi_init2(all[i], bits);
    if (mpfr_inf_p(&given->right)) { /* q = 0: of one class */
        mpfi_set_ui(r, 0);
    } else {
        bool whole = set_known(lq, given);
        mpfi_set_q(e, epsilon);
        set_less_one(l, alpha);
        mpfi_exp(x, e); /* q <= 1/(1 + e^e) */
        mpfi_log1p(x, x);
        mpfi_neg(x, x);
        met how = below(lq, x);
        lnmax_terms(x, y, lq, e, l);
        log_sum(part, x, y);
        mpfi_div(part, part, l);
        take_where(r, part, how);
        if (!whole)
            mpfr_set_zero(&r->left, 1);
    }
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        mpfi_clear(all[i]);
}

void pate_lnmax_dependent(mpfi_t r, const mpfi_t lq, const mpq_t inverse_scale, mpq_srcptr alpha)
{
    mpfi_t order;
    mpq_t epsilon;
    mpq_init(epsilon);
    mpfi_init2(order, mpfi_get_prec(r));
    mpfi_set_q(order, alpha);
    laplace_renyi(r, inverse_scale, order);
    mpfi_mul_2ui(r, r, 1);
    mpq_mul_2exp(epsilon, inverse_scale, 1);
    pate_pair_dependent(r, lq, epsilon, alpha);
    mpfi_clear(order);
    mpq_clear(epsilon);
}

/* With mu = mu2 and mu1 = mu + 1: 1 < mu, alpha <= mu + 1, lq + mu/v < 0, and
 * lq <= (mu - 1) mu/v - mu (ln(1 + 1/mu) - ln(1 - 1/mu)) */
static met gnmax_conditions(const mpfi_t lq, const mpfi_t mu, const mpfi_t e2, mpq_srcptr alpha)
{
    mpfr_prec_t bits = mpfi_get_prec(mu);
    mpfi_t a, b, c;
    mpfi_init2(a, bits);
    mpfi_init2(b, bits);
    mpfi_init2(c, bits);
    mpfi_set_ui(a, 1);
    met how = below(a, mu);
    if (how == MET_CERTAINLY && mpfr_cmp_ui(&mu->left, 1) <= 0)
        how = MET_PERHAPS;
    mpfi_set_q(a, alpha);
    mpfi_add_ui(b, mu, 1);
    how = both(how, below(a, b));
    mpfi_neg(a, e2);
    met small = below(lq, a);
    how = both(how,
               small == MET_CERTAINLY && !mpfr_less_p(&lq->right, &a->left) ? MET_PERHAPS : small);
    if (how != MET_NOT && mpfr_cmp_ui(&mu->left, 1) > 0) {
        mpfi_ui_div(a, 1, mu);
        mpfi_log1p(b, a);
        mpfi_neg(a, a);
        mpfi_log1p(a, a);
        mpfi_sub(b, b, a);
        mpfi_mul(b, b, mu);
        mpfi_sub_ui(a, mu, 1);
        mpfi_mul(a, a, e2);
        mpfi_sub(c, a, b);
        how = both(how, below(lq, c));
    }
    mpfi_clear(c);
    mpfi_clear(b);
    mpfi_clear(a);
    return how;
}

/* out = (s+1) ln(1-q) - s ln(1 - e^((lq+e2)(mu-1)/mu)), and its partner lq + s(e1 - lq/mu), s =
 * alpha - 1, e1 = (mu+1)/v */
static void gnmax_terms(mpfi_t out, mpfi_t partner, const mpfi_t lq, const mpfi_t mu, const mpq_t v,
                        const mpfi_t s)
{
    mpfi_t part;
    mpfi_init2(part, mpfi_get_prec(out));
    mpfi_div_q(part, mu, v);
    mpfi_add(part, part, lq);
    mpfi_sub_ui(partner, mu, 1);
    mpfi_mul(part, part, partner);
    mpfi_div(part, part, mu);
    mpfi_exp(part, part);
    mpfi_neg(part, part);
    mpfi_log1p(part, part);
    mpfi_mul(out, part, s);
    mpfi_exp(part, lq);
    mpfi_neg(part, part);
    mpfi_log1p(part, part);
    mpfi_add_ui(partner, s, 1);
    mpfi_mul(part, part, partner);
    mpfi_sub(out, part, out);
    mpfi_add_ui(partner, mu, 1);
    mpfi_div_q(partner, partner, v);
    mpfi_div(part, lq, mu);
    mpfi_sub(partner, partner, part);
    mpfi_mul(partner, partner, s);
    mpfi_add(partner, partner, lq);
    mpfi_clear(part);
}

/* q is an upper bound of the probability, in which the right side does not fall; mu2 = sqrt(v ln
 * 1/q) and mu1 = mu2 + 1 are those of the paper, and any others would do. */
void pate_gnmax_dependent(mpfi_t r, const mpfi_t given, const mpq_t variance, mpq_srcptr alpha)
{
    mpfr_prec_t bits = mpfi_get_prec(r);
    mpfi_t lq, mu, s, x, y, part;
    mpfi_ptr all[] = {lq, mu, s, x, y, part};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        mpfi_init2(all[i], bits);
    mpfi_set_q(r, alpha);
    mpfi_div_q(r, r, variance);
    if (mpfr_inf_p(&given->right)) { /* q = 0: of one class */
        mpfi_set_ui(r, 0);
    } else {
        bool whole = set_known(lq, given);
        mpfi_neg(mu, lq);
        mpfi_mul_q(mu, mu, variance);
        mpfi_sqrt(mu, mu);
        set_less_one(s, alpha);
        mpfi_div_q(part, mu, variance);
        met how = gnmax_conditions(lq, mu, part, alpha);
        gnmax_terms(x, y, lq, mu, variance, s);
        log_sum(part, x, y);
        mpfi_div(part, part, s);
        take_where(r, part, how);
        if (!whole)
            mpfr_set_zero(&r->left, 1);
    }
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        mpfi_clear(all[i]);
}

/* ---- all queries ---- */

static void query_at(mpfi_t r, const pate_votes *v, const pate_query *q, mpq_srcptr alpha,
                     pate_tails *tails)
{
    mpfi_t lq, part;
    mpq_t variance;
    mpfi_init2(lq, mpfi_get_prec(r));
    mpfi_init2(part, mpfi_get_prec(r));
    mpq_init(variance);
    pate_log_q(lq, v->of, q, tails);
    if (v->of->kind == DP_LNMAX) {
        pate_lnmax_dependent(r, lq, v->of->scale, alpha);
    } else {
        mpq_mul(variance, v->of->scale, v->of->scale);
        pate_gnmax_dependent(r, lq, variance, alpha);
    }
    if (v->of->kind == DP_CONFIDENT_GNMAX) {
        mpq_mul(variance, v->of->threshold, v->of->threshold);
        mpq_mul_2exp(variance, variance, 1);
        pate_log_q_test(lq, v->of, q, v->threshold);
        pate_gnmax_dependent(part, lq, variance, alpha);
        mpfi_add(r, r, part);
    }
    mpq_clear(variance);
    mpfi_clear(part);
    mpfi_clear(lq);
}

void pate_votes_curve(mpfi_t r, const void *of, mpq_srcptr alpha)
{
    const pate_votes *v = of;
    mpfi_t part;
    mpfi_init2(part, mpfi_get_prec(r));
    pate_tails *tails = pate_tails_new(mpfi_get_prec(r));
    mpfi_set_ui(r, 0);
    for (size_t i = 0; i < v->count; i++) {
        query_at(part, v, &v->query[i], alpha, tails);
        mpfi_mul_ui(part, part, v->query[i].times);
        mpfi_add(r, r, part);
    }
    pate_tails_free(tails);
    mpfi_clear(part);
}

/* min(e^2 l(l+1)/2, ln((1-q) ((1-q)/(1 - e^e q))^l + q e^(e l)), e l), the second only for q < 1/2
 * and where its argument is above 0 */
static void script_query(mpfi_t out, const mpfi_t lq, const mpq_t scale, unsigned long l)
{
    mpfi_t e, q, x, y;
    mpfi_ptr all[] = {e, q, x, y};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        mpfi_init2(all[i], mpfi_get_prec(out));
    mpfi_set_q(e, scale);
    mpfi_mul_2ui(e, e, 1);
    mpfi_exp(q, lq);
    mpfi_exp(x, e);
    mpfi_mul(x, x, q);
    mpfi_ui_sub(x, 1, x);
    mpfi_ui_sub(y, 1, q);
    mpfi_div(x, y, x);
    mpfi_set(out, y);
    for (unsigned long i = 0; i < l; i++)
        mpfi_mul(out, out, x);
    mpfi_mul_ui(x, e, l);
    mpfi_exp(y, x);
    mpfi_mul(y, y, q);
    mpfi_add(out, out, y);
    bool ok = mpfr_cmp_ui_2exp(&q->right, 1, -1) < 0 && mpfi_is_strictly_pos(out);
    if (ok)
        mpfi_log(out, out);
    else
        mpfi_set(out, x);
    ival_take_least(out, x);
    mpfi_sqr(y, e);
    mpfi_mul_ui(y, y, l);
    mpfi_mul_ui(y, y, l + 1);
    mpfi_div_2ui(y, y, 1);
    ival_take_least(out, y);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        mpfi_clear(all[i]);
}

void pate_script_moment(mpfi_t out, const pate_votes *v, unsigned long l)
{
    mpfi_t lq, part;
    mpfi_init2(lq, mpfi_get_prec(out));
    mpfi_init2(part, mpfi_get_prec(out));
    pate_tails *tails = pate_tails_new(mpfi_get_prec(out));
    mpfi_set_ui(out, 0);
    for (size_t i = 0; i < v->count; i++) {
        pate_log_q(lq, v->of, &v->query[i], tails);
        script_query(part, lq, v->of->scale, l);
        mpfi_mul_ui(part, part, v->query[i].times);
        mpfi_add(out, out, part);
    }
    pate_tails_free(tails);
    mpfi_clear(part);
    mpfi_clear(lq);
}
