/* The encoder as a whole, and the objects of the file. */
#include "formats/t3dm/encode/encode.h"
#include "base/strict_float.h"

#include "formats/t3dm/encode/store.h"
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* --- findings --- */

void tl_t3dm_enter(t3dm_encoder *e, const char *list, uint32_t index, trilo_str name)
{
    tl_path_push(&e->losses->path, list, index);
    e->subject = name;
}

void tl_t3dm_leave(t3dm_encoder *e)
{
    tl_path_pop(&e->losses->path);
    e->subject = (trilo_str){"", 0};
}

/* "Brick": and the sentence. */
static void format_finding(const t3dm_encoder *e, char *out, size_t room, const char *format, va_list args)
{
    const int front = e->subject.len > 0 ? snprintf(out, room, "\"%.40s\": ", e->subject.data) : 0;
    vsnprintf(out + front, room - (size_t)front, format, args);
}

bool tl_t3dm_encode_fail(t3dm_encoder *e, enum t3dm_rule_id rule, trilo_code code, const char *format, ...)
{
    char text[sizeof e->err->text];
    va_list args;
    va_start(args, format);
    format_finding(e, text, sizeof text, format, args);
    va_end(args);
    e->err_set = true;
    return tl_fail(e->err, code, t3dm_rule(rule), TRILO_NOWHERE, &e->losses->path, "%s", text);
}

static t3dm_kept_finding *keep_finding(t3dm_kept_findings *kept_findings, enum t3dm_rule_id rule)
{
    t3dm_kept_finding *finding = TL_NEW(kept_findings->arena, t3dm_kept_finding);
    if (!finding) {
        kept_findings->incomplete = true;
        return NULL;
    }
    finding->rule = rule;
    if (kept_findings->last)
        kept_findings->last->next = finding;
    else
        kept_findings->first = finding;
    kept_findings->last = finding;
    return finding;
}

void tl_t3dm_report_loss(t3dm_encoder *e, enum t3dm_rule_id rule, const char *format, ...)
{
    char text[sizeof e->err->text];
    va_list args;
    va_start(args, format);
    format_finding(e, text, sizeof text, format, args);
    va_end(args);
    tl_report_finding(e->losses, t3dm_rule(rule), TRILO_NOWHERE, "%s", text);
    if (!e->kept_findings)
        return;
    t3dm_kept_finding *finding = keep_finding(e->kept_findings, rule);
    va_start(args, format);
    if (finding)
        vsnprintf(finding->text, sizeof finding->text, format, args);
    va_end(args);
}

void tl_t3dm_report_again(t3dm_encoder *e, const t3dm_kept_findings *kept_findings)
{
    for (const t3dm_kept_finding *finding = kept_findings->first; finding; finding = finding->next)
        tl_t3dm_report_loss(e, finding->rule, "%s", finding->text);
}

/* --- one mesh --- */

typedef struct encoded_mesh {
    tl_batch_output batches;
    t3dm_welded vertices;
    t3dm_extent extent;
    uint32_t (*triangles)[3], triangle_count;
} encoded_mesh;

/* Two vertices with one position and one bone: a triangle with both has no area in any pose. */
static bool corners_coincide(const t3dm_welded *w, uint32_t a, uint32_t b)
{
    return w->bones[a] == w->bones[b] &&
           memcmp(w->vertices[a].position, w->vertices[b].position, sizeof w->vertices[a].position) == 0;
}

static bool is_degenerate(const t3dm_welded *w, const uint32_t t[3])
{
    return corners_coincide(w, t[0], t[1]) || corners_coincide(w, t[1], t[2]) || corners_coincide(w, t[2], t[0]);
}

/* Rounding makes triangles degenerate. They are dropped, unless nothing would be left of the mesh. */
static bool make_triangles(t3dm_encoder *e, const trilo_mesh *mesh, const trilo_mesh *used, encoded_mesh *p)
{
    const bool reversed = e->policy.fix_mirrored && mesh->skin == TRILO_NONE && mesh->node != TRILO_NONE &&
                          e->node_bindings[mesh->node].mirrored;
    const uint32_t count = used->index_count / 3;
    uint32_t kept = 0;
    if (reversed)
        tl_t3dm_report_loss(e, T3DM_R_MIRRORED,
                            "the node mirrors the mesh; its triangles are reversed so that they face as in the source");
    p->triangle_count = count;
    p->triangles = tl_array_raw(e->arena, count, sizeof *p->triangles);
    if (!p->triangles)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < 3; k++)
            p->triangles[i][k] = p->vertices.remap[used->indices[3 * (size_t)i + (reversed ? 2 - k : k)]];
        kept += is_degenerate(&p->vertices, p->triangles[i]) ? 0 : 1;
    }
    if (!e->policy.drop_degenerate || kept == 0 || kept == count)
        return true;
    tl_t3dm_report_loss(e, T3DM_R_DROPPED,
                        "%" PRIu32 " of %" PRIu32 " triangles have no area on the console and were removed",
                        count - kept, count);
    p->triangle_count = 0;
    for (uint32_t i = 0; i < count; i++)
        if (!is_degenerate(&p->vertices, p->triangles[i]))
            memmove(p->triangles[p->triangle_count++], p->triangles[i], sizeof *p->triangles);
    return true;
}

/* Everything about an object but its bounding box and the offsets in its parts. */
static bool encode_mesh(t3dm_encoder *e, uint32_t number, encoded_mesh *p, t3dm_object *object)
{
    const trilo_mesh *mesh = &e->model->meshes[number], *used;
    const uint32_t material = e->material_of_mesh[number];
    *p = (encoded_mesh){.extent.largest = 0};
    if (!tl_t3dm_weld(e, mesh, &e->file->materials[material], &p->vertices, &used, &p->extent))
        return false;
    if (p->extent.overflows)
        return true; /* refused when the extents of all are known */
    if (!make_triangles(e, mesh, used, p))
        return false;
    t3dm_indexed_mesh indexed = {p->vertices.vertices, p->vertices.bones, p->vertices.count, p->triangles,
                                 p->triangle_count};
    if ((e->opts->t3dm->share_repeats || e->opts->t3dm->drop_unused) &&
        !tl_t3dm_merge_repeats(e->arena, &e->file->materials[material], &indexed, NULL))
        return false;
    const tl_batch_input in = {.vertex_count = p->vertices.count,
                               .triangle_count = p->triangle_count,
                               .triangles = (const uint32_t(*)[3])p->triangles,
                               .bones = p->vertices.bones,
                               .strips = true,
                               .sequences = e->file->version >= T3DM_V4,
                               .level = e->opts->t3dm->level,
                               .resident = e->opts->t3dm->resident,
                               .progress = e->losses};
    if (!tl_batch(e->arena, &in, &p->batches))
        return false;
    if (p->batches.part_count > UINT16_MAX)
        return tl_t3dm_encode_fail(e, T3DM_R_RANGE_COUNT, TRILO_CODE_LIMIT,
                                   "%" PRIu32 " parts, an object can have 65535; split it", p->batches.part_count);
    object->head = (t3dm_object_head){
        .part_count = (uint16_t)p->batches.part_count,
        .triangle_count = (uint16_t)p->triangle_count,
        .material = material,
    };
    object->parts = TL_ARRAY(e->arena, p->batches.part_count, t3dm_part);
    return object->parts && tl_t3dm_add_string(e, mesh->name.data, &object->head.name);
}

static void extend_box(int16_t min[3], int16_t max[3], const int16_t low[3], const int16_t high[3], bool first)
{
    for (int k = 0; k < 3; k++) {
        min[k] = first || low[k] < min[k] ? low[k] : min[k];
        max[k] = first || high[k] > max[k] ? high[k] : max[k];
    }
}

static void compute_bounding_boxes(t3dm_file *file, const encoded_mesh *meshes)
{
    for (uint32_t i = 0; i < file->object_count; i++) {
        t3dm_object_head *head = &file->objects[i].head;
        const tl_batch_output *batches = &meshes[i].batches;
        for (uint32_t k = 0; k < batches->vertex_count; k++) {
            const int16_t *position = meshes[i].vertices.vertices[batches->vertices[k]].position;
            extend_box(head->min, head->max, position, position, k == 0);
        }
        extend_box(file->header.min, file->header.max, head->min, head->max, i == 0);
    }
}

/* The mesh that extends furthest decides which scale fits all. */
static bool check_extent(t3dm_encoder *e, const encoded_mesh *meshes)
{
    uint32_t furthest = 0;
    bool overflows = false;
    for (uint32_t i = 0; i < e->mesh_count; i++) {
        overflows = overflows || meshes[i].extent.overflows;
        furthest = meshes[i].extent.largest <= meshes[furthest].extent.largest ? furthest : i;
    }
    const double largest = e->mesh_count > 0 ? meshes[furthest].extent.largest : 0;
    if (!overflows) {
        if (largest > 0 && largest * e->policy.scale < 16)
            tl_t3dm_report_loss(e, T3DM_R_LOST_POSITIONS,
                                "the model is smaller than 16 units at this scale, positions coincide");
        return true;
    }
    /* The largest scale at which the coordinate fits 16 bits, rounded down to a thousandth or to four digits. */
    const double most = INT16_MAX / largest;
    double unit = 1000;
    while (most * unit < 1000 && unit < 1e30)
        unit *= 10;
    tl_t3dm_enter(e, "meshes", e->meshes[furthest], e->model->meshes[e->meshes[furthest]].name);
    tl_t3dm_encode_fail(e, T3DM_R_RANGE_POSITION, TRILO_CODE_LIMIT,
                        "a coordinate of %.6g at scale %.6g is above 32767; the largest scale that fits is %.9g",
                        largest, e->policy.scale, floor(most * unit) / unit);
    tl_t3dm_leave(e);
    return false;
}

/* The chunks after the vertices must start within 16 MiB. */
enum { VERTEX_BYTES_MOST = 1 << T3DM_OFFSET_BITS };

/* Two passes: batch all meshes to know the sizes of the vertex and index chunks, then fill them. */
static bool encode_objects(t3dm_encoder *e)
{
    t3dm_file *file = e->file;
    encoded_mesh *meshes = TL_ARRAY(e->arena, e->mesh_count, encoded_mesh);
    file->objects = TL_ARRAY(e->arena, e->mesh_count, t3dm_object);
    if (!meshes || !file->objects)
        return false;
    size_t vertices = 0, indices = 0;
    e->losses->total = e->mesh_count + e->model->clip_count;
    for (uint32_t i = 0; i < e->mesh_count; i++) {
        encoded_mesh *p = &meshes[i];
        tl_t3dm_enter(e, "meshes", e->meshes[i], e->model->meshes[e->meshes[i]].name);
        const bool ok = encode_mesh(e, e->meshes[i], p, &file->objects[i]);
        tl_t3dm_leave(e);
        if (!ok || !tl_report_step(e->losses))
            return false;
        vertices += (size_t)p->batches.vertex_count * T3DM_VERTEX_SIZE;
        if (vertices >= VERTEX_BYTES_MOST) /* would be found later, too, but after much work */
            return tl_t3dm_encode_fail(e, T3DM_R_RANGE_SIZE, TRILO_CODE_LIMIT,
                                       "the vertices alone need more than 16 MiB");
        for (uint32_t k = 0; k < p->batches.part_count; k++) {
            const t3dm_part part = tl_t3dm_part_of(&p->batches.parts[k]);
            indices = tl_t3dm_indices_end(&part, indices);
        }
    }
    if (!check_extent(e, meshes))
        return false;
    file->object_count = e->mesh_count;
    t3dm_store store;
    if (!tl_t3dm_store_init(&store, e->arena, file->version, e->opts->t3dm->share_vertices, vertices, indices))
        return false;
    for (uint32_t i = 0; i < file->object_count; i++)
        tl_t3dm_store_batches(&store, &meshes[i].batches, meshes[i].vertices.vertices, &file->objects[i]);
    tl_t3dm_store_finish(&store, file);
    compute_bounding_boxes(file, meshes);
    return true;
}

static bool encode_t3dm(t3dm_encoder *e)
{
    const trilo_model *model = e->model;
    const trilo_t3dm_write_opts *opts = e->opts->t3dm;
    t3dm_file *file = e->file = TL_NEW(e->arena, t3dm_file);
    t3dm_chunk *custom = TL_ARRAY(e->arena, (size_t)model->chunk_count + opts->chunk_count, t3dm_chunk);
    if (!file || !custom)
        return false;
    file->version = e->opts->t3dm->version ? e->opts->t3dm->version : T3DM_V4;
    if (file->version > T3DM_V4)
        return tl_t3dm_encode_fail(e, T3DM_R_VERSION, TRILO_CODE_UNSUPPORTED,
                                   "version %" PRIu32 ", 1 to 4 can be written", file->version);
    memcpy(file->header.magic, "T3M", 3);
    file->header.version = (uint8_t)file->version;
    e->policy = tl_t3dm_policy_of(model, e->opts);
    if ((opts->skin_fit || opts->helper_bones > 0) && !tl_t3dm_fit_skins(e))
        return false;
    if (!tl_t3dm_order_meshes(e) || !tl_t3dm_encode_bones(e) || !tl_t3dm_encode_materials(e) || !encode_objects(e) ||
        !tl_t3dm_encode_clips(e))
        return false;
    if (e->policy.drop_empty && !opts->allow_empty && file->object_count == 0 && file->animation_count == 0)
        return tl_t3dm_encode_fail(e, T3DM_R_EMPTY, TRILO_CODE_UNSUPPORTED,
                                   "the model has no triangle, nothing would be written");
    if (!tl_t3dm_encode_bvh(e) || !tl_t3dm_reserve_strings(e, 0))
        return false;
    uint32_t count = 0;
    for (uint64_t i = 0; i < (uint64_t)model->chunk_count + opts->chunk_count; i++) {
        const trilo_chunk *chunk = i < model->chunk_count ? &model->chunks[i] : &opts->chunks[i - model->chunk_count];
        if (chunk->type == '\0' || !t3dm_is_custom(chunk->type) || chunk->bytes.size > UINT32_MAX)
            tl_t3dm_report_loss(e, T3DM_R_LOST_CHUNK, "a custom chunk has a letter that T3DM uses and is not written");
        else
            custom[count++] = (t3dm_chunk){chunk->type, 0, (uint32_t)chunk->bytes.size, TRILO_NONE, chunk->bytes.data};
    }
    file->strings = (trilo_bytes){(const uint8_t *)e->strings, e->strings_size};
    e->err_set = !tl_t3dm_layout_file(file, custom, count, e->arena, e->err);
    return !e->err_set;
}

void *tl_t3dm_encode(const trilo_model *model, const trilo_write_opts *opts, tl_arena *arena, tl_report *losses,
                     trilo_error *err)
{
    t3dm_encoder e = {.model = model, .opts = opts, .arena = arena, .losses = losses, .err = err};
    if (encode_t3dm(&e))
        return e.file;
    if (!e.err_set)
        tl_fail_memory(err);
    return NULL;
}
