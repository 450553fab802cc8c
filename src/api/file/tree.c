/* trilo_tree: the files below a folder, for programs. */
#include "api/file/folder_scan.h"
#include "base/report.h"
#include "trilobite/file.h"

typedef struct tree_files {
    tl_arena arena; /* the struct itself lives in it */
    trilo_tree tree;
} tree_files;

static void tree_fail(const tl_folder_scan *scan, trilo_error *err)
{
    char folder[256];
    if (scan->out_of_memory) {
        tl_fail_memory(err);
        return;
    }
    tl_escape(scan->unread, folder, sizeof folder);
    tl_fail(err, TRILO_CODE_CANT_READ, &tl_general_rules[TL_FILE_READ], TRILO_NOWHERE, NULL,
            "a folder in it cannot be read: %s", folder);
}

const trilo_tree *trilo_tree_list(const char *folder, const trilo_memory *memory, trilo_error *err)
{
    tl_arena arena;
    tl_arena_init(&arena, memory);
    tree_files *files = TL_NEW(&arena, tree_files);
    const tl_folder_scan scan = files ? tl_folder_scan_tree(&arena, folder) : (tl_folder_scan){.out_of_memory = true};
    if (scan.out_of_memory || scan.unread) {
        tree_fail(&scan, err);
        tl_arena_free(&arena);
        return NULL;
    }
    files->tree = (trilo_tree){scan.count, scan.paths};
    files->arena = arena;
    return &files->tree;
}

void trilo_tree_free(const trilo_tree *tree)
{
    if (!tree)
        return;
    tl_arena arena = ((const tree_files *)(const void *)((const char *)tree - offsetof(tree_files, tree)))->arena;
    tl_arena_free(&arena);
}
