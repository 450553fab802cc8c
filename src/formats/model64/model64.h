/* model64.h: a file of the N64 model format in memory, record by record.
 *
 *   header | main section: main header | animations | frames | display lists | default vertices
 *          | vertex section: vertices of a frame ...
 *
 * Big-endian. That order is usual, but not guaranteed: every position is given by an offset. Offsets in the header
 * count from the start of the file, those of a frame's vertices from the vertex section, all others from the main
 * section. Small records are kept as structs; lists, frames and vertices stay as bytes of the file. Everything keeps
 * its offset, and is written there again.
 */
#ifndef TL_FORMATS_MODEL64_MODEL64_H
#define TL_FORMATS_MODEL64_MODEL64_H

#include "formats/model64/f3dex/gfx.h"
#include "layout/layout.h"
#include "model/expansion.h"
#include "model/format_ops.h"
#include "trilobite/model64.h"

enum {
    MODEL64_SLOTS = TRILO_MODEL64_SLOTS,
    MODEL64_VERTEX_SIZE = 16,
    MODEL64_ALIGN = 16,
    MODEL64_BITS = 11, /* of a texture coordinate, by default */
    MODEL64_GAME_MAIN = TRILO_MODEL64_GAME_MAIN,
    MODEL64_GAME_FRAME = MODEL64_VERTEX_SIZE * TRILO_MODEL64_GAME_VERTICES
};

typedef struct model64_header {
    uint8_t magic[5], padding[11];
    uint32_t main_at, main_size, vertex_at, vertex_size;
} model64_header;

typedef struct model64_main {
    uint32_t vertices; /* the default block */
    uint32_t lists[MODEL64_SLOTS];
    int32_t animation_count;
    uint32_t frame_size; /* bytes of a block of vertices; the only vertex count in the file */
} model64_main;

typedef struct model64_animation_head {
    float duration;
    int32_t frame_count;
    uint32_t frames;
} model64_animation_head;

typedef struct model64_frame {
    float time, inv_dt;
    uint32_t vertices; /* in the vertex section */
} model64_frame;

typedef struct model64_vertex {
    int16_t position[3];
    uint16_t flag;
    int16_t st[2];
    uint8_t color[4]; /* or a signed normal and an unused byte */
} model64_vertex;

typedef struct model64_animation {
    model64_animation_head head;
    const uint8_t *frames;  /* head.frame_count records */
    const uint32_t *blocks; /* for each frame the row in model64_file.blocks; TRILO_NONE: outside the vertex section */
} model64_animation;

/* An array with its offset in the file, for writing. */
typedef struct model64_piece {
    size_t at, size;
    const uint8_t *bytes;
} model64_piece;

typedef struct model64_file {
    trilo_bytes bytes; /* the whole input; empty for a file that was encoded */
    size_t size;       /* of the whole file */
    trilo_model64_load_opts opts;
    trilo_check_profile check_profile;
    model64_header header;
    trilo_bytes main, vertices; /* the sections; of an encoded file the pieces hold the bytes instead */
    model64_main head;
    gfx_list lists[MODEL64_SLOTS]; /* bytes NULL: none, or outside the main section */
    model64_animation *animations;
    uint32_t vertex_count;        /* of a block */
    const uint8_t *default_block; /* of a file without one, that of the first frame; NULL: none, or outside */
    uint32_t block_count;
    const uint32_t *blocks; /* distinct offsets of frame vertices in the vertex section, ascending */
    uint32_t piece_count;
    const model64_piece *pieces; /* the arrays, by offset; header, main header and animations are written separately */
} model64_file;

extern const tl_layout tl_model64_header, tl_model64_main, tl_model64_animation, tl_model64_frame, tl_model64_vertex,
    tl_model64_command;

enum model64_rule_id {
    /* of files */
    MODEL64_R_TRUNCATED,
    MODEL64_R_MAGIC,
    MODEL64_R_SECTION,
    MODEL64_R_OVERLAP,
    MODEL64_R_FRAME_SIZE,
    MODEL64_R_ANIMATIONS,
    MODEL64_R_FRAMES,
    MODEL64_R_DEFAULT_BLOCK,
    MODEL64_R_NO_DEFAULT,
    MODEL64_R_FRAME_BLOCK,
    MODEL64_R_FRAME_OVERLAP,
    MODEL64_R_LIST,
    MODEL64_R_LIST_END,
    MODEL64_R_VERTEX_LOAD,
    MODEL64_R_SLOT,
    MODEL64_R_TIME,
    MODEL64_R_NAN,
    MODEL64_R_TIME_EQUAL,
    MODEL64_R_PADDING,
    MODEL64_R_ALIGN,
    MODEL64_R_RESERVED,
    MODEL64_R_FLAG,
    MODEL64_R_UNUSED,
    MODEL64_R_SLOT_0,
    MODEL64_R_DUPLICATE,
    MODEL64_R_ZERO_AREA,
    MODEL64_R_INV_DT,
    MODEL64_R_FIRST_TIME,
    MODEL64_R_DURATION,
    MODEL64_R_NO_FRAMES,
    MODEL64_R_FRAME_CHANGES,
    MODEL64_R_EQUAL_FRAMES,
    MODEL64_R_ZERO_FRAME,
    MODEL64_R_COMMAND,
    MODEL64_R_NOT_EXECUTED,
    MODEL64_R_TRAILING,
    MODEL64_R_EMPTY,
    /* of the game */
    MODEL64_R_GAME_MAIN,
    MODEL64_R_GAME_FRAME,
    MODEL64_R_GAME_SLOT_0,
    /* of encoding */
    MODEL64_R_MATERIALS,
    MODEL64_R_MERGED,
    MODEL64_R_SLOT_MOVED,
    MODEL64_R_TOO_LARGE,
    MODEL64_R_FRAME_VERTICES,
    MODEL64_R_CLAMPED,
    MODEL64_R_CLAMPED_UV,
    MODEL64_R_COLLAPSED,
    MODEL64_R_TIMES,
    MODEL64_R_REOPTIMIZED,
    MODEL64_R_NOT_REOPTIMIZED,
    MODEL64_R_BAKED,
    MODEL64_R_BAKED_COLOR,
    MODEL64_R_LOST_LINES,
    MODEL64_R_LOST_TEXTURES,
    MODEL64_R_LOST_NAMES,
    MODEL64_R_LOST_MATERIAL,
    MODEL64_R_LOST_MAPS,
    MODEL64_R_LOST_NORMALS,
    MODEL64_R_LOST_COLORS,
    MODEL64_R_LOST_CHUNKS,
    MODEL64_RULE_COUNT
};
extern const trilo_rule tl_model64_rules[MODEL64_RULE_COUNT];

static inline const trilo_rule *model64_rule(enum model64_rule_id id)
{
    return &tl_model64_rules[id];
}

static inline tl_records model64_frames(const model64_animation *animation)
{
    return (tl_records){&tl_model64_frame, TL_UNVERSIONED, animation->frames, (size_t)animation->head.frame_count};
}

static inline model64_frame model64_frame_at(const model64_animation *animation, uint32_t index)
{
    model64_frame frame;
    tl_layout_load(&tl_model64_frame, TL_UNVERSIONED,
                   animation->frames + index * tl_layout_size(&tl_model64_frame, TL_UNVERSIONED), &frame);
    return frame;
}

static inline model64_vertex model64_vertex_at(const uint8_t *block, uint32_t index)
{
    model64_vertex vertex;
    tl_layout_load(&tl_model64_vertex, TL_UNVERSIONED, block + (size_t)MODEL64_VERTEX_SIZE * index, &vertex);
    return vertex;
}

/* Byte offsets in the file of records and of data in the main section. */
static inline uint64_t model64_offset(const model64_file *file, const uint8_t *bytes)
{
    return (uint64_t)(bytes - file->bytes.data);
}
static inline uint64_t model64_animation_at(const model64_file *file, uint32_t index)
{
    return file->header.main_at + tl_layout_size(&tl_model64_main, TL_UNVERSIONED) +
           index * (uint64_t)tl_layout_size(&tl_model64_animation, TL_UNVERSIONED);
}

/* The vertices of a frame; NULL if they are not inside the vertex section. */
const uint8_t *tl_model64_block(const model64_file *file, const model64_frame *frame);
/* The meaning of the last four bytes of vertices; never TRILO_MODEL64_COLORS_AUTO. */
trilo_model64_colors tl_model64_colors(const model64_file *file);

void *tl_model64_read(tl_arena *arena, trilo_bytes bytes, const trilo_load_opts *opts, trilo_error *err);
void tl_model64_check(const void *file, tl_arena *scratch, tl_report *report);
void tl_model64_check_lists(const model64_file *file, tl_arena *scratch, tl_report *report);
void tl_model64_check_animation(const model64_file *file, tl_report *report);
void tl_model64_check_blocks(const model64_file *file, tl_arena *scratch, tl_report *report);

/* Returns false for a block that overlaps the previous one, which is skipped where it would take too long. Call it in
 * ascending order; `end` starts at 0. */
static inline bool model64_block_apart(const model64_file *file, uint32_t row, uint64_t *end)
{
    if (file->blocks[row] < *end)
        return false;
    *end = file->blocks[row] + (uint64_t)file->head.frame_size;
    return true;
}
void tl_model64_write(const void *file, tl_sink *sink);
bool tl_model64_decode(const void *file, tl_arena *arena, trilo_model *model, trilo_error *err);
void tl_model64_count(const model64_file *file, tl_expansion *expansion); /* what decoding makes */
void *tl_model64_encode(const trilo_model *model, const trilo_write_opts *opts, tl_arena *arena, tl_report *losses,
                        trilo_error *err);
bool tl_model64_cost(const void *file, const trilo_cost_opts *opts, tl_arena *arena, trilo_cost *cost,
                     trilo_error *err);
/* Replaces the display lists by cheaper ones with the same triangles; everything else stays. */
void *tl_model64_reoptimize(const void *file, const tl_reoptimize_opts *opts, tl_arena *arena, tl_report *changes,
                            trilo_error *err);
size_t tl_model64_sections(const void *file, trilo_section *sections, size_t room);
void tl_model64_visit(const void *file, const trilo_visitor *visitor);
void tl_model64_reference(tl_sink *sink);
enum { MODEL64_REFERENCE_COUNT = 6 };
extern const tl_layout *const tl_model64_reference_order[MODEL64_REFERENCE_COUNT];
extern const tl_description tl_model64_description;

extern const tl_format tl_format_model64;

#endif
