/* SPDX-License-Identifier: MIT */
/* The values of the integrand at the nodes of the path of few uses of the sampled Gaussian. */
#include <math.h>

#include "loss/sampled_gaussian_bend.h"

/* The two lines that bound the rule of an item. */
static void edges_of(const bend_line *edge[2], const bend *b, size_t item)
{
    const bend_rule *rule = &b->rule[item];
    edge[0] = edge[1] = NULL;
    for (size_t k = 0; k < BEND_ANGLES; k++) {
        double shift = bend_shift(b->line[item][k]);
        if (shift == rule->shift - rule->edge)
            edge[0] = b->line[item][k];
        if (shift == rule->shift + rule->edge)
            edge[1] = b->line[item][k];
    }
}

/* out += the integral of |f| e^(-2 pi |alpha - a| / h) over the end of the strip about a, at Re y =
 * y, from each line to the next. */
static void add_side(mpfr_t out, const bend *b, size_t item, const bend_line *middle, double low,
                     double high, double t, double y)
{
    MPFR_DECL_INIT(part, BEND_BITS);
    MPFR_DECL_INIT(rate, BEND_BITS);
    const bend_rule *rule = &b->rule[item];
    const bend_line *from = NULL;
    bool passed = false;
    for (size_t k = 0; k < BEND_ANGLES; k++) {
        const bend_line *to = b->line[item][k];
        double shift = bend_shift(to);
        if (shift < rule->shift - rule->edge || shift > rule->shift + rule->edge)
            continue;
        if (!passed && shift >= rule->shift) { /* the middle is between these */
            passed = true;
            to = middle;
            k--;
        }
        if (from != NULL && bend_shift(to) > bend_shift(from)) {
            double near =
                fmin(fabs(bend_shift(from) - rule->shift), fabs(bend_shift(to) - rule->shift));
            mpfr_const_pi(rate, MPFR_RNDD);
            mpfr_mul_d(rate, rate, -2 * near, MPFR_RNDU);
            mpfr_div_d(rate, rate, rule->h, MPFR_RNDU);
            mpfr_exp(rate, rate, MPFR_RNDU);
            mpfr_set_d(part, bend_side(from, to, low, high, t, y), MPFR_RNDU);
            mpfr_mul_d(part, part, bend_shift(to) - bend_shift(from), MPFR_RNDU);
            mpfr_fma(out, part, rate, out, MPFR_RNDU);
        }
        from = to;
    }
    if (!passed)
        mpfr_set_inf(out, 1);
}

/* missed >= what `count` nodes of the item's rule miss of g in the box: of a rule that ends at Y,
 * half a step behind its last node, as of the path above. */
static void set_missed(mpfr_t missed, const bend *b, size_t item, const bend_nodes *nodes,
                       const bend_line *middle, size_t count, const bend_box *at)
{
    MPFR_DECL_INIT(part, BEND_BITS);
    const bend_rule *rule = &b->rule[item];
    const bend_line *edge[2];
    double low, high, size = bend_powers(&low, &high, at);
    double end = ((double)(rule->first + (int64_t)count) - 0.5) * rule->h;
    edges_of(edge, b, item);
    mpfr_set_ui(missed, 0, MPFR_RNDU);
    if (edge[0] == NULL || edge[1] == NULL || (b->windowed && end > b->window[item].end)) {
        mpfr_set_inf(missed, 1);
        return;
    }
    for (int k = 0; k < 2; k++) {
        mpfr_set_d(part, bend_lift(edge[k]), MPFR_RNDU);
        mpfr_exp(part, part, MPFR_RNDU);
        mpfr_add_d(part, part, bend_growth(edge[k], low, high, at->left, size, end), MPFR_RNDU);
        mpfr_add(missed, missed, part, MPFR_RNDU);
    }
    mpfr_const_pi(part, MPFR_RNDD);
    mpfr_mul_2ui(part, part, 1, MPFR_RNDD);
    mpfr_mul_d(part, part, rule->edge, MPFR_RNDD);
    mpfr_div_d(part, part, rule->h, MPFR_RNDD);
    mpfr_expm1(part, part, MPFR_RNDD);
    mpfr_div(missed, missed, part, MPFR_RNDU);
    add_side(missed, b, item, middle, low, high, at->left, end);
    mpfr_set_d(part, bend_beyond(middle, low, high, at->left, end), MPFR_RNDU);
    mpfr_add(missed, missed, part, MPFR_RNDU);
    bend_cut(part, nodes, fmax(fabs(low), fabs(high)));
    mpfr_add(missed, missed, part, MPFR_RNDU);
    if (mpfr_nan_p(missed))
        mpfr_set_inf(missed, 1);
}

static bool item_terms(few_node *node, const bend *b, const sgm *l, const few_plan *p, size_t item)
{
    const sgm_item *g = &l->item[item];
    bend_nodes *nodes = bend_nodes_new(g, &b->rule[item], &b->window[item]);
    bend_line *middle = bend_line_new(g, b->rule[item].shift, b->most,
                                      b->windowed ? bend_width(l) : 0.3, &b->window[item]);
    MPFR_DECL_INIT(missed, BEND_BITS);
    cball value;
    mpfi_t w;
    bend_box at;
    int near[BEND_ITEMS] = {0};
    size_t taken = 0;
    int64_t next = 0, count = p->nodes + 1;
    bool ok = nodes != NULL && middle != NULL;
    cball_init(&value, p->work);
    mpfi_init2(w, p->work + 32);
    for (int64_t n = 0; ok && n < count; n++) {
        if (n == next) { /* one box for some of them */
            next = n + 1 + count / (2 * BEND_BOXES);
            double u = 2 * p->h * (double)n;
            bend_set_box(&at, p, p->phi, p->phi, u,
                         2 * p->h * (double)(next < count ? next : count));
            double need = fmax(BEND_LEAST_NEED, bend_near_log(b, l, near, p, p->phi, u, b->gap) +
                                                    b->depth + log(g->count) + 9);
            bool leaves = !b->windowed && bend_leaves(g, 1 + at.high, at.left, need);
            taken = bend_count(nodes, 1 + at.high, at.left, need, leaves);
            taken += (size_t)(bend_spare(b, item) / b->rule[item].h);
            taken = taken < bend_nodes_count(nodes) ? taken : bend_nodes_count(nodes);
            set_missed(missed, b, item, nodes, middle, taken, &at);
        }
        mpfi_add_ui(w, node[n].re, 1);
        ok = bend_sum(&value, nodes, taken, w, node[n].im);
        mpfr_add(value.radius, value.radius, missed, MPFR_RNDU);
        mpfr_set_inf(value.size, 1);
        cball_measure(&value);
        cball_pow(&value, &value, g->times);
        cball_mul(&node[n].term, &node[n].term, &value);
    }
    mpfi_clear(w);
    cball_clear(&value);
    bend_line_free(middle);
    bend_nodes_free(nodes);
    return ok;
}

bool bend_terms(few_node *node, const bend *b, const sgm *l, const few_plan *p)
{
    bool ok = true;
    for (size_t i = 0; ok && i < l->items; i++)
        ok = item_terms(node, b, l, p, i);
    return ok;
}
