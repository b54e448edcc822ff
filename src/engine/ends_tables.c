/* SPDX-License-Identifier: MIT */
/* Few uses of laws with ends: what is made of them at the nodes. */
#include <math.h>

#include "engine/ends.h"
#include "num/fejer.h"
#include "num/ival.h"
#include "num/memory.h"

#define MOST_DISTANCE 0x1p27 /* of exponents, well below those of MPFR */
#define PLACE_BITS 64        /* beyond those of the nodes */
#define LOOK 64              /* at the clock after so many nodes */

/* The j of each outer kind in the o-th term, and its atom. */
size_t ends_numbers(unsigned long j[ENDS_KINDS], const ends_sum *p, size_t o)
{
    for (size_t k = 0; k + 1 < p->kinds; k++) {
        size_t terms = p->kind[k].times + 1;
        j[k] = o % terms;
        o /= terms;
    }
    return o;
}

mpfi_t *ends_list_new(size_t count, mpfr_prec_t bits)
{
    mpfi_t *list = memory_new(count, sizeof *list);
    for (size_t i = 0; list != NULL && i < count; i++)
        mpfi_init2(list[i], bits);
    return list;
}

void ends_list_free(mpfi_t *list, size_t count)
{
    for (size_t i = 0; list != NULL && i < count; i++)
        mpfi_clear(list[i]);
    memory_free(list);
}

/* ---- the rays -------------------------------------------------------------------------------- */
/* out = e^(z place), z a node */
static void wave(cball *out, const ends_sum *p, int side, size_t m, const mpfi_t place)
{
    mpfi_t x, theta;
    mpfi_init2(x, mpfi_get_prec(place));
    mpfi_init2(theta, mpfi_get_prec(place));
    mpfi_mul(x, p->re[side][m], place);
    mpfi_mul(theta, p->im[side][m], place);
    cball_exp(out, x, theta);
    mpfi_clear(theta);
    mpfi_clear(x);
}

/* term[j] = C(T,j) high^j low^(T-j); low and high are used up */
static void binomial_terms(cball *term, unsigned long uses, const cball *low, const cball *high,
                           mpfr_prec_t bits)
{
    mpz_t ways;
    mpfi_t x;
    cball power;
    mpz_init_set_ui(ways, 1);
    mpfi_init2(x, bits);
    cball_init(&power, bits);
    cball_set_ui(&term[0], 1);
    for (unsigned long j = 1; j <= uses; j++) {
        cball_mul(&term[j], &term[j - 1], high);
        cball_measure(&term[j]);
    }
    cball_set_ui(&power, 1);
    for (unsigned long j = uses + 1; j-- > 0;) {
        mpfi_set_z(x, ways);
        cball_mul(&term[j], &term[j], &power);
        cball_mul_i(&term[j], &term[j], x);
        cball_mul(&power, &power, low);
        cball_measure(&power);
        mpz_mul_ui(ways, ways, j);
        mpz_divexact_ui(ways, ways, uses - j + 1);
    }
    cball_clear(&power);
    mpfi_clear(x);
    mpz_clear(ways);
}

/* factor = (h dz/d ln rho) / (z (z+1)) at a node, as 2h rho e^(i omega): rho e^(i omega) = z - z_1
 */
static void set_factor(cball *to, const ends_sum *p, int side, size_t m)
{
    mpfi_t x, y;
    cball part;
    mpfr_prec_t bits = mpfi_get_prec(p->re[side][m]);
    mpfi_init2(x, bits);
    mpfi_init2(y, bits);
    cball_init(&part, bits);
    cball_set_ui(to, 1);
    for (unsigned long pole = 0; pole < 2; pole++) {
        mpfi_add_ui(x, p->re[side][m], pole);
        cball_set_parts(&part, x, p->im[side][m]);
        cball_inv(&part, &part);
        cball_mul(to, to, &part);
    }
    mpfi_sub_d(x, p->re[side][m], p->c);
    mpfi_sub_d(y, p->im[side][m], p->tau);
    cball_set_parts(&part, x, y);
    cball_mul(to, to, &part);
    mpfi_set_d(x, 2 * p->step);
    cball_mul_i(to, to, x);
    cball_measure(to);
    cball_clear(&part);
    mpfi_clear(y);
    mpfi_clear(x);
}

/* The values of a kind at the nodes, times the waves of its ends but at far nodes. */
static dp_status end_waves(cball *f[2], const ends_sum *p, size_t kind, int side)
{
    const ends_kind *k = &p->kind[kind];
    dp_status status = k->law->ops->ends->ray(f, k->law->self, k->index, &p->ray[side]);
    cball part;
    cball_init(&part, p->work);
    for (size_t m = 0; status == DP_OK && m < p->far[side]; m++)
        for (size_t e = 0; e < 2; e++) {
            wave(&part, p, side, m, e == 0 ? k->low : k->high);
            cball_mul(&f[e][m], &f[e][m], &part);
        }
    cball_clear(&part);
    return status;
}

/* Parts of the last kind: at the left ray the sums of terms from each j on, else of those before;
 * `step` NULL, or the wave from each term to the next further from x, where the nearest one has
 * none. */
static void set_sums(cball *sum, const cball *term, unsigned long uses, int side, const cball *step)
{
    bool left = side == ENDS_LEFT;
    cball_set_ui(&sum[left ? uses + 1 : 0], 0);
    for (unsigned long i = 0; i <= uses; i++) {
        unsigned long j = left ? uses - i : i;
        cball *to = &sum[left ? j : j + 1];
        const cball *before = &sum[left ? j + 1 : j];
        if (step != NULL) {
            cball_mul(to, before, step);
            before = to;
        }
        cball_add(to, before, &term[j]);
        cball_measure(to);
    }
}

/* The same at a far node. */
static void set_far_sums(cball *sum, const cball *term, const ends_sum *p, int side, size_t m)
{
    const ends_kind *k = &p->kind[p->kinds - 1];
    mpfi_t step;
    cball turn;
    mpfi_init2(step, mpfi_get_prec(k->low));
    cball_init(&turn, p->work);
    mpfi_sub(step, k->high, k->low);
    if (side == ENDS_RIGHT)
        mpfi_neg(step, step);
    wave(&turn, p, side, m, step);
    set_sums(sum, term, k->times, side, &turn);
    cball_clear(&turn);
    mpfi_clear(step);
}

/* coefficient *= the terms of an outer kind */
static void take_outer(cball *coefficient, const ends_sum *p, size_t kind, const cball *term)
{
    for (size_t o = 0; o < p->outer; o++) {
        unsigned long j[ENDS_KINDS];
        ends_numbers(j, p, o);
        cball_mul(&coefficient[o], &coefficient[o], &term[j[kind]]);
    }
}

static dp_status take_kind(ends_sum *p, size_t kind, int side, const limits *lim)
{
    unsigned long uses = p->kind[kind].times;
    size_t count = p->ray[side].count;
    cball *f[] = {cball_list_new(count, p->work), cball_list_new(count, p->work)};
    cball *term = cball_list_new(uses + 1, p->work);
    bool ok = f[0] != NULL && f[1] != NULL && term != NULL;
    dp_status status = ok ? end_waves(f, p, kind, side) : DP_MEMORY;
    for (size_t m = 0; status == DP_OK && m < count; m++) {
        if (m % LOOK == LOOK - 1 && limits_expired(lim))
            status = DP_LIMIT;
        binomial_terms(term, uses, &f[0][m], &f[1][m], p->work);
        cball *sum = &p->sum[side][m * (uses + 2)];
        if (kind + 1 == p->kinds && m < p->far[side])
            set_sums(sum, term, uses, side, NULL);
        else if (kind + 1 == p->kinds)
            set_far_sums(sum, term, p, side, m);
        else
            take_outer(&p->coefficient[side][m * p->outer], p, kind, term);
    }
    cball_list_free(term, uses + 1);
    cball_list_free(f[1], count);
    cball_list_free(f[0], count);
    return status;
}

/* coefficient = p e^(z l) of the atom of each outer term; p at far nodes */
static void start_outer(ends_sum *p, int side)
{
    mpfi_t mass, place;
    mpfi_init2(mass, p->work);
    mpfi_init2(place, p->work + PLACE_BITS);
    for (size_t m = 0; m < p->ray[side].count; m++)
        for (size_t o = 0; o < p->outer; o++) {
            cball *to = &p->coefficient[side][m * p->outer + o];
            unsigned long j[ENDS_KINDS];
            size_t atom = ends_numbers(j, p, o), step = p->outer / p->table.count;
            if (o % step != 0) { /* atoms count last */
                cball_set(to, to - 1);
                continue;
            }
            mpfi_set_fr(place, p->table.loss[atom]);
            mpfr_sub(&place->left, &place->left, p->eta, MPFR_RNDD);
            mpfr_add(&place->right, &place->right, p->eta, MPFR_RNDU);
            if (m < p->far[side])
                wave(to, p, side, m, place);
            else
                cball_set_ui(to, 1);
            mpfr_ui_sub(&mass->left, 1, p->error, MPFR_RNDD);
            mpfr_add_ui(&mass->right, p->error, 1, MPFR_RNDU);
            mpfi_mul_fr(mass, mass, p->table.p[atom]);
            cball_mul_i(to, to, mass);
        }
    mpfi_clear(place);
    mpfi_clear(mass);
}

/* About the largest exponent of a wave at a node. */
static double far_distance(const ends_sum *p, int side, size_t m)
{
    return mpfi_get_d(p->im[side][m]) * p->range;
}

dp_status ends_make_ray(ends_sum *p, int side, const limits *lim)
{
    size_t count = p->ray[side].count, parts = p->kind[p->kinds - 1].times + 2;
    mpfr_prec_t bits = p->work + PLACE_BITS;
    p->re[side] = ends_list_new(count, bits);
    p->im[side] = ends_list_new(count, bits);
    p->factor[side] = cball_list_new(count, p->work);
    p->coefficient[side] = cball_list_new(count * p->outer, p->work);
    p->sum[side] = cball_list_new(count * parts, p->work);
    if (p->re[side] == NULL || p->im[side] == NULL || p->factor[side] == NULL ||
        p->coefficient[side] == NULL || p->sum[side] == NULL)
        return DP_MEMORY;
    for (size_t m = 0; m < count; m++) {
        ends_point(p->re[side][m], p->im[side][m], &p->ray[side], m);
        set_factor(&p->factor[side][m], p, side, m);
        if (p->far[side] == m && far_distance(p, side, m) < MOST_DISTANCE)
            p->far[side]++;
    }
    start_outer(p, side);
    dp_status status = DP_OK;
    for (size_t k = 0; status == DP_OK && k < p->kinds; k++)
        status = take_kind(p, k, side, lim);
    return status;
}

/* ---- the line below -------------------------------------------------------------------------- */
/* Heights, ascending, with the weights of the rule. */
static dp_status set_heights(mpfi_t *weight, ends_sum *p)
{
    mpfr_prec_t bits = p->work + PLACE_BITS;
    mpfi_t *at = ends_list_new(p->points, bits), *share = ends_list_new(p->points, bits);
    bool ok = at != NULL && share != NULL;
    if (ok)
        fejer_rule(at, share, p->points);
    for (size_t i = 0; ok && i < p->panels * p->points; i++) {
        size_t j = p->points - 1 - i % p->points; /* they fall */
        mpfi_add_ui(p->height[i], at[j], i / p->points);
        mpfi_mul_d(p->height[i], p->height[i], p->tau);
        mpfi_div_ui(p->height[i], p->height[i], p->panels);
        mpfi_mul_d(weight[i], share[j], p->tau);
        mpfi_div_ui(weight[i], weight[i], p->panels);
    }
    ends_list_free(share, p->points);
    ends_list_free(at, p->points);
    return ok ? DP_OK : DP_MEMORY;
}

/* out = M(c + it) of the atoms */
static void atoms_at(cball *out, const ends_sum *p, const mpfi_t t)
{
    mpfi_t x, place, theta;
    cball part;
    mpfi_ptr all[] = {x, place, theta};
    for (size_t i = 0; i < 3; i++)
        mpfi_init2(all[i], p->work + PLACE_BITS);
    cball_init(&part, p->work);
    cball_set_ui(out, 0);
    for (size_t a = 0; a < p->table.count; a++) {
        mpfi_set_fr(place, p->table.loss[a]);
        mpfr_sub(&place->left, &place->left, p->eta, MPFR_RNDD);
        mpfr_add(&place->right, &place->right, p->eta, MPFR_RNDU);
        mpfi_mul_d(x, place, p->c);
        mpfi_mul(theta, place, t);
        cball_exp(&part, x, theta);
        mpfr_ui_sub(&x->left, 1, p->error, MPFR_RNDD);
        mpfr_add_ui(&x->right, p->error, 1, MPFR_RNDU);
        mpfi_mul_fr(x, x, p->table.p[a]);
        cball_mul_i(&part, &part, x);
        cball_add(out, out, &part);
    }
    cball_measure(out);
    cball_clear(&part);
    for (size_t i = 0; i < 3; i++)
        mpfi_clear(all[i]);
}

/* near[i] *= weight / (z (z+1)) */
static void take_poles(ends_sum *p, size_t i, const mpfi_t weight)
{
    mpfi_t x;
    cball part;
    mpfi_init2(x, p->work + PLACE_BITS);
    cball_init(&part, p->work);
    for (unsigned long pole = 0; pole < 2; pole++) {
        mpfi_set_d(x, p->c);
        mpfi_add_ui(x, x, pole);
        cball_set_parts(&part, x, p->height[i]);
        cball_inv(&part, &part);
        cball_mul(&p->near[i], &p->near[i], &part);
    }
    cball_mul_i(&p->near[i], &p->near[i], weight);
    cball_clear(&part);
    mpfi_clear(x);
}

dp_status ends_make_line(ends_sum *p, const limits *lim)
{
    size_t count = p->panels * p->points;
    mpfr_prec_t bits = p->work + PLACE_BITS;
    p->height = ends_list_new(count, bits);
    p->near = cball_list_new(count, p->work);
    mpfi_t *weight = ends_list_new(count, bits);
    cball *own = cball_list_new(count, p->work);
    bool ok = p->height != NULL && p->near != NULL && weight != NULL && own != NULL;
    dp_status status = ok ? set_heights(weight, p) : DP_MEMORY;
    for (size_t i = 0; status == DP_OK && i < count; i++) {
        atoms_at(&p->near[i], p, p->height[i]);
        take_poles(p, i, weight[i]);
    }
    for (size_t k = 0; status == DP_OK && k < p->kinds; k++) {
        const ends_kind *kind = &p->kind[k];
        mpz_srcptr times = kind->law->ops->ends->times(kind->law->self, kind->index);
        status = kind->law->ops->ends->line(own, kind->law->self, kind->index, p->c, p->height,
                                            count, p->work, lim);
        for (size_t i = 0; status == DP_OK && i < count; i++) {
            cball_pow(&own[i], &own[i], times);
            cball_mul(&p->near[i], &p->near[i], &own[i]);
        }
    }
    cball_list_free(own, count);
    ends_list_free(weight, count);
    return status;
}
