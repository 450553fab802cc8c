/* Descriptions of records for programs that show files: types of Kaitai Struct, and structs of ImHex's pattern
 * language. */
#include "layout/describe.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static void describe_put(tl_sink *sink, const char *text)
{
    tl_sink_put(sink, text, strlen(text));
}

/* "vertex pair" and "s.low" as identifiers. */
static void describe_put_name(tl_sink *sink, const char *name)
{
    for (; *name; name++) {
        const char c = isalnum((unsigned char)*name) ? (char)tolower((unsigned char)*name) : '_';
        tl_sink_put(sink, &c, 1);
    }
}

/* Quoted as in JSON, which YAML and the pattern language read, too. */
static void describe_put_quoted(tl_sink *sink, const char *text)
{
    describe_put(sink, "\"");
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            describe_put(sink, "\\");
        tl_sink_put(sink, text, 1);
    }
    describe_put(sink, "\"");
}

/* Versions of a format move fields. Both languages read one field after the other, so a field that every version has is
 * listed once, at its last row, and only what some versions lack has a condition. */
static bool describe_is_moved(const tl_layout *layout, const tl_field *field, bool later)
{
    for (const tl_field *f = layout->fields; f < layout->fields + layout->field_count; f++)
        if (f != field && (!later || f > field) && strcmp(f->name, field->name) == 0)
            return true;
    return false;
}

static void describe_put_condition(tl_sink *sink, const tl_field *f, const char *version, const char *both)
{
    char text[96];
    const int length = f->until == 0          ? snprintf(text, sizeof text, "%s >= %u", version, f->since)
                       : f->since == f->until ? snprintf(text, sizeof text, "%s == %u", version, f->since)
                                              : snprintf(text, sizeof text, "%s >= %u %s %s <= %u", version, f->since,
                                                         both, version, f->until);
    tl_sink_put(sink, text, (size_t)length);
}

static void describe_ksy_type(const tl_layout *layout, tl_sink *sink)
{
    static const char *const kinds[] = {"u1", "u2", "u4", "u8", "s2", "s4", "f4", "s1"};
    char text[64];
    describe_put(sink, "  ");
    describe_put_name(sink, layout->name);
    describe_put(sink, "_record:\n    doc: "); /* an `object` alone would hide JavaScript's */
    describe_put_quoted(sink, layout->meaning);
    describe_put(sink, "\n    seq:\n");
    for (const tl_field *f = layout->fields; f < layout->fields + layout->field_count; f++) {
        if (describe_is_moved(layout, f, true))
            continue;
        describe_put(sink, "      - id: ");
        describe_put_name(sink, f->name);
        snprintf(text, sizeof text, "\n        type: %s\n", kinds[f->kind]);
        describe_put(sink, text);
        if (f->count > 1) {
            snprintf(text, sizeof text, "        repeat: expr\n        repeat-expr: %u\n", (unsigned)f->count);
            describe_put(sink, text);
        }
        if ((f->since || f->until) && !describe_is_moved(layout, f, false)) {
            describe_put(sink, "        if: ");
            describe_put_condition(sink, f, "_root.layout_version", "and");
            describe_put(sink, "\n");
        }
        if (*f->meaning) {
            describe_put(sink, "        doc: ");
            describe_put_quoted(sink, f->meaning);
            describe_put(sink, "\n");
        }
    }
}

/* Words of the pattern language get an underscore. */
static void describe_put_member(tl_sink *sink, const char *name)
{
    static const char *const words[] = {"parent", "this", "padding", "match", "null", "in", "out", "ref"};
    describe_put_name(sink, name);
    for (size_t i = 0; i < TL_COUNT_OF(words); i++)
        if (strcmp(words[i], name) == 0)
            describe_put(sink, "_");
}

static void describe_hexpat_struct(const tl_layout *layout, tl_sink *sink)
{
    static const char *const kinds[] = {"u8", "u16", "u32", "u64", "s16", "s32", "float", "s8"};
    char text[64];
    describe_put(sink, "// ");
    describe_put(sink, layout->meaning);
    describe_put(sink, "\nstruct ");
    describe_put_name(sink, layout->name);
    describe_put(sink, " {\n");
    for (const tl_field *f = layout->fields; f < layout->fields + layout->field_count; f++) {
        if (describe_is_moved(layout, f, true))
            continue;
        const bool conditional = (f->since || f->until) && !describe_is_moved(layout, f, false);
        describe_put(sink, "    ");
        if (conditional) {
            describe_put(sink, "if (");
            describe_put_condition(sink, f, "layout_version", "&&");
            describe_put(sink, ") ");
        }
        describe_put(sink, kinds[f->kind]);
        describe_put(sink, " ");
        describe_put_member(sink, f->name);
        if (f->count > 1) {
            snprintf(text, sizeof text, "[%u]", (unsigned)f->count);
            describe_put(sink, text);
        }
        if (*f->meaning) {
            describe_put(sink, " [[comment(");
            describe_put_quoted(sink, f->meaning);
            describe_put(sink, ")]]");
        }
        describe_put(sink, ";\n");
    }
    describe_put(sink, "};\n\n");
}

void tl_describe_ksy(const tl_description *description, tl_sink *sink)
{
    describe_put(sink, "# Made by `trilobite formats --reference ");
    describe_put(sink, description->name);
    describe_put(sink, " --language ksy` from the tables that read and write the format.\n");
    describe_put(sink, description->ksy);
    for (size_t i = 0; i < description->layout_count; i++)
        describe_ksy_type(description->layouts[i], sink);
}

void tl_describe_hexpat(const tl_description *description, tl_sink *sink)
{
    describe_put(sink, "// Made by `trilobite formats --reference ");
    describe_put(sink, description->name);
    describe_put(sink, " --language hexpat` from the tables that read and write the format.\n"
                       "// Untried: no test of Trilobite runs ImHex.\n"
                       "#pragma author Trilobite\n#pragma description ");
    describe_put(sink, description->title);
    describe_put(sink, "\n");
    describe_put(sink, description->hexpat_start);
    for (size_t i = 0; i < description->layout_count; i++)
        describe_hexpat_struct(description->layouts[i], sink);
    describe_put(sink, description->hexpat);
}
