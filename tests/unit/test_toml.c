/* The TOML reader: own cases, and the official ones (github.com/toml-lang/toml-test), which Debian has in the package
 * golang-github-burntsushi-toml-dev. */
#define _POSIX_C_SOURCE 200809L

#include "base/json.h"
#include "base/toml.h"
#include "harness.h"

#include <dirent.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const trilo_rule rule = {"TEST-TOML", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_STRUCTURE, "", ""};

/* One read: the arena with everything in it, and what went wrong. */
typedef struct reading {
    tl_arena arena;
    const tl_toml *root;
    trilo_error err;
} reading;

/* The text lies in a block of exactly its size, which is gone when the values are looked at. */
static reading read_bytes(const void *text, size_t size, const tl_toml_limits *limits)
{
    reading r = {.root = NULL};
    tl_arena_init(&r.arena, NULL);
    uint8_t *copy = malloc(size > 0 ? size : 1);
    CHECK(copy);
    memcpy(copy, text, size);
    r.root = tl_toml_read(&r.arena, (trilo_bytes){copy, size}, limits, &rule, &r.err);
    memset(copy, 'x', size);
    free(copy);
    CHECK((r.root == NULL) == (r.err.code != TRILO_CODE_OK));
    return r;
}

static void refuse_limited(const char *text, const tl_toml_limits *limits, const char *where, const char *sentence)
{
    reading r = read_bytes(text, strlen(text), limits);
    if (r.root)
        FAIL("%s is accepted", text);
    CHECK_STR(r.err.path, where);
    CHECK_STR(r.err.text, sentence);
    tl_arena_free(&r.arena);
}

static void refuse(const char *text, const char *where, const char *sentence)
{
    refuse_limited(text, NULL, where, sentence);
}

static const tl_toml *need_member(const tl_toml *table, const char *key)
{
    const tl_toml *member = tl_toml_member(table, key);
    if (!member)
        FAIL("%s is missing", key);
    return member;
}

TEST(values_are_read)
{
    static const char text[] = "# a comment\n"
                               "name = \"tri\\u006Cobite\\t\\\"\\\\\"\n"
                               "raw = 'C:\\new'\n"
                               "long = \"\"\"\nfirst \\\n   second\"\"\"\"\"\n"
                               "count = 1_000\nhex = 0xFF\noctal = 0o17\nbinary = 0b1010\n"
                               "least = -9223372036854775808\n"
                               "pi = 3.14_15\nbig = 1e06\nminus = -0.0\ninfinite = -inf\nnone = nan\n"
                               "yes = true\nno = false\n"
                               "day = 2024-02-29\ntime = 23:59:60.5\nboth = 1979-05-27 07:32:00\n"
                               "zone = 1979-05-27t07:32:00-07:00\n"
                               "list = [1, [2, 3], # comment\n  {a = 4},\n]\n";
    reading r = read_bytes(text, sizeof text - 1, NULL);
    if (!r.root)
        FAIL("%s: %s", r.err.path, r.err.text);
    CHECK_STR(need_member(r.root, "name")->string.data, "trilobite\t\"\\");
    CHECK_STR(need_member(r.root, "raw")->string.data, "C:\\new");
    CHECK_STR(need_member(r.root, "long")->string.data, "first second\"\"");
    CHECK_INT(need_member(r.root, "count")->integer, 1000);
    CHECK_INT(need_member(r.root, "hex")->integer, 255);
    CHECK_INT(need_member(r.root, "octal")->integer, 15);
    CHECK_INT(need_member(r.root, "binary")->integer, 10);
    CHECK(need_member(r.root, "least")->integer == INT64_MIN);
    CHECK(need_member(r.root, "pi")->number == 3.1415);
    CHECK(need_member(r.root, "big")->number == 1e6 && need_member(r.root, "big")->kind == TL_TOML_FLOAT);
    CHECK(signbit(need_member(r.root, "minus")->number));
    CHECK(need_member(r.root, "infinite")->number == -(double)INFINITY);
    CHECK(isnan(need_member(r.root, "none")->number));
    CHECK(need_member(r.root, "yes")->boolean && !need_member(r.root, "no")->boolean);
    CHECK_INT(need_member(r.root, "day")->kind, TL_TOML_LOCAL_DATE);
    CHECK_INT(need_member(r.root, "time")->kind, TL_TOML_LOCAL_TIME);
    CHECK_INT(need_member(r.root, "both")->kind, TL_TOML_LOCAL_DATE_TIME);
    CHECK_STR(need_member(r.root, "both")->string.data, "1979-05-27 07:32:00");
    CHECK_INT(need_member(r.root, "zone")->kind, TL_TOML_DATE_TIME);
    const tl_toml *list = need_member(r.root, "list");
    CHECK_INT(list->count, 3);
    CHECK_INT(list->line, 23);
    CHECK_INT(list->column, 8);
    CHECK_INT(list->first->next->first->next->integer, 3);
    const tl_toml *table = list->first->next->next;
    CHECK_INT(table->line, 24);
    CHECK_INT(table->column, 3);
    CHECK_INT(need_member(table, "a")->integer, 4);
    tl_arena_free(&r.arena);
}

TEST(tables_are_nested)
{
    static const char text[] = "\xEF\xBB\xBF"
                               "a.b = 1\na.c.d = 2\n"
                               "[x.y]\nz = 3\n[x]\nw = 4\n"
                               "[[item]]\nn = 1\n[item.part]\np = 2\r\n[[item]]\n\"n\" = 5\n"
                               "[fruit]\napple.color = 1\n[fruit.apple.taste]\nsweet = true";
    reading r = read_bytes(text, sizeof text - 1, NULL);
    if (!r.root)
        FAIL("%s: %s", r.err.path, r.err.text);
    CHECK_INT(need_member(need_member(need_member(r.root, "a"), "c"), "d")->integer, 2);
    CHECK_INT(need_member(need_member(need_member(r.root, "x"), "y"), "z")->integer, 3);
    CHECK_INT(need_member(need_member(r.root, "x"), "w")->integer, 4);
    const tl_toml *items = need_member(r.root, "item");
    CHECK_INT(items->count, 2);
    CHECK_INT(need_member(need_member(items->first, "part"), "p")->integer, 2);
    CHECK_INT(need_member(items->first->next, "n")->integer, 5);
    CHECK(need_member(need_member(need_member(need_member(r.root, "fruit"), "apple"), "taste"), "sweet")->boolean);
    tl_arena_free(&r.arena);
}

/* The FNV-1a of both keys is 0xE20E47D2. */
TEST(keys_with_one_hash_are_two)
{
    static const char text[] = "declinate = 1\nmacallums = 2\n";
    reading r = read_bytes(text, sizeof text - 1, NULL);
    CHECK_STR(r.err.text, "");
    CHECK_INT(r.root->count, 2);
    CHECK_INT(need_member(r.root, "declinate")->integer, 1);
    CHECK_INT(need_member(r.root, "macallums")->integer, 2);
    tl_arena_free(&r.arena);
}

TEST(mistakes_have_a_position)
{
    refuse("a = 1\nb = \n", "line 2, column 5", "a value is expected here, not the end of the line");
    refuse("a = 1\na = 2\n", "line 2, column 1", "\"a\" has a value already (line 1)");
    refuse("\"\" = 1\n\"\" = 2\n", "line 2, column 1", "\"\" has a value already (line 1)");
    refuse("\xC3\xA9 = 1\n", "line 1, column 1", "a key is expected here, not the byte 0xC3");
    refuse("x = '\xC3\xA9\xC3\xA9' 2\n", "line 1, column 10", "the end of the line is expected here, not '2'");
    refuse("a = \"open\n", "line 1, column 5", "the string that starts here has no closing quote on its line");
    refuse("a = \"\"\"open\n", "line 1, column 5", "the string that starts here has no closing three quotes");
    refuse("a = [1, 2\nb = 3\n", "line 2, column 1", "a comma or ] is expected here, not 'b'");
    refuse("a = [1, 2", "line 1, column 5", "the array that starts here has no closing ]");
    refuse("a = {b = 1,}\n", "line 1, column 12", "a key is expected here, not '}'");
    refuse("a = 012\n", "line 1, column 5", "a number has a leading zero, must start with another digit");
    refuse("a = 1__2\n", "line 1, column 6", "an underscore in a number must have a digit on both sides");
    refuse("a = 9223372036854775808\n", "line 1, column 5",
           "an integer does not fit 64 bits, must be from -9223372036854775808 to 9223372036854775807");
    refuse("a = 2023-02-29\n", "line 1, column 5", "there is no such date or time");
    refuse("a = word\n", "line 1, column 5",
           "a value is expected here: a string in quotes, a number, true, false, a date, an array or a table");
    refuse("[a]\n[a]\n", "line 2, column 2", "\"a\" is defined already (line 1)");
    refuse("a = {}\n[a.b]\n", "line 2, column 2", "\"a\" is complete already (line 1)");
    refuse("[a.b]\n[a]\nb.c = 1\n", "line 3, column 1", "\"b\" is a table that is complete already (line 1)");
    refuse("a = \"\\q\"\n", "line 1, column 7",
           "one of b t n f r \" \\ u U after a backslash is expected here, not 'q'");
    refuse("a = \"\\uD800\"\n", "line 1, column 6",
           "the escape U+D800 is not a character, must be below U+D800 or from U+E000 to U+10FFFF");
    refuse("a = 1\rb = 2\n", "line 1, column 6", "the control character 0x0D must be written as an escape");
}

/* What stands there is shown as it is, if it can be. */
TEST(bytes_that_are_not_expected)
{
    static const struct {
        const char *text;
        size_t size;
        const char *sentence;
    } all[] = {{"a = 'x' !", 9, "the end of the line is expected here, not '!'"},
               {"a = 'x' ~", 9, "the end of the line is expected here, not '~'"},
               {"a = 'x' \x7F", 9, "the control character 0x7F must be written as an escape"},
               {"a = 'x' \x1F", 9, "the control character 0x1F must be written as an escape"},
               {"a = 'x' \0", 9, "the control character 0x00 must be written as an escape"},
               {"a = 'x' \xC3\xA9", 10, "the end of the line is expected here, not the byte 0xC3"},
               {"a = \n", 5, "a value is expected here, not the end of the line"},
               {"a = \r\n", 6, "a value is expected here, not the end of the line"},
               {"a = ", 4, "a value is expected here, but the text ends"}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        reading r = read_bytes(all[i].text, all[i].size, NULL);
        CHECK(!r.root);
        CHECK_STR(r.err.text, all[i].sentence);
        CHECK_INT(r.err.code, all[i].size == 4 ? TRILO_CODE_TRUNCATED : TRILO_CODE_BAD_VALUE);
        tl_arena_free(&r.arena);
    }
}

/* Behind the space at the end of the text lies a digit, which is not part of it. */
TEST(a_date_before_the_last_space)
{
    static const char text[] = "a = 1979-05-27 0";
    for (size_t size = sizeof text - 3; size < sizeof text - 1; size++) {
        tl_arena arena;
        trilo_error err = {.code = TRILO_CODE_OK};
        tl_arena_init(&arena, NULL);
        const tl_toml *root = tl_toml_read(&arena, (trilo_bytes){(const uint8_t *)text, size}, NULL, &rule, &err);
        CHECK_STR(root ? "" : err.text, "");
        CHECK_INT(need_member(root, "a")->kind, TL_TOML_LOCAL_DATE);
        tl_arena_free(&arena);
    }
}

static bool is_read(const char *text)
{
    reading r = read_bytes(text, strlen(text), NULL);
    const bool ok = r.root != NULL;
    tl_arena_free(&r.arena);
    return ok;
}

/* Every day of years of each kind, and the ends of every part of a time. */
TEST(days_and_times_exist)
{
    static const int years[] = {1900, 2000, 2023, 2024};
    static const bool leap[] = {false, true, false, true};
    for (int y = 0; y < 4; y++)
        for (int month = 0; month <= 13; month++)
            for (int day = 0; day <= 32; day++) {
                char text[32];
                const bool shorter = month == 4 || month == 6 || month == 9 || month == 11;
                const int last = month == 2 ? (leap[y] ? 29 : 28) : shorter ? 30 : 31;
                snprintf(text, sizeof text, "a = %04d-%02d-%02d\n", years[y], month, day);
                if (is_read(text) != (month >= 1 && month <= 12 && day >= 1 && day <= last))
                    FAIL("%s", text);
            }
    CHECK(is_read("a = 00:00:00\n") && is_read("a = 23:59:60\n"));
    CHECK(!is_read("a = 24:00:00\n") && !is_read("a = 00:60:00\n") && !is_read("a = 00:00:61\n"));
    CHECK(is_read("a = 2024-01-01T00:00:00+23:59\n") && is_read("a = 2024-01-01T00:00:00-23:59\n"));
    CHECK(!is_read("a = 2024-01-01T00:00:00+24:00\n") && !is_read("a = 2024-01-01T00:00:00+00:60\n"));
}

TEST(limits_are_kept)
{
    refuse_limited("a = [[[1]]]\n", &(tl_toml_limits){.depth = 2}, "line 1, column 7",
                   "arrays and tables are nested deeper than the limit of 2");
    refuse_limited("a.b.c = 1\n", &(tl_toml_limits){.depth = 2}, "line 1, column 5",
                   "a key has more parts than the limit of 2");
    refuse_limited("a = [1, 2, 3]\n", &(tl_toml_limits){.values = 3}, "line 1, column 12",
                   "the text has more values than the limit of 3");
}

/* 100,000 keys, and as many values on one line: a search through all of them each time would take minutes. */
TEST(many_keys_take_no_time)
{
    const size_t count = 100000, room = count * 24;
    char *text = malloc(room);
    CHECK(text);
    size_t used = 0;
    for (size_t i = 0; i < count; i++)
        used += (size_t)snprintf(text + used, room - used, "key%zu = 1\n", i);
    used += (size_t)snprintf(text + used, room - used, "list = [");
    for (size_t i = 0; i < count; i++)
        used += (size_t)snprintf(text + used, room - used, "%zu,", i % 10);
    used += (size_t)snprintf(text + used, room - used, "]\n");
    reading r = read_bytes(text, used, NULL);
    if (!r.root)
        FAIL("%s: %s", r.err.path, r.err.text);
    CHECK_INT(r.root->count, count + 1);
    CHECK_INT(need_member(r.root, "list")->count, count);
    free(text);
    tl_arena_free(&r.arena);
}

/* Memory that runs out at any moment is an error, not a crash. */
static void *few_allocations(void *user, void *old, size_t old_size, size_t new_size)
{
    int *left = user;
    (void)old_size;
    if (new_size == 0) {
        free(old);
        return NULL;
    }
    return (*left)-- > 0 ? realloc(old, new_size) : NULL;
}

TEST(memory_may_run_out)
{
    char text[8192] = "";
    for (int i = 0; i < 200; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "k%d.x = [\"value\", 2024-01-01]\n", i);
    for (int allowed = 0;; allowed++) {
        int left = allowed;
        tl_arena arena;
        trilo_error err = {0};
        tl_arena_init(&arena, &(trilo_memory){.fn = few_allocations, .user = &left});
        const tl_toml *root = tl_toml_read(&arena, (trilo_bytes){(uint8_t *)text, strlen(text)}, NULL, &rule, &err);
        tl_arena_free(&arena);
        if (root) {
            CHECK(allowed > 0);
            break;
        }
        CHECK_INT(err.code, TRILO_CODE_NO_MEMORY);
    }
}

/* ---- the official cases ---- */

static const char official[] = "/usr/share/gocode/src/github.com/BurntSushi/toml/internal/toml-test/tests";

/* "1987-07-05 17:45:00.60Z" and "1987-07-05t17:45:00.6z" are the same. */
static void plain_date(const char *text, char *out, size_t room)
{
    size_t used = 0;
    for (const char *p = text; *p && used + 1 < room; p++) {
        if (*p == '.') {
            const size_t digits = strspn(p + 1, "0123456789");
            size_t kept = digits;
            while (kept > 0 && p[kept] == '0')
                kept--;
            if (kept > 0)
                used += (size_t)snprintf(out + used, room - used, "%.*s", (int)kept + 1, p);
            p += digits;
        } else {
            out[used++] = *p == ' ' || *p == 't' ? 'T' : *p == 'z' ? 'Z' : *p;
        }
    }
    out[used] = '\0';
}

static void same_scalar(const char *path, const tl_toml *value, const char *type, trilo_str wanted)
{
    static const char *const types[] = {"string",         "integer",    "float",      "bool", "datetime",
                                        "datetime-local", "date-local", "time-local", "",     ""};
    char got[64] = "", want[64] = "";
    if (strcmp(types[value->kind], type) != 0)
        FAIL("%s: %s at line %u, not %s", path, types[value->kind], value->line, type);
    switch (value->kind) {
    case TL_TOML_STRING:
        if (value->string.len != wanted.len || memcmp(value->string.data, wanted.data, wanted.len) != 0)
            FAIL("%s: \"%s\", not \"%s\"", path, value->string.data, wanted.data);
        return;
    case TL_TOML_INTEGER:
        snprintf(got, sizeof got, "%" PRId64, value->integer);
        snprintf(want, sizeof want, "%s", wanted.data);
        break;
    case TL_TOML_FLOAT: {
        const char *digits = wanted.data + (wanted.data[0] == '+' || wanted.data[0] == '-');
        if (strcmp(digits, "nan") == 0) {
            CHECK(isnan(value->number));
            return;
        }
        const double number = strtod(wanted.data, NULL);
        if (value->number != number)
            FAIL("%s: %g, not %s", path, value->number, wanted.data);
        return;
    }
    case TL_TOML_BOOL:
        snprintf(got, sizeof got, "%s", value->boolean ? "true" : "false");
        snprintf(want, sizeof want, "%s", wanted.data);
        break;
    default:
        plain_date(value->string.data, got, sizeof got);
        plain_date(wanted.data, want, sizeof want);
    }
    if (strcmp(got, want) != 0)
        FAIL("%s: %s, not %s", path, got, want);
}

/* {"type": "integer", "value": "1"} stands for a scalar. */
static void same_value(const char *path, const tl_toml *value, const tl_json *wanted)
{
    const tl_json *type = tl_json_member(wanted, "type"), *text = tl_json_member(wanted, "value");
    if (wanted->kind == TL_JSON_OBJECT && wanted->count == 2 && type && text && type->kind == TL_JSON_STRING &&
        text->kind == TL_JSON_STRING) {
        same_scalar(path, value, tl_json_string(type).data, tl_json_string(text));
        return;
    }
    if (value->kind != (wanted->kind == TL_JSON_ARRAY ? TL_TOML_ARRAY : TL_TOML_TABLE))
        FAIL("%s: %s at line %u", path, tl_toml_kind_name(value), value->line);
    CHECK_INT(value->count, wanted->count);
    const tl_toml *child = value->first;
    for (const tl_json *want = wanted->first; want; want = want->next) {
        if (wanted->kind == TL_JSON_OBJECT)
            child = need_member(value, want->key.data);
        same_value(path, child, want);
        child = child->next;
    }
}

static void try_valid(const char *path, const reading *r)
{
    char *json_path = strdup(path);
    size_t size;
    CHECK(json_path);
    strcpy(strrchr(json_path, '.'), ".json");
    uint8_t *json = test_read_file(json_path, &size);
    CHECK(json);
    tl_arena arena;
    trilo_error err;
    tl_arena_init(&arena, NULL);
    const tl_json *wanted = tl_json_read(&arena, (trilo_bytes){json, size}, NULL, &rule, 0, &err);
    if (!r->root)
        FAIL("%s is refused: %s: %s", path, r->err.path, r->err.text);
    if (wanted) /* the JSON reader refuses strings with NUL */
        same_value(path, r->root, wanted);
    tl_arena_free(&arena);
    free(json);
    free(json_path);
}

/* Cases of TOML 1.1: the suite itself leaves them out for 1.0 (version.go). */
static bool is_of_next_version(const char *path)
{
    static const char *const next[] = {"valid/string/escape-esc.toml"};
    for (size_t i = 0; i < sizeof next / sizeof *next; i++)
        if (strstr(path, next[i]))
            return true;
    return false;
}

static size_t try_folder(const char *folder, bool valid, int depth)
{
    size_t tried = 0;
    const struct dirent *entry;
    DIR *dir = opendir(folder);
    CHECK(dir && depth < 8);
    while ((entry = readdir(dir))) {
        char path[1024];
        struct stat status;
        const size_t length = strlen(entry->d_name);
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        CHECK(stat(path, &status) == 0);
        if (S_ISDIR(status.st_mode)) {
            tried += try_folder(path, valid, depth + 1);
            continue;
        }
        if (length < 5 || strcmp(entry->d_name + length - 5, ".toml") != 0 || is_of_next_version(path))
            continue;
        size_t size;
        uint8_t *text = test_read_file(path, &size);
        CHECK(text);
        reading r = read_bytes(text, size, NULL);
        if (valid)
            try_valid(path, &r);
        else if (r.root)
            FAIL("%s is accepted", path);
        tl_arena_free(&r.arena);
        free(text);
        tried++;
    }
    closedir(dir);
    return tried;
}

TEST(official_cases_pass)
{
    char folder[512];
    struct stat status;
    snprintf(folder, sizeof folder, "%s/valid", official);
    if (stat(folder, &status) != 0)
        SKIP("the official TOML cases are not installed (golang-github-burntsushi-toml-dev)");
    CHECK(try_folder(folder, true, 0) >= 90);
    snprintf(folder, sizeof folder, "%s/invalid", official);
    CHECK(try_folder(folder, false, 0) >= 200);
}

TEST_MAIN(CASE(values_are_read), CASE(tables_are_nested), CASE(keys_with_one_hash_are_two),
          CASE(mistakes_have_a_position), CASE(bytes_that_are_not_expected), CASE(a_date_before_the_last_space),
          CASE(days_and_times_exist), CASE(limits_are_kept), CASE(many_keys_take_no_time), CASE(memory_may_run_out),
          CASE(official_cases_pass))
