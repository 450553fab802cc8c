/* A model and its files. All files that the readers request are recorded, so this file does not depend on how a format
 * names them.
 */
#include "trilobite/bundle.h"

#include "api/document.h"
#include "api/file/nlm_hash.h"
#include "api/file/path.h"
#include "api/project/assets.h"
#include "base/array.h"
#include "base/opts.h"
#include "base/report.h"
#include "n64/console_path.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct owned_bundle {
    trilo_bundle bundle; /* first: its address is that of the whole */
    tl_arena arena;      /* the struct itself lives in it */
    const char *folder;  /* of the model; "": the working directory */
    trilo_bundle_file *files;
    const char **missing;
    size_t file_capacity, missing_capacity;
    trilo_document *document;
    const trilo_model *model;
    trilo_assets *assets;
    bool out_of_memory;
    trilo_error unreadable; /* a companion that is there, but cannot be read: the first */
} owned_bundle;

static bool bundle_has_name(const owned_bundle *b, const char *name)
{
    for (size_t i = 0; i < b->bundle.file_count; i++)
        if (strcmp(b->files[i].name, name) == 0)
            return true;
    return false;
}

static bool bundle_has_path(const owned_bundle *b, const char *path)
{
    for (size_t i = 0; i < b->bundle.file_count; i++)
        if (strcmp(b->files[i].path, path) == 0)
            return true;
    return false;
}

/* A name that leads out of the folder, or that is taken, becomes the last part of the path; if that is taken too, below
 * a folder with a number. */
static const char *bundle_free_name(owned_bundle *b, const char *name, const char *path)
{
    const char *last = tl_file_path_last(path);
    const char *fresh = trilo_file_name_is_inside(name) && !strpbrk(name, "\\:") ? name : last;
    if (bundle_has_name(b, fresh))
        fresh = last;
    for (uint32_t number = 2; fresh && bundle_has_name(b, fresh); number++) {
        char folder[16];
        snprintf(folder, sizeof folder, "%" PRIu32, number);
        fresh = tl_file_path_join(&b->arena, folder, last);
    }
    return fresh ? tl_str_copy(&b->arena, fresh, strlen(fresh)).data : NULL;
}

static void bundle_add(owned_bundle *b, const char *name, const char *path, trilo_bytes bytes)
{
    if (!path || bundle_has_path(b, path))
        return;
    const char *fresh = bundle_free_name(b, name, path), *copy = tl_str_copy(&b->arena, path, strlen(path)).data;
    trilo_bundle_file *files =
        tl_array_grow(&b->arena, b->files, b->bundle.file_count, &b->file_capacity, 1, sizeof *files);
    if (!fresh || !copy || !files) {
        b->out_of_memory = true;
        return;
    }
    files[b->bundle.file_count++] = (trilo_bundle_file){fresh, copy, bytes};
    b->bundle.files = b->files = files;
}

static void bundle_add_missing(owned_bundle *b, trilo_str name)
{
    const char *copy = tl_str_copy(&b->arena, name.data, name.len).data;
    const char **missing =
        tl_array_grow(&b->arena, b->missing, b->bundle.missing_count, &b->missing_capacity, 1, sizeof *missing);
    if (!copy || !missing) {
        b->out_of_memory = true;
        return;
    }
    missing[b->bundle.missing_count++] = copy;
    b->bundle.missing = b->missing = missing;
}

/* ---- requests of readers ---- */

/* As without a callback: beside the model. Names with a drive or a backslash mean something else on other systems. */
static bool bundle_companion(void *user, const char *name, trilo_bytes *bytes)
{
    owned_bundle *b = user;
    trilo_error err = {.code = TRILO_CODE_OK};
    if (strpbrk(name, "\\:") || !trilo_file_name_is_inside(name))
        return false;
    for (size_t i = 0; i < b->bundle.file_count; i++)
        if (strcmp(b->files[i].name, name) == 0) {
            *bytes = b->files[i].bytes;
            return true;
        }
    const bool read = tl_file_read_below(b->folder, name, UINT64_MAX, &b->arena, bytes, &err);
    b->out_of_memory |= err.code == TRILO_CODE_NO_MEMORY;
    if (!read && err.code != TRILO_CODE_BAD_REF && b->unreadable.code == TRILO_CODE_OK) {
        b->unreadable = err;
        tl_escape(name, b->unreadable.path, sizeof b->unreadable.path);
    }
    const char *path = read ? tl_file_path_join(&b->arena, *b->folder ? b->folder : ".", name) : NULL;
    b->out_of_memory |= read && !path;
    bundle_add(b, name, path, *bytes);
    return read;
}

/* The folders of its name, and what it is called there: "rom:/wall/brick.sprite", found as a PNG file, is
 * "wall/brick.png". In a Pyrite64 project the folders of the project decide: its asset table, or the ranks of its
 * images, know only these. */
static const char *bundle_texture_name(owned_bundle *b, const char *name, const char *path)
{
    const char *in_project = tl_assets_project_name(b->assets, path);
    if (in_project)
        return in_project;
    const char *below = tl_console_path_below(name);
    const char *fresh = tl_file_path_beside(&b->arena, below ? below : name, tl_file_path_last(path));
    b->out_of_memory |= !fresh;
    return fresh ? fresh : "";
}

static void bundle_add_textures(owned_bundle *b)
{
    tl_asset_file image, table;
    const char *unused;
    if (tl_assets_table(b->assets, &table))
        bundle_add(b, bundle_texture_name(b, table.name, table.path), table.path, table.bytes);
    for (size_t i = 0; tl_assets_image(b->assets, i, &image); i++)
        if (image.bytes.size > 0)
            bundle_add(b, bundle_texture_name(b, image.name, image.path), image.path, image.bytes);
    for (uint32_t i = 0; b->model && i < b->model->texture_count; i++) {
        const trilo_texture *texture = &b->model->textures[i];
        const trilo_str name = texture->path.len > 0 ? texture->path : texture->name;
        trilo_texture_file file;
        if (trilo_assets_texture(b->assets, b->model, i, &file))
            bundle_add(b, bundle_texture_name(b, name.data, file.path), file.path, file.bytes);
        else if (texture->bytes.size == 0 && name.len > 0)
            bundle_add_missing(b, name);
    }
    /* Without a table, the names of the other images decide about the ranks, but not what is in them. */
    for (size_t i = 0; tl_assets_project_image(b->assets, i, &unused); i++)
        bundle_add(b, bundle_texture_name(b, unused, unused), unused, (trilo_bytes){NULL, 0});
}

/* ---- opening ---- */

static void bundle_read_model(owned_bundle *b, const trilo_bundle_opts *opts, trilo_bytes bytes)
{
    const trilo_load_opts load = {.memory = opts->memory,
                                  .name = b->files[0].name,
                                  .on_finding = opts->on_finding,
                                  .on_finding_user = opts->on_finding_user,
                                  .companion = bundle_companion,
                                  .companion_user = b,
                                  .find_image = trilo_assets_find,
                                  .find_image_user = b->assets,
                                  .find_asset = trilo_assets_find_asset,
                                  .find_asset_user = b->assets,
                                  .compare_texture = trilo_assets_compare,
                                  .compare_texture_user = b->assets};
    b->document = trilo_document_open(bytes.data, bytes.size, &load, &b->bundle.error);
    if (!b->document)
        return;
    if (trilo_document_format(b->document) == TRILO_FORMAT_NLM)
        tl_nlm_hash_find(b->document); /* asks for the file with the hash */
    b->model = trilo_document_model(b->document, &b->bundle.error);
    bundle_add_textures(b);
}

const trilo_bundle *trilo_bundle_open(const char *path, const trilo_bundle_opts *opts, trilo_error *err)
{
    trilo_bundle_opts own;
    tl_arena arena;
    if (!TL_OPTS_TAKE(&own, opts, err))
        return NULL;
    tl_arena_init(&arena, &own.memory);
    owned_bundle *b = TL_NEW(&arena, owned_bundle);
    if (!b) {
        tl_fail_memory(err);
        return NULL;
    }
    b->arena = arena;
    const trilo_assets_opts assets = {
        .memory = own.memory, .model = path, .folder = own.assets, .textures = own.textures};
    trilo_bytes bytes;
    const char *last = tl_file_path_last(path);
    b->folder = tl_str_copy(&b->arena, path, (size_t)(last - path)).data;
    b->bundle.error.code = TRILO_CODE_OK;
    bool ok = b->folder ? tl_file_read(path, UINT64_MAX, &b->arena, &bytes, err) : tl_fail_memory(err);
    if (ok) {
        bundle_add(b, last, path, bytes);
        ok = !b->out_of_memory ? (b->assets = trilo_assets_new(&assets, err)) != NULL : tl_fail_memory(err);
    }
    if (ok) {
        bundle_read_model(b, &own, bytes);
        b->out_of_memory |= b->bundle.error.code == TRILO_CODE_NO_MEMORY;
        ok = trilo_assets_ok(b->assets, err) && (!b->out_of_memory || tl_fail_memory(err));
    }
    if (ok && b->unreadable.code != TRILO_CODE_OK) {
        ok = false;
        if (err)
            *err = b->unreadable;
    }
    if (ok)
        return &b->bundle;
    trilo_bundle_free(&b->bundle);
    return NULL;
}

void trilo_bundle_free(const trilo_bundle *bundle)
{
    if (!bundle)
        return;
    owned_bundle *b = (owned_bundle *)(uintptr_t)bundle;
    trilo_model_free(b->model);
    trilo_document_free(b->document);
    trilo_assets_free(b->assets);
    tl_arena arena = b->arena; /* it also holds the struct */
    tl_arena_free(&arena);
}
