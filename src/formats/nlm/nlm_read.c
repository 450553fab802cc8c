#include "formats/nlm/nlm.h"

#include "base/size.h"
#include "base/sort.h"
#include <string.h>

static const trilo_rule *rule(enum nlm_rule_id id)
{
    return &tl_nlm_rules[id];
}

static bool is_magic(uint32_t word)
{
    return word == NLM_MAGIC || word == NLM_MAGIC_SWAPPED;
}

static bool magic_in(trilo_bytes bytes, unsigned form)
{
    const tl_field *magic = tl_layout_field(&tl_nlm_header, form, "magic");
    return tl_fits(bytes.size, magic->at, 1, NLM_WORD) && is_magic(tl_get_u32le(bytes.data + magic->at));
}

/* Which form of header the bytes start with; 0: neither. */
static unsigned header_form(trilo_bytes bytes)
{
    return magic_in(bytes, NLM_HEADER_16) ? NLM_HEADER_16 : magic_in(bytes, NLM_HEADER_12) ? NLM_HEADER_12 : 0;
}

static bool nlm_probe(trilo_bytes bytes)
{
    return header_form(bytes) != 0;
}

static bool read_header(tl_reader *r, nlm_file *file)
{
    file->header_form = header_form(file->bytes);
    if (file->header_form == 0)
        return tl_reader_fail(r, TRILO_CODE_BAD_VALUE, rule(NLM_R_MAGIC), 0,
                              "no NLM magic number (LDOM) at byte 4 or at byte 0");
    tl_path_push(&r->path, "header", TL_NO_INDEX);
    bool ok = tl_layout_read(r, &tl_nlm_header, file->header_form, &file->header);
    tl_path_pop(&r->path);
    return ok && tl_layout_read(r, &tl_nlm_bounds, 0, &file->bounds);
}

static bool read_mesh(tl_reader *r, nlm_mesh *mesh)
{
    const uint64_t at = r->at;
    if (!tl_layout_read(r, &tl_nlm_mesh_head, 0, &mesh->head) ||
        !tl_reader_count_fits(r, at, "vertices", mesh->head.vertex_count, tl_layout_size(&tl_nlm_vertex, 0)))
        return false;
    mesh->vertices = tl_reader_take(r, "vertices", mesh->head.vertex_count, tl_layout_size(&tl_nlm_vertex, 0));
    if (!tl_reader_count_fits(r, at, "indices", mesh->head.index_count, NLM_WORD))
        return false;
    mesh->indices = tl_reader_take(r, "indices", mesh->head.index_count, NLM_WORD);
    const uint8_t *size = tl_reader_take(r, "texture size", 1, NLM_WORD);
    mesh->texture_size = size ? tl_get_u32le(size) : 0;
    mesh->texture = tl_reader_take(r, "bytes of texture", mesh->texture_size, 1);
    return !r->failed;
}

/* A list of things that each take at least `least` bytes: its rows, zero-filled. */
static void *read_list(tl_reader *r, tl_arena *arena, const char *what, size_t least, size_t row_size, uint32_t *count)
{
    *count = tl_reader_count(r, what, least);
    void *rows = r->failed ? NULL : tl_array(arena, *count, row_size);
    if (!rows && !r->failed) {
        r->failed = true;
        tl_fail_memory(r->err);
    }
    return rows;
}

#define EACH(list, count, ...)                                                                                         \
    for (uint32_t i = 0; !r->failed && i < file->count; i++) {                                                         \
        tl_path_push(&r->path, #list, i);                                                                              \
        __VA_ARGS__;                                                                                                   \
        tl_path_pop(&r->path);                                                                                         \
    }

static bool read_meshes(tl_reader *r, tl_arena *arena, nlm_file *file)
{
    const size_t least = tl_layout_size(&tl_nlm_mesh_head, 0) + NLM_WORD;
    file->meshes = read_list(r, arena, "meshes", least, sizeof *file->meshes, &file->mesh_count);
    EACH(meshes, mesh_count, read_mesh(r, &file->meshes[i]))
    return !r->failed;
}

static void read_track(tl_reader *r, nlm_track *track)
{
    static const char *const names[] = {"position keys", "rotation keys", "scale keys"};
    const uint64_t at = r->at;
    if (!tl_layout_read(r, &tl_nlm_track_head, 0, &track->head))
        return;
    for (int kind = 0; kind < NLM_KEY_KINDS; kind++) {
        size_t size = tl_layout_size(nlm_key_layout(kind), 0);
        if (tl_reader_count_fits(r, at, names[kind], track->head.key_counts[kind], size))
            track->keys[kind] = tl_reader_take(r, names[kind], track->head.key_counts[kind], size);
    }
}

static void read_node(tl_reader *r, nlm_node *node)
{
    const uint64_t at = r->at;
    if (tl_layout_read(r, &tl_nlm_node_head, 0, &node->head) &&
        tl_reader_count_fits(r, at, "children", node->head.child_count, NLM_WORD))
        node->children = tl_reader_take(r, "children", node->head.child_count, NLM_WORD);
}

static bool read_animation(tl_reader *r, tl_arena *arena, nlm_file *file)
{
    file->clip_at = r->at;
    tl_layout_read(r, &tl_nlm_clip, 0, &file->clip);
    file->bones_at = r->at;
    file->bones = read_list(r, arena, "bones", tl_layout_size(&tl_nlm_bone, 0), sizeof *file->bones, &file->bone_count);
    EACH(bones, bone_count, tl_layout_read(r, &tl_nlm_bone, 0, &file->bones[i]))
    file->tracks =
        read_list(r, arena, "tracks", tl_layout_size(&tl_nlm_track_head, 0), sizeof *file->tracks, &file->track_count);
    EACH(tracks, track_count, read_track(r, &file->tracks[i]))
    file->nodes_at = r->at;
    file->nodes =
        read_list(r, arena, "nodes", tl_layout_size(&tl_nlm_node_head, 0), sizeof *file->nodes, &file->node_count);
    EACH(nodes, node_count, read_node(r, &file->nodes[i]))
    return !r->failed;
}

static int64_t node_key(const void *nodes, uint32_t row)
{
    return ((const nlm_node *)nodes)[row].head.node_id;
}

static int64_t bone_key(const void *bones, uint32_t row)
{
    return ((const nlm_bone *)bones)[row].bone_index;
}

static int64_t track_key(const void *tracks, uint32_t row)
{
    return ((const nlm_track *)tracks)[row].head.node_id;
}

/* The first parent that claims a node has it; the check reports the others. */
static void link_parents(nlm_file *file)
{
    for (uint32_t i = 0; i < file->node_count; i++)
        file->nodes[i].parent = TRILO_NONE;
    for (uint32_t i = 0; i < file->node_count; i++)
        for (uint32_t k = 0; k < file->nodes[i].head.child_count; k++) {
            uint32_t child = tl_nlm_node_row(file, (int32_t)tl_get_u32le(file->nodes[i].children + NLM_WORD * k));
            if (child != TRILO_NONE && file->nodes[child].parent == TRILO_NONE)
                file->nodes[child].parent = i;
        }
}

/* Two walks up for each node, both ending at the first ancestor whose depth is known: linear in all. */
static void measure_depths(nlm_file *file)
{
    enum { UNKNOWN = 0x7FFFFFFF, VISITING = 0x7FFFFFFE };
    nlm_node *nodes = file->nodes;
    for (uint32_t i = 0; i < file->node_count; i++)
        nodes[i].depth = UNKNOWN;
    for (uint32_t start = 0; start < file->node_count; start++) {
        uint32_t i = start, steps = 0;
        for (; i != TRILO_NONE && nodes[i].depth == UNKNOWN; i = nodes[i].parent, steps++)
            nodes[i].depth = VISITING;
        bool circle = i != TRILO_NONE && (nodes[i].depth == VISITING || nodes[i].depth == TRILO_NONE);
        uint32_t depth = circle ? TRILO_NONE : steps + (i == TRILO_NONE ? 0 : nodes[i].depth + 1);
        for (i = start; steps > 0; i = nodes[i].parent, steps--)
            nodes[i].depth = circle ? TRILO_NONE : --depth;
    }
}

static bool bones_dense(const nlm_file *file)
{
    for (uint32_t i = 0; i < file->bone_count; i++)
        if (file->bones[file->bones_by_index[i]].bone_index != (int32_t)i)
            return false;
    return true;
}

bool tl_nlm_index_rows(nlm_file *file, tl_arena *arena)
{
    file->nodes_by_id = TL_ARRAY(arena, file->node_count, uint32_t);
    file->bones_by_index = TL_ARRAY(arena, file->bone_count, uint32_t);
    file->tracks_by_node = TL_ARRAY(arena, file->track_count, uint32_t);
    if (!file->nodes_by_id || !file->bones_by_index || !file->tracks_by_node)
        return false;
    tl_sort_rows(file->nodes_by_id, file->node_count, node_key, file->nodes);
    tl_sort_rows(file->bones_by_index, file->bone_count, bone_key, file->bones);
    tl_sort_rows(file->tracks_by_node, file->track_count, track_key, file->tracks);
    file->bones_dense = bones_dense(file);
    link_parents(file);
    measure_depths(file);
    return true;
}

static uint32_t find(const uint32_t *order, uint32_t count, tl_key_fn *key, const void *rows, int32_t wanted)
{
    uint32_t at = tl_find_row(order, count, key, rows, wanted);
    return at < count ? order[at] : TRILO_NONE;
}

uint32_t tl_nlm_node_row(const nlm_file *file, int32_t id)
{
    return find(file->nodes_by_id, file->node_count, node_key, file->nodes, id);
}

uint32_t tl_nlm_bone_row(const nlm_file *file, int32_t index)
{
    return find(file->bones_by_index, file->bone_count, bone_key, file->bones, index);
}

uint32_t tl_nlm_track_row(const nlm_file *file, int32_t node_id)
{
    return find(file->tracks_by_node, file->track_count, track_key, file->tracks, node_id);
}

tl_records tl_nlm_keys(const nlm_track *track, int kind)
{
    return (tl_records){nlm_key_layout(kind), 0, track->keys[kind], track->head.key_counts[kind]};
}

/* Does every run of three indices repeat one? As triangles nothing would be drawn; chains of lines look like this. */
static bool all_triples_repeat(const nlm_mesh *mesh)
{
    for (size_t i = 0; i + 2 < mesh->head.index_count; i += 3) {
        const uint8_t *p = mesh->indices + NLM_WORD * i;
        const uint32_t a = tl_get_u32le(p), b = tl_get_u32le(p + NLM_WORD), c = tl_get_u32le(p + 2 * NLM_WORD);
        if (a != b && b != c && c != a)
            return false;
    }
    return true;
}

trilo_topology tl_nlm_topology(const nlm_file *file, const nlm_mesh *mesh)
{
    const uint32_t count = mesh->head.index_count;
    if (file->opts.topology != TRILO_NLM_TOPOLOGY_GUESS)
        return file->opts.topology == TRILO_NLM_TOPOLOGY_LINES ? TRILO_TOPOLOGY_LINES : TRILO_TOPOLOGY_TRIANGLES;
    if (count % 3 != 0)
        return TRILO_TOPOLOGY_LINES;
    return count > 0 && count % 2 == 0 && all_triples_repeat(mesh) ? TRILO_TOPOLOGY_LINES : TRILO_TOPOLOGY_TRIANGLES;
}

static uint32_t nlm_version(const void *file)
{
    return ((const nlm_file *)file)->header.version;
}

void *tl_nlm_read(tl_arena *arena, trilo_bytes bytes, const trilo_load_opts *opts, trilo_error *err)
{
    nlm_file *file = TL_NEW(arena, nlm_file);
    if (!file) {
        tl_fail_memory(err);
        return NULL;
    }
    file->bytes = bytes;
    file->opts = opts->nlm;
    file->max_depth = opts->limits.depth ? opts->limits.depth : 1024;
    tl_reader r = {.base = bytes.data,
                   .size = bytes.size,
                   .order = TL_LITTLE,
                   .max_count = opts->limits.count ? opts->limits.count : 1u << 28,
                   .truncated = rule(NLM_R_TRUNCATED),
                   .err = err};
    if (!read_header(&r, file) || !read_meshes(&r, arena, file) ||
        (file->header.animated && !read_animation(&r, arena, file)))
        return NULL;
    file->end_at = r.at;
    if (!tl_nlm_index_rows(file, arena)) {
        tl_fail_memory(err);
        return NULL;
    }
    return file;
}

const tl_format tl_format_nlm = {
    .info = {TRILO_FORMAT_NLM, "nlm", "NiteLite model", "2", "nlm", true, true},
    .rules = tl_nlm_rules,
    .rule_count = NLM_RULE_COUNT,
    .probe = nlm_probe,
    .read = tl_nlm_read,
    .version = nlm_version,
    .check = tl_nlm_check,
    .decode = tl_nlm_decode,
    .encode = tl_nlm_encode,
    .write = tl_nlm_write,
    .sections = tl_nlm_sections,
    .visit = tl_nlm_visit,
    .reference = tl_nlm_reference,
};
