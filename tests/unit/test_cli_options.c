/* One name, one meaning: the option table of the program, over all commands. */
#include "harness.h"

#include "usage/options.h"

#include <stdio.h>
#include <string.h>

/* Names that are described by several rows, because commands differ in the default or in what there is to say. A person
 * has read the rows of each and found one meaning. */
static const char *const same_meaning[] = {"strict", "ansi", "limit", "smooth",   "clip",        "fps",
                                           "output", "size", "level", "compress", "no-material", "dry-run"};

/* mksprite has the options of libdragon's tool, whatever they mean elsewhere. */
static unsigned own_places(const cli_option *option)
{
    return option->places & ON_COMMANDS & ~(unsigned)ON_MKSPRITE;
}

static bool is_listed(const char *name)
{
    for (size_t i = 0; i < sizeof same_meaning / sizeof *same_meaning; i++)
        if (strcmp(same_meaning[i], name) == 0)
            return true;
    return false;
}

/* What is wrong with two rows of one name; "" if nothing is. */
static const char *conflict(const cli_option *a, const cli_option *b)
{
    return a->id != b->id                                         ? "two options"
           : !a->argument != !b->argument                         ? "a switch, and an option with a value"
           : a->choices != b->choices                             ? "different values"
           : a->letter && b->letter && a->letter != b->letter     ? "different letters"
           : (a->places & b->places & ON_COMMANDS) != 0           ? "twice in one command"
           : strcmp(a->help, b->help) != 0 && !is_listed(a->name) ? "two descriptions: are they one meaning?"
                                                                  : "";
}

TEST(a_name_has_one_meaning)
{
    const cli_option *a, *b;
    for (size_t i = 0; (a = option_at(i)); i++)
        for (size_t j = 0; j < i && (b = option_at(j)); j++) {
            if (!own_places(a) || !own_places(b) || strcmp(a->name, b->name) != 0)
                continue;
            char got[128], want[64];
            snprintf(got, sizeof got, "--%s: %s", a->name, conflict(a, b));
            snprintf(want, sizeof want, "--%s: ", a->name);
            CHECK_STR(got, want);
        }
}

TEST(the_list_of_the_test_is_needed)
{
    for (size_t i = 0; i < sizeof same_meaning / sizeof *same_meaning; i++) {
        size_t rows = 0;
        const cli_option *option;
        for (size_t k = 0; (option = option_at(k)); k++)
            rows += own_places(option) && strcmp(option->name, same_meaning[i]) == 0;
        CHECK_STR(rows > 1 ? "" : same_meaning[i], "");
    }
}

TEST(an_option_has_one_name)
{
    const cli_option *a, *b;
    for (size_t i = 0; (a = option_at(i)); i++)
        for (size_t j = 0; j < i && (b = option_at(j)); j++)
            if (own_places(a) && own_places(b) && a->id == b->id)
                CHECK_STR(a->name, b->name);
}

TEST(a_letter_has_one_meaning)
{
    const cli_option *a, *b;
    for (size_t i = 0; (a = option_at(i)); i++)
        for (size_t j = 0; j < i && (b = option_at(j)); j++)
            if (a->letter && a->letter == b->letter && own_places(a) && own_places(b))
                CHECK_STR(a->name, b->name);
}

/* Another spelling leads to its option in each of its places, and hides no name. */
TEST(other_spellings_are_unambiguous)
{
    const cli_other_spelling *other;
    for (size_t i = 0; (other = option_other_spelling_at(i)); i++)
        for (unsigned place = 1; place < RARE; place <<= 1) {
            if (!(other->places & place))
                continue;
            const cli_option *named = other->name ? option_named(place, other->name, strlen(other->name)) : NULL;
            const cli_option *lettered = other->letter ? option_lettered(place, other->letter) : NULL;
            CHECK(!other->name || (named && named->id == other->id));
            CHECK(!other->letter || (lettered && lettered->id == other->id));
        }
}

/* "-o" wherever a command writes a file that the command line names. */
TEST(output_is_o)
{
    const unsigned writers = ON_CONVERT | ON_GLTF_TO_T3D | ON_OPTIMIZE | ON_RENDER | ON_PAGE | ON_EXTRACT | ON_SPRITE |
                             ON_MKSPRITE | ON_MATERIALS;
    for (unsigned place = 1; place < RARE; place <<= 1) {
        const cli_option *option = option_lettered(place, 'o');
        CHECK((option && option->id == OPT_OUTPUT) == ((writers & place) != 0));
    }
}

TEST_MAIN(CASE(a_name_has_one_meaning), CASE(the_list_of_the_test_is_needed), CASE(an_option_has_one_name),
          CASE(a_letter_has_one_meaning), CASE(other_spellings_are_unambiguous), CASE(output_is_o))
