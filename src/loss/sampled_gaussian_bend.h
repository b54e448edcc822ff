/* SPDX-License-Identifier: MIT */
/* Parts of the profile of few uses of the sampled Gaussian on a path that bends to the right
 * (sampled_gaussian_few.c), its moments by lines Im y = alpha. With A = 1 - q, y* = s ln(A/q) +
 * 1/(2s), v = (y - y*)/s and the excess eps = ln(r/A) = ln(1 + e^v), for w = 1 + z = p + it, t >=
 * 0, g(w) = G(w) / A^w = integral of phi(y) e^(w eps) dy along any line of angle theta = alpha/s <
 * pi: there Im eps, between 0 and theta, increases with Re v, and |1 + e^v| falls and then rises
 * where cos theta < 0, else rises. */
#ifndef LOSS_SAMPLED_GAUSSIAN_BEND_H
#define LOSS_SAMPLED_GAUSSIAN_BEND_H

#include "loss/sampled_gaussian_few.h"
#include "num/fixed.h"

#define BEND_MOST_ANGLE 2.6 /* theta */

#ifdef FIXED
/* ---- the excess along a line: sampled_gaussian_excess.c ---- */
typedef struct excess_line {
    fixed128 inverse, half, odds, cosine, sine, angle;
} excess_line;

#define EXCESS_MOST 128.0 /* of 1/s */

/* False: not for these. */
bool excess_line_init(excess_line *at, const sgm_item *g, double shift);

/* The excess at y is (re + i im) 2^scale, within a relative EXCESS_ERROR; |re|, |im| < 2^14. */
#define EXCESS_ERROR 0x1p-88
typedef struct excess {
    fixed128 re, im;
    int scale;
} excess;
bool excess_at(excess *out, const excess_line *at, fixed128 y);
#endif

/* ---- how large g may be: sampled_gaussian_growth.c ---- */

/* The excess along a line, at the edges of cells of one width, and what bounds it on each cell. */
typedef struct bend_line bend_line;

/* What multiplies phi: erfc((y - at) / (width sqrt 2)) / 2 up to `end`, 0 beyond; of no width: 1.
 * Exact numbers, at < end. */
typedef struct bend_window {
    double at, width, end;
} bend_window;

/* For powers up to about `most`, or any with a window, cells of about `width` in Re v; NULL: out of
 * memory, or not for this item. */
bend_line *bend_line_new(const sgm_item *g, double shift, double most, double width,
                         const bend_window *window);
void bend_line_free(bend_line *x);

/* A number >= the integral of |phi (e^(w eps) - 1)| along the line for every w with low <= Re w <=
 * high, Im w >= t and |w| <= size; or, where size is infinite, of |phi| max(0, |e^(w eps)| - 1). To
 * Re y = until only, or, where that is HUGE_VAL, along the line or another path that the integral
 * of phi e^(w eps) is the same on. HUGE_VAL where nothing is known. */
double bend_growth(const bend_line *x, double low, double high, double t, double size,
                   double until);

/* A number >= |the integral of phi e^(w eps) from `from` on| on a path from that point of the line.
 */
double bend_beyond(const bend_line *x, double low, double high, double t, double from);

/* A number >= |phi e^(w eps)| between two lines, x the lower, at Re y = y. */
double bend_side(const bend_line *x, const bend_line *z, double low, double high, double t,
                 double y);

/* A number >= alpha^2/2, ln of the integral of |phi| along the line. */
double bend_lift(const bend_line *x);
double bend_shift(const bend_line *x);
double bend_step(const bend_line *x); /* of its cells */

/* ---- its values: sampled_gaussian_bend_nodes.c ---- */

/* Nodes y = jh + i shift, first <= j <= last, and the half-width of the strip around them. */
typedef struct bend_rule {
    double shift, edge, h;
    int64_t first, last;
} bend_rule;

typedef struct bend_nodes bend_nodes;

#ifdef FIXED
/* The value of a window: (re + i im) 2^scale, off by at most error 2^scale; about its logarithm. */
typedef struct bend_weight {
    fixed128 re, im;
    int scale;
    double error, log;
} bend_weight;

/* At the first `count` nodes of a rule; false where they are not had. */
bool bend_weights(bend_weight *out, const bend_window *w, const bend_rule *rule, size_t count);
#endif

/* NULL: out of memory, or not in fixed point. */
bend_nodes *bend_nodes_new(const sgm_item *g, const bend_rule *rule, const bend_window *window);
void bend_nodes_free(bend_nodes *nodes);

/* out = the sum of the first `count` nodes at w = re + i im, im >= 0. False: not in fixed point. */
bool bend_sum(cball *out, const bend_nodes *nodes, size_t count, const mpfi_t re, const mpfi_t im);

/* How many nodes to take where w is about p + it, so that those beyond are below e^-need; or up to
 * where the line may be left for another path. */
size_t bend_count(const bend_nodes *nodes, double p, double t, double need, bool leaves);

size_t bend_nodes_count(const bend_nodes *nodes);

/* most >= what the nodes left of the first one would add, |Re w| <= p */
void bend_cut(mpfr_t most, const bend_nodes *nodes, double p);

/* ---- what is made of them ---- */
#define BEND_ITEMS 4
#define BEND_ANGLES 11
#define BEND_BITS 64
#define BEND_BOXES 28 /* along an edge */
#define BEND_SIDES 16 /* on an end, and as many on the other side of it */
#define BEND_PLACES 20

typedef struct bend_box {
    double low, high, left, right; /* of Re z and of Im z */
    double log_mass;               /* >= the sum of T ln|g| */
    mpfr_t weight;                 /* what |F| e^(Re z X - log_mass) adds up to, at most */
} bend_box;

typedef struct bend_grid bend_grid;
typedef struct bend_edges bend_edges;

typedef struct bend {
    size_t count; /* of items with lines */
    bend_line *line[BEND_ITEMS][BEND_ANGLES],
        *rough[BEND_ITEMS][BEND_ANGLES];        /* those with few cells choose */
    bend_edges *edges[BEND_ITEMS][BEND_ANGLES]; /* NULL: not yet made, or no memory */
    bool plans;                                 /* log_growth by those with few cells */
    double most;
    bend_rule rule[BEND_ITEMS];
    double gap, depth; /* that these are for */
    size_t places;
    double place[BEND_PLACES]; /* along a path, over its end: where it is looked at, in order */
    bool windowed;
    double log_lost; /* at most about, with the windows */
    mpfr_t lost;     /* what windows lose (sampled_gaussian_window.c) */
    bend_window window[BEND_ITEMS];
    bend_grid *grid[BEND_ITEMS]; /* NULL: no window */
    size_t boxes;
    bend_box box[3 * BEND_BOXES + 2 * BEND_SIDES + 1];
} bend;

/* sampled_gaussian_bend_lines.c */
bend *bend_new(void); /* NULL: out of memory */
void bend_free(bend *b);
void bend_forget(bend *b); /* the lines */

/* sampled_gaussian_window.c: windows with which about e^log_lost is lost of I(X), of records that
 * are removed; false where there are none. */
bool bend_set_window(bend *b, const sgm *l, double log_lost);
void bend_unwindow(bend *b);
/* About ln I(X) with windows that lose about e^log_lost, made for this; a NaN: none. */
double bend_near_window(bend *b, const sgm *l, double gap, double log_lost);
/* About x with s(x) = e^log_s; below 0: not known. Is the saddle there beyond what moments without
 * windows allow? */
double bend_place_window(bool *heavy, const sgm *l, double log_s);
/* ln prod g^T and its derivatives at 1 + z. */
void bend_guess(double k[3], const bend *b, const sgm *l, double z);

/* Lines for powers up to `most`; false where there are none. */
bool bend_lines(bend *b, const sgm *l, double most);

/* A number >= the sum of T ln|g| in a box, by the best lines near at[i]; where `size` is infinite,
 * for all larger t too. */
double bend_log_growth(const bend *b, const sgm *l, int at[BEND_ITEMS], double low, double high,
                       double t, double size);

double bend_width(const sgm *l);
double bend_short(double x, int bits); /* x cut to so many bits */

/* sampled_gaussian_bend_plan.c: about ln I(X); the saddle of its integrand; a path and rules. */
double bend_near(const bend *b, const sgm *l, double gap);
double bend_saddle(double *log_value, const bend *b, const sgm *l, double gap);
/* The largest depth that sums of moments with windows allow. */
double bend_deepest(const bend *b, const sgm *l, double gap);
#define BEND_KNOWN 68.0 /* -ln of what a sum of moments of one use is off by, over its terms */
/* z at psi + iu, and ln|dz/du / (z (z+1))| */
double bend_place(double *re, double *im, const few_plan *p, double psi, double u);
/* About ln|F| over |dz/du| on the real line; is it known so precisely with the vertex there? */
double bend_real_log(const bend *b, const sgm *l, double z, double gap);
bool bend_is_known(const bend *b, const sgm *l, double z, double gap, double depth);
/* -ln of what g of an item may be off by at u; about ln of its integral along the line k at z; the
 * line near which the terms of a rule about `shift` are, from the line `low` on. */
double bend_need(const bend *b, const sgm *l, int at[BEND_ITEMS], const few_plan *p, size_t item,
                 double u, double gap, double depth);
double bend_along(bend *b, const sgm *l, size_t item, size_t k, double re, double im, double need);
size_t bend_middle(const bend *b, size_t item, size_t low, double shift);
/* Is what such a path, at the height t/s, adds below e^-need? */
bool bend_leaves(const sgm_item *g, double p, double t, double need);
void bend_first_places(bend *b);
bool bend_add_place(bend *b, double place);
/* A path with its vertex at at[0] times c, phi/v and v; its rules. False: none. */
bool bend_plan_path(few_plan *p, bend *b, const sgm *l, const double at[3], double c, double gap,
                    double depth);
/* sampled_gaussian_bend_search.c */
bool bend_search(few_plan *best, bend *b, const sgm *l, double c, double gap, double depth);
/* About ln|F| at psi + iu. */
double bend_near_log(const bend *b, const sgm *l, int at[BEND_ITEMS], const few_plan *p, double psi,
                     double u, double gap);
double bend_add_logs(double a, double b);
double bend_spare(const bend *b, size_t item);
#define BEND_LEAST_NEED 5.0
#define BEND_MOST_STEPS 3000.0

/* sampled_gaussian_bend.c */
/* A plan for I(X), X about `gap`, to about e^-depth of e^b; false where there is none. Its cost in
 * seconds, about. */
bool bend_plan(few_plan *plan, double *seconds, bend *b, const sgm *l, double gap, double depth);

/* What the sum over the nodes of a plan misses, in boxes: any plan will do. */
void bend_boxes(bend *b, const sgm *l, const few_plan *p);

/* most >= what is missed of I(X) / e^b by the sum over nodes, X > 0. */
void bend_missed(mpfr_t most, const bend *b, const mpfi_t gap);

/* The z of psi_1 <= psi <= psi_2, u_1 <= u <= u_2; and its 1 + Re z from below and above, and the
 * largest |1 + z|. */
void bend_set_box(bend_box *to, const few_plan *p, double psi1, double psi2, double u1, double u2);
double bend_powers(double *low, double *high, const bend_box *at);

/* sampled_gaussian_bend_terms.c: term *= prod g^T at the nodes of the plan. False: not this way. */
bool bend_terms(few_node *node, const bend *b, const sgm *l, const few_plan *p);

#endif
