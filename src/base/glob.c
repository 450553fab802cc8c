#include "base/glob.h"

#include <stddef.h>
#include <string.h>

/* True if the set "[a-z]" at *pattern has the character. *pattern moves past it. A set without end is a plain
 * bracket. */
static bool glob_set_has(const char **pattern, char c)
{
    const char *p = *pattern + 1;
    const bool inverse = *p == '!' || *p == '^';
    bool found = false;
    p += inverse;
    for (bool first = true; *p && (first || *p != ']'); first = false, p++) {
        const unsigned char low = (unsigned char)*p;
        const bool range = p[1] == '-' && p[2] && p[2] != ']';
        const unsigned char high = range ? (unsigned char)p[2] : low;
        found |= (unsigned char)c >= low && (unsigned char)c <= high;
        p += range ? 2 : 0;
    }
    if (!*p) {
        ++*pattern;
        return c == '[';
    }
    *pattern = p + 1;
    return found != inverse && c != '/';
}

/* One character of the pattern that is not a star; *pattern moves past it. */
static bool glob_takes(const char **pattern, char c)
{
    switch (**pattern) {
    case '?':
        ++*pattern;
        return c != '/';
    case '[':
        return glob_set_has(pattern, c);
    case '\\':
        if ((*pattern)[1])
            ++*pattern;
        break;
    default:
        break;
    }
    return *(*pattern)++ == c;
}

/* What a star has taken so far, to be tried again with one character more. */
typedef struct glob_star {
    const char *pattern, *path; /* what follows the star; NULL: there is no star */
    bool folders;               /* it takes whole folders */
} glob_star;

bool tl_glob_matches(const char *pattern, const char *path)
{
    const char *name = strrchr(path, '/');
    const char *start = pattern;
    if (!strchr(pattern, '/') && !strstr(pattern, "**") && name)
        path = name + 1;
    /* A single star may be retried until its folder ends, a double one until the path ends; a later star replaces an
     * earlier one of its kind, since whatever it could match, the later one can match too. */
    glob_star one = {NULL, NULL, false}, many = {NULL, NULL, false};
    for (;;) {
        if (pattern[0] == '*' && pattern[1] == '*') {
            const bool first = pattern == start || pattern[-1] == '/';
            pattern += strspn(pattern, "*");
            const bool folders = first && *pattern == '/';
            pattern += folders;
            many = (glob_star){pattern, path, folders};
            one.pattern = NULL;
            continue;
        }
        if (*pattern == '*') {
            one = (glob_star){++pattern, path, false};
            continue;
        }
        if (!*path && !*pattern)
            return true;
        if (*path && *pattern && glob_takes(&pattern, *path)) {
            path++;
            continue;
        }
        if (one.pattern && *one.path && *one.path != '/') {
            pattern = one.pattern;
            path = ++one.path;
        } else if (many.pattern && *many.path) {
            one.pattern = NULL;
            pattern = many.pattern;
            if (many.folders) { /* the next one */
                while (*many.path && *many.path != '/')
                    many.path++;
                if (!*many.path)
                    return false;
            }
            path = ++many.path;
        } else {
            return false;
        }
    }
}
