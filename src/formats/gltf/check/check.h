/* check.h: what the files of the check share.
 *
 * References are checked first, then what they refer to: a later step relies on the earlier ones. Each accessor is
 * scanned once, however many objects use it.
 */
#ifndef TL_GLTF_CHECK_CHECK_H
#define TL_GLTF_CHECK_CHECK_H

#include "formats/gltf/gltf.h"

/* What an accessor is used for. One accessor has one use. */
typedef enum gltf_use {
    GLTF_USE_NONE,
    GLTF_USE_ATTRIBUTE,
    GLTF_USE_INDICES,
    GLTF_USE_TIMES,
    GLTF_USE_KEYS,
    GLTF_USE_BINDS
} gltf_use;

/* What the elements of an accessor must be, beside its use: flags. */
enum {
    GLTF_ROLE_NORMAL = 1,
    GLTF_ROLE_TANGENT = 2,
    GLTF_ROLE_COLOR = 4,
    GLTF_ROLE_ROTATION = 8,
    GLTF_ROLE_CUBIC_ROTATION = 16, /* in tangent, value, tangent of a cubic spline the value */
    GLTF_ROLE_BIND = 32,
    GLTF_ROLE_TIME = 64,
    GLTF_ROLE_INDEX = 128
};

/* What a buffer view is used for. */
typedef enum gltf_view_use {
    GLTF_VIEW_UNUSED,
    GLTF_VIEW_VERTICES,
    GLTF_VIEW_INDICES,
    GLTF_VIEW_BINDS,
    GLTF_VIEW_IMAGE,
    GLTF_VIEW_OTHER
} gltf_view_use;

typedef enum gltf_order { GLTF_ORDER_UNKNOWN, GLTF_ORDER_INCREASING, GLTF_ORDER_BROKEN } gltf_order;

/* An accessor and what scanning it has shown. */
typedef struct gltf_accessor_facts {
    gltf_accessor accessor;
    bool readable;
    uint32_t max;        /* the largest of its integers; 0 for floats */
    uint32_t non_finite; /* the first element with an infinity or NaN; TRILO_NONE: none */
    gltf_order order;    /* of keyframe times */
    bool reported;       /* a finding that would be the same for the next user of the accessor */
    gltf_use use;
    unsigned roles;
} gltf_accessor_facts;

typedef struct gltf_view_facts {
    gltf_view_use use;
    uint32_t attribute; /* the accessor + 1 that has its vertex attribute here; without a byteStride only one may */
} gltf_view_facts;

typedef struct gltf_checker {
    const gltf_file *file;
    tl_arena *scratch;
    tl_report *report;
    bool quantized;             /* KHR_mesh_quantization is used */
    gltf_accessor_facts *facts; /* of each accessor */
    gltf_bounds *bounds;        /* of each accessor that is readable */
    gltf_view_facts *views;     /* of each buffer view */
    uint8_t *refused;           /* bits, for each byte of the text: the value there has an error already */
    uint32_t *parents;          /* of each node; TRILO_NONE: a root */
    uint32_t *target_counts;    /* morph targets of each mesh */
    bool *materials_used;       /* by a primitive of the scene that is read */
    bool *in_scene;             /* nodes of that scene, without hidden ones */
    bool *hidden;               /* nodes: by KHR_node_visibility, of their own or of a node above */
} gltf_checker;

/* A finding at a JSON value, with the path of the report. */
#define GLTF_REPORT(checker, id, value, ...)                                                                           \
    (gltf_note_error(checker, id, value),                                                                              \
     tl_report_finding((checker)->report, gltf_rule(id), tl_gltf_at((checker)->file, value), __VA_ARGS__))

/* The same about conformance: silent when the value has an error already, which is more important. */
#define GLTF_CONFORM(checker, id, value, ...)                                                                          \
    (gltf_has_error(checker, value)                                                                                    \
         ? (void)0                                                                                                     \
         : tl_report_finding((checker)->report, gltf_rule(id), tl_gltf_at((checker)->file, value), __VA_ARGS__))

static inline bool gltf_has_error(const gltf_checker *c, const tl_json *value)
{
    return value && c->refused && (c->refused[value->at / 8] >> value->at % 8 & 1) != 0;
}

static inline void gltf_note_error(gltf_checker *c, int rule, const tl_json *value)
{
    if (value && c->refused && gltf_rule(rule)->severity >= TRILO_SEVERITY_ERROR)
        c->refused[value->at / 8] = (uint8_t)(c->refused[value->at / 8] | 1u << value->at % 8);
}

static inline void gltf_enter(gltf_checker *c, const char *name, uint64_t index)
{
    tl_path_push(&c->report->path, name, index);
}

static inline void gltf_leave(gltf_checker *c)
{
    tl_path_pop(&c->report->path);
}

/* Each of these returns a member, and reports one of the wrong kind, or a missing one when it is `required`. NULL and
 * TRILO_NONE: there is none, or it was reported. Those that are used for every channel look up their key in the caller,
 * where it is a literal. */
const tl_json *tl_gltf_check_kind(gltf_checker *c, const tl_json *object, const tl_json *value, const char *key,
                                  tl_json_kind kind, bool required);
static inline const tl_json *tl_gltf_check_member(gltf_checker *c, const tl_json *object, const char *key,
                                                  tl_json_kind kind, bool required)
{
    return tl_gltf_check_kind(c, object, tl_json_member(object, key), key, kind, required);
}
/* An array whose elements are all of a kind. */
const tl_json *tl_gltf_check_list(gltf_checker *c, const tl_json *object, const char *key, tl_json_kind each,
                                  bool required);
/* An index into one of the top-level arrays. */
uint32_t tl_gltf_check_index(gltf_checker *c, const tl_json *object, const char *key, gltf_array array, bool required);
/* An array of indices. */
const tl_json *tl_gltf_check_indices(gltf_checker *c, const tl_json *object, const char *key, gltf_array array,
                                     bool required);
/* An accessor, by the member that names it; NULL also when it is not readable. */
gltf_accessor_facts *tl_gltf_check_accessor_value(gltf_checker *c, const tl_json *member);
void tl_gltf_report_missing(gltf_checker *c, const tl_json *object, const char *key);
static inline gltf_accessor_facts *tl_gltf_check_accessor(gltf_checker *c, const tl_json *object, const char *key,
                                                          bool required)
{
    const tl_json *member = tl_json_member(object, key);
    if (!member && required)
        tl_gltf_report_missing(c, object, key);
    return member ? tl_gltf_check_accessor_value(c, member) : NULL;
}
/* True if all floats are finite. False: reported. */
bool tl_gltf_check_finite(gltf_checker *c, gltf_accessor_facts *facts, const tl_json *where);

/* False: the rest of the file cannot be checked. */
bool tl_gltf_check_extensions(gltf_checker *c);
bool tl_gltf_check_buffers(gltf_checker *c);

void tl_gltf_check_container(gltf_checker *c);
bool tl_gltf_mark_scene(gltf_checker *c); /* nodes.c: parents, in_scene, hidden, materials_used; false: no memory */
void tl_gltf_check_textures(gltf_checker *c);
void tl_gltf_check_materials(gltf_checker *c);
void tl_gltf_check_meshes(gltf_checker *c);
void tl_gltf_check_nodes(gltf_checker *c);
void tl_gltf_check_skins(gltf_checker *c);
void tl_gltf_check_animations(gltf_checker *c);
void tl_gltf_check_losses(gltf_checker *c);

/* Conformance: what the specification forbids although it can be read. In this order, since the later ones use what the
 * earlier ones find out about accessors and buffer views. */
void tl_gltf_conform_properties(gltf_checker *c); /* schema.c: types, ranges, references of all properties */
void tl_gltf_conform_views(gltf_checker *c);
/* True if a data URI declares that media type. */
bool tl_gltf_declares(trilo_str uri, const char *type);
void tl_gltf_conform_images(gltf_checker *c);
void tl_gltf_conform_meshes(gltf_checker *c);
void tl_gltf_conform_nodes(gltf_checker *c);
void tl_gltf_conform_skins(gltf_checker *c);
void tl_gltf_conform_animations(gltf_checker *c);
void tl_gltf_conform_elements(gltf_checker *c); /* last: bounds, and what the uses above require of the elements */

/* Notes what member `value`, an index, uses its accessor and the buffer view of it for. Returns the accessor; NULL: the
 * member is missing or not an index of one. */
gltf_accessor_facts *tl_gltf_conform_use(gltf_checker *c, const tl_json *value, gltf_use use, gltf_view_use view);
void tl_gltf_conform_view_use(gltf_checker *c, const tl_json *value, uint32_t view, gltf_view_use use);

#endif
