/* SPDX-License-Identifier: MIT */
/* The personalised accountant of DP bagging: what the queries spent of each record, by the
 * fractions of the teachers that hold it. Only the record's own votes move, so a query is less
 * telling of it the more its teachers disagree. */
#include <stdlib.h>

#include "loss/laplace.h"
#include "num/ival.h"
#include "num/memory.h"
#include "num/number.h"
#include "renyi/convert.h"
#include "vote/pate_instance.h"

/* Of one query: 1 + largest - least, 1 - least, and the largest squared. */
static void read_query(mpq_t spread, mpq_t far, mpq_t square, const mpq_t *share, size_t classes)
{
    size_t most = 0, least = 0;
    for (size_t c = 1; c < classes; c++) {
        if (mpq_cmp(share[c], share[most]) > 0)
            most = c;
        if (mpq_cmp(share[c], share[least]) < 0)
            least = c;
    }
    mpq_set_ui(far, 1, 1);
    mpq_sub(far, far, share[least]);
    mpq_add(spread, far, share[most]);
    mpq_mul(square, share[most], share[most]);
}

typedef struct cell {
    mpq_t spread, far;
    size_t asked; /* 0 where no votes are given */
    size_t place;
} cell;

static int compare(const void *a, const void *b)
{
    const cell *x = a, *y = b;
    if (x->asked != y->asked)
        return x->asked < y->asked ? -1 : 1;
    int order = mpq_cmp(x->spread, y->spread);
    return order != 0 ? order : mpq_cmp(x->far, y->far);
}

/* The distinct values of the cells, sorted. */
static void gather(pate_shares *s, cell *all, size_t count)
{
    qsort(all, count, sizeof *all, compare);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || compare(&all[i - 1], &all[i]) != 0) {
            mpq_inits(s->spread[s->spreads], s->far[s->spreads], NULL);
            s->asked[s->spreads] = all[i].asked;
            mpq_set(s->spread[s->spreads], all[i].spread);
            mpq_set(s->far[s->spreads++], all[i].far);
        }
        s->at[all[i].place] = (uint32_t)(s->spreads - 1);
    }
}

static bool read_votes(pate_shares *s, const mpq_t *votes, size_t classes)
{
    s->query = memory_new(s->queries, sizeof *s->query);
    pate_tails *tails = pate_guess_tails();
    for (size_t x = 0; s->query != NULL && x < s->queries; x++)
        pate_query_read(&s->query[x], s->of, votes + x * classes, classes, NULL, tails);
    pate_tails_free(tails);
    return s->query != NULL;
}

dp_status pate_shares_init(pate_shares *s, const pate_account *of, const mpq_t *shares,
                           const mpq_t *votes, size_t records, size_t queries, size_t classes)
{
    *s = (pate_shares){.of = of, .records = records, .queries = queries};
    mpq_init(s->square);
    if (votes != NULL && !read_votes(s, votes, classes))
        return DP_MEMORY;
    size_t count = records * queries;
    cell *all = memory_new(count, sizeof *all);
    s->asked = memory_new(count, sizeof *s->asked);
    s->spread = memory_new(count, sizeof *s->spread);
    s->far = memory_new(count, sizeof *s->far);
    s->at = memory_new(count, sizeof *s->at);
    if (all == NULL || s->asked == NULL || s->spread == NULL || s->far == NULL || s->at == NULL) {
        memory_free(all);
        return DP_MEMORY;
    }
    mpq_t square, sum;
    mpq_inits(square, sum, NULL);
    for (size_t u = 0; u < records; u++) {
        mpq_set_ui(sum, 0, 1);
        for (size_t x = 0; x < queries; x++) {
            cell *one = &all[u * queries + x];
            mpq_inits(one->spread, one->far, NULL);
            one->place = u * queries + x;
            one->asked = votes != NULL ? x : 0;
            read_query(one->spread, one->far, square, shares + one->place * classes, classes);
            mpq_add(sum, sum, square);
        }
        if (mpq_cmp(sum, s->square) > 0)
            mpq_set(s->square, sum);
    }
    gather(s, all, count);
    for (size_t i = 0; i < count; i++)
        mpq_clears(all[i].spread, all[i].far, NULL);
    memory_free(all);
    mpq_clears(square, sum, NULL);
    return DP_OK;
}

void pate_shares_clear(pate_shares *s)
{
    for (size_t i = 0; i < s->spreads; i++)
        mpq_clears(s->spread[i], s->far[i], NULL);
    memory_free(s->query);
    memory_free(s->asked);
    memory_free(s->spread);
    memory_free(s->far);
    memory_free(s->at);
    mpq_clear(s->square);
}

/* r[i] of one query of each value; they are in the order of the queries. */
static void each_spread(mpfi_t *r, const pate_shares *s, mpq_srcptr alpha, mpfr_prec_t bits)
{
    pate_tails *tails = s->query != NULL ? pate_tails_new(bits) : NULL;
    mpfi_t lq;
    mpfi_init2(lq, bits);
    dp_number epsilon;
    mpfi_t laplace, order;
    mpq_t q;
    dp_number_init(&epsilon);
    mpq_init(q);
    mpfi_init2(laplace, bits);
    mpfi_init2(order, bits);
    mpfi_set_q(order, alpha);
    for (size_t i = 0; i < s->spreads; i++) {
        mpfi_init2(r[i], bits);
        mpq_mul(q, s->spread[i], s->of->scale);
        number_set_q(&epsilon, q);
        renyi_of_pure(r[i], &epsilon, alpha);
        mpq_mul(q, s->far[i], s->of->scale);
        laplace_renyi(laplace, q, order);
        mpfi_mul_2ui(laplace, laplace, 1);
        ival_take_least(r[i], laplace);
        if (s->query == NULL)
            continue;
        if (i == 0 || s->asked[i] != s->asked[i - 1])
            pate_log_q(lq, s->of, &s->query[s->asked[i]], tails);
        pate_pair_dependent(r[i], lq, number_rational(&epsilon), alpha);
    }
    pate_tails_free(tails);
    mpfi_clear(lq);
    mpfi_clear(order);
    mpfi_clear(laplace);
    mpq_clear(q);
    dp_number_clear(&epsilon);
}

void pate_shares_curve(mpfi_t r, const void *of, mpq_srcptr alpha)
{
    const pate_shares *s = of;
    mpfi_t *one = memory_new(s->spreads, sizeof *one), sum;
    mpfi_init2(sum, mpfi_get_prec(r));
    mpfi_set_ui(r, 0);
    if (one != NULL) {
        each_spread(one, s, alpha, mpfi_get_prec(r));
        for (size_t u = 0; u < s->records; u++) {
            mpfi_set_ui(sum, 0);
            for (size_t x = 0; x < s->queries; x++)
                mpfi_add(sum, sum, one[s->at[u * s->queries + x]]);
            ival_take_most(r, sum);
        }
        for (size_t i = 0; i < s->spreads; i++)
            mpfi_clear(one[i]);
    } else {
        mpfr_set_inf(&r->right, 1); /* the query fails anyway */
    }
    memory_free(one);
    mpfi_clear(sum);
}

static dp_status eval_published(dp_figure *out, const void *in, const wanted *want)
{
    const pate_instance_in *p = in;
    mpq_t rho;
    mpq_init(rho);
    mpq_mul(rho, p->shares->of->scale, p->shares->of->scale);
    mpq_mul_2exp(rho, rho, 1);
    mpq_mul(rho, rho, p->shares->square);
    pate_moments_figures(out, &p->in, rho, want->bits);
    mpq_clear(rho);
    return DP_OK;
}

#define BAGGING_2019                                                                               \
    "Jordon, Yoon, van der Schaar 2019, Differentially Private Bagging, supplement and code"

const bound pate_bagging_instance = {
    .theorem =
        {.id = "pate-bagging-instance",
         .family = "pate",
         .verdict = DP_PER_INSTANCE,
         .source =
             "derived here for the mechanism of " BAGGING_2019 "; with votes its equation (3), "
             "a conjecture there, with e in place of 2 inverse_scale max f",
         .statement =
             "for every order alpha = 1+l: epsilon by pate-renyi from r = max over records u of "
             "the "
             "sum over queries of the least of that of randomized response at e = inverse_scale (1 "
             "+ max f - min f), of two Laplace mechanisms at inverse_scale (1 - min f), f the "
             "fractions of the k teachers that hold u by the class they vote for, and where the "
             "votes are given and q <= 1/(1 + e^e) of ln((1-q)^(l+1)/(1 - e^e q)^l + q e^(e l))/l, "
             "q "
             "as in pate-lnmax-instance",
         .assumes = PATE_INSTANCE
         "; votes of k partitions of the records, divided by k; neighbours differ in the value "
         "of one record that is present, or lack it where the partitions do not move",
         .proof =
             "Replacing u raises a class by at most 1 - f_a and lowers another by at most f_b, "
             "and whether a class wins is decided by its own noise against a threshold that moves "
             "by no more than both: the query is inverse_scale max (1 - f_a + f_b)-private for "
             "these two data sets, in both directions. The proof of pate-lnmax-instance asks no "
             "more of the pair. With 2 inverse_scale max f in place of e, as printed, equation (3) "
             "fails for more than two classes where pate-bagging-published does."},
    .eval = pate_eval_instance,
    .output = {"epsilon", "delta", "alpha"}};

const bound pate_bagging_published = {
    .theorem =
        {.id = "pate-bagging-published",
         .family = "pate",
         .verdict = DP_UNSOUND,
         .source = BAGGING_2019,
         .statement = "epsilon = rho (l+1) + ln(1/delta)/l, l whole, rho = 2 inverse_scale^2 max "
                      "over records of the sum over queries of (max f)^2",
         .assumes = "claims differential privacy, for any number of classes",
         .proof =
             "2 max f is what a record moves for two classes only. The figure, and with it when "
             "answering stops, is computed from private votes, so that it is no differential "
             "privacy for two classes either. With max f = 1 it is pate-moments.",
         .counterexample =
             "inverse_scale = 1, f = (0.4, 0.3, 0.3): the published loss is 0.8. Where the class "
             "with 0.4 trails by 10, a third is far behind and all k teachers move to the leader, "
             "the loss of its win is 1.1 - ln(13.1/12) = 1.012"},
    .eval = eval_published,
    .output = {"epsilon", "delta", "alpha"},
    .only_all = true};
