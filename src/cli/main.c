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
#include "cli/next.h"
#include "cli/picture.h"
#include "cli/program.h"
#include "cli/progress.h"
#include "cli/query.h"
#include "cli/series.h"
#include "cli/text.h"
#include "cli/write.h"
#include "num/memory.h"

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

/* Was it said of an earlier point too? */
static bool was_said(const series *x, size_t before, const char *text)
{
    for (size_t i = 0; i < before; i++)
        for (size_t k = 0; k < x->r[i].result.warnings; k++)
            if (strcmp(x->r[i].result.warning[k], text) == 0)
                return true;
    return false;
}

static void print_warnings(const series *x)
{
    for (size_t i = 0; i < x->count; i++)
        for (size_t k = 0; k < x->r[i].result.warnings; k++)
            if (!was_said(x, i, x->r[i].result.warning[k]))
                fprintf(stderr, "dpacct: %s: warning: %s\n", x->a[i].command->name,
                        x->r[i].result.warning[k]);
}

/* A forgotten budget must not look like one that is met. */
static int answer_quietly(const args *a, const report *r, int status)
{
    fault f;
    if (r->result.check.asked)
        return status;
    char names[80] = "";
    size_t used = 0;
    if (option_find(a->command, "plan") != NULL && args_flag(a, "plan")) {
        fault_set(&f, "--quiet", "a plan is a number of trials, and checks nothing; leave it out");
        return complain(a->command->name, &f);
    }
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

/* The picture that is asked for: its columns or, for a terminal, its lines into `o`, else its file.
 * EXIT_HOLDS, or the status with the fault. */
static int draw(out *o, const series *x, const screen *s, fault *f)
{
    const value *file = args_value(&x->a[0], "plot");
    bool plots = file != NULL && file->given, data = args_flag(&x->a[0], "plot-data");
    picture p;
    if (!plots && !data)
        return EXIT_HOLDS;
    if (!picture_of(&p, x, f))
        return EXIT_INPUT;
    if (data)
        picture_data(o, &p);
    const char *wrong = plots ? picture_draw(o, &p, file->text, s->width) : NULL;
    picture_clear(&p);
    if (wrong != NULL)
        fault_set(f, "--plot", "%s", wrong);
    return wrong == NULL ? EXIT_HOLDS : EXIT_UNFINISHED;
}

static int answer(const series *x, int status)
{
    const args *a = &x->a[0];
    fault f;
    if (args_flag(a, "quiet"))
        return answer_quietly(a, &x->r[0], status);
    bool as_object = args_flag(a, "json") || args_is(a, "format", "json"),
         ranged = a->range != NULL;
    screen s = screen_of_output();
    out o, graph;
    out_init(&o);
    out_init(&graph);
    int drawn = draw(&graph, x, &s, &f);
    if (drawn == EXIT_HOLDS) {
        if (ranged && (as_object || !args_flag(a, "plot-data")))
            series_write(&o, x, &s);
        else if (as_object || !args_flag(a, "plot-data"))
            form_write(&o, &x->r[0], a, &s);
        if (!as_object && graph.used > 0)
            out_bytes(&o, graph.data, graph.used);
        put_next(&o, x, &s);
        o.failed = o.failed || graph.failed;
        print_warnings(x);
        status = deliver(&o, status);
    } else {
        complain(a->command->name, &f);
        status = drawn;
    }
    out_clear(&graph);
    out_clear(&o);
    return status;
}

/* What is wrong at one point of a range is said of that point. */
static void name_point(const args *a, fault *f)
{
    char what[sizeof f->what];
    if (a->range == NULL || a->point == NULL)
        return;
    snprintf(what, sizeof what, "%.500s (at --%s %.60s)", f->what, a->range->of->name, a->point);
    fault_set(f, f->where, "%s", what);
}

/* One that does not hold decides, then one that is open. */
static int worse(int a, int b)
{
    return a == EXIT_FAILS || b == EXIT_HOLDS ? a : b;
}

/* The question whose words were read, and the same at the other points of its range. */
static int ask(series *x, int argc, char **argv)
{
    fault f = {"", ""};
    const command *c = x->a[0].command;
    int status = EXIT_HOLDS;
    bool ok = picture_may(&x->a[0], &f) && series_may(&x->a[0], &f);
    progress_start(c->name, args_flag(&x->a[0], "quiet"));
    for (size_t i = 0; ok && i < x->count; i++) {
        args *a = &x->a[i];
        report_init(&x->r[i]);
        if (x->count > 1)
            progress_point(i, x->count);
        if (i > 0) {
            ok = query_init(a, c);
            a->at = i;
            ok = ok && args_read_argv(a, argc, argv, &f) == ARGV_OK;
        }
        x->begun = i + 1;
        int one = ok ? query_run(a, &x->r[i], &f) : EXIT_INPUT;
        ok = ok && f.what[0] == '\0';
        status = ok ? worse(status, one) : one;
        if (!ok)
            name_point(a, &f);
    }
    progress_end();
    if (ok)
        return answer(x, status);
    complain(c->name, &f);
    return x->begun > 0 ? status : EXIT_INPUT;
}

/* `first`, which was read, becomes the first of them. */
static int run_query(args *first, int argc, char **argv)
{
    series x = {.count = first->range != NULL ? first->points : 1};
    x.a = memory_zero(x.count, sizeof *x.a);
    x.r = memory_zero(x.count, sizeof *x.r);
    int status = EXIT_UNFINISHED;
    if (x.a != NULL && x.r != NULL) {
        x.a[0] = *first;
        status = ask(&x, argc, argv);
        *first = x.a[0];
    } else {
        static const fault f = {"", "out of memory"};
        complain(first->command->name, &f);
    }
    for (size_t i = 0; i < x.begun; i++) {
        report_clear(&x.r[i]);
        if (i > 0)
            args_clear(&x.a[i]);
    }
    memory_free(x.r);
    memory_free(x.a);
    return status;
}

/* A command that is no question. */
static int perform(args *a, out *o)
{
    fault f = {"", ""};
    int status = args_finish(a, &f) ? a->command->act(a, o, commands, &f) : EXIT_INPUT;
    if (f.what[0] == '\0')
        return deliver(o, status);
    complain(a->command->name, &f);
    return status;
}

static int run_command(const command *c, int argc, char **argv)
{
    args a;
    fault f = {"", "out of memory"};
    if (!query_init(&a, c))
        return complain(c->name, &f), EXIT_UNFINISHED;
    mem_context(c->name);
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
        status = c->run != NULL ? run_query(&a, argc, argv) : perform(&a, &o);
    }
    out_clear(&o);
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
