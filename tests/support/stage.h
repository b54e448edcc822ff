/* SPDX-License-Identifier: MIT */
/* A question of every kind, each of them in order, and what becomes of one whose parameters are
 * not. The domains are written here a second time, by hand. */
#ifndef STAGE_H
#define STAGE_H

#include "support.h"

typedef struct stage {
    dp_result out;
    dp_error err;
    dp_options opt;
    dp_composition list, council;
    dp_compose_query query;
    dp_bagging bagging;
    dp_bagging_unknown unknown;
    dp_conversion conversion;
    dp_igmm igmm;
    dp_generalization learner;
    dp_majority majority;
    dp_response votes;
    dp_item add;
    mpq_t order, share[4];
    mpz_t times;
    dp_number x, point, spare, half, one; /* x takes the values that are tried */
    size_t points, digits;
    bool deltas;
} stage;

void stage_open(stage *s);
void stage_close(stage *s);

/* What is asked on the stage. */
typedef dp_status (*ask)(stage *s, dp_error *err);
dp_status ask_compose(stage *s, dp_error *err);
dp_status ask_curve(stage *s, dp_error *err);
dp_status ask_add(stage *s, dp_error *err);
dp_status ask_add_bagging(stage *s, dp_error *err);
dp_status ask_bagging(stage *s, dp_error *err);
dp_status ask_solve(stage *s, dp_error *err);
dp_status ask_kl(stage *s, dp_error *err);
dp_status ask_divergences(stage *s, dp_error *err);
dp_status ask_convert(stage *s, dp_error *err);
dp_status ask_igmm(stage *s, dp_error *err);
dp_status ask_generalization(stage *s, dp_error *err);
dp_status ask_majority(stage *s, dp_error *err);
dp_status ask_votes(stage *s, dp_error *err);

/* Those that take options. */
#define QUERIES 11
extern const ask queries[QUERIES];

/* The figures of a result, its check and remarks, as text; free it. */
char *print_result(const dp_result *r);

/* The call is refused, with the name; the result stays what it was. */
void expect(stage *s, ask call, const char *name, const char *shown);

/* Values outside and inside the domains, ended by NULL. */
extern const char *const no_loss[];
extern const char *const a_loss[];
extern const char *const no_probability[];
extern const char *const a_probability[];
extern const char *const no_slack[];
extern const char *const a_slack[];
extern const char *const no_count[];
extern const char *const a_count[];
extern const char *const no_positive[];
extern const char *const a_positive[];
extern const char *const nothing[];

/* Each of the bad ones, and malformed ones, are refused with the name, the good ones are not. */
void try_number(stage *s, ask call, const char *name, dp_number *x, const char *const *bad,
                const char *const *good);
void try_rational(stage *s, ask call, const char *name, mpq_ptr q, const char *const *bad,
                  const char *const *good);
void try_integer(stage *s, ask call, const char *name, mpz_ptr z, const char *const *bad,
                 const char *const *good);

/* One parameter on a stage of its own. */
#define ON(...)                                                                                    \
    do {                                                                                           \
        stage s;                                                                                   \
        stage_open(&s);                                                                            \
        __VA_ARGS__;                                                                               \
        stage_close(&s);                                                                           \
    } while (0)
#define NUMBER(call, name, field, domain)                                                          \
    ON(s.field = &s.x; try_number(&s, call, name, &s.x, no_##domain, a_##domain))
#define OWN_NUMBER(call, name, field, domain)                                                      \
    ON(try_number(&s, call, name, &s.field, no_##domain, a_##domain))
#define RATIONAL(call, name, field, domain)                                                        \
    ON(try_rational(&s, call, name, s.field, no_##domain, a_##domain))
#define INTEGER(call, name, field, domain)                                                         \
    ON(try_integer(&s, call, name, s.field, no_##domain, a_##domain))
#define CHOICE(call, name, field, type, last)                                                      \
    ON(s.field = (type)((last) + 1); expect(&s, call, name, "last + 1"); s.field = (type)-1;       \
       expect(&s, call, name, "-1"); s.field = (type)2000000000; expect(&s, call, name, "2e9"))
#define REFUSED(call, name, ...) ON(__VA_ARGS__; expect(&s, call, name, #__VA_ARGS__))

#endif
