/* SPDX-License-Identifier: MIT */
/* The command completion: what makes a shell complete commands, options, values and theorems. */
#include "cli/generate.h"
#include "cli/program.h"
#include "document/answer.h"

static int completion(args *a, out *o, const command *const *all, fault *f)
{
    if (a->operand == NULL) {
        fault_set(f, "SHELL", "is missing; give bash, zsh or fish");
        return EXIT_INPUT;
    }
    if (generate_completion(o, a->operand, all))
        return EXIT_HOLDS;
    fault_set(f, "SHELL", "'%.60s' is none of bash, zsh and fish", a->operand);
    return EXIT_INPUT;
}

static const option options[] = {{&output_help, .letter = 'h', .role = ROLE_CONTROL}, {NULL}};

static const example examples[] = {
    {"completion bash", "for the file ~/.local/share/bash-completion/completions/dpacct"},
    {"completion zsh", "for a file _dpacct in a folder of fpath"},
    {"completion fish", "for the file ~/.config/fish/completions/dpacct.fish"},
    {NULL, NULL}};

const command cmd_completion = {
    .name = "completion",
    .brief = "print the completions for bash, zsh or fish",
    .manual = "What a shell reads to complete commands, options, their values and the names of "
              "theorems. An installation has put it where shells look for it.",
    .options = options,
    .examples = examples,
    .operand = "SHELL",
    .act = completion};
