#include "api/document.h"

#include <stdio.h>
#include <string.h>

enum { COMPANIONS_REMEMBERED = 64 };

/* A path that stays below the folder: no "..", not from the root, no drive. Formats check names too; this check
 * is where files are opened. */
static bool companion_stays_below(const char *name)
{
    if (name[0] == '\0' || name[0] == '/' || strpbrk(name, "\\:"))
        return false;
    for (const char *part = name; part; part = strchr(part, '/')) {
        part += *part == '/';
        if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == '\0'))
            return false;
    }
    return true;
}

static bool companion_open(trilo_document *document, const char *name, trilo_bytes *bytes)
{
    char path[4096];
    if (!document->companions.folder || !companion_stays_below(name))
        return false;
    /* Many animations may name one stream: it is opened once. The search is short, so that many names stay cheap too.
     */
    const tl_companion_file *known = document->companions.files;
    for (int i = 0; known && i < COMPANIONS_REMEMBERED; i++, known = known->next)
        if (strcmp(known->name, name) == 0) {
            *bytes = known->mapping.bytes;
            return true;
        }
    const int length = snprintf(path, sizeof path, "%s%s", document->companions.folder, name);
    tl_companion_file *file =
        length > 0 && (size_t)length < sizeof path ? TL_NEW(&document->arena, tl_companion_file) : NULL;
    if (!file || !tl_map_file(path, tl_document_max_size(document), &document->arena, &file->mapping, NULL))
        return false;
    file->name = tl_str_copy(&document->arena, name, strlen(name)).data;
    if (!file->name) {
        tl_unmap(&file->mapping);
        return false;
    }
    file->next = document->companions.files;
    document->companions.files = file;
    *bytes = file->mapping.bytes;
    return true;
}

static bool companion_find(void *user, const char *name, trilo_bytes *bytes)
{
    trilo_document *document = user;
    const tl_companion *companions = &document->companions;
    const bool found = companions->asked ? companions->asked(companions->asked_user, name, bytes)
                                         : companion_open(document, name, bytes);
    if (!found || !tl_dca_probe(*bytes))
        return found;
    return tl_dca_decompress(&document->arena, *bytes, tl_document_max_size(document), bytes, NULL, NULL);
}

bool tl_companion_read(const trilo_document *document, const char *name, tl_arena *arena, trilo_bytes *bytes)
{
    const tl_companion *companions = &document->companions;
    char path[4096];
    tl_mapping mapping;
    if (companions->asked)
        return companions->asked(companions->asked_user, name, bytes);
    const int length = companions->folder && companion_stays_below(name)
                           ? snprintf(path, sizeof path, "%s%s", companions->folder, name)
                           : 0;
    if (length <= 0 || (size_t)length >= sizeof path ||
        !tl_map_file(path, tl_document_max_size(document), arena, &mapping, NULL))
        return false;
    const uint8_t *copy = tl_bytes_copy(arena, mapping.bytes.data, mapping.bytes.size);
    if (copy)
        *bytes = (trilo_bytes){copy, mapping.bytes.size};
    tl_unmap(&mapping);
    return copy != NULL;
}

void tl_companion_beside(trilo_document *document, const char *path)
{
    const char *slash = strrchr(path, '/');
    const size_t length = slash ? (size_t)(slash + 1 - path) : 0;
    document->companions.path = tl_str_copy(&document->arena, path, strlen(path)).data;
    document->companions.folder = (char *)(uintptr_t)tl_str_copy(&document->arena, path, length).data;
    if (!document->opts.name)
        document->opts.name = tl_str_copy(&document->arena, path + length, strlen(path + length)).data;
}

void tl_companion_attach(trilo_document *document)
{
    document->companions.asked = document->opts.companion;
    document->companions.asked_user = document->opts.companion_user;
    document->opts.companion = companion_find;
    document->opts.companion_user = document;
}

void tl_companion_close(tl_companion *companions)
{
    for (tl_companion_file *file = companions->files; file; file = file->next)
        tl_unmap(&file->mapping);
}
