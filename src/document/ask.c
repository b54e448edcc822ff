/* SPDX-License-Identifier: MIT */
/* Questions answered one by one: the lines of a batch, and dp_ask. */
#include "document/ask.h"

#include <string.h>

#include "document/commands.h"
#include "document/emit.h"
#include "dpacct/document.h"
#include "num/memory.h"

/* Shorter questions without a list are answered at once. */
#define CHEAP_BYTES 4096

void ask_fault(out *o, const fault *f, size_t line, json id)
{
    char message[sizeof f->where + sizeof f->what + 4];
    strcpy(message, f->where);
    strcat(message, f->where[0] != '\0' ? ": " : "");
    strcat(message, f->what);
    emit_object(o, NULL);
    emit_text(o, "schema", "dpacct/1");
    emit_text(o, "version", DPACCT_VERSION);
    if (json_exists(id))
        emit_value(o, "id", id);
    emit_text(o, "error", message);
    emit_count(o, "line", line);
    emit_object_end(o);
    out_char(o, '\n');
}

void ask_too_long(fault *f)
{
    fault_set(f, "", "the line is longer than 16 MiB");
}

static const command *asked_command(json object, fault *f)
{
    json field = json_find(object, "command");
    const char *name = json_text(field);
    if (json_kind_of(object) != JSON_OBJECT)
        fault_set(f, "", "a line must be a JSON object");
    else if (name == NULL || json_kind_of(field) == JSON_NUMBER)
        fault_set(f, "command", "is missing; name the command, such as \"bagging-with\"");
    else {
        const command *c = command_in(query_commands, name);
        if (c != NULL)
            return c;
        char near[NEAR_ROOM];
        if (command_near(near, query_commands, name))
            fault_set(f, "command", "'%.60s' is not a command; did you mean %s?", name, near);
        else
            fault_set(f, "command", "'%.60s' is not a command that batch can run", name);
    }
    return NULL;
}

/* Is a check open because the time or the memory of the line was over? */
static bool ran_out(const report *r)
{
    return r->result.check.asked && r->result.check.holds == DP_UNKNOWN &&
           (r->result.met & (DP_MET_TIME | DP_MET_MEMORY)) != 0;
}

static dp_status status_of(const report *r, const args *a)
{
    if (r->error.message != NULL && r->error.status != DP_OK)
        return r->error.status;
    return a->late ? DP_LIMIT : DP_DOMAIN;
}

static int answer_command(out *o, report *r, const command *c, json object, const asking *how,
                          dp_status *status)
{
    fault f;
    fault_none(&f);
    args *a = &r->asked;
    json id = json_find(object, "id");
    if (!args_again(a, c, query_commands)) {
        *status = DP_MEMORY;
        return EXIT_UNFINISHED;
    }
    a->progress = how->progress;
    a->narrowed = how->narrowed;
    a->limit_memory = how->limit_memory;
    int outcome = EXIT_INPUT;
    r->error = (dp_error){DP_OK, NULL, NULL};
    if (args_read_object(a, object, &f))
        outcome = report_ask(r, a, &f);
    else if (a->late)
        outcome = EXIT_UNFINISHED;
    if (f.what[0] == '\0') {
        *status = DP_OK;
        outcome = ran_out(r) ? EXIT_UNFINISHED : EXIT_HOLDS;
        report_json(o, r, a, id);
    } else {
        *status = status_of(r, a);
        ask_fault(o, &f, how->line, id);
    }
    args_rest(a);
    return outcome;
}

/* Is a list asked for closed forms alone, of pairs alone? */
static bool is_closed(json object)
{
    const char *method = json_text(json_find(object, "method"));
    if (method == NULL || strcmp(method, "basic") != 0)
        return false;
    for (json field = json_first(object); json_exists(field); field = json_next(field))
        if (strcmp(json_key(field), "method") != 0 && strcmp(json_key(field), "command") != 0 &&
            strcmp(json_key(field), "id") != 0 && strcmp(json_key(field), "mechanisms") != 0)
            return false;
    for (json c = json_first(json_find(object, "mechanisms")); json_exists(c); c = json_next(c))
        if (json_kind_of(c) != JSON_OBJECT || json_exists(json_find(c, "mechanism")))
            return false;
    return true;
}

static int answer_object(out *o, report *r, json object, bool is_short, const asking *how,
                         dp_status *status)
{
    fault f;
    fault_none(&f);
    const command *c = asked_command(object, &f);
    json id = json_find(object, "id");
    bool list = c != NULL && c->takes_items &&
                (json_exists(json_find(object, "mechanisms")) ||
                 json_exists(json_find(object, "mechanism"))) &&
                !is_closed(object);
    if (how->begin != NULL)
        how->begin(how->context, c, id, c == NULL || (is_short && !list));
    if (c != NULL)
        return answer_command(o, r, c, object, how, status);
    ask_fault(o, &f, how->line, id);
    return EXIT_INPUT;
}

int ask_text(out *o, report *r, char *text, size_t length, const asking *how, dp_status *status)
{
    json_fault where;
    json_document document;
    *status = DP_DOMAIN;
    if (how->line == 1) { /* where files may begin with a mark */
        size_t mark = json_mark(text, length);
        text += mark;
        length -= mark;
    }
    if (json_read(&document, text, length, &where)) {
        bool is_short = length <= CHEAP_BYTES;
        int outcome = answer_object(o, r, json_root(&document), is_short, how, status);
        json_clear(&document);
        return outcome;
    }
    fault f;
    fault_set(&f, "", "%s at byte %zu", where.message, where.offset + 1);
    ask_fault(o, &f, how->line, (json){0});
    return EXIT_INPUT;
}

/* The document without its newline, or NULL. */
static char *take(out *o)
{
    out_char(o, '\0');
    if (o->failed || o->used < 2) {
        out_clear(o);
        return NULL;
    }
    o->data[o->used - 2] = '\0';
    return o->data;
}

static dp_status answer(out *o, const char *request)
{
    static const asking how = {.line = 1};
    dp_status status = DP_DOMAIN;
    fault f;
    size_t length = request != NULL ? strlen(request) : 0;
    if (length == 0 || length > ASK_MOST_BYTES) {
        if (length > 0)
            ask_too_long(&f);
        else
            fault_set(&f, "", "a line must be a JSON object");
        ask_fault(o, &f, how.line, (json){0});
        return status;
    }
    char *text = memory_text(request, length);
    if (text == NULL)
        return DP_MEMORY;
    report r;
    report_init(&r);
    ask_text(o, &r, text, length, &how, &status);
    report_clear(&r);
    memory_free(text);
    return status;
}

char *dp_ask(const char *request, dp_status *status)
{
    out o;
    out_init(&o);
    size_t before = memory_failures();
    dp_status outcome = answer(&o, request);
    if (memory_failures() != before || o.failed) { /* no document lacks a part */
        fault f;
        outcome = DP_MEMORY;
        out_clear(&o);
        fault_set(&f, "", "out of memory");
        ask_fault(&o, &f, 1, (json){0});
    }
    if (status != NULL)
        *status = outcome;
    return take(&o);
}
