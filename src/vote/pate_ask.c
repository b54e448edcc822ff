/* SPDX-License-Identifier: MIT */
/* Questions about teachers' votes: targets, budgets, and the rows that answer them. */
#include "vote/pate_instance.h"

#include <stdint.h>

#include "core/door.h"
#include "core/result.h"
#include "num/number.h"
#include "vote/parameters.h"

typedef struct answering {
    const dp_pate *p;
    pate_account account;
    pate_in in;
    logform x;
    mpq_t delta;
    pate_budget budget; /* while solving */
    limits lim;
    const dp_options *opt;
    dp_result *out;
} answering;

/* ---- what is asked ---- */

static dp_status domains(const dp_pate *p, dp_error *err)
{
    const given all[] = {
        {&pate_inverse_scale, .number = p->inverse_scale},
        {&pate_sigma, .number = p->sigma},
        {&pate_sigma_threshold, .number = p->sigma_threshold},
        {&pate_queries, .number = p->queries},
        {&pate_answered, .number = p->answered},
        {&pate_teachers, .number = p->teachers},
        {&pate_threshold, .number = p->threshold},
        {&pate_classes, .number = p->classes},
        {&pate_target_epsilon, .number = p->target_epsilon},
        {&pate_target_delta, .number = p->target_delta},
    };
    dp_status status = door_choice(&pate_aggregator, (int)p->aggregator, err);
    if (status == DP_OK)
        status = door_choice(&list_adjacency, (int)p->adjacency, err);
    if (status == DP_OK)
        status = door_enum("solve", (int)p->solve, DP_PATE_SIGMA, err);
    if (status == DP_OK)
        status = DOOR_GIVEN(all, err);
    if (status == DP_OK)
        status = door_array(&pate_votes_given, p->votes, p->vote_count, err);
    return status == DP_OK ? door_array(&pate_instance, p->instance, p->instance_count, err)
                           : status;
}

/* Do `count` numbers sum to it? NULL: to 1. */
static bool sums_to(const mpq_t *x, size_t count, mpq_srcptr whole)
{
    mpq_t sum;
    mpq_init(sum);
    for (size_t c = 0; c < count; c++)
        mpq_add(sum, sum, x[c]);
    bool equal = whole != NULL ? mpq_equal(sum, whole) != 0 : mpq_cmp_ui(sum, 1, 1) == 0;
    mpq_clear(sum);
    return equal;
}

static size_t classes_of(const dp_pate *p)
{
    mpz_srcptr z = p->classes != NULL ? number_integer(p->classes) : NULL;
    return z == NULL ? 2 : mpz_fits_ulong_p(z) ? mpz_get_ui(z) : SIZE_MAX;
}

static dp_status validate_instance(const dp_pate *p, dp_error *err)
{
    if (p->classes != NULL && p->instance_count == 0)
        return fail(err, DP_DOMAIN, "classes", "is of instance alone");
    if (p->instance_count == 0)
        return DP_OK;
    size_t classes = classes_of(p), line = p->instance_line;
    if (p->aggregator != DP_LNMAX)
        return fail(err, DP_DOMAIN, "instance", "is of lnmax alone");
    if (line == 0 || p->instance_count % line != 0)
        return fail(err, DP_DOMAIN, "instance", "must be as many for each record");
    if (line % classes != 0)
        return fail(err, DP_DOMAIN, "classes",
                    "must divide the numbers of a line, as many for each query");
    if (p->vote_count > 0 && (p->vote_classes != classes || p->vote_count != line))
        return fail(err, DP_DOMAIN, "votes", "must be those of the queries of instance, by class");
    if (p->solve != DP_PATE_NOTHING)
        return fail(err, DP_DOMAIN, "instance", "excludes solve: what was spent fits no budget");
    if (p->queries != NULL && mpz_cmp_ui(number_integer(p->queries), line / classes) != 0)
        return fail(err, DP_DOMAIN, "queries", "must be those of a line of instance; leave it out");
    for (size_t i = 0; i < p->instance_count; i += classes)
        if (!sums_to(p->instance + i, classes, NULL))
            return fail(err, DP_DOMAIN, "instance",
                        "must sum to 1 for each query, with thirds written 1/3");
    return DP_OK;
}

static dp_status validate_votes(const dp_pate *p, dp_error *err)
{
    if (p->threshold != NULL && p->aggregator != DP_CONFIDENT_GNMAX)
        return fail(err, DP_DOMAIN, "threshold", "is of confident-gnmax alone");
    if (p->vote_count == 0)
        return DP_OK;
    if (p->vote_classes == 0 || p->vote_count % p->vote_classes != 0)
        return fail(err, DP_DOMAIN, "votes", "must be as many for each query as there are classes");
    size_t lines = p->vote_count / p->vote_classes;
    if (p->solve != DP_PATE_NOTHING)
        return fail(err, DP_DOMAIN, "votes", "excludes solve: what votes spent fits no budget");
    if (p->queries != NULL && mpz_cmp_ui(number_integer(p->queries), lines) != 0)
        return fail(err, DP_DOMAIN, "queries",
                    "must be the number of lines of votes; leave it out");
    if (p->threshold == NULL && p->aggregator == DP_CONFIDENT_GNMAX)
        return fail(err, DP_DOMAIN, "threshold", "is missing; the votes are tested against it");
    for (size_t i = 0; p->teachers != NULL && i < lines; i++)
        if (!sums_to(p->votes + i * p->vote_classes, p->vote_classes, number_rational(p->teachers)))
            return fail(err, DP_DOMAIN, "teachers", "must be the sum of the votes of each query");
    return DP_OK;
}

static dp_status validate_solve(const dp_pate *p, const dp_options *opt, dp_error *err)
{
    bool queries = p->solve == DP_PATE_QUERIES;
    if (p->solve == DP_PATE_NOTHING)
        return DP_OK;
    if (queries && p->queries != NULL)
        return fail(err, DP_DOMAIN, "queries", "is what solve is to find; leave it out");
    if (!queries && p->aggregator == DP_LNMAX)
        return fail(err, DP_DOMAIN, "solve", "must be queries for lnmax, which has no sigma");
    if (!queries && p->sigma != NULL)
        return fail(err, DP_DOMAIN, "sigma", "is what solve is to find; leave it out");
    if (p->target_epsilon != NULL || p->target_delta != NULL)
        return fail(err, DP_DOMAIN, p->target_delta != NULL ? "target_delta" : "target_epsilon",
                    "excludes solve, which is for a budget; give max_epsilon and max_delta");
    if (opt->max_epsilon == NULL && opt->max_delta == NULL)
        return fail(err, DP_DOMAIN, "max_epsilon", "is missing; give the budget to stay within");
    if (opt->max_delta != NULL && mpq_cmp_ui(number_rational(opt->max_delta), 1, 1) >= 0)
        return fail(err, DP_UNAVAILABLE, "max_delta", "allows any number of queries and any noise");
    if (!queries && opt->max_delta == NULL)
        return fail(err, DP_UNAVAILABLE, "max_delta",
                    "is missing: Gaussian noise has no finite epsilon at delta = 0");
    return DP_OK;
}

static dp_status validate(const dp_pate *p, const dp_options *opt, dp_error *err)
{
    dp_status status = domains(p, err);
    if (status != DP_OK)
        return status;
    const char *name, *fault;
    fault = pate_fault(&name, p->aggregator, p->inverse_scale != NULL,
                       p->sigma != NULL || (p->solve == DP_PATE_SIGMA && p->aggregator != DP_LNMAX),
                       p->sigma_threshold != NULL);
    if (fault == NULL)
        fault = pate_count_fault(&name, p->aggregator, p->queries, p->answered);
    if (fault != NULL)
        return fail(err, DP_DOMAIN, name, fault);
    if (p->target_epsilon != NULL && p->target_delta != NULL)
        return fail(err, DP_DOMAIN, "target_epsilon", "excludes target_delta; give one of them");
    status = validate_votes(p, err);
    if (status == DP_OK)
        status = validate_instance(p, err);
    return status == DP_OK ? validate_solve(p, opt, err) : status;
}

/* The target, or what the budget gives in its place; without either that of a bounded loss. */
static dp_status set_target(answering *a, dp_error *err)
{
    const dp_number *x = a->p->target_epsilon, *delta = a->p->target_delta;
    const dp_check *check = &a->out->check;
    bool any = x != NULL || delta != NULL;
    if (a->p->solve != DP_PATE_NOTHING || (!any && a->opt->max_delta != NULL))
        delta = &check->max_delta;
    else if (!any && check->asked)
        x = &check->max_epsilon;
    if (x == NULL && delta == NULL && a->p->aggregator != DP_LNMAX)
        return fail(err, DP_UNAVAILABLE, "target_delta",
                    "is missing: Gaussian noise has no finite epsilon of its own; give "
                    "target_delta or target_epsilon");
    a->in.of = &a->account;
    if (a->p->solve != DP_PATE_NOTHING && !logform_add_number(&a->x, NULL, &check->max_epsilon))
        return DP_MEMORY;
    if (x != NULL) {
        a->in.x = &a->x;
        return logform_add_number(&a->x, NULL, x) ? DP_OK : DP_MEMORY;
    }
    a->in.delta = a->delta;
    if (delta != NULL)
        mpq_set(a->delta, number_rational(delta));
    return DP_OK;
}

/* ---- rows ---- */

static dp_status evaluate(answering *a, const bound *b, const pate_in *in)
{
    return b->engine != NULL ? b->engine(a->out, (void *)in, a->opt)
                             : result_evaluate(a->out, b, in, a->opt);
}

static void add_solved(answering *a, const pate_account *found)
{
    dp_row *row = &a->out->row[a->out->count - 1];
    bool queries = a->p->solve == DP_PATE_QUERIES;
    dp_figure *f = row_quantity(row, queries ? "queries" : "sigma");
    mpq_t q;
    mpq_init(q);
    mpq_set_z(q, found->asked);
    figure_set_q(f, queries ? q : found->scale);
    mpq_clear(q);
}

/* Where not even one query fits the row shows what one spends at the budget's epsilon. */
static dp_status show_solved(answering *a, const bound *b, pate_account *found)
{
    bool none = mpz_sgn(found->asked) == 0;
    pate_in in = {.of = found, .delta = a->delta};
    if (none) {
        mpz_set_ui(found->asked, 1);
        in = (pate_in){.of = found, .x = &a->x};
    }
    dp_status status = evaluate(a, b, &in);
    if (none)
        mpz_set_ui(found->asked, 0);
    if (status == DP_OK)
        add_solved(a, found);
    return status;
}

/* Appends the row with what it proves to fit, if anything does. */
static dp_status solve_row(answering *a, const bound *b)
{
    bool queries = a->p->solve == DP_PATE_QUERIES, after = b == &pate_stop_after;
    pate_account found;
    pate_account_init(&found);
    pate_account_set(&found, &a->account);
    a->budget.row = after ? &pate_moments : b;
    dp_decision fits =
        queries ? pate_most_queries(&found, &a->budget) : pate_least_sigma(&found, &a->budget);
    if (after)
        mpz_add_ui(found.asked, found.asked, 1);
    dp_status status = DP_OK;
    bool shown = queries ? fits != DP_UNKNOWN || mpz_sgn(found.asked) > 0
                         : fits != DP_NO && mpq_sgn(found.scale) > 0;
    if (fits == DP_UNKNOWN && shown)
        result_note(a->out, "within the limits it is not known whether more queries, or less "
                            "noise, would keep the budget");
    if (shown && !(after && fits == DP_UNKNOWN))
        status = show_solved(a, b, &found);
    pate_account_clear(&found);
    return status;
}

static dp_status rows(answering *a)
{
    static const bound *const list[] = {&pate_gaussian, &pate_laplace, &pate_pure,
                                        &pate_renyi,    &pate_moments, &pate_stop_after};
    dp_status status = DP_OK;
    for (size_t i = 0; status == DP_OK && i < sizeof list / sizeof *list; i++) {
        const bound *b = list[i];
        bool shown = a->opt->all || !b->only_all || (b->after_limit && a->out->met != 0);
        if (!shown || !b->applies(&a->in) ||
            (b == &pate_stop_after && a->p->solve != DP_PATE_QUERIES))
            continue;
        status = a->p->solve != DP_PATE_NOTHING ? solve_row(a, b) : evaluate(a, b, &a->in);
    }
    return status;
}

/* ---- what given votes spent ---- */

#define INSTANCE_WARNING                                                                           \
    "per-instance figures are computed from private votes: no differential privacy, not to be "    \
    "published"

static dp_status vote_rows_of(answering *a, pate_instance_in *in, mpq_t alpha)
{
    const dp_pate *p = a->p;
    pate_votes v;
    dp_status status = pate_votes_init(&v, &a->account, p->votes, p->vote_count, p->vote_classes,
                                       number_rational(p->threshold));
    renyi_curve guess = {.at = pate_votes_guess, .of = &v};
    in->curve = (renyi_curve){.at = pate_votes_curve, .of = &v};
    in->votes = &v;
    bool laplace = p->aggregator == DP_LNMAX;
    if (status == DP_OK && pate_instance_order(alpha, &guess, &a->in))
        status = result_evaluate(a->out, laplace ? &pate_lnmax_instance : &pate_gnmax_instance, in,
                                 a->opt);
    if (status == DP_OK && laplace && a->opt->all)
        status = result_evaluate(a->out, &pate_lnmax_script, in, a->opt);
    pate_votes_clear(&v);
    return status;
}

static dp_status share_rows(answering *a, pate_instance_in *in, mpq_t alpha)
{
    const dp_pate *p = a->p;
    size_t classes = classes_of(p);
    pate_shares s;
    dp_status status =
        pate_shares_init(&s, &a->account, p->instance, p->vote_count > 0 ? p->votes : NULL,
                         p->instance_count / p->instance_line, p->instance_line / classes, classes);
    renyi_curve guess = {.at = pate_shares_guess, .of = &s};
    in->curve = (renyi_curve){.at = pate_shares_curve, .of = &s};
    in->shares = &s;
    if (status == DP_OK && pate_instance_order(alpha, &guess, &a->in))
        status = result_evaluate(a->out, &pate_bagging_instance, in, a->opt);
    if (status == DP_OK && a->opt->all)
        status = result_evaluate(a->out, &pate_bagging_published, in, a->opt);
    pate_shares_clear(&s);
    return status;
}

static dp_status instance_rows(answering *a)
{
    if (a->p->vote_count + a->p->instance_count == 0)
        return DP_OK;
    result_warn(a->out, INSTANCE_WARNING);
    if (!pate_has_order(&a->in)) {
        result_note(a->out, "what was spent of the actual data is known at a delta between 0 and "
                            "1, or at an epsilon");
        return DP_OK;
    }
    mpq_t alpha;
    mpq_init(alpha);
    pate_instance_in in = {.in = a->in};
    in.in.alpha = alpha;
    dp_status status = a->p->vote_count > 0 ? vote_rows_of(a, &in, alpha) : DP_OK;
    if (status == DP_OK && a->p->instance_count > 0)
        status = share_rows(a, &in, alpha);
    mpq_clear(alpha);
    return status;
}

/* ---- which row decides ---- */

static const char *compared(const answering *a)
{
    return a->p->solve == DP_PATE_QUERIES ? "queries"
           : a->p->solve == DP_PATE_SIGMA ? "sigma"
           : a->in.delta != NULL          ? "epsilon"
                                          : "delta";
}

static bool is_before(const answering *a, const dp_row *x, const dp_row *y)
{
    if ((x->verdict == DP_UNSOUND) != (y->verdict == DP_UNSOUND))
        return y->verdict == DP_UNSOUND;
    const char *name = compared(a);
    int order = figure_compare_upper(row_figure(x, name), row_figure(y, name));
    return a->p->solve == DP_PATE_QUERIES ? order > 0 : order < 0;
}

/* Strongest first; what is not asked for is dropped. */
static void arrange(answering *a)
{
    dp_result *r = a->out;
    for (size_t i = 1; i < r->count; i++)
        for (size_t j = i; j > 0 && is_before(a, &r->row[j], &r->row[j - 1]); j--) {
            dp_row swap = r->row[j];
            r->row[j] = r->row[j - 1];
            r->row[j - 1] = swap;
        }
    if (!a->opt->all && r->count > 1)
        r->count = 1;
    r->guarantee = 0;
}

#define NOISY                                                                                      \
    "refuted for the noisy votes themselves; where only the answers are published less may be "    \
    "spent"

static void decide(answering *a, const pate_account *of)
{
    static const bound *const list[] = {&pate_gaussian, &pate_laplace, &pate_pure, &pate_renyi};
    const dp_check *check = &a->out->check;
    dp_decision holds = DP_UNKNOWN;
    unsigned met = 0;
    dp_options own = options_meeting(a->opt, &met);
    limits lim;
    limits_start(&lim, &own);
    bool all = mpq_cmp_ui(number_rational(&check->max_delta), 1, 1) >= 0;
    for (size_t i = 0; !all && holds == DP_UNKNOWN && i < sizeof list / sizeof *list; i++)
        if ((list[i] == &pate_gaussian) == (of->kind != DP_LNMAX))
            holds =
                pate_row_meets(of, &(pate_budget){.row = list[i],
                                                  .max_epsilon = &check->max_epsilon,
                                                  .max_delta = number_rational(&check->max_delta),
                                                  .lim = &lim});
    result_decide(a->out, all ? DP_YES : holds, met != 0 ? met : DP_MET_BOUND);
    if (holds == DP_NO)
        result_note(a->out, NOISY);
}

/* Is the budget exceeded whatever sigma is? */
static bool threshold_alone(answering *a)
{
    pate_account tests;
    pate_account_init(&tests);
    pate_account_set(&tests, &a->account);
    tests.capped = true;
    mpz_set_ui(tests.answered, 0);
    mpq_set_ui(tests.scale, 1, 1);
    a->budget.row = &pate_gaussian;
    bool no = pate_row_meets(&tests, &a->budget) == DP_NO;
    pate_account_clear(&tests);
    return no;
}

static dp_status finish_solve(answering *a, dp_error *err)
{
    dp_result *r = a->out;
    bool sigma = r->count == 0 && a->p->solve == DP_PATE_SIGMA,
         zero = mpq_sgn(number_rational(&r->check.max_delta)) == 0;
    if (sigma && (zero || threshold_alone(a))) {
        result_decide(r, DP_NO, 0);
        result_note(r, zero ? "no sigma fits: delta is above 0 at every epsilon and any sigma"
                            : "no sigma fits: the threshold tests alone spend more");
        return DP_OK;
    }
    if (r->count == 0)
        return result_fail(r, err, DP_UNDECIDED);
    const dp_figure *queries = row_figure(&r->row[0], "queries");
    if (queries == NULL || mpq_sgn(queries->rational) > 0) {
        result_decide(r, DP_YES, 0);
        return DP_OK;
    }
    pate_account one;
    pate_account_init(&one);
    pate_account_set(&one, &a->account);
    mpz_set_ui(one.asked, 1);
    decide(a, &one);
    pate_account_clear(&one);
    if (r->check.holds == DP_UNKNOWN)
        result_note(r, "not even one query is proved to fit; the row shows what it spends");
    return DP_OK;
}

static dp_status answer(answering *a, dp_error *err)
{
    dp_status status = set_target(a, err);
    if (status != DP_OK)
        return status;
    a->budget = (pate_budget){.max_epsilon = &a->out->check.max_epsilon,
                              .max_delta = number_rational(&a->out->check.max_delta),
                              .digits = a->opt->digits,
                              .lim = &a->lim};
    if (a->p->solve != DP_PATE_SIGMA || mpq_sgn(a->budget.max_delta) > 0)
        status = rows(a);
    if (status != DP_OK)
        return result_fail(a->out, err, status);
    arrange(a);
    status = instance_rows(a);
    if (status != DP_OK)
        return result_fail(a->out, err, status);
    result_note(a->out, "one record belongs to one teacher, and the assignment of the others does "
                        "not move with it");
    if (a->p->solve != DP_PATE_NOTHING)
        return finish_solve(a, err);
    if (a->out->check.asked)
        decide(a, &a->account);
    return DP_OK;
}

dp_status dp_pate_privacy(dp_result *out, const dp_pate *p, const dp_options *opt, dp_error *err)
{
    dp_options own;
    dp_status status = door_open(&own, out, "votes", p, opt, err);
    opt = &own;
    if (status == DP_OK)
        status = validate(p, opt, err);
    if (status != DP_OK)
        return status;
    const dp_number *const part[] = {p->inverse_scale, p->sigma, p->sigma_threshold, p->queries,
                                     p->answered};
    answering a = {.p = p, .opt = opt, .out = out};
    result_start(out);
    out->adjacency = dp_relation_text(p->adjacency);
    result_check_start(out, opt, p->target_epsilon, p->target_delta);
    out->check.asked = out->check.asked || p->solve != DP_PATE_NOTHING;
    pate_account_init(&a.account);
    logform_init(&a.x);
    mpq_init(a.delta);
    limits_start(&a.lim, opt);
    a.lim.met = &out->met;
    pate_account_read(&a.account, p->aggregator, part);
    if (p->vote_count > 0)
        mpz_set_ui(a.account.asked, p->vote_count / p->vote_classes);
    if (p->instance_count > 0)
        mpz_set_ui(a.account.asked, p->instance_line / classes_of(p));
    status = answer(&a, err);
    mpq_clear(a.delta);
    logform_clear(&a.x);
    pate_account_clear(&a.account);
    return result_end(out, status, err);
}
