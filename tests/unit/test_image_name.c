/* What the files of an image are called. */
#include "harness.h"
#include "model/image_name.h"

#include <string.h>

static const char *stem_of(const char *name, const char *model, uint32_t texture)
{
    static char stem[TRILO_IMAGE_STEM_ROOM];
    memset(stem, '#', sizeof stem);
    trilo_image_stem((trilo_str){name, strlen(name)}, model, texture, stem);
    return stem;
}

TEST(stems_of_their_own)
{
    static const char *const rows[][2] = {
        {"wall.png", "wall"},   {"wall.PNG", "wall"},  {"wall.Jpeg", "wall"},  {"wall.TGA", "wall"},
        {"wall.WebP", "wall"},  {"wall", "wall"},      {"wall.v2", "wall.v2"}, {"wall.ci4.png", "wall.ci4"},
        {"a/b.png", "b"},       {"a.png/b", "b"},      {"a\\b.jpg", "b"},      {"a/b\\c.png", "c"},
        {"wall.", "wall."},     {"w.png.", "w.png."},  {"wall.pn", "wall.pn"}, {"wall.pngs", "wall.pngs"},
        {"w.png.png", "w.png"}, {"old oak", "old oak"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const trilo_str own = tl_image_own_stem((trilo_str){rows[i][0], strlen(rows[i][0])});
        CHECK_STR(stem_of(rows[i][0], "hero.glb", 3), rows[i][1]);
        CHECK(own.len == strlen(rows[i][1]) && memcmp(own.data, rows[i][1], own.len) == 0);
    }
}

/* Text may hold a NUL, which no name of a file does. */
TEST(names_that_no_file_has)
{
    static const char *const rows[] = {"",    "a/",  ".png", ".a", "a/.b.png", "a?", "a*.png", "a<",
                                       "a>b", "a|b", "\"",   ":",  "c:d",      "\t", "\x7f",   "a\n.png"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        CHECK_STR(stem_of(rows[i], "hero.glb", 3), "hero-3");
        CHECK_INT(tl_image_own_stem((trilo_str){rows[i], strlen(rows[i])}).len, 0);
    }
    CHECK_INT(tl_image_own_stem((trilo_str){NULL, 0}).len, 0);
    CHECK_INT(tl_image_own_stem((trilo_str){"a\0b", 3}).len, 0);
    CHECK_INT(tl_image_own_stem((trilo_str){"a.png\0", 6}).len, 0);
}

TEST(stems_of_models)
{
    static const char *const rows[][2] = {{"hero.glb", "hero-0"},   {"a/b/hero.v2.glb", "hero.v2-0"},
                                          {"a\\hero", "hero-0"},    {".hidden.glb", "_hidden-0"},
                                          {"a?b:c.glb", "a_b_c-0"}, {NULL, "texture-0"},
                                          {"", "texture-0"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *stem = stem_of("", rows[i][0], 0);
        CHECK_STR(stem, rows[i][1]);
        CHECK_INT(tl_image_own_stem((trilo_str){stem, strlen(stem)}).len, strlen(stem)); /* a name of its own */
    }
    CHECK_STR(stem_of("", "hero.glb", TRILO_NONE), "hero-4294967295");
}

/* With the longest ending that sprites have, a stem is the name of a file: 255 bytes. */
TEST(long_stems)
{
    char name[400];
    memset(name, 'n', sizeof name);
    for (size_t length = 230; length < 260; length++) {
        strcpy(name + length, ".png");
        CHECK_INT(strlen(stem_of(name, "hero.glb", 12)), length <= 241 ? length : strlen("hero-12"));
        const char *stem = stem_of("", name, 12);
        CHECK_INT(strlen(stem), length + 3 < 241 ? length + 3 : 241);
        CHECK_STR(stem + strlen(stem) - 3, "-12");
        name[length] = 'n';
    }
    name[300] = '\0';
    CHECK(strchr(stem_of("", name, 1), '~') != NULL); /* a hash, as in names of companions */
}

TEST_MAIN(CASE(stems_of_their_own), CASE(names_that_no_file_has), CASE(stems_of_models), CASE(long_stems))
