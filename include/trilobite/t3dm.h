/* t3dm.h: what a T3DM file contains beyond its model.
 *
 * These functions use the records that were read when the document was opened. They parse nothing, and only the last
 * one allocates.
 */
#ifndef TRILOBITE_T3DM_H
#define TRILOBITE_T3DM_H

#include "trilobite/document.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct trilo_t3dm_summary {
    uint32_t version; /* 1 to 4; 0: the document is not a T3DM file */
    const char *tiny3d_since,
        *tiny3d_until; /* dates of the first and last Tiny3D that loads it; until is NULL if the current one does */
    int16_t min[3], max[3]; /* the bounding box in the header */
    uint32_t object_count, material_count, bone_count, animation_count;
    uint64_t part_count;      /* of all objects */
    uint64_t loaded_vertices; /* vertices that all parts load into the vertex cache */
    bool has_bvh;
    uint32_t bvh_node_count, bvh_leaf_count, bvh_item_count;
} trilo_t3dm_summary;
TRILO_API trilo_t3dm_summary trilo_document_t3dm(const trilo_document *document);

/* An object; it becomes a mesh of the model. */
typedef struct trilo_t3dm_object {
    uint32_t part_count;
    uint64_t loaded_vertices; /* by its parts */
} trilo_t3dm_object;
/* All zero after the last one. */
TRILO_API trilo_t3dm_object trilo_document_t3dm_object(const trilo_document *document, uint32_t index);

/* An animation; it becomes a clip of the model. The counts are those of the file, even if the stream is missing. */
typedef struct trilo_t3dm_animation {
    uint32_t channel_count, key_count;
    trilo_str stream_path; /* as stored in the file: "rom:/hero.0.sdata"; valid as long as the document */
    bool stream_found;
    uint64_t size;        /* bytes in the T3DM file */
    uint64_t stream_size; /* bytes of the stream; 0: not found */
} trilo_t3dm_animation;
/* All zero after the last one. */
TRILO_API trilo_t3dm_animation trilo_document_t3dm_animation(const trilo_document *document, uint32_t index);
/* Reports a warning if the animation has keys but its stream was not found, so that its clip shows the rest pose. */
TRILO_API void trilo_document_t3dm_check_stream(const trilo_document *document, uint32_t index,
                                                trilo_finding_fn *report, void *user);

/* How far a clip of a T3DM file is from its source when Tiny3D plays it: the largest error at any tick of 1/60 second,
 * along the whole chain of bones. */
typedef struct trilo_t3dm_clip_error {
    bool measured;   /* false: the source has no clip of this name, or its stream was not found */
    double distance; /* of the vertex that is furthest off, in units of the file */
    double seconds;  /* when that is */
    trilo_str bone;  /* that the vertex follows; "": there is no error. Valid as long as the document */
    double rotation; /* the largest error of a bone's rotation, in degrees */
    double position; /* the largest error of a bone's position, in units of the file */
} trilo_t3dm_clip_error;
/* Measures each animation of the document against the clip of the same name in `source`, the model that the file was
 * converted from. `scale` is that of the conversion; 0: taken from the bones, which are matched by name. `errors` has
 * room for trilo_document_t3dm().animation_count. */
TRILO_API bool trilo_document_t3dm_clip_errors(const trilo_document *document, const trilo_model *source, double scale,
                                               trilo_t3dm_clip_error *errors, trilo_error *err);

#ifdef __cplusplus
}
#endif
#endif
