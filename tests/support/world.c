/* SPDX-License-Identifier: MIT */
/* Mechanisms of the same parameters are alike, so only the number of them at each vertex matters.
 */
#include "world.h"

#include "support.h"

typedef struct laws {
    mpq_t of[2][WORLD_VOTERS + 1]; /* of the number of ones so far */
} laws;

static void laws_init(laws *l)
{
    for (int side = 0; side < 2; side++)
        for (int i = 0; i <= WORLD_VOTERS; i++)
            mpq_init(l->of[side][i]);
}

static void laws_clear(laws *l)
{
    for (int side = 0; side < 2; side++)
        for (int i = 0; i <= WORLD_VOTERS; i++)
            mpq_clear(l->of[side][i]);
}

static void set_corner(mpq_t corner[WORLD_CORNERS][2], int i, const mpq_t here, const mpq_t there)
{
    mpq_set(corner[i][0], here);
    mpq_set(corner[i][1], there);
    mpq_set(corner[i + 1][0], there);
    mpq_set(corner[i + 1][1], here);
}

/* (0,delta), (1,1-delta), (c,d) and their mirror images, (1,1), (0,0) */
static void set_corners(mpq_t corner[WORLD_CORNERS][2], const dp_item *m)
{
    mpq_t zero, one, c, d;
    mpq_inits(zero, one, c, d, NULL);
    mpq_set_ui(one, 1, 1);
    set_corner(corner, 0, zero, m->delta);
    mpq_sub(d, one, m->delta);
    set_corner(corner, 2, one, d);
    assert_true(m->epsilon.is_log || mpq_sgn(m->epsilon.value) == 0);
    mpq_add(c, one, m->epsilon.is_log ? m->epsilon.value : one);
    mpq_div(d, d, c); /* (1 - delta)/(1 + R) */
    mpq_sub(c, one, d);
    set_corner(corner, 4, c, d);
    mpq_set(corner[6][0], one);
    mpq_set(corner[6][1], one);
    mpq_clears(zero, one, c, d, NULL);
}

void world_init(world *w, const dp_composition *groups)
{
    assert_true(groups->count <= WORLD_GROUPS);
    *w = (world){.groups = (unsigned)groups->count};
    for (unsigned g = 0; g < WORLD_GROUPS; g++)
        for (int i = 0; i < WORLD_CORNERS; i++)
            mpq_inits(w->corner[g][i][0], w->corner[g][i][1], NULL);
    for (unsigned g = 0; g < w->groups; g++) {
        w->size[g] = (unsigned)mpz_get_ui(groups->item[g].times);
        w->voters += w->size[g];
        set_corners(w->corner[g], &groups->item[g]);
    }
    assert_true(w->voters <= WORLD_VOTERS);
    for (int l = 0; l <= WORLD_VOTERS; l++)
        mpq_init(w->one[l]);
    mpq_inits(w->target, w->delta, w->worst, w->needed, NULL);
}

void world_clear(world *w)
{
    for (unsigned g = 0; g < WORLD_GROUPS; g++)
        for (int i = 0; i < WORLD_CORNERS; i++)
            mpq_clears(w->corner[g][i][0], w->corner[g][i][1], NULL);
    for (int l = 0; l <= WORLD_VOTERS; l++)
        mpq_clear(w->one[l]);
    mpq_clears(w->target, w->delta, w->worst, w->needed, NULL);
}

void world_noise(world *w, const dp_row *row)
{
    mpq_t half;
    mpq_init(half);
    mpq_set_ui(half, 1, 2);
    unsigned middle = (w->voters + 1) / 2;
    for (unsigned l = 0; l <= w->voters; l++) {
        unsigned at = row->gamma_first == 0 || l >= middle ? l : w->voters - l;
        assert_true(at >= row->gamma_first && at - row->gamma_first < row->gamma_count);
        mpq_mul(w->one[l], row->gamma[at - row->gamma_first], half);
        if (l < middle)
            mpq_neg(w->one[l], w->one[l]);
        mpq_add(w->one[l], w->one[l], half);
    }
    mpq_clear(half);
}

/* law of one voter more; both laws have `count` + 1 entries afterwards */
static void add_voter(mpq_t *law, unsigned count, const mpq_t chance)
{
    mpq_t miss, part;
    mpq_inits(miss, part, NULL);
    mpq_set_ui(miss, 1, 1);
    mpq_sub(miss, miss, chance);
    for (unsigned l = count;; l--) {
        mpq_mul(part, law[l], miss);
        if (l > 0) {
            mpq_mul(law[l], law[l - 1], chance);
            mpq_add(part, part, law[l]);
        }
        mpq_set(law[l], part);
        if (l == 0)
            break;
    }
    mpq_clears(miss, part, NULL);
}

/* One answer: `here` on one data set, `there` on the other */
static void take(world *w, const mpq_t here, const mpq_t there)
{
    mpq_t part;
    mpq_init(part);
    mpq_mul(part, w->target, there);
    mpq_sub(part, here, part);
    if (mpq_cmp(part, w->worst) > 0)
        mpq_set(w->worst, part);
    if (mpq_cmp(here, w->delta) > 0 && mpq_sgn(w->needed) > 0) {
        mpq_sub(part, here, w->delta);
        if (mpq_sgn(there) == 0)
            mpq_set_ui(w->needed, 0, 1);
        else
            mpq_div(part, part, there);
        if (mpq_sgn(there) > 0 && mpq_cmp(part, w->needed) > 0)
            mpq_set(w->needed, part);
    }
    mpq_clear(part);
}

static void judge(world *w, const laws *l)
{
    mpq_t answer[2], part, one;
    mpq_inits(answer[0], answer[1], part, one, NULL);
    mpq_set_ui(one, 1, 1);
    for (int side = 0; side < 2; side++)
        for (unsigned i = 0; i <= w->voters; i++) {
            mpq_mul(part, l->of[side][i], w->one[i]);
            mpq_add(answer[side], answer[side], part);
        }
    take(w, answer[0], answer[1]);
    mpq_sub(answer[0], one, answer[0]);
    mpq_sub(answer[1], one, answer[1]);
    take(w, answer[0], answer[1]);
    mpq_clears(answer[0], answer[1], part, one, NULL);
}

/* Every way to seat the voters from `count` on, `left` of group g first at the corners from `first`
 * on. */
static void seat(world *w, const laws *l, unsigned count, unsigned g, unsigned left, int first)
{
    if (left == 0 && g + 1 < w->groups) {
        seat(w, l, count, g + 1, w->size[g + 1], 0);
        return;
    }
    if (left == 0) {
        judge(w, l);
        return;
    }
    laws next;
    laws_init(&next);
    for (int i = first; i < WORLD_CORNERS; i++) {
        for (int side = 0; side < 2; side++) {
            for (unsigned k = 0; k <= WORLD_VOTERS; k++)
                mpq_set(next.of[side][k], l->of[side][k]);
            add_voter(next.of[side], count + 1, w->corner[g][i][side]);
        }
        seat(w, &next, count + 1, g, left - 1, i);
    }
    laws_clear(&next);
}

void world_judge(world *w, const mpq_t target, const mpq_t delta)
{
    laws l;
    laws_init(&l);
    mpq_set_ui(l.of[0][0], 1, 1);
    mpq_set_ui(l.of[1][0], 1, 1);
    mpq_set(w->target, target);
    mpq_set(w->delta, delta);
    mpq_set_ui(w->worst, 0, 1);
    mpq_set_ui(w->needed, 1, 1);
    seat(w, &l, 0, 0, w->size[0], 0);
    laws_clear(&l);
}
