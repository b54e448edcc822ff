/* SPDX-License-Identifier: MIT */
/* The same command line at two precisions: both enclose the same numbers, so they overlap, and a
 * check that both decide has one answer. */
#include <stdlib.h>
#include <string.h>

#include "cli/argv.h"
#include "document/commands.h"
#include "fuzz.h"

/* One query at that many digits. False when it gives no rows. */
static bool ask(report *r, args *a, const char *input, char *text, size_t digits)
{
    fuzz_words w;
    fault f = {"", ""};
    strcpy(text, input);
    fuzz_split(&w, text);
    EXPECT(args_init(a, w.command, query_commands));
    report_init(r);
    if (w.command->run == NULL || args_read_argv(a, w.count, w.word, &f) != ARGV_OK ||
        fuzz_reads_file(a))
        return false;
    fuzz_limit = (fuzz_limits){0.25, 32UL << 20, digits};
    return fuzz_query(a, r) != EXIT_INPUT && r->error.message == NULL;
}

static const dp_quantity *find(const dp_row *row, const char *name)
{
    for (size_t i = 0; i < row->count; i++)
        if (strcmp(row->quantity[i].name, name) == 0)
            return &row->quantity[i];
    return NULL;
}

static void check_overlap(const dp_figure *x, const dp_figure *y)
{
    mpq_t low[2], high[2];
    mpq_inits(low[0], low[1], high[0], high[1], NULL);
    if (fuzz_ends(low[0], high[0], x) && fuzz_ends(low[1], high[1], y)) {
        EXPECT(mpq_cmp(low[0], high[1]) <= 0);
        EXPECT(mpq_cmp(low[1], high[0]) <= 0);
    }
    mpq_clears(low[0], low[1], high[0], high[1], NULL);
}

/* A solved parameter is rounded to the digits, and the other figures are those at that value; so is
 * the epsilon at which a published statement is compared with others, and a designed noise function
 * with its error. */
static bool is_rounded(const dp_result *x)
{
    for (size_t i = 0; i < x->count; i++)
        for (size_t j = 0; j < x->row[i].count; j++)
            if (x->row[i].quantity[j].is_solved ||
                strcmp(x->row[i].quantity[j].name, "epsilon_step") == 0 ||
                strcmp(x->row[i].quantity[j].name, "error") == 0)
                return true;
    return false;
}

/* Rows are compared where both have one of that theorem at the same place; a parameter that the
 * search chose (slack, alpha, rho, a step) may differ, and the figures that go with it. */
static void compare(const report *r, const report *s)
{
    size_t n = r->result.count < s->result.count ? r->result.count : s->result.count;
    for (size_t i = 0; i < n; i++) {
        const dp_row *x = &r->result.row[i], *y = &s->result.row[i];
        if (x->theorem != y->theorem || x->count != y->count || find(x, "slack") != NULL ||
            find(x, "alpha") != NULL || find(x, "rho") != NULL || find(x, "epsilon_one") != NULL)
            continue;
        for (size_t j = 0; j < x->count; j++) {
            const dp_quantity *q = find(y, x->quantity[j].name);
            if (q != NULL)
                check_overlap(&x->quantity[j].figure, &q->figure);
        }
    }
    const dp_check *c = &r->result.check, *d = &s->result.check;
    EXPECT(c->asked == d->asked);
    if (c->asked && c->holds != DP_UNKNOWN && d->holds != DP_UNKNOWN)
        EXPECT(c->holds == d->holds);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *input = fuzz_text(data, size), *first = malloc(size + 1), *second = malloc(size + 1);
    EXPECT(first != NULL && second != NULL);
    args a, b;
    report r, s;
    bool coarse = ask(&r, &a, input, first, 4), fine = ask(&s, &b, input, second, 30);
    if (coarse && fine && !is_rounded(&r.result) && !is_rounded(&s.result))
        compare(&r, &s);
    report_clear(&r);
    report_clear(&s);
    args_clear(&a);
    args_clear(&b);
    free(input);
    free(first);
    free(second);
    return 0;
}
