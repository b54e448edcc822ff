/* SPDX-License-Identifier: MIT */
/* Text from outside in messages: nothing of it acts on a terminal or forges a line of a log. */
#include "document/escape.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Control characters, ends of lines, and what reorders or hides text. */
static bool is_active(uint32_t c)
{
    static const uint32_t range[][2] = {
        {0, 0x1F},        {0x7F, 0x9F},     {0xAD, 0xAD},     {0x61C, 0x61C},   {0x200B, 0x200F},
        {0x2028, 0x202E}, {0x2060, 0x206F}, {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB}, {0xE0000, 0xE0FFF},
    };
    for (size_t i = 0; i < sizeof range / sizeof *range; i++)
        if (c >= range[i][0] && c <= range[i][1])
            return true;
    return false;
}

/* The character at p and the number of its bytes, 0 when there is none. */
static size_t decode(uint32_t *code, const char *text)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *p = (const unsigned char *)text;
    size_t n = p[0] < 0x80 ? 1 : p[0] >= 0xF0 ? 4 : p[0] >= 0xE0 ? 3 : p[0] >= 0xC0 ? 2 : 0;
    uint32_t c = n <= 1 ? p[0] : p[0] & (0xFFU >> (n + 1));
    for (size_t i = 1; i < n; i++) { /* the end of the text is no continuation */
        if ((p[i] & 0xC0U) != 0x80)
            return 0;
        c = c << 6 | (p[i] & 0x3FU);
    }
    *code = c;
    bool valid = n <= 1 || (c >= least[n] && c <= 0x10FFFF && (c < 0xD800 || c > 0xDFFF));
    return valid && p[0] < 0xF8 ? n : 0;
}

size_t escape_shown(const char *text)
{
    uint32_t code;
    size_t n = decode(&code, text);
    return n > 0 && !is_active(code) ? n : 0;
}

/* So many hexadecimal digits of the code. */
static void put_hex(char *to, uint32_t code, size_t digits)
{
    while (digits-- > 0)
        *to++ = "0123456789abcdef"[code >> 4 * digits & 0xF];
}

void escape_text(char *to, size_t size, const char *text)
{
    size_t used = 0;
    while (*text != '\0') {
        size_t n = escape_shown(text), wanted = n > 0 ? n : 4;
        if (wanted >= size - used)
            break;
        if (n > 0)
            memcpy(to + used, text, n);
        else
            put_hex(strcpy(to + used, "\\x") + 2, (unsigned char)*text, 2);
        used += wanted;
        text += n > 0 ? n : 1;
    }
    to[used] = '\0';
}

/* Bytes at the start of the text that stand for themselves in a string. */
static size_t plain(const char *text)
{
    size_t n = 0;
    while (text[n] >= ' ' && text[n] < 0x7F && text[n] != '"' && text[n] != '\\')
        n++;
    return n;
}

typedef unsigned char bytes __attribute__((vector_size(16)));

/* Of sixteen bytes at once: in each, is it below a blank, above '~', or one of the two? */
static bytes special(const char *text)
{
    bytes c;
    memcpy(&c, text, sizeof c);
    return (bytes)(c - ' ' > '~' - ' ') | (bytes)(c == '"') | (bytes)(c == '\\');
}

bool escape_none(const char *text, size_t n)
{
    if (n < sizeof(bytes))
        return plain(text) >= n;
    bytes some = special(text + n - sizeof some);
    for (size_t i = 0; i + sizeof some < n; i += sizeof some)
        some |= special(text + i);
    uint64_t two[2];
    memcpy(two, &some, sizeof two);
    return (two[0] | two[1]) == 0;
}

static void put_unit(out *o, uint32_t code)
{
    char text[] = "\\u0000";
    put_hex(text + 2, code, 4);
    out_bytes(o, text, 6);
}

static void put_escape(out *o, uint32_t c)
{
    static const char meant[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
    const char *known = c != 0 && c < 0x80 ? strchr(meant, (int)c) : NULL;
    if (known != NULL)
        out_bytes(o, (char[]){'\\', letters[known - meant]}, 2);
    else if (c > 0xFFFF) {
        put_unit(o, 0xD7C0 + (c >> 10));
        put_unit(o, 0xDC00 + (c & 0x3FF));
    } else
        put_unit(o, c);
}

void escape_json(out *o, const char *text)
{
    out_char(o, '"');
    for (;;) {
        size_t n = plain(text);
        out_bytes(o, text, n);
        text += n;
        if (*text == '\0')
            break;
        uint32_t c = 0;
        n = decode(&c, text);
        if (n > 0 && (is_active(c) || c == '"' || c == '\\'))
            put_escape(o, c);
        else
            out_bytes(o, text, n > 0 ? n : 1);
        text += n > 0 ? n : 1;
    }
    out_char(o, '"');
}
