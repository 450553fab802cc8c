/* The parts of an object, counted while they run as on the console. */
#include "base/strict_float.h"
#include "formats/t3dm/cost/cost.h"

#include "formats/t3dm/encode/encode.h"

/* --- vertices that are equal --- */

enum { OBJECT_VERTEX_WORDS = T3DM_VERTEX_SIZE / 4 };

static const uint32_t *object_classes_for(t3dm_classes *c, uint32_t mask)
{
    if (c->of[mask])
        return c->of[mask];
    const t3dm_pair_offsets at = tl_t3dm_pair_offsets();
    uint32_t *words = tl_array_raw(c->scratch, c->row_count, OBJECT_VERTEX_WORDS * sizeof *words);
    uint32_t *ranks = TL_ARRAY(c->scratch, c->row_count, uint32_t),
             *order = TL_ARRAY(c->scratch, c->row_count, uint32_t);
    if (!words || !ranks || !order)
        return NULL;
    for (uint32_t row = 0; row < c->row_count; row++) {
        const uint8_t *position = t3dm_vertex_at(c->file, &at, row, at.position);
        const uint32_t normal = tl_get_u16(t3dm_vertex_at(c->file, &at, row, at.normal), TL_BIG);
        const uint32_t color = tl_get_u32(t3dm_vertex_at(c->file, &at, row, at.color), TL_BIG);
        const uint32_t uv = tl_get_u32(t3dm_vertex_at(c->file, &at, row, at.uv), TL_BIG);
        uint32_t *vertex = words + (size_t)OBJECT_VERTEX_WORDS * row;
        vertex[0] = tl_get_u32(position, TL_BIG);
        vertex[1] = (uint32_t)tl_get_u16(position + 4, TL_BIG) << 16 | (mask & T3DM_UNUSED_NORMALS ? 0 : normal);
        vertex[2] = mask & T3DM_UNUSED_COLORS ? 0 : color;
        vertex[3] = mask & T3DM_UNUSED_UVS ? 0 : uv;
    }
    tl_cost_distinct(words, c->row_count, OBJECT_VERTEX_WORDS, ranks, order);
    return c->of[mask] = ranks;
}

/* --- running the parts --- */

/* A vertex in the cache, each time it is loaded. */
typedef struct object_visit {
    uint32_t row;
    uint16_t bone;
    uint8_t drawn;
} object_visit;

typedef struct object_counter {
    const t3dm_file *file;
    const t3dm_object *object;
    t3dm_pair_offsets at;
    trilo_cost_counts *counts;
    uint32_t parts_loaded, visit_count;
    object_visit *visits;
    uint32_t in_slot[T3DM_CACHE + 1]; /* which visit; TRILO_NONE */
} object_counter;

/* The console refuses other parts; they draw nothing. */
static bool object_can_load(const t3dm_file *file, const t3dm_part *part)
{
    return part->vertex_count <= T3DM_CACHE &&
           part->vertex_dest + tl_rsp_loaded(part->vertex_count) <= T3DM_CACHE + 1 &&
           (part->vertex_at / T3DM_VERTEX_SIZE + (uint64_t)tl_rsp_loaded(part->vertex_count)) * T3DM_VERTEX_SIZE <=
               file->vertices.size;
}

/* Only triangles are reported, not loads: before those of a part are counted, everything up to it is loaded. */
static void object_load_parts(object_counter *c, uint32_t last)
{
    for (; c->parts_loaded <= last; c->parts_loaded++) {
        const t3dm_part *part = &c->object->parts[c->parts_loaded];
        const uint32_t count = object_can_load(c->file, part) ? tl_rsp_loaded(part->vertex_count) : 0;
        for (uint32_t i = 0; i < count; i++) {
            c->visits[c->visit_count] = (object_visit){part->vertex_at / T3DM_VERTEX_SIZE + i, part->bone, 0};
            c->in_slot[part->vertex_dest + i] = c->visit_count++;
        }
    }
}

/* A triangle whose corners follow different bones has an area in some pose, unless two corners coincide. */
static void object_add_area(object_counter *c, const object_visit *const v[3])
{
    double at[3][3];
    const bool rigid = v[0]->bone == v[1]->bone && v[1]->bone == v[2]->bone;
    bool twice = false;
    for (int i = 0; i < 3; i++) {
        const uint8_t *position = t3dm_vertex_at(c->file, &c->at, v[i]->row, c->at.position);
        for (int k = 0; k < 3; k++)
            at[i][k] = (int16_t)tl_get_u16(position + 2 * k, TL_BIG);
    }
    for (int i = 0; i < 3; i++) {
        const int k = (i + 1) % 3;
        twice |= v[i]->bone == v[k]->bone && memcmp(at[i], at[k], sizeof at[i]) == 0;
    }
    const double area = tl_cost_area((const double(*)[3])at);
    c->counts->degenerate += twice || (rigid && area == 0);
    c->counts->area += area;
}

static void object_count_triangles(void *user, const t3dm_batch *batch)
{
    object_counter *c = user;
    object_load_parts(c, batch->part);
    for (uint32_t t = 0; t < batch->count; t++) {
        const object_visit *v[3];
        for (int i = 0; i < 3; i++) {
            object_visit *corner = &c->visits[c->in_slot[batch->slots[t][i]]];
            corner->drawn = 1;
            v[i] = corner;
        }
        object_add_area(c, v);
    }
    c->counts->triangles += batch->count;
}

/* --- commands, from the records --- */

/* A part of a bone sets its matrix, also when the part before had the same; the first one without a bone, and the end
 * of the object, restore the previous matrix. */
static void object_count_matrix(uint16_t bone, bool *pushed, trilo_cost_counts *counts)
{
    counts->matrix_sets += bone != T3DM_NO_BONE;
    counts->matrix_pops += bone == T3DM_NO_BONE && *pushed;
    *pushed = bone != T3DM_NO_BONE;
}

/* Everything but the strips' indices. */
static void object_count_part(const t3dm_part *part, uint32_t strips, bool *pushed, trilo_cost_counts *counts)
{
    counts->parts++, counts->loads++;
    object_count_matrix(part->bone, pushed, counts);
    counts->vertices += tl_rsp_loaded(part->vertex_count);
    counts->list_commands += part->index_count / 3;
    counts->sequences += part->sequence_count > 0;
    counts->sequence_triangles += part->sequence_count;
    counts->strips += strips;
    counts->syncs += part->index_count > 0 && part->sequence_count == 0 && strips == 0;
}

static void object_count_commands(const t3dm_file *file, const t3dm_object *object, trilo_cost_counts *counts)
{
    bool pushed = false;
    for (uint32_t i = 0; i < object->head.part_count; i++) {
        const t3dm_part *part = &object->parts[i];
        t3dm_strip strips[T3DM_STRIPS];
        if (!object_can_load(file, part))
            continue;
        const uint32_t strip_count = tl_t3dm_strips(file, part, strips);
        object_count_part(part, strip_count, &pushed, counts);
        for (uint32_t s = 0; s < strip_count; s++) {
            counts->runs++;
            for (uint32_t k = 1; k < strips[s].count; k++) {
                bool restart;
                t3dm_strip_slot(file->version, &strips[s], k, &restart);
                counts->runs += restart;
            }
            counts->strip_indices += strips[s].count;
            counts->strip_bytes += tl_rsp_strip_bytes(strips[s].count);
        }
    }
    counts->list_triangles = counts->list_commands;
    object_count_matrix(T3DM_NO_BONE, &pushed, counts);
}

uint64_t tl_t3dm_drawn_bytes(const t3dm_part *parts, uint32_t count)
{
    trilo_cost_counts counts = {0};
    bool pushed = false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t strips = 0;
        for (; strips < T3DM_STRIPS && parts[i].strip_counts[strips] > 0; strips++)
            counts.strip_bytes += tl_rsp_strip_bytes(parts[i].strip_counts[strips]);
        object_count_part(&parts[i], strips, &pushed, &counts);
    }
    object_count_matrix(T3DM_NO_BONE, &pushed, &counts);
    tl_rsp_cost(&counts);
    return counts.rsp_bytes;
}

/* --- how many of the vertices are different --- */

/* Visits of one class form a linked list. In each list every bone counts once. */
static bool object_count_distinct(t3dm_classes *classes, const object_counter *c, uint32_t mask, uint64_t *distinct)
{
    const uint32_t *class_of = object_classes_for(classes, mask);
    uint32_t *next = tl_array_raw(classes->scratch, c->visit_count, sizeof *next);
    if (!class_of || !next)
        return false;
    *distinct = 0;
    for (uint32_t i = 0; i < c->visit_count; i++) {
        uint32_t *last = &classes->last[class_of[c->visits[i].row]];
        next[i] = *last;
        if (c->visits[i].drawn)
            *last = i;
    }
    for (uint32_t i = 0; i < c->visit_count; i++) {
        uint32_t *last = &classes->last[class_of[c->visits[i].row]];
        classes->list++;
        for (; *last != TRILO_NONE; *last = next[*last]) {
            uint32_t *seen = &classes->seen[c->visits[*last].bone];
            *distinct += *seen != classes->list;
            *seen = classes->list;
        }
    }
    return true;
}

/* Those that differ by whole repeats of a texture count once. */
static bool object_merge_repeats(t3dm_classes *classes, const t3dm_object *object, const t3dm_material *material,
                                 uint32_t unused, trilo_cost_counts *counts)
{
    t3dm_object_mesh g;
    int32_t period[2];
    uint32_t merged;
    tl_t3dm_uv_periods(material, period);
    if (period[0] == 0 && period[1] == 0)
        return true;
    if (!tl_t3dm_object_mesh(classes->scratch, classes->file, object, unused, &g) ||
        !tl_t3dm_merge_repeats(classes->scratch, material, &g.mesh, &merged))
        return false;
    counts->unique_shown -= g.incomplete ? 0 : merged;
    return true;
}

bool tl_t3dm_classes_new(const t3dm_file *file, tl_arena *scratch, t3dm_classes *classes)
{
    *classes = (t3dm_classes){.file = file, .scratch = scratch};
    classes->row_count = (uint32_t)(file->vertices.size / T3DM_VERTEX_SIZE);
    classes->last = tl_array_raw(scratch, classes->row_count, sizeof *classes->last);
    classes->seen = TL_ARRAY(scratch, (size_t)UINT16_MAX + 1, uint32_t);
    for (uint32_t i = 0; classes->last && i < classes->row_count; i++)
        classes->last[i] = TRILO_NONE;
    return classes->last && classes->seen;
}

bool tl_t3dm_cost_object(t3dm_classes *classes, const t3dm_object *object, trilo_cost_counts *counts)
{
    object_counter c = {.file = classes->file, .object = object, .at = tl_t3dm_pair_offsets(), .counts = counts};
    *counts = (trilo_cost_counts){0};
    object_count_commands(classes->file, object, counts);
    c.visits = tl_array_raw(classes->scratch, (size_t)counts->vertices, sizeof *c.visits);
    if (!c.visits)
        return false;
    tl_t3dm_draw(classes->file, object, &(t3dm_drawer){.user = &c, .triangles = object_count_triangles});
    if (object->head.part_count > 0)
        object_load_parts(&c, object->head.part_count - 1u);
    const uint64_t others = counts->list_triangles + counts->sequence_triangles;
    counts->strip_triangles = counts->triangles > others ? counts->triangles - others : 0;
    tl_rsp_cost(counts);
    uint64_t drawn = 0;
    for (uint32_t i = 0; i < c.visit_count; i++)
        drawn += c.visits[i].drawn;
    if (!object_count_distinct(classes, &c, 0, &counts->unique))
        return false;
    counts->unique_shown = counts->unique;
    counts->duplicates = drawn - counts->unique;
    counts->padding = counts->vertices - drawn;
    const t3dm_material *material = t3dm_material_of(classes->file, object);
    const uint32_t unused = material ? tl_t3dm_unused(material) : 0;
    if (unused != 0 && !object_count_distinct(classes, &c, unused, &counts->unique_shown))
        return false;
    return !material || object_merge_repeats(classes, object, material, unused, counts);
}
