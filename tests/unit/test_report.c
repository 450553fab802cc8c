#include "base/report.h"
#include "harness.h"

#include <string.h>

static const trilo_rule rules[4] = {
    {"TEST-NOTE", TRILO_SEVERITY_NOTE, TRILO_FINDING_KIND_ADVICE, "", ""},
    {"TEST-WARNING", TRILO_SEVERITY_WARNING, TRILO_FINDING_KIND_LOSS, "", ""},
    {"TEST-ERROR", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_STRUCTURE, "", ""},
    {"TEST-CRASH", TRILO_SEVERITY_CRASH, TRILO_FINDING_KIND_STRUCTURE, "", ""},
};

/* ---- escaping ---- */

static void check_escape(const char *text, const char *want)
{
    char out[64];
    tl_escape(text, out, sizeof out);
    CHECK_STR(out, want);
}

TEST(control_bytes_are_escaped)
{
    check_escape("", "");
    check_escape("plain text ~", "plain text ~");
    check_escape("a\tb\nc", "a\\x09b\\x0Ac");
    check_escape("\x01\x1F\x7F", "\\x01\\x1F\\x7F");
    check_escape("\x1B[2J", "\\x1B[2J");
    check_escape("back\\slash", "back\\slash");
    check_escape("gr\xC3\xBC\xC3\x9F", "gr\xC3\xBC\xC3\x9F"); /* UTF-8 stays */
}

/* Where each character of `text` ends in its escaped form: the places at which it may be cut. */
static size_t longest_cut(const char *text, size_t room)
{
    size_t used = 0;
    for (; *text; text++) {
        size_t width = (unsigned char)*text < 0x20 || *text == 0x7F ? 4 : 1;
        if (used + width + 1 > room)
            break;
        used += width;
    }
    return used;
}

/* As much as fits, never half an escape, always a NUL, never a byte behind the room. */
TEST(text_is_cut_where_the_room_ends)
{
    static const char text[] = "ab\n\ncd\x7Fzzzz\t";
    static const char full[] = "ab\\x0A\\x0Acd\\x7Fzzzz\\x09";
    for (size_t room = 1; room < sizeof full + 6; room++) {
        char out[64], want[64];
        memset(out, '#', sizeof out);
        tl_escape(text, out, room);
        strcpy(want, full);
        want[longest_cut(text, room)] = '\0';
        CHECK_STR(out, want);
        for (size_t i = room; i < sizeof out; i++)
            CHECK_INT(out[i], '#');
    }
}

/* ---- errors ---- */

TEST(a_failure_fills_everything)
{
    trilo_error err;
    memset(&err, 0xEE, sizeof err);
    tl_path path = {0};
    tl_path_push(&path, "meshes", 4);
    CHECK(!tl_fail(&err, TRILO_CODE_BAD_REF, &rules[2], 99, &path, "%d of %s", 7, "9\n"));
    CHECK_INT(err.code, TRILO_CODE_BAD_REF);
    CHECK_STR(err.rule, "TEST-ERROR");
    CHECK_INT(err.offset, 99);
    CHECK_STR(err.path, "meshes[4]");
    CHECK_STR(err.text, "7 of 9\\x0A");
}

TEST(a_failure_needs_no_rule_and_no_path)
{
    trilo_error err;
    memset(&err, 0xEE, sizeof err);
    CHECK(!tl_fail(&err, TRILO_CODE_LIMIT, NULL, TRILO_NOWHERE, NULL, "x"));
    CHECK_STR(err.rule, "");
    CHECK_STR(err.path, "");
    CHECK(err.offset == TRILO_NOWHERE);
    CHECK_STR(err.text, "x");
}

TEST(nobody_has_to_listen)
{
    CHECK(!tl_fail(NULL, TRILO_CODE_LIMIT, &rules[2], 0, NULL, "%s", "x"));
    CHECK(!tl_fail_memory(NULL));
}

TEST(out_of_memory)
{
    trilo_error err = {0};
    CHECK(!tl_fail_memory(&err));
    CHECK_INT(err.code, TRILO_CODE_NO_MEMORY);
    CHECK_STR(err.rule, "FILE-MEMORY");
    CHECK(err.offset == TRILO_NOWHERE);
    CHECK_STR(err.path, "");
    CHECK(strlen(err.text) > 0);
    for (size_t i = 0; i < TL_GENERAL_RULE_COUNT; i++)
        CHECK_INT(trilo_finding_is_out_of_memory(&(trilo_finding){.rule = tl_general_rules[i].name}),
                  i == TL_FILE_MEMORY);
    CHECK(trilo_finding_is_out_of_memory(&(trilo_finding){.rule = err.rule}));
    CHECK(!trilo_finding_is_out_of_memory(&(trilo_finding){.rule = NULL}));
}

/* The rules of files are those whose codes say so. */
TEST(findings_about_files)
{
    for (size_t i = 0; i < TL_GENERAL_RULE_COUNT; i++)
        CHECK_INT(trilo_finding_is_about_file(&(trilo_finding){.rule = tl_general_rules[i].name}),
                  strncmp(tl_general_rules[i].name, "FILE-", 5) == 0);
    CHECK(!trilo_finding_is_about_file(&(trilo_finding){.rule = NULL}));
}

/* text and path are filled to the last byte before their NUL. */
TEST(long_texts_are_cut)
{
    char text[400];
    memset(text, 't', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    tl_path path = {0};
    tl_path_push(&path, text, 5);
    trilo_error err;
    CHECK(!tl_fail(&err, TRILO_CODE_LIMIT, NULL, 0, &path, "%s", text));
    CHECK_INT(strlen(err.text), sizeof err.text - 1);
    CHECK_INT(strlen(err.path), sizeof err.path - 1);
    CHECK(memcmp(err.text, text, sizeof err.text - 1) == 0);
    CHECK(memcmp(err.path, text, sizeof err.path - 1) == 0);
}

/* ---- findings ---- */

typedef struct heard {
    size_t count;
    trilo_severity severity;
    trilo_finding_kind kind;
    const char *rule;
    uint64_t offset;
    char path[128], text[512];
} heard;

static void hear(void *user, const trilo_finding *finding)
{
    heard *h = user;
    h->count++;
    h->severity = finding->severity;
    h->kind = finding->kind;
    h->rule = finding->rule;
    h->offset = finding->offset;
    strcpy(h->path, finding->path);
    strcpy(h->text, finding->text);
}

TEST(a_remark_is_handed_on)
{
    heard h = {0};
    tl_report report = {.fn = hear, .user = &h};
    tl_path_push(&report.path, "nodes", 2);
    tl_path_push(&report.path, "parent", TL_NO_INDEX);
    tl_report_finding(&report, &rules[1], 0x1A4, "%u is \x02 odd", 71u);
    CHECK_INT(h.count, 1);
    CHECK_INT(h.severity, TRILO_SEVERITY_WARNING);
    CHECK_INT(h.kind, TRILO_FINDING_KIND_LOSS);
    CHECK_STR(h.rule, "TEST-WARNING");
    CHECK_INT(h.offset, 0x1A4);
    CHECK_STR(h.path, "nodes[2].parent");
    CHECK_STR(h.text, "71 is \\x02 odd");
}

TEST(remarks_are_counted_by_severity)
{
    heard h = {0};
    tl_report report = {.fn = hear, .user = &h};
    static const int severities[] = {0, 1, 1, 2, 3, 3, 3, 0, 0, 0, 2};
    for (size_t i = 0; i < sizeof severities / sizeof severities[0]; i++)
        tl_report_finding(&report, &rules[severities[i]], i, "x");
    CHECK_INT(h.count, 11);
    CHECK_INT(report.tally[TRILO_SEVERITY_NOTE], 4);
    CHECK_INT(report.tally[TRILO_SEVERITY_WARNING], 2);
    CHECK_INT(report.tally[TRILO_SEVERITY_ERROR], 2);
    CHECK_INT(report.tally[TRILO_SEVERITY_CRASH], 3);
}

TEST(the_first_of_each_kind_is_kept)
{
    tl_report report = {0}; /* nobody listens */
    tl_path_push(&report.path, "first", TL_NO_INDEX);
    tl_report_finding(&report, &rules[0], 10, "a note");
    CHECK_INT(report.first.code, TRILO_CODE_OK);
    CHECK_INT(report.warning.code, TRILO_CODE_OK);
    tl_report_finding(&report, &rules[1], 11, "warning %d", 1);
    CHECK_INT(report.first.code, TRILO_CODE_OK);
    tl_path_push(&report.path, "second", TL_NO_INDEX);
    tl_report_finding(&report, &rules[1], 12, "warning %d", 2);
    tl_report_finding(&report, &rules[2], 13, "error %d", 1);
    tl_report_finding(&report, &rules[3], 14, "crash %d", 1);
    CHECK(report.warning.code != TRILO_CODE_OK);
    CHECK_STR(report.warning.rule, "TEST-WARNING");
    CHECK_INT(report.warning.offset, 11);
    CHECK_STR(report.warning.path, "first");
    CHECK_STR(report.warning.text, "warning 1");
    CHECK(report.first.code != TRILO_CODE_OK);
    CHECK_STR(report.first.rule, "TEST-ERROR");
    CHECK_INT(report.first.offset, 13);
    CHECK_STR(report.first.path, "first.second");
    CHECK_STR(report.first.text, "error 1");
}

TEST(a_crash_is_an_error_too)
{
    tl_report report = {0};
    tl_report_finding(&report, &rules[3], TRILO_NOWHERE, "boom");
    CHECK_STR(report.first.rule, "TEST-CRASH");
    CHECK(report.first.offset == TRILO_NOWHERE);
    CHECK_INT(report.warning.code, TRILO_CODE_OK);
}

TEST_MAIN(CASE(control_bytes_are_escaped), CASE(text_is_cut_where_the_room_ends), CASE(a_failure_fills_everything),
          CASE(a_failure_needs_no_rule_and_no_path), CASE(nobody_has_to_listen), CASE(out_of_memory),
          CASE(findings_about_files), CASE(long_texts_are_cut), CASE(a_remark_is_handed_on),
          CASE(remarks_are_counted_by_severity), CASE(the_first_of_each_kind_is_kept), CASE(a_crash_is_an_error_too))
