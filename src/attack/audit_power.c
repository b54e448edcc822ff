/* SPDX-License-Identifier: MIT */
/* Plans of two samples for an attack whose true rates are known: how probably so many members, and
 * as many outsiders, have outcomes that refute a claim. */
#include "attack/audit_power.h"

#include <math.h>

#include "attack/audit_answers.h"
#include "attack/audit_boundary.h"
#include "attack/audit_sure.h"
#include "num/binary64.h"
#include "num/ival.h"
#include "num/memory.h"
#include "num/number.h"

/* With d = n - TP misses and f false positives: fewer of either refute more, and so do the same of
 * more trials. With TP of n + 1 for TP - 1 of n, Pr[TP or more | F(x)] is less at every x, and
 * Pr[FP or fewer of n + 1 | x] is less too; the rectangle's limits move outward likewise. So what
 * refutes is a staircase under a falling f(d), and it grows with n. */
#define LAST 2048
#define LIMITS 4096

/* The logit of y of some misses, or x of some false positives, of n trials; n = 0: none. */
typedef struct kept_limit {
    unsigned n, count;
    double logit;
    sure_limit sure;
    bool proved; /* sure is set */
} kept_limit;

struct power {
    const audit_in *in;
    mpq_t missed;     /* 1 - TPR */
    boundary near;    /* about where the staircases are */
    mpfi_t log_level; /* the same of a product, enclosed */
    sure_claim sure;
    bool sound;    /* its doubles */
    audit_top top; /* of what was last asked about */
    limits lim;
    tails misses, alarms;       /* of the trials that were last asked about */
    answers guessed, proved;    /* counts of which it was asked whether they refute */
    bool guessing;              /* what seems to refute is taken for what does */
    unsigned long last[LAST];   /* where the stairs of d were, by d modulo LAST */
    kept_limit kept[2][LIMITS]; /* by count modulo LIMITS */
};

#define FEW 256     /* trials: each count is tried */
#define FEW_BITS 24 /* first: most counts are not near the edge */
#define MORE_BITS 256

static audit_in outcome(const power *p, unsigned long d, unsigned long f, unsigned long n)
{
    audit_in own = *p->in;
    own.hits = n - d;
    own.alarms = f;
    own.members = own.outsiders = n;
    return own;
}

static kept_limit *limit_of(power *p, const audit_in *in, int which, unsigned long count)
{
    kept_limit *kept = &p->kept[which][count % LIMITS];
    if (kept->n != in->members || kept->count != count) {
        double near = kept->n > 0 && kept->count == count ? kept->logit : NAN; /* of other n */
        double logit = audit_rectangle_limit(in, p->near.level, which, near);
        *kept = (kept_limit){(unsigned)in->members, (unsigned)count, logit, .proved = false};
    }
    return kept;
}

static const sure_limit *sure_of(power *p, const audit_in *in, int which)
{
    unsigned long count = which == 0 ? in->members - in->hits : in->alarms;
    kept_limit *kept = limit_of(p, in, which, count);
    if (!kept->proved) /* of 1 - x, the logit is that of x turned */
        kept->sure = sure_limit_of(&p->sure, in->members - count, in->members, which,
                                   which == 0 ? kept->logit : -kept->logit);
    kept->proved = true;
    return &kept->sure;
}

/* In doubles with a bound. */
static dp_decision ask_surely(power *p, const audit_in *in)
{
    audit_side side;
    if (!p->sound || in->hits == 0 || in->alarms == in->outsiders)
        return DP_UNKNOWN;
    if (in->of->method != DP_AUDIT_FISHER)
        return sure_rectangle(&p->sure, sure_of(p, in, 0), sure_of(p, in, 1));
    dp_decision is = DP_UNKNOWN; /* where it was not near enough it is the next time */
    for (int i = 0; i < 2 && is == DP_UNKNOWN; i++) {
        bool inside = audit_fisher_place(&p->top, &side, in);
        is = sure_product(&p->sure, in, inside ? &side : NULL, p->top.w);
    }
    return is;
}

/* Do so many misses and false positives of n and n refute the claim? */
static dp_decision ask_whether(power *p, unsigned long d, unsigned long f, unsigned long n)
{
    audit_in own = outcome(p, d, f, n);
    dp_decision is = ask_surely(p, &own);
    if (is != DP_UNKNOWN)
        return is;
    if (own.of->method != DP_AUDIT_FISHER)
        return audit_rectangle_refutes(&own);
    is = audit_fisher_refutes(&own, p->log_level);
    for (mpfr_prec_t bits = FEW_BITS; is == DP_UNKNOWN && bits <= MORE_BITS;
         bits = bits < TAILS_BITS ? TAILS_BITS : 2 * bits) {
        dp_figure value;
        wanted want = {bits, false};
        dp_figure_init(&value);
        audit_fisher_p(&value, &own, &want);
        is = dp_figure_le(&value, own.alpha);
        dp_figure_clear(&value);
    }
    return is;
}

static dp_decision refutes(power *p, unsigned long d, unsigned long f, unsigned long n)
{
    dp_decision is = answers_recall(&p->proved, d, f, n);
    if (is != DP_UNKNOWN)
        return is;
    is = ask_whether(p, d, f, n);
    if (is != DP_UNKNOWN)
        answers_note(&p->proved, d, f, n, is == DP_YES);
    return is;
}

/* One end of a sum over groups of d: which end, of which n. */
typedef struct sum {
    unsigned long n, drawn; /* what refutes is that of n, the counts are of `drawn` trials */
    unsigned long from, to; /* these d */
    unsigned long most;     /* f are looked at up to this */
    bool upper;
    bool best;  /* the end is moved as far as is told */
    bool eased; /* groups are wider where little is lost */
} sum;

/* Is f counted among what refutes with d misses? What is not told is not counted in the lower end,
 * and is in the upper one. */
static bool counts(power *p, const sum *s, unsigned long d, unsigned long f)
{
    dp_decision is = refutes(p, d, f, s->n);
    return s->upper ? is != DP_NO : is == DP_YES;
}

static bool rectangle_seems(power *p, const audit_in *in, unsigned long d)
{
    if (in->hits == 0 || in->alarms == in->outsiders)
        return false;
    double limit[2] = {limit_of(p, in, 0, d)->logit, limit_of(p, in, 1, in->alarms)->logit};
    return audit_rectangle_guess(in, limit);
}

/* About whether they do. */
static bool seems(power *p, const sum *s, unsigned long d, unsigned long f)
{
    dp_decision is = answers_recall(&p->guessed, d, f, s->n);
    if (is != DP_UNKNOWN)
        return is == DP_YES;
    audit_in own = outcome(p, d, f, s->n);
    bool yes = own.of->method == DP_AUDIT_FISHER ? audit_fisher_guess(&own, p->near.level[0])
                                                 : rectangle_seems(p, &own, d);
    answers_note(&p->guessed, d, f, s->n, yes);
    return yes;
}

/* How many f, from 0 on, seem to refute with d misses, of those from `least` on: by larger and
 * larger steps from where they were last. */
static unsigned long seeming(power *p, const sum *s, unsigned long d, unsigned long least)
{
    unsigned long low = least, by = 1, high = p->last[d % LAST];
    high = high < least ? least : high > s->most ? s->most + 1 : high;
    if (high > least && !seems(p, s, d, high - 1)) {
        high--;
        while (low < high) {
            unsigned long at = high - low > by ? high - by : low;
            if (seems(p, s, d, at)) {
                low = at + 1;
                break;
            }
            high = at;
            by *= 2;
        }
    } else {
        low = high;
        while (high <= s->most && seems(p, s, d, high)) {
            low = high + 1;
            high += by;
            by *= 2;
        }
        high = high <= s->most ? high : s->most + 1;
    }
    while (low < high) {
        unsigned long middle = low + (high - low) / 2;
        if (seems(p, s, d, middle))
            low = middle + 1;
        else
            high = middle;
    }
    return p->last[d % LAST] = low;
}

typedef struct counting {
    power *p;
    const sum *s;
} counting;

static unsigned long seeming_count(void *of, unsigned long d)
{
    const counting *c = of;
    return seeming(c->p, c->s, d, 0);
}

/* How many f, from 0 on, refute with d misses; at least `least`. Where it seems, and then moved to
 * where it is proved. */
static unsigned long stair(power *p, const sum *s, unsigned long d, unsigned long least)
{
    unsigned long low;
    if (!boundary_count(&low, &p->near, d, s->n))
        low = seeming(p, s, d, least);
    low = low < least ? least : low > s->most + 1 ? s->most + 1 : low;
    if (p->guessing)
        return low;
    unsigned long from = low;
    if (s->upper || s->best)
        while (low <= s->most && counts(p, s, d, low))
            low++;
    if (low == from && (!s->upper || s->best))
        while (low > least && !counts(p, s, d, low - 1))
            low--;
    return low;
}

/* out = Pr[D is in the group] Pr[FP < f], added; all f where f is beyond what is looked at and the
 * upper end is asked. */
static void add_group(mpfi_t out, power *p, const sum *s, unsigned long d, unsigned long end,
                      unsigned long f)
{
    mpfi_t share_d, part;
    mpfi_init2(share_d, TAILS_BITS);
    mpfi_init2(part, TAILS_BITS);
    tails_beyond(share_d, &p->misses, d, s->drawn);
    tails_beyond(part, &p->misses, end, s->drawn);
    mpfi_sub(share_d, share_d, part);
    ival_at_least_zero(share_d);
    if (s->upper && f > s->most) {
        mpfi_set_ui(part, 1);
    } else {
        tails_beyond(part, &p->alarms, f, s->drawn);
        mpfi_ui_sub(part, 1, part);
    }
    mpfi_mul(part, part, share_d);
    mpfi_add(out, out, part);
    mpfi_clear(part);
    mpfi_clear(share_d);
}

/* out = the probability that the counts of `drawn` trials each lie under the staircase of n, from
 * below or above, by groups of d: the staircase at the last one is below it at all of them, that at
 * the first one above. Other d are left out of the lower end and are whole in the upper one. */
static void probability(mpfi_t out, power *p, const sum *s, unsigned long group)
{
    unsigned long f = 0;
    mpfi_set_ui(out, 0);
    for (unsigned long end = s->to + 1; end > s->from && !limits_expired(&p->lim);) {
        unsigned long wide = s->eased ? boundary_group(&p->near, end - 1, s->n, group) : group;
        unsigned long d = end - s->from > wide ? end - wide : s->from;
        f = stair(p, s, s->upper ? d : end - 1, f);
        add_group(out, p, s, d, end, f);
        end = d;
    }
    if (!s->upper)
        return;
    mpfi_t rest;
    mpfi_init2(rest, TAILS_BITS);
    tails_beyond(rest, &p->misses, s->to + 1, s->drawn);
    mpfi_add(out, out, rest);
    tails_beyond(rest, &p->misses, s->from, s->drawn);
    mpfi_ui_sub(rest, 1, rest);
    mpfi_add(out, out, rest);
    mpfi_clear(rest);
}

/* About where a count of n has all but a share e^(-z^2/2) of its probability. */
static unsigned long about(const mpq_t rate, unsigned long n, double z)
{
    double x = mpq_get_d(rate), mean = (double)n * x;
    double far = mean + z * sqrt(mean * (1 - x)) + (z > 0 ? z * z / 2 : -z * z / 2);
    return far <= 0 ? 0 : far >= (double)n ? n : (unsigned long)far;
}

#define GROUPS 12

/* About the same; unknown where every count is tried. */
static dp_decision seems_strong(power *p, const sum *s, unsigned long group)
{
    counting c = {p, s};
    boundary_range of = {s->n, s->drawn, s->to, group, s->eased};
    double x = boundary_power(&p->near, &of, seeming_count, &c);
    return x < 0 ? DP_UNKNOWN : x >= mpq_get_d(number_rational(p->in->of->power)) ? DP_YES : DP_NO;
}

/* What is looked at for all numbers of trials from `n` to `drawn`. */
static sum sum_of(const power *p, unsigned long n, unsigned long drawn, double z)
{
    sum s = {n,
             drawn,
             about(p->missed, drawn, -z),
             about(p->missed, drawn, z),
             about(p->alarms.rate, drawn, z),
             false,
             false,
             false};
    s.to = s.to < n ? s.to : n;
    s.most = s.most < n ? s.most : n;
    return s;
}

static void fill_tails(power *p, const sum *s, double z)
{
    tails_fill(&p->misses, s->drawn, s->from, s->to + 1);
    tails_fill(&p->alarms, s->drawn, about(p->alarms.rate, s->drawn, -z), s->most + 1);
}

/* By groups of one size. */
static dp_decision strong_by(power *p, sum *s, unsigned long group)
{
    mpq_srcptr asked = number_rational(p->in->of->power);
    dp_decision is = DP_UNKNOWN;
    mpfi_t x;
    mpfi_init2(x, TAILS_BITS);
    s->upper = false;
    probability(x, p, s, group);
    if (mpfr_cmp_q(&x->left, asked) >= 0)
        is = DP_YES;
    else if (p->guessing)
        is = DP_NO;
    if (is == DP_UNKNOWN && s->n == s->drawn) {
        s->upper = true;
        probability(x, p, s, group);
        if (mpfr_cmp_q(&x->right, asked) < 0)
            is = DP_NO;
    }
    mpfi_clear(x);
    return is;
}

/* Is the power of every number of trials from `n` to `drawn` at least that asked? Each has the
 * staircase of n and more, and counts which are less than those of `drawn`: no d, and no f, grows
 * by leaving out trials. DP_NO is asked of one number alone. By groups of d, of `group` and, where
 * that does not tell, of fewer. */
dp_decision power_is_strong(power *p, unsigned long n, unsigned long drawn, unsigned long group)
{
    sum s = sum_of(p, n, drawn, p->near.z);
    dp_decision is = p->guessing ? seems_strong(p, &s, 1) : DP_UNKNOWN;
    if (is != DP_UNKNOWN || s.from > s.to)
        return is;
    fill_tails(p, &s, p->near.z);
    if (group == 0)
        group = (s.to - s.from) / GROUPS + 1;
    is = strong_by(p, &s, group);
    for (; n == drawn && is == DP_UNKNOWN && group > 1; is = strong_by(p, &s, group))
        group = group < 4 ? 1 : group / 4;
    s.best = true; /* guesses were not near enough */
    if (n == drawn && is == DP_UNKNOWN)
        is = strong_by(p, &s, 1);
    return limits_expired(&p->lim) ? DP_UNKNOWN : is;
}

/* The same by one sum, first looked at in doubles, of a little less: the tails that are left out
 * are a small share of what the power may lack. */
bool power_is_strong_in(power *p, unsigned long n, unsigned long drawn, unsigned long group)
{
    double z = p->near.z - 2;
    sum s = sum_of(p, n, drawn, z);
    s.eased = true;
    if (s.from > s.to || seems_strong(p, &s, group) == DP_NO)
        return false;
    mpfi_t x;
    mpfi_init2(x, TAILS_BITS);
    fill_tails(p, &s, z);
    probability(x, p, &s, group);
    bool is = mpfr_cmp_q(&x->left, number_rational(p->in->of->power)) >= 0;
    mpfi_clear(x);
    return is && !limits_expired(&p->lim);
}

bool power_is_late(const power *p)
{
    return limits_expired(&p->lim);
}

void power_guess(power *p, bool guess)
{
    p->guessing = guess;
}

bool power_aim(power *p, unsigned long top, bool smooth)
{
    smooth = smooth && top >= FEW;
    if (!smooth)
        p->near.most = 0;
    else if (!((double)top <= p->near.most && (double)top >= 4 * p->near.least))
        boundary_fill(&p->near, top / 5, 2 * top);
    return smooth;
}

static void set_levels(power *p)
{
    if (p->in->of->method != DP_AUDIT_FISHER) {
        audit_rectangle_levels(p->near.level, p->in);
        return;
    }
    audit_fisher_log_level(p->log_level, p->in);
    p->near.level[0] = mpfi_get_d(p->log_level);
}

power *power_new(const audit_in *in, const dp_options *opt)
{
    power *p = memory_zero(1, sizeof *p);
    if (p == NULL)
        return NULL;
    p->in = in;
    limits_start(&p->lim, opt);
    mpq_init(p->missed);
    mpq_set_ui(p->missed, 1, 1);
    mpq_sub(p->missed, p->missed, number_rational(in->of->tpr));
    p->misses.rate = p->missed;
    p->alarms.rate = number_rational(in->of->fpr);
    double miss = 1 - mpq_get_d(number_rational(in->of->power));
    p->near.in = in;
    p->near.missed = mpq_get_d(p->missed);
    p->near.alarmed = mpq_get_d(p->alarms.rate);
    p->near.z = 4 + sqrt(-2 * log(fmax(miss, 1e-300)));
    mpfi_init2(p->log_level, TAILS_BITS);
    set_levels(p);
    sure_claim_set(&p->sure, in);
    p->sound = binary64_is_sound();
    return p;
}

void power_free(power *p)
{
    tails_clear(&p->misses);
    tails_clear(&p->alarms);
    mpfi_clear(p->log_level);
    mpq_clear(p->missed);
    memory_free(p);
}
