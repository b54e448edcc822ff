/* SPDX-License-Identifier: MIT */
/* What is known about one noise function, its answers taken together. */
#include "num/ival.h"
#include "vote/council.h"

void standing_join(standing *s, const standing *other)
{
    if (s->sign > 0 || other->sign > 0) {
        *s = (standing){1, true, false};
        return;
    }
    s->sign = s->sign > other->sign ? s->sign : other->sign;
    s->known = s->known && other->known;
    s->pinned = s->pinned || other->pinned;
}

void reading_init(reading *r, mpfr_prec_t bits)
{
    *r = (reading){.finite = DP_YES};
    mpfi_init2(r->delta, bits);
    mpfi_init2(r->epsilon, bits);
    mpfi_set_ui(r->delta, 0);
    mpfi_set_ui(r->epsilon, 0);
}

void reading_clear(reading *r)
{
    mpfi_clear(r->delta);
    mpfi_clear(r->epsilon);
}

void reading_take_delta(reading *r, const mpfi_t delta, const size_t *vertices, bool mirrored)
{
    static const size_t complement[VERTICES] = {1, 0, 7, 6, 5, 4, 3, 2};
    if (mpfr_greater_p(&delta->right, &r->delta->right))
        for (size_t v = 0; v < VERTICES; v++)
            r->worst[mirrored ? complement[v] : v] = vertices[v];
    ival_take_most(r->delta, delta);
}

void reading_take_epsilon(reading *r, const mpfi_t epsilon, dp_decision finite)
{
    ival_take_most(r->epsilon, epsilon);
    if (finite == DP_NO || r->finite == DP_YES)
        r->finite = finite;
}
