#include "collision.h"

#include "alloc.h"
#include "paths.h"
#include "ui/text.h"

#include "trilobite/file.h"

#include <stdlib.h>
#include <string.h>

trilo_bytes collision_read(const char *path)
{
    static const char digits[] = "0123456789abcdefABCDEF";
    const char *name = path_last(path);
    trilo_pyrite64_collision collision;
    if (strlen(name) != 16 || strspn(name, digits) != 16)
        return (trilo_bytes){NULL, 0};
    const trilo_file *file = trilo_file_read(path, NULL, NULL);
    trilo_bytes bytes = {NULL, 0};
    if (file && trilo_pyrite64_collision_read(file->bytes, &collision))
        bytes = (trilo_bytes){memcpy(need(NULL, file->bytes.size, 1), file->bytes.data, file->bytes.size),
                              file->bytes.size};
    trilo_file_free(file);
    return bytes;
}

void collision_print(const cli_screen *screen, const char *name, trilo_bytes bytes)
{
    trilo_pyrite64_collision c;
    if (!trilo_pyrite64_collision_read(bytes, &c))
        return;
    text_puts(screen->file, name);
    fprintf(screen->file, ": Pyrite64 collision mesh (layout since %s), %s bytes: %s triangles, %s vertices, ", c.since,
            COUNT(bytes.size), COUNT(c.triangle_count), COUNT(c.vertex_count));
    if (c.bvh_count == 0)
        fputs("no BVH\n", screen->file);
    else
        fprintf(screen->file, "BVH of %s nodes%s\n", COUNT(c.bvh_node_count), c.bvh_count == 2 ? ", twice" : "");
}

void collision_json(cli_json *json, trilo_bytes bytes)
{
    trilo_pyrite64_collision c;
    if (!trilo_pyrite64_collision_read(bytes, &c))
        return;
    json_object(json, "collision");
    json_text(json, "since", c.since);
    json_uint(json, "triangles", c.triangle_count);
    json_uint(json, "vertices", c.vertex_count);
    json_uint(json, "bvhs", c.bvh_count);
    json_uint(json, "bvh_nodes", c.bvh_node_count);
    json_end(json);
}
