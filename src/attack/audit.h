/* SPDX-License-Identifier: MIT */
/* Audits: what the questions about them are evaluated on. */
#ifndef ATTACK_AUDIT_H
#define ATTACK_AUDIT_H

#include "attack/binomial.h"
#include "core/bound.h"
#include "dpacct/audit.h"
#include "num/limits.h"

/* Trials of a plan with a power: of two samples, where the least number is looked for; of a coin,
 * and canaries of one run. */
#define PLAN_MOST 20000UL
#define COURSE_MOST 10000000UL

/* What several rows are from, and take. */
#define SJN "Steinke, Nasr, Jagielski 2023, Privacy Auditing with One (1) Training Run"
#define RUN                                                                                        \
    "one run; each canary included by a coin of its own, fair or of the inclusion stated, "        \
    "independent of all else; the attack sees the output alone; guesses and method not chosen by " \
    "the coins"

typedef enum audit_rate { AUDIT_RATE_TRUE, AUDIT_RATE_FALSE, AUDIT_RATE_RIGHT } audit_rate;

/* Limits of rates that are known, each to its own bits: of the same counts and shares of alpha. */
typedef struct audit_limits {
    struct {
        audit_rate which;
        bool sidak;
        share of;
    } limit[6]; /* three rates, and each by sidak too */
    size_t kept;
} audit_limits;

typedef struct audit_in {
    const dp_audit *of;
    unsigned long hits, members;     /* TP of n1; of the other designs what was right of how many */
    unsigned long alarms, outsiders; /* FP of n0 */
    unsigned long canaries;          /* m of the delta term: r where the positions are fixed */
    mpq_t alpha;                     /* 1 - confidence, shared among the looks */
    mpq_t part[2];                   /* of alpha, for the two rates; */
    bool sidak;                      /* each 1 - sqrt(1 - alpha) in their place */
    mpq_t delta;
    const dp_number *claim; /* epsilon, or mu, that is asked about; NULL: none */
    mpq_t inclusion;        /* the larger of rho and 1 - rho */
    mpq_t included;         /* rho */
    unsigned long said_in;  /* of the guesses, where it is known */
    dp_decision refuted;    /* is the claim? Set by the engine of onerun-profile */
    audit_limits *limits;   /* kept for the next figure; NULL: none are */
    struct path *path;      /* likewise, of an adaptive audit */
    const limits *lim;
} audit_in;

typedef enum audit_design { AUDIT_TWO_SAMPLES, AUDIT_COIN, AUDIT_ONE_RUN } audit_design;

/* Is what is asked of one design, whole, and of its methods? A plan has no design. */
dp_status audit_check(audit_design *d, const dp_audit *a, const dp_options *opt, dp_error *err);

void audit_limits_init(audit_limits *l);
void audit_limits_clear(audit_limits *l);

/* z = the limit of a rate: the lower one of true positives or of right guesses, the upper one of
 * false positives. */
void audit_limit(share *z, const audit_in *in, audit_rate which);

/* alpha as a share. */
void audit_level(share *a, const audit_in *in);
/* The error probability of one of the two rates: 0 of the true positives, 1 of the false ones. */
void audit_part(share *a, const audit_in *in, int which);
/* The same where it is rational; false elsewhere. */
bool audit_part_q(mpq_t a, const audit_in *in, int which);
/* odds = R of a claim ln(R), 1 of a claim 0; false where it is no such number. */
bool audit_claim_odds_q(mpq_t odds, const dp_number *claim);

/* out = max(0, x); exactly 0 where x is known not to be positive. */
void audit_not_below_zero(dp_figure *out, const mpfi_t x, mpfr_prec_t bits);

/* The odds of the claim, rho E to 1 - rho, as a share. */
void audit_claim_share(share *odds, const audit_in *in);
/* E/(E+1) becomes (E + delta)/(E+1): what is right of trials with a coin. */
void audit_leak(share *odds, const mpq_t delta);

/* A level that grows with epsilon, beside alpha. */
typedef struct audit_leveled {
    const audit_in *in;
    void (*level)(mpfi_t out, const audit_in *in, const share *odds);
    bool (*level_q)(mpq_t out, const audit_in *in); /* at the claim, exactly: false where that is
                                                       long; or NULL */
    double (*guess)(const void *leveled, double epsilon); /* about ln(level/alpha) */
    double log_alpha, log_delta;
} audit_leveled;

/* The level at the claim. */
dp_status audit_level_p(dp_figure *out, const audit_leveled *l, const wanted *want);
/* Is it no less than alpha at epsilon 0, exactly? False where that is not told. */
bool audit_shows_nothing(const audit_leveled *l, const wanted *want);
/* Where the level is alpha: 0 where it is no less at 0. */
void audit_solve_level(dp_figure *out, const audit_leveled *l, mpfr_prec_t bits);

/* What the rows are named for. */
dp_status audit_eval_rectangle(dp_figure *out, const void *in, const wanted *want);
dp_status audit_eval_sidak(dp_figure *out, const void *in, const wanted *want);
dp_status audit_eval_curve(dp_figure *out, const void *in, const wanted *want);
dp_status audit_eval_gdp(dp_figure *out, const void *in, const wanted *want);
dp_status audit_eval_gdp_to_eps(dp_figure *out, const void *in, const wanted *want);
dp_status audit_eval_coin(dp_figure *out, const void *in, const wanted *want);
dp_status audit_eval_fisher(dp_figure *out, const void *in, const wanted *want);
dp_status audit_eval_pure(dp_figure *out, const void *in, const wanted *want);
dp_status audit_eval_run(dp_figure *out, const void *in, const wanted *want);
dp_status audit_eval_adaptive(dp_figure *out, const void *in, const wanted *want);
dp_status audit_eval_fdp(dp_figure *out, const void *in, const wanted *want);
dp_status audit_eval_published(dp_figure *out, const void *in, const wanted *want);

/* The figures of rows that are no bound of their own: each fills out[0]. */
dp_status audit_tpr(dp_figure *out, const void *in, const wanted *want);
dp_status audit_fpr(dp_figure *out, const void *in, const wanted *want);
dp_status audit_rectangle_p(dp_figure *out, const void *in, const wanted *want);
dp_status audit_gdp_p(dp_figure *out, const void *in, const wanted *want);
dp_status audit_fisher_p(dp_figure *out, const void *in, const wanted *want);
dp_status audit_coin_p(dp_figure *out, const void *in, const wanted *want);
dp_status audit_run_p(dp_figure *out, const void *in, const wanted *want);
/* The same of guesses of two kinds: audit_inclusion.c */
dp_status audit_eval_inclusion(dp_figure *out, const void *in, const wanted *want);
dp_status audit_inclusion_p(dp_figure *out, const void *in, const wanted *want);
dp_status audit_published_p(dp_figure *out, const void *in, const wanted *want);
dp_status audit_adaptive_p(dp_figure *out, const void *in, const wanted *want);
dp_status audit_fdp_p(dp_figure *out, const void *in, const wanted *want);
/* The mass N that the recursion of onerun-fdp reaches from tau at the claim; 2 where it is more. */
void audit_fdp_mass(mpfi_t out, const audit_in *in, const mpq_t tau);
dp_status audit_accuracy(dp_figure *out, const void *in, const wanted *want);

/* out = ln c with c (1 - ln c) = alpha. */
void audit_fisher_log_level(mpfi_t out, const audit_in *in);

/* Is y - delta >= e^epsilon x, or 1 - x - delta >= e^epsilon (1 - y)? The rectangle refutes then.
 */
dp_decision audit_rectangle_refutes(const audit_in *in);
/* part = about ln of the shares of alpha. */
void audit_rectangle_levels(double part[2], const audit_in *in);
/* About the logit of y, or x, of some true positives, and not all false ones; `near` is one near
 * it, or no number. */
double audit_rectangle_limit(const audit_in *in, const double part[2], int which, double near);
/* About whether such a rectangle does, and whether the product of two tails does, whose level is
 * about e^level. */
bool audit_rectangle_guess(const audit_in *in, const double limit[2]);
bool audit_fisher_guess(const audit_in *in, double level);
/* About ln of the product of tails with n, d, f for count, no whole numbers: n members and n
 * outsiders, d misses, f false positives. The largest along one line of the curve and beyond the
 * corner, which = 0 or 1, or at the corner, 2; near *w, if that is below 0; *w is below 0 where it
 * is on the side of the curve, and no number stands where there is none. */
double audit_fisher_height(double *w, const audit_in *in, const double count[3], int which);
/* Does that product refute the claim, its level e^log_level? DP_UNKNOWN where one number did not
 * show it. */
dp_decision audit_fisher_refutes(const audit_in *in, const mpfi_t log_level);
/* Is mu_lower at least the mu of the claim? */
dp_decision audit_mu_refutes(const audit_in *in);

extern const bound audit_cp, audit_cp_sidak, audit_curve, audit_coin, audit_fisher, audit_gdp,
    audit_gdp_to_eps, audit_logkatz, audit_bayes, cp_limit;
extern const bound onerun_pure, onerun_exact, onerun_adaptive, onerun_fdp, onerun_profile,
    onerun_2023;
extern const bound audit_plan;
dp_status audit_plan_engine(dp_result *out, void *in, const dp_options *opt);
/* Does the claim allow an attack as good as that whose power is asked? */
bool audit_plan_is_allowed(const audit_in *in);
/* Numbers for which an attack of the given rates refutes the claim with the given power, from each
 * on up to twice as many. */
typedef struct audit_needed {
    unsigned long enough, few; /* `few` and less are none; 0: not told */
    bool least;                /* no less than `enough` will do */
} audit_needed;

/* Of each of two samples. DP_UNAVAILABLE: more than BINOMIAL_MOST, or too large an alpha for so
 * many; DP_LIMIT: time is up. */
dp_status audit_power_least(audit_needed *t, const audit_in *in, const dp_options *opt);
/* n = the least of trials with a coin, or of canaries of one run, for an attack of the given
 * accuracy.
 * DP_UNAVAILABLE: more than COURSE_MOST. */
dp_status audit_course_least(mpz_t n, const audit_in *in, const dp_options *opt);

#endif
