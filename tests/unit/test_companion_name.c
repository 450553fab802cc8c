#include "base/companion_name.h"
#include "harness.h"

#include <string.h>

static const char *name_of(const char *model, const char *ending)
{
    static char name[TL_FILE_NAME_ROOM];
    tl_companion_name(model, ending, name);
    return name;
}

TEST(an_ending_replaces_the_extension)
{
    CHECK_STR(name_of("hero.t3dm", ".2.sdata"), "hero.2.sdata");
    CHECK_STR(name_of("hero.v2.gltf", ".bin"), "hero.v2.bin");
    CHECK_STR(name_of("hero", "-0.sprite"), "hero-0.sprite");
    CHECK_STR(name_of(".hidden", ".bin"), ".hidden.bin");
}

/* The longest name that needs no cut, and one byte more. */
TEST(a_long_stem_is_cut)
{
    char model[300], want[300];
    memset(model, 'x', sizeof model);
    strcpy(model + 255 - 8, ".t3dm"); /* and .0.sdata has 8 bytes, too */
    memset(want, 'x', sizeof want);
    strcpy(want + 255 - 8, ".0.sdata");
    CHECK_STR(name_of(model, ".0.sdata"), want);
    strcpy(model + 255 - 7, ".t3dm");
    model[255 - 8] = 'x';
    const char *name = name_of(model, ".0.sdata");
    CHECK_INT(strlen(name), 255);
    CHECK(memcmp(name, want, 255 - 8 - 9) == 0);
    CHECK_INT(name[255 - 8 - 9], '~');
    CHECK_INT(strspn(name + 255 - 8 - 8, "0123456789abcdef"), 8);
    CHECK_STR(name + 255 - 8, ".0.sdata");
}

TEST(models_whose_names_begin_alike_have_different_companions)
{
    char one[260], other[260], first[TL_FILE_NAME_ROOM];
    memset(one, 'x', sizeof one);
    strcpy(one + 250, ".t3dm");
    memcpy(other, one, sizeof other);
    other[249] = 'y';
    strcpy(first, name_of(one, ".0.sdata"));
    CHECK(strcmp(first, name_of(other, ".0.sdata")) != 0);
    CHECK_STR(name_of(one, ".0.sdata"), first);
}

/* U+00E9 in UTF-8 is C3 A9: no name ends between the two. */
TEST(characters_are_not_divided)
{
    for (size_t shift = 0; shift < 2; shift++) {
        char model[300] = "x";
        for (size_t i = shift; i + 2 < 252; i += 2)
            memcpy(model + i, "\xC3\xA9", 3);
        const char *name = name_of(model, ".0.sdata");
        CHECK(strlen(name) <= 255);
        CHECK_INT((unsigned char)strchr(name, '~')[-1], 0xA9);
    }
}

TEST_MAIN(CASE(an_ending_replaces_the_extension), CASE(a_long_stem_is_cut),
          CASE(models_whose_names_begin_alike_have_different_companions), CASE(characters_are_not_divided))
