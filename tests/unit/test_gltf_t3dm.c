/* glTF to T3DM against Tiny3D's own converter: the same objects, triangles, materials and bones as the files that it
 * made from the same models.
 *
 * What differs on purpose has a rule below; nothing else may differ by more than one unit in the last place, and by
 * that only where floats are rounded in another order. */
#include "base/vec.h"
#include "harness.h"
#include "model/bounds.h"
#include "support/t3dm_twins.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- triangles --- */

/* A corner as the file stores it, in parts that can be compared. */
enum { X, Y, Z, NX, NY, NZ, RED, GREEN, BLUE, ALPHA, U, V, BONE_OF, CORNER };

typedef struct triangle {
    int corners[3][CORNER];
} triangle;

typedef struct triangles {
    const t3dm_file *file;
    t3dm_pair_offsets at;
    triangle *all;
    uint32_t count, room;
    uint32_t flat; /* were left out */
} triangles;

static int signed_bits(uint32_t bits, int width)
{
    const int top = 1 << (width - 1);
    return ((int)bits & (2 * top - 1)) - (((int)bits & top) ? 2 * top : 0);
}

static void read_corner(const triangles *t, const t3dm_slot *slot, int c[CORNER])
{
    const uint8_t *p = t3dm_vertex_at(t->file, &t->at, slot->vertex, t->at.position);
    const uint16_t n = tl_get_u16(t3dm_vertex_at(t->file, &t->at, slot->vertex, t->at.normal), TL_BIG);
    const uint8_t *color = t3dm_vertex_at(t->file, &t->at, slot->vertex, t->at.color);
    const uint8_t *uv = t3dm_vertex_at(t->file, &t->at, slot->vertex, t->at.uv);
    for (int k = 0; k < 3; k++)
        c[X + k] = (int16_t)tl_get_u16(p + 2 * k, TL_BIG);
    c[NX] = signed_bits(n >> 11, 5);
    c[NY] = signed_bits(n >> 5, 6);
    c[NZ] = signed_bits(n, 5);
    for (int k = 0; k < 4; k++)
        c[RED + k] = color[k];
    for (int k = 0; k < 2; k++)
        c[U + k] = (int16_t)tl_get_u16(uv + 2 * k, TL_BIG);
    c[BONE_OF] = (int)slot->bone;
}

/* Two corners at the same place, as rounding leaves them: the reference draws such triangles, which nobody sees. */
static bool is_flat(int corners[3][CORNER])
{
    for (int k = 0; k < 3; k++) {
        const int *a = corners[k], *b = corners[(k + 1) % 3];
        if (a[X] == b[X] && a[Y] == b[Y] && a[Z] == b[Z] && a[BONE_OF] == b[BONE_OF])
            return true;
    }
    return false;
}

/* Corners are turned so that the smallest comes first: the winding stays. */
static void add_triangles(void *user, const t3dm_batch *batch)
{
    triangles *t = user;
    for (uint32_t i = 0; i < batch->count; i++) {
        if (t->count == t->room) {
            t->room = t->room ? 2 * t->room : 64;
            t->all = realloc(t->all, t->room * sizeof *t->all);
            CHECK(t->all);
        }
        int corners[3][CORNER], first = 0;
        for (int k = 0; k < 3; k++)
            read_corner(t, &batch->cache[batch->slots[i][k]], corners[k]);
        for (int k = 1; k < 3; k++)
            if (memcmp(corners[k], corners[first], sizeof corners[k]) < 0)
                first = k;
        if (is_flat(corners)) {
            t->flat++;
            continue;
        }
        for (int k = 0; k < 3; k++)
            memcpy(t->all[t->count].corners[k], corners[(first + k) % 3], sizeof corners[k]);
        t->count++;
    }
}

static int compare_triangles(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(triangle));
}

static triangles triangles_of(const t3dm_file *file, uint32_t object)
{
    triangles t = {.file = file, .at = tl_t3dm_pair_offsets()};
    tl_t3dm_draw(file, &file->objects[object], &(t3dm_drawer){.user = &t, .triangles = add_triangles});
    if (t.count > 0)
        qsort(t.all, t.count, sizeof *t.all, compare_triangles);
    return t;
}

/* --- what differs on purpose --- */

enum rule {
    /* A node is scaled by different factors: its normals go through the inverse transpose. The reference turns them
     * like points, so they do not stand upright on their faces any more. */
    RULE_NORMALS,
    /* A node is mirrored: its triangles run the other way round. The reference leaves them inside out. */
    RULE_MIRRORED,
    /* Texture coordinates are more than 1024 texels from 0: the triangles are moved by whole repeats. The reference
     * lets them wrap around, each corner on its own. */
    RULE_UVS,
    RULE_COUNT
};

typedef struct totals {
    uint32_t objects, triangles, flat, exact, close, materials, bones;
    uint32_t positions_off, normals_off, colors_off, uvs_off;
    uint32_t rules[RULE_COUNT];
    double turned; /* degrees between a normal and what the rule makes of the reference's */
} totals;

/* What an object may differ in. */
typedef struct excuse {
    bool mirrored; /* the other way round */
    bool uneven;   /* normals */
    trilo_mat4 linear;
    int repeat[2]; /* texture coordinates, in 1/32 texels; 0: they may not */
} excuse;

static bool is_uneven(const trilo_mat4 *m)
{
    double gram[3][3], most = 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            gram[i][k] = 0;
            for (int j = 0; j < 3; j++)
                gram[i][k] += (double)m->m[4 * i + j] * m->m[4 * k + j];
        }
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            most = fmax(most, fabs(gram[i][k] - (i == k ? gram[0][0] : 0)) / gram[0][0]);
    return most > 1e-3;
}

static bool is_mirrored(const trilo_mat4 *a)
{
    const float *m = a->m;
    return (double)m[0] * ((double)m[5] * m[10] - (double)m[6] * m[9]) -
               (double)m[4] * ((double)m[1] * m[10] - (double)m[2] * m[9]) +
               (double)m[8] * ((double)m[1] * m[6] - (double)m[2] * m[5]) <
           0;
}

static excuse excuse_of(const trilo_model *source, const char *name, const t3dm_material *material)
{
    excuse out = {.uneven = false};
    const t3dm_uv_units units = t3dm_uv_units_of(material);
    for (uint32_t i = 0; i < source->mesh_count; i++) {
        const trilo_mesh *mesh = &source->meshes[i];
        if (strcmp(mesh->name.data, name) != 0)
            continue;
        const trilo_mat4 world = tl_node_world(source, mesh->skin == TRILO_NONE ? mesh->node : TRILO_NONE);
        out.mirrored = out.mirrored || is_mirrored(&world);
        if (is_uneven(&world)) {
            out.uneven = true;
            out.linear = world;
        }
        for (uint32_t v = 0; mesh->uvs && v < mesh->vertex_count; v++) {
            out.repeat[0] = fabs(mesh->uvs[v][0] * units.u) > 32000 ? (int)units.u : out.repeat[0];
            out.repeat[1] = fabs(mesh->uvs[v][1] * units.v) > 32000 ? (int)units.v : out.repeat[1];
        }
    }
    return out;
}

static trilo_vec3 unpack(const int c[CORNER])
{
    return tl_vec3_normalize((trilo_vec3){(float)c[NX] / 15.5f, (float)c[NY] / 31.5f, (float)c[NZ] / 15.5f});
}

/* Through m and then through its transpose, or the other way round. */
static trilo_vec3 twice(const trilo_mat4 *m, trilo_vec3 v, bool transpose_first)
{
    trilo_mat4 transposed = tl_mat4_identity();
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            transposed.m[4 * i + k] = m->m[4 * k + i];
    v = tl_vec3_normalize(tl_mat4_direction(transpose_first ? &transposed : m, v));
    return tl_vec3_normalize(tl_mat4_direction(transpose_first ? m : &transposed, v));
}

static double degrees(trilo_vec3 a, trilo_vec3 b)
{
    return acos(fmin(1, (double)a.x * b.x + (double)a.y * b.y + (double)a.z * b.z)) * 180 / 3.14159265358979;
}

/* With n for the normal in the file and L for the node, the reference has L n and we have the inverse transpose of L on
 * n. One follows from the other, in both directions; what the few bits missed is stretched in one of them. */
static double degrees_off(const excuse *x, const int got[CORNER], const int want[CORNER])
{
    trilo_mat4 inverse = tl_mat4_identity();
    const trilo_vec3 ours = unpack(got), theirs = unpack(want);
    CHECK(tl_mat4_inverse_affine(&x->linear, &inverse));
    return fmin(degrees(ours, twice(&inverse, theirs, false)), degrees(theirs, twice(&x->linear, ours, true)));
}

/* --- triangles of both sides --- */

/* How one triangle is off the other. */
typedef struct difference {
    int parts[CORNER]; /* the most of its corners */
    double turned;
    bool normals, uvs; /* excused */
} difference;

static bool alike(const triangle *got, const triangle *want, int turn, const excuse *x, difference *d)
{
    memset(d, 0, sizeof *d);
    for (int k = 0; k < 3; k++) {
        const int *a = got->corners[k], *b = want->corners[(x->mirrored ? turn + 3 - k : turn + k) % 3];
        for (int i = 0; i < CORNER; i++) {
            int off = abs(a[i] - b[i]);
            const int repeat = i == U || i == V ? x->repeat[i - U] : 0;
            const bool normal = x->uneven && i >= NX && i <= NZ;
            if (off > 1 && repeat > 0) { /* cut towards 0 on one twin_side of it, and away on the other */
                d->uvs = true;
                off = (off + 1) % (2 * repeat) <= 2 ? 0 : off;
            } else if (off > 0 && normal) {
                d->normals = true;
                off = 0;
            }
            if (off > (i == BONE_OF ? 0 : 1))
                return false;
            d->parts[i] = off > d->parts[i] ? off : d->parts[i];
        }
        if (x->uneven)
            d->turned = fmax(d->turned, degrees_off(x, a, b));
    }
    return d->turned < 10; /* the bits of a normal are few */
}

static bool find_alike(const triangle *got, triangles *want, const excuse *x, totals *sum)
{
    difference d, best = {.turned = 999};
    uint32_t at = want->count;
    for (uint32_t k = 0; k < want->count; k++)
        for (int turn = 0; turn < 3; turn++)
            if (alike(got, &want->all[k], turn, x, &d) && d.turned < best.turned) {
                best = d;
                at = k;
            }
    if (at == want->count)
        return false;
    want->all[at] = want->all[--want->count];
    sum->rules[RULE_MIRRORED] += x->mirrored;
    sum->rules[RULE_NORMALS] += best.normals;
    sum->rules[RULE_UVS] += best.uvs;
    sum->close += !x->mirrored && !best.normals && !best.uvs;
    sum->turned = fmax(sum->turned, best.turned);
    sum->positions_off += best.parts[X] || best.parts[Y] || best.parts[Z];
    sum->normals_off += best.parts[NX] || best.parts[NY] || best.parts[NZ];
    sum->colors_off += best.parts[RED] || best.parts[GREEN] || best.parts[BLUE] || best.parts[ALPHA];
    sum->uvs_off += best.parts[U] || best.parts[V];
    return true;
}

/* Equal ones drop out of both lists. */
static void drop_equal(triangles *got, triangles *want, totals *sum)
{
    uint32_t left_got = 0, left_want = 0, i = 0, k = 0;
    while (i < got->count || k < want->count) {
        const int order = i == got->count ? 1 : k == want->count ? -1 : compare_triangles(&got->all[i], &want->all[k]);
        if (order == 0) {
            sum->exact++;
            i++, k++;
        } else if (order < 0) {
            got->all[left_got++] = got->all[i++];
        } else {
            want->all[left_want++] = want->all[k++];
        }
    }
    got->count = left_got;
    want->count = left_want;
}

static void compare_sets(const char *what, triangles *got, triangles *want, const excuse *x, totals *sum)
{
    if (got->count != want->count)
        FAIL("%s: %u triangles, not %u", what, got->count, want->count);
    sum->triangles += want->count;
    sum->flat += want->flat;
    drop_equal(got, want, sum);
    for (uint32_t i = 0; i < got->count; i++)
        if (!find_alike(&got->all[i], want, x, sum)) {
            const int *c = got->all[i].corners[0];
            FAIL(
                "%s: the triangle with a corner at %d %d %d, normal %d %d %d, colour %d %d %d %d, uv %d %d, bone %d is "
                "not in the reference",
                what, c[X], c[Y], c[Z], c[NX], c[NY], c[NZ], c[RED], c[GREEN], c[BLUE], c[ALPHA], c[U], c[V],
                c[BONE_OF]);
        }
}

/* --- materials --- */

static bool same_axis(const t3dm_axis *a, const t3dm_axis *b)
{
    return a->low == b->low && a->high == b->high && a->mask == b->mask && a->shift == b->shift &&
           a->mirror == b->mirror && a->clamp == b->clamp;
}

static void compare_texture(const char *what, const twin_side *got, const t3dm_texture *a, const twin_side *want,
                            const t3dm_texture *b)
{
    const char *path = twin_string(want->file, b->path);
    if (strcmp(twin_string(got->file, a->path), path) != 0)
        FAIL("%s: the path %s, not %s", what, twin_string(got->file, a->path), path);
    if (a->reference != b->reference || a->hash != b->hash)
        FAIL("%s: %s: reference %u and hash %08x, not %u and %08x", what, path, a->reference, a->hash, b->reference,
             b->hash);
    if (a->width != b->width || a->height != b->height)
        FAIL("%s: %s: %u x %u, not %u x %u", what, path, a->width, a->height, b->width, b->height);
    if (!same_axis(&a->s, &b->s) || !same_axis(&a->t, &b->t))
        FAIL("%s: %s: another axis", what, path);
}

static void compare_material(const char *what, const twin_side *got, const t3dm_material *a, const twin_side *want,
                             const t3dm_material *b)
{
    const t3dm_material_head *x = &a->head, *y = &b->head;
    CHECK_STR(twin_string(got->file, x->name), twin_string(want->file, y->name));
    const bool words = x->combiner == y->combiner && x->other_mode == y->other_mode && x->other_mask == y->other_mask &&
                       x->blender == y->blender && x->draw_flags == y->draw_flags;
    const bool bytes = x->fog == y->fog && x->set_flags == y->set_flags && x->vertex_effect == y->vertex_effect &&
                       memcmp(x->prim, y->prim, 4) == 0 && memcmp(x->env, y->env, 4) == 0 &&
                       memcmp(x->blend, y->blend, 4) == 0;
    if (!words || !bytes)
        FAIL("%s: the material %s is another", what, twin_string(want->file, y->name));
    for (int i = 0; i < 2; i++)
        compare_texture(what, got, &a->textures[i], want, &b->textures[i]);
}

/* --- objects --- */

static bool same_object(const twin_side *a, uint32_t i, const twin_side *b, uint32_t k)
{
    const t3dm_object_head *x = &a->file->objects[i].head, *y = &b->file->objects[k].head;
    return strcmp(twin_string(a->file, x->name), twin_string(b->file, y->name)) == 0 &&
           strcmp(twin_string(a->file, a->file->materials[x->material].head.name),
                  twin_string(b->file, b->file->materials[y->material].head.name)) == 0;
}

/* The order of objects of one name is left open. Those of one name and one material are in the same order. */
static uint32_t object_like(const twin_side *got, const twin_side *want, uint32_t object)
{
    uint32_t before = 0, found = 0;
    for (uint32_t i = 0; i < object; i++)
        before += same_object(want, i, want, object) ? 1 : 0;
    while (found < got->file->object_count && (!same_object(got, found, want, object) || before-- > 0))
        found++;
    return found;
}

static void compare_objects(const twin *p, const trilo_model *source, const twin_side *got, const twin_side *want,
                            totals *sum)
{
    char what[256];
    CHECK_INT(got->file->object_count, want->file->object_count);
    for (uint32_t i = 0; i < want->file->object_count; i++) {
        const t3dm_object_head *b = &want->file->objects[i].head;
        const char *name = twin_string(want->file, b->name),
                   *here = twin_string(got->file, got->file->objects[i].head.name);
        snprintf(what, sizeof what, "%s/%s, object %u (%s)", p->folder, p->name, i, name);
        if (strcmp(here, name) != 0)
            FAIL("%s is called %s", what, here);
        const uint32_t same = object_like(got, want, i);
        if (same == got->file->object_count)
            FAIL("%s is not there with its material", what);
        const t3dm_object_head *a = &got->file->objects[same].head;
        const excuse x = excuse_of(source, name, &want->file->materials[b->material]);
        triangles g = triangles_of(got->file, same), w = triangles_of(want->file, i);
        compare_sets(what, &g, &w, &x, sum);
        free(g.all);
        free(w.all);
        compare_material(what, got, &got->file->materials[a->material], want, &want->file->materials[b->material]);
        sum->objects++;
    }
    CHECK_INT(got->file->material_count, want->file->material_count);
    sum->materials += want->file->material_count;
}

/* --- bones --- */

static bool near_all(const float *a, const float *b, int count, double within)
{
    for (int i = 0; i < count; i++)
        if (!(fabs((double)a[i] - b[i]) <= within))
            return false;
    return true;
}

static void compare_bones(const twin_side *got, const twin_side *want, totals *sum)
{
    CHECK_INT(got->file->skeleton.bone_count, want->file->skeleton.bone_count);
    for (uint32_t i = 0; i < want->file->skeleton.bone_count; i++) {
        const t3dm_bone *a = &got->file->bones[i], *b = &want->file->bones[i];
        CHECK_STR(twin_string(got->file, a->name), twin_string(want->file, b->name));
        CHECK_INT(a->parent, b->parent);
        CHECK_INT(a->depth, b->depth);
        CHECK(near_all(a->scale, b->scale, 3, 1e-6));
        CHECK(near_all(a->rotation, b->rotation, 4, 1e-6));
        CHECK(near_all(a->position, b->position, 3, 1e-4));
        sum->bones++;
    }
}

/* Real models of the console's own examples: nothing is wrong with their textures, names or sizes. */
static void no_warning(void *user, const trilo_finding *finding)
{
    const twin *p = user;
    if (finding->severity > TRILO_SEVERITY_NOTE && strcmp(finding->rule, "T3DM-LOST-WEIGHTS") != 0)
        FAIL("%s/%s: %s %s: %s", p->folder, p->name, finding->rule, finding->path, finding->text);
}

TEST(the_corpus_comes_out_the_same)
{
    totals sum = {0};
    test_corpus("t3dm");
    for (uint32_t i = 0; i < TWINS; i++) {
        const twin *p = &twins[i];
        twin_side got, want;
        const trilo_model *source = twin_source(p);
        twin_reference(p, &want);
        twin_make(p->name, source, no_warning, (void *)(uintptr_t)p, &got);
        compare_objects(p, source, &got, &want, &sum);
        compare_bones(&got, &want, &sum);
        twin_close(&got);
        twin_close(&want);
        trilo_model_free(source);
    }
    printf("%d files, %u objects, %u materials, %u bones\n", TWINS, sum.objects, sum.materials, sum.bones);
    printf("%u triangles: %u equal, %u within one unit, %u with upright normals, %u mirrored, %u with moved uvs\n",
           sum.triangles, sum.exact, sum.close, sum.rules[RULE_NORMALS], sum.rules[RULE_MIRRORED], sum.rules[RULE_UVS]);
    printf("one unit off: position %u, normal %u, colour %u, uv %u; normals %.1f degrees off their rule at most\n",
           sum.positions_off, sum.normals_off, sum.colors_off, sum.uvs_off, sum.turned);
    CHECK_INT(sum.triangles + sum.flat, 43769);
    CHECK_INT(sum.flat, 452);    /* of the reference's triangles, of which 244 would be equal too */
    CHECK_INT(sum.exact, 38789); /* with those, 39033 */
    CHECK_INT(sum.close, 0);
}

TEST_MAIN(CASE(the_corpus_comes_out_the_same))
