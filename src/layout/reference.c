/* The Markdown reference of a layout table, and the check of the table itself. */
#include "base/compiler.h"
#include "layout/layout.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void layout_printf(tl_sink *sink, const char *format, ...) TL_PRINTF_LIKE(2, 3);
/* At most 511 bytes. */
static void layout_printf(tl_sink *sink, const char *format, ...)
{
    char line[512];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (length > 0)
        tl_sink_put(sink, line, (size_t)length < sizeof line ? (size_t)length : sizeof line - 1);
}

/* Texts of any length. */
static void layout_put_text(tl_sink *sink, const char *text)
{
    tl_sink_put(sink, text, strlen(text));
}

static void layout_put_versions(tl_sink *sink, const tl_field *f)
{
    if (f->until == 0 && f->since == 0)
        layout_printf(sink, " all |");
    else if (f->until == 0)
        layout_printf(sink, " %u and later |", f->since);
    else if (f->since == 0)
        layout_printf(sink, f->until == 1 ? " %u |" : " up to %u |", f->until);
    else if (f->since == f->until)
        layout_printf(sink, " %u |", f->since);
    else
        layout_printf(sink, " %u to %u |", f->since, f->until);
}

void tl_layout_reference(const tl_layout *layout, tl_sink *sink)
{
    static const char *const kind_names[] = {"u8", "u16", "u32", "u64", "s16", "s32", "f32", "s8"};
    bool versions = false;
    for (size_t i = 0; i < layout->field_count; i++)
        versions = versions || layout->fields[i].since != 0 || layout->fields[i].until != 0;
    layout_printf(sink, "### %s\n\n", layout->name);
    layout_put_text(sink, layout->meaning);
    layout_printf(sink, "\n\n");
    if (!versions)
        layout_printf(sink, "%zu bytes.\n\n", tl_layout_size(layout, TL_UNVERSIONED));
    layout_printf(sink, "| at | kind | field |%s legal | meaning |\n", versions ? " version |" : "");
    layout_printf(sink, "| --- | --- | --- |%s --- | --- |\n", versions ? " --- |" : "");
    for (const tl_field *f = layout->fields; f < layout->fields + layout->field_count; f++) {
        layout_printf(sink, "| 0x%02X | %s", f->at, kind_names[f->kind]);
        if (f->count > 1)
            layout_printf(sink, "[%u]", f->count);
        layout_printf(sink, " | %s |", f->name);
        if (versions)
            layout_put_versions(sink, f);
        if (f->min != f->max)
            layout_printf(sink, " %" PRId64 " to %" PRId64, f->min, f->max);
        else if (f->min != 0)
            layout_printf(sink, " %" PRId64, f->min);
        layout_printf(sink, " | ");
        layout_put_text(sink, f->meaning);
        layout_printf(sink, " |\n");
    }
    layout_printf(sink, "\n");
}

bool tl_layout_ok(const tl_layout *layout, unsigned version, trilo_error *err)
{
    size_t covered = 0, rows = 0;
    for (size_t at = 0; at < tl_layout_size(layout, version); rows++) {
        const tl_field *f = tl_layout_row_at(layout, version, at);
        if (!f)
            return tl_fail(err, TRILO_CODE_BAD_VALUE, NULL, at, NULL, "%s: no row starts at byte %zu", layout->name,
                           at);
        if (f->count == 0 || f->count > TL_FIELD_MOST)
            return tl_fail(err, TRILO_CODE_BAD_VALUE, NULL, at, NULL, "%s: %s has %u numbers, 1 to %d can be",
                           layout->name, f->name, (unsigned)f->count, TL_FIELD_MOST);
        if (tl_layout_field(layout, version, f->name) != f)
            return tl_fail(err, TRILO_CODE_BAD_VALUE, NULL, at, NULL, "%s: two rows named %s", layout->name, f->name);
        at += f->count * tl_kind_width(f->kind);
        covered = at;
    }
    for (const tl_field *f = layout->fields; f < layout->fields + layout->field_count; f++)
        rows -= tl_field_in(f, version) ? 1 : 0;
    if (covered == 0 || rows != 0)
        return tl_fail(err, TRILO_CODE_BAD_VALUE, NULL, covered, NULL, "%s: rows overlap", layout->name);
    return true;
}
