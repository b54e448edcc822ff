/* SPDX-License-Identifier: MIT */
/* The checks that every query makes of what it is given. */
#include "core/door.h"

#include "core/uses.h"
#include "num/limits.h"

dp_status door_pointer(const char *name, const void *pointer, dp_error *err)
{
    return pointer != NULL ? DP_OK : fail(err, DP_DOMAIN, name, "must not be NULL");
}

dp_status door_enum(const char *name, int chosen, int last, dp_error *err)
{
    if (chosen >= 0 && chosen <= last)
        return DP_OK;
    return fail(err, DP_DOMAIN, name, "must be one of the values of its enumeration");
}

dp_status door_choice(const parameter *of, int chosen, dp_error *err)
{
    return door_enum(parameter_field(of), chosen, (int)parameter_choices(of) - 1, err);
}

dp_status door_given(const given *all, size_t count, dp_error *err)
{
    for (size_t i = 0; i < count; i++) {
        const given *p = &all[i];
        const domain *d = parameter_domain(p->of);
        const char *fault = p->number != NULL ? domain_fault(d, p->number)
                            : p->q != NULL    ? domain_fault_q(d, p->q)
                            : p->z != NULL    ? domain_fault_z(d, p->z)
                                              : NULL;
        if (fault != NULL)
            return fail(err, DP_DOMAIN, p->name != NULL ? p->name : parameter_field(p->of), fault);
    }
    return DP_OK;
}

dp_status door_array(const parameter *of, const mpq_t *q, size_t count, dp_error *err)
{
    if (count > 0 && q == NULL)
        return door_pointer(parameter_field(of), q, err);
    for (size_t i = 0; i < count; i++) {
        const char *fault = domain_fault_q(parameter_domain(of), q[i]);
        if (fault != NULL)
            return fail(err, DP_DOMAIN, parameter_field(of), fault);
    }
    return DP_OK;
}

dp_status door_digits(size_t *digits, dp_error *err)
{
    if (*digits > DP_MOST_DIGITS)
        return fail(err, DP_DOMAIN, parameter_field(&query_digits),
                    parameter_domain(&query_digits)->must);
    if (*digits == 0)
        *digits = dp_options_default().digits;
    return DP_OK;
}

dp_status door_cells(const char *name, const dp_composition *list, dp_error *err)
{
    dp_status status = door_pointer(name, list, err);
    if (status == DP_OK)
        status = door_choice(&list_adjacency, (int)list->adjacency, err);
    if (status == DP_OK && list->count > 0)
        status = door_pointer(name, list->item, err);
    for (size_t i = 0; status == DP_OK && i < list->count; i++) {
        const dp_item *m = &list->item[i];
        const given all[] = {
            {&item_epsilon, .number = &m->epsilon},
            {&item_delta, .q = m->delta},
            {&item_times, .z = m->times},
        };
        status = DOOR_GIVEN(all, err);
    }
    return status;
}

dp_status door_list(const char *name, const dp_composition *list, dp_error *err)
{
    dp_status status = door_cells(name, list, err);
    if (status == DP_OK && list->cells != NULL)
        status =
            fail(err, DP_UNAVAILABLE, "cells",
                 "of disjoint data are composed by compose, with adaptive parameters too, and by "
                 "curve; no calibration or attack here is about them");
    return status;
}

dp_status door_items(const char *name, const dp_composition *list, dp_error *err)
{
    dp_status status = door_list(name, list, err);
    if (status == DP_OK && uses_count(list) > 0)
        status = fail(err, DP_UNAVAILABLE, name,
                      "holds a mechanism that is not known by (epsilon, delta) alone; this is "
                      "stated for lists of such pairs");
    return status;
}

dp_status door_open(dp_options *own, const dp_result *out, const char *name, const void *question,
                    const dp_options *opt, dp_error *err)
{
    error_start(err);
    dp_status status = door_pointer("out", out, err);
    if (status == DP_OK)
        status = door_pointer(name, question, err);
    if (status == DP_OK)
        status = door_pointer("options", opt, err);
    if (status != DP_OK)
        return status;
    *own = *opt;
    own->met = NULL;
    if ((status = door_digits(&own->digits, err)) != DP_OK)
        return status;
    if (!(own->max_seconds >= 0)) /* a NaN too */
        return fail(err, DP_DOMAIN, "max_seconds", "must not be negative; 0 is no limit");
    limits_share(own);
    const given all[] = {
        {&query_max_epsilon, .number = own->max_epsilon},
        {&query_max_delta, .number = own->max_delta},
    };
    return DOOR_GIVEN(all, err);
}
