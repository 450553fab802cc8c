/* Joints and weights that are written as glTF, at random, against a plain definition: no joint twice, no weight below
 * 0, a sum of 1. */
#include "harness.h"
#include "support/gltf_written.h"
#include "support/numbers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ATTRIBUTES "meshes/0/primitives/0/attributes/"

enum { BONES = 2 };

static uint32_t below(uint64_t *dice, uint32_t limit)
{
    return (uint32_t)(random_bits(dice) >> 32) % limit;
}

/* The weight of each joint, in the order in which they come; joint 2 is one that does not move. */
static uint32_t plain_influences(const uint16_t joints[4], const float weights[4], uint16_t to[4], float out[4])
{
    uint32_t count = 0, largest = 0;
    double total = 0, others = 0;
    memset(to, 0, 4 * sizeof *to);
    memset(out, 0, 4 * sizeof *out);
    for (int i = 0; i < 4; i++) {
        uint32_t at = 0;
        if (!(weights[i] > 0 && weights[i] < INFINITY))
            continue;
        while (at < count && to[at] != joints[i])
            at++;
        if (at == count)
            to[count++] = joints[i];
        out[at] = out[at] + weights[i];
    }
    if (count == 0) {
        to[0] = BONES;
        out[0] = 1;
        return 1;
    }
    for (uint32_t i = 0; i < count; i++) {
        total += (double)out[i];
        largest = out[i] > out[largest] ? i : largest;
    }
    if (fabs(total - 1) < 0.99e-7)
        return count;
    for (uint32_t i = 0; i < count; i++) {
        out[i] = (float)((double)out[i] / total);
        others += i == largest ? 0 : (double)out[i];
    }
    out[largest] = (float)(1 - others);
    return count;
}

static uint8_t joint_at(const written *w, uint32_t index)
{
    char path[64];
    snprintf(path, sizeof path, "accessors/%u/bufferView", (unsigned)written_number(w, ATTRIBUTES "JOINTS_0"));
    snprintf(path, sizeof path, "bufferViews/%u/byteOffset", (unsigned)written_number(w, path));
    return w->bin[(size_t)written_number(w, path) + index];
}

TEST(influences_at_random)
{
    static const float values[] = {0, 0.25f, 0.5f, 0.75f, 1, 0.1f, 0.3f, 1e-3f, 2, 1e-8f, -0.5f, INFINITY, NAN, 0};
    uint64_t dice = 23;
    for (uint32_t round = 0; round < test_rounds(5000, TEST_SLOW ? 60 : 300); round++) {
        leaf l;
        written w;
        leaf_fill(&l);
        leaf_use_skin(&l);
        for (uint32_t v = 0; v < LEAF_VERTICES; v++)
            for (uint32_t i = 0; i < 4; i++) {
                l.joints[v][i] = (uint16_t)below(&dice, BONES);
                l.weights[v][i] = values[below(&dice, round % 4 == 0 ? 3 : 14)];
            }
        write_gltf(&w, &l.model, NULL, NULL, false);
        if (!w.ok)
            FAIL("%s: %s", w.err.path, w.err.text);
        for (uint32_t v = 0; v < LEAF_VERTICES; v++) {
            uint16_t joints[4];
            float weights[4];
            plain_influences(l.joints[v], l.weights[v], joints, weights);
            for (uint32_t i = 0; i < 4; i++) {
                CHECK_INT(joint_at(&w, 4 * v + i), joints[i]);
                CHECK(written_float(&w, ATTRIBUTES "WEIGHTS_0", 4 * v + i) == weights[i]);
            }
        }
        written_free(&w);
    }
}

TEST_MAIN(CASE(influences_at_random))
