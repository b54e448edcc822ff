/* SPDX-License-Identifier: MIT */
/* What composition theorems with a slack d share: how much slack a target leaves, how the slack
 * joins the leaks, and the forms in which epsilon depends on it. */
#ifndef COMPOSE_SLACK_H
#define COMPOSE_SLACK_H

#include "compose/closed_forms.h"

/* sum of epsilon_i, exact when no logarithm is left; min(1, sum delta_i); 1 - prod (1 - delta_i) */
void slack_loss_sum(dp_figure *out, const composed *c, const wanted *want);
void slack_leak_sum(dp_figure *out, const composed *c, const wanted *want);
void slack_leak(dp_figure *out, const composed *c, const wanted *want);

/* The total delta for slack d: sum delta_i + d, or 1 - (1 - d) prod (1 - delta_i). */
typedef enum joining { JOIN_SUM, JOIN_PRODUCT } joining;

/* d = the slack, given or left over from the target delta; may be <= 0 when none is left. */
void slack_from_delta(mpfi_t d, const compose_in *q, joining how);

/* out = the total delta for slack d; exactly the target when that is where d comes from. */
void slack_join(dp_figure *out, const compose_in *q, joining how, const mpfi_t d,
                const wanted *want);

/* Epsilon as a moderate deviation around a centre m, V = sum eps^2:
 *   DEVIATION_TAIL   m + sqrt(2 V ln(1/d))            d = exp(-(x-m)^2 / 2V)
 *   DEVIATION_LOG    m + sqrt(2 V ln(e + sqrt(V)/d))  d = sqrt(V) / (e expm1((x-m)^2/2V - 1)) */
typedef enum deviation_form { DEVIATION_TAIL, DEVIATION_LOG } deviation_form;

void slack_deviation(mpfi_t x, deviation_form f, const mpfi_t centre, const mpfi_t square,
                     const mpfi_t d);
/* d at a given epsilon x; false when the form has no d below 1 there. */
bool slack_of_deviation(mpfi_t d, deviation_form f, const mpfi_t centre, const mpfi_t square,
                        const mpfi_t x);

/* A theorem of this kind: its form, its joining and its centre m. */
typedef enum deviation_centre {
    CENTRE_MEAN,       /* sum eps tanh(eps/2) */
    CENTRE_GROWTH,     /* sum eps (e^eps - 1) */
    CENTRE_HALF_SQUARE /* sum eps^2 / 2 */
} deviation_centre;

typedef struct deviation_rule {
    deviation_form form;
    joining how;
    deviation_centre centre;
    bool twice_centre; /* V = 2 m in place of sum eps^2 */
} deviation_rule;

/* Is there a slack in (0, 1)? Judged at a precision of its own; what it cannot tell is not used. */
bool slack_applies(const compose_in *q, const deviation_rule *rule);
/* out = epsilon, delta, slack; DP_LIMIT when the precision is too low to see that it applies. */
dp_status slack_evaluate(dp_figure *out, const compose_in *q, const deviation_rule *rule,
                         const wanted *want);

/* out = the slack, exactly where it was given or where it is asked for and small. */
void slack_set(dp_figure *out, const compose_in *q, joining how, const mpfi_t d,
               const wanted *want);

#endif
