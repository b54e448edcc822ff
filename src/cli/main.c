/* SPDX-License-Identifier: MIT */
/* The program: which command, what status, and the one line that says what is wrong. */
#include <cjson/cJSON.h>
#include <mpfi.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cli/argv.h"
#include "cli/forms.h"
#include "cli/generate.h"
#include "cli/help.h"
#include "cli/hints.h"
#include "cli/json_write.h"
#include "cli/mem.h"
#include "cli/program.h"
#include "cli/progress.h"
#include "cli/query.h"
#include "cli/text.h"
#include "cli/write.h"

static bool as_json; /* errors too */

/* Is JSON asked for? Also where the words before or after it are wrong. */
static bool wants_json(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--json") == 0 || strcmp(argv[i], "--format=json") == 0 ||
            (strcmp(argv[i], "--format") == 0 && i + 1 < argc && strcmp(argv[i + 1], "json") == 0))
            return true;
    return false;
}

static bool complain_json(const char *name, const fault *f)
{
    char help[80];
    snprintf(help, sizeof help, "dpacct%s%s --help", name != NULL ? " " : "",
             name != NULL ? name : "");
    cJSON *top = cJSON_CreateObject();
    json_add_static(top, "schema", "dpacct/1");
    cJSON *error = json_add_object(top, "error");
    json_add_static(error, "argument", f->where);
    json_add_static(error, "message", f->what);
    json_add_static(error, "help", help);
    char *text = json_print(top);
    if (text != NULL)
        fprintf(stderr, "%s\n", text);
    cJSON_free(text);
    cJSON_Delete(top);
    return text != NULL;
}

static int complain(const char *name, const fault *f)
{
    if (as_json && complain_json(name, f))
        return EXIT_INPUT;
    fprintf(stderr, "dpacct: ");
    if (name != NULL)
        fprintf(stderr, "%s: ", name);
    if (f->where[0] != '\0')
        fprintf(stderr, "%s: ", f->where);
    fprintf(stderr, "%s\n", f->what);
    return EXIT_INPUT;
}

/* Everything at once, flushed and checked: a full disk or a closed pipe is status 3, and of the
 * reader's own choice to read no further nothing is said. */
static int deliver(out *o, int status)
{
    if (out_write(o, stdout))
        return status;
    static const fault f = {"", "the output could not be written"};
    if (!o->closed)
        complain(NULL, &f);
    return EXIT_UNFINISHED;
}

static void print_warnings(const args *a, const report *r)
{
    for (size_t i = 0; i < r->result.warnings; i++)
        fprintf(stderr, "dpacct: %s: warning: %s\n", a->command->name, r->result.warning[i]);
}

/* A forgotten budget must not look like one that is met. */
static int answer_quietly(const args *a, const report *r, int status)
{
    fault f;
    if (r->result.check.asked)
        return status;
    char names[80] = "";
    size_t used = 0;
    for (const option *o = a->command->options; o->of != NULL; o++)
        if (o->role == ROLE_CHECK && used < sizeof names)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s--%s",
                                     used > 0 ? " or " : "", o->of->name);
    if (used > 0)
        fault_set(&f, "--quiet", "there is nothing to check; give %s", names);
    else
        fault_set(&f, "--quiet", "there is nothing to check in this command; leave it out");
    return complain(a->command->name, &f);
}

static int answer(args *a, report *r, int status)
{
    if (args_flag(a, "quiet"))
        return answer_quietly(a, r, status);
    out o;
    screen s = screen_of_output();
    out_init(&o);
    if (args_flag(a, "plot-data") && !args_flag(a, "json") && !args_is(a, "format", "json"))
        report_plot(&o, r);
    else
        form_write(&o, r, a, &s);
    print_warnings(a, r);
    status = deliver(&o, status);
    out_clear(&o);
    return status;
}

static int perform(args *a, report *r, out *o)
{
    fault f = {"", ""};
    const command *c = a->command;
    progress_start(c->name, args_flag(a, "quiet"));
    int status = c->run != NULL       ? query_run(a, r, &f)
                 : args_finish(a, &f) ? c->act(a, o, &f)
                                      : EXIT_INPUT;
    progress_end();
    if (f.what[0] != '\0')
        complain(c->name, &f);
    else
        status = c->run != NULL ? answer(a, r, status) : deliver(o, status);
    return status;
}

static int run_command(const command *c, int argc, char **argv)
{
    args a;
    fault f = {"", "out of memory"};
    if (!query_init(&a, c))
        return complain(c->name, &f), EXIT_UNFINISHED;
    mem_context(c->name);
    report r;
    report_init(&r);
    int status;
    out o;
    out_init(&o);
    screen s = screen_of_output();
    argv_outcome words = args_read_argv(&a, argc, argv, &f);
    switch (words) {
    case ARGV_HELP:
    case ARGV_SHORT_HELP:
        help_command(&o, c, &s, words == ARGV_HELP);
        status = deliver(&o, EXIT_HOLDS);
        break;
    case ARGV_FAULT:
        status = complain(c->name, &f);
        break;
    default:
        status = perform(&a, &r, &o);
    }
    out_clear(&o);
    report_clear(&r);
    args_clear(&a);
    return status;
}

/* The words after it are those of the program, which is argv[0]. */
static int unknown_command(int argc, char **argv)
{
    fault f;
    char hint[HINT_ROOM];
    hint_command(hint, argc, argv);
    fault_set(&f, "", "'%.60s' is not a command%s", argv[1], hint);
    return complain(NULL, &f);
}

static int run(int argc, char **argv)
{
    out o;
    out_init(&o);
    int status = EXIT_HOLDS;
    const char *first = argc > 1 ? argv[1] : NULL;
    const command *c = first != NULL ? command_find(first) : NULL;
    screen s = screen_of_output();
    if (first == NULL) {
        help_none(&o);
        out_write(&o, stderr);
        status = EXIT_INPUT;
    } else if (c != NULL) {
        return run_command(c, argc - 2, argv + 2);
    } else if (strcmp(first, "--version") == 0) {
        help_version(&o);
        status = deliver(&o, status);
    } else if (strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0 ||
               (strcmp(first, "help") == 0 && argc < 3)) {
        help_program(&o, &s, strcmp(first, "-h") != 0);
        status = deliver(&o, status);
    } else if (strcmp(first, "help") == 0) {
        c = command_find(argv[2]);
        if (c == NULL)
            return unknown_command(argc - 1, argv + 1);
        help_command(&o, c, &s, true);
        status = deliver(&o, status);
    } else if (strcmp(first, "--generate") == 0) {
        if (argc == 3 && generate(&o, argv[2])) {
            status = deliver(&o, status);
        } else {
            fault f;
            fault_set(&f, "--generate", "needs one of " GENERATE_CHOICES);
            status = complain(NULL, &f);
        }
    } else {
        status = unknown_command(argc, argv);
    }
    out_clear(&o);
    return status;
}

int main(int argc, char **argv)
{
    signal(SIGPIPE, SIG_IGN); /* a closed pipe becomes a write error, status 3 */
    as_json = wants_json(argc, argv);
    mem_json(as_json);
    mem_install();
    mem_limit(MEM_CAP);
    int status = run(argc, argv);
    mpfr_free_cache();
    return status;
}
