/* describe.h: a format for programs that show files: ImHex and Kaitai Struct.
 *
 * Records come from the layout tables. How they follow each other is not in tables, so each format says it in both
 * languages.
 */
#ifndef TL_LAYOUT_DESCRIBE_H
#define TL_LAYOUT_DESCRIBE_H

#include "layout/layout.h"

typedef struct tl_description {
    const char *name, *title;
    const tl_layout *const *layouts;
    size_t layout_count;
    const char *ksy;          /* everything before the types of the tables, from "meta:" to "types:" and some types */
    const char *hexpat_start; /* in front of the structs of the tables: byte order, layout_version */
    const char *hexpat;       /* after them */
} tl_description;

void tl_describe_ksy(const tl_description *description, tl_sink *sink);
void tl_describe_hexpat(const tl_description *description, tl_sink *sink);

#endif
