/* SPDX-License-Identifier: MIT */
/* What the forms of an answer use: the command line that asked for it, and text of their own. */
#include "cli/form_parts.h"

#include <stdint.h>
#include <string.h>

#include "document/escape.h"
#include "num/memory.h"

const screen form_screen = {.width = SIZE_MAX};

const char *form_text(out *scratch)
{
    out_char(scratch, '\0');
    return scratch->failed ? "" : scratch->data;
}

const char *form_lines(out *scratch)
{
    while (scratch->used > 0 && scratch->data[scratch->used - 1] == '\n')
        scratch->used--;
    return form_text(scratch);
}

char *form_shown(const char *text)
{
    size_t size = 4 * strlen(text) + 1;
    char *shown = memory_new(size, 1);
    if (shown != NULL)
        escape_text(shown, size, text);
    return shown;
}

void put_word(out *o, const char *word)
{
    static const char safe[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                               "-_./,:=+@^%";
    char *shown = form_shown(word);
    if (shown == NULL) {
        o->failed = true;
        return;
    }
    bool plain = shown[0] != '\0' && shown[strspn(shown, safe)] == '\0';
    out_text(o, plain ? "" : "'");
    for (const char *p = shown; *p != '\0'; p++)
        if (*p == '\'')
            out_text(o, "'\\''");
        else
            out_char(o, *p);
    out_text(o, plain ? "" : "'");
    memory_free(shown);
}

void put_question(out *o, const args *a)
{
    out_format(o, "dpacct %s", a->command->name);
    for (int i = 0; i < a->words; i++) {
        out_char(o, ' ');
        put_word(o, a->word[i]);
    }
}
