/* SPDX-License-Identifier: MIT */
/* The limits of Clopper and Pearson that several figures of one answer are made of. */
#include "attack/audit.h"

#include "num/ival.h"

void audit_limits_init(audit_limits *l)
{
    *l = (audit_limits){.kept = 0};
}

void audit_limits_clear(audit_limits *l)
{
    while (l->kept > 0)
        share_clear(&l->limit[--l->kept].of);
}

/* y = low(TP, n1, a1), x = up(FP, n0, a0) = 1 - low(n0 - FP, n0, a0), or low(W, n, alpha) */
static void enclose(share *z, const audit_in *in, audit_rate which)
{
    share a;
    share_init(&a, mpfi_get_prec(z->yes) + 32);
    if (which == AUDIT_RATE_RIGHT)
        audit_level(&a, in);
    else
        audit_part(&a, in, which == AUDIT_RATE_FALSE);
    if (which == AUDIT_RATE_FALSE) {
        binomial_low(z, in->outsiders - in->alarms, in->outsiders, &a);
        share_swap(z);
    } else {
        binomial_low(z, in->hits, in->members, &a);
    }
    share_clear(&a);
}

/* Rounded outwards to the bits of z. */
static void copy(share *z, const share *from)
{
    mpfi_set(z->yes, from->yes);
    mpfi_set(z->no, from->no);
}

void audit_limit(share *z, const audit_in *in, audit_rate which)
{
    audit_limits *l = in->limits;
    mpfr_prec_t bits = mpfi_get_prec(z->yes);
    if (l == NULL) {
        enclose(z, in, which);
        return;
    }
    size_t i = 0;
    while (i < l->kept && (l->limit[i].which != which || l->limit[i].sidak != in->sidak))
        i++;
    if (i < l->kept && mpfi_get_prec(l->limit[i].of.yes) >= bits) {
        copy(z, &l->limit[i].of);
        return;
    }
    enclose(z, in, which);
    if (i < l->kept)
        share_clear(&l->limit[i].of);
    else
        l->kept++;
    share_init(&l->limit[i].of, bits);
    l->limit[i].which = which;
    l->limit[i].sidak = in->sidak;
    copy(&l->limit[i].of, z);
}
