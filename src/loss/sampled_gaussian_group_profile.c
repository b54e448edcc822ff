/* SPDX-License-Identifier: MIT */
/* The profile of one use for groups of k records, by the place where the ratio of the masses is
 * e^x. */
#include <stdlib.h>

#include "loss/gaussian.h"
#include "loss/sampled_gaussian_parts.h"
#include "num/ival.h"

/* With r(y) = E where y = v: removed, sum_j w_j Phi(j/s - v) - E Phi(-v), r > E above v; added,
 * with r(v) = 1/E, Phi(v) - E sum_j w_j Phi(v - j/s). 1 - E and 0 where no v has that. */

/* out = ln r(y), and rise = its derivative, the mean number over s */
static void log_ratio(mpfi_t out, mpfi_t rise, sgm_work *w, mpfr_srcptr y)
{
    mpfi_set_fr(w->y, y);
    mpfi_mul(w->u, w->y, w->inverse);
    mpfi_exp(w->u, w->u);
    sgm_group_sums(out, NULL, rise, w);
    mpfi_div(rise, rise, out);
    mpfi_mul(rise, rise, w->inverse);
    mpfi_log(out, out);
}

/* v encloses where ln r = level, which is above its least value. By Newton's steps from the right,
 * as ln r is convex; then widened until signs at both ends prove it. */
static bool find_place(mpfi_t v, sgm_work *w, const mpfi_t level)
{
    mpfr_prec_t bits = mpfi_get_prec(v);
    mpfi_t l, rise;
    mpfr_t y, d;
    mpfi_init2(l, bits);
    mpfi_init2(rise, bits);
    mpfr_init2(y, bits);
    mpfr_init2(d, bits);
    mpfi_log(l, w->terms[1].weight); /* r >= that term: (level - l) s is right of it */
    mpfi_sub(l, level, l);
    mpfi_div(l, l, w->inverse);
    mpfr_set(y, &l->right, MPFR_RNDU);
    for (int i = 0; i < 400; i++) {
        log_ratio(l, rise, w, y);
        mpfr_sub(d, &l->left, &level->left, MPFR_RNDN);
        mpfr_div(d, d, &rise->right, MPFR_RNDN);
        mpfr_sub(y, y, d, MPFR_RNDN);
        if (!mpfr_number_p(y) || mpfr_zero_p(d) ||
            (mpfr_regular_p(y) && mpfr_get_exp(d) < mpfr_get_exp(y) - bits * 3 / 4))
            break;
    }
    bool ok = false;
    for (mpfr_exp_t slack = 40; !ok && mpfr_number_p(y) && slack < bits; slack *= 2) {
        mpfr_set_ui_2exp(d, 1, (mpfr_regular_p(y) ? mpfr_get_exp(y) : 0) + slack - bits, MPFR_RNDU);
        mpfr_sub(&v->left, y, d, MPFR_RNDD);
        mpfr_add(&v->right, y, d, MPFR_RNDU);
        log_ratio(l, rise, w, &v->left);
        ok = mpfr_lessequal_p(&l->right, &level->left);
        log_ratio(l, rise, w, &v->right);
        ok = ok && mpfr_greaterequal_p(&l->left, &level->right);
    }
    mpfr_clear(d);
    mpfr_clear(y);
    mpfi_clear(rise);
    mpfi_clear(l);
    return ok;
}

/* x = Phi(x) */
static void to_normal(mpfi_t x)
{
    mpfi_t root;
    mpfi_init2(root, mpfi_get_prec(x));
    mpfi_set_ui(root, 2);
    mpfi_sqrt(root, root);
    mpfi_div(x, x, root);
    mpfi_neg(x, x);
    ival_to_erfc(x);
    mpfi_div_2ui(x, x, 1);
    mpfi_clear(root);
}

/* s from v, and q and p the masses of the noise alone and of the mixture */
static void from_place(mpfi_t s, mpfi_t q, mpfi_t p, sgm_work *w, const mpfi_t v, const mpfi_t e)
{
    mpfi_t rate, rest, part;
    mpfr_prec_t bits = mpfi_get_prec(s);
    mpfi_ptr all[] = {rate, rest, part};
    bool add = w->g->add;
    for (size_t i = 0; i < 3; i++)
        mpfi_init2(all[i], bits);
    ival_log_q(rate, w->g->rate);
    ival_log1m_q(rest, w->g->rate);
    mpfi_set_ui(p, 0);
    for (unsigned long j = 0; j <= w->g->group; j++) {
        mpfi_mul_ui(s, w->inverse, j);
        mpfi_sub(s, s, v);
        if (add)
            mpfi_neg(s, s);
        to_normal(s);
        if (j == 0)
            mpfi_set(q, s);
        sgm_group_log_mass(part, w->g, j, rate, rest);
        mpfi_exp(part, part);
        mpfi_mul(s, s, part);
        mpfi_add(p, p, s);
    }
    mpfi_mul(part, e, add ? p : q);
    mpfi_sub(s, add ? q : p, part);
    for (size_t i = 0; i < 3; i++)
        mpfi_clear(all[i]);
}

/* False: not found at this precision. */
static bool profile_number(mpfi_t s, mpfr_t slope, sgm_work *w, mpfr_srcptr x)
{
    const sgm_item *g = w->g;
    mpfi_t level, e, v, least, q;
    mpfi_ptr all[] = {level, e, v, least, q};
    for (size_t i = 0; i < 5; i++)
        mpfi_init2(all[i], mpfi_get_prec(s));
    mpfi_set_fr(level, x);
    mpfi_exp(e, level);
    if (g->add)
        mpfi_neg(level, level);
    ival_log1m_q(least, g->rate);
    mpfi_mul_ui(least, least, g->group);
    bool ok = true;
    mpfr_set_ui(slope, 0, MPFR_RNDN);
    if (mpfr_lessequal_p(&level->right, &least->left)) {
        mpfi_ui_sub(s, 1, e);
        if (g->add)
            mpfi_set_ui(s, 0);
    } else if (mpfr_lessequal_p(&level->left, &least->right) || !find_place(v, w, level)) {
        mpfi_interv_si(s, 0, 1); /* too near the edge to tell */
        ok = false;
    } else {
        from_place(s, q, least, w, v, e);
        mpfr_mul(slope, &e->left, g->add ? &least->left : &q->left, MPFR_RNDN);
    }
    for (size_t i = 0; i < 5; i++)
        mpfi_clear(all[i]);
    return ok;
}

static bool is_narrow(const mpfi_t x, mpfr_prec_t bits)
{
    MPFR_DECL_INIT(width, 64);
    mpfi_diam_rel(width, x);
    return mpfi_is_zero(x) || mpfr_cmp_ui_2exp(width, 1, -bits) <= 0;
}

/* At rising precision: both masses are nearly equal where s is small beside them. */
static bool profile_to(mpfi_t s, mpfr_t slope, const sgm_item *g, mpfr_srcptr x)
{
    static const sgm_plan real = {.h = 1};
    mpfr_prec_t bits = mpfi_get_prec(s), work = bits + 128;
    mpfi_t wide;
    mpfi_init2(wide, work);
    bool done = false, memory = true;
    for (int i = 0; i < 4 && memory && !done; i++, work *= 2) {
        sgm_work w;
        mpfr_prec_t more = 64 + (mpfr_regular_p(x) ? labs(mpfr_get_exp(x)) % 4096 : 0);
        mpfi_set_prec(wide, work);
        memory = sgm_work_init(&w, g, &real, work + more);
        if (!memory)
            break;
        done = profile_number(wide, slope, &w, x) && mpfr_sgn(&wide->left) >= 0 &&
               is_narrow(wide, bits);
        sgm_work_clear(&w);
    }
    ival_clamp_ui(wide, 0, 1);
    mpfi_set(s, wide);
    mpfi_clear(wide);
    return memory;
}

bool sgm_group_profile(mpfi_t s, mpfr_t slope, const sgm_item *g, const mpfi_t x)
{
    mpfi_t other;
    mpfi_init2(other, mpfi_get_prec(s));
    bool ok = profile_to(s, slope, g, &x->left);
    if (ok && !mpfr_equal_p(&x->left, &x->right)) { /* it falls */
        ok = profile_to(other, slope, g, &x->right);
        mpfr_swap(&s->left, &other->left);
    }
    mpfi_clear(other);
    return ok;
}
