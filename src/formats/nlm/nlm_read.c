#include "formats/nlm/nlm.h"

#include "base/size.h"
#include "base/sort.h"
#include <string.h>

static bool nlm_has_magic(trilo_bytes bytes, unsigned form)
{
    const size_t at = tl_layout_field(&tl_nlm_header, form, "magic")->at;
    const uint32_t magic = tl_fits(bytes.size, at, 1, NLM_WORD) ? tl_get_u32le(bytes.data + at) : 0;
    return magic == NLM_MAGIC || magic == NLM_MAGIC_SWAPPED;
}

/* The form of the header; 0: not NLM. */
static unsigned nlm_header_form(trilo_bytes bytes)
{
    return nlm_has_magic(bytes, NLM_HEADER_16)   ? NLM_HEADER_16
           : nlm_has_magic(bytes, NLM_HEADER_12) ? NLM_HEADER_12
                                                 : 0;
}

static bool nlm_probe(trilo_bytes bytes)
{
    return nlm_header_form(bytes) != 0;
}

static bool nlm_read_header(tl_reader *r, nlm_file *file)
{
    file->header_form = nlm_header_form(file->bytes);
    if (file->header_form == 0)
        return tl_reader_fail(r, TRILO_CODE_BAD_VALUE, NLM_RULE(MAGIC), 0,
                              "no NLM magic number (LDOM) at byte 4 or at byte 0");
    tl_path_push(&r->path, "header", TL_NO_INDEX);
    bool ok = tl_layout_read(r, &tl_nlm_header, file->header_form, &file->header);
    tl_path_pop(&r->path);
    return ok && tl_layout_read(r, &tl_nlm_bounds, TL_UNVERSIONED, &file->bounds);
}

static bool nlm_read_mesh(tl_reader *r, nlm_mesh *mesh)
{
    const uint64_t at = r->at;
    if (!tl_layout_read(r, &tl_nlm_mesh_head, TL_UNVERSIONED, &mesh->head) ||
        !tl_reader_count_fits(r, at, "vertices", mesh->head.vertex_count,
                              tl_layout_size(&tl_nlm_vertex, TL_UNVERSIONED)))
        return false;
    mesh->vertices =
        tl_reader_take(r, "vertices", mesh->head.vertex_count, tl_layout_size(&tl_nlm_vertex, TL_UNVERSIONED));
    if (!tl_reader_count_fits(r, at, "indices", mesh->head.index_count, NLM_WORD))
        return false;
    mesh->indices = tl_reader_take(r, "indices", mesh->head.index_count, NLM_WORD);
    const uint8_t *size = tl_reader_take(r, "texture size", 1, NLM_WORD);
    mesh->texture_size = size ? tl_get_u32le(size) : 0;
    mesh->texture = tl_reader_take(r, "bytes of texture", mesh->texture_size, 1);
    return !r->failed;
}

/* Reads the count of a list whose elements take at least `least` bytes each, and allocates zero-filled rows for it. */
static void *nlm_read_list(tl_reader *r, tl_arena *arena, const char *what, size_t least, size_t row_size,
                           uint32_t *count)
{
    *count = tl_reader_count(r, what, least);
    void *rows = r->failed ? NULL : tl_array(arena, *count, row_size);
    if (!rows && !r->failed) {
        r->failed = true;
        tl_fail_memory(r->err);
    }
    return rows;
}

#define NLM_READ_EACH(list, count, ...)                                                                                \
    for (uint32_t i = 0; !r->failed && i < file->count; i++) {                                                         \
        tl_path_push(&r->path, #list, i);                                                                              \
        __VA_ARGS__;                                                                                                   \
        tl_path_pop(&r->path);                                                                                         \
    }

static bool nlm_read_meshes(tl_reader *r, tl_arena *arena, nlm_file *file)
{
    const size_t least = tl_layout_size(&tl_nlm_mesh_head, TL_UNVERSIONED) + NLM_WORD;
    file->meshes = nlm_read_list(r, arena, "meshes", least, sizeof *file->meshes, &file->mesh_count);
    NLM_READ_EACH(meshes, mesh_count, nlm_read_mesh(r, &file->meshes[i]))
    return !r->failed;
}

static void nlm_read_track(tl_reader *r, nlm_track *track)
{
    static const char *const names[] = {"position keys", "rotation keys", "scale keys"};
    const uint64_t at = r->at;
    if (!tl_layout_read(r, &tl_nlm_track_head, TL_UNVERSIONED, &track->head))
        return;
    for (int kind = 0; kind < NLM_KEY_KINDS; kind++) {
        size_t size = tl_layout_size(nlm_key_layout(kind), TL_UNVERSIONED);
        if (tl_reader_count_fits(r, at, names[kind], track->head.key_counts[kind], size))
            track->keys[kind] = tl_reader_take(r, names[kind], track->head.key_counts[kind], size);
    }
}

static void nlm_read_node(tl_reader *r, nlm_node *node)
{
    const uint64_t at = r->at;
    if (tl_layout_read(r, &tl_nlm_node_head, TL_UNVERSIONED, &node->head) &&
        tl_reader_count_fits(r, at, "children", node->head.child_count, NLM_WORD))
        node->children = tl_reader_take(r, "children", node->head.child_count, NLM_WORD);
}

static bool nlm_read_animation(tl_reader *r, tl_arena *arena, nlm_file *file)
{
    file->clip_at = r->at;
    tl_layout_read(r, &tl_nlm_clip, TL_UNVERSIONED, &file->clip);
    file->bones_at = r->at;
    file->bones = nlm_read_list(r, arena, "bones", tl_layout_size(&tl_nlm_bone, TL_UNVERSIONED), sizeof *file->bones,
                                &file->bone_count);
    NLM_READ_EACH(bones, bone_count, tl_layout_read(r, &tl_nlm_bone, TL_UNVERSIONED, &file->bones[i]))
    file->tracks = nlm_read_list(r, arena, "tracks", tl_layout_size(&tl_nlm_track_head, TL_UNVERSIONED),
                                 sizeof *file->tracks, &file->track_count);
    NLM_READ_EACH(tracks, track_count, nlm_read_track(r, &file->tracks[i]))
    file->nodes_at = r->at;
    file->nodes = nlm_read_list(r, arena, "nodes", tl_layout_size(&tl_nlm_node_head, TL_UNVERSIONED),
                                sizeof *file->nodes, &file->node_count);
    NLM_READ_EACH(nodes, node_count, nlm_read_node(r, &file->nodes[i]))
    return !r->failed;
}

static int64_t nlm_node_key(const void *nodes, uint32_t row)
{
    return ((const nlm_node *)nodes)[row].head.node_id;
}

static int64_t nlm_bone_key(const void *bones, uint32_t row)
{
    return ((const nlm_bone *)bones)[row].bone_index;
}

static int64_t nlm_track_key(const void *tracks, uint32_t row)
{
    return ((const nlm_track *)tracks)[row].head.node_id;
}

bool tl_nlm_index_rows(nlm_file *file, tl_arena *arena)
{
    file->nodes_by_id = TL_ARRAY(arena, file->node_count, uint32_t);
    file->bones_by_index = TL_ARRAY(arena, file->bone_count, uint32_t);
    file->tracks_by_node = TL_ARRAY(arena, file->track_count, uint32_t);
    if (!file->nodes_by_id || !file->bones_by_index || !file->tracks_by_node)
        return false;
    tl_sort_rows(file->nodes_by_id, file->node_count, nlm_node_key, file->nodes);
    tl_sort_rows(file->bones_by_index, file->bone_count, nlm_bone_key, file->bones);
    tl_sort_rows(file->tracks_by_node, file->track_count, nlm_track_key, file->tracks);
    file->bones_dense = true;
    for (uint32_t i = 0; i < file->bone_count; i++)
        if (file->bones[file->bones_by_index[i]].bone_index != (int32_t)i)
            file->bones_dense = false;
    /* If several nodes list a child, the first is its parent; the check reports the others. */
    for (uint32_t i = 0; i < file->node_count; i++)
        file->nodes[i].parent = TRILO_NONE;
    for (uint32_t i = 0; i < file->node_count; i++)
        for (uint32_t k = 0; k < file->nodes[i].head.child_count; k++) {
            uint32_t child = tl_nlm_node_row(file, (int32_t)tl_get_u32le(file->nodes[i].children + NLM_WORD * k));
            if (child != TRILO_NONE && file->nodes[child].parent == TRILO_NONE)
                file->nodes[child].parent = i;
        }
    /* Walks up twice from each node, to the first ancestor whose depth is known: O(n) in total. */
    enum { UNKNOWN = 0x7FFFFFFF, VISITING = 0x7FFFFFFE }; /* more than any depth */
    nlm_node *nodes = file->nodes;
    for (uint32_t i = 0; i < file->node_count; i++)
        nodes[i].depth = UNKNOWN;
    for (uint32_t start = 0; start < file->node_count; start++) {
        uint32_t i = start, steps = 0;
        for (; i != TRILO_NONE && nodes[i].depth == UNKNOWN; i = nodes[i].parent, steps++)
            nodes[i].depth = VISITING;
        bool cycle = i != TRILO_NONE && (nodes[i].depth == VISITING || nodes[i].depth == TRILO_NONE);
        uint32_t depth = cycle ? TRILO_NONE : steps + (i == TRILO_NONE ? 0 : nodes[i].depth + 1);
        for (i = start; steps > 0; i = nodes[i].parent, steps--)
            nodes[i].depth = cycle ? TRILO_NONE : --depth;
    }
    return true;
}

static uint32_t nlm_find_row(const uint32_t *order, uint32_t count, tl_key_fn *key, const void *rows, int32_t wanted)
{
    uint32_t at = tl_find_row(order, count, key, rows, wanted);
    return at < count ? order[at] : TRILO_NONE;
}

uint32_t tl_nlm_node_row(const nlm_file *file, int32_t id)
{
    return nlm_find_row(file->nodes_by_id, file->node_count, nlm_node_key, file->nodes, id);
}

uint32_t tl_nlm_bone_row(const nlm_file *file, int32_t index)
{
    return nlm_find_row(file->bones_by_index, file->bone_count, nlm_bone_key, file->bones, index);
}

uint32_t tl_nlm_track_row(const nlm_file *file, int32_t node_id)
{
    return nlm_find_row(file->tracks_by_node, file->track_count, nlm_track_key, file->tracks, node_id);
}

tl_records tl_nlm_keys(const nlm_track *track, int kind)
{
    return (tl_records){nlm_key_layout(kind), TL_UNVERSIONED, track->keys[kind], track->head.key_counts[kind]};
}

/* A file does not say whether it has triangles or lines. If all triangles were degenerate, they are lines. */
trilo_topology tl_nlm_topology(const nlm_file *file, const nlm_mesh *mesh)
{
    const uint32_t count = mesh->head.index_count;
    if (file->opts.topology != TRILO_NLM_TOPOLOGY_GUESS)
        return file->opts.topology == TRILO_NLM_TOPOLOGY_LINES ? TRILO_TOPOLOGY_LINES : TRILO_TOPOLOGY_TRIANGLES;
    if (count % 3 != 0)
        return TRILO_TOPOLOGY_LINES;
    bool degenerate = count > 0 && count % 2 == 0;
    for (size_t i = 0; degenerate && i < count; i += 3) {
        const uint8_t *p = mesh->indices + NLM_WORD * i;
        const uint32_t a = tl_get_u32le(p), b = tl_get_u32le(p + NLM_WORD), c = tl_get_u32le(p + 2 * NLM_WORD);
        degenerate = a == b || b == c || c == a;
    }
    return degenerate ? TRILO_TOPOLOGY_LINES : TRILO_TOPOLOGY_TRIANGLES;
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
    file->opts = *opts->nlm;
    file->max_depth = opts->limits.depth ? opts->limits.depth : 1024;
    tl_reader r = {.base = bytes.data,
                   .size = bytes.size,
                   .order = TL_LITTLE,
                   .max_count = opts->limits.count ? opts->limits.count : 1u << 28,
                   .truncated = NLM_RULE(TRUNCATED),
                   .err = err};
    if (!nlm_read_header(&r, file) || !nlm_read_meshes(&r, arena, file) ||
        (file->header.animated && !nlm_read_animation(&r, arena, file)))
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
    .description = &tl_nlm_description,
};
