/* SPDX-License-Identifier: MIT */
/* The definitions of literals, which parameters refer to. */
#include "cli/schema_literals.h"

#include <stdio.h>
#include <string.h>

#include "cli/schema.h"
#include "document/emit.h"

void schema_literals(out *o, schema_form form)
{
    bool read = form == SCHEMA_READ;
    const char *type = read ? "[`string`,`number`]" : "`string`";
    static const struct {
        const char *name, *pattern, *what;
    } bases[] = {
        {"plain", "^" PLAIN "$",
         "an integer, a decimal, a fraction, or an integer power such as "
         "2^-40"},
        {"exact", "^" EXACT "$", "as plain, or ln of one of these"},
        {"pair", "^" EXACT "(," PLAIN ")?$", "EPS or EPS,DELTA"},
        {"range", "^" PLAIN ":" PLAIN ":\\+?" RATIO "$", "A:B:N"},
    };
    for (size_t i = 0; i < sizeof bases / sizeof *bases; i++) {
        char text[200];
        if (read && strcmp(bases[i].name, "range") == 0)
            continue;
        emit_object(o, bases[i].name);
        schema_raw(o, "type", type);
        emit_text(o, "pattern", bases[i].pattern);
        snprintf(text, sizeof text, "%s: %s%s.",
                 read ? "Read exactly" : "An exact input in the form given", bases[i].what,
                 read ? "; a string, or a JSON number, of which every digit counts" : "");
        emit_text(o, "description", text);
        emit_object_end(o);
    }
    schema_raw(o, "not_negative",
               "{`$ref`:`#/$defs/plain`,`pattern`:`" NOT_NEGATIVE
               "`,`description`:`0 or above; not a logarithm.`}");
    schema_raw(o, "positive",
               "{`$ref`:`#/$defs/plain`,`pattern`:`" POSITIVE
               "`,`description`:`Above 0; not a logarithm.`}");
    schema_raw(o, "loss",
               "{`$ref`:`#/$defs/exact`,`pattern`:`" LOSS
               "`,`description`:`A privacy loss: 0 or above, or ln(R) with R at least 1.`}");
}
