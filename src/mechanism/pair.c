/* SPDX-License-Identifier: MIT */
/* A user's own finite pair of distributions. */
#include "loss/pair.h"

#include "mechanism/parameters.h"
#include "mechanism/types.h"

static const char *fault(const char **name, const dp_mechanism *m)
{
    const value *p = mechanism_value(m, "p"), *q = mechanism_value(m, "q");
    *name = "q";
    if (p->count != q->count)
        return "must have as many probabilities as p";
    return pair_fault(name, (const mpq_t *)p->list, (const mpq_t *)q->list, p->count);
}

static dp_status pair(product *to, const dp_mechanism *m, const mpz_t times, direction way,
                      dp_end end)
{
    (void)end;
    const value *p = mechanism_value(m, "p"), *q = mechanism_value(m, "q");
    return pair_add(to, (const mpq_t *)p->list, (const mpq_t *)q->list, p->count, way == BACKWARD,
                    times);
}

static bool one_way(const dp_mechanism *m)
{
    return mechanism_value(m, "directions")->choice == 1;
}

static const parameter *const parameters[] = {&pair_p, &pair_q, &pair_directions, NULL};

const mechanism_type mechanism_pair = {
    .name = "pair",
    .brief = "two distributions over finitely many outcomes",
    .manual = "The outcomes' probabilities on two neighbouring data sets that no other neighbours "
              "exceed: that the pair dominates is up to whoever gives it.",
    .parameters = parameters,
    .relations = RELATION(ADD_REMOVE) | RELATION(REPLACE_ONE),
    .fault = fault,
    .pair = pair,
    .one_way = one_way,
};
