/* SPDX-License-Identifier: MIT */
/* The typed calls: one model trained on 300 of 60000 records, both ends of its delta as proved.
 *
 *   cc -std=c11 typed.c $(pkg-config --cflags --libs dpacct) -o typed */
#include <dpacct/dpacct.h>
#include <stdio.h>

static int print_figure(const dp_result *r, const char *name, size_t digits)
{
    const dp_figure *x = dp_result_figure(r, name);
    char *lower = x != NULL ? dp_figure_decimal(x, DP_LOWER, digits) : NULL;
    char *upper = x != NULL ? dp_figure_decimal(x, DP_UPPER, digits) : NULL;
    int ok = lower != NULL && upper != NULL;
    if (ok)
        printf("%s in [%s, %s] by %s (%s)\n", name, lower, upper, r->row[r->guarantee].theorem->id,
               dp_verdict_text(r->row[r->guarantee].verdict));
    dp_text_free(lower); /* NULL is fine */
    dp_text_free(upper);
    return ok;
}

int main(void)
{
    dp_error err;
    dp_result r; /* may be used for any number of queries */
    dp_bagging b;
    dp_options opt = dp_options_default();
    dp_result_init(&r);
    dp_bagging_init(&b); /* with replacement, one model, add-remove adjacency */
    mpz_set_ui(b.dataset_size, 60000);
    mpz_set_ui(b.subsample_size, 300);
    int ok = dp_bagging_privacy(&r, &b, &opt, &err) == DP_OK;
    if (ok)
        ok = print_figure(&r, "delta", opt.digits);
    else
        fprintf(stderr, "%s: %s\n", err.argument != NULL ? err.argument : "-", err.message);
    dp_bagging_clear(&b);
    dp_result_clear(&r);
    return !ok;
}
