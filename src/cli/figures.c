/* SPDX-License-Identifier: MIT */
/* Figures as text. */
#include "cli/figures.h"

#include "core/quantity.h"
#include "core/refine.h"
#include "num/decimal.h"
#include "num/memory.h"

static void put_end(out *o, const dp_figure *x, dp_end end, size_t digits, bool filled,
                    size_t (*print)(char *at, const dec *d))
{
    dec d;
    dec_init(&d);
    if (!dec_set_figure(&d, x, end, digits) || (filled && !dec_fill(&d, digits)))
        o->failed = true;
    char *at = out_reserve(o, dec_size(&d));
    if (at != NULL)
        out_grow(o, print(at, &d));
    dec_clear(&d);
}

void put_decimal(out *o, const dp_figure *x, dp_end end, size_t digits)
{
    put_end(o, x, end, digits, false, dec_print);
}

bool shows(const report *r, const dp_quantity *q)
{
    return q != NULL && (r->none == NULL || quantity_is_none(q));
}

void put_ends(out *o, const report *r, const dp_quantity *q, char comma)
{
    q = shows(r, q) ? q : NULL;
    for (int end = DP_LOWER; end <= DP_UPPER; end++) {
        out_char(o, comma);
        if (q != NULL && q->is_solved)
            put_quantity(o, q, r->digits);
        else if (q != NULL)
            put_decimal(o, &q->figure, (dp_end)end, r->digits);
    }
}

void put_figure(out *o, const report *r, const dp_quantity *q)
{
    if (q == NULL)
        out_char(o, '-');
    else if (r->none != NULL && quantity_is_none(q))
        out_text(o, "none");
    else
        put_quantity(o, q, r->digits);
}

/* For people: an exponent below 1e-4, and fewer digits than asked of what is exact alone. */
static void put_shown(out *o, const dp_figure *x, dp_end end, size_t digits)
{
    bool wide = x->kind == DP_ENCLOSED && mpfr_less_p(&x->enclosure->left, &x->enclosure->right);
    put_end(o, x, end, digits, wide, dec_print_text);
}

/* A solved parameter is exact; a figure shows its safe end, or both ends when they do not agree. */
void put_quantity(out *o, const dp_quantity *q, size_t digits)
{
    if (q->is_solved && q->figure.kind == DP_INFINITE)
        out_text(o, "any");
    else if (q->is_solved) {
        char *text = solved_text(&q->figure, digits);
        if (text == NULL)
            o->failed = true;
        else
            out_text(o, text);
        memory_free(text);
    } else if (refine_agrees(&q->figure, digits)) {
        put_shown(o, &q->figure, q->safe, digits);
    } else {
        out_char(o, '[');
        put_shown(o, &q->figure, DP_LOWER, digits);
        out_text(o, ", ");
        put_shown(o, &q->figure, DP_UPPER, digits);
        out_char(o, ']');
    }
}

bool has_safe_end(const dp_quantity *q)
{
    const dp_figure *x = &q->figure;
    return x->kind == DP_RATIONAL ||
           (x->kind == DP_ENCLOSED &&
            mpfr_number_p(q->safe == DP_UPPER ? &x->enclosure->right : &x->enclosure->left));
}

void put_safe_end(out *o, const dp_quantity *q, size_t digits)
{
    if (q->is_solved)
        put_quantity(o, q, digits);
    else
        put_shown(o, &q->figure, q->safe, digits);
}

void put_spent(out *o, const dp_quantity *q, size_t digits)
{
    if (has_safe_end(q))
        put_shown(o, &q->figure, q->safe, digits);
    else
        out_text(o, "infinite");
}
