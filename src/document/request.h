/* SPDX-License-Identifier: MIT */
#ifndef DOCUMENT_REQUEST_H
#define DOCUMENT_REQUEST_H

#include "core/value.h"
#include "document/item_types.h"
#include "document/json_read.h"
#include "document/table.h"
#include "dpacct/account.h"
#include "dpacct/dpacct.h"
#include "num/date.h"

/* What went wrong in the input: `where` is the option or field as the user wrote it, or "". Both
 * can be shown as they are: see escape_text. */
typedef struct fault {
    char where[256];
    char what[640];
} fault;

/* An item of the mechanism list as it was given; texts may be NULL. */
typedef struct item {
    const char *name, *epsilon, *delta, *times;
    json source; /* of a mechanism that has the fields of a command */
    json entry;  /* the object that it was read from, with what was remarked there; or none */
    char day[DATE_ROOM]; /* of its date, or "" */
    size_t line;         /* of the table that it stands in, or 0 */
    bool added;          /* it is asked about, and not in the list */
    bool left_out;       /* it is of another day than was asked about */
    bool listed;         /* it is an entry of the list, from which --from and --to choose */
} item;

struct mechanism_type;

/* Where a name or key was found before, to look there first. */
#define NAMES_KNOWN 128 /* a power of 2 */
#define NAMES_TRIED 4   /* places in a row */
#define NO_VALUE 255
#define KEYS_KNOWN 16
#define KEY_BYTES 24
typedef struct known_part {
    char text[KEY_BYTES]; /* or "" */
    dp_number number;
} known_part;
enum { RULED_UNKNOWN, RULED_NO, RULED_YES };
typedef struct known_names {
    struct {
        const char *name;    /* the address that was asked for */
        unsigned char place; /* of its value, or NO_VALUE */
    } value[NAMES_KNOWN];
    unsigned char ruled[NAMES_KNOWN]; /* of an option by its place: is it in a rule? */
    known_part part[3];               /* epsilon, delta and times of an item */
    struct {
        char key[KEY_BYTES];
        const option *of;
    } field[KEYS_KNOWN]; /* the keys of an object, in their order */
} known_names;

typedef struct args {
    const command *command;
    const command *const *queries; /* those that answer a question: some describe a mechanism */
    value *values;                 /* one for each option of the command, in order */
    size_t count;
    known_names *known;
    dp_composition composition, added, left_out;
    bool adding;  /* what is read now is added */
    bool leaving; /* what is read now is left out */
    bool swapped; /* a text has a small epsilon beside a large delta */
    item *items;
    size_t item_count, item_room;
    char *const *word; /* of the command line, where there is one */
    int words;
    /* A:B:N on the command line, given for one option: the question is asked at each point. */
    const option *range;
    size_t at, points;    /* which one this is, and how many there are */
    char *point;          /* as the option was given; owned */
    const char *operand;  /* path of the ledger, "-" for standard input */
    json_document ledger; /* owns the texts of ledger items */
    json remarks;         /* the object of the question or ledger, with what was remarked there */
    size_t *lines;        /* of a ledger that was a table: where each entry begins; owned */
    double began;         /* on limits_clock */
    bool late;            /* the time was over before all was read */
    /* Of the program, where there is one: shows that long work goes on, bounds its memory. */
    void (*progress)(void *context, double seconds);
    void (*narrowed)(void *context, const char *what, double lower, double upper);
    void (*limit_memory)(size_t bytes);
    size_t threads; /* unless --threads says otherwise; 0: one */
    char **owned;   /* texts split from -m arguments */
    size_t owned_count, owned_room;
    json_document **typed; /* of TYPE:name=value texts */
    size_t typed_count;
} args;

bool args_init(args *a, const command *c, const command *const *queries);
void args_clear(args *a);
/* For the next question after this one: of the same command texts that are the same again are not
 * read again. args_again begins it, and clears what another command left; `a` may be all zero. */
void args_rest(args *a);
bool args_again(args *a, const command *c, const command *const *queries);

/* option_find, for the key at that place in its object. */
const option *args_option(args *a, size_t place, const char *key);

/* Whatever asks by name is answered by its address the next time: the name is never another. */
const value *args_value(const args *a, const char *name);
/* The same of a name that does not last. */
const value *args_value_named(const args *a, const char *name);
bool args_flag(const args *a, const char *name);
/* The number of the option, or NULL when it is absent. */
const dp_number *args_number(const args *a, const char *name);
const dp_number *args_second(const args *a, const char *name);
/* Chosen word of a KIND_CHOICE option, never NULL. */
bool args_is(const args *a, const char *name, const char *choice);

/* Seconds left of --max-time, whose preset is in force before it is read. */
double args_time_left(const args *a);
/* False with the fault filled in when there are none. */
bool args_in_time(args *a, fault *f);

/* --max-memory, where it is given, holds from now on: for what is read too. */
void args_limit_memory(const args *a);

/* The numbers of a KIND_LIST option; *count is 0 when it is absent. */
const mpq_t *args_list(const args *a, const char *name, size_t *count);
/* The same where logarithms are in the domain. */
const dp_number *args_numbers(const args *a, const char *name, size_t *count);

/* The numbers of a KIND_TABLE_FILE option, and how many a line has. */
const mpq_t *args_table(const args *a, const char *name, size_t *count, size_t *columns);

/* Takes the option's preset out of force. */
void args_forget(args *a, const char *name);

/* Forgets what the ledger gave for an option. */
void args_forget_weak(args *a, const char *name);

/* Gives the value of one option to another that was not given, and forgets it. */
void args_move(args *a, const char *from, const char *to);

/* Keeps a text until the end. */
bool args_own(args *a, char *text);
/* Room for one more; NULL: there is none. */
void *list_grow(void *list, size_t count, size_t *room, size_t size);

/* Sets an option, which is no list of mechanisms, from text: checks kind and domain. False with the
 * fault filled in. */
bool args_set_value(args *a, const option *o, const char *text, fault *f);
/* The same for options that were not given: ledger fields, which the command line overrides. */
bool args_set_weak(args *a, const option *o, const char *text, fault *f);
/* After all options: required ones, rules, presets. */
bool args_complete(args *a, fault *f);

/* ---- values from the fields of an object: request_fields.c ---- */

/* The numbers of an array, separated by commas, to be freed; NULL with *other: it holds something
 * else, without: no memory. With `commas` its texts may hold several. */
char *list_text(json array, bool commas, bool *other);

/* Sets a list option from a JSON array. */
bool args_set_array(args *a, const option *o, json array, bool weak, fault *f);

/* Sets a table option from a JSON array of arrays. */
bool args_set_table(args *a, const option *o, json lines, bool weak, fault *f);

/* Sets an option, which is no list of mechanisms, from its field. */
bool args_set_field(args *a, const option *o, json field, bool weak, fault *f);

/* ---- an entry of a list as it was given: request_entry.c ---- */

/* What faults call the item: its place in the list, or the line it stands in. */
#define ITEM_WHERE 80
void item_where(char where[ITEM_WHERE], const item *it, size_t index);

/* The fault of an entry as a whole. False. */
bool item_fail(const item *it, size_t index, const char *what, fault *f);

/* The fault of a field that mechanisms of that type do not have. False. */
bool item_unknown_field(const item_type *type, const char *key, const char *where, fault *f);

/* Reads the number of a mechanism that the parameter is. */
bool args_part(dp_number *x, const char *where, const parameter *of, const char *text, fault *f);

/* A date must be one; what else is remarked is the user's. */
bool item_check_remark(json field, const char *where, fault *f);

/* The item that an object of a ledger describes; the line is that of a table, or 0. */
bool item_read(item *it, const command *const *queries, json object, size_t line, size_t index,
               fault *f);

/* The lists of an entry about groups of disjoint data: false with the fault where it has none. */
bool cells_find(json *cells, const item *it, const char *where, fault *f);
/* One mechanism of a list. */
bool cells_read(item *it, const command *const *queries, json object, size_t index, fault *f);

/* ---- mechanisms of a type: request_mechanisms.c ---- */

/* The mechanism that the item's source describes, complete; NULL with the fault filled in. */
dp_mechanism *mechanism_read(const struct mechanism_type *type, const item *it, size_t index,
                             fault *f);
/* Adds it to the list. */
bool mechanism_enter(dp_composition *to, const struct mechanism_type *type, const item *it,
                     size_t index, fault *f);
/* TYPE:name=value,...[xTIMES] as the object that a ledger would hold; NULL with the fault. */
json_document *args_typed_text(args *a, const char *text, fault *f);

/* ---- one entry enters a list of mechanisms: request_items.c ---- */

/* Reads the fields of a mechanism that a command describes into `own`, to be cleared also after a
 * fault. */
bool args_read_described(args *own, const item *it, size_t index, fault *f);
/* A pair of epsilon and delta. */
bool item_enter_pair(args *a, dp_composition *to, const item *it, const char *where, fault *f);
/* Whatever it is, but groups of disjoint data; faults call it by that number. */
bool item_enter_one(args *a, dp_composition *to, const item *it, size_t index, fault *f);

/* ---- groups of disjoint data: request_cells.c ---- */

bool cells_enter(args *a, dp_composition *to, const item *it, size_t index, fault *f);

/* ---- the list of a question: request_list.c ---- */

/* A mechanism of the list; NULL delta means 0, NULL times means 1. */
bool args_add_item(args *a, item it, fault *f);
bool args_add_item_text(args *a, const char *text, fault *f);
/* The item that an object of a ledger describes. */
bool args_add_object(args *a, json object, size_t index, fault *f);
/* Is what the option names asked about, rather than part of the list? */
bool option_adds(const option *o);
bool args_any_added(const args *a);
/* Is the item part of the list that is asked about? */
bool item_counts(const item *it);
/* Enters the item, complete, into a list of its own. */
bool args_enter_alone(args *a, dp_composition *to, size_t index, fault *f);

/* Sets any option from text. */
bool args_set(args *a, const option *o, const char *text, fault *f);
/* After all options: args_complete, and the list with what is described in it, for its adjacency is
 * known then. */
bool args_finish(args *a, fault *f);

/* ---- texts of items in other signs: item_text.c ---- */

/* False with the fault: EPS[,DELTA][xTIMES] in other signs, or what a comma does not mean. */
bool item_text_check(const char *text, const command *const *queries, const char *where, fault *f);
/* Would the text be an item of that form, once blanks are gone? */
bool item_text_reads(const char *text);

/* ---- questions and ledgers: request_object.c ---- */

/* Reads the fields of a batch line; "command" and "id" are skipped. */
bool args_read_object(args *a, json object, fault *f);

/* Reads a ledger document: the mechanism list and its defaults. Takes ownership of `document`. */
bool args_read_ledger(args *a, json_document document, fault *f);

/* ---- faults ---- */

/* "'5%' is a percentage; write 0.05": the part must be there. */
void value_says(char *to, size_t size, const value_fault *v);

/* What is wrong with a value; long literals are named, not repeated. False. */
bool fault_value(fault *f, const char *where, const value_fault *v);

static inline void fault_none(fault *f)
{
    f->where[0] = f->what[0] = '\0';
}

void fault_set(fault *f, const char *where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
