/* Checks every value of an NLM file. Large arrays are first scanned fast for any violation; only if there is one does a
 * slow loop find out which rules are broken. Each is reported once per array, with the number of further cases. */
#include "base/strict_float.h"
#include "formats/nlm/nlm.h"

#include "base/scan.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* The violations of a rule in an array: their number, and the index of the first. */
typedef struct nlm_cases {
    size_t count, first;
} nlm_cases;

static void nlm_cases_add(nlm_cases *c, size_t at)
{
    if (c->count++ == 0)
        c->first = at;
}

/* " (and 41 more)", or nothing. */
static const char *nlm_cases_tail(const nlm_cases *c, char out[48])
{
    out[0] = '\0';
    if (c->count > 1)
        snprintf(out, 48, " (and %zu more)", c->count - 1);
    return out;
}

static void nlm_report_cases(const nlm_file *file, const tl_records *records, const char *name, const nlm_cases *c,
                             const trilo_rule *rule, const char *text, tl_report *report)
{
    if (c->count == 0)
        return;
    char tail[48];
    tl_path_push(&report->path, name, c->first);
    tl_report_finding(report, rule,
                      nlm_offset(file, records->bytes + c->first * tl_layout_size(records->layout, TL_UNVERSIONED)),
                      "%s%s", text, nlm_cases_tail(c, tail));
    tl_path_pop(&report->path);
}

/* --- vertices --- */

typedef struct nlm_vertex_cases {
    nlm_cases nan, bones, weights;
} nlm_vertex_cases;

/* The slow test of a vertex. */
static void nlm_test_vertex(const nlm_file *file, const nlm_mesh *mesh, size_t row, nlm_vertex_cases *found)
{
    trilo_nlm_vertex v;
    tl_layout_load(&tl_nlm_vertex, TL_UNVERSIONED,
                   mesh->vertices + row * tl_layout_size(&tl_nlm_vertex, TL_UNVERSIONED), &v);
    bool finite = tl_is_finite(v.uv[0]) && tl_is_finite(v.uv[1]), known = true, used = false, stray = false;
    for (int i = 0; i < 3; i++)
        finite = finite && tl_is_finite(v.position[i]) && tl_is_finite(v.color[i]) && tl_is_finite(v.normal[i]);
    float sum = 0;
    for (int i = 0; i < 4; i++) {
        finite = finite && tl_is_finite(v.weights[i]);
        known = known && (v.bone_ids[i] == -1 || tl_nlm_bone_row(file, v.bone_ids[i]) != TRILO_NONE);
        used = used || v.bone_ids[i] >= 0;
        stray = stray || (v.bone_ids[i] < 0 && v.weights[i] != 0);
        sum += v.weights[i];
    }
    if (!finite)
        nlm_cases_add(&found->nan, row);
    if (!known)
        nlm_cases_add(&found->bones, row);
    if (stray || (used && !(sum > 0.999f && sum < 1.001f)))
        nlm_cases_add(&found->weights, row);
}

/* The fast test of weights, which does not unpack the vertices. */
static bool nlm_weights_pass(const uint8_t *vertices, size_t count)
{
    const size_t size = tl_layout_size(&tl_nlm_vertex, TL_UNVERSIONED);
    const uint8_t *ids = vertices + tl_layout_field(&tl_nlm_vertex, TL_UNVERSIONED, "bone_ids")->at;
    const uint8_t *weights = vertices + tl_layout_field(&tl_nlm_vertex, TL_UNVERSIONED, "weights")->at;
    uint32_t bad = 0;
    for (size_t row = 0; row < count; row++, ids += size, weights += size) {
        uint32_t used = 0;
        float sum = 0;
        for (size_t i = 0; i < 4; i++) {
            uint32_t unused = 0u - (tl_get_u32le(ids + 4 * i) >> 31); /* all ones when the id is negative */
            bad |= unused & tl_get_u32le(weights + 4 * i) << 1;
            used |= ~unused;
            sum += tl_float_of(tl_get_u32le(weights + 4 * i));
        }
        bad |= used & (sum > 0.999f && sum < 1.001f ? 0u : 1u);
    }
    return bad == 0;
}

enum { NLM_VERTEX_BLOCK = 256 }; /* vertices that fit the L1 cache: a block is read twice */

static void nlm_check_vertices(const nlm_file *file, const nlm_mesh *mesh, tl_report *report)
{
    const tl_records vertices = nlm_vertices(mesh);
    const size_t size = tl_layout_size(&tl_nlm_vertex, TL_UNVERSIONED), count = mesh->head.vertex_count;
    const bool skinned = file->bone_count > 0;
    nlm_vertex_cases found = {0};
    tl_word_test test;
    /* The fast test: floats are finite, bone ids go from -1 to the largest index, no weights without bones. */
    const tl_layout *layout = &tl_nlm_vertex;
    const uint32_t bone_limit =
        file->bone_count ? (uint32_t)file->bones[file->bones_by_index[file->bone_count - 1]].bone_index + 1u : 0;
    test.words = tl_layout_size(layout, TL_UNVERSIONED) / NLM_WORD;
    for (const tl_field *f = layout->fields; f < layout->fields + layout->field_count; f++)
        for (size_t i = f->at / NLM_WORD; i < f->at / NLM_WORD + f->count; i++) {
            bool is_float = f->kind == TL_F32;
            bool is_zero = file->bone_count == 0 && f->host == offsetof(trilo_nlm_vertex, weights);
            test.add[i] = is_float ? 0 : 1;
            test.mask[i] = is_float ? 0x7FFFFFFFu : UINT32_MAX;
            test.max[i] = !is_float ? bone_limit : is_zero ? 0 : 0x7F7FFFFFu;
        }
    for (size_t start = 0; start < count; start += NLM_VERTEX_BLOCK) {
        const size_t n = count - start < NLM_VERTEX_BLOCK ? count - start : NLM_VERTEX_BLOCK;
        const uint8_t *block = mesh->vertices + start * size;
        const bool pass =
            tl_scan_records(block, 0, n, &test) == n && (!skinned || (file->bones_dense && nlm_weights_pass(block, n)));
        for (size_t i = 0; !pass && i < n; i++)
            nlm_test_vertex(file, mesh, start + i, &found);
    }
    nlm_report_cases(file, &vertices, "vertices", &found.nan, NLM_RULE(NAN), "a value is infinite or NaN", report);
    nlm_report_cases(file, &vertices, "vertices", &found.bones, NLM_RULE(BONE_ID),
                     "a bone id that no bone has; -1 marks an unused slot", report);
    nlm_report_cases(file, &vertices, "vertices", &found.weights, NLM_RULE(WEIGHTS),
                     "weights of used slots must add up to 1 and those of unused slots be 0", report);
}

/* --- meshes --- */

/* The offset of a field of the head of a mesh. */
static uint64_t nlm_mesh_head_at(const nlm_file *file, const nlm_mesh *mesh, const char *field)
{
    const uint64_t start = nlm_offset(file, mesh->vertices) - tl_layout_size(&tl_nlm_mesh_head, TL_UNVERSIONED);
    return start + tl_layout_field(&tl_nlm_mesh_head, TL_UNVERSIONED, field)->at;
}

static void nlm_check_mesh(const nlm_file *file, const nlm_mesh *mesh, tl_report *report)
{
    const trilo_bytes texture = {mesh->texture, mesh->texture_size};
    if (mesh->head.vertex_count == 0 || mesh->head.index_count == 0)
        tl_report_finding(report, NLM_RULE(EMPTY), nlm_mesh_head_at(file, mesh, "vertex_count"),
                          "%" PRIu32 " vertices and %" PRIu32 " indices: nothing to draw", mesh->head.vertex_count,
                          mesh->head.index_count);
    nlm_check_vertices(file, mesh, report);
    const size_t count = mesh->head.index_count;
    nlm_cases bad = {0};
    for (size_t at = 0; (at = tl_scan_indices(mesh->indices, at, count, mesh->head.vertex_count)) < count; at++)
        nlm_cases_add(&bad, at);
    if (bad.count > 0) {
        char tail[48];
        const uint8_t *p = mesh->indices + bad.first * NLM_WORD;
        tl_path_push(&report->path, "indices", bad.first);
        tl_report_finding(report, NLM_RULE(INDEX_RANGE), nlm_offset(file, p),
                          "%" PRIu32 ", must be below the vertex count %" PRIu32 "%s", tl_get_u32le(p),
                          mesh->head.vertex_count, nlm_cases_tail(&bad, tail));
        tl_path_pop(&report->path);
    }
    const bool lines = tl_nlm_topology(file, mesh) == TRILO_TOPOLOGY_LINES;
    if (count % (lines ? 2 : 3) != 0)
        tl_report_finding(report, NLM_RULE(INDEX_COUNT), nlm_mesh_head_at(file, mesh, "index_count"),
                          "%zu indices are not a multiple of %s", count,
                          file->opts.topology != TRILO_NLM_TOPOLOGY_GUESS
                              ? (lines ? "2, as lines need" : "3, as triangles need")
                              : "3 (triangles) or of 2 (lines)");
    if (texture.size > 0 && trilo_image_probe(texture, NULL, NULL) == TRILO_IMAGE_KIND_UNKNOWN)
        tl_report_finding(report, NLM_RULE(TEXTURE), nlm_offset(file, texture.data),
                          "the texture of %zu bytes is neither a JPEG nor a PNG file", texture.size);
}

/* --- animation --- */

static bool nlm_matrix_finite(const float m[16])
{
    for (int i = 0; i < 16; i++)
        if (!tl_is_finite(m[i]))
            return false;
    return true;
}

static void nlm_check_bone(const nlm_file *file, uint32_t i, tl_report *report)
{
    const nlm_bone *bone = &file->bones[i];
    const uint64_t at = file->bones_at + NLM_WORD + (uint64_t)i * tl_layout_size(&tl_nlm_bone, TL_UNVERSIONED);
    if (tl_nlm_node_row(file, bone->node_id) == TRILO_NONE)
        tl_report_finding(report, NLM_RULE(BONE_NODE), at, "no node has the id %" PRId32, bone->node_id);
    if (bone->bone_index < 0)
        tl_report_finding(report, NLM_RULE(BONE_INDEX), at, "bone index %" PRId32 ", must be 0 or more",
                          bone->bone_index);
    if (tl_nlm_bone_row(file, bone->bone_index) != i)
        tl_report_finding(report, NLM_RULE(BONE_DUPLICATE), at, "bone index %" PRId32 " is already used",
                          bone->bone_index);
    if (!nlm_matrix_finite(bone->offset))
        tl_report_finding(report, NLM_RULE(NAN), at, "the offset matrix has a value that is infinite or NaN");
}

static void nlm_check_keys(const nlm_file *file, const nlm_track *track, int kind, tl_report *report)
{
    static const char *const names[] = {"position_keys", "rotation_keys", "scale_keys"};
    const tl_records keys = tl_nlm_keys(track, kind);
    const size_t size = tl_layout_size(keys.layout, TL_UNVERSIONED);
    nlm_cases order = {0}, equal = {0}, outside = {0}, nan = {0}, length = {0};
    float before = -INFINITY;
    for (size_t k = 0; k < keys.count; k++) {
        nlm_quat_key key = {0}; /* a vector key is its beginning */
        tl_layout_load(keys.layout, TL_UNVERSIONED, keys.bytes + k * size, &key);
        if (!tl_is_finite(key.time) || key.time < before)
            nlm_cases_add(&order, k);
        else if (key.time == before)
            nlm_cases_add(&equal, k);
        else if (key.time < 0 || key.time > file->clip.duration * 1.0001f)
            nlm_cases_add(&outside, k);
        before = key.time;
        const float *v = key.value;
        const float square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[3] * v[3];
        if (!tl_is_finite(v[0]) || !tl_is_finite(v[1]) || !tl_is_finite(v[2]) || !tl_is_finite(v[3]))
            nlm_cases_add(&nan, k);
        else if (kind == NLM_ROTATION_KEYS && !(square > 0.98f && square < 1.02f))
            nlm_cases_add(&length, k);
    }
    const char *name = names[kind];
    nlm_report_cases(file, &keys, name, &order, NLM_RULE(KEY_ORDER),
                     "the time must be a number and not before the previous key", report);
    nlm_report_cases(file, &keys, name, &equal, NLM_RULE(KEY_EQUAL), "the same time as the previous key", report);
    nlm_report_cases(file, &keys, name, &outside, NLM_RULE(KEY_TIME), "the key is before 0 or after the end", report);
    nlm_report_cases(file, &keys, name, &nan, NLM_RULE(NAN), "a value is infinite or NaN", report);
    nlm_report_cases(file, &keys, name, &length, NLM_RULE(QUAT), "a rotation must have length 1", report);
}

static void nlm_check_track(const nlm_file *file, uint32_t i, tl_report *report)
{
    const nlm_track *track = &file->tracks[i];
    const uint32_t first = tl_nlm_track_row(file, track->head.node_id);
    const uint64_t at = nlm_offset(file, track->keys[0]) - tl_layout_size(&tl_nlm_track_head, TL_UNVERSIONED);
    const uint32_t bone = tl_nlm_bone_row(file, track->head.bone_index);
    if (tl_nlm_node_row(file, track->head.node_id) == TRILO_NONE)
        tl_report_finding(report, NLM_RULE(TRACK_NODE), at, "no node has the id %" PRId32, track->head.node_id);
    if (bone == TRILO_NONE)
        tl_report_finding(report, NLM_RULE(TRACK_BONE), at, "no bone has the index %" PRId32, track->head.bone_index);
    else if (file->bones[bone].node_id != track->head.node_id)
        tl_report_finding(report, NLM_RULE(TRACK_BONE), at,
                          "node %" PRId32 " with bone %" PRId32 ", but that bone is on node %" PRId32,
                          track->head.node_id, track->head.bone_index, file->bones[bone].node_id);
    if (first != i)
        tl_report_finding(report, NLM_RULE(TRACK_DUPLICATE), at,
                          "node %" PRId32 " is moved by tracks[%" PRIu32 "] already", track->head.node_id, first);
    for (int kind = 0; kind < NLM_KEY_KINDS; kind++)
        nlm_check_keys(file, track, kind, report);
}

/* --- nodes --- */

static uint64_t nlm_node_at(const nlm_file *file, uint32_t i)
{
    return nlm_offset(file, file->nodes[i].children) - tl_layout_size(&tl_nlm_node_head, TL_UNVERSIONED);
}

static void nlm_check_node(const nlm_file *file, uint32_t i, tl_report *report)
{
    const nlm_node *node = &file->nodes[i];
    if (tl_nlm_node_row(file, node->head.node_id) != i)
        tl_report_finding(report, NLM_RULE(NODE_DUPLICATE), nlm_node_at(file, i), "node id %" PRId32 " is already used",
                          node->head.node_id);
    if (!nlm_matrix_finite(node->head.local))
        tl_report_finding(report, NLM_RULE(NAN), nlm_node_at(file, i),
                          "the matrix has a value that is infinite or NaN");
    if (node->depth == TRILO_NONE)
        tl_report_finding(report, NLM_RULE(NODE_CYCLE), nlm_node_at(file, i),
                          "the ancestors of node %" PRId32 " form a cycle, must end at a root", node->head.node_id);
    else if (node->depth > file->max_depth)
        tl_report_finding(report, NLM_RULE(NODE_DEPTH), nlm_node_at(file, i),
                          "%" PRIu32 " ancestors, the limit is %" PRIu32, node->depth, file->max_depth);
    for (uint32_t k = 0; k < node->head.child_count; k++) {
        const uint8_t *p = node->children + NLM_WORD * k;
        const int32_t id = (int32_t)tl_get_u32le(p);
        const uint32_t child = tl_nlm_node_row(file, id);
        tl_path_push(&report->path, "children", k);
        if (child == TRILO_NONE)
            tl_report_finding(report, NLM_RULE(NODE_CHILD), nlm_offset(file, p), "no node has the id %" PRId32, id);
        else if (file->nodes[child].parent != i)
            tl_report_finding(report, NLM_RULE(NODE_PARENTS), nlm_offset(file, p),
                              "node %" PRId32 " is a child of node %" PRId32 " already", id,
                              file->nodes[file->nodes[child].parent].head.node_id);
        tl_path_pop(&report->path);
    }
}

/* --- the file --- */

static void nlm_check_header(const nlm_file *file, tl_report *report)
{
    const float *min = file->bounds.min, *max = file->bounds.max;
    const uint64_t bounds_at = tl_layout_size(&tl_nlm_header, file->header_form);
    if (file->header_form == NLM_HEADER_12)
        tl_report_finding(report, NLM_RULE(HEADER_12), 0, "the older header of 12 bytes, without the hash");
    if (file->header.magic == NLM_MAGIC_SWAPPED)
        tl_report_finding(report, NLM_RULE(MAGIC_ORDER), 0,
                          "the magic number is stored as MODL, the engine writes LDOM");
    for (int i = 0; i < 3; i++)
        if (!(min[i] <= max[i]) || !tl_is_finite(min[i]) || !tl_is_finite(max[i])) {
            tl_report_finding(report, NLM_RULE(BOUNDS), bounds_at, "the smallest %c must not be above the largest",
                              "xyz"[i]);
            break;
        }
    if (file->mesh_count == 0)
        tl_report_finding(report, NLM_RULE(EMPTY), bounds_at + tl_layout_size(&tl_nlm_bounds, TL_UNVERSIONED),
                          "the file has no mesh");
}

#define NLM_CHECK_EACH(list, count, call)                                                                              \
    for (uint32_t i = 0; i < file->count; i++) {                                                                       \
        tl_path_push(&report->path, #list, i);                                                                         \
        call;                                                                                                          \
        tl_path_pop(&report->path);                                                                                    \
    }

void tl_nlm_check(const void *nlm, tl_arena *scratch, tl_report *report)
{
    (void)scratch;
    const nlm_file *file = nlm;
    nlm_check_header(file, report);
    NLM_CHECK_EACH(meshes, mesh_count, nlm_check_mesh(file, &file->meshes[i], report))
    if (file->header.animated) {
        tl_path_push(&report->path, "clip", TL_NO_INDEX);
        if (file->clip.ticks_per_second <= 0)
            tl_report_finding(report, NLM_RULE(TICKS),
                              file->clip_at + tl_layout_field(&tl_nlm_clip, TL_UNVERSIONED, "ticks_per_second")->at,
                              "%" PRId32 " ticks per second, must be above 0", file->clip.ticks_per_second);
        if (!tl_is_finite(file->clip.duration) || file->clip.duration < 0)
            tl_report_finding(report, NLM_RULE(DURATION),
                              file->clip_at + tl_layout_field(&tl_nlm_clip, TL_UNVERSIONED, "duration")->at,
                              "the duration must be 0 or more");
        tl_path_pop(&report->path);
    }
    NLM_CHECK_EACH(bones, bone_count, nlm_check_bone(file, i, report))
    NLM_CHECK_EACH(tracks, track_count, nlm_check_track(file, i, report))
    NLM_CHECK_EACH(nodes, node_count, nlm_check_node(file, i, report))
    uint32_t roots = 0;
    for (uint32_t i = 0; i < file->node_count; i++)
        roots += file->nodes[i].parent == TRILO_NONE ? 1 : 0;
    if (roots > 1)
        tl_report_finding(report, NLM_RULE(NODE_ROOTS), file->nodes_at,
                          "%" PRIu32 " nodes have no parent, one is usual", roots);
    if (file->end_at < file->bytes.size)
        tl_report_finding(report, NLM_RULE(TRAILING), file->end_at, "%zu bytes follow the end of the model",
                          file->bytes.size - file->end_at);
}
