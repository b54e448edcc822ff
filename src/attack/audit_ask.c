/* SPDX-License-Identifier: MIT */
/* Questions about audits: which design they are of, which rows answer, whether a claim is refuted.
 */
#include "attack/audit.h"

#include "attack/audit_parameters.h"
#include "core/door.h"
#include "core/refine.h"
#include "core/result.h"
#include "num/ival.h"
#include "num/number.h"

/* ---- what is asked ---- */

static dp_status domains(const dp_audit *a, dp_error *err)
{
    const given all[] = {
        {&audit_true_positives, .number = a->true_positives},
        {&audit_positives, .number = a->positives},
        {&audit_false_positives, .number = a->false_positives},
        {&audit_negatives, .number = a->negatives},
        {&audit_correct, .number = a->correct},
        {&audit_trials, .number = a->trials},
        {&audit_canaries, .number = a->canaries},
        {&audit_guesses, .number = a->guesses},
        {&audit_delta, .number = a->delta},
        {&audit_confidence, .number = a->confidence},
        {&audit_split, .number = a->split},
        {&audit_looks, .number = a->looks},
        {&audit_mu, .number = a->mu},
        {&audit_inclusion, .number = a->inclusion},
        {&audit_at_epsilon, .number = a->at_epsilon},
        {&audit_claim_epsilon, .number = a->claim_epsilon},
        {&audit_attack_accuracy, .number = a->accuracy},
        {&audit_power, .number = a->power},
    };
    return DOOR_GIVEN(all, err);
}

typedef enum design { TWO_SAMPLES, COIN, ONE_RUN } design;

/* What is given of each design, as bits. */
static unsigned two_given(const dp_audit *a)
{
    return (a->true_positives != NULL) + 2U * (a->positives != NULL) +
           4U * (a->false_positives != NULL) + 8U * (a->negatives != NULL);
}

static dp_status find_design(design *d, const dp_audit *a, dp_error *err)
{
    unsigned two = two_given(a);
    bool run = a->one_run || a->canaries != NULL || a->guesses != NULL;
    if (two != 0 && (run || a->correct != NULL || a->trials != NULL))
        return fail(err, DP_DOMAIN,
                    run                  ? "one_run"
                    : a->correct != NULL ? "correct"
                                         : "trials",
                    "is of another design than true_positives, positives, false_positives "
                    "and negatives; one audit is of one design, fixed before the data are seen");
    if (run && a->trials != NULL)
        return fail(err, DP_DOMAIN, "trials",
                    "are independent, the canaries of one run are not; with one_run give "
                    "canaries, guesses and correct");
    *d = two != 0 ? TWO_SAMPLES : run ? ONE_RUN : COIN;
    if (*d == TWO_SAMPLES && two != 15)
        return fail(err, DP_DOMAIN,
                    !(two & 1)   ? "true_positives"
                    : !(two & 2) ? "positives"
                    : !(two & 4) ? "false_positives"
                                 : "negatives",
                    "is missing; two samples are four counts: true_positives of positives, "
                    "false_positives of negatives");
    if (*d == ONE_RUN &&
        (!a->one_run || a->canaries == NULL || a->guesses == NULL || a->correct == NULL))
        return fail(err, DP_DOMAIN,
                    !a->one_run           ? "one_run"
                    : a->canaries == NULL ? "canaries"
                    : a->guesses == NULL  ? "guesses"
                                          : "correct",
                    "is missing; one run is one_run with canaries, guesses and correct");
    if (*d == COIN && (a->correct == NULL || a->trials == NULL))
        return fail(err, DP_DOMAIN,
                    a->correct == NULL && a->trials != NULL ? "correct"
                    : a->correct != NULL                    ? "trials"
                                                            : "true_positives",
                    "is missing; give true_positives, positives, false_positives and "
                    "negatives, or correct and trials, or one_run with canaries, "
                    "guesses and correct");
    return DP_OK;
}

static bool is_above(const dp_number *part, const dp_number *whole)
{
    return mpz_cmp(number_integer(part), number_integer(whole)) > 0;
}

static dp_status counts(const dp_audit *a, design d, dp_error *err)
{
    if (d == TWO_SAMPLES && is_above(a->true_positives, a->positives))
        return fail(err, DP_DOMAIN, "true_positives",
                    "are more than the trials with the record; positives is the number of all "
                    "of these, not of the calls");
    if (d == TWO_SAMPLES && is_above(a->false_positives, a->negatives))
        return fail(err, DP_DOMAIN, "false_positives",
                    "are more than the trials without the record; negatives is the number of "
                    "all of these");
    if (d == COIN && is_above(a->correct, a->trials))
        return fail(err, DP_DOMAIN, "correct", "guesses are more than the trials");
    if (d == ONE_RUN && is_above(a->correct, a->guesses))
        return fail(err, DP_DOMAIN, "correct", "guesses are more than all guesses");
    if (d == ONE_RUN && is_above(a->guesses, a->canaries))
        return fail(err, DP_DOMAIN, "guesses",
                    "are more than the canaries, of which each is guessed once at most");
    return DP_OK;
}

static dp_status sizes(const dp_audit *a, dp_error *err)
{
    if (a->method == DP_AUDIT_ADAPTIVE &&
        mpz_cmp_ui(number_integer(a->canaries), ADAPTIVE_MOST) > 0)
        return fail(err, DP_DOMAIN, "canaries",
                    "are more than 100000, which the method adaptive takes one by one; fix the "
                    "number of guesses and take the method exact");
    if (a->method == DP_AUDIT_FDP && mpz_cmp_ui(number_integer(a->guesses), FDP_MOST) > 0)
        return fail(err, DP_DOMAIN, "guesses",
                    "are more than 20000, which the method fdp takes one by one; the method exact "
                    "is stronger for a claim of (epsilon, delta)");
    if (a->method == DP_AUDIT_ADAPTIVE && a->fixed_positions)
        return fail(err, DP_DOMAIN, "fixed_positions",
                    "are not chosen by the attack; the method exact is about them");
    return DP_OK;
}

static bool of_two(dp_audit_method m)
{
    return m == DP_AUDIT_CP || m == DP_AUDIT_SIDAK || m == DP_AUDIT_FISHER;
}

static dp_status methods(const dp_audit *a, design d, dp_error *err)
{
    bool two = of_two(a->method), coin = a->method == DP_AUDIT_COIN;
    if (a->method != DP_AUDIT_BY_DESIGN && (two    ? d != TWO_SAMPLES
                                            : coin ? d != COIN
                                                   : d != ONE_RUN))
        return fail(err, DP_DOMAIN, "method",
                    "is of another design: fisher, cp and sidak are of two samples, coin of "
                    "trials, exact, adaptive, fdp and 2023 of one_run");
    if (a->split != NULL && (d != TWO_SAMPLES || a->method != DP_AUDIT_CP))
        return fail(err, DP_DOMAIN, "split",
                    "is of the method cp, whose two limits share the error probability");
    if (a->at_epsilon != NULL && a->method != DP_AUDIT_CP && a->method != DP_AUDIT_SIDAK)
        return fail(err, DP_DOMAIN, "at_epsilon",
                    "is read off a rectangle of two rates; it needs method cp or sidak");
    if (a->fixed_positions && d != ONE_RUN)
        return fail(err, DP_DOMAIN, "fixed_positions", "is of one_run, whose canaries it names");
    if (a->inclusion != NULL && (d != ONE_RUN || a->method != DP_AUDIT_BY_DESIGN ||
                                 (a->delta != NULL && dp_number_sgn(a->delta) > 0)))
        return fail(err, DP_DOMAIN, "inclusion",
                    "other than by fair coins is known for one_run at delta 0 alone");
    if (a->gdp &&
        !(a->method == DP_AUDIT_CP || a->method == DP_AUDIT_SIDAK || a->method == DP_AUDIT_FDP))
        return fail(err, DP_DOMAIN, "gdp",
                    "needs method cp or sidak of two samples, or method fdp of one run");
    if (a->assume_gaussian &&
        (!a->gdp || d != TWO_SAMPLES || a->delta == NULL || dp_number_sgn(a->delta) == 0))
        return fail(err, DP_DOMAIN, "assume_gaussian",
                    "is of a claim of gdp with two samples, and needs a delta above 0");
    if (a->mu != NULL && !a->gdp)
        return fail(err, DP_DOMAIN, "mu", "is of a claim of gdp");
    if (a->claim_epsilon != NULL || a->power != NULL || a->accuracy != NULL)
        return fail(err, DP_DOMAIN,
                    a->claim_epsilon != NULL ? "claim_epsilon"
                    : a->power != NULL       ? "power"
                                             : "accuracy",
                    "is of a plan; a claim about these outcomes is max_epsilon");
    return sizes(a, err);
}

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

static void in_init(audit_in *in, const dp_audit *a, design d, const dp_options *opt)
{
    *in = (audit_in){.of = a, .claim = a->gdp ? a->mu : opt->max_epsilon};
    mpq_inits(in->alpha, in->part[0], in->part[1], in->delta, in->inclusion, NULL);
    error_probabilities(in);
    in->sidak = a->method == DP_AUDIT_SIDAK;
    if (a->delta != NULL)
        mpq_set(in->delta, number_rational(a->delta));
    in->hits = count_of(d == TWO_SAMPLES ? a->true_positives : a->correct);
    in->members = count_of(d == TWO_SAMPLES ? a->positives : d == COIN ? a->trials : a->guesses);
    in->alarms = count_of(a->false_positives);
    in->outsiders = count_of(a->negatives);
    in->canaries = a->fixed_positions ? in->members : count_of(a->canaries);
    mpq_set_ui(in->inclusion, 1, 2);
    if (a->inclusion != NULL) { /* the larger of rho and 1 - rho */
        mpq_set(in->inclusion, number_rational(a->inclusion));
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
    mpq_clears(in->alpha, in->part[0], in->part[1], in->delta, in->inclusion, NULL);
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
    {&audit_gdp, NULL, {{"tpr_lower", audit_tpr}, {"fpr_upper", audit_fpr}}},
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

/* A number that was given. */
static void set_number(dp_figure *out, const dp_number *x, size_t digits)
{
    if (x->is_log)
        ival_set_number(figure_enclose(out, refine_bits(digits)), x);
    else
        figure_set_q(out, number_rational(x));
}

static dp_status add_row(dp_result *out, const bound *b, const audit_in *in, const dp_options *opt)
{
    audit_in own = *in;
    own.sidak = in->sidak || b == &audit_cp_sidak;
    dp_row *row = result_row(out, b);
    if (row == NULL)
        return DP_MEMORY;
    size_t kind = kind_of(b);
    const char *name = b == &onerun_fdp && in->of->gdp ? "mu_lower" : b->output[0];
    dp_status status = add(out, row, name, b->eval, &own, opt);
    if (status == DP_OK && b == &audit_curve)
        set_number(row_quantity(row, "epsilon"), in->of->at_epsilon, opt->digits);
    if (status == DP_OK && in->claim != NULL && kinds[kind].p_value != NULL)
        status = add(out, row, "p_value", kinds[kind].p_value, &own, opt);
    for (size_t i = 0; status == DP_OK && i < 2 && kinds[kind].more[i].name != NULL; i++)
        status = add(out, row, kinds[kind].more[i].name, kinds[kind].more[i].eval, &own, opt);
    figure_set_q(row_quantity(row, "confidence"), number_rational(in->of->confidence));
    if (mpq_cmp_ui(in->inclusion, 1, 2) != 0 && row->verdict == DP_EXACT)
        row->verdict = DP_PROVED; /* the kinds of the guesses are not asked for */
    return status;
}

/* The row that decides. */
static const bound *chosen(const audit_in *in, design d)
{
    const dp_audit *a = in->of;
    if (a->gdp && d == TWO_SAMPLES)
        return &audit_gdp;
    if (d == TWO_SAMPLES)
        return a->method == DP_AUDIT_CP      ? &audit_cp
               : a->method == DP_AUDIT_SIDAK ? &audit_cp_sidak
                                             : &audit_fisher;
    if (d == COIN)
        return &audit_coin;
    if (a->method == DP_AUDIT_ADAPTIVE || a->method == DP_AUDIT_FDP)
        return a->method == DP_AUDIT_FDP ? &onerun_fdp : &onerun_adaptive;
    return mpq_sgn(in->delta) == 0 ? &onerun_pure : &onerun_exact;
}

static dp_status add_others(dp_result *out, const audit_in *in, design d, const bound *first,
                            const dp_options *opt)
{
    static const bound *const two[] = {&audit_fisher, &audit_cp, &audit_cp_sidak, NULL};
    const dp_audit *a = in->of;
    dp_status status = DP_OK;
    if (a->assume_gaussian)
        status = add_row(out, &audit_gdp_to_eps, in, opt);
    if (status == DP_OK && a->at_epsilon != NULL)
        status = add_row(out, &audit_curve, in, opt);
    if (status == DP_OK && d == ONE_RUN && in->members <= PUBLISHED_MOST && a->inclusion == NULL &&
        (opt->all || a->method == DP_AUDIT_2023))
        status = add_row(out, &onerun_2023, in, opt);
    if (!opt->all || d != TWO_SAMPLES || a->gdp)
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
    if (in->of->gdp) {
        out->check.asked = true;
        out->check.figure = "mu";
        dp_number_set(&out->check.max_figure, in->claim);
    }
    if (b == &audit_cp || b == &audit_cp_sidak)
        refuted = audit_rectangle_refutes(in);
    else if (b == &audit_gdp)
        refuted = audit_mu_refutes(in);
    else
        status = refine_decide(&refuted, kinds[kind_of(b)].p_value, 1, 0, in, in->alpha,
                               DECISION_BITS, &lim);
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

static dp_status answer(dp_result *out, audit_in *in, design d, const dp_options *opt)
{
    limits lim;
    limits_start(&lim, opt);
    in->lim = &lim;
    const bound *first = chosen(in, d);
    dp_status status = add_row(out, first, in, opt);
    if (status == DP_OK)
        status = add_others(out, in, d, first, opt);
    out->guarantee = 0;
    out->is_finding = true;
    if (opt->all && out->count > 1 && d == TWO_SAMPLES)
        result_note(out, "each row has an error probability of its own: the largest of several is "
                         "a finding only where it is divided by their number (looks)");
    in->lim = NULL;
    if (status == DP_OK && in->claim != NULL)
        status = decide(out, in, first, opt);
    return status;
}

/* ---- plans ---- */

static dp_status plan_check(const dp_audit *a, const dp_options *opt, dp_error *err)
{
    bool coin = a->method == DP_AUDIT_COIN;
    if (two_given(a) != 0 || a->correct != NULL || a->trials != NULL || a->canaries != NULL ||
        a->guesses != NULL)
        return fail(err, DP_DOMAIN, "plan", "is made before there are counts; leave them out");
    if (a->claim_epsilon == NULL)
        return fail(err, DP_DOMAIN, "claim_epsilon", "is missing; a plan is to refute it");
    if (opt->max_epsilon != NULL)
        return fail(err, DP_DOMAIN, "max_epsilon", "is about outcomes; a plan has claim_epsilon");
    if (a->mu != NULL)
        return fail(err, DP_DOMAIN, "mu", "is of a claim of gdp; a plan has claim_epsilon");
    if (a->gdp || a->at_epsilon != NULL || a->inclusion != NULL || a->fixed_positions ||
        a->split != NULL || a->assume_gaussian)
        return fail(err, DP_DOMAIN, "plan",
                    "takes claim_epsilon, target_delta, confidence, looks, and one_run or a method "
                    "of two samples or coin");
    if (a->one_run ? a->method != DP_AUDIT_BY_DESIGN && a->method != DP_AUDIT_EXACT
                   : !(a->method == DP_AUDIT_BY_DESIGN || coin || of_two(a->method)))
        return fail(
            err, DP_DOMAIN, "method",
            "has no plan: fisher, cp, sidak and coin have, and one_run by the method exact");
    if ((a->power == NULL) != (a->accuracy == NULL))
        return fail(err, DP_DOMAIN, a->power == NULL ? "power" : "accuracy",
                    "is missing; power is of an attack of some accuracy");
    if (a->power != NULL && !a->one_run && !coin)
        return fail(err, DP_DOMAIN, "power", "is known of the method coin and of one_run");
    return DP_OK;
}

static dp_status plan(dp_result *out, const dp_audit *a, const dp_options *opt, dp_error *err)
{
    audit_in in;
    dp_audit own = *a;
    if (!own.one_run && own.method == DP_AUDIT_BY_DESIGN)
        own.method = DP_AUDIT_FISHER;
    in_init(&in, &own, COIN, opt);
    in.claim = a->claim_epsilon;
    dp_status status = audit_plan_engine(out, &in, opt);
    if (status == DP_UNAVAILABLE) {
        fail(err, status, "claim_epsilon",
             "cannot be refuted at this delta and confidence, or not by as many trials as are "
             "tried (20000 with a power)");
    }
    out->guarantee = 0;
    out->is_finding = true;
    in_clear(&in);
    return status;
}

dp_status dp_audit_evaluate(dp_result *out, const dp_audit *a, const dp_options *opt, dp_error *err)
{
    dp_options own;
    design d = COIN;
    dp_status status = door_open(&own, out, "audit", a, opt, err);
    opt = &own;
    if (status == DP_OK)
        status = domains(a, err);
    if (status == DP_OK && a->plan)
        status = plan_check(a, opt, err);
    if (status == DP_OK && !a->plan)
        status = find_design(&d, a, err);
    if (status == DP_OK && !a->plan)
        status = counts(a, d, err);
    if (status == DP_OK && !a->plan)
        status = methods(a, d, err);
    if (status == DP_OK && a->gdp && opt->max_epsilon != NULL)
        status = fail(err, DP_DOMAIN, "max_epsilon", "is no part of a claim of mu-GDP");
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
