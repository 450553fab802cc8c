/* policy.h: defaults of the T3DM encoder where neither the model nor an option decides. */
#ifndef TL_T3DM_ENCODE_POLICY_H
#define TL_T3DM_ENCODE_POLICY_H

#include "trilobite/write.h"

typedef struct t3dm_policy {
    double scale;           /* of positions */
    trilo_t3dm_order order; /* of objects; never TRILO_T3DM_ORDER_AUTO */
    /* vertices */
    bool truncate_colors;  /* to 8 bits towards 0; otherwise to the nearest */
    bool truncate_uvs;     /* the texel is a float, its 1/32 is truncated; otherwise what is nearly whole is rounded */
    bool snap_normals;     /* a normal on the grid of the format keeps its bits; otherwise all are normalized first */
    bool single_normals;   /* computed in single precision; otherwise in double */
    bool make_normals;     /* of faces, for lit meshes that have none */
    bool fix_mirrored;     /* reverse the triangles of rigid meshes whose node mirrors them */
    bool drop_degenerate;  /* triangles with two corners at the same point after rounding */
    bool drop_no_material; /* meshes without a material */
    bool drop_empty;       /* meshes without a triangle; a model without triangles and clips is refused */
    /* materials */
    bool keep_materials;  /* also those that no mesh uses */
    bool merge_materials; /* merge equal materials with the same name; give different ones unique names */
    bool sprite_paths;    /* paths of images become paths of sprites: "wall.png" is "rom:/wall.sprite" */
    bool check_textures;  /* report what the console cannot load */
    /* bones */
    bool select_bones; /* nodes that joints, clips or bones below need; otherwise all nodes of an animated model */
    bool normalize_rotations; /* of bones in the rest pose */
    /* clips */
    bool keep_keys;            /* every key; otherwise as few as the tolerance allows */
    bool keep_static_channels; /* channels that never leave the rest pose */
    bool keep_start;           /* a first key after 0 stays there; otherwise the clip begins with it */
    bool drop_static_clips;    /* clips with duration 0 or without bone motion */
    bool nlerp;                /* sample rotations as Tiny3D interpolates them; otherwise slerp, as glTF does */
    bool has_tolerance;        /* an error bound for clips was given */
    bool keeps_without;        /* without that bound, keys would be kept */
    bool advise; /* report what a game cannot find by name, and where normals differ from Tiny3D's converter */
} t3dm_policy;

/* The only function that depends on the format that the model was read from. */
t3dm_policy tl_t3dm_policy_of(const trilo_model *model, const trilo_write_opts *opts);

#endif
