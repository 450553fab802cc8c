#include "api/document.h"
#include "api/file/path.h"

#include <string.h>

enum { COMPANIONS_REMEMBERED = 64 };

/* Many animations may name one stream: it is opened once. The search is short, so that many names stay cheap too. */
static const tl_companion_file *companion_find_open(const tl_companion *companions, const char *name)
{
    const tl_companion_file *file = companions->files;
    for (int i = 0; file && i < COMPANIONS_REMEMBERED; i++, file = file->next)
        if (strcmp(file->name, name) == 0)
            return file;
    return NULL;
}

/* The file as it is stored. Names with a drive or a backslash mean something else on other systems. */
static bool companion_read_beside(const trilo_document *document, const char *name, tl_arena *arena, trilo_bytes *bytes,
                                  trilo_error *err)
{
    return document->companions.folder && !strpbrk(name, "\\:") &&
           tl_file_read_below(document->companions.folder, name, tl_document_max_size(document), arena, bytes, err);
}

/* Keeps the first one. A file that is not there is none. */
static void companion_keep_failure(tl_companion *companions, const char *name, const trilo_error *err)
{
    if (err->code == TRILO_CODE_OK || err->code == TRILO_CODE_BAD_REF || companions->failure.code != TRILO_CODE_OK)
        return;
    companions->failure = *err;
    if (err->path[0] == '\0')
        tl_escape(name, companions->failure.path, sizeof companions->failure.path);
}

static bool companion_open_beside(trilo_document *document, const char *name, trilo_bytes *bytes)
{
    const tl_companion_file *known = companion_find_open(&document->companions, name);
    if (known) {
        *bytes = known->bytes;
        return true;
    }
    trilo_error err = {.code = TRILO_CODE_OK};
    tl_companion_file *file = TL_NEW(&document->arena, tl_companion_file);
    const char *copy = file ? tl_str_copy(&document->arena, name, strlen(name)).data : NULL;
    const bool found =
        (copy || tl_fail_memory(&err)) && companion_read_beside(document, name, &document->arena, &file->bytes, &err);
    companion_keep_failure(&document->companions, name, &err);
    if (!found)
        return false;
    file->name = copy;
    file->next = document->companions.files;
    document->companions.files = file;
    *bytes = file->bytes;
    return true;
}

static bool companion_find(void *user, const char *name, trilo_bytes *bytes)
{
    trilo_document *document = user;
    const tl_companion *companions = &document->companions;
    const bool found = companions->asked ? companions->asked(companions->asked_user, name, bytes)
                                         : companion_open_beside(document, name, bytes);
    if (!found || !tl_dca_probe(*bytes))
        return found;
    trilo_error err = {.code = TRILO_CODE_OK};
    if (tl_dca_decompress(&document->arena, *bytes, tl_document_max_size(document), bytes, NULL, &err))
        return true;
    if (err.code == TRILO_CODE_NO_MEMORY)
        companion_keep_failure(&document->companions, name, &err);
    return false;
}

bool tl_companion_read(const trilo_document *document, const char *name, tl_arena *arena, trilo_bytes *bytes,
                       trilo_error *err)
{
    const tl_companion *companions = &document->companions;
    trilo_error own = {.code = TRILO_CODE_OK};
    trilo_bytes found;
    if (companions->asked ? companions->asked(companions->asked_user, name, &found)
                          : companion_read_beside(document, name, arena, &found, &own)) {
        *bytes = found;
        return true;
    }
    if (own.code == TRILO_CODE_OK || own.code == TRILO_CODE_BAD_REF)
        return true;
    *err = own;
    return false;
}

void tl_companion_beside(trilo_document *document, const char *path)
{
    const size_t length = (size_t)(tl_file_path_last(path) - path);
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
