/* instances.h: EXT_mesh_gpu_instancing, a node that shows its mesh many times.
 *
 * Each time becomes a node below it. A few bytes ask for much here, and many nodes can ask with the same bytes: all
 * instances of a file together are held to what its size justifies. */
#ifndef TL_GLTF_FILE_INSTANCES_H
#define TL_GLTF_FILE_INSTANCES_H

#include "formats/gltf/gltf.h"

extern const char tl_gltf_instancing[]; /* the name of the extension */

/* Where a node shows its mesh, below its own place. */
typedef struct gltf_instances {
    uint32_t count;
    bool has_translation, has_rotation, has_scale;
    gltf_accessor translation, rotation, scale;
} gltf_instances;

/* Are there so few in the file that they can all be shown? */
bool tl_gltf_instances_fit(const gltf_file *file);

/* False: the node shows its mesh once; then *problem says why, as a static sentence, or is NULL when the node asks for
 * nothing else. `fit` is the answer of the function above. */
bool tl_gltf_instances_of(const gltf_file *file, const tl_json *node, bool fit, gltf_instances *out,
                          const char **problem);

/* The index-th of them, without name and parent. */
void tl_gltf_instance(const gltf_instances *instances, uint32_t index, trilo_node *out);

#endif
