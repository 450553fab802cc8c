/* Better groups by trial: triangles move from group to group as long as that pays.
 *
 * Simulated annealing. A step moves one triangle to a group that has a vertex of it already, or a small piece that
 * hangs together to any group with room. What it changes is estimated in bytes that the console fetches: loads,
 * vertices by pairs, matrices of bones; a group beyond the size at which its strip still has room costs a little, and a
 * small one costs less than a whole, so that it may dissolve. Steps that cost are taken ever more rarely. Effort is
 * counted in steps, and chance comes from a counter: the same input gives the same groups everywhere.
 */
#include "optimize/t3d_batch_steps.h"

#include <string.h>

enum {
    DRAW_COST = 2 * TL_COST_BYTE * (TL_RSP_DRAW_BYTES + TL_COMMAND_WORTH), /* a strip and a sequence */
    SMALL = 24,                    /* a group with fewer vertices costs only a part of that */
    INDICES_IN_16 = 19,            /* a strip has for 16 triangles, */
    INDICES_IN_SLOT = 18,          /* and how many of them find room in a slot */
    TIGHT_COST = 7 * TL_COST_BYTE, /* of each slot that its strip lacks, */
    TIGHT_MOST = 4,                /* up to the cost of another strip */
    PIECE_VERTICES = 32,           /* the most in a piece that moves as a whole */
    PIECE_TRIANGLES = 64,
    PIECES_EVERY = 8, /* steps */
    BONES_EVERY = 64,
    BONE_TIMES = 4,       /* as often a triangle counts when there are bones, since each load is dear then, */
    BONE_MOST = 2000,     /* up to so many triangles */
    BONES_TABLE = 1 << 24 /* groups * bones: what the search takes on */
};

static const uint32_t nothing = UINT32_MAX;

/* How often a group uses a vertex. */
typedef struct use {
    uint32_t group, count;
} use;

typedef struct search {
    const tl_batch_input *in;
    bool resident;
    uint32_t group_count, bone_count, chance;
    uint32_t *group;                 /* of each triangle */
    uint32_t *vertices, *triangles;  /* of each group: how many */
    uint32_t *first_use, *use_count; /* of each vertex in `uses` */
    use *uses;
    uint32_t *first_around, *around; /* triangles around each vertex */
    uint32_t *loaded;                /* of each group: vertices that are not resident from the group before */
    uint8_t *bone_loaded;            /* the same of each group and bone */
    uint32_t *bone;                  /* of each vertex, numbered */
    uint16_t *bones;                 /* of each number */
    uint64_t temperature;
    /* The piece that is moved. */
    uint32_t piece[PIECE_TRIANGLES], piece_count;
    uint32_t *seen, seen_round; /* of each vertex */
} search;

/* --- counts --- */

static use *find_use(const search *s, uint32_t vertex, uint32_t group)
{
    use *uses = s->uses + s->first_use[vertex];
    for (uint32_t i = 0; i < s->use_count[vertex]; i++)
        if (uses[i].group == group)
            return &uses[i];
    return NULL;
}

static void count_loaded(search *s, uint32_t vertex, uint32_t group, int change)
{
    s->loaded[group] += (uint32_t)change;
    if (s->bone_count > 0) {
        uint8_t *count = &s->bone_loaded[(size_t)group * s->bone_count + s->bone[vertex]];
        *count = (uint8_t)(*count + change);
    }
}

/* A vertex enters a group (change 1) or leaves it (-1). With residency it is loaded only where the group before does
 * not have it. */
static void count_vertex(search *s, uint32_t vertex, uint32_t group, int change)
{
    s->vertices[group] += (uint32_t)change;
    if (!s->resident || group == 0 || !find_use(s, vertex, group - 1))
        count_loaded(s, vertex, group, change);
    if (s->resident && group + 1 < s->group_count && find_use(s, vertex, group + 1))
        count_loaded(s, vertex, group + 1, -change);
}

static void add_use(search *s, uint32_t vertex, uint32_t group)
{
    use *found = find_use(s, vertex, group);
    if (found) {
        found->count++;
        return;
    }
    s->uses[s->first_use[vertex] + s->use_count[vertex]++] = (use){group, 1};
    count_vertex(s, vertex, group, 1);
}

static void remove_use(search *s, uint32_t vertex, uint32_t group)
{
    use *found = find_use(s, vertex, group);
    if (--found->count > 0)
        return;
    *found = s->uses[s->first_use[vertex] + --s->use_count[vertex]];
    count_vertex(s, vertex, group, -1);
}

static void enter(search *s, uint32_t triangle, uint32_t group)
{
    const uint32_t *t = s->in->triangles[triangle];
    for (uint32_t c = 0; c < 3; c++)
        if (tl_first_mention(t, c))
            add_use(s, t[c], group);
    s->group[triangle] = group;
    s->triangles[group]++;
}

static void leave(search *s, uint32_t triangle)
{
    const uint32_t *t = s->in->triangles[triangle], group = s->group[triangle];
    for (uint32_t c = 0; c < 3; c++)
        if (tl_first_mention(t, c))
            remove_use(s, t[c], group);
    s->triangles[group]--;
}

/* --- costs --- */

/* The strip of a group needs room above its vertices. */
static int64_t size_cost(uint32_t vertices, uint32_t triangles)
{
    const uint32_t part = vertices < SMALL ? vertices : SMALL;
    const uint32_t end = vertices + (triangles * INDICES_IN_16 + 16 * INDICES_IN_SLOT - 16) / (16 * INDICES_IN_SLOT);
    const uint32_t over = end > TL_PACK_SLOTS ? end - TL_PACK_SLOTS : 0;
    return (int64_t)DRAW_COST * part / SMALL + (int64_t)TIGHT_COST * (over < TIGHT_MOST ? over : TIGHT_MOST);
}

static int64_t group_cost(const search *s, uint32_t group)
{
    int64_t cost = size_cost(s->vertices[group], s->triangles[group]);
    if (s->bone_count == 0)
        return cost + tl_batch_load_cost(s->loaded[group], TL_PACK_NO_BONE);
    const uint8_t *loaded = s->bone_loaded + (size_t)group * s->bone_count;
    for (uint32_t b = 0; b < s->bone_count; b++)
        cost += tl_batch_load_cost(loaded[b], s->bones[b]);
    return cost;
}

/* Of two groups, and with residency of those behind them, which may lose residents. */
static int64_t pair_cost(const search *s, uint32_t a, uint32_t b)
{
    int64_t cost = group_cost(s, a) + group_cost(s, b);
    if (!s->resident)
        return cost;
    if (a + 1 < s->group_count && a + 1 != b)
        cost += group_cost(s, a + 1);
    if (b + 1 < s->group_count && b + 1 != a)
        cost += group_cost(s, b + 1);
    return cost;
}

/* --- chance --- */

/* 256 times the logarithm to base 2 of one over a number between 0 and 1 by chance. */
static uint32_t patience(search *s)
{
    const uint32_t number = tl_batch_random(&s->chance) | 1; /* 24 bits */
    uint32_t high = 23;
    while ((number >> high & 1) == 0)
        high--;
    const uint32_t fraction = (number << (24 - high) & 0xFFFFFF) >> 16;
    return (24 - high) * 256 - fraction;
}

static bool accepts(search *s, int64_t change)
{
    return change <= 0 || (uint64_t)change * 256 < s->temperature * patience(s);
}

/* --- one triangle --- */

static uint32_t neighbour_group(search *s, uint32_t triangle)
{
    const uint32_t vertex = s->in->triangles[triangle][tl_batch_random(&s->chance) % 3];
    const uint32_t count = s->use_count[vertex];
    if (count < 2)
        return nothing;
    const uint32_t group = s->uses[s->first_use[vertex] + tl_batch_random(&s->chance) % count].group;
    return group == s->group[triangle] ? nothing : group;
}

static bool has_room(const search *s, uint32_t group)
{
    return s->vertices[group] <= TL_PACK_SLOTS && s->triangles[group] <= TL_GROUP_TRIANGLES;
}

static int64_t plain_cost(uint32_t vertices, uint32_t triangles)
{
    return size_cost(vertices, triangles) + tl_batch_load_cost(vertices, TL_PACK_NO_BONE);
}

static int64_t plain_change(const search *s, uint32_t triangle, uint32_t to, bool *fits)
{
    const uint32_t *t = s->in->triangles[triangle], from = s->group[triangle];
    uint32_t out = 0, in = 0;
    for (uint32_t c = 0; c < 3; c++) {
        if (!tl_first_mention(t, c))
            continue;
        out += find_use(s, t[c], from)->count == 1 ? 1 : 0;
        in += find_use(s, t[c], to) ? 0 : 1;
    }
    const uint32_t a = s->vertices[from], b = s->vertices[to];
    *fits = b + in <= TL_PACK_SLOTS && s->triangles[to] < TL_GROUP_TRIANGLES;
    return plain_cost(a - out, s->triangles[from] - 1) - plain_cost(a, s->triangles[from]) +
           plain_cost(b + in, s->triangles[to] + 1) - plain_cost(b, s->triangles[to]);
}

static void move(search *s, uint32_t triangle, uint32_t to)
{
    leave(s, triangle);
    enter(s, triangle, to);
}

/* With bones or residents the change is found by doing it. */
static void try_moving(search *s, uint32_t triangle, uint32_t to)
{
    const uint32_t from = s->group[triangle];
    const int64_t before = pair_cost(s, from, to);
    move(s, triangle, to);
    if (!has_room(s, to) || !accepts(s, pair_cost(s, from, to) - before))
        move(s, triangle, from);
}

static void try_triangle(search *s)
{
    const uint32_t triangle = tl_batch_random(&s->chance) % s->in->triangle_count;
    const uint32_t to = neighbour_group(s, triangle);
    if (to == nothing)
        return;
    if (s->bone_count > 0 || s->resident) {
        try_moving(s, triangle, to);
        return;
    }
    bool fits;
    const int64_t change = plain_change(s, triangle, to, &fits);
    if (fits && accepts(s, change))
        move(s, triangle, to);
}

/* --- a piece --- */

/* Everything in the group that hangs together with a triangle; false when that is too much. */
static bool gather_piece(search *s, uint32_t start)
{
    const uint32_t group = s->group[start];
    uint32_t reached[PIECE_VERTICES + 3], count = 0;
    s->seen_round++;
    s->piece_count = 0;
    for (uint32_t c = 0; c < 3; c++)
        if (tl_first_mention(s->in->triangles[start], c)) {
            s->seen[s->in->triangles[start][c]] = s->seen_round;
            reached[count++] = s->in->triangles[start][c];
        }
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = s->first_around[reached[i]]; k < s->first_around[reached[i] + 1]; k++) {
            const uint32_t *t = s->in->triangles[s->around[k]];
            if (s->group[s->around[k]] != group)
                continue;
            for (uint32_t c = 0; c < 3; c++)
                if (s->seen[t[c]] != s->seen_round) {
                    if (count == PIECE_VERTICES)
                        return false;
                    s->seen[t[c]] = s->seen_round;
                    reached[count++] = t[c];
                }
            const uint32_t first = t[0] < t[1] ? (t[0] < t[2] ? t[0] : t[2]) : t[1] < t[2] ? t[1] : t[2];
            if (first != reached[i])
                continue; /* each is taken at its first vertex */
            if (s->piece_count == PIECE_TRIANGLES)
                return false;
            s->piece[s->piece_count++] = s->around[k];
        }
    return true;
}

static void try_moving_piece(search *s, uint32_t from, uint32_t to)
{
    const int64_t before = pair_cost(s, from, to);
    for (uint32_t i = 0; i < s->piece_count; i++)
        move(s, s->piece[i], to);
    if (has_room(s, to) && accepts(s, pair_cost(s, from, to) - before))
        return;
    for (uint32_t i = 0; i < s->piece_count; i++)
        move(s, s->piece[i], from);
}

static void try_piece(search *s)
{
    const uint32_t triangle = tl_batch_random(&s->chance) % s->in->triangle_count;
    const uint32_t from = s->group[triangle], to = tl_batch_random(&s->chance) % s->group_count;
    if (from != to && s->vertices[to] < TL_PACK_SLOTS && gather_piece(s, triangle))
        try_moving_piece(s, from, to);
}

static bool has_bone(const search *s, uint32_t triangle, uint32_t bone)
{
    const uint32_t *t = s->in->triangles[triangle];
    return s->bone[t[0]] == bone || s->bone[t[1]] == bone || s->bone[t[2]] == bone;
}

/* All triangles of a group that need a certain bone, to a group beside it. */
static void try_bone(search *s)
{
    const uint32_t triangle = tl_batch_random(&s->chance) % s->in->triangle_count;
    const uint32_t bone = s->bone[s->in->triangles[triangle][tl_batch_random(&s->chance) % 3]];
    const uint32_t from = s->group[triangle], other = tl_batch_random(&s->chance) % s->in->triangle_count;
    const uint32_t to = s->group[other];
    if (from == to || !has_bone(s, other, bone))
        return;
    s->piece_count = 0;
    for (uint32_t t = 0; t < s->in->triangle_count; t++) {
        if (s->group[t] != from || !has_bone(s, t, bone))
            continue;
        if (s->piece_count == PIECE_TRIANGLES)
            return;
        s->piece[s->piece_count++] = t;
    }
    try_moving_piece(s, from, to);
}

/* --- all of it --- */

static void find_around(search *s)
{
    const tl_batch_input *in = s->in;
    memset(s->first_around, 0, (in->vertex_count + 1) * sizeof *s->first_around);
    for (uint32_t t = 0; t < in->triangle_count; t++)
        for (uint32_t c = 0; c < 3; c++)
            if (tl_first_mention(in->triangles[t], c))
                s->first_around[in->triangles[t][c] + 1]++;
    for (uint32_t v = 0; v < in->vertex_count; v++)
        s->first_around[v + 1] += s->first_around[v];
    memcpy(s->first_use, s->first_around, in->vertex_count * sizeof *s->first_use);
    for (uint32_t t = 0; t < in->triangle_count; t++)
        for (uint32_t c = 0; c < 3; c++)
            if (tl_first_mention(in->triangles[t], c))
                s->around[s->first_use[in->triangles[t][c]]++] = t;
    memcpy(s->first_use, s->first_around, in->vertex_count * sizeof *s->first_use);
}

/* A mesh without bones is told by bone_count 0. */
static bool number_bones(tl_arena *arena, search *s)
{
    const tl_batch_input *in = s->in;
    if (!in->bones)
        return true;
    uint32_t *numbers = TL_ARRAY(arena, TL_PACK_NO_BONE + 1, uint32_t);
    s->bone = tl_array_raw(arena, in->vertex_count, sizeof *s->bone);
    s->bones = tl_array_raw(arena, in->vertex_count, sizeof *s->bones);
    if (!numbers || !s->bone || !s->bones)
        return false;
    for (uint32_t v = 0; v < in->vertex_count; v++) {
        uint32_t *number = &numbers[in->bones[v]];
        if (*number == 0) {
            s->bones[s->bone_count] = in->bones[v];
            *number = ++s->bone_count;
        }
        s->bone[v] = *number - 1;
    }
    return true;
}

static bool start(tl_arena *arena, search *s, const tl_groups *groups)
{
    const size_t vertices = s->in->vertex_count, triangles = s->in->triangle_count;
    if (!number_bones(arena, s))
        return false;
    s->group_count = groups->count + 1; /* one that is empty: pieces may found a new group */
    if ((uint64_t)s->group_count * s->bone_count > BONES_TABLE)
        s->group_count = 0;
    s->group = tl_array_raw(arena, triangles, sizeof *s->group);
    s->vertices = TL_ARRAY(arena, s->group_count, uint32_t);
    s->triangles = TL_ARRAY(arena, s->group_count, uint32_t);
    s->first_use = tl_array_raw(arena, vertices, sizeof *s->first_use);
    s->use_count = TL_ARRAY(arena, vertices, uint32_t);
    s->uses = tl_array_raw(arena, triangles, 3 * sizeof *s->uses);
    s->first_around = tl_array_raw(arena, vertices + 1, sizeof *s->first_around);
    s->around = tl_array_raw(arena, triangles, 3 * sizeof *s->around);
    s->seen = TL_ARRAY(arena, vertices, uint32_t);
    s->loaded = TL_ARRAY(arena, s->group_count, uint32_t);
    s->bone_loaded = TL_ARRAY(arena, (size_t)s->group_count * s->bone_count + 1, uint8_t);
    if (!s->group || !s->vertices || !s->triangles || !s->first_use || !s->use_count || !s->uses || !s->first_around ||
        !s->around || !s->seen || !s->loaded || !s->bone_loaded)
        return false;
    find_around(s);
    for (uint32_t g = 0; g < groups->count && s->group_count > 0; g++)
        for (uint32_t i = groups->first[g]; i < groups->first[g + 1]; i++)
            enter(s, groups->order[i], g);
    return true;
}

/* The triangles of each group together, empty groups left out. */
static void put_groups(const search *s, tl_groups *groups)
{
    uint32_t at = 0;
    groups->count = 0;
    for (uint32_t g = 0; g < s->group_count; g++) {
        if (s->triangles[g] == 0)
            continue;
        groups->first[groups->count++] = at;
        at += s->triangles[g];
        s->vertices[g] = groups->first[groups->count - 1];
    }
    groups->first[groups->count] = at;
    for (uint32_t t = 0; t < s->in->triangle_count; t++)
        groups->order[s->vertices[s->group[t]]++] = t;
}

static void step(search *s, uint64_t number)
{
    if (number % PIECES_EVERY == 0)
        try_piece(s);
    else if (s->bone_count > 0 && number % (BONES_EVERY + s->in->triangle_count / 32) == 1) /* looks at all triangles */
        try_bone(s);
    else
        try_triangle(s);
}

static uint32_t counted_triangles(const search *s)
{
    const uint32_t count = s->in->triangle_count;
    if (s->bone_count == 0 || count >= BONE_MOST)
        return count;
    return count < BONE_MOST / BONE_TIMES ? BONE_TIMES * count : BONE_MOST;
}

bool tl_batch_search_groups(tl_arena *arena, const tl_batch_input *in, bool resident, const tl_effort *effort,
                            tl_groups *groups)
{
    search s = {.in = in, .resident = resident, .chance = 1};
    if (groups->count < 2)
        return true;
    if (!start(arena, &s, groups))
        return false;
    if (s.group_count == 0)
        return true;
    const uint64_t steps = (uint64_t)effort->steps * counted_triangles(&s) / effort->stages;
    for (uint32_t stage = 0; stage < effort->stages; stage++) {
        const uint64_t left = effort->stages - 1 - stage, all = (uint64_t)effort->stages * effort->stages;
        s.temperature = (uint64_t)TL_COST_BYTE * effort->heat * left * left / all;
        for (uint64_t number = 0; number < steps; number++)
            step(&s, number);
    }
    put_groups(&s, groups);
    return true;
}
