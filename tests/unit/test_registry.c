#include "api/registry.h"
#include "harness.h"
#include "trilobite/trilobite.h"

#include <stdio.h>
#include <string.h>

/* ---- formats ---- */

TEST(formats_are_listed)
{
    const trilo_format_info *nlm = trilo_format_get(TRILO_FORMAT_NLM);
    CHECK(nlm != NULL);
    CHECK_INT(nlm->format, TRILO_FORMAT_NLM);
    CHECK_STR(nlm->name, "nlm");
    CHECK_STR(nlm->title, "NiteLite model");
    CHECK_STR(nlm->versions, "2");
    CHECK_STR(nlm->extensions, "nlm");
    CHECK(nlm->can_read);
    CHECK(nlm->can_write);
    size_t count = 0, seen = 0;
    for (; trilo_format_at(count); count++)
        seen += trilo_format_at(count) == nlm ? 1 : 0;
    CHECK_INT(seen, 1);
    CHECK(trilo_format_at(count + 1) == NULL);
    CHECK(trilo_format_at(SIZE_MAX) == NULL);
}

/* Every format can be found by what it says of itself, and has all that the library calls. */
TEST(formats_are_whole)
{
    const tl_format *f;
    for (size_t i = 0; (f = tl_registry_at(i)); i++) {
        CHECK(f->info.format != TRILO_FORMAT_UNKNOWN);
        CHECK(tl_registry_get(f->info.format) == f);
        CHECK(trilo_format_get(f->info.format) == &f->info);
        CHECK(trilo_format_at(i) == &f->info);
        CHECK(trilo_format_find(f->info.name) == &f->info);
        CHECK(strlen(f->info.title) > 0 && strlen(f->info.versions) > 0 && strlen(f->info.extensions) > 0);
        CHECK(f->probe && f->read && f->version && f->check && f->decode && f->visit && f->sections && f->reference);
        CHECK_INT(f->info.can_write, f->encode && f->write);
        CHECK(f->rule_count > 0 && f->rules);
    }
    CHECK(tl_registry_at(SIZE_MAX) == NULL);
}

TEST(extensions_of_new_files)
{
    CHECK_STR(trilo_format_extension(TRILO_FORMAT_NLM), "nlm");
    CHECK_STR(trilo_format_extension(TRILO_FORMAT_T3DM), "t3dm");
    CHECK_STR(trilo_format_extension(TRILO_FORMAT_MODEL64), "model");
    CHECK_STR(trilo_format_extension(TRILO_FORMAT_GLTF), "glb");
    CHECK_STR(trilo_format_extension(TRILO_FORMAT_UNKNOWN), "");
    CHECK_STR(trilo_format_extension((trilo_format)99), "");
    for (size_t i = 0; trilo_format_at(i); i++) {
        char name[32];
        snprintf(name, sizeof name, "hero.%s", trilo_format_extension(trilo_format_at(i)->format));
        CHECK(trilo_format_for_path(name) == trilo_format_at(i));
    }
}

TEST(unknown_formats)
{
    CHECK(trilo_format_get(TRILO_FORMAT_UNKNOWN) == NULL);
    CHECK(trilo_format_get((trilo_format)99) == NULL);
    CHECK(tl_registry_get(TRILO_FORMAT_UNKNOWN) == NULL);
    CHECK(trilo_format_find("") == NULL);
    CHECK(trilo_format_find("nl") == NULL);
    CHECK(trilo_format_find("nlmx") == NULL);
    CHECK(trilo_format_find("obj") == NULL);
}

TEST(formats_by_extension)
{
    static const char *const ours[] = {"hero.nlm", "HERO.NLM", "a.b.NlM", "dir/x.nlm", "/some.dir/x.nLm", "./.x.nlm"};
    for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++) {
        const trilo_format_info *info = trilo_format_for_path(ours[i]);
        if (!info)
            FAIL("%s is not known", ours[i]);
        CHECK_INT(info->format, TRILO_FORMAT_NLM);
    }
    static const char *const others[] = {
        "",          "nlm",      "hero",         "hero.",    "hero.nl",   "hero.nlmm", "hero.nlm.", "hero.nlm.bak",
        "hero.xnlm", "hero.xlm", "dir.nlm/hero", "hero nlm", "hero.nlm ", "hero. nlm", "hero.NLN"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (trilo_format_for_path(others[i]))
            FAIL("%s is known", others[i]);
}

/* ---- content ---- */

static trilo_format format_of(const char *bytes, size_t size)
{
    const tl_format *found = tl_registry_probe((trilo_bytes){(const uint8_t *)bytes, size});
    trilo_format format = trilo_format_probe(bytes, size);
    CHECK_INT(found ? found->info.format : TRILO_FORMAT_UNKNOWN, format);
    return format;
}

/* LDOM at byte 4, behind a hash, or at byte 0 in the older form; written the other way round in some files. */
TEST(formats_by_content)
{
    CHECK_INT(format_of("hashLDOM\2\0\0\0\0\0\0\0", 16), TRILO_FORMAT_NLM);
    CHECK_INT(format_of("LDOM\2\0\0\0\0\0\0\0", 12), TRILO_FORMAT_NLM);
    CHECK_INT(format_of("hashMODL\2\0\0\0\0\0\0\0", 16), TRILO_FORMAT_NLM);
    CHECK_INT(format_of("LDOM", 4), TRILO_FORMAT_NLM);
    CHECK_INT(format_of("hashLDOM", 8), TRILO_FORMAT_NLM);
}

TEST(content_that_is_unknown)
{
    CHECK_INT(format_of("LDO", 3), TRILO_FORMAT_UNKNOWN);
    CHECK_INT(format_of("hashLDO", 7), TRILO_FORMAT_UNKNOWN);
    CHECK_INT(format_of("LDoM\2\0\0\0", 8), TRILO_FORMAT_UNKNOWN);
    CHECK_INT(format_of("12LDOM\2\0\0\0", 10), TRILO_FORMAT_UNKNOWN);
    CHECK_INT(format_of("\x89PNG\r\n\x1A\n", 8), TRILO_FORMAT_UNKNOWN);
    CHECK_INT(format_of("", 0), TRILO_FORMAT_UNKNOWN);
    CHECK_INT(trilo_format_probe(NULL, 0), TRILO_FORMAT_UNKNOWN);
}

/* ---- rules ---- */

/* Where `rules` stand in the list, one behind the other; the place behind them. */
static size_t check_listed(size_t from, const trilo_rule *rules, size_t count)
{
    while (trilo_rule_at(from) && trilo_rule_at(from) != rules)
        from++;
    for (size_t i = 0; i < count; i++)
        CHECK(trilo_rule_at(from + i) == &rules[i]);
    return from + count;
}

/* First the rules that belong to no format, then each format's own. */
TEST(all_rules_are_listed)
{
    CHECK(trilo_rule_at(0) == &tl_general_rules[0]);
    size_t end = check_listed(0, tl_general_rules, TL_GENERAL_RULE_COUNT);
    for (size_t i = 0; tl_registry_at(i); i++)
        end = check_listed(end, tl_registry_at(i)->rules, tl_registry_at(i)->rule_count);
    CHECK(trilo_rule_at(end) == NULL);
    CHECK(trilo_rule_at(end + 1) == NULL);
    CHECK(trilo_rule_at(SIZE_MAX) == NULL);
}

/* LIKE-THIS: upper case, digits, single dashes inside. */
static bool name_is_neat(const char *name)
{
    size_t length = strlen(name), dashes = 0;
    for (size_t i = 0; i < length; i++) {
        bool dash = name[i] == '-';
        dashes += dash ? 1 : 0;
        if (dash ? i == 0 || i + 1 == length || name[i - 1] == '-'
                 : !strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", name[i]))
            return false;
    }
    return dashes >= 1;
}

static bool is_sentence(const char *text)
{
    return text && strlen(text) >= 10 && text[strlen(text) - 1] == '.' && !strchr(text, '\n');
}

TEST(rules_are_explained)
{
    const trilo_rule *rule;
    for (size_t i = 0; (rule = trilo_rule_at(i)); i++) {
        if (!rule->name || !name_is_neat(rule->name))
            FAIL("rule %u: name \"%s\"", (unsigned)i, rule->name ? rule->name : "(none)");
        if (!is_sentence(rule->cause) || !is_sentence(rule->cure))
            FAIL("%s lacks a cause or a cure", rule->name);
        if (rule->severity < TRILO_SEVERITY_NOTE || rule->severity > TRILO_SEVERITY_CRASH)
            FAIL("%s has no severity", rule->name);
        if (strcmp(trilo_finding_kind_name(rule->kind), "unknown") == 0)
            FAIL("%s has no kind", rule->name);
        if (strstr(rule->name, "-LOST-") && rule->kind != TRILO_FINDING_KIND_LOSS)
            FAIL("%s is about a loss", rule->name);
    }
}

TEST(rules_have_names_of_their_own)
{
    for (size_t i = 0; trilo_rule_at(i); i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(trilo_rule_at(i)->name, trilo_rule_at(k)->name) == 0)
                FAIL("two rules named %s", trilo_rule_at(i)->name);
}

TEST(rules_are_found)
{
    for (size_t i = 0; trilo_rule_at(i); i++)
        CHECK(trilo_rule_find(trilo_rule_at(i)->name) == trilo_rule_at(i));
    CHECK_INT(trilo_rule_find("MODEL-SIZE")->severity, TRILO_SEVERITY_WARNING);
    CHECK_INT(trilo_rule_find("FILE-READ")->severity, TRILO_SEVERITY_ERROR);
    CHECK(trilo_rule_find("") == NULL);
    CHECK(trilo_rule_find("FILE-REA") == NULL);
    CHECK(trilo_rule_find("FILE-READS") == NULL);
    CHECK(trilo_rule_find("file-read") == NULL);
}

/* An old name leads to a rule that exists, and is no rule's name any more. */
TEST(renamed_rules_are_found)
{
    const trilo_rule_alias *alias;
    size_t count = 0;
    for (; (alias = trilo_rule_alias_at(count)); count++) {
        const trilo_rule *rule = trilo_rule_find(alias->old_name);
        if (!rule || strcmp(rule->name, alias->name) != 0)
            FAIL("%s does not lead to %s", alias->old_name, alias->name);
        for (size_t i = 0; trilo_rule_at(i); i++)
            CHECK(strcmp(trilo_rule_at(i)->name, alias->old_name) != 0);
    }
    CHECK(count > 0);
    CHECK_STR(trilo_rule_find("GLTF-LOST-NOTES")->name, "GLTF-LOST-EXTRAS");
    CHECK(trilo_rule_alias_at(SIZE_MAX) == NULL);
}

TEST(severities_have_names)
{
    CHECK_STR(trilo_severity_name(TRILO_SEVERITY_NOTE), "note");
    CHECK_STR(trilo_severity_name(TRILO_SEVERITY_WARNING), "warning");
    CHECK_STR(trilo_severity_name(TRILO_SEVERITY_ERROR), "error");
    CHECK_STR(trilo_severity_name(TRILO_SEVERITY_CRASH), "console-crash");
    CHECK_STR(trilo_severity_name((trilo_severity)4), "unknown");
}

TEST(kinds_have_names)
{
    CHECK_STR(trilo_finding_kind_name(TRILO_FINDING_KIND_STRUCTURE), "structure");
    CHECK_STR(trilo_finding_kind_name(TRILO_FINDING_KIND_LOSS), "loss");
    CHECK_STR(trilo_finding_kind_name(TRILO_FINDING_KIND_UNSUPPORTED), "unsupported");
    CHECK_STR(trilo_finding_kind_name(TRILO_FINDING_KIND_ADVICE), "advice");
    CHECK_STR(trilo_finding_kind_name(TRILO_FINDING_KIND_CONFORMANCE), "conformance");
    CHECK_STR(trilo_finding_kind_name((trilo_finding_kind)5), "unknown");
}

/* ---- the reference ---- */

typedef struct collected {
    char text[65536];
    size_t size, calls, refuse_at;
} collected;

static bool collect(void *user, const void *bytes, size_t size)
{
    collected *c = user;
    if (++c->calls == c->refuse_at || size >= sizeof c->text - c->size)
        return false;
    memcpy(c->text + c->size, bytes, size);
    c->size += size;
    return true;
}

TEST(a_format_has_a_reference)
{
    static collected c;
    CHECK(trilo_format_reference(TRILO_FORMAT_NLM, collect, &c));
    c.text[c.size] = '\0';
    CHECK(strncmp(c.text, "# NLM 2.0", 9) == 0);
    static const char *const parts[] = {"\n### header\n", "\n### bounds\n", "\n### mesh\n",
                                        "\n### vertex\n", "\n### clip\n",   "\n### bone\n",
                                        "\n### track\n",  "\n### node\n",   "| 0x2C | s32[4] | bone_ids |"};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (!strstr(c.text, parts[i]))
            FAIL("no \"%s\" in the reference", parts[i]);
}

/* Wherever the sink refuses, the answer is false and it is left in peace. */
TEST(a_sink_may_refuse_the_reference)
{
    static collected c;
    memset(&c, 0, sizeof c);
    CHECK(trilo_format_reference(TRILO_FORMAT_NLM, collect, &c));
    const size_t all = c.calls;
    for (size_t refuse = 1; refuse <= all; refuse++) {
        memset(&c, 0, sizeof c);
        c.refuse_at = refuse;
        CHECK(!trilo_format_reference(TRILO_FORMAT_NLM, collect, &c));
        CHECK_INT(c.calls, refuse);
    }
}

/* tests/packages/kaitai.sh reads real files with them. */
TEST(a_format_is_described_for_other_programs)
{
    static collected c;
    memset(&c, 0, sizeof c);
    CHECK(trilo_format_describe(TRILO_FORMAT_NLM, TRILO_DESCRIPTION_KSY, collect, &c));
    c.text[c.size] = '\0';
    CHECK(strstr(c.text, "\nmeta:\n  id: nlm\n") && strstr(c.text, "\n  vertex_record:\n"));
    /* Both kinds of header have a magic; only one has a hash in front of it. */
    CHECK(strstr(c.text, "- id: hash\n        type: u4\n        if: _root.layout_version == 2\n"));
    const char *magic = strstr(c.text, "- id: magic\n");
    CHECK(magic && !strstr(magic + 1, "- id: magic\n") &&
          strstr(magic, "- id: version\n        type: u4\n        doc:"));
    memset(&c, 0, sizeof c);
    CHECK(trilo_format_describe(TRILO_FORMAT_NLM, TRILO_DESCRIPTION_HEXPAT, collect, &c));
    CHECK(strstr(c.text, "    s32 bone_ids[4] [[comment(\"bone indices (not node ids); -1: unused\")]];\n"));
    const size_t all = c.calls;
    for (size_t refuse = 1; refuse <= all; refuse += 7) {
        memset(&c, 0, sizeof c);
        c.refuse_at = refuse;
        CHECK(!trilo_format_describe(TRILO_FORMAT_NLM, TRILO_DESCRIPTION_HEXPAT, collect, &c));
        CHECK_INT(c.calls, refuse);
    }
    memset(&c, 0, sizeof c);
    CHECK(!trilo_format_describe(TRILO_FORMAT_UNKNOWN, TRILO_DESCRIPTION_KSY, collect, &c));
    CHECK(!trilo_format_describe(TRILO_FORMAT_NLM, (trilo_description)9, collect, &c));
    CHECK_INT(c.calls, 0);
}

TEST(an_unknown_format_has_no_reference)
{
    static collected c;
    memset(&c, 0, sizeof c);
    CHECK(!trilo_format_reference(TRILO_FORMAT_UNKNOWN, collect, &c));
    CHECK(!trilo_format_reference((trilo_format)99, collect, &c));
    CHECK_INT(c.calls, 0);
}

TEST_MAIN(CASE(formats_are_listed), CASE(formats_are_whole), CASE(extensions_of_new_files), CASE(unknown_formats),
          CASE(formats_by_extension), CASE(formats_by_content), CASE(content_that_is_unknown),
          CASE(all_rules_are_listed), CASE(rules_are_explained), CASE(rules_have_names_of_their_own),
          CASE(rules_are_found), CASE(renamed_rules_are_found), CASE(severities_have_names), CASE(kinds_have_names),
          CASE(a_format_has_a_reference), CASE(a_sink_may_refuse_the_reference),
          CASE(a_format_is_described_for_other_programs), CASE(an_unknown_format_has_no_reference))
