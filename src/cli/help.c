/* SPDX-License-Identifier: MIT */
/* The help of a command, from its table. */
#include "cli/help.h"

#include <cjson/cJSON.h>
#include <gmp.h>
#include <mpfi.h>
#include <mpfr.h>
#include <string.h>

#include "dpacct/dpacct.h"

void help_short(out *o)
{
    out_text(o, "usage: dpacct COMMAND [OPTION]...\n"
                "Try 'dpacct --help' for the commands, 'dpacct COMMAND --help' for one of them.\n");
}

static void command_list(out *o)
{
    size_t width = 0;
    for (size_t i = 0; commands[i] != NULL; i++)
        if (strlen(commands[i]->name) > width)
            width = strlen(commands[i]->name);
    for (size_t i = 0; commands[i] != NULL; i++) {
        out_format(o, "  %s", commands[i]->name);
        out_pad(o, width - strlen(commands[i]->name) + 3);
        out_format(o, "%s\n", commands[i]->brief);
    }
}

void help_all(out *o)
{
    out_text(o, "dpacct answers: what (epsilon, delta) does this spend, and is it within budget?\n"
                "Every figure is proved: inputs are exact, results are rounded outward.\n\n"
                "usage: dpacct COMMAND [OPTION]...\n\n"
                "commands:\n");
    command_list(o);
    out_text(o, "\nexamples:\n"
                "  dpacct bagging-with -n 60000 -k 300\n"
                "  dpacct compose -m 0.1,1e-6x35 --target-delta 1e-5 --max-epsilon 2\n"
                "  dpacct kl-bound --epsilon 0.1 --json\n\n"
                "exit status: 0 done, and the check (if any) holds; 1 the check does not hold;\n"
                "  2 usage or input error; 3 could not finish or decide\n\n"
                "Numbers are read exactly: 60000, 0.1, 1e-5, 1/3, 2^-40, ln(3).\n"
                "'dpacct COMMAND --help' explains a command; 'dpacct theorems' lists what is "
                "proved.\n"
                "The manual is in dpacct(1).\n");
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

static void option_list(out *o, const command *c)
{
    size_t width = 0, start = o->used;
    for (const option *p = c->options; p->of != NULL; p++) {
        size_t n = option_head(o, p);
        width = n > width ? n : width;
    }
    o->used = start;
    for (const option *p = c->options; p->of != NULL; p++) {
        out_pad(o, width - option_head(o, p) + 2);
        out_text(o, p->of->brief);
        if (p->of->choices != NULL)
            out_format(o, ": %s", p->of->choices);
        if (p->of->preset != NULL)
            out_format(o, " [%s]", p->of->preset);
        out_char(o, '\n');
    }
}

void help_command(out *o, const command *c)
{
    out_text(o, "usage: dpacct ");
    help_usage(o, c);
    out_format(o, "\n\n%s\n", c->manual);
    if (c->examples != NULL) {
        out_text(o, "\nexamples:\n");
        for (const example *e = c->examples; e->line != NULL; e++)
            out_format(o, "  dpacct %s\n      %s\n", e->line, e->what);
    }
    out_text(o, "\noptions:\n");
    option_list(o, c);
    for (const rule *r = c->rules; r != NULL && r->options != NULL; r++)
        out_format(o, "\n%s of: %s\n", r->kind == RULE_EXACTLY_ONE ? "exactly one" : "at most one",
                   r->options);
    out_text(o, "\nThe manual is in dpacct(1).\n");
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
