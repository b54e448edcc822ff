/* SPDX-License-Identifier: MIT */
/* Numbers and values of parameters from text, which the library's tests refuse their blocks. */
#include "values.h"

#include <string.h>

#include "core/value.h"

dp_status literal(dp_result *out, const void *of, dp_error *err)
{
    (void)out;
    dp_number x;
    dp_number_init(&x);
    dp_status status = dp_number_parse(&x, of, strlen(of), err);
    dp_number_clear(&x);
    return status;
}

/* A value that cannot be kept stays what it was. */
dp_status setting(dp_result *out, const void *of, dp_error *err)
{
    (void)out;
    const parameter list = {.name = "list", .kind = KIND_LIST};
    value v;
    value_fault f;
    value_init(&v, &list);
    dp_status first = value_set(&v, "1/3", &f);
    dp_status status = first == DP_OK ? value_set(&v, of, &f) : first;
    const char *text = first != DP_OK ? NULL : status != DP_OK ? "1/3" : of;
    bool kept = text == NULL ? v.text == NULL : v.text != NULL && strcmp(v.text, text) == 0;
    if (status != DP_OK)
        value_fail(err, status, &v, &f);
    if (!kept)
        status = DP_UNDECIDED; /* none of the questions comes to that */
    value_clear(&v);
    return status;
}
