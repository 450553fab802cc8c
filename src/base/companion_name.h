/* companion_name.h: names of the files beside a model. */
#ifndef TL_BASE_COMPANION_NAME_H
#define TL_BASE_COMPANION_NAME_H

/* Bytes of the longest file name on the usual file systems, and its NUL. */
enum { TL_FILE_NAME_ROOM = 255 + 1 };

/* The model "hero.t3dm" and the ending ".0.sdata" make "hero.0.sdata". A stem that leaves no room for the ending is
 * cut; then "~" and a hash of all of it follow, so that models whose names begin alike have different companions. */
void tl_companion_name(const char *model, const char *ending, char out[TL_FILE_NAME_ROOM]);

#endif
