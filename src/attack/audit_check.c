/* SPDX-License-Identifier: MIT */
/* What an audit may be asked: which design it is of, and what belongs to it. */
#include "attack/audit.h"

#include "attack/audit_layers.h"
#include "attack/audit_parameters.h"
#include "core/door.h"
#include "core/result.h"
#include "num/number.h"

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
        {&audit_said_in, .number = a->said_in},
        {&audit_at_epsilon, .number = a->at_epsilon},
        {&audit_claim_epsilon, .number = a->claim_epsilon},
        {&audit_attack_accuracy, .number = a->accuracy},
        {&audit_attack_tpr, .number = a->tpr},
        {&audit_attack_fpr, .number = a->fpr},
        {&audit_power, .number = a->power},
    };
    dp_status status = DOOR_GIVEN(all, err);
    if (status == DP_OK && a->claim_points > 0 && a->claim_point == NULL)
        return door_pointer(parameter_field(&audit_claim_point), NULL, err);
    for (size_t i = 0; status == DP_OK && i < a->claim_points; i++) {
        const given one[] = {{&audit_claim_point, .number = &a->claim_point[i]}};
        status = DOOR_GIVEN(one, err);
    }
    return status;
}

/* What is given of each design, as bits. */
static unsigned two_given(const dp_audit *a)
{
    return (a->true_positives != NULL) + 2U * (a->positives != NULL) +
           4U * (a->false_positives != NULL) + 8U * (a->negatives != NULL);
}

static dp_status find_design(audit_design *d, const dp_audit *a, dp_error *err)
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
    *d = two != 0 ? AUDIT_TWO_SAMPLES : run ? AUDIT_ONE_RUN : AUDIT_COIN;
    if (*d == AUDIT_TWO_SAMPLES && two != 15)
        return fail(err, DP_DOMAIN,
                    !(two & 1)   ? "true_positives"
                    : !(two & 2) ? "positives"
                    : !(two & 4) ? "false_positives"
                                 : "negatives",
                    "is missing; two samples are four counts: true_positives of positives, "
                    "false_positives of negatives");
    if (*d == AUDIT_ONE_RUN &&
        (!a->one_run || a->canaries == NULL || a->guesses == NULL || a->correct == NULL))
        return fail(err, DP_DOMAIN,
                    !a->one_run           ? "one_run"
                    : a->canaries == NULL ? "canaries"
                    : a->guesses == NULL  ? "guesses"
                                          : "correct",
                    "is missing; one run is one_run with canaries, guesses and correct");
    if (*d == AUDIT_COIN && (a->correct == NULL || a->trials == NULL) &&
        (a->tpr != NULL || a->fpr != NULL || a->accuracy != NULL))
        return fail(err, DP_DOMAIN,
                    a->tpr != NULL   ? "tpr"
                    : a->fpr != NULL ? "fpr"
                                     : "accuracy",
                    "is a rate, of a plan; an audit takes the counts behind it, which tell how "
                    "much it proves: true_positives of positives and false_positives of "
                    "negatives, or correct of trials");
    if (*d == AUDIT_COIN && (a->correct == NULL || a->trials == NULL))
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

static dp_status counts(const dp_audit *a, audit_design d, dp_error *err)
{
    if (d == AUDIT_TWO_SAMPLES && is_above(a->true_positives, a->positives))
        return fail(err, DP_DOMAIN, "true_positives",
                    "are more than the trials with the record; positives is the number of all "
                    "of these, not of the calls");
    if (d == AUDIT_TWO_SAMPLES && is_above(a->false_positives, a->negatives))
        return fail(err, DP_DOMAIN, "false_positives",
                    "are more than the trials without the record; negatives is the number of "
                    "all of these");
    if (d == AUDIT_COIN && is_above(a->correct, a->trials))
        return fail(err, DP_DOMAIN, "correct", "guesses are more than the trials");
    if (d == AUDIT_ONE_RUN && is_above(a->correct, a->guesses))
        return fail(err, DP_DOMAIN, "correct", "guesses are more than all guesses");
    if (d == AUDIT_ONE_RUN && is_above(a->guesses, a->canaries))
        return fail(err, DP_DOMAIN, "guesses",
                    "are more than the canaries, of which each is guessed once at most");
    return DP_OK;
}

static dp_status sizes(const dp_audit *a, dp_error *err)
{
    if (a->method == DP_AUDIT_ADAPTIVE && a->fixed_positions)
        return fail(err, DP_DOMAIN, "fixed_positions",
                    "are not chosen by the attack; the method exact is about them");
    return DP_OK;
}

static bool of_two(dp_audit_method m)
{
    return m == DP_AUDIT_CP || m == DP_AUDIT_SIDAK || m == DP_AUDIT_FISHER;
}

/* The points of a curve that is claimed. */
static dp_status points(const dp_audit *a, dp_error *err)
{
    if (a->claim_points % 2 != 0 || a->claim_points > 2 * LAYERS_MOST)
        return fail(err, DP_DOMAIN, "claim_point",
                    "must be pairs of an epsilon and its delta, at most 16 of them");
    for (size_t i = 1; i < a->claim_points; i += 2)
        if (a->claim_point[i].is_log || mpq_cmp_ui(number_rational(&a->claim_point[i]), 1, 1) > 0)
            return fail(err, DP_DOMAIN, "claim_point", "must have a delta of at most 1");
    if (a->claim_points > 0 && a->method != DP_AUDIT_PROFILE)
        return fail(err, DP_DOMAIN, "claim_point", "is of one run with the method profile");
    if (a->method == DP_AUDIT_PROFILE && a->gdp == (a->claim_points > 0))
        return fail(err, DP_DOMAIN, "claim_point",
                    a->gdp ? "excludes a claim of gdp, which is a whole curve"
                           : "is missing, or a claim of gdp: the method profile is of a curve; one "
                             "(epsilon, delta) is best refuted by the method exact");
    if (a->claim_points > 0 && a->delta != NULL && dp_number_sgn(a->delta) > 0)
        return fail(err, DP_DOMAIN, "delta", "has no effect: each claim_point has its own");
    return DP_OK;
}

static dp_status methods(const dp_audit *a, audit_design d, dp_error *err)
{
    bool two = of_two(a->method), coin = a->method == DP_AUDIT_COIN;
    if (a->method != DP_AUDIT_BY_DESIGN && (two    ? d != AUDIT_TWO_SAMPLES
                                            : coin ? d != AUDIT_COIN
                                                   : d != AUDIT_ONE_RUN))
        return fail(err, DP_DOMAIN, "method",
                    "is of another design: fisher, cp and sidak are of two samples, coin of "
                    "trials, exact, adaptive, fdp, profile and 2023 of one_run");
    if (a->split != NULL && (d != AUDIT_TWO_SAMPLES || a->method != DP_AUDIT_CP))
        return fail(err, DP_DOMAIN, "split",
                    "is of the method cp, whose two limits share the error probability");
    if (a->at_epsilon != NULL && a->method != DP_AUDIT_CP && a->method != DP_AUDIT_SIDAK)
        return fail(err, DP_DOMAIN, "at_epsilon",
                    "is read off a rectangle of two rates; it needs method cp or sidak");
    if (a->fixed_positions && d != AUDIT_ONE_RUN)
        return fail(err, DP_DOMAIN, "fixed_positions", "is of one_run, whose canaries it names");
    if (a->inclusion != NULL && (d != AUDIT_ONE_RUN || a->method != DP_AUDIT_BY_DESIGN ||
                                 (a->delta != NULL && dp_number_sgn(a->delta) > 0)))
        return fail(err, DP_DOMAIN, "inclusion",
                    "other than by fair coins is known for one_run at delta 0 alone");
    if (a->said_in != NULL && a->inclusion == NULL)
        return fail(err, DP_DOMAIN, "said_in", "is of an inclusion other than by fair coins");
    if (a->said_in != NULL && is_above(a->said_in, a->guesses))
        return fail(err, DP_DOMAIN, "said_in", "are more than all guesses");
    if (a->gdp && !(a->method == DP_AUDIT_CP || a->method == DP_AUDIT_SIDAK ||
                    a->method == DP_AUDIT_FDP || a->method == DP_AUDIT_PROFILE))
        return fail(err, DP_DOMAIN, "gdp",
                    "needs method cp or sidak of two samples, or method fdp or profile of one run");
    if (a->assume_gaussian &&
        (!a->gdp || d != AUDIT_TWO_SAMPLES || a->delta == NULL || dp_number_sgn(a->delta) == 0))
        return fail(err, DP_DOMAIN, "assume_gaussian",
                    "is of a claim of gdp with two samples, and needs a delta above 0");
    if (a->mu != NULL && !a->gdp)
        return fail(err, DP_DOMAIN, "mu",
                    "is of a claim of gdp, with method cp, sidak, fdp or profile: give these too");
    if (a->claim_epsilon != NULL || a->power != NULL || a->accuracy != NULL || a->tpr != NULL ||
        a->fpr != NULL)
        return fail(err, DP_DOMAIN,
                    a->claim_epsilon != NULL ? "claim_epsilon"
                    : a->power != NULL       ? "power"
                    : a->accuracy != NULL    ? "accuracy"
                    : a->tpr != NULL         ? "tpr"
                                             : "fpr",
                    "is of a plan; a claim about these outcomes is max_epsilon");
    dp_status status = points(a, err);
    return status == DP_OK ? sizes(a, err) : status;
}

/* A power is of an attack that is known: by its rates where there are two samples. */
static dp_status power_check(const dp_audit *a, bool two, dp_error *err)
{
    if (two && a->accuracy != NULL)
        return fail(err, DP_DOMAIN, "accuracy",
                    "is of the method coin and of one_run; two samples have tpr and fpr");
    if (!two && (a->tpr != NULL || a->fpr != NULL))
        return fail(err, DP_DOMAIN, a->tpr != NULL ? "tpr" : "fpr",
                    "is of two samples; the method coin and one_run have accuracy");
    if (two && (a->tpr == NULL) != (a->fpr == NULL))
        return fail(err, DP_DOMAIN, a->tpr == NULL ? "tpr" : "fpr",
                    "is missing; an attack on two samples has two rates");
    bool known = a->accuracy != NULL || a->tpr != NULL;
    if ((a->power != NULL) == known)
        return DP_OK;
    return fail(err, DP_DOMAIN,
                known ? "power"
                : two ? "tpr"
                      : "accuracy",
                two ? "is missing; power is of an attack of known rates"
                    : "is missing; power is of an attack of some accuracy");
}

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
    if (a->gdp || a->claim_points > 0 || a->at_epsilon != NULL || a->inclusion != NULL ||
        a->said_in != NULL || a->fixed_positions || a->assume_gaussian)
        return fail(err, DP_DOMAIN, "plan",
                    "takes claim_epsilon, target_delta, confidence, looks, and one_run or a method "
                    "of two samples or coin");
    if (a->split != NULL && (a->one_run || a->method != DP_AUDIT_CP))
        return fail(err, DP_DOMAIN, "split",
                    "is of the method cp, whose two limits share the error probability");
    if (a->one_run ? a->method != DP_AUDIT_BY_DESIGN && a->method != DP_AUDIT_EXACT
                   : !(a->method == DP_AUDIT_BY_DESIGN || coin || of_two(a->method)))
        return fail(
            err, DP_DOMAIN, "method",
            "has no plan: fisher, cp, sidak and coin have, and one_run by the method exact");
    return power_check(a, !a->one_run && !coin, err);
}

dp_status audit_check(audit_design *d, const dp_audit *a, const dp_options *opt, dp_error *err)
{
    dp_status status = domains(a, err);
    if (status == DP_OK && a->plan)
        status = plan_check(a, opt, err);
    if (status == DP_OK && !a->plan)
        status = find_design(d, a, err);
    if (status == DP_OK && !a->plan)
        status = counts(a, *d, err);
    if (status == DP_OK && !a->plan)
        status = methods(a, *d, err);
    if (status == DP_OK && (a->gdp || a->claim_points > 0) && opt->max_epsilon != NULL)
        status = fail(err, DP_DOMAIN, "max_epsilon",
                      a->gdp ? "is no part of a claim of mu-GDP"
                             : "is no part of a claim of points; make it one of claim_point");
    return status;
}
