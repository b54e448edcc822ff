/* SPDX-License-Identifier: MIT */
/* From the solution of the linear program to a certified noise function and a proof of how good it
 * is. */

#include "num/ival.h"
#include "num/memory.h"
#include "vote/program.h"

#define DECIMALS 20 /* of the gamma that is then scaled */

/* rest -= y G of a cut, every end by its own rounding; nothing is changed unless all laws are there
 * in time. */
static dp_status take_cut(mpfi_t *rest, mpfi_t most, program *p, const cut *k, mpfr_srcptr y)
{
    size_t K = p->c->voters, mid = (K + 1) / 2;
    dp_status status = DP_OK;
    for (int i = 0; status == DP_OK && i < 4; i++)
        status = program_law(p->law[i], p, k, i >= 2, i % 2 == 0 ? MPFR_RNDD : MPFR_RNDU);
    mpfi_t part;
    mpfi_init2(part, p->bits);
    for (size_t l = mid; status == DP_OK && l <= K; l++)
        for (int primed = 0; primed < 2; primed++) {
            /* + a_l - a_(K-l), and - E a'_l + E a'_(K-l) */
            size_t plus = primed == 0 ? l : K - l, minus = K - plus;
            mpfr_t *low = p->law[2 * primed], *high = p->law[2 * primed + 1];
            mpfr_sub(&part->left, low[plus], high[minus], MPFR_RNDD);
            mpfr_sub(&part->right, high[plus], low[minus], MPFR_RNDU);
            if (primed == 1)
                mpfi_mul(part, part, p->odds);
            mpfi_mul(part, part, p->unit);
            mpfi_mul_fr(part, part, y);
            mpfi_sub(rest[l - mid], rest[l - mid], part);
        }
    if (status == DP_OK && p->scaled)
        mpfi_add_fr(most, most, y);
    mpfi_clear(part);
    return status;
}

/* Weak duality for rows divided by R, or with R = 0: sum y + sum_l max(0, w_l - sum y G_l - z
 * terms), rounded up, for any y, z >= 0; so a cut that time does not allow may be left out. */
static dp_status certify_bound(mpfi_t most, program *p)
{
    mpfi_t *rest = memory_new(p->n, sizeof *rest);
    mpfi_set_ui(most, 0);
    if (rest == NULL)
        return DP_MEMORY;
    for (size_t l = 0; l < p->n; l++) {
        mpfi_init2(rest[l], p->bits);
        mpfi_set_q(rest[l], p->c->weights[l]);
    }
    for (size_t i = 0; i < p->n; i++) {
        row_name name = p->simplex.active[i];
        mpfr_srcptr y = p->simplex.y[i];
        if (mpfr_sgn(y) <= 0)
            continue;
        if (name.kind == ROW_RISE) {
            mpfi_sub_fr(rest[name.index], rest[name.index], y);
            mpfi_add_fr(rest[name.index + 1], rest[name.index + 1], y);
        } else if (name.kind == ROW_CUT) {
            take_cut(rest, most, p, &p->used[name.index], y);
        }
    }
    for (size_t l = 0; l < p->n; l++) {
        ival_at_least_zero(rest[l]);
        mpfi_add(most, most, rest[l]);
        mpfi_clear(rest[l]);
    }
    memory_free(rest);
    return DP_OK;
}

/* x, clipped, to DECIMALS */
static void round_x(mpq_t out, program *p, size_t l)
{
    mpz_t unit;
    mpfr_t scaled;
    mpz_init(unit);
    mpfr_init2(scaled, p->bits);
    mpz_ui_pow_ui(unit, 10, DECIMALS);
    mpfr_mul_z(scaled, p->simplex.x[l], unit, MPFR_RNDN);
    mpfr_get_z(mpq_numref(out), scaled, MPFR_RNDN);
    mpz_set(mpq_denref(out), unit);
    if (mpz_sgn(mpq_numref(out)) < 0)
        mpz_set_ui(mpq_numref(out), 0);
    if (mpz_cmp(mpq_numref(out), unit) > 0)
        mpz_set(mpq_numref(out), unit);
    mpq_canonicalize(out);
    mpfr_clear(scaled);
    mpz_clear(unit);
}

/* gamma from x, times t. The simplex lets a rise be missed by its slack, which rounding can show:
 * the monotone class is kept by lowering what is above its successor. */
static void set_gamma(noise *g, program *p, const mpq_t scale)
{
    mpq_t *upper = g->gamma + (p->c->voters + 1) / 2;
    for (size_t l = p->n; l-- > 0;) {
        round_x(upper[l], p, l);
        mpq_mul(upper[l], upper[l], scale);
        if (!p->free_class && l + 1 < p->n && mpq_cmp(upper[l], upper[l + 1]) > 0)
            mpq_set(upper[l], upper[l + 1]);
        mpq_set(g->gamma[p->c->voters / 2 - l], upper[l]);
    }
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
    dp_status status = council_certify(p->c, out, 1, &p->c->target, p->c->m->target_delta);
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
    if (status == DP_OK)
        status = certify_bound(most, p);
    mpfr_set_q(&most->left, sum, MPFR_RNDD);
    mpq_clears(sum, scale, NULL);
    return status;
}
