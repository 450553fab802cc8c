/* pyrite64_project.h: the assets of a Pyrite64 project on disk.
 *
 *   project/assets/D/N.png           a source
 *   project/filesystem/D/N.sprite    what is built of it; rom:/D/N.sprite on the console
 *   project/filesystem/p64/a         the table of assets
 *
 * No link inside the project is followed: a project from elsewhere must not show other files of the machine.
 */
#ifndef TL_API_PROJECT_PYRITE64_PROJECT_H
#define TL_API_PROJECT_PYRITE64_PROJECT_H

#include "api/file/folder_scan.h"
#include "formats/t3dm/pyrite64/pyrite64.h"

typedef struct tl_pyrite64_project {
    const char *filesystem, *assets; /* folders; NULL: not found */
    pyrite64_table table;            /* count 0: there is none */
    tl_folder_scan images;           /* without a table: PNG files by their names, as the editor sorts them */
} tl_pyrite64_project;

/* Looks for the folders from a model upwards. Everything is in the arena. */
void tl_pyrite64_project_find(tl_pyrite64_project *project, tl_arena *arena, const char *model);
/* As trilo_find_asset_fn. */
bool tl_pyrite64_project_asset(const tl_pyrite64_project *project, tl_arena *arena, uint32_t number,
                               trilo_found_asset *found);
/* The other way round: the number of the image with that path on the console; TRILO_NONE: there is none. */
uint32_t tl_pyrite64_project_number(const tl_pyrite64_project *project, tl_arena *arena, const char *path);
/* The file of a sprite: itself, or the PNG that it is built of; NULL: neither is there. */
const char *tl_pyrite64_project_file(const tl_pyrite64_project *project, tl_arena *arena, const char *path);

/* What a PNG file of the assets is called on the console. False: it is not below them, or the path is too long. */
bool tl_pyrite64_project_console_path(const tl_pyrite64_project *project, tl_arena *arena, const char *image, char *out,
                                      size_t room);
/* A copy of a small file below a folder, decompressed; size 0: there is none, or a link leads to it. */
trilo_bytes tl_pyrite64_project_read(tl_arena *arena, const char *folder, const char *name);
/* The editor's settings of an asset, beside it: of "wall.png" "wall.png.conf". */
trilo_bytes tl_pyrite64_project_read_conf(tl_arena *arena, const char *path);

#endif
