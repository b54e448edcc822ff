/* SPDX-License-Identifier: MIT */
/* The designs of a private majority. */
#include <string.h>

#include "compose/optimal.h"
#include "core/refine.h"
#include "num/decimal.h"
#include "num/number.h"
#include "vote/council.h"
#include "vote/rr_prob.h"

#define TIE_BITS (1L << 16)

bool council_wants(const council *c, dp_design d)
{
    return c->m->gamma_count == 0 && (c->m->design == DP_DESIGN_ALL || c->m->design == d);
}

void proposal_init(proposal *p, const bound *b)
{
    p->bound = b;
    p->g.gamma = NULL;
    p->has_probability = p->has_objective = false;
    memset(p->worst, 0, sizeof p->worst);
    p->pure_cost = 0;
    dp_figure *list[] = {&p->delta, &p->epsilon, &p->probability, &p->objective,
                         &p->objective_bound};
    for (size_t i = 0; i < 5; i++)
        dp_figure_init(list[i]);
}

void proposal_clear(proposal *p)
{
    dp_figure *list[] = {&p->delta, &p->epsilon, &p->probability, &p->objective,
                         &p->objective_bound};
    for (size_t i = 0; i < 5; i++)
        dp_figure_clear(list[i]);
    noise_clear(&p->g);
}

static dp_status set_lower(mpq_t out, const dp_figure *f, size_t digits)
{
    dec d;
    dec_init(&d);
    bool ok = dec_set_figure(&d, f, DP_LOWER, digits);
    if (!ok || !dec_get_q(out, &d))
        mpq_set_ui(out, 0, 1); /* below every decimal that is formed */
    dec_clear(&d);
    return ok ? DP_OK : DP_MEMORY;
}

/* Privacy is linear in a constant gamma, so the largest one attains the target: a short decimal
 * that the enclosure straddles is it if it does. */
static dp_status settle_constant(const council *c, dp_figure *p)
{
    mpq_t q;
    noise g = {c->voters, NULL};
    standing s = {0, false, false};
    dp_status status = DP_OK;
    mpq_init(q);
    if (refine_straddled(q, p, c->opt->digits)) {
        status = noise_init(&g, c->voters) ? DP_OK : DP_MEMORY;
        if (status == DP_OK) {
            noise_set_constant(&g, q);
            status = council_stand(&s, c, &g, &c->target, c->m->target_delta);
        }
        if (status == DP_OK && s.known && s.sign == 0)
            figure_set_q(p, q);
    }
    noise_clear(&g);
    mpq_clear(q);
    return status;
}

/* p for an excess x of the majority over the target, 1 where that is known to be within it; gamma
 * is p rounded down to the asked digits. */
static dp_status set_constant(const council *c, proposal *p, const dp_figure *excess,
                              dp_decision within, bool largest)
{
    mpq_t constant;
    mpq_init(constant);
    mpq_set_ui(constant, 1, 1);
    p->has_probability = true;
    dp_status status = DP_OK;
    if (within == DP_YES) {
        figure_set_ui(&p->probability, 1);
    } else {
        mpfi_t x;
        wanted want = {refine_bits(c->opt->digits) + 128, false};
        mpfi_init2(x, want.bits);
        if (excess->kind == DP_RATIONAL)
            mpfi_set_q(x, excess->rational);
        else
            mpfi_set(x, excess->enclosure);
        response_in q = {.target = &c->target, .delta = c->m->target_delta};
        response_probability(&p->probability, &q, x, &want);
        mpfi_clear(x);
        mpq_t exact;
        mpq_init(exact);
        if (largest)
            status = settle_constant(c, &p->probability);
        else if (excess->kind == DP_RATIONAL && response_probability_q(exact, &q, excess->rational))
            figure_set_q(&p->probability, exact);
        mpq_clear(exact);
        if (status == DP_OK)
            status = set_lower(constant, &p->probability, c->opt->digits);
    }
    noise_set_constant(&p->g, constant);
    mpq_clear(constant);
    return status;
}

/* The true largest constant: x is the delta of the majority itself. */
static dp_status propose_constant(const council *c, proposal *p)
{
    mpq_t one;
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    noise_set_constant(&p->g, one);
    mpq_clear(one);
    dp_status status = council_certify(c, p, 1, &c->target, c->m->target_delta);
    dp_decision within = dp_figure_le(&p->delta, c->m->target_delta);
    if (status == DP_OK && within == DP_UNKNOWN)
        status = council_within(&within, c, &p->g, &c->target, c->m->target_delta);
    return status == DP_OK ? set_constant(c, p, &p->delta, within, true) : status;
}

/* From optimal composition alone. */
static dp_status propose_composed(const council *c, proposal *p, dp_result *scratch)
{
    composing k;
    dp_options rest = limits_rest(&c->lim, c->opt);
    dp_status status = composing_init(&k, c->m->groups, &rest, scratch);
    if (status == DP_OK && !logform_set(&k.at, &c->target))
        status = DP_MEMORY;
    if (status == DP_OK)
        status = composing_at_epsilon(&k, &k.at);
    const dp_figure *excess =
        status == DP_OK ? row_figure(&scratch->row[scratch->count - 1], "delta") : NULL;
    if (excess != NULL) {
        dp_decision within = dp_figure_le(excess, c->m->target_delta);
        if (within == DP_UNKNOWN)
            within = optimal_meets_at(&k.engine, &k.at, c->m->target_delta, &k.limits);
        status = set_constant(c, p, excess, within, false);
    }
    composing_clear(&k);
    return status;
}

/* floor(target/epsilon) of the group with the largest epsilon, at most K; 0 when it is below 1. */
static size_t allowance_of(const council *c)
{
    size_t m = 0;
    mpq_t minus;
    mpq_init(minus);
    for (bool within = true; within && m < c->voters; m += within) {
        mpq_set_si(minus, -(long)(m + 1), 1);
        for (size_t i = 0; within && i < c->m->groups->count; i++) {
            logform gap;
            int sign = -1;
            logform_init(&gap);
            within = logform_set(&gap, &c->target) &&
                     logform_add_number(&gap, minus, &c->m->groups->item[i].epsilon) &&
                     logform_sign(&sign, &gap, TIE_BITS) && sign >= 0;
            logform_clear(&gap);
        }
    }
    mpq_clear(minus);
    return m;
}

/* sum of the `most` largest epsilons, which are rational: each time the largest of those that are
 * not above the last one taken */
static void largest_epsilons(mpq_t sum, const dp_composition *list, size_t most)
{
    const dp_item *last = NULL;
    mpq_t part;
    mpq_init(part);
    mpq_set_ui(sum, 0, 1);
    while (most > 0) {
        const dp_item *next = NULL;
        size_t times = 0; /* of equal ones together */
        for (size_t i = 0; i < list->count; i++) {
            mpq_srcptr e = number_rational(&list->item[i].epsilon);
            if (last != NULL && mpq_cmp(e, number_rational(&last->epsilon)) >= 0)
                continue;
            int above = next == NULL ? 1 : mpq_cmp(e, number_rational(&next->epsilon));
            if (above > 0)
                next = &list->item[i];
            if (above >= 0)
                times = (above > 0 ? 0 : times) + mpz_get_ui(list->item[i].times);
        }
        size_t taken = times < most ? times : most;
        mpq_set_ui(part, taken, 1);
        mpq_mul(part, part, number_rational(&next->epsilon));
        mpq_add(sum, sum, part);
        most -= taken;
        last = next;
    }
    mpq_clear(part);
}

void proposal_set_pure_cost(const council *c, proposal *p)
{
    bool truthful = p->pure_cost == 0, rational = true;
    for (size_t l = 0; truthful && l <= c->voters; l++)
        truthful = mpq_cmp_ui(p->g.gamma[l], 1, 1) == 0;
    for (size_t i = 0; i < c->m->groups->count; i++)
        rational = rational && !c->m->groups->item[i].epsilon.is_log;
    size_t cost = truthful ? (c->voters + 1) / 2 : p->pure_cost; /* the council is a sample too */
    if (cost == 0 || !c->pure || !rational || mpq_sgn(c->m->target_delta) != 0)
        return;
    figure_set_ui(&p->epsilon, 0);
    largest_epsilons(p->epsilon.rational, c->m->groups, cost);
}

/* A sample of k votes. With pure mechanisms it costs the ceil(k/2) largest epsilons: on a fixed
 * sample a majority at that threshold does (noise_pivotal, with unequal epsilons), a mixture costs
 * no more, and those voters at (c, d), all others at (0, 0), attain it. */
static void set_subsample(proposal *p, size_t k)
{
    noise_set_subsample(&p->g, k);
    p->pure_cost = (k + 1) / 2;
}

/* A new noise function of the list, or NULL. */
static proposal *open_proposal(const proposing *p)
{
    proposal *next = &p->list[(*p->count)++];
    proposal_init(next, p->row);
    return noise_init(&next->g, p->c->voters) ? next : NULL;
}

dp_status majority_propose_given(dp_result *out, void *in, const dp_options *opt)
{
    const proposing *p = in;
    const dp_majority *m = p->c->m;
    proposal *next = open_proposal(p);
    (void)out;
    (void)opt;
    if (next == NULL)
        return DP_MEMORY;
    if (m->gamma_count == p->c->voters + 1)
        for (size_t l = 0; l <= p->c->voters; l++)
            mpq_set(next->g.gamma[l], m->gamma[l]);
    else
        noise_set_upper(&next->g, m->gamma);
    return DP_OK;
}

dp_status majority_propose_optimal(dp_result *out, void *in, const dp_options *opt)
{
    const proposing *p = in;
    proposal *next = open_proposal(p);
    (void)out;
    (void)opt;
    if (next == NULL)
        return DP_MEMORY;
    next->has_objective = true;
    return council_optimise(p->c, next);
}

dp_status majority_propose_constant(dp_result *out, void *in, const dp_options *opt)
{
    const proposing *p = in;
    proposal *next = open_proposal(p);
    (void)out;
    (void)opt;
    return next != NULL ? propose_constant(p->c, next) : DP_MEMORY;
}

dp_status majority_propose_composed(dp_result *out, void *in, const dp_options *opt)
{
    const proposing *p = in;
    proposal *next = open_proposal(p);
    dp_result scratch;
    (void)out;
    (void)opt;
    dp_result_init(&scratch);
    dp_status status = next != NULL ? propose_composed(p->c, next, &scratch) : DP_MEMORY;
    dp_result_clear(&scratch);
    return status;
}

dp_status majority_propose_double(dp_result *out, void *in, const dp_options *opt)
{
    const proposing *p = in;
    const council *c = p->c;
    size_t m = allowance_of(c);
    (void)out;
    (void)opt;
    if (m == 0)
        return c->m->design == DP_DESIGN_ALL
                   ? DP_OK
                   : fail(p->err, DP_UNAVAILABLE, "design",
                          "double-subsample needs a target of at least one epsilon");
    proposal *next = open_proposal(p);
    if (next == NULL)
        return DP_MEMORY;
    set_subsample(next, 2 * m - 1 < c->voters ? 2 * m - 1 : c->voters);
    return DP_OK;
}

dp_status majority_propose_subsample(dp_result *out, void *in, const dp_options *opt)
{
    const proposing *p = in;
    const council *c = p->c;
    size_t k = c->m->sample != NULL ? mpz_get_ui(number_integer(c->m->sample)) : allowance_of(c);
    (void)opt;
    if (k == 0)
        return c->m->design == DP_DESIGN_ALL
                   ? DP_OK
                   : fail(p->err, DP_UNAVAILABLE, "sample",
                          "is missing: the target is below one epsilon, so no size follows from "
                          "it");
    proposal *next = open_proposal(p);
    if (next == NULL)
        return DP_MEMORY;
    set_subsample(next, k);
    if (k % 2 == 0)
        result_note(out, "a sample of even size answers like one of a vote less: a tie is a fair "
                         "coin");
    return DP_OK;
}
