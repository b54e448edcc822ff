/* SPDX-License-Identifier: MIT */
/* Man pages in pieces: text, lists, options. */
#include "cli/roff.h"

#include <string.h>

#include "dpacct/dpacct.h"

/* The date of the version, not of the build: the pages must be reproducible. */
#define MAN_DATE "2026-11-20"

void roff(out *o, const char *text)
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

void man_head(out *o, const char *name, const char *section, const char *brief)
{
    out_format(o, ".\\\" Made by 'dpacct --generate %s.%s'.\n.TH ", name, section);
    for (const char *c = name; *c != '\0'; c++)
        out_char(o, *c >= 'a' && *c <= 'z' ? (char)(*c - 'a' + 'A') : *c);
    out_format(o, " %s " MAN_DATE " \"dpacct " DPACCT_VERSION "\" \"%s\"\n.nh\n.SH NAME\n", section,
               section[0] == '1' ? "User Commands" : "File Formats");
    out_text(o, name); /* as it is: indexers read it */
    out_text(o, " \\- ");
    roff(o, brief);
    out_char(o, '\n');
}

void man_section(out *o, const char *title, const char *text)
{
    out_format(o, ".SH %s\n", title);
    roff(o, text);
    out_char(o, '\n');
}

void man_entry(out *o, const char *name, const char *after, const char *text)
{
    out_text(o, ".TP\n\\fB");
    roff(o, name);
    out_format(o, "\\fR%s\n", after);
    roff(o, text);
    out_text(o, ".\n");
}

void roff_choices(out *o, const char *choices)
{
    for (const char *c = choices; *c != '\0'; c++)
        roff(o, *c == '|' ? ", " : (char[]){*c, '\0'});
}

/* The brief is a phrase; the manual completes it. */
static void put_about(out *o, const parameter *p)
{
    roff(o, p->brief);
    if (p->choices != NULL) {
        out_text(o, " (");
        roff_choices(o, p->choices);
        out_char(o, ')');
    }
    out_text(o, p->brief[strlen(p->brief) - 1] == '?' ? "\n" : ".\n");
    if (p->preset != NULL)
        out_format(o, "Default: %s.\n", p->preset);
    if (p->unit != NULL && strstr(p->brief, p->unit) == NULL)
        out_format(o, "Unit: %s.\n", p->unit);
    if (p->manual != NULL) {
        roff(o, p->manual);
        out_char(o, '\n');
    }
}

void man_option(out *o, const option *p)
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
    put_about(o, p->of);
}

void man_parameter(out *o, const parameter *p, const char *name)
{
    out_text(o, ".TP\n\\fB");
    roff(o, name);
    out_text(o, "\\fR\n");
    put_about(o, p);
}
