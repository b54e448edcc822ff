/* SPDX-License-Identifier: MIT */
/* dp_ask: what a batch says of a line, byte for byte; what each question comes to; at the same time
 * from several threads; one request's limits are its own. */
#include "support.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <mpfr.h>

#include "cli/program.h"
#include "cli/write.h"
#include "document/commands.h"
#include "document/json_read.h"
#include "document/request.h"

typedef struct line {
    dp_status status;
    const char *text;
} line;

/* Every command, well and badly asked. */
static const line lines[] = {
    {DP_OK, "{\"command\":\"bagging-with\",\"n\":60000,\"k\":300,\"id\":1}"},
    {DP_OK, "{\"command\":\"bagging-with\",\"n\":60000,\"solve\":\"k\",\"max_delta\":\"1/200\"}"},
    {DP_OK, "{\"command\":\"bagging-with\",\"dataset_size\":\"60000\",\"subsample-size\":600,"
            "\"base_epsilon\":\"ln(3)\",\"base_delta\":1e-5,\"all\":true,\"id\":{\"a\":[1.50]}}"},
    {DP_DOMAIN, "{\"command\":\"bagging-with\",\"n\":60000,\"k\":0.5,\"id\":\"x\"}"},
    {DP_DOMAIN, "{\"command\":\"bagging-with\",\"n\":60000,\"k\":300,\"max_delta\":2}"},
    {DP_DOMAIN, "{\"command\":\"bagging-with\",\"k\":300}"},
    {DP_OK, "{\"command\":\"bagging-with\",\"n\":10,\"solve\":\"k\",\"max_delta\":0}"},
    {DP_OK, "{\"command\":\"gaussian\",\"solve\":\"sigma\",\"max_epsilon\":1}"},
    {DP_OK, "{\"command\":\"compose\",\"epsilon\":0.1,\"times\":35,\"target_delta\":1e-6}"},
    {DP_OK, "{\"command\":\"bagging-without\",\"n\":60000,\"k\":300,\"N\":10}"},
    {DP_DOMAIN, "{\"command\":\"bagging-without\",\"n\":10,\"k\":3,\"N\":4}"},
    {DP_OK, "{\"command\":\"advantage\",\"zcdp\":[\"0.1\"],\"max_advantage\":\"0.1\"}"},
    {DP_OK, "{\"command\":\"advantage\",\"of\":\"gaussian:sigma=1x2\",\"prior\":0.1}"},
    {DP_DOMAIN, "{\"command\":\"advantage\"}"},
    {DP_DOMAIN, "{\"command\":\"advantage\",\"pure\":1,\"gdp\":1}"},
    {DP_OK, "{\"command\":\"bagging-poisson\",\"sampling_rate\":0.01,\"N\":5,\"quiet\":false}"},
    {DP_DOMAIN, "{\"command\":\"bagging-poisson\",\"sampling_rate\":1.01}"},
    {DP_OK, "{\"command\":\"compose\",\"mechanisms\":[{\"name\":\"a\\u0007\",\"epsilon\":0.1,"
            "\"delta\":\"1e-6\",\"times\":35}],\"target_delta\":\"1e-5\",\"all\":true}"},
    {DP_OK, "{\"command\":\"compose\",\"mechanism\":[\"0.1x3\"],\"max_epsilon\":\"0.3\"}"},
    {DP_OK, "{\"command\":\"compose\",\"mechanism\":\"0.1x3\",\"max_epsilon\":\"0.29\"}"},
    {DP_OK, "{\"command\":\"compose\",\"mechanisms\":[{\"mechanism\":\"bagging-with\",\"n\":600,"
            "\"k\":30,\"base_epsilon\":1,\"times\":2},{\"epsilon\":\"ln(2)\"}],"
            "\"target_epsilon\":1,\"adjacency\":\"replace-one\"}"},
    {DP_OK, "{\"command\":\"compose\",\"solve\":\"times\",\"add\":\"0.2\",\"mechanism\":\"0.1x20\","
            "\"max_epsilon\":2,\"max_delta\":1e-6}"},
    {DP_DOMAIN, "{\"command\":\"compose\",\"mechanism\":\"0.1x3\",\"target_delta\":0.1,"
                "\"target_epsilon\":1}"},
    {DP_DOMAIN, "{\"command\":\"compose\",\"mechanisms\":[{\"epsilon\":1,\"colour\":2}]}"},
    {DP_DOMAIN, "{\"command\":\"compose\",\"mechanisms\":{}}"},
    {DP_DOMAIN, "{\"command\":\"compose\",\"mechanism\":\"1e-1,x\"}"},
    {DP_DOMAIN, "{\"command\":\"compose\"}"},
    {DP_DOMAIN, "{\"command\":\"compose\",\"target_delta\":1,\"target-delta\":1}"},
    {DP_OK, "{\"command\":\"convert\",\"zcdp\":[\"0.1\"],\"target_delta\":1e-5}"},
    {DP_DOMAIN, "{\"command\":\"convert\",\"zcdp\":[\"0.1\"]}"},
    {DP_OK, "{\"command\":\"dp-sgd\",\"noise_multiplier\":1,\"sampling_rate\":0.01,\"steps\":1,"
            "\"target_delta\":1e-5}"},
    {DP_OK, "{\"command\":\"dp-sgd\",\"noise_multiplier\":1,\"sampling_rate\":0.01,\"steps\":10,"
            "\"method\":\"rdp\",\"target_delta\":1e-5}"},
    {DP_DOMAIN,
     "{\"command\":\"dp-sgd\",\"noise_multiplier\":1,\"steps\":10,\"target_delta\":1e-5}"},
    {DP_OK, "{\"command\":\"filter\",\"mechanisms\":[{\"epsilon\":0.1}],\"add\":\"0.1\",\"max_"
            "epsilon\":1}"},
    {DP_DOMAIN, "{\"command\":\"filter\",\"max_epsilon\":-1}"},
    {DP_OK, "{\"command\":\"pate\",\"aggregator\":\"gnmax\",\"sigma\":40,\"queries\":9,\"target_"
            "delta\":1e-5}"},
    {DP_DOMAIN, "{\"command\":\"pate\",\"aggregator\":\"gnmax\"}"},
    {DP_OK, "{\"command\":\"curve\",\"mechanism\":\"0.5x8\",\"epsilon_range\":\"0:4:3\"}"},
    {DP_OK, "{\"command\":\"curve\",\"mechanism\":\"0.5x8\",\"delta_range\":\"1e-9:1:3\"}"},
    {DP_DOMAIN, "{\"command\":\"curve\",\"mechanism\":\"0.5x8\",\"delta_range\":\"0:1:3\"}"},
    {DP_OK, "{\"command\":\"divergence\",\"epsilon\":\"ln(3)\",\"times\":5,\"order\":\"1/2\"}"},
    {DP_DOMAIN, "{\"command\":\"divergence\",\"epsilon\":1,\"mechanism\":\"1\"}"},
    {DP_OK, "{\"command\":\"audit\",\"correct\":150,\"trials\":200,\"max_epsilon\":1}"},
    {DP_DOMAIN, "{\"command\":\"audit\",\"correct\":201,\"trials\":200}"},
    {DP_OK, "{\"command\":\"generalization\",\"epsilon\":0.1,\"delta\":1e-6,\"samples\":95727,"
            "\"failure\":0.05}"},
    {DP_DOMAIN, "{\"command\":\"generalization\",\"epsilon\":-1}"},
    {DP_OK, "{\"command\":\"gaussian\",\"sigma\":2,\"times\":10,\"target_delta\":1e-5}"},
    {DP_DOMAIN, "{\"command\":\"gaussian\",\"sigma\":0,\"target_delta\":1e-5}"},
    {DP_OK, "{\"command\":\"laplace\",\"solve\":\"scale\",\"max_epsilon\":1}"},
    {DP_DOMAIN, "{\"command\":\"laplace\"}"},
    {DP_OK, "{\"command\":\"discrete-gaussian\",\"sigma2\":4,\"sensitivity\":[1,2],\"target_"
            "delta\":0.01}"},
    {DP_DOMAIN, "{\"command\":\"discrete-gaussian\",\"target_delta\":0.01}"},
    {DP_OK, "{\"command\":\"compose\",\"mechanism\":[\"gaussian:sigma=2x3\",\"0.1\"],"
            "\"target_delta\":1e-5}"},
    {DP_OK, "{\"command\":\"compose\",\"mechanisms\":[{\"mechanism\":\"pair\",\"p\":[\"1/2\",0.5],"
            "\"q\":[0.25,0.75],\"times\":3}],\"target_epsilon\":0.1}"},
    {DP_OK, "{\"command\":\"iterative-gaussian\",\"samples\":600,\"batch_size\":6,\"T\":10,"
            "\"diameter\":2,\"sigma\":1,\"target_delta\":1e-5}"},
    {DP_DOMAIN, "{\"command\":\"iterative-gaussian\",\"N\":\"600 \"}"},
    {DP_OK, "{\"command\":\"kl-bound\",\"epsilon\":0.1,\"times\":100,\"all\":true}"},
    {DP_DOMAIN, "{\"command\":\"kl-bound\",\"mechanism\":\"0.1,1e-5\"}"},
    {DP_OK, "{\"command\":\"majority\",\"K\":5,\"epsilon\":0.1,\"allowance\":3,"
            "\"votes\":[0.5,\"1/3\",1,0,1]}"},
    {DP_DOMAIN, "{\"command\":\"majority\",\"K\":4,\"epsilon\":0.1,\"allowance\":3}"},
    {DP_DOMAIN, "{\"command\":\"majority\",\"K\":5,\"epsilon\":0.1,\"allowance\":3,"
                "\"gamma\":\"/etc/passwd\"}"}, /* no file is read */
    {DP_OK, "{\"command\":\"rr-prob\",\"K\":11,\"epsilon\":0.1,\"allowance\":3}"},
    {DP_DOMAIN, "{\"command\":\"rr-prob\",\"K\":11,\"epsilon\":0.1}"},
    {DP_OK, " {\"command\" :\t\"kl-bound\", \"epsilon\": 1e-1000 , \"digits\": 40} \r"},
    {DP_DOMAIN, "{\"command\":\"kl-bound\",\"epsilon\":1e1000001}"},
    {DP_DOMAIN, "{\"command\":\"kl-bound\",\"epsilon\":\"2^3000000000\"}"},
    {DP_DOMAIN, "{\"command\":\"kl-bound\",\"epsilon\":0.1,\"digits\":10001}"},
    {DP_DOMAIN, "{\"command\":\"kl-bound\",\"epsilon\":0.1,\"epsilon\":0.2}"},
    {DP_DOMAIN, "{\"command\":\"theorems\"}"},
    {DP_DOMAIN, "{\"command\":\"batch\"}"},
    {DP_DOMAIN, "{\"command\":\"compos\"}"},
    {DP_DOMAIN, "{\"command\":1}"},
    {DP_DOMAIN, "{\"id\":7}"},
    {DP_DOMAIN, "{}"},
    {DP_DOMAIN, "[]"},
    {DP_DOMAIN, "null"},
    {DP_DOMAIN, "{\"command\":"},
    {DP_DOMAIN, "nope"},
    {DP_DOMAIN, "\"\xff\""},
};
#define LINES (sizeof lines / sizeof *lines)

static char *ask(const char *text, dp_status *status)
{
    char *answer = dp_ask(text, status);
    assert_non_null(answer);
    return answer;
}

static void test_status(void **state)
{
    (void)state;
    for (size_t i = 0; i < LINES; i++) {
        dp_status status = DP_UNDECIDED;
        char *answer = ask(lines[i].text, &status);
        if (status != lines[i].status)
            fail_msg("%s: %d: %s", lines[i].text, (int)status, answer);
        json_document document;
        json_fault where;
        size_t length = strlen(answer);
        assert_int_equal(answer[length - 1], '}');
        assert_true(json_read(&document, answer, length, &where));
        json top = json_root(&document);
        assert_string_equal(json_text(json_find(top, "schema")), "dpacct/1");
        assert_int_equal(json_exists(json_find(top, "error")), status != DP_OK);
        assert_int_equal(json_exists(json_find(top, "results")), status == DP_OK);
        json_clear(&document);
        dp_text_free(answer);
    }
}

static void test_every_command(void **state)
{
    (void)state;
    for (size_t c = 0; query_commands[c] != NULL; c++) {
        char field[80];
        bool good = false, bad = false;
        snprintf(field, sizeof field, "{\"command\":\"%s\"", query_commands[c]->name);
        for (size_t i = 0; i < LINES; i++)
            if (strncmp(lines[i].text, field, strlen(field)) == 0)
                *(lines[i].status == DP_OK ? &good : &bad) = true;
        if (!good || !bad)
            fail_msg("%s: add a line that is %s", query_commands[c]->name, good ? "bad" : "good");
    }
}

/* The lines through `batch`, in a process of its own; what it wrote, to be freed. */
static char *batch_of_lines(void)
{
    FILE *given = tmpfile(), *answered = tmpfile();
    assert_true(given != NULL && answered != NULL);
    for (size_t i = 0; i < LINES; i++)
        fprintf(given, "%s\n", lines[i].text);
    rewind(given);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        args a;
        fault f = {"", ""};
        out o;
        out_init(&o);
        bool ok = dup2(fileno(given), STDIN_FILENO) >= 0 &&
                  dup2(fileno(answered), STDOUT_FILENO) >= 0 &&
                  args_init(&a, &cmd_batch, query_commands) && args_finish(&a, &f) &&
                  cmd_batch.act(&a, &o, commands, &f) == 2 && out_write(&o, stdout);
        _exit(ok ? 0 : 1);
    }
    int status;
    assert_true(child > 0 && waitpid(child, &status, 0) == child);
    assert_int_equal(status, 0);
    long size = fseek(answered, 0, SEEK_END) == 0 ? ftell(answered) : -1;
    assert_true(size > 0);
    char *text = malloc((size_t)size + 1);
    assert_non_null(text);
    rewind(answered);
    assert_int_equal(fread(text, 1, (size_t)size, answered), size);
    text[size] = '\0';
    fclose(given);
    fclose(answered);
    return text;
}

/* An error names its line: the first of one. */
static void number_as_first(char *answer)
{
    char *number = strstr(answer, "\"error\":") != NULL ? strstr(answer, "\"line\":") : NULL;
    if (number != NULL)
        strcpy(number, "\"line\":1}");
}

static void test_batch(void **state)
{
    (void)state;
    char *batch = batch_of_lines(), *at = batch;
    for (size_t i = 0; i < LINES; i++) {
        char *end = strchr(at, '\n'), *answer = ask(lines[i].text, NULL);
        assert_non_null(end);
        *end = '\0';
        number_as_first(at);
        assert_string_equal(at, answer);
        dp_text_free(answer);
        at = end + 1;
    }
    assert_int_equal(*at, '\0');
    free(batch);
}

static void expect_error(const char *request, const char *what)
{
    dp_status status = DP_OK;
    char *answer = ask(request, &status);
    assert_int_equal(status, DP_DOMAIN);
    assert_non_null(strstr(answer, what));
    dp_text_free(answer);
}

static void test_no_question(void **state)
{
    (void)state;
    expect_error(NULL, "\"error\":\"a line must be a JSON object\",\"line\":1}");
    expect_error("", "must be a JSON object");
    expect_error("{\"command\":\"kl-bound\",\n\"epsilon\":-1}", "must not be negative");
    size_t size = ((size_t)16 << 20) + 2;
    char *text = malloc(size);
    assert_non_null(text);
    memset(text, ' ', size - 1);
    text[size - 1] = '\0';
    expect_error(text, "longer than 16 MiB");
    text[size - 2] = '\0';
    expect_error(text, "at byte");
    free(text);
    dp_text_free(NULL);
}

#define HEAVY                                                                                      \
    "\"command\":\"compose\",\"mechanism\":[\"0.137x90\",\"0.2111x30\",\"0.31831x40\"],"           \
    "\"target_epsilon\":7,\"digits\":30"

/* What one request is allowed is nothing to the next. */
static void test_limits(void **state)
{
    (void)state;
    dp_status status;
    char *hurried = ask("{" HEAVY ",\"max_time\":1e-6}", &status);
    assert_true(status != DP_OK || strstr(hurried, "\"warnings\":[]") == NULL);
    char *cramped = ask("{" HEAVY ",\"max_memory\":1,\"max_time\":0.1}", NULL);
    char *first = ask("{\"command\":\"kl-bound\",\"epsilon\":0.1}", &status);
    assert_int_equal(status, DP_OK);
    assert_non_null(strstr(first, "\"warnings\":[]"));
    char *full = ask("{" HEAVY "}", &status);
    assert_int_equal(status, DP_OK);
    assert_non_null(strstr(full, "\"warnings\":[]"));
    dp_text_free(full);
    dp_text_free(first);
    dp_text_free(cramped);
    dp_text_free(hurried);
}

#define THREADS 4

typedef struct asker {
    size_t first;
    char *answer[LINES];
    dp_status status[LINES];
} asker;

static void *ask_all(void *context)
{
    asker *a = context;
    for (size_t i = 0; i < LINES; i++) {
        size_t at = (a->first + i) % LINES;
        a->answer[at] = dp_ask(lines[at].text, &a->status[at]);
    }
    mpfr_free_cache();
    return NULL;
}

static void test_threads(void **state)
{
    (void)state;
    static asker askers[THREADS + 1];
    pthread_t thread[THREADS];
    for (size_t t = 0; t < THREADS; t++) {
        askers[t].first = t * LINES / THREADS;
        assert_int_equal(pthread_create(&thread[t], NULL, ask_all, &askers[t]), 0);
    }
    for (size_t t = 0; t < THREADS; t++)
        assert_int_equal(pthread_join(thread[t], NULL), 0);
    ask_all(&askers[THREADS]);
    for (size_t t = 0; t <= THREADS; t++)
        for (size_t i = 0; i < LINES; i++) {
            assert_int_equal(askers[t].status[i], lines[i].status);
            assert_string_equal(askers[t].answer[i], askers[THREADS].answer[i]);
            if (t < THREADS)
                dp_text_free(askers[t].answer[i]);
        }
    for (size_t i = 0; i < LINES; i++)
        dp_text_free(askers[THREADS].answer[i]);
}

/* What begins a file may begin a question: a byte-order mark is no part of it. */
static void test_mark(void **state)
{
    (void)state;
    static const char marked[] = "\xEF\xBB\xBF{\"command\":\"kl-bound\",\"epsilon\":1}";
    dp_status status;
    char *one = dp_ask(marked, &status), *other = dp_ask(marked + 3, NULL);
    assert_int_equal(status, DP_OK);
    assert_string_equal(one, other);
    dp_text_free(one);
    dp_text_free(other);
    char *twice = dp_ask("\xEF\xBB\xBF\xEF\xBB\xBF{}", &status),
         *none = dp_ask("\xEF\xBB\xBF", NULL);
    assert_int_equal(status, DP_DOMAIN);
    assert_non_null(strstr(twice, "\"error\""));
    assert_non_null(strstr(none, "\"error\""));
    dp_text_free(twice);
    dp_text_free(none);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mark),          cmocka_unit_test(test_status),
        cmocka_unit_test(test_every_command), cmocka_unit_test(test_batch),
        cmocka_unit_test(test_no_question),   cmocka_unit_test(test_limits),
        cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests_name("dp_ask", tests, NULL, NULL);
}
