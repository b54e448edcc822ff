/* SPDX-License-Identifier: MIT */
/* Questions about audits: which rows answer, whether a claim is refuted. */
#include "attack/audit.h"
#include "attack/audit_path.h"

#include "attack/audit_layers.h"
#include "attack/audit_parameters.h"
#include "core/door.h"
#include "core/refine.h"
#include "core/result.h"
#include "num/ival.h"
#include "num/number.h"

/* ---- rows ---- */

static unsigned long count_of(const dp_number *x)
{
    return x != NULL ? mpz_get_ui(number_integer(x)) : 0;
}

static void error_probabilities(audit_in *in)
{
    const dp_audit *a = in->of;
    mpq_set_ui(in->alpha, 1, 1);
    mpq_sub(in->alpha, in->alpha, number_rational(a->confidence));
    if (a->looks != NULL) {
        mpq_set_z(in->part[0], number_integer(a->looks));
        mpq_div(in->alpha, in->alpha, in->part[0]);
    }
    mpq_set_ui(in->part[0], 1, 2);
    if (a->split != NULL)
        mpq_set(in->part[0], number_rational(a->split));
    mpq_mul(in->part[0], in->part[0], in->alpha);
    mpq_sub(in->part[1], in->alpha, in->part[0]);
}

static void in_init(audit_in *in, const dp_audit *a, audit_design d, const dp_options *opt)
{
    *in = (audit_in){.of = a, .claim = a->gdp ? a->mu : opt->max_epsilon};
    mpq_inits(in->alpha, in->part[0], in->part[1], in->delta, in->inclusion, in->included, NULL);
    error_probabilities(in);
    in->sidak = a->method == DP_AUDIT_SIDAK;
    if (a->delta != NULL)
        mpq_set(in->delta, number_rational(a->delta));
    in->hits = count_of(d == AUDIT_TWO_SAMPLES ? a->true_positives : a->correct);
    in->members = count_of(d == AUDIT_TWO_SAMPLES ? a->positives
                           : d == AUDIT_COIN      ? a->trials
                                                  : a->guesses);
    in->alarms = count_of(a->false_positives);
    in->outsiders = count_of(a->negatives);
    in->canaries = a->fixed_positions ? in->members : count_of(a->canaries);
    mpq_set_ui(in->inclusion, 1, 2);
    if (a->inclusion != NULL) { /* the larger of rho and 1 - rho */
        mpq_set(in->inclusion, number_rational(a->inclusion));
        mpq_set(in->included, in->inclusion);
        in->said_in = count_of(a->said_in);
        mpq_t rest;
        mpq_init(rest);
        mpq_set_ui(rest, 1, 1);
        mpq_sub(rest, rest, in->inclusion);
        if (mpq_cmp(rest, in->inclusion) > 0)
            mpq_set(in->inclusion, rest);
        mpq_clear(rest);
    }
}

static void in_clear(audit_in *in)
{
    mpq_clears(in->alpha, in->part[0], in->part[1], in->delta, in->inclusion, in->included, NULL);
}

#define EXTRA_BITS 4096

static dp_status add(dp_result *out, dp_row *row, const char *name, bound_eval eval,
                     const audit_in *in, const dp_options *opt)
{
    return result_refine(out, row_quantity(row, name), 1, eval, in, opt, EXTRA_BITS);
}

/* A further figure of a row: of a method, where it has one. */
typedef struct further {
    const char *name;
    bound_eval eval;
} further;

static const struct {
    const bound *of;
    bound_eval p_value;
    further more[2];
} kinds[] = {
    {&audit_cp, audit_rectangle_p, {{"tpr_lower", audit_tpr}, {"fpr_upper", audit_fpr}}},
    {&audit_cp_sidak, audit_rectangle_p, {{"tpr_lower", audit_tpr}, {"fpr_upper", audit_fpr}}},
    {&audit_fisher, audit_fisher_p, {{NULL, NULL}}},
    {&audit_coin, audit_coin_p, {{"accuracy_lower", audit_accuracy}}},
    {&onerun_pure, audit_run_p, {{NULL, NULL}}},
    {&onerun_exact, audit_run_p, {{NULL, NULL}}},
    {&onerun_adaptive, audit_adaptive_p, {{NULL, NULL}}},
    {&onerun_fdp, audit_fdp_p, {{NULL, NULL}}},
    {&onerun_2023, audit_published_p, {{NULL, NULL}}},
    {&audit_gdp, audit_gdp_p, {{"tpr_lower", audit_tpr}, {"fpr_upper", audit_fpr}}},
    {&audit_gdp_to_eps, NULL, {{NULL, NULL}}},
    {&audit_curve, NULL, {{NULL, NULL}}},
    {&cp_limit, NULL, {{"fpr_upper", audit_fpr}}},
};

static size_t kind_of(const bound *b)
{
    size_t i = 0;
    while (kinds[i].of != b)
        i++;
    return i;
}

static bound_eval p_value_of(const bound *b, const audit_in *in)
{
    return in->of->said_in != NULL ? audit_inclusion_p : kinds[kind_of(b)].p_value;
}

/* A number that was given. */
static void set_number(dp_figure *out, const dp_number *x, size_t digits)
{
    if (x->is_log)
        ival_set_number(figure_enclose(out, refine_bits(digits)), x);
    else
        figure_set_q(out, number_rational(x));
}

static dp_status add_row(dp_result *out, const bound *b, audit_in *in, const dp_options *opt)
{
    if (b->engine != NULL)
        return b->engine(out, in, opt);
    audit_in own = *in;
    own.sidak = in->sidak || b == &audit_cp_sidak;
    dp_row *row = result_row(out, b);
    if (row == NULL)
        return DP_MEMORY;
    size_t kind = kind_of(b);
    const char *name = b == &onerun_fdp && in->of->gdp ? "mu_lower" : b->output[0];
    bool told = in->of->said_in != NULL; /* how many guesses are of which kind */
    dp_status status = add(out, row, name, told ? audit_eval_inclusion : b->eval, &own, opt);
    if (status == DP_OK && b == &audit_curve)
        set_number(row_quantity(row, "epsilon"), in->of->at_epsilon, opt->digits);
    if (status == DP_OK && in->claim != NULL && kinds[kind].p_value != NULL)
        status = add(out, row, "p_value", p_value_of(b, in), &own, opt);
    for (size_t i = 0; status == DP_OK && i < 2 && kinds[kind].more[i].name != NULL; i++)
        status = add(out, row, kinds[kind].more[i].name, kinds[kind].more[i].eval, &own, opt);
    figure_set_q(row_quantity(row, "confidence"), number_rational(in->of->confidence));
    if (mpq_cmp_ui(in->inclusion, 1, 2) != 0 && !told && row->verdict == DP_EXACT)
        row->verdict = DP_PROVED; /* the kinds of the guesses are not asked for */
    return status;
}

/* The row that decides. */
static const bound *chosen(const audit_in *in, audit_design d)
{
    const dp_audit *a = in->of;
    if (a->gdp && d == AUDIT_TWO_SAMPLES)
        return &audit_gdp;
    if (d == AUDIT_TWO_SAMPLES)
        return a->method == DP_AUDIT_CP      ? &audit_cp
               : a->method == DP_AUDIT_SIDAK ? &audit_cp_sidak
                                             : &audit_fisher;
    if (d == AUDIT_COIN)
        return &audit_coin;
    if (a->method == DP_AUDIT_PROFILE)
        return &onerun_profile;
    if (a->method == DP_AUDIT_ADAPTIVE || a->method == DP_AUDIT_FDP)
        return a->method == DP_AUDIT_FDP ? &onerun_fdp : &onerun_adaptive;
    return mpq_sgn(in->delta) == 0 ? &onerun_pure : &onerun_exact;
}

static dp_status add_others(dp_result *out, audit_in *in, audit_design d, const bound *first,
                            const dp_options *opt)
{
    static const bound *const two[] = {&audit_fisher, &audit_cp, &audit_cp_sidak, NULL};
    const dp_audit *a = in->of;
    dp_status status = DP_OK;
    if (a->assume_gaussian)
        status = add_row(out, &audit_gdp_to_eps, in, opt);
    if (status == DP_OK && a->at_epsilon != NULL)
        status = add_row(out, &audit_curve, in, opt);
    if (status == DP_OK && d == AUDIT_ONE_RUN && first != &onerun_profile && !a->gdp &&
        a->inclusion == NULL && (opt->all || a->method == DP_AUDIT_2023))
        status = add_row(out, &onerun_2023, in, opt);
    if (status == DP_OK && d == AUDIT_ONE_RUN && opt->all && a->gdp)
        status = add_row(out, first == &onerun_fdp ? &onerun_profile : &onerun_fdp, in, opt);
    if (!opt->all || d != AUDIT_TWO_SAMPLES || a->gdp)
        return status;
    for (size_t i = 0; status == DP_OK && two[i] != NULL; i++)
        if (two[i] != first)
            status = add_row(out, two[i], in, opt);
    return status == DP_OK ? add_row(out, &cp_limit, in, opt) : status;
}

/* ---- the claim ---- */

#define DECISION_BITS 4096

static dp_status decide(dp_result *out, const audit_in *in, const bound *b, const dp_options *opt)
{
    dp_decision refuted = DP_UNKNOWN;
    dp_status status = DP_OK;
    unsigned met = 0;
    dp_options own = options_meeting(opt, &met);
    limits lim;
    limits_start(&lim, &own);
    audit_in timed = *in;
    timed.lim = &lim;
    if (in->of->gdp) {
        out->check.asked = true;
        out->check.figure = "mu";
        dp_number_set(&out->check.max_figure, in->claim);
    }
    out->check.asked = out->check.asked || in->of->claim_points > 0;
    out->check.is_curve = in->of->claim_points > 0;
    if (b == &onerun_profile)
        refuted = in->refuted;
    else if (b == &audit_cp || b == &audit_cp_sidak)
        refuted = audit_rectangle_refutes(&timed);
    else if (b == &audit_gdp)
        refuted = audit_mu_refutes(&timed);
    else if ((refuted = dp_figure_le(row_figure(&out->row[0], "p_value"), in->alpha)) == DP_UNKNOWN)
        status = refine_decide(&refuted, p_value_of(b, in), 1, 0, &timed, in->alpha, DECISION_BITS,
                               &lim);
    out->check.is_audit = true;
    result_decide(out,
                  refuted == DP_UNKNOWN ? DP_UNKNOWN
                  : refuted == DP_YES   ? DP_NO
                                        : DP_YES,
                  met);
    return status;
}

static void assume(dp_result *out, const dp_audit *a)
{
    result_assume(out, a->replaced ? "the trials differ by one record in the place of another: "
                                     "what is shown is shown for replace-one"
                                   : "the trials differ by one record added: what is shown is "
                                     "shown for add-remove");
    result_assume(out, a->looks != NULL ? "no more figures were looked at than announced; this "
                                          "one has its share of the error probability"
                                        : "this is the only figure that was looked at");
}

/* Are the guesses worse than none? Counts are at most 10^9. */
static bool is_reversed(const audit_in *in, audit_design d)
{
    if (d == AUDIT_TWO_SAMPLES)
        return in->hits * in->outsiders < in->alarms * in->members;
    return in->of->inclusion == NULL && 2 * in->hits < in->members;
}

/* The delta term of a run is at least that of all guesses right, m delta/r (1 - beta): where
 * m delta >= alpha r no level is below alpha. */
static bool is_beyond_delta(const audit_in *in, audit_design d)
{
    if (d != AUDIT_ONE_RUN || in->of->gdp || in->of->claim_points > 0 || in->members == 0)
        return false;
    mpq_t spent, allowed;
    mpq_inits(spent, allowed, NULL);
    mpq_set_ui(spent, in->canaries, 1);
    mpq_mul(spent, spent, in->delta);
    mpq_set_ui(allowed, in->members, 1);
    mpq_mul(allowed, allowed, in->alpha);
    bool beyond = mpq_cmp(spent, allowed) >= 0;
    mpq_clears(spent, allowed, NULL);
    return beyond;
}

/* An adaptive audit without a max_epsilon that shows nothing, though half and more is right. */
static bool shows_nothing_at_one(dp_result *out, const audit_in *in, const dp_options *opt)
{
    if (out->count == 0 || out->row[0].theorem != &onerun_adaptive.theorem ||
        opt->max_epsilon != NULL || 2 * in->hits <= in->members)
        return false;
    const dp_figure *f = row_figure(&out->row[0], "epsilon_lower");
    return f != NULL && f->kind == DP_RATIONAL && mpq_sgn(f->rational) == 0;
}

static void add_notes(dp_result *out, const audit_in *in, audit_design d, const dp_options *opt)
{
    if (mpq_cmp_ui(number_rational(in->of->confidence), 1, 2) < 0)
        result_note(out,
                    "a statement of a confidence below 1/2 is more likely false than true: that "
                    "of 95 % is 0.95");
    if (is_reversed(in, d))
        result_note(out,
                    d == AUDIT_TWO_SAMPLES
                        ? "a smaller share of the trials with the record is called in than of "
                          "those without it: the attack read the other way, with N1 - TP and "
                          "N0 - FP, is one more look (looks 2)"
                        : "less than half of the guesses are right: the attack read the other way, "
                          "with those that were wrong, is one more look (looks 2)");
    if (is_beyond_delta(in, d))
        result_note(out, "so many guesses show nothing at this delta, were they all right: it is "
                         "spent on each canary, and canaries times delta is not below (1 - C) "
                         "times the guesses; fewer canaries or a smaller target_delta may");
    if (shows_nothing_at_one(out, in, opt))
        result_note(out,
                    "outcomes are in the order of the reference epsilon 1, at which this attack "
                    "shows nothing: of one that is expected to show less give a smaller "
                    "max_epsilon, before the run");
    if (opt->all && out->count > 1 && d == AUDIT_TWO_SAMPLES)
        result_note(out, "each row has an error probability of its own: the largest of several is "
                         "a finding only where it is divided by their number (looks)");
}

static dp_status answer(dp_result *out, audit_in *in, audit_design d, const dp_options *opt)
{
    limits lim;
    audit_limits kept;
    path thresholds = {.parts = 0};
    limits_start(&lim, opt);
    audit_limits_init(&kept);
    in->lim = &lim;
    in->limits = &kept;
    in->path = &thresholds;
    const bound *first = chosen(in, d);
    dp_status status = add_row(out, first, in, opt);
    if (status == DP_OK)
        status = add_others(out, in, d, first, opt);
    out->guarantee = 0;
    out->is_finding = true;
    add_notes(out, in, d, opt);
    in->lim = NULL;
    if (status == DP_OK && (in->claim != NULL || in->of->claim_points > 0))
        status = decide(out, in, first, opt);
    in->limits = NULL;
    in->path = NULL;
    path_clear(&thresholds);
    audit_limits_clear(&kept);
    return status;
}

/* ---- plans ---- */

static dp_status plan(dp_result *out, const dp_audit *a, const dp_options *opt, dp_error *err)
{
    audit_in in;
    dp_audit own = *a;
    if (!own.one_run && own.method == DP_AUDIT_BY_DESIGN)
        own.method = DP_AUDIT_FISHER;
    in_init(&in, &own, AUDIT_COIN, opt);
    in.claim = a->claim_epsilon;
    bool allowed = audit_plan_is_allowed(&in);
    dp_status status = allowed ? DP_UNAVAILABLE : audit_plan_engine(out, &in, opt);
    if (allowed) {
        fail(err, status, a->tpr != NULL ? "tpr" : "accuracy",
             a->tpr != NULL
                 ? "and fpr are rates that the claim allows: no number of trials refutes "
                   "it with that power; above e^epsilon fpr + delta they would"
                 : "is one that the claim allows: no number of trials refutes it with "
                   "that power; above e^epsilon/(1 + e^epsilon) it would");
    } else if (status == DP_UNAVAILABLE) {
        fail(
            err, status, "claim_epsilon",
            "cannot be refuted at this delta and confidence, or not by as many trials as are "
            "tried (10^9; with a power 20000 of two samples where the confidence is below 1/2, and "
            "10^7 of one run with a delta or with such a confidence)");
    }
    out->guarantee = 0;
    out->is_finding = true;
    in_clear(&in);
    return status;
}

dp_status dp_audit_evaluate(dp_result *out, const dp_audit *a, const dp_options *opt, dp_error *err)
{
    dp_options own;
    audit_design d = AUDIT_COIN;
    dp_status status = door_open(&own, out, "audit", a, opt, err);
    opt = &own;
    if (status == DP_OK)
        status = audit_check(&d, a, opt, err);
    if (status != DP_OK)
        return status;
    result_start(out);
    out->adjacency = dp_relation_text(a->replaced ? DP_REPLACE_ONE : DP_ADD_REMOVE);
    result_check_start(out, opt, NULL, a->delta);
    assume(out, a);
    if (a->plan)
        return result_end(out, plan(out, a, opt, err), err);
    audit_in in;
    in_init(&in, a, d, opt);
    status = answer(out, &in, d, opt);
    in_clear(&in);
    return result_end(out, status, err);
}
