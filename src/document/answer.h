/* SPDX-License-Identifier: MIT */
/* One document for every answer; text, JSON and CSV are made from it and from nothing else. */
#ifndef DOCUMENT_ANSWER_H
#define DOCUMENT_ANSWER_H

#include "document/by_entry.h"
#include "document/out.h"
#include "document/request.h"

/* Exit status, as documented. */
enum { EXIT_HOLDS = 0, EXIT_FAILS = 1, EXIT_INPUT = 2, EXIT_UNFINISHED = 3 };

/* What the budget has left, beside the answer to an addition: what is known of it. */
typedef struct remaining {
    bool has;
    size_t count;
    dp_quantity part[3]; /* spent_epsilon, spent_delta, epsilon: the largest of one pure release */
    bool nothing;        /* not even a release of epsilon 0 is within it */
    bool counted;
    dp_quantity times;     /* how often what is added fits */
    dp_figure next;        /* the decimal above that epsilon */
    dp_decision next_fits; /* DP_NO: proved not to */
} remaining;

void remaining_init(remaining *x);
void remaining_clear(remaining *x);
/* Takes the number of times out of the rows. */
void remaining_find(remaining *x, dp_result *r, const dp_compose_query *asked,
                    const dp_options *opt, const args *a);

typedef struct report {
    dp_result result;
    args asked;     /* of the last of the questions that are asked one by one */
    dp_error error; /* why there is no result */
    size_t digits;
    const char *kinds;  /* of the command, see table.h */
    char own_note[320]; /* among the notes of the result, or "" */
    remaining remaining;
    by_entry entries;
    char least[320];  /* the same, of the budget that would do */
    const char *none; /* the count that is solved for, where not even 1 fits: figures are of 1 */
    /* Of a filter: what is spent then, for the next question. */
    bool has_state;
    dp_composition state;
} report;

void report_init(report *r);
void report_clear(report *r);

/* The name under which a row shows its figure of that place. */
const char *figure_name(const report *r, const dp_row *row, size_t place);

/* A count of what fits that is 0. */
bool quantity_is_none(const dp_quantity *q);

/* Turns what the library returned into an exit status: DP_OK gives what the check says. */
int report_status(const report *r, dp_status status);

/* The fault behind an error of the library, in the user's words. */
void report_fault(const report *r, const args *a, fault *f);

/* From complete arguments to a filled report: checks the rules, asks the library. Returns the exit
 * status; when it is EXIT_INPUT or the report has no rows, `f` says why. */
int report_ask(report *r, args *a, fault *f);

/* The pair (p, p') of a vertex of a mechanism's region. */
const char *vertex_text(size_t vertex);

/* A decimal where it is one of few digits, else a fraction; malloc'd. */
char *exact_text(const mpq_t q);

/* One line, with `id` where there is one. */
void report_json(out *o, const report *r, const args *a, json id);

/* An integer, or a decimal of at most `digits` digits; malloc'd. */
char *solved_text(const dp_figure *x, size_t digits);

/* The member "input". */
void put_input(out *o, const args *a);

/* What was remarked in an object, as members of the one that is written. */
void put_remarks(out *o, json object);

/* The state of a filter, as the ledger that the next question is asked with. */
void put_state(out *o, const char *key, const report *r, const args *a);

/* "proved", "refuted" or "undecided" */
const char *claim_text(dp_decision holds);

/* The threshold as the user gave it, or exactly as it was filled in; malloc'd. */
char *threshold_text(const args *a, const char *name, const dp_number *x);

/* Figures as members of an object, as those of rows are. */
bool put_figures(out *o, const dp_quantity *q, size_t count, size_t digits);

/* The epsilon of the check, with its factor where that is not 1; malloc'd. */
char *check_epsilon_text(const args *a, const dp_check *c);

#endif
