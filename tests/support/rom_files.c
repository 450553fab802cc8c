#include "support/rom_files.h"

#include <stdlib.h>
#include <string.h>

static void put32(buffer *b, uint32_t value)
{
    const uint8_t bytes[4] = {(uint8_t)(value >> 24), (uint8_t)(value >> 16), (uint8_t)(value >> 8), (uint8_t)value};
    buffer_sink(b, bytes, 4);
}

static void set32(buffer *b, size_t at, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        b->data[at + (size_t)i] = (uint8_t)(value >> (24 - 8 * i));
}

static void pad(buffer *b, size_t size)
{
    static const uint8_t zeros[4096];
    while (b->size < size)
        buffer_sink(b, zeros, size - b->size < sizeof zeros ? size - b->size : sizeof zeros);
}

static void pad_to(buffer *b, size_t align)
{
    pad(b, (b->size + align - 1) / align * align);
}

/* The next item of the same folder; count: none. */
static size_t next_of(const rom_item *items, size_t count, size_t index)
{
    for (size_t i = index + 1; i < count && items[i].depth >= items[index].depth; i++)
        if (items[i].depth == items[index].depth)
            return i;
    return count;
}

static uint32_t type_and_size(const rom_item *item)
{
    return item->text ? (uint32_t)strlen(item->text) : 1u << 28;
}

buffer rom_dfs20(const rom_item *items, size_t count)
{
    buffer b = {0};
    size_t *entries = calloc(count + 1, sizeof *entries);
    put32(&b, 0xDEADBEEF);
    put32(&b, 0xFFFFFFFF);
    buffer_sink(&b, "DragonFS 2.0", 13);
    pad_to(&b, 256);
    for (size_t i = 0; i < count; i++) {
        entries[i] = b.size;
        put32(&b, 0);
        put32(&b, type_and_size(&items[i]));
        buffer_sink(&b, items[i].name, strlen(items[i].name) + 1);
        pad(&b, entries[i] + 252);
        put32(&b, 0);
        if (!items[i].text)
            continue;
        set32(&b, entries[i] + 252, (uint32_t)b.size);
        buffer_sink(&b, items[i].text, strlen(items[i].text));
        pad_to(&b, 256);
    }
    for (size_t i = 0; i < count; i++) {
        const size_t next = next_of(items, count, i);
        set32(&b, entries[i], next < count ? (uint32_t)entries[next] : 0);
        if (!items[i].text && i + 1 < count && items[i + 1].depth > items[i].depth)
            set32(&b, entries[i] + 252, (uint32_t)entries[i + 1]);
    }
    free(entries);
    return b;
}

/* Path of an item from the root, as the lookup table has it. */
static void path_of(const rom_item *items, size_t index, char *out)
{
    const rom_item *chain[16];
    int depth = items[index].depth;
    chain[depth] = &items[index];
    for (size_t i = index; i-- > 0 && depth > 0;)
        if (items[i].depth == depth - 1)
            chain[--depth] = &items[i];
    out[0] = '\0';
    for (int i = 0; i <= items[index].depth; i++) {
        strcat(out, i ? "/" : "");
        strcat(out, chain[i]->name);
    }
}

buffer rom_dfs21(const rom_item *items, size_t count)
{
    buffer b = {0}, table = {0}, pool = {0};
    size_t *entries = calloc(count + 1, sizeof *entries);
    uint32_t files = 0;
    put32(&b, 0);
    put32(&b, 0xFFFFFFFF);
    put32(&b, 0);
    buffer_sink(&b, "DragonFS 2.1", 13);
    pad_to(&b, 2);
    for (size_t i = 0; i < count; i++) {
        char path[1024];
        uint32_t hash = 0;
        entries[i] = b.size;
        put32(&b, 0);
        put32(&b, type_and_size(&items[i]));
        put32(&b, 0);
        buffer_sink(&b, items[i].name, strlen(items[i].name) + 1);
        pad_to(&b, 2);
        if (!items[i].text)
            continue;
        set32(&b, entries[i] + 8, (uint32_t)b.size);
        path_of(items, i, path);
        for (const char *c = path; *c; c++)
            hash = 31u * hash + (uint8_t)*c; /* characters are signed, but these names are ASCII */
        put32(&table, hash);
        put32(&table, (uint32_t)(strlen(path) + 1) << 20 | (uint32_t)pool.size);
        put32(&table, (uint32_t)b.size);
        put32(&table, (uint32_t)strlen(items[i].text));
        files++;
        buffer_sink(&pool, path, strlen(path) + 1);
        pad_to(&pool, 2);
        buffer_sink(&b, items[i].text, strlen(items[i].text));
        pad_to(&b, 2);
    }
    for (size_t i = 0; i < count; i++) {
        const size_t next = next_of(items, count, i);
        set32(&b, entries[i], next < count ? (uint32_t)entries[next] : 0);
        if (!items[i].text && i + 1 < count && items[i + 1].depth > items[i].depth)
            set32(&b, entries[i] + 8, (uint32_t)entries[i + 1]);
    }
    set32(&b, 0, (uint32_t)(8 + table.size + pool.size));
    set32(&b, 8, (uint32_t)b.size);
    put32(&b, files);
    put32(&b, (uint32_t)(b.size + 4 + table.size));
    if (table.size > 0)
        buffer_sink(&b, table.data, table.size);
    if (pool.size > 0)
        buffer_sink(&b, pool.data, pool.size);
    buffer_free(&table);
    buffer_free(&pool);
    free(entries);
    return b;
}

static void put_table_entry(buffer *b, rom_table table, uint32_t offset, uint32_t size, const char *name)
{
    const size_t start = b->size;
    put32(b, offset);
    if (table == ROM_TABLE_2026)
        put32(b, size);
    buffer_sink(b, name, strlen(name) + 1);
    pad(b, start + 64);
}

buffer rom_file(const buffer *image, rom_table table, size_t table_at)
{
    enum { PROGRAM = 512, ENTRIES = 3 };
    buffer b = {0};
    put32(&b, 0x80371240);
    pad(&b, table == ROM_TABLE_NONE ? 0x101000 : table_at);
    if (table != ROM_TABLE_NONE) {
        const uint32_t program = (uint32_t)((table_at + 1024 + 255) / 256 * 256), dfs = program + PROGRAM;
        buffer_sink(&b, "TOC0", 4);
        put32(&b, table == ROM_TABLE_2026 ? 0x12345678 : 1024);
        put32(&b, table == ROM_TABLE_2026 ? 1024 : 64);
        put32(&b, table == ROM_TABLE_2026 ? 64u << 16 | ENTRIES : ENTRIES);
        put_table_entry(&b, table, program, PROGRAM, "game.elf.stripped");
        put_table_entry(&b, table, program + 256, 16, "game.sym");
        put_table_entry(&b, table, dfs, (uint32_t)image->size, "game.dfs");
        pad(&b, dfs);
    }
    buffer_sink(&b, image->data, image->size);
    pad_to(&b, 16384);
    return b;
}

void rom_swap(buffer *rom, size_t group)
{
    for (size_t i = 0; i + group <= rom->size; i += group)
        for (size_t k = 0; k < group / 2; k++) {
            const uint8_t byte = rom->data[i + k];
            rom->data[i + k] = rom->data[i + group - 1 - k];
            rom->data[i + group - 1 - k] = byte;
        }
}
