/* SPDX-License-Identifier: MIT */
/* The command line, one word a line, the first naming the command. */
#include <stdlib.h>

#include "cli/argv.h"
#include "cli/help.h"
#include "document/commands.h"
#include "document/out.h"
#include "fuzz.h"

static void act(args *a)
{
    fault f = {"", ""};
    out o;
    out_init(&o);
    if (args_finish(a, &f)) {
        int status = a->command->act(a, &o, commands, &f);
        EXPECT((status == EXIT_INPUT) == (f.what[0] != '\0'));
    }
    out_clear(&o);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    fuzz_words w;
    fuzz_split(&w, text);
    args a;
    report r;
    fault f = {"", ""};
    EXPECT(args_init(&a, w.command, query_commands));
    report_init(&r);
    out o;
    out_init(&o);
    switch (args_read_argv(&a, w.count, w.word, &f)) {
    case ARGV_HELP:
    case ARGV_SHORT_HELP:
        help_command(&o, w.command, &(screen){SCREEN_WIDTH, 0, true}, true);
        EXPECT(!o.failed && o.used > 0);
        break;
    case ARGV_FAULT:
        EXPECT(f.what[0] != '\0');
        break;
    default:
        if (w.command->run == NULL && !w.command->batchable && w.command->operand != NULL)
            act(&a);
        else if (w.command->run != NULL && !fuzz_reads_file(&a))
            fuzz_query(&a, &r);
    }
    out_clear(&o);
    report_clear(&r);
    args_clear(&a);
    free(text);
    return 0;
}
