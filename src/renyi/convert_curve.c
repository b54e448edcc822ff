/* SPDX-License-Identifier: MIT */
/* To the Renyi divergence of an order, and to zCDP. */
#include "num/ival.h"
#include "num/number.h"
#include "renyi/convert.h"

static bool is_pure(const conversion *c)
{
    return c->is_pair && c->is_curve;
}

static bool pure_rdp_applies(const void *in)
{
    const conversion *c = in;
    return c->to == TO_RDP && is_pure(c);
}

static dp_status eval_pure_rdp(dp_figure *out, const void *in, const wanted *want)
{
    const conversion *c = in;
    renyi_of_pure(figure_enclose(&out[0], want->bits), &c->epsilon, c->order);
    figure_set_q(&out[1], c->order);
    return DP_OK;
}

/* by * eps^2, or eps where that is less and `capped` */
static void square(dp_figure *out, const conversion *c, mpq_srcptr by, bool capped,
                   const wanted *want)
{
    mpq_srcptr epsilon = number_rational(&c->epsilon);
    if (epsilon != NULL) {
        out->kind = DP_RATIONAL;
        mpq_mul(out->rational, epsilon, epsilon);
        mpq_mul(out->rational, out->rational, by);
        if (capped && mpq_cmp(out->rational, epsilon) > 0)
            mpq_set(out->rational, epsilon);
        return;
    }
    mpfi_ptr x = figure_enclose(out, want->bits);
    mpfi_t e;
    mpfi_init2(e, want->bits);
    ival_set_number(e, &c->epsilon);
    mpfi_sqr(x, e);
    mpfi_mul_q(x, x, by);
    if (capped)
        ival_take_least(x, e);
    mpfi_clear(e);
}

static dp_status eval_quadratic(dp_figure *out, const void *in, const wanted *want)
{
    const conversion *c = in;
    mpq_t half;
    mpq_init(half);
    mpq_div_2exp(half, c->order, 1);
    square(&out[0], c, half, true, want);
    figure_set_q(&out[1], c->order);
    mpq_clear(half);
    return DP_OK;
}

static dp_status eval_mironov(dp_figure *out, const void *in, const wanted *want)
{
    const conversion *c = in;
    mpq_t twice;
    mpq_init(twice);
    mpq_mul_2exp(twice, c->order, 1);
    square(&out[0], c, twice, false, want);
    figure_set_q(&out[1], c->order);
    mpq_clear(twice);
    return DP_OK;
}

static bool line_rdp_applies(const void *in)
{
    const conversion *c = in;
    return c->to == TO_RDP && !c->is_curve && (c->is_line || c->is_pair || c->is_gdp) &&
           mpq_sgn(c->leak) == 0;
}

static dp_status eval_line_rdp(dp_figure *out, const void *in, const wanted *want)
{
    const conversion *c = in;
    (void)want;
    mpq_mul(out[0].rational, c->line.rho, c->order);
    mpq_add(out[0].rational, out[0].rational, c->line.xi);
    if (mpq_sgn(out[0].rational) < 0)
        mpq_set_ui(out[0].rational, 0, 1);
    out[0].kind = DP_RATIONAL;
    figure_set_q(&out[1], c->order);
    return DP_OK;
}

static bool between_applies(const void *in)
{
    const conversion *c = in;
    return c->to == TO_RDP && c->points.count > 0 &&
           mpq_cmp(c->order, c->points.alpha[c->points.count - 1]) <= 0;
}

static dp_status eval_between(dp_figure *out, const void *in, const wanted *want)
{
    const conversion *c = in;
    (void)want;
    out[0].kind = DP_RATIONAL;
    figure_set_q(&out[1], c->order);
    return renyi_points_at(out[0].rational, &c->points, c->order) ? DP_OK : DP_UNAVAILABLE;
}

/* ---- to zCDP: out = rho, xi ---- */

static bool pure_zcdp_applies(const void *in)
{
    const conversion *c = in;
    return c->to == TO_ZCDP && is_pure(c);
}

static dp_status eval_pure_zcdp(dp_figure *out, const void *in, const wanted *want)
{
    conversion_rho(figure_enclose(&out[0], want->bits), in);
    figure_set_ui(&out[1], 0);
    return DP_OK;
}

static dp_status eval_pure_zcdp_classic(dp_figure *out, const void *in, const wanted *want)
{
    mpq_t half;
    mpq_init(half);
    mpq_set_ui(half, 1, 2);
    square(&out[0], in, half, false, want);
    figure_set_ui(&out[1], 0);
    mpq_clear(half);
    return DP_OK;
}

static dp_status eval_line_zcdp(dp_figure *out, const void *in, const wanted *want)
{
    const conversion *c = in;
    (void)want;
    figure_set_q(&out[0], c->line.rho);
    figure_set_q(&out[1], c->line.xi);
    return DP_OK;
}

static bool gdp_zcdp_applies(const void *in)
{
    const conversion *c = in;
    return c->to == TO_ZCDP && c->is_gdp;
}

static bool cdp_zcdp_applies(const void *in)
{
    const conversion *c = in;
    return c->to == TO_ZCDP && c->is_cdp;
}

#define PURE "every loss within [-epsilon, epsilon]; the adjacency of the statement"

const bound pure_to_rdp = {
    .theorem = {.id = "pure-to-rdp",
                .family = "convert",
                .verdict = DP_EXACT,
                .source = "Mironov 2017, Renyi Differential Privacy, Proposition 6, with Kairouz, "
                          "Oh, Viswanath 2015",
                .statement = "r(alpha) = ln((e^(alpha eps) + e^((1-alpha) eps)) / (1 + e^eps)) / "
                             "(alpha-1)",
                .assumes = PURE,
                .proof = "Every eps-DP pair is a post-processing of randomized response, whose "
                         "divergence this is."},
    .applies = pure_rdp_applies,
    .eval = eval_pure_rdp,
    .output = {"rdp", "alpha"}};

const bound pure_to_rdp_quadratic = {
    .theorem = {.id = "pure-to-rdp-quadratic",
                .family = "convert",
                .verdict = DP_PROVED,
                .source = "Bun, Steinke 2016, Concentrated Differential Privacy, Proposition 3.3",
                .statement = "r(alpha) = min(eps, alpha eps^2/2)",
                .assumes = PURE,
                .proof = "The first is the largest loss, the second pure-to-zcdp-classic."},
    .applies = pure_rdp_applies,
    .eval = eval_quadratic,
    .output = {"rdp", "alpha"}};

const bound pure_to_rdp_mironov = {
    .theorem = {.id = "pure-to-rdp-mironov",
                .family = "convert",
                .verdict = DP_PROVED,
                .source = "Mironov 2017, Renyi Differential Privacy, Lemma 1; the column of RDP in "
                          "Jayaraman, Evans 2019, Table 1",
                .statement = "r(alpha) = 2 alpha eps^2",
                .assumes = PURE,
                .proof = "Four times pure-to-rdp-quadratic."},
    .applies = pure_rdp_applies,
    .eval = eval_mironov,
    .output = {"rdp", "alpha"}};

const bound zcdp_to_rdp = {
    .theorem = {.id = "zcdp-to-rdp",
                .family = "convert",
                .verdict = DP_EXACT,
                .source = "Bun, Steinke 2016, Concentrated Differential Privacy, Definition 8.1",
                .statement = "r(alpha) = max(0, xi + rho alpha)",
                .assumes = "the adjacency of the statement",
                .proof = "By definition; where xi = 0 Gaussian noise of rho attains it at every "
                         "order."},
    .applies = line_rdp_applies,
    .eval = eval_line_rdp,
    .output = {"rdp", "alpha"}};

const bound rdp_between = {
    .theorem = {.id = "rdp-between",
                .family = "convert",
                .verdict = DP_PROVED,
                .source = "convexity of (alpha-1) r(alpha): van Erven, Harremoes 2014, Renyi "
                          "Divergence and Kullback-Leibler Divergence, Corollary 2",
                .statement = "(alpha-1) r(alpha) is at most the lower convex hull of (1, 0) and "
                             "its known points, up to the greatest known order",
                .assumes = "the divergences at the given orders; the adjacency of the statement",
                .proof = "It is ln E_P e^((alpha-1) L), convex in alpha and 0 at 1, and a largest "
                         "one of convex functions is convex. r itself need not be: between points "
                         "of r a straight line can be too low."},
    .applies = between_applies,
    .eval = eval_between,
    .output = {"rdp", "alpha"}};

const bound pure_to_zcdp = {
    .theorem =
        {.id = "pure-to-zcdp",
         .family = "convert",
         .verdict = DP_EXACT,
         .source = "the slope at order 1 of the divergence of randomized response",
         .statement = "rho = eps tanh(eps/2), xi = 0",
         .assumes = PURE,
         .proof = "With u = alpha-1/2, (alpha-1) r = ln cosh(u eps) - ln cosh(eps/2). v -> ln "
                  "cosh(eps sqrt(v)) is concave, as tanh(x)/x falls, so it is below its tangent at "
                  "v = 1/4, of slope eps tanh(eps/2), and v - 1/4 = alpha (alpha-1). The limit at "
                  "order 1 attains it."},
    .applies = pure_zcdp_applies,
    .eval = eval_pure_zcdp,
    .output = {"rho", "xi"}};

const bound pure_to_zcdp_classic = {
    .theorem = {.id = "pure-to-zcdp-classic",
                .family = "convert",
                .verdict = DP_PROVED,
                .source = "Bun, Steinke 2016, Concentrated Differential Privacy, Proposition 1.4",
                .statement = "rho = eps^2/2, xi = 0",
                .assumes = PURE,
                .proof = "pure-to-zcdp with tanh(x) <= x."},
    .applies = pure_zcdp_applies,
    .eval = eval_pure_zcdp_classic,
    .output = {"rho", "xi"}};

const bound gdp_to_zcdp = {
    .theorem = {.id = "gdp-to-zcdp",
                .family = "convert",
                .verdict = DP_EXACT,
                .source = "Dong, Roth, Su 2022, Gaussian Differential Privacy, Corollary B.6",
                .statement = "rho = mu^2/2, xi = 0",
                .assumes = "no test tells the outputs apart better than N(0, 1) from N(mu, 1); the "
                           "adjacency of the statement",
                .proof = "Such a pair is a post-processing of the Gaussian pair, whose divergence "
                         "of order alpha is alpha mu^2/2."},
    .applies = gdp_zcdp_applies,
    .eval = eval_line_zcdp,
    .output = {"rho", "xi"}};

const bound cdp_to_zcdp = {
    .theorem = {.id = "cdp-to-zcdp",
                .family = "convert",
                .verdict = DP_PROVED,
                .source = "Dwork, Rothblum 2016, Concentrated Differential Privacy, Definition 1",
                .statement = "rho = tau^2/2, xi = mu - tau^2/2, which may be negative",
                .assumes = "mean loss at most mu, and the loss tau-subgaussian about its mean, in "
                           "both directions; the adjacency of the statement",
                .proof = "(alpha-1) r(alpha) <= (alpha-1) mu + (alpha-1)^2 tau^2/2."},
    .applies = cdp_zcdp_applies,
    .eval = eval_line_zcdp,
    .output = {"rho", "xi"}};
