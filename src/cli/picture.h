/* SPDX-License-Identifier: MIT */
/* What of an answer can be drawn: curves over one axis, or one bar for each bound. */
#ifndef CLI_PICTURE_H
#define CLI_PICTURE_H

#include "cli/series.h"

#define PICTURE_CURVES 24

typedef struct spot {
    char *x, *y; /* as they are printed; y at its safe end; owned */
    double at, to;
    size_t place; /* along the axis */
} spot;

typedef struct curve {
    const dp_theorem *theorem;
    bool decides;
    size_t head; /* the first of those that are equal, which is drawn for all of them */
    size_t count;
    spot *spot;
} curve;

typedef struct picture {
    const char *x, *y; /* what the axes are */
    const char *unit;  /* of the first, or NULL */
    bool bars;         /* each curve has one spot, and x is its place */
    bool votes;        /* the axis counts votes */
    size_t count, spots;
    curve curve[PICTURE_CURVES];
} picture;

/* The answers, or the only one. False with the fault: there is nothing to draw. */
bool picture_of(picture *p, const series *x, fault *f);
void picture_clear(picture *p);

/* The same figures at the same places, as they are printed. */
bool curve_equal(const curve *a, const curve *b);

/* The columns that are drawn. */
void picture_data(out *o, const picture *p);

/* Is FILE one that can be drawn? False with the fault. */
bool picture_may(const args *a, fault *f);

/* What gnuplot is to do: the form by the name of the file, "-" for a terminal of that width. */
void picture_script(out *o, const picture *p, const char *file, size_t width);

/* Draws it into the file, or for "-" into `o`. NULL, or what went wrong, in static words. */
const char *picture_draw(out *o, const picture *p, const char *file, size_t width);

#endif
