/* SPDX-License-Identifier: MIT */
/* Answers as pipelines show them: annotations of GitHub Actions, and a JUnit report. */
#include <string.h>

#include "cli/entries.h"
#include "cli/form_parts.h"
#include "cli/forms.h"
#include "cli/text.h"
#include "num/memory.h"

/* The data of a workflow command, or one of its properties. */
static void put_annotation(out *o, const char *text, bool property)
{
    for (; *text != '\0'; text++)
        if (*text == '%' || *text == '\n' || *text == '\r' ||
            (property && (*text == ':' || *text == ',')))
            out_format(o, "%%%s",
                       *text == '%'    ? "25"
                       : *text == '\n' ? "0A"
                       : *text == '\r' ? "0D"
                       : *text == ':'  ? "3A"
                                       : "2C");
        else
            out_char(o, *text);
}

/* The ledger, where a file is one. */
static const char *ledger_of(const args *a)
{
    return a->operand != NULL && strcmp(a->operand, "-") != 0 ? a->operand : NULL;
}

static void begin_annotation(out *o, const char *level, const args *a)
{
    out_format(o, "::%s title=dpacct %s", level, a->command->name);
    if (ledger_of(a) != NULL) {
        char *shown = form_shown(ledger_of(a));
        out_text(o, ",file=");
        put_annotation(o, shown != NULL ? shown : "", true);
        o->failed = o->failed || shown == NULL;
        memory_free(shown);
    }
    out_text(o, "::");
}

/* Guarantee and check; the table where there are none. */
static void put_plain(out *o, const report *r, const args *a)
{
    text_head(o, r, a, &form_screen);
    if (o->used == 0 && r->result.count > 0)
        text_rows(o, r, &form_screen);
}

void form_github(out *o, const report *r, const args *a)
{
    const dp_check *c = &r->result.check;
    out plain;
    out_init(&plain);
    put_plain(&plain, r, a);
    for (size_t i = 0; i < r->result.notes; i++) /* which entries, which budget: a part of it */
        out_format(&plain, "note: %s\n", r->result.note[i]);
    begin_annotation(o, !c->asked || c->holds == DP_YES ? "notice" : "error", a);
    put_annotation(o, form_lines(&plain), false);
    out_char(o, '\n');
    for (size_t i = 0; i < r->result.warnings; i++) {
        begin_annotation(o, "warning", a);
        put_annotation(o, r->result.warning[i], false);
        out_char(o, '\n');
    }
    o->failed = o->failed || plain.failed;
    out_clear(&plain);
}

/* Text of XML, in the value of an attribute too; other control characters were escaped before. */
static void put_xml(out *o, const char *text, bool attribute)
{
    static const char active[] = "&<>\"'\n";
    static const char *const meant[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;", "&#10;"};
    for (; *text != '\0'; text++) {
        const char *at = strchr(active, *text);
        if (strncmp(text, "\xEF\xBF\xBE", 3) == 0 || strncmp(text, "\xEF\xBF\xBF", 3) == 0) {
            out_char(o, '?'); /* no characters of XML */
            text += 2;
        } else if (at != NULL && (attribute || *text != '\n')) {
            out_text(o, meant[at - active]);
        } else {
            out_char(o, *text);
        }
    }
}

static void put_attribute(out *o, const char *name, out *scratch)
{
    out_format(o, " %s=\"", name);
    put_xml(o, form_lines(scratch), true);
    out_char(o, '"');
    o->failed = o->failed || scratch->failed;
    scratch->used = 0;
}

/* <failure message="...">, <error ...> or <skipped ...>; nothing where the check holds. */
static void put_outcome(out *o, const report *r, const args *a, out *scratch)
{
    const dp_check *c = &r->result.check;
    if (c->asked && c->holds == DP_YES)
        return;
    if (c->asked)
        text_head(scratch, r, a, &form_screen);
    else
        out_text(scratch, "there is no budget to check");
    out_format(o, "      <%s", !c->asked ? "skipped" : c->holds == DP_NO ? "failure" : "error");
    put_attribute(o, "message", scratch);
    out_text(o, c->asked && c->holds == DP_NO ? " type=\"check\"/>\n"
                : c->asked                    ? " type=\"undecided\"/>\n"
                                              : "/>\n");
}

void form_junit(out *o, const report *r, const args *a)
{
    const dp_check *c = &r->result.check;
    out plain;
    out_init(&plain);
    out_text(o, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite");
    put_question(&plain, a);
    put_attribute(o, "name", &plain);
    out_format(o, " tests=\"1\" failures=\"%d\" errors=\"%d\" skipped=\"%d\">\n",
               c->asked && c->holds == DP_NO, c->asked && c->holds == DP_UNKNOWN, !c->asked);
    out_format(o, "    <testcase classname=\"dpacct.%s\"", a->command->name);
    if (c->asked)
        text_asked(&plain, r, a);
    else
        out_text(&plain, "check");
    put_attribute(o, "name", &plain);
    out_text(o, ">\n");
    put_outcome(o, r, a, &plain);
    text_head(&plain, r, a, &form_screen);
    if (r->result.count > 0)
        text_rows(&plain, r, &form_screen);
    if (r->entries.has)
        entries_text(&plain, r, a, &form_screen);
    text_tail(&plain, r, a, &form_screen);
    out_text(o, "      <system-out>");
    put_xml(o, form_lines(&plain), false);
    out_text(o, "</system-out>\n    </testcase>\n  </testsuite>\n</testsuites>\n");
    o->failed = o->failed || plain.failed;
    out_clear(&plain);
}
