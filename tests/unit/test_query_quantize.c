/* Boxes that became bytes contain what they were made from. */
#include "harness.h"
#include "query/query.h"
#include "support/query_brute.h"

enum { ROUNDS = 4000 };

/* Some lie far from 0 compared with their size, some have no size along an axis. */
static tl_box some_box(dice *d, float scale, float away)
{
    tl_box box = tl_box_empty();
    for (int corner = 0; corner < 2; corner++) {
        const trilo_vec3 p = dice_point(d, -1, 1);
        const float at[3] = {p.x * scale + away, p.y * scale, corner == 0 ? p.z * scale : box.at[2]};
        const tl_box one = {{at[0], at[1], at[2], at[0], at[1], at[2]}};
        tl_box_add(&box, &one);
    }
    return box;
}

static void check_inside(const tl_box *inner, const tl_box *outer)
{
    for (int k = 0; k < 3; k++) {
        CHECK(outer->at[k] <= inner->at[k]);
        CHECK(outer->at[k + 3] >= inner->at[k + 3]);
    }
}

static void check_close(const tl_query_node *node, const tl_box *inner, const tl_box *outer)
{
    for (int k = 0; k < 6; k++) {
        const double size = (double)node->box.at[k % 3 + 3] - node->box.at[k % 3];
        const double off = k < 3 ? (double)inner->at[k] - outer->at[k] : (double)outer->at[k] - inner->at[k];
        CHECK(off <= size / 250);
    }
}

TEST(boxes_contain_their_children)
{
    static const float scales[][2] = {{1, 0},           {1, 1e6f},    {1e-3f, 1e4f}, {1e-42f, 0}, {1e-30f, 0},
                                      {FLT_MAX / 4, 0}, {FLT_MAX, 0}, {0, 0},        {0, 7}};
    const size_t kinds = sizeof scales / sizeof *scales;
    dice d = {1};
    for (uint32_t i = 0; i < ROUNDS; i++) {
        const float *scale = scales[i % kinds];
        const uint32_t used = 1 + i % TL_QUERY_WIDTH;
        tl_box boxes[TL_QUERY_WIDTH];
        tl_query_node node;
        tl_query_boxes out;
        for (uint32_t k = 0; k < TL_QUERY_WIDTH; k++)
            boxes[k] = k < used ? some_box(&d, scale[0], scale[1]) : tl_box_empty();
        tl_query_set_boxes(&node, boxes);
        tl_query_child_boxes(&node, &out);
        for (uint32_t k = 0; k < used; k++) {
            const tl_box box = tl_query_box(&out, k);
            check_inside(&boxes[k], &node.box);
            check_inside(&boxes[k], &box);
            if (i % kinds == 0)
                check_close(&node, &boxes[k], &box);
        }
    }
}

TEST_MAIN(CASE(boxes_contain_their_children))
