#include "api/project/pyrite64_project.h"

#include "api/file/io.h"
#include "api/file/path.h"
#include "base/json.h"
#include "container/dca.h"
#include "container/sprite.h"
#include "n64/console_path.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char project_png[] = ".png", project_sprite[] = ".sprite", project_bci[] = ".bci";

/* Tables and sprites are small; a larger file is something else. */
enum { PROJECT_FILE_MOST = 1 << 24, PROJECT_LEVELS = 16 };

trilo_bytes tl_pyrite64_project_read(tl_arena *arena, const char *folder, const char *name)
{
    trilo_bytes bytes = {NULL, 0}, plain;
    tl_dca_info info;
    if (!folder || !name || !tl_file_read_below(folder, name, PROJECT_FILE_MOST, arena, &bytes, NULL))
        return (trilo_bytes){NULL, 0};
    return tl_dca_probe(bytes) && tl_dca_decompress(arena, bytes, PROJECT_FILE_MOST, &plain, &info, NULL) ? plain
                                                                                                          : bytes;
}

trilo_bytes tl_pyrite64_project_read_conf(tl_arena *arena, const char *path)
{
    static const char ending[] = ".conf";
    const char *name = tl_file_path_last(path);
    const size_t room = strlen(name) + sizeof ending;
    char *conf = tl_array_raw(arena, room, 1);
    if (conf)
        snprintf(conf, room, "%s%s", name, ending);
    return tl_pyrite64_project_read(arena, tl_file_path_folder(arena, path), conf);
}

/* ---- folders ---- */

/* The path of a folder in a folder; NULL: it is not there, or a link. */
static const char *project_subfolder(tl_arena *arena, const char *folder, const char *name)
{
    const char *path = tl_file_path_join(arena, folder, name);
    return path && tl_file_is_folder(path) ? path : NULL;
}

/* The folder above: "a/b" is in "a", "a" in ".", "." in "..", ".." in "../..". NULL: there is none. */
static const char *project_folder_above(tl_arena *arena, const char *folder)
{
    if (strcmp(folder, ".") == 0)
        return "..";
    if (strcmp(tl_file_path_last(folder), "..") == 0)
        return tl_file_path_join(arena, folder, "..");
    const char *above = tl_file_path_folder(arena, folder);
    return above && strcmp(above, folder) != 0 ? above : NULL;
}

/* As the table is sorted: by the bytes of the file name, without its folders. The table does not say which of two equal
 * names comes first; here it is the one with the smaller path. */
static int project_compare_images(const void *a, const void *b)
{
    const char *const *x = a, *const *y = b;
    const int order = strcmp(tl_file_path_last(*x), tl_file_path_last(*y));
    return order != 0 ? order : strcmp(*x, *y);
}

/* Images that the editor's settings exclude from the project have no number. */
static void project_drop_excluded(tl_arena *arena, tl_folder_scan *images)
{
    size_t kept = 0;
    for (size_t i = 0; i < images->count; i++) {
        const trilo_bytes text = tl_pyrite64_project_read_conf(arena, images->paths[i]);
        const tl_json *conf =
            text.size > 0 ? tl_json_read(arena, text, NULL, &tl_general_rules[TL_FILE_READ], 0, NULL) : NULL;
        if (!tl_json_bool(tl_json_member(conf, "exclude"), false))
            images->paths[kept++] = images->paths[i];
    }
    images->count = kept;
}

void tl_pyrite64_project_find(tl_pyrite64_project *project, tl_arena *arena, const char *model)
{
    *project = (tl_pyrite64_project){.filesystem = NULL};
    const char *folder = tl_file_path_folder(arena, model), *sources = NULL;
    for (int i = 0; folder && i < PROJECT_LEVELS && !project->filesystem; i++) {
        const char *tried[2] = {folder, project_subfolder(arena, folder, "filesystem")};
        for (int k = 0; k < 2 && !project->filesystem; k++)
            if (tl_pyrite64_table_read(tl_pyrite64_project_read(arena, tried[k], "p64/a"), &project->table))
                project->filesystem = tried[k];
        if (!sources)
            sources = project_subfolder(arena, folder, "assets");
        folder = project_folder_above(arena, folder);
    }
    const char *above = project->filesystem ? project_folder_above(arena, project->filesystem) : NULL;
    const char *beside = above ? project_subfolder(arena, above, "assets") : NULL;
    project->assets = project->filesystem ? beside : sources;
    if (!project->filesystem && project->assets) {
        project->images = tl_folder_scan_files(arena, project->assets, project_png);
        project_drop_excluded(arena, &project->images);
        if (project->images.count > 0)
            qsort(project->images.paths, project->images.count, sizeof *project->images.paths, project_compare_images);
    }
}

/* ---- images ---- */

const char *tl_pyrite64_project_file(const tl_pyrite64_project *project, tl_arena *arena, const char *path)
{
    const char *name = tl_console_path_below(path);
    if (!name || !trilo_file_name_is_inside(name))
        return NULL;
    if (project->filesystem && tl_file_is_below(project->filesystem, name))
        return tl_file_path_join(arena, project->filesystem, name);
    /* "crate.i8.sprite" is built of "crate.i8.png", "crate.bci" of "crate.bci.png". */
    char source[256];
    const int stem = (int)strlen(name) - (tl_file_path_ends(name, project_sprite) ? (int)strlen(project_sprite) : 0);
    const int size = snprintf(source, sizeof source, "%.*s%s", stem, name, project_png);
    const bool fits = size > 0 && (size_t)size < sizeof source;
    return project->assets && fits && tl_file_is_below(project->assets, source)
               ? tl_file_path_join(arena, project->assets, source)
               : NULL;
}

bool tl_pyrite64_project_console_path(const tl_pyrite64_project *project, tl_arena *arena, const char *image, char *out,
                                      size_t room)
{
    const char *below = tl_file_path_below(arena, project->assets, image);
    if (!below)
        return false;
    const int stem = (int)(strlen(below) - strlen(project_png));
    const bool bci = stem > (int)strlen(project_bci) &&
                     strncmp(below + stem - strlen(project_bci), project_bci, strlen(project_bci)) == 0;
    const int size = snprintf(out, room, TL_CONSOLE_ROOT "%.*s%s", stem, below, bci ? "" : project_sprite);
    return size > 0 && (size_t)size < room;
}

static void project_measure(const tl_pyrite64_project *project, tl_arena *arena, trilo_found_asset *found)
{
    const char *file = tl_pyrite64_project_file(project, arena, found->path);
    const trilo_bytes bytes =
        file ? tl_pyrite64_project_read(arena, tl_file_path_folder(arena, file), tl_file_path_last(file))
             : (trilo_bytes){NULL, 0};
    tl_sprite sprite;
    if (trilo_image_probe(bytes, &found->width, &found->height) != TRILO_IMAGE_KIND_UNKNOWN)
        return;
    const bool known = tl_sprite_read(bytes, &sprite);
    found->width = known ? sprite.width : 0;
    found->height = known ? sprite.height : 0;
}

bool tl_pyrite64_project_asset(const tl_pyrite64_project *project, tl_arena *arena, uint32_t number,
                               trilo_found_asset *found)
{
    const bool table = project->table.count > 0;
    pyrite64_asset asset;
    *found = (trilo_found_asset){.source = table                       ? TRILO_ASSET_SOURCE_TABLE
                                           : project->images.count > 0 ? TRILO_ASSET_SOURCE_RANK
                                                                       : TRILO_ASSET_SOURCE_NONE,
                                 .count = table ? project->table.count : (uint32_t)project->images.count,
                                 .type = PYRITE64_IMAGE};
    if (table) {
        if (!tl_pyrite64_table_entry(&project->table, number, &asset))
            return false;
        found->type = asset.type;
        const int size = snprintf(found->path, sizeof found->path, "%s", asset.path);
        if (size < 0 || (size_t)size >= sizeof found->path)
            return false;
    } else if (number >= project->images.count ||
               !tl_pyrite64_project_console_path(project, arena, project->images.paths[number], found->path,
                                                 sizeof found->path)) {
        return false;
    }
    if (found->type == PYRITE64_IMAGE)
        project_measure(project, arena, found);
    return true;
}

uint32_t tl_pyrite64_project_number(const tl_pyrite64_project *project, tl_arena *arena, const char *path)
{
    pyrite64_asset asset;
    char name[256];
    for (uint32_t i = 0; i < project->table.count; i++)
        if (tl_pyrite64_table_entry(&project->table, i, &asset) && asset.type == PYRITE64_IMAGE &&
            strcmp(asset.path, path) == 0)
            return i;
    for (uint32_t i = 0; i < project->images.count; i++)
        if (tl_pyrite64_project_console_path(project, arena, project->images.paths[i], name, sizeof name) &&
            strcmp(name, path) == 0)
            return i;
    return TRILO_NONE;
}
