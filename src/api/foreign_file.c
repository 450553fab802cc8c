#include "api/foreign_file.h"

#include "layout/layout.h"
#include "trilobite/rom.h"

#include <string.h>

typedef struct foreign_kind {
    const char *start, *ending; /* one of them is enough; NULL: it has no start of its own */
    const char *text;
} foreign_kind;

#define FOREIGN_EXPORT "; export it as glTF (.glb) from the program that made it, or build Trilobite with Assimp"

/* The first that matches counts. Text files are known by their names alone. */
static const foreign_kind foreign_kinds[] = {
    {"Kaydara FBX Binary", ".fbx", "the file is an FBX model, which is not read" FOREIGN_EXPORT},
    {NULL, ".obj", "the file is an OBJ model, which is not read" FOREIGN_EXPORT},
    {NULL, ".dae", "the file is a COLLADA model, which is not read" FOREIGN_EXPORT},
    {NULL, ".3ds", "the file is a 3DS model, which is not read" FOREIGN_EXPORT},
    {"ply\n", ".ply", "the file is a PLY model, which is not read" FOREIGN_EXPORT},
    {NULL, ".stl", "the file is an STL model, which is not read" FOREIGN_EXPORT},
    {"BLENDER", ".blend", "the file is a Blender project; export it as glTF: File, Export, glTF 2.0, format .glb"},
    {"\x89PNG", ".png", "the file is a PNG image, not a model; trilobite sprite makes a sprite of it"},
    {"\xFF\xD8\xFF", ".jpg", "the file is a JPEG image, not a model; trilobite sprite makes a sprite of it"},
    {"\x1F\x8B", ".gz", "the file is compressed with gzip; decompress it first (gunzip)"},
    {"PK\3\4", ".zip", "the file is a ZIP archive; unpack it and give the model inside"},
    {NULL, ".sdata", "the file has the keys of a clip; give the .t3dm model that it belongs to"},
    {NULL, ".sprite", "the file is a sprite, not a model; trilobite sprite writes it as PNG"},
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

const char *tl_foreign_file(trilo_bytes bytes, const char *name)
{
    if (trilo_rom_probe(bytes))
        return "the file is a ROM or a DragonFS image; trilobite extract lists its files, and FILE:/hero.t3dm names a "
               "model in it";
    for (size_t i = 0; i < TL_COUNT_OF(foreign_kinds); i++) {
        const foreign_kind *kind = &foreign_kinds[i];
        const size_t length = kind->start ? strlen(kind->start) : 0;
        if ((length > 0 && bytes.size >= length && memcmp(bytes.data, kind->start, length) == 0) ||
            (name && foreign_ends(name, kind->ending)))
            return kind->text;
    }
    return NULL;
}
