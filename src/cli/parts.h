/* SPDX-License-Identifier: MIT */
/* The lines that batch --jobs has read and not answered yet, in their order: some wait, some are
 * asked in a share, of some the answers wait for those before them. The program ends where memory
 * is refused, so nothing here fails for that. */
#ifndef CLI_PARTS_H
#define CLI_PARTS_H

#include "cli/job.h"

typedef enum stage { PART_WAITS, PART_ASKED, PART_DONE } stage;

/* Lines one after the other. */
typedef struct part {
    struct part *next;
    stage stage;
    char *text;                  /* while it waits, or where it is too long for a share */
    size_t bytes, number, place; /* of the text; of its first line; of its share, or NOWHERE */
    bool too_long;               /* it is one line, without text */
    size_t after, number_after;  /* what is not answered yet, of one that is asked */
    size_t written, ready;       /* of the answers that lie in the share */
    out more;                    /* answers behind those */
} part;

typedef struct parts {
    part *first, *last;
    share *shares;
    part **of;     /* the part that each share is about; NULL: it is free */
    size_t places; /* as many as there are of these */
    size_t jobs, count, asked;
    bool quiet;
    int worst;

    /* what is read and not cut yet: whole lines up to `whole` */
    char *block;
    size_t at, whole, end, number;
    line part; /* a line that is longer than the block, without its end so far */
    bool any, ended;

    size_t waiting; /* bytes of texts that wait, but for the block */
    size_t held;    /* of answers that lie in no share */
} parts;

void parts_init(parts *x, share *shares, size_t places, size_t jobs, bool quiet);
void parts_clear(parts *x);

bool parts_wants_input(const parts *x);
line_outcome parts_refill(parts *x);

/* The place of a share that is to be answered next, or NOWHERE: there is none. */
size_t parts_next(parts *x);

/* Is the share to be answered, and has no job taken it? */
bool parts_is_free(const parts *x, size_t place);

/* Bytes of all texts that have no answer, as far as they are cut. */
size_t parts_open(const parts *x);
bool parts_are_done(const parts *x);

/* Takes what a job says of its share; the answers that come by its channel are in *sent. */
void parts_answered(parts *x, const reply *r, const out *sent);

/* The line that ended a job is answered, if one is asked, and the others of its share wait again.
 */
void parts_lost(parts *x, size_t which, job_slot *slot);

/* Writes all answers before which none is missing; false, with o->closed, as out_write. */
bool parts_write(parts *x, out *o);

#endif
