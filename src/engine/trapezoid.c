/* SPDX-License-Identifier: MIT */
/* Trapezoidal sums on no lattice: nodes, terms, and the enclosure of the profile. */
#include "engine/trapezoid.h"

#include <math.h>

#include "engine/near_atom.h"
#include "engine/tail.h"
#include "num/ival.h"
#include "num/memory.h"
#include "num/wide.h"

#define SPREAD 4.0
#define LONGEST 1e15
#define NODE_LIMIT 200000UL
#define NODE_SECONDS 7e-6 /* at this precision or more, of one factor; few bits take less: */
#define NODE_BITS 192.0
#define NODE_BYTES 400.0
/* Of exponents and angles, beyond those of the terms and those before the point. */
#define MORE_BITS 8

bool trapezoid_period(trapezoid *p, double x, double log_tol)
{
    const tilt *t = &p->all->tilt;
    double wide = p->square[p->sums - 1], period = -log_tol / fabs(p->c);
    if (p->c > 0) {
        tail_trials above;
        tail_trials_init(&above, t, wide, p->c, x);
        p->below = 0;
        while (period < LONGEST && tail_trials_best(&above, period, &p->above) > log_tol)
            period *= 1.1;
    } else {
        p->above = 0;
        p->below = -1;
        /* good for what is some deviations off, too: this bound grows by e^x */
        double other = (x + t->lift + SPREAD * t->deviation - log_tol) / (1 + p->c);
        period = fmax(period, other);
    }
    p->period = tail_short(period);
    return period > 0 && period < LONGEST;
}

/* ---- nodes ---------------------------------------------------------------------------------- */
static line line_of(const trapezoid *p)
{
    return (line){.c = p->c, .spacing = p->spacing, .last = p->last, .work = p->work};
}

static dp_status find_nodes(trapezoid *p, const limits *lim)
{
    line at = line_of(p);
    size_t count;
    scan_item *item = totals_items(&count, p->all, &at);
    if (item == NULL)
        return DP_MEMORY;
    size_t room = p->last < NODE_LIMIT ? (size_t)p->last + 1 : NODE_LIMIT;
    double bits = fmin(1, (double)p->work / NODE_BITS), each = NODE_SECONDS * bits * bits;
    size_t most = limits_count(lim, each * (p->all->free_factors + 10), room);
    uint64_t last = p->beside ? p->last : totals_last(p->all, &at, p->lambda);
    double lambda = p->lambda + near_atom_scan(item, count, p);
    dp_status status = scan_nodes(&p->nodes, item, count, 0, last, lambda, most, lim);
    if (status == DP_LIMIT && most < room)
        limits_note(lim, DP_MET_TIME);
    memory_free(item);
    return status;
}

/* t = n spacing, exactly */
static void set_height(mpfr_t t, const trapezoid *p, uint64_t n)
{
    mpfr_set_prec(t, p->work + 64);
    wide_mul_fr(t, p->spacing, n, MPFR_RNDN);
}

/* ---- terms ---------------------------------------------------------------------------------- */
/* Bits for an angle of about |t| times 2^exponent. */
static mpfr_prec_t angle_bits(const trapezoid *p, mpfr_srcptr t, mpfr_exp_t exponent)
{
    mpfr_exp_t whole = exponent + (mpfr_regular_p(t) ? mpfr_get_exp(t) : 0);
    return p->work + MORE_BITS + (whole > 0 ? whole : 0);
}

/* pole = 1 / (z (z+1)) at the height t */
static void set_pole(cball *pole, const trapezoid *p, mpfr_srcptr t)
{
    mpfr_t re;
    cball other;
    mpfr_init2(re, TRAPEZOID_EXACT_BITS);
    cball_init(&other, p->work);
    mpfr_set_d(re, p->c, MPFR_RNDN);
    cball_set_fr(pole, re, t);
    mpfr_add_ui(re, re, 1, MPFR_RNDN); /* exact */
    cball_set_fr(&other, re, t);
    cball_mul(pole, pole, &other);
    cball_inv(pole, pole);
    cball_clear(&other);
    mpfr_clear(re);
}

/* out = e^(w2 (z^2+z)/2) = e^(w2 (c^2+c-t^2)/2) e^(i t w2 (2c+1)/2) */
static void set_gaussian(cball *out, const trapezoid *p, mpfr_srcptr t, mpfr_srcptr w2)
{
    mpfi_t x, y, part;
    mpfi_ptr all[] = {x, y, part};
    for (size_t i = 0; i < 3; i++)
        mpfi_init2(all[i], angle_bits(p, t, 2)); /* w2 |2c+1| / 2 < 3 in every plan */
    mpfi_set_d(x, p->c);
    mpfi_add_ui(part, x, 1);
    mpfi_add(y, x, part);
    mpfi_mul_fr(y, y, w2);
    mpfi_div_2ui(y, y, 1);
    mpfi_mul_fr(y, y, t);
    mpfi_mul(x, x, part);
    mpfi_set_fr(part, t);
    mpfi_sqr(part, part);
    mpfi_sub(x, x, part);
    mpfi_mul_fr(x, x, w2);
    mpfi_div_2ui(x, x, 1);
    cball_exp(out, x, y);
    for (size_t i = 0; i < 3; i++)
        mpfi_clear(all[i]);
}

/* phi in the first list becomes the terms in both. */
static dp_status add_band(trapezoid *p, const limits *lim)
{
    cball kernel[2];
    cball_init(&kernel[0], p->work);
    cball_init(&kernel[1], p->work);
    dp_status status = DP_OK;
    for (size_t i = 0; status == DP_OK && i < p->nodes.count; i++) {
        cball *phi = &p->term[0][i];
        extremal_node(&kernel[0], &kernel[1], &p->kernel, p->nodes.node[i]);
        if (p->nodes.node[i] > 0)
            cball_add(phi, phi, phi); /* and the conjugate at -n */
        cball_mul(&p->term[1][i], &kernel[1], phi);
        cball_mul(phi, &kernel[0], phi);
        if (i % 16 == 15 && limits_expired(lim))
            status = DP_LIMIT;
    }
    cball_clear(&kernel[1]);
    cball_clear(&kernel[0]);
    return status;
}

/* phi in the first list becomes the terms in all of them. */
static dp_status add_kernels(trapezoid *p, const limits *lim)
{
    dp_status status = DP_OK;
    mpfr_t t, w2;
    cball pole, factor;
    mpfr_init2(t, p->work);
    mpfr_init2(w2, 64);
    cball_init(&pole, p->work);
    cball_init(&factor, p->work);
    for (size_t i = 0; status == DP_OK && i < p->nodes.count; i++) {
        set_height(t, p, p->nodes.node[i]);
        set_pole(&pole, p, t);
        cball_mul(&pole, &pole, &p->term[0][i]);
        if (p->nodes.node[i] > 0)
            cball_add(&pole, &pole, &pole); /* and the conjugate at -n */
        for (size_t j = 0; j < p->sums; j++) {
            cball_set(&p->term[j][i], &pole);
            if (p->square[j] == 0)
                continue;
            mpfr_set_d(w2, p->square[j], MPFR_RNDN);
            set_gaussian(&factor, p, t, w2);
            cball_mul(&p->term[j][i], &pole, &factor);
        }
        if (i % 16 == 15 && limits_expired(lim))
            status = DP_LIMIT;
    }
    cball_clear(&factor);
    cball_clear(&pole);
    mpfr_clear(w2);
    mpfr_clear(t);
    return status;
}

dp_status trapezoid_terms(trapezoid *p, const limits *lim)
{
    size_t count = p->nodes.count;
    if (!limits_allow(lim, NODE_BYTES * (double)count * (double)p->sums))
        return DP_LIMIT;
    if (!limits_logs(lim, (double)count, p->work))
        return DP_LIMIT;
    line at = line_of(p);
    dp_status status = DP_OK;
    p->phase = memory_new(1, sizeof *p->phase);
    uint64_t last = count > 0 ? p->nodes.node[count - 1] : 0;
    if (p->phase == NULL || !turns_init(p->phase, p->work, last))
        status = DP_MEMORY;
    for (size_t j = 0; status == DP_OK && j < p->sums; j++)
        status = (p->term[j] = cball_list_new(count, p->work)) != NULL ? DP_OK : DP_MEMORY;
    if (status == DP_OK)
        status = totals_values(p->term[0], p->all, &at, &p->nodes, lim);
    if (status == DP_OK && p->beside)
        status = near_atom_take(p, &at, lim);
    if (status != DP_OK)
        return status;
    return p->band > 0 ? add_band(p, lim) : add_kernels(p, lim);
}

/* ---- opening -------------------------------------------------------------------------------- */
static void init(trapezoid *p)
{
    mpfr_init2(p->spacing, p->work);
    mpfr_const_pi(p->spacing, MPFR_RNDN);
    mpfr_mul_2ui(p->spacing, p->spacing, 1, MPFR_RNDN);
    mpfr_div_d(p->spacing, p->spacing, p->period, MPFR_RNDN);
    mpfr_init2(p->dropped, 64);
    mpfi_init2(p->k, p->work);
    mpfi_init2(p->atom_log, 2 * p->work + 64);
    mpfi_init2(p->atom_place, 2 * p->work + 64);
    if (p->beside)
        totals_near_atom(p->atom_log, p->atom_place, p->all);
    mpfr_prec_t rough = 64 + totals_bits(p->all);
    for (size_t j = 0; j < p->sums; j++) {
        mpfi_init2(p->k_above[j], rough);
        mpfi_init2(p->k_below[j], rough);
        p->term[j] = NULL;
    }
    p->phase = NULL;
    p->nodes = (node_list){0};
    p->blocks = NULL;
    if (p->band > 0)
        extremal_init(&p->kernel, p->c, p->spacing, p->band,
                      p->work > FAR_BITS ? p->work : FAR_BITS);
}

/* A look at every loss, which of long lists takes seconds. */
static void set_moments(trapezoid *p, const limits *lim)
{
    const product *q = p->all->product;
    tail_k(p->k, q, p->c, lim);
    mpfr_t w2;
    mpfi_t above, below;
    mpfr_init2(w2, 64);
    mpfi_init2(above, mpfi_get_prec(p->k_above[0]));
    mpfi_init2(below, mpfi_get_prec(p->k_below[0]));
    tail_k(above, q, p->above, lim);
    tail_k(below, q, p->below, lim);
    for (size_t j = 0; j < p->sums; j++) {
        mpfr_set_d(w2, p->square[j], MPFR_RNDN);
        tail_widen(p->k_above[j], above, p->above, w2);
        tail_widen(p->k_below[j], below, p->below, w2);
    }
    mpfi_clear(below);
    mpfi_clear(above);
    mpfr_clear(w2);
}

/* A pass over the far nodes may take this long, and there must be time for two. */
#define FAR_SECONDS 2.5
#define LONG_FACTORS 128.0
/* The nodes before the far ones: all, or where they take long those that are not small. */
static dp_status near_nodes(trapezoid *p, const line *at, const limits *lim)
{
    size_t count = 0, most = (size_t)p->doubles;
    scan_item *item = NULL;
    p->scanned = p->all->factors > LONG_FACTORS;
    if (p->scanned && (item = totals_items(&count, p->all, at)) == NULL)
        return DP_MEMORY;
    dp_status status = scan_nodes(&p->nodes, item, count, 0, most - 1, p->lambda, most, lim);
    memory_free(item);
    return status;
}

/* Opens the far nodes; those before them are all summed in balls. DP_UNDECIDED: all nodes are. */
static dp_status split_nodes(trapezoid *p, const limits *lim)
{
    if (p->doubles > p->last)
        return DP_UNDECIDED;
    far_plan plan = {p->c, p->lambda, p->spacing, &p->kernel};
    dp_status status = far_open(&p->blocks, p->all, &plan);
    if (status != DP_OK)
        return status;
    line at = line_of(p);
    status = far_begin(p->blocks, p->all, &at, p->doubles, p->lambda, lim);
    p->longer = p->blocks->seconds / FAR_SECONDS;
    if (status == DP_UNDECIDED && !(p->longer > 1)) {
        far_close(p->blocks);
        p->blocks = NULL;
    }
    if (p->longer > 1 && status != DP_MEMORY)
        return DP_LIMIT;
    if (status != DP_OK)
        return status;
    if (2 * p->blocks->seconds > limits_left(lim)) {
        limits_note(lim, DP_MET_TIME);
        return DP_LIMIT;
    }
    return p->doubles > 0 ? near_nodes(p, &at, lim) : DP_OK;
}

dp_status trapezoid_prepare(trapezoid *p, const limits *lim)
{
    init(p);
    p->lim = lim;
    dp_status status = split_nodes(p, lim);
    if (status == DP_UNDECIDED)
        status = find_nodes(p, lim);
    if (status == DP_OK)
        status = trapezoid_terms(p, lim);
    trapezoid_dropped(p->dropped, p); /* what decay and terms both need is found by these */
    if (status == DP_OK)
        set_moments(p, lim);
    return status;
}

void trapezoid_close(trapezoid *p)
{
    if (p->work == 0)
        return;
    for (size_t j = 0; j < p->sums; j++) {
        cball_list_free(p->term[j], p->nodes.count);
        mpfi_clear(p->k_above[j]);
        mpfi_clear(p->k_below[j]);
    }
    if (p->phase != NULL)
        turns_clear(p->phase);
    memory_free(p->phase);
    node_list_clear(&p->nodes);
    far_close(p->blocks);
    if (p->band > 0)
        extremal_clear(&p->kernel);
    mpfr_clear(p->spacing);
    mpfr_clear(p->dropped);
    mpfi_clear(p->k);
    mpfi_clear(p->atom_log);
    mpfi_clear(p->atom_place);
}

/* ---- the sums ------------------------------------------------------------------------------- */
/* Over all nodes, with their conjugates at -n: the real parts are what remains. slope: Re of the
 * first with z more, of midpoints. */
void trapezoid_add(mpfi_ptr const *sum, mpfr_t slope, const trapezoid *p, mpfr_srcptr x)
{
    mpfr_t t, part;
    mpfi_t angle;
    cdisc phase;
    cball turn, term, all[TRAPEZOID_SUMS];
    mpfr_init2(t, p->work);
    mpfr_init2(part, p->work);
    set_height(t, p, p->last);
    mpfi_init2(angle, angle_bits(p, t, mpfr_regular_p(x) ? mpfr_get_exp(x) : 0));
    mpfi_set_fr(angle, p->spacing);
    mpfi_mul_fr(angle, angle, x);
    mpfi_neg(angle, angle);
    turns_set(p->phase, angle);
    cdisc_init(&phase, p->work);
    cball_init(&turn, p->work);
    cball_init(&term, p->work);
    for (size_t j = 0; j < p->sums; j++)
        cball_init(&all[j], p->work);
    mpfr_set_ui(slope, 0, MPFR_RNDN);
    for (size_t i = 0; i < p->nodes.count; i++) {
        set_height(t, p, p->nodes.node[i]);
        turns_at(&phase, p->phase, p->nodes.node[i]);
        cdisc_ball(&turn, &phase);
        for (size_t j = p->sums; j-- > 0;) {
            cball_mul(&term, &turn, &p->term[j][i]);
            cball_add(&all[j], &all[j], &term);
        }
        mpfr_mul_d(part, term.re, p->c, MPFR_RNDN);
        mpfr_add(slope, slope, part, MPFR_RNDN);
        mpfr_mul(part, term.im, t, MPFR_RNDN);
        mpfr_sub(slope, slope, part, MPFR_RNDN);
    }
    for (size_t j = 0; j < p->sums; j++) {
        cball_real(sum[j], &all[j]);
        cball_clear(&all[j]);
    }
    cball_clear(&term);
    cball_clear(&turn);
    cdisc_clear(&phase);
    mpfi_clear(angle);
    mpfr_clear(part);
    mpfr_clear(t);
}

/* s = s_w from its sum; factor = e^(K(c) - cx) / R */
static void enclose(mpfi_t s, const trapezoid *p, size_t j, const mpfi_t at, const mpfi_t factor,
                    const mpfi_t period)
{
    mpfr_t alias;
    mpfr_init2(alias, 64);
    mpfr_set_ui(alias, 0, MPFR_RNDU);
    tail_alias(alias, p->k_below[j], at, p->below, p->c, period);
    tail_alias(alias, p->k_above[j], at, p->above, p->c, period);
    mpfr_sub(&s->left, &s->left, p->dropped, MPFR_RNDD);
    mpfr_add(&s->right, &s->right, p->dropped, MPFR_RNDU);
    mpfi_mul(s, s, factor);
    if (p->c > 0) {
        mpfr_sub(&s->left, &s->left, alias, MPFR_RNDD);
        if (p->beside && p->order == 0)
            near_atom_add(s, p, at, period);
    } else {
        mpfi_add_ui(s, s, 1);
        mpfr_add(&s->right, &s->right, alias, MPFR_RNDU);
    }
    ival_clamp_ui(s, 0, 1);
    if (ival_bad(s))
        mpfi_interv_si(s, 0, 1);
    mpfr_clear(alias);
}

/* Adds the far nodes; where they cannot be had in time nothing is known. */
static void add_far(mpfi_ptr const *sum, mpfr_t slope, const trapezoid *p, mpfr_srcptr x)
{
    if (far_at(p->blocks, x) == NULL)
        far_visit(p->blocks, &x, 1, p->lim);
    const far_point *at = far_at(p->blocks, x);
    if (at != NULL)
        mpfr_add_d(slope, slope, at->sums.slope, MPFR_RNDN);
    for (size_t j = 0; j < p->sums; j++)
        if (at != NULL) {
            far_add(sum[j], p->blocks, at, j);
        } else {
            mpfr_set_inf(&sum[j]->left, -1);
            mpfr_set_inf(&sum[j]->right, 1);
        }
}

void trapezoid_profile(mpfi_ptr const *s, mpfr_t slope, const trapezoid *p, mpfr_srcptr x)
{
    mpfi_t factor, at, period;
    mpfi_init2(factor, p->work);
    mpfi_init2(period, p->work);
    mpfi_init2(at, p->work + mpfr_get_prec(x));
    trapezoid_add(s, slope, p, x);
    if (p->blocks != NULL)
        add_far(s, slope, p, x);
    mpfi_set_fr(at, x);
    mpfi_const_pi(period);
    mpfi_mul_2ui(period, period, 1);
    mpfi_div_fr(period, period, p->spacing); /* R, of the spacing in force */
    tail_chernoff(factor, p->k, at, p->c);
    mpfi_div(factor, factor, period);
    mpfr_mul(slope, slope, &factor->left, MPFR_RNDN);
    for (size_t j = 0; j < p->sums; j++)
        enclose(s[j], p, j, at, factor, period);
    mpfi_clear(at);
    mpfi_clear(period);
    mpfi_clear(factor);
}
