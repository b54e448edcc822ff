/* SPDX-License-Identifier: MIT */
#ifndef TEXTS_H
#define TEXTS_H

#include "dpacct/dpacct.h"

typedef struct question {
    const char *name;
    dp_status (*ask)(dp_result *out, const void *of, dp_error *err);
    const void *of;
} question;

/* What is asked by text: handles and documents. */
extern const question text_questions[];
extern const size_t text_question_count;

#endif
