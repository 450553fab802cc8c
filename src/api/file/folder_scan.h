/* folder_scan.h: the files below a folder. */
#ifndef TL_API_FILE_FOLDER_SCAN_H
#define TL_API_FILE_FOLDER_SCAN_H

#include "base/arena.h"

typedef struct tl_folder_scan {
    size_t count, capacity;
    const char **paths; /* sorted; each begins with the folder */
    bool cut;           /* there are more than the limit, and the rest is left out */
    bool out_of_memory;
    const char *unread; /* a folder that is there but cannot be opened: the first; NULL: none */
} tl_folder_scan;

/* All regular files with that ending, in folders below too. Symbolic links are not followed. */
tl_folder_scan tl_folder_scan_files(tl_arena *arena, const char *folder, const char *ending);
/* All files of the tree of a project, practically without a limit. Names that begin with a dot are skipped. */
tl_folder_scan tl_folder_scan_tree(tl_arena *arena, const char *folder);

#endif
