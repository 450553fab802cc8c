/* clip_off.h: how far the vertices of a T3DM model are from where its source has them, as the console plays a clip. */
#ifndef BENCH_CLIP_OFF_H
#define BENCH_CLIP_OFF_H

#include <trilobite/model.h>

/* In units of the T3DM file, at every tick of 1/60 second, for the clip of that number of both models; `scale` is what
 * its units were multiplied by. The vertices are those of `file`. Below 0: no memory, or a bone has no twin. */
double bench_clip_off(const trilo_model *source, const trilo_model *file, uint32_t clip, double scale);

/* Bytes of a clip of a T3DM model: of its stream, and of its table of channels. */
double bench_clip_bytes(const trilo_clip *clip);

#endif
