/* Reoptimizing a finished file: new display lists, and the vertices of every block in the order of their loads. Times,
 * clips and what is drawn stay. When that would not be cheaper, the file stays as it is. */
#include "formats/model64/tune/reoptimize.h"

#include <inttypes.h>
#include <string.h>

/* Triangles that the search looks at, by level. */
static const uint32_t model64_tune_efforts[] = {0, TL_F3DEX_EFFORT / 10, TL_F3DEX_EFFORT, 20 * TL_F3DEX_EFFORT};

/* --- lists --- */

static bool model64_tune_lists(model64_reoptimizer *r, tl_f3dex_output *out)
{
    tl_f3dex_mesh meshes[MODEL64_SLOTS];
    const bool moves = r->from->block_count > 0;
    const tl_f3dex_input in = {.mesh_count = MODEL64_SLOTS,
                               .meshes = meshes,
                               .fixed_rgba = r->fixed_rgba,
                               .max_stored = moves ? r->from->vertex_count : TRILO_NONE,
                               .effort = model64_tune_efforts[r->opts->level < 3 ? r->opts->level : 3]};
    for (int i = 0; i < MODEL64_SLOTS; i++) {
        if (!tl_model64_list_mesh(r->arena, &r->slots[i], &meshes[i]))
            return false;
    }
    return tl_f3dex_lists(r->arena, &in, out);
}

static uint64_t model64_tune_drawn_bytes(const model64_reoptimizer *r, const tl_f3dex_output *out)
{
    uint64_t bytes = 0;
    for (int i = 0; i < MODEL64_SLOTS; i++)
        if (r->from->lists[i].bytes)
            bytes += TL_F3DEX_COMMAND_SIZE * ((uint64_t)out->lists[i].command_count + 1) +
                     (uint64_t)TL_F3DEX_VERTEX_SIZE * out->lists[i].loaded;
    return bytes;
}

/* Fewer bytes to draw, and no more vertices for each frame. */
static bool model64_tune_is_better(const model64_reoptimizer *r, const tl_f3dex_output *out)
{
    const bool moves = r->from->block_count > 0;
    return out->stored_count > 0 && (!moves || out->stored_count <= r->from->vertex_count) &&
           model64_tune_drawn_bytes(r, out) < r->bytes_before;
}

/* --- vertices --- */

/* A block in the new order: each vertex is one of the old block, with the values of its corner. */
static void model64_tune_store_block(const model64_reoptimizer *r, const tl_f3dex_output *out, const uint8_t *old,
                                     uint8_t *bytes)
{
    for (uint32_t i = 0; i < out->stored_count; i++, bytes += MODEL64_VERTEX_SIZE) {
        const model64_corner *corner = &r->slots[out->stored[i].mesh].corners[out->stored[i].corner];
        model64_vertex v = model64_vertex_at(old, r->row_of_point[corner->point]);
        memcpy(v.st, r->st[corner->st], sizeof v.st);
        if (!r->fixed_rgba)
            memcpy(v.color, r->rgba[corner->rgba], sizeof v.color);
        tl_layout_store(&tl_model64_vertex, TL_UNVERSIONED, &v, bytes);
    }
}

/* --- offsets --- */

typedef struct model64_tune_plan {
    uint64_t frames_at, lists_at, vertices_at, main_size; /* in the main section */
    uint64_t block_size, blocks_size;
} model64_tune_plan;

static model64_tune_plan model64_tune_make_plan(const model64_reoptimizer *r, const tl_f3dex_output *out)
{
    const model64_file *from = r->from;
    model64_tune_plan p = {.block_size = (uint64_t)out->stored_count * MODEL64_VERTEX_SIZE};
    uint64_t frames = 0, commands = 0;
    for (int32_t i = 0; i < from->head.animation_count; i++)
        frames += (uint32_t)from->animations[i].head.frame_count;
    for (int i = 0; i < MODEL64_SLOTS; i++)
        commands += from->lists[i].bytes ? (uint64_t)out->lists[i].command_count + 1 : 0;
    p.frames_at = tl_layout_size(&tl_model64_main, TL_UNVERSIONED) +
                  (uint64_t)from->head.animation_count * tl_layout_size(&tl_model64_animation, TL_UNVERSIONED);
    p.lists_at = model64_align(p.frames_at + frames * tl_layout_size(&tl_model64_frame, TL_UNVERSIONED));
    p.vertices_at = model64_align(p.lists_at + commands * TL_F3DEX_COMMAND_SIZE);
    p.main_size = p.vertices_at + (r->own_default ? p.block_size : 0);
    p.blocks_size = from->block_count * p.block_size;
    return p;
}

static void model64_tune_fill_heads(const model64_reoptimizer *r, const model64_tune_plan *p,
                                    const tl_f3dex_output *out, model64_file *to)
{
    const uint32_t start = (uint32_t)tl_layout_size(&tl_model64_header, TL_UNVERSIONED);
    *to = *r->from;
    to->bytes = to->main = to->vertices = (trilo_bytes){NULL, 0};
    to->header.main_at = start;
    to->header.main_size = (uint32_t)p->main_size;
    to->header.vertex_at = start + (uint32_t)p->main_size;
    to->header.vertex_size = (uint32_t)p->blocks_size;
    to->head.vertices = r->own_default ? (uint32_t)p->vertices_at : 0;
    to->head.frame_size = (uint32_t)p->block_size;
    to->vertex_count = out->stored_count;
    to->size = (size_t)to->header.vertex_at + to->header.vertex_size;
}

/* --- content --- */

static void model64_tune_store_frames(const model64_reoptimizer *r, const model64_tune_plan *p, model64_file *to,
                                      uint8_t *bytes)
{
    const size_t each = tl_layout_size(&tl_model64_frame, TL_UNVERSIONED);
    size_t at = 0;
    for (int32_t i = 0; i < to->head.animation_count; i++) {
        const model64_animation *old = &r->from->animations[i];
        model64_animation *animation = &to->animations[i];
        const uint32_t count = (uint32_t)old->head.frame_count;
        *animation = *old;
        animation->head.frames = count > 0 ? (uint32_t)(p->frames_at + at) : old->head.frames;
        animation->frames = bytes + at;
        for (uint32_t k = 0; k < count; k++, at += each) {
            model64_frame frame = model64_frame_at(old, k);
            frame.vertices = (uint32_t)(old->blocks[k] * p->block_size);
            tl_layout_store(&tl_model64_frame, TL_UNVERSIONED, &frame, bytes + at);
        }
    }
}

static bool model64_tune_fill(model64_reoptimizer *r, const model64_tune_plan *p, const tl_f3dex_output *out,
                              model64_file *to)
{
    const uint64_t start = tl_layout_size(&tl_model64_header, TL_UNVERSIONED);
    model64_piece *pieces = TL_ARRAY(r->arena, MODEL64_PIECE_COUNT, model64_piece);
    model64_tune_fill_heads(r, p, out, to);
    to->animations = TL_ARRAY(r->arena, (size_t)to->head.animation_count, model64_animation);
    if (!pieces || !to->animations)
        return false;
    uint8_t *frames =
        tl_model64_new_piece(r->arena, &pieces[MODEL64_PIECE_FRAMES], start + p->frames_at, p->lists_at - p->frames_at);
    uint8_t *lists =
        tl_model64_new_piece(r->arena, &pieces[MODEL64_PIECE_LISTS], start + p->lists_at, p->vertices_at - p->lists_at);
    uint8_t *first = tl_model64_new_piece(r->arena, &pieces[MODEL64_PIECE_DEFAULT], start + p->vertices_at,
                                          p->main_size - p->vertices_at);
    uint8_t *blocks =
        tl_model64_new_piece(r->arena, &pieces[MODEL64_PIECE_BLOCKS], start + p->main_size, p->blocks_size);
    if (!frames || !lists || !first || !blocks)
        return false;
    model64_tune_store_frames(r, p, to, frames);
    size_t at = 0;
    for (int i = 0; i < MODEL64_SLOTS; i++) {
        const size_t size = TL_F3DEX_COMMAND_SIZE * ((size_t)out->lists[i].command_count + 1);
        if (!r->from->lists[i].bytes)
            continue;
        tl_model64_store_list(&r->slots[i], r->st, r->rgba, &out->lists[i], lists + at);
        to->lists[i] = (gfx_list){.bytes = lists + at, .size = size, .used = size, .ended = true};
        to->head.lists[i] = (uint32_t)(p->lists_at + at);
        at += size;
    }
    if (r->own_default)
        model64_tune_store_block(r, out, r->from->default_block, first);
    for (uint32_t i = 0; i < r->from->block_count; i++)
        model64_tune_store_block(r, out, r->from->vertices.data + r->from->blocks[i],
                                 blocks + i * (size_t)p->block_size);
    to->default_block = r->own_default ? first : blocks;
    to->pieces = pieces;
    to->piece_count = MODEL64_PIECE_COUNT;
    return true;
}

/* --- all of it --- */

void *tl_model64_reoptimize(const void *model64, const tl_reoptimize_opts *opts, tl_arena *arena, tl_report *changes,
                            trilo_error *err)
{
    model64_reoptimizer r = {.from = model64, .opts = opts, .arena = arena};
    model64_file *to = TL_NEW(arena, model64_file);
    tl_f3dex_output out = {.stored_count = 0};
    r.own_default = r.from->head.vertices != 0;
    bool ok = to && tl_model64_reoptimize_gather(&r);
    r.unsupported |= ok && (r.point_count > TL_F3DEX_NUMBERS_MOST || r.st_count > TL_F3DEX_NUMBERS_MOST ||
                            r.rgba_count > TL_F3DEX_NUMBERS_MOST);
    if (ok && !r.unsupported)
        ok = model64_tune_lists(&r, &out);
    const model64_tune_plan p =
        ok && !r.unsupported ? model64_tune_make_plan(&r, &out) : (model64_tune_plan){.block_size = 0};
    const uint64_t end = tl_layout_size(&tl_model64_header, TL_UNVERSIONED) + p.main_size + p.blocks_size;
    const bool fits = end <= UINT32_MAX && end <= SIZE_MAX;
    const bool changed = ok && !r.unsupported && model64_tune_is_better(&r, &out) && fits;
    if (ok && changed)
        ok = model64_tune_fill(&r, &p, &out, to);
    if (!ok) {
        tl_fail_memory(err);
        return NULL;
    }
    if (!changed)
        *to = *r.from;
    if (r.unsupported)
        tl_report_finding(
            changes, model64_rule(MODEL64_R_NOT_REOPTIMIZED), TRILO_NOWHERE,
            "a display list does more than draw, or frames change more than positions: the file is unchanged");
    else if (!changed)
        tl_report_finding(changes, model64_rule(MODEL64_R_REOPTIMIZED), TRILO_NOWHERE,
                          "no lists cheaper than the %" PRIu64 " bytes of drawing were found: the file is unchanged",
                          r.bytes_before);
    else
        tl_report_finding(changes, model64_rule(MODEL64_R_REOPTIMIZED), TRILO_NOWHERE,
                          "the display lists were rebuilt: %" PRIu64 " instead of %" PRIu64
                          " bytes to draw them, %" PRIu32 " instead of %" PRIu32 " vertices stored",
                          model64_tune_drawn_bytes(&r, &out), r.bytes_before, out.stored_count, r.from->vertex_count);
    if (changed && r.dropped + r.repeated > 0)
        tl_report_finding(changes, model64_rule(MODEL64_R_COLLAPSED), TRILO_NOWHERE,
                          "%" PRIu32 " triangles were removed: %" PRIu32 " have no area in any frame, %" PRIu32
                          " repeat the previous one",
                          r.dropped + r.repeated, r.dropped, r.repeated);
    return to;
}
