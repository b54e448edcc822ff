/* SPDX-License-Identifier: MIT */
#ifndef NUM_LITERAL_H
#define NUM_LITERAL_H

#include <gmp.h>
#include <stdbool.h>
#include <stddef.h>

#define LIT_MAX_LENGTH 100000UL
#define LIT_MAX_EXPONENT 1000000L

typedef enum lit_status {
    LIT_OK = 0,
    LIT_EMPTY,
    LIT_SYNTAX,
    LIT_TOO_LONG,
    LIT_EXPONENT,
    LIT_TOO_LARGE,
    LIT_ZERO_DENOMINATOR,
    LIT_LOG_DOMAIN
} lit_status;

/* Reads exactly `length` bytes:
 *   number   = [sign] ratio | [sign] "ln(" [sign] ratio ")"
 *   ratio    = atom [ "/" atom ]
 *   atom     = decimal | integer "^" [sign] integer
 *   decimal  = digits [ "." digits ] | "." digits , then [ ("e"|"E") [sign] digits ]
 * -ln(R) is returned as ln(1/R). `value` is canonical; it is unchanged unless LIT_OK.
 * Time and memory are bounded by the limits above, whatever the text. */
lit_status lit_parse(mpq_t value, bool *is_log, const char *text, size_t length);

/* What is wrong and what would be right, static text. */
const char *lit_message(lit_status status);

#endif
