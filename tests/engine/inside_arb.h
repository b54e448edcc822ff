/* SPDX-License-Identifier: MIT */
/* Is a number of Arb inside a ball or an interval? Included where ARB_BITS is set. */
#ifndef ENGINE_INSIDE_ARB_H
#define ENGINE_INSIDE_ARB_H

static void arb_of(arb_t out, mpfr_srcptr x)
{
    arf_set_mpfr(arb_midref(out), x);
    mag_zero(arb_radref(out));
}

/* |z - middle| <= radius, and |z| <= size */
static bool in_ball(const cball *ball, const acb_t z)
{
    acb_t middle;
    arb_t off, most;
    acb_init(middle);
    arb_init(off);
    arb_init(most);
    arb_of(acb_realref(middle), ball->re);
    arb_of(acb_imagref(middle), ball->im);
    acb_sub(middle, middle, z, ARB_BITS);
    acb_abs(off, middle, ARB_BITS);
    arb_of(most, ball->radius);
    bool in = arb_le(off, most) != 0;
    acb_abs(off, z, ARB_BITS);
    arb_of(most, ball->size);
    in = in && arb_le(off, most) != 0;
    arb_clear(most);
    arb_clear(off);
    acb_clear(middle);
    return in;
}

static bool in_interval(const mpfi_t x, const arb_t y)
{
    arb_t end;
    arb_init(end);
    arb_of(end, &x->left);
    bool in = arb_le(end, y) != 0;
    arb_of(end, &x->right);
    in = in && arb_le(y, end) != 0;
    arb_clear(end);
    return in;
}

#endif
