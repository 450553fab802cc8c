#include "support/findings.h"

#include "harness.h"

#include <stdio.h>
#include <string.h>

void listen(void *user, const trilo_finding *finding)
{
    listener *l = user;
    if (l->count == LISTENER_MOST)
        return;
    snprintf(l->rules[l->count], sizeof l->rules[0], "%s", finding->rule);
    snprintf(l->paths[l->count], sizeof l->paths[0], "%s", finding->path);
    snprintf(l->texts[l->count], sizeof l->texts[0], "%s", finding->text);
    l->offsets[l->count++] = finding->offset;
}

trilo_tally listen_to(const buffer *file, const trilo_load_opts *opts, listener *l)
{
    trilo_error err = {0};
    trilo_document *document = trilo_document_open(file->data, file->size, opts, &err);
    if (!document)
        FAIL("%s: %s: %s", err.rule, err.path, err.text);
    *l = (listener){.count = 0};
    const trilo_tally tally = trilo_document_check(document, listen, l);
    trilo_document_free(document);
    return tally;
}

size_t heard(const listener *l, const char *rule)
{
    for (size_t i = 0; i < l->count; i++)
        if (strcmp(l->rules[i], rule) == 0)
            return i;
    return l->count;
}

void expect(const listener *l, const char *rule, const char *path, const char *what)
{
    const size_t at = heard(l, rule);
    if (at == l->count)
        FAIL("%s: no %s, but %s %s: %s", what, rule, l->count ? l->rules[0] : "nothing", l->count ? l->paths[0] : "",
             l->count ? l->texts[0] : "");
    if (strcmp(l->paths[at], path) != 0)
        FAIL("%s: %s at %s, not at %s", what, rule, l->paths[at], path);
}
