/* SPDX-License-Identifier: MIT */
/* Values of parameters from text: what each kind takes, what it refuses and which part of the text
 * the fault names, and that what is refused leaves the value as it was. */
#include "support.h"

#include <string.h>

#include "core/value.h"
#include "num/number.h"

/* The text is taken. */
static void takes(value *v, const char *text)
{
    value_fault f;
    if (value_set(v, text, &f) != DP_OK)
        fail_msg("%s '%s': '%.*s' %s", v->of->name, text, (int)f.length, f.part, f.message);
    assert_string_equal(v->text, text);
    assert_ptr_not_equal(v->text, text);
    assert_true(v->given);
}

/* The text is refused, for the part of it from `at` on. */
static void refuses(value *v, const char *text, size_t at, size_t length, const char *message)
{
    value_fault f;
    assert_int_equal(value_set(v, text, &f), DP_DOMAIN);
    assert_ptr_equal(f.part, text + at);
    assert_int_equal(f.length, length);
    assert_string_equal(f.message, message);
}

static bool is(const dp_number *x, const char *text)
{
    dp_number y;
    dp_number_init(&y);
    number_of(&y, text);
    bool same = number_order(x, &y) == 0;
    dp_number_clear(&y);
    return same;
}

static void test_numbers(void **state)
{
    (void)state;
    static const struct {
        enum kind kind;
        const char *good, *bad, *message;
    } row[] = {
        {KIND_COUNT, "10^9", "0", "must be a positive integer, such as 60000 or 10^9"},
        {KIND_LOSS, "ln(3)", "-1", "must not be negative, such as 0.1 or ln(3)"},
        {KIND_PROBABILITY, "1", "1.01", "must be a number from 0 to 1, such as 1e-5"},
        {KIND_SLACK, "1e-6", "1", "must be a number above 0 and below 1, such as 1e-6"},
        {KIND_POSITIVE, "2.5", "0", "must be a number above 0, such as 2.5"},
        {KIND_REAL, "-7/3", "ln(2)", "must be a plain number"},
        {KIND_DIGITS, "10000", "10001", "must be an integer from 1 to 10000"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const parameter p = {.name = "x", .kind = row[i].kind};
        value v;
        value_init(&v, &p);
        assert_false(v.given);
        assert_null(v.text);
        refuses(&v, row[i].bad, 0, strlen(row[i].bad), row[i].message);
        assert_null(v.text);
        takes(&v, row[i].good);
        assert_true(is(&v.number, row[i].good));
        refuses(&v, row[i].bad, 0, strlen(row[i].bad), row[i].message);
        assert_string_equal(v.text, row[i].good); /* and its number with it */
        assert_true(is(&v.number, row[i].good));
        value_clear(&v);
    }
}

static void test_compound(void **state)
{
    (void)state;
    const parameter pair = {.name = "claim", .kind = KIND_PAIR},
                    range = {.name = "range", .kind = KIND_RANGE};
    value v;
    value_init(&v, &pair);
    takes(&v, "0.1,1e-6");
    assert_true(is(&v.number, "0.1") && is(&v.second, "1e-6"));
    takes(&v, "ln(3)");
    assert_true(is(&v.number, "ln(3)") && is(&v.second, "0"));
    refuses(&v, "-1,0", 0, 2, domain_loss.must);
    refuses(&v, "1,2", 2, 1, domain_probability.must);
    assert_true(is(&v.number, "ln(3)"));
    value_clear(&v);
    value_init(&v, &range);
    takes(&v, "0:5:11");
    assert_true(is(&v.number, "0") && is(&v.second, "5"));
    assert_int_equal(v.count, 11);
    takes(&v, "0:5:10^30");
    assert_true(v.count == SIZE_MAX);
    refuses(&v, "0:5", 0, 3, "must be written A:B:N, such as 0:5:11");
    refuses(&v, "0:5:0", 4, 1, domain_count.must);
    refuses(&v, "0:5:ln(2)", 4, 5, domain_count.must);
    refuses(&v, "0:5:1/2", 0, 7, "ends in a step, not in how many points; write it like 0:5:11");
    value_fault f = {0};
    assert_int_equal(value_set(&v, "0:5:1/2", &f), DP_DOMAIN);
    assert_string_equal(f.meant.instead, "0:5:11");
    value_clear(&v);
}

static void test_list(void **state)
{
    (void)state;
    const parameter p = {.name = "votes", .kind = KIND_LIST};
    value v;
    value_fault f;
    value_init(&v, &p);
    takes(&v, "0,1/3,1");
    assert_int_equal(v.count, 3);
    assert_int_equal(mpq_cmp_ui(v.list[1], 1, 3), 0);
    refuses(&v, "0,1/3,7", 6, 1, domain_probability.must);
    assert_int_equal(v.count, 3);
    takes(&v, "1");
    assert_int_equal(v.count, 1);
    static char many[200002];
    for (size_t i = 0; i < 200001; i++)
        many[i] = i % 2 == 0 ? '1' : ',';
    assert_int_equal(value_set(&v, many, &f), DP_DOMAIN);
    assert_null(f.part);
    assert_string_equal(f.message, "must have at most 100000 numbers");
    many[199999] = '\0';
    takes(&v, many);
    assert_int_equal(v.count, 100000);
    value_clear(&v);
}

static void test_words(void **state)
{
    (void)state;
    const parameter choice = {.name = "how", .kind = KIND_CHOICE, .choices = "ab|a|abc"},
                    flag = {.name = "all", .kind = KIND_FLAG};
    assert_int_equal(parameter_choices(&choice), 3);
    assert_int_equal(parameter_choices(&flag), 0);
    value v;
    value_fault f;
    value_init(&v, &choice);
    static const char *const word[] = {"ab", "a", "abc"};
    for (size_t i = 0; i < 3; i++) {
        takes(&v, word[i]);
        assert_int_equal(v.choice, i);
    }
    static const char *const wrong[] = {"", "b", "abcd", "ab|a", "A"};
    for (size_t i = 0; i < 5; i++) {
        refuses(&v, wrong[i], 0, strlen(wrong[i]), "is not one of");
        assert_int_equal(v.choice, 2);
    }
    dp_error err;
    assert_int_equal(value_set(&v, "b", &f), DP_DOMAIN);
    assert_ptr_equal(f.choices, choice.choices);
    assert_int_equal(value_fail(&err, DP_DOMAIN, &v, &f), DP_DOMAIN);
    assert_string_equal(err.argument, "how");
    value_clear(&v);
    value_init(&v, &flag);
    takes(&v, "false");
    assert_int_equal(v.choice, 0);
    takes(&v, "true");
    assert_int_equal(v.choice, 1);
    refuses(&v, "1", 0, 1, "must be true or false");
    value_clear(&v);
}

/* The names in JSON and in the library's errors. */
static void test_names(void **state)
{
    (void)state;
    const parameter plain = {.name = "models", .key = "N"},
                    dashed = {.name = "base-epsilon", .key = "base_epsilon"},
                    other = {.name = "dataset-size", .key = "n", .field = "dataset_size"};
    assert_string_equal(parameter_key(&plain), "N");
    assert_string_equal(parameter_field(&plain), "models");
    assert_string_equal(parameter_key(&dashed), "base_epsilon");
    assert_string_equal(parameter_field(&dashed), "base_epsilon");
    assert_string_equal(parameter_key(&other), "n");
    assert_string_equal(parameter_field(&other), "dataset_size");
}

static void test_presets(void **state)
{
    (void)state;
    const parameter p = {.name = "times", .kind = KIND_COUNT, .preset = "7"};
    value v, w;
    value_fault f;
    value_init(&v, &p);
    value_init(&w, &p);
    assert_int_equal(value_preset(&v, &f), DP_OK);
    assert_string_equal(v.text, "7");
    assert_false(v.given);
    takes(&v, "9");
    assert_int_equal(value_preset(&v, &f), DP_OK); /* it is given */
    assert_string_equal(v.text, "9");
    value_move(&w, &v);
    assert_true(w.given && !v.given && v.text == NULL);
    assert_true(is(&w.number, "9"));
    value_forget(&w);
    assert_true(!w.given && w.text == NULL);
    value_clear(&w);
    value_clear(&v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers), cmocka_unit_test(test_compound),
        cmocka_unit_test(test_list),    cmocka_unit_test(test_words),
        cmocka_unit_test(test_names),   cmocka_unit_test(test_presets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
