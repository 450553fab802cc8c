/* check.h: what the files of the check share.
 *
 * References first, then what stands behind them: a later step trusts what an earlier one was content with. An accessor
 * is read through once, whoever uses it how often.
 */
#ifndef TL_GLTF_CHECK_CHECK_H
#define TL_GLTF_CHECK_CHECK_H

#include "formats/gltf/gltf.h"

/* What reading an accessor through has shown. */
typedef struct gltf_facts {
    gltf_accessor accessor;
    bool readable;
    uint32_t most;   /* the largest of its whole numbers; of floats 0 */
    uint32_t broken; /* the first element that is infinite or not a number; TRILO_NONE: all are fine */
    enum { RISES_UNKNOWN, RISES, RISES_NOT } rises;
    bool told; /* something about it was reported that would be the same for the next who uses it */
} gltf_facts;

typedef struct gltf_checker {
    const gltf_file *file;
    tl_arena *scratch;
    tl_report *report;
    bool quantized;      /* KHR_mesh_quantization */
    gltf_facts *facts;   /* of each accessor */
    uint32_t *parents;   /* of each node; TRILO_NONE: a root */
    uint32_t *morphs;    /* targets of each mesh */
    bool *materials_met; /* by a primitive */
    bool *shown;         /* nodes of the scene that is shown */
} gltf_checker;

/* A finding at a value: the path is where the checker stands. */
#define GLTF_TELL(checker, id, value, ...)                                                                             \
    tl_report_finding((checker)->report, gltf_rule(id), tl_gltf_at((checker)->file, value), __VA_ARGS__)

static inline void gltf_enter(gltf_checker *c, const char *name, uint64_t index)
{
    tl_path_push(&c->report->path, name, index);
}

static inline void gltf_leave(gltf_checker *c)
{
    tl_path_pop(&c->report->path);
}

/* Members of a kind: NULL when there is none. One of another kind, or a missing one that is needed, is told. */
const tl_json *tl_gltf_need(gltf_checker *c, const tl_json *object, const char *key, tl_json_kind kind, bool needed);
/* The same for an array whose elements are all of a kind. */
const tl_json *tl_gltf_need_list(gltf_checker *c, const tl_json *object, const char *key, tl_json_kind each,
                                 bool needed);
/* As tl_gltf_index, with the finding. */
uint32_t tl_gltf_need_index(gltf_checker *c, const tl_json *object, const char *key, gltf_array array, bool needed);
/* An array of indices. */
const tl_json *tl_gltf_need_indices(gltf_checker *c, const tl_json *object, const char *key, gltf_array array,
                                    bool needed);
/* An accessor that can be read; NULL: none, or something was told. */
gltf_facts *tl_gltf_need_accessor(gltf_checker *c, const tl_json *object, const char *key, bool needed);
/* The same for a member that was found already. */
gltf_facts *tl_gltf_accessor_in(gltf_checker *c, const tl_json *member);
/* Floats that are all numbers; false: told. */
bool tl_gltf_all_finite(gltf_checker *c, gltf_facts *facts, const tl_json *where);

bool tl_gltf_check_container(gltf_checker *c);
bool tl_gltf_check_extensions(gltf_checker *c);
bool tl_gltf_check_bytes(gltf_checker *c);
void tl_gltf_check_textures(gltf_checker *c);
void tl_gltf_check_materials(gltf_checker *c);
void tl_gltf_check_meshes(gltf_checker *c);
void tl_gltf_check_nodes(gltf_checker *c);
void tl_gltf_check_skins(gltf_checker *c);
void tl_gltf_check_animations(gltf_checker *c);
void tl_gltf_check_losses(gltf_checker *c);

#endif
