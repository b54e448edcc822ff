/* SPDX-License-Identifier: MIT */
/* The search for epsilon at one level of effort: tangents, and ends that are proved. */
#include "engine/inversion.h"

#include <math.h>

#define SEARCH_STEPS 120
#define TANGENT_STEPS 8
#define NEAR_BITS 6 /* of a tangent's step, from where on more than a few bits of s count */
#define END_STEPS 40
/* Of a bracket: bits of x beyond those of its width; what the square of a tangent's step may be
 * larger than the error that it leaves; fewest bits. */
#define BEYOND_BITS 9
#define SQUARE_BITS 4
#define LEAST_BITS 24

void inversion_init(inversion *v, const engine *e, const mpq_t delta, mpfr_prec_t bits,
                    const limits *lim)
{
    *v = (inversion){.lim = lim, .work = bits + 64};
    mpfi_ptr interval[] = {v->target, v->proved, v->at, v->s};
    for (size_t i = 0; i < 4; i++)
        mpfi_init2(interval[i], v->work);
    mpfr_ptr real[] = {v->x, v->slope, v->low, v->high, v->least, v->most, v->step, v->part};
    for (size_t i = 0; i < 8; i++)
        mpfr_init2(real[i], v->work);
    optimal_target(v->target, e->product, delta);
    engine_top(v->proved, e);
    mpfr_set_zero(&v->proved->left, 1);
}

void inversion_clear(inversion *v)
{
    mpfi_ptr interval[] = {v->target, v->proved, v->at, v->s};
    for (size_t i = 0; i < 4; i++)
        mpfi_clear(interval[i]);
    mpfr_ptr real[] = {v->x, v->slope, v->low, v->high, v->least, v->most, v->step, v->part};
    for (size_t i = 0; i < 8; i++)
        mpfr_clear(real[i]);
}

/* s at v->x, and what it proves: s(x) <= s* that epsilon <= x, s(x) >= s* that it is >= x. */
dp_status inversion_at(inversion *v)
{
    if (limits_expired(v->lim))
        return DP_LIMIT;
    v->floor = v->floor || mpfr_zero_p(v->x);
    v->rough = v->p->rough;
    mpfi_set_fr(v->at, v->x);
    dp_status status = profile_at(v->s, v->slope, v->p, v->at);
    if (status != DP_OK)
        return status;
    if (mpfr_lessequal_p(&v->s->right, &v->target->left)) {
        v->zero = v->zero || mpfr_zero_p(v->x);
        mpfr_min(&v->proved->right, &v->proved->right, v->x, MPFR_RNDU);
    } else if (mpfr_greaterequal_p(&v->s->left, &v->target->right)) {
        mpfr_max(&v->proved->left, &v->proved->left, v->x, MPFR_RNDD);
    }
    return DP_OK;
}

/* The end of s and of s* that a bound of epsilon compares: upper epsilons need s from above. */
mpfr_srcptr inversion_value(const inversion *v, dp_end end)
{
    return end == DP_UPPER ? &v->s->right : &v->s->left;
}

static mpfr_srcptr target_end(const inversion *v, dp_end end)
{
    return end == DP_UPPER ? &v->target->left : &v->target->right;
}

static bool is_inside(const inversion *v, mpfr_srcptr x)
{
    return mpfr_less_p(v->low, x) && mpfr_less_p(x, v->high);
}

/* step = to the root of the tangent to ln s, (s/slope) ln(s/s*), which overshoots where s is
 * log-concave; or to that of the tangent to s over e^x, ln(1 + (s - s*)/slope), which falls short:
 * s is convex there, and straight between two atoms. */
void inversion_tangent(inversion *v, dp_end end, bool of_log)
{
    mpfr_srcptr s = inversion_value(v, end), target = target_end(v, end);
    if (of_log) {
        mpfr_div(v->step, s, target, MPFR_RNDN);
        mpfr_log(v->step, v->step, MPFR_RNDN);
        mpfr_mul(v->step, v->step, s, MPFR_RNDN);
        mpfr_div(v->step, v->step, v->slope, MPFR_RNDN);
        return;
    }
    mpfr_sub(v->step, s, target, MPFR_RNDN);
    mpfr_div(v->step, v->step, v->slope, MPFR_RNDN);
    mpfr_log1p(v->step, v->step, MPFR_RNDN);
}

/* The middle of the bracket, by magnitude where its ends differ by much. */
static void middle(inversion *v)
{
    mpfr_div_2ui(v->part, v->high, 2, MPFR_RNDN);
    if (mpfr_sgn(v->low) > 0 && mpfr_less_p(v->low, v->part)) {
        mpfr_mul(v->part, v->low, v->high, MPFR_RNDN);
        mpfr_sqrt(v->part, v->part, MPFR_RNDN);
    } else {
        mpfr_add(v->part, v->low, v->high, MPFR_RNDN);
        mpfr_div_2ui(v->part, v->part, 1, MPFR_RNDN);
    }
    mpfr_sub(v->step, v->part, v->x, MPFR_RNDN);
}

/* Is the step to v->part below what s can tell of x? Roundings may lead out of the bracket then. */
static bool is_least(const inversion *v)
{
    if (mpfr_zero_p(v->part) || mpfr_zero_p(v->step))
        return mpfr_zero_p(v->step);
    return mpfr_get_exp(v->part) - mpfr_get_exp(v->step) >= v->enough;
}

/* Leaves the next point in v->part, the way there in v->step: a tangent's root inside the bracket,
 * or the middle, which is also taken every other time where the tangents take long. */
static bool next_point(inversion *v, dp_end end, int steps)
{
    bool slow = steps > TANGENT_STEPS && steps % 2 == 0;
    for (int i = 0; !slow && i < 2; i++) {
        inversion_tangent(v, end, i == 0);
        mpfr_add(v->part, v->x, v->step, MPFR_RNDN);
        if (mpfr_number_p(v->part) && (is_inside(v, v->part) || is_least(v)))
            return true;
        if (i == 0 && !v->floor && mpfr_sgn(v->part) <= 0 && mpfr_zero_p(v->low)) {
            mpfr_set_zero(v->part, 1);
            return false;
        }
    }
    middle(v);
    return false;
}

/* The bits of x that a bracket tells: each end is then further off by a hundredth of its width or
 * so. s falls x slope/s times as much as x rises, each relative to itself. */
static void limit_bits(inversion *v)
{
    mpfr_prec_t most = v->width + 40, bits = v->width + BEYOND_BITS;
    if (mpfr_regular_p(v->x) && mpfr_regular_p(v->slope) && mpfr_regular_p(&v->s->right))
        bits += mpfr_get_exp(v->x) + mpfr_get_exp(v->slope) - mpfr_get_exp(&v->s->right);
    v->enough = bits > most ? most : bits < LEAST_BITS ? LEAST_BITS : bits;
}

#define KNOWN_BITS 16 /* of s */
/* out = about how far x must move for s to tell, as wide as it is; 0 where little is known */
static void set_untold(mpfr_t out, const inversion *v)
{
    mpfr_sub(out, &v->s->right, &v->s->left, MPFR_RNDU);
    bool known = v->p->exact && !v->rough && mpfr_regular_p(out) && mpfr_regular_p(&v->s->left) &&
                 mpfr_get_exp(out) < mpfr_get_exp(&v->s->left) - KNOWN_BITS;
    mpfr_div(out, out, v->slope, MPFR_RNDU);
    if (!known || !mpfr_regular_p(out) || mpfr_sgn(out) < 0)
        mpfr_set_zero(out, 1);
}

/* Is the bracket, or the step of a tangent, as narrow as the precision of s? *last is the size of
 * the tangent's step before, in bits: quadratic at first, they end where they no longer shrink. */
static bool is_found(mpfr_exp_t *last, const inversion *v, bool tangent)
{
    if (mpfr_zero_p(v->part) || mpfr_zero_p(v->step))
        return mpfr_zero_p(v->step);
    mpfr_exp_t size = mpfr_get_exp(v->part) - mpfr_get_exp(v->step);
    MPFR_DECL_INIT(untold, 32);
    set_untold(untold, v);
    bool found = size >= v->enough || (tangent && mpfr_cmpabs(v->step, untold) < 0) ||
                 (tangent && size > 20 && size <= *last + 1) ||
                 (tangent && !v->p->exact && 2 * size >= v->enough + SQUARE_BITS);
    *last = tangent ? size : 0;
    return found;
}

/* Narrows the bracket by the value at x, unless few bits do not tell on which side that is. False
 * where it contradicts the ends, since s falls: so far off the enclosure is too wide. */
static bool narrow(inversion *v, int sign, mpfr_srcptr value)
{
    bool nothing = mpfr_zero_p(&v->s->left) && mpfr_cmp_ui(&v->s->right, 1) == 0;
    v->lost = nothing || mpfr_greater_p(v->least, value) || mpfr_greater_p(value, v->most);
    if (v->lost)
        return false;
    if (v->rough && mpfr_lessequal_p(&v->s->left, &v->target->right) &&
        mpfr_greaterequal_p(&v->s->right, &v->target->left))
        return true;
    if (sign > 0) {
        mpfr_max(v->low, v->low, v->x, MPFR_RNDN);
        mpfr_set(v->most, value, MPFR_RNDN);
    } else {
        mpfr_min(v->high, v->high, v->x, MPFR_RNDN);
        mpfr_set(v->least, value, MPFR_RNDN);
    }
    return true;
}

static void start_search(inversion *v, bool again)
{
    if (again)
        mpfr_set(v->x, &v->at->left, MPFR_RNDN);
    mpfr_set(v->low, &v->proved->left, MPFR_RNDN);
    mpfr_set(v->high, &v->proved->right, MPFR_RNDN);
    mpfr_set_zero(v->least, 1);
    mpfr_set_ui(v->most, 1, MPFR_RNDN);
    if (!again &&
        mpfr_greaterequal_p(v->x, v->high)) { /* near the top s falls like 1 - e^(x - high) */
        mpfr_div_2ui(v->x, v->high, 1, MPFR_RNDN);
        if (mpfr_cmp_ui(v->x, 1) > 0)
            mpfr_sub_ui(v->x, v->high, 1, MPFR_RNDN);
    }
}

/* Moves x to about the solution of s(x) = s*; `again`: from where s was evaluated last. */
dp_status inversion_search(inversion *v, dp_end end, bool again)
{
    start_search(v, again);
    mpfr_exp_t last = 0;
    v->p->rough = true;
    for (int i = 0; i < SEARCH_STEPS; i++) {
        dp_status status = again && i == 0 ? DP_OK : inversion_at(v);
        if (status != DP_OK)
            return status;
        if (!v->p->exact)
            limit_bits(v);
        mpfr_srcptr value = inversion_value(v, end);
        int sign = mpfr_cmp(value, target_end(v, end));
        if (sign == 0 || (sign < 0 && mpfr_zero_p(v->x)) || !narrow(v, sign, value))
            break;
        bool tangent = next_point(v, end, i);
        bool found = is_found(&last, v, tangent);
        v->p->rough = v->p->rough && last < NEAR_BITS;
        mpfr_set(v->x, v->part, MPFR_RNDN);
        if (found)
            break;
    }
    v->p->rough = false;
    return DP_OK;
}

/* From the solution outward by growing steps until the end is proved. */
dp_status inversion_prove(inversion *v, dp_end end)
{
    mpfr_t start;
    mpfr_init2(start, v->work);
    mpfr_set(start, v->x, MPFR_RNDN);
    mpfr_exp_t bits = v->p->exact ? v->p->bits : v->enough - 1;
    mpfr_div_2si(v->step, start, bits, MPFR_RNDU);
    if (mpfr_zero_p(v->step))
        mpfr_set_ui_2exp(v->step, 1, -bits, MPFR_RNDU);
    set_untold(v->part, v);
    mpfr_max(v->step, v->step, v->part, MPFR_RNDU);
    dp_status status = DP_OK;
    for (int i = 0; status == DP_OK && i < END_STEPS; i++) {
        if (end == DP_UPPER)
            mpfr_add(v->x, start, v->step, MPFR_RNDU);
        else
            mpfr_sub(v->x, start, v->step, MPFR_RNDD);
        if (end == DP_UPPER ? mpfr_greaterequal_p(v->x, &v->proved->right)
                            : mpfr_lessequal_p(v->x, &v->proved->left))
            break;
        status = inversion_at(v);
        mpfr_mul_2ui(v->step, v->step, i < 8 ? 2 : 6, MPFR_RNDU);
    }
    mpfr_clear(start);
    return status;
}
