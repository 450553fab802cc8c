/* From the neutral model to a Model file: the options and the display lists. encode.h lists the other steps. */
#include "formats/model64/encode/encode.h"
#include "base/strict_float.h"

#include "model/units.h"
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MODEL64_VERTICES_MOST = 1 << 20 /* what an address of 24 bits reaches */ };

/* --- what the parts share --- */

bool tl_model64_encode_fail(model64_encoder *e, enum model64_rule_id rule, const char *format, ...)
{
    char text[sizeof e->err->text];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    e->reported = true;
    return tl_fail(e->err, TRILO_CODE_LIMIT, model64_rule(rule), TRILO_NOWHERE, &e->losses->path, "%s", text);
}

void tl_model64_report_loss(model64_encoder *e, enum model64_rule_id rule, const char *format, ...)
{
    char text[sizeof e->err->text];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    tl_report_finding(e->losses, model64_rule(rule), TRILO_NOWHERE, "%s", text);
}

double tl_model64_round(double value)
{
    const double whole = floor(value), rest = value - whole;
    return rest > 0.5 || (rest == 0.5 && fmod(whole, 2) != 0) ? whole + 1 : whole;
}

int tl_model64_quantize(double value, int min, int max, model64_clamps *clamps)
{
    const double rounded = tl_model64_round(value);
    if (rounded >= min && rounded <= max)
        return (int)rounded;
    if (isnan(value))
        return 0;
    if (clamps) {
        clamps->count++;
        clamps->largest = fabs(value) > clamps->largest ? fabs(value) : clamps->largest;
    }
    return value < 0 ? min : max;
}

/* --- options --- */

static bool model64_misuse(model64_encoder *e, const char *text)
{
    e->reported = true;
    return tl_fail(e->err, TRILO_CODE_MISUSE, &tl_general_rules[TL_CALL_MISUSE], TRILO_NOWHERE, NULL, "%s", text);
}

static trilo_model64_colors model64_choose_colors(const model64_encoder *e)
{
    bool normals = false, colors = false;
    if (e->opts->colors != TRILO_MODEL64_COLORS_AUTO)
        return e->opts->colors;
    for (uint32_t i = 0; i < e->model->mesh_count; i++) {
        normals = normals || e->model->meshes[i].normals;
        colors = colors || e->model->meshes[i].colors;
    }
    return e->policy.keep_normals && normals && !colors ? TRILO_MODEL64_COLORS_NORMALS : TRILO_MODEL64_COLORS_RGBA;
}

static bool model64_set_options(model64_encoder *e)
{
    const trilo_model64_write_opts *opts = e->opts;
    if (!(opts->scale >= 0 && isfinite(opts->scale)))
        return model64_misuse(e, "the scale must be above 0, or 0 for the default");
    if (!(opts->fps >= 0 && isfinite(opts->fps)))
        return model64_misuse(e, "the frames a second must be above 0, or 0 for the default");
    if (opts->texcoord_bits > 31)
        return model64_misuse(e, "the bits of a texture coordinate are 1 to 31, or 0 for 11");
    if ((unsigned)opts->colors > TRILO_MODEL64_COLORS_NONE || (unsigned)opts->time > TRILO_MODEL64_TIME_SECONDS)
        return model64_misuse(e, "colors or time is not one of its enumerators");
    e->scale = opts->scale > 0 ? opts->scale : trilo_n64_default_scale(e->model);
    e->bits = opts->texcoord_bits ? opts->texcoord_bits : MODEL64_BITS;
    e->colors = model64_choose_colors(e);
    e->fractions =
        opts->time == TRILO_MODEL64_TIME_FRACTION || (opts->time == TRILO_MODEL64_TIME_AUTO && !e->policy.keep_times);
    /* Every axis once. Each pair that is out of order mirrors, and so does each sign. */
    const int8_t *axes = e->opts->axes;
    const bool plain = axes[0] == 0 && axes[1] == 0 && axes[2] == 0;
    unsigned seen = 0;
    for (int k = 0; k < 3; k++) {
        const int axis = plain ? k + 1 : axes[k];
        if (axis == 0 || axis < -3 || axis > 3)
            return model64_misuse(e, "an axis is 1, 2 or 3 for x, y or z, negative when it is mirrored");
        e->axis[k] = (axis < 0 ? -axis : axis) - 1;
        e->sign[k] = axis < 0 ? -1 : 1;
        e->mirrored = e->mirrored != (axis < 0);
        seen |= 1u << e->axis[k];
    }
    for (int a = 0; a < 3; a++)
        for (int b = a + 1; b < 3; b++)
            e->mirrored = e->mirrored != (e->axis[a] > e->axis[b]);
    return seen == 7 || model64_misuse(e, "an axis is named twice; name each of the three once");
}

/* --- display lists --- */

/* Slot 0 gets a list even if it draws nothing: games test it before they draw the others. */
static bool model64_store_display_lists(model64_encoder *e)
{
    tl_f3dex_output out = {.stored_count = 0};
    tl_f3dex_mesh meshes[MODEL64_SLOTS];
    if (e->point_count > TL_F3DEX_NUMBERS_MOST || e->st_count > TL_F3DEX_NUMBERS_MOST ||
        e->rgba_count > TL_F3DEX_NUMBERS_MOST)
        return tl_model64_encode_fail(e, MODEL64_R_TOO_LARGE,
                                      "%" PRIu32 " points, %" PRIu32 " texture coordinates and %" PRIu32
                                      " colours differ, %d of each is the most",
                                      e->point_count, e->st_count, e->rgba_count, TL_F3DEX_NUMBERS_MOST);
    const tl_f3dex_input in = {.mesh_count = e->slot_count,
                               .meshes = meshes,
                               .fixed_rgba =
                                   e->colors == TRILO_MODEL64_COLORS_NORMALS, /* of a point, like its position */
                               .max_stored = e->opts->max_frame_vertices != 0 ? e->opts->max_frame_vertices
                                             : e->model->clip_count > 0       ? MODEL64_GAME_FRAME / MODEL64_VERTEX_SIZE
                                                                              : TRILO_NONE,
                               .effort = TL_F3DEX_EFFORT};
    for (uint32_t i = 0; i < e->slot_count; i++)
        if (!tl_model64_list_mesh(e->arena, &e->slots[i], &meshes[i]))
            return false;
    if (!tl_f3dex_lists(e->arena, &in, &out))
        return false;
    if (out.stored_count > MODEL64_VERTICES_MOST)
        return tl_model64_encode_fail(e, MODEL64_R_TOO_LARGE, "%" PRIu32 " vertices, a display list can load from %d",
                                      out.stored_count, MODEL64_VERTICES_MOST);
    if (in.max_stored != TRILO_NONE && out.stored_count > in.max_stored)
        tl_model64_report_loss(e, MODEL64_R_FRAME_VERTICES,
                               "a frame has %" PRIu32 " vertices, the limit is %" PRIu32 ": a simpler mesh is needed",
                               out.stored_count, in.max_stored);
    for (uint32_t i = 0; i < e->slot_count; i++) {
        model64_slot *slot = &e->slots[i];
        if (i > 0 && slot->triangle_count == 0)
            continue;
        const size_t count = (size_t)out.lists[i].command_count + 1;
        uint8_t *bytes = tl_array_raw(e->arena, count, TL_F3DEX_COMMAND_SIZE);
        if (!bytes)
            return false;
        slot->list = (trilo_bytes){bytes, count * TL_F3DEX_COMMAND_SIZE};
        tl_model64_store_list(slot, e->st, e->rgba, &out.lists[i], bytes);
    }
    e->stored_count = out.stored_count;
    e->stored = TL_ARRAY(e->arena, out.stored_count, model64_corner);
    for (uint32_t i = 0; e->stored && i < out.stored_count; i++)
        e->stored[i] = e->slots[out.stored[i].mesh].corners[out.stored[i].corner];
    return e->stored != NULL;
}

/* --- all of it --- */

static bool model64_encode_all(model64_encoder *e)
{
    uint32_t *slot_of = TL_ARRAY(e->arena, e->model->mesh_count, uint32_t);
    e->file = TL_NEW(e->arena, model64_file);
    if (!slot_of || !e->file || !model64_set_options(e) || !tl_model64_assign_slots(e, slot_of))
        return false;
    tl_model64_report_losses(e, slot_of);
    return tl_model64_gather(e, slot_of) && tl_model64_plan_clips(e) && tl_model64_bake(e) &&
           tl_model64_number_points(e) && tl_model64_make_corners(e) && model64_store_display_lists(e) &&
           tl_model64_layout_file(e);
}

void *tl_model64_encode(const trilo_model *model, const trilo_write_opts *opts, tl_arena *arena, tl_report *losses,
                        trilo_error *err)
{
    model64_encoder e = {.model = model,
                         .opts = opts->model64,
                         .policy = tl_model64_policy_of(model, opts),
                         .arena = arena,
                         .losses = losses,
                         .err = err};
    if (model64_encode_all(&e))
        return e.file;
    if (!e.reported)
        tl_fail_memory(err);
    return NULL;
}
