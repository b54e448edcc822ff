/* SPDX-License-Identifier: MIT */
/* What is stated about private majorities, the one formula among it, and what proposes a design. */
#include "vote/majority.h"

#include "num/ival.h"
#include "num/number.h"
#include "vote/council.h"

#define RATIONAL_BITS 65536

/* c_j = e^(-j eps)/2 - delta (1 - e^(-j eps))/(e^eps - 1) */
static void enclose_link(mpfi_t c, const chain_in *in)
{
    mpfi_t part, grow;
    mpfi_init2(part, mpfi_get_prec(c) + (mpfr_prec_t)mpz_sizeinbase(in->steps, 2));
    mpfi_init2(grow, mpfi_get_prec(c));
    ival_set_number(part, in->epsilon);
    ival_mul_z(part, part, in->steps);
    mpfi_neg(part, part);
    mpfi_exp(c, part);
    mpfi_div_2ui(c, c, 1);
    mpfi_expm1(part, part);
    mpfi_mul_q(part, part, in->delta);
    ival_expm1_number(grow, in->epsilon);
    mpfi_div(part, part, grow);
    mpfi_add(c, c, part);
    mpfi_clear(grow);
    mpfi_clear(part);
}

/* The same where e^eps = R is rational; false when it is not, or too large to form. */
static bool rational_link(mpq_t c, const chain_in *in)
{
    if (in->steps == NULL || (!in->epsilon->is_log && mpz_sgn(in->steps) > 0))
        return false;
    mpq_srcptr r = number_odds(in->epsilon); /* not read where there are no steps */
    if (mpz_cmp_ui(in->steps, RATIONAL_BITS / number_bits(in->epsilon)) > 0)
        return false;
    mpq_set_ui(c, 1, 2);
    for (unsigned long j = mpz_get_ui(in->steps); j > 0; j--) {
        mpq_sub(c, c, in->delta);
        mpq_div(c, c, r);
    }
    return true;
}

/* c_j is at most the mean, the c before it is above it: so it is at least e^-eps (mean - delta). */
static dp_status eval_lower_bound(dp_figure *out, const void *context, const wanted *want)
{
    const chain_in *in = context;
    mpq_t c;
    mpq_init(c);
    bool exact = rational_link(c, in);
    if (exact) {
        mpq_sub(c, c, in->win);
        if (mpq_sgn(c) < 0)
            mpq_set_ui(c, 0, 1);
        figure_set_q(out, c);
    }
    mpq_clear(c);
    if (exact)
        return DP_OK;
    mpfi_ptr x = figure_enclose(out, want->bits);
    mpfi_t link;
    mpfi_init2(link, want->bits);
    ival_set_number(x, in->epsilon);
    mpfi_neg(x, x);
    mpfi_exp(x, x);
    mpfi_set_q(link, in->mean);
    mpfi_sub_q(link, link, in->delta);
    mpfi_mul(x, x, link);
    mpfi_set_q(link, in->mean);
    mpfr_set(&x->right, &link->right, MPFR_RNDU);
    if (in->steps != NULL) {
        enclose_link(link, in);
        mpfr_max(&x->left, &x->left, &link->left, MPFR_RNDD);
        mpfr_min(&x->right, &x->right, &link->right, MPFR_RNDU);
    }
    mpfi_sub_q(x, x, in->win);
    ival_at_least_zero(x);
    mpfi_clear(link);
    return DP_OK;
}

/* |win - mean| */
static dp_status eval_lemma(dp_figure *out, const void *in, const wanted *want)
{
    const chain_in *q = in;
    (void)want;
    out->kind = DP_RATIONAL;
    mpq_sub(out->rational, q->win, q->mean);
    mpq_abs(out->rational, out->rational);
    return DP_OK;
}

#define PAPER                                                                                      \
    "Jiang, Zhang, Joshi 2024, Optimized Tradeoffs for Private Prediction with Majority "          \
    "Ensembling"
#define CLASS                                                                                      \
    "K odd; independent mechanisms with one-bit votes, each (epsilon_i, delta_i)-DP and "          \
    "otherwise "                                                                                   \
    "the worst; the adjacency of the mechanisms"
#define CERTIFICATE                                                                                \
    "delta and epsilon are the smallest for this gamma: B(p) - e^t B(p') is linear in each "       \
    "mechanism's (p, p'), so its maximum is at vertices, and for a monotone answer at (delta, "    \
    "0), "                                                                                         \
    "(c, d), (1, 1 - delta) only, c = (e^eps + delta)/(e^eps + 1) = 1 - d; all multisets are "     \
    "evaluated. "

const bound majority_constant = {
    .theorem = {.id = "majority-constant",
                .family = "majority",
                .verdict = DP_EXACT,
                .source = "derived here, sharper than " PAPER ", Lemma A.1",
                .statement = "gamma = p, p = 1 if x <= delta, else (E-1+2 delta)/(E-1+2x), E = "
                             "e^target, x the smallest delta of the majority itself at the target",
                .assumes = CLASS,
                .proof = CERTIFICATE "The cost is linear in gamma, so p is the largest constant; "
                                     "the gamma shown is p rounded down."},
    .engine = majority_propose_constant,
    .also = "epsilon|delta|delta_at_target_epsilon|epsilon_at_target_delta|probability|error|total_"
            "variation|disagreement",
    .design = "constant"};

const bound majority_constant_composed = {
    .theorem = {.id = "majority-constant-composed",
                .family = "majority",
                .verdict = DP_PROVED,
                .source = PAPER ", Lemma A.1, with its clamps, and compose-optimal",
                .statement =
                    "gamma = p as in majority-constant, x the delta of the optimal composition of "
                    "all mechanisms at the target",
                .assumes =
                    "K odd; " GIVEN_EARLIER ", not necessarily independent; their adjacency. The "
                    "delta, epsilon and errors shown assume independence",
                .proof = "The majority is a post-processing of the composition."},
    .engine = majority_propose_composed,
    .also = "epsilon|delta|delta_at_target_epsilon|epsilon_at_target_delta|probability|error|total_"
            "variation|disagreement",
    .design = "constant"};

const bound majority_subsample = {
    .theorem = {.id = "majority-subsample",
                .family = "majority",
                .verdict = DP_EXACT,
                .source = PAPER ", Lemma 3.1; its privacy derived here",
                .statement = "gamma of the majority of k of the K votes drawn without replacement, "
                             "a tie being a fair coin; an even k has the gamma of k - 1",
                .assumes = CLASS,
                .proof = CERTIFICATE "Deleting one vote of an even sample at random turns a tie "
                                     "into a fair coin and keeps every strict majority."},
    .engine = majority_propose_subsample,
    .also = "epsilon|delta|delta_at_target_epsilon|epsilon_at_target_delta|error|total_variation|"
            "disagreement",
    .design = "subsample"};

const bound majority_double_subsample = {
    .theorem =
        {.id = "majority-double-subsample",
         .family = "majority",
         .verdict = DP_EXACT,
         .source = PAPER ", Theorem 4.1, strengthened",
         .statement = "the subsample of min(2m - 1, K) votes, m = target/epsilon rounded down, "
                      "epsilon the largest epsilon_i; with delta_i = 0 for all i its exact cost is "
                      "the sum of the min(m, (K+1)/2) largest epsilon_i",
         .assumes = CLASS,
         .proof = CERTIFICATE
         "With delta_i = 0: a sample answers 1 where t = min(m, (K+1)/2) of its votes are, and "
         "along "
         "p_i e^(-s epsilon_i) the logarithm of that probability falls at the rate sum_i epsilon_i "
         "Pr[vote i is 1, exactly t ones]/Pr[at least t ones], at most the t largest epsilon_i of "
         "the sample; a mixture of samples costs no more than the worst of them. The t voters of "
         "largest epsilon at (c, d), all others at (0, 0), attain it."},
    .engine = majority_propose_double,
    .also = "epsilon|delta|delta_at_target_epsilon|epsilon_at_target_delta|error|total_variation|"
            "disagreement",
    .design = "double-subsample"};

const bound majority_optimal = {
    .theorem =
        {.id = "majority-optimal",
         .family = "majority",
         .verdict = DP_EXACT,
         .source = PAPER ", the linear program of section 5; solved and certified here",
         .statement =
             "gamma that maximises sum w_l gamma(l) over monotone (or, free, all) symmetric "
             "gamma in [0, 1] that meet the target, w the weights of the prior; no gamma of "
             "the class has an objective above objective_bound",
         .assumes = CLASS,
         .proof = CERTIFICATE
         "Rows are generated for the multisets that are violated; gamma is then scaled into the "
         "target and certified as shown, and the multipliers y >= 0 of the rows G gamma <= R prove "
         "sum w gamma <= R sum y + sum_l max(0, w_l - sum y G_l) by weak duality."},
    .engine = majority_propose_optimal,
    .also = "epsilon|delta|delta_at_target_epsilon|epsilon_at_target_delta|objective|objective_"
            "bound|error|total_variation|disagreement",
    .design = "optimal"};

const bound majority_given = {
    .theorem = {.id = "majority-given",
                .family = "majority",
                .verdict = DP_EXACT,
                .source = "derived here",
                .statement = "the smallest delta and epsilon of a given gamma",
                .assumes = CLASS,
                .proof = CERTIFICATE "Where the answer is not monotone all eight vertices are "
                                     "taken, by a scan with a proved error bound."},
    .engine = majority_propose_given,
    .also = "epsilon|delta|delta_at_target_epsilon|epsilon_at_target_delta|error|total_variation|"
            "disagreement",
    .design = "given"};

const bound majority_lower_bound = {
    .theorem =
        {.id = "majority-lower-bound",
         .family = "majority",
         .verdict = DP_PROVED,
         .source = PAPER ", Lemma 3.2, corrected",
         .statement =
             "for any (eps, delta)-DP answer to K identical (eps, delta)-DP votes of mean p <= 1/2 "
             "the total variation error is at least c_j - Pr[majority = 1] at p or at 1 - p, c_0 = "
             "1/2, c_(j+1) = e^-eps (c_j - delta), c_j the largest that is at most p",
         .assumes = "identical independent votes; target and mechanisms have the same epsilon and "
                    "delta; it may fail at p or at 1 - p, not at both",
         .proof =
             "The means 1/2, ..., p and their mirror images are a chain of neighbours; privacy "
             "carries the answer's probability down the chain by at most these factors."},
    .eval = eval_lower_bound,
    .output = {"total_variation"}};

const bound majority_lemma_3_2 = {
    .theorem = {.id = "majority-lemma-3-2",
                .family = "majority",
                .verdict = DP_UNSOUND,
                .source = PAPER ", Lemma 3.2, as printed",
                .statement = "every (eps, delta)-DP answer has an error of at least |Pr[majority = "
                             "1] - (1/K) sum p_i|",
                .assumes = "claims the class of majority-constant with allowance 1",
                .proof =
                    "The chain of data sets in its proof gives the bound at one of two mirrored "
                    "data sets, not at each.",
                .counterexample =
                    "K = 3, eps = 1, delta = 0: the constant gamma 0.71775... is (1, "
                    "0)-DP, and at p = 0.6 its error is 0.04177... < 0.048, the bound "
                    "claimed"},
    .eval = eval_lemma,
    .output = {"total_variation"}};

dp_status council_propose(dp_design d, proposing *p, dp_result *out)
{
    static const bound *const rows[][2] = {
        [DP_DESIGN_OPTIMAL] = {&majority_optimal},
        [DP_DESIGN_CONSTANT] = {&majority_constant, &majority_constant_composed},
        [DP_DESIGN_DOUBLE_SUBSAMPLE] = {&majority_double_subsample},
        [DP_DESIGN_SUBSAMPLE] = {&majority_subsample},
        [DP_DESIGN_ALL] = {&majority_given},
    };
    dp_status status = DP_OK;
    for (size_t i = 0; status == DP_OK && i < 2 && rows[d][i] != NULL; i++) {
        p->row = rows[d][i];
        status = p->row->engine(out, p, p->c->opt);
    }
    return status;
}
