/* SPDX-License-Identifier: MIT */
/* Prose broken into lines, for a terminal or a pipe. */
#include "cli/screen.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define NARROWEST 24 /* a terminal that says less has no size */

screen screen_of_output(void)
{
    screen s = {SCREEN_WIDTH, 0, false};
    struct winsize size;
    if (!isatty(STDOUT_FILENO))
        return s;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= NARROWEST)
        s.width = size.ws_col;
    s.table = s.width;
    const char *none = getenv("NO_COLOR"), *term = getenv("TERM");
    s.colour = (none == NULL || none[0] == '\0') && term != NULL && strcmp(term, "dumb") != 0;
    return s;
}

size_t screen_columns(const char *text, size_t bytes)
{
    size_t columns = 0;
    for (size_t i = 0; i < bytes; i++)
        columns += ((unsigned char)text[i] & 0xC0) != 0x80;
    return columns;
}

/* Bytes up to the next blank; of a list of choices that fits no line those that fit. */
static size_t word_length(const char *text, size_t most)
{
    size_t bytes = strcspn(text, " \n"), cut = 0;
    if (screen_columns(text, bytes) <= most)
        return bytes;
    for (size_t i = 0; i < bytes && screen_columns(text, i + 1) <= most; i++)
        if (text[i] == '|')
            cut = i + 1;
    return cut > 0 ? cut : bytes;
}

void put_wrapped(out *o, size_t width, size_t column, size_t indent, const char *text)
{
    bool fresh = true; /* nothing of the text stands on this line */
    while (*text != '\0') {
        size_t bytes = word_length(text, width > indent ? width - indent : 0);
        size_t word = screen_columns(text, bytes);
        if (!fresh && bytes > 0 && column + 1 + word > width) {
            out_char(o, '\n');
            out_pad(o, indent);
            column = indent;
            fresh = true;
        }
        if (!fresh && bytes > 0) {
            out_char(o, ' ');
            column++;
        }
        out_bytes(o, text, bytes);
        column += word;
        fresh = fresh && bytes == 0;
        text += bytes;
        if (*text == '\n') {
            out_char(o, '\n');
            column = text[1] != '\n' && text[1] != '\0' ? indent : 0;
            out_pad(o, column);
            fresh = true;
        }
        text += *text == ' ' || *text == '\n';
    }
    out_char(o, '\n');
}

void put_labelled(out *o, size_t width, const char *label, const char *text)
{
    size_t indent = screen_columns(label, strlen(label));
    out_text(o, label);
    put_wrapped(o, width, indent, indent, text);
}

void put_alarm(out *o, const screen *s, const char *text)
{
    out_format(o, "%s%s%s", s->colour ? "\033[31m" : "", text, s->colour ? "\033[0m" : "");
}
