/* SPDX-License-Identifier: MIT */
/* From the solution of the linear program to a certified noise function and a proof of how good it
 * is. */
#include <stdlib.h>

#include "num/ival.h"
#include "solve/program.h"

#define DECIMALS 20 /* of the gamma that is then scaled */

/* Weak duality for rows divided by R, or with R = 0: sum y + sum_l max(0, w_l - sum y G_l - z
 * terms), rounded up, for any y, z >= 0.
 */
static void certify_bound(mpfi_t most, program *p)
{
    size_t K = p->c->voters, mid = (K + 1) / 2, n = p->n;
    mpfi_t sum, part, *rest = malloc(n * sizeof *rest);
    mpfi_set_ui(most, 0);
    if (rest == NULL) {
        mpfr_set_inf(&most->right, 1);
        return;
    }
    mpfi_init2(sum, p->bits);
    mpfi_init2(part, p->bits);
    for (size_t l = 0; l < n; l++) {
        mpfi_init2(rest[l], p->bits);
        mpfi_set_q(rest[l], p->c->weights[l]);
    }
    for (size_t i = 0; i < n; i++) {
        row_name name = p->simplex.active[i];
        mpfr_srcptr y = p->simplex.y[i];
        if (mpfr_sgn(y) <= 0 || name.kind == ROW_UPPER || name.kind == ROW_LOWER)
            continue;
        if (name.kind == ROW_RISE) {
            mpfi_sub_fr(rest[name.index], rest[name.index], y);
            mpfi_add_fr(rest[name.index + 1], rest[name.index + 1], y);
            continue;
        }
        if (p->scaled)
            mpfi_add_fr(most, most, y);
        const cut *k = &p->used[name.index];
        for (int end = 0; end < 2; end++) { /* the lower ends of G, then the upper ones */
            mpfr_rnd_t way = end == 0 ? MPFR_RNDD : MPFR_RNDU,
                       back = end == 0 ? MPFR_RNDU : MPFR_RNDD;
            mpfr_t *own = p->law[0], *other = p->law[1];
            for (int primed = 0; primed < 2; primed++) {
                /* + a_l - a_(K-l), and - E a'_l + E a'_(K-l), each end by its own rounding */
                program_law(own, p, k, primed == 1, way);
                program_law(other, p, k, primed == 1, back);
                for (size_t l = mid; l <= K; l++) {
                    size_t plus = primed == 0 ? l : K - l, minus = K - plus;
                    mpfr_sub(&sum->left, own[plus], other[minus], way);
                    mpfi_set_fr(part, &sum->left);
                    if (primed == 1)
                        mpfi_mul(part, part, p->odds);
                    mpfi_mul(part, part, p->unit);
                    mpfi_mul_fr(part, part, y);
                    /* the end that counts for w - y G */
                    if (end == 0)
                        mpfr_sub(&rest[l - mid]->right, &rest[l - mid]->right, &part->left,
                                 MPFR_RNDU);
                    else
                        mpfr_sub(&rest[l - mid]->left, &rest[l - mid]->left, &part->right,
                                 MPFR_RNDD);
                }
            }
        }
    }
    for (size_t l = 0; l < n; l++) {
        ival_at_least_zero(rest[l]);
        mpfi_add(most, most, rest[l]);
        mpfi_clear(rest[l]);
    }
    free(rest);
    mpfi_clear(part);
    mpfi_clear(sum);
}

/* gamma from x: clipped, to DECIMALS, then times t. */
static void set_gamma(noise *g, program *p, const mpq_t scale)
{
    mpq_t *upper = g->gamma + (p->c->voters + 1) / 2;
    mpz_t unit;
    mpfr_t scaled;
    mpz_init(unit);
    mpfr_init2(scaled, p->bits);
    mpz_ui_pow_ui(unit, 10, DECIMALS);
    for (size_t l = 0; l < p->n; l++) {
        mpfr_mul_z(scaled, p->simplex.x[l], unit, MPFR_RNDN);
        mpfr_get_z(mpq_numref(upper[l]), scaled, MPFR_RNDN);
        mpz_set(mpq_denref(upper[l]), unit);
        if (mpz_sgn(mpq_numref(upper[l])) < 0)
            mpz_set_ui(mpq_numref(upper[l]), 0);
        if (mpz_cmp(mpq_numref(upper[l]), unit) > 0)
            mpz_set(mpq_numref(upper[l]), unit);
        mpq_canonicalize(upper[l]);
        mpq_mul(upper[l], upper[l], scale);
        mpq_set(g->gamma[p->c->voters / 2 - l], upper[l]);
    }
    mpfr_clear(scaled);
    mpz_clear(unit);
}

/* t = R/F rounded down to a decimal, F the cost that delta at gamma means; 1 when it is within. */
static bool shrink(mpq_t scale, const program *p, const dp_figure *delta)
{
    if (dp_figure_le(delta, p->c->m->target_delta) == DP_YES)
        return false;
    mpfi_t cost, budget;
    mpfi_init2(cost, p->bits);
    mpfi_init2(budget, p->bits);
    mpfi_sub_ui(cost, p->odds, 1);
    mpfi_set_q(budget, p->c->m->target_delta);
    mpfi_mul_2ui(budget, budget, 1);
    mpfi_add(budget, budget, cost);
    mpfi_t twice;
    mpfi_init2(twice, p->bits);
    mpfi_mul_2ui(twice, delta->enclosure, 1);
    mpfi_add(cost, cost, twice);
    mpfi_clear(twice);
    mpfi_div(budget, budget, cost);
    mpz_t unit;
    mpz_init(unit);
    mpz_ui_pow_ui(unit, 10, DECIMALS);
    mpfr_mul_z(&budget->left, &budget->left, unit, MPFR_RNDD);
    mpz_set_ui(mpq_numref(scale), 0);
    if (mpfr_number_p(&budget->left) && mpfr_sgn(&budget->left) > 0)
        mpfr_get_z(mpq_numref(scale), &budget->left, MPFR_RNDD);
    mpz_set(mpq_denref(scale), unit);
    mpq_canonicalize(scale);
    mpz_clear(unit);
    mpfi_clear(budget);
    mpfi_clear(cost);
    return true;
}

dp_status program_certify(program *p, proposal *out)
{
    mpq_t scale;
    mpq_init(scale);
    mpq_set_ui(scale, 1, 1);
    set_gamma(&out->g, p, scale);
    bool proved;
    dp_status status = council_certify(p->c, out, 1, &p->c->target, p->c->m->target_delta, &proved);
    if (status == DP_OK && shrink(scale, p, &out->delta))
        set_gamma(&out->g, p, scale);
    /* objective = sum w gamma, exactly */
    mpq_t sum;
    mpq_init(sum);
    for (size_t l = 0; l < p->n; l++) {
        mpq_mul(scale, p->c->weights[l], out->g.gamma[l + (p->c->voters + 1) / 2]);
        mpq_add(sum, sum, scale);
    }
    figure_set_q(&out->objective, sum);
    mpfi_ptr most = figure_enclose(&out->objective_bound, p->bits);
    certify_bound(most, p);
    mpfr_set_q(&most->left, sum, MPFR_RNDD);
    mpq_clears(sum, scale, NULL);
    return status;
}
