/* Findings about the materials of Pyrite64. */
#include "formats/t3dm/pyrite64/pyrite64.h"

#include <inttypes.h>

static void pyrite64_check_asset(const t3dm_asset *asset, uint64_t at, tl_report *report)
{
    if (asset->source == TRILO_ASSET_SOURCE_NONE)
        return;
    if (!asset->found)
        tl_report_finding(report, t3dm_rule(T3DM_R_PYRITE64_ASSET), at,
                          "asset %" PRIu32 ", but the project has %" PRIu32 " of them", asset->number, asset->count);
    else if (asset->type != PYRITE64_IMAGE)
        tl_report_finding(report, t3dm_rule(T3DM_R_PYRITE64_ASSET), at, "asset %" PRIu32 " is %s, must be an image",
                          asset->number, tl_pyrite64_type_name(asset->type));
}

static void pyrite64_check_tile(const t3dm_file *file, const t3dm_material *m, const trilo_pyrite64_material *from,
                                int number, uint64_t at, tl_report *report)
{
    const trilo_pyrite64_tile *tile = &from->tiles[number];
    if (tile->asset == TRILO_PYRITE64_NO_ASSET && tile->placeholder == TRILO_PYRITE64_PLACEHOLDER_STATIC)
        tl_report_finding(report, t3dm_rule(T3DM_R_PYRITE64_NO_ASSET), at,
                          "no texture (65535), and the tile is not a placeholder");
    if (tile->placeholder != TRILO_PYRITE64_PLACEHOLDER_STATIC && tile->slot >= TRILO_PYRITE64_SLOTS)
        tl_report_finding(report, t3dm_rule(T3DM_R_PYRITE64_PLACEHOLDER), at,
                          "slot %u of a placeholder, must be 0 to %d", (unsigned)tile->slot, TRILO_PYRITE64_SLOTS - 1);
    if (m->assets[number] != TRILO_NONE)
        pyrite64_check_asset(&file->assets[m->assets[number]], at, report);
}

/* Returns the number of its placeholders. */
static uint32_t pyrite64_check_material(const t3dm_file *file, const t3dm_material *m, tl_report *report)
{
    static const uint32_t used[2] = {TRILO_PYRITE64_TEX0, TRILO_PYRITE64_TEX1};
    trilo_pyrite64_material from;
    trilo_error err;
    if (!trilo_pyrite64_material_read(m->raw, &from, &err)) {
        const bool cut = err.code == TRILO_CODE_TRUNCATED;
        tl_report_finding(report, t3dm_rule(cut ? T3DM_R_PYRITE64_SHORT : T3DM_R_FOREIGN_MATERIAL), m->at, "%s",
                          err.text);
        return 0;
    }
    uint32_t placeholders = 0;
    uint64_t at = m->at + tl_layout_size(tl_pyrite64_parts[0].layout, TL_UNVERSIONED);
    for (int k = 0; k < 2; k++) {
        if ((from.flags & used[k]) == 0)
            continue;
        tl_path_push(&report->path, "tiles", (uint32_t)k);
        pyrite64_check_tile(file, m, &from, k, at, report);
        tl_path_pop(&report->path);
        placeholders += from.tiles[k].placeholder != TRILO_PYRITE64_PLACEHOLDER_STATIC;
        at += tl_layout_size(tl_pyrite64_parts[1].layout, TL_UNVERSIONED);
    }
    if ((from.flags & TRILO_PYRITE64_AA) != 0 && placeholders == 2)
        tl_report_finding(report, t3dm_rule(T3DM_R_PYRITE64_AA), m->at,
                          "anti-aliasing and two placeholders share bit 19 of the flags");
    if ((from.flags & TRILO_PYRITE64_Z_WRITE) != 0 && (from.flags & TRILO_PYRITE64_Z_COMPARE) == 0)
        tl_report_finding(report, t3dm_rule(T3DM_R_PYRITE64_DEPTH), m->at, "depth is written, but not compared");
    if (from.effect >= TRILO_N64_EFFECT_COUNT)
        tl_report_finding(report, t3dm_rule(T3DM_R_MATERIAL_VALUE), m->at, "vertex effect %u, must be 0 to %d",
                          (unsigned)from.effect, TRILO_N64_EFFECT_COUNT - 1);
    return placeholders;
}

/* Adding or removing an image shifts the numbers of others, and the editor does not build models again for that. */
static void pyrite64_check_sources(const t3dm_file *file, tl_report *report)
{
    const trilo_load_opts *opts = file->opts;
    for (uint32_t i = 0; opts && opts->compare_texture && !report->errors_only && i < file->object_count; i++) {
        const t3dm_object_head *head = &file->objects[i].head;
        const char *name = tl_t3dm_string(file, head->name);
        const t3dm_material *m = head->material < file->material_count ? &file->materials[head->material] : NULL;
        for (int k = 0; name && m && m->translated && k < 2; k++) {
            const t3dm_asset *asset = m->assets[k] != TRILO_NONE ? &file->assets[m->assets[k]] : NULL;
            if (!asset || !asset->found || asset->type != PYRITE64_IMAGE)
                continue;
            trilo_source_texture question = {.object = name, .tile = k, .path = asset->path};
            if (opts->compare_texture(opts->compare_texture_user, &question))
                continue;
            question.expected[sizeof question.expected - 1] = '\0';
            tl_path_push(&report->path, "objects", i);
            tl_report_finding(report, t3dm_rule(T3DM_R_PYRITE64_STALE), file->objects[i].at,
                              "texture %d is asset %" PRIu32 ", \"%.60s\", but the source has \"%.60s\"", k,
                              asset->number, asset->path, question.expected);
            tl_path_pop(&report->path);
        }
    }
}

void tl_pyrite64_check(const t3dm_file *file, tl_report *report)
{
    uint32_t placeholders = 0, translated = 0, opaque = 0;
    for (uint32_t i = 0; i < file->material_count; i++) {
        opaque += file->materials[i].opaque;
        translated += file->materials[i].translated;
        if (!file->materials[i].opaque)
            continue;
        tl_path_push(&report->path, "materials", i);
        placeholders += pyrite64_check_material(file, &file->materials[i], report);
        tl_path_pop(&report->path);
    }
    if (translated > 0 && opaque < file->material_count)
        tl_report_finding(report, t3dm_rule(T3DM_R_PYRITE64_MIXED), TRILO_NOWHERE,
                          "%" PRIu32 " materials are Pyrite64's (m) and %" PRIu32
                          " are Tiny3D's (M), all must be one's",
                          opaque, file->material_count - opaque);
    if (placeholders > TRILO_PYRITE64_SLOTS)
        tl_report_finding(report, t3dm_rule(T3DM_R_PYRITE64_PLACEHOLDER), TRILO_NOWHERE,
                          "%" PRIu32 " placeholders, the engine has %d slots", placeholders, TRILO_PYRITE64_SLOTS);
    pyrite64_check_sources(file, report);
    for (uint32_t i = 0; i < file->asset_count; i++)
        if (file->assets[i].source == TRILO_ASSET_SOURCE_RANK) {
            tl_report_finding(report, t3dm_rule(T3DM_R_PYRITE64_RANK), TRILO_NOWHERE,
                              "no table of assets (p64/a) was found: textures are the images of the project by rank");
            return;
        }
}
