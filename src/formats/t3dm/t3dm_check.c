/* Checks chunks, strings and materials of a T3DM file. Objects and animations are checked in files of their own. */
#include "formats/t3dm/t3dm.h"

#include "base/sort.h"
#include "formats/t3dm/pyrite64/pyrite64.h"
#include "n64/combiner.h"

#include <inttypes.h>
#include <string.h>

/* --- chunks --- */

typedef struct t3dm_chunk_need {
    char type;
    uint32_t align, least, most;
} t3dm_chunk_need;

static const t3dm_chunk_need t3dm_chunk_needs[] = {
    {'V', 8, 1, 1},          {'I', 8, 1, 1},          {'S', 4, 0, 1},          {'B', 4, 0, 1},
    {'O', 4, 0, UINT32_MAX}, {'A', 4, 0, UINT32_MAX}, {'M', 8, 0, UINT32_MAX}, {'m', 8, 0, UINT32_MAX},
};

/* The number and alignment of the chunks of a type. */
static void t3dm_check_needs(const t3dm_file *file, const t3dm_chunk_need *n, tl_report *report)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < file->header.chunk_count; i++) {
        if (file->chunks[i].type != n->type)
            continue;
        count++;
        tl_path_push(&report->path, "chunks", i);
        if (file->chunks[i].at % n->align != 0)
            tl_report_finding(report, t3dm_rule(T3DM_R_CHUNK_ALIGN), file->chunks[i].at,
                              "chunk %c must start at a multiple of %u", n->type, (unsigned)n->align);
        tl_path_pop(&report->path);
    }
    if (count < n->least || count > n->most)
        tl_report_finding(report, t3dm_rule(T3DM_R_CHUNK_COUNT), tl_layout_size(&tl_t3dm_header, file->version),
                          "%" PRIu32 " chunks %c, there must be %s one", count, n->type,
                          n->least == 1 ? "exactly" : "at most");
}

static void t3dm_check_chunk_order(const t3dm_file *file, tl_report *report)
{
    for (uint32_t i = 1; i < file->header.chunk_count; i++) {
        const t3dm_chunk *before = &file->chunks[i - 1], *chunk = &file->chunks[i];
        const bool late = chunk->type == 'O' && before->type != 'O';
        if (chunk->at >= before->at && !late)
            continue;
        tl_path_push(&report->path, "chunks", i);
        tl_report_finding(report, t3dm_rule(T3DM_R_CHUNK_ORDER), chunk->at, "%s",
                          late ? "an object after other chunks; objects must come first"
                               : "the chunk is before the previous one of the table");
        tl_path_pop(&report->path);
        return;
    }
}

static char t3dm_row_type(const t3dm_file *file, uint32_t row)
{
    return row < file->header.chunk_count ? file->chunks[row].type : '\0';
}

static void t3dm_check_row(const t3dm_file *file, const char *field, uint32_t row, const char *types, tl_report *report)
{
    const char type = t3dm_row_type(file, row);
    if (type != '\0' && strchr(types, type))
        return;
    tl_path_push(&report->path, "header", TL_NO_INDEX);
    tl_path_push(&report->path, field, TL_NO_INDEX);
    tl_report_finding(report, t3dm_rule(T3DM_R_CHUNK_INDEX), tl_layout_field(&tl_t3dm_header, file->version, field)->at,
                      "row %" PRIu32 " of the chunk table is not a chunk %c", row, types[0]);
    tl_path_pop(&report->path);
    tl_path_pop(&report->path);
}

/* Objects refer to materials by index from the first on: their chunks must be consecutive. */
static void t3dm_check_rows(const t3dm_file *file, tl_report *report)
{
    t3dm_check_row(file, "vertex_chunk", file->header.vertex_chunk, "V", report);
    t3dm_check_row(file, "index_chunk", file->header.index_chunk, "I", report);
    for (uint32_t i = 0; i < file->material_count; i++) {
        const char type = t3dm_row_type(file, file->header.material_chunk + i);
        if (type == 'M' || type == 'm')
            continue;
        t3dm_check_row(file, "material_chunk", file->header.material_chunk + i, "Mm", report);
        return;
    }
}

/* --- strings --- */

static void t3dm_check_string(const t3dm_file *file, uint32_t string, uint64_t at, const char *field, tl_report *report)
{
    if (tl_t3dm_string(file, string))
        return;
    tl_path_push(&report->path, field, TL_NO_INDEX);
    tl_report_finding(report, t3dm_rule(T3DM_R_STRING), at,
                      "string %" PRIu32 " is outside the table of %zu bytes or not terminated", string,
                      file->strings.size);
    tl_path_pop(&report->path);
}

static uint64_t t3dm_field_at(uint64_t record, const tl_layout *layout, const char *field)
{
    return record + tl_layout_field(layout, TL_UNVERSIONED, field)->at;
}

static void t3dm_check_names(const t3dm_file *file, tl_report *report)
{
    for (uint32_t i = 0; i < file->object_count; i++) {
        const t3dm_object *object = &file->objects[i];
        tl_path_push(&report->path, "objects", i);
        t3dm_check_string(file, object->head.name, t3dm_field_at(object->at, &tl_t3dm_object_head, "name"), "name",
                          report);
        tl_path_pop(&report->path);
    }
    for (uint32_t i = 0; i < file->animation_count; i++) {
        const t3dm_animation *a = &file->animations[i];
        tl_path_push(&report->path, "animations", i);
        t3dm_check_string(file, a->head.name, t3dm_field_at(a->at, &tl_t3dm_animation_head, "name"), "name", report);
        t3dm_check_string(file, a->head.stream, t3dm_field_at(a->at, &tl_t3dm_animation_head, "stream"), "stream",
                          report);
        tl_path_pop(&report->path);
    }
    const uint64_t bones_at = file->skeleton_at + tl_layout_size(&tl_t3dm_skeleton_head, TL_UNVERSIONED);
    for (uint32_t i = 0; i < file->skeleton.bone_count; i++) {
        const uint64_t at = bones_at + i * (uint64_t)tl_layout_size(&tl_t3dm_bone, TL_UNVERSIONED);
        tl_path_push(&report->path, "bones", i);
        t3dm_check_string(file, file->bones[i].name, t3dm_field_at(at, &tl_t3dm_bone, "name"), "name", report);
        tl_path_pop(&report->path);
    }
}

/* --- materials --- */

/* A texture without a path has its reference as the hash. */
static void t3dm_check_texture(const t3dm_file *file, const t3dm_texture *t, uint64_t at, tl_report *report)
{
    const char *path = tl_t3dm_string(file, t->path);
    t3dm_check_string(file, t->path, t3dm_field_at(at, &tl_t3dm_texture, "path"), "path", report);
    const uint32_t hash = path && path[0] ? tl_t3dm_hash(path) : t->reference;
    if (path && hash != t->hash)
        tl_report_finding(report, t3dm_rule(T3DM_R_TEXTURE_HASH), t3dm_field_at(at, &tl_t3dm_texture, "hash"),
                          "0x%08" PRIX32 ", the hash of the path is 0x%08" PRIX32, t->hash, hash);
    if (!tl_is_finite(t->s.low) || !tl_is_finite(t->s.high) || !tl_is_finite(t->t.low) || !tl_is_finite(t->t.high))
        tl_report_finding(report, t3dm_rule(T3DM_R_MATERIAL_VALUE), at, "an axis has a value that is not finite");
}

/* Materials that the console draws differently than their settings suggest (docs/render.md). libdragon itself replaces
 * the two most common combiners when fog is on. */
static void t3dm_check_material_picture(const t3dm_material *m, tl_report *report)
{
    const t3dm_material_head *h = &m->head;
    const tl_combiner combiner = tl_combiner_decode(h->combiner);
    const bool replaced = h->combiner == TL_CC_WORD_TEX0_SHADE || h->combiner == TL_CC_WORD_SHADE;
    bool shade_alpha = (combiner.used & TL_CC_BIT(TL_CC_SHADE_ALPHA)) != 0;
    for (int cycle = 0; cycle < combiner.cycle_count; cycle++)
        for (int slot = TL_CC_ALPHA_A; slot <= TL_CC_ALPHA_D; slot++)
            shade_alpha = shade_alpha || combiner.cycles[cycle][slot] == TL_CC_SHADE;
    if (tl_effect_leaves_uvs(h->vertex_effect, h->combiner))
        tl_report_finding(report, t3dm_rule(T3DM_R_MATERIAL_OUTLINE),
                          t3dm_field_at(m->at, &tl_t3dm_material_head, "vertex_effect"),
                          "an outline with a textured combiner");
    if (h->fog == TRILO_N64_FOG_ON && shade_alpha && !replaced &&
        (h->blender != 0 || tl_mode_compares_alpha(h->other_mode)))
        tl_report_finding(report, t3dm_rule(T3DM_R_MATERIAL_FOG), t3dm_field_at(m->at, &tl_t3dm_material_head, "fog"),
                          "fog replaces the alpha that the material is %s by", h->blender != 0 ? "blended" : "cut out");
}

static void t3dm_check_material(const t3dm_file *file, const t3dm_material *m, tl_report *report)
{
    const uint64_t textures_at = m->at + tl_layout_size(&tl_t3dm_material_head, TL_UNVERSIONED);
    const uint32_t both = TRILO_N64_CULL_FRONT | TRILO_N64_CULL_BACK;
    t3dm_check_string(file, m->head.name, t3dm_field_at(m->at, &tl_t3dm_material_head, "name"), "name", report);
    if ((m->head.draw_flags & both) == both)
        tl_report_finding(report, t3dm_rule(T3DM_R_MATERIAL_CULL),
                          t3dm_field_at(m->at, &tl_t3dm_material_head, "draw_flags"),
                          "culls front and back, must be one or none");
    if (m->head.fog > TRILO_N64_FOG_ON)
        tl_report_finding(report, t3dm_rule(T3DM_R_MATERIAL_VALUE), t3dm_field_at(m->at, &tl_t3dm_material_head, "fog"),
                          "fog mode %u, must be 0 to %d", (unsigned)m->head.fog, TRILO_N64_FOG_ON);
    if (m->head.vertex_effect >= TRILO_N64_EFFECT_COUNT)
        tl_report_finding(
            report, t3dm_rule(T3DM_R_MATERIAL_VALUE), t3dm_field_at(m->at, &tl_t3dm_material_head, "vertex_effect"),
            "vertex effect %u, must be 0 to %d", (unsigned)m->head.vertex_effect, TRILO_N64_EFFECT_COUNT - 1);
    if (m->head.combiner != 0)
        t3dm_check_material_picture(m, report);
    for (uint32_t i = 0; i < 2; i++) {
        tl_path_push(&report->path, "textures", i);
        t3dm_check_texture(file, &m->textures[i],
                           textures_at + i * (uint64_t)tl_layout_size(&tl_t3dm_texture, TL_UNVERSIONED), report);
        tl_path_pop(&report->path);
    }
}

/* --- texture hashes --- */

static const t3dm_texture *t3dm_texture_row(const t3dm_file *file, uint32_t row)
{
    return &file->materials[row / 2].textures[row % 2];
}

static int64_t t3dm_hash_key(const void *rows, uint32_t row)
{
    return t3dm_texture_row(rows, row)->hash;
}

/* Different paths with the same hash. */
static void t3dm_check_collisions(const t3dm_file *file, tl_arena *scratch, tl_report *report)
{
    const uint32_t count = 2 * file->material_count;
    uint32_t *order = TL_ARRAY(scratch, count, uint32_t);
    if (!order) {
        tl_report_finding(report, &tl_general_rules[TL_FILE_MEMORY], TRILO_NOWHERE,
                          "not enough memory to compare texture hashes");
        return;
    }
    tl_sort_rows(order, count, t3dm_hash_key, file);
    for (uint32_t i = 1; i < count; i++) {
        const t3dm_texture *a = t3dm_texture_row(file, order[i - 1]), *b = t3dm_texture_row(file, order[i]);
        const char *first = tl_t3dm_string(file, a->path), *second = tl_t3dm_string(file, b->path);
        if (a->hash != b->hash || !first || !second || !first[0] || !second[0] || strcmp(first, second) == 0)
            continue;
        tl_path_push(&report->path, "materials", order[i] / 2);
        tl_report_finding(report, t3dm_rule(T3DM_R_HASH_COLLISION), file->materials[order[i] / 2].at,
                          "\"%.60s\" and \"%.60s\" have the same hash", first, second);
        tl_path_pop(&report->path);
    }
}

void tl_t3dm_check_chunks(const t3dm_file *file, tl_report *report)
{
    for (size_t i = 0; i < TL_COUNT_OF(t3dm_chunk_needs); i++)
        t3dm_check_needs(file, &t3dm_chunk_needs[i], report);
    t3dm_check_chunk_order(file, report);
    t3dm_check_rows(file, report);
    if (file->strings.size == 0 || file->strings.data[0] != 'S')
        tl_report_finding(report, t3dm_rule(T3DM_R_STRING_START), file->header.strings_at,
                          "the string table should start with the letter S");
    t3dm_check_names(file, report);
    for (uint32_t i = 0; i < file->material_count; i++) {
        tl_path_push(&report->path, "materials", i);
        if (!file->materials[i].opaque)
            t3dm_check_material(file, &file->materials[i], report);
        tl_path_pop(&report->path);
    }
    tl_pyrite64_check(file, report);
}

void tl_t3dm_check(const void *t3dm, tl_arena *scratch, tl_report *report)
{
    const t3dm_file *file = t3dm;
    tl_t3dm_check_chunks(file, report);
    t3dm_check_collisions(file, scratch, report);
    tl_t3dm_check_objects(file, scratch, report);
    tl_t3dm_check_animation(file, scratch, report);
}
