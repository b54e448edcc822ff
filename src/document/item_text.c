/* SPDX-License-Identifier: MIT */
/* What was meant by -m texts in other signs: 0.1*3, 3x0.1, "5, 1e-6", 0,1. */
#include <stdio.h>
#include <string.h>

#include "core/parameters.h"
#include "document/item_types.h"
#include "document/request.h"
#include "num/number.h"

#define LONGEST 100

static bool reads(const parameter *of, const char *text, size_t length)
{
    dp_number x;
    dp_number_init(&x);
    bool ok = dp_number_parse(&x, text, length, NULL) == DP_OK &&
              domain_fault(parameter_domain(of), &x) == NULL;
    dp_number_clear(&x);
    return ok;
}

static bool reads_item(const char *text)
{
    size_t first = strcspn(text, ",x");
    const char *rest = text + first;
    bool ok = reads(&item_epsilon, text, first);
    if (ok && *rest == ',') {
        size_t second = strcspn(rest + 1, "x");
        ok = reads(&item_delta, rest + 1, second);
        rest += 1 + second;
    }
    return ok && (*rest == '\0' || reads(&item_times, rest + 1, strlen(rest + 1)));
}

bool item_text_reads(const char *text)
{
    return strlen(text) < LONGEST && reads_item(text);
}

typedef struct sign {
    const char *text, *instead, *wrong;
} sign;

static const sign signs[] = {
    {"epsilon=", "", "has names, where the places of epsilon and delta say which is which"},
    {"delta=", "", "has names, where the places of epsilon and delta say which is which"},
    {"eps=", "", "has names, where the places of epsilon and delta say which is which"},
    {" ", "", "has a blank in it"},
    {"\t", "", "has a blank in it"},
    {"\xc2\xa0", "", "has a blank in it"},
    {"(", "", "has brackets"},
    {")", "", "has brackets"},
    {"\xc3\x97", "x", "has another sign than x before its uses"},
    {"\xc2\xb7", "x", "has another sign than x before its uses"},
    {"X", "x", "has another sign than x before its uses"},
    {"*", "x", "has another sign than x before its uses"},
    {";", ",", "has another sign than a comma before delta"},
    {NULL, NULL, NULL},
};

static const sign *find(const char *at)
{
    const sign *s = signs;
    while (s->text != NULL && strncmp(at, s->text, strlen(s->text)) != 0)
        s++;
    return s;
}

/* The text in the signs of an item; what was wrong first, or NULL. The logarithm keeps its
 * brackets.
 */
static const char *in_our_signs(char *out, const char *text)
{
    const char *wrong = NULL;
    bool log = false;
    while (*text != '\0') {
        const sign *s = find(text);
        log = log || strncmp(text, "ln(", 3) == 0;
        bool own = s->text == NULL || (log && (*text == '(' || *text == ')'));
        log = log && *text != ')';
        const char *by = own ? text : s->instead;
        size_t n = own ? 1 : strlen(by);
        memcpy(out, by, n);
        out += n;
        text += own ? 1 : strlen(s->text);
        wrong = wrong == NULL && !own ? s->wrong : wrong;
    }
    *out = '\0';
    return wrong;
}

static bool is_digits(const char *text, size_t length)
{
    return length > 0 && strspn(text, "0123456789") >= length;
}

/* "0.1 3" and "0.1,1e-6,35": two numbers in a row, of which the last is the uses where it is a
 * whole number, and else delta. The number that they would be without what parts them is not meant.
 */
static bool split(char *out, const char *text)
{
    size_t first = strcspn(text, ", \t"), rest = first + strspn(text + first, ", \t");
    size_t last = strcspn(text + rest, ", \t"), gap = rest + last;
    size_t third = gap + strspn(text + gap, ", \t");
    bool comma = memchr(text + first, ',', rest - first) != NULL, pair = text[third] == '\0';
    if (first == 0 || last == 0 || (pair && comma))
        return false;
    const char *tail = text + (pair ? rest : third);
    size_t n = strcspn(tail, " \t");
    bool whole = is_digits(tail, n), head = is_digits(text, first);
    if (tail[n] != '\0' || strchr(tail, ',') != NULL || (pair && whole && head) ||
        (!pair && (!whole || is_digits(text + rest, last))))
        return false;
    char one[LONGEST + 1] = "", two[LONGEST + 1] = "";
    memcpy(one, text, first);
    memcpy(two, text + rest, last);
    if (!pair)
        snprintf(out, LONGEST + 1, "%s,%sx%s", one, two, tail);
    else if (head && strchr(tail, 'e') == NULL) /* 3 0.1 */
        snprintf(out, LONGEST + 1, "%sx%s", tail, one);
    else
        snprintf(out, LONGEST + 1, "%s%s%s", one, whole ? "x" : ",", tail);
    return true;
}

/* 3x0.1 for 0.1x3 */
static bool turn(char *out, const char *text)
{
    const char *cross = strchr(text, 'x');
    if (cross == NULL || strncmp(cross, "x10^", 4) == 0 ||
        !reads(&item_times, text, (size_t)(cross - text)) || reads_item(text))
        return false;
    size_t n = strlen(cross + 1);
    memcpy(out, cross + 1, n);
    out[n] = 'x';
    memcpy(out + n + 1, text, (size_t)(cross - text));
    out[n + 1 + (size_t)(cross - text)] = '\0';
    return true;
}

/* After the comma stands delta: 1,000 and 0,1 are a thousand and a tenth elsewhere. */
static bool check_comma(const char *text, const char *where, fault *f)
{
    size_t first = strcspn(text, ",x");
    if (text[first] != ',')
        return true;
    const char *delta = text + first + 1;
    size_t second = strcspn(delta, "x");
    dp_number x;
    dp_number_init(&x);
    bool wrong = (second == 3 && memcmp(delta, "000", 3) == 0) ||
                 (dp_number_parse(&x, delta, second, NULL) == DP_OK && !x.is_log &&
                  mpq_cmp_ui(number_rational(&x), 1, 1) >= 0);
    dp_number_clear(&x);
    bool marks = is_digits(text, first) && is_digits(delta, second) && strlen(text) < 60;
    const char *times = delta + second;
    if (wrong && marks && (second != 3 || text[0] == '0'))
        fault_set(f, where, "after the comma stands delta, below 1 and not 000; was %.*s.%s meant?",
                  (int)first, text, delta);
    else if (wrong && marks)
        fault_set(f, where,
                  "after the comma stands delta, below 1 and not 000; was %.*s.%s or %.*s%.*s%s "
                  "meant?",
                  (int)first, text, delta, (int)first, text, (int)second, delta, times);
    else if (wrong)
        fault_set(f, where, "after the comma stands delta, below 1 and not 000");
    return !wrong;
}

/* gaussian,sigma=2 for gaussian:sigma=2 */
static bool is_typed(const char *text, size_t n, const command *const *queries)
{
    item_type type;
    char name[40];
    if (text[n] == '\0' || n >= sizeof name || strchr(text + n, '=') == NULL)
        return false;
    memcpy(name, text, n);
    name[n] = '\0';
    return item_type_find(&type, queries, name);
}

bool item_text_check(const char *text, const command *const *queries, const char *where, fault *f)
{
    char ours[LONGEST + 1], turned[LONGEST + 1];
    size_t first = strcspn(text, ", (");
    if (strlen(text) < LONGEST && is_typed(text, first, queries)) {
        size_t n = strcspn(text + first + 1, ")");
        fault_set(f, where, "'%s' has no colon after its type; write %.*s:%.*s%s", text, (int)first,
                  text, (int)n, text + first + 1,
                  text[first + 1 + n] == ')' ? text + first + n + 2 : "");
        return false;
    }
    if (strlen(text) < LONGEST && split(ours, text) && reads_item(ours)) {
        fault_set(f, where, "'%s' has %s; write %s", text,
                  strchr(text, ',') != NULL ? "a second comma" : "two numbers", ours);
        return false;
    }
    if (strlen(text) < LONGEST) {
        const char *wrong = in_our_signs(ours, text);
        const char *meant = ours;
        if (turn(turned, ours) && reads_item(turned)) {
            meant = turned;
            wrong = "has its uses before its loss";
        }
        if (wrong != NULL && reads_item(meant)) {
            fault_set(f, where, "'%s' %s; write %s", text, wrong, meant);
            return false;
        }
    }
    return check_comma(text, where, f);
}
