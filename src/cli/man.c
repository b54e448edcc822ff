/* SPDX-License-Identifier: MIT */
/* The man pages of section 1, from the table of commands. */
#include <string.h>

#include "cli/generate.h"
#include "cli/help.h"
#include "cli/program.h"
#include "cli/roff.h"

/* Most commands take it: dpacct(1) explains it once. */
static bool is_common(const parameter *p)
{
    size_t count = 0, with = 0;
    for (size_t i = 0; commands[i] != NULL; i++, count++)
        for (const option *o = commands[i]->options; o->of != NULL; o++)
            with += o->of == p;
    return 2 * with > count;
}

/* Those of any command, in the order of the first that has them. */
static void common_options_of_all(out *o)
{
    for (size_t i = 0; commands[i] != NULL; i++)
        for (const option *p = commands[i]->options; p->of != NULL; p++) {
            bool seen = false;
            for (size_t j = 0; j < i; j++)
                for (const option *q = commands[j]->options; q->of != NULL; q++)
                    seen = seen || q->of == p->of;
            if (!seen && is_common(p->of))
                man_option(o, p);
        }
}

static void put_rules(out *o, const command *c)
{
    out text;
    out_init(&text);
    for (const rule *r = c->rules; r != NULL && r->options != NULL; r++) {
        text.used = 0;
        out_text(&text, "Give ");
        help_rule(&text, r);
        out_text(&text, ".\n");
        out_char(&text, '\0');
        if (text.failed)
            break;
        out_text(o, ".PP\n");
        roff(o, text.data);
    }
    o->failed = o->failed || text.failed;
    out_clear(&text);
}

/* Those of the command alone, then the names of the others. */
static void put_options(out *o, const command *c)
{
    bool own = false, common = false;
    out_text(o, ".SH OPTIONS\n");
    for (const option *p = c->options; p->of != NULL; p++)
        if (!is_common(p->of)) {
            man_option(o, p);
            own = true;
        }
    for (const option *p = c->options; p->of != NULL; p++)
        if (is_common(p->of)) {
            out_text(o, common ? ", "
                        : own  ? ".PP\nOf those explained in\n.BR dpacct (1):\n"
                               : "Of those explained in\n.BR dpacct (1):\n");
            out_text(o, "\\fB\\-\\-");
            roff(o, p->of->name);
            out_text(o, "\\fR");
            common = true;
        }
    out_text(o, common ? ".\n" : "");
    put_rules(o, c);
}

static void put_examples(out *o, const command *c, size_t most)
{
    for (const example *e = c->examples; e->line != NULL && most-- > 0; e++) {
        out_text(o, ".TP\n\\fBdpacct ");
        roff(o, e->line);
        out_text(o, "\\fR\n");
        roff(o, e->what);
        out_text(o, ".\n");
    }
}

static void put_status(out *o)
{
    out_text(o, ".SH EXIT STATUS\n"
                ".TP\n0\nDone, and the check (if any) holds.\n"
                ".TP\n1\nThe check does not hold, which is proved.\n"
                ".TP\n2\nUsage or input error: one line on standard error, nothing on standard "
                "output.\n"
                ".TP\n3\nCould not finish or decide: a limit, memory, or an output that could not "
                "be written.\n");
}

static void man_command(out *o, const char *page, const command *c)
{
    man_head(o, page, "1", c->brief);
    out_text(o, ".SH SYNOPSIS\n\\fBdpacct\\fR ");
    out usage;
    out_init(&usage);
    help_usage(&usage, c);
    out_char(&usage, '\0');
    if (!usage.failed)
        roff(o, usage.data);
    o->failed = o->failed || usage.failed;
    out_clear(&usage);
    out_text(o, "\n");
    man_section(o, "DESCRIPTION", c->manual);
    put_options(o, c);
    put_status(o);
    out_text(o, ".SH EXAMPLES\n");
    put_examples(o, c, (size_t)-1);
    out_text(o, ".SH SEE ALSO\n.BR dpacct (1)");
    if (c->takes_items)
        out_text(o, ",\n.BR dpacct\\-ledger (5)");
    out_text(o, ",\n.BR dpacct\\-json (5)\n");
}

static const char intro[] =
    "dpacct answers: what (epsilon, delta) does this spend, and is it within budget? Every figure "
    "is an interval proved to contain the true value of a named theorem's formula: inputs are "
    "exact, arithmetic is rounded outward, and what is printed as a guarantee is never below the "
    "truth.\n\n"
    "Each command prints a guarantee, the theorem it rests on and the verdict: exact (no smaller "
    "value is possible), proved (sound, may be loose) or unsound (as published it fails). An "
    "unsound statement is shown only when asked for and never decides anything.\n\n"
    "A figure of fewer digits than were asked for is the exact value; every other one is rounded "
    "to its safe side: upward what is lost, downward what may be used or is reached at least. An "
    "interval is shown where the ends do not agree to so many digits.";

static const char numbers[] =
    "Numbers are read exactly, never through floating point: 60000, 0.1, .5, 1e-5, 2.5E+3, 1/3, "
    "2^-40, and for privacy-loss parameters also ln(3). The decimal point is a point in every "
    "locale. Decimal exponents are limited to 1,000,000, literals to 100,000 characters.\n\n"
    "A figure in text with fewer digits than --digits asks for is exact; one that is rounded, to "
    "the "
    "side that is safe, has all of them, zeros too.";

static const char ledger[] =
    "A ledger is a JSON object that lists what was released, or a CSV table with a row for each "
    "release: compose, curve and others take its file as their operand, - is standard input. It "
    "may hold its target, its budget and its adjacency relation; the command line overrides what "
    "it states of them. "
    "dpacct-ledger(5) has the fields and all types of mechanism, which -m TYPE:name=value,... "
    "takes too.";

static const char adjacency[] =
    "A guarantee is about neighbouring data sets, and says which they are. add-remove: one of them "
    "has a record more. replace-one: they have as many records, and differ in one. Figures for one "
    "are not those for the other: what is E-DP for add-remove is only known to be 2 E-DP for "
    "replace-one. Mechanisms stated for different relations are not mixed. A record is what the "
    "statement of the mechanism says it is; where a person has several, ask for groups "
    "(--group-size).";

static const char csv[] =
    "With --format csv a header is written, then a line for each row: theorem, verdict, and each "
    "figure as two columns, _lower and _upper, rounded outward. What was solved for stands in "
    "both. "
    "Notes, warnings and noise functions are in JSON. A range A:B:N in place of a number puts the "
    "number before them, a line for each point. With --plot-data the columns are what --plot "
    "draws: "
    "the place on the axis, then one curve each. Text on a terminal ends with a command that is "
    "often asked next; what is read from a pipe does not have it.";

static const char limitations[] =
    "Figures are about the mechanism that is described, not about the program that runs it: noise "
    "that is drawn in floating point, a seed that is known, or a sample that is not drawn as "
    "stated "
    "keep no guarantee. Nothing is read of data; what depends on private votes (pate --votes) is "
    "itself not private.\n\n"
    "What was chosen after earlier outputs were seen needs a filter (dpacct-filter(1), compose "
    "--adaptive parameters). A budget that is set after looking at what was spent proves "
    "nothing.\n\n"
    "Unless --max-time says otherwise, work ends after 20 seconds of processor time with the "
    "enclosure found by then, and a check that is open then is neither yes nor no: exit status 3.";

void generate_man(out *o)
{
    man_head(o, "dpacct", "1", "certified differential-privacy accountant");
    out_text(o, ".SH SYNOPSIS\n.B dpacct\n\\fICOMMAND\\fR [\\fIOPTION\\fR]...\n");
    man_section(o, "DESCRIPTION", intro);
    out_text(o, ".SH COMMANDS\nEach has a page of its own.\n");
    for (size_t i = 0; commands[i] != NULL; i++) {
        out_text(o, ".TP\n.BR dpacct\\-");
        roff(o, commands[i]->name);
        out_text(o, " (1)\n");
        roff(o, commands[i]->brief);
        out_char(o, '\n');
    }
    out_text(o, ".SH OPTIONS\nThose that most commands take:\n");
    common_options_of_all(o);
    out_text(o, ".PP\nWithout a command:\n"
                ".TP\n\\fB\\-\\-version\\fR\nThe versions of dpacct and its libraries.\n");
    man_section(o, "NUMBERS", numbers);
    man_section(o, "LEDGER", ledger);
    man_section(o, "ADJACENCY", adjacency);
    man_section(o, "CSV", csv);
    man_section(o, "LIMITATIONS", limitations);
    put_status(o);
    man_section(o, "ENVIRONMENT",
                "NO_COLOR, not empty, and TERM=dumb: no colours on a terminal. Nothing else is "
                "read, and no answer depends on it.");
    out_text(o, ".SH EXAMPLES\n");
    for (size_t i = 0; commands[i] != NULL; i++)
        put_examples(o, commands[i], 1);
    out_text(o, ".SH SEE ALSO\n.BR dpacct\\-ledger (5),\n.BR dpacct\\-json (5),\n.BR jq (1)\n.PP\n"
                "The documentation that comes with dpacct states every theorem with its source, "
                "its proof and, where it is unsound, its counterexample; docs/cookbook.md has the "
                "questions that people ask, each with its command.\n");
}

/* "dpacct-NAME.1", or a page of section 5 */
static void page_name(char name[80], const char *of, const char *section)
{
    const char *part[] = {"dpacct-", of, ".", section};
    name[0] = '\0';
    for (size_t i = 0; i < 4; i++)
        strncat(name, part[i], 79 - strlen(name));
}

void generate_man_names(out *o)
{
    char name[80];
    out_text(o, "dpacct.1\n");
    for (size_t i = 0; commands[i] != NULL; i++) {
        page_name(name, commands[i]->name, "1");
        out_format(o, "%s\n", name);
    }
    out_text(o, "dpacct-ledger.5\ndpacct-json.5\n");
}

bool generate_man_page(out *o, const char *page)
{
    char name[80];
    if (strcmp(page, "dpacct.1") == 0)
        generate_man(o);
    else if (strcmp(page, "dpacct-ledger.5") == 0)
        man_ledger(o);
    else if (strcmp(page, "dpacct-json.5") == 0)
        man_json(o);
    else {
        size_t i = 0;
        for (; commands[i] != NULL; i++) {
            page_name(name, commands[i]->name, "1");
            if (strcmp(name, page) == 0)
                break;
        }
        if (commands[i] == NULL)
            return false;
        name[strlen(name) - 2] = '\0';
        man_command(o, name, commands[i]);
    }
    return true;
}
