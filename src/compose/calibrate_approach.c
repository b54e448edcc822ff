/* SPDX-License-Identifier: MIT */
/* Where a parameter seems to keep a budget just: secants of ln delta over its logarithm, at the
 * budget's epsilon. What is found is only looked at first. */
#include <math.h>

#include "compose/calibrate.h"
#include "core/refine.h"
#include "loss/known.h"
#include "num/ival.h"

#define MOST_STEPS 24
#define MOST_MOVE 0.7 /* of a logarithm in one step */
#define FEW_DIGITS 6  /* while the secants are far off */
#define FEW 1e-3
#define SHARE 12 /* of the time, for one figure */

dp_status calibration_list(dp_composition *copy, const calibration *c, const mpq_t x)
{
    mpz_t one;
    mpz_init_set_ui(one, 1);
    dp_composition_init_under(copy, c->list->adjacency);
    dp_status status = uses_append(copy, c->list, one);
    if (status == DP_OK)
        mechanism_set_q(copy->uses->use[0].mechanism, c->name, x);
    if (status == DP_OK && c->beside != NULL)
        status = known_append_whole(copy, c->beside, one);
    mpz_clear(one);
    return status;
}

/* out = ln delta at that value, less that of the budget; false: not finite, or the limits end it */
static bool off(mpfr_t out, const calibration *c, const mpfr_t log_x, size_t digits)
{
    mpfr_t x;
    mpq_t q;
    dp_composition copy;
    composing g;
    dp_figure delta;
    dp_options rest = limits_rest(&c->lim, c->opt);
    unsigned met = 0;
    rest.met = &met;
    rest.max_seconds /= SHARE;
    limits_share(&rest);
    mpfr_init2(x, mpfr_get_prec(out));
    mpq_init(q);
    dp_figure_init(&delta);
    mpfr_exp(x, log_x, MPFR_RNDN);
    if (c->whole)
        mpfr_rint(x, x, MPFR_RNDN);
    if (c->share && mpfr_cmp_ui(x, 1) > 0)
        mpfr_set_ui(x, 1, MPFR_RNDN);
    mpfr_get_q(q, x);
    dp_status status = calibration_list(&copy, c, q),
              ready = composing_init(&g, &copy, &rest, c->out);
    status = status == DP_OK ? ready : status;
    bool ok =
        status == DP_OK && logform_add_number(&g.at, NULL, c->max_epsilon) && g.sides.complete;
    if (ok)
        status = sides_delta(&delta, &g.sides, &g.at, digits, &g.limits);
    ok = ok && (status == DP_OK || status == DP_LIMIT) && delta.kind == DP_ENCLOSED &&
         mpfr_sgn(&delta.enclosure->left) > 0;
    if (ok) {
        mpfi_t log_d;
        mpfi_init2(log_d, mpfr_get_prec(out));
        mpfi_get_fr(out, delta.enclosure);
        mpfr_log(out, out, MPFR_RNDN);
        ival_log_q(log_d, c->max_delta);
        mpfr_sub(out, out, &log_d->left, MPFR_RNDN);
        mpfi_clear(log_d);
    }
    composing_clear(&g);
    dp_composition_clear(&copy);
    dp_figure_clear(&delta);
    mpq_clear(q);
    mpfr_clear(x);
    return ok && mpfr_number_p(out);
}

/* How far to go from u, where the line is off by y, by that slope */
static void set_move(mpfr_t move, mpfr_srcptr y, mpfr_srcptr slope)
{
    mpfr_div(move, y, slope, MPFR_RNDN);
    mpfr_neg(move, move, MPFR_RNDN);
    if (!mpfr_number_p(move) || fabs(mpfr_get_d(move, MPFR_RNDN)) > MOST_MOVE)
        mpfr_set_d(move, mpfr_sgn(move) < 0 ? -MOST_MOVE : MOST_MOVE, MPFR_RNDN);
}

bool calibration_approach(mpq_t near, const calibration *c)
{
    mpfr_prec_t bits = refine_bits(c->opt->digits) + 64;
    mpfr_t u, y, z, move, slope;
    mpfr_inits2(bits, u, y, z, move, slope, (mpfr_ptr)0);
    mpfr_set_q(u, near, MPFR_RNDN);
    mpfr_log(u, u, MPFR_RNDN);
    double least = c->whole ? 0.2 / fmax(1, mpq_get_d(near)) : 0, size = 1;
    double first = 2 * fmax(1, -ival_guess_log(c->max_delta));
    mpfr_set_d(slope, c->grows ? -first : first, MPFR_RNDN);
    least = fmax(least, pow(10, -(double)c->opt->digits - 2));
    bool ok = off(y, c, u, FEW_DIGITS);
    for (int i = 0; ok && i < MOST_STEPS && size > least; i++) {
        set_move(move, y, slope);
        mpfr_add(u, u, move, MPFR_RNDN);
        if (c->share && mpfr_sgn(u) > 0) { /* no further than to 1 */
            mpfr_sub(move, move, u, MPFR_RNDN);
            mpfr_set_zero(u, 1);
        }
        size = fabs(mpfr_get_d(move, MPFR_RNDN));
        if (size <= least)
            break;
        ok = off(z, c, u, size > FEW ? FEW_DIGITS : c->opt->digits + 4);
        mpfr_sub(slope, z, y, MPFR_RNDN);
        if (mpfr_zero_p(slope))
            break;
        mpfr_div(slope, slope, move, MPFR_RNDN);
        mpfr_set(y, z, MPFR_RNDN);
    }
    mpfr_exp(u, u, MPFR_RNDN);
    ok = ok && mpfr_regular_p(u);
    if (ok)
        mpfr_get_q(near, u);
    mpfr_clears(u, y, z, move, slope, (mpfr_ptr)0);
    return ok;
}
