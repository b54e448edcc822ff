/* SPDX-License-Identifier: MIT */
/* Options of the command line to values. */
#include <stdio.h>
#include <string.h>

#include "attack/parameters.h"
#include "cli/argv.h"
#include "cli/hints.h"
#include "cli/query.h"
#include "cli/range.h"
#include "document/escape.h"
#include "renyi/parameters.h"

typedef struct words {
    int next, count;
    char **word;
} words;

static bool is_name(const char *name, const char *word, size_t n)
{
    return name != NULL && strlen(name) == n && memcmp(name, word, n) == 0;
}

static const option *find_long(const command *c, const char *name, size_t n)
{
    for (const option *o = c->options; o->of != NULL; o++)
        if (is_name(o->of->name, name, n) || is_name(o->other, name, n))
            return o;
    return NULL;
}

static const option *find_letter(const command *c, char letter)
{
    for (const option *o = c->options; o->of != NULL; o++)
        if (o->letter == letter || o->other_letter == letter)
            return o;
    return NULL;
}

static bool unknown(const args *a, const char *shown, const char *name, fault *f)
{
    char hint[HINT_ROOM];
    hint_long(hint, a, name);
    fault_set(f, shown, "unknown option%s", hint);
    return false;
}

static bool set_from_file(args *a, const option *o, const char *path, fault *f)
{
    json_document document;
    if (path[0] == '\0') {
        char where[80];
        snprintf(where, sizeof where, "--%s", o->of->name);
        fault_set(f, where, "'' is not a file");
        return false;
    }
    if (!query_read_document(path, &document, f))
        return false;
    json array = json_root(&document);
    bool ok = json_kind_of(array) == JSON_ARRAY && !json_is_empty(array);
    if (!ok)
        fault_set(f, path, "must be a JSON array of numbers");
    ok = ok && args_set_array(a, o, array, false, f);
    json_clear(&document);
    return ok;
}

static size_t digits_of(const char *text)
{
    return strspn(text, "0123456789");
}

/* A decimal comma would be read as two numbers, the second a delta of 1 or xi. */
static bool has_decimal_comma(const option *o, const char *where, const char *text, fault *f)
{
    bool pair = o->of->kind == KIND_PAIR, zcdp = o->of == &convert_zcdp;
    size_t whole = digits_of(text);
    const char *part = text + whole + 1;
    if ((!pair && !zcdp) || whole == 0 || text[whole] != ',' || digits_of(part) == 0 ||
        part[digits_of(part)] != '\0' || strspn(part, "0") == strlen(part))
        return false;
    int before = whole < 20 ? (int)whole : 20;
    if (pair)
        fault_set(f, where, "after the comma stands delta, below 1; was %.*s.%.20s meant?", before,
                  text, part);
    else
        fault_set(f, where,
                  "after the comma stands xi; was %.*s.%.20s meant? For xi write %.*s,%.20s.0",
                  before, text, part, before, text, part);
    return true;
}

/* E-DP with a delta behind it. */
static bool has_delta(const option *o, const char *where, const char *text, fault *f)
{
    const char *delta = strchr(text, ',');
    if (o->of != &convert_pure || delta == NULL || delta != strrchr(text, ',') ||
        strpbrk(delta, "-^/") == NULL)
        return false;
    fault_set(f, where, "is one number, epsilon; did you mean --approx %.60s?", text);
    return true;
}

/* The value of `o`: what follows in the same word, or the next word whatever it looks like, so
 * that a negative number reaches the range check. */
static bool set_with_value(args *a, const option *o, const char *attached, words *w, fault *f)
{
    char where[80];
    snprintf(where, sizeof where, "--%s", o->of->name);
    if (o->of->kind == KIND_FLAG) {
        if (attached != NULL) {
            fault_set(f, where, "takes no value");
            return false;
        }
        return args_set(a, o, "true", f);
    }
    if (attached == NULL) {
        if (w->next == w->count) {
            fault_set(f, where, "needs a value: --%s %s", o->of->name, o->metavar);
            return false;
        }
        attached = w->word[w->next++];
    }
    if (has_decimal_comma(o, where, attached, f) || has_delta(o, where, attached, f))
        return false;
    if (o->of == &attacker_of)
        return argv_of(a, o, attached, w->count, w->word, &w->next, f);
    if (o->of->kind == KIND_TABLE_FILE)
        return query_read_table(a, o, attached, f);
    if (o->of->kind == KIND_LIST_FILE)
        return set_from_file(a, o, attached, f);
    return ranges_over(o, attached) ? range_set(a, o, attached, f) : args_set(a, o, attached, f);
}

static bool read_long(args *a, const char *word, words *w, fault *f)
{
    const char *equals = strchr(word, '=');
    size_t n = equals != NULL ? (size_t)(equals - word) : strlen(word);
    const option *o = find_long(a->command, word, n);
    if (o == NULL) {
        char name[64], shown[80];
        snprintf(name, sizeof name, "%.*s", (int)(n < 60 ? n : 60), word);
        snprintf(shown, sizeof shown, "--%s", name);
        return unknown(a, shown, name, f);
    }
    return set_with_value(a, o, equals != NULL ? equals + 1 : NULL, w, f);
}

static bool read_letters(args *a, const char *letters, words *w, fault *f)
{
    char hint[HINT_ROOM];
    for (; *letters != '\0'; letters++) {
        const option *o = find_letter(a->command, *letters);
        if (o == NULL) {
            char shown[8];
            int n = (int)escape_shown(letters);
            snprintf(shown, sizeof shown, "-%.*s", n > 0 ? n : 1, letters);
            hint_letter(hint, a, letters);
            fault_set(f, shown, "unknown option%s", hint);
            return false;
        }
        if (o->of->kind != KIND_FLAG)
            return set_with_value(a, o, letters[1] != '\0' ? letters + 1 : NULL, w, f);
        if (!args_set(a, o, "true", f))
            return false;
    }
    return true;
}

/* -epsilon 1: the letters would be read as options and values. */
static bool has_two_dashes(const args *a, const char *word, fault *f)
{
    const option *o = hint_single_dash(a, word);
    char shown[64];
    snprintf(shown, sizeof shown, "%.60s", word);
    if (o != NULL)
        fault_set(f, shown, "long options have two dashes; did you mean --%s?", o->of->name);
    return o == NULL;
}

static bool read_operand(args *a, const char *word, fault *f)
{
    char shown[64], hint[HINT_ROOM];
    snprintf(shown, sizeof shown, "%.60s", word);
    if (a->command->operand == NULL || a->operand != NULL)
        hint_operand(hint, a, word);
    if (a->command->operand == NULL) {
        fault_set(f, shown, "unexpected argument; '%s' takes only options%s", a->command->name,
                  hint);
        return false;
    }
    if (a->operand != NULL) {
        fault_set(f, shown, "unexpected argument; give %s once%s", a->command->operand, hint);
        return false;
    }
    a->operand = word;
    return true;
}

argv_outcome args_read_argv(args *a, int argc, char **argv, fault *f)
{
    words w = {0, argc, argv};
    a->word = argv;
    a->words = argc;
    bool options_end = false, ok = true;
    while (ok && w.next < w.count) {
        const char *word = w.word[w.next++];
        if (options_end || word[0] != '-' || word[1] == '\0')
            ok = read_operand(a, word, f);
        else if (strcmp(word, "--") == 0)
            options_end = true;
        else if (word[1] == '-')
            ok = read_long(a, word + 2, &w, f);
        else
            ok = has_two_dashes(a, word, f) && read_letters(a, word + 1, &w, f);
        if (ok && args_flag(a, "help"))
            return word[1] == '-' ? ARGV_HELP : ARGV_SHORT_HELP;
    }
    return ok ? ARGV_OK : ARGV_FAULT;
}
