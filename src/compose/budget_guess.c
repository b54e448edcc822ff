/* SPDX-License-Identifier: MIT */
/* Guesses of what still fits a budget, in doubles: two certified decisions follow each. */
#include <math.h>

#include "compose/budget.h"
#include "loss/cells.h"
#include "num/ival.h"
#include "num/number.h"

/* copy = the list held, and the added mechanism `times` times */
dp_status budget_extend(dp_composition *copy, const budget *b, const mpz_t times)
{
    mpz_t one;
    mpz_init_set_ui(one, 1);
    dp_composition_init_under(copy, b->held->adjacency);
    dp_status status = known_append(copy, b->held, one);
    if (status == DP_OK && mpz_sgn(times) > 0)
        status = b->added != NULL ? known_append(copy, b->added, times)
                                  : dp_composition_add(copy, &b->epsilon, b->delta, times, NULL);
    mpz_clear(one);
    return status;
}

/* The list in doubles with one more group last, for guesses. */
typedef struct guess {
    buckets list;
    loss law;
    tilt tilt;
    double log_keep, log_keep_one; /* ln D of the list, ln(1 - delta) of the added one */
    double max_epsilon, log_rest;  /* ln(1 - D) of the budget */
} guess;

static double log1m_double(const mpq_t x)
{
    mpfi_t e;
    mpfi_init2(e, 64);
    ival_log1m_q(e, x);
    double d = mpfr_get_d(&e->left, MPFR_RNDN);
    mpfi_clear(e);
    return d;
}

/* Does the budget hold in doubles with the added group at these values? */
static bool seems_to_fit(guess *g, double epsilon, double times)
{
    tilt *t = &g->tilt;
    g->list.epsilon[g->list.count - 1] = epsilon;
    g->list.times[g->list.count - 1] = times;
    buckets_sum(&g->list);
    tilt_init_buckets(t, &g->law, &g->list);
    double log_leak = g->log_keep + times * g->log_keep_one, x = g->max_epsilon;
    double rest = -expm1(g->log_rest - log_leak); /* s* */
    if (x >= t->total)
        return rest >= 0;
    if (rest <= 0)
        return false;
    bool left = tilt_is_left(t, x);
    double z = tilt_saddle(t, x, left), value = tilt_log_profile(t, x, z);
    double s = left ? -expm1(value) : exp(value);
    return s <= rest;
}

static bool guess_init(guess *g, const budget *b)
{
    composed list;
    dp_composition copy;
    mpz_t one;
    mpz_init_set_ui(one, 1);
    dp_status extended = budget_extend(&copy, b, one), ready = composed_init(&list, &copy);
    bool room = buckets_init(&g->list, list.response);
    bool ok = extended == DP_OK && ready == DP_OK && room;
    mpz_clear(one);
    if (ok) { /* the added group stands apart, even where its epsilon is in the list too */
        mpfi_t keep;
        mpfi_init2(keep, 64);
        composed_log_keep(keep, &list);
        g->log_keep_one = log1m_double(b->delta);
        g->log_keep = mpfr_get_d(&keep->left, MPFR_RNDN) - g->log_keep_one;
        mpfi_clear(keep);
        double epsilon = ival_guess(&b->epsilon);
        for (size_t i = 0; i < g->list.count; i++)
            if (g->list.epsilon[i] == epsilon)
                g->list.times[i] -= 1;
        g->list.count++; /* room for one more was made */
        g->max_epsilon = ival_guess(b->max_epsilon);
        g->log_rest = log1m_double(b->max_delta);
    } else {
        buckets_clear(&g->list);
    }
    composed_clear(&list);
    dp_composition_clear(&copy);
    return ok;
}

/* About the largest number of uses, at most 1e300. */
double budget_guess_times(const budget *b)
{
    guess g;
    double low = 0, high = 1;
    if (mpq_cmp_ui(b->max_delta, 1, 1) >= 0 || uses_count(b->held) > 0 || !guess_init(&g, b))
        return 0;
    double epsilon = ival_guess(&b->epsilon);
    while (high < 1e300 && seems_to_fit(&g, epsilon, high)) {
        low = high;
        high *= 4;
    }
    for (int i = 0; i < 60 && high - low > 1; i++) {
        double middle = floor(low + (high - low) / 2);
        if (seems_to_fit(&g, epsilon, middle))
            low = middle;
        else
            high = middle;
    }
    buckets_clear(&g.list);
    return low;
}

double budget_guess_epsilon(const budget *b)
{
    guess g;
    if (mpq_cmp_ui(b->max_delta, 1, 1) >= 0 || uses_count(b->held) > 0 || !guess_init(&g, b))
        return 0;
    double low = -700, high = 20, times = mpz_get_d(b->times);
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        if (seems_to_fit(&g, exp(middle), times))
            low = middle;
        else
            high = middle;
    }
    buckets_clear(&g.list);
    return low < -690 ? 0 : exp(low);
}
