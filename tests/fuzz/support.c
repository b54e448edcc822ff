/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/forms.h"
#include "cli/program.h"
#include "cli/query.h"
#include "cli/text.h"
#include "document/commands.h"
#include "document/json_read.h"
#include "fuzz.h"

fuzz_limits fuzz_limit = {0.05, 32UL << 20, 60};

_Noreturn void fuzz_fail(const char *file, int line, const char *claim)
{
    fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, claim);
    abort();
}

/* The linker puts this in front of the program's own function (--wrap). */
dp_options __real_common_options(const args *a, report *r);
dp_options __wrap_common_options(const args *a, report *r);
dp_options __wrap_common_options(const args *a, report *r)
{
    dp_options opt = __real_common_options(a, r);
    if (!(opt.max_seconds > 0) || opt.max_seconds > fuzz_limit.seconds)
        opt.max_seconds = fuzz_limit.seconds;
    if (opt.max_bytes == 0 || opt.max_bytes > fuzz_limit.bytes)
        opt.max_bytes = fuzz_limit.bytes;
    if (opt.digits > fuzz_limit.digits)
        opt.digits = r->digits = fuzz_limit.digits;
    return opt;
}

char *fuzz_text(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    EXPECT(text != NULL);
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

void fuzz_split(fuzz_words *w, char *text)
{
    w->count = 0;
    char *line = text, *end;
    do {
        end = strchr(line, '\n');
        if (end != NULL)
            *end = '\0';
        if (w->count < FUZZ_WORDS)
            w->word[w->count++] = line;
        line = end != NULL ? end + 1 : line;
    } while (end != NULL && *line != '\0');
    w->command = command_find(w->word[0]);
    if (w->command == NULL) { /* any first byte picks one */
        size_t n = 0;
        while (commands[n] != NULL)
            n++;
        w->command = commands[(unsigned char)w->word[0][0] % n];
    }
    w->count--;
    memmove(w->word, w->word + 1, (size_t)w->count * sizeof *w->word);
}

bool fuzz_reads_file(const args *a)
{
    const value *gamma = args_value(a, "gamma");
    return a->operand != NULL || (gamma != NULL && gamma->given);
}

bool fuzz_ends(mpq_t lower, mpq_t upper, const dp_figure *x)
{
    if (x->kind == DP_INFINITE)
        return false;
    if (x->kind == DP_RATIONAL) {
        mpq_set(lower, x->rational);
        mpq_set(upper, x->rational);
        return true;
    }
    mpfr_srcptr left = &x->enclosure->left, right = &x->enclosure->right;
    if (!mpfr_number_p(left) || !mpfr_number_p(right) || mpfr_get_exp(left) < -100000 ||
        mpfr_get_exp(left) > 100000 || mpfr_get_exp(right) < -100000 ||
        mpfr_get_exp(right) > 100000)
        return false;
    mpfr_get_q(lower, left);
    mpfr_get_q(upper, right);
    return true;
}

/* A published statement that fails may give a delta above 1. */
static void check_figure(const dp_quantity *q, bool sound)
{
    const dp_figure *x = &q->figure;
    bool probability =
        sound && (strcmp(q->name, "delta") == 0 || strcmp(q->name, "probability") == 0 ||
                  strcmp(q->name, "total_variation") == 0);
    if (x->kind == DP_RATIONAL)
        EXPECT(mpq_sgn(x->rational) >= 0);
    if (x->kind == DP_RATIONAL && probability)
        EXPECT(mpq_cmp_ui(x->rational, 1, 1) <= 0);
    if (x->kind != DP_ENCLOSED)
        return;
    mpfr_srcptr left = &x->enclosure->left, right = &x->enclosure->right;
    EXPECT(!mpfr_nan_p(left) && !mpfr_nan_p(right));
    EXPECT(mpfr_cmp(left, right) <= 0);
    EXPECT(mpfr_sgn(left) >= 0);
    EXPECT(!mpfr_inf_p(left));
    if (probability)
        EXPECT(mpfr_cmp_ui(right, 1) <= 0);
}

static void check_result(const report *r, int status)
{
    const dp_result *res = &r->result;
    EXPECT(res->guarantee <= res->count);
    for (size_t i = 0; i < res->count; i++) {
        EXPECT(res->row[i].theorem != NULL);
        EXPECT(res->row[i].count <= DP_ROW_QUANTITIES);
        for (size_t j = 0; j < res->row[i].count; j++)
            check_figure(&res->row[i].quantity[j], res->row[i].verdict != DP_UNSOUND);
    }
    if (res->guarantee < res->count && res->count > 0)
        EXPECT(res->row[res->guarantee].verdict != DP_UNSOUND);
    if (res->check.asked) {
        EXPECT(status != EXIT_HOLDS || res->check.holds == DP_YES);
        EXPECT(status != EXIT_FAILS || res->check.holds == DP_NO);
    } else {
        EXPECT(status != EXIT_FAILS);
    }
}

static void check_text(const out *o)
{
    EXPECT(!o->failed);
    EXPECT(o->used > 0);
    for (size_t i = 0; i + 3 <= o->used; i++)
        EXPECT(memcmp(o->data + i, "nan", 3) != 0);
}

static void check_reports(report *r, const args *a)
{
    out o;
    out_init(&o);
    report_text(&o, r, a, &(screen){SCREEN_WIDTH, SCREEN_WIDTH, true});
    EXPECT(!o.failed);
    o.used = 0;
    report_csv(&o, r, ',');
    check_text(&o);
    static void (*const form[])(out * o, const report *r, const args *a) = {
        form_markdown, form_latex, form_github, form_junit, form_statement};
    for (size_t i = 0; i < sizeof form / sizeof *form; i++) {
        o.used = 0;
        form[i](&o, r, a);
        check_text(&o);
    }
    o.used = 0;
    report_json(&o, r, a, (json){0});
    EXPECT(!o.failed && o.used > 1 && o.data[o.used - 1] == '\n');
    json_fault where;
    json_document document;
    EXPECT(json_read(&document, o.data, o.used - 1, &where));
    json_clear(&document);
    out_clear(&o);
}

int fuzz_query(args *a, report *r)
{
    fault f = {"", ""};
    int status = query_run(a, r, &f);
    EXPECT(status >= EXIT_HOLDS && status <= EXIT_UNFINISHED);
    if (f.what[0] != '\0') {
        EXPECT(status == EXIT_INPUT || status == EXIT_UNFINISHED);
        return status;
    }
    EXPECT(status != EXIT_INPUT);
    check_result(r, status);
    check_reports(r, a);
    return status;
}
