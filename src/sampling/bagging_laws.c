/* SPDX-License-Identifier: MIT */
/* One use of bagging as a pair of distributions that no learner exceeds: what enters a list beside
 * other mechanisms, in each direction.
 *     Any learner, a record added or removed: with q the probability that the record is in some
 * sample, P = (1 - q) Q + q A. Nothing tells P and Q better apart than where A and Q never agree,
 * which a learner that publishes its samples attains: that is the sample of rate q of a learner
 * that leaks for certain, in both directions. Where a record is replaced it is a leak on both sides
 * and needs no law.
 *     A private learner: the sample may hold the record J times, J = 0 or 1 but with replacement,
 * and one copy more is one step of the learner, or two where the learner is known under the other
 * relation. Added or removed: steps_poisson.c and steps_copies.c, attained by one learner.
 * Replaced: steps_replaced.c, the curve of all learners together, of which none is known to have
 * all; but for Poisson samples of a learner known under add-remove, where replacing is two steps by
 * way of the sample without either record, one learner has it, and of one known under replace-one
 * too, which may say that the sample holds neither. Of several disjoint blocks one alone
 * holds the record, and a replacement in it is one in a function of all pooled records; the others
 * answer too, and hide which it is. */
#include "loss/steps.h"
#include "num/number.h"
#include "sampling/bagging_ask.h"

typedef enum law_kind {
    LAW_NONE,
    LAW_LEAK,
    LAW_ONCE,
    LAW_COPIES,
    LAW_REPLACED,
    LAW_EXCHANGED,
    LAW_MISSED
} law_kind;

static bool has_blocks(const dp_bagging *b)
{
    return b->sampling == DP_WITHOUT_DISJOINT && mpz_cmp_ui(b->models, 1) > 0;
}

static law_kind law_of(const dp_known *k)
{
    const dp_bagging *b = &k->b;
    bool replaced = b->adjacency == DP_REPLACE_ONE, with = b->sampling == DP_WITH_REPLACEMENT;
    amplify_route way = amplify_way(b);
    if (b->base_epsilon == NULL || mpq_cmp_ui(b->base_delta, 1, 1) == 0 || way == AMPLIFY_NOTHING)
        return replaced ? LAW_NONE : LAW_LEAK;
    if (way == AMPLIFY_GROUP_RESULT)
        return LAW_EXCHANGED;
    if (way == AMPLIFY_SAME_SIZE)
        return LAW_MISSED;
    if (replaced)
        return LAW_REPLACED;
    return with || way != AMPLIFY_DIRECT ? LAW_COPIES : LAW_ONCE;
}

/* J and the steps of a copy. */
typedef struct drawn {
    mpz_t draws;
    mpq_t rate;
    copies copies;
} drawn;

static void drawn_init(drawn *d, const dp_bagging *b)
{
    mpz_init_set_ui(d->draws, 1);
    mpq_init(d->rate);
    amplify_rate_q(d->rate, b);
    if (b->sampling == DP_WITH_REPLACEMENT)
        mpz_set(d->draws, b->subsample_size);
    d->copies = (copies){b->base_epsilon, b->base_delta, d->draws, d->rate,
                         amplify_way(b) == AMPLIFY_GROUP_BASE ? 2 : 1};
}

static void drawn_clear(drawn *d)
{
    mpz_clear(d->draws);
    mpq_clear(d->rate);
}

static bool is_drawn(const drawn *d)
{
    return mpz_sgn(d->draws) > 0 && mpq_sgn(d->rate) > 0;
}

/* Of a data set whose size has more bits the powers of rates would be formed for seconds. */
#define LONG_SIZE 1024

bool bagging_has_law(const dp_known *k)
{
    law_kind kind = law_of(k);
    if (kind != LAW_COPIES && kind != LAW_REPLACED)
        return kind != LAW_NONE;
    if (mpz_sizeinbase(k->b.dataset_size, 2) > LONG_SIZE)
        return false;
    drawn d;
    drawn_init(&d, &k->b);
    bool fit = !is_drawn(&d) || steps_copies_fit(&d.copies);
    drawn_clear(&d);
    return fit;
}

/* One draw of all that the item counts: the record is in some sample unless all miss it. */
static dp_status add_leak(product *to, const dp_known *k, const mpz_t times, bool backward)
{
    bagging_miss s;
    dp_number zero;
    mpq_t one;
    bagging_miss_init(&s);
    dp_number_init(&zero);
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    bagging_miss_set(&s, &k->b, 0);
    mpq_sub(s.base, one, s.base);
    dp_status status = steps_poisson_add(to, &zero, one, s.base, backward, times);
    mpq_clear(one);
    dp_number_clear(&zero);
    bagging_miss_clear(&s);
    return status;
}

/* Does some learner have all of it? */
static bool is_attained(const dp_known *k, law_kind kind)
{
    const dp_bagging *b = &k->b;
    if (kind == LAW_LEAK)
        return k->kind != KNOWN_ABOVE;
    bool empty = b->sampling == DP_WITH_REPLACEMENT && mpz_cmp_ui(b->dataset_size, 1) == 0;
    return kind != LAW_REPLACED && !has_blocks(b) && !empty;
}

dp_status bagging_law(product *to, const dp_known *k, const mpz_t times, dp_end end, bool backward)
{
    law_kind kind = law_of(k);
    if (!is_attained(k, kind)) {
        to->upper_only = true;
        if (end == DP_LOWER)
            return DP_OK;
    }
    if (kind == LAW_LEAK)
        return add_leak(to, k, times, backward);
    drawn d;
    drawn_init(&d, &k->b);
    dp_status status = DP_OK;
    const copies *of = &d.copies;
    bool spends = dp_number_sgn(of->eps0) > 0 || mpq_sgn(of->delta0) > 0;
    if (!spends || !is_drawn(&d))
        status = DP_OK;
    else if (kind == LAW_ONCE)
        status = steps_poisson_add(to, of->eps0, of->delta0, of->rate, backward, times);
    else if (kind == LAW_EXCHANGED)
        status = steps_exchanged_add(to, of->eps0, of->delta0, of->rate, end, times);
    else if (kind == LAW_MISSED)
        status = steps_missed_add(to, of->eps0, of->delta0, of->rate, times);
    else if (kind == LAW_COPIES)
        status = steps_copies_add(to, of, end, backward, times);
    else
        status = steps_replaced_add(to, of, times);
    drawn_clear(&d);
    return status;
}
