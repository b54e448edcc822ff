/* SPDX-License-Identifier: MIT */
/* Questions by text, by handles and as documents, which the library's tests refuse their blocks. */
#include "texts.h"

#include <stdbool.h>
#include <string.h>

#include "refusing.h"

/* ---- handles -------------------------------------------------------------------------------- */
typedef struct handled {
    const char *list;  /* "gaussian sigma=2 x10; ..." */
    const char *asked; /* "target-delta=1e-5 ..." */
    const char *quantity;
} handled;

/* The next word of the text, up to the mark; NULL at its end. */
static char *cut(char **text, char mark)
{
    char *word = *text;
    if (word == NULL)
        return NULL;
    char *end = strchr(word, mark);
    *text = end != NULL ? end + 1 : NULL;
    if (end != NULL)
        *end = '\0';
    return word;
}

static dp_status add(dp_account *a, const char *text, dp_error *err)
{
    char copy[300], *rest = strcpy(copy, text), *word;
    const char *times = NULL;
    dp_mechanism *m = dp_mechanism_new(cut(&rest, ' '), err);
    dp_status status = m != NULL ? DP_OK : err->status;
    while (status == DP_OK && (word = cut(&rest, ' ')) != NULL) {
        char *value = word;
        char *name = cut(&value, '=');
        if (value == NULL)
            times = word + 1;
        else
            status = dp_mechanism_set(m, name, value, err);
    }
    if (status == DP_OK)
        status = dp_account_add(a, m, times, err);
    dp_mechanism_free(m);
    return status;
}

/* Asks; the text of the figure, or NULL with the error. */
static char *figure(const dp_account *a, const dp_question *q, const char *name, dp_error *err)
{
    dp_answer *answer;
    if (dp_account_ask(&answer, a, q, err) != DP_OK)
        return NULL;
    char *text = dp_answer_text(answer, name);
    if (text == NULL)
        *err = (dp_error){DP_MEMORY, NULL, dp_status_text(DP_MEMORY)};
    dp_answer_free(answer);
    return text;
}

/* From the first refusal on nothing more is refused, and what was refused is done again. */
typedef struct relaxed {
    bool now, exhausted;
    size_t only;
    dp_error err;
} relaxed;

static bool again(relaxed *r, dp_status status, const dp_error *err)
{
    if (status != DP_MEMORY || r->now)
        return false;
    *r = (relaxed){true, exhausted, only, *err};
    only = SIZE_MAX;
    exhausted = false;
    return true;
}

static dp_status set_all(dp_question *q, const char *text, relaxed *r, dp_error *err)
{
    char copy[200], *rest = strcpy(copy, text), *word;
    dp_status status = DP_OK;
    while (status == DP_OK && (word = cut(&rest, ' ')) != NULL) {
        char *value = word;
        char *name = cut(&value, '=');
        do
            status = dp_question_set(q, name, value, err);
        while (again(r, status, err));
    }
    return status;
}

static dp_status add_all(dp_account *a, const char *text, relaxed *r, dp_error *err)
{
    char copy[600], *rest = strcpy(copy, text), *part;
    dp_status status = DP_OK;
    while (status == DP_OK && (part = cut(&rest, ';')) != NULL) {
        do
            status = add(a, part, err);
        while (again(r, status, err));
    }
    return status;
}

/* A refused call leaves its handle as it was: done again, all comes to the figure of before. */
static dp_status handles(dp_result *out, const void *of, dp_error *err)
{
    (void)out;
    static const handled *last;
    static char usual[80];
    const handled *h = of;
    relaxed r = {0};
    dp_account *a;
    dp_question *q;
    char *text = NULL;
    *err = (dp_error){DP_MEMORY, NULL, dp_status_text(DP_MEMORY)};
    do
        a = dp_account_new(DP_ADD_REMOVE, err);
    while (a == NULL && again(&r, err->status, err));
    do
        q = dp_question_new();
    while (q == NULL &&
           again(&r, DP_MEMORY, &(dp_error){DP_MEMORY, NULL, dp_status_text(DP_MEMORY)}));
    dp_status status = set_all(q, h->asked, &r, err);
    if (status == DP_OK)
        status = add_all(a, h->list, &r, err);
    if (status == DP_OK)
        do {
            text = figure(a, q, h->quantity, err);
            status = text != NULL ? DP_OK : err->status;
        } while (again(&r, status, err));
    if (text != NULL && last != h) {
        last = h;
        strncpy(usual, text, sizeof usual - 1);
    } else if (text != NULL && strcmp(text, usual) != 0) {
        status = DP_UNDECIDED; /* none of the questions comes to that */
    }
    dp_text_free(text);
    dp_question_free(q);
    dp_account_free(a);
    if (!r.now)
        return status;
    only = r.only;
    exhausted = r.exhausted;
    *err = r.err;
    return status == DP_OK ? DP_MEMORY : status;
}

/* ---- documents ------------------------------------------------------------------------------ */
/* A refused block makes an error of the document, or leaves none; no part is ever missing. */
static dp_status document(dp_result *out, const void *of, dp_error *err)
{
    (void)out;
    dp_status status;
    char *text = dp_ask(of, &status);
    err->message = status == DP_MEMORY ? "out of memory" : "no answer";
    size_t length = text != NULL ? strlen(text) : 0;
    bool whole = length > 2 && text[0] == '{' && text[length - 1] == '}';
    bool failed = whole && strstr(text, "\"error\":\"") != NULL;
    if (text == NULL ? status != DP_MEMORY : !whole || failed != (status != DP_OK))
        status = DP_UNDECIDED; /* none of the questions comes to that */
    else if (status == DP_DOMAIN)
        status = DP_OK; /* an error is an answer too */
    dp_text_free(text);
    return status;
}

#define HANDLES(...)                                                                               \
    handles, &(const handled)                                                                      \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
const question text_questions[] = {
    {"document, a list", document,
     "{\"command\":\"compose\",\"mechanisms\":[{\"name\":\"a\\n\",\"epsilon\":0.1,\"times\":3},"
     "{\"mechanism\":\"bagging-with\",\"n\":60,\"k\":3,\"base_epsilon\":1}],"
     "\"target_delta\":\"1e-3\",\"max_epsilon\":\"ln(3)\",\"id\":[1,{\"a\":null}]}"},
    {"document, cells", document,
     "{\"command\":\"compose\",\"mechanisms\":[{\"epsilon\":0.1},{\"mechanism\":\"parallel\","
     "\"partition\":\"a\",\"cells\":[[{\"epsilon\":0.5}],[{\"mechanism\":\"laplace\",\"scale\":1}]]"
     "},"
     "{\"mechanism\":\"parallel\",\"partition\":\"a\",\"cells\":[[],[{\"epsilon\":0.25}]]}],"
     "\"adjacency\":\"replace-one\",\"target_delta\":\"1e-3\",\"all\":true}"},
    {"document, cells, what fits", document,
     "{\"command\":\"compose\",\"mechanisms\":[{\"mechanism\":\"parallel\",\"cells\":"
     "[[{\"epsilon\":0.5}],[{\"epsilon\":0.25}]]}],\"add\":[0.5],\"max_epsilon\":2}"},
    {"document, cells, groups", document,
     "{\"command\":\"compose\",\"mechanisms\":[{\"mechanism\":\"parallel\",\"cells\":"
     "[[{\"epsilon\":0.5}],[{\"mechanism\":\"laplace\",\"scale\":1}]]}],\"group_size\":2,"
     "\"target_epsilon\":1,\"digits\":3}"},
    {"document, texts", document,
     "{\"command\":\"compose\",\"mechanism\":[\"0.1,1e-6x2\",\"ln(2)\"],\"claim\":\"2,1e-4\"}"},
    {"document, a curve", document,
     "{\"command\":\"curve\",\"mechanism\":\"0.5x2\",\"delta_range\":\"1e-3:1:3\",\"digits\":4}"},
    {"document, votes", document,
     "{\"command\":\"majority\",\"K\":3,\"epsilon\":0.1,\"allowance\":2,\"votes\":[0.5,\"1/"
     "3\",1]}"},
    {"document, solved", document,
     "{\"command\":\"bagging-with\",\"n\":60,\"solve\":\"k\",\"max_delta\":0.1}"},
    {"document, refused", document,
     "{\"command\":\"compose\",\"id\":\"\\ud83d\\ude00\",\"mechanisms\":[{\"epsilon\":0.1},{\"a\":"
     "1}]}"},
    {"document, gaussian", document,
     "{\"command\":\"gaussian\",\"sigma\":2,\"times\":10,\"target_delta\":\"1e-5\",\"all\":true}"},
    {"document, dp-sgd", document,
     "{\"command\":\"dp-sgd\",\"noise_multiplier\":4,\"sampling_rate\":\"0.01\",\"steps\":10,"
     "\"method\":\"rdp\",\"target_delta\":\"1e-5\",\"all\":true,\"max_epsilon\":1}"},
    {"document, dp-sgd pld", document,
     "{\"command\":\"dp-sgd\",\"noise_multiplier\":2,\"sampling_rate\":\"1/2\",\"steps\":20,"
     "\"target_delta\":\"1e-3\",\"digits\":2}"},
    {"document, laws", document,
     "{\"command\":\"compose\",\"mechanisms\":[{\"mechanism\":\"discrete-gaussian\",\"sigma2\":4,"
     "\"sensitivity\":1},{\"mechanism\":\"bounded-range\",\"eta\":\"1/"
     "2\"}],\"target_delta\":\"1e-2\","
     "\"digits\":2}"},
    {"document, dp-sgd steps", document,
     "{\"command\":\"dp-sgd\",\"noise_multiplier\":4,\"sampling_rate\":\"0.01\",\"solve\":"
     "\"steps\",\"method\":\"rdp\","
     "\"max_epsilon\":1,\"max_delta\":\"1e-5\",\"digits\":4}"},
    {"document, gaussian sigma", document,
     "{\"command\":\"gaussian\",\"solve\":\"sigma\",\"times\":10,\"max_epsilon\":1,"
     "\"max_delta\":\"1e-6\",\"digits\":4}"},
    {"document, gaussian times", document,
     "{\"command\":\"gaussian\",\"solve\":\"times\",\"sigma\":9,\"max_epsilon\":1,"
     "\"max_delta\":\"1e-6\"}"},
    {"document, convert", document,
     "{\"command\":\"convert\",\"rdp\":[\"2,0.05\",\"8,2/5\",\"32,2\"],\"target_delta\":\"1e-5\","
     "\"max_epsilon\":1,\"all\":true,\"digits\":8}"},
    {"document, convert pure", document,
     "{\"command\":\"convert\",\"pure\":\"ln(3)\",\"target_delta\":\"1e-5\",\"all\":true}"},
    {"document, advantage", document,
     "{\"command\":\"advantage\",\"rdp\":[\"2,0.05\",\"8,2/5\"],\"prior\":\"0.3\",\"all\":true,"
     "\"fpr\":[\"0.1\"],\"belief\":\"0.1\",\"kappa\":\"0.2\","
     "\"max_advantage\":\"0.2\",\"digits\":8}"},
    {"document, advantage of a list", document,
     "{\"command\":\"advantage\",\"of\":[\"gaussian:sigma=2\",\"0.5\"],\"prior\":\"0.2\","
     "\"fpr\":[\"0.1\"],\"digits\":4}"},
    {"document, advantage, zcdp", document,
     "{\"command\":\"advantage\",\"zcdp\":[\"0.1\"],\"delta\":\"0.01\",\"tpr\":0.5,\"belief\":1,"
     "\"secrets\":9,\"digits\":4}"},
    {"document, advantage of a group", document,
     "{\"command\":\"advantage\",\"approx\":\"1,1e-5\",\"group\":2,\"max_advantage\":\"0.8\"}"},
    {"document, laplace", document,
     "{\"command\":\"laplace\",\"scale\":2,\"target_delta\":\"1e-5\",\"method\":\"rdp\"}"},
    {"document, laplace scale", document,
     "{\"command\":\"laplace\",\"solve\":\"scale\",\"max_epsilon\":1,\"max_delta\":\"1e-6\","
     "\"digits\":3}"},
    {"document, divergences", document,
     "{\"command\":\"divergence\",\"mechanism\":[\"gaussian:sigma=2x2\",\"zcdp:rho=0.1\"],"
     "\"order\":2,\"digits\":4}"},
    {"document, a pair", document,
     "{\"command\":\"compose\",\"mechanisms\":[{\"mechanism\":\"pair\",\"p\":[\"1/2\",0.25,0.25],"
     "\"q\":[0.25,0.5,\"1/4\"],\"times\":2},{\"epsilon\":1}],\"target_delta\":\"1e-3\"}"},
    {"document, filter", document,
     "{\"command\":\"filter\",\"mechanisms\":[{\"mechanism\":\"zcdp\",\"rho\":\"1/997\"}],\"add\":["
     "\"0.1,1e-8x2\",\"laplace:scale=9\"],\"slack\":\"5e-7\",\"max_epsilon\":2,\"max_delta\":\"1e-"
     "6\","
     "\"all\":true}"},
    {"document, filter of Gaussians", document,
     "{\"command\":\"filter\",\"add\":[\"gaussian:sigma=7/3x2\"],\"method\":\"gaussian\","
     "\"max_epsilon\":3,\"max_delta\":\"1e-6\"}"},
    {"document, filter of logarithms", document,
     "{\"command\":\"filter\",\"mechanism\":\"ln(3)x3\",\"add\":[{\"epsilon\":\"ln(2)\"}],"
     "\"max_epsilon\":\"ln(54)\"}"},
    {"document, groups", document,
     "{\"command\":\"compose\",\"mechanism\":[\"0.2,1e-6x2\",\"gaussian:sigma=9\"],\"group_size\":"
     "3,"
     "\"target_delta\":\"1e-2\",\"digits\":3}"},
    {"document, discrete Laplace", document,
     "{\"command\":\"compose\",\"mechanism\":[\"discrete-laplace:scale=2x3\",\"0.1\"],"
     "\"target_delta\":\"1e-2\",\"digits\":3}"},
    {"handles, items", HANDLES("pure-dp epsilon=0.1 x5;approx-dp epsilon=1/3 delta=1e-6",
                               "target-delta=1e-3 max-epsilon=4 digits=4", "epsilon")},
    {"handles, gaussian", HANDLES("gaussian sigma=2 x10", "target-delta=1e-5", "epsilon")},
    {"handles, laplace",
     HANDLES("laplace scale=2 sensitivity=1/3 x3", "target-epsilon=1/4 digits=4", "delta")},
    {"handles, responses", HANDLES("randomized-response epsilon=ln(2) categories=3 x3",
                                   "target-delta=1e-2 digits=4 all=true", "epsilon")},
    {"handles, a pair", HANDLES("pair p=1/2,1/3,1/6 q=1/4,1/4,1/2 directions=one x3",
                                "target-delta=1e-2 digits=4", "epsilon")},
    {"handles, zcdp", HANDLES("zcdp rho=0.1;zcdp rho=0.05 xi=0.01 x2",
                              "target-delta=1e-5 digits=4 all=true", "epsilon")},
    {"handles, rdp", HANDLES("rdp alpha=2,4,8 rdp=0.1,0.2,0.4;gaussian sigma=4",
                             "target-delta=1e-5 digits=4", "epsilon")},
    {"handles, mixed", HANDLES("gaussian sigma=3;laplace scale=4;pure-dp epsilon=0.1 x2",
                               "target-delta=1e-2 digits=3", "epsilon")},
    {"handles, mixed and many",
     HANDLES("gaussian sigma=9 x9;pair p=1/2,1/3,1/6 q=1/4,1/4,1/2 x20;approx-dp epsilon=0.1 "
             "delta=1e-7",
             "target-epsilon=9 digits=2", "delta")},
};

const size_t text_question_count = sizeof text_questions / sizeof *text_questions;
