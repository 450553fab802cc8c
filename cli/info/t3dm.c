/* t3dm.c: what `trilobite info` prints for T3DM and compressed files only. */
#include "info/info.h"

#include "collision.h"

#include <inttypes.h>

enum { FREE_LEVEL = 1 }; /* libdragon decompresses it without any setup */

void info_facts_t3dm(const cli_info *info, cli_table *table)
{
    const trilo_t3dm_summary *t3dm = &info->t3dm;
    if (info->format != TRILO_FORMAT_T3DM)
        return;
    table_cell(table, "units");
    table_cell(table, "those of the file; Tiny3D's converter writes 64 for one unit of the source");
    table_cell(table, "loads in");
    table_cell(table, "Tiny3D %s %s%s%s; the runtime refuses every version but its own",
               t3dm->tiny3d_until ? "from" : "since", t3dm->tiny3d_since, t3dm->tiny3d_until ? " to " : "",
               t3dm->tiny3d_until ? t3dm->tiny3d_until : "");
    if (t3dm->has_bvh) {
        table_cell(table, "BVH");
        table_cell(table, "%s node%s, %s of them leaves", COUNT(t3dm->bvh_node_count),
                   text_plural(t3dm->bvh_node_count), COUNT(t3dm->bvh_leaf_count));
    }
}

void info_facts_compression(const trilo_compression *compression, cli_table *table)
{
    if (compression->version == 0)
        return;
    table_cell(table, "compressed");
    table_cell(table, "DCA%" PRIu32 ", level %" PRIu32 " (%s), %s bytes compressed, %s decompressed",
               compression->version, compression->level, compression->name, COUNT(compression->compressed_size),
               COUNT(compression->size));
    table_cell(table, "the game");
    if (compression->level > FREE_LEVEL)
        table_cell(table, "must call asset_init_compression(%" PRIu32 ") before it loads the file", compression->level);
    else
        table_cell(table, "need not enable anything to load the file");
}

static void put_triple(cli_json *json, const char *key, const int16_t values[3])
{
    json_ints(json, key, (const int64_t[]){values[0], values[1], values[2]}, 3);
}

static void put_bvh(const trilo_t3dm_summary *t3dm, cli_json *json)
{
    if (!t3dm->has_bvh) {
        json_null(json, "bvh");
        return;
    }
    json_object(json, "bvh");
    json_uint(json, "nodes", t3dm->bvh_node_count);
    json_uint(json, "leaves", t3dm->bvh_leaf_count);
    json_uint(json, "items", t3dm->bvh_item_count);
    json_end(json);
}

void info_json_t3dm(const cli_info *info, cli_json *json)
{
    const trilo_model *model = info->input->model;
    const trilo_t3dm_summary *t3dm = &info->t3dm;
    if (info->format != TRILO_FORMAT_T3DM)
        return;
    json_object(json, "t3dm");
    json_object(json, "releases");
    json_text(json, "since", t3dm->tiny3d_since);
    if (t3dm->tiny3d_until)
        json_text(json, "until", t3dm->tiny3d_until);
    else
        json_null(json, "until");
    json_end(json);
    json_object(json, "stored_bounds");
    put_triple(json, "min", t3dm->min);
    put_triple(json, "max", t3dm->max);
    json_end(json);
    json_uint(json, "parts", t3dm->part_count);
    json_uint(json, "loaded_vertices", t3dm->loaded_vertices);
    json_array(json, "bones");
    for (uint32_t i = 0; i < model->node_count; i++) {
        json_object(json, NULL);
        json_str(json, "name", model->nodes[i].name);
        json_index(json, "parent", model->nodes[i].parent);
        json_end(json);
    }
    json_end(json);
    put_bvh(t3dm, json);
    json_array(json, "chunks");
    for (uint32_t i = 0; i < model->chunk_count; i++) {
        json_object(json, NULL);
        json_str(json, "type", (trilo_str){&model->chunks[i].type, 1});
        json_uint(json, "size", model->chunks[i].bytes.size);
        if (model->chunks[i].type == '0')
            collision_json(json, model->chunks[i].bytes);
        json_end(json);
    }
    json_end(json);
    json_end(json);
}

void info_json_compression(const trilo_compression *compression, cli_json *json)
{
    if (compression->version == 0)
        return;
    json_object(json, "compression");
    json_uint(json, "container", compression->version);
    json_uint(json, "level", compression->level);
    json_text(json, "coding", compression->name);
    json_uint(json, "compressed_size", compression->compressed_size);
    json_uint(json, "size", compression->size);
    json_bool(json, "must_be_enabled", compression->level > FREE_LEVEL);
    json_end(json);
}
