/* SPDX-License-Identifier: MIT */
/* The epsilon of the amplified pair where it is an exact number, and what is beyond it. */
#include "num/number.h"
#include "sampling/amplify.h"

/* Values nearer to each other than this many bits are told apart by nothing else. */
#define TIE_BITS 4096

/* odds := e^eps' for a learner of these odds, all rational */
static void amplify_odds(mpq_t odds, const mpq_t eta, amplify_route way)
{
    mpq_t less, below;
    mpq_inits(less, below, NULL);
    if (way == AMPLIFY_GROUP_RESULT) { /* 1 - eta + eta/E0, below */
        mpq_inv(below, odds);
        mpq_set_ui(less, 1, 1);
        mpq_sub(below, less, below);
        mpq_mul(below, below, eta);
        mpq_sub(below, less, below);
    } else {
        mpq_set_ui(below, 1, 1);
    }
    if (way == AMPLIFY_GROUP_BASE)
        mpq_mul(odds, odds, odds);
    mpq_set_ui(less, 1, 1);
    mpq_sub(odds, odds, less);
    mpq_mul(odds, odds, eta);
    mpq_add(odds, odds, less);
    mpq_div(odds, odds, below);
    mpq_clears(less, below, NULL);
}

bool amplify_end(dp_number *epsilon, const dp_bagging *b)
{
    amplify_route way = amplify_way(b);
    mpq_t eta, x;
    mpq_inits(eta, x, NULL);
    amplify_rate_q(eta, b);
    bool exact = true, whole = mpq_cmp_ui(eta, 1, 1) == 0;
    if (mpq_sgn(eta) == 0 || dp_number_sgn(b->base_epsilon) == 0) {
        dp_number_set_ui(epsilon, 0);
    } else if (way == AMPLIFY_SAME_SIZE) {
        dp_number_set(epsilon, b->base_epsilon);
    } else if (amplify_base_odds(x, b)) {
        amplify_odds(x, eta, way);
        number_set_log(epsilon, x);
    } else if (whole || (way == AMPLIFY_GROUP_RESULT && mpq_cmp_ui(eta, 1, 2) == 0)) {
        /* (1 - q + q E0)/(1 - q + q/E0) is E0 at q = 1/2 */
        mpq_set(x, number_rational(b->base_epsilon));
        if (whole && way != AMPLIFY_DIRECT)
            mpq_mul_2exp(x, x, 1);
        number_set_q(epsilon, x);
    } else {
        exact = false;
    }
    mpq_clears(eta, x, NULL);
    return exact;
}

dp_decision amplify_beyond(const dp_bagging *b, const mpz_t times, const logform *x)
{
    dp_number end;
    logform gap;
    mpq_t minus;
    int sign;
    dp_number_init(&end);
    logform_init(&gap);
    mpq_init(minus);
    mpq_set_z(minus, times);
    mpq_neg(minus, minus);
    bool ok = amplify_end(&end, b) && logform_set(&gap, x) &&
              logform_add_number(&gap, minus, &end) && logform_sign(&sign, &gap, TIE_BITS);
    mpq_clear(minus);
    logform_clear(&gap);
    dp_number_clear(&end);
    return !ok ? DP_UNKNOWN : sign >= 0 ? DP_YES : DP_NO;
}
