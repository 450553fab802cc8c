/* foreign_file.h: recognizes files of other formats that users pass as models. */
#ifndef TL_API_FOREIGN_FILE_H
#define TL_API_FOREIGN_FILE_H

#include "trilobite/load.h"

/* One sentence about what the file is and what to do with it. `name` may be NULL. NULL: nothing is known about it. */
const char *tl_foreign_file(trilo_bytes bytes, const char *name);

/* True if the file starts like one that Assimp does not read either, whatever its name. */
bool tl_foreign_to_assimp(trilo_bytes bytes);

bool tl_foreign_is_text(trilo_bytes bytes);

#endif
