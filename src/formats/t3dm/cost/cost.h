/* cost.h: counts the cost of drawing a T3DM file once. */
#ifndef TL_T3DM_COST_COST_H
#define TL_T3DM_COST_COST_H

#include "formats/t3dm/t3dm.h"
#include "model/cost.h"

enum { T3DM_MASKS = 8 }; /* sets of T3DM_UNUSED_... */

/* A class number for each row of V; equal vertices share one. Attributes of the mask are ignored. */
typedef struct t3dm_classes {
    const t3dm_file *file;
    tl_arena *scratch;
    uint32_t row_count;
    const uint32_t *of[T3DM_MASKS]; /* NULL: not computed yet */
    uint32_t *last;                 /* for each class, scratch space of tl_t3dm_cost_object */
    uint32_t *seen, list;           /* for each bone, the same */
} t3dm_classes;

bool tl_t3dm_classes_new(const t3dm_file *file, tl_arena *scratch, t3dm_classes *classes);

/* Counts one object. Returns false when memory runs out. */
bool tl_t3dm_cost_object(t3dm_classes *classes, const t3dm_object *object, trilo_cost_counts *counts);
/* Bytes that the console fetches to draw the parts of an object: commands, vertices, strips and matrices. */
uint64_t tl_t3dm_drawn_bytes(const t3dm_part *parts, uint32_t count);

/* --- materials (state.c) --- */

/* The render state that earlier materials have set; none if zero-filled. */
typedef struct t3dm_pipeline {
    bool started, draws; /* some state of the pixel pipeline, of Tiny3D, is set */
    uint32_t hashes[2], blender, flags;
    uint64_t combiner, other_mode;
    uint8_t fog, effect, colors_set, colors[3][4];
} t3dm_pipeline;

/* The state that changes with a material. */
typedef struct t3dm_setting {
    bool pipeline;        /* state of the pixel pipeline: the RSP swaps its program and back */
    bool uploads[2];      /* of the texture slots */
    uint32_t state_bytes; /* commands of Tiny3D */
} t3dm_setting;

t3dm_setting tl_t3dm_set_material(t3dm_pipeline *pipeline, const t3dm_material *material);

static inline bool t3dm_sets(const t3dm_setting *s)
{
    return s->pipeline || s->state_bytes > 0;
}

/* Counts the textures of all materials, their use of TMEM, and the state changes between objects in their order
 * (texture.c). Fills in those members of cost, objects and materials. Returns false when memory runs out. */
bool tl_t3dm_cost_materials(const t3dm_file *file, const trilo_cost_opts *opts, tl_arena *arena, tl_arena *scratch,
                            trilo_cost *cost, trilo_cost_object *objects, trilo_cost_material *materials);

/* --- other orders of the objects (order.c) --- */

typedef struct t3dm_changes {
    uint32_t changes, uploads;
    uint64_t overlay_bytes;
} t3dm_changes;

/* Scratch space for trying orders. */
typedef struct t3dm_orders {
    const t3dm_file *file;
    uint32_t *first; /* of each group */
    uint32_t *keys;  /* sort key of each object */
    uint32_t *order;
} t3dm_orders;

bool tl_t3dm_orders_new(const t3dm_file *file, tl_arena *scratch, t3dm_orders *orders);
/* Counts the state changes if objects whose materials are in the same group are drawn one after the other. `groups` has
 * a number below the count of materials for each material. `only`: the one group that moves; TRILO_NONE: all do. `cost`
 * may be NULL; then uploads are not counted. The order is stored in `orders->order`. */
t3dm_changes tl_t3dm_regrouped(const t3dm_orders *orders, const trilo_cost *cost, const uint32_t *groups,
                               uint32_t only);

/* --- advice about textures (texture_advice.c) --- */

/* A name in a sentence: not too long, control bytes escaped. */
typedef struct t3dm_quoted {
    char text[72];
} t3dm_quoted;
t3dm_quoted tl_t3dm_quote(trilo_str name);

typedef struct t3dm_advice {
    enum t3dm_rule_id rule;
    uint32_t material, texture; /* what it is about; TRILO_NONE: none */
    uint64_t saves;             /* bytes per frame; 0: none, or unknown */
    const char *text;           /* one sentence, control bytes escaped */
} t3dm_advice;
typedef void tl_t3dm_advice_fn(void *user, const t3dm_advice *advice);

/* Everything: TMEM and palettes of materials, format, copies and size of textures. */
void tl_t3dm_advise_on_textures(const trilo_cost *cost, tl_t3dm_advice_fn *fn, void *user);

/* All other members are filled in already. Returns false when memory runs out. */
bool tl_t3dm_cost_hints(const t3dm_file *file, tl_arena *arena, tl_arena *scratch, trilo_cost *cost);

/* The material of an object; NULL: none. */
static inline const t3dm_material *t3dm_material_of(const t3dm_file *file, const t3dm_object *object)
{
    return object->head.material < file->material_count ? &file->materials[object->head.material] : NULL;
}

#endif
