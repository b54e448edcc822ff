/* SPDX-License-Identifier: MIT */
/* The law of Laplace noise on a Poisson sample off the real line: at a node the sums of the rule
 * are those of a law with finitely many outcomes (discrete.h), and what the rule misses is added.
 */
#include <math.h>

#include "loss/discrete.h"
#include "loss/line.h"
#include "loss/sampled_laplace_parts.h"
#include "num/ival.h"
#include "num/memory.h"
#include "num/wide.h"

#define LN2 0.6931471805599453
#define BOUND_BITS 64
#define MOST_OUTCOMES 65536UL

/* ---- sums ----------------------------------------------------------------------------------- */
/* The outcomes of a rule, one use of them. */
typedef struct summed {
    discrete base;     /* first: the functions of discrete.h take it for one */
    mpfi_t (*pair)[2]; /* loss and mass of each */
} summed;

static void enclose(outcome *out, const discrete *self, size_t j)
{
    const summed *s = (const summed *)self;
    mpfi_set(out->loss, s->pair[j][0]);
    mpfi_set(out->mass, s->pair[j][1]);
    mpfi_set(out->qmass, s->pair[j][1]); /* not asked for */
}

/* Of the removed record P has r times the mass of Q, of the added one the loss is -ln r under Q. */
static void set_pairs(summed *s, const slm_item *g)
{
    for (size_t j = 0; j < s->base.count; j++) {
        mpfi_ptr log = s->pair[j][0], mass = s->pair[j][1];
        if (j < 2)
            slm_atom(log, mass, g, j == 1);
        else
            slm_point(log, mass, g, j - 2);
        if (g->add) {
            mpfi_neg(log, log);
        } else {
            mpfi_t r;
            mpfi_init2(r, mpfi_get_prec(log));
            mpfi_exp(r, log);
            mpfi_mul(mass, mass, r);
            mpfi_clear(r);
        }
    }
}

static void summed_clear(summed *s)
{
    for (size_t j = 0; s->pair != NULL && j < s->base.count; j++) {
        mpfi_clear(s->pair[j][0]);
        mpfi_clear(s->pair[j][1]);
    }
    memory_free(s->pair);
    discrete_clear(&s->base);
    memory_free(s);
}

/* DP_LIMIT: no rule is short enough. */
static dp_status summed_new(summed **out, const slm_item *g, const line *at, double height)
{
    double reach = log2(height * g->e + 2), c = at->c, bits = (double)at->work + reach + 64;
    bits += (double)mpz_sizeinbase(g->times, 2) + log2(fabs(c) * g->e + 2);
    summed *s = memory_new(1, sizeof *s);
    *out = NULL;
    if (s == NULL)
        return DP_MEMORY;
    double depth = LN2 * ((double)at->work + (double)mpz_sizeinbase(g->times, 2));
    if (!slm_rule_set(g, g->add ? -c : 1 + c, height, depth, (mpfr_prec_t)bits)) {
        memory_free(s);
        return DP_LIMIT;
    }
    mpz_t one;
    mpz_init_set_ui(one, 1);
    size_t count = 2 + g->memo->rule.panels * g->memo->rule.points;
    bool fits = count <= MOST_OUTCOMES;
    bool ok = discrete_init(&s->base, fits ? count : 2, false, one);
    mpz_clear(one);
    s->pair = ok && fits ? memory_new(count, sizeof *s->pair) : NULL;
    if (s->pair == NULL) {
        summed_clear(s);
        return fits ? DP_MEMORY : DP_LIMIT;
    }
    for (size_t j = 0; j < count; j++) {
        mpfi_init2(s->pair[j][0], (mpfr_prec_t)bits);
        mpfi_init2(s->pair[j][1], (mpfr_prec_t)bits);
    }
    set_pairs(s, g);
    s->base.enclose = enclose;
    discrete_ready(&s->base);
    *out = s;
    return DP_OK;
}

/* ---- nodes ---------------------------------------------------------------------------------- */
static void height_of(mpfr_t high, const line *at, uint64_t node)
{
    mpfi_t t;
    mpfi_init2(t, BOUND_BITS);
    line_height(t, at, node);
    mpfr_set(high, &t->right, MPFR_RNDU);
    mpfi_clear(t);
}

/* away >= how far M(z)/M(c) is from the quotient of sums S(t)/S(0): with |M - S| <= E at both,
 * |M(z) / M(c)| <= 1, it is (E + E |S(t)/S(0)|)/M(c) at most, and no S(t) is above S(0): 2E / M(c).
 */
static void set_away(mpfr_t away, const slm_item *g, const line *at, mpfr_srcptr high)
{
    MPFR_DECL_INIT(exact, 53);
    mpfi_t p, k;
    mpfi_init2(p, 2 * BOUND_BITS);
    mpfi_init2(k, BOUND_BITS);
    mpfr_set_d(exact, at->c, MPFR_RNDN);
    slm_power(p, g, exact);
    slm_log_line(k, g, at->c);
    slm_missed(away, g, p, high);
    mpfi_neg(k, k);
    mpfi_exp(k, k);
    mpfr_mul(away, away, &k->right, MPFR_RNDU);
    mpfr_mul_2ui(away, away, 1, MPFR_RNDU);
    if (mpfr_nan_p(away))
        mpfr_set_inf(away, 1);
    mpfi_clear(k);
    mpfi_clear(p);
}

/* The factors of all uses at some nodes, by one rule. */
static dp_status add_nodes(cball *phi, const slm_item *g, const line *at, const uint64_t *node,
                           size_t count, const limits *lim)
{
    MPFR_DECL_INIT(high, BOUND_BITS);
    MPFR_DECL_INIT(away, BOUND_BITS);
    MPFR_DECL_INIT(one, 2);
    summed *s;
    mpfr_set_ui(one, 1, MPFR_RNDN);
    height_of(high, at, node[count - 1]);
    if (!line_time_for(lim, count, g->times, at->work))
        return DP_LIMIT;
    slm_log_line(NULL, g, at->c); /* which takes a rule of its own */
    dp_status status = summed_new(&s, g, at, mpfr_get_d(high, MPFR_RNDU));
    if (status == DP_MEMORY)
        return status;
    mpfr_prec_t bits = at->work + 16 + (mpfr_prec_t)mpz_sizeinbase(g->times, 2);
    cball *own = cball_list_new(count, bits);
    status = own != NULL ? DP_OK : DP_MEMORY;
    line inner = *at;
    inner.work = bits;
    for (size_t k = 0; own != NULL && k < count; k++)
        cball_set_ui(&own[k], 1);
    if (status == DP_OK && s != NULL) {
        set_away(away, g, at, high);
        status = discrete_multiply(own, &s->base, &inner, node, count, lim);
    } else {
        mpfr_set_ui(away, 2, MPFR_RNDN); /* nothing is known */
    }
    for (size_t k = 0; status == DP_OK && k < count; k++) {
        if (node[k] == 0)
            continue; /* 1 */
        mpfr_add(own[k].radius, own[k].radius, away, MPFR_RNDU);
        mpfr_add(own[k].size, own[k].size, away, MPFR_RNDU);
        cball_cap(&own[k], one);
        cball_pow(&own[k], &own[k], g->times);
        cball_cap(&own[k], one);
        cball_mul(&phi[k], &phi[k], &own[k]);
    }
    cball_list_free(own, count);
    if (s != NULL)
        summed_clear(s);
    return status;
}

/* The same at nodes that are far enough off. */
static dp_status add_far(cball *phi, const slm_item *g, const line *at, const uint64_t *node,
                         size_t count, unsigned terms, const limits *lim)
{
    MPFR_DECL_INIT(high, BOUND_BITS);
    MPFR_DECL_INIT(one, 2);
    mpfr_set_ui(one, 1, MPFR_RNDN);
    height_of(high, at, node[count - 1]);
    double turns = log2(mpfr_get_d(high, MPFR_RNDU) * (g->e + 1) + 2);
    mpfr_prec_t bits =
        at->work + 64 + (mpfr_prec_t)mpz_sizeinbase(g->times, 2) + (mpfr_prec_t)turns;
    if (!line_time_for(lim, count, g->times, bits))
        return DP_LIMIT;
    slm_far f;
    mpfi_t t;
    cball own;
    slm_far_init(&f, g, at->c, terms, bits);
    mpfi_init2(t, bits);
    cball_init(&own, bits);
    dp_status status = DP_OK;
    for (size_t k = 0; status == DP_OK && k < count; k++) {
        line_height(t, at, node[k]);
        slm_far_at(&own, &f, g, t);
        cball_measure(&own);
        cball_cap(&own, one);
        cball_pow(&own, &own, g->times);
        cball_cap(&own, one);
        cball_mul(&phi[k], &phi[k], &own);
        if (limits_expired(lim))
            status = DP_LIMIT;
    }
    cball_clear(&own);
    mpfi_clear(t);
    slm_far_clear(&f);
    return status;
}

/* Higher nodes take longer rules: those within a factor of each other share one. */
#define APART 4

static dp_status item_multiply(cball *phi, const slm_item *g, const line *at, const uint64_t *node,
                               size_t count, const limits *lim)
{
    MPFR_DECL_INIT(high, BOUND_BITS);
    unsigned terms;
    double need = LN2 * ((double)at->work + (double)mpz_sizeinbase(g->times, 2));
    double from = slm_far_from(&terms, g, g->add ? -at->c : 1 + at->c, need);
    size_t near = 0;
    for (; near < count; near++) {
        height_of(high, at, node[near]);
        if (mpfr_cmp_d(high, from) > 0)
            break;
    }
    dp_status status = DP_OK;
    for (size_t first = 0; status == DP_OK && first < near;) {
        size_t next = first + 1;
        while (next < near && (node[next] < 64 || node[next] / APART < node[first]))
            next++;
        status = add_nodes(phi + first, g, at, node + first, next - first, lim);
        first = next;
    }
    if (status == DP_OK && near < count)
        status = add_far(phi + near, g, at, node + near, count - near, terms, lim);
    return status;
}

dp_status slm_multiply(cball *phi, const void *self, const line *at, const uint64_t *node,
                       size_t count, const limits *lim)
{
    const slm *l = self;
    dp_status status = DP_OK;
    for (size_t i = 0; status == DP_OK && i < l->items; i++)
        status = item_multiply(phi, &l->item[i], at, node, count, lim);
    return status;
}

/* ---- decay ---------------------------------------------------------------------------------- */
/* out = the tilted atoms together, over M(c), and share NULL or each of them */
static void atoms(mpfi_t out, mpfi_ptr share[2], const slm_item *g, const mpfi_t p, double c)
{
    mpfi_t log, mass, k;
    mpfi_init2(log, BOUND_BITS);
    mpfi_init2(mass, BOUND_BITS);
    mpfi_init2(k, BOUND_BITS);
    slm_log_line(k, g, c);
    mpfi_set_ui(out, 0);
    for (int upper = 0; upper < 2; upper++) {
        slm_atom(log, mass, g, upper == 1);
        mpfi_mul(log, log, p);
        mpfi_sub(log, log, k);
        mpfi_exp(log, log);
        mpfi_mul(log, log, mass);
        if (share != NULL)
            mpfi_set(share[upper], log);
        mpfi_add(out, out, log);
    }
    mpfi_clear(k);
    mpfi_clear(mass);
    mpfi_clear(log);
}

/* |M(c + it)| <= A + 2 (g(0) + g(1)) / t, A of the atoms. Proof: the rest is the integral of a
 * e^(it psi), psi = ln r, a = (e/2) e^(-ex) r^p; by parts it is at most (|g(0)| + |g(1)| + the
 * variation of g) / t, g = a / psi' = e^(-ex - l) r^(p+1) / 4q, l = (2x - 1)e. The derivative of ln
 * g, -3e + 2e (p+1) q e^l / r, is monotone in x, from below 0 if it rises: so g has no inner
 * maximum, or falls, and its variation is at most g(0) + g(1). (For p + 1 < 0 it falls.) */
static void item_decay(mpfr_t low, const slm_item *g, double c, mpfr_srcptr t)
{
    MPFR_DECL_INIT(exact, 53);
    mpfi_t p, sum, log, mass, k, all;
    mpfi_ptr each[] = {p, sum, log, mass, k, all};
    for (size_t i = 0; i < 6; i++)
        mpfi_init2(each[i], 2 * BOUND_BITS);
    mpfr_set_d(exact, c, MPFR_RNDN);
    slm_power(p, g, exact);
    atoms(all, NULL, g, p, c);
    slm_log_line(k, g, c);
    mpfi_add_ui(p, p, 1);
    mpfi_set_ui(sum, 0);
    for (int upper = 0; upper < 2; upper++) { /* e^(-ex - l): e^e at 0, e^-2e at 1 */
        slm_atom(log, mass, g, upper == 1);
        mpfi_mul(log, log, p);
        mpfi_set_q(mass, g->epsilon);
        mpfi_mul_si(mass, mass, upper == 1 ? -2 : 1);
        mpfi_add(log, log, mass);
        mpfi_sub(log, log, k);
        mpfi_exp(log, log);
        mpfi_add(sum, sum, log);
    }
    mpfi_div_q(sum, sum, g->rate);
    mpfi_div_2ui(sum, sum, 1);
    mpfi_div_fr(sum, sum, t);
    mpfi_add(all, all, sum);
    mpfi_log(all, all);
    mpfr_neg(low, &all->right, MPFR_RNDD);
    for (size_t i = 0; i < 6; i++)
        mpfi_clear(each[i]);
}

void slm_decay(mpfr_t low, const void *self, double c, mpfr_srcptr t)
{
    const slm *l = self;
    MPFR_DECL_INIT(one, BOUND_BITS);
    MPFR_DECL_INIT(times, BOUND_BITS);
    mpfr_set_ui(low, 0, MPFR_RNDN);
    for (size_t i = 0; mpfr_sgn(t) > 0 && i < l->items; i++) {
        item_decay(one, &l->item[i], c, t);
        if (!(mpfr_sgn(one) > 0)) /* nothing is known, or a NaN */
            continue;
        mpfr_set_z(times, l->item[i].times, MPFR_RNDD);
        mpfr_mul(one, one, times, MPFR_RNDD);
        mpfr_add(low, low, one, MPFR_RNDD);
    }
}

/* The two atoms of each item. */
size_t slm_resonances(scan_item *out, size_t room, const void *self, const line *at)
{
    const slm *l = self;
    for (size_t i = 0; out != NULL && i < l->items && i < room; i++) {
        const slm_item *g = &l->item[i];
        MPFR_DECL_INIT(exact, 53);
        mpfi_t p, sum, mass, low, high;
        mpfr_prec_t bits = line_turn_bits(at, ilogb(2 * g->e) + 2);
        mpfi_init2(p, 2 * BOUND_BITS);
        mpfi_init2(sum, BOUND_BITS);
        mpfi_init2(mass, bits + 16);
        mpfi_init2(low, bits + 16);
        mpfi_init2(high, bits + 16);
        mpfr_set_d(exact, at->c, MPFR_RNDN);
        slm_power(p, g, exact);
        atoms(sum, (mpfi_ptr[]){low, high}, g, p, at->c);
        mpfi_mul(sum, low, high);
        mpfi_mul_2ui(sum, sum, 2);
        mpfi_mul_z(sum, sum, g->times);
        double weight = mpfr_get_d(&sum->left, MPFR_RNDD);
        out[i].weight = weight > 0 ? fmin(weight, 0x1p900) : 0;
        slm_atom(low, mass, g, false);
        slm_atom(high, mass, g, true);
        mpfi_sub(high, high, low);
        line_turn(&out[i], at, high);
        mpfi_clear(high);
        mpfi_clear(low);
        mpfi_clear(mass);
        mpfi_clear(sum);
        mpfi_clear(p);
    }
    return l->items;
}
