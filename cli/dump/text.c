/* text.c: records as indented text, the byte offset of each in front. */
#include "dump/dump.h"

#include "info/info.h"

#include <inttypes.h>
#include <string.h>

enum { PACKED = 16, SHOWN = 16 }; /* list elements and bytes of a blob on one line */

typedef struct cli_listing {
    const cli_screen *screen;
    unsigned depth;
    bool blobs;
    bool open; /* the line can take another element of a list */
} cli_listing;

static void close_line(cli_listing *listing)
{
    if (listing->open)
        fputc('\n', listing->screen->file);
    listing->open = false;
}

static void put_offset(cli_listing *listing, uint64_t offset)
{
    close_line(listing);
    screen_style(listing->screen, STYLE_DIM);
    fprintf(listing->screen->file, "0x%08" PRIX64, offset);
    screen_style(listing->screen, STYLE_PLAIN);
    fprintf(listing->screen->file, "%*s", (int)(2 + 2 * listing->depth), "");
}

static void put_label(cli_listing *listing, cli_label label)
{
    if (label.name)
        text_puts(listing->screen->file, label.name); /* of a glTF file, it is the file's own */
    else
        fprintf(listing->screen->file, "[%" PRIu32 "]", label.index);
}

static void dump_text_blob(cli_listing *listing, const trilo_value *value)
{
    FILE *out = listing->screen->file;
    uint32_t width, height;
    const trilo_bytes blob = value->as.blob;
    const size_t shown = listing->blobs || blob.size <= SHOWN ? blob.size : SHOWN;
    fprintf(out, "%zu byte%s", blob.size, text_plural(blob.size));
    const trilo_image_kind kind = trilo_image_probe(blob, &width, &height);
    if (kind != TRILO_IMAGE_KIND_UNKNOWN)
        fprintf(out, ", %s", info_image_kind(kind));
    if (blob.size > 0)
        fputc(':', out);
    for (size_t i = 0; i < shown; i++) {
        if (listing->blobs && i % SHOWN == 0) {
            fputc('\n', out);
            put_offset(listing, value->offset + i);
            fputc(' ', out);
        }
        fprintf(out, " %02X", (unsigned)blob.data[i]);
    }
    if (shown < blob.size)
        fputs(" ...", out);
}

static void dump_text_put_value(cli_listing *listing, cli_label label, const trilo_value *value)
{
    FILE *out = listing->screen->file;
    if (value->kind == TRILO_VALUE_KIND_BLOB) {
        dump_text_blob(listing, value);
    } else if (value->kind == TRILO_VALUE_KIND_TEXT) {
        fputc('"', out);
        text_put(out, (const char *)value->as.blob.data, value->as.blob.size);
        fputc('"', out);
    } else {
        /* The words of a command consist of bit fields. */
        const bool bits = value->kind == TRILO_VALUE_KIND_UINT && label.name && strcmp(label.name, "words") == 0;
        for (uint32_t i = 0; i < value->count; i++) {
            fputs(i ? " " : "", out);
            if (bits)
                fprintf(out, "0x%08" PRIX64, value->as.u[i]);
            else if (value->kind == TRILO_VALUE_KIND_UINT)
                fprintf(out, "%" PRIu64, value->as.u[i]);
            else if (value->kind == TRILO_VALUE_KIND_INT)
                fprintf(out, "%" PRId64, value->as.i[i]);
            else
                fputs(EXACT(value->as.f[i]), out);
        }
    }
}

static void dump_text_list(void *user, cli_label label, uint32_t count, uint64_t offset)
{
    cli_listing *listing = user;
    put_offset(listing, offset);
    put_label(listing, label);
    fprintf(listing->screen->file, " [%" PRIu32 "]\n", count);
    listing->depth++;
}

static void dump_text_record(void *user, cli_label label, uint64_t offset)
{
    cli_listing *listing = user;
    put_offset(listing, offset);
    screen_style(listing->screen, STYLE_HEAD);
    put_label(listing, label);
    screen_style(listing->screen, STYLE_PLAIN);
    fputc('\n', listing->screen->file);
    listing->depth++;
}

static void dump_text_end(void *user, uint32_t left_out)
{
    cli_listing *listing = user;
    close_line(listing);
    if (left_out > 0)
        fprintf(listing->screen->file, "%*s... %" PRIu32 " more\n", (int)(12 + 2 * listing->depth), "", left_out);
    listing->depth--;
}

/* Plain numbers of a list share lines. */
static void dump_text_value(void *user, cli_label label, const trilo_value *value)
{
    cli_listing *listing = user;
    const bool packs = !label.name && value->count == 1 &&
                       (value->kind != TRILO_VALUE_KIND_BLOB && value->kind != TRILO_VALUE_KIND_TEXT);
    if (packs && listing->open && label.index % PACKED != 0)
        fputc(' ', listing->screen->file);
    else
        put_offset(listing, value->offset);
    if (!packs) {
        put_label(listing, label);
        fputs(": ", listing->screen->file);
    }
    dump_text_put_value(listing, label, value);
    listing->open = packs;
    if (!packs)
        fputc('\n', listing->screen->file);
}

void dump_records_text(const cli_dump *dump)
{
    cli_listing listing = {.screen = &dump->args->out, .blobs = dump->blobs};
    const cli_walker walker = {&listing, dump_text_list, dump_text_record, dump_text_end, dump_text_value};
    dump_walk(dump, &walker);
}
