/* SPDX-License-Identifier: MIT */
/* Results and their parts: rows, quantities, remarks, the check. Nothing that does not fit is
 * dropped. */
#include "core/result.h"

#include <string.h>

#include "core/quantity.h"
#include "core/refine.h"
#include "num/guard.h"
#include "num/ival.h"
#include "num/memory.h"
#include "num/number.h"

const char *dp_status_text(dp_status status)
{
    switch (status) {
    case DP_OK:
        return "ok";
    case DP_DOMAIN:
        return "argument outside the domain";
    case DP_LIMIT:
        return "a limit was met before the answer";
    case DP_UNDECIDED:
        return "could not be decided";
    case DP_MEMORY:
        return "out of memory";
    case DP_UNAVAILABLE:
        return "no statement covers these arguments";
    }
    return "unknown";
}

const char *dp_relation_text(dp_relation adjacency)
{
    return adjacency == DP_REPLACE_ONE  ? "replace-one"
           : adjacency == DP_ADD_REMOVE ? "add-remove"
                                        : "unknown";
}

dp_options dp_options_default(void)
{
    return (dp_options){.digits = 10};
}

void dp_result_init(dp_result *r)
{
    if (r == NULL)
        return;
    memset(r, 0, sizeof *r);
    dp_number_init(&r->check.max_epsilon);
    dp_number_init(&r->check.max_delta);
    dp_number_init(&r->check.max_figure);
    mpq_init(r->check.factor);
}

static void drop_gamma(dp_row *row)
{
    for (size_t l = 0; l < row->gamma_count; l++)
        mpq_clear(row->gamma[l]);
    memory_free(row->gamma);
    row->gamma = NULL;
    row->gamma_count = 0;
}

dp_status row_gamma(dp_row *row, const char *design, const mpq_t *gamma, size_t first, size_t count)
{
    drop_gamma(row);
    row->design = design;
    row->gamma_first = first;
    row->gamma = memory_new(count, sizeof *row->gamma);
    if (row->gamma == NULL)
        return DP_MEMORY;
    for (; row->gamma_count < count; row->gamma_count++) {
        mpq_init(row->gamma[row->gamma_count]);
        mpq_set(row->gamma[row->gamma_count], gamma[row->gamma_count]);
    }
    return DP_OK;
}

/* Figures are made when a row first has them, and kept for the rows of later questions. */
static bool is_made(const dp_quantity *q)
{
    return q->name != NULL;
}

void dp_result_clear(dp_result *r)
{
    if (r == NULL)
        return;
    for (size_t i = 0; i < r->room; i++)
        drop_gamma(&r->row[i]);
    for (size_t i = 0; i < r->room; i++)
        for (size_t j = 0; j <= DP_ROW_QUANTITIES; j++)
            if (is_made(&r->row[i].quantity[j]))
                dp_figure_clear(&r->row[i].quantity[j].figure);
    memory_free(r->row);
    dp_number_clear(&r->check.max_epsilon);
    dp_number_clear(&r->check.max_delta);
    dp_number_clear(&r->check.max_figure);
    mpq_clear(r->check.factor);
}

void result_start(dp_result *r)
{
    r->refused = memory_failures();
    r->met = 0;
    r->adjacency = NULL;
    r->count = r->guarantee = 0;
    r->warnings = r->notes = r->assumptions = 0;
    r->is_finding = false;
    r->check.asked = r->check.is_claim = r->check.is_audit = r->check.is_curve = false;
    r->check.why = r->check.figure = NULL;
    r->check.holds = DP_UNKNOWN;
    mpq_set_ui(r->check.factor, 1, 1);
}

static dp_row *new_row(dp_result *r)
{
    if (r->count == r->room) {
        size_t room = r->room == 0 ? 4 : 2 * r->room;
        dp_row *grown = memory_grow(r->row, room, sizeof *grown);
        if (grown == NULL)
            return NULL;
        r->row = grown;
        memset(grown + r->room, 0, (room - r->room) * sizeof *grown);
        r->room = room;
    }
    dp_row *row = &r->row[r->count++];
    row->count = 0;
    row->vacuous = false;
    row->design = NULL;
    memset(row->worst, 0, sizeof row->worst);
    drop_gamma(row);
    return row;
}

dp_row *result_row(dp_result *r, const bound *b)
{
    dp_row *row = new_row(r);
    if (row != NULL) {
        row->theorem = &b->theorem;
        row->verdict = b->theorem.verdict;
    }
    return row;
}

dp_status result_take_row(dp_result *r, dp_row *from)
{
    dp_row *row = new_row(r);
    if (row == NULL)
        return DP_MEMORY;
    dp_row swap = *row;
    *row = *from;
    *from = swap;
    return DP_OK;
}

dp_figure *row_quantity(dp_row *row, const char *name)
{
    if (row->count > DP_ROW_QUANTITIES)
        row->count = DP_ROW_QUANTITIES;
    dp_quantity *q = &row->quantity[row->count++];
    if (!is_made(q))
        dp_figure_init(&q->figure);
    q->name = name;
    const quantity *of = quantity_find(name);
    q->is_solved = of != NULL && of->kind != QUANTITY_FIGURE;
    q->safe = quantity_safe(of);
    return &q->figure;
}

dp_figure *row_figure(const dp_row *row, const char *name)
{
    for (size_t i = 0; i < row->count; i++)
        if (strcmp(row->quantity[i].name, name) == 0)
            return (dp_figure *)&row->quantity[i].figure;
    return NULL;
}

void row_drop(dp_row *row, const char *name)
{
    size_t at = 0;
    while (at < row->count && strcmp(row->quantity[at].name, name) != 0)
        at++;
    if (at == row->count)
        return;
    dp_quantity dropped = row->quantity[at]; /* its figure is kept for a later row */
    for (row->count--; at < row->count; at++)
        row->quantity[at] = row->quantity[at + 1];
    row->quantity[row->count] = dropped;
}

void result_weaken(dp_result *r, size_t first)
{
    for (size_t i = first; i < r->count; i++)
        if (r->row[i].verdict == DP_EXACT)
            r->row[i].verdict = DP_PROVED;
}

static void upper_end(mpfr_t out, const dp_figure *x)
{
    if (x->kind == DP_INFINITE)
        mpfr_set_inf(out, 1);
    else if (x->kind == DP_RATIONAL)
        mpfr_set_q(out, x->rational, MPFR_RNDU);
    else
        mpfr_set(out, &x->enclosure->right, MPFR_RNDU);
}

#define COMPARE_BITS 256

int figure_compare_upper(const dp_figure *a, const dp_figure *b)
{
    if (a->kind == DP_RATIONAL && b->kind == DP_RATIONAL && mpq_equal(a->rational, b->rational))
        return 0;
    if (a->kind == DP_ENCLOSED && b->kind == DP_ENCLOSED &&
        mpfi_get_prec(a->enclosure) <= COMPARE_BITS && mpfi_get_prec(b->enclosure) <= COMPARE_BITS)
        return mpfr_cmp(&a->enclosure->right, &b->enclosure->right);
    mpfr_t x, y;
    mpfr_init2(x, COMPARE_BITS);
    mpfr_init2(y, COMPARE_BITS);
    upper_end(x, a);
    upper_end(y, b);
    int order = mpfr_cmp(x, y);
    mpfr_clear(y);
    mpfr_clear(x);
    return order;
}

const dp_figure *dp_result_figure(const dp_result *r, const char *name)
{
    if (r == NULL || name == NULL)
        return NULL;
    return r->guarantee < r->count ? row_figure(&r->row[r->guarantee], name) : NULL;
}

dp_status result_refine(dp_result *r, dp_figure *out, size_t count, bound_eval eval, const void *in,
                        const dp_options *opt, mpfr_prec_t extra_bits)
{
    dp_options own = options_meeting(opt, &r->met);
    dp_status status = refine(out, count, eval, in, &own, extra_bits);
    if (status != DP_LIMIT)
        return status;
    result_warn_wide(r);
    return DP_OK;
}

static void copy_delta(const dp_result *r, dp_row *row, const bound *from)
{
    for (size_t i = 0; i + 1 < r->count; i++)
        if (r->row[i].theorem == &from->theorem) {
            const dp_figure *delta = row_figure(&r->row[i], "delta");
            dp_figure *own = row_quantity(row, "delta");
            own->kind = delta->kind;
            mpq_set(own->rational, delta->rational);
            mpfi_set_prec(own->enclosure, mpfi_get_prec(delta->enclosure));
            mpfi_set(own->enclosure, delta->enclosure);
        }
}

/* A published statement that fails is shown as it is. */
static void clamp_unit(dp_figure *x, const bound *b, size_t output)
{
    if (quantity_is_share(b->output[output]) && b->theorem.verdict != DP_UNSOUND &&
        x->kind == DP_ENCLOSED)
        ival_clamp_ui(x->enclosure, 0, 1);
}

dp_status result_evaluate(dp_result *r, const bound *b, const void *in, const dp_options *opt)
{
    dp_row *row = result_row(r, b);
    if (row == NULL)
        return DP_MEMORY;
    /* The figures are refined where they will stay, moved out of their quantities and back. */
    dp_figure out[BOUND_OUTPUTS];
    size_t n = 0;
    for (; n < BOUND_OUTPUTS && b->output[n] != NULL; n++)
        out[n] = *row_quantity(row, b->output[n]);
    dp_status status = result_refine(r, out, n, b->eval, in, opt,
                                     b->bracket ? REFINE_BRACKET : REFINE_CLOSED_FORM);
    for (size_t i = 0; i < n; i++) {
        clamp_unit(&out[i], b, i);
        row->quantity[i].figure = out[i];
    }
    if (b->delta_of != NULL)
        copy_delta(r, row, b->delta_of);
    return status;
}

dp_status result_evaluate_family(dp_result *r, const bound *const *rows, const char *family,
                                 const void *in, const dp_options *opt)
{
    dp_status status = DP_OK;
    for (; status == DP_OK && *rows != NULL; rows++) {
        const bound *b = *rows;
        if (b->eval == NULL || (b->only_all && !opt->all) ||
            strcmp(b->theorem.family, family) != 0 || (b->applies != NULL && !b->applies(in)))
            continue;
        status = result_evaluate(r, b, in, opt);
    }
    return status;
}

static size_t remark(const char **list, size_t count, const char *text)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i], text) == 0)
            return count;
    if (count > DP_RESULT_REMARKS)
        return count;
    list[count] = text;
    return count + 1;
}

dp_status result_end(dp_result *r, dp_status status, dp_error *err)
{
    bool fits = r->warnings <= DP_RESULT_REMARKS && r->notes <= DP_RESULT_REMARKS &&
                r->assumptions <= DP_RESULT_REMARKS;
    for (size_t i = 0; i < r->count; i++)
        fits = fits && r->row[i].count <= DP_ROW_QUANTITIES;
    if (memory_failures() != r->refused) {
        result_start(r);
        return fail(err, DP_MEMORY, NULL, dp_status_text(DP_MEMORY));
    }
    if (status != DP_OK)
        return err == NULL || err->status != DP_OK ? status : result_fail(r, err, status);
    if (fits)
        return DP_OK;
    result_start(r);
    return fail(err, DP_LIMIT, NULL, "the answer has more parts than a result can hold");
}

void result_warn(dp_result *r, const char *text)
{
    r->warnings = remark(r->warning, r->warnings, text);
}

void result_note(dp_result *r, const char *text)
{
    r->notes = remark(r->note, r->notes, text);
}

void result_assume(dp_result *r, const char *text)
{
    r->assumptions = remark(r->assumption, r->assumptions, text);
}

const char *limit_text(const char *const text[5], unsigned met)
{
    unsigned raisable = met & (DP_MET_TIME | DP_MET_MEMORY);
    return text[raisable == 0 && (met & DP_MET_PRECISION) != 0 ? 4 : raisable];
}

#define SHOWN "; the enclosure is shown as it is"

void result_warn_wide(dp_result *r)
{
    static const char *const text[] =
        LIMIT_TEXTS(" before all asked digits were proved", SHOWN, SHOWN, SHOWN);
    result_warn(r, limit_text(text, r->met));
}

dp_options options_meeting(const dp_options *opt, unsigned *met)
{
    dp_options own = *opt;
    own.met = met;
    return own;
}

void result_decide(dp_result *r, dp_decision holds, unsigned met)
{
    static const char *const text[] = LIMIT_ADVICE("");
    r->check.holds = holds;
    r->check.why = holds != DP_UNKNOWN ? NULL
                   : (met & DP_MET_BOUND) != 0
                       ? "not proved by this bound, which is not known to be tight"
                       : limit_text(text, met);
    r->met |= met;
}

static void threshold(dp_number *to, const dp_number *given, const dp_number *fallback)
{
    if (given != NULL)
        dp_number_set(to, given);
    else if (fallback != NULL)
        dp_number_set(to, fallback);
    else
        dp_number_set_ui(to, 0);
}

void result_check_start(dp_result *r, const dp_options *opt, const dp_number *epsilon_fallback,
                        const dp_number *delta_fallback)
{
    r->check.asked = opt->max_epsilon != NULL || opt->max_delta != NULL;
    r->check.holds = DP_UNKNOWN;
    if (!r->check.asked)
        return;
    threshold(&r->check.max_epsilon, opt->max_epsilon, epsilon_fallback);
    threshold(&r->check.max_delta, opt->max_delta, delta_fallback);
}

dp_status result_fail(const dp_result *r, dp_error *err, dp_status status)
{
    static const char *const text[] = LIMIT_ADVICE(" before the answer was proved");
    bool open = status == DP_UNDECIDED || status == DP_LIMIT;
    return fail(err, status, NULL, open ? limit_text(text, r->met) : dp_status_text(status));
}

void check_set_multiple(dp_check *check, const dp_number *epsilon, const mpq_t by)
{
    dp_number_set(&check->max_epsilon, epsilon);
    mpq_t e;
    mpq_init(e);
    if (!epsilon->is_log) {
        mpq_mul(e, number_rational(epsilon), by);
        number_set_q(&check->max_epsilon, e);
    } else if (mpz_cmp_ui(mpq_denref(by), 1) == 0 &&
               guard_pow_fits_q(number_odds(epsilon), mpq_numref(by), GUARD_MAX_BITS)) {
        unsigned long times = mpz_get_ui(mpq_numref(by));
        mpz_pow_ui(mpq_numref(e), mpq_numref(number_odds(epsilon)), times);
        mpz_pow_ui(mpq_denref(e), mpq_denref(number_odds(epsilon)), times);
        number_set_log(&check->max_epsilon, e);
    } else {
        mpq_set(check->factor, by);
    }
    mpq_clear(e);
}

void error_start(dp_error *err)
{
    if (err != NULL)
        *err = (dp_error){DP_OK, NULL, NULL};
}

dp_status fail(dp_error *err, dp_status status, const char *argument, const char *message)
{
    if (err != NULL)
        *err = (dp_error){status, argument, message};
    return status;
}
