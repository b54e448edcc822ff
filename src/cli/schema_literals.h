/* SPDX-License-Identifier: MIT */
/* Literals as regular expressions, in the subset that every reader of JSON Schema has: what
 * lit_parse in num/literal.c takes. */
#ifndef CLI_SCHEMA_LITERALS_H
#define CLI_SCHEMA_LITERALS_H

#define ATOM "(([0-9]+(\\.[0-9]+)?|\\.[0-9]+)([eE][+-]?[0-9]+)?|[0-9]+\\^[+-]?[0-9]+)"
#define RATIO ATOM "(/" ATOM ")?"
#define PLAIN "[+-]?" RATIO
#define EXACT "[+-]?(" RATIO "|ln\\(\\+?" RATIO "\\))"

/* What cannot be said of a text: how large it is. What can: that a minus stands before a zero only,
 * or before a logarithm, which may be positive then; and that some digit is not 0. */
#define NO_MINUS "[^-]|-0*\\.?0*([eE^/]|$)"
#define NOT_NEGATIVE "^(" NO_MINUS ")"
#define LOSS "^(" NO_MINUS "|-ln)"
#define POSITIVE "^[^-]*[1-9]"

#endif
