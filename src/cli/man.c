/* SPDX-License-Identifier: MIT */
/* The man page, from the table of commands. */
#include <string.h>

#include "catalog/types.h"
#include "cli/generate.h"
#include "cli/help.h"
#include "cli/program.h"
#include "dpacct/dpacct.h"

/* The date of the version, not of the build: the page must be reproducible. */
#define MAN_DATE "2026-11-20"

/* Text with roff's special characters escaped; a blank line starts a new paragraph. */
static void roff(out *o, const char *text)
{
    bool start = true; /* of an input line, where . and ' are requests */
    for (; *text != '\0'; text++) {
        if (text[0] == '\n' && text[1] == '\n') {
            out_text(o, "\n.PP\n");
            text++;
            start = true;
            continue;
        }
        if (start && (*text == '.' || *text == '\''))
            out_text(o, "\\&");
        start = *text == '\n';
        if (*text == '\\')
            out_text(o, "\\e");
        else if (*text == '-')
            out_text(o, "\\-");
        else if (*text == '^')
            out_text(o, "\\(ha");
        else if (*text == '~')
            out_text(o, "\\(ti");
        else if (*text == '\'')
            out_text(o, "\\(aq");
        else
            out_char(o, *text);
    }
}

static void bold(out *o, const char *text)
{
    out_text(o, "\\fB");
    roff(o, text);
    out_text(o, "\\fR");
}

static void man_option(out *o, const option *p)
{
    out_text(o, ".TP\n");
    if (p->letter != 0)
        out_format(o, "\\fB\\-%c\\fR, ", p->letter);
    out_text(o, "\\fB\\-\\-");
    roff(o, p->of->name);
    out_text(o, "\\fR");
    if (p->metavar != NULL)
        out_format(o, " \\fI%s\\fR", p->metavar);
    out_char(o, '\n');
    /* the brief is a phrase; the manual completes it */
    roff(o, p->of->brief);
    if (p->of->choices != NULL) {
        out_text(o, " (");
        for (const char *c = p->of->choices; *c != '\0'; c++)
            roff(o, *c == '|' ? ", " : (char[]){*c, '\0'});
        out_char(o, ')');
    }
    out_text(o, ".\n");
    if (p->of->preset != NULL)
        out_format(o, "Default: %s.\n", p->of->preset);
    if (p->of->unit != NULL && strstr(p->of->brief, p->of->unit) == NULL)
        out_format(o, "Unit: %s.\n", p->of->unit);
    roff(o, p->of->manual);
    out_char(o, '\n');
}

static void man_command(out *o, const command *c)
{
    out_text(o, ".SS ");
    out usage;
    out_init(&usage);
    help_usage(&usage, c);
    out_char(&usage, '\0');
    if (!usage.failed)
        bold(o, usage.data);
    out_clear(&usage);
    out_char(o, '\n');
    roff(o, c->manual);
    out_char(o, '\n');
    for (const rule *r = c->rules; r != NULL && r->options != NULL; r++) {
        out_format(o, ".PP\n%s of ", r->kind == RULE_EXACTLY_ONE ? "Exactly one" : "At most one");
        out_text(o, "\\-\\-");
        for (const char *p = r->options; *p != '\0'; p++)
            if (*p == '|')
                out_text(o, ", \\-\\-");
            else
                roff(o, (char[]){*p, '\0'});
        out_text(o, ".\n");
    }
    for (const option *p = c->options; p->of != NULL; p++)
        man_option(o, p);
}

static const char intro[] =
    "dpacct answers: what (epsilon, delta) does this spend, and is it within budget? Every figure "
    "is an interval proved to contain the true value of a named theorem's formula: inputs are "
    "exact, arithmetic is rounded outward, and what is printed as a guarantee is never below the "
    "truth.\n\n"
    "Each command prints a guarantee, the theorem it rests on and the verdict: exact (no smaller "
    "value is possible), proved (sound, may be loose) or unsound (as published it fails). An "
    "unsound statement is shown only when asked for and never decides anything.";

static const char numbers[] =
    "Numbers are read exactly, never through floating point: 60000, 0.1, .5, 1e-5, 2.5E+3, 1/3, "
    "2^-40, and for privacy-loss parameters also ln(3). The decimal point is a point in every "
    "locale. Decimal exponents are limited to 1,000,000, literals to 100,000 characters.";

static const char types[] =
    "The types of -m TYPE:name=value,... and of the entries of ledgers, with their parameters. "
    "Beside them stand the bagging commands, with the options that describe a learner.";

static const char json[] =
    "With --json one object is written. A bare figure is a double that is not below the upper end; "
    "the field with _enclosure holds both ends as decimal strings. Infinity is the string "
    "\"Infinity\". Scripts that must not lose digits read the _enclosure strings; those that gate "
    "on a check read .check.holds (true, false, or null with a why) or the exit status, and "
    "compare no figures.";

/* The types that -m and ledgers take, beside the commands that describe one. */
static void man_types(out *o)
{
    const mechanism_type *t;
    out_text(o, ".SH MECHANISMS\n");
    roff(o, types);
    out_char(o, '\n');
    for (size_t i = 0; (t = mechanism_type_at(i)) != NULL; i++) {
        out_text(o, ".TP\n");
        bold(o, t->name);
        out_char(o, '\n');
        roff(o, t->brief);
        out_text(o, ".\n");
        roff(o, t->manual);
        out_text(o, "\nParameters:\n");
        for (const parameter *const *p = t->parameters; *p != NULL; p++) {
            bold(o, (*p)->name);
            if ((*p)->preset != NULL)
                out_format(o, " (default %s)", (*p)->preset);
            out_text(o, ", ");
            roff(o, (*p)->brief);
            out_text(o, p[1] != NULL ? ";\n" : ".\n");
        }
    }
}

static void man_examples(out *o)
{
    out_text(o, ".SH EXAMPLES\n");
    for (size_t i = 0; commands[i] != NULL; i++)
        for (const example *e = commands[i]->examples; e != NULL && e->line != NULL; e++) {
            out_text(o, ".TP\n\\fBdpacct ");
            roff(o, e->line);
            out_text(o, "\\fR\n");
            roff(o, e->what);
            out_text(o, ".\n");
        }
}

void generate_man(out *o)
{
    out_text(o, ".\\\" Made by 'dpacct --generate man'.\n"
                ".TH DPACCT 1 " MAN_DATE " \"dpacct " DPACCT_VERSION "\" \"User Commands\"\n"
                ".SH NAME\ndpacct \\- certified differential\\-privacy accountant\n"
                ".SH SYNOPSIS\n.B dpacct\n\\fICOMMAND\\fR [\\fIOPTION\\fR]...\n"
                ".SH DESCRIPTION\n");
    roff(o, intro);
    out_text(o, "\n.SH NUMBERS\n");
    roff(o, numbers);
    out_text(o, "\n.SH COMMANDS\n");
    for (size_t i = 0; commands[i] != NULL; i++)
        man_command(o, commands[i]);
    man_types(o);
    out_text(o, ".SH JSON\n");
    roff(o, json);
    out_text(o, "\n.SH EXIT STATUS\n"
                ".TP\n0\nDone, and the check (if any) holds.\n"
                ".TP\n1\nThe check does not hold.\n"
                ".TP\n2\nUsage or input error.\n"
                ".TP\n3\nCould not finish or decide: a limit, memory, or an output that could not "
                "be written.\n");
    out_text(o, ".SH ENVIRONMENT\nNothing but the terminal's settings is read.\n");
    man_examples(o);
    out_text(o, ".SH SEE ALSO\n.BR jq (1)\n.PP\n"
                "The documentation that comes with dpacct states every theorem with its source, "
                "its proof and, where it is unsound, its counterexample.\n");
}
