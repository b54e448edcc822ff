/* SPDX-License-Identifier: MIT */
/* Sums over the laws of a product, and what each law multiplies in at the nodes of a line. */
#include "engine/totals.h"

#include "num/memory.h"
#include "num/wide.h"

static dp_status add_law(totals *t, const loss *law)
{
    dp_status status = law->ops->prepare != NULL ? law->ops->prepare(law->self) : DP_OK;
    if (status != DP_OK)
        return status;
    bool bounded = t->placed && law->ops->top != NULL && law->ops->top(&t->top, law->self);
    t->placed =
        bounded || (t->placed && law->ops->some != NULL && law->ops->some(&t->top, law->self));
    t->bounded = t->bounded && bounded;
    t->symmetric = t->symmetric && law->ops->symmetric;
    double factors = law->ops->factors(law->self);
    bool own = law->ops->free_factors != NULL;
    t->factors += factors;
    t->free_factors += own ? law->ops->free_factors(law->self) : factors;
    law->ops->uses(t->uses, law->self);
    return DP_OK;
}

/* Is the largest loss known of each law, in whatever way? */
static bool is_capped(const product *p)
{
    bool capped = true;
    logform top;
    logform_init(&top);
    for (size_t i = 0; capped && i < p->count; i++) {
        const loss *law = &p->item[i];
        capped =
            law->ops->near_top != NULL || (law->ops->top != NULL && law->ops->top(&top, law->self));
    }
    logform_clear(&top);
    return capped;
}

dp_status totals_init(totals *t, const product *p)
{
    *t = (totals){.product = p, .symmetric = true, .bounded = true, .placed = true};
    logform_init(&t->top);
    mpz_init(t->uses);
    dp_status status = DP_OK;
    for (size_t i = 0; status == DP_OK && i < p->count; i++)
        status = add_law(t, &p->item[i]);
    t->bounded = t->bounded && status == DP_OK;
    t->capped = !t->bounded && status == DP_OK && is_capped(p);
    if (status == DP_OK)
        tilt_init(&t->tilt, p->item, p->count);
    return status;
}

void totals_clear(totals *t)
{
    logform_clear(&t->top);
    mpz_clear(t->uses);
}

bool totals_end(const totals *t)
{
    return t->bounded || t->capped;
}

/* out += the largest loss of a law that has one */
static void add_top(mpfi_t out, const loss *law)
{
    if (law->ops->near_top != NULL) {
        law->ops->near_top(out, law->self);
        return;
    }
    mpfi_t part;
    logform top;
    mpfi_init2(part, mpfi_get_prec(out));
    logform_init(&top);
    if (law->ops->top(&top, law->self)) {
        logform_enclose(part, &top);
        mpfi_add(out, out, part);
    } else { /* out of memory */
        mpfr_set_inf(&out->left, -1);
        mpfr_set_inf(&out->right, 1);
    }
    logform_clear(&top);
    mpfi_clear(part);
}

void totals_top(mpfi_t out, const totals *t)
{
    if (t->bounded) {
        logform_enclose(out, &t->top);
        return;
    }
    mpfr_set_zero(&out->left, 1);
    mpfr_set_inf(&out->right, 1);
    if (t->capped) {
        mpfi_set_ui(out, 0);
        for (size_t i = 0; i < t->product->count; i++)
            add_top(out, &t->product->item[i]);
    }
}

mpfr_prec_t totals_bits(const totals *t)
{
    return (mpfr_prec_t)mpz_sizeinbase(t->uses, 2);
}

void totals_decay(mpfr_t low, const totals *t, double c, mpfr_srcptr height)
{
    mpfr_t one;
    mpfr_init2(one, 64);
    mpfr_set_zero(low, 1);
    for (size_t i = 0; i < t->product->count; i++) {
        const loss *law = &t->product->item[i];
        if (law->ops->decay == NULL)
            continue;
        law->ops->decay(one, law->self, c, height);
        mpfr_add(low, low, one, MPFR_RNDD);
    }
    mpfr_clear(one);
}

bool totals_are_dear(const totals *t)
{
    for (size_t i = 0; i < t->product->count; i++)
        if (t->product->item[i].ops->near_decay != NULL)
            return true;
    return false;
}

double totals_near_decay(const totals *t, double c, double height)
{
    MPFR_DECL_INIT(low, 64);
    MPFR_DECL_INIT(at, 64);
    double sum = 0;
    mpfr_set_d(at, height, MPFR_RNDN);
    for (size_t i = 0; i < t->product->count; i++) {
        const loss *law = &t->product->item[i];
        if (law->ops->near_decay != NULL) {
            sum += law->ops->near_decay(law->self, c, height);
        } else if (law->ops->decay != NULL) {
            law->ops->decay(low, law->self, c, at);
            sum += mpfr_get_d(low, MPFR_RNDN);
        }
    }
    return sum;
}

/* Do the decays add up to lambda from node n on? */
static bool is_dropped(const totals *t, const line *at, uint64_t n, double lambda)
{
    mpfr_t height, sum;
    mpfr_init2(height, 64);
    mpfr_init2(sum, 64);
    wide_mul_fr(height, at->spacing, n, MPFR_RNDD);
    totals_decay(sum, t, at->c, height);
    bool dropped = mpfr_cmp_d(sum, lambda) >= 0;
    mpfr_clear(sum);
    mpfr_clear(height);
    return dropped;
}

bool totals_near_atom(mpfi_t log, mpfi_t place, const totals *t)
{
    const loss *law = t->product->item;
    return t->product->count == 1 && law->ops->near_atom != NULL &&
           law->ops->near_atom(log, place, law->self);
}

void totals_decay_beside(mpfr_t low, const totals *t, double c, mpfr_srcptr height, mpfr_srcptr far)
{
    const loss *law = t->product->item;
    law->ops->decay_beside(low, law->self, c, height, far);
}

#define MARGIN 1.02
#define WORTH 0.9 /* of the nodes: to drop fewer takes longer than they do */

/* By guesses, the last of which is proved. */
static uint64_t dear_last(const totals *t, const line *at, double lambda)
{
    double unit = mpfr_get_d(at->spacing, MPFR_RNDN);
    uint64_t kept = 0, dropped = at->last;
    while (dropped - kept > 1 && kept < WORTH * (double)at->last) {
        uint64_t middle = kept + (dropped - kept) / 2;
        bool low = totals_near_decay(t, at->c, unit * (double)middle) < MARGIN * lambda;
        *(low ? &kept : &dropped) = middle;
    }
    if (kept >= WORTH * (double)at->last || !is_dropped(t, at, dropped, lambda))
        return at->last;
    return kept;
}

uint64_t totals_last(const totals *t, const line *at, double lambda)
{
    if (lambda > 0 && totals_are_dear(t))
        return dear_last(t, at, lambda);
    uint64_t kept = 0, dropped = at->last;
    if (!(lambda > 0) || !is_dropped(t, at, dropped, lambda))
        return at->last;
    while (dropped - kept > 1) {
        uint64_t middle = kept + (dropped - kept) / 2;
        *(is_dropped(t, at, middle, lambda) ? &dropped : &kept) = middle;
    }
    return kept;
}

scan_item *totals_items(size_t *count, const totals *t, const line *at)
{
    const product *p = t->product;
    size_t room = 0;
    for (size_t i = 0; i < p->count; i++)
        if (p->item[i].ops->resonances != NULL)
            room += p->item[i].ops->resonances(NULL, 0, p->item[i].self, at);
    scan_item *item = memory_new(room + 1, sizeof *item);
    *count = 0;
    for (size_t i = 0; item != NULL && i < p->count; i++)
        if (p->item[i].ops->resonances != NULL)
            *count += p->item[i].ops->resonances(item + *count, room - *count, p->item[i].self, at);
    return item;
}

dp_status totals_values(cball *phi, const totals *t, const line *at, const node_list *nodes,
                        const limits *lim)
{
    const product *p = t->product;
    for (size_t k = 0; k < nodes->count; k++)
        cball_set_ui(&phi[k], 1);
    dp_status status = DP_OK;
    for (size_t i = 0; status == DP_OK && i < p->count; i++)
        status = p->item[i].ops->multiply(phi, p->item[i].self, at, nodes->node, nodes->count, lim);
    return status;
}
