/* SPDX-License-Identifier: MIT */
/* Any text as a question to dp_ask: one document of strict JSON, an error exactly where it says so,
 * and nothing left behind that another question meets. */
#include <stdlib.h>
#include <string.h>

#include "document/json_read.h"
#include "fuzz.h"

/* Is it an answer? */
static bool check_document(const char *request, dp_status *status)
{
    char *text = dp_ask(request, status);
    EXPECT(text != NULL);
    size_t length = strlen(text);
    EXPECT(length > 2 && strchr(text, '\n') == NULL);
    json_fault where;
    json_document document;
    EXPECT(json_read(&document, text, length, &where));
    json top = json_root(&document);
    bool failed = json_exists(json_find(top, "error"));
    bool done = json_exists(json_find(top, "results"));
    EXPECT(failed != done && done == (*status == DP_OK));
    json_clear(&document);
    dp_text_free(text);
    return done;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *request = fuzz_text(data, size);
    dp_status status = DP_MEMORY;
    check_document(request, &status);
    EXPECT(status != DP_MEMORY);
    free(request);
    EXPECT(check_document("{\"command\":\"kl-bound\",\"epsilon\":0.1,\"max_epsilon\":1}",
                          &status) == false);
    EXPECT(check_document("{\"command\":\"kl-bound\",\"epsilon\":0.1}", &status));
    return 0;
}
