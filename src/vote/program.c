/* SPDX-License-Identifier: MIT */
/* What all parts of the linear program use: the law at a cut, and how far it has come. */
#include "vote/program.h"

dp_status program_law(mpfr_t *law, program *p, const cut *k, bool primed, mpfr_rnd_t way)
{
    if (p->free_class)
        return eight_law(law, &p->eight, &k->vertices, primed, way);
    corners_counts(p->counts, &p->c->corners, k->leaf);
    return corners_law(law, &p->c->corners, p->counts, primed, way);
}

void program_tell(const program *p, double most)
{
    mpfi_t x;
    if (p->c->lim.narrowed == NULL)
        return;
    mpfi_init2(x, 64);
    mpfi_interv_d(x, 0, most);
    limits_narrowed(&p->c->lim, "objective", x);
    mpfi_clear(x);
}
