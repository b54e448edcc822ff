/* SPDX-License-Identifier: MIT */
/* Tables (RFC 4180: quoted cells, CRLF or LF) as the JSON ledgers that they mean. Names are looked
 * up here, so that a misspelt one is found in the header; values are read as those of JSON are. */
#include "cli/ledger_csv.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "document/commands.h"
#include "document/item_types.h"

#define MOST_COLUMNS 100
#define NAME_BYTES 256

typedef struct cell {
    const char *text;
    size_t length;
    bool quoted; /* quotes within stand twice */
    bool last;   /* of its row */
} cell;

typedef struct table {
    const char *at, *end;
    size_t line;
    fault *f;
    size_t count;
    char name[MOST_COLUMNS][NAME_BYTES]; /* as in the table: quotes stand twice */
} table;

static bool fail(table *t, size_t line, const char *what)
{
    char where[40];
    snprintf(where, sizeof where, "line %zu", line);
    fault_set(t->f, where, "%s", what);
    return false;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool ends_cell(const char *at, const char *end)
{
    return at == end || *at == ',' || *at == '\n' || *at == '\r';
}

/* What stands between quotes, which may be lines. */
static bool quoted_cell(cell *c, table *t)
{
    size_t line = t->line;
    c->text = ++t->at;
    c->quoted = true;
    for (;; t->at++) {
        if (t->at == t->end)
            return fail(t, line, "a quoted cell does not end");
        t->line += *t->at == '\n';
        if (*t->at != '"')
            continue;
        if (t->at + 1 == t->end || t->at[1] != '"')
            break;
        t->at++;
    }
    c->length = (size_t)(t->at++ - c->text);
    while (t->at < t->end && is_blank(*t->at))
        t->at++;
    return ends_cell(t->at, t->end) ||
           fail(t, t->line, "a comma must follow a quoted cell; within it quotes stand twice");
}

static bool plain_cell(cell *c, table *t)
{
    c->text = t->at;
    c->quoted = false;
    for (; !ends_cell(t->at, t->end); t->at++)
        if (*t->at == '"')
            return fail(t, t->line, "a cell that holds quotes must begin with one");
    c->length = (size_t)(t->at - c->text);
    while (c->length > 0 && is_blank(c->text[c->length - 1]))
        c->length--;
    return true;
}

/* Blanks around a cell are no part of it. */
static bool next_cell(cell *c, table *t)
{
    while (t->at < t->end && is_blank(*t->at))
        t->at++;
    bool quoted = t->at < t->end && *t->at == '"';
    if (!(quoted ? quoted_cell : plain_cell)(c, t))
        return false;
    c->last = t->at == t->end || *t->at != ',';
    if (t->at == t->end)
        return true;
    bool both = *t->at == '\r' && t->at + 1 < t->end && t->at[1] == '\n';
    t->at += both ? 2 : 1;
    t->line += c->last;
    return true;
}

/* ---- the header ---- */

/* Fields that every entry may have, beside those of its type. */
static bool is_common(const char *name)
{
    return strcmp(name, "mechanism") == 0 || strcmp(name, "name") == 0 ||
           strcmp(name, item_uses.of->name) == 0;
}

static bool is_known(const char *name)
{
    item_type type;
    bool known = is_common(name) || item_is_remark(name);
    for (size_t i = 0; !known && item_type_at(&type, query_commands, i); i++)
        known = item_type_field(&type, name) != NULL;
    return known;
}

/* False where it is too long to be one: its beginning. */
static bool copy_name(char name[NAME_BYTES], const cell *c)
{
    bool whole = c->length < NAME_BYTES;
    size_t n = whole ? c->length : NAME_BYTES - 1;
    memcpy(name, c->text, n);
    name[n] = '\0';
    return whole;
}

/* What was probably meant by a name that is none. */
static void explain_name(char *what, size_t size, const char *name)
{
    static const char must[] = "the first row names the columns, such as epsilon,delta,times";
    char near[NEAR_ROOM];
    size_t n = strcspn(name, ";\t|");
    if (name[n] != '\0')
        snprintf(what, size, "\"%.40s\" has %s; between columns stand commas, and %s", name,
                 name[n] == ';'    ? "semicolons"
                 : name[n] == '\t' ? "tabs"
                                   : "bars",
                 must);
    else if (strchr("0123456789.+-", name[0]) != NULL)
        snprintf(what, size, "\"%.40s\" is no name; %s", name, must);
    else if (item_any_near(near, query_commands, name))
        snprintf(what, size, "unknown column \"%.40s\"; did you mean %s?", name, near);
    else
        snprintf(what, size, "unknown column \"%.40s\"; %s, and a ledger that is no table is JSON",
                 name, must);
}

static bool read_name(table *t, const cell *c, size_t line)
{
    char *name = t->name[t->count], what[400];
    if (t->count == MOST_COLUMNS)
        return fail(t, line, "the header has more than 100 columns");
    if (c->length == 0)
        return fail(t, line, "a column has no name");
    if (!copy_name(name, c) || !is_known(name)) {
        explain_name(what, sizeof what, name);
        return fail(t, line, what);
    }
    for (size_t i = 0; i < t->count; i++)
        if (item_is_remark(name) ? strcmp(t->name[i], name) == 0
                                 : parameter_same_name(t->name[i], name)) {
            snprintf(what, sizeof what, "the column \"%.60s\" stands twice", name);
            return fail(t, line, what);
        }
    t->count++;
    return true;
}

static void skip_blank_lines(table *t)
{
    for (; t->at < t->end && (*t->at == '\r' || *t->at == '\n'); t->at++)
        t->line += *t->at == '\n';
}

static bool read_header(table *t)
{
    skip_blank_lines(t);
    cell c = {.last = t->at == t->end};
    if (c.last)
        return fail(t, 1, "a table needs a header row, such as epsilon,delta,times");
    while (!c.last) {
        size_t line = t->line;
        if (!next_cell(&c, t) || !read_name(t, &c, line))
            return false;
    }
    return true;
}

bool ledger_is_csv(const char *path, const char *text, size_t length)
{
    size_t n = strlen(path);
    fault ignored;
    cell c;
    table t = {.at = text, .end = text + length, .line = 1, .f = &ignored};
    for (size_t i = 0; i < length && strchr(" \t\r\n{[", text[i]) != NULL; i++)
        if (text[i] == '{' || text[i] == '[')
            return false;
    if (n > 4 && strcasecmp(path + n - 4, ".csv") == 0)
        return true;
    skip_blank_lines(&t);
    return next_cell(&c, &t) && c.length > 0;
}

/* ---- rows ---- */

/* The contents as a JSON string, byte for byte: that they are UTF-8 is checked when it is read. */
static void put_string(out *ledger, const cell *c)
{
    static const char digits[] = "0123456789abcdef";
    char *start = out_reserve(ledger, 6 * c->length + 2), *to = start;
    if (start == NULL)
        return;
    *to++ = '"';
    for (size_t i = 0; i < c->length; i++) {
        unsigned char byte = (unsigned char)c->text[i];
        if (byte < 0x20) {
            memcpy(to, "\\u00", 4);
            to[4] = digits[byte >> 4];
            to[5] = digits[byte & 15];
            to += 6;
            continue;
        }
        if (byte == '"' || byte == '\\')
            *to++ = '\\';
        *to++ = (char)byte;
        i += byte == '"'; /* the second of two */
    }
    *to++ = '"';
    out_grow(ledger, (size_t)(to - start));
}

/* A row as an object. A row without contents leaves nothing behind. */
static bool read_row(table *t, out *ledger, out *lines)
{
    char what[120];
    cell c = {.last = false};
    size_t line = t->line, start = ledger->used, count = 0;
    bool empty = true;
    out_text(ledger, lines->used > 0 ? ",\n{" : "\n{");
    bool first = true;
    for (; !c.last; count++) {
        if (!next_cell(&c, t))
            return false;
        empty = empty && c.length == 0;
        if (count >= t->count || c.length == 0)
            continue;
        const cell name = {.text = t->name[count], .length = strlen(t->name[count])};
        out_text(ledger, first ? "" : ",");
        put_string(ledger, &name);
        out_char(ledger, ':');
        put_string(ledger, &c);
        first = false;
    }
    if (empty) {
        ledger->used = ledger->failed ? ledger->used : start;
        return true;
    }
    if (count != t->count) {
        snprintf(what, sizeof what, "has %zu cells, the header %zu", count, t->count);
        return fail(t, line, what);
    }
    out_char(ledger, '}');
    out_bytes(lines, (const char *)&line, sizeof line);
    return true;
}

bool ledger_from_csv(out *ledger, out *lines, const char *text, size_t length, fault *f)
{
    table t = {.at = text, .end = text + length, .line = 1, .f = f};
    if (!read_header(&t))
        return false;
    out_text(ledger, "{\"mechanisms\":[");
    while (t.at < t.end)
        if (!read_row(&t, ledger, lines))
            return false;
    out_text(ledger, "\n]}");
    return true;
}
