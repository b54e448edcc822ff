/* SPDX-License-Identifier: MIT */
/* What does a training run spend? Three questions to libdpacct:
 *   1. bagging: one model on 300 of 60000 records, drawn with replacement
 *   2. composition: 35 uses of a (0.1, 1e-6)-DP mechanism, epsilon at delta = 1e-4
 *   3. a check: do three uses of a 0.1-DP mechanism fit a budget of exactly 0.3?
 *
 *   cc -std=c11 spend.c $(pkg-config --cflags --libs dpacct) -o spend
 *   cc -std=c11 -static spend.c $(pkg-config --static --cflags --libs dpacct) -o spend
 *
 * Exit status: 0 the budget of question 3 holds, 1 it does not, 2 something failed. */
#include <dpacct/dpacct.h>
#include <stdio.h>
#include <string.h>

/* Every call that can fail returns a dp_status and fills in a dp_error with static texts. */
static void complain(const char *what, const dp_error *err)
{
    fprintf(stderr, "spend: %s: %s: %s\n", what, err->argument != NULL ? err->argument : "-",
            err->message);
}

/* Inputs are read exactly: 0.1 is one tenth, ln(3) is the logarithm of three. */
static int read_number(dp_number *x, const char *text)
{
    dp_error err;
    if (dp_number_parse(x, text, strlen(text), &err) == DP_OK)
        return 1;
    complain(text, &err);
    return 0;
}

/* Both ends of a figure of the row that decides. The lower end was rounded down and the upper end
 * up, so the true value lies between the decimals as printed. A guarantee is the upper end. */
static int print_figure(const char *label, const dp_result *r, const char *name, size_t digits)
{
    const dp_figure *x = dp_result_figure(r, name);
    char *lower = x != NULL ? dp_figure_decimal(x, DP_LOWER, digits) : NULL;
    char *upper = x != NULL ? dp_figure_decimal(x, DP_UPPER, digits) : NULL;
    int ok = lower != NULL && upper != NULL;
    if (ok)
        printf("%-12s %s in [%s, %s]  by %s (%s)\n", label, name, lower, upper,
               r->row[r->guarantee].theorem->id, dp_verdict_text(r->row[r->guarantee].verdict));
    dp_text_free(lower); /* NULL is fine */
    dp_text_free(upper);
    return ok;
}

static int bagging(dp_result *r, const dp_options *opt)
{
    dp_error err;
    dp_bagging b;
    dp_bagging_init(&b); /* with replacement, one model, add-remove adjacency */
    mpz_set_ui(b.dataset_size, 60000);
    mpz_set_ui(b.subsample_size, 300);
    int ok = dp_bagging_privacy(r, &b, opt, &err) == DP_OK;
    if (!ok)
        complain("bagging", &err);
    dp_bagging_clear(&b);
    return ok && print_figure("bagging", r, "delta", opt->digits);
}

/* Appends `times` uses of an (epsilon, delta)-DP mechanism, all given as text. */
static int add(dp_composition *list, const char *epsilon, const char *delta, unsigned long times)
{
    dp_error err;
    dp_number e, d;
    mpz_t t;
    dp_number_init(&e);
    dp_number_init(&d);
    mpz_init_set_ui(t, times);
    int ok = read_number(&e, epsilon) && read_number(&d, delta);
    if (ok && dp_composition_add(list, &e, d.value, t, &err) != DP_OK) {
        complain("mechanism", &err);
        ok = 0;
    }
    mpz_clear(t);
    dp_number_clear(&d);
    dp_number_clear(&e);
    return ok;
}

static int composition(dp_result *r, const dp_options *opt)
{
    dp_error err;
    dp_composition list;
    dp_number target;
    dp_composition_init(&list);
    dp_number_init(&target);
    int ok = add(&list, "0.1", "1e-6", 35) && read_number(&target, "1e-4");
    if (ok) {
        dp_compose_query q = {.list = &list, .target_delta = &target};
        ok = dp_compose(r, &q, opt, &err) == DP_OK;
        if (!ok)
            complain("composition", &err);
    }
    dp_number_clear(&target);
    dp_composition_clear(&list);
    return ok && print_figure("composition", r, "epsilon", opt->digits);
}

/* Sets *holds to DP_YES, DP_NO or DP_UNKNOWN; only DP_YES is a proof that the budget is kept. */
static int check(dp_decision *holds, dp_result *r, const dp_options *defaults)
{
    dp_error err;
    dp_composition list;
    dp_number budget;
    dp_composition_init(&list);
    dp_number_init(&budget);
    int ok = add(&list, "0.1", "0", 3) && read_number(&budget, "0.3");
    if (ok) {
        dp_options opt = *defaults;
        opt.max_epsilon = &budget; /* max_delta stays NULL: 0 */
        dp_compose_query q = {.list = &list};
        ok = dp_compose(r, &q, &opt, &err) == DP_OK;
        if (!ok)
            complain("check", &err);
    }
    if (ok) {
        *holds = r->check.holds;
        printf("%-12s 3 x 0.1 within 0.3: %s\n", "check",
               *holds == DP_YES  ? "yes"
               : *holds == DP_NO ? "no"
                                 : "undecided");
    }
    dp_number_clear(&budget);
    dp_composition_clear(&list);
    return ok;
}

/* An input outside the domain is refused with a reason; nothing is printed or ended for it. */
static int refusal(void)
{
    dp_error err;
    dp_number x;
    dp_number_init(&x);
    int refused = dp_number_parse(&x, "1,5", 3, &err) == DP_DOMAIN;
    if (refused)
        printf("%-12s \"1,5\" %s\n", "refused", err.message);
    dp_number_clear(&x);
    return refused;
}

int main(void)
{
    dp_options opt = dp_options_default();
    opt.digits = 12;
    dp_result r; /* may be used for any number of queries */
    dp_result_init(&r);
    dp_decision holds = DP_UNKNOWN;
    int ok = bagging(&r, &opt) && composition(&r, &opt) && check(&holds, &r, &opt) && refusal();
    dp_result_clear(&r);
    return !ok ? 2 : holds == DP_YES ? 0 : 1;
}
