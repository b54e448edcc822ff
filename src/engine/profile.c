/* SPDX-License-Identifier: MIT */
/* The profile of a product at one point: which engine evaluates it. */
#include "engine/profile.h"

#include <math.h>

#include "num/ival.h"

/* Tables of the meeting in the middle: the first size is cheaper than any contour, the second,
 * ATOMS_MOST, still cheaper than a bracket. */
#define FEW_ATOMS 4096.0
/* More take longer than a bracket of ten digits or so. */
#define MANY_ATOMS 24576.0
/* Masses down to e^-total are rounded, which needs them within the exponents of MPFR. */
#define MOST_ATOM_TOTAL 268435456.0
/* The contours are planned in doubles, which must hold the square of the total. */
#define LEAST_TOTAL 1e-150
#define MOST_TOTAL 1e150
/* Of the bits that are asked beyond the digits, so many can be missed: refine_bits. */
#define SPARE_BITS 20
#define ROUGH_BITS 64 /* where any will do */
#define DEAR_BITS 36  /* where nodes are dear: 10 bits beyond the digits are left */
/* Of the plain contour, while a bracket may be cheaper and where it may not. */
#define CHEAP_NODES 16384.0
#define MOST_NODES 1048576.0
/* A closed form of more terms takes longer than so many nodes. */
#define FEW_TERMS 4096.0
#define MOST_TERMS 2097152.0
#define FEW_NODES 1024.0
/* So many terms by the ends of the losses take longer than so many nodes. */
#define MANY_TERMS 64.0
#define SHORT_NODES 4096.0
/* A lattice contour of more factors takes longer than a bracket. */
#define MANY_FACTORS 200.0

dp_status engine_init(engine *e, const product *p)
{
    e->product = p;
    e->without = 0;
    dp_status status = totals_init(&e->all, p);
    e->has_lattice = lattice_init(&e->lattice, &e->all) && status == DP_OK;
    return status;
}

void engine_clear(engine *e)
{
    lattice_clear(&e->lattice);
    totals_clear(&e->all);
}

void engine_top(mpfi_t out, const engine *e)
{
    totals_top(out, &e->all);
}

void engine_distance(mpfi_t most, const engine *e, const mpfi_t top)
{
    mpfi_div_2ui(most, top, e->all.symmetric ? 1 : 0);
    ival_clamp_ui(most, 0, 1);
}

/* How much a node counts falls with the bits, and most of a long list count for the last few. */
static dp_status open_contour(profile *p, double x, bool cheap, const limits *lim)
{
    const lattice *f = &p->engine->lattice;
    dp_status status = contour_open(&p->contour, f, x, p->bits, cheap, lim);
    p->spared = status != DP_OK && p->contour.dear;
    if (p->spared && p->bits > 2 * SPARE_BITS) {
        contour_close(&p->contour);
        status = contour_open(&p->contour, f, x, p->bits - SPARE_BITS, cheap, lim);
        p->bits -= status == DP_OK ? SPARE_BITS : 0;
    }
    if (status != DP_OK)
        contour_close(&p->contour);
    return status;
}

/* The profile of a single law, in closed form; false where it has none. */
static bool closed_at(mpfi_t s, mpfr_t slope, const profile *p, const mpfi_t x)
{
    const product *q = p->engine->product;
    if (q->count != 1 || q->item[0].ops->profile == NULL)
        return false;
    mpfi_set_prec(s, p->rough ? ROUGH_BITS : p->bits + SPARE_BITS);
    const loss *law = &q->item[0];
    if (law->ops->limit == NULL)
        return law->ops->profile(s, slope, law->self, x);
    law->ops->limit(law->self, p->lim);
    bool ok = law->ops->profile(s, slope, law->self, x);
    law->ops->limit(law->self, NULL);
    return ok;
}

static bool has_closed(profile *p, double x)
{
    mpfi_t s, at;
    mpfr_t slope;
    mpfi_init2(s, 64);
    mpfi_init2(at, 64);
    mpfr_init2(slope, 64);
    mpfi_set_d(at, x);
    p->rough = true;
    bool ok = closed_at(s, slope, p, at);
    p->rough = false;
    mpfr_clear(slope);
    mpfi_clear(at);
    mpfi_clear(s);
    return ok;
}

/* To all bits where the laws decay that far, else about to the gap. */
static dp_status open_plain(profile *p, double x, double gap, bool cheap, const limits *lim)
{
    const totals *all = &p->engine->all;
    if (totals_are_dear(all) && p->bits > 2 * DEAR_BITS)
        p->bits -= DEAR_BITS;
    double bits = (double)p->bits, most = cheap ? CHEAP_NODES : MOST_NODES;
    dp_status status = plain_open(&p->plain, all, x, bits, most, lim);
    if (status == DP_LIMIT && !limits_expired(lim)) {
        trapezoid_close(&p->plain);
        p->spared = p->spared || (cheap && p->plain.dear);
        p->exact = false;
        status = plain_open(&p->plain, all, x, 2 - log2(gap), 0, lim);
    }
    if (status != DP_OK)
        trapezoid_close(&p->plain);
    return status;
}

static dp_status open_ends(profile *p, double x, const limits *lim)
{
    mpfr_prec_t bits = p->bits > 2 * DEAR_BITS ? p->bits - DEAR_BITS : p->bits;
    dp_status status = ends_open(&p->ends, &p->engine->all, x, bits, lim);
    if (status == DP_OK)
        p->bits = bits;
    else
        ends_close(&p->ends);
    return status;
}

/* How a product is summed in closed form, and of how many terms; infinity where it is not. */
static double closed_terms(profile_kind *kind, const product *p)
{
    *kind = p->count == 1 ? PROFILE_CLOSED : PROFILE_SHIFTED;
    if (p->count != 1)
        return shifted_terms(p);
    return p->item[0].ops->terms != NULL ? p->item[0].ops->terms(p->item[0].self) : 1;
}

/* Where atoms are listed from, for a profile near x: some way below, where a search may lead. */
#define ATOM_ROOM 0.015625 /* of what is above */
#define ATOM_LEAST 1e-9    /* of the top */
static double atoms_from(const engine *e, double x)
{
    double top = e->all.tilt.total;
    return x - ATOM_ROOM * (top - x) - ATOM_LEAST * top;
}

static dp_status try_kind(profile *p, profile_kind kind, double x, double gap, bool cheap,
                          const limits *lim)
{
    const engine *e = p->engine;
    if ((e->without >> kind & 1) != 0)
        return DP_LIMIT;
    p->kind = kind;
    p->exact = kind != PROFILE_SMOOTH;
    dp_status status = DP_OK;
    switch (kind) {
    case PROFILE_DIRECT:
        break;
    case PROFILE_CONTOUR:
        status = open_contour(p, x, cheap, lim);
        break;
    case PROFILE_ATOMS:
        status = atoms_open(&p->atoms, e->product, atoms_from(e, x), p->bits, lim);
        if (status != DP_OK)
            atoms_close(&p->atoms);
        break;
    case PROFILE_SMOOTH:
        status = smooth_open(&p->smooth, &e->all, x, gap, lim);
        p->gap = p->smooth.gap;
        if (status != DP_OK)
            trapezoid_close(&p->smooth);
        break;
    case PROFILE_CLOSED:
        status = has_closed(p, x) ? DP_OK : DP_LIMIT;
        break;
    case PROFILE_PLAIN:
        status = open_plain(p, x, gap, cheap, lim);
        break;
    case PROFILE_SHIFTED:
        status = shifted_open(&p->shifted, e->product, p->bits, lim);
        if (status != DP_OK)
            shifted_close(&p->shifted);
        break;
    case PROFILE_ENDS:
        status = open_ends(p, x, lim);
        break;
    }
    return status;
}

/* Few nodes of the plain contour, to all bits or, where no part makes them few for most precisions,
 * to the gap; else a closed form of many terms. */
static dp_status open_long(profile *p, profile_kind closed, double x, double gap, bool planned,
                           const limits *lim)
{
    const engine *e = p->engine;
    dp_status status = DP_LIMIT;
    bool plain = planned && (e->without >> PROFILE_PLAIN & 1) == 0;
    int tries = plain_part(&e->all) != NULL ? 1 : 2;
    for (int i = 0; plain && status == DP_LIMIT && i < tries; i++) {
        double bits = i == 0 ? (double)p->bits : 2 - log2(gap);
        p->kind = PROFILE_PLAIN;
        p->exact = i == 0;
        status = plain_open(&p->plain, &e->all, x, bits, FEW_NODES, lim);
        if (status != DP_OK)
            trapezoid_close(&p->plain);
    }
    return status == DP_LIMIT ? try_kind(p, closed, x, gap, false, lim) : status;
}

/* The ends, but where few nodes of the plain contour reach all bits, or the gap: those are cheaper.
 */
static dp_status open_ends_or_plain(profile *p, double x, double gap, bool cheap, const limits *lim)
{
    const engine *e = p->engine;
    dp_status status = DP_LIMIT;
    double terms;
    bool plain = ends_outer(&terms, e->product) > 0 && terms > MANY_TERMS &&
                 (e->without >> PROFILE_PLAIN & 1) == 0;
    for (int i = 0; plain && status == DP_LIMIT && i < 2; i++) {
        p->kind = PROFILE_PLAIN;
        p->exact = i == 0;
        double bits = i == 0 ? (double)p->bits : 2 - log2(gap);
        status = plain_open(&p->plain, &e->all, x, bits, SHORT_NODES, lim);
        if (status != DP_OK)
            trapezoid_close(&p->plain);
    }
    return status == DP_LIMIT ? try_kind(p, PROFILE_ENDS, x, gap, cheap, lim) : status;
}

/* Is there no time to look at every item once, which takes about this long? */
#define ITEM_SECONDS 5e-6
static bool late(const engine *e, const limits *lim)
{
    return limits_expired(lim) || !limits_time_for(lim, ITEM_SECONDS * e->all.factors);
}

static dp_status choose(profile *p, double x, double gap, bool cheap, const limits *lim)
{
    const engine *e = p->engine;
    profile_kind closed;
    double terms = closed_terms(&closed, e->product);
    dp_status status = terms <= FEW_TERMS ? try_kind(p, closed, x, gap, cheap, lim) : DP_LIMIT;
    if (status != DP_LIMIT)
        return status;
    bool one = e->lattice.direct, direct = one;
    if (one) { /* terms from x up to the top */
        double few = (e->all.tilt.total - x) / (2 * e->lattice.h);
        direct = !(few > (double)DIRECT_TERMS);
    }
    if (direct)
        status = try_kind(p, PROFILE_DIRECT, x, gap, cheap, lim);
    if (status == DP_OK)
        return status;
    double size = INFINITY;
    if (!one && !(e->all.tilt.total > MOST_ATOM_TOTAL))
        size = atoms_size(e->product, atoms_from(e, x));
    if (size <= FEW_ATOMS)
        status = try_kind(p, PROFILE_ATOMS, x, gap, cheap, lim);
    if (status == DP_LIMIT && late(e, lim))
        return status; /* plans alone take milliseconds, and a curve has many points */
    double range = e->all.bounded ? e->all.tilt.total : e->all.tilt.mean + e->all.tilt.deviation;
    bool planned = range >= LEAST_TOTAL && range <= MOST_TOTAL;
    bool bracket = cheap && planned && far_suits(&e->all);
    bool spare = bracket && e->all.factors > MANY_FACTORS;
    p->spared = spare && e->has_lattice;
    if (status != DP_OK && planned && e->has_lattice && !spare)
        status = try_kind(p, PROFILE_CONTOUR, x, gap, cheap, lim);
    bool listed = status != DP_OK && size > FEW_ATOMS && size <= ATOMS_MOST;
    bool many = bracket && size > MANY_ATOMS;
    p->spared = p->spared || (listed && many);
    if (listed && !many)
        status = try_kind(p, PROFILE_ATOMS, x, gap, cheap, lim);
    if (terms > FEW_TERMS && terms <= MOST_TERMS && status == DP_LIMIT)
        status = open_long(p, closed, x, gap, planned, lim);
    if (status != DP_OK && status != DP_MEMORY && planned)
        status = open_ends_or_plain(p, x, gap, cheap, lim);
    if (status != DP_OK && status != DP_MEMORY && planned)
        status = try_kind(p, PROFILE_PLAIN, x, gap, cheap, lim);
    if (status != DP_OK && status != DP_MEMORY && planned)
        status = try_kind(p, PROFILE_SMOOTH, x, gap, cheap, lim);
    return status;
}

dp_status profile_open(profile *p, const engine *e, double x, mpfr_prec_t bits, double gap,
                       bool cheap, const limits *lim)
{
    p->engine = e;
    p->lim = lim;
    p->bits = bits;
    p->gap = gap;
    p->spared = p->has_cell = p->rough = false;
    mpz_init(p->cell);
    mpfi_init2(p->g, bits);
    mpfi_init2(p->v, bits);
    dp_status status = choose(p, x, gap, cheap, lim);
    if (status != DP_OK)
        p->kind = PROFILE_DIRECT; /* what was tried is closed */
    return status;
}

void profile_close(profile *p)
{
    if (p->kind == PROFILE_CONTOUR)
        contour_close(&p->contour);
    else if (p->kind == PROFILE_ATOMS)
        atoms_close(&p->atoms);
    else if (p->kind == PROFILE_SMOOTH)
        trapezoid_close(&p->smooth);
    else if (p->kind == PROFILE_PLAIN)
        trapezoid_close(&p->plain);
    else if (p->kind == PROFILE_SHIFTED)
        shifted_close(&p->shifted);
    else if (p->kind == PROFILE_ENDS)
        ends_close(&p->ends);
    mpz_clear(p->cell);
    mpfi_clear(p->g);
    mpfi_clear(p->v);
}

/* u = (top - x) - 2 h i for the cell i = floor((top - x) / 2h), of the interval's lowest x, so
 * that u stays below 2h. */
static void find_cell(mpz_t i, mpfi_t u, const lattice *f, const mpfi_t x)
{
    mpfi_t y, step;
    mpfi_init2(y, mpfi_get_prec(u));
    mpfi_init2(step, mpfi_get_prec(u));
    logform_enclose(y, &f->all->top);
    mpfi_sub(y, y, x);
    lattice_spacing(step, f);
    mpfi_div(u, y, step);
    mpfr_get_z(i, &u->right, MPFR_RNDD);
    if (mpz_sgn(i) < 0 && f->all->bounded)
        mpz_set_ui(i, 0);
    ival_mul_z(step, step, i);
    mpfi_sub(u, y, step);
    mpfi_clear(step);
    mpfi_clear(y);
}

/* s = G + (1 - e^(-u)) V. For u in [-2h, 0) this is the tangent of the convex function s(e^x), a
 * lower bound, and s <= G there: the enclosure stays valid when u straddles 0. */
static void cell_value(mpfi_t s, mpfr_t slope, const profile *p, const mpfi_t u)
{
    mpfi_neg(s, u);
    mpfi_expm1(s, s);
    mpfi_t fall;
    mpfi_init2(fall, mpfi_get_prec(s));
    mpfi_add_ui(fall, s, 1);
    mpfi_mul(fall, fall, p->v);
    mpfi_get_fr(slope, fall);
    mpfi_clear(fall);
    mpfi_neg(s, s);
    mpfi_mul(s, s, p->v);
    mpfi_add(s, s, p->g);
    ival_clamp_ui(s, 0, 1);
}

static dp_status lattice_at(mpfi_t s, mpfr_t slope, profile *p, const mpfi_t x)
{
    const lattice *f = &p->engine->lattice;
    mpfr_prec_t work = p->bits + 32 + 2 * (mpfr_prec_t)mpz_sizeinbase(f->rise, 2);
    if (!limits_logs(p->lim, 1, work))
        return DP_LIMIT;
    mpfi_t u;
    mpz_t i;
    mpfi_init2(u, work);
    mpz_init(i);
    find_cell(i, u, f, x);
    dp_status status = DP_OK;
    if (!p->has_cell || mpz_cmp(i, p->cell) != 0) {
        if (p->kind == PROFILE_CONTOUR)
            contour_cell(p->g, p->v, &p->contour, i);
        else if (mpz_cmp_ui(i, 16 * DIRECT_TERMS) <= 0)
            direct_cell(p->g, p->v, f, i, p->bits, NULL);
        else
            status = DP_LIMIT; /* far below the x it was opened for */
        mpz_set(p->cell, i);
        p->has_cell = status == DP_OK;
    }
    mpfi_set_prec(s, work);
    mpfi_interv_si(s, 0, 1);
    if (status == DP_OK && !ival_bad(p->g) && !ival_bad(p->v))
        cell_value(s, slope, p, u); /* else exponents ran out, and s stays [0, 1] */
    mpz_clear(i);
    mpfi_clear(u);
    return status;
}
dp_status profile_at(mpfi_ptr s, mpfr_ptr slope, profile *p, mpfi_srcptr x)
{
    switch (p->kind) {
    case PROFILE_DIRECT:
    case PROFILE_CONTOUR:
        return lattice_at(s, slope, p, x);
    case PROFILE_ATOMS:
        atoms_profile(s, slope, &p->atoms, x);
        break;
    case PROFILE_SMOOTH:
        smooth_profile(s, slope, &p->smooth, x);
        break;
    case PROFILE_CLOSED:
        return closed_at(s, slope, p, x) ? DP_OK : DP_LIMIT;
    case PROFILE_PLAIN:
        plain_profile(s, slope, &p->plain, x);
        break;
    case PROFILE_SHIFTED:
        return shifted_profile(s, slope, &p->shifted, x) ? DP_OK : DP_LIMIT;
    case PROFILE_ENDS:
        ends_profile(s, slope, &p->ends, x);
        break;
    }
    return DP_OK;
}

bool profile_is_by_pass(const profile *p)
{
    return p->kind == PROFILE_SMOOTH && p->smooth.blocks != NULL;
}

double profile_area(const profile *p)
{
    return p->kind == PROFILE_SMOOTH ? smooth_area(&p->smooth) : 0;
}

bool profile_is_even(const profile *p)
{
    return profile_is_by_pass(p) && far_is_sparse(p->smooth.blocks);
}

dp_status profile_foresee(profile *p, mpfr_srcptr const *x, size_t count, const limits *lim)
{
    return profile_is_by_pass(p) ? smooth_foresee(&p->smooth, x, count, lim) : DP_OK;
}
