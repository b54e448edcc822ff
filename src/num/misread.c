/* SPDX-License-Identifier: MIT */
/* Numbers as people write them elsewhere: percentages, marks, units, other signs. A text is matched
 * with one form after another, and what the form makes of it is shown only when it is a number. */
#include "num/misread.h"

#include <gmp.h>
#include <string.h>

#include "num/literal.h"
#include "num/misread_forms.h"

#define ROOM MISREAD_ROOM
#define ROUNDS 3 /* forms that stand in one text */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* ---- the forms: is the text of it, and which number is that? ---- */

static const char *const blanks[] = {
    " ", "\t", "\n", "\xc2\xa0", "\xe2\x80\x89", "\xe2\x80\xaf", "\xe3\x80\x80", NULL};

/* 60,000 and 60_000, 1.000.000,5 */
static bool mend_marks(char *out, const char *text)
{
    static const char *const quotes[] = {"\xe2\x80\x99", NULL};
    char plain[ROOM], half[ROOM];
    misread_replace(half, text, blanks, " ");
    misread_replace(plain, half, quotes, "'");
    size_t first = strspn(plain, "+-"), n = first + strspn(plain + first, "0123456789");
    char mark = plain[n];
    size_t head = n - first, groups = 0;
    if (head == 0 || mark == '\0' || strchr(",_' .", mark) == NULL)
        return false;
    bool thousands = head <= 3 && plain[first] != '0';
    memcpy(out, plain, n);
    const char *at = plain + n;
    for (char *to = out + n; *at == mark; groups++) {
        size_t more = strspn(at + 1, "0123456789");
        if (more == 0 || (more != 3 && mark != '_'))
            break;
        thousands = thousands && more == 3;
        memcpy(to, at + 1, more);
        to[more] = '\0';
        to += more;
        at += more + 1;
    }
    if (groups == 0 || (mark != '_' && !thousands) || (mark == '.' && groups < 2) || *at == mark)
        return false;
    strcat(out, at);
    if (mark == '.' && *at == ',')
        *strchr(out, ',') = '.';
    return true;
}

static bool mend_comma(char *out, const char *text)
{
    const char *comma = strchr(text, ',');
    if (comma == NULL || comma == text || !is_digit(comma[-1]) || !is_digit(comma[1]) ||
        strpbrk(comma + 1, ",.") != NULL || memchr(text, '.', (size_t)(comma - text)) != NULL)
        return false;
    strcpy(out, text);
    out[comma - text] = '.';
    return true;
}

static bool mend_blank(char *out, const char *text)
{
    bool found = misread_replace(out, text, blanks, "");
    if (strchr(out, ',') != NULL)
        out[0] = '\0'; /* two numbers */
    return found;
}

static bool mend_quotes(char *out, const char *text)
{
    static const char *const quotes[] = {
        "\"", "'", "`", "\xe2\x80\x9c", "\xe2\x80\x9d", "\xe2\x80\x98", "\xe2\x80\x99", NULL};
    return misread_replace(out, text, quotes, "");
}

static bool mend_dash(char *out, const char *text)
{
    static const char *const dashes[] = {
        "\xe2\x88\x92", "\xe2\x80\x90", "\xe2\x80\x91", "\xe2\x80\x92",
        "\xe2\x80\x93", "\xe2\x80\x94", "\xef\xbc\x8d", NULL};
    return misread_replace(out, text, dashes, "-");
}

/* 10 to a raised power */
static bool mend_raised(char *out, const char *text)
{
    static const char *const raised[] = {"\xe2\x81\xb0", "\xc2\xb9",     "\xc2\xb2",
                                         "\xc2\xb3",     "\xe2\x81\xb4", "\xe2\x81\xb5",
                                         "\xe2\x81\xb6", "\xe2\x81\xb7", "\xe2\x81\xb8",
                                         "\xe2\x81\xb9", "\xe2\x81\xbb", NULL};
    bool found = false;
    while (*text != '\0') {
        size_t i = 0;
        while (raised[i] != NULL && !begins(text, raised[i]))
            i++;
        if (raised[i] != NULL && !found)
            *out++ = '^';
        *out++ = raised[i] == NULL ? *text : "0123456789-"[i];
        text += raised[i] == NULL ? 1 : strlen(raised[i]);
        found = found || raised[i] != NULL;
    }
    *out = '\0';
    return found;
}

static bool mend_power(char *out, const char *text)
{
    static const char *const forms[] = {"**", "e^", "E^", NULL};
    const char *at = strpbrk(text, "*eE");
    if (at == NULL || at == text)
        return false;
    return misread_replace(out, text, forms, *at == '*' ? "^" : "e");
}

/* 1^-6 for 1e-6 */
static bool mend_one(char *out, const char *text)
{
    if (!begins(text, "1^-"))
        return false;
    strcpy(out, text);
    out[1] = 'e';
    return true;
}

static bool mend_infinite(char *out, const char *text)
{
    static const char *const words[] = {"inf",          "infinity", "Infinity", "INF",  "Inf",
                                        "\xe2\x88\x9e", "nan",      "NaN",      "none", "None",
                                        "null",         "oo",       "max",      NULL};
    const char *word = text + strspn(text, "+-");
    size_t i = 0;
    while (words[i] != NULL && strcmp(word, words[i]) != 0)
        i++;
    out[0] = '\0';
    return words[i] != NULL;
}

static bool mend_points(char *out, const char *text)
{
    size_t n = strlen(text), points = 0;
    for (const char *p = text; *p != '\0'; p++)
        points += *p == '.';
    if (points < 2 || strchr(text, '/') != NULL)
        return false;
    strcpy(out, text);
    if (text[n - 1] == '.')
        out[n - 1] = '\0';
    else if (strstr(text, "..") != NULL)
        memmove(strstr(out, "..") + 1, strstr(text, "..") + 2, strlen(strstr(text, "..") + 2) + 1);
    else
        out[0] = '\0';
    return true;
}

static bool mend_end(char *out, const char *text)
{
    size_t n = strlen(text);
    if (n < 2 || strchr(".,;:", text[n - 1]) == NULL)
        return false;
    strcpy(out, text);
    out[n - 1] = '\0';
    return true;
}

/* What stands before the exponent mark, or 0. */
static size_t before_exponent(const char *text)
{
    const char *mark = strpbrk(text, "eE^");
    return mark != NULL && mark != text && is_digit(mark[-1]) ? (size_t)(mark - text) : 0;
}

static bool mend_whole(char *out, const char *text)
{
    size_t n = before_exponent(text);
    out[0] = '\0';
    if (n == 0 || !misread_reads(text, n))
        return false;
    const char *power = text + n + 1;
    return misread_reads(power, strlen(power)) && strpbrk(power, "./eE") != NULL;
}

static bool mend_bare(char *out, const char *text)
{
    size_t n = before_exponent(text);
    out[0] = '\0';
    return n > 0 && misread_reads(text, n) && text[n + 1 + strspn(text + n + 1, "+-")] == '\0';
}

/* e-5 */
static bool mend_front(char *out, const char *text)
{
    if ((text[0] != 'e' && text[0] != 'E') || !misread_reads(text + 1, strlen(text + 1)))
        return false;
    out[0] = '1';
    strcpy(out + 1, text);
    return true;
}

static bool mend_twice(char *out, const char *text)
{
    for (const char *p = text; p[0] != '\0'; p++)
        if (p[0] == p[1] && p != text && strchr("eE-+/^", p[0]) != NULL) {
            size_t n = (size_t)(p - text);
            memcpy(out, text, n);
            strcpy(out + n, p + 1);
            return true;
        }
    return false;
}

static bool mend_letters(char *out, const char *text)
{
    bool found = false, digits = false;
    size_t i = 0;
    for (; text[i] != '\0'; i++) {
        bool zero = text[i] == 'O' || text[i] == 'o', one = text[i] == 'l' || text[i] == 'I';
        out[i] = zero ? '0' : one ? '1' : text[i];
        found = found || zero || one;
        digits = digits || is_digit(text[i]);
    }
    out[i] = '\0';
    return found && digits && misread_reads(out, i);
}

/* 1d-6, as Fortran has it */
static bool mend_fortran(char *out, const char *text)
{
    const char *mark = strpbrk(text, "dD");
    if (mark == NULL || mark == text || strpbrk(mark + 1, "dD") != NULL)
        return false;
    strcpy(out, text);
    out[mark - text] = 'e';
    return misread_reads(out, strlen(out));
}

static bool mend_log(char *out, const char *text)
{
    static const char *const names[] = {"ln", "Ln", "LN", "log", "Log", "LOG", NULL};
    size_t i = 0;
    while (names[i] != NULL && !begins(text, names[i]))
        i++;
    if (names[i] == NULL)
        return false;
    const char *at = text + strlen(names[i]) + strspn(text + strlen(names[i]), " ([{");
    size_t n = strcspn(at, ")]}");
    if (n == 0 || strlen(at) + 5 > ROOM || !misread_reads(at, n) || is_letter(*at))
        return false;
    strcpy(out, "ln(");
    strncat(out, at, n);
    strcat(out, ")");
    return true;
}

static bool mend_function(char *out, const char *text)
{
    static const char *const names[] = {"sqrt", "exp", "e^", "pi", "log", "pow", "sum", "(", NULL};
    size_t i = 0;
    while (names[i] != NULL && !begins(text, names[i]))
        i++;
    out[0] = '\0';
    return names[i] != NULL;
}

static bool mend_option(char *out, const char *text)
{
    out[0] = '\0';
    size_t dashes = strspn(text, "-");
    return (dashes == 1 || dashes == 2) && (is_letter(text[dashes]) || text[dashes] == '\0') &&
           !begins(text + dashes, "ln(");
}

static bool mend_sign(char *out, const char *text)
{
    static const char *const signs[] = {
        "=", "~", "<", ">", ":", "$", "#", "\xe2\x89\xa4", "\xe2\x89\xa5", "\xe2\x89\x88", NULL};
    size_t i = 0;
    while (signs[i] != NULL && !begins(text, signs[i]))
        i++;
    if (signs[i] == NULL)
        return false;
    strcpy(out, text + strlen(signs[i]));
    return true;
}

/* A number with one or two letters behind it. */
static bool mend_behind(char *out, const char *text)
{
    size_t n = strlen(text);
    for (size_t more = 1; more <= 2 && more < n && is_letter(text[n - more]); more++)
        if (is_digit(text[n - more - 1]) && misread_reads(text, n - more)) {
            strcpy(out, text);
            out[n - more] = '\0';
            return true;
        }
    return false;
}

typedef struct form {
    bool (*mend)(char *out, const char *text);
    const char *message;
    size_t what;
} form;

#define FORM(mend, wrong, right)                                                                   \
    {                                                                                              \
        mend, wrong "; " right, sizeof wrong - 1                                                   \
    }

static const form forms[] = {
    FORM(mend_infinite, "is no finite number", "leave out what has no limit"),
    FORM(mend_option, "is an option where a number belongs", "give the number before it"),
    FORM(mend_marks, "has thousands marks", "write its digits alone, such as 60000"),
    FORM(mend_quotes, "has quotes in it", "write it without"),
    FORM(mend_blank, "has a blank in it", "write it without"),
    FORM(mend_dash, "has a dash that is not the minus sign", "write it as in 1e-6"),
    FORM(misread_percent, "is a percentage", "write a share of 1, such as 0.05"),
    FORM(mend_raised, "has a raised power", "write it like 10^-5"),
    FORM(mend_comma, "has a decimal comma", "write a point, such as 0.1"),
    FORM(misread_hexadecimal, "is hexadecimal", "write it in decimal"),
    FORM(misread_multiple, "has a letter for a power of ten", "write 60000 or 6e4"),
    FORM(misread_measure, "has a unit",
         "seconds, bytes and nats are numbers alone, such as 20 or 1e9"),
    FORM(mend_power, "is a power in another form", "write it like 2^-40 or 1e-5"),
    FORM(mend_one, "is a power of 1", "write it like 1e-5 or 10^-5"),
    FORM(misread_product, "is a product",
         "give a number of uses on its own, or multiply it out, such as 6e4"),
    FORM(mend_points, "has more than one point", "write it like 0.1"),
    FORM(mend_end, "does not end in a digit", "write it like 0.1"),
    FORM(mend_whole, "has an exponent that is no integer", "write it like 1e-5 or 2^-40"),
    FORM(mend_bare, "has no digits in its exponent", "write it like 1e-5 or 2^-40"),
    FORM(mend_front, "has no digits before its exponent", "write it like 1e-5"),
    FORM(mend_twice, "has a sign twice", "write it once"),
    FORM(mend_log, "is a logarithm in another form", "write ln(3), the natural one"),
    FORM(mend_function, "is an expression", "only ln(R) is read, so give the value, such as 0.1"),
    FORM(mend_fortran, "has another letter than e before its exponent", "write it like 1e-5"),
    FORM(mend_letters, "has a letter for a digit", "write O as 0 and l as 1"),
    FORM(mend_sign, "begins with a sign that no number has", "write it without"),
    FORM(mend_behind, "has something behind its last digit", "write the number alone"),
};

static const form *mend(char *out, const char *text)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (forms[i].mend(out, text))
            return &forms[i];
    return NULL;
}

void misread_explain(misread *m, const char *text, size_t length)
{
    *m = (misread){.message = lit_message(LIT_SYNTAX)};
    char now[ROOM], next[ROOM];
    if (length == 0 || length + 8 > ROOM || memchr(text, '\0', length) != NULL)
        return;
    memcpy(now, text, length);
    now[length] = '\0';
    for (int i = 0; i < ROUNDS; i++) {
        const form *f = mend(next, now);
        if (f == NULL)
            return;
        if (i == 0) {
            m->message = f->message;
            m->what = f->what;
        }
        if (next[0] == '\0' || strlen(next) + 8 > ROOM)
            return;
        strcpy(now, next);
        if (misread_reads(now, strlen(now))) {
            strcpy(m->instead, now);
            return;
        }
    }
}
