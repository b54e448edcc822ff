/* SPDX-License-Identifier: MIT */
/* The table of domains, and whether a value is in one of them. */
#include "num/domain.h"

#include "dpacct/figure.h"

#define END(num, den)                                                                              \
    {                                                                                              \
        num, den, false                                                                            \
    }
#define OPEN_END(num, den)                                                                         \
    {                                                                                              \
        num, den, true                                                                             \
    }

/* More than any literal or product of parameters takes: GMP ends the process far beyond. */
#define MOST_BITS ((size_t)1 << 24)

const domain domain_count = {
    .low = END(1, 1), .whole = true, .must = "must be a positive integer, such as 60000 or 10^9"};
const domain domain_odd_count = {
    .low = END(1, 1),
    .whole = true,
    .odd = true,
    .must = "must be a positive integer, and odd, so that the majority has no tie"};
const domain domain_digits = {.low = END(1, 1),
                              .high = END(DP_MOST_DIGITS, 1),
                              .whole = true,
                              .must = "must be an integer from 1 to 10000"};
const domain domain_jobs = {
    .low = END(1, 1), .high = END(64, 1), .whole = true, .must = "must be an integer from 1 to 64"};
const domain domain_loss = {
    .low = END(0, 1), .log = true, .must = "must not be negative, such as 0.1 or ln(3)"};
const domain domain_base_loss = {
    .low = END(0, 1),
    .high = END(100000000, 1),
    .log = true,
    .must = "must not be negative, nor above 10^8; such a learner protects nothing, leave it out"};
const domain domain_probability = {
    .low = END(0, 1), .high = END(1, 1), .must = "must be a number from 0 to 1, such as 1e-5"};
const domain domain_short_share = {
    .low = END(0, 1),
    .high = END(1, 1),
    .bits = 1024,
    .must = "must be a number from 0 to 1, of at most some hundred digits"};
const domain domain_vote_mean = {
    .low = END(1, 2),
    .high = END(1, 1),
    .bits = 1024,
    .must =
        "must be from 1/2 to 1, where the error is linear in gamma, and of at most some hundred "
        "digits"};
const domain domain_slack = {.low = OPEN_END(0, 1),
                             .high = OPEN_END(1, 1),
                             .must = "must be a number above 0 and below 1, such as 1e-6"};
const domain domain_positive = {.low = OPEN_END(0, 1),
                                .must = "must be a number above 0, such as 2.5"};
const domain domain_short_positive = {.low = OPEN_END(0, 1),
                                      .bits = 4096,
                                      .must =
                                          "must be above 0, and with at most some thousand digits"};
const domain domain_real = {.must = "must be a plain number"};
const domain domain_not_negative = {.low = {0, 1, false}, .must = "must be a number >= 0"};
const domain domain_votes = {
    .low = {0, 1, false},
    .bits = 1024,
    .must = "must be a number of votes: 0 or more, of at most some hundred digits"};
const domain domain_order = {.low = {1, 1, true}, .must = "must be a number above 1"};

/* The sign of x - e, where e is an end. */
static int against(mpq_srcptr x, const domain_end *e)
{
    return e->num == 0 ? mpq_sgn(x) : mpq_cmp_ui(x, e->num, e->den);
}

static bool inside(const domain *d, mpq_srcptr x)
{
    int low = d->low.den != 0 ? against(x, &d->low) : 1;
    int high = d->high.den != 0 ? against(x, &d->high) : -1;
    return (low > 0 || (low == 0 && !d->low.open)) && (high < 0 || (high == 0 && !d->high.open));
}

static bool is_short(mpq_srcptr x, size_t bits)
{
    return mpz_sizeinbase(mpq_numref(x), 2) <= bits && mpz_sizeinbase(mpq_denref(x), 2) <= bits;
}

static bool is_lowest(mpq_srcptr x)
{
    if (mpz_sgn(mpq_denref(x)) <= 0)
        return false;
    if (mpz_cmp_ui(mpq_denref(x), 1) == 0)
        return true;
    if (mpz_size(mpq_denref(x)) == 1 && mpq_sgn(x) != 0)
        return mpn_gcd_1(mpz_limbs_read(mpq_numref(x)), (mp_size_t)mpz_size(mpq_numref(x)),
                         mpz_getlimbn(mpq_denref(x), 0)) == 1;
    mpz_t common;
    mpz_init(common);
    mpz_gcd(common, mpq_numref(x), mpq_denref(x));
    bool one = mpz_cmp_ui(common, 1) == 0;
    mpz_clear(common);
    return one;
}

/* What no number may be, whatever its domain. */
static const char *ill_formed(mpq_srcptr x)
{
    if (!is_short(x, MOST_BITS))
        return "must be written with at most 2^24 bits";
    return is_lowest(x) ? NULL
                        : "must be in lowest terms, with a denominator above 0: mpq_canonicalize "
                          "makes it so";
}

const char *domain_fault_q(const domain *d, mpq_srcptr x)
{
    const char *fault = ill_formed(x);
    if (fault != NULL)
        return fault;
    bool whole = mpz_cmp_ui(mpq_denref(x), 1) == 0;
    bool fits = (whole || !d->whole) && (!d->odd || mpz_odd_p(mpq_numref(x))) && inside(d, x) &&
                (d->bits == 0 || is_short(x, d->bits));
    return fits ? NULL : d->must;
}

const char *domain_fault_z(const domain *d, mpz_srcptr x)
{
    static const mp_limb_t one = 1;
    mpq_t q; /* borrows both, and is only read */
    *mpq_numref(q) = *x;
    mpz_roinit_n(mpq_denref(q), &one, 1);
    return domain_fault_q(d, q);
}

const char *domain_fault(const domain *d, const dp_number *x)
{
    if (x->is_log == 0)
        return domain_fault_q(d, x->value);
    if (x->is_log != 1)
        return "must have is_log 0 or 1";
    const char *fault = ill_formed(x->value);
    if (fault != NULL)
        return fault;
    if (mpq_sgn(x->value) <= 0)
        return "must be the logarithm of a number above 0";
    return d->log && (d->low.den == 0 || mpq_cmp_ui(x->value, 1, 1) >= 0) ? NULL : d->must;
}
