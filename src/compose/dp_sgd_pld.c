/* SPDX-License-Identifier: MIT */
/* DP-SGD alone by the laws of its privacy loss: the row of what the engine finds. */
#include "compose/pairs.h"

#include <string.h>

#include "core/mechanism.h"
#include "core/refine.h"
#include "loss/sampled_gaussian.h"

bool pairs_are_steps(const composing *c)
{
    const dp_uses *u = c->items->uses;
    return c->general && c->items->count == 0 && u->count == 1 &&
           strcmp(u->use[0].mechanism->type->name, dp_sgd_pld.theorem.family) == 0;
}

const bound *pairs_bound(const composing *c)
{
    return pairs_are_steps(c) ? &dp_sgd_pld : &compose_pairs;
}

static dp_status dp_sgd_pld_row(dp_result *out, void *in, const dp_options *opt)
{
    return pairs_engine(out, &dp_sgd_pld, in, opt);
}

#define NARROWED                                                                                   \
    "dp-sgd-pld is shown as far as it is known: at most what another row proves, and at least "    \
    "what one step spends"

/* Lowers the upper end to that of a figure that is above; false where it is not lower. */
static bool lower_to(mpfi_ptr exact, const dp_figure *above)
{
    mpfr_t end;
    bool some = above->kind == DP_ENCLOSED || above->kind == DP_RATIONAL;
    mpfr_init2(end, mpfi_get_prec(above->kind == DP_ENCLOSED ? above->enclosure : exact));
    if (above->kind == DP_ENCLOSED)
        mpfr_set(end, &above->enclosure->right, MPFR_RNDU);
    else if (some)
        mpfr_set_q(end, above->rational, MPFR_RNDU);
    some = some && mpfr_less_p(end, &exact->right) && mpfr_lessequal_p(&exact->left, end);
    if (some)
        mpfr_swap(end, &exact->right);
    mpfr_clear(end);
    return some;
}

/* Raises the lower end to that of a figure that is below. */
static bool raise_to(mpfi_ptr exact, mpfi_srcptr below)
{
    bool more =
        mpfr_greater_p(&below->left, &exact->left) && mpfr_lessequal_p(&below->left, &exact->right);
    if (more)
        mpfr_set(&exact->left, &below->left, MPFR_RNDD);
    return more;
}

void dp_sgd_pld_narrow(composing *c)
{
    const dp_use *u = &c->items->uses->use[0];
    profile_in in = {u->mechanism, u->times, c->in.target_epsilon, c->in.target_delta};
    const char *name = in.delta != NULL ? "epsilon" : "delta";
    dp_figure *f = c->out->count > 0 && c->out->row[0].theorem == &dp_sgd_pld.theorem
                       ? row_figure(&c->out->row[0], name)
                       : NULL;
    if (f == NULL || f->kind != DP_ENCLOSED || (in.epsilon == NULL && in.delta == NULL))
        return;
    bool narrowed = false;
    for (size_t i = 1; i < c->out->count; i++)
        if (c->out->row[i].verdict != DP_UNSOUND)
            narrowed = lower_to(f->enclosure, row_figure(&c->out->row[i], name)) || narrowed;
    mpfi_t one;
    mpfi_init2(one, refine_bits(c->opt->digits));
    if (u->mechanism->type->least(one, &in))
        narrowed = raise_to(f->enclosure, one) || narrowed;
    mpfi_clear(one);
    if (narrowed)
        result_note(c->out, NARROWED);
}

const bound dp_sgd_pld = {
    .theorem =
        {.id = "dp-sgd-pld",
         .family = "dp-sgd",
         .verdict = DP_EXACT,
         .source = "Zhu, Dong, Wang 2022, Optimal Accounting of Differential Privacy via "
                   "Characteristic Function, Theorems 10 and 11",
         .statement =
             "delta(x) = the maximum over both directions of E[(1 - e^(x-L))_+], L the sum of T "
             "independent losses: ln r(z), z drawn from (1-q) N(0, sigma^2) + q N(1, sigma^2), "
             "where a record is removed, and -ln r(z), z from N(0, sigma^2), where one is added; "
             "r(z) = 1 - q + q e^((2z-1)/(2 sigma^2)). For groups of k records that are all "
             "removed, or all added, a binomial number j of them is in the sample: the mixture of "
             "the N(j, sigma^2), r(z) the sum of C(k,j) q^j (1-q)^(k-j) e^((2jz-j^2)/(2 sigma^2))",
         .assumes = SAMPLED_STEPS,
         .proof =
             "The pair of a sampled Gaussian dominates each step in its direction, and products "
             "of dominating pairs dominate the composition, also where a step depends on earlier "
             "outputs. A record whose clipped gradient is the same unit vector in every step, "
             "among others with gradient 0, attains both directions, each for all steps; so they "
             "are composed each for itself, and no smaller figure holds for all data. Groups: a "
             "set of mass a under the noise has mass at most Phi(Phi^-1(a) + |v|/sigma), and at "
             "least Phi(Phi^-1(a) - |v|/sigma), once moved by v, |v| <= j; a half-line attains "
             "that for all j at once, and records with the same unit vector attain the pair "
             "(Ganesh 2024)."},
    .engine = dp_sgd_pld_row,
    .methods = METHOD(OPTIMAL),
    .output = {"epsilon", "delta"},
    .also_for = "compose|curve",
    .of_mechanisms = true,
    .bracket = true};
