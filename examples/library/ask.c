/* SPDX-License-Identifier: MIT */
/* Answers the questions that it is given, as JSON:
 *   cc -std=c11 ask.c $(pkg-config --cflags --libs dpacct) -o ask
 *   ./ask '{"command": "bagging-with", "n": 60000, "k": 300}'
 *
 * Exit status: 0 every answer was one, 1 some were errors. */
#include <dpacct/document.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int failed = 0;
    for (int i = 1; i < argc; i++) {
        dp_status status;
        char *answer = dp_ask(argv[i], &status);
        puts(answer != NULL ? answer : "out of memory");
        dp_text_free(answer);
        failed |= status != DP_OK;
    }
    return failed;
}
