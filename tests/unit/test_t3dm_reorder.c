/* Objects of one material behind each other: who moves, who stays, and what the tree of boxes knows of it. */
#include "formats/t3dm/encode/encode.h"
#include "harness.h"
#include "support/t3dm_grove.h"

#include <string.h>

static grove g;

/* One object for each letter of `materials`; that of a capital letter is blended. */
static void plant(const char *materials)
{
    grove_start(&g);
    g.parts[0] = grove_part(&g, 0, 4, 2);
    char name[2] = {0}, path[] = "rom:/_.i8.sprite";
    for (uint32_t i = 0; materials[i]; i++) {
        const char *first = strchr(materials, materials[i]);
        uint32_t number = (uint32_t)(first - materials) < i ? g.objects[first - materials].head.material : TRILO_NONE;
        name[0] = path[5] = materials[i];
        if (number == TRILO_NONE) {
            number = grove_material(&g, name, path);
            g.materials[number].head.blender = materials[i] < 'a' ? 0x00500040u : 0;
        }
        g.objects[grove_object(&g, name, number, 0, 1)].head.user_values[0] = (uint8_t)i;
    }
}

static void count_finding(void *user, const trilo_finding *finding)
{
    ++*(int *)user;
    CHECK_STR(finding->rule, "T3DM-REORDERED");
}

/* `want`: the old number of each object. Answers how many findings were told. */
static int check_order(const char *materials, const char *want)
{
    int told = 0;
    plant(materials);
    tl_report report = {.fn = count_finding, .user = &told};
    CHECK(tl_t3dm_sort_materials(&g.file, &g.arena, &report));
    CHECK_INT(g.file.object_count, strlen(want));
    for (uint32_t i = 0; want[i]; i++)
        CHECK_INT(g.file.objects[i].head.user_values[0], want[i] - '0');
    grove_end(&g);
    return told;
}

TEST(one_material_comes_together)
{
    CHECK_INT(check_order("abab", "0213"), 1);
    CHECK_INT(check_order("abcabc", "031425"), 1);
}

TEST(what_is_together_stays)
{
    CHECK_INT(check_order("aabb", "0123"), 0);
    CHECK_INT(check_order("a", "0"), 0);
    CHECK_INT(check_order("", ""), 0);
}

/* Nothing passes a blended object, and those keep their order. */
TEST(blended_objects_are_walls)
{
    CHECK_INT(check_order("abAab", "01234"), 0);
    CHECK_INT(check_order("abaAba", "021345"), 1);
    CHECK_INT(check_order("ABAB", "0123"), 0);
}

TEST(the_tree_follows)
{
    static t3dm_bvh_node nodes[1];
    uint16_t items[] = {3, 0, 1, 2};
    int told = 0;
    plant("abab");
    g.file.has_bvh = true;
    g.file.bvh = (t3dm_bvh){.head = {1, 4}, .nodes = nodes, .items = items};
    tl_report report = {.fn = count_finding, .user = &told};
    CHECK(tl_t3dm_sort_materials(&g.file, &g.arena, &report));
    const uint16_t want[] = {3, 0, 2, 1}; /* old 1 stands at 2 now, old 2 at 1 */
    for (int i = 0; i < 4; i++)
        CHECK_INT(g.file.bvh.items[i], want[i]);
    grove_end(&g);
}

TEST_MAIN(CASE(one_material_comes_together), CASE(what_is_together_stays), CASE(blended_objects_are_walls),
          CASE(the_tree_follows))
