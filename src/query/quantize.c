/* Boxes as bytes. */
#include "base/strict_float.h"
#include "query/query.h"

/* As tl_query_child_boxes computes it: each result is rounded, also where registers have more bits. */
static float quantize_plane(float low, float step, int number)
{
    const float above = (float)number * step;
    const float plane = low + above;
    return plane;
}

/* The planes of a child's box along an axis. The first guess is off by rounding at most. */
static void quantize_planes(tl_query_node *node, uint32_t k, int axis, float min, float max)
{
    const float low = node->box.at[axis], step = node->step[axis];
    const float from = (min - low) / step, to = (max - low) / step;
    int first = from < 255 ? (int)from : 255, last = to < 255 ? (int)to : 255;
    while (first > 0 && quantize_plane(low, step, first) > min)
        first--;
    while (last < 255 && quantize_plane(low, step, last) < max)
        last++;
    node->planes[axis][k] = (uint8_t)first;
    node->planes[axis + 3][k] = (uint8_t)last;
}

void tl_query_set_boxes(tl_query_node *node, const tl_box boxes[TL_QUERY_WIDTH])
{
    node->box = tl_box_empty();
    for (uint32_t k = 0; k < TL_QUERY_WIDTH; k++)
        tl_box_add(&node->box, &boxes[k]);
    for (int axis = 0; axis < 3; axis++)
        node->step[axis] = tl_query_step(&node->box, axis);
    for (uint32_t k = 0; k < TL_QUERY_WIDTH; k++)
        for (int axis = 0; axis < 3; axis++) {
            const float min = boxes[k].at[axis], max = boxes[k].at[axis + 3];
            node->planes[axis][k] = 255, node->planes[axis + 3][k] = 0; /* of an empty one */
            if (min <= max)
                quantize_planes(node, k, axis, min, max);
        }
}
