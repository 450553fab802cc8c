/* The traversal for AVX2 has the hits of the one for every machine, also for odd rays and triangles. */
#include "base/avx2.h"
#include "harness.h"
#include "query/ray.h"
#include "support/query_brute.h"

#include <string.h>

enum { ROUNDS = 60, RAYS = 300, TRIANGLES = 150 };

#if TL_AVX2

/* Often along an axis or a plane, from whole coordinates, short, or far away. */
static trilo_ray odd_ray(dice *d)
{
    const trilo_vec3 to = dice_point(d, -6, 6);
    trilo_vec3 from = dice_point(d, -12, 12);
    if (dice_below(d, 3) == 0)
        from = (trilo_vec3){(float)(int)from.x, (float)(int)from.y, (float)(int)from.z};
    trilo_ray ray = {.origin = from, .direction = {to.x - from.x, to.y - from.y, to.z - from.z}};
    float *direction[3] = {&ray.direction.x, &ray.direction.y, &ray.direction.z};
    for (int k = 0; k < 3; k++)
        if (dice_below(d, 4) == 0)
            *direction[k] = dice_below(d, 2) == 0 ? 0 : -0.0f;
    if (dice_below(d, 8) == 0)
        *direction[dice_below(d, 3)] *= 0x1p-60f;
    if (dice_below(d, 16) == 0)
        ray.origin.x = dice_below(d, 2) == 0 ? 0x1p90f : -3e38f, ray.direction.x = -ray.origin.x;
    ray.front_only = dice_below(d, 3) == 0;
    ray.max_distance = dice_below(d, 5) == 0 ? 10 : 0;
    return ray;
}

static void check_same_hits(const trilo_query *query, dice *d, uint32_t *hits)
{
    for (int k = 0; k < RAYS; k++) {
        const trilo_ray ray = odd_ray(d);
        tl_ray r = {.any = false};
        if (!tl_ray_prepare(query, &ray, &r))
            continue;
        const tl_ray_hit none = {.distance = ray.max_distance > 0 ? ray.max_distance : INFINITY, .face = TRILO_NONE};
        tl_ray_hit one = none, two = none, any = none;
        tl_ray_traverse(query, &r, &one);
        tl_ray_traverse_avx2(query, &r, &two);
        CHECK(one.face == two.face && one.leaf == two.leaf && one.back == two.back);
        CHECK(!memcmp(&one.distance, &two.distance, sizeof one.distance));
        CHECK(!memcmp(one.weights, two.weights, sizeof one.weights));
        r.any = true;
        tl_ray_traverse_avx2(query, &r, &any);
        CHECK((any.face != TRILO_NONE) == (one.face != TRILO_NONE));
        *hits += one.face != TRILO_NONE ? 1 : 0;
    }
}

#endif

TEST(hits_are_those_of_the_general_traversal)
{
#if TL_AVX2
    uint32_t hits = 0;
    for (uint32_t i = 0; tl_has_avx2() && i < ROUNDS; i++) {
        dice d = {i + 1};
        const soup_kind kind = (soup_kind)(i % SOUP_KINDS);
        soup s;
        soup_make(&s, kind, i < 12 ? i : TRIANGLES * (1 + i % 4), &d);
        trilo_query *query = make_query(&s.model);
        check_same_hits(query, &d, &hits);
        soup_shake(&s, kind, &d);
        trilo_query_refit(query, s.points);
        check_same_hits(query, &d, &hits);
        trilo_query_free(query);
        soup_free(&s);
    }
    CHECK(!tl_has_avx2() || hits > 3000);
#endif
}

TEST_MAIN(CASE(hits_are_those_of_the_general_traversal))
