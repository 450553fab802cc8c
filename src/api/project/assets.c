/* Images of a project for the N64: by their name, by their path, and by the sprite that is made of them. */
#include "api/project/assets.h"

#include "api/file/folder_scan.h"
#include "api/file/io.h"
#include "api/file/path.h"
#include "api/project/manifest.h"
#include "api/project/pyrite64_source.h"
#include "base/array.h"
#include "base/hash_table.h"
#include "base/opts.h"
#include "base/report.h"
#include "n64/console_path.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char assets_png[] = ".png", assets_sprite[] = ".sprite", assets_name[] = "assets",
                  assets_filesystem[] = "filesystem";

/* A name that was requested. */
typedef struct asset_image {
    const char *name, *path; /* path NULL: there is no such file */
    bool named;              /* what it is called on the console is known */
    trilo_found_image found;
} asset_image;

struct trilo_asset_index {
    tl_arena arena; /* the struct itself lives in it */
    tl_folder_scan scan;
    const char **by_name; /* sorted by file name without case, then by path */
};

struct trilo_assets {
    tl_arena arena; /* the struct itself lives in it; once an allocation failed, what was not found may be there */
    const char *model, *folder, *textures;
    trilo_finding_fn *on_finding;
    void *on_finding_user;
    const trilo_asset_index *index;     /* NULL until the first search in the folder */
    const trilo_asset_index *own_index; /* the same, if no caller shares one */
    trilo_error unreadable;             /* an image that may be there; code TRILO_CODE_OK: none */
    size_t image_count, image_capacity;
    asset_image **images; /* in the order of the requests */
    tl_hash_table names;
    tl_hash_table outside; /* by their path on the console: those that are not in the folder */
    size_t path_count, path_capacity;
    const char **paths; /* of those that were found, and of other files that were read */
    size_t absent_count, absent_capacity;
    const char **absent; /* paths of files that were looked for in one place and are not there */
    bool looked;         /* for the project: */
    tl_pyrite64_project project;
    char project_images[TL_HASH_ROOM]; /* a hash of the list of its images; if it has a table, the name of that; "":
                                          none */
    bool opened;                       /* the source: */
    tl_pyrite64_source source;
};

/* ---- the index ---- */

static int assets_compare_fold(const char *a, const char *b)
{
    while (*a && tolower((unsigned char)*a) == tolower((unsigned char)*b))
        a++, b++;
    return tolower((unsigned char)*a) - tolower((unsigned char)*b);
}

static int assets_compare_paths(const void *a, const void *b)
{
    const char *x = *(const char *const *)a, *y = *(const char *const *)b;
    const int order = assets_compare_fold(tl_file_path_last(x), tl_file_path_last(y));
    return order != 0 ? order : strcmp(x, y);
}

const trilo_asset_index *trilo_asset_index_new(const char *folder, const trilo_memory *memory, trilo_error *err)
{
    tl_arena arena;
    tl_arena_init(&arena, memory);
    trilo_asset_index *index = TL_NEW(&arena, trilo_asset_index);
    if (index) {
        index->scan = tl_folder_scan_files(&arena, folder, assets_png);
        index->by_name =
            tl_bytes_copy(&arena, (const void *)index->scan.paths, index->scan.count * sizeof *index->by_name);
        index->arena = arena;
    }
    if (!index || !index->by_name || index->scan.out_of_memory) {
        tl_fail_memory(err);
        tl_arena_free(&arena);
        return NULL;
    }
    if (index->scan.count > 0)
        qsort((void *)index->by_name, index->scan.count, sizeof *index->by_name, assets_compare_paths);
    return index;
}

void trilo_asset_index_free(const trilo_asset_index *index)
{
    if (!index)
        return;
    tl_arena arena = index->arena;
    tl_arena_free(&arena);
}

/* The first file with that name, whatever its case. Those with the same name follow. */
static size_t assets_first_named(const trilo_asset_index *index, const char *name)
{
    size_t low = 0, high = index->scan.count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (assets_compare_fold(tl_file_path_last(index->by_name[middle]), name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The index-th file, if it still has that name; otherwise NULL. */
static const char *assets_named(const trilo_asset_index *index, size_t at, const char *name)
{
    const bool same = at < index->scan.count && assets_compare_fold(tl_file_path_last(index->by_name[at]), name) == 0;
    return same ? index->by_name[at] : NULL;
}

/* "game/assets/hero/hero.glb" and "assets": "game/assets". NULL: the model is not in a folder of that name. */
static const char *assets_above(tl_arena *arena, const char *model, const char *name)
{
    const char *path = tl_file_path_folder(arena, model);
    while (path && strcmp(tl_file_path_last(path), name) != 0) {
        const char *up = tl_file_path_folder(arena, path);
        if (!up || strcmp(up, path) == 0 || strcmp(up, ".") == 0)
            return NULL;
        path = up;
    }
    return path;
}

trilo_assets *trilo_assets_new(const trilo_assets_opts *opts, trilo_error *err)
{
    trilo_assets_opts own;
    tl_arena arena;
    if (!TL_OPTS_TAKE(&own, opts, err))
        return NULL;
    opts = &own;
    tl_arena_init(&arena, &opts->memory);
    trilo_assets *assets = TL_NEW(&arena, trilo_assets);
    if (!assets) {
        tl_fail_memory(err);
        return NULL;
    }
    if (opts->model)
        assets->model = tl_str_copy(&arena, opts->model, strlen(opts->model)).data;
    const char *above = opts->model && !opts->folder ? assets_above(&arena, opts->model, assets_name) : NULL;
    const char *folder = opts->folder ? opts->folder : above ? above : assets_name;
    assets->folder = tl_str_copy(&arena, folder, strlen(folder)).data;
    if (opts->textures)
        assets->textures = tl_str_copy(&arena, opts->textures, strlen(opts->textures)).data;
    assets->on_finding = opts->on_finding;
    assets->on_finding_user = opts->on_finding_user;
    assets->index = opts->index;
    assets->arena = arena;
    if (assets->folder && (assets->model || !opts->model) && (assets->textures || !opts->textures))
        return assets;
    tl_fail_memory(err);
    trilo_assets_free(assets);
    return NULL;
}

void trilo_assets_free(trilo_assets *assets)
{
    if (!assets)
        return;
    tl_pyrite64_source_close(&assets->source);
    trilo_asset_index_free(assets->own_index);
    tl_arena arena = assets->arena; /* it also holds the struct */
    tl_arena_free(&arena);
}

/* ---- looking ---- */

static void assets_warn(const trilo_assets *assets, const char *sentence)
{
    char text[512];
    tl_escape(sentence, text, sizeof text);
    const trilo_finding finding = {.severity = TRILO_SEVERITY_WARNING,
                                   .kind = TRILO_FINDING_KIND_ADVICE,
                                   .rule = "",
                                   .offset = TRILO_NOWHERE,
                                   .path = "",
                                   .text = text};
    if (assets->on_finding)
        assets->on_finding(assets->on_finding_user, &finding);
}

/* The index of the folder of assets; NULL: memory ran out. */
static const trilo_asset_index *assets_index(trilo_assets *assets)
{
    if (assets->index || assets->arena.failed)
        return assets->index;
    trilo_error err;
    const trilo_memory memory = {assets->arena.fn, assets->arena.user, assets->arena.left};
    assets->index = assets->own_index = trilo_asset_index_new(assets->folder, &memory, &err);
    assets->arena.failed |= !assets->index;
    if (assets->index && assets->index->scan.cut)
        assets_warn(assets, "the folder of assets is too large, not all of it was looked into");
    return assets->index;
}

/* Reads an image below a folder; false: there is none. */
static bool assets_read(trilo_assets *assets, const char *folder, const char *name, asset_image *image)
{
    trilo_error err = {.code = TRILO_CODE_OK};
    const bool read = tl_file_read_below(folder, name, UINT64_MAX, &assets->arena, &image->found.bytes, &err) &&
                      ((image->path = tl_file_path_join(&assets->arena, folder, name)) || tl_fail_memory(&err));
    assets->arena.failed |= err.code == TRILO_CODE_NO_MEMORY;
    if (err.code == TRILO_CODE_CANT_READ && assets->unreadable.code == TRILO_CODE_OK)
        assets->unreadable = err;
    return read;
}

static bool assets_read_beside(trilo_assets *assets, const char *name, asset_image *image)
{
    const char *folder = assets->model ? tl_file_path_folder(&assets->arena, assets->model) : NULL;
    return folder && assets_read(assets, folder, name, image);
}

/* The first path in the folder of assets with that ending; NULL: none. *count: the number of such paths. */
static const char *assets_search(trilo_assets *assets, const char *name, size_t *count)
{
    const trilo_asset_index *index = assets_index(assets);
    const char *last = tl_file_path_last(name), *first = NULL, *path;
    *count = 0;
    for (size_t i = index ? assets_first_named(index, last) : 0; index && (path = assets_named(index, i, last)); i++) {
        const size_t whole = strlen(path), length = strlen(name);
        if (whole >= length && (whole == length || path[whole - length - 1] == '/') &&
            strcmp(path + whole - length, name) == 0) {
            first = first ? first : path;
            ++*count;
        }
    }
    return first;
}

static bool assets_read_below(trilo_assets *assets, const char *name, asset_image *image)
{
    size_t count;
    const char *first = assets_search(assets, name, &count);
    const char *front = tl_file_path_join(&assets->arena, assets->folder, ""); /* of all paths of the index */
    const bool read = first && front && assets_read(assets, assets->folder, first + strlen(front), image);
    if (count > 1 && read) {
        char text[512];
        snprintf(text, sizeof text, "%" PRIu64 " files are called \"%s\": %s is used, rename the others",
                 (uint64_t)count, name, image->path);
        assets_warn(assets, text);
    }
    return read;
}

/* Blender numbers images of the same name: "wall.png.001". It also writes names without an ending. */
static const char *assets_file_name(tl_arena *arena, const char *name)
{
    const char *end = strstr(name, assets_png);
    if (end && end[sizeof assets_png - 1] == '.')
        return tl_file_path_with_ending(arena, name, "");
    if (tl_file_path_ends(name, assets_png))
        return name;
    const size_t room = strlen(name) + sizeof assets_png;
    char *with = tl_array_raw(arena, room, 1);
    if (with)
        snprintf(with, room, "%s%s", name, assets_png);
    return with;
}

static bool assets_has_control(const char *name)
{
    while (*name && (unsigned char)*name >= 0x20 && *name != 0x7F)
        name++;
    return *name != '\0';
}

/* Projects move between systems with case-sensitive file names and systems without. */
static void assets_describe_places(trilo_assets *assets, const char *plain, trilo_found_image *found)
{
    const char *beside = assets->model ? "beside it and " : "", *near = NULL, *wanted = tl_file_path_last(plain), *path;
    const trilo_asset_index *index = assets_index(assets);
    for (size_t i = index ? assets_first_named(index, wanted) : 0;
         index && !near && (path = assets_named(index, i, wanted)); i++)
        near = strcmp(tl_file_path_last(path), wanted) != 0 ? path : NULL;
    snprintf(found->places, sizeof found->places,
             near ? "%sbelow %s, where %s has other capital letters" : "%sbelow %s", beside, assets->folder, near);
}

/* ---- what was found ---- */

/* What the image at that path will be called on the console; false: its path is too long. */
static bool assets_console_path(trilo_assets *assets, const char *path, trilo_found_image *found)
{
    const char *below = tl_file_path_below(&assets->arena, assets->folder, path);
    const char *sprite =
        tl_file_path_with_ending(&assets->arena, below ? below : tl_file_path_last(path), assets_sprite);
    const int length = sprite ? snprintf(found->path, sizeof found->path, TL_CONSOLE_ROOT "%s", sprite) : 0;
    return length > 0 && (size_t)length < sizeof found->path;
}

static void assets_look(trilo_assets *assets, asset_image *image)
{
    const char *name = image->name, *plain = assets_file_name(&assets->arena, name), *path = NULL;
    if (!plain)
        return;
    if (assets_has_control(name))
        assets_warn(assets, "the name of an image has control characters, it is not looked for");
    else if (*name == '/') { /* on the machine that exported it: names it on the console, as Tiny3D's converter does */
        const char *below = tl_file_path_below(&assets->arena, assets->folder, name);
        path = name;
        image->path = below && tl_file_is_below(assets->folder, below)
                          ? tl_file_path_join(&assets->arena, assets->folder, below)
                          : NULL;
    } else if (*name != '\0' && (assets_read_beside(assets, name, image) || assets_read_beside(assets, plain, image) ||
                                 assets_read_below(assets, plain, image))) {
        path = image->path;
    }
    if (!path) { /* it will be called as if it were beside the model, as Tiny3D's converter does */
        const char *beside = assets->model && !tl_file_path_leads_up(plain)
                                 ? tl_file_path_beside(&assets->arena, assets->model, plain)
                                 : NULL;
        assets_describe_places(assets, plain, &image->found);
        if (beside && !assets_console_path(assets, beside, &image->found))
            image->found.path[0] = '\0';
    }
    image->named = path && assets_console_path(assets, path, &image->found);
    if (image->named || !path)
        return;
    assets_warn(assets, "the path of an image is too long for the console, it is left out");
    image->path = NULL;
}

static int assets_compare_names(const void *images, uint32_t a, uint32_t b)
{
    asset_image *const *rows = images;
    return strcmp(rows[a]->name, rows[b]->name);
}

static int assets_compare_console(const void *images, uint32_t a, uint32_t b)
{
    asset_image *const *rows = images;
    return strcmp(rows[a]->found.path, rows[b]->found.path);
}

/* A path on the console leads back to the folder of assets; an image elsewhere, beside the model, has to be kept. */
static void assets_keep_outside(trilo_assets *assets, uint32_t row)
{
    const asset_image *image = assets->images[row];
    if (!image->named || !image->path || tl_file_path_below(&assets->arena, assets->folder, image->path))
        return;
    const uint32_t hash = trilo_fnv1a(image->found.path, strlen(image->found.path));
    assets->outside.rows = assets->images;
    tl_hash_table_add(&assets->outside, hash, row);
}

/* The image outside the folder that has this name on the console; NULL: there is none. */
static const asset_image *assets_outside(trilo_assets *assets, const char *sprite)
{
    asset_image wanted = {.name = ""};
    if (assets->image_count == 0 || strlen(sprite) >= sizeof wanted.found.path)
        return NULL;
    asset_image **images =
        tl_array_grow(&assets->arena, assets->images, assets->image_count, &assets->image_capacity, 1, sizeof *images);
    if (!images)
        return NULL;
    strcpy(wanted.found.path, sprite);
    images[assets->image_count] = &wanted;
    assets->images = images;
    assets->names.rows = assets->outside.rows = images;
    const uint32_t row =
        tl_hash_table_find(&assets->outside, trilo_fnv1a(sprite, strlen(sprite)), (uint32_t)assets->image_count);
    images[assets->image_count] = NULL;
    return row != TRILO_NONE ? images[row] : NULL;
}

/* The image of that name, which is looked for once. NULL: memory ran out. */
static asset_image *assets_ask(trilo_assets *assets, const char *name)
{
    tl_arena *arena = &assets->arena;
    asset_image *image = TL_NEW(arena, asset_image);
    const char *copy = tl_str_copy(arena, name, strlen(name)).data;
    asset_image **images =
        tl_array_grow(arena, assets->images, assets->image_count, &assets->image_capacity, 1, sizeof *images);
    const char **paths =
        tl_array_grow(arena, assets->paths, assets->path_count, &assets->path_capacity, 1, sizeof *paths);
    if (!image || !copy || !images || !paths)
        return NULL;
    assets->images = images;
    assets->paths = paths;
    if (assets->image_count == 0 && (!tl_hash_table_init(&assets->names, arena, 0, assets_compare_names, images) ||
                                     !tl_hash_table_init(&assets->outside, arena, 0, assets_compare_console, images)))
        return NULL;
    const uint32_t row = (uint32_t)assets->image_count;
    assets->names.rows = images;
    images[row] = image;
    image->name = copy;
    const uint32_t known = tl_hash_table_add(&assets->names, trilo_fnv1a(name, strlen(name)), row);
    if (known != row)
        return known == TRILO_NONE ? NULL : images[known];
    assets->image_count++;
    assets_look(assets, image);
    if (image->path)
        assets->paths[assets->path_count++] = image->path;
    assets_keep_outside(assets, row);
    return image;
}

/* Remembers a file that the result depends on, for trilo_assets_image or trilo_assets_absent. */
static void assets_note(trilo_assets *assets, const char *path, bool found)
{
    size_t *count = found ? &assets->path_count : &assets->absent_count;
    const char ***list = found ? &assets->paths : &assets->absent;
    const char **grown =
        path ? tl_array_grow(&assets->arena, (const void *)*list, *count,
                             found ? &assets->path_capacity : &assets->absent_capacity, 1, sizeof *grown)
             : NULL;
    if (!grown)
        return;
    *list = grown;
    grown[(*count)++] = path;
}

/* "rom:/wall.sprite": "wall.png", relative to the folder of assets; NULL: not such a path. */
static const char *assets_source(trilo_assets *assets, const char *sprite)
{
    const char *below = tl_console_path_below(sprite);
    return below && tl_file_path_ends(sprite, assets_sprite)
               ? tl_file_path_with_ending(&assets->arena, below, assets_png)
               : NULL;
}

const char *trilo_assets_source(trilo_assets *assets, const char *sprite)
{
    const char *source = assets_source(assets, sprite);
    if (!source || !tl_file_is_below(assets->folder, source))
        return NULL;
    return tl_file_path_join(&assets->arena, assets->folder, source);
}

bool trilo_assets_find(void *user, trilo_image_key key, const char *name, trilo_found_image *found)
{
    trilo_assets *assets = user;
    const asset_image *image = NULL;
    switch (key) {
    case TRILO_IMAGE_KEY_NAME:
        image = assets_ask(assets, name);
        if (image)
            *found = image->found;
        return image && image->named;
    case TRILO_IMAGE_KEY_PATH: {
        const char *path = tl_file_path_beside(&assets->arena, assets->model ? assets->model : "", name);
        return path && tl_file_path_below(&assets->arena, assets->folder, path) &&
               assets_console_path(assets, path, found);
    }
    case TRILO_IMAGE_KEY_SPRITE: {
        asset_image source = {.name = name};
        if ((image = assets_outside(assets, name))) {
            found->bytes = image->found.bytes;
            return true;
        }
        const char *path = assets_source(assets, name);
        const bool read = path && assets_read(assets, assets->folder, path, &source);
        found->bytes = source.found.bytes;
        if (path && strncmp(path, "../", 3) != 0 && !strstr(path, "/../")) /* such a path is refused, there or not */
            assets_note(assets, tl_file_path_join(&assets->arena, assets->folder, path), read);
        return read;
    }
    }
    return false;
}

/* ---- Pyrite64 ---- */

/* Without a table, an asset is known by its rank among all images, so another image changes the numbers. The list of
 * images counts as one more lookup: this name, which no image has, and a hash of their paths. */
static const char assets_all_images[] = "*.png";

static void assets_hash_images(trilo_assets *assets)
{
    const tl_folder_scan *images = &assets->project.images;
    size_t size = 0, at = 0;
    for (size_t i = 0; i < images->count; i++)
        size += strlen(images->paths[i]) + 1;
    char *list = size > 0 ? tl_array_raw(&assets->arena, size, 1) : NULL;
    for (size_t i = 0; list && i < images->count; i++) {
        const size_t length = strlen(images->paths[i]) + 1;
        memcpy(list + at, images->paths[i], length);
        at += length;
    }
    if (list)
        tl_manifest_hash_bytes(list, size, assets->project_images);
    if (assets->project.table.count > 0)
        snprintf(assets->project_images, sizeof assets->project_images, "p64/a");
}

static const tl_pyrite64_project *assets_project(trilo_assets *assets)
{
    if (!assets->looked && assets->model) {
        tl_pyrite64_project_find(&assets->project, &assets->arena, assets->model);
        assets_hash_images(assets);
        if (assets->project.filesystem)
            assets_note(assets, tl_file_path_join(&assets->arena, assets->project.filesystem, "p64/a"),
                        assets->project.table.count > 0);
    }
    assets->looked = true;
    return &assets->project;
}

bool trilo_assets_find_asset(void *user, uint32_t number, trilo_found_asset *found)
{
    trilo_assets *assets = user;
    const bool known = tl_pyrite64_project_asset(assets_project(assets), &assets->arena, number, found);
    const char *file = known ? trilo_assets_file(assets, found->path) : NULL; /* its size is looked at */
    if (file)
        assets_note(assets, file, true);
    return known;
}

bool trilo_assets_compare(void *user, trilo_source_texture *texture)
{
    trilo_assets *assets = user;
    const tl_pyrite64_project *project = assets_project(assets);
    if (!assets->opened && assets->model)
        tl_pyrite64_source_open(&assets->source, project, &assets->arena, assets->model);
    assets->opened = true;
    return tl_pyrite64_source_fits(&assets->source, project, &assets->arena, texture);
}

bool tl_assets_table(trilo_assets *assets, tl_asset_file *file)
{
    if (!assets->looked || assets->project.table.count == 0)
        return false;
    file->name = "p64/a";
    file->path = tl_file_path_join(&assets->arena, assets->project.filesystem, file->name);
    file->bytes = tl_pyrite64_project_read(&assets->arena, assets->project.filesystem, file->name);
    return file->bytes.size > 0;
}

bool tl_assets_project_image(const trilo_assets *assets, size_t index, const char **path)
{
    const tl_folder_scan *images = &assets->project.images;
    if (!assets->looked || index >= images->count)
        return false;
    *path = images->paths[index];
    return true;
}

const char *tl_assets_project_name(trilo_assets *assets, const char *path)
{
    const tl_pyrite64_project *project = &assets->project;
    const char *const folders[2] = {project->filesystem, project->assets}, *const names[2] = {"filesystem", "assets"};
    for (int i = 0; i < 2 && assets->looked && (project->table.count > 0 || project->images.count > 0); i++) {
        const char *below = folders[i] ? tl_file_path_below(&assets->arena, folders[i], path) : NULL;
        if (below)
            return tl_file_path_join(&assets->arena, names[i], below);
    }
    return NULL;
}

uint32_t trilo_assets_number(void *user, const char *path)
{
    trilo_assets *assets = user;
    return tl_pyrite64_project_number(assets_project(assets), &assets->arena, path);
}

const char *trilo_assets_file(trilo_assets *assets, const char *path)
{
    return tl_pyrite64_project_file(assets_project(assets), &assets->arena, path);
}

const char *trilo_assets_image(const trilo_assets *assets, size_t index)
{
    return index < assets->path_count ? assets->paths[index] : NULL;
}

const char *trilo_assets_absent(const trilo_assets *assets, size_t index)
{
    return index < assets->absent_count ? assets->absent[index] : NULL;
}

const char *trilo_assets_lookup(const trilo_assets *assets, size_t index, const char **path)
{
    if (index < assets->image_count) {
        *path = assets->images[index]->path;
        return assets->images[index]->name;
    }
    if (index > assets->image_count || !assets->looked || assets->project.table.count > 0)
        return NULL;
    *path = assets->project_images[0] ? assets->project_images : NULL;
    return assets_all_images;
}

const char *trilo_assets_locate(trilo_assets *assets, const char *name)
{
    tl_arena *arena = &assets->arena;
    const char *plain = assets_file_name(arena, name);
    const char *folder = assets->model ? tl_file_path_folder(arena, assets->model) : NULL;
    size_t count;
    if (strcmp(name, assets_all_images) == 0) {
        assets_project(assets);
        return assets->project_images[0] ? assets->project_images : NULL;
    }
    if (!plain || *name == '\0' || assets_has_control(name))
        return NULL;
    if (*name == '/') {
        const char *below = tl_file_path_below(arena, assets->folder, name);
        return below && tl_file_is_below(assets->folder, below) ? tl_file_path_join(arena, assets->folder, below)
                                                                : NULL;
    }
    if (folder && tl_file_is_below(folder, name))
        return tl_file_path_join(arena, folder, name);
    if (folder && tl_file_is_below(folder, plain))
        return tl_file_path_join(arena, folder, plain);
    return assets_search(assets, plain, &count);
}

bool tl_assets_image(const trilo_assets *assets, size_t index, tl_asset_file *file)
{
    if (index >= assets->image_count)
        return false;
    const asset_image *image = assets->images[index];
    *file = (tl_asset_file){image->name, image->path, image->found.bytes};
    return true;
}

bool trilo_assets_ok(const trilo_assets *assets, trilo_error *err)
{
    if (assets->unreadable.code != TRILO_CODE_OK && err)
        *err = assets->unreadable;
    return assets->arena.failed ? tl_fail_memory(err) : assets->unreadable.code == TRILO_CODE_OK;
}

/* ---- textures of a model, to look at them ---- */

/* `ending` NULL: its own. */
static bool assets_texture_in(trilo_assets *assets, const char *folder, const char *name, const char *ending,
                              asset_image *image)
{
    const char *other = ending ? tl_file_path_with_ending(&assets->arena, name, ending) : name;
    return other && assets_read(assets, folder, other, image);
}

/* With its folders and without; the sprite itself comes before the image that it was made from. */
static bool assets_texture_under(trilo_assets *assets, const char *folder, const char *name, asset_image *image)
{
    static const char *const endings[] = {NULL, ".png", ".jpg"};
    const char *last = tl_file_path_last(name);
    for (size_t i = 0; i < TL_COUNT_OF(endings); i++) {
        if (i > 0 && strrchr(last, '.') && !tl_file_path_ends(name, assets_sprite))
            break;
        if (assets_texture_in(assets, folder, name, endings[i], image) ||
            assets_texture_in(assets, folder, last, endings[i], image))
            return true;
    }
    return false;
}

/* In the folder, and in the folder "assets" beside it. */
static bool assets_texture_at(trilo_assets *assets, const char *folder, const char *name, asset_image *image)
{
    const char *beside = tl_file_path_join(&assets->arena, folder, "../assets");
    return beside &&
           (assets_texture_under(assets, folder, name, image) || assets_texture_under(assets, beside, name, image));
}

/* Games are laid out as filesystem/level/hero.t3dm beside assets/level/hero.glb; "filesystem" becomes rom:/. */
static bool assets_texture_around(trilo_assets *assets, const char *name, asset_image *image)
{
    const char *folder = assets->model ? tl_file_path_folder(&assets->arena, assets->model) : NULL;
    if (folder && assets_texture_at(assets, folder, name, image))
        return true;
    const char *root = folder ? assets_above(&assets->arena, assets->model, assets_filesystem) : NULL;
    return root && strcmp(root, folder) != 0 && assets_texture_at(assets, root, name, image);
}

static bool assets_is_pyrite64(const trilo_model *model)
{
    for (uint32_t i = 0; i < model->material_count; i++)
        if (model->materials[i].raw.size > 0)
            return true;
    return false;
}

static bool assets_texture_named(trilo_assets *assets, const char *name, bool pyrite64, asset_image *image)
{
    const char *on_console = tl_console_path_below(name), *plain = on_console ? on_console : name;
    if (assets->textures && assets_texture_under(assets, assets->textures, plain, image))
        return true;
    const char *file = pyrite64 ? trilo_assets_file(assets, name) : NULL;
    if (file) {
        const char *folder = tl_file_path_folder(&assets->arena, file);
        return folder && assets_texture_in(assets, folder, tl_file_path_last(file), NULL, image);
    }
    if (assets_texture_around(assets, plain, image))
        return true;
    const char *below = on_console ? assets_source(assets, name) : NULL;
    return below && assets_read(assets, assets->folder, below, image);
}

bool trilo_assets_texture(trilo_assets *assets, const trilo_model *model, uint32_t texture, trilo_texture_file *found)
{
    *found = (trilo_texture_file){.path = NULL};
    if (texture >= model->texture_count || model->textures[texture].bytes.size > 0)
        return false;
    const trilo_texture *t = &model->textures[texture];
    const trilo_str text = t->path.len > 0 ? t->path : t->name;
    const char *name = tl_str_copy(&assets->arena, text.data, text.len).data;
    asset_image image = {.name = name};
    if (!name || *name == '\0' || !assets_texture_named(assets, name, assets_is_pyrite64(model), &image))
        return false;
    found->path = image.path;
    found->bytes = image.found.bytes;
    return true;
}

/* ---- where a model will be ---- */

trilo_rom_path_result trilo_rom_path(const char *path, const char *root, char *out, size_t room)
{
    static const char filesystem[] = "filesystem/";
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    const char *behind = strstr(path, filesystem), *rest = NULL;
    if (root)
        rest = tl_file_path_below(&arena, root, path);
    else if (behind && !strstr(behind, "/../")) /* the console does not support ".." */
        rest = behind + strlen(filesystem);
    trilo_rom_path_result result = rest   ? TRILO_ROM_PATH_RESULT_BELOW
                                   : root ? TRILO_ROM_PATH_RESULT_OUTSIDE
                                          : TRILO_ROM_PATH_RESULT_GUESSED;
    const int length =
        root && !rest ? 0 : snprintf(out, room, TL_CONSOLE_ROOT "%s", rest ? rest : tl_file_path_last(path));
    if (length < 0 || (size_t)length >= room)
        result = TRILO_ROM_PATH_RESULT_TOO_LONG;
    tl_arena_free(&arena);
    return result;
}
