#include "base/companion_name.h"

#include "trilobite/core.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void tl_companion_name(const char *model, const char *ending, char out[TL_FILE_NAME_ROOM])
{
    enum { HASH_ROOM = sizeof "~01234567" };
    char hash[HASH_ROOM] = "";
    const char *dot = strrchr(model, '.');
    size_t stem = dot && dot > model ? (size_t)(dot - model) : strlen(model);
    if (stem + strlen(ending) >= TL_FILE_NAME_ROOM) {
        snprintf(hash, sizeof hash, "~%08" PRIx32, trilo_fnv1a(model, stem));
        stem = TL_FILE_NAME_ROOM - HASH_ROOM - strlen(ending);
        while (stem > 0 && ((unsigned char)model[stem] & 0xC0) == 0x80) /* not inside a character of UTF-8 */
            stem--;
    }
    snprintf(out, TL_FILE_NAME_ROOM, "%.*s%s%s", (int)stem, model, hash, ending);
}
