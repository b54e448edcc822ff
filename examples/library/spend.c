/* SPDX-License-Identifier: MIT */
/* What does a training run spend? An account of noise and of a published count, and two questions.
 *
 *   cc -std=c11 spend.c $(pkg-config --cflags --libs dpacct) -o spend
 *   cc -std=c11 -static spend.c $(pkg-config --static --cflags --libs dpacct) -o spend
 *
 * Exit status: 0 the budget is kept, 1 it is not, 2 something failed. */
#include <dpacct/dpacct.h>
#include <stdio.h>

/* Adds `times` uses of a mechanism with one parameter; every number is text, and exact. */
static dp_status add(dp_account *a, const char *type, const char *parameter, const char *value,
                     const char *times, dp_error *err)
{
    dp_mechanism *m = dp_mechanism_new(type, err);
    dp_status status = m != NULL ? dp_mechanism_set(m, parameter, value, err) : err->status;
    if (status == DP_OK)
        status = dp_account_add(a, m, times, err); /* the account has a copy */
    dp_mechanism_free(m);
    return status;
}

int main(void)
{
    dp_error err;
    dp_decision holds = DP_UNKNOWN;
    dp_answer *answer = NULL;
    dp_question *q = dp_question_new();
    dp_account *a = dp_account_new(DP_ADD_REMOVE, &err);
    if (a != NULL && q != NULL && add(a, "gaussian", "sigma", "20", "100", &err) == DP_OK &&
        add(a, "laplace", "scale", "10", NULL, &err) == DP_OK &&
        dp_question_set(q, "target-delta", "1e-6", &err) == DP_OK &&
        dp_question_set(q, "max-epsilon", "3", &err) == DP_OK &&
        dp_account_ask(&answer, a, q, &err) == DP_OK) {
        char *epsilon = dp_answer_text(answer, "epsilon"); /* rounded up, never below the truth */
        holds = dp_answer_holds(answer);                   /* only DP_YES is a proof that it is */
        printf("spent    epsilon = %s at delta = 1e-6\n", epsilon != NULL ? epsilon : "?");
        printf("budget   epsilon = 3 is %s\n", holds == DP_YES ? "kept" : "not kept");
        dp_text_free(epsilon);
    }
    if (add(a, "gaussian", "sigma", "1,5", NULL, &err) != DP_OK)
        printf("refused  %s %s\n", err.argument, err.message);
    int failed = answer == NULL;
    dp_answer_free(answer); /* NULL is fine for everything that frees */
    dp_account_free(a);
    dp_question_free(q);
    return failed ? 2 : holds == DP_YES ? 0 : 1;
}
