/* The check of objects against a plain one, which runs the parts on a model of the console's memory: all findings of
 * random files in their order, with paths, bytes and sentences. */
#include "harness.h"

#include "base/bytes.h"
#include "support/t3dm_console.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { OBJECTS = 3, ROOM = 1 << 15, OBJECT_HEAD = 0x20, BONES = 7 };

typedef struct text {
    char data[ROOM];
    size_t size;
} text;

static void add(text *t, const char *rule, const char *path, uint64_t at, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
static void add(text *t, const char *rule, const char *path, uint64_t at, const char *format, ...)
{
    va_list args;
    t->size += (size_t)snprintf(t->data + t->size, ROOM - t->size, "%s %s @%" PRIu64 " ", rule, path, at);
    CHECK(t->size < ROOM);
    va_start(args, format);
    t->size += (size_t)vsnprintf(t->data + t->size, ROOM - t->size, format, args);
    va_end(args);
    CHECK(t->size + 2 < ROOM);
    memcpy(t->data + t->size++, "\n", 2);
}

static void listen_to_it(void *user, const trilo_finding *f)
{
    add(user, f->rule, f->path, f->offset, "%s", f->text);
}

/* --- the plain check --- */

typedef struct box {
    int min[3], max[3];
    bool any;
} box;

typedef struct plain {
    const t3dm_file *file;
    uint32_t object, rows;
    uint32_t part_size;
    bool fog_set;
    bool loaded[CONSOLE_VERTICES + 2], drawn[CONSOLE_VERTICES + 2];
    box all;
    text *out;
} plain;

static void widen(box *b, const int p[3])
{
    for (int i = 0; i < 3; i++) {
        b->min[i] = !b->any || p[i] < b->min[i] ? p[i] : b->min[i];
        b->max[i] = !b->any || p[i] > b->max[i] ? p[i] : b->max[i];
    }
    b->any = true;
}

static void explain(const t3dm_draw_fault *f, char out[160])
{
    const char *format = "slot %u was never loaded";
    switch (f->rule) {
    case T3DM_R_PART_VERTS:
        format = "%u, at most %u fit the vertex cache";
        break;
    case T3DM_R_PART_DEST:
        format = "slot %u, with that many vertices at most %u";
        break;
    case T3DM_R_PART_SOURCE:
        format = "byte %u, must be a multiple of 32 and the load end inside the %u bytes of V";
        break;
    case T3DM_R_PART_LIST:
        format = "%u indices, must be a multiple of 3 and end inside the %u bytes of I";
        break;
    case T3DM_R_STRIP_SIZE:
        format = "%u indices, must be 3 or more and end inside the %u bytes of I";
        break;
    case T3DM_R_STRIP_FLAG:
        format = "a new strip is flagged where fewer than 3 indices are left";
        break;
    case T3DM_R_STRIP_ROOM:
        format = "the buffer takes %u bytes, its strips leave %u free";
        break;
    case T3DM_R_SEQUENCE:
        format = "the sequence ends at slot %u, %u is the limit";
        break;
    case T3DM_R_SLOT_RANGE:
        format = "slot %u, the last one is %u";
        break;
    case T3DM_R_SLOT_LOST:
        format = "slot %u was overwritten by a buffer and must be loaded again";
        break;
    default:
        break;
    }
    const char *first = strstr(format, "%u"), *second = first ? strstr(first + 2, "%u") : NULL;
    if (!first)
        snprintf(out, 160, "%s", format);
    else if (!second)
        snprintf(out, 160, "%.*s%u%s", (int)(first - format), format, (unsigned)f->value, first + 2);
    else
        snprintf(out, 160, "%.*s%u%.*s%u%s", (int)(first - format), format, (unsigned)f->value,
                 (int)(second - first - 2), first + 2, (unsigned)f->limit, second + 2);
}

/* Each rule once for an object. Until fog is set, the two slots behind a load must not be drawn before they are loaded
 * again. */
static void plain_faults(plain *c, const t3dm_object *object, const console_run *r)
{
    bool told[T3DM_RULE_COUNT] = {false}, spoiled[80] = {false}, spoil_told = false;
    uint32_t next = 0, at = 0;
    for (uint32_t p = 0; p < CONSOLE_PARTS; p++) {
        const t3dm_part *part = &object->parts[p];
        const uint32_t first = part->vertex_dest, end = first + (part->vertex_count + 1u) / 2 * 2;
        char path[96], why[160];
        for (; next < r->fault_count && r->faults[next].part == p; next++) {
            const t3dm_draw_fault *f = &r->faults[next];
            if (told[f->rule])
                continue;
            told[f->rule] = true;
            snprintf(path, sizeof path, "objects[%u].parts[%u].%s", (unsigned)c->object, (unsigned)p, f->field);
            explain(f, why);
            add(c->out, tl_t3dm_rules[f->rule].name, path, f->offset, "%s", why);
        }
        uint32_t lowest = 80;
        for (uint32_t i = first; r->ran[p] && i < end; i++)
            spoiled[i] = false;
        if (r->ran[p] && end > first)
            spoiled[end] = spoiled[end + 1] = true;
        for (; at < r->count && r->triangles[at].part == p; at++)
            for (int k = 0; k < 3; k++) {
                const uint32_t slot = r->triangles[at].slots[k];
                lowest = spoiled[slot] && slot < lowest ? slot : lowest;
                c->drawn[r->triangles[at].vertices[k]] = true;
            }
        if (c->fog_set || lowest == 80 || spoil_told)
            continue;
        spoil_told = true;
        snprintf(path, sizeof path, "objects[%u].parts[%u]", (unsigned)c->object, (unsigned)p);
        add(c->out, "T3DM-SLOT-SPOILED", path, object->at + OBJECT_HEAD + p * c->part_size,
            "slot %u is drawn, but a load that ended just before it overwrote its screen X", (unsigned)lowest);
    }
}

static void plain_references(const plain *c, const t3dm_object *object)
{
    char path[64];
    for (uint32_t p = 0; p < CONSOLE_PARTS; p++) {
        const uint32_t bone = object->parts[p].bone;
        if (bone == 65535 || bone < c->file->skeleton.bone_count)
            continue;
        snprintf(path, sizeof path, "objects[%u].parts[%u]", (unsigned)c->object, (unsigned)p);
        add(c->out, "T3DM-PART-BONE", path, object->at + OBJECT_HEAD + p * c->part_size + 0x0E,
            "bone %u, the skeleton has %u", (unsigned)bone, (unsigned)c->file->skeleton.bone_count);
        break;
    }
    snprintf(path, sizeof path, "objects[%u]", (unsigned)c->object);
    if (object->head.material >= c->file->material_count)
        add(c->out, "T3DM-MATERIAL-REF", path, object->at + 8, "material %u, the file has %u",
            (unsigned)object->head.material, (unsigned)c->file->material_count);
}

static void plain_bounds(const plain *c, const box *b, const int16_t min[3], const int16_t max[3], const char *path,
                         uint64_t at)
{
    bool same = true;
    for (int i = 0; i < 3; i++)
        same = same && b->min[i] == min[i] && b->max[i] == max[i];
    if (b->any && !same)
        add(c->out, "T3DM-BOUNDS", path, at, "%d %d %d to %d %d %d, the vertices span %d %d %d to %d %d %d", min[0],
            min[1], min[2], max[0], max[1], max[2], b->min[0], b->min[1], b->min[2], b->max[0], b->max[1], b->max[2]);
}

static console_run ran;

static void plain_object(plain *c, const t3dm_object *object)
{
    const uint32_t material = object->head.material;
    char path[64];
    box own = {.any = false};
    uint32_t degenerate = 0;
    c->fog_set = c->fog_set || material >= c->file->material_count || c->file->materials[material].head.fog != 0;
    for (uint32_t p = 0; p < CONSOLE_PARTS; p++) {
        const t3dm_part *part = &object->parts[p];
        const uint32_t first = part->vertex_at / 32 * 2, count = (part->vertex_count + 1u) / 2 * 2;
        for (uint32_t row = first; row < first + count && row < c->rows; row++) {
            const uint8_t *at = c->file->vertices.data + row / 2 * 32 + row % 2 * 8;
            int position[3];
            for (int k = 0; k < 3; k++)
                position[k] = (int16_t)tl_get_u16(at + 2 * k, TL_BIG);
            widen(&own, position);
            c->loaded[row] = true;
        }
    }
    console_forget(&ran);
    console_run_object(c->file, object, &ran);
    plain_faults(c, object, &ran);
    plain_references(c, object);
    snprintf(path, sizeof path, "objects[%u]", (unsigned)c->object);
    plain_bounds(c, &own, object->head.min, object->head.max, path, object->at + 0x14);
    if (own.any)
        widen(&c->all, own.min), widen(&c->all, own.max);
    const uint32_t said = object->head.triangle_count;
    if (c->file->version < 3 ? ran.count > said : ran.count != said)
        add(c->out, "T3DM-TRIANGLE-COUNT", path, object->at + 6, "%u, but %u are drawn", (unsigned)said,
            (unsigned)ran.count);
    if (ran.count == 0)
        add(c->out, "T3DM-EMPTY", path, object->at, "the object draws no triangle");
    for (uint32_t i = 0; i < ran.count; i++) {
        const uint32_t *s = ran.triangles[i].slots;
        degenerate += s[0] == s[1] || s[1] == s[2] || s[2] == s[0];
    }
    if (degenerate > 0)
        add(c->out, "T3DM-DEGENERATE", path, object->at, "%u of %u triangles use a vertex twice", (unsigned)degenerate,
            (unsigned)ran.count);
}

static void plain_totals(const plain *c)
{
    uint32_t vertices = 0, indices = 0, unused = 0, unloaded = 0;
    for (uint32_t i = 0; i < c->file->object_count; i++)
        for (uint32_t p = 0; p < CONSOLE_PARTS; p++) {
            vertices += c->file->objects[i].parts[p].vertex_count;
            indices += c->file->objects[i].parts[p].index_count;
        }
    const uint32_t stored = (uint32_t)c->file->vertices.size / 16;
    const uint32_t vertex_total = c->file->header.vertex_total, index_total = c->file->header.index_total;
    if (vertex_total > stored)
        add(c->out, "T3DM-TOTAL-VERTICES", "", 8, "%u vertices, but %u are stored", (unsigned)vertex_total,
            (unsigned)stored);
    else if ((vertices != vertex_total && stored != vertex_total) || indices != index_total)
        add(c->out, "T3DM-TOTALS", "", 8, "%u vertices and %u list indices, the parts have %u and %u",
            (unsigned)vertex_total, (unsigned)index_total, (unsigned)vertices, (unsigned)indices);
    for (uint32_t row = 0; row < c->rows; row++) {
        unloaded += !c->loaded[row] && !c->drawn[row];
        if (row % 2 == 0)
            unused += c->loaded[row] && c->loaded[row + 1] && !c->drawn[row] && !c->drawn[row + 1] ? 2 : 0;
    }
    if (unused > 0)
        add(c->out, "T3DM-WASTED-SLOTS", "", c->file->vertices_at, "%u of %u vertices are loaded but not drawn",
            (unsigned)unused, (unsigned)c->rows);
    if (unloaded > 0)
        add(c->out, "T3DM-UNUSED-VERTS", "", c->file->vertices_at, "%u of %u vertices are never loaded",
            (unsigned)unloaded, (unsigned)c->rows);
}

/* Bytes of lists and strips, by where they start; the first that has bytes of one before it, if either has strips. */
static void plain_overlap(const plain *c)
{
    struct {
        uint64_t at, end;
        uint32_t object;
        bool strips;
    } spans[2 * OBJECTS * CONSOLE_PARTS], one;
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->file->object_count; i++)
        for (uint32_t p = 0; p < CONSOLE_PARTS; p++)
            for (int strips = 0; strips < 2; strips++) {
                const t3dm_part *part = &c->file->objects[i].parts[p];
                const uint64_t list_end = part->index_at + (uint64_t)part->index_count;
                one.at = part->index_at, one.end = list_end, one.object = i, one.strips = strips;
                if (strips) {
                    uint64_t at = c->file->indices_at + list_end;
                    while (at % 8 != 0)
                        at++;
                    one.at = one.end = at - c->file->indices_at;
                    for (int s = 0; s < T3DM_STRIPS && part->strip_counts[s] > 0; s++) {
                        while ((one.end - one.at) % 8 != 0)
                            one.end++;
                        one.end += 2u * part->strip_counts[s];
                    }
                }
                if (one.end == one.at)
                    continue;
                uint32_t place = count++;
                for (; place > 0 && spans[place - 1].at > one.at; place--)
                    spans[place] = spans[place - 1];
                spans[place] = one;
            }
    for (uint32_t i = 0; i < count; i++) {
        bool hits_strips = false, hits_list = false;
        char path[32];
        for (uint32_t k = 0; k < i; k++) {
            hits_strips = hits_strips || (spans[k].strips && spans[i].at < spans[k].end);
            hits_list = hits_list || (!spans[k].strips && spans[i].strips && spans[i].at < spans[k].end);
        }
        if (!hits_strips && !hits_list)
            continue;
        snprintf(path, sizeof path, "objects[%u]", (unsigned)spans[i].object);
        add(c->out, "T3DM-STRIP-SHARED", path, c->file->indices_at + spans[i].at,
            "%s, but the loader rewrites strips in place",
            !spans[i].strips ? "this triangle list overlaps the strips of another part"
            : hits_strips    ? "these strips overlap those of another part"
                             : "these strips overlap the triangle list of another part");
        return;
    }
}

static void check_plainly(const t3dm_file *file, bool errors_only, text *out)
{
    static plain c;
    c = (plain){.file = file, .rows = (uint32_t)file->vertices.size / 32 * 2, .out = out};
    c.part_size = file->version == 4 ? 0x18 : 0x14;
    for (c.object = 0; c.object < file->object_count; c.object++)
        errors_only ? plain_references(&c, &file->objects[c.object]) : plain_object(&c, &file->objects[c.object]);
    if (!errors_only) {
        plain_bounds(&c, &c.all, file->header.min, file->header.max, "", file->version == 1 ? 0x1C : 0x20);
        if (file->object_count == 0)
            add(out, "T3DM-EMPTY", "", 0, "the model has no object");
        plain_totals(&c);
    }
    plain_overlap(&c);
}

/* --- files at random --- */

typedef struct sample {
    uint8_t vertices[CONSOLE_VERTICES * 16 + 16], indices[CONSOLE_INDICES];
    t3dm_part parts[OBJECTS][CONSOLE_PARTS];
    t3dm_object objects[OBJECTS];
    t3dm_material materials[2];
    t3dm_file file;
} sample;

static void make_file(uint64_t *dice, uint32_t round, sample *s)
{
    const uint32_t version = 1 + round % 4;
    const bool tame = round % 3 == 0, sparse = round % 5 < 2;
    for (size_t i = 0; i < sizeof s->vertices; i++)
        s->vertices[i] = (uint8_t)console_below(dice, 256);
    console_make_indices(dice, s->indices, version, tame ? 54 : 20 + console_below(dice, 51), tame);
    for (uint32_t o = 0; o < OBJECTS; o++) {
        for (uint32_t p = 0; p < CONSOLE_PARTS; p++) {
            t3dm_part *part = &s->parts[o][p];
            console_make_part(dice, part, version, !tame && console_below(dice, 6) == 0, p == 0 || tame);
            if (part->index_at < CONSOLE_INDICES / 4)
                part->index_at += 830;
            part->bone = (uint16_t)(console_below(dice, 60) == 0 ? BONES + console_below(dice, 2) : part->bone % BONES);
            if (sparse) { /* bytes of their own, most of the time */
                part->index_at = 100 * (CONSOLE_PARTS * o + p) + 830 + console_below(dice, 8);
                part->strip_counts[0] = (uint8_t)(part->strip_counts[0] % 30);
                memset(part->strip_counts + 1, 0, 3);
                part->index_count = (uint16_t)(part->index_count % 20);
            }
        }
        s->objects[o] = (t3dm_object){.at = 100 + 300 * o, .parts = s->parts[o], .head.part_count = CONSOLE_PARTS};
        s->objects[o].head.material = console_below(dice, 8) == 0 ? 2 : console_below(dice, 2);
    }
    s->materials[0].head.fog = 0;
    s->materials[1].head.fog = (uint8_t)(round % 2);
    s->file = (t3dm_file){.version = version,
                          .object_count = round % 40 == 39 ? 0 : 1 + round % OBJECTS,
                          .objects = s->objects,
                          .material_count = 2,
                          .materials = s->materials,
                          .skeleton.bone_count = BONES,
                          .vertices_at = 1000,
                          .indices_at = 2000 + 8 * console_below(dice, 3) + (round % 7 == 0 ? 2 : 0),
                          .vertices = {s->vertices, 16 * (120 + console_below(dice, 32)) + round % 2},
                          .indices = {s->indices, sizeof s->indices}};
    s->file.header.vertex_total = (uint16_t)console_below(dice, 200);
}

/* Numbers that are right in some files: half of the time each. */
static void mend_file(uint64_t *dice, sample *s)
{
    uint32_t vertices = 0, indices = 0;
    for (uint32_t o = 0; o < s->file.object_count; o++) {
        console_forget(&ran);
        console_run_object(&s->file, &s->objects[o], &ran);
        s->objects[o].head.triangle_count = (uint16_t)(ran.count + console_below(dice, 3) - 1);
        for (uint32_t p = 0; p < CONSOLE_PARTS; p++)
            vertices += s->parts[o][p].vertex_count, indices += s->parts[o][p].index_count;
    }
    const uint32_t stored = (uint32_t)s->file.vertices.size / 16, which = console_below(dice, 6);
    s->file.header.vertex_total = (uint16_t)(which == 0   ? stored
                                             : which == 1 ? stored + 1
                                             : which == 2 ? vertices
                                                          : s->file.header.vertex_total);
    s->file.header.index_total = (uint16_t)(indices + (console_below(dice, 3) == 0));
}

static void check_file(const t3dm_file *file)
{
    static text want, got;
    for (int errors_only = 0; errors_only < 2; errors_only++) {
        tl_arena arena;
        tl_report report = {.fn = listen_to_it, .user = &got, .errors_only = errors_only};
        want.size = got.size = 0;
        want.data[0] = got.data[0] = 0;
        check_plainly(file, errors_only, &want);
        tl_arena_init(&arena, NULL);
        tl_t3dm_check_objects(file, &arena, &report);
        tl_arena_free(&arena);
        for (size_t i = 0; got.data[i] || want.data[i]; i++)
            if (got.data[i] != want.data[i]) {
                while (i > 0 && got.data[i - 1] != '\n')
                    i--;
                FAIL("%.*s, not %.*s", (int)strcspn(got.data + i, "\n"), got.data + i,
                     (int)strcspn(want.data + i, "\n"), want.data + i);
            }
    }
}

TEST(all_findings_about_objects)
{
    static sample s;
    uint64_t dice = 31;
    for (uint32_t round = 0; round < test_rounds(4000, TEST_SLOW ? 24 : 90); round++) {
        make_file(&dice, round, &s);
        mend_file(&dice, &s);
        check_file(&s.file);
        if (round % 4 != 0)
            continue;
        /* With the boxes that they should have. */
        plain c = {.file = &s.file};
        for (uint32_t o = 0; o < s.file.object_count; o++) {
            box own = {.any = false};
            for (uint32_t p = 0; p < CONSOLE_PARTS; p++)
                for (uint32_t i = 0; i < (s.parts[o][p].vertex_count + 1u) / 2 * 2; i++) {
                    const uint32_t row = s.parts[o][p].vertex_at / 32 * 2 + i;
                    const uint8_t *at = s.vertices + row / 2 * 32 + row % 2 * 8;
                    if (row < s.file.vertices.size / 32 * 2)
                        widen(&own, (int[3]){(int16_t)tl_get_u16(at, TL_BIG), (int16_t)tl_get_u16(at + 2, TL_BIG),
                                             (int16_t)tl_get_u16(at + 4, TL_BIG)});
                }
            for (int k = 0; k < 3 && own.any; k++) {
                s.objects[o].head.min[k] = (int16_t)own.min[k];
                s.objects[o].head.max[k] = (int16_t)own.max[k];
            }
            if (own.any)
                widen(&c.all, own.min), widen(&c.all, own.max);
        }
        for (int k = 0; k < 3 && c.all.any; k++) {
            s.file.header.min[k] = (int16_t)c.all.min[k];
            s.file.header.max[k] = (int16_t)c.all.max[k];
        }
        check_file(&s.file);
        s.objects[0].head.max[round / 4 % 3]--; /* one number less */
        check_file(&s.file);
    }
}

TEST_MAIN(CASE(all_findings_about_objects))
