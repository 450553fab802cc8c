/* The records of ROMs and DragonFS images, as measured on files of libdragon's tools of 2024 and 2026. */
#include "container/rom.h"

static const tl_field rompak_head_rows[] = {
    TL_ROW(tl_rompak_head, magic, TL_U8, 0x0, TL_ROMPAK_2024, 0, 0, 0, NULL, "`TOC0`"),
    {"size", TL_U32, 1, 0x4, offsetof(tl_rompak_head, size), TL_ROMPAK_2024, TL_ROMPAK_2024, 0, 0, NULL,
     "bytes of the table"},
    TL_ROW(tl_rompak_head, entry_size, TL_U32, 0x8, TL_ROMPAK_2024, TL_ROMPAK_2024, 0, 0, NULL, "bytes of an entry"),
    TL_ROW(tl_rompak_head, entry_count, TL_U32, 0xC, TL_ROMPAK_2024, TL_ROMPAK_2024, 0, 0, NULL, "number of entries"),
    TL_ROW(tl_rompak_head, cookie, TL_U32, 0x4, TL_ROMPAK_2026, 0, 0, 0, NULL, "a random number of the build"),
    {"size", TL_U32, 1, 0x8, offsetof(tl_rompak_head, size), TL_ROMPAK_2026, 0, 0, 0, NULL, "bytes of the table"},
    TL_ROW(tl_rompak_head, entry_size16, TL_U16, 0xC, TL_ROMPAK_2026, 0, 0, 0, NULL, "bytes of an entry"),
    TL_ROW(tl_rompak_head, entry_count16, TL_U16, 0xE, TL_ROMPAK_2026, 0, 0, 0, NULL, "number of entries"),
};
const tl_layout tl_rompak_head_layout =
    TL_TABLE("rompak", TL_BIG, rompak_head_rows, "At a multiple of 16 behind the boot code.");

static const tl_field rompak_entry_rows[] = {
    TL_ROW(tl_rompak_entry, offset, TL_U32, 0x0, TL_ROMPAK_2024, 0, 0, 0, NULL, "of the file in the ROM"),
    TL_ROW(tl_rompak_entry, size, TL_U32, 0x4, TL_ROMPAK_2026, 0, 0, 0, NULL, "of the file"),
};
const tl_layout tl_rompak_entry_layout =
    TL_TABLE("entry", TL_BIG, rompak_entry_rows, "The name follows, up to the size of an entry.");

static const tl_field dfs_entry_rows[] = {
    TL_ROW(tl_dfs_entry, next, TL_U32, 0x0, TL_DFS_20, 0, 0, 0, NULL,
           "offset of the next entry of the directory; 0: this is the last"),
    TL_ROW(tl_dfs_entry, kind_size, TL_U32, 0x4, TL_DFS_20, 0, 0, 0, NULL,
           "bits 28 to 31: 0 file, 1 directory; below: size in bytes"),
    TL_ROW(tl_dfs_entry, offset, TL_U32, 0x8, TL_DFS_21, 0, 0, 0, NULL,
           "offset of the contents, or of the first entry of the directory"),
};
const tl_layout tl_dfs_entry_layout = TL_TABLE("entry", TL_BIG, dfs_entry_rows,
                                               "The name follows, with a NUL. In 2.0 an entry has 256 bytes, and the "
                                               "offset of the contents is at byte 252.");

const trilo_rule tl_rom_rules[TL_ROM_RULE_COUNT] = {
    [TL_ROM_R_UNKNOWN] =
        {"ROM-UNKNOWN", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_UNSUPPORTED,
         "The file is neither a ROM with a DragonFS file system nor a DragonFS image.",
         "Only ROMs built with libdragon have such a file system. A game of libdragon may also have no files."},
    [TL_ROM_R_TRUNCATED] = {"ROM-TRUNCATED", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_STRUCTURE,
                            "An entry of the file system, or the contents of a file, are past the end of the ROM.",
                            "The file is truncated or damaged. Get it or build it again."},
    [TL_ROM_R_ENTRY] = {"ROM-ENTRY", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_STRUCTURE,
                        "An entry of the file system is neither a file nor a directory, or its name is invalid.",
                        "The file is damaged. Get it or build it again."},
    [TL_ROM_R_LOOP] = {"ROM-LOOP", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_STRUCTURE,
                       "The directories of the file system lead back to themselves.",
                       "The file is damaged. Get it or build it again."},
    [TL_ROM_R_LIMIT] =
        {"ROM-LIMIT", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_UNSUPPORTED,
         "The file system has more than 65,536 files, directories nested more than 100 deep, or a path of more than "
         "1,000 bytes.",
         "No game needs that many; the file is probably damaged."},
};
