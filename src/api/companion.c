#include "api/document.h"

#include <stdio.h>
#include <string.h>

enum { REMEMBERED = 64 };

/* Many animations may name one stream: it is opened once. The search is short, so that many names stay cheap too. */
static const tl_companion_file *find_open(const tl_companion *companions, const char *name)
{
    const tl_companion_file *file = companions->files;
    for (int i = 0; file && i < REMEMBERED; i++, file = file->next)
        if (strcmp(file->name, name) == 0)
            return file;
    return NULL;
}

/* A path that stays below the folder: no "..", not from the root, no drive. Formats see to it too; here is where files
 * are opened. */
static bool stays_below(const char *name)
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

static bool open_beside(trilo_document *document, const char *name, trilo_bytes *bytes)
{
    char path[4096];
    const uint64_t most = document->opts.limits.file_size ? document->opts.limits.file_size : (uint64_t)4 << 30;
    if (!document->companions.folder || !stays_below(name))
        return false;
    const tl_companion_file *known = find_open(&document->companions, name);
    if (known) {
        *bytes = known->mapping.bytes;
        return true;
    }
    const int length = snprintf(path, sizeof path, "%s%s", document->companions.folder, name);
    tl_companion_file *file =
        length > 0 && (size_t)length < sizeof path ? TL_NEW(&document->arena, tl_companion_file) : NULL;
    if (!file || !tl_map_file(path, most, &document->arena, &file->mapping, NULL))
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

static bool find_companion(void *user, const char *name, trilo_bytes *bytes)
{
    trilo_document *document = user;
    const tl_companion *companions = &document->companions;
    const bool found =
        companions->asked ? companions->asked(companions->asked_user, name, bytes) : open_beside(document, name, bytes);
    if (!found || !tl_dca_probe(*bytes))
        return found;
    const uint64_t most = document->opts.limits.file_size ? document->opts.limits.file_size : (uint64_t)4 << 30;
    return tl_dca_decompress(&document->arena, *bytes, most, bytes, NULL, NULL);
}

bool tl_companion_read(const trilo_document *document, const char *name, tl_arena *arena, trilo_bytes *bytes)
{
    const tl_companion *companions = &document->companions;
    const uint64_t most = document->opts.limits.file_size ? document->opts.limits.file_size : (uint64_t)4 << 30;
    char path[4096];
    tl_mapping mapping;
    if (companions->asked)
        return companions->asked(companions->asked_user, name, bytes);
    const int length =
        companions->folder && stays_below(name) ? snprintf(path, sizeof path, "%s%s", companions->folder, name) : 0;
    if (length <= 0 || (size_t)length >= sizeof path || !tl_map_file(path, most, arena, &mapping, NULL))
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
    document->opts.companion = find_companion;
    document->opts.companion_user = document;
}

void tl_companion_close(tl_companion *companions)
{
    for (tl_companion_file *file = companions->files; file; file = file->next)
        tl_unmap(&file->mapping);
}
