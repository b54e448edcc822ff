/* SPDX-License-Identifier: MIT */
/* One line of a batch: read, answered, and what is said of one that memory ends. */
#include <stdio.h>
#include <string.h>

#include "cli/batch.h"
#include "cli/mem.h"
#include "cli/progress.h"
#include "document/json_read.h"
#include "num/memory.h"

bool line_append(line *l, const char *bytes, size_t n)
{
    if (n > ASK_MOST_BYTES - l->length) {
        l->too_long = true;
        return true;
    }
    if (n >= l->room - l->length) {
        size_t room = l->room + l->room / 2 + n + 1;
        char *grown = memory_grow(l->text, room, 1);
        if (grown == NULL)
            return false;
        l->text = grown;
        l->room = room;
    }
    memcpy(l->text + l->length, bytes, n);
    l->length += n;
    return true;
}

bool line_is_blank(const line *l, size_t number)
{
    for (size_t i = number == 1 ? json_mark(l->text, l->length) : 0; i < l->length; i++)
        if (memchr(" \t\r", l->text[i], 3) == NULL)
            return false;
    return true;
}

/* Only a string or a number that is not long is said again where memory runs out. */
static void keep_id(question *q, json id)
{
    const char *text = json_text(id);
    if (text == NULL || strlen(text) > ID_BYTES - 3 || strpbrk(text, "\"\\") != NULL)
        return;
    for (const char *p = text; *p != '\0'; p++)
        if ((unsigned char)*p < ' ')
            return;
    const char *quote = json_kind_of(id) == JSON_NUMBER ? "" : "\"";
    snprintf(q->id, ID_BYTES, "%s%s%s", quote, text, quote);
}

static void begin(void *context, const command *c, json id, bool at_once)
{
    question *q = context;
    keep_id(q, id);
    if (c != NULL)
        mem_context(c->name);
    if (!at_once)
        q->flush();
}

int line_answer(out *o, report *r, line *l, question *q)
{
    asking how = {.line = q->number,
                  .progress = q->shown ? progress_show : NULL,
                  .narrowed = q->shown ? progress_narrowed : NULL,
                  .limit_memory = mem_limit,
                  .begin = begin,
                  .context = q};
    q->asked = true;
    q->id[0] = '\0';
    mem_mark(l->length); /* what was kept of other lines is no part of it */
    mem_limit(MEM_CAP);
    int status = EXIT_INPUT;
    if (!l->too_long) {
        dp_status ignored;
        status = ask_text(o, r, l->text, l->length, &how, &ignored);
    } else {
        fault f;
        ask_too_long(&f);
        ask_fault(o, &f, q->number, (json){0});
    }
    mem_limit(MEM_CAP); /* whatever the line asked for */
    q->asked = false;
    return status;
}

void line_lost(out *o, question *q)
{
    fault f;
    fault_set(&f, "", "out of memory, or ended by the system; the line is left out");
    json_document id;
    json_fault where;
    bool known = q->id[0] != '\0' && json_read(&id, q->id, strlen(q->id), &where);
    ask_fault(o, &f, q->number, known ? json_root(&id) : (json){0});
    if (known)
        json_clear(&id);
    q->asked = false;
}
