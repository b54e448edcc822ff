/* SPDX-License-Identifier: MIT */
/* The inverse of the active rows is kept whole and updated pivot by pivot, to nearest: what comes
 * out is a candidate, certified by others. */
#include "vote/simplex.h"

#include "num/memory.h"
#include "vote/corners.h"

static mpfr_ptr at(simplex *s, size_t i, size_t j)
{
    return s->inverse[i * s->n + j];
}

/* x = inverse rho, y = inverse^T weight */
void simplex_solve(simplex *s)
{
    for (size_t i = 0; i < s->n; i++) {
        mpfr_set_zero(s->x[i], 1);
        mpfr_set_zero(s->y[i], 1);
        for (size_t j = 0; j < s->n; j++) {
            mpfr_mul(s->part, at(s, i, j), s->rho[j], MPFR_RNDN);
            mpfr_add(s->x[i], s->x[i], s->part, MPFR_RNDN);
            mpfr_mul(s->part, at(s, j, i), s->weight[j], MPFR_RNDN);
            mpfr_add(s->y[i], s->y[i], s->part, MPFR_RNDN);
        }
    }
}

bool simplex_init(simplex *s, mpfr_t *weight, size_t n, mpfr_prec_t bits, const limits *lim)
{
    *s = (simplex){.n = n, .bits = bits, .lim = lim};
    mpfr_init2(s->part, bits);
    mpfr_init2(s->step, bits);
    s->inverse = reals_new(n * n, bits);
    s->rho = reals_new(n, bits);
    s->weight = reals_new(n, bits);
    s->x = reals_new(n, bits);
    s->y = reals_new(n, bits);
    s->share = reals_new(n, bits);
    s->active = memory_new(n, sizeof *s->active);
    if (s->inverse == NULL || s->rho == NULL || s->weight == NULL || s->x == NULL || s->y == NULL ||
        s->share == NULL || s->active == NULL)
        return false;
    for (size_t l = 0; l < n; l++) { /* dual feasible: no first phase */
        bool low = mpfr_sgn(weight[l]) < 0;
        mpfr_set(s->weight[l], weight[l], MPFR_RNDN);
        mpfr_set_si(at(s, l, l), low ? -1 : 1, MPFR_RNDN);
        mpfr_set_ui(s->rho[l], !low, MPFR_RNDN);
        s->active[l] = (row_name){low ? ROW_LOWER : ROW_UPPER, l};
    }
    simplex_solve(s);
    return true;
}

void simplex_clear(simplex *s)
{
    reals_free(s->inverse, s->n * s->n);
    mpfr_t *list[] = {s->rho, s->weight, s->x, s->y, s->share};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        reals_free(list[i], s->n);
    memory_free(s->active);
    mpfr_clear(s->step);
    mpfr_clear(s->part);
}

void simplex_excess(mpfr_t excess, simplex *s, mpfr_t *a, const mpfr_t rho)
{
    mpfr_neg(excess, rho, MPFR_RNDN);
    for (size_t l = 0; l < s->n; l++) {
        mpfr_mul(s->part, a[l], s->x[l], MPFR_RNDN);
        mpfr_add(excess, excess, s->part, MPFR_RNDN);
    }
}

/* The row that leaves: least y/share over positive shares of the entering row. */
static size_t leaving(simplex *s)
{
    size_t out = s->n;
    mpfr_t least;
    mpfr_init2(least, s->bits);
    for (size_t i = 0; i < s->n; i++) {
        if (mpfr_sgn(s->share[i]) <= 0 || mpfr_get_exp(s->share[i]) < -(s->bits / 2))
            continue;
        mpfr_div(s->part, s->y[i], s->share[i], MPFR_RNDN);
        if (out == s->n || mpfr_cmp(s->part, least) < 0) {
            mpfr_set(least, s->part, MPFR_RNDN);
            out = i;
        }
    }
    mpfr_clear(least);
    return out;
}

/* share = inverse^T a */
static void set_share(simplex *s, mpfr_t *a)
{
    for (size_t j = 0; j < s->n; j++) {
        mpfr_set_zero(s->share[j], 1);
        for (size_t i = 0; i < s->n; i++)
            if (!mpfr_zero_p(a[i]) && !mpfr_zero_p(at(s, i, j))) {
                mpfr_mul(s->part, at(s, i, j), a[i], MPFR_RNDN);
                mpfr_add(s->share[j], s->share[j], s->part, MPFR_RNDN);
            }
    }
}

/* The row whose share is set takes the place `out`. */
static void replace(simplex *s, size_t out, const mpfr_t rho, row_name name)
{
    for (size_t i = 0; i < s->n; i++) {
        if (mpfr_zero_p(at(s, i, out)))
            continue;
        mpfr_div(at(s, i, out), at(s, i, out), s->share[out], MPFR_RNDN);
        for (size_t j = 0; j < s->n; j++)
            if (j != out && !mpfr_zero_p(s->share[j])) {
                mpfr_mul(s->part, s->share[j], at(s, i, out), MPFR_RNDN);
                mpfr_sub(at(s, i, j), at(s, i, j), s->part, MPFR_RNDN);
            }
    }
    mpfr_set(s->rho[out], rho, MPFR_RNDN);
    s->active[out] = name;
}

bool simplex_enter(simplex *s, mpfr_t *a, const mpfr_t rho, row_name name)
{
    set_share(s, a);
    size_t out = leaving(s);
    if (out == s->n)
        return false;
    replace(s, out, rho, name);
    simplex_solve(s);
    return true;
}

bool simplex_place(simplex *s, mpfr_t *a, const mpfr_t rho, row_name name, bool *kept)
{
    size_t out = s->n;
    set_share(s, a);
    for (size_t j = 0; j < s->n; j++)
        if (!kept[j] && (out == s->n || mpfr_cmpabs(s->share[j], s->share[out]) > 0))
            out = j;
    if (out == s->n || mpfr_zero_p(s->share[out]) || mpfr_get_exp(s->share[out]) < -(s->bits / 2))
        return false;
    replace(s, out, rho, name);
    kept[out] = true;
    return true;
}

void simplex_turn(simplex *s, const mpfr_t far)
{
    for (size_t j = 0; j < s->n; j++) {
        if (mpfr_sgn(s->y[j]) >= 0)
            continue;
        for (size_t i = 0; i < s->n; i++)
            mpfr_neg(at(s, i, j), at(s, i, j), MPFR_RNDN);
        row_name *own = &s->active[j];
        if (own->kind == ROW_UPPER || own->kind == ROW_LOWER) {
            own->kind = own->kind == ROW_UPPER ? ROW_LOWER : ROW_UPPER;
            mpfr_set_ui(s->rho[j], own->kind == ROW_UPPER, MPFR_RNDN);
        } else {
            own->kind = ROW_FAR;
            mpfr_set(s->rho[j], far, MPFR_RNDN);
        }
    }
    simplex_solve(s);
}

void simplex_simple(mpfr_t *a, mpfr_t rho, const simplex *s, row_name name)
{
    for (size_t l = 0; l < s->n; l++)
        mpfr_set_zero(a[l], 1);
    mpfr_set_si(a[name.index], name.kind == ROW_LOWER ? -1 : 1, MPFR_RNDN);
    if (name.kind == ROW_RISE)
        mpfr_set_si(a[name.index + 1], -1, MPFR_RNDN);
    mpfr_set_ui(rho, name.kind == ROW_UPPER, MPFR_RNDN);
}

/* The most violated of x <= 1, x >= 0 and, when wanted, x_l <= x_(l+1). */
static row_name worst_simple(mpfr_t worst, simplex *s, bool rises)
{
    row_name name = {ROW_CUT, 0};
    mpfr_set_zero(worst, 1);
    for (size_t l = 0; l < s->n; l++)
        for (int kind = ROW_UPPER; kind <= (rises ? ROW_RISE : ROW_LOWER); kind++) {
            if (kind == ROW_RISE && l + 1 == s->n)
                continue;
            if (kind == ROW_UPPER)
                mpfr_sub_ui(s->part, s->x[l], 1, MPFR_RNDN);
            else if (kind == ROW_LOWER)
                mpfr_neg(s->part, s->x[l], MPFR_RNDN);
            else
                mpfr_sub(s->part, s->x[l], s->x[l + 1], MPFR_RNDN);
            if (mpfr_cmp(s->part, worst) > 0) {
                mpfr_set(worst, s->part, MPFR_RNDN);
                name = (row_name){(row_kind)kind, l};
            }
        }
    return name;
}

dp_status simplex_settle(simplex *s, bool rises, const mpfr_t slack, size_t *steps)
{
    mpfr_t *a = reals_new(s->n, s->bits), worst, rho;
    mpfr_init2(worst, s->bits);
    mpfr_init2(rho, s->bits);
    dp_status status = a != NULL ? DP_OK : DP_MEMORY;
    while (status == DP_OK) {
        row_name name = worst_simple(worst, s, rises);
        if (mpfr_cmp(worst, slack) <= 0)
            break;
        simplex_simple(a, rho, s, name);
        if (*steps == 0 || limits_expired(s->lim) || !simplex_enter(s, a, rho, name))
            status = DP_UNDECIDED;
        *steps -= *steps > 0;
    }
    mpfr_clear(rho);
    mpfr_clear(worst);
    reals_free(a, s->n);
    return status;
}
