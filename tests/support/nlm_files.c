#include "support/nlm_files.h"

enum { LDOM = 0x4D4F444C };

static void put_header(buffer *out, uint32_t animated)
{
    buffer_u32(out, 2166136261u);
    buffer_u32(out, LDOM);
    buffer_u32(out, 2);
    buffer_u32(out, animated);
}

static void put_counts(buffer *out, uint32_t vertices, uint32_t indices)
{
    buffer_u32(out, vertices);
    buffer_u32(out, indices);
}

/* bones[i] < 0: unused */
static void put_vertex(buffer *out, float x, float y, const float color[3], const int bones[2], const float weights[2])
{
    const float shape[11] = {x, y, 0, color[0], color[1], color[2], 0, 0, 1, x + 0.5f, 0.5f - y};
    buffer_f32s(out, shape, 11);
    for (int i = 0; i < 4; i++)
        buffer_u32(out, (uint32_t)(i < 2 ? bones[i] : -1));
    for (int i = 0; i < 4; i++)
        buffer_f32(out, i < 2 ? weights[i] : 0);
}

static void put_indices(buffer *out, const uint32_t *indices, size_t count)
{
    for (size_t i = 0; i < count; i++)
        buffer_u32(out, indices[i]);
}

static const int no_bones[2] = {-1, -1};
static const float no_weights[2] = {0, 0};

void nlm_square(buffer *out)
{
    static const float box[6] = {-1, 2, 5, 3, 6, 5};
    static const float red[3] = {1, 0, 0}, grey[3] = {0.25f, 0.5f, 0.75f};
    put_header(out, 0);
    buffer_f32s(out, box, 6);
    buffer_u32(out, 1);
    put_counts(out, 4, 6);
    put_vertex(out, -0.5f, -0.5f, red, no_bones, no_weights);
    put_vertex(out, 0.5f, -0.5f, red, no_bones, no_weights);
    put_vertex(out, 0.5f, 0.5f, grey, no_bones, no_weights);
    put_vertex(out, -0.5f, 0.5f, grey, no_bones, no_weights);
    put_indices(out, (const uint32_t[]){0, 1, 2, 0, 2, 3}, 6);
    buffer_u32(out, 0);
}

static void put_matrix(buffer *out, float x, float y, float z)
{
    const float matrix[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1};
    buffer_f32s(out, matrix, 16);
}

static void put_bone(buffer *out, uint32_t node, float y, uint32_t index)
{
    buffer_u32(out, node);
    put_matrix(out, 0, y, 0);
    buffer_u32(out, index);
}

static void put_track_head(buffer *out, uint32_t node, uint32_t bone, uint32_t positions, uint32_t rotations)
{
    buffer_u32(out, node);
    buffer_u32(out, bone);
    buffer_u32(out, positions);
    buffer_u32(out, rotations);
    buffer_u32(out, 1);
}

static void put_tracks(buffer *out)
{
    static const float move[8] = {0, 0, 0, 0, 20, 4, 0, 0}; /* time, x, y, z */
    static const float still[5] = {0, 0, 0, 0, 1};          /* time, x, y, z, w */
    static const float unit[4] = {0, 1, 1, 1};
    static const float above[4] = {0, 0, 1, 0};
    static const float turn[10] = {0, 0, 0, 0, 1, 20, 0, 0, 0.70710678f, 0.70710678f};
    buffer_u32(out, 2);
    put_track_head(out, 3, 0, 2, 1);
    buffer_f32s(out, move, 8);
    buffer_f32s(out, still, 5);
    buffer_f32s(out, unit, 4);
    put_track_head(out, 5, 1, 1, 2);
    buffer_f32s(out, above, 4);
    buffer_f32s(out, turn, 10);
    buffer_f32s(out, unit, 4);
}

void nlm_stick(buffer *out)
{
    static const float box[6] = {0, 0, 0, 1, 2, 0}, white[3] = {1, 1, 1};
    static const int low[2] = {0, -1}, both[2] = {0, 1}, high[2] = {1, -1};
    static const float all[2] = {1, 0}, half[2] = {0.5f, 0.5f};
    put_header(out, 1);
    buffer_f32s(out, box, 6);
    buffer_u32(out, 1);
    put_counts(out, 4, 6);
    put_vertex(out, 0, 0, white, low, all);
    put_vertex(out, 1, 1, white, both, half);
    put_vertex(out, 0, 1, white, both, half);
    put_vertex(out, 0, 2, white, high, all);
    put_indices(out, (const uint32_t[]){0, 1, 2, 2, 1, 3}, 6);
    buffer_u32(out, 0);

    buffer_f32(out, 20); /* ticks */
    buffer_u32(out, 10); /* a second */
    buffer_u32(out, 2);
    put_bone(out, 3, 0, 0);
    put_bone(out, 5, -1, 1);
    put_tracks(out);
    buffer_u32(out, 3);
    buffer_u32(out, 5), put_matrix(out, 0, 1, 0), buffer_u32(out, 0);
    buffer_u32(out, 3), put_matrix(out, 0, 0, 0), buffer_u32(out, 1), buffer_u32(out, 5);
    buffer_u32(out, 7), put_matrix(out, 0, 0, 10), buffer_u32(out, 1), buffer_u32(out, 3);
}

void nlm_line12(buffer *out)
{
    static const float box[6] = {0, 0, 0, 0, 1, 0}, white[3] = {1, 1, 1};
    buffer_u32(out, LDOM);
    buffer_u32(out, 2);
    buffer_u32(out, 0);
    buffer_f32s(out, box, 6);
    buffer_u32(out, 1);
    put_counts(out, 2, 2);
    put_vertex(out, 0, -0.5f, white, no_bones, no_weights);
    put_vertex(out, 0, 0.5f, white, no_bones, no_weights);
    put_indices(out, (const uint32_t[]){0, 1}, 2);
    buffer_u32(out, 0);
}
