/* SPDX-License-Identifier: MIT */
/* The tables of commands and options, which the parser, the readers, the help, the man page, the
 * completions and the JSON echo are made from. */
#include "support.h"

#include <string.h>

#include "cli/program.h"
#include "document/commands.h"
#include "document/request.h"

#define EACH_COMMAND(c) for (const command *const *c = commands; *c != NULL; c++)
#define EACH_OPTION(o, c) for (const option *o = (*c)->options; o->of != NULL; o++)

/* In the style of "largest value within a budget": short, no full stop, no capital first. */
static void check_brief(const char *owner, const char *brief, size_t most)
{
    if (brief == NULL || strlen(brief) < 4 || strlen(brief) > most ||
        brief[strlen(brief) - 1] == '.')
        fail_msg("%s: brief '%s'", owner, brief == NULL ? "" : brief);
}

static void test_commands(void **state)
{
    (void)state;
    size_t count = 0;
    EACH_COMMAND(c)
    {
        const command *x = *c;
        count++;
        assert_int_equal(strspn(x->name, "abcdefghijklmnopqrstuvwxyz-"), strlen(x->name));
        check_brief(x->name, x->brief, 60);
        assert_true(x->manual != NULL && strlen(x->manual) > 20);
        assert_non_null(x->options);
        assert_true(x->examples != NULL && x->examples[0].line != NULL);
        for (const example *e = x->examples; e->line != NULL; e++)
            assert_true(e->what != NULL && strlen(e->what) > 3);
        assert_true((x->run != NULL) != (x->act != NULL));
        assert_ptr_equal(command_find(x->name), x);
        EACH_COMMAND(d) assert_true(c == d || strcmp(x->name, (*d)->name) != 0);
    }
    assert_true(count >= 12);
    assert_null(command_find("no-such-command"));
    char near[NEAR_ROOM];
    assert_true(command_near(near, commands, "compos"));
    assert_string_equal(near, "'compose'");
    assert_false(command_near(near, commands, "zzzzzzzzzzzz"));
}

static void test_options(void **state)
{
    (void)state;
    EACH_COMMAND(c) EACH_OPTION(o, c)
    {
        assert_int_equal(strspn(o->of->name, "abcdefghijklmnopqrstuvwxyz0123456789-"),
                         strlen(o->of->name));
        check_brief(o->of->name, o->of->brief, 60);
        if (o->of->manual == NULL || o->of->manual[strlen(o->of->manual) - 1] != '.')
            fail_msg("%s --%s: the manual is missing or does not end a sentence", (*c)->name,
                     o->of->name);
        if ((o->of->kind == KIND_FLAG) != (o->metavar == NULL))
            fail_msg("%s --%s: a value has a name, a flag has none", (*c)->name, o->of->name);
        assert_int_equal(o->of->kind == KIND_CHOICE, o->of->choices != NULL);
        bool compound =
            o->of->kind == KIND_PAIR || o->of->kind == KIND_RANGE || o->of->kind == KIND_ITEM;
        bool number = !compound && o->of->kind != KIND_FLAG && o->of->kind != KIND_CHOICE &&
                      o->of->kind != KIND_TEXT && o->of->kind != KIND_DATE;
        assert_int_equal(number, option_domain(o) != NULL);
        const char *key = option_key(o);
        if (strchr(key, '-') != NULL)
            fail_msg("%s --%s: key '%s'", (*c)->name, o->of->name, key);
        assert_false(o->of->required && o->of->preset != NULL);
        assert_false(o->of->kind == KIND_FLAG && (o->of->preset != NULL || o->of->required));
        assert_ptr_equal(option_find(*c, o->of->name), o);
        assert_ptr_equal(option_find(*c, key), o);
    }
}

static void test_unique(void **state)
{
    (void)state;
    EACH_COMMAND(c) EACH_OPTION(o, c)
    {
        char letter[2] = {o->letter, '\0'};
        if (o->letter != 0)
            assert_ptr_equal(option_find(*c, letter), o);
        for (const option *p = (*c)->options; p != o; p++) {
            if (strcmp(o->of->name, p->of->name) == 0 ||
                strcmp(option_key(o), option_key(p)) == 0 ||
                (o->letter != 0 && o->letter == p->letter))
                fail_msg("%s: --%s and --%s", (*c)->name, o->of->name, p->of->name);
        }
    }
}

/* One option means the same in every command: key and role do not change, nor does a letter. */
static void test_same_everywhere(void **state)
{
    (void)state;
    EACH_COMMAND(c) EACH_OPTION(o, c) EACH_COMMAND(d)
    {
        const option *p = option_find(*d, o->of->name);
        if (p == NULL || p == o || strcmp(p->of->name, o->of->name) != 0)
            continue;
        assert_string_equal(option_key(o), option_key(p));
        if ((o->letter != 0 && p->letter != 0 && o->letter != p->letter) ||
            (o->role == ROLE_CHECK) != (p->role == ROLE_CHECK))
            fail_msg("--%s differs between %s and %s", o->of->name, (*c)->name, (*d)->name);
    }
}

static bool lists(const char *words, const char *word)
{
    size_t n = strlen(word);
    for (const char *at = words; (at = strstr(at, word)) != NULL; at += n)
        if ((at == words || at[-1] == '|') && (at[n] == '\0' || at[n] == '|'))
            return true;
    return false;
}

/* What a rule names exists, and a rule does not exclude what it requires. */
static void test_rules(void **state)
{
    (void)state;
    EACH_COMMAND(c)
    {
        for (const rule *r = (*c)->rules; r != NULL && r->options != NULL; r++) {
            size_t named = 0;
            EACH_OPTION(o, c) named += lists(r->options, o->of->name);
            size_t bars = 0;
            for (const char *at = r->options; *at != '\0'; at++)
                bars += *at == '|';
            if (named != bars + 1 || named < 2)
                fail_msg("%s: rule '%s'", (*c)->name, r->options);
        }
        EACH_OPTION(o, c)
        if (o->of->kind == KIND_CHOICE && o->of->preset != NULL)
            assert_true(lists(o->of->choices, o->of->preset));
    }
}

/* Presets are read by the reader that reads what users write. */
static void test_presets(void **state)
{
    (void)state;
    EACH_COMMAND(c) EACH_OPTION(o, c)
    {
        if (o->of->preset == NULL)
            continue;
        args a;
        fault f = {{0}, {0}};
        assert_true(args_init(&a, *c, query_commands));
        if (!args_set(&a, o, o->of->preset, &f))
            fail_msg("%s --%s: preset '%s' %s", (*c)->name, o->of->name, o->of->preset, f.what);
        args_clear(&a);
    }
}

/* Every value is checked: a value of the wrong kind is refused, naming the option. */
static void test_refused(void **state)
{
    (void)state;
    EACH_COMMAND(c) EACH_OPTION(o, c)
    {
        if (o->of->kind == KIND_FLAG || o->of->kind == KIND_TEXT || (*c)->act != NULL)
            continue;
        static const char *const bad[] = {"", "x", "1e", "--", "nan", "ln(-1)", "1 "};
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
            args a;
            fault f = {{0}, {0}};
            assert_true(args_init(&a, *c, query_commands));
            if (args_set(&a, o, bad[i], &f))
                fail_msg("%s --%s takes '%s'", (*c)->name, o->of->name, bad[i]);
            assert_true(f.what[0] != '\0');
            args_clear(&a);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_commands), cmocka_unit_test(test_options),
        cmocka_unit_test(test_unique),   cmocka_unit_test(test_same_everywhere),
        cmocka_unit_test(test_rules),    cmocka_unit_test(test_presets),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests_name("table", tests, NULL, NULL);
}
