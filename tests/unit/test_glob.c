#include "base/glob.h"
#include "base/sha256.h"
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct glob_case {
    const char *pattern, *path;
    bool matches;
} glob_case;

static const glob_case cases[] = {
    {"hero.glb", "hero.glb", true},
    {"hero.glb", "assets/hero.glb", true}, /* no slash: the name alone */
    {"hero.glb", "hero.glb.bak", false},
    {"*.glb", "assets/levels/one.glb", true},
    {"*.glb", "one.gltf", false},
    {"*", "", true},
    {"*", "a/b", true},
    {"?ero.glb", "hero.glb", true},
    {"?ero.glb", "ero.glb", false},
    {"assets/*.glb", "assets/one.glb", true},
    {"assets/*.glb", "assets/levels/one.glb", false},
    {"assets/**", "assets/levels/one.glb", true},
    {"assets/**", "other/one.glb", false},
    {"assets/**/*.glb", "assets/one.glb", true},
    {"assets/**/*.glb", "assets/a/b/one.glb", true},
    {"assets/**/one.glb", "assets/a/bone.glb", false},
    {"assets/**/levels/*.glb", "assets/x/levels/y/levels/one.glb", true},
    {"assets/**/levels/*.glb", "assets/x/levels/y/one.glb", false},
    {"**/old/**", "assets/old/x.glb", true},
    {"**/old/**", "old/x.glb", true},
    {"**/old/**", "assets/older/x.glb", false},
    {"**", "a/b/c", true},
    {"a*b*c", "aXbYbZc", true},
    {"a*b*c", "aXbYbZ", false},
    {"a/*/c", "a/b/c", true},
    {"a/*/c", "a/b/b/c", false},
    {"a/?/c", "a/b/c", true},
    {"a?c", "a/c", false},
    {"x/a?c", "x/a/c", false},
    {"[a-c]x", "bx", true},
    {"[a-c]x", "dx", false},
    {"[!a-c]x", "dx", true},
    {"[!a-c]x", "bx", false},
    {"[]]x", "]x", true},
    {"[x", "[x", true},
    {"\\*x", "*x", true},
    {"\\*x", "ax", false},
    {"", "", true},
    {"", "a", false},
    {"**/*.t*dm", "a/b/hero.t3dm", true},
    {"a**b", "a/x/b", true},
};

TEST(patterns_match)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (tl_glob_matches(cases[i].pattern, cases[i].path) != cases[i].matches)
            FAIL("%s and %s: %s", cases[i].pattern, cases[i].path, cases[i].matches ? "no match" : "a match");
}

/* The plain definition, by recursion. */
static bool slow_match(const char *start, const char *p, const char *s)
{
    if (p[0] == '*' && p[1] == '*' && p[2] == '/' && (p == start || p[-1] == '/')) {
        if (slow_match(start, p + 3, s))
            return true;
        for (; *s; s++)
            if (*s == '/' && slow_match(start, p + 3, s + 1))
                return true;
        return false;
    }
    if (p[0] == '*') {
        const int stars = p[1] == '*' ? 2 : 1;
        for (;; s++) {
            if (slow_match(start, p + stars, s))
                return true;
            if (!*s || (*s == '/' && stars == 1))
                return false;
        }
    }
    if (!*p || !*s)
        return *p == *s;
    return (*p == '?' ? *s != '/' : *p == *s) && slow_match(start, p + 1, s + 1);
}

TEST(random_patterns_match_as_defined)
{
    uint32_t seed = 1, matched = 0;
    for (uint32_t round = test_rounds(2000000, 100000); round > 0; round--) {
        char pattern[12] = "", path[12] = "";
        seed = seed * 1664525u + 1013904223u;
        uint32_t bits = seed >> 8;
        const char *const pieces[] = {"a", "b", "/", "*", "**/", "**", "?"};
        for (int i = 0; i < 3; i++, bits /= 7)
            strcat(pattern, pieces[bits % 7]);
        seed = seed * 1664525u + 1013904223u;
        bits = seed >> 8;
        for (size_t i = 0; i < 6; i++, bits /= 3)
            path[i] = "ab/"[bits % 3];
        if (!strchr(pattern, '/') && !strstr(pattern, "**")) /* compared with the name alone */
            strcat(pattern, "/a");
        if (strstr(pattern, "***"))
            continue; /* three stars are two here */
        const bool want = slow_match(pattern, pattern, path);
        if (tl_glob_matches(pattern, path) != want)
            FAIL("%s and %s: %s", pattern, path, want ? "no match" : "a match");
        matched += want;
    }
    CHECK(matched > 1000);
}

/* FIPS 180-4, the examples of NIST. */
TEST(sha256_is_sha256)
{
    static const struct {
        const char *text, *digest;
    } known[] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const size_t size = strlen(known[i].text);
        for (size_t cut = 0; cut <= size; cut++) {
            uint8_t digest[TL_SHA256_SIZE];
            char text[2 * TL_SHA256_SIZE + 1];
            tl_sha256 hash = tl_sha256_begin();
            tl_sha256_add(&hash, known[i].text, cut);
            tl_sha256_add(&hash, known[i].text + cut, size - cut);
            tl_sha256_end(&hash, digest);
            for (int byte = 0; byte < TL_SHA256_SIZE; byte++)
                snprintf(text + 2 * byte, 3, "%02x", digest[byte]);
            CHECK_STR(text, known[i].digest);
        }
    }
    /* A million times the letter a. */
    uint8_t block[1000], digest[TL_SHA256_SIZE];
    memset(block, 'a', sizeof block);
    tl_sha256 hash = tl_sha256_begin();
    for (int i = 0; i < 1000; i++)
        tl_sha256_add(&hash, block, sizeof block);
    tl_sha256_end(&hash, digest);
    CHECK(digest[0] == 0xCD && digest[1] == 0xC7 && digest[2] == 0x6E && digest[31] == 0xD0);
}

TEST_MAIN(CASE(patterns_match), CASE(random_patterns_match_as_defined), CASE(sha256_is_sha256))
