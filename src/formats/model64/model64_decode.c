/* From a checked file to the neutral model.
 *
 * Each slot that draws something becomes a mesh. The corners of its triangles are stored vertices, some with a texture
 * coordinate or a colour of their own; equal corners become one vertex. Where a vertex is, at rest and in every frame,
 * is then looked up in the blocks. */
#include "base/strict_float.h"
#include "formats/model64/model64.h"

#include "base/hash_table.h"
#include "model/units.h"
#include <stdio.h>
#include <string.h>

typedef struct model64_decoder {
    const model64_file *file;
    tl_arena *arena, scratch;
    trilo_model *model;
    trilo_model64_colors colors;
    float texcoord_unit;
    float unorm8[256];
} model64_decoder;

/* --- what the vertices' colours are --- */

trilo_model64_colors tl_model64_colors(const model64_file *file)
{
    uint32_t zeros = 0, alphas = 0, normals = 0;
    const uint32_t count = file->default_block ? file->vertex_count : 0;
    if (file->opts.colors != TRILO_MODEL64_COLORS_AUTO)
        return file->opts.colors;
    for (int i = 0; i < MODEL64_SLOTS; i++)
        for (size_t at = 0; at < file->lists[i].used; at += TL_F3DEX_COMMAND_SIZE)
            if (tl_gfx_lights(tl_gfx_at(file->lists[i].bytes + at)))
                return TRILO_MODEL64_COLORS_NORMALS;
    for (uint32_t i = 0; i < count; i++) {
        const model64_vertex v = model64_vertex_at(file->default_block, i);
        zeros += memcmp(v.color, (const uint8_t[4]){0}, sizeof v.color) == 0 ? 1 : 0;
        alphas += v.color[3] != 0 ? 1 : 0;
        int square = 0;
        for (int j = 0; j < 3; j++)
            square += (int8_t)v.color[j] * (int8_t)v.color[j];
        normals += (square >= 100 * 100 && square <= 156 * 156) ? 1 : 0;
    }
    if (zeros == count)
        return TRILO_MODEL64_COLORS_NONE;
    return alphas == 0 && normals >= count - normals ? TRILO_MODEL64_COLORS_NORMALS : TRILO_MODEL64_COLORS_RGBA;
}

/* --- corners --- */

/* The vertices of a mesh while its triangles come in, found again through a table. */
typedef struct model64_mesh_builder {
    gfx_corner *corners;
    uint32_t corner_count, index_count;
    uint32_t *indices;
    tl_hash_table table;
    bool no_memory;
} model64_mesh_builder;

static int model64_decode_compare(const void *rows, uint32_t a, uint32_t b)
{
    return tl_gfx_corner_compare((const gfx_corner *)rows + a, (const gfx_corner *)rows + b);
}

/* The top bits of a product depend on all bits of its factors: they go to the bottom, which makes the slot. */
static uint32_t model64_decode_hash(const gfx_corner *c)
{
    const uint64_t st = c->has_st ? (uint64_t)(uint16_t)c->st[0] << 16 | (uint16_t)c->st[1] : UINT64_C(1) << 32;
    const uint64_t rgba = c->has_rgba ? tl_get_u32be(c->rgba) : UINT64_C(1) << 33;
    const uint64_t mixed = (st * 0x9E3779B97F4A7C15u >> 7) ^ (rgba * 0xC2B2AE3D27D4EB4Fu >> 9) ^ c->vertex;
    const uint64_t product = mixed * 0xD6E8FEB86659FD93u;
    return (uint32_t)(product >> 32 ^ product >> 48);
}

static uint32_t model64_decode_corner(model64_mesh_builder *b, const gfx_corner *corner)
{
    b->corners[b->corner_count] = *corner;
    const uint32_t found = tl_hash_table_add_inline(&b->table, model64_decode_compare, b->corners,
                                                    model64_decode_hash(corner), b->corner_count);
    b->corner_count += found == b->corner_count ? 1 : 0;
    b->no_memory |= found == TRILO_NONE;
    return found;
}

/* A known bug of an exporter repeats a triangle: the repetition is skipped. */
static uint32_t model64_first_triangle(const gfx_step *step)
{
    return step->repeats ? 1 : 0;
}

static uint32_t model64_loadable_vertices(const model64_file *file)
{
    return file->default_block ? file->vertex_count : 0;
}

/* How much a list draws. A corner comes from a load or from a change of one. */
typedef struct model64_list_limits {
    size_t triangles, corners; /* at most that many different corners */
} model64_list_limits;

static model64_list_limits model64_decode_limits(const model64_file *file, const gfx_list *list)
{
    gfx_run run = tl_gfx_run(list, model64_loadable_vertices(file));
    model64_list_limits a = {0, 0};
    for (gfx_step step; tl_gfx_next(&run, &step);) {
        a.triangles += step.triangle_count - model64_first_triangle(&step);
        a.corners += step.load_count + (gfx_opcode(step.command) == GFX_MODIFYVTX ? 1 : 0);
    }
    if (a.corners / 3 >= a.triangles)
        a.corners = 3 * a.triangles;
    return a;
}

/* Every block of frames may move the corners of every list. */
void tl_model64_count(const model64_file *file, tl_expansion *expansion)
{
    for (uint32_t i = 0; i < MODEL64_SLOTS; i++) {
        const model64_list_limits a =
            file->lists[i].bytes ? model64_decode_limits(file, &file->lists[i]) : (model64_list_limits){0, 0};
        tl_expansion_add(expansion, a.triangles, 3);
        tl_expansion_add(expansion, a.corners, 1 + (uint64_t)file->block_count);
    }
}

/* --- vertex arrays --- */

static bool model64_decode_fill_positions(model64_decoder *d, const model64_mesh_builder *b, const uint8_t *block,
                                          const float (**out)[3])
{
    float(*positions)[3] = tl_array_raw(d->arena, b->corner_count, sizeof *positions);
    for (uint32_t i = 0; positions && i < b->corner_count; i++) {
        const model64_vertex v = model64_vertex_at(block, b->corners[i].vertex);
        for (int k = 0; k < 3; k++)
            positions[i][k] = v.position[k];
    }
    *out = (const float(*)[3])positions;
    return positions != NULL;
}

/* As long as their bytes make them, so that encoding finds the same bytes. */
static bool model64_decode_fill_normals(model64_decoder *d, const model64_mesh_builder *b, const uint8_t *block,
                                        const float (**out)[3])
{
    float(*normals)[3] = tl_array_raw(d->arena, b->corner_count, sizeof *normals);
    for (uint32_t i = 0; normals && i < b->corner_count; i++) {
        const model64_vertex v = model64_vertex_at(block, b->corners[i].vertex);
        for (int k = 0; k < 3; k++)
            normals[i][k] = (float)(int8_t)v.color[k] / 128;
    }
    *out = (const float(*)[3])normals;
    return normals != NULL;
}

static bool model64_decode_fill_uvs(model64_decoder *d, const model64_mesh_builder *b, const float (**out)[2])
{
    float(*uvs)[2] = tl_array_raw(d->arena, b->corner_count, sizeof *uvs);
    for (uint32_t i = 0; uvs && i < b->corner_count; i++) {
        const gfx_corner *c = &b->corners[i];
        const model64_vertex v = model64_vertex_at(d->file->default_block, c->vertex);
        for (int k = 0; k < 2; k++)
            uvs[i][k] = (float)(c->has_st ? c->st[k] : v.st[k]) * d->texcoord_unit;
    }
    *out = (const float(*)[2])uvs;
    return uvs != NULL;
}

/* Where vertices have no colours, corners may still have some: the others are white then. */
static bool model64_decode_fill_colors(model64_decoder *d, const model64_mesh_builder *b, const float (**out)[4])
{
    static const uint8_t white[4] = {255, 255, 255, 255};
    float(*colors)[4] = tl_array_raw(d->arena, b->corner_count, sizeof *colors);
    for (uint32_t i = 0; colors && i < b->corner_count; i++) {
        const gfx_corner *c = &b->corners[i];
        const model64_vertex v = model64_vertex_at(d->file->default_block, c->vertex);
        const uint8_t *rgba = c->has_rgba ? c->rgba : d->colors == TRILO_MODEL64_COLORS_RGBA ? v.color : white;
        for (int k = 0; k < 4; k++)
            colors[i][k] = d->unorm8[rgba[k]];
    }
    *out = (const float(*)[4])colors;
    return colors != NULL;
}

static bool model64_decode_any_uv(const model64_decoder *d, const model64_mesh_builder *b)
{
    for (uint32_t i = 0; i < b->corner_count; i++) {
        const model64_vertex v = model64_vertex_at(d->file->default_block, b->corners[i].vertex);
        if (b->corners[i].has_st || v.st[0] != 0 || v.st[1] != 0)
            return true;
    }
    return false;
}

static bool model64_decode_fill_mesh(model64_decoder *d, const model64_mesh_builder *b, uint32_t slot, trilo_mesh *out)
{
    const uint8_t *block = d->file->default_block;
    bool any_color = d->colors == TRILO_MODEL64_COLORS_RGBA;
    for (uint32_t i = 0; i < b->corner_count && !any_color; i++)
        any_color = b->corners[i].has_rgba;
    *out = (trilo_mesh){.name = {"", 0},
                        .material = slot,
                        .node = TRILO_NONE,
                        .skin = TRILO_NONE,
                        .vertex_count = b->corner_count,
                        .index_count = b->index_count,
                        .indices = b->indices};
    return model64_decode_fill_positions(d, b, block, &out->positions) &&
           (d->colors != TRILO_MODEL64_COLORS_NORMALS || model64_decode_fill_normals(d, b, block, &out->normals)) &&
           (!model64_decode_any_uv(d, b) || model64_decode_fill_uvs(d, b, &out->uvs)) &&
           (!any_color || model64_decode_fill_colors(d, b, &out->colors));
}

/* --- frames --- */

/* What a block gives to a mesh, made when the first frame needs it. */
typedef struct model64_block_arrays {
    bool made;
    const float (*positions)[3], (*normals)[3];
} model64_block_arrays;

static bool model64_decode_normals_differ(const model64_decoder *d, const model64_mesh_builder *b, const uint8_t *block)
{
    for (uint32_t i = 0; i < b->corner_count; i++) {
        const model64_vertex v = model64_vertex_at(block, b->corners[i].vertex);
        const model64_vertex rest = model64_vertex_at(d->file->default_block, b->corners[i].vertex);
        if (memcmp(v.color, rest.color, 3) != 0)
            return true;
    }
    return false;
}

static bool model64_decode_block(model64_decoder *d, const model64_mesh_builder *b, uint32_t row,
                                 model64_block_arrays *s)
{
    const uint8_t *block = d->file->vertices.data + d->file->blocks[row];
    const bool normals = d->colors == TRILO_MODEL64_COLORS_NORMALS && model64_decode_normals_differ(d, b, block);
    s->made = model64_decode_fill_positions(d, b, block, &s->positions) &&
              (!normals || model64_decode_fill_normals(d, b, block, &s->normals));
    return s->made;
}

/* Of frames that start at the same time only the last is visible. */
static bool model64_decode_track(model64_decoder *d, const model64_mesh_builder *b, const model64_animation *from,
                                 uint32_t mesh, model64_block_arrays *shapes, trilo_track *out)
{
    const uint32_t count = (uint32_t)from->head.frame_count;
    trilo_frame *frames = TL_ARRAY(d->arena, count, trilo_frame);
    uint32_t kept = 0;
    if (!frames)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const double time = model64_frame_at(from, i).time;
        model64_block_arrays *s = &shapes[from->blocks[i]];
        if (!s->made && !model64_decode_block(d, b, from->blocks[i], s))
            return false;
        if (kept > 0 && frames[kept - 1].time == time)
            kept--;
        frames[kept++] = (trilo_frame){.time = time, .positions = s->positions, .normals = s->normals};
    }
    *out = (trilo_track){.mesh = mesh, .frame_count = kept, .frames = frames};
    return true;
}

static bool model64_decode_clips(model64_decoder *d)
{
    const uint32_t count = (uint32_t)d->file->head.animation_count;
    trilo_clip *clips = TL_ARRAY(d->arena, count, trilo_clip);
    if (!clips)
        return false;
    d->model->clips = clips;
    for (uint32_t i = 0; i < count; i++, d->model->clip_count++) {
        const model64_animation *a = &d->file->animations[i];
        const float duration = a->head.duration;
        const float last = a->head.frame_count > 0 ? model64_frame_at(a, (uint32_t)a->head.frame_count - 1).time : 0;
        clips[i] = (trilo_clip){
            .name = {"", 0}, .duration = tl_is_finite(duration) && duration >= last && duration > 0 ? duration : last};
        clips[i].tracks = TL_ARRAY(d->arena, d->model->mesh_count, trilo_track);
        if (!clips[i].tracks)
            return false;
    }
    return true;
}

/* --- all of it --- */

static bool model64_decode_mesh(model64_decoder *d, uint32_t slot, model64_list_limits most, uint32_t mesh)
{
    model64_mesh_builder b = {.no_memory = false};
    b.corners = tl_array_raw(&d->scratch, most.corners + 1, sizeof *b.corners); /* one to look up */
    b.indices = tl_array_raw(d->arena, 3 * most.triangles, sizeof *b.indices);
    if (!b.corners || !b.indices ||
        !tl_hash_table_init(&b.table, &d->scratch, most.corners, model64_decode_compare, b.corners))
        return false;
    gfx_run run = tl_gfx_run(&d->file->lists[slot], model64_loadable_vertices(d->file));
    for (gfx_step step; tl_gfx_next(&run, &step);)
        for (uint32_t t = model64_first_triangle(&step); t < step.triangle_count; t++)
            for (int i = 0; i < 3; i++)
                b.indices[b.index_count++] = model64_decode_corner(&b, &step.triangles[t][i]);
    if (b.no_memory || !model64_decode_fill_mesh(d, &b, slot, (trilo_mesh *)(uintptr_t)&d->model->meshes[mesh]))
        return false;
    model64_block_arrays *shapes = TL_ARRAY(&d->scratch, d->file->block_count, model64_block_arrays);
    if (!shapes)
        return false;
    for (uint32_t i = 0; i < d->model->clip_count; i++) {
        trilo_clip *clip = (trilo_clip *)(uintptr_t)&d->model->clips[i];
        trilo_track *tracks = (trilo_track *)(uintptr_t)clip->tracks;
        if (d->file->animations[i].head.frame_count > 0 &&
            !model64_decode_track(d, &b, &d->file->animations[i], mesh, shapes, &tracks[clip->track_count++]))
            return false;
    }
    return true;
}

static bool model64_decode_all(model64_decoder *d)
{
    model64_list_limits amounts[MODEL64_SLOTS] = {{0, 0}};
    uint32_t material_count = 0;
    for (uint32_t i = 0; i < MODEL64_SLOTS; i++) {
        if (d->file->lists[i].bytes)
            amounts[i] = model64_decode_limits(d->file, &d->file->lists[i]);
        if (amounts[i].triangles > 0) {
            d->model->mesh_count++;
            material_count = i + 1;
        }
    }
    d->model->meshes = TL_ARRAY(d->arena, d->model->mesh_count, trilo_mesh);
    if (!d->model->meshes)
        return false;
    trilo_material *materials = TL_ARRAY(d->arena, material_count, trilo_material);
    if (!materials)
        return false;
    d->model->materials = materials;
    for (uint32_t i = 0; i < material_count; i++, d->model->material_count++) {
        char name[16];
        const int length = snprintf(name, sizeof name, "slot%u", (unsigned)i);
        materials[i] = (trilo_material){
            .name = tl_str_copy(d->arena, name, (size_t)length), .base_color = {1, 1, 1, 1}, .texture = TRILO_NONE};
        if (!materials[i].name.data)
            return false;
    }
    if (!model64_decode_clips(d))
        return false;
    for (uint32_t i = 0, mesh = 0; i < MODEL64_SLOTS; i++)
        if (amounts[i].triangles > 0 && !model64_decode_mesh(d, i, amounts[i], mesh++))
            return false;
    return true;
}

bool tl_model64_decode(const void *model64, tl_arena *arena, trilo_model *model, trilo_error *err)
{
    model64_decoder d = {.file = model64, .arena = arena, .model = model, .colors = tl_model64_colors(model64)};
    const uint32_t bits = d.file->opts.texcoord_bits ? d.file->opts.texcoord_bits : MODEL64_BITS;
    const trilo_memory memory = {arena->fn, arena->user, arena->left ? arena->left : 1}; /* 0 would be any number */
    if (bits > 31)
        return tl_fail(err, TRILO_CODE_MISUSE, &tl_general_rules[TL_CALL_MISUSE], TRILO_NOWHERE, NULL,
                       "%u bits of a texture coordinate, 31 is the most", (unsigned)bits);
    d.texcoord_unit = 1.0f / (float)(1u << bits);
    for (int i = 0; i < 256; i++)
        d.unorm8[i] = (float)i / 255.0f;
    model->units_per_meter = TRILO_N64_UNITS_PER_METER;
    tl_arena_init(&d.scratch, &memory);
    const bool ok = model64_decode_all(&d);
    tl_arena_free(&d.scratch);
    return ok || tl_fail_memory(err);
}
