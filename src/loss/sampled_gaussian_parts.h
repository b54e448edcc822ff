/* SPDX-License-Identifier: MIT */
/* Parts of the law of the sampled Gaussian (sampled_gaussian.h). On the line y + ia, 0 < a < pi s:
 *     |phi| = e^(a^2/2) phi,  0 < arg r <= a/s,  cos(a/2s) r(y) <= |r(y+ia)| <= r(y),
 * so r has no zero in |Im y| < pi s and its principal logarithm is the branch that is 0 at r = 1.
 * With C_a = 1 for p >= 0 and cos(a/2s)^p for p < 0, a node of w = p + it weighs
 *     |phi r^w| <= e^(a^2/2) C_a phi(y) r(y)^p e^(-t arg r),
 * p being the power 1 + c, or -c where a record is added. For groups of k records all angles a/s
 * are k a/s (sampled_gaussian_group.c). */
#ifndef LOSS_SAMPLED_GAUSSIAN_PARTS_H
#define LOSS_SAMPLED_GAUSSIAN_PARTS_H

#include "loss/loss.h"

#define SGM_ANGLES 15
#define SGM_GRID 512 /* a power of 2 */
#define SGM_PATH 128

/* The terms of a decay at t = 0 and their angles, on the line of one angle. */
typedef struct sgm_path {
    size_t count; /* 0: of no power */
    double power, h, weight[SGM_PATH], angle[SGM_PATH];
} sgm_path;

/* Doubles that guesses and their decay come back to: ln r on the grid of guesses, by the last y of
 * each place, and the paths of the last power. */
typedef struct sgm_tables {
    double y[SGM_GRID], l[SGM_GRID];
    sgm_path path[SGM_ANGLES];
} sgm_tables;

/* ln G of the last line: the nodes on it, their decay and the moment there all begin with it. */
typedef struct sgm_memo {
    bool known;
    double c;
    mpfi_t log;         /* encloses it */
    int angle;          /* of the last decay, to begin with */
    double depth;       /* to about 2^-depth */
    bool guessed;       /* the last guess: */
    double p, guess[3]; /* that of p */
    sgm_tables *tables; /* NULL: none are kept */
} sgm_memo;

typedef struct sgm_item {
    sgm_memo *memo;   /* its own: what is looked up may be added to what does not change */
    double *log_part; /* about ln w_j - j^2/(2s^2), the terms of r at 0; NULL for one record */
    unsigned long group;
    mpq_t sigma, rate;
    mpz_t times;
    bool add;
    /* for guesses and plans */
    double s, q, log_rate, log_rest; /* ln q and ln(1-q) */
    double count;
} sgm_item;

/* p = 1 + c or -c */
static inline void sgm_power(mpfi_t p, const sgm_item *g, mpfr_srcptr c)
{
    mpfi_set_fr(p, c);
    if (g->add)
        mpfi_neg(p, p);
    else
        mpfi_add_ui(p, p, 1);
}

typedef struct sgm_few sgm_few;

typedef struct sgm {
    size_t items, room;
    sgm_item *item;
    sgm_few *few; /* its own, as memo */
} sgm;

/* ---- doubles that choose: sampled_gaussian_guess.c ---- */

/* Empty ones; NULL: out of memory. */
sgm_tables *sgm_tables_new(void);

/* k = ln G and its first two derivatives at the power p. HUGE_VAL where doubles do not reach. */
void sgm_guess(double k[3], const sgm_item *g, double p);

/* Nodes y = j h for first <= j <= last but those strictly between gap_from and gap_to, on the line
 * Im y = shift. */
typedef struct sgm_plan {
    double power;       /* about p */
    double log;         /* about ln G(p) */
    double h;           /* 20 bits */
    double shift, edge; /* half the width of the strip: the shift, where that is not 0; 20 bits */
    int64_t first, last, gap_from, gap_to;
    bool far; /* the mode at p/s is left out as a whole */
    size_t count;
} sgm_plan;

/* j, or the end of the gap that it is in. */
static inline int64_t sgm_next_node(const sgm_plan *plan, int64_t j)
{
    return j > plan->gap_from && j < plan->gap_to ? plan->gap_to : j;
}

/* For powers p + it, 0 <= t <= height, to about e^-depth of G(p), for `heights` of them; a shifted
 * line is for more than one. False where there would be too many nodes. */
bool sgm_plan_make(sgm_plan *plan, const sgm_item *g, double p, double height, double depth,
                   double heights);
/* The same nodes on a line that is given, without its strip. */
bool sgm_plan_range(sgm_plan *plan, const sgm_item *g, double depth);

/* About -ln|G(p+it)/G(p)| by the best a = sgm_angle(i) of the decay. */
double sgm_near_decay(int *best, const sgm_item *g, double p, double t);

double sgm_angle(const sgm_item *g, int i);
/* The half-width b of the strip about the line of the decay, and the step there. */
double sgm_decay_depth(const sgm_item *g);
double sgm_decay_step(double *b, const sgm_item *g, double p, double a);

/* ---- certified: sampled_gaussian_sum.c ---- */

/* A term of r for groups: w_j e^(-j^2/2s^2), and j times the angle of the line. */
typedef struct sgm_term {
    mpfi_t weight, cosine, sine;
} sgm_term;

/* p, q, s and what follows from them, at one precision. */
typedef struct sgm_work {
    const sgm_item *g;
    const sgm_plan *plan;
    mpfi_t power, rate, rest, shift, inverse; /* 1 - q, 1/(2s), 1/s */
    mpfi_t cosine, sine;                      /* of the angle a/s */
    mpfi_t y, u, l, arg, part;
    mpfi_t grow;     /* e^(h/s), from a node to the next */
    sgm_term *terms; /* of groups: then u is e^(y/s) alone */
    int64_t at;      /* the node of u */
    unsigned run;
} sgm_work;

/* False: out of memory; cleared then all the same. */
bool sgm_work_init(sgm_work *w, const sgm_item *g, const sgm_plan *plan, mpfr_prec_t bits);
void sgm_work_clear(sgm_work *w);

/* ---- groups: sampled_gaussian_group.c ---- */

/* About ln r(y), and the mean and variance of the number of records of its terms. */
double sgm_group_log(const sgm_item *g, double y, double *mean, double *variance);
/* About ln|r| and arg r on the line of that angle for one record. */
double sgm_group_turn(double *angle, const sgm_item *g, double y, double theta);
/* About the logarithm of the largest of w_j e^(j^2 p (p-1) / (2s^2)), j >= 1. */
double sgm_group_upper(const sgm_item *g, double p);
void sgm_group_guess(double k[3], const sgm_item *g, double p);

/* out = ln w_j, from ln q and ln(1-q) */
void sgm_group_log_mass(mpfi_t out, const sgm_item *g, unsigned long j, const mpfi_t rate,
                        const mpfi_t rest);
bool sgm_group_terms(sgm_work *w, mpfr_prec_t bits);
void sgm_group_terms_clear(sgm_work *w);
/* re + i im = r at the node of w->u; or on the real line, im = NULL, re = r and mean = the sum of j
 * times its terms, where that is not NULL. */
void sgm_group_sums(mpfi_ptr re, mpfi_ptr im, mpfi_ptr mean, sgm_work *w);
/* most += factor times the sum over j >= 1 of w_j e^(j^2 p (p-1) / (2s^2)), w->l = p (p-1) /
 * (2s^2) (sgm_cut). */
void sgm_group_far(mpfr_t most, const sgm_work *w, mpfr_srcptr factor);
/* out = ln(sum w_j e^(j^2 x)) */
void sgm_group_moment(mpfi_t out, const sgm_item *g, const mpfi_t x);
/* The profile of one use (law_profile): sampled_gaussian_group_profile.c. */
bool sgm_group_profile(mpfi_t s, mpfr_t slope, const sgm_item *g, const mpfi_t x);

/* x = e^x and x = ln x, for a narrow x by one evaluation */
void sgm_exp(mpfi_t x);
void sgm_log(mpfi_t x);

/* w->l = ln|r| and w->arg = arg r (0 on the real line) at the node j, whose y is set. */
void sgm_ratio(sgm_work *w, int64_t j, bool shifted);
/* w->l = p ln|r| - y^2/2 from them. */
void sgm_weight(sgm_work *w);

/* most >= the sum over all nodes that the plan leaves out of phi |r|^p sqrt(2 pi) on its line;
 * infinite where its ends are not such that this is known. */
void sgm_cut(mpfr_t most, sgm_work *w);

/* most >= e^(a^2/2) C_a */
void sgm_edge(mpfr_t most, const sgm_work *w, double a);

/* most >= what the rule of that step and line misses of G(p + it), over G(p) */
void sgm_missed(mpfr_t most, const sgm_work *w, mpfr_srcptr t);

/* sum, of phi r^p sqrt(2 pi) over the nodes, becomes G(p) sqrt(2 pi) / h. */
bool sgm_settle(mpfi_t sum, const sgm_work *w, mpfr_srcptr cut);

/* Bits by which exponents and angles are to be more precise than the terms. */
mpfr_prec_t sgm_bits(const sgm_item *g, const sgm_plan *plan, double height);

/* k = ln G of the line c to about a relative 2^-depth, kept; false where that is not had. */
bool sgm_log_line(mpfi_t k, const sgm_item *g, double c, mpfr_prec_t depth, const limits *lim);
/* What is found by the way: G sqrt(2 pi) / h. */
void sgm_keep_line(const sgm_item *g, double c, mpfr_prec_t depth, const mpfi_t sum, double h);

/* out = G(p), narrow to about a relative 2^-bits; `about` near p. False where that is not had. */
bool sgm_real(mpfi_t out, const sgm_item *g, const mpfi_t power, double about, mpfr_prec_t bits,
              const limits *lim);

/* sampled_gaussian_nodes.c */
dp_status sgm_multiply(cball *phi, const void *self, const line *at, const uint64_t *node,
                       size_t count, const limits *lim);

/* sampled_gaussian_split.c: with little noise, in closed form but for a small error. The first two
 * are false where that is not below 2^-depth. */
bool sgm_has_split(const sgm_item *g);
bool sgm_split_real(mpfi_t out, const sgm_item *g, const mpfi_t power, mpfr_prec_t depth);
bool sgm_split_multiply(cball *phi, const sgm_item *g, const line *at, const uint64_t *node,
                        size_t count, mpfr_prec_t depth);
bool sgm_near_atom(mpfi_t log, mpfi_t place, const void *self);
void sgm_decay_beside(mpfr_t low, const void *self, double c, mpfr_srcptr t, mpfr_srcptr far);

/* sampled_gaussian_decay.c */
void sgm_decay(mpfr_t low, const void *self, double c, mpfr_srcptr t);
double sgm_decay_guess(const void *self, double c, double t);

#endif
