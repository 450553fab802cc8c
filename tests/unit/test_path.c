#include "base/path.h"
#include "harness.h"

#include <string.h>

static void check_text(const tl_path *path, const char *want)
{
    char out[200];
    tl_path_format(path, out, sizeof out);
    CHECK_STR(out, want);
}

TEST(steps_are_joined)
{
    tl_path path = {0};
    check_text(&path, "");
    tl_path_push(&path, "meshes", 3);
    check_text(&path, "meshes[3]");
    tl_path_push(&path, "vertices", 17);
    check_text(&path, "meshes[3].vertices[17]");
    tl_path_push(&path, "uv", TL_NO_INDEX);
    check_text(&path, "meshes[3].vertices[17].uv");
    tl_path_pop(&path);
    tl_path_pop(&path);
    tl_path_push(&path, "head", TL_NO_INDEX);
    tl_path_push(&path, "counts", 0);
    check_text(&path, "meshes[3].head.counts[0]");
    tl_path_pop(&path);
    tl_path_pop(&path);
    tl_path_pop(&path);
    check_text(&path, "");
}

TEST(short_names)
{
    tl_path path = {0};
    tl_path_push(&path, "a", TL_NO_INDEX);
    tl_path_push(&path, "b", TL_NO_INDEX);
    tl_path_push(&path, "c", 0);
    check_text(&path, "a.b.c[0]");
}

TEST(the_largest_index)
{
    tl_path path = {0};
    tl_path_push(&path, "a", UINT64_MAX - 1);
    check_text(&path, "a[18446744073709551614]");
}

/* Each room holds the longest beginning that fits, ends with a NUL, and nothing behind it is touched. */
TEST(text_is_cut_where_the_room_ends)
{
    static const char full[] = "meshes[3].vertices[1234567890].weights";
    tl_path path = {0};
    tl_path_push(&path, "meshes", 3);
    tl_path_push(&path, "vertices", 1234567890);
    tl_path_push(&path, "weights", TL_NO_INDEX);
    for (size_t room = 1; room < sizeof full + 3; room++) {
        char out[64], want[64];
        memset(out, '#', sizeof out);
        tl_path_format(&path, out, room);
        strcpy(want, full);
        want[room - 1 < strlen(full) ? room - 1 : strlen(full)] = '\0';
        CHECK_STR(out, want);
        for (size_t i = room; i < sizeof out; i++)
            CHECK_INT(out[i], '#');
    }
}

/* Steps below the eighth are counted but not kept, so that pushes and pops still pair up. */
TEST(deep_paths_show_their_beginning)
{
    tl_path path = {0};
    for (uint64_t i = 0; i < 20; i++)
        tl_path_push(&path, "s", i);
    check_text(&path, "s[0].s[1].s[2].s[3].s[4].s[5].s[6].s[7]");
    for (int i = 0; i < 12; i++)
        tl_path_pop(&path);
    check_text(&path, "s[0].s[1].s[2].s[3].s[4].s[5].s[6].s[7]");
    tl_path_pop(&path);
    check_text(&path, "s[0].s[1].s[2].s[3].s[4].s[5].s[6]");
    tl_path_push(&path, "last", TL_NO_INDEX);
    check_text(&path, "s[0].s[1].s[2].s[3].s[4].s[5].s[6].last");
    for (int i = 0; i < 8; i++)
        tl_path_pop(&path);
    check_text(&path, "");
}

TEST_MAIN(CASE(steps_are_joined), CASE(short_names), CASE(the_largest_index), CASE(text_is_cut_where_the_room_ends),
          CASE(deep_paths_show_their_beginning))
