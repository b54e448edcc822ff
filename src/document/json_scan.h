/* SPDX-License-Identifier: MIT */
#ifndef DOCUMENT_JSON_SCAN_H
#define DOCUMENT_JSON_SCAN_H

#include "document/json_read.h"

/* What `place` holds: the kind, whether a string has escapes that are not decoded yet, and the
 * offset of the token (of a string, behind its quote). */
#define NODE_OFFSET_BITS 28
#define NODE_ESCAPED 8U

static inline json_kind node_kind(const json_node *node)
{
    return (json_kind)(node->place >> NODE_OFFSET_BITS & 7U);
}

static inline bool node_escaped(const json_node *node)
{
    return (node->place >> NODE_OFFSET_BITS & NODE_ESCAPED) != 0;
}

static inline uint32_t node_offset(const json_node *node)
{
    return node->place & (uint32_t)(JSON_MAX_BYTES - 1);
}

/* The index of the node behind a value and all that is in it. */
static inline uint32_t node_behind(const json_document *d, uint32_t at)
{
    return node_kind(&d->node[at]) >= JSON_ARRAY ? d->node[at].extent : at + 1;
}

/* Checks the text and lists its nodes; `extent` is the length of a string or number. The text
 * stays as it is. False with *fault set on a fault. */
bool json_scan(json_document *document, size_t length, json_fault *fault);

#endif
