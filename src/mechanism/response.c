/* SPDX-License-Identifier: MIT */
/* Randomized response with any number of answers. */
#include "loss/response_kary.h"
#include "mechanism/parameters.h"
#include "mechanism/types.h"
#include "num/number.h"

static mpz_srcptr categories(const dp_mechanism *m)
{
    return number_integer(mechanism_number(m, "categories"));
}

static const char *fault(const char **name, const dp_mechanism *m)
{
    *name = "categories";
    return mpz_cmp_ui(categories(m), 2) < 0 ? "must be at least 2" : NULL;
}

/* With two answers it is the worst epsilon-DP mechanism. */
static bool item(dp_number *epsilon, mpq_t delta, const dp_mechanism *m)
{
    if (mpz_cmp_ui(categories(m), 2) != 0)
        return false;
    dp_number_set(epsilon, mechanism_number(m, "epsilon"));
    mpq_set_ui(delta, 0, 1);
    return true;
}

static void within(dp_number *epsilon, mpq_t delta, const dp_mechanism *m)
{
    dp_number_set(epsilon, mechanism_number(m, "epsilon"));
    mpq_set_ui(delta, 0, 1);
}

static dp_status pair(product *to, const dp_mechanism *m, const mpz_t times, direction way,
                      dp_end end)
{
    (void)way;
    (void)end;
    return response_kary_add(to, mechanism_number(m, "epsilon"), categories(m), times);
}

static const parameter *const parameters[] = {&kary_epsilon, &kary_categories, NULL};

const mechanism_type mechanism_randomized_response = {
    .name = "randomized-response",
    .brief = "randomized response with any number of answers",
    .manual =
        "Each record's answer is randomized on its own: neighbours differ in the input of one "
        "answer. Under add-remove a record that is absent still answers, whatever it is "
        "taken to be.",
    .parameters = parameters,
    .relations = RELATION(ADD_REMOVE) | RELATION(REPLACE_ONE),
    .fault = fault,
    .item = item,
    .pair = pair,
    .within = within,
};
