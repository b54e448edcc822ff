/* SPDX-License-Identifier: MIT */
/* The inverse of the optimal profile: each point at which the profile is told from the target is an
 * end that is proved, whatever it was guessed by; the nearest on either side are kept. */
#include <math.h>

#include "core/refine.h"
#include "engine/effort.h"
#include "engine/invert.h"
#include "engine/tail.h"
#include "num/ival.h"

#define SEARCH_STEPS 120
#define TANGENT_STEPS 8
#define NEAR_BITS 6 /* of a tangent's step, from where on more than a few bits of s count */
#define END_STEPS 40
#define ROUNDS 5
/* Of a bracket: bits of x beyond those of its width; what the square of a tangent's step may be
 * larger than the error that it leaves; fewest bits. */
#define BEYOND_BITS 9
#define SQUARE_BITS 4
#define LEAST_BITS 24
#define FIRST_BITS 64 /* of a first end, far from epsilon in any case */

/* The search at one level of effort. */
typedef struct inversion {
    const limits *lim;
    profile *p;
    mpfi_t target; /* s* */
    mpfi_t proved; /* [0, top] at first: encloses epsilon */
    mpfi_t at, s;
    mpfr_t x, slope;
    mpfr_t low, high;   /* s(low) > s* >= s(high) for the ends that are compared */
    mpfr_t least, most; /* those ends of s(high) and s(low) */
    mpfr_t step, part;
    mpfr_prec_t work, enough; /* bits to work with, and of x that s can tell */
    mpfr_prec_t width;        /* of a bracket: s is known to about 2^-width of it */
    bool zero;                /* epsilon is 0 */
    bool floor;               /* s(0) was evaluated */
    bool lost;                /* x is too far from where the profile was opened */
    bool rough;               /* s was asked for a few bits only */
} inversion;

static void inversion_init(inversion *v, const engine *e, const mpq_t delta, mpfr_prec_t bits,
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

static void inversion_clear(inversion *v)
{
    mpfi_ptr interval[] = {v->target, v->proved, v->at, v->s};
    for (size_t i = 0; i < 4; i++)
        mpfi_clear(interval[i]);
    mpfr_ptr real[] = {v->x, v->slope, v->low, v->high, v->least, v->most, v->step, v->part};
    for (size_t i = 0; i < 8; i++)
        mpfr_clear(real[i]);
}

/* s at v->x, and what it proves: s(x) <= s* that epsilon <= x, s(x) >= s* that it is >= x. */
static dp_status evaluate(inversion *v)
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
static mpfr_srcptr value_end(const inversion *v, dp_end end)
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
static void tangent_step(inversion *v, dp_end end, bool of_log)
{
    mpfr_srcptr s = value_end(v, end), target = target_end(v, end);
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
        tangent_step(v, end, i == 0);
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
static dp_status search(inversion *v, dp_end end, bool again)
{
    start_search(v, again);
    mpfr_exp_t last = 0;
    v->p->rough = true;
    for (int i = 0; i < SEARCH_STEPS; i++) {
        dp_status status = again && i == 0 ? DP_OK : evaluate(v);
        if (status != DP_OK)
            return status;
        if (!v->p->exact)
            limit_bits(v);
        mpfr_srcptr value = value_end(v, end);
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
static dp_status prove_end(inversion *v, dp_end end)
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
        status = evaluate(v);
        mpfr_mul_2ui(v->step, v->step, i < 8 ? 2 : 6, MPFR_RNDU);
    }
    mpfr_clear(start);
    return status;
}

/* ---- where two points cost a pass ---- */
#define PAIRS 3
#define PAIR_MARGIN 0.02 /* of the gap, beyond the root of a tangent */

/* end = x and the tangent's step from there, and further by the square of the step, which is about
 * what the tangent misses, and a share of the gap; both as parts of s. False where that is none. */
static bool guess_end(mpfr_t end, double *step, inversion *v, dp_end which, double gap)
{
    tangent_step(v, which, true);
    mpfr_div(v->part, v->slope, value_end(v, which), MPFR_RNDN);
    double rate = mpfr_get_d(v->part, MPFR_RNDN);
    *step = rate * mpfr_get_d(v->step, MPFR_RNDN);
    if (!(rate > 0) || !(fabs(*step) < 1))
        return false;
    double margin = (*step * *step + PAIR_MARGIN * gap) / rate;
    mpfr_add(end, v->x, v->step, MPFR_RNDN);
    mpfr_add_d(end, end, which == DP_UPPER ? margin : -margin, MPFR_RNDN);
    return mpfr_sgn(end) > 0 && mpfr_less_p(end, &v->proved->right);
}

/* Both ends by guesses, each pair evaluated at once. False where they are not found. */
static bool bracket_by_pairs(inversion *v, double gap, dp_status *status)
{
    mpfr_t low, high;
    mpfr_inits2(v->work, low, high, (mpfr_ptr)NULL);
    bool found = false;
    for (int i = 0; !found && i < PAIRS; i++) {
        double down, up;
        *status = evaluate(v);
        if (*status != DP_OK || !guess_end(low, &down, v, DP_LOWER, gap) ||
            !guess_end(high, &up, v, DP_UPPER, gap))
            break;
        *status = profile_foresee(v->p, low, high, v->lim);
        mpfr_set(v->x, low, MPFR_RNDN);
        if (*status == DP_OK)
            *status = evaluate(v);
        mpfr_set(v->x, high, MPFR_RNDN);
        if (*status == DP_OK)
            *status = evaluate(v);
        if (*status != DP_OK)
            break;
        found = fabs(down) + fabs(up) < sqrt(PAIR_MARGIN * gap) &&
                mpfr_greaterequal_p(&v->proved->left, low) &&
                mpfr_lessequal_p(&v->proved->right, high);
    }
    mpfr_clear(high);
    mpfr_clear(low);
    return found || *status != DP_OK;
}

/* Both ends from one prepared profile, starting at v->x. */
static dp_status bracket_epsilon(inversion *v, double gap)
{
    dp_status status = DP_OK;
    if (profile_is_by_pass(v->p) && bracket_by_pairs(v, gap, &status))
        return status;
    status = search(v, DP_UPPER, false);
    if (status != DP_OK || v->zero || v->lost)
        return status;
    mpfr_t found;
    mpfr_init2(found, v->work);
    mpfr_set(found, v->x, MPFR_RNDN);
    status = prove_end(v, DP_UPPER);
    mpfr_set(v->x, found, MPFR_RNDN);
    if (status == DP_OK && !v->p->exact)
        status = search(v, DP_LOWER, true);
    if (status == DP_OK && !v->lost)
        status = prove_end(v, DP_LOWER);
    mpfr_clear(found);
    return status;
}

static double first_guess(const inversion *v, const tilt *t)
{
    MPFR_DECL_INIT(log, 53); /* ln s*, or ln(1 - s*) */
    bool left = mpfr_cmp_d(&v->target->right, 0.5) > 0;
    if (left) {
        mpfr_ui_sub(log, 1, &v->target->left, MPFR_RNDN);
        mpfr_log(log, log, MPFR_RNDN);
    } else {
        mpfr_log(log, &v->target->right, MPFR_RNDN);
    }
    double value = mpfr_get_d(log, MPFR_RNDN);
    return left ? tilt_find_left(t, value) : tilt_find(t, value);
}

/* Where to look next after a profile opened at *guess, in *guess; false where it is near enough, or
 * what it can tell is known, or where an earlier attempt had it near enough. */
static bool look_again(const inversion *v, double *guess, dp_status status, int round, bool known)
{
    double opened_at = *guess;
    if (known && status == DP_LIMIT)
        return false;
    bool moved = v->lost && mpfr_get_d(v->x, MPFR_RNDN) != opened_at;
    if (status == DP_LIMIT || (status == DP_OK && v->lost && !moved)) {
        *guess = opened_at * 0.5; /* too near the top for what was chosen there */
        return round < 2 && !limits_expired(v->lim);
    }
    *guess = v->lost ? mpfr_get_d(v->x, MPFR_RNDN) : effort_middle(v->proved);
    double wide =
        mpfr_get_d(&v->proved->right, MPFR_RNDU) - mpfr_get_d(&v->proved->left, MPFR_RNDD);
    bool near = fabs(*guess - opened_at) <= 0.05 * (*guess + 1e-300) || wide < 1e-3 * *guess;
    return status == DP_OK && !v->zero && (v->lost || !near);
}

/* Losses without a bound: for any c > 0, s(x) <= e^(K(c) - cx) <= s* from (K(c) - ln s*) / c on. */
static void first_end(inversion *v, const engine *e, double guess)
{
    double c = tail_short(tilt_saddle(&e->all.tilt, guess, false));
    if (!(isfinite(c) && c > 0))
        return;
    mpfi_t x, log;
    mpfi_init2(x, FIRST_BITS);
    mpfi_init2(log, FIRST_BITS);
    tail_k(x, e->product, c, v->lim);
    mpfi_set_fr(log, &v->target->left);
    mpfi_log(log, log);
    mpfi_sub(x, x, log);
    mpfi_div_d(x, x, c);
    ival_at_least_zero(x);
    if (!ival_bad(x))
        mpfr_min(&v->proved->right, &v->proved->right, &x->right, MPFR_RNDU);
    mpfi_clear(log);
    mpfi_clear(x);
}

/* Opens a profile near the best guess; again at the solution when that lies far off. */
static dp_status approach(inversion *v, const engine *e, effort *f, double *guess)
{
    dp_status status = DP_OK;
    bool again = true;
    for (int round = 0; again && round < ROUNDS; round++) {
        profile p;
        v->lost = false;
        status = profile_open(&p, e, *guess, f->bits + 16, f->gap, f->cheap, v->lim);
        f->spared = p.spared;
        if (status == DP_OK) {
            f->exact = p.exact;
            v->p = &p;
            v->width = (mpfr_prec_t)-log2(f->gap);
            v->enough = p.bits;
            mpfr_set_d(v->x, *guess, MPFR_RNDN);
            status = bracket_epsilon(v, f->gap);
        }
        profile_close(&p);
        again = look_again(v, guess, status, round, f->had > 0);
    }
    return status;
}

/* One level of effort: what it proves. */
static dp_status epsilon_once(mpfi_t out, bool *zero, const engine *e, const mpq_t delta, effort *f,
                              double *guess, const limits *lim)
{
    inversion v;
    inversion_init(&v, e, delta, f->bits + 16, lim);
    dp_status status = DP_OK;
    engine_distance(v.at, e, v.proved);
    v.zero = mpfr_lessequal_p(&v.at->right, &v.target->left);
    /* at an end of 0, s* is not yet told from 0: the precision must rise */
    if (!v.zero && limits_expired(lim)) {
        status = DP_LIMIT;
    } else if (!v.zero && mpfr_sgn(&v.target->left) > 0) {
        if (*guess < 0)
            *guess = first_guess(&v, &e->all.tilt);
        if (!e->all.bounded)
            first_end(&v, e, *guess);
        status = approach(&v, e, f, guess);
    }
    *zero = v.zero;
    mpfi_set_prec(out, v.work);
    mpfi_set(out, v.proved);
    inversion_clear(&v);
    return status;
}

dp_status optimal_epsilon(dp_figure *out, const engine *e, const mpq_t delta, size_t digits,
                          const limits *lim)
{
    effort f = effort_start(digits);
    mpfi_t next;
    mpfi_init2(next, 64);
    double guess = -1;
    bool first = true, agrees = false, zero = false;
    dp_status status;
    mpfi_ptr x = figure_enclose(out, f.bits + 32);
    engine_top(x, e);
    mpfr_set_zero(&x->left, 1);
    do {
        status = epsilon_once(next, &zero, e, delta, &f, &guess, lim);
        if (status == DP_OK && first && !zero && mpfr_zero_p(&next->left))
            zero = optimal_is_zero(e, delta);
        if (zero) {
            figure_set_ui(out, 0);
            agrees = true;
            break;
        }
        if (status != DP_OK && status != DP_LIMIT)
            break;
        effort_tighten(out->enclosure, next); /* at a limit, with the ends proved before it */
        limits_narrowed(lim, "epsilon", out->enclosure);
        agrees = refine_agrees(out, digits);
        effort_aim(&f, out->enclosure, digits);
        first = first && status != DP_OK;
    } while (!agrees && effort_raise(&f, status, refine_bits(digits) + EFFORT_EXTRA_BITS, lim));
    mpfi_clear(next);
    return effort_finished(status, agrees);
}
