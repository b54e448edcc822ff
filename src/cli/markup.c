/* SPDX-License-Identifier: MIT */
/* Text as Markdown and LaTeX show it as it is. */
#include "cli/markup.h"

#include <string.h>

void put_markdown(out *o, const char *text)
{
    for (; *text != '\0'; text++) {
        if (strchr("\\`*_{}[]<>#|~$&@", *text) != NULL)
            out_char(o, '\\');
        out_char(o, *text);
    }
}

void put_latex(out *o, const char *text)
{
    static const char *const meant[] = {
        "\\textbackslash{}", "\\textasciitilde{}", "\\textasciicircum{}", "\\textless{}",
        "\\textgreater{}",   "\\textbar{}",        "\\textasciigrave{}"};
    static const char named[] = "\\~^<>|`";
    for (; *text != '\0'; text++) {
        const char *at = strchr(named, *text);
        if (at != NULL) {
            out_text(o, meant[at - named]);
            continue;
        }
        if (strchr("&%$#_{}", *text) != NULL)
            out_char(o, '\\');
        out_char(o, *text);
        if (text[0] == '-' && text[1] == '-') /* else they are drawn as one dash */
            out_text(o, "{}");
    }
}
