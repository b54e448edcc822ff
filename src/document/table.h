/* SPDX-License-Identifier: MIT */
/* One table declares each command and option. The argument parser, the JSON readers, --help, the
 * man page, the shell completions and the JSON echo of the input all walk it. */
#ifndef DOCUMENT_TABLE_H
#define DOCUMENT_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/parameters.h"
#include "document/near.h"
#include "document/parameters.h"
#include "dpacct/dpacct.h"

struct args;
struct report;
struct fault;
struct out;

typedef enum role {
    ROLE_PARAMETER = 0, /* part of the question                                          */
    ROLE_RELATION,      /* --adjacency: also echoed beside the input                     */
    ROLE_CHECK,         /* --max-epsilon, --max-delta: also echoed in the check          */
    ROLE_EXTENT,        /* how much of the answer: digits, rows, limits                  */
    ROLE_CONTROL        /* its form: the only ones that the JSON input object leaves out */
} role;

/* A parameter as the command line shows it. */
typedef struct option {
    const parameter *of;
    const char *metavar; /* NULL for flags                                               */
    role role;
    char letter;       /* 0: no short form                                             */
    char other_letter; /* read too, and not shown                                      */
    const char *other; /* a name that is read too, and not shown; NULL: none           */
    bool repeats;
    bool single; /* of the one mechanism that stands in place of a list                     */
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
    const option *options;   /* ends with a NULL parameter                                      */
    const rule *rules;       /* ends with NULL options; NULL: none                         */
    const example *examples; /* ends with a NULL line                                    */
    const char *operand;     /* "[FILE]", or NULL when none is taken                     */
    /* Options, "a|b", whose preset some questions take out of force: see args_forget. */
    const char *lapses;
    /* The key that names the kind of a row's first figure, which is then "value": rows of many
     * kinds. NULL: figures stand under their own names. */
    const char *kinds;
    bool takes_items; /* a list of mechanisms: -m and ledgers */
    bool needs_items; /* cannot do without one, or the one mechanism in its place */
    bool batchable;
    /* A query fills the report; any other command, which is told of all, writes its own document or
     * streams. */
    int (*run)(struct args *a, struct report *r);
    int (*act)(struct args *a, struct out *o, const struct command *const *all, struct fault *f);
    /* Adds what `own` describes, used `times` times, to the list: a ledger may hold it. NULL: not.
     */
    dp_status (*describe)(dp_composition *list, struct args *own, const mpz_t times, size_t digits,
                          dp_error *err);
} command;

/* A list of commands, which is handed down to whoever looks one up, ends with NULL. */
const command *command_in(const command *const *list, const char *name);
const option *option_find(const command *c, const char *name); /* long name, dashes or underscores,
                                                                  JSON key or letter */
/* Says which names are near, as words of the command line or as keys; false: none. */
bool command_near(char to[NEAR_ROOM], const command *const *list, const char *name);
/* Of c; what is an option of another command in the list is not taken for a misspelt one. */
bool option_near(char to[NEAR_ROOM], const command *c, const command *const *list, const char *name,
                 bool key);
bool theorem_near(char to[NEAR_ROOM], const char *id);

const char *option_key(const option *o);

/* May a ledger hold it: what is asked, and to how many digits? */
bool option_may_be_stored(const option *o);

/* Does every echo of the input hold the option? */
bool option_is_in_force(const command *c, const option *o);

/* What a number of the option must be: the table that the library refuses by. NULL where there is
 * no number. */
const domain *option_domain(const option *o);

/* Does the option describe a mechanism, rather than ask something about it? */
bool option_describes(const option *o);

/* Options that every command takes; the check options of commands that yield a guarantee. */
#define OPTION_DIGITS                                                                              \
    {                                                                                              \
        &query_digits, .metavar = "D", .role = ROLE_EXTENT                                         \
    }
#define OPTION_WIDTH                                                                               \
    {                                                                                              \
        &output_width, .metavar = "W", .role = ROLE_EXTENT                                         \
    }
#define OPTION_ALL                                                                                 \
    {                                                                                              \
        &query_all, .role = ROLE_EXTENT                                                            \
    }
#define OPTIONS_OUTPUT                                                                             \
    {&output_format, .metavar = "FORM", .role = ROLE_CONTROL},                                     \
        {&output_json, .role = ROLE_CONTROL},                                                      \
        {&output_plot, .metavar = "FILE", .role = ROLE_CONTROL},                                   \
        {&output_plot_data, .role = ROLE_CONTROL},                                                 \
        {&output_quiet, .letter = 'q', .role = ROLE_CONTROL},                                      \
    {                                                                                              \
        &output_help, .letter = 'h', .role = ROLE_CONTROL                                          \
    }
#define OPTIONS_LIMITS                                                                             \
    {&query_max_time, .metavar = "SECONDS", .role = ROLE_EXTENT},                                  \
        {&query_max_memory, .metavar = "BYTES", .role = ROLE_EXTENT},                              \
    {                                                                                              \
        &query_threads, .metavar = "N", .role = ROLE_CONTROL                                       \
    }
#define OPTIONS_SINGLE                                                                             \
    {&single_epsilon, .metavar = "E", .single = true},                                             \
        {&single_delta, .metavar = "D", .single = true},                                           \
    {                                                                                              \
        &single_times, .metavar = "T", .single = true                                              \
    }
#define OPTIONS_CHECK                                                                              \
    {&query_max_epsilon, .metavar = "E", .role = ROLE_CHECK},                                      \
    {                                                                                              \
        &query_max_delta, .metavar = "D", .role = ROLE_CHECK                                       \
    }

#endif
