/* SPDX-License-Identifier: MIT */
/* What is generated for the documents: the theorem list, the man pages, the completions,
 * the schemas. */
#include "cli/generate.h"

#include <string.h>

#include "cli/program.h"
#include "cli/schema.h"

bool generate(out *o, const char *what)
{
    static const struct {
        const char *name;
        void (*make)(out *o);
    } known[] = {
        {"man", generate_man},
        {"man-pages", generate_man_names},
        {"theorems", generate_theorems},
        {"schema", schema_output},
        {"ledger-schema", schema_ledger},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].name, what) == 0) {
            known[i].make(o);
            return true;
        }
    return generate_completion(o, what, commands) || generate_man_page(o, what);
}

/* ## id, then one paragraph a field: the page that docs/theorems.md holds. */
void generate_theorems(out *o)
{
    out_text(
        o, "# Theorems\n\n"
           "<!-- Made by `dpacct --generate theorems`; a test compares them. -->\n\n"
           "Every figure that dpacct prints rests on one of these statements. A verdict is\n"
           "**exact** (proved, and no smaller value is possible for the stated class), **proved**\n"
           "(sound, may be loose) or **unsound** (as published it fails; it is shown only when\n"
           "asked for, and never decides a guarantee or a check). Logarithms are natural; epsilon\n"
           "is in nats.\n\n"
           "| theorem | command | verdict |\n| --- | --- | --- |\n");
    for (size_t i = 0; i < dp_theorem_count(); i++) {
        const dp_theorem *t = dp_theorem_at(i);
        out_format(o, "| [%s](#%s) | `%s` | %s |\n", t->id, t->id, t->family,
                   dp_verdict_text(t->verdict));
    }
    for (size_t i = 0; i < dp_theorem_count(); i++) {
        const dp_theorem *t = dp_theorem_at(i);
        out_format(o, "\n## %s\n\n", t->id);
        out_format(o, "**Verdict:** %s.\n\n", dp_verdict_text(t->verdict));
        out_format(o, "**Statement:** %s.\n\n", t->statement);
        out_format(o, "**Source:** %s.\n\n", t->source);
        out_format(o, "**Assumes:** %s.\n\n", t->assumes);
        out_format(o, "**%s** %s\n",
                   t->verdict == DP_UNSOUND ? "Why it fails:" : "Why it holds:", t->proof);
        if (t->counterexample != NULL)
            out_format(o, "\n**Counterexample:** %s\n", t->counterexample);
    }
}
