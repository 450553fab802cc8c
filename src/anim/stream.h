/* stream.h: samples a stream of keys, which is read forward. */
#ifndef TL_ANIM_STREAM_H
#define TL_ANIM_STREAM_H

#include "model/stream.h"

/* Rewinds the stream if the time is before the previous one. */
void tl_stream_seek(trilo_stream *stream, float seconds);

/* The value of a channel at that time; reads until its next key was found. Returns false if it has no key. Channels
 * must be sampled in their order, which is that of the stream. */
bool tl_stream_channel_value(trilo_stream *stream, uint32_t channel, float value[4]);

#endif
