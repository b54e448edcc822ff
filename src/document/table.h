/* SPDX-License-Identifier: MIT */
/* One table declares each command and option. The argument parser, the JSON readers, --help, the
 * man page, the shell completions and the JSON echo of the input all walk it. */
#ifndef DOCUMENT_TABLE_H
#define DOCUMENT_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/parameter.h"
#include "dpacct/dpacct.h"

struct args;
struct report;
struct fault;
struct out;

typedef enum role {
    ROLE_PARAMETER = 0, /* part of the question: echoed in the JSON input object         */
    ROLE_RELATION,      /* --adjacency: part of the question, echoed beside the input    */
    ROLE_CHECK,         /* --max-epsilon, --max-delta: echoed in the JSON check object   */
    ROLE_CONTROL        /* how to answer: not echoed                                     */
} role;

typedef struct option {
    union {
        parameter of;
        struct { /* its members, so that they can be filled in place */
            const char *name, *key, *field, *unit, *preset, *choices, *brief, *manual;
            const domain *domain;
            kind kind;
            bool required;
        };
    };
    const char *metavar; /* NULL for flags           */
    role role;
    char letter; /* 0: no short form         */
    bool repeats;
} option;

typedef enum rule_kind { RULE_EXACTLY_ONE, RULE_AT_MOST_ONE } rule_kind;

/* `options` lists long names separated by '|'. */
typedef struct rule {
    rule_kind kind;
    const char *options;
} rule;

typedef struct example {
    const char *line; /* without "dpacct " */
    const char *what;
} example;

typedef struct command {
    const char *name;
    const char *brief;
    const char *manual;      /* paragraphs separated by blank lines                        */
    const option *options;   /* ends with a NULL name                                      */
    const rule *rules;       /* ends with NULL options; NULL: none                         */
    const example *examples; /* ends with a NULL line                                    */
    const char *operand;     /* "[FILE]", or NULL when none is taken                     */
    bool takes_items;        /* a list of mechanisms: -m and ledgers                     */
    bool batchable;
    /* A query fills the report; any other command writes its own document or streams. */
    int (*run)(struct args *a, struct report *r);
    int (*act)(struct args *a, struct out *o, struct fault *f);
    /* Adds what `own` describes, used `times` times, to the list: a ledger may hold it. NULL: not.
     */
    dp_status (*describe)(dp_composition *list, struct args *own, const mpz_t times, size_t digits,
                          dp_error *err);
} command;

/* The commands that answer a question, which a line of a batch may name; ends with NULL. A program
 * has more commands in a list of its own. */
extern const command *const query_commands[];

const command *command_in(const command *const *list, const char *name);
const option *option_find(const command *c, const char *name); /* long name, dashes or underscores,
                                                                  JSON key or letter */
/* The nearest name within a small edit distance, or NULL. */
const char *command_near(const command *const *list, const char *name);
const char *option_nearest(const command *c, const char *name);
const char *theorem_nearest(const char *id);

const char *option_key(const option *o);

/* What a number of the option must be: the table that the library refuses by. NULL where there is
 * no number. */
const domain *option_domain(const option *o);

/* Does the option describe a mechanism, rather than ask something about it? */
bool option_describes(const option *o);

/* Options that every command takes; the check options of commands that yield a guarantee. */
#define OPTION_DIGITS                                                                              \
    {                                                                                              \
        .name = "digits", .kind = KIND_DIGITS, .role = ROLE_CONTROL, .metavar = "D",               \
        .preset = "10", .brief = "significant digits to prove, 1 to 10000",                        \
        .manual =                                                                                  \
            "The working precision rises until the lower and the upper end agree to D digits, "    \
            "the figure is exact, or a stated limit is met."                                       \
    }
#define OPTION_ALL                                                                                 \
    {                                                                                              \
        .name = "all", .kind = KIND_FLAG, .role = ROLE_CONTROL,                                    \
        .brief = "every bound that applies, with its verdict",                                     \
        .manual =                                                                                  \
            "Rows are listed strongest first. A row marked unsound is a published statement "      \
            "that fails; it never decides a guarantee or a check."                                 \
    }
#define OPTIONS_OUTPUT                                                                             \
    {.name = "format",                                                                             \
     .kind = KIND_CHOICE,                                                                          \
     .role = ROLE_CONTROL,                                                                         \
     .metavar = "FORM",                                                                            \
     .preset = "text",                                                                             \
     .choices = "text|json|csv",                                                                   \
     .brief = "output form",                                                                       \
     .manual = "Text for people, one JSON object for programs, or CSV with one line per row."},    \
        {.name = "json",                                                                           \
         .kind = KIND_FLAG,                                                                        \
         .role = ROLE_CONTROL,                                                                     \
         .brief = "short for --format json",                                                       \
         .manual = "The object follows the published JSON Schema dpacct/1."},                      \
        {.name = "quiet",                                                                          \
         .letter = 'q',                                                                            \
         .kind = KIND_FLAG,                                                                        \
         .role = ROLE_CONTROL,                                                                     \
         .brief = "print nothing, only exit",                                                      \
         .manual = "The exit status is the answer to a check; without one it is an error. Errors " \
                   "are still reported."},                                                         \
    {                                                                                              \
        .name = "help", .letter = 'h', .kind = KIND_FLAG, .role = ROLE_CONTROL,                    \
        .brief = "show this help", .manual = "Shows the usage of the command and exits."           \
    }
#define OPTIONS_LIMITS                                                                             \
    {.name = "max-time",                                                                           \
     .key = "max_time",                                                                            \
     .kind = KIND_POSITIVE,                                                                        \
     .role = ROLE_CONTROL,                                                                         \
     .metavar = "SECONDS",                                                                         \
     .preset = "20",                                                                               \
     .brief = "seconds of processor time to stop refining after",                                  \
     .manual =                                                                                     \
         "Of this process, the reading of a ledger included: a busy machine changes no answer. "   \
         "The enclosure found by then is shown, with a warning; a decision not made by then "      \
         "ends with status 3."},                                                                   \
    {                                                                                              \
        .name = "max-memory", .key = "max_memory", .kind = KIND_COUNT, .role = ROLE_CONTROL,       \
        .metavar = "BYTES", .preset = "1e9", .brief = "memory for numbers, in bytes",              \
        .manual = "Work that needs more ends with status 3 and a message."                         \
    }
#define OPTIONS_CHECK                                                                              \
    {.name = "max-epsilon",                                                                        \
     .key = "max_epsilon",                                                                         \
     .kind = KIND_LOSS,                                                                            \
     .role = ROLE_CHECK,                                                                           \
     .metavar = "E",                                                                               \
     .brief = "check: does (E, D)-DP hold? exit 1 when not",                                       \
     .manual = "Decided rigorously by the strongest sound result, also when a threshold equals "   \
               "the exact value. A missing --max-delta means the target delta, or 0."},            \
    {                                                                                              \
        .name = "max-delta", .key = "max_delta", .kind = KIND_PROBABILITY, .role = ROLE_CHECK,     \
        .metavar = "D", .brief = "check: does (E, D)-DP hold? exit 1 when not",                    \
        .manual = "See --max-epsilon. A missing --max-epsilon means the target epsilon, or 0."     \
    }

#endif
