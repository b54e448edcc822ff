/* SPDX-License-Identifier: MIT */
/* One run whose attack chooses from the output how many guesses it makes: outcomes (r, W) in the
 * order of Pr[Bin(r, q) >= W] at one reference epsilon, and the worst level of a rule W >= v(r). */
#include "attack/audit.h"

#include <math.h>

#include "attack/audit_ladder.h"
#include "attack/root.h"
#include "num/ival.h"
#include "num/memory.h"
#include "num/number.h"

#define ORDER_BITS 192

/* step[r - 1]: does v(r) stay, where v(r) is the least v whose score is at most that of the
 * outcome? It is v(r-1) or one more. What cannot be told from a tie counts as one, which makes the
 * rule larger and the p-value no smaller. */
static void order(bool *stay, const audit_in *in)
{
    mpfi_t x;
    share tail;
    mpfi_init2(x, ORDER_BITS);
    share_init(&tail, ORDER_BITS);
    mpfi_set_ui(x, 1);
    if (in->claim != NULL)
        ival_set_number(x, in->claim);
    ladder l;
    ladder_init(&l, binomial_bits(ORDER_BITS, in->canaries));
    share_logistic(&l.odds, x);
    binomial_tail(&tail, NULL, in->hits, in->members, &l.odds);
    for (unsigned long r = 1; r <= in->canaries; r++) {
        stay[r - 1] = false;
        if (l.v > 0) {
            mpfi_mul(l.part, l.mass, l.odds.no);
            mpfi_mul_ui(l.part, l.part, l.v);
            mpfi_div_ui(l.part, l.part, l.r - l.v + 1);
            mpfi_add(l.part, l.part, l.tail);
            stay[r - 1] = mpfr_cmp(&l.part->left, &tail.yes->right) <= 0;
        }
        if (stay[r - 1])
            ladder_climb(&l);
        else
            ladder_climb_both(&l);
    }
    ladder_clear(&l);
    share_clear(&tail);
    mpfi_clear(x);
}

/* The worst level at epsilon: lambda + m delta (1 - lambda) max tail/(v mass) over r, lambda the
 * largest tail. `first` is the least r that has a threshold. */
static void level_of(mpfi_t out, const audit_in *in, const bool *stay, unsigned long first,
                     const mpfi_t epsilon)
{
    ladder l;
    mpfi_t most, ratio, best;
    mpfr_prec_t bits = binomial_bits(mpfi_get_prec(out), in->canaries) + 64;
    ladder_init(&l, bits);
    share_logistic(&l.odds, epsilon);
    mpfi_init2(most, bits);
    mpfi_init2(ratio, bits);
    mpfi_init2(best, bits);
    mpfi_set_ui(most, 0);
    mpfi_set_ui(best, 0);
    for (unsigned long r = 1; r <= in->canaries; r++) {
        if (stay[r - 1])
            ladder_climb(&l);
        else
            ladder_climb_both(&l);
        if (r < first)
            continue;
        ival_take_most(most, l.tail);
        if (mpq_sgn(in->delta) == 0)
            continue;
        mpfi_div(ratio, l.tail, l.mass);
        mpfi_div_ui(ratio, ratio, l.v);
        ival_take_most(best, ratio);
    }
    ival_clamp_ui(most, 0, 1);
    mpfi_ui_sub(ratio, 1, most);
    mpfi_mul(ratio, ratio, best);
    mpfi_mul_ui(ratio, ratio, in->canaries);
    mpfi_mul_q(ratio, ratio, in->delta);
    mpfi_add(out, most, ratio);
    mpfi_clear(best);
    mpfi_clear(ratio);
    mpfi_clear(most);
    ladder_clear(&l);
}

typedef struct rule {
    const audit_in *in;
    bool *stay;
    unsigned long first;
} rule;

/* DP_MEMORY; the rule's array is to be freed. */
static dp_status rule_init(rule *l, const audit_in *in)
{
    *l = (rule){.in = in, .stay = memory_new(in->canaries, sizeof *l->stay)};
    if (l->stay == NULL)
        return DP_MEMORY;
    /* the least r with q^r at most the outcome's tail: before it there is no threshold */
    mpfi_t x, power;
    share odds, tail;
    mpfi_init2(x, ORDER_BITS);
    mpfi_init2(power, ORDER_BITS);
    share_init(&odds, binomial_bits(ORDER_BITS, in->canaries));
    share_init(&tail, ORDER_BITS);
    mpfi_set_ui(x, 1);
    if (in->claim != NULL)
        ival_set_number(x, in->claim);
    share_logistic(&odds, x);
    binomial_tail(&tail, NULL, in->hits, in->members, &odds);
    mpfi_set_ui(power, 1);
    for (l->first = 1; l->first <= in->members; l->first++) {
        mpfi_mul(power, power, odds.yes);
        if (mpfr_cmp(&power->left, &tail.yes->right) <= 0)
            break;
    }
    share_clear(&tail);
    share_clear(&odds);
    mpfi_clear(power);
    mpfi_clear(x);
    order(l->stay, in);
    return DP_OK;
}

#define EXACT_CANARIES 1000

/* The worst level at epsilon 0, where tails are counts of 2^r; false, and nothing, of many. */
static bool level_at_zero(mpq_t level, const rule *l)
{
    const audit_in *in = l->in;
    if (in->canaries > EXACT_CANARIES)
        return false;
    mpz_t tail, mass, part;
    mpq_t x, best;
    mpz_inits(tail, mass, part, NULL);
    mpq_inits(x, best, NULL);
    mpz_set_ui(tail, 1);
    mpz_set_ui(mass, 1);
    mpq_set_ui(level, 0, 1);
    for (unsigned long r = 1, v = 0; r <= in->canaries; r++) {
        mpz_mul_2exp(tail, tail, 1);
        mpz_mul_ui(part, mass, v);
        mpz_divexact_ui(part, part, r - v); /* the choices of v - 1 of r - 1 */
        (l->stay[r - 1] ? mpz_add : mpz_sub)(tail, tail, l->stay[r - 1] ? part : mass);
        v += l->stay[r - 1] ? 0 : 1;
        mpz_bin_uiui(mass, r, v);
        if (r < l->first)
            continue;
        mpq_set_z(x, tail);
        mpq_div_2exp(x, x, r);
        if (mpq_cmp(x, level) > 0)
            mpq_set(level, x);
        mpz_set(mpq_numref(x), tail);
        mpz_mul_ui(mpq_denref(x), mass, v);
        mpq_canonicalize(x);
        if (mpq_cmp(x, best) > 0)
            mpq_set(best, x);
    }
    mpq_set_ui(x, in->canaries, 1); /* level + m delta (1 - level) best */
    mpq_mul(best, best, x);
    mpq_mul(best, best, in->delta);
    mpq_set_ui(x, 1, 1);
    mpq_sub(x, x, level);
    mpq_mul(best, best, x);
    mpq_add(level, level, best);
    mpq_clears(x, best, NULL);
    mpz_clears(tail, mass, part, NULL);
    return true;
}

static void above_alpha(mpfi_t out, const mpfi_t at, const void *in)
{
    const rule *l = in;
    mpfi_t alpha;
    mpfi_init2(alpha, mpfi_get_prec(out));
    level_of(out, l->in, l->stay, l->first, at);
    mpfi_set_q(alpha, l->in->alpha);
    mpfi_div(out, out, alpha);
    mpfi_log(out, out);
    mpfi_clear(alpha);
}

/* The same in doubles, about; no number where these end. */
static double guess_quickly(const void *in, double x)
{
    const rule *l = in;
    double yes = 1 / (1 + exp(-x)), no = 1 / (1 + exp(x)), tail = 1, mass = 1, v = 0;
    double most = 0, best = 0, canaries = (double)l->in->canaries;
    for (unsigned long k = 1; k <= l->in->canaries; k++) {
        double r = (double)k;
        if (l->stay[k - 1]) {
            tail += mass * no * v / (r - v);
            mass *= no * r / (r - v);
        } else {
            tail -= mass * no;
            v++;
            mass *= yes * r / v;
        }
        if (k < l->first)
            continue;
        most = fmax(most, tail);
        best = fmax(best, tail / (v * mass));
    }
    double level = most + canaries * mpq_get_d(l->in->delta) * (1 - most) * best;
    return log(level) - ival_guess_log(l->in->alpha);
}

#define GUESS_BITS 64

static double guess_above(const void *in, double x)
{
    mpfi_t at, out;
    mpfi_init2(at, GUESS_BITS);
    mpfi_init2(out, GUESS_BITS);
    mpfi_set_d(at, x);
    above_alpha(out, at, in);
    double y = mpfr_get_d(&out->left, MPFR_RNDN);
    mpfi_clear(out);
    mpfi_clear(at);
    return y;
}

static bool enclose_by(mpfi_t x, double (*guess)(const void *of, double x), const rule *l)
{
    double high = 1;
    while (high < 1e3 && guess(l, high) < 0)
        high *= 2;
    double near = root_guess(guess, l, 0, high);
    return isfinite(near) &&
           root_enclose(x, above_alpha, l, &(root_start){.near = near, .error = 1e-9});
}

dp_status audit_eval_adaptive(dp_figure *out, const void *in, const wanted *want)
{
    const audit_in *a = in;
    if (a->hits == 0) {
        figure_set_ui(&out[0], 0);
        return DP_OK;
    }
    rule l;
    dp_status status = rule_init(&l, a);
    if (status != DP_OK)
        return status;
    mpfi_t x;
    mpq_t level;
    mpq_init(level);
    mpfi_init2(x, want->bits);
    mpfi_set_ui(x, 0);
    above_alpha(x, x, &l);
    bool tie = want->rational && mpfr_sgn(&x->right) >= 0 && level_at_zero(level, &l) &&
               mpq_cmp(level, a->alpha) >= 0;
    if (tie || mpfr_sgn(&x->left) >= 0) {
        figure_set_ui(&out[0], 0);
    } else {
        if (!enclose_by(x, guess_quickly, &l))
            enclose_by(x, guess_above, &l);
        audit_not_below_zero(&out[0], x, want->bits);
    }
    mpfi_clear(x);
    mpq_clear(level);
    memory_free(l.stay);
    return DP_OK;
}

dp_status audit_adaptive_p(dp_figure *out, const void *in, const wanted *want)
{
    const audit_in *a = in;
    if (a->hits == 0) {
        figure_set_ui(&out[0], 1);
        return DP_OK;
    }
    rule l;
    dp_status status = rule_init(&l, a);
    if (status != DP_OK)
        return status;
    if (want->rational && dp_number_sgn(a->claim) == 0 && level_at_zero(out[0].rational, &l)) {
        out[0].kind = DP_RATIONAL;
        if (mpq_cmp_ui(out[0].rational, 1, 1) > 0)
            mpq_set_ui(out[0].rational, 1, 1);
        memory_free(l.stay);
        return DP_OK;
    }
    mpfi_t e;
    mpfi_init2(e, binomial_bits(want->bits, a->canaries) + 64);
    ival_set_number(e, a->claim);
    mpfi_ptr p = figure_enclose(&out[0], want->bits);
    level_of(p, a, l.stay, l.first, e);
    ival_clamp_ui(p, 0, 1);
    mpfi_clear(e);
    memory_free(l.stay);
    return DP_OK;
}
