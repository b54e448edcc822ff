/* SPDX-License-Identifier: MIT */
/* Answers as tables in Markdown and in LaTeX; what stands around them in the text stands there. */
#include <string.h>

#include "cli/entries.h"
#include "cli/form_parts.h"
#include "cli/forms.h"
#include "cli/markup.h"
#include "cli/tables.h"
#include "cli/text.h"

typedef void (*part)(out *o, const report *r, const args *a, const screen *s);

/* The lines that are not empty, each between two texts. */
static void put_lines(out *o, out *plain, const char *before, const char *after,
                      void (*put)(out *o, const char *text))
{
    out_char(plain, '\0');
    char *end;
    for (char *line = plain->failed ? NULL : plain->data; line != NULL;
         line = end != NULL ? end + 1 : NULL) {
        end = strchr(line, '\n');
        if (end != NULL)
            *end = '\0';
        if (*line != '\0') {
            out_text(o, before);
            put(o, line);
            out_text(o, after);
        }
    }
    o->failed = o->failed || plain->failed;
}

static void put_part(out *o, part of, const report *r, const args *a, const char *before,
                     const char *after, void (*put)(out *o, const char *text))
{
    out plain;
    out_init(&plain);
    of(&plain, r, a, &form_screen);
    put_lines(o, &plain, before, after, put);
    out_clear(&plain);
}

/* The cell in the writing of the form. */
static void put_shown(out *o, const table *t, long line, size_t column,
                      void (*put)(out *o, const char *text))
{
    out plain;
    out_init(&plain);
    t->cell(&plain, t, line, column);
    put(o, form_text(&plain));
    o->failed = o->failed || plain.failed;
    out_clear(&plain);
}

static bool decides(const report *r, long line)
{
    return line >= 0 && (size_t)line == r->result.guarantee;
}

/* As it is, between more backticks than follow each other in it. */
static void put_code(out *o, const char *text)
{
    size_t most = 0;
    for (const char *p = text; *p != '\0'; p++) {
        size_t n = strspn(p, "`");
        most = n > most ? n : most;
    }
    for (size_t i = 0; i <= most; i++)
        out_char(o, '`');
    out_text(o, text);
    for (size_t i = 0; i <= most; i++)
        out_char(o, '`');
}

void markdown_table(out *o, const table *t, const report *r)
{
    for (long line = -1; line < (long)t->lines; line++) {
        for (size_t c = 0; c < t->columns; c++) {
            bool bold =
                r != NULL && ((c == 0 && decides(r, line)) ||
                              (c == 1 && line >= 0 && r->result.row[line].verdict == DP_UNSOUND));
            out_text(o, c == 0 ? "| " : " | ");
            out_text(o, bold ? "**" : "");
            put_shown(o, t, line, c, put_markdown);
            out_text(o, bold ? "**" : "");
        }
        out_text(o, " |\n");
        for (size_t c = 0; line < 0 && c < t->columns; c++)
            out_text(o, c < t->texts ? "| --- " : c + 1 < t->columns ? "| ---: " : "| ---: |\n");
    }
    out_char(o, '\n');
}

/* Of rows, then of entries. */
static void put_tables(out *o, const report *r, const args *a, const char *between,
                       void (*put)(out *o, const table *t, const report *r))
{
    rows_of rows;
    costs entries;
    const table t = rows_table(o, &rows, r);
    if (r->result.count > 0)
        put(o, &t, r);
    if (r->result.count > 0 && r->entries.has)
        out_text(o, between);
    if (r->entries.has) {
        const table each = entries_table(&entries, r, a);
        put(o, &each, NULL);
    }
}

void markdown_tail(out *o, out *tail, const args *a)
{
    size_t start = o->used;
    put_lines(o, tail, "- ", "\n", put_markdown);
    out_format(o, "%sdpacct %s: ", o->used > start ? "\n" : "", DPACCT_VERSION);
    out question;
    out_init(&question);
    put_question(&question, a);
    put_code(o, form_text(&question));
    o->failed = o->failed || question.failed;
    out_clear(&question);
    out_char(o, '\n');
}

void form_markdown(out *o, const report *r, const args *a)
{
    put_part(o, text_head, r, a, "**", "**\n\n", put_markdown);
    put_tables(o, r, a, "", markdown_table);
    out tail;
    out_init(&tail);
    text_tail(&tail, r, a, &form_screen);
    markdown_tail(o, &tail, a);
    out_clear(&tail);
}

/* Figures as mathematics: 1.2e-5, inf, or both ends of one. */
static void put_latex_cell(out *o, const char *text)
{
    const char *p = text + (*text == '-');
    if (*p != '[' && (*p < '0' || *p > '9') && strcmp(p, "inf") != 0) {
        put_latex(o, text);
        return;
    }
    out_char(o, '$');
    for (const char *start = text; *text != '\0'; text++) {
        bool first = text == start || text[-1] == ' ' || text[-1] == '[' || text[-1] == '-';
        bool one = first && text[0] == '1' && text[1] == 'e';
        if (strncmp(text, "inf", 3) == 0) {
            out_text(o, "\\infty");
            text += 2;
        } else if (*text == 'e' || one) {
            size_t n = strspn(text + one + 1, "+-0123456789");
            out_text(o, one ? "10^{" : " \\cdot 10^{");
            out_bytes(o, text + one + 1, n);
            out_char(o, '}');
            text += one + n;
        } else {
            out_char(o, *text);
        }
    }
    out_char(o, '$');
}

static void put_latex_heading(out *o, const char *name)
{
    static const char *const greek[] = {"alpha", "delta", "mu", "rho", "sigma", "xi"};
    for (size_t i = 0; i < sizeof greek / sizeof *greek; i++)
        if (strcmp(name, greek[i]) == 0) {
            out_format(o, "$\\%s$", name);
            return;
        }
    if (strcmp(name, "epsilon") == 0)
        out_text(o, "$\\varepsilon$");
    else
        put_latex(o, name);
}

#define PAGE_LINES 40 /* more are broken between pages */

void latex_table(out *o, const table *t, const report *r)
{
    const char *form = t->lines > PAGE_LINES ? "longtable" : "tabular";
    if (t->lines > PAGE_LINES)
        out_text(o, "% \\usepackage{longtable}\n");
    out_format(o, "\\begin{%s}{", form);
    for (size_t c = 0; c < t->columns; c++)
        out_char(o, c < t->texts ? 'l' : 'r');
    out_text(o, "}\n\\hline\n");
    for (long line = -1; line < (long)t->lines; line++) {
        for (size_t c = 0; c < t->columns; c++) {
            bool bold = r != NULL && decides(r, line) && c == 0;
            out_text(o, c > 0 ? " & " : bold ? "\\textbf{" : "");
            put_shown(o, t, line, c,
                      line < 0        ? put_latex_heading
                      : c >= t->texts ? put_latex_cell
                                      : put_latex);
            out_text(o, bold ? "}" : "");
        }
        out_text(o, line >= 0               ? " \\\\\n"
                    : t->lines > PAGE_LINES ? " \\\\\n\\hline\n\\endhead\n"
                                            : " \\\\\n\\hline\n");
    }
    out_format(o, "\\hline\n\\end{%s}\n", form);
}

void latex_head(out *o, const args *a)
{
    out_format(o, "%% dpacct %s: ", DPACCT_VERSION);
    put_question(o, a);
    out_char(o, '\n');
}

void latex_tail(out *o, out *tail)
{
    put_lines(o, tail, "% ", "\n", out_text);
}

void form_latex(out *o, const report *r, const args *a)
{
    latex_head(o, a);
    put_part(o, text_head, r, a, "% ", "\n", out_text);
    put_tables(o, r, a, "\n", latex_table);
    put_part(o, text_tail, r, a, "% ", "\n", out_text);
}
