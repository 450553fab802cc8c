/* clip_off.h: how far the vertices of a T3DM model are from where its source has them, as the console plays a clip. */
#ifndef BENCH_CLIP_OFF_H
#define BENCH_CLIP_OFF_H

#include <trilobite/model.h>

/* In units of the T3DM file, at every tick of 1/60 second, for a clip of `file` and the source's clip of that name;
 * `scale` is what its units were multiplied by. The vertices are those of `file`. A converter may move a clip whose
 * first key is late to the start: the smaller error counts. Below 0: no memory, or a bone or the clip has no twin. */
double bench_clip_off(const trilo_model *source, const trilo_model *file, uint32_t clip, double scale);
/* The clip of that name; TRILO_NONE: there is none, as when it was empty and was dropped. */
uint32_t bench_clip_named(const trilo_model *model, const char *name);

/* Bytes of a clip of a T3DM model: of its stream, and of its table of channels. */
double bench_clip_bytes(const trilo_clip *clip);

#endif
