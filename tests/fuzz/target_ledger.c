/* SPDX-License-Identifier: MIT */
/* A ledger, and the composition of what it holds. */
#include <stdlib.h>

#include "document/commands.h"
#include "document/json_read.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    json_fault where;
    json_document document;
    if (!json_read(&document, text, size, &where)) {
        free(text);
        return 0;
    }
    args a;
    report r;
    fault f = {"", ""};
    EXPECT(args_init(&a, &cmd_compose));
    report_init(&r);
    a.operand = "ledger.json";
    if (args_read_ledger(&a, document, &f)) {
        a.operand = NULL; /* it has been read */
        fuzz_query(&a, &r);
    } else {
        EXPECT(f.what[0] != '\0');
    }
    report_clear(&r);
    args_clear(&a);
    free(text);
    return 0;
}
