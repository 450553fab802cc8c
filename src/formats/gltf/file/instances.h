/* instances.h: EXT_mesh_gpu_instancing, a node that draws its mesh many times.
 *
 * Each instance becomes a child node. A few bytes ask for many instances, and many nodes may share those bytes: all
 * instances of a file together are limited by its size. */
#ifndef TL_GLTF_FILE_INSTANCES_H
#define TL_GLTF_FILE_INSTANCES_H

#include "formats/gltf/gltf.h"

extern const char tl_gltf_instancing[]; /* the name of the extension */

/* The transforms of a node's instances, relative to the node. */
typedef struct gltf_instances {
    uint32_t count;
    bool has_translation, has_rotation, has_scale;
    gltf_accessor translation, rotation, scale;
} gltf_instances;

/* True if all instances of the file are within the limit. */
bool tl_gltf_instances_fit(const gltf_file *file);

/* False: the node draws its mesh once. *problem then says why, as a static sentence; NULL: it has no instances. `fit`
 * is the result of the function above. */
bool tl_gltf_instances_of(const gltf_file *file, const tl_json *node, bool fit, gltf_instances *out,
                          const char **problem);

/* The transform of an instance; name and parent stay as they are. */
void tl_gltf_instance(const gltf_instances *instances, uint32_t index, trilo_node *out);

#endif
