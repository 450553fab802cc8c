#include "formats/t3dm/encode/policy.h"

#include "model/units.h"

static const t3dm_policy t3dm_policies[] = {
    /* Neither T3DM nor glTF: nearest values, every node and every key. */
    [TRILO_WRITE_PROFILE_AUTO] = {.order = TRILO_T3DM_ORDER_NAME,
                                  .snap_normals = true,
                                  .make_normals = true,
                                  .drop_degenerate = true,
                                  .merge_materials = true,
                                  .sprite_paths = true,
                                  .check_textures = true,
                                  .keep_keys = true},
    /* Games were tuned against what this converter makes of colours and texture coordinates. */
    [TRILO_WRITE_PROFILE_TINY3D] = {.order = TRILO_T3DM_ORDER_NAME,
                                    .truncate_colors = true,
                                    .truncate_uvs = true,
                                    .single_normals = true,
                                    .make_normals = true,
                                    .fix_mirrored = true,
                                    .drop_degenerate = true,
                                    .drop_empty = true,
                                    .merge_materials = true,
                                    .sprite_paths = true,
                                    .check_textures = true,
                                    .select_bones = true,
                                    .normalize_rotations = true,
                                    .drop_static_clips = true,
                                    .advise = true},
    [TRILO_WRITE_PROFILE_LOSSLESS] = {.order = TRILO_T3DM_ORDER_FILE,
                                      .snap_normals = true,
                                      .keep_materials = true,
                                      .keep_keys = true,
                                      .keep_static_channels = true,
                                      .keep_start = true,
                                      .nlerp = true},
    [TRILO_WRITE_PROFILE_BEST] = {.order = TRILO_T3DM_ORDER_LAYER,
                                  .snap_normals = true,
                                  .make_normals = true,
                                  .fix_mirrored = true,
                                  .drop_degenerate = true,
                                  .drop_empty = true,
                                  .merge_materials = true,
                                  .sprite_paths = true,
                                  .check_textures = true,
                                  .select_bones = true,
                                  .normalize_rotations = true,
                                  .drop_static_clips = true,
                                  .advise = true},
};

/* Scenes of Pyrite64 store the numbers of objects. */
static bool has_numbered_objects(const trilo_model *model, const trilo_write_opts *opts)
{
    for (uint32_t i = 0; i < model->material_count; i++)
        if (model->materials[i].raw.size > 0)
            return opts->t3dm->materials != TRILO_T3DM_MATERIALS_TINY3D;
    return false;
}

t3dm_policy tl_t3dm_policy_of(const trilo_model *model, const trilo_write_opts *opts)
{
    const trilo_t3dm_write_opts *t3dm = opts->t3dm;
    trilo_write_profile profile = opts->profile;
    if (profile == TRILO_WRITE_PROFILE_AUTO)
        profile = model->format == TRILO_FORMAT_T3DM   ? TRILO_WRITE_PROFILE_LOSSLESS
                  : model->format == TRILO_FORMAT_GLTF ? TRILO_WRITE_PROFILE_TINY3D
                                                       : TRILO_WRITE_PROFILE_AUTO;
    t3dm_policy policy = t3dm_policies[profile];
    if (profile == TRILO_WRITE_PROFILE_AUTO && model->format == TRILO_FORMAT_MODEL64)
        policy.make_normals = false; /* a Model has colours where it has no normals */
    if (has_numbered_objects(model, opts)) {
        policy.order = TRILO_T3DM_ORDER_FILE;
        policy.drop_empty = false;
    }
    policy.scale = t3dm->scale > 0 ? t3dm->scale : trilo_n64_default_scale(model);
    policy.order = t3dm->order != TRILO_T3DM_ORDER_AUTO ? t3dm->order : policy.order;
    policy.fix_mirrored = policy.fix_mirrored && !t3dm->keep_mirrored_winding;
    policy.drop_no_material = t3dm->no_material == TRILO_T3DM_NO_MATERIAL_SKIP;
    policy.has_tolerance = t3dm->anim_error > 0 || t3dm->anim_error_percent > 0 || t3dm->anim_rotation_error > 0 ||
                           t3dm->anim_translation_error > 0;
    policy.keeps_without = policy.keep_keys;
    policy.keep_keys = policy.keep_keys && !policy.has_tolerance;
    policy.keep_static_channels = policy.keep_static_channels && !policy.has_tolerance;
    return policy;
}
