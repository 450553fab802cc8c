/* Batches for a skinned mesh of many small components, such as one with hard edges: bin packing by bones.
 *
 * Each load of a bone's vertices sets a matrix, which costs as much as a dozen vertices, so components with the same
 * bones belong together. Components are sorted into classes by their set of bones. Those that need several bones come
 * first: a batch starts with the largest set, takes everything that needs no other bone, and is extended by a bone
 * while all that becomes possible by it fits. Components of a single bone fill what is left, first those after which
 * the rest of their bone fills whole batches; the rest is packed bone by bone.
 *
 * A component that does not fit into a batch is cut by greedy growth, and its batches are filled in the same way.
 *
 * In a chain, a batch of several bones is not filled. Instead, its vertices of one bone are loaded together with
 * components of that bone alone, which are drawn at once, while those vertices wait in the cache for the other bones.
 */
#include "optimize/t3d_batch_steps.h"

#include "base/hash_table.h"
#include <string.h>

enum {
    BATCH_PACK_VERTICES = 32,       /* the most of a small component */
    BATCH_PACK_WORK_MOST = 1 << 26, /* classes to look at; meshes that need more are not packed */
    BATCH_PACK_SIZES = BATCH_PACK_VERTICES + 1,
    BATCH_PACK_ROOM_LEAST = 66, /* vertices of a batch that leaves room for a strip */
    BATCH_PACK_CLASS = 1 << 20, /* worth of a class in vertices: more than a batch can have */
    BATCH_PACK_GROWTH_BONE = 8  /* tl_batch_growth.bone_cost */
};

static const uint32_t batch_pack_none = UINT32_MAX;

/* A set of bones is a node of a trie, which adds one bone to its parent's; the root is the empty set. */
typedef struct batch_bone_set {
    uint32_t parent, bone, size;
    uint32_t vertices;                /* of all components of the set that are left */
    uint32_t heads[BATCH_PACK_SIZES]; /* by number of vertices: the first component */
} batch_bone_set;

typedef struct batch_packer {
    const tl_batch_input *in;
    uint32_t room;   /* vertices of a batch */
    uint32_t random; /* state; 0: always the best choice */
    bool whole;      /* classes of several bones are not divided where that can be avoided, */
    bool by_class;   /* and a bone is worth the number of such classes that it adds, not their vertices */
    uint64_t work;
    uint32_t *bone; /* of each vertex, numbered */
    uint32_t bone_count;
    /* Components. */
    uint32_t *component, component_count; /* of each vertex */
    uint32_t *vertices, *first_triangle;  /* of each component */
    uint32_t *set, *next;                 /* of each component: its class, the next of that and its size */
    uint32_t *triangles;                  /* by component */
    /* Classes, found by parent and bone. */
    batch_bone_set *sets;
    uint32_t set_count;
    tl_hash_table table;
    uint32_t *open, open_count; /* classes that have components left */
    /* Large components, cut. */
    uint32_t (*large)[3], *large_from, large_count; /* their triangles, and where these come from */
    tl_batch_list grown;
    uint32_t *seen, seen_round; /* of each vertex: the last batch that was counted with it */
    bool chained;               /* batches of several bones come after others that load some of their vertices, */
    uint64_t spared;            /* which saves this much */
    /* The batch that is filled. */
    uint32_t number, vertex_count, triangle_count;
    uint32_t *in_batch; /* of each bone: the last batch that has it */
    uint32_t *promised; /* of each bone: vertices that could be added with it */
    tl_batch_list *out;
} batch_packer;

/* The worth of a choice, varied by up to a half when choices are to be random. */
static uint32_t batch_pack_vary(batch_packer *p, uint32_t worth)
{
    return p->random == 0 ? worth : (uint32_t)((uint64_t)worth * (16 + tl_batch_random(&p->random) % 17) / 32);
}

/* --- components --- */

static uint32_t batch_pack_root(uint32_t *parent, uint32_t vertex)
{
    while (parent[vertex] != vertex)
        vertex = parent[vertex] = parent[parent[vertex]];
    return vertex;
}

/* Union-find over the vertices, then a counting sort of the triangles. */
static bool batch_pack_find_components(tl_arena *arena, batch_packer *p)
{
    const tl_batch_input *in = p->in;
    uint32_t *parent = tl_array_raw(arena, in->vertex_count, sizeof *parent);
    p->component = tl_array_raw(arena, in->vertex_count, sizeof *p->component);
    p->triangles = tl_array_raw(arena, in->triangle_count, sizeof *p->triangles);
    if (!parent || !p->component || !p->triangles)
        return false;
    for (uint32_t v = 0; v < in->vertex_count; v++) {
        parent[v] = v;
        p->component[v] = batch_pack_none;
    }
    for (uint32_t t = 0; t < in->triangle_count; t++)
        for (int c = 1; c < 3; c++)
            parent[batch_pack_root(parent, in->triangles[t][c])] = batch_pack_root(parent, in->triangles[t][0]);
    for (uint32_t t = 0; t < in->triangle_count; t++) { /* numbered by their first triangle */
        uint32_t *number = &p->component[batch_pack_root(parent, in->triangles[t][0])];
        if (*number == batch_pack_none)
            *number = p->component_count++;
    }
    p->vertices = TL_ARRAY(arena, p->component_count, uint32_t);
    p->first_triangle = TL_ARRAY(arena, (size_t)p->component_count + 2, uint32_t);
    p->set = tl_array_raw(arena, p->component_count, sizeof *p->set);
    p->next = tl_array_raw(arena, p->component_count, sizeof *p->next);
    if (!p->vertices || !p->first_triangle || !p->set || !p->next)
        return false;
    for (uint32_t v = 0; v < in->vertex_count; v++)
        p->component[v] = p->component[batch_pack_root(parent, v)];
    for (uint32_t v = 0; v < in->vertex_count; v++)
        if (p->component[v] != batch_pack_none)
            p->vertices[p->component[v]]++;
    for (uint32_t t = 0; t < in->triangle_count; t++)
        p->first_triangle[p->component[in->triangles[t][0]] + 2]++;
    for (uint32_t c = 0; c < p->component_count; c++)
        p->first_triangle[c + 2] += p->first_triangle[c + 1];
    for (uint32_t t = 0; t < in->triangle_count; t++)
        p->triangles[p->first_triangle[p->component[in->triangles[t][0]] + 1]++] = t;
    return true;
}

static uint32_t batch_pack_triangle_count(const batch_packer *p, uint32_t component)
{
    return p->first_triangle[component + 1] - p->first_triangle[component];
}

static bool batch_pack_is_small(const batch_packer *p, uint32_t component)
{
    return p->vertices[component] <= BATCH_PACK_VERTICES &&
           batch_pack_triangle_count(p, component) <= TL_BATCH_TRIANGLES / 2;
}

/* --- classes --- */

static bool batch_pack_number_bones(tl_arena *arena, batch_packer *p)
{
    uint32_t *numbers = TL_ARRAY(arena, tl_batch_bone_rows(p->in), uint32_t);
    p->bone = tl_array_raw(arena, p->in->vertex_count, sizeof *p->bone);
    if (!numbers || !p->bone)
        return false;
    for (uint32_t v = 0; v < p->in->vertex_count; v++) {
        uint32_t *number = &numbers[tl_batch_bone_row(tl_batch_vertex_bone(p->in, v))];
        *number = *number > 0 ? *number : ++p->bone_count;
        p->bone[v] = *number - 1;
    }
    p->in_batch = TL_ARRAY(arena, p->bone_count, uint32_t);
    p->promised = TL_ARRAY(arena, p->bone_count, uint32_t);
    return p->in_batch && p->promised;
}

static int batch_pack_compare_sets(const void *rows, uint32_t a, uint32_t b)
{
    const batch_bone_set *s = (const batch_bone_set *)rows + a, *t = (const batch_bone_set *)rows + b;
    if (s->parent != t->parent)
        return s->parent < t->parent ? -1 : 1;
    return (s->bone > t->bone) - (s->bone < t->bone);
}

/* The child of a set with one more bone; it is made when there is none. TRILO_NONE when memory runs out. */
static uint32_t batch_pack_extend_set(batch_packer *p, uint32_t set, uint32_t bone)
{
    const uint32_t edge[] = {set, bone}, next = p->set_count;
    p->sets[next].parent = set;
    p->sets[next].bone = bone;
    p->sets[next].size = p->sets[set].size + 1;
    const uint32_t child = tl_hash_table_add(&p->table, tl_hash_words(edge, sizeof edge), next);
    p->set_count += child == next;
    return child;
}

static uint32_t batch_pack_set_of(batch_packer *p, uint32_t component)
{
    uint32_t bones[BATCH_PACK_VERTICES], count = 0, set = 0;
    for (uint32_t i = p->first_triangle[component]; i < p->first_triangle[component + 1]; i++)
        for (int c = 0; c < 3; c++) {
            const uint32_t bone = p->bone[p->in->triangles[p->triangles[i]][c]];
            uint32_t at = 0;
            while (at < count && bones[at] < bone)
                at++;
            if (at < count && bones[at] == bone)
                continue;
            memmove(bones + at + 1, bones + at, (count++ - at) * sizeof *bones);
            bones[at] = bone;
        }
    for (uint32_t i = 0; i < count && set != TRILO_NONE; i++)
        set = batch_pack_extend_set(p, set, bones[i]);
    return set;
}

static bool batch_pack_make_classes(tl_arena *arena, batch_packer *p)
{
    uint32_t most = 0; /* sets: each small component adds no more than it has vertices */
    for (uint32_t c = 0; c < p->component_count; c++)
        most += batch_pack_is_small(p, c) ? p->vertices[c] : 0;
    p->sets = tl_array_raw(arena, (size_t)most + 2, sizeof *p->sets); /* with the root, and one to look up */
    p->open = tl_array_raw(arena, (size_t)most + 1, sizeof *p->open);
    if (!p->sets || !p->open || !tl_hash_table_init(&p->table, arena, most, batch_pack_compare_sets, p->sets))
        return false;
    p->set_count = 1;
    p->sets[0] = (batch_bone_set){.parent = batch_pack_none};
    for (uint32_t c = 0; c < p->component_count; c++) {
        p->set[c] = batch_pack_is_small(p, c) ? batch_pack_set_of(p, c) : 0;
        if (p->set[c] == TRILO_NONE)
            return false;
    }
    return true;
}

static bool batch_pack_list_large(tl_arena *arena, batch_packer *p)
{
    p->large = tl_array_raw(arena, p->in->triangle_count, sizeof *p->large);
    p->large_from = tl_array_raw(arena, p->in->triangle_count, sizeof *p->large_from);
    p->seen = TL_ARRAY(arena, p->in->vertex_count, uint32_t);
    if (!p->large || !p->large_from || !p->seen)
        return false;
    for (uint32_t t = 0; t < p->in->triangle_count; t++)
        if (p->set[p->component[p->in->triangles[t][0]]] == 0) {
            memcpy(p->large[p->large_count], p->in->triangles[t], sizeof *p->large);
            p->large_from[p->large_count++] = t;
        }
    return true;
}

/* All small components are to be packed. */
static void batch_pack_open_classes(batch_packer *p)
{
    p->open_count = 0;
    for (uint32_t s = 1; s < p->set_count; s++) {
        p->sets[s].vertices = 0;
        memset(p->sets[s].heads, 0xFF, sizeof p->sets[s].heads);
    }
    for (uint32_t c = p->component_count; c-- > 0;) { /* each is put in front, so the lists ascend */
        batch_bone_set *set = &p->sets[p->set[c]];
        if (p->set[c] == 0)
            continue;
        p->next[c] = set->heads[p->vertices[c]];
        set->heads[p->vertices[c]] = c;
        set->vertices += p->vertices[c];
    }
    for (uint32_t s = 1; s < p->set_count; s++)
        if (p->sets[s].vertices > 0)
            p->open[p->open_count++] = s;
}

/* --- a batch --- */

static void batch_pack_begin(batch_packer *p)
{
    p->number++;
    p->vertex_count = p->triangle_count = 0;
}

static void batch_pack_end(batch_packer *p)
{
    p->out->first[p->out->count + 1] = p->out->first[p->out->count] + p->triangle_count;
    p->out->count++;
    uint32_t kept = 0; /* classes that are done leave */
    for (uint32_t i = 0; i < p->open_count; i++)
        if (p->sets[p->open[i]].vertices > 0)
            p->open[kept++] = p->open[i];
    p->open_count = kept;
}

static uint32_t batch_pack_left(const batch_packer *p)
{
    return p->vertex_count < p->room ? p->room - p->vertex_count : 0;
}

static void batch_pack_add_triangle(batch_packer *p, uint32_t triangle)
{
    p->out->order[p->out->first[p->out->count] + p->triangle_count++] = triangle;
}

/* Components of a class, the largest first that fit, until the batch has `vertices` more. */
static void batch_pack_take(batch_packer *p, uint32_t set, uint32_t vertices)
{
    batch_bone_set *from = &p->sets[set];
    uint32_t taken = 0;
    for (uint32_t size = BATCH_PACK_VERTICES; size > 0; size--)
        while (from->heads[size] != batch_pack_none && size <= batch_pack_left(p) && taken < vertices) {
            const uint32_t c = from->heads[size], count = batch_pack_triangle_count(p, c);
            if (p->triangle_count + count > TL_BATCH_TRIANGLES)
                return;
            for (uint32_t i = 0; i < count; i++)
                batch_pack_add_triangle(p, p->triangles[p->first_triangle[c] + i]);
            for (uint32_t s = taken == 0 ? set : 0; s != 0; s = p->sets[s].parent)
                p->in_batch[p->sets[s].bone] = p->number;
            from->heads[size] = p->next[c];
            from->vertices -= size;
            p->vertex_count += size;
            taken += size;
        }
}

/* How many bones of a set the batch lacks, and one of them. */
static uint32_t batch_pack_missing(batch_packer *p, uint32_t set, uint32_t *which)
{
    uint32_t count = 0;
    for (uint32_t s = set; s != 0; s = p->sets[s].parent)
        if (p->in_batch[p->sets[s].bone] != p->number) {
            *which = p->sets[s].bone;
            count++;
        }
    p->work += p->sets[set].size;
    return count;
}

/* Everything that needs several bones and only those of the batch. */
static void batch_pack_take_joints(batch_packer *p)
{
    uint32_t bone = 0;
    for (uint32_t i = 0; i < p->open_count; i++)
        if (p->sets[p->open[i]].size > 1 && (!p->whole || p->sets[p->open[i]].vertices <= batch_pack_left(p)) &&
            batch_pack_missing(p, p->open[i], &bone) == 0)
            batch_pack_take(p, p->open[i], UINT32_MAX);
}

/* One more bone: that which adds the most of what needs several, if all of it fits. */
static bool batch_pack_add_bone(batch_packer *p)
{
    uint32_t best = batch_pack_none, most = 0, bone = 0;
    memset(p->promised, 0, p->bone_count * sizeof *p->promised);
    for (uint32_t i = 0; i < p->open_count; i++)
        if (p->sets[p->open[i]].size > 1 && batch_pack_missing(p, p->open[i], &bone) == 1)
            p->promised[bone] += p->sets[p->open[i]].vertices + (p->by_class ? BATCH_PACK_CLASS : 0);
    for (uint32_t b = 0; b < p->bone_count; b++)
        if (p->promised[b] > 0 && p->promised[b] % BATCH_PACK_CLASS <= batch_pack_left(p)) {
            const uint32_t worth = batch_pack_vary(p, p->promised[b]);
            best = worth > most ? b : best;
            most = worth > most ? worth : most;
        }
    if (best != batch_pack_none)
        p->in_batch[best] = p->number;
    return best != batch_pack_none;
}

/* Components of a single bone that the batch has: first what exceeds whole batches of a bone, then the bone with the
 * most. */
static void batch_pack_fill(batch_packer *p)
{
    uint32_t bone = 0;
    for (uint32_t i = 0; i < p->open_count; i++) {
        const batch_bone_set *set = &p->sets[p->open[i]];
        const uint32_t over = set->vertices % p->room;
        if (set->size == 1 && over <= batch_pack_left(p) && batch_pack_missing(p, p->open[i], &bone) == 0)
            batch_pack_take(p, p->open[i], over);
    }
    for (;;) {
        uint32_t best = batch_pack_none, most = 0;
        const uint32_t before = p->vertex_count;
        for (uint32_t i = 0; i < p->open_count; i++)
            if (p->sets[p->open[i]].size == 1 && p->sets[p->open[i]].vertices > most &&
                batch_pack_missing(p, p->open[i], &bone) == 0) {
                best = p->open[i];
                most = p->sets[best].vertices;
            }
        if (best != batch_pack_none)
            batch_pack_take(p, best, UINT32_MAX);
        if (p->vertex_count == before)
            return;
    }
}

/* --- chains --- */

typedef struct batch_pack_bone {
    uint32_t bone;
    uint16_t input_bone;
    uint32_t vertices; /* of the batch */
    uint32_t single;   /* the class of this bone alone; batch_pack_none: nothing of it is left */
} batch_pack_bone;

static uint32_t batch_pack_single(batch_packer *p, uint32_t bone)
{
    p->work += p->open_count;
    for (uint32_t i = 0; i < p->open_count; i++)
        if (p->sets[p->open[i]].size == 1 && p->sets[p->open[i]].bone == bone && p->sets[p->open[i]].vertices > 0)
            return p->open[i];
    return batch_pack_none;
}

/* Those first that have components of their own, then those with fewer vertices. */
static bool batch_pack_is_earlier(const batch_pack_bone *a, const batch_pack_bone *b)
{
    if ((a->single == batch_pack_none) != (b->single == batch_pack_none))
        return a->single != batch_pack_none;
    return a->vertices < b->vertices;
}

/* The bones of the batch, sorted. */
static uint32_t batch_pack_list_bones(batch_packer *p, batch_pack_bone rows[TL_BATCH_SLOTS])
{
    const uint32_t *triangles = p->out->order + p->out->first[p->out->count];
    uint32_t count = 0;
    p->seen_round++;
    for (uint32_t i = 0; i < 3 * p->triangle_count; i++) {
        const uint32_t vertex = p->in->triangles[triangles[i / 3]][i % 3];
        uint32_t row = 0;
        if (p->seen[vertex] == p->seen_round)
            continue;
        p->seen[vertex] = p->seen_round;
        while (row < count && rows[row].bone != p->bone[vertex])
            row++;
        if (row == count)
            rows[count++] = (batch_pack_bone){p->bone[vertex], tl_batch_vertex_bone(p->in, vertex), 0,
                                              batch_pack_single(p, p->bone[vertex])};
        rows[row].vertices++;
    }
    for (uint32_t i = 1; i < count; i++) {
        const batch_pack_bone row = rows[i];
        uint32_t at = i;
        for (; at > 0 && batch_pack_is_earlier(&row, &rows[at - 1]); at--)
            rows[at] = rows[at - 1];
        rows[at] = row;
    }
    return count;
}

/* Ends the batch, and makes those that come before it, the last one first. Bones with the fewest vertices are loaded
 * first, since these wait longest. One bone is left to the batch itself, which has to load something. */
static void batch_pack_end_chain(batch_packer *p)
{
    batch_pack_bone rows[TL_BATCH_SLOTS];
    const uint32_t count = batch_pack_list_bones(p, rows), last = p->out->count;
    uint32_t early = 0, waiting = 0;
    while (early + 1 < count && rows[early].single != batch_pack_none)
        waiting += rows[early++].vertices;
    if (rows[early].single != batch_pack_none)
        batch_pack_take(p, rows[early].single, UINT32_MAX);
    p->out->preloads[last] = last;
    batch_pack_end(p);
    for (uint32_t i = early; i-- > 0; waiting -= rows[i].vertices) {
        const uint16_t bone = rows[i].input_bone;
        batch_pack_begin(p);
        p->vertex_count = waiting;
        batch_pack_take(p, rows[i].single, UINT32_MAX);
        if (p->triangle_count == 0)
            continue;
        const uint32_t filled = p->vertex_count - waiting;
        p->spared += tl_batch_load_cost(filled, bone) + tl_batch_load_cost(rows[i].vertices, bone) -
                     tl_batch_load_cost(filled + rows[i].vertices, bone);
        p->out->preloads[p->out->count] = last;
        batch_pack_end(p);
    }
}

/* --- all batches --- */

/* Ends a batch that may have several bones. */
static void batch_pack_end_joint(batch_packer *p)
{
    if (p->chained) {
        batch_pack_end_chain(p);
        return;
    }
    batch_pack_fill(p);
    batch_pack_end(p);
}

/* Large components are cut; their batches have room for small ones. */
static void batch_pack_fill_grown(batch_packer *p)
{
    for (uint32_t g = 0; g < p->grown.count; g++) {
        batch_pack_begin(p);
        p->seen_round++;
        for (uint32_t i = p->grown.first[g]; i < p->grown.first[g + 1]; i++) {
            for (int c = 0; c < 3; c++) {
                const uint32_t vertex = p->large[p->grown.order[i]][c];
                p->vertex_count += p->seen[vertex] != p->seen_round ? 1 : 0;
                p->seen[vertex] = p->seen_round;
                p->in_batch[p->bone[vertex]] = p->number;
            }
            batch_pack_add_triangle(p, p->large_from[p->grown.order[i]]);
        }
        batch_pack_take_joints(p);
        batch_pack_end_joint(p);
    }
}

/* The class with the most bones, then the most vertices; none when all that is left has one bone. */
static uint32_t batch_pack_hardest(batch_packer *p)
{
    uint32_t best = batch_pack_none;
    uint64_t most = 0;
    for (uint32_t i = 0; i < p->open_count; i++) {
        const batch_bone_set *set = &p->sets[p->open[i]];
        if (set->size < 2)
            continue;
        const uint64_t worth = (uint64_t)set->size << 48 | batch_pack_vary(p, set->vertices);
        best = worth > most ? p->open[i] : best;
        most = worth > most ? worth : most;
    }
    return best;
}

/* The class with the most vertices up to a number. */
static uint32_t batch_pack_largest(const batch_packer *p, uint32_t most)
{
    uint32_t best = batch_pack_none;
    for (uint32_t i = 0; i < p->open_count; i++)
        if (p->sets[p->open[i]].vertices > 0 && p->sets[p->open[i]].vertices <= most &&
            (best == batch_pack_none || p->sets[p->open[i]].vertices > p->sets[best].vertices))
            best = p->open[i];
    return best;
}

/* What is left has one bone: bones that fit whole go together. */
static void batch_pack_single_bones(batch_packer *p)
{
    uint32_t before = 0;
    batch_pack_take(p, batch_pack_largest(p, UINT32_MAX), UINT32_MAX);
    for (uint32_t next = 0; p->vertex_count > before && next != batch_pack_none;) {
        before = p->vertex_count;
        next = batch_pack_largest(p, batch_pack_left(p));
        if (next != batch_pack_none)
            batch_pack_take(p, next, UINT32_MAX);
    }
}

/* False when that would take too long. */
static bool batch_pack_run(batch_packer *p, uint32_t room, uint32_t seed)
{
    p->room = room;
    p->whole = seed % 2 != 0;
    p->by_class = seed / 2 % 2 != 0;
    p->random = seed / 4;
    p->spared = 0;
    p->out->count = 0;
    p->out->first[0] = 0;
    batch_pack_open_classes(p);
    batch_pack_fill_grown(p);
    while (p->open_count > 0 && p->work <= BATCH_PACK_WORK_MOST) {
        const uint32_t joint = batch_pack_hardest(p);
        batch_pack_begin(p);
        if (joint == batch_pack_none) {
            batch_pack_single_bones(p);
            if (p->chained)
                p->out->preloads[p->out->count] = p->out->count;
            batch_pack_end(p);
        } else {
            batch_pack_take(p, joint, UINT32_MAX);
            do
                batch_pack_take_joints(p);
            while (batch_pack_add_bone(p));
            batch_pack_end_joint(p);
        }
        p->work += p->open_count;
    }
    return p->open_count == 0;
}

static bool batch_pack_new_list(tl_arena *arena, const tl_batch_input *in, bool chained, tl_batch_list *out)
{
    const size_t most = (size_t)in->triangle_count + 1;
    *out = (tl_batch_list){.first = tl_array_raw(arena, most, sizeof *out->first),
                           .order = tl_array_raw(arena, in->triangle_count, sizeof *out->order),
                           .preloads = chained ? tl_array_raw(arena, most, sizeof *out->preloads) : NULL};
    return out->first && out->order && (out->preloads || !chained);
}

/* The cheapest of all attempts. */
static bool batch_pack_best(tl_arena *arena, const tl_batch_input *in, uint32_t tries, bool chained,
                            tl_batch_estimator *estimator, tl_batch_list *out)
{
    batch_packer p = {.in = in, .chained = chained};
    tl_batch_list other;
    uint64_t least = UINT64_MAX;
    if (!batch_pack_new_list(arena, in, chained, out) || !batch_pack_new_list(arena, in, chained, &other) ||
        !batch_pack_find_components(arena, &p) || !batch_pack_number_bones(arena, &p) ||
        !batch_pack_make_classes(arena, &p) || !batch_pack_list_large(arena, &p))
        return false;
    p.out = &other;
    for (uint32_t room = TL_BATCH_SLOTS; p.set_count > 1 && room >= BATCH_PACK_ROOM_LEAST; room -= 2) {
        const tl_batch_growth growth = {room, room, BATCH_PACK_GROWTH_BONE};
        tl_batch_input large = *in;
        large.triangles = (const uint32_t(*)[3])p.large;
        large.triangle_count = p.large_count;
        if (!tl_batch_grow(arena, &large, &growth, &p.grown))
            return false;
        for (uint32_t seed = 0; seed < tries; seed++) {
            if (!batch_pack_run(&p, room, seed))
                return true;
            const uint64_t cost = tl_batch_estimate(estimator, &other) - p.spared;
            if (cost < least) {
                const tl_batch_list swapped = *out;
                least = cost;
                *out = other;
                other = swapped;
            }
        }
    }
    return true;
}

bool tl_batch_pack(tl_arena *arena, const tl_batch_input *in, uint32_t tries, tl_batch_estimator *estimator,
                   tl_batch_list *out)
{
    return batch_pack_best(arena, in, tries, false, estimator, out);
}

/* Batches of a chain were made from its end. */
bool tl_batch_pack_chains(tl_arena *arena, const tl_batch_input *in, uint32_t tries, tl_batch_estimator *estimator,
                          tl_batch_list *out)
{
    tl_batch_list backwards;
    if (!batch_pack_best(arena, in, tries, true, estimator, &backwards) || !batch_pack_new_list(arena, in, true, out))
        return false;
    out->first[0] = 0;
    for (uint32_t i = backwards.count; i-- > 0; out->count++) {
        const uint32_t from = backwards.first[i], size = backwards.first[i + 1] - from;
        memcpy(out->order + out->first[out->count], backwards.order + from, size * sizeof *out->order);
        out->first[out->count + 1] = out->first[out->count] + size;
        out->preloads[out->count] = backwards.count - 1 - backwards.preloads[i];
    }
    return true;
}
