/* SPDX-License-Identifier: MIT */
/* Ranges of options: deltas evenly in logarithm, counts rounded down, all else evenly. */
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
    switch (o->of->kind) {
    case KIND_COUNT:
    case KIND_LOSS:
    case KIND_PROBABILITY:
    case KIND_SLACK:
    case KIND_POSITIVE:
    case KIND_REAL:
        return o->role <= ROLE_CHECK && strchr(text, ':') != NULL;
    default:
        return false;
    }
}

static bool is_delta(const option *o)
{
    size_t n = strlen(o->of->name);
    return n >= 5 && strcmp(o->of->name + n - 5, "delta") == 0;
}

/* The point as it would be given. */
static char *point_text(const option *o, const value *v, size_t i)
{
    dp_number x;
    mpq_t whole;
    dp_number_init(&x);
    mpq_init(whole);
    bool positive = dp_number_sgn(&v->number) > 0 && dp_number_sgn(&v->second) > 0;
    (is_delta(o) && positive ? range_log : range_even)(&x, v, i);
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

bool range_set(args *a, const option *o, const char *text, fault *f)
{
    char where[80];
    value v;
    value_fault wrong;
    snprintf(where, sizeof where, "--%s", o->of->name);
    if (a->range != NULL) {
        fault_set(f, where, "is a second range beside --%s; give one", a->range->of->name);
        return false;
    }
    value_init(&v, &curve_epsilon_range);
    bool ok = value_set(&v, text, &wrong) == DP_OK || fault_value(f, where, &wrong);
    if (ok && v.count > RANGE_MOST) {
        fault_set(f, where, "asks for more than 1000 points");
        ok = false;
    }
    a->range = o;
    a->points = ok ? v.count : 0;
    if (ok) {
        a->point = point_text(o, &v, a->at);
        if (a->point == NULL)
            fault_set(f, where, "out of memory");
        ok = a->point != NULL && args_set(a, o, a->point, f);
    }
    value_clear(&v);
    return ok;
}
