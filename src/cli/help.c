/* SPDX-License-Identifier: MIT */
/* The help of a command, from its table. */
#include "cli/help.h"

#include <cjson/cJSON.h>
#include <gmp.h>
#include <mpfi.h>
#include <mpfr.h>
#include <string.h>

#include "dpacct/dpacct.h"

void help_none(out *o)
{
    out_text(o, "usage: dpacct COMMAND [OPTION]...\n"
                "Try 'dpacct --help' for the commands, 'dpacct COMMAND --help' for one of them.\n");
}

static void command_list(out *o, const screen *s)
{
    size_t width = 0;
    for (size_t i = 0; commands[i] != NULL; i++)
        if (strlen(commands[i]->name) > width)
            width = strlen(commands[i]->name);
    for (size_t i = 0; commands[i] != NULL; i++) {
        out_format(o, "  %s", commands[i]->name);
        out_pad(o, width - strlen(commands[i]->name) + 2);
        put_wrapped(o, s->width, width + 4, width + 4, commands[i]->brief);
    }
}

static void example_list(out *o, const screen *s, const example *e)
{
    out_text(o, "\nexamples:\n");
    for (; e->line != NULL; e++) {
        out_format(o, "  dpacct %s\n", e->line);
        put_labelled(o, s->width, "      ", e->what);
    }
}

void help_program(out *o, const screen *s, bool whole)
{
    if (whole) {
        put_wrapped(o, s->width, 0, 0,
                    "dpacct answers: what (epsilon, delta) does this spend, and is it within "
                    "budget? Every figure is proved: inputs are exact, results are rounded "
                    "outward.\n");
        out_char(o, '\n');
    }
    out_text(o, "usage: dpacct COMMAND [OPTION]...\n\ncommands:\n");
    command_list(o, s);
    if (!whole) {
        out_text(o, "\n'dpacct --help' says more, 'dpacct COMMAND -h' lists its options.\n");
        return;
    }
    out_text(o, "\nexamples:\n"
                "  dpacct bagging-with -n 60000 -k 300\n"
                "  dpacct compose -m 0.1,1e-6x35 --target-delta 1e-5 --max-epsilon 2\n"
                "  dpacct kl-bound --epsilon 0.1 --json\n\n");
    put_wrapped(o, s->width, 0, 2,
                "exit status: 0 done, and the check (if any) holds; 1 the check does not hold; 2 "
                "usage or input error; 3 could not finish or decide");
    out_char(o, '\n');
    put_wrapped(o, s->width, 0, 0,
                "Numbers are read exactly: 60000, 0.1, 1e-5, 1/3, 2^-40, ln(3).\n"
                "'dpacct COMMAND --help' explains a command, -h lists its options; 'dpacct "
                "theorems' lists what is proved.\n"
                "The manual is in dpacct(1).");
}

void help_usage(out *o, const command *c)
{
    out_text(o, c->name);
    for (const option *p = c->options; p->of != NULL; p++)
        if (p->of->required) {
            if (p->letter != 0)
                out_format(o, " -%c %s", p->letter, p->metavar);
            else
                out_format(o, " --%s %s", p->of->name, p->metavar);
        }
    out_text(o, " [OPTION]...");
    if (c->operand != NULL)
        out_format(o, " %s", c->operand);
}

static size_t option_head(out *o, const option *p)
{
    size_t start = o->used;
    if (p->letter != 0)
        out_format(o, "  -%c, --%s", p->letter, p->of->name);
    else
        out_format(o, "      --%s", p->of->name);
    if (p->metavar != NULL)
        out_format(o, " %s", p->metavar);
    return o->used - start;
}

#define CHOICES_MOST 48

/* a|b|c, on two lines where there are many. */
static void option_choices(out *o, const char *choices)
{
    out_text(o, ": ");
    const char *end = choices + strlen(choices), *rest = choices;
    if (end - choices > CHOICES_MOST)
        while (rest - choices < CHOICES_MOST / 2 || rest[-1] != '|')
            rest++;
    out_bytes(o, choices, (size_t)(rest - choices));
    out_format(o, "%s%s", rest > choices ? "\n" : "", rest);
}

/* What an option is, in a line; whole: and what else there is to say. */
static void option_text(out *o, const option *p, bool whole)
{
    out_text(o, p->of->brief);
    if (p->of->choices != NULL)
        option_choices(o, p->of->choices);
    if (p->of->preset != NULL)
        out_format(o, " [%s]", p->of->preset);
    if (whole)
        out_format(o, "\n%s", p->of->manual);
    out_char(o, '\0');
}

#define HEAD_MOST 30

/* Options beside what they are, or above it. */
static void option_list(out *o, const command *c, const screen *s, bool whole)
{
    size_t width = 0, start = o->used;
    for (const option *p = c->options; p->of != NULL; p++) {
        size_t n = option_head(o, p);
        width = n > width && n <= HEAD_MOST ? n : width;
    }
    o->used = start;
    size_t indent = whole || width + 24 > s->width ? 10 : width + 2;
    out text;
    out_init(&text);
    for (const option *p = c->options; p->of != NULL; p++) {
        size_t head = option_head(o, p);
        text.used = 0;
        option_text(&text, p, whole);
        if (text.failed)
            break;
        if (head + 2 > indent)
            out_char(o, '\n');
        out_pad(o, head + 2 > indent ? indent : indent - head);
        put_wrapped(o, s->width, indent, indent, text.data);
    }
    o->failed = o->failed || text.failed;
    out_clear(&text);
}

void help_rule(out *o, const rule *r)
{
    out_format(o, "%s one of ", r->kind == RULE_EXACTLY_ONE ? "exactly" : "at most");
    for (const char *p = r->options; *p != '\0';) {
        size_t n = strcspn(p, "|");
        bool first = p == r->options, last = p[n] == '\0';
        out_text(o, first ? "--" : last ? " and --" : ", --");
        out_bytes(o, p, n);
        p += n + !last;
    }
}

static void rule_list(out *o, const command *c, const screen *s)
{
    out text;
    out_init(&text);
    for (const rule *r = c->rules; r != NULL && r->options != NULL; r++) {
        text.used = 0;
        help_rule(&text, r);
        out_char(&text, '\0');
        if (text.failed)
            break;
        out_char(o, '\n');
        put_wrapped(o, s->width, 0, 2, text.data);
    }
    o->failed = o->failed || text.failed;
    out_clear(&text);
}

static void usage_line(out *o, const command *c, const screen *s)
{
    out usage;
    out_init(&usage);
    out_text(&usage, "usage: dpacct ");
    help_usage(&usage, c);
    out_char(&usage, '\0');
    if (!usage.failed)
        put_wrapped(o, s->width, 0, 4, usage.data);
    o->failed = o->failed || usage.failed;
    out_clear(&usage);
}

void help_command(out *o, const command *c, const screen *s, bool whole)
{
    usage_line(o, c, s);
    out_char(o, '\n');
    put_wrapped(o, s->width, 0, 0, whole ? c->manual : c->brief);
    if (c->examples != NULL && whole)
        example_list(o, s, c->examples);
    out_text(o, "\noptions:\n");
    option_list(o, c, s, whole);
    rule_list(o, c, s);
    if (whole)
        out_format(o, "\nThe manual is in dpacct-%s(1).\n", c->name);
    else
        out_format(o, "\n'dpacct %s --help' says more and has examples.\n", c->name);
}

static void library_version(out *o, const char *name, const char *running, const char *built,
                            const char *licence)
{
    out_format(o, "%s %s (%s)", name, running, licence);
    if (built != NULL && strcmp(running, built) != 0)
        out_format(o, ", built with %s", built);
    out_char(o, '\n');
}

void help_version(out *o)
{
    out_text(o, "dpacct " DPACCT_VERSION " (MIT)\n");
    library_version(o, "MPFR", mpfr_get_version(), MPFR_VERSION_STRING, "LGPL-3.0-or-later");
    library_version(o, "GMP", gmp_version, NULL, "LGPL-3.0-or-later or GPL-2.0-or-later");
    library_version(o, "MPFI", mpfi_get_version(), NULL, "LGPL-2.1-or-later");
    library_version(o, "cJSON", cJSON_Version(), NULL, "MIT");
}
