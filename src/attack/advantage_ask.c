/* SPDX-License-Identifier: MIT */
/* Questions about what an attacker gains: the door, what is known, rows, checks. */
#include "attack/advantage.h"

#include <string.h>

#include "attack/parameters.h"
#include "attack/posterior.h"
#include "attack/reconstruction.h"
#include "attack/tpr.h"
#include "core/door.h"
#include "core/mechanism.h"
#include "core/refine.h"
#include "loss/gaussian.h"
#include "num/ival.h"
#include "num/number.h"
#include "renyi/convert.h"

/* ---- the door ---- */

static int statements(const dp_conversion *s)
{
    return (s->pure != NULL) + (s->approx != NULL) + (s->zcdp_count > 0) + (s->rdp_count > 0) +
           (s->gdp != NULL);
}

static dp_status check_source(const dp_attacker *q, dp_error *err)
{
    int sources = q->list != NULL && (q->list->count + uses_count(q->list)) > 0;
    if (q->statement != NULL)
        sources += statements(q->statement);
    if (q->solve != DP_ATTACKER_NOTHING && sources > 0)
        return fail(err, DP_DOMAIN, "solve",
                    "excludes a guarantee: the guarantee is what is solved for");
    if (q->solve != DP_ATTACKER_NOTHING && q->max_advantage == NULL)
        return fail(err, DP_DOMAIN, "max_advantage",
                    "is missing: the advantage that what is solved for may give");
    if (q->solve == DP_ATTACKER_NOTHING && sources != 1)
        return fail(err, DP_DOMAIN, "approx",
                    sources == 0
                        ? "is missing, or one of pure, gdp, zcdp, rdp, a list in its place"
                        : "excludes pure, gdp, zcdp, rdp and a list, and each of these the others; "
                          "give one of them");
    if (q->solve != DP_ATTACKER_NOTHING && q->group != NULL && mpz_cmp_ui(q->group, 1) > 0)
        return fail(err, DP_DOMAIN, "group",
                    "is not solved for: give a guarantee in the place of solve, with the group and "
                    "max_advantage, and search by that check");
    bool is_zcdp = q->statement != NULL && q->statement->zcdp_count > 0;
    if (q->delta != NULL && !is_zcdp && q->solve != DP_ATTACKER_EPSILON &&
        q->solve != DP_ATTACKER_RHO)
        return fail(err, DP_DOMAIN, "delta",
                    "belongs to approximate zCDP, or to what is solved for; that of an (E, D)-DP "
                    "guarantee stands beside its epsilon");
    return DP_OK;
}

/* What has no effect is not passed over; a prior of 1/2 is what nothing else is said for. */
static dp_status check_effect(const dp_attacker *q, dp_error *err)
{
    bool even = q->prior == NULL || mpq_cmp_ui(number_rational(q->prior), 1, 2) == 0;
    const struct {
        const char *field;
        bool given;
    } all[] = {{"prior", !even},
               {"fpr", q->fpr_count > 0},
               {"tpr", q->tpr != NULL},
               {"secrets", q->secrets != NULL},
               {"kappa", q->kappa != NULL},
               {"belief", q->belief != NULL},
               {"members", q->members != NULL},
               {"trainings", q->trainings != NULL}};
    for (size_t i = 0; q->solve != DP_ATTACKER_NOTHING && i < sizeof all / sizeof *all; i++)
        if (all[i].given)
            return fail(err, DP_DOMAIN, all[i].field,
                        "has no effect on what is solved for: ask it of a guarantee");
    if (q->members != NULL && q->fpr_count == 0)
        return fail(err, DP_DOMAIN, "members",
                    "is a question at false positive rates: give at least one in fpr");
    if (q->trainings != NULL && q->members == NULL)
        return fail(err, DP_DOMAIN, "trainings",
                    "is a question about members that all of them reveal: give their number in "
                    "members, and a rate in fpr");
    return DP_OK;
}

/* The relation is that of the game: a record enters or leaves, or is exchanged for another, which
 * is two steps of add-remove. */
static dp_status check_game(const dp_attacker *q, dp_relation relation, dp_error *err)
{
    if (q->game == DP_GAME_IN_OUT && relation == DP_REPLACE_ONE)
        return fail(err, DP_DOMAIN, "game",
                    "in-out is about a record added or removed; the guarantee is for replace-one "
                    "adjacency: ask about replaced, or give a guarantee for add-remove");
    bool two = q->group != NULL && mpz_cmp_ui(q->group, 2) == 0;
    if (q->game == DP_GAME_REPLACED && relation == DP_ADD_REMOVE && !two && q->group != NULL &&
        mpz_cmp_ui(q->group, 1) > 0)
        return fail(err, DP_DOMAIN, "game",
                    "replaced is about one record for another, which is a group of 2 and no other "
                    "under the add-remove adjacency of the guarantee; for several records give it "
                    "for replace-one, with their number as the group");
    if (q->game == DP_GAME_REPLACED && relation == DP_ADD_REMOVE && !two)
        return fail(err, DP_DOMAIN, "game",
                    "replaced is about one record for another, which is two steps of the "
                    "add-remove adjacency of the guarantee: give it for replace-one, or ask about "
                    "a group of 2");
    return DP_OK;
}

static dp_status check_numbers(const dp_attacker *q, dp_error *err)
{
    const given all[] = {
        {&attacker_prior, .number = q->prior},
        {&attacker_tpr, .number = q->tpr},
        {&attacker_secrets, .number = q->secrets},
        {&attacker_kappa, .number = q->kappa},
        {&attacker_belief, .number = q->belief},
        {&attacker_members, .number = q->members},
        {&attacker_trainings, .number = q->trainings},
        {&attacker_delta_given, .number = q->delta},
        {&attacker_max_advantage, .number = q->max_advantage},
        {&attacker_group, .z = q->group},
    };
    dp_status status = DOOR_GIVEN(all, err);
    if (status == DP_OK)
        status = door_array(&attacker_fpr, q->fpr, q->fpr_count, err);
    if (status == DP_OK)
        status = door_enum(parameter_field(&attacker_game), (int)q->game, DP_GAME_REPLACED, err);
    if (status == DP_OK)
        status = door_enum(parameter_field(&attacker_solve), (int)q->solve, DP_ATTACKER_MU, err);
    if (status == DP_OK)
        status = door_enum("adjacency", (int)q->adjacency, DP_REPLACE_ONE, err);
    if (status == DP_OK && q->statement != NULL)
        status = conversion_domains(q->statement, err);
    if (status == DP_OK && q->list != NULL)
        status = door_list("list", q->list, err);
    return status;
}

/* ---- what is known ---- */

static void attacker_start(attacker *a, const dp_attacker *q, const dp_options *opt)
{
    *a = (attacker){.q = q, .opt = opt};
    dp_number_init(&a->epsilon);
    mpq_inits(a->leak, a->mu_squared, a->prior, a->rarer, a->often, a->odds, a->x, a->y, a->alpha,
              a->order, NULL);
    zcdp_init(&a->line);
    dp_result_init(&a->rows);
    dp_figure_init(&a->last.delta);
    mpq_init(a->last.k);
    a->last.is = false;
    dp_composition_init(&a->groups);
    limits_start(&a->lim, opt);
    a->own = *opt;
    a->own.digits = opt->digits + 4;
    a->relation = q->list != NULL && q->solve == DP_ATTACKER_NOTHING && q->statement == NULL
                      ? q->list->adjacency
                      : q->adjacency;
    a->replaced = q->game == DP_GAME_REPLACED || a->relation == DP_REPLACE_ONE;
    a->exchanged = a->replaced && a->relation == DP_ADD_REMOVE && q->statement == NULL;
    if (q->prior != NULL)
        mpq_set(a->prior, number_rational(q->prior));
    else
        mpq_set_ui(a->prior, 1, 2);
    mpq_set_ui(a->often, 1, 1);
    mpq_sub(a->rarer, a->often, a->prior);
    bool likely = mpq_cmp(a->prior, a->rarer) > 0;
    mpq_set(a->often, likely ? a->prior : a->rarer);
    mpq_set_ui(a->odds, 1, 1);
    mpq_sub(a->rarer, a->odds, a->often);
    if (mpq_sgn(a->rarer) > 0)
        mpq_div(a->odds, a->often, a->rarer);
}

static void attacker_end(attacker *a)
{
    if (a->open)
        composing_clear(&a->c);
    dp_composition_clear(&a->groups);
    dp_result_clear(&a->rows);
    dp_figure_clear(&a->last.delta);
    mpq_clear(a->last.k);
    zcdp_clear(&a->line);
    mpq_clears(a->leak, a->mu_squared, a->prior, a->rarer, a->often, a->odds, a->x, a->y, a->alpha,
               a->order, NULL);
    dp_number_clear(&a->epsilon);
}

static bool is_group(const attacker *a)
{
    return a->q->group != NULL && mpz_cmp_ui(a->q->group, 1) > 0;
}

static void times_group(mpq_t x, const attacker *a)
{
    if (!is_group(a))
        return;
    mpq_t size;
    mpq_init(size);
    mpq_set_z(size, a->q->group);
    mpq_mul(x, x, size);
    mpq_clear(size);
}

static dp_status open_list(attacker *a, const dp_composition *list)
{
    a->by = BY_PROFILE;
    a->list = list;
    result_start(&a->rows);
    dp_status status = composing_init(&a->c, list, &a->own, &a->rows);
    a->open = true;
    return status;
}

/* A single use of (epsilon, delta), no more known of it. */
static bool is_single(const dp_composition *list)
{
    return list->count == 1 && uses_count(list) == 0 && list->known == NULL &&
           mpz_cmp_ui(list->item[0].times, 1) == 0;
}

/* Gaussian noise and nothing else. */
static bool is_gaussian(attacker *a)
{
    if (!a->c.general || !a->c.sides.complete || a->c.sides.ways != 1)
        return false;
    const product *p = &a->c.sides.of[FORWARD][DP_UPPER].product;
    return p->count == 1 && p->leaks == 0 && !p->certain_leak && gaussian_of(a->mu_squared, p);
}

/* One use of Gaussian noise by that name, the whole output of which is seen. Of several, an analyst
 * who chooses the next by what he saw may stop once the loss is large, so that their tail is above
 * that of their pair. */
static bool is_one_gaussian(const dp_composition *list)
{
    if (list->count != 0 || uses_count(list) != 1)
        return false;
    const dp_use *u = &list->uses->use[0];
    return mpz_cmp_ui(u->times, 1) == 0 && strcmp(u->mechanism->type->name, "gaussian") == 0;
}

/* Bagging with any learner. */
static bool is_bagging(const dp_composition *list)
{
    const dp_known *k = list->known;
    return list->count == 1 && uses_count(list) == 0 && k != NULL && k->b.base_epsilon == NULL;
}

/* Statements of zCDP and nothing else: rho and xi add up. */
static bool is_zcdp(attacker *a, const dp_composition *list)
{
    bool all = list->count == 0 && uses_count(list) > 0;
    mpq_t part, times;
    mpq_inits(part, times, NULL);
    for (size_t i = 0; all && i < uses_count(list); i++) {
        const dp_use *u = &list->uses->use[i];
        all = strcmp(u->mechanism->type->name, "zcdp") == 0;
        mpq_set_z(times, u->times);
        mpq_srcptr rho = all ? number_rational(mechanism_number(u->mechanism, "rho")) : NULL;
        mpq_srcptr xi = all ? number_rational(mechanism_number(u->mechanism, "xi")) : NULL;
        if (rho != NULL) {
            mpq_mul(part, rho, times);
            mpq_add(a->line.rho, a->line.rho, part);
        }
        if (xi != NULL) {
            mpq_mul(part, xi, times);
            mpq_add(a->line.xi, a->line.xi, part);
        }
    }
    mpq_clears(part, times, NULL);
    return all && mpq_sgn(a->line.rho) > 0;
}

static dp_status know_list(attacker *a, const dp_composition *list, dp_error *err)
{
    dp_status status = DP_OK;
    if (is_group(a)) {
        status = dp_composition_for_groups(&a->groups, list, a->q->group, err);
        list = &a->groups;
    }
    if (status != DP_OK)
        return status;
    if (is_single(list)) {
        a->by = BY_PAIR;
        dp_number_set(&a->epsilon, &list->item[0].epsilon);
        mpq_set(a->leak, list->item[0].delta);
        return DP_OK;
    }
    if (is_zcdp(a, list)) {
        a->by = BY_ZCDP;
        a->loose = is_group(a) || uses_count(list) > 1 ||
                   mpz_cmp_ui(list->uses->use[0].times, 1) > 0 || mpq_sgn(a->line.xi) != 0;
        attacker_choose_order(a);
        return DP_OK;
    }
    status = open_list(a, list);
    if (status == DP_OK && is_gaussian(a)) {
        a->by = BY_GDP;
        a->one_pair = true;
        a->one_loss = is_one_gaussian(list);
    }
    a->leaks = a->one_pair ? false : is_bagging(list);
    a->one_pair = a->one_pair || a->leaks;
    return status;
}

/* Groups of what is known by (epsilon, delta) alone: the curve of all chains. */
static dp_status know_pair(attacker *a, const dp_number *epsilon, const dp_number *delta,
                           dp_error *err)
{
    a->by = BY_PAIR;
    dp_number_set(&a->epsilon, epsilon);
    if (delta != NULL)
        mpq_set(a->leak, number_rational(delta));
    if (!is_group(a))
        return DP_OK;
    dp_composition one;
    mpz_t times;
    mpz_init_set_ui(times, 1);
    dp_composition_init_under(&one, a->relation);
    dp_status status = dp_composition_add(&one, &a->epsilon, a->leak, times, err);
    if (status == DP_OK)
        status = dp_composition_for_groups(&a->groups, &one, a->q->group, err);
    dp_composition_clear(&one);
    mpz_clear(times);
    if (status != DP_OK || is_single(&a->groups)) {
        if (status == DP_OK) {
            dp_number_set(&a->epsilon, &a->groups.item[0].epsilon);
            mpq_set(a->leak, a->groups.item[0].delta);
        }
        return status;
    }
    return open_list(a, &a->groups);
}

static dp_status know_zcdp(attacker *a, const dp_conversion *s, dp_error *err)
{
    a->by = BY_ZCDP;
    mpq_set(a->line.rho, s->zcdp[0]);
    if (s->zcdp_count > 1)
        mpq_set(a->line.xi, s->zcdp[1]);
    if (a->q->delta != NULL)
        mpq_set(a->leak, number_rational(a->q->delta));
    if (is_group(a) && (mpq_sgn(a->line.xi) != 0 || mpq_sgn(a->leak) != 0))
        return fail(err, DP_UNAVAILABLE, "group",
                    "has no theorem for zCDP with xi or delta: give the statement for groups");
    a->loose = is_group(a) || mpq_sgn(a->line.xi) != 0;
    times_group(a->line.rho, a);
    times_group(a->line.rho, a);
    attacker_choose_order(a);
    if (mpq_sgn(a->line.rho) > 0)
        return DP_OK;
    a->by = BY_PAIR; /* without rho no loss exceeds xi */
    if (mpq_sgn(a->line.xi) > 0)
        number_set_q(&a->epsilon, a->line.xi);
    return DP_OK;
}

static dp_status know(attacker *a, dp_error *err)
{
    const dp_attacker *q = a->q;
    const dp_conversion *s = q->statement;
    if (s == NULL || statements(s) == 0)
        return know_list(a, q->list, err);
    if (s->pure != NULL)
        return know_pair(a, s->pure, NULL, err);
    if (s->approx != NULL)
        return know_pair(a, s->approx, s->approx_delta, err);
    if (s->zcdp_count > 0)
        return know_zcdp(a, s, err);
    if (s->gdp != NULL) {
        a->by = BY_GDP;
        mpq_set(a->mu_squared, number_rational(s->gdp));
        times_group(a->mu_squared, a);
        mpq_mul(a->mu_squared, a->mu_squared, a->mu_squared);
        return DP_OK;
    }
    a->by = BY_RDP;
    a->point = s->rdp;
    a->points = s->rdp_count;
    return is_group(a) ? fail(err, DP_UNAVAILABLE, "group",
                              "has no theorem for points of a Renyi curve: give those of the group")
                       : DP_OK;
}

/* ---- the answer ---- */

static void check(dp_result *out, attacker *a)
{
    if (a->q->max_advantage == NULL)
        return;
    out->check.asked = true;
    out->check.figure = "advantage";
    dp_number_set(&out->check.max_figure, a->q->max_advantage);
    unsigned met = 0;
    a->lim.met = &met;
    dp_decision answer = advantage_within(a, a->q->max_advantage);
    met |= a->rows.met;
    result_decide(out, answer, answer == DP_UNKNOWN && (a->loose || met == 0) ? DP_MET_BOUND : met);
    a->lim.met = NULL;
}

static dp_status answer(dp_result *out, attacker *a, dp_error *err)
{
    dp_status status = know(a, err);
    if (status == DP_OK)
        status = advantage_rows(out, a);
    if (status == DP_OK)
        status = accuracy_row(out, a);
    if (status == DP_OK)
        status = tpr_rows(out, a);
    if (status == DP_OK)
        status = posterior_rows(out, a);
    if (status == DP_OK)
        status = reconstruction_rows(out, a, err);
    if (status != DP_OK)
        return err != NULL && err->status != DP_OK ? status : result_fail(out, err, status);
    check(out, a);
    for (size_t i = 0; i < a->rows.warnings; i++)
        result_warn(out, a->rows.warning[i]);
    out->met |= a->rows.met;
    return status;
}

/* What every figure takes beside its theorem. */
static void assume(dp_result *out, const attacker *a)
{
    bool several = a->q->group != NULL && mpz_cmp_ui(a->q->group, 1) > 0;
    result_assume(out, a->replaced ? "told apart are a record and another in its place; copies of "
                                     "it, or a family, are a group"
                       : several   ? "told apart are a group of records, all in the data or all out"
                                   : "told apart are a record in the data and out of it; copies of "
                                     "it, or a family, are a group");
    if (a->q->trainings != NULL)
        result_assume(out, "in each of the trainings, which are independent and have the guarantee "
                           "each, a record is flagged by the output of that training alone, and "
                           "falsely at a rate of at most fpr whatever the other records are");
    result_assume(out, "nothing of the attacker, who may know all other records: how well a given "
                       "attack does is not told");
}

dp_status dp_advantage(dp_result *out, const dp_attacker *q, const dp_options *opt, dp_error *err)
{
    dp_options own;
    dp_status status = door_open(&own, out, "attacker", q, opt, err);
    if (status == DP_OK)
        status = check_numbers(q, err);
    if (status == DP_OK)
        status = check_source(q, err);
    if (status == DP_OK)
        status = check_effect(q, err);
    if (status != DP_OK)
        return status;
    attacker a;
    attacker_start(&a, q, &own);
    status = check_game(q, a.relation, err);
    if (status == DP_OK) {
        result_start(out);
        out->adjacency = dp_relation_text(a.relation);
        assume(out, &a);
        status = q->solve != DP_ATTACKER_NOTHING ? advantage_solve(out, &a) : answer(out, &a, err);
        status = result_end(out, status, err);
    }
    attacker_end(&a);
    return status;
}
