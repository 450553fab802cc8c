#include "api/foreign_file.h"

#include "base/bytes.h"
#include "layout/layout.h"
#include "trilobite/format.h"
#include "trilobite/rom.h"

#include <string.h>

typedef struct foreign_kind {
    const char *start, *ending; /* one of them is enough; NULL: there is none */
    const char *text;
    bool imported; /* by Assimp */
} foreign_kind;

#define FOREIGN_EXPORT                                                                                                 \
    ", which needs Assimp; export it as glTF (.glb) instead, or install Assimp (the static program and the one for "   \
    "Windows are built without it)"

#define FOREIGN_PAGE "the file is a web page, perhaps because a download failed; download the model again"

/* The first match counts; a match by the first bytes comes before one by the ending. Some kinds are only recognized by
 * name. */
static const foreign_kind foreign_kinds[] = {
    {"Kaydara FBX Binary", ".fbx", "the file is an FBX model" FOREIGN_EXPORT, true},
    {NULL, ".obj", "the file is an OBJ model" FOREIGN_EXPORT, true},
    {NULL, ".dae", "the file is a COLLADA model" FOREIGN_EXPORT, true},
    {NULL, ".3ds", "the file is a 3DS model" FOREIGN_EXPORT, true},
    {"ply\n", ".ply", "the file is a PLY model" FOREIGN_EXPORT, true},
    {NULL, ".stl", "the file is an STL model" FOREIGN_EXPORT, true},
    {"BLENDER", ".blend", "the file is a Blender project; export it as glTF: File, Export, glTF 2.0, format .glb",
     false},
    {"\x89PNG", ".png", "the file is a PNG image, not a model; trilobite sprite makes a sprite of it", false},
    {"\xFF\xD8\xFF", ".jpg", "the file is a JPEG image, not a model; trilobite sprite makes a sprite of it", false},
    {"\x1F\x8B", ".gz", "the file is compressed with gzip; decompress it first (gunzip)", false},
    {"PK\3\4", ".zip", "the file is a ZIP archive; unpack it and open the model inside", false},
    {TL_LFS_START, NULL, "the file is only a pointer of Git LFS; \"git lfs pull\" fetches the model", false},
    {"<!DOCTYPE html", ".html", FOREIGN_PAGE, false},
    {"<!doctype html", NULL, FOREIGN_PAGE, false},
    {"<html", NULL, FOREIGN_PAGE, false},
    {NULL, ".sdata", "the file has the keys of a clip; give the .t3dm model that it belongs to", false},
    {NULL, ".sprite", "the file is a sprite, not a model; trilobite sprite writes it as PNG", false},
};

/* Endings in either case: cameras and old programs write FOX.FBX. */
static bool foreign_ends(const char *name, const char *ending)
{
    const size_t length = strlen(name), wanted = strlen(ending);
    for (size_t i = 0; length >= wanted && i < wanted; i++) {
        const char c = name[length - wanted + i];
        if ((c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c) != ending[i])
            return false;
    }
    return length >= wanted;
}

static const foreign_kind *foreign_by_start(trilo_bytes bytes)
{
    for (size_t i = 0; i < TL_COUNT_OF(foreign_kinds); i++) {
        const size_t length = foreign_kinds[i].start ? strlen(foreign_kinds[i].start) : 0;
        if (length > 0 && bytes.size >= length && memcmp(bytes.data, foreign_kinds[i].start, length) == 0)
            return &foreign_kinds[i];
    }
    return NULL;
}

const char *tl_foreign_file(trilo_bytes bytes, const char *name)
{
    if (trilo_rom_probe(bytes))
        return "the file is a ROM or a DragonFS image; trilobite extract lists its files, and FILE:/hero.t3dm names a "
               "model in it";
    const foreign_kind *started = foreign_by_start(bytes);
    if (started)
        return started->text;
    for (size_t i = 0; name && i < TL_COUNT_OF(foreign_kinds); i++)
        if (foreign_kinds[i].ending && foreign_ends(name, foreign_kinds[i].ending))
            return foreign_kinds[i].text;
    return NULL;
}

bool tl_foreign_to_assimp(trilo_bytes bytes)
{
    const foreign_kind *kind = foreign_by_start(bytes);
    return kind && !kind->imported;
}

/* Eight bytes at least: fewer may be the start of a truncated file, such as "glTF". */
bool tl_foreign_is_text(trilo_bytes bytes)
{
    enum { LEAST = 8, LOOKED_AT = 256 };
    size_t i = 0;
    while (i < bytes.size && i < LOOKED_AT &&
           ((bytes.data[i] >= ' ' && bytes.data[i] != 0x7F) || (bytes.data[i] >= '\t' && bytes.data[i] <= '\r')))
        i++;
    return i >= LEAST && (i == bytes.size || i == LOOKED_AT);
}

bool trilo_import_for_path(const char *path)
{
    bool imported = false;
    for (size_t i = 0; !imported && i < TL_COUNT_OF(foreign_kinds); i++)
        imported = foreign_kinds[i].imported && foreign_ends(path, foreign_kinds[i].ending);
    return imported;
}
