/* SPDX-License-Identifier: MIT */
/* Where a bound is least over odds: parabolas and golden sections, after Brent. Every k is sound,
 * so that the search takes as many steps as it is worth, whatever the time. */
#include "attack/odds.h"

#include <math.h>
#include <stdbool.h>

#define TRIES 24
#define CLOSE 1e-3 /* of ln k: the bound is flat there */
#define GOLDEN 0.38196601125010515

/* 20 bits of e^s */
static void set_near(mpq_t k, double s)
{
    int power;
    double part = frexp(exp(s), &power);
    mpq_set_d(k, ldexp(rint(ldexp(part, 20)), power - 20));
}

static double at(mpq_t k, double s, odds_bound bound, void *of)
{
    set_near(k, s);
    return bound(of, k);
}

/* Three places, the best one first, and what the bound is there. */
typedef struct places {
    double s[3], y[3];
} places;

/* The step from the best place to the lowest point of the parabola through all, or 0. */
static double parabola(const places *p)
{
    double r = (p->s[0] - p->s[1]) * (p->y[0] - p->y[2]);
    double q = (p->s[0] - p->s[2]) * (p->y[0] - p->y[1]);
    double up = (p->s[0] - p->s[2]) * q - (p->s[0] - p->s[1]) * r, down = 2 * (q - r);
    double step = -up / down;
    return isfinite(step) ? step : 0;
}

static void take(places *p, double s, double y)
{
    int from = y <= p->y[0] ? 0 : y <= p->y[1] || p->s[1] == p->s[0] ? 1 : 2;
    for (int i = 2; i > from; i--) {
        p->s[i] = p->s[i - 1];
        p->y[i] = p->y[i - 1];
    }
    p->s[from] = s;
    p->y[from] = y;
}

void odds_least(mpq_t k, double low, double high, odds_bound bound, void *of)
{
    places p;
    double s = low + GOLDEN * (high - low), last = 0, before = 0;
    p.s[0] = p.s[1] = p.s[2] = s;
    p.y[0] = p.y[1] = p.y[2] = at(k, s, bound, of);
    for (int i = 0; i < TRIES && high - low > 4 * CLOSE; i++) {
        double best = p.s[0], step = parabola(&p);
        bool fits = step != 0 && fabs(step) < fabs(before) / 2 && best + step > low + CLOSE &&
                    best + step < high - CLOSE;
        before = last;
        if (!fits) {
            before = best < (low + high) / 2 ? high - best : low - best;
            step = GOLDEN * before;
        }
        last = step;
        s = best + (fabs(step) >= CLOSE ? step : copysign(CLOSE, step));
        double y = at(k, s, bound, of);
        if (y <= p.y[0])
            *(s < best ? &high : &low) = best;
        else
            *(s < best ? &low : &high) = s;
        take(&p, s, y);
    }
    set_near(k, p.s[0]);
}
