/* extract.h: what the parts of the command extract share. */
#ifndef TL_CLI_EXTRACT_EXTRACT_H
#define TL_CLI_EXTRACT_EXTRACT_H

#include "usage/args.h"

/* Lists the files of a ROM or a DragonFS image, or of a folder in it (game.z64:/models); with -o, writes them. False:
 * it is neither, and nothing was done. */
bool extract_rom(const cli_args *args, const char *path, exit_code *code);

#endif
