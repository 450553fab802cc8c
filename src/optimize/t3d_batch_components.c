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
    uint32_t vertices, left; /* of all components of the set, and of those that no batch has yet */
    uint32_t first_group, group_count;
} batch_bone_set;

/* The components of a class with the same number of vertices are consecutive when sorted. */
typedef struct batch_group {
    uint32_t size;       /* vertices of each */
    uint32_t first, end; /* in the sorted components, */
    uint32_t next;       /* and the first of them that no batch has yet */
} batch_group;

/* Consecutive components of a group that are in the same batch. */
typedef struct batch_run {
    uint32_t first, count;
} batch_run;

typedef struct batch_packer {
    const tl_batch_input *in;
    uint32_t room;   /* vertices of a batch */
    uint32_t random; /* state; 0: always the best choice */
    bool whole;      /* classes of several bones are not divided where that can be avoided, */
    bool by_class;   /* and a bone is worth the number of such classes that it adds, not their vertices */
    uint64_t work;
    uint32_t *bone; /* of each vertex, numbered */
    uint32_t bone_count;
    uint16_t *bone_names; /* of each number: the bone */
    /* Components. */
    uint32_t *component, component_count; /* of each vertex */
    uint32_t *vertices, *first_triangle;  /* of each component */
    uint32_t *set;                        /* of each component: its class; 0: it is large */
    uint32_t *first_share, *shares;       /* of each component of several bones, and each of them in turn: vertices */
    uint32_t *triangles;                  /* by component, then sorted as these are */
    uint32_t *sorted, sorted_count;       /* small components, by class and size */
    uint32_t *triangles_before;           /* of each in this order: the triangles of those before it */
    batch_group *groups;
    /* Classes, found by parent and bone. */
    batch_bone_set *sets;
    uint32_t set_count;
    tl_hash_table table;
    uint32_t *open, open_count; /* classes that have components left, besides some that are done */
    bool some_done;
    /* Large components, cut. */
    uint32_t (*large)[3], *large_from, large_count; /* their triangles, and where these come from */
    tl_batch_list grown;
    uint32_t *seen, seen_round; /* of each vertex: the last batch that was counted with it */
    bool chained;               /* batches of several bones come after others that load some of their vertices: */
    uint32_t *preloads;         /* of each batch: for which one it does; itself: none */
    /* The batch that is filled. */
    uint32_t number, vertex_count, triangle_count;
    uint32_t *in_batch;                             /* of each bone: the last batch that has it */
    uint32_t *promised;                             /* of each bone: vertices that could be added with it */
    uint32_t *counts;                               /* of each bone: vertices in the batch */
    uint32_t bones[TL_BATCH_SLOTS], bones_in_batch; /* those with any */
    /* All batches: first those of large components. */
    uint32_t batch_count, *first_run; /* of each batch, and one more for the end */
    batch_run *runs;
    uint32_t run_count;
    uint64_t cost; /* as tl_batch_estimate says */
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
    for (uint32_t t = 0; t < in->triangle_count; t++) {
        const uint32_t root = batch_pack_root(parent, in->triangles[t][0]);
        parent[batch_pack_root(parent, in->triangles[t][1])] = root;
        parent[batch_pack_root(parent, in->triangles[t][2])] = root;
    }
    for (uint32_t t = 0; t < in->triangle_count; t++) { /* numbered by their first triangle */
        uint32_t *number = &p->component[batch_pack_root(parent, in->triangles[t][0])];
        if (*number == batch_pack_none)
            *number = p->component_count++;
    }
    p->vertices = TL_ARRAY(arena, p->component_count, uint32_t);
    p->first_triangle = TL_ARRAY(arena, (size_t)p->component_count + 2, uint32_t);
    p->set = tl_array_raw(arena, p->component_count, sizeof *p->set);
    if (!p->vertices || !p->first_triangle || !p->set)
        return false;
    for (uint32_t v = 0; v < in->vertex_count; v++) {
        p->component[v] = p->component[batch_pack_root(parent, v)];
        if (p->component[v] != batch_pack_none)
            p->vertices[p->component[v]]++;
    }
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
    const size_t rows = tl_batch_bone_rows(p->in);
    uint32_t *numbers = TL_ARRAY(arena, rows, uint32_t);
    p->bone = tl_array_raw(arena, p->in->vertex_count, sizeof *p->bone);
    p->bone_names = tl_array_raw(arena, rows, sizeof *p->bone_names);
    if (!numbers || !p->bone || !p->bone_names)
        return false;
    for (uint32_t v = 0; v < p->in->vertex_count; v++) {
        const uint16_t bone = tl_batch_vertex_bone(p->in, v);
        uint32_t *number = &numbers[tl_batch_bone_row(bone)];
        if (*number == 0) {
            p->bone_names[p->bone_count] = bone;
            *number = ++p->bone_count;
        }
        p->bone[v] = *number - 1;
    }
    p->in_batch = TL_ARRAY(arena, p->bone_count, uint32_t);
    p->promised = TL_ARRAY(arena, p->bone_count, uint32_t);
    p->counts = TL_ARRAY(arena, p->bone_count, uint32_t);
    return p->in_batch && p->promised && p->counts;
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
    enum { EXPECTED_SETS = 64 };
    uint32_t most = 0; /* sets: each small component adds no more than it has vertices */
    for (uint32_t c = 0; c < p->component_count; c++)
        most += batch_pack_is_small(p, c) ? p->vertices[c] : 0;
    p->sets = tl_array_raw(arena, (size_t)most + 2, sizeof *p->sets); /* with the root, and one to look up */
    p->open = tl_array_raw(arena, (size_t)most + 1, sizeof *p->open);
    if (!p->sets || !p->open || !tl_hash_table_init(&p->table, arena, EXPECTED_SETS, batch_pack_compare_sets, p->sets))
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

/* How the vertices of components with several bones are divided among these. */
static bool batch_pack_count_shares(tl_arena *arena, batch_packer *p)
{
    uint32_t count = 0;
    p->first_share = tl_array_raw(arena, p->component_count, sizeof *p->first_share);
    for (uint32_t c = 0; p->first_share && c < p->component_count; c++) {
        const uint32_t bones = p->sets[p->set[c]].size;
        p->first_share[c] = count;
        count += bones > 1 ? bones : 0;
    }
    p->shares = TL_ARRAY(arena, count, uint32_t);
    if (!p->first_share || !p->shares)
        return false;
    for (uint32_t v = 0; count > 0 && v < p->in->vertex_count; v++) {
        const uint32_t c = p->component[v];
        if (c == batch_pack_none || p->sets[p->set[c]].size < 2)
            continue;
        uint32_t set = p->set[c];
        while (p->sets[set].bone != p->bone[v])
            set = p->sets[set].parent;
        p->shares[p->first_share[c] + p->sets[set].size - 1]++;
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

/* A stable counting sort by the key of each component, which is less than `keys`. */
static void batch_pack_sort_by(const uint32_t *key, uint32_t keys, uint32_t *starts, const uint32_t *from,
                               uint32_t count, uint32_t *to)
{
    memset(starts, 0, ((size_t)keys + 1) * sizeof *starts);
    for (uint32_t i = 0; i < count; i++)
        starts[key[from[i]] + 1]++;
    for (uint32_t k = 0; k < keys; k++)
        starts[k + 1] += starts[k];
    for (uint32_t i = 0; i < count; i++)
        to[starts[key[from[i]]]++] = from[i];
}

static bool batch_pack_sort_components(tl_arena *arena, batch_packer *p)
{
    const uint32_t keys = p->set_count > BATCH_PACK_SIZES ? p->set_count : BATCH_PACK_SIZES;
    uint32_t *starts = tl_array_raw(arena, (size_t)keys + 1, sizeof *starts);
    uint32_t *by_size = tl_array_raw(arena, p->component_count, sizeof *by_size);
    uint32_t *triangles = tl_array_raw(arena, p->in->triangle_count, sizeof *triangles);
    p->sorted = tl_array_raw(arena, p->component_count, sizeof *p->sorted);
    p->triangles_before = tl_array_raw(arena, (size_t)p->component_count + 1, sizeof *p->triangles_before);
    if (!starts || !by_size || !triangles || !p->sorted || !p->triangles_before)
        return false;
    for (uint32_t c = 0; c < p->component_count; c++)
        if (p->set[c] != 0)
            p->sorted[p->sorted_count++] = c;
    batch_pack_sort_by(p->vertices, BATCH_PACK_SIZES, starts, p->sorted, p->sorted_count, by_size);
    batch_pack_sort_by(p->set, p->set_count, starts, by_size, p->sorted_count, p->sorted);
    uint32_t count = 0;
    for (uint32_t i = 0; i < p->sorted_count; i++) {
        const uint32_t c = p->sorted[i];
        p->triangles_before[i] = count;
        for (uint32_t k = p->first_triangle[c]; k < p->first_triangle[c + 1]; k++)
            triangles[count++] = p->triangles[k];
    }
    p->triangles_before[p->sorted_count] = count;
    p->triangles = triangles;
    return true;
}

static bool batch_pack_make_groups(tl_arena *arena, batch_packer *p)
{
    uint32_t count = 0;
    p->groups = tl_array_raw(arena, p->sorted_count, sizeof *p->groups);
    p->runs = tl_array_raw(arena, p->sorted_count, sizeof *p->runs);
    p->first_run = tl_array_raw(arena, (size_t)p->in->triangle_count + 1, sizeof *p->first_run);
    if (!p->groups || !p->runs || !p->first_run)
        return false;
    for (uint32_t s = 0; s < p->set_count; s++)
        p->sets[s].vertices = p->sets[s].group_count = 0;
    for (uint32_t i = 0; i < p->sorted_count; i++) {
        batch_bone_set *set = &p->sets[p->set[p->sorted[i]]];
        const uint32_t size = p->vertices[p->sorted[i]];
        if (set->group_count == 0)
            set->first_group = count;
        if (set->group_count == 0 || p->groups[count - 1].size != size) {
            p->groups[count++] = (batch_group){.size = size, .first = i};
            set->group_count++;
        }
        p->groups[count - 1].end = i + 1;
        set->vertices += size;
    }
    return true;
}

/* All small components are to be packed. */
static void batch_pack_open_classes(batch_packer *p)
{
    p->open_count = 0;
    p->some_done = false;
    for (uint32_t s = 1; s < p->set_count; s++) {
        batch_bone_set *set = &p->sets[s];
        set->left = set->vertices;
        for (uint32_t g = 0; g < set->group_count; g++)
            p->groups[set->first_group + g].next = p->groups[set->first_group + g].first;
        if (set->left > 0)
            p->open[p->open_count++] = s;
    }
}

/* --- a batch --- */

static void batch_pack_begin(batch_packer *p)
{
    p->number++;
    p->vertex_count = p->triangle_count = p->bones_in_batch = 0;
    if (p->chained)
        p->preloads[p->batch_count] = p->batch_count;
}

static void batch_pack_count(batch_packer *p, uint32_t bone, uint32_t vertices)
{
    if (p->counts[bone] == 0)
        p->bones[p->bones_in_batch++] = bone;
    p->counts[bone] += vertices;
}

static void batch_pack_end(batch_packer *p)
{
    p->first_run[++p->batch_count] = p->run_count;
    p->cost += tl_batch_estimate_drawing(p->vertex_count, p->triangle_count);
    for (uint32_t i = 0; i < p->bones_in_batch; i++) {
        p->cost += tl_batch_load_cost(p->counts[p->bones[i]], p->bone_names[p->bones[i]]);
        p->counts[p->bones[i]] = 0;
    }
    uint32_t kept = 0; /* classes that are done leave */
    for (uint32_t i = 0; p->some_done && i < p->open_count; i++)
        if (p->sets[p->open[i]].left > 0)
            p->open[kept++] = p->open[i];
    p->open_count = p->some_done ? kept : p->open_count;
    p->some_done = false;
}

static uint32_t batch_pack_left(const batch_packer *p)
{
    return p->vertex_count < p->room ? p->room - p->vertex_count : 0;
}

static uint32_t batch_pack_triangles_of(const batch_packer *p, uint32_t first, uint32_t count)
{
    return p->triangles_before[first + count] - p->triangles_before[first];
}

/* The next components of a group go to the batch. */
static void batch_pack_add_run(batch_packer *p, uint32_t set, batch_group *from, uint32_t count)
{
    const uint32_t first = from->next, vertices = count * from->size;
    p->runs[p->run_count++] = (batch_run){first, count};
    p->vertex_count += vertices;
    p->triangle_count += batch_pack_triangles_of(p, first, count);
    p->sets[set].left -= vertices;
    p->some_done = p->some_done || p->sets[set].left == 0;
    from->next += count;
    if (p->sets[set].size == 1)
        batch_pack_count(p, p->sets[set].bone, vertices);
    for (uint32_t s = set; s != 0; s = p->sets[s].parent) {
        p->in_batch[p->sets[s].bone] = p->number;
        for (uint32_t i = first; p->sets[set].size > 1 && i < first + count; i++)
            batch_pack_count(p, p->sets[s].bone, p->shares[p->first_share[p->sorted[i]] + p->sets[s].size - 1]);
    }
}

/* Components of a class, the largest first that fit, until the batch has `vertices` more. */
static void batch_pack_take(batch_packer *p, uint32_t set, uint32_t vertices)
{
    uint32_t wanted = vertices;
    for (uint32_t g = p->sets[set].group_count; g-- > 0 && wanted > 0;) {
        batch_group *from = &p->groups[p->sets[set].first_group + g];
        const uint32_t room = batch_pack_left(p) / from->size, enough = (wanted - 1) / from->size + 1;
        uint32_t count = from->end - from->next;
        count = count < room ? count : room;
        count = count < enough ? count : enough;
        const uint32_t all = count;
        while (p->triangle_count + batch_pack_triangles_of(p, from->next, count) > TL_BATCH_TRIANGLES)
            count--;
        wanted -= count * from->size < wanted ? count * from->size : wanted;
        if (count > 0)
            batch_pack_add_run(p, set, from, count);
        if (count < all)
            return; /* no room for more triangles */
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
        if (p->sets[p->open[i]].size > 1 && (!p->whole || p->sets[p->open[i]].left <= batch_pack_left(p)) &&
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
            p->promised[bone] += p->sets[p->open[i]].left + (p->by_class ? BATCH_PACK_CLASS : 0);
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
        const uint32_t over = set->left % p->room;
        if (set->size == 1 && over <= batch_pack_left(p) && batch_pack_missing(p, p->open[i], &bone) == 0)
            batch_pack_take(p, p->open[i], over);
    }
    for (;;) {
        uint32_t best = batch_pack_none, most = 0;
        const uint32_t before = p->vertex_count;
        for (uint32_t i = 0; i < p->open_count; i++)
            if (p->sets[p->open[i]].size == 1 && p->sets[p->open[i]].left > most &&
                batch_pack_missing(p, p->open[i], &bone) == 0) {
                best = p->open[i];
                most = p->sets[best].left;
            }
        if (best != batch_pack_none)
            batch_pack_take(p, best, UINT32_MAX);
        if (p->vertex_count == before)
            return;
    }
}

/* --- chains --- */

typedef struct batch_pack_bone {
    uint32_t bone, vertices; /* of the batch */
    uint32_t single;         /* the class of this bone alone; batch_pack_none: nothing of it is left */
    uint32_t left;           /* vertices of that class */
} batch_pack_bone;

static uint32_t batch_pack_single(batch_packer *p, uint32_t bone)
{
    p->work += p->open_count;
    for (uint32_t i = 0; i < p->open_count; i++)
        if (p->sets[p->open[i]].size == 1 && p->sets[p->open[i]].bone == bone && p->sets[p->open[i]].left > 0)
            return p->open[i];
    return batch_pack_none;
}

/* Those first that have components of their own, then those with fewer vertices, then those with more components. */
static bool batch_pack_is_earlier(const batch_pack_bone *a, const batch_pack_bone *b)
{
    if ((a->left == 0) != (b->left == 0))
        return a->left > 0;
    return a->vertices != b->vertices ? a->vertices < b->vertices : a->left > b->left;
}

/* The bones of the batch, sorted. */
static void batch_pack_list_bones(batch_packer *p, batch_pack_bone rows[TL_BATCH_SLOTS])
{
    for (uint32_t i = 0; i < p->bones_in_batch; i++) {
        const uint32_t bone = p->bones[i];
        const uint32_t single = batch_pack_single(p, bone);
        const batch_pack_bone row = {bone, p->counts[bone], single,
                                     single != batch_pack_none ? p->sets[single].left : 0};
        uint32_t at = i;
        for (; at > 0 && batch_pack_is_earlier(&row, &rows[at - 1]); at--)
            rows[at] = rows[at - 1];
        rows[at] = row;
    }
}

/* Ends the batch, and makes those that come before it, the last one first. Bones with the fewest vertices are loaded
 * first, since these wait longest. One bone is left to the batch itself, which has to load something. */
static void batch_pack_end_chain(batch_packer *p)
{
    batch_pack_bone rows[TL_BATCH_SLOTS] = {{0, 0, 0, 0}};
    const uint32_t count = p->bones_in_batch, last = p->batch_count;
    uint32_t early = 0, waiting = 0;
    batch_pack_list_bones(p, rows);
    while (early + 1 < count && rows[early].left > 0)
        waiting += rows[early++].vertices;
    if (rows[early].left > 0)
        batch_pack_take(p, rows[early].single, UINT32_MAX);
    batch_pack_end(p);
    for (uint32_t i = early; i-- > 0; waiting -= rows[i].vertices) {
        const uint16_t bone = p->bone_names[rows[i].bone];
        batch_pack_begin(p);
        p->vertex_count = waiting;
        batch_pack_take(p, rows[i].single, UINT32_MAX);
        if (p->triangle_count == 0)
            continue;
        p->vertex_count -= waiting;
        p->cost += tl_batch_load_cost(p->vertex_count + rows[i].vertices, bone);
        p->cost -= tl_batch_load_cost(p->vertex_count, bone) + tl_batch_load_cost(rows[i].vertices, bone);
        p->preloads[p->batch_count] = last;
        batch_pack_end(p);
    }
}

/* --- all batches --- */

/* Large components are cut; their batches have room for small ones. */
static void batch_pack_fill_grown(batch_packer *p)
{
    for (uint32_t g = 0; g < p->grown.count; g++) {
        batch_pack_begin(p);
        p->seen_round++;
        for (uint32_t i = p->grown.first[g]; i < p->grown.first[g + 1]; i++)
            for (int c = 0; c < 3; c++) {
                const uint32_t vertex = p->large[p->grown.order[i]][c];
                if (p->seen[vertex] == p->seen_round)
                    continue;
                p->seen[vertex] = p->seen_round;
                p->in_batch[p->bone[vertex]] = p->number;
                p->vertex_count++;
                batch_pack_count(p, p->bone[vertex], 1);
            }
        p->triangle_count = p->grown.first[g + 1] - p->grown.first[g];
        batch_pack_take_joints(p);
        batch_pack_fill(p);
        batch_pack_end(p);
    }
}

/* The class with the most bones, then the most vertices left; none when all that is left has one bone. */
static uint32_t batch_pack_hardest(batch_packer *p)
{
    uint32_t best = batch_pack_none;
    uint64_t most = 0;
    for (uint32_t i = 0; i < p->open_count; i++) {
        const batch_bone_set *set = &p->sets[p->open[i]];
        if (set->size < 2)
            continue;
        const uint64_t worth = (uint64_t)set->size << 48 | batch_pack_vary(p, set->left);
        best = worth > most ? p->open[i] : best;
        most = worth > most ? worth : most;
    }
    return best;
}

/* The class with the most vertices left up to a number. */
static uint32_t batch_pack_largest(const batch_packer *p, uint32_t most)
{
    uint32_t best = batch_pack_none;
    for (uint32_t i = 0; i < p->open_count; i++)
        if (p->sets[p->open[i]].left > 0 && p->sets[p->open[i]].left <= most &&
            (best == batch_pack_none || p->sets[p->open[i]].left > p->sets[best].left))
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
    p->cost = 0;
    p->batch_count = p->run_count = p->first_run[0] = 0;
    batch_pack_open_classes(p);
    batch_pack_fill_grown(p);
    for (uint32_t joint = 0; p->open_count > 0 && p->work <= BATCH_PACK_WORK_MOST;) {
        joint = joint == batch_pack_none ? joint : batch_pack_hardest(p); /* when there is none, there will be none */
        batch_pack_begin(p);
        if (joint == batch_pack_none) {
            batch_pack_single_bones(p);
        } else {
            batch_pack_take(p, joint, UINT32_MAX);
            do
                batch_pack_take_joints(p);
            while (batch_pack_add_bone(p));
            if (!p->chained)
                batch_pack_fill(p);
        }
        if (p->chained && joint != batch_pack_none)
            batch_pack_end_chain(p);
        else
            batch_pack_end(p);
        p->work += p->open_count;
    }
    return p->open_count == 0;
}

/* Batches of a chain were made from its end, so all are written backwards then. */
static void batch_pack_write(const batch_packer *p, tl_batch_list *out)
{
    const uint32_t last = p->batch_count - 1;
    uint32_t at = 0;
    out->count = p->batch_count;
    for (uint32_t i = 0; i < p->batch_count; i++) {
        const uint32_t b = p->chained ? last - i : i;
        out->first[i] = at;
        if (p->chained)
            out->preloads[i] = last - p->preloads[b];
        const uint32_t *large = p->grown.order + (b < p->grown.count ? p->grown.first[b] : 0);
        const uint32_t large_count = b < p->grown.count ? p->grown.first[b + 1] - p->grown.first[b] : 0;
        for (uint32_t k = 0; k < large_count; k++)
            out->order[at++] = p->large_from[large[k]];
        for (uint32_t r = p->first_run[b]; r < p->first_run[b + 1]; r++) {
            const uint32_t first = p->runs[r].first, count = batch_pack_triangles_of(p, first, p->runs[r].count);
            memcpy(out->order + at, p->triangles + p->triangles_before[first], count * sizeof *out->order);
            at += count;
        }
    }
    out->first[out->count] = at;
}

/* True if a component needs several bones. Without one, all attempts with the same room give the same batches. */
static bool batch_pack_has_joints(const batch_packer *p)
{
    for (uint32_t s = 0; s < p->set_count; s++)
        if (p->sets[s].size > 1 && p->sets[s].vertices > 0)
            return true;
    return false;
}

static bool batch_pack_new(tl_arena *arena, batch_packer *p, tl_batch_list *out)
{
    const size_t most = (size_t)p->in->triangle_count + 1;
    *out = (tl_batch_list){.first = tl_array_raw(arena, most, sizeof *out->first),
                           .order = tl_array_raw(arena, p->in->triangle_count, sizeof *out->order)};
    if (p->chained) {
        p->preloads = tl_array_raw(arena, most, sizeof *p->preloads);
        out->preloads = tl_array_raw(arena, most, sizeof *out->preloads);
        if (!p->preloads || !out->preloads)
            return false;
    }
    return out->first && out->order && batch_pack_find_components(arena, p) && batch_pack_number_bones(arena, p) &&
           batch_pack_make_classes(arena, p) && batch_pack_sort_components(arena, p) &&
           batch_pack_make_groups(arena, p) && batch_pack_count_shares(arena, p) && batch_pack_list_large(arena, p);
}

/* The cheapest of all attempts. */
static bool batch_pack_best(tl_arena *arena, batch_packer *p, uint32_t tries, bool joints, tl_batch_list *out,
                            uint64_t *cost)
{
    *cost = UINT64_MAX;
    for (uint32_t room = TL_BATCH_SLOTS; p->set_count > 1 && room >= BATCH_PACK_ROOM_LEAST; room -= 2) {
        const tl_batch_growth growth = {room, room, BATCH_PACK_GROWTH_BONE};
        const uint64_t before = p->work;
        tl_batch_input large = *p->in;
        large.triangles = (const uint32_t(*)[3])p->large;
        large.triangle_count = p->large_count;
        if (!tl_batch_grow(arena, &large, &growth, &p->grown))
            return false;
        for (uint32_t seed = 0; seed < tries; seed++) {
            if (!batch_pack_run(p, room, seed))
                return true;
            if (p->cost < *cost) {
                *cost = p->cost;
                batch_pack_write(p, out);
            }
            const uint64_t others = (p->work - before) * (tries - 1); /* count as work even if they are left out */
            if (seed == 0 && !joints && p->work + others <= BATCH_PACK_WORK_MOST) {
                p->work += others;
                break;
            }
        }
    }
    return true;
}

bool tl_batch_pack(tl_arena *arena, const tl_batch_input *in, uint32_t tries, tl_batch_list *out, uint64_t *cost)
{
    batch_packer p = {.in = in};
    return batch_pack_new(arena, &p, out) && batch_pack_best(arena, &p, tries, batch_pack_has_joints(&p), out, cost);
}

bool tl_batch_pack_chains(tl_arena *arena, const tl_batch_input *in, uint32_t tries, tl_batch_list *out)
{
    batch_packer p = {.in = in, .chained = true};
    uint64_t cost;
    return batch_pack_new(arena, &p, out) &&
           (!batch_pack_has_joints(&p) || batch_pack_best(arena, &p, tries, true, out, &cost));
}
