/* collision.h: collision meshes of Pyrite64 that are files of their own. */
#ifndef TL_CLI_COLLISION_H
#define TL_CLI_COLLISION_H

#include "ui/json.h"
#include "usage/args.h"

#include "trilobite/pyrite64.h"

/* The bytes, for the caller to free; size 0: it is not such a file. They have no signature, but a name of 16
 * hexadecimal digits. */
trilo_bytes collision_read(const char *path);

/* What is in it; `name` is that of the chunk or file. */
void collision_print(const cli_screen *screen, const char *name, trilo_bytes bytes);
void collision_json(cli_json *json, trilo_bytes bytes);

#endif
