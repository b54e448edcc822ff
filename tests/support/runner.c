/* SPDX-License-Identifier: MIT */
/* Runs the unit test that the program is called by the name of, or that is named to it. */
#include <stdio.h>
#include <string.h>

#include "unit-tests.h"

static const struct {
    const char *name;
    int (*run)(void);
} test[] = {UNIT_TESTS};

int main(int count, char **argument)
{
    const char *name = argument[count > 1 ? 1 : 0], *slash = strrchr(name, '/');
    name = slash != NULL ? slash + 1 : name;
    for (size_t i = 0; i < sizeof test / sizeof test[0]; i++)
        if (strcmp(test[i].name, name) == 0)
            return test[i].run();
    fprintf(stderr, "no test is called %s\n", name);
    return 2;
}
