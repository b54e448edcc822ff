/* SPDX-License-Identifier: MIT */
/* The one entry for designs of a private majority: what is asked is validated, certified, and laid
 * out in rows. Whatever decides a check is decided exactly. */
#include "vote/council.h"

#include <string.h>

#include "compose/optimal.h"
#include "core/door.h"
#include "core/refine.h"
#include "num/memory.h"
#include "num/number.h"
#include "vote/parameters.h"
#include "vote/rr_prob.h"

#define MOST_VOTERS 301
#define MOST_LEAVES 200000
#define OPTIMUM_GAP 1e-6 /* below that an optimum is called one */

void dp_majority_init(dp_majority *m)
{
    if (m == NULL)
        return;
    *m = (dp_majority){0};
    mpq_init(m->target_delta);
}

void dp_majority_clear(dp_majority *m)
{
    if (m == NULL)
        return;
    mpq_clear(m->target_delta);
}

static dp_status check_list(const mpq_t *q, size_t count, const parameter *of, size_t voters,
                            dp_error *err)
{
    if (count != 1 && count != voters)
        return fail(err, DP_DOMAIN, parameter_field(of),
                    "must be one number for all votes, or one for each");
    return door_array(of, q, count, err);
}

static dp_status check_prior(const dp_majority *m, size_t voters, dp_error *err)
{
    if ((m->prior == DP_PRIOR_MEAN) != (m->mean_count > 0))
        return fail(err, DP_DOMAIN, "means",
                    m->mean_count > 0 ? "are for the prior of given means"
                                      : "are missing; the prior of given means needs them");
    return m->mean_count == 0 ? DP_OK
                              : check_list(m->means, m->mean_count, &majority_means, voters, err);
}

static dp_status parameters(const dp_majority *m, dp_error *err)
{
    const given all[] = {
        {&majority_allowance, .number = m->allowance},
        {&majority_target_epsilon, .number = m->target_epsilon},
        {&majority_target_delta, .q = m->target_delta},
        {&majority_sample, .number = m->sample},
        {&majority_slack, .number = m->slack},
    };
    dp_status status = door_items("groups", m->groups, err);
    if (status == DP_OK && m->groups->count == 0)
        status = fail(err, DP_DOMAIN, "groups", "are missing; give at least one mechanism");
    if (status == DP_OK)
        status = door_choice(&majority_design, (int)m->design, err);
    if (status == DP_OK)
        status = door_choice(&majority_prior, (int)m->prior, err);
    return status == DP_OK ? DOOR_GIVEN(all, err) : status;
}

static dp_status validate(const dp_majority *m, size_t *voters, dp_error *err)
{
    dp_status status = parameters(m, err);
    if (status != DP_OK)
        return status;
    mpz_t sum;
    mpz_init(sum);
    for (size_t i = 0; i < m->groups->count; i++)
        mpz_add(sum, sum, m->groups->item[i].times);
    bool odd = mpz_odd_p(sum) != 0, served = mpz_cmp_ui(sum, MOST_VOTERS) <= 0;
    *voters = served ? mpz_get_ui(sum) : 0;
    mpz_clear(sum);
    if (!odd)
        return fail(err, DP_DOMAIN, "mechanisms",
                    "must be odd, so that the majority has no tie; leave one mechanism out");
    if (!served)
        return fail(err, DP_DOMAIN, "mechanisms",
                    "must be at most 301 here; rr-prob answers for any number");
    if ((m->allowance == NULL) == (m->target_epsilon == NULL))
        return fail(err, DP_DOMAIN, "allowance", "or target_epsilon: give exactly one of them");
    if (m->allowance != NULL && m->groups->count > 1)
        return fail(err, DP_DOMAIN, "allowance",
                    "is a multiple of one epsilon; with groups give target_epsilon");
    if (m->sample != NULL && mpz_cmp_ui(number_integer(m->sample), *voters) > 0)
        return fail(err, DP_DOMAIN, "sample", "must be an integer from 1 to the mechanisms");
    if (m->free_class && m->groups->count > 1)
        return fail(err, DP_DOMAIN, "class", "free needs mechanisms of equal parameters");
    if (m->gamma_count > 0 && m->gamma_count != *voters + 1 && m->gamma_count != (*voters + 1) / 2)
        return fail(err, DP_DOMAIN, "gamma",
                    "must have K + 1 values, or the (K + 1)/2 of the upper half");
    status = door_array(&majority_gamma, m->gamma, m->gamma_count, err);
    if (status == DP_OK)
        status = check_prior(m, *voters, err);
    if (status == DP_OK && m->vote_count > 0)
        status = check_list(m->votes, m->vote_count, &majority_votes, *voters, err);
    return status;
}

static bool set_target(council *c)
{
    const dp_majority *m = c->m;
    return m->allowance == NULL ? logform_add_number(&c->target, NULL, m->target_epsilon)
                                : logform_add_number(&c->target, number_rational(m->allowance),
                                                     &m->groups->item[0].epsilon);
}

/* ---- rows ---- */

static void add_q(dp_row *row, const char *name, const mpq_t q)
{
    figure_set_q(row_quantity(row, name), q);
}

static void move_figure(dp_row *row, const char *name, dp_figure *from)
{
    dp_figure *to = row_quantity(row, name), old = *to;
    *to = *from;
    *from = old;
}

static void copy_figure(dp_figure *to, const dp_figure *from)
{
    if (from->kind == DP_RATIONAL)
        figure_set_q(to, from->rational);
    else
        mpfi_set(figure_enclose(to, mpfi_get_prec(from->enclosure)), from->enclosure);
}

/* sum w (1 - gamma) / 2 */
static void expected_error(mpq_t out, const council *c, const noise *g)
{
    mpq_t part;
    mpq_init(part);
    mpq_set_ui(out, 0, 1);
    for (size_t l = (c->voters + 1) / 2; l <= c->voters; l++) {
        mpz_set_ui(mpq_numref(part), 1);
        mpz_set_ui(mpq_denref(part), 1);
        mpq_sub(part, part, g->gamma[l]);
        mpq_mul(part, part, c->weights[l - (c->voters + 1) / 2]);
        mpq_add(out, out, part);
    }
    mpq_div_2exp(out, out, 1);
    mpq_clear(part);
}

/* Does the objective come next to its bound? */
static bool is_optimum(const proposal *p)
{
    const dp_figure *x = &p->objective_bound;
    MPFR_DECL_INIT(gap, 53);
    if (x->kind != DP_ENCLOSED)
        return true;
    mpfi_diam_abs(gap, x->enclosure);
    return mpfr_cmp_d(gap, OPTIMUM_GAP) <= 0;
}

static dp_status add_row(dp_result *out, const council *c, proposal *p, const vote_law *law)
{
    dp_row *row = result_row(out, p->bound);
    if (row == NULL)
        return DP_MEMORY;
    bool symmetric = noise_is_symmetric(&p->g);
    size_t first = symmetric ? (c->voters + 1) / 2 : 0;
    dp_status status = row_gamma(row, p->bound->design, (const mpq_t *)(p->g.gamma + first), first,
                                 c->voters + 1 - first);
    memcpy(row->worst, p->worst, sizeof row->worst);
    if (p->epsilon.kind == DP_ENCLOSED && mpfr_inf_p(&p->epsilon.enclosure->right))
        row->verdict = DP_PROVED; /* no upper end was proved: that is not an infinite epsilon */
    figure_set_form(row_quantity(row, "epsilon"), &c->target, refine_bits(c->opt->digits) + 16);
    move_figure(row, "delta", &p->delta);
    const dp_figure *delta = &row->quantity[row->count - 1].figure;
    copy_figure(row_quantity(row, "delta_at_target_epsilon"), delta);
    move_figure(row, "epsilon_at_target_delta", &p->epsilon);
    if (p->has_probability)
        move_figure(row, "probability", &p->probability);
    mpq_t q, other;
    mpq_inits(q, other, NULL);
    if (symmetric) {
        expected_error(q, c, &p->g);
        add_q(row, "error", q);
    }
    if (p->has_objective) {
        if (!is_optimum(p)) {
            row->verdict = DP_PROVED;
            result_warn(out, "the optimum was not reached: what is shown meets the target, and no "
                             "design of the class comes above objective_bound");
        }
        move_figure(row, "objective", &p->objective);
        move_figure(row, "objective_bound", &p->objective_bound);
    }
    if (law != NULL) {
        noise_errors(q, other, &p->g, law);
        add_q(row, "total_variation", q);
        add_q(row, "disagreement", other);
    }
    mpq_clears(q, other, NULL);
    return status;
}

/* From composition alone, with the clamps of Lemma A.1: rows without a gamma. */
static dp_status black_box_rows(dp_result *out, const council *c)
{
    const dp_item *one = &c->m->groups->item[0];
    if (!council_wants(c, DP_DESIGN_CONSTANT) || c->m->groups->count > 1)
        return DP_OK;
    dp_response r;
    dp_response_init(&r);
    mpz_set(r.mechanisms, one->times);
    dp_number_set(&r.epsilon, &one->epsilon);
    mpq_set(r.delta, one->delta);
    r.slack = c->m->slack;
    response_in q = {.r = &r, .target = &c->target, .delta = c->m->target_delta};
    q.simple_sure = response_is_simple_sure(&q);
    dp_status status = result_evaluate(out, &rr_prob_simple, &q, c->opt);
    if (status == DP_OK && r.slack != NULL)
        status = result_evaluate(out, &rr_prob_general, &q, c->opt);
    dp_response_clear(&r);
    return status;
}

/* Is the deciding gamma within the check? */
static dp_status decide(dp_result *out, const council *c, const proposal *first)
{
    const dp_check *check = &out->check;
    dp_decision holds = DP_UNKNOWN;
    logform x, gap;
    mpq_t minus;
    logform_init(&x);
    logform_init(&gap);
    mpq_init(minus);
    mpq_set_si(minus, -1, 1);
    bool ok = logform_add_number(&x, check->factor, &check->max_epsilon) && logform_set(&gap, &x) &&
              logform_add_form(&gap, minus, &c->target);
    dp_status status = ok ? DP_OK : DP_MEMORY;
    mpq_srcptr limit = number_rational(&check->max_delta);
    if (ok && logform_is_zero(&gap))
        holds = dp_figure_le(&first->delta, limit);
    if (ok && holds == DP_UNKNOWN)
        status = council_within(&holds, c, &first->g, &x, limit);
    result_decide(out, holds, out->met);
    mpq_clear(minus);
    logform_clear(&gap);
    logform_clear(&x);
    return status;
}

/* DP_UNDECIDED: time ran out. */
static dp_status add_votes(vote_law *law, const council *c, const mpq_t *p, size_t count)
{
    dp_status status = DP_OK;
    for (size_t i = 0; status == DP_OK && i < c->voters; i++) {
        vote_law_add(law, p[count == 1 ? 0 : i]);
        status = limits_expired(&c->lim) ? DP_UNDECIDED : DP_OK;
    }
    return status;
}

static dp_status add_rows(dp_result *out, const council *c, proposal *list, size_t count)
{
    vote_law law;
    bool asked = c->m->vote_count > 0;
    dp_status status = vote_law_init(&law, asked ? c->voters : 0) ? DP_OK : DP_MEMORY;
    if (status == DP_OK && asked)
        status = add_votes(&law, c, c->m->votes, c->m->vote_count);
    if (status == DP_UNDECIDED) {
        result_warn(out, "the time limit was met before the law of the given votes was formed; "
                         "their errors are left out");
        status = DP_OK;
        asked = false;
    }
    for (size_t i = 0; status == DP_OK && i < count; i++)
        status = add_row(out, c, &list[i], asked ? &law : NULL);
    if (status == DP_OK)
        status = black_box_rows(out, c);
    if (status == DP_OK && asked)
        status = council_lower_bound(out, c, &law);
    vote_law_clear(&law);
    return status;
}

/* Designs that are made and certified together. */
typedef struct stage {
    dp_design design[2];
    size_t parts;                /* see council */
    const char *const *left_out; /* what is said when the limits do not reach it */
} stage;

#define LEFT_OUT(what)                                                                             \
    LIMIT_TEXTS(" before " what " ready, which is left out", "; raise it, or ask for that alone",  \
                "; raise them, or ask for that alone", "; ask for fewer mechanisms")
static const char *const optimal_left_out[] = LEFT_OUT("the optimal design was"),
                         *const constant_left_out[] = LEFT_OUT("the constant design was"),
                         *const sample_left_out[] = LEFT_OUT("a subsample was");

/* In the order of the rows; the cheap ones, last here, are made first. */
#define STAGES 3
static const stage stages[STAGES] = {
    {{DP_DESIGN_OPTIMAL, DP_DESIGN_OPTIMAL}, 1, optimal_left_out},
    {{DP_DESIGN_CONSTANT, DP_DESIGN_CONSTANT}, 4, constant_left_out},
    {{DP_DESIGN_DOUBLE_SUBSAMPLE, DP_DESIGN_SUBSAMPLE}, 4, sample_left_out},
};

static void drop(proposal *list, size_t *count)
{
    while (*count > 0)
        proposal_clear(&list[--*count]);
}

static dp_status make_stage(dp_result *out, council *c, const stage *s, proposal *list,
                            size_t *count, dp_error *err)
{
    dp_status status = DP_OK;
    c->parts = c->m->design == DP_DESIGN_ALL ? s->parts : 1;
    for (size_t i = 0; status == DP_OK && i < 2; i++)
        if ((i == 0 || s->design[i] != s->design[0]) && council_wants(c, s->design[i]))
            status = council_propose(s->design[i], &(proposing){c, list, count, err, NULL}, out);
    if (status == DP_OK)
        status = council_certify(c, list, *count, &c->target, c->m->target_delta);
    if (status != DP_UNDECIDED || c->m->design != DP_DESIGN_ALL)
        return status;
    drop(list, count);
    result_warn(out, limit_text(s->left_out, out->met));
    return DP_OK;
}

/* All that the time reaches, *decides whether the first of those asked for is among them. */
static dp_status make_designs(dp_result *out, council *c, proposal *list, size_t *count,
                              bool *decides, dp_error *err)
{
    proposal made[STAGES][2];
    size_t size[STAGES] = {0};
    dp_status status = DP_OK;
    for (size_t s = STAGES; status == DP_OK && s-- > 0;)
        status = make_stage(out, c, &stages[s], made[s], &size[s], err);
    for (size_t s = 0; s < STAGES; s++)
        for (size_t i = 0; i < size[s]; i++)
            list[(*count)++] = made[s][i];
    *decides = c->m->design != DP_DESIGN_ALL || size[0] > 0;
    return status == DP_OK && *count == 0 ? DP_UNDECIDED : status;
}

static dp_status make_given(dp_result *out, council *c, proposal *list, size_t *count,
                            dp_error *err)
{
    c->parts = 1;
    dp_status status = council_propose(DP_DESIGN_ALL, &(proposing){c, list, count, err, NULL}, out);
    if (status == DP_OK && c->m->groups->count > 1 && !noise_is_monotone(&list[0].g))
        status = fail(err, DP_UNAVAILABLE, "gamma",
                      "must be monotone, or the mechanisms of equal parameters in one group");
    return status == DP_OK ? council_certify(c, list, *count, &c->target, c->m->target_delta)
                           : status;
}

static dp_status answer_all(dp_result *out, council *c, dp_error *err)
{
    proposal list[COUNCIL_PROPOSALS];
    size_t count = 0;
    bool decides = true;
    dp_status status = c->m->gamma_count > 0 ? make_given(out, c, list, &count, err)
                                             : make_designs(out, c, list, &count, &decides, err);
    for (size_t i = 0; status == DP_OK && i < count; i++) {
        proposal_set_pure_cost(c, &list[i]);
        if (!council_agrees(c, &list[i])) {
            limits_note(&c->lim, DP_MET_PRECISION);
            result_warn_wide(out);
        }
    }
    if (status == DP_OK && out->check.asked && !decides)
        result_decide(out, DP_UNKNOWN, out->met);
    else if (status == DP_OK && out->check.asked)
        status = decide(out, c, &list[0]);
    if (status == DP_OK)
        status = add_rows(out, c, list, count);
    drop(list, &count);
    return status;
}

static void remarks(dp_result *out, const council *c)
{
    result_note(out,
                "assumes independent mechanisms, each the worst of its parameters; delta is the "
                "smallest at the target epsilon, epsilon_at_target_delta the smallest at the "
                "target delta");
    if (c->m->gamma_count == 0)
        result_note(out, "error is the expected one under the prior, exactly; no sampling");
}

static void give_up(const dp_result *out, dp_error *err, dp_status status)
{
    static const char *const text[] = LIMIT_TEXTS(
        " before the certificate", "; raise it, or ask for one design",
        "; raise them, or ask for one design", "; ask for one design, or for fewer mechanisms");
    fail(err, status, NULL,
         status == DP_UNAVAILABLE ? "too many mechanisms for this design and class"
         : status == DP_UNDECIDED ? limit_text(text, out->met)
                                  : dp_status_text(status));
}

static dp_status set_weights(council *c)
{
    const dp_majority *m = c->m;
    size_t first = (c->voters + 1) / 2;
    vote_law law;
    mpq_t three_quarters;
    mpq_init(three_quarters);
    mpq_set_ui(three_quarters, 3, 4);
    bool half = m->prior == DP_PRIOR_HALF;
    dp_status status = vote_law_init(&law, c->voters) ? DP_OK : DP_MEMORY;
    if (status == DP_OK && (half || m->prior == DP_PRIOR_MEAN))
        status = add_votes(&law, c, half ? (const mpq_t *)&three_quarters : m->means,
                           half ? 1 : m->mean_count);
    for (size_t l = first; status == DP_OK && l <= c->voters; l++) {
        noise_weight(c->weights[l - first], l, c->voters, m->prior, &law);
        status = limits_expired(&c->lim) ? DP_UNDECIDED : DP_OK;
    }
    mpq_clear(three_quarters);
    vote_law_clear(&law);
    return status;
}

static dp_status open_council(council *c, dp_result *out)
{
    size_t n = (c->voters + 1) / 2;
    logform_init(&c->target);
    c->weights = memory_new(n, sizeof *c->weights);
    for (size_t l = 0; c->weights != NULL && l < n; l++)
        mpq_init(c->weights[l]);
    c->pure = true;
    for (size_t i = 0; i < c->m->groups->count; i++)
        c->pure = c->pure && mpq_sgn(c->m->groups->item[i].delta) == 0;
    limits_start(&c->lim, c->opt);
    c->lim.met = &out->met;
    dp_status status = c->weights != NULL && set_target(c) ? set_weights(c) : DP_MEMORY;
    if (status != DP_OK)
        return status;
    return corners_init(&c->corners, c->m->groups, c->voters, MOST_LEAVES, &c->lim);
}

static void close_council(council *c)
{
    for (size_t l = 0; c->weights != NULL && l < (c->voters + 1) / 2; l++)
        mpq_clear(c->weights[l]);
    memory_free(c->weights);
    corners_clear(&c->corners);
    logform_clear(&c->target);
}

/* A given gamma is checked against the target, without thresholds too. */
static void start_check(dp_result *out, const dp_majority *m, const dp_options *opt)
{
    dp_number delta;
    dp_number_init(&delta);
    number_set_q(&delta, m->target_delta);
    result_check_start(out, opt, m->target_epsilon, &delta);
    if (m->gamma_count > 0 && !out->check.asked) {
        out->check.asked = true;
        dp_number_set(&out->check.max_delta, &delta);
        if (m->target_epsilon != NULL)
            dp_number_set(&out->check.max_epsilon, m->target_epsilon);
    }
    if (m->allowance != NULL && opt->max_epsilon == NULL)
        check_set_multiple(&out->check, &m->groups->item[0].epsilon, number_rational(m->allowance));
    dp_number_clear(&delta);
}

dp_status dp_majority_designs(dp_result *out, const dp_majority *m, const dp_options *opt,
                              dp_error *err)
{
    dp_options own;
    council c = {.m = m, .opt = &own};
    dp_status status = door_open(&own, out, "council", m, opt, err);
    opt = &own;
    if (status == DP_OK)
        status = validate(m, &c.voters, err);
    if (status != DP_OK)
        return status;
    result_start(out);
    start_check(out, m, opt);
    status = open_council(&c, out);
    if (status == DP_OK)
        status = answer_all(out, &c, err);
    if (status == DP_OK)
        remarks(out, &c);
    else if (err != NULL && err->status == DP_OK)
        give_up(out, err, status);
    close_council(&c);
    return result_end(out, status, err);
}
