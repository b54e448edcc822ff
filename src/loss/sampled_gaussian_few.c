/* SPDX-License-Identifier: MIT */
/* The profile of few uses of the sampled Gaussian, whose moments hardly decay on a vertical line
 * and are huge to the right of it. With l = ln(r/(1-q)) > 0, b = sum of T ln(1-q), X = x - b > 0,
 *     s(x) = e^b I(X),   I(X) = (1 / 2 pi i) int prod g(z)^T e^(-zX) dz / (z (z+1)),
 *     g(z) = integral of phi(y) e^((1+z) l) dy,   y = y0 + s ln(e^l - 1),   y0 = s ln((1-q)/q) +
 * 1/(2s), on a path that crosses the real line right of 0; where records are added, s(x) = e^x e^b
 * I(X), X = -x - b, on one that crosses it left of -1 (the profile is e^x times that of the put at
 * e^-x, and both poles are passed). All losses of a use removed are above ln(1-q), so for X <= 0,
 * s(x) = 1 - e^x, and 0 where records are added. The path is a hyperbola into the right half-plane,
 * z = z0 + kappa sin(phi + iu): there e^(-zX) falls with e^u. g is taken along the ray l = rho e^(i
 * omega), phi < omega < pi/4, in ln rho: at both ends phi(y) falls faster than any e^(zl). As zeta
 * l = kappa/2 (-sin(omega-phi) + i cos(omega-phi)) rho e^u
 *            + kappa/2 (sin(omega+phi) - i cos(omega+phi)) rho e^-u,
 * Re(zeta l) on a path of angle psi <= omega is largest at u = 0, kappa sin psi cos omega rho, so
 * |g(z)| <= C(omega, 1 + z0 + kappa sin psi) on all of it (sampled_gaussian_few_bounds.c), and
 * likewise what the rule of step h on the ray misses is at most (C(omega+beta) + C(omega-beta)) /
 * (e^(2 pi beta/h) - 1). With steps of 2h on the path both parts are tables of one index, n the
 * node of the path and j that of the ray: g = sum_j W_j U_(j+2n) V_(j-2n);   where z0 = 0,   g =
 * 1/(1-q) + sum_j W_j (U V - 1), for 1/(1-q) is g(0): what is far left on the ray need not be
 * summed; the integrand is then at most twice as large, in all bounds. Errors: each entry is within
 * a relative e_W, e_U, e_V, a product of them within 3u of its own (sampled_gaussian_nodes.c);
 * where its exponent is below eta <= 1/4 in modulus a factor is taken for 1, which is off by at
 * most 3 eta. |terms| add up to at most A = sum |W_j| e^(kappa sin phi xi_j), and 1/(1-q) where
 * that is one. Where e^u >= 2, e^u - 1 >= e^u/2, so |W V U| <= |W_j| e^(kappa sin phi xi_j)
 * |U|^(1/2): there terms from some index of U on are left out. */
#include "loss/sampled_gaussian_few.h"

#include <math.h>

#include "loss/sampled_gaussian_bend.h"

#include "num/ival.h"
#include "num/memory.h"

#define MANY_USES 16384.0
#define SPARE_BITS 56 /* of those asked for, beyond the digits: as engine/profile.c has them */
#define LEAST_BITS 8.0
#define MOST_REFUSED 2
#define WINDOW_ROUNDS 12
#define MOST_DEPTH 800.0
#define FIRST_DEPTH 30.0
#define WINDOW_TERMS 5000.0
#define LITTLE_TERMS 4500.0 /* of little noise: few nodes of a vertical line may do */
#define PLAIN_NOISE 0.2
#define PLAIN_USES 1000.0 /* more go by a vertical line, unless moments are huge */
#define ROUGH_DEPTH 6.0   /* of a first look */
#define LOOKS 6
#define UNKNOWN_BITS 20.0
#define MOST_SHORT 200.0
#define LITTLE_NOISE 0.062 /* below this it splits (sampled_gaussian_split.c), which is faster */
#define LEAST_NOISE 0.04
#define ENTRY_SECONDS 4e-5 /* of tables, and of what is summed, at 128 bits */
#define PRODUCT_SECONDS 4e-7
#define ANY_SECONDS 0.1

struct sgm_few {
    few_plan plan;
    few_node *node;
    size_t count; /* that are made */
    mpfr_t log_mass;
    bend *bend;        /* NULL: not yet made */
    bool bent;         /* the nodes are by lines (sampled_gaussian_bend.h) */
    bool failed;       /* such nodes did not do */
    bool windowed;     /* moments are those with a window (sampled_gaussian_window.c) */
    double most_bits;  /* that windows can say */
    bool resorted;     /* to windows, where other moments did not do */
    int refused;       /* how often they said nothing */
    bool heavy;        /* moments are huge where they should be small */
    const limits *lim; /* of the call at hand; NULL: none */
};

sgm_few *sgm_few_new(void)
{
    sgm_few *few = memory_zero(1, sizeof *few);
    if (few != NULL)
        mpfr_init2(few->log_mass, FEW_BITS);
    return few;
}

static void forget(sgm_few *few)
{
    for (size_t i = 0; i < few->count; i++) {
        cball_clear(&few->node[i].term);
        mpfi_clear(few->node[i].re);
        mpfi_clear(few->node[i].im);
    }
    memory_free(few->node);
    few->node = NULL;
    few->count = 0;
}

void sgm_few_free(sgm_few *few)
{
    if (few == NULL)
        return;
    forget(few);
    bend_free(few->bend);
    mpfr_clear(few->log_mass);
    memory_free(few);
}

/* ---- the table ------------------------------------------------------------------------------ */
void sgm_few_limit(sgm_few *few, const limits *lim)
{
    few->lim = lim;
}

/* Is there time for the tables and sums of the plan? */
static bool has_time(const sgm_few *few)
{
    const few_plan *plan = &few->plan;
    double bits = (double)plan->work / 128;
    double entries = 2 * (double)(plan->last - plan->first) + 4 * (double)plan->nodes;
    double seconds = bits * (ENTRY_SECONDS * entries + PRODUCT_SECONDS * plan->cost);
    if (few->lim == NULL || seconds < limits_left(few->lim))
        return true;
    limits_note(few->lim, DP_MET_TIME);
    return false;
}

/* out = re + i im */
static void set_ball(cball *out, const mpfi_t re, const mpfi_t im, cball *part)
{
    cball_set_i(out, re);
    cball_set_i(part, im);
    mpfr_swap(part->re, part->im);
    cball_add(out, out, part);
    mpfr_set_inf(out->size, 1);
    cball_measure(out);
}

/* z, and kappa cos(phi + iu) / (z (z+1)), at the node n, cos(phi + iu) = cos phi cosh u - i sin phi
 * sinh u */
static void place_node(few_node *to, const few_plan *plan, int64_t n)
{
    mpfi_t sine, cosine, sinh, cosh, part;
    mpfi_ptr all[] = {sine, cosine, sinh, cosh, part};
    cball other, z;
    for (size_t i = 0; i < 5; i++)
        mpfi_init2(all[i], plan->work + 32);
    cball_init(&other, plan->work);
    cball_init(&z, plan->work);
    mpfi_set_d(part, 2 * plan->h * (double)n);
    mpfi_sinh(sinh, part);
    mpfi_cosh(cosh, part);
    mpfi_set_d(part, plan->phi);
    mpfi_sin(sine, part);
    mpfi_cos(cosine, part);
    mpfi_mul_d(sine, sine, plan->kappa);
    mpfi_mul_d(cosine, cosine, plan->kappa);
    mpfi_mul(to->re, sine, cosh);
    mpfi_add_d(to->re, to->re, plan->z0);
    mpfi_mul(to->im, cosine, sinh);
    mpfi_mul(sine, sine, sinh);
    mpfi_neg(sine, sine);
    mpfi_mul(cosine, cosine, cosh);
    set_ball(&to->term, to->re, to->im, &other);
    mpfi_add_ui(part, to->re, 1);
    set_ball(&z, part, to->im, &other);
    cball_mul(&to->term, &to->term, &z);
    cball_inv(&to->term, &to->term);
    set_ball(&z, cosine, sine, &other);
    cball_mul(&to->term, &to->term, &z);
    if (n > 0)
        cball_add(&to->term, &to->term, &to->term);
    cball_clear(&z);
    cball_clear(&other);
    for (size_t i = 0; i < 5; i++)
        mpfi_clear(all[i]);
}

/* log_mass >= the sum of T ln C of the outer path */
static void set_mass(sgm_few *few, const sgm *l)
{
    MPFR_DECL_INIT(part, FEW_BITS);
    mpfi_t order, log;
    mpfi_init2(order, FEW_BITS);
    mpfi_init2(log, FEW_BITS);
    few_vertex(order, &few->plan, few->plan.phi + few->plan.v);
    mpfi_add_ui(order, order, 1);
    mpfr_set_ui(few->log_mass, 0, MPFR_RNDU);
    for (size_t i = 0; i < l->items; i++) {
        few_mass(part, &l->item[i], few->plan.omega - few->plan.beta, order);
        mpfr_log(part, part, MPFR_RNDU);
        mpfi_set_fr(log, part);
        ival_mul_z(log, log, l->item[i].times);
        mpfr_add(few->log_mass, few->log_mass, &log->right, MPFR_RNDU);
    }
    mpfi_clear(log);
    mpfi_clear(order);
}

/* The cheaper of both kinds of plan. */
static bool choose_plan(sgm_few *few, const sgm *l, double gap, double depth)
{
    double seconds = 0;
    few_plan rays;
    if (few->windowed) {
        few->bent = bend_set_window(few->bend, l, -depth) &&
                    bend_plan(&few->plan, &seconds, few->bend, l, gap, depth);
        return few->bent;
    }
    if (few->bend->windowed)
        bend_unwindow(few->bend);
    few->bent = !few->failed && bend_plan(&few->plan, &seconds, few->bend, l, gap, depth);
    if ((few->bent && seconds < ANY_SECONDS) || !few_has_rays(l) ||
        !few_plan_make(&rays, l, gap, depth) ||
        (few->bent && seconds < PRODUCT_SECONDS * rays.cost))
        return few->bent;
    few->bent = false;
    few->plan = rays;
    return true;
}

/* Makes the nodes of a plan for X about `gap` to e^-depth; false where there are none. */
static bool make_nodes(sgm_few *few, const sgm *l, double gap, double depth)
{
    forget(few);
    if (!choose_plan(few, l, gap, depth) || !has_time(few))
        return false;
    few->node = memory_new((size_t)few->plan.nodes + 1, sizeof *few->node);
    if (few->node == NULL)
        return false;
    few->count = (size_t)few->plan.nodes + 1;
    for (size_t i = 0; i < few->count; i++) {
        cball_init(&few->node[i].term, few->plan.work);
        mpfi_init2(few->node[i].re, few->plan.work + 32);
        mpfi_init2(few->node[i].im, few->plan.work + 32);
        place_node(&few->node[i], &few->plan, (int64_t)i);
    }
    if (few->bent)
        return bend_terms(few->node, few->bend, l, &few->plan);
    set_mass(few, l);
    return few_nodes(few->node, l, &few->plan);
}

/* s = I(X), slope about -dI/dX */
static void add_nodes(mpfi_t s, mpfr_t slope, const sgm_few *few, const mpfi_t gap, bool add)
{
    mpfi_t x, y;
    cball sum, term;
    mpfr_t part, tilted; /* terms cancel: only the sum may be short */
    mpfr_prec_t bits = few->plan.work + 32;
    mpfi_init2(x, bits);
    mpfi_init2(y, bits);
    mpfr_init2(part, bits);
    mpfr_init2(tilted, bits);
    cball_init(&sum, few->plan.work);
    cball_init(&term, few->plan.work);
    mpfr_set_ui(tilted, 0, MPFR_RNDN);
    for (size_t n = 0; n < few->count; n++) {
        const few_node *at = &few->node[n];
        mpfi_mul(x, at->re, gap);
        mpfi_neg(x, x);
        mpfi_mul(y, at->im, gap);
        mpfi_neg(y, y);
        cball_exp(&term, x, y);
        cball_mul(&term, &term, &at->term);
        cball_add(&sum, &sum, &term);
        mpfr_mul(part, term.re, &at->re->left, MPFR_RNDN);
        mpfr_add(tilted, tilted, part, MPFR_RNDN);
        mpfr_mul(part, term.im, &at->im->left, MPFR_RNDN);
        mpfr_sub(tilted, tilted, part, MPFR_RNDN);
    }
    cball_real(s, &sum);
    mpfi_mul_d(s, s, few->plan.h);
    mpfi_const_pi(x);
    mpfi_div(s, s, x);
    mpfr_mul_d(slope, tilted, few->plan.h / M_PI, MPFR_RNDN);
    mpfr_set_prec(part, FEW_BITS);
    if (few->bent)
        bend_missed(part, few->bend, gap);
    else
        few_missed(part, &few->plan, gap, few->log_mass);
    mpfr_sub(&s->left, &s->left, part, MPFR_RNDD);
    mpfr_add(&s->right, &s->right, part, MPFR_RNDU);
    if (few->bent && few->bend->windowed) {
        mpfr_set_ui(part, 1, MPFR_RNDU);
        if (add) /* what is lost of s is e^X times as much of I(X) */
            mpfr_exp(part, &gap->right, MPFR_RNDU);
        mpfr_mul(part, part, few->bend->lost, MPFR_RNDU);
        mpfr_add(&s->right, &s->right, part, MPFR_RNDU);
    }
    cball_clear(&term);
    cball_clear(&sum);
    mpfr_clear(tilted);
    mpfr_clear(part);
    mpfi_clear(y);
    mpfi_clear(x);
}

/* By how many bits s is wider than a relative 2^-bits. */
static double bits_short(const mpfi_t s, double bits)
{
    MPFR_DECL_INIT(part, FEW_BITS);
    if (ival_bad(s) || !(mpfr_sgn(&s->left) > 0))
        return UNKNOWN_BITS;
    mpfr_sub(part, &s->right, &s->left, MPFR_RNDU);
    mpfr_div(part, part, &s->left, MPFR_RNDU);
    mpfr_log2(part, part, MPFR_RNDU);
    return fmin(bits + mpfr_get_d(part, MPFR_RNDU), MOST_SHORT);
}

/* About -ln I(X) and what bits take, with a window for that; HUGE_VAL: not known. Where one large
 * loss decides, a saddle says something only if windows end where that is: as much is lost as the
 * rest says then. */
static double window_depth(sgm_few *few, const sgm *l, double gap, double bits)
{
    if (l->item[0].add) { /* nothing is huge there */
        double near =
            bend_set_window(few->bend, l, -FIRST_DEPTH) ? bend_near(few->bend, l, gap) : NAN;
        double all = fmax(0, -near) + bits * M_LN2 + 3;
        return isfinite(near) && bend_set_window(few->bend, l, -all) ? all : HUGE_VAL;
    }
    double low = 0, high = MOST_DEPTH, depth = FIRST_DEPTH;
    for (int i = 0; i < WINDOW_ROUNDS && high - low > 2; i++) {
        double near = bend_near_window(few->bend, l, gap, -depth);
        if (isnan(near))
            return HUGE_VAL;
        if (fabs(near + depth) < 2)
            break;
        *(near < -depth ? &low : &high) = depth;
        depth = i > 0 || !(-near > low && -near < high) ? (low + high) / 2 : -near;
    }
    depth = fmax(0, depth) + bits * M_LN2 + 3;
    return bend_set_window(few->bend, l, -depth) ? depth : HUGE_VAL;
}

/* s = I(X) with windows, to all bits or as far as sums of moments go. */
static bool by_window(mpfi_t s, mpfr_t slope, const sgm *l, const mpfi_t gap, double bits)
{
    sgm_few *few = l->few;
    double x = mpfi_get_d(gap), depth = window_depth(few, l, x, bits);
    bool ok = false;
    few->windowed = true;
    few->most_bits = HUGE_VAL;
    for (int i = 0; !ok && isfinite(depth) && i < LOOKS; i++) {
        double most = l->item[0].add ? HUGE_VAL : bend_deepest(few->bend, l, x);
        if (!make_nodes(few, l, x, fmin(depth, most)))
            break;
        add_nodes(s, slope, few, gap, l->item[0].add);
        double lacks = bits_short(s, bits);
        ok = lacks <= 0;
        if (ival_bad(s)) /* bounds are none */
            break;
        if (depth > most && lacks < bits - LEAST_BITS && mpfr_sgn(&s->left) > 0) {
            few->most_bits = bits - lacks - 2;
            ok = true;
        }
        depth += (lacks + 2) * M_LN2;
    }
    few->windowed = false;
    few->refused += ok ? 0 : 1;
    if (!ok)
        forget(few);
    return ok;
}

/* s = I(X) without windows. */
static bool by_moments(mpfi_t s, mpfr_t slope, const sgm *l, const mpfi_t gap, double bits)
{
    sgm_few *few = l->few;
    if (few->bend->windowed)
        bend_unwindow(few->bend);
    double x = mpfi_get_d(gap), near = bend_near(few->bend, l, x);
    double depth = isfinite(near) ? fmax(0, -near) + bits * M_LN2 + 3 : ROUGH_DEPTH;
    few->failed = false;
    for (int i = 0; x > 0 && i < LOOKS && make_nodes(few, l, x, depth); i++) {
        add_nodes(s, slope, few, gap, l->item[0].add);
        double lacks = bits_short(s, bits);
        if (lacks <= 0)
            return true;
        few->failed = few->bent && lacks >= UNKNOWN_BITS && few_has_rays(l);
        depth += few->failed ? 0 : (lacks + 2) * M_LN2;
    }
    forget(few);
    return false;
}

/* s = I(X) by the nodes that are had, or by others where these are too few. Of little noise windows
 * are the last resort, and from then on come first. */
static bool evaluate(mpfi_t s, mpfr_t slope, const sgm *l, const mpfi_t gap, double bits)
{
    sgm_few *few = l->few;
    if (few->bend == NULL && (few->bend = bend_new()) == NULL)
        return false;
    if (few->count > 0) {
        add_nodes(s, slope, few, gap, l->item[0].add);
        if (bits_short(s, fmin(bits, few->most_bits)) <= 0)
            return true;
    }
    few->most_bits = HUGE_VAL;
    bool own = few_has_window(l, bits), above = mpfr_sgn(&gap->left) > 0;
    if (few->refused < MOST_REFUSED && (own || few->resorted) && above &&
        by_window(s, slope, l, gap, bits))
        return true;
    if ((few->heavy ? few_has_rays(l) : sgm_few_terms(l) <= LITTLE_TERMS) &&
        by_moments(s, slope, l, gap, bits))
        return true;
    if (own || !above || few->refused > 0 || bits <= LEAST_BITS || !few_may_window(l, bits))
        return false;
    few->resorted = by_window(s, slope, l, gap, bits);
    return few->resorted;
}

/* ---- the profile ---------------------------------------------------------------------------- */
double sgm_few_place(const sgm *l, double log_s)
{
    return few_place(&l->few->heavy, l, log_s);
}

static bool is_two(const sgm *l)
{
    return l->items == 1 && mpz_cmp_ui(l->item[0].times, 2) == 0;
}

/* More uses than a few go by a vertical line, unless their moments hardly decay on it. */
double sgm_few_terms(const sgm *l)
{
    double uses = 0, spread = 0;
    for (size_t i = 0; i < l->items; i++) {
        const sgm_item *g = &l->item[i];
        uses += g->count;
        spread = fmax(spread, g->s);
        if (g->group > 1 || g->add != l->item[0].add)
            return HUGE_VAL;
    }
    if (l->items == 1 && (uses == 1 || (is_two(l) && spread > LEAST_NOISE)))
        return 1;
    double little = spread < PLAIN_NOISE ? LITTLE_TERMS : 1;
    if (spread < FEW_SOME_NOISE)
        return uses > MANY_USES || spread < LITTLE_NOISE ? HUGE_VAL : little;
    if (few_has_rays(l) || (l->few->heavy && few_has_window(l, 0)))
        return 1;
    return uses <= PLAIN_USES && few_has_window(l, 0) ? WINDOW_TERMS : HUGE_VAL;
}

/* At a number x. */
static bool profile_at(mpfi_t s, mpfr_t slope, const sgm *l, mpfr_srcptr x, double bits)
{
    bool add = l->item[0].add, ok = true;
    mpfr_prec_t work = mpfi_get_prec(s) + mpfr_get_prec(x) + 64;
    mpfi_t gap, rest, part;
    mpfi_init2(gap, work);
    mpfi_init2(rest, work);
    mpfi_init2(part, work);
    mpfi_set_ui(rest, 0);
    for (size_t i = 0; i < l->items; i++) {
        ival_log1m_q(part, l->item[i].rate);
        ival_mul_z(part, part, l->item[i].times);
        mpfi_add(rest, rest, part);
    }
    mpfi_set_fr(gap, x);
    if (add)
        mpfi_neg(gap, gap);
    mpfi_sub(gap, gap, rest);
    mpfr_set_zero(slope, 1);
    if (mpfr_sgn(&gap->right) <= 0) {
        mpfi_set_fr(part, x);
        mpfi_expm1(part, part);
        mpfi_neg(part, part);
        mpfi_set_ui(s, 0);
        if (!add)
            mpfi_set(s, part);
        mpfr_ui_sub(slope, add ? 0 : 1, &s->left, MPFR_RNDN);
    } else if (is_two(l)) {
        ok = sgm_two_profile(s, slope, &l->item[0], x, bits, l->few->lim);
    } else if ((ok = evaluate(s, slope, l, gap, bits))) {
        if (add)
            mpfi_add_fr(rest, rest, x);
        mpfi_exp(rest, rest);
        mpfr_mul(slope, slope, &rest->left, MPFR_RNDN);
        mpfi_mul(s, s, rest);
        if (add) { /* s = e^x e^b I(-x - b) */
            mpfr_add(slope, slope, &s->left, MPFR_RNDN);
            mpfr_neg(slope, slope, MPFR_RNDN);
        }
        ival_clamp_ui(s, 0, 1);
    }
    mpfi_clear(part);
    mpfi_clear(rest);
    mpfi_clear(gap);
    return ok;
}

/* It falls. */
bool sgm_few_profile(mpfi_t s, mpfr_t slope, const sgm *l, const mpfi_t x)
{
    mpfr_prec_t asked = mpfi_get_prec(s);
    double bits = fmax((double)asked - SPARE_BITS, LEAST_BITS);
    bool ok = profile_at(s, slope, l, &x->left, bits);
    if (!ok || mpfr_equal_p(&x->left, &x->right))
        return ok;
    mpfi_t other;
    mpfi_init2(other, asked);
    ok = profile_at(other, slope, l, &x->right, bits);
    mpfr_swap(&s->left, &other->left);
    mpfi_clear(other);
    return ok;
}
