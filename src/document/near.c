/* SPDX-License-Identifier: MIT */
/* Names near a name that is not one: what begins with it, what has it as a word, or the least edit
 * distance. */
#include "document/near.h"

#include <stdio.h>
#include <string.h>

#define LONGEST 40

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Capitals and underscores are no difference. */
static char plain(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c == '_' ? '-' : c;
}

/* Edit distance with transpositions of neighbours; names beyond the limit are far from all. */
static size_t distance(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b);
    if (n > LONGEST || m > LONGEST)
        return LONGEST;
    size_t row[3][LONGEST + 1];
    for (size_t j = 0; j <= m; j++)
        row[0][j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t *now = row[i % 3], *last = row[(i + 2) % 3], *before = row[(i + 1) % 3];
        char here = plain(a[i - 1]);
        now[0] = i;
        for (size_t j = 1; j <= m; j++) {
            now[j] = least(last[j - 1] + (here != plain(b[j - 1])), least(last[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && here == plain(b[j - 2]) && plain(a[i - 2]) == plain(b[j - 1]))
                now[j] = least(now[j], before[j - 2] + 1);
        }
    }
    return row[n % 3][m];
}

/* Does the name hold `part` between dashes or its ends? 1: at its beginning, letters may follow. */
static int holds(const char *name, const char *part)
{
    size_t n = strlen(part);
    for (const char *at = name; n > 0 && strlen(at) >= n; at++) {
        size_t i = 0;
        while (i < n && plain(at[i]) == plain(part[i]))
            i++;
        if (i == n && at == name)
            return 1;
        if (i == n && at[-1] == '-' && (at[n] == '\0' || at[n] == '-'))
            return 2;
    }
    return 0;
}

static void keep(const char **list, size_t *count, const char *name)
{
    for (size_t i = 0; i < *count && i < NEAR_MOST; i++)
        if (strcmp(list[i], name) == 0)
            return;
    if (*count < NEAR_MOST)
        list[*count] = name;
    (*count)++;
}

void near_begin(near_names *n, const char *wanted)
{
    *n = (near_names){.wanted = wanted, .distance = LONGEST};
}

void near_is(near_names *n, const char *name)
{
    n->distance = LONGEST;
    keep(n->begins, &n->beginning, name);
}

/* delta-target for target-delta */
static bool is_turned(const char *wanted, const char *name)
{
    size_t length = strlen(wanted), n = strcspn(name, "-"), rest = strlen(name) - n;
    if (rest < 2 || length != n + rest || plain(wanted[rest - 1]) != '-')
        return false;
    bool same = true;
    for (size_t i = 0; i < length; i++)
        same = same && (i + 1 < rest ? plain(wanted[i]) == name[n + 1 + i]
                                     : i + 1 == rest || plain(wanted[i]) == name[i - rest]);
    return same;
}

void near_try(near_names *n, const char *name)
{
    size_t d = is_turned(n->wanted, name) ? 1 : distance(n->wanted, name),
           shorter = least(strlen(n->wanted), strlen(name));
    /* a third of the letters may differ */
    if (!n->known && d < n->distance && d <= shorter / 3) {
        n->distance = d;
        n->best = name;
    }
    int place = holds(name, n->wanted);
    if (place == 1)
        keep(n->begins, &n->beginning, name);
    else if (place == 2)
        keep(n->holds, &n->holding, name);
}

bool near_say(char to[NEAR_ROOM], const near_names *n, const char *before, const char *after)
{
    const char *const *list = &n->best;
    size_t count = n->best != NULL;
    if (n->distance > 1 && n->beginning > 0) {
        list = n->begins;
        count = n->beginning;
    } else if (n->distance > 1 && n->holding > 0) {
        list = n->holds;
        count = n->holding;
    }
    if (count > NEAR_MOST)
        count = 0;
    size_t used = 0;
    for (size_t i = 0; i < count && used < NEAR_ROOM; i++)
        used += (size_t)snprintf(to + used, NEAR_ROOM - used, "%s%s%.60s%s",
                                 i == 0           ? ""
                                 : i + 1 == count ? " or "
                                                  : ", ",
                                 before, list[i], after);
    return count > 0;
}

/* What choices of other accountants, and of papers, are called. */
static const char *const elsewhere[][2] = {
    {"renyi", "rdp"},
    {"moments", "rdp"},
    {"strong", "advanced"},
    {"kairouz", "kov"},
    {"naive", "basic"},
    {"sequential", "basic"},
    {"simple", "basic"},
    {"tight", "optimal"},
    {"exact", "optimal"},
    {"concentrated", "zcdp"},
    {"pld", "optimal"},
    {"substitute", "replace-one"},
    {"replace", "replace-one"},
    {"swap", "replace-one"},
    {"substitution", "replace-one"},
    {"change", "replace-one"},
    {"edit", "replace-one"},
    {"bounded", "replace-one"},
    {"add", "add-remove"},
    {"remove", "add-remove"},
    {"unbounded", "add-remove"},
    {"tight", "exact"},
    {"optimal", "exact"},
    {"sound", "proved"},
    {"wrong", "unsound"},
    {"false", "unsound"},
    {"bad", "unsound"},
    {"gaussian", "gnmax"},
    {"laplace", "lnmax"},
    {"table", "text"},
    {"md", "markdown"},
    {"tex", "latex"},
    {"xml", "junit"},
    {"prv", "optimal"},
    {"prv", "pld"},
    {"fft", "optimal"},
    {"fft", "pld"},
    {"optimal", "pld"},
    {"exact", "pld"},
    {"dwork", "advanced"},
    {"murtagh", "optimal"},
    {"add-or-remove-one", "add-remove"},
    {"add-or-remove", "add-remove"},
    {"sigma", "noise-multiplier"},
    {"sample-rate", "sampling-rate"},
    {"q", "sampling-rate"},
    {"epochs", "steps"},
    {"iterations", "steps"},
    {"std", "sigma"},
    {"noise", "sigma"},
    {"noise", "noise-multiplier"},
    {"noise", "scale"},
    {"steps", "times"},
    {"uses", "times"},
    {"count", "times"},
    {"subsample-size", "k"},
    {"models", "N"},
};

static bool try_elsewhere(near_names *n, const char *name)
{
    bool found = false;
    for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++)
        if (strcmp(elsewhere[i][1], name) == 0 && distance(n->wanted, elsewhere[i][0]) == 0) {
            near_is(n, name);
            found = true;
        }
    return found;
}

bool near_choice_is(char to[NEAR_ROOM], const char *wanted, const char *choices)
{
    char names[NEAR_ROOM];
    near_names n;
    if (strlen(choices) >= sizeof names)
        return false;
    strcpy(names, choices);
    near_begin(&n, wanted);
    for (char *name = names, *end; name != NULL; name = end) {
        end = strchr(name, '|');
        if (end != NULL)
            *end++ = '\0';
        try_elsewhere(&n, name);
    }
    return near_say(to, &n, "", "");
}

bool near_choice(char to[NEAR_ROOM], const char *wanted, const char *choices)
{
    char names[NEAR_ROOM];
    near_names n;
    if (strlen(choices) >= sizeof names)
        return false;
    strcpy(names, choices);
    near_begin(&n, wanted);
    for (char *name = names, *end; name != NULL; name = end) {
        end = strchr(name, '|');
        if (end != NULL)
            *end++ = '\0';
        if (!try_elsewhere(&n, name))
            near_try(&n, name);
    }
    return near_say(to, &n, "", "");
}
