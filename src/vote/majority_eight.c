/* SPDX-License-Identifier: MIT */
/* Certified privacy of noise functions whose answer is not monotone, over multisets of all eight
 * vertices: a scan in doubles names those that may be the worst, and only intervals and exact ties
 * decide between them. */
#include <math.h>

#include "num/ival.h"
#include "num/memory.h"
#include "vote/council.h"

#define ROUNDS 60

/* One answer function, its table filled. */
typedef struct front {
    eight *t;
    const noise *g;
    bool mirrored;
    mpfr_prec_t bits;
} front;

static dp_status front_open(front *f, eight *t, const noise *g, bool mirrored, mpfr_prec_t bits)
{
    *f = (front){t, g, mirrored, bits};
    double *b = memory_new(t->voters + 1, sizeof *b);
    if (b == NULL)
        return DP_MEMORY;
    mpq_t q;
    mpq_init(q);
    for (size_t l = 0; l <= t->voters; l++) {
        noise_answer(q, g, l, mirrored);
        b[l] = mpq_get_d(q); /* truncated: within 2^-52 */
    }
    mpq_clear(q);
    dp_status status = eight_fill(t, b);
    memory_free(b);
    return status;
}

/* sum b law, rounded `way` */
static dp_status weigh(mpfr_t out, const front *f, const octet *o, bool primed, mpfr_rnd_t way)
{
    size_t n = f->t->voters + 1;
    mpfr_t *law = reals_new(n, f->bits), part;
    mpq_t q;
    mpq_init(q);
    mpfr_init2(part, f->bits);
    dp_status status = law != NULL ? eight_law(law, f->t, o, primed, way) : DP_MEMORY;
    mpfr_set_zero(out, 1);
    for (size_t l = 0; status == DP_OK && l < n; l++) {
        noise_answer(q, f->g, l, f->mirrored);
        mpfr_mul_q(part, law[l], q, way);
        mpfr_add(out, out, part, way);
    }
    mpfr_clear(part);
    mpq_clear(q);
    reals_free(law, n);
    return status;
}

static dp_status value_of(mpfi_t b, mpfi_t primed, const front *f, const octet *o)
{
    dp_status status = weigh(&b->left, f, o, false, MPFR_RNDD);
    if (status == DP_OK)
        status = weigh(&b->right, f, o, false, MPFR_RNDU);
    if (status == DP_OK)
        status = weigh(&primed->left, f, o, true, MPFR_RNDD);
    return status == DP_OK ? weigh(&primed->right, f, o, true, MPFR_RNDU) : status;
}

/* The multisets that may be the worst at x. */
static dp_status near(octets *out, const front *f, const mpfi_t x)
{
    double t = (mpfr_get_d(&x->left, MPFR_RNDN) + mpfr_get_d(&x->right, MPFR_RNDN)) / 2;
    return eight_near(out, f->t, 1 / (1 + exp(t)));
}

static seats seats_of(const front *f, const octet *o)
{
    seats s = {.m = f->t->m};
    for (size_t v = 0; v < VERTICES; v++)
        s.n[v] = o->n[v];
    return s;
}

/* ---- delta ---- */

/* largest <- the largest B - E B' of the list, and the multiset of its upper end; *rest: some could
 * not be evaluated in time */
static dp_status largest_of(mpfi_t largest, octet *worst, bool *rest, const front *f,
                            const octets *list, const mpfi_t odds)
{
    mpfi_t value, primed;
    mpfi_init2(value, f->bits);
    mpfi_init2(primed, f->bits);
    dp_status status = DP_OK;
    for (size_t i = 0; status == DP_OK && i < list->count; i++) {
        status = value_of(value, primed, f, &list->list[i]);
        if (status != DP_OK)
            break;
        mpfi_mul(primed, primed, odds);
        mpfi_sub(value, value, primed);
        if (mpfr_greater_p(&value->right, &largest->right))
            *worst = list->list[i];
        ival_take_most(largest, value);
    }
    *rest = list->full || status == DP_UNDECIDED;
    mpfi_clear(value);
    mpfi_clear(primed);
    return status == DP_UNDECIDED ? DP_OK : status;
}

/* delta = max(0, max B - E B'), E = e^x. The multiset of the largest upper end is left in `worst`,
 * which stays as it is where none may be above 0. */
static dp_status front_delta(mpfi_t delta, octet *worst, const front *f, const mpfi_t x)
{
    octets list = {0};
    dp_status status = near(&list, f, x);
    mpfi_t odds;
    mpfr_t most;
    mpfi_init2(odds, f->bits);
    mpfr_init2(most, f->bits);
    mpfi_exp(odds, x);
    mpfi_set_ui(delta, 0);
    bool rest = false;
    if (status == DP_OK)
        status = largest_of(delta, worst, &rest, f, &list, odds);
    if (status == DP_OK && rest) { /* the scan's own bound, times 1 + E */
        mpfr_add_ui(most, &odds->right, 1, MPFR_RNDU);
        mpfr_mul_d(most, most, list.most, MPFR_RNDU);
        mpfr_max(&delta->right, &delta->right, most, MPFR_RNDU);
    }
    ival_clamp_ui(delta, 0, 1);
    mpfr_clear(most);
    mpfi_clear(odds);
    memory_free(list.list);
    return status;
}

/* ---- epsilon ---- */

/* Takes ln((B - delta)/B') of a multiset into `most`. *finite as in ballots_epsilon. */
static dp_status take_ratio(mpfi_t most, dp_decision *finite, const front *f, const octet *o,
                            const mpq_t delta)
{
    tie_question q = {f->g, f->mirrored, NULL, delta, f->t->lim};
    seats s = seats_of(f, o);
    standing stand = STANDING_NONE;
    mpfi_t b, primed;
    mpfi_init2(b, f->bits);
    mpfi_init2(primed, f->bits);
    dp_status status = value_of(b, primed, f, o);
    mpfi_sub_q(b, b, delta);
    bool asks = status == DP_OK && mpfr_sgn(&b->right) > 0;
    if (asks && !tie_reaches(&q, &s, 1)) {
        status = standing_take(&stand, b, &q, &s, 1);
        *finite = !stand.known ? DP_UNKNOWN : stand.sign > 0 ? DP_NO : *finite;
    } else if (asks && mpfr_sgn(&primed->left) <= 0) { /* an exponent ran out */
        *finite = DP_UNKNOWN;
    } else if (asks) {
        mpfi_div(b, b, primed);
        mpfr_log(&b->left, &b->left, MPFR_RNDD); /* NaN or -inf where it is not above 0 */
        mpfr_log(&b->right, &b->right, MPFR_RNDU);
        mpfr_max(&most->left, &most->left, &b->left, MPFR_RNDD);
        mpfr_max(&most->right, &most->right, &b->right, MPFR_RNDU);
    }
    mpfi_clear(primed);
    mpfi_clear(b);
    return status;
}

/* The least x with delta(x) <= delta. From x = 0 on: to the largest ratio of those near the worst
 * at x, as long as that is to the right of x. Where it is not, x is enough: those near the worst
 * have B - e^x B' <= delta because x is at least their ratio, and every other multiset is below one
 * of them at x. */
static dp_status front_epsilon(mpfi_t epsilon, dp_decision *finite, const front *f,
                               const mpq_t delta)
{
    mpfi_t x;
    mpfi_init2(x, f->bits);
    mpfi_set_ui(x, 0);
    mpfi_set_ui(epsilon, 0);
    dp_status status = DP_OK;
    bool proved = false;
    *finite = DP_YES;
    for (int round = 0; status == DP_OK && *finite == DP_YES && !proved; round++) {
        octets list = {0};
        status = round < ROUNDS ? near(&list, f, x) : DP_UNDECIDED;
        mpfr_set_zero(&epsilon->right, 1);
        for (size_t i = 0; status == DP_OK && *finite == DP_YES && i < list.count; i++)
            status = take_ratio(epsilon, finite, f, &list.list[i], delta);
        if (list.full && *finite == DP_YES)
            *finite = DP_UNKNOWN;
        proved = mpfr_lessequal_p(&epsilon->right, &x->right);
        if (!proved)
            mpfi_set_fr(x, &epsilon->right);
        memory_free(list.list);
    }
    mpfr_set(&epsilon->right, &x->right, MPFR_RNDU);
    if (status == DP_UNDECIDED)
        *finite = DP_UNKNOWN;
    if (*finite != DP_YES)
        mpfr_set_inf(&epsilon->right, 1);
    mpfi_clear(x);
    return status == DP_UNDECIDED ? DP_OK : status;
}

/* ---- where it stands ---- */

static dp_status front_stand(standing *s, const front *f, const logform *x, const mpq_t delta)
{
    tie_question q = {f->g, f->mirrored, x, delta, f->t->lim};
    octets list = {0};
    mpfi_t at, gap, primed;
    mpfi_init2(at, f->bits);
    mpfi_init2(gap, f->bits);
    mpfi_init2(primed, f->bits);
    logform_enclose(at, x);
    dp_status status = near(&list, f, at);
    mpfi_exp(at, at);
    *s = STANDING_NONE;
    s->known = !list.full;
    for (size_t i = 0; status == DP_OK && s->sign <= 0 && i < list.count; i++) {
        seats seated = seats_of(f, &list.list[i]);
        status = value_of(gap, primed, f, &list.list[i]);
        mpfi_mul(primed, primed, at);
        mpfi_sub(gap, gap, primed);
        mpfi_sub_q(gap, gap, delta);
        if (status == DP_OK)
            status = standing_take(s, gap, &q, &seated, 1);
    }
    memory_free(list.list);
    mpfi_clear(primed);
    mpfi_clear(gap);
    mpfi_clear(at);
    return status;
}

/* ---- both answers ---- */

dp_status eight_stand(standing *s, eight *t, const noise *g, const logform *x, const mpq_t delta,
                      mpfr_prec_t bits)
{
    *s = STANDING_NONE;
    dp_status status = DP_OK;
    for (int side = 0; status == DP_OK && side < noise_sides(g); side++) {
        front f;
        standing own;
        status = front_open(&f, t, g, side == 1, bits);
        if (status == DP_OK)
            status = front_stand(&own, &f, x, delta);
        if (status == DP_OK)
            standing_join(s, &own);
    }
    return status;
}

dp_status eight_certify(reading *r, eight *t, const noise *g, const logform *x, const mpq_t delta,
                        mpfr_prec_t bits)
{
    mpfi_t at, value;
    mpfi_init2(at, bits);
    mpfi_init2(value, bits);
    logform_enclose(at, x);
    dp_status status = DP_OK;
    for (int side = 0; status == DP_OK && side < noise_sides(g); side++) {
        front f;
        octet worst = {{0}, 0};
        dp_decision finite = DP_YES;
        status = front_open(&f, t, g, side == 1, bits);
        if (status == DP_OK)
            status = front_delta(value, &worst, &f, at);
        if (status == DP_OK) {
            reading_take_delta(r, value, worst.n, side == 1);
            status = front_epsilon(value, &finite, &f, delta);
        }
        if (status == DP_OK)
            reading_take_epsilon(r, value, finite);
    }
    mpfi_clear(value);
    mpfi_clear(at);
    return status;
}
