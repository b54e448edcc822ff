/* SPDX-License-Identifier: MIT */
/* Runs a fuzz target over every file of the folders given as arguments and prints TAP. A finding
 * ends the process; the last line then names the file. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"

#define MAX_FILE (1UL << 20)

static bool replay(const char *path)
{
    FILE *stream = fopen(path, "rb");
    uint8_t *data = malloc(MAX_FILE);
    size_t size = stream != NULL && data != NULL ? fread(data, 1, MAX_FILE, stream) : 0;
    bool read = size > 0;
    if (stream != NULL)
        fclose(stream);
    if (read) {
        uint8_t *exact = malloc(size); /* so that a read past the end is seen */
        EXPECT(exact != NULL);
        memcpy(exact, data, size);
        LLVMFuzzerTestOneInput(exact, size);
        free(exact);
    }
    free(data);
    return read;
}

static int visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

int main(int argc, char **argv)
{
    FILE *tap = fdopen(dup(STDOUT_FILENO), "w"); /* a target may take standard output */
    EXPECT(tap != NULL);
    setvbuf(tap, NULL, _IOLBF, 0);
    int number = 0, failed = 0;
    for (int i = 1; i < argc; i++) {
        struct dirent **entry;
        int count = scandir(argv[i], &entry, visible, alphasort);
        if (count <= 0) {
            fprintf(tap, "Bail out! %s holds no files\n", argv[i]);
            return EXIT_FAILURE;
        }
        for (int j = 0; j < count; j++) {
            char path[4096];
            snprintf(path, sizeof path, "%s/%s", argv[i], entry[j]->d_name);
            fprintf(tap, "# %s\n", path);
            bool ok = replay(path);
            fprintf(tap, "%sok %d - %s\n", ok ? "" : "not ", ++number, entry[j]->d_name);
            failed += !ok;
            free(entry[j]);
        }
        free(entry);
    }
    fprintf(tap, "1..%d\n", number);
    fclose(tap);
    return failed == 0 && number > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
