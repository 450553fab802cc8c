/* folder.h: the files below a folder. */
#ifndef TL_CLI_FOLDER_H
#define TL_CLI_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct cli_scan {
    size_t count;
    char **paths; /* sorted; each begins with the folder */
    bool cut;     /* there are more than anybody should have to wait for */
} cli_scan;

/* All whose name ends so, in folders below too. Links are followed, but no folder is entered twice. */
cli_scan scan_folder(const char *folder, const char *ending);
void scan_free(cli_scan *scan);

#endif
