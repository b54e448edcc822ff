/* SPDX-License-Identifier: MIT */
#include "cli/parts.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cli/write.h"
#include "num/memory.h"

/* No more is read while so many bytes have no answer; and while so many bytes or parts are answered
 * and wait for one before them, only that is asked on. */
#define MOST_OPEN ((size_t)1 << 22)
#define MOST_HELD ((size_t)1 << 24)
#define MOST_PARTS 1024

void parts_init(parts *x, share *shares, size_t places, size_t jobs, bool quiet)
{
    *x = (parts){.shares = shares, .places = places, .jobs = jobs, .quiet = quiet, .number = 1};
    x->of = memory_zero(places, sizeof *x->of);
    x->block = memory_new(BATCH_BLOCK, 1);
}

static void drop(part *p)
{
    memory_free(p->text);
    out_clear(&p->more);
    memory_free(p);
}

void parts_clear(parts *x)
{
    for (part *p = x->first; p != NULL; p = x->first) {
        x->first = p->next;
        drop(p);
    }
    memory_free(x->part.text);
    memory_free(x->block);
    memory_free(x->of);
}

/* A new part behind that one, or at the end. */
static part *add(parts *x, part *before, stage s)
{
    part *p = memory_zero(1, sizeof *p);
    x->count++;
    if (before == NULL)
        before = x->last;
    p->stage = s;
    p->place = NOWHERE;
    p->next = before != NULL ? before->next : NULL;
    *(before != NULL ? &before->next : &x->first) = p;
    if (p->next == NULL)
        x->last = p;
    return p;
}

/* The same with a copy of a text, which waits; nothing where there is none. Returns what stands
 * last. */
static part *add_text(parts *x, part *before, const char *text, size_t bytes, size_t number)
{
    if (bytes == 0)
        return before;
    part *p = add(x, before, PART_WAITS);
    p->text = memory_text(text, bytes);
    p->bytes = bytes;
    p->number = number;
    x->waiting += bytes;
    return p;
}

/* ---- input ---- */

/* As much as a share may have, of what waits: some for each job and the next time. */
static size_t aim(const parts *x, size_t waits)
{
    size_t bytes = waits / (2 * x->jobs);
    return bytes < SHARE_BYTES ? bytes : SHARE_BYTES;
}

bool parts_wants_input(const parts *x)
{
    return !x->ended && x->whole - x->at < BATCH_BLOCK / 2 && x->end - x->at < BATCH_BLOCK &&
           x->waiting < BATCH_BLOCK && parts_open(x) < MOST_OPEN;
}

/* A line that fills the block, or goes on, is taken out of it. */
static void take_long(parts *x)
{
    const char *newline = memchr(x->block, '\n', x->end);
    size_t n = newline != NULL ? (size_t)(newline - x->block) : x->end;
    x->any = newline == NULL && !x->ended;
    x->at = n + (newline != NULL);
    line_append(&x->part, x->block, n);
    if (x->any)
        return;
    part *p = add(x, NULL, PART_WAITS);
    p->number = x->number++;
    p->too_long = x->part.too_long;
    if (!p->too_long) {
        p->text = x->part.text;
        p->bytes = x->part.length;
        x->waiting += p->bytes;
        x->part.text = NULL;
    }
    memory_free(x->part.text);
    x->part = (line){0};
}

static size_t behind_last_newline(const parts *x)
{
    size_t at = x->end;
    while (at > x->at && x->block[at - 1] != '\n')
        at--;
    return at;
}

line_outcome parts_refill(parts *x)
{
    memmove(x->block, x->block + x->at, x->end - x->at);
    x->end -= x->at;
    x->whole -= x->at;
    x->at = 0;
    ssize_t n = read(STDIN_FILENO, x->block + x->end, BATCH_BLOCK - x->end);
    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return LINE_READ;
    x->ended = n <= 0;
    x->end += n > 0 ? (size_t)n : 0;
    if (n < 0) { /* the part of a line is no line */
        x->any = false;
        x->end = x->whole;
    }
    bool is_long = x->any || (x->end == BATCH_BLOCK && memchr(x->block, '\n', x->end) == NULL);
    if (is_long)
        take_long(x);
    x->whole = x->ended ? x->end : behind_last_newline(x);
    if (x->any)
        x->end = x->at = x->whole = 0;
    return n < 0 ? LINE_ERROR : LINE_READ;
}

/* The end of the lines that the first `bytes` of a text reach, at least of one. */
static size_t lines_end(const char *text, size_t room, size_t bytes)
{
    const char *newline = bytes < room ? memchr(text + bytes, '\n', room - bytes) : NULL;
    return newline != NULL ? (size_t)(newline - text) + 1 : room;
}

static size_t count_lines(const char *text, size_t bytes)
{
    size_t count = 0;
    for (const char *end = text + bytes, *at = text;
         at < end && (at = memchr(at, '\n', (size_t)(end - at))) != NULL; at++)
        count++;
    return count;
}

/* Of the block as much as a share, which waits; NULL where none is left. */
static part *cut(parts *x)
{
    size_t room = x->whole - x->at;
    const char *text = x->block + x->at;
    if (room == 0)
        return NULL;
    size_t bytes = lines_end(text, room, aim(x, room)), number = x->number;
    x->at += bytes;
    x->number += count_lines(text, bytes);
    return add_text(x, x->last, text, bytes, number);
}

/* ---- shares ---- */

/* The answers of the part wait elsewhere; its share is free. */
static void hold(parts *x, part *p)
{
    out whole;
    out_init(&whole);
    out_bytes(&whole, x->shares[p->place].answers + p->written, p->ready - p->written);
    out_bytes(&whole, p->more.data, p->more.used);
    x->held += p->ready - p->written;
    out_clear(&p->more);
    p->more = whole;
    p->written = p->ready = 0;
    x->of[p->place] = NULL;
    p->place = NOWHERE;
}

/* A share that is free, if need be of answers that are to be written last. */
static size_t free_place(parts *x)
{
    part *done = NULL;
    for (size_t i = 0; i < x->places; i++)
        if (x->of[i] == NULL)
            return i;
    for (part *p = x->first; p != NULL; p = p->next)
        if (p->stage == PART_DONE && p->place != NOWHERE)
            done = p;
    size_t place = done->place; /* there is one: not so many are asked */
    hold(x, done);
    return place;
}

/* What is more than a share stays behind. */
static void split(parts *x, part *p)
{
    if (p->bytes > BATCH_BLOCK)
        return;
    size_t bytes = lines_end(p->text, p->bytes, aim(x, x->waiting + x->whole - x->at));
    add_text(x, p, p->text + bytes, p->bytes - bytes, p->number + count_lines(p->text, bytes));
    x->waiting -= p->bytes - bytes;
    p->bytes = bytes;
}

static void put_in(parts *x, part *p, size_t place)
{
    share *s = &x->shares[place];
    s->number = p->number;
    s->bytes = p->bytes;
    s->too_long = p->too_long;
    s->sent = p->bytes > sizeof s->text;
    if (!s->sent && !p->too_long) {
        memcpy(s->text, p->text, p->bytes);
        memory_free(p->text);
        p->text = NULL;
    }
    if (p->too_long) {
        s->bytes = 1;
        s->text[0] = '\n';
    }
    atomic_store(&s->taken, NOWHERE);
    x->waiting -= p->bytes;
    x->of[place] = p;
    x->asked++;
    p->place = place;
    p->stage = PART_ASKED;
    p->after = 0;
    p->number_after = p->number;
}

size_t parts_next(parts *x)
{
    part *p = x->first;
    while (p != NULL && p->stage != PART_WAITS)
        p = p->next;
    bool held = x->held > MOST_HELD || x->count > MOST_PARTS;
    if (held && p != x->first)
        return NOWHERE;
    if (p == NULL && (p = cut(x)) == NULL)
        return NOWHERE;
    size_t place = free_place(x);
    split(x, p);
    put_in(x, p, place);
    return place;
}

size_t parts_open(const parts *x)
{
    size_t bytes = x->waiting + x->whole - x->at;
    for (size_t i = 0; i < x->places; i++)
        bytes += x->of[i] != NULL && x->of[i]->stage == PART_ASKED ? x->of[i]->bytes : 0;
    return bytes;
}

bool parts_are_done(const parts *x)
{
    return x->ended && x->at == x->whole && x->first == NULL;
}

/* ---- answers ---- */

/* No more of it is asked. */
static void end(parts *x, part *p)
{
    memory_free(p->text);
    p->text = NULL;
    p->stage = PART_DONE;
    x->asked--;
}

void parts_answered(parts *x, const reply *r, const out *sent)
{
    part *p = x->of[r->place];
    share *s = &x->shares[r->place];
    if (!r->sent && p->more.used == 0) {
        p->ready = r->from + r->bytes;
    } else {
        const char *from = r->sent ? sent->data : s->answers + r->from;
        out_bytes(&p->more, from, r->bytes);
        x->held += r->bytes;
    }
    p->after = r->after;
    p->number_after = r->number;
    x->worst = r->worst > x->worst ? r->worst : x->worst;
    if (!r->last)
        return;
    if (r->after < s->bytes)
        add_text(x, p, s->text + r->after, s->bytes - r->after, r->number);
    end(x, p);
}

static bool is_taken(const parts *x, size_t place, size_t by)
{
    return x->of[place] != NULL && x->of[place]->stage == PART_ASKED &&
           atomic_load(&x->shares[place].taken) == by;
}

bool parts_is_free(const parts *x, size_t place)
{
    return is_taken(x, place, NOWHERE);
}

/* The part that a job answers, or NULL. */
static part *asked_of(const parts *x, size_t which)
{
    for (size_t i = 0; i < x->places; i++)
        if (is_taken(x, i, which))
            return x->of[i];
    return NULL;
}

/* The line that ended a job, and what follows it in the text of its share. */
static void add_lost(parts *x, part *before, job_slot *slot, const char *text, size_t bytes)
{
    part *error = add(x, before, PART_DONE);
    line_lost(&error->more, &slot->q);
    if (x->quiet)
        error->more.used = 0;
    x->held += error->more.used;
    x->worst = EXIT_UNFINISHED;
    add_text(x, error, text + slot->after, bytes - slot->after, slot->q.number + 1);
}

void parts_lost(parts *x, size_t which, job_slot *slot)
{
    part *p = asked_of(x, which);
    if (p == NULL)
        return;
    share *s = &x->shares[p->place];
    const char *text = s->sent ? p->text : s->text;
    size_t to = slot->q.asked ? slot->at : s->bytes; /* may be answered, and nobody was told */
    part *before = add_text(x, p, text + p->after, to - p->after, p->number_after);
    before->too_long = p->too_long;
    if (slot->q.asked)
        add_lost(x, before, slot, text, s->bytes);
    end(x, p);
}

static bool put_out(parts *x, part *p)
{
    bool ok = true;
    if (p->place != NOWHERE)
        ok = write_all(STDOUT_FILENO, x->shares[p->place].answers + p->written,
                       p->ready - p->written);
    p->written = p->ready;
    ok = ok && write_all(STDOUT_FILENO, p->more.data, p->more.used);
    x->held -= p->more.used;
    out_clear(&p->more);
    return ok;
}

bool parts_write(parts *x, out *o)
{
    for (part *p = x->first; p != NULL; p = x->first) {
        if (!put_out(x, p)) {
            o->closed = errno == EPIPE;
            return false;
        }
        if (p->stage != PART_DONE)
            return true;
        if (p->place != NOWHERE)
            x->of[p->place] = NULL;
        x->first = p->next;
        x->last = x->first != NULL ? x->last : NULL;
        x->count--;
        drop(p);
    }
    return true;
}
