/* Any bytes as JSON. What is read must lie in the text: each value in its parent, behind the one before it, and alone
 * it must read as the same value again. The last byte chooses limits. */
#include "base/json.h"
#include "base/number.h"
#include "fuzz/fuzz.h"
#include "harness.h"
#include "support/exercise.h"

#include <string.h>

enum { SMALL = 16384, LIMIT = 64 << 20 };
/* A value may be two bytes long, a level of nesting one. */
enum { PER_BYTE = sizeof(tl_json) + 32 };

static const trilo_rule rule = {"TEST-JSON", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_STRUCTURE, "", ""};

static bool same_string(trilo_str a, trilo_str b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.data, b.data, a.len) == 0);
}

/* A number, a string or a word once more, from its own bytes alone. */
static void check_alone(const tl_json *value, const uint8_t *text)
{
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    const trilo_bytes bytes = {text + value->at, value->end - value->at};
    const tl_json *again = tl_json_read(&arena, bytes, NULL, &rule, 0, NULL);
    CHECK(again && again->kind == value->kind && again->whole == value->whole && again->end == bytes.size);
    CHECK(memcmp(&again->number, &value->number, sizeof value->number) == 0);
    CHECK(same_string(again->string, value->string));
    tl_arena_free(&arena);
}

static void check_number(const tl_json *value)
{
    char text[32];
    double back;
    CHECK(tl_read_double(text, trilo_double_print(value->number, text), &back));
    CHECK(memcmp(&back, &value->number, sizeof back) == 0);
}

static void check_children(const tl_json *value)
{
    uint32_t at = value->at + 1, count = 0;
    for (const tl_json *child = value->first; child; child = child->next, count++) {
        CHECK(child > value && child->at >= at && child->end > child->at && child->end < value->end);
        CHECK((child->key.data != NULL) == (value->kind == TL_JSON_OBJECT));
        CHECK(!child->key.data || strlen(child->key.data) == child->key.len);
        CHECK(!child->key.data || count > 64 || tl_json_member(value, child->key.data) == child);
        at = child->end;
    }
    CHECK_INT(count, value->count);
}

/* How many values there are: each is the child of one, but for the root. */
static size_t check_values(const tl_json *root, const uint8_t *text)
{
    size_t total = 1;
    for (size_t i = 0; i < total; i++) {
        const tl_json *value = root + i;
        check_children(value);
        total += value->count;
        if (value->kind < TL_JSON_ARRAY)
            check_alone(value, text);
        if (value->kind == TL_JSON_NUMBER)
            check_number(value);
        CHECK((value->string.data != NULL) == (value->kind == TL_JSON_STRING));
        CHECK(!value->string.data || strlen(value->string.data) == value->string.len);
    }
    return total;
}

static void try_text(const uint8_t *text, size_t size, const tl_json_limits *limits)
{
    meter m = {0};
    tl_arena arena;
    trilo_error err = {0};
    const trilo_memory memory = meter_memory(&m, LIMIT);
    tl_arena_init(&arena, &memory);
    const tl_json *root = tl_json_read(&arena, (trilo_bytes){text, size}, limits, &rule, 0, &err);
    CHECK(m.peak <= SMALL + PER_BYTE * size);
    if (root) {
        const size_t total = check_values(root, text);
        CHECK(!limits || total <= limits->values);
    } else {
        CHECK(err.code != TRILO_CODE_OK && err.text[0] != '\0' && err.rule[0] != '\0');
        CHECK(err.code == TRILO_CODE_NO_MEMORY || err.offset <= size);
    }
    tl_arena_free(&arena);
    CHECK_INT(m.now, 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    try_text(data, size, NULL);
    if (size > 0)
        try_text(data, size - 1, &(tl_json_limits){.depth = data[size - 1] % 8u + 1, .values = data[size - 1] + 1u});
    return 0;
}
