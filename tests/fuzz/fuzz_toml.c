/* Any bytes as TOML. What is read must be a tree with as many children as it counts, whose positions lie in the text,
 * within memory in proportion to it. The last byte chooses limits. */
#include "base/toml.h"
#include "fuzz/fuzz.h"
#include "harness.h"
#include "support/exercise.h"

#include <string.h>

enum { SMALL = 65536, LIMIT = 64 << 20 };
/* A key part takes two bytes of text: a value, a row of the hash table and slots for it, each with room to grow. */
enum { PER_BYTE = 2 * sizeof(tl_toml) + 256 };

static const trilo_rule rule = {"TEST-TOML", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_STRUCTURE, "", ""};

static void check_value(const tl_toml *value, size_t size, unsigned depth)
{
    uint32_t count = 0;
    CHECK(depth <= 200);
    CHECK(value->line >= 1 && value->line <= size + 1 && value->column >= 1 && value->column <= size + 1);
    CHECK((value->string.data != NULL) ==
          (value->kind == TL_TOML_STRING || (value->kind >= TL_TOML_DATE_TIME && value->kind <= TL_TOML_LOCAL_TIME)));
    for (const tl_toml *child = value->first; child; child = child->next, count++) {
        CHECK((child->key.data != NULL) == (value->kind == TL_TOML_TABLE));
        CHECK(!child->key.data || child->key.data[child->key.len] == '\0');
        check_value(child, size, depth + 1);
    }
    CHECK_INT(count, value->count);
    CHECK(count == 0 || value->kind >= TL_TOML_ARRAY);
}

static void try_text(const uint8_t *text, size_t size, const tl_toml_limits *limits)
{
    meter m = {0};
    tl_arena arena;
    trilo_error err = {0};
    const trilo_memory memory = meter_memory(&m, LIMIT);
    tl_arena_init(&arena, &memory);
    const tl_toml *root = tl_toml_read(&arena, (trilo_bytes){text, size}, limits, &rule, &err);
    CHECK(m.peak <= SMALL + PER_BYTE * size);
    if (root)
        check_value(root, size, 0);
    else
        CHECK(err.code != TRILO_CODE_OK && err.text[0] != '\0' && err.rule[0] != '\0');
    tl_arena_free(&arena);
    CHECK_INT(m.now, 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    try_text(data, size, NULL);
    if (size > 0)
        try_text(data, size - 1, &(tl_toml_limits){.depth = data[size - 1] % 8u + 1, .values = data[size - 1] + 1u});
    return 0;
}
