/* Trees and hits are the same bits with and without the vector extension. */
#include "harness.h"
#include "query/query.h"
#include "support/query_brute.h"
#include "support/query_plain.h"

#include <string.h>

enum { ROUNDS = 24, RAYS = 400, TRIANGLES = 90 };

static void check_same_tree(const trilo_query *a, const trilo_query *b)
{
    CHECK_INT(a->node_count, b->node_count);
    CHECK_INT(a->face_count, b->face_count);
    if (a->face_count == 0)
        return;
    CHECK(!memcmp(&a->box, &b->box, sizeof a->box));
    CHECK(!memcmp(a->nodes, b->nodes, a->node_count * sizeof *a->nodes));
    CHECK(!memcmp(a->faces, b->faces, a->face_count * sizeof *a->faces));
    CHECK(!memcmp(a->corners, b->corners, 9 * a->face_count * sizeof *a->corners));
}

static trilo_ray some_ray(dice *d)
{
    const trilo_vec3 to = dice_point(d, -6, 6), from = dice_point(d, -12, 12);
    trilo_ray ray = {.origin = from, .direction = {to.x - from.x, to.y - from.y, to.z - from.z}};
    if (dice_below(d, 4) == 0)
        ray.direction.x = 0;
    ray.front_only = dice_below(d, 3) == 0;
    ray.max_distance = dice_below(d, 5) == 0 ? 10 : 0;
    return ray;
}

TEST(vectors_change_no_bit)
{
    uint32_t hits = 0;
    for (uint32_t i = 0; i < ROUNDS; i++) {
        dice d = {i + 1};
        soup s;
        trilo_error err = {0};
        soup_make(&s, (soup_kind)(i % SOUP_KINDS), i < 6 ? i : TRIANGLES + i, &d);
        trilo_query *vectors = trilo_query_new(&s.model, NULL, NULL, &err),
                    *plain = plain_query_new(&s.model, NULL, NULL, &err);
        CHECK(vectors && plain);
        check_same_tree(vectors, plain);
        if (i % 3 == 0) {
            soup_shake(&s, (soup_kind)(i % SOUP_KINDS), &d);
            trilo_query_refit(vectors, s.points);
            plain_query_refit(plain, s.points);
            check_same_tree(vectors, plain);
        }
        for (int k = 0; k < RAYS; k++) {
            const trilo_ray ray = some_ray(&d);
            trilo_hit one, two;
            memset(&one, 0, sizeof one);
            memset(&two, 0, sizeof two);
            const bool hit = trilo_query_ray_cast(vectors, &ray, &one);
            CHECK(hit == plain_query_ray_cast(plain, &ray, &two));
            CHECK(trilo_query_any_hit(vectors, &ray) == plain_query_any_hit(plain, &ray) &&
                  (!hit || hit == trilo_query_any_hit(vectors, &ray)));
            CHECK(one.face.mesh == two.face.mesh && one.face.triangle == two.face.triangle && one.back == two.back);
            CHECK(!memcmp(&one.distance, &two.distance, sizeof one.distance));
            CHECK(!memcmp(&one.weights, &two.weights, sizeof one.weights));
            CHECK(!memcmp(&one.position, &two.position, sizeof one.position));
            hits += hit ? 1 : 0;
        }
        trilo_query_free(vectors);
        plain_query_free(plain);
        soup_free(&s);
    }
    CHECK(hits > 1000);
}

/* A power of two changes no digit, so the same triangle must be hit, however large or small everything is: also where
 * products of single precision overflow or vanish. */
TEST(any_scale_has_the_same_hits)
{
    static const float scales[] = {0x1p40f,  0x1p62f,  0x1p64f,  0x1p75f, 0x1p100f,
                                   0x1p-40f, 0x1p-56f, 0x1p-64f, 0x1p-75f};
    dice d = {1};
    soup s;
    trilo_error err = {0};
    trilo_hit want[RAYS], hit;
    bool found[RAYS];
    uint32_t hits = 0;
    soup_make(&s, SOUP_CLOUD, 4 * TRIANGLES, &d);
    trilo_query *query = trilo_query_new(&s.model, NULL, NULL, &err);
    CHECK(query);
    for (int k = 0; k < RAYS; k++) {
        const trilo_ray ray = some_ray(&d);
        found[k] = trilo_query_ray_cast(query, &ray, &want[k]);
        hits += found[k] ? 1 : 0;
    }
    trilo_query_free(query);
    CHECK(hits > 50);
    float last = 1;
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        const double by = (double)scales[i] / last;
        for (uint32_t v = 0; v < 9 * s.triangle_count; v++)
            s.positions[v / 3][v % 3] = (float)(s.positions[v / 3][v % 3] * by);
        last = scales[i];
        query = trilo_query_new(&s.model, NULL, NULL, &err);
        CHECK(query);
        d = (dice){1};
        soup again;
        soup_make(&again, SOUP_CLOUD, 4 * TRIANGLES, &d); /* for the same numbers */
        soup_free(&again);
        for (int k = 0; k < RAYS; k++) {
            trilo_ray ray = some_ray(&d);
            ray.origin = (trilo_vec3){ray.origin.x * last, ray.origin.y * last, ray.origin.z * last};
            ray.max_distance *= last;
            CHECK(trilo_query_ray_cast(query, &ray, &hit) == found[k]);
            CHECK(!found[k] || (hit.face.mesh == want[k].face.mesh && hit.face.triangle == want[k].face.triangle));
        }
        trilo_query_free(query);
    }
    soup_free(&s);
}

TEST_MAIN(CASE(vectors_change_no_bit), CASE(any_scale_has_the_same_hits))
