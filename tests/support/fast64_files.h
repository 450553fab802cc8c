/* fast64_files.h: the JSON of a glTF file, and no more of it than materials refer to; materials made by hand. */
#ifndef TL_TEST_FAST64_FILES_H
#define TL_TEST_FAST64_FILES_H

#include "formats/gltf/fast64/fast64.h"

typedef struct fast64_file {
    tl_arena arena;
    gltf_file gltf;
    trilo_load_opts opts; /* those of `gltf` */
} fast64_file;

/* False when the text is no JSON object; free it in any case. */
bool fast64_file_read(fast64_file *file, const void *json, size_t size);
/* The JSON chunk of a .glb. */
bool fast64_file_read_glb(fast64_file *file, const uint8_t *bytes, size_t size);
void fast64_file_free(fast64_file *file);

/* TEX0 * SHADE, alpha 1, in one cycle, as extras and as an extension. In the first one, the second combiner is spelt
 * with spaces behind the colons, to tell it from the first. */
extern const char fast64_extras[], fast64_words[];

/* A text to be changed and read, and what it became. */
enum { FAST64_ROOM = 8192 };
typedef struct fast64_sample {
    char text[FAST64_ROOM];
    trilo_gltf_load_opts opts;
    fast64_file file;
    fast64_found found;
    fast64_material material;
    const tl_json *where;
    const char *problem;
} fast64_sample;

void fast64_start(fast64_sample *s, const char *text);
/* The first `from` becomes `to`; there must be one. */
void fast64_change(fast64_sample *s, const char *from, const char *to);
/* The file stays open until it is freed. */
void fast64_read_sample(fast64_sample *s);
/* Reads, which must go well, and frees; the names in the answer are gone. */
fast64_material fast64_finish(fast64_sample *s);
/* All of this for one change. */
fast64_material fast64_changed(const char *text, const char *from, const char *to);

#endif
