/* Every row of the tables of ROMs, sprites and compressed assets: where a field is, in which versions, and its range.
 */
#include "container/dca.h"
#include "container/rom.h"
#include "container/sprite.h"
#include "harness.h"

#include <string.h>

typedef struct row {
    const char *name;
    tl_kind kind;
    unsigned count, at, since, until;
    int64_t min, max;
} row;

static void check_rows(const tl_layout *layout, const row *rows, size_t count)
{
    CHECK_INT(layout->field_count, count);
    CHECK_INT(layout->order, TL_BIG);
    for (size_t i = 0; i < count; i++) {
        const tl_field *f = &layout->fields[i];
        CHECK_STR(f->name, rows[i].name);
        if (f->kind != rows[i].kind || f->count != rows[i].count || f->at != rows[i].at || f->since != rows[i].since ||
            f->until != rows[i].until || f->min != rows[i].min || f->max != rows[i].max)
            FAIL("%s.%s", layout->name, f->name);
        CHECK((f->rule != NULL) == (f->min != f->max));
        CHECK(f->meaning[0] != '\0');
    }
}
#define CHECK_ROWS(layout, rows) check_rows(&(layout), rows, sizeof(rows) / sizeof *(rows))

TEST(roms)
{
    enum { OLD = TL_ROMPAK_2024, NEW = TL_ROMPAK_2026 };
    static const row head[] = {
        {"magic", TL_U8, 4, 0, OLD, 0, 0, 0},          {"size", TL_U32, 1, 4, OLD, OLD, 0, 0},
        {"entry_size", TL_U32, 1, 8, OLD, OLD, 0, 0},  {"entry_count", TL_U32, 1, 12, OLD, OLD, 0, 0},
        {"cookie", TL_U32, 1, 4, NEW, 0, 0, 0},        {"size", TL_U32, 1, 8, NEW, 0, 0, 0},
        {"entry_size16", TL_U16, 1, 12, NEW, 0, 0, 0}, {"entry_count16", TL_U16, 1, 14, NEW, 0, 0, 0}};
    static const row entry[] = {{"offset", TL_U32, 1, 0, OLD, 0, 0, 0}, {"size", TL_U32, 1, 4, NEW, 0, 0, 0}};
    static const row file[] = {{"next", TL_U32, 1, 0, TL_DFS_20, 0, 0, 0},
                               {"kind_size", TL_U32, 1, 4, TL_DFS_20, 0, 0, 0},
                               {"offset", TL_U32, 1, 8, TL_DFS_21, 0, 0, 0}};
    CHECK_ROWS(tl_rompak_head_layout, head);
    CHECK_ROWS(tl_rompak_entry_layout, entry);
    CHECK_ROWS(tl_dfs_entry_layout, file);
    CHECK_INT(tl_layout_size(&tl_rompak_head_layout, OLD), 16);
    CHECK_INT(tl_layout_size(&tl_rompak_head_layout, NEW), 16);
    CHECK_INT(tl_layout_size(&tl_rompak_entry_layout, OLD), 4);
    CHECK_INT(tl_layout_size(&tl_rompak_entry_layout, NEW), 8);
}

TEST(sprites)
{
    static const row head[] = {{"width", TL_U16, 1, 0, 0, 0, 0, 0},
                               {"height", TL_U16, 1, 2, 0, 0, 0, 0},
                               {"depth", TL_U8, 1, 4, 0, 0, 0, 0},
                               {"format", TL_U8, 1, 5, 0, 0, 0, 0},
                               {"slices", TL_U8, 2, 6, 0, 0, 0, 0}};
    static const row extra[] = {{"size", TL_U16, 1, 0, 0, 0, 0, 0},
                                {"version", TL_U16, 1, 2, 0, 0, 0, 0},
                                {"palette", TL_U32, 1, 4, 0, 0, 0, 0}};
    static const row image[] = {{"width", TL_U16, 1, 0, 0, 0, 0, 0},
                                {"height", TL_U16, 1, 2, 0, 0, 0, 0},
                                {"format_offset", TL_U32, 1, 4, 0, 0, 0, 0}};
    static const row flags[] = {{"flags", TL_U16, 1, 0, 0, 0, 0, 0},
                                {"colors", TL_U8, 1, 2, 0, 0, 0, 0},
                                {"reserved", TL_U8, 1, 3, 0, 0, 0, 0}};
    static const row sampling[] = {{"translate", TL_F32, 1, 0, 0, 0, 0, 0},
                                   {"repeats", TL_F32, 1, 4, 0, 0, 0, 0},
                                   {"scale", TL_S16, 1, 8, 0, 0, 0, 0},
                                   {"mirror", TL_U8, 1, 10, 0, 0, 0, 0},
                                   {"reserved", TL_U8, 1, 11, 0, 0, 0, 0}};
    static const row detail[] = {{"factor", TL_F32, 1, 0, 0, 0, 0, 0},
                                 {"reuses", TL_U8, 1, 4, 0, 0, 0, 0},
                                 {"padding", TL_U8, 3, 5, 0, 0, 0, 0},
                                 {"texels", TL_U32, 1, 8, 6, 0, 0, 0}};
    CHECK_ROWS(tl_sprite_head_layout, head);
    CHECK_ROWS(tl_sprite_extra_layout, extra);
    CHECK_ROWS(tl_sprite_image_layout, image);
    CHECK_ROWS(tl_sprite_flags_layout, flags);
    CHECK_ROWS(tl_sprite_sampling_layout, sampling);
    CHECK_ROWS(tl_sprite_detail_layout, detail);
    CHECK(tl_sprite_images_at() == 8 && tl_sprite_flags_at() == 64 && tl_sprite_samplings_at() == 68 &&
          tl_sprite_detail_at() == 116);
}

TEST(compressed_assets)
{
    static const row header[] = {{"magic", TL_U8, 3, 0, TL_DCA_PREFIX, 0, 0, 0},
                                 {"version", TL_U8, 1, 3, TL_DCA_PREFIX, 0, 0, 0},
                                 {"level", TL_U16, 1, 4, TL_DCA_3, TL_DCA_3, 1, 3},
                                 {"flags", TL_U16, 1, 6, TL_DCA_3, TL_DCA_3, 0, 0},
                                 {"compressed_size", TL_U32, 1, 8, TL_DCA_3, TL_DCA_3, 0, 0},
                                 {"size", TL_U32, 1, 12, TL_DCA_3, TL_DCA_3, 0, 0},
                                 {"margin", TL_U32, 1, 16, TL_DCA_3, TL_DCA_3, 0, 0},
                                 {"settings", TL_U8, 1, 4, TL_DCA_5, TL_DCA_5, 0, 0}};
    static const uint32_t kilobytes[TL_DCA_WINDOWS] = {16, 8, 4, 2, 32, 64, 128, 256};
    CHECK_ROWS(tl_dca_header_layout, header);
    for (int i = 0; i < TL_DCA_WINDOWS; i++)
        CHECK_INT(tl_dca_windows[i], kilobytes[i] * 1024);
}

TEST_MAIN(CASE(roms), CASE(sprites), CASE(compressed_assets))
