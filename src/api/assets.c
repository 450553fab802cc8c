/* Images of a project for the N64: by their name, by their path, and by the sprite that is made of them. */
#include "trilobite/assets.h"

#include "api/file_io.h"
#include "api/file_path.h"
#include "api/folder_scan.h"
#include "api/pyrite64_source.h"
#include "base/opts.h"
#include "base/report.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char assets_png[] = ".png", assets_sprite[] = ".sprite", assets_name[] = "assets", assets_rom[] = "rom:/";

/* A name that was asked for. */
typedef struct asset_image {
    struct asset_image *next;
    const char *name, *path; /* path NULL: not found */
    tl_mapping mapping;
    trilo_found_image found;
} asset_image;

struct trilo_assets {
    tl_arena arena; /* the struct itself lives in it */
    const char *model, *folder;
    trilo_finding_fn *on_finding;
    void *on_finding_user;
    bool scanned;
    tl_folder_scan scan;
    asset_image *images, **last; /* in the order in which they were asked for */
    bool looked;                 /* for the project: */
    tl_pyrite64_project project;
    bool opened; /* the source: */
    tl_pyrite64_source source;
};

/* "game/assets/hero/hero.glb": "game/assets". NULL: the model lies in no such folder. */
static const char *assets_above(tl_arena *arena, const char *model)
{
    const char *path = tl_file_path_folder(arena, model);
    while (path && strcmp(tl_file_path_last(path), assets_name) != 0) {
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
    const char *above = opts->model && !opts->folder ? assets_above(&arena, opts->model) : NULL;
    const char *folder = opts->folder ? opts->folder : above ? above : assets_name;
    assets->folder = tl_str_copy(&arena, folder, strlen(folder)).data;
    assets->on_finding = opts->on_finding;
    assets->on_finding_user = opts->on_finding_user;
    assets->last = &assets->images;
    assets->arena = arena;
    if (assets->folder && (assets->model || !opts->model))
        return assets;
    tl_fail_memory(err);
    trilo_assets_free(assets);
    return NULL;
}

void trilo_assets_free(trilo_assets *assets)
{
    if (!assets)
        return;
    for (asset_image *image = assets->images; image; image = image->next)
        tl_unmap(&image->mapping);
    tl_pyrite64_source_close(&assets->source);
    tl_arena arena = assets->arena; /* the struct itself lies in it */
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

static void assets_scan(trilo_assets *assets)
{
    if (assets->scanned)
        return;
    assets->scanned = true;
    assets->scan = tl_folder_scan_files(&assets->arena, assets->folder, assets_png);
    if (assets->scan.cut)
        assets_warn(assets, "the folder of assets is too large, not all of it was looked into");
}

static const char *assets_look_beside(trilo_assets *assets, const char *name)
{
    const char *path = assets->model ? tl_file_path_beside(&assets->arena, assets->model, name) : NULL;
    return path && tl_file_is_plain(path) ? path : NULL;
}

static const char *assets_look_below(trilo_assets *assets, const char *name)
{
    const char *first = NULL;
    size_t count = 0;
    assets_scan(assets);
    for (size_t i = 0; i < assets->scan.count; i++) {
        const char *path = assets->scan.paths[i];
        const size_t whole = strlen(path), length = strlen(name);
        if (whole > length && path[whole - length - 1] == '/' && strcmp(path + whole - length, name) == 0) {
            first = first ? first : path;
            count++;
        }
    }
    if (count > 1) {
        char text[512];
        snprintf(text, sizeof text, "%" PRIu64 " files are called \"%s\": %s is taken, give the others another name",
                 (uint64_t)count, name, first);
        assets_warn(assets, text);
    }
    return first;
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

/* Projects move between systems that tell capital letters apart and systems that do not. */
static void assets_describe_places(trilo_assets *assets, const char *plain, trilo_found_image *found)
{
    const char *beside = assets->model ? "beside it and " : "", *near = NULL, *wanted = tl_file_path_last(plain);
    assets_scan(assets);
    for (size_t i = 0; i < assets->scan.count && !near; i++) {
        const char *name = tl_file_path_last(assets->scan.paths[i]);
        size_t same = 0;
        while (name[same] && tolower((unsigned char)name[same]) == tolower((unsigned char)wanted[same]))
            same++;
        if (name[same] == wanted[same] && strcmp(name, wanted) != 0)
            near = assets->scan.paths[i];
    }
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
    const int length = sprite ? snprintf(found->path, sizeof found->path, "%s%s", assets_rom, sprite) : 0;
    return length > 0 && (size_t)length < sizeof found->path;
}

static void assets_look(trilo_assets *assets, asset_image *image)
{
    const char *name = image->name, *plain = assets_file_name(&assets->arena, name);
    const bool absolute = *name == '/';
    if (!plain)
        return;
    if (absolute)
        image->path = name;
    else if (*name != '\0' && !tl_file_path_leads_up(name)) {
        image->path = assets_look_beside(assets, name);
        if (!image->path)
            image->path = assets_look_beside(assets, plain);
        if (!image->path)
            image->path = assets_look_below(assets, plain);
    }
    if (!image->path)
        assets_describe_places(assets, plain, &image->found);
    if (image->path && !assets_console_path(assets, image->path, &image->found)) {
        assets_warn(assets, "the path of an image is too long for the console, it is left out");
        image->path = NULL;
    }
    /* As Tiny3D's converter: the size of an image with an absolute path is in the settings. */
    if (image->path && !absolute && tl_map_file(image->path, UINT64_MAX, &assets->arena, &image->mapping, NULL))
        image->found.bytes = image->mapping.bytes;
}

/* The image of that key and name, which is looked for once. */
static asset_image *assets_ask(trilo_assets *assets, const char *name)
{
    for (asset_image *image = assets->images; image; image = image->next)
        if (strcmp(image->name, name) == 0)
            return image;
    asset_image *image = TL_NEW(&assets->arena, asset_image);
    const char *copy = tl_str_copy(&assets->arena, name, strlen(name)).data;
    if (!image || !copy)
        return NULL;
    image->name = copy;
    assets_look(assets, image);
    *assets->last = image;
    assets->last = &image->next;
    return image;
}

const char *trilo_assets_source(trilo_assets *assets, const char *sprite)
{
    if (strncmp(sprite, assets_rom, strlen(assets_rom)) != 0 || !tl_file_path_ends(sprite, assets_sprite))
        return NULL;
    const char *rest = sprite + strlen(assets_rom);
    if (*rest == '/' || tl_file_path_leads_up(rest))
        return NULL;
    const char *image = tl_file_path_with_ending(&assets->arena, rest, assets_png);
    const char *path = image ? tl_file_path_join(&assets->arena, assets->folder, image) : NULL;
    return path && tl_file_is_plain(path) ? path : NULL;
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
        return image && image->path;
    case TRILO_IMAGE_KEY_PATH: {
        const char *path = tl_file_path_beside(&assets->arena, assets->model ? assets->model : "", name);
        return path && tl_file_path_below(&assets->arena, assets->folder, path) &&
               assets_console_path(assets, path, found);
    }
    case TRILO_IMAGE_KEY_SPRITE: {
        tl_mapping mapping;
        const char *path = trilo_assets_source(assets, name);
        if (!path || !tl_map_file(path, UINT64_MAX, &assets->arena, &mapping, NULL))
            return false;
        found->bytes = mapping.bytes;
        if (mapping.mapped) { /* a copy, so that there is nothing to unmap but what was asked for by name */
            found->bytes.data = tl_bytes_copy(&assets->arena, mapping.bytes.data, mapping.bytes.size);
            tl_unmap(&mapping);
        }
        return found->bytes.data != NULL;
    }
    }
    return false;
}

/* ---- Pyrite64 ---- */

static const tl_pyrite64_project *assets_project(trilo_assets *assets)
{
    if (!assets->looked && assets->model)
        tl_pyrite64_project_find(&assets->project, &assets->arena, assets->model);
    assets->looked = true;
    return &assets->project;
}

bool trilo_assets_find_asset(void *user, uint32_t number, trilo_found_asset *found)
{
    trilo_assets *assets = user;
    return tl_pyrite64_project_asset(assets_project(assets), &assets->arena, number, found);
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
    for (const asset_image *image = assets->images; image; image = image->next)
        if (image->path && index-- == 0)
            return image->path;
    return NULL;
}

/* ---- where a model will be ---- */

trilo_rom_place trilo_rom_path(const char *path, const char *root, char *out, size_t room)
{
    static const char filesystem[] = "filesystem/";
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    const char *behind = strstr(path, filesystem), *rest = NULL;
    if (root)
        rest = tl_file_path_below(&arena, root, path);
    else if (behind && !strstr(behind, "/../")) /* the console knows no ".." */
        rest = behind + strlen(filesystem);
    trilo_rom_place place = rest ? TRILO_ROM_PLACE_BELOW : root ? TRILO_ROM_PLACE_OUTSIDE : TRILO_ROM_PLACE_GUESSED;
    const int length =
        root && !rest ? 0 : snprintf(out, room, "%s%s", assets_rom, rest ? rest : tl_file_path_last(path));
    if (length < 0 || (size_t)length >= room)
        place = TRILO_ROM_PLACE_TOO_LONG;
    tl_arena_free(&arena);
    return place;
}
