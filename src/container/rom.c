/* ROMs: byte order, the table of files, and the offset of the file system. */
#include "container/rom.h"

#include "base/bytes.h"
#include "base/size.h"

#include <string.h>

enum {
    ROM_HEADER = 0x1000,      /* where the table is looked for first */
    ROM_TABLE_STEP = 16,      /* its alignment */
    ROM_TABLE_STEPS = 1024,   /* offsets that are tried */
    ROM_TABLE_MOST = 1024,    /* entries, and bytes of one */
    ROM_OLD_IMAGE = 0x101000, /* of ROMs without a table */
    ROM_SCAN_STEP = 4
};

typedef struct rom_owned {
    trilo_rom rom; /* first, so that a pointer to it is a pointer to the whole */
    tl_arena arena;
} rom_owned;

static trilo_rom_order rom_order(trilo_bytes bytes)
{
    const uint32_t word = bytes.size >= 4 ? tl_get_u32be(bytes.data) : 0;
    return word == 0x80371240   ? TRILO_ROM_ORDER_Z64
           : word == 0x37804012 ? TRILO_ROM_ORDER_V64
           : word == 0x40123780 ? TRILO_ROM_ORDER_N64
                                : TRILO_ROM_ORDER_NONE;
}

bool trilo_rom_probe(trilo_bytes bytes)
{
    return rom_order(bytes) != TRILO_ROM_ORDER_NONE || tl_dfs_probe(bytes) != 0;
}

const char *trilo_rom_order_name(trilo_rom_order order)
{
    static const char *const names[] = {"dfs", "z64", "v64", "n64"};
    return (size_t)order < TL_COUNT_OF(names) ? names[order] : "unknown";
}

/* A copy in the order of the console: byte i is byte i ^ 1 of a v64, i ^ 3 of an n64. An incomplete word at the end is
 * left out. */
static bool rom_to_z64(tl_arena *arena, trilo_rom_order order, trilo_bytes *bytes)
{
    if (order == TRILO_ROM_ORDER_NONE || order == TRILO_ROM_ORDER_Z64)
        return true;
    const size_t size = bytes->size & ~(size_t)3, flip = order == TRILO_ROM_ORDER_V64 ? 1 : 3;
    uint8_t *copy = tl_array_raw(arena, size, 1);
    for (size_t i = 0; copy && i < size; i++)
        copy[i] = bytes->data[i ^ flip];
    *bytes = (trilo_bytes){copy, size};
    return copy != NULL;
}

/* The offset that the table gives to the file that ends in .dfs; 0: none. */
static size_t rom_search_table(trilo_bytes bytes, size_t at)
{
    static const char ending[] = ".dfs";
    tl_rompak_head head = {.magic = {0}};
    tl_layout_load(&tl_rompak_head_layout, TL_ROMPAK_2026, bytes.data + at, &head);
    uint32_t size = head.entry_size16, count = head.entry_count16;
    const bool current = size >= 8 && size < ROM_TABLE_MOST && count > 0 && count < ROM_TABLE_MOST;
    if (!current) {
        tl_layout_load(&tl_rompak_head_layout, TL_ROMPAK_2024, bytes.data + at, &head);
        size = head.entry_size;
        count = head.entry_count;
        if (size < 8 || size >= ROM_TABLE_MOST || count == 0 || count >= ROM_TABLE_MOST)
            return 0;
    }
    at += tl_layout_size(&tl_rompak_head_layout, TL_ROMPAK_2024);
    for (uint32_t i = 0; i < count && tl_fits(bytes.size, at, size, 1); i++, at += size) {
        const uint8_t *entry = bytes.data + at;
        /* Both forms are in use with either head; a name begins with a letter, a size with a 0. */
        const size_t skip = entry[4] >= ' ' && entry[4] < 0x7F ? 4 : 8;
        const char *name = (const char *)entry + skip, *end = memchr(name, '\0', size - skip);
        const size_t length = end ? (size_t)(end - name) : size - skip;
        if (length >= sizeof ending - 1 && memcmp(name + length - (sizeof ending - 1), ending, sizeof ending - 1) == 0)
            return tl_get_u32be(entry);
    }
    return 0;
}

static bool rom_has_image(trilo_bytes bytes, size_t at)
{
    return at < bytes.size && tl_dfs_probe((trilo_bytes){bytes.data + at, bytes.size - at}) != 0;
}

/* Where the DragonFS image is; the size of the ROM: nowhere. */
static size_t rom_find_image(trilo_bytes bytes)
{
    const size_t head = tl_layout_size(&tl_rompak_head_layout, TL_ROMPAK_2024);
    for (size_t i = 0; i < ROM_TABLE_STEPS; i++) {
        const size_t at = ROM_HEADER + ROM_TABLE_STEP * i;
        if (!tl_fits(bytes.size, at, head, 1))
            break;
        const size_t image = memcmp(bytes.data + at, "TOC0", 4) == 0 ? rom_search_table(bytes, at) : 0;
        if (image > 0 && rom_has_image(bytes, image))
            return image;
    }
    if (rom_has_image(bytes, ROM_OLD_IMAGE))
        return ROM_OLD_IMAGE;
    size_t at = 0;
    while (at < bytes.size && !rom_has_image(bytes, at))
        at += ROM_SCAN_STEP;
    return at < bytes.size ? at : bytes.size;
}

static bool rom_read(rom_owned *owned, trilo_bytes bytes, trilo_error *err)
{
    trilo_rom *rom = &owned->rom;
    rom->order = rom_order(bytes);
    if (!rom_to_z64(&owned->arena, rom->order, &bytes))
        return tl_fail_memory(err);
    const bool is_rom = rom->order != TRILO_ROM_ORDER_NONE;
    rom->offset = is_rom ? rom_find_image(bytes) : 0;
    if (rom->offset == bytes.size || (!is_rom && tl_dfs_probe(bytes) == 0))
        return TL_ROM_FAIL(err, TRILO_CODE_BAD_VALUE, UNKNOWN, 0,
                           is_rom ? "the ROM has no DragonFS file system"
                                  : "the file is neither a ROM nor a DragonFS image");
    const trilo_bytes image = {bytes.data + rom->offset, bytes.size - rom->offset};
    tl_dfs_files files = {.arena = &owned->arena};
    rom->major = 2;
    rom->minor = tl_dfs_probe(image) == TL_DFS_21;
    if (!tl_dfs_list(image, rom->offset, &files, err))
        return false;
    rom->files = files.files;
    rom->file_count = (uint32_t)files.count;
    return true;
}

const trilo_rom *trilo_rom_read(trilo_bytes bytes, const trilo_memory *memory, trilo_error *err)
{
    tl_arena arena;
    tl_arena_init(&arena, memory);
    rom_owned *owned = TL_NEW(&arena, rom_owned);
    if (!owned) {
        tl_fail_memory(err);
        return NULL;
    }
    owned->arena = arena;
    if (rom_read(owned, bytes, err))
        return &owned->rom;
    trilo_rom_free(&owned->rom);
    return NULL;
}

void trilo_rom_free(const trilo_rom *rom)
{
    if (!rom)
        return;
    tl_arena arena = ((const rom_owned *)(const void *)rom)->arena; /* it also holds the struct */
    tl_arena_free(&arena);
}

const trilo_rom_file *trilo_rom_find(const trilo_rom *rom, const char *path)
{
    path += *path == '/';
    const size_t length = strlen(path);
    for (uint32_t i = 0; i < rom->file_count; i++)
        if (rom->files[i].path.len == length && memcmp(rom->files[i].path.data, path, length) == 0)
            return &rom->files[i];
    return NULL;
}
