/* The layout of the file: header, animations, frames, display lists, default vertices, and the vertices of every frame
 * that differs from those before. */
#include "formats/model64/encode/encode.h"

#include <inttypes.h>
#include <string.h>

/* --- frames that are equal --- */

static const model64_posed_vertex *model64_file_posed_vertex(const model64_encoder *e, uint32_t pose, uint32_t stored)
{
    return &e->poses[pose][e->vertex_of_point[e->stored[stored].point]];
}

/* Frames are the poses after the default one. Only positions and normals can differ. */
static uint32_t model64_file_frame_hash(const void *rows, uint32_t row)
{
    const model64_encoder *e = rows;
    uint32_t hash = 0;
    for (uint32_t i = 0; i < e->stored_count; i++)
        hash = hash * 16777619u ^ trilo_fnv1a(model64_file_posed_vertex(e, row + 1, i), sizeof(model64_posed_vertex));
    return hash;
}

static int model64_file_frame_compare(const void *rows, uint32_t a, uint32_t b)
{
    const model64_encoder *e = rows;
    int order = 0;
    for (uint32_t i = 0; i < e->stored_count && order == 0; i++)
        order = memcmp(model64_file_posed_vertex(e, a + 1, i), model64_file_posed_vertex(e, b + 1, i),
                       sizeof(model64_posed_vertex));
    return order;
}

typedef struct model64_file_plan {
    uint32_t frame_count, block_count;
    uint32_t *block_of;    /* of each frame */
    uint32_t *first_frame; /* of each block */
    /* in the main section */
    uint64_t frames_at, lists_at, vertices_at, main_size;
    uint64_t block_size, blocks_size;
} model64_file_plan;

/* --- offsets --- */

/* --- content --- */

static void model64_file_store_block(const model64_encoder *e, uint32_t pose, uint8_t *bytes)
{
    for (uint32_t i = 0; i < e->stored_count; i++, bytes += MODEL64_VERTEX_SIZE) {
        const model64_posed_vertex *spot = model64_file_posed_vertex(e, pose, i);
        model64_vertex v = {.flag = 0};
        memcpy(v.position, spot->position, sizeof v.position);
        memcpy(v.st, e->st[e->stored[i].st], sizeof v.st);
        memcpy(v.color, e->rgba[e->stored[i].rgba], sizeof v.color);
        if (e->colors == TRILO_MODEL64_COLORS_NORMALS)
            memcpy(v.color, spot->normal, sizeof v.color);
        tl_layout_store(&tl_model64_vertex, TL_UNVERSIONED, &v, bytes);
    }
}

static bool model64_file_store_frames(model64_encoder *e, const model64_file_plan *p, uint8_t *bytes)
{
    const size_t each = tl_layout_size(&tl_model64_frame, TL_UNVERSIONED);
    e->file->animations = TL_ARRAY(e->arena, e->model->clip_count, model64_animation);
    for (uint32_t i = 0; e->file->animations && i < e->model->clip_count; i++) {
        const model64_motion *motion = &e->motions[i];
        const size_t first = motion->first_pose - 1, at = first * each;
        e->file->animations[i] =
            (model64_animation){.head = {motion->duration, (int32_t)motion->frame_count, (uint32_t)(p->frames_at + at)},
                                .frames = bytes + at};
        for (uint32_t k = 0; k < motion->frame_count; k++) {
            const uint64_t block = p->block_of[first + k] * p->block_size;
            const model64_frame frame = {motion->times[k], tl_model64_inverse(motion, k), (uint32_t)block};
            tl_layout_store(&tl_model64_frame, TL_UNVERSIONED, &frame, bytes + at + k * each);
        }
    }
    return e->file->animations != NULL;
}

uint8_t *tl_model64_new_piece(tl_arena *arena, model64_piece *piece, uint64_t at, uint64_t size)
{
    uint8_t *bytes = tl_array(arena, (size_t)size, 1);
    *piece = (model64_piece){(size_t)at, (size_t)size, bytes};
    return bytes;
}

static bool model64_file_fill_pieces(model64_encoder *e, const model64_file_plan *p)
{
    const uint64_t start = e->file->header.main_at, each = tl_layout_size(&tl_model64_frame, TL_UNVERSIONED);
    model64_piece *pieces = TL_ARRAY(e->arena, MODEL64_PIECE_COUNT, model64_piece);
    if (!pieces)
        return false;
    uint8_t *frames =
        tl_model64_new_piece(e->arena, &pieces[MODEL64_PIECE_FRAMES], start + p->frames_at, p->frame_count * each);
    uint8_t *lists =
        tl_model64_new_piece(e->arena, &pieces[MODEL64_PIECE_LISTS], start + p->lists_at, p->vertices_at - p->lists_at);
    uint8_t *first =
        tl_model64_new_piece(e->arena, &pieces[MODEL64_PIECE_DEFAULT], start + p->vertices_at, p->block_size);
    uint8_t *blocks =
        tl_model64_new_piece(e->arena, &pieces[MODEL64_PIECE_BLOCKS], start + p->main_size, p->blocks_size);
    if (!frames || !lists || !first || !blocks || !model64_file_store_frames(e, p, frames))
        return false;
    size_t at = 0;
    for (uint32_t i = 0; i < e->slot_count; i++) {
        const trilo_bytes list = e->slots[i].list;
        if (list.size == 0)
            continue;
        memcpy(lists + at, list.data, list.size);
        e->file->lists[i] = (gfx_list){.bytes = lists + at, .size = list.size, .used = list.size, .ended = true};
        e->file->head.lists[i] = (uint32_t)(p->lists_at + at);
        at += list.size;
    }
    model64_file_store_block(e, 0, first);
    for (uint32_t i = 0; i < p->block_count; i++)
        model64_file_store_block(e, p->first_frame[i] + 1, blocks + i * (size_t)p->block_size);
    e->file->default_block = first;
    e->file->pieces = pieces;
    e->file->piece_count = MODEL64_PIECE_COUNT;
    return true;
}

bool tl_model64_layout_file(model64_encoder *e)
{
    model64_file_plan p = {.frame_count = 0};
    tl_hash_table table = {.arena = e->arena};
    p.frame_count = e->pose_count - 1;
    p.block_of = TL_ARRAY(e->arena, p.frame_count, uint32_t);
    p.first_frame = TL_ARRAY(e->arena, p.frame_count, uint32_t);
    if (!p.block_of || !p.first_frame ||
        !tl_model64_number(&table, &(model64_rows){e, model64_file_frame_hash, model64_file_frame_compare},
                           p.frame_count, p.block_of, p.first_frame, &p.block_count))
        return false;
    const uint64_t animations = (uint64_t)e->model->clip_count * tl_layout_size(&tl_model64_animation, TL_UNVERSIONED);
    uint64_t lists = 0;
    for (uint32_t i = 0; i < e->slot_count; i++)
        lists += e->slots[i].list.size;
    p.frames_at = tl_layout_size(&tl_model64_main, TL_UNVERSIONED) + animations;
    p.lists_at =
        model64_align(p.frames_at + (uint64_t)p.frame_count * tl_layout_size(&tl_model64_frame, TL_UNVERSIONED));
    p.vertices_at = model64_align(p.lists_at + lists);
    p.block_size = (uint64_t)e->stored_count * MODEL64_VERTEX_SIZE;
    p.blocks_size = p.block_count * p.block_size;
    p.main_size = p.vertices_at + p.block_size;
    const uint64_t blocks_at = tl_layout_size(&tl_model64_header, TL_UNVERSIONED) + p.main_size;
    if (blocks_at > UINT32_MAX || p.blocks_size > UINT32_MAX || e->model->clip_count > INT32_MAX)
        return tl_model64_encode_fail(e, MODEL64_R_TOO_LARGE,
                                      "%" PRIu64 " bytes of lists and vertices, 4 GB is the most",
                                      blocks_at + p.blocks_size);
    if (blocks_at + p.blocks_size > SIZE_MAX)
        return false;
    model64_file *file = e->file;
    const uint32_t start = (uint32_t)tl_layout_size(&tl_model64_header, TL_UNVERSIONED);
    memcpy(file->header.magic, "Model", sizeof file->header.magic);
    file->header.main_at = start;
    file->header.main_size = (uint32_t)p.main_size;
    file->header.vertex_at = start + (uint32_t)p.main_size;
    file->header.vertex_size = (uint32_t)p.blocks_size;
    file->head.vertices = (uint32_t)p.vertices_at;
    file->head.animation_count = (int32_t)e->model->clip_count;
    file->head.frame_size = (uint32_t)p.block_size;
    file->size = (size_t)file->header.vertex_at + file->header.vertex_size;
    file->opts = (trilo_model64_load_opts){.colors = e->colors, .texcoord_bits = e->bits};
    file->vertex_count = e->stored_count;
    return model64_file_fill_pieces(e, &p);
}
