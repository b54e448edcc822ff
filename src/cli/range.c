/* SPDX-License-Identifier: MIT */
/* Ranges of options: deltas evenly in logarithm, counts rounded down, all else evenly. Of several
 * numbers in an option one may be a range, beside which the others stay. */
#include "cli/range.h"

#include <stdio.h>
#include <string.h>

#include "compose/parameters.h"
#include "document/answer.h"
#include "document/range.h"
#include "num/memory.h"
#include "num/number.h"

bool ranges_over(const option *o, const char *text)
{
    enum kind kind = o->of->kind;
    bool numbers = kind == KIND_PAIR || (parameter_domain(o->of) != NULL && kind != KIND_DIGITS);
    return numbers && kind != KIND_LIST_FILE && kind != KIND_TABLE_FILE && o->role <= ROLE_CHECK &&
           strchr(text, ':') != NULL;
}

static bool is_delta(const option *o, bool second)
{
    size_t n = strlen(o->of->name);
    return o->of->kind == KIND_PAIR ? second : n >= 5 && strcmp(o->of->name + n - 5, "delta") == 0;
}

/* The point as it would be given. */
static char *point_text(const option *o, bool second, const value *v, size_t i)
{
    dp_number x;
    mpq_t whole;
    dp_number_init(&x);
    mpq_init(whole);
    bool positive = dp_number_sgn(&v->number) > 0 && dp_number_sgn(&v->second) > 0;
    (is_delta(o, second) && positive ? range_log : range_even)(&x, v, i);
    const domain *d = parameter_domain(o->of);
    mpq_set(whole, number_rational(&x));
    if (d != NULL && d->whole) {
        mpz_fdiv_q(mpq_numref(whole), mpq_numref(whole), mpq_denref(whole));
        mpz_set_ui(mpq_denref(whole), 1);
    }
    char *text = exact_text(whole);
    mpq_clear(whole);
    dp_number_clear(&x);
    return text;
}

/* Of "1:2:3,4" the value "x,4" for the point x. */
static bool set_point(args *a, const option *o, const char *text, size_t start, size_t end,
                      fault *f)
{
    char *whole = NULL;
    size_t size = strlen(text) + 1 + (a->point != NULL ? strlen(a->point) : 0);
    if (a->point != NULL)
        whole = memory_new(size, 1);
    if (whole == NULL)
        fault_set(f, o->of->name, "out of memory");
    else
        snprintf(whole, size, "%.*s%s%s", (int)start, text, a->point, text + end);
    bool ok = whole != NULL && args_set(a, o, whole, f);
    memory_free(whole);
    return ok;
}

bool range_set(args *a, const option *o, const char *text, fault *f)
{
    size_t start = strcspn(text, ":"), end = start + strcspn(text + start, ",");
    while (start > 0 && text[start - 1] != ',')
        start--;
    char where[80];
    value v;
    value_fault wrong;
    snprintf(where, sizeof where, "--%s", o->of->name);
    if (a->range != NULL) {
        fault_set(f, where, "is a second range beside --%s; give one", a->range->of->name);
        return false;
    }
    value_init(&v, &curve_epsilon_range);
    char *part = memory_text(text + start, end - start);
    bool ok = part != NULL;
    if (!ok)
        fault_set(f, where, "out of memory");
    ok = ok && (value_set(&v, part, &wrong) == DP_OK || fault_value(f, where, &wrong));
    if (ok && v.count > RANGE_MOST) {
        fault_set(f, where, "asks for more than 1000 points");
        ok = false;
    }
    a->range = o;
    a->points = ok ? v.count : 0;
    if (ok) {
        a->point = point_text(o, start > 0, &v, a->at);
        ok = set_point(a, o, text, start, end, f);
    }
    value_clear(&v);
    memory_free(part);
    return ok;
}
