/* SPDX-License-Identifier: MIT */
/* Completions for bash, zsh and fish, from the table of commands. */
#include <string.h>

#include "cli/generate.h"

static void choice_words(out *o, const char *choices)
{
    for (; *choices != '\0'; choices++)
        out_char(o, *choices == '|' ? ' ' : *choices);
}

/* The words that the operand may be, where it is no file; false: there are none. */
static bool operand_words(out *o, const command *c)
{
    bool shells = strcmp(c->name, "completion") == 0, theorems = strcmp(c->name, "theorems") == 0;
    if (shells)
        out_text(o, "bash zsh fish");
    for (size_t i = 0; theorems && i < dp_theorem_count(); i++)
        out_format(o, "%s%s", i > 0 ? " " : "", dp_theorem_at(i)->id);
    return shells || theorems;
}

static void bash(out *o, const command *const *commands)
{
    out_text(o, "# bash completion for dpacct, made by 'dpacct completion bash'\n"
                "_dpacct()\n{\n"
                "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
                "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
                "        COMPREPLY=($(compgen -W \"--help --version");
    for (size_t i = 0; commands[i] != NULL; i++)
        out_format(o, " %s", commands[i]->name);
    out_text(o, "\" -- \"$cur\"))\n        return\n    fi\n"
                "    case \"${COMP_WORDS[1]} $prev\" in\n");
    for (size_t i = 0; commands[i] != NULL; i++)
        for (const option *p = commands[i]->options; p->of != NULL; p++)
            if (p->of->choices != NULL) {
                out_format(o, "    '%s --%s') COMPREPLY=($(compgen -W \"", commands[i]->name,
                           p->of->name);
                choice_words(o, p->of->choices);
                out_text(o, "\" -- \"$cur\")); return ;;\n");
            }
    out_text(o, "    esac\n    case \"${COMP_WORDS[1]} $cur\" in\n    *\" -\"*) ;;\n");
    for (size_t i = 0; commands[i] != NULL; i++) {
        size_t start = o->used;
        out_format(o, "    '%s '*) COMPREPLY=($(compgen -W \"", commands[i]->name);
        if (operand_words(o, commands[i]))
            out_text(o, "\" -- \"$cur\")); return ;;\n");
        else if (!o->failed)
            o->used = start;
    }
    out_text(o, "    *) COMPREPLY=($(compgen -f -- \"$cur\")); return ;;\n    esac\n"
                "    case \"${COMP_WORDS[1]}\" in\n");
    for (size_t i = 0; commands[i] != NULL; i++) {
        out_format(o, "    %s) COMPREPLY=($(compgen -W \"", commands[i]->name);
        for (const option *p = commands[i]->options; p->of != NULL; p++)
            out_format(o, "%s--%s", p == commands[i]->options ? "" : " ", p->of->name);
        out_text(o, "\" -- \"$cur\")) ;;\n");
    }
    out_text(o, "    esac\n}\ncomplete -F _dpacct dpacct\n");
}

/* A description inside single quotes and brackets: both must not occur in it. */
static void zsh_text(out *o, const char *text)
{
    for (; *text != '\0'; text++)
        if (strchr("'[]:", *text) == NULL)
            out_char(o, *text);
}

static void zsh_option(out *o, const option *p)
{
    out_format(o, "            '%s--%s%s[", p->repeats ? "*" : "", p->of->name,
               p->metavar != NULL ? "=" : "");
    zsh_text(o, p->of->brief);
    out_char(o, ']');
    if (p->metavar != NULL) {
        out_format(o, ":%s:", p->metavar);
        if (p->of->choices != NULL) {
            out_char(o, '(');
            choice_words(o, p->of->choices);
            out_char(o, ')');
        }
    }
    out_text(o, "' \\\n");
}

static void zsh(out *o, const command *const *commands)
{
    out_text(o, "#compdef dpacct\n# zsh completion for dpacct, made by 'dpacct completion zsh'\n"
                "_dpacct() {\n    local -a commands\n    commands=(\n");
    for (size_t i = 0; commands[i] != NULL; i++) {
        out_format(o, "        '%s:", commands[i]->name);
        zsh_text(o, commands[i]->brief);
        out_text(o, "'\n");
    }
    out_text(o, "    )\n    if (( CURRENT == 2 )); then\n"
                "        _describe command commands\n        return\n    fi\n"
                "    local command=${words[2]}\n    shift words\n    (( CURRENT-- ))\n"
                "    case $command in\n");
    for (size_t i = 0; commands[i] != NULL; i++) {
        out_format(o, "        %s) _arguments -s \\\n", commands[i]->name);
        for (const option *p = commands[i]->options; p->of != NULL; p++)
            zsh_option(o, p);
        out_text(o, "            '*:");
        size_t start = o->used;
        out_text(o, "word:(");
        if (operand_words(o, commands[i])) {
            out_char(o, ')');
        } else if (!o->failed) {
            o->used = start;
            out_text(o, "file:_files");
        }
        out_text(o, "' ;;\n");
    }
    out_text(o, "    esac\n}\n_dpacct \"$@\"\n");
}

static void fish_text(out *o, const char *text)
{
    for (; *text != '\0'; text++)
        if (strchr("'\\", *text) == NULL)
            out_char(o, *text);
}

static void fish(out *o, const command *const *commands)
{
    out_text(o, "# fish completion for dpacct, made by 'dpacct completion fish'\n");
    for (size_t i = 0; commands[i] != NULL; i++) {
        out_format(o, "complete -c dpacct -n __fish_use_subcommand -a %s -d '", commands[i]->name);
        fish_text(o, commands[i]->brief);
        out_text(o, "'\n");
    }
    for (size_t i = 0; commands[i] != NULL; i++) {
        size_t start = o->used;
        out_format(o, "complete -c dpacct -n '__fish_seen_subcommand_from %s' -f -a '",
                   commands[i]->name);
        if (operand_words(o, commands[i]))
            out_text(o, "'\n");
        else if (!o->failed)
            o->used = start;
    }
    for (size_t i = 0; commands[i] != NULL; i++)
        for (const option *p = commands[i]->options; p->of != NULL; p++) {
            out_format(o, "complete -c dpacct -n '__fish_seen_subcommand_from %s' -l %s",
                       commands[i]->name, p->of->name);
            if (p->letter != 0)
                out_format(o, " -s %c", p->letter);
            if (p->metavar != NULL)
                out_text(o, " -r");
            if (p->of->choices != NULL) {
                out_text(o, " -f -a '");
                choice_words(o, p->of->choices);
                out_char(o, '\'');
            }
            out_text(o, " -d '");
            fish_text(o, p->of->brief);
            out_text(o, "'\n");
        }
}

bool generate_completion(out *o, const char *shell, const command *const *commands)
{
    static const struct {
        const char *shell;
        void (*make)(out *o, const command *const *commands);
    } shells[] = {{"bash", bash}, {"zsh", zsh}, {"fish", fish}};
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
        if (strcmp(shells[i].shell, shell) == 0) {
            shells[i].make(o, commands);
            return true;
        }
    return false;
}
