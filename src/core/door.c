/* SPDX-License-Identifier: MIT */
/* The checks that every query makes of what it is given. */
#include "core/door.h"

#include "num/limits.h"

dp_status door_pointer(const char *name, const void *pointer, dp_error *err)
{
    return pointer != NULL ? DP_OK : fail(err, DP_DOMAIN, name, "must not be NULL");
}

dp_status door_choice(const char *name, int value, int last, dp_error *err)
{
    if (value >= 0 && value <= last)
        return DP_OK;
    return fail(err, DP_DOMAIN, name, "must be one of the values of its enumeration");
}

dp_status door_given(const given *all, size_t count, dp_error *err)
{
    for (size_t i = 0; i < count; i++) {
        const given *p = &all[i];
        const char *fault = p->number != NULL ? domain_fault(p->domain, p->number)
                            : p->q != NULL    ? domain_fault_q(p->domain, p->q)
                            : p->z != NULL    ? domain_fault_z(p->domain, p->z)
                                              : NULL;
        if (fault != NULL)
            return fail(err, DP_DOMAIN, p->name, fault);
    }
    return DP_OK;
}

dp_status door_array(const char *name, const domain *d, const mpq_t *q, size_t count, dp_error *err)
{
    if (count > 0 && q == NULL)
        return door_pointer(name, q, err);
    for (size_t i = 0; i < count; i++) {
        const char *fault = domain_fault_q(d, q[i]);
        if (fault != NULL)
            return fail(err, DP_DOMAIN, name, fault);
    }
    return DP_OK;
}

dp_status door_list(const char *name, const dp_composition *list, dp_error *err)
{
    dp_status status = door_pointer(name, list, err);
    if (status == DP_OK)
        status = door_choice("adjacency", (int)list->adjacency, DP_REPLACE_ONE, err);
    if (status == DP_OK && list->count > 0)
        status = door_pointer(name, list->item, err);
    for (size_t i = 0; status == DP_OK && i < list->count; i++) {
        const dp_item *m = &list->item[i];
        const given all[] = {
            {"epsilon", &domain_loss, .number = &m->epsilon},
            {"delta", &domain_probability, .q = m->delta},
            {"times", &domain_count, .z = m->times},
        };
        status = DOOR_GIVEN(all, err);
    }
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
    if (own->digits == 0)
        own->digits = dp_options_default().digits;
    if (own->digits > DP_MOST_DIGITS)
        return fail(err, DP_DOMAIN, "digits", domain_digits.must);
    if (!(own->max_seconds >= 0)) /* a NaN too */
        return fail(err, DP_DOMAIN, "max_seconds", "must not be negative; 0 is no limit");
    limits_share(own);
    const given all[] = {
        {"max_epsilon", &domain_loss, .number = own->max_epsilon},
        {"max_delta", &domain_probability, .number = own->max_delta},
    };
    return DOOR_GIVEN(all, err);
}
