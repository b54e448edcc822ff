/* SPDX-License-Identifier: MIT */
/* How curves are told apart on a picture: what is drawn as one, styles, labels beside their ends.
 */
#ifndef CLI_PICTURE_PARTS_H
#define CLI_PICTURE_PARTS_H

#include "cli/picture.h"

typedef struct scale {
    double low, high; /* of what is drawn, above 0 where it is logarithmic */
    bool log;
} scale;

/* Where on the axis, from 0 to 1. */
double scale_part(const scale *s, double x);

void picture_number(out *o, double x);
bool picture_is_unsound(const curve *c);

/* One curve also for those that nobody could tell apart: a line's width, or in a terminal a half
 * line of text. What decides is the one drawn. */
void picture_merge_near(picture *p, const scale *y, bool dumb);

/* The rest of an element of plot, after its columns: "with lines" and how. */
void picture_style(out *o, const picture *p, const curve *c, bool dumb);

/* Of a bar. */
void picture_bar_style(out *o, const curve *c);

/* Labels beside the ends of the curves, a line from one to the other, those that are drawn as one
 * below one another. How many columns the longest takes. */
size_t picture_labels(out *o, const picture *p, const scale *y, bool dumb);

#endif
