/* SPDX-License-Identifier: MIT */
/* The man pages of section 5: ledgers and JSON, from the tables of mechanisms and of figures. */
#include <string.h>

#include "catalog/types.h"
#include "cli/generate.h"
#include "cli/roff.h"
#include "core/quantity.h"
#include "document/commands.h"
#include "document/item_types.h"

static const char ledger[] =
    "A ledger lists what was released: a JSON object with the key \"mechanisms\", an array of "
    "entries, or a CSV table. compose, curve, divergence, kl-bound, filter and others read it. All "
    "numbers are exact, as strings or as JSON numbers; a byte-order mark is passed over. A field "
    "that is not known is an error, with the nearest name, but for remarks.";

static const char relation[] =
    "All entries are stated for one relation: \"adjacency\" of the ledger, add-remove unless it "
    "says replace-one. An entry of a type that has no statement for it is refused.";

static const char table[] =
    "A header row with the names of the fields of an entry, then a row for each entry; an empty "
    "cell is a field that is not given. Quotes and line ends are as spreadsheets write them. What "
    "stands beside the entries, a target or a budget, is given on the command line.";

static const char sample[] =
    "\n.nf\n{\n"
    "  \"mechanisms\": [\n"
    "    {\"name\": \"trials\", \"epsilon\": \"0.1\", \"delta\": \"1e\\-7\", \"times\": 64},\n"
    "    {\"name\": \"weekly counts\", \"mechanism\": \"gaussian\", \"sigma\": 8, \"times\": 52,\n"
    "     \"date\": \"2026\\-02\\-01\"}\n"
    "  ],\n"
    "  \"target_delta\": \"1e\\-5\",\n"
    "  \"max_epsilon\": \"5\"\n"
    "}\n.fi\n";

static void put_remark_names(out *o)
{
    out_text(o, ".SH REMARKS\nOf a ledger and of its entries; no figure rests on them, but --from "
                "and --to choose by date:\n");
    for (size_t i = 0; item_remarks[i] != NULL; i++)
        out_format(o, "\\fB%s\\fR,\n", item_remarks[i]);
    out_text(o, "and whatever begins with \\fBx\\-\\fR.\n");
}

/* Parameters of a type, or the options of a command that describe one. */
static void put_types(out *o)
{
    item_type t;
    for (size_t i = 0; item_type_at(&t, query_commands, i); i++) {
        man_entry(o, t.name, "", t.brief);
        if (t.type != NULL) {
            roff(o, t.type->manual);
            out_char(o, '\n');
        }
        bool first = true;
        for (const option *p = t.fields; p->of != NULL; p++) {
            if (t.command != NULL && !option_describes(p))
                continue;
            out_text(o, first ? "Parameters: " : ";\n");
            out_text(o, "\\fB");
            roff(o, option_key(p));
            out_text(o, "\\fR, ");
            roff(o, p->of->brief);
            if (p->of->preset != NULL)
                out_format(o, " (default %s)", p->of->preset);
            first = false;
        }
        out_text(o, first ? "" : ".\n");
    }
}

void man_ledger(out *o)
{
    man_head(o, "dpacct-ledger", "5", "what was released, as dpacct reads it");
    man_section(o, "DESCRIPTION", ledger);
    out_text(o, ".SH LEDGER\n");
    man_entry(o, "mechanisms", "", "the entries, in the order of release");
    for (const option *p = cmd_compose.options; p->of != NULL; p++)
        if (option_may_be_stored(p) && p->of->kind != KIND_ITEM)
            man_parameter(o, p->of, option_key(p));
    out_text(o, ".SH ENTRIES\n");
    man_entry(o, "name", "", "what it is called in messages and tables");
    man_entry(o, "mechanism", "", "its type, approx-dp unless given");
    man_parameter(o, item_uses.of, option_key(&item_uses));
    put_remark_names(o);
    out_text(o, ".SH MECHANISMS\nThe types, with what they are private for. "
                "\\fB\\-m\\fR \\fITYPE\\fR:\\fIname\\fR=\\fIvalue\\fR,... takes them too.\n");
    put_types(o);
    man_section(o, "ADJACENCY", relation);
    man_section(o, "CSV", table);
    out_text(o, ".SH EXAMPLES\n.PP");
    out_text(o, sample);
    out_text(o, ".SH SEE ALSO\n.BR dpacct (1),\n.BR dpacct\\-compose (1),\n.BR dpacct\\-json "
                "(5)\n.PP\nThe JSON Schema is share/dpacct/schema/ledger\\-1.schema.json.\n");
}

static const char form[] =
    "With --json one object is written, in UTF-8, on one line; keys are only ever added within "
    "\"dpacct/1\". A bare figure is a double at its safe end: not below the true value of what is "
    "lost, not above that of what may be used or is reached at least. Beside it the field with "
    "_enclosure holds both ends as decimal strings, rounded outward to --digits digits. A solved "
    "count has its exact text beside it, with _exact. Infinity is the string \"Infinity\".\n\n"
    "Gate on the exit status or on .check.holds, never on a comparison of figures. Programs that "
    "must not lose digits read the strings.";

static const struct {
    const char *key, *text;
} keys[] = {
    {"schema", "\"dpacct/1\""},
    {"version", "of dpacct"},
    {"command", "which was asked"},
    {"id", "of a line of batch, as it was given"},
    {"input", "every parameter in force, defaults too, as exact strings under the names of the "
              "options; it can be asked again"},
    {"adjacency", "the relation of neighbouring data sets that the figures are for"},
    {"guarantee", "the row that decides, with its theorem and verdict, or null. Epsilon and delta "
                  "are one true pair"},
    {"guarantee_of", "where --solve found that not even 1 fits: the figures are those of 1"},
    {"finding", "what an audit proves in its place, with the assumptions"},
    {"results", "all rows, strongest first"},
    {"check", "null when nothing was asked; else holds (true, false, or null with a why), and the "
              "budget as max_epsilon, max_delta or another bound, with _exact texts"},
    {"remaining", "of compose --add: what is left of the budget"},
    {"warnings", "the lines that standard error has too"},
    {"notes", "what the text shows as notes"},
    {"error", "in place of all this where the question is wrong, on standard error: argument, "
              "message, help"},
};

void man_json(out *o)
{
    man_head(o, "dpacct-json", "5", "what dpacct writes with --json, and batch for each line");
    man_section(o, "DESCRIPTION", form);
    out_text(o, ".SH KEYS\n");
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        man_entry(o, keys[i].key, "", keys[i].text);
    out_text(o, ".SH ROWS\nEach has its \\fBtheorem\\fR and \\fBverdict\\fR (exact, proved, "
                "unsound, or per\\-instance), and of these figures those that are its own:\n");
    const quantity *q;
    for (size_t i = 0; (q = quantity_at(i)) != NULL; i++)
        man_entry(o, q->name,
                  q->kind != QUANTITY_FIGURE ? ", exact"
                  : q->lower                 ? ", its lower end is the safe one"
                                             : "",
                  q->brief);
    out_text(o, ".SH EXAMPLES\n");
    man_entry(
        o, "dpacct compose ledger.json --json | jq -es 'length > 0 and all(.check.holds == true)'",
        "", "a gate: open, refuted and missing checks stop it, and an input error");
    man_entry(o, "dpacct kl-bound --epsilon 0.1 --json | jq -r '.guarantee.kl_enclosure[1]'", "",
              "the upper end with all its digits");
    out_text(o, ".SH SEE ALSO\n.BR dpacct (1),\n.BR dpacct\\-ledger (5),\n.BR jq (1)\n.PP\n"
                "The JSON Schema is share/dpacct/schema/dpacct\\-1.schema.json.\n");
}
