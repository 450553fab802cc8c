/* Trees for queries, starved of memory: always a clean refusal, or the same answers as with plenty. */
#include "harness.h"
#include "support/exercise.h"
#include "support/query_brute.h"

enum { MEGABYTE = 1 << 20, TRIANGLES = 3000 };

static const trilo_ray down = {.origin = {0.3f, 0.2f, 50}, .direction = {0, 0, -1}};

static bool count_up(void *user, uint32_t mesh)
{
    *(uint32_t *)user += mesh + 1;
    return true;
}

static void check_error(const trilo_error *err)
{
    CHECK(err->code == TRILO_CODE_NO_MEMORY && err->text[0] != '\0');
    CHECK_STR(err->rule, "FILE-MEMORY");
}

static bool try_query(const soup *s, meter *m, const trilo_memory *memory)
{
    trilo_error err = {0};
    trilo_query *query = trilo_query_new(&s->model, NULL, memory, &err);
    if (!query) {
        check_error(&err);
        return false;
    }
    trilo_faces list = {.room = 0};
    trilo_hit hit;
    CHECK(trilo_query_sphere(query, (trilo_vec3){0, 0, 0}, 100, trilo_faces_keep, &list));
    CHECK_INT(list.count, TRIANGLES);
    trilo_query_ray_cast(query, &down, &hit);
    trilo_query_free(query);
    CHECK_INT(m->now, 0);
    return true;
}

static bool try_mesh_tree(const soup *s, const trilo_memory *memory)
{
    trilo_error err = {0};
    trilo_mesh_tree *tree = trilo_mesh_tree_new(&s->model, memory, &err);
    if (!tree) {
        check_error(&err);
        return false;
    }
    uint32_t seen = 0;
    trilo_mesh_tree_frustum(tree, &(trilo_frustum){.plane_count = 0}, count_up, &seen);
    CHECK_INT(seen, 1 + 2 + 3 + 4);
    trilo_mesh_tree_free(tree);
    return true;
}

/* Both kinds of tree; false when one was refused. */
static bool try_all(const soup *s, meter *m, size_t limit)
{
    const trilo_memory memory = meter_memory(m, limit);
    const bool query = try_query(s, m, &memory), tree = try_mesh_tree(s, &memory);
    CHECK(m->peak <= limit);
    CHECK_INT(m->now, 0);
    return query && tree;
}

static void make_soup(soup *s)
{
    dice d = {1};
    soup_make(s, SOUP_CLOUD, TRIANGLES, &d);
}

TEST(every_allocation_denied)
{
    soup s;
    make_soup(&s);
    for (int persistent = 0; persistent < 2; persistent++)
        for (size_t n = 1;; n++) {
            meter m = {.fail_at = n, .fail_from_there = persistent};
            CHECK(n < 1000);
            if (try_all(&s, &m, 64 * MEGABYTE) && m.calls < n) {
                CHECK(n > 4);
                break;
            }
        }
    soup_free(&s);
}

TEST(every_memory_limit)
{
    soup s;
    make_soup(&s);
    size_t limit = 1;
    for (;; limit += limit / 8 + 64) {
        meter m = {0};
        CHECK(limit < 64 * MEGABYTE);
        if (try_all(&s, &m, limit))
            break;
    }
    CHECK(limit < 300 * TRIANGLES); /* as the header says: some 120 bytes a triangle, and as many twice on the way */
    soup_free(&s);
}

TEST_MAIN(CASE(every_allocation_denied), CASE(every_memory_limit))
