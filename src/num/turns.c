/* SPDX-License-Identifier: MIT */
/* Turns of many multiples of an angle, by a table of digits. */
#include "num/turns.h"

#include "num/wide.h"

bool turns_init(turns *t, mpfr_prec_t bits, uint64_t last)
{
    *t = (turns){.rows = 1};
    while (t->rows * TURNS_BITS < 64 && last >> (TURNS_BITS * t->rows) != 0)
        t->rows++;
    cdisc_init(&t->high, bits);
    cdisc_init(&t->scratch, bits);
    t->row = cdisc_list_new(t->rows * TURNS_SIZE, bits);
    return t->row != NULL;
}

void turns_clear(turns *t)
{
    cdisc_list_free(t->row, t->rows * TURNS_SIZE);
    cdisc_clear(&t->high);
    cdisc_clear(&t->scratch);
}

/* The rest of row k, whose second entry stands. */
static void fill(turns *t, size_t k)
{
    cdisc *row = t->row + k * TURNS_SIZE;
    for (size_t d = 2; d < TURNS_SIZE; d++)
        cdisc_mul(&row[d], &row[d / 2], &row[d - d / 2], &t->scratch);
}

static void restart(turns *t)
{
    cdisc_set_one(&t->high);
    t->head = 0;
}

void turns_set(turns *t, mpfi_srcptr theta)
{
    cball a;
    cball_init(&a, mpfi_get_prec(theta));
    cball_set_i(&a, theta);
    for (size_t k = 0; k < t->rows; k++) {
        uint64_t n = UINT64_C(1) << (TURNS_BITS * k);
        cdisc_turn(&t->row[k * TURNS_SIZE + 1], a.re, a.radius, n);
        fill(t, k);
    }
    restart(t);
    cball_clear(&a);
}

void turns_place(turns *t, uint64_t turn, uint64_t period)
{
    for (size_t k = 0; k < t->rows; k++) {
        cdisc_unit(&t->row[k * TURNS_SIZE + 1], turn, period);
        turn = wide_product_mod(turn, TURNS_SIZE, 2 * period);
        fill(t, k);
    }
    restart(t);
}

void turns_at(cdisc *out, turns *t, uint64_t n)
{
    uint64_t head = n >> TURNS_BITS;
    if (head != t->head) {
        cdisc_set_one(&t->high);
        for (size_t k = 1; k < t->rows; k++) {
            size_t digit = (size_t)(n >> (TURNS_BITS * k)) % TURNS_SIZE;
            if (digit != 0)
                cdisc_mul(&t->high, &t->high, &t->row[k * TURNS_SIZE + digit], &t->scratch);
        }
        t->head = head;
    }
    cdisc_mul(out, &t->high, &t->row[n % TURNS_SIZE], &t->scratch);
}
