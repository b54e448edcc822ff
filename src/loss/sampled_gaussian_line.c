/* SPDX-License-Identifier: MIT */
/* ln G of the last line of the sampled Gaussian, kept. */
#include "loss/sampled_gaussian_parts.h"
#include "num/ival.h"

/* x = ln(x h / sqrt(2 pi)) */
static void log_integral(mpfi_t x, double h)
{
    mpfi_t root;
    mpfi_init2(root, mpfi_get_prec(x));
    mpfi_const_pi(root);
    mpfi_mul_2ui(root, root, 1);
    mpfi_sqrt(root, root);
    mpfi_mul_d(x, x, h);
    mpfi_div(x, x, root);
    mpfi_log(x, x);
    mpfi_clear(root);
}

void sgm_keep_line(const sgm_item *g, double c, mpfr_prec_t depth, const mpfi_t sum, double h)
{
    sgm_memo *m = g->memo;
    if (m->known && m->c == c && m->depth >= (double)depth)
        return;
    mpfi_set_prec(m->log, mpfi_get_prec(sum) + 16);
    mpfi_set(m->log, sum);
    log_integral(m->log, h);
    m->known = !ival_bad(m->log);
    m->c = c;
    m->depth = (double)depth;
}

bool sgm_log_line(mpfi_t k, const sgm_item *g, double c, mpfr_prec_t depth, const limits *lim)
{
    sgm_memo *m = g->memo;
    if (m->known && m->c == c && m->depth >= (double)depth) {
        mpfi_set(k, m->log);
        return true;
    }
    MPFR_DECL_INIT(exact, 53);
    mpfi_t p, sum;
    mpfr_set_d(exact, c, MPFR_RNDN);
    mpfi_init2(p, depth + 128);
    mpfi_init2(sum, depth + 32);
    sgm_power(p, g, exact);
    bool ok = sgm_real(sum, g, p, g->add ? -c : 1 + c, depth, lim);
    if (ok) {
        mpfi_set_prec(m->log, depth + 32);
        mpfi_log(m->log, sum);
        m->known = ok = !ival_bad(m->log);
        m->c = c;
        m->depth = (double)depth;
        mpfi_set(k, m->log);
    }
    mpfi_clear(sum);
    mpfi_clear(p);
    return ok;
}
