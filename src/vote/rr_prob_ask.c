/* SPDX-License-Identifier: MIT */
/* Randomized response for a majority: what must be exact is decided here, before the formulas are
 * evaluated, and a check is refuted only by mechanisms that break it. */
#include "vote/rr_prob.h"

#include "core/door.h"
#include "core/refine.h"
#include "core/result.h"
#include "engine/profile.h"
#include "loss/response_list.h"
#include "num/ival.h"
#include "num/number.h"
#include "num/word.h"
#include "vote/parameters.h"

#define TIE_BITS (1L << 16)
#define DECISION_BITS 4096

void dp_response_init(dp_response *r)
{
    if (r == NULL)
        return;
    mpz_init(r->mechanisms);
    dp_number_init(&r->epsilon);
    mpq_inits(r->delta, r->target_delta, NULL);
    r->allowance = r->target_epsilon = r->slack = NULL;
    r->composition = DP_VOTE_SIMPLE;
}

void dp_response_clear(dp_response *r)
{
    if (r == NULL)
        return;
    mpz_clear(r->mechanisms);
    dp_number_clear(&r->epsilon);
    mpq_clears(r->delta, r->target_delta, NULL);
}

static dp_status validate(const dp_response *r, dp_error *err)
{
    const given all[] = {
        {&response_mechanisms, .z = r->mechanisms},
        {&response_epsilon, .number = &r->epsilon},
        {&response_delta, .q = r->delta},
        {&response_allowance, .number = r->allowance},
        {&response_target_epsilon, .number = r->target_epsilon},
        {&response_target_delta, .q = r->target_delta},
        {&response_slack, .number = r->slack},
    };
    dp_status status = door_choice(&response_composition, (int)r->composition, err);
    if (status == DP_OK)
        status = DOOR_GIVEN(all, err);
    if (status != DP_OK)
        return status;
    if ((r->allowance == NULL) == (r->target_epsilon == NULL))
        return fail(err, DP_DOMAIN, "allowance", "or target_epsilon: give exactly one of them");
    if (r->composition == DP_VOTE_GENERAL && r->slack == NULL)
        return fail(err, DP_DOMAIN, "slack", "is missing; general composition needs one");
    if (r->composition == DP_VOTE_SIMPLE && r->slack != NULL)
        return fail(err, DP_DOMAIN, "slack", "is only for general composition");
    return DP_OK;
}

/* Of two rationals, which most are, without a form of their difference. */
static int compare_rationals(mpq_srcptr epsilon, const mpz_t c, mpq_srcptr target)
{
    mpq_t multiple;
    mpq_init(multiple);
    word_mul_z(multiple, epsilon, c);
    int order = mpq_cmp(multiple, target);
    mpq_clear(multiple);
    return (order > 0) - (order < 0);
}

static bool are_rational(const dp_response *r, const logform *target)
{
    return target->count == 0 && number_rational(&r->epsilon) != NULL;
}

/* The sign of c eps - target; `unknown` when the limits leave it open. */
static int compare_multiple(const dp_response *r, const mpz_t c, const logform *target, int unknown)
{
    if (are_rational(r, target))
        return compare_rationals(number_rational(&r->epsilon), c, target->rational);
    logform gap;
    mpq_t q;
    int sign = unknown;
    logform_init(&gap);
    mpq_init(q);
    mpq_set_z(q, c);
    bool ok = logform_add_number(&gap, q, &r->epsilon);
    mpq_set_si(q, -1, 1);
    if (!ok || !logform_add_form(&gap, q, target) || !logform_sign(&sign, &gap, TIE_BITS))
        sign = unknown;
    mpq_clear(q);
    logform_clear(&gap);
    return sign;
}

/* n = ceil(target/epsilon), of two rationals */
static void divide_rationals(mpz_t n, const dp_response *r, const logform *target)
{
    mpz_t below;
    mpz_init(below);
    mpz_mul(n, mpq_numref(target->rational), mpq_denref(number_rational(&r->epsilon)));
    mpz_mul(below, mpq_denref(target->rational), mpq_numref(number_rational(&r->epsilon)));
    mpz_cdiv_q(n, n, below);
    mpz_clear(below);
}

/* n = max(0, ceil(target/epsilon) - 1), epsilon > 0 */
static void idle_voters(mpz_t n, const dp_response *r, const logform *target)
{
    if (are_rational(r, target)) {
        divide_rationals(n, r, target);
        if (mpz_sgn(n) > 0)
            mpz_sub_ui(n, n, 1);
        return;
    }
    mpfi_t ratio, eps;
    mpfi_init2(ratio, 128 + (mpfr_prec_t)mpz_sizeinbase(r->mechanisms, 2));
    mpfi_init2(eps, mpfi_get_prec(ratio));
    logform_enclose(ratio, target);
    ival_set_number(eps, &r->epsilon);
    mpfi_div(ratio, ratio, eps);
    mpfr_get_z(n, &ratio->left, MPFR_RNDD);
    /* the least integer c with c eps >= target, less one; a tie may go either way (equal values) */
    while (compare_multiple(r, n, target, 1) < 0)
        mpz_add_ui(n, n, 1);
    if (mpz_sgn(n) > 0)
        mpz_sub_ui(n, n, 1);
    mpfi_clear(eps);
    mpfi_clear(ratio);
}

/* What the exact row for independent mechanisms needs. */
typedef struct majority {
    dp_composition list;
    composed losses;
    engine engine;
    mpz_t cell;
    bool ready;
} majority;

static dp_status majority_init(majority *m, response_in *q)
{
    const dp_response *r = q->r;
    mpz_t winning, idle;
    mpz_inits(winning, idle, m->cell, NULL);
    dp_composition_init(&m->list);
    m->ready = false;
    dp_status status = DP_OK;
    mpz_add_ui(winning, r->mechanisms, 1);
    mpz_fdiv_q_2exp(winning, winning, 1);
    if (mpq_sgn(r->delta) == 0) {
        q->majority_sure =
            dp_number_sgn(&r->epsilon) == 0 || compare_multiple(r, winning, q->target, 1) <= 0;
        if (!q->majority_sure) {
            idle_voters(idle, r, q->target);
            mpz_sub(idle, r->mechanisms, idle); /* the K - N that vote */
            mpq_t none;
            mpq_init(none);
            status = dp_composition_add(&m->list, &r->epsilon, none, idle, NULL);
            mpq_clear(none);
            m->ready = true;
        }
    }
    dp_status collected = composed_init(&m->losses, &m->list);
    status = status == DP_OK ? collected : status;
    m->ready = m->ready && status == DP_OK;
    if (m->ready) {
        mpz_sub(m->cell, idle, winning);
        if (engine_init(&m->engine, &m->losses.product) == DP_OK && m->engine.has_lattice) {
            q->majority = &m->engine.lattice;
            q->voters = m->losses.lossy;
            q->cell = m->cell;
        }
    }
    mpz_clears(winning, idle, NULL);
    return status;
}

static void majority_clear(majority *m)
{
    if (m->ready)
        engine_clear(&m->engine);
    composed_clear(&m->losses);
    dp_composition_clear(&m->list);
    mpz_clear(m->cell);
}

/* target = m eps, or as given */
static bool set_target(logform *target, const dp_response *r)
{
    mpq_t c;
    mpq_init(c);
    mpq_set_ui(c, 1, 1);
    bool ok = r->allowance != NULL
                  ? logform_add_number(target, number_rational(r->allowance), &r->epsilon)
                  : logform_add_number(target, c, r->target_epsilon);
    mpq_clear(c);
    return ok;
}

bool response_is_simple_sure(const response_in *q)
{
    mpq_t sum;
    mpq_init(sum);
    mpq_set_z(sum, q->r->mechanisms);
    mpq_mul(sum, sum, q->r->delta);
    bool sure = mpq_cmp_ui(q->delta, 1, 1) >= 0 ||
                (mpq_cmp(sum, q->delta) <= 0 &&
                 compare_multiple(q->r, q->r->mechanisms, q->target, 1) <= 0);
    mpq_clear(sum);
    return sure;
}

/* Is the probability of b at q at most that of c at `other`? */
static dp_decision compare_rows(const response_in *q, const bound *b, const response_in *other,
                                const bound *c)
{
    dp_decision answer = DP_UNKNOWN;
    for (mpfr_prec_t bits = 64; answer == DP_UNKNOWN && bits <= DECISION_BITS; bits *= 2) {
        dp_figure here[BOUND_OUTPUTS], most[BOUND_OUTPUTS];
        for (size_t i = 0; i < BOUND_OUTPUTS; i++) {
            dp_figure_init(&here[i]);
            dp_figure_init(&most[i]);
        }
        wanted want = {bits, true};
        bool ok = !limits_expired(q->lim) && b->eval(here, q, &want) == DP_OK &&
                  c->eval(most, other, &want) == DP_OK;
        if (ok && most[0].kind == DP_RATIONAL) {
            answer = dp_figure_le(&here[0], most[0].rational);
        } else if (ok) {
            if (here[0].kind == DP_RATIONAL)
                mpfi_set_q(figure_enclose(&here[0], bits), here[0].rational);
            if (mpfr_lessequal_p(&here[0].enclosure->right, &most[0].enclosure->left))
                answer = DP_YES;
            else if (mpfr_greater_p(&here[0].enclosure->left, &most[0].enclosure->right))
                answer = DP_NO;
        }
        for (size_t i = 0; i < BOUND_OUTPUTS; i++) {
            dp_figure_clear(&here[i]);
            dp_figure_clear(&most[i]);
        }
    }
    return answer;
}

/* Above the largest probability for independent mechanisms with delta = 0 some of these break
 * (E, D); they are among those that the deciding row is about. */
static bool refutes(const response_in *q, const bound *b, const response_in *other)
{
    response_in alone = *other;
    dp_response pure = *q->r;
    majority m;
    mpq_init(pure.delta);
    alone.r = &pure;
    alone.majority = NULL;
    bool refuted = majority_init(&m, &alone) == DP_OK && alone.majority != NULL &&
                   !alone.majority_sure &&
                   compare_rows(q, b, &alone, &rr_prob_independent) == DP_NO;
    majority_clear(&m);
    mpq_clear(pure.delta);
    return refuted;
}

/* Is the mechanism that answers with the deciding row's probability (E, D)-DP? Yes when the target
 * is within (E, D), or the probability is at most the row's own for (E, D). That it is more proves
 * nothing against it: the majority of K mechanisms is more private than their composition says. */
static dp_decision decide(const response_in *q, const bound *b, const dp_check *check)
{
    logform limit, gap;
    mpq_t minus;
    int sign = 1;
    logform_init(&limit);
    logform_init(&gap);
    mpq_init(minus);
    mpq_set_si(minus, -1, 1);
    dp_decision answer = DP_UNKNOWN;
    bool ok = logform_add_number(&limit, check->factor, &check->max_epsilon) &&
              logform_set(&gap, q->target) && logform_add_form(&gap, minus, &limit);
    bool smaller = ok && logform_sign(&sign, &gap, TIE_BITS) && sign <= 0;
    response_in other = *q;
    other.target = &limit;
    other.delta = number_rational(&check->max_delta);
    other.simple_sure = response_is_simple_sure(&other);
    if (smaller && mpq_cmp(q->delta, other.delta) <= 0)
        answer = DP_YES;
    else if (ok && compare_rows(q, b, &other, b) == DP_YES)
        answer = DP_YES;
    else if (ok && refutes(q, b, &other))
        answer = DP_NO;
    mpq_clear(minus);
    logform_clear(&gap);
    logform_clear(&limit);
    return answer;
}

static dp_status answer(dp_result *out, response_in *q, const dp_options *opt, dp_error *err)
{
    dp_status status = result_evaluate_family(out, vote_rows, "rr-prob", q, opt);
    if (status != DP_OK)
        return fail(err, status, NULL, dp_status_text(status));
    const bound *b = q->r->composition == DP_VOTE_GENERAL ? &rr_prob_general : &rr_prob_simple;
    while (out->guarantee < out->count && out->row[out->guarantee].theorem != &b->theorem)
        out->guarantee++;
    if (out->check.asked) {
        dp_decision holds = decide(q, b, &out->check);
        result_decide(out, holds, out->met);
        if (holds == DP_UNKNOWN && out->met == 0)
            out->check.why = "composition alone does not prove it, and does not refute it";
    }
    result_note(out, "a probability is safe at its lower end, and at any smaller value");
    result_note(out, "composition asks that each mechanism is private given the outputs of the "
                     "earlier ones; to be private one by one is not enough");
    if (q->majority != NULL || q->majority_sure)
        result_note(out, "rr-prob-independent assumes that the mechanisms are independent");
    return DP_OK;
}

dp_status dp_response_probability(dp_result *out, const dp_response *r, const dp_options *opt,
                                  dp_error *err)
{
    dp_options own;
    dp_status status = door_open(&own, out, "votes", r, opt, err);
    opt = &own;
    if (status == DP_OK)
        status = validate(r, err);
    if (status != DP_OK)
        return status;
    result_start(out);
    dp_number target_delta;
    dp_number_init(&target_delta);
    number_set_q(&target_delta, r->target_delta);
    logform target;
    logform_init(&target);
    limits lim;
    limits_start(&lim, opt);
    lim.met = &out->met;
    response_in q = {.r = r, .target = &target, .delta = r->target_delta, .lim = &lim};
    majority m;
    bool ready = set_target(&target, r);
    if (ready) {
        q.simple_sure = response_is_simple_sure(&q);
        status = majority_init(&m, &q);
    } else {
        status = DP_MEMORY;
    }
    result_check_start(out, opt, r->target_epsilon, &target_delta);
    if (r->allowance != NULL && opt->max_epsilon == NULL)
        check_set_multiple(&out->check, &r->epsilon, number_rational(r->allowance));
    if (status == DP_OK)
        status = answer(out, &q, opt, err);
    if (ready)
        majority_clear(&m);
    logform_clear(&target);
    dp_number_clear(&target_delta);
    return result_end(out, status, err);
}
