/* The table of a project's assets (p64/a), and the textures that asset numbers stand for. */
#include "formats/t3dm/pyrite64/pyrite64.h"

#include "base/hash_table.h"
#include <string.h>

typedef struct pyrite64_entry {
    uint32_t path, word;
    float scale;
} pyrite64_entry;

enum { PYRITE64_V8 = 1, PYRITE64_V9 = 2 }; /* the table up to 0.8, and since 0.9 */

static const tl_field pyrite64_entry_rows[] = {
    TL_PLAIN_ROW(pyrite64_entry, path, TL_U32, 0, "byte of the path in the table, which a zero ends"),
    TL_PLAIN_ROW(
        pyrite64_entry, word, TL_U32, 4,
        "type in the top 4 bits: 0 unknown, 1 image, 2 audio, 3 font, 4 model, 7 prefab, 8 node graph, 9 XM; flags in "
        "the next 4: 1 keeps it loaded"),
    TL_ROW(pyrite64_entry, scale, TL_F32, 8, PYRITE64_V9, 0, 0, 0, NULL, "meters in a unit of a model, else 0"),
};
const tl_layout tl_pyrite64_entry =
    TL_TABLE("pyrite64 asset", TL_BIG, pyrite64_entry_rows,
             "File `p64/a`: a u32 count, entries, paths. Since 0.9 an entry has 12 bytes, before 8. Assets are sorted "
             "by type, then by file name; materials name images by their row.");

bool tl_pyrite64_table_read(trilo_bytes bytes, pyrite64_table *out)
{
    const uint32_t count = bytes.size >= 8 ? tl_get_u32be(bytes.data) : 0;
    const uint32_t first = count > 0 ? tl_get_u32be(bytes.data + 4) : 0;
    for (unsigned version = PYRITE64_V8; version <= PYRITE64_V9; version++) {
        const uint64_t entries = 4 + (uint64_t)count * tl_layout_size(&tl_pyrite64_entry, version);
        *out = (pyrite64_table){bytes, count, version};
        if (count > 0 && first == entries && entries <= bytes.size)
            return true;
    }
    *out = (pyrite64_table){{NULL, 0}, 0, 0};
    return false;
}

bool tl_pyrite64_table_entry(const pyrite64_table *table, uint32_t number, pyrite64_asset *out)
{
    pyrite64_entry entry = {0};
    const size_t size = tl_layout_size(&tl_pyrite64_entry, table->version);
    if (number >= table->count)
        return false;
    tl_layout_load(&tl_pyrite64_entry, table->version, table->bytes.data + 4 + number * size, &entry);
    if (entry.path >= table->bytes.size ||
        !memchr(table->bytes.data + entry.path, '\0', table->bytes.size - entry.path))
        return false;
    *out = (pyrite64_asset){entry.word >> 28, (const char *)table->bytes.data + entry.path, entry.scale};
    return true;
}

const char *tl_pyrite64_type_name(uint32_t type)
{
    static const char *const names[] = {[1] = "an image", [2] = "audio",        [3] = "a font",      [4] = "a model",
                                        [7] = "a prefab", [8] = "a node graph", [9] = "an XM module"};
    return type < TL_COUNT_OF(names) && names[type] ? names[type] : "of no known type";
}

/* --- the textures of a file --- */

static int pyrite64_compare_assets(const void *rows, uint32_t a, uint32_t b)
{
    const t3dm_asset *assets = rows;
    return (assets[a].number > assets[b].number) - (assets[a].number < assets[b].number);
}

static bool pyrite64_find_texture(const trilo_load_opts *opts, uint32_t number, tl_arena *arena, t3dm_asset *out)
{
    trilo_found_asset found = {.source = TRILO_ASSET_SOURCE_NONE};
    char path[PYRITE64_NUMBER_ROOM];
    const bool is_found = opts->find_asset && opts->find_asset(opts->find_asset_user, number, &found);
    const bool is_image = is_found && found.type == PYRITE64_IMAGE;
    found.path[sizeof found.path - 1] = '\0';
    tl_pyrite64_number_path(number, path);
    const char *name = is_image ? found.path : path;
    *out = (t3dm_asset){.number = number,
                        .source = found.source,
                        .found = is_found,
                        .type = found.type,
                        .count = found.count,
                        .width = is_image && found.width <= UINT16_MAX ? found.width : 0,
                        .height = is_image && found.height <= UINT16_MAX ? found.height : 0,
                        .path = tl_str_copy(arena, name, strlen(name)).data};
    return out->path != NULL;
}

/* Each number is looked up once. */
static bool pyrite64_asset_row(t3dm_file *file, const trilo_load_opts *opts, uint32_t number, tl_arena *arena,
                               tl_hash_table *table, uint32_t *row)
{
    file->assets[file->asset_count].number = number;
    *row = tl_hash_table_add(table, number, file->asset_count);
    if (*row != file->asset_count)
        return *row != TRILO_NONE;
    return pyrite64_find_texture(opts, number, arena, &file->assets[file->asset_count++]);
}

bool tl_pyrite64_read_materials(t3dm_file *file, const trilo_load_opts *opts, tl_arena *arena)
{
    static const uint32_t used[2] = {TRILO_PYRITE64_TEX0, TRILO_PYRITE64_TEX1};
    uint32_t opaque = 0;
    for (uint32_t i = 0; i < file->material_count; i++)
        opaque += file->materials[i].opaque;
    if (opaque == 0)
        return true;
    tl_hash_table table;
    file->assets = TL_ARRAY(arena, 2 * (size_t)opaque + 1, t3dm_asset); /* one more to look up */
    if (!file->assets || !tl_hash_table_init(&table, arena, 2 * (size_t)opaque, pyrite64_compare_assets, file->assets))
        return false;
    for (uint32_t i = 0; i < file->material_count; i++) {
        t3dm_material *m = &file->materials[i];
        trilo_pyrite64_material from;
        m->assets[0] = m->assets[1] = TRILO_NONE;
        if (!m->opaque || tl_pyrite64_read(m->raw, &from) != PYRITE64_KNOWN)
            continue;
        for (int k = 0; k < 2; k++) {
            const uint32_t number = from.tiles[k].asset;
            if ((from.flags & used[k]) == 0 || number == TRILO_PYRITE64_NO_ASSET)
                continue;
            if (!pyrite64_asset_row(file, opts, number, arena, &table, &m->assets[k]))
                return false;
            m->textures[k].width = (uint16_t)file->assets[m->assets[k]].width;
            m->textures[k].height = (uint16_t)file->assets[m->assets[k]].height;
        }
        /* The arguments of an effect are the size that texture coordinates were made for. */
        if ((from.flags & TRILO_PYRITE64_EFFECT) != 0 && from.effect_args[0] != 0 && from.effect_args[1] != 0) {
            m->textures[0].width = from.effect_args[0];
            m->textures[0].height = from.effect_args[1];
        }
        tl_pyrite64_translate(&from, m);
        m->raw.size = tl_pyrite64_size(from.flags); /* without the padding */
    }
    return true;
}
