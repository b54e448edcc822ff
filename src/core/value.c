/* SPDX-License-Identifier: MIT */
/* The one parser from text to value, by kind and domain. */
#include "core/value.h"

#include <stdint.h>
#include <string.h>

#include "core/parameters.h"
#include "core/result.h"
#include "num/date.h"
#include "num/memory.h"
#include "num/number.h"

static bool has_number(const parameter *p)
{
    return p->kind != KIND_FLAG && p->kind != KIND_CHOICE && p->kind != KIND_TEXT &&
           p->kind != KIND_DATE && p->kind != KIND_ITEM;
}

static bool has_second(const parameter *p)
{
    return p->kind == KIND_PAIR || p->kind == KIND_RANGE;
}

void value_init(value *v, const parameter *of)
{
    *v = (value){.of = of};
    if (has_number(of))
        dp_number_init(&v->number);
    if (has_second(of))
        dp_number_init(&v->second);
}

void value_clear(value *v)
{
    if (has_number(v->of))
        dp_number_clear(&v->number);
    if (has_second(v->of))
        dp_number_clear(&v->second);
    for (size_t i = 0; i < v->count && v->list != NULL; i++)
        mpq_clear(v->list[i]);
    for (size_t i = 0; i < v->count && v->numbers != NULL; i++)
        dp_number_clear(&v->numbers[i]);
    memory_free(v->list);
    memory_free(v->numbers);
    memory_free(v->text);
    memory_free(v->spare);
}

static bool refuse(value_fault *f, const char *part, const char *message)
{
    *f = (value_fault){.part = part,
                       .length = part != NULL ? strlen(part) : 0,
                       .message = message,
                       .status = DP_DOMAIN};
    return false;
}

static bool out_of_memory(value_fault *f)
{
    *f = (value_fault){.message = dp_status_text(DP_MEMORY), .status = DP_MEMORY};
    return false;
}

const char *value_meant(misread *m, const domain *d, const char *part, size_t length)
{
    dp_number x;
    dp_number_init(&x);
    misread_explain(m, part, length);
    bool reads =
        m->instead[0] != '\0' && dp_number_parse(&x, m->instead, strlen(m->instead), NULL) == DP_OK;
    const char *outside = reads && d != NULL ? domain_fault(d, &x) : NULL;
    if (!reads || outside != NULL)
        m->instead[0] = '\0'; /* what is outside the domain was not meant */
    dp_number_clear(&x);
    return outside;
}

static bool read_part(dp_number *x, const domain *d, const char *part, size_t length,
                      value_fault *f)
{
    dp_error err;
    dp_status status = dp_number_parse(x, part, length, &err);
    if (status == DP_MEMORY)
        return out_of_memory(f);
    const char *message = status != DP_OK ? err.message : domain_fault(d, x);
    if (message != NULL)
        *f = (value_fault){.part = part, .length = length, .message = message, .status = DP_DOMAIN};
    const char *outside = status != DP_OK ? value_meant(&f->meant, d, part, length) : NULL;
    if (outside != NULL && memchr(part, '%', length) != NULL)
        f->message = outside; /* 90% of a count: a count is asked for, not 0.9 */
    return message == NULL;
}

static bool read_number(dp_number *x, const domain *d, const char *text, value_fault *f)
{
    return read_part(x, d, text, strlen(text), f);
}

#define THOUSAND "has a number 000 behind a comma; write a thousand without marks"

/* EPS[,DELTA], as an item has them; a missing delta is 0 */
static bool read_pair(value *v, const char *text, value_fault *f)
{
    size_t length = strcspn(text, ",");
    const char *delta = text[length] == ',' ? text + length + 1 : NULL;
    dp_number_set_ui(&v->second, 0);
    if (delta != NULL && strcmp(delta, "000") == 0)
        return refuse(f, text, THOUSAND);
    return read_part(&v->number, parameter_domain(&item_epsilon), text, length, f) &&
           (delta == NULL || read_number(&v->second, parameter_domain(&item_delta), delta, f));
}

/* A:B:S with a step: says how many points these are. */
static bool refuse_step(value_fault *f, const value *v, const char *text)
{
    const char *step = strrchr(text, ':') + 1;
    size_t before = (size_t)(step - text);
    dp_number x;
    mpq_t q;
    dp_number_init(&x);
    mpq_init(q);
    bool is_step = dp_number_parse(&x, step, strlen(step), NULL) == DP_OK && !x.is_log &&
                   dp_number_sgn(&x) > 0 && mpz_cmp_ui(mpq_denref(number_rational(&x)), 1) != 0;
    if (is_step) {
        refuse(f, text, "ends in a step, not in how many points; write it like 0:5:11");
        mpq_sub(q, number_rational(&v->second), number_rational(&v->number));
        mpq_div(q, q, number_rational(&x));
        mpq_abs(q, q);
        mpz_add_ui(mpq_numref(q), mpq_numref(q), 1);
        if (mpz_cmp_ui(mpq_denref(q), 1) == 0 && mpz_cmp_ui(mpq_numref(q), 100000) < 0 &&
            before + 8 < sizeof f->meant.instead) {
            f->meant.message = f->message;
            f->meant.what = strcspn(f->message, ";");
            memcpy(f->meant.instead, text, before);
            mpz_get_str(f->meant.instead + before, 10, mpq_numref(q));
        }
    }
    mpq_clear(q);
    dp_number_clear(&x);
    return is_step;
}

/* A:B:N */
static bool read_range(value *v, const char *text, value_fault *f)
{
    const char *first = strchr(text, ':'), *second = first != NULL ? strchr(first + 1, ':') : NULL;
    if (second == NULL)
        return refuse(f, text, "must be written A:B:N, such as 0:5:11");
    dp_number count;
    dp_number_init(&count);
    bool ends = read_part(&v->number, &domain_real, text, (size_t)(first - text), f) &&
                read_part(&v->second, &domain_real, first + 1, (size_t)(second - first - 1), f),
         ok = ends && !refuse_step(f, v, text) && read_number(&count, &domain_count, second + 1, f);
    v->count = ok && mpz_fits_ulong_p(number_integer(&count)) ? mpz_get_ui(number_integer(&count))
                                                              : SIZE_MAX;
    dp_number_clear(&count);
    return ok;
}

#define LIST_MOST 100000

static bool is_comma(const value *v, char c)
{
    return c == ',' || (c == ';' && v->columns > 0);
}

/* A,B,C,...; of a table the ends of lines are commas too */
static bool read_list(value *v, const char *text, value_fault *f)
{
    size_t count = 1;
    for (const char *p = text; *p != '\0'; p++)
        count += is_comma(v, *p);
    if (count > LIST_MOST)
        return refuse(f, NULL, "must have at most 100000 numbers");
    bool logs = parameter_domain(v->of)->log, ok = true;
    if (logs)
        v->numbers = memory_new(count, sizeof *v->numbers);
    else
        v->list = memory_new(count, sizeof *v->list);
    if (v->list == NULL && v->numbers == NULL)
        return out_of_memory(f);
    for (const char *p = text; ok && v->count < count; v->count++) {
        size_t length = strcspn(p, v->columns > 0 ? ",;" : ",");
        if (logs)
            dp_number_init(&v->numbers[v->count]);
        else
            mpq_init(v->list[v->count]);
        bool thousand = p != text && length == 3 && memcmp(p, "000", 3) == 0;
        ok = thousand ? refuse(f, text, THOUSAND)
                      : read_part(&v->number, parameter_domain(v->of), p, length, f);
        if (ok && logs)
            dp_number_set(&v->numbers[v->count], &v->number);
        else if (ok)
            mpq_set(v->list[v->count], number_rational(&v->number));
        p += length + is_comma(v, p[length]);
    }
    return ok;
}

/* How many numbers the lines of A,B;C,D have; 0: not all as many. */
static size_t table_columns(const char *text)
{
    size_t columns = 0;
    for (const char *p = text;;) {
        size_t length = strcspn(p, ";"), here = 1;
        for (size_t i = 0; i < length; i++)
            here += p[i] == ',';
        if (columns != 0 && here != columns)
            return 0;
        columns = here;
        if (p[length] == '\0')
            return columns;
        p += length + 1;
    }
}

/* A,B,...;C,D,... */
static bool read_table(value *v, const char *text, value_fault *f)
{
    v->columns = table_columns(text);
    if (v->columns == 0)
        return refuse(f, NULL, "must have as many numbers in each line as in the first");
    return read_list(v, text, f);
}

static bool read_choice(value *v, const char *text, value_fault *f)
{
    if (parameter_choice(&v->choice, v->of, text))
        return true;
    for (const choice_other *o = v->of->other; o != NULL && o->words != NULL; o++) {
        const parameter others = {.kind = KIND_CHOICE, .choices = o->words};
        size_t place;
        if (parameter_choice(&place, &others, text))
            return refuse(f, text, o->instead);
    }
    refuse(f, text, "is not one of");
    f->choices = v->of->choices;
    return false;
}

static bool read_flag(value *v, const char *text, value_fault *f)
{
    v->choice = strcmp(text, "true") == 0;
    return v->choice == 1 || strcmp(text, "false") == 0 || refuse(f, text, "must be true or false");
}

/* A day alone: of a time behind it nothing would be kept. */
static bool read_date(const char *text, value_fault *f)
{
    char day[DATE_ROOM];
    return (date_read(day, text) && strcmp(day, text) == 0) || refuse(f, text, DATE_MUST);
}

static bool read_text(value *v, const char *text, value_fault *f)
{
    switch (v->of->kind) {
    case KIND_FLAG:
        return read_flag(v, text, f);
    case KIND_CHOICE:
        return read_choice(v, text, f);
    case KIND_TEXT:
        return text[0] != '\0' || refuse(f, text, "is empty; give a word");
    case KIND_DATE:
        return read_date(text, f);
    case KIND_PAIR:
        return read_pair(v, text, f);
    case KIND_RANGE:
        return read_range(v, text, f);
    case KIND_LIST:
    case KIND_LIST_FILE:
        return read_list(v, text, f);
    case KIND_TABLE_FILE:
        return read_table(v, text, f);
    default:
        return read_number(&v->number, parameter_domain(v->of), text, f);
    }
}

dp_status value_set(value *v, const char *text, value_fault *f)
{
    if (v->text == NULL && v->spare != NULL && strcmp(v->spare, text) == 0) {
        v->text = v->spare;
        v->spare = NULL;
        v->given = true;
        v->choice = v->spare_choice;
        return DP_OK;
    }
    value fresh;
    value_init(&fresh, v->of);
    bool ok = read_text(&fresh, text, f);
    if (ok && (fresh.text = memory_copy(text)) == NULL)
        ok = out_of_memory(f);
    fresh.given = true;
    value_clear(ok ? v : &fresh);
    if (ok)
        *v = fresh;
    return ok ? DP_OK : f->status;
}

dp_status value_preset(value *v, value_fault *f)
{
    if (v->given || v->of->preset == NULL)
        return DP_OK;
    dp_status status = value_set(v, v->of->preset, f);
    v->given = false;
    return status;
}

#define SPARE_BYTES 64 /* a longer text is not kept */

void value_forget(value *v)
{
    v->given = v->weak = false;
    if (v->text == NULL)
        return;
    memory_free(v->spare);
    v->kept = true;
    v->spare = strlen(v->text) < SPARE_BYTES ? v->text : NULL;
    v->spare_choice = v->choice;
    if (v->spare == NULL)
        memory_free(v->text);
    v->text = NULL;
}

void value_again(value *v)
{
    value_forget(v);
    v->choice = 0;
    if (v->spare == NULL && v->kept) {
        value_clear(v);
        value_init(v, v->of);
    }
}

void value_move(value *to, value *from)
{
    value moved = *from;
    moved.of = to->of;
    value_clear(to);
    *to = moved;
    value_init(from, from->of);
}

dp_status value_fail(dp_error *err, dp_status status, const value *v, const value_fault *f)
{
    return fail(err, status, parameter_field(v->of),
                f->choices != NULL ? "must be one of its choices" : f->message);
}
