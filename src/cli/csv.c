/* SPDX-License-Identifier: MIT */
/* Answers as CSV, or with tabs in the place of commas. */
#include "cli/figures.h"
#include "cli/text.h"

void report_csv(out *o, const report *r, char comma)
{
    const char *name[TEXT_COLUMNS];
    size_t n = columns(o, r, name), first = r->kinds != NULL;
    out_format(o, "theorem%cverdict", comma);
    if (first > 0)
        out_format(o, "%c%s", comma, r->kinds);
    for (size_t c = first; c < n; c++)
        out_format(o, "%c%s_lower%c%s_upper", comma, name[c], comma, name[c]);
    out_char(o, '\n');
    for (size_t i = 0; i < r->result.count; i++) {
        const dp_row *row = &r->result.row[i];
        out_format(o, "%s%c%s", row->theorem->id, comma, dp_verdict_text(row->verdict));
        if (first > 0)
            out_format(o, "%c%s", comma, row->count > 0 ? row->quantity[0].name : "");
        for (size_t c = first; c < n; c++)
            put_ends(o, r, cell(r, row, name[c]), comma);
        out_char(o, '\n');
    }
}
