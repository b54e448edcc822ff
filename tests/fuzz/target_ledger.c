/* SPDX-License-Identifier: MIT */
/* A ledger, JSON or a table, and the composition of what it holds. */
#include <stdlib.h>

#include "cli/ledger_csv.h"
#include "document/commands.h"
#include "document/json_read.h"
#include "fuzz.h"

/* A table as JSON, in place of the text; *lines says where its entries begin. */
static bool read_table(char **text, size_t *size, out *lines)
{
    fault f = {"", ""};
    out ledger;
    out_init(&ledger);
    bool ok = ledger_from_csv(&ledger, lines, *text, *size, &f);
    EXPECT(ok == (f.what[0] == '\0'));
    free(*text);
    *size = ledger.used;
    *text = fuzz_text((const uint8_t *)ledger.data, ledger.used);
    out_clear(&ledger);
    return ok;
}

/* As many entries as lines. */
static void check_table(json_document *d, const out *lines)
{
    size_t entries = 0;
    json list = json_find(json_root(d), "mechanisms");
    for (json e = json_first(list); json_exists(e); e = json_next(e))
        entries++;
    EXPECT(json_kind_of(list) == JSON_ARRAY && entries == lines->used / sizeof(size_t));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    json_fault where;
    json_document document;
    out lines;
    out_init(&lines);
    bool table = ledger_is_csv("-", text, size);
    if ((table && !read_table(&text, &size, &lines)) || !json_read(&document, text, size, &where)) {
        out_clear(&lines);
        free(text);
        return 0;
    }
    if (table)
        check_table(&document, &lines);
    args a;
    report r;
    fault f = {"", ""};
    EXPECT(args_init(&a, &cmd_compose, query_commands));
    report_init(&r);
    a.operand = "ledger.json";
    a.lines = (size_t *)(void *)lines.data;
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
