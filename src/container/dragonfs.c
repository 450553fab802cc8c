/* The files of a DragonFS image: a walk over its lists of entries, bounded by its size. */
#include "base/array.h"
#include "base/bytes.h"
#include "base/size.h"
#include "container/rom.h"

#include <string.h>

enum { DFS_DEPTH_MOST = 100, DFS_FILES_MOST = 1 << 16, DFS_PATH_MOST = 1000, DFS_NAME_20 = 8, DFS_NAME_21 = 12 };
static const char dfs_identity_20[] = "DragonFS 2.0", dfs_identity_21[] = "DragonFS 2.1";

/* The identity has four bytes of 255 where other entries have type and size. */
uint32_t tl_dfs_probe(trilo_bytes image)
{
    static const uint8_t mark[4] = {0xFF, 0xFF, 0xFF, 0xFF};
    if (image.size < TL_DFS_IDENTITY_21 || memcmp(image.data + 4, mark, 4) != 0)
        return 0;
    if (memcmp(image.data + DFS_NAME_20, dfs_identity_20, sizeof dfs_identity_20 - 1) == 0)
        return TL_DFS_20;
    return memcmp(image.data + DFS_NAME_21, dfs_identity_21, sizeof dfs_identity_21 - 1) == 0 ? TL_DFS_21 : 0;
}

typedef struct dfs_walk {
    trilo_bytes image;
    size_t base;
    uint32_t version;
    uint32_t visited, most; /* entries; more than there is room for is a loop */
    uint32_t depth;
    uint32_t next[DFS_DEPTH_MOST]; /* the entry after each directory that is open */
    size_t lengths[DFS_DEPTH_MOST];
    char path[DFS_PATH_MOST];
    size_t length; /* of the path of the directory, with its slash */
} dfs_walk;

/* An entry, and the length of its name. */
static bool dfs_read_entry(dfs_walk *walk, uint32_t at, tl_dfs_entry *entry, const char **name, size_t *length,
                           trilo_error *err)
{
    const bool packed = walk->version == TL_DFS_21;
    const size_t head = packed ? DFS_NAME_21 : DFS_NAME_20, size = packed ? DFS_NAME_21 + 1 : TL_DFS_SECTOR;
    if (!tl_fits(walk->image.size, at, size, 1))
        return TL_ROM_FAIL(err, TRILO_CODE_TRUNCATED, TRUNCATED,
                           walk->base + (at < walk->image.size ? at : walk->image.size),
                           "the entry of a file is outside of the image of %zu bytes", walk->image.size);
    const uint8_t *bytes = walk->image.data + at;
    tl_layout_load(&tl_dfs_entry_layout, walk->version, bytes, entry);
    if (!packed)
        entry->offset = tl_get_u32be(bytes + TL_DFS_OFFSET);
    const size_t there = packed ? walk->image.size - at - head : TL_DFS_OFFSET - head;
    const size_t room = there < DFS_PATH_MOST ? there : DFS_PATH_MOST;
    const char *text = (const char *)bytes + head, *end = memchr(text, '\0', room);
    *name = text;
    *length = end ? (size_t)(end - text) : 0;
    const bool dots = *length <= 2 && strncmp(text, "..", *length) == 0;
    if (!end || *length == 0 || dots || memchr(text, '/', *length))
        return TL_ROM_FAIL(err, TRILO_CODE_BAD_VALUE, ENTRY, walk->base + at + head, "the name of a file is %s",
                           !end           ? "without an end"
                           : *length == 0 ? "empty"
                                          : "not one that a file can have");
    if (walk->length + *length + 2 > DFS_PATH_MOST)
        return TL_ROM_FAIL(err, TRILO_CODE_LIMIT, LIMIT, walk->base + at, "a path has more than %d bytes",
                           DFS_PATH_MOST - 2);
    return true;
}

static bool dfs_add_file(dfs_walk *walk, tl_dfs_files *files, const tl_dfs_entry *entry, uint32_t at, size_t length,
                         trilo_error *err)
{
    const uint32_t size = entry->kind_size & ((1u << TL_DFS_SIZE_BITS) - 1);
    if (size > 0 && !tl_fits(walk->image.size, entry->offset, size, 1))
        return TL_ROM_FAIL(err, TRILO_CODE_TRUNCATED, TRUNCATED, walk->base + at,
                           "\"%.100s\": its %u bytes at %u are outside of the image of %zu bytes", walk->path, size,
                           entry->offset, walk->image.size);
    if (files->count == DFS_FILES_MOST)
        return TL_ROM_FAIL(err, TRILO_CODE_LIMIT, LIMIT, walk->base + at, "there are more than %d files",
                           DFS_FILES_MOST);
    files->files = tl_array_grow(files->arena, files->files, files->count, &files->capacity, 1, sizeof *files->files);
    const trilo_str path = files->files ? tl_str_copy(files->arena, walk->path, length) : (trilo_str){NULL, 0};
    if (!path.data)
        return tl_fail_memory(err);
    files->files[files->count++] = (trilo_rom_file){path, {walk->image.data + (size > 0 ? entry->offset : 0), size}};
    return true;
}

/* An entry and what is below it; *at becomes the next one, 0 at the end. */
static bool dfs_step(dfs_walk *walk, tl_dfs_files *files, uint32_t *at, trilo_error *err)
{
    tl_dfs_entry entry = {0};
    const char *name = "";
    size_t length = 0;
    if (walk->visited++ == walk->most)
        return TL_ROM_FAIL(err, TRILO_CODE_BAD_VALUE, LOOP, walk->base + *at,
                           "the directories lead back to themselves");
    if (!dfs_read_entry(walk, *at, &entry, &name, &length, err))
        return false;
    const uint32_t kind = entry.kind_size >> TL_DFS_SIZE_BITS;
    memcpy(walk->path + walk->length, name, length);
    walk->path[walk->length + length] = '\0';
    if (kind != TL_DFS_FILE && kind != TL_DFS_DIRECTORY)
        return TL_ROM_FAIL(err, TRILO_CODE_BAD_VALUE, ENTRY, walk->base + *at,
                           "\"%.100s\" is of type %u; 0 is a file, 1 a directory", walk->path, kind);
    if (kind == TL_DFS_FILE && !dfs_add_file(walk, files, &entry, *at, walk->length + length, err))
        return false;
    if (kind == TL_DFS_FILE || entry.offset == 0) { /* an empty directory has no first entry */
        *at = entry.next;
        return true;
    }
    if (walk->depth == DFS_DEPTH_MOST)
        return TL_ROM_FAIL(err, TRILO_CODE_LIMIT, LIMIT, walk->base + *at, "directories are more than %d deep",
                           DFS_DEPTH_MOST);
    walk->next[walk->depth] = entry.next;
    walk->lengths[walk->depth++] = walk->length;
    walk->length += length;
    walk->path[walk->length++] = '/';
    *at = entry.offset;
    return true;
}

bool tl_dfs_list(trilo_bytes image, size_t base, tl_dfs_files *files, trilo_error *err)
{
    dfs_walk walk = {.image = image, .base = base, .version = tl_dfs_probe(image)};
    const bool packed = walk.version == TL_DFS_21;
    uint32_t at = packed ? TL_DFS_IDENTITY_21 : TL_DFS_SECTOR;
    if (walk.version == 0)
        return TL_ROM_FAIL(err, TRILO_CODE_BAD_VALUE, UNKNOWN, base, "there is no DragonFS");
    const size_t most = image.size / (packed ? DFS_NAME_21 + 2 : TL_DFS_SECTOR);
    walk.most = most < UINT32_MAX ? (uint32_t)most : UINT32_MAX;
    static const uint8_t nothing[DFS_NAME_21 + 1] = {0}; /* padding of a ROM, or the entry of no file */
    if (!tl_fits(image.size, at, sizeof nothing, 1) || memcmp(image.data + at, nothing, sizeof nothing) == 0)
        return true;
    for (;;) {
        while (at == 0 && walk.depth > 0) {
            at = walk.next[--walk.depth];
            walk.length = walk.lengths[walk.depth];
        }
        if (at == 0)
            return true;
        if (!dfs_step(&walk, files, &at, err))
            return false;
    }
}
