/* folder_scan.h: the files below a folder. */
#ifndef TL_API_FOLDER_SCAN_H
#define TL_API_FOLDER_SCAN_H

#include "base/arena.h"

typedef struct tl_folder_scan {
    size_t count, capacity;
    const char **paths; /* sorted; each begins with the folder */
    bool cut;           /* there are more than anybody should have to wait for */
    bool out_of_memory;
    const char *unread; /* a folder that is there but cannot be opened: the first; NULL: none */
} tl_folder_scan;

/* All regular files whose name ends so, in folders below too. Symbolic links are not followed. */
tl_folder_scan tl_folder_scan_files(tl_arena *arena, const char *folder, const char *ending);
/* The same for the tree of a project, as large as it may be. Names that begin with a dot are passed over. */
tl_folder_scan tl_folder_scan_tree(tl_arena *arena, const char *folder);

#endif
